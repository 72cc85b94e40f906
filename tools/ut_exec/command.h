/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of a command of the template: what it is told, what it says, how it ends. */
#ifndef UET_UT_EXEC_COMMAND_H
#define UET_UT_EXEC_COMMAND_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct command {
    pid_t pid;    /* 0: none, or ended; it leads a process group of its own */
    int out, err; /* what it has written, in memory; -1: none */
};

/*
 * Starts `sh -uc text` (a variable that is not set ends it: an argument that is missing is
 * refused): the request and its bytes (a file, -1: none) are in its environment (told.h), and the
 * whole request, as JSON, on its standard input. false: no process or no memory for it.
 */
bool command_start(struct command *c, const char *text, const json_t *request, json_int_t handle,
                   int bytes);

/*
 * Waits for its end up to timeout_ms (0: looks once). 1: it has ended, and *status is its exit
 * status (128 + n after signal n); 0: not yet.
 */
int command_ended(struct command *c, int timeout_ms, int *status);

/* What it has said so far, ended by a NUL, on standard output or (errors) standard error. NULL: too
 * long for a line of the upper tester, or no memory. Freed by the caller. */
char *command_said(const struct command *c, bool errors);

/* Kills it and what it started, if it has not ended, and frees. */
void command_free(struct command *c);

#endif
