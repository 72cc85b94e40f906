/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole suite against FEPs that conform and are small, late or of few words: what they lack
 * skips a test, and fails none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/target/secure.h"
#include "conformance/fep_ref.h"
#include "conformance/harness/run/outside.h"
#include "conformance/harness/run/runner.h"

#ifndef UET_TESTS
#define UET_TESTS NULL /* the name of the only one that is run */
#endif
#define MS 1000000ull

struct small {
    struct uet_outside outside;
    struct uet_summary summary;
};

static int keep(void *ctx, const struct uet_result *r)
{
    struct small *s = ctx;

    if (r->verdict != UET_PASS && r->verdict != UET_SKIP)
        printf("%s %s@%s\n%s\n%s\n", uet_verdict_name((enum uet_verdict)r->verdict), r->id,
               r->failed_point, r->message, r->conversation); /* print_message cuts it */
    return uet_result_is_rule(r) ? 0 : uet_outside_add(&s->outside, r);
}

/* Strictly: what a SHOULD asks for, such a FEP does as well. This many of four tests pass. */
static void passes(struct uet_fep_ref *ref, const struct uet_dut *dut,
                   const struct uet_selection *some, size_t quarters)
{
    struct small s = {0};
    const struct uet_run_events events = {.ctx = &s, .done = keep};
    struct uet_session session;
    size_t n;

    uet_session_default(&session);
    session.strict = true;
    session.dut = dut;
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
    const struct uet_test **tests = uet_select(some, &n);
    assert_int_equal(uet_run_tests(&session, some, tests, n, &events, &s.summary), 0);
    free(tests);
    assert_int_equal(uet_outside_report(&s.outside, &session, &events, &s.summary), 0);
    uet_outside_free(&s.outside);
    assert_int_equal(uet_summary_exit_status(&s.summary), 0);
    assert_true(s.summary.pass > n * quarters / 4);
}

static void conforms(const struct uet_fep_ref_setting *settings)
{
    const struct uet_fep_ref_kind kind = {.seed = 1, .settings = settings};
    const struct uet_selection all = {0};
    struct uet_fep_ref *ref;
    char err[512];

    assert_int_equal(uet_fep_ref_open_as(&ref, &kind, err, sizeof(err)), 0);
    passes(ref, uet_fep_ref_dut(ref), &all, 3);
    uet_fep_ref_close(ref);
}

/* The tests of security (3.7), where all is sealed in that key mode. */
static void conforms_sealed(const struct uet_fep_ref_setting *settings, const char *mode)
{
    const struct uet_selection security = {.section = "3.7"};
    struct uet_target t = {0};
    char err[512];

    assert_int_equal(uet_secure_of_seed(&t, 1, mode, false, err, sizeof(err)), 0);
    const struct uet_fep_ref_kind kind = {.seed = 1, .settings = settings, .keys = t.keys};
    assert_int_equal(uet_fep_ref_open_as(&t.ref, &kind, err, sizeof(err)), 0);
    t.dut = *uet_fep_ref_dut(t.ref);
    assert_int_equal(uet_secure_domains(&t, err, sizeof(err)), 0);
    passes(t.ref, &t.dut, &security, 2);
    uet_fep_ref_close(t.ref);
    uet_secure_close(&t);
}

#define CONFORMS(...)                                                                              \
    (void)state;                                                                                   \
    static const struct uet_fep_ref_setting settings[] = {__VA_ARGS__, {NULL, 0}};                 \
    conforms(settings)

static void one_message(void **state)
{
    CONFORMS({"max-open-messages", 1});
}

static void two_pdcs(void **state)
{
    CONFORMS({"max-pdcs", 2});
}

static void one_of_each(void **state)
{
    CONFORMS({"max-open-messages", 1}, {"max-pdcs", 2}, {"max-stored-responses", 1},
             {"max-regions", 1}, {"max-receives", 1}, {"payload-mtu", 1024}, {"Default_MPR", 1},
             {"RTO_Init_Time", 5 * MS});
}

static void a_window_of_16(void **state)
{
    CONFORMS({"Override_MPR_Zero_Value", 16}, {"MPR_Zero", 1});
}

static void late_answers(void **state)
{
    CONFORMS({"answer-delay", 400 * MS}, {"RTO_Init_Time", 2000 * MS});
}

static void long_rto(void **state)
{
    CONFORMS({"RTO_Init_Time", 2000 * MS});
}

/* Longer than a FEP may take for an answer: who waits for a resend waits for the RTO that is told.
 */
static void sealed_long_rto(void **state)
{
    static const struct uet_fep_ref_setting settings[] = {{"RTO_Init_Time", 2000 * MS}, {NULL, 0}};

    (void)state;
    conforms_sealed(settings, "cluster");
    conforms_sealed(settings, "server-ssi");
}

/* 0 is in the range of both (3.5.5): what is lost stays lost. */
static void no_retries(void **state)
{
    CONFORMS({"Max_RTO_Retx_Cnt", 0}, {"Max_NACK_Retx_Cnt", 0});
}

/* Close Requests of its own come before any that a test provokes. */
static void hardly_idle(void **state)
{
    CONFORMS({"Idle_Time", 3 * MS});
}

static void slow_after_a_nack(void **state)
{
    CONFORMS({"NACK_Retx_Time", 500 * MS});
}

static void more_acks_and_noops(void **state)
{
    CONFORMS({"ack-each", 1}, {"cps-when-open", 1}, {"waits-for-peer", 1},
             {"RTO_Init_Time", 200 * MS});
}

/* A source may wait for each RUDI Response before it goes on. */
static void one_rudi_packet(void **state)
{
    CONFORMS({"max-rudi-packets", 1});
}

/* test_small [TEST]: all, or the one of that name. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_message),         cmocka_unit_test(two_pdcs),
        cmocka_unit_test(one_of_each),         cmocka_unit_test(a_window_of_16),
        cmocka_unit_test(late_answers),        cmocka_unit_test(long_rto),
        cmocka_unit_test(no_retries),          cmocka_unit_test(one_rudi_packet),
        cmocka_unit_test(hardly_idle),         cmocka_unit_test(slow_after_a_nack),
        cmocka_unit_test(more_acks_and_noops), cmocka_unit_test(sealed_long_rto),
    };

    const char *only = argc > 1 ? argv[1] : UET_TESTS;
    size_t named = 0;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        named += !only || strcmp(tests[i].name, only) == 0;
    if (named == 0) {
        fprintf(stderr, "test_small: no test is called '%s'\n", only);
        return 2;
    }
    cmocka_set_test_filter(only);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
