/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of NSCC's window: quick adapt, trims, losses, its ceiling (3.6.13). */
#include "refimpl/faults/cms/about.h"

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

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_042_ADAPT, .after = bears_no_delay},
    {VIOLATION_CMS_044_ENDS, .in = trimmed_ends_nothing},
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
};

UET_FAULT_WAYS(uet_faults_of_adapt, ways);
