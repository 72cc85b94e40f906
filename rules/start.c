/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for opening and closing a PDC (3.5.8.2, 3.5.8.3). */
#include <stdlib.h>

#include "rules/internal.h"

/* 3.5.8.2. Both readings of the place of use_rsv_pdc are accepted: first or last bit. */
static bool pdc_info(const struct uet_ruling *r)
{
    if (!uet_is_syn(r->p))
        return false;
    uint8_t info = (uint8_t)(uet_rd16(r->pds + 10) >> 12);
    return info != 0 && info != 1 && info != 8 &&
           uet_violates(r, "pdc_info is 0x%x, only use_rsv_pdc may be set", info);
}

/* 3.5.8.2: only a Request, a NOOP or a Negotiation opens a PDC. */
static bool cp_syn(const struct uet_ruling *r)
{
    uint8_t ctl = uet_ctl(r);
    return uet_is_syn(r->p) && ctl != UET_CTL_NOOP && ctl != UET_CTL_NEGOTIATION &&
           ctl != UET_CTL_PROBE &&
           uet_violates(r, "%s CP with syn 1; only NOOP and Negotiation may open a PDC",
                        uet_enum_name(UET_ENUM_PDS_CTL_TYPE, ctl));
}

/* 3.6.13.7. */
static bool probe_syn(const struct uet_ruling *r)
{
    return uet_is_syn(r->p) && uet_ctl(r) == UET_CTL_PROBE &&
           uet_violates(r, "Probe CP with syn 1; a Probe cannot open a PDC");
}

/*
 * 3.5.8.2: SYN packets of one PDC agree on its Start_PSN. The first has psn_offset 0, if it is
 * the first: a capture at one end may have begun after it.
 */
static bool start_psn(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    uint32_t start = uet_start_psn(r->p), psn = uet_packet_psn(r->p);
    if (!uet_is_syn(r->p))
        return false;
    if (r->t->opens)
        return r->vantage == UET_VANTAGE_BOTH && start != psn && !uet_is_retx(r) &&
               uet_violates(r, "the first packet has psn_offset %u, required 0", psn - start);
    return start != pdc->start_psn && psn - pdc->start_psn <= 4095 &&
           uet_violates(r, "psn - psn_offset is 0x%08x, Start_PSN is 0x%08x", start,
                        pdc->start_psn);
}

/* 3.5.8.2: psn_offset has 12 bits. */
static bool psn_offset(const struct uet_ruling *r)
{
    if (!uet_is_syn(r->p) || r->t->opens)
        return false;
    int32_t ahead = uet_psn_diff(uet_packet_psn(r->p), r->t->pdc->start_psn);
    return ahead > 4095 &&
           uet_violates(r, "syn 1 with a PSN %d above Start_PSN, at most 4095", ahead);
}

/* 3.5.8.2: a PDCID that no answer has given yet is not used. */
static bool early_dpdcid(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return r->ends && t->pdc && t->mismatch && t->forward && !t->pdc->established &&
           !t->pdc->tpdcid_offered && !t->pdc->refused &&
           uet_violates(r, "syn 0 and dpdcid 0x%04x before any answer told TPDCID",
                        uet_dpdcid(r->p));
}

/*
 * 3.5.8.2: once TPDCID is known new Requests have syn 0. A Request whose CLEAR_PSN has moved was
 * sent by a source that has read an ACK, hence knows TPDCID; one whose PSN follows a packet with
 * syn 0 likewise.
 */
static bool syn_after_tpdcid(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    if (!uet_is_syn(r->p) || uet_is_retx(r))
        return false;
    if (uet_is_request(r->p) && uet_psn_diff(uet_clear_psn(r->p), uet_start_psn(r->p)) >= 0)
        return uet_violates(r, "syn 1, though CLEAR_PSN shows that an ACK has told TPDCID");
    return pdc && !r->t->mismatch && pdc->syn_over &&
           uet_psn_diff(uet_packet_psn(r->p), pdc->syn_over_psn) > 0 &&
           uet_violates(r, "syn 1 on PSN 0x%08x, though PSN 0x%08x went out with syn 0",
                        uet_packet_psn(r->p), pdc->syn_over_psn);
}

/* The dpdcid is that of a PDC whose IPDCID is not this spdcid. */
static bool wrong_pair(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return pdc->whole && !pdc->closed && !pdc->refused && !pdc->failed &&
           uet_spdcid(r->p) != pdc->ipdcid && uet_dpdcid(r->p) == pdc->tpdcid &&
           uet_violates(r, "spdcid is 0x%04x with dpdcid 0x%04x, whose PDC has IPDCID 0x%04x",
                        uet_spdcid(r->p), uet_dpdcid(r->p), pdc->ipdcid);
}

/* 3.5.8.2: ... and dpdcid = TPDCID. */
static bool wrong_dpdcid(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!r->ends || !t->pdc || !t->mismatch || uet_is_syn(r->p) || !uet_dpdcid(r->p))
        return false;
    if (!t->forward || !t->pdc->established || t->pdc->tpdcid_guessed || t->pdc->tpdcid_offered)
        return false;
    if (uet_spdcid(r->p) != t->pdc->ipdcid)
        return wrong_pair(r);
    return uet_violates(r, "dpdcid is 0x%04x, TPDCID is 0x%04x", uet_dpdcid(r->p), t->pdc->tpdcid);
}

static bool after_tpdcid(const struct uet_ruling *r)
{
    return syn_after_tpdcid(r) || wrong_dpdcid(r);
}

/* 3.5.6: the mode of a PDC never changes. */
static bool mode(const struct uet_ruling *r)
{
    bool rod = uet_is_rod(r->p);
    return r->t->pdc->mode_known && rod != r->t->pdc->rod &&
           uet_violates(r, "%s Request on a %s PDC", rod ? "ROD" : "RUD",
                        r->t->pdc->rod ? "ROD" : "RUD");
}

/*
 * 3.5.8.2: distance between the last PSN of the old PDC and Start_PSN of the new one. A sealed PDC
 * takes its Start_PSN from its SDI (TSS-068). What counts is the last PSN of the PDCID: where it
 * was a PDC to another FEP's since, the distance is to that one.
 */
static bool used_elsewhere(const struct uet_track_pdc *old, const struct uet_track_pdc *young)
{
    for (const struct uet_track_pdc *pdc = old->next; pdc && pdc != young; pdc = pdc->next) {
        if (pdc->ipdcid == young->ipdcid && uet_ip_equal(&pdc->initiator_ip, &young->initiator_ip))
            return true;
    }
    return false;
}

static bool reuse(const struct uet_ruling *r)
{
    const struct uet_track_pdc *old = r->t->pdc->previous;
    if (!r->t->opens || r->p->tss || !old || !old->closed || !old->dir[0].psn_known ||
        uet_is_retx(r))
        return false;
    int64_t distance = llabs((int64_t)uet_psn_diff(uet_start_psn(r->p), old->dir[0].highest_psn));
    return distance < 65536 && !used_elsewhere(old, r->t->pdc) &&
           uet_violates(
               r, "Start_PSN 0x%08x is %lld from the last PSN of the closed PDC, at least 65536",
               uet_start_psn(r->p), (long long)distance);
}

/* 3.5.8.2: both directions start at Start_PSN. */
static bool return_start(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t psn = uet_packet_psn(r->p);
    return !t->forward && !t->loose && !t->was.psn_known && t->was.runs_known && !uet_is_retx(r) &&
           psn != t->pdc->start_psn &&
           uet_violates(r, "the first return packet has PSN 0x%08x, Start_PSN is 0x%08x", psn,
                        t->pdc->start_psn);
}

/* 3.5.8.3: Close Command comes from the initiator, Close Request from the target. */
static bool close_direction(const struct uet_ruling *r)
{
    uint8_t ctl = uet_ctl(r);
    if (!r->t->pdc->opened_in_sight)
        return false;
    if (ctl == UET_CTL_CLOSE_COMMAND && !r->t->forward)
        return uet_violates(r, "Close Command from the target of the PDC");
    return ctl == UET_CTL_CLOSE_REQUEST && r->t->forward &&
           uet_violates(r, "Close Request from the initiator of the PDC");
}

/* 3.5.8.3: a PDC whose TPDCID was never learned is freed without a word. */
static bool close_unknown(const struct uet_ruling *r)
{
    return uet_ctl(r) == UET_CTL_CLOSE_COMMAND && (uet_is_syn(r->p) || !uet_dpdcid(r->p)) &&
           uet_violates(r, "Close Command without a dpdcid; such a PDC is freed silently");
}

/* 3.5.8.3: ar = 1, so that the close is acknowledged. */
static bool close_command_ar(const struct uet_ruling *r)
{
    return uet_ctl(r) == UET_CTL_CLOSE_COMMAND && !uet_cp_ar(r->pds) &&
           uet_violates(r, "Close Command with ar 0, required 1");
}

static bool close_request_ar(const struct uet_ruling *r)
{
    return uet_ctl(r) == UET_CTL_CLOSE_REQUEST && !uet_cp_ar(r->pds) &&
           uet_violates(r, "Close Request with ar 0, required 1");
}

/*
 * 3.5.8.3: all ACKs have arrived before the Close Command. A source that gave up after resends,
 * ACK Requests, Credit Requests or NACKs, or an RTO where it has no resends, closes in error
 * (3.5.15): not judged.
 */
static bool close_early(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_ctl(r) != UET_CTL_CLOSE_COMMAND || !t->forward || t->duplicate || !t->was.runs_known ||
        t->was.wants_credit || t->pdc->failed || t->pdc->n_nacks)
        return false;
    uint32_t waiting = t->was.acked_psn + 1;
    if (uet_psn_diff(uet_packet_psn(r->p), waiting) <= 0)
        return false;
    const struct uet_track_psn *psn = uet_track_find_psn(t->track, t->pdc, true, waiting);
    return psn && psn->n_copies == 1 && !psn->ack_requested && !uet_waited_long(r, psn) &&
           uet_violates(r, "Close Command while PSN 0x%08x is not acknowledged", waiting);
}

/* 3.5.8.3: nothing new after the Close Command. */
static bool after_close(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t psn = uet_packet_psn(r->p);
    return t->forward && t->pdc->closing && !t->opens && uet_psn_diff(psn, t->pdc->close_psn) > 0 &&
           uet_violates(r, "Request with PSN 0x%08x after the Close Command with PSN 0x%08x", psn,
                        t->pdc->close_psn);
}

/* 3.5.8.3: what lies behind the Close Command is refused, not acknowledged. */
static bool acked_after_close(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return !r->t->forward && pdc->closing && !uet_ack_p(r->pds) && !r->t->mismatch &&
           uet_psn_diff(uet_packet_psn(r->p), pdc->close_psn) > 0 && r->t->request &&
           uet_violates(r, "ACK of PSN 0x%08x, which is above that of the Close Command, 0x%08x",
                        uet_packet_psn(r->p), pdc->close_psn);
}

/*
 * 3.5.8.3, T15: UET_CLOSING is for new Requests above the Close Command. One that asked for the
 * close may have been closing before (3.5.8.3). Once the close is acknowledged the PDC is gone, and
 * another with its PDCIDs answers.
 */
static bool closing_below(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return pdc && uet_nack_nack_code(r->pds) == UET_NACK_CLOSING && !r->t->forward &&
           pdc->closing && !pdc->closed && !r->t->mismatch && !pdc->close_asked_by &&
           !pdc->doubtful && r->t->request &&
           uet_psn_diff(uet_packet_psn(r->p), pdc->close_psn) <= 0 &&
           uet_violates(r,
                        "UET_CLOSING for PSN 0x%08x, which is not above that of the Close "
                        "Command, 0x%08x",
                        uet_packet_psn(r->p), pdc->close_psn);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-007", "a PDC keeps its delivery mode"}, UET_ON_REQUEST, UET_NEEDS_PSN, mode},
    {{"PDS-021", "pdc_info holds nothing but use_rsv_pdc"}, UET_ON_SENDS, UET_WHEN_SYN, pdc_info},
    {{"PDS-023", "only a Request, NOOP or Negotiation opens a PDC"},
     UET_ON_CP,
     UET_WHEN_SYN,
     cp_syn},
    {{"PDS-024", "no dpdcid before TPDCID is known"},
     UET_ON_REQUEST,
     UET_WHEN_MISMATCH,
     early_dpdcid},
    {{"PDS-025", "psn - psn_offset is Start_PSN"},
     UET_ON_SENDS,
     UET_NEEDS_PSN | UET_WHEN_SYN,
     start_psn},
    {{"PDS-027", "a reused PDCID starts 2^16 away"},
     UET_ON_SENDS,
     UET_NEEDS_SENDER | UET_WHEN_OPENS,
     reuse},
    {{"PDS-028", "the return direction starts at Start_PSN"},
     UET_ON_SENDS,
     UET_NEEDS_SENDER,
     return_start},
    {{"PDS-034", "new Requests use TPDCID once it is known"},
     UET_ON_SENDS,
     UET_WHEN_SYN | UET_WHEN_MISMATCH,
     after_tpdcid},
    {{"PDS-046", "a Probe opens no PDC"}, UET_ON_CP, UET_WHEN_SYN, probe_syn},
    {{"PDS-047", "syn ends 4095 PSNs above Start_PSN"},
     UET_ON_SENDS,
     UET_NEEDS_PSN | UET_WHEN_SYN,
     psn_offset},
    {{"PDS-199", "a Close Command asks for an ACK"},
     UET_ON_CP,
     UET_NEEDS_NOTHING,
     close_command_ar},
    {{"PDS-200", "the initiator closes, the target asks for it"},
     UET_ON_CP,
     UET_NEEDS_PSN,
     close_direction},
    {{"PDS-201", "all is acknowledged before the Close Command"},
     UET_ON_CP,
     UET_NEEDS_ENDS,
     close_early},
    {{"PDS-202", "nothing new after the Close Command"},
     UET_ON_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_CLOSING,
     after_close},
    {{"PDS-207", "a Close Request asks for an ACK"},
     UET_ON_CP,
     UET_NEEDS_NOTHING,
     close_request_ar},
    {{"PDS-213", "no Close Command before TPDCID is known"},
     UET_ON_CP,
     UET_NEEDS_NOTHING,
     close_unknown},
    {{"PDS-212", "nothing above the Close Command is acknowledged"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_CLOSING,
     acked_after_close},
    {{"PDS-212", "UET_CLOSING is for PSNs above the Close Command"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     closing_below},
};

const struct uet_rule_table uet_rules_start = UET_TABLE(rows);
