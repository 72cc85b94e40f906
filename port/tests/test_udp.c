/* SPDX-License-Identifier: BSD-2-Clause */
/* The UDP port on this host's loopback, by whoever runs the tests: no right is needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "port/ether.h"
#include "port/udp.h"
#include "wire/packet.h"

#define MS 1000000ull

enum { V4 = 14 + 20 + 8, V6 = 14 + 40 + 8 };

static uint16_t uet_port; /* another one than 4793: tests of others may run beside this one */

static struct uet_ip ip(const char *text)
{
    struct uet_ip parsed;

    assert_int_equal(uet_ip_parse(&parsed, text), 0);
    return parsed;
}

static struct uet_port *open_on(const char *address, bool second)
{
    const struct uet_udp_config config = {
        .address = ip(address), .port = uet_port, .second = second};
    struct uet_port *port = NULL;
    char err[300] = "";

    if (uet_udp_open(&port, &config, err, sizeof(err)))
        fail_msg("%s: %s", address, err);
    return port;
}

static uint64_t soon(struct uet_port *port)
{
    return uet_port_now(port) + 2000 * MS;
}

/* A frame of `len` bytes of payload; all else may be changed afterwards. */
static uint32_t make(uint8_t *f, const char *from, const char *to, uint16_t entropy, uint32_t len)
{
    struct uet_ip src = ip(from), dst = ip(to);
    bool v4 = src.version == 4;
    uint8_t *udp = f + (v4 ? V4 : V6) - 8;

    memset(f, 0, v4 ? V4 : V6);
    uet_port_put16(f + 12, v4 ? UET_ETHER_IPV4 : UET_ETHER_IPV6);
    if (v4) {
        f[14] = 0x45;
        f[15] = 46 << 2 | 2; /* EF, ECT(0) */
        uet_port_put16(f + 16, 28 + len);
        f[22] = 17; /* TTL */
        f[23] = 17; /* UDP */
        memcpy(f + 26, src.bytes, 4);
        memcpy(f + 30, dst.bytes, 4);
    } else {
        f[14] = 0x6b; /* the same traffic class */
        f[15] = 0xa0;
        uet_port_put16(f + 18, 8 + len);
        f[20] = 17;
        f[21] = 17;
        memcpy(f + 22, src.bytes, 16);
        memcpy(f + 38, dst.bytes, 16);
    }
    uet_port_put16(udp, entropy);
    uet_port_put16(udp + 2, uet_port);
    uet_port_put16(udp + 4, 8 + len);
    for (uint32_t i = 0; i < len; i++)
        udp[8 + i] = (uint8_t)(i * 7 + entropy);
    return (v4 ? V4 : V6) + len;
}

static int send_one(struct uet_port *port, uint8_t *data, uint32_t len)
{
    struct uet_frame f = {.data = data, .len = len};

    return uet_port_send(port, &f, 1);
}

/* ---- a frame arrives as it was ---- */

static void test_frame(void **state)
{
    struct uet_port *a = open_on("127.47.93.1", false), *b = open_on("127.47.93.2", false);
    uint8_t out[V4 + 5000];
    uint32_t len = make(out, "127.47.93.1", "127.47.93.2", 40123, 5000);
    struct uet_frame in;
    struct uet_packet p;

    (void)state;
    assert_int_equal(send_one(a, out, len), 1);
    assert_int_equal(uet_port_receive(b, &in, 1, soon(b)), 1);
    assert_int_equal(in.len, len);
    const struct uet_parse_options options = {.udp_port = uet_port};
    uet_parse(&p, in.data, in.len, &options);
    assert_int_not_equal(p.error, UET_PARSE_IP_CHECKSUM);
    assert_int_not_equal(p.error, UET_PARSE_UDP_LENGTH);
    assert_int_equal(in.data[15], 46 << 2 | 2);
    assert_int_equal(in.data[22], 17);
    assert_int_equal(uet_port_get16(in.data + V4 - 8), 40123);
    assert_int_equal(uet_port_get16(in.data + V4 - 6), uet_port);
    assert_memory_equal(in.data + 26, out + 26, 8); /* both addresses */
    assert_memory_equal(in.data + V4, out + V4, 5000);
    assert_int_equal(a->caps, UET_PORT_ECN);
    uet_port_close(a);
    uet_port_close(b);
}

/* More than one system call takes, over more sockets than the port keeps, in their order. */
static void test_many(void **state)
{
    enum { N = 150 };
    static uint8_t bytes[N][V4 + 8];
    struct uet_port *a = open_on("127.47.93.1", false), *b = open_on("127.47.93.2", false);
    struct uet_frame out[N], in[N];
    struct uet_port_wait wait;
    struct uet_udp_stats stats;
    int got = 0;

    (void)state;
    for (int i = 0; i < N; i++) {
        uint16_t entropy = (uint16_t)(41000 + i / 2);

        out[i].len = make(bytes[i], "127.47.93.1", "127.47.93.2", entropy, 8);
        out[i].data = bytes[i];
        bytes[i][V4] = (uint8_t)i;
    }
    assert_int_equal(uet_port_send(a, out, N), N);
    assert_int_equal(uet_port_wait(b, &wait), 0);
    struct pollfd fd = {.fd = wait.fd, .events = POLLIN};
    assert_int_equal(poll(&fd, 1, 2000), 1);
    while (got < N) {
        int n = uet_port_receive(b, in, N, soon(b));

        assert_true(n > 0);
        for (int i = 0; i < n; i++, got++) {
            assert_int_equal(in[i].data[V4], (uint8_t)got);
            assert_int_equal(uet_port_get16(in[i].data + V4 - 8), 41000 + got / 2);
        }
    }
    assert_int_equal(uet_port_receive(b, in, N, 0), 0);
    uet_udp_stats(a, &stats);
    assert_int_equal(stats.sent, N);
    uet_udp_stats(b, &stats);
    assert_int_equal(stats.received, N);
    uet_port_close(a);
    uet_port_close(b);
}

/* Two on one address: the second one is known by its port. */
static void one_address(const char *address, const char *network, uint32_t header)
{
    struct uet_port *a = open_on(address, false), *b = open_on(address, true);
    struct uet_ip shown = uet_udp_address(b), own = uet_udp_address(a), first = ip(address);
    uint8_t out[V6 + 4];
    char name[UET_IP_TEXT];
    struct uet_frame in;
    uint32_t len;

    assert_true(uet_ip_equal(&own, &first));
    assert_int_equal(strncmp(uet_ip_text(&shown, name), network, strlen(network)), 0);
    len = make(out, name, address, 42000, 4);
    assert_int_equal(send_one(b, out, len), 1);
    assert_int_equal(uet_port_receive(b, &in, 1, uet_port_now(b) + 10 * MS), 0);
    assert_int_equal(uet_port_receive(a, &in, 1, soon(a)), 1);
    assert_int_equal(in.len, len);
    assert_memory_equal(in.data + (header == V6 ? 22 : 26), out + (header == V6 ? 22 : 26),
                        header == V6 ? 32 : 8);
    if (header == V6) {
        assert_int_equal(in.data[14], 0x6b);
        assert_int_equal(in.data[15], 0xa0);
        assert_int_equal(in.data[21], 17);
    }
    make(out, address, name, 42000, 4);
    out[header] = 0x55;
    assert_int_equal(send_one(a, out, len), 1);
    assert_int_equal(uet_port_receive(b, &in, 1, soon(b)), 1);
    assert_int_equal(in.data[header], 0x55);
    assert_memory_equal(in.data + (header == V6 ? 22 : 26), out + (header == V6 ? 22 : 26),
                        header == V6 ? 32 : 8);
    uet_port_close(a);
    uet_port_close(b);
}

static void test_one_address(void **state)
{
    struct uet_ip own;

    (void)state;
    one_address("127.47.93.3", "240.0.", V4);
    if (access("/proc/net/if_inet6", R_OK) == 0 &&
        uet_udp_source(&(struct uet_ip){.version = 6, .bytes = {[15] = 1}}, 0, &own) == 0)
        one_address("::1", "100::", V6);
    else
        print_message("no ::1 on this host\n");
}

/* ---- what goes wrong ---- */

static void test_nobody_there(void **state)
{
    struct uet_port *a = open_on("127.47.93.1", false);
    uint8_t out[V4 + 4];
    uint32_t len = make(out, "127.47.93.1", "127.47.93.9", 43000, 4);
    struct uet_udp_stats stats;
    struct uet_frame in;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(send_one(a, out, len), 1);
    /* The error of the main socket, which has the port when the entropy value is 0, wakes nobody.
     */
    make(out, "127.47.93.1", "127.47.93.9", 0, 4);
    assert_int_equal(send_one(a, out, len), 1);
    assert_int_equal(uet_port_receive(a, &in, 1, uet_port_now(a) + 20 * MS), 0);
    uet_udp_stats(a, &stats);
    assert_int_equal(stats.refused, 4);
    assert_int_equal(stats.sent, 4);
    uet_port_close(a);
}

static void test_what_it_cannot_send(void **state)
{
    struct uet_port *a = open_on("127.47.93.1", false);
    uint8_t out[16000];
    uint32_t len = make(out, "127.47.93.1", "127.47.93.2", 44000, 100);
    struct uet_udp_stats stats;

    (void)state;
    out[23] = 253; /* native IP */
    assert_int_equal(send_one(a, out, len), 1);
    out[23] = 17;
    uet_port_put16(out + V4 - 4, 300); /* as of a trimmed packet */
    assert_int_equal(send_one(a, out, len), 1);
    uet_port_put16(out + V4 - 4, 108);
    out[29] = 7; /* another source */
    assert_int_equal(send_one(a, out, len), 1);
    out[29] = 1;
    out[14] = 0x46; /* IP options */
    assert_int_equal(send_one(a, out, len), 1);
    for (uint32_t cut = 0; cut < V4; cut++) /* every frame that is cut short */
        (void)send_one(a, out, cut);
    uet_udp_stats(a, &stats);
    assert_int_equal(stats.sent, 0);
    assert_true(stats.unsendable >= 4);
    assert_int_equal(send_one(a, out, a->mtu + 15), -EMSGSIZE);
    assert_int_equal(send_one(a, out, 13), -EMSGSIZE);
    uet_port_close(a);
}

static void test_open(void **state)
{
    struct uet_port *a = open_on("127.47.93.1", false), *b = NULL;
    struct uet_udp_config config = {.address = ip("127.47.93.1"), .port = uet_port};
    char err[300];

    (void)state;
    assert_int_equal(uet_udp_open(&b, &config, err, sizeof(err)), -EADDRINUSE);
    assert_non_null(strstr(err, "127.47.93.1, where answers come: end it, or take another"));
    config.address = ip("192.0.2.1");
    assert_int_equal(uet_udp_open(&b, &config, err, sizeof(err)), -EADDRNOTAVAIL);
    assert_non_null(strstr(err, "this host has no address 192.0.2.1: "));
    assert_null(b);
    uet_port_close(a);
}

static void test_source(void **state)
{
    struct uet_ip own, to = ip("127.0.0.2");

    (void)state;
    assert_int_equal(uet_udp_source(&to, 0, &own), 0);
    assert_int_equal(own.bytes[0], 127);
    assert_false(uet_ip_equal(&own, &to));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_one_address),
        cmocka_unit_test(test_nobody_there),
        cmocka_unit_test(test_what_it_cannot_send),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_source),
    };

    uet_port = (uint16_t)(20000 + getpid() % 12000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
