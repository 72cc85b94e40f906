/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const struct launch *launch, pid_t parent)
{
    int log = open(launch->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    dup2(nothing, STDIN_FILENO);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    }
    if (launch->namespace >= 0 && setns(launch->namespace, CLONE_NEWNET))
        fprintf(stderr, "setns: %s\n", strerror(errno));
    else if (launch->folder && chdir(launch->folder))
        fprintf(stderr, "%s: %s\n", launch->folder, strerror(errno));
    else
        execvpe(launch->arguments[0], launch->arguments, launch->environment);
    fprintf(stderr, "%s: %s\n", launch->arguments[0], strerror(errno));
    _exit(126);
}

bool process_start(struct process *process, const struct launch *launch)
{
    const pid_t parent = getpid(), pid = fork();

    if (pid == 0)
        become(launch, parent);
    *process = (struct process){.pid = pid > 0 ? pid : 0};
    if (pid > 0)
        setpgid(pid, pid); /* both do it: whoever comes first */
    return pid > 0;
}

/* Its group is ended while its id still stands for it. */
static bool reap(struct process *process, int options)
{
    siginfo_t info = {0};
    int status;

    if (process->pid == 0)
        return true;
    if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOWAIT | options) || !info.si_pid)
        return false;
    kill(-process->pid, SIGKILL);
    waitpid(process->pid, &status, 0);
    process->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    process->pid = 0;
    return true;
}

bool process_ended(struct process *process)
{
    return reap(process, WNOHANG);
}

void process_kill(struct process *process)
{
    if (process->pid == 0)
        return;
    kill(-process->pid, SIGKILL);
    (void)reap(process, 0);
}

void process_stop(struct process *process, int grace_ms)
{
    if (process->pid == 0)
        return;
    kill(process->pid, SIGTERM);
    for (int ms = 0; ms < grace_ms && !process_ended(process); ms += 2)
        usleep(2000);
    process_kill(process);
}

void process_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void process_end_rest(void)
{
    char path[64];
    int pid;
    FILE *children;

    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    children = fopen(path, "r");
    while (children && fscanf(children, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    if (children)
        fclose(children);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}
