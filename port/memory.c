/* SPDX-License-Identifier: BSD-2-Clause */
/* A fabric of two hosts without a switch: the tester, whose side is the port, and the device. */
#include "port/memory.h"

#include <errno.h>
#include <stdlib.h>

#include "port/fabric/fabric.h"
#include "port/queue.h"

enum { TESTER, DEVICE };

enum {
    ETHERNET_MAX = 14 + 8,  /* header and two VLAN tags */
    FRAMES_MAX = 8192,      /* under way, and as many that the tester has not taken yet */
    QUEUE_BYTES = 80 << 20, /* untouched pages cost nothing */
};

/* Advances without a frame after which a receive without a deadline gives up. */
#define FUTILE_MAX 10000000u

#define ALL_CAPS                                                                                   \
    (UET_PORT_RAW_IP | UET_PORT_TRIM | UET_PORT_SOURCE | UET_PORT_ENTROPY | UET_PORT_ECN |         \
     UET_PORT_VIRTUAL_TIME)

struct mem_port {
    struct uet_port port; /* first: the caller holds a pointer to it */
    struct uet_mem_device device;
    struct uet_fabric *fabric;
    struct uet_queue rx; /* what has reached the tester */
    uint64_t latency_ns;
    uint64_t dropped;
};

static struct mem_port *mem_of(struct uet_port *port)
{
    return (struct mem_port *)port;
}

static bool too_long(const struct uet_port *port, uint32_t len)
{
    return len > port->mtu + ETHERNET_MAX;
}

/* ---- the callbacks of the fabric ---- */

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    struct mem_port *mem = ctx;

    if (host == DEVICE)
        mem->device.frame(mem->device.ctx, frame, len, now_ns);
    else if (uet_queue_push(&mem->rx, frame, len, now_ns))
        mem->dropped++;
}

static uint64_t advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    struct mem_port *mem = ctx;

    return host == DEVICE ? mem->device.advance(mem->device.ctx, now_ns) : UET_FABRIC_NEVER;
}

/* ---- the port ---- */

static uint64_t mem_now(struct uet_port *port)
{
    return uet_fabric_now(mem_of(port)->fabric);
}

static int mem_send(struct uet_port *port, const struct uet_frame *frames, size_t n)
{
    struct mem_port *mem = mem_of(port);
    size_t i;
    int rc = 0;

    for (i = 0; i < n && !rc; i++)
        rc = too_long(port, frames[i].len)
                 ? -EMSGSIZE
                 : uet_fabric_send(mem->fabric, TESTER, frames[i].data, frames[i].len, NULL, NULL);
    if (rc && i == 1)
        return rc;
    uet_fabric_advance(mem->fabric, mem_now(port) + mem->latency_ns);
    return (int)(rc ? i - 1 : i);
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
        uint64_t next = uet_fabric_deadline(mem->fabric), now_ns = mem_now(port);
        int n = uet_queue_pop(&mem->rx, frames, max, now_ns);

        if (n)
            return n;
        if (next == UINT64_MAX && deadline_ns == UINT64_MAX)
            return -EDEADLK;
        if (next > now_ns && next > deadline_ns) {
            uet_fabric_advance(mem->fabric, deadline_ns);
            return 0;
        }
        if (deadline_ns == UINT64_MAX && ++futile > FUTILE_MAX)
            return -EDEADLK;
        uet_fabric_advance(mem->fabric, next);
    }
}

static void mem_close(struct uet_port *port)
{
    struct mem_port *mem = mem_of(port);

    uet_fabric_free(mem->fabric);
    uet_queue_free(&mem->rx);
    free(mem);
}

static const struct uet_port_ops mem_ops = {
    .send = mem_send, .receive = mem_receive, .now = mem_now, .close = mem_close};

static int fabric_make(struct mem_port *mem)
{
    const struct uet_fabric_cable cable = {TESTER, DEVICE, {.latency_ns = mem->latency_ns}};
    const struct uet_fabric_config config = {.n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .max_frames = FRAMES_MAX,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .ctx = mem,
                                             .deliver = deliver,
                                             .advance = advance};

    return uet_fabric_new(&mem->fabric, &config, UET_MEM_START_NS);
}

int uet_mem_port_open(struct uet_port **out, const struct uet_mem_device *device,
                      uint64_t latency_ns)
{
    struct mem_port *mem = calloc(1, sizeof(*mem));

    if (!mem)
        return -ENOMEM;
    mem->port = (struct uet_port){.ops = &mem_ops, .caps = ALL_CAPS, .mtu = UET_MEM_MTU};
    mem->device = *device;
    mem->latency_ns = latency_ns;
    if (uet_queue_init(&mem->rx, FRAMES_MAX, QUEUE_BYTES) || fabric_make(mem)) {
        mem_close(&mem->port);
        return -ENOMEM;
    }
    *out = &mem->port;
    return 0;
}

/* ---- the device ---- */

int uet_mem_emit_as(struct uet_port *port, const uint8_t *data, uint32_t len,
                    const struct uet_fate *fate)
{
    struct mem_port *mem = mem_of(port);
    int rc = too_long(port, len) ? -EMSGSIZE
                                 : uet_fabric_send(mem->fabric, DEVICE, data, len, fate, NULL);

    mem->dropped += rc != 0;
    return rc;
}

int uet_mem_emit(struct uet_port *port, const uint8_t *data, uint32_t len)
{
    return uet_mem_emit_as(port, data, len, NULL);
}

void uet_mem_port_kick(struct uet_port *port)
{
    uet_fabric_wake(mem_of(port)->fabric, DEVICE, mem_now(port));
}

void uet_mem_port_drop_late(struct uet_port *port)
{
    uet_fabric_drop_late(mem_of(port)->fabric);
}

struct uet_mem_stats uet_mem_port_stats(const struct uet_port *port)
{
    const struct mem_port *mem = (const struct mem_port *)port;

    return (struct uet_mem_stats){.dropped = mem->dropped,
                                  .stalled = uet_fabric_stats(mem->fabric).stalled};
}
