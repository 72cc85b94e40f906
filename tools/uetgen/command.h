/* SPDX-License-Identifier: BSD-2-Clause */
/* The sub-commands of uetgen: one file each, listed in main.c. */
#ifndef UETGEN_COMMAND_H
#define UETGEN_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/lang.h"

/* Exit statuses: done; could not write, or a check failed; the question was wrong. */
enum { UETGEN_DONE = 0, UETGEN_FAILED = 1, UETGEN_USAGE = 2 };

/* argv[0] is the sub-command's name. Each prints its own messages and returns an exit status. */
int uetgen_packet(int argc, char **argv);
int uetgen_list(int argc, char **argv);
int uetgen_corpus(int argc, char **argv);
int uetgen_scenario(int argc, char **argv);
int uetgen_flood(int argc, char **argv);

/* The text of `uetgen NAME --help`. */
extern const char uetgen_packet_help[];
extern const char uetgen_list_help[];
extern const char uetgen_corpus_help[];
extern const char uetgen_scenario_help[];
extern const char uetgen_flood_help[];

/*
 * Says what is wrong with a line: the sentence, then the line and carets under the place. Returns
 * UETGEN_USAGE.
 */
int uetgen_line_error(const char *line, const struct uet_gen_error *error);

/* A whole number, decimal or 0x..., from min to max; says in one line what is wrong otherwise. */
bool uetgen_number(const char *command, const char *option, const char *text, uint64_t min,
                   uint64_t max, uint64_t *value);

/* "10ms", "1us", "250" (nanoseconds), "0.5s". */
bool uetgen_time(const char *command, const char *option, const char *text, uint64_t *ns);

#endif
