/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ut/where.h"

enum { BACKLOG = 8 }; /* connections that wait to be accepted */

/* ---- a Unix socket ---- */

/* What is wrong with the place, and how to mend it. */
static const char *advice(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return "there is no such folder: make it, or choose another path";
    case EACCES:
    case EROFS:
        return "no right to write there: choose another path";
    default:
        return strerror(code);
    }
}

static const struct sockaddr *address_of(const struct sockaddr_un *addr)
{
    return (const struct sockaddr *)(const void *)addr;
}

/* Does somebody listen at the address? 1, 0, or a negative errno. */
static int somebody_listens(const struct sockaddr_un *addr)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int rc = 1;

    if (fd < 0)
        return -errno;
    if (connect(fd, address_of(addr), sizeof(*addr)))
        rc = errno == ECONNREFUSED ? 0 : errno == EAGAIN ? 1 : -errno;
    close(fd);
    return rc;
}

/* Makes the path free when what stands there is a socket without a program. */
static int clear_stale(const struct sockaddr_un *addr, char *err, size_t errlen)
{
    const char *path = addr->sun_path;
    struct stat st;
    int rc;

    if (lstat(path, &st))
        return errno == ENOENT ? 0 : uet_ut_where_fail(err, errlen, errno, path, advice(errno));
    if (!S_ISSOCK(st.st_mode))
        return uet_ut_where_fail(
            err, errlen, EEXIST, path,
            "there is a file that is no socket: remove it, or choose another path");
    rc = somebody_listens(addr);
    if (rc > 0)
        return uet_ut_where_fail(err, errlen, EADDRINUSE, path,
                                 "another program listens there: end it, or choose another path");
    if (rc < 0)
        return uet_ut_where_fail(err, errlen, -rc, path, advice(-rc));
    if (unlink(path))
        return uet_ut_where_fail(err, errlen, errno, path, advice(errno));
    return 0;
}

static int listen_unix(struct uet_listener *l, char *err, size_t errlen)
{
    struct stat st;

    l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->fd < 0 || bind(l->fd, address_of(&l->addr), sizeof(l->addr)))
        return uet_ut_where_fail(err, errlen, errno, l->addr.sun_path, advice(errno));
    if (listen(l->fd, BACKLOG) || lstat(l->addr.sun_path, &st)) {
        int code = errno;

        unlink(l->addr.sun_path);
        return uet_ut_where_fail(err, errlen, code, l->addr.sun_path, strerror(code));
    }
    l->dev = st.st_dev;
    l->ino = st.st_ino;
    return 0;
}

/* ---- a TCP port ---- */

static int listen_tcp(struct uet_listener *l, const struct uet_ut_where *where, const char *text,
                      char *err, size_t errlen)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *list;
    const int one = 1;
    int rc = getaddrinfo(where->host, where->port, &wanted, &list), code = 0;

    if (rc)
        return uet_ut_where_fail(err, errlen, EINVAL, text,
                                 "listen on an IP address of this host, as tcp:10.0.0.2:4700");
    l->fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->fd < 0 || setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
        bind(l->fd, list->ai_addr, list->ai_addrlen) || listen(l->fd, BACKLOG))
        code = errno;
    freeaddrinfo(list);
    return code ? uet_ut_where_fail(err, errlen, code, text,
                                    code == EADDRINUSE ? "another program listens there: end it, "
                                                         "or choose another port"
                                                       : strerror(code))
                : 0;
}

/* ---- both ---- */

int uet_listen(struct uet_listener *out, const char *text, char *err, size_t errlen)
{
    struct uet_ut_where where;
    int rc = uet_ut_where_read(&where, text, err, errlen);

    *out = (struct uet_listener){.fd = -1, .addr = {.sun_family = AF_UNIX}};
    if (rc)
        return rc;
    if (where.way == UET_UT_EXEC)
        return uet_ut_where_fail(err, errlen, EINVAL, text,
                                 "nobody can connect there: listen on unix:PATH or tcp:HOST:PORT");
    if (where.way == UET_UT_TCP) {
        rc = listen_tcp(out, &where, text, err, errlen);
    } else {
        memcpy(out->addr.sun_path, where.path, strlen(where.path) + 1);
        rc = clear_stale(&out->addr, err, errlen);
        if (!rc)
            rc = listen_unix(out, err, errlen);
    }
    if (rc && out->fd >= 0)
        close(out->fd);
    return rc;
}

void uet_listener_close(struct uet_listener *l)
{
    struct stat st;

    close(l->fd);
    if (l->addr.sun_path[0] && lstat(l->addr.sun_path, &st) == 0 && st.st_dev == l->dev &&
        st.st_ino == l->ino)
        unlink(l->addr.sun_path);
}

/* ---- who is there ---- */

/* The program's name after its pid; "" when the system does not tell. */
static void name_of(pid_t pid, char *name, size_t size)
{
    char path[40];
    FILE *file;

    name[0] = 0;
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    file = pid > 0 ? fopen(path, "re") : NULL;
    if (!file)
        return;
    if (fgets(name, (int)size, file))
        name[strcspn(name, "\n")] = 0;
    fclose(file);
}

/* Of a TCP connection; false when fd is none. */
static bool names_host(int fd, char *out, size_t size)
{
    struct sockaddr_storage peer = {.ss_family = AF_UNIX};
    socklen_t n = sizeof(peer);
    char host[NI_MAXHOST];
    const int one = 1;

    if (getpeername(fd, (struct sockaddr *)&peer, &n) || peer.ss_family == AF_UNIX)
        return false;
    if (getnameinfo((struct sockaddr *)&peer, n, host, sizeof(host), NULL, 0, NI_NUMERICHOST))
        snprintf(host, sizeof(host), "?");
    snprintf(out, size, "a client at %.60s", host);
    /* A reply is one small line that is waited for. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    return true;
}

void uet_listener_names(int fd, char *out, size_t size)
{
    struct ucred who = {0};
    socklen_t n = sizeof(who);
    char name[32];

    if (names_host(fd, out, size))
        return;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n))
        who = (struct ucred){0};
    name_of(who.pid, name, sizeof(name));
    if (who.pid == 0) /* as the system knows it from another pid namespace */
        snprintf(out, size, "a program of another pid namespace, uid %u", who.uid);
    else
        snprintf(out, size, "pid %d (%s), uid %u", (int)who.pid, name[0] ? name : "?", who.uid);
}
