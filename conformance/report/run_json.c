/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/run_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/test.h"
#include "conformance/report/outfile.h"
#include "conformance/report/unused.h"
#include "spec-map/spec.h"

/* Seeds above what a JSON integer holds here are written as text, not as another number. */
static json_t *seed_value(uint64_t seed)
{
    char text[24];

    if (seed <= INT64_MAX)
        return json_integer((json_int_t)seed);
    snprintf(text, sizeof(text), "%" PRIu64, seed);
    return json_string(text);
}

static json_t *seconds_value(double seconds)
{
    return json_real(isfinite(seconds) ? seconds : 0.0);
}

/* {"claims": {"rud": "yes"}, ...}, in the order in which they came: texts, and one list. */
static json_t *conditions(const struct uet_run_info *info)
{
    json_t *groups = json_object();

    for (size_t i = 0; groups && i < info->n_conditions; i++) {
        const struct uet_condition *c = &info->conditions[i];
        json_t *group = json_object_get(groups, c->group);
        if (!group) {
            group = json_object();
            json_object_set_new(groups, c->group, group);
        }
        json_t *value =
            uet_condition_is_unused(c) ? uet_unused_json(c->value) : json_string(c->value);
        if (json_object_set_new(group, c->name, value) < 0) {
            json_decref(groups);
            return NULL;
        }
    }
    return groups;
}

json_t *uet_json_info(const struct uet_run_info *info)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s*, s:o, s:s, s:s, s:s, s:b, s:f, s:f, s:o}", "fep",
                     info->fep, "fep_name", info->fep_name, "spec", info->spec, "profile",
                     info->profile, "secure", info->secure && *info->secure ? info->secure : NULL,
                     "seed", seed_value(info->seed), "version", info->version, "started",
                     info->started, "ended", info->ended, "strict", (int)info->strict, "slow",
                     info->slow, "time_scale", info->time_scale, "conditions", conditions(info));
}

json_t *uet_json_not_run(const struct uet_not_run *not_run)
{
    return json_pack("{s:s, s:s}", "id", not_run->id, "reason", not_run->reason);
}

json_t *uet_json_summary(const struct uet_summary *s)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "pass", (int)s->pass, "fail",
                     (int)s->fail, "inconc", (int)s->inconc, "error", (int)s->error, "skip",
                     (int)s->skip, "known_fail", (int)s->known_fail, "unexpected_pass",
                     (int)s->unexpected_pass);
}

json_t *uet_json_words(const char *text)
{
    json_t *list = json_array();
    const char *at = text, *word;
    size_t n;

    while (list && (n = uet_next_word(&at, &word)) > 0)
        if (json_array_append_new(list, json_stringn(word, n)) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *findings(const struct uet_result *r)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < r->n_findings; i++) {
        const struct uet_finding *f = &r->findings[i];
        json_t *one =
            json_pack("{s:s, s:I, s:s, s:o*, s:o*, s:o*, s:s*}", "requirement", f->requirement,
                      "frame", (json_int_t)f->frame, "text", f->text, "outside_subject",
                      f->outside ? json_integer(f->outside) : NULL, "unlisted",
                      f->unlisted ? json_integer(f->unlisted) : NULL, "note",
                      f->note ? json_true() : NULL, "point", f->point[0] ? f->point : NULL);
        if (json_array_append_new(list, one) < 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A text a step; NULL, which leaves the key out, when nothing is told. */
static json_t *conversation(const struct uet_result *r)
{
    json_t *list = *r->conversation ? json_array() : NULL;
    const char *at = r->conversation;

    while (list && *at) {
        size_t n = strcspn(at, "\n");
        if (json_array_append_new(list, json_stringn(at, n)) < 0) {
            json_decref(list);
            return NULL;
        }
        at += n + (at[n] == '\n');
    }
    return list;
}

/* NULL, which leaves the key out, when there is no such packet. */
static json_t *shown(const struct uet_shown *s)
{
    return s->frame ? json_pack("{s:I, s:s}", "frame", (json_int_t)s->frame, "packet", s->line)
                    : NULL;
}

static json_t *broken(const struct uet_result *r)
{
    const struct uet_requirement *q = r->broken[0] ? uet_requirement_find(r->broken) : NULL;

    return q ? json_pack("{s:s, s:s, s:s, s:s}", "requirement", q->id, "section", q->section,
                         "level", uet_level_name((enum uet_level)q->level), "text", q->text)
             : NULL;
}

json_t *uet_json_result(const struct uet_run_info *info, const struct uet_result *r)
{
    char repeat[1024];

    uet_repeat_command(repeat, sizeof(repeat), info, r);
    return json_pack(
        "{s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:s, s:s, s:I, s:b, s:o, s:s*, s:o*, "
        "s:o*, s:o*, s:s*, s:s*, s:o*, s:o*, s:o*, s:s*, s:o*, s:s*}",
        "id", r->id, "requirements", uet_json_words(r->requirements), "section", r->section, "role",
        r->role, "verdict", uet_result_label(r), "findings", findings(r), "seconds",
        seconds_value(r->seconds), "message", r->message, "pcap", r->pcap, "frame",
        (json_int_t)r->frame, "contested", (int)r->contested, "wall_seconds",
        seconds_value(r->wall_seconds), "repeat", *repeat ? repeat : NULL, "sent", shown(&r->sent),
        "required", broken(r), "came", shown(&r->came), "skip_reason",
        r->verdict == UET_SKIP ? uet_skip_reason_words((enum uet_skip_reason)r->skip_reason) : NULL,
        "as_in", r->as_in[0] ? r->as_in : NULL, "ground_holds",
        r->ground_holds && r->verdict != UET_PASS ? json_true() : NULL, "points",
        r->points[0] ? uet_json_words(r->points) : NULL, "points_out_of_time",
        r->points_out_of_time ? json_integer(r->points_out_of_time) : NULL, "failed_point",
        r->failed_point[0] ? r->failed_point : NULL, "conversation", conversation(r), "set_up",
        r->set_up[0] ? r->set_up : NULL);
}

/* Did the run come to its end, and what did not run? Into top; 0 or -1. */
static int set_end(json_t *top, const struct uet_run *run)
{
    json_t *not_run = json_array();

    for (size_t i = 0; i < run->n_not_run; i++)
        if (json_array_append_new(not_run, uet_json_not_run(&run->not_run[i])) < 0) {
            json_decref(not_run);
            return -1;
        }
    return json_object_update_new(
        top, json_pack("{s:b, s:I, s:I, s:I, s:I, s:s?, s:o}", "complete", (int)run->complete,
                       "planned", (json_int_t)run->planned, "ran", (json_int_t)uet_run_ran(run),
                       "points", (json_int_t)uet_run_count_points(run), "points_out_of_time",
                       (json_int_t)uet_run_points_out_of_time(run), "cut_short", run->cut_short,
                       "not_run", not_run));
}

json_t *uet_json_run(const struct uet_run *run)
{
    json_t *top = uet_json_info(&run->info), *tests = json_array();

    if (set_end(top, run) < 0 ||
        json_object_set_new(top, "summary", uet_json_summary(&run->summary)) < 0)
        goto no_memory;
    for (size_t i = 0; i < run->n; i++)
        if (json_array_append_new(tests, uet_json_result(&run->info, &run->results[i])) < 0)
            goto no_memory;
    if (json_object_set(top, "tests", tests) < 0)
        goto no_memory;
    json_decref(tests);
    return top;

no_memory:
    json_decref(top);
    json_decref(tests);
    return NULL;
}

int uet_json_write(json_t *doc, const char *path, char *error, size_t size)
{
    struct uet_outfile file = {0};
    int rc = doc ? uet_outfile_open(&file, path, error, size)
                 : uet_outfile_error(path, ENOMEM, error, size);

    if (!rc) {
        /* What did not arrive shows in ferror when the file is committed. */
        json_dumpf(doc, file.out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        fputc('\n', file.out);
        rc = uet_outfile_commit(&file, error, size);
    }
    json_decref(doc);
    return rc;
}
