/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP once for each other set-up (harness/point.h): addresses, encapsulation, MTU. */
#ifndef UET_CONFORMANCE_CLI_SETUPS_H
#define UET_CONFORMANCE_CLI_SETUPS_H

#include "conformance/cli/target/target.h"
#include "conformance/harness/point.h"
#include "conformance/harness/session.h"

struct uet_setups {
    struct uet_target target[UET_MAX_PLACES];
    struct uet_session *session[UET_MAX_PLACES]; /* NULL, as [0]: there is no such set-up */

    struct uet_target beside;           /* with jobs in clear beside those of its domains (3.7) */
    struct uet_session *beside_session; /* NULL: there is none */
};

/*
 * Opens them with all else as in the session of base, which gets them: of the reference FEP each
 * that there is (fep: ref or ref:VARIANT), of another those that its fep.yaml tells. 0, or a
 * negative errno and one line in err. To be closed in either case, after the session's last test
 * and before base.
 */
int uet_setups_open(struct uet_setups *setups, const char *fep, const struct uet_target *base,
                    struct uet_session *session, char *err, size_t errlen);

/*
 * A reference FEP where all is sealed gets one beside it that serves both kinds of jobs; any other
 * is left alone. After uet_setups_open, if that is called; errors and closing as there.
 */
int uet_setups_open_beside(struct uet_setups *setups, const char *fep,
                           const struct uet_target *base, struct uet_session *session, char *err,
                           size_t errlen);
void uet_setups_close(struct uet_setups *setups);

#endif
