/* SPDX-License-Identifier: BSD-2-Clause */
/* The little that a port must see of a frame: VLAN tags, EtherType, the two IP addresses. */
#ifndef UET_PORT_ETHER_H
#define UET_PORT_ETHER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "wire/addr.h"

enum {
    UET_ETHER_HEADER = 14,
    UET_ETHER_TAG = 4,
    UET_ETHER_TAGS_MAX = 2 * UET_ETHER_TAG, /* 802.1ad: two tags */
    UET_ETHER_ARP = 0x0806,
    UET_ETHER_IPV4 = 0x0800,
    UET_ETHER_IPV6 = 0x86dd,
    UET_ETHER_VLAN = 0x8100,
    UET_ETHER_SVLAN = 0x88a8,
};

static inline uint16_t uet_port_get16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline void uet_port_put16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

struct uet_ether {
    uint16_t type; /* EtherType after at most two VLAN tags */
    uint32_t l3;   /* offset of what follows it */
};

/* Finds the EtherType; false when the frame ends before it. */
static inline bool uet_ether_parse(const uint8_t *data, uint32_t len, struct uet_ether *ether)
{
    uint32_t at = 12;

    for (int tags = 0;; tags++, at += UET_ETHER_TAG) {
        if (len < at + 2)
            return false;
        ether->type = uet_port_get16(data + at);
        ether->l3 = at + 2;
        if (tags == 2 || (ether->type != UET_ETHER_VLAN && ether->type != UET_ETHER_SVLAN))
            return true;
    }
}

/* Reads the addresses of an IP frame; false when it is none or ends before them. */
static inline bool uet_ether_ips(const uint8_t *data, uint32_t len, const struct uet_ether *ether,
                                 struct uet_ip *src, struct uet_ip *dst)
{
    bool v6 = ether->type == UET_ETHER_IPV6;
    uint32_t size = v6 ? 16 : 4, at = ether->l3 + (v6 ? 8 : 12);

    if ((!v6 && ether->type != UET_ETHER_IPV4) || len < at + 2 * size)
        return false;
    *src = *dst = (struct uet_ip){.version = v6 ? 6 : 4};
    memcpy(src->bytes, data + at, size);
    memcpy(dst->bytes, data + at + size, size);
    return true;
}

#endif
