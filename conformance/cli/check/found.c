/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/found.h"

#include <stdlib.h>
#include <string.h>

bool check_is_must(const struct check_group *group)
{
    const struct uet_requirement *r = group->requirement;

    return !group->reported && (!r || r->level == UET_MUST || r->level == UET_MUST_NOT);
}

static const char *title_of(const char *id)
{
    for (size_t i = 0; i < uet_n_rules(); i++)
        if (strcmp(uet_rule(i)->requirement, id) == 0)
            return uet_rule(i)->title;
    return "";
}

static struct check_group *group_of(struct check_found *found, const struct uet_violation *v)
{
    for (size_t i = 0; i < found->n_groups; i++)
        if (strcmp(found->groups[i].id, v->requirement) == 0)
            return &found->groups[i];
    struct check_group *all =
        realloc(found->groups, (found->n_groups + 1) * sizeof(*found->groups));
    if (!all)
        return NULL;
    found->groups = all;
    all[found->n_groups] = (struct check_group){.id = v->requirement,
                                                .requirement = uet_requirement_find(v->requirement),
                                                .title = title_of(v->requirement),
                                                .reported = v->reported};
    return &all[found->n_groups++];
}

static bool show(struct check_group *g, const struct uet_violation *v,
                 const struct check_words *words)
{
    struct check_packet *all = realloc(g->shown, (g->n_shown + 1) * sizeof(*all));
    if (!all)
        return false;
    g->shown = all;
    all[g->n_shown] = (struct check_packet){.number = v->number,
                                            .message = strdup(v->message),
                                            .line = strdup(words->line),
                                            .match = words->match};
    g->n_shown++;
    return all[g->n_shown - 1].message && all[g->n_shown - 1].line;
}

int check_found_add(struct check_found *found, const struct uet_violation *v,
                    const struct check_words *words, uint32_t max)
{
    struct check_group *g = group_of(found, v);
    if (!g)
        return -1;
    bool first = g->violations == 0 || g->last != v->number;
    g->violations++;
    g->packets += first;
    g->last = v->number;
    found->violations++;
    found->must += check_is_must(g);
    if (g->n_shown < max)
        return show(g, v, words) ? 1 : -1;
    if (first && g->n_numbers < CHECK_NUMBERS)
        g->numbers[g->n_numbers++] = v->number;
    return 0;
}

void check_found_free(struct check_found *found)
{
    for (size_t i = 0; i < found->n_groups; i++) {
        struct check_group *g = &found->groups[i];
        for (uint32_t j = 0; j < g->n_shown; j++) {
            free(g->shown[j].message);
            free(g->shown[j].line);
        }
        free(g->shown);
    }
    free(found->groups);
    *found = (struct check_found){0};
}
