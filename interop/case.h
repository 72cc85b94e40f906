/* SPDX-License-Identifier: BSD-2-Clause */
/* The cases of the matrix: cases.yaml. */
#ifndef UET_INTEROP_CASE_H
#define UET_INTEROP_CASE_H

#include "interop/words.h"
#include "interop/yaml.h"

enum { CASE_FILES_MAX = 4096 };

struct interop_case {
    char id[32];
    char section[32]; /* of the specification */
    char shows[200];
    char parameters[120]; /* of Table 3-28, "NAME=VALUE ..." */
    uint8_t operation, mode, direction, encapsulation, ip, protect, restart;
    uint8_t small;              /* enum small */
    struct texts lengths;       /* of the files: "1000", "200 x 64", "64 MiB" */
    struct texts lengths_small; /* in the small matrix; none: the same */
    struct texts plan;          /* of the relay */
    struct texts needs;         /* what must have happened: "lost", "pdcs 4" */
    uint32_t payload_mtu, jobs, timeout_s;
};

struct cases {
    struct interop_case *all;
    size_t n;
};

/* 0; or a negative errno and one line in err. */
int cases_read(struct cases *cases, const char *path, char *err, size_t errlen);
void cases_free(struct cases *cases);

/* Which features an endpoint needs for it: a bit for each enum feature. */
uint32_t case_features(const struct interop_case *c);

/*
 * The lengths of its files: at most CASE_FILES_MAX into out; returns how many, or -1 when one of
 * the texts is no length.
 */
int case_lengths(const struct texts *texts, uint64_t out[CASE_FILES_MAX]);

/* "lost 3" into a name and a number (1 when none is told); false: it is neither. */
bool case_need(const char *text, char name[32], uint64_t *least);

#endif
