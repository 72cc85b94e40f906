/* SPDX-License-Identifier: BSD-2-Clause */
/* What uetfep tells of its configuration. */
#ifndef UET_TOOLS_UETFEP_SHOW_H
#define UET_TOOLS_UETFEP_SHOW_H

#include <stdbool.h>

#include "refimpl/fep.h"

/* Prints every parameter of Table 3-28 and of this FEP on stdout; returns the exit status. */
int show_params(const struct uet_fep_config *config, bool json);

#endif
