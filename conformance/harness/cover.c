/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Few points that have many places meet: a greedy cover. What is to be met is a set of two (three)
 * dimensions with a place in each, all of them places of the space.
 */
#include <assert.h>
#include <string.h>

#include "conformance/harness/point.h"
#include "wire/splitmix.h"

enum { TRIES = 32 };

/* A point, or a part of one, as a number: a hexadecimal digit for each dimension. One compare then
 * tells whether places meet. */
static_assert(UET_N_DIMENSIONS <= 16 && UET_MAX_PLACES <= 16, "a digit a dimension");

#define DIGIT(d, value) ((uint64_t)(value) << 4 * (d))

/* Places that are to meet. */
struct set {
    uint64_t in;     /* 0xf in the digit of each dimension that has part in it */
    uint64_t places; /* 0 in all others */
};

struct cover {
    const struct uet_space *space;
    struct set sets[UET_MAX_SETS]; /* those that no point has met */
    size_t n;
    /* Where those stand whose lowest dimension has that place: beside each other (add_sets). */
    struct {
        size_t begin, end;
    } run[UET_N_DIMENSIONS][UET_MAX_PLACES];
    uint64_t rng;
};

static bool has(const struct uet_space *space, int d, int place)
{
    return space->places[d] >> place & 1;
}

/* Adds every choice of `left` more dimensions from `d` on, with each of their places. */
static void add_sets(struct cover *c, struct set set, int d, int left)
{
    if (left == 0 || d == UET_N_DIMENSIONS) {
        if (c->n < UET_MAX_SETS) /* test_points: there are no more in all dimensions */
            c->sets[c->n++] = set;
        return;
    }
    add_sets(c, set, d + 1, left);
    for (int p = 0; p < UET_MAX_PLACES; p++)
        if (has(c->space, d, p))
            add_sets(c,
                     (struct set){.in = set.in | DIGIT(d, 0xf), .places = set.places | DIGIT(d, p)},
                     d + 1, left - 1);
}

static uint64_t packed(const struct uet_point *point)
{
    uint64_t places = 0;

    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        places |= DIGIT(d, point->place[d]);
    return places;
}

static bool meets(uint64_t point, const struct set *set)
{
    return ((point ^ set->places) & set->in) == 0;
}

/* Only sets that agree with the point in their lowest dimension are looked at: a run makes some
 * hundred million compares otherwise. */
static size_t gain(const struct cover *c, const struct uet_point *point)
{
    uint64_t places = packed(point);
    size_t n = 0;

    for (int d = 0; d < UET_N_DIMENSIONS; d++) {
        const size_t end = c->run[d][point->place[d]].end;

        for (size_t i = c->run[d][point->place[d]].begin; i < end; i++)
            n += meets(places, &c->sets[i]);
    }
    return n;
}

static void note_runs(struct cover *c)
{
    memset(c->run, 0, sizeof(c->run));
    for (size_t i = 0; i < c->n; i++) {
        int d = __builtin_ctzll(c->sets[i].in) / 4;
        size_t place = c->sets[i].places >> 4 * d & 0xf;

        if (c->run[d][place].end == 0)
            c->run[d][place].begin = i;
        c->run[d][place].end = i + 1;
    }
}

/* The point is taken: what it meets is met, the rest stays in its order. */
static void take(struct cover *c, const struct uet_point *point)
{
    uint64_t places = packed(point);
    size_t left = 0;

    for (size_t i = 0; i < c->n; i++)
        if (!meets(places, &c->sets[i]))
            c->sets[left++] = c->sets[i];
    c->n = left;
}

static uint8_t draw_place(struct cover *c, int d)
{
    for (;;) {
        uint8_t p = (uint8_t)(uet_splitmix64(&c->rng) % UET_MAX_PLACES);

        if (has(c->space, d, p))
            return p;
    }
}

/* A point that meets the first set that is still open, drawn at random in all else. */
static struct uet_point candidate(struct cover *c)
{
    struct uet_point point = {0};

    for (int d = 0; d < UET_N_DIMENSIONS; d++) {
        const struct set *open = &c->sets[0];

        if (open->in & DIGIT(d, 0xf))
            point.place[d] = (uint8_t)(open->places >> 4 * d & 0xf);
        else
            point.place[d] = draw_place(c, d);
    }
    return point;
}

size_t uet_cover(const struct uet_space *space, enum uet_depth depth, uint64_t seed,
                 const struct uet_point *met, size_t n_met, struct uet_point *points, size_t max)
{
    struct uet_space own = *space;
    struct cover c;
    struct uet_point ordinary = {0};
    size_t n = 0;

    c.space = &own;
    c.n = 0;
    c.rng = seed;
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        own.places[d] |= 1;
    if (depth != UET_DEPTH_SMOKE)
        add_sets(&c, (struct set){0}, 0, depth == UET_DEPTH_DEEP ? 3 : 2);
    take(&c, &ordinary);
    for (size_t i = 0; i < n_met; i++)
        take(&c, &met[i]);
    note_runs(&c);
    for (; n < max && c.n > 0; n++) {
        size_t most = 0;

        for (int i = 0; i < TRIES; i++) {
            struct uet_point point = candidate(&c);
            size_t own_gain = gain(&c, &point);

            if (own_gain > most) {
                most = own_gain;
                points[n] = point;
            }
        }
        take(&c, &points[n]);
        note_runs(&c);
    }
    return n;
}
