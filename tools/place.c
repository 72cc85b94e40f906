/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool uet_place_number(const char *text, uint64_t *out, const char **end)
{
    char *after;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &after, text[1] == 'x' ? 16 : 10);
    *end = after;
    return errno == 0;
}

const char *uet_place_parse(const char *text, struct uet_place *place)
{
    static const uint64_t limits[] = {0xffffff, 0xfff, 0xfff}; /* widths of the SES fields */
    uint64_t values[3];
    const char *end;

    for (int i = 0; i < 3; i++, text = end + 1)
        if (!uet_place_number(text, &values[i], &end) || *end != ':' || values[i] > limits[i])
            return NULL;
    *place = (struct uet_place){(uint32_t)values[0], (uint16_t)values[1], (uint16_t)values[2]};
    return text;
}

bool uet_place_length(const char *text, uint32_t *length)
{
    static const char *const units[] = {"", "KiB", "MiB"};
    const char *end;
    uint64_t value;
    unsigned unit = 0;

    if (!uet_place_number(text, &value, &end))
        return false;
    while (unit < 3 && strcmp(end, units[unit]) != 0)
        unit++;
    if (unit == 3 || value == 0 || value > UINT32_MAX >> (10 * unit))
        return false;
    *length = (uint32_t)value << (10 * unit);
    return true;
}
