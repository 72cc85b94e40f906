/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A port in memory with virtual time: one process, one thread, nothing is ever late. It is a fabric
 * of two ends (port/fabric/), one of which is a device.
 *
 * Time moves only when somebody sends (the frame takes its latency) or waits in receive, and then
 * straight to the next thing that happens. Same calls, same bytes, same time stamps.
 */
#ifndef UET_PORT_MEMORY_H
#define UET_PORT_MEMORY_H

#include <stdint.h>

#include "port/port.h"
#include "wire/impair.h"

#define UET_MEM_LATENCY_NS 1000u       /* a usual one-way latency */
#define UET_MEM_START_NS   1000000000u /* what the virtual clock shows at the start */
#define UET_MEM_MTU        9216u       /* bytes of an IP packet */

/* A device that stands at the far end of a port: it is called, it never waits. */
struct uet_mem_device {
    void *ctx; /* the device's own, given back in both calls */

    /* A frame reached the device at now_ns. The bytes are good during the call only. */
    void (*frame)(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns);

    /*
     * It is now_ns: do what is due. Returns the next deadline, UINT64_MAX for none; one that is not
     * after now_ns is put off as uet_fabric_config says, and counted (see uet_mem_stats).
     */
    uint64_t (*advance)(void *ctx, uint64_t now_ns);
};

struct uet_mem_stats {
    uint64_t dropped; /* frames of the device for which there was no room */
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
 * -ENOBUFS (dropped and counted) when too many are under way, -EMSGSIZE for a frame longer than the
 * MTU allows (counted too).
 */
int uet_mem_emit(struct uet_port *port, const uint8_t *data, uint32_t len);

/* The same with a fate: copies, and how much later the last of them arrives; NULL: as usual. */
int uet_mem_emit_as(struct uet_port *port, const uint8_t *data, uint32_t len,
                    const struct uet_fate *fate);

/* Loses what is late by its fate. */
void uet_mem_port_drop_late(struct uet_port *port);

/* Calls the device's advance at the present time: after application calls on the device. */
void uet_mem_port_kick(struct uet_port *port);

/* Counted since the port was opened. */
struct uet_mem_stats uet_mem_port_stats(const struct uet_port *port);

#endif
