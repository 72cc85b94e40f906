/* SPDX-License-Identifier: BSD-2-Clause */
/* The captures of a cell, judged by the rules. */
#ifndef UET_INTEROP_JUDGE_H
#define UET_INTEROP_JUDGE_H

#include "interop/cell.h"

/*
 * What one endpoint sent, by the capture of its own side: {judged, violations, must, first:
 * {requirement, frame, message}, requirements: [...]}. NULL and a sentence in err.
 */
json_t *judge_side(const struct cell *cell, bool server, char *err, size_t errlen);

#endif
