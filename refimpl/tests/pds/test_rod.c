/* SPDX-License-Identifier: BSD-2-Clause */
/* ROD (3.5.7.2, 3.5.21): the order of the source, and go-back-N. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"
#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define S0       0x10000u
#define REQ(...) request(&t, &(struct req){.rod = true, __VA_ARGS__})
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK
#define NOOP     .no_syn = true, .opcode = UET_OP_NO_OP, .message_id = 1

static void expect_ack(struct peer *t, uint32_t psn, uint32_t cack)
{
    const uint8_t *h = take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(CACK(h), cack);
}

static void expect_nack(struct peer *t, uint8_t code, uint32_t psn, uint16_t spdcid,
                        uint32_t payload)
{
    const uint8_t *h = take(t);
    assert_true(uet_is_nack(&t->p));
    assert_int_equal(uet_nack_nack_code(h), code);
    assert_int_equal(uet_nack_nack_psn(h), psn);
    assert_int_equal(uet_nack_spdcid(h), spdcid);
    assert_int_equal(uet_nack_payload(h), payload);
}

static void open_rod(struct peer *t)
{
    t->start_psn = S0;
    request(t, &(struct req){.psn = S0, .rod = true, .opcode = UET_OP_NO_OP, .message_id = 1});
    expect_ack(t, S0, S0);
    t->dpdcid = uet_ack_spdcid(uet_pds(&t->p));
}

/* PDS-030, T3: only Start_PSN opens a ROD PDC; nothing is kept of another. */
static void test_open(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.start_psn = S0;
    REQ(.psn = S0 + 1, .opcode = UET_OP_NO_OP);
    expect_nack(&t, 0x0d, S0 + 1, 0, S0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    open_rod(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    t.spdcid++; /* by a NOOP too: isrod is its type (PDS-045) */
    CP(.ctl = UET_CTL_NOOP, .psn = S0 + 2, .syn = true, .ar = true, .rod = true);
    expect_nack(&t, 0x0d, S0 + 2, 0, S0);
    CP(.ctl = UET_CTL_NOOP, .psn = S0, .syn = true, .ar = true, .rod = true);
    expect_ack(&t, S0, S0);
    t.dpdcid = uet_ack_spdcid(uet_pds(&t.p));
    REQ(.psn = S0 + 1, NOOP, .ar = true);
    expect_ack(&t, S0 + 1, S0 + 1);
    peer_free(&t);
}

/* PDS-003, 165, 166: ahead of the gap nothing is kept, acknowledged or SACKed. */
static void test_order(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_rod(&t);
    memset(t.region, 0, 3);
    for (uint32_t i = 3; i >= 2; i--) {
        REQ(.psn = S0 + i, .no_syn = true, .opcode = UET_OP_WRITE, .length = 1, .payload = 1,
            .offset = i, .fill = (uint8_t)i);
        expect_nack(&t, 0x0d, S0 + i, t.dpdcid, S0 + 1);
    }
    take_nothing(&t);
    assert_int_equal(t.region[2] + t.region[3], 0);
    REQ(.psn = S0 + 1, NOOP, .ar = true);
    const uint8_t *h = take(&t);
    assert_int_equal(CACK(h), S0 + 1);
    uint32_t base = uet_psn_add(CACK(h), uet_ack_cc_sack_psn_offset(h));
    for (uint32_t i = 0; i < 64; i++) /* no bit beyond CACK */
        assert_false(uet_ack_cc_sack_bitmap(h) >> i & 1 && uet_psn_diff(base + i, S0 + 1) > 0);
    REQ(.psn = S0 + 2, .no_syn = true, .opcode = UET_OP_WRITE, .length = 1, .payload = 1,
        .offset = 2, .fill = 2, .retx = true);
    expect_ack(&t, S0 + 2, S0 + 2);
    assert_int_equal(t.region[2], 2);
    REQ(.psn = S0 + 1, NOOP, .retx = true); /* a duplicate is answered as on RUD (PDS-129) */
    expect_ack(&t, S0 + 1, S0 + 2);
    CP(.ctl = UET_CTL_NOOP, .psn = S0 + 4, .ar = true, .rod = true); /* PSNs of CPs too */
    expect_nack(&t, 0x0d, S0 + 4, t.dpdcid, S0 + 3);
    assert_int_equal(counter(t.fep, "rod_out_of_order"), 3);
    peer_free(&t);
}

/* PDS-007: RUD and ROD never share a PDC, in either direction. */
static void test_mode_mismatch(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_rod(&t);
    request(&t, &(struct req){.psn = S0 + 1, NOOP, .ar = true});
    expect_nack(&t, 0x16, S0 + 1, t.dpdcid, 0);
    request(&t, &(struct req){.psn = S0 + 1, .opcode = UET_OP_NO_OP});
    expect_nack(&t, 0x16, S0 + 1, t.dpdcid, 0);
    CP(.ctl = UET_CTL_NOOP, .psn = S0 + 1, .ar = true);
    expect_nack(&t, 0x16, S0 + 1, t.dpdcid, 0);
    CP(.ctl = UET_CTL_PROBE, .opaque = 7); /* says no mode (PDS-188) */
    take(&t);
    assert_int_equal(t.p.pds, UET_H_ACK_CC_PROBE);
    REQ(.psn = S0 + 1, NOOP, .ar = true);
    expect_ack(&t, S0 + 1, S0 + 1);
    peer_free(&t);
}

/* PDS-004, 011: a PDC of its own, one entropy value. */
static void test_source(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    uint16_t rud = t.dpdcid;
    t.rod = true;
    fep_writes(&t, 20 * MTU);
    first(&t);
    assert_int_not_equal(t.dpdcid, rud);
    uint16_t entropy = uet_entropy(&t.p);
    for (uint32_t i = 1; i < 20; i++) {
        expect_request(&t, t.start_psn + i, false);
        assert_int_equal(uet_entropy(&t.p), entropy);
    }
    peer_free(&t);
}

/* PDS-167, 168: all from the first missing PSN, in order, once for a gap. */
static void test_go_back(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 6);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 6; i++)
        expect_request(&t, S + i, false);
    for (uint32_t i = 3; i <= 5; i++) /* S + 1 has come, S + 2 is missing */
        nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + i, .payload = S + 2});
    take_nothing(&t);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    for (uint32_t i = 2; i < 6; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 5, .payload = S + 2});
    advance(&t, 1 * MS);
    take_nothing(&t); /* of the same gap */
    assert_int_equal(counter(t.fep, "rod_go_back"), 1);
    /* The resend of S + 2 was lost too: what was resent after it says so. */
    nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 3, .payload = S + 2, .retx = true});
    advance(&t, 1 * MS);
    for (uint32_t i = 2; i < 6; i++)
        expect_request(&t, S + i, true);
    ACK(.cack = S + 5, .psn = S + 5, OK_RSP);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);
}

/* PDS-168: the first of what is sent again had come late: the next gap lies within it. */
static void test_gap_within(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 6);
    const uint32_t S = t.start_psn;
    for (uint32_t i = 1; i <= 5; i++)
        expect_request(&t, S + i, false);
    nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S + 1});
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    expect_request(&t, S + 1, true);
    expect_request(&t, S + 2, true);
    for (uint32_t i = 3; i <= 5; i++)
        nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + i, .payload = S + 2});
    for (uint32_t i = 3; i <= 5; i++)
        expect_request(&t, S + i, true);
    advance(&t, 1 * MS);
    take_nothing(&t);
    peer_free(&t);
}

/* A payload that cannot be: not outstanding, ahead of the NACKed PSN, or on a RUD PDC. */
static void test_bad_payload(void **state)
{
    struct peer t;
    (void)state;
    for (int rod = 0; rod < 2; rod++) {
        peer_init(&t, NULL);
        t.rod = rod;
        establish(&t, 4);
        uint32_t S = t.start_psn;
        for (uint32_t i = 1; i < 4; i++)
            expect_request(&t, S + i, false);
        nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S + 3});
        nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S});
        if (!rod)
            nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S + 1});
        advance(&t, 2 * MS);
        take_nothing(&t);
        assert_int_equal(counter(t.fep, "drop_nack_action"), rod ? 2 : 3);
        assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
        peer_free(&t);
    }
}

/* The other ways to learn of a loss go back as well: RTO, and a NACK that asks for one packet. */
static void test_other_losses(void **state)
{
    struct peer t;
    (void)state;
    for (int way = 0; way < 2; way++) {
        peer_init(&t, NULL);
        t.rod = true;
        establish(&t, 5);
        uint32_t S = t.start_psn;
        for (uint32_t i = 1; i < 5; i++)
            expect_request(&t, S + i, false);
        ACK(.cack = S + 1, .psn = S + 1, OK_RSP, .cc = true, .mpr = 8, .sack_base = S + 2,
            .sack = 2); /* a SACK beyond the gap does not spare S + 3 */
        if (way == 0)
            advance(&t, 5 * MS); /* RTO_Init_Time */
        else
            nack(&t, 0x08, S + 2, t.spdcid);
        if (way == 1)
            advance(&t, 1 * MS);
        for (uint32_t i = 2; i < 5; i++)
            expect_request(&t, S + i, true);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* An RTO behind a gap that waits for NACK_Retx_Time does not go first (PDS-167). */
static void test_rto_behind_gap(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 4);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, false);
    advance(&t, 4500 * US);
    nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S + 1});
    advance(&t, 500 * US); /* RTO_Init_Time of S + 2 and S + 3 */
    take_nothing(&t);
    advance(&t, 500 * US);
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    peer_free(&t);
}

/*
 * What a go-back took along was not counted, so its next RTO comes before that of the first packet,
 * which has backed off: it waits for that, and goes after it (PDS-167).
 */
static void test_second_rto(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 3);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    expect_request(&t, S + 2, false);
    advance(&t, 5 * MS); /* RTO_Init_Time of both */
    expect_request(&t, S + 1, true);
    expect_request(&t, S + 2, true);
    advance(&t, 5 * MS); /* that of S + 2; S + 1 waits twice as long */
    take_nothing(&t);
    fep_writes(&t, 30);
    expect_request(&t, S + 3, false);
    advance(&t, 5 * MS); /* RTO_Init_Time of S + 3, and what S + 1 waits for */
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    peer_free(&t);
}

/* What SACK tells without a gap after CACK has been taken: only its response is asked for. */
static void test_sack_before_gap(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 5);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 5; i++)
        expect_request(&t, S + i, false);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 8, .sack_base = S - 1, .sack = 0x37);
    advance(&t, 5 * MS); /* S + 1 is SACKed; S + 2 is not, nor counts what is beyond it */
    expect_cp(&t, UET_CTL_ACK_REQUEST);
    for (uint32_t i = 2; i < 5; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    peer_free(&t);
}

/* A message that is retried on another PDC keeps its place before those that follow it. */
static void test_retry_in_order(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    fep_writes(&t, 10);
    first(&t);
    fep_writes(&t, 20); /* not begun when the PDC is refused */
    nack(&t, 0x04, t.start_psn, 0);
    fep_writes(&t, 30); /* later than both */
    take_nothing(&t);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 0)
            first(&t);
        else
            expect_request(&t, t.start_psn + i, false);
        assert_int_equal(uet_ses_request_length(&t.p), 10 * (i + 1));
        if (i == 0) /* what was refused waits for the peer */
            ACK(.cack = t.start_psn, .psn = t.start_psn, OK_RSP);
    }
    peer_free(&t);
}

static void long_guard(struct uet_fep_config *c)
{
    c->params.Syn_Retx_Safety_Time = 2000 * MS;
}

/* It ends in error and is guarded as its SYN was sent again: what waited opens another at once. */
static void test_fail_in_order(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, long_guard);
    t.rod = true;
    fep_writes(&t, 10);
    first(&t);
    uet_fep_close(t.fep, NULL, t.now);
    fep_writes(&t, 20);
    for (unsigned i = 0; i < 6 && uet_fep_pdcs(t.fep, true); i++) {
        advance(&t, (5 * MS) << i); /* RTO_Init_Time, doubled */
        if (i < 5)
            expect_request(&t, t.start_psn, true);
    }
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    assert_int_equal(counter(t.fep, "pdc_guarded"), 1);
    fep_writes(&t, 30);
    first(&t);
    assert_int_equal(uet_ses_request_length(&t.p), 20);
    expect_request(&t, t.start_psn + 1, false);
    assert_int_equal(uet_ses_request_length(&t.p), 30);
    peer_free(&t);
}

/* The same while the peer is still to be told: the PDC that failed is no longer in the way. */
static void test_waits_no_longer(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    uet_fep_close(t.fep, NULL, t.now);
    fep_writes(&t, 20); /* waits for the end of the PDC */
    advance(&t, 1);
    take_nothing(&t);
    nack(&t, 0x13, S + 1, t.spdcid); /* UET_UNEXP_EVENT: fatal */
    take(&t);
    assert_true(uet_is_cp(&t.p) && uet_cp_ctl_type(uet_pds(&t.p)) == UET_CTL_CLOSE_COMMAND);
    fep_writes(&t, 30);
    for (uint32_t i = 2; i <= 3; i++) {
        take(&t);
        assert_true(uet_is_request(&t.p) && uet_has_syn(&t.p));
        assert_int_equal(uet_ses_request_length(&t.p), 10 * i);
    }
    peer_free(&t);
}

/*
 * What the source has given up never comes, so the target refuses the Close Command behind it for
 * ever: there is nothing to go back to, and this side ends.
 */
static void test_close_behind_gap(void **state)
{
    struct peer t;
    (void)state;
    for (int oor = 0; oor < 2; oor++) {
        peer_init(&t, NULL);
        uet_fep_params(t.fep)->Max_NACK_Retx_Cnt = 0;
        uet_fep_params(t.fep)->Max_RTO_Retx_Cnt = 15; /* without end */
        t.rod = true;
        fep_writes(&t, 2 * MTU);
        first(&t);
        uint32_t S = t.start_psn;
        expect_request(&t, S + 1, false);
        ACK(.cack = S, .psn = S, OK_RSP);
        nack(&t, 0x09, S + 1, t.spdcid); /* once too often */
        expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        assert_int_equal(uet_packet_psn(&t.p), S + 2);
        if (oor)
            nack(&t, 0x0b, S + 2, t.spdcid);
        else
            nack_with(&t, &(struct nack_spec){.code = 0x0d, .psn = S + 2, .payload = S + 1});
        assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
        assert_int_equal(counter(t.fep, "nack_close_refused"), 1);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* PDS-168: go-backs that follow each other quickly: a NACK may be of the one before. */
static void test_go_back_twice(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->NACK_Retx_Time = 0;
    t.rod = true;
    establish(&t, 4);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, false);
    for (int way = 0; way < 2; way++) { /* refused twice, and each time all goes again */
        nack_with(&t, &(struct nack_spec){.code = 0x08, .psn = S + 1, .retx = way});
        advance(&t, 1);
        for (uint32_t i = 1; i < 4; i++)
            expect_request(&t, S + i, true);
    }
    /* S + 3 has gone out three times: the first two NACKs are of earlier go-backs. */
    for (int copy = 0; copy < 3; copy++) {
        advance(&t, 1);
        take_nothing(&t);
        nack_with(&t,
                  &(struct nack_spec){.code = 0x0d, .psn = S + 3, .payload = S + 1, .retx = copy});
    }
    advance(&t, 1);
    expect_request(&t, S + 1, true);
    peer_free(&t);
}

/* A go-back that waits for NACK_Retx_Time takes along what lies behind and waits too. */
static void test_waits_in_order(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 4);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, false);
    nack(&t, 0x01, S + 3, t.spdcid); /* trimmed */
    advance(&t, 500 * US);
    nack(&t, 0x01, S + 1, t.spdcid);
    advance(&t, 500 * US); /* NACK_Retx_Time of S + 3 */
    take_nothing(&t);
    advance(&t, 500 * US);
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    peer_free(&t);
}

/* A PDC that is asked to close: what follows waits for its end. */
static void test_close_in_order(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    ACK(.cack = S, .psn = S, OK_RSP, .req = UET_ACK_REQ_CLOSE);
    fep_writes(&t, 30);
    take_nothing(&t);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    take_nothing(&t);
    ACK(.cack = S + 2, .psn = S + 2, .none = true);
    first(&t);
    assert_int_equal(uet_ses_request_length(&t.p), 30);
    peer_free(&t);
}

/* ---- two FEPs: every message once, in order, whatever the wire does ---- */

#define N_MESSAGES 60
#define SIZE       3000u

static uint8_t buffers[N_MESSAGES][SIZE];

static void small_mtu(struct uet_fep_config *c)
{
    c->payload_mtu = 1024;
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

static void start_sends(struct fixture *w, const uint8_t *data)
{
    const struct uet_service s = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_SEND};
    assert_int_equal(uet_fep_service_add(w->fep[1], &s), 0);
    for (unsigned i = 0; i < N_MESSAGES; i++) {
        const struct uet_receive r = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .base = buffers[i],
                                      .length = SIZE,
                                      .token = i};
        const struct uet_operation op = {.to = w->ip[1],
                                         .opcode = UET_OP_SEND,
                                         .mode = UET_MODE_ROD,
                                         .relative = true,
                                         .job_id = JOB,
                                         .pid_on_fep = PID,
                                         .resource_index = RI,
                                         .data = data + i,
                                         .length = 1 + i * 50,
                                         .token = i};
        assert_int_equal(uet_fep_post_receive(w->fep[1], &r), 0);
        assert_int_equal(uet_fep_submit(w->fep[0], &op, w->now), 0);
    }
}

static void test_exchange(void **state)
{
    static uint8_t data[SIZE + N_MESSAGES];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct fixture w;
        struct uet_completion c;
        fixture_init(&w, 300 + seed, seed % 2 ? 6 : 4, small_mtu);
        fixture_wire(&w, (uint32_t)(seed % 4 * 40), (uint32_t)(seed % 3 * 30),
                     seed % 2 * 20000); /* reorders */
        start_sends(&w, data);
        assert_true(fixture_run(&w, w.now + 36000000 * MS));
        for (unsigned i = 0; i < N_MESSAGES; i++) {
            assert_true(uet_fep_completion(w.fep[1], &c));
            assert_int_equal(c.token, i); /* sends take receives in order: so they came in order */
            assert_int_equal(c.length, 1 + i * 50);
            assert_memory_equal(buffers[i], data + i, 1 + i * 50);
            assert_true(uet_fep_completion(w.fep[0], &c));
            assert_int_equal(c.status, UET_STATUS_OK);
        }
        assert_false(uet_fep_completion(w.fep[1], &c));
        if (seed % 4) /* lost or reordered */
            assert_true(counter(w.fep[1], "rod_out_of_order") > 0);
        fixture_free(&w);
    }
}

/* UET_TRIMMED for copies older than the go-back that has taken them along begins no other. */
static void test_trimmed_before_go_back(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    establish(&t, 4);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, false);
    nack(&t, 0x01, S + 1, t.spdcid);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    for (uint32_t i = 1; i < 4; i++)
        expect_request(&t, S + i, true);
    nack(&t, 0x01, S + 2, t.spdcid); /* of the first copies: retx = 0 */
    nack(&t, 0x01, S + 3, t.spdcid);
    advance(&t, 1 * MS);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "nack_same_gap"), 2);
    nack_with(&t, &(struct nack_spec){.code = 0x01, .psn = S + 2, .retx = true}); /* the newest */
    advance(&t, 1 * MS);
    for (uint32_t i = 2; i < 4; i++)
        expect_request(&t, S + i, true);
    take_nothing(&t);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trimmed_before_go_back),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_mode_mismatch),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_go_back),
        cmocka_unit_test(test_bad_payload),
        cmocka_unit_test(test_sack_before_gap),
        cmocka_unit_test(test_rto_behind_gap),
        cmocka_unit_test(test_second_rto),
        cmocka_unit_test(test_retry_in_order),
        cmocka_unit_test(test_close_behind_gap),
        cmocka_unit_test(test_go_back_twice),
        cmocka_unit_test(test_waits_in_order),
        cmocka_unit_test(test_close_in_order),
        cmocka_unit_test(test_fail_in_order),
        cmocka_unit_test(test_waits_no_longer),
        cmocka_unit_test(test_other_losses),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_gap_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
