/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP once for each other set-up (harness/point.h): addresses, encapsulation, MTU. And FEPs
 * that are set up alike. */
#ifndef UET_CONFORMANCE_CLI_SETUPS_H
#define UET_CONFORMANCE_CLI_SETUPS_H

#include "conformance/cli/target/alike.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/point.h"
#include "conformance/harness/session.h"

struct uet_setups {
    struct uet_target target[UET_MAX_PLACES];
    struct uet_session *session[UET_MAX_PLACES]; /* NULL, as [0]: there is no such set-up */

    struct uet_target sealed,
        beside; /* with secure domains (3.7), and with jobs in clear beside those */
    struct uet_session *sealed_session, *beside_session; /* NULL: there is none */
    struct uet_target sealed_at[UET_MAX_PLACES]; /* the sealed one set up otherwise, as above */
    struct uet_session *sealed_session_at[UET_MAX_PLACES];

    struct uet_alike alike; /* others in the set-up of the file, for tests at once (--jobs) */
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
 * A reference FEP gets others for tests of 3.7 that it cannot serve: one in clear a sealed one, and
 * each but one that serves both kinds of jobs one that does. Any other is left alone. After
 * uet_setups_open, if that is called; errors and closing as there.
 */
int uet_setups_open_secure(struct uet_setups *setups, const char *fep,
                           const struct uet_target *base, struct uet_session *session, char *err,
                           size_t errlen);

/*
 * What fep.yaml of base tells of the set-up at that place of UET_OVER_SETUP, for who sends nothing:
 * its session has the port of the session given, and its upper tester, unless the set-up has none.
 * Errors and closing as above.
 */
int uet_setups_tell(struct uet_setups *setups, size_t place, const struct uet_target *base,
                    const struct uet_session *session, char *err, size_t errlen);
void uet_setups_close(struct uet_setups *setups);

#endif
