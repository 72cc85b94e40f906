/* SPDX-License-Identifier: BSD-2-Clause */
/* What uetfep tells of its configuration. */
#ifndef UET_TOOLS_UETFEP_SHOW_H
#define UET_TOOLS_UETFEP_SHOW_H

#include <stdbool.h>

#include "refimpl/fep.h"

/*
 * Prints every parameter of Table 3-28 and of this FEP on stdout; returns the exit status. domains:
 * the FEP has secure domains.
 */
int show_params(const struct uet_fep_config *config, bool domains, bool json);

/*
 * Prints which features a FEP of each profile must have, and which this one has then: those that
 * it can have at all, and those that it should. Returns the exit status.
 */
int show_profiles(const struct uet_fep_config *config);

#endif
