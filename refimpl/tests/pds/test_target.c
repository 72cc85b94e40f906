/* SPDX-License-Identifier: BSD-2-Clause */
/* The target's rules, against packets written by hand; values from the requirements named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define S0 0xfffffffeu /* so that every test crosses the wrap (PDS-059) */

#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define REQ(...) request(&t, &(struct req){__VA_ARGS__})
#define NOOP     .opcode = UET_OP_NO_OP, .no_syn = true, .message_id = 2
#define BAD                                                                                        \
    .opcode = UET_OP_WRITE, .no_syn = true, .message_id = 3, .key = 99, .length = 4, .payload = 4
#define GOOD .opcode = UET_OP_WRITE, .no_syn = true, .message_id = 4, .length = 4, .payload = 4

static void expect_nack(struct peer *t, uint8_t code, uint32_t psn, uint16_t spdcid)
{
    const uint8_t *h = take(t);
    assert_true(uet_is_nack(&t->p));
    assert_int_equal(uet_nack_nack_code(h), code);
    assert_int_equal(uet_nack_nack_psn(h), psn);
    assert_int_equal(uet_nack_spdcid(h), spdcid);
    assert_int_equal(uet_nack_dpdcid(h), t->spdcid);
    assert_int_equal(uet_nack_next_hdr(h), UET_NH_NONE);
    assert_int_equal(uet_nack_nt(h), 0);
    assert_int_equal(uet_nack_vendor_code(h), 0);
}

static const uint8_t *expect_ack(struct peer *t, uint32_t psn, uint32_t cack, uint8_t req)
{
    const uint8_t *h = take(t);
    if (!uet_is_ack(&t->p))
        fail_msg("%s instead of an ACK, code 0x%x", uet_headers[t->p.pds].name,
                 uet_is_nack(&t->p) ? uet_nack_nack_code(h) : 0);
    assert_int_equal(uet_ack_spdcid(h), t->dpdcid);
    assert_int_equal(uet_ack_dpdcid(h), t->spdcid);
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(CACK(h), cack);
    assert_int_equal(uet_ack_req(h), req);
    return h;
}

static void expect_code(struct peer *t, uint8_t opcode, uint8_t code)
{
    assert_int_equal(uet_ack_next_hdr(uet_pds(&t->p)), UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t->p)), opcode);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), code);
}

/* PDS-029, 031, 033, 036, 020: any SYN opens; the same spdcid is the same PDC. */
static void test_open_by_any_syn(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.start_psn = S0;
    REQ(.psn = S0 + 3, .opcode = UET_OP_NO_OP, .message_id = 1);
    const uint8_t *h = take(&t);
    assert_true(uet_is_ack_cc(&t.p));
    t.dpdcid = uet_ack_spdcid(h);
    assert_int_equal(ACK_PSN(&t), S0 + 3);
    assert_int_equal(CACK(h), S0 - 1);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    for (uint32_t i = 0; i < 3; i++) {
        REQ(.psn = S0 + i, .opcode = UET_OP_NO_OP, .message_id = 1);
        expect_ack(&t, S0 + i, i < 2 ? S0 + i : S0 + 3, 0);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    take_nothing(&t);
    peer_free(&t);
}

/* PDS-032, PDS-010: the source address and spdcid name the PDC. */
static void test_two_sources(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    uint16_t first = t.dpdcid;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    open_pdc(&t, S0);
    assert_int_not_equal(t.dpdcid, first);
    struct uet_ip to = uet_dst_ip(&t.p);
    assert_true(uet_ip_equal(&to, &t.ip));
    t.spdcid++;
    open_pdc(&t, S0);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 3);
    peer_free(&t);
}

/* PDS-038..040, 007, 017, 037, 067, 068, 196. */
static void test_refusals(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.start_psn = S0;
    t.dpdcid = 0x0900;
    REQ(.psn = 77, NOOP);
    expect_nack(&t, 0x0e, 77, 0);
    t.dpdcid = 0;
    REQ(.psn = 78, NOOP);
    expect_nack(&t, 0x0e, 78, 0);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = 5, .ar = true);
    expect_nack(&t, 0x0e, 5, 0);
    uint16_t spdcid = t.spdcid;
    t.spdcid = 0;
    REQ(.psn = S0, .opcode = UET_OP_NO_OP);
    take_nothing(&t);
    t.spdcid = spdcid;
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);

    open_pdc(&t, S0);
    t.spdcid = 0x0999;
    REQ(.psn = S0 + 1, NOOP, .ar = true);
    expect_nack(&t, 0x0f, S0 + 1, 0);
    CP(.ctl = UET_CTL_NOOP, .psn = S0 + 1, .ar = true);
    expect_nack(&t, 0x0f, S0 + 1, 0);
    t.spdcid = spdcid;
    REQ(.psn = S0 + 1, NOOP, .rod = true);
    expect_nack(&t, 0x16, S0 + 1, t.dpdcid);
    REQ(.psn = S0 + 1025, NOOP, .ar = true); /* CACK + 1024 is the last: 8 x 128 (PDS-063) */
    expect_nack(&t, 0x0b, S0 + 1025, t.dpdcid);
    REQ(.psn = S0 + 1025, .opcode = UET_OP_NO_OP);
    expect_nack(&t, 0x15, S0 + 1025, t.dpdcid);
    REQ(.psn = S0 - 5, NOOP, .retx = true);
    take_nothing(&t);
    CP(.ctl = 12, .psn = 1);
    expect_nack(&t, 0x19, 1, t.dpdcid);
    REQ(.psn = S0 + 1024, NOOP, .ar = true); /* still alive, and the edge of the window is in */
    expect_ack(&t, S0 + 1024, S0, 0);
    peer_free(&t);
}

/* Section 9: duplicates; PDS-088, 089, 128, 130. */
static void test_duplicates(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, GOOD, .ar = true, .fill = 1);
    expect_ack(&t, S0 + 1, S0 + 1, 0);
    expect_code(&t, 0, UET_RC_OK);
    t.region[0] = 9;
    REQ(.psn = S0 + 1, GOOD, .ar = true, .fill = 1);
    take_nothing(&t);
    REQ(.psn = S0 + 1, GOOD, .retx = true, .fill = 1);
    const uint8_t *h = expect_ack(&t, S0 + 1, S0 + 1, 0);
    assert_true(uet_ack_retx(h));
    expect_code(&t, 0, UET_RC_NULL);
    assert_int_equal(uet_ses_rsp_message_id(uet_ses(&t.p)), 4);
    assert_int_equal(uet_ses_rsp_job_id(uet_ses(&t.p)), JOB);
    assert_int_equal(t.region[0], 9); /* not executed again */
    assert_int_equal(counter(t.fep, "rx_dup_dropped"), 1);
    peer_free(&t);
}

/* Figure 3-76 and PDS-075..079, 087, 117: stored response, REQ_CLEAR, CACK held, clears. */
static void test_guaranteed(void **state)
{
    struct peer t;
    uint8_t first[UET_SES_RSP_BYTES];
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, BAD);
    expect_ack(&t, S0 + 1, S0, UET_ACK_REQ_CLEAR);
    expect_code(&t, UET_RSP_RESPONSE, UET_RC_BAD_MKEY);
    memcpy(first, uet_ses(&t.p), sizeof first);
    assert_int_equal(uet_ses_rsp_message_id(first), 3);
    assert_int_equal(uet_ses_rsp_modified_length(first), 0);
    REQ(.psn = S0 + 2, GOOD, .ar = true); /* CACK does not pass the uncleared response */
    expect_ack(&t, S0 + 2, S0, UET_ACK_REQ_CLEAR);
    REQ(.psn = S0 + 1, BAD, .retx = true);
    expect_ack(&t, S0 + 1, S0, UET_ACK_REQ_CLEAR);
    assert_memory_equal(uet_ses(&t.p), first, sizeof first);
    REQ(.psn = S0 + 3, GOOD, .ar = true, .has_clear = true, .clear = S0 + 1);
    expect_ack(&t, S0 + 3, S0 + 3, 0);
    REQ(.psn = S0 + 1, BAD, .retx = true, .has_clear = true, .clear = S0);
    expect_ack(&t, S0 + 1, S0 + 3, 0);
    expect_code(&t, 0, UET_RC_NULL); /* cleared: a default response (PDS-074) */
    REQ(.psn = S0 + 4, BAD);
    expect_ack(&t, S0 + 4, S0 + 3, UET_ACK_REQ_CLEAR);
    CP(.ctl = UET_CTL_CLEAR_COMMAND, .payload = S0 + 4);
    take_nothing(&t); /* not acknowledged (PDS-083) */
    REQ(.psn = S0 + 5, GOOD, .ar = true);
    expect_ack(&t, S0 + 5, S0 + 5, 0);
    peer_free(&t);
}

static void two_slots(struct uet_fep_config *c)
{
    c->max_stored_responses = 2;
}

/* PDS-091, 084, 149: slots run out; the PSN stays unreceived; after a clear it is accepted. */
static void test_no_slot(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, two_slots);
    open_pdc(&t, S0);
    for (uint32_t i = 1; i <= 2; i++) {
        REQ(.psn = S0 + i, BAD);
        expect_ack(&t, S0 + i, S0, UET_ACK_REQ_CLEAR);
    }
    REQ(.psn = S0 + 3, BAD);
    expect_nack(&t, 0x08, S0 + 3, t.dpdcid);
    const uint8_t *h = take(&t);
    assert_true(uet_is_cp(&t.p));
    assert_int_equal(uet_cp_ctl_type(h), UET_CTL_CLEAR_REQUEST);
    assert_int_equal(uet_cp_psn(h), 0);
    assert_false(uet_cp_ar(h));
    assert_int_equal(uet_cp_payload_value(h), S0 + 1);
    CP(.ctl = UET_CTL_CLEAR_COMMAND, .payload = S0 + 2);
    REQ(.psn = S0 + 3, BAD, .retx = true);
    expect_ack(&t, S0 + 3, S0 + 2, UET_ACK_REQ_CLEAR);
    expect_code(&t, UET_RSP_RESPONSE, UET_RC_BAD_MKEY);
    peer_free(&t);
}

/* One slot for two responses; the second is on another PDC. Its NACK and the questions are taken.
 */
static void use_up_slots(struct peer *tp, uint16_t *holder)
{
    open_pdc(tp, S0);
    *holder = tp->dpdcid;
    for (uint32_t i = 1; i <= 2; i++) {
        request(tp, &(struct req){.psn = S0 + i, BAD});
        take(tp);
    }
    advance(tp, 6 * MS); /* longer than an RTO has nothing come */
    tp->spdcid++;
    open_pdc(tp, S0);
    request(tp, &(struct req){.psn = S0 + 1, BAD});
    expect_nack(tp, 0x08, S0 + 1, tp->dpdcid);
    const uint8_t *h = take(tp); /* Clear Request alone brings no answer that would end the PDC */
    assert_int_equal(uet_cp_ctl_type(h), UET_CTL_CLEAR_REQUEST);
    assert_int_equal(uet_cp_spdcid(h), *holder);
    h = take(tp);
    assert_int_equal(uet_cp_ctl_type(h), UET_CTL_NOOP);
    assert_int_equal(uet_cp_spdcid(h), *holder);
    assert_int_equal(uet_cp_psn(h), S0);
    take_nothing(tp);
}

static void retry_refused(struct peer *tp)
{
    request(tp, &(struct req){.psn = S0 + 1, BAD, .retx = true});
    assert_true(uet_is_ack((take(tp), &tp->p)));
}

/* Slots come back from a PDC that its initiator has forgotten, or whose initiator is gone. */
static void test_slots_come_back(void **state)
{
    struct peer t;
    uint16_t holder;
    (void)state;
    peer_init(&t, two_slots);
    use_up_slots(&t, &holder);
    uint16_t mine = t.dpdcid;
    t.dpdcid = holder;
    t.spdcid--;
    nack(&t, 0x0e, S0, 0);
    t.dpdcid = mine;
    t.spdcid++;
    retry_refused(&t);
    peer_free(&t);

    peer_init(&t, two_slots);
    use_up_slots(&t, &holder);
    /* The NOOP, then the Close Request, each with 5 resends after 5, 10, 20 .. 160 ms. */
    for (unsigned ms = 0; ms < 2 * 320; ms += 5) {
        advance(&t, 5 * MS);
        forget(&t);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    retry_refused(&t);
    peer_free(&t);
}

static void one_part(struct uet_fep_config *c)
{
    c->max_read_parts = 1;
}

/* So does what is kept of read data in an ACK, of which only a clear says that it has arrived. */
static void test_parts_come_back(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_part);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, .opcode = UET_OP_READ, .message_id = 2, .length = 8, .ar = true);
    expect_ack(&t, S0 + 1, S0, UET_ACK_REQ_CLEAR);
    uint16_t holder = t.dpdcid;
    t.spdcid++;
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, .opcode = UET_OP_READ, .message_id = 2, .length = 8, .ar = true);
    expect_nack(&t, 0x0a, S0 + 1, t.dpdcid);
    for (unsigned i = 0; i < 256 && !counter(t.fep, "tx_clear_request"); i++) {
        REQ(.psn = S0 + 1, .opcode = UET_OP_READ, .message_id = 2, .length = 8, .retx = true);
        expect_nack(&t, 0x0a, S0 + 1, t.dpdcid); /* slots are looked at in turn */
    }
    const uint8_t *h = take(&t);
    assert_int_equal(uet_cp_ctl_type(h), UET_CTL_CLEAR_REQUEST);
    assert_int_equal(uet_cp_spdcid(h), holder);
    peer_free(&t);
}

/* PDS-100..105, 112, 125: when an ACK goes, and what it echoes. */
static void test_ack_causes(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    uint32_t psn = S0;
    for (int i = 0; i < 15; i++) /* each counts 1 KiB, the trigger is 16 KiB */
        REQ(.psn = ++psn, NOOP);
    take_nothing(&t);
    REQ(.psn = ++psn, NOOP);
    expect_ack(&t, psn, psn, 0);
    for (int i = 0; i < 3; i++)
        REQ(.psn = ++psn, .opcode = UET_OP_WRITE, .no_syn = true, .length = 4096, .payload = 4096);
    REQ(.psn = ++psn, NOOP, .ar = true, .entropy = 0x1234);
    const uint8_t *h = expect_ack(&t, psn, psn, 0);
    assert_int_equal(uet_entropy(&t.p), 0x1234);
    assert_false(uet_ack_m(h));
    for (int i = 0; i < 3; i++) /* the ACK before began a new count */
        REQ(.psn = ++psn, .opcode = UET_OP_WRITE, .no_syn = true, .length = 4096, .payload = 4096);
    take_nothing(&t);
    REQ(.psn = ++psn, .opcode = UET_OP_WRITE, .no_syn = true, .length = 4096, .payload = 4096);
    expect_ack(&t, psn, psn, 0);
    REQ(.psn = ++psn, NOOP, .ce = true);
    h = expect_ack(&t, psn, psn, 0);
    assert_true(uet_ack_m(h));
    REQ(.psn = ++psn, NOOP, .retx = true);
    h = expect_ack(&t, psn, psn, 0);
    assert_true(uet_ack_retx(h));
    psn += 2;
    REQ(.psn = psn, NOOP, .ar = true); /* leaves a gap ... */
    expect_ack(&t, psn, psn - 2, 0);
    REQ(.psn = psn - 1, NOOP); /* ... whose end is told */
    expect_ack(&t, psn - 1, psn, 0);
    peer_free(&t);
}

/* PDS-114, CMS-018, CMS-032: SACK, rcvd_bytes, ooo_count. */
static void test_ack_cc(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    /* A NO_OP has UDP length 8 + 12 + 44 = 64; 64 + 40 = 104 -> 1 unit of 256. */
    assert_int_equal(uet_ack_cc_state_nscc_rcvd_bytes(uet_cc_state_of(&t.p)), 1);
    REQ(.psn = S0 + 2, NOOP);
    REQ(.psn = S0 + 5, NOOP, .ar = true);
    const uint8_t *h = expect_ack(&t, S0 + 5, S0, 0);
    assert_int_equal(uet_ack_cc_mpr(h), 8);
    assert_int_equal(uet_ack_cc_sack_psn_offset(h), 1);
    assert_true(uet_ack_cc_sack_bitmap(h) == ((1u << 1) | (1u << 4)));
    const uint8_t *s = uet_cc_state_of(&t.p);
    assert_int_equal(uet_ack_cc_state_nscc_ooo_count(s), 2);
    assert_int_equal(uet_ack_cc_state_nscc_rcvd_bytes(s), 2); /* 312 bytes */
    assert_int_equal(uet_ack_cc_type(h), UET_CC_NSCC);
    REQ(.psn = S0 + 100, NOOP, .ar = true); /* beyond the bitmap: its last bit */
    h = expect_ack(&t, S0 + 100, S0, 0);
    assert_int_equal(uet_ack_cc_sack_psn_offset(h), 100 - 63);
    assert_true(uet_ack_cc_sack_bitmap(h) == 1ull << 63);
    peer_free(&t);
}

static void no_cc(struct uet_fep_config *c)
{
    c->params.ACK_CC = false;
}

static void test_plain_ack(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, no_cc);
    open_pdc(&t, S0);
    assert_int_equal(t.p.pds, UET_H_ACK);
    peer_free(&t);
}

/* 3.5.16: NOOP, Negotiation, ACK Request, Probe, Credit; PDS-109, 187, 190, 191, 193, 194. */
static void test_control(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    CP(.ctl = UET_CTL_NOOP, .psn = S0 + 1, .ar = true);
    const uint8_t *h = expect_ack(&t, S0 + 1, S0 + 1, 0);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    CP(.ctl = UET_CTL_NEGOTIATION, .psn = S0 + 2, .ar = true, .payload = 0x01020000);
    h = expect_ack(&t, S0 + 2, S0 + 2, 0);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    REQ(.psn = S0 + 4, BAD); /* S0 + 3 is missing */
    expect_ack(&t, S0 + 4, S0 + 2, UET_ACK_REQ_CLEAR);
    CP(.ctl = UET_CTL_ACK_REQUEST, .psn = S0 + 4, .ar = true);
    expect_ack(&t, S0 + 4, S0 + 2, UET_ACK_REQ_CLEAR);
    expect_code(&t, UET_RSP_RESPONSE, UET_RC_BAD_MKEY);
    CP(.ctl = UET_CTL_ACK_REQUEST, .psn = S0 + 3, .ar = true);
    expect_nack(&t, 0x12, S0 + 3, t.dpdcid);
    CP(.ctl = UET_CTL_PROBE, .psn = 0, .opaque = 0xbeef, .payload = S0 + 4);
    h = take(&t);
    assert_int_equal(t.p.pds, UET_H_ACK_CC_PROBE);
    assert_int_equal(uet_ack_probe_opaque(h), 0xbeef);
    assert_int_equal(uet_ack_req(h), 0);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    assert_int_equal(uet_psn_add(CACK(h), uet_ack_cc_sack_psn_offset(h)), S0 + 4);
    assert_true(uet_ack_cc_sack_bitmap(h) == 1);
    CP(.ctl = UET_CTL_CREDIT, .payload = 0x100);
    CP(.ctl = UET_CTL_CLOSE_REQUEST, .psn = S0 + 3, .ar = true); /* the initiator may not */
    take_nothing(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    peer_free(&t);
}

/* PDS-045, 046: a NOOP opens a PDC, a Probe does not. */
static void test_open_by_noop(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.start_psn = S0;
    CP(.ctl = UET_CTL_PROBE, .psn = S0, .syn = true);
    take_nothing(&t);
    CP(.ctl = UET_CTL_NOOP, .psn = S0, .syn = true, .ar = true);
    const uint8_t *h = take(&t);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    assert_int_equal(CACK(h), S0);
    t.dpdcid = uet_ack_spdcid(h);
    REQ(.psn = S0 + 1, NOOP, .ar = true);
    expect_ack(&t, S0 + 1, S0 + 1, 0);
    peer_free(&t);
}

/* PDS-203, 204, 206, 212, 185. */
static void test_close(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    REQ(.psn = S0 + 1, BAD);
    expect_ack(&t, S0 + 1, S0, UET_ACK_REQ_CLEAR); /* never cleared */
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 2, .ar = true);
    const uint8_t *h = expect_ack(&t, S0 + 2, S0 + 2, 0);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S0 + 2, .ar = true, .retx = true);
    expect_nack(&t, 0x0e, S0 + 2, 0);
    REQ(.psn = S0 + 3, NOOP);
    expect_nack(&t, 0x0e, S0 + 3, 0);

    t.start_psn = 1000; /* a Close Command that overtakes a request waits for it */
    open_pdc(&t, 1000);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = 1002, .ar = true);
    take_nothing(&t);
    REQ(.psn = 1003, NOOP);
    expect_nack(&t, 0x10, 1003, t.dpdcid);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = 1002, .ar = true, .retx = true);
    take_nothing(&t);
    REQ(.psn = 1001, NOOP, .entropy = 0x1111);
    h = expect_ack(&t, 1002, 1002, 0);
    assert_int_equal(uet_entropy(&t.p), 0x4242); /* of the Close Command that it answers */
    assert_true(uet_ack_retx(h));                /* of its newest copy */
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

/* PDS-207, 210, 198: Close Request, its resends, Close_REQ_Time. */
static void test_close_request(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Close_REQ_Time = 10 * MS;
    open_pdc(&t, S0);
    uet_fep_close_request(t.fep, NULL, t.now);
    const uint8_t *h = take(&t);
    assert_int_equal(t.p.cp_payload, UET_H_CP_PAYLOAD_CLOSE_REQUEST);
    assert_int_equal(uet_cp_psn(h), S0); /* both directions begin there (PDS-028) */
    assert_true(uet_cp_ar(h));
    assert_false(uet_cp_retx(h));
    assert_int_equal(uet_cp_payload_value(h), 0);
    take_nothing(&t);
    advance(&t, 5 * MS); /* RTO_Init_Time */
    h = take(&t);
    assert_int_equal(uet_cp_psn(h), S0);
    assert_true(uet_cp_retx(h));
    ack(&t, &(struct ack_spec){.cack = S0, .psn = S0, .none = true});
    advance(&t, 4 * MS);
    take_nothing(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    advance(&t, 1 * MS);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    take_nothing(&t); /* nothing of the initiator's waits: nothing a NACK could name */
    REQ(.psn = S0 + 1, NOOP);
    expect_nack(&t, 0x0e, S0 + 1, 0);
    peer_free(&t);
}

/* PDS-149: no room for the answer, so the packet is not taken; later it is. */
static void test_no_pkt_buffer(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, S0);
    for (uint32_t i = 1; i <= 225; i++) /* 256 answers, 32 of them kept */
        REQ(.psn = S0 + i, NOOP, .ar = true);
    for (uint32_t i = 1; i <= 224; i++)
        take(&t);
    expect_nack(&t, 0x07, S0 + 225, t.dpdcid);
    take_nothing(&t);
    REQ(.psn = S0 + 225, NOOP, .retx = true);
    expect_ack(&t, S0 + 225, S0 + 225, 0);
    for (uint32_t i = 226; i <= 226 + 256; i++) /* even NACKs find an end */
        REQ(.psn = S0 + i, NOOP, .ar = true);
    assert_int_equal(counter(t.fep, "drop_reply_queue_full"), 1);
    peer_free(&t);
}

static void three_pdcs(struct uet_fep_config *c)
{
    c->max_pdcs = 3;
}

/* PDS-041. */
static void test_no_pdc(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, three_pdcs);
    for (uint16_t i = 1; i <= 3; i++) {
        t.spdcid = i;
        open_pdc(&t, S0);
    }
    t.spdcid = 4;
    t.start_psn = 9;
    REQ(.psn = 9, .opcode = UET_OP_NO_OP);
    expect_nack(&t, 0x04, 9, 0);
    peer_free(&t);
}

/* PDS-124, 233, SES-006: silence. */
static void test_silence(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.dpdcid = 55;
    ack(&t, &(struct ack_spec){.cack = 1, .psn = 1});
    nack(&t, 0x0e, 1, 0);
    nack(&t, 0x04, 1, 9);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_ack_unknown_pdc"), 1);
    assert_int_equal(counter(t.fep, "drop_nack_unknown_pdc"), 2);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_by_any_syn), cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_refusals),        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_guaranteed),      cmocka_unit_test(test_no_slot),
        cmocka_unit_test(test_slots_come_back), cmocka_unit_test(test_parts_come_back),
        cmocka_unit_test(test_ack_causes),      cmocka_unit_test(test_ack_cc),
        cmocka_unit_test(test_plain_ack),       cmocka_unit_test(test_control),
        cmocka_unit_test(test_open_by_noop),    cmocka_unit_test(test_close),
        cmocka_unit_test(test_close_request),   cmocka_unit_test(test_no_pdc),
        cmocka_unit_test(test_no_pkt_buffer),   cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
