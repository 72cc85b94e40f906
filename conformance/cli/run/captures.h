/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The folder of --pcap-dir holds the captures of one run. They belong to that run's reports: who
 * writes one of these anew replaces the captures, too; nobody else does.
 */
#ifndef UET_CONFORMANCE_CLI_CAPTURES_H
#define UET_CONFORMANCE_CLI_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes the folder ready for a run that writes these reports (n paths; NULL and "-" are none).
 * Captures of the run whose reports are replaced are removed; with `go_on` (--resume) they stay.
 * False, and one line in why, when it holds captures of another run, or cannot be used.
 */
bool uet_captures_begin(const char *dir, const char *const *reports, size_t n, bool go_on,
                        char *why, size_t size);

#endif
