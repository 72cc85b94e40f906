/* SPDX-License-Identifier: BSD-2-Clause */
/* The FCS that some captures hold behind an Ethernet frame: CRC-32 of IEEE 802.3, 3.2.9. */
#ifndef UET_WIRE_CAPTURED_FCS_H
#define UET_WIRE_CAPTURED_FCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UET_FCS_BYTES 4u

/* Are the last four of the n bytes from the destination address on their FCS? n may be anything. */
bool uet_ends_in_fcs(const uint8_t *frame, size_t n);

#endif
