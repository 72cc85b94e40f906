/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The FEP's end of the upper tester's socket: takes lines, gives each to a handler, writes the
 * replies. Never blocks, so that it fits beside a packet loop. One client at a time: two testers at
 * one FEP would spoil each other's tests, so the second is told who holds it, and is closed.
 */
#ifndef UET_UT_SERVER_H
#define UET_UT_SERVER_H

#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uet_ut_server;

/*
 * Listens on a Unix stream socket ("unix:PATH", or a path) or a TCP port ("tcp:HOST:PORT", HOST an
 * IP address of this host; who can reach it can drive the FEP). A socket left there by a program
 * that has ended is replaced. 0, or a negative errno and a sentence in err: -EADDRINUSE (another
 * program listens there), -EEXIST (a file that is no socket), -ENAMETOOLONG, -ENOMEM, or what the
 * system says.
 */
int uet_ut_server_open(struct uet_ut_server **out, const char *where, char *err, size_t errlen);

/*
 * Does what there is to do now: accepts, reads, answers. handle(ctx, request) returns the reply
 * (a new object, NULL: no memory) to a request that is a JSON object; other lines are answered
 * here. Returns how many requests were handled.
 */
size_t uet_ut_server_poll(struct uet_ut_server *server,
                          json_t *(*handle)(void *ctx, json_t *request), void *ctx);

/* Descriptors that uet_ut_server_wait fills in. */
#define UET_UT_SERVER_FDS 2

/*
 * What to wait for before the next uet_ut_server_poll. Returns for how many nanoseconds at most: 0
 * when requests are there already, UINT64_MAX for ever.
 */
uint64_t uet_ut_server_wait(const struct uet_ut_server *server,
                            struct pollfd polls[UET_UT_SERVER_FDS]);

/* Is anybody connected? */
bool uet_ut_server_connected(const struct uet_ut_server *server);

/*
 * The same over standard input and output (`control: exec:COMMAND`), until the input ends, nobody
 * reads, or *stop is set by a signal handler (without SA_RESTART). idle(ctx) is called each
 * millisecond; NULL: there is nothing to do meanwhile.
 */
void uet_ut_speak(json_t *(*handle)(void *ctx, json_t *request), void (*idle)(void *ctx), void *ctx,
                  volatile sig_atomic_t *stop);

/* Closes and removes the socket, if it is still this server's. NULL is allowed. */
void uet_ut_server_close(struct uet_ut_server *server);

#endif
