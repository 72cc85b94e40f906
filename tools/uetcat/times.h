/* SPDX-License-Identifier: BSD-2-Clause */
/* Many times, in little memory: their sums exactly, their percentiles to less than one percent. */
#ifndef UETCAT_TIMES_H
#define UETCAT_TIMES_H

#include <stdint.h>

/* Times below 128 ns have a bucket each; above, each doubling has 128. */
#define UETCAT_TIMES_BUCKETS (128u * 58u)

/* Zeroed: no time yet. */
struct uetcat_times {
    uint64_t n, min_ns, max_ns;
    double sum_ns, sum_sq_ns;
    uint64_t bucket[UETCAT_TIMES_BUCKETS];
};

void uetcat_times_note(struct uetcat_times *t, uint64_t ns);

/*
 * The time that a share of `permille` of all is not longer than, in nanoseconds: 0 the shortest,
 * 500 the median, 1000 the longest. 0 when there is none.
 */
double uetcat_times_at(const struct uetcat_times *t, unsigned permille);

double uetcat_times_mean(const struct uetcat_times *t);

/* The mean deviation as ping has it: the square root of the variance. */
double uetcat_times_deviation(const struct uetcat_times *t);

#endif
