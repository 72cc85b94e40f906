/* SPDX-License-Identifier: BSD-2-Clause */
/* The initiator's rules: the test is a target written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/choices.h"
#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK

/* PDS-023..025, 034, 126, 070 and the SES fields of a message of three packets. */
static void test_message(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 2 * MTU + 100);
    first(&t);
    uint32_t S = t.start_psn;
    const uint8_t *s = uet_ses(&t.p);
    assert_int_equal(t.p.ses, UET_H_SES_REQ_STD_SOM1);
    assert_int_equal(uet_ses_req_opcode(s), UET_OP_WRITE);
    assert_true(uet_ses_req_som(s));
    assert_false(uet_ses_req_eom(s));
    uint16_t id = uet_ses_message_id(&t.p);
    assert_int_not_equal(id, 0);
    assert_int_equal(uet_ses_request_length(&t.p), 2 * MTU + 100);
    assert_int_equal(t.p.payload_len, MTU);
    assert_false(uet_rud_rod_req_ar(uet_pds(&t.p)));
    const uint8_t *h = expect_request(&t, S + 1, false);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN); /* syn goes on */
    assert_int_equal(uet_rud_rod_req_psn_offset(h), 1);
    assert_int_equal(t.p.ses, UET_H_SES_REQ_STD_SOM0);
    assert_int_equal(uet_ses_message_offset(&t.p), MTU);
    ACK(.cack = S, .psn = S, OK_RSP, .message_id = id);
    h = expect_request(&t, S + 2, false);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(uet_rud_rod_req_dpdcid(h), t.spdcid);
    assert_true(uet_rud_rod_req_ar(h));
    assert_int_equal(uet_clear_psn(&t.p), S);
    s = uet_ses(&t.p);
    assert_true(uet_ses_req_eom(s));
    assert_int_equal(uet_ses_message_id(&t.p), id);
    assert_int_equal(uet_ses_req_std_payload_length(s), 100);
    take_nothing(&t);
    no_completion(&t);
    ACK(.cack = S + 2, .psn = S + 2, OK_RSP, .message_id = id); /* S + 1 by CACK only */
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, 2 * MTU + 100);
    advance(&t, 60000 * MS);
    take_nothing(&t); /* nothing acknowledged is sent again (PDS-162) */
    peer_free(&t);
}

/* PDS-156..158, 160, 213: RTO doubles, five resends, then the end without Close Command. */
static void test_rto(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    for (unsigned i = 0; i < 5; i++) { /* 5, 10, 20, 40, 80 ms */
        advance(&t, ((5ull << i) * MS) - 1);
        take_nothing(&t);
        advance(&t, 1);
        expect_request(&t, S, true);
        assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
    }
    no_completion(&t);
    advance(&t, 160 * MS - 1);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
    advance(&t, 1);
    take_nothing(&t);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    advance(&t, 50 * MS); /* Syn_Retx_Safety_Time */
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    peer_free(&t);
}

static void rto_4s(struct uet_fep_config *c)
{
    c->params.RTO_Init_Time = 3000 * MS;
    c->params.Max_RTO_Retx_Cnt = 15;
}

/* The RTO stays at 8 s, and 15 retries have no end (PDS-159). */
static void test_rto_cap(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, rto_4s);
    fep_writes(&t, 10);
    first(&t);
    advance(&t, 3000 * MS);
    expect_request(&t, t.start_psn, true);
    advance(&t, 6000 * MS);
    expect_request(&t, t.start_psn, true);
    for (unsigned i = 0; i < 40; i++) {
        advance(&t, 8000 * MS - 1);
        take_nothing(&t);
        advance(&t, 1);
        expect_request(&t, t.start_psn, true);
    }
    peer_free(&t);
}

/* PDS-060, 062, 063, 066: the window. */
static void test_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    for (int i = 0; i < 25; i++)
        fep_writes(&t, 48 * MTU); /* 1200 packets */
    first(&t);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 1024; i++)
        expect_request(&t, S + i, false);
    assert_true(uet_rud_rod_req_ar(uet_pds(&t.p))); /* the window is full */
    take_nothing(&t);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 2, .sack_base = S);
    take_nothing(&t);
    ACK(.cack = S + 999, .psn = S + 999, OK_RSP, .cc = true, .mpr = 1, .sack_base = S);
    for (uint32_t i = 1024; i <= 999 + 128; i++)
        expect_request(&t, S + i, false);
    take_nothing(&t);
    ACK(.cack = S + 999, .psn = S + 998, OK_RSP, .cc = true, .mpr = 4, .sack_base = S);
    take_nothing(&t); /* not newer: ignored */
    assert_int_equal(counter(t.fep, "ack_mpr_stale"), 1);
    peer_free(&t);
}

/* PDS-122..124: ACKs that say what cannot be. */
static void test_bad_acks(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    ACK(.cack = S + 100, .psn = S + 100, OK_RSP);
    ACK(.cack = S + 1, .psn = S + 2, OK_RSP);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP, .other_spdcid = true);
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    assert_int_equal(uet_ip_parse(&t.ip, PEER_IP), 0);
    no_completion(&t);
    assert_int_equal(counter(t.fep, "drop_ack_beyond"), 2);
    assert_int_equal(counter(t.fep, "drop_ack_spdcid"), 1);
    assert_int_equal(counter(t.fep, "drop_ack_source"), 1);
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true);
    peer_free(&t);
}

static void resends_syn(struct uet_fep_config *c)
{
    static const struct uet_fep_choices choices = {.syn_resends = true};
    c->choices = &choices;
}

/*
 * What went out with syn = 1 is resent so; but the target was restarted, and opens another PDC for
 * it. With syn = 0 it says that the first one is gone, and all is tried again.
 */
static void test_syn_opens_another(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, resends_syn);
    fep_writes(&t, MTU + 4);
    first(&t);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    ACK(.cack = S, .psn = S, OK_RSP);
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
    ACK(.cack = S - 1, .psn = S + 1, OK_RSP, .other_spdcid = true);
    advance(&t, 10 * MS);
    const uint8_t *h = expect_request(&t, S + 1, true);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(uet_rud_rod_req_dpdcid(h), t.spdcid);
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_INV_DPDCID, .psn = S + 1, .no_pdc = true});
    advance(&t, MS);
    take(&t);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
    assert_int_not_equal(uet_packet_psn(&t.p), S);
    peer_free(&t);
}

/* PDS-115..117, 142, 143, 189: SACK, then ACK Request instead of data. */
static void test_sack(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 4);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i <= 3; i++)
        expect_request(&t, S + i, false);
    uint16_t id = uet_ses_message_id(&t.p);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 8, .sack_base = S + 1, .sack = 2);
    no_completion(&t);
    take_nothing(&t); /* cleared bits say nothing */
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true);
    const uint8_t *h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 2);
    assert_true(uet_cp_ar(h));
    assert_int_equal(uet_cp_payload_value(h), id);
    expect_request(&t, S + 3, true);
    take_nothing(&t);
    nack(&t, 0x12, S + 2, t.spdcid); /* not received after all */
    advance(&t, 1 * MS);
    expect_request(&t, S + 2, true);
    peer_free(&t);
}

/* PDS-080, 082, 094, 085: CLEAR by Clear Command. */
static void test_clear_command(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    ACK(.cack = S - 1, .psn = S, .req = UET_ACK_REQ_CLEAR, .opcode = UET_RSP_RESPONSE,
        .code = UET_RC_BAD_MKEY);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_BAD_MKEY);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_psn(h), 0);
    assert_false(uet_cp_ar(h));
    assert_int_equal(uet_cp_dpdcid(h), t.spdcid);
    assert_int_equal(uet_cp_payload_value(h), S);
    take_nothing(&t);
    CP(.ctl = UET_CTL_CLEAR_REQUEST, .payload = S);
    h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(h), S);
    take_nothing(&t);
    peer_free(&t);
}

/* PDS-081: with requests to send, CLEAR rides on them. */
static void test_clear_rides(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    fep_writes(&t, 20);
    ACK(.cack = S - 1, .psn = S, .req = UET_ACK_REQ_CLEAR, .opcode = UET_RSP_RESPONSE,
        .code = UET_RC_BAD_MKEY);
    expect_request(&t, S + 1, false);
    assert_int_equal(uet_clear_psn(&t.p), S);
    take_nothing(&t);
    peer_free(&t);
}

/* A window closed by uncleared responses only: Clear Command, then ask for the CACK. */
static void test_clear_opens_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    uint32_t S = t.start_psn;
    completion(&t);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 1, .sack_base = S);
    for (uint32_t i = 1; i <= 128; i++) {
        fep_writes(&t, 10);
        expect_request(&t, S + i, false);
    }
    fep_writes(&t, 10);
    take_nothing(&t);
    for (uint32_t i = 1; i <= 128; i++)
        ACK(.cack = S, .psn = S + i, .req = UET_ACK_REQ_CLEAR, .opcode = UET_RSP_RESPONSE,
            .code = UET_RC_BAD_MKEY);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(h), S + 128);
    h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 128);
    take_nothing(&t);
    advance(&t, 6 * MS);
    expect_cp(&t, UET_CTL_ACK_REQUEST);
    ACK(.cack = S + 128, .psn = S + 128, OK_RSP);
    expect_request(&t, S + 129, false);
    peer_free(&t);
}

static void window_of_two(struct uet_fep_config *c)
{
    c->params.Override_MPR_Zero_Value = 2;
}

/* The same again, with other packets and within the time of the first question. */
static void test_clear_opens_window_again(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, window_of_two);
    establish(&t, 1);
    uint32_t S = t.start_psn, last = S;
    completion(&t);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 0, .sack_base = S);
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t i = 1; i <= 3; i++)
            fep_writes(&t, 10);
        for (uint32_t i = 1; i <= 2; i++)
            expect_request(&t, last + i, false);
        for (uint32_t i = 1; i <= 2; i++)
            ACK(.cack = last, .psn = last + i, .req = UET_ACK_REQ_CLEAR, .opcode = UET_RSP_RESPONSE,
                .code = UET_RC_BAD_MKEY);
        assert_int_equal(uet_cp_payload_value(expect_cp(&t, UET_CTL_CLEAR_COMMAND)), last + 2);
        assert_int_equal(uet_cp_psn(expect_cp(&t, UET_CTL_ACK_REQUEST)), last + 2);
        take_nothing(&t);
        last += 2;
        ACK(.cack = last, .psn = last, OK_RSP);
        expect_request(&t, last + 1, false);
        last++;
        ACK(.cack = last, .psn = last, OK_RSP);
        take_nothing(&t);
    }
    peer_free(&t);
}

/* A smaller window holds back what a NACK refused: the CACK that would open it is asked for. */
static void test_refused_beyond_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 3);
    uint32_t S = t.start_psn;
    uet_fep_params(t.fep)->Override_MPR_Zero_Value = 1;
    expect_request(&t, S + 1, false);
    expect_request(&t, S + 2, false);
    ACK(.cack = S, .psn = S + 1, .req = UET_ACK_REQ_CLEAR, .opcode = UET_RSP_RESPONSE,
        .code = UET_RC_BAD_MKEY, .cc = true, .mpr = 0, .sack_base = S, .sack = 3);
    nack(&t, UET_NACK_NO_GTD_DEL_AVAIL, S + 2, t.spdcid);
    expect_cp(&t, UET_CTL_CLEAR_COMMAND);
    take_nothing(&t);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    assert_int_equal(uet_cp_psn(expect_cp(&t, UET_CTL_ACK_REQUEST)), S + 1);
    take_nothing(&t);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    expect_request(&t, S + 2, true);
    peer_free(&t);
}

/* PDS-134..136, 148, 154: NACKs of class NORMAL. */
static void test_nack_retx(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    nack(&t, 0x16, S + 5, 0); /* fatal, but not outstanding */
    nack(&t, 0x40, S, 0);     /* reserved */
    take_nothing(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
    nack(&t, 0x07, S, t.spdcid);
    take_nothing(&t);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    expect_request(&t, S, true);
    fep_writes(&t, 20); /* the NACK taught the TPDCID (PDS-035) */
    const uint8_t *h = expect_request(&t, S + 1, false);
    assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(uet_rud_rod_req_dpdcid(h), t.spdcid);
    ACK(.cack = S - 1, .psn = S + 1, OK_RSP);
    completion(&t);
    for (int i = 0; i < 4; i++) {
        nack(&t, 0x07, S, t.spdcid);
        advance(&t, 1 * MS);
        expect_request(&t, S, true);
    }
    nack(&t, 0x07, S, t.spdcid); /* the sixth: five resends were allowed */
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    const uint8_t *cp = expect_cp(&t, UET_CTL_CLOSE_COMMAND); /* closes in error (PDS-160) */
    assert_int_equal(uet_cp_psn(cp), S + 2);
    ACK(.cack = S - 1, .psn = S + 2, .none = true);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    peer_free(&t);
}

/* PDS-137: no PDC at the peer; the same message again on a new one. */
static void test_nack_no_pdc(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint16_t old = t.dpdcid, id = uet_ses_message_id(&t.p);
    nack(&t, 0x04, t.start_psn, 0);
    take_nothing(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    advance(&t, 1 * MS);
    first(&t);
    assert_int_not_equal(t.dpdcid, old);
    assert_int_equal(uet_ses_message_id(&t.p), id);
    for (int i = 0; i < 4; i++) {
        nack(&t, 0x0a, t.start_psn, 0);
        advance(&t, 1 * MS);
        first(&t);
    }
    nack(&t, 0x05, t.start_psn, 0);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    advance(&t, 10 * MS);
    take_nothing(&t);
    peer_free(&t);
}

/* PDS-138..141: class PDC_FATAL, with and without a retry. */
static void test_nack_fatal(void **state)
{
    static const uint8_t retry[] = {0x0e, 0x0f, 0x10, 0x15, 0x16, 0x19};
    static const uint8_t fail[] = {0x11, 0x13, 0xff};
    struct peer t;
    (void)state;
    for (size_t i = 0; i < sizeof retry; i++) {
        peer_init(&t, NULL);
        establish(&t, 2);
        uint16_t old = t.dpdcid, id = uet_ses_message_id(&t.p);
        expect_request(&t, t.start_psn + 1, false);
        nack(&t, retry[i], t.start_psn + 1, retry[i] == 0x10 ? t.spdcid : 0);
        if (retry[i] >= 0x16) /* the peer has its half of the PDC still */
            expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        take_nothing(&t);
        advance(&t, 1 * MS);
        first(&t); /* from the beginning: a message has one PDC */
        assert_int_not_equal(t.dpdcid, old);
        assert_int_equal(uet_ses_message_id(&t.p), id);
        peer_free(&t);
    }
    for (size_t i = 0; i < sizeof fail; i++) {
        peer_init(&t, NULL);
        establish(&t, 2);
        expect_request(&t, t.start_psn + 1, false);
        nack(&t, fail[i], t.start_psn + 1, t.spdcid);
        assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
        if (fail[i] != 0x11) {
            expect_cp(&t, UET_CTL_CLOSE_COMMAND);
            nack(&t, 0x0e, t.start_psn + 2, 0);
        }
        advance(&t, 100 * MS);
        take_nothing(&t);
        assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
        peer_free(&t);
    }
}

/* UET_PDC_MODE_MISMATCH for a SYN tells of another PDC: it teaches no TPDCID, and none is closed.
 */
static void test_mismatch_for_syn(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint16_t old = t.dpdcid;
    nack(&t, UET_NACK_PDC_MODE_MISMATCH, t.start_psn, t.spdcid);
    take_nothing(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    first(&t);
    assert_int_not_equal(t.dpdcid, old);
    peer_free(&t);
}

/* What was given up keeps the window of the target where it is: the Close Command behind it is
 * refused for ever. */
static void test_close_beyond_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Max_NACK_Retx_Cnt = 0;
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    nack(&t, UET_NACK_NO_RESOURCE, S + 1, t.spdcid); /* once too often */
    assert_int_equal(uet_packet_psn((expect_cp(&t, UET_CTL_CLOSE_COMMAND), &t.p)), S + 2);
    uet_fep_params(t.fep)->Max_NACK_Retx_Cnt = 31;
    nack(&t, UET_NACK_PSN_OOR_WINDOW, S + 2, t.spdcid);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    advance(&t, 10 * MS);
    take_nothing(&t);
    peer_free(&t);
}

/* SES-110, 121: UET_NO_RESPONSE is not an answer. */
static void test_no_response(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = uet_ses_message_id(&t.p);
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_NO_RESPONSE, .code = UET_RC_NULL);
    advance(&t, 1000 * MS);
    take_nothing(&t);
    no_completion(&t);
    ACK(.cack = S, .psn = S, .opcode = UET_RSP_RESPONSE, .code = UET_RC_OK, .message_id = id,
        .modified = 7);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, 7);
    peer_free(&t);
}

/* SES-108, 129: no buffer yet, or an older generation: the message again, five times. */
static void test_ses_retry(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t psn = t.start_psn;
    uint16_t id = uet_ses_message_id(&t.p);
    for (int i = 0; i < 5; i++, psn++) {
        ACK(.cack = psn, .psn = psn, .opcode = UET_RSP_RESPONSE, .code = UET_RC_NO_MATCH);
        uint64_t least = (50 * MS) << i; /* 50..100 ms, and twice as long with each try (SES-129) */
        advance(&t, least - 1);
        take_nothing(&t);
        advance(&t, least);
        expect_request(&t, psn + 1, false);
        assert_int_not_equal(uet_ses_message_id(&t.p), id);
        no_completion(&t);
    }
    ACK(.cack = psn, .psn = psn, .opcode = UET_RSP_RESPONSE, .code = UET_RC_NO_MATCH);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_NO_MATCH);
    peer_free(&t);
}

/* NOOP, Probe and Negotiation on request (3.5.16). */
static void test_control(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    assert_int_equal(uet_fep_control(t.fep, &t.ip, UET_CTL_PROBE, t.now), -2); /* -ENOENT */
    assert_int_equal(uet_fep_control(t.fep, &t.ip, UET_CTL_NOOP, t.now), 0);
    const uint8_t *h = take(&t);
    assert_int_equal(t.p.pds, UET_H_CP_SYN);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_NOOP);
    t.start_psn = uet_start_psn(&t.p);
    t.dpdcid = uet_cp_spdcid(h);
    assert_int_equal(uet_fep_control(t.fep, &t.ip, UET_CTL_PROBE, t.now), 0);
    take_nothing(&t); /* not before the first ACK (PDS-046) */
    ACK(.cack = t.start_psn, .psn = t.start_psn, .none = true);
    take(&t);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_PROBE);
    assert_int_equal(uet_fep_control(t.fep, &t.ip, UET_CTL_NEGOTIATION, t.now), 0);
    h = take(&t);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF);
    assert_int_equal(uet_cp_psn(h), t.start_psn + 1);
    assert_int_equal(uet_cp_payload_negotiation_on_off_neg_length(uet_cp_payload_of(&t.p)), 2);
    peer_free(&t);
}

/*
 * PDS-137, PDS-001: the first SYN packet found no PDC free, the second one did. The first goes
 * again on that PDC; the message is not begun anew on another, or its second packet would be done
 * twice.
 */
static void test_refused_then_opened(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 2 * MTU);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = t.dpdcid;
    expect_request(&t, S + 1, false);
    nack(&t, 0x04, S, 0);
    advance(&t, 2 * MS); /* NACK_Retx_Time and more: the second packet's fate decides */
    take_nothing(&t);
    ACK(.cack = S - 1, .psn = S + 1, OK_RSP);
    const uint8_t *h = expect_request(&t, S, true);
    assert_int_equal(uet_rud_rod_req_spdcid(h), id);
    assert_true(t.p.pds == UET_H_RUD_ROD_REQ);
    assert_int_equal(counter(t.fep, "op_retried"), 0);
    ACK(.cack = S + 1, .psn = S, OK_RSP);
    take_nothing(&t);
    peer_free(&t);
}

/* The same, but both found none: then a new PDC, once. */
static void test_refused_all(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 2 * MTU);
    first(&t);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    nack(&t, 0x04, S + 1, 0);
    nack(&t, 0x04, S, 0);
    assert_int_equal(counter(t.fep, "op_retried"), 1);
    advance(&t, 1 * MS);
    first(&t);
    assert_true(t.start_psn != S);
    peer_free(&t);
}

/* A copy under way may open a PDC yet: refused is who has been refused as often as sent. */
static void test_refused_copy(void **state)
{
    struct peer t;
    (void)state;
    for (int opens = 0; opens < 2; opens++) {
        peer_init(&t, NULL);
        uet_fep_params(t.fep)->Tail_Loss_Time = 1 * MS; /* a copy before the RTO */
        fep_writes(&t, 10);
        first(&t);
        uint32_t S = t.start_psn;
        advance(&t, 1 * MS);
        expect_request(&t, S, true);
        nack(&t, 0x04, S, 0); /* of the first */
        assert_int_equal(counter(t.fep, "op_retried"), 0);
        assert_int_equal(counter(t.fep, "nack_of_older_copy"), 1);
        if (opens)
            ACK(.cack = S, .psn = S, OK_RSP);
        else
            nack_with(&t,
                      &(struct nack_spec){.code = 0x04, .psn = S, .retx = true, .no_pdc = true});
        assert_int_equal(counter(t.fep, "op_retried"), opens ? 0 : 1);
        peer_free(&t);
    }
    /* One of two copies is lost: after an RTO nothing is under way any more. */
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    advance(&t, 5 * MS);
    expect_request(&t, S, true);
    nack_with(&t, &(struct nack_spec){.code = 0x04, .psn = S, .retx = true, .no_pdc = true});
    assert_int_equal(counter(t.fep, "op_retried"), 1);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_then_opened),
        cmocka_unit_test(test_refused_all),
        cmocka_unit_test(test_refused_copy),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_rto),
        cmocka_unit_test(test_rto_cap),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_bad_acks),
        cmocka_unit_test(test_syn_opens_another),
        cmocka_unit_test(test_sack),
        cmocka_unit_test(test_clear_command),
        cmocka_unit_test(test_clear_rides),
        cmocka_unit_test(test_clear_opens_window),
        cmocka_unit_test(test_clear_opens_window_again),
        cmocka_unit_test(test_refused_beyond_window),
        cmocka_unit_test(test_nack_retx),
        cmocka_unit_test(test_nack_no_pdc),
        cmocka_unit_test(test_nack_fatal),
        cmocka_unit_test(test_mismatch_for_syn),
        cmocka_unit_test(test_close_beyond_window),
        cmocka_unit_test(test_no_response),
        cmocka_unit_test(test_ses_retry),
        cmocka_unit_test(test_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
