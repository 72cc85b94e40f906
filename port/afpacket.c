/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening and closing of the AF_PACKET port, and what can be wrong then. */
#include "port/afpacket.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/if_ether.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include "port/afpacket_internal.h"

enum {
    SOCKET_BUFFER = 64 << 20, /* a burst of 12000 frames of 4 KiB, each of which is charged 9 KB */
    BACKLOG_BYTES = 1 << 20,
};

uint64_t af_now(struct uet_port *port)
{
    struct timespec ts;

    (void)port;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

int af_failed(struct af_port *af, int err)
{
    if (err != ENETDOWN && err != ENODEV && err != ENXIO)
        return -err;
    af->down = true;
    return -ENODEV;
}

__attribute__((format(printf, 4, 5))) static int fail(char *err, size_t errlen, int code,
                                                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (errlen)
        vsnprintf(err, errlen, format, args);
    va_end(args);
    return -code;
}

/* ---- what can be known before a socket is needed ---- */

/* The name of the interface on which the kernel has the address; NULL when it has it nowhere. */
static const char *kernel_owner(const struct ifaddrs *list, const struct uet_ip *ip)
{
    for (const struct ifaddrs *i = list; i; i = i->ifa_next) {
        struct uet_ip other = {0};

        if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET) {
            other.version = 4;
            memcpy(other.bytes, &((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr,
                   4);
        } else if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET6) {
            other.version = 6;
            memcpy(other.bytes,
                   &((const struct sockaddr_in6 *)(const void *)i->ifa_addr)->sin6_addr, 16);
        }
        if (other.version && uet_ip_equal(&other, ip))
            return i->ifa_name;
    }
    return NULL;
}

static int check_addresses(const struct uet_afpacket_config *cfg, char *err, size_t errlen)
{
    char text[UET_IP_TEXT];
    struct ifaddrs *list;
    int rc = 0;

    if (cfg->n_addresses == 0 && !cfg->all)
        return fail(err, errlen, EINVAL,
                    "interface %s: no address is given: name at least one IP address for the port",
                    cfg->ifname);
    if (cfg->n_addresses > UET_AFPACKET_ADDRESSES)
        return fail(err, errlen, EINVAL,
                    "interface %s: %zu addresses are too many: give at most %d", cfg->ifname,
                    cfg->n_addresses, UET_AFPACKET_ADDRESSES);
    if (getifaddrs(&list))
        return fail(err, errlen, errno, "cannot list the kernel's addresses: %s", strerror(errno));
    for (size_t i = 0; i < cfg->n_addresses && rc == 0; i++) {
        const struct uet_ip *ip = &cfg->addresses[i];
        const char *owner = kernel_owner(list, ip);
        struct uet_mac mac;

        if ((ip->version != 4 && ip->version != 6) || uet_neigh_group_mac(ip, &mac))
            rc = fail(err, errlen, EINVAL,
                      "interface %s: address %zu (%s) is not a unicast IP address: give one",
                      cfg->ifname, i + 1, uet_ip_text(ip, text));
        else if (owner)
            rc = fail(err, errlen, EADDRINUSE,
                      "the kernel has the address %s on %s and would answer in our name: choose a "
                      "free address of the same network, or `ip addr del` this one",
                      uet_ip_text(ip, text), owner);
    }
    freeifaddrs(list);
    return rc;
}

/* ---- the socket ---- */

static int query(const struct af_port *af, unsigned long what, struct ifreq *req)
{
    memset(req, 0, sizeof(*req));
    memcpy(req->ifr_name, af->ifname, sizeof(req->ifr_name));
    return ioctl(af->fd, what, req) ? -errno : 0;
}

static int open_socket(struct af_port *af, char *err, size_t errlen)
{
    /* Protocol 0: nothing is received before bind, when every option is set. */
    af->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (af->fd >= 0)
        return 0;
    if (errno == EPERM || errno == EACCES)
        return fail(err, errlen, EPERM,
                    "interface %s: no right to open a packet socket: run as root, or give the "
                    "program CAP_NET_RAW (`setcap cap_net_raw+ep PROGRAM`), or run it in a network "
                    "namespace of your own (`unshare -Urn`)",
                    af->ifname);
    return fail(err, errlen, errno, "interface %s: no packet socket: %s", af->ifname,
                strerror(errno));
}

static int check_interface(struct af_port *af, char *err, size_t errlen)
{
    struct ifreq req;
    int rc = query(af, SIOCGIFHWADDR, &req);

    if (rc == 0 && req.ifr_hwaddr.sa_family != ARPHRD_ETHER &&
        req.ifr_hwaddr.sa_family != ARPHRD_LOOPBACK)
        return fail(err, errlen, EPFNOSUPPORT,
                    "interface %s is not an Ethernet interface: choose one that is", af->ifname);
    if (rc == 0)
        rc = query(af, SIOCGIFFLAGS, &req);
    if (rc == 0 && !(req.ifr_flags & IFF_UP))
        return fail(err, errlen, ENETDOWN,
                    "interface %s is down: bring it up with `ip link set %s up`", af->ifname,
                    af->ifname);
    if (rc == 0)
        rc = query(af, SIOCGIFMTU, &req);
    if (rc)
        return fail(err, errlen, -rc, "interface %s: %s", af->ifname, strerror(-rc));
    af->port.mtu = (uint32_t)req.ifr_mtu;
    return 0;
}

static int set_options(struct af_port *af, char *err, size_t errlen)
{
    const int on = 1, buffer = SOCKET_BUFFER;
    /* A send that finds the interface's queue full waits this long for room, then gives up. */
    const struct timeval send_timeout = {.tv_usec = 100000};
    const struct packet_mreq promisc = {.mr_ifindex = af->ifindex, .mr_type = PACKET_MR_PROMISC};
    const struct {
        int level, name;
        const void *value;
        socklen_t len;
        const char *what;
    } options[] = {
        {SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on), "PACKET_IGNORE_OUTGOING"},
        {SOL_PACKET, PACKET_AUXDATA, &on, sizeof(on), "PACKET_AUXDATA"},
        {SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on), "SO_TIMESTAMPNS"},
        {SOL_SOCKET, SO_SNDTIMEO, &send_timeout, sizeof(send_timeout), "SO_SNDTIMEO"},
        /* Our MAC addresses are not the interface's: without this it would not let them in. */
        {SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promisc, sizeof(promisc), "PACKET_MR_PROMISC"},
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (setsockopt(af->fd, options[i].level, options[i].name, options[i].value, options[i].len))
            return fail(err, errlen, errno, "interface %s: socket option %s: %s%s", af->ifname,
                        options[i].what, strerror(errno),
                        errno == ENOPROTOOPT ? ": this needs Linux 4.20 or later" : "");
    /* The forced size needs CAP_NET_ADMIN; the other is cut to net.core.rmem_max. Either will do:
     * a buffer too small shows in the counter `missed`. */
    if (setsockopt(af->fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof(buffer)))
        (void)setsockopt(af->fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
    return 0;
}

static int bind_to(struct af_port *af, char *err, size_t errlen)
{
    struct sockaddr_ll addr = {.sll_family = AF_PACKET, .sll_ifindex = af->ifindex};

    addr.sll_protocol = htons(ETH_P_ALL);
    if (bind(af->fd, (const struct sockaddr *)(const void *)&addr, sizeof(addr)))
        return fail(err, errlen, errno, "interface %s: cannot bind: %s", af->ifname,
                    strerror(errno));
    return 0;
}

/* ---- memory ---- */

static int take_memory(struct af_port *af)
{
    size_t frame = UET_ETHER_HEADER + UET_ETHER_TAGS_MAX + (size_t)af->port.mtu;

    /* One tag of room in front: a tag that the interface took off is put back in place. */
    af->slot_size = (UET_ETHER_TAG + frame + 63) / 64 * 64;
    af->slots = malloc((AF_BATCH + 1 + AF_HELD) * af->slot_size);
    if (!af->slots || uet_queue_init(&af->backlog, AF_BACKLOG, BACKLOG_BYTES))
        return -ENOMEM;
    for (size_t i = 0; i < AF_BATCH + 1; i++)
        af->rx_iovs[i] = (struct iovec){.iov_base = af->slots + i * af->slot_size + UET_ETHER_TAG,
                                        .iov_len = af->slot_size - UET_ETHER_TAG};
    for (size_t i = 0; i < AF_HELD; i++)
        af->held[i].data = af->slots + (AF_BATCH + 1 + i) * af->slot_size;
    return 0;
}

static void af_close(struct uet_port *port)
{
    struct af_port *af = af_of(port);

    if (af->fd >= 0)
        close(af->fd);
    af_let_go(af);
    uet_queue_free(&af->backlog);
    free(af->slots);
    free(af);
}

static int af_own(struct uet_port *port, const struct uet_ip *ip)
{
    struct af_port *af = af_of(port);
    const size_t i = af->neigh.n_owned;
    struct ifaddrs *list;
    char err[200];
    int rc = 0;

    if (uet_neigh_owns(&af->neigh, ip))
        return 0;
    if (i == UET_AFPACKET_ADDRESSES)
        return -ENOSPC;
    if (getifaddrs(&list))
        return -errno;
    if (kernel_owner(list, ip))
        rc = -EADDRINUSE;
    freeifaddrs(list);
    af->addresses[i] = *ip;
    if (rc == 0 && af->defended)
        rc = af_take_name(af, i, err, sizeof(err));
    if (rc == 0)
        af->neigh.n_owned++;
    return rc;
}

static const struct uet_port_ops af_ops = {.send = af_send,
                                           .receive = af_receive,
                                           .wait = af_wait,
                                           .now = af_now,
                                           .resolve = af_resolve,
                                           .own = af_own,
                                           .check = af_check,
                                           .close = af_close};

uint32_t uet_afpacket_caps(size_t n_addresses)
{
    uint32_t caps = UET_PORT_RAW_IP | UET_PORT_TRIM | UET_PORT_ENTROPY | UET_PORT_ECN;

    return n_addresses > 1 ? caps | UET_PORT_SOURCE : caps;
}

static void take_config(struct af_port *af, const struct uet_afpacket_config *cfg)
{
    snprintf(af->ifname, sizeof(af->ifname), "%s", cfg->ifname);
    af->all = cfg->all;
    af->defended = cfg->defend;
    af->keep_macs = cfg->keep_macs;
    af->port.ops = &af_ops;
    af->port.caps = uet_afpacket_caps(cfg->n_addresses);
    for (size_t i = 0; i < cfg->n_addresses; i++)
        af->addresses[i] = cfg->addresses[i];
    af->neigh.owned = af->addresses;
    af->neigh.n_owned = cfg->n_addresses;
    for (size_t i = 0; i < cfg->n_neighbours; i++)
        uet_neigh_learn(&af->neigh, &cfg->neighbours[i].ip, &cfg->neighbours[i].mac, true, 0);
}

static int set_up(struct af_port *af, char *err, size_t errlen)
{
    int rc = open_socket(af, err, errlen);

    if (rc == 0)
        rc = check_interface(af, err, errlen);
    if (rc == 0 && take_memory(af))
        rc = fail(err, errlen, ENOMEM, "interface %s: not enough memory for its buffers",
                  af->ifname);
    if (rc == 0)
        rc = set_options(af, err, errlen);
    if (rc == 0)
        rc = bind_to(af, err, errlen);
    if (rc == 0 && af->defended)
        rc = af_defend(af, err, errlen);
    if (rc == 0)
        af_link_note(af);
    return rc;
}

int af_reopen(struct af_port *af, int ifindex)
{
    uint32_t mtu = af->port.mtu;
    int old_fd = af->fd, old_index = af->ifindex;
    char err[200];

    af->ifindex = ifindex;
    int rc = open_socket(af, err, sizeof(err));
    if (rc == 0)
        rc = check_interface(af, err, sizeof(err));
    if (rc == 0)
        rc = set_options(af, err, sizeof(err));
    if (rc == 0)
        rc = bind_to(af, err, sizeof(err));
    if (af->port.mtu > mtu)
        af->port.mtu = mtu; /* the buffers are as large as they are */
    if (rc == 0) {
        close(old_fd);
        return 0;
    }
    if (af->fd >= 0)
        close(af->fd);
    af->fd = old_fd;
    af->ifindex = old_index;
    return rc;
}

int uet_afpacket_open(struct uet_port **out, const struct uet_afpacket_config *cfg, char *err,
                      size_t errlen)
{
    struct af_port *af;
    int rc;

    if (!cfg->ifname || !cfg->ifname[0])
        return fail(err, errlen, EINVAL,
                    "no interface is named: give one of those that `ip link` "
                    "lists");
    if (if_nametoindex(cfg->ifname) == 0)
        return fail(err, errlen, ENODEV,
                    "there is no network interface %s: give one of those that `ip link` lists",
                    cfg->ifname);
    rc = check_addresses(cfg, err, errlen);
    if (rc)
        return rc;
    af = calloc(1, sizeof(*af));
    if (!af)
        return fail(err, errlen, ENOMEM, "interface %s: not enough memory", cfg->ifname);
    af->fd = -1;
    take_config(af, cfg);
    af->ifindex = (int)if_nametoindex(cfg->ifname);
    rc = set_up(af, err, errlen);
    if (rc)
        af_close(&af->port);
    else
        *out = &af->port;
    return rc;
}

void uet_afpacket_stats(struct uet_port *port, struct uet_afpacket_stats *stats)
{
    struct af_port *af = af_of(port);
    struct tpacket_stats kernel;
    socklen_t len = sizeof(kernel);

    /* The kernel's counter starts again at zero whenever it is read. */
    if (getsockopt(af->fd, SOL_PACKET, PACKET_STATISTICS, &kernel, &len) == 0)
        af->stats.missed += kernel.tp_drops;
    *stats = af->stats;
}
