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
    const volatile sig_atomic_t *stop; /* ends the loop within 0.1 s when not 0; may be NULL */

    /*
     * A look at the link, every 0.1 s (rc 0) and whenever the port is broken (rc: its negative
     * errno). 0 to go on, and to wait for the port to mend; a negative errno ends the loop. NULL: a
     * broken port ends it.
     */
    int (*look)(void *ctx, int rc);
    void *look_ctx;
};

/*
 * Runs the FEP until *stop. Frames and timers are served as they come; a verb within 0.5 ms while
 * somebody is connected to the control socket; both also while the port is broken and look waits
 * for it. Returns 0, or the negative errno of a port that is broken.
 */
int uet_host_run(struct uet_host *host, const struct uet_host_run *run);

#endif
