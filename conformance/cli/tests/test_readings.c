/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference FEP made to follow the other reading of a requirement: where the facts accept it,
 * the test passes with a finding, and only --strict fails it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/target/target.h"
#include "conformance/harness/session.h"
#include "ut/verbs.h"
#include "wire/class.h"

/* How the FEP is bent: by the rule `bent`, or, when there is none, by altering its packets. */
struct other_way {
    const char *requirement, *test, *bent;
    struct uet_impairment impair;
};

static const struct other_way ways[] = {
    {"PDS-040", "pds.3.5.8.2.wrong-spdcid", "PDS-040", {0}},
    {"PDS-040", "pds.3.5.8.2.wrong-source-address", "PDS-040", {0}},
    {"PDS-186", "pds.3.5.16.cp-with-wrong-spdcid", "PDS-040", {0}},
    {"PDS-137", "pds.3.5.12.7.no-pdc-avail-retries-on-new-pdc", "PDS-137", {0}},
    {"SES-089", "ses.3.5.7.3.no-send-on-rudi", "SES-089", {0}},
    {"SES-059",
     "ses.3.4.1.4.job-not-authorized",
     NULL,
     {.packets = UET_CLASS_ACK_ERROR,
      .action = UET_IMPAIR_SET,
      .place = UET_IN_SES,
      .field = "return_code",
      .operand = UET_RC_BAD_JOB_ID}},
    {"SES-030",
     "pds.3.5.8.2.first-operation",
     NULL,
     {.packets = UET_CLASS_SOM,
      .action = UET_IMPAIR_SET,
      .place = UET_IN_SES,
      .field = "message_id"}},
};

struct bent {
    struct uet_target target;
    const struct other_way *way;
    struct uet_impaired impaired;
};

/* When the test begins, after the reset that mends everything. */
static void bend(void *ctx)
{
    struct bent *b = ctx;

    if (!b->way->bent)
        uet_fep_ref_impair(b->target.ref, &b->way->impair, &b->impaired);
    else
        assert_int_equal(uet_ut_violate(b->target.ut, b->way->bent), 0);
}

static struct uet_result run(const struct other_way *way, bool strict)
{
    struct bent b = {.way = way};
    struct uet_session session;
    struct uet_result result = {0};
    char err[512];

    uet_session_default(&session);
    assert_int_equal(uet_target_open(&b.target, "ref", session.seed, err, sizeof(err)), 0);
    session.dut = &b.target.dut;
    session.port = b.target.port;
    session.ut = b.target.ut;
    session.strict = strict;
    session.prepare = bend;
    session.prepare_ctx = &b;
    const struct uet_test *test = uet_test_find(way->test);
    assert_non_null(test);
    uet_tc_run(&session, test, &result);
    uet_target_close(&b.target);
    return result;
}

/* A test fails by what it is about; what a rule saw outside of that has an entry of its own. */
static bool held_against(const struct uet_result *r)
{
    for (size_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].outside)
            return true;
    return r->verdict == UET_FAIL;
}

static bool found(const struct uet_result *r, const char *requirement)
{
    for (size_t i = 0; i < r->n_findings; i++)
        if (strcmp(r->findings[i].requirement, requirement) == 0)
            return true;
    return false;
}

static void the_other_way_is_a_finding(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        struct uet_result easy = run(&ways[i], false), strict = run(&ways[i], true);
        if (easy.verdict == UET_PASS && found(&easy, ways[i].requirement) && !held_against(&easy) &&
            held_against(&strict))
            continue;
        wrong++;
        print_error("%s: %s: verdict %u with %zu findings: %s; strict %u: %s\n",
                    ways[i].requirement, ways[i].test, easy.verdict, (size_t)easy.n_findings,
                    easy.message, strict.verdict, strict.message);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_other_way_is_a_finding)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
