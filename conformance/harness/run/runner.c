/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/runner.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/run/attempt.h"
#include "conformance/harness/run/known.h"
#include "uet_spec.h"

bool uet_section_in(const char *section, const char *area)
{
    size_t n = strlen(area);

    return strncmp(section, area, n) == 0 && (section[n] == '\0' || section[n] == '.');
}

/* Is `profile` among "AI-Full;HPC"? */
static bool names_profile(const char *list, const char *profile)
{
    size_t n = strlen(profile);

    for (const char *p = list; p && *p; p = strchr(p, ';') ? strchr(p, ';') + 1 : NULL)
        if (strncmp(p, profile, n) == 0 && (p[n] == '\0' || p[n] == ';'))
            return true;
    return false;
}

/* The first requirement decides the profile: the others are by-products. */
static bool in_profile(const struct uet_test *test, const char *profile)
{
    const char *at = test->requirements, *word;
    char id[16];
    size_t n = uet_next_word(&at, &word);

    snprintf(id, sizeof(id), "%.*s", (int)n, word);
    const struct uet_requirement *r = uet_requirement_find(id);
    return !r || strcmp(r->profile, "all") == 0 || strcmp(r->profile, "optional") == 0 ||
           names_profile(r->profile, profile);
}

/* Does one of the words match? No words at all match everything. */
static bool any_word(const char *words, bool (*matches)(const void *what, const char *word),
                     const void *what)
{
    const char *at = words, *word;
    char copy[UET_SELECTION_WORD];
    size_t n;

    while ((n = uet_next_word(&at, &word)) > 0) {
        snprintf(copy, sizeof(copy), "%.*s", (int)n, word);
        if (matches(what, copy))
            return true;
    }
    return !words;
}

static bool stands_in(const void *test, const char *section)
{
    char own[UET_SECTION_MAX];

    return uet_section_in(uet_test_section(test, own), section);
}

static bool is_called(const void *id, const char *glob)
{
    return fnmatch(glob, id, 0) == 0;
}

bool uet_selection_calls(const struct uet_selection *selection, const char *id)
{
    return any_word(selection->glob, is_called, id);
}

/* By its id, or by that of an entry (uet_each_entry). */
static bool test_is_called(const void *test, const char *glob)
{
    const struct uet_test *t = test;
    bool called = is_called(t->id, glob);
    char id[UET_TEST_ID];

    for (int k = 1; t->by_entry && !called && k <= UET_DUT_MAX_MEMORY; k++) {
        snprintf(id, sizeof(id), "%s.%d", t->id, k);
        called = is_called(id, glob);
    }
    return called;
}

static bool claims(const void *test, const char *requirement)
{
    return uet_test_claims(test, requirement);
}

static bool selected(const struct uet_selection *s, const struct uet_test *test)
{
    return any_word(s->section, stands_in, test) && any_word(s->glob, test_is_called, test) &&
           any_word(s->requirement, claims, test) &&
           (!s->profile || strcmp(s->profile, "all") == 0 || in_profile(test, s->profile));
}

static bool of_section(const void *requirement, const char *section)
{
    return uet_section_in(((const struct uet_requirement *)requirement)->section, section);
}

static bool says(const void *requirement, const char *id)
{
    const struct uet_requirement *other = uet_requirement_find(id);

    return other && uet_requirement_canonical(other) == uet_requirement_canonical(requirement);
}

static bool claimed_by(const void *requirement, const char *glob)
{
    const struct uet_selection s = {
        .requirement = ((const struct uet_requirement *)requirement)->id, .glob = glob};
    size_t n;

    free(uet_select(&s, &n));
    return n > 0;
}

bool uet_selects_requirement(const struct uet_selection *s, const struct uet_requirement *r)
{
    return any_word(s->section, of_section, r) && any_word(s->requirement, says, r) &&
           any_word(s->glob, claimed_by, r);
}

const struct uet_test **uet_select(const struct uet_selection *selection, size_t *n)
{
    size_t all, count = 0;
    const struct uet_test **tests = uet_tests_sorted(&all), **out = NULL;

    if (tests)
        out = malloc(all * sizeof(out[0]));
    for (int sanity = 1; out && sanity >= 0; sanity--)
        for (size_t i = 0; i < all; i++)
            if (tests[i]->sanity == (bool)sanity && selected(selection, tests[i]))
                out[count++] = tests[i];
    free(tests);
    if (count == 0) {
        free(out);
        out = NULL;
    }
    *n = count;
    return out;
}

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
                                const struct uet_test *test, struct uet_result *r)
{
    const struct uet_test *ground = selection->no_gate ? NULL : broken_ground(session, test);
    enum uet_attempt how = UET_ATTEMPT_DONE;

    if (uet_tc_skips(session, test, r->message, sizeof(r->message), &r->skip_reason)) {
        r->verdict = UET_SKIP;
    } else if (ground) {
        r->verdict = UET_INCONC;
        snprintf(r->message, sizeof(r->message), "the sanity test %s did not get far enough",
                 ground->id);
    } else {
        r->message[0] = '\0'; /* of what might have been lacking */
        how = uet_attempt(session, test, !selection->no_gate, r);
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

        if (events->begin)
            events->begin(events->ctx, test);
        how = run_one(session, selection, test, &r);
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
