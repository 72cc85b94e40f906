/* SPDX-License-Identifier: BSD-2-Clause */
/* docs/sweep.md: the mutants that survive, each with its reason. */
#ifndef UET_CONFORMANCE_CLI_SWEEP_DOC_H
#define UET_CONFORMANCE_CLI_SWEEP_DOC_H

#include <jansson.h>

/*
 * Writes the page to path ("-": standard output). survivors: objects {header, what, permitted};
 * unsent: names of headers of which no packet was seen. 0, or 2 with a complaint written.
 */
int uet_sweep_doc(const char *path, const json_t *survivors, const json_t *unsent);

#endif
