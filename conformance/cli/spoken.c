/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/spoken.h"

#include <stdio.h>

#include "conformance/cli/target.h"
#include "conformance/harness/session.h"

_Static_assert(sizeof(((struct uet_result *)0)->conversation) == UET_SPOKEN, "it must fit");

const char *uet_spoken(const struct uet_test *test, char *out)
{
    struct uet_session session;
    struct uet_target target = {0};
    struct uet_result r = {.id = test->id};
    char err[512];
    uint8_t reason;
    const char *fep = uet_test_needs(test, "native") ? "ref:native" : "ref";

    out[0] = '\0';
    if (uet_target_open_as(&target, fep, 1, 0, 0, err, sizeof(err)) != 0)
        return out;
    uet_session_default(&session);
    session.dut = &target.dut;
    session.port = target.port;
    session.ut = target.ut;
    session.tells = true;
    if (!uet_tc_skips(&session, test, err, sizeof(err), &reason)) {
        uet_tc_run(&session, test, &r);
        snprintf(out, UET_SPOKEN, "%s", r.conversation);
    }
    uet_target_close(&target);
    return out;
}
