/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC-32C with the instruction of SSE 4.2. Compiled for it here only: the caller asks the CPU. */
#include "wire/crc_paths.h"

#ifdef UET_CRC_X86

#include <string.h>

#include <nmmintrin.h>
#include <wmmintrin.h>

#define SSE42        __attribute__((target("sse4.2")))
#define SSE42_PCLMUL __attribute__((target("sse4.2,pclmul")))

/* Below this many bytes the three streams' joining costs more than they save. */
enum { WORD = 8, THREE_MIN = 72 };

SSE42 static inline uint64_t add_word(uint64_t state, const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, WORD);
    return _mm_crc32_u64(state, v);
}

SSE42 uint32_t uet_crc_x86_one(uint32_t state, const uint8_t *p, size_t n)
{
    uint64_t c = state;
    for (; n >= WORD; n -= WORD, p += WORD)
        c = add_word(c, p);
    uint32_t s = (uint32_t)c, v;
    if (n & 4) {
        memcpy(&v, p, 4);
        s = _mm_crc32_u32(s, v);
        p += 4;
    }
    for (n &= 3; n; n--, p++)
        s = _mm_crc32_u8(s, *p);
    return s;
}

/* The state as it would be after as many words of zeros. */
SSE42_PCLMUL static inline uint64_t after_zeros(uint64_t state, size_t words)
{
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)state),
                                           _mm_cvtsi32_si128((int)uet_crc_advance[words]), 0);
    return _mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

/*
 * The instruction gives its result after three cycles and can begin every cycle: one stream alone
 * uses a third of it. So the data is cut in three, each third is divided by itself, and the three
 * remainders are added after moving the first two over the bytes that follow them.
 */
SSE42_PCLMUL uint32_t uet_crc_x86_three(uint32_t state, const uint8_t *p, size_t n)
{
    while (n >= THREE_MIN) {
        size_t words = n / (3 * WORD);
        if (words > UET_CRC_STREAM_MAX)
            words = UET_CRC_STREAM_MAX;
        const size_t third = words * WORD;
        const uint8_t *end = p + third;
        uint64_t a = state, b = 0, c = 0;
        for (; p < end; p += WORD) {
            a = add_word(a, p);
            b = add_word(b, p + third);
            c = add_word(c, p + 2 * third);
        }
        state = (uint32_t)(after_zeros(a, 2 * words) ^ after_zeros(b, words) ^ c);
        p += 2 * third;
        n -= 3 * third;
    }
    return uet_crc_x86_one(state, p, n);
}

#endif
