/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What TSS headers tell (3.7.11), with a key or without: which IVs a source has used, whether its
 * counter rises, and when it turns to the other AN. A source is an SDI, an SSI and the address that
 * packets come from.
 *
 * Memory is bounded. Of IVs the newest are remembered, some IVS_MAX of them: of one source those
 * with the highest counters. Whatever may have been forgotten is counted, and nothing is said of
 * it.
 */
#include "track/internal.h"

#define IVS_FIRST   1024u
#define IVS_MAX     65536u
#define TRIES       4u
#define PATHS       1024u
#define SOURCES_MAX 4096u
#define SIBLINGS    8 /* sources with one SSI that are looked at */

/* One AN of a source. */
struct slot {
    uint32_t last_by; /* number of its newest packet; 0: none was seen */
    uint16_t epoch;   /* of its highest TSC */
    uint16_t key;
    uint64_t counter;
};

struct uet_track_source {
    uint32_t sdi, ssi;
    bool sp;
    struct uet_ip ip;
    uint64_t hash;
    uint8_t an; /* of its newest packet */
    struct slot slot[2];
    struct uet_track_source *sibling; /* the same SDI and SSI, another address */
};

/* An IV, and the packet that had it. */
struct iv {
    const struct uet_track_source *source; /* NULL: none */
    uint64_t counter;
    uint32_t number, mark, what;
    uint16_t epoch, key;
    uint8_t an;
};

/* The newest packet on one path: from a source to an address, with one entropy value and DSCP. */
struct path {
    uint64_t hash;
    uint64_t counter;
    uint32_t number; /* 0: none */
    uint16_t epoch, key;
    uint8_t an;
};

struct uet_seals {
    struct uet_map sources;  /* by SDI, SSI and address */
    struct uet_map siblings; /* the newest source, by SDI and SSI */
    uint32_t n_sources;
    struct iv *ivs;
    uint32_t cap; /* a power of two */
    bool forgot;  /* an IV has taken the place of another one */
    struct path paths[PATHS];
};

void uet_seals_free(struct uet_track *track)
{
    const struct uet_track_allocator *a = &track->config.allocator;
    struct uet_seals *s = track->seals;
    if (!s || !a->free)
        return;
    uet_map_free(&s->sources, a);
    uet_map_free(&s->siblings, a);
    if (s->ivs)
        a->free(a->ctx, s->ivs);
    a->free(a->ctx, s);
}

/* ---- sources ---- */

static uint64_t ip_hash(uint64_t seed, const struct uet_ip *ip)
{
    uint64_t a, b;
    memcpy(&a, ip->bytes, 8);
    memcpy(&b, ip->bytes + 8, 8);
    return uet_mix(uet_mix(seed + ip->version, a), b);
}

static bool same_domain(const void *value, const void *key)
{
    const struct uet_track_source *a = value, *b = key;
    return a->sdi == b->sdi && a->ssi == b->ssi && a->sp == b->sp;
}

static bool same_source(const void *value, const void *key)
{
    const struct uet_track_source *a = value, *b = key;
    return same_domain(a, b) && uet_ip_equal(&a->ip, &b->ip);
}

static bool room_for_source(struct uet_track *track)
{
    struct uet_seals *s = track->seals;
    const struct uet_track_allocator *a = &track->config.allocator;
    return s->n_sources < SOURCES_MAX && uet_map_reserve(&s->sources, a, 1) &&
           uet_map_reserve(&s->siblings, a, 1) &&
           uet_pool_reserve(&track->pool, UET_POOL_RESERVE + sizeof(struct uet_track_source));
}

/* NULL when there are too many. */
static struct uet_track_source *new_source(struct uet_track *track,
                                           const struct uet_track_source *key, uint64_t domain)
{
    struct uet_seals *s = track->seals;
    if (!room_for_source(track))
        return NULL;
    struct uet_track_source *source = uet_pool_get(&track->pool, sizeof *source);
    *source = *key;
    source->sibling = uet_map_take(&s->siblings, domain, same_domain, key);
    uet_map_put(&s->sources, key->hash, source);
    uet_map_put(&s->siblings, domain, source);
    s->n_sources++;
    return source;
}

static struct uet_track_source *find_source(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    struct uet_track_source key = {
        .sdi = p->sdi, .ssi = p->seal.ssi, .sp = p->tss == UET_H_TSS_HDR_16, .ip = uet_src_ip(p)};
    uint64_t domain = uet_mix(track->config.hash_seed,
                              (uint64_t)key.sdi << 33 | (uint64_t)key.sp << 32 | key.ssi);
    key.hash = ip_hash(domain, &key.ip);
    struct uet_track_source *source =
        uet_map_find(&track->seals->sources, key.hash, same_source, &key);
    return source ? source : new_source(track, &key, domain);
}

/* ---- IVs ---- */

/* Which request or answer it is, so that one that is sent again is known; 0: it was not opened. */
static uint32_t what(const struct uet_packet *p)
{
    if (!p->pds || uet_is_uud(p))
        return 0;
    bool rudi = uet_is_rudi(p) || uet_is_nack_rudi(p);
    uint64_t ids = rudi ? 0 : (uint64_t)uet_spdcid(p) << 8;
    uint64_t kind = uet_is_ack(p) ? 1 : uet_is_nack(p) ? 2 : uet_is_cp(p) ? 3 : 4 + rudi;
    uint32_t number = rudi ? uet_pkt_id(p) : uet_packet_psn(p);
    return (uint32_t)uet_mix(kind | ids, number) | 1;
}

static bool same_iv(const struct iv *a, const struct iv *b)
{
    return a->source == b->source && a->counter == b->counter && a->epoch == b->epoch &&
           a->an == b->an;
}

/* Counters of one source that follow each other have places that do; TRIES of them are tried. */
static struct iv *nth_place(const struct uet_seals *s, const struct iv *iv, unsigned n)
{
    uint64_t base = uet_mix(iv->source->hash, (uint64_t)iv->an << 16 | iv->epoch);
    return &s->ivs[(base + iv->counter + n) & (s->cap - 1)];
}

/* Where it stands; else where it may: a free place, or that of the oldest. NULL: nowhere at all. */
static struct iv *place_of(const struct uet_seals *s, const struct iv *iv)
{
    struct iv *best = NULL;
    for (unsigned i = 0; s->cap && i < TRIES; i++) {
        struct iv *at = nth_place(s, iv, i);
        if (!at->source || same_iv(at, iv))
            return at;
        if (!best || at->number < best->number)
            best = at;
    }
    return best;
}

/* Twice as much room, as long as that is allowed. False when there is none. */
static bool grow(struct uet_track *track)
{
    const struct uet_track_allocator *a = &track->config.allocator;
    struct uet_seals *s = track->seals;
    uint32_t cap = s->cap, more = cap ? 2 * cap : IVS_FIRST;
    struct iv *old = s->ivs, *ivs = cap < IVS_MAX ? a->alloc(a->ctx, more * sizeof *ivs) : NULL;
    if (!ivs)
        return false;
    s->ivs = ivs;
    s->cap = more;
    for (uint32_t i = 0; i < cap; i++) {
        struct iv *at = old[i].source ? place_of(s, &old[i]) : NULL;
        s->forgot |= at && at->source;
        if (at)
            *at = old[i];
    }
    if (old && a->free)
        a->free(a->ctx, old);
    return true;
}

static struct iv iv_of(const struct uet_track *track, const struct uet_track_source *source)
{
    const struct uet_packet *p = &track->t.packet;
    return (struct iv){.source = source,
                       .counter = p->seal.counter,
                       .number = track->t.number,
                       .mark = p->seal.mark,
                       .what = what(p),
                       .epoch = p->seal.epoch,
                       .key = p->seal.key,
                       .an = p->seal.an};
}

/* May the AN have got another key since a packet with key `key` and this number (TSS-035)? */
static bool key_may_differ(const struct uet_track_source *source, const struct uet_packet *p,
                           uint16_t key, uint32_t number)
{
    if (key && p->seal.key)
        return key != p->seal.key;
    return source->slot[!p->seal.an].last_by > number; /* it was idle in between */
}

static bool later(uint16_t epoch, uint64_t counter, uint16_t than_epoch, uint64_t than)
{
    int16_t d = (int16_t)(epoch - than_epoch);
    return d > 0 || (!d && counter > than);
}

/* A packet with the same SSI, AN, epoch and counter from another address. */
static uint32_t shared_by(const struct uet_seals *s, struct iv iv)
{
    const struct uet_track_source *from = iv.source;
    for (int i = 0; from->sp && i < SIBLINGS && from->sibling; i++) {
        iv.source = from = from->sibling;
        const struct iv *other = place_of(s, &iv);
        if (other && same_iv(other, &iv) && iv.key && other->key == iv.key &&
            (!other->mark || other->mark != iv.mark))
            return other->number;
    }
    return 0;
}

static void take_iv(struct uet_track *track, struct uet_track_source *source)
{
    struct uet_seals *s = track->seals;
    struct uet_track_seal *out = &track->t.seal;
    const struct iv iv = iv_of(track, source);
    const struct slot *slot = &source->slot[iv.an];
    struct iv *place = place_of(s, &iv);
    while (place->source && !same_iv(place, &iv) && grow(track))
        place = place_of(s, &iv);
    if (same_iv(place, &iv)) {
        if (!key_may_differ(source, &track->t.packet, place->key, place->number)) {
            out->used_by = place->number;
            out->used_key = iv.key && place->key;
            out->used_alike = place->mark == iv.mark;
            out->used_again = place->what && place->what == iv.what;
        }
    } else {
        s->forgot |= place->source != NULL;
        bool old = slot->last_by && !later(iv.epoch, iv.counter, slot->epoch, slot->counter);
        track->totals.iv_unsure += old && s->forgot;
    }
    track->totals.iv_again += out->used_by && !out->used_key && !out->used_alike;
    out->shared_by = shared_by(s, iv);
    *place = iv;
}

/* ---- the counter, and the AN ---- */

static void take_path(struct uet_track *track, const struct uet_track_source *source)
{
    const struct uet_packet *p = &track->t.packet;
    const struct uet_ip dst = uet_dst_ip(p);
    uint64_t hash =
        uet_mix(ip_hash(source->hash, &dst), (uint64_t)p->entropy << 8 | (p->traffic_class >> 2));
    struct path *path = &track->seals->paths[hash & (PATHS - 1)];
    bool same = path->number && path->hash == hash && path->an == p->seal.an &&
                !key_may_differ(source, p, path->key, path->number);
    if (same) {
        track->t.seal.path_by = path->number;
        track->t.seal.path_epoch = path->epoch;
        track->t.seal.path_counter = path->counter;
    }
    if (same && !later(p->seal.epoch, p->seal.counter, path->epoch, path->counter))
        return;
    *path = (struct path){.hash = hash,
                          .counter = p->seal.counter,
                          .number = track->t.number,
                          .epoch = p->seal.epoch,
                          .key = p->seal.key,
                          .an = p->seal.an};
}

/* The source turns to the other AN; is the key there new? Only who knows keys can tell. */
static void note_turn(struct uet_track *track, const struct uet_track_source *source)
{
    const struct uet_packet_seal *seal = &track->t.packet.seal;
    const struct slot *slot = &source->slot[seal->an], *other = &source->slot[!seal->an];
    bool turns = source->an != seal->an && other->last_by;
    bool first = !slot->last_by && uet_from_start(track);
    if (!turns || !seal->key || !(first || (slot->last_by && slot->key != seal->key)))
        return;
    track->t.seal.new_key = true;
    track->t.seal.other_counter = other->counter;
}

static void take_slot(struct uet_track *track, struct uet_track_source *source)
{
    const struct uet_packet *p = &track->t.packet;
    struct slot *slot = &source->slot[p->seal.an];
    bool other_key = slot->last_by && key_may_differ(source, p, slot->key, slot->last_by);
    if (!slot->last_by || other_key ||
        later(p->seal.epoch, p->seal.counter, slot->epoch, slot->counter)) {
        slot->epoch = p->seal.epoch;
        slot->counter = p->seal.counter;
    }
    slot->key = p->seal.key;
    slot->last_by = track->t.number;
    source->an = p->seal.an;
}

static bool begin(struct uet_track *track)
{
    const struct uet_track_allocator *a = &track->config.allocator;
    if (!track->seals)
        track->seals = a->alloc(a->ctx, sizeof *track->seals);
    return track->seals && (track->seals->cap || grow(track));
}

/* No packet with a key makes more than 2^34.5 of them (TSS-023), told by the counter alone. */
#define KEY_LIFE UINT64_C(24296003999)

void uet_seal_take(struct uet_track *track)
{
    const struct uet_packet *p = &track->t.packet;
    bool known = p->tss == UET_H_TSS_HDR_12 || p->tss == UET_H_TSS_HDR_16;
    /* What was cut may be there whole, too; and what no key opens, nobody takes. */
    if (!known || !p->ip_version || p->trim != UET_TRIM_NO || p->partial || p->seal.refused ||
        p->error == UET_PARSE_TSS_SHORT || p->error == UET_PARSE_IP_CHECKSUM)
        return;
    struct uet_track_source *source = begin(track) ? find_source(track) : NULL;
    if (!source) {
        track->totals.iv_unsure++;
        return;
    }
    track->t.seal.known = true;
    track->totals.key_old += p->seal.counter > KEY_LIFE;
    note_turn(track, source);
    take_iv(track, source);
    take_path(track, source);
    take_slot(track, source);
}
