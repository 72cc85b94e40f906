/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a run back: files come from anywhere, so every member is checked before use. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/report/journal.h"
#include "conformance/report/run_json.h"
#include "conformance/report/text.h"
#include "conformance/report/unused.h"

#define MAX_FILE (64u << 20)

/* Where an error is told, and of which file. */
struct reader {
    const char *path;
    char *error;
    size_t size;
};

static int refuse(const struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The first thing wrong is the one that is told. */
static int refuse(const struct reader *r, const char *format, ...)
{
    va_list ap;

    if (r->error[0])
        return -EINVAL;
    int n = snprintf(r->error, r->size, "%s", r->path);

    if (n < 0 || (size_t)n >= r->size)
        return -EINVAL;
    va_start(ap, format);
    vsnprintf(r->error + n, r->size - (size_t)n, format, ap);
    va_end(ap);
    return -EINVAL;
}

/* The whole file as text of *n bytes that the caller frees; NULL with an error told. */
static char *slurp(const struct reader *r, size_t *n)
{
    FILE *in = fopen(r->path, "rb");
    char *text = NULL;
    size_t room = 0, got;

    *n = 0;
    if (!in) {
        refuse(r, ": cannot be read: %s", strerror(errno));
        return NULL;
    }
    do {
        if (room - *n < 65536) {
            room = room ? room * 2 : 1u << 17;
            char *more = room > MAX_FILE ? NULL : realloc(text, room);
            if (!more) {
                refuse(r, ": too large: no run writes that much");
                goto failed;
            }
            text = more;
        }
        got = fread(text + *n, 1, 65536, in);
        *n += got;
    } while (got > 0);
    if (ferror(in)) {
        refuse(r, ": cannot be read: %s", strerror(errno));
        goto failed;
    }
    fclose(in);
    return text;

failed:
    free(text);
    fclose(in);
    return NULL;
}

static json_t *parse(const struct reader *r, const char *text, size_t n)
{
    json_error_t e;
    json_t *top = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);

    if (!top) {
        char what[JSON_ERROR_TEXT_LENGTH];
        uet_text_clean(what, sizeof(what), e.text);
        for (char *p = what; *p; p++)
            if (*p == '\n')
                *p = ' ';
        refuse(r, ":%d: no JSON: %s", e.line, n ? what : "the file is empty");
    } else if (!json_is_object(top)) {
        refuse(r, ": no JSON object: give it a file that uetconform wrote with --json");
        json_decref(top);
        top = NULL;
    }
    return top;
}

json_t *uet_json_read(const char *path, char *error, size_t size)
{
    const struct reader r = {path, error, size};
    size_t n;

    error[0] = '\0';
    char *text = slurp(&r, &n);
    json_t *top = text ? parse(&r, text, n) : NULL;

    free(text);
    return top;
}

/* A text member of an object; NULL with an error told. where: "" or "tests[3]". */
static const char *text_member(const struct reader *r, const char *where, json_t *o,
                               const char *key, const char *fallback)
{
    json_t *v = json_object_get(o, key);

    if (!v && fallback)
        return fallback;
    if (json_is_string(v))
        return json_string_value(v);
    refuse(r, ": %s%s%s: must be a text", where, *where ? "." : "", key);
    return NULL;
}

static int seed_member(const struct reader *r, json_t *o, uint64_t *seed)
{
    json_t *v = json_object_get(o, "seed");
    char *end = NULL;

    *seed = 0;
    if (json_is_integer(v) && json_integer_value(v) >= 0)
        *seed = (uint64_t)json_integer_value(v);
    else if (json_is_string(v) && *json_string_value(v) >= '0' && *json_string_value(v) <= '9')
        *seed = strtoull(json_string_value(v), &end, 10);
    else
        return refuse(r, ": seed: must be a number from 0");
    return end && *end ? refuse(r, ": seed: must be a number from 0") : 0;
}

static double number_member(json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key)); /* 0 when there is none */
}

/* The one condition that is a list becomes the text that it is here. */
static int read_unused(const struct reader *r, json_t *groups)
{
    json_t *group = json_object_get(groups, "fep.yaml");
    json_t *list = json_object_get(group, "unused_parameters");

    if (!json_is_array(list))
        return 0; /* none, or a text: of a version that wrote it so */
    char *text = uet_unused_text(list);
    int rc = text ? json_object_set_new(group, "unused_parameters", json_string(text)) : -1;
    free(text);
    return rc ? refuse(r, ": conditions: unused_parameters: must be a list of name and claims") : 0;
}

/* "conditions" of the head, into *list, which the caller frees; the texts stay in o. */
static int read_conditions(const struct reader *r, json_t *o, struct uet_condition **list,
                           size_t *n)
{
    json_t *groups = json_object_get(o, "conditions"), *group, *value;
    const char *group_name, *name;
    size_t room = 0;

    *n = 0;
    *list = NULL;
    if (groups && !json_is_object(groups))
        return refuse(r, ": conditions: must be an object");
    if (read_unused(r, groups) < 0)
        return -EINVAL;
    json_object_foreach(groups, group_name, group) room += json_object_size(group);
    *list = calloc(room + 1, sizeof(**list));
    if (!*list)
        return refuse(r, ": not enough memory");
    json_object_foreach(groups, group_name, group)
    {
        if (!json_is_object(group))
            return refuse(r, ": conditions: must hold objects");
        json_object_foreach(group, name, value)
        {
            if (!json_is_string(value))
                return refuse(r, ": conditions: must hold texts");
            (*list)[(*n)++] = (struct uet_condition){group_name, name, json_string_value(value)};
        }
    }
    return 0;
}

static int read_info(const struct reader *r, json_t *o, struct uet_run *run)
{
    struct uet_condition *conditions = NULL;
    struct uet_run_info info = {
        .fep = text_member(r, "", o, "fep", NULL),
        .fep_name = text_member(r, "", o, "fep_name", ""),
        .spec = text_member(r, "", o, "spec", NULL),
        .profile = text_member(r, "", o, "profile", NULL),
        .secure = text_member(r, "", o, "secure", ""),
        .version = text_member(r, "", o, "version", NULL),
        .started = text_member(r, "", o, "started", ""),
        .ended = text_member(r, "", o, "ended", ""),
        .strict = json_is_true(json_object_get(o, "strict")),
        .slow = number_member(o, "slow"),
        .time_scale = number_member(o, "time_scale"),
    };

    if (!info.fep || !info.fep_name || !info.spec || !info.profile || !info.secure ||
        !info.version || !info.started || !info.ended || seed_member(r, o, &info.seed) < 0)
        return -EINVAL;
    int status = read_conditions(r, o, &conditions, &info.n_conditions);
    info.conditions = conditions;
    if (status == 0 && uet_run_init(run, &info) < 0)
        status = refuse(r, ": not enough memory");
    free(conditions);
    json_int_t planned = json_integer_value(json_object_get(o, "planned"));
    if (status == 0 && planned > 0)
        run->planned = (size_t)planned;
    return status;
}

/* From a label (run.h) to the verdict and its flags. */
static int set_verdict(const struct reader *r, const char *where, const char *label,
                       struct uet_result *result)
{
    if (strcmp(label, "known-fail") == 0) {
        result->verdict = UET_FAIL;
        result->known = true;
        return 0;
    }
    if (strcmp(label, "unexpected-pass") == 0) {
        result->verdict = UET_PASS;
        result->unexpected_pass = true;
        return 0;
    }
    for (int v = UET_PASS; v <= UET_SKIP; v++)
        if (strcmp(label, uet_verdict_name((enum uet_verdict)v)) == 0) {
            result->verdict = (uint8_t)v;
            return 0;
        }
    return refuse(r,
                  ": %s.verdict: must be pass, fail, inconc, error, skip, known-fail or "
                  "unexpected-pass",
                  where);
}

static int frame_member(const struct reader *r, const char *where, json_t *o, uint32_t *frame)
{
    json_t *v = json_object_get(o, "frame");

    *frame = 0;
    if (v &&
        (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > UINT32_MAX))
        return refuse(r, ": %s.frame: must be a packet number", where);
    if (v)
        *frame = (uint32_t)json_integer_value(v);
    return 0;
}

static int read_shown(const struct reader *r, const char *where, json_t *o, const char *key,
                      struct uet_shown *shown)
{
    json_t *v = json_object_get(o, key);
    char here[64];

    if (!v)
        return 0;
    snprintf(here, sizeof(here), "%s.%s", where, key);
    const char *line = text_member(r, here, v, "packet", NULL);
    if (!line || frame_member(r, here, v, &shown->frame) < 0)
        return -EINVAL;
    snprintf(shown->line, sizeof(shown->line), "%s", line);
    return 0;
}

/* Why a verdict is what it is, as far as the file tells. The rest of `required` is in spec-map. */
static int read_why(const struct reader *r, const char *where, json_t *o, struct uet_result *result)
{
    json_t *required = json_object_get(o, "required");
    char here[64];

    snprintf(here, sizeof(here), "%s.required", where);
    const char *id = required ? text_member(r, here, required, "requirement", NULL) : "";
    if (!id || read_shown(r, where, o, "sent", &result->sent) < 0 ||
        read_shown(r, where, o, "came", &result->came) < 0)
        return -EINVAL;
    snprintf(result->broken, sizeof(result->broken), "%s", id);
    return 0;
}

static int read_findings(const struct reader *r, const char *where, json_t *list,
                         struct uet_result *result)
{
    if (!list)
        return 0;
    if (!json_is_array(list))
        return refuse(r, ": %s.findings: must be a list", where);
    if (json_array_size(list) > UET_MAX_FINDINGS)
        return refuse(r, ": %s.findings: more than %d", where, UET_MAX_FINDINGS);
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct uet_finding *f = &result->findings[result->n_findings++];
        json_t *o = json_array_get(list, i);
        char here[64];

        snprintf(here, sizeof(here), "%s.findings[%zu]", where, i);
        const char *requirement = text_member(r, here, o, "requirement", NULL);
        const char *text = requirement ? text_member(r, here, o, "text", NULL) : NULL;
        if (!text || frame_member(r, here, o, &f->frame) < 0)
            return -EINVAL;
        snprintf(f->requirement, sizeof(f->requirement), "%s", requirement);
        snprintf(f->text, sizeof(f->text), "%s", text);
        f->note = json_is_true(json_object_get(o, "note"));
        f->outside = (uint32_t)json_integer_value(json_object_get(o, "outside_subject"));
        f->unlisted = (uint32_t)json_integer_value(json_object_get(o, "unlisted"));
        const char *point = text_member(r, here, o, "point", "");
        if (!point)
            return -EINVAL;
        snprintf(f->point, sizeof(f->point), "%s", point);
    }
    return 0;
}

/* The ids of a requirements list as words; the caller frees. NULL with an error told. */
static char *read_words(const struct reader *r, const char *where, json_t *list)
{
    size_t n = 1;

    if (!json_is_array(list)) {
        refuse(r, ": %s.requirements: must be a list", where);
        return NULL;
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word) {
            refuse(r, ": %s.requirements[%zu]: must be a text", where, i);
            return NULL;
        }
        n += strlen(word) + 1;
    }
    char *words = calloc(n, 1), *at = words;
    if (!words)
        refuse(r, ": not enough memory");
    for (size_t i = 0; words && i < json_array_size(list); i++)
        at += sprintf(at, "%s%s", i ? " " : "", json_string_value(json_array_get(list, i)));
    return words;
}

/* Texts of a list into out, each with a separator behind it or, when it is ' ', before it. */
static void read_list(const json_t *list, char *out, size_t size, char separator)
{
    size_t at = 0;

    for (size_t i = 0; i < json_array_size(list) && at < size; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        const char *before = separator == ' ' && i ? " " : "";

        at += (size_t)snprintf(out + at, size - at, "%s%s%s", before, name ? name : "?",
                               separator == '\n' ? "\n" : "");
    }
}

static int read_result(const struct reader *r, const char *where, json_t *o, struct uet_run *run)
{
    struct uet_result result = {0};

    if (!json_is_object(o))
        return refuse(r, ": %s: must be an object", where);
    result.id = text_member(r, where, o, "id", NULL);
    result.section = result.id ? text_member(r, where, o, "section", NULL) : NULL;
    result.role = result.section ? text_member(r, where, o, "role", NULL) : NULL;
    const char *verdict = result.role ? text_member(r, where, o, "verdict", NULL) : NULL;
    const char *message = verdict ? text_member(r, where, o, "message", "") : NULL;
    const char *pcap = message ? text_member(r, where, o, "pcap", "") : NULL;
    const char *skip = pcap ? text_member(r, where, o, "skip_reason", "") : NULL;
    const char *as_in = skip ? text_member(r, where, o, "as_in", "") : NULL;
    const char *failed = as_in ? text_member(r, where, o, "failed_point", "") : NULL;
    const char *set_up = failed ? text_member(r, where, o, "set_up", "") : NULL;
    if (!set_up || set_verdict(r, where, verdict, &result) < 0 ||
        frame_member(r, where, o, &result.frame) < 0 || read_why(r, where, o, &result) < 0 ||
        read_findings(r, where, json_object_get(o, "findings"), &result) < 0)
        return -EINVAL;
    if (uet_run_find(run, result.id))
        return refuse(r, ": %s.id: the test stands there twice", where);
    snprintf(result.message, sizeof(result.message), "%s", message);
    snprintf(result.pcap, sizeof(result.pcap), "%s", pcap);
    snprintf(result.as_in, sizeof(result.as_in), "%s", as_in);
    snprintf(result.failed_point, sizeof(result.failed_point), "%s", failed);
    snprintf(result.set_up, sizeof(result.set_up), "%s", set_up);
    read_list(json_object_get(o, "points"), result.points, sizeof(result.points), ' ');
    read_list(json_object_get(o, "conversation"), result.conversation, sizeof(result.conversation),
              '\n');
    result.skip_reason = (uint8_t)uet_skip_reason_find(skip);
    result.ground_holds = json_is_true(json_object_get(o, "ground_holds"));
    result.seconds = number_member(o, "seconds");
    result.wall_seconds = number_member(o, "wall_seconds");
    const json_int_t left_out = json_integer_value(json_object_get(o, "points_out_of_time"));
    result.points_out_of_time = left_out > 0 && left_out <= UINT32_MAX ? (uint32_t)left_out : 0;
    result.contested = json_is_true(json_object_get(o, "contested"));
    char *words = read_words(r, where, json_object_get(o, "requirements"));
    if (!words)
        return -EINVAL;
    result.requirements = words;
    int status = uet_run_add(run, &result);
    free(words);
    return status < 0 ? refuse(r, ": not enough memory") : 0;
}

/* A test without a verdict; its id stands under `key`. */
static int read_not_run(const struct reader *r, const char *where, json_t *o, const char *key,
                        struct uet_run *run)
{
    const char *id = text_member(r, where, o, key, NULL);
    const char *reason = id ? text_member(r, where, o, "reason", "") : NULL;

    if (!reason)
        return -EINVAL;
    return uet_run_add_not_run(run, id, reason) < 0 ? refuse(r, ": not enough memory") : 0;
}

/* null, or why the run ended before its time. */
static int read_end(const struct reader *r, json_t *why, struct uet_run *run)
{
    if (why && !json_is_null(why) && !json_is_string(why))
        return refuse(r, ": cut_short: must be a text or null");
    return uet_run_end(run, json_string_value(why)) < 0 ? refuse(r, ": not enough memory") : 0;
}

/* Files of before `complete` are those of whole runs. */
static int read_whole_end(const struct reader *r, json_t *top, struct uet_run *run)
{
    json_t *list = json_object_get(top, "not_run");
    int status = 0;

    for (size_t i = 0; status == 0 && i < json_array_size(list); i++) {
        char where[32];
        snprintf(where, sizeof(where), "not_run[%zu]", i);
        status = read_not_run(r, where, json_array_get(list, i), "id", run);
    }
    if (status == 0)
        status = read_end(r, json_object_get(top, "cut_short"), run);
    if (json_is_false(json_object_get(top, "complete")))
        run->complete = false;
    return status;
}

static int read_whole(const struct reader *r, json_t *top, struct uet_run *run)
{
    json_t *tests = json_object_get(top, "tests");
    int status = read_info(r, top, run);

    if (status == 0 && !json_is_array(tests))
        status = refuse(r, ": tests: must be a list: is this a file of `uetconform run --json`?");
    for (size_t i = 0; status == 0 && i < json_array_size(tests); i++) {
        char where[32];
        snprintf(where, sizeof(where), "tests[%zu]", i);
        status = read_result(r, where, json_array_get(tests, i), run);
    }
    return status == 0 ? read_whole_end(r, top, run) : status;
}

static int read_journal_line(const struct reader *r, size_t line, json_t *o, struct uet_run *run,
                             bool *ended)
{
    json_t *end = json_object_get(o, "end");
    char where[32];

    snprintf(where, sizeof(where), "line %zu", line);
    if (line == 1)
        return read_info(r, o, run);
    if (end) {
        *ended = true;
        return read_end(r, end, run);
    }
    if (json_object_get(o, "not_run"))
        return read_not_run(r, where, o, "not_run", run);
    return read_result(r, where, o, run);
}

/* The head on the first line, then a result on each (journal.h); the last may have been cut. */
static int read_journal(const struct reader *r, const char *text, size_t n, struct uet_run *run)
{
    int status = 0;
    size_t line = 0;
    bool ended = false;

    for (size_t at = 0; status == 0 && at < n;) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t length = end ? (size_t)(end - text) - at : n - at;

        line++;
        if (!end && line > 1)
            break;
        json_t *o = json_loadb(text + at, length, JSON_REJECT_DUPLICATES, NULL);
        if (!json_is_object(o)) {
            json_decref(o);
            return refuse(r, ":%zu: no JSON object: the journal is damaged here", line);
        }
        status = read_journal_line(r, line, o, run, &ended);
        json_decref(o);
        at += length + 1;
    }
    if (status == 0 && !ended && uet_run_end(run, "its journal breaks off") < 0)
        status = refuse(r, ": not enough memory");
    return status;
}

/* A journal's first line is an object by itself, with a head and without tests. */
static bool is_journal(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);
    json_t *head = end ? json_loadb(text, (size_t)(end - text), 0, NULL) : NULL;
    bool is = head && json_object_get(head, "fep") && !json_object_get(head, "tests");

    json_decref(head);
    return is;
}

int uet_run_read(struct uet_run *run, const char *path, char *error, size_t size)
{
    const struct reader r = {path, error, size};
    size_t n;
    int status = -EINVAL;

    error[0] = '\0';
    memset(run, 0, sizeof(*run));
    char *text = slurp(&r, &n);
    if (!text)
        return -EIO;
    if (is_journal(text, n)) {
        status = read_journal(&r, text, n, run);
    } else {
        json_t *top = parse(&r, text, n);
        if (top)
            status = read_whole(&r, top, run);
        json_decref(top);
    }
    free(text);
    if (status < 0)
        uet_run_free(run);
    return status;
}

bool uet_run_has_journal(const char *path, char *out, size_t size)
{
    uet_journal_path(out, size, path);
    return strcmp(out, path) != 0 && access(out, R_OK) == 0;
}

int uet_run_read_last(struct uet_run *run, const char *path, char *error, size_t size)
{
    char journal[1024];

    return uet_run_read(run, uet_run_has_journal(path, journal, sizeof(journal)) ? journal : path,
                        error, size);
}
