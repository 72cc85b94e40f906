/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What parameters come to: those of NSCC whose 0 stands for a formula (Table 3-82), and those of an
 * algorithm that is switched off.
 */
#ifndef UET_REFIMPL_ACTS_AS_H
#define UET_REFIMPL_ACTS_AS_H

#include "refimpl/fep.h"

/*
 * What the parameter comes to, in its unit: where its 0 stands for a formula, what that makes of
 * this configuration's network and Payload MTU, and MaxWnd no less than one MTU; else its value. 0,
 * or -ENOENT.
 */
int uet_fep_param_acts_as(const struct uet_fep_config *config, const char *name, uint64_t *value);

/*
 * Has the parameter no effect in this configuration, as it belongs to what is switched off? Then
 * true, and the text says what it needs besides: "ARC=1 and RCCC=1". Values may change later.
 * domains: the FEP has secure domains (3.7), which are no part of the configuration.
 */
struct uet_fep_needs {
    char text[96];
};
bool uet_fep_param_needs(const struct uet_fep_config *config, bool domains, const char *name,
                         struct uet_fep_needs *out);

#endif
