/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/in_place.h"

#include <stdio.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/run/runner.h"

#define LEFT_OVER "ROB-035" /* what ended leaves nothing behind */

/* As the result of a test that is about to run. */
static struct uet_result fresh(const struct uet_result *like)
{
    return (struct uet_result){.id = like->id,
                               .requirements = like->requirements,
                               .section = like->section,
                               .role = like->role,
                               .contested = like->contested};
}

static void run_again(struct uet_session *session, const struct uet_test *test, unsigned i,
                      struct uet_result *r)
{
    session->goes_on = i > 0;
    session->repeats += i; /* other identifiers than before */
    uet_run_once(session, test, r);
    session->repeats -= i;
    session->goes_on = false;
}

/* The check, as a body of the same test. */
static void serve(struct uet_tc *tc)
{
    uet_serves(tc, LEFT_OVER, UET_FAIL, NULL);
}

static void look_again(struct uet_session *session, const struct uet_test *test, unsigned n,
                       struct uet_result *r)
{
    struct uet_test check = *test;

    check.body = serve;
    session->looks_again = true;
    run_again(session, &check, n, r);
    session->looks_again = false;
}

static void note(struct uet_result *r, unsigned done, unsigned asked, const char *why)
{
    struct uet_finding *f = uet_finding_new(r, LEFT_OVER, true);

    if (!f) { /* it stands in the place of another, which is counted with those not listed */
        f = &r->findings[UET_MAX_FINDINGS - 2];
        *f = (struct uet_finding){.requirement = LEFT_OVER, .note = true};
    }
    snprintf(f->text, sizeof(f->text), UET_NOT_REPEATED "%u of %u times: %.150s", done, asked, why);
}

/* The body passed at first: what it finds now was left behind by those before. */
static void blame(struct uet_result *r, unsigned i, unsigned n)
{
    char first[sizeof(r->message) - 120], where[120];

    snprintf(first, sizeof(first), "%.*s", (int)sizeof(first) - 1, r->message);
    if (r->verdict == UET_FAIL)
        snprintf(r->broken, sizeof(r->broken), "%s", LEFT_OVER);
    if (i < n)
        snprintf(where, sizeof(where),
                 "repetition %u of %u without a reset, the first of which passed (%s)", i + 1, n,
                 LEFT_OVER);
    else
        snprintf(where, sizeof(where), "after %u repetitions without a reset (%s)", n, LEFT_OVER);
    snprintf(r->message, sizeof(r->message), "%s: %.870s", where, first);
}

static void add_times(struct uet_result *r, const struct uet_result *before)
{
    r->seconds += before->seconds;
    r->wall_seconds += before->wall_seconds;
}

/* Why no further body can run after this one, or NULL. */
static const char *why_not_again(const struct uet_session *session, const struct uet_test *test)
{
    if (test->once)
        return test->once;
    return session->spent ? "it sets a parameter that cannot be set back" : NULL;
}

/*
 * session->in_place bodies, then the check that the FEP serves as before (uet_serves). The first
 * body that fails ends it. One that can no longer judge, as the upper tester has no more to give or
 * the FEP is still at what the body before began, ends the repetitions only: a leak shows in the
 * check. The result is that of the last body that passed, with a note when they were fewer than
 * asked for.
 */
static void run_in_place(struct uet_session *session, const struct uet_test *test,
                         struct uet_result *result)
{
    const unsigned n = session->in_place;
    const struct uet_result empty = fresh(result);
    const char *why = NULL;
    char message[sizeof(result->message)];
    unsigned done = 0;

    session->n_services = 0;
    session->spent = false;
    session->held_rto_ns = 0;
    for (unsigned i = 0; i < n && !why; i++) {
        struct uet_result r = fresh(&empty);

        run_again(session, test, i, &r);
        if (i > 0 && !r.cut && (r.verdict == UET_SKIP || r.verdict == UET_INCONC)) {
            snprintf(message, sizeof(message), "%.*s", (int)strcspn(r.message, "\n"), r.message);
            why = message;
            break;
        }
        add_times(&r, result);
        *result = r;
        if (r.verdict != UET_PASS || r.cut) {
            if (i > 0)
                blame(result, i, n);
            return;
        }
        done++;
        why = done < n ? why_not_again(session, test) : NULL;
    }
    if (why)
        note(result, done, n, why);
    if (test->once)
        return; /* it leaves something behind by right */
    struct uet_result check = fresh(&empty);
    const uint32_t reaches = session->reaches; /* the test's, not the check's */
    look_again(session, test, done, &check);
    session->reaches = reaches;
    add_times(result, &check);
    if (check.verdict == UET_PASS || check.verdict == UET_SKIP)
        return;
    add_times(&check, result);
    *result = check;
    blame(result, done, done);
}

void uet_tc_run(struct uet_session *session, const struct uet_test *test, struct uet_result *result)
{
    if (session->in_place > 1)
        run_in_place(session, test, result);
    else
        uet_run_once(session, test, result);
}

bool uet_was_not_repeated(const struct uet_result *result)
{
    for (size_t i = 0; i < result->n_findings; i++) {
        const struct uet_finding *f = &result->findings[i];

        if (f->note && strncmp(f->text, UET_NOT_REPEATED, strlen(UET_NOT_REPEATED)) == 0)
            return true;
    }
    return false;
}
