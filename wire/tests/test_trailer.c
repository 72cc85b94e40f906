/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether packets have a CRC trailer is found out from those of each sender, one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/captured/trailer.h"
#include "wire/tests/carriers.h"

enum tail { NO_TAIL, BIG, LITTLE, WRONG };

/*
 * carried[] with a trailer behind it. The CRC was computed bit by bit by a program that shares
 * nothing with this project: 0x18cba9a5 over the bytes from the IP source address on.
 */
static size_t fill(uint8_t out[CARRIED_BYTES + 4], enum tail tail, uint8_t sender)
{
    static const uint8_t tails[][4] = {[BIG] = {0x18, 0xcb, 0xa9, 0xa5},
                                       [LITTLE] = {0xa5, 0xa9, 0xcb, 0x18},
                                       [WRONG] = {1, 2, 3, 4}};
    memcpy(out, carried, CARRIED_BYTES);
    out[29] = (uint8_t)(out[29] + sender);
    out[25] = (uint8_t)(out[25] - sender); /* the checksum */
    if (tail == NO_TAIL)
        return CARRIED_BYTES;
    out[17] = 0x5c; /* IP carries four bytes more */
    out[25] = (uint8_t)(out[25] - 4);
    out[39] = 0x48; /* and UDP */
    memcpy(out + CARRIED_BYTES, tails[tail], 4);
    return CARRIED_BYTES + 4;
}

static struct uet_packet take(struct uet_trailer_guess *g, enum tail tail, uint8_t sender)
{
    static uint8_t bytes[CARRIED_BYTES + 4];
    const struct uet_parse_options o = {.lenient = true};
    struct uet_packet p;
    uet_trailer_parse(g, &p, bytes, fill(bytes, tail, sender), o);
    return p;
}

#define EXPECT(p, state, payload)                                                                  \
    do {                                                                                           \
        struct uet_packet p_ = (p);                                                                \
        assert_int_equal(p_.crc_state, state);                                                     \
        assert_int_equal(p_.payload_len, payload);                                                 \
    } while (0)

static void either_order(void **state)
{
    (void)state;
    struct uet_trailer_guess g = {.protect = UET_PROTECT_AUTO, .any_order = true};
    EXPECT(take(&g, BIG, 0), UET_CRC_GOOD, 4);
    EXPECT(take(&g, LITTLE, 0), UET_CRC_GOOD, 4);
    assert_int_equal(g.seen.good[UET_CRC_BIG_ENDIAN], 1);
    assert_int_equal(g.seen.good[UET_CRC_LITTLE_ENDIAN], 1);
    struct uet_trailer_guess told = {.protect = UET_PROTECT_CRC, .crc_order = UET_CRC_BIG_ENDIAN};
    EXPECT(take(&told, BIG, 0), UET_CRC_GOOD, 4);
    EXPECT(take(&told, LITTLE, 0), UET_CRC_BAD, 4);
    assert_int_equal(told.seen.bad, 1);
    assert_int_equal(told.seen.other, 1);
    struct uet_trailer_guess automatic = {.protect = UET_PROTECT_AUTO,
                                          .crc_order = UET_CRC_LITTLE_ENDIAN};
    EXPECT(take(&automatic, LITTLE, 0), UET_CRC_GOOD, 4);
    EXPECT(take(&automatic, BIG, 0), UET_CRC_BAD, 4);
}

/* Four bytes too many are a wrong trailer, of whoever is not known to send none. */
static void wrong_ones(void **state)
{
    (void)state;
    struct uet_trailer_guess g = {.protect = UET_PROTECT_AUTO, .any_order = true};
    EXPECT(take(&g, WRONG, 0), UET_CRC_BAD, 4);
    EXPECT(take(&g, NO_TAIL, 1), UET_CRC_ABSENT, 4);
    EXPECT(take(&g, WRONG, 1), UET_CRC_ABSENT, 8); /* this one sends too much */
    EXPECT(take(&g, WRONG, 0), UET_CRC_BAD, 4);
    assert_int_equal(g.seen.bad, 2);
}

/* A sender may protect some packets and others not: those as long as they say have no trailer. */
static void some_protected(void **state)
{
    (void)state;
    struct uet_trailer_guess g = {.protect = UET_PROTECT_AUTO, .any_order = true};
    EXPECT(take(&g, BIG, 0), UET_CRC_GOOD, 4);
    EXPECT(take(&g, NO_TAIL, 0), UET_CRC_ABSENT, 4);
    EXPECT(take(&g, BIG, 0), UET_CRC_GOOD, 4);
    EXPECT(take(&g, WRONG, 0), UET_CRC_BAD, 4);
}

static void not_wanted(void **state)
{
    (void)state;
    struct uet_trailer_guess g = {.protect = UET_PROTECT_NONE, .any_order = true};
    EXPECT(take(&g, BIG, 0), UET_CRC_ABSENT, 8);
    EXPECT(take(&g, LITTLE, 0), UET_CRC_ABSENT, 8);
    EXPECT(take(&g, NO_TAIL, 0), UET_CRC_ABSENT, 4);
    assert_int_equal(g.seen.unwanted, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_order),
        cmocka_unit_test(wrong_ones),
        cmocka_unit_test(some_protected),
        cmocka_unit_test(not_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
