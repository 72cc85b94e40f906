/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell of the matrix: one case between one client and one server. */
#ifndef UET_INTEROP_CELL_H
#define UET_INTEROP_CELL_H

#include <jansson.h>
#include <signal.h>

#include "interop/implementation.h"

enum verdict {
    CELL_PASS,
    CELL_FAIL,
    CELL_UNSUPPORTED, /* one of the two does not claim it, or ended with 127 */
    CELL_NOT_SHOWN,   /* all well, but what the case is about did not happen */
    CELL_ERROR,       /* the runner or its relay spoilt it */
    CELL_VERDICTS,
};

/* "pass", ... */
extern const char *const verdict_words[CELL_VERDICTS];

struct cell {
    const struct interop_case *of;
    const struct implementation *client, *server;
    bool small; /* with lengths_small */
    bool keep;  /* captures of cells that passed, however long */
    uint32_t seed;
    double slow;        /* factor of all waiting */
    const char *folder; /* for its logs and captures; made */
    const char *bin;    /* where uetrelay, uetconform and uetfep are */
    const volatile sig_atomic_t *stop;
};

/*
 * Runs it in this process, which enters a network namespace of its own for ever. The result:
 * {client, server, case, verdict, reasons: [{by, text}], ...}, owned by the caller; NULL: no
 * memory, or *stop was set.
 */
json_t *cell_run(const struct cell *cell);

/* The result of one that need not run, as somebody does not claim it; NULL: it must. */
json_t *cell_unclaimed(const struct cell *cell);

#endif
