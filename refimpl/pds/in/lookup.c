/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PDC of a Request or a Control Packet, and its establishment at the target (3.5.8.2). NACKs
 * follow Table 3-58.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

/* ---- finding the PDC ---- */

/* Does the packet say its mode? isrod means something in NOOP and Negotiation only (PDS-188). */
static bool says_mode(const struct uet_packet *p)
{
    uint8_t ctl = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UET_CTL_NOOP;
    return ctl == UET_CTL_NOOP || ctl == UET_CTL_NEGOTIATION;
}

static bool is_rod(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return uet_is_cp(p) ? uet_cp_isrod(h) : uet_is_rod_request(p);
}

static bool is_retx(const struct uet_packet *p)
{
    return uet_is_cp(p) ? uet_cp_retx(uet_pds(p)) : uet_rud_rod_req_retx(uet_pds(p));
}

/* RUD and ROD never share a PDC (PDS-007). */
static bool wrong_mode(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p)
{
    if (!says_mode(p) || is_rod(p) == pdc->rod)
        return false;
    uet_nack_send(fep, p, UET_NACK_PDC_MODE_MISMATCH, pdc->id);
    return true;
}

static bool same_peer(const struct pdc *pdc, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    return uet_ip_equal(&pdc->peer, &from) && pdc->peer_id == uet_spdcid(p);
}

struct pdc *uet_target_lookup(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    if (!pdc || pdc->state == PDC_PENDING) { /* 3.5.8.2 step 4a; nobody knows a PENDING one */
        uet_nack_send(fep, p, UET_NACK_INV_DPDCID, 0);
        return NULL;
    }
    if (pdc->initiator && !pdc->peer_id) {
        /* The first ACK of a PDC of ours was overtaken; the peer's timer brings this again. */
        COUNT(fep, drop_before_established);
        return NULL;
    }
    if (!same_peer(pdc, p)) {
        /* step 4b; a stranger does not learn the TPDCID */
        uet_nack_send(fep, p, UET_NACK_PDC_HDR_MISMATCH, pdc->id);
        return NULL;
    }
    return wrong_mode(fep, pdc, p) ? NULL : pdc;
}

/* May this SYN open a PDC? Answers it when not. */
static bool may_open(struct uet_fep *fep, const struct uet_packet *p)
{
    uint32_t offset = uet_packet_psn(p) - uet_start_psn(p);
    if (offset && is_rod(p)) { /* step 3e: nothing is kept (T3) */
        uet_nack_send_payload(fep, p, UET_NACK_ROD_OOO, 0, uet_start_psn(p));
        return false;
    }
    /* No PDC for a packet that could not be taken (PDS-150). */
    if (uet_ses_lacks_resource(fep, p, pool_has(&fep->parts, false))) {
        uet_nack_send(fep, p, UET_NACK_NO_RESOURCE, 0);
        return false;
    }
    if (offset >= uet_sink_mp_range(fep)) { /* outside the window that the new PDC would have */
        uet_nack_send(fep, p, UET_NACK_INVALID_SYN, 0);
        return false;
    }
    return true;
}

/* T5 and T6: may the PDC begin where the peer began? Without TSS it always may. */
static bool start_psn_ok(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uint32_t start_psn = uet_start_psn(p), wanted = start_psn;
    if (pdc->state == PDC_PENDING) {
        wanted = pdc->start_psn;
    } else if (!fep->law.tss.start_ok(fep, &pdc->tss, start_psn, &wanted)) {
        pdc->state = PDC_PENDING;
        pdc->start_psn = wanted;
        uet_source_init(fep, pdc);
        uet_sink_restart(fep, pdc);
        pdc->timers[TIMER_CLOSE] = time_after(fep->now, fep->params.New_PDC_Time);
        uet_pdc_schedule(fep, pdc);
    }
    if (wanted != start_psn) {
        uet_nack_send_payload(fep, p, UET_NACK_NEW_START_PSN, 0, wanted);
        return false;
    }
    (void)uet_pdc_event(fep, pdc, PDC_EV_START_PSN_OK);
    return true;
}

/* T2: it is told what is lacking, and room is made for its next attempt. */
static void refuse_open(struct uet_fep *fep, const struct uet_packet *p, uint8_t lack,
                        bool reserved)
{
    uet_nack_send(fep, p, lack, 0);
    fep->law.make_room(fep, reserved);
}

static struct pdc *open_target(struct uet_fep *fep, const struct uet_packet *p)
{
    uint32_t start_psn = uet_start_psn(p);
    if (!may_open(fep, p))
        return NULL;
    const uint8_t *h = uet_pds(p);
    bool reserved = uet_is_cp(p) ? uet_cp_use_rsv_pdc(h) : uet_rud_rod_req_use_rsv_pdc(h);
    const struct pdc_wanted wanted = {.peer = uet_src_ip(p),
                                      .tss = uet_sd_of_packet(fep, p),
                                      .start_psn = &start_psn,
                                      .rod = is_rod(p),
                                      .reserved = reserved};
    struct pdc *pdc = uet_pdc_begin(fep, &wanted);
    if (!pdc) {
        refuse_open(fep, p, uet_pdc_lack(fep, &wanted), reserved);
        return NULL;
    }
    pdc->peer_id = uet_spdcid(p);
    pdc->syn_resent = is_retx(p);
    uet_pdc_map(fep, pdc);
    if (!start_psn_ok(fep, pdc, p))
        return NULL;
    pdc->wants |= fep->law.pds.cps_at[UET_MOMENT_OPENED];
    if (pdc->wants)
        uet_pdc_ready(fep, pdc);
    return pdc;
}

/* Does its initiator still know this PDC? Only who does not answers UET_INV_DPDCID to a NOOP. */
static void ask_initiator(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->state != PDC_ESTABLISHED || pdc->tx.n_packets)
        return;
    pdc->wants |= (uint16_t)WANT(UET_CTL_NOOP);
    uet_pdc_ready(fep, pdc);
}

void uet_target_ask_holder(struct uet_fep *fep, struct pdc *pdc)
{
    bool quiet = time_after(pdc->idle_since, fep->params.RTO_Init_Time) < fep->now;
    if (!pdc->initiator && (pdc->rx.stored || uet_ses_holds(fep, pdc->id)) && quiet)
        ask_initiator(fep, pdc);
}

/*
 * A SYN of another incarnation than the PDC that {source, spdcid} names. A copy that is late, or
 * the peer has forgotten this PDC: that is asked. The peer takes the first refusal for all that it
 * has sent of its new PDC and tries again on another; so the other SYNs are refused too, even if
 * this PDC has ended meanwhile, or they would be done twice (PDS-001).
 */
static void other_incarnation(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    uet_nack_send(fep, p, UET_NACK_INVALID_SYN, pdc->id);
    pdc->other_start = uet_start_psn(p);
    pdc->other_until = time_after(fep->now, fep->params.Syn_Retx_Safety_Time);
    ask_initiator(fep, pdc);
}

/* The incarnation that is guarded is over; only a SYN of another one than those refused may pass.
 */
static struct pdc *past_guard(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    if (uet_start_psn(p) == pdc->start_psn) {
        COUNT(fep, drop_syn_stale);
        return NULL;
    }
    if (pdc->other_until > fep->now && uet_start_psn(p) == pdc->other_start) {
        uet_nack_send(fep, p, UET_NACK_INVALID_SYN, 0);
        return NULL;
    }
    uet_pdc_release(fep, pdc);
    return open_target(fep, p);
}

struct pdc *uet_target_lookup_syn(struct uet_fep *fep, const struct uet_packet *p)
{
    if (!uet_spdcid(p)) {
        COUNT(fep, drop_syn_spdcid_zero);
        return NULL;
    }
    struct pdc *pdc = uet_pdc_by_syn(fep, p);
    if (!pdc)
        return open_target(fep, p);
    if (pdc->state == PDC_CLOSED)
        return past_guard(fep, pdc, p);
    if (pdc->state == PDC_PENDING) { /* who only asks where to begin says no mode (TSS-060) */
        pdc->rod = is_rod(p);
        return start_psn_ok(fep, pdc, p) ? pdc : NULL;
    }
    if (wrong_mode(fep, pdc, p))
        return NULL;
    if (uet_start_psn(p) != pdc->start_psn) {
        other_incarnation(fep, pdc, p);
        return NULL;
    }
    pdc->syn_resent |= is_retx(p);
    return pdc;
}
