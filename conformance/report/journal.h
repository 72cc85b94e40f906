/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The journal of a run: JSON lines beside the JSON report ("out/report.json" has
 * "out/report.jsonl"), the head first with `planned`, how many tests were to run; then each result
 * as it came, and {"not_run": id, "reason"} for a test that gets none; at the end {"end": null or
 * why before its time}. It appears when the first test begins, in place of one that an earlier run
 * left ("out/report.jsonl.tmp" before), and is removed when the report is finished; one that is
 * there tells of a run that was cut short. uet_run_read reads it, so that a run can go on where it
 * stopped.
 */
#ifndef UET_REPORT_JOURNAL_H
#define UET_REPORT_JOURNAL_H

#include <stddef.h>

/* The journal's path for a report's path, into out (size bytes). */
void uet_journal_path(char *out, size_t size, const char *json_path);

#endif
