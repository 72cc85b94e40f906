/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two errors in one request, at a FEP that cannot have all of them: what a test leaves out for want
 * of an upper tester or of a claim stands in its result.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"
#include "ut/verbs.h"

static struct uet_fep_ref *fep;
static struct uet_dut dut;
static struct uet_session session;
static struct uet_result last;

static int keep(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    last = *r;
    return 0;
}

static uint8_t run(const char *id)
{
    const struct uet_selection one = {.glob = id};
    const struct uet_test *test = uet_test_find(id);
    const struct uet_run_events events = {.done = keep};
    struct uet_summary summary = {0};

    assert_non_null(test);
    assert_int_equal(uet_run_tests(&session, &one, &test, 1, &events, &summary), 0);
    return last.verdict;
}

/* A remark of the result says that this was left out. */
static bool told(const char *what)
{
    for (size_t i = 0; i < last.n_findings; i++) {
        const struct uet_finding *f = &last.findings[i];
        if (f->note && strstr(f->text, "left out") && strstr(f->text, what))
            return true;
    }
    return false;
}

static int begin(void **state)
{
    char err[512];

    (void)state;
    assert_int_equal(uet_fep_ref_open(&fep, 1, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(fep);
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(fep);
    session.ut = uet_fep_ref_ut(fep);
    return 0;
}

static int end(void **state)
{
    (void)state;
    uet_fep_ref_close(fep);
    return 0;
}

/* Memory of 64 bytes stands ready; whoever has no upper tester makes no region without a right. */
static void without_upper_tester(void **state)
{
    const struct uet_ut_service rma = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 5, .ri_class = UET_UT_RMA};
    const struct uet_ut_memory memory = {
        .job_id = 1, .pid_on_fep = 2, .resource_index = 5, .key = 0x11, .length = 64};
    uint64_t handle;

    (void)state;
    assert_int_equal(uet_ut_service(session.ut, &rma), 0);
    assert_int_equal(uet_ut_reg_mem(session.ut, &memory, &handle, NULL), 0);
    dut.memory[dut.n_memory++] = (struct uet_dut_memory){.job_id = 1,
                                                         .pid_on_fep = 2,
                                                         .resource_index = 5,
                                                         .relative = true,
                                                         .key = 0x11,
                                                         .length = 64,
                                                         .line = 7};
    session.ut = NULL;
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-first"), UET_PASS);
    assert_true(told("the region does not give the right"));
    assert_false(told("no region has this memory key"));
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-in-each-form"), UET_SKIP); /* no receive */
    assert_true(told("WRITE over RUDI"));
}

static void without_a_claim(void **state)
{
    (void)state;
    dut.claims[UET_PICS_GENERATIONS] = false;
    dut.claims[UET_PICS_ROD] = false;
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-first-send"), UET_PASS);
    assert_true(told("ri_generation is not the current one"));
    assert_false(told("no receive is posted"));
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-in-each-form"), UET_PASS);
    assert_true(told("WRITE on ROD"));
}

/* Where all is there, nothing is left out. */
static void with_all(void **state)
{
    (void)state;
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-first-send"), UET_PASS);
    assert_false(told(""));
    assert_int_equal(run("ses.3.4.1.3.1.unknown-job-in-each-form"), UET_PASS);
    assert_false(told(""));
}

/* A FEP of AI-Base has no verb for tagged sends: what matters is whether fep.yaml claims them. */
static void lacks_what_is_claimed(void **state)
{
    const struct uet_fep_ref_kind kind = {.seed = 1, .profile = "AI-Base"};
    const char *id = "ses.3.4.1.3.5.tag-in-every-packet";
    char err[512];

    (void)state;
    assert_int_equal(uet_fep_ref_open_as(&fep, &kind, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(fep);
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(fep);
    session.ut = uet_fep_ref_ut(fep);
    assert_int_equal(run(id), UET_SKIP);
    assert_int_equal(last.skip_reason, UET_SKIP_NOT_CLAIMED);
    dut.claims[UET_PICS_TAGGED] = true;
    assert_int_equal(run(id), UET_SKIP);
    assert_int_equal(last.skip_reason, UET_SKIP_CLAIMED);
    struct uet_summary summary = {0};
    uet_summary_add(&summary, &last);
    assert_int_equal(summary.claimed, 1);
    assert_int_equal(summary.skip, 1);
}

/* The upper tester, but it refuses the verb that ctx names. */
static struct uet_ut *inner;

static json_t *refuse_one(void *ctx, json_t *request)
{
    const char *verb = json_string_value(json_object_get(request, "verb"));
    json_t *reply = NULL;

    if (verb && strcmp(verb, ctx) == 0)
        return json_pack("{s:O, s:b, s:s}", "id", json_object_get(request, "id"), "ok", 0, "error",
                         "not today");
    (void)uet_ut_call(inner, json_deep_copy(request), &reply);
    if (reply)
        json_object_set(reply, "id", json_object_get(request, "id"));
    return reply;
}

/*
 * `hello` lists a verb, and a plain operation is refused: that is told apart from what a FEP may
 * lack. Where one has been started, or something special was asked for, it is a choice of the
 * FEP's.
 */
static void lists_and_refuses(void **state)
{
    static char read[] = "read";
    const char *id = "ses.3.4.4.2.data-answered-by-default";

    (void)state;
    inner = session.ut;
    session.ut = uet_ut_local(refuse_one, read);
    assert_non_null(session.ut);
    assert_int_equal(run(id), UET_SKIP);
    assert_int_equal(last.skip_reason, UET_SKIP_LISTED);
    assert_non_null(strstr(last.message, "not today"));
    struct uet_summary summary = {0};
    uet_summary_add(&summary, &last);
    assert_int_equal(summary.claimed, 1);
    session.started = UINT32_MAX;
    assert_int_equal(run(id), UET_SKIP);
    assert_int_equal(last.skip_reason, UET_SKIP_VERB);
    uet_ut_close(session.ut);
    session.ut = inner;
    session.started = 0;
    assert_int_equal(run(id), UET_PASS);
    assert_true(session.started != 0);
}

/* Completions that nobody waited for are asked for, too, and the answer is no small matter. */
static void refuses_the_last_wait(void **state)
{
    static char wait[] = "wait";
    const char *id = "pds.3.5.8.2.later-syn-opens"; /* which begins no operation */

    (void)state;
    inner = session.ut;
    session.ut = uet_ut_local(refuse_one, wait);
    assert_non_null(session.ut);
    assert_int_equal(run(id), UET_ERROR);
    assert_non_null(strstr(last.message, "`wait` after the test: wait: not today"));
    uet_ut_close(session.ut);
    session.ut = inner;
    assert_int_equal(run(id), UET_PASS);
}

/* Refuses so many operations with an initiator ID. */
static unsigned refuses;

static json_t *refuse_initiator(void *ctx, json_t *request)
{
    static char nothing[] = "";
    const bool has = json_object_get(request, "initiator") &&
                     strcmp(json_string_value(json_object_get(request, "verb")), "read") == 0;

    (void)ctx;
    if (!has || !refuses)
        return refuse_one(nothing, request);
    refuses--;
    return json_pack("{s:O, s:b, s:s}", "id", json_object_get(request, "id"), "ok", 0, "error",
                     "not today");
}

/* Who refuses once has no room for a moment; who always does cannot choose the initiator ID. */
static void refuses_an_initiator(void **state)
{
    const char *id = "ses.3.4.4.2.data-answered-by-default";

    (void)state;
    inner = session.ut;
    session.ut = uet_ut_local(refuse_initiator, NULL);
    assert_non_null(session.ut);
    refuses = 1;
    assert_int_equal(run(id), UET_PASS);
    assert_int_equal(refuses, 0);
    assert_false(session.no_initiator);
    refuses = UINT32_MAX;
    assert_int_equal(run(id), UET_PASS);
    assert_true(session.no_initiator);
    uet_ut_close(session.ut);
    session.ut = inner;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_upper_tester, begin, end),
        cmocka_unit_test_setup_teardown(without_a_claim, begin, end),
        cmocka_unit_test_setup_teardown(with_all, begin, end),
        cmocka_unit_test_teardown(lacks_what_is_claimed, end),
        cmocka_unit_test_setup_teardown(lists_and_refuses, begin, end),
        cmocka_unit_test_setup_teardown(refuses_the_last_wait, begin, end),
        cmocka_unit_test_setup_teardown(refuses_an_initiator, begin, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
