/* SPDX-License-Identifier: BSD-2-Clause */
/* One end of the relay: an interface, and the capture of its cable. */
#ifndef UET_INTEROP_RELAY_END_H
#define UET_INTEROP_RELAY_END_H

#include "interop/relay/relay.h"
#include "port/capture.h"
#include "port/pcapng.h"
#include "port/port.h"

enum { RELAY_BATCH = 64 }; /* frames at a time */

#define RELAY_PATIENCE_NS 200000000u /* with an interface that has no room for a frame */

/* Frames that the relay's own machine lost on the way in or out. */
struct relay_drops {
    uint64_t missed;       /* dropped by the kernel: the relay read too slowly */
    uint64_t truncated;    /* longer than the MTU: offloads are on */
    uint64_t interface_rx; /* dropped by the interface, received and sent */
    uint64_t interface_tx; /* but for those of which it told, and which were sent again */
};

struct relay_end {
    const char *ifname;
    struct uet_port *port;
    struct uet_pcapng *capture;           /* NULL: none */
    uint64_t epoch_ns;                    /* from the port's clock to the time of day */
    uint64_t received_ns;                 /* the last frame */
    uint64_t recorded_ns;                 /* the same of the capture, whose times never go back */
    struct relay_drops at_start;          /* of the interface, by others */
    struct relay_frame *out[RELAY_BATCH]; /* due, and not yet taken by the interface */
    size_t n_out;
    uint64_t full_ns; /* since when it takes none of them; 0: it does */
};

/*
 * Opens interface and capture (path NULL: none). 0; or a negative errno, and one sentence in err:
 * what is wrong and how to mend it.
 */
int relay_end_open(struct relay_end *end, const char *ifname, const char *path, char *err,
                   size_t errlen);

/* Writes a frame to the capture, if there is one. The first error of writing is told at close. */
void relay_end_record(struct relay_end *end, const uint8_t *data, uint32_t len, uint64_t time_ns,
                      enum uet_direction direction, const char *text);

/* What was lost since relay_end_open. */
struct relay_drops relay_end_drops(const struct relay_end *end);

/* Closes both. 0, or what went wrong with the capture. */
int relay_end_close(struct relay_end *end);

#endif
