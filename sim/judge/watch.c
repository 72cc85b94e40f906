/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who watches the packets of a scenario: the tracker and the rules, in the middle of the fabric
 * and, in some scenarios, at the port of one FEP; and, independent of both, psns.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rules.h"
#include "sim/plan/internal.h"
#include "sim/scenario/internal.h"
#include "track/arena.h"

#define ARENA_MAX      ((size_t)192 << 20)
#define MAX_VIOLATIONS 16

/* A tracker and its rules at one place. */
struct vantage {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    bool full; /* out of memory: judges no more */
};

struct watch {
    struct vantage middle, port;
    struct psns *psns;
};

/* ---- trackers ---- */

static int vantage_new(struct vantage *v, const struct scenario *w, uint8_t vantage,
                       bool from_start, const struct uet_ip *sender)
{
    const struct sim_plan *plan = w->plan;
    struct uet_track_config track = {
        .vantage = vantage,
        .protect = plan->protect,
        .udp_port = plan->udp_port,
        .ip_protocol = plan->ip_protocol,
        .dscp_trimmed = SIM_TRIMMED_MASK,
        .dscp_trimmed_lasthop = SIM_LASTHOP_MASK,
        .from_start = from_start,
        .hash_seed = plan->seed,
    };
    struct uet_rules_config rules = {
        .vantage = vantage, .spec = plan->spec, .dscp_control = 1ull << SIM_DSCP_CONTROL};

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

/* Who stands at a port takes old packets that somebody sends once more for the peer's own. */
static bool is_misled(const struct sim_plan *plan)
{
    const struct sim_security *s = &plan->secure;

    return s->attacks[SIM_ATTACK_REPLAY] || s->attacks[SIM_ATTACK_CUT];
}

static int vantages_new(struct scenario *w, bool from_start)
{
    struct watch *watch = w->watch;
    int fep = w->plan->watched;
    int rc = vantage_new(&watch->middle, w, UET_VANTAGE_MIDDLE, from_start, NULL);

    /* At its port a FEP with another incarnation is more than the tracker promises to tell apart.
     */
    if (rc == 0 && fep >= 0 && from_start && !is_misled(w->plan))
        rc = vantage_new(&watch->port, w,
                         w->plan->watched_initiates ? UET_VANTAGE_INITIATOR : UET_VANTAGE_TARGET,
                         from_start, &w->plan->fep[fep].address);
    return rc;
}

int watch_new(struct scenario *w)
{
    w->watch = calloc(1, sizeof(*w->watch));
    if (!w->watch)
        return -ENOMEM;
    w->watch->psns = psns_new();
    return w->watch->psns ? vantages_new(w, true) : -ENOMEM;
}

void watch_free(struct scenario *w)
{
    if (!w->watch)
        return;
    vantage_free(&w->watch->middle);
    vantage_free(&w->watch->port);
    psns_free(w->watch->psns);
    free(w->watch);
}

int watch_restart(struct scenario *w, uint16_t host)
{
    vantage_free(&w->watch->middle);
    vantage_free(&w->watch->port);
    psns_forget(w, w->watch->psns, host);
    congestion_forget(w, host);
    return vantages_new(w, false);
}

/* Told by its bytes, or as it was opened. */
static void judge(struct scenario *w, struct vantage *v, const char *where, const uint8_t *frame,
                  uint32_t len, const struct uet_packet *opened)
{
    struct uet_violation violations[MAX_VIOLATIONS];
    const struct uet_tracked *tracked;
    size_t n;

    if (v->full || !v->track)
        return;
    tracked = opened ? uet_track_add_packet(v->track, opened, w->now)
                     : uet_track_add(v->track, frame, len, w->now);
    if (!tracked) {
        v->full = true;
        w->result->untracked++;
        return;
    }
    n = uet_rules_check(v->rules, tracked, violations, MAX_VIOLATIONS);
    for (size_t i = 0; i < n; i++)
        scenario_breach(w, SIM_RULE, violations[i].requirement, "%s (%s, packet %u)",
                        violations[i].message, where, violations[i].number);
}

/* ---- frames ---- */

static void capture(struct scenario *w, uint16_t host, bool sent, const uint8_t *frame,
                    uint32_t len)
{
    bool wanted = w->run->at_port ? w->plan->watched == host : sent;
    int rc = w->run->pcap && wanted
                 ? uet_pcapng_write(w->run->pcap, frame, len, w->now, UET_DIRECTION_UNKNOWN, NULL)
                 : 0;

    if (rc)
        w->error = rc;
}

static void congest(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len,
                    void (*tell)(struct scenario *w, uint16_t host, const struct uet_packet *p))
{
    const struct uet_parse_options how = scenario_parse(w);
    struct uet_packet p;

    if (!w->congestion)
        return;
    uet_parse(&p, frame, len, &how);
    tell(w, host, &p);
}

void watch_sent(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    const struct uet_parse_options how = scenario_parse(w);
    const struct uet_packet *opened = NULL;

    capture(w, host, true, frame, len);
    if (w->seals) {
        opened = seals_sent(w, host, frame, len);
        if (!opened)
            return;
        sim_tally_packet(&w->result->tally, opened);
        psns_sent_packet(w, w->watch->psns, host, opened);
        congestion_sent(w, host, opened);
    } else {
        congest(w, host, frame, len, congestion_sent);
        sim_tally_frame(&w->result->tally, frame, len, &how);
        psns_sent(w, w->watch->psns, host, frame, len);
    }
    judge(w, &w->watch->middle, "in the middle", frame, len, opened);
    if (w->plan->watched == host)
        judge(w, &w->watch->port, "at its port", frame, len, opened);
}

/*
 * Damaged in its UDP length? FEPs drop it, as its DSCP is not that of a trimmed packet. To a
 * tracker it may be one all the same (4.1.3), and it believes what is left of it: its CRC would be
 * gone.
 */
static bool length_damaged(const struct scenario *w, const uint8_t *frame, uint32_t len)
{
    struct uet_parse_options how = scenario_parse(w);
    struct uet_packet p;

    how.dscp_trimmed = SIM_TRIMMED_MASK;
    return uet_parse(&p, frame, len, &how) == UET_PARSE_UDP_LENGTH;
}

void watch_received(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    capture(w, host, false, frame, len);
    if (w->seals) {
        const struct uet_packet *p = seals_open(w, frame, len);
        if (p->error == UET_PARSE_OK && p->tss && !p->trim) {
            psns_received_packet(w, w->watch->psns, host, p);
            congestion_received(w, host, p);
        }
        if (w->plan->watched == host && p->tss)
            judge(w, &w->watch->port, "at its port", frame, len, p);
        return;
    }
    psns_received(w, w->watch->psns, host, frame, len);
    congest(w, host, frame, len, congestion_received);
    if (w->plan->watched == host && !length_damaged(w, frame, len))
        judge(w, &w->watch->port, "at its port", frame, len, NULL);
}
