/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of an operation: its length, its place in the order, whether it may be done twice.
 */
#include "sim/scenario/internal.h"

uint32_t op_length(const struct scenario *w, uint32_t op)
{
    const struct sim_op *o = &w->plan->ops[op];
    uint32_t max = w->run->choice->max_length;

    if (sim_is_atomic(o))
        return o->length;
    if (sim_is_tagged_atomic(o))
        return o->length;
    if ((sim_is_tagged(o) || sim_may_be_put_off(o)) && max < 8) /* its payload says whose it is */
        max = 8;
    return o->length < max ? o->length : max;
}

uint64_t op_header_data(uint32_t op)
{
    return SIM_HEADER_DATA << 48 | (op + 1);
}

/* Cut to one packet, its length is right. */
uint8_t op_wrong(const struct scenario *w, uint32_t op)
{
    const struct sim_op *o = &w->plan->ops[op];

    if (o->wrong == SIM_WRONG_MTU && op_length(w, op) <= w->plan->fep[o->from].payload_mtu)
        return SIM_RIGHT;
    return o->wrong;
}

uint32_t buffer_bytes(const struct scenario *w, const struct buffer *buffer)
{
    return buffer->tagged ? w->plan->tagged_bytes : w->plan->receive_bytes;
}

/* ---- order ---- */

static uint64_t times_retried(const struct sim_fep *fep)
{
    return fep_counter(fep, "op_retried") + fep_counter(fep, "op_ses_retried");
}

void op_first_time(struct scenario *w, uint32_t number)
{
    w->ops[number].gone = fep_pdcs_gone(w, w->plan->ops[number].to);
}

void op_begin(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];

    w->ops[number].retried = times_retried(&w->feps[op->from]);
    if (w->seals)
        w->ops[number].renumbered = fep_counter(&w->feps[op->from], "nack_new_start_psn");
    w->ops[number].begun = ++w->events;
    w->ops[number].failed = w->feps[op->to].n_failed;
    if (sim_is_atomic(op) || sim_may_be_put_off(op)) /* nothing tells when it is done first */
        op_first_time(w, number);
}

/*
 * A message repeated by SES, or on a new PDC, has lost its place: was one, since this one began? So
 * has one that failed with its PDC: what follows takes another PDC, and copies may still be under
 * way.
 */
bool order_promised(const struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct sim_fep *from = &w->feps[op->from];

    return from->up && from->incarnation == 1 && w->feps[op->to].incarnation == 1 &&
           w->ops[number].phase != OP_PDS_ERROR && times_retried(from) == w->ops[number].retried;
}

size_t flow_of(const struct sim_op *op)
{
    return (((size_t)op->from * SIM_FEPS_MAX + op->to) * SIM_JOBS_MAX + op->job) * 6 +
           2u * op->traffic_class + op->reserved;
}

bool same_flow(const struct scenario *w, uint32_t a, uint32_t b)
{
    const struct sim_op *x = &w->plan->ops[a], *y = &w->plan->ops[b];

    return x->mode == UET_MODE_ROD && y->mode == UET_MODE_ROD && flow_of(x) == flow_of(y);
}

/* ---- once ---- */

/*
 * A target that has closed a PDC has forgotten what came on it. A copy of a SYN packet that arrives
 * later opens another one and is executed again: the hole for which 1.0.3 has Syn_Retx_Safety_Time,
 * whose mechanism is not public (PDS-054). Such a second time is counted, not a breach. In a secure
 * domain only what its initiator has begun anew, on another PDC or at another Start_PSN, may find
 * the target so: a copy opens nothing there, whoever sends it (TSS-056).
 */
static bool forgotten(struct scenario *w, uint32_t number)
{
    uint16_t target = w->plan->ops[number].to;
    const struct sim_fep *from = &w->feps[w->plan->ops[number].from];
    bool anew = from->up && (times_retried(from) != w->ops[number].retried ||
                             fep_counter(from, "nack_new_start_psn") != w->ops[number].renumbered);

    if ((w->seals && !anew) || !w->feps[target].up ||
        fep_pdcs_gone(w, target) == w->ops[number].gone)
        return false;
    w->result->ghosts++;
    return true;
}

/* SYNs for which the FEP sent a NACK that has the message retried elsewhere (Table 3-58). */
static uint64_t syns_refused(const struct sim_fep *fep)
{
    static const char *const names[] = {"tx_nack_invalid_syn", "tx_nack_no_pdc_avail",
                                        "tx_nack_no_bitmap", "tx_nack_no_resource"};
    uint64_t n = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        n += fep_counter(fep, names[i]);
    return n;
}

/*
 * UET_INVALID_SYN for one packet is fatal for its PDC, and all of it is retried on another one
 * (Table 3-58), although the target may have taken other packets of it. So it is where the target
 * has no PDC left: a late copy of the SYN may find one free. The NACK may have been on its way
 * before the operation began. Counted as well.
 */
static bool retried(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    const struct sim_fep *from = &w->feps[op->from], *to = &w->feps[op->to];

    if (!from->up || !to->up || times_retried(from) == w->ops[number].retried || !syns_refused(to))
        return false;
    w->result->refused_syns++;
    return true;
}

bool twice_forgiven(struct scenario *w, uint32_t number)
{
    return w->ops[number].excused || forgotten(w, number) || retried(w, number);
}
