/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for NACKs (3.5.10.10, 3.5.12.7, Table 3-58). */
#include "rules/internal.h"

static uint8_t code_of(const struct uet_ruling *r)
{
    return uet_nack_nack_code(r->pds);
}

static const char *name_of(const struct uet_ruling *r)
{
    return uet_enum_name(UET_ENUM_PDS_NACK_CODE, code_of(r));
}

/* Table 3-58. 0x03 has a rule of its own: it was defined up to 1.0.2. */
static bool reserved_code(const struct uet_ruling *r)
{
    return uet_nack_table[code_of(r)].nack_class == UET_CLASS_NONE &&
           uet_violates(r, "nack_code 0x%02x is reserved", code_of(r));
}

static bool trimmed_ack(const struct uet_ruling *r)
{
    return r->spec == UET_VERSION_1_0_3 && code_of(r) == UET_NACK_TRIMMED_ACK &&
           uet_violates(r, "nack_code 0x03 (UET_TRIMMED_ACK) is reserved in 1.0.3");
}

/* Does the code answer a packet, whose PSN it then names? */
static bool names_packet(const struct uet_ruling *r)
{
    uint8_t code = code_of(r);
    return code != UET_NACK_RCVR_INFER_LOSS && code != UET_NACK_CLOSING_IN_ERR &&
           code != UET_NACK_TRIMMED_ACK && code < UET_NACK_EXP_NACK_NORMAL;
}

/* A Request that itself had spdcid 0 is refused so (PDS-017): dpdcid is what it said. */
static bool answers_pdcid_zero(const struct uet_tracked *t)
{
    return t->request && !uet_rud_rod_req_spdcid(t->request->headers);
}

/* 3.5.10.10. */
static bool layout(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_nack_next_hdr(r->pds))
        return uet_violates(r, "next_hdr is %u in a NACK, required UET_HDR_NONE",
                            uet_nack_next_hdr(r->pds));
    if (!uet_dpdcid(r->p) && !answers_pdcid_zero(t))
        return uet_violates(r, "dpdcid is 0, required the spdcid of the packet it answers");
    bool complete = t->pdc ? t->pdc->whole : r->vantage == UET_VANTAGE_BOTH;
    return r->ends && complete && !t->request && !t->was.n_probes && names_packet(r) &&
           uet_violates(r, "nack_psn 0x%08x with dpdcid 0x%04x answers no packet that was sent",
                        uet_packet_psn(r->p), uet_dpdcid(r->p));
}

static bool zero_spdcid(const struct uet_ruling *r, uint8_t code)
{
    return code_of(r) == code && uet_nack_spdcid(r->pds) &&
           uet_violates(r, "%s with spdcid 0x%04x, required 0", name_of(r),
                        uet_nack_spdcid(r->pds));
}

static bool inv_dpdcid(const struct uet_ruling *r)
{
    return zero_spdcid(r, UET_NACK_INV_DPDCID);
}

static bool no_pdc_avail(const struct uet_ruling *r)
{
    return zero_spdcid(r, UET_NACK_NO_PDC_AVAIL);
}

static bool no_ccc_avail(const struct uet_ruling *r)
{
    return zero_spdcid(r, UET_NACK_NO_CCC_AVAIL);
}

static bool no_bitmap(const struct uet_ruling *r)
{
    return zero_spdcid(r, UET_NACK_NO_BITMAP);
}

/*
 * 3.5.10.5: the NACK of an established PDC carries the sender's PDCID. Left out: codes whose
 * spdcid sources disagree on, and those sent when the PDC is going or gone; and where 0 stands for
 * no PDC, the answer to a SYN, which may be of another incarnation.
 */
static bool own_spdcid(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint8_t code = code_of(r);
    if (t->loose || !t->request || t->forward || !t->pdc->established || t->pdc->tpdcid_guessed ||
        t->pdc->closing)
        return false;
    if (code == UET_NACK_NEW_START_PSN || code == UET_NACK_CLOSING ||
        code == UET_NACK_UNEXP_EVENT || code == UET_NACK_CLOSING_IN_ERR ||
        code >= UET_NACK_EXP_NACK_NORMAL)
        return false;
    uint8_t spdcid = uet_nack_table[code].spdcid;
    bool own = spdcid == UET_SPDCID_OWN ||
               (spdcid == UET_SPDCID_ZERO_IF_NO_PDC && !uet_had_syn(t->request));
    return uet_nack_table[code].nack_class != UET_CLASS_NONE && own && !uet_nack_spdcid(r->pds) &&
           uet_violates(r, "%s with spdcid 0 on an established PDC, required 0x%04x", name_of(r),
                        t->pdc->tpdcid);
}

/*
 * 3.5.7.1: RUD takes packets out of order. After UET_PDC_MODE_MISMATCH the target may have another
 * PDC in mind, of an earlier incarnation of the initiator.
 */
static bool rod_ooo(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (t->pdc->failed && t->pdc->failed_code == UET_NACK_PDC_MODE_MISMATCH)
        return false;
    return code_of(r) == UET_NACK_ROD_OOO && !t->loose && t->request && t->pdc->mode_known &&
           !t->pdc->rod && uet_violates(r, "UET_ROD_OOO on a RUD PDC");
}

/* 3.5.10.10: nt = 1 belongs to RUDI, which has no PDCIDs. */
static bool rudi_on_pdc(const struct uet_ruling *r)
{
    return uet_nack_dpdcid(r->pds) &&
           uet_violates(r, "flags.nt is 1 with dpdcid 0x%04x, required 0 on a RUD/ROD PDC",
                        uet_nack_dpdcid(r->pds));
}

/* The packet that the NACK answers, when it is sure which one. */
static const struct uet_track_psn *only_one(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && psn->n_copies == 1 && !psn->ack_requested ? psn : NULL;
}

/*
 * 3.5.8.2 step 4a: an unknown dpdcid is one of a Request without syn. A CP with syn that opens no
 * PDC may be refused so (PDS-045, PDS-046). Who has heard of a TPDCID may have sent it again there.
 */
static bool inv_dpdcid_syn(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = only_one(r);
    return code_of(r) == UET_NACK_INV_DPDCID && psn && uet_was_request(psn) && uet_had_syn(psn) &&
           !r->t->pdc->tpdcid && uet_violates(r, "UET_INV_DPDCID for a SYN, which has no dpdcid");
}

/* 3.5.8.2: these refuse to open a PDC, and so answer a SYN. */
static bool needs_syn(const struct uet_ruling *r, uint8_t code)
{
    const struct uet_track_psn *psn = only_one(r);
    return code_of(r) == code && psn && !uet_had_syn(psn) &&
           uet_violates(r, "%s for a packet with syn 0", name_of(r));
}

static bool invalid_syn(const struct uet_ruling *r)
{
    return needs_syn(r, UET_NACK_INVALID_SYN);
}

static bool no_pdc_syn(const struct uet_ruling *r)
{
    return needs_syn(r, UET_NACK_NO_PDC_AVAIL);
}

static bool no_ccc_syn(const struct uet_ruling *r)
{
    return needs_syn(r, UET_NACK_NO_CCC_AVAIL);
}

static bool no_bitmap_syn(const struct uet_ruling *r)
{
    return needs_syn(r, UET_NACK_NO_BITMAP);
}

/*
 * 3.5.6: the mode is refused only when it differs from that of the PDC. One of an earlier
 * incarnation of the initiator, in whose name a SYN is refused, may have been of the other mode.
 */
static bool mode_agrees(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = only_one(r);
    const struct uet_track_pdc *pdc = r->t->pdc;
    if (code_of(r) != UET_NACK_PDC_MODE_MISMATCH || !psn || !pdc || r->t->loose || !pdc->whole ||
        !pdc->mode_known || !uet_was_request(psn))
        return false;
    const struct uet_track_pdc *before = pdc->tpdcid_before;
    if (before && before->ipdcid == pdc->ipdcid && !(before->mode_known && before->rod == pdc->rod))
        return false;
    uint8_t type = uet_pds_prologue_type(psn->headers);
    bool rod = type == UET_PDS_ROD_REQ || type == UET_PDS_ROD_CC_REQ;
    return rod == pdc->rod && uet_violates(r, "UET_PDC_MODE_MISMATCH for a %s Request on a %s PDC",
                                           rod ? "ROD" : "RUD", pdc->rod ? "ROD" : "RUD");
}

/* 3.5.16.2: these two answer an ACK Request and nothing else. */
static bool nobody_asked(const struct uet_ruling *r, uint8_t code)
{
    const struct uet_track_psn *psn = r->t->request;
    bool request_cp =
        psn && uet_was_cp(psn) && uet_cp_ctl_type(psn->headers) == UET_CTL_ACK_REQUEST;
    bool sees_all = r->t->pdc ? r->t->pdc->whole : uet_track_from_start(r->t->track);
    return code_of(r) == code && psn && sees_all && !psn->ack_requested && !request_cp &&
           !psn->mixed &&
           uet_violates(r, "%s for PSN 0x%08x, about which no ACK Request asked", name_of(r),
                        psn->psn);
}

static bool not_rcvd_unasked(const struct uet_ruling *r)
{
    return nobody_asked(r, UET_NACK_PKT_NOT_RCVD);
}

static bool with_data_unasked(const struct uet_ruling *r)
{
    return nobody_asked(r, UET_NACK_ACK_WITH_DATA);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-002", "no ROD_OOO on a RUD PDC"}, UET_ON_NACK, UET_NEEDS_PDC, rod_ooo},
    {{"PDS-007", "the PDC's own mode is not refused"}, UET_ON_NACK, UET_NEEDS_ENDS, mode_agrees},
    {{"PDS-020", "a NACK carries its sender's PDCID"}, UET_ON_NACK, UET_NEEDS_ENDS, own_spdcid},
    {{"PDS-038", "UET_INV_DPDCID has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, inv_dpdcid},
    {{"PDS-037", "UET_INVALID_SYN answers a SYN"}, UET_ON_NACK, UET_NEEDS_ENDS, invalid_syn},
    {{"PDS-038", "UET_INV_DPDCID answers no SYN"}, UET_ON_NACK, UET_NEEDS_ENDS, inv_dpdcid_syn},
    {{"PDS-041", "UET_NO_PDC_AVAIL answers a SYN"}, UET_ON_NACK, UET_NEEDS_ENDS, no_pdc_syn},
    {{"PDS-042", "UET_NO_CCC_AVAIL answers a SYN"}, UET_ON_NACK, UET_NEEDS_ENDS, no_ccc_syn},
    {{"PDS-043", "UET_NO_BITMAP answers a SYN"}, UET_ON_NACK, UET_NEEDS_ENDS, no_bitmap_syn},
    {{"PDS-133", "flags.nt is 0 on a PDC"}, UET_ON_RUDI_NACK, UET_NEEDS_NOTHING, rudi_on_pdc},
    {{"PDS-041", "UET_NO_PDC_AVAIL has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_pdc_avail},
    {{"PDS-042", "UET_NO_CCC_AVAIL has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_ccc_avail},
    {{"PDS-043", "UET_NO_BITMAP has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_bitmap},
    {{"PDS-133", "a NACK names the packet it answers"}, UET_ON_NACK, UET_NEEDS_NOTHING, layout},
    {{"PDS-146", "NACK code 0x03 is not sent"}, UET_ON_NACK, UET_NEEDS_NOTHING, trimmed_ack},
    {{"PDS-147", "reserved NACK codes are not sent"},
     UET_ON_NACK,
     UET_NEEDS_NOTHING,
     reserved_code},
    {{"PDS-191", "UET_PKT_NOT_RCVD answers an ACK Request"},
     UET_ON_NACK,
     UET_NEEDS_ENDS,
     not_rcvd_unasked},
    {{"PDS-192", "UET_ACK_WITH_DATA answers an ACK Request"},
     UET_ON_NACK,
     UET_NEEDS_ENDS,
     with_data_unasked},
};

const struct uet_rule_table uet_rules_nack = UET_TABLE(rows);
