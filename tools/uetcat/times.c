/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/times.h"

#include <math.h>

/* A bucket is as wide as one in PER_DOUBLING of the power of two that its times reach. */
enum { BITS = 7, PER_DOUBLING = 1 << BITS };

static unsigned bucket_of(uint64_t ns)
{
    if (ns < PER_DOUBLING)
        return (unsigned)ns;
    unsigned shift = 63u - (unsigned)__builtin_clzll(ns) - BITS;
    return (shift + 1) * PER_DOUBLING + (unsigned)((ns >> shift) & (PER_DOUBLING - 1));
}

/* The middle of its times. */
static double middle_of(unsigned bucket)
{
    if (bucket < PER_DOUBLING)
        return bucket;
    unsigned shift = bucket / PER_DOUBLING - 1;
    return ldexp(PER_DOUBLING + bucket % PER_DOUBLING + 0.5, (int)shift);
}

void uetcat_times_note(struct uetcat_times *t, uint64_t ns)
{
    if (t->n == 0 || ns < t->min_ns)
        t->min_ns = ns;
    if (ns > t->max_ns)
        t->max_ns = ns;
    t->n++;
    t->sum_ns += (double)ns;
    t->sum_sq_ns += (double)ns * (double)ns;
    t->bucket[bucket_of(ns)]++;
}

double uetcat_times_at(const struct uetcat_times *t, unsigned permille)
{
    uint64_t rank = (uint64_t)ceil((double)t->n * permille / 1000), seen = 0;
    if (t->n == 0 || rank <= 1)
        return (double)t->min_ns;
    if (rank >= t->n)
        return (double)t->max_ns;
    unsigned i = 0;
    while ((seen += t->bucket[i]) < rank)
        i++;
    double at = middle_of(i);
    return fmin(fmax(at, (double)t->min_ns), (double)t->max_ns);
}

double uetcat_times_mean(const struct uetcat_times *t)
{
    return t->n ? t->sum_ns / (double)t->n : 0;
}

double uetcat_times_deviation(const struct uetcat_times *t)
{
    double mean = uetcat_times_mean(t);
    double variance = t->n ? t->sum_sq_ns / (double)t->n - mean * mean : 0;
    return variance > 0 ? sqrt(variance) : 0;
}
