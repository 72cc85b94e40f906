/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters of NSCC whose 0 stands for a formula (Table 3-82), as they act. */
#ifndef UET_REFIMPL_ACTS_AS_H
#define UET_REFIMPL_ACTS_AS_H

#include "refimpl/fep.h"

/*
 * What the parameter comes to, in its unit: where its 0 stands for a formula, what that makes of
 * this configuration's network and Payload MTU, and MaxWnd no less than one MTU; else its value. 0,
 * or -ENOENT.
 */
int uet_fep_param_acts_as(const struct uet_fep_config *config, const char *name, uint64_t *value);

#endif
