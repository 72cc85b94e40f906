/* SPDX-License-Identifier: BSD-2-Clause */
/* The tests in forms for others than the runner. */
#ifndef UET_CONFORMANCE_LIST_PLAN_H
#define UET_CONFORMANCE_LIST_PLAN_H

#include "conformance/harness/test.h"

/* Prints the test plan of these tests, in Markdown, to standard output. */
void uet_plan_markdown(const struct uet_test *const *tests, size_t n);

/* Prints them as a JSON list to standard output. */
void uet_plan_json(const struct uet_test *const *tests, size_t n);

#endif
