/* SPDX-License-Identifier: BSD-2-Clause */
/* The bytes of a cell: the files that an endpoint sends, and what became of them at the other. */
#ifndef UET_INTEROP_CONTENT_H
#define UET_INTEROP_CONTENT_H

#include "interop/case.h"

/* The files of one direction. The job of i is 1 + i % jobs. */
struct content {
    int n;
    uint64_t lengths[CASE_FILES_MAX];
    uint64_t keys[CASE_FILES_MAX]; /* or match bits */
    uint32_t jobs;
    uint64_t seed;
};

/* A message longer than this holds the pattern that a FEP makes by itself (docs/upper-tester.md).
 */
#define CONTENT_RANDOM_MAX (1u << 20)

enum { CONTENT_NAME = 16 };

/* "0000" */
const char *content_name(char out[CONTENT_NAME], int i);

/* Makes the files in the folder. 0 or a negative errno. */
int content_make(const struct content *content, const char *folder);

/*
 * Takes the keys that a FEP has chosen itself: lines "NAME KEY" of a file, which may be empty.
 * false: a line is none, and is in why.
 */
bool content_take_keys(struct content *content, const char *path, char *why, size_t size);

/* Makes the list of files first to end: "NAME LENGTH JOB KEY" a line; NULL: an empty list. */
int content_list(const struct content *content, const char *path, int first, int end);

/*
 * Compares what was sent with what arrived. by_name: a file must be under its name; otherwise each
 * under some name, as messages without tag have no other. How many of them are not there as they
 * were sent; in why, the first of them.
 */
int content_compare(const struct content *content, const char *sent, const char *arrived,
                    bool by_name, char *why, size_t size);

#endif
