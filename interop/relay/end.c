/* SPDX-License-Identifier: BSD-2-Clause */
#include "interop/relay/end.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/afpacket.h"

/* The interface's own counters, of this network namespace. */
static void interface_drops(const char *ifname, struct relay_drops *drops)
{
    FILE *file = fopen("/proc/self/net/dev", "r");
    char line[512];

    while (file && fgets(line, sizeof line, file)) {
        char *name = line + strspn(line, " "), *colon = strchr(name, ':');

        if (!colon || (size_t)(colon - name) != strlen(ifname) ||
            strncmp(name, ifname, strlen(ifname)) != 0)
            continue;
        /* bytes packets errs drop fifo frame compressed multicast; bytes packets errs drop */
        (void)sscanf(colon + 1, "%*u %*u %*u %" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64,
                     &drops->interface_rx, &drops->interface_tx);
    }
    if (file)
        fclose(file);
}

int relay_end_open(struct relay_end *end, const char *ifname, const char *path, char *err,
                   size_t errlen)
{
    const struct uet_afpacket_config config = {.ifname = ifname, .all = true, .keep_macs = true};
    int rc;

    end->ifname = ifname;
    if (path) {
        rc = uet_pcapng_open_on(&end->capture, path, ifname, err, errlen);
        if (rc)
            return rc;
    }
    rc = uet_afpacket_open(&end->port, &config, err, errlen);
    if (rc)
        return rc;
    end->epoch_ns = uet_port_epoch_ns(end->port);
    interface_drops(ifname, &end->at_start);
    return 0;
}

void relay_end_record(struct relay_end *end, const uint8_t *data, uint32_t len, uint64_t time_ns,
                      enum uet_direction direction, const char *text)
{
    char comment[300] = "";

    if (!end->capture)
        return;
    if (time_ns > end->recorded_ns)
        end->recorded_ns = time_ns;
    if (text[0])
        snprintf(comment, sizeof comment, "relay: %s", text);
    (void)uet_pcapng_write(end->capture, data, len, end->recorded_ns + end->epoch_ns, direction,
                           comment);
}

struct relay_drops relay_end_drops(const struct relay_end *end)
{
    struct relay_drops drops = {0};
    struct uet_afpacket_stats stats;

    if (!end->port)
        return drops;
    uet_afpacket_stats(end->port, &stats);
    interface_drops(end->ifname, &drops);
    drops.missed = stats.missed;
    drops.truncated = stats.truncated;
    drops.interface_rx -= end->at_start.interface_rx;
    drops.interface_tx -= end->at_start.interface_tx;
    /* A veth drops what its peer has no room for, counts that, and may tell the sender. */
    drops.interface_tx -= drops.interface_tx < stats.refused ? drops.interface_tx : stats.refused;
    return drops;
}

int relay_end_close(struct relay_end *end)
{
    int rc = end->capture ? uet_pcapng_close(end->capture) : 0;

    uet_port_close(end->port);
    for (size_t i = 0; i < end->n_out; i++)
        free(end->out[i]);
    *end = (struct relay_end){0};
    return rc;
}
