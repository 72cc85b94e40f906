/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/runner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/run/attempt.h"
#include "conformance/harness/run/known.h"
#include "conformance/harness/run/points.h"

static bool builds_on(const struct uet_test *test, const struct uet_test *sanity)
{
    const char *at = test->builds_on, *word;
    size_t len;

    if (test->sanity)
        return false;
    if (!test->builds_on)
        return test->role == sanity->role;
    while ((len = uet_next_word(&at, &word)) > 0)
        if (strlen(sanity->id) == len && memcmp(sanity->id, word, len) == 0)
            return true;
    return false;
}

/* The sanity test that `test` builds on and that did not pass, or NULL. */
static const struct uet_test *broken_ground(const struct uet_session *session,
                                            const struct uet_test *test)
{
    for (size_t i = 0; i < session->n_shaken; i++)
        if (builds_on(test, session->shaken[i]))
            return session->shaken[i];
    return NULL;
}

void uet_note_ground(struct uet_session *session, const struct uet_test *test,
                     const struct uet_result *result)
{
    bool good = result->verdict == UET_PASS || result->verdict == UET_SKIP || result->ground_holds;

    if (!test->sanity || test->by_entry || good || result->cut ||
        session->n_shaken == UET_MAX_GROUND)
        return;
    for (size_t i = 0; i < session->n_shaken; i++)
        if (session->shaken[i] == test)
            return;
    session->shaken[session->n_shaken++] = test;
}

int uet_not_run(const struct uet_run_events *events, const struct uet_test *const *tests, size_t n,
                const char *reason)
{
    int rc = 0;

    for (size_t i = 0; i < n && !rc && events->not_run; i++)
        rc = events->not_run(events->ctx, tests[i], reason);
    return rc;
}

static enum uet_attempt run_one(struct uet_session *session, const struct uet_selection *selection,
                                const struct uet_test *test, const struct uet_run_events *events,
                                struct uet_result *r)
{
    const struct uet_test *ground = selection->no_gate ? NULL : broken_ground(session, test);
    enum uet_attempt how = UET_ATTEMPT_DONE;
    struct uet_session *serving =
        uet_session_for(session, test, r->message, sizeof(r->message), &r->skip_reason);

    if ((!serving || ground) && events->begin)
        events->begin(events->ctx, test);
    if (!serving) {
        r->verdict = UET_SKIP;
    } else if (ground) {
        r->verdict = UET_INCONC;
        snprintf(r->message, sizeof(r->message), "the sanity test %s did not get far enough",
                 ground->id);
    } else {
        r->message[0] = '\0'; /* of what might have been lacking */
        if (serving != session)
            uet_carry_over(serving, session);
        if (serving->set_up)
            snprintf(r->set_up, sizeof(r->set_up), "%s", serving->set_up);
        how = uet_run_points(serving, selection, test, events, r);
        if (serving != session)
            uet_carry_over(session, serving);
    }
    if (r->cut)
        return how;
    uet_note_ground(session, test, r);
    uet_known_compare(session->dut, r);
    return how;
}

static bool stopped(const struct uet_session *session)
{
    return session->stop && *session->stop;
}

int uet_run_tests(struct uet_session *session, const struct uet_selection *selection,
                  const struct uet_test *const *tests, size_t n,
                  const struct uet_run_events *events, struct uet_summary *summary)
{
    enum uet_attempt how = UET_ATTEMPT_DONE;
    size_t i = 0;
    int rc = 0;

    session->ended[0] = '\0';
    while (i < n && !rc && how == UET_ATTEMPT_DONE && !stopped(session)) {
        const struct uet_test *test = tests[i];
        char section[UET_SECTION_MAX];
        struct uet_result r = {.id = test->id,
                               .requirements = test->requirements,
                               .section = uet_test_section(test, section),
                               .role = uet_role_name(test->role),
                               .contested = test->contested};

        how = run_one(session, selection, test, events, &r);
        if (how == UET_ATTEMPT_NOT_RUN && !r.cut)
            break;
        uet_summary_add(summary, &r);
        if (events->done)
            rc = events->done(events->ctx, &r);
        i++;
    }
    if (rc || (how == UET_ATTEMPT_DONE && !stopped(session)))
        return rc;
    rc = uet_not_run(events, tests + i, n - i, stopped(session) ? UET_INTERRUPTED : session->ended);
    return rc ? rc : stopped(session) ? -EINTR : -ECONNABORTED;
}
