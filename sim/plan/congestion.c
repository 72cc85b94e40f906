/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Congestion control in a plan (3.6): which FEPs have it and with what parameters, and storms of
 * marks and trims. From a stream of its own: without it a scenario is what it was before there was
 * any.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"

#define STREAM 0xcc57083 /* any number: what makes the stream another one */
#define LATER  0xcc1a7e2 /* of what came to the parameters later */
#define RATES  0xcca6c00 /* of the rate control that came last */

enum { STORMS_MAX = 8 };

const char *sim_congestion_name(enum sim_congestion congestion)
{
    static const char *const names[SIM_CONGESTION_KINDS] = {"none", "nscc", "rccc",
                                                            "both", "each", "mixed"};

    return (unsigned)congestion < SIM_CONGESTION_KINDS ? names[congestion] : NULL;
}

static uint8_t draw_kind(struct sim_random *r, uint8_t wanted)
{
    bool controlled = sim_percent(r, 40);
    uint8_t kind = (uint8_t)sim_between(r, SIM_NSCC, SIM_EACH);

    if (wanted != SIM_CONGESTION_MIXED)
        return wanted;
    return controlled ? kind : SIM_UNCONTROLLED;
}

/* ---- FEPs ---- */

/* There and back by the longest way: two lines of hosts, and two between switches. */
static uint64_t base_rtt_ns(const struct sim_plan *plan)
{
    uint64_t host = 0, middle = 0;

    for (uint16_t i = 0; i < plan->n_cables; i++) {
        uint64_t latency = plan->cables[i].line.latency_ns;
        if (i < plan->n_feps)
            host = latency > host ? latency : host;
        else
            middle = latency > middle ? latency : middle;
    }
    return 4 * (host + middle) + 1000;
}

/*
 * Credit is asked of a destination that grants it, or nobody sends: so either all FEPs have RCCC or
 * none has. NSCC is each FEP's own affair.
 */
static void draw_control(struct uet_fep_params *p, struct sim_random *r, uint8_t kind, bool credit)
{
    bool nscc = sim_percent(r, 60);

    p->RCCC = kind == SIM_RCCC || kind == SIM_BOTH || (kind == SIM_EACH && credit);
    p->NSCC = kind == SIM_NSCC || kind == SIM_BOTH || (kind == SIM_EACH && nscc);
}

static void draw_window(struct uet_fep_config *c, struct sim_random *r)
{
    struct uet_fep_params *p = &c->params;

    if (sim_percent(r, 30))
        p->MaxWnd = c->payload_mtu * (uint32_t)sim_spread(r, 1, 64);
    else if (sim_percent(r, 70)) /* else the formula's; that may be thousands of packets */
        p->MaxWnd = c->payload_mtu * (uint32_t)sim_spread(r, 64, 256);
    if (sim_percent(r, 20))
        p->CC_Window = c->payload_mtu * (uint32_t)sim_spread(r, 1, 64);
    p->disable_quick_adapt = sim_percent(r, 15);
    p->idle_credit = sim_percent(r, 80);
    if (sim_percent(r, 20))
        p->credit_rate = (uint8_t)sim_between(r, 5, 100);
    if (sim_percent(r, 15))
        p->host_pressure = (uint8_t)sim_between(r, 1, 127);
    p->LB = (uint8_t)(sim_draw(r) % 4);
    p->ev_set_size = (uint16_t)(1u << sim_draw(r) % 9);
}

static void draw_fep(struct sim_plan *plan, struct sim_random *r, uint16_t i, bool credit)
{
    struct uet_fep_config *c = &plan->fep[i];
    struct uet_fep_params *p = &c->params;
    uint64_t rtt = base_rtt_ns(plan) * sim_between(r, 90, 300) / 100;

    draw_control(p, r, plan->congestion, credit);
    p->trimming = plan->trimming;
    p->sender_link_rate = /* back to back there is one cable */
        (uint32_t)(plan->cables[i < plan->n_cables ? i : 0].line.bits_per_s / 1000000);
    p->config_base_rtt = rtt;
    draw_window(c, r);
    if (plan->dscp_rtx != UET_FABRIC_NO_DSCP)
        c->dscp_rtx = plan->dscp_rtx;
    if (p->RTO_Init_Time < 2 * rtt)
        p->RTO_Init_Time = 2 * rtt;
}

/* In some plans: sources that ask for what they have already, ROD that leaves bad paths. */
static void draw_later(struct sim_plan *plan)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), LATER)};
    const bool backlog = sim_percent(&r, 40), reroute = sim_percent(&r, 40);

    for (uint16_t i = 0; i < plan->n_feps; i++) {
        struct uet_fep_params *p = &plan->fep[i].params;
        const bool asks = sim_percent(&r, 60), leaves = sim_percent(&r, 60);
        const uint32_t rest = (uint32_t)sim_spread(&r, 1, 100);
        p->target_of_backlog = backlog && asks;
        p->t_reroute = reroute && leaves ? rest : 0;
    }
}

/* In some plans with credit: destinations that grant less while paths to them are narrow. */
static void draw_arc(struct sim_plan *plan)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), RATES)};
    const bool some = sim_percent(&r, 50);

    for (uint16_t i = 0; i < plan->n_feps; i++) {
        struct uet_fep_params *p = &plan->fep[i].params;
        const bool controls = sim_percent(&r, 70), told = sim_percent(&r, 60);
        const uint8_t over = (uint8_t)sim_spread(&r, 1, 255);
        p->ARC = some && controls && p->RCCC;
        p->oversubscription = p->ARC && told ? over : 0;
    }
}

/* ---- storms ---- */

/* Marks, or trims, of some kinds of packets: up to all that leave, alone or in runs. */
static void draw_storm(const struct sim_plan *plan, struct sim_random *r, struct sim_fault *fault)
{
    struct uet_fabric_faults *f = &fault->faults;
    uint32_t rate = (uint32_t)sim_spread(r, 1000, 1000000);
    uint16_t run = (uint16_t)(sim_percent(r, 60) ? sim_spread(r, 2, 200) : 0);
    bool trims = plan->trimming && sim_percent(r, 60);

    f->hits = (uint8_t)sim_between(r, 1, UET_FABRIC_HITS_ALL);
    if (run)
        rate = rate / 10 + 1;
    if (trims) {
        /* Up to 1.0.2 a cut ACK may be answered (PDS-223), by rules that the watching tracker does
         * not follow through a storm. */
        if (plan->spec != UET_SPEC_1_0_3)
            f->hits = f->hits & UET_FABRIC_HITS_DATA ? f->hits & UET_FABRIC_HITS_DATA
                                                     : UET_FABRIC_HITS_FIRST;
        /* What is always cut never arrives: then the resends run out, which other faults do. */
        f->trim = rate < 600000 ? rate : 600000;
        f->trim_run = run;
    } else {
        f->mark = rate;
        f->mark_run = run;
    }
    fault->name = trims ? "storm of trims" : "storm of marks";
}

static void draw_place(const struct sim_plan *plan, struct sim_random *r, struct sim_fault *fault)
{
    fault->cable = (uint16_t)(sim_draw(r) % plan->n_cables);
    fault->lines = (uint8_t)sim_between(r, 1, 3);
    fault->at_ns = sim_draw(r) % plan->length_ns;
    fault->for_ns = sim_spread(r, 10000, plan->length_ns / 2 + 10001);
    if (sim_percent(r, 30)) { /* from the first packet to the last */
        fault->at_ns = 0;
        fault->for_ns = plan->length_ns;
    }
}

static int draw_storms(struct sim_plan *plan, struct sim_random *r)
{
    uint32_t n = sim_percent(r, 85) ? (uint32_t)sim_between(r, 1, STORMS_MAX) : 0;
    struct sim_fault *more = calloc(plan->n_faults + STORMS_MAX, sizeof(*more));

    if (!more)
        return -ENOMEM;
    memcpy(more, plan->faults, plan->n_faults * sizeof(*more));
    free(plan->faults);
    plan->faults = more;
    for (; n; n--) {
        struct sim_fault *fault = &plan->faults[plan->n_faults++];
        draw_storm(plan, r, fault);
        draw_place(plan, r, fault);
        if (fault->at_ns + fault->for_ns > plan->length_ns)
            plan->length_ns = fault->at_ns + fault->for_ns;
    }
    return 0;
}

int plan_draw_congestion(struct sim_plan *plan, const struct sim_limits *limits)
{
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), STREAM)};
    bool credit;

    plan->dscp_rtx = UET_FABRIC_NO_DSCP;
    plan->congestion = draw_kind(&r, limits->congestion);
    if (plan->congestion == SIM_UNCONTROLLED)
        return 0;
    if (sim_percent(&r, 60))
        plan->dscp_rtx = SIM_DSCP_TRIMMABLE_RTX;
    credit = sim_percent(&r, 50);
    for (uint16_t i = 0; i < plan->n_feps; i++)
        draw_fep(plan, &r, i, credit);
    draw_later(plan);
    draw_arc(plan);
    return draw_storms(plan, &r);
}
