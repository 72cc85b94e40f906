/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UET_TSEND_ATOMIC and UET_TSEND_FETCH_ATOMIC (3.4.6.2): atomics on the receive that a tag finds,
 * against packets written by hand. What they share with atomics by key: test_atomic.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define S        0x14bu
#define TAG      0x8123456789abcdefu
#define FETCH(t) .opcode = UET_OP_TSEND_FETCH_ATOMIC, .length = 8, .payload = 8, .key = (t)
#define PLAIN(t) .opcode = UET_OP_TSEND_ATOMIC, .length = 8, .payload = 8, .key = (t)
#define SUM(n)                                                                                     \
    .amo = &(struct amo)                                                                           \
    {                                                                                              \
        2, 7, n                                                                                    \
    } /* Tables 3-21, 3-22: SUM, UINT64 */

static uint64_t value_at(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void begin(struct peer *t)
{
    const struct uet_service s = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_TAGGED};
    peer_init(t, NULL);
    assert_int_equal(uet_fep_service_add(t->fep, &s), 0);
    open_pdc(t, S);
}

/* A receive of 24 bytes in buffer `token`, for the peer's initiator. */
static void post_tagged(struct peer *t, uint64_t token, uint64_t tag, bool truncate)
{
    const struct uet_receive r = {.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .base = t->buffer[token],
                                  .length = 24,
                                  .token = token,
                                  .truncate = truncate,
                                  .tagged = true,
                                  .initiator = 0xabcd,
                                  .match_bits = tag};
    assert_int_equal(uet_fep_post_receive(t->fep, &r), 0);
}

/* The answer to the Request with this PSN: its return code. */
static uint8_t answer(struct peer *t, uint32_t psn, const struct req *how)
{
    struct req r = *how;
    r.no_syn = true;
    r.psn = psn;
    r.message_id = 88;
    request(t, &r);
    take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), psn);
    return uet_ses_rsp_return_code(uet_ses(&t->p));
}

#define ANSWER(psn, ...) answer(&t, psn, &(struct req){__VA_ARGS__})

/* The tag finds the receive, which ends with it; the old value comes back, the new one stays. */
static void finds_by_tag(void **state)
{
    /* As for a fetching atomic by key (test_atomic.c): response with data, then the old value. */
    static const uint8_t bytes[] = {0x02, 0x01, 0x00, 0x00, 0x00, 0x56, 0x78, 0x9a, 0x00, 0x58,
                                    0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00,
                                    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02};
    struct peer t;
    (void)state;
    begin(&t);
    post_tagged(&t, 1, TAG ^ 1, false);
    post_tagged(&t, 2, TAG, false);
    memcpy(t.buffer[2] + 8, &(uint64_t){0x102}, 8);
    assert_int_equal(ANSWER(S + 1, FETCH(TAG), SUM(0x10), .offset = 8), UET_RC_OK);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, sizeof bytes);
    assert_memory_equal(uet_ses(&t.p), bytes, sizeof bytes);
    assert_true(value_at(t.buffer[2] + 8) == 0x112);
    assert_true(value_at(t.buffer[2]) == 0 && value_at(t.buffer[2] + 16) == 0);
    const struct uet_completion c = completion(&t);
    assert_int_equal(c.token, 2);
    assert_int_equal(c.length, 8);
    assert_true(c.match_bits == TAG && c.initiator == 0xabcd && !c.has_header_data);
    assert_int_equal(ANSWER(S + 2, FETCH(TAG), SUM(1)), UET_RC_NO_MATCH); /* it is over */
    assert_int_equal(ANSWER(S + 3, PLAIN(TAG ^ 1), SUM(7), .ar = true, .offset = 16), UET_RC_OK);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_DEFAULT_RESPONSE);
    assert_int_equal(uet_ses_rsp_modified_length(uet_ses(&t.p)), 8);
    assert_true(value_at(t.buffer[1] + 16) == 7);
    assert_int_equal(completion(&t).token, 1);
    peer_free(&t);
}

/* SES-136: a copy takes no other receive of that tag, and brings the same old value. */
static void done_once(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
    post_tagged(&t, 1, TAG, false);
    post_tagged(&t, 2, TAG, false);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(ANSWER(S + 1, FETCH(TAG), SUM(5), .retx = i > 0), UET_RC_OK);
        assert_true(uet_rd64(t.bytes + t.p.payload_offset) == 0);
        assert_true(value_at(t.buffer[1]) == 5 && value_at(t.buffer[2]) == 0);
    }
    assert_int_equal(completion(&t).token, 1);
    no_completion(&t);
    assert_int_equal(ANSWER(S + 2, PLAIN(TAG), SUM(6), .ar = true), UET_RC_OK);
    assert_true(value_at(t.buffer[1]) == 5 && value_at(t.buffer[2]) == 6);
    peer_free(&t);
}

/* Refused, each for its own reason; the receive is there still, its bytes are as they were. */
static void refused(void **state)
{
    static const struct amo no_type = {2, 0x12, 1}, no_op = {0x15, 7, 1};
    struct peer t;
    (void)state;
    begin(&t);
    assert_int_equal(ANSWER(S + 1, FETCH(TAG), SUM(1)), UET_RC_NO_MATCH);
    post(&t, 0, 24, false); /* SES-094: an untagged one is none */
    assert_int_equal(ANSWER(S + 2, FETCH(TAG), SUM(1)), UET_RC_NO_MATCH);
    post_tagged(&t, 1, TAG, true);
    assert_int_equal(ANSWER(S + 3, FETCH(TAG), SUM(1), .offset = 4), UET_RC_AMO_UNALIGNED);
    assert_int_equal(ANSWER(S + 4, FETCH(TAG), .amo = &no_type), UET_RC_AMO_UNSUPPORTED_DT);
    assert_int_equal(ANSWER(S + 5, PLAIN(TAG), .amo = &no_op), UET_RC_AMO_UNSUPPORTED_OP);
    assert_int_equal(ANSWER(S + 6, .opcode = UET_OP_TSEND_ATOMIC, .length = 12, .payload = 12,
                            .key = TAG, SUM(1)),
                     UET_RC_AMO_UNSUPPORTED_SIZE);
    /* Nothing of it is cut off, though sends would be (SES-102). */
    assert_int_equal(ANSWER(S + 7, FETCH(TAG), SUM(1), .offset = 24), UET_RC_TOO_LONG);
    assert_int_equal(ANSWER(S + 8, .opcode = UET_OP_TSEND_ATOMIC, .length = 16, .payload = 16,
                            .key = TAG, .offset = 16, SUM(1)),
                     UET_RC_TOO_LONG);
    for (unsigned at = 0; at < 24; at += 8)
        assert_true(value_at(t.buffer[1] + at) == 0);
    no_completion(&t);
    assert_int_equal(ANSWER(S + 9, FETCH(TAG), SUM(9), .offset = 16), UET_RC_OK);
    assert_true(value_at(t.buffer[1] + 16) == 9);
    peer_free(&t);
}

/* SES-166, SES-179: two operands count as 32 bytes, of which the receive need not have room. */
static void two_operands(void **state)
{
    /* CSWAP of UINT64, compare 0, swap 0x55, each in the low bytes of its 16. */
    static const uint8_t ext[36] = {[0] = 0x0d, [1] = 0x07, [35] = 0x55};
    struct peer t;
    (void)state;
    begin(&t);
    post_tagged(&t, 1, TAG, false);
    assert_int_equal(ANSWER(S + 1, .opcode = UET_OP_TSEND_FETCH_ATOMIC, .key = TAG, .length = 32,
                            .offset = 16, .raw = ext, .raw_length = sizeof ext),
                     UET_RC_OK);
    assert_int_equal(uet_ses_data_length(&t.p), 8);
    assert_int_equal(uet_ses_rsp_data_modified_length(uet_ses(&t.p)), 32);
    assert_true(value_at(t.buffer[1] + 16) == 0x55);
    assert_int_equal(completion(&t).length, 8);
    peer_free(&t);
}

/* As initiator: the bytes of Figures 3-9 and 3-16, by hand. */
static void request_on_the_wire(void **state)
{
    static const uint8_t bytes[] = {
        0x0e, 0x03,                                     /* UET_TSEND_FETCH_ATOMIC; som, eom */
        0x00, 0x07,                                     /* message_id: below */
        0x00, 0x56, 0x78, 0x9a, 0x00, 0x07, 0x00, 0x05, /* JobID, PIDonFEP, RI */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, /* buffer_offset */
        0x00, 0x00, 0xab, 0xcd,                         /* initiator */
        0x81, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, /* match_bits */
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /* header_data */
        0x00, 0x00, 0x00, 0x04,                         /* request_length */
        0x02, 0x05, 0x00, 0x00,                         /* SUM, UINT32 */
        0x11, 0x22, 0x33, 0x44};
    const uint32_t operand = 0x11223344;
    uint32_t into[2] = {9, 9};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    struct uet_operation op = {.to = t.ip,
                               .opcode = UET_OP_TSEND_FETCH_ATOMIC,
                               .job_id = JOB,
                               .pid_on_fep = PID,
                               .resource_index = RI,
                               .initiator = 0xabcd,
                               .key = TAG,
                               .buffer_offset = 16,
                               .amo = 2,
                               .datatype = 5,
                               .data = (const uint8_t *)&operand,
                               .into = (uint8_t *)into,
                               .length = 4};
    op.header = UET_OP_HEADER_SMALL; /* it has no place for a tag */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.header = UET_OP_HEADER_STD;
    op.mode = UET_MODE_RUDI;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.mode = UET_MODE_RUD;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    first(&t);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, sizeof bytes);
    uint8_t got[sizeof bytes];
    memcpy(got, uet_ses(&t.p), sizeof got);
    memcpy(got + 2, bytes + 2, 2); /* the message_id is its own */
    assert_memory_equal(got, bytes, sizeof bytes);
    struct data_spec d = {.psn = t.start_psn,
                          .message_id = uet_ses_message_id(&t.p),
                          .total = 4,
                          .length = 4,
                          .fill = 0x5a};
    ack_data(&t, t.start_psn - 1, &d);
    assert_true(into[0] == 0x5a5a5a5a && into[1] == 9);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_tag),
        cmocka_unit_test(done_once),
        cmocka_unit_test(refused),
        cmocka_unit_test(two_operands),
        cmocka_unit_test(request_on_the_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
