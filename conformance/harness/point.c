/* SPDX-License-Identifier: BSD-2-Clause */
/* The dimensions, as data, and the names of points. */
#include "conformance/harness/point.h"

#include <stdio.h>
#include <string.h>

#include "conformance/harness/test.h"

/*
 * What is done at a place stands beside what it alters: `grep UET_OVER_PSN`. A requirement that
 * fixes what a dimension varies takes the test out of it (.not_over).
 */
const struct uet_dimension uet_dimensions[UET_N_DIMENSIONS] = {
    [UET_OVER_PSN] =
        {.name = "psn",
         .what = "Start_PSN of the tester's PDCs (PSNs are numbers modulo 2^32, 3.5.8.2)",
         .unless_said = true,
         .places = {{"random", "a random one", NULL, 0},
                    {"wrap", "2^32 - 1: the second packet has PSN 0", NULL, 0xffffffff},
                    {"zero", "0: CACK_PSN and CLEAR_PSN begin at 2^32 - 1", NULL, 0},
                    {"wrap-later", "2^32 - 3: the fourth packet has PSN 0", NULL, 0xfffffffd},
                    {"half", "2^31 - 1: the second packet has the highest bit", NULL, 0x7fffffff}}},
};

const char *const uet_depth_names[] = {"smoke", "default", "deep", NULL};

size_t uet_n_places(const struct uet_dimension *dimension)
{
    size_t n = 0;

    while (n < UET_MAX_PLACES && dimension->places[n].name)
        n++;
    return n;
}

const struct uet_place *uet_point_place(const struct uet_point *point, enum uet_dimension_id d)
{
    return &uet_dimensions[d].places[point->place[d]];
}

bool uet_point_is_ordinary(const struct uet_point *point)
{
    static const struct uet_point ordinary;

    return memcmp(point, &ordinary, sizeof(ordinary)) == 0;
}

const char *uet_point_name(const struct uet_point *point, char *out)
{
    size_t at = 0;

    snprintf(out, UET_POINT_NAME, "%s", UET_POINT_ORDINARY);
    for (int d = 0; d < UET_N_DIMENSIONS && at < UET_POINT_NAME; d++)
        if (point->place[d])
            at += (size_t)snprintf(out + at, UET_POINT_NAME - at, "%s%s", at ? "," : "",
                                   uet_point_place(point, (enum uet_dimension_id)d)->name);
    return out;
}

/* Puts the point to the place of that name; false where there is none, or its dimension has one. */
static bool go_to(struct uet_point *point, const char *name, size_t n)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++) {
            const char *own = uet_dimensions[d].places[p].name;

            if (strlen(own) != n || memcmp(own, name, n) != 0)
                continue;
            if (point->place[d])
                return false;
            point->place[d] = (uint8_t)p;
            return true;
        }
    return false;
}

bool uet_point_find(const char *name, struct uet_point *point, const char **wrong, size_t *n)
{
    *point = (struct uet_point){0};
    if (strcmp(name, UET_POINT_ORDINARY) == 0)
        return true;
    for (*wrong = name;; *wrong += *n + 1) {
        *n = strcspn(*wrong, ",");
        if (!go_to(point, *wrong, *n))
            return false;
        if (!(*wrong)[*n])
            return true;
    }
}

static bool is_among(const char *words, const char *name)
{
    const char *at = words, *word;
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0)
        if (strlen(name) == n && memcmp(word, name, n) == 0)
            return true;
    return false;
}

bool uet_test_goes_over(const struct uet_test *test, enum uet_dimension_id dimension)
{
    const struct uet_dimension *d = &uet_dimensions[dimension];

    if (test->sanity || is_among(test->not_over, d->name))
        return false;
    return d->unless_said || is_among(test->over, d->name);
}

bool uet_test_goes_to(const struct uet_test *test, const struct uet_point *point)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        if (point->place[d] && !uet_test_goes_over(test, (enum uet_dimension_id)d))
            return false;
    return true;
}
