/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "conformance/cli/explainable.h"
#include "conformance/cli/list/explain.h"
#include "conformance/cli/list/spoken.h"
#include "conformance/harness/run/runner.h"
#include "conformance/report/run_json.h"

static void put(json_t *o, const char *key, const char *value)
{
    json_object_set_new(o, key, json_string(value ? value : ""));
}

/* {"1.0.1": section, ...}; null in a version that does not require it. */
static json_t *sections(const struct uet_requirement *r)
{
    static const char *const versions[] = {"1.0.1", "1.0.2", "1.0.3"};
    json_t *o = json_object();

    for (size_t i = 0; i < 3; i++)
        json_object_set_new(o, versions[i],
                            uet_requirement_in(r, versions[i]) ? json_string(r->section)
                                                               : json_null());
    return o;
}

static json_t *tables(const struct uet_requirement *r)
{
    const struct uet_table_number *found[8];
    size_t n = uet_requirement_tables(r, found, 8);
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *o = json_object();
        put(o, "topic", found[i]->topic);
        put(o, "1.0.1", found[i]->v1_0_1);
        put(o, "1.0.2", found[i]->v1_0_2);
        put(o, "1.0.3", found[i]->v1_0_3);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *aliases(const struct uet_requirement *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *o = &uet_requirements[i];
        if (o != r && uet_requirement_canonical(o) == uet_requirement_canonical(r))
            json_array_append_new(list, json_string(o->id));
    }
    return list;
}

static json_t *claiming_tests(const struct uet_requirement *r)
{
    size_t n;
    const struct uet_test **tests = uet_tests_sorted(&n);
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        if (uet_test_claims(tests[i], r->id))
            json_array_append_new(list, json_string(tests[i]->id));
    free(tests);
    return list;
}

static json_t *requirement(const struct uet_requirement *r)
{
    const char confidence[] = {r->confidence, '\0'};
    json_t *o = json_object();
    char title[128];

    put(o, "id", r->id);
    put(o, "area", r->area);
    put(o, "level", uet_level_name((enum uet_level)r->level));
    put(o, "role", r->role);
    put(o, "profile", r->profile);
    put(o, "text", r->text);
    put(o, "section", r->section);
    put(o, "title", uet_section_title(title, sizeof(title), r->section));
    json_object_set_new(o, "sections", sections(r));
    json_object_set_new(o, "tables", tables(r));
    put(o, "spec", r->spec);
    put(o, "since", r->since);
    put(o, "until", r->until);
    put(o, "observable", r->observable);
    put(o, "stimulus", r->stimulus);
    put(o, "expected", r->expected);
    json_object_set_new(o, "tests", claiming_tests(r));
    json_object_set_new(o, "same_as", aliases(r));
    put(o, "confidence", confidence);
    put(o, "sources", r->sources);
    json_object_set_new(o, "contested", json_boolean(r->confidence == UET_CONFIDENCE_C));
    put(o, "reading", r->reading);
    put(o, "other_reading", r->other_reading);
    return o;
}

/* {"psn": ["wrap", ...], ...}; null when they are not known. */
static json_t *places(const struct uet_test *t)
{
    struct uet_space space;

    if (!uet_spoken_places(t, &space))
        return json_null();
    json_t *o = json_object();
    for (size_t d = 0; d < UET_N_DIMENSIONS; d++) {
        json_t *list = json_array();

        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++)
            if (space.places[d] >> p & 1)
                json_array_append_new(list, json_string(uet_dimensions[d].places[p].name));
        if (json_array_size(list))
            json_object_set(o, uet_dimensions[d].name, list);
        json_decref(list);
    }
    return o;
}

static json_t *test(const struct uet_test *t)
{
    char section[UET_SECTION_MAX];
    json_t *o = json_object();

    put(o, "id", t->id);
    put(o, "section", uet_test_section(t, section));
    put(o, "role", uet_role_name(t->role));
    put(o, "purpose", t->purpose);
    put(o, "preamble", t->preamble);
    put(o, "stimulus", t->stimulus);
    put(o, "expected", t->expected);
    json_object_set_new(o, "requirements", uet_json_words(t->requirements));
    json_object_set_new(o, "needs", uet_json_words(t->needs));
    json_object_set_new(o, "parameters", uet_json_words(t->params));
    json_object_set_new(o, "contested", json_boolean(t->contested));
    json_object_set_new(o, "places", places(t));
    return o;
}

static json_t *section_list(const char *section)
{
    json_t *o = json_object(), *list = json_array();
    char title[128];

    put(o, "section", section);
    put(o, "title", uet_section_title(title, sizeof(title), section));
    for (size_t i = 0; i < uet_n_requirements; i++)
        if (uet_section_in(uet_requirements[i].section, section))
            json_array_append_new(list, json_string(uet_requirements[i].id));
    json_object_set_new(o, "requirements", list);
    return o;
}

int uet_explain_json(int n, char **names)
{
    json_t *list = json_array();

    for (int i = 0; i < n; i++) {
        struct uet_explainable e;
        if (uet_explainable_find(&e, names[i]))
            json_array_append_new(list, e.requirement ? requirement(e.requirement)
                                        : e.test      ? test(e.test)
                                                      : section_list(e.section));
    }
    int status = json_dumpf(list, stdout, JSON_INDENT(1)) < 0 ? 2 : 0;
    putchar('\n');
    json_decref(list);
    return status;
}
