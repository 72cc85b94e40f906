/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables 3-21 and 3-22 in libfabric's words. */
#ifndef UT_LIBFABRIC_ATOMICS_H
#define UT_LIBFABRIC_ATOMICS_H

#include "tools/ut_libfabric/fabric.h"
#include "ut/args.h"

/*
 * What "amo" and "datatype" name, into op, datatype and bytes of the operation; *compares: it takes
 * a second operand. False: refused, as libfabric has no such one.
 */
bool atomics_find(struct uet_args *args, struct fabric_operation *operation, bool *compares);

#endif
