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
    if (config->window && config->window < UET_TRACK_WINDOW_MIN)
        track->config.window = UET_TRACK_WINDOW_MIN;
    track->parse = (struct uet_parse_options){.protect = config->protect,
                                              .crc_order = config->crc_order,
                                              .lenient = true,
                                              .udp_port = config->udp_port,
                                              .ip_protocol = config->ip_protocol,
                                              .dscp_trimmed = config->dscp_trimmed,
                                              .dscp_trimmed_lasthop = config->dscp_trimmed_lasthop};
    return track;
}

void uet_track_free(struct uet_track *track)
{
    if (!track)
        return;
    const struct uet_track_allocator a = track->config.allocator;
    uet_map_free(&track->pairs, &a);
    uet_map_free(&track->pdc_keys, &a);
    uet_map_free(&track->psns.map, &a);
    uet_map_free(&track->loose, &a);
    uet_map_free(&track->cccs, &a);
    uet_map_free(&track->messages.map, &a);
    uet_seals_free(track);
    uet_pool_free(&track->pool);
    if (a.free)
        a.free(a.ctx, track);
}

void uet_track_skip(struct uet_track *track, uint32_t n)
{
    track->number += n;
}

void uet_track_begun_anew(struct uet_track *track)
{
    for (struct uet_track_pdc *pdc = track->first; pdc; pdc = pdc->next)
        pdc->whole = false;
}

const struct uet_track_pdc *uet_track_pdcs(const struct uet_track *track)
{
    return track->first;
}

const struct uet_track_totals *uet_track_totals(const struct uet_track *track)
{
    return &track->totals;
}

bool uet_track_knows_trims(const struct uet_track *track)
{
    return track->config.dscp_trimmed != 0;
}

bool uet_track_from_start(const struct uet_track *track)
{
    return uet_from_start(track);
}

enum uet_vantage uet_track_vantage(const struct uet_track *track)
{
    return track->config.vantage;
}

/* All that one packet can take, so that nothing fails half-way. */
static bool reserve(struct uet_track *track)
{
    const struct uet_track_allocator *a = &track->config.allocator;
    return uet_pool_reserve(&track->pool, UET_POOL_RESERVE) &&
           uet_map_reserve(&track->pairs, a, 1) && uet_map_reserve(&track->pdc_keys, a, 6) &&
           uet_map_reserve(&track->psns.map, a, 1) && uet_map_reserve(&track->loose, a, 2) &&
           uet_map_reserve(&track->messages.map, a, 1) && uet_map_reserve(&track->cccs, a, 1);
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

static void count(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_track_totals *n = &track->totals;
    n->uet += p->pds || p->tss || p->partial;
    n->sealed += p->error == UET_PARSE_SEALED;
    n->trimmed += p->trim != UET_TRIM_NO && (p->pds || p->tss);
    n->crc_bad += p->crc_state == UET_CRC_BAD;
    n->uud += uet_is_uud(p) && p->crc_state != UET_CRC_BAD;
}

/* What belongs to a PDC, or could. */
static void take_rud_rod(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    track->spdcid = uet_spdcid(&t->packet);
    track->dpdcid = uet_dpdcid(&t->packet);
    if (uet_is_ack(&t->packet))
        uet_ack_take(track);
    else if (uet_is_nack(&t->packet))
        uet_nack_take(track);
    else
        take_request(track);
    if (t->pdc && t->packet.trim != UET_TRIM_NO)
        t->pdc->n_trimmed++;
    if (t->opens && t->pdc && !t->packet.tss)
        t->pdc->in_clear = true;
    if (t->pdc && t->packet.tss && !t->mismatch && !t->pdc->sdi_known && !t->pdc->in_clear) {
        t->pdc->sdi_known = true;
        t->pdc->sdi = t->packet.sdi;
        t->pdc->ssi_of_initiator = t->forward;
        t->pdc->ssi = t->packet.seal.ssi;
    }
    if (t->pdc && t->packet.tss && t->pdc->sdi_known && t->packet.sdi == t->pdc->sdi)
        t->pdc->sdi_from[t->forward] = true;
}

/* The packet in t is taken. */
static const struct uet_tracked *take(struct uet_track *track)
{
    struct uet_tracked *t = &track->t;
    count(track);
    if (t->packet.tss)
        uet_seal_take(track);
    if (!t->packet.pds || t->packet.crc_state == UET_CRC_BAD || !t->packet.ip_version)
        return t;
    uet_locate_pair(track);
    track->spdcid = track->dpdcid = 0;
    if (uet_is_rudi(&t->packet) || uet_is_nack_rudi(&t->packet))
        uet_rudi_take(track);
    else if (uet_is_uud(&t->packet))
        t->loose = true;
    else
        take_rud_rod(track);
    return t;
}

static struct uet_tracked *next(struct uet_track *track, uint64_t time_ns)
{
    struct uet_tracked *t = &track->t;
    if (!reserve(track))
        return NULL;
    memset(t, 0, offsetof(struct uet_tracked, packet)); /* that is overwritten anyway */
    t->track = track;
    t->number = ++track->number;
    t->time_ns = time_ns;
    return t;
}

const struct uet_tracked *uet_track_add(struct uet_track *track, const uint8_t *frame, size_t len,
                                        uint64_t time_ns)
{
    struct uet_tracked *t = next(track, time_ns);
    if (!t)
        return NULL;
    uet_parse(&t->packet, frame, len, &track->parse);
    return take(track);
}

struct uet_packet *uet_track_place(struct uet_track *track)
{
    return &track->t.packet;
}

const struct uet_tracked *uet_track_add_packet(struct uet_track *track,
                                               const struct uet_packet *packet, uint64_t time_ns)
{
    struct uet_tracked *t = next(track, time_ns);
    if (!t)
        return NULL;
    if (packet != &t->packet)
        t->packet = *packet;
    return take(track);
}
