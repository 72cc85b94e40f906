/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets on their way out are sealed last of all, when they leave: a packet that waited, or is
 * sent again, goes with the AN, epoch and counter of that moment (TSS-018 to TSS-021).
 */
#include "refimpl/tss/tss.h"

void uet_sd_begin(const struct uet_fep *fep, struct uet_build *b, const struct tss_context *tss)
{
    const struct tss_domain *own = uet_sd_find(fep, tss->sdi);
    bool ssi = own && own->ssi_mode;
    uint8_t *h = uet_build_tss(b, ssi ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12);
    uet_tss_hdr_sdi_set(h, tss->sdi);
    if (ssi)
        uet_tss_hdr_16_ssi_set(h, own->serves_clients ? tss->ssi : own->slots[0].sender.ssi);
}

static size_t refuse(struct uet_fep *fep)
{
    COUNT(fep, out_errored_pkts);
    return 0;
}

/* The header with what is the key's and the moment's; false: no counter is left. */
static inline bool stamp(const struct uet_fep *fep, struct tss_slot *slot, uint8_t an,
                         uint8_t *bytes)
{
    struct uet_tss_stamp stamp;
    if (fep->law.tss.next(&slot->sender, &stamp) != UET_TSS_OK)
        return false;
    uet_tss_hdr_an_set(bytes, an);
    uint8_t *tsc = bytes + uet_tss_header_len(uet_tss_hdr_sp(bytes)) - 8; /* ends both forms */
    uet_wr64(tsc, (uint64_t)stamp.epoch << 48 | stamp.counter);
    return true;
}

/*
 * All counters of the key are used up: the domain goes on to the key in its other slot, where that
 * is one that nothing was sealed with yet (TSS-022, TSS-035). One that was left before is not taken
 * again: peers may have retired it. A domain in a later epoch has lived before, as its host says,
 * and what that life sealed under the other key nobody knows here (TSS-018).
 */
static bool roll_over(struct tss_domain *own)
{
    const struct tss_slot *used = &own->slots[own->an], *other = &own->slots[!own->an];
    const uint64_t limit = own->counter_limit ? own->counter_limit : UET_TSS_COUNTER_MAX;
    if (used->sender.next < limit || used->sender.epoch || !other->loaded || other->sender.next)
        return false;
    own->an = !own->an;
    return true;
}

/* A packet without domain. */
static size_t in_clear(struct uet_fep *fep, size_t len)
{
    if (!fep->law.tss.clear_may_go(fep))
        return refuse(fep);
    if (fep->secured)
        COUNT(fep, out_rx_encryption_bypass_pkts);
    return len;
}

size_t uet_sd_seal(struct uet_fep *fep, uint8_t *frame, size_t len)
{
    struct uet_tss_place at = fep->built;
    uint8_t *h = frame + at.tss_offset;
    at.end = (uint16_t)len;
    if (uet_tss_hdr_type(h) != UET_PDS_TSS)
        return in_clear(fep, len);
    struct tss_domain *own = uet_sd_find(fep, uet_tss_hdr_sdi(h));
    struct tss_slot *slot = own ? &own->slots[own->an] : NULL;
    if (!own || !fep->law.tss.may_leave(own) || !slot->loaded)
        return refuse(fep);
    if (!stamp(fep, slot, own->an, h) &&
        !(roll_over(own) && stamp(fep, &own->slots[own->an], own->an, h))) {
        COUNT(fep, out_invoke_fail);
        return 0;
    }
    if (fep->law.tss.seal(&own->slots[fep->law.tss.seals(own, h)].sa, frame, &at) != UET_TSS_OK)
        return refuse(fep);
    COUNT(fep, out_auth_pkts);
    return len;
}
