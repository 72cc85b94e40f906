/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The suite against a reference FEP that breaks one requirement: the tests of that requirement
 * fail, those of other subjects keep their verdicts, and the rule has its own entry. All of it
 * once; where what is asked is one thing, the tests of one area.
 *
 * test_outside REQUIREMENT [GLOB] shows what a run against such a FEP finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/outside.h"
#include "conformance/report/summary.h"
#include "conformance/violate/mutate.h"
#include "ut/verbs.h"

enum { RESULTS_MAX = 4096 }; /* tests and rules */

struct bent {
    struct uet_session session;
    struct uet_fep_ref *ref;
    const struct uet_violator *mutator; /* NULL: the FEP itself is bent */
    const char *requirement;
    struct uet_dut dut;
    struct uet_impaired impaired;
    struct uet_outside outside;
    struct uet_summary summary;
    struct uet_result results[RESULTS_MAX];
    size_t n;
};

static void bend(void *ctx)
{
    struct bent *b = ctx;

    if (b->mutator)
        uet_fep_ref_impair(b->ref, &b->mutator->impair, &b->impaired);
    else
        assert_int_equal(uet_ut_violate(b->session.ut, b->requirement), 0);
}

static int keep(void *ctx, const struct uet_result *r)
{
    struct bent *b = ctx;

    assert_true(b->n < RESULTS_MAX);
    b->results[b->n++] = *r;
    return uet_result_is_rule(r) ? 0 : uet_outside_add(&b->outside, r);
}

/*
 * The run, as `uetconform run` does it, against a FEP that a mutator or (NULL) its own code breaks;
 * known: the reason, when fep.yaml lists the requirement; glob: the tests, NULL is all.
 */
static struct bent *run_as(const char *requirement, const struct uet_violator *mutator,
                           const char *known, const char *glob)
{
    struct bent *b = calloc(1, sizeof(*b));
    const struct uet_selection selection = {.glob = glob};
    const struct uet_run_events events = {.ctx = b, .done = keep};
    char err[512];
    size_t n;

    assert_non_null(b);
    b->requirement = requirement;
    b->mutator = mutator;
    assert_int_equal(uet_fep_ref_open(&b->ref, 1, err, sizeof(err)), 0);
    uet_session_default(&b->session);
    b->dut = *uet_fep_ref_dut(b->ref);
    if (known) {
        struct uet_dut_known *k = &b->dut.known[b->dut.n_known++];
        *k = (struct uet_dut_known){.line = 9, .date = "2026-01-31"};
        snprintf(k->requirement, sizeof(k->requirement), "%s", requirement);
        snprintf(k->reason, sizeof(k->reason), "%s", known);
    }
    b->session.dut = &b->dut;
    b->session.port = uet_fep_ref_port(b->ref);
    b->session.ut = uet_fep_ref_ut(b->ref);
    b->session.prepare = bend;
    b->session.prepare_ctx = b;
    const struct uet_test **tests = uet_select(&selection, &n);
    assert_int_equal(uet_run_tests(&b->session, &selection, tests, n, &events, &b->summary), 0);
    free(tests);
    assert_int_equal(uet_outside_report(&b->outside, &b->session, &events, &b->summary), 0);
    return b;
}

/* By the first mutator of the requirement, if there is one. */
static struct bent *run_bent_known(const char *requirement, const char *known, const char *glob)
{
    const struct uet_violator *mutator = NULL;

    for (size_t i = 0; uet_violator(i) && !mutator; i++)
        if (strcmp(uet_violator(i)->requirement, requirement) == 0)
            mutator = uet_violator(i);
    return run_as(requirement, mutator, known, glob);
}

static struct bent *run_bent(const char *requirement, const char *glob)
{
    return run_bent_known(requirement, NULL, glob);
}

static void end(struct bent *b)
{
    uet_outside_free(&b->outside);
    uet_fep_ref_close(b->ref);
    free(b);
}

static void show(const struct bent *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct uet_result *r = &b->results[i];
        if (r->verdict != UET_PASS && r->verdict != UET_SKIP)
            printf("%s %s\n%s\n\n", uet_verdict_name((enum uet_verdict)r->verdict), r->id,
                   r->message);
    }
}

static const struct uet_result *result_of(const struct bent *b, const char *id)
{
    for (size_t i = 0; i < b->n; i++)
        if (strcmp(b->results[i].id, id) == 0)
            return &b->results[i];
    return NULL;
}

/* None but the tests that claim it, and the entry of its rule, say anything against the FEP. */
static void others_keep_their_verdicts(void **state)
{
    (void)state;
    struct bent *b = run_bent("PDS-105", NULL);
    unsigned pointing = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct uet_result *r = &b->results[i];
        const struct uet_test *test = uet_test_find(r->id);

        if (!test || uet_test_claims(test, "PDS-105"))
            continue;
        if (r->verdict != UET_PASS && r->verdict != UET_SKIP)
            print_message("%s %s: %s\n", uet_verdict_name((enum uet_verdict)r->verdict), r->id,
                          r->message);
        assert_true(r->verdict == UET_PASS || r->verdict == UET_SKIP);
        for (size_t k = 0; k < r->n_findings; k++)
            pointing += r->findings[k].outside > 0;
    }
    const struct uet_result *rule = result_of(b, "rule.PDS-105");
    assert_non_null(rule);
    assert_int_equal(rule->verdict, UET_FAIL);
    assert_string_equal(rule->broken, "PDS-105");
    assert_string_equal(rule->role, "passive");
    char seen[32];
    snprintf(seen, sizeof(seen), "in %u tests", pointing);
    assert_non_null(strstr(rule->message, seen));
    assert_int_equal(uet_summary_exit_status(&b->summary), 1);
    end(b);
}

/* A deviation that fep.yaml lists is told with its reason, once. */
static void known_is_told_once(void **state)
{
    (void)state;
    struct bent *b = run_bent_known("PDS-105", "it is being mended", "pds.3.5.1?.*");
    const struct uet_result *rule = result_of(b, "rule.PDS-105");

    assert_non_null(rule);
    assert_true(rule->known);
    const char *told = strstr(rule->message, "\nknown:    it is being mended (2026-01-31)");
    assert_non_null(told);
    assert_null(strstr(told + 2, "known:"));
    end(b);
}

/* Does the test say it in its own name: a fail, or a finding where it is a SHOULD? */
static bool names(const struct uet_result *r, const char *requirement)
{
    for (size_t i = 0; i < r->n_findings; i++)
        if (!r->findings[i].outside && strcmp(r->findings[i].requirement, requirement) == 0)
            return true;
    return strcmp(r->broken, requirement) == 0;
}

/* What a rule says of the answer to a wrong packet does not hide that it was answered. */
static void own_reason_is_named(void **state)
{
    (void)state;
    struct bent *b = run_bent("PDS-040", "pds.*");
    unsigned named = 0;

    for (size_t i = 0; i < b->n; i++)
        named += !uet_result_is_rule(&b->results[i]) && names(&b->results[i], "PDS-040");
    if (!named)
        show(b);
    assert_true(named > 0);
    end(b);
}

/* The FEP answers, though wrongly in every ACK: no gate keeps a tenth of the tests from running. */
static void one_deviation_silences_nothing(void **state)
{
    (void)state;
    struct bent *b = run_bent("PDS-079", "pds.*"); /* CACK_PSN stays behind */
    const struct uet_result *sanity = result_of(b, "pds.3.5.8.3.first-exchange");

    assert_non_null(sanity);
    assert_int_equal(sanity->verdict, UET_FAIL);
    assert_true(sanity->ground_holds);
    assert_true(b->summary.inconc < b->n / 10);
    assert_true(b->summary.pass > b->n / 2);
    end(b);
}

/* The test whose failure tells the cause of this one, itself if none does. */
static const char *cause_of(const struct uet_run *run, const char *id)
{
    const struct uet_result *r = uet_run_find(run, id);

    assert_non_null(r);
    return r->as_in[0] ? r->as_in : r->id;
}

/*
 * A FEP that drops what is for an unknown PDCID: tests that look at a NACK of any kind miss theirs.
 * That is PDS-038, whatever they wanted to see, and a test about it tells the cause.
 */
static void what_is_missing_names_the_cause(void **state)
{
    (void)state;
    static const char *const looking[] = {"NET-031", "PDS-104", "PDS-105", "PDS-112", "PDS-234"};
    static const struct uet_run_info info = {.fep = "ref"};
    struct bent *b = run_as("PDS_038", NULL, NULL, "pds.*");
    struct uet_run run;

    assert_int_equal(uet_run_init(&run, &info), 0);
    for (size_t i = 0; i < b->n; i++) {
        for (size_t k = 0; k < sizeof(looking) / sizeof(*looking); k++)
            if (strcmp(b->results[i].broken, looking[k]) == 0)
                fail_msg("%s: %s", b->results[i].id, b->results[i].message);
        assert_int_equal(uet_run_add(&run, &b->results[i]), 0);
    }
    uet_run_find_causes(&run);
    assert_string_equal(cause_of(&run, "pds.3.5.8.2.dpdcid-zero"), "pds.3.5.8.2.unknown-dpdcid");
    assert_string_equal(cause_of(&run, "pds.3.5.11.8.retx-comes-back-in-nack"),
                        "pds.3.5.8.2.unknown-dpdcid");
    uet_run_free(&run);
    end(b);
}

/* Every ACK names another packet: one cause, which the entry of the rule tells. */
static void what_came_instead_names_the_cause(void **state)
{
    (void)state;
    static const struct uet_run_info info = {.fep = "ref"};
    struct bent *b = run_bent("PDS-106", "ses.3.4.6*");
    struct uet_run run;

    assert_int_equal(uet_run_init(&run, &info), 0);
    for (size_t i = 0; i < b->n; i++)
        assert_int_equal(uet_run_add(&run, &b->results[i]), 0);
    uet_run_find_causes(&run);
    assert_string_equal(cause_of(&run, "ses.3.4.6.2.no-op-succeeds"), "rule.PDS-106");
    uet_run_free(&run);
    end(b);
}

/* Nobody sent a Close Command: what the FEP did not do is to close when asked (PDS-208). */
static void an_unclosed_pdc_is_named_by_who_opened_it(void **state)
{
    (void)state;
    struct bent *b = run_as("PDS_208", NULL, NULL, "pds.*");
    unsigned asked = 0;

    for (size_t i = 0; i < b->n; i++) {
        const struct uet_result *r = &b->results[i];

        for (size_t k = 0; k < r->n_findings; k++) {
            bool postamble = strncmp(r->findings[k].text, "postamble", 9) == 0;

            asked += postamble && strcmp(r->findings[k].requirement, "PDS-208") == 0;
            assert_false(postamble && strcmp(r->findings[k].requirement, "PDS-203") == 0);
        }
    }
    assert_true(asked > 0);
    end(b);
}

/* Requests to a PDCID that the tester does not have: no body takes a PDC from them. */
static void strays_are_unexpected(void **state)
{
    (void)state;
    struct bent *b = run_bent("PDS-034", "pds.*");

    assert_int_equal(b->summary.error, 0);
    assert_true(b->summary.fail > 0);
    end(b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_keep_their_verdicts),
        cmocka_unit_test(known_is_told_once),
        cmocka_unit_test(own_reason_is_named),
        cmocka_unit_test(one_deviation_silences_nothing),
        cmocka_unit_test(what_is_missing_names_the_cause),
        cmocka_unit_test(what_came_instead_names_the_cause),
        cmocka_unit_test(an_unclosed_pdc_is_named_by_who_opened_it),
        cmocka_unit_test(strays_are_unexpected),
    };

    if (argc > 1) {
        struct bent *b = run_bent(argv[1], argc > 2 ? argv[2] : NULL);
        show(b);
        end(b);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
