/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for windows: MP_Range, of the source and of the receiver (3.5.5, 3.5.11.4, 3.5.12), and
 * bytes in flight (3.6.12), and on credit (3.6.14). */
#include "rules/internal.h"

/*
 * 3.5.11.4: not beyond CACK_PSN + MP_Range. The source may not have read the newest ACK yet, so
 * the highest mpr counts; and it has read none before it knows TPDCID, when Default_MPR holds.
 */
static bool source(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    if (r->t->loose || uet_is_syn(r->p) || !r->t->pdc->whole || !was->cack_known ||
        !was->mpr_known || was->mpr_missing)
        return false;
    int32_t ahead = uet_psn_diff(uet_packet_psn(r->p), was->cack_psn);
    return r->t->new_psn && ahead > UET_MPR_UNIT * was->highest_mpr &&
           uet_violates(r, "PSN 0x%08x is %d beyond CACK_PSN, MP_Range is %d", uet_packet_psn(r->p),
                        ahead, UET_MPR_UNIT * was->highest_mpr);
}

/* 3.5.5: before the first mpr Default_MPR holds; where it is not known, its largest value. */
static bool by_default(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    const struct uet_track_dir *was = &r->t->was;
    if (r->t->loose || !pdc->whole || was->mpr_known || was->mpr_missing || !r->t->new_psn)
        return false;
    uint32_t acked = was->cack_known ? was->cack_psn : pdc->start_psn - 1;
    int32_t limit = UET_MPR_UNIT * (r->default_mpr ? r->default_mpr : UINT8_MAX);
    int32_t ahead = uet_psn_diff(uet_packet_psn(r->p), acked);
    return ahead > limit &&
           uet_violates(r, "PSN 0x%08x is %d beyond what is acknowledged, Default_MPR allows %d",
                        uet_packet_psn(r->p), ahead, limit);
}

/*
 * 3.5.12: a PSN in the window is not refused for being out of it. The receiver's CACK_PSN may be
 * newer than the last it told, and then its window reaches farther still.
 */
static bool refused_inside(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    bool sure = r->t->request && !r->t->loose && r->t->pdc->whole && was->cack_known &&
                was->mpr_known && !was->mpr_missing && was->mpr == was->highest_mpr;
    if (!sure || uet_nack_nack_code(r->pds) != UET_NACK_PSN_OOR_WINDOW)
        return false;
    int32_t ahead = uet_psn_diff(uet_packet_psn(r->p), was->cack_psn);
    return ahead > 0 && ahead <= UET_MPR_UNIT * was->mpr &&
           uet_violates(r, "UET_PSN_OOR_WINDOW for a PSN %d beyond CACK_PSN, MP_Range is %d", ahead,
                        UET_MPR_UNIT * was->mpr);
}

/* 3.5.12: what is beyond the window is not acknowledged. CACK_PSN only grows, so the one in this
 * ACK bounds the window of then. */
static bool acked_outside(const struct uet_ruling *r)
{
    const struct uet_track_dir *was = &r->t->was;
    bool sure = r->t->request && r->t->pdc->whole && uet_has_sack(r->p) && was->mpr_known &&
                !was->mpr_missing && !uet_ack_p(r->pds) && uet_ack_cc_mpr(r->pds);
    if (!sure)
        return false;
    uint8_t mpr = uet_ack_cc_mpr(r->pds);
    mpr = mpr > was->highest_mpr ? mpr : was->highest_mpr;
    return uet_ack_ack_psn_offset(r->pds) > UET_MPR_UNIT * mpr &&
           uet_violates(r, "ACK_PSN is %d beyond CACK_PSN, MP_Range is %d",
                        uet_ack_ack_psn_offset(r->pds), UET_MPR_UNIT * mpr);
}

/*
 * Bytes in flight against the window of NSCC (3.6.12, 3.6.13.5), as far as it is told: its ceiling,
 * MaxWnd. What is counted is certainly in flight (struct uet_track_flight), wherever between the
 * two ends an answer is: so a tester that is too slow for the line sees less, and wrongs nobody.
 */

/* What it allows: MaxWnd, the headers of a packet, for what an MTU counts in the gate is not
 * public, and what a source may have counted twice as gone. */
static uint64_t most(const struct uet_ruling *r)
{
    uint32_t headers = uet_nominal_bytes(r->p) - r->p->payload_len;
    return r->window->max_wnd + headers + UET_RCVD_BYTES_UNIT + r->t->was.flight.unsure;
}

static bool too_much(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_flight *f = &t->was.flight;
    uint64_t gone = f->passed > f->told ? f->passed : f->told;
    if (t->loose || t->duplicate || !t->new_psn || !t->pdc->whole || f->sent < gone)
        return false;
    if (f->since_ns && t->time_ns - f->since_ns >= r->window->loss_ns)
        return false; /* it may have been taken for lost */
    uint64_t now = f->sent - gone + uet_nominal_bytes(r->p);
    return now > most(r) && uet_violates(r, "%llu bytes in flight, the window allows %llu",
                                         (unsigned long long)now, (unsigned long long)most(r));
}

static bool is_told(const struct uet_ruling *r)
{
    return r->window && r->window->max_wnd && r->window->loss_ns;
}

static bool before_answer(const struct uet_ruling *r)
{
    return is_told(r) && !r->t->was.flight.answered && too_much(r);
}

static bool after_answer(const struct uet_ruling *r)
{
    return is_told(r) && r->t->was.flight.answered && too_much(r);
}

/* ---- credit (3.6.14): what a source sends, against what it may have ---- */

/*
 * What it may have at most: a window of speculation for each beginning, and what it was granted.
 * What the first credit is worth depends on where the count begins, which is not public: from 0, or
 * a window, as no more may be in hand (contested); whichever is more.
 */
static uint64_t credit(const struct uet_ruling *r, const struct uet_track_ccc *ccc)
{
    const uint64_t window = r->window->max_credit;
    uint64_t first = ccc->first > window ? ccc->first : window;
    return window * ccc->begins + (ccc->heard ? first : 0) + ccc->granted + UET_CREDIT_UNIT;
}

/* The CCC of the Request, when more was sent on it before than it had; NULL: all is well. */
static const struct uet_track_ccc *overrun(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!r->window || !r->window->max_credit || t->loose || t->mismatch || !t->pdc->whole ||
        !uet_is_cc_request(r->p))
        return NULL;
    const struct uet_track_ccc *ccc = t->pdc->dir[!t->forward].ccc;
    return ccc->sent > credit(r, ccc) + uet_nominal_bytes(r->p) ? ccc : NULL;
}

static bool told(const struct uet_ruling *r, const struct uet_track_ccc *ccc)
{
    return uet_violates(r, "%llu bytes were sent on credit, where there were %llu",
                        (unsigned long long)ccc->sent, (unsigned long long)credit(r, ccc));
}

static bool speculates(const struct uet_ruling *r)
{
    const struct uet_track_ccc *ccc = overrun(r);
    return ccc && !ccc->heard && told(r, ccc);
}

static bool spends(const struct uet_ruling *r)
{
    const struct uet_track_ccc *ccc = overrun(r);
    return ccc && ccc->heard && !r->t->duplicate && told(r, ccc);
}

static bool resends(const struct uet_ruling *r)
{
    const struct uet_track_ccc *ccc = overrun(r);
    return ccc && ccc->heard && r->t->duplicate && told(r, ccc);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-060", "no PSN beyond CACK_PSN + MP_Range"}, UET_ON_SENDS, UET_NEEDS_ENDS, source},
    {{"PDS-062", "Default_MPR holds before the first mpr"},
     UET_ON_SENDS,
     UET_NEEDS_ENDS,
     by_default},
    {{"PDS-063", "mpr counts 128 PSNs: none of them is refused"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     refused_inside},
    {{"PDS-067", "no PSN beyond the window is acknowledged"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     acked_outside},
    {{"CMS-037", "before the first answer no more than MaxWnd is in flight"},
     UET_ON_REQUEST,
     UET_NEEDS_ENDS,
     before_answer},
    {{"CMS-038", "no more than MaxWnd is in flight"}, UET_ON_REQUEST, UET_NEEDS_ENDS, after_answer},
    {{"CMS-081", "a source without credit speculates on MaxWnd at most"},
     UET_ON_REQUEST,
     UET_NEEDS_ENDS,
     speculates},
    {{"CMS-077", "no more is sent than there is credit for"},
     UET_ON_REQUEST,
     UET_NEEDS_ENDS,
     spends},
    {{"CMS-060", "what is sent again needs credit, too"}, UET_ON_REQUEST, UET_NEEDS_ENDS, resends},
};

const struct uet_rule_table uet_rules_window = UET_TABLE(rows);
