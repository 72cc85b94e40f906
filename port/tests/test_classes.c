/* SPDX-License-Identifier: BSD-2-Clause */
/* The lossless pair of the simulated fabric, its deadlocks, and whose turn it is: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "port/ether.h"
#include "port/fabric/fabric.h"

#define CREDIT  9600u
#define SECOND  1000000000ull
#define STEP_NS 500u

enum { REQUEST = 20, ANSWER = 22, HOSTS = 3, SWITCH = HOSTS, ANSWER_BYTES = 64 };

/* What a host has still to send to each other one, answers first. */
static struct fixture {
    struct uet_fabric *fabric;
    struct uet_ip ip[HOSTS];
    uint32_t left[HOSTS][HOSTS], owed[HOSTS][HOSTS];
    uint32_t len[HOSTS];
    uint8_t dscp[HOSTS]; /* of what is no answer */
    bool answers;
    uint32_t requests, got_answers; /* delivered */
    uint32_t from[HOSTS];           /* likewise */
} w;

static size_t put(uint8_t *frame, uint16_t from, uint16_t to, uint8_t dscp, uint32_t len)
{
    memset(frame, 0, len);
    uet_port_put16(frame + 12, 0x0800);
    frame[14] = 0x45;
    frame[15] = (uint8_t)(dscp << 2);
    uet_port_put16(frame + 16, len - 14);
    memcpy(frame + 26, w.ip[from].bytes, 4);
    memcpy(frame + 30, w.ip[to].bytes, 4);
    return len;
}

static size_t pull(void *ctx, uint16_t host, uint8_t *buffer, size_t cap, uint64_t now_ns)
{
    (void)ctx;
    (void)now_ns;
    assert_true(cap >= 9600);
    for (uint16_t to = 0; to < HOSTS; to++)
        if (w.owed[host][to]) {
            w.owed[host][to]--;
            return put(buffer, host, to, ANSWER, ANSWER_BYTES);
        }
    for (uint16_t to = 0; to < HOSTS; to++)
        if (w.left[host][to]) {
            w.left[host][to]--;
            return put(buffer, host, to, w.dscp[host], w.len[host]);
        }
    return 0;
}

static void deliver(void *ctx, uint16_t host, const uint8_t *frame, uint32_t len, uint64_t now_ns)
{
    const uint16_t from = frame[29];
    (void)ctx;
    (void)len;
    (void)now_ns;
    w.from[from]++;
    if (frame[15] >> 2 == ANSWER) {
        w.got_answers++;
        return;
    }
    w.requests++;
    if (w.answers)
        w.owed[host][from]++;
}

/* Three hosts at a switch, 8 Gbit/s: a byte a nanosecond. */
static int make(bool one_class, uint32_t answer_room, const struct uet_fabric_turns *turns,
                uint32_t credit)
{
    const struct uet_fabric_line line = {.latency_ns = 1000,
                                         .bits_per_s = 8 * SECOND,
                                         .drop_bytes = {5000, 5000, 5000},
                                         .credit_bytes = credit};
    const struct uet_fabric_cable cables[] = {{0, 3, line}, {1, 3, line}, {2, 3, line}};

    for (uint8_t i = 0; i < HOSTS; i++) {
        w.ip[i] = (struct uet_ip){.version = 4, .bytes = {10, 0, 0, i}};
        if (!w.len[i])
            w.len[i] = 1000;
        if (!w.dscp[i])
            w.dscp[i] = REQUEST;
    }
    const struct uet_fabric_config config = {.seed = 1,
                                             .addresses = w.ip,
                                             .n_hosts = HOSTS,
                                             .n_switches = 1,
                                             .cables = cables,
                                             .n_cables = HOSTS,
                                             .dscp_trimmable = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmable_rtx = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed = UET_FABRIC_NO_DSCP,
                                             .dscp_trimmed_lasthop = UET_FABRIC_NO_DSCP,
                                             .dscp_control = UET_FABRIC_NO_DSCP,
                                             .trim_keep = UET_FABRIC_TRIM_KEEP,
                                             .lossless = true,
                                             .one_class = one_class,
                                             .dscp_requests = REQUEST,
                                             .dscp_answers = ANSWER,
                                             .answer_room = answer_room,
                                             .turns = turns,
                                             .deliver = deliver,
                                             .pull = pull};
    return uet_fabric_new(&w.fabric, &config, 0);
}

static void begin(void)
{
    for (uint16_t h = 0; h < HOSTS; h++)
        uet_fabric_wake(w.fabric, h, 0);
}

static int clear(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    return 0;
}

static int close_fabric(void **state)
{
    (void)state;
    uet_fabric_free(w.fabric);
    return 0;
}

/* Two hosts at one. Of best effort the queue drops half; of the pair all waits and comes, no buffer
 * is overrun, and nothing that is merely slow is taken for a deadlock. */
static void test_lossless(void **state)
{
    (void)state;
    w.left[0][2] = w.left[1][2] = 50;
    assert_int_equal(make(false, 0, NULL, CREDIT), 0);
    begin();
    for (uint64_t t = 0; t <= 200000; t += STEP_NS) {
        uet_fabric_advance(w.fabric, t);
        assert_int_equal(uet_fabric_deadlock(w.fabric, NULL, 0), 0);
    }
    assert_int_equal(w.requests, 100);
    for (size_t cable = 0; cable < HOSTS; cable++)
        for (int back = 0; back < 2; back++)
            assert_true(uet_fabric_port(w.fabric, cable, back).highest_lossless <= CREDIT);
    /* Nine frames of 1000 bytes fit in; what comes in twice as fast as it goes fills that. */
    assert_int_equal(uet_fabric_port(w.fabric, 0, false).highest_lossless, 9000);
}

static void test_best_effort_beside(void **state)
{
    (void)state;
    w.left[0][2] = w.left[1][2] = 50;
    w.dscp[1] = 8;
    assert_int_equal(make(false, 0, NULL, CREDIT), 0);
    begin();
    uet_fabric_advance(w.fabric, SECOND);
    const struct uet_fabric_stats s = uet_fabric_stats(w.fabric);
    assert_int_equal(w.from[0], 50);
    assert_true(s.dropped[UET_FABRIC_LOW] > 10);
    assert_int_equal(w.from[1] + s.dropped[UET_FABRIC_LOW], 50);
    assert_int_equal(s.dropped[UET_FABRIC_REQUESTS], 0);
}

/* A line that is down loses what is sent, and the buffer behind it has its room back. */
static void test_down(void **state)
{
    const struct uet_fabric_faults down = {.down = true};
    (void)state;
    w.left[0][2] = 50;
    assert_int_equal(make(false, 0, NULL, CREDIT), 0);
    uet_fabric_set_faults(w.fabric, 0, false, &down);
    begin();
    uet_fabric_advance(w.fabric, SECOND);
    assert_int_equal(uet_fabric_stats(w.fabric).down, 50);
    uet_fabric_set_faults(w.fabric, 0, false, NULL);
    w.left[0][2] = 50;
    uet_fabric_wake(w.fabric, 0, SECOND);
    uet_fabric_advance(w.fabric, 2 * SECOND);
    assert_int_equal(w.requests, 50);
}

/* Two hosts write to host 0, and it to both; each takes a request only while there is room for its
 * answer. */
static void two_ways(void)
{
    w.left[0][1] = w.left[0][2] = w.left[1][0] = w.left[2][0] = 100;
    w.answers = true;
}

static void test_deadlock(void **state)
{
    struct uet_fabric_stuck circle[8];
    uint64_t t = 0;
    size_t n = 0;
    (void)state;
    two_ways();
    assert_int_equal(make(true, 2, NULL, CREDIT), 0);
    begin();
    for (; !n && t <= SECOND / 100; t += STEP_NS) {
        uet_fabric_advance(w.fabric, t);
        n = uet_fabric_deadlock(w.fabric, circle, 8);
    }
    /* Host 0's queue, that to the host which refuses its requests, that host's, and that to 0. */
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(circle[i].to, circle[(i + 1) % n].from);
        assert_int_equal(circle[i].class, UET_FABRIC_REQUESTS);
        assert_true(circle[i].bytes > 0);
    }
    /* It was none too early: nothing comes any more between those that are in it. */
    const uint32_t got = w.got_answers, requests = w.requests;
    uet_fabric_advance(w.fabric, t + 100 * SECOND);
    assert_true(got < 400);
    assert_int_equal(uet_fabric_deadline(w.fabric), UET_FABRIC_NEVER);
    assert_true(w.requests - requests <= 2 && w.got_answers - got <= 2);
    assert_true(uet_fabric_deadlock(w.fabric, NULL, 0) > 0);
}

static void test_pair(void **state)
{
    (void)state;
    two_ways();
    assert_int_equal(make(false, 2, NULL, CREDIT), 0);
    begin();
    for (uint64_t t = 0; t <= SECOND / 100; t += STEP_NS) {
        uet_fabric_advance(w.fabric, t);
        assert_int_equal(uet_fabric_deadlock(w.fabric, NULL, 0), 0);
    }
    assert_int_equal(w.requests, 400);
    assert_int_equal(w.got_answers, 400);
}

/* Room for all answers: one class will do. */
static void test_room(void **state)
{
    (void)state;
    two_ways();
    assert_int_equal(make(true, 0, NULL, CREDIT), 0);
    begin();
    uet_fabric_advance(w.fabric, SECOND);
    assert_int_equal(w.got_answers, 400);
}

/* ---- whose turn it is ---- */

/* Frames of hosts 0 and 1 that the line to host 2 has carried, once it has carried so many. */
static void share(const struct uet_fabric_turns *turns, uint64_t ns, uint64_t *bytes)
{
    struct uet_fabric_port before, after;

    w.left[0][2] = w.left[1][2] = 100000;
    w.dscp[1] = ANSWER;
    assert_int_equal(make(false, 0, turns, 4 * CREDIT), 0);
    begin();
    uet_fabric_advance(w.fabric, 100000); /* both queues are full */
    before = uet_fabric_port(w.fabric, 2, true);
    uet_fabric_advance(w.fabric, 100000 + ns);
    after = uet_fabric_port(w.fabric, 2, true);
    for (int c = 0; c < UET_FABRIC_CLASSES; c++)
        bytes[c] = after.by_class[c].bytes - before.by_class[c].bytes;
}

/* Quanta of 3000 and 1000 bytes, frames of 1000 (1024 on the wire): three to one, exactly. In
 * 4096000 ns the line carries 4000. */
static void test_weights(void **state)
{
    struct uet_fabric_turns turns = {.quantum = {64, 64, 64, 3000, 1000}};
    uint64_t bytes[UET_FABRIC_CLASSES];
    (void)state;
    share(&turns, 4096000, bytes);
    assert_int_equal(bytes[UET_FABRIC_REQUESTS], 3000 * 1000);
    assert_int_equal(bytes[UET_FABRIC_ANSWERS], 1000 * 1000);
}

/* Bytes count, not frames: 1500 against 500 with the same quantum are one frame to three. Such a
 * round has 3096 bytes on the wire; in 1000 of them each has 1500000 bytes. */
static void test_sizes(void **state)
{
    struct uet_fabric_turns turns = {.quantum = {64, 64, 64, 1500, 1500}};
    uint64_t bytes[UET_FABRIC_CLASSES];
    (void)state;
    w.len[0] = 1500;
    w.len[1] = 500;
    share(&turns, 3096000, bytes);
    assert_int_equal(bytes[UET_FABRIC_REQUESTS], 1500000);
    assert_int_equal(bytes[UET_FABRIC_ANSWERS], 1500000);
}

/* A quantum below a frame: it goes when as much has been saved. 300 to 700 are three to seven. */
static void test_small_quanta(void **state)
{
    struct uet_fabric_turns turns = {.quantum = {64, 64, 64, 300, 700}};
    uint64_t bytes[UET_FABRIC_CLASSES];
    (void)state;
    share(&turns, 10240000, bytes);
    assert_in_range(bytes[UET_FABRIC_REQUESTS], 2999000, 3001000);
    assert_in_range(bytes[UET_FABRIC_ANSWERS], 6999000, 7001000);
}

/* The higher level has the whole line. */
static void test_strict(void **state)
{
    struct uet_fabric_turns turns = {.level = {[UET_FABRIC_ANSWERS] = 1},
                                     .quantum = {64, 64, 64, 3000, 64}};
    uint64_t bytes[UET_FABRIC_CLASSES];
    (void)state;
    share(&turns, 1024000, bytes);
    assert_int_equal(bytes[UET_FABRIC_REQUESTS], 0);
    assert_int_equal(bytes[UET_FABRIC_ANSWERS], 1000 * 1000);
}

/* What it leaves has the lower one: 10 frames of level 1, then the 20 that have waited. */
static void test_strict_then(void **state)
{
    struct uet_fabric_turns turns = {.level = {[UET_FABRIC_ANSWERS] = 1},
                                     .quantum = {64, 64, 64, 64, 64}};
    (void)state;
    w.left[0][2] = 20;
    w.left[1][2] = 10;
    w.dscp[1] = ANSWER;
    assert_int_equal(make(false, 0, &turns, 4 * CREDIT), 0);
    begin();
    /* The first of host 0 and 1 come to the switch at 2024, are with host 2 at 4048 at the
     * earliest, and then one each 1024 ns: at most one of host 0's was before the ten. */
    uet_fabric_advance(w.fabric, 4048 + 10 * 1024);
    assert_int_equal(w.from[1], 10);
    assert_true(w.from[0] <= 1);
    uet_fabric_advance(w.fabric, SECOND);
    assert_int_equal(w.from[0], 20);
}

/* What each class of a port has carried and dropped, and how often credit was wanting. */
static void test_counters(void **state)
{
    (void)state;
    w.left[0][2] = w.left[1][2] = 50;
    w.dscp[1] = 8;
    assert_int_equal(make(false, 0, NULL, CREDIT), 0);
    begin();
    uet_fabric_advance(w.fabric, SECOND);
    const struct uet_fabric_port port = uet_fabric_port(w.fabric, 2, true);
    assert_int_equal(port.by_class[UET_FABRIC_REQUESTS].frames, 50);
    assert_int_equal(port.by_class[UET_FABRIC_REQUESTS].bytes, 50 * 1000);
    assert_int_equal(port.by_class[UET_FABRIC_LOW].frames + port.by_class[UET_FABRIC_LOW].dropped,
                     50);
    assert_int_equal(port.dropped, port.by_class[UET_FABRIC_LOW].dropped);
    assert_int_equal(port.frames, 50 + port.by_class[UET_FABRIC_LOW].frames);
    /* Host 0 has no room at the switch for what it has after the first nine. */
    assert_true(uet_fabric_port(w.fabric, 0, false).by_class[UET_FABRIC_REQUESTS].held > 0);
    assert_int_equal(uet_fabric_port(w.fabric, 1, false).by_class[UET_FABRIC_LOW].held, 0);
}

static void test_bad_config(void **state)
{
    struct uet_fabric_turns turns = {.quantum = {64, 64, 64, 64, 64}};
    (void)state;
    assert_int_equal(make(false, 0, NULL, CREDIT - 1), -EINVAL); /* no room for a frame */
    turns.quantum[2] = 63;
    assert_int_equal(make(false, 0, &turns, CREDIT), -EINVAL);
    turns.quantum[2] = 64;
    turns.level[4] = UET_FABRIC_CLASSES;
    assert_int_equal(make(false, 0, &turns, CREDIT), -EINVAL);
    turns.level[4] = 0;
    assert_int_equal(make(false, 0, &turns, CREDIT), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lossless, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_best_effort_beside, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_down, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_deadlock, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_pair, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_room, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_weights, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_sizes, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_small_quanta, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_strict, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_strict_then, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_counters, clear, close_fabric),
        cmocka_unit_test_setup_teardown(test_bad_config, clear, close_fabric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
