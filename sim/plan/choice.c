/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/plan/choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_all(struct sim_set *set, uint32_t n)
{
    set->n = n;
    set->in = malloc(n + 1u);
    if (!set->in)
        return -ENOMEM;
    memset(set->in, 1, n);
    return 0;
}

int sim_choice_all(struct sim_choice *choice, const struct sim_plan *plan)
{
    *choice = (struct sim_choice){.max_length = UINT32_MAX};
    if (set_all(&choice->ops, plan->n_ops) || set_all(&choice->faults, plan->n_faults) ||
        set_all(&choice->restarts, plan->n_restarts)) {
        sim_choice_free(choice);
        return -ENOMEM;
    }
    return 0;
}

static int set_copy(struct sim_set *to, const struct sim_set *from)
{
    if (set_all(to, from->n))
        return -ENOMEM;
    memcpy(to->in, from->in, from->n);
    return 0;
}

int sim_choice_copy(struct sim_choice *to, const struct sim_choice *from)
{
    *to = (struct sim_choice){.max_length = from->max_length};
    if (set_copy(&to->ops, &from->ops) || set_copy(&to->faults, &from->faults) ||
        set_copy(&to->restarts, &from->restarts)) {
        sim_choice_free(to);
        return -ENOMEM;
    }
    return 0;
}

void sim_choice_free(struct sim_choice *choice)
{
    free(choice->ops.in);
    free(choice->faults.in);
    free(choice->restarts.in);
    *choice = (struct sim_choice){0};
}

uint32_t sim_set_count(const struct sim_set *set)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < set->n; i++)
        n += set->in[i];
    return n;
}

static int number(const char **text, uint32_t n, uint32_t *value)
{
    uint64_t v = 0;
    const char *at = *text;

    if (*at < '0' || *at > '9')
        return -EINVAL;
    for (; *at >= '0' && *at <= '9'; at++)
        if ((v = v * 10 + (uint64_t)(*at - '0')) > UINT32_MAX)
            return -ERANGE;
    if (v >= n)
        return -ERANGE;
    *text = at;
    *value = (uint32_t)v;
    return 0;
}

static int ranges(struct sim_set *set, const char *text)
{
    uint32_t first, last;
    int rc;

    for (;;) {
        if ((rc = number(&text, set->n, &first)))
            return rc;
        last = first;
        if (*text == '-') {
            text++;
            if ((rc = number(&text, set->n, &last)))
                return rc;
        }
        if (last < first)
            return -EINVAL;
        memset(set->in + first, 1, last - first + 1);
        if (!*text)
            return 0;
        if (*text++ != ',')
            return -EINVAL;
    }
}

int sim_set_parse(struct sim_set *set, const char *text)
{
    memset(set->in, !strcmp(text, "all"), set->n);
    if (!strcmp(text, "all") || !strcmp(text, "none"))
        return 0;
    return ranges(set, text);
}

char *sim_set_text(const struct sim_set *set)
{
    size_t len = 0;
    char *text = NULL;
    FILE *out;
    uint32_t count = sim_set_count(set);

    if (count == set->n || !count)
        return strdup(count ? "all" : "none");
    out = open_memstream(&text, &len);
    if (!out)
        return NULL;
    for (uint32_t i = 0, end; i < set->n; i = end + 1) {
        end = i;
        if (!set->in[i])
            continue;
        while (end + 1 < set->n && set->in[end + 1])
            end++;
        fprintf(out, ftell(out) ? ",%u" : "%u", i);
        if (end > i)
            fprintf(out, "-%u", end);
    }
    return fclose(out) == 0 ? text : (free(text), NULL);
}

uint16_t sim_choice_feps(const struct sim_choice *choice, const struct sim_plan *plan)
{
    bool used[SIM_FEPS_MAX] = {false};
    uint16_t n = 0;

    for (uint32_t i = 0; i < plan->n_ops; i++)
        if (choice->ops.in[i])
            used[plan->ops[i].from] = used[plan->ops[i].to] = true;
    for (uint32_t i = 0; i < plan->n_restarts; i++)
        if (choice->restarts.in[i])
            used[plan->restarts[i].fep] = true;
    for (int i = 0; i < SIM_FEPS_MAX; i++)
        n = (uint16_t)(n + used[i]);
    return n;
}
