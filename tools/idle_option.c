/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/idle_option.h"

#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAX = 96 };

/* What stands on a command line: of each option its last value (or its name), NULL when not. */
struct given {
    const struct option *options;
    const char *values[OPTIONS_MAX];
    struct uet_option_twice twice; /* name NULL: none is */
};

/* Short options, and long ones that mean the same, are the first option with that result. */
static size_t place_of(const struct option *options, int result)
{
    size_t i = 0;

    while (options[i].name && options[i].val != result)
        i++;
    return i;
}

static bool among(const char *const *many, const char *name)
{
    while (many && *many && strcmp(*many, "*") != 0 && strcmp(*many, name) != 0)
        many++;
    return many && *many;
}

static void note(struct given *g, int result, const char *const *many)
{
    const size_t i = place_of(g->options, result);
    const struct option *o = &g->options[i];

    if (!o->name || i >= OPTIONS_MAX)
        return;
    if (g->values[i] && o->has_arg != no_argument && !g->twice.name && !among(many, o->name))
        g->twice = (struct uet_option_twice){o->name, {g->values[i], optarg ? optarg : ""}};
    g->values[i] = optarg ? optarg : o->has_arg != no_argument ? "" : o->name;
}

/* Up to what getopt_long does not take, which is told by who reads the line. */
static void look(struct given *g, int argc, char **argv, const char *shorts,
                 const struct option *options, const char *const *many)
{
    int result;

    *g = (struct given){.options = options};
    opterr = 0;
    optind = 0; /* from the beginning */
    while ((result = getopt_long(argc, argv, shorts, options, NULL)) != -1 && result != '?' &&
           result != ':')
        note(g, result, many);
}

static bool has(const struct given *g, const char *name)
{
    for (size_t i = 0; i < OPTIONS_MAX && g->options[i].name; i++)
        if (strcmp(g->options[i].name, name) == 0)
            return g->values[place_of(g->options, g->options[i].val)];
    return false;
}

/* Another one than `name`; NULL: there is none. */
static const char *any_but(const struct given *g, const char *name)
{
    for (size_t i = 0; i < OPTIONS_MAX && g->options[i].name; i++)
        if (g->values[i] && strcmp(g->options[i].name, name) != 0)
            return g->options[i].name;
    return NULL;
}

static int refuse(const char *who, const struct given *g, const struct uet_idle_option *idle)
{
    const bool any = idle->with && strcmp(idle->with, "*") == 0;
    const char *other = any ? any_but(g, idle->option) : idle->with;

    if (!has(g, idle->option))
        return -1;
    if (any && other)
        fprintf(stderr, "%s: --%s has no effect with --%s: leave it out\n", who, other,
                idle->option);
    else if (!any && other && has(g, other))
        fprintf(stderr, "%s: --%s has no effect with --%s: leave out one of them\n", who,
                idle->option, other);
    else if (idle->without && !*idle->without)
        fprintf(stderr, "%s: --%s has no effect here: leave it out\n", who, idle->option);
    else if (idle->without && !has(g, idle->without))
        fprintf(stderr, "%s: --%s has no effect without --%s: leave it out, or give that, too\n",
                who, idle->option, idle->without);
    else
        return -1;
    return 2;
}

int uet_idle_options(const char *who, int argc, char **argv, const char *shorts,
                     const struct option *options, const struct uet_idle_option *idle,
                     const char *const *many)
{
    struct given g;
    int status = -1;

    look(&g, argc, argv, shorts, options, many);
    for (; status < 0 && idle && idle->option; idle++)
        status = refuse(who, &g, idle);
    if (status < 0 && g.twice.name)
        fprintf(stderr, "%s: --%s stands there twice: the last one counts\n", who, g.twice.name);
    return status;
}

bool uet_options_twice(int argc, char **argv, const char *shorts, const struct option *options,
                       const char *const *many, struct uet_option_twice *twice)
{
    struct given g;

    look(&g, argc, argv, shorts, options, many);
    optind = 0;
    *twice = g.twice;
    return g.twice.name;
}
