/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform run: tests a FEP. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/run/captures.h"
#include "conformance/cli/run/conditions.h"
#include "conformance/cli/run/icvs.h"
#include "conformance/cli/run/jobs.h"
#include "conformance/cli/run/resume.h"
#include "conformance/cli/run/strangers.h"
#include "conformance/cli/target/restart.h"
#include "conformance/cli/target/secure.h"
#include "conformance/cli/target/setups.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/run/known.h"
#include "conformance/harness/run/outside.h"
#include "conformance/harness/run/protection.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/security.h"
#include "conformance/report/outfile.h"
#include "conformance/report/reporter.h"
#include "rules/rules.h"

struct settings {
    const char *secure; /* --secure: a key mode, or NULL */
    const char *fep, *json, *junit, *html, *pcap_dir, *resume;
    struct uet_selection selection;
    struct uet_choice choice;
    struct uet_session session;
    int argc; /* the command line */
    char **argv;
    uint64_t jobs, in_place, max_fails;
    uint8_t spec_given;  /* --spec, or UET_TARGET_SPEC_UNTOLD */
    bool is_yaml;        /* --fep names a fep.yaml ... */
    struct uet_dut told; /* ... which tells this */
    bool quiet, verbose, depth_given;
};

static volatile sig_atomic_t stopped; /* by that signal; a handler has nowhere else to write */
#define ENOUGH_FAILED (-1)            /* no signal: --max-fails is reached */

/* The first one ends the run in good order; the second at once: the journal holds what there is. */
static void on_signal(int number)
{
    if (stopped > 0)
        _exit(UET_EXIT_INTERRUPTED);
    stopped = number;
}

static int help(void)
{
    printf(
        "usage: uetconform run --fep ref|FILE.yaml [OPTIONS]\n\n"
        "  --fep F          `ref`: the reference FEP in this process, `ref:VARIANT` one of its\n"
        "                   variants (`uetfep --variant list`); else a fep.yaml\n" UET_CHOICE_HELP
        "  --profile P      AI-Base, AI-Full, HPC or all (default: of fep.yaml; else all): tests\n"
        "                   that concern it. A reference FEP becomes one of that profile, and\n"
        "                   claims no more (`uetfep --profile list`)\n"
        "  --spec V         1.0.3, 1.0.2 or 1.0.1 (default: of fep.yaml, or what the FEP says)\n"
        "  --secure[=M]     `ref` only: all packets are sealed (3.7), under keys that follow from\n"
        "                   the seed; M is cluster (default), cluster-ssi, cluster-rekey,\n"
        "                   direct, direct-ssi, server or server-ssi. Without it the tests of\n"
        "                   3.7 go to a second FEP, where all is sealed (cluster, and each other\n"
        "                   M in a domain of its own; with --depth smoke or --in-place they\n"
        "                   are skipped). Those that need sealed jobs\n"
        "                   beside clear ones go to one more, which serves both; with M beside\n"
        "                   all tests go to such a one, those of 3.7 sealed and the others in\n"
        "                   clear. Another FEP: protect: tss, or security: beside\n"
        "                   protect: crc, in fep.yaml. With --pcap-dir, keys.txt there opens\n"
        "                   the captures in Wireshark and uetcat\n"
        "  --strict         a SHOULD that is not met fails its test; exit status 1 also when the\n"
        "                   upper tester lacks a verb of an operation that fep.yaml claims\n"
        "  --seed N         same seed, same packets (default 1)\n"
        "  --depth D        at how many points (PSNs across 2^32, another kind of packet, ...)\n"
        "                   each test runs: smoke (as it is written, and without those of\n"
        "                   thousands of packets), default (every two places of two dimensions\n"
        "                   meet) or deep (every three)\n"
        "  --jobs N         N tests at once: in N reference FEPs, or at N FEPs of which fep.yaml\n"
        "                   tells (`alike`)\n"
        "  --json F --junit F --html F\n"
        "                   reports; - is standard output\n"
        "  --pcap-dir D     a capture of each test in the folder D. Captures of the run whose\n"
        "                   reports this one replaces are removed; with captures of another\n"
        "                   run in D, this run does not begin\n"
        "  --in-place N     run the body of each test N times in a row and reset the FEP before\n"
        "                   the first only; after the last it must serve as before (ROB-035).\n"
        "                   `ref` gets small pools then. At another FEP, where fep.yaml tells\n"
        "                   how many PDCs, messages, responses or reads it has, not more often\n"
        "                   than the largest of these numbers and 2\n"
        "  --resume F       continue the run that was cut short while it wrote the JSON report F\n"
        "  --slow X         the host is slow: X times the tolerance (default 1)\n"
        "  --time-scale X   the FEP is emulated: X times every duration (default 1)\n"
        "  --ceiling S      wall-clock seconds that a test may take (default 60)\n"
        "  --max-fails N    end the run when N tests came out as fail, inconc or error; known\n"
        "                   deviations do not count. --resume goes on with the tests behind\n"
        "  --quiet          print only totals and what did not pass\n"
        "  --verbose        name also each test that was skipped, or that passed while a rule of\n"
        "                   another subject was broken in it\n\n"
        "Examples:\n"
        "  uetconform run --fep ref --html report.html --pcap-dir captures\n"
        "  uetconform run --fep fep.yaml --section 3.5.12 --json report.json\n"
        "  uetconform run --fep ref --test '*unknown-dpdcid' --seed 7\n"
        "  uetconform run --fep ref --test '*unknown-dpdcid@wrap' --pcap-dir captures\n");
    return 0;
}

static const struct option run_options[] = {
    {"fep", required_argument, NULL, 'f'},
    UET_CHOICE_OPTIONS,
    {"profile", required_argument, NULL, 'p'},
    {"spec", required_argument, NULL, 'v'},
    {"secure", optional_argument, NULL, 'T'},
    {"strict", no_argument, NULL, 'S'},
    {"seed", required_argument, NULL, 'n'},
    {"depth", required_argument, NULL, 'd'},
    {"jobs", required_argument, NULL, 'j'},
    {"json", required_argument, NULL, 'J'},
    {"junit", required_argument, NULL, 'U'},
    {"html", required_argument, NULL, 'H'},
    {"pcap-dir", required_argument, NULL, 'P'},
    {"in-place", required_argument, NULL, 'I'},
    {"resume", required_argument, NULL, 'R'},
    {"slow", required_argument, NULL, 'x'},
    {"time-scale", required_argument, NULL, 'X'},
    {"ceiling", required_argument, NULL, 'c'},
    {"max-fails", required_argument, NULL, 'm'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'V'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

#define MOST_IN_PLACE 10000

/* One option; false when its value is wrong (and the complaint written). */
static bool set_option(struct settings *s, int c)
{
    struct uet_session *session = &s->session;
    uint8_t place;

    switch (c) {
    case 'f':
        return uet_args_once("run", "fep", optarg, &s->fep);
    case 's':
    case 't':
    case 'r':
        return uet_choice_take(&s->choice, c, optarg, &s->selection);
    case 'p':
        s->selection.profile = optarg;
        return uet_args_word("run", "profile", optarg, uet_profile_names, &place);
    case 'v':
        return uet_args_word("run", "spec", optarg, uet_dut_specs, &s->spec_given);
    case 'T':
        s->secure = optarg ? optarg : uet_secure_modes[0];
        return uet_args_word("run", "secure", s->secure, uet_secure_modes, &place);
    case 'S':
        session->strict = true;
        return true;
    case 'n':
        return uet_args_number("run", "seed", optarg, 0, UINT64_MAX, &session->seed);
    case 'd':
        s->depth_given = true;
        return uet_args_word("run", "depth", optarg, uet_depth_names, &session->depth);
    case 'j':
        return uet_args_number("run", "jobs", optarg, 1, 64, &s->jobs);
    case 'J':
        return uet_args_once("run", "json", optarg, &s->json);
    case 'U':
        return uet_args_once("run", "junit", optarg, &s->junit);
    case 'H':
        return uet_args_once("run", "html", optarg, &s->html);
    case 'P':
        session->pcap_dir = optarg;
        return uet_args_once("run", "pcap-dir", optarg, &s->pcap_dir);
    case 'I':
        return uet_args_number("run", "in-place", optarg, 1, MOST_IN_PLACE, &s->in_place);
    case 'R':
        return uet_args_once("run", "resume", optarg, &s->resume);
    case 'x':
        return uet_args_real("run", "slow", optarg, 1, 1000, &session->slow);
    case 'X':
        return uet_args_real("run", "time-scale", optarg, 0.001, 1e6, &session->time_scale);
    case 'c':
        return uet_args_real("run", "ceiling", optarg, 0.01, 86400, &session->ceiling_s);
    case 'm':
        return uet_args_number("run", "max-fails", optarg, 1, UINT32_MAX, &s->max_fails);
    case 'q':
        s->quiet = true;
        return true;
    case 'V':
        s->verbose = true;
        return true;
    default:
        return false;
    }
}

/* No report takes the place of that file, which this run reads. */
static bool spares(const struct settings *s, const char *path)
{
    const char *const reports[] = {s->junit, s->html, s->json};

    for (size_t i = 0; i < 3; i++)
        if (!uet_args_spares("run", path, reports[i]))
            return false;
    return true;
}

/* Nor of others; a resumed JSON report is written anew. */
static bool spares_inputs(const struct settings *s)
{
    if (!uet_target_is_ref(s->fep) && !spares(s, s->fep))
        return false;
    return !s->resume || (uet_args_spares("run", s->resume, s->junit) &&
                          uet_args_spares("run", s->resume, s->html));
}

static bool spares_keys(const struct settings *s)
{
    char keys[UET_SECURE_PATH];

    return !s->is_yaml || !s->told.keys[0] || !uet_secure_path(&s->told, keys, sizeof(keys)) ||
           spares(s, keys);
}

/* What this run would not read; false after a message. */
static bool all_is_read(const struct settings *s)
{
    const struct uet_session *session = &s->session;

    if (session->slow > 1 && uet_target_is_ref(s->fep))
        uet_usage("run",
                  "--slow has no effect with --fep ref, whose time is virtual: leave it out");
    else if (s->in_place > 1 && s->depth_given && session->depth != UET_DEPTH_SMOKE)
        uet_usage(
            "run",
            "--depth %s has no effect with --in-place: each body runs at one point; leave out "
            "one of them",
            uet_depth_names[session->depth]);
    else
        return true;
    return false;
}

/* A FEP for each of the tests at once; false after a message. */
static bool has_feps(const struct settings *s)
{
    if (s->jobs < 2 || !s->is_yaml || s->jobs <= 1u + s->told.alike)
        return true;
    uet_usage(
        "run",
        "--jobs %llu: two tests never share a FEP, and %s tells of %u (`alike` tells of more)",
        (unsigned long long)s->jobs, s->fep, 1u + s->told.alike);
    return false;
}

/* What fep.yaml tells; false after a message. */
static bool read_yaml(struct settings *s)
{
    char err[UET_DUT_ERRORS];

    s->is_yaml = !uet_target_is_ref(s->fep);
    if (!s->is_yaml || uet_dut_read(&s->told, s->fep, err, sizeof(err)) == 0)
        return true;
    uet_setup_error("run", "%s", err);
    return false;
}

/* -1: go on; else the exit status. */
static int read_settings(struct settings *s, int argc, char **argv)
{
    int c;

    while ((c = uet_args_next("run", argc, argv, run_options)) != -1) {
        if (c == 'h')
            return help();
        if (c == '?' || !set_option(s, c))
            return 2;
    }
    if (!uet_args_no_more("run", argc, argv))
        return 2;
    if (!s->fep)
        return uet_usage("run", "--fep is missing: --fep ref, or --fep FILE.yaml");
    if (s->secure && !uet_target_is_ref(s->fep))
        return uet_usage("run", "--secure needs --fep ref: a fep.yaml says `security` itself");
    if (!all_is_read(s) || !spares_inputs(s) || !read_yaml(s) || !spares_keys(s) || !has_feps(s))
        return 2;
    if (s->pcap_dir && !uet_args_directory("run", s->pcap_dir))
        return 2;
    return -1;
}

/* ---- reports ---- */

static struct uet_reports *open_reports(const struct settings *s)
{
    struct uet_reports *reports = uet_reports_new();
    bool taken = uet_outfile_is_stdout(s->json) || uet_outfile_is_stdout(s->junit) ||
                 uet_outfile_is_stdout(s->html);

    if (!reports)
        return NULL;
    /* What is for a person goes where it does not spoil a report on standard output. */
    uet_reports_add(reports, uet_terminal_reporter(taken ? stderr : stdout,
                                                   (s->quiet ? UET_TERMINAL_SHORT : 0u) |
                                                       (s->verbose ? UET_TERMINAL_VERBOSE : 0u)));
    if (s->json)
        uet_reports_add(reports, uet_json_reporter(s->json));
    if (s->junit)
        uet_reports_add(reports, uet_junit_reporter(s->junit));
    if (s->html)
        uet_reports_add(reports, uet_html_reporter(s->html));
    return reports;
}

/* Where results go: the reports, and what they say of rules outside the tests' subjects. */
struct sink {
    struct uet_reports *reports;
    struct uet_outside outside;
    const struct uet_dut *dut;
    struct uet_known_tally known; /* how its known deviations fare */
    unsigned fewer;               /* tests that were not repeated as often as asked for */
    uint64_t fails_left;          /* --max-fails; 0: no end because of them */
};

static void on_begin(void *ctx, const struct uet_test *test)
{
    struct sink *sink = ctx;

    uet_reports_test_begin(sink->reports, test->id); /* the progress line only: no matter if not */
}

/* A verdict that keeps the run from passing ends it when it was one too many. */
static void count_fail(struct sink *sink, const struct uet_result *result)
{
    bool bad = result->verdict == UET_FAIL || result->verdict == UET_INCONC ||
               result->verdict == UET_ERROR;

    if (!sink->fails_left || !bad || result->known || result->cut || stopped)
        return;
    if (--sink->fails_left == 0)
        stopped = ENOUGH_FAILED;
}

static int on_done(void *ctx, const struct uet_result *result)
{
    struct sink *sink = ctx;
    int rc = uet_result_is_rule(result) ? 0 : uet_outside_add(&sink->outside, result);

    uet_known_add(&sink->known, sink->dut, result);
    sink->fewer += uet_was_not_repeated(result);
    count_fail(sink, result);
    return rc ? rc : uet_reports_test_done(sink->reports, result);
}

static int on_not_run(void *ctx, const struct uet_test *test, const char *reason)
{
    struct sink *sink = ctx;

    return uet_reports_not_run(sink->reports, test->id, reason);
}

static void fill_info(struct uet_run_info *info, const struct settings *s,
                      const struct uet_target *target, const struct uet_conditions *conditions,
                      char *started, size_t n)
{
    time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(started, n, "%Y-%m-%dT%H:%M:%SZ", &utc);
    *info = (struct uet_run_info){.fep = s->fep,
                                  .fep_name = target->fep_name,
                                  .spec = target->dut.spec,
                                  .profile = s->selection.profile,
                                  .secure = s->secure,
                                  .seed = s->session.seed,
                                  .strict = s->session.strict,
                                  .slow = s->session.slow,
                                  .time_scale = s->session.time_scale,
                                  .version = UETKIT_VERSION,
                                  .started = started,
                                  .conditions = conditions->list,
                                  .n_conditions = conditions->n};
}

/* ---- the run ---- */

/* For the report: why the run ended before its last test; NULL when it did not. */
static const char *why_cut(int rc, const struct uet_session *session)
{
    if (rc == -EINTR)
        return stopped == ENOUGH_FAILED ? "--max-fails" : stopped == SIGINT ? "Ctrl-C" : "SIGTERM";
    return rc == -ECONNABORTED ? session->ended : NULL;
}

/* What the command line leaves open, fep.yaml or the FEP says. */
static void settle(struct settings *s, struct uet_target *target)
{
    s->session.spec = uet_target_spec(target);
    s->session.brief = s->session.depth == UET_DEPTH_SMOKE;
    if (!s->selection.profile)
        s->selection.profile = target->dut.profile;
    else
        snprintf(target->dut.profile, sizeof(target->dut.profile), "%s", s->selection.profile);
    if (target->note[0])
        fprintf(stderr, "uetconform run: %s\n", target->note);
}

/* How often each body runs: not more often than what is told of the pools gives a reason for. */
static void settle_in_place(struct settings *s, const struct uet_target *target)
{
    const char *pool = NULL;
    uint64_t told = target->ref ? 0 : uet_dut_largest_pool(&target->dut, &pool);

    s->session.in_place = (unsigned)s->in_place;
    if (s->in_place <= 1 || !told)
        return;
    if (s->in_place > told + 2)
        s->session.in_place = (unsigned)(told + 2);
    fprintf(stderr, "uetconform run: each body runs %u times in place: fep.yaml tells %s: %llu%s\n",
            s->session.in_place, pool, (unsigned long long)told,
            s->in_place < told + 2 ? ", which fewer do not fill" : "");
}

/* Finds out what fep.yaml leaves open of the CRC trailer; false, and a line written, if it cannot.
 * where: "", or the set-up, for these lines. */
static bool find_protection(struct uet_session *session, struct uet_target *target,
                            const char *where)
{
    char found[600] = "", err[600];

    if (uet_find_protection(session, &target->dut, found, sizeof(found), err, sizeof(err)) != 0) {
        uet_setup_error("run", "%s%s", where, err);
        return false;
    }
    if (found[0])
        fprintf(stderr, "uetconform run: %s%s\n", where, found);
    return true;
}

/* The same in each set-up of the FEP. */
static bool find_protections(struct settings *s, struct uet_target *target,
                             struct uet_setups *setups)
{
    char where[64];

    /* In clear, a reference FEP has one; sealed, a variant may have another reading. */
    const bool known = target->ref && !s->secure;
    if (!known && !find_protection(&s->session, target, ""))
        return false;
    for (size_t p = 1; !known && p < UET_MAX_PLACES; p++) {
        snprintf(where, sizeof(where), "set-up '%s': ",
                 p < uet_n_places(&uet_dimensions[UET_OVER_SETUP])
                     ? uet_dimensions[UET_OVER_SETUP].places[p].name
                     : "");
        if (setups->session[p] && !find_protection(setups->session[p], &setups->target[p], where))
            return false;
    }
    if (setups->sealed_session &&
        !find_protection(setups->sealed_session, &setups->sealed, "sealed: "))
        return false;
    for (size_t p = 1; p < UET_MAX_PLACES; p++) {
        struct uet_session *at = setups->sealed_session_at[p];

        snprintf(where, sizeof(where), "%s: ", at ? at->set_up : "");
        if (at && !find_protection(at, &setups->sealed_at[p], where))
            return false;
    }
    for (size_t i = 0; i < setups->alike.n; i++) /* alike in that, too */
        setups->alike.target[i].dut.crc_order = target->dut.crc_order;
    return !setups->beside_session ||
           find_protection(setups->beside_session, &setups->beside, "with clear jobs: ");
}

/* What an earlier run left behind fits; else false, and a line written. */
static bool may_begin(const struct settings *s, const struct uet_run_info *info,
                      const struct uet_test *const *tests, size_t n, const struct uet_run *done)
{
    const char *const reports[] = {s->json, s->junit, s->html};
    char why[PATH_MAX];

    if (s->resume && !uet_resume_fits(done, info, tests, n, why, sizeof(why)))
        uet_setup_error("run", "--resume %s: not the same run: %s", s->resume, why);
    else if (s->pcap_dir &&
             !uet_captures_begin(s->pcap_dir, reports, 3, s->resume, why, sizeof(why)))
        uet_setup_error("run", "%s", why);
    else
        return true;
    return false;
}

/* Does one of the selected tests need a secure domain? */
static bool any_secure(const struct settings *s)
{
    size_t n = 0;
    const struct uet_test **tests = uet_select(&s->selection, &n);
    bool any = false;

    for (size_t i = 0; tests && i < n; i++)
        any = any || uet_test_needs(tests[i], "tss");
    free(tests);
    return any;
}

/* The FEPs of the other set-ups. */
static void add_others(struct uet_jobs *jobs, const struct uet_setups *setups)
{
    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        if (setups->session[p])
            jobs->others[jobs->n_others++] = setups->target[p].ref;
    if (setups->sealed_session)
        jobs->others[jobs->n_others++] = setups->sealed.ref;
    for (size_t p = 1; p < UET_MAX_PLACES; p++)
        if (setups->sealed_session_at[p])
            jobs->others[jobs->n_others++] = setups->sealed_at[p].ref;
    if (setups->beside_session)
        jobs->others[jobs->n_others++] = setups->beside.ref;
}

/* Was every test skipped? */
static bool none_ran(const struct uet_summary *s)
{
    return !(s->pass + s->fail + s->inconc + s->error + s->known_fail + s->unexpected_pass);
}

static int run_all(struct settings *s, struct uet_target *target, struct uet_setups *setups,
                   const struct uet_run *done)
{
    struct uet_reports *reports = open_reports(s);
    struct uet_summary summary = {0};
    struct uet_conditions conditions = {0};
    struct uet_run_info info;
    char started[32];
    size_t n;
    const struct uet_test **tests =
        uet_each_entry(uet_select(&s->selection, &n), &n, &s->session, &s->selection);
    struct sink sink = {.reports = reports, .dut = &target->dut};
    const struct uet_run_events events = {
        .ctx = &sink, .begin = on_begin, .done = on_done, .not_run = on_not_run};
    struct uet_jobs jobs = {.session = &s->session,
                            .selection = &s->selection,
                            .ref = target->ref,
                            .target = target,
                            .alike = &setups->alike,
                            .jobs = (unsigned)s->jobs};
    int rc = reports ? 0 : -ENOMEM, status = 2;

    add_others(&jobs, setups);
    if (n == 0) {
        uet_setup_error("run", "no test matches; `uetconform list` shows them");
        goto out;
    }
    if (!rc && !find_protections(s, target, setups))
        goto out;
    if (!rc)
        rc = uet_conditions_gather(&conditions, s->fep, target, setups, &s->session, s->argc,
                                   s->argv);
    fill_info(&info, s, target, &conditions, started, sizeof(started));
    if (!may_begin(s, &info, tests, n, done))
        goto out; /* no report was touched yet */
    if (!rc)
        rc = uet_reports_begin(reports, &info, n);
    if (!rc && s->pcap_dir && (s->secure || setups->sealed_session)) {
        const struct uet_target *const sealed[] = {target, &setups->sealed, &setups->beside};
        char err[700];

        if (uet_secure_write_log(sealed, 3, s->pcap_dir, err, sizeof(err)) != 0)
            uet_setup_error("run", "%s", err);
    }
    if (!rc && s->resume)
        rc = uet_resume(done, &s->session, tests, &n, &events);
    sink.fails_left = s->max_fails; /* of this run, not of the one that it resumes */
    if (!rc)
        rc = uet_run_jobs(&jobs, tests, n, &events, &summary);
    if (rc == -EINTR && stopped == ENOUGH_FAILED && !uet_reports_run(reports)->n_not_run)
        rc = stopped = 0;                             /* it was the last test: nothing is cut */
    if (!rc || rc == -EINTR || rc == -ECONNABORTED) { /* what there is is written all the same */
        status = rc == -EINTR && stopped > 0 ? UET_EXIT_INTERRUPTED : rc ? 1 : 0;
        int told = uet_outside_report(&sink.outside, &s->session, &events, &summary);
        if (!told && !rc)
            told = uet_known_report(&sink.known, sink.dut, &events, &summary);
        if (sink.fewer)
            fprintf(stderr,
                    "uetconform run: --in-place: %u tests were not repeated %u times; "
                    "a note of each says why\n",
                    sink.fewer, s->session.in_place);
        int ended = uet_reports_end(reports, why_cut(rc, &s->session));
        rc = told ? told : ended;
        if (!status)
            status = uet_summary_exit_status(&uet_reports_run(reports)->summary);
        if (!status && s->session.strict && uet_reports_run(reports)->summary.claimed)
            status = 1; /* an operation that is claimed was never seen */
        if (!status && none_ran(&uet_reports_run(reports)->summary))
            status = UET_EXIT_NOTHING;
    }
    if (rc) {
        const char *error = reports ? uet_reports_error(reports) : "";
        status = uet_setup_error("run", "%s", error[0] ? error : strerror(-rc));
    }
out:
    free(tests);
    uet_conditions_free(&conditions);
    uet_outside_free(&sink.outside);
    uet_reports_free(reports);
    return status;
}

/* The FEPs of `alike` that this run leaves alone. */
static void tell_unused(const struct settings *s, const struct uet_target *target)
{
    if (!target->ref && s->jobs <= target->dut.alike)
        fprintf(stderr,
                "uetconform run: `alike` of fep.yaml: %llu of %u FEPs are used (--jobs %llu)\n",
                (unsigned long long)s->jobs, 1u + target->dut.alike, (unsigned long long)s->jobs);
}

/* Where a test failed on which others build, those are judged in one process (uet_run_jobs). */
static void tell_not_shared(const struct settings *s, const struct uet_setups *setups)
{
    if (setups->alike.n > 0 && s->session.n_shaken > 0 && !s->session.ended[0])
        fprintf(stderr, "uetconform run: --jobs: as a sanity test failed, all tests went to the "
                        "first FEP\n");
}

/* Of this process: with --jobs others send them. */
static void tell_icvs(const struct settings *s)
{
    char text[400];

    for (size_t i = 0; s->session.dut->security && uet_security_domain(s->session.dut->security, i);
         i++)
        if (uet_icvs_add_up(&s->session, i, text, sizeof(text)))
            fprintf(stderr, "uetconform run: %s\n", text);
}

/* Tests that run at more than one point go to the FEP's other set-ups, too. */
static int run_set_up(struct settings *s, struct uet_target *target, const struct uet_run *done)
{
    struct uet_restart *restart = s->session.restart_ctx;
    bool points = s->session.depth != UET_DEPTH_SMOKE && s->session.in_place <= 1;
    struct uet_setups setups = {0};
    char err[UET_DUT_ERRORS];
    int rc = 0;

    if (points)
        rc = uet_setups_open(&setups, s->fep, target, &s->session, err, sizeof(err));
    else if (target->dut.setups)
        fprintf(stderr,
                "uetconform run: `setups` of fep.yaml is not used: tests run at one point each "
                "(%s)\n",
                s->session.in_place > 1 ? "--in-place" : "--depth smoke");
    if (!rc && (points || s->secure) && any_secure(s))
        rc = uet_setups_open_secure(&setups, s->fep, target, &s->session, err, sizeof(err));
    if (!rc && !target->ref && s->jobs > 1)
        rc = uet_alike_open(&setups.alike, target, s->jobs - 1, err, sizeof(err));
    tell_unused(s, target);
    if (!rc && s->session.in_place <= 1)
        uet_ask_for_strangers(&s->session, target, &setups);
    if (restart)
        restart->setups = &setups;
    int status = rc ? uet_setup_error("run", "%s", err) : run_all(s, target, &setups, done);
    tell_not_shared(s, &setups);
    tell_icvs(s);
    if (restart)
        restart->setups = NULL;
    uet_setups_close(&setups);
    return status;
}

int uet_cmd_run(int argc, char **argv)
{
    struct settings s = {
        .argc = argc,
        .argv = argv,
        .choice = {.command = "run", .of_tests = true},
        .spec_given = UET_TARGET_SPEC_UNTOLD,
        .jobs = 1,
    };
    struct uet_run done = {0};
    struct uet_target target;
    struct uet_restart restart = {&target, &s.session, NULL};
    char err[UET_DUT_ERRORS];

    uet_session_default(&s.session);
    s.session.depth = UET_DEPTH_DEFAULT;
    int status = read_settings(&s, argc, argv);
    if (status >= 0)
        return status;
    if (s.resume && uet_run_read_last(&done, s.resume, err, sizeof(err)) != 0)
        return uet_setup_error("run", "%s", err);
    const struct uet_target_as as = {.seed = s.session.seed,
                                     .spec = s.spec_given,
                                     .profile = s.selection.profile,
                                     .secure = s.secure,
                                     .told = s.is_yaml ? &s.told : NULL,
                                     .in_place = (unsigned)s.in_place};
    if (uet_target_open_as(&target, s.fep, &as, err, sizeof(err)) != 0) {
        uet_run_free(&done);
        return uet_setup_error("run", "%s", err);
    }
    settle(&s, &target);
    s.session.dut = &target.dut;
    s.session.port = target.port;
    s.session.ut = target.ut;
    s.session.stop = &stopped;
    settle_in_place(&s, &target);
    if (target.dut.restart[0]) {
        s.session.restart = uet_restart;
        s.session.restart_ctx = &restart;
    }
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGPIPE, SIG_IGN); /* who reads no more does not take the reports away */
    status = run_set_up(&s, &target, &done);
    uet_target_close(&target);
    uet_run_free(&done);
    return status;
}
