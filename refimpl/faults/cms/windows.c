/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of NSCC's window: what moves it from one ACK to the next, what its target wishes (3.6.13).
 */
#include "refimpl/faults/cms/about.h"

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

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_031, .in = none_is_longest},
    {VIOLATION_CMS_031_LAST, .in = none_is_the_last},
    {VIOLATION_CMS_031_BASE, .in = untold_service_comes, .after = untold_is_no_base},
    {VIOLATION_CMS_041, .after = slow_for_ever},
    {VIOLATION_CMS_041_BYTES, .params = bytes_apply_nothing},
    {VIOLATION_CMS_041_ALPHA, .after = alpha_counts_more},
    {VIOLATION_CMS_041_ETA, .in = each_ack_is_a_period},
    {VIOLATION_CMS_041_FAST, .in = fast_at_once},
    {VIOLATION_CMS_041_LATCH, .after = fast_for_ever},
    {VIOLATION_CMS_042_DOUBLE, .after = fi_counts_twice},
    {VIOLATION_CMS_042_ETA, .after = grows_by_eta},
    {VIOLATION_CMS_044_ABOVE, .in = marks_count_late},
    {VIOLATION_CMS_044_BOTH, .in = marks_unheard_on_credit},
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
    {VIOLATION_CMS_063_AGAIN, .in = one_wish},
    {VIOLATION_CMS_063_LITTLE, .in = little_cuts_nothing},
    {VIOLATION_CMS_063_ONCE, .in = half_is_enough},
    {VIOLATION_CMS_064, .in = none_is_half},
    {VIOLATION_CMS_064_KEPT, .in = wish_stays},
    {VIOLATION_CMS_065, .in = one_is_no_wish},
    {VIOLATION_CMS_065_EVEN, .in = unmarked_wish_comes, .after = wish_grows_evenly},
    {VIOLATION_CMS_065_FAST, .in = unmarked_wish_comes, .after = wish_grows_fast},
    {VIOLATION_CMS_066_FIRST, .in = gives_back_the_first},
};

UET_FAULT_WAYS(uet_faults_of_windows, ways);
