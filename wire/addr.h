/* SPDX-License-Identifier: BSD-2-Clause */
/* IP and MAC addresses as values, and their text. */
#ifndef UET_WIRE_ADDR_H
#define UET_WIRE_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An IPv4 or IPv6 address: a Fabric Address (3.4.1.3). Compare with uet_ip_equal. */
struct uet_ip {
    uint8_t version;   /* 4, 6, or 0 for none */
    uint8_t bytes[16]; /* network order; IPv4 uses the first four */
};

#define UET_IP_TEXT 46 /* bytes that uet_ip_text needs, with the NUL */

struct uet_mac {
    uint8_t bytes[6];
};

static inline size_t uet_ip_len(const struct uet_ip *ip)
{
    return ip->version == 6 ? 16 : 4;
}

static inline bool uet_ip_equal(const struct uet_ip *a, const struct uet_ip *b)
{
    if (a->version != b->version)
        return false;
    if (a->version == 4) /* of a length that the compiler knows: no call */
        return memcmp(a->bytes, b->bytes, 4) == 0;
    return a->version == 0 || memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* May a host send from it? Not from a multicast or broadcast address (RFC 1122 3.2.1.3). */
static inline bool uet_ip_is_host(const struct uet_ip *ip)
{
    return ip->version == 6 ? ip->bytes[0] != 0xff
                            : ip->bytes[0] < 224 || (ip->bytes[0] >= 240 &&
                                                     memcmp(ip->bytes, "\xff\xff\xff\xff", 4) != 0);
}

/* Reads "192.0.2.1" or "2001:db8::1". Returns 0, or -1 when the text is neither. */
int uet_ip_parse(struct uet_ip *ip, const char *text);

/* Writes the usual text into out (UET_IP_TEXT bytes); returns out. */
const char *uet_ip_text(const struct uet_ip *ip, char *out);

/*
 * The locally administered MAC address that this project gives to an address of its own:
 * 02:00 and the last four bytes of the address. Same address, same bytes in every capture.
 */
struct uet_mac uet_mac_of_ip(const struct uet_ip *ip);

/* The same, written to its six bytes in a frame. */
static inline void uet_mac_put(uint8_t *mac, const struct uet_ip *ip)
{
    /* 0x02: locally administered, unicast; the pair 02:00 leaves the four bytes of an IPv4
     * address readable in a capture. */
    mac[0] = 0x02;
    mac[1] = 0x00;
    memcpy(mac + 2, ip->bytes + uet_ip_len(ip) - 4, 4);
}

#endif
