/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A simulator that cannot fail proves nothing: for every invariant a mutant, a bent FEP or a bent
 * wire, that must break that very invariant in some of a few scenarios; and without one nothing
 * breaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "sim/shrink.h"

#define SEED 1u

/* Runs scenarios until this invariant breaks; the other ones are not looked at. */
struct mutant {
    uint8_t what; /* enum sim_invariant that must break */
    const char *violate;
    uint8_t mutation;
    unsigned scenarios; /* at most */
    uint32_t modes;     /* 0: all */
    const char *says;   /* in the words of that check; NULL: any of the invariant's */
    uint8_t secure;     /* enum sim_secure */
    uint8_t congestion; /* enum sim_congestion */
};

static const struct mutant mutants[] = {
    {SIM_INTACT, NULL, SIM_MUTATE_PAYLOAD, 20, 0, NULL, 0, 0},
    {SIM_INTACT, "SES-013", 0, 20, 0, NULL, 0, 0},
    {SIM_ONCE, "PDS-001", 0, 60, 0, NULL, 0, 0},
    {SIM_DELIVERED, "PDS-108", 0, 60, 0, NULL, 0, 0},
    {SIM_ORDER, NULL, SIM_MUTATE_MODE, 60, 1u << UET_MODE_ROD, NULL, 0, 0},
    {SIM_MEMORY, "SES-066", 0, 60, 0, NULL, 0, 0},
    {SIM_CACK, NULL, SIM_MUTATE_CACK_BACK, 20, 0, NULL, 0, 0},
    {SIM_CLEAR, NULL, SIM_MUTATE_CLEAR_BACK, 20, 0, NULL, 0, 0},
    {SIM_WINDOW, "PDS-060", 0, 60, 0, NULL, 0, 0},
    {SIM_COMPLETION, "SES-063", 0, 60, 0, NULL, 0, 0},
    {SIM_QUIET, "PDS-155", 0, 60, 0, NULL, 0, 0},
    {SIM_LEAK, "PDS-197", 0, 60, 0, NULL, 0, 0},
    {SIM_CLOCK, NULL, SIM_MUTATE_CLOCK, 20, 0, NULL, 0, 0},
    {SIM_READ, NULL, SIM_MUTATE_READ_DATA, 20, 0, NULL, 0, 0},
    {SIM_READ, NULL, SIM_MUTATE_MODE, 60, 1u << UET_MODE_ROD, NULL, 0, 0},
    {SIM_MEMORY, NULL, SIM_MUTATE_INTO, 20, 0, NULL, 0, 0},
    {SIM_ATOMIC, "SES-136", 0, 60, 0, " times", 0, 0},
    {SIM_ATOMIC, "SES-136", 0, 60, 0, "finds itself done", 0, 0},
    {SIM_ATOMIC, "SES-139", 0, 20, 0, "finds itself done", 0, 0},
    {SIM_ATOMIC, "SES_137_TWO", 0, 20, 0, "was not done", 0, 0},
    {SIM_ATOMIC, "SES-135", 0, 60, 0, "was not to be", 0, 0},
    {SIM_ATOMIC, "SES-141", 0, 20, 0, "says that it swapped", 0, 0},
    {SIM_ATOMIC, "SES-022", 0, 20, 0, NULL, 0, 0},
    {SIM_ATOMIC, NULL, SIM_MUTATE_STALE, 20, 0, "misses", 0, 0},
    {SIM_ATOMIC, NULL, SIM_MUTATE_STALE, 60, 0, "as if each were before", 0, 0},
    {SIM_ATOMIC, NULL, SIM_MUTATE_MODE, 60, 1u << UET_MODE_ROD, "misses", 0, 0},
    {SIM_ATOMIC, "SES-167", 0, 60, 0, "was not done, or not so", 0, 0},
    {SIM_TAG, "SES-091", 0, 20, 0, "not for it", 0, 0},
    {SIM_TAG, "SES_091_SOURCE", 0, 20, 0, "not for it", 0, 0},
    {SIM_TAG, "SES-093", 0, 20, 0, "passed over before", 0, 0},
    {SIM_TAG, "SES_093_IGNORE", 0, 20, 0, "nobody had it", 0, 0},
    {SIM_TAG, "SES-163", 0, 20, 0, "nobody had it", 0, 0},
    {SIM_TAG, "SES-094", 0, 20, 0, "has no tag", 0, 0},
    {SIM_TAG, "SES-095", 0, 20, 0, "names other match bits", 0, 0},
    {SIM_TAG, NULL, SIM_MUTATE_MODE, 60, 1u << UET_MODE_ROD, "passed over before", 0, 0},
    {SIM_DELIVERED, "SES_147_DEAF", 0, 60, 0, "filled no receive", 0, 0},
    {SIM_DELIVERED, "SES_155_EARLY", 0, 60, 0, "bytes are not there", 0, 0},
    {SIM_COMPLETION, "SES-144", 0, 60, 0, "return code", 0, 0},
    {SIM_COMPLETION, "SES-153", 0, 60, 0, "return code", 0, 0},
    {SIM_INTACT, "SES-156", 0, 60, 0, "differs", 0, 0},
    {SIM_INTACT, "SES_174_DEFERRED", 0, 60, 0, "completion data", 0, 0},
    {SIM_INTACT, "SES_174_RENDEZVOUS", 0, 60, 0, "completion data", 0, 0},
    {SIM_IV, "TSS-018", 0, 20, 0, NULL, SIM_CLUSTER, 0},
    {SIM_IV, "TSS-020", 0, 20, 0, NULL, SIM_DIRECT, 0},
    {SIM_IV, NULL, SIM_MUTATE_FORGETFUL, 60, 0, NULL, SIM_CLUSTER_SSI, 0},
    {SIM_IV, NULL, SIM_MUTATE_FORGETFUL, 60, 0, NULL, SIM_SERVER_SSI, 0},
    {SIM_UNSEALED, "TSS-051", 0, 20, 0, "in clear", SIM_CLUSTER, 0},
    {SIM_UNSEALED, "TSS-029", 0, 20, 0, NULL, SIM_SERVER_SSI, 0},
    {SIM_FORGED, "TSS-042", 0, 20, 0, "takes a packet that", SIM_CLUSTER, 0},
    {SIM_FORGED, "TSS-048", 0, 20, 0, "in clear", SIM_CLUSTER, 0},
    {SIM_ONCE, "TSS-056", 0, 60, 0, NULL, SIM_CLUSTER, 0},
    {SIM_OVERRUN, "CMS-037", 0, 20, 0, "a window of", 0, SIM_NSCC},
    {SIM_STARVED, "CMS-084", 0, 60, 0, "has waited", 0, SIM_RCCC},
    {SIM_STARVED, "CMS-110", 0, 60, 0, "has waited", 0, SIM_NSCC},
    {SIM_STARVED, "CMS_086_TURN", 0, 60, 0, "went to others", 0, SIM_RCCC},
    {SIM_INFLIGHT, "CMS-038", 0, 20, 0, "more has arrived", 0, SIM_NSCC},
    {SIM_INFLIGHT, "CMS-060", 0, 60, 0, NULL, 0, SIM_NSCC},
    {SIM_CREDIT, "CMS-079", 0, 20, 0, NULL, 0, SIM_RCCC},
    {SIM_CREDIT, "CMS_060_CREDIT", 0, 60, 0, "neither in hand", 0, SIM_RCCC},
    {SIM_CREDIT, "CMS-081", 0, 60, 0, NULL, 0, SIM_RCCC},
    {SIM_RULE, "PDS-106", 0, 20, 0, NULL, 0, 0},
};
enum { N_MUTANTS = sizeof mutants / sizeof *mutants };

static size_t every = 1; /* which of them are tried: the command line says it */

static void run(const struct sim_plan *plan, const struct mutant *mutant, struct sim_result *result)
{
    const char *others[SIM_INVARIANTS];
    struct sim_choice choice;
    struct sim_run r = {.plan = plan, .choice = &choice, .ignore = others};

    assert_int_equal(sim_choice_all(&choice, plan), 0);
    if (mutant) {
        r.violate = mutant->violate;
        r.mutation = mutant->mutation;
        for (int i = 1; i < SIM_INVARIANTS; i++)
            if (i != mutant->what)
                others[r.n_ignore++] = sim_invariant_name((enum sim_invariant)i);
    }
    assert_int_equal(sim_run(&r, result), 0);
    sim_choice_free(&choice);
}

static bool caught(const struct mutant *mutant, unsigned *scenario, struct sim_result *result)
{
    struct sim_limits limits = {.feps = 2,
                                .modes = mutant->modes ? mutant->modes : 15,
                                .secure = mutant->secure,
                                .congestion = mutant->congestion};

    for (*scenario = 0; *scenario < mutant->scenarios; ++*scenario) {
        struct sim_plan *plan = sim_plan_new(SEED, *scenario, &limits);
        assert_non_null(plan);
        run(plan, mutant, result);
        sim_plan_free(plan);
        if (result->breach.what == mutant->what &&
            (!mutant->says || strstr(result->breach.text, mutant->says)))
            return true;
    }
    return false;
}

static void test_each_invariant(void **state)
{
    bool broken[SIM_INVARIANTS] = {false};
    unsigned scenario, missed = 0;
    (void)state;

    for (size_t i = 0; i < N_MUTANTS; i += every) {
        const struct mutant *c = &mutants[i];
        const char *name = c->violate ? c->violate : sim_mutation_name(c->mutation);
        struct sim_result result;
        if (caught(c, &scenario, &result)) {
            print_message("%-10s %-10s scenario %u: %s\n", sim_invariant_name(c->what), name,
                          scenario, result.breach.text);
            broken[c->what] = true;
        } else {
            print_message("%-10s %-10s NOT CAUGHT in %u scenarios%s%s\n",
                          sim_invariant_name(c->what), name, c->scenarios, c->says ? ": " : "",
                          c->says ? c->says : "");
            missed++;
        }
    }
    assert_int_equal(missed, 0);
    for (int i = 1; i < SIM_INVARIANTS && every == 1; i++)
        if (!broken[i])
            fail_msg("no mutant for '%s'", sim_invariant_name((enum sim_invariant)i));
}

/* The scenarios in which mutants are caught are quiet without them. */
static void test_nothing_without(void **state)
{
    struct sim_limits limits = {.feps = 2, .modes = 15};
    struct sim_result result;
    (void)state;

    for (unsigned scenario = 0; scenario < 10; scenario++) {
        limits.secure = (uint8_t)(scenario % 2 ? SIM_CLUSTER + scenario / 2 : SIM_IN_CLEAR);
        limits.congestion = (uint8_t)(scenario % (SIM_EACH + 1u));
        struct sim_plan *plan = sim_plan_new(SEED, scenario, &limits);
        assert_non_null(plan);
        run(plan, NULL, &result);
        sim_plan_free(plan);
        if (result.breach.what)
            fail_msg("scenario %u: %s %s: %s", scenario, sim_invariant_name(result.breach.what),
                     result.breach.requirement, result.breach.text);
    }
}

/* What is made small breaks the same invariant, is no bigger, and does so every time. */
static void test_shrink(void **state)
{
    const struct sim_limits limits = {.modes = 15};
    struct sim_plan *plan = NULL;
    struct sim_choice choice;
    struct sim_run r = {.choice = &choice, .mutation = SIM_MUTATE_PAYLOAD};
    const struct sim_shrink how = {.max_runs = 200};
    struct sim_result result = {0}, again;
    (void)state;

    for (unsigned scenario = 0; result.breach.what != SIM_INTACT; scenario++) {
        assert_in_range(scenario, 0, 20);
        sim_plan_free(plan);
        plan = sim_plan_new(SEED, scenario, &limits);
        assert_non_null(plan);
        r.plan = plan;
        assert_int_equal(sim_choice_all(&choice, plan), 0);
        assert_int_equal(sim_run(&r, &result), 0);
        if (result.breach.what != SIM_INTACT)
            sim_choice_free(&choice);
    }
    assert_in_range(sim_shrink(&r, &choice, &result, &how), 1, 200);
    assert_int_equal(result.breach.what, SIM_INTACT);
    assert_in_range(sim_set_count(&choice.ops), 1, 20);
    assert_int_equal(sim_set_count(&choice.restarts), 0);
    assert_int_equal(sim_run(&r, &again), 0);
    assert_string_equal(again.breach.text, result.breach.text);
    assert_int_equal(again.breach.at_ns, result.breach.at_ns);
    assert_int_equal(again.frames, result.frames);
    sim_choice_free(&choice);
    sim_plan_free(plan);
}

int main(int argc, char **argv)
{
    if (argc > 1 && atoi(argv[1]) > 0)
        every = (size_t)atoi(argv[1]);

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_invariant),
        cmocka_unit_test(test_nothing_without),
        cmocka_unit_test(test_shrink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
