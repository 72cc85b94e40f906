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
void uet_sd_drop(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                 uint16_t counter)
{
    (void)p;
    fep->counters[counter]++;
    if (counter != CNT_in_auth_fail_pkts)
        return;
    own->auth_failures++;
    if (own->auth_fail_threshold && own->auth_failures > own->auth_fail_threshold &&
        !own->latched) {
        own->latched = true;
        COUNT(fep, domains_latched);
    }
}

/* Why it cannot be opened, as a counter, as far as that can be told before the key is used; 0: it
 * can. */
static inline uint16_t lack_of(const struct tss_law *law, const struct uet_packet *p,
                               const struct tss_domain *own, const struct tss_slot *slot)
{
    if (!law->in_use(own) || !slot->loaded)
        return CNT_in_invalid_sa;
    if (own->latched || !law->fits(&slot->sa, p))
        return CNT_in_invalid;
    if (law->is_late(slot->sender.epoch, p->seal.epoch, own->max_epoch_age))
        return CNT_in_late_pkts;
    return 0;
}

/* The key for a packet of the domain; NULL: it is dropped. */
__attribute__((always_inline)) static inline struct tss_slot *
slot_of(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own)
{
    const struct tss_law *law = &fep->law.tss;
    struct tss_slot *slot = own ? own->slots + law->slot(own, p) : NULL;
    uint16_t lack = p->len > UET_FRAME_MAX ? CNT_drop_parse_other
                    : own                  ? lack_of(law, p, own, slot)
                                           : CNT_in_errored_pkts;
    if (lack)
        law->drop(fep, p, own, lack);
    return lack ? NULL : slot;
}

const uint8_t *uet_sd_open(struct uet_fep *fep, const struct uet_packet *p)
{
    struct tss_domain *own = uet_sd_find(fep, p->sdi);
    struct tss_slot *slot = slot_of(fep, p, own);
    const struct uet_tss_place at = place_of(p);
    if (!slot)
        return NULL;
    bool sp = p->tss == UET_H_TSS_HDR_16;
    size_t from = uet_tss_encrypted_from(&at, sp, slot->sa.encrypt_from, p->icv_offset);
    memcpy(fep->opened, p->frame, from);
    if (fep->law.tss.open(&slot->sa, p->frame, &at, fep->opened + from) != UET_TSS_OK) {
        fep->law.tss.drop(fep, p, own, CNT_in_auth_fail_pkts);
        return NULL;
    }
    size_t behind = p->icv_offset + (size_t)UET_TSS_TRAILER_BYTES;
    memcpy(fep->opened + p->icv_offset, p->frame + p->icv_offset, UET_TSS_TRAILER_BYTES);
    if (p->len > behind)
        memcpy(fep->opened + behind, p->frame + behind, p->len - behind);
    COUNT(fep, in_auth_pkts);
    if (own->serves_clients && sp)
        uet_sd_client_heard(own, p);
    return fep->opened;
}

const uint8_t *uet_sd_peek(struct uet_fep *fep, const struct uet_packet *p)
{
    struct tss_domain *own = uet_sd_find(fep, p->sdi);
    struct tss_slot *slot = slot_of(fep, p, own);
    const struct uet_tss_place at = place_of(p);
    size_t got;
    if (!slot)
        return NULL;
    bool sp = p->tss == UET_H_TSS_HDR_16;
    size_t from = uet_tss_encrypted_from(&at, sp, slot->sa.encrypt_from, at.end);
    memcpy(fep->opened, p->frame, p->len);
    if (uet_tss_peek(&slot->sa, p->frame, &at, fep->opened + from, at.end - from, &got) !=
        UET_TSS_OK)
        return NULL;
    COUNT(fep, in_trimmed_pkts);
    return fep->opened;
}
