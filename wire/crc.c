/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/crc.h"

#include "uet_spec.h"
#include "wire/crc_paths.h"

/* The bytes that meet the register first, lowest bits first, on a CPU of either byte order. */
static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Slicing by 8 (Kounavis and Berry): eight table reads that do not wait for each other. */
static uint32_t portable(uint32_t state, const uint8_t *p, size_t n)
{
    const uint32_t(*t)[256] = uet_crc_slice;
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t lo = load32(p) ^ state, hi = load32(p + 4);
        state = t[7][lo & 0xff] ^ t[6][lo >> 8 & 0xff] ^ t[5][lo >> 16 & 0xff] ^ t[4][lo >> 24] ^
                t[3][hi & 0xff] ^ t[2][hi >> 8 & 0xff] ^ t[1][hi >> 16 & 0xff] ^ t[0][hi >> 24];
    }
    for (; n; n--, p++)
        state = state >> 8 ^ t[0][(state ^ *p) & 0xff];
    return state;
}

static bool anywhere(void)
{
    return true;
}

#ifdef UET_CRC_X86
/* Two loads and a test: what the CPU can do was looked up before main. */
static bool have_crc(void)
{
    return __builtin_cpu_supports("sse4.2");
}

static bool have_crc_and_clmul(void)
{
    return have_crc() && __builtin_cpu_supports("pclmul");
}
#endif

const struct uet_crc_path uet_crc_paths[] = {
#ifdef UET_CRC_X86
    {"x86, three streams", have_crc_and_clmul, uet_crc_x86_three},
    {"x86, one stream", have_crc, uet_crc_x86_one},
#endif
    {"portable", anywhere, portable},
};
const size_t uet_n_crc_paths = sizeof uet_crc_paths / sizeof *uet_crc_paths;

uint32_t uet_crc32c(uint32_t crc, const void *data, size_t n)
{
#ifdef UET_CRC_X86
    if (have_crc_and_clmul())
        return ~uet_crc_x86_three(~crc, data, n);
    if (have_crc())
        return ~uet_crc_x86_one(~crc, data, n);
#endif
    return ~portable(~crc, data, n);
}

uint32_t uet_crc32c_portable(uint32_t crc, const void *data, size_t n)
{
    return ~portable(~crc, data, n);
}

uint32_t uet_crc_load(const uint8_t *trailer, enum uet_crc_order order)
{
    return order == UET_CRC_LITTLE_ENDIAN ? load32(trailer) : uet_crc_trailer_crc32c(trailer);
}

void uet_crc_store(uint8_t *trailer, uint32_t crc, enum uet_crc_order order)
{
    if (order == UET_CRC_LITTLE_ENDIAN)
        crc = __builtin_bswap32(crc);
    uet_crc_trailer_crc32c_set(trailer, crc);
}

int uet_crc_order_of(const uint8_t *trailer, uint32_t crc)
{
    if (crc == uet_crc_load(trailer, UET_CRC_BIG_ENDIAN))
        return UET_CRC_BIG_ENDIAN;
    return crc == uet_crc_load(trailer, UET_CRC_LITTLE_ENDIAN) ? UET_CRC_LITTLE_ENDIAN : -1;
}

const char *uet_crc_order_name(enum uet_crc_order order)
{
    return order == UET_CRC_LITTLE_ENDIAN ? "little-endian" : "big-endian";
}
