/* SPDX-License-Identifier: BSD-2-Clause */
/* The PDC that a packet belongs to: what follows from its match (track/incarnation.h). */
#include "track/incarnation.h"

static void set_mode(struct uet_track_pdc *pdc, const struct uet_packet *p)
{
    pdc->mode_known = true;
    if (uet_is_request(p))
        pdc->rod = uet_is_rod(p);
    else
        pdc->rod = uet_cp_isrod(uet_pds(p)); /* NOOP and Negotiation name the mode (3.5.16) */
}

/* Has the initiator told the target that the PDC is over: by the close or by a fatal NACK? */
static bool ended_at_target(const struct uet_track_pdc *pdc)
{
    return pdc->closed || pdc->target_told;
}

/*
 * Only a PDC that is open has anything to say but NACKs, and with a Close Command under way but
 * ACKs: after its end a late copy of a SYN has opened another, seen where all comes by that the
 * target gets (PDS-054).
 */
static bool speaks_after_end(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    const struct uet_packet *p = &track->t.packet;
    uint8_t vantage = track->config.vantage;
    bool unseen = vantage == UET_VANTAGE_MIDDLE || vantage == UET_VANTAGE_INITIATOR;
    return unseen && (ended_at_target(pdc) || (pdc->closing && !uet_is_ack(p))) && !uet_is_nack(p);
}

static void start_runs(struct uet_track_pdc *pdc, uint32_t start)
{
    pdc->start_known = true;
    pdc->start_psn = start;
    for (int i = 0; i < 2; i++) { /* both directions start there (3.5.8.2) */
        pdc->dir[i].runs_known = pdc->whole;
        pdc->dir[i].seen_psn = pdc->dir[i].acked_psn = start - 1;
    }
}

/*
 * Is this SYN surely the first packet of its PDC? Where the capture may have begun late, only the
 * initiator's end tells, who sends in order: the original of the first PSN. A resend never tells.
 */
static bool begins_here(const struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    uint8_t vantage = track->config.vantage;
    if (vantage == UET_VANTAGE_BOTH)
        return true;
    if (vantage == UET_VANTAGE_MIDDLE || uet_rud_rod_req_retx(uet_pds(p)))
        return false;
    return track->config.from_start ||
           (vantage == UET_VANTAGE_INITIATOR && uet_packet_psn(p) == uet_start_psn(p));
}

/* May the target have ended the PDC, by the close or because nobody answered (3.5.8.3)? */
static bool may_be_gone(const struct uet_track_pdc *pdc)
{
    return pdc->close_asked_by || pdc->closing || pdc->closed || pdc->failed;
}

/* A SYN opens a PDC. */
static struct uet_track_pdc *open_pdc(struct uet_track *track)
{
    struct uet_track_pdc *pdc = uet_incarnation_new(track, true, track->spdcid);
    pdc->opened_in_sight = pdc->roles_known = true;
    pdc->whole = begins_here(track);
    set_mode(pdc, &track->t.packet);
    track->t.opens = true;
    return pdc;
}

static void take_syn(const struct uet_track *track, struct uet_track_pdc *pdc)
{
    pdc->doubtful |= may_be_gone(pdc);
    if (!pdc->start_known)
        start_runs(pdc, uet_start_psn(&track->t.packet));
}

static struct uet_track_pdc *join_midstream(struct uet_track *track, bool forward)
{
    uint16_t ipdcid = forward ? track->spdcid : track->dpdcid;
    struct uet_track_pdc *pdc = uet_incarnation_new(track, forward, ipdcid);
    pdc->roles_known = true;
    if (uet_is_request(&track->t.packet))
        set_mode(pdc, &track->t.packet);
    uet_incarnation_bind(track, pdc, forward ? track->dpdcid : track->spdcid, forward, true);
    return pdc;
}

/*
 * The answer shows who talks to whom, not who opened. Where all is seen it was a SYN of the PDC
 * before: it begins where that one began, and so do the SYNs that follow.
 */
static struct uet_track_pdc *supersede(struct uet_track *track)
{
    const struct uet_track_pdc *old = uet_incarnation(track, false, track->dpdcid, true);
    bool same_start = uet_sees_all(track) && old && old->start_known;
    struct uet_track_pdc *pdc = uet_incarnation_new(track, false, track->dpdcid);
    if (same_start)
        start_runs(pdc, old->start_psn);
    uet_incarnation_bind(track, pdc, track->spdcid, false, false);
    return pdc;
}

/* The SYN that was taken for a new PDC's was one of the older PDC. */
static void give_back(struct uet_track *track, struct uet_track_pdc *older)
{
    struct uet_track_pdc *young = uet_incarnation(track, false, track->dpdcid, true);
    uet_incarnation_set(track, false, young->ipdcid, true, older);
    young->refused = true;
}

/* The PDC of a match that makes one. */
static struct uet_track_pdc *make_pdc(struct uet_track *track, const struct uet_match *m)
{
    switch (m->reason) {
    case UET_MATCH_OPENS:
        return open_pdc(track);
    case UET_MATCH_MIDSTREAM:
        return join_midstream(track, m->forward);
    case UET_MATCH_SUPERSEDES:
        return supersede(track);
    default:
        return m->pdc;
    }
}

/* What the match teaches of its PDC. */
static void learn(struct uet_track *track, const struct uet_match *m, struct uet_track_pdc *pdc)
{
    uint16_t tpdcid = m->forward ? track->dpdcid : track->spdcid;
    switch (m->reason) {
    case UET_MATCH_OPENS:
    case UET_MATCH_SYN:
        take_syn(track, pdc);
        break;
    case UET_MATCH_ANSWER:
    case UET_MATCH_OFFERED:
        uet_incarnation_bind(track, pdc, tpdcid, m->forward, false);
        break;
    case UET_MATCH_GUESSED:
        uet_incarnation_bind(track, pdc, tpdcid, m->forward, true);
        break;
    case UET_MATCH_IGNORED:
        pdc->tpdcid_offered = tpdcid;
        break;
    case UET_MATCH_REFUSES:
        pdc->tpdcid_before = uet_incarnation(track, true, track->spdcid, false);
        pdc->refused_by = track->spdcid;
        break;
    case UET_MATCH_OLDER:
        give_back(track, pdc);
        break;
    default:
        break;
    }
}

static void belongs(struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    pdc->doubtful |= !forward && speaks_after_end(track, pdc);
    track->t.pdc = pdc;
    track->t.forward = forward;
    track->t.from_initiator_known = pdc->roles_known;
}

static void take(struct uet_track *track, struct uet_match m)
{
    struct uet_tracked *t = &track->t;
    struct uet_track_pdc *pdc = make_pdc(track, &m);
    t->match = (uint8_t)m.reason;
    if (m.reason == UET_MATCH_EARLY) {
        pdc->dir[1].runs_known = false;
        return;
    }
    if (!pdc)
        return;
    learn(track, &m, pdc);
    belongs(track, pdc, m.forward);
    if (m.reason == UET_MATCH_CONTRADICTS)
        t->mismatch = t->loose = true;
}

void uet_locate_request(struct uet_track *track)
{
    take(track, uet_match_request(track));
    if (!track->t.pdc || !uet_consumes_psn(&track->t.packet))
        track->t.loose = true;
}

void uet_locate_answer(struct uet_track *track)
{
    const struct uet_match m = uet_match_answer(track);
    bool certain = m.reason == UET_MATCH_PDCIDS || m.reason == UET_MATCH_PSN;
    take(track, m);
    if (certain && !m.forward)
        m.pdc->tpdcid_guessed = false;
    if (m.reason == UET_MATCH_CONTRADICTS && !m.forward)
        m.pdc->tpdcid_offered = track->spdcid;
}
