/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of a scenario: its script, its clock, its end. */
#include "sim/scenario/scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/usage.h"
#include "sim/plan/internal.h"
#include "sim/random.h"
#include "sim/scenario/internal.h"

#define S 1000000000ull

/* After the script every operation has this long: more than all resends with their backoff. */
#define END_NS   (300 * S)
#define CLOSE_NS (120 * S)
/* All answers have come by then, or their packets are given up. */
#define SETTLE_NS (30 * S)
/* A plan's bytes make some 100,000 frames with all resends; more than this are a storm. */
#define STORM 600000u

/* ---- the script ---- */

static int by_time(const void *a, const void *b)
{
    const struct script *x = a, *y = b;

    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void add(struct scenario *w, uint64_t at_ns, enum script_kind kind, uint32_t number)
{
    w->script[w->n_script++] =
        (struct script){.at_ns = SIM_START_NS + at_ns, .kind = kind, .number = number};
}

/* Each FEP in its own time: it loads in the first half, and turns in the second. */
static void add_rotation(struct scenario *w, uint8_t rotation)
{
    const struct sim_rotation *r = &w->plan->secure.rotations[rotation];
    uint64_t half = r->for_ns / 2;

    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        uint32_t number = (uint32_t)rotation * SIM_FEPS_MAX + i;
        uint64_t chance = sim_mix(w->plan->seed + w->plan->scenario, number);
        add(w, r->at_ns + chance % half, SCRIPT_LOAD, number);
        add(w, r->at_ns + half + (chance >> 32) % half, SCRIPT_TURN, number);
    }
}

static int write_script(struct scenario *w)
{
    const struct sim_plan *plan = w->plan;
    const struct sim_choice *choice = w->run->choice;

    w->script = calloc(plan->n_ops + 2u * plan->n_faults + 2u * plan->n_restarts +
                           2u * plan->secure.n_rotations * plan->n_feps + 1u,
                       sizeof(*w->script));
    if (!w->script)
        return -ENOMEM;
    for (uint32_t i = 0; i < plan->n_ops; i++)
        if (choice->ops.in[i]) {
            add(w, plan->ops[i].at_ns, SCRIPT_OP, i);
            w->n_unfinished++;
        }
    for (uint32_t i = 0; i < plan->n_faults; i++)
        if (choice->faults.in[i]) {
            add(w, plan->faults[i].at_ns, SCRIPT_FAULT_ON, i);
            add(w, plan->faults[i].at_ns + plan->faults[i].for_ns, SCRIPT_FAULT_OFF, i);
        }
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        if (choice->restarts.in[i]) {
            add(w, plan->restarts[i].at_ns, SCRIPT_DOWN, i);
            add(w, plan->restarts[i].at_ns + plan->restarts[i].down_ns, SCRIPT_UP, i);
        }
    for (uint8_t i = 0; i < plan->secure.n_rotations; i++)
        add_rotation(w, i);
    qsort(w->script, w->n_script, sizeof(*w->script), by_time);
    w->result->ops = w->n_unfinished;
    return 0;
}

/* Where faults meet on a line, the worst of each holds. */
static void join(struct uet_fabric_faults *all, const struct uet_fabric_faults *one)
{
    all->lose = all->lose > one->lose ? all->lose : one->lose;
    all->duplicate = all->duplicate > one->duplicate ? all->duplicate : one->duplicate;
    all->corrupt = all->corrupt > one->corrupt ? all->corrupt : one->corrupt;
    all->delay = all->delay > one->delay ? all->delay : one->delay;
    all->mark = all->mark > one->mark ? all->mark : one->mark;
    all->trim = all->trim > one->trim ? all->trim : one->trim;
    all->mark_run = all->mark_run > one->mark_run ? all->mark_run : one->mark_run;
    all->trim_run = all->trim_run > one->trim_run ? all->trim_run : one->trim_run;
    if (one->mark || one->trim)
        all->hits |= one->hits ? one->hits : UET_FABRIC_HITS_DATA;
    all->lose_run = all->lose_run > one->lose_run ? all->lose_run : one->lose_run;
    all->delay_ns = all->delay_ns > one->delay_ns ? all->delay_ns : one->delay_ns;
    all->copy_delay_ns =
        all->copy_delay_ns > one->copy_delay_ns ? all->copy_delay_ns : one->copy_delay_ns;
    all->spared &= one->spared;
    all->down |= one->down;
    if (one->buffer_percent && (!all->buffer_percent || one->buffer_percent < all->buffer_percent))
        all->buffer_percent = one->buffer_percent;
}

static void set_faults(struct scenario *w, uint16_t cable)
{
    for (unsigned back = 0; back < 2; back++) {
        struct uet_fabric_faults all = {.spared = 0xff};
        for (uint32_t i = 0; i < w->plan->n_faults; i++) {
            const struct sim_fault *fault = &w->plan->faults[i];
            if (w->fault_on[i] && fault->cable == cable && fault->lines >> back & 1)
                join(&all, &fault->faults);
        }
        uet_fabric_set_faults(w->fabric, cable, back, &all);
    }
}

static void perform(struct scenario *w, const struct script *script)
{
    uint32_t i = script->number;

    switch (script->kind) {
    case SCRIPT_FAULT_ON:
    case SCRIPT_FAULT_OFF:
        w->fault_on[i] = script->kind == SCRIPT_FAULT_ON;
        set_faults(w, w->plan->faults[i].cable);
        break;
    case SCRIPT_DOWN:
        fep_down(w, w->plan->restarts[i].fep);
        break;
    case SCRIPT_UP:
        fep_up(w, w->plan->restarts[i].fep);
        break;
    case SCRIPT_LOAD:
        domain_load(w, (uint16_t)(i % SIM_FEPS_MAX), (uint8_t)(i / SIM_FEPS_MAX));
        break;
    case SCRIPT_TURN:
        domain_turn(w, (uint16_t)(i % SIM_FEPS_MAX), (uint8_t)(i / SIM_FEPS_MAX));
        break;
    default:
        fep_submit(w, i);
    }
}

/* ---- the clock ---- */

/* Receives that the application posts again late. */
static bool is_due(const struct scenario *w, const struct buffer *buffer, uint64_t before_ns)
{
    return !buffer->posted && !buffer->withdrawn && (w->last || !buffer->last) &&
           buffer->post_at < before_ns;
}

static uint64_t next_post(const struct scenario *w)
{
    uint64_t first = UINT64_MAX;

    if (!w->plan->receive_delay_ns)
        return first;
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t b = 0; w->feps[i].up && b < w->feps[i].n_buffers; b++)
            if (is_due(w, &w->feps[i].buffers[b], first))
                first = w->feps[i].buffers[b].post_at;
    return first;
}

static void post_due(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t b = 0; w->feps[i].up && b < w->feps[i].n_buffers; b++)
            if (is_due(w, &w->feps[i].buffers[b], w->now + 1))
                fep_post_again(w, i, b);
}

static uint64_t next_time(const struct scenario *w, uint64_t post)
{
    uint64_t next = uet_fabric_deadline(w->fabric);

    if (w->script_at < w->n_script && w->script[w->script_at].at_ns < next)
        next = w->script[w->script_at].at_ns;
    return post < next ? post : next;
}

/* FEPs to which something was done. */
static void wake(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        if (w->feps[i].dirty) {
            w->feps[i].dirty = false;
            uet_fabric_wake(w->fabric, i, w->now);
        }
}

/* Everything that happens at the next time at which something does; false: nothing until then. */
static bool step(struct scenario *w, uint64_t until_ns)
{
    const uint64_t post = next_post(w), next = next_time(w, post);
    const uint32_t before = w->script_at;

    if (next > until_ns)
        return false;
    if (next > w->now)
        w->now = next;
    while (w->script_at < w->n_script && w->script[w->script_at].at_ns <= w->now)
        perform(w, &w->script[w->script_at++]);
    if (w->plan->receive_delay_ns && (post <= w->now || w->script_at > before))
        post_due(w);
    wake(w);
    uet_fabric_advance(w->fabric, w->now);
    return true;
}

static uint64_t script_end(const struct scenario *w)
{
    return w->n_script ? w->script[w->n_script - 1].at_ns : SIM_START_NS;
}

/* ---- the end ---- */

static void name_unfinished(struct scenario *w)
{
    for (uint32_t i = 0; i < w->plan->n_ops; i++)
        if (w->run->choice->ops.in[i] && w->ops[i].phase <= OP_ACTIVE) {
            scenario_breach(w, SIM_COMPLETION, "",
                            "operation %u has not ended %llu s after the last fault (%u have not)",
                            i, END_NS / S, w->n_unfinished);
            return;
        }
}

/* Two FEPs that answer each other for ever never come to rest. */
static void check_storm(struct scenario *w)
{
    if (w->result->frames - w->credits > STORM)
        scenario_breach(w, SIM_QUIET, "", "more than %u frames, and no end", STORM);
}

static void run_script(struct scenario *w)
{
    while (!scenario_over(w) && (w->n_unfinished || w->script_at < w->n_script)) {
        if (!w->last && w->script_at == w->n_script) {
            post_last_receives(w);
            wake(w); /* nothing else may be due */
        }
        if (!step(w, script_end(w) + END_NS)) {
            name_unfinished(w);
            return;
        }
        check_storm(w);
    }
}

static size_t pdcs_left(const struct scenario *w, bool initiator)
{
    size_t n = 0;

    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        if (w->feps[i].up)
            n += uet_fep_pdcs(w->feps[i].fep, initiator);
    return n;
}

static void run_until_quiet(struct scenario *w, uint64_t for_ns)
{
    uint64_t until = w->now + for_ns;

    wake(w);
    while (!scenario_over(w) && step(w, until))
        check_storm(w);
}

static void close_all(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        if (!w->feps[i].up)
            continue;
        uet_fep_close(w->feps[i].fep, NULL, w->now);
        w->feps[i].dirty = true;
    }
    run_until_quiet(w, CLOSE_NS);
}

/* What only a target still has: its initiator has failed, or another incarnation began. */
static void close_targets(struct scenario *w)
{
    for (uint16_t i = 0; i < w->plan->n_feps; i++) {
        if (!w->feps[i].up || !uet_fep_pdcs(w->feps[i].fep, false))
            continue;
        for (uint16_t peer = 0; peer < w->plan->n_feps; peer++)
            uet_fep_close_request(w->feps[i].fep, &w->plan->fep[peer].address, w->now);
        w->feps[i].dirty = true;
    }
    run_until_quiet(w, CLOSE_NS);
}

static void check_usage(struct scenario *w, uint16_t i)
{
    const struct sim_fep *fep = &w->feps[i];
    bool answers_late = !w->plan->choices[i].kept_told_at_once; /* else they wait on, answered */
    struct uet_fep_usage u;

    uet_fep_usage(fep->fep, &u);
    if (u.initiator_pdcs || u.target_pdcs)
        scenario_breach(w, SIM_LEAK, "", "fep %u has %u initiator and %u target PDCs at the end", i,
                        u.initiator_pdcs, u.target_pdcs);
    else if (u.packets || u.rudi_packets || u.stored_responses || u.read_parts || u.messages ||
             u.operations)
        scenario_breach(
            w, SIM_LEAK, "",
            "fep %u keeps %u packets, %u RUDI packets, %u responses, %u parts of reads, %u "
            "messages, %u operations",
            i, u.packets, u.rudi_packets, u.stored_responses, u.read_parts, u.messages,
            u.operations);
    else if (u.unexpected && answers_late)
        scenario_breach(w, SIM_LEAK, "", "fep %u keeps %u sends, or bytes of them, at the end", i,
                        u.unexpected);
    else if (fep->n_lent)
        scenario_breach(w, SIM_LEAK, "", "fep %u keeps %u regions of rendezvous that are over", i,
                        fep->n_lent);
    else if (u.receives != fep->n_posted)
        scenario_breach(w, SIM_LEAK, "", "fep %u has %u receives of %u posted", i, u.receives,
                        fep->n_posted);
}

/* The PDCs are still open, and all has been answered: what was in flight is not any more. */
static void settle(struct scenario *w)
{
    uint64_t until = w->now + SETTLE_NS;

    if (!w->congestion)
        return;
    wake(w);
    while (!scenario_over(w) && !congestion_settled(w) && step(w, until))
        check_storm(w);
    if (!scenario_over(w) && congestion_settled(w))
        congestion_end(w);
}

static void end(struct scenario *w)
{
    w->script_at = w->n_script;
    oracle_sealed(w);
    settle(w);
    if (!w->last)
        post_last_receives(w);
    close_all(w);
    if (!scenario_over(w) && pdcs_left(w, false))
        close_targets(w);
    /* A receive that a PDC gave back was promised to another send: that asks, or is read, anew. */
    if (!scenario_over(w) && pdcs_left(w, true))
        close_all(w);
    if (scenario_over(w))
        return;
    for (uint16_t i = 0; i < w->plan->n_feps && !scenario_over(w); i++) {
        if (!w->feps[i].up)
            continue;
        check_usage(w, i);
        if (w->feps[i].deadline != UET_FEP_NEVER)
            scenario_breach(w, SIM_QUIET, "", "fep %u has a timer although nothing is open", i);
    }
    oracle_end(w);
}

/* ---- the whole ---- */

static int fabric_make(struct scenario *w)
{
    struct uet_ip addresses[SIM_FEPS_MAX];
    const struct sim_plan *plan = w->plan;

    for (uint16_t i = 0; i < plan->n_feps; i++)
        addresses[i] = plan->fep[i].address;
    return uet_fabric_new(
        &w->fabric,
        &(struct uet_fabric_config){.seed = plan->seed + plan->scenario,
                                    .addresses = addresses,
                                    .n_hosts = plan->n_feps,
                                    .n_switches = plan->n_switches,
                                    .cables = plan->cables,
                                    .n_cables = plan->n_cables,
                                    .dscp_trimmable = SIM_DSCP_TRIMMABLE,
                                    .dscp_trimmable_rtx = plan->dscp_rtx,
                                    .dscp_trimmed = SIM_DSCP_TRIMMED,
                                    .dscp_trimmed_lasthop = plan->lasthop ? SIM_DSCP_TRIMMED_LASTHOP
                                                                          : UET_FABRIC_NO_DSCP,
                                    .dscp_control = SIM_DSCP_CONTROL,
                                    .trim_keep = plan->trim_keep,
                                    .ctx = w,
                                    .deliver = fep_deliver,
                                    .pull = fep_pull,
                                    .advance = fep_advance,
                                    .deadline = plan->congestion ? fep_deadline : NULL},
        w->now);
}

static int make(struct scenario *w)
{
    int rc = 0;

    w->ops = calloc(w->plan->n_ops + 1u, sizeof(*w->ops));
    w->fault_on = calloc(w->plan->n_faults + 1u, sizeof(*w->fault_on));
    w->rod_last =
        calloc((size_t)SIM_FEPS_MAX * SIM_FEPS_MAX * SIM_JOBS_MAX * 6, sizeof(*w->rod_last));
    if (!w->ops || !w->fault_on || !w->rod_last)
        return -ENOMEM;
    fep_find_counters(w);
    rc = write_script(w);
    if (!rc)
        rc = fabric_make(w);
    if (!rc)
        rc = watch_new(w);
    if (!rc && w->plan->secure.kind != SIM_IN_CLEAR)
        rc = seals_new(w) ? -ENOMEM : attacker_new(w);
    if (!rc)
        rc = congestion_new(w);
    return rc ? rc : feps_make(w);
}

static void unmake(struct scenario *w)
{
    for (uint32_t i = 0; w->ops && i < w->plan->n_ops; i++)
        op_free_data(w, i);
    feps_free(w);
    watch_free(w);
    attacker_free(w);
    seals_free(w);
    congestion_free(w);
    uet_fabric_free(w->fabric);
    free(w->script);
    free(w->ops);
    free(w->fault_on);
    free(w->rod_last);
}

int sim_run(const struct sim_run *run, struct sim_result *result)
{
    struct scenario w = {.run = run, .plan = run->plan, .result = result, .now = SIM_START_NS};

    *result = (struct sim_result){0};
    w.error = make(&w);
    if (!w.error) {
        wake(&w);
        run_script(&w);
        if (!scenario_over(&w))
            end(&w);
        result->virtual_ns = w.now - SIM_START_NS;
        result->fabric = uet_fabric_stats(w.fabric);
    }
    unmake(&w);
    return w.error;
}
