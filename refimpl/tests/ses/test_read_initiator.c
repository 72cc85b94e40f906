/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads of the FEP: requests, data from ACKs and from the return direction, and what is not
 * believed (3.4.4.2, 3.5.12.1, I12). The target is written by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define MTU       4096u
#define R0        S /* both directions begin at the same PSN (PDS-028) */
#define ACK(...)  ack(&t, &(struct ack_spec){__VA_ARGS__})
#define DATA(...) returned(&t, &(struct data_spec){__VA_ARGS__})
#define OK_RSP    .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK

static uint8_t into[300000];

static uint16_t message_id_of(const struct peer *t)
{
    return uet_ses_message_id(&t->p);
}

/* Takes a READ request that asks for so much at this offset. */
static void expect_read(struct peer *t, uint32_t psn, uint32_t offset, uint32_t length,
                        uint32_t total)
{
    const uint8_t *h = expect_request(t, psn, false);
    const uint8_t *s = uet_ses(&t->p);
    (void)h;
    assert_int_equal(uet_ses_req_opcode(s), UET_OP_READ);
    assert_int_equal(uet_ses_request_length(&t->p), total);
    assert_int_equal(t->p.payload_len, 0);
    assert_int_equal(uet_ses_req_som(s), offset == 0);
    assert_int_equal(uet_ses_req_eom(s), offset + length == total);
    if (offset) {
        assert_int_equal(uet_ses_req_std_payload_length(s), length);
        assert_int_equal(uet_ses_req_std_message_offset(s), offset);
    }
}

/* The ACK of a return Request. */
static void expect_ack(struct peer *t, uint32_t psn, uint32_t cack, uint8_t code)
{
    const uint8_t *h = take(t);
    if (!uet_is_ack(&t->p))
        fail_msg("%s instead of an ACK", uet_headers[t->p.pds].name);
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(CACK(h), cack);
    assert_int_equal(uet_ack_req(h), UET_ACK_NO_REQUEST); /* PDS-092 */
    assert_int_equal(uet_ack_spdcid(h), t->dpdcid);
    assert_int_equal(uet_ack_dpdcid(h), t->spdcid);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t->p)), UET_RSP_DEFAULT_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), code);
}

static void expect_done(struct peer *t, uint32_t length)
{
    struct uet_completion c = completion(t);
    assert_int_equal(c.kind, UET_COMPLETION_OPERATION);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.return_code, UET_RC_OK);
    assert_int_equal(c.length, length);
    no_completion(t);
}

/* Data in the ACK is believed once, and cleared (PDS-118). */
static void test_in_the_ack(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    memset(into, 0, sizeof into);
    fep_reads(&t, into, 8, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_READ);
    uint16_t id = message_id_of(&t);
    const struct data_spec good = {
        .psn = S, .message_id = id, .total = 8, .length = 8, .fill = 0x5a};
    struct data_spec bad = good;
    /* What does not fit is no answer, and writes nothing. */
    bad.message_id++;
    ack_data(&t, S - 1, &bad);
    bad = good;
    bad.total = 9;
    ack_data(&t, S - 1, &bad);
    bad = good;
    bad.said = 9;
    ack_data(&t, S - 1, &bad);
    bad = good;
    bad.offset = MTU;
    ack_data(&t, S - 1, &bad);
    bad = good;
    bad.job_id = JOB + 1;
    ack_data(&t, S - 1, &bad);
    bad = good;
    bad.small = true;
    ack_data(&t, S - 1, &bad);
    assert_int_equal(counter(t.fep, "drop_read_data"), 6);
    assert_int_equal(into[0], 0);
    no_completion(&t);
    ack_data(&t, S - 1, &good);
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(into[i], i < 8 ? 0x5a : 0);
    expect_done(&t, 8);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(h), S);
    peer_free(&t);
}

/* PDS-119, 121: three packets asked for, the data in return Requests, in any order, once. */
static void test_return_direction(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    memset(into, 0, sizeof into);
    fep_reads(&t, into, 2 * MTU + 5, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    ACK(.cack = S, .psn = S, OK_RSP);
    expect_read(&t, S + 1, MTU, MTU, 2 * MTU + 5);
    expect_read(&t, S + 2, 2 * MTU, 5, 2 * MTU + 5);
    ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
    no_completion(&t);
    take_nothing(&t);
    DATA(.psn = R0 + 1, .ar = true, .message_id = id, .total = 2 * MTU + 5, .offset = 2 * MTU,
         .length = 5, .fill = 3);
    expect_ack(&t, R0 + 1, R0 - 1, UET_RC_OK);
    assert_int_equal(into[2 * MTU], 3);
    assert_int_equal(into[2 * MTU + 5], 0);
    DATA(.psn = R0, .message_id = id, .total = 2 * MTU + 5, .length = MTU, .fill = 1);
    expect_ack(&t, R0, R0 + 1, UET_RC_OK); /* the gap below ar has closed (PDS-125) */
    no_completion(&t);
    /* The same bytes with another PSN, or what was not asked for so: not written. */
    DATA(.psn = R0 + 2, .ar = true, .message_id = id, .total = 2 * MTU + 5, .length = MTU,
         .fill = 9);
    expect_ack(&t, R0 + 2, R0 + 2, UET_RC_OK);
    DATA(.psn = R0 + 3, .ar = true, .message_id = id, .total = 2 * MTU + 5, .offset = MTU,
         .length = MTU - 1, .fill = 9);
    expect_ack(&t, R0 + 3, R0 + 3, UET_RC_OK);
    DATA(.psn = R0 + 4, .ar = true, .message_id = (uint16_t)(id + 1), .total = 2 * MTU + 5,
         .offset = MTU, .length = MTU, .fill = 9);
    expect_ack(&t, R0 + 4, R0 + 4, UET_RC_NULL);
    DATA(.psn = R0 + 5, .ar = true, .message_id = id, .total = 2 * MTU + 5, .offset = 3 * MTU,
         .length = MTU, .fill = 9);
    expect_ack(&t, R0 + 5, R0 + 5, UET_RC_OK);
    assert_int_equal(into[0], 1);
    assert_int_equal(into[MTU], 0);
    no_completion(&t);
    DATA(.psn = R0 + 6, .ar = true, .message_id = id, .total = 2 * MTU + 5, .offset = MTU,
         .length = MTU, .fill = 2);
    expect_ack(&t, R0 + 6, R0 + 6, UET_RC_OK);
    expect_done(&t, 2 * MTU + 5);
    assert_int_equal(into[MTU - 1], 1);
    assert_int_equal(into[MTU], 2);
    assert_int_equal(into[2 * MTU - 1], 2);
    /* A copy gets its ACK again, and does nothing. */
    DATA(.psn = R0 + 6, .retx = true, .message_id = id, .total = 2 * MTU + 5, .offset = MTU,
         .length = MTU, .fill = 7);
    expect_ack(&t, R0 + 6, R0 + 6, UET_RC_NULL);
    assert_int_equal(into[MTU], 2);
    assert_int_equal(counter(t.fep, "drop_read_again"), 1);
    assert_int_equal(counter(t.fep, "drop_read_data"), 2);
    assert_int_equal(counter(t.fep, "drop_read_unknown"), 1);
    peer_free(&t);
}

/* Data may be there before the ACK of its request: the operation ends with both (3.4.5.2). */
static void test_data_first(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    (void)completion(&t);
    uint32_t S = t.start_psn;
    fep_reads(&t, into, 100, UET_OP_HEADER_MEDIUM);
    expect_request(&t, S + 1, false);
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_READ);
    DATA(.psn = R0, .ar = true, .small = true, .request_psn = S + 2, .length = 100, .fill = 8);
    expect_ack(&t, R0, R0, UET_RC_NULL); /* of another request */
    DATA(.psn = R0 + 1, .ar = true, .small = true, .request_psn = S + 1, .length = 100, .fill = 8);
    expect_ack(&t, R0 + 1, R0 + 1, UET_RC_OK);
    no_completion(&t);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    expect_done(&t, 100);
    assert_int_equal(into[99], 8);
    peer_free(&t);
}

/* An error ends the READ; no data is waited for. */
static void test_error(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    (void)completion(&t);
    uint32_t S = t.start_psn;
    fep_reads(&t, into, MTU + 1, UET_OP_HEADER_STD);
    expect_read(&t, S + 1, 0, MTU, MTU + 1);
    expect_read(&t, S + 2, MTU, 1, MTU + 1);
    ACK(.cack = S, .psn = S + 1, .opcode = UET_RSP_RESPONSE, .code = UET_RC_BAD_ADDR);
    no_completion(&t);
    ACK(.cack = S, .psn = S + 2, .opcode = UET_RSP_RESPONSE, .code = UET_RC_BAD_ADDR);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_BAD_ADDR);
    peer_free(&t);
}

static void one_pdc(struct uet_fep_config *c)
{
    c->max_pdcs = 1;
}

/* The data was all that the only PDC was open for: it closes for what waits. */
static void test_makes_room(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_pdc);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    const struct uet_ip ip = t.ip;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    fep_writes(&t, 10);
    t.ip = ip;
    ACK(.cack = S, .psn = S, OK_RSP);
    take_nothing(&t);
    DATA(.psn = R0, .ar = true, .message_id = id, .total = 100, .length = 100, .fill = 1);
    expect_ack(&t, R0, R0, UET_RC_OK);
    expect_done(&t, 100);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    peer_free(&t);
}

/* PDS-215: no Close Command before the data is there and acknowledged. */
static void test_close_waits(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    ACK(.cack = S, .psn = S, OK_RSP);
    uet_fep_close(t.fep, NULL, t.now);
    advance(&t, 1000 * MS);
    take_nothing(&t);
    DATA(.psn = R0, .ar = true, .message_id = id, .total = 100, .length = 100, .fill = 1);
    expect_ack(&t, R0, R0, UET_RC_OK);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    expect_done(&t, 100);
    peer_free(&t);
}

/* NACK 0x14 to an ACK Request brings the read again, not another question (Table 3-58). */
static void test_ack_with_data(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    (void)completion(&t);
    uint32_t S = t.start_psn;
    fep_reads(&t, into, 8, UET_OP_HEADER_STD);
    expect_request(&t, S + 1, false);
    uint16_t id = message_id_of(&t);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 8, .sack_base = S + 1, .sack = 1);
    advance(&t, 5 * MS);
    const uint8_t *h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 1);
    nack(&t, UET_NACK_ACK_WITH_DATA, S + 1, t.spdcid);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 8, .sack_base = S + 1, .sack = 1);
    advance(&t, 1 * MS);             /* NACK_Retx_Time */
    expect_request(&t, S + 1, true); /* although SACK tells it again */
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_READ);
    ack_data(&t, S, &(struct data_spec){.psn = S + 1, .message_id = id, .total = 8, .length = 8});
    expect_done(&t, 8);
    peer_free(&t);
}

/*
 * A window of one PSN (MPR 0), and the Clear Command for the data in an ACK is lost: the question
 * for the window is answered by NACK 0x14, and the clear comes again (PDS-077, PDS-192).
 */
static void test_clear_lost(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Override_MPR_Zero_Value = 1;
    fep_writes(&t, 8);
    first(&t);
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 0, .sack_base = S + 1);
    expect_done(&t, 8);
    fep_reads(&t, into, 8, UET_OP_HEADER_STD);
    expect_request(&t, S + 1, false);
    uint16_t id = message_id_of(&t);
    fep_writes(&t, 8);
    ack_data(&t, S, &(struct data_spec){.psn = S + 1, .message_id = id, .total = 8, .length = 8});
    expect_done(&t, 8);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(h), S + 1);
    h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 1);
    nack(&t, UET_NACK_ACK_WITH_DATA, S + 1, t.spdcid);
    h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(h), S + 1);
    peer_free(&t);
}

/*
 * Data that never comes: after 8 s, and again, a NOOP asks whether there is still a target; one
 * that has forgotten the PDC says so, and the read is tried on another (PDS-138).
 */
static void test_forgotten(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, OK_RSP);
    advance(&t, 7999 * MS);
    take_nothing(&t);
    advance(&t, 1 * MS);
    const uint8_t *h = expect_cp(&t, UET_CTL_NOOP);
    assert_int_equal(uet_cp_psn(h), S + 1);
    nack(&t, UET_NACK_INV_DPDCID, S + 1, 0);
    advance(&t, 1 * MS);
    first(&t);
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_READ);
    no_completion(&t);
    peer_free(&t);
}

/* One that is there and never brings the data is asked as often as a packet is resent. */
static void test_never(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, OK_RSP);
    for (uint32_t i = 1; i <= 5; i++) {
        advance(&t, 8000 * MS);
        expect_cp(&t, UET_CTL_NOOP);
        ACK(.cack = S + i, .psn = S + i, .none = true);
        no_completion(&t);
    }
    advance(&t, 8000 * MS);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    peer_free(&t);
}

/* A long read asks for 64 packets ahead of the first that is missing, so that no target drowns. */
static void test_asks_no_more(void **state)
{
    struct peer t;
    const uint32_t total = 66 * MTU;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, total, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    for (uint32_t i = 1; i < 64; i++)
        expect_request(&t, S + i, false);
    take_nothing(&t);
    ACK(.cack = S + 63, .psn = S + 63, OK_RSP);
    take_nothing(&t);
    DATA(.psn = R0, .message_id = id, .total = total, .offset = MTU, .length = MTU);
    take_nothing(&t);
    DATA(.psn = R0 + 1, .message_id = id, .total = total, .length = MTU);
    expect_read(&t, S + 64, 64 * MTU, MTU, total);
    expect_read(&t, S + 65, 65 * MTU, MTU, total);
    take_nothing(&t);
    peer_free(&t);
}

/* A WRITE gets no data, in no way. */
static void test_not_asked(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    memset(into, 0, sizeof into);
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    uint16_t id = message_id_of(&t);
    ack_data(&t, S, &(struct data_spec){.psn = S + 1, .message_id = id, .total = 8, .length = 8});
    no_completion(&t);
    DATA(.psn = R0, .ar = true, .message_id = id, .total = 2 * MTU, .length = MTU);
    expect_ack(&t, R0, R0, UET_RC_NULL);
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true);
    peer_free(&t);
}

/*
 * Everything goes again with other PSNs (0x17), so the PSN that names a READ without a message_id
 * is another one, too (Table 3-13).
 */
static void test_renumbered(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    memset(into, 0, sizeof into);
    fep_reads(&t, into, 100, UET_OP_HEADER_MEDIUM);
    first(&t);
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_NEW_START_PSN,
                                      .psn = t.start_psn,
                                      .payload = 5000,
                                      .no_pdc = true});
    t.start_psn = 5000;
    take(&t);
    assert_int_equal(uet_packet_psn(&t.p), 5000);
    ACK(.cack = 5000, .psn = 5000, OK_RSP);
    DATA(.psn = 5000, .ar = true, .small = true, .request_psn = 5000, .length = 100, .fill = 8);
    expect_ack(&t, 5000, 5000, UET_RC_OK);
    expect_done(&t, 100);
    assert_int_equal(into[99], 8);
    peer_free(&t);
}

/* UET_NO_RESPONSE speaks of arrival only (SES-121): the data is the response of a READ. */
static void test_arrived_only(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_NO_RESPONSE);
    no_completion(&t);
    DATA(.psn = R0, .ar = true, .message_id = id, .total = 100, .length = 100);
    expect_ack(&t, R0, R0, UET_RC_OK);
    expect_done(&t, 100);
    peer_free(&t);
}

/* PDS-215: what came without ar is acknowledged before the Close Command, too. */
static void test_acknowledged_before_close(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = message_id_of(&t);
    ACK(.cack = S, .psn = S, OK_RSP);
    DATA(.psn = R0, .message_id = id, .total = 100, .length = 100);
    uet_fep_close(t.fep, NULL, t.now);
    expect_ack(&t, R0, R0, UET_RC_OK);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    expect_done(&t, 100);
    peer_free(&t);
}

/* A READ behind a message whose response is only promised is asked about as well. */
static void test_forgotten_behind(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_NO_RESPONSE);
    fep_reads(&t, into, 100, UET_OP_HEADER_STD);
    expect_read(&t, S + 1, 0, 100, 100);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    take_nothing(&t);
    advance(&t, 8000 * MS);
    expect_cp(&t, UET_CTL_NOOP);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_the_ack),   cmocka_unit_test(test_return_direction),
        cmocka_unit_test(test_data_first),   cmocka_unit_test(test_error),
        cmocka_unit_test(test_close_waits),  cmocka_unit_test(test_ack_with_data),
        cmocka_unit_test(test_clear_lost),   cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_never),        cmocka_unit_test(test_asks_no_more),
        cmocka_unit_test(test_not_asked),    cmocka_unit_test(test_makes_room),
        cmocka_unit_test(test_renumbered),   cmocka_unit_test(test_forgotten_behind),
        cmocka_unit_test(test_arrived_only), cmocka_unit_test(test_acknowledged_before_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
