/* SPDX-License-Identifier: BSD-2-Clause */
/* Big-endian loads and stores that the generated accessors are made of. */
#ifndef UET_SPEC_BITS_H
#define UET_SPEC_BITS_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define UET_SWAP16(v) __builtin_bswap16(v)
#define UET_SWAP32(v) __builtin_bswap32(v)
#define UET_SWAP64(v) __builtin_bswap64(v)
#else
#define UET_SWAP16(v) (v)
#define UET_SWAP32(v) (v)
#define UET_SWAP64(v) (v)
#endif

static inline uint64_t uet_rd8(const uint8_t *p)
{
    return p[0];
}

static inline uint64_t uet_rd16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, 2);
    return UET_SWAP16(v);
}

static inline uint64_t uet_rd24(const uint8_t *p)
{
    return (uint64_t)p[0] << 16 | uet_rd16(p + 1);
}

static inline uint64_t uet_rd32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return UET_SWAP32(v);
}

static inline uint64_t uet_rd40(const uint8_t *p)
{
    return (uint64_t)p[0] << 32 | uet_rd32(p + 1);
}

static inline uint64_t uet_rd48(const uint8_t *p)
{
    return uet_rd16(p) << 32 | uet_rd32(p + 2);
}

static inline uint64_t uet_rd64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return UET_SWAP64(v);
}

static inline void uet_wr8(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)v;
}

static inline void uet_wr16(uint8_t *p, uint64_t v)
{
    uint16_t b = UET_SWAP16((uint16_t)v);
    memcpy(p, &b, 2);
}

static inline void uet_wr24(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)(v >> 16);
    uet_wr16(p + 1, v);
}

static inline void uet_wr32(uint8_t *p, uint64_t v)
{
    uint32_t b = UET_SWAP32((uint32_t)v);
    memcpy(p, &b, 4);
}

static inline void uet_wr40(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)(v >> 32);
    uet_wr32(p + 1, v);
}

static inline void uet_wr48(uint8_t *p, uint64_t v)
{
    uet_wr16(p, v >> 32);
    uet_wr32(p + 2, v);
}

static inline void uet_wr64(uint8_t *p, uint64_t v)
{
    uint64_t b = UET_SWAP64(v);
    memcpy(p, &b, 8);
}

#endif
