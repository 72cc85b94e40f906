/* SPDX-License-Identifier: BSD-2-Clause */
/* A host in real time: one loop over a port and the upper tester's socket. */
#ifndef UET_REFIMPL_HOST_RUN_H
#define UET_REFIMPL_HOST_RUN_H

#include <signal.h>

#include "refimpl/host/host.h"
#include "ut/server.h"

struct uet_host_run {
    struct uet_port *port;             /* the host's, see uet_host_set_port */
    struct uet_ut_server *control;     /* NULL: nobody drives the FEP */
    const volatile sig_atomic_t *stop; /* not 0 ends the loop; may be NULL */
    /*
     * The signals that are blocked while it waits, and only then: block those whose handler sets
     * *stop, and leave them out here, and none comes unseen. NULL: the caller's.
     */
    const sigset_t *signals;

    /*
     * A look at the link, when look_fd is readable (rc 0) and whenever the port is broken (rc: its
     * negative errno); look_fd -1: every 0.1 s. 0 to go on, and to wait for the port to mend; a
     * negative errno ends the loop. NULL: a broken port ends it.
     */
    int (*look)(void *ctx, int rc);
    void *look_ctx;
    int look_fd; /* with look */

    /* Called when keys_fd is readable (watch.h): the file of keys may have changed. NULL: none. */
    void (*keys)(void *ctx);
    void *keys_ctx;
    int keys_fd; /* with keys */

    /* Called when a packet was not sent for want of a counter (uet_host_used_up). NULL: none. */
    void (*refused)(void *ctx);
    void *refused_ctx;
};

/*
 * Runs the FEP until *stop, which a signal's handler sets. It sleeps until there is a frame, a
 * verb, news of the link or a deadline of the FEP, and serves each as it comes; verbs and timers
 * also while the port is broken and look waits for it. Returns 0, or the negative errno of a port
 * that is broken; -ENOTSUP for one without a descriptor.
 */
int uet_host_run(struct uet_host *host, const struct uet_host_run *run);

#endif
