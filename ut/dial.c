/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/dial.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ut/where.h"

enum { LOOK_MS = 10, PATIENCE_MS = 2000, MERCY_MS = 500 };

/* ---- sockets ---- */

static const char *advice(int code)
{
    switch (code) {
    case ENOENT:
        return "there is none: start the FEP's upper tester first (uetfep --control unix:PATH)";
    case ECONNREFUSED:
        return "nobody listens: the FEP's upper tester has ended; start it again";
    case EAGAIN:
        return "its program accepts nobody: is it stuck? End it and start it again";
    case EACCES:
        return "no permission: run as the user who started the FEP's upper tester";
    case EINPROGRESS:
    case ETIMEDOUT:
        return "no answer: is the host up, and does a firewall let this port through?";
    default:
        return strerror(code);
    }
}

/* A connected socket, or a negative errno. */
static int connected(int family, const struct sockaddr *addr, socklen_t size, int timeout_ms)
{
    /* A listener that accepts nobody keeps connect waiting as long as a send may. */
    const struct timeval limit = {.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), code;

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) == 0 &&
        connect(fd, addr, size) == 0)
        return fd;
    code = errno;
    if (fd >= 0)
        close(fd);
    return -code;
}

static int dial_unix(const struct uet_ut_where *where, int timeout_ms)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};

    memcpy(addr.sun_path, where->path, strlen(where->path) + 1); /* its length was looked at */
    return connected(AF_UNIX, (const struct sockaddr *)(const void *)&addr, sizeof(addr),
                     timeout_ms);
}

/* Each address of the host in turn. why: filled in when there is none. */
static int dial_tcp(const struct uet_ut_where *where, int timeout_ms, const char **why)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *list;
    int fd = -EHOSTUNREACH, rc = getaddrinfo(where->host, where->port, &wanted, &list);
    const int one = 1;

    if (rc) {
        *why = gai_strerror(rc);
        return -EHOSTUNREACH;
    }
    for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next)
        fd = connected(a->ai_family, a->ai_addr, a->ai_addrlen, timeout_ms);
    freeaddrinfo(list);
    /* A request is one small line, and its answer is waited for. */
    if (fd >= 0 && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) != 0) {
        /* slower, and no less right */
    }
    return fd;
}

/* ---- a command ---- */

/* In the child; does not return. */
static _Noreturn void become(const char *command, int end)
{
    sigset_t none;

    setsid();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(end, STDIN_FILENO) < 0 || dup2(end, STDOUT_FILENO) < 0)
        _exit(126);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static int dial_exec(struct uet_dialled *out, const char *command)
{
    int ends[2], code;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -errno;
    out->child = fork();
    if (out->child == 0)
        become(command, ends[1]);
    code = errno;
    close(ends[1]);
    if (out->child > 0)
        return ends[0];
    out->child = 0;
    close(ends[0]);
    return -code;
}

enum end { STAYS, ENDED, ANOTHERS };

/*
 * What of the child within that time? how: as waitpid tells. ANOTHERS: this process was forked off
 * the one that started it, which alone can wait for it, and so is the one to end it.
 */
static enum end look(struct uet_dialled *d, int *how, int patience_ms)
{
    for (int waited = 0;; waited += LOOK_MS) {
        pid_t got = waitpid(d->child, how, WNOHANG);

        if (got != 0) {
            d->child = 0;
            return got > 0 ? ENDED : ANOTHERS;
        }
        if (waited >= patience_ms)
            return STAYS;
        poll(NULL, 0, LOOK_MS);
    }
}

void uet_dialled_end(struct uet_dialled *d, char *out, size_t size)
{
    int how;

    out[0] = '\0';
    if (d->child <= 0 || look(d, &how, MERCY_MS) != ENDED)
        return;
    if (WIFEXITED(how))
        snprintf(out, size, "the command of exec: has ended with exit status %d", WEXITSTATUS(how));
    else if (WIFSIGNALED(how))
        snprintf(out, size, "the command of exec: was ended by signal %d", WTERMSIG(how));
}

void uet_hang_up(struct uet_dialled *d)
{
    pid_t group = d->child;
    int how;

    if (d->fd >= 0) {
        shutdown(d->fd, SHUT_RDWR); /* a process that was forked off may hold it, too */
        close(d->fd);
    }
    d->fd = -1;
    if (group <= 0 || look(d, &how, PATIENCE_MS) != STAYS)
        return;
    if (kill(-group, SIGTERM) == 0 && look(d, &how, MERCY_MS) != STAYS)
        return;
    if (kill(-group, SIGKILL) == 0)
        (void)look(d, &how, MERCY_MS);
}

int uet_dial(struct uet_dialled *out, const char *text, int timeout_ms, char *err, size_t errlen)
{
    struct uet_ut_where where;
    const char *why = NULL;
    int rc = uet_ut_where_read(&where, text, err, errlen);

    *out = (struct uet_dialled){.fd = -1};
    if (rc)
        return rc;
    out->fd = where.way == UET_UT_TCP    ? dial_tcp(&where, timeout_ms, &why)
              : where.way == UET_UT_EXEC ? dial_exec(out, where.path)
                                         : dial_unix(&where, timeout_ms);
    if (out->fd >= 0)
        return 0;
    rc = out->fd;
    out->fd = -1;
    return uet_ut_where_fail(err, errlen, -rc, text, why ? why : advice(-rc));
}
