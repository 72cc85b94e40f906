/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/drive/fep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL_MS  20000 /* a reply may take so long: memory of a mebibyte, on a busy machine */
#define START_MS 10000

static bool stopped;
static sigset_t before;

static void ends(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
}

void driven_hold_signals(void)
{
    sigset_t set;

    ends(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
}

bool driven_sleep(int ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    sigset_t set;

    ends(&set);
    if (!stopped && sigtimedwait(&set, NULL, &time) > 0)
        stopped = true;
    return !stopped;
}

static void become(char **command, const char *log)
{
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

    if (fd >= 0) {
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the FEP does not outlive its driver */
    sigprocmask(SIG_SETMASK, &before, NULL);
    execvp(command[0], command);
    fprintf(stderr, "%s: %s\n", command[0], strerror(errno));
    _exit(ENDPOINT_FAILED);
}

bool driven_gone(struct driven *driven)
{
    int status;

    if (driven->pid <= 0 || waitpid(driven->pid, &status, WNOHANG) != driven->pid)
        return false;
    driven->pid = WIFEXITED(status) ? -WEXITSTATUS(status) - 1 : -ENDPOINT_FAILED - 1;
    return true;
}

/* What the FEP, which has ended too early, means for the endpoint. */
static int told_by_end(const struct driven *driven, const char *logs)
{
    const int status = -driven->pid - 1;

    fprintf(stderr, "the FEP ended with %d before its upper tester was there: %s/fep.log\n", status,
            logs);
    return status == ENDPOINT_UNSUPPORTED ? ENDPOINT_UNSUPPORTED : ENDPOINT_FAILED;
}

int driven_start(struct driven *driven, char **command, const char *control, const char *logs)
{
    char log[4200], err[300] = "";

    *driven = (struct driven){0};
    snprintf(log, sizeof(log), "%s/fep.log", logs);
    if (command[0]) {
        driven->pid = fork();
        if (driven->pid == 0)
            become(command, log);
    }
    for (int ms = 0; ms < START_MS; ms += 5) {
        if (uet_ut_connect(&driven->ut, control, CALL_MS, err, sizeof(err)) == 0)
            return ENDPOINT_DONE;
        if (driven_gone(driven))
            return told_by_end(driven, logs);
        if (!driven_sleep(5))
            break;
    }
    fprintf(stderr, "%s\n", err);
    return ENDPOINT_FAILED;
}

void driven_stop(struct driven *driven)
{
    uet_ut_close(driven->ut);
    driven->ut = NULL;
    if (driven->pid <= 0)
        return;
    kill(driven->pid, SIGTERM);
    for (int ms = 0; ms < 2000 && !driven_gone(driven); ms += 5)
        usleep(5000);
    if (driven->pid > 0) {
        kill(driven->pid, SIGKILL);
        waitpid(driven->pid, NULL, 0);
    }
}
