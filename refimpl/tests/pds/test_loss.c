/* SPDX-License-Identifier: BSD-2-Clause */
/* What is lost and how it is found out: trimmed packets, and what is quicker than the RTO. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

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
    take(&t);
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

/* A SYN of another incarnation of the PDCID: its NACK does not tell the TPDCID of the old one. */
static void test_trimmed_other_incarnation(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, trims);
    open_pdc(&t, S0);
    cut(&t, TRIMMED);
    request(&t,
            &(struct req){.psn = S0 + 1, .opcode = UET_OP_WRITE, .length = 100, .payload = 100});
    expect_nack(&t, 0x01, S0 + 1, t.dpdcid);
    t.start_psn = S0 + 1000000;
    request(&t, &(struct req){
                    .psn = t.start_psn, .opcode = UET_OP_WRITE, .length = 100, .payload = 100});
    expect_nack(&t, 0x01, t.start_psn, 0);
    peer_free(&t);
}

static void native_trims(struct uet_fep_config *c)
{
    trims(c);
    c->over_udp = false;
}

/* NET-011: over native IP (entropy header and 16 bytes are kept) the same NACK, over native IP. */
static void test_trimmed_native(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, native_trims);
    t.native = true;
    open_pdc(&t, S0);
    t.dscp = TRIMMED;
    t.trim = 20;
    REQ(.psn = S0 + 1, GOOD, .entropy = 0x1234);
    expect_nack(&t, 0x01, S0 + 1, t.dpdcid);
    assert_int_equal(uet_entropy(&t.p), 0x1234);
    assert_int_equal(t.bytes[14 + 9], 253); /* IP protocol */
    whole(&t);
    REQ(.psn = S0 + 1, GOOD, .ar = true);
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

/* ---- sooner than the RTO ---- */

/* The FEP has sent S .. S + n - 1; S is acknowledged. */
static uint32_t streaming(struct peer *t, uint32_t n)
{
    establish(t, n);
    for (uint32_t i = 1; i < n; i++)
        expect_request(t, t->start_psn + i, false);
    return t->start_psn;
}

#define SACK_FROM(cack_psn, base, bits)                                                            \
    .cack = (cack_psn), .psn = (cack_psn), OK_RSP, .cc = true, .mpr = 8, .sack_base = (base),      \
    .sack = (bits)

/* Three that were sent later have arrived; each packet once, until later ones arrive again. */
static void test_by_sack(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->SACK_Loss_Count = 3;
    uint32_t S = streaming(&t, 12);
    ACK(SACK_FROM(S, S + 2, 3)); /* S + 2, S + 3 */
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 2, 3)); /* the same again says nothing new */
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 2, 3 | 8)); /* S + 5: three above S + 1, one above S + 4 */
    expect_request(&t, S + 1, true);
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 2, 3 | 8 | 0xf0)); /* S + 6 .. S + 9 were sent before that resend */
    expect_request(&t, S + 4, true);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "loss_by_sack"), 2);
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true); /* the RTO is there still */
    peer_free(&t);
}

/* Off, as by default: only the RTO; a cleared bit means nothing (PDS-115). */
static void test_by_rto_only(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uint32_t S = streaming(&t, 30);
    ACK(SACK_FROM(S, S + 2, 0xffffff), .ooo = 24);
    take_nothing(&t);
    advance(&t, 5 * MS - 1);
    take_nothing(&t);
    advance(&t, 1);
    expect_request(&t, S + 1, true);
    peer_free(&t);
}

/* ooo_count of the ACK, and what is missing below the highest PSN that arrived. */
static void test_by_ooo(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->OOO_Loss_Count = 5;
    uint32_t S = streaming(&t, 12);
    ACK(SACK_FROM(S, S + 1, 0x5a), .ooo = 4);
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 1, 0x5a), .ooo = 0xffff); /* not computed */
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 1, 0x5a), .ooo = 5); /* S + 2, 4, 5, 7 have come */
    expect_request(&t, S + 1, true);
    expect_request(&t, S + 3, true);
    expect_request(&t, S + 6, true);
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 1, 0x5a), .ooo = 5); /* those are on their way */
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "loss_by_ooo"), 3);
    peer_free(&t);
}

/* Four entropy values in turn; on one of them packets keep their order. */
static void test_by_ev(void **state)
{
    struct peer t;
    uint16_t entropy[12];
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->EV_Slots = 4;
    uet_fep_params(t.fep)->EV_Loss = true;
    fep_writes(&t, 12 * MTU);
    for (uint32_t i = 0; i < 12; i++) {
        if (i == 0)
            first(&t);
        else
            expect_request(&t, t.start_psn + i, false);
        entropy[i] = uet_entropy(&t.p);
        for (uint32_t k = 0; k < i; k++) /* S + i and S + i + 4 go the same way, no others */
            assert_int_equal(entropy[k] == entropy[i], (i - k) % 4 == 0);
    }
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, OK_RSP);
    ACK(SACK_FROM(S, S + 2, 3)); /* two other ways */
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 5, 1)); /* the way of S + 1 */
    expect_request(&t, S + 1, true);
    take_nothing(&t);
    ACK(SACK_FROM(S, S + 8, 1)); /* the way of S + 4, lost too */
    expect_request(&t, S + 4, true);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "loss_by_ev"), 2);
    peer_free(&t);
}

/* PDS-230: the tail again after Tail_Loss_Time, at most Max_Tail_Loss_Retx times in silence. */
static void test_tail(void **state)
{
    struct peer t;
    (void)state;
    for (int rod = 0; rod < 2; rod++) {
        peer_init(&t, NULL);
        t.rod = rod;
        uet_fep_params(t.fep)->Tail_Loss_Time = 1 * MS;
        uet_fep_params(t.fep)->Max_Tail_Loss_Retx = 2;
        uint32_t S = streaming(&t, 3);
        for (int i = 0; i < 2; i++) {
            advance(&t, 1 * MS - 1);
            take_nothing(&t);
            advance(&t, 1);
            if (rod) /* go-back-N */
                expect_request(&t, S + 1, true);
            expect_request(&t, S + 2, true);
            take_nothing(&t);
        }
        advance(&t, 2 * MS);
        take_nothing(&t);
        if (!rod) { /* an ACK begins it anew, for what is the tail then */
            ACK(SACK_FROM(S, S + 1, 2));
            advance(&t, 1 * MS - 1);
            take_nothing(&t);
            advance(&t, 1);
            take(&t); /* at 5 ms the RTO of S + 1 is over as well */
            assert_int_equal(uet_packet_psn(&t.p), S + 1);
        }
        ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
        assert_int_equal(completion(&t).status, UET_STATUS_OK);
        assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
        peer_free(&t);
    }
}

/* As often as a NACK may ask for a packet; after that its RTO decides. */
static void test_inference_ends(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->SACK_Loss_Count = 1;
    uet_fep_params(t.fep)->Max_NACK_Retx_Cnt = 2;
    uint32_t S = streaming(&t, 2);
    for (uint32_t i = 2; i < 5; i++) {
        fep_writes(&t, 10);
        expect_request(&t, S + i, false);
        ACK(.cack = S, .psn = S + i, OK_RSP);
        completion(&t);
        if (i < 4)
            expect_request(&t, S + 1, true);
        take_nothing(&t);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
    peer_free(&t);
}

/* As target: PDS-229, once for a gap. */
static void test_receiver_infers(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Infer_Loss_Count = 3;
    open_pdc(&t, S0);
    for (uint32_t i = 2; i <= 3; i++)
        REQ(.psn = S0 + i, GOOD);
    take_nothing(&t);
    REQ(.psn = S0 + 4, GOOD);
    expect_nack(&t, 0x1a, S0 + 1, t.dpdcid);
    REQ(.psn = S0 + 5, GOOD);
    take_nothing(&t);
    REQ(.psn = S0 + 1, GOOD, .retx = true);
    assert_int_equal(CACK(take(&t)), S0 + 5);
    for (uint32_t i = 7; i <= 8; i++)
        REQ(.psn = S0 + i, GOOD);
    take_nothing(&t);
    REQ(.psn = S0 + 9, GOOD);
    expect_nack(&t, 0x1a, S0 + 6, t.dpdcid);
    peer_free(&t);
}

/* ---- pds.mpr 0 ---- */

static void spec_1_0_2(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_2;
}

/* PDS-064, 065: no limit before 1.0.3; then Override_MPR_Zero_Value, else as 1. */
static void test_mpr_zero(void **state)
{
    static const uint32_t want[] = {20, 128, 300}; /* packets beyond CACK */
    struct peer t;
    (void)state;
    for (int way = 0; way < 3; way++) {
        peer_init(&t, way == 2 ? spec_1_0_2 : NULL);
        uet_fep_params(t.fep)->Override_MPR_Zero_Value = way == 0 ? 20 : 0;
        establish(&t, 1);
        ACK(.cack = t.start_psn, .psn = t.start_psn, OK_RSP, .cc = true, .sack_base = t.start_psn);
        for (int i = 0; i < 10; i++)
            fep_writes(&t, 30 * MTU);
        for (uint32_t i = 1; i <= want[way]; i++)
            expect_request(&t, t.start_psn + i, false);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* As target, MPR_Zero: the window that mpr 0 stands for is the one that is kept. */
static void test_own_small_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Override_MPR_Zero_Value = 20;
    uet_fep_params(t.fep)->MPR_Zero = true;
    open_pdc(&t, S0);
    assert_int_equal(uet_ack_cc_mpr(uet_pds(&t.p)), 0);
    REQ(.psn = S0 + 21, GOOD);
    expect_nack(&t, 0x0b, S0 + 21, t.dpdcid);
    REQ(.psn = S0 + 20, GOOD, .ar = true);
    assert_int_equal(ACK_PSN((take(&t), &t)), S0 + 20);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trimmed_request),
        cmocka_unit_test(test_trimmed_opens_nothing),
        cmocka_unit_test(test_trimmed_other_incarnation),
        cmocka_unit_test(test_trimmed_native),
        cmocka_unit_test(test_no_role),
        cmocka_unit_test(test_trimmed_answers),
        cmocka_unit_test(test_nack_trimmed),
        cmocka_unit_test(test_by_sack),
        cmocka_unit_test(test_by_rto_only),
        cmocka_unit_test(test_by_ooo),
        cmocka_unit_test(test_by_ev),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_inference_ends),
        cmocka_unit_test(test_receiver_infers),
        cmocka_unit_test(test_mpr_zero),
        cmocka_unit_test(test_own_small_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
