/* SPDX-License-Identifier: BSD-2-Clause */
/* Which host has an address: a table by hash with open places, at most half full. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "port/fabric/internal.h"

#define NOBODY UINT16_MAX

static uint32_t first_place(const struct uet_fabric *fabric, const struct uet_ip *ip)
{
    uint32_t last;

    memcpy(&last, ip->bytes + uet_ip_len(ip) - sizeof(last), sizeof(last));
    return fabric_mix(last) & fabric->address_mask;
}

int addresses_make(struct uet_fabric *fabric, const struct uet_ip *addresses)
{
    uint32_t n = fabric->config.n_hosts, places = 4;

    while (places < 2 * n)
        places *= 2;
    fabric->address_mask = places - 1;
    fabric->addresses = calloc(n, sizeof(*fabric->addresses));
    fabric->by_address = malloc(places * sizeof(*fabric->by_address));
    if (!fabric->addresses || !fabric->by_address)
        return -ENOMEM;
    for (uint32_t i = 0; i < places; i++)
        fabric->by_address[i] = NOBODY;
    for (uint16_t h = 0; addresses && h < n; h++) {
        uint32_t at = first_place(fabric, &addresses[h]);
        while (fabric->by_address[at] != NOBODY)
            at = (at + 1) & fabric->address_mask;
        fabric->by_address[at] = h;
        fabric->addresses[h] = addresses[h];
    }
    return 0;
}

uint16_t address_find(const struct uet_fabric *fabric, const struct uet_ip *ip)
{
    uint16_t host;

    for (uint32_t at = first_place(fabric, ip); (host = fabric->by_address[at]) != NOBODY;
         at = (at + 1) & fabric->address_mask)
        if (uet_ip_equal(ip, &fabric->addresses[host]))
            return host;
    return fabric->config.n_hosts;
}
