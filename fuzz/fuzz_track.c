/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tracker and the rules over a conversation. An input is two bytes of configuration and then
 * packets: a golden one (by number) with bytes altered, or bytes of the input, each a while later.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "rules/rules.h"
#include "track/arena.h"
#include "wire/build.h"
#include "wire/tests/golden.h"

enum { PACKETS = 300, VIOLATIONS = 8 };

static struct {
    const uint8_t *at, *end; /* the rest of the input */
    struct uet_track *track;
    struct uet_rules *rules;
    uint32_t number; /* of the last packet taken */
    uint64_t now;
    enum uet_protect protect;
} w;

static uint8_t u8(void)
{
    return w.at < w.end ? *w.at++ : 0;
}

static void check_violations(const struct uet_tracked *t)
{
    struct uet_violation v[VIOLATIONS];
    memset(v, 0xaa, sizeof v);
    size_t n = uet_rules_check(w.rules, t, v, VIOLATIONS);
    FUZZ_CHECK(n <= VIOLATIONS);
    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(uet_requirement_find(v[i].requirement));
        FUZZ_CHECK(v[i].number >= 1 && v[i].number <= t->number);
        FUZZ_CHECK(memchr(v[i].message, '\0', sizeof v[i].message));
        FUZZ_CHECK(v[i].message[0] && !strchr(v[i].message, '\n'));
    }
}

/* What was said of a packet must fit together. */
static void check_tracked(const struct uet_tracked *t)
{
    FUZZ_CHECK(t->number == w.number);
    FUZZ_CHECK(t->previous_frame < t->number && t->request_frame < t->number);
    FUZZ_CHECK(!t->duplicate || t->previous_frame);
    FUZZ_CHECK(!t->retransmission || t->duplicate);
    FUZZ_CHECK(!t->opens || t->pdc);
    FUZZ_CHECK(!t->message || t->message->pdc == t->pdc);
    FUZZ_CHECK(!t->request_headers || t->request_frame || t->previous_frame);
}

/* A frame of exactly its length, so that a reader of more shows. */
static void add(const uint8_t *bytes, size_t len)
{
    uint8_t *exact = malloc(len ? len : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, bytes, len);
    const struct uet_tracked *t = uet_track_add(w.track, exact, len, w.now);
    if (t) { /* NULL: the arena's limit; the packet was not counted in */
        w.number++;
        check_tracked(t);
        check_violations(t);
    }
    free(exact);
}

static void add_golden(uint8_t which)
{
    const struct golden *g = &golden[which % n_golden];
    uint8_t frame[256];
    memcpy(frame, g->bytes, g->len);
    for (uint8_t n = u8() % 8; n > 0; n--) {
        uint8_t at = u8();
        frame[g->pds_offset + at % (g->len - g->pds_offset)] = u8();
    }
    if (which & 0x40) { /* the other way round */
        size_t ip = g->pds_offset - UET_UDP_BYTES - UET_IPV4_BYTES;
        if (g->bytes[12] == 0x08) {
            memcpy(frame + ip + 12, g->bytes + ip + 16, 4);
            memcpy(frame + ip + 16, g->bytes + ip + 12, 4);
        }
    }
    uet_refresh(frame, g->len, w.protect);
    add(frame, g->len);
}

static void add_literal(void)
{
    size_t len = u8(), left = (size_t)(w.end - w.at);
    len = len < left ? len : left;
    add(w.at, len);
    w.at += len;
}

static void converse(void)
{
    for (unsigned n = 0; n < PACKETS && w.at < w.end; n++) {
        uint8_t kind = u8();
        w.now += (uint64_t)u8() << 10;
        if (kind & 0x80)
            add_literal();
        else
            add_golden(kind);
    }
    size_t pdcs = 0;
    for (const struct uet_track_pdc *p = uet_track_pdcs(w.track); p; p = p->next)
        FUZZ_CHECK(p->stream == pdcs++);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uet_track_arena arena;
    memset(&w, 0, sizeof w);
    w.at = data;
    w.end = data + size;
    uint8_t a = u8(), b = u8();
    w.protect = a & 1 ? UET_PROTECT_CRC : UET_PROTECT_AUTO;
    uet_track_arena_init(&arena, b & 0x80 ? (size_t)(b & 0x7f) << 12 : 0);
    const struct uet_track_config tc = {.vantage = a >> 1 & 3,
                                        .protect = (uint8_t)w.protect,
                                        .from_start = a >> 5 & 1,
                                        .dscp_trimmed = a & 0x40 ? UINT64_C(0xf) << 8 : 0,
                                        .dscp_trimmed_lasthop = UINT64_C(0x3) << 8,
                                        .hash_seed = b,
                                        .allocator = uet_track_arena_allocator(&arena)};
    const struct uet_rules_config rc = {.vantage = a >> 1 & 3, .spec = (uint8_t)((a >> 3 & 3) % 3)};
    w.track = uet_track_new(&tc);
    w.rules = w.track ? uet_rules_new(&rc, &tc.allocator) : NULL;
    if (w.rules)
        converse();
    uet_track_arena_free(&arena);
    return 0;
}
