/* SPDX-License-Identifier: BSD-2-Clause */
/* The congestion controls there are, and the contexts (3.6.6). */
#include "refimpl/cms/cms.h"

const struct uet_cc uet_ccs[CC_COUNT] = {
    [CC_WINDOW] =
        {
            .may_send = uet_cc_window_may_send,
            .asks = uet_cc_window_asks,
        },
    [CC_NSCC] =
        {
            .begin = uet_nscc_begin,
            .may_send = uet_nscc_may_send,
            .asks = uet_nscc_asks,
            .acked = uet_nscc_acked,
            .nacked = uet_nscc_nacked,
            .inferred = uet_nscc_inferred,
            .probed = uet_nscc_probed,
        },
    [CC_RCCC] =
        {
            .begin = uet_rccc_begin,
            .may_send = uet_rccc_may_send,
            .asks = uet_rccc_asks,
            .acked = uet_rccc_acked,
            .nacked = uet_rccc_nacked,
            .inferred = uet_rccc_inferred,
            .sent = uet_rccc_sent,
            .credit = uet_rccc_credit,
        },
    [CC_BOTH] =
        {
            .begin = uet_both_begin,
            .may_send = uet_both_may_send,
            .asks = uet_both_asks,
            .acked = uet_both_acked,
            .nacked = uet_both_nacked,
            .inferred = uet_both_inferred,
            .probed = uet_nscc_probed,
            .sent = uet_rccc_sent,
            .credit = uet_rccc_credit,
        },
};

static const struct uet_cc_told told_nscc = {
    .type = UET_CC_NSCC,
    .header = UET_H_ACK_CC_STATE_NSCC,
    .write_state = uet_nscc_write,
    .write_delay = uet_nscc_delay,
    .read_state = uet_nscc_read,
};

static const struct uet_cc_told told_credit = {
    .type = UET_CC_CREDIT,
    .header = UET_H_ACK_CC_STATE_CREDIT,
    .write_state = uet_rccc_write,
    .read_state = uet_rccc_read,
};

const struct uet_cc_told *uet_cc_told_here(const struct uet_fep *fep)
{
    return fep->params.ACK_CC ? &told_nscc : NULL;
}

const struct uet_cc_told *uet_cc_told_credit(const struct uet_fep *fep)
{
    bool alone = fep->params.RCCC && !fep->params.NSCC;
    return alone && fep->params.ACK_CC ? &told_credit : uet_cc_told_here(fep);
}

bool uet_cc_read(const struct uet_packet *p, struct uet_cc_state *state)
{
    const struct uet_cc_told *told = p->cc_state == told_nscc.header     ? &told_nscc
                                     : p->cc_state == told_credit.header ? &told_credit
                                                                         : NULL;
    if (told)
        told->read_state(uet_cc_state_of(p), state);
    return told != NULL;
}

/* ---- contexts ---- */

static uint32_t *bucket(const struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                        bool rod)
{
    uint32_t h = 2166136261u ^ ((uint32_t)traffic_class << 1 | rod);
    for (size_t i = 0; i < uet_ip_len(to); i++)
        h = (h ^ to->bytes[i]) * 16777619u;
    return &fep->ccc_hash[(h ^ (h >> 15)) & (fep->pdc_buckets - 1)];
}

static uint8_t row_of(const struct uet_fep_params *params)
{
    if (params->RCCC)
        return params->NSCC ? CC_BOTH : CC_RCCC;
    return params->NSCC ? CC_NSCC : CC_WINDOW;
}

void uet_ccc_reset(struct uet_fep *fep)
{
    pool_reset(&fep->cccs);
    memset(fep->ccc_hash, 0, fep->pdc_buckets * sizeof *fep->ccc_hash);
}

/* A ROD PDC has a CCC of its own: it is on a path of its own (3.6.7, 3.6.16.2). */
static uint32_t find(const struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                     bool rod)
{
    uint32_t id = rod ? 0 : *bucket(fep, to, traffic_class, rod);
    for (; id; id = uet_ccc_at(fep, id)->next) {
        const struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->traffic_class == traffic_class && ccc->rod == rod && uet_ip_equal(&ccc->to, to))
            break;
    }
    return id;
}

bool uet_ccc_free(const struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                  bool rod)
{
    const uint32_t most = fep->params.CCCs;
    return !most || fep->cccs.used < most || find(fep, to, traffic_class, rod);
}

uint32_t uet_ccc_join(struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class, bool rod)
{
    uint32_t *head = bucket(fep, to, traffic_class, rod), id = find(fep, to, traffic_class, rod);
    if (id) {
        uet_ccc_at(fep, id)->n_pdcs++;
        return id;
    }
    id = pool_get(&fep->cccs);
    *uet_ccc_at(fep, id) = (struct ccc){
        .next = *head,
        .to = *to,
        .traffic_class = traffic_class,
        .rod = rod,
        .cc = row_of(&fep->params),
        .n_pdcs = 1,
    };
    *head = id;
    const struct uet_cc *cc = uet_cc_of(uet_ccc_at(fep, id));
    if (cc->begin)
        cc->begin(fep, uet_ccc_at(fep, id));
    return id;
}

void uet_ccc_leave(struct uet_fep *fep, uint32_t id)
{
    struct ccc *ccc = uet_ccc_at(fep, id);
    if (!id || --ccc->n_pdcs)
        return;
    uint32_t *link = bucket(fep, &ccc->to, ccc->traffic_class, ccc->rod);
    while (*link != id)
        link = &uet_ccc_at(fep, *link)->next;
    *link = ccc->next;
    pool_put(&fep->cccs, id);
}
