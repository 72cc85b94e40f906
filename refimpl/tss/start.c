/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the PDCs of a domain begin (3.5.8.2): a SYN that somebody has recorded must open nothing.
 * With EXPECTED_0RTT_START the target knows a floor, below which it has closed PDCs; with
 * RANDOM_1RTT_START it says itself where to begin, and nobody knew that before.
 */
#include "refimpl/tss/tss.h"

bool uet_sd_start_ok(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                     uint32_t *wanted)
{
    const struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (!own)
        return true;
    if (own->start == UET_RANDOM_1RTT_START)
        *wanted = (uint32_t)fep_secret(fep);
    else if (psn_after(own->expected_psn, start_psn))
        *wanted = own->expected_psn;
    return *wanted == start_psn;
}

bool uet_sd_start_psn(const struct uet_fep *fep, const struct tss_context *tss, uint32_t *start_psn)
{
    const struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (!own || !own->start_psn)
        return false;
    *start_psn = own->start_psn;
    return true;
}

/*
 * The floor goes up only. Of a PDC that began above it that is so, however far it came; one that
 * began below what others have raised it to since must have come further.
 */
void uet_sd_raise_floor(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                        uint32_t floor)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (!own)
        return;
    int32_t behind = uet_psn_diff(own->expected_psn, start_psn);
    if (behind <= 0 || floor - start_psn > (uint32_t)behind)
        own->expected_psn = floor;
}

bool uet_sd_tells_floor(const struct uet_fep *fep, const struct tss_context *tss, uint32_t *floor)
{
    const struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (!own || own->start != UET_EXPECTED_0RTT_START)
        return false;
    *floor = own->expected_psn;
    return true;
}

void uet_sd_floor_told(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (own && (!own->start_psn || psn_after(floor, own->start_psn)))
        own->start_psn = floor;
}

/*
 * Where own PDCs begin stays as it is until a peer tells more: for one that is tried again, and for
 * the next one after one that failed, or was closed by a peer that tells little (TSS-067). Under
 * the same PDCIDs a late packet of the one would be taken for one of the other. Any peer takes what
 * is newer.
 */
void uet_sd_leave_psns(struct uet_fep *fep, const struct tss_context *tss, uint32_t from,
                       uint32_t behind)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (own && own->start_psn && own->start_psn - from < behind - from)
        own->start_psn = behind;
}
