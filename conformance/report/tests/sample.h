/* SPDX-License-Identifier: BSD-2-Clause */
/* A small run with one result of every kind, and what else the tests of the reports share. */
#ifndef UET_REPORT_TESTS_SAMPLE_H
#define UET_REPORT_TESTS_SAMPLE_H

#include "conformance/result.h"

#define SAMPLE_N 8

extern const struct uet_run_info sample_info;

/* Fills results[0..SAMPLE_N). */
void sample_results(struct uet_result *results);

/* The text of a file, which must not be empty; the caller frees it. */
char *read_file(const char *path);

/* Fails the test unless the part stands there; unless it does not. */
void has(const char *text, const char *part);
void has_not(const char *text, const char *part);

#endif
