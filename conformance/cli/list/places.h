/* SPDX-License-Identifier: BSD-2-Clause */
/* The places of tests (harness/point.h), for a person. */
#ifndef UET_CLI_PLACES_H
#define UET_CLI_PLACES_H

#include "conformance/harness/point.h"

/*
 * Prints the dimensions with these places beside the ordinary one, a line each and set in by so
 * many columns; NULL: all of them. A dimension without such a place is left out.
 */
void uet_places_print(const struct uet_space *space, int indent);

#endif
