/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference FEP once for each other set-up (harness/point.h): addresses, encapsulation, MTU. */
#ifndef UET_CONFORMANCE_CLI_SETUPS_H
#define UET_CONFORMANCE_CLI_SETUPS_H

#include "conformance/fep_ref.h"
#include "conformance/harness/point.h"
#include "conformance/harness/session.h"

struct uet_setups {
    struct uet_fep_ref *ref[UET_MAX_PLACES];
    struct uet_dut dut[UET_MAX_PLACES];
    struct uet_session *session[UET_MAX_PLACES]; /* [0] is NULL: the FEP as given */
};

/*
 * Opens them for `fep` (ref or ref:VARIANT) with all else as in the session, which gets them. 0, or
 * a negative errno and one line in err. To be closed in either case, after the session's last test.
 */
int uet_setups_open(struct uet_setups *setups, const char *fep, struct uet_session *session,
                    char *err, size_t errlen);
void uet_setups_close(struct uet_setups *setups);

#endif
