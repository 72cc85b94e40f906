/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/coverage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/run.h"
#include "conformance/report/run_json.h"
#include "spec-map/spec.h"

int uet_kills_init(struct uet_kills *kills)
{
    kills->killed = calloc(uet_n_requirements, sizeof(*kills->killed));
    return kills->killed ? 0 : -ENOMEM;
}

void uet_kills_free(struct uet_kills *kills)
{
    free(kills->killed);
    kills->killed = NULL;
}

static size_t index_of(const struct uet_requirement *r)
{
    return (size_t)(uet_requirement_canonical(r) - uet_requirements);
}

int uet_kills_read(struct uet_kills *kills, const char *path, char *error, size_t size)
{
    json_t *top = uet_json_read(path, error, size);
    json_t *list = json_object_get(top, "kills");
    int status = 0;

    if (!top)
        return -EINVAL;
    if (!json_is_array(list)) {
        snprintf(error, size,
                 "%s: kills: must be a list: is this a file of `uetconform selftest --json`?",
                 path);
        status = -EINVAL;
    }
    for (size_t i = 0; status == 0 && i < json_array_size(list); i++) {
        json_t *id = json_object_get(json_array_get(list, i), "requirement");
        const struct uet_requirement *r =
            json_is_string(id) ? uet_requirement_find(json_string_value(id)) : NULL;
        if (r) {
            kills->killed[index_of(r)] = true;
        } else {
            snprintf(error, size, "%s: kills[%zu].requirement: must be the id of a requirement",
                     path, i);
            status = -EINVAL;
        }
    }
    json_decref(top);
    return status;
}

struct uet_requirement_state uet_requirement_state(const struct uet_requirement *r,
                                                   const struct uet_test *const *tests,
                                                   size_t n_tests, const struct uet_kills *kills)
{
    struct uet_requirement_state s = {.observable = strcmp(r->observable, "no") != 0,
                                      .killed = kills->killed[index_of(r)],
                                      .contested = r->confidence == UET_CONFIDENCE_C};

    for (size_t i = 0; i < n_tests && !s.tested; i++)
        s.tested = uet_test_claims(tests[i], r->id);
    s.elsewhere = *r->elsewhere != '\0';
    s.free = !s.killed && *r->freedom;
    s.deferred = s.observable && !s.tested && *r->deferred;
    s.untested = s.observable && !s.tested && !s.deferred && !s.elsewhere && !s.free;
    s.stale = (s.tested && *r->deferred) || (s.killed && *r->freedom);
    return s;
}

static void add(struct uet_cover *cover, const struct uet_requirement_state *s)
{
    cover->requirements++;
    cover->observable += s->observable;
    cover->tested += s->tested;
    cover->killed += s->killed;
    cover->contested += s->contested;
    cover->deferred += s->deferred;
    cover->untested += s->untested;
    cover->elsewhere += s->elsewhere;
    cover->free += s->free;
}

static struct uet_cover *area_cover(struct uet_coverage *c, const char *area)
{
    for (size_t i = 0; i < c->n_areas; i++)
        if (strcmp(c->areas[i].area, area) == 0)
            return &c->areas[i].cover;
    if (c->n_areas == UET_MAX_AREAS)
        return NULL;
    c->areas[c->n_areas].area = area;
    return &c->areas[c->n_areas++].cover;
}

static struct uet_cover *section_cover(struct uet_coverage *c, const char *section)
{
    for (size_t i = 0; i < c->n_sections; i++)
        if (c->sections[i].section && strcmp(c->sections[i].section, section) == 0)
            return &c->sections[i].cover;
    c->sections[c->n_sections].section = section;
    return &c->sections[c->n_sections++].cover;
}

static int compare(const void *a, const void *b)
{
    const char *const *sa = a, *const *sb = b; /* section is the first member */

    return uet_section_compare(*sa, *sb);
}

int uet_coverage_count(struct uet_coverage *c, const struct uet_test *const *tests, size_t n_tests,
                       const struct uet_kills *kills, const char *area,
                       const struct uet_selection *selection)
{
    memset(c, 0, sizeof(*c));
    c->sections = calloc(uet_n_requirements, sizeof(*c->sections));
    if (!c->sections)
        return -ENOMEM;
    for (size_t i = 0; i < uet_n_requirements; i++) {
        const struct uet_requirement *r = &uet_requirements[i];
        if (uet_requirement_canonical(r) != r || (area && strcmp(r->area, area) != 0) ||
            !uet_selects_requirement(selection, r))
            continue;
        struct uet_requirement_state s = uet_requirement_state(r, tests, n_tests, kills);
        struct uet_cover *in_area = area_cover(c, r->area);
        if (in_area)
            add(in_area, &s);
        if (uet_requirement_is_own(r)) /* no text of the standard: counted apart */
            continue;
        add(section_cover(c, r->section), &s);
        add(&c->all, &s);
    }
    qsort(c->sections, c->n_sections, sizeof(*c->sections), compare);
    return 0;
}

void uet_coverage_free(struct uet_coverage *c)
{
    free(c->sections);
    memset(c, 0, sizeof(*c));
}
