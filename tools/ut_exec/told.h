/* SPDX-License-Identifier: BSD-2-Clause */
/* What a command is told of a request, and whether it listens to all of it. */
#ifndef UET_UT_EXEC_TOLD_H
#define UET_UT_EXEC_TOLD_H

#include <jansson.h>

#include "tools/ut_exec/template.h"
#include "ut/args.h"

enum { TOLD_MAX = 65536 }; /* bytes of one variable: a longer one is not set */

/*
 * Refuses a request with an argument that is not the default and to which nothing in the command
 * refers: carried out all the same, the operation would be another one than was asked for. Refuses
 * one that lacks an argument which the command takes for granted.
 */
void told_check(struct uet_args *args, const struct template *t, const struct template_verb *v);

/*
 * The bytes of the message or of the memory that the request gives (by data, or by length and
 * seed), as a file; -1: it gives none, or (and args->error is filled) there is no memory for them.
 */
int told_bytes(struct uet_args *args, const struct template_verb *v);

/* Puts the request into the environment, in the child: UT_name of each argument, UT_handle unless
 * handle is 0; of bytes (-1: none) UT_file, UT_length and, where short enough, UT_data. */
void told_environment(const json_t *request, json_int_t handle, int bytes);

#endif
