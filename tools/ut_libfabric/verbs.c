/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a provider cannot say or do is refused, in one sentence: the tests that need it are skipped.
 * What it does not tell (a return code, who sent) is left out of a completion, never invented.
 */
#include "tools/ut_libfabric/verbs.h"

#include <errno.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ut_libfabric/atomics.h"
#include "ut/args.h"
#include "ut/known.h"
#include "ut/value.h"
#include "ut/verbs.h"

#define ITEMS(a)   (sizeof(a) / sizeof((a)[0]))
#define WAIT_USUAL 64
#define BYTES_MAX  (1u << 28) /* of one handle */

/* What a handle names. */
struct bytes {
    struct bytes *next;
    uint64_t handle;
    const char *kind; /* of its completion */
    uint32_t length;
    uint8_t *base, *operand, *compare; /* owned */
};

static struct bytes *find(const struct adapter *a, uint64_t handle)
{
    struct bytes *b = a->bytes;

    while (b && b->handle != handle)
        b = b->next;
    return b;
}

static void drop(struct bytes *b)
{
    free(b->base);
    free(b->operand);
    free(b->compare);
    free(b);
}

/* New memory, zeroed; NULL: refused. It is in the list only after keep. */
static struct bytes *new_bytes(struct uet_args *args, const char *kind, uint32_t length)
{
    struct bytes *b = args->error[0] ? NULL : calloc(1, sizeof(*b));

    if (b)
        b->base = calloc(1, length ? length : 1);
    if (b && b->base) {
        b->kind = kind;
        b->length = length;
        return b;
    }
    free(b);
    uet_arg_refuse(args, "no memory left");
    return NULL;
}

static void keep(struct adapter *a, struct uet_args *args, struct bytes *b, json_t *reply)
{
    b->next = a->bytes;
    a->bytes = b;
    uet_reply_set(args, reply, "handle", json_integer((json_int_t)b->handle));
}

static void refused_by_provider(struct adapter *a, struct uet_args *args)
{
    uet_arg_refuse(args, "%s says: %.150s", a->config.provider, fabric_error(a->fabric));
}

/* ---- what all verbs say of an address ---- */

static uint16_t address_of(struct adapter *a, struct uet_args *args, bool any_job_too)
{
    uint64_t pid = uet_arg_number(args, "pid_on_fep", 0xfff, true);
    uint64_t ri = uet_arg_number(args, "resource_index", FABRIC_INDICES - 1, true);

    if (uet_arg_bool(args, "any_job"))
        uet_arg_refuse(args, "\"any_job\": these endpoints are for relative addressing");
    uint64_t job = uet_arg_number(args, "job_id", 0xffffff, any_job_too);
    /* Endpoints of the provider's own addresses have neither: any will do. */
    if (a->config.format == FABRIC_UET && job != a->job_id)
        uet_arg_refuse(args, "\"job_id\": the job of this process is 0x%x (--job)", a->job_id);
    if (a->config.format == FABRIC_UET && pid != a->config.pid_on_fep &&
        !uet_arg_present(args, "to"))
        uet_arg_refuse(args, "\"pid_on_fep\": this process is %u (--pid)", a->config.pid_on_fep);
    return (uint16_t)ri;
}

/* ---- the FEP as a whole ---- */

static void verb_hello(struct adapter *a, struct uet_args *args, json_t *reply);

static void verb_reset(struct adapter *a, struct uet_args *args, json_t *reply)
{
    (void)args;
    (void)reply;
    fabric_reset(a->fabric);
    for (struct bytes *b = a->bytes, *next; b; b = next) {
        next = b->next;
        drop(b);
    }
    a->bytes = NULL;
    json_array_clear(a->ended);
}

static void verb_service(struct adapter *a, struct uet_args *args, json_t *reply)
{
    static const char *const classes[] = {"rma", "send", "tagged"};
    uint8_t ri_class = uet_arg_choice(args, "class", classes, ITEMS(classes));
    uint16_t ri = address_of(a, args, true);

    (void)reply;
    (void)uet_arg_text(args, "class", true);
    if (uet_arg_present(args, "generation"))
        uet_arg_refuse(args, "\"generation\": libfabric has no generations");
    if (uet_arg_bool(args, "disabled"))
        uet_arg_refuse(args, "\"disabled\": libfabric disables no endpoint");
    if (!args->error[0] && fabric_listen(a->fabric, (enum fabric_class)ri_class, ri))
        refused_by_provider(a, args);
}

/* ---- memory ---- */

/* The length of new memory: that of "data", or "length". */
static uint32_t length_of(struct uet_args *args)
{
    bool data = uet_arg_present(args, "data");
    uint32_t bytes = uet_arg_hex_bytes(args, "data");
    uint32_t length = (uint32_t)uet_arg_number(args, "length", BYTES_MAX, !data);

    if (data && uet_arg_present(args, "length") && length != bytes)
        uet_arg_refuse(args, "\"length\" is %u, but \"data\" has %u bytes: leave one out", length,
                       bytes);
    return data ? bytes : length;
}

static void unhex(struct uet_args *args, const char *key, uint32_t length, uint8_t *out)
{
    const char *text = uet_arg_text(args, key, false);

    if (text && uet_ut_unhex(text, length, out))
        uet_arg_refuse(args, "\"%s\" has something that is no hex digit", key);
}

/* Both rights, or those of the list. */
static void rights_of(struct uet_args *args, bool *read, bool *write)
{
    const json_t *rights = json_object_get(args->request, "rights");

    *read = *write = !uet_arg_present(args, "rights");
    for (size_t i = 0; i < json_array_size(rights); i++) {
        const char *name = json_string_value(json_array_get(rights, i));

        *read |= name && strcmp(name, "read") == 0;
        *write |= name && strcmp(name, "write") == 0;
        if (!name || (strcmp(name, "read") != 0 && strcmp(name, "write") != 0))
            uet_arg_refuse(args, "a right is \"read\" or \"write\", nothing else");
    }
    if (rights && !json_is_null(rights) && !json_is_array(rights))
        uet_arg_refuse(args, "\"rights\" is not a list: give [\"read\",\"write\"], one or none");
}

static void verb_reg_mem(struct adapter *a, struct uet_args *args, json_t *reply)
{
    uint16_t ri = address_of(a, args, true);
    uint64_t key = uet_arg_number(args, "key", UINT64_MAX, true);
    uint8_t fill = (uint8_t)uet_arg_number(args, "fill", UINT8_MAX, false);
    uint32_t length = length_of(args);
    bool read, write;

    rights_of(args, &read, &write);
    if (!args->error[0] && length == 0)
        uet_arg_refuse(args, "\"length\": a region has at least one byte");
    struct bytes *b = new_bytes(args, "imm", length);
    if (!b)
        return;
    memset(b->base, fill, length);
    unhex(args, "data", length, b->base);
    b->handle = a->next_handle;
    if (!args->error[0] &&
        fabric_register(a->fabric, ri, b->base, length, read, write, b->handle, &key))
        refused_by_provider(a, args);
    if (args->error[0]) {
        drop(b);
        return;
    }
    a->next_handle++;
    keep(a, args, b, reply);
    uet_reply_set(args, reply, "key", uet_ut_number(key));
}

static void verb_get_mem(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct bytes *b = find(a, uet_arg_number(args, "handle", INT64_MAX, true));
    uint64_t offset = uet_arg_number(args, "offset", UINT32_MAX, false);
    uint64_t length = uet_arg_number(args, "length", UET_UT_DATA_MAX, true);

    if (!b)
        uet_arg_refuse(args, "\"handle\" names no memory");
    else if (offset > b->length || length > b->length - offset)
        uet_arg_refuse(args, "offset and length go beyond the end: it has %u bytes", b->length);
    if (b && !args->error[0])
        uet_reply_set(args, reply, "data", uet_ut_hex(b->base + offset, length));
}

static void verb_post_recv(struct adapter *a, struct uet_args *args, json_t *reply)
{
    struct fabric_receive receive = {
        .ri = address_of(a, args, true),
        .length = (uint32_t)uet_arg_number(args, "length", BYTES_MAX, true),
        .tagged = uet_arg_present(args, "match_bits"),
        .tag = uet_arg_number(args, "match_bits", UINT64_MAX, false),
        .ignore = uet_arg_number(args, "ignore", UINT64_MAX, false),
    };

    if (uet_arg_bool(args, "truncate"))
        uet_arg_refuse(args, "\"truncate\": libfabric cuts no message, it tells an error");
    if (uet_arg_present(args, "initiator"))
        uet_arg_refuse(args, "\"initiator\": libfabric knows senders by address, not by initiator");
    if (!receive.tagged && receive.ignore)
        uet_arg_refuse(args, "\"ignore\" belongs to a tagged receive: give \"match_bits\", too");
    struct bytes *b = new_bytes(args, "recv", receive.length);
    if (!b)
        return;
    receive.base = b->base;
    b->handle = a->next_handle;
    if (fabric_receive(a->fabric, &receive, b->handle)) {
        refused_by_provider(a, args);
        drop(b);
        return;
    }
    a->next_handle++;
    keep(a, args, b, reply);
}

/* ---- operations ---- */

#define ADDRESS                                                                                    \
    "to", "job_id", "pid_on_fep", "resource_index", "relative", "header", "initiator",             \
        "generation", "traffic_class", "reserved", "mode", "delivery_complete"

static const struct operation {
    const char *name;
    enum fabric_verb verb;
    enum fabric_class ri_class;
    bool sends, keyed, atomic;
} operations[] = {
    {"send", FABRIC_DO_SEND, FABRIC_SEND, .sends = true},
    {"tagged_send", FABRIC_DO_TSEND, FABRIC_TAGGED, .sends = true},
    {"write", FABRIC_DO_WRITE, FABRIC_RMA, .sends = true, .keyed = true},
    {"read", FABRIC_DO_READ, FABRIC_RMA, .keyed = true},
    {"atomic", FABRIC_DO_ATOMIC, FABRIC_RMA, .keyed = true, .atomic = true},
    {"fetching_atomic", FABRIC_DO_FETCH, FABRIC_RMA, .keyed = true, .atomic = true},
};

static const struct operation *operation_of(struct uet_args *args)
{
    const char *verb = uet_arg_text(args, "verb", true);
    size_t i = 0;

    while (i + 1 < ITEMS(operations) && strcmp(operations[i].name, verb) != 0)
        i++;
    return &operations[i];
}

/* What the packets have and libfabric has no word for: only its default. */
static void refuse_unspoken(struct adapter *a, struct uet_args *args)
{
    static const char *const headers[] = {"std", "small", "medium"};
    uint32_t initiator = (uint32_t)uet_arg_number(args, "initiator", UINT32_MAX, false);

    if (uet_arg_choice(args, "header", headers, 3))
        uet_arg_refuse(args, "\"header\": the provider chooses the form by itself");
    if (!uet_arg_bool(args, "relative"))
        uet_arg_refuse(args, "\"relative\": these endpoints are for relative addressing");
    if (uet_arg_present(args, "initiator") && initiator != a->config.initiator)
        uet_arg_refuse(args, "\"initiator\": that of this process is 0x%x (--initiator)",
                       a->config.initiator);
    if (uet_arg_number(args, "generation", UINT8_MAX, false))
        uet_arg_refuse(args, "\"generation\": libfabric has no generations");
    if (uet_arg_number(args, "traffic_class", UINT8_MAX, false))
        uet_arg_refuse(args, "\"traffic_class\": this adapter opens endpoints of one class");
    if (uet_arg_bool(args, "reserved"))
        uet_arg_refuse(args, "\"reserved\": libfabric has no reserved PDCs");
}

static void read_mode(struct uet_args *args, struct fabric_operation *op)
{
    static const char *const modes[] = {"rud", "rod", "rudi", "uud"};
    uint8_t mode = uet_arg_choice(args, "mode", modes, 4);

    if (mode >= UET_UT_MODE_RUDI)
        uet_arg_refuse(args, "\"mode\": this adapter opens no endpoint of %s", modes[mode]);
    op->ordered = mode == UET_UT_MODE_ROD;
}

static void read_address(struct adapter *a, struct uet_args *args, const struct operation *row,
                         struct fabric_operation *op)
{
    *op = (struct fabric_operation){
        .verb = row->verb,
        .ri_class = row->ri_class,
        .ri = address_of(a, args, true),
        .pid_on_fep = (uint16_t)uet_arg_number(args, "pid_on_fep", 0xfff, true),
        .delivery_complete = uet_arg_bool(args, "delivery_complete"),
        .has_data = uet_arg_present(args, "header_data"),
        .data = uet_arg_number(args, "header_data", UINT64_MAX, false),
        .offset = uet_arg_number(args, "offset", UINT64_MAX, false),
        .tag = uet_arg_number(args, row->keyed ? "key" : "match_bits", UINT64_MAX,
                              row->verb != FABRIC_DO_SEND),
    };
    (void)uet_arg_address(args, "to", true, &op->to);
    size_t bytes = fabric_info(a->fabric)->domain_attr->cq_data_size;
    if (op->has_data && (bytes == 0 || (bytes < 8 && op->data >> 8 * bytes)))
        uet_arg_refuse(args, "\"header_data\": the provider carries %zu bytes of it", bytes);
    refuse_unspoken(a, args);
    read_mode(args, op);
}

/* Its bytes, into memory that lives as long as the operation. */
static struct bytes *read_bytes(struct uet_args *args, const struct operation *row)
{
    bool data = uet_arg_present(args, "data");
    uint8_t seed = (uint8_t)uet_arg_number(args, "seed", UINT8_MAX, false);

    if (data && uet_arg_present(args, "length"))
        uet_arg_refuse(args, "both \"data\" and \"length\": give one of them");
    uint32_t length = length_of(args);
    struct bytes *b = new_bytes(args, row->name, length);

    if (b && row->sends && !data)
        uet_ut_pattern(b->base, length, 0, seed);
    if (b && row->sends)
        unhex(args, "data", length, b->base);
    return b;
}

static void read_atomic(struct uet_args *args, struct bytes *b, struct fabric_operation *op)
{
    bool compares = false;

    b->operand = calloc(1, b->length ? b->length : 1);
    b->compare = calloc(1, b->length ? b->length : 1);
    if (!b->operand || !b->compare)
        uet_arg_refuse(args, "no memory left");
    else if (atomics_find(args, op, &compares)) {
        unhex(args, "data", b->length, b->operand);
        if (compares && uet_arg_hex_bytes(args, "compare") != b->length)
            uet_arg_refuse(args, "\"compare\" is not as long as the element");
        else if (compares)
            unhex(args, "compare", b->length, b->compare);
    }
    if (args->error[0])
        return;
    op->operand = b->operand;
    if (compares) {
        op->verb = FABRIC_DO_COMPARE;
        op->compare = b->compare;
    }
}

static void verb_operation(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct operation *row = operation_of(args);
    struct fabric_operation op;

    read_address(a, args, row, &op);
    struct bytes *b = read_bytes(args, row);
    if (!b)
        return;
    if (row->atomic)
        read_atomic(args, b, &op);
    op.base = b->base;
    op.length = b->length;
    b->handle = a->next_handle;
    if (!args->error[0] && fabric_start(a->fabric, &op, b->handle))
        refused_by_provider(a, args);
    if (args->error[0]) {
        drop(b);
        return;
    }
    a->next_handle++;
    keep(a, args, b, reply);
}

/* ---- completions ---- */

/* Did nobody answer? Else it was the target that refused. */
static bool is_silence(int error)
{
    static const int silences[] = {FI_ETIMEDOUT,    FI_EHOSTUNREACH, FI_ENETUNREACH,
                                   FI_ECONNREFUSED, FI_ECONNABORTED, FI_ECONNRESET,
                                   FI_ENOTCONN,     FI_ESHUTDOWN,    FI_ECANCELED,
                                   FI_EHOSTDOWN,    FI_ENETDOWN};

    for (size_t i = 0; i < ITEMS(silences); i++)
        if (error == silences[i])
            return true;
    return false;
}

static void tell(struct adapter *a, const struct fabric_end *end)
{
    const struct bytes *b = find(a, end->handle);
    json_t *o = b ? json_pack("{s:I, s:s, s:s, s:I}", "handle", (json_int_t)end->handle, "kind",
                              end->imm ? "imm" : b->kind, "status",
                              !end->error              ? "ok"
                              : is_silence(end->error) ? "pds_error"
                                                       : "ses_error",
                              "length", (json_int_t)end->length)
                  : NULL;

    if (o && end->has_data)
        json_object_set_new(o, "header_data", uet_ut_number(end->data));
    if (o && end->has_tag)
        json_object_set_new(o, "match_bits", uet_ut_number(end->tag));
    if (o)
        json_array_append_new(a->ended, o);
}

void adapter_progress(struct adapter *a)
{
    struct fabric_end end;

    while (fabric_progress(a->fabric, &end))
        tell(a, &end);
}

static void verb_wait(struct adapter *a, struct uet_args *args, json_t *reply)
{
    size_t max = uet_arg_present(args, "max") ? (size_t)uet_arg_number(args, "max", 4096, false)
                                              : WAIT_USUAL;
    json_t *told = json_array();

    adapter_progress(a);
    while (!args->error[0] && json_array_size(told) < max && json_array_size(a->ended) > 0) {
        json_array_append(told, json_array_get(a->ended, 0));
        json_array_remove(a->ended, 0);
    }
    uet_reply_set(args, reply, "completions", told);
}

/* ---- the table ---- */

static const struct verb {
    const char *name;
    void (*function)(struct adapter *a, struct uet_args *args, json_t *reply);
    uint64_t needs; /* a capability of the provider */
    const char *args[20];
} verbs[] = {
    {"hello", verb_hello, 0, {NULL}},
    {"reset", verb_reset, 0, {NULL}},
    {"service",
     verb_service,
     0,
     {"job_id", "pid_on_fep", "resource_index", "class", "generation", "disabled"}},
    {"reg_mem",
     verb_reg_mem,
     FI_RMA,
     {"job_id", "any_job", "pid_on_fep", "resource_index", "key", "length", "fill", "data",
      "rights"}},
    {"get_mem", verb_get_mem, 0, {"handle", "offset", "length"}},
    {"post_recv",
     verb_post_recv,
     FI_MSG,
     {"job_id", "any_job", "pid_on_fep", "resource_index", "length", "truncate", "match_bits",
      "ignore", "initiator"}},
    {"send", verb_operation, FI_MSG, {ADDRESS, "header_data", "length", "data", "seed"}},
    {"tagged_send",
     verb_operation,
     FI_TAGGED,
     {ADDRESS, "header_data", "length", "data", "seed", "match_bits"}},
    {"write",
     verb_operation,
     FI_RMA,
     {ADDRESS, "header_data", "length", "data", "seed", "key", "offset"}},
    {"read", verb_operation, FI_RMA, {ADDRESS, "length", "key", "offset"}},
    {"atomic",
     verb_operation,
     FI_ATOMIC,
     {ADDRESS, "length", "data", "compare", "key", "offset", "amo", "datatype"}},
    {"fetching_atomic",
     verb_operation,
     FI_ATOMIC,
     {ADDRESS, "length", "data", "compare", "key", "offset", "amo", "datatype"}},
    {"wait", verb_wait, 0, {"max"}},
};

/* Is the name one of those with commas between? */
static bool is_among(const char *names, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

static bool has(const struct adapter *a, const struct verb *v)
{
    return (v->needs & fabric_info(a->fabric)->caps) == v->needs && !is_among(a->without, v->name);
}

bool adapter_knows(const char *name)
{
    for (size_t i = 0; i < ITEMS(verbs); i++)
        if (strcmp(verbs[i].name, name) == 0)
            return true;
    return false;
}

static void verb_hello(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct fi_info *info = fabric_info(a->fabric);
    char version[32], address[UET_IP_TEXT];
    json_t *list = json_array();

    for (size_t i = 0; i < ITEMS(verbs); i++)
        if (has(a, &verbs[i]))
            json_array_append_new(list, json_string(verbs[i].name));
    snprintf(version, sizeof(version), "%u.%u", FI_MAJOR(info->fabric_attr->prov_version),
             FI_MINOR(info->fabric_attr->prov_version));
    uet_reply_set(args, reply, "name", json_sprintf("libfabric %s", info->fabric_attr->prov_name));
    uet_reply_set(args, reply, "version", json_string(version));
    uet_reply_set(args, reply, "protocol", json_integer(UET_UT_PROTOCOL));
    uet_reply_set(args, reply, "spec", json_string(a->spec));
    uet_reply_set(args, reply, "address", json_string(uet_ip_text(&a->config.address, address)));
    uet_reply_set(args, reply, "payload_mtu", json_integer(a->payload_mtu));
    uet_reply_set(args, reply, "protect", json_string("none"));
    uet_reply_set(args, reply, "modes", json_pack("[s, s]", "rud", "rod"));
    uet_reply_set(args, reply, "verbs", list);
}

static const struct verb *verb_of(const struct adapter *a, const char *name)
{
    for (size_t i = 0; name && i < ITEMS(verbs); i++)
        if (strcmp(verbs[i].name, name) == 0)
            return has(a, &verbs[i]) ? &verbs[i] : NULL;
    return NULL;
}

json_t *adapter_handle(void *ctx, json_t *request)
{
    struct adapter *a = ctx;
    struct uet_args args = {.request = request};
    json_t *reply = json_object();
    const char *name = uet_arg_text(&args, "verb", true);
    const struct verb *v = verb_of(a, name);

    if (!v)
        uet_arg_no_verb(&args, name);
    else
        uet_arg_only(&args, v->args);
    if (v && !args.error[0])
        v->function(a, &args, reply);
    if (args.error[0]) {
        json_decref(reply);
        reply = json_pack("{s:s}", "error", args.error);
    }
    json_object_set_new(reply, "ok", json_boolean(!args.error[0]));
    json_object_set(reply, "id", json_object_get(request, "id"));
    return reply;
}

void adapter_end(struct adapter *a)
{
    struct uet_args args = {0};

    verb_reset(a, &args, NULL);
    json_decref(a->ended);
}
