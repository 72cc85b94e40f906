/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CRC-32C: every way to compute it against values from outside, against the definition bit by bit,
 * and in parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/build.h"
#include "wire/crc.h"
#include "wire/crc_paths.h"
#include "wire/packet.h"

enum { LONGEST = 10000, ALIGNMENTS = 17 };

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)random_state * n >> 32);
}

/* The definition: the division, a bit at a time, by 0x82F63B78 (facts 12.1). No tables. */
static uint32_t by_definition(const uint8_t *p, size_t n)
{
    uint32_t r = 0xffffffff;
    for (; n; n--, p++) {
        r ^= *p;
        for (int bit = 0; bit < 8; bit++)
            r = r & 1 ? r >> 1 ^ 0x82f63b78 : r >> 1;
    }
    return ~r;
}

/* One way, with the inversions. */
static uint32_t crc_by(const struct uet_crc_path *path, uint32_t crc, const void *data, size_t n)
{
    return ~path->run(~crc, data, n);
}

static void known(uint32_t (*crc)(const void *, size_t))
{
    uint8_t zeros[32] = {0}, ones[32], up[32], down[32];
    memset(ones, 0xff, sizeof ones);
    for (uint8_t i = 0; i < 32; i++) {
        up[i] = i;
        down[i] = (uint8_t)(31 - i);
    }
    /* a PDU of RFC 3720, appendix B.4 */
    static const uint8_t iscsi_read[48] = {0x01, 0xc0, 0, 0,    0,    0, 0, 0,    0,    0, 0,    0,
                                           0,    0,    0, 0,    0x14, 0, 0, 0,    0,    0, 0x04, 0,
                                           0,    0,    0, 0x14, 0,    0, 0, 0x18, 0x28, 0, 0,    0,
                                           0,    0,    0, 0,    0x02, 0, 0, 0,    0,    0, 0,    0};
    assert_int_equal(crc("123456789", 9), 0xe3069283);
    assert_int_equal(crc(zeros, 32), 0x8a9136aa);
    assert_int_equal(crc(ones, 32), 0x62a8ab43);
    assert_int_equal(crc(up, 32), 0x46dd794e);
    assert_int_equal(crc(down, 32), 0x113fdb5c);
    assert_int_equal(crc(iscsi_read, 48), 0xd9963a56);
    assert_int_equal(crc("", 0), 0);
}

static uint32_t crc_now(const void *data, size_t n)
{
    return uet_crc32c(0, data, n);
}

static uint32_t crc_portable(const void *data, size_t n)
{
    return uet_crc32c_portable(0, data, n);
}

static const struct uet_crc_path *chosen;

static uint32_t crc_chosen(const void *data, size_t n)
{
    return crc_by(chosen, 0, data, n);
}

static void known_answers(void **state)
{
    (void)state;
    known(crc_now);
    known(crc_portable);
    for (size_t i = 0; i < uet_n_crc_paths; i++) {
        chosen = &uet_crc_paths[i];
        if (chosen->usable())
            known(crc_chosen);
        else
            print_message("not on this CPU: %s\n", chosen->name);
    }
}

/* The last way is the one that runs anywhere. */
static void one_way_runs_anywhere(void **state)
{
    (void)state;
    assert_true(uet_n_crc_paths > 0);
    assert_true(uet_crc_paths[uet_n_crc_paths - 1].usable());
    assert_string_equal(uet_crc_paths[uet_n_crc_paths - 1].name, "portable");
}

static uint8_t data[LONGEST + ALIGNMENTS];

static int fill(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)random_below(256);
    return 0;
}

/* Around every change of loop: words, the start of three streams, the longest streams. */
static const size_t edges[] = {0,    1,    2,    3,    4,    7,    8,    9,    15,     16,   23,
                               24,   25,   71,   72,   73,   95,   96,   97,   143,    144,  145,
                               167,  168,  169,  191,  192,  193,  287,  288,  289,    4079, 4080,
                               4081, 4095, 4096, 4097, 4151, 4152, 4153, 4223, 4224,   4225, 8159,
                               8160, 8161, 8231, 8232, 8303, 8304, 9216, 9600, LONGEST};

static void all_agree(const uint8_t *p, size_t n)
{
    uint32_t want = by_definition(p, n);
    assert_int_equal(uet_crc32c(0, p, n), want);
    assert_int_equal(uet_crc32c_portable(0, p, n), want);
    for (size_t i = 0; i < uet_n_crc_paths; i++)
        if (uet_crc_paths[i].usable())
            assert_int_equal(crc_by(&uet_crc_paths[i], 0, p, n), want);
}

static void every_way_is_the_definition(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 300; n++)
        all_agree(data + n % ALIGNMENTS, n);
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++)
        for (size_t from = 0; from < ALIGNMENTS; from++)
            all_agree(data + from, edges[e]);
    for (int i = 0; i < 200; i++)
        all_agree(data + random_below(ALIGNMENTS), random_below(LONGEST + 1));
}

/* In two parts, cut anywhere, each part by any way: a CRC so far goes on. */
static void in_parts(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++) {
        size_t n = random_below(LONGEST + 1), cut = random_below((uint32_t)n + 1);
        const uint8_t *p = data + random_below(ALIGNMENTS);
        const struct uet_crc_path *first = &uet_crc_paths[random_below((uint32_t)uet_n_crc_paths)];
        const struct uet_crc_path *second = &uet_crc_paths[random_below((uint32_t)uet_n_crc_paths)];
        uint32_t want = by_definition(p, n);
        assert_int_equal(uet_crc32c(uet_crc32c(0, p, cut), p + cut, n - cut), want);
        if (first->usable() && second->usable())
            assert_int_equal(crc_by(second, crc_by(first, 0, p, cut), p + cut, n - cut), want);
    }
}

/* Byte by byte, and in pieces of every length up to 40. */
static void in_many_parts(void **state)
{
    (void)state;
    uint32_t want = by_definition(data, 1000);
    for (size_t piece = 1; piece <= 40; piece++) {
        uint32_t crc = 0;
        for (size_t at = 0; at < 1000; at += piece)
            crc = uet_crc32c(crc, data + at, at + piece > 1000 ? 1000 - at : piece);
        assert_int_equal(crc, want);
    }
}

/* Nothing is read past the end or before the start: only the bytes themselves count. */
static void neighbours_do_not_count(void **state)
{
    (void)state;
    static uint8_t copy[sizeof data];
    for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
        for (size_t i = 0; i < sizeof copy; i++)
            copy[i] = (uint8_t)~data[i];
        memcpy(copy + 5, data + 5, edges[e]);
        assert_int_equal(uet_crc32c(0, copy + 5, edges[e]), uet_crc32c(0, data + 5, edges[e]));
    }
}

/* The vectors of the facts (3.5.25): a UUD packet over IPv4 and IPv6, trailer big-endian. */
static const uint8_t crc_v4[] = {
    0x02, 0,    0,    0,    0, 2,  0x02, 0, 0,    0,   0, 1, 0x08, 0x00, 0x45, 0,   0,
    36,   0,    0,    0x40, 0, 64, 17,   0, 0,    192, 0, 2, 1,    192,  0,    2,   2,
    0x42, 0x42, 0x12, 0xb9, 0, 16, 0,    0, 0x30, 0,   0, 0, 0x79, 0x6b, 0x94, 0x6b};
static const uint8_t crc_v6[] = {
    0x02, 0,    0,    0,    0,    2,    0x02, 0,    0,    0, 0, 1, 0x86, 0xdd, 0x60, 0,   0, 0,
    0,    16,   17,   64,   0x20, 0x01, 0x0d, 0xb8, 0,    0, 0, 0, 0,    0,    0,    0,   0, 0,
    0,    1,    0x20, 0x01, 0x0d, 0xb8, 0,    0,    0,    0, 0, 0, 0,    0,    0,    0,   0, 2,
    0x42, 0x42, 0x12, 0xb9, 0,    16,   0,    0,    0x30, 0, 0, 0, 0x3b, 0xb5, 0xe8, 0x41};

static void of_the_facts(void **state)
{
    (void)state;
    static const uint8_t native[] = {192, 0, 2, 1, 192, 0, 2, 2, 0x42, 0x42, 0, 0, 0x30, 0, 0, 0};
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC, .lenient = true};
    struct uet_packet p;
    assert_int_equal(uet_crc32c(0, crc_v4 + 26, 20), 0x796b946b);
    assert_int_equal(uet_crc32c(0, crc_v6 + 22, 44), 0x3bb5e841);
    assert_int_equal(uet_crc32c(0, native, sizeof native), 0xfcb5de29);
    assert_int_equal(uet_crc_load(crc_v4 + sizeof crc_v4 - 4, UET_CRC_BIG_ENDIAN), 0x796b946b);
    uet_parse(&p, crc_v4, sizeof crc_v4, &o);
    assert_int_equal(p.crc_state, UET_CRC_GOOD);
    assert_int_equal(p.crc_computed, 0x796b946b);
    uet_parse(&p, crc_v6, sizeof crc_v6, &o);
    assert_int_equal(p.crc_state, UET_CRC_GOOD);
    assert_int_equal(p.crc_computed, 0x3bb5e841);
}

static void trailer(void **state)
{
    (void)state;
    uint8_t bytes[6] = {0};
    uet_crc_store(bytes + 1, 0x796b946b, UET_CRC_BIG_ENDIAN);
    assert_memory_equal(bytes, "\0\x79\x6b\x94\x6b\0", 6);
    assert_int_equal(uet_crc_load(bytes + 1, UET_CRC_BIG_ENDIAN), 0x796b946b);
    uet_crc_store(bytes + 1, 0x796b946b, UET_CRC_LITTLE_ENDIAN);
    assert_memory_equal(bytes, "\0\x6b\x94\x6b\x79\0", 6);
    assert_int_equal(uet_crc_load(bytes + 1, UET_CRC_LITTLE_ENDIAN), 0x796b946b);
}

/* Which order a trailer has can be found out; a word that reads the same both ways is big-endian.
 */
static void order_is_found(void **state)
{
    (void)state;
    assert_int_equal(uet_crc_order_of((const uint8_t *)"\x79\x6b\x94\x6b", 0x796b946b),
                     UET_CRC_BIG_ENDIAN);
    assert_int_equal(uet_crc_order_of((const uint8_t *)"\x6b\x94\x6b\x79", 0x796b946b),
                     UET_CRC_LITTLE_ENDIAN);
    assert_int_equal(uet_crc_order_of((const uint8_t *)"\x6b\x79\x94\x6b", 0x796b946b), -1);
    assert_int_equal(uet_crc_order_of((const uint8_t *)"\1\2\2\1", 0x01020201), UET_CRC_BIG_ENDIAN);
}

/*
 * The IPv6 packet of the facts with its trailer the other way round: wrong for who demands
 * big-endian, but its order can be told; right for who was told so, or takes either.
 */
static void other_order_is_told(void **state)
{
    (void)state;
    uint8_t frame[sizeof crc_v6];
    memcpy(frame, crc_v6, sizeof frame);
    memcpy(frame + sizeof frame - 4, "\x41\xe8\xb5\x3b", 4);
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC};
    struct uet_packet p;
    assert_int_equal(uet_parse(&p, frame, sizeof frame, &o), UET_PARSE_CRC_BAD);
    assert_int_equal(uet_packet_crc_order(&p), UET_CRC_LITTLE_ENDIAN);
    o.protect = UET_PROTECT_AUTO;
    assert_int_equal(uet_parse(&p, frame, sizeof frame, &o), UET_PARSE_OK);
    assert_int_equal(p.crc_state, UET_CRC_GOOD);
    assert_int_equal(uet_packet_crc_order(&p), UET_CRC_LITTLE_ENDIAN);
    o = (struct uet_parse_options){.protect = UET_PROTECT_CRC, .crc_order = UET_CRC_LITTLE_ENDIAN};
    assert_int_equal(uet_parse(&p, frame, sizeof frame, &o), UET_PARSE_OK);
    assert_int_equal(uet_parse(&p, crc_v6, sizeof crc_v6, &o), UET_PARSE_CRC_BAD);
    assert_int_equal(uet_packet_crc_order(&p), UET_CRC_BIG_ENDIAN);
    frame[sizeof frame - 1] ^= 1;
    assert_int_equal(uet_parse(&p, frame, sizeof frame, &o), UET_PARSE_CRC_BAD);
    assert_int_equal(uet_packet_crc_order(&p), -1);
    assert_int_equal(uet_parse(&p, frame, sizeof frame, NULL), UET_PARSE_OK);
    assert_int_equal(uet_packet_crc_order(&p), -1); /* nobody looked for a trailer */
}

/* A CRC that reads the same both ways, one in 65536, is right for who was told either order. */
static void word_of_both_orders(void **state)
{
    (void)state;
    enum { SOURCE = UET_ETH_BYTES + 8, TRAILER = sizeof crc_v6 - UET_CRC_TRAILER_BYTES };
    uint8_t frame[sizeof crc_v6];
    memcpy(frame, crc_v6, sizeof frame);
    uint32_t crc = 1, n = 0;
    while (crc != __builtin_bswap32(crc) && n < 1u << 24) {
        n++;
        memcpy(frame + SOURCE + 12, &n, sizeof n);
        crc = uet_crc32c(0, frame + SOURCE, TRAILER - SOURCE);
    }
    assert_int_equal(crc, __builtin_bswap32(crc));
    memcpy(frame + TRAILER, &crc, sizeof crc);
    for (uint8_t order = UET_CRC_BIG_ENDIAN; order <= UET_CRC_LITTLE_ENDIAN; order++) {
        const struct uet_parse_options o = {.protect = UET_PROTECT_CRC, .crc_order = order};
        struct uet_packet p;
        assert_int_equal(uet_parse(&p, frame, sizeof frame, &o), UET_PARSE_OK);
    }
}

/* The builder stores the trailer in the order of the route. */
static void order_is_built(void **state)
{
    (void)state;
    struct uet_route route = {.src = {.version = 4, .bytes = {192, 0, 2, 1}},
                              .dst = {.version = 4, .bytes = {192, 0, 2, 2}},
                              .entropy = 0x4242,
                              .crc_order = UET_CRC_LITTLE_ENDIAN};
    for (int i = 0; i < 2; i++) {
        uint8_t frame[sizeof crc_v4];
        struct uet_build b;
        uet_build_start(&b, frame, sizeof frame, &route);
        uet_uud_req_type_set(uet_build_pds(&b, UET_H_UUD_REQ), UET_PDS_UUD_REQ);
        assert_int_equal(uet_build_finish(&b, UET_PROTECT_CRC, NULL), sizeof frame);
        assert_memory_equal(frame + sizeof frame - 4, i ? "\x79\x6b\x94\x6b" : "\x6b\x94\x6b\x79",
                            4);
        route.crc_order = UET_CRC_BIG_ENDIAN;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(one_way_runs_anywhere),
        cmocka_unit_test(every_way_is_the_definition),
        cmocka_unit_test(in_parts),
        cmocka_unit_test(in_many_parts),
        cmocka_unit_test(neighbours_do_not_count),
        cmocka_unit_test(of_the_facts),
        cmocka_unit_test(trailer),
        cmocka_unit_test(order_is_found),
        cmocka_unit_test(other_order_is_told),
        cmocka_unit_test(word_of_both_orders),
        cmocka_unit_test(order_is_built),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
