/* SPDX-License-Identifier: BSD-2-Clause */
/* The internet checksum, and where the CRC's coverage begins. */
#ifndef UET_WIRE_INET_H
#define UET_WIRE_INET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "spec-map/bits.h"

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

/* The sum of the words of an IPv4 header without options, folded once: at most 2 * 0xffff + 4. */
static inline uint64_t uet_ipv4_sum(const uint8_t *ip)
{
    uint64_t a, b;
    uint32_t c;
    memcpy(&a, ip, 8);
    memcpy(&b, ip + 8, 8);
    memcpy(&c, ip + 16, 4);
    uint64_t sum = (a & 0xffffffff) + (a >> 32) + (b & 0xffffffff) + (b >> 32) + c;
    return (sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32);
}

/* The same over an IPv4 header; without options it is a handful of additions. */
static inline uint16_t uet_ipv4_checksum(const uint8_t *ip, size_t header)
{
    if (header != 20)
        return uet_inet_checksum(ip, header);
    uint64_t sum = uet_ipv4_sum(ip);
    sum = (sum & 0xffff) + (sum >> 16);
    sum += sum >> 16;
    return UET_SWAP16((uint16_t)~sum);
}

/* Is the checksum in the header right? A sum of 0 there is none: the version is not 0. */
static inline bool uet_ipv4_checksum_right(const uint8_t *ip, size_t header)
{
    if (header != 20)
        return uet_inet_checksum(ip, header) == 0;
    uint64_t sum = uet_ipv4_sum(ip);
    return sum == 0xffff || sum == 2 * 0xffff;
}

#endif
