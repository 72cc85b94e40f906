/* SPDX-License-Identifier: BSD-2-Clause */
/* Verbs that start an operation, and how it ends. */
#include "tools/ut_libfabric/operations.h"

#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ut_libfabric/atomics.h"
#include "tools/ut_libfabric/bytes.h"
#include "ut/value.h"
#include "ut/verbs.h"

#define ITEMS(a)   (sizeof(a) / sizeof((a)[0]))
#define WAIT_USUAL 64

/* ---- operations ---- */

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

static void read_mode(const struct adapter *a, struct uet_args *args, struct fabric_operation *op)
{
    static const char *const modes[] = {"rud", "rod", "rudi", "uud"};
    uint8_t mode = uet_arg_choice(args, "mode", modes, 4);

    if (a->config.datagrams && mode != UET_UT_MODE_UUD)
        uet_arg_refuse(args, "\"mode\": these are endpoints of datagrams (uud) alone");
    if (a->config.datagrams && op->delivery_complete)
        uet_arg_refuse(args, "\"delivery_complete\": nothing comes back of a datagram");
    if (!a->config.datagrams && mode == UET_UT_MODE_UUD)
        uet_arg_refuse(args, "\"mode\": uud takes a ut-libfabric with --endpoint dgram");
    if (mode == UET_UT_MODE_RUDI)
        uet_arg_refuse(args, "\"mode\": libfabric has no word for RUDI");
    op->ordered = mode == UET_UT_MODE_ROD;
    if (op->ordered && !fabric_orders(a->fabric))
        uet_arg_refuse(args, "\"mode\": the provider keeps no order of messages");
}

static void read_address(struct adapter *a, struct uet_args *args, const struct operation *row,
                         struct fabric_operation *op)
{
    *op = (struct fabric_operation){
        .verb = row->verb,
        .ri_class = row->ri_class,
        .ri = args_address(a, args, true),
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
    read_mode(a, args, op);
}

/* Its bytes, into memory that lives as long as the operation. */
static struct bytes *read_bytes(struct uet_args *args, const struct operation *row)
{
    bool data = uet_arg_present(args, "data");
    uint8_t seed = (uint8_t)uet_arg_number(args, "seed", UINT8_MAX, false);

    if (data && uet_arg_present(args, "length"))
        uet_arg_refuse(args, "both \"data\" and \"length\": give one of them");
    uint32_t length = args_length(args);
    struct bytes *b = bytes_new(args, row->name, length);

    if (b && row->sends && !data)
        uet_ut_pattern(b->base, length, 0, seed);
    if (b && row->sends)
        args_unhex(args, "data", length, b->base);
    return b;
}

/* Whole elements; one where the old one comes back, which alone compares there. */
static bool elements_fit(struct uet_args *args, const struct bytes *b,
                         const struct fabric_operation *op, bool compares)
{
    bool fetches = op->verb == FABRIC_DO_FETCH;

    if (!b->length || b->length % op->bytes || (fetches && b->length != op->bytes))
        uet_arg_refuse(args, "\"data\" has %u bytes, and an element %u", b->length, op->bytes);
    if (compares && !fetches)
        uet_arg_refuse(args, "\"amo\": libfabric compares in fetching atomics alone");
    return !args->error[0];
}

static void read_atomic(struct uet_args *args, struct bytes *b, struct fabric_operation *op)
{
    bool compares = false;

    b->operand = calloc(1, b->length ? b->length : 1);
    b->compare = calloc(1, b->length ? b->length : 1);
    if (!b->operand || !b->compare)
        uet_arg_refuse(args, "no memory left");
    else if (atomics_find(args, op, &compares) && elements_fit(args, b, op, compares)) {
        args_unhex(args, "data", b->length, b->operand);
        if (compares && uet_arg_hex_bytes(args, "compare") != b->length)
            uet_arg_refuse(args, "\"compare\" is not as long as the element");
        else if (compares)
            args_unhex(args, "compare", b->length, b->compare);
    }
    if (args->error[0])
        return;
    op->operand = b->operand;
    if (compares) {
        op->verb = FABRIC_DO_COMPARE;
        op->compare = b->compare;
    }
}

void operation_start(struct adapter *a, struct uet_args *args, json_t *reply)
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
        args_refused_by_provider(a, args);
    if (args->error[0]) {
        bytes_drop(b);
        return;
    }
    a->next_handle++;
    bytes_keep(a, args, b, reply);
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
    struct bytes *b = bytes_find(a, end->handle);

    if (b && end->cancelled) { /* it had no message: nothing is told of it */
        b->cancelled = true;
        return;
    }
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

void operations_tell(struct adapter *a, struct uet_args *args, json_t *reply)
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
