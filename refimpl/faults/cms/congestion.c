/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of congestion control (cms/, pds/flight.c). */
#include "refimpl/faults/cms/about.h"
#include "refimpl/pds/pds.h"

static void each_ccc(struct uet_fep *fep, void (*change)(struct ccc *ccc))
{
    for (uint32_t id = 1; id <= fep->cccs.n; id++) {
        if (uet_ccc_at(fep, id)->n_pdcs)
            change(uet_ccc_at(fep, id));
    }
}

static void full_window(struct ccc *ccc)
{
    ccc->nscc.cwnd = ccc->nscc.max_wnd;
}

static void never_shrinks(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    each_ccc(fep, full_window);
}

static void twice_as_fast(struct uet_fep_params *params)
{
    params->sender_link_rate *= 2;
    params->MaxWnd *= 2;
}

/* ---- what ACKs and NACKs tell ---- */

static bool wish_unheard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state_of(f), 0);
    return true;
}

static bool wish_quartered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = state_of(f);
    uint8_t pend = state ? uet_ack_cc_state_nscc_rcv_cwnd_pend(state) : 0;
    if (pend)
        uet_ack_cc_state_nscc_rcv_cwnd_pend_set(state, pend == 127 ? pend : 0);
    return true;
}

static bool rc_unheard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_rc_set(state_of(f), false);
    return true;
}

static bool end_is_rc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_rc_set(state_of(f), true);
    return true;
}

/* memo: rc=1 has come beside a wish. */
static bool rc_is_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = state_of(f);
    if (!state)
        return true;
    if (uet_ack_cc_state_nscc_rcv_cwnd_pend(state)) {
        *f->memo |= uet_ack_cc_state_nscc_rc(state);
    } else if (*f->memo) {
        uet_ack_cc_state_nscc_rc_set(state, true);
        *f->memo = 0;
    }
    return true;
}

static bool service_is_delay(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (state_of(f))
        uet_ack_cc_state_nscc_service_time_set(state_of(f), 0);
    return true;
}

static bool nack_becomes(struct uet_fault_frame *f, uint8_t code, uint8_t other)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) &&
        uet_nack_nack_code(uet_fault_pds(f)) == code)
        uet_nack_nack_code_set(uet_fault_pds(f), other);
    return true;
}

static bool trim_is_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return nack_becomes(f, UET_NACK_TRIMMED, UET_NACK_NO_PKT_BUFFER);
}

static bool last_hop_trim_is_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return nack_becomes(f, UET_NACK_TRIMMED_LASTHOP, UET_NACK_NO_PKT_BUFFER);
}

static bool no_buffer_is_trim(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return nack_becomes(f, UET_NACK_NO_PKT_BUFFER, UET_NACK_TRIMMED);
}

static bool asks_for_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p))
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool trim_is_rcccs(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !fep->params.RCCC || trim_is_none(fep, f);
}

/* Does it come for a PDC on which the FEP is the target? */
static bool is_of_reader(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p))
            return f->p.error == UET_PARSE_OK && !pdc->initiator;
    }
    return false;
}

static bool reader_marks_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_of_reader(fep, f) && uet_is_ack(&f->p))
        uet_ack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool reader_has_no_trims(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_of_reader(fep, f) || trim_is_none(fep, f);
}

static void halved(struct ccc *ccc)
{
    ccc->nscc.cwnd = ccc->nscc.cwnd / 2 + 512;
}

/* Whatever the delay is. */
static bool mark_halves(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && uet_ack_m(uet_fault_pds(f)))
        each_ccc(fep, halved);
    return true;
}

static void closed_below_two(struct ccc *ccc)
{
    if (ccc->nscc.cwnd < 2048 || (ccc->nscc.saved_cwnd && ccc->nscc.cwnd <= 8192))
        ccc->nscc.cwnd = 1;
}

static void one_closes(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    each_ccc(fep, closed_below_two);
}

/* ---- credit ---- */

static void much_credit(struct ccc *ccc)
{
    if (!ccc->rccc.speculates)
        ccc->rccc.credit = 1 << 20;
}

static void needs_no_credit(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    each_ccc(fep, much_credit);
}

static void endless_credit(struct ccc *ccc)
{
    if (ccc->rccc.heard)
        ccc->rccc.credit = 1 << 20;
}

static void heard_once(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    each_ccc(fep, endless_credit);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_037, .params = twice_as_fast},
    {VIOLATION_CMS_040, .after = one_closes},
    {VIOLATION_CMS_043, .in = mark_halves},
    {VIOLATION_CMS_044, .after = never_shrinks},
    {VIOLATION_CMS_045, .in = service_is_delay},
    {VIOLATION_CMS_049, .in = trim_is_none},
    {VIOLATION_CMS_049_BOTH, .in = trim_is_rcccs},
    {VIOLATION_CMS_054, .in = last_hop_trim_is_none},
    {VIOLATION_CMS_056, .in = no_buffer_is_trim},
    {VIOLATION_CMS_057, .out = asks_for_none},
    {VIOLATION_CMS_071_MARKS, .in = reader_marks_nothing},
    {VIOLATION_CMS_071_TRIMS, .in = reader_has_no_trims},
    {VIOLATION_CMS_077, .after = needs_no_credit},
    {VIOLATION_CMS_077_HEARD, .after = heard_once},
    {VIOLATION_CMS_062, .in = wish_unheard},
    {VIOLATION_CMS_063, .in = wish_quartered},
    {VIOLATION_CMS_066, .in = rc_unheard},
    {VIOLATION_CMS_067, .in = end_is_rc},
    {VIOLATION_CMS_067_LATCH, .in = rc_is_kept},
};

UET_FAULT_WAYS(uet_faults_of_congestion, ways);
