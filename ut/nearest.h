/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that somebody who wrote a wrong one may have meant. Needs nothing but libc. */
#ifndef UET_UT_NEAREST_H
#define UET_UT_NEAREST_H

#include <stddef.h>

#define UET_NEAREST_NAME 96

struct option; /* of getopt_long */

/* The best three so far. */
struct uet_nearest {
    const char *wrong;
    char names[3][UET_NEAREST_NAME];
    unsigned distances[3];
    size_t n;
};

/* wrong must outlive the search. */
void uet_nearest_begin(struct uet_nearest *near, const char *wrong);

/* A name that would have been right. Copied; names that are too far away are not kept. */
void uet_nearest_offer(struct uet_nearest *near, const char *name);

/* Offers "--NAME" of every option, compared without dashes; the last one has no name. */
void uet_nearest_offer_options(struct uet_nearest *near, const struct option *options);

/* Appends " (did you mean a, b or c?)" to the text, or nothing when no name is near. */
void uet_nearest_append(const struct uet_nearest *near, char *text, size_t cap);

/*
 * All of it for a table: writes " (did you mean a?)", or an empty text, to `text`. The names are
 * the n char pointers found every `stride` bytes from `first`: a table of structures will do.
 * Returns text.
 */
const char *uet_nearest_in(char *text, size_t cap, const char *wrong, const char *const *first,
                           size_t stride, size_t n);

/* The least number of letters to insert, delete, change or swap with the next; case aside. */
unsigned uet_edit_distance(const char *a, const char *b);

#endif
