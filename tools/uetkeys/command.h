/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of uetkeys, and what they share. docs/man/uetkeys.1, docs/uetkeys.md */
#ifndef UET_TOOLS_UETKEYS_COMMAND_H
#define UET_TOOLS_UETKEYS_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/bad_option.h"

enum { UETKEYS_DONE = 0, UETKEYS_REFUSED = 1, UETKEYS_USAGE = 2 };

int uetkeys_new(int argc, char **argv);
int uetkeys_serve(int argc, char **argv);
int uetkeys_follow(int argc, char **argv);
int uetkeys_ask(int argc, char **argv); /* status, rekey, epoch, join, leave */

extern const char uetkeys_new_help[], uetkeys_serve_help[], uetkeys_follow_help[],
    uetkeys_ask_help[];

/* Not 0 after Ctrl-C or SIGTERM, which end every wait. */
extern volatile sig_atomic_t uetkeys_stop;

/* One line on standard error; returns UETKEYS_USAGE. */
__attribute__((format(printf, 2, 3))) int uetkeys_wrong(const char *command, const char *format,
                                                        ...);

/* A time such as 500ms, 10s, 5min; else a line on standard error. */
bool uetkeys_time(const char *command, const char *option, const char *text, uint64_t *ns);

/* Tells what the system refuses to keep secret; goes on. */
void uetkeys_guard(const char *command);

/*
 * Writes a file that its owner alone can read in the place of another, so that who reads it sees
 * the old one or the new one. 0 or a negative errno.
 */
int uetkeys_replace(const char *path, const char *text, size_t n);

#endif
