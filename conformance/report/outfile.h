/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file that appears whole or not at all: it is written beside its name and renamed. What
 * stood under the name before stays until then. While it is written nobody else writes it: the
 * file beside it is locked.
 */
#ifndef UET_REPORT_OUTFILE_H
#define UET_REPORT_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct uet_outfile {
    FILE *out;
    char path[512]; /* "-": standard output */
    char temp[544]; /* "" when path is a device or standard output: written to directly */
};

/*
 * Opens; 0, or a negative errno with one line in error (size bytes): the file, what is wrong, how
 * to mend it. The caller commits or aborts.
 */
int uet_outfile_open(struct uet_outfile *f, const char *path, char *error, size_t size);

/* Do both names lead to one file, whatever links and "./" they have? /dev/null takes all. */
bool uet_outfile_same(const char *a, const char *b);

/* Is it standard output, by whatever name? path may be NULL. */
bool uet_outfile_is_stdout(const char *path);

/* Closes, and puts the file under its name; 0 or a negative errno with a line in error. */
int uet_outfile_commit(struct uet_outfile *f, char *error, size_t size);

/* Closes and removes what was written; nothing when it is not open. */
void uet_outfile_abort(struct uet_outfile *f);

/* The line for a file that cannot be written, for errno-like number; returns -number. */
int uet_outfile_error(const char *path, int number, char *error, size_t size);

#endif
