/* SPDX-License-Identifier: BSD-2-Clause */
/* The internet checksum, and where the CRC's coverage begins. */
#ifndef UET_WIRE_INET_H
#define UET_WIRE_INET_H

#include <stddef.h>
#include <stdint.h>

/*
 * The CRC covers the packet from the IP source address on (3.5.25; one running code base, B):
 * what switches may change stands before it. Offset into the IP header.
 */
static inline size_t uet_crc_from(uint8_t ip_version)
{
    return ip_version == 4 ? 12 : 8;
}

/* RFC 1071 over n bytes: 0 when a checksum among them is right, else the checksum to store. */
uint16_t uet_inet_checksum(const uint8_t *data, size_t n);

#endif
