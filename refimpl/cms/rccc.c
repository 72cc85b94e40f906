/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RCCC, the source's half (3.6.14.2 - 3.6.14.4): it begins with a window of speculation, which the
 * first thing heard of the destination ends; from then on it sends what it has credit for.
 */
#include "refimpl/cms/cms.h"

/* So much is sent before anything is heard, and so much may be in hand (CMS-081). */
static uint32_t most(const struct uet_fep *fep)
{
    return fep->nscc.max_wnd;
}

static bool id_taken(const struct uet_fep *fep, const struct ccc *ccc, uint8_t id)
{
    for (uint32_t i = 1; i <= fep->cccs.n; i++) {
        const struct ccc *other = uet_ccc_at(fep, i);
        if (other != ccc && other->n_pdcs && other->rccc.id == id &&
            uet_ip_equal(&other->to, &ccc->to))
            return true;
    }
    return false;
}

/* Not that of a CCC that has just ended, of which the destination may still know. */
static uint8_t new_id(struct uet_fep *fep, const struct ccc *ccc)
{
    uint8_t id = ++fep->ccc_id;
    while (id_taken(fep, ccc, id) && id != (uint8_t)(fep->ccc_id - 1u))
        id++;
    return fep->ccc_id = id;
}

void uet_rccc_begin(struct uet_fep *fep, struct ccc *ccc)
{
    fep->nscc = uet_nscc_gains(&fep->config, &fep->params);
    ccc->rccc = (struct uet_rccc){.id = new_id(fep, ccc), .speculates = true};
    ccc->rccc.credit = (int32_t)most(fep);
}

bool uet_rccc_may_send(const struct uet_fep *fep, const struct ccc *ccc)
{
    (void)fep;
    return ccc->rccc.credit > 0;
}

/* Does the packet that is about to leave use up what is left? */
bool uet_rccc_asks(const struct uet_fep *fep, const struct ccc *ccc)
{
    return ccc->rccc.credit <= (int32_t)(fep->config.payload_mtu + UET_CC_HEADERS_MOST);
}

void uet_rccc_sent(struct ccc *ccc, uint32_t bytes)
{
    ccc->rccc.credit -= (int32_t)bytes;
    if (!ccc->rccc.speculates)
        ccc->rccc.spent += bytes;
}

/* What is left of the speculation is gone; what it had too much of stays a debt. */
static void heard(struct uet_rccc *r)
{
    if (!r->speculates)
        return;
    r->speculates = false;
    r->spent = r->credit < 0 ? (uint64_t) - (int64_t)r->credit : 0;
    r->credit = r->credit < 0 ? r->credit : 0;
}

void uet_rccc_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack)
{
    (void)fep, (void)ack;
    heard(&ccc->rccc);
}

void uet_rccc_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack)
{
    (void)fep, (void)nack;
    heard(&ccc->rccc);
}

void uet_rccc_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes)
{
    (void)fep, (void)bytes;
    heard(&ccc->rccc);
}

bool uet_rccc_credit(const struct uet_fep *fep, struct ccc *ccc, uint32_t units)
{
    struct uet_rccc *r = &ccc->rccc;
    int32_t newer = uet_credit_ahead(units, r->last);
    heard(r);
    if (newer <= 0)
        return false;
    int64_t bytes = (int64_t)newer * UET_CREDIT_UNIT, room = (int64_t)most(fep) - r->credit;
    int64_t taken = bytes < room ? bytes : room > 0 ? room : 0;
    r->last = units & UET_CREDIT_MASK;
    r->credit += (int32_t)taken;
    r->heard += (uint64_t)bytes;
    r->discarded += (uint64_t)(bytes - taken);
    return true;
}

/*
 * Contested: not divided by the number of destinations that this FEP sends to. And what is in hand:
 * the simulator takes it off, but where credit was granted that a source could not use (Hoefler et
 * al., 2025: outcast), it was asked for again (target_of_backlog). A debt is always asked for.
 */
uint32_t uet_rccc_target(const struct uet_fep *fep, struct ccc *ccc, uint32_t demand,
                         uint32_t packet)
{
    struct uet_rccc *r = &ccc->rccc;
    uint32_t wanted = demand < most(fep) ? demand : most(fep);
    uint32_t window = ccc->nscc.cwnd + fep->config.payload_mtu;
    if (ccc->cc == CC_BOTH && window < wanted) /* what NSCC would not let go is not asked for */
        wanted = window;
    int64_t in_hand = r->credit - (int64_t)packet;
    if (fep->params.target_of_backlog && in_hand > 0)
        in_hand = 0;
    int64_t lacking = wanted - in_hand;
    if (r->speculates && demand && lacking < fep->config.payload_mtu)
        lacking = fep->config.payload_mtu;
    lacking = lacking > 0 ? lacking + UET_CREDIT_UNIT - 1 : 0;
    r->told = (r->last + (uint32_t)(lacking / UET_CREDIT_UNIT)) & UET_CREDIT_MASK;
    return r->told;
}
