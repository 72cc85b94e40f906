/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetkeys/conn.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire/secret.h"
#include "wire/tss.h"

/* ---- JSON in memory that is wiped ---- */

/* Stands in front of each piece, and keeps it aligned. */
union piece {
    size_t n;
    max_align_t align;
};

static void *take(size_t n)
{
    union piece *p = n < SIZE_MAX / 2 ? malloc(sizeof *p + n) : NULL;

    if (!p)
        return NULL;
    p->n = n;
    return p + 1;
}

static void give(void *memory)
{
    union piece *p = memory;

    if (!memory)
        return;
    p--;
    uet_tss_wipe(memory, p->n);
    free(p);
}

void conn_wipe_json(void)
{
    json_set_alloc_funcs(take, give);
}

/* ---- lines ---- */

bool conn_open(struct conn *c, int fd)
{
    *c = (struct conn){.fd = fd, .line = uet_secret_new(CONN_LINE_MAX)};
    if (!c->line)
        conn_close(c);
    return c->line != NULL;
}

void conn_close(struct conn *c)
{
    uet_secret_free(c->line);
    if (c->fd >= 0)
        close(c->fd);
    *c = (struct conn){.fd = -1};
}

int conn_read(struct conn *c)
{
    if (c->taken) {
        memmove(c->line, c->line + c->taken, c->n - c->taken);
        c->n -= c->taken;
        uet_tss_wipe(c->line + c->n, c->taken);
        c->taken = 0;
    }
    if (c->n == CONN_LINE_MAX)
        return -EMSGSIZE;
    ssize_t n = recv(c->fd, c->line + c->n, CONN_LINE_MAX - c->n, 0);
    if (n < 0)
        return errno == EINTR || errno == EWOULDBLOCK ? -EAGAIN : -errno;
    c->n += (size_t)n;
    return (int)n;
}

json_t *conn_next(struct conn *c, bool *bad)
{
    char *from = c->line + c->taken, *end = memchr(from, '\n', c->n - c->taken);

    *bad = false;
    if (!end)
        return NULL;
    json_t *object = json_loadb(from, (size_t)(end - from), JSON_REJECT_DUPLICATES, NULL);
    c->taken += (size_t)(end - from) + 1;
    if (object && json_is_object(object))
        return object;
    json_decref(object);
    *bad = true;
    return NULL;
}

static int send_all(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return -errno;
        bytes += sent;
        n -= (size_t)sent;
    }
    return 0;
}

int conn_write(struct conn *c, json_t *object)
{
    char *text = uet_secret_new(CONN_LINE_MAX);
    size_t n = text && object ? json_dumpb(object, text, CONN_LINE_MAX, JSON_COMPACT) : 0;
    int rc = -ENOMEM;

    if (n && n < CONN_LINE_MAX) {
        text[n++] = '\n';
        rc = send_all(c->fd, text, n);
    }
    uet_secret_free(text);
    json_decref(object);
    return rc;
}

/* ---- where ---- */

const char *conn_path(const char *who, const char *where)
{
    const char *path = where && strncmp(where, "unix:", 5) == 0 ? where + 5 : where;

    if (path && *path && strncmp(path, "tcp:", 4) != 0 && strncmp(path, "exec:", 5) != 0 &&
        strlen(path) < sizeof((struct sockaddr_un *)0)->sun_path)
        return path;
    if (!where)
        fprintf(stderr, "%s: give --control unix:PATH, where the key server listens\n", who);
    else
        fprintf(stderr,
                "%s: --control '%s': give unix:PATH of at most 107 bytes; keys go over no "
                "network\n",
                who, where);
    return NULL;
}

int conn_dial(const char *who, const char *where)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    const char *path = conn_path(who, where);

    if (!path)
        return -1;
    memcpy(to.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval often = {.tv_usec = 200000}; /* a look at uetkeys_stop */
    if (fd >= 0 && connect(fd, (const struct sockaddr *)(const void *)&to, sizeof to) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &often, sizeof often) == 0)
        return fd;
    fprintf(stderr, "%s: %s: %s: is `uetkeys serve --control %s` running?\n", who, path,
            strerror(errno), where);
    if (fd >= 0)
        close(fd);
    return -1;
}
