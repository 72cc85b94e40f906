/* SPDX-License-Identifier: BSD-2-Clause */
/* The link below the AF_PACKET port: is it there, and was it there all the time? */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "port/afpacket_internal.h"

/* How often the carrier came and went, so that a flap between two looks is seen, too. */
static bool carrier_changes(const struct nlmsghdr *msg, uint32_t *changes)
{
    const struct ifinfomsg *info = NLMSG_DATA(msg);
    unsigned left = msg->nlmsg_len < NLMSG_LENGTH(sizeof(*info))
                        ? 0
                        : (unsigned)(msg->nlmsg_len - NLMSG_LENGTH(sizeof(*info)));

    if (msg->nlmsg_type != RTM_NEWLINK)
        return false;
    for (const struct rtattr *a = IFLA_RTA(info); RTA_OK(a, left); a = RTA_NEXT(a, left))
        if (a->rta_type == IFLA_CARRIER_CHANGES && RTA_PAYLOAD(a) >= sizeof(*changes)) {
            memcpy(changes, RTA_DATA(a), sizeof(*changes));
            return true;
        }
    return false;
}

/* Asks the kernel. False where it cannot be asked (a sandbox): then only what is now is known. */
static bool ask_changes(const struct af_port *af, uint32_t *changes)
{
    const struct {
        struct nlmsghdr head;
        struct ifinfomsg info;
    } question = {{sizeof(question), RTM_GETLINK, NLM_F_REQUEST, 1, 0}, {.ifi_index = af->ifindex}};
    union {
        struct nlmsghdr head;
        char bytes[16384];
    } answer;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    ssize_t n = -1;

    if (fd >= 0 && send(fd, &question, sizeof(question), 0) == (ssize_t)sizeof(question))
        n = recv(fd, answer.bytes, sizeof(answer.bytes), 0);
    if (fd >= 0)
        close(fd);
    return n > 0 && NLMSG_OK(&answer.head, (size_t)n) && carrier_changes(&answer.head, changes);
}

/* Did the carrier come or go since the last call? */
static bool has_changed(struct af_port *af)
{
    uint32_t changes = af->carrier_changes;

    if (!ask_changes(af, &changes) || changes == af->carrier_changes)
        return false;
    af->carrier_changes = changes;
    return true;
}

void af_link_note(struct af_port *af)
{
    (void)has_changed(af);
}

int af_check_up(struct af_port *af)
{
    struct ifreq req = {0};
    int index;

    if (!af->down)
        return 0;
    memcpy(req.ifr_name, af->ifname, sizeof(req.ifr_name));
    index = (int)if_nametoindex(af->ifname);
    if (!index || ioctl(af->fd, SIOCGIFFLAGS, &req) || !(req.ifr_flags & IFF_UP))
        return -ENODEV;
    if (index != af->ifindex && af_reopen(af, index))
        return -ENODEV;
    af->down = false;
    return 0;
}

int af_check(struct uet_port *port)
{
    struct af_port *af = af_of(port);
    struct ifreq req = {0};
    bool lost = af->down;

    memcpy(req.ifr_name, af->ifname, sizeof(req.ifr_name));
    if (ioctl(af->fd, SIOCGIFFLAGS, &req)) {
        af->down = true;
        return -ENODEV;
    }
    if (!(req.ifr_flags & IFF_UP)) {
        af->down = true;
        return -ENETDOWN;
    }
    if (!(req.ifr_flags & IFF_RUNNING))
        return -ENOLINK;
    if (!ioctl(af->fd, SIOCGIFMTU, &req) && (uint32_t)req.ifr_mtu < af->port.mtu)
        return -EMSGSIZE; /* somebody made it smaller since */
    if ((int)if_nametoindex(af->ifname) != af->ifindex)
        lost = af->down = true;
    if (af_check_up(af))
        return -ENODEV;
    return has_changed(af) || lost ? -ENETRESET : 0;
}
