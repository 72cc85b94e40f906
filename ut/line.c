/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ut/ut.h"

enum { FIRST = 4096 };

/* Forgets the line handed out last. */
static void drop_taken(struct uet_line *line)
{
    if (line->taken == 0)
        return;
    memmove(line->data, line->data + line->taken, line->len - line->taken);
    line->len -= line->taken;
    line->taken = line->scanned = 0;
}

static int make_room(struct uet_line *line)
{
    size_t cap = line->cap ? 2 * line->cap : FIRST;
    char *data;

    if (line->len < line->cap)
        return 0;
    if (line->cap >= UET_UT_LINE_MAX)
        return -EMSGSIZE;
    data = realloc(line->data, cap);
    if (!data)
        return -ENOMEM;
    line->data = data;
    line->cap = cap;
    return 0;
}

int uet_line_read(struct uet_line *line, int fd)
{
    ssize_t n;
    int rc;

    drop_taken(line);
    rc = make_room(line);
    if (rc)
        return rc;
    n = recv(fd, line->data + line->len, line->cap - line->len, MSG_DONTWAIT);
    if (n < 0 && errno == ENOTSOCK) /* standard input */
        n = read(fd, line->data + line->len, line->cap - line->len);
    if (n < 0)
        return errno == EWOULDBLOCK || errno == EINTR ? -EAGAIN : -errno;
    line->len += (size_t)n;
    return (int)n;
}

const char *uet_line_next(struct uet_line *line, size_t *len)
{
    char *end;

    drop_taken(line);
    if (line->len == line->scanned)
        return NULL;
    end = memchr(line->data + line->scanned, '\n', line->len - line->scanned);
    if (!end) {
        line->scanned = line->len;
        return NULL;
    }
    *end = 0;
    *len = (size_t)(end - line->data);
    line->taken = *len + 1;
    return line->data;
}

void uet_line_free(struct uet_line *line)
{
    free(line->data);
    *line = (struct uet_line){0};
}
