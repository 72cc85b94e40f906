/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetfep/link.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
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

/* The kernel's news of links; -1 where it may not be asked (a sandbox). */
static int open_news(void)
{
    const struct sockaddr_nl group = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

    if (fd >= 0 && bind(fd, (const struct sockaddr *)(const void *)&group, sizeof(group)) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* That there was news is enough: what it is, the interface's flags tell. */
static void drain(int fd)
{
    char news[8192];

    while (fd >= 0 && (recv(fd, news, sizeof(news), 0) >= 0 || errno == ENOBUFS || errno == EINTR))
        ;
}

struct link link_of(const char *interface)
{
    return (struct link){.interface = interface,
                         .index = if_nametoindex(interface),
                         .state = LINK_UP,
                         .fd = open_news()};
}

void link_close(const struct link *link)
{
    if (link->fd >= 0)
        close(link->fd);
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

    drain(link->fd); /* first: what changes after it is told again */
    enum link_state state = state_of(link);

    if (state != link->state)
        fprintf(stderr, UETFEP_NAME ": interface %s %s\n", link->interface, words[state]);
    link->state = state;
    if (state == LINK_GONE)
        return -ENODEV;
    return rc == -ENODEV ? 0 : rc;
}
