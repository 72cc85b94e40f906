/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and words of the command line. */
#ifndef UET_TOOLS_UETFEP_NUMBER_H
#define UET_TOOLS_UETFEP_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Which of the names; -1 for none. */
int choice(const char *text, const char *const *names, int n);

/* A whole number without sign, decimal or 0x, to the end of the text, and at most max. */
bool whole(const char *text, uint64_t max, uint64_t *out);

/* A number, or a time with its unit (ns, us, ms, s), which becomes nanoseconds. */
bool quantity(const char *text, uint64_t *out);

#endif
