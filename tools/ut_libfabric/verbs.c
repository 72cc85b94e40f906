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
#include <time.h>

#include "tools/ut_libfabric/bytes.h"
#include "tools/ut_libfabric/operations.h"
#include "ut/args.h"
#include "ut/known.h"
#include "ut/value.h"
#include "ut/verbs.h"

#define ITEMS(a)  (sizeof(a) / sizeof((a)[0]))
#define CANCEL_MS 200 /* how long a provider may take to let go of a receive */

/* ---- the FEP as a whole ---- */

static void verb_hello(struct adapter *a, struct uet_args *args, json_t *reply);

static void verb_reset(struct adapter *a, struct uet_args *args, json_t *reply)
{
    (void)args;
    (void)reply;
    fabric_reset(a->fabric);
    for (struct bytes *b = a->bytes, *next; b; b = next) {
        next = b->next;
        bytes_drop(b);
    }
    a->bytes = NULL;
    json_array_clear(a->ended);
}

static void verb_counters(struct adapter *a, struct uet_args *args, json_t *reply)
{
    json_t *counters = json_object();
    uint64_t good = 0, bad = 0;
    const char *name;

    for (size_t i = 0; (name = fabric_count(a->fabric, i, &good, &bad)); i++) {
        char errors[40];

        if (!name[0])
            continue;
        snprintf(errors, sizeof(errors), "%s_failed", name);
        json_object_set_new(counters, name, json_integer((json_int_t)good));
        json_object_set_new(counters, errors, json_integer((json_int_t)bad));
    }
    uet_reply_set(args, reply, "counters", counters);
}

static void verb_service(struct adapter *a, struct uet_args *args, json_t *reply)
{
    static const char *const classes[] = {"rma", "send", "tagged"};
    uint8_t ri_class = uet_arg_choice(args, "class", classes, ITEMS(classes));
    uint16_t ri = args_address(a, args, true);

    (void)reply;
    (void)uet_arg_text(args, "class", true);
    if (uet_arg_present(args, "generation"))
        uet_arg_refuse(args, "\"generation\": libfabric has no generations");
    if (uet_arg_bool(args, "disabled"))
        uet_arg_refuse(args, "\"disabled\": libfabric disables no endpoint");
    if (uet_arg_bool(args, "keeps_unexpected"))
        uet_arg_refuse(args, "\"keeps_unexpected\": what becomes of them the provider decides");
    if (a->config.datagrams && ri_class != FABRIC_SEND)
        uet_arg_refuse(args, "\"class\": datagram endpoints take sends alone");
    if (!args->error[0] && fabric_listen(a->fabric, (enum fabric_class)ri_class, ri))
        args_refused_by_provider(a, args);
}

/* ---- memory ---- */

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
    uint16_t ri = args_address(a, args, true);
    uint64_t key = uet_arg_number(args, "key", UINT64_MAX, true);
    uint8_t fill = (uint8_t)uet_arg_number(args, "fill", UINT8_MAX, false);
    uint32_t length = args_length(args);
    bool read, write;

    rights_of(args, &read, &write);
    if (!args->error[0] && length == 0)
        uet_arg_refuse(args, "\"length\": a region has at least one byte");
    struct bytes *b = bytes_new(args, "imm", length);
    if (!b)
        return;
    memset(b->base, fill, length);
    args_unhex(args, "data", length, b->base);
    b->handle = a->next_handle;
    if (!args->error[0] &&
        fabric_register(a->fabric, ri, b->base, length, read, write, b->handle, &key))
        args_refused_by_provider(a, args);
    if (args->error[0]) {
        bytes_drop(b);
        return;
    }
    a->next_handle++;
    bytes_keep(a, args, b, reply);
    uet_reply_set(args, reply, "key", uet_ut_number(key));
}

static void verb_get_mem(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct bytes *b = bytes_find(a, uet_arg_number(args, "handle", INT64_MAX, true));
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
        .ri = args_address(a, args, true),
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
    struct bytes *b = bytes_new(args, "recv", receive.length);
    if (!b)
        return;
    receive.base = b->base;
    b->handle = a->next_handle;
    if (fabric_receive(a->fabric, &receive, b->handle)) {
        args_refused_by_provider(a, args);
        bytes_drop(b);
        return;
    }
    a->next_handle++;
    bytes_keep(a, args, b, reply);
}

/* ---- taken back ---- */

static void verb_withdraw(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct bytes *b = bytes_find(a, uet_arg_number(args, "handle", INT64_MAX, true));

    (void)reply;
    if (!b || strcmp(b->kind, "imm") != 0)
        uet_arg_refuse(args, "\"handle\" names no region");
    else if (!args->error[0] && fabric_unregister(a->fabric, b->handle))
        args_refused_by_provider(a, args);
}

/* The provider lets go when it comes to it, and may come to it only when it is asked. */
static void verb_cancel(struct adapter *a, struct uet_args *args, json_t *reply)
{
    const struct bytes *b = bytes_find(a, uet_arg_number(args, "handle", INT64_MAX, true));
    const struct timespec pause = {.tv_nsec = 1000000};

    (void)reply;
    if (!b || strcmp(b->kind, "recv") != 0) {
        uet_arg_refuse(args, "\"handle\" names no receive");
        return;
    }
    adapter_progress(a);
    if (!fabric_goes_on(a->fabric, b->handle))
        uet_arg_refuse(args, "a message has filled this receive, or it was cancelled");
    else if (fabric_cancel(a->fabric, b->handle))
        args_refused_by_provider(a, args);
    for (int i = 0; !args->error[0] && fabric_goes_on(a->fabric, b->handle); i++) {
        if (i == CANCEL_MS)
            uet_arg_refuse(args, "a message has taken this receive, and the provider keeps it");
        nanosleep(&pause, NULL);
        adapter_progress(a);
    }
    if (!args->error[0] && !b->cancelled)
        uet_arg_refuse(args, "a message has filled this receive");
}

/* ---- the table ---- */

#define ADDRESS                                                                                    \
    "to", "job_id", "pid_on_fep", "resource_index", "relative", "header", "initiator",             \
        "generation", "traffic_class", "reserved", "mode"

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
     {"job_id", "pid_on_fep", "resource_index", "class", "generation", "disabled",
      "keeps_unexpected"}},
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
    {"withdraw", verb_withdraw, FI_RMA, {"handle"}},
    {"cancel", verb_cancel, 0, {"handle"}},
    {"counters", verb_counters, 0, {NULL}},
    {"send",
     operation_start,
     FI_MSG,
     {ADDRESS, "delivery_complete", "header_data", "length", "data", "seed"}},
    {"tagged_send",
     operation_start,
     FI_TAGGED,
     {ADDRESS, "delivery_complete", "header_data", "length", "data", "seed", "match_bits"}},
    {"write",
     operation_start,
     FI_RMA,
     {ADDRESS, "delivery_complete", "header_data", "length", "data", "seed", "key", "offset"}},
    {"read", operation_start, FI_RMA, {ADDRESS, "length", "key", "offset"}},
    {"atomic",
     operation_start,
     FI_ATOMIC,
     {ADDRESS, "delivery_complete", "data", "compare", "key", "offset", "amo", "datatype"}},
    {"fetching_atomic",
     operation_start,
     FI_ATOMIC,
     {ADDRESS, "delivery_complete", "data", "compare", "key", "offset", "amo", "datatype"}},
    {"wait", operations_tell, 0, {"max"}},
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

/* Does the provider count anything? */
static bool counts(const struct adapter *a)
{
    uint64_t good, bad;
    const char *name;

    for (size_t i = 0; (name = fabric_count(a->fabric, i, &good, &bad)); i++)
        if (name[0])
            return true;
    return false;
}

static bool has(const struct adapter *a, const struct verb *v)
{
    return (v->needs & fabric_info(a->fabric)->caps) == v->needs &&
           !is_among(a->without, v->name) && (v->function != verb_counters || counts(a));
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
    uet_reply_set(args, reply, "modes",
                  a->config.datagrams        ? json_pack("[s]", "uud")
                  : fabric_orders(a->fabric) ? json_pack("[s, s]", "rud", "rod")
                                             : json_pack("[s]", "rud"));
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
