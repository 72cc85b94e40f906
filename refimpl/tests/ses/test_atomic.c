/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Atomics (3.4.2.4, 3.4.4): what is fetched goes back in the ACK, or on the return direction, and
 * is done once; two operands; several elements; against packets written by hand, and between two
 * FEPs. What each operation makes of an element: test_element.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"
#include "refimpl/tests/shared/peer.h"
#include "refimpl/usage.h"

#define S        0x14bu
#define REQ(...) request(&t, &(struct req){.no_syn = true, __VA_ARGS__})
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define SUM(n)                                                                                     \
    .amo = &(struct amo)                                                                           \
    {                                                                                              \
        2, 7, n                                                                                    \
    } /* Tables 3-21, 3-22: SUM, UINT64 */
#define FETCH .opcode = UET_OP_FETCHING_ATOMIC, .message_id = 88, .length = 8, .payload = 8

static uint64_t value_at(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void put_at(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static const uint8_t *expect_ack(struct peer *t, uint32_t psn, uint32_t cack, uint8_t next_hdr)
{
    const uint8_t *h = take(t);
    if (!uet_is_ack(&t->p))
        fail_msg("%s instead of an ACK", uet_headers[t->p.pds].name);
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(CACK(h), cack);
    assert_int_equal(uet_ack_next_hdr(h), next_hdr);
    return h;
}

/* SES-136, 137, 139, 140: the old value in the ACK, kept until it is cleared; added once. */
static void in_the_ack(void **state)
{
    /* Table 3-12 as for a READ (test_read_target.c), then the old value, big-endian. */
    static const uint8_t bytes[] = {0x02, 0x01, 0x00, 0x00, 0x00, 0x56, 0x78, 0x9a, 0x00, 0x58,
                                    0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00,
                                    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S);
    put_at(t.region + 16, 0x0102030405060708);
    REQ(.psn = S + 1, FETCH, SUM(0x10), .offset = 16);
    const uint8_t *h = expect_ack(&t, S + 1, S, UET_NH_RESPONSE_DATA);
    assert_int_equal(uet_ack_req(h), UET_ACK_REQ_CLEAR);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, sizeof bytes);
    assert_memory_equal(uet_ses(&t.p), bytes, sizeof bytes);
    assert_true(value_at(t.region + 16) == 0x0102030405060718);
    take_nothing(&t);
    put_at(t.region + 16, 7); /* whatever happens to the memory */
    for (unsigned i = 0; i < 2; i++) {
        REQ(.psn = S + 1, FETCH, SUM(0x10), .offset = 16, .retx = true);
        expect_ack(&t, S + 1, S, UET_NH_RESPONSE_DATA);
        assert_memory_equal(uet_ses(&t.p), bytes, sizeof bytes);
        assert_true(value_at(t.region + 16) == 7);
    }
    CP(.ctl = UET_CTL_CLEAR_COMMAND, .payload = S + 1);
    CP(.ctl = UET_CTL_ACK_REQUEST, .psn = S + 1, .ar = true);
    expect_ack(&t, S + 1, S + 1, UET_NH_RESPONSE);
    REQ(.psn = S + 2, FETCH, SUM(UINT64_MAX), .offset = 16); /* one less */
    expect_ack(&t, S + 2, S + 1, UET_NH_RESPONSE_DATA);
    assert_true(value_at(t.region + 16) == 6);
    assert_true(value_at(t.region + 8) == 0); /* its neighbours are not touched */
    assert_true(value_at(t.region + 24) == 0);
    no_completion(&t);
    peer_free(&t);
}

static void no_ack_data(struct uet_fep_config *c)
{
    c->params.Max_ACK_Data_Size = 7;
}

/* PDS-119: more than Max_ACK_Data_Size goes on the return direction; what was fetched is kept. */
static void in_return(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, no_ack_data);
    open_pdc(&t, S);
    put_at(t.region, 0x1122334455667788);
    REQ(.psn = S + 1, FETCH, SUM(1), .ar = true);
    expect_ack(&t, S + 1, S + 1, UET_NH_RESPONSE);
    const uint8_t *h = expect_request(&t, S, false);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(uet_rud_rod_req_next_hdr(h), UET_NH_RESPONSE_DATA);
        assert_int_equal(uet_ses_rsp_data_read_request_message_id(uet_ses(&t.p)), 88);
        assert_int_equal(t.p.payload_len, 8);
        assert_memory_equal(t.bytes + t.p.payload_offset, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
        assert_true(value_at(t.region) == 0x1122334455667789);
        if (i)
            break;
        REQ(.psn = S + 1, FETCH, SUM(1), .retx = true);
        expect_ack(&t, S + 1, S + 1, UET_NH_RESPONSE);
        take_nothing(&t);
        advance(&t, 5 * MS);
        h = expect_request(&t, S, true);
    }
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK);
    struct uet_fep_usage u;
    uet_fep_usage(t.fep, &u);
    assert_int_equal(u.read_parts + u.stored_responses + u.packets, 0);
    peer_free(&t);
}

static void one_place(struct uet_fep_config *c)
{
    no_ack_data(c);
    c->max_stored_responses = 1;
}

/* A READ that needs the place, too, waits until the atomic's data has arrived (PDS-091). */
static void no_place_to_keep(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_place);
    open_pdc(&t, S);
    REQ(.psn = S + 1, FETCH, SUM(1), .ar = true);
    forget(&t);
    REQ(.psn = S + 2, .opcode = UET_OP_READ, .message_id = 89, .length = 4, .ar = true);
    const uint8_t *h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), 0x08); /* UET_NO_GTD_DEL_AVAIL, Table 3-58 */
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK);
    forget(&t);
    REQ(.psn = S + 2, .opcode = UET_OP_READ, .message_id = 89, .length = 4, .ar = true);
    expect_ack(&t, S + 2, S + 1, UET_NH_RESPONSE_DATA);
    peer_free(&t);
}

/* SES-081: by the PSN of the request. */
static void short_headers(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S);
    const struct uet_region plain = {.job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = 1ull << 62 | RI,
                                     .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                     .base = t.buffer[0],
                                     .length = 64};
    assert_true(uet_fep_region_add(t.fep, &plain) >= 0);
    REQ(.psn = S + 1, FETCH, SUM(3), .header = UET_OP_HEADER_MEDIUM, .offset = 8);
    expect_ack(&t, S + 1, S, UET_NH_RESPONSE_DATA_SMALL);
    assert_int_equal(uet_ses_rsp_data_small_original_request_psn(uet_ses(&t.p)), S + 1);
    assert_true(value_at(t.region + 8) == 3);
    REQ(.psn = S + 2, FETCH, SUM(4), .header = UET_OP_HEADER_SMALL, .offset = 8);
    expect_ack(&t, S + 2, S, UET_NH_RESPONSE_DATA_SMALL);
    assert_true(value_at(t.buffer[0] + 8) == 4);
    peer_free(&t);
}

/* Table 3-19, SES-131 to SES-135, 138: a code each, guaranteed; nothing is changed. */
static void refused(void **state)
{
    uint8_t secret[16] = {0};
    struct uet_region g = {.job_id = JOB,
                           .pid_on_fep = PID,
                           .resource_index = RI,
                           .key = 0x99,
                           .rights = UET_RIGHT_WRITE,
                           .base = secret,
                           .length = sizeof secret};
    const struct {
        uint8_t code;
        struct req r;
    } cases[] = {
        {UET_RC_AMO_UNALIGNED, {FETCH, SUM(1), .offset = 4}},
        {UET_RC_BAD_ADDR, {FETCH, SUM(1), .offset = sizeof((struct peer *)0)->region}},
        {UET_RC_BAD_ADDR, {FETCH, SUM(1), .offset = UINT64_MAX - 7}},
        {UET_RC_OP_VIOLATION, {FETCH, SUM(1), .key = 0x99}}, /* no right to read */
        {UET_RC_OP_VIOLATION, {FETCH, SUM(1), .key = 0x98}}, /* ... to write */
        {UET_RC_BAD_MKEY, {FETCH, SUM(1), .key = 0x97}},
        {UET_RC_AMO_UNSUPPORTED_DT, {FETCH, .amo = &(struct amo){2, 0x12, 1}}},
        {UET_RC_AMO_UNSUPPORTED_DT, {FETCH, .amo = &(struct amo){2, 0xff, 1}}},
        {UET_RC_AMO_UNSUPPORTED_DT, {FETCH, .amo = &(struct amo){0x15, 0x12, 1}}},
        {UET_RC_AMO_UNSUPPORTED_OP, {FETCH, .amo = &(struct amo){0x15, 7, 1}}},
        {UET_RC_AMO_UNSUPPORTED_OP, {FETCH, .amo = &(struct amo){7, 0x0b, 1}}}, /* BOR, DOUBLE */
        {UET_RC_AMO_UNSUPPORTED_SIZE,
         {.opcode = UET_OP_FETCHING_ATOMIC, SUM(1), .length = 12, .payload = 12}},
        {UET_RC_AMO_UNSUPPORTED_SIZE,
         {.opcode = UET_OP_FETCHING_ATOMIC, SUM(1), .length = 16, .payload = 16}},
        {UET_RC_OP_VIOLATION, {FETCH, SUM(1), .not_eom = true}},
        {UET_RC_OP_VIOLATION,
         {.opcode = UET_OP_FETCHING_ATOMIC, SUM(1), .length = 8, .payload = 4}},
        {UET_RC_AMO_UNSUPPORTED_SIZE,
         {.opcode = UET_OP_ATOMIC, SUM(1), .length = 12, .payload = 12}},
        {UET_RC_AMO_UNALIGNED,
         {.opcode = UET_OP_ATOMIC, SUM(1), .length = 8, .payload = 8, .offset = 1}},
        {UET_RC_OP_VIOLATION,
         {.opcode = UET_OP_ATOMIC, SUM(1), .length = 8, .payload = 8, .key = 0x99}},
        /* An MSWAP without its second operand: 32 bytes it must be (SES-166). */
        {UET_RC_AMO_UNSUPPORTED_SIZE, {FETCH, .amo = &(struct amo){0x13, 7, 1}}},
        {UET_RC_OP_VIOLATION,
         {.opcode = UET_OP_FETCHING_ATOMIC,
          .length = 32,
          .payload = 8,
          .amo = &(struct amo){0x13, 7, 1}}},
    };
    static const uint8_t nothing[20000];
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S);
    assert_true(uet_fep_region_add(t.fep, &g) >= 0);
    g.key = 0x98;
    g.rights = UET_RIGHT_READ;
    assert_true(uet_fep_region_add(t.fep, &g) >= 0);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct req r = cases[i].r;
        r.no_syn = true;
        r.psn = S + 1 + i;
        for (unsigned again = 0; again < 2; again++) {
            r.retx = again;
            request(&t, &r);
            expect_ack(&t, r.psn, S, UET_NH_RESPONSE);
            assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_RESPONSE);
            if (uet_ses_rsp_return_code(uet_ses(&t.p)) != cases[i].code)
                fail_msg("case %u: code %u", i, uet_ses_rsp_return_code(uet_ses(&t.p)));
        }
    }
    assert_memory_equal(t.region, nothing, sizeof t.region);
    assert_memory_equal(secret, nothing, sizeof secret);
    /* Without room for the extension it is not executed (SES-160). */
    REQ(.psn = S + 100, .opcode = UET_OP_FETCHING_ATOMIC, .length = 8);
    take_nothing(&t);
    peer_free(&t);
}

static struct uet_operation fetch(const struct uet_ip *to, uint8_t mode, const uint64_t *operand,
                                  uint64_t *into)
{
    return (struct uet_operation){.to = *to,
                                  .opcode = UET_OP_FETCHING_ATOMIC,
                                  .amo = UET_AMO_SUM,
                                  .datatype = UET_TYPE_UINT64,
                                  .mode = mode,
                                  .relative = true,
                                  .job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .key = KEY,
                                  .data = (const uint8_t *)operand,
                                  .into = (uint8_t *)into,
                                  .length = 8};
}

/* SES-020, 137, 138: one packet, the extension right after the header, the operand big-endian. */
static void request_on_the_wire(void **state)
{
    static const uint8_t ext[] = {0x02, 0x07, 0x00, 0x00, 0x01, 0x02,
                                  0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
    const uint64_t operand = 0x0102030405060708;
    uint64_t into[2] = {9, 9};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    struct uet_operation op = fetch(&t.ip, UET_MODE_RUD, &operand, into);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    first(&t);
    const uint8_t *s = uet_ses(&t.p);
    assert_int_equal(uet_ses_req_opcode(s), 4); /* Table 3-17 */
    assert_true(uet_ses_req_som(s) && uet_ses_req_eom(s));
    assert_int_equal(uet_ses_request_length(&t.p), 8);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, 44 + sizeof ext);
    assert_memory_equal(s + 44, ext, sizeof ext);
    uint16_t id = uet_ses_message_id(&t.p);
    no_completion(&t);
    struct data_spec d = {
        .psn = t.start_psn, .message_id = id, .total = 8, .length = 8, .fill = 0x5a};
    ack_data(&t, t.start_psn - 1, &d);
    assert_true(into[0] == 0x5a5a5a5a5a5a5a5a && into[1] == 9);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, 8);
    peer_free(&t);
}

/*
 * SES-021, 022, 166, 179: both operands in the extension of 36 bytes, in the low bytes of their
 * places; request_length 32; the answer has the element alone, and says 32.
 */
static void two_operands(void **state)
{
    static const uint8_t ext[36] = {
        [0] = 0x0d,  [1] = 0x05,  [16] = 0x11, [17] = 0x22, [18] = 0x33,
        [19] = 0x44, [32] = 0xaa, [33] = 0xbb, [34] = 0xcc, [35] = 0xdd,
    };
    const uint32_t compare = 0x11223344, swap = 0xaabbccdd;
    uint32_t into[2] = {9, 9};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    struct uet_operation op = fetch(&t.ip, UET_MODE_RUD, NULL, NULL);
    op.amo = 0x0d;      /* UET_AMO_CSWAP */
    op.datatype = 0x05; /* UET_TYPE_UINT32 */
    op.length = 4;
    op.data = (const uint8_t *)&swap;
    op.into = (uint8_t *)into;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.compare = (const uint8_t *)&compare;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    first(&t);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, 44 + sizeof ext);
    assert_memory_equal(uet_ses(&t.p) + 44, ext, sizeof ext);
    assert_int_equal(uet_ses_request_length(&t.p), 32);
    struct data_spec d = {.psn = t.start_psn,
                          .message_id = uet_ses_message_id(&t.p),
                          .total = 32,
                          .length = 4,
                          .fill = 0x5a};
    ack_data(&t, t.start_psn - 1, &d);
    assert_true(into[0] == 0x5a5a5a5a && into[1] == 9);
    assert_int_equal(completion(&t).length, 4);
    peer_free(&t);
}

/* SES-085, SES-165: one element, on a PDC. */
static void not_started(void **state)
{
    const uint64_t operand[2] = {1, 1};
    uint64_t into[2];
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    struct uet_operation op = fetch(&t.ip, UET_MODE_RUD, operand, into);
    op.length = 16;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.length = 0;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = fetch(&t.ip, UET_MODE_RUDI, operand, into);
    op.key = 1ull << 63;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = fetch(&t.ip, UET_MODE_UUD, operand, into);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = fetch(&t.ip, UET_MODE_RUD, operand, NULL);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = fetch(&t.ip, UET_MODE_RUD, operand, into);
    op.amo = 0x15; /* reserved, Table 3-21 */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = fetch(&t.ip, UET_MODE_RUD, NULL, into);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    peer_free(&t);
}

/* Two operands and several elements as they come: bytes by hand behind a header of the peer's. */
static void as_target(void **state)
{
    static const uint8_t cswap_ext[36] = {[0] = 0x0d, [1] = 0x07, [19] = 5, [35] = 9};
    static const uint8_t elements[] = {0x02, 0x05, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S);
    put_at(t.region + 8, 5);
    for (uint32_t i = 0; i < 2; i++) { /* the second finds another value, and returns it, too */
        REQ(.psn = S + 1 + i, .opcode = UET_OP_FETCHING_ATOMIC, .length = 32, .offset = 8,
            .raw = cswap_ext, .raw_length = sizeof cswap_ext);
        expect_ack(&t, S + 1 + i, S, UET_NH_RESPONSE_DATA);
        assert_int_equal(uet_ses_rsp_data_payload_length(uet_ses(&t.p)), 8);
        assert_int_equal(uet_ses_rsp_data_modified_length(uet_ses(&t.p)), 32);
        assert_int_equal(t.bytes[t.p.payload_offset + 7], i ? 9 : 5);
        assert_true(value_at(t.region + 8) == 9);
    }
    assert_true(value_at(t.region) == 0 && value_at(t.region + 16) == 0);
    /* UET_ATOMIC: two UINT32, each for itself, answered like a WRITE. */
    REQ(.psn = S + 3, .opcode = UET_OP_ATOMIC, .length = 8, .raw = elements,
        .raw_length = sizeof elements, .ar = true);
    expect_ack(&t, S + 3, S, UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_OK);
    uint32_t now[2];
    memcpy(now, t.region, 8);
    assert_true(now[0] == 1 && now[1] == 0x100);
    /* At the very end of the region: the element counts, not the 32 bytes. */
    REQ(.psn = S + 4, .opcode = UET_OP_FETCHING_ATOMIC, .length = 32, .offset = sizeof t.region - 8,
        .raw = cswap_ext, .raw_length = sizeof cswap_ext);
    expect_ack(&t, S + 4, S, UET_NH_RESPONSE_DATA);
    REQ(.psn = S + 5, .opcode = UET_OP_FETCHING_ATOMIC, .length = 32, .offset = sizeof t.region,
        .raw = cswap_ext, .raw_length = sizeof cswap_ext);
    expect_ack(&t, S + 5, S, UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_BAD_ADDR);
    peer_free(&t);
}

/* ---- two FEPs ---- */

#define N    64u
#define BASE 0x0102030405060700u

static void serve(struct uet_fep *fep, uint8_t *base)
{
    const struct uet_service rma = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_RMA};
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                                 .base = base,
                                 .length = 8};
    assert_int_equal(uet_fep_service_add(fep, &rma), 0);
    assert_int_equal(uet_fep_region_add(fep, &g), 0);
}

/* Each adds 1 to the other's counter: each number from BASE on is fetched once, on ROD in order. */
static void count_up(uint64_t seed, uint8_t mode, void (*change)(struct uet_fep_config *),
                     unsigned loss)
{
    static const uint64_t one = 1;
    uint64_t counters[2] = {BASE, BASE}, into[2][N] = {{0}};
    struct fixture w;
    fixture_init(&w, seed, 4, change);
    fixture_wire(&w, loss, loss, loss * 500);
    for (unsigned who = 0; who < 2; who++)
        serve(w.fep[who], (uint8_t *)&counters[who]);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned who = 0; who < 2; who++) {
            struct uet_operation op = fetch(&w.ip[1 - who], mode, &one, &into[who][i]);
            op.token = i;
            assert_int_equal(uet_fep_submit(w.fep[who], &op, w.now), 0);
        }
    }
    assert_true(fixture_run(&w, w.now + 3600000 * MS));
    for (unsigned who = 0; who < 2; who++) {
        struct uet_completion c;
        bool seen[N] = {false};
        unsigned n = 0;
        for (; uet_fep_completion(w.fep[who], &c); n++)
            assert_int_equal(c.status, UET_STATUS_OK);
        assert_int_equal(n, N);
        assert_true(counters[who] == BASE + N);
        for (unsigned i = 0; i < N; i++) {
            uint64_t at = into[who][i] - BASE;
            assert_true(at < N && !seen[at]);
            seen[at] = true;
            assert_true(mode != UET_MODE_ROD || at == i);
        }
    }
    uet_fep_close(w.fep[0], NULL, w.now);
    uet_fep_close(w.fep[1], NULL, w.now);
    assert_true(fixture_run(&w, w.now + 3600000 * MS));
    for (unsigned who = 0; who < 2; who++) {
        struct uet_fep_usage u;
        uet_fep_usage(w.fep[who], &u);
        assert_int_equal(u.stored_responses + u.read_parts + u.kept + u.packets + u.operations, 0);
    }
    fixture_free(&w);
}

static void patient(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

static void patient_in_return(struct uet_fep_config *c)
{
    patient(c);
    no_ack_data(c);
}

/* Places to keep bytes run out in either way. */
static void few(struct uet_fep_config *c)
{
    patient(c);
    c->max_stored_responses = 2;
}

static void few_in_return(struct uet_fep_config *c)
{
    few(c);
    no_ack_data(c);
}

/* Each swaps the other's value in, when it has the one before: all swaps hold, in order on ROD. */
static void swapped_between_two(void **state)
{
    uint64_t value = 0, swap[N], compare[N], into[N];
    struct fixture w;
    (void)state;
    fixture_init(&w, 5, 4, patient);
    fixture_wire(&w, 100, 100, 50000);
    serve(w.fep[1], (uint8_t *)&value);
    for (unsigned i = 0; i < N; i++) {
        compare[i] = i % 4 == 3 ? UINT64_MAX : i; /* each fourth one compares wrongly */
        swap[i] = i % 4 == 3 ? 77 : i + 1 + (i % 4 == 2);
        struct uet_operation op = fetch(&w.ip[1], UET_MODE_ROD, &swap[i], &into[i]);
        op.amo = UET_AMO_CSWAP;
        op.compare = (const uint8_t *)&compare[i];
        op.token = i;
        assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
    }
    assert_true(fixture_run(&w, w.now + 3600000 * MS));
    for (unsigned i = 0; i < N; i++)
        assert_true(into[i] == (i % 4 == 3 ? i + 1 : i));
    assert_true(value == N);
    fixture_free(&w);
}

static void between_two(void **state)
{
    static void (*const changes[])(struct uet_fep_config *) = {patient, patient_in_return, few,
                                                               few_in_return};
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++)
        count_up(seed, seed % 2 ? UET_MODE_ROD : UET_MODE_RUD, changes[seed / 2 % 4],
                 seed < 8 ? 0 : 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_ack),          cmocka_unit_test(in_return),
        cmocka_unit_test(short_headers),       cmocka_unit_test(refused),
        cmocka_unit_test(request_on_the_wire), cmocka_unit_test(two_operands),
        cmocka_unit_test(as_target),           cmocka_unit_test(swapped_between_two),
        cmocka_unit_test(not_started),         cmocka_unit_test(no_place_to_keep),
        cmocka_unit_test(between_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
