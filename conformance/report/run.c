/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/test.h"
#include "conformance/report/text.h"
#include "spec-map/spec.h"

static int copy_conditions(struct uet_run_info *to, const struct uet_run_info *from)
{
    struct uet_condition *all = calloc(from->n_conditions + 1, sizeof(*all));

    to->conditions = all;
    if (!all)
        return -ENOMEM;
    for (size_t i = 0; i < from->n_conditions; i++) {
        const struct uet_condition *c = &from->conditions[i];
        all[i] = (struct uet_condition){uet_text_dup(c->group), uet_text_dup(c->name),
                                        uet_text_dup(c->value)};
        to->n_conditions = i + 1;
        if (!all[i].group || !all[i].name || !all[i].value)
            return -ENOMEM;
    }
    return 0;
}

static void free_conditions(struct uet_run_info *info)
{
    for (size_t i = 0; i < info->n_conditions; i++) {
        free((void *)info->conditions[i].group);
        free((void *)info->conditions[i].name);
        free((void *)info->conditions[i].value);
    }
    free((void *)info->conditions);
}

int uet_run_init(struct uet_run *run, const struct uet_run_info *info)
{
    memset(run, 0, sizeof(*run));
    run->info.seed = info->seed;
    run->info.strict = info->strict;
    run->info.slow = info->slow;
    run->info.time_scale = info->time_scale;
    const char *const from[] = {
        info->fep,     info->fep_name, info->spec,  info->profile,
        info->version, info->started,  info->ended, info->secure ? info->secure : ""};
    const char **to[] = {&run->info.fep,     &run->info.fep_name, &run->info.spec,
                         &run->info.profile, &run->info.version,  &run->info.started,
                         &run->info.ended,   &run->info.secure};
    for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++) {
        *to[i] = uet_text_dup(from[i]);
        if (!*to[i]) {
            uet_run_free(run);
            return -ENOMEM;
        }
    }
    if (copy_conditions(&run->info, info) < 0) {
        uet_run_free(run);
        return -ENOMEM;
    }
    return 0;
}

static void free_strings(struct uet_result *r)
{
    free((void *)r->id);
    free((void *)r->requirements);
    free((void *)r->section);
    free((void *)r->role);
}

static int copy_result(struct uet_result *to, const struct uet_result *from)
{
    *to = *from;
    to->id = uet_text_dup(from->id);
    to->requirements = uet_text_dup(from->requirements);
    to->section = uet_text_dup(from->section);
    to->role = uet_text_dup(from->role);
    if (!to->id || !to->requirements || !to->section || !to->role) {
        free_strings(to);
        return -ENOMEM;
    }
    uet_text_clean(to->message, sizeof(to->message), from->message);
    uet_text_clean(to->conversation, sizeof(to->conversation), from->conversation);
    uet_text_clean(to->pcap, sizeof(to->pcap), from->pcap);
    uet_text_clean(to->broken, sizeof(to->broken), from->broken);
    uet_text_clean(to->as_in, sizeof(to->as_in), from->as_in);
    uet_text_clean(to->points, sizeof(to->points), from->points);
    uet_text_clean(to->failed_point, sizeof(to->failed_point), from->failed_point);
    uet_text_clean(to->set_up, sizeof(to->set_up), from->set_up);
    uet_text_clean(to->sent.line, sizeof(to->sent.line), from->sent.line);
    uet_text_clean(to->came.line, sizeof(to->came.line), from->came.line);
    if (to->n_findings > UET_MAX_FINDINGS)
        to->n_findings = UET_MAX_FINDINGS;
    for (size_t i = 0; i < to->n_findings; i++) {
        struct uet_finding *f = &to->findings[i];
        uet_text_clean(f->requirement, sizeof(f->requirement), from->findings[i].requirement);
        uet_text_clean(f->text, sizeof(f->text), from->findings[i].text);
        uet_text_clean(f->point, sizeof(f->point), from->findings[i].point);
    }
    return 0;
}

int uet_run_add(struct uet_run *run, const struct uet_result *result)
{
    if (result->cut)
        return uet_run_add_not_run(run, result->id, "the run was interrupted while it ran");
    if (run->n == run->room) {
        size_t room = run->room ? run->room * 2 : 64;
        struct uet_result *more = realloc(run->results, room * sizeof(*more));
        if (!more)
            return -ENOMEM;
        run->results = more;
        run->room = room;
    }
    int status = copy_result(&run->results[run->n], result);
    if (status < 0)
        return status;
    run->n++;
    uet_summary_add(&run->summary, result);
    return 0;
}

int uet_run_add_not_run(struct uet_run *run, const char *id, const char *reason)
{
    for (size_t i = 0; i < run->n_not_run; i++)
        if (strcmp(run->not_run[i].id, id) == 0)
            return 0;
    if (run->n_not_run == run->room_not_run) {
        size_t room = run->room_not_run ? run->room_not_run * 2 : 64;
        struct uet_not_run *more = realloc(run->not_run, room * sizeof(*more));
        if (!more)
            return -ENOMEM;
        run->not_run = more;
        run->room_not_run = room;
    }
    struct uet_not_run one = {uet_text_dup(id), uet_text_dup(reason)};
    if (!one.id || !one.reason) {
        free(one.id);
        free(one.reason);
        return -ENOMEM;
    }
    run->not_run[run->n_not_run++] = one;
    return 0;
}

size_t uet_run_verdicts(const struct uet_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++)
        n += !uet_result_is_rule(&run->results[i]);
    return n;
}

size_t uet_run_ran(const struct uet_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++)
        n += !uet_result_is_rule(&run->results[i]) && run->results[i].verdict != UET_SKIP;
    return n;
}

size_t uet_run_count_points(const struct uet_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++) {
        const char *at = run->results[i].points, *word;

        while (!uet_result_is_rule(&run->results[i]) && uet_next_word(&at, &word) > 0)
            n++;
    }
    return n;
}

size_t uet_run_points_out_of_time(const struct uet_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->n; i++)
        n += run->results[i].points_out_of_time;
    return n;
}

/* Each reason by itself, in the order in which they came. */
static void group_not_run(struct uet_run *run)
{
    size_t end = 0; /* of those that stand right */

    for (size_t i = 0; i < run->n_not_run; i = end) {
        const char *reason = run->not_run[i].reason;

        end = i + 1;
        for (size_t k = end; k < run->n_not_run; k++) {
            struct uet_not_run one = run->not_run[k];

            if (strcmp(one.reason, reason) != 0)
                continue;
            memmove(&run->not_run[end + 1], &run->not_run[end], (k - end) * sizeof(one));
            run->not_run[end++] = one;
        }
    }
}

int uet_run_end(struct uet_run *run, const char *cut_short)
{
    size_t tests = uet_run_verdicts(run) + run->n_not_run;

    if (run->planned < tests)
        run->planned = tests;
    group_not_run(run);
    run->complete = !cut_short && run->n_not_run == 0;
    free(run->cut_short);
    run->cut_short = cut_short ? uet_text_dup(cut_short) : NULL;
    return cut_short && !run->cut_short ? -ENOMEM : 0;
}

const char *uet_run_cut_words(char *out, size_t size, const struct uet_run *run)
{
    char of[32] = "";

    snprintf(out, size, "%s", "");
    if (run->complete)
        return out;
    if (run->planned)
        snprintf(of, sizeof(of), " of %zu", run->planned);
    snprintf(out, size, "interrupted: %zu%s run%s%s%s", uet_run_ran(run), of,
             run->cut_short ? " (" : "", run->cut_short ? run->cut_short : "",
             run->cut_short ? ")" : "");
    return out;
}

void uet_run_free(struct uet_run *run)
{
    for (size_t i = 0; i < run->n; i++)
        free_strings(&run->results[i]);
    free(run->results);
    free((void *)run->info.fep);
    free((void *)run->info.fep_name);
    free((void *)run->info.spec);
    free((void *)run->info.profile);
    free((void *)run->info.secure);
    free((void *)run->info.version);
    free((void *)run->info.started);
    free((void *)run->info.ended);
    free_conditions(&run->info);
    free(run->cut_short);
    for (size_t i = 0; i < run->n_not_run; i++) {
        free(run->not_run[i].id);
        free(run->not_run[i].reason);
    }
    free(run->not_run);
    memset(run, 0, sizeof(*run));
}

const struct uet_result *uet_run_find(const struct uet_run *run, const char *id)
{
    for (size_t i = 0; i < run->n; i++)
        if (strcmp(run->results[i].id, id) == 0)
            return &run->results[i];
    return NULL;
}

const char *uet_result_label(const struct uet_result *result)
{
    if (result->known)
        return "known-fail";
    if (result->unexpected_pass)
        return "unexpected-pass";
    return uet_verdict_name((enum uet_verdict)result->verdict);
}

bool uet_result_is_bad(const struct uet_result *result)
{
    struct uet_summary one = {0};

    uet_summary_add(&one, result);
    return uet_summary_exit_status(&one) != 0;
}

/* " --slow 10", or nothing where it is the usual factor. */
static const char *factor(char *out, size_t size, const char *option, double value)
{
    out[0] = '\0';
    if (value != 0 && value != 1)
        snprintf(out, size, " --%s %g", option, value);
    return out;
}

const char *uet_repeat_command(char *out, size_t size, const struct uet_run_info *info,
                               const struct uet_result *result)
{
    char fep[300], profile[64] = "", secure[32] = "", slow[40], scale[40];
    const char *test = uet_result_is_rule(result) ? result->as_in : result->id;

    snprintf(out, size, "%s", "");
    if (!*test)
        return out;
    if (strcmp(info->profile, "all") != 0 && *info->profile) {
        char word[48];
        uet_shell_word(word, sizeof(word), info->profile);
        snprintf(profile, sizeof(profile), " --profile %s", word);
    }
    if (info->secure && *info->secure)
        snprintf(secure, sizeof(secure), " --secure=%s", info->secure);
    uet_shell_word(fep, sizeof(fep), info->fep);
    snprintf(out, size,
             "uetconform run --fep %s%s --spec %s%s%s%s%s --seed %" PRIu64 " --test %s%s%s", fep,
             secure, info->spec, profile, info->strict ? " --strict" : "",
             factor(slow, sizeof(slow), "slow", info->slow),
             factor(scale, sizeof(scale), "time-scale", info->time_scale), info->seed, test,
             result->failed_point[0] ? "@" : "", result->failed_point);
    return out;
}

int uet_section_compare(const char *a, const char *b)
{
    for (;;) {
        char *ea, *eb;
        unsigned long na = strtoul(a, &ea, 10), nb = strtoul(b, &eb, 10);

        if (ea == a || eb == b)
            return strcmp(a, b);
        if (na != nb)
            return na < nb ? -1 : 1;
        a = *ea == '.' ? ea + 1 : ea;
        b = *eb == '.' ? eb + 1 : eb;
    }
}

const char *uet_result_place(const struct uet_result *result)
{
    if (uet_result_is_rule(result))
        return UET_RULES;
    return strncmp(result->id, "rob.", 4) == 0 ? UET_ROBUSTNESS : result->section;
}

static int compare_tallies(const void *a, const void *b)
{
    const struct uet_tally *ta = a, *tb = b;

    return uet_section_compare(ta->section, tb->section);
}

struct uet_tally *uet_run_tally(const struct uet_run *run, size_t *n)
{
    *n = 0;
    struct uet_tally *tallies = run->n ? calloc(run->n, sizeof(*tallies)) : NULL;
    if (!tallies)
        return NULL;
    for (size_t i = 0; i < run->n; i++) {
        size_t at = 0;
        const char *place = uet_result_place(&run->results[i]);
        while (at < *n && strcmp(tallies[at].section, place) != 0)
            at++;
        if (at == *n)
            tallies[(*n)++].section = place;
        uet_summary_add(&tallies[at].summary, &run->results[i]);
    }
    qsort(tallies, *n, sizeof(*tallies), compare_tallies);
    return tallies;
}

/* A title without the remarks of sections.csv; 0 when nothing else stands there. */
static size_t title_length(const char *title)
{
    static const char *const remarks[] = {" (title", " (sources"};

    if (*title == '(')
        return 0;
    for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++) {
        const char *remark = strstr(title, remarks[i]);
        if (remark)
            return (size_t)(remark - title);
    }
    return strlen(title);
}

const char *uet_section_title(char *out, size_t size, const char *section)
{
    char at[64];

    snprintf(out, size, "%s",
             strcmp(section, UET_RULES) == 0        ? "Broken outside a test's subject"
             : strcmp(section, UET_ROBUSTNESS) == 0 ? "Asked by uetkit, not the standard"
                                                    : "");
    snprintf(at, sizeof(at), "%s", section);
    while (*at) {
        const struct uet_section *s = uet_section_find(at);
        size_t n = s ? title_length(s->title) : 0;

        if (n > 0) {
            snprintf(out, size, "%.*s", (int)n, s->title);
            return out;
        }
        char *dot = strrchr(at, '.');
        *(dot ? dot : at) = '\0';
    }
    return out;
}
