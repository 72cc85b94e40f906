/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines: long options, numbers, and one clear line when something is wrong. */
#ifndef UET_CONFORMANCE_CLI_ARGS_H
#define UET_CONFORMANCE_CLI_ARGS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * getopt_long with its complaints in one line on standard error: returns '?' after it wrote one.
 * `name` is the sub-command's.
 */
int uet_args_next(const char *name, int argc, char **argv, const struct option *options);

/* Reads a number in [min, max]; false (and the complaint written) when it is none. */
bool uet_args_number(const char *name, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value);
bool uet_args_real(const char *name, const char *option, const char *text, double min, double max,
                   double *value);

/* Makes a directory and those above it; false (and the complaint written) when it cannot. */
bool uet_args_directory(const char *name, const char *path);

#endif
