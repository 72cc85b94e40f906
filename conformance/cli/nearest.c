/* SPDX-License-Identifier: BSD-2-Clause */
/* The ids that a mistyped word may have meant. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/cli/explain.h"
#include "conformance/harness/guess.h"

#define N_BEST 3

struct best {
    const char *id[N_BEST];
    unsigned distance[N_BEST];
};

static void offer(struct best *best, const char *word, const char *id)
{
    unsigned d = uet_distance(word, id);

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
