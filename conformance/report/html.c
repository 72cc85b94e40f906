/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The HTML report: one page by itself. What needs attention comes first and is spread out; the
 * rest folds. It works without scripts, so it opens in the viewers of build servers too.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/test.h"
#include "conformance/report/html_style.h"
#include "conformance/report/outfile.h"
#include "conformance/report/reporter.h"
#include "conformance/report/summary.h"
#include "conformance/report/text.h"
#include "spec-map/spec.h"

struct html {
    struct uet_reporter base;
    char *path;
    struct uet_outfile file;
};

/* What a summary counts, by label (run.h). */
static const struct count {
    const char *label, *words;
    size_t offset;
    bool always;
} kinds[] = {
    {"pass", "passed", offsetof(struct uet_summary, pass), true},
    {"fail", "failed", offsetof(struct uet_summary, fail), true},
    {"inconc", "inconclusive", offsetof(struct uet_summary, inconc), true},
    {"error", "tester errors", offsetof(struct uet_summary, error), true},
    {"skip", "skipped", offsetof(struct uet_summary, skip), true},
    {"known-fail", "known deviations", offsetof(struct uet_summary, known_fail), false},
    {"unexpected-pass", "unexpected passes", offsetof(struct uet_summary, unexpected_pass), false},
};
#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

static unsigned count_of(const struct uet_summary *s, size_t kind)
{
    unsigned n;

    memcpy(&n, (const char *)s + kinds[kind].offset, sizeof(n));
    return n;
}

/* printf whose %s arguments would not be safe is not used: text goes through these. */
static void text(FILE *out, const char *before, const char *value, const char *after)
{
    fputs(before, out);
    uet_put_xml(out, value);
    fputs(after, out);
}

/* not_run: what the run was cut before; it stays blank. */
static void bar(FILE *out, const struct uet_summary *s, size_t not_run)
{
    fputs("<div class=\"bar\" aria-hidden=\"true\">", out);
    for (size_t i = 0; i < N_KINDS; i++)
        if (count_of(s, i))
            fprintf(out, "<i class=\"c-%s\" style=\"flex:%u\"></i>", kinds[i].label,
                    count_of(s, i));
    if (not_run)
        fprintf(out, "<i class=\"c-not-run\" style=\"flex:%zu\"></i>", not_run);
    fputs("</div>", out);
}

static void meta(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    text(out, "<dt>", name, "</dt>");
    text(out, "<dd>", value, "</dd>\n");
}

/* The run in one sentence. */
static void sentence(FILE *out, const struct uet_run *run)
{
    static const char *const tones[] = {
        [UET_TONE_GOOD] = "good", [UET_TONE_SO] = "so", [UET_TONE_BAD] = "bad"};
    char line[1024];

    fprintf(out, "<p class=\"say %s\">", tones[uet_run_tone(run)]);
    text(out, "", uet_run_headline(line, sizeof(line), run), ".</p>");
}

static void head(FILE *out, const struct uet_run *run)
{
    const struct uet_run_info *info = &run->info;
    const char *name = *info->fep_name ? info->fep_name : info->fep;
    char seed[24], extent[96];

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"uetkit\">\n",
          out);
    text(out, "<title>", name, ": UET conformance run</title>\n<style>\n");
    fputs(uet_html_style, out);
    fputs("</style>\n</head>\n<body>\n<main>\n<header class=\"head\">\n<div>\n"
          "<div class=\"over\">UET conformance run</div>\n",
          out);
    text(out, "<h1>", name, "</h1>\n");
    sentence(out, run);
    fputs("\n</div>\n<dl class=\"meta\">\n", out);
    snprintf(seed, sizeof(seed), "%" PRIu64, info->seed);
    if (strcmp(name, info->fep) != 0)
        meta(out, "FEP", info->fep);
    meta(out, "Specification", info->spec);
    meta(out, "Profile", info->profile);
    meta(out, "Sealed", info->secure);
    meta(out, "Strict", info->strict ? "yes: a SHOULD not met fails" : "");
    meta(out, "Seed", seed);
    meta(out, "Extent", uet_run_extent(extent, sizeof(extent), run));
    meta(out, "Started", info->started);
    meta(out, "Ended", info->ended);
    meta(out, "uetkit", info->version);
    fputs("</dl>\n</header>\n", out);
}

static void sums(FILE *out, const struct uet_run *run)
{
    const struct uet_summary *s = &run->summary;
    size_t verdicts = uet_run_verdicts(run),
           not_run = run->planned > verdicts ? run->planned - verdicts : 0;

    bar(out, s, not_run);
    fputs("\n<ul class=\"legend\">\n", out);
    for (size_t i = 0; i < N_KINDS; i++) {
        unsigned n = count_of(s, i);
        if (!kinds[i].always && n == 0)
            continue;
        fprintf(out, "<li%s><span class=\"dot c-%s\"></span><b>%u</b> %s</li>\n",
                n ? "" : " class=\"zero\"", kinds[i].label, n, kinds[i].words);
    }
    if (not_run)
        fprintf(out, "<li><b>%zu</b> not run</li>\n", not_run);
    fputs("</ul>\n", out);
}

static void badge(FILE *out, const struct uet_result *r)
{
    const char *label = uet_result_label(r);

    fprintf(out, "<span class=\"v c-%s\">%s</span>", label, label);
}

static const char *purpose_of(const struct uet_result *r)
{
    const struct uet_test *t = uet_test_find(r->id);
    const struct uet_requirement *q =
        uet_result_is_rule(r) ? uet_requirement_find(r->id + strlen("rule.")) : NULL;

    return t ? t->purpose : q ? q->text : "";
}

static void link_to(FILE *out, const char *before, const char *id)
{
    text(out, before, id, "\">");
    text(out, "", id, "</a>");
}

/* Failures with the same cause, folded under the first. */
static void as_in_first(FILE *out, const struct uet_run *run, const struct uet_result *first)
{
    size_t n = uet_run_as_in(run, first);

    if (!n)
        return;
    fprintf(out, "<details class=\"same\"><summary>%zu more as in this one</summary><ul>\n", n);
    for (size_t i = 0; i < run->n; i++)
        if (uet_result_is_as_in(&run->results[i], first)) {
            link_to(out, "<li><a class=\"id\" href=\"#", run->results[i].id);
            fputs("</li>\n", out);
        }
    fputs("</ul></details>\n", out);
}

static void attention_item(FILE *out, const struct uet_run *run, const struct uet_result *r)
{
    fputs("<li>", out);
    badge(out, r);
    link_to(out, "<span><a class=\"id\" href=\"#", r->id);
    text(out, " <span class=\"purpose\">", purpose_of(r), "</span></span>");
    fputs("<span class=\"why\">", out);
    uet_put_first_line(out, r->message, uet_put_xml);
    as_in_first(out, run, r);
    fputs("</span></li>\n", out);
}

/* A list of the results with these labels, the cause before what comes of it. */
static void attention_list(FILE *out, const struct uet_run *run, const char *title,
                           const char *const *labels, size_t n)
{
    bool any = false;

    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < run->n; i++) {
            const struct uet_result *r = &run->results[i];

            if (uet_result_repeats(r) || strcmp(uet_result_label(r), labels[k]) != 0)
                continue;
            if (!any)
                fprintf(out, "<h2>%s</h2>\n<ul class=\"attention\">\n", title);
            any = true;
            attention_item(out, run, r);
        }
    if (any)
        fputs("</ul>\n", out);
}

/* Broken requirements before what could not be judged. */
static void attention(FILE *out, const struct uet_run *run)
{
    static const char *const bad[] = {"fail", "unexpected-pass", "error", "inconc"};
    static const char *const known[] = {"known-fail"};

    attention_list(out, run, "What needs attention", bad, 4);
    attention_list(out, run, "Known deviations", known, 1);
}

static void cells(FILE *out, const struct uet_summary *total, const struct uet_summary *s)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        unsigned n = count_of(s, i);

        if (!kinds[i].always && !count_of(total, i))
            continue;
        if (n)
            fprintf(out, "<td class=\"n t-%s\">%u</td>", kinds[i].label, n);
        else
            fputs("<td class=\"n zero\">&middot;</td>", out); /* zeros would hide what matters */
    }
    fputs("</tr>\n", out);
}

static void section_table(FILE *out, const struct uet_run *run, const struct uet_tally *tallies,
                          size_t n)
{
    fputs("<h2>By section</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Section</th>"
          "<th>Title</th><th class=\"share\"></th>",
          out);
    for (size_t i = 0; i < N_KINDS; i++)
        if (kinds[i].always || count_of(&run->summary, i))
            fprintf(out, "<th class=\"n\">%s</th>", kinds[i].label);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < n; i++) {
        char title[128];
        text(out, "<tr><td><a href=\"#s", tallies[i].section, "\">");
        text(out, "", tallies[i].section, "</a></td>");
        text(out, "<td>", uet_section_title(title, sizeof(title), tallies[i].section), "</td>");
        fputs("<td class=\"share\">", out);
        bar(out, &tallies[i].summary, 0);
        fputs("</td>", out);
        cells(out, &run->summary, &tallies[i].summary);
    }
    fputs("<tr class=\"all\"><td>All</td><td></td><td class=\"share\"></td>", out);
    cells(out, &run->summary, &run->summary);
    fputs("</tbody></table></div>\n", out);
}

static void requirement_item(FILE *out, const struct uet_result *r, const char *id)
{
    const struct uet_requirement *q = uet_requirement_find(id);

    text(out, "<li><code>", id, "</code>");
    if (q) {
        fprintf(out, " <span class=\"lev\">%s, %s", uet_level_name((enum uet_level)q->level),
                uet_requirement_standing(q));
        text(out, "", q->section, "</span><br>");
        text(out, "", q->text, "");
        if (*q->reading && (q->confidence == UET_CONFIDENCE_C ||
                            (r->contested && strcmp(r->broken, q->id) == 0))) {
            text(out, "<br><span class=\"other\">Contested. As read here: ", q->reading, ".");
            text(out, " The other reading: ", q->other_reading, ".</span>");
        }
    }
    fputs("</li>\n", out);
}

static void requirements(FILE *out, const struct uet_result *r)
{
    const char *at = r->requirements, *word;
    size_t n;

    fputs("<dt>Requirements</dt><dd><ul>\n", out);
    while ((n = uet_next_word(&at, &word)) > 0) {
        char id[16];
        snprintf(id, sizeof(id), "%.*s", (int)(n < sizeof(id) ? n : sizeof(id) - 1), word);
        requirement_item(out, r, id);
    }
    fputs("</ul></dd>\n", out);
}

static void findings(FILE *out, const struct uet_result *r)
{
    if (!r->n_findings)
        return;
    fputs("<dt>Findings</dt><dd><ul>\n", out);
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct uet_finding *f = &r->findings[i];
        text(out, f->outside ? "<li>see <code>rule." : "<li><code>", f->requirement, "</code> ");
        text(out, "", f->text, "");
        if (uet_finding_is_contested(f))
            fputs(" <span class=\"mark\">contested</span>", out);
        if (f->note)
            fputs(" <span class=\"lev\">note</span>", out);
        if (f->frame)
            fprintf(out, " <span class=\"lev\">packet %" PRIu32 "</span>", f->frame);
        if (f->point[0])
            text(out, " <span class=\"lev\">at ", f->point, "</span>");
        fputs("</li>\n", out);
    }
    fputs("</ul></dd>\n", out);
}

static void capture(FILE *out, const char *page, const struct uet_result *r)
{
    char path[512];

    if (!r->pcap[0])
        return;
    fputs("<dt>Capture</dt><dd><a href=\"", out);
    uet_put_url(out, uet_relative_path(path, sizeof(path), page, r->pcap));
    text(out, "\"><code>", r->pcap, "</code></a>");
    if (r->frame)
        fprintf(out, ", packet %" PRIu32, r->frame);
    fputs("</dd>\n", out);
}

static void row(FILE *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    text(out, "<dt>", name, "</dt>");
    text(out, "<dd>", value, "</dd>\n");
}

static void test_summary(FILE *out, const struct uet_result *r)
{
    fputs("<summary>", out);
    badge(out, r);
    text(out, "<span class=\"id\">", r->id, "");
    if (r->failed_point[0])
        text(out, "<span class=\"mark\">@", r->failed_point, "</span>");
    if (r->set_up[0])
        text(out, "<span class=\"mark\">set-up ", r->set_up, "</span>");
    if (r->contested)
        fputs("<span class=\"mark\">contested</span>", out);
    size_t n = uet_result_findings(r);
    if (n)
        fprintf(out, "<span class=\"mark\">%zu finding%s</span>", n, n == 1 ? "" : "s");
    fputs("</span>", out);
    text(out, "<span class=\"purpose\">", purpose_of(r), "</span>");
    fprintf(out, "<span class=\"time\">%.3f s</span></summary>\n", r->seconds);
}

static void test(FILE *out, const char *page, const struct uet_run *run, const struct uet_result *r)
{
    const struct uet_test *t = uet_test_find(r->id);
    bool bad = uet_result_is_bad(r);
    char command[1024];

    fprintf(out, "<details class=\"test%s%s\"%s", bad || r->known ? "" : " ok",
            uet_result_findings(r) ? " finds" : "", bad && !uet_result_repeats(r) ? " open" : "");
    text(out, " id=\"", r->id, "\">\n");
    test_summary(out, r);
    fputs("<dl class=\"body\">\n", out);
    if (uet_result_repeats(r)) {
        link_to(out, "<dt>Cause</dt><dd>as in <a class=\"id\" href=\"#", r->as_in);
        fputs("</dd>\n", out);
    }
    if (r->message[0])
        text(out, "<dt>Message</dt><dd><pre>", r->message, "</pre></dd>\n");
    findings(out, r);
    requirements(out, r);
    if (t) {
        row(out, "Stimulus", t->stimulus);
        row(out, "Expected", t->expected);
    }
    if (r->conversation[0])
        text(out, "<dt>Conversation</dt><dd><pre>", r->conversation, "</pre></dd>\n");
    row(out, "Role of the FEP", r->role);
    row(out, "Points", r->points);
    if (r->points_out_of_time)
        fprintf(out, "<dt>Points left for want of time</dt><dd>%u</dd>\n", r->points_out_of_time);
    capture(out, page, r);
    if (*uet_repeat_command(command, sizeof(command), &run->info, r))
        text(out, "<dt>Repeat</dt><dd><code>", command, "</code></dd>\n");
    fputs("</dl>\n</details>\n", out);
}

static void section(FILE *out, const char *page, const struct uet_run *run,
                    const struct uet_tally *tally)
{
    bool bad = uet_summary_exit_status(&tally->summary) != 0 || tally->summary.known_fail;
    bool finds = false;
    char title[128];

    for (size_t i = 0; i < run->n; i++)
        finds |= strcmp(uet_result_place(&run->results[i]), tally->section) == 0 &&
                 uet_result_findings(&run->results[i]) > 0;
    fprintf(out, "<section class=\"%s%s\"", bad ? "" : "ok", finds ? " finds" : "");
    text(out, " id=\"s", tally->section, "\">\n");
    text(out, "<h3><span class=\"num\">", *tally->section > '9' ? "" : tally->section, "</span>");
    text(out, "", uet_section_title(title, sizeof(title), tally->section), "</h3>\n");
    fputs("<div class=\"list\">\n", out);
    for (size_t i = 0; i < run->n; i++)
        if (strcmp(uet_result_place(&run->results[i]), tally->section) == 0)
            test(out, page, run, &run->results[i]);
    fputs("</div>\n</section>\n", out);
}

/* The filter is three radio buttons that the style sheet reads. */
static void tests(FILE *out, const char *page, const struct uet_run *run,
                  const struct uet_tally *tallies, size_t n)
{
    fputs("<h2>Tests</h2>\n<div>\n"
          "<input class=\"pick\" type=\"radio\" name=\"pick\" id=\"p-all\" checked>"
          "<input class=\"pick\" type=\"radio\" name=\"pick\" id=\"p-bad\">"
          "<input class=\"pick\" type=\"radio\" name=\"pick\" id=\"p-find\">\n"
          "<div class=\"show\"><label for=\"p-all\">All</label>"
          "<label for=\"p-bad\">Not passed</label>"
          "<label for=\"p-find\">With findings</label></div>\n",
          out);
    for (size_t i = 0; i < n; i++)
        section(out, page, run, &tallies[i]);
    fputs("</div>\n", out);
}

/* ---- what did not run, and what the run rests on ---- */

/* Skips, by reason. */
static void skips(FILE *out, const struct uet_run *run)
{
    struct uet_group groups[UET_N_SKIP_REASONS];
    size_t n = uet_run_skips(run, groups);

    if (n)
        fputs("<h2>Skipped</h2>\n", out);
    for (size_t g = 0; g < n; g++) {
        fprintf(out, "<details class=\"fold\"><summary><b>%zu</b> ", groups[g].n);
        text(out, "", groups[g].words, "</summary><ul>\n");
        for (size_t i = 0; i < run->n; i++) {
            const struct uet_result *r = &run->results[i];
            if (!uet_result_skips_for(r, groups[g].words))
                continue;
            link_to(out, "<li><a class=\"id\" href=\"#", r->id);
            fputs(" <span class=\"purpose\">", out);
            uet_put_first_line(out, r->message, uet_put_xml);
            fputs("</span></li>\n", out);
        }
        fputs("</ul></details>\n", out);
    }
}

/* Tests without a verdict: neighbours with one reason are told together. */
static void not_run(FILE *out, const struct uet_run *run)
{
    if (run->n_not_run)
        fputs("<h2>Not run</h2>\n", out);
    for (size_t i = 0, n; i < run->n_not_run; i += n) {
        const char *reason = run->not_run[i].reason;

        for (n = 1; i + n < run->n_not_run && strcmp(run->not_run[i + n].reason, reason) == 0;)
            n++;
        fprintf(out, "<details class=\"fold\"><summary><b>%zu</b> ", n);
        text(out, "", reason, "</summary><ul>\n");
        for (size_t k = i; k < i + n; k++)
            text(out, "<li class=\"id\">", run->not_run[k].id, "</li>\n");
        fputs("</ul></details>\n", out);
    }
}

/* fep.yaml as it was. uet_put_xml spoils no line of it: &#10; is a line's end in <pre>, too. */
static void file_text(FILE *out, const struct uet_run_info *info)
{
    for (size_t i = 0; i < info->n_conditions; i++)
        if (uet_condition_is_file(&info->conditions[i])) {
            fputs("<details class=\"fold\"><summary>fep.yaml</summary>\n", out);
            text(out, "<pre>", info->conditions[i].value, "</pre></details>\n");
        }
}

static void conditions(FILE *out, const struct uet_run_info *info)
{
    const char *group = "";

    if (!info->n_conditions)
        return;
    fputs(
        "<h2>What the run rests on</h2>\n<details class=\"fold\"><summary>FEP, claims, parameters, "
        "tester</summary>\n<table class=\"rests\"><tbody>\n",
        out);
    for (size_t i = 0; i < info->n_conditions; i++) {
        const struct uet_condition *c = &info->conditions[i];
        if (uet_condition_is_file(c))
            continue;
        bool again = strcmp(c->group, group) == 0;
        group = c->group;
        text(out, "<tr><th>", again ? "" : group, "</th>");
        text(out, "<td>", c->name, "</td>");
        text(out, "<td>", c->value, "</td></tr>\n");
    }
    fputs("</tbody></table></details>\n", out);
    file_text(out, info);
}

static void foot(FILE *out)
{
    fputs(
        "<footer>\n<p><b>fail</b>: the FEP broke a requirement. <b>inconc</b>: network or time "
        "spoilt the test. <b>error</b>: the tester spoilt it. <b>skip</b>: the FEP does not "
        "claim the feature, or the tester or the port cannot show it. <b>known-fail</b>: it fails, "
        "as fep.yaml foretells; it does not conform. <b>finding</b>: a recommendation that "
        "was not followed, or an observation.</p>\n"
        "<p>The verdicts are those of ISO/IEC 9646. A verdict marked contested rests on a "
        "reading on which public sources disagree; the other reading stands beside it. Times "
        "are on the clock of the port. The page states what was seen in this run, no more."
        "</p>\n</footer>\n</main>\n</body>\n</html>\n",
        out);
}

static int html_begin(struct uet_reporter *self, const struct uet_run *run, size_t n_tests)
{
    struct html *h = (struct html *)self;

    (void)run;
    (void)n_tests;
    return uet_outfile_open(&h->file, h->path, self->error, sizeof(self->error));
}

static int html_end(struct uet_reporter *self, const struct uet_run *run)
{
    struct html *h = (struct html *)self;
    FILE *out = h->file.out;
    size_t n;

    if (!out)
        return 0; /* begin has told why */
    struct uet_tally *tallies = uet_run_tally(run, &n);
    if (run->n && !tallies)
        return -ENOMEM;
    head(out, run);
    sums(out, run);
    attention(out, run);
    not_run(out, run);
    if (n)
        section_table(out, run, tallies, n);
    skips(out, run);
    conditions(out, &run->info);
    if (n)
        tests(out, h->path, run, tallies, n);
    foot(out);
    free(tallies);
    return uet_outfile_commit(&h->file, self->error, sizeof(self->error));
}

static void html_free(struct uet_reporter *self)
{
    struct html *h = (struct html *)self;

    uet_outfile_abort(&h->file);
    free(h->path);
    free(h);
}

struct uet_reporter *uet_html_reporter(const char *path)
{
    struct html *h = calloc(1, sizeof(*h));
    char *copy = strdup(path);

    if (!h || !copy) {
        free(h);
        free(copy);
        return NULL;
    }
    h->base = (struct uet_reporter){.begin = html_begin, .end = html_end, .free = html_free};
    h->path = copy;
    h->base.path = copy;
    return &h->base;
}
