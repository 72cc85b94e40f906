/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/summary.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec-map/spec.h"

enum uet_tone uet_run_tone(const struct uet_run *run)
{
    if (uet_summary_exit_status(&run->summary) != 0)
        return UET_TONE_BAD;
    return run->summary.known_fail || !run->summary.pass || !run->complete ? UET_TONE_SO
                                                                           : UET_TONE_GOOD;
}

/* ---- the headline ---- */

struct line {
    char *out;
    size_t size, used;
    const char *before; /* what divides the next part from the last one */
};

static void __attribute__((format(printf, 2, 3))) say(struct line *l, const char *format, ...)
{
    va_list args;

    if (l->used >= l->size)
        return;
    l->used += (size_t)snprintf(l->out + l->used, l->size - l->used, "%s", l->before);
    if (l->used >= l->size)
        return;
    va_start(args, format);
    int n = vsnprintf(l->out + l->used, l->size - l->used, format, args);
    va_end(args);
    l->used += n > 0 ? (size_t)n : 0;
}

/* Parts of what ran and did not pass: "8 failed, 2 known deviations". */
static void say_not_passed(struct line *l, const struct uet_summary *s)
{
    const struct {
        unsigned n;
        const char *one, *more;
    } parts[] = {
        {s->fail, "failed", "failed"},
        {s->unexpected_pass, "unexpected pass", "unexpected passes"},
        {s->error, "tester error", "tester errors"},
        {s->inconc, "inconclusive", "inconclusive"},
        {s->known_fail, "known deviation", "known deviations"},
    };

    l->before = ": ";
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (parts[i].n) {
            say(l, "%u %s", parts[i].n, parts[i].n == 1 ? parts[i].one : parts[i].more);
            l->before = ", ";
        }
}

static void say_skips(struct line *l, const struct uet_run *run, unsigned skips)
{
    struct uet_group groups[UET_N_SKIP_REASONS] = {{0}};
    size_t n = uet_run_skips(run, groups);

    if (!skips)
        return;
    l->before = "; ";
    say(l, "%u skipped", skips);
    l->before = ": ";
    for (size_t i = 0; i < n; i++) {
        if (n == 1)
            say(l, "%s", groups[i].words);
        else
            say(l, "%zu %s", groups[i].n, groups[i].words);
        l->before = ", ";
    }
}

static void say_rules(struct line *l, const struct uet_summary *rules)
{
    unsigned broken = rules->fail + rules->known_fail;

    l->before = "; ";
    if (broken)
        say(l, "%u rule%s broken outside a test's subject", broken, broken == 1 ? "" : "s");
    if (rules->pass)
        say(l, "%u finding%s outside a test's subject", rules->pass, rules->pass == 1 ? "" : "s");
}

const char *uet_run_headline(char *out, size_t size, const struct uet_run *run)
{
    struct line l = {out, size, 0, ""};
    struct uet_summary tests = {0}, rules = {0};
    char cut[256];

    out[0] = '\0';
    for (size_t i = 0; i < run->n; i++)
        uet_summary_add(uet_result_is_rule(&run->results[i]) ? &rules : &tests, &run->results[i]);
    if (*uet_run_cut_words(cut, sizeof(cut), run)) {
        say(&l, "%s", cut);
        l.before = "; ";
    }
    size_t ran = uet_run_ran(run);
    if (ran == 0)
        say(&l, "%s", uet_run_verdicts(run) ? "no test could run" : "no test ran");
    else
        say(&l, "%u of %zu that ran passed", tests.pass, ran);
    say_not_passed(&l, &tests);
    say_skips(&l, run, tests.skip);
    say_rules(&l, &rules);
    return out;
}

const char *uet_run_extent(char *out, size_t size, const struct uet_run *run)
{
    struct line l = {out, size, 0, ""};
    size_t tests = uet_run_verdicts(run), points = uet_run_count_points(run),
           left_out = uet_run_points_out_of_time(run), rules = run->n - tests;

    out[0] = '\0';
    say(&l, "%zu test%s", tests, tests == 1 ? "" : "s");
    l.before = ", ";
    if (points)
        say(&l, "%zu point%s", points, points == 1 ? "" : "s");
    if (left_out)
        say(&l, "%zu left for want of time", left_out);
    if (rules)
        say(&l, "%zu rule%s", rules, rules == 1 ? "" : "s");
    return out;
}

/* ---- groups ---- */

static int more_first(const void *a, const void *b)
{
    const struct uet_group *ga = a, *gb = b;

    return ga->n != gb->n ? (ga->n < gb->n ? 1 : -1) : strcmp(ga->words, gb->words);
}

size_t uet_run_skips(const struct uet_run *run, struct uet_group *groups)
{
    size_t n = 0;

    for (int reason = 0; reason < UET_N_SKIP_REASONS; reason++) {
        struct uet_group g = {uet_skip_reason_words((enum uet_skip_reason)reason), 0};

        for (size_t i = 0; i < run->n; i++)
            g.n += uet_result_skips_for(&run->results[i], g.words);
        if (g.n)
            groups[n++] = g;
    }
    qsort(groups, n, sizeof(*groups), more_first);
    return n;
}

bool uet_result_skips_for(const struct uet_result *r, const char *words)
{
    return r->verdict == UET_SKIP &&
           strcmp(uet_skip_reason_words((enum uet_skip_reason)r->skip_reason), words) == 0;
}

/* ---- causes ---- */

static bool in_number(char c)
{
    return isxdigit((unsigned char)c) || c == 'x';
}

/* Compares first lines; words that begin with a digit (17, 0x1f) are all alike. */
static bool same_first_line(const char *a, const char *b)
{
    char before = ' ';

    while (*a && *b && *a != '\n' && *b != '\n') {
        bool number = !isalnum((unsigned char)before);
        before = *a;
        if (number && isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            while (in_number(*a))
                a++;
            while (in_number(*b))
                b++;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return (!*a || *a == '\n') && (!*b || *b == '\n');
}

/* The message behind "PDS-097: ". */
static const char *words_of(const struct uet_result *r)
{
    size_t n = strlen(r->broken);

    return n && strncmp(r->message, r->broken, n) == 0 && strncmp(r->message + n, ": ", 2) == 0
               ? r->message + n + 2
               : r->message;
}

/* Is it about a packet that did not come ("no ACK of PSN 0x1 came within 1000.000 ms, ...")? */
static bool misses_a_packet(const struct uet_result *r)
{
    const char *words = words_of(r), *came = strstr(words, " came within ");

    return strncmp(words, "no ", 3) == 0 && came && came < words + strcspn(words, "\n");
}

/* Did nothing come in both, or a packet of the same kind, the first word of its line? */
static bool same_kind_came(const struct uet_result *a, const struct uet_result *b)
{
    size_t n = strcspn(a->came.line, " ");

    return !a->came.frame == !b->came.frame && n == strcspn(b->came.line, " ") &&
           strncmp(a->came.line, b->came.line, n) == 0;
}

static bool same_cause(const struct uet_result *a, const struct uet_result *b)
{
    bool silence = !a->came.frame && !b->came.frame;
    bool missing = misses_a_packet(a) && misses_a_packet(b) && same_kind_came(a, b);

    return a->verdict == b->verdict && a->known == b->known &&
           (silence || missing || strcmp(a->broken, b->broken) == 0) && a->message[0] &&
           same_first_line(words_of(a), words_of(b));
}

static bool is_about(const struct uet_result *r, const char *requirement)
{
    size_t n = strlen(requirement);

    return strcmp(r->broken, requirement) == 0 && strncmp(r->requirements, requirement, n) == 0 &&
           (r->requirements[n] == '\0' || r->requirements[n] == ' ');
}

static bool told_by(const struct uet_result *r, const char *first)
{
    return !uet_result_is_rule(r) && strcmp(r->as_in, first) == 0;
}

/* How many failures of the group, which all say "as in `first`", name the requirement of r. */
static size_t n_naming(const struct uet_run *run, const char *first, const struct uet_result *r)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++)
        n += told_by(&run->results[i], first) && strcmp(run->results[i].broken, r->broken) == 0;
    return n;
}

/* The entry of the rule that the packet broke which came in place of the one that is missing. */
static const struct uet_result *rule_of(const struct uet_run *run, const struct uet_result *r)
{
    const char *at = strstr(r->message, UET_WHICH_BREAKS);
    char id[32];

    if (!at || !misses_a_packet(r) || at > r->message + strcspn(r->message, "\n"))
        return NULL;
    at += strlen(UET_WHICH_BREAKS);
    snprintf(id, sizeof(id), "rule.%.*s", (int)strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789"),
             at);
    const struct uet_result *rule = uet_run_find(run, id);
    return rule && rule->verdict == UET_FAIL ? rule : NULL;
}

/*
 * Which failure of a group tells the cause best: many tests miss the same packet, each by the name
 * of its subject. It is a test about what most of them name.
 */
static const struct uet_result *head_of(const struct uet_run *run, const struct uet_result *first)
{
    const struct uet_result *head = first, *rule = rule_of(run, first);
    size_t most = n_naming(run, first->id, first);

    if (rule)
        return rule;
    for (size_t i = 0; i < run->n; i++) {
        const struct uet_result *r = &run->results[i];
        size_t n = told_by(r, first->id) ? n_naming(run, first->id, r) : 0;

        if (n > most || (n && n == most && strcmp(r->broken, head->broken) == 0 &&
                         is_about(r, r->broken) && !is_about(head, head->broken))) {
            head = r;
            most = n;
        }
    }
    return head;
}

/* A group is told by its first failure no longer, but by the best. */
static void put_first(struct uet_run *run, const char *first)
{
    const struct uet_result *head = head_of(run, uet_run_find(run, first));
    char was[sizeof(head->as_in)];

    snprintf(was, sizeof(was), "%s", first);
    for (size_t i = 0; i < run->n; i++)
        if (told_by(&run->results[i], was))
            snprintf(run->results[i].as_in, sizeof(was), "%s",
                     &run->results[i] == head ? "" : head->id);
}

void uet_run_find_causes(struct uet_run *run)
{
    for (size_t i = 0; i < run->n; i++) {
        struct uet_result *r = &run->results[i];
        bool judged = r->verdict != UET_PASS && r->verdict != UET_SKIP;

        if (uet_result_is_rule(r))
            continue;
        snprintf(r->as_in, sizeof(r->as_in), "%s", judged ? r->id : "");
        for (size_t k = 0; k < i && judged; k++)
            if (strcmp(run->results[k].as_in, run->results[k].id) == 0 &&
                same_cause(&run->results[k], r)) {
                snprintf(r->as_in, sizeof(r->as_in), "%s", run->results[k].id);
                break;
            }
    }
    for (size_t i = 0; i < run->n; i++)
        if (strcmp(run->results[i].as_in, run->results[i].id) == 0)
            put_first(run, run->results[i].id);
}

bool uet_result_repeats(const struct uet_result *result)
{
    return result->as_in[0] && !uet_result_is_rule(result);
}

bool uet_result_is_as_in(const struct uet_result *result, const struct uet_result *first)
{
    return uet_result_repeats(result) && strcmp(result->as_in, first->id) == 0;
}

size_t uet_run_as_in(const struct uet_run *run, const struct uet_result *first)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++)
        n += uet_result_is_as_in(&run->results[i], first);
    return n;
}

bool uet_finding_is_contested(const struct uet_finding *finding)
{
    const struct uet_requirement *r = uet_requirement_find(finding->requirement);

    return !finding->note && !finding->outside && r &&
           (r->confidence == UET_CONFIDENCE_C || *r->reading);
}

size_t uet_result_findings(const struct uet_result *result)
{
    size_t n = 0;

    for (size_t i = 0; i < result->n_findings; i++)
        n += result->findings[i].note       ? 0
             : result->findings[i].unlisted ? result->findings[i].unlisted
                                            : 1;
    return n;
}

const char *uet_finding_words(const struct uet_finding *finding)
{
    if (finding->outside)
        return "see rule.";
    if (finding->note)
        return "note, ";
    return uet_finding_is_contested(finding) ? "finding (contested), " : "finding, ";
}

bool uet_condition_is_file(const struct uet_condition *condition)
{
    return strcmp(condition->group, "fep.yaml") == 0 && strcmp(condition->name, "text") == 0;
}

bool uet_condition_is_short(const struct uet_condition *condition)
{
    static const char *const names[] = {"name", "version", "spec",      "address",
                                        "path", "sha256",  "uetkit",    "commit",
                                        "host", "kernel",  "interface", "unused_parameters"};

    if (strcmp(condition->group, "set-ups") == 0 ||
        strcmp(condition->group, "points left out") == 0)
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(condition->name, names[i]) == 0)
            return strcmp(condition->group, "claims") != 0 &&
                   strcmp(condition->group, "parameters") != 0;
    return false;
}
