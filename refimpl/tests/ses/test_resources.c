/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Services, regions and receives: found among many, in their order (SES-050, 051, 056, 090), and
 * given back while packets are on their way (SES-063, 096, 116).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define MTU 4096u
#define S0  1000u

static uint32_t psn;

static void begin(struct peer *t)
{
    peer_init(t, NULL);
    open_pdc(t, S0);
    psn = S0;
}

/* Sends the request on the open PDC with ar=1 and returns the code of its response. */
static uint8_t ask(struct peer *t, struct req r)
{
    r.psn = ++psn;
    r.no_syn = r.ar = r.has_clear = true;
    r.clear = psn - 1;
    request(t, &r);
    const uint8_t *h = take(t);
    if (!uet_is_ack(&t->p))
        fail_msg("no ACK but NACK 0x%x", uet_nack_nack_code(h));
    assert_int_equal(ACK_PSN(t), psn);
    return uet_ses_rsp_return_code(uet_ses(&t->p));
}

#define EXPECT(code, ...) assert_int_equal(ask(&t, (struct req){__VA_ARGS__}), code)
#define WRITE4            .opcode = UET_OP_WRITE, .message_id = 9, .length = 4, .payload = 4, .fill = 1
#define SEND4             .opcode = UET_OP_SEND, .message_id = 9, .length = 4, .payload = 4, .fill = 2

static struct uet_region region_of(uint8_t *base, uint64_t length)
{
    return (struct uet_region){.job_id = JOB,
                               .pid_on_fep = PID,
                               .resource_index = RI,
                               .key = KEY,
                               .rights = UET_RIGHT_READ | UET_RIGHT_WRITE,
                               .base = base,
                               .length = length};
}

/* The region of the peer has handle 0. */
static void test_region_removed(void **state)
{
    struct peer t;
    uint8_t other[8] = {0};
    (void)state;
    begin(&t);
    assert_int_equal(uet_fep_region_remove(t.fep, -1), -ENOENT);
    assert_int_equal(uet_fep_region_remove(t.fep, 1), -ENOENT);
    assert_int_equal(uet_fep_region_remove(t.fep, 1 << 20), -ENOENT);
    EXPECT(UET_RC_OK, WRITE4);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -ENOENT);
    EXPECT(UET_RC_BAD_MKEY, WRITE4, .offset = 8); /* SES-063 */
    assert_int_equal(t.region[8], 0);
    /* The key and the handle are free again. */
    const struct uet_region again = region_of(other, sizeof other);
    assert_int_equal(uet_fep_region_add(t.fep, &again), 0);
    assert_int_equal(uet_fep_region_add(t.fep, &again), -EEXIST);
    EXPECT(UET_RC_OK, WRITE4, .offset = 4);
    assert_int_equal(other[4], 1);
    assert_int_equal(t.region[4], 0);
    peer_free(&t);
}

/* Between the packets of a WRITE: what comes after fails, and nothing more is written (SES-116). */
static void test_region_removed_in_message(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
#define PART .opcode = UET_OP_WRITE, .message_id = 9, .hd = true, .length = 3 * MTU, .fill = 3
    EXPECT(UET_RC_OK, PART, .not_eom = true, .payload = MTU);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
    EXPECT(UET_RC_BAD_MKEY, PART, .not_som = true, .not_eom = true, .message_offset = MTU,
           .payload = MTU);
    const struct uet_region again = region_of(t.region, sizeof t.region);
    assert_int_equal(uet_fep_region_add(t.fep, &again), 0);
    EXPECT(UET_RC_BAD_MKEY, PART, .not_som = true, .message_offset = 2 * MTU, .payload = MTU);
    assert_int_equal(t.region[0], 3);
    assert_int_equal(t.region[MTU], 0);
    assert_int_equal(t.region[2 * MTU], 0);
    no_completion(&t);
    peer_free(&t);
}

/* RC_OK was said to a READ: its bytes go out from the region until they are acknowledged. */
static void test_region_removed_under_read(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
    memset(t.region, 7, 100);
    EXPECT(UET_RC_OK, .opcode = UET_OP_READ, .message_id = 9, .length = 100);
    const uint8_t *h = expect_request(&t, S0, false);
    assert_int_equal(uet_rud_rod_req_next_hdr(h), UET_NH_RESPONSE_DATA);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -EBUSY);
    EXPECT(UET_RC_BAD_MKEY, .opcode = UET_OP_READ, .message_id = 10, .length = 100);
    EXPECT(UET_RC_BAD_MKEY, WRITE4);
    advance(&t, 5 * MS);
    expect_request(&t, S0, true);
    assert_int_equal(t.p.payload_len, 100);
    assert_memory_equal(t.bytes + t.p.payload_offset, t.region, 100);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -EBUSY);
    ack(&t, &(struct ack_spec){.cack = S0, .psn = S0, .opcode = UET_RSP_DEFAULT_RESPONSE});
    assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -ENOENT);
    peer_free(&t);
}

/* What went in an ACK was kept with it (SES-117). */
static void test_region_removed_after_ack(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
    memset(t.region, 7, 8);
    struct req read = {.opcode = UET_OP_READ, .message_id = 9, .length = 8};
    ask(&t, read);
    assert_int_equal(t.p.payload_len, 8);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
    memset(t.region, 8, 8);
    read.psn = psn;
    read.no_syn = read.retx = true;
    request(&t, &read);
    take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_int_equal(t.p.payload_len, 8);
    assert_int_equal(t.bytes[t.p.payload_offset], 7);
    peer_free(&t);
}

/* A reset forgets what a handle stood for: it cannot be given back a second time. */
static void test_region_handle_after_reset(void **state)
{
    struct peer t;
    uint8_t other[2][8];
    (void)state;
    begin(&t);
    uet_fep_reset(t.fep, t.now);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -ENOENT);
    struct uet_region g = region_of(other[0], sizeof other[0]);
    int first = uet_fep_region_add(t.fep, &g);
    g = region_of(other[1], sizeof other[1]);
    g.key = KEY + 1;
    assert_int_not_equal(uet_fep_region_add(t.fep, &g), first);
    peer_free(&t);
}

static void three_responses(struct uet_fep_config *c)
{
    c->max_stored_responses = 3;
}

static void refused(struct peer *t, uint32_t at)
{
    const struct req r = {.psn = at, .no_syn = true, .key = KEY + 1, WRITE4};
    request(t, &r);
    forget(t);
}

/* Who held guaranteed responses before a reset is asked for no Clear after it (PDS-084). */
static void test_responses_after_reset(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, three_responses);
    open_pdc(&t, S0);
    refused(&t, S0 + 1);
    refused(&t, S0 + 2);
    t.spdcid++;
    open_pdc(&t, S0);
    refused(&t, S0 + 1);
    uet_fep_reset(t.fep, t.now);
    t.spdcid++;
    open_pdc(&t, S0);
    refused(&t, S0 + 1);
    refused(&t, S0 + 2);
    assert_int_equal(counter(t.fep, "tx_clear_request"), 0);
    for (uint32_t ahead = 4; ahead < 7; ahead++) /* the last slot is for S0 + 3 */
        refused(&t, S0 + ahead);
    assert_int_equal(counter(t.fep, "tx_nack_no_gtd_del_avail"), 3);
    assert_int_equal(counter(t.fep, "tx_clear_request"), 3);
    peer_free(&t);
}

/* A receive that is taken back is not found, one that a message has taken is. */
static void test_receive_removed(void **state)
{
    struct peer t;
    struct uet_receive r = {.pid_on_fep = PID, .resource_index = RI};
    (void)state;
    begin(&t);
    for (unsigned i = 0; i < 4; i++)
        post(&t, i, 8192, false);
    r.token = 1;
    assert_int_equal(uet_fep_receive_remove(t.fep, &r), 0);
    assert_int_equal(uet_fep_receive_remove(t.fep, &r), -ENOENT);
    r.token = 3;
    r.resource_index = RI + 1; /* none of that RI */
    assert_int_equal(uet_fep_receive_remove(t.fep, &r), -ENOENT);
    r.resource_index = RI;
    EXPECT(UET_RC_OK, SEND4);
    assert_int_equal(completion(&t).token, 0);
#define HALF .opcode = UET_OP_SEND, .message_id = 9, .length = MTU + 1
    EXPECT(UET_RC_OK, HALF, .not_eom = true, .payload = MTU);
    r.token = 2; /* taken by now */
    assert_int_equal(uet_fep_receive_remove(t.fep, &r), -ENOENT);
    r.token = 3; /* the last that waits */
    assert_int_equal(uet_fep_receive_remove(t.fep, &r), 0);
    EXPECT(UET_RC_NO_MATCH, .opcode = UET_OP_SEND, .message_id = 10, .length = 4,
           .payload = 4); /* SES-096 */
    EXPECT(UET_RC_OK, HALF, .not_som = true, .message_offset = MTU, .payload = 1);
    assert_int_equal(completion(&t).token, 2);
    no_completion(&t);
    post(&t, 5, 8, false); /* all slots but those in use are free again */
    EXPECT(UET_RC_OK, SEND4);
    assert_int_equal(completion(&t).token, 5);
    peer_free(&t);
}

/* 60 RIs with three receives each, posted in turns: each RI's come in their order (SES-090), those
 * for any job among them. */
static void test_many_receives(void **state)
{
    struct peer t;
    enum { RIS = 60, EACH = 3 };
    (void)state;
    begin(&t);
    for (uint16_t i = 0; i < RIS; i++) {
        const struct uet_service s = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = (uint16_t)(100 + i),
                                      .ri_class = UET_RI_SEND};
        assert_int_equal(uet_fep_service_add(t.fep, &s), 0);
    }
    for (uint16_t n = 0; n < EACH; n++) {
        for (uint16_t i = 0; i < RIS; i++) {
            const struct uet_receive r = {.job_id = JOB,
                                          .any_job = n == 1,
                                          .pid_on_fep = PID,
                                          .resource_index = (uint16_t)(100 + i),
                                          .base = t.buffer[0],
                                          .length = 8,
                                          .token = (uint64_t)n * RIS + i};
            assert_int_equal(uet_fep_post_receive(t.fep, &r), 0);
        }
    }
    for (uint16_t n = 0; n < EACH; n++) {
        for (uint16_t i = RIS; i--;) {
            EXPECT(UET_RC_OK, SEND4, .ri = (uint16_t)(100 + i));
            assert_int_equal(completion(&t).token, n * RIS + i);
        }
    }
    EXPECT(UET_RC_NO_MATCH, SEND4, .ri = 100);
    peer_free(&t);
}

/* ---- tagged receives (3.4.1.3.8) ---- */

#define TSEND4(tag)                                                                                \
    .opcode = UET_OP_TAGGED_SEND, .message_id = 9, .length = 4, .payload = 4, .key = (tag)

static void open_tagged(struct peer *t)
{
    const struct uet_service s = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_TAGGED};
    assert_int_equal(uet_fep_service_add(t->fep, &s), 0);
}

static struct uet_receive tagged(struct peer *t, uint64_t token, uint64_t tag, uint64_t ignore)
{
    return (struct uet_receive){.job_id = JOB,
                                .pid_on_fep = PID,
                                .resource_index = RI,
                                .base = t->buffer[token % 4],
                                .length = 8,
                                .token = token,
                                .tagged = true,
                                .any_initiator = true,
                                .match_bits = tag,
                                .ignore = ignore};
}

static void post_tagged(struct peer *t, uint64_t token, uint64_t tag, uint64_t ignore)
{
    const struct uet_receive r = tagged(t, token, tag, ignore);
    assert_int_equal(uet_fep_post_receive(t->fep, &r), 0);
}

/* SES-091, SES-092, SES-094: all 64 bits, the initiator, and no untagged receive. */
static void test_tags(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
    EXPECT(UET_RC_BAD_INDEX, TSEND4(1)); /* no tagged resource (SES-056) */
    open_tagged(&t);
    post(&t, 0, 8, false);
    EXPECT(UET_RC_NO_MATCH, TSEND4(0));
    for (unsigned bit = 0; bit < 64; bit++)
        post_tagged(&t, bit, UINT64_C(1) << bit, 0);
    EXPECT(UET_RC_NO_MATCH, TSEND4(0));
    EXPECT(UET_RC_NO_MATCH, TSEND4(3));
    for (unsigned bit = 64; bit-- > 0;) {
        EXPECT(UET_RC_OK, TSEND4(UINT64_C(1) << bit));
        struct uet_completion c = completion(&t);
        assert_int_equal(c.token, bit);
        assert_true(c.match_bits == UINT64_C(1) << bit);
        EXPECT(UET_RC_NO_MATCH, TSEND4(UINT64_C(1) << bit));
    }
    EXPECT(UET_RC_OK, SEND4); /* it is there still */
    peer_free(&t);
}

/* The peer's initiator is 0xabcd (peer.c). */
static void test_initiators(void **state)
{
    struct peer t;
    (void)state;
    begin(&t);
    open_tagged(&t);
    struct uet_receive other = tagged(&t, 1, 5, 0), own = tagged(&t, 2, 5, 0);
    other.any_initiator = own.any_initiator = false;
    other.initiator = 0xabcc;
    own.initiator = 0xabcd;
    assert_int_equal(uet_fep_post_receive(t.fep, &other), 0);
    EXPECT(UET_RC_NO_MATCH, TSEND4(5));
    assert_int_equal(uet_fep_post_receive(t.fep, &own), 0);
    EXPECT(UET_RC_OK, TSEND4(5));
    assert_int_equal(completion(&t).token, 2);
    assert_int_equal(uet_fep_receive_remove(t.fep, &other), 0);
    assert_int_equal(uet_fep_receive_remove(t.fep, &other), -ENOENT);
    peer_free(&t);
}

/* SES-093: the first posted one that matches, with bits to ignore or without. */
static void test_wildcards(void **state)
{
    static const struct {
        uint64_t tag, ignore;
    } posted[] = {{0x10, 0xf}, {0x12, 0}, {0, UINT64_MAX}, {0x12, 0}, {0x8000000000000000, 0}};
    static const struct {
        uint64_t tag, token;
    } sent[] = {{0x8000000000000000, 2}, {0x12, 0}, {0x12, 1}, {0x12, 3}, {0x8000000000000000, 4}};
    struct peer t;
    (void)state;
    begin(&t);
    open_tagged(&t);
    for (unsigned i = 0; i < 5; i++)
        post_tagged(&t, i, posted[i].tag, posted[i].ignore);
    for (unsigned i = 0; i < 5; i++) {
        EXPECT(UET_RC_OK, TSEND4(sent[i].tag));
        assert_int_equal(completion(&t).token, sent[i].token);
    }
    EXPECT(UET_RC_NO_MATCH, TSEND4(0x12));
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_region_removed),
        cmocka_unit_test(test_region_removed_in_message),
        cmocka_unit_test(test_region_removed_under_read),
        cmocka_unit_test(test_region_removed_after_ack),
        cmocka_unit_test(test_region_handle_after_reset),
        cmocka_unit_test(test_responses_after_reset),
        cmocka_unit_test(test_receive_removed),
        cmocka_unit_test(test_many_receives),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_initiators),
        cmocka_unit_test(test_wildcards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
