/* SPDX-License-Identifier: BSD-2-Clause */
/* What the programs say of an option that getopt_long does not take. */
#ifndef UET_TOOLS_BAD_OPTION_H
#define UET_TOOLS_BAD_OPTION_H

#include <getopt.h>

/*
 * Writes one line to standard error for a result '?' (with the options that may be meant) or ':' of
 * getopt_long, whose own complaints are off (opterr 0, ':' first in its short options). who: the
 * program and its command, as typed. Returns 2, the exit status for usage.
 */
int uet_bad_option(const char *who, int result, char *const *argv, const struct option *options);

#endif
