/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_json EXPECTED FIELDS INFO: compares what tshark says of a capture with what a person
 * wrote. FIELDS is "tshark -T json --no-duplicate-keys", INFO "tshark -T json -e _ws.col.Info".
 * EXPECTED is an array, one object a packet:
 *
 *   {"packet": "syn_write",               name, for messages
 *    "info": "RUD_REQ syn ...",           the info column; left out: not compared
 *    "fields": {"uetx.pds.psn": "0x1"},   values, an array where a field stands several times
 *    "exact": true,                       no other uetx field stands in the packet
 *    "expert": ["uetx.nack"]}             all remarks on the packet, always exact
 *
 * Every difference is a line; exit status 1 then, 2 when a file cannot be read.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const char *packet;
    unsigned differences;
};

static json_t *load(const char *path)
{
    json_error_t e;
    json_t *j = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
    if (!json_is_array(j)) {
        fprintf(stderr, "%s:%d: %s\n", path, e.line, j ? "not an array" : e.text);
        exit(2);
    }
    return j;
}

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* Remarks are keys of _ws.expert objects, exceptions of epan are layers of their own. */
static bool is_remark(const char *key, bool in_expert)
{
    if (in_expert)
        return begins(key, "uetx.");
    return begins(key, "_ws.malformed") || begins(key, "_ws.short") || begins(key, "_ws.unreassem");
}

/* A field that stands in several headers has several values. */
static void add_value(json_t *fields, const char *key, json_t *value)
{
    json_t *before = json_object_get(fields, key);
    if (!before) {
        json_object_set(fields, key, value);
        return;
    }
    json_t *all = json_is_array(before) ? json_copy(before) : json_pack("[O]", before);
    if (json_is_array(value))
        json_array_extend(all, value);
    else
        json_array_append(all, value);
    json_object_set_new(fields, key, all);
}

/* A header is an object under its own name; what stands below a field has the name with _tree. */
static void add_field(json_t *fields, const char *key, json_t *value)
{
    size_t n = strlen(key);
    if (!json_is_object(value)) {
        add_value(fields, key, value);
    } else if (n < 5 || strcmp(key + n - 5, "_tree") != 0) {
        json_t *present = json_string("");
        add_value(fields, key, present);
        json_decref(present);
    }
}

/* All uetx fields and remarks of a packet, whatever the subtree. */
static void collect(json_t *from, bool in_expert, json_t *fields, json_t *expert)
{
    const char *key;
    json_t *value;
    size_t i;
    json_array_foreach(from, i, value)
    {
        collect(value, in_expert, fields, expert);
    }
    if (!json_is_object(from))
        return;
    json_object_foreach(from, key, value)
    {
        if (is_remark(key, in_expert))
            json_array_append_new(expert, json_string(key));
        else if (!in_expert && begins(key, "uetx."))
            add_field(fields, key, value);
        collect(value, in_expert || strcmp(key, "_ws.expert") == 0, fields, expert);
    }
}

static char *text(const json_t *j)
{
    return j ? json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT) : strdup("absent");
}

static void differ(struct check *c, const char *what, const json_t *want, const json_t *have)
{
    char *w = text(want), *h = text(have);
    printf("%s: %s: expected %s, tshark says %s\n", c->packet, what, w, h);
    c->differences++;
    free(w);
    free(h);
}

static void compare_fields(struct check *c, json_t *want, json_t *have, bool exact)
{
    const char *key;
    json_t *value;
    json_object_foreach(want, key, value)
    {
        json_t *found = json_object_get(have, key);
        if (json_is_null(value) ? found != NULL : !found || !json_equal(value, found))
            differ(c, key, value, found);
    }
    json_object_foreach(have, key, value)
    {
        if (exact && !json_object_get(want, key))
            differ(c, key, NULL, value);
    }
}

/* The same members, in whatever order. */
static bool same_set(const json_t *a, const json_t *b)
{
    if (json_array_size(a) != json_array_size(b))
        return false;
    for (size_t i = 0; i < json_array_size(a); i++) {
        size_t in_a = 0, in_b = 0;
        for (size_t j = 0; j < json_array_size(a); j++) {
            in_a += (size_t)json_equal(json_array_get(a, i), json_array_get(a, j));
            in_b += (size_t)json_equal(json_array_get(a, i), json_array_get(b, j));
        }
        if (in_a != in_b)
            return false;
    }
    return true;
}

static json_t *layers(json_t *packet)
{
    return json_object_get(json_object_get(packet, "_source"), "layers");
}

static void compare_packet(struct check *c, json_t *want, json_t *have, json_t *columns)
{
    json_t *fields = json_object(), *expert = json_array(), *none = json_array();
    collect(layers(have), false, fields, expert);
    compare_fields(c, json_object_get(want, "fields"), fields,
                   json_is_true(json_object_get(want, "exact")));
    json_t *remarks = json_object_get(want, "expert");
    if (!same_set(remarks ? remarks : none, expert))
        differ(c, "expert", remarks ? remarks : none, expert);
    json_t *column = json_object_get(layers(columns), "_ws.col.Info");
    if (!column)
        column = json_object_get(layers(columns), "_ws.col.info"); /* since 4.2 */
    json_t *info = json_array_get(column, 0);
    json_t *said = json_object_get(want, "info");
    if (said && !json_equal(said, info))
        differ(c, "info", said, info);
    json_decref(fields);
    json_decref(expert);
    json_decref(none);
}

/* What lies in the packet's future is there on later passes, and absent on the first. */
static void take_later(json_t *want, bool later)
{
    json_t *later_fields = json_object_get(want, "later"), *value;
    const char *key;
    if (later_fields && !json_object_get(want, "fields"))
        json_object_set_new(want, "fields", json_object());
    json_t *fields = json_object_get(want, "fields");
    json_object_foreach(later_fields, key, value)
    {
        json_object_set_new(fields, key, later ? json_incref(value) : json_null());
    }
}

int main(int argc, char **argv)
{
    bool later = argc == 5 && strcmp(argv[4], "later") == 0;
    if (argc != 4 && !later) {
        fprintf(stderr, "usage: compare_json EXPECTED FIELDS INFO [later]\n");
        return 2;
    }
    json_t *want = load(argv[1]), *have = load(argv[2]), *columns = load(argv[3]);
    struct check c = {"", 0};
    if (json_array_size(want) != json_array_size(have) ||
        json_array_size(want) != json_array_size(columns)) {
        printf("%zu packets expected, tshark shows %zu\n", json_array_size(want),
               json_array_size(have));
        c.differences++;
    }
    json_t *w;
    size_t i;
    json_array_foreach(want, i, w)
    {
        c.packet = json_string_value(json_object_get(w, "packet"));
        if (!c.packet)
            c.packet = "?";
        take_later(w, later);
        compare_packet(&c, w, json_array_get(have, i), json_array_get(columns, i));
    }
    json_decref(want);
    json_decref(have);
    json_decref(columns);
    return c.differences ? 1 : 0;
}
