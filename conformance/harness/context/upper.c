/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the upper tester: what became of one decides whether the test goes on. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/context/context.h"

struct uet_ut *uet_tc_ut(const struct uet_tc *tc)
{
    return tc->session->ut;
}

struct uet_ut *uet_tc_need_ut(struct uet_tc *tc)
{
    if (!tc->session->ut)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "no upper tester (fep.yaml: control)");
    return tc->session->ut;
}

/* No reply, or one that is none: nothing more can be done with this upper tester. */
void uet_tc_answered(struct uet_tc *tc, int rc, const char *verb)
{
    if (rc < 0 && rc != -EPROTO)
        uet_error(tc, "the upper tester does not do `%s`: %s", verb, strerror(-rc));
}

static bool any_pair(const uint32_t *pairs)
{
    bool any = false;

    for (size_t i = 0; i < UET_ATOMIC_OPS; i++)
        any |= pairs[i];
    return any;
}

/*
 * Does fep.yaml claim what the verb starts? `read` it claims of the target alone. Modes, header
 * forms, lengths and addresses are arguments: who refuses those does know the verb.
 */
static bool claims_verb(const struct uet_dut *dut, const char *verb)
{
    static const struct {
        const char *verb;
        uint8_t item;
    } rows[] = {{"send", UET_PICS_SEND},
                {"write", UET_PICS_WRITE},
                {"no_op", UET_PICS_NO_OP},
                {"tagged_send", UET_PICS_TAGGED},
                {"deferrable_send", UET_PICS_DEFERRAL},
                {"rendezvous_send", UET_PICS_RENDEZVOUS}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(rows[i].verb, verb) == 0)
            return dut->claims[rows[i].item];
    return (strcmp(verb, "atomic") == 0 && any_pair(dut->atomics.plain)) ||
           (strcmp(verb, "fetching_atomic") == 0 && any_pair(dut->atomics.fetching));
}

/* A FEP need not know every verb, mode and argument (docs/upper-tester.md): it refuses those. */
void uet_did(struct uet_tc *tc, int rc, const char *verb)
{
    uet_tc_answered(tc, rc, verb);
    if (rc >= 0)
        return;
    char why[sizeof(tc->session->ut->error)];
    snprintf(why, sizeof(why), "%s", tc->session->ut->error);
    bool claimed = claims_verb(uet_tc_dut(tc), verb) && !uet_tc_has_verb(tc, verb);
    if (claimed)
        uet_skip_for(tc, UET_SKIP_CLAIMED, "fep.yaml claims what `%s` starts: %s", verb, why);
    uet_skip_for(tc, UET_SKIP_VERB, "beyond the upper tester: %s", why);
}

bool uet_tc_has_verb(struct uet_tc *tc, const char *verb)
{
    int has = uet_ut_has_verb(tc->session->ut, verb);

    if (has < 0)
        uet_error(tc, "the upper tester does not do `hello`: %s", tc->session->ut->error);
    return has;
}

/* The same where a test refers to what the FEP gave it: who knows the verb may not refuse now. */
void uet_tc_did_still(struct uet_tc *tc, int rc, const char *verb)
{
    char why[sizeof(tc->session->ut->error)];

    if (rc != -EPROTO) {
        uet_tc_answered(tc, rc, verb);
        return;
    }
    snprintf(why, sizeof(why), "%s", tc->session->ut->error);
    if (uet_tc_has_verb(tc, verb))
        uet_error(tc, "the upper tester does not do `%s`: %s", verb, why);
    uet_skip_for(tc, UET_SKIP_VERB, "beyond the upper tester: %s", why);
}

bool uet_tc_reset(struct uet_tc *tc)
{
    struct uet_ut *ut = tc->session->ut;
    int rc = uet_ut_reset(ut);
    char why[sizeof(ut->error)];

    snprintf(why, sizeof(why), "%s", ut->error);
    tc->keeps_state = rc == -EPROTO && uet_ut_has_verb(ut, "reset") == 0;
    snprintf(ut->error, sizeof(ut->error), "%s", why);
    return rc == 0 || tc->keeps_state;
}
