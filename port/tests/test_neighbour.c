/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP and neighbour discovery on frames written by hand, right ones and wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "port/neighbour.h"

static struct uet_ip owned[2];
static struct uet_neigh neigh;
static struct uet_neigh_result result;

static struct uet_ip ip(const char *text)
{
    struct uet_ip parsed;

    assert_int_equal(uet_ip_parse(&parsed, text), 0);
    return parsed;
}

static int fresh(void **state)
{
    (void)state;
    memset(&neigh, 0, sizeof(neigh));
    owned[0] = ip("10.9.0.1");
    owned[1] = ip("fd09::1");
    neigh.owned = owned;
    neigh.n_owned = 2;
    return 0;
}

/* What find says of an address: the last byte of its MAC address, 0 for unknown. */
static int known(const char *text)
{
    struct uet_ip wanted = ip(text);
    const struct uet_neigh_entry *entry = uet_neigh_find(&neigh, &wanted);

    return entry ? entry->mac.bytes[5] : 0;
}

/* Who has 10.9.0.1? Tell 10.9.0.7, at 02:aa:bb:cc:dd:07. */
static const uint8_t arp_request[42] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0xaa, 0xbb, 0xcc, 0xdd, 7, 8, 6, 0, 1, 8, 0,  6, 4, 0,
    1,    2,    0xaa, 0xbb, 0xcc, 0xdd, 7, 10,   9,    0,    7,    0, 0, 0, 0, 0, 0, 10, 9, 0, 1};

/* 10.9.0.1 is at 02:00:0a:09:00:01. */
static const uint8_t arp_reply[42] = {2, 0xaa, 0xbb, 0xcc, 0xdd, 7, 2,  0, 10, 9, 0, 1, 8,  6, 0, 1,
                                      8, 0,    6,    4,    0,    2, 2,  0, 10, 9, 0, 1, 10, 9, 0, 1,
                                      2, 0xaa, 0xbb, 0xcc, 0xdd, 7, 10, 9, 0,  7};

/*
 * Neighbour solicitation for fd09::1 from fd09::7, to ff02::1:ff00:1. The checksum by hand, as
 * sums of 16-bit words: source fd09+7 = fd10; group ff02+1+ff00+1 = 1fe04; length 20 + next header
 * 3a = 5a; type 8700; target fd09+1 = fd0a; option 0101+02aa+bbcc+dd07 = 19c7e. Together 61bf6,
 * folded 1bf6+6 = 1bfc, its complement e403. The frame here leaves it zero: see put_sum.
 */
static const uint8_t solicit[86] = {
    0x33, 0x33, 0xff, 0,   0,    1, 2, 0xaa, 0xbb, 0xcc, 0xdd, 7,    0x86, 0xdd, 0x60, 0, 0, 0,
    0,    32,   58,   255, 0xfd, 9, 0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 0, 0,
    0,    7,    0xff, 2,   0,    0, 0, 0,    0,    0,    0,    0,    0,    1,    0xff, 0, 0, 1,
    135,  0,    0,    0,   0,    0, 0, 0,    0xfd, 9,    0,    0,    0,    0,    0,    0, 0, 0,
    0,    0,    0,    0,   0,    1, 1, 1,    2,    0xaa, 0xbb, 0xcc, 0xdd, 7};
#define SOLICIT_SUM 0xe403

static void arp(void **state)
{
    uint8_t frame[42], tagged[46];
    struct uet_ip asked = ip("10.9.0.1"), asker = ip("10.9.0.7");

    (void)state;
    uet_neigh_input(&neigh, arp_request, 42, 5, &result);
    assert_true(result.consumed);
    assert_true(uet_ip_equal(&result.learnt, &asker));
    assert_int_equal(result.reply_len, 42);
    assert_memory_equal(result.reply, arp_reply, 42);
    assert_int_equal(known("10.9.0.7"), 7);
    /* The same behind a tag: the answer bears the tag. */
    memcpy(tagged, arp_request, 12);
    memcpy(tagged + 12, "\x81\x00\x00\x05", 4);
    memcpy(tagged + 16, arp_request + 12, 30);
    uet_neigh_input(&neigh, tagged, 46, 5, &result);
    assert_int_equal(result.reply_len, 46);
    assert_memory_equal(result.reply + 12, "\x81\x00\x00\x05\x08\x06", 6);
    assert_memory_equal(result.reply + 16, arp_reply + 12, 30);
    /* A request of ours, with our MAC address and no target. */
    memcpy(frame, arp_request, 42);
    assert_int_equal(uet_neigh_request(&asker, &asked, NULL, 0, result.reply), 42);
    memcpy(frame + 6, "\x02\x00\x0a\x09\x00\x07", 6);
    memcpy(frame + 22, frame + 6, 6);
    assert_memory_equal(result.reply, frame, 42);
}

/* One byte altered: consumed, but neither learnt nor answered. */
static void arp_refused(void **state)
{
    static const struct {
        uint8_t at, value;
    } wrong[] = {{15, 6}, {16, 9}, {18, 5}, {19, 16}, {41, 2}};
    uint8_t frame[42];

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        memcpy(frame, arp_request, 42);
        frame[wrong[i].at] = wrong[i].value;
        uet_neigh_input(&neigh, frame, 42, 5, &result);
        assert_true(result.consumed);
        assert_int_equal(result.learnt.version, 0);
        assert_int_equal(result.reply_len, 0);
    }
    for (uint32_t len = 0; len < 42; len++) {
        uet_neigh_input(&neigh, arp_request, len, 5, &result);
        assert_int_equal(result.consumed, len >= 14);
        assert_int_equal(result.reply_len, 0);
    }
    /* A group address is nobody's MAC address; a claim to our own address is not believed. */
    memcpy(frame, arp_request, 42);
    frame[22] = 3;
    uet_neigh_input(&neigh, frame, 42, 5, &result);
    assert_int_equal(result.learnt.version, 0);
    memcpy(frame, arp_request, 42);
    frame[31] = 1;
    uet_neigh_input(&neigh, frame, 42, 5, &result);
    assert_int_equal(known("10.9.0.1"), 0);
    assert_int_equal(known("10.9.0.7"), 0);
}

/* RFC 5227 1.1: an ARP Probe is a request whose sender IP address is all zero. */
static void arp_probe(void **state)
{
    const struct uet_mac from = {{2, 0xaa, 0xbb, 0xcc, 0xdd, 7}};
    struct uet_ip address = ip("10.9.0.1"), other = ip("10.9.0.2");
    uint8_t probe[UET_NEIGH_FRAME], expected[42];
    struct uet_mac by;

    (void)state;
    memcpy(expected, arp_request, 42);
    memset(expected + 28, 0, 4);
    assert_int_equal(uet_neigh_probe(&address, &from, probe), 42);
    assert_memory_equal(probe, expected, 42);
    /* Whoever has it answers; one that probes for it, too, claims it; our own question does not. */
    assert_true(uet_neigh_claimed(arp_reply, 42, &address, &from, &by));
    assert_memory_equal(by.bytes, arp_reply + 6, 6);
    assert_false(uet_neigh_claimed(probe, 42, &address, &from, &by));
    probe[6 + 5] = 9;
    assert_true(uet_neigh_claimed(probe, 42, &address, &from, &by));
    assert_int_equal(by.bytes[5], 9);
    /* Who merely asks for it has it not; and what is said of others is no matter. */
    assert_false(uet_neigh_claimed(arp_request, 42, &address, &by, &by));
    assert_false(uet_neigh_claimed(arp_reply, 42, &other, &from, &by));
    for (uint32_t len = 0; len < 42; len++)
        assert_false(uet_neigh_claimed(arp_reply, len, &address, &from, &by));
    /* Owned addresses are defended against a probe (2.4): the answer goes to who probes. */
    uet_neigh_input(&neigh, expected, 42, 5, &result);
    assert_int_equal(result.reply_len, 42);
    assert_true(uet_neigh_claimed(result.reply, 42, &address, &from, &by));
}

/*
 * RFC 4862 5.4.2: source ::, target the address, to its group. The checksum by hand: group ff02+1+
 * ff00+1 = 1fe04; length 18 + next header 3a = 52; type 8700; target fd09+1 = fd0a. Together 38260,
 * folded 8260+3 = 8263, its complement 7d9c.
 */
static void nd_probe(void **state)
{
    static const uint8_t expected[78] = {
        0x33, 0x33, 0xff, 0,  0,  1,   2,    0xaa, 0xbb, 0xcc, 0xdd, 7, 0x86, 0xdd, 0x60, 0,
        0,    0,    0,    24, 58, 255, 0,    0,    0,    0,    0,    0, 0,    0,    0,    0,
        0,    0,    0,    0,  0,  0,   0xff, 2,    0,    0,    0,    0, 0,    0,    0,    0,
        0,    1,    0xff, 0,  0,  1,   135,  0,    0x7d, 0x9c, 0,    0, 0,    0,    0xfd, 9,
        0,    0,    0,    0,  0,  0,   0,    0,    0,    0,    0,    0, 0,    1};
    const struct uet_mac from = {{2, 0xaa, 0xbb, 0xcc, 0xdd, 7}};
    struct uet_ip address = ip("fd09::1"), other = ip("fd09::2");
    uint8_t probe[UET_NEIGH_FRAME];
    struct uet_mac by;

    (void)state;
    assert_int_equal(uet_neigh_probe(&address, &from, probe), 78);
    assert_memory_equal(probe, expected, 78);
    assert_false(uet_neigh_claimed(probe, 78, &address, &from, &by));
    uet_neigh_input(&neigh, probe, 78, 5, &result);
    assert_int_not_equal(result.reply_len, 0);
    assert_true(uet_neigh_claimed(result.reply, result.reply_len, &address, &from, &by));
    assert_false(uet_neigh_claimed(result.reply, result.reply_len, &other, &from, &by));
    probe[6 + 5] = 9;
    assert_true(uet_neigh_claimed(probe, 78, &address, &from, &by));
}

static void put_sum(uint8_t *frame, uint16_t sum)
{
    frame[56] = (uint8_t)(sum >> 8);
    frame[57] = (uint8_t)sum;
}

static void nd(void **state)
{
    uint8_t frame[86];
    struct uet_ip asked = ip("fd09::1"), asker = ip("fd09::7");

    (void)state;
    memcpy(frame, solicit, 86);
    put_sum(frame, SOLICIT_SUM);
    uet_neigh_input(&neigh, frame, 86, 5, &result);
    assert_true(result.consumed);
    assert_true(uet_ip_equal(&result.learnt, &asker));
    assert_int_equal(known("fd09::7"), 7);
    assert_int_equal(result.reply_len, 86);
    assert_memory_equal(result.reply, "\x02\xaa\xbb\xcc\xdd\x07\x02\x00\x00\x00\x00\x01", 12);
    assert_int_equal(result.reply[21], 255);
    assert_memory_equal(result.reply + 22, asked.bytes, 16);
    assert_memory_equal(result.reply + 38, asker.bytes, 16);
    assert_int_equal(result.reply[54], 136);
    assert_int_equal(result.reply[58], 0x60); /* solicited, override */
    assert_memory_equal(result.reply + 62, asked.bytes, 16);
    assert_memory_equal(result.reply + 78, "\x02\x01\x02\x00\x00\x00\x00\x01", 8);
    /* Our answer teaches a table of somebody else. */
    neigh.owned = &asker;
    neigh.n_owned = 1;
    memcpy(frame, result.reply, 86);
    uet_neigh_input(&neigh, frame, 86, 6, &result);
    assert_true(uet_ip_equal(&result.learnt, &asked));
    assert_int_equal(result.reply_len, 0);
    assert_int_equal(known("fd09::1"), 1);
    /* A question of ours: the bytes above but for the asker's MAC address. */
    assert_int_equal(uet_neigh_request(&asker, &asked, NULL, 0, result.reply), 86);
    assert_memory_equal(result.reply, solicit, 6);
    assert_memory_equal(result.reply + 12, solicit + 12, 44);
    assert_memory_equal(result.reply + 58, solicit + 58, 22);
    assert_memory_equal(result.reply + 80, "\x02\x00\x00\x00\x00\x07", 6);
}

/* RFC 4861 7.1.1: what is wrong is not answered. The checksum is set right where it would not be
 * what fails. */
static void nd_refused(void **state)
{
    static const struct {
        uint8_t at, value;
        int sum; /* what the change adds to the sum of the words */
    } wrong[] = {
        {21, 254, 0},      /* hop limit: a router passed it on */
        {55, 1, 1},        /* code */
        {62, 0xff, 0x200}, /* target a group */
        {77, 2, 1},        /* target not ours */
        {57, 0xff, 0},     /* checksum */
        {85, 8, 0},        /* checksum, by the data */
        {19, 23, 0},       /* length too short for it */
        {19, 40, 0},       /* length beyond the frame */
    };
    uint8_t frame[86];

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        memcpy(frame, solicit, 86);
        put_sum(frame, (uint16_t)(SOLICIT_SUM - wrong[i].sum));
        frame[wrong[i].at] = wrong[i].value;
        uet_neigh_input(&neigh, frame, 86, 5, &result);
        assert_int_equal(result.learnt.version, 0);
        assert_int_equal(result.reply_len, 0);
    }
    memcpy(frame, solicit, 86);
    put_sum(frame, SOLICIT_SUM);
    for (uint32_t len = 0; len < 86; len++) {
        uet_neigh_input(&neigh, frame, len, 5, &result);
        assert_int_equal(result.reply_len, 0);
    }
    /* An option of length 0 would never end; one too long would run out of the packet. The
     * question itself is answered. */
    for (uint8_t size = 0; size <= 2; size += 2) {
        frame[79] = size;
        put_sum(frame, (uint16_t)(SOLICIT_SUM + 1 - size));
        uet_neigh_input(&neigh, frame, 86, 5, &result);
        assert_int_equal(result.learnt.version, 0);
        assert_int_equal(result.reply_len, 86);
    }
}

/* More addresses than the table holds: the oldest of a set goes, a fixed one stays. */
static void table_is_bounded(void **state)
{
    struct uet_mac mac = {{2, 0, 0, 0, 0, 1}};
    struct uet_ip one = ip("10.0.0.5");
    size_t kept = 0;

    (void)state;
    uet_neigh_learn(&neigh, &one, &mac, true, 0);
    for (unsigned i = 0; i < 65536; i++) {
        one.bytes[1] = (uint8_t)(i >> 8);
        one.bytes[2] = (uint8_t)i;
        mac.bytes[5] = 2;
        uet_neigh_learn(&neigh, &one, &mac, false, i + 1);
        assert_true(uet_neigh_find(&neigh, &one) != NULL);
    }
    for (size_t s = 0; s < UET_NEIGH_SETS; s++)
        for (size_t w = 0; w < UET_NEIGH_WAYS; w++)
            kept += neigh.entries[s][w].ip.version != 0;
    assert_int_equal(kept, UET_NEIGH_SETS * UET_NEIGH_WAYS);
    assert_int_equal(known("10.0.0.5"), 1); /* fixed: not even its own word changes it */
    assert_int_equal(known("10.255.255.5"), 2);
}

static void groups(void **state)
{
    struct uet_ip group = ip("239.129.2.3");
    struct uet_mac mac;

    (void)state;
    assert_true(uet_neigh_group_mac(&group, &mac)); /* RFC 1112: 23 bits */
    assert_memory_equal(mac.bytes, "\x01\x00\x5e\x01\x02\x03", 6);
    group = ip("ff05::1:2:3");
    assert_true(uet_neigh_group_mac(&group, &mac));
    assert_memory_equal(mac.bytes, "\x33\x33\x00\x02\x00\x03", 6);
    group = ip("255.255.255.255");
    assert_true(uet_neigh_group_mac(&group, &mac));
    assert_memory_equal(mac.bytes, "\xff\xff\xff\xff\xff\xff", 6);
    group = ip("10.9.0.255");
    assert_false(uet_neigh_group_mac(&group, &mac));
}

static void addresses(void **state)
{
    struct uet_ip a = ip("192.0.2.1"), b = ip("2001:db8::c000:201"), none = {0};
    char text[UET_IP_TEXT];

    (void)state;
    assert_int_equal(a.version, 4);
    assert_int_equal(b.version, 6);
    assert_string_equal(uet_ip_text(&a, text), "192.0.2.1");
    assert_string_equal(uet_ip_text(&b, text), "2001:db8::c000:201");
    assert_string_equal(uet_ip_text(&none, text), "none");
    assert_memory_equal(uet_mac_of_ip(&a).bytes, "\x02\x00\xc0\x00\x02\x01", 6);
    assert_memory_equal(uet_mac_of_ip(&b).bytes, "\x02\x00\xc0\x00\x02\x01", 6);
    assert_false(uet_ip_equal(&a, &b));
    b = a;
    b.bytes[15] = 9; /* no part of an IPv4 address */
    assert_true(uet_ip_equal(&a, &b));
    assert_int_equal(uet_ip_parse(&b, "192.0.2"), -1);
    assert_int_equal(uet_ip_parse(&b, "192.0.2.256"), -1);
    assert_int_equal(uet_ip_parse(&b, "fd09::1%eth0"), -1);
    assert_int_equal(uet_ip_parse(&b, ""), -1);
    assert_int_equal(b.version, 4); /* untouched */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(arp, fresh),
        cmocka_unit_test_setup(arp_refused, fresh),
        cmocka_unit_test_setup(arp_probe, fresh),
        cmocka_unit_test_setup(nd_probe, fresh),
        cmocka_unit_test_setup(nd, fresh),
        cmocka_unit_test_setup(nd_refused, fresh),
        cmocka_unit_test_setup(table_is_bounded, fresh),
        cmocka_unit_test(groups),
        cmocka_unit_test(addresses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
