/* SPDX-License-Identifier: BSD-2-Clause */
/* The fabric's life, its clock, and the way of a frame from line to line. */
#include <errno.h>
#include <stdlib.h>

#include "port/fabric/internal.h"

#define STALL_MIN_NS 1000u
#define STALL_MAX_NS 1000000u

/* Every line has a rule, or none. */
static int rules_make(struct uet_fabric *f, const struct uet_fabric_config *c)
{
    if (!c->lossless && !c->turns)
        return 0;
    if (!turns_take(f, c->turns) || (c->lossless && (!c->n_switches || c->max_frames)))
        return -EINVAL;
    f->rules = calloc(f->n_lines, sizeof(*f->rules));
    if (!f->rules)
        return -ENOMEM;
    for (uint32_t l = 0; l < f->n_lines; l++) {
        f->lines[l].rule = &f->rules[l];
        if (f->lines[l].is.credit_bytes && f->lines[l].is.credit_bytes < FABRIC_FRAME_MAX)
            return -EINVAL;
    }
    return 0;
}

static int lines_make(struct uet_fabric *f, const struct uet_fabric_config *c)
{
    uint32_t nodes = (uint32_t)c->n_hosts + c->n_switches;
    uint64_t prng = c->seed;

    if (!c->n_hosts || !c->n_cables || c->n_cables > UINT16_MAX ||
        c->trim_keep < UET_FABRIC_TRIM_KEEP)
        return -EINVAL;
    f->n_lines = (uint32_t)(2 * c->n_cables);
    f->lines = calloc(f->n_lines, sizeof(*f->lines));
    f->hosts = calloc(c->n_hosts, sizeof(*f->hosts));
    f->due = calloc(c->n_hosts, sizeof(*f->due));
    if (!f->lines || !f->hosts || !f->due || addresses_make(f, c->addresses))
        return -ENOMEM;
    for (uint16_t h = 0; h < c->n_hosts; h++)
        f->hosts[h] = (struct host){.deadline = c->advance ? f->now : UET_FABRIC_NEVER,
                                    .stall = STALL_MIN_NS};
    due_make(f);
    for (uint32_t l = 0; l < f->n_lines; l++) {
        const struct uet_fabric_cable *cable = &c->cables[l / 2];
        if (cable->a >= nodes || cable->b >= nodes || cable->a == cable->b)
            return -EINVAL;
        f->lines[l] = (struct line){.is = cable->line,
                                    .from = l & 1 ? cable->b : cable->a,
                                    .to = l & 1 ? cable->a : cable->b,
                                    .of_switch = (l & 1 ? cable->b : cable->a) >= c->n_hosts,
                                    .free = {.kind = EVENT_FREE, .line = &f->lines[l]},
                                    .prng = uet_splitmix64(&prng)};
        line_limit(&f->lines[l]);
    }
    return 0;
}

int uet_fabric_new(struct uet_fabric **out, const struct uet_fabric_config *config, uint64_t now_ns)
{
    struct uet_fabric *f = calloc(1, sizeof(*f));
    int rc;

    if (!f)
        return -ENOMEM;
    f->config = *config;
    f->config.addresses = NULL;
    f->config.cables = NULL;
    f->config.turns = NULL;
    f->now = f->base = now_ns;
    f->next_at = UET_FABRIC_NEVER;
    rc = lines_make(f, config);
    if (rc == 0)
        rc = rules_make(f, config);
    if (rc == 0)
        rc = routes_make(f);
    if (rc) {
        uet_fabric_free(f);
        return rc;
    }
    *out = f;
    return 0;
}

static struct frame *frame_of(struct event *event)
{
    return (struct frame *)event; /* its first member */
}

static void lose_frame(struct uet_fabric *f, struct event *event)
{
    if (event->kind == EVENT_ARRIVE)
        frame_drop(f, frame_of(event));
    else if (event->kind == EVENT_CREDIT)
        pair_forget(f, event);
}

void uet_fabric_free(struct uet_fabric *f)
{
    struct frame *next;

    if (!f)
        return;
    events_each(f, lose_frame);
    for (uint32_t l = 0; f->lines && l < f->n_lines; l++)
        for (int c = 0; c < UET_FABRIC_CLASSES; c++)
            for (struct frame *frame = f->lines[l].queue[c].head; frame; frame = next) {
                next = frame->next;
                frame_drop(f, frame);
            }
    pair_free(f);
    frame_pools_free(f);
    free(f->heap);
    free(f->hosts);
    free(f->routes);
    free(f->ways);
    free(f->lines);
    free(f->addresses);
    free(f->by_address);
    free(f->due);
    free(f);
}

size_t uet_fabric_path(struct uet_fabric *f, uint16_t host, const uint8_t *bytes, uint32_t len,
                       uint32_t *lines, size_t cap)
{
    struct frame *frame = len <= FABRIC_FRAME_MAX ? frame_new(f, bytes, len) : NULL;
    const struct line *line = f->hosts[host].uplink;
    size_t n = 0;

    if (!frame)
        return 0;
    frame_classify(f, frame);
    for (; frame->to < f->config.n_hosts && line && n < cap;
         line = is_to_host(f, line) ? NULL : route_of(f, line->to, frame))
        lines[n++] = (uint32_t)(line - f->lines);
    frame_drop(f, frame);
    return line ? 0 : n;
}

/* ---- hosts ---- */

static void send_frame(struct uet_fabric *f, struct line *uplink, struct frame *frame)
{
    f->stats.sent++;
    if (f->config.n_switches || uplink->is.weightless)
        frame_classify(f, frame);
    line_enqueue(f, uplink, frame);
}

int uet_fabric_send(struct uet_fabric *f, uint16_t host, const uint8_t *bytes, uint32_t len,
                    const struct uet_fate *fate, const void *note)
{
    struct frame *frame;

    if (len > FABRIC_FRAME_MAX)
        return -EMSGSIZE;
    if (fate && !fate->copies)
        return 0;
    if (frames_full(f))
        return -ENOBUFS;
    frame = frame_new(f, bytes, len);
    if (!frame)
        return -ENOMEM;
    if (fate && (fate->copies != 1 || fate->delay_ns)) {
        frame->fate = *fate;
        frame->fated = true;
    }
    frame->note = note;
    send_frame(f, f->hosts[host].uplink, frame);
    return 0;
}

/* All that the line takes; false: nothing. */
static bool pull(struct uet_fabric *f, uint16_t host)
{
    uint8_t nowhere[FABRIC_FRAME_MAX]; /* where no frame can be had: it is lost */
    struct line *const uplink = f->hosts[host].uplink;
    bool any = false;

    while (f->config.pull && !uplink->busy) {
        uint8_t *spare = frame_spare(f), *bytes = spare ? spare : nowhere;
        size_t len = f->config.pull(f->config.ctx, host, bytes, FABRIC_FRAME_MAX, f->now);
        struct frame *frame = len && spare ? frame_written(f, (uint32_t)len) : NULL;
        if (!len)
            break;
        any = true;
        if (frame)
            send_frame(f, uplink, frame);
    }
    return any;
}

static void ask_deadline(struct uet_fabric *f, uint16_t host)
{
    struct host *h = &f->hosts[host];
    uint64_t deadline;

    if (!f->config.advance)
        return;
    deadline = f->config.advance(f->config.ctx, host, f->now);
    if (deadline > f->now) {
        h->stall = STALL_MIN_NS;
        due_change(f, host, deadline);
        return;
    }
    f->stats.stalled++;
    due_change(f, host, f->now + h->stall);
    if (h->stall < STALL_MAX_NS)
        h->stall *= 2;
}

/* A pull has brought nothing. */
static void ask_again(struct uet_fabric *f, uint16_t host)
{
    uint64_t deadline;

    if (!f->config.deadline)
        return;
    deadline = f->config.deadline(f->config.ctx, host);
    deadline = deadline > f->now ? deadline : f->now + STALL_MIN_NS;
    if (deadline < f->hosts[host].deadline)
        due_change(f, host, deadline);
}

/* What the host sends may change what is due, and what is done then what it sends. */
static void settle(struct uet_fabric *f, uint16_t host)
{
    do
        ask_deadline(f, host);
    while (pull(f, host) || (f->config.lossless && pair_take(f, host)));
    ask_again(f, host);
}

void uet_fabric_wake(struct uet_fabric *f, uint16_t host, uint64_t now_ns)
{
    if (now_ns > f->now)
        f->now = now_ns;
    settle(f, host);
}

/* ---- the clock ---- */

uint64_t uet_fabric_now(const struct uet_fabric *f)
{
    return f->now;
}

static inline uint64_t next_of_all(const struct uet_fabric *f)
{
    return f->due_at < f->next_at ? f->due_at : f->next_at;
}

uint64_t uet_fabric_deadline(const struct uet_fabric *f)
{
    return next_of_all(f);
}

/* The frame goes on from a switch. */
static void pass_on(struct uet_fabric *f, uint16_t node, struct frame *frame)
{
    struct line *line = route_of(f, node, frame);

    if (f->config.pass &&
        !f->config.pass(f->config.ctx, frame->to, frame->bytes, frame->len, frame->note, f->now)) {
        f->stats.lost++;
        pair_dropped(f, frame);
        frame_drop(f, frame);
    } else if (!line) {
        f->stats.no_way++;
        pair_dropped(f, frame);
        frame_drop(f, frame);
    } else {
        line_enqueue(f, line, frame);
    }
}

/* Frames that arrive together are taken before the host is advanced. */
static bool comes_with(const struct uet_fabric *f, const struct line *line)
{
    const struct event *next = f->next_at == f->now ? event_first(f) : NULL;

    return next && next->kind == EVENT_ARRIVE && next->line == line;
}

static void arrive(struct uet_fabric *f, struct line *at, struct frame *frame)
{
    if (frame->lost) {
        frame_drop(f, frame);
        return;
    }
    if (at->rule)
        frame->came_by = at;
    if (!is_to_host(f, at)) {
        pass_on(f, at->to, frame);
        return;
    }
    if (is_lossless(frame->class)) {
        pair_arrive(f, at, frame);
    } else {
        f->stats.delivered++;
        f->config.deliver(f->config.ctx, at->to, frame->bytes, frame->len, f->now);
        frame_drop(f, frame);
    }
    if (!comes_with(f, at))
        settle(f, at->to);
}

static void happen(struct uet_fabric *f, struct event *event)
{
    struct line *line = event->line;

    if (event->kind == EVENT_ARRIVE) {
        arrive(f, line, frame_of(event));
        return;
    }
    if (event->kind == EVENT_CREDIT) {
        pair_credit(f, event);
        if (line->busy)
            return;
    }
    line_free(f, line);
    if (line->of_switch)
        return;
    /* Where answers wait, what has left may let the host take the next request. */
    if (pull(f, line->from) || f->config.lossless)
        settle(f, line->from);
    else
        ask_again(f, line->from);
}

void uet_fabric_advance(struct uet_fabric *f, uint64_t now_ns)
{
    const uint64_t last = now_ns < UET_FABRIC_NEVER ? now_ns : UET_FABRIC_NEVER - 1;
    uint64_t at;

    /* What was due before now, as uet_fabric_wake has gone on, happens now. */
    while ((at = next_of_all(f)) <= last) {
        f->now = at > f->now ? at : f->now;
        if (f->due_at == at)
            settle(f, f->due[0]);
        else
            happen(f, event_take(f));
    }
    if (now_ns > f->now)
        f->now = now_ns;
}

static void lose_late(struct uet_fabric *f, struct event *event)
{
    (void)f;
    if (event->kind == EVENT_ARRIVE && frame_of(event)->late)
        frame_of(event)->lost = true;
}

void uet_fabric_drop_late(struct uet_fabric *f)
{
    events_each(f, lose_late);
}

void uet_fabric_set_faults(struct uet_fabric *f, size_t cable, bool back,
                           const struct uet_fabric_faults *faults)
{
    static const struct uet_fabric_faults none;

    struct line *line = &f->lines[2 * cable + back];

    line->faults = faults ? *faults : none;
    line->faulty = faults;
    line_limit(line);
    line->run = line->mark_run = line->trim_run = 0;
}

void uet_fabric_set_rate(struct uet_fabric *fabric, size_t cable, bool back, uint64_t bits_per_s)
{
    fabric->lines[2 * cable + back].is.bits_per_s = bits_per_s;
}

uint32_t uet_fabric_waiting(const struct uet_fabric *fabric, size_t cable, bool back,
                            enum uet_fabric_class class)
{
    return fabric->lines[2 * cable + back].queue[class].bytes;
}

struct uet_fabric_port uet_fabric_port(const struct uet_fabric *f, size_t cable, bool back)
{
    struct uet_fabric_port port = f->lines[2 * cable + back].port;

    for (int c = 0; c < UET_FABRIC_CLASSES; c++) {
        port.frames += port.by_class[c].frames;
        port.bytes += port.by_class[c].bytes;
        port.dropped += port.by_class[c].dropped;
    }
    return port;
}

struct uet_fabric_stats uet_fabric_stats(const struct uet_fabric *f)
{
    struct uet_fabric_stats stats = f->stats;

    for (uint32_t l = 0; l < f->n_lines; l++)
        for (int c = 0; c < UET_FABRIC_CLASSES; c++)
            stats.carried += f->lines[l].port.by_class[c].frames;
    return stats;
}
