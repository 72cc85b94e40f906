/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/list/spoken.h"

#include <stdio.h>

#include "conformance/cli/target/setups.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/run/points.h"
#include "conformance/harness/session.h"

_Static_assert(sizeof(((struct uet_result *)0)->conversation) == UET_SPOKEN, "it must fit");

/* The reference FEP, set up so that the test may run. */
static const char *fep_of(const struct uet_test *test)
{
    return uet_test_needs(test, "native") ? "ref:native" : "ref";
}

/* Some tests skip without automatic rekey; none does with it. */
static const char *secure_of(const struct uet_test *test)
{
    if (uet_test_needs(test, "clear-jobs"))
        return "beside";
    return uet_test_needs(test, "tss") ? "cluster-rekey" : NULL;
}

static bool open_ref(const struct uet_test *test, struct uet_target *target,
                     struct uet_session *session)
{
    char err[512];

    *target = (struct uet_target){0};
    const struct uet_target_as as = {.seed = 1, .secure = secure_of(test)};
    if (uet_target_open_as(target, fep_of(test), &as, err, sizeof(err)) != 0)
        return false;
    uet_session_default(session);
    session->dut = &target->dut;
    session->port = target->port;
    session->ut = target->ut;
    session->tells = true;
    return true;
}

/* At its ordinary point; false where the reference FEP does not let it run. */
static bool run_once(struct uet_session *session, const struct uet_test *test,
                     struct uet_result *result)
{
    char why[512];
    uint8_t reason;

    *result = (struct uet_result){.id = test->id};
    if (uet_tc_skips(session, test, why, sizeof(why), &reason))
        return false;
    uet_tc_run(session, test, result);
    return result->verdict != UET_SKIP;
}

const char *uet_spoken(const struct uet_test *test, char *out)
{
    struct uet_session session;
    struct uet_target target;
    struct uet_result r;

    out[0] = '\0';
    if (!open_ref(test, &target, &session))
        return out;
    run_once(&session, test, &r);
    snprintf(out, UET_SPOKEN, "%s", r.conversation);
    uet_target_close(&target);
    return out;
}

bool uet_spoken_places(const struct uet_test *test, struct uet_space *space)
{
    struct uet_setups setups;
    struct uet_session session;
    struct uet_target target;
    struct uet_result r;
    char err[512];

    *space = (struct uet_space){0};
    if (!open_ref(test, &target, &session))
        return false;
    bool ran = uet_setups_open(&setups, fep_of(test), &target, &session, err, sizeof(err)) == 0 &&
               run_once(&session, test, &r);
    if (ran)
        *space = uet_points_space(&session, test);
    uet_setups_close(&setups);
    uet_target_close(&target);
    return ran;
}
