/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state machines, state by event, and what ends a PDC in another way than a clean close:
 * errors, Close_REQ_Time, PENDING, late SYNs, PSNs that run out or round (3.5.8, 3.5.9).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define S0       0x10000u
#define REQ(...) request(&t, &(struct req){__VA_ARGS__})
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK
#define NOOP     .opcode = UET_OP_NO_OP, .message_id = 1

/* The first PDC has number 1. */
static struct pdc *the_pdc(struct peer *t)
{
    return pdc_at(t->fep, 1);
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

/* ---- the tables ---- */

#define NONE 99 /* no row: nothing changes */

/* Figure 3-48: a PDC without messages or packets; its TPDCID is known but in CREATING. */
static const uint8_t initiator[][1 + PDC_EV_COUNT] = {
    /* state, peer known, start ok, close, messages ended, all acked, close sent, close command,
       close time, error, no peer */
    {PDC_CREATING, PDC_ESTABLISHED, NONE, PDC_QUIESCE, NONE, NONE, NONE, NONE, NONE, PDC_CLOSED,
     PDC_CLOSED},
    {PDC_ESTABLISHED, NONE, NONE, PDC_QUIESCE, NONE, NONE, NONE, NONE, NONE, PDC_ACK_WAIT,
     PDC_CLOSED},
    {PDC_QUIESCE, NONE, NONE, NONE, PDC_ACK_WAIT, NONE, NONE, NONE, PDC_ACK_WAIT, PDC_ACK_WAIT,
     PDC_CLOSED},
    {PDC_ACK_WAIT, NONE, NONE, NONE, NONE, PDC_ACK_WAIT, PDC_CLOSE_ACK_WAIT, NONE, NONE,
     PDC_ACK_WAIT, PDC_CLOSED},
    {PDC_CLOSE_ACK_WAIT, NONE, NONE, NONE, NONE, PDC_CLOSED, NONE, NONE, NONE, PDC_CLOSED,
     PDC_CLOSED},
};

/* Figure 3-49; in ACK_WAIT all before the Close Command has come. That a PENDING one has no peer is
 * said when its own domain is removed (3.7). */
static const uint8_t target[][1 + PDC_EV_COUNT] = {
    {PDC_PENDING, NONE, PDC_ESTABLISHED, NONE, NONE, NONE, NONE, NONE, PDC_CLOSED, NONE,
     PDC_CLOSED},
    {PDC_ESTABLISHED, NONE, NONE, PDC_ESTABLISHED, NONE, NONE, NONE, PDC_ACK_WAIT, PDC_CLOSED,
     PDC_ESTABLISHED, PDC_CLOSED},
    {PDC_ACK_WAIT, NONE, NONE, NONE, NONE, PDC_CLOSED, NONE, NONE, PDC_CLOSED, PDC_CLOSED,
     PDC_CLOSED},
};

static void try_event(bool initiates, uint8_t state, unsigned event, uint8_t want)
{
    struct peer t;
    peer_init(&t, NULL);
    if (initiates)
        establish(&t, 1);
    else
        open_pdc(&t, S0);
    struct pdc *pdc = the_pdc(&t);
    pdc->state = state & 15u;
    if (state == PDC_CREATING)
        pdc->peer_id = 0;
    if (!initiates && state == PDC_ACK_WAIT) {
        pdc->rx.closing = true;
        pdc->rx.close_psn = S0;
    }
    bool row = uet_pdc_event(t.fep, pdc, event);
    uint8_t then = pdc->state;
    if (row != (want != NONE) || then != (want == NONE ? state : want))
        fail_msg("%s in state %u, event %u: state %u, a row: %d",
                 initiates ? "initiator" : "target", state, event, then, row);
    peer_free(&t);
}

static void test_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof initiator / sizeof *initiator; i++) {
        for (unsigned event = 0; event < PDC_EV_COUNT; event++)
            try_event(true, initiator[i][0], event, initiator[i][1 + event]);
    }
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        for (unsigned event = 0; event < PDC_EV_COUNT; event++)
            try_event(false, target[i][0], event, target[i][1 + event]);
    }
}

/* ---- errors ---- */

/* I15..I17, PDS-160: SES is told, then a Close Command with the next PSN, resent like any. */
static void test_retries_used_up(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Max_RTO_Retx_Cnt = 1;
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    fep_writes(&t, 10); /* not begun when the PDC fails: it goes elsewhere */
    expect_request(&t, S + 2, false);
    advance(&t, 5 * MS);
    expect_request(&t, S + 1, true);
    expect_request(&t, S + 2, true);
    advance(&t, 10 * MS);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    assert_int_equal(uet_cp_psn(h), S + 3);
    fep_writes(&t, 20);
    uint16_t old = t.dpdcid;
    first(&t); /* new traffic uses another PDC */
    assert_int_not_equal(t.dpdcid, old);
    advance(&t, 5 * MS);
    forget(&t);
    advance(&t, 10 * MS); /* I21: the Close Command's retries are used up, too */
    forget(&t);
    assert_int_equal(the_pdc(&t)->state, PDC_CLOSED);
    peer_free(&t);
}

/* A closed window leaves no PSN for a Close Command. */
static void test_error_without_window(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    uint32_t S = t.start_psn;
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 1, .sack_base = S);
    fep_writes(&t, 48 * MTU);
    fep_writes(&t, 48 * MTU);
    fep_writes(&t, 48 * MTU);
    forget(&t); /* 128 packets are out */
    nack(&t, 0x19, S + 1, t.spdcid);
    assert_int_equal(the_pdc(&t)->state, PDC_CLOSED);
    peer_free(&t);
}

/* Other answers to a Close Command than PDS-206's. */
static void test_close_refused(void **state)
{
    static const uint8_t codes[] = {0x11, 0x19};
    struct peer t;
    (void)state;
    for (size_t i = 0; i < sizeof codes; i++) {
        peer_init(&t, NULL);
        establish(&t, 1);
        uet_fep_close(t.fep, NULL, t.now);
        expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        nack(&t, codes[i], t.start_psn + 1, t.spdcid);
        assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
        assert_int_equal(counter(t.fep, "pdc_closed_in_error"), 1);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* ---- Close Request ---- */

/* T11, T12: the timer begins with the packet, and 0 is no timer. ACKs meanwhile say REQ_CLOSE. */
static void test_close_req_time(void **state)
{
    struct peer t;
    (void)state;
    for (int with = 0; with < 2; with++) {
        peer_init(&t, NULL);
        open_pdc(&t, S0);
        uet_fep_params(t.fep)->Close_REQ_Time = with ? 10 * MS : 0;
        uet_fep_close_request(t.fep, NULL, t.now);
        advance(&t, 20 * MS); /* nobody took it for so long */
        assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
        take(&t);
        assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_CLOSE_REQUEST);
        REQ(.psn = S0 + 1, .no_syn = true, NOOP, .ar = true);
        const uint8_t *h = take(&t);
        assert_int_equal(uet_ack_req(h), UET_ACK_REQ_CLOSE);
        ACK(.cack = S0, .psn = S0, .none = true);
        advance(&t, 10 * MS);
        assert_int_equal(uet_fep_pdcs(t.fep, false), with ? 0 : 1);
        advance(&t, 8000 * MS);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* One packet of a WRITE of four. */
static void quarter(struct peer *tp, uint32_t n)
{
    request(tp, &(struct req){.psn = S0 + 1 + n,
                              .no_syn = true,
                              .opcode = UET_OP_WRITE,
                              .message_id = 7,
                              .length = 4 * MTU,
                              .payload = MTU,
                              .not_som = n > 0,
                              .message_offset = n * MTU,
                              .not_eom = n < 3});
}

/*
 * T12 on a PDC with a message begun: what the initiator has to end (PDS-208) takes its time, and
 * Close_REQ_Time counts from its end. One that never goes on is given up, too.
 */
static void test_close_req_time_of_message(void **state)
{
    struct peer t;
    (void)state;
    for (unsigned last = 1; last < 4; last++) {
        peer_init(&t, NULL);
        uet_fep_params(t.fep)->Close_REQ_Time = 10 * MS;
        open_pdc(&t, S0);
        quarter(&t, 0);
        uet_fep_close_request(t.fep, NULL, t.now);
        take(&t);
        assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_CLOSE_REQUEST);
        ACK(.cack = S0, .psn = S0, .none = true);
        for (uint32_t n = 1; n <= last; n++) {
            advance(&t, 160 * MS); /* the fifth resend comes so late */
            assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
            quarter(&t, n);
        }
        forget(&t);
        advance(&t, (last == 3 ? 10 : 8000) * MS - 1);
        assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
        advance(&t, 1);
        assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
        assert_int_equal(counter(t.fep, "pdc_close_req_timeout"), 1);
        assert_int_equal(counter(t.fep, "ses_message_done"), last == 3);
        peer_free(&t);
    }
}

/* A read that crossed the Close Request: its data goes first, and Close_REQ_Time follows. */
static void test_close_req_time_of_read(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Close_REQ_Time = 10 * MS;
    open_pdc(&t, S0);
    uet_fep_close_request(t.fep, NULL, t.now);
    take(&t);
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_READ, .message_id = 7, .length = MTU);
    for (unsigned i = 0; i < 2; i++) { /* its ACK, if it has one, and the data */
        take(&t);
        if (uet_is_request(&t.p))
            break;
    }
    assert_true(uet_is_request(&t.p));
    ACK(.cack = S0, .psn = S0, .none = true);
    advance(&t, 5 * MS); /* the RTO of the data, and of its resend */
    expect_request(&t, S0 + 1, true);
    advance(&t, 10 * MS);
    expect_request(&t, S0 + 1, true);
    ACK(.cack = S0 + 1, .psn = S0 + 1, OK_RSP);
    forget(&t);
    advance(&t, 10 * MS - 1);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    advance(&t, 1);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

/* T16: the initiator has forgotten the PDC. */
static void test_close_request_meets_nothing(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    uet_fep_close_request(t.fep, NULL, t.now);
    take(&t);
    nack(&t, 0x0e, S0, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    take_nothing(&t);
    peer_free(&t);
}

/* T14: a Close Command ahead of a gap that never fills. */
static void test_close_over_gap(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Close_REQ_Time = 10 * MS;
    open_pdc(&t, S0);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 2, .ar = true);
    take_nothing(&t);
    advance(&t, 10 * MS);
    expect_nack(&t, 0x11, S0 + 2, t.dpdcid, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

/* ---- who opens what ---- */

/* Two SYNs that cross make two PDCs, one in each direction. */
static void test_crossing(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t ipdcid = t.dpdcid;
    t.spdcid = ipdcid; /* even with the same PDCID on both sides */
    t.start_psn = S0;
    REQ(.psn = S0, NOOP);
    const uint8_t *h = take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_int_not_equal(uet_ack_spdcid(h), ipdcid);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    t.dpdcid = ipdcid;
    t.spdcid = 0x0777;
    ACK(.cack = S, .psn = S, OK_RSP);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);
}

/* Another Start_PSN for a live PDC: INVALID_SYN, and a NOOP that finds out who is wrong. */
static void test_forgotten(void **state)
{
    struct peer t;
    (void)state;
    for (int forgotten = 0; forgotten < 2; forgotten++) {
        peer_init(&t, NULL);
        open_pdc(&t, S0);
        uint16_t tpdcid = t.dpdcid;
        t.start_psn = S0 + 1000000;
        REQ(.psn = t.start_psn, NOOP);
        expect_nack(&t, 0x15, t.start_psn, tpdcid, 0);
        const uint8_t *h = take(&t);
        assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_NOOP);
        assert_int_equal(uet_cp_psn(h), S0);
        take_nothing(&t);
        t.dpdcid = tpdcid;
        if (forgotten)
            nack(&t, 0x0e, S0, 0);
        else
            ACK(.cack = S0, .psn = S0, .none = true);
        assert_int_equal(uet_fep_pdcs(t.fep, false), forgotten ? 0 : 1);
        /* What was refused stays refused: the peer tries all again on another PDC (PDS-001). */
        REQ(.psn = t.start_psn + 1, NOOP);
        expect_nack(&t, 0x15, t.start_psn + 1, forgotten ? 0 : tpdcid, 0);
        if (!forgotten) {
            peer_free(&t);
            continue;
        }
        open_pdc(&t, S0 + 2000000); /* the peer's PDC after that can be opened */
        CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 2000001, .ar = true);
        take(&t);
        open_pdc(&t, S0 + 1000000); /* and so could the one refused, later */
        peer_free(&t);
    }
}

static void one_message(struct uet_fep_config *c)
{
    c->max_messages = 1;
}

/* Message state that a forgotten PDC holds comes back. */
static void test_forgotten_message(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_message);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_WRITE, .message_id = 7, .length = 8192,
        .payload = 4096, .not_eom = true);
    uint16_t holder = t.dpdcid;
    advance(&t, 6 * MS); /* longer than an RTO has nothing come */
    t.spdcid++;
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_WRITE, .message_id = 8, .length = 8192,
        .payload = 4096, .not_eom = true);
    expect_nack(&t, 0x09, S0 + 1, t.dpdcid, 0);
    take(&t);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_NOOP);
    assert_int_equal(uet_cp_spdcid(uet_pds(&t.p)), holder);
    take_nothing(&t);
    t.spdcid--;
    uint16_t second = t.dpdcid;
    t.dpdcid = holder;
    nack(&t, 0x0e, S0, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    t.spdcid++;
    t.dpdcid = second;
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_WRITE, .message_id = 8, .length = 8192,
        .payload = 4096, .not_eom = true, .retx = true);
    assert_true(uet_is_ack((take(&t), &t.p)));
    peer_free(&t);
}

static void one_pdc(struct uet_fep_config *c)
{
    c->max_pdcs = 1;
}

/*
 * The only PDC is held by a message that does not go on, and an own operation waits: its initiator
 * is asked again and again, until it says that it knows no such PDC.
 */
static void test_forgotten_holder(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_pdc);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, .no_syn = true, .opcode = UET_OP_WRITE, .message_id = 7, .length = 8192,
        .payload = 4096, .not_eom = true);
    forget(&t);
    fep_writes(&t, 10);
    take_nothing(&t); /* the message has only begun */
    for (uint32_t i = 0; i < 2; i++) {
        advance(&t, 20 * MS);
        take(&t);
        assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_NOOP);
        take_nothing(&t);
        if (i == 0)
            ACK(.cack = S0, .psn = S0, .none = true);
    }
    nack(&t, 0x0e, S0 + 1, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    first(&t);
    peer_free(&t);
}

/* ---- PENDING and NEW_START_PSN: the place of security ---- */

static bool from_5000(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                      uint32_t *wanted)
{
    (void)fep;
    assert_false(tss->sealed);
    *wanted = 5000;
    return uet_psn_diff(start_psn, 5000) >= 0;
}

/* T5..T7, PDS-049, 051, 052. */
static void test_pending(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.fep->law.tss.start_ok = from_5000;
    t.start_psn = 100;
    REQ(.psn = 102, NOOP);
    expect_nack(&t, 0x17, 102, 0, 5000);
    t.dpdcid = the_pdc(&t)->id;
    REQ(.psn = 103, .no_syn = true, NOOP); /* nobody knows this PDCID */
    expect_nack(&t, 0x0e, 103, 0, 0);
    t.start_psn = 5001; /* right enough for a new PDC, but not what this one was told */
    REQ(.psn = 5001, NOOP);
    expect_nack(&t, 0x17, 5001, 0, 5000);
    assert_int_equal(counter(t.fep, "rx_request_new"), 0); /* nothing for SES */
    t.start_psn = 5000;
    REQ(.psn = 5000, .rod = true, NOOP); /* the mode is that of the packet that is taken */
    const uint8_t *h = take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_int_equal(CACK(h), 5000);
    advance(&t, 1000 * MS); /* established for good */
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);

    uet_fep_params(t.fep)->New_PDC_Timeout_Thresh = 1;
    for (int i = 0; i < 2; i++) {
        t.spdcid++;
        t.start_psn = 100;
        REQ(.psn = 100, NOOP);
        expect_nack(&t, 0x17, 100, 0, 5000);
        advance(&t, 5 * MS - 1); /* New_PDC_Time */
        assert_int_equal(uet_fep_pdcs(t.fep, false), 2);
        advance(&t, 1);
        assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    }
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "pdc_pending_timeout"), 2);
    assert_int_equal(counter(t.fep, "pdc_pending_suspect"), 1);
    peer_free(&t);
}

/* I6, PDS-050: all from the new Start_PSN, with syn=1, the same content; the PDC stays. */
static void test_new_start_psn(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 2 * MTU);
    first(&t);
    uint32_t S = t.start_psn;
    uint16_t id = uet_ses_message_id(&t.p);
    expect_request(&t, S + 1, false);
    advance(&t, 5 * MS);
    expect_request(&t, S, true);
    expect_request(&t, S + 1, true);
    nack_with(
        &t, &(struct nack_spec){.code = 0x17, .psn = S + 1, .payload = 0xffffffff, .no_pdc = true});
    first(&t); /* psn_offset 0, CLEAR_PSN - 1 */
    assert_int_equal(t.start_psn, 0xffffffff);
    assert_int_equal(uet_ses_message_id(&t.p), id);
    assert_false(uet_rud_rod_req_retx(uet_pds(&t.p)));
    const uint8_t *h = expect_request(&t, 0, false);
    assert_int_equal(uet_rud_rod_req_psn_offset(h), 1);
    assert_int_equal(uet_ses_message_offset(&t.p), MTU);
    nack(&t, 0x17, S, 0); /* of the PSNs before: no packet of this PDC any more */
    take_nothing(&t);
    ACK(.cack = 0, .psn = 0, OK_RSP);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);

    peer_init(&t, NULL); /* a target that is never content: Max_NACK_Retx_Cnt ends it */
    fep_writes(&t, 10);
    first(&t);
    for (uint32_t i = 0; i < 5; i++) {
        nack_with(&t,
                  &(struct nack_spec){
                      .code = 0x17, .psn = t.start_psn, .payload = 1000 * (i + 1), .no_pdc = true});
        first(&t);
        assert_int_equal(t.start_psn, 1000 * (i + 1));
    }
    nack(&t, 0x17, t.start_psn, 0);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    take_nothing(&t);
    peer_free(&t);
}

/* ---- Syn_Retx_Safety_Time (PDS-054) ---- */

static void safe(struct uet_fep_config *c)
{
    c->params.Syn_Retx_Safety_Time = 50 * MS;
    c->max_pdcs = 1;
}

static void before_1_0_3(struct uet_fep_config *c)
{
    safe(c);
    c->spec = UET_SPEC_1_0_2;
}

/* A target remembers a PDC whose SYN came twice: a third copy opens nothing. */
static void test_stale_syn(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, safe);
    open_pdc(&t, S0);
    REQ(.psn = S0, NOOP, .retx = true);
    take(&t);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 1, .ar = true);
    take(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    REQ(.psn = S0, NOOP, .retx = true);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_syn_stale"), 1);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 1, .ar = true, .retx = true);
    expect_nack(&t, 0x0e, S0 + 1, 0, 0); /* it is closed all the same (T17) */
    open_pdc(&t, S0 + 70000);            /* the next incarnation of that PDCID is no copy */
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 70001, .ar = true);
    take(&t);
    open_pdc(&t, S0); /* its SYN came once: nothing was guarded */
    peer_free(&t);
}

/* An initiator that sent a SYN twice waits so long with the Close Command. */
static void test_close_waits_for_syn(void **state)
{
    struct peer t;
    (void)state;
    for (int old = 0; old < 2; old++) {
        peer_init(&t, old ? before_1_0_3 : safe);
        fep_writes(&t, 10);
        first(&t);
        advance(&t, 5 * MS);
        expect_request(&t, t.start_psn, true);
        ACK(.cack = t.start_psn, .psn = t.start_psn, OK_RSP);
        uet_fep_close(t.fep, NULL, t.now);
        if (!old) {
            take_nothing(&t);
            advance(&t, 50 * MS - 1);
            take_nothing(&t);
            advance(&t, 1);
        }
        expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        ACK(.cack = t.start_psn + 1, .psn = t.start_psn + 1, .none = true);
        fep_writes(&t, 20);
        first(&t);
        peer_free(&t);
    }
}

/* Where it ends without one, it does not use the PDCID again for so long. */
static void test_guarded_pdcid(void **state)
{
    struct peer t;
    (void)state;
    for (int old = 0; old < 2; old++) {
        peer_init(&t, old ? before_1_0_3 : safe);
        fep_writes(&t, 10);
        first(&t);
        advance(&t, 5 * MS);
        expect_request(&t, t.start_psn, true);
        nack(&t, 0x0e, t.start_psn, 0);
        assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
        if (!old) {
            advance(&t, 50 * MS - 1);
            take_nothing(&t);
        }
        advance(&t, 1 * MS);
        first(&t);
        peer_free(&t);
    }
}

/* ---- PSNs ---- */

static void start_at(struct peer *t, uint32_t start_psn)
{
    struct pdc *pdc = the_pdc(t);
    pdc->start_psn = start_psn;
    uet_source_init(t->fep, pdc);
    uet_sink_restart(t->fep, pdc);
}

/* PDS-059: through 2^32, loss and all. */
static void test_wrap(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 6 * MTU);
    start_at(&t, 0xfffffffd);
    first(&t);
    assert_int_equal(t.start_psn, 0xfffffffd);
    ACK(.cack = t.start_psn, .psn = t.start_psn, OK_RSP);
    for (uint32_t i = 1; i < 6; i++)
        expect_request(&t, 0xfffffffdu + i, false);
    ACK(.cack = 0xfffffffe, .psn = 1, OK_RSP, .cc = true, .mpr = 8, .sack_base = 0xffffffff,
        .sack = 4);
    advance(&t, 5 * MS);
    expect_request(&t, 0xffffffff, true);
    assert_int_equal(uet_clear_psn(&t.p), 0xfffffffe);
    expect_request(&t, 0, true);
    expect_request(&t, 2, true);
    take_nothing(&t);
    ACK(.cack = 2, .psn = 2, OK_RSP);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    uet_fep_close(t.fep, NULL, t.now);
    assert_int_equal(uet_cp_psn(expect_cp(&t, UET_CTL_CLOSE_COMMAND)), 3);
    peer_free(&t);
}

/* The target's window goes round, too; what came before Start_PSN is no duplicate. */
static void test_wrap_target(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, 0xfffffffe);
    REQ(.psn = 1, .no_syn = true, NOOP, .ar = true);
    assert_int_equal(CACK(take(&t)), 0xfffffffe);
    REQ(.psn = 0, .no_syn = true, NOOP);
    take_nothing(&t); /* PSN 0xffffffff is missing still */
    REQ(.psn = 0xffffffff, .no_syn = true, NOOP);
    assert_int_equal(CACK(take(&t)), 1);
    REQ(.psn = 0xfffffffe, .no_syn = true, NOOP, .retx = true);
    assert_int_equal(ACK_PSN((take(&t), &t)), 0xfffffffe);
    REQ(.psn = 0xfffffffd, .no_syn = true, NOOP, .retx = true);
    take_nothing(&t);
    peer_free(&t);
}

/* PDS-069: the PDC closes before Start_PSN + 2^31, unless it need not. */
static void test_limit_psn_range(void **state)
{
    struct peer t;
    (void)state;
    for (int limit = 0; limit < 2; limit++) {
        peer_init(&t, NULL);
        uet_fep_params(t.fep)->Limit_PSN_Range = limit;
        establish(&t, 1);
        completion(&t);
        struct pdc *pdc = the_pdc(&t);
        pdc->start_psn = pdc->tx.next_psn - (1u << 31) + (1u << 23) + 1; /* one more is too many */
        uint32_t psn = pdc->tx.next_psn;
        fep_writes(&t, 2 * MTU);
        expect_request(&t, psn, false);
        expect_request(&t, psn + 1, false); /* what has begun goes on */
        fep_writes(&t, 10);
        if (limit) {
            take(&t);
            assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
        } else {
            expect_request(&t, psn + 2, false);
        }
        ACK(.cack = psn + 1, .psn = psn + 1, OK_RSP);
        if (limit)
            expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        take_nothing(&t);
        peer_free(&t);
    }
}

/* Without the limit PSNs go round: a duplicate stays one after 2^32 of them. */
static void test_long_life(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    struct pdc *pdc = the_pdc(&t);
    pdc->start_psn = pdc->rx.cack_psn - (1u << 30); /* so old is it now */
    REQ(.psn = S0 + 1, .no_syn = true, NOOP, .ar = true);
    take(&t);
    pdc->start_psn = S0 + 1; /* and now PSNs have come round */
    REQ(.psn = S0, .no_syn = true, NOOP, .retx = true);
    assert_int_equal(ACK_PSN((take(&t), &t)), S0);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_retries_used_up),
        cmocka_unit_test(test_error_without_window),
        cmocka_unit_test(test_close_refused),
        cmocka_unit_test(test_close_req_time),
        cmocka_unit_test(test_close_req_time_of_message),
        cmocka_unit_test(test_close_req_time_of_read),
        cmocka_unit_test(test_close_request_meets_nothing),
        cmocka_unit_test(test_close_over_gap),
        cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_forgotten_message),
        cmocka_unit_test(test_forgotten_holder),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_new_start_psn),
        cmocka_unit_test(test_stale_syn),
        cmocka_unit_test(test_close_waits_for_syn),
        cmocka_unit_test(test_guarded_pdcid),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_wrap_target),
        cmocka_unit_test(test_limit_psn_range),
        cmocka_unit_test(test_long_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
