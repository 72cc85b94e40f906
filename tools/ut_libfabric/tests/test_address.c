/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoint addresses (Table 2-10): bytes by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <netinet/in.h>

#include "tools/ut_libfabric/address.h"

static void ipv4(void **state)
{
    /* 0x55, 1, flags (address, PIDonFEP, RI, initiator), 0, capabilities 0, PIDonFEP 0x123,
     * RI 0xabc, one of them, initiator 0x80000007, 192.0.2.1 and zeros. */
    static const uint8_t want[32] = {0x55, 1, 0x1e, 0, 0, 0, 0x01, 0x23, 0x0a, 0xbc,
                                     0,    1, 0x80, 0, 0, 7, 192,  0,    2,    1};
    struct uet_ip ip;
    uint8_t out[FABRIC_UET_ADDRESS];

    (void)state;
    assert_int_equal(uet_ip_parse(&ip, "192.0.2.1"), 0);
    fabric_uet_address(out, &ip, 0x123, 0xabc, 0x80000007u);
    assert_memory_equal(out, want, sizeof(want));
}

static void ipv6(void **state)
{
    static const uint8_t want[32] = {0x55, 1, 0x4e, 0, 0, 0,    0, 0,    0,    5,       0,
                                     1,    0, 0,    0, 0, 0x20, 1, 0x0d, 0xb8, [31] = 1};
    struct uet_ip ip;
    uint8_t out[FABRIC_UET_ADDRESS];

    (void)state;
    assert_int_equal(uet_ip_parse(&ip, "2001:db8::1"), 0);
    fabric_uet_address(out, &ip, 0, 5, 0);
    assert_memory_equal(out, want, sizeof(want));
}

static void sockets(void **state)
{
    struct uet_ip ip;
    struct sockaddr_storage at;

    (void)state;
    assert_int_equal(uet_ip_parse(&ip, "192.0.2.1"), 0);
    fabric_sockaddr(&at, &ip, 20005);
    assert_int_equal(((struct sockaddr_in *)&at)->sin_family, AF_INET);
    assert_int_equal(ntohs(((struct sockaddr_in *)&at)->sin_port), 20005);
    assert_int_equal(ntohl(((struct sockaddr_in *)&at)->sin_addr.s_addr), 0xc0000201u);
    assert_int_equal(uet_ip_parse(&ip, "2001:db8::1"), 0);
    fabric_sockaddr(&at, &ip, 7);
    assert_int_equal(((struct sockaddr_in6 *)&at)->sin6_family, AF_INET6);
    assert_int_equal(ntohs(((struct sockaddr_in6 *)&at)->sin6_port), 7);
    assert_int_equal(((struct sockaddr_in6 *)&at)->sin6_addr.s6_addr[15], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ipv4),
        cmocka_unit_test(ipv6),
        cmocka_unit_test(sockets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
