/* SPDX-License-Identifier: BSD-2-Clause */
/* What a fep.yaml must have, and what in it must agree. */
#include <string.h>

#include "conformance/harness/yaml/fep.h"
#include "wire/packet.h"

/* Why a FEP or a tester cannot have this address; NULL when it can. */
static const char *unfit(const struct uet_ip *ip)
{
    static const uint8_t zero[16], mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t loopback[16] = {[15] = 1};
    const uint8_t *b = ip->bytes;

    if (memcmp(b, zero, uet_ip_len(ip)) == 0)
        return "nobody's";
    if (ip->version == 6 && memcmp(b, mapped, sizeof(mapped)) == 0)
        return "an IPv4 address in IPv6's form";
    if (ip->version == 6)
        return b[0] == 0xff ? "multicast" : memcmp(b, loopback, 16) == 0 ? "loopback" : NULL;
    if (b[0] == 127)
        return "loopback";
    if (b[0] >= 224 && b[0] < 240)
        return "multicast";
    return memcmp(b, "\xff\xff\xff\xff", 4) == 0 ? "broadcast" : NULL;
}

static void check_unicast(struct uet_yaml *y, const yaml_node_t *node, const char *name,
                          const struct uet_ip *ip)
{
    char text[UET_IP_TEXT];
    const char *why = ip->version == 0 ? NULL : unfit(ip);

    if (why)
        uet_yaml_bad(y, node, "'%s' is %s, %s: it must be a unicast address of the link", name,
                     uet_ip_text(ip, text), why);
}

static void check_addresses(struct uet_yaml *y, const yaml_node_t *root)
{
    const struct uet_dut *d = y->dut;
    const yaml_node_t *at = uet_yaml_find(y, root, "tester");

    check_unicast(y, uet_yaml_find(y, root, "address"), "address", &d->address);
    for (size_t i = 0; i < UET_DUT_TESTERS; i++) {
        const struct uet_ip *tester = &d->tester[i];

        check_unicast(y, at, "tester", tester);
        if (tester->version == 0 || d->address.version == 0)
            continue;
        if (tester->version != d->address.version)
            uet_yaml_bad(y, at, "'tester' and 'address' must be of one IP version");
        else if (uet_ip_equal(tester, &d->address))
            uet_yaml_bad(y, at,
                         "'tester' is the FEP's own 'address': give it an address that nobody has");
        else if (i > 0 && uet_ip_equal(tester, &d->tester[0]))
            uet_yaml_bad(y, at, "'tester' names one address twice: give two, or one alone");
    }
}

static void check_present(struct uet_yaml *y, const yaml_node_t *root)
{
    static const struct {
        const char *key, *says;
    } needed[] = {
        {"address", "'address' is missing: the IP address of the FEP"},
        {"tester", "'tester' is missing: an unused IP address for the tester, or two"},
        {"port", "'port' is missing: port: {interface: eth1}"},
    };

    for (size_t i = 0; i < UET_YAML_COUNT(needed); i++)
        if (!uet_yaml_find(y, root, needed[i].key))
            uet_yaml_bad(y, root, "%s", needed[i].says);
}

static void check_encapsulation(struct uet_yaml *y, const yaml_node_t *root)
{
    const char *stray = y->dut->native ? "udp_port" : "ip_protocol";
    const yaml_node_t *node = uet_yaml_find(y, root, stray);

    if (node)
        uet_yaml_bad(y, node, "'%s' says nothing with encapsulation: %s", stray,
                     y->dut->native ? "native" : "udp (native IP is encapsulation: native)");
}

/* A setting of something that is not there was meant otherwise. */
static void check_idle(struct uet_yaml *y, const yaml_node_t *root)
{
    const yaml_node_t *time = uet_yaml_find(y, root, "restart_time");

    if (time && !uet_yaml_find(y, root, "restart"))
        uet_yaml_bad(y, time,
                     "'restart_time' says nothing without restart: the command that starts the "
                     "FEP anew");
    if (y->dut->restart_each_test && !uet_yaml_find(y, root, "restart"))
        uet_yaml_bad(y, uet_yaml_find(y, root, "restart_each_test"),
                     "'restart_each_test' needs restart: the command that starts the FEP anew");
    const yaml_node_t *order = uet_yaml_find(y, root, "crc_order");
    if (order && y->dut->crc_order != UET_DUT_CRC_AUTO && y->dut->protect != UET_PROTECT_CRC &&
        !uet_yaml_find(y, root, "setups")) /* one may be crc */
        uet_yaml_bad(
            y, order,
            "'crc_order' says nothing with protect: %s: write protect: crc, or leave it out",
            uet_dut_protections[y->dut->protect]);
}

/* No file is called so: it is a key itself, which no message may show. */
static bool is_key(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdefABCDEF") == 64;
}

/* Which keys, where there are some. */
static void check_security(struct uet_yaml *y, const yaml_node_t *root)
{
    if (is_key(y->dut->keys))
        uet_yaml_bad(y, uet_yaml_find(y, root, "security"),
                     "'keys' is a key itself: name the file that has it (wire/keyfile.h); keys "
                     "never stand in this file");
    else if (y->dut->protect == UET_PROTECT_TSS && !y->dut->keys[0])
        uet_yaml_bad(y, uet_yaml_find(y, root, "protect"),
                     "protect: tss needs the FEP's keys: security: {keys: FILE} "
                     "(wire/keyfile.h); they never stand in this file");
    else if (uet_yaml_find(y, root, "security") && !y->dut->keys[0])
        uet_yaml_bad(y, uet_yaml_find(y, root, "security"),
                     "'security' names no key file: {keys: FILE} (wire/keyfile.h)");
}

void uet_yaml_check_link(struct uet_yaml *y, const yaml_node_t *at)
{
    const struct uet_dut *d = y->dut;

    check_addresses(y, at);
    check_encapsulation(y, at);
    check_idle(y, at);
    if (uet_yaml_find(y, at, "port") && !d->interface[0])
        uet_yaml_bad(y, uet_yaml_find(y, at, "port"),
                     "'port' names no interface: {interface: eth1}");
    if (d->payload_mtu != 1024 && d->payload_mtu != 2048 && d->payload_mtu != 4096 &&
        d->payload_mtu != 8192)
        uet_yaml_bad(y, uet_yaml_find(y, at, "payload_mtu"),
                     "'payload_mtu' must be 1024, 2048, 4096 or 8192");
}

void uet_yaml_check(struct uet_yaml *y, const yaml_node_t *root)
{
    if (root->type != YAML_MAPPING_NODE)
        return;
    check_present(y, root);
    check_security(y, root);
    uet_yaml_check_link(y, root);
}
