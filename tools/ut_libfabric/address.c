/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ut_libfabric/address.h"

#include <netinet/in.h>
#include <string.h>

/* Bits of its flags byte. */
enum {
    HAS_CAPABILITIES = 1 << 0,
    HAS_ADDRESS = 1 << 1,
    HAS_PID = 1 << 2,
    HAS_RI = 1 << 3,
    HAS_INITIATOR = 1 << 4,
    IS_IPV6 = 1 << 6,
};

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

void fabric_uet_address(uint8_t out[FABRIC_UET_ADDRESS], const struct uet_ip *ip,
                        uint16_t pid_on_fep, uint16_t ri, uint32_t initiator)
{
    memset(out, 0, FABRIC_UET_ADDRESS);
    out[0] = 0x55;
    out[1] = 1;
    out[2] = (uint8_t)(HAS_ADDRESS | HAS_PID | HAS_RI | (initiator ? HAS_INITIATOR : 0) |
                       (ip->version == 6 ? IS_IPV6 : 0));
    put(out + 6, pid_on_fep, 2);
    put(out + 8, ri, 2);
    put(out + 10, 1, 2);
    put(out + 12, initiator, 4);
    memcpy(out + 16, ip->bytes, uet_ip_len(ip));
}

void fabric_sockaddr(struct sockaddr_storage *out, const struct uet_ip *ip, uint16_t port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

    memset(out, 0, sizeof(*out));
    if (ip->version == 6) {
        memcpy(&v6.sin6_addr, ip->bytes, 16);
        memcpy(out, &v6, sizeof(v6));
    } else {
        memcpy(&v4.sin_addr, ip->bytes, 4);
        memcpy(out, &v4, sizeof(v4));
    }
}
