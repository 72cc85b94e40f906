/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file that maps verbs to commands (docs/ut-exec.md): a line a verb,
 *
 *   # what stands behind a # at the begin of a line is for people
 *   reset: nicctl reset
 *   write: nicctl write --to "$UT_to" --key "$UT_key" --data "$UT_data" &
 *
 *   ignore: initiator traffic_class
 *
 * A line that ends with a backslash goes on in the next. An & at the end: the command is an
 * operation, which goes on while other verbs come. `ignore` names arguments that make no difference
 * to this FEP.
 */
#ifndef UET_UT_EXEC_TEMPLATE_H
#define UET_UT_EXEC_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "ut/known.h"

enum { TEMPLATE_VERBS = 40 };

struct template_verb {
    const struct uet_ut_verb *verb;
    char *command; /* for sh -uc, without the & */
    bool background;
};

struct template
{
    struct template_verb verbs[TEMPLATE_VERBS];
    size_t n;
    char *ignored; /* names with spaces between, or NULL */
};

/* 0, or -1 and in err one line: file, line, what is wrong. To be freed in either case. */
int template_read(struct template *t, const char *path, char *err, size_t errlen);
void template_free(struct template *t);

/* NULL: there is no command for it. */
const struct template_verb *template_find(const struct template *t, const char *verb);

/* Does `ignore` name this argument? */
bool template_ignores(const struct template *t, const char *argument);

#endif
