/* SPDX-License-Identifier: BSD-2-Clause */
/* Sub-commands that take names: options may stand before and after them; one line when wrong. */
#ifndef UET_CONFORMANCE_USAGE_H
#define UET_CONFORMANCE_USAGE_H

#include <getopt.h>

/*
 * getopt_long that finds options anywhere on the line. Returns '?' after it wrote its complaint;
 * -1 at the end, when optind is the first of the names. --help comes back as 'h' when it is among
 * the options, and so does -h.
 */
int uet_usage_next(const char *command, int argc, char **argv, const struct option *options);

/*
 * Writes `uetconform COMMAND: message; see uetconform COMMAND --help` to standard error.
 * Returns 2, the exit status for usage and set-up.
 */
int uet_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes `uetconform COMMAND: message` (a file, a line, what is wrong). Returns 2. */
int uet_setup_error(const char *command, const char *message);

#endif
