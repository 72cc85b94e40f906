/* SPDX-License-Identifier: BSD-2-Clause */
/* The fabric's life, its clock, and the way of a frame from line to line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/internal.h"

static int lines_make(struct uet_fabric *f, const struct uet_fabric_config *c)
{
    uint32_t nodes = (uint32_t)c->n_hosts + c->n_switches;
    uint64_t prng = c->seed;

    if (!c->n_hosts || !c->n_cables || c->n_cables > UINT16_MAX ||
        c->trim_keep < UET_FABRIC_TRIM_KEEP)
        return -EINVAL;
    f->n_lines = (uint32_t)(2 * c->n_cables);
    f->lines = calloc(f->n_lines, sizeof(*f->lines));
    f->addresses = calloc(c->n_hosts, sizeof(*f->addresses));
    if (!f->lines || !f->addresses)
        return -ENOMEM;
    memcpy(f->addresses, c->addresses, c->n_hosts * sizeof(*f->addresses));
    for (uint32_t l = 0; l < f->n_lines; l++) {
        const struct uet_fabric_cable *cable = &c->cables[l / 2];
        if (cable->a >= nodes || cable->b >= nodes || cable->a == cable->b ||
            !cable->line.bits_per_s)
            return -EINVAL;
        f->lines[l] = (struct line){.is = cable->line,
                                    .from = l & 1 ? cable->b : cable->a,
                                    .to = l & 1 ? cable->a : cable->b,
                                    .prng = fabric_draw(&prng)};
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
    f->now = now_ns;
    rc = lines_make(f, config);
    if (rc == 0)
        rc = routes_make(f);
    if (rc) {
        uet_fabric_free(f);
        return rc;
    }
    *out = f;
    return 0;
}

void uet_fabric_free(struct uet_fabric *f)
{
    struct frame *next;

    if (!f)
        return;
    for (size_t i = 0; i < f->n_events; i++)
        if (f->heap[i].kind == EVENT_ARRIVE)
            frame_drop(f, f->heap[i].frame);
    for (uint32_t l = 0; f->lines && l < f->n_lines; l++)
        for (int c = 0; c < UET_FABRIC_CLASSES; c++)
            for (struct frame *frame = f->lines[l].queue[c].head; frame; frame = next) {
                next = frame->next;
                frame_drop(f, frame);
            }
    frame_pools_free(f);
    free(f->heap);
    free(f->uplinks);
    free(f->routes);
    free(f->ways);
    free(f->lines);
    free(f->addresses);
    free(f);
}

void uet_fabric_wake(struct uet_fabric *f, uint16_t host, uint64_t now_ns)
{
    struct line *line = &f->lines[f->uplinks[host]];
    uint8_t bytes[FABRIC_FRAME_MAX];
    struct frame *frame;
    size_t len;

    if (now_ns > f->now)
        f->now = now_ns;
    while (!line->busy) {
        len = f->config.pull(f->config.ctx, host, bytes, sizeof(bytes), f->now);
        if (!len)
            return;
        f->stats.sent++;
        frame = frame_new(f, bytes, (uint32_t)len);
        if (!frame)
            continue;
        frame_classify(f, frame);
        line_enqueue(f, line, frame);
    }
}

uint64_t uet_fabric_deadline(const struct uet_fabric *f)
{
    return f->n_events ? f->heap[0].at : UET_FABRIC_NEVER;
}

static void arrive(struct uet_fabric *f, const struct line *at, struct frame *frame)
{
    struct line *line;

    if (at->to < f->config.n_hosts) {
        f->stats.delivered++;
        f->config.deliver(f->config.ctx, at->to, frame->bytes, frame->len, f->now);
        frame_drop(f, frame);
        return;
    }
    line = route_of(f, at->to, frame);
    if (!line) {
        f->stats.no_way++;
        frame_drop(f, frame);
        return;
    }
    line_enqueue(f, line, frame);
}

void uet_fabric_advance(struct uet_fabric *f, uint64_t now_ns)
{
    struct event event;

    while (event_take(f, now_ns, &event)) {
        struct line *line = &f->lines[event.line];
        f->now = event.at;
        if (event.kind == EVENT_ARRIVE) {
            arrive(f, line, event.frame);
            continue;
        }
        line_free(f, line);
        if (!line->busy && line->from < f->config.n_hosts)
            uet_fabric_wake(f, line->from, f->now);
    }
    if (now_ns > f->now)
        f->now = now_ns;
}

void uet_fabric_set_faults(struct uet_fabric *f, size_t cable, bool back,
                           const struct uet_fabric_faults *faults)
{
    static const struct uet_fabric_faults none;

    f->lines[2 * cable + back].faults = faults ? *faults : none;
    f->lines[2 * cable + back].run = 0;
}

struct uet_fabric_stats uet_fabric_stats(const struct uet_fabric *f)
{
    return f->stats;
}
