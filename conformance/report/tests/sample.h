/* SPDX-License-Identifier: BSD-2-Clause */
/* A small run with one result of every kind, for the tests of the reports. */
#ifndef UET_REPORT_TESTS_SAMPLE_H
#define UET_REPORT_TESTS_SAMPLE_H

#include "conformance/result.h"

#define SAMPLE_N 8

extern const struct uet_run_info sample_info;

/* Fills results[0..SAMPLE_N). */
void sample_results(struct uet_result *results);

#endif
