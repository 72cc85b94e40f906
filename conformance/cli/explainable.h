/* SPDX-License-Identifier: BSD-2-Clause */
/* What a word on the command line names: a requirement, a test or a section. */
#ifndef UET_CONFORMANCE_CLI_EXPLAINABLE_H
#define UET_CONFORMANCE_CLI_EXPLAINABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/harness/test.h"
#include "spec-map/spec.h"

/* What a word names; one of them is set. */
struct uet_explainable {
    const struct uet_requirement *requirement;
    const struct uet_test *test;
    const char *section;
};

/* The requirement that is meant by "PDS-038", "pds-038" or "pds-38"; NULL: none. */
const struct uet_requirement *uet_requirement_named(const char *word);

/* Finds "PDS-038" (also "pds-38"), the id of a test, or a section. False: nothing has that name. */
bool uet_explainable_find(struct uet_explainable *e, const char *word);

/* The tables that a requirement cites and whose numbers are known; at most max. Returns how many.
 */
size_t uet_requirement_tables(const struct uet_requirement *r,
                              const struct uet_table_number **tables, size_t max);

/* What a confidence letter means. */
const char *uet_confidence_words(char confidence);

#endif
