/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames captured twice: by two taps, or by a port mirror that copies what comes and what goes.
 * They must not be taken for what a FEP sent twice. Two frames are one when they say the same
 * from the IP addresses on, and either a router stood between the taps (hop limit or link header
 * differ), or nothing sends the same bytes again so soon (preference twice_us).
 */
#include "dissector/prefs.h"
#include "dissector/state/state.h"

#define SLOTS       4096u   /* fits a cache; a millisecond of 4 KiB packets at 100 Gbit/s */
#define TWO_TAPS_NS 1000000 /* between two taps; a resend takes longer, and keeps its hop limit */
#define HASHED      192     /* bytes from the front, and at the end */
#define HASHED_END  64

struct seen {
    uint64_t hash;
    uint64_t time_ns;
    uint32_t frame;
    uint32_t link; /* hash of what stands before IP, and of the hop limit */
};

static struct seen *seen; /* by hash; what comes later pushes out what came before */

void uetx_twice_start(void)
{
    seen = wmem_alloc0_array(wmem_file_scope(), struct seen, SLOTS);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 29;
}

static uint64_t hash_bytes(uint64_t h, const uint8_t *b, int n)
{
    uint64_t v, two[2], other = 0;
    for (; n >= 16; n -= 16, b += 16) { /* two at a time: a multiplication takes its time */
        memcpy(two, b, 16);
        h = mix(h, two[0]);
        other = mix(other, two[1]);
    }
    h = mix(h, other);
    for (; n >= 8; n -= 8, b += 8) {
        memcpy(&v, b, 8);
        h = mix(h, v);
    }
    v = 0;
    if (n) /* none: b may be NULL */
        memcpy(&v, b, (size_t)n);
    return mix(h, v + (uint64_t)n);
}

/* Addresses, identification and all bytes above IP; not what routers change. */
static uint64_t hash_packet(const struct uetx_below *b, const struct uetx_pdu *u)
{
    const uint8_t *ip = tvb_get_ptr(b->frame, b->ip, b->l4 - b->ip);
    uint64_t h = b->version == 4
                     ? hash_bytes(mix(u->p.len, (uint64_t)ip[4] << 8 | ip[5]), ip + 12, 8)
                     : hash_bytes(u->p.len, ip + 8, 32);
    int n = (int)tvb_captured_length(b->frame) - b->l4;
    const uint8_t *bytes = tvb_get_ptr(b->frame, b->l4, n);
    if (n <= HASHED)
        return hash_bytes(h, bytes, n);
    int end = n - HASHED < HASHED_END ? n - HASHED : HASHED_END;
    return hash_bytes(hash_bytes(h, bytes, HASHED), bytes + n - end, end);
}

static bool is_same(const struct seen *s, const struct seen *now)
{
    if (!s->frame || s->hash != now->hash || now->time_ns < s->time_ns)
        return false;
    uint64_t apart = now->time_ns - s->time_ns;
    if (s->link != now->link)
        return apart <= TWO_TAPS_NS;
    return apart < (uint64_t)uetx_prefs.twice_us * 1000;
}

uint32_t uetx_twice(const struct uetx_pdu *u, uint64_t time_ns)
{
    const struct uetx_below *b = &u->below;
    if (b->ip < 0 || u->captured < UET_PDS_PROLOGUE_BYTES)
        return 0;
    const uint8_t *ip = tvb_get_ptr(b->frame, b->ip, (int)UET_IPV4_BYTES);
    const struct seen now = {
        .hash = hash_packet(b, u),
        .time_ns = time_ns,
        .frame = u->pinfo->num,
        .link = (uint32_t)hash_bytes(b->version == 4 ? ip[8] : ip[7],
                                     tvb_get_ptr(b->frame, 0, b->ip), b->ip),
    };
    struct seen *slot = &seen[now.hash % SLOTS];
    uint32_t same = is_same(slot, &now) ? slot->frame : 0;
    if (!same)
        *slot = now;
    return same;
}
