/* SPDX-License-Identifier: BSD-2-Clause */
/* ACKs with NSCC's state, and the nominal sizes that it counts (3.6.12). */
#ifndef UET_CONFORMANCE_TESTS_NSCC_H
#define UET_CONFORMANCE_TESTS_NSCC_H

#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds_target.h"

/* The ACK has NSCC state; which congestion control there is is the FEP's choice. */
static inline const struct uet_in *ask_nscc(struct uet_tc *tc, const char *requirement,
                                            const struct uet_out *o)
{
    const struct uet_in *ack = ask(tc, requirement, o);

    if (ack->packet.cc_state != UET_H_ACK_CC_STATE_NSCC)
        uet_skip(tc, "the ACKs of this FEP have no NSCC state");
    return ack;
}

/* From the UDP or entropy header to the trailer, and 40 for IP and Ethernet, whatever they are. */
static inline uint32_t nominal_of(const struct uet_out *o)
{
    uint32_t below = o->route.native ? UET_ENTROPY_BYTES : UET_UDP_BYTES;
    uint32_t crc = o->protect == UET_PROTECT_CRC ? UET_CRC_TRAILER_BYTES : 0;

    return below + o->pds_len + o->ses_len + o->payload_len + crc + sealing_adds(o) + 40;
}

#endif
