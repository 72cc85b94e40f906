/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uetconform selftest: a test is trusted when it has caught a fault. The conforming FEP passes
 * everything; each violator must be caught by a test of its own requirement.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/selftest/apart.h"
#include "conformance/cli/selftest/sweep.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/run/outside.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/security.h"
#include "conformance/report/outfile.h"
#include "conformance/report/run_json.h"
#include "conformance/violate/mutate.h"
#include "tools/idle_option.h"
#include "ut/verbs.h"

/* One fault: a packet mutator, or a rule that the bent FEP breaks. */
struct fault {
    const char *requirement;
    const struct uet_violator *mutator; /* NULL: bent */
    const char *bent;                   /* ... in this way */
};

/* What becomes of a fault. The tests run in a process of their own and write it down here. */
struct outcome {
    struct uet_apart apart;
    char killer[100]; /* the test that caught the fault */
    bool own_name;    /* by the name of its requirement, in the test under way */
    bool by_name;     /* the killer did */
    bool lost;        /* the process died or was ended, in apart.test */
    size_t n_tests, n_skipped;
    struct uet_impaired impaired;
    struct uet_result first_bad;
};

struct selftest {
    struct uet_target target;
    struct uet_session session;
    const char *fep;    /* of `target`: "ref" or "ref:native", */
    const char *secure; /* and how all is sealed there (uet_secure_modes), or NULL */
    struct fault fault;
    struct uet_selection only; /* whose violators */
    bool chosen;               /* not all of them */
    struct uet_choice choice;
    bool verbose;
    FILE *say; /* what is for a person: standard error when a report takes standard output */
    json_t *kills, *survivors;
    uint64_t every, n_seen; /* each so many of n_seen is tried, begun where the seed says */
    size_t n_faults, n_killed;
    struct outcome *of; /* the run under way */
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
           "  --every N        each Nth of these violators, or with --sweep alterations, only;\n"
           "                   another --seed has others\n"
           "  --json F         {violators, killed, survivors: [...]}; - is standard output\n"
           "  --seed N         as in `uetconform run`\n"
           "  --ceiling S      wall-clock seconds that a test may take (default 60): a broken FEP\n"
           "                   that does not come back is caught, and its process ended\n"
           "  --verbose        which test caught which violator\n\n"
           "Examples:\n"
           "  uetconform selftest --json out/selftest.json\n"
           "  uetconform selftest --requirement PDS-038 --verbose\n");
    return 0;
}

/* ---- breaking the FEP ---- */

/* When a test begins, after the reset that mends everything. */
static void prepare(void *ctx)
{
    struct selftest *s = ctx;

    if (s->fault.mutator)
        uet_fep_ref_impair(s->target.ref, &s->fault.mutator->impair, &s->of->impaired);
    else if (s->fault.bent && uet_ut_violate(s->target.ut, s->fault.bent) != 0)
        fprintf(stderr, "selftest: the FEP cannot break %s: %s\n", s->fault.bent,
                s->target.ut->error);
}

/* ---- running ---- */

static void on_broken(void *ctx, const char *requirement)
{
    struct selftest *s = ctx;
    const struct uet_requirement *found = uet_requirement_find(requirement);
    const struct uet_requirement *wanted =
        s->fault.requirement ? uet_requirement_find(s->fault.requirement) : NULL;

    if (found && wanted && uet_requirement_canonical(found) == uet_requirement_canonical(wanted))
        s->of->own_name = true;
}

static void on_begin(void *ctx, const struct uet_test *test)
{
    struct selftest *s = ctx;

    uet_apart_begin(&s->of->apart, test->id);
}

static int on_done(void *ctx, const struct uet_result *r)
{
    struct selftest *s = ctx;
    struct outcome *o = s->of;
    bool caught = r->verdict == UET_FAIL || uet_outside_fails(r, s->session.strict);

    o->n_tests++;
    o->n_skipped += r->verdict == UET_SKIP;
    if (caught && (!o->killer[0] || (o->own_name && !o->by_name))) {
        snprintf(o->killer, sizeof(o->killer), "%s", r->id);
        o->by_name = o->own_name;
    }
    o->own_name = false;
    if ((caught || (r->verdict != UET_PASS && r->verdict != UET_SKIP)) && !o->first_bad.id)
        o->first_bad = *r;
    return o->by_name; /* nothing is to be known beyond that */
}

/* In a process of its own: the tests of the fault's requirement; of none, all. */
static int run_here(void *ctx)
{
    struct selftest *s = ctx;
    const struct uet_selection selection = {.requirement = s->fault.requirement, .no_gate = true};
    const struct uet_run_events events = {.ctx = s, .begin = on_begin, .done = on_done};
    struct uet_summary summary = {0};
    size_t n;
    const struct uet_test **tests = uet_select(&selection, &n);

    uet_fep_ref_watch(s->target.ref, &s->of->apart.inside);
    int rc = uet_run_tests(&s->session, &selection, tests, n, &events, &summary);
    free(tests);
    return rc < 0 ? 1 : 0;
}

/* Runs them against the FEP as it is now, which may loop for ever, or die. */
static int run(struct selftest *s)
{
    struct outcome *o = s->of;

    *o = (struct outcome){0};
    int rc = uet_apart_run(&o->apart, run_here, s, s->session.ceiling_s + 1);
    if (rc != -ETIME && rc != -ECHILD)
        return rc;
    o->lost = true;
    if (o->apart.inside && !o->killer[0]) /* as in a run: a FEP that does not come back fails */
        snprintf(o->killer, sizeof(o->killer), "%s", o->apart.test);
    return 0;
}

static const char *what(const struct fault *c)
{
    return c->mutator ? c->mutator->what : c->bent;
}

/* Why nobody caught it. */
static const char *why_alive(const struct selftest *s)
{
    const struct outcome *o = s->of;

    if (o->lost)
        return "the tester itself died or did not come back in the last test that began";
    if (o->n_tests == 0)
        return "no test claims it";
    if (o->n_skipped == o->n_tests)
        return "its tests were skipped";
    if (s->fault.mutator && o->impaired.harmed == 0)
        return "its tests provoked no such packet";
    return !o->first_bad.id ? "its tests passed" : "its tests were not able to judge";
}

/* The FEP, and the suite, of one version of the specification. 0, or 2 with a line of why. */
static int open_fep(struct selftest *s, const char *fep, uint8_t spec)
{
    char err[512];

    uet_target_close(&s->target);
    const struct uet_target_as as = {.seed = s->session.seed, .spec = spec, .secure = s->secure};
    if (uet_target_open_as(&s->target, fep, &as, err, sizeof(err)) != 0)
        return uet_setup_error("selftest", "%s", err);
    s->fep = fep;
    s->session.spec = spec;
    s->session.dut = &s->target.dut;
    s->session.port = s->target.port;
    s->session.ut = s->target.ut;
    return 0;
}

/* Do all tests of a requirement need that? */
static bool all_need(const char *requirement, const char *need)
{
    const struct uet_selection selection = {.requirement = requirement};
    size_t n;
    const struct uet_test **tests = uet_select(&selection, &n);
    bool all = n > 0;

    for (size_t i = 0; i < n; i++)
        all = all && uet_test_needs(tests[i], need);
    free(tests);
    return all;
}

/*
 * A requirement that a later version dropped is broken in the newest that has it; one of native IP,
 * on native IP; one of transport security, where all is sealed, or beside clear jobs.
 */
static int open_fep_of(struct selftest *s, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);
    const char *fep = all_need(requirement, "native") ? "ref:native" : "ref";
    const char *secure = all_need(requirement, "clear-jobs") ? "beside"
                         : all_need(requirement, "tss")      ? uet_secure_modes[0]
                                                             : NULL;
    uint8_t spec = 0;

    while (r && uet_dut_specs[spec + 1] && !uet_requirement_in(r, uet_dut_specs[spec]))
        spec++;
    if (spec == s->session.spec && fep == s->fep && secure == s->secure)
        return 0;
    s->secure = secure;
    return open_fep(s, fep, spec);
}

static bool unnoticed(const struct selftest *s)
{
    return !s->of->killer[0] && !s->of->lost;
}

/*
 * The tests at their ordinary points; at more, if these do not notice it; where all is sealed, in
 * the other ways of that; and with the FEP of the smallest profile, which may break what one that
 * has every feature cannot.
 */
static int run_closely(struct selftest *s)
{
    int rc = run(s);

    if (!rc && unnoticed(s)) {
        s->session.depth = UET_DEPTH_DEFAULT;
        rc = run(s);
        s->session.depth = UET_DEPTH_SMOKE;
    }
    for (size_t i = 1; !rc && unnoticed(s) && s->secure && uet_secure_modes[i]; i++) {
        s->secure = uet_secure_modes[i];
        rc = open_fep(s, s->fep, s->session.spec) != 0 ? -EIO : run(s);
    }
    if (rc || !unnoticed(s) || strcmp(s->fep, "ref") != 0)
        return rc;
    s->secure = s->secure ? uet_secure_modes[0] : NULL;
    return open_fep(s, "ref:aibase", s->session.spec) != 0 ? -EIO : run(s);
}

static int try_fault(struct selftest *s, const struct fault *c)
{
    if (open_fep_of(s, c->requirement) != 0)
        return 2;
    s->fault = *c;
    s->session.strict = true; /* what is a finding otherwise catches a fault, too */
    const struct outcome *o = s->of;
    int rc = run_closely(s);
    if (rc)
        return rc;
    s->n_faults++;
    if (o->killer[0]) {
        s->n_killed++;
        if (s->verbose)
            fprintf(s->say, "killed    %-8s %s: %s%s\n", c->requirement, what(c), o->killer,
                    o->lost      ? " (the FEP did not come back)"
                    : o->by_name ? ""
                                 : " (under another name)");
        return json_array_append_new(s->kills, json_pack("{sssssssb}", "requirement",
                                                         c->requirement, "violator", what(c),
                                                         "test", o->killer, "by_name", o->by_name));
    }
    const char *why = why_alive(s);
    fprintf(s->say, "SURVIVES  %-8s %s: %s\n", c->requirement, what(c), why);
    return json_array_append_new(s->survivors, json_pack("{ssssss}", "requirement", c->requirement,
                                                         "violator", what(c), "reason", why));
}

static bool wanted(struct selftest *s, const char *requirement)
{
    const struct uet_requirement *r = uet_requirement_find(requirement);

    if (s->chosen && !(r && uet_selects_requirement(&s->only, r)))
        return false;
    return s->n_seen++ % s->every == s->session.seed % s->every;
}

static int try_all(struct selftest *s)
{
    int rc = 0;

    for (size_t i = 0; !rc && uet_violator(i); i++) {
        const struct fault c = {uet_violator(i)->requirement, uet_violator(i), NULL};
        if (wanted(s, c.requirement))
            rc = try_fault(s, &c);
    }
    uet_fep_ref_mutate(s->target.ref, NULL);
    for (size_t i = 0; !rc && uet_fep_ref_violation(i); i++) {
        const struct fault c = {uet_fep_ref_violation(i), NULL, uet_fep_ref_violation_name(i)};
        if (wanted(s, c.requirement))
            rc = try_fault(s, &c);
    }
    return rc;
}

/* The conforming FEP: everything passes, or the tests are wrong. */
static bool clean(struct selftest *s)
{
    s->fault = (struct fault){0};
    s->session.strict = true;
    if (run(s) != 0)
        return false;
    if (s->of->lost)
        fprintf(s->say, "NOT CLEAN nobody came back from %s\n", s->of->apart.test);
    if (s->of->lost || !s->of->first_bad.id)
        return !s->of->lost;
    const struct uet_result *r = &s->of->first_bad;
    fprintf(s->say, "NOT CLEAN the conforming FEP does not pass %s: %s\n", r->id,
            r->verdict == UET_PASS ? r->findings[r->n_findings - 1].text : r->message);
    return false;
}

static int write_json(const struct selftest *s, const char *path)
{
    json_t *doc = json_pack("{sIsIsIsOsO}", "every", (json_int_t)s->every, "violators",
                            (json_int_t)s->n_faults, "killed", (json_int_t)s->n_killed, "survivors",
                            s->survivors, "kills", s->kills);
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
    uet_sweep_tell_part(s->say, s->every, s->n_seen, "violators");
    fprintf(s->say, "%zu violators, %zu killed, %zu survive\n", s->n_faults, s->n_killed,
            s->n_faults - s->n_killed);
    int status = rc ? 2 : !good || s->n_killed != s->n_faults;
    if (s->chosen && s->n_faults == 0)
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
        {"ceiling", required_argument, NULL, 'c'},
        {"sweep", no_argument, NULL, 'w'},
        {"doc", required_argument, NULL, 'd'},
        {"every", required_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static const struct uet_idle_option idle[] = {{"section", "sweep", NULL},
                                                  {"test", "sweep", NULL},
                                                  {"requirement", "sweep", NULL},
                                                  {"doc", "every", NULL}, /* it is of all */
                                                  {NULL, NULL, NULL}};
    struct selftest *s = calloc(1, sizeof(*s));
    const char *json = NULL, *doc = NULL;
    bool sweep = false;
    int c, status = -1;

    if (s)
        s->of = uet_apart_memory(sizeof(*s->of));
    if (!s || !s->of) {
        free(s);
        return uet_setup_error("selftest", "not enough memory");
    }
    uet_session_default(&s->session);
    s->choice.command = "selftest";
    s->every = 1;
    if (!uet_args_used("selftest", argc, argv, options, idle))
        status = 2;
    while (status < 0 && (c = uet_args_next("selftest", argc, argv, options)) != -1) {
        if (c == 'r' || c == 's' || c == 't')
            status = uet_choice_take(&s->choice, c, optarg, &s->only) ? -1 : 2;
        else if (c == 'J')
            status = uet_args_once("selftest", "json", optarg, &json) ? -1 : 2;
        else if (c == 'd')
            status = uet_args_once("selftest", "doc", optarg, &doc) ? -1 : 2;
        else if (c == 'e')
            status = uet_args_number("selftest", "every", optarg, 1, 1000, &s->every) ? -1 : 2;
        else if (c == 'v')
            s->verbose = true;
        else if (c == 'w')
            sweep = true;
        else if (c == 'c')
            status =
                uet_args_real("selftest", "ceiling", optarg, 0.01, 86400, &s->session.ceiling_s)
                    ? -1
                    : 2;
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
    if (status < 0 && (!uet_args_apart("selftest", json, doc) ||
                       !uet_args_writable("selftest", json) || !uet_args_writable("selftest", doc)))
        status = 2;
    s->chosen = s->only.section || s->only.glob || s->only.requirement;
    if (status < 0)
        status = sweep ? uet_sweep(&(struct uet_sweep_how){.seed = s->session.seed,
                                                           .every = s->every,
                                                           .ceiling_s = s->session.ceiling_s,
                                                           .json = json,
                                                           .doc = doc,
                                                           .verbose = s->verbose})
                       : selftest(s, json);
    uet_apart_free(s->of, sizeof(*s->of));
    free(s);
    return status;
}
