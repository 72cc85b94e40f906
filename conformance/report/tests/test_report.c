/* SPDX-License-Identifier: BSD-2-Clause */
/* The reports of a run: every form of it, and reading one back. Expected values by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "conformance/harness/run/runner.h"
#include "conformance/report/journal.h"
#include "conformance/report/reporter.h"
#include "conformance/report/run_json.h"
#include "conformance/report/tests/sample.h"
#include "conformance/report/text.h"

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
    return path[turn];
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static struct uet_reports *begin_with(struct uet_reporter *reporter)
{
    struct uet_reports *reports = uet_reports_new();

    assert_non_null(reports);
    uet_reports_add(reports, reporter);
    assert_int_equal(uet_reports_begin(reports, &sample_info, SAMPLE_N), 0);
    return reports;
}

static void feed(struct uet_reports *reports, size_t n)
{
    struct uet_result results[SAMPLE_N];

    sample_results(results);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(uet_reports_test_begin(reports, results[i].id), 0);
        assert_int_equal(uet_reports_test_done(reports, &results[i]), 0);
    }
}

/* The sample through one reporter, to the end. */
static void report_sample(struct uet_reporter *reporter)
{
    struct uet_reports *reports = begin_with(reporter);

    feed(reports, SAMPLE_N);
    assert_int_equal(uet_reports_end(reports, NULL), 0);
    assert_string_equal(uet_reports_error(reports), "");
    uet_reports_free(reports);
}

static void json_has_the_stable_shape(void **state)
{
    (void)state;
    report_sample(uet_json_reporter(in_folder("run.json")));
    json_t *top = json_load_file(in_folder("run.json"), 0, NULL);
    assert_non_null(top);
    const char *fep, *spec, *profile, *version;
    json_int_t seed;
    int pass, fail, inconc, error, skip, known, unexpected;
    json_t *tests;
    assert_int_equal(json_unpack(top,
                                 "{s:s, s:s, s:s, s:I, s:s, s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i !}"
                                 ", s:o}",
                                 "fep", &fep, "spec", &spec, "profile", &profile, "seed", &seed,
                                 "version", &version, "summary", "pass", &pass, "fail", &fail,
                                 "inconc", &inconc, "error", &error, "skip", &skip, "known_fail",
                                 &known, "unexpected_pass", &unexpected, "tests", &tests),
                     0);
    assert_string_equal(fep, "lab/fep \"7\".yaml");
    assert_string_equal(spec, "1.0.3");
    assert_string_equal(profile, "AI-Base");
    assert_string_equal(version, "0.1.0");
    assert_int_equal(seed, 7);
    assert_int_equal(pass, 2);
    assert_int_equal(fail, 1);
    assert_int_equal(inconc, 1);
    assert_int_equal(error, 1);
    assert_int_equal(skip, 1);
    assert_int_equal(known, 1);
    assert_int_equal(unexpected, 1);
    assert_int_equal(json_array_size(tests), 8);

    const char *id, *section, *role, *verdict, *message, *pcap, *r0, *r1;
    json_t *findings;
    double seconds;
    int frame;
    assert_int_equal(json_unpack(json_array_get(tests, 1),
                                 "{s:s, s:[s, s !], s:s, s:s, s:s, s:o, s:f, s:s, s:s, s:i}", "id",
                                 &id, "requirements", &r0, &r1, "section", &section, "role", &role,
                                 "verdict", &verdict, "findings", &findings, "seconds", &seconds,
                                 "message", &message, "pcap", &pcap, "frame", &frame),
                     0);
    assert_string_equal(id, "pds.3.5.8.2.unknown-dpdcid");
    assert_string_equal(r0, "PDS-038");
    assert_string_equal(r1, "PDS-022");
    assert_string_equal(section, "3.5.8.2");
    assert_string_equal(role, "target");
    assert_string_equal(verdict, "fail");
    assert_int_equal(json_array_size(findings), 0);
    assert_true(seconds == 1.5);
    assert_string_equal(pcap, "out/pcap/pds.3.5.8.2.unknown-dpdcid.pcapng");
    assert_int_equal(frame, 4);
    has(message, "required: NACK UET_INV_DPDCID");
    const char *sent, *came, *broken, *level;
    int sent_frame, came_frame;
    assert_int_equal(json_unpack(json_array_get(tests, 1),
                                 "{s:{s:i, s:s !}, s:{s:s, s:s, s:s, s:s !}, s:{s:i, s:s !}}",
                                 "sent", "frame", &sent_frame, "packet", &sent, "required",
                                 "requirement", &broken, "section", &section, "level", &level,
                                 "text", &message, "came", "frame", &came_frame, "packet", &came),
                     0);
    assert_int_equal(sent_frame, 3);
    assert_string_equal(sent, "Request psn 17 to dpdcid 0x1234");
    assert_string_equal(broken, "PDS-038");
    assert_string_equal(section, "3.5.8.2");
    assert_string_equal(level, "MUST");
    has(message, "UET_INV_DPDCID");
    assert_int_equal(came_frame, 4);
    assert_string_equal(came, "NACK <UET_CLOSING> & spdcid=0x0007");
    assert_string_equal(json_string_value(json_object_get(json_array_get(tests, 1), "set_up")),
                        "native");
    assert_null(json_object_get(json_array_get(tests, 2), "set_up"));
    assert_null(json_object_get(json_array_get(tests, 2), "sent"));
    assert_null(json_object_get(json_array_get(tests, 2), "required"));
    assert_null(json_object_get(json_array_get(tests, 2), "came"));
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(tests, 1), "repeat")),
        "uetconform run --fep 'lab/fep \"7\".yaml' --spec 1.0.3 --profile AI-Base --strict "
        "--slow 2.5 --seed 7 --test pds.3.5.8.2.unknown-dpdcid");
    assert_string_equal(json_string_value(json_object_get(json_array_get(tests, 5), "verdict")),
                        "known-fail");
    assert_string_equal(json_string_value(json_object_get(json_array_get(tests, 6), "verdict")),
                        "unexpected-pass");
    const char *unused[6];
    assert_int_equal(json_unpack(top, "{s:{s:{s:[{s:s, s:s!}, {s:s, s:s!}, {s:s, s:s!}!]}}}",
                                 "conditions", "fep.yaml", "unused_parameters", "name", &unused[0],
                                 "claims", &unused[1], "name", &unused[2], "claims", &unused[3],
                                 "name", &unused[4], "claims", &unused[5]),
                     0);
    assert_string_equal(unused[0], "alpha");
    assert_string_equal(unused[1], "nscc");
    assert_string_equal(unused[2], "fi");
    assert_string_equal(unused[3], "nscc rccc");
    assert_string_equal(unused[4], "Max_Tail_Loss_Retx");
    assert_string_equal(unused[5], "");
    json_decref(top);
    assert_int_equal(access(in_folder("run.jsonl"), F_OK), -1); /* the journal has done its duty */
}

static void a_run_reads_back_as_it_was(void **state)
{
    struct uet_result want[SAMPLE_N];
    struct uet_run run;
    char error[512] = "";

    (void)state;
    report_sample(uet_json_reporter(in_folder("back.json")));
    assert_int_equal(uet_run_read(&run, in_folder("back.json"), error, sizeof(error)), 0);
    sample_results(want);
    assert_int_equal(run.n, SAMPLE_N);
    assert_string_equal(run.info.fep_name, sample_info.fep_name);
    assert_string_equal(run.info.started, sample_info.started);
    assert_int_equal(run.info.seed, 7);
    assert_true(run.info.strict);
    assert_true(run.info.slow == 2.5 && run.info.time_scale == 1);
    for (size_t i = 0; i < SAMPLE_N; i++) {
        assert_string_equal(run.results[i].id, want[i].id);
        assert_string_equal(run.results[i].requirements, want[i].requirements);
        assert_string_equal(run.results[i].message, want[i].message);
        assert_string_equal(run.results[i].broken, want[i].broken);
        assert_int_equal(run.results[i].sent.frame, want[i].sent.frame);
        assert_string_equal(run.results[i].sent.line, want[i].sent.line);
        assert_int_equal(run.results[i].came.frame, want[i].came.frame);
        assert_string_equal(run.results[i].came.line, want[i].came.line);
        assert_string_equal(run.results[i].set_up, want[i].set_up);
        assert_string_equal(run.results[i].pcap, want[i].pcap);
        assert_int_equal(run.results[i].verdict, want[i].verdict);
        assert_int_equal(run.results[i].known, want[i].known);
        assert_int_equal(run.results[i].unexpected_pass, want[i].unexpected_pass);
        assert_int_equal(run.results[i].contested, want[i].contested);
        assert_int_equal(run.results[i].skip_reason, want[i].skip_reason);
        assert_string_equal(run.results[i].as_in, want[i].as_in);
        assert_int_equal(run.results[i].frame, want[i].frame);
        assert_true(run.results[i].seconds == want[i].seconds);
        assert_int_equal(run.results[i].n_findings, want[i].n_findings);
    }
    assert_string_equal(run.results[7].findings[0].text, "silence instead of a NACK");
    assert_int_equal(run.results[7].findings[0].frame, 9);
    assert_false(run.results[7].findings[0].note);
    assert_true(run.results[7].findings[1].note);
    assert_int_equal(run.summary.fail, 1);
    assert_true(run.complete);
    assert_null(run.cut_short);
    assert_int_equal(run.planned, SAMPLE_N);
    assert_string_equal(run.info.ended, "2026-03-01T10:21:30Z");
    assert_int_equal(run.info.n_conditions, sample_info.n_conditions);
    assert_string_equal(run.info.conditions[1].group, "claims");
    assert_string_equal(run.info.conditions[1].name, "rudi");
    assert_string_equal(run.info.conditions[1].value, "no");
    assert_string_equal(run.info.conditions[4].value,
                        "alpha (nscc), fi (nscc rccc), Max_Tail_Loss_Retx (no test reads it)");
    assert_string_equal(run.info.conditions[5].value, "uetconform run --fep 'a & b'");
    uet_run_free(&run);
}

/* Of 12 planned tests 2 came to a verdict, 1 was under way, 1 was given up with a reason. */
static void feed_a_cut_run(struct uet_reports *reports)
{
    struct uet_result results[SAMPLE_N];

    sample_results(results);
    assert_int_equal(uet_reports_begin(reports, &sample_info, 12), 0);
    assert_int_equal(uet_reports_test_begin(reports, results[0].id), 0);
    assert_int_equal(uet_reports_test_done(reports, &results[0]), 0);
    assert_int_equal(uet_reports_test_done(reports, &results[1]), 0);
    results[2].cut = true;
    assert_int_equal(uet_reports_test_done(reports, &results[2]), 0);
    assert_int_equal(uet_reports_not_run(reports, "ses.3.4.6.3.bad-pid", "the FEP is gone"), 0);
    struct uet_result rule = results[1]; /* no test: not among the 12 */
    rule.id = "rule.PDS-105";
    rule.role = "passive";
    snprintf(rule.as_in, sizeof(rule.as_in), "pds.3.5.8.2.unknown-dpdcid");
    assert_int_equal(uet_reports_test_done(reports, &rule), 0);
}

static void it_was_cut(const char *file, const char *why)
{
    struct uet_run run;
    char error[512] = "", words[128], want[128];

    assert_int_equal(uet_run_read(&run, in_folder(file), error, sizeof(error)), 0);
    assert_false(run.complete);
    assert_string_equal(run.cut_short, why);
    assert_int_equal(run.planned, 12);
    assert_int_equal(run.n, 3);
    assert_string_equal(run.results[2].as_in, "pds.3.5.8.2.unknown-dpdcid");
    assert_int_equal(uet_run_ran(&run), 2);
    assert_int_equal(run.summary.inconc, 0); /* what was cut counts for nothing */
    assert_int_equal(run.n_not_run, 2);
    assert_string_equal(run.not_run[0].id, "pds.3.5.10.3.reserved-zero");
    assert_string_equal(run.not_run[0].reason, "the run was interrupted while it ran");
    assert_string_equal(run.not_run[1].id, "ses.3.4.6.3.bad-pid");
    assert_string_equal(run.not_run[1].reason, "the FEP is gone");
    snprintf(want, sizeof(want), "interrupted: 2 of 12 run (%s)", why);
    assert_string_equal(uet_run_cut_words(words, sizeof(words), &run), want);
    uet_run_free(&run);
}

static void a_run_cut_short_says_so_in_json(void **state)
{
    struct uet_reports *reports = uet_reports_new();
    int complete, planned, ran;
    const char *why;

    (void)state;
    uet_reports_add(reports, uet_json_reporter(in_folder("part.json")));
    feed_a_cut_run(reports);
    assert_int_equal(uet_reports_end(reports, "SIGTERM"), 0);
    uet_reports_free(reports);
    json_t *top = json_load_file(in_folder("part.json"), 0, NULL);
    assert_non_null(top);
    assert_int_equal(json_unpack(top, "{s:b, s:i, s:i, s:s}", "complete", &complete, "planned",
                                 &planned, "ran", &ran, "cut_short", &why),
                     0);
    assert_false(complete);
    assert_int_equal(planned, 12);
    assert_int_equal(ran, 2);
    assert_string_equal(why, "SIGTERM");
    assert_int_equal(json_array_size(json_object_get(top, "not_run")), 2);
    json_decref(top);
    it_was_cut("part.json", "SIGTERM");

    /* Killed: nobody could say why, and the journal tells what there is. */
    reports = uet_reports_new();
    uet_reports_add(reports, uet_json_reporter(in_folder("killed.json")));
    feed_a_cut_run(reports);
    uet_reports_free(reports);
    it_was_cut("killed.jsonl", "its journal breaks off");
}

/* A report file of before there was `complete` is that of a whole run; the end has its time. */
static void a_run_says_when_it_ended(void **state)
{
    struct uet_reports *reports = uet_reports_new();
    struct uet_run_info info = sample_info;
    struct uet_run run;
    char error[512] = "";

    (void)state;
    write_file(
        in_folder("old.json"),
        "{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
        "\"conditions\":{\"fep.yaml\":{\"unused_parameters\":\"alpha (nscc)\"}},"
        "\"tests\":[{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\",\"verdict\":\"pass\","
        "\"requirements\":[]}]}");
    assert_int_equal(uet_run_read(&run, in_folder("old.json"), error, sizeof(error)), 0);
    assert_string_equal(run.info.conditions[0].value, "alpha (nscc)"); /* it was a text then */
    assert_true(run.complete);
    assert_int_equal(run.planned, 1);
    assert_string_equal(run.info.ended, "");
    uet_run_free(&run);
    info.ended = NULL;
    assert_int_equal(uet_reports_begin(reports, &info, 0), 0);
    assert_int_equal(uet_reports_end(reports, NULL), 0);
    assert_int_equal(strlen(uet_reports_run(reports)->info.ended), 20);
    assert_int_equal(uet_reports_run(reports)->info.ended[19], 'Z');
    uet_reports_free(reports);
}

/* Three results came, then the tester died: the journal has them, the report file is untouched. */
static void a_run_cut_short_leaves_its_journal(void **state)
{
    struct uet_run run;
    char error[512] = "";

    (void)state;
    write_file(in_folder("cut.json"), "the report of yesterday");
    struct uet_reports *reports = begin_with(uet_json_reporter(in_folder("cut.json")));
    feed(reports, 3);
    uet_reports_free(reports);
    char *old = read_file(in_folder("cut.json"));
    assert_string_equal(old, "the report of yesterday");
    free(old);
    assert_int_equal(uet_run_read(&run, in_folder("cut.jsonl"), error, sizeof(error)), 0);
    assert_int_equal(run.n, 3);
    assert_string_equal(run.results[1].id, "pds.3.5.8.2.unknown-dpdcid");
    assert_int_equal(run.summary.inconc, 1);
    uet_run_free(&run);

    /* Whoever goes on with the run names its report, and gets the journal. */
    assert_int_equal(uet_run_read_last(&run, in_folder("cut.json"), error, sizeof(error)), 0);
    assert_int_equal(run.n, 3);
    uet_run_free(&run);

    /* A last line that was cut is left out; one that is damaged in the middle is told. */
    char *journal = read_file(in_folder("cut.jsonl"));
    journal[strlen(journal) - 20] = '\0';
    write_file(in_folder("cut2.jsonl"), journal);
    assert_int_equal(uet_run_read(&run, in_folder("cut2.jsonl"), error, sizeof(error)), 0);
    assert_int_equal(run.n, 2);
    uet_run_free(&run);
    *strchr(strchr(journal, '\n') + 1, '{') = '[';
    write_file(in_folder("cut3.jsonl"), journal);
    assert_true(uet_run_read(&run, in_folder("cut3.jsonl"), error, sizeof(error)) < 0);
    has(error, "cut3.jsonl:2: no JSON object: the journal is damaged here");
    free(journal);
}

static void results_of(const char *journal, size_t n)
{
    struct uet_run run;
    char error[512] = "";

    assert_int_equal(uet_run_read(&run, in_folder(journal), error, sizeof(error)), 0);
    assert_int_equal(run.n, n);
    uet_run_free(&run);
}

/* A run that goes on takes three results over: at each moment the journal on disk has them all. */
static void a_journal_stays_until_a_better_one_is_there(void **state)
{
    struct uet_result results[SAMPLE_N];
    struct uet_reports *reports = begin_with(uet_json_reporter(in_folder("on.json")));

    (void)state;
    sample_results(results);
    feed(reports, 3);
    uet_reports_free(reports);
    results_of("on.jsonl", 3);
    for (int again = 0; again < 2; again++) { /* the first dies before a test of its own */
        reports = begin_with(uet_json_reporter(in_folder("on.json")));
        results_of("on.jsonl", 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(uet_reports_test_done(reports, &results[i]), 0);
            results_of("on.jsonl", 3);
        }
        if (again) {
            assert_int_equal(uet_reports_test_begin(reports, results[3].id), 0);
            results_of("on.jsonl", 3);
            assert_int_equal(uet_reports_test_done(reports, &results[3]), 0);
        }
        uet_reports_free(reports);
        assert_int_equal(access(in_folder("on.jsonl.tmp"), F_OK), -1);
    }
    results_of("on.jsonl", 4);
}

/* Its name is taken by a folder: no result is told as kept that is not. */
static void a_journal_without_its_name_is_told(void **state)
{
    struct uet_result results[SAMPLE_N];
    struct uet_reports *reports = begin_with(uet_json_reporter(in_folder("name.json")));

    (void)state;
    sample_results(results);
    assert_int_equal(mkdir(in_folder("name.jsonl"), 0777), 0);
    assert_true(uet_reports_test_begin(reports, results[0].id) < 0);
    assert_true(uet_reports_test_done(reports, &results[0]) < 0);
    has(uet_reports_error(reports), "name.jsonl: cannot be written");
    uet_reports_free(reports);
    assert_int_equal(rmdir(in_folder("name.jsonl")), 0);
}

static void what_cannot_be_written_is_told_at_the_start(void **state)
{
    (void)state;
    static const char *const wrong[] = {"/nowhere/at/all/run.json", "/"};
    static const char *const told[] = {"/nowhere/at/all/run.json: cannot be written: No such file "
                                       "or directory; make its folder first",
                                       "/: cannot be written: Is a directory; name a file in it"};
    for (size_t i = 0; i < 2; i++)
        for (int form = 0; form < 3; form++) {
            struct uet_reports *reports = uet_reports_new();
            uet_reports_add(reports, form == 0   ? uet_json_reporter(wrong[i])
                                     : form == 1 ? uet_junit_reporter(wrong[i])
                                                 : uet_html_reporter(wrong[i]));
            assert_true(uet_reports_begin(reports, &sample_info, 1) < 0);
            assert_string_equal(uet_reports_error(reports), told[i]);
            feed(reports, 1); /* the others on the chain would go on */
            assert_int_equal(uet_reports_end(reports, NULL), 0);
            uet_reports_free(reports);
        }
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    for (int form = 0; form < 3; form++) {
        struct uet_reports *reports = begin_with(form == 0   ? uet_json_reporter("/dev/full")
                                                 : form == 1 ? uet_junit_reporter("/dev/full")
                                                             : uet_html_reporter("/dev/full"));
        feed(reports, SAMPLE_N);
        assert_true(uet_reports_end(reports, NULL) < 0);
        assert_string_equal(uet_reports_error(reports),
                            "/dev/full: cannot be written: No space left on device; free some "
                            "space or name a file elsewhere");
        uet_reports_free(reports);
    }
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode)); /* and it is still the device */
}

static void malformed_runs_are_refused_in_one_line(void **state)
{
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"", ":1: no JSON: the file is empty"},
        {"{\"fep\":", ":1: no JSON: "},
        {"\n\n nonsense", ":3: no JSON: "},
        {"[]", ": no JSON object: give it a file that uetconform wrote with --json"},
        {"{\"fep\":1}", ": fep: must be a text"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":-1}",
         ": seed: must be a number from 0"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1}",
         ": tests: must be a list"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
         "\"conditions\":{\"fep.yaml\":{\"unused_parameters\":[{\"name\":\"alpha\"}]}}}",
         ": conditions: unused_parameters: must be a list of name and claims"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
         "\"tests\":[{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\",\"verdict\":\"passed\"}]}",
         ": tests[0].verdict: must be pass, fail,"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
         "\"tests\":[{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\",\"verdict\":\"pass\"}]}",
         ": tests[0].requirements: must be a list"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
         "\"tests\":[{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\",\"verdict\":\"pass\","
         "\"requirements\":[],\"frame\":-3}]}",
         ": tests[0].frame: must be a packet number"},
        {"{\"fep\":\"x\",\"spec\":\"1.0.3\",\"profile\":\"all\",\"version\":\"0\",\"seed\":1,"
         "\"tests\":[{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\",\"verdict\":\"pass\","
         "\"requirements\":[]},{\"id\":\"a\",\"section\":\"1\",\"role\":\"target\","
         "\"verdict\":\"pass\",\"requirements\":[]}]}",
         ": tests[1].id: the test stands there twice"},
    };
    struct uet_run run;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char error[512] = "", want[256];
        write_file(in_folder("bad.json"), cases[i].text);
        assert_true(uet_run_read(&run, in_folder("bad.json"), error, sizeof(error)) < 0);
        snprintf(want, sizeof(want), "%s%s", in_folder("bad.json"), cases[i].told);
        if (strncmp(error, want, strlen(want)) != 0 || strchr(error, '\n'))
            fail_msg("case %zu: wanted \"%s\", got \"%s\"", i, want, error);
    }
    char error[512] = "";
    assert_true(uet_run_read(&run, in_folder("absent"), error, sizeof(error)) < 0);
    has(error, "absent: cannot be read: No such file or directory");
    assert_true(uet_run_read(&run, folder, error, sizeof(error)) < 0);
    has(error, "cannot be read: Is a directory");
}

static void junit_counts_and_escapes(void **state)
{
    (void)state;
    report_sample(uet_junit_reporter(in_folder("junit.xml")));
    char *xml = read_file(in_folder("junit.xml"));
    has(xml, "<testsuites name=\"uetconform\" tests=\"8\" failures=\"2\" errors=\"2\" "
             "skipped=\"2\">");
    has(xml, "<testsuite name=\"3.5.8.2 PDC establishment\" tests=\"2\" failures=\"1\" "
             "errors=\"0\" skipped=\"0\" time=\"2.000000\" timestamp=\"2026-03-01T10:20:30Z\">");
    has(xml, "<property name=\"fep\" value=\"lab/fep &quot;7&quot;.yaml\"/>");
    has(xml, "<property name=\"fep_name\" value=\"Acme &lt;NIC&gt; &amp; S\xc3\xb6hne\"/>");
    has(xml, "<testcase classname=\"pds.3.5.8.2\" name=\"unknown-dpdcid\" time=\"1.500000\">");
    has(xml, "<failure type=\"fail\" message=\"sent: Request psn 17 to dpdcid 0x1234 "
             "(packet 3)\">sent:");
    has(xml, "came: NACK &lt;UET_CLOSING&gt; &amp; spdcid=0x0007 (packet 4)</failure>");
    has(xml, "<error type=\"inconclusive\" message=\"preamble: no answer within 200 ms\">");
    has(xml, "<error type=\"tester\" message=\"the tester ran out of addresses\">");
    has(xml, "<skipped type=\"not claimed\" message=\"not claimed: mpr\">");
    has(xml, "<skipped type=\"known-fail\"");
    has(xml, "<failure type=\"unexpected-pass\"");
    has(xml, "finding (contested), PDS-232: silence instead of a NACK");
    /* 3.4 before 3.5, and 3.5.9 before 3.5.10. */
    assert_true(strstr(xml, "\"3.4.6.3 ") < strstr(xml, "\"3.5.8.2 "));
    assert_true(strstr(xml, "\"3.5.9 ") < strstr(xml, "\"3.5.10.3 "));
    free(xml);
}

static void html_is_one_page_that_says_no_more_than_it_may(void **state)
{
    static const char *const never[] = {"certif",  "Certif",   "complian", "Complian",
                                        "http://", "https://", "<script",  "<NIC>"};

    (void)state;
    assert_int_equal(mkdir(in_folder("out"), 0755), 0);
    char page[128];
    snprintf(page, sizeof(page), "%s", in_folder("out/report.html"));
    report_sample(uet_html_reporter(page));
    char *html = read_file(page);
    for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
        has_not(html, never[i]);
    has(html, "<h1>Acme &lt;NIC&gt; &amp; S\xc3\xb6hne</h1>");
    has(html, "<p class=\"say bad\">2 of 7 that ran passed: 1 failed, 1 unexpected pass, 1 tester "
              "error, 1 inconclusive, 1 known deviation; 1 skipped: not claimed.</p>");
    has(html, "<td>command line</td><td>uetconform run --fep &#39;a &amp; b&#39;</td>");
    has(html, "<details class=\"fold\"><summary>fep.yaml</summary>\n<pre># &lt;/pre&gt;&lt;"
              "script&gt;alert(1)&lt;/script&gt;&#10;name: &quot;x&quot; &amp; y&#10;</pre>");
    has_not(html, "<td>text</td>");
    has(html, "<h2>Known deviations</h2>");
    has(html,
        "<details class=\"test\" id=\"ses.3.4.2.1.version\">"); /* not among those that passed */
    has(html, "<dt>Seed</dt><dd>7</dd>");
    has(html, "<dt>Started</dt><dd>2026-03-01T10:20:30Z</dd>");
    has(html, "<details class=\"test\" open id=\"pds.3.5.8.2.unknown-dpdcid\">");
    has(html, "<details class=\"test ok\" id=\"pds.3.5.8.2.syn-opens\">");
    has(html, "A Request to an unknown PDCID is refused");
    has(html, "came: NACK &lt;UET_CLOSING&gt; &amp; spdcid=0x0007");
    has(html, "<code>PDS-038</code> <span class=\"lev\">MUST, section 3.5.8.2</span>");
    has(html, "Contested. As read here: a version other than 0 is not executed");
    has(html, "silence instead of a NACK <span class=\"mark\">contested</span> <span "
              "class=\"lev\">packet 9</span>");
    has(html,
        "<code>uetconform run --fep &#39;lab/fep &quot;7&quot;.yaml&#39; --spec 1.0.3 "
        "--profile AI-Base --strict --slow 2.5 --seed 7 --test pds.3.5.8.2.unknown-dpdcid</code>");
    free(html);
}

static void html_links_captures_from_where_it_stands(void **state)
{
    char out[256];

    (void)state;
    assert_string_equal(uet_relative_path(out, sizeof(out), "out/report.html", "out/pcap/a.pcapng"),
                        "pcap/a.pcapng");
    assert_string_equal(uet_relative_path(out, sizeof(out), "./out/r.html", "out/a"), "a");
    assert_string_equal(uet_relative_path(out, sizeof(out), "web/r/r.html", "out/a.pcapng"),
                        "../../out/a.pcapng");
    assert_string_equal(uet_relative_path(out, sizeof(out), "r.html", "out/a"), "out/a");
    assert_string_equal(uet_relative_path(out, sizeof(out), "/x/r.html", "/x/p/a"), "p/a");
    assert_string_equal(uet_relative_path(out, sizeof(out), "/x/r.html", "p/a"), "p/a");
    assert_string_equal(uet_relative_path(out, sizeof(out), "../r.html", "p/a"), "p/a");
    assert_string_equal(uet_relative_path(out, sizeof(out), "outer/r.html", "out/a"), "../out/a");
}

static char *terminal_text(unsigned flags)
{
    FILE *out = fopen(in_folder("terminal"), "w");

    assert_non_null(out);
    report_sample(uet_terminal_reporter(out, flags));
    fclose(out);
    return read_file(in_folder("terminal"));
}

static void the_terminal_sums_by_section(void **state)
{
    (void)state;
    char *text = terminal_text(0);
    has(text, "section      title                               pass  fail  inconc  "
              "error  skip  known-fail  unexpected-pass\n");
    has(text, "3.5.8.2      PDC establishment                      1     1       .      "
              ".     .           .                .\n");
    has(text,
        "\nfail  pds.3.5.8.2.unknown-dpdcid  at set-up native\n      sent: Request psn 17 to ");
    has(text, "\ninconc  pds.3.5.10.3.reserved-zero\n      PDS-234 MUST (3.5.10"); /* not in it */
    has(text, "\n      came: NACK <UET_CLOSING> & spdcid=0x0007 (packet 4)\n"
              "      capture: out/pcap/pds.3.5.8.2.unknown-dpdcid.pcapng, packet 4\n"
              "      repeat:  uetconform run --fep 'lab/fep \"7\".yaml' --spec 1.0.3 --profile "
              "AI-Base --strict --slow 2.5 --seed 7 --test pds.3.5.8.2.unknown-dpdcid\n");
    has(text, "skip  1: not claimed\n      pds.3.5.11.mpr-zero: not claimed: mpr\n");
    has(text, "known-fail  ses.3.4.2.1.version  (contested)\n");
    has(text, "      the other reading: the response must carry RC_UNCOR");
    has(text, "      finding (contested), PDS-232, packet 9: silence instead of a NACK\n");
    has(text, "\nleft out  points with copies: time is real\n");
    has(text, "8 tests: 2 pass, 1 fail, 1 inconc, 1 error, 1 skip, 1 known-fail, 1 "
              "unexpected-pass  (60 s; FEP lab/fep \"7\".yaml, UE 1.0.3, profile AI-Base, strict, "
              "seed 7)\n");
    has_not(text, "\033");
    has_not(text, "\r");
    assert_true(strstr(text, "3.5.9 ") < strstr(text, "3.5.10.3 "));
    free(text);
    text = terminal_text(UET_TERMINAL_COLOUR);
    has(text, "\033[31mfail\033[0m  pds.3.5.8.2.unknown-dpdcid");
    free(text);
    text = terminal_text(UET_TERMINAL_SHORT);
    has_not(text, "section ");
    has(text, "8 tests: ");
    free(text);
}

/* The last line of the terminal for a run of two tests that took so long each. */
static char *last_line(const char *started, const char *ended, double seconds)
{
    FILE *out = fopen(in_folder("terminal"), "w");
    struct uet_reports *reports = uet_reports_new();
    struct uet_run_info info = sample_info;
    struct uet_result results[SAMPLE_N];

    assert_non_null(out);
    info.started = started;
    info.ended = ended;
    uet_reports_add(reports, uet_terminal_reporter(out, 0));
    assert_int_equal(uet_reports_begin(reports, &info, 2), 0);
    sample_results(results);
    for (size_t i = 0; i < 2; i++) {
        results[i].wall_seconds = seconds;
        assert_int_equal(uet_reports_test_done(reports, &results[i]), 0);
    }
    assert_int_equal(uet_reports_end(reports, NULL), 0);
    uet_reports_free(reports);
    fclose(out);
    return read_file(in_folder("terminal"));
}

/* With --jobs several tests run at a time: the run is over sooner than the sum of them. */
static void the_terminal_tells_how_long_the_run_took(void **state)
{
    static const struct {
        const char *started, *ended;
        double seconds;
        const char *told;
    } cases[] = {
        {"2026-02-28T23:59:50Z", "2026-03-01T00:01:10Z", 176, "  (80 s, tests 352.00 s; FEP "},
        {"2026-02-28T23:59:50Z", "2026-03-01T00:01:10Z", 40.4, "  (80 s; FEP "},
        {"2026-02-28T23:59:50Z", "", 40, "  (tests 80.00 s; FEP "},
        {"2026-02-28T23:59:50Z", NULL, 176, " s, tests 352.00 s; FEP "},
        {"2026-02-28T23:59:50Z", NULL, 0, " s; FEP "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *text = last_line(cases[i].started, cases[i].ended, cases[i].seconds);

        has(text, cases[i].told);
        if (!cases[i].ended) /* it ran just now, whatever its tests say */
            has(text, "  (0.");
        free(text);
    }
}

static void text_from_elsewhere_is_made_safe(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"plain\n\ttext", "plain\n\ttext"},
        {"bell\a esc\033[31m del\x7f", "bell esc[31m del"},
        {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xff|\xc3|\xe2\x82", "\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong '/' */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
        {"c1 \xc2\x9b nonchar \xef\xbf\xbf", "c1  nonchar "},
    };
    char out[128];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uet_text_clean(out, sizeof(out), cases[i].in);
        assert_string_equal(out, cases[i].out);
    }
    /* Cut between characters, never inside one. */
    assert_int_equal(uet_text_clean(out, 4, "ab\xe2\x82\xac"), 2);
    assert_string_equal(out, "ab");
}

/* Bytes of a FEP in a message must not break any form of report. */
static void hostile_messages_stay_inside_their_report(void **state)
{
    struct uet_result results[SAMPLE_N];

    (void)state;
    sample_results(results);
    snprintf(results[1].message, sizeof(results[1].message),
             "]]></failure><script>\033]0;x\a\x01\xff\xfe\"'&");
    struct uet_reports *reports = uet_reports_new();
    uet_reports_add(reports, uet_junit_reporter(in_folder("h.xml")));
    uet_reports_add(reports, uet_html_reporter(in_folder("h.html")));
    uet_reports_add(reports, uet_json_reporter(in_folder("h.json")));
    assert_int_equal(uet_reports_begin(reports, &sample_info, 1), 0);
    assert_int_equal(uet_reports_test_done(reports, &results[1]), 0);
    assert_int_equal(uet_reports_end(reports, NULL), 0);
    uet_reports_free(reports);
    const char *safe = "]]&gt;&lt;/failure&gt;&lt;script&gt;]0;x\xef\xbf\xbd\xef\xbf\xbd&quot;&#39;"
                       "&amp;";
    char *text = read_file(in_folder("h.xml"));
    has(text, safe);
    free(text);
    text = read_file(in_folder("h.html"));
    has(text, safe);
    free(text);
    json_t *top = json_load_file(in_folder("h.json"), 0, NULL);
    assert_non_null(top);
    json_decref(top);
}

static void sections_order_as_numbers_and_find_a_title(void **state)
{
    char title[128];

    (void)state;
    assert_true(uet_section_compare("3.5.9", "3.5.10") < 0);
    assert_true(uet_section_compare("3.5", "3.5.1") < 0);
    assert_true(uet_section_compare("4.1", "3.7.11") > 0);
    assert_int_equal(uet_section_compare("3.5.8.2", "3.5.8.2"), 0);
    assert_string_equal(uet_section_title(title, sizeof(title), "3.5.8.2"), "PDC establishment");
    assert_string_equal(uet_section_title(title, sizeof(title), UET_ROBUSTNESS),
                        "Asked by uetkit, not the standard");
    assert_string_equal(
        uet_result_place(&(struct uet_result){.id = "rob.3.5.12.x", .section = "3.5.12"}),
        UET_ROBUSTNESS);
    assert_string_equal(uet_section_title(title, sizeof(title), "3.5.8.2.99"), "PDC establishment");
    assert_string_equal(uet_section_title(title, sizeof(title), "3.4.5"), "Error handling");
    assert_string_equal(uet_section_title(title, sizeof(title), "3.5.18"),
                        "Packet delivery sublayer (PDS)");
    assert_string_equal(uet_section_title(title, sizeof(title), "99"), "");
    assert_true(uet_section_in("3.5.8.2", "3.5"));
    assert_true(uet_section_in("3.5", "3.5"));
    assert_false(uet_section_in("3.51", "3.5"));
}

static void words_of_a_shell_are_quoted(void **state)
{
    char out[64];

    (void)state;
    assert_string_equal(uet_shell_word(out, sizeof(out), "ref"), "ref");
    assert_string_equal(uet_shell_word(out, sizeof(out), "a b"), "'a b'");
    assert_string_equal(uet_shell_word(out, sizeof(out), "it's"), "'it'\\''s'");
    assert_string_equal(uet_shell_word(out, sizeof(out), ""), "''");
    assert_string_equal(uet_shell_word(out, sizeof(out), "$(x)"), "'$(x)'");
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/uet-report-XXXXXX");
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
        cmocka_unit_test(json_has_the_stable_shape),
        cmocka_unit_test(a_run_reads_back_as_it_was),
        cmocka_unit_test(a_run_cut_short_leaves_its_journal),
        cmocka_unit_test(a_journal_stays_until_a_better_one_is_there),
        cmocka_unit_test(a_journal_without_its_name_is_told),
        cmocka_unit_test(a_run_cut_short_says_so_in_json),
        cmocka_unit_test(a_run_says_when_it_ended),
        cmocka_unit_test(the_terminal_tells_how_long_the_run_took),
        cmocka_unit_test(what_cannot_be_written_is_told_at_the_start),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(malformed_runs_are_refused_in_one_line),
        cmocka_unit_test(junit_counts_and_escapes),
        cmocka_unit_test(html_is_one_page_that_says_no_more_than_it_may),
        cmocka_unit_test(html_links_captures_from_where_it_stands),
        cmocka_unit_test(the_terminal_sums_by_section),
        cmocka_unit_test(text_from_elsewhere_is_made_safe),
        cmocka_unit_test(hostile_messages_stay_inside_their_report),
        cmocka_unit_test(sections_order_as_numbers_and_find_a_title),
        cmocka_unit_test(words_of_a_shell_are_quoted),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
