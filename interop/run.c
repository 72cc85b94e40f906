/* SPDX-License-Identifier: BSD-2-Clause */
/* Running the cells of a matrix: a process for each, so many at once; results as they come. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interop/folder.h"
#include "interop/matrix.h"

enum { JOBS_MAX = 64 };

struct running {
    struct matrix *matrix;
    const volatile sig_atomic_t *stop;
    FILE *journal;
    bool progress;
    struct {
        pid_t pid; /* 0: free */
        size_t cell;
    } slots[JOBS_MAX];
    unsigned busy;
    size_t done;
};

static const char *journal_path(const struct matrix *m, char path[PATH_LENGTH])
{
    return path_of(path, "%s/results.jsonl", m->out);
}

static struct cell cell_of(const struct matrix *m, const struct matrix_cell *at, const char *folder,
                           const volatile sig_atomic_t *stop)
{
    return (struct cell){.of = at->of,
                         .client = at->client,
                         .server = at->server,
                         .small = m->small,
                         .keep = m->keep,
                         .seed = at->seed,
                         .slow = m->slow,
                         .folder = folder,
                         .bin = m->bin,
                         .stop = stop};
}

/* ---- in the process of a cell ---- */

static void work(const struct running *r, const struct matrix_cell *at)
{
    char folder[PATH_LENGTH], name[300], path[PATH_LENGTH + 16];
    const struct cell cell = cell_of(r->matrix, at, folder, r->stop);
    json_t *result = NULL;

    prctl(PR_SET_PDEATHSIG, SIGTERM);
    path_of(folder, "%s/%s", r->matrix->out, matrix_folder(at, name, sizeof(name)));
    folder_remove(folder);
    if (folder_make(folder) == 0)
        result = cell_run(&cell);
    snprintf(path, sizeof(path), "%s/result.json", folder);
    _exit(result && json_dump_file(result, path, JSON_INDENT(2)) == 0 ? 0 : 1);
}

/* ---- in the runner ---- */

static void tell(const struct running *r, const struct matrix_cell *at)
{
    char reason[800];
    const enum verdict verdict = matrix_verdict(at);
    const bool bad = verdict != CELL_PASS && verdict != CELL_UNSUPPORTED;

    if (r->progress)
        fprintf(stderr, "\r\033[K");
    if (bad)
        fprintf(stderr, "%s %s -> %s %s: %s\n",
                verdict < CELL_VERDICTS ? verdict_words[verdict] : "error", at->client->name,
                at->server->name, at->of->id, matrix_reason(at, reason, sizeof(reason)));
    if (r->progress)
        fprintf(stderr, "%zu of %zu  %zu failed  %s -> %s %s", r->done, r->matrix->n,
                matrix_count(r->matrix, CELL_FAIL), at->client->name, at->server->name, at->of->id);
}

/* A cell whose process left no result has an error: it is told, and the others go on. */
static json_t *lost(const struct matrix_cell *at, int status)
{
    char text[100];

    snprintf(text, sizeof(text), "its process ended with %d and left no result", status);
    return json_pack("{s:s, s:s, s:s, s:s, s:[{s:s, s:s, s:s}]}", "client", at->client->name,
                     "server", at->server->name, "case", at->of->id, "verdict", "error", "reasons",
                     "by", "runner", "verdict", "error", "text", text);
}

static void take(struct running *r, struct matrix_cell *at, json_t *result)
{
    at->result = result;
    r->done++;
    if (result && json_dumpf(result, r->journal, JSON_COMPACT) == 0)
        fputc('\n', r->journal);
    fflush(r->journal);
    tell(r, at);
}

static void reap(struct running *r)
{
    char name[300], path[PATH_LENGTH];
    int status;
    const pid_t pid = waitpid(-1, &status, *r->stop ? 0 : WNOHANG);

    if (pid <= 0) {
        usleep(3000);
        return;
    }
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        if (r->slots[i].pid != pid)
            continue;
        struct matrix_cell *at = &r->matrix->cells[r->slots[i].cell];
        json_t *result = json_load_file(path_of(path, "%s/%s/result.json", r->matrix->out,
                                                matrix_folder(at, name, sizeof(name))),
                                        0, NULL);

        r->slots[i].pid = 0;
        r->busy--;
        if (result || !*r->stop)
            take(r, at, result ? result : lost(at, status));
    }
}

static void launch(struct running *r, size_t cell)
{
    unsigned i = 0;

    while (r->slots[i].pid)
        i++;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        work(r, &r->matrix->cells[cell]);
    if (pid < 0) {
        take(r, &r->matrix->cells[cell], lost(&r->matrix->cells[cell], errno));
        return;
    }
    r->slots[i].pid = pid;
    r->slots[i].cell = cell;
    r->busy++;
}

/* The next cell without a result that must run; the number of cells: none is left. */
static size_t next_cell(struct running *r, size_t from)
{
    struct matrix *m = r->matrix;

    for (; from < m->n; from++) {
        const struct cell cell = cell_of(m, &m->cells[from], "", r->stop);
        json_t *unclaimed;

        if (m->cells[from].result)
            continue;
        unclaimed = cell_unclaimed(&cell);
        if (!unclaimed)
            return from;
        take(r, &m->cells[from], unclaimed);
    }
    return from;
}

static void stop_all(struct running *r)
{
    for (unsigned i = 0; i < JOBS_MAX; i++)
        if (r->slots[i].pid)
            kill(r->slots[i].pid, SIGTERM);
    while (r->busy)
        reap(r);
}

bool matrix_run(struct matrix *m, unsigned jobs, bool progress, const volatile sig_atomic_t *stop)
{
    char path[PATH_LENGTH];
    struct running r = {.matrix = m,
                        .stop = stop,
                        .progress = progress,
                        .journal = fopen(journal_path(m, path), "a")};

    for (size_t i = 0; i < m->n; i++)
        r.done += m->cells[i].result != NULL;
    for (size_t next = r.journal ? next_cell(&r, 0) : m->n; !*stop && (next < m->n || r.busy);) {
        if (next < m->n && r.busy < jobs && r.busy < JOBS_MAX) {
            launch(&r, next);
            next = next_cell(&r, next + 1);
        } else {
            reap(&r);
        }
    }
    stop_all(&r);
    if (progress)
        fprintf(stderr, "\r\033[K");
    return r.journal && fclose(r.journal) == 0 && !*stop;
}

/* ---- what an earlier run has left ---- */

static json_t *head_of(const struct matrix *m)
{
    return json_pack("{s:{s:i, s:b}}", "run", "seed", (int)m->seed, "small", m->small);
}

static void take_back(struct matrix *m, json_t *result)
{
    const char *client = json_string_value(json_object_get(result, "client"));
    const char *server = json_string_value(json_object_get(result, "server"));
    const char *id = json_string_value(json_object_get(result, "case"));

    for (size_t i = 0; client && server && id && i < m->n; i++) {
        struct matrix_cell *at = &m->cells[i];

        if (!at->result && strcmp(at->client->name, client) == 0 &&
            strcmp(at->server->name, server) == 0 && strcmp(at->of->id, id) == 0)
            at->result = json_incref(result);
    }
}

static int read_journal(struct matrix *m, FILE *in, const char *path, char *err, size_t errlen)
{
    json_t *head = head_of(m), *line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL);
    const bool same = json_equal(head, line);

    json_decref(head);
    json_decref(line);
    if (!same) {
        snprintf(err, errlen, "%s: of a run with another seed or size: leave --resume out", path);
        return -EINVAL;
    }
    while ((line = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL))) {
        take_back(m, line);
        json_decref(line);
    }
    return 0; /* a last line that is cut is that of a cell which runs again */
}

int matrix_begin(struct matrix *m, bool resume, char *err, size_t errlen)
{
    char path[PATH_LENGTH];
    int rc = folder_make(m->out);
    FILE *file = rc ? NULL : fopen(journal_path(m, path), resume ? "r" : "w");

    if (!file) {
        snprintf(err, errlen, "%s: %s: name a folder that can be written with --out",
                 rc ? m->out : path, strerror(rc ? -rc : errno));
        return -EIO;
    }
    if (resume) {
        rc = read_journal(m, file, path, err, errlen);
    } else {
        json_t *head = head_of(m);

        if (json_dumpf(head, file, JSON_COMPACT) || fputc('\n', file) == EOF)
            rc = -EIO;
        json_decref(head);
    }
    return fclose(file) && rc == 0 ? -EIO : rc;
}
