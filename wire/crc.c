/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/crc.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>

/* Eight bytes an instruction; the CPU is asked at run time, so that no -march is needed. */
__attribute__((target("sse4.2"))) static uint32_t crc_cpu(uint32_t crc, const uint8_t *p, size_t n)
{
    uint64_t c = crc;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t v;
        memcpy(&v, p, 8);
        c = _mm_crc32_u64(c, v);
    }
    for (; n; n--, p++)
        c = _mm_crc32_u8((uint32_t)c, *p);
    return (uint32_t)c;
}

static bool have_cpu(void)
{
    return __builtin_cpu_supports("sse4.2");
}
#else
static uint32_t crc_cpu(uint32_t crc, const uint8_t *p, size_t n)
{
    (void)p;
    (void)n;
    return crc;
}

static bool have_cpu(void)
{
    return false;
}
#endif

/* The remainder of each nibble for the reflected polynomial 0x82F63B78 (uet_crc POLY). */
static const uint32_t nibble[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

static uint32_t crc_portable(uint32_t crc, const uint8_t *p, size_t n)
{
    for (; n; n--, p++) {
        crc ^= *p;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return crc;
}

uint32_t uet_crc32c_portable(uint32_t crc, const void *data, size_t n)
{
    return ~crc_portable(~crc, data, n);
}

uint32_t uet_crc32c(uint32_t crc, const void *data, size_t n)
{
    crc = ~crc;
    crc = have_cpu() ? crc_cpu(crc, data, n) : crc_portable(crc, data, n);
    return ~crc;
}

uint32_t uet_crc_load(const uint8_t *t)
{
    return (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
}

void uet_crc_store(uint8_t *t, uint32_t crc)
{
    t[0] = (uint8_t)crc;
    t[1] = (uint8_t)(crc >> 8);
    t[2] = (uint8_t)(crc >> 16);
    t[3] = (uint8_t)(crc >> 24);
}
