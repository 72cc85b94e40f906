/* SPDX-License-Identifier: BSD-2-Clause */
/* uetconform plan: what a run will do at a FEP, found out without a packet. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/args.h"
#include "conformance/cli/choice.h"
#include "conformance/cli/commands.h"
#include "conformance/cli/plan/served.h"
#include "conformance/cli/target/setups.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/run/points.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/security.h"
#include "conformance/report/outfile.h"
#include "conformance/report/run_json.h"
#include "conformance/report/unused.h"
#include "uet_spec.h"

static const char help[] =
    "usage: uetconform plan --fep ref|FILE.yaml [OPTIONS]\n"
    "Before a run: how many tests will run at this FEP, by section, which will not, and why. No\n"
    "packet is sent and no interface opened; the upper tester, where fep.yaml names one, is\n"
    "asked what it knows.\n\n"
    "  --fep F              as for `uetconform run`\n" UET_CHOICE_HELP
    "  --secure[=M]         `ref` only: where all packets are sealed, as for `uetconform run`\n"
    "  --profile P          AI-Base, AI-Full, HPC or all (default: of fep.yaml; else all)\n"
    "  --spec V             1.0.3, 1.0.2 or 1.0.1 (default: of fep.yaml, or what the FEP says)\n"
    "  --no-upper-tester    as if fep.yaml named none: what a cable alone is good for\n"
    "  --verbose            also the name of each test that will not run\n"
    "  --json F             the plan for a machine; - is standard output\n\n"
    "The tests are rehearsed at the reference FEP, which then has no more than this FEP claims "
    "and\n"
    "its upper tester lists (a few seconds). What the FEP refuses or chooses on the way may still\n"
    "make a test skip: the run says so then.\n"
    "Exit status: 0; 2 usage or set-up; 3 no test would run.\n\n"
    "Examples:\n"
    "  uetconform plan --fep fep.yaml\n"
    "  uetconform plan --fep fep.yaml --no-upper-tester --verbose\n"
    "  uetconform plan --fep fep.yaml --profile HPC --json - | jq .will_not\n";

/* One test, and why it will not run: "" when it will. */
struct planned {
    const struct uet_test *test;
    char why[120];
    uint8_t reason; /* enum uet_skip_reason */
    bool elsewhere; /* it runs in another set-up of the FEP, and is not rehearsed */
};

/* Tests that have a word in common: their section, or the reason why they do not run. */
struct heap {
    char name[120];
    size_t runs, not_run;
};

struct plan {
    const char *fep, *json, *secure;
    struct uet_selection selection;
    struct uet_choice choice;
    uint8_t spec; /* --spec, or UET_TARGET_SPEC_UNTOLD */
    bool cable_only, verbose;
    FILE *out; /* for a person */
    struct uet_target target;
    struct uet_setups setups;
    const struct uet_test **selected;
    struct planned *tests;
    size_t n, runs;
    json_t *left_out; /* why, by the names of the points with it */
};

/* ---- finding out ---- */

static void find_left_out(struct plan *p, const struct uet_session *session)
{
    const struct uet_dimension *amid = &uet_dimensions[UET_OVER_AMID];
    char why[160];

    p->left_out = json_object();
    for (size_t i = 1; i < uet_n_places(amid); i++)
        if (uet_amid_left_out(session, i, why, sizeof(why)))
            json_object_set_new(p->left_out, amid->places[i].name, json_string(why));
}

/* The FEPs that `uetconform run` opens beside the reference FEP; of another what `setups` of its
 * fep.yaml tells. */
static int open_setups(struct plan *p, struct uet_session *session, char *err, size_t errlen)
{
    const struct uet_dimension *setup = &uet_dimensions[UET_OVER_SETUP];
    int rc = 0;

    if (p->target.ref && p->cable_only)
        return 0; /* the plan is for a FEP of which a cable is all there is */
    if (p->target.ref) {
        rc = uet_setups_open(&p->setups, p->fep, &p->target, session, err, errlen);
        if (!rc)
            rc = uet_setups_open_secure(&p->setups, p->fep, &p->target, session, err, errlen);
        return rc;
    }
    for (size_t i = 1; !rc && i < uet_n_places(setup); i++)
        if (p->target.dut.setups >> i & 1)
            rc = uet_setups_tell(&p->setups, i, &p->target, session, err, errlen);
    session->setups = p->setups.session;
    return rc;
}

static bool find_out(struct plan *p, uint32_t caps, char *err, size_t errlen)
{
    struct uet_session session;
    struct uet_port port = {.caps = caps}; /* nobody sends through it */

    uet_session_default(&session);
    session.dut = &p->target.dut;
    session.ut = p->cable_only ? NULL : p->target.ut;
    session.port = &port;
    session.spec = uet_target_spec(&p->target);
    if (open_setups(p, &session, err, errlen) != 0)
        return false;
    find_left_out(p, &session);
    p->selected = uet_each_entry(uet_select(&p->selection, &p->n), &p->n, &session, &p->selection);
    snprintf(err, errlen, "%s",
             p->n ? "no memory left" : "no test matches; `uetconform list` shows them");
    p->tests = calloc(p->n + 1, sizeof(*p->tests));
    for (size_t i = 0; p->selected && p->tests && i < p->n; i++) {
        struct planned *one = &p->tests[i];

        one->test = p->selected[i];
        const struct uet_session *serving =
            uet_session_for(&session, one->test, one->why, sizeof(one->why), &one->reason);
        one->elsewhere = serving && serving != &session;
        if (serving) {
            one->why[0] = '\0';
            p->runs++;
        }
    }
    return p->selected && p->tests;
}

/* What the body of a test found that it cannot do at such a FEP. */
static int on_rehearsed(void *ctx, const struct uet_result *r)
{
    struct plan *p = ctx;
    bool stays = r->verdict != UET_SKIP || r->skip_reason == UET_SKIP_FEP_CHOICE ||
                 r->skip_reason == UET_SKIP_OTHER;
    size_t i = 0;

    while (i < p->n && strcmp(p->tests[i].test->id, r->id) != 0)
        i++;
    if (stays || i == p->n || p->tests[i].why[0])
        return 0;
    snprintf(p->tests[i].why, sizeof(p->tests[i].why), "%.110s", r->message);
    p->tests[i].reason = r->skip_reason;
    p->runs--;
    return 0;
}

/* The reference FEP with its upper tester needs none: it has all. */
static bool rehearse(struct plan *p, char *err, size_t errlen)
{
    const struct uet_run_events events = {.ctx = p, .done = on_rehearsed};
    const struct uet_test **tests = calloc(p->n + 1, sizeof(*tests));
    size_t n = 0;

    for (size_t i = 0; tests && i < p->n; i++)
        if (!p->tests[i].why[0] && !p->tests[i].elsewhere)
            tests[n++] = p->tests[i].test;
    snprintf(err, errlen, "no memory left");
    int rc = !tests ? -1
             : p->target.ref && !p->cable_only
                 ? 0
                 : uet_rehearse(&p->target.dut, p->cable_only ? NULL : p->target.ut, tests, n,
                                &events, err, errlen);
    free(tests);
    return rc == 0;
}

/* ---- telling ---- */

/* "3.5.8" of a test of 3.5.8.2: a table that fits on a screen. */
static const char *chapter_of(const struct planned *one, char *out)
{
    char *at = out;

    uet_test_section(one->test, out);
    for (int dots = 0; *at && dots < 3; at++)
        dots += *at == '.';
    if (*at)
        at[-1] = '\0';
    return out;
}

static const char *why_of(const struct planned *one, char *out)
{
    (void)out;
    return one->why;
}

/* Heaps by such a name, in the order of their first tests; NULL: no memory. "" is no name. */
static struct heap *heaps_by(const struct plan *p, size_t *n_heaps,
                             const char *(*name_of)(const struct planned *one, char *out))
{
    struct heap *heaps = calloc(p->n + 1, sizeof(*heaps));
    size_t n = 0, k;

    for (size_t i = 0; heaps && i < p->n; i++) {
        char buffer[UET_SECTION_MAX];
        const char *name = name_of(&p->tests[i], buffer);

        for (k = 0; k < n && strcmp(heaps[k].name, name) != 0; k++)
            ;
        if (!*name)
            continue;
        if (k == n)
            snprintf(heaps[n++].name, sizeof(heaps->name), "%s", name);
        if (p->tests[i].why[0])
            heaps[k].not_run++;
        else
            heaps[k].runs++;
    }
    *n_heaps = n;
    return heaps;
}

static int larger_first(const void *a, const void *b)
{
    const struct heap *x = a, *y = b;

    if (x->not_run != y->not_run)
        return x->not_run < y->not_run ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int by_section(const void *a, const void *b)
{
    return uet_section_compare(((const struct heap *)a)->name, ((const struct heap *)b)->name);
}

/* Points to which no test goes there (point.h: amid). */
static void tell_left_out(const struct plan *p)
{
    const char *place;
    json_t *why;

    json_object_foreach(p->left_out, place, why)
    {
        fprintf(p->out, "left out  points with %s: %s\n", place, json_string_value(why));
    }
}

static void tell_fep(const struct plan *p)
{
    const struct uet_dut *dut = &p->target.dut;
    char ip[UET_IP_TEXT], lacks[512], unused[UET_DUT_UNUSED];

    fprintf(p->out, "FEP %s%saddress %s, UE %s, profile %s\n", p->target.fep_name,
            p->target.fep_name[0] ? ", " : "", uet_ip_text(&dut->address, ip), dut->spec,
            p->selection.profile ? p->selection.profile : "all");
    if (uet_dut_lacks(dut, lacks, sizeof(lacks)))
        fprintf(p->out, "mandatory in %s, and not claimed: %s\n", dut->profile, lacks);
    if (p->cable_only)
        fputs("upper tester: left out (--no-upper-tester)\n", p->out);
    else if (!p->target.ut)
        fputs("upper tester: none (fep.yaml: control)\n", p->out);
    if (!p->target.ref && uet_dut_unused(dut, unused, sizeof(unused)))
        fprintf(p->out, "parameters without effect (with the claims that would use each): %s\n",
                unused);
    if (p->target.note[0])
        fprintf(p->out, "%s\n", p->target.note);
    tell_left_out(p);
}

static void tell_sections(const struct plan *p, const struct heap *sections, size_t n)
{
    char title[128];

    fprintf(p->out, "\n%-9s %-50s %6s %9s\n", "section", "", "run", "do not");
    for (size_t i = 0; i < n; i++)
        fprintf(p->out, "%-9s %-50.50s %6zu %9zu\n", sections[i].name,
                uet_section_title(title, sizeof(title), sections[i].name), sections[i].runs,
                sections[i].not_run);
}

static void tell_reasons(const struct plan *p, const struct heap *reasons, size_t n)
{
    if (n)
        fprintf(p->out, "\n%6s  why not\n", "tests");
    for (size_t i = 0; i < n; i++) {
        fprintf(p->out, "%6zu  %s\n", reasons[i].not_run, reasons[i].name);
        for (size_t k = 0; p->verbose && k < p->n; k++)
            if (strcmp(p->tests[k].why, reasons[i].name) == 0)
                fprintf(p->out, "          %s\n", p->tests[k].test->id);
    }
}

static bool tell(const struct plan *p)
{
    size_t n_sections = 0, n_reasons = 0;
    struct heap *sections = heaps_by(p, &n_sections, chapter_of);
    struct heap *reasons = heaps_by(p, &n_reasons, why_of);
    bool ok = sections && reasons;

    if (ok) {
        qsort(sections, n_sections, sizeof(*sections), by_section);
        qsort(reasons, n_reasons, sizeof(*reasons), larger_first);
        tell_fep(p);
        tell_sections(p, sections, n_sections);
        tell_reasons(p, reasons, n_reasons);
        fprintf(p->out, "\n%zu of %zu tests will run, %zu will not\n", p->runs, p->n,
                p->n - p->runs);
    }
    free(sections);
    free(reasons);
    return ok;
}

static json_t *test_json(const struct planned *one)
{
    char section[UET_SECTION_MAX];
    json_t *row = json_pack("{s:s, s:s, s:b}", "id", one->test->id, "section",
                            uet_test_section(one->test, section), "runs", !one->why[0]);

    if (one->why[0]) {
        json_object_set_new(row, "skip_reason",
                            json_string(uet_skip_reason_words((enum uet_skip_reason)one->reason)));
        json_object_set_new(row, "why", json_string(one->why));
    }
    return row;
}

/* What `ref` has nobody has told. */
static json_t *unused_json(const struct plan *p)
{
    char unused[UET_DUT_UNUSED] = "";

    if (!p->target.ref)
        uet_dut_unused(&p->target.dut, unused, sizeof(unused));
    return uet_unused_json(unused);
}

static json_t *plan_json(const struct plan *p)
{
    json_t *tests = json_array();

    for (size_t i = 0; i < p->n; i++)
        json_array_append_new(tests, test_json(&p->tests[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:i, s:i, s:o, s:O, s:o}", "fep", p->fep,
                     "fep_name", p->target.fep_name, "spec", p->target.dut.spec, "profile",
                     p->selection.profile ? p->selection.profile : "all", "upper_tester",
                     p->target.ut && !p->cable_only, "will_run", (int)p->runs, "will_not",
                     (int)(p->n - p->runs), "unused_parameters", unused_json(p), "points_left_out",
                     p->left_out, "tests", tests);
}

/* ---- the command ---- */

static bool set_option(struct plan *p, int c)
{
    uint8_t place;

    switch (c) {
    case 'f':
        return uet_args_once("plan", "fep", optarg, &p->fep);
    case 's':
    case 't':
    case 'r':
        return uet_choice_take(&p->choice, c, optarg, &p->selection);
    case 'p':
        p->selection.profile = optarg;
        return uet_args_word("plan", "profile", optarg, uet_profile_names, &place);
    case 'v':
        return uet_args_word("plan", "spec", optarg, uet_dut_specs, &p->spec);
    case 'T':
        p->secure = optarg ? optarg : uet_secure_modes[0];
        return uet_args_word("plan", "secure", p->secure, uet_secure_modes, &place);
    case 'n':
        p->cable_only = true;
        return true;
    case 'V':
        p->verbose = true;
        return true;
    case 'J':
        return uet_args_once("plan", "json", optarg, &p->json);
    default:
        return false;
    }
}

/* -1: go on; else the exit status. */
static int read_settings(struct plan *p, int argc, char **argv)
{
    static const struct option options[] = {
        {"fep", required_argument, NULL, 'f'},     UET_CHOICE_OPTIONS,
        {"profile", required_argument, NULL, 'p'}, {"spec", required_argument, NULL, 'v'},
        {"secure", optional_argument, NULL, 'T'},  {"no-upper-tester", no_argument, NULL, 'n'},
        {"verbose", no_argument, NULL, 'V'},       {"json", required_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    int c;

    while ((c = uet_args_next("plan", argc, argv, options)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c == '?' || !set_option(p, c))
            return 2;
    }
    if (!uet_args_no_more("plan", argc, argv))
        return 2;
    if (!p->fep)
        return uet_usage("plan", "--fep is missing: --fep ref, or --fep FILE.yaml");
    if (p->secure && !uet_target_is_ref(p->fep))
        return uet_usage("plan", "--secure needs --fep ref: a fep.yaml says `security` itself");
    if (!uet_target_is_ref(p->fep) && !uet_args_spares("plan", p->fep, p->json))
        return 2;
    p->out = uet_outfile_is_stdout(p->json) ? stderr : stdout;
    return -1;
}

static int make_plan(struct plan *p, uint32_t caps)
{
    char err[UET_DUT_ERRORS];

    if (!p->selection.profile)
        p->selection.profile = p->target.dut.profile;
    else
        snprintf(p->target.dut.profile, sizeof(p->target.dut.profile), "%s", p->selection.profile);
    if (!find_out(p, caps, err, sizeof(err)))
        return uet_setup_error("plan", "%s", err);
    if (!rehearse(p, err, sizeof(err)))
        return uet_setup_error("plan", "the tests could not be rehearsed: %s", err);
    if (!tell(p))
        return uet_setup_error("plan", "no memory left");
    if (p->json && uet_json_write(plan_json(p), p->json, err, sizeof(err)) != 0)
        return uet_setup_error("plan", "%s", err);
    if (p->runs)
        return 0;
    fputs("uetconform plan: no test would run: the reasons stand in the plan\n", stderr);
    return UET_EXIT_NOTHING;
}

int uet_cmd_plan(int argc, char **argv)
{
    struct plan p = {.spec = UET_TARGET_SPEC_UNTOLD,
                     .choice = {.command = "plan", .of_tests = true}};
    char err[UET_DUT_ERRORS];
    uint32_t caps;
    int status = read_settings(&p, argc, argv);

    if (status >= 0)
        return status;
    const struct uet_target_as as = {
        .seed = 1, .spec = p.spec, .profile = p.selection.profile, .secure = p.secure};
    if (uet_target_open_told(&p.target, p.fep, &as, p.cable_only, &caps, err, sizeof(err)) != 0)
        return uet_setup_error("plan", "%s%s", err,
                               strstr(err, ": control") ? "; to plan without it: --no-upper-tester"
                                                        : "");
    status = make_plan(&p, caps);
    json_decref(p.left_out);
    free(p.tests);
    free(p.selected);
    uet_setups_close(&p.setups);
    uet_target_close(&p.target);
    return status;
}
