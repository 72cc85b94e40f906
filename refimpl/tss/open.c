/* SPDX-License-Identifier: BSD-2-Clause */
/* Sealed packets on their way in (3.7): the checks in the order of the consortium's provider. */
#include "refimpl/tss/tss.h"

static struct uet_tss_place place_of(const struct uet_packet *p)
{
    return (struct uet_tss_place){
        .ip_version = p->ip_version,
        .ip_offset = p->ip_offset,
        .udp_offset = p->udp_offset,
        .tss_offset = p->tss_offset,
        .end = p->ip_end,
    };
}

/* Too many bad ICVs: somebody is at work, and the domain takes nothing any more (TSS-043). */
static void count_failure(struct uet_fep *fep, struct tss_domain *own)
{
    COUNT(fep, in_auth_fail_pkts);
    own->auth_failures++;
    if (own->auth_fail_threshold && own->auth_failures > own->auth_fail_threshold &&
        !own->latched) {
        own->latched = true;
        COUNT(fep, domains_latched);
    }
}

/* The domain and its key for a header, as far as that can be told before the key is used. */
static struct tss_slot *slot_of(struct uet_fep *fep, const struct uet_packet *p,
                                struct tss_domain **own)
{
    struct uet_tss_header h;
    uet_tss_read(&h, uet_tss(p));
    *own = uet_sd_find(fep, h.sdi);
    if (!*own) {
        COUNT(fep, in_errored_pkts);
        return NULL;
    }
    struct tss_slot *slot = &(*own)->slots[h.an];
    if (!(*own)->enabled || !slot->loaded) {
        COUNT(fep, in_invalid_sa);
        return NULL;
    }
    if ((*own)->latched || uet_tss_fits(&slot->sa, &h, p->ip_version) != UET_TSS_OK) {
        COUNT(fep, in_invalid);
        return NULL;
    }
    if (uet_tss_epoch_is_late(slot->sender.epoch, h.epoch, (*own)->max_epoch_age)) {
        COUNT(fep, in_late_pkts);
        return NULL;
    }
    return slot;
}

const uint8_t *uet_sd_open(struct uet_fep *fep, const struct uet_packet *p)
{
    struct tss_domain *own;
    struct tss_slot *slot = slot_of(fep, p, &own);
    const struct uet_tss_place at = place_of(p);
    if (!slot || p->len > UET_FRAME_MAX)
        return NULL;
    size_t from = uet_tss_encrypted_from(&at, own->ssi_mode, slot->sa.encrypt_from, p->icv_offset);
    memcpy(fep->opened, p->frame, from);
    if (uet_tss_open_at(&slot->sa, p->frame, &at, fep->opened + from) != UET_TSS_OK) {
        count_failure(fep, own);
        return NULL;
    }
    memcpy(fep->opened + p->icv_offset, p->frame + p->icv_offset, p->len - p->icv_offset);
    COUNT(fep, in_auth_pkts);
    return fep->opened;
}

const uint8_t *uet_sd_peek(struct uet_fep *fep, const struct uet_packet *p)
{
    struct tss_domain *own;
    struct tss_slot *slot = slot_of(fep, p, &own);
    const struct uet_tss_place at = place_of(p);
    size_t got;
    if (!slot || p->len > UET_FRAME_MAX)
        return NULL;
    size_t from = uet_tss_encrypted_from(&at, own->ssi_mode, slot->sa.encrypt_from, at.end);
    memcpy(fep->opened, p->frame, p->len);
    if (uet_tss_peek(&slot->sa, p->frame, &at, fep->opened + from, at.end - from, &got) !=
        UET_TSS_OK)
        return NULL;
    COUNT(fep, in_trimmed_pkts);
    return fep->opened;
}
