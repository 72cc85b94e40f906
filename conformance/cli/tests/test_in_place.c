/* SPDX-License-Identifier: BSD-2-Clause */
/* `run --in-place`: bodies repeated without a reset, and what a FEP leaks comes to light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"
#include "ut/verbs.h"

#define POOL 6

static struct uet_session session;
static struct uet_fep_ref *ref;

static void begin(void)
{
    static const struct uet_fep_ref_setting small[] = {
        {"max-pdcs", POOL}, {"max-open-messages", POOL}, {"max-regions", 256}, {NULL, 0}};
    const struct uet_fep_ref_kind kind = {.seed = 1, .settings = small};
    char err[300];

    assert_int_equal(uet_fep_ref_open_as(&ref, &kind, err, sizeof(err)), 0);
    uet_session_default(&session);
    session.dut = uet_fep_ref_dut(ref);
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
}

static void bend(void *ctx)
{
    assert_int_equal(uet_ut_violate(session.ut, ctx), 0);
}

static struct uet_result run(const char *id, unsigned times, const char *fault)
{
    const struct uet_test *test = uet_test_find(id);
    struct uet_result r = {.id = id, .requirements = test->requirements};

    begin();
    session.in_place = times;
    if (fault)
        session.prepare = bend;
    session.prepare_ctx = (char *)(uintptr_t)fault;
    uet_tc_run(&session, test, &r);
    print_message("%s, %u times: %s %.160s\n", id, times,
                  uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    uet_fep_ref_close(ref);
    return r;
}

#define CLOSES "pds.3.5.8.3.close-frees-pdc"

static void what_conforms_passes(void **state)
{
    (void)state;
    struct uet_result r = run(CLOSES, 3 * POOL, NULL);

    assert_int_equal(r.verdict, UET_PASS);
    assert_false(uet_was_not_repeated(&r));
}

/* A PDC is lost with each close: the test itself notices nothing. */
static void a_leak_shows(void **state)
{
    (void)state;
    assert_int_equal(run(CLOSES, 1, "ROB_035").verdict, UET_PASS);
    struct uet_result r = run(CLOSES, 3 * POOL, "ROB_035");

    assert_int_equal(r.verdict, UET_FAIL);
    assert_string_equal(r.broken, "ROB-035");
}

/* The last body uses up what is left: the check after it tells. */
static void the_check_tells(void **state)
{
    (void)state;
    struct uet_result r = run(CLOSES, POOL, "ROB_035");

    assert_int_equal(r.verdict, UET_FAIL);
    assert_string_equal(r.broken, "ROB-035");
    assert_non_null(strstr(r.message, "after 6 repetitions"));
    assert_non_null(strstr(r.message, "UET_NO_PDC_AVAIL"));
}

/* What a declaration forbids is done once, and said. */
static void once(void **state)
{
    (void)state;
    struct uet_result r = run("pds.3.5.6.rud-on-a-rod-pdc", 3 * POOL, NULL);

    assert_int_equal(r.verdict, UET_PASS);
    assert_true(uet_was_not_repeated(&r));
}

/* A parameter that a body has set is as before when it comes again. */
static void parameters_come_back(void **state)
{
    uint64_t before, after;

    (void)state;
    begin();
    assert_int_equal(uet_ut_param(session.ut, "RTO_Init_Time", &before), 0);
    session.in_place = 2;
    const struct uet_test *test = uet_test_find("pds.3.5.15.rto-doubles");
    struct uet_result r = {.id = test->id, .requirements = test->requirements};
    uet_tc_run(&session, test, &r);
    assert_int_equal(r.verdict, UET_PASS);
    assert_int_equal(uet_ut_param(session.ut, "RTO_Init_Time", &after), 0);
    assert_int_equal(before, after);
    uet_fep_ref_close(ref);
}

/* Each body at its ordinary point: the check after it would reach more than the body does. */
static void at_one_point(void **state)
{
    const struct uet_selection one = {.glob = "pds.3.5.6.other-mode-first-send"};
    const struct uet_run_events none = {0};
    struct uet_summary summary = {0};
    size_t n;

    (void)state;
    begin();
    session.in_place = 20;
    session.depth = UET_DEPTH_DEFAULT;
    const struct uet_test **tests = uet_select(&one, &n);
    assert_int_equal(uet_run_tests(&session, &one, tests, n, &none, &summary), 0);
    free(tests);
    uet_fep_ref_close(ref);
    assert_int_equal(summary.pass, 1);
}

static void told_pools(void **state)
{
    struct uet_dut dut;
    const char *name = NULL;

    (void)state;
    uet_dut_default(&dut);
    assert_int_equal(uet_dut_largest_pool(&dut, &name), 0);
    uet_dut_param_set(&dut, "max-pdcs", 64);
    uet_dut_param_set(&dut, "max-stored-responses", 128);
    assert_int_equal(uet_dut_largest_pool(&dut, &name), 128);
    assert_string_equal(name, "max-stored-responses");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_conforms_passes), cmocka_unit_test(a_leak_shows),
        cmocka_unit_test(the_check_tells),      cmocka_unit_test(once),
        cmocka_unit_test(parameters_come_back), cmocka_unit_test(told_pools),
        cmocka_unit_test(at_one_point),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
