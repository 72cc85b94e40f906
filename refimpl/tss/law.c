/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule, as this FEP's usual way has it. */
#include "refimpl/tss/law.h"

#include "refimpl/tss/tss.h"

static bool in_use(const struct tss_domain *own)
{
    return own->enabled;
}

static uint8_t slot(const struct tss_domain *own, const struct uet_packet *p)
{
    (void)own;
    return p->seal.an;
}

bool uet_sd_form_fits(const struct uet_tss_sa *sa, const struct uet_packet *p)
{
    const struct uet_tss_header h = {
        .sdi = p->sdi, .an = p->seal.an, .sp = p->tss == UET_H_TSS_HDR_16};
    return uet_tss_fits(sa, &h, p->ip_version) == UET_TSS_OK;
}

static uint8_t key_of_moment(const struct tss_domain *own, const uint8_t *header)
{
    (void)header;
    return own->an;
}

static enum uet_tss_status seal(struct uet_tss_sa *sa, uint8_t *frame,
                                const struct uet_tss_place *at)
{
    return uet_tss_seal_at(sa, frame, at, NULL);
}

static bool clear_may_go(const struct uet_fep *fep)
{
    return fep->config.protect != UET_PROTECT_TSS || fep->law.tss.nacks_in_clear;
}

/* Contested: the consortium's provider goes no further than Start_PSN + 1. */
static uint32_t behind_last(uint32_t start_psn, uint32_t last_psn)
{
    (void)start_psn;
    return last_psn + 1;
}

void uet_sd_law(struct tss_law *law)
{
    *law = (struct tss_law){
        .in_use = in_use,
        .slot = slot,
        .fits = uet_sd_form_fits,
        .is_late = uet_tss_epoch_is_late,
        .open = uet_tss_open_at,
        .drop = uet_sd_drop,
        .bound = uet_sd_fits,
        .serves = uet_sd_serves,
        .load = uet_sd_load,
        .unload = uet_sd_unload,
        .remove = uet_sd_remove,
        .next = uet_tss_next,
        .may_leave = in_use,
        .clear_may_go = clear_may_go,
        .seals = key_of_moment,
        .seal = seal,
        .start_ok = uet_sd_start_ok,
        .floor = behind_last,
        .raise_floor = uet_sd_raise_floor,
        .tells_floor = uet_sd_tells_floor,
        .floor_told = uet_sd_floor_told,
    };
}
