/* SPDX-License-Identifier: BSD-2-Clause */
/* The congestion controls there are, and the contexts (3.6.6). */
#include "refimpl/cms/cms.h"

const struct uet_cc uet_ccs[CC_COUNT] = {
    [CC_WINDOW] =
        {
            .may_send = uet_cc_window_may_send,
            .sent = uet_cc_window_sent,
            .acknowledged = uet_cc_window_left,
            .lost = uet_cc_window_left,
            .pick_entropy = uet_spray,
        },
    [CC_NSCC] =
        {
            .may_send = uet_cc_window_may_send,
            .sent = uet_cc_window_sent,
            .acknowledged = uet_cc_window_left,
            .lost = uet_cc_window_left,
            .pick_entropy = uet_spray,
            .type = UET_CC_NSCC,
            .header = UET_H_ACK_CC_STATE_NSCC,
            .write_state = uet_nscc_write,
            .write_delay = uet_nscc_delay,
            .read_state = uet_nscc_read,
        },
};

bool uet_cc_read(const struct uet_packet *p, struct uet_cc_state *state)
{
    for (unsigned i = 0; i < CC_COUNT && p->cc_state; i++) {
        if (uet_ccs[i].header != p->cc_state)
            continue;
        uet_ccs[i].read_state(uet_cc_state_of(p), state);
        return true;
    }
    return false;
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

void uet_ccc_reset(struct uet_fep *fep)
{
    pool_reset(&fep->cccs);
    memset(fep->ccc_hash, 0, fep->pdc_buckets * sizeof *fep->ccc_hash);
}

uint32_t uet_ccc_join(struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class, bool rod)
{
    uint32_t *head = bucket(fep, to, traffic_class, rod);
    for (uint32_t id = *head; id; id = uet_ccc_at(fep, id)->next) {
        struct ccc *ccc = uet_ccc_at(fep, id);
        if (ccc->traffic_class != traffic_class || ccc->rod != rod || !uet_ip_equal(&ccc->to, to))
            continue;
        ccc->n_pdcs++;
        return id;
    }
    uint32_t id = pool_get(&fep->cccs);
    *uet_ccc_at(fep, id) = (struct ccc){
        .next = *head,
        .to = *to,
        .traffic_class = traffic_class,
        .rod = rod,
        .cc = fep->params.ACK_CC ? CC_NSCC : CC_WINDOW,
        .n_pdcs = 1,
    };
    *head = id;
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
