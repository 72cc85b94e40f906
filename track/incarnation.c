/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The incarnations of a PDCID (3.5.8.1): it counts together with the addresses of both FEPs, since
 * the same value may be used towards different FEPs (PDS-019), and is used again.
 */
#include "track/incarnation.h"

#include <string.h>

uint64_t uet_ip_hash(const struct uet_track *track, const struct uet_ip *ip)
{
    uint64_t a, b, seed = track->config.hash_seed;
    memcpy(&a, ip->bytes, 8);
    memcpy(&b, ip->bytes + 8, 8);
    return uet_mix(uet_mix(seed + ip->version, a), b);
}

struct pdc_key {
    struct uet_ip owner, peer;
    uint16_t pdcid;
    bool initiator; /* the owner is the PDC's initiator */
    struct uet_track_pdc *pdc;
};

static bool same_key(const void *value, const void *key)
{
    const struct pdc_key *a = value, *b = key;
    return a->pdcid == b->pdcid && a->initiator == b->initiator &&
           uet_ip_equal(&a->owner, &b->owner) && uet_ip_equal(&a->peer, &b->peer);
}

static uint64_t key_hash(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                         bool initiator)
{
    uint64_t h = uet_mix(owner_is_src ? track->src_hash : track->dst_hash,
                         owner_is_src ? track->dst_hash : track->src_hash);
    return uet_mix(h, (uint64_t)pdcid << 1 | initiator);
}

static struct pdc_key *find_key(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                                bool initiator)
{
    const struct pdc_key key = {.owner = owner_is_src ? track->src : track->dst,
                                .peer = owner_is_src ? track->dst : track->src,
                                .pdcid = pdcid,
                                .initiator = initiator};
    return uet_map_find(&track->pdc_keys, key_hash(track, owner_is_src, pdcid, initiator), same_key,
                        &key);
}

struct uet_track_pdc *uet_incarnation(const struct uet_track *track, bool owner_is_src,
                                      uint16_t pdcid, bool initiator)
{
    const struct pdc_key *k = pdcid ? find_key(track, owner_is_src, pdcid, initiator) : NULL;
    return k ? k->pdc : NULL;
}

void uet_incarnation_set(struct uet_track *track, bool owner_is_src, uint16_t pdcid, bool initiator,
                         struct uet_track_pdc *pdc)
{
    struct pdc_key *k = find_key(track, owner_is_src, pdcid, initiator);
    if (!k) {
        k = uet_pool_get(&track->pool, sizeof *k);
        *k = (struct pdc_key){.owner = owner_is_src ? track->src : track->dst,
                              .peer = owner_is_src ? track->dst : track->src,
                              .pdcid = pdcid,
                              .initiator = initiator};
        uet_map_put(&track->pdc_keys, key_hash(track, owner_is_src, pdcid, initiator), k);
    }
    k->pdc = pdc;
}

void uet_incarnation_bind(struct uet_track *track, struct uet_track_pdc *pdc, uint16_t tpdcid,
                          bool forward, bool guessed)
{
    struct uet_track_pdc *other = uet_incarnation(track, !forward, tpdcid, false);
    pdc->tpdcid = tpdcid;
    pdc->tpdcid_guessed = guessed;
    pdc->established = true;
    pdc->refused = false;
    if (other && other != pdc && !forward)
        track->t.taken_from = other;
    if (other != pdc)
        pdc->tpdcid_before = other;
    uet_incarnation_set(track, !forward, tpdcid, false, pdc);
}

struct uet_track_pdc *uet_incarnation_new(struct uet_track *track, bool forward, uint16_t ipdcid)
{
    struct uet_track_pdc *pdc = uet_pool_get(&track->pool, sizeof *pdc);
    pdc->stream = track->streams++;
    pdc->initiator_ip = forward ? track->src : track->dst;
    pdc->target_ip = forward ? track->dst : track->src;
    pdc->ipdcid = ipdcid;
    pdc->first_frame = track->t.number;
    pdc->previous = uet_incarnation(track, forward, ipdcid, true);
    uet_incarnation_set(track, forward, ipdcid, true, pdc);
    /* No PDCID is 0: that key holds the newest PDC from one to the other. */
    const struct pdc_key *newest = find_key(track, forward, 0, true);
    pdc->earlier = newest ? newest->pdc : NULL;
    uet_incarnation_set(track, forward, 0, true, pdc);
    if (track->last)
        track->last->next = pdc;
    else
        track->first = pdc;
    track->last = pdc;
    return pdc;
}
