/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/host/run.h"

#include <errno.h>

#include "refimpl/host/internal.h"

enum { BATCH = 64 };

/*
 * A port waits for its frames only, so the control socket is looked at in between: how often is a
 * trade of latency for wake-ups, and only who is connected can be kept waiting.
 */
#define STEP_CONNECTED_NS 500000u
#define STEP_LISTENING_NS 10000000u
#define STEP_ALONE_NS     100000000u

static uint64_t step_of(const struct uet_host_run *run)
{
    if (!run->control)
        return STEP_ALONE_NS;
    return uet_ut_server_connected(run->control) ? STEP_CONNECTED_NS : STEP_LISTENING_NS;
}

static json_t *handle(void *ctx, json_t *request)
{
    return uet_host_handle(ctx, request);
}

/* Takes one batch of frames; 0 or a negative errno. */
static int take_frames(struct uet_host *host, const struct uet_host_run *run, uint64_t deadline_ns)
{
    struct uet_frame frames[BATCH];
    int n = uet_port_receive(run->port, frames, BATCH, deadline_ns);

    if (n == -EINTR)
        return 0;
    /* The time is that of handling: a frame's own stamp may lie before the last advance. */
    for (int i = 0; i < n; i++) {
        uint64_t now_ns = uet_port_now(run->port);

        uet_fep_receive(host->fep, frames[i].data, frames[i].len, now_ns);
        host_pump(host, now_ns);
    }
    return n < 0 ? n : 0;
}

int uet_host_run(struct uet_host *host, const struct uet_host_run *run)
{
    int rc = 0;

    while (rc == 0 && !(run->stop && *run->stop)) {
        uint64_t now_ns = uet_port_now(run->port);
        uint64_t deadline_ns = now_ns + step_of(run);

        uet_fep_advance(host->fep, now_ns);
        host_pump(host, now_ns);
        if (uet_fep_deadline(host->fep) < deadline_ns)
            deadline_ns = uet_fep_deadline(host->fep);
        rc = take_frames(host, run, deadline_ns);
        if (run->control)
            (void)uet_ut_server_poll(run->control, handle, host);
    }
    return rc;
}
