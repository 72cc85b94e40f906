/* SPDX-License-Identifier: BSD-2-Clause */
/* ACKs: what they say (3.5.11.4.5, 3.5.11.14) and when they go (3.5.12.2). */
#include "refimpl/pds/pds.h"

struct ack_about uet_ack_about(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return (struct ack_about){
        .psn = uet_packet_psn(p),
        .entropy = uet_entropy(p),
        .m = uet_ecn(p) == UET_ECN_CE,
        .retx = uet_is_cp(p) ? uet_cp_retx(h) : uet_rud_rod_req_retx(h),
    };
}

/* ---- the base of the SACK bitmap (3.5.11.14 leaves it free) ---- */

/* Moved up so that the packet that caused the ACK stands last, when it lies beyond. */
static uint32_t up_to_trigger(uint32_t base, const struct ack_about *about)
{
    bool beyond = !about->probe && uet_psn_diff(about->psn, base) >= SACK_BITS;
    return beyond ? about->psn - (SACK_BITS - 1) : base;
}

uint32_t uet_sack_after_cack(const struct pdc *pdc, const struct ack_about *about)
{
    return up_to_trigger(pdc->rx.cack_psn + 1, about);
}

uint32_t uet_sack_at_trigger(const struct pdc *pdc, const struct ack_about *about)
{
    uint32_t base = pdc->rx.cack_psn + 1;
    return !about->probe && psn_after(about->psn, base) ? about->psn : base;
}

uint32_t uet_sack_eights(const struct pdc *pdc, const struct ack_about *about)
{
    return up_to_trigger((pdc->rx.cack_psn + 1) & ~7u, about);
}

uint32_t uet_sack_behind(const struct pdc *pdc, const struct ack_about *about)
{
    return about->probe ? pdc->rx.cack_psn + 1 : about->psn - (SACK_BITS - 1);
}

/* A Probe may name the base itself (PDS-194). */
static uint32_t sack_base(const struct uet_fep *fep, const struct pdc *pdc,
                          const struct ack_about *about)
{
    if (!about->has_sack_base)
        return fep->law.pds.sack_base(pdc, about);
    int32_t off = uet_psn_diff(about->sack_base, pdc->rx.cack_psn);
    return off >= INT16_MIN && off <= INT16_MAX ? about->sack_base : pdc->rx.cack_psn + 1;
}

static size_t write_cc(struct uet_fep *fep, const struct pdc *pdc, const struct ack_about *about,
                       struct uet_build *b, uint8_t *h)
{
    uint32_t base = sack_base(fep, pdc, about);
    const struct uet_cc_told *cc =
        pdc->rx.grantee ? uet_cc_told_credit(fep) : uet_cc_told_here(fep);
    const struct uet_cc_state is = {
        .rcvd_bytes = pdc->rx.rcvd_bytes,
        .ooo_count = pdc->rx.n_above,
        .rcv_cwnd_pend = fep->params.host_pressure,
        .credit = pdc->rx.grantee ? uet_grants_given(fep, pdc->rx.grantee) : 0,
    };
    uint8_t *state = h + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
    uet_ack_cc_type_set(h, cc->type);
    uet_ack_cc_mpr_set(
        h, uet_sink_below_128(fep) ? 0 : (uint8_t)(uet_sink_mp_range(fep) / UET_MPR_UNIT));
    uet_ack_cc_sack_psn_offset_set(h, (int16_t)uet_psn_diff(base, pdc->rx.cack_psn));
    uet_ack_cc_sack_bitmap_set(h, uet_sink_bits(fep, pdc, base) & fep->law.pds.sack_mask[pdc->rod]);
    cc->write_state(state, &is);
    return cc->write_delay ? (size_t)(state - b->frame) : 0; /* of what is still to be written */
}

static enum uet_wish wish_of(const struct pdc *pdc, const struct ack_about *about)
{
    /* Initiators ask for nothing (Table 3-44), nor do probe answers and Close ACKs. */
    if (pdc->initiator || about->probe || about->close)
        return UET_WISH_NOTHING;
    if (pdc->rx.n_stored)
        return UET_WISH_CLEAR; /* until nothing waits for a clear (PDS-086) */
    if (pdc->req_closing && !pdc->rx.closing)
        return UET_WISH_CLOSE; /* the same wish as the Close Request's (PDS-209) */
    return UET_WISH_NOTHING;
}

void uet_ack_send(struct uet_fep *fep, struct pdc *pdc, const struct ack_about *about)
{
    struct uet_build b;
    const struct part *part = about->part;
    if (!uet_reply_start_on(fep, &b, pdc, about->entropy, part))
        return;
    bool cc = uet_cc_told_here(fep) != NULL && !about->has_floor;
    uint32_t cack = pdc->rx.cack_psn;
    enum uet_header_id form = about->has_floor ? UET_H_ACK_EPSN_REFPROV : UET_H_ACK;
    uint8_t *h = uet_build_pds(&b, cc ? UET_H_ACK_CC : form);
    uet_ack_type_set(h, cc ? UET_PDS_ACK_CC : UET_PDS_ACK);
    uet_ack_m_set(h, about->m);
    uet_ack_retx_set(h, about->retx);
    uet_ack_p_set(h, about->probe);
    uet_ack_req_set(h, fep->law.pds.reqs[wish_of(pdc, about)]);
    uet_ack_cack_psn_set(h, cack);
    if (about->probe)
        uet_ack_probe_opaque_set(h, about->probe_opaque);
    else
        uet_ack_ack_psn_offset_set(h, (int16_t)uet_psn_diff(about->psn, cack));
    uet_ack_spdcid_set(h, pdc->id);
    uet_ack_dpdcid_set(h, pdc->peer_id);
    if (about->has_floor) { /* no other form is public (TSS-067) */
        uet_ack_epsn_set(h, true);
        uet_ack_epsn_expected_psn_set(h, about->floor);
    }
    size_t cc_state = cc ? write_cc(fep, pdc, about, &b, h) : 0;
    uint8_t next_hdr = about->response ? UET_NH_RESPONSE : UET_NH_NONE;
    if (part)
        next_hdr = uet_ses_part_write(part, &b);
    else if (about->response)
        memcpy(uet_build_ses(&b, UET_H_SES_RSP), about->response, UET_SES_RSP_BYTES);
    uet_ack_next_hdr_set(h, next_hdr);
    uet_reply_finish(fep, &b, cc_state);
    pdc->rx.ack_gen_count = 0;
    COUNT(fep, tx_ack);
    if (part)
        COUNT(fep, tx_ack_data);
}

/* A hole below a packet with ar=1 has closed: say so (PDS-125). */
static bool gap_closed(struct pdc *pdc)
{
    struct sink *rx = &pdc->rx;
    if (!rx->gap_open || !psn_after(rx->expected_psn, rx->gap_psn))
        return false;
    rx->gap_open = false;
    return true;
}

static void note_gap(struct pdc *pdc, uint32_t psn)
{
    struct sink *rx = &pdc->rx;
    if (!psn_after(psn, rx->expected_psn))
        return;
    if (!rx->gap_open || psn_after(psn, rx->gap_psn))
        rx->gap_psn = psn;
    rx->gap_open = true;
}

static bool coalesced(struct uet_fep *fep, struct pdc *pdc, uint32_t bytes)
{
    uint32_t least = fep->params.ACK_Gen_Min_Pkt_Add;
    pdc->rx.ack_gen_count += bytes > least ? bytes : least;
    return pdc->rx.ack_gen_count >= fep->params.ACK_Gen_Trigger;
}

bool uet_ack_when_due(bool due)
{
    return due;
}

bool uet_ack_each(bool due)
{
    (void)due;
    return true;
}

void uet_ack_decide(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                    const struct ack_about *about, bool at_once)
{
    const uint8_t *h = uet_pds(p);
    bool ar = uet_is_cp(p) ? uet_cp_ar(h) : uet_rud_rod_req_ar(h);
    if (uet_is_request(p))
        pdc->rx.rcvd_bytes +=
            (uint32_t)(p->ip_end - (p->udp_offset ? p->udp_offset : p->entropy_offset)) +
            UET_NOMINAL_EXTRA;
    bool trigger = coalesced(fep, pdc, p->payload_len);
    bool gap = gap_closed(pdc);
    if (ar)
        note_gap(pdc, about->psn);
    bool ce = about->m && fep->params.ACK_On_ECN;
    bool now = at_once || ar || about->retx || ce;
    if (!fep->law.pds.acks(now || trigger || gap))
        return;
    if (!now && gap)
        COUNT(fep, tx_ack_gap);
    else if (!now && trigger)
        COUNT(fep, tx_ack_coalesced);
    uet_ack_send(fep, pdc, about);
}
