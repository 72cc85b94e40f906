/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint of a cell: its folders, its environment, its process. */
#ifndef UET_INTEROP_ENDPOINT_H
#define UET_INTEROP_ENDPOINT_H

#include "interop/cell.h"
#include "interop/content.h"
#include "interop/folder.h"
#include "interop/process.h"

/* What stays the same in a cell. */
#define ENDPOINT_KEY UINT64_C(0x1000)
#define ENDPOINT_KEY_I                                                                             \
    UINT64_C(0x8000000000001000) /* idempotent_safe (Table 2-13): RUDI wants it */

struct endpoint {
    bool server;
    const struct cell *cell;
    const struct implementation *im;
    int namespace;
    struct process process;
    unsigned starts; /* how often it was started */
    /* Of what it sends, and of what comes to it; NULL: nothing. */
    const struct content *sends, *receives;
    char folder[PATH_LENGTH]; /* scratch: in, out, lists, and the files that tell how far it is */
};

/* Makes its folders and files. 0 or a negative errno. */
int endpoint_prepare(struct endpoint *e, const char *scratch);

/* Starts it for the files first to end of its lists. false: told in its log. */
bool endpoint_start(struct endpoint *e, int first, int end);

/* The address of one end, as text. */
const char *endpoint_address(const struct interop_case *c, bool server);

/* Does this file of its folder exist: "ready", "done", "paused"? */
bool endpoint_told(const struct endpoint *e, const char *what);

/* Makes "go". */
void endpoint_let_go(const struct endpoint *e);

#endif
