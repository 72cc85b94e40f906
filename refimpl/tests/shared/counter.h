/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UET_REFIMPL_TESTS_COUNTER_H
#define UET_REFIMPL_TESTS_COUNTER_H

#include "refimpl/fep.h"

/* A counter by its name; the test fails when there is none of it. */
uint64_t counter(const struct uet_fep *fep, const char *name);

#endif
