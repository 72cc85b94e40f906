/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the incarnations of a PDCID: what is refused, by which, and what goes on all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules/tests/incarnation.h"

/* An initiator that has forgotten the PDC uses its PDCID again; the target refuses by the old. */
static void refused_by_the_old(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_ACK2);
    struct uet_track_pdc *young = give(&s, b, TALK_SYN0);
    assert_ptr_not_equal(young, old);
    uint8_t *h = talk_pds(&b->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, UET_NACK_INVALID_SYN);
    uet_nack_nack_psn_set(h, 0x2000000);
    assert_ptr_equal(give(&s, b, TALK_NACK7), young);
    assert_false(young->established);
    close_scene(&s);
}

/*
 * A late SYN copy opened a PDC of its own; that refuses a copy of a SYN of another incarnation of
 * the other mode, which by that becomes no PDC of its own.
 */
static void mode_refused_by_another(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_ACK0);
    uint8_t *syn = talk_pds(&b->packet[TALK_ROD_SYN0]), *nack = talk_pds(&b->packet[TALK_NACK7]);
    uet_rud_rod_req_spdcid_set(syn, 1);
    struct uet_track_pdc *young = give(&s, b, TALK_ROD_SYN0);
    assert_ptr_not_equal(young, old);
    uet_nack_nack_code_set(nack, UET_NACK_PDC_MODE_MISMATCH);
    uet_nack_nack_psn_set(nack, uet_rud_rod_req_psn(syn));
    assert_ptr_equal(give(&s, b, TALK_NACK7), young);
    assert_false(young->established);
    assert_ptr_equal(give(&s, a, TALK_REQ2), old);
    close_scene(&s);
}

/*
 * The initiator has forgotten a RUD PDC and gives its PDCID to a ROD one, which the target refuses
 * by the old: what that goes on sending is not the new one's, however near its PSNs are.
 */
static void goes_on_after_refusal(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    uint8_t *syn = talk_pds(&b->packet[TALK_ROD_SYN0]), *nack = talk_pds(&b->packet[TALK_NACK7]);
    uet_rud_rod_req_spdcid_set(syn, 1);
    struct uet_track_pdc *young = give(&s, b, TALK_ROD_SYN0);
    uet_nack_nack_code_set(nack, UET_NACK_PDC_MODE_MISMATCH);
    uet_nack_nack_psn_set(nack, uet_rud_rod_req_psn(syn));
    assert_ptr_equal(give(&s, b, TALK_NACK7), young);
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), uet_rud_rod_req_psn(syn) - 0x100);
    assert_ptr_not_equal(give(&s, a, TALK_CLOSE_REQUEST), young);
    close_scene(&s);
}

/* A NACK without a PDC names the target's PDCID alone, which another PDC has by now. */
static void nack_of_the_old(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 5, 0x1000000), *b = live(1, 2, 5, 0x2000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSE_REQUEST);
    run(&s, a, TALK_CLOSE, TALK_CLOSED);
    assert_ptr_not_equal(run(&s, b, TALK_SYN0, TALK_ACK0), old);
    uint32_t psn = uet_cp_psn(talk_pds(&a->packet[TALK_CLOSE_REQUEST]));
    struct talk *back = live(2, 5, 1, 0x1000000);
    struct uet_ip initiator = back->initiator;
    back->initiator = back->target;
    back->target = initiator;
    talk_write(back);
    uint8_t *h = talk_pds(&back->packet[TALK_STRAY_NACK]);
    uet_nack_spdcid_set(h, 0);
    uet_nack_dpdcid_set(h, 5);
    uet_nack_nack_psn_set(h, psn);
    assert_ptr_equal(give(&s, back, TALK_STRAY_NACK), old);
    close_scene(&s);
}

/* CLEAR_PSN as before any ACK: of a Request of the ROD PDC. */
static void unclear(struct talk *talk, enum talk_name name)
{
    uint8_t *h = talk_pds(&talk->packet[name]);
    uint32_t ahead =
        uet_rud_rod_req_psn(h) - uet_rud_rod_req_psn(talk_pds(&talk->packet[TALK_ROD_SYN0]));
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(-1 - (int)ahead));
}

/* What goes back to a PSN before the gap takes the gap along: that is no second go-back for it. */
static void two_gaps(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000);
    for (enum talk_name n = TALK_ROD_REQ1; n <= TALK_ROD_REQ2_RETX; n++)
        if (n != TALK_ROD_OOO2)
            unclear(a, n);
    give(&s, a, TALK_ROD_SYN0);
    s.now += 100 * US; /* the round trip */
    run(&s, a, TALK_ROD_ACK0, TALK_ROD_REQ2_RETX);
    again(a, TALK_ROD_SYN0);
    give(&s, a, TALK_ROD_SYN0);
    give(&s, a, TALK_ROD_REQ1_RETX);
    close_scene(&s);
}

/* A fatal NACK ends a PDC whose SYNs are on their way: what its initiator must not do, it must not.
 */
static void syn_after_fatal(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000);
    give(&s, a, TALK_SYN0);
    s.now += 100 * US; /* the round trip */
    give(&s, a, TALK_SYN1);
    give(&s, a, TALK_ACK0);
    uint8_t *h = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, UET_NACK_CLOSING_IN_ERR);
    uet_nack_nack_psn_set(h, 0x1000001);
    give(&s, a, TALK_NACK7);
    s.now += 1000 * US;
    again(a, TALK_SYN1);
    blame(&s, a, TALK_SYN1, "PDS-140");
    close_scene(&s);
}

/* A fatal NACK for what is acknowledged, as for a late copy of a SYN, changes nothing (PDS-134). */
static void fatal_for_acknowledged(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000);
    give(&s, a, TALK_SYN0);
    s.now += 100 * US; /* the round trip */
    give(&s, a, TALK_SYN1);
    give(&s, a, TALK_ACK0);
    uint8_t *h = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, UET_NACK_INVALID_SYN);
    uet_nack_nack_psn_set(h, 0x1000000);
    give(&s, a, TALK_NACK7);
    s.now += 1000 * US;
    give(&s, a, TALK_REQ2);
    uet_nack_nack_psn_set(h, 0x1000001); /* not acknowledged yet: this one counts */
    give(&s, a, TALK_NACK7);
    s.now += 1000 * US;
    blame(&s, a, TALK_REQ3, "PDS-138");
    close_scene(&s);
}

/* An ACK whose IP header is damaged when it arrives is dropped: the Close Command comes again. */
static void closed_in_vain(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_INITIATOR);
    struct talk *a = live(0, 1, 1, 0x1000000);
    struct uet_track_pdc *pdc = run(&s, a, TALK_SYN0, TALK_CLOSE);
    struct talk_packet *closed = &a->packet[TALK_CLOSED];
    closed->frame[UET_ETH_BYTES + 10] ^= 0xff; /* the header checksum of IPv4 */
    assert_non_null(uet_track_add(s.track, closed->frame, closed->len, s.now));
    s.now += 1000 * US;
    again(a, TALK_CLOSE);
    assert_ptr_equal(give(&s, a, TALK_CLOSE), pdc);
    assert_false(pdc->closed);
    give(&s, a, TALK_CLOSED);
    assert_true(pdc->closed);
    close_scene(&s);
}

/*
 * The initiator has forgotten a PDC that the target still has, and tries its PDCID again and again,
 * refused each time: a packet of the old PDC is still told from all those.
 */
static void refused_many_times(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b;
    uint64_t random = 1;
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_ACK2);
    for (int i = 0; i < 200; i++) {
        b = live(1, 1, 1, 0x2000000 + (uint32_t)talk_random(&random) % 0xf0000000);
        assert_ptr_not_equal(give(&s, b, TALK_SYN0), old);
        uint8_t *h = talk_pds(&b->packet[TALK_NACK7]);
        uet_nack_nack_code_set(h, UET_NACK_INVALID_SYN);
        uet_nack_nack_psn_set(h, b->start);
        give(&s, b, TALK_NACK7);
    }
    uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
    assert_ptr_equal(give(&s, a, TALK_CLOSE_REQUEST), old);
    assert_false(s.t->mismatch);
    close_scene(&s);
}

/* Both incarnations of the PDCIDs are RUD: no mode of either explains UET_PDC_MODE_MISMATCH. */
static void mode_of_neither(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_CLOSED);
    run(&s, b, TALK_SYN0, TALK_REQ7);
    uet_nack_nack_code_set(talk_pds(&b->packet[TALK_NACK7]), UET_NACK_PDC_MODE_MISMATCH);
    blame(&s, b, TALK_NACK7, "PDS-007");
    close_scene(&s);
}

/* UET_CLOSING for a Request of a PDC that nobody has seen: there is no close to compare it with. */
static void closing_without_pdc(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_BOTH);
    struct talk *a = live(0, 1, 1, 0x1000000);
    give(&s, a, TALK_STRAY);
    assert_true(s.t->loose && !s.t->pdc);
    uet_nack_nack_code_set(talk_pds(&a->packet[TALK_STRAY_NACK]), UET_NACK_CLOSING);
    assert_null(give(&s, a, TALK_STRAY_NACK));
    assert_non_null(s.t->request);
    close_scene(&s);
}

/*
 * A Close Command comes a second time, late: its PDC is gone, and the target's own of these PDCIDs
 * is another one, which is closing. That one answers UET_CLOSING (3.5.8.3), not the old.
 */
static void closing_for_late_close(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_ACK8); /* no Close Request */
    struct uet_track_pdc *old = run(&s, a, TALK_CLOSE, TALK_CLOSED);
    run(&s, b, TALK_SYN0, TALK_CLOSE);
    assert_ptr_equal(give(&s, a, TALK_CLOSE), old);
    uint8_t *nack = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_nack_psn_set(nack, uet_cp_psn(talk_pds(&a->packet[TALK_CLOSE])));
    uet_nack_nack_code_set(nack, UET_NACK_CLOSING);
    give(&s, a, TALK_NACK7);
    close_scene(&s);
}

/*
 * The target refuses a PDC, and late copies of its SYNs open two, one after the other, each denied
 * by the initiator: unseen, both begin at the same PSN with the same PDCIDs. The first denial names
 * nothing but a PDCID of the target, who has opened a PDC of its own with it.
 */
static void ghosts_denied(void **state)
{
    (void)state;
    for (uint8_t vantage = UET_VANTAGE_MIDDLE; vantage <= UET_VANTAGE_INITIATOR; vantage++) {
        struct scene s;
        open_scene(&s, vantage);
        struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 9, 0x2000000),
                    *denial = live(2, 1, 1, 0x1000000);
        exchange(b);
        exchange(denial);
        run(&s, b, TALK_SYN0, TALK_ACK0);
        struct uet_track_pdc *pdc = give(&s, a, TALK_SYN0);
        nack(a, UET_NACK_NO_PDC_AVAIL, 1, 0x1000000);
        assert_ptr_equal(give(&s, a, TALK_NACK7), pdc);
        give(&s, a, TALK_ACK0);
        assert_ptr_equal(give(&s, a, TALK_RNOOP0), pdc);
        nack(denial, UET_NACK_INV_DPDCID, 1, 0x1000000);
        assert_ptr_equal(give(&s, denial, TALK_NACK7), pdc);
        assert_true(s.t->forward && pdc->failed);
        give(&s, a, TALK_ACK0);
        assert_true(pdc->doubtful);
        uet_cp_psn_set(talk_pds(&a->packet[TALK_CLOSE_REQUEST]), 0x1000000);
        give(&s, a, TALK_CLOSE_REQUEST); /* the second's first, with retx 0 */
        close_scene(&s);
    }
}

/*
 * A late SYN of a PDC that was closed is refused for the one that has its IPDCID now (3.5.6): what
 * begins where that one began is still its own.
 */
static void copy_behind_refusal(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_CLOSED);
    struct uet_track_pdc *young = run(&s, b, TALK_SYN0, TALK_ACK2);
    again(a, TALK_SYN0);
    struct uet_track_pdc *late = give(&s, a, TALK_SYN0);
    assert_ptr_not_equal(late, young);
    assert_ptr_equal(refuse(&s, a, UET_NACK_INVALID_SYN, 0x1000000), late);
    again(b, TALK_SYN1);
    assert_ptr_equal(give(&s, b, TALK_SYN1), young);
    assert_ptr_equal(give(&s, b, TALK_REQ4), young);
    close_scene(&s);
}

/*
 * A late SYN opens a PDC at the PSNs of the one that was closed; what comes late of that is refused
 * without a PDC, and the NACK is of the PDC in which its PSN was sent (PDS-133).
 */
static void nack_of_the_closed(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 2, 0x1000000);
    struct uet_track_pdc *old = run(&s, a, TALK_SYN0, TALK_CLOSED);
    assert_ptr_not_equal(run(&s, b, TALK_SYN0, TALK_ACK0), old);
    assert_ptr_equal(give(&s, a, TALK_CLOSE), old);
    uint8_t *h = talk_pds(&a->packet[TALK_STRAY_NACK]);
    uet_nack_spdcid_set(h, 0);
    uet_nack_dpdcid_set(h, 1);
    uet_nack_nack_psn_set(h, 0x1000009);
    assert_ptr_equal(give(&s, a, TALK_STRAY_NACK), old);
    close_scene(&s);
}

/*
 * A SYN was refused, and a late copy of it was not. That answer bears the PDCIDs of another PDC
 * too, the roles exchanged, but names what the first alone has sent (PDS-122).
 */
static void answer_after_refusal(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000),
                *c = live(2, 1, 1, 0x3000000);
    struct uet_track_pdc *refused = give(&s, a, TALK_SYN0);
    uint8_t *h = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_spdcid_set(h, 0);
    assert_ptr_equal(refuse(&s, a, UET_NACK_NO_PDC_AVAIL, 0x1000000), refused);
    exchange(b);
    run(&s, b, TALK_SYN0, TALK_CLOSED);
    assert_ptr_not_equal(give(&s, c, TALK_SYN0), refused);
    assert_ptr_equal(give(&s, a, TALK_ACK0), refused);
    assert_false(s.t->forward);
    close_scene(&s);
}

/*
 * A SYN was refused by another PDC, and a copy of it was not: from then on it is a PDC like any
 * other, also for the next SYN, which that one refuses.
 */
static void opened_after_refusal(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_ACK2);
    struct uet_track_pdc *young = give(&s, b, TALK_SYN0);
    assert_ptr_equal(refuse(&s, b, UET_NACK_INVALID_SYN, 0x2000000), young);
    live(1, 1, 2, 0x2000000);
    assert_ptr_equal(run(&s, b, TALK_SYN0, TALK_ACK0), young);
    struct talk *c = live(2, 1, 2, 0x3000000);
    struct uet_track_pdc *third = give(&s, c, TALK_SYN0);
    assert_ptr_equal(refuse(&s, c, UET_NACK_INVALID_SYN, 0x3000000), third);
    assert_ptr_equal(give(&s, b, TALK_SYN0), young);
    close_scene(&s);
}

/*
 * Two PDCs of one IPDCID began at the same PSN, and both were refused. A NACK about that PSN comes
 * late, for a packet that took another way: UET_ROD_OOO is meant for the one of ROD (PDS-002).
 */
static void order_of_the_other_mode(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_MIDDLE);
    struct talk *a = live(0, 1, 1, 0x1000000);
    const uint8_t *syn = talk_pds(&a->packet[TALK_ROD_SYN0]);
    const uint32_t start = uet_rud_rod_req_psn(syn);
    struct talk *b = live(1, uet_rud_rod_req_spdcid(syn), 1, start);
    uint8_t *h = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_dpdcid_set(h, uet_rud_rod_req_spdcid(syn));
    uet_nack_spdcid_set(h, 0);
    struct uet_track_pdc *rod = give(&s, a, TALK_ROD_SYN0);
    assert_ptr_equal(refuse(&s, a, UET_NACK_NO_PDC_AVAIL, start), rod);
    assert_ptr_not_equal(give(&s, b, TALK_SYN0), rod);
    uet_nack_payload_set(h, start - 1);
    assert_ptr_equal(refuse(&s, a, UET_NACK_ROD_OOO, start), rod);
    close_scene(&s);
}

/*
 * A sealed PDC was told to begin elsewhere, which is not far (TSS-058). Late SYNs of the first try
 * are refused by the PDC that has begun there, and do it no harm.
 */
static void late_syns_of_first_try(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x1000000), *b = live(1, 1, 1, 0x1000004);
    struct uet_track_pdc *first = give_sealed(&s, a, TALK_SYN1);
    uint8_t *h = talk_pds(&a->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, UET_NACK_NEW_START_PSN);
    uet_nack_nack_psn_set(h, 0x1000001);
    uet_nack_spdcid_set(h, 0);
    uet_nack_payload_set(h, 0x1000004);
    assert_ptr_equal(give_sealed(&s, a, TALK_NACK7), first);
    struct uet_track_pdc *second = give_sealed(&s, b, TALK_SYN0);
    assert_ptr_not_equal(second, first);
    assert_ptr_equal(give_sealed(&s, b, TALK_ACK0), second);
    assert_ptr_equal(give_sealed(&s, a, TALK_SYN0), first);
    uet_nack_nack_code_set(h, UET_NACK_INVALID_SYN);
    uet_nack_nack_psn_set(h, 0x1000000);
    uet_nack_spdcid_set(h, 1);
    uet_nack_payload_set(h, 0);
    assert_ptr_equal(give_sealed(&s, a, TALK_NACK7), first);
    assert_false(second->failed);
    assert_ptr_equal(give_sealed(&s, b, TALK_SYN1), second);
    close_scene(&s);
}

/*
 * CLEAR_PSN comes in a Request beyond the window: what is refused clears nothing, and the stored
 * response is right to come again (T8, PDS-074).
 */
static void clear_in_refused(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, UET_VANTAGE_TARGET);
    struct talk *a = live(0, 1, 1, 0x2000000);
    run(&s, a, TALK_SYN0, TALK_ACK5);
    uint8_t *h = talk_pds(&a->packet[TALK_REQ7]);
    uet_rud_rod_req_clear_psn_offset_set(h, -2); /* the PSN of TALK_REQ5 */
    give(&s, a, TALK_REQ7);
    refuse(&s, a, UET_NACK_PSN_OOR_WINDOW, 0x2000007);
    give(&s, a, TALK_REQ5_RETX);
    give(&s, a, TALK_ACK5_AGAIN);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_by_the_old),
        cmocka_unit_test(mode_refused_by_another),
        cmocka_unit_test(goes_on_after_refusal),
        cmocka_unit_test(nack_of_the_old),
        cmocka_unit_test(two_gaps),
        cmocka_unit_test(syn_after_fatal),
        cmocka_unit_test(fatal_for_acknowledged),
        cmocka_unit_test(closed_in_vain),
        cmocka_unit_test(refused_many_times),
        cmocka_unit_test(mode_of_neither),
        cmocka_unit_test(closing_without_pdc),
        cmocka_unit_test(closing_for_late_close),
        cmocka_unit_test(ghosts_denied),
        cmocka_unit_test(copy_behind_refusal),
        cmocka_unit_test(nack_of_the_closed),
        cmocka_unit_test(answer_after_refusal),
        cmocka_unit_test(opened_after_refusal),
        cmocka_unit_test(order_of_the_other_mode),
        cmocka_unit_test(late_syns_of_first_try),
        cmocka_unit_test(clear_in_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
