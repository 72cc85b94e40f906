/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/forward.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* An interface whose queue is full is asked again after so long. */
#define FULL_NS 20000u

/* One batch that has come from that side. 0 or -errno. */
static int take_in(struct relay *relay, struct relay_end *ends, enum relay_side side)
{
    struct relay_end *end = &ends[side];
    struct uet_frame frames[RELAY_BATCH];
    int n = uet_port_receive(end->port, frames, RELAY_BATCH, 0);

    if (n == -EINTR)
        return 0;
    for (int i = 0; i < n; i++) {
        const struct uet_frame *f = &frames[i];
        struct relay_fate fate;
        char text[200];

        if (f->time_ns > end->received_ns) /* or the wall clock was set, and stamps with it */
            end->received_ns = f->time_ns;
        fate = relay_arrive(relay, side, f->data, f->len, end->received_ns);
        relay_end_record(end, f->data, f->len, end->received_ns, UET_DIRECTION_IN,
                         relay_fate_text(&fate, false, text, sizeof text));
    }
    return n < 0 ? n : 0;
}

static void sent(struct relay *relay, struct relay_end *to, enum relay_side from, size_t n,
                 uint64_t now_ns)
{
    for (size_t i = 0; i < n; i++) {
        struct relay_frame *frame = to->out[i];
        char text[200];

        relay_end_record(to, frame->data, frame->len, now_ns, UET_DIRECTION_OUT,
                         relay_fate_text(&frame->fate, frame->copy, text, sizeof text));
        relay->counters[from].sent++;
        relay->counters[from].sent_bytes += frame->len;
        free(frame);
    }
    to->n_out -= n;
    memmove(to->out, to->out + n, to->n_out * sizeof to->out[0]);
}

/* One that the interface will never take. */
static void drop_first(struct relay_end *to, uint64_t *counter)
{
    (*counter)++;
    free(to->out[0]);
    to->n_out--;
    memmove(to->out, to->out + 1, to->n_out * sizeof to->out[0]);
}

/* The interface has no room: later it may have. What it never takes must not hold up the rest. */
static void full(struct relay_end *to, uint64_t now_ns, uint64_t *counter)
{
    if (to->full_ns == 0)
        to->full_ns = now_ns;
    if (now_ns - to->full_ns < RELAY_PATIENCE_NS)
        return;
    drop_first(to, counter);
    to->full_ns = 0;
}

/* Sends what is due to that side, as far as the interface takes it. 0 or -errno. */
static int send_out(struct relay *relay, struct relay_end *ends, enum relay_side side)
{
    enum relay_side from = relay_other(side);
    struct relay_end *to = &ends[side];
    struct uet_frame frames[RELAY_BATCH];

    for (;;) {
        uint64_t now_ns = uet_port_now(to->port);
        struct relay_frame *frame;

        while (to->n_out < RELAY_BATCH &&
               (frame = relay_line_take(&relay->lines[from], now_ns)) != NULL)
            to->out[to->n_out++] = frame;
        if (to->n_out == 0)
            return 0;
        for (size_t i = 0; i < to->n_out; i++)
            frames[i] = (struct uet_frame){.data = to->out[i]->data, .len = to->out[i]->len};

        int n = uet_port_send(to->port, frames, to->n_out);
        if (n == -EMSGSIZE) {
            drop_first(to, &relay->counters[from].too_long);
            continue;
        }
        if (n < 0)
            return n;
        if (n > 0)
            to->full_ns = 0;
        sent(relay, to, from, (size_t)n, now_ns);
        if (to->n_out) {
            full(to, now_ns, &relay->counters[from].refused);
            return 0;
        }
    }
}

/* How long the loop may sleep. */
static uint64_t idle_ns(const struct relay *relay, const struct relay_end *ends, uint64_t now_ns)
{
    uint64_t next = UINT64_MAX;

    for (int side = 0; side < RELAY_SIDES; side++) {
        uint64_t due = relay_line_next_ns(&relay->lines[side]);

        if (ends[side].n_out)
            due = now_ns + FULL_NS;
        if (due < next)
            next = due;
    }
    return next == UINT64_MAX ? next : next > now_ns ? next - now_ns : 0;
}

/* Sleeps until something is to do. False: a signal came, or nothing can be waited for. */
static bool wait_for(const struct relay *relay, struct relay_end *ends, const sigset_t *open,
                     struct pollfd *fds)
{
    uint64_t idle = idle_ns(relay, ends, uet_port_now(ends[RELAY_LEFT].port));
    const struct timespec timeout = {.tv_sec = (time_t)(idle / 1000000000u),
                                     .tv_nsec = (long)(idle % 1000000000u)};

    for (int side = 0; side < RELAY_SIDES; side++) {
        struct uet_port_wait wait;

        (void)uet_port_wait(ends[side].port, &wait);
        fds[side] = (struct pollfd){.fd = wait.fd, .events = POLLIN};
    }
    return ppoll(fds, RELAY_SIDES, idle == UINT64_MAX ? NULL : &timeout, open) >= 0;
}

int relay_forward(struct relay *relay, struct relay_end ends[RELAY_SIDES],
                  const volatile sig_atomic_t *stop, const sigset_t *open, enum relay_side *broken)
{
    struct pollfd fds[RELAY_SIDES] = {0};
    int rc = 0;

    (void)prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul); /* delays of some us are meant so */
    while (!*stop && rc == 0) {
        if (!wait_for(relay, ends, open, fds))
            continue;
        for (int side = 0; side < RELAY_SIDES && rc == 0; side++) {
            *broken = (enum relay_side)side;
            if (fds[side].revents)
                rc = take_in(relay, ends, *broken);
        }
        for (int side = 0; side < RELAY_SIDES && rc == 0; side++) {
            *broken = (enum relay_side)side;
            rc = send_out(relay, ends, *broken);
        }
    }
    return rc;
}
