/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests in a process of their own, for a FEP that is broken on purpose: one that loops for ever, or
 * dies, ends that process and nothing else.
 */
#ifndef UET_CONFORMANCE_CLI_APART_H
#define UET_CONFORMANCE_CLI_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the process tells while it works; lies in memory that both share. */
struct uet_apart {
    volatile uint64_t since_ns; /* when the test under way began (CLOCK_MONOTONIC) */
    volatile bool inside;       /* the FEP is at work (uet_fep_ref_watch) */
    char test[100];             /* the test under way */
};

/* Zeroed memory that a process and its children share, or NULL; freed by uet_apart_free. */
void *uet_apart_memory(size_t size);
void uet_apart_free(void *memory, size_t size);

/* The test of that id begins: to be called in the process. */
void uet_apart_begin(struct uet_apart *apart, const char *test);

/*
 * Runs work(ctx), which returns 0 to 100, in a child of this process: that number. -ETIME when a
 * test was not over after limit_s seconds of wall-clock time and the process was ended, -ECHILD
 * when it died: then apart tells in which test, and whether the FEP was at work. Another negative
 * errno when there is no process for it.
 */
int uet_apart_run(struct uet_apart *apart, int (*work)(void *ctx), void *ctx, double limit_s);

#endif
