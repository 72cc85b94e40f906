/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "track/internal.h"

struct uet_track *uet_track_new(const struct uet_track_config *config)
{
    const struct uet_track_allocator *a = &config->allocator;
    struct uet_track *track = a->alloc(a->ctx, sizeof *track);
    if (!track)
        return NULL;
    *track = (struct uet_track){.config = *config, .pool = {.allocator = *a}};
    track->parse = (struct uet_parse_options){
        .protect = config->protect, .lenient = true, .udp_port = config->udp_port};
    return track;
}

void uet_track_free(struct uet_track *track)
{
    if (!track)
        return;
    const struct uet_track_allocator a = track->config.allocator;
    uet_map_free(&track->pdc_keys, &a);
    uet_map_free(&track->psns, &a);
    uet_map_free(&track->loose, &a);
    uet_map_free(&track->messages, &a);
    uet_pool_free(&track->pool);
    if (a.free)
        a.free(a.ctx, track);
}

void uet_track_skip(struct uet_track *track, uint32_t n)
{
    track->number += n;
}

const struct uet_track_pdc *uet_track_pdcs(const struct uet_track *track)
{
    return track->first;
}

enum uet_vantage uet_track_vantage(const struct uet_track *track)
{
    return track->config.vantage;
}

static uint64_t ip_hash(uint64_t seed, const struct uet_ip *ip)
{
    uint64_t a, b;
    memcpy(&a, ip->bytes, 8);
    memcpy(&b, ip->bytes + 8, 8);
    return uet_mix(uet_mix(seed + ip->version, a), b);
}

/* All that one packet can take, so that nothing fails half-way. */
static bool reserve(struct uet_track *track)
{
    const struct uet_track_allocator *a = &track->config.allocator;
    return uet_pool_reserve(&track->pool, UET_POOL_RESERVE) &&
           uet_map_reserve(&track->pdc_keys, a, 4) && uet_map_reserve(&track->psns, a, 1) &&
           uet_map_reserve(&track->loose, a, 2) && uet_map_reserve(&track->messages, a, 1);
}

static void take_request(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    uet_locate_request(track);
    if (t->pdc)
        t->was = t->pdc->dir[!t->forward];
    if (t->loose)
        uet_loose_take(track);
    else
        uet_psn_take(track);
}

const struct uet_tracked *uet_track_add(struct uet_track *track, const uint8_t *frame, size_t len,
                                        uint64_t time_ns)
{
    struct uet_tracked *t = &track->t;
    if (!reserve(track))
        return NULL;
    memset(t, 0, sizeof *t);
    t->track = track;
    t->number = ++track->number;
    t->time_ns = time_ns;
    uet_parse(&t->packet, frame, len, &track->parse);
    if (!t->packet.pds || t->packet.crc_state == UET_CRC_BAD)
        return t;
    track->src = uet_src_ip(&t->packet);
    track->dst = uet_dst_ip(&t->packet);
    track->src_hash = ip_hash(track->config.hash_seed, &track->src);
    track->dst_hash = ip_hash(track->config.hash_seed, &track->dst);
    track->spdcid = uet_spdcid(&t->packet);
    track->dpdcid = uet_dpdcid(&t->packet);
    if (uet_is_ack(&t->packet))
        uet_ack_take(track);
    else if (uet_is_nack(&t->packet))
        uet_nack_take(track);
    else
        take_request(track);
    return t;
}
