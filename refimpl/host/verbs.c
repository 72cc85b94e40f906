/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of the upper tester (docs/upper-tester.md) on the reference FEP. */
#include <errno.h>
#include <string.h>

#include "refimpl/choices.h"
#include "refimpl/host/internal.h"
#include "refimpl/violate.h"
#include "ut/known.h"
#include "ut/value.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))

enum { WAIT_USUAL = 64, WAIT_MAX = 4096 };

static void verb_hello(struct uet_host *host, struct uet_args *args, json_t *reply);

/* ---- the FEP as a whole ---- */

static void verb_reset(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    (void)args;
    (void)reply;
    uet_host_reset(host);
}

static void verb_set(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    const char *name = uet_arg_text(args, "name", true);
    uint64_t value = uet_arg_number(args, "value", UINT64_MAX, true);
    int rc;

    (void)reply;
    if (args->error[0])
        return;
    rc = uet_fep_param_set(uet_fep_params(host->fep), name, value);
    if (rc == -ENOENT)
        uet_arg_refuse(args, "there is no parameter \"%.40s\": hello lists them", name);
    else if (rc == -EPERM)
        uet_arg_refuse(args, "%.40s is set when the FEP starts, not later", name);
    else if (rc)
        uet_arg_refuse(args, "%.40s does not take that value", name);
}

static void verb_close(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct uet_ip to;
    bool one = uet_arg_address(args, "to", false, &to);

    (void)reply;
    if (!args->error[0])
        uet_fep_close(host->fep, one ? &to : NULL, uet_host_now(host));
}

static void verb_close_request(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct uet_ip from;
    bool one = uet_arg_address(args, "from", false, &from);

    (void)reply;
    if (!args->error[0])
        uet_fep_close_request(host->fep, one ? &from : NULL, uet_host_now(host));
}

static void verb_counters(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    json_t *counters = json_object();
    const struct {
        const char *name;
        uint64_t value;
    } own[] = {
        {"pdcs_initiator", uet_fep_pdcs(host->fep, true)},
        {"pdcs_target", uet_fep_pdcs(host->fep, false)},
        {"host_frames_lost", host->lost_frames},
        {"host_completions_lost", host->lost_completions},
        {"host_completions_stray", host->stray_completions},
    };

    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        uet_reply_set(args, counters, uet_fep_counter_name(i),
                      json_integer((json_int_t)uet_fep_counter(host->fep, i)));
    for (size_t i = 0; i < ITEMS(own); i++)
        uet_reply_set(args, counters, own[i].name, json_integer((json_int_t)own[i].value));
    uet_reply_set(args, reply, "counters", counters);
}

static void verb_violate(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    const char *id = uet_arg_text(args, "requirement", false);

    (void)reply;
    if (args->error[0])
        return;
    int rc = uet_fep_violation(0) ? uet_host_violate(host, id) : 0;
    if (!uet_fep_violation(0))
        uet_arg_refuse(args, "this FEP keeps the rules: use uetfep-bent to see one broken");
    else if (rc == -ENOMEM)
        uet_arg_refuse(args, "no memory left");
    else if (rc)
        uet_arg_refuse(args, "no violation of \"%.20s\" is built in: hello lists them", id);
}

/* Has the FEP's API this call or value? A spare one lacks some; what its profile goes without is
 * not started, nor is a NO_OP by one that has none. */
static bool offers(const struct uet_host *host, const char *name)
{
    static const char *const spared[] = {"set", "close", "counters", "generation", "return_code"};
    const struct uet_fep_choices *choices = uet_fep_config(host->fep)->choices;

    for (size_t i = 0; i < ITEMS(spared); i++)
        if (choices->spare_api && strcmp(name, spared[i]) == 0)
            return false;
    return !(choices->no_no_op && strcmp(name, "no_op") == 0) && uet_host_operates(host, name);
}

/* ---- resources ---- */

static void read_service(struct uet_args *args, struct uet_service *service)
{
    static const char *const classes[] = {"rma", "send", "tagged"};
    *service = (struct uet_service){
        .job_id = (uint32_t)uet_arg_number(args, "job_id", JOB_ID_MAX, true),
        .pid_on_fep = (uint16_t)uet_arg_number(args, "pid_on_fep", PID_MAX, true),
        .resource_index = (uint16_t)uet_arg_number(args, "resource_index", RI_MAX, true),
        .ri_class = uet_arg_choice(args, "class", classes, ITEMS(classes)),
        .has_generation = uet_arg_present(args, "generation"),
        .ri_generation = (uint8_t)uet_arg_number(args, "generation", UINT8_MAX, false),
        .disabled = uet_arg_bool(args, "disabled"),
        .keeps_unexpected = uet_arg_bool(args, "keeps_unexpected"),
    };
    (void)uet_arg_text(args, "class", true);
}

static void verb_service(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct uet_service service;
    int rc;

    (void)reply;
    read_service(args, &service);
    if (service.has_generation && !offers(host, "generation"))
        uet_arg_refuse(args, "\"generation\": this FEP has none");
    if (args->error[0])
        return;
    rc = uet_fep_service_add(host->fep, &service);
    if (rc == -EEXIST)
        rc = uet_fep_service_set(host->fep, &service);
    if (rc == -ENOSPC)
        uet_arg_refuse(args, "no room for more services: at most %u",
                       host->config.fep.max_services);
    else if (rc)
        uet_arg_refuse(args, "the FEP does not take this service: %s", strerror(-rc));
}

/* The rights asked for; both when nothing is said. */
static uint8_t read_rights(struct uet_args *args)
{
    const json_t *rights = json_object_get(args->request, "rights");
    uint8_t mask = 0;
    size_t i;
    json_t *item;

    if (!uet_arg_present(args, "rights"))
        return UET_RIGHT_READ | UET_RIGHT_WRITE;
    if (!json_is_array(rights))
        uet_arg_refuse(args, "\"rights\" is not a list: give [\"read\",\"write\"], one or none");
    json_array_foreach((json_t *)(uintptr_t)rights, i, item)
    {
        const char *name = json_string_value(item);

        if (name && strcmp(name, "read") == 0)
            mask |= UET_RIGHT_READ;
        else if (name && strcmp(name, "write") == 0)
            mask |= UET_RIGHT_WRITE;
        else
            uet_arg_refuse(args, "a right is \"read\" or \"write\", nothing else");
    }
    return mask;
}

/* The length of new memory: that of "data", or "length". */
static uint32_t read_length(struct uet_args *args, uint64_t max)
{
    bool data = uet_arg_present(args, "data");
    uint32_t bytes = uet_arg_hex_bytes(args, "data");
    uint32_t length = (uint32_t)uet_arg_number(args, "length", max, !data);

    if (data && uet_arg_present(args, "length") && length != bytes)
        uet_arg_refuse(args, "\"length\" is %u, but \"data\" has %u bytes: leave one out", length,
                       bytes);
    return data ? bytes : length;
}

static void no_memory(struct uet_host *host, struct uet_args *args)
{
    uet_arg_refuse(args, "no memory: at most %llu bytes in all until a reset",
                   (unsigned long long)host->config.memory_max);
}

static void fill(struct uet_args *args, const struct thing *thing, uint8_t value)
{
    const char *data = uet_arg_text(args, "data", false);

    if (!data)
        memset(thing->base, value, thing->bytes);
    else if (uet_ut_unhex(data, thing->bytes, thing->base))
        uet_arg_refuse(args, "\"data\" has something that is no hex digit");
}

static void register_memory(struct uet_host *host, struct uet_args *args, struct thing *thing,
                            struct uet_region *region)
{
    int rc;

    region->base = thing->base;
    region->length = thing->bytes;
    rc = uet_fep_region_add(host->fep, region);
    if (rc >= 0)
        thing->region = rc;
    else if (rc == -EEXIST)
        uet_arg_refuse(args, "\"key\": another region of this resource index has it");
    else if (rc == -ENOSPC)
        uet_arg_refuse(args, "no room for more regions: at most %u", host->config.fep.max_regions);
    else
        uet_arg_refuse(args, "the FEP does not take this region: %s", strerror(-rc));
}

/* A region that peers still read from gives its place back later: each time somebody looks. */
static void release(struct uet_host *host)
{
    for (size_t i = 0; i < host->n_things; i++) {
        struct thing *thing = &host->things[i];

        if (thing->withdrawn && thing->region >= 0 &&
            uet_fep_region_remove(host->fep, thing->region) == 0)
            thing->region = -1;
    }
}

static void verb_reg_mem(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct uet_region region = {
        .job_id = (uint32_t)uet_arg_number(args, "job_id", JOB_ID_MAX, false),
        .any_job = uet_arg_bool(args, "any_job"),
        .pid_on_fep = (uint16_t)uet_arg_number(args, "pid_on_fep", PID_MAX, true),
        .resource_index = (uint16_t)uet_arg_number(args, "resource_index", RI_MAX, true),
        .key = uet_arg_number(args, "key", UINT64_MAX, true),
        .rights = read_rights(args),
    };
    uint8_t value = (uint8_t)uet_arg_number(args, "fill", UINT8_MAX, false);
    uint32_t length = read_length(args, UINT32_MAX);
    struct thing *thing;

    if (!region.any_job)
        (void)uet_arg_number(args, "job_id", JOB_ID_MAX, true);
    if (length == 0)
        uet_arg_refuse(args, "\"length\": a region has at least one byte");
    release(host);
    thing = args->error[0] ? NULL : uet_host_thing_new(host, THING_REGION, length);
    if (!args->error[0] && !thing)
        no_memory(host, args);
    if (!thing)
        return;
    fill(args, thing, value);
    if (!args->error[0])
        register_memory(host, args, thing, &region);
    if (args->error[0]) {
        uet_host_thing_drop(host, thing->handle);
        return;
    }
    uet_reply_set(args, reply, "handle", json_integer((json_int_t)thing->handle));
    uet_reply_set(args, reply, "key", uet_ut_number(region.key));
}

static void verb_get_mem(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct thing *thing = uet_host_thing(host, uet_arg_number(args, "handle", UINT64_MAX, true));
    uint64_t offset = uet_arg_number(args, "offset", UINT32_MAX, false);
    uint64_t length = uet_arg_number(args, "length", UET_UT_DATA_MAX, true);

    if (!thing) {
        uet_arg_refuse(args, "\"handle\" names no memory");
        return;
    }
    if (offset > thing->bytes || length > thing->bytes - offset)
        uet_arg_refuse(args, "offset and length go beyond the end: it has %u bytes", thing->bytes);
    if (args->error[0])
        return;
    uet_reply_set(args, reply, "data", uet_ut_hex(length ? thing->base + offset : NULL, length));
}

static void verb_post_recv(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct uet_receive receive = {
        .job_id = (uint32_t)uet_arg_number(args, "job_id", JOB_ID_MAX, false),
        .any_job = uet_arg_bool(args, "any_job"),
        .pid_on_fep = (uint16_t)uet_arg_number(args, "pid_on_fep", PID_MAX, true),
        .resource_index = (uint16_t)uet_arg_number(args, "resource_index", RI_MAX, true),
        .length = (uint32_t)uet_arg_number(args, "length", UINT32_MAX, true),
        .truncate = uet_arg_bool(args, "truncate"),
        .tagged = uet_arg_present(args, "match_bits"),
        .match_bits = uet_arg_number(args, "match_bits", UINT64_MAX, false),
        .ignore = uet_arg_number(args, "ignore", UINT64_MAX, false),
        .any_initiator = !uet_arg_present(args, "initiator"),
        .initiator = (uint32_t)uet_arg_number(args, "initiator", UINT32_MAX, false),
    };
    bool repost = uet_arg_bool(args, "repost");
    struct thing *thing;

    if (!receive.any_job)
        (void)uet_arg_number(args, "job_id", JOB_ID_MAX, true);
    if (!receive.tagged && (receive.ignore || !receive.any_initiator))
        uet_arg_refuse(args, "\"ignore\" and \"initiator\" belong to a tagged receive: give "
                             "\"match_bits\", too");
    thing = args->error[0] ? NULL : uet_host_thing_new(host, THING_RECEIVE, receive.length);
    if (!args->error[0] && !thing)
        no_memory(host, args);
    if (!thing)
        return;
    receive.base = thing->base;
    receive.token = thing->handle;
    thing->receive = receive;
    thing->repost = repost;
    int rc = uet_fep_post_receive(host->fep, &receive);
    if (rc) {
        uet_host_thing_drop(host, thing->handle);
        if (rc == -EINVAL)
            uet_arg_refuse(args, "this FEP has no such tags (--profile)");
        else
            uet_arg_refuse(args, "no room for more receives: at most %u",
                           host->config.fep.max_receives);
        return;
    }
    uet_reply_set(args, reply, "handle", json_integer((json_int_t)thing->handle));
}

/* ---- taken back ---- */

/* Its bytes stay for get_mem. */
static void verb_withdraw(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct thing *thing = uet_host_thing(host, uet_arg_number(args, "handle", UINT64_MAX, true));

    (void)reply;
    if (!thing || thing->kind != THING_REGION || thing->withdrawn) {
        uet_arg_refuse(args, "\"handle\" names no region, or one that was withdrawn before");
        return;
    }
    thing->withdrawn = true;
    release(host);
}

static void verb_cancel(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    struct thing *thing = uet_host_thing(host, uet_arg_number(args, "handle", UINT64_MAX, true));

    (void)reply;
    if (!thing || thing->kind != THING_RECEIVE) {
        uet_arg_refuse(args, "\"handle\" names no receive");
        return;
    }
    if (uet_fep_receive_cancel(host->fep, &thing->receive))
        uet_arg_refuse(args, "this receive is over, or a message that waits or is read has it");
    else
        thing->repost = false;
}

/* ---- completions ---- */

static json_t *tell(const struct uet_host *host, const struct told *told)
{
    static const char *const statuses[] = {"ok", "ses_error", "pds_error"};
    const struct uet_completion *c = &told->completion;
    char peer[UET_IP_TEXT];
    json_t *object =
        json_pack("{s:I, s:s, s:s, s:i, s:I, s:I, s:I, s:s}", "handle", (json_int_t)told->handle,
                  "kind", told->kind, "status", statuses[c->status], "return_code", c->return_code,
                  "length", (json_int_t)c->length, "job_id", (json_int_t)c->job_id, "initiator",
                  (json_int_t)c->initiator, "peer", uet_ip_text(&c->peer, peer));

    if (object && !offers(host, "return_code"))
        json_object_del(object, "return_code");
    if (object && ((c->has_header_data &&
                    json_object_set_new(object, "header_data", uet_ut_number(c->header_data))) ||
                   (told->tagged &&
                    json_object_set_new(object, "match_bits", uet_ut_number(c->match_bits))))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static void verb_wait(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    size_t max = (size_t)uet_arg_number(args, "max", WAIT_MAX, false);
    json_t *completions = json_array();
    const struct told *told;

    if (!uet_arg_present(args, "max"))
        max = WAIT_USUAL;
    while (!args->error[0] && json_array_size(completions) < max && (told = uet_host_tell(host)))
        if (json_array_append_new(completions, tell(host, told)))
            uet_arg_refuse(args, "no memory for the reply");
    uet_reply_set(args, reply, "completions", completions);
}

/* ---- the table ---- */

/* Those that start an operation stand in operate.c, and come between these two. */
static const struct verb first[] = {
    {"hello", verb_hello, {NULL}},
    {"reset", verb_reset, {NULL}},
    {"set", verb_set, {"name", "value"}},
    {"service",
     verb_service,
     {"job_id", "pid_on_fep", "resource_index", "class", "generation", "disabled",
      "keeps_unexpected"}},
    {"reg_mem",
     verb_reg_mem,
     {"job_id", "any_job", "pid_on_fep", "resource_index", "key", "length", "fill", "data",
      "rights"}},
    {"get_mem", verb_get_mem, {"handle", "offset", "length"}},
    {"post_recv",
     verb_post_recv,
     {"job_id", "any_job", "pid_on_fep", "resource_index", "length", "truncate", "match_bits",
      "ignore", "initiator", "repost"}},
};
static const struct verb last[] = {
    {"withdraw", verb_withdraw, {"handle"}},
    {"cancel", verb_cancel, {"handle"}},
    {"wait", verb_wait, {"max"}},
    {"close", verb_close, {"to"}},
    {"close_request", verb_close_request, {"from"}},
    {"counters", verb_counters, {NULL}},
    {"install_domain",
     uet_verb_install_domain,
     {"sdi", "file", "an", "mode", "key", "iv_mask", "ssi", "epoch", "rekey_mask", "rekey_shift",
      "encrypt_from", "jobs", "start"}},
    {"rotate", uet_verb_rotate, {"sdi", "an"}},
    {"advance_counter", uet_verb_advance_counter, {"sdi", "counter"}},
    {"enable_domain", uet_verb_enable_domain, {"sdi", "enabled"}},
    {"remove_domain", uet_verb_remove_domain, {"sdi", "an"}},
    {"restart", uet_verb_restart, {NULL}},
    {"violate", verb_violate, {"requirement"}},
};

/* NULL after the last. */
static const struct verb *verb_at(size_t i)
{
    const size_t n = uet_operation_verbs();

    if (i < ITEMS(first))
        return &first[i];
    i -= ITEMS(first);
    if (i < n)
        return uet_operation_verb(i);
    return i - n < ITEMS(last) ? &last[i - n] : NULL;
}

/* Always the same, and long: made once. */
static json_t *violations(struct uet_host *host)
{
    json_t *ids = host->violations ? NULL : json_array();

    for (size_t i = 0; ids && uet_fep_violation(i); i++)
        if (json_array_append_new(ids, json_string(uet_fep_violation(i)))) {
            json_decref(ids);
            return NULL;
        }
    if (ids)
        host->violations = ids;
    return json_incref(host->violations);
}

static json_t *modes(void)
{
    return json_pack("[ssss]", "rud", "rod", "rudi", "uud");
}

/* Those in force; those of the start as they were given. */
static json_t *parameters(struct uet_host *host, struct uet_args *args)
{
    json_t *params = json_object();
    const char *name;
    uint64_t value;

    for (size_t i = 0;
         uet_fep_param_at(uet_fep_config(host->fep), uet_fep_params(host->fep), i, &name, &value);
         i++)
        uet_reply_set(args, params, name, json_integer((json_int_t)value));
    return params;
}

static void verb_hello(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    static const char *const specs[] = {"1.0.3", "1.0.2", "1.0.1"};
    static const char *const protects[] = {"none", "crc", "tss"};
    const struct uet_fep_config *config = &host->config.fep;
    json_t *names = json_array();
    char address[UET_IP_TEXT];
    const struct verb *verb;

    for (size_t i = 0; (verb = verb_at(i)); i++)
        if (offers(host, verb->name) && json_array_append_new(names, json_string(verb->name)))
            uet_arg_refuse(args, "no memory for the reply");
    uet_reply_set(args, reply, "name",
                  json_string(host->config.name ? host->config.name : "uetkit reference FEP"));
    uet_reply_set(args, reply, "version", json_string(UETKIT_VERSION));
    uet_reply_set(args, reply, "protocol", json_integer(UET_UT_PROTOCOL));
    uet_reply_set(args, reply, "spec", json_string(specs[config->spec % ITEMS(specs)]));
    uet_reply_set(args, reply, "address", json_string(uet_ip_text(&config->address, address)));
    uet_reply_set(args, reply, "payload_mtu", json_integer(config->payload_mtu));
    uet_reply_set(args, reply, "protect", json_string(protects[config->protect % ITEMS(protects)]));
    uet_reply_set(args, reply, "byte_order",
                  json_string(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big" : "little"));
    uet_reply_set(args, reply, "verbs", names);
    uet_reply_set(args, reply, "modes", modes());
    uet_reply_set(args, reply, "params", parameters(host, args));
    uet_reply_set(args, reply, "violations", violations(host));
}

static const struct verb *find_verb(const struct uet_host *host, const char *name)
{
    const struct verb *verb;

    for (size_t i = 0; name && (verb = verb_at(i)); i++)
        if (strcmp(name, verb->name) == 0 && offers(host, name))
            return verb;
    return NULL;
}

static void advance(struct uet_host *host)
{
    uint64_t now_ns = uet_host_now(host);

    if (host->io.kick) {
        host->io.kick(host->io.ctx);
        return;
    }
    if (!host->looping)
        uet_fep_advance(host->fep, now_ns);
    uet_host_pump(host, now_ns);
}

json_t *uet_host_handle(struct uet_host *host, json_t *request)
{
    struct uet_args args = {.request = request};
    json_t *id = json_object_get(request, "id");
    json_t *reply = json_pack("{s:O?, s:b}", "id", id, "ok", 1);
    const char *name;
    const struct verb *verb;

    if (!reply)
        return NULL;
    name = uet_arg_text(&args, "verb", true);
    verb = find_verb(host, name);
    if (!verb)
        uet_arg_no_verb(&args, name);
    else
        uet_arg_only(&args, verb->args);
    if (verb && !args.error[0]) {
        verb->function(host, &args, reply);
        advance(host);
    }
    if (!args.error[0])
        return reply;
    json_decref(reply);
    return json_pack("{s:O?, s:b, s:s}", "id", id, "ok", 0, "error", args.error);
}

static json_t *handle(void *ctx, json_t *request)
{
    return uet_host_handle(ctx, request);
}

struct uet_ut *uet_host_ut(struct uet_host *host)
{
    return uet_ut_local(handle, host);
}
