/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines: long options, their values, and one clear line when something is wrong. */
#ifndef UET_CONFORMANCE_CLI_ARGS_H
#define UET_CONFORMANCE_CLI_ARGS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "conformance/harness/dut.h"

/*
 * getopt_long that finds options anywhere on the line, with its complaints in one line on standard
 * error (an option whose value stands there twice is one of them): returns '?' after it wrote one;
 * -1 at the end, when optind is the first of the names. `command` is the sub-command's name. --help
 * comes back as 'h' when it is among the options, and so does -h.
 */
int uet_args_next(const char *command, int argc, char **argv, const struct option *options);

/*
 * Takes the value of an option that can have one only (a file, say); false (and the complaint
 * written) when it has one already, or an empty one (a variable that a script forgot to set).
 * *value begins as NULL.
 */
bool uet_args_once(const char *command, const char *option, const char *text, const char **value);

/*
 * Is `output` (NULL: none) another file than `input`, which the command reads? false (and the
 * complaint written) when it would be overwritten.
 */
bool uet_args_spares(const char *command, const char *input, const char *output);

/*
 * Are these outputs (either may be NULL: none) two files? false (and the complaint written) when
 * one would overwrite the other.
 */
bool uet_args_apart(const char *command, const char *a, const char *b);

/*
 * Can the output (NULL: none) be written? Before work that takes long: false (and the complaint
 * written) when it cannot. What stands there stays as it is.
 */
bool uet_args_writable(const char *command, const char *output);

/*
 * Refuses an option that nobody would read, beside or without another (tools/idle_option.h); the
 * list ends with one without a name. Before the first uet_args_next. False when the complaint is
 * written.
 */
struct uet_idle_option;
bool uet_args_used(const char *command, int argc, char **argv, const struct option *options,
                   const struct uet_idle_option *idle);

/* Nothing but options may stand on the line; false (and the complaint written) when more does. */
bool uet_args_no_more(const char *command, int argc, char **argv);

/* Reads a number in [min, max]; false (and the complaint written) when it is none. */
bool uet_args_number(const char *command, const char *option, const char *text, uint64_t min,
                     uint64_t max, uint64_t *value);
bool uet_args_real(const char *command, const char *option, const char *text, double min,
                   double max, double *value);

/*
 * The place of text among names, which end with a NULL (uet_dut_specs, uet_profile_names); false
 * (complaint written) for none.
 */
bool uet_args_word(const char *command, const char *option, const char *text,
                   const char *const *names, uint8_t *place);

/* Makes a directory and those above it; false (and the complaint written) when it cannot. */
bool uet_args_directory(const char *command, const char *path);

/*
 * Writes `uetconform COMMAND: message; see uetconform COMMAND --help` to standard error.
 * Returns 2, the exit status for usage and set-up.
 */
int uet_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes `uetconform COMMAND: message` (a file, a line, what is wrong). Returns 2. */
int uet_setup_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
