/* SPDX-License-Identifier: BSD-2-Clause */
/* Which host is due first: a heap of host numbers by deadline, then by number. */
#include "port/fabric/internal.h"

static bool before(const struct uet_fabric *fabric, uint16_t a, uint16_t b)
{
    const struct host *hosts = fabric->hosts;

    return hosts[a].deadline < hosts[b].deadline ||
           (a < b && hosts[a].deadline == hosts[b].deadline);
}

static void put(struct uet_fabric *fabric, uint32_t at, uint16_t host)
{
    fabric->due[at] = host;
    fabric->hosts[host].due_at = (uint16_t)at;
}

void due_make(struct uet_fabric *fabric)
{
    for (uint16_t h = 0; h < fabric->config.n_hosts; h++)
        put(fabric, h, h); /* all have the same deadline */
    fabric->due_at = fabric->hosts[0].deadline;
}

void due_move(struct uet_fabric *fabric, uint16_t host, uint64_t deadline)
{
    uint32_t at = fabric->hosts[host].due_at, n = fabric->config.n_hosts, child;

    fabric->hosts[host].deadline = deadline;
    for (; at && before(fabric, host, fabric->due[(at - 1) / 2]); at = (at - 1) / 2)
        put(fabric, at, fabric->due[(at - 1) / 2]);
    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && before(fabric, fabric->due[child + 1], fabric->due[child]))
            child++;
        if (!before(fabric, fabric->due[child], host))
            break;
        put(fabric, at, fabric->due[child]);
        at = child;
    }
    put(fabric, at, host);
    fabric->due_at = fabric->hosts[fabric->due[0]].deadline;
}
