/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/host/run.h"

#include <errno.h>
#include <time.h>

#include "refimpl/host/internal.h"

enum { BATCH = 64, WAITING_MAX = 1024 };

/*
 * A port waits for its frames only, so the control socket is looked at in between: how often is a
 * trade of latency for wake-ups. Who is connected can be kept waiting; who has just been served
 * will most likely go on.
 */
#define STEP_TALKING_NS   50000u
#define STEP_CONNECTED_NS 500000u
#define STEP_LISTENING_NS 10000000u
#define STEP_ALONE_NS     100000000u
#define TALK_NS           5000000u /* so long after a verb */
#define LOOK_NS           100000000u
#define BROKEN_NS         10000000u /* between two tries of a broken port */

struct loop {
    const struct uet_host_run *run;
    uint64_t look_ns;   /* when to look at the link again */
    uint64_t talked_ns; /* when the last verb was served */
    bool talked;
};

static uint64_t step_of(const struct loop *loop, uint64_t now_ns)
{
    if (!loop->run->control)
        return STEP_ALONE_NS;
    if (!uet_ut_server_connected(loop->run->control))
        return STEP_LISTENING_NS;
    return loop->talked && now_ns - loop->talked_ns < TALK_NS ? STEP_TALKING_NS : STEP_CONNECTED_NS;
}

static json_t *handle(void *ctx, json_t *request)
{
    return uet_host_handle(ctx, request);
}

/*
 * Takes all frames that wait, at most WAITING_MAX: 0 or a negative errno. They came before now_ns,
 * so they are read before the timers of now_ns run: a host that was not scheduled for a while must
 * not take its own absence for the peer's silence.
 */
static int take_waiting(struct uet_host *host, const struct uet_host_run *run, uint64_t now_ns)
{
    struct uet_frame frames[BATCH];
    int n = 1;

    for (int total = 0; n > 0 && total < WAITING_MAX; total += n) {
        n = uet_port_receive(run->port, frames, BATCH, 0);
        for (int i = 0; i < n; i++)
            uet_fep_receive(host->fep, frames[i].data, frames[i].len, now_ns);
        if (n > 0)
            uet_host_pump(host, now_ns);
    }
    return n < 0 && n != -EINTR ? n : 0;
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
        uet_host_pump(host, now_ns);
    }
    return n < 0 ? n : 0;
}

/*
 * What a broken port means (rc: its negative errno), and a look at one that is not. 0 to go on:
 * after a pause when it is broken, since such a port does not wait.
 */
static int look(struct loop *loop, int rc, uint64_t now_ns)
{
    const struct timespec pause = {.tv_nsec = BROKEN_NS};
    int code;

    if (!loop->run->look)
        return rc;
    if (rc == 0 && now_ns < loop->look_ns)
        return 0;
    loop->look_ns = now_ns + LOOK_NS;
    code = loop->run->look(loop->run->look_ctx, rc);
    if (rc && code == 0)
        (void)nanosleep(&pause, NULL); /* a signal ends it early: so much the better */
    return code;
}

int uet_host_run(struct uet_host *host, const struct uet_host_run *run)
{
    struct loop loop = {.run = run};
    int rc = 0;

    host->looping = true;
    while (rc == 0 && !(run->stop && *run->stop)) {
        uint64_t now_ns = uet_port_now(run->port);
        uint64_t deadline_ns = now_ns + step_of(&loop, now_ns);

        rc = take_waiting(host, run, now_ns);
        uet_fep_advance(host->fep, now_ns);
        uet_host_pump(host, now_ns);
        if (uet_fep_deadline(host->fep) < deadline_ns)
            deadline_ns = uet_fep_deadline(host->fep);
        if (rc == 0)
            rc = take_frames(host, run, deadline_ns);
        rc = look(&loop, rc, now_ns);
        if (run->control && uet_ut_server_poll(run->control, handle, host) > 0) {
            loop.talked = true;
            loop.talked_ns = uet_port_now(run->port);
        }
    }
    host->looping = false;
    return rc;
}
