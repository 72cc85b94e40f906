/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/number.h"

#include <string.h>

#include "tools/place.h"

int choice(const char *text, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

bool whole(const char *text, uint64_t max, uint64_t *out)
{
    const char *end;

    return uet_place_number(text, out, &end) && *end == 0 && *out <= max;
}

bool quantity(const char *text, uint64_t *out)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    const char *end;

    if (!uet_place_number(text, out, &end))
        return false;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(end, units[i].unit) == 0)
            return !__builtin_mul_overflow(*out, units[i].ns, out);
    return false;
}
