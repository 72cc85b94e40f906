/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of a packet, and what that makes of its bytes: by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "interop/relay/decide.h"
#include "interop/relay/tests/packets.h"

enum { TRIMMABLE = 10, TRIMMED = 11, CONTROL = 14 };

/* A frame with all that a decision needs. */
static struct fixture {
    uint8_t frame[UET_FRAME_MAX];
    uint32_t len;
    struct uet_packet packet;
    struct relay_frame_info info;
    struct relay_queues queues;
} w;

static const struct packet_wanted request = {
    .dscp = TRIMMABLE, .ecn = UET_ECN_ECT0, .entropy = 0xabcd};

static void have(struct packet_wanted wanted)
{
    memset(&w, 0, sizeof w);
    w.len = packet_make(w.frame, &wanted);
    (void)uet_parse(&w.packet, w.frame, w.len, NULL);
    w.info.packet = &w.packet;
}

static struct relay_fate decide(const char *first, const char *second)
{
    struct relay_plan plan = packet_plan(first, second);

    return relay_decide(&plan, 1, &w.info, &w.queues);
}

static void nothing_happens_without_a_rule(void **state)
{
    const struct relay_plan none = {0};
    struct relay_fate fate;

    (void)state;
    have(request);
    fate = relay_decide(&none, 1, &w.info, &w.queues);
    assert_int_equal(fate.done | fate.spared, 0);
    fate = decide("loss 0%", "right: loss 100%"); /* it comes from the left */
    assert_int_equal(fate.done | fate.spared, 0);
}

static unsigned losses(const struct relay_plan *plan, uint64_t seed, enum relay_side from,
                       bool *lost)
{
    unsigned n = 0;

    w.info.from = from;
    for (w.info.index = 0; w.info.index < 100000; w.info.index++) {
        struct relay_fate fate = relay_decide(plan, seed, &w.info, &w.queues);
        lost[w.info.index] = relay_lost(&fate);
        n += lost[w.info.index];
    }
    return n;
}

/* 1 % of 100000 are 1000, give or take five times the root of 990, which is 31. */
static void a_share_is_a_share_and_depends_on_seed_and_side(void **state)
{
    static bool first[100000], again[100000], other[100000], right[100000];
    struct relay_plan plan = packet_plan("loss 1%", NULL);
    unsigned n;

    (void)state;
    have(request);
    n = losses(&plan, 7, RELAY_LEFT, first);
    assert_in_range(n, 840, 1160);
    assert_int_equal(losses(&plan, 7, RELAY_LEFT, again), n);
    assert_memory_equal(first, again, sizeof first);
    assert_in_range(losses(&plan, 8, RELAY_LEFT, other), 840, 1160);
    assert_memory_not_equal(first, other, sizeof first);
    assert_in_range(losses(&plan, 7, RELAY_RIGHT, right), 840, 1160);
    assert_memory_not_equal(first, right, sizeof first);
}

/* Two rules of 50 % lose three of four packets: they do not decide alike. */
static void rules_decide_apart(void **state)
{
    static bool lost[100000];
    struct relay_plan plan = packet_plan("loss 50%", "loss 50%");

    (void)state;
    have(request);
    assert_in_range(losses(&plan, 0, RELAY_LEFT, lost), 74300, 75700);
}

static void a_rule_is_for_its_kind_of_packets(void **state)
{
    struct relay_fate fate;

    (void)state;
    have(request);
    fate = decide("loss 100% of requests", NULL);
    assert_true(relay_is(&fate, RELAY_LOSS));
    fate = decide("loss 100% of acks", NULL);
    assert_int_equal(fate.done, 0);
    have((struct packet_wanted){.ack = true});
    fate = decide("loss 100% of acks", NULL);
    assert_true(relay_is(&fate, RELAY_LOSS));
    fate = decide("loss 100% of requests", "loss 100% of nacks");
    assert_int_equal(fate.done, 0);
}

/* From its beginning, up to its end, and not before the first UET packet. */
static void a_cut_takes_all_for_its_time(void **state)
{
    static const struct {
        uint64_t time_ns;
        bool lost;
    } times[] = {{0, false},      {1999999, false}, {2000000, true},
                 {4999999, true}, {5000000, false}, {UINT64_MAX, false}};

    (void)state;
    for (int uet = 0; uet < 2; uet++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
            have(request);
            w.info.packet = uet ? &w.packet : NULL;
            w.info.time_ns = times[i].time_ns;
            struct relay_fate fate = decide("cut at 2ms for 3ms", "delay 1ms");
            assert_int_equal(relay_is(&fate, RELAY_CUT), times[i].lost);
            assert_int_equal(relay_lost(&fate), times[i].lost);
            assert_int_equal(relay_is(&fate, RELAY_DELAY), uet && !times[i].lost);
        }
}

static void what_is_not_uet_is_left_alone(void **state)
{
    struct relay_fate fate;

    (void)state;
    have(request);
    w.len = packet_arp(w.frame);
    (void)uet_parse(&w.packet, w.frame, w.len, NULL);
    assert_false(relay_is_uet(&w.packet));
    w.info.packet = NULL;
    fate = decide("loss 100%", "delay 1ms");
    assert_int_equal(fate.done | fate.spared, 0);
    have((struct packet_wanted){.native = true});
    assert_true(relay_is_uet(&w.packet));
    have((struct packet_wanted){.v6 = true});
    assert_true(relay_is_uet(&w.packet));
    w.frame[w.packet.udp_offset + 3]++; /* port 4794 */
    (void)uet_parse(&w.packet, w.frame, w.len, NULL);
    assert_false(relay_is_uet(&w.packet));
}

/* ---- the bytes ---- */

/*
 * 1000 bytes of payload after 44 of SES, 12 of PDS, 8 of UDP, 20 of IP: 1084, 0x43c. With the TOS
 * 0x2b (DSCP 10, CE) the words of the header add up to 0x452b + 0x43c + 0x4000 + 0x4011 + 2 *
 * 0xc000
 * + 0x201 + 0x202 = 0x24d7b, folded 0x4d7d; the checksum is its complement.
 */
static void ce_changes_two_bits_and_the_checksum(void **state)
{
    static const uint8_t ip[20] = {0x45, 0x2b, 0x04, 0x3c, 0, 0, 0x40, 0, 64, 17,
                                   0xb2, 0x82, 192,  0,    2, 1, 192,  0, 2,  2};
    uint8_t before[UET_FRAME_MAX];
    struct relay_fate fate;

    (void)state;
    have(request);
    memcpy(before, w.frame, w.len);
    fate = decide("ce 100%", NULL);
    assert_int_equal(fate.done, 1 << RELAY_CE);
    relay_alter(&fate, &w.packet, w.frame, &w.len);
    assert_int_equal(w.len, 14 + 1084);
    assert_memory_equal(w.frame + 14, ip, sizeof ip);
    assert_memory_equal(w.frame, before, 14);
    assert_memory_equal(w.frame + 34, before + 34, w.len - 34);

    have((struct packet_wanted){.v6 = true, .dscp = TRIMMABLE, .ecn = UET_ECN_ECT1});
    memcpy(before, w.frame, w.len);
    fate = decide("ce 100%", NULL);
    relay_alter(&fate, &w.packet, w.frame, &w.len);
    assert_int_equal(before[15], 0x90); /* the lower half of traffic class 0x29, flow label 0 */
    before[15] = 0xb0;                  /* of 0x2b */
    assert_memory_equal(w.frame, before, w.len);
}

static void ce_spares_who_is_not_capable(void **state)
{
    struct relay_fate fate;

    (void)state;
    have((struct packet_wanted){.ecn = UET_ECN_NOT_ECT});
    fate = decide("ce 100%", NULL);
    assert_int_equal(fate.done, 0);
    assert_int_equal(fate.spared, 1 << RELAY_CE);
    have((struct packet_wanted){.ecn = UET_ECN_CE});
    fate = decide("ce 100%", NULL);
    assert_int_equal(fate.done, 0);
}

/*
 * 24 bytes stay behind 20 of IP: 44, 0x2c (Table 4-1). With the TOS 0x2e (DSCP 11, ECT(0) as
 * before) the words add up to 0x2496e, folded 0x4970. The UDP length stays: 1064, 0x428 (4.1.3).
 */
static void trim_cuts_as_a_switch_does(void **state)
{
    static const uint8_t ip[20] = {0x45, 0x2e, 0x00, 0x2c, 0, 0, 0x40, 0, 64, 17,
                                   0xb6, 0x8f, 192,  0,    2, 1, 192,  0, 2,  2};
    static const uint8_t udp[8] = {0xab, 0xcd, 0x12, 0xb9, 0x04, 0x28, 0, 0};
    uint8_t before[UET_FRAME_MAX];
    struct relay_fate fate;

    (void)state;
    have(request);
    memcpy(before, w.frame, w.len);
    fate = decide("trim 100%", "ce 100%");
    assert_int_equal(fate.done, 1 << RELAY_TRIM);
    assert_int_equal(fate.spared, 1 << RELAY_CE); /* its class is not marked (3.6.4) */
    relay_alter(&fate, &w.packet, w.frame, &w.len);
    assert_int_equal(w.len, 14 + 44);
    assert_memory_equal(w.frame + 14, ip, sizeof ip);
    assert_memory_equal(w.frame + 34, udp, sizeof udp);
    assert_memory_equal(w.frame + 42, before + 42, 16);

    have((struct packet_wanted){.v6 = true, .native = true, .dscp = 3, .ecn = UET_ECN_ECT0});
    fate = decide("trim 100% dscp 3 to 63", NULL);
    relay_alter(&fate, &w.packet, w.frame, &w.len);
    assert_int_equal(w.len, 14 + 40 + 24);
    assert_int_equal(w.frame[14], 0x6f); /* traffic class 0xfe: DSCP 63, ECT(0) */
    assert_int_equal(w.frame[15], 0xe0);
    assert_int_equal(w.frame[18] << 8 | w.frame[19], 24);
}

static void trim_takes_only_what_may_be_trimmed(void **state)
{
    struct relay_fate fate;

    (void)state;
    have((struct packet_wanted){.dscp = CONTROL});
    fate = decide("trim 100%", NULL);
    assert_int_equal(fate.done, 0);
    assert_int_equal(fate.spared, 1 << RELAY_TRIM);
    have((struct packet_wanted){.dscp = TRIMMABLE, .ack = true}); /* 8 + 12 bytes: nothing to cut */
    fate = decide("trim 100%", NULL);
    assert_int_equal(fate.done, 0);
    have((struct packet_wanted){.dscp = TRIMMABLE, .ack = true, .protect = UET_PROTECT_CRC});
    assert_int_equal(w.len, 14 + 20 + 24);
    fate = decide("trim 100%", NULL);
    assert_int_equal(fate.done, 0);
    fate = decide("trim 0%", "trim 100% dscp 11 to 12");
    assert_int_equal(fate.spared, 1 << RELAY_TRIM);
    have((struct packet_wanted){.dscp = TRIMMED});
    fate = decide("trim 100%", "trim 100% dscp 11 to 12"); /* what one rule spares is another's */
    assert_int_equal(fate.done, 1 << RELAY_TRIM);
    assert_int_equal(fate.spared, 0);
    fate = decide("trim 100%", NULL);
    assert_int_equal(fate.done, 0);
}

/* One bit between the first of PDS and the last of the CRC, every place in reach; the CRC tells. */
static void corruption_is_one_bit_that_the_crc_finds(void **state)
{
    static const struct uet_parse_options crc = {.protect = UET_PROTECT_CRC};
    const uint32_t first = 14 + 20 + 8, bytes = 12 + 44 + 1000 + 4;
    static bool hit[12 + 44 + 1000 + 4];
    static bool bit[8];
    struct relay_plan plan = packet_plan("corrupt 100%", NULL);
    unsigned n_hit = 0;

    (void)state;
    memset(hit, 0, sizeof hit);
    for (uint64_t index = 0; index < 20000; index++) {
        uint8_t before[UET_FRAME_MAX];
        unsigned changed = 0;
        struct packet_wanted wanted = request;
        struct uet_packet p;

        wanted.protect = UET_PROTECT_CRC;
        if (index == 0)
            have(wanted);
        w.info.index = index;
        memcpy(before, w.frame, w.len);
        struct relay_fate fate = relay_decide(&plan, 1, &w.info, &w.queues);
        assert_int_equal(fate.done, 1 << RELAY_CORRUPT);
        relay_alter(&fate, &w.packet, w.frame, &w.len);
        for (uint32_t i = 0; i < w.len; i++)
            for (unsigned b = 0; b < 8; b++)
                if ((w.frame[i] ^ before[i]) >> b & 1) {
                    assert_in_range(i, first, first + bytes - 1);
                    hit[i - first] = bit[b] = true;
                    changed++;
                }
        assert_int_equal(changed, 1);
        if (index < 100)
            assert_int_not_equal(uet_parse(&p, w.frame, w.len, &crc), UET_PARSE_OK);
        memcpy(w.frame, before, w.len);
    }
    for (size_t i = 0; i < sizeof hit; i++)
        n_hit += hit[i];
    assert_int_equal(n_hit, bytes);
    for (int b = 0; b < 8; b++)
        assert_true(bit[b]);
}

static void corruption_spares_what_nothing_guards(void **state)
{
    struct packet_wanted wanted = request;
    struct relay_fate fate;

    (void)state;
    have(wanted);
    fate = decide("corrupt 100%", NULL);
    assert_int_equal(fate.done, 0);
    assert_int_equal(fate.spared, 1 << RELAY_CORRUPT);
    wanted.protect = UET_PROTECT_CRC;
    have(wanted);
    fate = decide("corrupt 100%", "trim 100%"); /* the trailer is gone */
    assert_int_equal(fate.done, 1 << RELAY_TRIM);
    wanted.order = UET_CRC_LITTLE_ENDIAN;
    have(wanted);
    fate = decide("corrupt 100%", NULL);
    assert_int_equal(fate.done, 1 << RELAY_CORRUPT);
    w.frame[w.len - 1] ^= 1; /* wrong already */
    (void)uet_parse(&w.packet, w.frame, w.len, NULL);
    fate = decide("corrupt 100%", NULL);
    assert_int_equal(fate.done, 0);
}

/* ---- times and paths ---- */

static void delays_add_up(void **state)
{
    uint64_t least = UINT64_MAX, most = 0;
    struct relay_plan plan = packet_plan("delay 100us jitter 10us", "delay 1ms");

    (void)state;
    have(request);
    for (w.info.index = 0; w.info.index < 10000; w.info.index++) {
        struct relay_fate fate = relay_decide(&plan, 1, &w.info, &w.queues);
        least = fate.delay_ns < least ? fate.delay_ns : least;
        most = fate.delay_ns > most ? fate.delay_ns : most;
    }
    assert_in_range(least, 1100000, 1100100); /* one of 10000 draws is near each end */
    assert_in_range(most, 1109900, 1110000);
}

static void jitter_is_from_nothing_to_all(void **state)
{
    struct relay_plan plan = packet_plan("delay 5us jitter 1ns", NULL);
    unsigned more = 0;

    (void)state;
    have(request);
    for (w.info.index = 0; w.info.index < 1000; w.info.index++) {
        struct relay_fate fate = relay_decide(&plan, 1, &w.info, &w.queues);
        assert_in_range(fate.delay_ns, 5000, 5001);
        more += fate.delay_ns == 5001;
    }
    assert_in_range(more, 420, 580); /* one of two, give or take five times 16 */
}

static uint32_t path_at(const struct relay_plan *plan, uint16_t entropy, uint64_t time_ns)
{
    w.packet.entropy = entropy;
    w.info.time_ns = time_ns;

    struct relay_fate fate = relay_decide(plan, 1, &w.info, &w.queues);
    assert_true(fate.path < 4);
    assert_int_equal(fate.delay_ns, fate.path * 100000);
    return fate.path;
}

static void an_entropy_value_keeps_its_path_until_the_next_hash(void **state)
{
    struct relay_plan plan = packet_plan("rehash 4 paths 100us every 500ms", NULL);
    unsigned others = 0, used[4] = {0};

    (void)state;
    have(request);
    for (uint16_t e = 0; e < 4000; e++) {
        uint32_t path = path_at(&plan, e, 0);
        w.info.index++;
        assert_int_equal(path_at(&plan, e, 499999999), path);
        others += path_at(&plan, e, 500000000) != path;
        used[path]++;
    }
    assert_in_range(others, 2860, 3140); /* three of four, give or take five times 27 */
    for (int i = 0; i < 4; i++)
        assert_in_range(used[i], 860, 1140);
}

/*
 * 8 Mbit/s take a microsecond for a byte: a frame of 1098 bytes, and 24 around it, 1122 of them.
 * What waits then are 0, 1122, 2244 bytes; the next one has 1098 to add.
 */
static void a_queue_makes_wait_and_is_full_one_day(void **state)
{
    static const struct {
        uint64_t time_us, delay_us; /* 0: dropped */
    } packets[] = {{0, 1122}, {0, 2244},    {0, 0},      {1122, 2244},
                   {1122, 0}, {1123, 3365}, {9000, 1122}};
    struct relay_plan plan = packet_plan("queue 3342 at 8Mbit/s", NULL);

    (void)state;
    have(request);
    plan.rules[0].bytes--; /* 2244 + 1098 do not fit */
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        w.info.time_ns = packets[i].time_us * 1000;
        struct relay_fate fate = relay_decide(&plan, 1, &w.info, &w.queues);
        assert_int_equal(relay_is(&fate, RELAY_QUEUE), packets[i].delay_us == 0);
        assert_int_equal(relay_lost(&fate), packets[i].delay_us == 0);
        assert_int_equal(fate.delay_ns, packets[i].delay_us * 1000);
    }
    memset(&w.queues, 0, sizeof w.queues);
    plan.rules[0].bytes++; /* now they do */
    w.info.time_ns = 0;
    for (int i = 0; i < 3; i++) {
        struct relay_fate fate = relay_decide(&plan, 1, &w.info, &w.queues);
        assert_int_equal(fate.delay_ns, (i + 1) * 1122000);
    }
}

static void a_queue_marks_and_trims_before_it_drops(void **state)
{
    struct relay_plan plan =
        packet_plan("queue 1MiB at 8Mbit/s ce above 2219 trim above 3341 dscp 10 to 12", NULL);
    struct relay_fate fate;

    (void)state;
    have(request);
    fate = relay_decide(&plan, 1, &w.info, &w.queues);
    assert_int_equal(fate.done, 0);
    fate = relay_decide(&plan, 1, &w.info, &w.queues); /* 1122 + 1098 are 2220 */
    assert_int_equal(fate.done, 1 << RELAY_CE);
    assert_int_equal(fate.delay_ns, 2244000);
    fate = relay_decide(&plan, 1, &w.info, &w.queues); /* 2244 + 1098 are 3342 */
    assert_int_equal(fate.done, 1 << RELAY_TRIM);
    assert_int_equal(fate.dscp_after, 12);
    assert_int_equal(fate.delay_ns, 0);    /* it passes them, and takes no place */
    w.packet.traffic_class = CONTROL << 2; /* not trimmable, not capable of ECN: it waits */
    fate = relay_decide(&plan, 1, &w.info, &w.queues);
    assert_int_equal(fate.done, 0);
    assert_int_equal(fate.delay_ns, 3366000);
}

static void what_is_not_uet_or_lost_takes_no_place(void **state)
{
    (void)state;
    have(request);
    w.info.packet = NULL;
    assert_int_equal(decide("queue 0 at 1Mbit/s", NULL).done, 0);
    w.info.packet = &w.packet;
    assert_int_equal(decide("queue 0 at 1Mbit/s", NULL).done, 1 << RELAY_QUEUE);
    assert_int_equal(decide("queue 0 at 1Mbit/s of acks", NULL).done, 0);
    /* A packet that is lost takes no place. */
    assert_int_equal(decide("loss 100%", "queue 1MiB at 1Mbit/s").done, 1 << RELAY_LOSS);
    for (int i = 0; i < RELAY_RULES_MAX; i++)
        assert_int_equal(w.queues.empty_ns[i], 0);
}

static void words_say_what_happens(void **state)
{
    struct relay_fate fate = {0};
    char text[200];

    (void)state;
    assert_string_equal(relay_fate_text(&fate, false, text, sizeof text), "");
    fate.done = 1u << RELAY_LOSS;
    assert_string_equal(relay_fate_text(&fate, false, text, sizeof text), "lost");
    fate = (struct relay_fate){.done = 1u << RELAY_CE | 1u << RELAY_DUPLICATE | 1u << RELAY_DELAY,
                               .delay_ns = 1500};
    assert_string_equal(relay_fate_text(&fate, true, text, sizeof text),
                        "marked CE, the second copy, delayed by 2 us");
    fate = (struct relay_fate){.done = 1u << RELAY_CORRUPT | 1u << RELAY_REORDER,
                               .corrupt_byte = 77,
                               .corrupt_bit = 3,
                               .waits_for = 2};
    assert_string_equal(relay_fate_text(&fate, false, text, sizeof text),
                        "corrupted: bit 3 of byte 77, held back for 2 others");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_without_a_rule),
        cmocka_unit_test(a_share_is_a_share_and_depends_on_seed_and_side),
        cmocka_unit_test(rules_decide_apart),
        cmocka_unit_test(a_rule_is_for_its_kind_of_packets),
        cmocka_unit_test(a_cut_takes_all_for_its_time),
        cmocka_unit_test(what_is_not_uet_is_left_alone),
        cmocka_unit_test(ce_changes_two_bits_and_the_checksum),
        cmocka_unit_test(ce_spares_who_is_not_capable),
        cmocka_unit_test(trim_cuts_as_a_switch_does),
        cmocka_unit_test(trim_takes_only_what_may_be_trimmed),
        cmocka_unit_test(corruption_is_one_bit_that_the_crc_finds),
        cmocka_unit_test(corruption_spares_what_nothing_guards),
        cmocka_unit_test(delays_add_up),
        cmocka_unit_test(jitter_is_from_nothing_to_all),
        cmocka_unit_test(an_entropy_value_keeps_its_path_until_the_next_hash),
        cmocka_unit_test(a_queue_makes_wait_and_is_full_one_day),
        cmocka_unit_test(a_queue_marks_and_trims_before_it_drops),
        cmocka_unit_test(what_is_not_uet_or_lost_takes_no_place),
        cmocka_unit_test(words_say_what_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
