/* SPDX-License-Identifier: BSD-2-Clause */
/* The ids that a mistyped word may have meant. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cli/explain.h"

#define MAX_WORD 96
#define N_BEST   3

/* Letters to add, drop, change or swap with their neighbour; case does not count. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][MAX_WORD + 1];
    size_t la = strlen(a), lb = strlen(b);

    if (la > MAX_WORD || lb > MAX_WORD)
        return UINT_MAX;
    for (size_t j = 0; j <= lb; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= la; i++) {
        unsigned *now = rows[i % 3], *before = rows[(i + 2) % 3], *earlier = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= lb; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            unsigned best = before[j - 1] + (ca != cb);
            if (before[j] + 1 < best)
                best = before[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]) && earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[la % 3][lb];
}

struct best {
    const char *id[N_BEST];
    unsigned distance[N_BEST];
};

static void offer(struct best *best, const char *word, const char *id)
{
    unsigned d = distance(word, id);

    for (size_t i = 0; i < N_BEST; i++)
        if (!best->id[i] || d < best->distance[i]) {
            for (size_t j = N_BEST - 1; j > i; j--) {
                best->id[j] = best->id[j - 1];
                best->distance[j] = best->distance[j - 1];
            }
            best->id[i] = id;
            best->distance[i] = d;
            return;
        }
}

void uet_nearest_ids(char *out, size_t size, const char *word)
{
    struct best best = {0};
    size_t n, at = 0;
    const struct uet_test **tests = uet_tests_sorted(&n);

    for (size_t i = 0; i < uet_n_requirements; i++)
        offer(&best, word, uet_requirements[i].id);
    for (size_t i = 0; i < n; i++)
        offer(&best, word, tests[i]->id);
    free(tests);
    out[0] = '\0';
    for (size_t i = 0; i < N_BEST && best.id[i] && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? ", " : "", best.id[i]);
}
