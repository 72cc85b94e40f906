/* SPDX-License-Identifier: BSD-2-Clause */
/* Saying what is wrong with a line of the packet language. */
#ifndef UETCAT_LINE_H
#define UETCAT_LINE_H

#include "gen/lang.h"

/* The sentence, then the line and carets under the place. Returns UETCAT_USAGE. */
int uetcat_line_error(const char *command, const char *line, const struct uet_gen_error *error);

#endif
