/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/check/twice.h"

#include <string.h>

#define APART_NS UINT64_C(1000000) /* between two places of capture; a resend takes longer */
#define HASHED   256u              /* bytes above IP: all headers are in them */

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Eight bytes at a time: it is done to every byte of every packet. How many they are is in h. */
static uint64_t hash(uint64_t h, const uint8_t *bytes, size_t n)
{
    uint64_t word = 0;
    size_t i = 0;
#pragma GCC unroll 4
    for (; i + sizeof word < n; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        h = mix(h, word);
    }
    if (n >= sizeof word) { /* the last eight: some of them again */
        memcpy(&word, bytes + n - sizeof word, sizeof word);
        return mix(h, word);
    }
    for (; i < n; i++)
        word = word << 8 | bytes[i];
    return mix(h, word);
}

/* Addresses, identification and what is above IP; not what routers change. */
static uint64_t hash_packet(const struct uet_packet *p)
{
    const uint8_t *ip = p->frame + p->ip_offset;
    size_t at = p->udp_offset ? p->udp_offset : p->entropy_offset, n = p->ip_end - at;
    uint64_t h = (uint64_t)(p->ip_end - p->ip_offset);
    h = p->ip_version == 4 ? hash(h << 16 | (uint64_t)ip[4] << 8 | ip[5], ip + 12, 8)
                           : hash(h, ip + 8, 32);
    return hash(h, p->frame + at, n < HASHED ? n : HASHED);
}

bool check_is_twice(struct check_twice *twice, const struct uet_packet *p, const uint8_t *below,
                    size_t n_below, uint64_t time_ns)
{
    if (!p->ip_end || !(p->udp_offset || p->entropy_offset))
        return false;
    struct check_seen now = {.what = hash_packet(p), .time_ns = time_ns};
    uint8_t hops = p->frame[p->ip_offset + (p->ip_version == 4 ? 8 : 7)];
    now.how = (uint64_t)n_below << 8 | hops;
    if (n_below) /* a tunnel: few captures have one */
        now.how = hash(now.how, below, n_below);
    now.how = hash(now.how, p->frame, p->ip_offset);
    struct check_seen *seen = &twice->seen[now.what % CHECK_TWICE_SLOTS];
    bool same = seen->what == now.what && seen->how != now.how && time_ns >= seen->time_ns &&
                time_ns - seen->time_ns <= APART_NS && seen->how;
    if (!same)
        *seen = now;
    return same;
}
