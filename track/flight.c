/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a direction is in flight (3.6.12, 3.6.10.3), as struct uet_track_flight has it. */
#include "track/internal.h"

#define RCVD_MASK 0xffffffu

void uet_inflight_take(struct uet_track *track, struct uet_track_psn *psn)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_flight *f = &t->pdc->dir[!t->forward].flight;
    if (t->duplicate) {
        if (psn->unsure)
            f->unsure -= psn->nominal;
        else
            f->unsure += f->sent - f->passed;
        psn->unsure = false;
        f->passed = f->sent;
        f->since_ns = 0;
    } else if (t->new_psn) {
        psn->nominal = uet_is_request(&t->packet) ? (uint16_t)uet_nominal_bytes(&t->packet) : 0;
        f->sent += psn->nominal;
        psn->upto = f->sent;
        if (!f->since_ns && psn->nominal)
            f->since_ns = t->time_ns;
    }
}

static const struct uet_track_psn *find(const struct uet_track *track, uint32_t number)
{
    const struct uet_tracked *t = &track->t;
    return uet_pages_find(&track->psns, t->pdc, !t->forward, number);
}

/* The same, where that which the ACK names was found before, or NULL: mostly it is that one. */
static const struct uet_track_psn *find_beside(const struct uet_track *track, uint32_t number,
                                               const struct uet_track_psn *named)
{
    return named && named->psn == number ? named : find(track, number);
}

/* All up to this one, which may be NULL, counts no longer. */
static void pass(const struct uet_track *track, struct uet_track_flight *f,
                 const struct uet_track_psn *psn)
{
    f->answered = true;
    if (!psn || psn->upto <= f->passed)
        return;
    f->passed = psn->upto;
    const struct uet_track_psn *next = find(track, psn->psn + 1);
    f->since_ns = next && next->upto > f->passed ? next->time_ns : 0;
}

static uint64_t upto(const struct uet_track *track, uint32_t number)
{
    const struct uet_track_psn *psn = find(track, number);
    return psn ? psn->upto : 0;
}

/* CACK_PSN goes over a gap, which its source may have taken for lost: at most all of it. */
static void gap_closed(const struct uet_track *track, struct uet_track_dir *dir, uint32_t cack)
{
    struct uet_track_flight *f = &dir->flight;
    bool gap = dir->told_known && dir->cack_known && uet_psn_diff(dir->told_psn, dir->cack_psn) > 0;
    if (!gap || uet_psn_diff(cack, dir->cack_psn) <= 0)
        return;
    uint64_t from = upto(track, dir->cack_psn), to = upto(track, cack);
    to = to < f->passed ? to : f->passed;
    f->unsure += to > from ? to - from : 0;
}

/* The count is one of a PDC, and goes round (3.6.10.3): what is not ahead is late. */
static void note_rcvd(struct uet_track_flight *f, const struct uet_packet *p)
{
    if (p->cc_state != UET_H_ACK_CC_STATE_NSCC)
        return;
    uint32_t rcvd = uet_ack_cc_state_nscc_rcvd_bytes(p->frame + p->cc_state_offset);
    uint32_t newly = (rcvd - f->rcvd) & RCVD_MASK;
    if (!newly || newly > RCVD_MASK / 2)
        return;
    f->rcvd = rcvd;
    f->told += (uint64_t)newly * UET_RCVD_BYTES_UNIT;
}

void uet_inflight_acked(struct uet_track *track, const struct uet_track_psn *named)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = &t->pdc->dir[t->forward];
    struct uet_track_flight *f = &dir->flight;
    const uint8_t *h = uet_pds(&t->packet);
    uint32_t cack = uet_ack_cack_psn(h);
    gap_closed(track, dir, cack);
    if (named && !named->told_by && named->upto <= f->passed)
        f->unsure += named->nominal;
    note_rcvd(f, &t->packet);
    pass(track, f, find_beside(track, cack, named));
    if (named)
        pass(track, f, named);
}

void uet_inflight_told(struct uet_track *track, const struct uet_track_psn *named)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_dir *dir = &t->pdc->dir[t->forward];
    if (dir->told_known)
        pass(track, &dir->flight, find_beside(track, dir->told_psn, named));
}

void uet_inflight_nacked(struct uet_track *track, struct uet_track_psn *psn)
{
    const struct uet_tracked *t = &track->t;
    struct uet_track_flight *f = &t->pdc->dir[t->forward].flight;
    if (!psn->unsure)
        f->unsure += psn->nominal;
    psn->unsure = true;
    pass(track, f, psn);
}
