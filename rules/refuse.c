/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for how packets are refused that fit no PDC (3.5.8.2 step 4, 3.5.16). */
#include "rules/internal.h"

/*
 * The packet with syn = 0 that the NACK answers, not cut on the way, when it is sure which: it
 * takes no PSN of a PDC.
 */
static const struct uet_track_psn *answered(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    bool one = psn && psn->n_copies == 1 && !psn->trimmed_seen && r->t->loose;
    return one && (uet_was_request(psn) || uet_was_cp(psn)) && !uet_rud_rod_req_syn(psn->headers)
               ? psn
               : NULL;
}

static uint16_t spdcid_of(const struct uet_track_psn *psn)
{
    return uet_rud_rod_req_spdcid(psn->headers); /* in one place in Requests and CPs */
}

static uint16_t dpdcid_of(const struct uet_track_psn *psn)
{
    return uet_rud_rod_req_dpdcid(psn->headers);
}

static bool refused_with(const struct uet_ruling *r, uint8_t wanted, const char *why)
{
    uint8_t code = uet_nack_nack_code(r->pds);
    return code != wanted && code < UET_NACK_EXP_NACK_NORMAL &&
           uet_violates(r, "%s for a packet whose %s, required %s",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, code), why,
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, wanted));
}

/* 3.5.11.5: 0 names no PDC. */
static bool dpdcid_zero(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    return psn && uet_was_request(psn) && !dpdcid_of(psn) && spdcid_of(psn) &&
           refused_with(r, UET_NACK_INV_DPDCID, "dpdcid is 0");
}

/*
 * 3.5.16: of a CP, too. What no PDC is known of may be one that was opened before the capture, or
 * one of another peer's, which is refused with UET_PDC_HDR_MISMATCH.
 */
static bool cp_unknown(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    if (psn && dpdcid_of(psn) && uet_nack_nack_code(r->pds) == UET_NACK_PDC_HDR_MISMATCH)
        return false;
    bool unknown = psn && (!dpdcid_of(psn) || (!psn->pdc && uet_track_from_start(r->t->track)));
    return unknown && uet_was_cp(psn) && spdcid_of(psn) &&
           uet_cp_ctl_type(psn->headers) != UET_CTL_PROBE &&
           refused_with(r, UET_NACK_INV_DPDCID, "dpdcid names no PDC");
}

/* Does the packet name a PDC that is surely open, under the PDCID of another initiator's end? */
static bool other_spdcid(const struct uet_track_psn *psn)
{
    const struct uet_track_pdc *pdc = psn->pdc;
    return pdc && pdc->whole && pdc->established && !pdc->tpdcid_guessed && !pdc->closing &&
           !pdc->closed && !pdc->refused && !pdc->failed && dpdcid_of(psn) == pdc->tpdcid &&
           spdcid_of(psn) != pdc->ipdcid;
}

static bool same_mode(const struct uet_track_psn *psn)
{
    uint8_t type = uet_pds_prologue_type(psn->headers);
    bool rod = type == UET_PDS_ROD_REQ || type == UET_PDS_ROD_CC_REQ;
    return psn->pdc->mode_known && psn->pdc->rod == rod;
}

static bool mismatch(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    return psn && uet_was_request(psn) && other_spdcid(psn) && same_mode(psn) &&
           refused_with(r, UET_NACK_PDC_HDR_MISMATCH, "spdcid is not that of the PDC");
}

static bool cp_mismatch(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    return psn && uet_was_cp(psn) && uet_cp_ctl_type(psn->headers) != UET_CTL_PROBE &&
           other_spdcid(psn) &&
           refused_with(r, UET_NACK_PDC_HDR_MISMATCH, "spdcid is not that of the PDC");
}

/* The PSN of the PDC that the NACK names, which its sender had acknowledged before; NULL: not so.
 */
static const struct uet_track_psn *acknowledged(const struct uet_ruling *r, bool *covered)
{
    const struct uet_tracked *t = r->t;
    uint32_t number = uet_nack_nack_psn(r->pds);
    if (!t->pdc || t->mismatch || t->pdc->closing)
        return NULL;
    const struct uet_track_dir *dir = &t->pdc->dir[t->forward];
    const struct uet_track_psn *psn = uet_track_find_psn(t->track, t->pdc, !t->forward, number);
    *covered = dir->cack_known && uet_psn_diff(number, dir->cack_psn) <= 0;
    return psn && !psn->mixed && (*covered || psn->acked_by) ? psn : NULL;
}

/*
 * 3.5.12.5: what was received is acknowledged again, and no gap, no missing response or message
 * state can keep it from that. Codes for want of room for a packet are left out: a target may have
 * none to look at it.
 */
static bool refused_again(const struct uet_ruling *r, bool want_covered)
{
    bool covered = false;
    uint8_t code = uet_nack_nack_code(r->pds);
    bool means = code == UET_NACK_ROD_OOO || code == UET_NACK_NO_GTD_DEL_AVAIL ||
                 code == UET_NACK_NO_SES_MSG_AVAIL;
    const struct uet_track_psn *psn = means ? acknowledged(r, &covered) : NULL;
    return psn && covered == want_covered &&
           uet_violates(r, "%s for PSN 0x%08x, which was acknowledged before",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, code), psn->psn);
}

static bool refused_in_window(const struct uet_ruling *r)
{
    return refused_again(r, false);
}

static bool refused_below_cack(const struct uet_ruling *r)
{
    return refused_again(r, true);
}

/* 3.5.16.2: an ACK Request for it brings its ACK. */
static bool denied(const struct uet_ruling *r)
{
    bool covered;
    const struct uet_track_psn *psn =
        uet_nack_nack_code(r->pds) == UET_NACK_PKT_NOT_RCVD ? acknowledged(r, &covered) : NULL;
    return psn && uet_violates(r, "UET_PKT_NOT_RCVD for PSN 0x%08x, which was acknowledged before",
                               psn->psn);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-039", "dpdcid 0 is refused with UET_INV_DPDCID"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     dpdcid_zero},
    {{"PDS-040", "another spdcid is refused with UET_PDC_HDR_MISMATCH"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     mismatch},
    {{"PDS-129", "what was acknowledged is not refused"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     refused_in_window},
    {{"PDS-130", "what CACK_PSN covers is not refused"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     refused_below_cack},
    {{"PDS-190", "what was acknowledged is not denied"}, UET_ON_NACK, UET_NEEDS_SENDER, denied},
    {{"PDS-185", "a CP for no PDC is refused with UET_INV_DPDCID"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     cp_unknown},
    {{"PDS-186", "a CP with another spdcid is refused with UET_PDC_HDR_MISMATCH"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     cp_mismatch},
};

const struct uet_rule_table uet_rules_refuse = UET_TABLE(rows);
