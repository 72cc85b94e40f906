/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of the specification the tests reach. Requirements that say the same count once. */
#ifndef UET_REPORT_COVERAGE_H
#define UET_REPORT_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/harness/run/runner.h"

/* Sums over the requirements of an area or a section. */
struct uet_cover {
    unsigned requirements;
    unsigned observable; /* on the wire, fully or partly */
    unsigned tested;     /* claimed by a test */
    unsigned killed;     /* and the test has caught a violator of it */
    unsigned contested;  /* of confidence C */
    unsigned deferred;   /* observable, no test claims it, and covered.csv says why */
    unsigned untested;   /* observable, no test claims it, and nothing says why */
    unsigned elsewhere;  /* covered by a test that is not on the wire */
    unsigned free;       /* a permission that no FEP can break: not killed, and never will be */
};

#define UET_MAX_AREAS 8

struct uet_coverage {
    struct {
        const char *area; /* "PDS" */
        struct uet_cover cover;
    } areas[UET_MAX_AREAS];
    struct {
        const char *section;
        struct uet_cover cover;
    } * sections; /* by section number */
    size_t n_areas, n_sections;
    struct uet_cover all;
};

/* What a requirement is counted as. */
struct uet_requirement;
struct uet_requirement_state {
    bool observable, tested, killed, contested, deferred, untested, elsewhere, free;
    bool stale; /* covered.csv says why it has no test or no kill, and it has one */
};

/* Which requirements a self-test has caught a violator of: their canonical rows, by index. */
struct uet_kills {
    bool *killed; /* uet_n_requirements of them; all false when there is no self-test */
};

/* None killed; 0 or -ENOMEM. uet_kills_free() ends it. */
int uet_kills_init(struct uet_kills *kills);
void uet_kills_free(struct uet_kills *kills);

/*
 * Reads the file of `uetconform selftest --json`: {kills: [{requirement, ...}], ...}. 0 or a
 * negative errno with one line in error.
 */
int uet_kills_read(struct uet_kills *kills, const char *path, char *error, size_t size);

/* How one canonical requirement is counted. */
struct uet_requirement_state uet_requirement_state(const struct uet_requirement *r,
                                                   const struct uet_test *const *tests,
                                                   size_t n_tests, const struct uet_kills *kills);

/*
 * Counts the canonical requirements of area ("PDS"; NULL: all) that the selection means. 0 or
 * -ENOMEM; the caller frees with uet_coverage_free.
 */
int uet_coverage_count(struct uet_coverage *coverage, const struct uet_test *const *tests,
                       size_t n_tests, const struct uet_kills *kills, const char *area,
                       const struct uet_selection *selection);
void uet_coverage_free(struct uet_coverage *coverage);

#endif
