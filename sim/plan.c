/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: topology, FEPs and the sum of it all; operations and faults are drawn in traffic.c. */
#include "sim/plan.h"

#include <stdlib.h>

#include "sim/choice.h"
#include "sim/plan_internal.h"

/* ---- topology ---- */

static struct uet_fabric_line draw_line(struct sim_plan *plan, struct sim_random *r)
{
    static const uint64_t speeds[] = {10, 25, 100, 400};
    uint32_t low = (uint32_t)sim_spread(r, 16384, 2u << 20);
    struct uet_fabric_line line = {
        .latency_ns = sim_spread(r, 200, 50000),
        .bits_per_s = speeds[sim_draw(r) % 4] * 1000000000ull,
        .drop_bytes = {low, (uint32_t)sim_spread(r, 8192, 1u << 20),
                       (uint32_t)sim_spread(r, 32768, 1u << 20)},
    };

    if (plan->trimming)
        line.trim_bytes = low / 2;
    if (sim_percent(r, 60)) { /* 0.2 and 0.8 of the product (3.6.17) */
        line.ecn_min_bytes = low / 5;
        line.ecn_max_bytes = low / 5 * 4;
    }
    return line;
}

static void add_cable(struct sim_plan *plan, unsigned a, unsigned b, struct uet_fabric_line line)
{
    plan->cables[plan->n_cables++] =
        (struct uet_fabric_cable){.a = (uint16_t)a, .b = (uint16_t)b, .line = line};
}

/* Back to back; one switch; or leaves under spines of different length: paths that reorder. */
static void draw_topology(struct sim_plan *plan, struct sim_random *r)
{
    struct uet_fabric_line line = draw_line(plan, r);
    unsigned hosts = plan->n_feps, leaves = 1, spines = 0;

    if (hosts == 2 && sim_percent(r, 30)) {
        add_cable(plan, 0, 1, line);
        return;
    }
    if (sim_percent(r, 60)) {
        leaves = (unsigned)sim_between(r, 2, hosts < 8 ? hosts : 8);
        spines = (unsigned)sim_between(r, 1, 4);
    }
    plan->n_switches = (uint16_t)(leaves + spines);
    for (unsigned h = 0; h < hosts; h++)
        add_cable(plan, h, hosts + h % leaves, line);
    for (unsigned s = 0; s < spines; s++) {
        struct uet_fabric_line up = draw_line(plan, r);
        for (unsigned l = 0; l < leaves; l++)
            add_cable(plan, hosts + l, hosts + leaves + s, up);
    }
}

/* ---- FEPs ---- */

/* Few of everything: who comes last must wait or be told so. */
static void draw_limits(struct uet_fep_config *c, struct sim_random *r, unsigned tight)
{
    if (sim_percent(r, tight))
        c->max_pdcs = (uint16_t)sim_spread(r, 1, 16);
    if (sim_percent(r, tight))
        c->max_stored_responses = (uint16_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_packets = (uint32_t)sim_spread(r, 2, 256);
    if (sim_percent(r, tight))
        c->max_rudi_packets = (uint32_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_operations = (uint16_t)sim_spread(r, 1, 32);
    if (sim_percent(r, tight))
        c->max_messages = (uint16_t)sim_spread(r, 1, 16);
}

/* Some parameters of Table 3-28, within their ranges. */
static void draw_params(struct uet_fep_config *c, struct sim_random *r)
{
    static const struct {
        const char *name;
        uint64_t low, high;
    } rows[] = {
        {"Default_MPR", 1, 16},
        {"ACK_On_ECN", 0, 1},
        {"Enb_ACK_Per_Pkt", 0, 1},
        {"ACK_Gen_Trigger", 1, 32768},
        {"ACK_Gen_Min_Pkt_Add", 1, 2048},
        {"RTO_Init_Time", 500000, 20000000},
        {"Max_RTO_Retx_Cnt", 3, 15},
        {"NACK_Retx_Time", 10000, 5000000},
        {"Max_NACK_Retx_Cnt", 2, 31},
        {"PDS_Clear_Time", 1000, 5000000},
        {"Close_REQ_Time", 1000000, 100000000},
        {"Tail_Loss_Time", 100000, 5000000},
        {"Limit_PSN_Range", 0, 1},
        {"Override_MPR_Zero_Value", 0, 127},
        {"SES_Retry_Cnt", 0, 8},
        {"Idle_Time", 1000000, 100000000},
        {"ACK_CC", 0, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t low = rows[i].low ? rows[i].low : 1;
        uint64_t value = sim_spread(r, low, rows[i].high) - (low - rows[i].low);
        if (rows[i].high == 1)
            value = sim_draw(r) & 1;
        /* A parameter that this FEP does not have stays away: the table grows. */
        if (sim_percent(r, 30))
            (void)uet_fep_param_set(&c->params, rows[i].name, value);
    }
}

static void draw_fep(struct sim_plan *plan, struct sim_random *r, uint16_t i, bool v6,
                     unsigned tight)
{
    struct uet_fep_config *c = &plan->fep[i];
    uint16_t mtu = plan->fep[0].payload_mtu;
    uint8_t spec = plan->fep[0].spec;

    uet_fep_config_default(c);
    c->spec = spec;
    c->protect = plan->protect;
    c->dscp_request = SIM_DSCP_TRIMMABLE;
    c->dscp_control = SIM_DSCP_CONTROL;
    c->dscp_rudi_uud = SIM_DSCP_TRIMMABLE;
    c->dscp_trimmed = SIM_TRIMMED_MASK;
    c->dscp_trimmed_lasthop = SIM_LASTHOP_MASK;
    c->seed = sim_mix(plan->seed, sim_mix(plan->world, 1000u + i));
    c->max_services = 2 * SIM_JOBS_MAX + 2;
    c->max_regions = SIM_JOBS_MAX + 1;
    c->address = v6 ? (struct uet_ip){.version = 6, .bytes = {0x20, 0x01, 0x0d, 0xb8}}
                    : (struct uet_ip){.version = 4, .bytes = {192, 0, 2, 0}};
    c->address.bytes[uet_ip_len(&c->address) - 1] = (uint8_t)(i + 1);
    c->payload_mtu = mtu; /* of the whole fabric */
    draw_limits(c, r, tight);
    draw_params(c, r);
}

static void draw_feps(struct sim_plan *plan, struct sim_random *r)
{
    unsigned tight = sim_percent(r, 40) ? 40 : 0;
    bool v6 = sim_percent(r, 30), narrow = sim_percent(r, 15);

    plan->n_jobs = (uint8_t)sim_between(r, 1, SIM_JOBS_MAX);
    plan->receives = 64;
    if (sim_percent(r, 15)) { /* sends find none */
        plan->receives = (uint16_t)sim_spread(r, 1, 8);
        plan->receive_delay_ns = sim_spread(r, 1000, 20000000);
    }
    plan->fep[0].payload_mtu = (uint16_t)(1024u << sim_draw(r) % 4);
    plan->fep[0].spec =
        (uint8_t)(sim_percent(r, 70) ? UET_SPEC_1_0_3
                                     : sim_between(r, UET_SPEC_1_0_2, UET_SPEC_1_0_1));
    plan->protect = sim_percent(r, 75) ? UET_PROTECT_CRC : UET_PROTECT_NONE;
    for (uint16_t i = 0; i < plan->n_feps; i++) {
        draw_fep(plan, r, i, v6, tight);
        if (narrow) /* windows that long messages fill */
            plan->fep[i].params.Default_MPR = 1;
    }
}

/* ---- the whole ---- */

struct sim_plan *sim_plan_new(uint64_t seed, uint64_t world, const struct sim_limits *limits)
{
    struct sim_plan *plan = calloc(1, sizeof(*plan));
    struct sim_random r = {sim_mix(seed, world)};

    if (!plan)
        return NULL;
    plan->seed = seed;
    plan->world = world;
    plan->n_feps = (uint16_t)(sim_percent(&r, 40) ? 2 : sim_spread(&r, 2, SIM_FEPS_MAX));
    if (limits->feps)
        plan->n_feps = limits->feps;
    plan->trimming = sim_percent(&r, 40);
    draw_topology(plan, &r);
    draw_feps(plan, &r);
    if (plan_draw_traffic(plan, &r, limits) || plan_draw_faults(plan, &r)) {
        sim_plan_free(plan);
        return NULL;
    }
    return plan;
}

void sim_plan_free(struct sim_plan *plan)
{
    if (!plan)
        return;
    free(plan->ops);
    free(plan->faults);
    free(plan->restarts);
    free(plan);
}
