/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated fabric: time, order, queues, ECN, trimming (4.1) and each fault, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "port/fabric/fabric.h"
#include "wire/build.h"

#define LATENCY 1000u
#define GBIT    1000000000ull

enum { TRIMMABLE = 8, TRIMMED = 16, LASTHOP = 18, CONTROL = 46, MAX = 64 };

struct side {
    struct uet_ip ip;
    struct {
        uint8_t bytes[2048];
        size_t len;
    } out[MAX];
    size_t head, n; /* to send */
};

static struct fixture {
    struct uet_fabric *fabric;
    struct side side[3];
    struct {
        uint16_t host;
        uint32_t len;
        uint64_t at;
        uint8_t bytes[2048];
    } got[2 * MAX];
    size_t n_got;
} w;

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    (void)ctx;
    assert_true(w.n_got < 2 * MAX);
    w.got[w.n_got].host = host;
    w.got[w.n_got].len = len;
    w.got[w.n_got].at = now_ns;
    memcpy(w.got[w.n_got].bytes, frame, len);
    w.n_got++;
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    struct side *side = &w.side[host];
    (void)ctx;
    (void)now_ns;
    if (side->head == side->n)
        return 0;
    assert_true(side->out[side->head].len <= cap);
    memcpy(buffer, side->out[side->head].bytes, side->out[side->head].len);
    return side->out[side->head++].len;
}

/* The fabric of hosts 0, 1 and 2 and what these cables tie them to. */
static void make(const struct uet_fabric_cable *cables, size_t n_cables, uint16_t n_switches)
{
    struct uet_ip addresses[3];
    memset(&w, 0, sizeof w);
    for (uint16_t i = 0; i < 3; i++) {
        char text[] = "192.0.2.1";
        text[8] = (char)('1' + i);
        assert_int_equal(uet_ip_parse(&addresses[i], text), 0);
        w.side[i].ip = addresses[i];
    }
    const struct uet_fabric_config config = {.seed = 1,
                                             .addresses = addresses,
                                             .n_hosts = 3,
                                             .n_switches = n_switches,
                                             .cables = cables,
                                             .n_cables = n_cables,
                                             .dscp_trimmable = TRIMMABLE,
                                             .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed = TRIMMED,
                                             .dscp_trimmed_lasthop = LASTHOP,
                                             .dscp_control = CONTROL,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .deliver = deliver,
                                             .pull = pull};
    assert_int_equal(uet_fabric_new(&w.fabric, &config, 0), 0);
}

/* All three at switch 3, 8 Gbit/s: a byte a nanosecond; queues of 10000 bytes. */
static void setup_with(const struct uet_fabric_line *line)
{
    const struct uet_fabric_cable cables[] = {{0, 3, *line}, {1, 3, *line}, {2, 3, *line}};
    make(cables, 3, 1);
}

/* Hosts 0 and 1 at switch 3, host 2 at switch 4. */
static void setup_between(const struct uet_fabric_line *host, const struct uet_fabric_line *between)
{
    const struct uet_fabric_cable cables[] = {
        {0, 3, *host}, {1, 3, *host}, {2, 4, *host}, {3, 4, *between}};
    make(cables, 4, 2);
}

static struct uet_fabric_line usual(void)
{
    return (struct uet_fabric_line){
        .latency_ns = LATENCY, .bits_per_s = 8 * GBIT, .drop_bytes = {10000, 10000, 10000}};
}

static void setup(void)
{
    struct uet_fabric_line line = usual();
    setup_with(&line);
}

/* A UET frame of host `from` with `payload` bytes; returns its length. */
static size_t send(uint16_t from, uint16_t to, uint8_t dscp, uint16_t payload)
{
    static const uint8_t bytes[1600];
    struct side *side = &w.side[from];
    struct uet_build b;
    const struct uet_route route = {.src = side->ip,
                                    .dst = w.side[to].ip,
                                    .entropy = 0x1234,
                                    .dscp = dscp,
                                    .ecn = UET_ECN_ECT0};
    uet_build_start(&b, side->out[side->n].bytes, sizeof side->out[0].bytes, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_spdcid_set(h, 1);
    uet_rud_rod_req_psn_set(h, (uint32_t)side->n);
    uet_ses_req_som_set(uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1), true);
    uet_build_payload(&b, bytes, payload);
    int n = uet_build_finish(&b, UET_PROTECT_CRC, NULL);
    assert_true(n > 0);
    side->out[side->n++].len = (size_t)n;
    return (size_t)n;
}

static void go(void)
{
    uint64_t at = 0;
    for (uint16_t i = 0; i < 3; i++)
        uet_fabric_wake(w.fabric, i, 0);
    while ((at = uet_fabric_deadline(w.fabric)) != UET_FABRIC_NEVER)
        uet_fabric_advance(w.fabric, at);
}

/* Two hops: 24 bytes of gap and preamble and the frame on each line, and both latencies. */
static void test_time(void **state)
{
    (void)state;
    setup();
    size_t n = send(0, 1, CONTROL, 100);
    send(0, 1, CONTROL, 100);
    go();
    assert_int_equal(w.n_got, 2);
    assert_int_equal(w.got[0].host, 1);
    assert_int_equal(w.got[0].len, n);
    assert_int_equal(w.got[0].at, 2 * (n + 24) + 2 * LATENCY);
    assert_int_equal(w.got[1].at, w.got[0].at + n + 24); /* a full line: one behind the other */
    assert_memory_equal(w.got[0].bytes, w.side[0].out[0].bytes, n);
    uet_fabric_free(w.fabric);
}

/* A class without weight takes no time of the line: what follows it leaves at once. */
static void test_weightless(void **state)
{
    struct uet_fabric_line line = usual();
    (void)state;
    line.weightless = 1u << UET_FABRIC_HIGH;
    setup_with(&line);
    send(0, 1, CONTROL, 100);
    size_t n = send(0, 1, 0, 100);
    go();
    assert_int_equal(w.n_got, 2);
    assert_int_equal(w.got[0].at, 2 * LATENCY);
    assert_int_equal(w.got[1].at, 2 * (n + 24) + 2 * LATENCY);
    uet_fabric_free(w.fabric);
}

/* Two hosts at one: the queue fills, and what is over its limit is dropped. */
static void test_drop(void **state)
{
    (void)state;
    setup();
    for (int i = 0; i < 30; i++) {
        send(0, 2, 0, 1000);
        send(1, 2, 0, 1000);
    }
    go();
    struct uet_fabric_stats s = uet_fabric_stats(w.fabric);
    assert_int_equal(s.sent, 60);
    assert_true(s.dropped[UET_FABRIC_LOW] > 15 && s.dropped[UET_FABRIC_LOW] < 25);
    assert_int_equal(s.delivered + s.dropped[UET_FABRIC_LOW], 60);
    uet_fabric_free(w.fabric);
}

/* The frame as its host sent it: hosts number theirs by PSN. */
static const uint8_t *sent_as(uint16_t from, uint32_t psn, size_t *len)
{
    *len = w.side[from].out[psn].len;
    return w.side[from].out[psn].bytes;
}

#define ETH 14u
#define IP  20u

/* One's complement sum of the IPv4 header, its checksum included: 0xffff when that is right. */
static uint32_t header_sum(const uint8_t *ip)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < IP; i += 2)
        sum += (uint32_t)ip[i] << 8 | ip[i + 1];
    return (sum & 0xffff) + (sum >> 16);
}

/* NET-023, 025, 026 and CMS-105 of one cut frame: what was kept is as it was, but for the DSCP. */
static void check_cut(size_t i, uint16_t from, uint8_t dscp)
{
    const struct uet_parse_options options = {.dscp_trimmed = 1ull << TRIMMED | 1ull << LASTHOP,
                                              .dscp_trimmed_lasthop = 1ull << LASTHOP};
    const uint8_t *bytes = w.got[i].bytes;
    struct uet_packet p;
    size_t whole;
    assert_int_equal(uet_parse(&p, bytes, w.got[i].len, &options), UET_PARSE_TRIMMED);
    const uint8_t *was = sent_as(from, uet_packet_psn(&p), &whole);
    assert_int_equal(w.got[i].len, ETH + IP + 24);
    assert_int_equal(bytes[ETH + 2] << 8 | bytes[ETH + 3], IP + 24);
    assert_int_equal(header_sum(bytes + ETH), 0xffff);
    assert_int_equal(uet_dscp(&p), dscp);
    assert_int_equal(uet_ecn(&p), UET_ECN_ECT0);
    assert_int_equal(p.trimmed_bytes, whole - ETH - IP - 24);
    assert_memory_equal(bytes + ETH + IP, was + ETH + IP, 24);
}

static uint16_t host_of(const uint8_t *frame)
{
    return (uint16_t)(frame[ETH + 15] - 1); /* 192.0.2.1 is host 0 */
}

/*
 * Two hosts fill the queue to a third: what is trimmable and longer than 24 bytes of IP payload is
 * cut to them (NET-023 to NET-026), nothing else is (NET-022, NET-024), and all of it arrives there
 * (NET-030).
 */
static void test_trim(void **state)
{
    struct uet_fabric_line line = usual();
    (void)state;
    line.trim_bytes = 3000;
    line.drop_bytes[UET_FABRIC_LOW] = 100000;
    setup_with(&line);
    for (int i = 0; i < 20; i++) {
        send(0, 2, i % 4 ? TRIMMABLE : CONTROL, 1000);
        send(1, 2, i % 4 ? TRIMMABLE : TRIMMED, 1000); /* who says TRIMMED is cut already */
        send(1, 2, 0, 1000);
    }
    go();
    struct uet_fabric_stats s = uet_fabric_stats(w.fabric);
    assert_true(s.trimmed > 10);
    assert_int_equal(s.delivered, 60);
    size_t cut = 0;
    for (size_t i = 0; i < w.n_got; i++) {
        uint8_t dscp = w.got[i].bytes[ETH + 1] >> 2;
        assert_int_equal(w.got[i].host, 2);
        if (dscp != LASTHOP) {
            assert_true(w.got[i].len > 1000);
            continue;
        }
        cut++;
        check_cut(i, host_of(w.got[i].bytes), LASTHOP);
    }
    assert_int_equal(cut, s.trimmed);
    uet_fabric_free(w.fabric);
}

/* NET-028: a cut packet stands in the queue of the trimmed, which may be full as well. */
static void test_trimmed_queue(void **state)
{
    struct uet_fabric_line line = usual();
    (void)state;
    line.trim_bytes = 3000;
    line.drop_bytes[UET_FABRIC_MED] = 100; /* one of 58 bytes */
    setup_with(&line);
    for (int i = 0; i < 20; i++) {
        send(0, 2, TRIMMABLE, 1000);
        send(1, 2, TRIMMABLE, 1000);
    }
    go();
    struct uet_fabric_stats s = uet_fabric_stats(w.fabric);
    assert_true(s.dropped[UET_FABRIC_MED] > 0);
    assert_int_equal(s.dropped[UET_FABRIC_LOW], 0);
    assert_true(s.trimmed > s.dropped[UET_FABRIC_MED]);
    assert_int_equal(s.delivered + s.dropped[UET_FABRIC_MED], 40);
    uet_fabric_free(w.fabric);
}

/* NET-029: LASTHOP is for the switch that stands before the target; between switches TRIMMED. */
static void test_trim_on_the_way(void **state)
{
    struct uet_fabric_line host = usual(), between = usual();
    (void)state;
    between.trim_bytes = 3000;
    setup_between(&host, &between);
    for (int i = 0; i < 20; i++) {
        send(0, 2, TRIMMABLE, 1000);
        send(1, 2, TRIMMABLE, 1000);
    }
    go();
    struct uet_fabric_stats s = uet_fabric_stats(w.fabric);
    assert_true(s.trimmed > 10);
    for (size_t i = 0; i < w.n_got; i++)
        if (w.got[i].len < 1000)
            check_cut(i, host_of(w.got[i].bytes), TRIMMED);
    uet_fabric_free(w.fabric);
}

/* CE on what waits long, never on control. */
static void test_ecn(void **state)
{
    struct uet_fabric_line line = usual();
    (void)state;
    line.ecn_min_bytes = 1000;
    line.ecn_max_bytes = 3000;
    setup_with(&line);
    for (int i = 0; i < 10; i++) {
        send(0, 2, 0, 1000);
        send(1, 2, i % 2 ? 0 : CONTROL, 1000);
    }
    go();
    size_t marked = 0;
    for (size_t i = 0; i < w.n_got; i++) {
        struct uet_packet p;
        assert_int_equal(uet_parse(&p, w.got[i].bytes, w.got[i].len, NULL), UET_PARSE_OK);
        marked += uet_ecn(&p) == UET_ECN_CE;
        assert_true(uet_dscp(&p) != CONTROL || uet_ecn(&p) == UET_ECN_ECT0);
    }
    assert_true(marked > 3);
    assert_int_equal(marked, uet_fabric_stats(w.fabric).marked);
    uet_fabric_free(w.fabric);
}

/*
 * Marked is what leaves more than 2.5 frames behind it: of six at a time from two hosts the last
 * three never are, and the one before them is (3.6.17). On arrival the last ones would be.
 */
static void test_ecn_at_dequeue(void **state)
{
    struct uet_fabric_line line = usual();
    struct uet_packet p;
    (void)state;
    setup();
    const size_t n = send(0, 2, 0, 1000);
    uet_fabric_free(w.fabric);
    line.ecn_min_bytes = (uint32_t)(2 * n + n / 2);
    line.ecn_max_bytes = line.ecn_min_bytes + 1;
    line.ecn_at_dequeue = true;
    setup_with(&line);
    for (int i = 0; i < 4; i++) {
        send(0, 2, 0, 1000);
        send(1, 2, 0, 1000);
    }
    go();
    assert_int_equal(w.n_got, 8);
    for (size_t i = 4; i < 8; i++) {
        assert_int_equal(uet_parse(&p, w.got[i].bytes, w.got[i].len, NULL), UET_PARSE_OK);
        assert_int_equal(uet_ecn(&p), i == 4 ? UET_ECN_CE : UET_ECN_ECT0);
    }
    uet_fabric_free(w.fabric);
}

/* The line to host 1 at 1/8 of its speed: eight times as long on it, and the second one waits. */
static void test_rate(void **state)
{
    (void)state;
    setup();
    const size_t n = send(0, 1, 0, 100);
    const uint64_t there = n + 24 + LATENCY; /* at the switch, the second one n + 24 later */
    send(0, 1, 0, 100);
    uet_fabric_set_rate(w.fabric, 1, true, GBIT);
    uet_fabric_wake(w.fabric, 0, 0);
    uet_fabric_advance(w.fabric, there + n + 24);
    assert_int_equal(uet_fabric_waiting(w.fabric, 1, true, UET_FABRIC_LOW), n);
    assert_int_equal(uet_fabric_waiting(w.fabric, 1, false, UET_FABRIC_LOW), 0);
    go();
    assert_int_equal(w.got[0].at, there + 8 * (n + 24) + LATENCY);
    assert_int_equal(w.got[1].at, there + 16 * (n + 24) + LATENCY);
    uet_fabric_free(w.fabric);
}

/* The fault stands on one line of the way from host 0 to host 1. */
static size_t through_at(const struct uet_fabric_faults *faults, uint8_t dscp, size_t cable,
                         bool back)
{
    setup();
    uet_fabric_set_faults(w.fabric, cable, back, faults);
    for (int i = 0; i < 50; i++)
        send(0, 1, dscp, 10);
    go();
    return w.n_got;
}

static size_t through(const struct uet_fabric_faults *faults, uint8_t dscp)
{
    return through_at(faults, dscp, 0, false);
}

static uint32_t psn_of(size_t i)
{
    struct uet_packet p;
    uet_parse(&p, w.got[i].bytes, w.got[i].len, NULL);
    return uet_packet_psn(&p);
}

/* Few losses, but each takes its neighbours with it. */
static void test_bursts(void **state)
{
    const struct uet_fabric_faults f = {.lose = 60000, .lose_run = 12};
    size_t gaps = 0, longest = 0;
    (void)state;
    size_t n = through(&f, 0);
    for (size_t i = 1; i < n; i++) {
        size_t gap = psn_of(i) - psn_of(i - 1) - 1;
        gaps += gap > 0;
        longest = gap > longest ? gap : longest;
    }
    assert_true(longest > 4 && gaps < 8);
    assert_int_equal(uet_fabric_stats(w.fabric).lost, 50 - n);
    uet_fabric_free(w.fabric);
}

/* The second copy comes up to so much later: behind frames that left after it. */
static void test_late_copies(void **state)
{
    const struct uet_fabric_faults f = {.duplicate = 1000000, .copy_delay_ns = 20000};
    size_t late = 0;
    (void)state;
    assert_int_equal(through(&f, 0), 100);
    for (size_t i = 1; i < w.n_got; i++)
        late += uet_psn_diff(psn_of(i), psn_of(i - 1)) < 0;
    assert_true(late > 20);
    uet_fabric_free(w.fabric);
}

/* A switch marks and cuts as if it were full; a host's own line does not. */
static void test_as_if_full(void **state)
{
    const struct uet_fabric_faults mark = {.mark = 1000000}, trim = {.trim = 1000000};
    (void)state;
    assert_int_equal(through_at(&mark, 0, 1, true), 50);
    assert_int_equal(uet_fabric_stats(w.fabric).marked, 50);
    uet_fabric_free(w.fabric);
    assert_int_equal(through_at(&trim, TRIMMABLE, 1, true), 50);
    assert_int_equal(uet_fabric_stats(w.fabric).trimmed, 50);
    for (size_t i = 0; i < w.n_got; i++)
        assert_int_equal(w.got[i].len, 14 + 20 + 24);
    uet_fabric_free(w.fabric);
    assert_int_equal(through_at(&trim, CONTROL, 1, true), 50);
    assert_int_equal(uet_fabric_stats(w.fabric).trimmed, 0);
    uet_fabric_free(w.fabric);
    assert_int_equal(through_at(&trim, TRIMMABLE, 0, false), 50);
    assert_int_equal(uet_fabric_stats(w.fabric).trimmed, 0);
    uet_fabric_free(w.fabric);
}

static void test_faults(void **state)
{
    struct uet_fabric_faults f = {.lose = 500000};
    struct uet_packet p;
    (void)state;
    size_t n = through(&f, 0);
    assert_true(n > 12 && n < 38);
    assert_int_equal(uet_fabric_stats(w.fabric).lost, 50 - n);
    uet_fabric_free(w.fabric);
    f.spared = 1u << UET_FABRIC_HIGH;
    assert_int_equal(through(&f, CONTROL), 50);
    uet_fabric_free(w.fabric);
    f = (struct uet_fabric_faults){.down = true};
    assert_int_equal(through(&f, 0), 0);
    assert_int_equal(uet_fabric_stats(w.fabric).down, 50);
    uet_fabric_free(w.fabric);
    f = (struct uet_fabric_faults){.duplicate = 1000000};
    assert_int_equal(through(&f, 0), 100);
    uet_fabric_free(w.fabric);
    f = (struct uet_fabric_faults){.corrupt = 1000000};
    const struct uet_parse_options crc = {.protect = UET_PROTECT_CRC};
    n = through(&f, 0);
    for (size_t i = 0; i < n; i++) /* the CRC or the IP checksum sees nearly all of them */
        n -= uet_parse(&p, w.got[i].bytes, w.got[i].len, &crc) != UET_PARSE_OK;
    assert_true(n < 30);
    uet_fabric_free(w.fabric);
    f = (struct uet_fabric_faults){.delay = 500000, .delay_ns = 5000};
    assert_int_equal(through(&f, 0), 50);
    bool overtaken = false;
    for (size_t i = 1; i < w.n_got; i++) {
        struct uet_packet q;
        uet_parse(&p, w.got[i - 1].bytes, w.got[i - 1].len, NULL);
        uet_parse(&q, w.got[i].bytes, w.got[i].len, NULL);
        overtaken |= uet_psn_diff(uet_packet_psn(&q), uet_packet_psn(&p)) < 0;
    }
    assert_true(overtaken);
    uet_fabric_free(w.fabric);
}

/* ---- hosts with deadlines, back to back on a line that takes no time ---- */

static struct {
    uint64_t deadline[2];
    struct {
        char what; /* 'a' advance, 'd' deliver */
        uint16_t host;
        uint64_t at;
    } seen[MAX];
    size_t n;
    bool stuck;
} hosts;

static void see(char what, uint16_t host, uint64_t at)
{
    assert_true(hosts.n < MAX);
    hosts.seen[hosts.n].what = what;
    hosts.seen[hosts.n].host = host;
    hosts.seen[hosts.n++].at = at;
}

static void host_deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len,
                         uint64_t now_ns)
{
    (void)ctx, (void)frame, (void)len;
    see('d', host, now_ns);
}

static uint64_t host_advance(void *ctx, uint16_t host, uint64_t now_ns)
{
    (void)ctx;
    see('a', host, now_ns);
    if (hosts.stuck)
        return 0;
    if (hosts.deadline[host] <= now_ns)
        hosts.deadline[host] = UET_FABRIC_NEVER;
    return hosts.deadline[host];
}

static struct uet_fabric *two_hosts(uint32_t max_frames)
{
    const struct uet_fabric_cable cable = {0, 1, {.latency_ns = LATENCY}};
    const struct uet_fabric_config config = {.n_hosts = 2,
                                             .cables = &cable,
                                             .n_cables = 1,
                                             .max_frames = max_frames,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .deliver = host_deliver,
                                             .advance = host_advance};
    struct uet_fabric *f = NULL;

    memset(&hosts, 0, sizeof(hosts));
    hosts.deadline[0] = hosts.deadline[1] = UET_FABRIC_NEVER;
    assert_int_equal(uet_fabric_new(&f, &config, 500), 0);
    assert_int_equal(uet_fabric_deadline(f), 500); /* each is advanced first of all */
    uet_fabric_advance(f, 500);
    assert_int_equal(hosts.n, 2);
    hosts.n = 0;
    return f;
}

static void assert_seen(size_t i, char what, uint16_t host, uint64_t at)
{
    assert_true(i < hosts.n);
    assert_int_equal(hosts.seen[i].what, what);
    assert_int_equal(hosts.seen[i].host, host);
    assert_int_equal(hosts.seen[i].at, at);
}

/* A deadline comes before a frame of the same time; two frames come before the advance. */
static void test_deadlines(void **state)
{
    static const uint8_t bytes[64];
    struct uet_fabric *f = two_hosts(0);
    (void)state;
    assert_int_equal(uet_fabric_deadline(f), UET_FABRIC_NEVER);
    hosts.deadline[1] = 500 + LATENCY;
    uet_fabric_wake(f, 1, 500);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), NULL, NULL), 0);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), NULL, NULL), 0);
    assert_int_equal(uet_fabric_deadline(f), 500 + LATENCY);
    uet_fabric_advance(f, 5000);
    assert_int_equal(hosts.n, 5);
    assert_seen(0, 'a', 1, 500); /* woken */
    assert_seen(1, 'a', 1, 500 + LATENCY);
    assert_seen(2, 'd', 1, 500 + LATENCY);
    assert_seen(3, 'd', 1, 500 + LATENCY);
    assert_seen(4, 'a', 1, 500 + LATENCY);
    assert_int_equal(uet_fabric_now(f), 5000);
    uet_fabric_free(f);
}

/* Copies come in time and the last of them late; what is late can be lost; what is lost is not. */
static void test_fate(void **state)
{
    static const uint8_t bytes[64];
    const struct uet_fate twice = {.copies = 2, .delay_ns = 300}, lost = {.copies = 0},
                          late = {.copies = 1, .delay_ns = 7000};
    struct uet_fabric *f = two_hosts(0);
    (void)state;
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), &twice, NULL), 0);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), &lost, NULL), 0);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), &late, NULL), 0);
    uet_fabric_advance(f, 500 + LATENCY + 300);
    assert_int_equal(hosts.n, 4);
    assert_seen(0, 'd', 1, 500 + LATENCY);
    assert_seen(2, 'd', 1, 500 + LATENCY + 300);
    assert_int_equal(uet_fabric_deadline(f), 500 + LATENCY + 7000);
    uet_fabric_drop_late(f);
    uet_fabric_advance(f, 10000);
    assert_int_equal(hosts.n, 4);
    uet_fabric_free(f);
}

/* A host that asks for the past is put off: 1, 2, 4, ... us. No more frames than there may be. */
/*
 * What is near and what is far in time: two hosts send to a third one, one over a line of 1 ms, the
 * other of 1 us, and both come in between each other, in the order of their times.
 */
static void test_far(void **state)
{
    struct uet_fabric_line near = usual(), far = usual();
    (void)state;
    far.latency_ns = 1000000;
    near.bits_per_s = far.bits_per_s = GBIT; /* a byte in 8 ns */
    const struct uet_fabric_cable cables[] = {{0, 3, far}, {1, 3, near}, {2, 3, near}};
    make(cables, 3, 1);
    const size_t n = send(0, 2, CONTROL, 1000);
    for (int i = 0; i < 9; i++)
        send(0, 2, CONTROL, 1000);
    go();
    for (int i = 0; i < 3; i++)
        send(1, 2, CONTROL, 1000);
    uet_fabric_wake(w.fabric, 1, uet_fabric_now(w.fabric));
    const uint64_t later = uet_fabric_now(w.fabric), each = (n + 24) * 8;
    go();
    assert_int_equal(w.n_got, 13);
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(w.got[i].at, (i + 2) * each + 1000000 + LATENCY);
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(w.got[10 + i].at, later + (i + 2) * each + 2 * LATENCY);
    uet_fabric_free(w.fabric);
    /* At once: of the same ms the near ones come first, then the far ones. */
    make(cables, 3, 1);
    for (int i = 0; i < 3; i++) {
        send(0, 2, CONTROL, 1000);
        send(1, 2, CONTROL, 1000);
    }
    go();
    assert_int_equal(w.n_got, 6);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(w.got[i].at, (i + 2) * each + 2 * LATENCY);
        assert_int_equal(w.got[3 + i].at, (i + 2) * each + 1000000 + LATENCY);
    }
    uet_fabric_free(w.fabric);
}

/* A frame that finds a line of a switch busy waits for it, and not one byte longer. */
static void test_back_to_back(void **state)
{
    (void)state;
    setup();
    const size_t n = send(0, 2, CONTROL, 100), big = send(1, 2, CONTROL, 600);
    go(); /* both leave at 0: the big one is at the switch later by what it is longer */
    assert_int_equal(w.n_got, 2);
    assert_int_equal(w.got[0].at, 2 * (n + 24) + 2 * LATENCY);
    assert_int_equal(w.got[1].at, 2 * (big + 24) + 2 * LATENCY);
    uet_fabric_free(w.fabric);
    setup(); /* as long: the second one finds the line just taken */
    send(0, 2, CONTROL, 100);
    send(1, 2, CONTROL, 100);
    go();
    assert_int_equal(w.got[0].at, 2 * (n + 24) + 2 * LATENCY);
    assert_int_equal(w.got[1].at, 3 * (n + 24) + 2 * LATENCY);
    uet_fabric_free(w.fabric);
}

/* What each line has carried, cut and lost: three frames of a byte a nanosecond meet in one line.
 */
static void test_port(void **state)
{
    struct uet_fabric_line line = usual();
    (void)state;
    setup_with(&line);
    const size_t n = send(1, 2, 0, 1000);
    send(0, 2, 0, 1000);
    send(0, 2, 0, 1100); /* comes when the line has taken the second one */
    go();
    const struct uet_fabric_port up = uet_fabric_port(w.fabric, 0, false),
                                 down = uet_fabric_port(w.fabric, 2, true),
                                 none = uet_fabric_port(w.fabric, 2, false);
    assert_int_equal(up.frames, 2);
    assert_int_equal(up.bytes, 2 * n + 100);
    assert_int_equal(down.frames, 3);
    assert_int_equal(down.bytes, 3 * n + 100);
    assert_int_equal(down.highest, n + 100); /* one waits while another is on the wire */
    assert_int_equal(none.frames, 0);
    assert_int_equal(uet_fabric_stats(w.fabric).carried, 6);
    uet_fabric_free(w.fabric);
    line.drop_bytes[UET_FABRIC_LOW] = (uint32_t)n - 1; /* none fits */
    setup_with(&line);
    send(0, 2, 0, 1000);
    go();
    assert_int_equal(uet_fabric_port(w.fabric, 2, true).dropped, 1);
    assert_int_equal(uet_fabric_port(w.fabric, 2, true).frames, 0);
    uet_fabric_free(w.fabric);
    line.drop_bytes[UET_FABRIC_LOW] = 10000;
    line.trim_bytes = (uint32_t)n - 1;
    setup_with(&line);
    send(0, 2, TRIMMABLE, 1000);
    go();
    assert_int_equal(uet_fabric_port(w.fabric, 2, true).trimmed, 1);
    assert_int_equal(w.got[0].len, 14 + 20 + UET_FABRIC_TRIM_KEEP);
    uet_fabric_free(w.fabric);
}

static void test_bounds(void **state)
{
    static const uint8_t bytes[64];
    struct uet_fabric *f = two_hosts(2);
    (void)state;
    hosts.stuck = true;
    uet_fabric_wake(f, 1, 500);
    uet_fabric_advance(f, 500 + 1000 + 2000 + 4000);
    assert_int_equal(hosts.n, 4);
    assert_seen(3, 'a', 1, 500 + 1000 + 2000 + 4000);
    assert_int_equal(uet_fabric_stats(f).stalled, 4);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), NULL, NULL), 0);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), NULL, NULL), 0);
    assert_int_equal(uet_fabric_send(f, 0, bytes, sizeof(bytes), NULL, NULL), -ENOBUFS);
    uet_fabric_free(f);
}

static void test_bad_config(void **state)
{
    struct uet_fabric *f = NULL;
    struct uet_ip ip[2];
    (void)state;
    assert_int_equal(uet_ip_parse(&ip[0], "192.0.2.1"), 0);
    assert_int_equal(uet_ip_parse(&ip[1], "192.0.2.2"), 0);
    struct uet_fabric_cable cable = {0, 2, usual()};
    struct uet_fabric_config c = {.addresses = ip,
                                  .n_hosts = 2,
                                  .n_switches = 1,
                                  .cables = &cable,
                                  .n_cables = 1,
                                  .trim_keep = UET_FABRIC_TRIM_KEEP};
    assert_int_equal(uet_fabric_new(&f, &c, 0), -EINVAL); /* host 1 has no cable */
    cable.b = 3;
    assert_int_equal(uet_fabric_new(&f, &c, 0), -EINVAL); /* no such node */
    cable.b = 1;
    c.n_switches = 0;
    assert_int_equal(uet_fabric_new(&f, &c, 0), 0); /* back to back */
    uet_fabric_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_weightless),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_trimmed_queue),
        cmocka_unit_test(test_trim_on_the_way),
        cmocka_unit_test(test_ecn_at_dequeue),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_ecn),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_late_copies),
        cmocka_unit_test(test_as_if_full),
        cmocka_unit_test(test_deadlines),
        cmocka_unit_test(test_fate),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_back_to_back),
        cmocka_unit_test(test_port),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bad_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
