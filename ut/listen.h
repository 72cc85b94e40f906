/* SPDX-License-Identifier: BSD-2-Clause */
/* Where an upper tester listens (ut/where.h): a Unix socket, or a TCP port. */
#ifndef UET_UT_LISTEN_H
#define UET_UT_LISTEN_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/un.h>

struct uet_listener {
    int fd;
    struct sockaddr_un addr; /* of a Unix socket; sun_path "" of a TCP port */
    dev_t dev;               /* of the socket's file: removed only if it is still ours */
    ino_t ino;
};

/*
 * A Unix socket left there by a program that has ended is replaced. 0, or a negative errno and a
 * sentence in err: -EADDRINUSE (another program listens there), -EEXIST (a file that is no socket),
 * -EINVAL, -ENAMETOOLONG, or what the system says.
 */
int uet_listen(struct uet_listener *out, const char *where, char *err, size_t errlen);

/* Closes, and removes the socket's file. */
void uet_listener_close(struct uet_listener *listener);

/* Who has connected: "pid 71 (uetconform), uid 0" of a Unix socket, "a client at 10.0.0.1". */
void uet_listener_names(int fd, char *out, size_t size);

#endif
