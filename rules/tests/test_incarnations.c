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

#include "rules/rules.h"
#include "track/arena.h"
#include "track/tests/talk.h"

enum { MAX_VIOLATIONS = 16, US = 1000 };

struct scene {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    uint64_t now;
    const struct uet_tracked *t; /* the packet given last */
};

static struct talk incarnation[3]; /* of the same two FEPs */

static void open_scene_with(struct scene *s, uint8_t vantage, const struct uet_rules_window *window)
{
    *s = (struct scene){.now = 1000 * US};
    uet_track_arena_init(&s->arena, 0);
    const struct uet_track_config track = {
        .vantage = vantage, .from_start = true, .allocator = uet_track_arena_allocator(&s->arena)};
    const struct uet_rules_config rules = {.vantage = vantage, .window = window};
    s->track = uet_track_new(&track);
    s->rules = uet_rules_new(&rules, &track.allocator);
    assert_non_null(s->rules);
}

static void open_scene(struct scene *s, uint8_t vantage)
{
    open_scene_with(s, vantage, NULL);
}

static void close_scene(struct scene *s)
{
    uet_rules_free(s->rules);
    uet_track_free(s->track);
    uet_track_arena_free(&s->arena);
}

/* A incarnation of the PDCIDs: the talk with other PDCIDs, and PSNs that begin elsewhere. */
static struct talk *live(unsigned i, uint16_t ipdcid, uint16_t tpdcid, uint32_t start)
{
    talk_default(&incarnation[i]);
    incarnation[i].ipdcid = ipdcid;
    incarnation[i].tpdcid = tpdcid;
    incarnation[i].start = start;
    talk_write(&incarnation[i]);
    return &incarnation[i];
}

/* Gives a packet of an incarnation; nothing may be wrong with it. Returns its PDC. */
static struct uet_track_pdc *give(struct scene *s, struct talk *talk, enum talk_name name)
{
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    if (n)
        fail_msg("packet %d: %s: %s", name, found[0].requirement, found[0].message);
    return s->t->pdc;
}

static void again(struct talk *talk, enum talk_name name)
{
    uet_rud_rod_req_retx_set(talk_pds(&talk->packet[name]), true);
    uet_rud_rod_req_ar_set(talk_pds(&talk->packet[name]), true);
}

/* CLEAR_PSN as before any ACK: of a Request of the ROD PDC. */
static void unclear(struct talk *talk, enum talk_name name)
{
    uint8_t *h = talk_pds(&talk->packet[name]);
    uint32_t ahead =
        uet_rud_rod_req_psn(h) - uet_rud_rod_req_psn(talk_pds(&talk->packet[TALK_ROD_SYN0]));
    uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)(-1 - (int)ahead));
}

/* From..to of an incarnation; the PDC of the last one. */
static struct uet_track_pdc *run(struct scene *s, struct talk *talk, enum talk_name from,
                                 enum talk_name to)
{
    for (enum talk_name n = from; n < to; n++)
        give(s, talk, n);
    return give(s, talk, to);
}

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

static void exchange(struct talk *talk)
{
    struct uet_ip initiator = talk->initiator;
    talk->initiator = talk->target;
    talk->target = initiator;
    talk_write(talk);
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

/* Gives a packet of an incarnation that breaks a requirement. */
static void blame(struct scene *s, struct talk *talk, enum talk_name name, const char *requirement)
{
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    for (size_t i = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS); i-- > 0;)
        if (strcmp(found[i].requirement, requirement) == 0)
            return;
    fail_msg("packet %d: %s is not noticed", name, requirement);
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

static void nack(struct talk *talk, uint8_t code, uint16_t dpdcid, uint32_t psn)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, code);
    uet_nack_spdcid_set(h, 0);
    uet_nack_dpdcid_set(h, dpdcid);
    uet_nack_nack_psn_set(h, psn);
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

/* The target refuses a SYN: by TALK_NACK7, for the PSN that it has. */
static struct uet_track_pdc *refuse(struct scene *s, struct talk *talk, uint8_t code, uint32_t psn)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_NACK7]);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, psn);
    return give(s, talk, TALK_NACK7);
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

/* As if it had been sealed, in one domain. */
static struct uet_track_pdc *give_sealed(struct scene *s, struct talk *talk, enum talk_name name)
{
    struct uet_packet packet;
    struct uet_violation found[MAX_VIOLATIONS];
    struct talk_packet *p = &talk->packet[name];
    talk_mend(p);
    assert_int_equal(uet_parse(&packet, p->frame, p->len, NULL), UET_PARSE_OK);
    packet.tss = UET_H_TSS_HDR_12;
    packet.sdi = 1;
    packet.seal = (struct uet_packet_seal){.counter = s->now};
    s->now += US;
    s->t = uet_track_add_packet(s->track, &packet, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    if (n)
        fail_msg("packet %d: %s: %s", name, found[0].requirement, found[0].message);
    return s->t->pdc;
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

/* ---- credit ---- */

/* What is beside it in these scenes, messages above all, is not looked at. */
static void give_credit(struct scene *s, struct talk_packet *p)
{
    struct uet_violation found[MAX_VIOLATIONS];
    talk_mend(p);
    s->now += US;
    s->t = uet_track_add(s->track, p->frame, p->len, s->now);
    assert_non_null(s->t);
    size_t n = uet_rules_check(s->rules, s->t, found, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(found[i].requirement, "CMS-077") == 0)
            fail_msg("%s", found[i].message);
    }
}

/* A packet of an incarnation as a CC Request, given; its PSN is so much higher. */
static void spend(struct scene *s, struct talk *talk, enum talk_name name, uint32_t higher)
{
    enum { MORE = UET_RUD_ROD_CC_REQ_BYTES - UET_RUD_ROD_REQ_BYTES };
    const struct talk_packet before = talk->packet[name];
    struct talk_packet *p = &talk->packet[name];
    uint8_t *h = talk_pds(p), *behind = h + UET_RUD_ROD_REQ_BYTES;
    uint8_t *ip = p->frame + UET_ETH_BYTES;
    memmove(behind + MORE, behind, (size_t)(p->frame + p->len - behind));
    memset(behind, 0, MORE);
    p->len += MORE;
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_CC_REQ);
    uet_rud_rod_req_psn_set(h, uet_rud_rod_req_psn(h) + higher);
    uet_ipv4_total_length_set(ip, (uint16_t)(uet_ipv4_total_length(ip) + MORE));
    uet_udp_length_set(ip + UET_IPV4_BYTES, (uint16_t)(uet_udp_length(ip + UET_IPV4_BYTES) + MORE));
    give_credit(s, p);
    talk->packet[name] = before;
}

static void grant(struct scene *s, struct talk *talk, uint32_t credit)
{
    uint8_t *h = talk_pds(&talk->packet[TALK_RNOOP0]);
    uet_cp_ctl_type_set(h, UET_CTL_CREDIT);
    uet_cp_ar_set(h, false);
    uet_cp_psn_set(h, 0);
    uet_cp_payload_credit_credit_set(h + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES, credit);
    give_credit(s, &talk->packet[TALK_RNOOP0]);
}

/*
 * When all PDCs of a CCC have closed it is over: the next one may have its ccc_id, and is granted
 * credit from 0 again.
 */
static void credit_anew(void **state)
{
    (void)state;
    static const struct uet_rules_window window = {.max_credit = 900};
    struct scene s;
    open_scene_with(&s, UET_VANTAGE_TARGET, &window);
    for (unsigned life = 0; life < 2; life++) {
        struct talk *a = live(life, (uint16_t)(1 + life), 1, 0x1000000u << life);
        spend(&s, a, TALK_SYN0, 0);
        give(&s, a, TALK_ACK0);
        grant(&s, a, 1);
        grant(&s, a, 30);
        for (uint32_t i = 0; i < 7; i++)
            spend(&s, a, TALK_REQ2, i);
        run(&s, a, TALK_CLOSE, TALK_CLOSED);
        assert_true(s.t->pdc->closed);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_command_again),
        cmocka_unit_test(same_pdcids),
        cmocka_unit_test(near_by_chance),
        cmocka_unit_test(ghosts),
        cmocka_unit_test(ghost_of_a_ghost),
        cmocka_unit_test(near_midstream),
        cmocka_unit_test(ghost_from_afar),
        cmocka_unit_test(ghost_after_close),
        cmocka_unit_test(roles_exchanged),
        cmocka_unit_test(used_elsewhere),
        cmocka_unit_test(probe_of_one_unseen),
        cmocka_unit_test(data_ahead_of_ack),
        cmocka_unit_test(opened_after_refusal),
        cmocka_unit_test(order_of_the_other_mode),
        cmocka_unit_test(late_syns_of_first_try),
        cmocka_unit_test(clear_after_wrap),
        cmocka_unit_test(close_request_first),
        cmocka_unit_test(refused_by_the_old),
        cmocka_unit_test(nack_of_the_old),
        cmocka_unit_test(mode_refused_by_another),
        cmocka_unit_test(goes_on_after_refusal),
        cmocka_unit_test(close_request_at_target),
        cmocka_unit_test(two_gaps),
        cmocka_unit_test(syn_after_fatal),
        cmocka_unit_test(fatal_for_acknowledged),
        cmocka_unit_test(closed_in_vain),
        cmocka_unit_test(refused_many_times),
        cmocka_unit_test(mode_of_neither),
        cmocka_unit_test(closing_without_pdc),
        cmocka_unit_test(closing_for_late_close),
        cmocka_unit_test(ghosts_denied),
        cmocka_unit_test(ack_request_of_another),
        cmocka_unit_test(reopened_after_lost_ack),
        cmocka_unit_test(ghost_before_close_ack),
        cmocka_unit_test(copy_behind_refusal),
        cmocka_unit_test(nack_of_the_closed),
        cmocka_unit_test(answer_after_refusal),
        cmocka_unit_test(ack_of_the_initiator),
        cmocka_unit_test(probe_of_the_old),
        cmocka_unit_test(clear_in_refused),
        cmocka_unit_test(credit_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
