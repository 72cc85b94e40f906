/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_exec/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/ut_exec/told.h"
#include "ut/ut.h"

enum { LOOK_MS = 1 };

/* In the child; does not return. */
static _Noreturn void become(const struct command *c, const char *text, const json_t *request,
                             json_int_t handle, int bytes, int in)
{
    setsid();
    told_environment(request, handle, bytes);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (dup2(in, STDIN_FILENO) < 0 || dup2(c->out, STDOUT_FILENO) < 0 ||
        dup2(c->err, STDERR_FILENO) < 0)
        _exit(126);
    execl("/bin/sh", "sh", "-uc", text, (char *)NULL);
    _exit(127);
}

/* The request as a file that is read from its begin; -1. */
static int request_file(const json_t *request)
{
    char *text = json_dumps(request, JSON_COMPACT);
    int fd = text ? memfd_create("request", MFD_CLOEXEC) : -1;
    size_t n = text ? strlen(text) : 0;

    if (fd >= 0) {
        text[n] = '\n'; /* in place of the NUL */
        if (write(fd, text, n + 1) != (ssize_t)(n + 1) || lseek(fd, 0, SEEK_SET) != 0) {
            close(fd);
            fd = -1;
        }
    }
    free(text);
    return fd;
}

bool command_start(struct command *c, const char *text, const json_t *request, json_int_t handle,
                   int bytes)
{
    int in = request_file(request);

    *c = (struct command){0, memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
    if (in >= 0 && c->out >= 0 && c->err >= 0) {
        c->pid = fork();
        if (c->pid == 0)
            become(c, text, request, handle, bytes, in);
        if (c->pid < 0)
            c->pid = 0;
    }
    if (in >= 0)
        close(in);
    if (!c->pid)
        command_free(c);
    return c->pid != 0;
}

/* ---- how it ends ---- */

int command_ended(struct command *c, int timeout_ms, int *status)
{
    for (int waited = 0;; waited += LOOK_MS) {
        int how;

        if (c->pid && waitpid(c->pid, &how, WNOHANG) == c->pid) {
            c->pid = 0;
            *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
            return 1;
        }
        if (!c->pid || waited >= timeout_ms)
            return 0;
        poll(NULL, 0, LOOK_MS);
    }
}

char *command_said(const struct command *c, bool errors)
{
    int fd = errors ? c->err : c->out;
    off_t end = lseek(fd, 0, SEEK_END);
    char *text = end >= 0 && end < UET_UT_LINE_MAX ? malloc((size_t)end + 1) : NULL;

    if (text && pread(fd, text, (size_t)end, 0) == (ssize_t)end) {
        text[end] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

void command_free(struct command *c)
{
    int how;

    if (c->pid && kill(-c->pid, SIGKILL) != 0)
        kill(c->pid, SIGKILL); /* it may not have come to setsid */
    while (c->pid && waitpid(c->pid, &how, 0) < 0 && errno == EINTR)
        ;
    if (c->out >= 0)
        close(c->out);
    if (c->err >= 0)
        close(c->err);
    *c = (struct command){0, -1, -1};
}
