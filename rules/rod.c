/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for ROD: one path, order, go-back-N (3.5.7.2, 3.5.21). */
#include "rules/internal.h"

static bool is_rod(const struct uet_ruling *r)
{
    return r->t->pdc->mode_known && r->t->pdc->rod;
}

/*
 * 3.5.7.2, 3.6.16.2: one entropy value at a time, changed after a long time only. Two changes
 * within one round trip are spraying.
 */
static bool one_path(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!is_rod(r) || !t->new_psn || !t->before || t->pdc->n_nacks || t->was.resent_known)
        return false;
    const struct uet_track_psn *b = t->before;
    const struct uet_track_psn *a = uet_track_find_psn(t->track, t->pdc, t->forward, b->psn - 1);
    if (!a || a->n_copies > 1 || b->n_copies > 1 || !uet_was_request(a) || !uet_was_request(b))
        return false;
    return a->copy[0].entropy != b->copy[0].entropy && b->copy[0].entropy != uet_entropy(r->p) &&
           t->was.min_rtt_ns && t->time_ns - a->time_ns < t->was.min_rtt_ns &&
           uet_violates(r, "entropy 0x%04x after 0x%04x and 0x%04x within one round trip",
                        uet_entropy(r->p), b->copy[0].entropy, a->copy[0].entropy);
}

/* Does the ACK answer a PSN before which one is missing? */
static bool names_ahead(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return is_rod(r) && !uet_ack_p(r->pds) && t->was.runs_known && !t->was.n_probes &&
           !t->pdc->closing && t->request && !t->mismatch &&
           uet_psn_diff(t->request->psn, t->was.seen_psn) > 0;
}

static bool nothing_before(const struct uet_ruling *r)
{
    return r->t->was.seen_psn == r->t->pdc->start_psn - 1;
}

/* 3.5.8.2 step 3e: ROD begins with its Start_PSN. */
static bool opened_ahead(const struct uet_ruling *r)
{
    return names_ahead(r) && nothing_before(r) &&
           uet_violates(r, "ACK_PSN 0x%08x on a ROD PDC whose Start_PSN 0x%08x never came",
                        r->t->request->psn, r->t->pdc->start_psn);
}

/* 3.5.7.2: what comes out of order is neither acknowledged nor told in SACK. */
static bool acked_ahead(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    if (names_ahead(r) && !nothing_before(r))
        return uet_violates(r, "ACK_PSN 0x%08x on a ROD PDC, but PSN 0x%08x never came",
                            r->t->request->psn, was->seen_psn + 1);
    if (!is_rod(r) || !was->runs_known || was->n_probes || !uet_has_sack(r->p) || r->t->mismatch ||
        r->t->pdc->closing)
        return false;
    uint32_t cack = uet_ack_cack_psn(r->pds);
    uint32_t psn = uet_psn_add(cack, uet_ack_cc_sack_psn_offset(r->pds));
    for (uint64_t bits = uet_ack_cc_sack_bitmap(r->pds); bits; bits >>= 1, psn++)
        if ((bits & 1) && uet_psn_diff(psn, cack) > 0 && uet_psn_diff(psn, was->seen_psn) > 0)
            return uet_violates(r, "SACK tells PSN 0x%08x on a ROD PDC, but PSN 0x%08x never came",
                                psn, was->seen_psn + 1);
    return false;
}

/*
 * 3.5.7.2: ACKs follow the packets; those of resends and of ACK Requests need not. An answer that
 * was promised (3.4.3.6.2.2) comes when there is a receive: with the ACK that promised it the
 * packet had its turn.
 */
static bool ack_order(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    const struct uet_track_dir *was = &r->t->was;
    return is_rod(r) && psn && !uet_ack_p(r->pds) && !uet_ack_retx(r->pds) && psn->n_copies == 1 &&
           !psn->ack_requested && !psn->promised && was->named_known &&
           uet_psn_diff(psn->psn, was->named_psn) < 0 &&
           uet_violates(r, "ACK_PSN 0x%08x on a ROD PDC after an ACK of PSN 0x%08x", psn->psn,
                        was->named_psn);
}

/* 3.5.21: nack_psn is what came, the payload what was expected: a PSN before it. */
static bool expected(const struct uet_ruling *r)
{
    uint32_t psn = uet_nack_nack_psn(r->pds), payload = uet_nack_payload(r->pds);
    if (uet_nack_nack_code(r->pds) != UET_NACK_ROD_OOO || !r->t->request)
        return false;
    if (uet_psn_diff(psn, payload) <= 0)
        return uet_violates(r, "Expected_PSN 0x%08x is not before nack_psn 0x%08x", payload, psn);
    return r->ends && r->t->was.runs_known && !r->t->was.n_probes &&
           uet_psn_diff(payload, r->t->was.seen_psn + 1) > 0 &&
           uet_violates(r, "Expected_PSN is 0x%08x, but PSN 0x%08x never came", payload,
                        r->t->was.seen_psn + 1);
}

/* A NACK of another code has asked for this very PSN since it was last sent (Table 3-58). */
static bool asked_by_nack(const struct uet_tracked *t)
{
    return t->own && t->own->wanted_by > t->previous_frame;
}

/*
 * 3.5.21: behind a gap everything is sent again, in order. What a NACK asks for by its PSN may have
 * been sent again with all before it when the gap was told.
 */
static bool go_back(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    const struct uet_track_psn *before = r->t->before;
    uint32_t psn = uet_packet_psn(r->p);
    if (!is_rod(r) || !uet_is_retx(r) || !was->gap_known || !before ||
        uet_psn_diff(psn, was->gap_psn) <= 0 || asked_by_nack(r->t))
        return false;
    bool done = before->acked_by || before->last.number > was->gap_by ||
                (was->cack_known && uet_psn_diff(before->psn, was->cack_psn) <= 0) ||
                (was->resent_known && was->resent_psn == before->psn);
    return !done &&
           uet_violates(r, "PSN 0x%08x again before PSN 0x%08x, which is behind the gap at 0x%08x",
                        psn, before->psn, was->gap_psn);
}

#define AT_ONCE 16u /* within this part of a round trip */

/*
 * 3.5.21: more NACKs of the same gap do not go back again. What does so not at once with one is a
 * timer (3.5.15), which may be shorter than a round trip; and where the NACK is of what was sent
 * behind the resend, that was lost, too.
 */
static bool go_back_once(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    if (!is_rod(r) || !uet_is_retx(r) || !r->t->duplicate || !was->gap_known ||
        uet_packet_psn(r->p) != was->gap_psn || r->t->previous_frame < was->gap_by ||
        r->t->previous_frame > was->gap_again_by ||
        r->t->time_ns - was->gap_again_ns > was->min_rtt_ns / AT_ONCE)
        return false;
    bool other = asked_by_nack(r->t);
    /* An earlier PSN was resent or asked for meanwhile, and took all along. */
    other |= r->t->before && r->t->before->last.number > r->t->previous_frame;
    other |= was->asked_by > r->t->previous_frame;
    other |= was->gap_anew_by > r->t->previous_frame;
    return !other && was->min_rtt_ns && r->t->since_ns < was->min_rtt_ns &&
           uet_violates(r, "PSN 0x%08x is sent again twice for one gap within a round trip",
                        was->gap_psn);
}

/* 3.5.7.2: the data of reads comes in the order of the reads. */
static bool read_order(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return is_rod(r) && t->new_psn && t->read && t->read->som_seen && t->was.read_known &&
           uet_psn_diff(t->read->som_psn, t->was.read_psn) < 0 &&
           uet_violates(r, "data of the read with PSN 0x%08x after data of that with PSN 0x%08x",
                        t->read->som_psn, t->was.read_psn);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-004", "ROD uses one path at a time"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_ROD,
     one_path},
    {{"PDS-030", "ROD begins with its Start_PSN"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_ROD,
     opened_ahead},
    {{"PDS-111", "ROD ACKs are in order"}, UET_ON_ACK, UET_NEEDS_SENDER | UET_WHEN_ROD, ack_order},
    {{"PDS-165", "UET_ROD_OOO names what came and what was expected"},
     UET_ON_NACK,
     UET_NEEDS_PDC,
     expected},
    {{"PDS-166", "ROD acknowledges nothing behind a gap"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_ROD,
     acked_ahead},
    {{"PDS-167", "ROD goes back to the gap"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_ROD,
     go_back},
    {{"PDS-168", "ROD goes back once for a gap"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_ROD,
     go_back_once},
    {{"PDS-169", "ROD returns read data in the order of the reads"},
     UET_ON_REQUEST,
     UET_NEEDS_SENDER | UET_WHEN_ROD,
     read_order},
};

const struct uet_rule_table uet_rules_rod = UET_TABLE(rows);
