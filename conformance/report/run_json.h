/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run as JSON, in the shape that stays stable:
 *   {fep, spec, profile, seed, version, summary:{pass,fail,inconc,error,skip,known_fail,
 *    unexpected_pass}, tests:[{id, requirements:[], section, role, verdict, findings:[], seconds,
 *    message, pcap, frame}]}
 * and beside those in the head: fep_name, started, ended, strict, slow, time_scale, conditions
 * ({"claims": {"rud": "yes"}, ...}, what the run rests on; unused.h has the one that is no text),
 * and whether the run came to its end: complete, planned, ran (tests with a verdict that is no
 * skip), cut_short (why, or null), not_run:
 * [{id, reason}]. In a test: contested, note in a finding that judges nothing, wall_seconds, repeat
 * (the command), skip_reason of a skip, points (where it ran) and points_out_of_time (how
 * many more a lack of time left out; in the head of all tests), as_in of a failure whose cause
 * another test has told. An entry whose id begins with "rule." is no test: a rule that was broken
 * outside a test's subject. What the message tells in words stands there by itself, too, each key
 * only where it is known: sent:{frame, packet}, the test's last packet before the verdict;
 * required:{requirement, section, level, text}, the requirement that was not met; came:{frame,
 * packet}, the packet that the verdict is about. A test's verdict is its label (run.h), so that the
 * verdicts add up to the summary.
 */
#ifndef UET_REPORT_RUN_JSON_H
#define UET_REPORT_RUN_JSON_H

#include <jansson.h>

#include "conformance/report/run.h"

/* New references, or NULL when memory is out. Text must be clean (run.h copies it clean). */
json_t *uet_json_info(const struct uet_run_info *info);
json_t *uet_json_not_run(const struct uet_not_run *not_run);
json_t *uet_json_summary(const struct uet_summary *summary);
json_t *uet_json_result(const struct uet_run_info *info, const struct uet_result *result);
json_t *uet_json_run(const struct uet_run *run);

/*
 * Reads a whole JSON file. NULL with one line in error: file, line, what is wrong. The file's
 * top must be an object.
 */
json_t *uet_json_read(const char *path, char *error, size_t size);

/*
 * Writes a document ("-": standard output), whole or not at all, and frees it. doc NULL stands for
 * memory that is out. 0 or a negative errno with one line in error.
 */
int uet_json_write(json_t *doc, const char *path, char *error, size_t size);

/* "PDS-029 PDS-025" as a list; NULL: none. A new reference, or NULL when memory is out. */
json_t *uet_json_words(const char *text);

#endif
