/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Before the AF_PACKET port speaks from its addresses: has anybody else one of them? A second
 * tester on this interface is not heard on the cable (a packet socket does not see what its
 * neighbour sends), so a name in the network namespace stands for each address, too.
 */
#include <errno.h>
#include <net/if_arp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <unistd.h>

#include "port/afpacket_internal.h"

enum { PROBES = 3 };        /* RFC 5227 1.1: PROBE_NUM */
#define PROBE_NS 100000000u /* between two; shorter than there, as no host waits for us */

/* ---- programs on this interface ---- */

static socklen_t name_of(const struct af_port *af, const struct uet_ip *ip,
                         struct sockaddr_un *addr)
{
    char text[UET_IP_TEXT];

    /* An abstract name: of this network namespace, and gone with the process. */
    *addr = (struct sockaddr_un){.sun_family = AF_UNIX};
    int n = snprintf(addr->sun_path + 1, sizeof(addr->sun_path) - 1, "uetkit/%s/%s", af->ifname,
                     uet_ip_text(ip, text));
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* The process that holds the name; 0 when it cannot be told. */
static int holder(const struct sockaddr_un *addr, socklen_t len)
{
    struct ucred peer = {0};
    socklen_t size = sizeof(peer);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return 0;
    if (connect(fd, (const struct sockaddr *)(const void *)addr, len) ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
        peer.pid = 0;
    close(fd);
    return peer.pid;
}

int af_take_name(struct af_port *af, size_t i, char *err, size_t errlen)
{
    char text[UET_IP_TEXT];
    struct sockaddr_un addr;
    socklen_t len = name_of(af, &af->addresses[i], &addr);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && bind(fd, (const struct sockaddr *)(const void *)&addr, len) == 0 &&
        listen(fd, 1) == 0) {
        af->names[i] = fd;
        return 0;
    }
    int rc = -errno;
    if (fd >= 0)
        close(fd);
    if (rc == -EADDRINUSE)
        snprintf(
            err, errlen,
            "interface %s: process %d on this host speaks from %s already: one tester at a time; "
            "wait for its end, or use other addresses",
            af->ifname, holder(&addr, len), uet_ip_text(&af->addresses[i], text));
    else
        snprintf(err, errlen, "interface %s: no socket to hold %s: %s", af->ifname,
                 uet_ip_text(&af->addresses[i], text), strerror(-rc));
    return rc;
}

void af_let_go(struct af_port *af)
{
    for (size_t i = 0; i < UET_AFPACKET_ADDRESSES; i++)
        if (af->names[i] > 0)
            close(af->names[i]);
}

/* ---- hosts on the cable ---- */

/* Reads what there is; true when a frame claims one of the addresses. */
static bool claimed(struct af_port *af, const struct uet_mac *own, char *err, size_t errlen)
{
    ssize_t n;

    while ((n = recv(af->fd, af->slots, af->slot_size, MSG_DONTWAIT)) > 0)
        for (size_t i = 0; i < af->neigh.n_owned; i++) {
            char text[UET_IP_TEXT];
            struct uet_mac by;

            if (!uet_neigh_claimed(af->slots, (uint32_t)n, &af->addresses[i], own, &by))
                continue;
            snprintf(
                err, errlen,
                "interface %s: %s is in use by %02x:%02x:%02x:%02x:%02x:%02x: another tester, or "
                "another host; use an address that nobody has",
                af->ifname, uet_ip_text(&af->addresses[i], text), by.bytes[0], by.bytes[1],
                by.bytes[2], by.bytes[3], by.bytes[4], by.bytes[5]);
            return true;
        }
    return false;
}

static void send_probes(struct af_port *af, const struct uet_mac *own)
{
    for (size_t i = 0; i < af->neigh.n_owned; i++) {
        uint8_t frame[UET_NEIGH_FRAME];

        af_send_own(af, frame, uet_neigh_probe(&af->addresses[i], own, frame));
    }
}

int af_defend(struct af_port *af, char *err, size_t errlen)
{
    struct ifreq req = {0};
    struct uet_mac own;

    for (size_t i = 0; i < af->neigh.n_owned; i++) {
        int rc = af_take_name(af, i, err, errlen);

        if (rc)
            return rc;
    }
    memcpy(req.ifr_name, af->ifname, sizeof(req.ifr_name));
    if (ioctl(af->fd, SIOCGIFHWADDR, &req) || req.ifr_hwaddr.sa_family != ARPHRD_ETHER)
        return 0; /* the loopback interface: nobody else is there */
    /* Not the MAC address that we shall use: a second tester with our addresses has it, too. */
    memcpy(own.bytes, req.ifr_hwaddr.sa_data, 6);
    for (int tries = 0; tries < PROBES; tries++) {
        uint64_t until_ns = af_now(&af->port) + PROBE_NS, now_ns;

        send_probes(af, &own);
        while ((now_ns = af_now(&af->port)) < until_ns) {
            struct pollfd p = {.fd = af->fd, .events = POLLIN};
            struct timespec wait = {.tv_nsec = (long)(until_ns - now_ns)};

            ppoll(&p, 1, &wait, NULL);
            if (claimed(af, &own, err, errlen))
                return -EADDRINUSE;
        }
    }
    return 0;
}
