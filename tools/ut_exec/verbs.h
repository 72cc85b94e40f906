/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper tester that a template makes of commands. */
#ifndef UET_UT_EXEC_VERBS_H
#define UET_UT_EXEC_VERBS_H

#include <jansson.h>

#include "tools/ut_exec/command.h"
#include "tools/ut_exec/template.h"

enum { ADAPTER_OPERATIONS = 64 }; /* under way at once */

struct operation {
    struct command command;
    const struct uet_ut_verb *verb; /* NULL: the place is free */
    json_int_t handle;
};

struct adapter {
    const struct template *template;
    int timeout_ms; /* for a command that is no operation */
    json_int_t next_handle;
    struct operation operations[ADAPTER_OPERATIONS];
    json_t *ended; /* completions that `wait` has not taken yet */
};

/* The reply to a request: a new object, or NULL without memory. For uet_ut_server_poll. */
json_t *adapter_handle(void *adapter, json_t *request);

/* Ends what is under way. */
void adapter_end(struct adapter *adapter);

#endif
