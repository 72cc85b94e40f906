/* SPDX-License-Identifier: BSD-2-Clause */
/* splitmix64 (public domain, Vigna): chance that depends on a seed alone. Any seed will do, 0 too.
 */
#ifndef UET_WIRE_SPLITMIX_H
#define UET_WIRE_SPLITMIX_H

#include <stdint.h>

/* The next 64 bits; *state is the seed at first. */
static inline uint64_t uet_splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

#endif
