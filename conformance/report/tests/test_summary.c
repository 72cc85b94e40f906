/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run came to, in every report: headlines, colours, causes, and runs that were cut short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/report/reporter.h"
#include "conformance/report/run_json.h"
#include "conformance/report/summary.h"
#include "conformance/report/tests/sample.h"
#include "spec-map/spec.h"

static char folder[64];

/* Results of a run by short words, in order: "pass", "known", "skip NAME", "fail REQ message". */
struct row {
    uint8_t verdict;
    bool known, unexpected;
    uint8_t skip_reason;
    const char *broken, *message, *id;
    uint32_t came; /* the packet that the verdict is about */
    const char *line, *requirements;
    bool beside;      /* a rule was broken in it, outside its subject */
    const char *note; /* a remark on this requirement ... */
    bool finding;     /* which is a finding */
    const char *points;
    uint32_t left_out;
};

/* The run as terminal (in colour), HTML and JUnit. */
struct told {
    char *terminal, *html, *junit;
};

static char *slurp(const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return read_file(path);
}

static struct told tell(const struct row *rows, size_t n, size_t planned, const char *cut,
                        unsigned flags)
{
    struct uet_reports *reports = uet_reports_new();
    char path[3][128];
    static const char *const names[] = {"t", "h", "j"};

    for (size_t i = 0; i < 3; i++)
        snprintf(path[i], sizeof(path[i]), "%s/%s", folder, names[i]);
    FILE *out = fopen(path[0], "w");
    assert_non_null(out);
    uet_reports_add(reports, uet_terminal_reporter(out, UET_TERMINAL_COLOUR | flags));
    uet_reports_add(reports, uet_html_reporter(path[1]));
    uet_reports_add(reports, uet_junit_reporter(path[2]));
    assert_int_equal(uet_reports_begin(reports, &sample_info, planned), 0);
    for (size_t i = 0; i < n; i++) {
        char id[40];
        struct uet_result r = {.id = rows[i].id ? rows[i].id : id,
                               .requirements = "PDS-029",
                               .section = "3.5.8.2",
                               .role = "target",
                               .verdict = rows[i].verdict,
                               .known = rows[i].known,
                               .unexpected_pass = rows[i].unexpected,
                               .skip_reason = rows[i].skip_reason};
        snprintf(id, sizeof(id), "pds.3.5.8.2.t%zu", i);
        snprintf(r.broken, sizeof(r.broken), "%s", rows[i].broken ? rows[i].broken : "");
        snprintf(r.message, sizeof(r.message), "%s", rows[i].message ? rows[i].message : "");
        snprintf(r.points, sizeof(r.points), "%s", rows[i].points ? rows[i].points : "");
        r.points_out_of_time = rows[i].left_out;
        r.came.frame = rows[i].came;
        if (rows[i].beside) {
            r.n_findings = 1;
            r.findings[0] = (struct uet_finding){
                .requirement = "PDS-105", .frame = 2, .text = "retx is wrong", .outside = 1};
        }
        if (rows[i].note) {
            r.n_findings = 1;
            r.findings[0] =
                (struct uet_finding){.text = "memory not looked at", .note = !rows[i].finding};
            snprintf(r.findings[0].requirement, sizeof(r.findings[0].requirement), "%s",
                     rows[i].note);
        }
        assert_int_equal(uet_reports_test_done(reports, &r), 0);
    }
    for (size_t i = n; cut && i < planned; i++) {
        char id[40];
        snprintf(id, sizeof(id), "pds.3.5.8.2.t%zu", i);
        assert_int_equal(uet_reports_not_run(reports, id, cut), 0);
    }
    assert_int_equal(uet_reports_end(reports, cut), 0);
    uet_reports_free(reports);
    fclose(out);
    return (struct told){slurp("t"), slurp("h"), slurp("j")};
}

static void forget(struct told *t)
{
    free(t->terminal);
    free(t->html);
    free(t->junit);
}

#define GREEN  "\033[32m"
#define RED    "\033[31m"
#define YELLOW "\033[33m"

/* The headline, and with which colour the terminal and the page show it. */
static void expect(const struct told *t, const char *colour, const char *class, const char *line)
{
    char want[512];

    snprintf(want, sizeof(want), "\n%s%s\033[0m\n", colour, line);
    /* The terminal has a line for each part. */
    for (char *p; (p = strstr(want, "; "));) {
        *p = '\n';
        memmove(p + 1, p + 2, strlen(p + 2) + 1);
    }
    has(t->terminal, want);
    snprintf(want, sizeof(want), "<p class=\"say %s\">%s.</p>", class, line);
    has(t->html, want);
}

static void passed_is_green_and_counts_what_ran(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS},
        {.verdict = UET_PASS},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_NOT_CLAIMED, .message = "not claimed: rod"},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_NO_UPPER_TESTER, .message = "none"},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_NO_UPPER_TESTER, .message = "none"},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_NO_UPPER_TESTER, .message = "none"},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_NO_UPPER_TESTER, .message = "none"},
    };

    (void)state;
    struct told t = tell(rows, 7, 7, NULL, 0);
    expect(&t, GREEN, "good",
           "2 of 2 that ran passed; 5 skipped: 4 no upper tester, 1 not claimed");
    has(t.terminal, "  4: no upper tester (--verbose names them)\n");
    has(t.terminal, "  1: not claimed\n      pds.3.5.8.2.t2: not claimed: rod\n");
    has_not(t.terminal, "pds.3.5.8.2.t3");
    has(t.html, "<summary><b>4</b> no upper tester</summary>");
    has(t.junit, "<skipped type=\"no upper tester\" message=\"none\">");
    has(t.junit, "<property name=\"tester.command line\" value=\"uetconform run --fep &#39;a &amp; "
                 "b&#39;\"/>");
    forget(&t);
    t = tell(rows, 7, 7, NULL, UET_TERMINAL_VERBOSE);
    has(t.terminal, "  4: no upper tester\n      pds.3.5.8.2.t3: none\n");
    forget(&t);
}

/* Where time is short a test goes to fewer points: each report says how many were left out. */
static void totals_tell_points_out_of_time(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS, .points = "ordinary wrap", .left_out = 14},
        {.verdict = UET_PASS, .points = "ordinary", .left_out = 3},
    };
    struct uet_run run;

    (void)state;
    struct told t = tell(rows, 2, 2, NULL, UET_TERMINAL_SHORT);
    has(t.terminal, "\n2 tests, 3 points, 17 left for want of time: 2 pass  (");
    has(t.html, "<dt>Extent</dt><dd>2 tests, 3 points, 17 left for want of time</dd>");
    has(t.html, "<dt>Points left for want of time</dt><dd>14</dd>");
    has(t.junit, "<property name=\"points_out_of_time\" value=\"17\"/>");
    has(t.junit, "points left for want of time: 14");
    forget(&t);
    assert_int_equal(uet_run_init(&run, &sample_info), 0);
    const struct uet_result r = {
        .id = "pds.3.5.8.2.t0", .points = "ordinary", .points_out_of_time = 4};
    assert_int_equal(uet_run_add(&run, &r), 0);
    json_t *top = uet_json_run(&run);
    assert_int_equal(json_integer_value(json_object_get(top, "points_out_of_time")), 4);
    const json_t *first = json_array_get(json_object_get(top, "tests"), 0);
    assert_int_equal(json_integer_value(json_object_get(first, "points_out_of_time")), 4);
    json_decref(top);
    uet_run_free(&run);
}

/* A test runs at several points: the totals tell how many it were. A rule has none of its own. */
static void totals_tell_points(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS, .points = "ordinary wrap,write wrap-later"},
        {.verdict = UET_PASS, .points = "ordinary"},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_PORT, .message = "port: no ecn"},
        {.verdict = UET_FAIL, .id = "rule.PDS-105", .points = "wrap", .message = "broken"},
    };
    static const struct row one[] = {{.verdict = UET_PASS, .points = "ordinary"}};
    struct uet_run run;

    (void)state;
    struct told t = tell(rows, 4, 4, NULL, UET_TERMINAL_SHORT);
    has(t.terminal, "\n3 tests, 4 points, 1 rule: 2 pass, 1 fail, 1 skip  (");
    has(t.html, "<dt>Extent</dt><dd>3 tests, 4 points, 1 rule</dd>");
    has(t.junit, "<property name=\"points\" value=\"4\"/>");
    forget(&t);
    t = tell(one, 1, 1, NULL, 0);
    has(t.terminal, "\n1 test, 1 point: 1 pass  (");
    forget(&t);
    assert_int_equal(uet_run_init(&run, &sample_info), 0);
    const struct uet_result r = {.id = "pds.3.5.8.2.t0", .points = "ordinary wrap,write"};
    assert_int_equal(uet_run_add(&run, &r), 0);
    json_t *top = uet_json_run(&run);
    assert_int_equal(json_integer_value(json_object_get(top, "points")), 2);
    json_decref(top);
    uet_run_free(&run);
}

/* Nothing that conforms is green: neither known deviations nor a run in which nothing ran. */
static void a_known_deviation_is_never_green(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_FAIL, .known = true, .message = "known"},
        {.verdict = UET_PASS},
        {.verdict = UET_FAIL, .known = true, .message = "another"},
    };
    static const struct row skip[] = {
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_PORT, .message = "port: no ecn"},
    };
    static const struct row surprise[] = {{.verdict = UET_PASS, .unexpected = true}};

    (void)state;
    struct told t = tell(rows, 3, 3, NULL, 0);
    expect(&t, YELLOW, "so", "1 of 3 that ran passed: 2 known deviations");
    has_not(t.terminal, GREEN "1 of 3");
    has(t.terminal, YELLOW "known-fail\033[0m  pds.3.5.8.2.t0");
    forget(&t);
    t = tell(rows, 1, 1, NULL, 0);
    expect(&t, YELLOW, "so", "0 of 1 that ran passed: 1 known deviation");
    forget(&t);
    t = tell(skip, 1, 1, NULL, 0);
    expect(&t, YELLOW, "so", "no test could run; 1 skipped: beyond the port");
    forget(&t);
    t = tell(surprise, 1, 1, NULL, 0);
    expect(&t, RED, "bad", "0 of 1 that ran passed: 1 unexpected pass");
    forget(&t);
}

static void a_run_cut_short_says_so_everywhere(void **state)
{
    static const struct row rows[] = {{.verdict = UET_PASS}, {.verdict = UET_PASS}};

    (void)state;
    struct told t = tell(rows, 2, 9, "SIGTERM", 0);
    expect(&t, YELLOW, "so", "interrupted: 2 of 9 run (SIGTERM); 2 of 2 that ran passed");
    has(t.terminal, "not run\033[0m  7: SIGTERM (--verbose names them)\n");
    has(t.html, "<summary><b>7</b> SIGTERM</summary>");
    has(t.html, "<li><b>7</b> not run</li>");
    has(t.html, "<i class=\"c-not-run\" style=\"flex:7\"></i>");
    has(t.html, "<li class=\"id\">pds.3.5.8.2.t8</li>");
    /* A build server adds the errors up: one of them is the run itself. */
    has(t.junit, "<testsuites name=\"uetconform\" tests=\"3\" failures=\"0\" errors=\"1\" "
                 "skipped=\"0\">");
    has(t.junit, "<testcase classname=\"uetconform\" name=\"run\" time=\"0\">\n"
                 "   <error type=\"interrupted\" message=\"interrupted: 2 of 9 run (SIGTERM)\">");
    has(t.junit, "not run: pds.3.5.8.2.t8: SIGTERM");
    forget(&t);
}

/* as_in of each row when all of them were one run. */
static void check_causes(const struct row *rows, const char *const *as_in, size_t n)
{
    struct uet_run run;

    assert_int_equal(uet_run_init(&run, &sample_info), 0);
    for (size_t i = 0; i < n; i++) {
        char id[40];
        struct uet_result r = {.id = rows[i].id ? rows[i].id : id,
                               .verdict = rows[i].verdict,
                               .requirements = rows[i].requirements};
        snprintf(id, sizeof(id), "pds.3.5.8.2.t%zu", i);
        snprintf(r.broken, sizeof(r.broken), "%s", rows[i].broken ? rows[i].broken : "");
        snprintf(r.message, sizeof(r.message), "%s", rows[i].message);
        snprintf(r.came.line, sizeof(r.came.line), "%s", rows[i].line ? rows[i].line : "");
        r.came.frame = rows[i].came;
        assert_int_equal(uet_run_add(&run, &r), 0);
    }
    uet_run_find_causes(&run);
    for (size_t i = 0; i < n; i++)
        if (strcmp(run.results[i].as_in, as_in[i]) != 0)
            fail_msg("t%zu is as in '%s', not '%s'", i, run.results[i].as_in, as_in[i]);
    uet_run_free(&run);
}

/* One meaning of "run" in the headline and in JSON: what was skipped did not. */
static void a_skip_did_not_run(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS},
        {.verdict = UET_SKIP, .skip_reason = UET_SKIP_PORT, .message = "port: no ecn"},
    };
    struct uet_run run;
    int ran, planned, skip;

    (void)state;
    struct told t = tell(rows, 2, 9, "SIGTERM", 0);
    expect(&t, YELLOW, "so",
           "interrupted: 1 of 9 run (SIGTERM); 1 of 1 that ran passed; 1 skipped: beyond the port");
    has(t.html, "<li><b>7</b> not run</li>");
    forget(&t);

    assert_int_equal(uet_run_init(&run, &sample_info), 0);
    for (size_t i = 0; i < 2; i++) {
        const struct uet_result r = {.id = i ? "pds.3.5.8.2.skipped" : "pds.3.5.8.2.passed",
                                     .verdict = rows[i].verdict};
        assert_int_equal(uet_run_add(&run, &r), 0);
    }
    assert_int_equal(uet_run_end(&run, NULL), 0);
    json_t *top = uet_json_run(&run);
    assert_int_equal(json_unpack(top, "{s:i, s:i, s:{s:i}}", "ran", &ran, "planned", &planned,
                                 "summary", "skip", &skip),
                     0);
    assert_int_equal(ran, 1);
    assert_int_equal(skip, 1);
    assert_int_equal(planned, 2);
    json_decref(top);
    uet_run_free(&run);
}

/* With --jobs what was under way stands between what was not: each reason is told once. */
static void what_did_not_run_stands_by_reason(void **state)
{
    static const char *const reasons[] = {"while it ran", "interrupted", "while it ran",
                                          "interrupted"};
    static const char *const after[] = {"a", "c", "b", "d"};
    struct uet_run run;

    (void)state;
    assert_int_equal(uet_run_init(&run, &sample_info), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(
            uet_run_add_not_run(&run, (const char[]){(char)('a' + i), '\0'}, reasons[i]), 0);
    assert_int_equal(uet_run_end(&run, "Ctrl-C"), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(run.not_run[i].id, after[i]);
        assert_string_equal(run.not_run[i].reason, reasons[i / 2]);
    }
    uet_run_free(&run);
}

/* A note judged nothing: it rests on no reading, and is no finding. */
static void a_note_is_no_finding(void **state)
{
    static const struct row rows[] = {{.verdict = UET_PASS, .note = "SES-003"},
                                      {.verdict = UET_PASS, .note = "SES-003", .finding = true}};

    (void)state;
    assert_int_equal(uet_requirement_find("SES-003")->confidence, UET_CONFIDENCE_C);
    struct told t = tell(rows, 1, 1, NULL, 0);
    has(t.terminal, "      note, SES-003: memory not looked at\n");
    has_not(t.terminal, "contested");
    has(t.html, "memory not looked at <span class=\"lev\">note</span>");
    has_not(t.html, "<span class=\"mark\">contested</span>");
    has_not(t.html, "1 finding");
    has(t.junit, "note, SES-003: memory not looked at");
    forget(&t);
    t = tell(rows, 2, 2, NULL, 0);
    has(t.terminal, "      finding (contested), SES-003: memory not looked at\n");
    has(t.html, "memory not looked at <span class=\"mark\">contested</span>");
    has(t.html, "<span class=\"mark\">1 finding</span>");
    forget(&t);
}

/* Four failures of one cause are one, and three that say so. */
static void failures_of_one_cause_are_told_once(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_FAIL,
         .broken = "PDS-077",
         .message = "PDS-077: psn 0x1f came\nsent: 1",
         .came = 7},
        {.verdict = UET_FAIL,
         .broken = "PDS-077",
         .message = "PDS-077: psn 0x2 came\nsent: 2",
         .came = 9},
        {.verdict = UET_FAIL, .broken = "PDS-077", .message = "PDS-077: no psn came"},
        {.verdict = UET_FAIL, .broken = "PDS-038", .message = "PDS-038: psn 7 came", .came = 7},
        {.verdict = UET_INCONC, .message = "the sanity test pds.3.5.8.2.t0 did not pass"},
        {.verdict = UET_INCONC, .message = "the sanity test pds.3.5.8.2.t0 did not pass"},
        {.verdict = UET_FAIL, .broken = "PDS-077", .id = "rule.PDS-077", .message = "3 packets"},
        {.verdict = UET_FAIL, .broken = "PDS-105", .id = "rule.PDS-105", .message = "9 packets"},
        {.verdict = UET_FAIL, .broken = "PDS-113", .message = "PDS-113: no ACK within 1000.8 ms"},
        {.verdict = UET_FAIL, .broken = "PDS-097", .message = "PDS-097: no ACK within 1004.3 ms"},
    };
    /* t3 says the same of a packet that came, by another requirement; one silence is one cause. */
    static const char *const as_in[] = {"", "pds.3.5.8.2.t0", "", "", "", "pds.3.5.8.2.t4", "", "",
                                        "", "pds.3.5.8.2.t8"};

    (void)state;
    check_causes(rows, as_in, 10);
    struct told t = tell(rows, 8, 6, NULL, 0);
    has(t.terminal, "\n" RED "0 of 6 that ran passed: 4 failed, 2 inconclusive\n2 rules broken "
                    "outside a test's subject");
    has(t.terminal, "t1  as in pds.3.5.8.2.t0\n");
    has(t.html, "<summary>1 more as in this one</summary>");
    has(t.html, "<dt>Cause</dt><dd>as in <a class=\"id\" href=\"#pds.3.5.8.2.t0\">");
    has(t.junit, "cause: as in pds.3.5.8.2.t0");
    forget(&t);
    t = tell(rows + 8, 2, 2, NULL, 0);
    has(t.terminal, "t1  as in pds.3.5.8.2.t0, for PDS-097\n");
    forget(&t);
}

/* What is missing fails tests of many subjects: the cause is what most of them name. */
static void the_cause_stands_first(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_FAIL,
         .requirements = "PDS-039",
         .broken = "PDS-039",
         .message = "PDS-039: no NACK UET_INV_DPDCID of PSN 0x7 came within 1 ms"},
        {.verdict = UET_FAIL,
         .requirements = "PDS-105",
         .broken = "PDS-038",
         .message = "PDS-038: no NACK UET_INV_DPDCID of PSN 0x8 came within 1 ms"},
        {.verdict = UET_FAIL,
         .requirements = "PDS-038 PDS-020",
         .broken = "PDS-038",
         .message = "PDS-038: no NACK UET_INV_DPDCID of PSN 0x9 came within 1 ms"},
    };
    static const char *const as_in[] = {"pds.3.5.8.2.t2", "pds.3.5.8.2.t2", ""};

    (void)state;
    check_causes(rows, as_in, 3);
}

/* Nor does it matter that something else came, as long as that was alike. */
static void another_packet_in_its_place_is_the_same_cause(void **state)
{
#define MISSING ": no ACK of PSN 0x1 came within 1 ms, but another packet did"
#define BROKEN  MISSING ", which breaks PDS-106"
    static const struct row rows[] = {
        {.verdict = UET_FAIL,
         .requirements = "SES-051",
         .broken = "SES-051",
         .message = "SES-051" MISSING,
         .came = 3,
         .line = "ACK p"},
        {.verdict = UET_FAIL,
         .requirements = "SES-055",
         .broken = "SES-055",
         .message = "SES-055" MISSING,
         .came = 4,
         .line = "ACK q"},
        {.verdict = UET_FAIL,
         .requirements = "SES-056",
         .broken = "SES-056",
         .message = "SES-056" MISSING,
         .came = 5,
         .line = "NACK UET_NO_RESOURCE"},
        /* It says itself what is wrong with it: the entry of the rule tells the cause. */
        {.verdict = UET_FAIL,
         .requirements = "SES-057",
         .broken = "SES-057",
         .message = "SES-057" BROKEN,
         .came = 6,
         .line = "ACK r"},
        {.verdict = UET_FAIL,
         .requirements = "SES-058",
         .broken = "SES-058",
         .message = "SES-058" BROKEN,
         .came = 7,
         .line = "ACK s"},
        {.verdict = UET_FAIL, .broken = "PDS-106", .id = "rule.PDS-106", .message = "3 packets"},
    };
    static const char *const as_in[] = {"", "pds.3.5.8.2.t0", "", "rule.PDS-106", "rule.PDS-106",
                                        ""};

    (void)state;
    check_causes(rows, as_in, 6);
}

/* The entry of a rule stands in a place of its own, and is no test. */
static void a_broken_rule_is_no_test(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS},
        {.verdict = UET_FAIL, .broken = "PDS-105", .id = "rule.PDS-105", .message = "9 packets"},
    };

    (void)state;
    struct told t = tell(rows, 2, 1, NULL, 0);
    has(t.terminal, "1 of 1 that ran passed\n1 rule broken outside a test's subject");
    has(t.terminal, "\n1 test, 1 rule: 1 pass, 1 fail");
    has(t.terminal, "rules        Broken outside a test's subject");
    has_not(t.terminal, "--test rule.PDS-105");
    has(t.html, "<section class=\"\" id=\"srules\">");
    has(t.html, "Broken outside a test&#39;s subject</h3>");
    has(t.junit, "<testsuite name=\"rules Broken outside a test&#39;s subject\" tests=\"1\"");
    has(t.junit, "<testcase classname=\"rule\" name=\"PDS-105\"");
    forget(&t);
}

/* The entry of the rule names them: a run with one broken rule told 45 tests that had passed. */
static void passes_beside_a_broken_rule_are_quiet(void **state)
{
    static const struct row rows[] = {
        {.verdict = UET_PASS, .beside = true},
        {.verdict = UET_FAIL, .broken = "PDS-113", .message = "no ACK", .beside = true},
        {.verdict = UET_FAIL, .broken = "PDS-105", .id = "rule.PDS-105", .message = "2 packets"},
    };

    (void)state;
    struct told t = tell(rows, 3, 2, NULL, 0);
    has_not(t.terminal, "pds.3.5.8.2.t0");
    has(t.terminal, "      see rule.PDS-105, packet 2: retx is wrong\n"); /* t1 did not pass */
    has(t.html, "see <code>rule.PDS-105");
    forget(&t);
    t = tell(rows, 3, 2, NULL, UET_TERMINAL_VERBOSE);
    has(t.terminal, "pds.3.5.8.2.t0\n      see rule.PDS-105, packet 2");
    forget(&t);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/uet-summary-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passed_is_green_and_counts_what_ran),
        cmocka_unit_test(totals_tell_points),
        cmocka_unit_test(totals_tell_points_out_of_time),
        cmocka_unit_test(a_known_deviation_is_never_green),
        cmocka_unit_test(a_run_cut_short_says_so_everywhere),
        cmocka_unit_test(a_skip_did_not_run),
        cmocka_unit_test(what_did_not_run_stands_by_reason),
        cmocka_unit_test(a_note_is_no_finding),
        cmocka_unit_test(failures_of_one_cause_are_told_once),
        cmocka_unit_test(the_cause_stands_first),
        cmocka_unit_test(another_packet_in_its_place_is_the_same_cause),
        cmocka_unit_test(a_broken_rule_is_no_test),
        cmocka_unit_test(passes_beside_a_broken_rule_are_quiet),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
