/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Times on a machine that others use too. The clock is the thread's CPU time: waiting for a core
 * does not count. A run of a group goes round its benches in slices of a tenth, so that a change
 * of the clock frequency or a busy neighbour meets a bench and its baseline alike; the ratio is
 * taken within a run, and of 7 runs the median counts.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLICES = 10, MAX_BENCHES = 64 };

static double now_ns(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
        bench_die("this system has no clock of a thread's CPU time");
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double v[BENCH_RUNS])
{
    qsort(v, BENCH_RUNS, sizeof *v, by_value);
    return v[BENCH_RUNS / 2];
}

/* One run of benches [from, to): ns a round of each. */
static void run_group(size_t from, size_t to, double *ns)
{
    for (size_t i = from; i < to; i++)
        ns[i] = 0;
    for (int slice = 0; slice < SLICES; slice++)
        for (size_t i = from; i < to; i++) {
            uint32_t rounds = benches[i].rounds / (benches[i].whole ? 1 : SLICES);
            if (benches[i].whole && slice > 0)
                continue;
            double start = now_ns();
            benches[i].run(rounds);
            ns[i] += now_ns() - start;
        }
    for (size_t i = from; i < to; i++)
        ns[i] /= benches[i].rounds;
}

static size_t group_end(size_t from)
{
    size_t to = from + 1;
    while (to < n_benches && benches[to].baseline)
        to++;
    return to;
}

/* What a bench takes more than another one. */
static double more(const double *ns, size_t i, const struct bench *less)
{
    return ns[i] - (less ? ns[less - benches] : 0);
}

void bench_measure(struct result *results)
{
    static double ns[BENCH_RUNS][MAX_BENCHES];
    double all[BENCH_RUNS];
    if (n_benches > MAX_BENCHES)
        bench_die("more benches than measure.c has room for");
    for (size_t i = 0; i < n_benches; i++)
        benches[i].run(benches[i].rounds / SLICES); /* warm caches, code paged in */
    for (size_t r = 0; r < BENCH_RUNS; r++)
        for (size_t from = 0; from < n_benches; from = group_end(from))
            run_group(from, group_end(from), ns[r]);
    for (size_t i = 0; i < n_benches; i++) {
        const struct bench *to = benches[i].baseline ? bench_find(benches[i].baseline) : NULL;
        const struct bench *less = benches[i].less ? bench_find(benches[i].less) : NULL;
        for (size_t r = 0; r < BENCH_RUNS; r++)
            all[r] = ns[r][i];
        results[i] = (struct result){.ns = median(all)};
        for (size_t r = 0; to && r < BENCH_RUNS; r++)
            all[r] = more(ns[r], i, less) / more(ns[r], (size_t)(to - benches), less);
        if (to)
            results[i].ratio = median(all);
    }
}
