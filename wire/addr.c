/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/addr.h"

#include <arpa/inet.h>
#include <string.h>

int uet_ip_parse(struct uet_ip *ip, const char *text)
{
    struct uet_ip parsed = {0};

    if (inet_pton(AF_INET, text, parsed.bytes) == 1)
        parsed.version = 4;
    else if (inet_pton(AF_INET6, text, parsed.bytes) == 1)
        parsed.version = 6;
    else
        return -1;
    *ip = parsed;
    return 0;
}

const char *uet_ip_text(const struct uet_ip *ip, char *out)
{
    int family = ip->version == 6 ? AF_INET6 : AF_INET;

    if ((ip->version != 4 && ip->version != 6) || !inet_ntop(family, ip->bytes, out, UET_IP_TEXT))
        memcpy(out, "none", sizeof("none"));
    return out;
}

struct uet_mac uet_mac_of_ip(const struct uet_ip *ip)
{
    struct uet_mac mac = {0};

    uet_mac_put(mac.bytes, ip);
    return mac;
}
