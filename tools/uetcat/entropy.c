/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/entropy.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of 16 bits at *at, which it goes past. */
static bool number(const char **at, uint32_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    unsigned long v = strtoul(*at, &end, 0);
    *at = end;
    *value = v < UETCAT_ENTROPIES ? (uint32_t)v : UETCAT_ENTROPIES;
    return v < UETCAT_ENTROPIES;
}

static void add(struct uetcat_entropy *e, uint8_t *have, uint32_t value)
{
    uint8_t bit = (uint8_t)(1u << value % 8);
    if (!(have[value / 8] & bit))
        e->value[e->n++] = (uint16_t)value;
    have[value / 8] |= bit;
}

/* "all:N": N values, as far from each other as can be. */
static bool add_all(struct uetcat_entropy *e, uint8_t *have, const char **at)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    unsigned long n = strtoul(*at, &end, 0);
    *at = end;
    if (n < 1 || n > UETCAT_ENTROPIES)
        return false;
    for (uint64_t i = 0; i < n; i++)
        add(e, have, (uint32_t)(i * UETCAT_ENTROPIES / n));
    return true;
}

static bool add_range(struct uetcat_entropy *e, uint8_t *have, const char **at)
{
    uint32_t from, to;
    if (!number(at, &from))
        return false;
    to = from;
    if (**at == '-') {
        (*at)++;
        if (!number(at, &to) || to < from)
            return false;
    }
    for (uint32_t v = from; v <= to; v++)
        add(e, have, v);
    return true;
}

bool uetcat_entropy_read(const char *command, const char *text, struct uetcat_entropy *e)
{
    uint8_t have[UETCAT_ENTROPIES / 8] = {0};
    const char *at = text;
    bool good;
    e->n = e->next = 0;
    do {
        bool all = strncmp(at, "all:", 4) == 0;
        at += all ? 4 : 0;
        good = all ? add_all(e, have, &at) : add_range(e, have, &at);
    } while (good && *at == ',' && *++at);
    if (good && !*at && at[-1] != ',')
        return true;
    fprintf(stderr,
            "uetcat %s: --entropy '%s': give values up to 65535 as N, A-B or all:N (N of them, "
            "spread over all), with commas between\n",
            command, text);
    return false;
}

uint16_t uetcat_entropy_take(struct uetcat_entropy *e)
{
    uint16_t value = e->value[e->next];
    e->next = (e->next + 1) % e->n;
    return value;
}

void uetcat_entropy_shuffle(struct uetcat_entropy *e, uint64_t (*random)(void))
{
    for (uint32_t i = e->n; i > 1; i--) {
        uint32_t j = (uint32_t)(random() % i);
        uint16_t value = e->value[i - 1];
        e->value[i - 1] = e->value[j];
        e->value[j] = value;
    }
}
