/* SPDX-License-Identifier: BSD-2-Clause */
/* The names that somebody who wrote a wrong one may have meant. */
#ifndef UET_GEN_NEAREST_H
#define UET_GEN_NEAREST_H

#include <stddef.h>

#define GEN_NEAREST_NAME 64

/* The best three so far. */
struct gen_nearest {
    const char *wrong;
    char names[3][GEN_NEAREST_NAME];
    unsigned distances[3];
    size_t n;
};

/* wrong must outlive the search. */
void gen_nearest_begin(struct gen_nearest *near, const char *wrong);

/* A name that would have been right. Copied; names that are too far away are not kept. */
void gen_nearest_offer(struct gen_nearest *near, const char *name);

/* Appends "; did you mean a, b or c?" to the text, or nothing when no name is near. */
void gen_nearest_append(const struct gen_nearest *near, char *text, size_t cap);

/* The least number of letters to insert, delete, change or swap with the next; case aside. */
unsigned gen_edit_distance(const char *a, const char *b);

#endif
