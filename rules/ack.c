/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for ACKs: what they echo and what they may acknowledge (3.5.11.4, 3.5.12). */
#include "rules/internal.h"

#define RCVD_MASK 0xffffffu
#define STAMP     1000u /* ns: many captures tell microseconds */

/*
 * May another PDC of the target have answered? When it is done with one, a late copy of a SYN opens
 * another (PDS-054). The target's own end has seen that it may; the other end has not.
 */
static bool may_be_another(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_psn *named =
        uet_track_find_psn(t->track, t->pdc, true, uet_packet_psn(r->p));
    return t->pdc->doubtful || (!t->forward && !r->sender && (!named || uet_had_syn(named)));
}

/* 3.5.10.5: the sender's PDCID never changes, and the receiver's is one that it uses. */
static bool pdcids(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (r->vantage == UET_VANTAGE_BOTH && uet_is_ack(r->p) && !t->pdc)
        return uet_violates(r, "dpdcid 0x%04x names no PDC of the receiver", uet_dpdcid(r->p));
    if (!r->ends || !t->pdc || !t->mismatch || t->pdc->tpdcid_guessed || !uet_spdcid(r->p) ||
        may_be_another(r))
        return false;
    return uet_violates(r, "spdcid is 0x%04x, the sender's PDCID of this PDC is 0x%04x",
                        uet_spdcid(r->p), t->forward ? t->pdc->ipdcid : t->pdc->tpdcid);
}

/* 3.5.11.8.6, Table 3-44: the initiator asks for nothing. */
static bool initiator_req(const struct uet_ruling *r)
{
    uint8_t req = uet_ack_req(r->pds);
    return req && r->t->forward && r->t->from_initiator_known &&
           uet_violates(r, "flags.req is %s in an ACK of the initiator, required NO_REQUEST",
                        uet_enum_name(UET_ENUM_PDS_ACK_REQ, req));
}

/* NACKs for trimmed packets answer a copy that was cut; some codes answer no packet at all. */
static bool echoes(const struct uet_ruling *r)
{
    if (r->t->request_unsure)
        return false;
    if (!uet_is_nack(r->p))
        return true;
    uint8_t code = uet_nack_nack_code(r->pds);
    return code != UET_NACK_TRIMMED && code != UET_NACK_TRIMMED_LASTHOP &&
           code != UET_NACK_CLOSING_IN_ERR && code != UET_NACK_RCVR_INFER_LOSS;
}

/*
 * The packet whose fields the answer must echo, or NULL when that is not sure: too many copies,
 * copies from before the capture, or an ACK Request that may have triggered the answer instead
 * (3.5.16.2).
 */
static const struct uet_track_psn *trigger(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    if (!psn || psn->ack_requested || !uet_original_seen(psn) || psn->n_copies > UET_TRACK_COPIES ||
        !echoes(r))
        return NULL;
    return psn;
}

/* 3.5.11.8, 3.6.13. CE may be set on the way: only the receiver's own end knows what arrived. */
static bool echo_m(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = trigger(r);
    bool m = uet_ack_m(r->pds);
    if (!psn)
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++)
        if ((psn->copy[i].ecn == UET_ECN_CE) == m)
            return false;
    return uet_violates(r, "flags.m is %d, the answered packet %u came with ECN %u", m,
                        psn->last.number, psn->last.ecn);
}

static bool echo_retx(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = trigger(r);
    bool retx = uet_ack_retx(r->pds);
    if (!psn)
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++)
        if (psn->copy[i].retx == retx)
            return false;
    return uet_violates(r, "flags.retx is %d, the answered packet %u has retx %d", retx,
                        psn->last.number, psn->last.retx);
}

/* 3.6.16.4, 3.5.12. */
static bool echo_entropy(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = trigger(r);
    uint16_t entropy = uet_entropy(r->p);
    if (!psn)
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++)
        if (psn->copy[i].entropy == entropy)
            return false;
    return uet_violates(r, "entropy is 0x%04x, that of the answered packet %u is 0x%04x", entropy,
                        psn->last.number, psn->last.entropy);
}

/* 3.5.11.4.6: ACK_PSN is a PSN that the other side has sent. */
static bool ack_psn(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return !uet_ack_p(r->pds) && !t->request && t->pdc->whole && !t->was.n_probes &&
           uet_violates(r, "ACK_PSN is 0x%08x, which was never sent", uet_packet_psn(r->p));
}

/*
 * 3.5.11.4.5: all up to CACK_PSN is received. A Close Command clears everything, gaps too
 * (3.5.8.3); the cack_psn of a probe answer is not settled (3.5.16.5).
 */
static bool cack_psn(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t cack = uet_ack_cack_psn(r->pds);
    if (uet_ack_p(r->pds) || !t->was.runs_known || uet_psn_diff(cack, t->was.seen_psn) <= 0)
        return false;
    if (!t->forward && t->pdc->closing)
        return false;
    if (uet_track_find_psn(t->track, t->pdc, !t->forward, t->was.seen_psn + 1))
        return false; /* it came, but cut by a switch (PDS-219) */
    return uet_violates(r, "CACK_PSN is 0x%08x, but PSN 0x%08x was never sent", cack,
                        t->was.seen_psn + 1);
}

/* 3.5.16.2: an ACK Request gets the stored response or a default one; no more may be known. */
static bool asked_again(const struct uet_ruling *r, const struct uet_track_psn *psn)
{
    bool by_default = r->p->ses == UET_H_SES_RSP_DEFAULT || r->p->ses == UET_H_SES_RSP_NO_RESPONSE;
    return psn->ack_requested && by_default;
}

/* 3.5.10.8: a CP has no SES message, so its ACK has no SES response. */
static bool cp_response(const struct uet_ruling *r)
{
    uint8_t next = uet_ack_next_hdr(r->pds);
    const struct uet_track_psn *psn = r->t->request;
    if (!next)
        return false;
    if (uet_ack_p(r->pds))
        return uet_violates(r, "a probe answer carries a SES response (next_hdr %u)", next);
    return psn && !r->t->mismatch && uet_was_cp(psn) && !psn->mixed && uet_original_seen(psn) &&
           !asked_again(r, psn) &&
           uet_violates(r, "the ACK of a CP carries a SES response (next_hdr %u)", next);
}

/* 3.5.20.2.3, 3.5.1: the ACK of a Request carries its SES response, or a default one. */
static bool no_response(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return !uet_ack_p(r->pds) && !uet_ack_next_hdr(r->pds) && psn && uet_was_request(psn) &&
           !psn->mixed && uet_original_seen(psn) && uet_in_ses_req(psn->ses) &&
           uet_violates(r, "the ACK of a Request carries no SES response");
}

/* 3.5.11.14: a set bit is a received PSN. */
static bool sack(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!uet_has_sack(r->p) || !t->was.runs_known || t->pdc->closing)
        return false;
    uint64_t bits = uet_ack_cc_sack_bitmap(r->pds);
    uint32_t cack = uet_ack_cack_psn(r->pds);
    uint32_t psn = uet_psn_add(cack, uet_ack_cc_sack_psn_offset(r->pds));
    for (; bits; bits >>= 1, psn++)
        if ((bits & 1) && uet_psn_diff(psn, cack) > 0 &&
            !uet_track_find_psn(t->track, t->pdc, !t->forward, psn))
            return uet_violates(r, "sack_bitmap tells PSN 0x%08x received, which was never sent",
                                psn);
    return false;
}

/* 3.5.16.5. */
static bool probe_opaque(const struct uet_ruling *r)
{
    return uet_ack_p(r->pds) && !r->t->request && r->t->pdc->whole &&
           uet_violates(r, "probe_opaque 0x%04x was never sent in a Probe",
                        uet_ack_probe_opaque(r->pds));
}

/* Table 3-48: the two that are defined, and two for vendors. */
static bool cc_type(const struct uet_ruling *r)
{
    uint8_t type = uet_is_ack_cc(r->p) ? uet_ack_cc_type(r->pds) : UET_CC_NSCC;
    return type > UET_CC_CREDIT && type < 14 && uet_violates(r, "cc_type %u is reserved", type);
}

/* Table 3-49: two for vendors, and no other. */
static bool ccx_type(const struct uet_ruling *r)
{
    uint8_t type = uet_is_ack_ccx(r->p) ? uet_ack_ccx_type(r->pds) : 14;
    return type < 14 && uet_violates(r, "ccx_type %u is reserved", type);
}

/* 3.6.13.9, 3.6.10.3: modulo 2^24, in the order in which the ACKs of a PDC leave; from 0 on. */
static bool rcvd_falls(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (r->p->cc_state != UET_H_ACK_CC_STATE_NSCC || t->loose || t->mismatch || !t->pdc->whole ||
        t->pdc->doubtful)
        return false;
    const uint32_t was = t->was.flight.rcvd;
    uint32_t now = uet_ack_cc_state_nscc_rcvd_bytes(r->p->frame + r->p->cc_state_offset);
    return ((now - was) & RCVD_MASK) > RCVD_MASK / 2 &&
           uet_violates(r, "rcvd_bytes is %u, after %u before", now, was);
}

/*
 * 3.6.9.2: how long the packet that the ACK names was at the target, from MAC to MAC. It was away
 * for longer, from its first copy on. Only where the network's clock is seen: a host that is busy
 * stamps at one end what it sends late, by more than the packet was away.
 */
static bool served_longer(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (r->p->cc_state != UET_H_ACK_CC_STATE_NSCC || uet_ack_p(r->pds) || t->loose || t->mismatch ||
        !t->request || !t->pdc->whole || t->pdc->doubtful || r->vantage != UET_VANTAGE_BOTH)
        return false;
    const uint8_t *state = r->p->frame + r->p->cc_state_offset;
    uint64_t service = (uint64_t)uet_ack_cc_state_nscc_service_time(state) * UET_SERVICE_UNIT;
    if (t->time_ns < t->request->time_ns) /* in a capture that is not in order */
        return false;
    uint64_t waited = t->time_ns - t->request->time_ns;
    return service > waited + UET_SERVICE_ACCURACY + UET_SERVICE_UNIT + STAMP &&
           uet_violates(r, "service_time is %.3f us, %.3f us after the packet left",
                        (double)service / 1e3, (double)waited / 1e3);
}

/*
 * 3.5.16.8: the Probe says which PSN its answer's SACK begins with. sack_psn_offset has 16 bits: no
 * answer begins farther from CACK_PSN, as one to a late Probe of an earlier incarnation would.
 */
static bool probe_base(const struct uet_ruling *r)
{
    const struct uet_track_psn *probe = r->t->request;
    if (!uet_ack_p(r->pds) || !uet_has_sack(r->p) || !probe || probe->n_copies > 1 ||
        !uet_was_cp(probe))
        return false;
    uint32_t base = uet_psn_add(uet_ack_cack_psn(r->pds), uet_ack_cc_sack_psn_offset(r->pds));
    uint32_t wanted = uet_cp_payload_value(probe->headers);
    int32_t offset = uet_psn_diff(wanted, uet_ack_cack_psn(r->pds));
    return base != wanted && offset >= INT16_MIN && offset <= INT16_MAX &&
           uet_violates(r, "SACK_PSN is 0x%08x, the Probe asked for 0x%08x", base, wanted);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-020", "answers carry the PDCIDs of their PDC"},
     UET_ON_ANSWERS,
     UET_WHEN_MISMATCH | UET_WHEN_NO_PDC,
     pdcids},
    {{"PDS-092", "the initiator sends NO_REQUEST"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_FORWARD,
     initiator_req},
    {{"PDS-104", "flags.m echoes CE"}, UET_ON_ANSWERS, UET_NEEDS_SENDER, echo_m},
    {{"PDS-105", "flags.retx is echoed"}, UET_ON_ANSWERS, UET_NEEDS_ENDS, echo_retx},
    {{"PDS-106", "ACK_PSN names a packet that was sent"}, UET_ON_ACK, UET_NEEDS_ENDS, ack_psn},
    {{"PDS-108", "CACK_PSN covers only what was received"}, UET_ON_ACK, UET_NEEDS_ENDS, cack_psn},
    {{"PDS-109", "the ACK of a CP has no SES response"},
     UET_ON_ACK,
     UET_NEEDS_NOTHING,
     cp_response},
    {{"PDS-110", "the ACK of a Request has a SES response"},
     UET_ON_ACK,
     UET_NEEDS_ENDS,
     no_response},
    {{"PDS-112", "the entropy value is echoed"}, UET_ON_ANSWERS, UET_NEEDS_ENDS, echo_entropy},
    {{"PDS-113", "reserved cc_type values are not sent"}, UET_ON_ACK, UET_NEEDS_NOTHING, cc_type},
    {{"CMS-035", "reserved ccx_type values are not sent"}, UET_ON_ACK, UET_NEEDS_NOTHING, ccx_type},
    {{"CMS-024", "rcvd_bytes never goes back"}, UET_ON_ACK, UET_NEEDS_SENDER, rcvd_falls},
    {{"CMS-029", "service_time is no longer than the packet was away"},
     UET_ON_ACK,
     UET_NEEDS_ENDS,
     served_longer},
    {{"PDS-114", "the SACK bitmap tells only what was received"}, UET_ON_ACK, UET_NEEDS_ENDS, sack},
    {{"PDS-193", "a probe answer copies probe_opaque"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_PROBE,
     probe_opaque},
    {{"PDS-194", "a probe answer's SACK begins where the Probe asked"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_PROBE,
     probe_base},
};

const struct uet_rule_table uet_rules_ack = UET_TABLE(rows);
