/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Few points that have many places meet: a greedy cover. What is to be met is a set of two (three)
 * dimensions with a place in each, all of them places of the space.
 */
#include <string.h>

#include "conformance/harness/point.h"
#include "wire/splitmix.h"

enum { TRIES = 32 };

/* Places that are to meet; a dimension that has no part in it has ANY. */
#define ANY 0xff

struct set {
    uint8_t place[UET_N_DIMENSIONS];
};

struct cover {
    const struct uet_space *space;
    struct set sets[UET_MAX_SETS]; /* those that no point has met */
    size_t n;
    uint64_t rng;
};

static bool has(const struct uet_space *space, int d, int place)
{
    return space->places[d] >> place & 1;
}

/* Adds every choice of `left` more dimensions from `d` on, with each of their places. */
static void add_sets(struct cover *c, struct set *set, int d, int left)
{
    if (left == 0 || d == UET_N_DIMENSIONS) {
        if (c->n < UET_MAX_SETS) /* test_points: there are no more in all dimensions */
            c->sets[c->n++] = *set;
        return;
    }
    add_sets(c, set, d + 1, left);
    for (int p = 0; p < UET_MAX_PLACES; p++) {
        if (!has(c->space, d, p))
            continue;
        set->place[d] = (uint8_t)p;
        add_sets(c, set, d + 1, left - 1);
    }
    set->place[d] = ANY;
}

static bool meets(const struct uet_point *point, const struct set *set)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        if (set->place[d] != ANY && set->place[d] != point->place[d])
            return false;
    return true;
}

static size_t gain(const struct cover *c, const struct uet_point *point)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++)
        n += meets(point, &c->sets[i]);
    return n;
}

/* The point is taken: what it meets is met, the rest stays in its order. */
static void take(struct cover *c, const struct uet_point *point)
{
    size_t left = 0;

    for (size_t i = 0; i < c->n; i++)
        if (!meets(point, &c->sets[i]))
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
        uint8_t wanted = c->sets[0].place[d];
        point.place[d] = wanted != ANY ? wanted : draw_place(c, d);
    }
    return point;
}

size_t uet_cover(const struct uet_space *space, enum uet_depth depth, uint64_t seed,
                 struct uet_point *points, size_t max)
{
    struct uet_space own = *space;
    struct cover c;
    struct uet_point ordinary = {0};
    struct set none;
    size_t n = 0;

    c.space = &own;
    c.n = 0;
    c.rng = seed;
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        own.places[d] |= 1;
    memset(&none, ANY, sizeof(none));
    if (depth != UET_DEPTH_SMOKE)
        add_sets(&c, &none, 0, depth == UET_DEPTH_DEEP ? 3 : 2);
    take(&c, &ordinary);
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
    }
    return n;
}
