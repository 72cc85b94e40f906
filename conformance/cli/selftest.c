/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uetconform selftest: a test is trusted when it has caught a culprit. The conforming FEP passes
 * everything; each violator must be caught by a test of its own requirement.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/sweep.h"
#include "conformance/cli/target.h"
#include "conformance/harness/outside.h"
#include "conformance/harness/runner.h"
#include "conformance/report/outfile.h"
#include "conformance/report/run_json.h"
#include "conformance/violate/mutate.h"
#include "ut/verbs.h"

/* One culprit: a packet mutator, or a rule that the bent FEP breaks. */
struct culprit {
    const char *requirement;
    const struct uet_violator *mutator; /* NULL: bent */
    const char *bent;                   /* ... in this way */
};

struct selftest {
    struct uet_target target;
    struct uet_session session;
    const char *fep; /* of `target`: "ref" or "ref:native" */
    struct culprit culprit;
    struct uet_selection only; /* whose violators */
    bool chosen;               /* not all of them */
    struct uet_choice choice;
    bool verbose;
    FILE *say; /* what is for a person: standard error when a report takes standard output */
    json_t *kills, *survivors;
    size_t n_culprits, n_killed;

    /* of the run under way */
    char killer[100]; /* the test that caught the culprit */
    bool own_name;    /* by the name of its requirement, in the test under way */
    bool by_name;     /* the killer did */
    size_t n_tests, n_skipped, n_harmed;
    uint32_t seen; /* packets of the mutator's class in this test */
    struct uet_result first_bad;
};

static int help(void)
{
    printf("usage: uetconform selftest [OPTIONS]\n\n"
           "Breaks the reference FEP on purpose, once for each violator, and runs the tests that\n"
           "claim the broken requirement: one of them must fail.\n\n"
           "  --requirement R  only violators of this requirement; the clean run is left out\n"
           "  --section S      only those of requirements of that section, and below it\n"
           "  --test GLOB      only those of requirements that such tests claim; all three may be\n"
           "                   given several times, as for `uetconform run`\n"
           "  --sweep          alter every field of every header the FEP sends, drop, duplicate\n"
           "                   and delay every kind of packet, and list what no test notices\n"
           "  --doc F          with --sweep: the page docs/sweep.md\n"
           "  --json F         {violators, killed, survivors: [...]}; - is standard output\n"
           "  --seed N         as in `uetconform run`\n"
           "  --verbose        which test caught which violator\n\n"
           "Examples:\n"
           "  uetconform selftest --json out/selftest.json\n"
           "  uetconform selftest --requirement PDS-038 --verbose\n");
    return 0;
}

/* ---- breaking the FEP ---- */

static struct uet_mutation mutate(void *ctx, uint8_t *frame, uint32_t len)
{
    struct selftest *s = ctx;
    struct uet_fate fate;

    if (uet_violate(s->culprit.mutator, s->target.dut.protect, &s->seen, frame, len, &fate))
        s->n_harmed++;
    return (struct uet_mutation){.copies = fate.copies, .delay_ns = fate.delay_ns};
}

/* When a test begins, after the reset that mends everything. */
static void prepare(void *ctx)
{
    struct selftest *s = ctx;
    const struct uet_mutator mutator = {.ctx = s, .frame = mutate};

    s->seen = 0;
    if (s->culprit.mutator)
        uet_fep_ref_mutate(s->target.ref, &mutator);
    else if (s->culprit.bent && uet_ut_violate(s->target.ut, s->culprit.bent) != 0)
        fprintf(stderr, "selftest: the FEP cannot break %s: %s\n", s->culprit.bent,
                s->target.ut->error);
}

/* ---- running ---- */

static void on_broken(void *ctx, const char *requirement)
{
    struct selftest *s = ctx;
    const struct uet_requirement *found = uet_requirement_find(requirement);
    const struct uet_requirement *wanted =
        s->culprit.requirement ? uet_requirement_find(s->culprit.requirement) : NULL;

    if (found && wanted && uet_requirement_canonical(found) == uet_requirement_canonical(wanted))
        s->own_name = true;
}

static int on_done(void *ctx, const struct uet_result *r)
{
    struct selftest *s = ctx;

    bool caught = r->verdict == UET_FAIL || uet_outside_fails(r, s->session.strict);

    s->n_tests++;
    s->n_skipped += r->verdict == UET_SKIP;
    if (caught && (!s->killer[0] || (s->own_name && !s->by_name))) {
        snprintf(s->killer, sizeof(s->killer), "%s", r->id);
        s->by_name = s->own_name;
    }
    s->own_name = false;
    if ((caught || (r->verdict != UET_PASS && r->verdict != UET_SKIP)) && !s->first_bad.id)
        s->first_bad = *r;
    return 0;
}

/* Runs the tests of a requirement (NULL: all) against the FEP as it is now. */
static int run(struct selftest *s, const char *requirement)
{
    const struct uet_selection selection = {.requirement = requirement, .no_gate = true};
    const struct uet_run_events events = {.ctx = s, .done = on_done};
    struct uet_summary summary = {0};
    size_t n;
    const struct uet_test **tests = uet_select(&selection, &n);

    s->killer[0] = '\0';
    s->own_name = s->by_name = false;
    s->n_tests = s->n_skipped = s->n_harmed = 0;
    s->first_bad = (struct uet_result){0};
    int rc = uet_run_tests(&s->session, &selection, tests, n, &events, &summary);
    free(tests);
    return rc;
}

static const char *what(const struct culprit *c)
{
    return c->mutator ? c->mutator->what : c->bent;
}

/* Why nobody caught it. */
static const char *why_alive(const struct selftest *s)
{
    if (s->n_tests == 0)
        return "no test claims it";
    if (s->n_skipped == s->n_tests)
        return "its tests were skipped";
    if (s->culprit.mutator && s->n_harmed == 0)
        return "its tests provoked no such packet";
    return !s->first_bad.id ? "its tests passed" : "its tests were not able to judge";
}

/* The FEP, and the suite, of one version of the specification. 0, or 2 with a line of why. */
static int open_fep(struct selftest *s, const char *fep, uint8_t spec)
{
    char err[512];

    uet_target_close(&s->target);
    if (uet_target_open_as(&s->target, fep, s->session.seed, spec, err, sizeof(err)) != 0)
        return uet_setup_error("selftest", "%s", err);
    s->fep = fep;
    s->session.spec = spec;
    s->session.dut = &s->target.dut;
    s->session.port = s->target.port;
    s->session.ut = s->target.ut;
    return 0;
}

/* Do all tests of a requirement need native IP? */
static bool of_native_ip(const char *requirement)
{
    const struct uet_selection selection = {.requirement = requirement};
    size_t n;
    const struct uet_test **tests = uet_select(&selection, &n);
    bool all = n > 0;

    for (size_t i = 0; i < n; i++)
        all = all && uet_test_needs(tests[i], "native");
    free(tests);
    return all;
}

/*
 * A requirement that a later version dropped is broken in the newest that has it; one of native IP,
 * on native IP.
 */
static int open_fep_of(struct selftest *s, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);
    const char *fep = of_native_ip(requirement) ? "ref:native" : "ref";
    uint8_t spec = 0;

    while (r && uet_dut_specs[spec + 1] && !uet_requirement_in(r, uet_dut_specs[spec]))
        spec++;
    return spec == s->session.spec && fep == s->fep ? 0 : open_fep(s, fep, spec);
}

static int try_culprit(struct selftest *s, const struct culprit *c)
{
    if (open_fep_of(s, c->requirement) != 0)
        return 2;
    s->culprit = *c;
    s->session.strict = true; /* what is a finding otherwise catches a culprit, too */
    int rc = run(s, c->requirement);
    if (rc)
        return rc;
    s->n_culprits++;
    if (s->killer[0]) {
        s->n_killed++;
        if (s->verbose)
            fprintf(s->say, "killed    %-8s %s: %s%s\n", c->requirement, what(c), s->killer,
                    s->by_name ? "" : " (under another name)");
        return json_array_append_new(s->kills, json_pack("{sssssssb}", "requirement",
                                                         c->requirement, "violator", what(c),
                                                         "test", s->killer, "by_name", s->by_name));
    }
    const char *why = why_alive(s);
    fprintf(s->say, "SURVIVES  %-8s %s: %s\n", c->requirement, what(c), why);
    return json_array_append_new(s->survivors, json_pack("{ssssss}", "requirement", c->requirement,
                                                         "violator", what(c), "reason", why));
}

static bool wanted(const struct selftest *s, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    return !s->chosen || (r && uet_selects_requirement(&s->only, r));
}

static int try_all(struct selftest *s)
{
    int rc = 0;

    for (size_t i = 0; !rc && uet_violator(i); i++) {
        const struct culprit c = {uet_violator(i)->requirement, uet_violator(i), NULL};
        if (wanted(s, c.requirement))
            rc = try_culprit(s, &c);
    }
    uet_fep_ref_mutate(s->target.ref, NULL);
    for (size_t i = 0; !rc && uet_fep_ref_violation(i); i++) {
        const struct culprit c = {uet_fep_ref_violation(i), NULL, uet_fep_ref_violation_name(i)};
        if (wanted(s, c.requirement))
            rc = try_culprit(s, &c);
    }
    return rc;
}

/* The conforming FEP: everything passes, or the tests are wrong. */
static bool clean(struct selftest *s)
{
    s->culprit = (struct culprit){0};
    s->session.strict = true;
    if (run(s, NULL) != 0)
        return false;
    if (!s->first_bad.id)
        return true;
    const struct uet_result *r = &s->first_bad;
    fprintf(s->say, "NOT CLEAN the conforming FEP does not pass %s: %s\n", r->id,
            r->verdict == UET_PASS ? r->findings[r->n_findings - 1].text : r->message);
    return false;
}

static int write_json(const struct selftest *s, const char *path)
{
    json_t *doc = json_pack("{sIsIsOsO}", "violators", (json_int_t)s->n_culprits, "killed",
                            (json_int_t)s->n_killed, "survivors", s->survivors, "kills", s->kills);
    char err[600];

    if (uet_json_write(doc, path, err, sizeof(err)) == 0)
        return 0;
    return uet_setup_error("selftest", "%s", err);
}

static int selftest(struct selftest *s, const char *json)
{
    s->say = uet_outfile_is_stdout(json) ? stderr : stdout;
    if (open_fep(s, "ref", 0) != 0)
        return 2;
    s->session.prepare = prepare;
    s->session.prepare_ctx = s;
    s->session.broken = on_broken;
    s->session.broken_ctx = s;
    s->kills = json_array();
    s->survivors = json_array();
    bool good = s->chosen || clean(s);
    int rc = try_all(s);
    fprintf(s->say, "%zu violators, %zu killed, %zu survive\n", s->n_culprits, s->n_killed,
            s->n_culprits - s->n_killed);
    int status = rc ? 2 : !good || s->n_killed != s->n_culprits;
    if (s->chosen && s->n_culprits == 0)
        status = uet_setup_error("selftest", "no violator breaks what is chosen");
    if (json && write_json(s, json) != 0)
        status = 2;
    json_decref(s->kills);
    json_decref(s->survivors);
    uet_target_close(&s->target);
    return status;
}

int uet_cmd_selftest(int argc, char **argv)
{
    static const struct option options[] = {
        UET_CHOICE_OPTIONS,
        {"json", required_argument, NULL, 'J'},
        {"seed", required_argument, NULL, 'n'},
        {"verbose", no_argument, NULL, 'v'},
        {"sweep", no_argument, NULL, 'w'},
        {"doc", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct selftest *s = calloc(1, sizeof(*s));
    const char *json = NULL, *doc = NULL;
    bool sweep = false;
    int c, status = -1;

    if (!s)
        return 2;
    uet_session_default(&s->session);
    s->choice.command = "selftest";
    while (status < 0 && (c = uet_args_next("selftest", argc, argv, options)) != -1) {
        if (c == 'r' || c == 's' || c == 't')
            status = uet_choice_take(&s->choice, c, optarg, &s->only) ? -1 : 2;
        else if (c == 'J')
            status = uet_args_once("selftest", "json", optarg, &json) ? -1 : 2;
        else if (c == 'd')
            status = uet_args_once("selftest", "doc", optarg, &doc) ? -1 : 2;
        else if (c == 'v')
            s->verbose = true;
        else if (c == 'w')
            sweep = true;
        else if (c == 'h')
            status = help();
        else if (c != 'n' ||
                 !uet_args_number("selftest", "seed", optarg, 0, UINT64_MAX, &s->session.seed))
            status = 2;
    }
    if (status < 0 && !uet_args_no_more("selftest", argc, argv))
        status = 2;
    if (status < 0 && doc && !sweep)
        status = uet_usage("selftest", "--doc needs --sweep");
    s->chosen = s->only.section || s->only.glob || s->only.requirement;
    if (status < 0)
        status = sweep ? uet_sweep(s->session.seed, json, doc, s->verbose) : selftest(s, json);
    free(s);
    return status;
}
