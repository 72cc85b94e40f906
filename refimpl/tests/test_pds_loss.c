/* SPDX-License-Identifier: BSD-2-Clause */
/* What is lost and how it is found out: trimmed packets, and what is quicker than the RTO. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/peer.h"

#define MTU      4096u
#define S0       0x10000u
#define TRIMMED  11u /* DSCPs of this test's operator */
#define LASTHOP  12u
#define KEPT     24u /* UDP and 16 bytes (Table 4-1) */
#define REQ(...) request(&t, &(struct req){__VA_ARGS__})
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK
#define GOOD     .no_syn = true, .opcode = UET_OP_WRITE, .message_id = 4, .length = 100, .payload = 100

static void trims(struct uet_fep_config *c)
{
    c->dscp_trimmed = 1u << TRIMMED;
    c->dscp_trimmed_lasthop = 1u << LASTHOP;
}

static void trims_1_0_2(struct uet_fep_config *c)
{
    trims(c);
    c->spec = UET_SPEC_1_0_2;
}

static void cut(struct peer *t, uint8_t dscp)
{
    t->dscp = dscp;
    t->trim = KEPT;
}

static void whole(struct peer *t)
{
    t->dscp = 0;
    t->trim = 0;
}

static const uint8_t *expect_nack(struct peer *t, uint8_t code, uint32_t psn, uint16_t spdcid)
{
    const uint8_t *h = take(t);
    assert_true(uet_is_nack(&t->p));
    assert_int_equal(uet_nack_nack_code(h), code);
    assert_int_equal(uet_nack_nack_psn(h), psn);
    assert_int_equal(uet_nack_spdcid(h), spdcid);
    return h;
}

/* PDS-216, 218, 219, 221; CMS-016: NACK with m and entropy, and the PSN stays new. */
static void test_trimmed_request(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, trims);
    open_pdc(&t, S0);
    cut(&t, TRIMMED);
    REQ(.psn = S0 + 1, GOOD, .ce = true, .entropy = 0x1234, .retx = true);
    const uint8_t *h = expect_nack(&t, 0x01, S0 + 1, t.dpdcid);
    assert_true(uet_nack_m(h));
    assert_true(uet_nack_retx(h));
    assert_int_equal(uet_entropy(&t.p), 0x1234);
    cut(&t, LASTHOP);
    REQ(.psn = S0 + 1, GOOD);
    h = expect_nack(&t, 0x02, S0 + 1, t.dpdcid);
    assert_false(uet_nack_m(h));
    whole(&t);
    REQ(.psn = S0 + 1, GOOD, .retx = true, .fill = 5);
    h = take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_int_equal(CACK(h), S0 + 1);
    assert_int_equal(t.region[0], 5);
    /* A NO_OP (64 bytes of UDP) and a write (164), each and 40 bytes: 308, in units of 256. */
    assert_int_equal(uet_ack_cc_state_nscc_rcvd_bytes(uet_cc_state_of(&t.p)), 2);
    cut(&t, TRIMMED);
    REQ(.psn = S0 + 1, GOOD, .retx = true); /* received already: ACK (contested, PDS-220) */
    h = take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_int_equal(ACK_PSN(&t), S0 + 1);
    REQ(.psn = S0 - 9, GOOD);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "rx_trimmed"), 4);
    peer_free(&t);
}

/* PDS-217: ROD alike; PDS-044: no PDC comes of it, by syn or not; T1. */
static void test_trimmed_opens_nothing(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, trims);
    t.start_psn = S0;
    cut(&t, TRIMMED);
    REQ(.psn = S0, .opcode = UET_OP_WRITE, .length = 100, .payload = 100);
    expect_nack(&t, 0x01, S0, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    t.dpdcid = 77;
    REQ(.psn = S0 + 1, GOOD);
    expect_nack(&t, 0x01, S0 + 1, 0);
    whole(&t);
    request(&t, &(struct req){.psn = S0, .opcode = UET_OP_NO_OP, .rod = true});
    t.dpdcid = uet_ack_spdcid(take(&t));
    cut(&t, TRIMMED);
    REQ(.psn = S0 + 1, GOOD, .rod = true);
    expect_nack(&t, 0x01, S0 + 1, t.dpdcid);
    whole(&t);
    REQ(.psn = S0 + 1, GOOD, .rod = true, .ar = true);
    assert_int_equal(CACK(take(&t)), S0 + 1);
    peer_free(&t);
}

/* Without the role no packet is taken for trimmed, only for malformed. */
static void test_no_role(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    cut(&t, TRIMMED);
    REQ(.psn = S0 + 1, GOOD);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_udp_length"), 1);
    peer_free(&t);
}

/* PDS-222, 223, 146, 224: ACKs, NACKs and CPs that were cut; the source resends by RTO. */
static void test_trimmed_answers(void **state)
{
    struct peer t;
    (void)state;
    for (int old = 0; old < 2; old++) {
        peer_init(&t, old ? trims_1_0_2 : trims);
        establish(&t, 2);
        uint32_t S = t.start_psn;
        expect_request(&t, S + 1, false);
        cut(&t, TRIMMED);
        ACK(.cack = S + 1, .psn = S + 1, OK_RSP, .cc = true); /* no data: nothing to say */
        ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
        take_nothing(&t);
        no_completion(&t);
        assert_int_equal(counter(t.fep, "drop_trimmed_ack"), 2);
        t.trim = 8 + 12;
        t.next_hdr = UET_NH_RESPONSE_DATA;
        ACK(.cack = S, .psn = S + 1, OK_RSP);
        if (old) {
            expect_nack(&t, 0x03, S + 1, t.dpdcid);
            expect_request(&t, S + 1, true);
        }
        take_nothing(&t);
        t.trim = 8 + 8;
        nack(&t, 0x19, S + 1, t.spdcid);
        CP(.ctl = UET_CTL_CLOSE_REQUEST, .psn = S, .ar = true);
        take_nothing(&t);
        assert_int_equal(counter(t.fep, "drop_trimmed"), 2);
        whole(&t);
        t.next_hdr = 0;
        advance(&t, 5 * MS);
        expect_request(&t, S + 1, true);
        peer_free(&t);
    }
}

/* The whole of it as source: 0x01 and 0x02 ask for the packet again (PDS-226). */
static void test_nack_trimmed(void **state)
{
    struct peer t;
    (void)state;
    for (uint8_t code = 0x01; code <= 0x02; code++) {
        peer_init(&t, trims);
        fep_writes(&t, 2 * MTU);
        first(&t);
        uint16_t entropy = uet_entropy(&t.p);
        nack_with(&t, &(struct nack_spec){.code = code, .psn = t.start_psn, .no_pdc = true});
        expect_request(&t, t.start_psn + 1, false);
        advance(&t, 1 * MS);
        expect_request(&t, t.start_psn, true); /* on the same PDC, with syn still */
        assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
        assert_int_not_equal(uet_entropy(&t.p), entropy);
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trimmed_request), cmocka_unit_test(test_trimmed_opens_nothing),
        cmocka_unit_test(test_no_role),         cmocka_unit_test(test_trimmed_answers),
        cmocka_unit_test(test_nack_trimmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
