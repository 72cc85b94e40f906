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
           code < UET_NACK_EXP_NACK_NORMAL;
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
    if (uet_nack_nt(r->pds))
        return t->pdc && uet_violates(r, "flags.nt is 1 on a RUD/ROD PDC, required 0");
    if (!uet_dpdcid(r->p) && !answers_pdcid_zero(t))
        return uet_violates(r, "dpdcid is 0, required the spdcid of the packet it answers");
    bool complete = t->pdc ? t->pdc->whole : r->vantage == UET_VANTAGE_BOTH;
    return r->ends && complete && !t->request && !t->was.n_probes && names_packet(r) &&
           uet_violates(r, "nack_psn %u with dpdcid %u answers no packet that was sent",
                        uet_packet_psn(r->p), uet_dpdcid(r->p));
}

static bool zero_spdcid(const struct uet_ruling *r, uint8_t code)
{
    return code_of(r) == code && uet_nack_spdcid(r->pds) &&
           uet_violates(r, "%s with spdcid %u, required 0", name_of(r), uet_nack_spdcid(r->pds));
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
 * spdcid sources disagree on, and those sent when the PDC is going or gone.
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
    return uet_nack_table[code].nack_class != UET_CLASS_NONE &&
           uet_nack_table[code].spdcid == UET_SPDCID_OWN && !uet_nack_spdcid(r->pds) &&
           uet_violates(r, "%s with spdcid 0 on an established PDC, required %u", name_of(r),
                        t->pdc->tpdcid);
}

/* 3.5.7.1: RUD takes packets out of order. */
static bool rod_ooo(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return code_of(r) == UET_NACK_ROD_OOO && !t->loose && t->request && t->pdc->mode_known &&
           !t->pdc->rod && uet_violates(r, "UET_ROD_OOO on a RUD PDC");
}

static const struct uet_rule_row rows[] = {
    {{"PDS-002", "no ROD_OOO on a RUD PDC"}, UET_ON_NACK, UET_NEEDS_PDC, rod_ooo},
    {{"PDS-020", "a NACK carries its sender's PDCID"}, UET_ON_NACK, UET_NEEDS_ENDS, own_spdcid},
    {{"PDS-038", "UET_INV_DPDCID has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, inv_dpdcid},
    {{"PDS-041", "UET_NO_PDC_AVAIL has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_pdc_avail},
    {{"PDS-042", "UET_NO_CCC_AVAIL has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_ccc_avail},
    {{"PDS-043", "UET_NO_BITMAP has spdcid 0"}, UET_ON_NACK, UET_NEEDS_NOTHING, no_bitmap},
    {{"PDS-133", "a NACK names the packet it answers"}, UET_ON_NACK, UET_NEEDS_NOTHING, layout},
    {{"PDS-146", "NACK code 0x03 is not sent"}, UET_ON_NACK, UET_NEEDS_NOTHING, trimmed_ack},
    {{"PDS-147", "reserved NACK codes are not sent"},
     UET_ON_NACK,
     UET_NEEDS_NOTHING,
     reserved_code},
};

const struct uet_rule_table uet_rules_nack = UET_TABLE(rows);
