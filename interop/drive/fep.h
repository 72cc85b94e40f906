/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP that the driver starts, and the way to its upper tester. */
#ifndef UET_INTEROP_FEP_H
#define UET_INTEROP_FEP_H

#include <sys/types.h>

#include "ut/ut.h"

struct driven {
    pid_t pid; /* of the FEP's process; 0: somebody else has started it */
    struct uet_ut *ut;
};

/* The driver's exit statuses (docs/interop.md). */
enum { ENDPOINT_DONE = 0, ENDPOINT_FAILED = 1, ENDPOINT_UNSUPPORTED = 127 };

/*
 * Starts the command (command[0] NULL: none), whose output goes to LOGS/fep.log, and connects to
 * its upper tester at `control`. Returns an exit status, and has said on stderr why it is not 0.
 */
int driven_start(struct driven *driven, char **command, const char *control, const char *logs);

/* Is it gone by itself? */
bool driven_gone(struct driven *driven);

/* Ends what was started, and waits for its end. */
void driven_stop(struct driven *driven);

/* Sleeps for so many milliseconds; false: a signal asked for the end, at once or before. */
bool driven_sleep(int ms);

/* Keeps SIGTERM and SIGINT for driven_sleep. */
void driven_hold_signals(void);

#endif
