/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A capture of conforming FEPs, cut anywhere, with packets that the capture missed, swapped or saw
 * twice: no rule fires. The captures are the scenarios of uetgen, and those of a run of the suite
 * against the reference FEP, in which only that FEP is judged: the tester breaks rules on purpose.
 *   test_cut_capture SEEDS [--keys FILE] [SUITE-CAPTURE.pcapng...]
 * Prints what was tried; exit status 1 when a rule fired, with the seed that repeats it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/scenario.h"
#include "port/capture.h"
#include "rules/rules.h"
#include "track/arena.h"
#include "wire/captured/reader.h"

enum { FRAMES = 4000, MAX_VIOLATIONS = 16, PATH_NS = 500 };

struct frame {
    uint8_t *bytes;
    uint32_t len;
    uint64_t time_ns; /* at the middle */
    bool from_initiator, lost;
};

struct capture {
    const char *name;
    struct frame frames[FRAMES];
    size_t n;
    struct uet_ip sender;     /* judged; version 0: everybody */
    struct uet_keyring *keys; /* of what is sealed, or NULL */
    bool ends;                /* it can be seen from the ends too */
};

static struct capture capture;

static struct {
    uint64_t packets, captures, sealed, runs, violations;
} sum;

static uint64_t random_of(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static void add(const uint8_t *bytes, uint32_t len, uint64_t time_ns, bool from_initiator,
                bool lost)
{
    if (capture.n == FRAMES)
        return;
    uint8_t *copy = malloc(len ? len : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, len);
    capture.frames[capture.n++] =
        (struct frame){.bytes = copy, .len = len, .time_ns = time_ns, from_initiator, lost};
}

static void forget(void)
{
    for (size_t i = 0; i < capture.n; i++)
        free(capture.frames[i].bytes);
    uet_keyring_free(capture.keys);
    memset(&capture, 0, sizeof capture);
}

/* ---- one cut capture ---- */

struct cut_capture {
    uint8_t vantage;
    unsigned lose, swap, twice; /* percent */
    size_t from, to;
};

static struct cut_capture make_cut_capture(uint64_t *seed)
{
    static const uint8_t often_middle[4] = {UET_VANTAGE_MIDDLE, UET_VANTAGE_MIDDLE,
                                            UET_VANTAGE_INITIATOR, UET_VANTAGE_TARGET};
    struct cut_capture t = {.vantage = often_middle[random_of(seed) % 4], .to = capture.n};
    if (!capture.ends)
        t.vantage = UET_VANTAGE_MIDDLE;
    if (random_of(seed) % 4) { /* cut at both ends */
        t.from = random_of(seed) % capture.n;
        t.to = t.from + 1 + random_of(seed) % (capture.n - t.from);
    }
    if (t.vantage == UET_VANTAGE_MIDDLE) {
        t.lose = (unsigned)(random_of(seed) % 10) * 10;
        t.swap = (unsigned)(random_of(seed) % 3) * 15;
        t.twice = (unsigned)(random_of(seed) % 3) * 10;
    }
    return t;
}

/* When the capture sees a frame: an end sends earlier than the middle sees it, and gets it later.
 */
static uint64_t seen_at(const struct cut_capture *t, const struct frame *f)
{
    bool sends = t->vantage == (f->from_initiator ? UET_VANTAGE_INITIATOR : UET_VANTAGE_TARGET);
    if (t->vantage == UET_VANTAGE_MIDDLE)
        return f->time_ns;
    return sends ? f->time_ns - PATH_NS : f->time_ns + PATH_NS;
}

static const struct cut_capture *sorting;

static int by_time(const void *a, const void *b)
{
    const struct frame *x = *(const struct frame *const *)a, *y = *(const struct frame *const *)b;
    uint64_t s = seen_at(sorting, x), t = seen_at(sorting, y);
    return s < t ? -1 : s > t ? 1 : x < y ? -1 : x > y;
}

/* The frames that the capture sees, in its order. */
static size_t look(const struct cut_capture *t, uint64_t *seed, const struct frame **out)
{
    size_t n = 0;
    for (size_t i = 0; i < capture.n; i++) {
        const struct frame *f = &capture.frames[i];
        bool arrives = f->from_initiator == (t->vantage == UET_VANTAGE_TARGET);
        if (t->vantage == UET_VANTAGE_MIDDLE || !f->lost || !arrives)
            out[n++] = f;
    }
    sorting = t;
    qsort(out, n, sizeof *out, by_time);
    for (size_t i = 0; i + 1 < n; i++)
        if (random_of(seed) % 100 < t->swap) {
            const struct frame *f = out[i];
            out[i] = out[i + 1];
            out[i + 1] = f;
        }
    return n;
}

static void complain(const struct uet_violation *v, uint64_t seed, const struct cut_capture *t)
{
    sum.violations++;
    if (sum.violations <= 20)
        printf("%s seed %llu, vantage %u, %zu..%zu, lose %u swap %u twice %u: packet %u: %s: %s\n",
               capture.name, (unsigned long long)seed, t->vantage, t->from, t->to, t->lose, t->swap,
               t->twice, v->number, v->requirement, v->message);
}

struct fixture {
    struct uet_track *track;
    struct uet_rules *rules;
};

/* Every other time what is sealed stays so, as for somebody without its key. */
static const struct uet_tracked *track(struct fixture *c, const struct frame *f, uint64_t seed,
                                       uint64_t now_ns)
{
    static uint8_t clear[UET_FRAME_MAX];
    const struct uet_parse_options o = {.protect = UET_PROTECT_AUTO, .lenient = true};
    struct uet_packet p;
    if (!capture.keys || seed % 2)
        return uet_track_add(c->track, f->bytes, f->len, now_ns);
    uet_parse(&p, f->bytes, f->len, &o);
    bool opened = uet_keyring_open(capture.keys, &p, p.len, &o, clear);
    if (!opened && !capture.sender.version) /* the suite's tester seals wrong on purpose, too */
        sum.violations++;
    return uet_track_add_packet(c->track, &p, now_ns);
}

static void judge(struct fixture *c, const struct frame *f, uint64_t seed,
                  const struct cut_capture *t)
{
    struct uet_violation v[MAX_VIOLATIONS];
    const struct uet_tracked *tracked = track(c, f, seed, seen_at(t, f));
    size_t n = tracked ? uet_rules_check(c->rules, tracked, v, MAX_VIOLATIONS) : 0;
    sum.packets++;
    for (size_t i = 0; i < n; i++)
        complain(&v[i], seed, t);
}

static void judge_cut_capture(uint64_t seed)
{
    static const struct frame *seen[FRAMES];
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    const struct cut_capture t = make_cut_capture(&state);
    struct uet_track_arena arena;
    uet_track_arena_init(&arena, 0);
    const struct uet_track_config tc = {.vantage = t.vantage,
                                        .protect = UET_PROTECT_AUTO,
                                        .hash_seed = seed,
                                        .dscp_trimmed =
                                            seed % 2 ? UINT64_C(1) << UET_GEN_DSCP_TRIMMED |
                                                           UINT64_C(1) << UET_GEN_DSCP_LASTHOP
                                                     : 0,
                                        .dscp_trimmed_lasthop = UINT64_C(1) << UET_GEN_DSCP_LASTHOP,
                                        .allocator = uet_track_arena_allocator(&arena)};
    const struct uet_rules_config rc = {
        .vantage = t.vantage, .spec = UET_VERSION_1_0_3, .sender = capture.sender};
    struct fixture c = {.track = uet_track_new(&tc)};
    c.rules = uet_rules_new(&rc, &tc.allocator);
    size_t n = look(&t, &state, seen);
    for (size_t i = t.from; i < t.to && i < n; i++) {
        if (random_of(&state) % 100 < t.lose)
            continue;
        judge(&c, seen[i], seed, &t);
        if (random_of(&state) % 100 < t.twice)
            judge(&c, seen[i], seed, &t);
    }
    sum.runs++;
    uet_track_arena_free(&arena);
}

static void try_seeds(uint64_t seeds)
{
    sum.captures++;
    for (uint64_t seed = 1; capture.n && seed <= seeds; seed++)
        judge_cut_capture(seed);
}

/* ---- captures ---- */

static int take(void *ctx, const struct uet_gen_scene_frame *f)
{
    (void)ctx;
    add(f->bytes, f->len, f->time_ns, f->from_initiator, f->lost);
    return 0;
}

/* Keys that are no secret, for the scenarios that have none of their own. */
#define KEYS                                                                                       \
    "UET_SD sdi=0x000005 key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n"

static struct uet_keyring *keys_of(const char *text)
{
    char err[256] = "";
    struct uet_keyfile *file = uet_keyfile_parse(text, strlen(text), "keys", err, sizeof err);
    struct uet_keyring *ring = file ? uet_keyring_new(file, "keys", err, sizeof err) : NULL;
    uet_keyfile_free(file);
    if (!ring) {
        printf("%s\n", err);
        exit(1);
    }
    return ring;
}

static bool is_sealed(const struct frame *f)
{
    struct uet_packet p;
    return uet_parse(&p, f->bytes, f->len, NULL) == UET_PARSE_SEALED;
}

/* What the middle alters is no longer what a conforming FEP sent. */
static void scenario(const struct uet_gen_scenario *s, uint64_t seeds)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const struct uet_gen_scene_options o = {
            .seed = seed, .ipv6 = seed == 2, .crc = seed == 3, .keys = seed == 4 ? KEYS : NULL};
        struct uet_gen_scene_end end = {0};
        char err[256] = "";
        if (uet_gen_scenario_run(s, &o, take, NULL, &end, err, sizeof err) != 0) {
            printf("%s: %s\n", s->name, err);
            exit(1);
        }
        capture.name = s->name;
        capture.ends = !end.held && !end.doubled;
        const char *keys = uet_gen_scenario_keys(s);
        if (capture.n && is_sealed(&capture.frames[0]))
            capture.keys = keys_of(keys ? keys : KEYS);
        sum.sealed += capture.keys != NULL;
        if (!end.altered)
            try_seeds(seeds);
        forget();
    }
}

static bool is_from(const uint8_t *bytes, size_t len, const struct uet_ip *ip)
{
    struct uet_packet p;
    const struct uet_parse_options o = {.lenient = true};
    uet_parse(&p, bytes, len, &o);
    if (!p.pds && !p.tss)
        return false;
    struct uet_ip src = uet_src_ip(&p);
    return uet_ip_equal(&src, ip);
}

static void suite_capture(const char *path, uint64_t seeds, const char *keys)
{
    struct uet_capture *file;
    struct uet_capture_packet p;
    char err[256];
    if (uet_capture_open(&file, path, err, sizeof err) != 0) {
        printf("%s\n", err);
        exit(1);
    }
    const char *slash = path ? strrchr(path, '/') : NULL;
    capture.name = slash ? slash + 1 : path;
    uet_ip_parse(&capture.sender, "192.0.2.1");
    while (uet_capture_next(file, &p) > 0)
        add(p.data, p.caplen, p.time_ns, is_from(p.data, p.caplen, &capture.sender), false);
    uet_capture_close(file);
    if (keys && !(capture.keys = uet_keyring_read(keys, err, sizeof err))) {
        printf("%s\n", err);
        exit(1);
    }
    sum.sealed += keys != NULL;
    try_seeds(seeds);
    forget();
}

int main(int argc, char **argv)
{
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    if (!seeds) {
        fprintf(stderr, "usage: test_cut_capture SEEDS [--keys FILE] [CAPTURE...]\n");
        return 2;
    }
    for (size_t i = 0; i < uet_gen_n_scenarios(); i++)
        scenario(uet_gen_scenario(i), seeds);
    const char *keys = argc > 3 && strcmp(argv[2], "--keys") == 0 ? argv[3] : NULL;
    for (int i = keys ? 4 : 2; i < argc; i++)
        suite_capture(argv[i], seeds, keys);
    printf("%llu captures (%llu sealed), %llu taps, %llu packets: %llu violations\n",
           (unsigned long long)sum.captures, (unsigned long long)sum.sealed,
           (unsigned long long)sum.runs, (unsigned long long)sum.packets,
           (unsigned long long)sum.violations);
    return sum.violations != 0;
}
