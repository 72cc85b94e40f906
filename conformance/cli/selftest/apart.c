/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/selftest/apart.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void *uet_apart_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void uet_apart_free(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}

void uet_apart_begin(struct uet_apart *apart, const char *test)
{
    apart->since_ns = now_ns();
    snprintf(apart->test, sizeof(apart->test), "%s", test);
}

/*
 * Waits for the end of the process, which closes its end of the pipe. False: it takes too long. The
 * limit moves with each test that begins, so it is looked at again when it should have passed.
 */
static bool comes_back(const struct uet_apart *apart, int fd, uint64_t limit_ns)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    for (;;) {
        uint64_t until_ns = apart->since_ns + limit_ns, at_ns = now_ns();
        uint64_t left_ms = until_ns > at_ns ? (until_ns - at_ns) / 1000000u + 1 : 0;

        if (poll(&p, 1, left_ms < INT_MAX ? (int)left_ms : INT_MAX) > 0)
            return true;
        if (left_ms == 0)
            return false;
    }
}

int uet_apart_run(struct uet_apart *apart, int (*work)(void *ctx), void *ctx, double limit_s)
{
    pid_t parent = getpid();
    int ends[2], how = 0;

    if (pipe(ends) != 0)
        return -errno;
    apart->inside = false;
    uet_apart_begin(apart, "");
    fflush(NULL); /* or the child would write it again */
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        close(ends[0]);
        exit(work(ctx)); /* not _exit: a sanitizer looks for leaks there */
    }
    int rc = pid < 0 ? -errno : 0;
    close(ends[1]);
    bool back = !rc && comes_back(apart, ends[0], (uint64_t)(limit_s * 1e9));
    close(ends[0]);
    if (rc)
        return rc;
    if (!back)
        kill(pid, SIGKILL);
    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        ;
    if (!back)
        return -ETIME;
    return WIFEXITED(how) ? WEXITSTATUS(how) : -ECHILD;
}
