/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ports in memory with virtual time: one process, one thread, nothing is ever late.
 *
 * Time moves only when somebody sends (the frame takes its latency) or waits in receive, and then
 * straight to the next thing that happens. Same calls, same bytes, same time stamps.
 */
#ifndef UET_PORT_MEMORY_H
#define UET_PORT_MEMORY_H

#include <stdint.h>

#include "port/port.h"

#define UET_MEM_LATENCY_NS 1000u       /* a usual one-way latency */
#define UET_MEM_START_NS   1000000000u /* what the virtual clock shows at the start */
#define UET_MEM_MTU        9216u       /* bytes of an IP packet */

/* A device that stands at the far end of a port: it is called, it never waits. */
struct uet_mem_device {
    void *ctx; /* the device's own, given back in both calls */

    /* A frame reached the device at now_ns. The bytes are good during the call only. */
    void (*frame)(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns);

    /*
     * It is now_ns: do what is due. Returns the next deadline, UINT64_MAX for none. A deadline
     * that is not after now_ns counts as 1 us later, doubling up to 1 ms while the device goes on
     * so: a device that is stuck slows a test down but cannot hang it (see uet_mem_stats).
     */
    uint64_t (*advance)(void *ctx, uint64_t now_ns);
};

struct uet_mem_stats {
    uint64_t dropped; /* frames of the device for which the queue had no room */
    uint64_t stalled; /* times that the device asked for a deadline already past */
};

/*
 * Opens a port whose far end is the device; latency_ns goes by each way. *out is closed by
 * uet_port_close; the device stays the caller's and must outlive the port. 0 or -ENOMEM.
 *
 * send: the clock moves on by latency_ns (the device's deadlines in between are kept), the device
 * gets the frames, then advance. receive: hands over what has arrived; else the clock jumps to
 * the next arrival or deadline of the device, or to the receive deadline, whichever is first.
 * receive without a deadline (UINT64_MAX) when nothing can ever come returns -EDEADLK.
 */
int uet_mem_port_open(struct uet_port **out, const struct uet_mem_device *device,
                      uint64_t latency_ns);

/*
 * The device's frame on its way to the tester (copied); it arrives latency_ns later. Called by
 * the device from frame or advance, or by the application after a call on the device. 0,
 * -ENOBUFS (dropped and counted), -EMSGSIZE for a frame longer than the MTU allows (counted too).
 */
int uet_mem_emit(struct uet_port *port, const uint8_t *data, uint32_t len);

/* Calls the device's advance at the present time: after application calls on the device. */
void uet_mem_port_kick(struct uet_port *port);

struct uet_mem_stats uet_mem_port_stats(const struct uet_port *port);

/*
 * Two ports joined back to back with one virtual clock, UET_MEM_LATENCY_NS each way. receive on an
 * end where nothing is in flight moves the clock to the deadline and returns 0; without a deadline
 * -EDEADLK. Each end is closed on its own; the other one then sees -ENODEV. 0 or -ENOMEM.
 */
int uet_mem_pair(struct uet_port **a, struct uet_port **b);

#endif
