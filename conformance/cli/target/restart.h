/* SPDX-License-Identifier: BSD-2-Clause */
/* Starting the FEP anew by the command of fep.yaml (restart, restart_time). */
#ifndef UET_CONFORMANCE_CLI_RESTART_H
#define UET_CONFORMANCE_CLI_RESTART_H

#include "conformance/cli/target/setups.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/session.h"

struct uet_restart {
    struct uet_target *target; /* with a dut.restart that is not empty */
    struct uet_session *session;
    struct uet_setups *setups; /* its other set-ups; NULL: none */
};

/*
 * For uet_session.restart; ctx is a struct uet_restart. Runs the command by /bin/sh with the
 * environment of the run, in a session of its own (what it starts in the background lives on), its
 * output on standard error; it is ended after restart_time, or when the session is stopped
 * (Ctrl-C). Then connects to the upper tester, if there is one, which has the rest of that time to
 * come up and must be that of the same FEP. 0, or a negative errno and one line in why.
 */
int uet_restart(void *ctx, char *why, size_t size);

/*
 * Hangs up and connects anew to the upper tester, if there is one: it has that time to answer and
 * must be that of the same FEP. when: what the line in why begins with. Errors as above.
 */
int uet_reconnect(struct uet_target *target, struct uet_session *session, const char *when,
                  int64_t patience_ms, char *why, size_t size);

#endif
