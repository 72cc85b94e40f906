/* SPDX-License-Identifier: BSD-2-Clause */
#include "port/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "port/queue.h"

enum {
    ETHERNET_MAX = 14 + 8, /* header and two VLAN tags */
    QUEUE_FRAMES = 8192,
    QUEUE_BYTES = 32 << 20, /* untouched pages cost nothing */
};

#define STALL_MIN_NS 1000u
#define STALL_MAX_NS 1000000u

/* Advances without a frame after which a receive without a deadline gives up. */
#define FUTILE_MAX 10000000u

#define ALL_CAPS                                                                                   \
    (UET_PORT_RAW_IP | UET_PORT_TRIM | UET_PORT_SOURCE | UET_PORT_ENTROPY | UET_PORT_ECN |         \
     UET_PORT_VIRTUAL_TIME)

static uint64_t later(uint64_t now_ns, uint64_t by_ns)
{
    return by_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + by_ns;
}

static bool too_long(const struct uet_port *port, uint32_t len)
{
    return len > port->mtu + ETHERNET_MAX;
}

/* ---- a port with a device at the far end ---- */

struct mem_port {
    struct uet_port port; /* first: the caller holds a pointer to it */
    struct uet_mem_device device;
    struct uet_queue rx; /* from the device to the tester, by time of arrival */
    struct uet_mem_stats stats;
    uint64_t latency_ns;
    uint64_t now_ns;
    uint64_t device_ns; /* the device's next deadline, always after the last advance */
    uint64_t stall_ns;  /* the next step for a device whose deadline does not move */
};

static struct mem_port *mem_of(struct uet_port *port)
{
    return (struct mem_port *)port;
}

static void advance(struct mem_port *mem)
{
    uint64_t next = mem->device.advance(mem->device.ctx, mem->now_ns);

    if (next > mem->now_ns) {
        mem->stall_ns = STALL_MIN_NS;
    } else {
        mem->stats.stalled++;
        next = later(mem->now_ns, mem->stall_ns);
        if (mem->stall_ns < STALL_MAX_NS)
            mem->stall_ns *= 2;
    }
    mem->device_ns = next;
}

/* Moves the clock to until_ns and keeps every deadline of the device on the way. */
static void run_until(struct mem_port *mem, uint64_t until_ns)
{
    while (mem->device_ns <= until_ns && mem->device_ns != UINT64_MAX) {
        if (mem->device_ns > mem->now_ns)
            mem->now_ns = mem->device_ns;
        advance(mem);
    }
    if (until_ns > mem->now_ns)
        mem->now_ns = until_ns;
}

static int mem_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct mem_port *mem = mem_of(port);
    size_t i;

    for (i = 0; i < n && !too_long(port, frames[i].len); i++)
        ;
    if (i == 0 && n > 0)
        return -EMSGSIZE;
    n = i;
    run_until(mem, later(mem->now_ns, mem->latency_ns));
    for (i = 0; i < n; i++) {
        mem->device.frame(mem->device.ctx, frames[i].data, frames[i].len, mem->now_ns);
        advance(mem);
    }
    return (int)n;
}

static int mem_receive(struct uet_port *port, struct uet_frame *frames, size_t max,
                       uint64_t deadline_ns)
{
    struct mem_port *mem = mem_of(port);
    uint32_t futile = 0;

    uet_queue_release(&mem->rx);
    if (max == 0)
        return 0;
    for (;;) {
        uint64_t arrival = uet_queue_next_ns(&mem->rx);
        uint64_t next = arrival < mem->device_ns ? arrival : mem->device_ns;

        if (arrival <= mem->now_ns)
            return uet_queue_pop(&mem->rx, frames, max, mem->now_ns);
        if (next == UINT64_MAX && deadline_ns == UINT64_MAX)
            return -EDEADLK;
        if (next > mem->now_ns && next > deadline_ns) {
            if (deadline_ns > mem->now_ns)
                mem->now_ns = deadline_ns;
            return 0;
        }
        if (deadline_ns == UINT64_MAX && ++futile > FUTILE_MAX)
            return -EDEADLK;
        run_until(mem, next);
    }
}

static uint64_t mem_now(struct uet_port *port)
{
    return mem_of(port)->now_ns;
}

static void mem_close(struct uet_port *port)
{
    uet_queue_free(&mem_of(port)->rx);
    free(port);
}

static const struct uet_port_ops mem_ops = {
    .send = mem_send, .receive = mem_receive, .now = mem_now, .close = mem_close};

int uet_mem_port_open(struct uet_port **out, const struct uet_mem_device *device,
                      uint64_t latency_ns)
{
    struct mem_port *mem = calloc(1, sizeof(*mem));

    if (!mem || uet_queue_init(&mem->rx, QUEUE_FRAMES, QUEUE_BYTES)) {
        free(mem);
        return -ENOMEM;
    }
    mem->port = (struct uet_port){.ops = &mem_ops, .caps = ALL_CAPS, .mtu = UET_MEM_MTU};
    mem->device = *device;
    mem->latency_ns = latency_ns;
    mem->now_ns = mem->device_ns = UET_MEM_START_NS; /* due: the device has not spoken yet */
    mem->stall_ns = STALL_MIN_NS;
    *out = &mem->port;
    return 0;
}

int uet_mem_emit(struct uet_port *port, const uint8_t *data, uint32_t len)
{
    struct mem_port *mem = mem_of(port);
    int rc = -EMSGSIZE;

    if (!too_long(port, len))
        rc = uet_queue_push(&mem->rx, data, len, later(mem->now_ns, mem->latency_ns));
    if (rc)
        mem->stats.dropped++;
    return rc;
}

void uet_mem_port_kick(struct uet_port *port)
{
    advance(mem_of(port));
}

struct uet_mem_stats uet_mem_port_stats(const struct uet_port *port)
{
    return ((const struct mem_port *)port)->stats;
}

/* ---- two ports back to back ---- */

struct pair;

struct pair_end {
    struct uet_port port; /* first */
    struct pair *pair;
    struct uet_queue rx;
    bool open;
};

struct pair {
    struct pair_end ends[2];
    uint64_t now_ns;
};

static struct pair_end *end_of(struct uet_port *port)
{
    return (struct pair_end *)port;
}

static struct pair_end *other_end(struct pair_end *end)
{
    return &end->pair->ends[end == &end->pair->ends[0]];
}

static int pair_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct pair_end *far = other_end(end_of(port));
    uint64_t arrival = later(far->pair->now_ns, UET_MEM_LATENCY_NS);
    size_t i;

    if (!far->open)
        return -ENODEV;
    for (i = 0; i < n; i++) {
        if (too_long(port, frames[i].len))
            return i ? (int)i : -EMSGSIZE;
        if (uet_queue_push(&far->rx, frames[i].data, frames[i].len, arrival))
            break;
    }
    return (int)i;
}

static int pair_receive(struct uet_port *port, struct uet_frame *frames, size_t max,
                        uint64_t deadline_ns)
{
    struct pair_end *end = end_of(port);
    struct pair *pair = end->pair;
    uint64_t arrival;

    uet_queue_release(&end->rx);
    arrival = uet_queue_next_ns(&end->rx);
    if (arrival == UINT64_MAX && !other_end(end)->open)
        return -ENODEV;
    if (arrival == UINT64_MAX && deadline_ns == UINT64_MAX)
        return -EDEADLK;
    if (arrival > pair->now_ns && arrival > deadline_ns) {
        if (deadline_ns > pair->now_ns)
            pair->now_ns = deadline_ns;
        return 0;
    }
    if (arrival > pair->now_ns)
        pair->now_ns = arrival;
    return uet_queue_pop(&end->rx, frames, max, pair->now_ns);
}

static uint64_t pair_now(struct uet_port *port)
{
    return end_of(port)->pair->now_ns;
}

static void pair_close(struct uet_port *port)
{
    struct pair_end *end = end_of(port);

    uet_queue_free(&end->rx);
    end->open = false;
    if (!other_end(end)->open)
        free(end->pair);
}

static const struct uet_port_ops pair_ops = {
    .send = pair_send, .receive = pair_receive, .now = pair_now, .close = pair_close};

int uet_mem_pair(struct uet_port **a, struct uet_port **b)
{
    struct pair *pair = calloc(1, sizeof(*pair));

    if (!pair)
        return -ENOMEM;
    for (int i = 0; i < 2; i++) {
        struct pair_end *end = &pair->ends[i];

        end->port = (struct uet_port){.ops = &pair_ops, .caps = ALL_CAPS, .mtu = UET_MEM_MTU};
        end->pair = pair;
        end->open = true;
        if (uet_queue_init(&end->rx, QUEUE_FRAMES, QUEUE_BYTES)) {
            uet_queue_free(&pair->ends[0].rx);
            free(pair);
            return -ENOMEM;
        }
    }
    pair->now_ns = UET_MEM_START_NS;
    *a = &pair->ends[0].port;
    *b = &pair->ends[1].port;
    return 0;
}
