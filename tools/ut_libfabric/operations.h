/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UT_LIBFABRIC_OPERATIONS_H
#define UT_LIBFABRIC_OPERATIONS_H

#include "tools/ut_libfabric/verbs.h"
#include "ut/args.h"

/* Every verb that starts an operation, and `wait`. */
void operation_start(struct adapter *a, struct uet_args *args, json_t *reply);
void operations_tell(struct adapter *a, struct uet_args *args, json_t *reply);

#endif
