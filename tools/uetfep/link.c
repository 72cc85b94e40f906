/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/link.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static enum link_state state_of(const struct link *link)
{
    struct ifreq req = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), rc;

    if (fd < 0)
        return link->state; /* cannot be known now */
    snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", link->interface);
    rc = ioctl(fd, SIOCGIFFLAGS, &req);
    close(fd);
    if (rc || if_nametoindex(link->interface) != link->index)
        return LINK_GONE;
    if (!(req.ifr_flags & IFF_UP))
        return LINK_DOWN;
    return req.ifr_flags & IFF_RUNNING ? LINK_UP : LINK_NO_CARRIER;
}

struct link link_of(const char *interface)
{
    return (struct link){
        .interface = interface, .index = if_nametoindex(interface), .state = LINK_UP};
}

int link_look(void *ctx, int rc)
{
    static const char *const words[] = {
        [LINK_UP] = "is up again: going on",
        [LINK_NO_CARRIER] = "has no carrier: waiting for it",
        [LINK_DOWN] = "is down: waiting for it to come up",
        [LINK_GONE] = "is gone",
    };
    struct link *link = ctx;
    enum link_state state = state_of(link);

    if (state != link->state)
        fprintf(stderr, UETFEP_NAME ": interface %s %s\n", link->interface, words[state]);
    link->state = state;
    if (state == LINK_GONE)
        return -ENODEV;
    return rc == -ENODEV ? 0 : rc;
}
