/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits that fep.yaml tells hold, whatever the FEP could do besides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/session.h"
#include "ut/verbs.h"

static struct uet_session session;
static struct uet_dut dut;
static struct uet_fep_ref *ref;

struct told {
    const char *name;
    uint64_t value;
};

static void begin(const struct told *told, size_t n)
{
    char err[300];

    assert_int_equal(uet_fep_ref_open(&ref, 1, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(ref);
    for (size_t i = 0; i < n; i++)
        uet_dut_param_set(&dut, told[i].name, told[i].value);
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
}

static struct uet_result run(const char *id, const char *name, uint64_t value)
{
    const struct told told = {name, value};
    struct uet_result r = {0};

    begin(&told, 1);
    uet_tc_run(&session, uet_test_find(id), &r);
    print_message("%s, %s %u: %s %.160s\n", id, name, (unsigned)value,
                  uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    uet_fep_ref_close(ref);
    return r;
}

static void bend(void *fault)
{
    assert_int_equal(uet_ut_violate(session.ut, fault), 0);
}

static void skips(const char *id, const char *name, uint64_t value, const char *why)
{
    struct uet_result r = run(id, name, value);

    assert_int_equal(r.verdict, UET_SKIP);
    assert_non_null(strstr(r.message, why));
}

/* It has more than 128 READs open at once. */
static void many_reads(void **state)
{
    static const char id[] = "pds.3.5.11.4.return-data-mpr";

    (void)state;
    skips(id, "max-reads", 64, "needs 65 open READs at once: fep.yaml tells max-reads: 64");
    skips(id, "max-open-messages", 64, "fep.yaml tells max-open-messages: 64");
    assert_int_equal(run(id, "max-reads", 1000).verdict, UET_PASS);
    assert_int_equal(run(id, "max-open-messages", 1000).verdict, UET_PASS);
}

/* What is answered is not open; a burst is. */
static void one_at_a_time(void **state)
{
    (void)state;
    assert_int_equal(run("pds.3.5.8.2.first-operation", "max-open-messages", 1).verdict, UET_PASS);
    skips("pds.3.5.12.2.ack-at-trigger", "max-open-messages", 1, "needs 2 open messages at once");
    assert_int_equal(run("pds.3.5.12.2.ack-at-trigger", "max-open-messages", 64).verdict, UET_PASS);
    skips("pds.3.5.7.2.reads-in-order", "max-reads", 1, "needs 2 open READs at once");
}

static void fixed_rto(void **state)
{
    static const char id[] = "pds.3.5.15.rto-doubles";

    (void)state;
    skips(id, "rto-fixed", 1, "fep.yaml tells rto-fixed");
    assert_int_equal(run(id, "rto-fixed", 0).verdict, UET_PASS);
}

static int keep(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    if (r->verdict != UET_PASS && r->verdict != UET_SKIP)
        print_message("%s %s\n%s\n", uet_verdict_name((enum uet_verdict)r->verdict), r->id,
                      r->message);
    return 0;
}

/* The least of each: what is left out is skipped, and most is left. */
static void the_least(void **state)
{
    static const struct told least[] = {
        {"max-open-messages", 1}, {"max-reads", 1}, {"own-window", 1}, {"rto-fixed", 1}};
    const struct uet_selection all = {0};
    const struct uet_run_events events = {.done = keep};
    struct uet_summary summary = {0};
    size_t n;

    (void)state;
    begin(least, sizeof(least) / sizeof(*least));
    const struct uet_test **tests = uet_select(&all, &n);
    assert_int_equal(uet_run_tests(&session, &all, tests, n, &events, &summary), 0);
    free(tests);
    uet_fep_ref_close(ref);
    print_message("%u passed of %zu\n", (unsigned)summary.pass, n);
    assert_int_equal(uet_summary_exit_status(&summary), 0);
    assert_true(summary.pass > n / 2);
}

#define POOL 5

/* A FEP of small pools, which fep.yaml tells; with a fault, or NULL. */
static struct uet_result fills(const char *id, const char *name, const char *fault)
{
    static const struct uet_fep_ref_setting small[] = {
        {"max-open-messages", POOL}, {"max-read-parts", 2 * POOL}, {NULL, 0}};
    const struct uet_fep_ref_kind kind = {.seed = 1, .settings = small};
    struct uet_result r = {0};
    char err[300];

    assert_int_equal(uet_fep_ref_open_as(&ref, &kind, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(ref);
    uet_dut_param_set(&dut, name, POOL);
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
    session.strict = true; /* ROB is SHOULD */
    session.prepare = fault ? bend : NULL;
    session.prepare_ctx = (char *)(uintptr_t)fault;
    uet_tc_run(&session, uet_test_find(id), &r);
    print_message("%s, %s: %s %.160s\n", id, fault ? fault : "as it is",
                  uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    uet_fep_ref_close(ref);
    return r;
}

/* Pools that are told are walked to full, beyond what other tests keep to; what leaks is found. */
static void full_and_full_again(void **state)
{
    static const struct {
        const char *id, *pool, *fault;
    } pools[] = {
        {"rob.3.4.1.7.3.messages-full-twice", "max-open-messages", "ROB_037_DONE"},
        {"rob.3.5.12.1.reads-full-twice", "max-reads", "ROB_039"},
        {"rob.3.5.8.3.bitmaps-full-twice", "max-bitmaps", "ROB_036_BITMAP"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pools) / sizeof(*pools); i++) {
        assert_int_equal(fills(pools[i].id, pools[i].pool, NULL).verdict, UET_PASS);
        assert_int_equal(fills(pools[i].id, pools[i].pool, pools[i].fault).verdict, UET_FAIL);
    }
}

/* Of words with spaces between them. */
static bool has_word(const char *words, const char *word, size_t n)
{
    bool has = false;

    for (const char *at = words; at && *at;) {
        const size_t length = strcspn(at, " ");

        has = has || (length == n && strncmp(at, word, n) == 0);
        at += length + (at[length] == ' ');
    }
    return has;
}

static bool has_any(const char *words, const char *of)
{
    bool has = false;

    for (const char *at = of; *at;) {
        const size_t length = strcspn(at, " ");

        has = has || has_word(words, at, length);
        at += length + (at[length] == ' ');
    }
    return has;
}

/* A test that must know a parameter needs one of the claims without which it is told for nothing.
 */
static void uses(void **state)
{
    size_t n, found = 0;
    const struct uet_test **tests = uet_tests_sorted(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < uet_dut_n_param_uses; k++) {
            const struct uet_dut_param_use *use = &uet_dut_param_uses[k];

            if (!tests[i]->params || !has_word(tests[i]->params, use->name, strlen(use->name)))
                continue;
            found++;
            if (!has_any(tests[i]->needs, use->claims))
                fail_msg("%s must know %s, and needs none of %s", tests[i]->id, use->name,
                         use->claims);
        }
    }
    assert_true(found > 100);
    free(tests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_reads),          cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(fixed_rto),           cmocka_unit_test(the_least),
        cmocka_unit_test(full_and_full_again), cmocka_unit_test(uses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
