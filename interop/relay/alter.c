/* SPDX-License-Identifier: BSD-2-Clause */
/* What was decided: as bytes, and in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "interop/relay/decide.h"
#include "wire/build.h"
#include "wire/inet.h"

static void mark(const struct uet_packet *p, uint8_t *frame)
{
    uint8_t *ip = frame + p->ip_offset;

    if (p->ip_version == 6) {
        uet_ipv6_ecn_set(ip, UET_ECN_CE);
        return;
    }
    uet_ipv4_ecn_set(ip, UET_ECN_CE);
    uet_ipv4_header_checksum_set(ip, 0);
    uet_ipv4_header_checksum_set(ip, uet_ipv4_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4));
}

void relay_alter(const struct relay_fate *fate, const struct uet_packet *p, uint8_t *frame,
                 uint32_t *len)
{
    if (relay_is(fate, RELAY_TRIM)) {
        int n = uet_trim(frame, *len, UET_MIN_TRIM_SIZE_UDP, fate->dscp_after);
        if (n > 0)
            *len = (uint32_t)n;
    }
    if (relay_is(fate, RELAY_CE))
        mark(p, frame);
    if (relay_is(fate, RELAY_CORRUPT))
        frame[fate->corrupt_byte] ^= (uint8_t)(1u << fate->corrupt_bit);
}

/* ---- in words ---- */

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->at, t->left, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < t->left) {
        t->at += n;
        t->left -= (size_t)n;
    }
}

const char *relay_fate_text(const struct relay_fate *fate, bool copy, char *text, size_t cap)
{
    struct text t = {text, cap};

    text[0] = 0;
    if (relay_is(fate, RELAY_CUT))
        add(&t, ", lost: the link is cut");
    if (relay_is(fate, RELAY_LOSS))
        add(&t, ", lost");
    if (relay_is(fate, RELAY_QUEUE))
        add(&t, ", lost: the queue is full");
    if (relay_is(fate, RELAY_TRIM))
        add(&t, ", trimmed to %d bytes of IP payload", UET_MIN_TRIM_SIZE_UDP);
    if (relay_is(fate, RELAY_CE))
        add(&t, ", marked CE");
    if (relay_is(fate, RELAY_CORRUPT))
        add(&t, ", corrupted: bit %u of byte %" PRIu32, fate->corrupt_bit, fate->corrupt_byte);
    if (relay_is(fate, RELAY_DUPLICATE))
        add(&t, copy ? ", the second copy" : ", duplicated");
    if (relay_is(fate, RELAY_REHASH))
        add(&t, ", path %" PRIu32, fate->path + 1);
    if (fate->delay_ns)
        add(&t, ", delayed by %" PRIu64 " us", (fate->delay_ns + 500) / 1000);
    if (relay_is(fate, RELAY_REORDER) && !copy)
        add(&t, ", held back for %" PRIu32 " others", fate->waits_for);
    return text[0] ? text + 2 : text;
}
