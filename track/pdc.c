/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which PDC a packet belongs to (3.5.8.1, 3.5.8.2, 3.5.11.5): a PDCID counts together with the
 * addresses of both FEPs, since the same value may be used towards different FEPs (PDS-019).
 */
#include <stdlib.h>

#include "track/internal.h"

struct pdc_key {
    struct uet_ip owner, peer;
    uint16_t pdcid;
    bool initiator; /* the owner is the PDC's initiator */
    struct uet_track_pdc *pdc;
};

static bool same_key(const void *value, const void *key)
{
    const struct pdc_key *a = value, *b = key;
    return a->pdcid == b->pdcid && a->initiator == b->initiator &&
           uet_ip_equal(&a->owner, &b->owner) && uet_ip_equal(&a->peer, &b->peer);
}

static uint64_t key_hash(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                         bool initiator)
{
    uint64_t h = uet_mix(owner_is_src ? track->src_hash : track->dst_hash,
                         owner_is_src ? track->dst_hash : track->src_hash);
    return uet_mix(h, (uint64_t)pdcid << 1 | initiator);
}

static struct pdc_key *find_key(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                                bool initiator)
{
    const struct pdc_key key = {.owner = owner_is_src ? track->src : track->dst,
                                .peer = owner_is_src ? track->dst : track->src,
                                .pdcid = pdcid,
                                .initiator = initiator};
    return uet_map_find(&track->pdc_keys, key_hash(track, owner_is_src, pdcid, initiator), same_key,
                        &key);
}

/* The newest PDC with this PDCID of the packet's source, or of its destination. */
static struct uet_track_pdc *find(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                                  bool initiator)
{
    const struct pdc_key *k = pdcid ? find_key(track, owner_is_src, pdcid, initiator) : NULL;
    return k ? k->pdc : NULL;
}

static void set_key(struct uet_track *track, bool owner_is_src, uint16_t pdcid, bool initiator,
                    struct uet_track_pdc *pdc)
{
    struct pdc_key *k = find_key(track, owner_is_src, pdcid, initiator);
    if (!k) {
        k = uet_pool_get(&track->pool, sizeof *k);
        *k = (struct pdc_key){.owner = owner_is_src ? track->src : track->dst,
                              .peer = owner_is_src ? track->dst : track->src,
                              .pdcid = pdcid,
                              .initiator = initiator};
        uet_map_put(&track->pdc_keys, key_hash(track, owner_is_src, pdcid, initiator), k);
    }
    k->pdc = pdc;
}

/* TPDCID becomes known. forward: the packet in hand comes from the initiator. */
static void bind(struct uet_track *track, struct uet_track_pdc *pdc, uint16_t tpdcid, bool forward,
                 bool guessed)
{
    const struct uet_track_pdc *other = find(track, !forward, tpdcid, false);
    if (other && other != pdc && !forward)
        track->t.taken_from = other;
    if (other != pdc)
        pdc->tpdcid_before = find(track, !forward, tpdcid, false);
    pdc->tpdcid = tpdcid;
    pdc->tpdcid_guessed = guessed;
    pdc->established = true;
    pdc->refused = false;
    set_key(track, !forward, tpdcid, false, pdc);
}

static struct uet_track_pdc *create(struct uet_track *track, bool forward, uint16_t ipdcid)
{
    struct uet_track_pdc *pdc = uet_pool_get(&track->pool, sizeof *pdc);
    pdc->stream = track->streams++;
    pdc->initiator_ip = forward ? track->src : track->dst;
    pdc->target_ip = forward ? track->dst : track->src;
    pdc->ipdcid = ipdcid;
    pdc->first_frame = track->t.number;
    pdc->previous = find(track, forward, ipdcid, true);
    set_key(track, forward, ipdcid, true, pdc);
    /* No PDCID is 0: that key holds the newest PDC from one to the other. */
    const struct pdc_key *newest = find_key(track, forward, 0, true);
    pdc->earlier = newest ? newest->pdc : NULL;
    set_key(track, forward, 0, true, pdc);
    if (track->last)
        track->last->next = pdc;
    else
        track->first = pdc;
    track->last = pdc;
    return pdc;
}

static void set_mode(struct uet_track_pdc *pdc, const struct uet_packet *p)
{
    pdc->mode_known = true;
    if (uet_is_request(p))
        pdc->rod = uet_is_rod(p);
    else
        pdc->rod = uet_cp_isrod(uet_pds(p)); /* NOOP and Negotiation name the mode (3.5.16) */
}

static bool far(uint32_t a, uint32_t b)
{
    int32_t d = uet_psn_diff(a, b);
    return d >= UET_FAR || d <= -UET_FAR;
}

/*
 * Does this SYN open a new PDC although its IPDCID is known? A PDC that was closed, and one that
 * was refused, may be followed by another with the same IPDCID, which starts at least 2^16 away
 * (3.5.8.2); late copies of the old SYN belong to the old one.
 */
static bool reopens(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    const struct uet_packet *p = &track->t.packet;
    uint32_t start = uet_start_psn(p), psn = uet_packet_psn(p);
    bool same_start = pdc->start_known && pdc->start_psn == start;
    bool first = psn == start && !uet_rud_rod_req_retx(uet_pds(p));
    if (pdc->refused)
        return !same_start || first;
    if (pdc->closed)
        return uet_sees_all(track) || !same_start;
    if (pdc->failed && !same_start)
        return true;
    bool near_start = pdc->start_known && !far(start, pdc->start_psn);
    bool near_psn = pdc->dir[0].psn_known && !far(start, pdc->dir[0].highest_psn);
    return !near_start && !near_psn;
}

/*
 * Only a PDC that is open has anything to say but NACKs: after the close a late copy of a SYN has
 * opened another, seen where all comes by that the target gets (PDS-054).
 */
static bool speaks_after_close(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    uint8_t vantage = track->config.vantage;
    bool unseen = vantage == UET_VANTAGE_MIDDLE || vantage == UET_VANTAGE_INITIATOR;
    return unseen && pdc->closed && !uet_is_nack(&track->t.packet);
}

static void belongs(struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    pdc->doubtful |= !forward && speaks_after_close(track, pdc);
    track->t.pdc = pdc;
    track->t.forward = forward;
    track->t.from_initiator_known = pdc->roles_known;
}

static void contradicts(struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    belongs(track, pdc, forward);
    track->t.mismatch = true;
    track->t.loose = true;
}

/* Only a Request, a NOOP or a Negotiation may open a PDC (3.5.16.1, PDS-046). */
static bool may_open(const struct uet_packet *p)
{
    uint8_t ctl = uet_cp_ctl_type(uet_pds(p));
    return uet_is_request(p) || ctl == UET_CTL_NOOP || ctl == UET_CTL_NEGOTIATION;
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
    return pdc->close_asked || pdc->closing || pdc->closed || pdc->failed;
}

static void locate_syn(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_track_pdc *pdc = find(track, true, track->spdcid, true);
    if (!track->spdcid || !may_open(p)) {
        track->t.loose = true;
        return;
    }
    if (!pdc || reopens(track, pdc)) {
        pdc = create(track, true, track->spdcid);
        pdc->opened_in_sight = pdc->roles_known = true;
        pdc->whole = begins_here(track);
        set_mode(pdc, p);
        track->t.opens = true;
    }
    pdc->doubtful |= may_be_gone(pdc);
    if (!pdc->start_known)
        start_runs(pdc, uet_start_psn(p));
    belongs(track, pdc, true);
}

/* What a packet's kind says of its sender: 1 initiator, -1 target, 0 nothing (3.5.16, 3.5.12.1). */
static int role_of(const struct uet_packet *p)
{
    static const int8_t of_cp[16] = {[UET_CTL_CLEAR_COMMAND] = 1,
                                     [UET_CTL_CLOSE_COMMAND] = 1,
                                     [UET_CTL_CLEAR_REQUEST] = -1,
                                     [UET_CTL_CLOSE_REQUEST] = -1};
    uint8_t next = uet_pds_prologue_next_hdr_or_ctl_type(uet_pds(p));
    if (uet_is_cp(p))
        return of_cp[next];
    if (next >= UET_NH_REQUEST_SMALL && next <= UET_NH_REQUEST_STD)
        return 1;
    return next == UET_NH_RESPONSE_DATA || next == UET_NH_RESPONSE_DATA_SMALL ? -1 : 0;
}

/* A PDC that was open before the capture began, or whose opening the capture lacks. */
static void join_midstream(struct uet_track *track)
{
    int role = role_of(&track->t.packet);
    if (!role || !track->spdcid || !track->dpdcid) {
        track->t.loose = true;
        return;
    }
    bool forward = role > 0;
    struct uet_track_pdc *pdc = create(track, forward, forward ? track->spdcid : track->dpdcid);
    pdc->roles_known = true;
    if (uet_is_request(&track->t.packet))
        set_mode(pdc, &track->t.packet);
    bind(track, pdc, forward ? track->dpdcid : track->spdcid, forward, true);
    belongs(track, pdc, forward);
}

/* In the middle of a network a PDC may be closed and reopened unseen: its PSNs then jump far. */
static bool other_incarnation(const struct uet_track *track, const struct uet_track_pdc *pdc,
                              bool forward)
{
    const struct uet_track_dir *dir = &pdc->dir[!forward];
    return !uet_sees_all(track) && uet_consumes_psn(&track->t.packet) && dir->psn_known &&
           far(uet_packet_psn(&track->t.packet), dir->highest_psn);
}

static void found(struct uet_track *track, struct uet_track_pdc *pdc, bool forward)
{
    if (other_incarnation(track, pdc, forward))
        join_midstream(track);
    else
        belongs(track, pdc, forward);
}

/* Could a packet with this PSN be of that direction of the PDC, as far as it was seen? */
static bool near(const struct uet_track_pdc *pdc, bool forward, uint32_t psn)
{
    const struct uet_track_dir *dir = &pdc->dir[!forward];
    if (dir->psn_known)
        return !far(psn, dir->highest_psn);
    return pdc->start_known && !far(psn, pdc->start_psn); /* both directions start there */
}

/*
 * TPDCID may be taken from a Request or CP when the ACK that taught it was not seen: if that is one
 * of the PDC by its PSN and its kind. forward: it would come from the initiator.
 */
static bool may_guess(const struct uet_track *track, const struct uet_track_pdc *pdc, bool forward)
{
    const struct uet_packet *p = &track->t.packet;
    int role = role_of(p);
    bool sure = !forward && role < 0; /* who sends this gives its own PDCID */
    if (pdc->refused_by && pdc->refused_by == (forward ? track->dpdcid : track->spdcid))
        return false; /* that is the other PDC's */
    /* Of a PDC that was refused, another copy of the SYN may have opened it since. */
    return (!uet_sees_all(track) || sure) && !pdc->established && (!pdc->refused || sure) &&
           (!role || forward == (role > 0)) &&
           (!uet_consumes_psn(p) || near(pdc, forward, uet_packet_psn(p)));
}

/* The initiator uses a PDCID that an answer offered, though it was no answer to learn from. */
static bool takes_offer(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    return track->dpdcid && track->dpdcid == pdc->tpdcid_offered;
}

/*
 * The PSN by which the packet in hand tells its PDC: its own, or that in the payload of a Clear
 * Command. False: it names none, and the newest PDC is meant.
 */
static bool named_psn(const struct uet_track *track, uint32_t *psn)
{
    const struct uet_packet *p = &track->t.packet;
    uint8_t ctl = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UET_CTL_ACK_REQUEST;
    bool clear = uet_is_cp(p) && ctl == UET_CTL_CLEAR_COMMAND;
    *psn = clear ? uet_cp_payload_value(uet_pds(p)) : uet_packet_psn(p);
    return clear || !uet_is_cp(p) || ctl == UET_CTL_ACK_REQUEST || uet_consumes_psn(p);
}

/*
 * Two PDCs of the same two FEPs may bear the same two PDCIDs with the roles exchanged, one after
 * the other: a FEP's PDCID belongs to one PDC at a time. So the younger one is meant, unless the
 * PSN says that this is a late packet of the older. forward and back are the PDCs that the packet
 * belongs to when its sender is the initiator, and when it is the target; answer: it names a PSN
 * of the other direction. True: forward.
 */
static bool is_forward(const struct uet_track *track, const struct uet_track_pdc *forward,
                       const struct uet_track_pdc *back, bool answer)
{
    uint32_t psn;
    if (!forward || !back)
        return forward != NULL;
    if (!named_psn(track, &psn))
        return forward->stream > back->stream;
    bool fits_forward = near(forward, !answer, psn), fits_back = near(back, answer, psn);
    if (fits_forward != fits_back)
        return fits_forward;
    return forward->stream > back->stream;
}

/*
 * PDCs that had the same IPDCID: a copy is not so late that more of them were opened since. Many
 * are when a FEP has few PDCIDs, and its peer refuses one SYN after the other.
 */
#define PREVIOUS 64

/*
 * The PDC with both PDCIDs of the packet in hand, whose sender is the initiator (forward) or the
 * target: the newest of its IPDCID, or an older one that the PSN belongs to. Each end gives a PDCID
 * to another PDC when it is done with this one, and the other may not have heard that it is.
 * answer: the packet names a PSN of the other direction.
 */
static struct uet_track_pdc *bearing(const struct uet_track *track, bool forward, bool answer)
{
    uint16_t ipdcid = forward ? track->spdcid : track->dpdcid;
    uint16_t tpdcid = forward ? track->dpdcid : track->spdcid;
    uint32_t psn;
    struct uet_track_pdc *newest = find(track, forward, ipdcid, true), *pdc = newest;
    bool named = named_psn(track, &psn);
    for (int i = 0; named && i < PREVIOUS && pdc; i++, pdc = pdc->previous) {
        if (!near(pdc, forward != answer, psn))
            continue;
        if (!pdc->established)
            return NULL; /* its TPDCID may be this one */
        if (pdc->tpdcid == tpdcid)
            return pdc;
    }
    return newest && newest->established && newest->tpdcid == tpdcid ? newest : NULL;
}

/*
 * Both PDCIDs are those of a PDC, but the PSN is not near its own: a PDC with the roles exchanged,
 * whose TPDCID was not seen yet, has a better claim. forward: the packet would come from its
 * initiator.
 */
static bool claims(const struct uet_track *track, const struct uet_track_pdc *pdc, bool forward,
                   const struct uet_track_pdc *other)
{
    const struct uet_packet *p = &track->t.packet;
    return pdc && other && uet_consumes_psn(p) && may_guess(track, pdc, forward) &&
           !near(other, !forward, uet_packet_psn(p));
}

static void locate_not_syn(struct uet_track *track)
{
    struct uet_track_pdc *to_target = find(track, false, track->dpdcid, false);
    struct uet_track_pdc *to_initiator = find(track, false, track->dpdcid, true);
    struct uet_track_pdc *from_initiator = find(track, true, track->spdcid, true);
    struct uet_track_pdc *from_target = find(track, true, track->spdcid, false);
    struct uet_track_pdc *forward = bearing(track, true, false);
    struct uet_track_pdc *back = bearing(track, false, false);
    if (claims(track, to_initiator, false, forward))
        forward = NULL;
    if (claims(track, from_initiator, true, back))
        back = NULL;
    if (forward || back) {
        bool is = is_forward(track, forward, back, false);
        found(track, is ? forward : back, is);
    } else if (from_initiator && takes_offer(track, from_initiator)) {
        bind(track, from_initiator, track->dpdcid, true, false);
        found(track, from_initiator, true);
    } else if (from_initiator && track->dpdcid && may_guess(track, from_initiator, true)) {
        bind(track, from_initiator, track->dpdcid, true, true);
        found(track, from_initiator, true);
    } else if (to_initiator && track->spdcid && may_guess(track, to_initiator, false)) {
        bind(track, to_initiator, track->spdcid, false, true);
        found(track, to_initiator, false);
    } else if (!uet_sees_all(track)) {
        join_midstream(track);
    } else if (to_target && !from_initiator) {
        contradicts(track, to_target, true); /* its TPDCID, another IPDCID */
    } else if (from_initiator || from_target) {
        contradicts(track, from_initiator ? from_initiator : from_target, from_initiator != NULL);
    } else if (to_initiator || track->config.vantage == UET_VANTAGE_BOTH) {
        track->t.loose = true; /* somebody else's PDC, or none at all */
        if (to_initiator && !to_initiator->established)
            to_initiator->dir[1].runs_known = false; /* it may be the target's, ahead of its ACK */
    } else {
        join_midstream(track);
    }
}

void uet_locate_request(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    if (uet_has_syn(p))
        locate_syn(track);
    else
        locate_not_syn(track);
    if (!uet_consumes_psn(p))
        track->t.loose = true;
}

/*
 * May this answer teach TPDCID? Where every packet is seen it must name what was sent: an answer
 * that the initiator is bound to ignore (3.5.12) teaches nothing.
 */
static bool teaches(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    const struct uet_packet *p = &track->t.packet;
    const struct uet_track_dir *dir = &pdc->dir[0];
    if (!uet_sees_all(track))
        return true;
    if (uet_is_nack(p))
        return uet_psn_find(track, pdc, true, uet_packet_psn(p)) != NULL;
    return dir->psn_known && uet_psn_diff(uet_ack_cack_psn(uet_pds(p)), dir->highest_psn) <= 0;
}

/* Codes by which a PDC of the target that is there refuses a SYN for its IPDCID (3.5.6, 3.5.8.2).
 */
static bool refuses_for_another(const struct uet_packet *p)
{
    uint8_t code = uet_is_nack(p) ? uet_nack_nack_code(uet_pds(p)) : UET_NACK_TRIMMED;
    return code == UET_NACK_INVALID_SYN || code == UET_NACK_PDC_MODE_MISMATCH;
}

/*
 * The answer names the IPDCID of pdc, whose TPDCID is not known. If the target answers with the
 * TPDCID of an older PDC of the same IPDCID that is still open, and does not refuse it, it takes
 * the new SYN for one of that PDC: then so do we.
 */
static void answered(struct uet_track *track, struct uet_track_pdc *pdc)
{
    struct uet_track_pdc *older = find(track, true, track->spdcid, false);
    const struct uet_packet *p = &track->t.packet;
    if (refuses_for_another(p)) {
        pdc->tpdcid_before = older;
        pdc->refused_by = track->spdcid;
        belongs(track, pdc, false);
        return;
    }
    bool another = older && older != pdc && older->ipdcid == pdc->ipdcid;
    if (uet_sees_all(track) && another && !uet_is_nack(p) && !older->closed && !older->refused &&
        !older->failed) {
        set_key(track, false, pdc->ipdcid, true, older);
        pdc->refused = true;
        belongs(track, older, false);
        return;
    }
    belongs(track, pdc, false);
    if (track->spdcid && teaches(track, pdc))
        bind(track, pdc, track->spdcid, false, false);
    else
        pdc->tpdcid_offered = track->spdcid;
}

/*
 * PDCIDs that were used again unseen, or a SYN that opened another PDC when the target was done
 * with its own: the answer shows who talks to whom, not who opened.
 */
static void supersede(struct uet_track *track)
{
    struct uet_track_pdc *pdc = create(track, false, track->dpdcid);
    bind(track, pdc, track->spdcid, false, false);
    belongs(track, pdc, false);
}

/*
 * Of the PDCs that had the same PDCID as newest: the one in which the PSN that the answer names was
 * sent. forward: by its initiator, whose PDCID it is; else by its target.
 */
static struct uet_track_pdc *asked(const struct uet_track *track, struct uet_track_pdc *newest,
                                   bool forward)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    struct uet_track_pdc *pdc = newest;
    for (int i = 0; i < PREVIOUS && pdc; i++) {
        if (near(pdc, forward, psn))
            return pdc;
        pdc = forward ? pdc->previous : pdc->tpdcid_before;
    }
    return newest;
}

/* A younger PDC that waits for its first answer, and this may be it. */
static bool unanswered(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    return !pdc->established && near(pdc, true, uet_packet_psn(&track->t.packet));
}

void uet_locate_answer(struct uet_track *track)
{
    struct uet_track_pdc *to_initiator = find(track, false, track->dpdcid, true);
    struct uet_track_pdc *to_target = find(track, false, track->dpdcid, false);
    struct uet_track_pdc *forward = bearing(track, true, true);
    struct uet_track_pdc *back = bearing(track, false, true);
    if (back && !is_forward(track, forward, back, true)) {
        back->tpdcid_guessed = false;
        belongs(track, back, false);
    } else if (forward && (back || !to_initiator || !unanswered(track, to_initiator))) {
        belongs(track, forward, true);
    } else if (to_initiator && uet_is_nack(&track->t.packet) && !track->spdcid) {
        belongs(track, asked(track, to_initiator, true), false); /* the target knows no PDC */
    } else if (to_initiator && (!to_initiator->established || to_initiator->tpdcid_guessed)) {
        answered(track, to_initiator);
    } else if (to_target && uet_is_nack(&track->t.packet) && !track->spdcid) {
        belongs(track, asked(track, to_target, false), true);
    } else if (to_initiator && track->spdcid && (!uet_sees_all(track) || to_initiator->doubtful)) {
        supersede(track);
    } else if (to_initiator || to_target) {
        if (to_initiator)
            to_initiator->tpdcid_offered = track->spdcid;
        contradicts(track, to_initiator ? to_initiator : to_target, !to_initiator);
    }
}
