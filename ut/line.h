/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines out of a byte stream, bounded by UET_UT_LINE_MAX. Shared by client and server. */
#ifndef UET_UT_LINE_H
#define UET_UT_LINE_H

#include <stddef.h>

/* All zero: empty. */
struct uet_line {
    char *data;
    size_t len, cap;
    size_t taken;   /* bytes of the line handed out last: gone at the next call */
    size_t scanned; /* bytes known to hold no newline */
};

/*
 * Reads once from fd, without waiting (a pipe: when there is something). Returns how many bytes
 * came, 0 at the end of the stream, -EAGAIN when none are there, -EMSGSIZE when a line is longer
 * than UET_UT_LINE_MAX, -ENOMEM, or what the system says.
 */
int uet_line_read(struct uet_line *line, int fd);

/*
 * The next whole line without its newline, ended by a NUL; NULL when there is none yet. *len is
 * its length in bytes (there may be a NUL inside). Good until the next call with this line.
 */
const char *uet_line_next(struct uet_line *line, size_t *len);

void uet_line_free(struct uet_line *line);

#endif
