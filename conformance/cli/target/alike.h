/* SPDX-License-Identifier: BSD-2-Clause */
/* FEPs that are set up as the one of the file is (`alike` of fep.yaml): tests are shared out. */
#ifndef UET_CONFORMANCE_CLI_ALIKE_H
#define UET_CONFORMANCE_CLI_ALIKE_H

#include "conformance/cli/target/target.h"

struct uet_alike {
    struct uet_target *target; /* n of them */
    size_t n;
};

/*
 * Opens the first n that the file of base tells; by what `hello` tells, each must be what the FEP
 * of base is, for the report tells of that one alone. FEPs that know `reset` are reset. 0, or a
 * negative errno and one line in err. To be closed in either case.
 */
int uet_alike_open(struct uet_alike *alike, const struct uet_target *base, size_t n, char *err,
                   size_t errlen);
void uet_alike_close(struct uet_alike *alike);

#endif
