/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames under way, and the relay as a whole, in virtual time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interop/relay/relay.h"
#include "interop/relay/tests/packets.h"
#include "wire/inet.h"
#include "wire/splitmix.h"

enum { US = 1000, MS = 1000000 };

/* ---- the line alone: each frame is one byte, its name ---- */

static struct relay_line line;

static void put(char name, uint64_t due_ns, uint32_t waits_for)
{
    struct relay_frame *frame = relay_frame_new((const uint8_t *)&name, 1);

    assert_non_null(frame);
    frame->due_ns = due_ns;
    frame->waits_for = waits_for;
    assert_true(relay_line_put(&line, frame));
}

/* The names of all that is due by then, in order. */
static const char *take(uint64_t now_ns)
{
    static char names[64];
    struct relay_frame *frame;
    size_t n = 0;

    while ((frame = relay_line_take(&line, now_ns)) != NULL) {
        names[n++] = (char)frame->data[0];
        free(frame);
    }
    names[n] = 0;
    return names;
}

static void frames_leave_by_time_then_by_arrival(void **state)
{
    (void)state;
    assert_true(relay_line_next_ns(&line) == UINT64_MAX);
    put('d', 30, 0);
    put('a', 10, 0);
    put('b', 10, 0);
    put('c', 20, 0);
    put('e', 30, 0);
    assert_int_equal(relay_line_next_ns(&line), 10);
    assert_string_equal(take(9), "");
    assert_string_equal(take(10), "ab");
    assert_int_equal(relay_line_next_ns(&line), 20);
    assert_string_equal(take(30), "cde");
    assert_int_equal(relay_line_end(&line), 0);
}

static void many_frames_keep_their_order(void **state)
{
    uint64_t last = 0, seen = 0;
    struct relay_frame *frame;

    (void)state;
    for (unsigned i = 0; i < 5000; i++)
        put('x', i * 7919 % 5000, 0); /* each time from 0 to 4999 once: 7919 is a prime */
    while ((frame = relay_line_take(&line, 4999)) != NULL) {
        assert_int_equal(frame->due_ns, last);
        last = frame->due_ns + 1;
        seen++;
        free(frame);
    }
    assert_int_equal(seen, 5000);
    assert_int_equal(relay_line_end(&line), 0);
}

static void one_held_back_goes_after_so_many(void **state)
{
    (void)state;
    put('a', 1, 0);
    put('B', 2, 2);
    put('c', 3, 0);
    assert_string_equal(take(3), "ac");
    put('d', 4, 0);
    put('e', 4, 0);
    assert_string_equal(take(4), "dBe");
    put('F', 5, 1); /* two in a row wait for the same one */
    put('G', 5, 1);
    put('h', 9, 0);
    put('i', 9, 0);
    assert_string_equal(take(8), ""); /* not before the one that passes them */
    assert_string_equal(take(9), "hFGi");
    assert_int_equal(relay_line_end(&line), 0);
}

static void one_held_back_does_not_stay_for_ever(void **state)
{
    (void)state;
    put('A', 5, 3);
    put('b', 6, 0);
    assert_string_equal(take(6), "b");
    assert_int_equal(relay_line_next_ns(&line), 5 + 10 * MS);
    assert_string_equal(take(4 + 10 * MS), "");
    assert_string_equal(take(5 + 10 * MS), "A");
    assert_true(relay_line_next_ns(&line) == UINT64_MAX);
    assert_int_equal(relay_line_end(&line), 0);
}

static void the_end_counts_what_is_left(void **state)
{
    (void)state;
    put('a', 1, 0);
    put('b', 1, 3);
    put('c', 1, 3);
    assert_int_equal(relay_line_end(&line), 3);
}

static void a_line_has_room_for_so_many_bytes(void **state)
{
    static const uint8_t big[1 << 20];
    unsigned n = 0;

    (void)state;
    while (relay_line_put(&line, relay_frame_new(big, sizeof big)))
        n++;
    assert_int_equal(n, 256);
    free(relay_line_take(&line, 0));
    assert_true(relay_line_put(&line, relay_frame_new(big, sizeof big)));
    assert_int_equal(relay_line_end(&line), 256);
}

/* ---- the relay ---- */

static struct relay relay;
static uint8_t frame[UET_FRAME_MAX];

static void plan(const char *first, const char *second)
{
    memset(&relay, 0, sizeof relay);
    relay.plan = packet_plan(first, second);
    relay.seed = 1;
}

static struct relay_fate arrive(enum relay_side from, uint64_t now_ns)
{
    static const struct packet_wanted request = {.dscp = 10, .ecn = UET_ECN_ECT0};

    return relay_arrive(&relay, from, frame, packet_make(frame, &request), now_ns);
}

/* The next frame is due then, and not before. */
static struct relay_frame *leaves(enum relay_side from, uint64_t at_ns)
{
    struct relay_frame *f;

    assert_int_equal(relay_line_next_ns(&relay.lines[from]), at_ns);
    f = relay_line_take(&relay.lines[from], at_ns);
    assert_non_null(f);
    return f;
}

static void bytes_pass_as_they_are(void **state)
{
    uint8_t arp[64];
    struct relay_frame *f;
    uint32_t len;

    (void)state;
    plan("loss 100% of acks", "left: delay 5us of nacks");
    len = packet_arp(arp);
    relay_arrive(&relay, RELAY_LEFT, arp, len, 100);
    f = leaves(RELAY_LEFT, 100);
    assert_int_equal(f->len, len);
    assert_memory_equal(f->data, arp, len);
    free(f);
    assert_int_equal(relay.counters[RELAY_LEFT].frames, 1);
    assert_int_equal(relay.counters[RELAY_LEFT].uet, 0);
    assert_false(relay.started);
    arrive(RELAY_RIGHT, 200);
    f = leaves(RELAY_RIGHT, 200);
    assert_int_equal(f->len, 14 + 1084);
    assert_memory_equal(f->data, frame, f->len);
    free(f);
    assert_int_equal(relay.counters[RELAY_RIGHT].uet, 1);
    relay_end(&relay);
}

static void what_is_altered_is_a_copy(void **state)
{
    uint8_t before[14 + 1084];
    struct relay_frame *f;

    (void)state;
    plan("trim 100%", "left: delay 20us");
    arrive(RELAY_LEFT, 1000);
    memcpy(before, frame, sizeof before);
    f = leaves(RELAY_LEFT, 1000 + 20 * US);
    assert_int_equal(f->len, 14 + 44);
    assert_memory_equal(frame, before, sizeof before);
    free(f);
    assert_int_equal(relay.counters[RELAY_LEFT].done[RELAY_TRIM], 1);
    assert_int_equal(relay.counters[RELAY_LEFT].done[RELAY_DELAY], 1);
    relay_end(&relay);
}

static void a_copy_comes_later(void **state)
{
    struct relay_frame *f;

    (void)state;
    plan("duplicate 100% after 30us", "delay 10us");
    arrive(RELAY_LEFT, 0);
    f = leaves(RELAY_LEFT, 10 * US);
    assert_false(f->copy);
    free(f);
    f = leaves(RELAY_LEFT, 40 * US);
    assert_true(f->copy);
    assert_int_equal(f->len, 14 + 1084);
    free(f);
    assert_int_equal(relay_line_end(&relay.lines[RELAY_LEFT]), 0);
    assert_int_equal(relay.counters[RELAY_LEFT].done[RELAY_DUPLICATE], 1);
    relay_end(&relay);
}

/* A copy waits for nobody, and passes the packet like any other. */
static void a_copy_is_not_held_back(void **state)
{
    struct relay_frame *f;

    (void)state;
    plan("duplicate 100%", "reorder 100% by 1");
    arrive(RELAY_LEFT, 10);
    f = leaves(RELAY_LEFT, 10);
    assert_true(f->copy);
    free(f);
    f = leaves(RELAY_LEFT, 10);
    assert_false(f->copy);
    free(f);
    assert_null(relay_line_take(&relay.lines[RELAY_LEFT], UINT64_MAX));
    relay_end(&relay);
}

/* Time begins with the first UET packet, from whichever side; the other side may be read late. */
static void time_begins_with_the_first_uet_packet(void **state)
{
    uint8_t arp[64];
    struct relay_fate fate;

    (void)state;
    plan("cut at 0ms for 1ms", NULL);
    fate = relay_arrive(&relay, RELAY_LEFT, arp, packet_arp(arp), 5 * MS);
    assert_false(relay_lost(&fate)); /* before all time */
    fate = arrive(RELAY_RIGHT, 50 * MS);
    assert_true(relay_lost(&fate));
    fate = arrive(RELAY_LEFT, 50 * MS - 1);
    assert_true(relay_lost(&fate));
    fate = relay_arrive(&relay, RELAY_LEFT, arp, packet_arp(arp), 51 * MS - 1);
    assert_true(relay_lost(&fate));
    fate = arrive(RELAY_LEFT, 51 * MS);
    assert_false(relay_lost(&fate));
    assert_int_equal(relay.counters[RELAY_LEFT].done[RELAY_CUT], 2);
    assert_int_equal(relay.counters[RELAY_RIGHT].done[RELAY_CUT], 1);
    relay_end(&relay);
    assert_int_equal(relay.counters[RELAY_LEFT].left, 2);
    assert_int_equal(relay.counters[RELAY_RIGHT].left, 0);
}

static void a_protocol_number_of_the_users_is_uet(void **state)
{
    static const struct packet_wanted native = {.native = true, .protect = UET_PROTECT_CRC};
    uint32_t len = packet_make(frame, &native);

    (void)state;
    plan("corrupt 100%", NULL);
    frame[14 + 9] = 200;
    relay_arrive(&relay, RELAY_LEFT, frame, len, 0);
    assert_int_equal(relay.counters[RELAY_LEFT].uet, 0);
    relay.how.ip_protocol = 200;
    frame[14 + 10] = frame[14 + 11] = 0;
    uet_ipv4_header_checksum_set(frame + 14, uet_ipv4_checksum(frame + 14, 20));
    relay_arrive(&relay, RELAY_LEFT, frame, len, 0);
    assert_int_equal(relay.counters[RELAY_LEFT].uet, 1);
    assert_int_equal(relay.counters[RELAY_LEFT].done[RELAY_CORRUPT], 1);
    relay_end(&relay);
}

/* Bytes altered and cut anywhere: each frame leaves, or is lost by a rule; no byte behind it is
 * read. */
static void any_frame_is_forwarded_or_lost_by_a_rule(void **state)
{
    static const char *const rules[] = {
        "loss 5%",
        "duplicate 10% after 3us",
        "reorder 10% by 2",
        "corrupt 50%",
        "ce 50%",
        "trim 50% dscp 10 to 11",
        "delay 1us",
        "rehash 3 paths 1us",
        "queue 20KiB at 1Gbit/s ce above 5KiB",
        "loss 5% of syns",
        "cut at 1ms for 1ms",
        "ce 5% of acks",
    };
    uint64_t chance = 1, arrived = 0, left = 0, lost = 0, doubled = 0;
    struct relay_frame *f;
    char err[400];

    (void)state;
    memset(&relay, 0, sizeof relay);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_int_equal(relay_plan_add(&relay.plan, rules[i], err, sizeof err), 0);
    for (; arrived < 20000; arrived++) {
        struct packet_wanted wanted = {.v6 = arrived & 1,
                                       .native = arrived & 2,
                                       .protect = arrived & 4 ? UET_PROTECT_CRC : UET_PROTECT_NONE,
                                       .ack = arrived & 8,
                                       .dscp = 10,
                                       .ecn = UET_ECN_ECT0};
        uint32_t len = packet_make(frame, &wanted);
        for (unsigned n = uet_splitmix64(&chance) % 4; n; n--)
            frame[uet_splitmix64(&chance) % (len < 120 ? len : 120)] =
                (uint8_t)uet_splitmix64(&chance);
        if (uet_splitmix64(&chance) % 2)
            len = 1 + (uint32_t)(uet_splitmix64(&chance) % len);
        uint8_t *exact = malloc(len); /* so that the sanitizer knows where it ends */
        assert_non_null(exact);
        memcpy(exact, frame, len);
        struct relay_fate fate = relay_arrive(&relay, RELAY_LEFT, exact, len, arrived * 500);
        free(exact);
        lost += relay_lost(&fate);
        doubled += !relay_lost(&fate) && relay_is(&fate, RELAY_DUPLICATE);
        while ((f = relay_line_take(&relay.lines[RELAY_LEFT], arrived * 500)) != NULL) {
            left++;
            free(f);
        }
    }
    relay_end(&relay);
    assert_int_equal(left + relay.counters[RELAY_LEFT].left, arrived - lost + doubled);
    for (int kind = 0; kind < RELAY_KINDS; kind++)
        assert_true(relay.counters[RELAY_LEFT].done[kind] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_leave_by_time_then_by_arrival),
        cmocka_unit_test(many_frames_keep_their_order),
        cmocka_unit_test(one_held_back_goes_after_so_many),
        cmocka_unit_test(one_held_back_does_not_stay_for_ever),
        cmocka_unit_test(the_end_counts_what_is_left),
        cmocka_unit_test(a_line_has_room_for_so_many_bytes),
        cmocka_unit_test(bytes_pass_as_they_are),
        cmocka_unit_test(what_is_altered_is_a_copy),
        cmocka_unit_test(a_copy_comes_later),
        cmocka_unit_test(a_copy_is_not_held_back),
        cmocka_unit_test(a_protocol_number_of_the_users_is_uet),
        cmocka_unit_test(any_frame_is_forwarded_or_lost_by_a_rule),
        cmocka_unit_test(time_begins_with_the_first_uet_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
