/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs that start an operation, a row each. */
#include <errno.h>
#include <string.h>

#include "refimpl/host/internal.h"
#include "spec-map/spec.h"
#include "ut/value.h"
#include "ut/verbs.h"

static verb_function operate;

/* The keys that all operations take. */
#define ADDRESS                                                                                    \
    "to", "job_id", "pid_on_fep", "resource_index", "relative", "header", "initiator",             \
        "generation", "traffic_class", "reserved", "mode", "peer_flags", "peer_capabilities"
#define OPERATION ADDRESS, "delivery_complete", "header_data"
#define ATOMIC                                                                                     \
    ADDRESS, "delivery_complete", "length", "data", "compare", "seed", "offset", "amo", "datatype"

/* What a verb starts, and what becomes of its bytes. */
static const struct operation_verb {
    struct verb verb;
    uint8_t opcode, datagram; /* datagram: the opcode on UUD, where there is one */
    bool sends, fetches;
    bool keyed; /* it names a region */
    bool tagged;
    bool atomic;
    bool rendezvous; /* its bytes are those of a region, where the target reads them */
} operations[] = {
    {{"send", operate, {OPERATION, "length", "data", "seed"}},
     UET_OP_SEND,
     .datagram = UET_OP_DATAGRAM_SEND,
     .sends = true},
    {{"tagged_send", operate, {OPERATION, "length", "data", "seed", "match_bits"}},
     UET_OP_TAGGED_SEND,
     .sends = true,
     .tagged = true},
    {{"deferrable_send", operate, {OPERATION, "length", "data", "seed"}},
     UET_OP_DEFERRABLE_SEND,
     .sends = true},
    {{"deferrable_tagged_send", operate, {OPERATION, "length", "data", "seed", "match_bits"}},
     UET_OP_DEFERRABLE_TSEND,
     .sends = true,
     .tagged = true},
    {{"rendezvous_send", operate, {OPERATION, "region", "length", "eager_length"}},
     UET_OP_RENDEZVOUS_SEND,
     .rendezvous = true},
    {{"rendezvous_tagged_send",
      operate,
      {OPERATION, "region", "length", "eager_length", "match_bits"}},
     UET_OP_RENDEZVOUS_TSEND,
     .tagged = true,
     .rendezvous = true},
    {{"write", operate, {OPERATION, "length", "data", "seed", "key", "offset"}},
     UET_OP_WRITE,
     .sends = true,
     .keyed = true},
    {{"no_op", operate, {OPERATION}}, .opcode = UET_OP_NO_OP},
    {{"read", operate, {ADDRESS, "length", "key", "offset"}},
     UET_OP_READ,
     .fetches = true,
     .keyed = true},
    {{"atomic", operate, {ATOMIC, "key"}},
     UET_OP_ATOMIC,
     .sends = true,
     .keyed = true,
     .atomic = true},
    {{"fetching_atomic", operate, {ATOMIC, "key"}},
     UET_OP_FETCHING_ATOMIC,
     .sends = true,
     .fetches = true,
     .keyed = true,
     .atomic = true},
    {{"tagged_atomic", operate, {ATOMIC, "match_bits"}},
     UET_OP_TSEND_ATOMIC,
     .sends = true,
     .tagged = true,
     .atomic = true},
    {{"tagged_fetching_atomic", operate, {ATOMIC, "match_bits"}},
     UET_OP_TSEND_FETCH_ATOMIC,
     .sends = true,
     .fetches = true,
     .tagged = true,
     .atomic = true},
};

static const struct operation_verb *operation_of(struct uet_args *args)
{
    const char *verb = uet_arg_text(args, "verb", true);

    for (size_t i = 0; verb && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].verb.name, verb) == 0)
            return &operations[i];
    return NULL;
}

bool uet_host_operates(const struct uet_host *host, const char *verb)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].verb.name, verb) == 0)
            return uet_fep_starts(host->fep, operations[i].opcode);
    return true;
}

static void read_operation(struct uet_args *args, struct uet_operation *op)
{
    static const char *const headers[] = {"std", "small", "medium"};
    static const char *const modes[] = {"rud", "rod", "rudi", "uud"};
    *op = (struct uet_operation){
        .mode = uet_arg_choice(args, "mode", modes, 4),
        .header = uet_arg_choice(args, "header", headers, 3),
        .relative = uet_arg_bool(args, "relative"),
        .reserved = uet_arg_bool(args, "reserved"),
        .delivery_complete = uet_arg_bool(args, "delivery_complete"),
        .has_header_data = uet_arg_present(args, "header_data"),
        .job_id = (uint32_t)uet_arg_number(args, "job_id", JOB_ID_MAX, true),
        .pid_on_fep = (uint16_t)uet_arg_number(args, "pid_on_fep", PID_MAX, true),
        .resource_index = (uint16_t)uet_arg_number(args, "resource_index", RI_MAX, true),
        .ri_generation = (uint8_t)uet_arg_number(args, "generation", UINT8_MAX, false),
        .initiator = (uint32_t)uet_arg_number(args, "initiator", UINT32_MAX, false),
        .buffer_offset = uet_arg_number(args, "offset", UINT64_MAX, false),
        .key = uet_arg_number(args, "key", UINT64_MAX, false),
        .header_data = uet_arg_number(args, "header_data", UINT64_MAX, false),
        .peer_flags = (uint8_t)uet_arg_number(args, "peer_flags", UINT8_MAX, false),
        .peer_capabilities = (uint8_t)uet_arg_number(args, "peer_capabilities", UINT8_MAX, false),
        .traffic_class = (uint8_t)uet_arg_number(args, "traffic_class", UINT8_MAX, false),
    };
    (void)uet_arg_address(args, "to", true, &op->to);
}

/* How many bytes: those of "data", or "length". */
static void read_payload(struct uet_args *args, struct uet_operation *op)
{
    bool data = uet_arg_present(args, "data");

    if (data && uet_arg_present(args, "length"))
        uet_arg_refuse(args, "both \"data\" and \"length\": give one of them");
    op->length = data ? uet_arg_hex_bytes(args, "data")
                      : (uint32_t)uet_arg_number(args, "length", UINT32_MAX, true);
}

static void make_payload(struct uet_args *args, uint8_t *to, uint32_t length)
{
    const char *data = uet_arg_text(args, "data", false);
    uint8_t seed = (uint8_t)uet_arg_number(args, "seed", UINT8_MAX, false);

    if (!data)
        uet_ut_pattern(to, length, 0, seed);
    else if (uet_ut_unhex(data, length, to))
        uet_arg_refuse(args, "\"data\" has something that is no hex digit");
}

/* Which pairs of them there are, the FEP says. */
static void read_atomic(struct uet_args *args, struct uet_operation *op)
{
    op->amo = uet_arg_enumerator(args, "amo", UET_ENUM_AMO_OPCODE);
    op->datatype = uet_arg_enumerator(args, "datatype", UET_ENUM_AMO_DATATYPE);
    if (uet_arg_present(args, "compare") && uet_arg_hex_bytes(args, "compare") != op->length)
        uet_arg_refuse(args, "\"compare\" is not as long as the element");
}

/* The second operand, of the length of the first. */
static void make_compare(struct uet_args *args, uint8_t *to, struct uet_operation *op)
{
    const char *compare = uet_arg_text(args, "compare", false);

    if (!compare)
        return;
    if (uet_ut_unhex(compare, op->length, to))
        uet_arg_refuse(args, "\"compare\" has something that is no hex digit");
    op->compare = to;
}

/* The message is the first `length` bytes of a region, of which it brings `eager_length` itself. */
static void read_rendezvous(struct uet_host *host, struct uet_args *args, struct uet_operation *op)
{
    const uint64_t handle = uet_arg_number(args, "region", UINT64_MAX, true);
    const struct thing *region = uet_host_thing(host, handle);

    op->length = (uint32_t)uet_arg_number(args, "length", UINT32_MAX, true);
    op->eager = (uint32_t)uet_arg_number(args, "eager_length", UINT32_MAX, true);
    if (!region || region->kind != THING_REGION)
        uet_arg_refuse(args, "\"region\" names no region");
    else if (op->length == 0 || op->length > region->bytes || op->eager > op->length)
        uet_arg_refuse(args,
                       "\"length\" is 1 to the region's %u bytes, \"eager_length\" at most "
                       "that",
                       region->bytes);
    if (args->error[0] || !region)
        return;
    op->data = region->base;
    op->region = region->region;
}

/* What each mode carries, said before the FEP says no (SES-036, SES-038, SES-085, SES-086). */
static void check_mode(struct uet_host *host, struct uet_args *args,
                       const struct operation_verb *verb, const struct uet_operation *op)
{
    const unsigned mtu = host->config.fep.payload_mtu;

    if (op->mode == UET_MODE_UUD && !verb->datagram &&
        !uet_fep_starts_on(host->fep, op->opcode, op->mode))
        uet_arg_refuse(args, "\"mode\" uud carries datagrams only: use the verb send");
    else if (op->mode == UET_MODE_UUD && op->length > mtu)
        uet_arg_refuse(args, "a datagram is one packet: at most %u bytes", mtu);
    else if (op->mode == UET_MODE_RUDI && !uet_fep_starts_on(host->fep, op->opcode, op->mode))
        uet_arg_refuse(args, "\"mode\" rudi carries what may be done twice: use write or read");
    else if (op->mode == UET_MODE_RUDI && op->has_header_data)
        uet_arg_refuse(args, "\"mode\" rudi carries no \"header_data\"");
    else if (op->mode == UET_MODE_RUDI && !(op->key >> 63))
        uet_arg_refuse(args,
                       "\"mode\" rudi needs a \"key\" with bit 63, idempotent_safe (Table 2-13)");
}

static void submit(struct uet_host *host, struct uet_args *args, const struct operation_verb *verb,
                   struct uet_operation *op)
{
    int rc = uet_fep_submit(host->fep, op, uet_host_now(host));

    if (rc == -ENOSPC)
        uet_arg_refuse(args, "too many operations in flight (at most %u): wait for a completion",
                       host->config.fep.max_operations);
    else if (rc && verb->atomic)
        uet_arg_refuse(args, "the FEP cannot start this operation: has it this \"amo\" of this "
                             "\"datatype\", is the data whole elements (one, when it comes back "
                             "or is compared), is \"compare\" there if the \"amo\" needs it?");
    else if (rc)
        uet_arg_refuse(args,
                       "the FEP cannot start this operation: is \"to\" of its address family, "
                       "and short enough for this header?");
}

static void operate(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    const struct operation_verb *verb = operation_of(args);
    struct uet_operation op;
    struct thing *thing;
    uint64_t behind, bytes, all;

    if (!verb) {
        uet_arg_refuse(args, "no verb that starts an operation");
        return;
    }
    if (verb->keyed)
        (void)uet_arg_number(args, "key", UINT64_MAX, true);
    read_operation(args, &op);
    if (verb->tagged) /* they stand in the place of the key (3.4.1.3.5) */
        op.key = uet_arg_number(args, "match_bits", UINT64_MAX, true);
    if (verb->sends)
        read_payload(args, &op);
    else if (verb->fetches)
        op.length = (uint32_t)uet_arg_number(args, "length", UINT32_MAX, true);
    if (verb->atomic)
        read_atomic(args, &op);
    if (verb->rendezvous)
        read_rendezvous(host, args, &op);
    op.opcode = op.mode == UET_MODE_UUD && verb->datagram ? verb->datagram : verb->opcode;
    check_mode(host, args, verb, &op);
    if (args->error[0])
        return;
    /* What it sends stands behind the place for what comes, when it does both. */
    behind = verb->sends && verb->fetches ? op.length : 0;
    bytes = verb->rendezvous ? 0 : behind + op.length;
    all = bytes + (verb->atomic ? op.length : 0);
    thing = all <= UINT32_MAX ? uet_host_thing_new(host, THING_OPERATION, (uint32_t)all) : NULL;
    if (!thing) {
        uet_arg_refuse(args, "no memory: at most %llu bytes in all until a reset",
                       (unsigned long long)host->config.memory_max);
        return;
    }
    thing->verb = verb->verb.name;
    thing->fetches = verb->fetches;
    if (verb->sends)
        make_payload(args, behind ? thing->base + behind : thing->base, op.length);
    if (verb->atomic)
        make_compare(args, thing->base + bytes, &op);
    op.into = thing->base; /* NULL: no bytes */
    if (!verb->rendezvous)
        op.data = behind ? thing->base + behind : thing->base;
    op.token = thing->handle;
    if (!args->error[0])
        submit(host, args, verb, &op);
    if (args->error[0])
        uet_host_thing_drop(host, op.token);
    else
        uet_reply_set(args, reply, "handle", json_integer((json_int_t)op.token));
}

size_t uet_operation_verbs(void)
{
    return sizeof operations / sizeof *operations;
}

const struct verb *uet_operation_verb(size_t i)
{
    return &operations[i].verb;
}
