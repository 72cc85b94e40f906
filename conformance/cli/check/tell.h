/* SPDX-License-Identifier: BSD-2-Clause */
/* What `uetconform check` says of a capture, in words and in JSON. */
#ifndef UET_CONFORMANCE_CLI_CHECK_TELL_H
#define UET_CONFORMANCE_CLI_CHECK_TELL_H

#include <stdio.h>

#include "conformance/cli/check/judge.h"

/* The violations by requirement, what was judged and what not, on standard output. */
void check_tell(const struct check_file *file, const struct check_options *options);

/*
 * One line on standard error: nothing was judged, and how to mend it. For a file whose `judged` is
 * 0.
 */
void check_tell_nothing(const struct check_file *file, const struct check_options *options);

/* JSON of a file: begin, each violation (ctx: a struct check_json), end. */
struct check_json {
    FILE *out;
    unsigned n; /* violations written */
};

void check_json_begin(const struct check_json *json, const char *path);
void check_json_violation(void *ctx, const struct uet_violation *violation,
                          const struct check_words *packet);
void check_json_end(const struct check_json *json, const struct check_file *file, int status);

/* A file that could not be read at all. */
void check_json_error(FILE *out, const char *path, const char *error);

#endif
