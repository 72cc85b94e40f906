/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * To which incarnation of its PDCIDs a packet belongs, and why (3.5.8.1, 3.5.8.2, 3.5.11.5).
 * Nothing here changes what is known.
 */
#include "track/incarnation.h"

static const struct {
    const char *name, *why;
} reasons[UET_MATCH_REASONS] = {
    [UET_MATCH_NONE] = {"none", "nothing: no PDC that it could be of was seen"},
    [UET_MATCH_EARLY] = {"early",
                         "nothing yet: the first answer of the PDC that it may be of was not seen"},
    [UET_MATCH_OPENS] = {"opens", "its SYN, which opens it"},
    [UET_MATCH_SYN] = {"syn", "its SYN and IPDCID"},
    [UET_MATCH_PDCIDS] = {"pdcids", "both PDCIDs"},
    [UET_MATCH_PSN] = {"psn", "its PSN, among several PDCs with both PDCIDs"},
    [UET_MATCH_ANSWER] = {"answer", "the IPDCID that it answers; it tells the TPDCID"},
    [UET_MATCH_IGNORED] = {"ignored", "the IPDCID that it answers; it tells no TPDCID"},
    [UET_MATCH_REFUSES] = {"refuses", "the IPDCID that it refuses for an older PDC"},
    [UET_MATCH_OLDER] = {"older", "the TPDCID of an older PDC, whose SYN the target thinks it has"},
    [UET_MATCH_NACKED] = {"nacked", "its nack_psn: a NACK without SPDCID names no PDC"},
    [UET_MATCH_OFFERED] = {"offered", "the IPDCID and a TPDCID that an answer had offered"},
    [UET_MATCH_GUESSED] = {"guessed",
                           "one PDCID; the other is guessed, the ACK that told it was not seen"},
    [UET_MATCH_MIDSTREAM] = {"midstream", "both PDCIDs, which were not seen before"},
    [UET_MATCH_SUPERSEDES] = {"supersedes", "both PDCIDs, of a PDC that was opened unseen"},
    [UET_MATCH_CONTRADICTS] = {"contradicts", "one PDCID; the other is not the PDC's"},
};

const char *uet_match_name(enum uet_match_reason reason)
{
    return reasons[reason].name;
}

const char *uet_match_why(enum uet_match_reason reason)
{
    return reasons[reason].why;
}

static struct uet_match match(struct uet_track_pdc *pdc, bool forward, enum uet_match_reason reason)
{
    return (struct uet_match){.pdc = pdc, .forward = forward, .reason = reason};
}

static bool far(uint32_t a, uint32_t b)
{
    int32_t d = uet_psn_diff(a, b);
    return d >= UET_FAR || d <= -UET_FAR;
}

/*
 * A sealed PDC begins where the one before it ended (TSS-068), not far from it: is this Start_PSN
 * that of another one? Where every packet is seen, that one was closed before.
 */
static bool goes_on(const struct uet_track *track, const struct uet_track_pdc *pdc, uint32_t start)
{
    const struct uet_track_dir *dir = &pdc->dir[0];
    bool above = dir->psn_known && uet_psn_diff(start, dir->first_psn) > 0;
    bool other = pdc->start_known ? start != pdc->start_psn : above;
    return other && (pdc->closing || !uet_sees_all(track));
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
    if (p->tss && goes_on(track, pdc, start))
        return true;
    if (pdc->closed)
        return uet_sees_all(track) || !same_start;
    if (pdc->failed && !same_start)
        return true;
    /* No PDC has a PSN before its Start_PSN. So there is another one, and one between them was not
     * seen: where all is seen, the rules say what is wrong. */
    bool above = !pdc->start_known && pdc->dir[0].psn_known &&
                 uet_psn_diff(start, pdc->dir[0].first_psn) > 0;
    if (above && !uet_sees_all(track))
        return true;
    bool near_start = pdc->start_known && !far(start, pdc->start_psn);
    bool near_psn = pdc->dir[0].psn_known && !far(start, pdc->dir[0].highest_psn);
    /* Only its target has spoken of it, with the first PSN of the return direction: Start_PSN. */
    bool as_back = !pdc->start_known && pdc->dir[1].psn_known && pdc->dir[1].highest_psn == start;
    return !near_start && !near_psn && !as_back;
}

/* Only a Request, a NOOP or a Negotiation may open a PDC (3.5.16.1, PDS-046). */
static bool may_open(const struct uet_packet *p)
{
    uint8_t ctl = uet_cp_ctl_type(uet_pds(p));
    return uet_is_request(p) || ctl == UET_CTL_NOOP || ctl == UET_CTL_NEGOTIATION;
}

/*
 * PDCs that had the same IPDCID: a copy is not so late that more of them were opened since. Many
 * are when a FEP has few PDCIDs, and its peer refuses one SYN after the other.
 */
#define PREVIOUS 512

/* The PDC that has the IPDCID: the newest but those whose SYN was refused for it. NULL: none. */
static struct uet_track_pdc *holder(struct uet_track_pdc *newest)
{
    struct uet_track_pdc *pdc = newest;
    for (int i = 0; i < PREVIOUS && pdc && pdc->refused_by; i++)
        pdc = pdc->previous;
    return pdc && !pdc->refused_by ? pdc : NULL;
}

/*
 * A late SYN, and the target refused it for the PDC that it has with this IPDCID: another SYN that
 * begins where that one began is of it. A fatal NACK before that is no end of it: the target still
 * has it. NULL: there is none.
 */
static struct uet_track_pdc *refuser(const struct uet_track *track, struct uet_track_pdc *newest)
{
    struct uet_track_pdc *pdc = holder(newest);
    bool open = pdc && pdc != newest && pdc->established && !pdc->closed;
    bool same_start = open && pdc->start_known && pdc->start_psn == uet_start_psn(&track->t.packet);
    return same_start && pdc->tpdcid == newest->refused_by ? pdc : NULL;
}

/*
 * A late SYN of a sealed PDC that was told to begin elsewhere, which is not far (TSS-058): it has
 * begun there meanwhile, and has the IPDCID. NULL: it is none.
 */
static struct uet_track_pdc *began_elsewhere(const struct uet_track *track,
                                             struct uet_track_pdc *newest)
{
    uint32_t start = uet_start_psn(&track->t.packet);
    bool lives = newest && newest->start_known && newest->start_psn != start && !newest->closed;
    if (!track->t.packet.tss || !uet_sees_all(track) || !lives)
        return NULL;
    struct uet_track_pdc *pdc = newest->previous;
    for (int i = 0; i < PREVIOUS && pdc; i++, pdc = pdc->previous) {
        if (pdc->refused && !pdc->established && pdc->start_known && pdc->start_psn == start)
            return pdc;
    }
    return NULL;
}

static struct uet_match match_syn(const struct uet_track *track)
{
    if (!track->spdcid || !may_open(&track->t.packet))
        return match(NULL, true, UET_MATCH_NONE);
    struct uet_track_pdc *pdc = uet_incarnation(track, true, track->spdcid, true);
    struct uet_track_pdc *open = began_elsewhere(track, pdc);
    if (!open)
        open = refuser(track, pdc);
    if (open)
        return match(open, true, UET_MATCH_SYN);
    if (!pdc || reopens(track, pdc))
        return match(NULL, true, UET_MATCH_OPENS);
    return match(pdc, true, UET_MATCH_SYN);
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
static struct uet_match midstream(const struct uet_track *track)
{
    int role = role_of(&track->t.packet);
    bool known = role && track->spdcid && track->dpdcid;
    return match(NULL, role > 0, known ? UET_MATCH_MIDSTREAM : UET_MATCH_NONE);
}

/* In the middle of a network a PDC may be closed and reopened unseen: its PSNs then jump far. */
static bool other_incarnation(const struct uet_track *track, const struct uet_track_pdc *pdc,
                              bool forward)
{
    const struct uet_track_dir *dir = &pdc->dir[!forward];
    return !uet_sees_all(track) && uet_consumes_psn(&track->t.packet) && dir->psn_known &&
           far(uet_packet_psn(&track->t.packet), dir->highest_psn);
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
 * The PSN by which a packet tells its PDC: its own, that in the payload of a Clear Command, or the
 * CACK_PSN of what answers a Probe. Where it names none the newest PDC is meant.
 */
struct named {
    uint32_t psn;
    bool is;     /* it names one */
    bool answer; /* ... of the other direction */
};

static struct named named_psn(const struct uet_packet *p)
{
    struct named n = {
        .psn = uet_packet_psn(p), .is = true, .answer = uet_is_ack(p) || uet_is_nack(p)};
    if (uet_is_ack(p) && uet_ack_p(uet_pds(p)))
        n.psn = uet_ack_cack_psn(uet_pds(p));
    if (!uet_is_cp(p))
        return n;
    uint8_t ctl = uet_cp_ctl_type(uet_pds(p));
    if (ctl == UET_CTL_CLEAR_COMMAND)
        n.psn = uet_cp_payload_value(uet_pds(p));
    else
        n.is = ctl == UET_CTL_ACK_REQUEST || uet_consumes_psn(p);
    return n;
}

/*
 * TPDCID may be taken from a Request or CP when the ACK that taught it was not seen: if that is one
 * of the PDC by the PSN that it names and its kind, one of which it must tell: a Probe, or what is
 * about credit, does not. forward: it would come from the initiator.
 */
static bool may_guess(const struct uet_track *track, const struct uet_track_pdc *pdc, bool forward)
{
    const struct uet_packet *p = &track->t.packet;
    int role = role_of(p);
    const struct named n = named_psn(p);
    bool sure = !forward && role < 0; /* who sends this gives its own PDCID */
    if (pdc->refused_by && pdc->refused_by == (forward ? track->dpdcid : track->spdcid))
        return false; /* that is the other PDC's */
    /* Of a PDC that was refused, another copy of the SYN may have opened it since. */
    return (!uet_sees_all(track) || sure) && !pdc->established && (!pdc->refused || sure) &&
           (n.is || role) && (!role || forward == (role > 0)) &&
           (!n.is || near(pdc, forward, n.psn));
}

/* The initiator uses a PDCID that an answer offered, though it was no answer to learn from. */
static bool takes_offer(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    return track->dpdcid && track->dpdcid == pdc->tpdcid_offered;
}

/*
 * Two PDCs of the same two FEPs may bear the same two PDCIDs with the roles exchanged, one after
 * the other: a FEP's PDCID belongs to one PDC at a time. So the younger one is meant, unless the
 * PSN says that this is a late packet of the older. forward and back are the PDCs that the packet
 * belongs to when its sender is the initiator, and when it is the target. True: forward.
 */
static bool is_forward(const struct named *n, const struct uet_track_pdc *forward,
                       const struct uet_track_pdc *back)
{
    if (!forward || !back)
        return forward != NULL;
    if (!n->is)
        return forward->stream > back->stream;
    bool fits_forward = near(forward, !n->answer, n->psn),
         fits_back = near(back, n->answer, n->psn);
    if (fits_forward != fits_back)
        return fits_forward;
    return forward->stream > back->stream;
}

/*
 * The PDC with both PDCIDs of the packet in hand: newest, an incarnation of the IPDCID, or an older
 * one that the PSN belongs to. Each end gives a PDCID to another PDC when it is done with this one,
 * and the other may not have heard that it is. forward: the packet would come from the initiator.
 */
static struct uet_track_pdc *bearing(const struct uet_track *track, const struct named *n,
                                     struct uet_track_pdc *newest, bool forward)
{
    uint16_t tpdcid = forward ? track->dpdcid : track->spdcid;
    struct uet_track_pdc *pdc = newest;
    for (int i = 0; n->is && i < PREVIOUS && pdc; i++, pdc = pdc->previous) {
        if (!near(pdc, forward != n->answer, n->psn))
            continue;
        if (!pdc->established && pdc->refused_by != tpdcid)
            return NULL; /* its TPDCID may be this one */
        if (pdc->established && pdc->tpdcid == tpdcid)
            return pdc;
    }
    return newest && newest->established && newest->tpdcid == tpdcid ? newest : NULL;
}

/*
 * Both PDCIDs are those of a PDC, but the PSN is not near its own, or only by chance, since it has
 * ended or the packet is of the other end's kinds: a PDC with the roles exchanged, whose TPDCID was
 * not seen yet, has a better claim. forward: the packet would come from its initiator.
 */
static bool claims(const struct uet_track *track, const struct uet_track_pdc *pdc, bool forward,
                   const struct uet_track_pdc *other)
{
    const struct uet_packet *p = &track->t.packet;
    bool kind = role_of(p) == (forward ? 1 : -1);
    return pdc && other && uet_consumes_psn(p) && may_guess(track, pdc, forward) &&
           (kind || other->closed || !near(other, !forward, uet_packet_psn(p)));
}

/*
 * One of the two PDCs with both PDCIDs, as is_forward says. Where there is one alone, and no older
 * incarnation was meant, the PDCIDs tell; else the PSN had to.
 */
static struct uet_match by_pdcids(struct uet_track_pdc *forward, struct uet_track_pdc *back,
                                  bool is_forward, const struct uet_track_pdc *newest)
{
    struct uet_track_pdc *pdc = is_forward ? forward : back;
    bool alone = !(forward && back) && pdc == newest;
    return match(pdc, is_forward, alone ? UET_MATCH_PDCIDS : UET_MATCH_PSN);
}

/* Where every packet is seen: one whose PDCIDs are not those of one PDC. */
static struct uet_match stray(const struct uet_track *track, struct uet_track_pdc *from_initiator,
                              struct uet_track_pdc *to_initiator)
{
    /* The target's, ahead of its ACK? It may use the PDCID of a PDC that is over. */
    if (to_initiator && !to_initiator->established)
        return match(to_initiator, false, UET_MATCH_EARLY);
    struct uet_track_pdc *to_target = uet_incarnation(track, false, track->dpdcid, false);
    struct uet_track_pdc *from_target = uet_incarnation(track, true, track->spdcid, false);
    if (to_target && !from_initiator) /* its TPDCID, another IPDCID */
        return match(to_target, true, UET_MATCH_CONTRADICTS);
    if (from_initiator || from_target)
        return match(from_initiator ? from_initiator : from_target, from_initiator != NULL,
                     UET_MATCH_CONTRADICTS);
    if (to_initiator || track->config.vantage == UET_VANTAGE_BOTH)
        return match(NULL, false, UET_MATCH_NONE); /* somebody else's PDC, or none at all */
    return midstream(track);
}

/* What comes after the SYNs, of either direction. */
static struct uet_match match_not_syn(const struct uet_track *track)
{
    struct uet_track_pdc *from_initiator = uet_incarnation(track, true, track->spdcid, true);
    struct uet_track_pdc *to_initiator = uet_incarnation(track, false, track->dpdcid, true);
    const struct named n = named_psn(&track->t.packet);
    struct uet_track_pdc *forward = bearing(track, &n, from_initiator, true);
    struct uet_track_pdc *back = bearing(track, &n, to_initiator, false);
    if (claims(track, to_initiator, false, forward))
        forward = NULL;
    if (claims(track, from_initiator, true, back))
        back = NULL;
    if (forward || back) {
        bool is = is_forward(&n, forward, back);
        if (other_incarnation(track, is ? forward : back, is))
            return midstream(track);
        return by_pdcids(forward, back, is, is ? from_initiator : to_initiator);
    }
    if (from_initiator && takes_offer(track, from_initiator) &&
        !other_incarnation(track, from_initiator, true))
        return match(from_initiator, true, UET_MATCH_OFFERED);
    if (from_initiator && track->dpdcid && may_guess(track, from_initiator, true))
        return match(from_initiator, true, UET_MATCH_GUESSED);
    if (to_initiator && track->spdcid && may_guess(track, to_initiator, false))
        return match(to_initiator, false, UET_MATCH_GUESSED);
    return uet_sees_all(track) ? stray(track, from_initiator, to_initiator) : midstream(track);
}

struct uet_match uet_match_request(const struct uet_track *track)
{
    return uet_has_syn(&track->t.packet) ? match_syn(track) : match_not_syn(track);
}

/*
 * May this answer teach TPDCID? Where every packet is seen it must name what was sent: an answer
 * that the initiator is bound to ignore (3.5.12) teaches nothing. Nor does one that names a PSN far
 * away: it is late, of a PDC with this IPDCID that its initiator has forgotten.
 */
static bool teaches(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    const struct uet_packet *p = &track->t.packet;
    const struct uet_track_dir *dir = &pdc->dir[0];
    uint32_t named = uet_is_nack(p) ? uet_packet_psn(p) : uet_ack_cack_psn(uet_pds(p));
    if (!uet_sees_all(track))
        return !(dir->psn_known || pdc->start_known) || near(pdc, true, named);
    if (uet_is_nack(p))
        return uet_psn_find(track, pdc, true, uet_packet_psn(p)) != NULL;
    return dir->psn_known && uet_psn_diff(named, dir->highest_psn) <= 0;
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
 * the new SYN for one of that PDC: then so do we. One with a Close Command may be gone at the
 * target, though no ACK of that was heard.
 */
static struct uet_match answered(const struct uet_track *track, struct uet_track_pdc *pdc)
{
    const struct uet_packet *p = &track->t.packet;
    if (refuses_for_another(p))
        return match(pdc, false, UET_MATCH_REFUSES);
    struct uet_track_pdc *older = uet_incarnation(track, true, track->spdcid, false);
    bool another = older && older != pdc && older->ipdcid == pdc->ipdcid;
    if (uet_sees_all(track) && another && !uet_is_nack(p) && !older->closing && !older->refused &&
        !older->failed)
        return match(older, false, UET_MATCH_OLDER);
    bool tells = track->spdcid && teaches(track, pdc);
    return match(pdc, false, tells ? UET_MATCH_ANSWER : UET_MATCH_IGNORED);
}

/*
 * Only a PDC of ROD is told that its order is broken (PDS-002). Sealed ones often begin where
 * others did that were refused (TSS-068), and one of their packets may come again by another way.
 */
static bool fits_code(const struct uet_track_pdc *pdc, const struct uet_packet *p)
{
    bool of_rod = uet_is_nack(p) && uet_nack_nack_code(uet_pds(p)) == UET_NACK_ROD_OOO;
    return !of_rod || !pdc->mode_known || pdc->rod;
}

/*
 * Of the PDCs that had the same PDCID as newest: the one in which the PSN that the answer names was
 * sent, or else might have been. forward: by its initiator, whose PDCID it is; else by its target.
 */
static struct uet_track_pdc *asked(const struct uet_track *track, struct uet_track_pdc *newest,
                                   bool forward)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    struct uet_track_pdc *pdc = newest, *nearest = NULL, *sender = NULL;
    for (int i = 0; i < PREVIOUS && pdc; i++) {
        bool fits = near(pdc, forward, psn);
        bool sent = fits && uet_psn_find(track, pdc, forward, psn);
        if (sent && fits_code(pdc, &track->t.packet))
            return pdc;
        if (sent && !sender)
            sender = pdc;
        if (fits && !nearest)
            nearest = pdc;
        pdc = forward ? pdc->previous : pdc->tpdcid_before;
    }
    return sender ? sender : nearest ? nearest : newest;
}

/*
 * A NACK without SPDCID: its receiver's PDCID may be that of a PDC that it opened and of one that
 * was opened to it. The first, unless nack_psn was sent in the other.
 */
static struct uet_match nacked(const struct uet_track *track, struct uet_track_pdc *to_initiator,
                               struct uet_track_pdc *to_target)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    struct uet_track_pdc *forth = asked(track, to_initiator, true);
    struct uet_track_pdc *back = asked(track, to_target, false);
    bool is_back = back && (!forth || (!near(forth, true, psn) && near(back, false, psn)));
    return match(is_back ? back : forth, is_back, UET_MATCH_NACKED);
}

/*
 * A PDC that waits for its first answer, and this may be it: unless the other, where the answer
 * would come from the initiator, alone has sent what it names, or is younger: a refused PDC has
 * given its PDCID back before another has it.
 */
static bool unanswered(const struct uet_track *track, const struct uet_track_pdc *pdc,
                       const struct uet_track_pdc *other)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    bool names_other =
        uet_psn_find(track, other, false, psn) && !uet_psn_find(track, pdc, true, psn);
    bool given_back = pdc->refused && pdc->stream < other->stream;
    return !pdc->established && !given_back && near(pdc, true, psn) && !names_other;
}

/*
 * Both PDCIDs are those of a PDC whose target never sent what the answer names, or of two with the
 * roles exchanged in neither of which it was sent; and an initiator's PDC with the DPDCID has: that
 * one is answered (PDS-122).
 */
static bool names_another(const struct uet_track *track, const struct uet_track_pdc *forward,
                          const struct uet_track_pdc *back, const struct uet_track_pdc *asked)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    return forward && asked && asked != back && !near(forward, false, psn) &&
           !(back && near(back, true, psn)) && uet_psn_find(track, asked, true, psn);
}

/*
 * PDCIDs that were used again unseen, or a SYN that opened another PDC when the target was done
 * with its own.
 */
static bool supersedes(const struct uet_track *track, const struct uet_track_pdc *pdc)
{
    return track->spdcid && (!uet_sees_all(track) || pdc->doubtful);
}

/*
 * By the PDC that has the IPDCID now a late SYN of another one was refused, as others may have been
 * before: that which has sent what the answer names. NULL: it is not so.
 */
static struct uet_track_pdc *refused_late(const struct uet_track *track,
                                          struct uet_track_pdc *newest)
{
    uint32_t psn = uet_packet_psn(&track->t.packet);
    if (!uet_is_nack(&track->t.packet) || !refuses_for_another(&track->t.packet))
        return NULL;
    const struct uet_track_pdc *has = holder(newest);
    if (!has || !has->established || has->tpdcid != track->spdcid)
        return NULL;
    struct uet_track_pdc *pdc = newest;
    for (int i = 0; i < PREVIOUS && pdc; i++, pdc = pdc->previous) {
        if (!pdc->established && near(pdc, true, psn) && uet_psn_find(track, pdc, true, psn))
            return pdc;
    }
    return NULL;
}

struct uet_match uet_match_answer(const struct uet_track *track)
{
    struct uet_track_pdc *to_initiator = uet_incarnation(track, false, track->dpdcid, true);
    struct uet_track_pdc *from_initiator = uet_incarnation(track, true, track->spdcid, true);
    const struct named n = named_psn(&track->t.packet);
    struct uet_track_pdc *forward = bearing(track, &n, from_initiator, true);
    struct uet_track_pdc *back = bearing(track, &n, to_initiator, false);
    struct uet_track_pdc *to_target = uet_incarnation(track, false, track->dpdcid, false);
    bool nack_alone = uet_is_nack(&track->t.packet) && !track->spdcid; /* the sender has no PDC */
    struct uet_track_pdc *sent = forward ? asked(track, to_initiator, true) : NULL;
    if (names_another(track, forward, back, sent)) {
        forward = back = NULL;
        to_initiator = sent;
    }
    struct uet_track_pdc *late = refused_late(track, to_initiator);
    if (late)
        return match(late, false, UET_MATCH_REFUSES);
    if (back && !is_forward(&n, forward, back))
        return by_pdcids(forward, back, false, to_initiator);
    if (forward && (back || !to_initiator || !unanswered(track, to_initiator, forward)))
        return by_pdcids(forward, back, true, from_initiator);
    if (nack_alone && (to_initiator || to_target))
        return nacked(track, to_initiator, to_target);
    if (to_initiator && (!to_initiator->established || to_initiator->tpdcid_guessed))
        return answered(track, to_initiator);
    if (to_initiator && supersedes(track, to_initiator))
        return match(NULL, false, UET_MATCH_SUPERSEDES);
    if (to_initiator)
        return match(to_initiator, false, UET_MATCH_CONTRADICTS);
    return match(to_target, true, to_target ? UET_MATCH_CONTRADICTS : UET_MATCH_NONE);
}
