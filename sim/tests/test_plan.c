/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans depend on seed and scenario alone and keep to their limits; sets are read as they are
 * written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/scenario.h"

static const struct sim_limits any = {.modes = 15};

static void test_same_plan(void **state)
{
    struct sim_plan *a = sim_plan_new(3, 7, &any), *b = sim_plan_new(3, 7, &any);
    struct sim_plan *c = sim_plan_new(3, 8, &any);
    (void)state;
    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(c);
    assert_int_equal(a->n_ops, b->n_ops);
    for (uint32_t i = 0; i < a->n_ops; i++) {
        assert_int_equal(a->ops[i].at_ns, b->ops[i].at_ns);
        assert_int_equal(a->ops[i].length, b->ops[i].length);
        assert_int_equal(a->ops[i].offset, b->ops[i].offset);
    }
    assert_true(a->n_ops != c->n_ops || a->length_ns != c->length_ns);
    sim_plan_free(a);
    sim_plan_free(b);
    sim_plan_free(c);
}

/* No two atomics have the same digit of one cell, and only those that compare share one. */
static void check_atomic(const struct sim_plan *plan, uint32_t number)
{
    const struct sim_op *op = &plan->ops[number];
    const uint64_t cell = op->offset / SIM_CELL_BYTES;

    assert_int_equal(op->offset % 8, 0);
    assert_int_equal((op->offset + op->length - 1) / SIM_CELL_BYTES, cell);
    assert_true(op->offset + op->length <= plan->counter_bytes[op->to][op->job]);
    assert_in_range(op->digit, 0, SIM_CELL_OPS - 1);
    assert_true(op->length == 8 || (op->opcode == UET_OP_ATOMIC && op->amo != UET_AMO_CSWAP));
    for (uint32_t i = plan->n_first; i < number; i++) {
        const struct sim_op *other = &plan->ops[i];
        if (!sim_is_atomic(other) || other->to != op->to || other->job != op->job ||
            other->offset / SIM_CELL_BYTES != cell)
            continue;
        assert_int_not_equal(other->digit, op->digit);
        assert_int_equal(other->amo == UET_AMO_CSWAP, op->amo == UET_AMO_CSWAP);
    }
}

static void check_added(const struct sim_plan *plan, uint32_t number)
{
    const struct sim_op *op = &plan->ops[number];

    assert_true(op->mode == UET_MODE_RUD || op->mode == UET_MODE_ROD);
    if (op->lone) {
        assert_int_equal(op->offset % sim_element_bytes(op->datatype), 0);
        assert_in_range(op->length, 1, SIM_LONE_MAX);
        assert_true(op->offset + op->length <= plan->lone_bytes[op->to][op->job]);
        return;
    }
    if (sim_is_atomic(op)) {
        check_atomic(plan, number);
        return;
    }
    if (number >= plan->n_put_off && op->call)
        return;
    if (number >= plan->n_put_off && number < plan->n_lone) {
        assert_true(sim_may_be_put_off(op) && plan->watched < 0);
        assert_true(!sim_is_deferrable(op) || op->mode == UET_MODE_RUD);
        assert_true(op->eager <= op->length);
    }
    assert_true(plan->tagged_receives > 0);
    assert_in_range(op->length, 8,
                    plan->short_receives ? UINT32_MAX
                    : sim_is_tagged(op)  ? plan->tagged_bytes
                                         : plan->receive_bytes);
}

static void check(const struct sim_plan *plan)
{
    assert_in_range(plan->n_feps, 2, SIM_FEPS_MAX);
    assert_in_range(plan->n_first, 1, 1200);
    assert_in_range(plan->n_put_off, plan->n_first, plan->n_first + SIM_ADDED_MAX);
    assert_in_range(plan->n_lone, plan->n_put_off, plan->n_put_off + SIM_PUT_OFF_MAX);
    assert_in_range(plan->n_ops, plan->n_lone, plan->n_lone + SIM_LONE_OPS);
    for (uint16_t i = 0; i < plan->n_feps; i++)
        assert_true(uet_fep_size(&plan->fep[i]) > 0);
    for (uint32_t i = 0; i < plan->n_ops; i++) {
        const struct sim_op *op = &plan->ops[i];
        assert_true(op->from != op->to && op->from < plan->n_feps && op->to < plan->n_feps);
        assert_true(!i || i == plan->n_first || i == plan->n_put_off || i == plan->n_lone ||
                    plan->ops[i - 1].at_ns <= op->at_ns);
        assert_int_equal(i >= plan->n_first && i < plan->n_put_off,
                         (sim_is_atomic(op) && !op->lone) || op->opcode == UET_OP_TAGGED_SEND);
        assert_int_equal(i >= plan->n_lone, op->lone || sim_is_tagged_atomic(op));
        assert_int_equal(i >= plan->n_put_off && i < plan->n_lone,
                         sim_may_be_put_off(op) || op->call == SIM_CALL_WITHDRAW);
        if (op->reads_back) {
            const struct sim_op *write = &plan->ops[op->reads_back - 1];
            assert_true(op->reads_back - 1 < i && write->read_by == i + 1);
            assert_true(op->mode == UET_MODE_ROD && op->opcode == UET_OP_READ);
            assert_true(write->opcode == UET_OP_WRITE && write->offset == op->offset);
        }
        if (i >= plan->n_first)
            check_added(plan, i);
        else if (op->opcode == UET_OP_READ)
            assert_true(op->reads_back || op->offset + op->length <= SIM_SOURCE_BYTES);
        else if (op->opcode != UET_OP_WRITE && !plan->short_receives)
            assert_in_range(op->length, 0, plan->receive_bytes);
    }
    for (uint32_t i = 0; i < plan->n_faults; i++)
        assert_true(plan->faults[i].cable < plan->n_cables);
    /* A packet of 8192 bytes of payload gets through an empty queue. */
    for (uint16_t i = 0; i < plan->n_cables && plan->trimming; i++)
        assert_true(plan->cables[i].line.trim_bytes > 8192 + 200);
}

static unsigned count(const struct sim_plan *plan, uint8_t opcode)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < plan->n_ops; i++)
        n += plan->ops[i].opcode == opcode;
    return n;
}

/* Many scenarios: all modes, topologies and faults come up, and nothing leaves its range. */
static void test_ranges(void **state)
{
    unsigned modes = 0, feps2 = 0, feps9 = 0, restarts = 0, trimming = 0, watched = 0;
    unsigned atomics = 0, tags = 0, deferrable = 0, rendezvous = 0;
    (void)state;
    for (uint64_t scenario = 0; scenario < 200; scenario++) {
        struct sim_plan *plan = sim_plan_new(1, scenario, &any);
        assert_non_null(plan);
        check(plan);
        for (uint32_t i = 0; i < plan->n_ops; i++)
            modes |= 1u << plan->ops[i].mode;
        atomics += count(plan, UET_OP_ATOMIC) && count(plan, UET_OP_FETCHING_ATOMIC);
        tags += count(plan, UET_OP_TAGGED_SEND) > 0;
        deferrable += count(plan, UET_OP_DEFERRABLE_SEND) && count(plan, UET_OP_DEFERRABLE_TSEND);
        rendezvous += count(plan, UET_OP_RENDEZVOUS_SEND) && count(plan, UET_OP_RENDEZVOUS_TSEND);
        feps2 += plan->n_feps == 2;
        feps9 += plan->n_feps > 8;
        restarts += plan->n_restarts > 0;
        trimming += plan->trimming;
        watched += plan->watched >= 0;
        sim_plan_free(plan);
    }
    assert_int_equal(modes, 15);
    assert_true(atomics > 60 && tags > 60 && deferrable > 30 && rendezvous > 30);
    assert_true(feps2 > 40 && feps9 > 40 && restarts > 30 && trimming > 40 && watched > 30);
}

/* Destinations slow down credit in some plans, and only where there is any. */
static void test_rate_control(void **state)
{
    unsigned on = 0, off = 0, told = 0;
    struct sim_limits credited = any;
    (void)state;
    credited.congestion = SIM_EACH; /* RCCC have all of a plan's FEPs, or none */
    for (uint64_t scenario = 0; scenario < 60; scenario++) {
        struct sim_plan *plan = sim_plan_new(1, scenario, &credited);
        assert_non_null(plan);
        for (uint16_t i = 0; i < plan->n_feps; i++) {
            const struct uet_fep_params *p = &plan->fep[i].params;
            assert_true(p->RCCC || !p->ARC);
            assert_true(p->ARC || !p->oversubscription);
            on += p->ARC;
            off += p->RCCC && !p->ARC;
            told += p->oversubscription > 0;
        }
        sim_plan_free(plan);
    }
    assert_true(on > 20 && off > 20 && told > 10 && told < on);
}

static void test_sets(void **state)
{
    struct sim_plan *plan = sim_plan_new(1, 1, &any);
    struct sim_choice choice;
    char *text;
    (void)state;
    assert_non_null(plan);
    assert_int_equal(sim_choice_all(&choice, plan), 0);
    assert_true(choice.ops.n > 10);
    assert_int_equal(sim_set_parse(&choice.ops, "0-3,7,9-10"), 0);
    assert_int_equal(sim_set_count(&choice.ops), 7);
    text = sim_set_text(&choice.ops);
    assert_string_equal(text, "0-3,7,9-10");
    free(text);
    assert_int_equal(sim_set_parse(&choice.ops, "none"), 0);
    assert_int_equal(sim_set_count(&choice.ops), 0);
    assert_int_equal(sim_set_parse(&choice.ops, "all"), 0);
    assert_int_equal(sim_set_count(&choice.ops), choice.ops.n);
    assert_int_equal(sim_set_parse(&choice.ops, "3-1"), -EINVAL);
    assert_int_equal(sim_set_parse(&choice.ops, "1;2"), -EINVAL);
    assert_int_equal(sim_set_parse(&choice.ops, ""), -EINVAL);
    assert_int_equal(sim_set_parse(&choice.ops, "4294967296"), -ERANGE);
    assert_int_equal(sim_set_parse(&choice.ops, "99999"), -ERANGE);
    sim_choice_free(&choice);
    sim_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_plan),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_rate_control),
        cmocka_unit_test(test_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
