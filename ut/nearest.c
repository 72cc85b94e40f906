/* SPDX-License-Identifier: BSD-2-Clause */
#include "ut/nearest.h"

#include <ctype.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LETTERS UET_NEAREST_NAME /* more of a name are not compared */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

static int lower(const char *s, size_t i)
{
    return tolower((unsigned char)s[i]);
}

/* Optimal string alignment: rows before, last and now of the usual table. */
unsigned uet_edit_distance(const char *a, const char *b)
{
    unsigned rows[3][LETTERS + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    size_t na = strnlen(a, LETTERS), nb = strnlen(b, LETTERS);
    for (size_t j = 0; j <= nb; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned change = lower(a, i - 1) != lower(b, j - 1);
            now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + change);
            if (i > 1 && j > 1 && lower(a, i - 1) == lower(b, j - 2) &&
                lower(a, i - 2) == lower(b, j - 1) && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
        unsigned *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[nb];
}

void uet_nearest_begin(struct uet_nearest *near, const char *wrong)
{
    memset(near, 0, sizeof *near);
    near->wrong = wrong;
}

/* Letters that both begin with, after the layer's "pds." or "ses.". */
static size_t same_beginning(const char *a, const char *b)
{
    const char *dot = strchr(a, '.');
    size_t layer = dot ? (size_t)(dot + 1 - a) : 0, n = 0;
    while (a[n] && lower(a, n) == lower(b, n))
        n++;
    return n > layer ? n - layer : 0;
}

/*
 * A name that begins or ends as the wrong one is near, however long it is. Names whose lengths
 * alone put them too far away are not compared letter by letter.
 */
static unsigned distance_to(const char *wrong, const char *name)
{
    size_t w = strlen(wrong), n = strlen(name), gap = n > w ? n - w : w - n;
    unsigned near = 1 + (unsigned)w / 3;
    unsigned d = gap > near ? near + 1 : uet_edit_distance(wrong, name);
    bool part = w >= 3 && n > w &&
                (strncasecmp(name, wrong, w) == 0 || strcasecmp(name + n - w, wrong) == 0);
    if (part && d > 1)
        return 2;
    return d > near && same_beginning(wrong, name) >= 5 ? near : d;
}

/* Keeps the name when it is near enough to what is wrong. */
static void keep(struct uet_nearest *near, const char *name, unsigned d, size_t letters)
{
    size_t cap = sizeof near->names / sizeof *near->names;
    if (d > 1 + letters / 3 || strlen(name) >= UET_NEAREST_NAME)
        return;
    for (size_t i = 0; i < near->n; i++)
        if (strcmp(near->names[i], name) == 0)
            return;
    size_t at = near->n;
    while (at > 0 && near->distances[at - 1] > d)
        at--;
    if (at == cap)
        return;
    size_t moved = near->n < cap ? near->n - at : cap - 1 - at;
    memmove(near->names[at + 1], near->names[at], moved * UET_NEAREST_NAME);
    memmove(&near->distances[at + 1], &near->distances[at], moved * sizeof *near->distances);
    memcpy(near->names[at], name, strlen(name) + 1);
    near->distances[at] = d;
    near->n += near->n < cap;
}

void uet_nearest_offer(struct uet_nearest *near, const char *name)
{
    keep(near, name, distance_to(near->wrong, name), strlen(near->wrong));
}

void uet_nearest_offer_options(struct uet_nearest *near, const struct option *options)
{
    const char *bare = near->wrong + strspn(near->wrong, "-");
    char name[UET_NEAREST_NAME + 2];
    for (; options->name; options++) {
        snprintf(name, sizeof name, "--%s", options->name);
        keep(near, name, distance_to(bare, options->name), strlen(bare));
    }
}

void uet_nearest_append(const struct uet_nearest *near, char *text, size_t cap)
{
    size_t at = strlen(text), n = 0;
    /* Only the best, and those that are as near or one letter further. */
    while (n < near->n && near->distances[n] <= near->distances[0] + 1)
        n++;
    for (size_t i = 0; i < n && at < cap; i++) {
        const char *before = i == 0 ? " (did you mean " : i + 1 == n ? " or " : ", ";
        int wrote =
            snprintf(text + at, cap - at, "%s%s%s", before, near->names[i], i + 1 == n ? "?)" : "");
        at += wrote > 0 ? (size_t)wrote : 0;
    }
}

const char *uet_nearest_in(char *text, size_t cap, const char *wrong, const char *const *first,
                           size_t stride, size_t n)
{
    struct uet_nearest near;
    uet_nearest_begin(&near, wrong);
    for (size_t i = 0; i < n; i++)
        uet_nearest_offer(&near,
                          *(const char *const *)(const void *)((const char *)first + i * stride));
    text[0] = '\0';
    uet_nearest_append(&near, text, cap);
    return text;
}
