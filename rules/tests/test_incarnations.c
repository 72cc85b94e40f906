/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PDCID has many incarnations: each end gives its own to another PDC when it is done with the one
 * before, and the other end may not have heard of that. What comes late belongs to the PDC that it
 * is of, and nobody is blamed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/tests/incarnation.h"

/*
 * The target has read the Close Command, and gives its PDCID to another PDC; the ACK was lost, so
 * that the Close Command comes again.
 */
static void close_command_again(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 2, 1, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSE);
    struct uet_track_pdc *young = run(&s, b, TALK_SYN0, TALK_ACK2);
    assert_ptr_not_equal(young, old);
    again(a, TALK_CLOSE);
    assert_ptr_equal(give(&s, a, TALK_CLOSE), old);
    assert_true(s.t->duplicate && !s.t->mismatch);
    close_scene(&s);
}

/* Both PDCIDs are used again: the PSN tells the two PDCs apart, both ways. */
static void same_pdcids(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSED);
    assert_ptr_not_equal(give(&s, b, TALK_SYN0), old);
    struct uet_track_pdc *young = give(&s, b, TALK_ACK0);
    assert_ptr_equal(young->previous, old);
    again(a, TALK_CLOSE);
    assert_ptr_equal(give(&s, a, TALK_CLOSE), old);
    assert_ptr_equal(give(&s, b, TALK_REQ2), young);
    close_scene(&s);
}

/* 2^16 lie between a PDC and the next; the one after may by chance begin near the first. */
static void near_by_chance(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000),
                *c = live(2, 1, 1, 0x1002000);
    run(&s, a, TALK_SYN0, TALK_CLOSED);
    run(&s, b, TALK_SYN0, TALK_CLOSED);
    struct uet_track_pdc *third = give(&s, c, TALK_SYN0);
    give(&s, c, TALK_SYN1);
    assert_ptr_equal(give(&s, c, TALK_ACK0), third);
    assert_ptr_equal(give(&s, c, TALK_REQ2), third);
    close_scene(&s);
}

/*
 * The target asks for the close, hears nothing and ends the PDC (Close_REQ_Time); then a copy of
 * the SYN opens another one, with the same IPDCID and Start_PSN (PDS-054). It may get the PDCID of
 * the old one, or another.
 */
static void ghost(uint16_t tpdcid)
{
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, tpdcid, 0x1000000);
    give(&s, a, TALK_SYN0);
    struct uet_track_pdc *old = give(&s, a, TALK_ACK0);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    give(&s, a, TALK_CLOSE_REQUEST);
    again(a, TALK_SYN0);
    assert_ptr_equal(give(&s, a, TALK_SYN0), old);
    assert_true(old->doubtful);
    uet_ack_retx_set(talk_pds(&b->packet[TALK_ACK0]), true);
    assert_int_equal(give(&s, b, TALK_ACK0) == old, tpdcid == 1);
    assert_false(s.t->mismatch);
    uet_cp_psn_set(talk_pds(&b->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    give(&s, b, TALK_CLOSE_REQUEST); /* its first, with retx 0 */
    close_scene(&s);
}

static void ghosts(void **state)
{
    (void)state;
    ghost(1);
    ghost(2);
}

/*
 * The target ends that one, too, before it has answered a SYN on it, and the next copy opens a
 * third with the same PDCID.
 */
static void ghost_of_a_ghost(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 2, 0x1000000);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    uet_cp_psn_set(talk_pds(&b->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    give(&s, a, TALK_SYN0);
    give(&s, a, TALK_CLOSE_REQUEST);
    again(a, TALK_SYN0);
    give(&s, a, TALK_SYN0);
    struct uet_track_pdc *second = give(&s, b, TALK_CLOSE_REQUEST);
    assert_false(second->doubtful);
    give(&s, a, TALK_SYN0);
    assert_true(second->doubtful);
    give(&s, b, TALK_CLOSE_REQUEST); /* its first, with retx 0 */
    close_scene(&s);
}

/* The initiator was restarted, and opens a PDC near one of which only its target has spoken. */
static void near_midstream(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 2, 0x1000001);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    struct uet_track_pdc *before = give(&s, a, TALK_CLOSE_REQUEST);
    assert_ptr_not_equal(give(&s, b, TALK_SYN0), before);
    close_scene(&s);
}

/* At the initiator nobody sees why the target has another PDC, only that a SYN is answered so. */
static void ghost_from_afar(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 2, 0x1000000);
    run(&s, a, TALK_SYN0, TALK_ACK0);
    again(a, TALK_SYN1);
    give(&s, a, TALK_SYN1);
    give(&s, b, TALK_ACK0);
    assert_true(s.t->mismatch);
    close_scene(&s);
}

/*
 * A copy of the SYN that is late on its way to the target opens a PDC after the close (PDS-054):
 * what only that end sees. The target gives it the PDCID of the old one, and asks for its close.
 */
static void ghost_after_close(void **state)
{
    (void)state;
    for (uint8_t vantage = UET_VANTAGE_MIDDLE; vantage <= UET_VANTAGE_INITIATOR; vantage++) {
        struct scene s;
        open_scene(&s, vantage);
        struct talk *a = live(0, 1, 1, 0x1000000);
        struct uet_track_pdc *pdc = run(&s, a, TALK_SYN0, TALK_CLOSED);
        uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
        give(&s, a, TALK_CLOSE_REQUEST); /* its first, with retx 0 */
        assert_true(pdc->doubtful);
        close_scene(&s);
    }
}

/*
 * Two PDCs bear the same two PDCIDs with the roles exchanged. One was refused, the other was opened
 * before the capture began: its Close Command is not taken for one of the target of the first.
 */
static void roles_exchanged(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 7, 7, 0x1000000), *b = live(1, 7, 7, 0x2000000);
    struct uet_track_pdc *of_a = give(&s, a, TALK_SYN0);
    struct uet_ip initiator = b->initiator;
    b->initiator = b->target;
    b->target = initiator;
    talk_write(b);
    struct uet_track_pdc *of_b = give(&s, b, TALK_CLOSE);
    assert_non_null(of_b);
    assert_ptr_not_equal(of_a, of_b);
    assert_true(s.t->forward);
    close_scene(&s);
}

/* A Clear Command has no PSN of its own: its payload tells the incarnation, not the 0 in its
 * header. */
static void clear_after_wrap(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0xfffffff0), *b = live(1, 1, 1, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSED);
    assert_int_equal(uet_cp_psn(talk_pds(&b->packet[TALK_CLEAR5])), 0);
    struct uet_track_pdc *young = run(&s, b, TALK_SYN0, TALK_ACK5);
    assert_ptr_not_equal(young, old);
    assert_ptr_equal(give(&s, b, TALK_CLEAR5), young);
    close_scene(&s);
}

/*
 * PDCIDs with the roles exchanged: the target asks for the close before its first ACK is seen. By
 * the PSN that is no packet of the old PDC.
 */
static void close_request_first(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 2, 0x1000000), *b = live(1, 2, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_CLOSED);
    exchange(b);
    struct uet_track_pdc *young = give(&s, b, TALK_SYN0);
    uet_cp_psn_set(talk_pds(&b->packet[TALK_CLOSE_REQUEST]), 0x2000000);
    assert_ptr_equal(give(&s, b, TALK_CLOSE_REQUEST), young);
    assert_false(s.t->forward);
    assert_ptr_equal(give(&s, b, TALK_ACK0), young);
    close_scene(&s);
}

/* The Close Request overtakes the first ACK: whose it is cannot be mistaken at the target's end. */
static void close_request_at_target(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 2, 0x1000000);
    struct uet_track_pdc *pdc = give(&s, a, TALK_SYN0);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    assert_ptr_equal(give(&s, a, TALK_CLOSE_REQUEST), pdc);
    assert_true(pdc->close_asked_by);
    assert_ptr_equal(give(&s, a, TALK_ACK0), pdc);
    close_scene(&s);
}

/*
 * The target refuses a PDC; of one of its own, opened before the capture, it asks about a PSN far
 * from the other's: an ACK Request, which tells no TPDCID of the refused one.
 */
static void ack_request_of_another(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 5, 0x1000000), *b = live(1, 9, 1, 0x2000000);
    exchange(b);
    struct uet_track_pdc *refused = give(&s, a, TALK_SYN0);
    give(&s, b, TALK_ASK8);
    assert_ptr_not_equal(s.t->pdc, refused);
    assert_false(refused->established);
    close_scene(&s);
}

/*
 * The ACK of the Close Command is lost: the target has ended the PDC, and gives the next one of the
 * initiator's the same TPDCID. The answer is of that one.
 */
static void reopened_after_lost_ack(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_ACK8); /* no Close Request */
    struct uet_track_pdc *old = give(&s, a, TALK_CLOSE);
    struct uet_track_pdc *young = give(&s, b, TALK_SYN0);
    assert_ptr_not_equal(young, old);
    assert_ptr_equal(give(&s, b, TALK_ACK0), young);
    close_scene(&s);
}

/*
 * The ACK of the Close Command is not seen; what the target sends next on the PDC a late copy of
 * the SYN has opened (PDS-054).
 */
static void ghost_before_close_ack(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000);
    run(&s, a, TALK_SYN0, TALK_RACK0);
    struct uet_track_pdc *pdc = give(&s, a, TALK_CLOSE);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    give(&s, a, TALK_CLOSE_REQUEST); /* its first, with retx 0 */
    assert_true(pdc->doubtful);
    close_scene(&s);
}

/*
 * The initiator acknowledges a packet of the return direction; its DPDCID is also the IPDCID of a
 * PDC that waits for its first answer, and has sent no such PSN.
 */
static void ack_of_the_initiator(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 2, 1, 0x1000000), *b = live(1, 1, 9, 0x1000100);
    struct uet_track_pdc *of_a = run(&s, a, TALK_SYN0, TALK_ACK0);
    give(&s, a, TALK_RNOOP0);
    exchange(b);
    assert_ptr_not_equal(give(&s, b, TALK_SYN0), of_a);
    assert_ptr_equal(give(&s, a, TALK_RACK0), of_a);
    assert_true(s.t->forward);
    close_scene(&s);
}

/*
 * PDCIDs with the roles exchanged: the initiator of the old PDC has had no answer to its Close
 * Command and has given up, and now answers a READ as target. The data comes ahead of its first
 * ACK, and its PSN is not far from the old ones; but initiators send no such data.
 */
static void data_ahead_of_ack(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *b = live(1, 1, 1, 0x2000000);
    uint8_t *h = talk_pds(&b->packet[TALK_READ_DATA0]);
    struct talk *a = live(0, uet_rud_rod_req_spdcid(h), uet_rud_rod_req_dpdcid(h),
                          uet_rud_rod_req_psn(h) - 0xffff - 9);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSE);
    exchange(b);
    struct uet_track_pdc *young = give(&s, b, TALK_READ_SYN0);
    assert_ptr_not_equal(young, old);
    assert_ptr_equal(give(&s, b, TALK_READ_DATA0), young);
    assert_false(s.t->forward);
    close_scene(&s);
}

/*
 * A SYN was refused, and a PDC that nobody saw open bears its IPDCID as TPDCID. The Probe of that
 * one teaches nothing of the first, which its Close Command would break (PDS-200).
 */
static void probe_of_one_unseen(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 6, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    struct uet_track_pdc *refused = give(&s, a, TALK_SYN0);
    assert_ptr_equal(refuse(&s, a, UET_NACK_PDC_MODE_MISMATCH, 0x1000000), refused);
    exchange(b);
    uet_cp_dpdcid_set(talk_pds(&b->packet[TALK_PROBE]), 1);
    give(&s, b, TALK_PROBE);
    assert_ptr_not_equal(give(&s, b, TALK_CLOSE), refused);
    assert_true(s.t->forward);
    close_scene(&s);
}

/*
 * The last PSN of a PDCID is that of its last PDC, to whichever FEP: a Start_PSN far from that may
 * be near what the PDC before it used (PDS-027).
 */
static void used_elsewhere(void **state)
{
    (void)state;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        struct scene s;
        open_scene(&s, UET_VANTAGE_INITIATOR);
        struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000),
                    *c = live(2, 1, 1, 0x1001000);
        run(&s, a, TALK_SYN0, TALK_CLOSED);
        b->target.bytes[3]++;
        talk_write(b);
        if (elsewhere)
            run(&s, b, TALK_SYN0, TALK_CLOSED);
        if (elsewhere)
            give(&s, c, TALK_SYN0);
        else
            blame(&s, c, TALK_SYN0, "PDS-027");
        close_scene(&s);
    }
}

/* A late Probe asks for a PSN of an earlier incarnation: sack_psn_offset cannot name it. */
static void probe_of_the_old(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN_AGAIN, TALK_ACK_AGAIN);
    uet_cp_payload_value_set(talk_pds(&a->packet[TALK_PROBE]), 0x1000000);
    give(&s, a, TALK_PROBE);
    struct talk_packet *p = &a->packet[TALK_PROBED];
    uint8_t *h = talk_pds(p), *ip = p->frame + UET_ETH_BYTES;
    memset(h + UET_ACK_BYTES, 0, UET_ACK_CC_BYTES - UET_ACK_BYTES);
    uet_ack_type_set(h, UET_PDS_ACK_CC); /* SACK_PSN is CACK_PSN */
    p->len = (size_t)(h - p->frame) + UET_ACK_CC_BYTES;
    uet_ipv4_total_length_set(ip, (uint16_t)(p->len - UET_ETH_BYTES));
    uet_udp_length_set(ip + UET_IPV4_BYTES, (uint16_t)(p->len - UET_ETH_BYTES - UET_IPV4_BYTES));
    give(&s, a, TALK_PROBED);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_command_again),    cmocka_unit_test(same_pdcids),
        cmocka_unit_test(near_by_chance),         cmocka_unit_test(ghosts),
        cmocka_unit_test(ghost_of_a_ghost),       cmocka_unit_test(near_midstream),
        cmocka_unit_test(ghost_from_afar),        cmocka_unit_test(ghost_after_close),
        cmocka_unit_test(roles_exchanged),        cmocka_unit_test(clear_after_wrap),
        cmocka_unit_test(close_request_first),    cmocka_unit_test(close_request_at_target),
        cmocka_unit_test(ack_request_of_another), cmocka_unit_test(reopened_after_lost_ack),
        cmocka_unit_test(ghost_before_close_ack), cmocka_unit_test(ack_of_the_initiator),
        cmocka_unit_test(data_ahead_of_ack),      cmocka_unit_test(probe_of_one_unseen),
        cmocka_unit_test(used_elsewhere),         cmocka_unit_test(probe_of_the_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
