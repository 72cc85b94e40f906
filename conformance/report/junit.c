/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JUnit XML, one suite a section. JUnit knows no inconc: it stands as an error of type
 * "inconclusive". Known deviations stand as skipped, with the reason.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/outfile.h"
#include "conformance/report/reporter.h"
#include "conformance/report/summary.h"
#include "conformance/report/text.h"

struct junit {
    struct uet_reporter base;
    char *path;
    struct uet_outfile file;
};

static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    uet_put_xml(out, value);
    fputc('"', out);
}

static void property(FILE *out, const char *name, const char *value)
{
    fputs("   <property", out);
    attribute(out, "name", name);
    attribute(out, "value", value);
    fputs("/>\n", out);
}

static void properties(FILE *out, const struct uet_run *run)
{
    const struct uet_run_info *info = &run->info;
    char seed[24], points[24], left_out[24];

    snprintf(seed, sizeof(seed), "%" PRIu64, info->seed);
    snprintf(points, sizeof(points), "%zu", uet_run_count_points(run));
    snprintf(left_out, sizeof(left_out), "%zu", uet_run_points_out_of_time(run));
    fputs("  <properties>\n", out);
    property(out, "fep", info->fep);
    property(out, "fep_name", info->fep_name);
    property(out, "spec", info->spec);
    property(out, "profile", info->profile);
    if (info->secure && *info->secure)
        property(out, "secure", info->secure);
    property(out, "seed", seed);
    property(out, "points", points);
    property(out, "points_out_of_time", left_out);
    property(out, "uetkit", info->version);
    for (size_t i = 0; i < info->n_conditions; i++) {
        const struct uet_condition *c = &info->conditions[i];
        char name[128];
        snprintf(name, sizeof(name), "%s.%s", c->group, c->name);
        if (uet_condition_is_short(c) || strcmp(c->name, "command line") == 0)
            property(out, name, c->value);
    }
    fputs("  </properties>\n", out);
}

/* <failure>, <error> or <skipped>: the first line as message, the whole text inside. */
static void outcome(FILE *out, const char *element, const char *type, const char *message)
{
    fprintf(out, "   <%s type=\"%s\" message=\"", element, type);
    uet_put_first_line(out, message, uet_put_xml);
    fputs("\">", out);
    uet_put_xml(out, message);
    fprintf(out, "</%s>\n", element);
}

static void verdict(FILE *out, const struct uet_result *r)
{
    if (r->known) {
        outcome(out, "skipped", "known-fail", r->message);
    } else if (r->unexpected_pass) {
        outcome(out, "failure", "unexpected-pass",
                r->message[0] ? r->message : "fep.yaml lists a deviation here, and it passed");
    } else {
        switch ((enum uet_verdict)r->verdict) {
        case UET_PASS:
            break;
        case UET_FAIL:
            outcome(out, "failure", "fail", r->message);
            break;
        case UET_INCONC:
            outcome(out, "error", "inconclusive", r->message);
            break;
        case UET_ERROR:
            outcome(out, "error", "tester", r->message);
            break;
        case UET_SKIP:
            outcome(out, "skipped", uet_skip_reason_words((enum uet_skip_reason)r->skip_reason),
                    r->message);
            break;
        }
    }
}

static void system_out(FILE *out, const struct uet_run *run, const struct uet_result *r)
{
    char command[1024];

    fputs("   <system-out>requirements: ", out);
    uet_put_xml(out, r->requirements);
    if (uet_result_repeats(r)) {
        fputs("\ncause: as in ", out);
        uet_put_xml(out, r->as_in);
    }
    for (size_t i = 0; i < r->n_findings; i++) {
        fputc('\n', out);
        fputs(uet_finding_words(&r->findings[i]), out);
        uet_put_xml(out, r->findings[i].requirement);
        fputs(": ", out);
        uet_put_xml(out, r->findings[i].text);
        if (r->findings[i].point[0]) {
            fputs(" at ", out);
            uet_put_xml(out, r->findings[i].point);
        }
    }
    if (r->points[0]) {
        fputs("\npoints: ", out);
        uet_put_xml(out, r->points);
    }
    if (r->points_out_of_time)
        fprintf(out, "\npoints left for want of time: %u", r->points_out_of_time);
    if (r->failed_point[0]) {
        fputs("\nfailed point: ", out);
        uet_put_xml(out, r->failed_point);
    }
    if (r->set_up[0]) {
        fputs("\nset-up: ", out);
        uet_put_xml(out, r->set_up);
    }
    if (r->pcap[0]) {
        fputs("\ncapture: ", out);
        uet_put_xml(out, r->pcap);
    }
    if (*uet_repeat_command(command, sizeof(command), &run->info, r)) {
        fputs("\nrepeat: ", out);
        uet_put_xml(out, command);
    }
    fputs("</system-out>\n", out);
}

/* "pds.3.5.8.2.syn-opens" is class pds.3.5.8.2, name syn-opens. */
static void test_case(FILE *out, const struct uet_run *run, const struct uet_result *r)
{
    const char *dot = strrchr(r->id, '.');
    char class_name[128];

    snprintf(class_name, sizeof(class_name), "%.*s", (int)(dot ? dot - r->id : 0), r->id);
    fputs("  <testcase", out);
    attribute(out, "classname", class_name);
    attribute(out, "name", dot ? dot + 1 : r->id);
    fprintf(out, " time=\"%.6f\">\n", r->wall_seconds);
    verdict(out, r);
    system_out(out, run, r);
    fputs("  </testcase>\n", out);
}

/* cut: the test case that says that the run was cut short. */
static void counts(FILE *out, const struct uet_summary *s, unsigned cut)
{
    fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\"",
            s->pass + s->fail + s->inconc + s->error + s->skip + s->known_fail +
                s->unexpected_pass + cut,
            s->fail + s->unexpected_pass, s->inconc + s->error + cut, s->skip + s->known_fail);
}

static void suite(FILE *out, const struct uet_run *run, const struct uet_tally *tally)
{
    char title[128], name[192];
    double seconds = 0;

    for (size_t i = 0; i < run->n; i++)
        if (strcmp(uet_result_place(&run->results[i]), tally->section) == 0)
            seconds += run->results[i].wall_seconds;
    uet_section_title(title, sizeof(title), tally->section);
    snprintf(name, sizeof(name), "%s %s", tally->section, title);
    fputs(" <testsuite", out);
    attribute(out, "name", name);
    counts(out, &tally->summary, 0);
    fprintf(out, " time=\"%.6f\"", seconds);
    if (*run->info.started)
        attribute(out, "timestamp", run->info.started);
    fputs(">\n", out);
    properties(out, run);
    for (size_t i = 0; i < run->n; i++)
        if (strcmp(uet_result_place(&run->results[i]), tally->section) == 0)
            test_case(out, run, &run->results[i]);
    fputs(" </testsuite>\n", out);
}

/* JUnit knows no run that was cut short: a build server sees an error, with what did not run. */
static void cut_suite(FILE *out, const struct uet_run *run)
{
    const struct uet_summary none = {0};
    char words[256];

    fputs(" <testsuite name=\"run\"", out);
    counts(out, &none, 1);
    fputs(" time=\"0\"", out);
    if (*run->info.started)
        attribute(out, "timestamp", run->info.started);
    fputs(">\n  <testcase classname=\"uetconform\" name=\"run\" time=\"0\">\n"
          "   <error type=\"interrupted\"",
          out);
    uet_run_cut_words(words, sizeof(words), run);
    attribute(out, "message", words);
    fputc('>', out);
    uet_put_xml(out, words);
    for (size_t i = 0; i < run->n_not_run; i++) {
        fputs("\nnot run: ", out);
        uet_put_xml(out, run->not_run[i].id);
        fputs(": ", out);
        uet_put_xml(out, run->not_run[i].reason);
    }
    fputs("</error>\n  </testcase>\n </testsuite>\n", out);
}

static int junit_begin(struct uet_reporter *self, const struct uet_run *run, size_t n_tests)
{
    struct junit *j = (struct junit *)self;

    (void)run;
    (void)n_tests;
    return uet_outfile_open(&j->file, j->path, self->error, sizeof(self->error));
}

static int junit_end(struct uet_reporter *self, const struct uet_run *run)
{
    struct junit *j = (struct junit *)self;
    FILE *out = j->file.out;
    size_t n;

    if (!out)
        return 0; /* begin has told why */
    struct uet_tally *tallies = uet_run_tally(run, &n);
    if (run->n && !tallies)
        return -ENOMEM;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"uetconform\"", out);
    counts(out, &run->summary, !run->complete);
    fputs(">\n", out);
    if (!run->complete)
        cut_suite(out, run);
    for (size_t i = 0; i < n; i++)
        suite(out, run, &tallies[i]);
    fputs("</testsuites>\n", out);
    free(tallies);
    return uet_outfile_commit(&j->file, self->error, sizeof(self->error));
}

static void junit_free(struct uet_reporter *self)
{
    struct junit *j = (struct junit *)self;

    uet_outfile_abort(&j->file);
    free(j->path);
    free(j);
}

struct uet_reporter *uet_junit_reporter(const char *path)
{
    struct junit *j = calloc(1, sizeof(*j));
    char *copy = strdup(path);

    if (!j || !copy) {
        free(j);
        free(copy);
        return NULL;
    }
    j->base = (struct uet_reporter){.begin = junit_begin, .end = junit_end, .free = junit_free};
    j->path = copy;
    j->base.path = copy;
    return &j->base;
}
