/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The secure domain of a plan (3.7), and what is tried against it. From streams of its own: without
 * security a scenario is what it was before there was any.
 */
#include "sim/plan/internal.h"

#define STREAM          0x5ec0de /* any number: what makes the stream another one */
#define ROTATION_STREAM 0x20747e /* the same */

/* Through all queues, there and back. */
#define ROUND_TRIP_NS 20000000ull

const char *sim_secure_name(enum sim_secure secure)
{
    static const char *const names[SIM_SECURE_KINDS] = {
        "none", "cluster", "cluster-ssi", "server", "server-ssi", "direct", "mixed"};

    return (unsigned)secure < SIM_SECURE_KINDS ? names[secure] : NULL;
}

static uint8_t draw_kind(struct sim_random *r, uint8_t wanted)
{
    bool secure = sim_percent(r, 30);
    uint8_t kind = (uint8_t)sim_between(r, SIM_CLUSTER, SIM_DIRECT);

    if (wanted != SIM_SECURE_MIXED)
        return wanted;
    return secure ? kind : SIM_IN_CLEAR;
}

/* Derived keys that change every few packets, or not within a scenario. */
static void draw_rekey(struct sim_security *s, struct sim_random *r)
{
    s->rekey_shift = (uint8_t)sim_between(r, 1, 12);
    s->rekey_mask = (sim_percent(r, 30) ? 7ull : 0xffffffffull) << s->rekey_shift;
    s->rekey = sim_percent(r, 40) && (s->kind == SIM_CLUSTER || s->kind == SIM_CLUSTER_SSI);
}

/* Counters begin anywhere in 48 bits, with room for all packets of a scenario. */
static void draw_counters(struct sim_security *s, struct sim_random *r)
{
    static const uint64_t edges[] = {1ull << 16, 1ull << 32, 1ull << 46};

    s->epoch = (uint16_t)(sim_percent(r, 60) ? 0 : sim_draw(r));
    s->counter = sim_percent(r, 60) ? 0 : sim_spread(r, 1, 1ull << 46);
    if (sim_percent(r, 20))
        s->counter = edges[sim_draw(r) % 3] - sim_between(r, 1, 1000);
    /* A client has the key of one epoch, which must be its server's. */
    s->by_epoch = sim_percent(r, 40) && s->kind != SIM_SERVER && s->kind != SIM_SERVER_SSI;
    s->block = (uint32_t)sim_spread(r, 1, 4096);
}

static void draw_attacks(struct sim_security *s, struct sim_random *r)
{
    bool at_all = sim_percent(r, 70);

    for (unsigned i = 0; i < SIM_ATTACKS; i++) {
        uint32_t often = (uint32_t)sim_spread(r, 100, 100000);
        s->attacks[i] = sim_percent(r, 60) && at_all ? often : 0;
    }
    s->auth_fail_threshold = sim_percent(r, 5) ? 1000 : 0;
}

/* Peers must read alike what public sources leave open. */
static void join(struct sim_plan *plan, uint16_t i, struct sim_random *r)
{
    struct uet_fep_choices *c = &plan->choices[i];

    plan->fep[i].protect = UET_PROTECT_TSS;
    plan->fep[i].max_domains = 1;
    plan->secure.random_start[i] = sim_percent(r, 40);
    c->tss_starts_random = c->tss_nacks_in_clear = c->tss_udp_not_in_aad = false;
    c->tss_ipv6_by_address = c->tss_takes_extra_ssi = false;
    c->tss_floor_low = sim_percent(r, 20);
}

/* An operator gives PENDING PDCs longer than a round trip takes, late answers included. */
static void lengthen_pending(struct sim_plan *plan)
{
    uint64_t least = ROUND_TRIP_NS;

    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->choices[i].answer_delay_ns + ROUND_TRIP_NS > least)
            least = plan->choices[i].answer_delay_ns + ROUND_TRIP_NS;
    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->fep[i].params.New_PDC_Time < least)
            plan->fep[i].params.New_PDC_Time = least;
}

void plan_draw_security(struct sim_plan *plan, const struct sim_limits *limits)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), STREAM)};
    struct sim_security *s = &plan->secure;
    bool v6 = plan->fep[0].address.version == 6;

    s->kind = draw_kind(&r, limits->secure);
    if (s->kind == SIM_IN_CLEAR)
        return;
    s->ssi = s->kind == SIM_CLUSTER_SSI || s->kind == SIM_SERVER_SSI ||
             (s->kind == SIM_DIRECT && sim_percent(&r, 50));
    if (v6 && s->kind != SIM_CLUSTER) /* who needs it (TSS-017) */
        s->ssi = true;
    if (s->kind == SIM_SERVER && s->ssi)
        s->kind = SIM_SERVER_SSI;
    draw_rekey(s, &r);
    draw_counters(s, &r);
    draw_attacks(s, &r);
    s->encrypt_from = (uint16_t)(sim_percent(&r, 75) ? 0 : sim_between(&r, 16, 100));
    if (sim_percent(&r, 5))
        s->encrypt_from = UET_TSS_ENCRYPT_NOTHING;
    s->sdi = (uint32_t)sim_draw(&r) & 0xffffff;
    plan->protect = UET_PROTECT_TSS;
    plan->unguarded = false;
    for (uint16_t i = 0; i < plan->n_feps; i++)
        join(plan, i, &r);
    lengthen_pending(plan);
}

/* One after the other: a key is loaded when all have left the one whose place it takes. */
void plan_draw_rotations(struct sim_plan *plan)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), ROTATION_STREAM)};
    uint8_t n = (uint8_t)(sim_percent(&r, 40) ? 0 : sim_between(&r, 1, SIM_ROTATIONS_MAX));

    if (plan->secure.kind == SIM_IN_CLEAR || !n)
        return;
    uint64_t each = plan->length_ns / n;
    plan->secure.n_rotations = n;
    for (uint8_t i = 0; i < n; i++) {
        struct sim_rotation *rotation = &plan->secure.rotations[i];
        uint64_t wait = sim_draw(&r) % (each / 2 + 1);
        rotation->at_ns = i * each + wait;
        rotation->for_ns = 2 + sim_draw(&r) % (each - wait);
    }
}
