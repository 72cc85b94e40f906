/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "refimpl/tests/fixture.h"

static uint64_t draw(struct fixture *w)
{
    w->prng = w->prng * 6364136223846793005u + 1442695040888963407u;
    return w->prng >> 33;
}

void fixture_init(struct fixture *w, uint64_t seed, int ip_version,
                  void (*change)(struct uet_fep_config *))
{
    static const char *const text[2][2] = {{"192.0.2.1", "192.0.2.2"},
                                           {"2001:db8::1", "2001:db8::2"}};
    *w = (struct fixture){.prng = seed * 2 + 1, .now = FIXTURE_START_NS, .latency = 1000};
    for (int i = 0; i < 2; i++) {
        struct uet_fep_config c;
        uet_fep_config_default(&c);
        c.seed = seed + (uint64_t)i;
        assert_int_equal(uet_ip_parse(&c.address, text[ip_version == 6][i]), 0);
        if (change)
            change(&c);
        w->ip[i] = c.address;
        size_t size = uet_fep_size(&c);
        assert_true(size > 0);
        w->memory[i] = malloc(size);
        w->fep[i] = uet_fep_init(w->memory[i], size, &c, w->now);
        assert_non_null(w->fep[i]);
    }
}

void fixture_free(struct fixture *w)
{
    for (size_t i = 0; i < w->n_frames; i++)
        free(w->frames[i].bytes);
    free(w->frames);
    free(w->memory[0]);
    free(w->memory[1]);
}

static void put(struct fixture *w, int to, const uint8_t *bytes, size_t len)
{
    if (w->n_frames == w->cap_frames) {
        w->cap_frames = w->cap_frames ? w->cap_frames * 2 : 256;
        w->frames = realloc(w->frames, w->cap_frames * sizeof *w->frames);
        assert_non_null(w->frames);
    }
    struct fixture_frame *f = &w->frames[w->n_frames++];
    f->at = w->now + w->latency + (w->jitter ? draw(w) % w->jitter : 0);
    f->order = w->order++;
    f->to = to;
    f->len = (uint32_t)len;
    f->bytes = malloc(len);
    assert_non_null(f->bytes);
    memcpy(f->bytes, bytes, len);
}

static void drain(struct fixture *w)
{
    uint8_t frame[UET_FRAME_MAX];
    for (int i = 0; i < 2; i++) {
        size_t n;
        while ((n = uet_fep_transmit(w->fep[i], frame, sizeof frame, w->now))) {
            w->n_sent++;
            if (draw(w) % 1000 < w->loss) {
                w->n_lost++;
                continue;
            }
            put(w, 1 - i, frame, n);
            if (draw(w) % 1000 < w->dup)
                put(w, 1 - i, frame, n);
        }
    }
}

static size_t first(const struct fixture *w)
{
    size_t best = 0;
    for (size_t i = 1; i < w->n_frames; i++) {
        const struct fixture_frame *a = &w->frames[i], *b = &w->frames[best];
        if (a->at < b->at || (a->at == b->at && a->order < b->order))
            best = i;
    }
    return best;
}

bool fixture_run(struct fixture *w, uint64_t until)
{
    for (;;) {
        drain(w);
        uint64_t t0 = uet_fep_deadline(w->fep[0]), t1 = uet_fep_deadline(w->fep[1]);
        uint64_t timer = t0 < t1 ? t0 : t1;
        uint64_t arrival = w->n_frames ? w->frames[first(w)].at : UET_FEP_NEVER;
        uint64_t next = timer < arrival ? timer : arrival;
        if (next == UET_FEP_NEVER)
            return true;
        if (next > until)
            return false;
        assert_true(next >= w->now);
        w->now = next;
        if (arrival == next) {
            size_t i = first(w);
            struct fixture_frame f = w->frames[i];
            w->frames[i] = w->frames[--w->n_frames];
            uet_fep_receive(w->fep[f.to], f.bytes, f.len, w->now);
            free(f.bytes);
        }
        uet_fep_advance(w->fep[0], w->now);
        uet_fep_advance(w->fep[1], w->now);
        assert_true(uet_fep_deadline(w->fep[0]) > w->now);
        assert_true(uet_fep_deadline(w->fep[1]) > w->now);
    }
}
