/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who watches the packets of a world: the tracker and the rules, in the middle of the fabric and,
 * in some worlds, at the port of one FEP; and, independent of both, that CACK_PSN and CLEAR_PSN
 * never go back and no PSN leaves the window of which its sender has heard.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "sim/internal.h"
#include "sim/plan_internal.h"
#include "track/arena.h"

#define ARENA_MAX      ((size_t)192 << 20)
#define MAX_VIOLATIONS 16
#define PSNS_PER_MPR   128u
#define FAR            65536 /* PSNs that no window spans: another life of the same PDCID */

/* A tracker and its rules at one place. */
struct vantage {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    bool full; /* out of memory: judges no more */
};

/* What a PDC's direction has said so far. */
struct stream_dir {
    bool cack_known, clear_known, heard_known;
    uint32_t cack, clear;
    uint32_t heard; /* the highest CACK_PSN that has reached the sender of this direction */
};

struct stream {
    struct stream_dir dir[2]; /* [0] forward: as the tracker's */
};

struct watch {
    struct vantage middle, port;
    struct stream *streams; /* by the tracker's stream number */
    size_t cap;
    uint32_t *stream_of[SIM_FEPS_MAX]; /* by the FEP's own PDCID: 1 + stream; NULL: none yet */
};

/* ---- trackers ---- */

static int vantage_new(struct vantage *v, const struct world *w, uint8_t vantage, bool from_start,
                       const struct uet_ip *sender)
{
    const struct sim_plan *plan = w->plan;
    struct uet_track_config track = {
        .vantage = vantage,
        .protect = plan->protect,
        .from_start = from_start,
        .hash_seed = plan->seed,
    };
    struct uet_rules_config rules = {.vantage = vantage, .spec = plan->fep[0].spec};

    uet_track_arena_init(&v->arena, ARENA_MAX);
    track.allocator = uet_track_arena_allocator(&v->arena);
    if (sender)
        rules.sender = *sender;
    v->track = uet_track_new(&track);
    v->rules = v->track ? uet_rules_new(&rules, &track.allocator) : NULL;
    return v->rules ? 0 : -ENOMEM;
}

static void vantage_free(struct vantage *v)
{
    uet_rules_free(v->rules);
    uet_track_free(v->track);
    uet_track_arena_free(&v->arena);
    *v = (struct vantage){0};
}

static int vantages_new(struct world *w, bool from_start)
{
    struct watch *watch = w->watch;
    int fep = w->plan->watched;
    int rc = vantage_new(&watch->middle, w, UET_VANTAGE_MIDDLE, from_start, NULL);

    if (rc == 0 && fep >= 0)
        rc = vantage_new(&watch->port, w,
                         w->plan->watched_initiates ? UET_VANTAGE_INITIATOR : UET_VANTAGE_TARGET,
                         from_start, &w->plan->fep[fep].address);
    return rc;
}

int watch_new(struct world *w)
{
    w->watch = calloc(1, sizeof(*w->watch));
    return w->watch ? vantages_new(w, true) : -ENOMEM;
}

static void forget(struct watch *watch)
{
    vantage_free(&watch->middle);
    vantage_free(&watch->port);
    for (unsigned i = 0; i < SIM_FEPS_MAX; i++) {
        free(watch->stream_of[i]);
        watch->stream_of[i] = NULL;
    }
    if (watch->streams)
        memset(watch->streams, 0, watch->cap * sizeof(*watch->streams));
}

void watch_free(struct world *w)
{
    if (!w->watch)
        return;
    forget(w->watch);
    free(w->watch->streams);
    free(w->watch);
}

int watch_restart(struct world *w)
{
    forget(w->watch);
    return vantages_new(w, false);
}

static const struct uet_tracked *judge(struct world *w, struct vantage *v, const char *where,
                                       const uint8_t *frame, uint32_t len)
{
    struct uet_violation violations[MAX_VIOLATIONS];
    const struct uet_tracked *tracked;
    size_t n;

    if (v->full || !v->track)
        return NULL;
    tracked = uet_track_add(v->track, frame, len, w->now);
    if (!tracked) {
        v->full = true;
        w->result->untracked++;
        return NULL;
    }
    n = uet_rules_check(v->rules, tracked, violations, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++)
        world_breach(w, SIM_RULE, violations[i].requirement, "%s (%s, packet %u)",
                     violations[i].message, where, violations[i].number);
    return tracked;
}

/* ---- what never goes back ---- */

static struct stream *stream_at(struct world *w, uint32_t number)
{
    struct watch *watch = w->watch;
    struct stream *grown;
    size_t cap = watch->cap ? watch->cap : 64;

    if (number < watch->cap)
        return &watch->streams[number];
    while (cap <= number)
        cap *= 2;
    grown = realloc(watch->streams, cap * sizeof(*grown));
    if (!grown) {
        w->error = -ENOMEM;
        return NULL;
    }
    memset(grown + watch->cap, 0, (cap - watch->cap) * sizeof(*grown));
    watch->streams = grown;
    watch->cap = cap;
    return &grown[number];
}

static void check_cack(struct world *w, const struct uet_tracked *t, struct stream *s)
{
    struct stream_dir *dir = &s->dir[t->forward];
    uint32_t cack = uet_ack_cack_psn(uet_pds(&t->packet));

    if (dir->cack_known && uet_psn_diff(cack, dir->cack) < 0)
        world_breach(w, SIM_CACK, "", "PDC %u: CACK_PSN %u after %u (packet %u)", t->pdc->stream,
                     cack, dir->cack, t->number);
    dir->cack_known = true;
    dir->cack = cack;
}

static void check_clear(struct world *w, const struct uet_tracked *t, struct stream *s)
{
    struct stream_dir *dir = &s->dir[!t->forward];
    uint32_t clear = uet_clear_psn(&t->packet);

    if (dir->clear_known && uet_psn_diff(clear, dir->clear) < 0)
        world_breach(w, SIM_CLEAR, "", "PDC %u: CLEAR_PSN %u after %u (packet %u)", t->pdc->stream,
                     clear, dir->clear, t->number);
    dir->clear_known = true;
    dir->clear = clear;
}

/* The most that both sides together allow: what the one assumes and what the other advertises. */
static uint32_t window_of(const struct world *w, uint16_t host, uint16_t peer)
{
    uint32_t mine = w->plan->fep[host].params.Default_MPR;
    uint32_t its = w->plan->fep[peer].params.Default_MPR;

    return (mine > its ? mine : its) * PSNS_PER_MPR;
}

static int host_of(const struct world *w, const struct uet_ip *ip)
{
    unsigned i = ip->bytes[uet_ip_len(ip) - 1] - 1u;

    return i < w->plan->n_feps && uet_ip_equal(ip, &w->plan->fep[i].address) ? (int)i : -1;
}

static void check_window(struct world *w, uint16_t host, const struct uet_tracked *t,
                         struct stream *s)
{
    struct stream_dir *dir = &s->dir[!t->forward];
    struct uet_ip to = uet_dst_ip(&t->packet);
    uint32_t psn = uet_packet_psn(&t->packet), heard = dir->heard;
    int peer = host_of(w, &to);

    if (!dir->heard_known) {
        if (!t->pdc->start_known)
            return;
        heard = t->pdc->start_psn - 1;
    }
    if (peer >= 0 && uet_psn_diff(psn, heard) > (int32_t)window_of(w, host, (uint16_t)peer))
        world_breach(w, SIM_WINDOW, "", "PDC %u: PSN %u, %d beyond the newest CACK_PSN %u heard",
                     t->pdc->stream, psn, uet_psn_diff(psn, heard), heard);
}

/* Answers to this PDCID of the FEP concern this stream from now on. */
static void remember(struct world *w, uint16_t host, const struct uet_tracked *t)
{
    uint32_t **table = &w->watch->stream_of[host];

    if (!*table)
        *table = calloc(65536, sizeof(**table));
    if (!*table)
        w->error = -ENOMEM;
    else
        (*table)[uet_spdcid(&t->packet)] = t->pdc->stream + 1;
}

static void check_stream(struct world *w, uint16_t host, const struct uet_tracked *t)
{
    const struct uet_packet *p = &t->packet;
    struct stream *s;

    if (!t->pdc || t->mismatch || !t->from_initiator_known || t->pdc->closed)
        return;
    s = stream_at(w, t->pdc->stream);
    if (!s)
        return;
    remember(w, host, t);
    if (uet_is_ack(p))
        check_cack(w, t, s);
    if (uet_is_request(p)) {
        check_clear(w, t, s);
        check_window(w, host, t, s);
    }
}

void watch_sent(struct world *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    const struct uet_tracked *t;
    int rc;

    if (w->run->pcap) {
        rc = uet_pcapng_write(w->run->pcap, frame, len, w->now, UET_DIRECTION_UNKNOWN, NULL);
        if (rc)
            w->error = rc;
    }
    t = judge(w, &w->watch->middle, "in the middle", frame, len);
    if (t)
        check_stream(w, host, t);
    if (w->plan->watched == host)
        judge(w, &w->watch->port, "at its port", frame, len);
}

/* ---- what a FEP hears ---- */

static void hear(struct world *w, uint16_t host, const struct uet_packet *p)
{
    const uint32_t *table = w->watch->stream_of[host];
    uint32_t number = table ? table[uet_dpdcid(p)] : 0, cack = uet_ack_cack_psn(uet_pds(p));
    struct stream *s = number ? stream_at(w, number - 1) : NULL;

    if (!s)
        return;
    for (int d = 0; d < 2; d++) {
        struct stream_dir *dir = &s->dir[d];
        /* The other end must have said it in this life of the PDC. */
        if (!dir->cack_known || abs(uet_psn_diff(cack, dir->cack)) > FAR)
            continue;
        if (!dir->heard_known || uet_psn_diff(cack, dir->heard) > 0)
            dir->heard = cack;
        dir->heard_known = true;
    }
}

void watch_received(struct world *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    struct uet_parse_options options = {.protect = UET_PROTECT_NONE};
    struct uet_packet p;

    if (w->plan->watched == host)
        judge(w, &w->watch->port, "at its port", frame, len);
    uet_parse(&p, frame, len, &options);
    if (!uet_is_ack(&p))
        return;
    options.protect = w->plan->protect;
    if (uet_parse(&p, frame, len, &options) == UET_PARSE_OK)
        hear(w, host, &p);
}
