/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs side by side: processes that share nothing, each with every jobs-th seed and a pipe for what
 * its runs came to. The pipes are read in the order of the seeds.
 */
#include "sim/fabric/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/options.h"

struct record {
    int rc;
    struct fabric_result result;
};

struct worker {
    pid_t pid;
    int from; /* its pipe */
};

/* Of the runs that have told it. */
struct measure {
    struct fabric_row sum; /* as the first has told it */
    double least, most;
    uint32_t missed, runs;
    uint32_t newest; /* the number of the last of them, from 1 */
};

struct all {
    const struct fabric_scenario *scenario;
    const struct fabric_wish *wish;
    const struct fabric_runs *runs;
    struct worker *workers;
    uint32_t n_workers;
    struct measure *measures; /* in the order in which they were told first */
    size_t n_measures, room;
    uint32_t n; /* runs */
    json_t *json;
};

/* How many seeds this task has. */
static uint32_t mine(const struct fabric_runs *runs)
{
    return runs->task < runs->n ? (runs->n - runs->task - 1) / runs->tasks + 1 : 0;
}

static uint64_t seed_of(const struct all *all, uint32_t i)
{
    return all->wish->seed + all->runs->task + (uint64_t)i * all->runs->tasks;
}

static bool put_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

static bool get_all(int fd, void *bytes, size_t n)
{
    char *at = bytes;

    while (n) {
        ssize_t got = read(fd, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static void work(const struct all *all, uint32_t first, int to)
{
    const uint32_t n = mine(all->runs);

    for (uint32_t i = first; i < n; i += all->n_workers) {
        struct fabric_wish wish = *all->wish;
        struct record record = {0};
        wish.seed = seed_of(all, i);
        record.rc = fabric_run(all->scenario, &wish, &record.result);
        if (!put_all(to, &record, sizeof(record)))
            _exit(1); /* nobody reads on */
    }
    _exit(0);
}

static int start(struct all *all, uint32_t i)
{
    int ends[2];

    if (pipe(ends))
        return -errno;
    all->workers[i].pid = fork();
    if (all->workers[i].pid < 0) {
        int rc = -errno;
        close(ends[0]);
        close(ends[1]);
        return rc;
    }
    if (!all->workers[i].pid) {
        for (uint32_t other = 0; other < i; other++)
            close(all->workers[other].from);
        close(ends[0]);
        work(all, i, ends[1]);
    }
    close(ends[1]);
    all->workers[i].from = ends[0];
    return 0;
}

/* ---- results ---- */

/* By their names, but for what stands in parentheses: an ideal is its run's own. */
static bool same_measure(const char *a, const char *b)
{
    for (; *a && *a != '(' && *a == *b; a++)
        b++;
    return *a == *b;
}

/* The one that this run, the all->n-th, has not told yet; NULL: no memory. */
static struct measure *measure_of(struct all *all, const struct fabric_row *row)
{
    for (struct measure *m = all->measures; m < all->measures + all->n_measures; m++)
        if (m->newest != all->n && same_measure(m->sum.what, row->what))
            return m;
    if (all->n_measures == all->room) {
        size_t room = all->room ? 2 * all->room : FABRIC_ROWS;
        struct measure *more = realloc(all->measures, room * sizeof(*more));
        if (!more)
            return NULL;
        all->measures = more;
        all->room = room;
    }
    struct measure *m = &all->measures[all->n_measures++];
    *m = (struct measure){.sum = *row, .least = row->value, .most = row->value};
    m->sum.value = 0;
    return m;
}

static int count(struct all *all, const struct fabric_result *result)
{
    all->n++;
    for (const struct fabric_row *row = result->rows; row < result->rows + result->n; row++) {
        struct measure *m = measure_of(all, row);
        if (!m)
            return -ENOMEM;
        m->sum.value += row->value;
        m->least = row->value < m->least ? row->value : m->least;
        m->most = row->value > m->most ? row->value : m->most;
        m->missed += !fabric_met(row);
        m->runs++;
        m->newest = all->n;
    }
    return 0;
}

static uint32_t tell_one(const struct fabric_result *result, uint64_t seed, FILE *f)
{
    uint32_t goals = 0, missed = 0;

    for (size_t i = 0; i < result->n; i++) {
        goals += result->rows[i].goal;
        missed += !fabric_met(&result->rows[i]);
    }
    fprintf(f, "  seed %-8" PRIu64 " %-6s %u of %u goals, digest %016" PRIx64 "\n", seed,
            missed ? "MISSED" : "met", missed ? missed : goals, goals, result->digest);
    return missed;
}

/* Those that each run has told; then the others: a circle is one run's own. */
static void tell_all(const struct all *all, FILE *f)
{
    bool others = false;

    if (!all->n)
        return;
    fprintf(f, "  %-6s %-52s %14s %14s %14s\n", "missed", "", "least", "mean", "most");
    for (const struct measure *m = all->measures; m < all->measures + all->n_measures; m++)
        if (m->runs == all->n)
            fprintf(f, "  %6" PRIu32 " %-52s %14.3f %14.3f %14.3f\n", m->missed, m->sum.what,
                    m->least, m->sum.value / m->runs, m->most);
    for (const struct measure *m = all->measures; m < all->measures + all->n_measures; m++) {
        if (m->runs == all->n)
            continue;
        if (!others)
            fputs("  told by some of these runs only:\n", f);
        others = true;
        fprintf(f,
                "  in %" PRIu32 " of %" PRIu32 ", missed in %" PRIu32
                ": %-36s %14.3f %14.3f %14.3f\n",
                m->runs, all->n, m->missed, m->sum.what, m->least, m->sum.value / m->runs, m->most);
    }
}

/* The same for a program; NULL: no memory. */
static json_t *all_json(const struct all *all)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < all->n_measures; i++) {
        const struct measure *m = &all->measures[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:f, s:f, s:f}", "what", m->sum.what,
                                              "told_by", (json_int_t)m->runs, "missed",
                                              (json_int_t)m->missed, "least", m->least, "mean",
                                              m->sum.value / m->runs, "most", m->most));
    }
    return list;
}

static int collect(struct all *all, FILE *f)
{
    const uint32_t n = mine(all->runs);
    uint32_t missed = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct record record;
        if (!get_all(all->workers[i % all->n_workers].from, &record, sizeof(record)))
            return -EPIPE;
        if (record.rc)
            return record.rc;
        missed += tell_one(&record.result, seed_of(all, i), f);
        int rc = count(all, &record.result);
        if (rc)
            return rc;
        if (all->json)
            json_array_append_new(all->json, fabric_json(seed_of(all, i), &record.result));
    }
    tell_all(all, f);
    return missed ? FABRIC_MISSED : FABRIC_MET;
}

int fabric_runs(const struct fabric_scenario *scenario, const struct fabric_wish *wish,
                const struct fabric_runs *runs, FILE *f, json_t **json, json_t **measures)
{
    struct all all = {.scenario = scenario, .wish = wish, .runs = runs, .json = json_array()};
    uint32_t n_started = 0;
    const uint32_t jobs = runs->jobs < mine(runs) ? runs->jobs : mine(runs);
    int rc = 0;

    *json = all.json;
    all.workers = calloc(jobs + 1u, sizeof(*all.workers));
    if (!all.workers)
        return -ENOMEM;
    fprintf(f, "%s: %s; %" PRIu32 " of %" PRIu32 " runs\n", scenario->name, scenario->text,
            mine(runs), runs->n);
    fflush(NULL); /* or each process would write it */
    for (all.n_workers = jobs ? jobs : 1; n_started < jobs && !rc; n_started += !rc)
        rc = start(&all, n_started);
    if (!rc && jobs)
        rc = collect(&all, f);
    for (uint32_t i = 0; i < n_started; i++) {
        close(all.workers[i].from); /* who still writes ends then */
        waitpid(all.workers[i].pid, NULL, 0);
    }
    *measures = all_json(&all);
    free(all.measures);
    free(all.workers);
    return rc;
}
