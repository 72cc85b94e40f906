/* SPDX-License-Identifier: BSD-2-Clause */
/* What two upper testers show together: operations of the first FEP that reach the second. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/adapter/trial.h"
#include "uet_spec.h"

#define ITEMS(a) (sizeof(a) / sizeof((a)[0]))
#define SEED     3
#define TAG      (UINT64_C(1) << 63 | 0x17)

/* Starts an operation of that name. */
typedef int starter(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);

/* To the peer, at a resource index that nobody has used yet. */
static struct uet_ut_operation to_peer(struct trial *t)
{
    return (struct uet_ut_operation){.to = t->peer_about.address,
                                     .job_id = TRIAL_JOB,
                                     .pid_on_fep = TRIAL_PID,
                                     .resource_index = trial_ri(t),
                                     .relative = true,
                                     .seed = SEED};
}

static bool starts(struct trial *t, starter *start, const struct uet_ut_operation *op,
                   uint64_t *handle)
{
    return trial_ok(t, t->ut, t->r.verb, start(t->ut, op, handle));
}

/* ---- what must have come ---- */

/* The n bytes at offset of that memory are those of the pattern. */
static bool arrived(struct trial *t, struct uet_ut *ut, uint64_t handle, uint64_t offset, size_t n,
                    const char *where)
{
    uint8_t *is = malloc(2 * n + 2), *want = is ? is + n + 1 : NULL;
    bool good = is && trial_ok(t, ut, "get_mem", uet_ut_get_mem(ut, handle, offset, is, n));

    if (good) {
        uet_ut_pattern(want, n, 0, SEED);
        for (size_t i = 0; good && i < n; i++)
            if (is[i] != want[i]) {
                WRONG(t, "%s: byte %zu of %zu is 0x%02x, and should be 0x%02x", where, i, n, is[i],
                      want[i]);
                good = false;
            }
    }
    free(is);
    return good;
}

/* "ses_error (UET_RC_NO_MATCH)", or without the code, which an adapter may not know. */
static const char *how_it_ended(const struct uet_ut_completion *end, char out[64])
{
    const char *code =
        end->return_code ? uet_enum_name(UET_ENUM_SES_RETURN_CODE, end->return_code) : NULL;

    snprintf(out, 64, "%s%s%s%s",
             end->status == UET_UT_OK          ? "ok"
             : end->status == UET_UT_SES_ERROR ? "ses_error"
                                               : "pds_error",
             code ? " (" : "", code ? code : "", code ? ")" : "");
    return out;
}

/* It ended, well, and tells its verb. */
static bool ended_well(struct trial *t, const struct uet_ut_completion *end, uint8_t kind)
{
    char how[64];

    if (!end)
        return false;
    if (end->status != UET_UT_OK)
        WRONG(t, "the operation ended with %s", how_it_ended(end, how));
    else if (end->kind != kind)
        WRONG(t, "its completion is of another kind than the verb");
    return t->r.how == UET_ADAPTER_WORKS;
}

/* The peer's receive was filled, and what is told of it is right as far as it is told. */
static bool received(struct trial *t, uint64_t handle, const struct uet_ut_operation *op)
{
    const struct uet_ut_completion *end = trial_end(t, 1, handle, "the second FEP's receive");

    if (!end)
        return false;
    if (end->kind != UET_UT_KIND_RECV || end->status != UET_UT_OK)
        WRONG(t, "the second FEP's receive: kind is not \"recv\", or status not \"ok\"");
    else if (end->length && end->length != op->length)
        WRONG(t, "the second FEP's receive tells length %u of %u", end->length, op->length);
    else if (op->has_header_data != end->has_header_data ||
             (op->has_header_data && end->header_data != op->header_data))
        WRONG(t, "the second FEP's receive tells %s header_data",
              !end->has_header_data ? "no"
              : op->has_header_data ? "another"
                                    : "a");
    else if (end->job_id && end->job_id != op->job_id)
        WRONG(t, "the second FEP's receive tells job_id 0x%x, and 0x%x was sent", end->job_id,
              op->job_id);
    else if (end->initiator && end->initiator != op->initiator)
        WRONG(t, "the second FEP's receive tells initiator 0x%x, and 0x%x was sent", end->initiator,
              op->initiator);
    else if (end->peer.version && !uet_ip_equal(&end->peer, &t->about.address))
        WRONG(t, "the second FEP's receive tells a peer that is not this FEP");
    return t->r.how == UET_ADAPTER_WORKS;
}

/* ---- sends ---- */

static bool posts_like(struct trial *t, const struct uet_ut_operation *op,
                       struct uet_ut_receive receive, uint64_t *handle)
{
    receive.job_id = op->job_id;
    receive.pid_on_fep = op->pid_on_fep;
    receive.resource_index = op->resource_index;
    return trial_opens(t, t->peer, op->resource_index,
                       receive.tagged ? UET_UT_TAGGED : UET_UT_SEND) &&
           trial_ok(t, t->peer, "post_recv", uet_ut_post_recv(t->peer, &receive, handle));
}

static bool posts(struct trial *t, const struct uet_ut_operation *op, bool tagged, uint64_t match,
                  uint32_t length, uint64_t *handle)
{
    return posts_like(
        t, op, (struct uet_ut_receive){.length = length, .tagged = tagged, .match_bits = match},
        handle);
}

/* A message into a receive that waits for it. */
static void send_it(struct trial *t, starter *start, uint8_t kind, struct uet_ut_operation op)
{
    bool tagged = kind == UET_UT_KIND_TAGGED_SEND || kind == UET_UT_KIND_DEFERRABLE_TAGGED_SEND;
    uint64_t handle, receive;

    op.key = tagged ? TAG : 0;
    if (posts(t, &op, tagged, TAG, op.length ? op.length : 1, &receive) &&
        starts(t, start, &op, &handle) &&
        ended_well(t, trial_end(t, 0, handle, "the operation"), kind) &&
        received(t, receive, &op) && op.length)
        arrived(t, t->peer, receive, 0, op.length, "the second FEP's receive");
}

/* The fields in which a send differs from the usual. */
#define SENDS(name, verb, KIND, ...)                                                               \
    static void name(struct trial *t)                                                              \
    {                                                                                              \
        struct uet_ut_operation op = to_peer(t);                                                   \
                                                                                                   \
        op.length = 10000;                                                                         \
        __VA_ARGS__;                                                                               \
        send_it(t, uet_ut_##verb, UET_UT_KIND_##KIND, op);                                         \
    }

SENDS(send_several, send, SEND, (void)0)
SENDS(send_one, send, SEND, op.length = 8)
SENDS(send_none, send, SEND, op.length = 0)
SENDS(send_rod, send, SEND, op.mode = UET_UT_MODE_ROD)
SENDS(send_datagram, send, SEND, op.mode = UET_UT_MODE_UUD; op.length = 100)
SENDS(send_medium, send, SEND, op.header = UET_UT_HEADER_MEDIUM; op.length = 100)
SENDS(send_small, send, SEND, op.header = UET_UT_HEADER_SMALL; op.length = 100)
SENDS(send_class, send, SEND, op.traffic_class = 1)
SENDS(send_complete, send, SEND, op.delivery_complete = true)
SENDS(send_initiator, send, SEND, op.initiator = 0x80000007u)
SENDS(send_header_data, send, SEND, op.has_header_data = true;
      op.header_data = UINT64_C(0xfedcba9876543210))
SENDS(tagged_several, tagged_send, TAGGED_SEND, (void)0)
SENDS(tagged_rod, tagged_send, TAGGED_SEND, op.mode = UET_UT_MODE_ROD)
SENDS(tagged_header_data, tagged_send, TAGGED_SEND, op.length = 100; op.has_header_data = true;
      op.header_data = 0x12)
SENDS(deferrable_now, deferrable_send, DEFERRABLE_SEND, (void)0)
SENDS(deferrable_tagged_now, deferrable_tagged_send, DEFERRABLE_TAGGED_SEND, (void)0)

SENDS(send_absolute, send, SEND, op.relative = false)
SENDS(send_to_known, send, SEND, op.peer_flags = 1; op.peer_capabilities = 0x80)

/* Whether the peer has such a PDC to spare is its own. */
static void send_reserved(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, receive;

    op.length = 8;
    op.reserved = true;
    if (posts(t, &op, false, 0, 8, &receive) && starts(t, uet_ut_send, &op, &handle))
        trial_may_end(t, 0, handle);
}

static void send_data(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint8_t data[100];

    op.length = sizeof(data);
    uet_ut_pattern(data, sizeof(data), 0, SEED);
    op.data = data;
    op.seed = 0;
    send_it(t, uet_ut_send, UET_UT_KIND_SEND, op);
}

/* Another tag waits first. */
static void tagged_picks(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, other, mine;

    op.length = 100;
    op.key = TAG;
    if (posts(t, &op, true, TAG ^ 1, 100, &other) && posts(t, &op, true, TAG, 100, &mine) &&
        starts(t, uet_ut_tagged_send, &op, &handle) &&
        ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_TAGGED_SEND) &&
        received(t, mine, &op))
        arrived(t, t->peer, mine, 0, op.length, "the second FEP's receive");
}

/* One with other low bits, which it ignores; before it one with another high bit, which counts. */
static void tagged_ignores(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    struct uet_ut_receive like = {.length = 100,
                                  .tagged = true,
                                  .match_bits = (TAG ^ 1) & ~(UINT64_C(1) << 63),
                                  .ignore = 0xff};
    uint64_t handle, other, mine;

    op.length = 100;
    op.key = TAG;
    if (!posts_like(t, &op, like, &other))
        return;
    like.match_bits = TAG ^ 1;
    if (!posts_like(t, &op, like, &mine) || !starts(t, uet_ut_tagged_send, &op, &handle) ||
        !ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_TAGGED_SEND) ||
        !received(t, mine, &op) ||
        !arrived(t, t->peer, mine, 0, op.length, "the second FEP's receive"))
        return;
    const struct uet_ut_completion *end = trial_end(t, 1, mine, "the second FEP's receive");
    if (end && end->match_bits && end->match_bits != TAG)
        WRONG(t, "the second FEP's receive tells other match bits than the message had");
}

/* The receive is posted when the message is long under way. */
static void deferrable_later(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, receive;

    op.length = 10000;
    if (!trial_opens(t, t->peer, op.resource_index, UET_UT_SEND) ||
        !starts(t, uet_ut_deferrable_send, &op, &handle))
        return;
    if (trial_may_end(t, 0, handle)) {
        trial_says(t, UET_ADAPTER_REFUSED, "the second FEP does not let it wait for a receive");
        return;
    }
    if (posts(t, &op, false, 0, op.length, &receive) &&
        ended_well(t, trial_end(t, 0, handle, "the deferred send, now that there is a receive,"),
                   UET_UT_KIND_DEFERRABLE_SEND) &&
        received(t, receive, &op))
        arrived(t, t->peer, receive, 0, op.length, "the second FEP's receive");
}

/* It must end in error; how, is told. */
static void ends_in_error(struct trial *t, uint64_t handle, const char *why)
{
    const struct uet_ut_completion *end = trial_end(t, 0, handle, "the operation");
    char how[64];

    if (end && end->status == UET_UT_OK)
        WRONG(t, "it ended with \"ok\", %s", why);
    else if (end)
        snprintf(t->r.text, sizeof(t->r.text), "%s%s", how_it_ended(end, how),
                 end->return_code ? "" : "; no code is told: do not claim return-codes");
}

static void send_too_long(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, receive;

    op.length = 100;
    if (posts(t, &op, false, 0, 10, &receive) && starts(t, uet_ut_send, &op, &handle))
        ends_in_error(t, handle, "though the receive has 10 bytes of 100");
}

/* ---- rendezvous ---- */

static void rendezvous(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint8_t bytes[10000];
    struct uet_ut_memory source = {.job_id = TRIAL_JOB,
                                   .pid_on_fep = TRIAL_PID,
                                   .resource_index = trial_ri(t),
                                   .key = 0x3000,
                                   .length = sizeof(bytes),
                                   .data = bytes};
    uint64_t handle, receive;

    uet_ut_pattern(bytes, sizeof(bytes), 0, SEED);
    op.length = sizeof(bytes);
    op.eager = 1000;
    if (trial_opens(t, t->ut, source.resource_index, UET_UT_RMA) &&
        trial_ok(t, t->ut, "reg_mem", uet_ut_reg_mem(t->ut, &source, &op.region, NULL)) &&
        posts(t, &op, false, 0, op.length, &receive) &&
        starts(t, uet_ut_rendezvous_send, &op, &handle) &&
        ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_RENDEZVOUS_SEND) &&
        received(t, receive, &op))
        arrived(t, t->peer, receive, 0, op.length, "the second FEP's receive");
}

/* ---- memory ---- */

#define SPARE 16 /* bytes before and behind what is written */

/* Memory of the peer's, of those bytes (NULL: zero), whose key the operation gets. */
static bool peer_memory(struct trial *t, struct uet_ut_operation *op, uint32_t length,
                        const void *data, uint64_t key, uint64_t *handle)
{
    const struct uet_ut_memory memory = {.job_id = op->job_id,
                                         .pid_on_fep = op->pid_on_fep,
                                         .resource_index = op->resource_index,
                                         .key = key,
                                         .length = length,
                                         .data = data};

    return trial_opens(t, t->peer, op->resource_index, UET_UT_RMA) &&
           trial_ok(t, t->peer, "reg_mem", uet_ut_reg_mem(t->peer, &memory, handle, &op->key));
}

/* Around the bytes nothing was written. */
static bool spared(struct trial *t, uint64_t handle, uint64_t offset)
{
    uint8_t is[SPARE];

    if (!trial_ok(t, t->peer, "get_mem", uet_ut_get_mem(t->peer, handle, offset, is, SPARE)))
        return false;
    for (size_t i = 0; i < SPARE; i++)
        if (is[i]) {
            WRONG(t, "byte %llu of the second FEP's region was written, and lies outside",
                  (unsigned long long)(offset + i));
            return false;
        }
    return true;
}

static void write_it(struct trial *t, struct uet_ut_operation op, uint64_t key)
{
    uint64_t handle, memory;

    op.offset = SPARE;
    if (!peer_memory(t, &op, op.length + 2 * SPARE, NULL, key, &memory) ||
        !starts(t, uet_ut_write, &op, &handle) ||
        !ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_WRITE) ||
        !arrived(t, t->peer, memory, SPARE, op.length, "the second FEP's region") ||
        !spared(t, memory, 0) || !spared(t, memory, SPARE + op.length) || !op.has_header_data)
        return;
    const struct uet_ut_completion *imm = trial_end(t, 1, memory, "the second FEP's \"imm\"");

    if (imm && (imm->kind != UET_UT_KIND_IMM || !imm->has_header_data ||
                imm->header_data != op.header_data))
        WRONG(t, "the second FEP's completion is not \"imm\" with the header_data that was sent");
}

#define WRITES(name, key, ...)                                                                     \
    static void name(struct trial *t)                                                              \
    {                                                                                              \
        struct uet_ut_operation op = to_peer(t);                                                   \
                                                                                                   \
        op.length = 10000;                                                                         \
        __VA_ARGS__;                                                                               \
        write_it(t, op, key);                                                                      \
    }

WRITES(write_several, 0x4000, (void)0)
WRITES(write_rod, 0x4000, op.mode = UET_UT_MODE_ROD)
WRITES(write_rudi, 0x4000 | UINT64_C(1) << 63, op.mode = UET_UT_MODE_RUDI)
WRITES(write_imm, 0x4000, op.has_header_data = true; op.header_data = 7)
WRITES(write_medium, 0x4000, op.header = UET_UT_HEADER_MEDIUM; op.length = 100)

static void write_wrong_key(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, memory;

    op.length = 8;
    if (!peer_memory(t, &op, 8, NULL, 0x4000, &memory))
        return;
    op.key ^= 1;
    if (starts(t, uet_ut_write, &op, &handle))
        ends_in_error(t, handle, "though the second FEP has no region with that key");
}

static void read_it(struct trial *t, struct uet_ut_operation op, uint64_t key)
{
    uint8_t bytes[10000];
    uint64_t handle, memory;

    uet_ut_pattern(bytes, sizeof(bytes), 0, SEED);
    op.length = sizeof(bytes);
    if (peer_memory(t, &op, op.length, bytes, key, &memory) &&
        starts(t, uet_ut_read, &op, &handle) &&
        ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_READ))
        arrived(t, t->ut, handle, 0, op.length, "what was read");
}

static void read_several(struct trial *t)
{
    read_it(t, to_peer(t), 0x5000);
}

static void read_rod(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);

    op.mode = UET_UT_MODE_ROD;
    read_it(t, op, 0x5000);
}

static void read_rudi(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);

    op.mode = UET_UT_MODE_RUDI;
    read_it(t, op, 0x5000 | UINT64_C(1) << 63);
}

static void read_beyond(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle, memory;

    op.length = 16;
    if (peer_memory(t, &op, 8, NULL, 0x5000, &memory) && starts(t, uet_ut_read, &op, &handle))
        ends_in_error(t, handle, "though the second FEP's region has 8 bytes of 16");
}

/* ---- atomics: 5 + 3, and the old value is 5 ---- */

static void adds(struct trial *t, starter *start, uint8_t kind, bool fetches)
{
    struct uet_ut_operation op = to_peer(t);
    uint8_t three[8] = {0}, five[8] = {0}, is[8];
    uint64_t handle, region;

    three[t->about.big_endian ? 7 : 0] = 3;
    five[t->peer_about.big_endian ? 7 : 0] = 5;
    op.length = 8;
    op.data = three;
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    if (!peer_memory(t, &op, 8, five, 0x6000, &region) || !starts(t, start, &op, &handle) ||
        !ended_well(t, trial_end(t, 0, handle, "the operation"), kind) ||
        !trial_ok(t, t->peer, "get_mem", uet_ut_get_mem(t->peer, region, 0, is, 8)))
        return;
    if (is[t->peer_about.big_endian ? 7 : 0] != 8)
        WRONG(t, "5 + 3 is not 8 in the second FEP's region");
    if (!fetches || !trial_ok(t, t->ut, "get_mem", uet_ut_get_mem(t->ut, handle, 0, is, 8)))
        return;
    if (is[t->about.big_endian ? 7 : 0] != 5)
        WRONG(t, "the old value is not the 5 that stood there");
}

static void atomic(struct trial *t)
{
    adds(t, uet_ut_atomic, UET_UT_KIND_ATOMIC, false);
}

static void fetching_atomic(struct trial *t)
{
    adds(t, uet_ut_fetching_atomic, UET_UT_KIND_FETCHING_ATOMIC, true);
}

/* A byte of an element of n bytes that counts: its lowest. */
static void put_low(uint8_t *element, size_t n, bool big_endian, uint8_t value)
{
    element[big_endian ? n - 1 : 0] = value;
}

/* Three at once: of 1, 5, 3 and 4, 2, 3 the greater ones. */
static void atomic_several(struct trial *t)
{
    static const uint8_t there[] = {1, 5, 3}, sent[] = {4, 2, 3}, want[] = {4, 5, 3};
    struct uet_ut_operation op = to_peer(t);
    uint8_t old[12] = {0}, data[12] = {0}, is[12];
    uint64_t handle, region;

    for (size_t i = 0; i < 3; i++) {
        put_low(old + 4 * i, 4, t->peer_about.big_endian, there[i]);
        put_low(data + 4 * i, 4, t->about.big_endian, sent[i]);
    }
    op.length = sizeof(data);
    op.data = data;
    op.amo = UET_AMO_MAX;
    op.datatype = UET_TYPE_INT32;
    if (!peer_memory(t, &op, sizeof(old), old, 0x6000, &region) ||
        !starts(t, uet_ut_atomic, &op, &handle) ||
        !ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_ATOMIC) ||
        !trial_ok(t, t->peer, "get_mem", uet_ut_get_mem(t->peer, region, 0, is, sizeof(is))))
        return;
    for (size_t i = 0; i < 3; i++)
        if (is[4 * i + (t->peer_about.big_endian ? 3 : 0)] != want[i])
            WRONG(t, "element %zu is not the greater of %u and %u", i, there[i], sent[i]);
}

/* Compares with 5, then once more: only the first one finds it. */
static void swaps(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint8_t five[8] = {0}, nine[8] = {0}, compare[8] = {0}, is[8];
    uint64_t handle, region;

    put_low(five, 8, t->peer_about.big_endian, 5);
    put_low(compare, 8, t->about.big_endian, 5);
    put_low(nine, 8, t->about.big_endian, 9);
    op.length = 8;
    op.data = nine;
    op.compare = compare;
    op.amo = UET_AMO_CSWAP;
    op.datatype = UET_TYPE_UINT64;
    if (!peer_memory(t, &op, 8, five, 0x6000, &region))
        return;
    for (int i = 0; i < 2; i++, put_low(nine, 8, t->about.big_endian, 7)) {
        if (!starts(t, uet_ut_fetching_atomic, &op, &handle) ||
            !ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_FETCHING_ATOMIC) ||
            !trial_ok(t, t->ut, "get_mem", uet_ut_get_mem(t->ut, handle, 0, is, 8)))
            return;
        if (is[t->about.big_endian ? 7 : 0] != (i ? 9 : 5))
            WRONG(t, "the old value is %u, and should be %u", is[t->about.big_endian ? 7 : 0],
                  i ? 9 : 5);
        if (!trial_ok(t, t->peer, "get_mem", uet_ut_get_mem(t->peer, region, 0, is, 8)))
            return;
        if (is[t->peer_about.big_endian ? 7 : 0] != 9)
            WRONG(t, "the new value is not 9: compared with 5, it was %s", i ? "9" : "5");
    }
}

/* On a receive of zeros, which ends with it: 0 + 3. */
static void adds_by_tag(struct trial *t, starter *start, uint8_t kind, bool fetches)
{
    struct uet_ut_operation op = to_peer(t);
    uint8_t three[8] = {0}, is[8];
    uint64_t handle, receive;

    three[t->about.big_endian ? 7 : 0] = 3;
    op.length = 8;
    op.data = three;
    op.key = TAG;
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    if (!posts(t, &op, true, TAG, 8, &receive) || !starts(t, start, &op, &handle) ||
        !ended_well(t, trial_end(t, 0, handle, "the operation"), kind) ||
        !trial_ok(t, t->peer, "get_mem", uet_ut_get_mem(t->peer, receive, 0, is, 8)))
        return;
    if (is[t->peer_about.big_endian ? 7 : 0] != 3)
        WRONG(t, "0 + 3 is not 3 in the second FEP's receive");
    if (!fetches || !trial_ok(t, t->ut, "get_mem", uet_ut_get_mem(t->ut, handle, 0, is, 8)))
        return;
    if (is[t->about.big_endian ? 7 : 0] != 0)
        WRONG(t, "the old value is not the 0 that stood there");
}

static void tagged_atomic(struct trial *t)
{
    adds_by_tag(t, uet_ut_tagged_atomic, UET_UT_KIND_TAGGED_ATOMIC, false);
}

static void tagged_fetching_atomic(struct trial *t)
{
    adds_by_tag(t, uet_ut_tagged_fetching_atomic, UET_UT_KIND_TAGGED_FETCHING_ATOMIC, true);
}

/* ---- taken back ---- */

/* A write to a region that is no more; it is under way, and need not end. */
static bool writes_to_none(struct trial *t, uint64_t *region, uint64_t *handle)
{
    struct uet_ut_operation op = to_peer(t);

    op.length = SPARE;
    return peer_memory(t, &op, SPARE, NULL, 0x7000, region) &&
           trial_ok(t, t->peer, "withdraw", uet_ut_withdraw(t->peer, *region)) &&
           starts(t, uet_ut_write, &op, handle);
}

static void withdraws(struct trial *t)
{
    uint64_t handle, region;

    if (writes_to_none(t, &region, &handle))
        ends_in_error(t, handle, "though the second FEP's region was withdrawn");
}

static void withdrawn_stays(struct trial *t)
{
    uint64_t handle, region;

    if (!writes_to_none(t, &region, &handle))
        return;
    trial_may_end(t, 0, handle);
    spared(t, region, 0);
}

static void cancel_it(struct trial *t, starter *start, uint8_t kind)
{
    struct uet_ut_operation op = to_peer(t);
    bool tagged = kind == UET_UT_KIND_TAGGED_SEND;
    uint64_t handle, gone, mine;

    op.length = 100;
    op.key = tagged ? TAG : 0;
    if (posts(t, &op, tagged, TAG, 100, &gone) && posts(t, &op, tagged, TAG, 100, &mine) &&
        trial_ok(t, t->peer, "cancel", uet_ut_cancel(t->peer, gone)) &&
        starts(t, start, &op, &handle) &&
        ended_well(t, trial_end(t, 0, handle, "the operation"), kind) && received(t, mine, &op))
        arrived(t, t->peer, mine, 0, op.length, "the second FEP's other receive");
}

static void cancels(struct trial *t)
{
    cancel_it(t, uet_ut_send, UET_UT_KIND_SEND);
}

static void cancels_tagged(struct trial *t)
{
    cancel_it(t, uet_ut_tagged_send, UET_UT_KIND_TAGGED_SEND);
}

/* ---- the rest ---- */

static void no_op(struct trial *t)
{
    struct uet_ut_operation op = to_peer(t);
    uint64_t handle;

    if (trial_opens(t, t->peer, op.resource_index, UET_UT_SEND) &&
        starts(t, uet_ut_no_op, &op, &handle))
        ended_well(t, trial_end(t, 0, handle, "the operation"), UET_UT_KIND_NO_OP);
}

/* After it an operation still goes through, by a new PDC. */
static void close_pdcs(struct trial *t)
{
    send_one(t);
    if (t->r.how == UET_ADAPTER_WORKS &&
        trial_ok(t, t->ut, "close", uet_ut_close_pdcs(t->ut, &t->peer_about.address)))
        send_one(t);
}

static void close_request(struct trial *t)
{
    send_one(t);
    if (t->r.how == UET_ADAPTER_WORKS && t->peer &&
        trial_ok(t, t->peer, "close_request", uet_ut_close_request(t->peer, &t->about.address)))
        send_one(t);
}

const struct check uet_adapter_between[] = {
    {"send", "one packet", send_one, NULL},
    {"send", "several packets", send_several, NULL},
    {"send", "no bytes", send_none, NULL},
    {"send", "data in the request", send_data, NULL},
    {"send", "mode rod", send_rod, "mode=rod"},
    {"send", "mode uud", send_datagram, "mode=uud"},
    {"send", "header medium", send_medium, "header=medium"},
    {"send", "header small", send_small, "header=small"},
    {"send", "traffic_class 1", send_class, "traffic_class"},
    {"send", "delivery_complete", send_complete, "delivery_complete"},
    {"send", "initiator", send_initiator, "initiator"},
    {"send", "header_data", send_header_data, "header_data"},
    {"send", "relative false (absolute addressing)", send_absolute, "relative=false"},
    {"send", "peer_flags and peer_capabilities", send_to_known, "peer_flags"},
    {"send", "reserved (use_rsv_pdc)", send_reserved, "reserved"},
    {"send", "longer than the receive: ends in error", send_too_long, NULL},
    {"tagged_send", "several packets", tagged_several, NULL},
    {"tagged_send", "mode rod", tagged_rod, "mode=rod"},
    {"tagged_send", "takes the receive of its tag", tagged_picks, NULL},
    {"tagged_send", "takes one that ignores some bits", tagged_ignores, NULL},
    {"tagged_send", "header_data", tagged_header_data, "header_data"},
    {"deferrable_send", "with a receive", deferrable_now, NULL},
    {"deferrable_send", "the receive comes later", deferrable_later, NULL},
    {"deferrable_tagged_send", "with a receive", deferrable_tagged_now, NULL},
    {"rendezvous_send", "a tenth at once, the rest read", rendezvous, NULL},
    {"write", "several packets", write_several, NULL},
    {"write", "mode rod", write_rod, "mode=rod"},
    {"write", "mode rudi", write_rudi, "mode=rudi"},
    {"write", "header medium", write_medium, "header=medium"},
    {"write", "header_data (immediate)", write_imm, "header_data"},
    {"write", "an unknown key: ends in error", write_wrong_key, NULL},
    {"read", "several packets", read_several, NULL},
    {"read", "mode rod", read_rod, "mode=rod"},
    {"read", "mode rudi", read_rudi, "mode=rudi"},
    {"read", "beyond the region: ends in error", read_beyond, NULL},
    {"atomic", "UET_AMO_SUM of UET_TYPE_UINT64", atomic, NULL},
    {"atomic", "UET_AMO_MAX of three UET_TYPE_INT32", atomic_several, NULL},
    {"fetching_atomic", "UET_AMO_SUM of UET_TYPE_UINT64", fetching_atomic, NULL},
    {"fetching_atomic", "UET_AMO_CSWAP of UET_TYPE_UINT64", swaps, NULL},
    {"tagged_atomic", "UET_AMO_SUM of UET_TYPE_UINT64", tagged_atomic, NULL},
    {"tagged_fetching_atomic", "UET_AMO_SUM of UET_TYPE_UINT64", tagged_fetching_atomic, NULL},
    {"withdraw", "no byte of it changes any more", withdrawn_stays, NULL},
    {"withdraw", "its key is of no more use: a write ends in error", withdraws, NULL},
    {"cancel", "a send goes into the receive behind it", cancels, NULL},
    {"cancel", "a tagged send does, too", cancels_tagged, NULL},
    {"no_op", "ends", no_op, NULL},
    {"close", "operations go on after it", close_pdcs, NULL},
    {"close_request", "operations go on after it", close_request, NULL},
};
const size_t uet_adapter_n_between = ITEMS(uet_adapter_between);
