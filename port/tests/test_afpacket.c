/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The AF_PACKET port on both ends of a virtual cable: neighbours, MAC addresses, VLAN tags, large
 * frames, time stamps, the kernel's silence, and an interface that goes away.
 *
 * Runs itself again under with-veth -1; skips with 77 where that cannot be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "port/afpacket.h"
#include "port/ether.h"

#define MS 1000000ull

static const char *if_a, *if_b;

static struct uet_ip ip(const char *text)
{
    struct uet_ip parsed;

    assert_int_equal(uet_ip_parse(&parsed, text), 0);
    return parsed;
}

static void run(const char *format, ...)
{
    char command[256];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

/*
 * Brings the first end up and waits for both: until the kernel has noted the carrier, and then has
 * let others at its links (the second "up" waits for it), an end drops what it is given.
 */
static void bring_up(void)
{
    const char *const ends[] = {if_a, if_b};

    run("ip link set %s up", if_a);
    for (int i = 0; i < 2; i++)
        run("for i in $(seq 500); do ip link show %s | grep -q 'state UP' && "
            "exec ip link set %s up; sleep 0.01; done; exit 1",
            ends[i], ends[i]);
}

static struct uet_port *open_config(const struct uet_afpacket_config *cfg)
{
    struct uet_port *port = NULL;
    char err[256] = "";

    if (uet_afpacket_open(&port, cfg, err, sizeof(err)))
        fail_msg("%s", err);
    return port;
}

/* A port with one IPv4 and one IPv6 address, 10.9.0.N and fd09::N. */
static struct uet_port *open_at(const char *ifname, uint8_t n)
{
    struct uet_ip own[2] = {ip("10.9.0.0"), ip("fd09::")};
    struct uet_afpacket_config cfg = {.ifname = ifname, .addresses = own, .n_addresses = 2};

    own[0].bytes[3] = own[1].bytes[15] = n;
    return open_config(&cfg);
}

static struct uet_port *open_all(const char *ifname)
{
    struct uet_afpacket_config cfg = {.ifname = ifname, .all = true};

    return open_config(&cfg);
}

/* Writes Ethernet + IP header from src to dst, zeros after it; len in all. */
static struct uet_frame ip_frame(uint8_t *out, uint32_t len, const char *src, const char *dst)
{
    struct uet_ip from = ip(src), to = ip(dst);

    memset(out, 0, len);
    if (from.version == 4) {
        uet_port_put16(out + 12, UET_ETHER_IPV4);
        out[14] = 0x45;
        uet_port_put16(out + 16, len - 14);
        out[22] = 64;
        out[23] = 253; /* RFC 3692: for experiments */
        memcpy(out + 26, from.bytes, 4);
        memcpy(out + 30, to.bytes, 4);
    } else {
        uet_port_put16(out + 12, UET_ETHER_IPV6);
        out[14] = 0x60;
        uet_port_put16(out + 18, len - 54);
        out[20] = 253;
        out[21] = 64;
        memcpy(out + 22, from.bytes, 16);
        memcpy(out + 38, to.bytes, 16);
    }
    return (struct uet_frame){.data = out, .len = len};
}

static void send_ok(struct uet_port *port, struct uet_frame *frame)
{
    assert_int_equal(uet_port_send(port, frame, 1), 1);
}

static struct uet_frame receive_one(struct uet_port *port)
{
    struct uet_frame got = {0};

    assert_int_equal(uet_port_receive(port, &got, 1, uet_port_now(port) + 2000 * MS), 1);
    return got;
}

static struct uet_afpacket_stats stats_of(struct uet_port *port)
{
    struct uet_afpacket_stats stats;

    uet_afpacket_stats(port, &stats);
    return stats;
}

/*
 * Lets a port answer a question, or send what it held for want of an answer; nothing for its caller
 * is expected. On a busy machine the cable takes its time.
 */
static void serve(struct uet_port *port)
{
    const struct uet_afpacket_stats before = stats_of(port);
    uint64_t until = uet_port_now(port) + 2000 * MS;
    bool served = false;
    struct uet_frame got;

    while (!served && uet_port_now(port) < until) {
        assert_int_equal(uet_port_receive(port, &got, 1, uet_port_now(port) + 2 * MS), 0);
        const struct uet_afpacket_stats now = stats_of(port);
        served = now.answered > before.answered || now.sent > before.sent;
    }
    assert_true(served);
}

/* ---- neighbours ---- */

/* The first frame is held, ARP or ND goes its round, then the frame arrives with both MACs. */
static void first_frame(const char *src, const char *dst, const uint8_t *want_macs)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_frame frame, got;
    uint8_t bytes[100];

    frame = ip_frame(bytes, sizeof(bytes), src, dst);
    send_ok(a, &frame);
    assert_int_equal(stats_of(a).sent, 0);
    serve(b); /* answers */
    serve(a); /* learns, sends what it held */
    got = receive_one(b);
    assert_int_equal(got.len, sizeof(bytes));
    assert_memory_equal(got.data, want_macs, 12);
    assert_memory_equal(got.data + 12, bytes + 12, sizeof(bytes) - 12);
    assert_int_equal(stats_of(a).sent, 1);
    assert_int_equal(stats_of(b).answered, 1);
    /* b learnt a from the question: the way back needs none. */
    frame = ip_frame(bytes, sizeof(bytes), dst, src);
    send_ok(b, &frame);
    got = receive_one(a);
    assert_memory_equal(got.data, want_macs + 6, 6);
    assert_memory_equal(got.data + 6, want_macs, 6);
    assert_int_equal(stats_of(a).answered, 0);
    uet_port_close(a);
    uet_port_close(b);
}

static void arp_between_ports(void **state)
{
    static const uint8_t macs[12] = {2, 0, 10, 9, 0, 2, 2, 0, 10, 9, 0, 1};

    (void)state;
    first_frame("10.9.0.1", "10.9.0.2", macs);
}

static void nd_between_ports(void **state)
{
    static const uint8_t macs[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};

    (void)state;
    first_frame("fd09::1", "fd09::2", macs);
}

/* The kernel is the witness that our ARP and ND are right: it resolves us, and we resolve it. */
static void kernel_as_neighbour(void **state)
{
    struct uet_port *a = open_at(if_a, 1);
    struct uet_ip kernel4 = ip("10.9.0.99"), kernel6 = ip("fd09::99");

    (void)state;
    run("ip addr add 10.9.0.99/24 dev %s", if_b);
    run("ip addr add fd09::99/64 dev %s nodad", if_b);
    assert_int_equal(uet_port_resolve(a, &kernel4, uet_port_now(a) + 1000 * MS), 0);
    assert_int_equal(uet_port_resolve(a, &kernel6, uet_port_now(a) + 1000 * MS), 0);
    run("ip neigh flush dev %s", if_b);
    /* Datagrams make the kernel ask; they arrive once we answered. */
    run("bash -c 'echo hello >/dev/udp/10.9.0.1/9'");
    assert_int_equal(receive_one(a).data[23], 17);
    run("bash -c 'echo hello >/dev/udp/fd09::1/9'");
    assert_int_equal(receive_one(a).data[20], 17);
    run("ip neigh show dev %s to 10.9.0.1 | grep -q 02:00:0a:09:00:01", if_b);
    run("ip neigh show dev %s to fd09::1 | grep -q 02:00:00:00:00:01", if_b);
    run("ip addr flush dev %s", if_b);
    uet_port_close(a);
}

static void resolve_gives_up(void **state)
{
    struct uet_port *a = open_at(if_a, 1);
    struct uet_ip nobody = ip("10.9.0.77");
    uint64_t start = uet_port_now(a);
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "10.9.0.77"), got;

    (void)state;
    assert_int_equal(uet_port_resolve(a, &nobody, start + 30 * MS), -EHOSTUNREACH);
    assert_true(uet_port_now(a) - start >= 30 * MS);
    assert_true(uet_port_now(a) - start < 1000 * MS);
    /* A frame to nobody is held, then dropped and counted after the last question. */
    send_ok(a, &frame);
    assert_int_equal(uet_port_receive(a, &got, 1, start + 1300 * MS), 0);
    assert_int_equal(stats_of(a).unresolved, 1);
    assert_int_equal(stats_of(a).sent, 0);
    uet_port_close(a);
}

/* Waits as a program does that has more to wait for; true when there is a frame. */
static bool wait_outside(struct uet_port *port, uint64_t until_ns)
{
    struct uet_port_wait wait = {.fd = -1};
    struct uet_frame got;
    int n = 0;

    while (n == 0 && uet_port_now(port) < until_ns) {
        assert_int_equal(uet_port_wait(port, &wait), 0);
        uint64_t now_ns = uet_port_now(port);
        uint64_t at_ns = wait.deadline_ns < until_ns ? wait.deadline_ns : until_ns;
        struct pollfd fd = {.fd = wait.fd, .events = POLLIN};

        assert_true(poll(&fd, 1, at_ns > now_ns ? (int)((at_ns - now_ns) / MS) + 1 : 0) >= 0);
        n = uet_port_receive(port, &got, 1, 0);
        assert_true(n >= 0);
    }
    return n > 0;
}

/* The descriptor tells of frames, the deadline of questions to be asked again and given up. */
static void waited_for_outside(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_port_wait wait = {.fd = -1};
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "10.9.0.2");

    (void)state;
    assert_int_equal(uet_port_wait(a, &wait), 0);
    assert_int_equal(wait.deadline_ns, UINT64_MAX); /* nothing to do of its own */
    send_ok(a, &frame);
    assert_int_equal(uet_port_wait(a, &wait), 0);
    assert_true(wait.deadline_ns < uet_port_now(a) + 1000 * MS); /* the question again */
    assert_false(wait_outside(b, uet_port_now(b) + 50 * MS));    /* answers */
    assert_false(wait_outside(a, uet_port_now(a) + 50 * MS));    /* learns, sends */
    assert_true(wait_outside(b, uet_port_now(b) + 2000 * MS));
    frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "10.9.0.77");
    send_ok(a, &frame); /* to nobody: dropped after the last question */
    assert_false(wait_outside(a, uet_port_now(a) + 1300 * MS));
    assert_int_equal(stats_of(a).unresolved, 1);
    uet_port_close(a);
    uet_port_close(b);
}

/* Frames that come while resolve waits are not lost, nor is what was received before. */
static void resolve_keeps_frames(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_ip nobody = ip("10.9.0.77"), a_ip = ip("10.9.0.1");
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.2", "10.9.0.1"), got[4];

    (void)state;
    send_ok(b, &frame);
    serve(a);
    assert_int_equal(uet_port_resolve(b, &a_ip, uet_port_now(b) + 1000 * MS), 0);
    bytes[99] = 0;
    got[0] = receive_one(a);
    for (uint8_t i = 1; i <= 3; i++) {
        bytes[99] = i;
        send_ok(b, &frame);
    }
    assert_int_equal(uet_port_resolve(a, &nobody, uet_port_now(a) + 30 * MS), -EHOSTUNREACH);
    assert_int_equal(got[0].data[99], 0);
    assert_int_equal(uet_port_receive(a, got, 4, uet_port_now(a)), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(got[i].data[99], i + 1);
    uet_port_close(a);
    uet_port_close(b);
}

/* Sends n frames to an address that nobody has; so many find no room. */
static void hold_frames(struct uet_port *port, const char *to, int n, unsigned dropped)
{
    const uint64_t before = stats_of(port).unresolved;
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", to);

    for (int i = 0; i < n; i++)
        send_ok(port, &frame);
    assert_int_equal(stats_of(port).unresolved - before, dropped);
}

/* An address beside those given at open is answered for, and heard. */
static void owns_one_more(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    const struct uet_ip more = ip("10.9.0.75");
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.2", "10.9.0.75"), got;

    (void)state;
    assert_int_equal(uet_port_own(a, &more), 0);
    assert_int_equal(uet_port_own(a, &more), 0); /* it is */
    send_ok(b, &frame);
    serve(a);
    serve(b);
    got = receive_one(a);
    assert_int_equal(got.len, sizeof(bytes));
    uet_port_close(a);
    uet_port_close(b);
}

static void fixed_neighbour_and_held_limit(void **state)
{
    struct uet_ip own = ip("10.9.0.1");
    struct uet_afpacket_neighbour known = {.ip = ip("10.9.0.50"), .mac = {{2, 5, 5, 5, 5, 5}}};
    struct uet_afpacket_config cfg = {.ifname = if_a,
                                      .addresses = &own,
                                      .n_addresses = 1,
                                      .neighbours = &known,
                                      .n_neighbours = 1};
    struct uet_port *a = open_config(&cfg), *tap = open_all(if_b);
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "10.9.0.50"), got;

    (void)state;
    send_ok(a, &frame); /* no question first */
    got = receive_one(tap);
    assert_memory_equal(got.data, known.mac.bytes, 6);
    /* One address that nobody has takes no room of another. */
    hold_frames(a, "10.9.0.51", 16 + 3, 3);
    hold_frames(a, "10.9.0.52", 16, 0);
    hold_frames(a, "10.9.0.53", 16, 0);
    hold_frames(a, "10.9.0.54", 15, 0);
    hold_frames(a, "10.9.0.55", 1 + 5, 5);
    assert_int_equal(a->caps & UET_PORT_SOURCE, 0); /* one address only */
    uet_port_close(a);
    uet_port_close(tap);
}

/* ---- frames ---- */

/* A tagged frame is asked for, answered and received with its tag in place. */
static void vlan_tag_restored(void **state)
{
    static const uint8_t tag[4] = {0x81, 0x00, 0x60, 0x64}; /* priority 3, VLAN 100 */
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    uint8_t plain[100], bytes[104];
    struct uet_frame frame = {.data = bytes, .len = sizeof(bytes)}, got;

    (void)state;
    ip_frame(plain, sizeof(plain), "10.9.0.1", "10.9.0.2");
    memcpy(bytes, plain, 12);
    memcpy(bytes + 12, tag, 4);
    memcpy(bytes + 16, plain + 12, 88);
    send_ok(a, &frame);
    serve(b);
    serve(a);
    got = receive_one(b);
    assert_int_equal(got.len, 104);
    assert_int_equal(got.data[0], 2);
    assert_int_equal(got.data[5], 2);
    assert_int_equal(got.data[11], 1);
    assert_memory_equal(got.data + 12, bytes + 12, 92);
    uet_port_close(a);
    uet_port_close(b);
}

/* 4 KiB of payload and more: the whole MTU passes, one byte more is refused. */
static void large_frames(void **state)
{
    static uint8_t bytes[14 + 9216 + 9];
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_ip b_ip = ip("10.9.0.2");
    struct uet_frame frame, got;

    (void)state;
    assert_int_equal(a->mtu, 9216);
    frame = ip_frame(bytes, 100, "10.9.0.1", "10.9.0.2");
    send_ok(a, &frame);
    serve(b);
    assert_int_equal(uet_port_resolve(a, &b_ip, uet_port_now(a) + 1000 * MS), 0);
    assert_int_equal(receive_one(b).len, 100);
    for (uint32_t len = 14 + 4096 + 100; len <= 14 + 9216; len += 4 * 1251) {
        frame = ip_frame(bytes, len, "10.9.0.1", "10.9.0.2");
        bytes[len - 1] = 0x5a;
        send_ok(a, &frame);
        got = receive_one(b);
        assert_int_equal(got.len, len);
        assert_int_equal(got.data[len - 1], 0x5a);
    }
    frame = ip_frame(bytes, 14 + 9216, "10.9.0.1", "10.9.0.2");
    send_ok(a, &frame);
    assert_int_equal(receive_one(b).len, 14 + 9216);
    frame.len = 14 + 9216 + 1;
    assert_int_equal(uet_port_send(a, &frame, 1), -EMSGSIZE);
    frame.len = 14 + 9216 + 9;
    assert_int_equal(uet_port_send(a, &frame, 1), -EMSGSIZE);
    frame.len = 13;
    assert_int_equal(uet_port_send(a, &frame, 1), -EMSGSIZE);
    uet_port_close(a);
    uet_port_close(b);
}

/* 200 frames in one call, more than a batch: all there, in order, stamps in order and just now. */
static void batches_and_stamps(void **state)
{
    static uint8_t bytes[200][128];
    struct uet_frame frames[200], got[200];
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_ip a_ip = ip("10.9.0.1");
    uint64_t before, last = 0;
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        frames[i] = ip_frame(bytes[i], 128, "10.9.0.2", "10.9.0.1");
        bytes[i][127] = (uint8_t)i;
    }
    send_ok(b, &frames[0]);
    serve(a);
    assert_int_equal(uet_port_resolve(b, &a_ip, uet_port_now(b) + 1000 * MS), 0);
    receive_one(a);
    before = uet_port_now(b);
    assert_int_equal(uet_port_send(b, frames, 200), 200);
    while (n < 200) {
        int rc = uet_port_receive(a, got, 200, uet_port_now(a) + 1000 * MS);

        assert_true(rc > 0);
        for (int i = 0; i < rc; i++, n++) {
            assert_int_equal(got[i].data[127], n);
            assert_true(got[i].time_ns >= last);
            last = got[i].time_ns;
            /* 100 us for the two clocks that cannot be read at once */
            assert_true(last + MS / 10 >= before);
            assert_true(last <= uet_port_now(a));
        }
    }
    uet_port_close(a);
    uet_port_close(b);
}

/* Only frames to the owned addresses come up; with .all everything does. */
static void foreign_frames(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2), *tap = open_all(if_b);
    uint8_t bytes[100] = {0};
    struct uet_frame frame = {.data = bytes, .len = sizeof(bytes)}, got;

    (void)state;
    memset(bytes, 0xff, 6);
    uet_port_put16(bytes + 12, 0x88b5); /* IEEE 802: local experimental */
    send_ok(a, &frame);
    frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "255.255.255.255");
    send_ok(a, &frame);
    frame = ip_frame(bytes, sizeof(bytes), "fd09::1", "ff02::5");
    send_ok(a, &frame);
    for (uint64_t until = uet_port_now(b) + 2000 * MS;
         stats_of(b).foreign < 3 && uet_port_now(b) < until;)
        assert_int_equal(uet_port_receive(b, &got, 1, uet_port_now(b) + 3 * MS), 0);
    assert_int_equal(stats_of(b).foreign, 3);
    got = receive_one(tap);
    assert_int_equal(uet_port_get16(got.data + 12), 0x88b5);
    got = receive_one(tap);
    assert_memory_equal(got.data, "\xff\xff\xff\xff\xff\xff", 6);
    got = receive_one(tap);
    assert_memory_equal(got.data, "\x33\x33\x00\x00\x00\x05", 6);
    uet_port_close(a);
    uet_port_close(b);
    uet_port_close(tap);
}

/* ---- the kernel keeps out of it ---- */

/* Does an ICMP destination unreachable pass within 30 ms? */
static int sees_unreachable(struct uet_port *tap)
{
    uint64_t until = uet_port_now(tap) + 30 * MS;
    struct uet_frame got;
    int seen = 0;

    while (uet_port_receive(tap, &got, 1, until) == 1)
        seen |= got.len > 34 && uet_port_get16(got.data + 12) == UET_ETHER_IPV4 &&
                got.data[23] == 1 && got.data[34] == 3;
    return seen;
}

/*
 * A datagram to a closed UDP port: on the kernel's own address it answers "unreachable" (so the
 * test can see one), on the address that the port owns nobody does.
 */
static void no_icmp_for_owned_addresses(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2), *tap = open_all(if_a);
    struct uet_ip kernel = ip("10.9.0.99"), b_ip = ip("10.9.0.2");
    uint8_t bytes[60];
    struct uet_frame frame;

    (void)state;
    run("ip addr add 10.9.0.99/24 dev %s", if_b);
    for (int owned = 0; owned < 2; owned++) {
        frame = ip_frame(bytes, 60, "10.9.0.1", owned ? "10.9.0.2" : "10.9.0.99");
        bytes[23] = 17;
        uet_port_put16(bytes + 34, 4793);
        uet_port_put16(bytes + 36, 4793);
        uet_port_put16(bytes + 38, 26);
        uint32_t sum = 0;
        for (int i = 14; i < 34; i += 2)
            sum += uet_port_get16(bytes + i);
        sum = (sum & 0xffff) + (sum >> 16);
        uet_port_put16(bytes + 24, ~sum & 0xffff);
        send_ok(a, &frame);
        if (owned)
            serve(b);
        assert_int_equal(uet_port_resolve(a, owned ? &b_ip : &kernel, uet_port_now(a) + 1000 * MS),
                         0);
        if (owned)
            assert_int_equal(receive_one(b).len, 60);
        else /* the kernel asks for the MAC address of 10.9.0.1 first, then answers */
            assert_int_equal(receive_one(a).data[23], 1);
        assert_int_equal(sees_unreachable(tap), !owned);
    }
    run("ip addr flush dev %s", if_b);
    uet_port_close(a);
    uet_port_close(b);
    uet_port_close(tap);
}

/* ---- what can go wrong ---- */

static void expect_refusal(const struct uet_afpacket_config *cfg, int code, const char *words)
{
    struct uet_port *port = NULL;
    char err[256] = "";

    assert_int_equal(uet_afpacket_open(&port, cfg, err, sizeof(err)), code);
    assert_null(port);
    if (!strstr(err, words))
        fail_msg("\"%s\" does not say \"%s\"", err, words);
    assert_null(strchr(err, '\n'));
}

static void open_errors(void **state)
{
    struct uet_ip own = ip("10.9.0.1"), none = {0}, group = ip("224.0.0.1"),
                  kernel = ip("10.9.0.99");
    struct uet_afpacket_config cfg = {.addresses = &own, .n_addresses = 1};

    (void)state;
    expect_refusal(&cfg, -EINVAL, "ip link");
    cfg.ifname = "nosuch0";
    expect_refusal(&cfg, -ENODEV, "nosuch0");
    cfg.ifname = if_a;
    cfg.n_addresses = 0;
    expect_refusal(&cfg, -EINVAL, "no address");
    cfg.n_addresses = 65;
    expect_refusal(&cfg, -EINVAL, "at most 64");
    cfg.n_addresses = 1;
    cfg.addresses = &none;
    expect_refusal(&cfg, -EINVAL, "not a unicast");
    cfg.addresses = &group;
    expect_refusal(&cfg, -EINVAL, "224.0.0.1");
    run("ip addr add 10.9.0.99/24 dev %s", if_b);
    cfg.addresses = &kernel;
    expect_refusal(&cfg, -EADDRINUSE, "10.9.0.99");
    run("ip addr flush dev %s", if_b);
    cfg.addresses = &own;
    run("ip link set %s down", if_a);
    expect_refusal(&cfg, -ENETDOWN, "ip link set");
    bring_up();
}

static void down_and_up_again(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    struct uet_ip b_ip = ip("10.9.0.2");
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "10.9.0.2"), got;

    (void)state;
    run("ip link set %s down", if_a);
    assert_int_equal(uet_port_receive(a, &got, 1, uet_port_now(a) + 1000 * MS), -ENODEV);
    assert_int_equal(uet_port_receive(a, &got, 1, uet_port_now(a) + 1000 * MS), -ENODEV);
    assert_int_equal(uet_port_resolve(a, &b_ip, uet_port_now(a) + 1000 * MS), -ENODEV);
    bring_up();
    assert_int_equal(uet_port_receive(a, &got, 1, uet_port_now(a) + 3 * MS), 0);
    send_ok(a, &frame);
    serve(b);
    serve(a);
    assert_int_equal(receive_one(b).len, 100);
    uet_port_close(a);
    uet_port_close(b);
}

/* What uet_port_check tells of a link, and of one that went and came back. */
static void link_is_watched(void **state)
{
    struct uet_port *a = open_at(if_a, 1);

    (void)state;
    assert_int_equal(uet_port_check(a), 0);
    run("ip link set %s down", if_b);
    run("for i in $(seq 500); do ip link show %s | grep -q LOWERLAYERDOWN && exit 0; "
        "sleep 0.01; done; exit 1",
        if_a);
    assert_int_equal(uet_port_check(a), -ENOLINK);
    run("ip link set %s up", if_b);
    bring_up();
    assert_int_equal(uet_port_check(a), -ENETRESET);
    assert_int_equal(uet_port_check(a), 0);
    run("ip link set %s mtu 1400", if_a); /* the frames of who opened it no longer fit */
    assert_int_equal(uet_port_check(a), -EMSGSIZE);
    run("ip link set %s mtu 9216", if_a);
    assert_int_equal(uet_port_check(a), 0);
    run("ip link set %s down", if_a);
    assert_int_equal(uet_port_check(a), -ENETDOWN);
    bring_up();
    assert_int_equal(uet_port_check(a), -ENETRESET);
    assert_int_equal(uet_port_check(a), 0);
    run("ip link set %s down", if_b); /* gone and back between two looks */
    run("ip link set %s up", if_b);
    bring_up();
    assert_int_equal(uet_port_check(a), -ENETRESET);
    assert_int_equal(uet_port_check(a), 0);
    uet_port_close(a);
}

/* A new cable with the old names: the port that stood on the old one goes on with it. */
static void interface_made_anew(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b;
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.1", "255.255.255.255"), got;

    (void)state;
    run("ip link del %s", if_a);
    assert_int_equal(uet_port_check(a), -ENODEV);
    assert_int_equal(uet_port_receive(a, &got, 1, uet_port_now(a) + 3 * MS), -ENODEV);
    run("ip link add name %s mtu 9216 type veth peer name %s mtu 9216", if_a, if_b);
    run("ip link set %s addrgenmode none", if_a);
    run("ip link set %s addrgenmode none up", if_b);
    bring_up();
    assert_int_equal(uet_port_check(a), -ENETRESET);
    assert_int_equal(uet_port_check(a), 0);
    b = open_all(if_b);
    send_ok(a, &frame);
    assert_int_equal(receive_one(b).len, 100);
    uet_port_close(a);
    uet_port_close(b);
}

/* Last: after it the cable is gone. */
static void interface_removed(void **state)
{
    struct uet_port *a = open_at(if_a, 1), *b = open_at(if_b, 2);
    uint8_t bytes[100];
    struct uet_frame frame = ip_frame(bytes, sizeof(bytes), "10.9.0.2", "255.255.255.255"), got;
    uint64_t start = uet_port_now(a);

    (void)state;
    run("ip link del %s", if_a);
    assert_int_equal(uet_port_receive(a, &got, 1, start + 10000 * MS), -ENODEV);
    assert_int_equal(uet_port_receive(a, &got, 1, start + 10000 * MS), -ENODEV);
    assert_int_equal(uet_port_send(b, &frame, 1), -ENODEV);
    assert_int_equal(uet_port_receive(b, &got, 1, start + 10000 * MS), -ENODEV);
    assert_true(uet_port_now(a) - start < 5000 * MS);
    uet_port_close(a);
    uet_port_close(b);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_errors),          cmocka_unit_test(arp_between_ports),
        cmocka_unit_test(nd_between_ports),     cmocka_unit_test(kernel_as_neighbour),
        cmocka_unit_test(resolve_gives_up),     cmocka_unit_test(waited_for_outside),
        cmocka_unit_test(resolve_keeps_frames), cmocka_unit_test(fixed_neighbour_and_held_limit),
        cmocka_unit_test(owns_one_more),        cmocka_unit_test(vlan_tag_restored),
        cmocka_unit_test(large_frames),         cmocka_unit_test(batches_and_stamps),
        cmocka_unit_test(foreign_frames),       cmocka_unit_test(no_icmp_for_owned_addresses),
        cmocka_unit_test(down_and_up_again),    cmocka_unit_test(link_is_watched),
        cmocka_unit_test(interface_made_anew),  cmocka_unit_test(interface_removed),
    };
    static char script[] = UETKIT_SOURCE_DIR "/port/tests/with-veth", same[] = "-1";
    char *again[] = {script, same, argv[0], NULL};

    (void)argc;
    if_a = getenv("UET_IF_A");
    if_b = getenv("UET_IF_B");
    if (!if_a || !if_b) {
        execv(script, again);
        perror(script);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
