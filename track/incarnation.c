/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The incarnations of a PDCID (3.5.8.1): it counts together with the addresses of both FEPs, since
 * the same value may be used towards different FEPs (PDS-019), and is used again.
 */
#include "track/incarnation.h"

#include <string.h>

static uint64_t ip_hash(const struct uet_track *track, const struct uet_ip *ip)
{
    uint64_t a, b, seed = track->config.hash_seed;
    memcpy(&a, ip->bytes, 8);
    memcpy(&b, ip->bytes + 8, 8);
    return uet_mix(uet_mix(seed + ip->version, a), b);
}

/* Whichever of them is the source. */
static bool same_pair(const void *value, const void *key)
{
    const struct uet_pair *a = value, *b = key;
    return (uet_ip_equal(&a->ip[0], &b->ip[0]) && uet_ip_equal(&a->ip[1], &b->ip[1])) ||
           (uet_ip_equal(&a->ip[0], &b->ip[1]) && uet_ip_equal(&a->ip[1], &b->ip[0]));
}

static struct uet_pair *find_pair(struct uet_track *track, struct uet_pair *key)
{
    key->hash = uet_mix(ip_hash(track, &key->ip[0]) ^ ip_hash(track, &key->ip[1]), 0);
    struct uet_pair *pair = uet_map_find(&track->pairs, key->hash, same_pair, key);
    if (!pair) {
        pair = uet_pool_get(&track->pool, sizeof *pair);
        *pair = *key;
        uet_map_put(&track->pairs, key->hash, pair);
    }
    return pair;
}

void uet_locate_pair(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_pair key = {.ip = {uet_src_ip(p), uet_dst_ip(p)}};
    if (!track->pair || !same_pair(track->pair, &key)) /* often that of the packet before */
        track->pair = find_pair(track, &key);
    track->src = !uet_ip_equal(&track->pair->ip[0], &key.ip[0]);
    track->dst = !uet_ip_equal(&track->pair->ip[0], &key.ip[1]);
}

struct pdc_key {
    const struct uet_pair *pair;
    uint16_t pdcid;
    uint8_t owner;  /* which of the pair */
    bool initiator; /* the owner is the PDC's initiator */
    struct uet_track_pdc *pdc;
};

static bool same_key(const void *value, const void *key)
{
    const struct pdc_key *a = value, *b = key;
    return a->pdcid == b->pdcid && a->initiator == b->initiator && a->owner == b->owner &&
           a->pair == b->pair;
}

static uint64_t key_hash(const struct pdc_key *k)
{
    return uet_mix(k->pair->hash, (uint64_t)k->pdcid << 2 | (unsigned)k->owner << 1 | k->initiator);
}

static struct pdc_key key_of(const struct uet_track *track, bool owner_is_src, uint16_t pdcid,
                             bool initiator)
{
    return (struct pdc_key){.pair = track->pair,
                            .pdcid = pdcid,
                            .owner = owner_is_src ? track->src : track->dst,
                            .initiator = initiator};
}

static struct pdc_key *find_key(const struct uet_track *track, const struct pdc_key *key)
{
    return uet_map_find(&track->pdc_keys, key_hash(key), same_key, key);
}

struct uet_track_pdc *uet_incarnation(const struct uet_track *track, bool owner_is_src,
                                      uint16_t pdcid, bool initiator)
{
    const struct pdc_key key = key_of(track, owner_is_src, pdcid, initiator);
    const struct pdc_key *k = pdcid ? find_key(track, &key) : NULL;
    return k ? k->pdc : NULL;
}

void uet_incarnation_set(struct uet_track *track, bool owner_is_src, uint16_t pdcid, bool initiator,
                         struct uet_track_pdc *pdc)
{
    const struct pdc_key key = key_of(track, owner_is_src, pdcid, initiator);
    struct pdc_key *k = find_key(track, &key);
    if (!k) {
        k = uet_pool_get(&track->pool, sizeof *k);
        *k = key;
        uet_map_put(&track->pdc_keys, key_hash(&key), k);
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
    pdc->refused_by = 0; /* that was another copy of its SYN */
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
    pdc->initiator_ip = track->pair->ip[forward ? track->src : track->dst];
    pdc->target_ip = track->pair->ip[forward ? track->dst : track->src];
    pdc->hash = uet_mix(track->config.hash_seed, pdc->stream);
    pdc->ipdcid = ipdcid;
    pdc->first_frame = track->t.number;
    pdc->previous = uet_incarnation(track, forward, ipdcid, true);
    uet_incarnation_set(track, forward, ipdcid, true, pdc);
    /* No PDCID is 0: that key holds the newest PDC from one to the other. */
    const struct pdc_key fep = key_of(track, forward, 0, true);
    const struct pdc_key *newest = find_key(track, &fep);
    pdc->earlier = newest ? newest->pdc : NULL;
    uet_incarnation_set(track, forward, 0, true, pdc);
    if (track->last)
        track->last->next = pdc;
    else
        track->first = pdc;
    track->last = pdc;
    return pdc;
}
