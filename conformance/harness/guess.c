/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/guess.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define MAX_WORD 96

unsigned uet_distance(const char *a, const char *b)
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

const char *uet_did_you_mean(const char *text, const char *const *first, size_t stride, size_t n)
{
    const char *best = NULL;
    size_t least = strlen(text) / 3 + 2; /* a third of the letters and one slip */

    for (size_t i = 0; i < n; i++) {
        const char *name = *(const char *const *)(const void *)((const char *)first + i * stride);
        size_t d = uet_distance(text, name);

        if (d < least) {
            least = d;
            best = name;
        }
    }
    return best;
}
