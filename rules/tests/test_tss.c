/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules for sealed packets on whole frames: the packet vectors, as they stand and with one thing
 * wrong; and how far back an IV is remembered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/tests/judge.h"
#include "track/arena.h"
#include "wire/build.h"
#include "wire/captured/reader.h"
#include "wire/layers.h"
#include "wire/tests/golden_tss.h"

#define KEY    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define WINDOW 65536u /* IVs that are remembered ... */
#define NEAR   8u     /* ... more or less */

static const struct uet_parse_options from_ip = {.start = UET_START_IP, .lenient = true};

struct fixture {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    struct uet_violation found[JUDGE_MAX];
    size_t n;
};

static void fixture_open(struct fixture *c, uint8_t vantage)
{
    uet_track_arena_init(&c->arena, 0);
    const struct uet_track_config track = {.vantage = vantage,
                                           .window = UET_TRACK_WINDOW_MIN,
                                           .allocator = uet_track_arena_allocator(&c->arena)};
    const struct uet_rules_config rules = {.vantage = vantage};
    c->track = uet_track_new(&track);
    c->rules = uet_rules_new(&rules, &track.allocator);
}

static void fixture_close(struct fixture *c)
{
    uet_rules_free(c->rules);
    uet_track_free(c->track);
    uet_track_arena_free(&c->arena);
}

static void judge(struct fixture *c, const struct uet_packet *p)
{
    const struct uet_tracked *t = uet_track_add_packet(c->track, p, 0);
    assert_non_null(t);
    c->n = judge_packet(c->rules, t, c->found);
}

static bool fired(const struct fixture *c, const char *requirement)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->found[i].requirement, requirement) == 0)
            return true;
    return false;
}

static size_t vector(uint8_t *frame, size_t cap, const struct golden_tss *g, struct uet_packet *p)
{
    size_t n = golden_unhex(frame, cap, g->packet);
    uet_parse(p, frame, n, &from_ip);
    assert_int_not_equal(p->tss, UET_H_NONE);
    return n;
}

/* No key is needed for their headers, and nothing is wrong with them. */
static void vectors_as_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++) {
        uint8_t frame[256];
        struct uet_packet p;
        struct fixture c;
        fixture_open(&c, UET_VANTAGE_BOTH);
        vector(frame, sizeof frame, &golden_tss[i], &p);
        assert_true(uet_rules_judge_header(c.rules, &p));
        judge(&c, &p);
        if (c.n)
            fail_msg("%s: %s", golden_tss[i].id, c.found[0].message);
        fixture_close(&c);
    }
}

/* The reserved bit, bit 6 of the first byte. */
static void reserved_bit(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++) {
        uint8_t frame[256];
        struct uet_packet p;
        struct fixture c;
        size_t n = vector(frame, sizeof frame, &golden_tss[i], &p);
        bool set = frame[p.tss_offset] & 0x02;
        frame[p.tss_offset] |= 0x02;
        uet_parse(&p, frame, n, &from_ip);
        fixture_open(&c, UET_VANTAGE_MIDDLE);
        judge(&c, &p);
        assert_true(!set && fired(&c, "TSS-003"));
        fixture_close(&c);
    }
}

/* A UDP length of what was there before sealing; of one that is larger a trim may be the cause. */
static void udp_length(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (size_t i = 0; i < n_golden_tss; i++) {
        uint8_t frame[256];
        struct uet_packet p;
        size_t n = vector(frame, sizeof frame, &golden_tss[i], &p);
        if (!p.udp_offset)
            continue;
        unsigned length = uet_udp_length(frame + p.udp_offset), added = 28;
        for (int longer = 0; longer < 2; longer++) {
            struct fixture c;
            uet_udp_length_set(frame + p.udp_offset,
                               (uint16_t)(longer ? length + added : length - added));
            uet_parse(&p, frame, n, &from_ip);
            fixture_open(&c, UET_VANTAGE_BOTH);
            judge(&c, &p);
            assert_int_equal(fired(&c, "TSS-005"), !longer);
            fixture_close(&c);
        }
        seen++;
    }
    assert_true(seen >= 2);
}

/* ---- a CRC in front of the ICV ---- */

static struct uet_keyring *key_for(const struct uet_tss_params *params)
{
    char text[200], err[200] = "";
    int n = snprintf(text, sizeof text, "UET_SD sdi=0x%06x an=%u mode=direct key=" KEY "\n",
                     params->sdi, params->an);
    struct uet_keyfile *file = uet_keyfile_parse(text, (size_t)n, "keys", err, sizeof err);
    assert_non_null(file);
    struct uet_keyring *ring = uet_keyring_new(file, "keys", err, sizeof err);
    uet_keyfile_free(file);
    if (!ring)
        fail_msg("%s", err);
    return ring;
}

/* The packet in clear gets a CRC trailer behind its n bytes. */
static size_t add_crc(uint8_t *clear, size_t n)
{
    struct uet_packet p;
    uint8_t frame[300] = {0};
    uint8_t *ip = frame + UET_ETH_BYTES;
    uet_parse(&p, clear, n, &from_ip);
    n += UET_CRC_TRAILER_BYTES;
    memcpy(ip, clear, n);
    memcpy(frame + 12, p.ip_version == 4 ? "\x08\x00" : "\x86\xdd", 2);
    if (p.ip_version == 4)
        uet_ipv4_total_length_set(ip, (uint16_t)n);
    else
        uet_ipv6_payload_length_set(ip, (uint16_t)(n - UET_IPV6_BYTES));
    if (p.udp_offset)
        uet_udp_length_set(ip + p.udp_offset, (uint16_t)(n - p.udp_offset));
    uet_refresh(frame, n + UET_ETH_BYTES, UET_PROTECT_CRC);
    memcpy(clear, ip, n);
    return n;
}

/* Seals the packet of a vector in direct mode, with an SSI, and with a CRC behind its payload. */
static size_t seal(uint8_t *frame, size_t cap, const struct golden_tss *g, bool crc,
                   struct uet_tss_params *params)
{
    uint8_t clear[256] = {0};
    struct uet_tss_sa sa;
    struct uet_tss_stamp stamp = {.ssi = 5, .counter = 9};
    size_t n = golden_tss_clear(clear, sizeof clear, g), sealed;
    if (crc)
        n = add_crc(clear, n);
    *params = (struct uet_tss_params){.sdi = 3, .mode = UET_TSS_MODE_DIRECT, .ssi_mode = true};
    golden_unhex(params->key, sizeof params->key, KEY);
    assert_int_equal(uet_tss_setup(&sa, params), 0);
    assert_int_equal(uet_tss_seal(&sa, &stamp, clear, n, &from_ip, frame, cap, &sealed),
                     UET_TSS_OK);
    uet_tss_erase(&sa);
    return sealed;
}

static void crc_inside(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++)
        for (int crc = 0; crc < 2; crc++) {
            uint8_t frame[320], clear[320];
            struct uet_tss_params params;
            struct uet_packet p;
            struct fixture c;
            size_t n = seal(frame, sizeof frame, &golden_tss[i], crc, &params);
            struct uet_keyring *ring = key_for(&params);
            uet_parse(&p, frame, n, &from_ip);
            assert_true(uet_keyring_open(ring, &p, n, &from_ip, clear));
            assert_int_equal(p.seal.key, 1);
            fixture_open(&c, UET_VANTAGE_MIDDLE);
            judge(&c, &p);
            if (fired(&c, "TSS-006") != crc)
                fail_msg("%s: TSS-006 fires %s", golden_tss[i].id, crc ? "not" : "without a CRC");
            fixture_close(&c);
            uet_keyring_free(ring);
        }
}

/* There is a key for it, and the key does not open it: it may be anybody's, and is not judged. */
static void refused(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        uint8_t frame[320], clear[320];
        struct uet_tss_params params;
        struct uet_packet p;
        struct fixture c;
        size_t n = seal(frame, sizeof frame, &golden_tss[0], false, &params);
        params.sdi += (uint32_t)other;
        struct uet_keyring *ring = key_for(&params);
        frame[n - 1] ^= 1;
        frame[20 + 4] |= 0x02; /* IPv4, entropy header: the reserved bit */
        uet_parse(&p, frame, n, &from_ip);
        assert_false(uet_keyring_open(ring, &p, n, &from_ip, clear));
        assert_int_equal(p.seal.refused, !other);
        fixture_open(&c, UET_VANTAGE_BOTH);
        judge(&c, &p);
        assert_int_equal(fired(&c, "TSS-003"), other);
        fixture_close(&c);
        uet_keyring_free(ring);
    }
}

/* ---- memory ---- */

static void count(struct fixture *c, struct uet_packet *p, uint64_t counter)
{
    p->seal.counter = counter;
    p->seal.mark++;
    judge(c, p);
}

static void remembered_so_far(void **state)
{
    (void)state;
    uint8_t frame[256];
    struct uet_packet p;
    struct fixture c;
    vector(frame, sizeof frame, &golden_tss[0], &p);
    fixture_open(&c, UET_VANTAGE_MIDDLE);
    p.seal.key = 1;
    for (uint64_t i = 0; i < 3 * WINDOW; i++) {
        count(&c, &p, i);
        assert_int_equal(c.n, 0);
    }
    assert_int_equal(uet_track_totals(c.track)->iv_unsure, 0);
    count(&c, &p, 2 * WINDOW + NEAR);
    assert_true(fired(&c, "TSS-018"));
    assert_int_equal(uet_track_totals(c.track)->iv_unsure, 0);
    count(&c, &p, 2 * WINDOW - NEAR);
    assert_int_equal(c.n, 0);
    assert_int_equal(uet_track_totals(c.track)->iv_unsure, 1);
    fixture_close(&c);
}

/* However many sources there are, they take so much memory and no more. */
static void many_sources(void **state)
{
    (void)state;
    uint8_t frame[256];
    struct uet_packet p;
    struct fixture c;
    vector(frame, sizeof frame, &golden_tss[0], &p);
    fixture_open(&c, UET_VANTAGE_MIDDLE);
    p.seal.key = 1;
    for (p.sdi = 0; p.sdi < 10000; p.sdi++) {
        count(&c, &p, 1);
        assert_int_equal(c.n, 0);
    }
    assert_int_equal(uet_track_totals(c.track)->iv_unsure, 10000 - 4096);
    p.sdi = 0; /* the first ones are still known */
    count(&c, &p, 1);
    assert_true(fired(&c, "TSS-018"));
    fixture_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_as_they_are),
        cmocka_unit_test(reserved_bit),
        cmocka_unit_test(udp_length),
        cmocka_unit_test(crc_inside),
        cmocka_unit_test(refused),
        cmocka_unit_test(remembered_so_far),
        cmocka_unit_test(many_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
