/* SPDX-License-Identifier: BSD-2-Clause */
/* The client's way to an upper tester (ut/where.h): a stream of bytes, however it is reached. */
#ifndef UET_UT_DIAL_H
#define UET_UT_DIAL_H

#include <stddef.h>
#include <sys/types.h>

struct uet_dialled {
    int fd;      /* a stream socket, or -1 */
    pid_t child; /* of exec: the command's process, which leads a group of its own; else 0 */
};

/*
 * timeout_ms (> 0) bounds the wait for a listener that accepts nobody. 0, or a negative errno and a
 * sentence in err. To be ended by uet_hang_up.
 */
int uet_dial(struct uet_dialled *out, const char *where, int timeout_ms, char *err, size_t errlen);

/*
 * Ends the stream, also for processes that were forked off and hold it. A command has 2 s to end by
 * itself when its input ends, then its process group is killed: by who started it, not by those.
 */
void uet_hang_up(struct uet_dialled *dialled);

/* Why the other end may have gone: writes how the command ended, or "" when nothing is known. */
void uet_dialled_end(struct uet_dialled *dialled, char *out, size_t size);

#endif
