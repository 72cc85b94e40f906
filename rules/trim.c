/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules for what a receiver makes of packets that a switch has cut (4.1, Table 3-61). Only the
 * receiver's own end knows which came so.
 */
#include "rules/internal.h"

static bool is_trim_code(uint8_t code)
{
    return code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP;
}

static bool is_trim_nack(const struct uet_ruling *r)
{
    return is_trim_code(uet_nack_nack_code(r->pds));
}

/* The PSN that the answer names, when all its copies are known. */
static const struct uet_track_psn *answered(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && psn->n_copies <= UET_TRACK_COPIES && !psn->ack_requested ? psn : NULL;
}

/* 3.5.8.2: only a whole SYN opens a PDC. */
static bool no_pdc(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    const struct uet_track_pdc *pdc = r->t->pdc;
    bool syn = psn && (psn->pds == UET_H_RUD_ROD_REQ_SYN || psn->pds == UET_H_RUD_ROD_CC_REQ_SYN ||
                       psn->pds == UET_H_CP_SYN);
    return syn && pdc && pdc->whole && uet_only_trimmed(psn) &&
           pdc->dir[0].highest_psn == pdc->dir[0].first_psn && uet_spdcid(r->p) &&
           uet_violates(r, "spdcid 0x%04x for a SYN that came trimmed (packet %u)",
                        uet_spdcid(r->p), psn->last.number);
}

/* Table 3-61: UET_TRIMMED answers a packet that was trimmed. */
static bool was_trimmed(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    return is_trim_nack(r) && psn && uet_track_knows_trims(r->t->track) && !psn->trimmed_seen &&
           uet_violates(r, "%s for PSN 0x%08x, which came whole (packet %u)",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(r->pds)), psn->psn,
                        psn->last.number);
}

/* Table 3-61: a trimmed ROD Request is no gap; that it was cut is what its NACK tells. */
static bool rod_trimmed(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    return uet_nack_nack_code(r->pds) == UET_NACK_ROD_OOO && psn && uet_only_trimmed(psn) &&
           uet_violates(r, "UET_ROD_OOO for PSN 0x%08x, which came trimmed (packet %u)", psn->psn,
                        psn->last.number);
}

/* 3.6.12.3: the code follows the DSCP. */
static bool lasthop(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    bool said = uet_nack_nack_code(r->pds) == UET_NACK_TRIMMED_LASTHOP;
    if (!is_trim_nack(r) || !psn || !psn->trimmed_seen || !uet_track_knows_trims(r->t->track))
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++)
        if (psn->copy[i].trimmed && psn->copy[i].lasthop == said)
            return false;
    return uet_violates(r, "%s, but the packet came with the DSCP of the other one",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(r->pds)));
}

/* 3.5.15: what came trimmed is not received. */
static bool not_received(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t cack = uet_ack_cack_psn(r->pds), open = t->was.seen_psn + 1;
    if (uet_ack_p(r->pds) || t->mismatch || t->pdc->closing)
        return false;
    if (t->request && uet_only_trimmed(t->request) && uet_was_request(t->request))
        return uet_violates(r, "ACK_PSN 0x%08x, which came trimmed only", t->request->psn);
    if (!t->was.runs_known || uet_psn_diff(cack, open) < 0)
        return false;
    const struct uet_track_psn *psn = uet_track_find_psn(t->track, t->pdc, !t->forward, open);
    return psn && uet_only_trimmed(psn) &&
           uet_violates(r, "CACK_PSN 0x%08x covers PSN 0x%08x, which came trimmed only", cack,
                        open);
}

/* 3.6.12.3: the NACK echoes CE and the entropy value of the packet that came trimmed. */
static bool echo(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = answered(r);
    bool m = uet_nack_m(r->pds);
    if (!is_trim_nack(r) || !psn || !psn->trimmed_seen)
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++) {
        const struct uet_track_copy *c = &psn->copy[i];
        if (c->trimmed && (c->ecn == UET_ECN_CE) == m && c->entropy == uet_entropy(r->p))
            return false;
    }
    return uet_violates(r, "m %d and entropy 0x%04x are those of no trimmed copy of PSN 0x%08x", m,
                        uet_entropy(r->p), psn->psn);
}

/* Table 3-61: trimmed CPs are discarded silently. (Trimmed NACKs have no number to answer.) */
static bool silent(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && uet_only_trimmed(psn) && uet_was_cp(psn) &&
           uet_violates(r, "an answer to a Control Packet that came trimmed (packet %u)",
                        psn->last.number);
}

/*
 * Did an ACK come cut that a NACK with this nack_psn could be meant for, and nothing else did? It
 * has the PSN of a packet that its receiver had sent.
 */
static bool trimmed_ack(const struct uet_ruling *r, const struct uet_track_dir **acked)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_dir *own = t->pdc ? &t->pdc->dir[!t->forward] : NULL;
    *acked = own;
    return own && own->trimmed_ack && own->trimmed_ack_psn == uet_packet_psn(r->p) &&
           !(t->request && t->request->trimmed_seen);
}

/* Table 3-61: a trimmed ACK is answered with nothing; the Request is sent again. */
static bool ack_silent(const struct uet_ruling *r)
{
    const struct uet_track_dir *own;
    return is_trim_nack(r) && trimmed_ack(r, &own) &&
           uet_violates(r, "%s for the ACK of PSN 0x%08x, which came trimmed",
                        uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(r->pds)),
                        own->trimmed_ack_psn);
}

/* Table 3-58 up to 1.0.2: UET_TRIMMED_ACK is for an ACK that had read data. */
static bool ack_had_data(const struct uet_ruling *r)
{
    const struct uet_track_dir *own;
    if (r->spec == UET_VERSION_1_0_3 || uet_nack_nack_code(r->pds) != UET_NACK_TRIMMED_ACK ||
        !uet_track_knows_trims(r->t->track))
        return false;
    bool came = trimmed_ack(r, &own);
    return own && !(came && own->trimmed_ack_data) &&
           uet_violates(r, "UET_TRIMMED_ACK for PSN 0x%08x, of which no ACK with data came trimmed",
                        uet_packet_psn(r->p));
}

static const struct uet_rule_row rows[] = {
    {{"PDS-044", "a trimmed SYN opens no PDC"}, UET_ON_ANSWERS, UET_NEEDS_SENDER, no_pdc},
    {{"PDS-216", "UET_TRIMMED answers what was trimmed"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     was_trimmed},
    {{"PDS-217", "a trimmed ROD Request is NACKed as trimmed"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     rod_trimmed},
    {{"PDS-218", "UET_TRIMMED_LASTHOP answers what the last hop trimmed"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     lasthop},
    {{"PDS-219", "what came trimmed is not received"}, UET_ON_ACK, UET_NEEDS_SENDER, not_received},
    {{"PDS-221", "the NACK of a trimmed packet echoes m and entropy"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     echo},
    {{"PDS-222", "a trimmed ACK is answered with nothing"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     ack_silent},
    {{"PDS-223", "UET_TRIMMED_ACK answers a trimmed ACK with data"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     ack_had_data},
    {{"PDS-224", "a trimmed Control Packet is discarded silently"},
     UET_ON_ANSWERS,
     UET_NEEDS_SENDER,
     silent},
};

const struct uet_rule_table uet_rules_trim = UET_TABLE(rows);
