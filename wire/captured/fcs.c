/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/captured/fcs.h"

/* The polynomial 0x04c11db7 with its bits reversed, and what it makes of half a byte. */
#define POLYNOMIAL 0xedb88320u
#define STEP(v)    ((v) >> 1 ^ ((v)&1 ? POLYNOMIAL : 0))
#define HALF(v)    STEP(STEP(STEP(STEP((uint32_t)(v)))))

static const uint32_t halves[16] = {
    HALF(0), HALF(1), HALF(2),  HALF(3),  HALF(4),  HALF(5),  HALF(6),  HALF(7),
    HALF(8), HALF(9), HALF(10), HALF(11), HALF(12), HALF(13), HALF(14), HALF(15),
};

bool uet_ends_in_fcs(const uint8_t *frame, size_t n)
{
    uint32_t crc = UINT32_MAX;
    if (n < UET_FCS_BYTES)
        return false;
    for (const uint8_t *b = frame; b < frame + n - UET_FCS_BYTES; b++) {
        crc ^= *b;
        crc = crc >> 4 ^ halves[crc & 15];
        crc = crc >> 4 ^ halves[crc & 15];
    }
    const uint8_t *fcs = frame + n - UET_FCS_BYTES; /* its bit 31 first: little-endian here */
    uint32_t held =
        fcs[0] | (uint32_t)fcs[1] << 8 | (uint32_t)fcs[2] << 16 | (uint32_t)fcs[3] << 24;
    return ~crc == held;
}
