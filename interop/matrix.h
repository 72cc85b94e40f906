/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix: which cells there are, and their results. */
#ifndef UET_INTEROP_MATRIX_H
#define UET_INTEROP_MATRIX_H

#include <signal.h>

#include "interop/cell.h"

struct matrix {
    const struct implementations *implementations;
    const struct cases *cases;
    struct matrix_cell {
        const struct implementation *client, *server;
        const struct interop_case *of;
        uint32_t seed;
        json_t *result; /* NULL: it has not run */
    } * cells;
    size_t n;
    bool small;
    uint32_t seed;
    double slow, seconds;
    bool keep;
    const char *out, *bin;
};

/* Which cells are asked for; a list is names with commas between, NULL: not told. */
struct matrix_choice {
    const char *clients, *servers, *cases;
};

/* 0; or -EINVAL (a name that nobody has, no cell at all) or -ENOMEM and one line in err. */
int matrix_choose(struct matrix *matrix, const struct matrix_choice *choice, char *err,
                  size_t errlen);

/*
 * Runs the cells that have no result, so many at once, each in a process of its own; each result is
 * in OUT/results.jsonl as soon as it is there. Returns false when *stop ended it.
 */
bool matrix_run(struct matrix *matrix, unsigned jobs, bool progress,
                const volatile sig_atomic_t *stop);

/*
 * Begins OUT/results.jsonl, or takes the results from it that are there. 0; or a negative errno and
 * one line in err (another seed, another size).
 */
int matrix_begin(struct matrix *matrix, bool resume, char *err, size_t errlen);

/* How many cells have this verdict. */
size_t matrix_count(const struct matrix *matrix, enum verdict verdict);
/* The verdict of a cell; CELL_VERDICTS: it has not run. */
enum verdict matrix_verdict(const struct matrix_cell *cell);
/* Where its logs and captures are, from OUT: "cells/ref_ref/loss". */
const char *matrix_folder(const struct matrix_cell *cell, char *out, size_t size);
/* NULL: this pair has no such case. */
const struct matrix_cell *matrix_find(const struct matrix *matrix,
                                      const struct implementation *client,
                                      const struct implementation *server,
                                      const struct interop_case *of);
/* Is any cell of this case, of this client, of this server? NULL: of any. */
bool matrix_has(const struct matrix *matrix, const struct implementation *client,
                const struct implementation *server, const struct interop_case *of);

/* "by capture: the server breaks PDS-087 ...": the first reason of what it is. "" for none. */
const char *matrix_reason(const struct matrix_cell *cell, char *out, size_t size);

void matrix_free(struct matrix *matrix);

#endif
