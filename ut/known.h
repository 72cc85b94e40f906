/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of docs/upper-tester.md, as data. */
#ifndef UET_UT_KNOWN_H
#define UET_UT_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

struct uet_ut_verb {
    const char *name;
    bool gives_handle; /* its reply has the handle of what it made or started */
    bool operation;    /* that is an operation, which ends with a completion of this kind */
};

extern const struct uet_ut_verb uet_ut_known[];
extern const size_t uet_ut_n_known;

/* NULL: there is no such verb. */
const struct uet_ut_verb *uet_ut_known_find(const char *name);

/* The version of that page, which `hello` tells as "protocol". */
#define UET_UT_PROTOCOL 1

/* Why a verb that an upper tester does not have is refused. name: what was asked for, or NULL. */
void uet_ut_not_there(const char *name, char *out, size_t size);

#endif
