/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What really happened in a cell: the relay's counters, and what the captures hold. A case whose
 * impairment did not happen shows nothing.
 */
#ifndef UET_INTEROP_EVIDENCE_H
#define UET_INTEROP_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this a name that a case may need? */
bool evidence_known(const char *name);

/*
 * Reads the relay's counters (sums of both directions) and one capture, and returns
 * an object of names and numbers; NULL and a sentence in err. The caller owns it.
 */
json_t *evidence_read(const char *counters, const char *capture, char *err, size_t errlen);

#endif
