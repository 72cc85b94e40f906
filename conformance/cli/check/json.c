/* SPDX-License-Identifier: BSD-2-Clause */
#include <jansson.h>
#include <stdlib.h>

#include "conformance/cli/check/tell.h"

static void dump(FILE *out, json_t *value)
{
    json_dumpf(value, out, JSON_ENCODE_ANY);
    json_decref(value);
}

/* A path need not be UTF-8. */
static json_t *text(const char *s)
{
    json_t *value = json_string(s);
    return value ? value : json_string("?");
}

void check_json_begin(const struct check_json *j, const char *path)
{
    fprintf(j->out, "{\n  \"file\": ");
    dump(j->out, text(path));
    fprintf(j->out, ",\n  \"violations\": [");
}

static const char *level_of(const struct uet_requirement *r)
{
    return r ? uet_level_name((enum uet_level)r->level) : "";
}

void check_json_violation(void *ctx, const struct uet_violation *v,
                          const struct check_words *packet)
{
    struct check_json *j = ctx;
    const struct uet_requirement *r = uet_requirement_find(v->requirement);
    fprintf(j->out, "%s\n    ", j->n++ ? "," : "");
    dump(j->out, json_pack("{sIssssssssssss*}", "frame", (json_int_t)v->number, "requirement",
                           v->requirement, "section", r ? r->section : "", "level", level_of(r),
                           "message", v->message, "packet", packet->line, "match", packet->match));
}

static json_t *requirements(const struct check_file *f)
{
    json_t *all = json_array();
    for (size_t i = 0; i < f->found.n_groups; i++) {
        const struct check_group *g = &f->found.groups[i];
        const struct uet_requirement *r = g->requirement;
        json_array_append_new(
            all, json_pack("{sssssssssbsIsI}", "requirement", g->id, "section", r ? r->section : "",
                           "level", level_of(r), "title", g->title, "contested",
                           r && r->other_reading[0] ? 1 : 0, "packets", (json_int_t)g->packets,
                           "violations", (json_int_t)g->violations));
    }
    return all;
}

static json_t *not_judged(const struct check_file *f)
{
    json_t *all = json_object();
    for (int i = 0; i < CHECK_REASONS; i++)
        json_object_set_new(all, check_reason_key((enum check_reason)i),
                            json_integer(f->not_judged[i]));
    return all;
}

static json_t *resent(const struct uet_track_totals *n)
{
    json_t *all = json_object();
    for (int i = 1; i < UET_RESENT_CAUSES; i++)
        json_object_set_new(all, uet_resent_name((enum uet_resent)i), json_integer(n->resent[i]));
    return all;
}

static json_t *ways(const struct check_file *f)
{
    json_t *all = json_array();
    for (unsigned i = 0; i < f->n_via; i++)
        json_array_append_new(all, json_string(f->via[i]));
    return all;
}

static json_t *trailers(const struct uet_trailers *t)
{
    return json_pack("{sIsIsIsIsI}", "big_endian", (json_int_t)t->good[UET_CRC_BIG_ENDIAN],
                     "little_endian", (json_int_t)t->good[UET_CRC_LITTLE_ENDIAN], "wrong",
                     (json_int_t)t->bad, "right_in_other_order", (json_int_t)t->other, "unwanted",
                     (json_int_t)t->unwanted);
}

void check_json_end(const struct check_json *j, const struct check_file *f, int status)
{
    const struct uet_track_totals *n = &f->totals;
    json_t *totals = json_object();
    const struct {
        const char *key;
        json_t *value;
    } members[] = {
        {"requirements", requirements(f)},
        {"packets", json_integer(f->packets)},
        {"judged", json_integer(f->judged)},
        {"not_judged", not_judged(f)},
        {"uet", json_integer(n->uet)},
        {"malformed", json_integer(f->malformed)},
        {"sealed", json_integer(n->sealed)},
        {"tss", check_sealed_json(&f->sealed, n)},
        {"trimmed", json_integer(n->trimmed)},
        {"crc_bad", json_integer(n->crc_bad)},
        {"found_in", ways(f)},
        {"crc", trailers(&f->trailers)},
        {"cut", json_integer(f->cut)},
        {"rudi", json_integer(n->rudi_requests)},
        {"uud", json_integer(n->uud)},
        {"resent", resent(n)},
        {"congestion", f->congestion ? check_congestion_json(f->congestion) : NULL},
        {"exit_status", json_integer(status)},
        {"complete", json_boolean(f->complete)},
    };
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (members[i].value)
            json_object_set_new(totals, members[i].key, members[i].value);
    char *rest = json_dumps(totals, JSON_INDENT(2));
    /* The object that check_json_begin opened goes on. */
    fprintf(j->out, "%s],%s\n", j->n ? "\n  " : "", rest ? rest + 1 : "}");
    free(rest);
    json_decref(totals);
}

void check_json_error(FILE *out, const char *path, const char *error)
{
    json_t *o = json_object();
    json_object_set_new(o, "file", text(path));
    json_object_set_new(o, "error", text(error));
    json_object_set_new(o, "exit_status", json_integer(2));
    json_object_set_new(o, "complete", json_false());
    dump(out, o);
    fputc('\n', out);
}
