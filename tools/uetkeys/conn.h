/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JSON lines that carry keys (docs/uetkeys.md): one object a line, in memory that is wiped. Both
 * ends of the socket use it.
 */
#ifndef UET_TOOLS_UETKEYS_CONN_H
#define UET_TOOLS_UETKEYS_CONN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define CONN_LINE_MAX 8192u /* bytes, newline included */

struct conn {
    int fd; /* -1: closed */
    char *line;
    size_t n, taken; /* bytes there; those that were handed out */
};

/* Once, before any JSON: what jansson gives back is wiped. */
void conn_wipe_json(void);

/* Takes the descriptor, also on failure (no memory). */
bool conn_open(struct conn *c, int fd);
void conn_close(struct conn *c);

/*
 * Reads once: bytes, 0 at the end, -EAGAIN when none are there (of conn_dial's after a while),
 * -EMSGSIZE when a line is too long, or a negative errno.
 */
int conn_read(struct conn *c);

/*
 * The next line as an object. NULL: there is no whole line yet, or with *bad one that is no object.
 * The caller owns it.
 */
json_t *conn_next(struct conn *c, bool *bad);

/* Writes an object (stolen) as a line. 0 or a negative errno: then the line is of no use any more.
 */
int conn_write(struct conn *c, json_t *object);

/* Connects to "unix:PATH" or a path; -1 with a line on standard error. who: the command. */
int conn_dial(const char *who, const char *where);

/* The path in `where`; NULL with a line on standard error for what is no Unix socket. */
const char *conn_path(const char *who, const char *where);

#endif
