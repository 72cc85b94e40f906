/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packets captured twice, on two interfaces (-i any), before and behind a router, or by a mirror
 * of both directions: they must not be taken for what a FEP sent twice.
 */
#ifndef UET_CONFORMANCE_CLI_CHECK_TWICE_H
#define UET_CONFORMANCE_CLI_CHECK_TWICE_H

#include "wire/packet.h"

#define CHECK_TWICE_SLOTS 4096u

struct check_twice {
    struct check_seen {
        uint64_t what, how; /* hashes: of the packet; of what stands below IP, and the hop limit */
        uint64_t time_ns;
    } seen[CHECK_TWICE_SLOTS];
};

/*
 * Was the packet seen a moment ago, by another way? `below` are the captured bytes in front of p's
 * frame. A FEP that repeats a packet sends it by the same way: that is never one captured twice.
 */
bool check_is_twice(struct check_twice *twice, const struct uet_packet *p, const uint8_t *below,
                    size_t n_below, uint64_t time_ns);

#endif
