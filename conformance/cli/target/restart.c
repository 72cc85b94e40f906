/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/target/restart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ut/verbs.h"

#define LOOK_MS    50 /* between two looks: has it ended, does its upper tester answer? */
#define AFTERWARDS "after the restart"

static int64_t now_ms(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* In the child; does not return. */
static _Noreturn void become(const char *command)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    setsid();
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static bool interrupted(const struct uet_session *session)
{
    return session->stop && *session->stop;
}

/* Waits for the end of a child until the deadline or Ctrl-C. True when it has ended. */
static bool ends(const struct uet_restart *r, pid_t pid, int64_t deadline_ms, int *how)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    pid_t ended = 0;

    while ((ended = waitpid(pid, how, WNOHANG)) == 0 && now_ms() < deadline_ms &&
           !interrupted(r->session)) {
        struct pollfd p = {.fd = fd, .events = POLLIN};

        /* Not for longer: a signal may come just before, and kernels before 5.3 have no pidfd. */
        poll(&p, fd >= 0, LOOK_MS);
    }
    if (fd >= 0)
        close(fd);
    return ended == pid;
}

static int run_command(const struct uet_restart *r, int64_t deadline_ms, char *why, size_t size)
{
    const struct uet_dut *dut = &r->target->dut;
    int how = 0;
    pid_t pid = fork();

    if (pid == 0)
        become(dut->restart);
    if (pid < 0) {
        snprintf(why, size, "restart: no process for it: %s", strerror(errno));
        return -EAGAIN;
    }
    if (!ends(r, pid, deadline_ms, &how)) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL); /* it may not have come to setsid */
        waitpid(pid, NULL, 0);
        if (interrupted(r->session)) {
            snprintf(why, size, "interrupted");
            return -EINTR;
        }
        snprintf(why, size, "%.60s: restart was not over after %.3g s (restart_time)", dut->path,
                 (double)dut->restart_time_ns / 1e9);
        return -ETIMEDOUT;
    }
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
        return 0;
    snprintf(why, size, "%.60s: restart ended with %s %d", dut->path,
             WIFSIGNALED(how) ? "signal" : "exit status",
             WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
    return -EIO;
}

/* One try to reach the upper tester, which must be that of the same FEP. */
static int reach(const struct uet_target *t, const char *when, struct uet_ut **ut, char *why,
                 size_t size)
{
    struct uet_ut_about about;
    char told[200];
    int rc = uet_ut_connect(ut, t->dut.control, 5000, told, sizeof(told));

    if (rc) {
        snprintf(why, size, "%s: %.140s", when, told);
        return rc;
    }
    rc = uet_ut_hello(*ut, &about);
    if (rc)
        snprintf(why, size, "%s the FEP's upper tester does not do `hello`: %.60s", when,
                 (*ut)->error);
    else if (!uet_ip_equal(&about.address, &t->dut.address)) {
        snprintf(why, size, "%s another FEP answers: %.40s %.40s", when, about.name, about.version);
        rc = -EADDRNOTAVAIL;
    }
    if (rc)
        uet_ut_close(*ut);
    return rc;
}

int uet_reconnect(struct uet_target *t, struct uet_session *session, const char *when,
                  int64_t patience_ms, char *why, size_t size)
{
    int64_t deadline_ms = now_ms() + patience_ms;
    struct uet_ut *ut = NULL;
    int rc;

    if (!t->dut.control[0])
        return 0;
    uet_ut_close(t->ut); /* first: it takes one client at a time, and may have outlived the FEP */
    t->ut = session->ut = NULL;
    while ((rc = reach(t, when, &ut, why, size)) != 0 && rc != -EADDRNOTAVAIL &&
           now_ms() < deadline_ms && !interrupted(session))
        poll(NULL, 0, LOOK_MS);
    if (!rc)
        t->ut = session->ut = ut;
    return rc;
}

/* The upper testers of the other set-ups, which are the same one or came up anew, too. */
static int reconnect_setups(const struct uet_restart *r, int64_t deadline_ms, char *why,
                            size_t size)
{
    int rc = 0;

    for (size_t p = 1; !rc && r->setups && p < UET_MAX_PLACES; p++) {
        struct uet_target *t = &r->setups->target[p];
        struct uet_session *session = r->setups->session[p];

        if (session && t->lent_ut)
            t->ut = session->ut = r->target->ut;
        else if (session)
            rc = uet_reconnect(t, session, AFTERWARDS, deadline_ms - now_ms(), why, size);
    }
    return rc;
}

int uet_restart(void *ctx, char *why, size_t size)
{
    struct uet_restart *r = ctx;
    int64_t deadline_ms = now_ms() + (int64_t)(r->target->dut.restart_time_ns / 1000000u);
    int rc = run_command(r, deadline_ms, why, size);

    if (!rc)
        rc = uet_reconnect(r->target, r->session, AFTERWARDS, deadline_ms - now_ms(), why, size);
    return rc ? rc : reconnect_setups(r, deadline_ms, why, size);
}
