/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/tests/carriers.h"

#include <string.h>

/* clang-format off */
const uint8_t carried[CARRIED_BYTES] = {
    0x02, 0x00, 0xc0, 0x00, 0x02, 0x02, 0x02, 0x00, 0xc0, 0x00, 0x02, 0x01, 0x08, 0x00,
    0x45, 0x02, 0x00, 0x58, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xb6, 0x8f, /* 88 bytes, UDP */
    0xc0, 0x00, 0x02, 0x01, 0xc0, 0x00, 0x02, 0x02,  /* 192.0.2.1 to 192.0.2.2 */
    0x42, 0x42, 0x12, 0xb9, 0x00, 0x44, 0x00, 0x00,  /* to 4793, 68 bytes */
    0x11, 0x8c, 0xff, 0xff, 0x12, 0x34, 0x56, 0x78,  /* RUD_REQ syn ar, CLEAR_PSN = psn - 1 */
    0x10, 0x01, 0x00, 0x00,
    0x01, 0x23, 0x00, 0x07, 0x00, 0x00, 0x00, 0x01,  /* WRITE dc eom som, message_id 7, job_id 1 */
    0x00, 0x03, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40,
    0x00, 0x00, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x00, 0xde, 0xad, 0xbe, 0xef,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04,
    0x70, 0x69, 0x6e, 0x67,
};

#define ETH(type)   0x02, 0, 0, 0, 0, 0x0b, 0x02, 0, 0, 0, 0, 0x0a, (type) >> 8, (type) & 0xff
#define TAG(type)   0x00, 0x64, (type) >> 8, (type) & 0xff /* VLAN 100 */
/* From 198.51.100.1 to 198.51.100.2; the header checksum computed by hand. */
#define IPV4(total, protocol, sum)                                                               \
    0x45, 0, 0, (total), 0, 1, 0x40, 0, 0x40, (protocol), (sum) >> 8, (sum) & 0xff,              \
    198, 51, 100, 1, 198, 51, 100, 2
#define IPV6(length, next)                                                                       \
    0x60, 0, 0, 0, 0, (length), (next), 0x40, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0,                \
    0, 0, 0, 0, 0, 0, 0, 1, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
#define UDP(port, length) 0xc0, 0x01, (port) >> 8, (port) & 0xff, 0, (length), 0, 0

static const uint8_t vlan[] = {ETH(0x8100), TAG(0x0800)};
static const uint8_t qinq[] = {ETH(0x88a8), TAG(0x8100), TAG(0x0800)};
static const uint8_t old_qinq[] = {ETH(0x9100), TAG(0x8100), TAG(0x0800)};
static const uint8_t null_little[] = {2, 0, 0, 0};
static const uint8_t null_big[] = {0, 0, 0, 2};
static const uint8_t ipv6_in[] = {IPV6(88, 4)};
/* direction sent, ARPHRD_ETHER, 6 address bytes of 8, IPv4 */
static const uint8_t sll[] = {0, 4, 0, 1, 0, 6, 2, 0, 0xc0, 0, 2, 1, 0, 0, 0x08, 0x00};
static const uint8_t sll_vlan[] = {0, 4, 0, 1, 0, 6, 2, 0, 0xc0, 0, 2, 1, 0, 0, 0x81, 0x00,
                                   TAG(0x0800)};
/* IPv4, reserved, interface 3, ARPHRD_ETHER, sent, 6 address bytes of 8 */
static const uint8_t sll2[] = {0x08, 0x00, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6, 2, 0, 0xc0, 0, 2, 1, 0, 0};
static const uint8_t vxlan[] = {ETH(0x0800), IPV4(138, 17, 0xe5f7), UDP(4789, 118),
                                0x08, 0, 0, 0, 0, 0, 42, 0}; /* VNI 42 */
static const uint8_t vxlan_gpe[] = {ETH(0x0800), IPV4(124, 17, 0xe605), UDP(4790, 104),
                                    0x0c, 0, 0, 1, 0, 0, 42, 0}; /* next protocol: IPv4 */
static const uint8_t geneve[] = {ETH(0x0800), IPV4(142, 17, 0xe5f3), UDP(6081, 122),
                                 0x01, 0, 0x65, 0x58, 0, 0, 42, 0, /* one option word, Ethernet */
                                 0x01, 0x02, 0x80, 0};
static const uint8_t gre_ip[] = {ETH(0x0800), IPV4(112, 47, 0xe5f3), 0, 0, 0x08, 0x00};
static const uint8_t gre_key[] = {ETH(0x0800), IPV4(130, 47, 0xe5e1),
                                  0x20, 0, 0x65, 0x58, 0, 0, 42, 0}; /* key, Ethernet */
/* Linux' ip6gre: destination options with a tunnel encapsulation limit. */
static const uint8_t gre_ipv6[] = {ETH(0x86dd), IPV6(100, 60), 47, 0, 4, 1, 4, 1, 1, 0,
                                   0, 0, 0x08, 0x00};
static const uint8_t erspan1[] = {ETH(0x0800), IPV4(126, 47, 0xe5e5), 0, 0, 0x88, 0xbe};
static const uint8_t erspan2[] = {ETH(0x0800), IPV4(138, 47, 0xe5d9),
                                  0x10, 0, 0x88, 0xbe, 0, 0, 0, 9, /* sequence number 9 */
                                  0x10, 0x64, 0x18, 0x05, 0, 0, 0, 7}; /* VLAN 100, session 5 */
static const uint8_t erspan3[] = {ETH(0x0800), IPV4(150, 47, 0xe5cd),
                                  0x10, 0, 0x22, 0xeb, 0, 0, 0, 9,
                                  0x20, 0x64, 0, 0x05, 1, 2, 3, 4, 0, 0, 0, 1, /* Ethernet, O */
                                  0x10, 0, 0, 0, 0, 0, 0, 0};
static const uint8_t erspan3_ip[] = {ETH(0x0800), IPV4(128, 47, 0xe5e3),
                                     0x10, 0, 0x22, 0xeb, 0, 0, 0, 9,
                                     0x20, 0x64, 0, 0x05, 1, 2, 3, 4, 0, 0, 0x08, 0}; /* FT 2: IP */
static const uint8_t mpls[] = {ETH(0x8847), 0, 0x06, 0x40, 0x40, 0, 0x06, 0x51, 0x40};
static const uint8_t mpls_eth[] = {ETH(0x8847), 0, 0x06, 0x41, 0x40, 0, 0, 0, 9};
static const uint8_t mpls_udp[] = {ETH(0x0800), IPV4(120, 17, 0xe609), UDP(6635, 100),
                                   0, 0x06, 0x41, 0x40};
static const uint8_t ip_in_ip[] = {ETH(0x0800), IPV4(108, 4, 0xe622)};
/* A mirror of a tagged port, over a tagged port, seen on a Linux host. */
static const uint8_t nested[] = {0x81, 0x00, 0, 0, 0, 0, 0, 3, 0, 1, 0, 6, 2, 0, 0xc0, 0, 2, 1, 0, 0,
                                 TAG(0x0800), IPV4(142, 47, 0xe5d5),
                                 0x10, 0, 0x88, 0xbe, 0, 0, 0, 9,
                                 0x10, 0x64, 0x18, 0x05, 0, 0, 0, 7,
                                 ETH(0x8100), TAG(0x0800)};
/* clang-format on */

#define BYTES(a) a, sizeof(a)
#define NO_BYTES NULL, 0

const struct carrier carriers[] = {
    {"ethernet", NULL, 1, true, 0, NO_BYTES},
    {"vlan", NULL, 1, false, 0, BYTES(vlan)},
    {"qinq", NULL, 1, false, 0, BYTES(qinq)},
    {"old_qinq", NULL, 1, false, sizeof old_qinq, BYTES(old_qinq)},
    {"null_little", "BSD loopback", 0, false, 4, BYTES(null_little)},
    {"null_big", "BSD loopback", 0, false, 4, BYTES(null_big)},
    {"loop", "BSD loopback", 108, false, 4, BYTES(null_big)},
    {"raw_12", "raw IP", 12, false, 0, NO_BYTES},
    {"raw_101", "raw IP", 101, false, 0, NO_BYTES},
    {"raw_228", "raw IP", 228, false, 0, NO_BYTES},
    {"raw_229", "IP in IP", 229, false, sizeof ipv6_in, BYTES(ipv6_in)},
    {"sll", "Linux SLL", 113, false, sizeof sll, BYTES(sll)},
    {"sll_vlan", "Linux SLL", 113, false, sizeof sll_vlan, BYTES(sll_vlan)},
    {"sll2", "Linux SLL2", 276, false, sizeof sll2, BYTES(sll2)},
    {"vxlan", "VXLAN", 1, true, sizeof vxlan, BYTES(vxlan)},
    {"vxlan_gpe", "VXLAN-GPE", 1, false, sizeof vxlan_gpe, BYTES(vxlan_gpe)},
    {"geneve", "Geneve", 1, true, sizeof geneve, BYTES(geneve)},
    {"gre_ip", "GRE", 1, false, sizeof gre_ip, BYTES(gre_ip)},
    {"gre_key", "GRE", 1, true, sizeof gre_key, BYTES(gre_key)},
    {"gre_ipv6", "GRE", 1, false, sizeof gre_ipv6, BYTES(gre_ipv6)},
    {"erspan1", "ERSPAN", 1, true, sizeof erspan1, BYTES(erspan1)},
    {"erspan2", "ERSPAN", 1, true, sizeof erspan2, BYTES(erspan2)},
    {"erspan3", "ERSPAN", 1, true, sizeof erspan3, BYTES(erspan3)},
    {"erspan3_ip", "ERSPAN", 1, false, sizeof erspan3_ip, BYTES(erspan3_ip)},
    {"mpls", "MPLS", 1, false, sizeof mpls, BYTES(mpls)},
    {"mpls_eth", "MPLS", 1, true, sizeof mpls_eth, BYTES(mpls_eth)},
    {"mpls_udp", "MPLS", 1, false, sizeof mpls_udp, BYTES(mpls_udp)},
    {"ip_in_ip", "IP in IP", 1, false, sizeof ip_in_ip, BYTES(ip_in_ip)},
    {"nested", "ERSPAN", 276, false, sizeof nested - 18, BYTES(nested)},
};
const size_t n_carriers = sizeof carriers / sizeof *carriers;

size_t carrier_fill(const struct carrier *c, bool spoilt, uint8_t out[CARRIER_MAX])
{
    size_t from = c->eth ? 0 : 14;
    if (c->n)
        memcpy(out, c->bytes, c->n);
    memcpy(out + c->n, carried + from, CARRIED_BYTES - from);
    if (spoilt)
        out[c->n + CARRIED_SPOILT_AT - from] = CARRIED_SPOILT;
    return c->n + CARRIED_BYTES - from;
}
