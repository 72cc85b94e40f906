/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of NSCC's window: what moves it, and what counts as in flight (3.6.12, 3.6.13). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* The NSCC state of the ACK that comes, or NULL. */
static uint8_t *state_of(struct uet_fault_frame *f)
{
    bool is = f->p.error == UET_PARSE_OK && f->p.cc_state == UET_H_ACK_CC_STATE_NSCC;
    return is ? f->bytes + f->p.cc_state_offset : NULL;
}

static bool is_nack_of(const struct uet_fault_frame *f, uint8_t code)
{
    return f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
           uet_nack_nack_code(uet_pds(&f->p)) == code;
}

/* The CCC that is in use, or NULL: one will do. */
static struct ccc *ccc_of(const struct uet_fep *fep)
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++)
        if (uet_ccc_at(fep, id)->n_pdcs)
            return uet_ccc_at(fep, id);
    return NULL;
}

/* The ACK has NSCC state, and its packet is not outstanding: an RTT of nothing. */
static bool forgotten_is_quick(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = state_of(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc || !pdc->ccc || uet_source_find(fep, pdc, uet_packet_psn(&f->p)))
        return true;
    struct uet_nscc *n = &uet_ccc_at(fep, pdc->ccc)->nscc;
    n->base_rtt = 128;
    n->max_wnd = n->cwnd = fep->nscc.mtu;
    return true;
}

/* ---- in flight ---- */

static bool late_ones_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t rcvd = state_of(f) ? uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) : 0;
    if (rcvd && rcvd < *f->memo && ccc_of(fep))
        ccc_of(fep)->inflight -= 8192;
    else if (rcvd)
        *f->memo = rcvd;
    return true;
}

/* What the ACK tells beyond all that was sent makes room, too. */
static bool more_than_sent_frees(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = state_of(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc || !pdc->ccc)
        return true;
    uint32_t told = uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) << 8;
    int32_t beyond = (int32_t)(told - pdc->tx.sent_bytes);
    if (beyond > 255 && !(*f->memo)++)
        uet_ccc_at(fep, pdc->ccc)->inflight -= beyond;
    return true;
}

static bool freed_twice(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->inflight -= 4096;
    return true;
}

static bool resend_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_nack_of(f, UET_NACK_TRIMMED) && ccc_of(fep))
        ccc_of(fep)->inflight -= 8192;
    return true;
}

static void none_is_all(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    if (ccc_of(fep) && ccc_of(fep)->inflight < 0)
        ccc_of(fep)->inflight = INT32_MAX / 2;
}

static void idle_keeps(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && ccc->inflight > 0)
        *memo = 1;
    if (ccc && ccc->inflight <= 0 && *memo == 1) {
        ccc->inflight = INT32_MAX / 2;
        *memo = 2;
    }
}

static bool ended_counts_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        is_nack_of(f, UET_NACK_INV_DPDCID) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && pdc->initiator && pdc->ccc)
        uet_ccc_at(fep, pdc->ccc)->inflight += pdc->tx.inflight;
    return true;
}

/* It hears no ACK until what was refused first has come again. */
static bool cancels_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(f, UET_NACK_NO_PKT_BUFFER) && !*f->memo)
        *f->memo = 1 + (uint64_t)uet_packet_psn(&f->p);
    return !state_of(f) || !*f->memo || *f->memo == UINT64_MAX;
}

static bool comes_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) &&
        uet_packet_psn(&f->p) + 1ull == *f->memo && uet_rud_rod_req_retx(uet_pds(&f->p)))
        *f->memo = UINT64_MAX;
    return true;
}

static bool sack_cancels_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(f, UET_NACK_NO_PKT_BUFFER))
        *f->memo = 1;
    if (state_of(f) && *f->memo)
        uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), 0);
    return true;
}

/* A READ that comes: what is in flight is of others. */
static bool read_begins_anew(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool read = f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_is_ses_std(&f->p) &&
                uet_ses_req_opcode(uet_fault_ses(f)) == UET_OP_READ &&
                uet_ses_req_som(uet_fault_ses(f));
    if (read && ccc_of(fep))
        ccc_of(fep)->inflight = 0;
    return true;
}

static bool is_read_data(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_is_ses_response_data(&f->p);
}

static bool data_again_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t from = f->p.udp_offset ? f->p.udp_offset : f->p.entropy_offset;
    if (is_read_data(f) && uet_rud_rod_req_retx(uet_fault_pds(f)) && ccc_of(fep))
        ccc_of(fep)->inflight -= (int32_t)(f->p.ip_end - from + 40); /* its nominal size */
    return true;
}

static bool is_rudi_request(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK && uet_is_rudi(&f->p) && uet_is_ses_request(&f->p);
}

static bool rudi_fills(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_rudi_request(f) && ccc_of(fep))
        ccc_of(fep)->inflight += (int32_t)f->len;
    return true;
}

static bool datagrams_fill(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.pds == UET_H_UUD_REQ && ccc_of(fep))
        ccc_of(fep)->inflight += (int32_t)f->len;
    return true;
}

/* The memo: of which packet it is a copy. */
static bool lost_rudi_cuts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_rudi_request(f) ? ccc_of(fep) : NULL;
    uint64_t id = ccc ? 1 + (uint64_t)uet_rudi_pkt_id(uet_fault_pds(f)) : 0;
    if (ccc && *f->memo == id && ccc->nscc.cwnd > f->len + fep->nscc.mtu)
        ccc->nscc.cwnd -= (uint32_t)f->len;
    *f->memo = ccc ? id : *f->memo;
    return true;
}

/* ---- the window ---- */

static bool mark_counts_by_mean(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) && uet_ack_m(uet_fault_pds(f)) ? ccc_of(fep) : NULL;
    if (ccc && ccc->nscc.avg_delay > fep->nscc.target_qdelay && ccc->nscc.cwnd > 2 * fep->nscc.mtu)
        ccc->nscc.cwnd /= 2;
    return true;
}

static void slow_for_ever(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (!ccc || !ccc->nscc.cwnd)
        return;
    if (!*memo || ccc->nscc.cwnd < *memo)
        *memo = ccc->nscc.cwnd;
    ccc->nscc.cwnd = (uint32_t)*memo;
}

static void bytes_apply_nothing(struct uet_fep_params *params)
{
    params->adjust_bytes_threshold = 1u << 30;
}

static void no_fair_increase(struct uet_fep_params *params)
{
    params->fi = 1;
    params->eta = 1;
}

static void grows_by_eta(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->nscc.fi_q8 = 0;
}

/* The memo: the gain as it is now, so that it is changed once. */
static void alpha_counts_more(struct uet_fep *fep, uint64_t *memo)
{
    if (fep->nscc.alpha_q32 != *memo)
        *memo = fep->nscc.alpha_q32 *= 3;
}

static void fi_counts_twice(struct uet_fep *fep, uint64_t *memo)
{
    if (fep->nscc.fi_q8 != *memo)
        *memo = fep->nscc.fi_q8 *= 2;
}

static bool each_ack_is_a_period(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->nscc.last_adjust_time = 0;
    return true;
}

static bool fast_at_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->nscc.increase = true;
    return true;
}

/* The memo: it has begun. */
static void fast_for_ever(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (!ccc)
        return;
    *memo |= ccc->nscc.increase;
    ccc->nscc.increase = *memo;
}

static bool marks_count_late(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && ccc->nscc.avg_delay < 2 * fep->nscc.target_qdelay)
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool marks_unheard_on_credit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && ccc->cc == CC_BOTH)
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool nack_is_of_another_copy(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p))
        uet_nack_retx_set(uet_fault_pds(f), !uet_nack_retx(uet_pds(&f->p)));
    return true;
}

static bool cuts_each_half(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && fep->now - ccc->nscc.last_dec_time > ccc->nscc.base_rtt / 2)
        ccc->nscc.last_dec_time = 0;
    return true;
}

/* The memo: the last cut. */
static bool cuts_seldom(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (!ccc)
        return true;
    if (fep->now - *f->memo > 4ull * ccc->nscc.base_rtt)
        *f->memo = ccc->nscc.last_dec_time;
    if (fep->now - *f->memo <= 4ull * ccc->nscc.base_rtt)
        ccc->nscc.last_dec_time = fep->now;
    return true;
}

/* What is no time ago has no weight. */
static bool mean_stays_high(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && ccc->nscc.avg_delay > fep->nscc.target_qdelay)
        ccc->nscc.last_sample_time = fep->now;
    return true;
}

static void cuts_any(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->nscc.max_md_jump = 0;
}

static void cuts_again(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    (void)memo;
    if (ccc)
        ccc->nscc.last_dec_time = 0;
}

static void ceiling_stays(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    (void)memo;
    if (!ccc || !ccc->nscc.max_wnd || ccc->nscc.max_wnd == fep->nscc.max_wnd)
        return;
    ccc->nscc.max_wnd = ccc->nscc.cwnd = fep->nscc.max_wnd;
    ccc->nscc.base_rtt = fep->nscc.config_base_rtt;
}

static bool one_is_no_wish(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f)) == 1)
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 0);
    return true;
}

/* The memo: an unmarked ACK has come that has a wish. */
static bool unmarked_wish_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = state_of(f) && !uet_ack_m(uet_fault_pds(f)) &&
               uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f));
    return true;
}

/* By as much as a packet of an MTU brings. */
static void wish_grows_fast(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    const uint32_t more = (uint32_t)((uint64_t)fep->nscc.fi_scale_q16 * fep->nscc.mtu >> 16);
    if (*memo && ccc && ccc->nscc.avg_delay < fep->nscc.tolerance) {
        const uint32_t room = ccc->nscc.max_wnd - ccc->nscc.cwnd;
        ccc->nscc.cwnd += more < room ? more : room;
        if (ccc->waiting.head)
            uet_pdc_ready(fep, pdc_at(fep, ccc->waiting.head));
    }
    *memo = 0;
}

static void wish_grows_evenly(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (*memo && ccc && ccc->nscc.avg_delay >= fep->nscc.target_qdelay)
        ccc->nscc.inc_bytes += (uint64_t)fep->nscc.fi_q8 * fep->nscc.mtu >> 8;
    *memo = 0;
}

static bool none_is_half(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_cc_state_nscc_rc(state_of(f)) &&
        !uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f)))
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 64);
    return true;
}

static bool none_is_longest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && !uet_ack_cc_state_nscc_service_time(state_of(f)))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 0xffff);
    return true;
}

static bool none_is_the_last(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_cc_state_nscc_service_time(state_of(f)))
        *f->memo = uet_ack_cc_state_nscc_service_time(state_of(f));
    else if (state_of(f))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), (uint16_t)*f->memo);
    return true;
}

/* The memo: base_rtt and the window before an ACK with service_time 0. */
static bool untold_service_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct ccc *ccc = ccc_of(fep);
    bool untold = state_of(f) && !uet_ack_cc_state_nscc_service_time(state_of(f));
    *f->memo = untold && ccc ? (uint64_t)ccc->nscc.base_rtt << 32 | ccc->nscc.cwnd : 0;
    return true;
}

static void untold_is_no_base(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && *memo >> 32 > ccc->nscc.base_rtt) {
        ccc->nscc.base_rtt = (uint32_t)(*memo >> 32);
        ccc->nscc.max_wnd = uet_nscc_window(&fep->nscc, ccc->nscc.base_rtt);
        ccc->nscc.cwnd = (uint32_t)*memo;
    }
    *memo = 0;
}

static bool long_service_is_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_cc_state_nscc_service_time(state_of(f)) >= 0x8000)
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 0);
    return true;
}

static bool mark_unheard_when_served(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_cc_state_nscc_service_time(state_of(f)))
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

/* The memo: 1 while the first wish lasts, 2 behind it. */
static bool one_wish(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    bool wish = state_of(f) && uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f));
    if (wish && *f->memo == 2)
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 0);
    else if (state_of(f))
        *f->memo = wish ? 1 : *f->memo ? 2 : 0;
    return true;
}

/* It does not let the window grow, but it cuts nothing. */
static bool little_cuts_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    const uint8_t pend = ccc ? uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f)) : 0;
    if (pend > 1 && pend < 64) {
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 0);
        uet_ack_m_set(uet_fault_pds(f), true);
    }
    return true;
}

static bool half_is_enough(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f)) == 64 &&
        ccc->nscc.cwnd < ccc->nscc.max_wnd / 2) {
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 0);
        uet_ack_m_set(uet_fault_pds(f), true);
    }
    return true;
}

static bool wish_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!state_of(f))
        return true;
    if (uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f)) || uet_ack_cc_state_nscc_rc(state_of(f)))
        *f->memo = uet_ack_cc_state_nscc_rcv_cwnd_pend(state_of(f));
    else
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), (uint8_t)*f->memo);
    return true;
}

/* The memo: the window from before the first wish. */
static bool gives_back_the_first(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (!ccc)
        return true;
    *f->memo = *f->memo ? *f->memo : ccc->nscc.saved_cwnd;
    if (uet_ack_cc_state_nscc_rc(state_of(f)) && *f->memo)
        ccc->nscc.saved_cwnd = (uint32_t)*f->memo;
    return true;
}

/* ---- quick adapt, losses ---- */

/* Not by its parameter, which a FEP may have set, and tells. */
static bool never_adapts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->nscc.qa_endtime = 0;
    return true;
}

static bool ignores_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->nscc.bytes_to_ignore = 0;
    return true;
}

static bool unmarked_ends_it(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && !uet_ack_m(uet_fault_pds(f)) && ccc_of(fep))
        ccc_of(fep)->nscc.bytes_to_ignore = 0;
    return true;
}

static bool period_ends_it(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) ? ccc_of(fep) : NULL;
    if (ccc && fep->now >= ccc->nscc.qa_endtime)
        ccc->nscc.bytes_to_ignore = 0;
    return true;
}

/* The memo: the end of a period that has been moved. */
static void adapts_late(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && ccc->nscc.qa_endtime && ccc->nscc.qa_endtime != *memo)
        *memo = ccc->nscc.qa_endtime += ccc->nscc.base_rtt;
}

static void adapts_soon(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && ccc->nscc.qa_endtime && ccc->nscc.qa_endtime != *memo)
        *memo = ccc->nscc.qa_endtime -= fep->nscc.target_qdelay;
}

/* The memo: one was trimmed. */
static bool adapts_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    *f->memo |= is_nack_of(f, UET_NACK_TRIMMED);
    if (*f->memo && state_of(f) && ccc_of(fep))
        ccc_of(fep)->nscc.trigger_qa = true;
    return true;
}

/* The memo: MaxWnd, while an ACK is looked at. */
static bool gate_of_window(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = state_of(f) || is_nack_of(f, UET_NACK_TRIMMED) ? ccc_of(fep) : NULL;
    if (ccc) {
        *f->memo = ccc->nscc.max_wnd;
        ccc->nscc.max_wnd = ccc->nscc.cwnd;
    }
    return true;
}

static void ceiling_again(struct uet_fep *fep, uint64_t *memo)
{
    if (*memo && ccc_of(fep))
        ccc_of(fep)->nscc.max_wnd = (uint32_t)*memo;
    *memo = 0;
}

/* The memo: the gate as it is now, so that it is changed once. */
static void gate_is_wide(struct uet_fep *fep, uint64_t *memo)
{
    if (fep->nscc.qa_gate && fep->nscc.qa_gate != *memo)
        *memo = --fep->nscc.qa_gate;
}

static bool first_trims_adapt(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_nack_of(f, UET_NACK_TRIMMED) ? ccc_of(fep) : NULL;
    if (ccc && !ccc->nscc.qa_endtime)
        ccc->nscc.qa_endtime = 1;
    return true;
}

static void adapts_always(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->nscc.quick_adapt = true;
}

static void bears_any_delay(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->nscc.qa_threshold = UINT32_MAX;
}

static void bears_no_delay(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    if (!fep->params.trimming)
        fep->nscc.qa_threshold = fep->nscc.target_qdelay;
}

static bool trimmed_ends_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_nack_of(f, UET_NACK_TRIMMED) ? ccc_of(fep) : NULL;
    if (ccc && ccc->nscc.bytes_to_ignore)
        ccc->nscc.bytes_to_ignore += 2 * fep->nscc.mtu;
    return true;
}

static bool trim_halves(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_nack_of(f, UET_NACK_TRIMMED) && ccc_of(fep))
        ccc_of(fep)->nscc.cwnd /= 2;
    return true;
}

static bool last_hop_cuts_an_mtu(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_nack_of(f, UET_NACK_TRIMMED_LASTHOP) ? ccc_of(fep) : NULL;
    if (ccc && ccc->nscc.cwnd > fep->nscc.mtu)
        ccc->nscc.cwnd -= fep->nscc.mtu;
    return true;
}

/* The memo: there was one. */
static bool last_hop_adapts_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_nack_of(f, UET_NACK_TRIMMED_LASTHOP))
        *f->memo = 1;
    if (state_of(f) && *f->memo && ccc_of(fep))
        ccc_of(fep)->nscc.trigger_qa = false;
    return true;
}

static bool adapts_at_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = ccc_of(fep);
    if (is_nack_of(f, UET_NACK_TRIMMED) && ccc && ccc->nscc.bytes_to_ignore) {
        ccc->nscc.qa_endtime = 1;
        ccc->nscc.bytes_to_ignore = 0;
    }
    return true;
}

/* The memo: the window as it was, and in its lowest bit whether a frame has come since. */
static bool frame_comes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo |= 1;
    return true;
}

/* What time alone has cut is given back. */
static void timeout_cuts_nothing(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (!ccc)
        return;
    if (!(*memo & 1) && *memo >> 1 > ccc->nscc.cwnd)
        ccc->nscc.cwnd = (uint32_t)(*memo >> 1);
    *memo = (uint64_t)ccc->nscc.cwnd << 1;
}

static bool is_both(const struct uet_fep *fep)
{
    return ccc_of(fep) && ccc_of(fep)->cc == CC_BOTH;
}

static void timeout_on_credit_cuts_nothing(struct uet_fep *fep, uint64_t *memo)
{
    if (is_both(fep))
        timeout_cuts_nothing(fep, memo);
}

/* memo: the window that is given back. */
static bool gives_back_whole(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *state = state_of(f);
    const struct ccc *ccc = ccc_of(fep);
    if (state && ccc && uet_ack_cc_state_nscc_rc(state) &&
        !uet_ack_cc_state_nscc_rcv_cwnd_pend(state))
        *f->memo = ccc->nscc.saved_cwnd;
    return true;
}

static void above_its_ceiling(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && *memo > ccc->nscc.cwnd)
        ccc->nscc.cwnd = (uint32_t)*memo;
    *memo = 0;
}

static void base_rtt_stays(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    if (ccc_of(fep))
        ccc_of(fep)->nscc.base_rtt = fep->nscc.config_base_rtt;
}

/* What time alone has cut is as a trim. */
static void loss_is_a_trim(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (!ccc)
        return;
    if (!(*memo & 1) && *memo >> 1 > ccc->nscc.cwnd)
        ccc->nscc.trigger_qa = true;
    *memo = (uint64_t)ccc->nscc.cwnd << 1;
}

/* ---- Probes, feedback ---- */

static bool probes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool probes_on_nacks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) && ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool probes_on_answers(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_p(uet_fault_pds(f)) &&
        ccc_of(fep))
        ccc_of(fep)->probe_due = true;
    return true;
}

static bool answer_tells_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_p(uet_fault_pds(f)) &&
        ccc_of(fep))
        ccc_of(fep)->probed_at = 0;
    return true;
}

static bool answer_on_credit_tells_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_both(fep) || answer_tells_nothing(fep, f);
}

static bool answer_is_not_served(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f) && uet_ack_p(uet_fault_pds(f)))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 0);
    return true;
}

/* The memo: so many Probes are due for the first ACK. */
static bool many_arrive(struct uet_fep *fep, struct uet_fault_frame *f)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (state_of(f) && pdc->id == uet_dpdcid(&f->p) && ccc_of(fep) && ccc_of(fep)->probe_due)
            *f->memo = (uint32_t)uet_psn_diff(uet_ack_cack_psn(uet_pds(&f->p)), pdc->tx.cack_psn) +
                       (unsigned)__builtin_popcountll(uet_ack_cc_sack_bitmap(uet_pds(&f->p)));
    }
    return true;
}

static bool probes_for_each(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool probe = f->p.error == UET_PARSE_OK && uet_is_cp(&f->p) &&
                 uet_cp_ctl_type(uet_fault_pds(f)) == UET_CTL_PROBE;
    FOR_EACH_PDC(fep, pdc)
    {
        if (probe && *f->memo > 1 && pdc->id == uet_spdcid(&f->p)) {
            --*f->memo;
            pdc->wants |= WANT(UET_CTL_PROBE);
        }
    }
    return true;
}

static bool probe_is_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_cp(&f->p) &&
        uet_cp_ctl_type(uet_fault_pds(f)) == UET_CTL_PROBE)
        uet_fault_dscp(f, fep->config.dscp_request);
    return true;
}

/* With less than an MTU left it asks, and at the end of a message. */
static bool only_full_asks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct ccc *ccc = ccc_of(fep);
    if (!ccc || f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || !uet_is_ses_std(&f->p) ||
        uet_ses_req_eom(uet_ses(&f->p)) || ccc->nscc.cwnd >= fep->params.ACK_Gen_Trigger)
        return true;
    if (ccc->inflight + (int64_t)fep->nscc.mtu <= ccc->nscc.cwnd)
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool mark_is_a_packet(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p) && uet_ack_m(uet_fault_pds(f))) {
        uet_cp_type_set(uet_fault_pds(f), UET_PDS_CP);
        uet_cp_ctl_type_set(uet_fault_pds(f), UET_CTL_CREDIT);
    }
    return true;
}

/* ---- paths ---- */

/* Nine of ten Requests. */
static bool one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && f->p.udp_offset && ++*f->memo % 10)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 0xc123);
    return true;
}

static bool rod_on_one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 0xc069);
    return true;
}

static bool rod_in_one_ccc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_rod_request(&f->p) && uet_is_cc_request(&f->p))
        uet_rud_rod_cc_req_ccc_id_set(uet_fault_pds(f), 1);
    return true;
}

/* The memo: the first entropy value, and a bit above it. */
static bool data_on_one_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_read_data(f))
        return true;
    *f->memo = *f->memo ? *f->memo : 1u << 16 | uet_entropy(&f->p);
    if (f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, (uint16_t)*f->memo);
    else
        uet_entropy_value_set(f->bytes + f->p.entropy_offset, (uint16_t)*f->memo);
    return true;
}

static bool last_bits_are_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint16_t ev = f->p.error == UET_PARSE_OK ? uet_entropy(&f->p) & 0xfffc : 0;
    if (!ev || !uet_is_request(&f->p))
        return true;
    if (f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, ev);
    else
        uet_entropy_value_set(f->bytes + f->p.entropy_offset, ev);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_012, .out = mark_is_a_packet},
    {VIOLATION_CMS_027, .in = late_ones_free},
    {VIOLATION_CMS_028, .after = none_is_all},
    {VIOLATION_CMS_031, .in = none_is_longest},
    {VIOLATION_CMS_031_LAST, .in = none_is_the_last},
    {VIOLATION_CMS_031_BASE, .in = untold_service_comes, .after = untold_is_no_base},
    {VIOLATION_CMS_038, .in = freed_twice},
    {VIOLATION_CMS_041, .after = slow_for_ever},
    {VIOLATION_CMS_041_BYTES, .params = bytes_apply_nothing},
    {VIOLATION_CMS_041_ALPHA, .after = alpha_counts_more},
    {VIOLATION_CMS_041_ETA, .in = each_ack_is_a_period},
    {VIOLATION_CMS_041_FAST, .in = fast_at_once},
    {VIOLATION_CMS_041_LATCH, .after = fast_for_ever},
    {VIOLATION_CMS_042_ADAPT, .after = bears_no_delay},
    {VIOLATION_CMS_042_DOUBLE, .after = fi_counts_twice},
    {VIOLATION_CMS_042_ETA, .after = grows_by_eta},
    {VIOLATION_CMS_044_ABOVE, .in = marks_count_late},
    {VIOLATION_CMS_044_BOTH, .in = marks_unheard_on_credit},
    {VIOLATION_CMS_044_ENDS, .in = trimmed_ends_nothing},
    {VIOLATION_CMS_044_HALF, .in = cuts_each_half},
    {VIOLATION_CMS_044_MEAN, .in = mean_stays_high},
    {VIOLATION_CMS_044_SELDOM, .in = cuts_seldom},
    {VIOLATION_CMS_044_EACH, .after = cuts_again},
    {VIOLATION_CMS_044_DEEP, .after = cuts_any},
    {VIOLATION_CMS_042, .params = no_fair_increase},
    {VIOLATION_CMS_043_GROWS, .in = mark_unheard_when_served},
    {VIOLATION_CMS_043_MEAN, .in = mark_counts_by_mean},
    {VIOLATION_CMS_045_LONG, .in = long_service_is_none},
    {VIOLATION_CMS_048_NACK, .in = nack_is_of_another_copy},
    {VIOLATION_CMS_048, .after = ceiling_stays},
    {VIOLATION_CMS_049_FIRST, .in = first_trims_adapt},
    {VIOLATION_CMS_049_GATE, .after = gate_is_wide},
    {VIOLATION_CMS_049_OFF, .after = adapts_always},
    {VIOLATION_CMS_049_HALF, .in = trim_halves},
    {VIOLATION_CMS_050, .in = never_adapts},
    {VIOLATION_CMS_050_AGAIN, .in = adapts_on},
    {VIOLATION_CMS_050_DELAY, .after = bears_any_delay},
    {VIOLATION_CMS_050_LATE, .after = adapts_late},
    {VIOLATION_CMS_050_WINDOW, .in = gate_of_window, .after = ceiling_again},
    {VIOLATION_CMS_051_SOON, .after = adapts_soon},
    {VIOLATION_CMS_051, .in = adapts_at_once},
    {VIOLATION_CMS_052, .in = ignores_nothing},
    {VIOLATION_CMS_052_CLEAN, .in = unmarked_ends_it},
    {VIOLATION_CMS_052_SLOW, .in = period_ends_it},
    {VIOLATION_CMS_054_ADAPT, .in = last_hop_adapts_nothing},
    {VIOLATION_CMS_054_MTU, .in = last_hop_cuts_an_mtu},
    {VIOLATION_CMS_055, .in = frame_comes, .after = timeout_cuts_nothing},
    {VIOLATION_CMS_055_ADAPT, .in = frame_comes, .after = loss_is_a_trim},
    {VIOLATION_CMS_055_BOTH, .in = frame_comes, .after = timeout_on_credit_cuts_nothing},
    {VIOLATION_CMS_048_BASE, .after = base_rtt_stays},
    {VIOLATION_CMS_066_CEILING, .in = gives_back_whole, .after = above_its_ceiling},
    {VIOLATION_CMS_057_SMALL, .out = only_full_asks},
    {VIOLATION_CMS_058, .in = probes_on},
    {VIOLATION_CMS_058_ANSWER, .in = probes_on_answers},
    {VIOLATION_CMS_058_MANY, .in = many_arrive, .out = probes_for_each},
    {VIOLATION_CMS_058_DATA, .out = probe_is_data},
    {VIOLATION_CMS_058_NACK, .in = probes_on_nacks},
    {VIOLATION_CMS_058_SERVED, .in = answer_is_not_served},
    {VIOLATION_CMS_058_TOLD, .in = answer_tells_nothing},
    {VIOLATION_CMS_058_BOTH, .in = answer_on_credit_tells_nothing},
    {VIOLATION_CMS_060, .in = resend_is_free},
    {VIOLATION_CMS_063_AGAIN, .in = one_wish},
    {VIOLATION_CMS_063_LITTLE, .in = little_cuts_nothing},
    {VIOLATION_CMS_063_ONCE, .in = half_is_enough},
    {VIOLATION_CMS_064, .in = none_is_half},
    {VIOLATION_CMS_064_KEPT, .in = wish_stays},
    {VIOLATION_CMS_065, .in = one_is_no_wish},
    {VIOLATION_CMS_065_EVEN, .in = unmarked_wish_comes, .after = wish_grows_evenly},
    {VIOLATION_CMS_065_FAST, .in = unmarked_wish_comes, .after = wish_grows_fast},
    {VIOLATION_CMS_066_FIRST, .in = gives_back_the_first},
    {VIOLATION_CMS_071_AGAIN, .out = data_again_is_free},
    {VIOLATION_CMS_071_EACH, .in = read_begins_anew},
    {VIOLATION_CMS_072_FILLS, .out = datagrams_fill},
    {VIOLATION_CMS_073_FILLS, .out = rudi_fills},
    {VIOLATION_CMS_073_CUTS, .out = lost_rudi_cuts},
    {VIOLATION_CMS_069_CCC, .out = rod_in_one_ccc},
    {VIOLATION_CMS_069, .out = rod_on_one_path},
    {VIOLATION_CMS_096, .out = one_path},
    {VIOLATION_CMS_096_DATA, .out = data_on_one_path},
    {VIOLATION_CMS_102, .out = last_bits_are_kept},
    {VIOLATION_CMS_110_ENDED, .in = ended_counts_on},
    {VIOLATION_ROB_053, .in = more_than_sent_frees},
    {VIOLATION_CMS_110, .after = idle_keeps},
    {VIOLATION_CMS_111_SACK, .in = sack_cancels_nothing},
    {VIOLATION_CMS_111, .in = cancels_nothing, .out = comes_again},
    {VIOLATION_CMS_113_COVERED, .in = forgotten_is_quick},
};

UET_FAULT_WAYS(uet_faults_of_windows, ways);
