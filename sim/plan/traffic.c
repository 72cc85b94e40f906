/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of a plan: who, when, what, how long, and where it goes in the target's memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"

#define BYTES_MAX   (24u << 20) /* of all operations of a plan */
#define SEND_MAX    (64u << 10)
#define RECEIVE_MAX (4u << 20) /* bytes of all receives */

struct draft {
    struct sim_op op;
    uint32_t order;
    uint32_t pair; /* of a ROD write and the read after it; 0: none */
};

static uint32_t draw_length(struct sim_random *r, uint32_t mtu)
{
    unsigned percent = (unsigned)(sim_draw(r) % 100);

    if (percent < 15)
        return (uint32_t)sim_between(r, 0, 16);
    if (percent < 55)
        return (uint32_t)sim_between(r, 1, mtu);
    if (percent < 65)
        return mtu * (uint32_t)sim_between(r, 1, 4); /* whole packets */
    if (percent < 95)
        return (uint32_t)sim_between(r, mtu, 8 * mtu);
    /* More packets than a window of 128 PSNs. */
    return (uint32_t)sim_spread(r, mtu,
                                mtu == 1024   ? 512 * mtu
                                : mtu == 2048 ? 256 * mtu
                                              : 64 * mtu);
}

static uint8_t draw_mode(struct sim_random *r, uint32_t modes)
{
    static const uint8_t usual[] = {UET_MODE_RUD, UET_MODE_RUD,  UET_MODE_RUD, UET_MODE_ROD,
                                    UET_MODE_ROD, UET_MODE_RUDI, UET_MODE_UUD};
    uint8_t mode;

    do {
        mode = usual[sim_draw(r) % sizeof(usual)];
    } while (!(modes >> mode & 1));
    return mode;
}

/* Forms that carry one packet only; small ones neither key nor completion data (SES-016). */
void plan_draw_header(struct sim_op *op, struct sim_random *r, uint32_t mtu)
{
    bool fits = op->length <= mtu && op->length <= 8192;
    bool tells = op->opcode != UET_OP_SEND || op->length >= 8; /* its payload says whose it is */
    bool tagged = op->opcode == UET_OP_TAGGED_SEND;            /* needs the match bits */

    if (!fits || op->opcode == UET_OP_NO_OP || !sim_percent(r, 30))
        return;
    if (tells && !tagged && sim_percent(r, 50)) {
        op->header = UET_OP_HEADER_SMALL;
        op->header_data = false;
    } else {
        op->header = UET_OP_HEADER_MEDIUM;
        op->header_data &=
            op->opcode == UET_OP_SEND || tagged; /* a write's offset stands in its place */
    }
}

/* Small headers have no key, and their index must agree with it. Datagrams fail in silence. */
void plan_draw_wrong(struct sim_op *op, struct sim_random *r)
{
    static const uint8_t of_writes[] = {SIM_WRONG_KEY,     SIM_WRONG_INDEX, SIM_WRONG_RANGE,
                                        SIM_WRONG_RIGHTS,  SIM_WRONG_PID,   SIM_WRONG_JOB,
                                        SIM_WRONG_DISABLED};
    static const uint8_t of_atomics[] = {SIM_WRONG_KEY,      SIM_WRONG_INDEX,    SIM_WRONG_RANGE,
                                         SIM_WRONG_RIGHTS,   SIM_WRONG_PID,      SIM_WRONG_JOB,
                                         SIM_WRONG_DISABLED, SIM_WRONG_ALIGNMENT};
    static const uint8_t of_sends[] = {SIM_WRONG_INDEX, SIM_WRONG_PID, SIM_WRONG_JOB,
                                       SIM_WRONG_DISABLED};
    bool write = op->opcode == UET_OP_WRITE || op->opcode == UET_OP_READ;

    if (op->opcode == UET_OP_NO_OP || op->header == UET_OP_HEADER_SMALL || !sim_percent(r, 4))
        return;
    op->wrong = sim_is_atomic(op) ? of_atomics[sim_draw(r) % sizeof(of_atomics)]
                : write           ? of_writes[sim_draw(r) % sizeof(of_writes)]
                                  : of_sends[sim_draw(r) % sizeof(of_sends)];
    /* RUDI's region has no twin that is read only; absolute, the job is no part of the address. */
    if (op->mode == UET_MODE_RUDI && op->wrong == SIM_WRONG_RIGHTS)
        op->wrong = SIM_WRONG_KEY;
    if (op->wrong == SIM_WRONG_JOB)
        op->absolute = false;
}

/* Between FEPs of different Payload MTU a message is one packet, or refused (SES-045). */
void plan_fit_to_pair(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint32_t from = plan->fep[op->from].payload_mtu, to = plan->fep[op->to].payload_mtu;
    uint32_t least = from < to ? from : to;

    if (from == to || op->length <= least)
        return;
    if (op->length > from && op->mode != UET_MODE_RUDI && op->opcode != UET_OP_READ &&
        sim_percent(r, 20))
        op->wrong = SIM_WRONG_MTU;
    else
        op->length = op->opcode == UET_OP_DATAGRAM_SEND ? least : 1 + op->length % least;
}

/* Not an operation: what an application asks of its FEP, or a FEP does by itself. */
static bool draw_call(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    uint16_t from = op->from;

    if (!sim_percent(r, 2))
        return false;
    op->call = (uint8_t)sim_between(r, SIM_CALL_CLOSE, SIM_CALL_PROBE);
    if (op->call == SIM_CALL_NEGOTIATION && plan->fep[from].spec != UET_SPEC_1_0_3)
        op->call = SIM_CALL_NOOP;
    if (op->call == SIM_CALL_CLOSE_REQUEST) { /* the target's */
        op->from = op->to;
        op->to = from;
    }
    op->opcode = UET_OP_NO_OP;
    return true;
}

/* Around what fits into an ACK (Max_ACK_Data_Size), and around the packet. */
static void draw_read(struct sim_op *op, struct sim_random *r, uint32_t mtu)
{
    const uint32_t lengths[] = {0, 1, 16, 17, mtu - 1, mtu, mtu + 1, 3 * mtu};

    op->opcode = UET_OP_READ;
    op->header_data = false;
    if (sim_percent(r, 50))
        op->length = lengths[sim_draw(r) % (sizeof(lengths) / sizeof(*lengths))];
    if (op->length > SIM_SOURCE_BYTES / 2)
        op->length = SIM_SOURCE_BYTES / 2;
}

static void draw_kind(struct sim_op *op, struct sim_random *r, uint32_t modes,
                      const struct sim_plan *plan)
{
    uint32_t mtu = plan->fep[op->from].payload_mtu;

    op->mode = draw_mode(r, modes);
    if (draw_call(op, r, plan))
        return;
    op->length = draw_length(r, mtu);
    op->header_data = sim_percent(r, 40);
    op->delivery_complete = sim_percent(r, 30);
    op->absolute = sim_percent(r, 15);
    op->reserved = sim_percent(r, 10);
    switch (op->mode) {
    case UET_MODE_RUDI:
        op->opcode = UET_OP_WRITE;
        op->job = 0; /* whose region it is */
        op->header_data = false;
        break;
    case UET_MODE_UUD:
        op->opcode = UET_OP_DATAGRAM_SEND;
        op->length = (uint32_t)sim_between(r, 8, mtu);
        break;
    default:
        op->opcode = sim_percent(r, 50) ? UET_OP_WRITE : UET_OP_SEND;
        if (op->opcode == UET_OP_SEND && op->length > SEND_MAX)
            op->length = SEND_MAX;
        if (sim_percent(r, 3)) {
            op->opcode = UET_OP_NO_OP;
            op->length = 0;
            op->header_data = false;
        }
    }
    if (op->mode != UET_MODE_UUD && op->opcode != UET_OP_NO_OP && sim_percent(r, 25))
        draw_read(op, r, mtu);
    plan_fit_to_pair(op, r, plan);
    if (op->wrong)
        return;
    plan_draw_header(op, r, mtu);
    plan_draw_wrong(op, r);
    /* Only where no order is promised that the repetition would break. */
    op->stale_generation = plan->generations && op->opcode == UET_OP_SEND && !op->wrong &&
                           op->mode == UET_MODE_RUD && sim_percent(r, 5);
}

/* Initiators and targets are different FEPs when one is watched at its port. */
static void draw_pair(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    unsigned n = plan->n_feps;

    if (n < 2)
        return; /* no plan has fewer */
    if (plan->watched < 0) {
        op->from = (uint16_t)(sim_draw(r) % n);
        op->to = (uint16_t)((op->from + 1u + sim_draw(r) % (n - 1)) % n);
        if (sim_percent(r, 30) && op->from)
            op->to = 0; /* many to one */
        return;
    }
    op->from = (uint16_t)(2 * (sim_draw(r) % ((n + 1) / 2)));
    op->to = (uint16_t)(1 + 2 * (sim_draw(r) % (n / 2)));
}

/* Clients of a server have no key for each other. */
static void meet_at_server(struct sim_op *op, const struct sim_plan *plan)
{
    if (op->from && op->to)
        op->to = 0;
    if (!op->from && sim_server_only_answers(plan)) {
        op->from = op->to;
        op->to = 0;
    }
}

void plan_draw_pair(struct sim_op *op, struct sim_random *r, const struct sim_plan *plan)
{
    draw_pair(op, r, plan);
    if (plan->secure.kind == SIM_SERVER || plan->secure.kind == SIM_SERVER_SSI)
        meet_at_server(op, plan);
}

static int by_time(const void *a, const void *b)
{
    const struct draft *x = a, *y = b;

    if (x->op.at_ns != y->op.at_ns)
        return x->op.at_ns < y->op.at_ns ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* A place of its own for each write, and guards between. What is read nobody writes. */
static void place(struct sim_plan *plan, struct sim_op *op, struct sim_random *r)
{
    uint64_t *end = &plan->region_bytes[op->to][op->mode == UET_MODE_RUDI ? SIM_JOBS_MAX : op->job];

    if (op->opcode == UET_OP_READ) {
        op->offset = sim_draw(r) % (SIM_SOURCE_BYTES - op->length + 1);
        return;
    }
    if (op->length > plan->receive_bytes && op->opcode != UET_OP_WRITE)
        plan->receive_bytes = op->length;
    if (op->opcode != UET_OP_WRITE)
        return;
    op->offset = *end;
    *end += op->length + SIM_GUARD;
}

/* A ROD write, and a read of its place that must not overtake it. */
static bool draw_read_back(struct draft *draft, struct sim_random *r, const struct draft *write)
{
    const struct sim_op *op = &write->op;

    if (op->mode != UET_MODE_ROD || op->opcode != UET_OP_WRITE || op->wrong || !op->length ||
        op->length > SIM_SOURCE_BYTES / 2 || !sim_percent(r, 30))
        return false;
    draft->op = *op;
    draft->op.opcode = UET_OP_READ;
    draft->op.header_data = false;
    draft->op.at_ns += sim_draw(r) % 2000;
    return true;
}

static uint32_t draw_drafts(struct sim_plan *plan, struct sim_random *r, struct draft *drafts,
                            uint32_t n, uint32_t modes)
{
    uint32_t total = 0, i;
    uint64_t burst = 0, spread = sim_spread(r, 100, 1000000);
    unsigned bursty = (unsigned)(sim_draw(r) % 100);

    for (i = 0; i < n; i++) {
        struct sim_op *op = &drafts[i].op;
        if (!i || !sim_percent(r, bursty))
            burst = sim_draw(r) % plan->length_ns;
        op->at_ns = burst + sim_draw(r) % spread;
        op->job = (uint8_t)(sim_draw(r) % plan->n_jobs);
        op->traffic_class = (uint8_t)(sim_percent(r, 80) ? 0 : sim_draw(r) % 3);
        drafts[i].order = i;
        plan_draw_pair(op, r, plan);
        draw_kind(op, r, modes, plan);
        total += op->length;
        if (total > BYTES_MAX)
            break;
        if (i + 1 < n && draw_read_back(&drafts[i + 1], r, &drafts[i])) {
            drafts[i].pair = drafts[i + 1].pair = i + 1;
            i++;
            drafts[i].order = i;
        }
    }
    return i;
}

/* By order of time the write comes first. */
static void couple(struct sim_plan *plan, const struct draft *drafts)
{
    for (uint32_t i = 0; i < plan->n_ops; i++) {
        if (!drafts[i].pair || plan->ops[i].opcode != UET_OP_WRITE)
            continue;
        for (uint32_t j = i + 1; j < plan->n_ops; j++)
            if (drafts[j].pair == drafts[i].pair) {
                plan->ops[i].read_by = j + 1;
                plan->ops[j].reads_back = i + 1;
                plan->ops[j].offset = plan->ops[i].offset;
                break;
            }
    }
}

static void limit_receives(struct sim_plan *plan, struct sim_random *r)
{
    uint64_t n;

    if (plan->short_receives)
        plan->receive_bytes = (uint32_t)sim_spread(r, 64, plan->receive_bytes);
    n = RECEIVE_MAX / plan->receive_bytes / plan->n_feps / plan->n_jobs;

    n = n < 8 ? 8 : n;
    if (plan->receives > n)
        plan->receives = (uint16_t)n;
    for (uint16_t i = 0; i < plan->n_feps; i++)
        plan->fep[i].max_receives = (uint16_t)(plan->receives * plan->n_jobs);
}

/*
 * A FEP to be watched at its port. Not where answers are late: Requests of a target may then
 * overtake the ACK that tells its PDCID, and a tracker there takes them for somebody else's.
 */
static int draw_watched(const struct sim_plan *plan, struct sim_random *r)
{
    int watched = sim_percent(r, 35) ? (int)(sim_draw(r) % plan->n_feps) : -1;

    for (uint16_t i = 0; i < plan->n_feps; i++)
        if (plan->choices[i].answer_delay_ns)
            return -1;
    if (plan->secure.kind == SIM_SERVER || plan->secure.kind == SIM_SERVER_SSI)
        return -1; /* it is both */
    return watched;
}

int plan_draw_traffic(struct sim_plan *plan, struct sim_random *r, const struct sim_limits *limits)
{
    uint32_t n = (uint32_t)sim_spread(r, 4, 1200);
    struct draft *drafts = calloc(n, sizeof(*drafts));

    plan->ops = calloc(n, sizeof(*plan->ops));
    if (!drafts || !plan->ops) {
        free(drafts);
        return -ENOMEM;
    }
    plan->watched = draw_watched(plan, r);
    plan->watched_initiates = plan->watched % 2 == 0;
    plan->length_ns = sim_spread(r, 1000000, 40000000000ull);
    plan->receive_bytes = 64;
    plan->n_ops = draw_drafts(plan, r, drafts, n, limits->modes);
    qsort(drafts, plan->n_ops, sizeof(*drafts), by_time);
    for (unsigned i = 0; i < plan->n_feps; i++)
        for (unsigned j = 0; j <= SIM_JOBS_MAX; j++)
            plan->region_bytes[i][j] = SIM_GUARD;
    for (uint32_t i = 0; i < plan->n_ops; i++) {
        plan->ops[i] = drafts[i].op;
        place(plan, &plan->ops[i], r);
    }
    couple(plan, drafts);
    free(drafts);
    limit_receives(plan, r);
    return 0;
}
