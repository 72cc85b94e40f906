/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes of a cell: each leads a group of its own, and is ended by its id. */
#ifndef UET_INTEROP_PROCESS_H
#define UET_INTEROP_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process {
    pid_t pid;  /* 0: none, or it has ended */
    int status; /* after its end, as the shell has it: 128 + a signal's number */
};

struct launch {
    char *const *arguments; /* end with NULL; the first is searched in PATH */
    char *const *environment;
    const char *folder; /* to run in; NULL: here */
    const char *log;    /* file for what it prints */
    int namespace;      /* of the network; -1: this one */
};

/* false: no process could be made. */
bool process_start(struct process *process, const struct launch *launch);

/* Has it ended? What it left behind in its group is ended then, too. */
bool process_ended(struct process *process);

/* SIGTERM, and after so many milliseconds SIGKILL to its group. Waits for the end. */
void process_stop(struct process *process, int grace_ms);

/* SIGKILL to its group. */
void process_kill(struct process *process);

/* From now on what its processes leave behind becomes this process's own. */
void process_adopt(void);

/* Ends all children that there still are, by their ids. */
void process_end_rest(void);

#endif
