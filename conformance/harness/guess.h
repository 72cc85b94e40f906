/* SPDX-License-Identifier: BSD-2-Clause */
/* What a mistyped word was probably meant to be. */
#ifndef UET_CONFORMANCE_GUESS_H
#define UET_CONFORMANCE_GUESS_H

#include <stddef.h>

/*
 * Letters to add, drop, change or swap with their neighbour to make b of a; case does not count.
 * UINT_MAX for words of more than 96 letters.
 */
unsigned uet_distance(const char *a, const char *b);

/*
 * The name out of n that text was probably meant to be (a few slips away), or NULL. The names are
 * the char pointers found every `stride` bytes from `first`: a table of structures will do.
 */
const char *uet_did_you_mean(const char *text, const char *const *first, size_t stride, size_t n);

#endif
