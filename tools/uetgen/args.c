/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/uetgen/command.h"

/* What a terminal shows of a line around the place that is meant. */
#define SHOWN 100

int uetgen_line_error(const char *line, const struct uet_gen_error *error)
{
    size_t at = error->at, len = strlen(line), from = at > SHOWN - 20 ? at - (SHOWN - 20) : 0;
    size_t carets = error->len ? error->len : 1;
    fprintf(stderr, "uetgen: %s\n  %s%.*s%s\n  %*s", error->text, from ? ".." : "", SHOWN,
            line + from, len > from + SHOWN ? ".." : "", (int)(at - from + (from ? 2 : 0)), "");
    for (size_t i = 0; i < carets && i < SHOWN; i++)
        fputc(i ? '~' : '^', stderr);
    fputc('\n', stderr);
    return UETGEN_USAGE;
}

bool uetgen_number(const char *command, const char *option, const char *text, uint64_t min,
                   uint64_t max, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 0);
    if (isdigit((unsigned char)text[0]) && !*end && errno == 0 && v >= min && v <= max) {
        *value = v;
        return true;
    }
    fprintf(stderr, "uetgen %s: %s '%s': give a number from %llu to %llu\n", command, option, text,
            (unsigned long long)min, (unsigned long long)max);
    return false;
}

bool uetgen_time(const char *command, const char *option, const char *text, uint64_t *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    double v = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (end != text && strcmp(end, units[i].unit) == 0 && isfinite(v) && v >= 0 &&
            v * units[i].ns < 1e18) {
            *ns = (uint64_t)(v * units[i].ns);
            return true;
        }
    fprintf(stderr, "uetgen %s: %s '%s': give a time such as 250ns, 10us, 1.5ms or 2s\n", command,
            option, text);
    return false;
}
