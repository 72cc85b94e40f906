/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "spec-map/spec.h"
#include "uet_spec.h"
#include "ut/known.h"
#include "ut/value.h"
#include "wire/tss.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))

/* In the order of enum uet_ut_mode. */
static const char *const modes[] = {"rud", "rod", "rudi", "uud"};

/* The reply lacks, or garbles, what the verb promises. */
static int bad(struct uet_ut *ut, const char *verb, const char *key)
{
    snprintf(ut->error, sizeof(ut->error), "%s: the reply's \"%s\" is missing or wrong", verb, key);
    return -EBADMSG;
}

/* Ends a call of which nothing but ok is wanted. request is stolen; NULL means no memory. */
static int call(struct uet_ut *ut, json_t *request, json_t **reply)
{
    *reply = NULL;
    if (!request) {
        snprintf(ut->error, sizeof(ut->error), "no memory for a request");
        return -ENOMEM;
    }
    return uet_ut_call(ut, request, reply);
}

static int call_only(struct uet_ut *ut, json_t *request)
{
    json_t *reply;
    int rc = call(ut, request, &reply);

    json_decref(reply);
    return rc;
}

/*
 * What differs from its default is said and nothing else, so that an upper tester need not know
 * arguments that a test does not use. value is stolen.
 */
static int add_if(bool said, json_t *request, const char *key, json_t *value)
{
    if (said)
        return json_object_set_new(request, key, value);
    json_decref(value);
    return 0;
}

/* The request itself, or NULL (no memory) when not all could be added to it. */
static json_t *whole(json_t *request, int missing)
{
    if (!missing)
        return request;
    json_decref(request);
    return NULL;
}

/* Takes "handle" out of the reply to verb. handle may be NULL. */
static int handle_of(struct uet_ut *ut, const char *verb, const json_t *reply, uint64_t *handle)
{
    uint64_t value;

    if (uet_ut_get_number(reply, "handle", INT64_MAX, &value))
        return bad(ut, verb, "handle");
    if (handle)
        *handle = value;
    return 0;
}

/* ---- hello ---- */

static bool text_of(const json_t *reply, const char *key, char *out, size_t size)
{
    const char *text = json_string_value(json_object_get(reply, key));

    if (text)
        snprintf(out, size, "%s", text);
    return text != NULL;
}

/* Little-endian when it is not told. */
static int read_byte_order(struct uet_ut *ut, const json_t *reply, struct uet_ut_about *about)
{
    const json_t *order = json_object_get(reply, "byte_order");
    const char *text = json_string_value(order);

    about->big_endian = text && strcmp(text, "big") == 0;
    if (order && !about->big_endian && (!text || strcmp(text, "little") != 0))
        return bad(ut, "hello", "byte_order");
    return 0;
}

/* One that is newer than this side may mean other things by the same words. */
static int read_protocol(struct uet_ut *ut, const json_t *reply)
{
    uint64_t protocol = UET_UT_PROTOCOL;
    int rc = uet_ut_get_number(reply, "protocol", UINT32_MAX, &protocol);

    if (rc && rc != -ENOENT)
        return bad(ut, "hello", "protocol");
    if (protocol == UET_UT_PROTOCOL)
        return 0;
    snprintf(ut->error, sizeof(ut->error),
             "hello: \"protocol\" is %llu, and this suite knows version %d of "
             "docs/upper-tester.md alone",
             (unsigned long long)protocol, UET_UT_PROTOCOL);
    return -EBADMSG;
}

static int read_about(struct uet_ut *ut, const json_t *reply, struct uet_ut_about *about)
{
    static const char *const protections[] = {"none", "crc", "tss"}; /* enum uet_protect */
    char address[UET_IP_TEXT], protect[8];
    uint64_t mtu;

    memset(about, 0, sizeof(*about));
    int rc = read_protocol(ut, reply);
    if (rc)
        return rc;
    if (!text_of(reply, "name", about->name, sizeof(about->name)))
        return bad(ut, "hello", "name");
    if (!text_of(reply, "version", about->version, sizeof(about->version)))
        return bad(ut, "hello", "version");
    if (!text_of(reply, "spec", about->spec, sizeof(about->spec)))
        return bad(ut, "hello", "spec");
    if (!text_of(reply, "address", address, sizeof(address)) ||
        uet_ip_parse(&about->address, address))
        return bad(ut, "hello", "address");
    if (uet_ut_get_number(reply, "payload_mtu", UINT16_MAX, &mtu))
        return bad(ut, "hello", "payload_mtu");
    about->payload_mtu = (uint32_t)mtu;
    if (!text_of(reply, "protect", protect, sizeof(protect)))
        return bad(ut, "hello", "protect");
    while (about->protect < 3 && strcmp(protect, protections[about->protect]) != 0)
        about->protect++;
    if (about->protect == 3)
        return bad(ut, "hello", "protect");
    return read_byte_order(ut, reply, about);
}

int uet_ut_hello(struct uet_ut *ut, struct uet_ut_about *about)
{
    json_t *reply;
    int rc = uet_ut_told(ut, &reply);

    if (rc == 0)
        rc = read_about(ut, reply, about);
    json_decref(reply);
    return rc;
}

int uet_ut_param(struct uet_ut *ut, const char *name, uint64_t *value)
{
    json_t *reply;
    int rc = uet_ut_told(ut, &reply);

    if (rc == 0)
        rc = uet_ut_get_number(json_object_get(reply, "params"), name, UINT64_MAX, value);
    if (rc == -ENOENT)
        snprintf(ut->error, sizeof(ut->error), "hello: no parameter \"%s\" is told", name);
    else if (rc == -EINVAL || rc == -ERANGE)
        rc = bad(ut, "hello", "params");
    json_decref(reply);
    return rc;
}

/* Does the list that `hello` tells at key hold the name? untold: the answer without a list. */
static int told_in(struct uet_ut *ut, const char *key, const char *name, int untold)
{
    json_t *reply, *list;
    size_t i;
    json_t *item;
    char error[sizeof(ut->error)]; /* of the verb that was refused: who asks wants to tell it */
    memcpy(error, ut->error, sizeof(error));
    int rc = uet_ut_told(ut, &reply);

    list = json_object_get(reply, key);
    if (rc == 0 && !list && untold >= 0)
        rc = untold;
    else if (rc == 0 && !json_is_array(list))
        rc = bad(ut, "hello", key);
    else if (rc == 0)
        json_array_foreach(list, i, item)
        {
            const char *text = json_string_value(item);

            rc |= text && strcmp(text, name) == 0;
        }
    json_decref(reply);
    if (rc >= 0)
        memcpy(ut->error, error, sizeof(error));
    return rc;
}

int uet_ut_has_verb(struct uet_ut *ut, const char *verb)
{
    return told_in(ut, "verbs", verb, -EBADMSG);
}

int uet_ut_has_mode(struct uet_ut *ut, uint8_t mode)
{
    /* Who tells no modes does not know the argument. */
    return mode < ITEMS(modes) ? told_in(ut, "modes", modes[mode], mode == UET_UT_MODE_RUD) : 0;
}

/* ---- the FEP as a whole ---- */

int uet_ut_reset(struct uet_ut *ut)
{
    return call_only(ut, json_pack("{s:s}", "verb", "reset"));
}

int uet_ut_set(struct uet_ut *ut, const char *name, uint64_t value)
{
    json_t *number = value <= INT64_MAX ? json_integer((json_int_t)value) : uet_ut_number(value);

    return call_only(ut,
                     json_pack("{s:s, s:s, s:o}", "verb", "set", "name", name, "value", number));
}

int uet_ut_violate(struct uet_ut *ut, const char *id)
{
    return call_only(ut, json_pack("{s:s, s:s?}", "verb", "violate", "requirement", id));
}

/* ---- transport security ---- */

static json_t *jobs_of(const struct uet_ut_domain *d)
{
    json_t *jobs = json_array();

    for (uint8_t i = 0; i < d->n_jobs; i++)
        json_array_append_new(jobs, json_integer((json_int_t)d->jobs[i]));
    return jobs;
}

int uet_ut_install_domain(struct uet_ut *ut, const struct uet_ut_domain *d)
{
    static const char *const key_modes[] = {
        [UET_TSS_MODE_DIRECT] = "direct", [UET_TSS_MODE_SERVER] = "server"}; /* else cluster */
    const char *mode = d->mode < ITEMS(key_modes) ? key_modes[d->mode] : NULL;
    json_t *r = json_pack("{s:s, s:I}", "verb", "install_domain", "sdi", (json_int_t)d->sdi);

    if (d->file) {
        add_if(true, r, "file", json_string(d->file));
        return call_only(ut, r);
    }
    add_if(d->an, r, "an", json_integer(d->an));
    add_if(mode, r, "mode", json_string(mode ? mode : ""));
    add_if(true, r, "key", uet_ut_hex(d->key, 32));
    add_if(d->iv_mask, r, "iv_mask", d->iv_mask ? uet_ut_hex(d->iv_mask, 12) : NULL);
    add_if(d->has_ssi, r, "ssi", json_integer((json_int_t)d->ssi));
    add_if(d->epoch, r, "epoch", json_integer(d->epoch));
    add_if(d->rekey_mask, r, "rekey_mask", uet_ut_number(d->rekey_mask));
    add_if(d->rekey_shift, r, "rekey_shift", json_integer(d->rekey_shift));
    add_if(d->encrypt_from, r, "encrypt_from", json_integer(d->encrypt_from));
    add_if(d->random_1rtt, r, "start", json_string("random-1rtt"));
    add_if(d->n_jobs, r, "jobs", jobs_of(d));
    return call_only(ut, r);
}

int uet_ut_rotate(struct uet_ut *ut, uint32_t sdi, uint8_t an)
{
    return call_only(
        ut, json_pack("{s:s, s:I, s:i}", "verb", "rotate", "sdi", (json_int_t)sdi, "an", an));
}

int uet_ut_advance_counter(struct uet_ut *ut, uint32_t sdi, uint64_t counter)
{
    return call_only(ut, json_pack("{s:s, s:I, s:o}", "verb", "advance_counter", "sdi",
                                   (json_int_t)sdi, "counter", uet_ut_number(counter)));
}

int uet_ut_enable_domain(struct uet_ut *ut, uint32_t sdi, bool enabled)
{
    return call_only(ut, json_pack("{s:s, s:I, s:b}", "verb", "enable_domain", "sdi",
                                   (json_int_t)sdi, "enabled", enabled));
}

int uet_ut_remove_domain(struct uet_ut *ut, uint32_t sdi)
{
    return call_only(ut, json_pack("{s:s, s:I}", "verb", "remove_domain", "sdi", (json_int_t)sdi));
}

int uet_ut_remove_key(struct uet_ut *ut, uint32_t sdi, uint8_t an)
{
    return call_only(ut, json_pack("{s:s, s:I, s:i}", "verb", "remove_domain", "sdi",
                                   (json_int_t)sdi, "an", an));
}

int uet_ut_restart(struct uet_ut *ut)
{
    return call_only(ut, json_pack("{s:s}", "verb", "restart"));
}

static int call_address(struct uet_ut *ut, const char *verb, const char *key,
                        const struct uet_ip *ip)
{
    char text[UET_IP_TEXT];

    return call_only(
        ut, json_pack("{s:s, s:s?}", "verb", verb, key, ip ? uet_ip_text(ip, text) : NULL));
}

static int call_handle(struct uet_ut *ut, const char *verb, uint64_t handle)
{
    return call_only(ut, json_pack("{s:s, s:I}", "verb", verb, "handle", (json_int_t)handle));
}

int uet_ut_withdraw(struct uet_ut *ut, uint64_t handle)
{
    return call_handle(ut, "withdraw", handle);
}

int uet_ut_cancel(struct uet_ut *ut, uint64_t handle)
{
    return call_handle(ut, "cancel", handle);
}

int uet_ut_close_pdcs(struct uet_ut *ut, const struct uet_ip *to)
{
    return call_address(ut, "close", "to", to);
}

int uet_ut_close_request(struct uet_ut *ut, const struct uet_ip *from)
{
    return call_address(ut, "close_request", "from", from);
}

int uet_ut_counters(struct uet_ut *ut, json_t **counters)
{
    json_t *reply;
    int rc = call(ut, json_pack("{s:s}", "verb", "counters"), &reply);

    *counters = rc == 0 ? json_object_get(reply, "counters") : NULL;
    if (rc == 0 && !json_is_object(*counters)) {
        *counters = NULL;
        rc = bad(ut, "counters", "counters");
    }
    json_incref(*counters);
    json_decref(reply);
    return rc;
}

int uet_ut_counter(struct uet_ut *ut, const char *name, uint64_t *value)
{
    json_t *counters;
    int rc = uet_ut_counters(ut, &counters);

    if (rc == 0)
        rc = uet_ut_get_number(counters, name, UINT64_MAX, value);
    if (rc == -ENOENT)
        snprintf(ut->error, sizeof(ut->error), "counters: there is no \"%s\"", name);
    else if (rc == -EINVAL || rc == -ERANGE)
        rc = bad(ut, "counters", name);
    json_decref(counters);
    return rc;
}

/* ---- resources ---- */

int uet_ut_service(struct uet_ut *ut, const struct uet_ut_service *service)
{
    static const char *const classes[] = {"rma", "send", "tagged"};

    if (service->ri_class >= ITEMS(classes)) {
        snprintf(ut->error, sizeof(ut->error), "service: no class %u", service->ri_class);
        return -EINVAL;
    }
    json_t *request =
        json_pack("{s:s, s:I, s:i, s:i, s:s}", "verb", "service", "job_id",
                  (json_int_t)service->job_id, "pid_on_fep", service->pid_on_fep, "resource_index",
                  service->resource_index, "class", classes[service->ri_class]);
    int missing =
        add_if(service->has_generation, request, "generation", json_integer(service->generation)) |
        add_if(service->disabled, request, "disabled", json_true()) |
        add_if(service->keeps_unexpected, request, "keeps_unexpected", json_true());
    return call_only(ut, whole(request, missing));
}

/* What is left of read and write. */
static json_t *rights_of(const struct uet_ut_memory *memory)
{
    if (memory->no_read && memory->no_write)
        return json_array();
    return json_pack("[s]", memory->no_read ? "write" : "read");
}

static int too_long(struct uet_ut *ut, const char *verb)
{
    snprintf(ut->error, sizeof(ut->error), "%s: more than %u bytes of data", verb, UET_UT_DATA_MAX);
    return -EMSGSIZE;
}

static json_t *memory_request(const struct uet_ut_memory *memory)
{
    json_t *request = json_pack("{s:s, s:I, s:i, s:i, s:o, s:I}", "verb", "reg_mem", "job_id",
                                (json_int_t)memory->job_id, "pid_on_fep", memory->pid_on_fep,
                                "resource_index", memory->resource_index, "key",
                                uet_ut_number(memory->key), "length", (json_int_t)memory->length);
    int missing =
        add_if(memory->any_job, request, "any_job", json_true()) |
        add_if(memory->data != NULL, request, "data",
               memory->data ? uet_ut_hex(memory->data, memory->length) : NULL) |
        add_if(!memory->data && memory->fill, request, "fill", json_integer(memory->fill)) |
        add_if(memory->no_read || memory->no_write, request, "rights", rights_of(memory));

    return whole(request, missing);
}

int uet_ut_reg_mem(struct uet_ut *ut, const struct uet_ut_memory *memory, uint64_t *handle,
                   uint64_t *key)
{
    json_t *reply;
    uint64_t given = memory->key;
    int rc;

    if (memory->data && memory->length > UET_UT_DATA_MAX)
        return too_long(ut, "reg_mem");
    rc = call(ut, memory_request(memory), &reply);
    if (rc == 0)
        rc = handle_of(ut, "reg_mem", reply, handle);
    if (rc == 0 && uet_ut_get_number(reply, "key", UINT64_MAX, &given))
        rc = bad(ut, "reg_mem", "key");
    if (rc == 0 && key)
        *key = given;
    json_decref(reply);
    return rc;
}

static int get_chunk(struct uet_ut *ut, uint64_t handle, uint64_t offset, uint8_t *out, size_t n)
{
    json_t *reply, *data;
    int rc = call(ut,
                  json_pack("{s:s, s:I, s:I, s:I}", "verb", "get_mem", "handle", (json_int_t)handle,
                            "offset", (json_int_t)offset, "length", (json_int_t)n),
                  &reply);

    data = json_object_get(reply, "data");
    if (rc == 0 && (!json_is_string(data) || json_string_length(data) != 2 * n ||
                    uet_ut_unhex(json_string_value(data), n, out)))
        rc = bad(ut, "get_mem", "data");
    json_decref(reply);
    return rc;
}

int uet_ut_get_mem(struct uet_ut *ut, uint64_t handle, uint64_t offset, void *out, size_t length)
{
    uint8_t *bytes = out;
    int rc = 0;

    for (size_t done = 0; done < length && rc == 0;) {
        size_t n = length - done < UET_UT_DATA_MAX ? length - done : UET_UT_DATA_MAX;

        rc = get_chunk(ut, handle, offset + done, bytes + done, n);
        done += n;
    }
    return rc;
}

int uet_ut_post_recv(struct uet_ut *ut, const struct uet_ut_receive *receive, uint64_t *handle)
{
    json_t *reply;
    json_t *request =
        json_pack("{s:s, s:I, s:i, s:i, s:I}", "verb", "post_recv", "job_id",
                  (json_int_t)receive->job_id, "pid_on_fep", receive->pid_on_fep, "resource_index",
                  receive->resource_index, "length", (json_int_t)receive->length);
    int missing =
        add_if(receive->any_job, request, "any_job", json_true()) |
        add_if(receive->truncate, request, "truncate", json_true()) |
        add_if(receive->tagged, request, "match_bits", uet_ut_number(receive->match_bits)) |
        add_if(receive->ignore, request, "ignore", uet_ut_number(receive->ignore)) |
        add_if(receive->from, request, "initiator", json_integer((json_int_t)receive->initiator));
    uint64_t given = 0;
    int rc = call(ut, whole(request, missing), &reply);

    if (rc == 0)
        rc = handle_of(ut, "post_recv", reply, &given);
    if (rc == 0 && handle)
        *handle = given;
    if (rc == 0 && ut->on_posted)
        ut->on_posted(ut->on_ctx, receive, given);
    json_decref(reply);
    return rc;
}

/* ---- operations ---- */

/* What every operation has. NULL: no memory. */
static json_t *operation_request(const char *verb, const struct uet_ut_operation *op)
{
    static const char *const headers[] = {"std", "small", "medium"};
    char to[UET_IP_TEXT];
    json_t *r = json_pack("{s:s, s:s, s:I, s:i, s:i}", "verb", verb, "to", uet_ip_text(&op->to, to),
                          "job_id", (json_int_t)op->job_id, "pid_on_fep", op->pid_on_fep,
                          "resource_index", op->resource_index);
    int missing =
        add_if(op->relative, r, "relative", json_true()) |
        add_if(op->header, r, "header", json_string(headers[op->header])) |
        add_if(op->delivery_complete, r, "delivery_complete", json_true()) |
        add_if(op->has_header_data, r, "header_data", uet_ut_number(op->header_data)) |
        add_if(op->initiator, r, "initiator", json_integer((json_int_t)op->initiator)) |
        add_if(op->generation, r, "generation", json_integer(op->generation)) |
        add_if(op->mode, r, "mode", json_string(modes[op->mode])) |
        add_if(op->traffic_class, r, "traffic_class", json_integer(op->traffic_class)) |
        add_if(op->peer_flags, r, "peer_flags", json_integer(op->peer_flags)) |
        add_if(op->peer_capabilities, r, "peer_capabilities", json_integer(op->peer_capabilities)) |
        add_if(op->reserved, r, "reserved", json_true());

    return whole(r, missing);
}

static int add_payload(json_t *request, const struct uet_ut_operation *op)
{
    if (op->data)
        return json_object_set_new(request, "data", uet_ut_hex(op->data, op->length));
    return json_object_set_new(request, "length", json_integer(op->length)) ||
           add_if(op->seed, request, "seed", json_integer(op->seed));
}

static int add_atomic(json_t *request, const struct uet_ut_operation *op)
{
    char amo[UET_ENUM_VALUE_NAME], datatype[UET_ENUM_VALUE_NAME];

    uet_enum_value_name(UET_ENUM_AMO_OPCODE, op->amo, amo);
    uet_enum_value_name(UET_ENUM_AMO_DATATYPE, op->datatype, datatype);
    json_object_del(request, "header_data"); /* an atomic has none */
    return json_object_set_new(request, "amo", json_string(amo)) ||
           json_object_set_new(request, "datatype", json_string(datatype)) ||
           add_if(op->compare != NULL, request, "compare",
                  op->compare ? uet_ut_hex(op->compare, op->length) : NULL);
}

static int add_own(json_t *request, const struct uet_ut_operation *op, unsigned own)
{
    if (own & UET_UT_OWN_PAYLOAD && add_payload(request, op))
        return -1;
    if (own & UET_UT_OWN_MEMORY && json_object_set_new(request, "key", uet_ut_number(op->key)))
        return -1;
    if (own & (UET_UT_OWN_MEMORY | UET_UT_OWN_OFFSET) &&
        add_if(op->offset, request, "offset", uet_ut_number(op->offset)))
        return -1;
    if (own & UET_UT_OWN_REGION &&
        (json_object_set_new(request, "region", json_integer((json_int_t)op->region)) ||
         json_object_set_new(request, "eager_length", json_integer(op->eager)) ||
         json_object_set_new(request, "length", json_integer(op->length))))
        return -1;
    if (own & UET_UT_OWN_TAG && json_object_set_new(request, "match_bits", uet_ut_number(op->key)))
        return -1;
    if (own & UET_UT_OWN_ATOMIC && add_atomic(request, op))
        return -1;
    if (!(own & UET_UT_OWN_LENGTH))
        return 0;
    json_object_del(request, "delivery_complete"); /* a read has nothing to make visible */
    return json_object_set_new(request, "length", json_integer(op->length));
}

static int submit(struct uet_ut *ut, const char *verb, uint8_t kind,
                  const struct uet_ut_operation *op, unsigned own, uint64_t *handle)
{
    json_t *reply, *request;
    uint64_t given = 0;
    int rc;

    if (op->header > UET_UT_HEADER_MEDIUM) {
        snprintf(ut->error, sizeof(ut->error), "%s: no header form %u", verb, op->header);
        return -EINVAL;
    }
    if (op->mode > UET_UT_MODE_UUD) {
        snprintf(ut->error, sizeof(ut->error), "%s: no delivery mode %u", verb, op->mode);
        return -EINVAL;
    }
    if (op->data && op->length > UET_UT_DATA_MAX)
        return too_long(ut, verb);
    request = operation_request(verb, op);
    if (request && add_own(request, op, own)) {
        json_decref(request);
        request = NULL;
    }
    if (ut->on_start)
        ut->on_start(ut->on_ctx, verb, op);
    rc = call(ut, request, &reply);
    if (rc == 0)
        rc = handle_of(ut, verb, reply, &given);
    if (rc == 0 && handle)
        *handle = given;
    if (rc == 0 && ut->on_begun)
        ut->on_begun(ut->on_ctx, kind, op, given);
    json_decref(reply);
    return rc;
}

#define STARTS(name, kind, own)                                                                    \
    int uet_ut_##name(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle)      \
    {                                                                                              \
        return submit(ut, #name, UET_UT_KIND_##kind, op, own, handle);                             \
    }
UET_UT_OPERATIONS(STARTS)

void uet_ut_pattern(void *out, size_t n, uint64_t offset, uint8_t seed)
{
    uint8_t ramp[512], *bytes = out; /* in a block of 256 a byte is one more than that before it */

    for (size_t k = 0; k < sizeof(ramp); k++)
        ramp[k] = (uint8_t)k;
    for (size_t k = 0; k < n;) {
        uint64_t i = offset + k;
        size_t rest = 256 - i % 256, some = n - k < rest ? n - k : rest;

        memcpy(bytes + k, ramp + (uint8_t)(seed + i + (i >> 8) + (i >> 16)), some);
        k += some;
    }
}
