/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/host/run.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "refimpl/host/internal.h"

enum { BATCH = 64, WAITING_MAX = 1024 };

#define SECOND_NS UINT64_C(1000000000)
#define LOOK_NS   UINT64_C(100000000) /* between looks at a link that tells no news */

/* What one wait is for. */
enum { FD_PORT, FD_LINK, FD_KEYS, FD_CONTROL, N_FDS = FD_CONTROL + UET_UT_SERVER_FDS };

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

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* From now on; a time that is over, or far away, stays what it is. */
static uint64_t after(uint64_t now_ns, uint64_t wait_ns)
{
    return wait_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + wait_ns;
}

/* Everything that the loop waits for, and until when at most. 0 or a negative errno. */
static int gather(struct uet_host *host, const struct uet_host_run *run, struct pollfd *fds,
                  uint64_t *deadline_ns)
{
    struct uet_port_wait port;
    uint64_t now_ns = uet_port_now(run->port);
    int rc = uet_port_wait(run->port, &port);

    for (int i = 0; i < N_FDS; i++)
        fds[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    *deadline_ns = UINT64_MAX;
    if (rc)
        return rc;
    fds[FD_PORT].fd = port.fd;
    *deadline_ns = earlier(port.deadline_ns, uet_fep_deadline(host->fep));
    if (run->look)
        fds[FD_LINK].fd = run->look_fd;
    if (run->look && run->look_fd < 0)
        *deadline_ns = earlier(*deadline_ns, after(now_ns, LOOK_NS));
    if (run->keys)
        fds[FD_KEYS].fd = run->keys_fd;
    if (run->control)
        *deadline_ns = earlier(*deadline_ns,
                               after(now_ns, uet_ut_server_wait(run->control, &fds[FD_CONTROL])));
    return 0;
}

/* Sleeps until one of them has something to tell. What it is stands in fds. */
static void sleep_until(const struct uet_host_run *run, struct pollfd *fds, uint64_t deadline_ns)
{
    uint64_t now_ns = uet_port_now(run->port);
    uint64_t wait_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
    const struct timespec timeout = {.tv_sec = (time_t)(wait_ns / SECOND_NS),
                                     .tv_nsec = (long)(wait_ns % SECOND_NS)};

    /* A signal between the look at *stop and here is one of those that only this lets through. */
    if (ppoll(fds, N_FDS, deadline_ns == UINT64_MAX ? NULL : &timeout, run->signals) < 0)
        for (int i = 0; i < N_FDS; i++)
            fds[i].revents = 0;
}

/* What the state of link and port means: 0 to go on. news: the link may have changed. */
static int look(const struct uet_host_run *run, int rc, bool news)
{
    return run->look && (rc || news || run->look_fd < 0) ? run->look(run->look_ctx, rc) : rc;
}

/* Packets that were not sent for want of a counter (TSS-022): which of the FEP's counters tells.
 * One that the FEP does not have stays 0. */
static size_t refused_counter(void)
{
    const char *name;
    size_t i = 0;

    while ((name = uet_fep_counter_name(i)) && strcmp(name, "out_invoke_fail") != 0)
        i++;
    return i;
}

/* Tells of it when there are more than the last look has *seen. */
static void tell_refused(const struct uet_host *host, const struct uet_host_run *run,
                         size_t counter, uint64_t *seen)
{
    const uint64_t now = uet_fep_counter(host->fep, counter);

    if (run->refused && now != *seen)
        run->refused(run->refused_ctx);
    *seen = now;
}

/*
 * Does what the upper tester asks for; what came on the link before that is taken first, as it was
 * meant. 0, or what was wrong with the port.
 */
static int take_orders(struct uet_host *host, const struct uet_host_run *run)
{
    int rc = take_waiting(host, run, uet_port_now(run->port));

    (void)uet_ut_server_poll(run->control, handle, host);
    return rc;
}

int uet_host_run(struct uet_host *host, const struct uet_host_run *run)
{
    struct pollfd fds[N_FDS] = {0};
    const size_t counter = refused_counter();
    uint64_t deadline_ns, refused = 0;
    int rc = 0, came = 0;

    host->looping = true;
    while (rc == 0 && !(run->stop && *run->stop)) {
        uint64_t now_ns = uet_port_now(run->port);

        rc = came ? came : take_waiting(host, run, now_ns);
        uet_fep_advance(host->fep, now_ns);
        uet_host_pump(host, now_ns);
        tell_refused(host, run, counter, &refused);
        rc = look(run, rc, fds[FD_LINK].revents != 0);
        if (rc == 0)
            rc = gather(host, run, fds, &deadline_ns);
        if (rc == 0)
            sleep_until(run, fds, deadline_ns);
        if (run->keys && fds[FD_KEYS].revents)
            run->keys(run->keys_ctx);
        if (run->control)
            came = take_orders(host, run);
    }
    host->looping = false;
    return rc;
}
