/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/attempt.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"
#include "ut/verbs.h"

/* Without which no test can be judged. */
enum lost { NOTHING, LINK, CONTROL, FEP };

static const char *const lost_names[] = {[CONTROL] = "the upper tester", [FEP] = "the FEP"};

struct uet_result uet_run_aside(struct uet_session *session, const struct uet_test *test)
{
    const char *pcap_dir = session->pcap_dir;
    struct uet_result r = {.id = test->id,
                           .requirements = test->requirements,
                           .role = uet_role_name(test->role),
                           .contested = test->contested};

    session->pcap_dir = NULL; /* the capture of the first try stays */
    session->repeats++;
    uet_tc_run(session, test, &r);
    session->repeats--;
    session->pcap_dir = pcap_dir;
    return r;
}

/* ---- the tester's own link ---- */

#define LINK_WAIT_NS UINT64_C(10000000000) /* a switch that comes up takes seconds */
#define LOOK_MS      50

static const char *link_words(int rc)
{
    return rc == -ENODEV     ? "is gone"
           : rc == -ENETDOWN ? "is down"
           : rc == -ENOLINK  ? "has no carrier"
           : rc == -EMSGSIZE ? "has a smaller MTU than at the begin"
                             : "was down meanwhile";
}

static bool interrupted(const struct uet_session *session)
{
    return session->stop && *session->stop;
}

/* Waits until the link is there; 0, or what uet_port_check says of it after LINK_WAIT_NS. */
static int wait_for_link(const struct uet_session *session)
{
    uint64_t until_ns = uet_wall_ns() + LINK_WAIT_NS;
    int rc;

    while ((rc = uet_port_check(session->port)) != 0 && rc != -ENETRESET &&
           uet_wall_ns() < until_ns && !interrupted(session))
        poll(NULL, 0, LOOK_MS);
    return rc == -ENETRESET ? 0 : rc;
}

/* ---- is everything still there? ---- */

/* The sanity test of a role that can run here, or NULL. */
static const struct uet_test *sanity_of(const struct uet_session *session,
                                        const struct uet_test *const *tests, size_t n, uint8_t role)
{
    char why[200];
    uint8_t reason;

    for (size_t i = 0; i < n; i++)
        if (tests[i]->sanity && !tests[i]->by_entry && tests[i]->role == role &&
            !uet_tc_skips(session, tests[i], why, sizeof(why), &reason))
            return tests[i];
    return NULL;
}

/*
 * Does anything at all come back from the FEP? Its verdict is no matter here. Where no sanity test
 * can run, nobody knows: yes.
 */
static bool answers(struct uet_session *session)
{
    static const uint8_t roles[] = {UET_ROLE_TARGET, UET_ROLE_INITIATOR};
    const struct uet_test **tests;
    bool asked = false, heard = false;
    size_t n;

    tests = uet_tests_sorted(&n);
    for (size_t i = 0; i < sizeof(roles) && !heard; i++) {
        const struct uet_test *sanity = sanity_of(session, tests, n, roles[i]);

        if (!sanity)
            continue;
        struct uet_result r = uet_run_aside(session, sanity);
        asked = true;
        heard = session->heard > 0 || r.cut;
    }
    free(tests);
    return heard || !asked;
}

static bool control_is_lost(const struct uet_session *session)
{
    return session->ut && session->ut->lost;
}

static enum lost what_is_lost(struct uet_session *session, const struct uet_result *r, bool look)
{
    bool suspicious = session->heard == 0 || (r->verdict != UET_PASS && !session->last_word);

    if (uet_port_check(session->port) != 0)
        return LINK;
    if (control_is_lost(session))
        return CONTROL;
    if (!look || r->cut || r->verdict == UET_SKIP || !suspicious || answers(session))
        return NOTHING;
    if (uet_port_check(session->port) != 0)
        return LINK;
    return control_is_lost(session) ? CONTROL : FEP;
}

/* ---- what is told of it ---- */

static void append(struct uet_result *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(struct uet_result *r, const char *format, ...)
{
    size_t at = strlen(r->message);
    va_list args;

    va_start(args, format);
    vsnprintf(r->message + at, sizeof(r->message) - at, format, args);
    va_end(args);
}

/* The first try failed and the second did not: nobody knows why, so it is no verdict. */
static void doubt(struct uet_result *r, const char *why)
{
    char first[sizeof(r->message)];

    snprintf(first, sizeof(first), "%s", r->message);
    r->verdict = UET_INCONC;
    snprintf(r->message, sizeof(r->message), "%s", why);
    if (first[0])
        append(r, "\n%s", first); /* as far as there is room */
}

/* No test can run any more. */
static enum uet_attempt end(struct uet_session *session, const struct uet_test *test,
                            enum lost lost, const char *restart, bool began)
{
    const char *how = began ? "in" : "before";

    if (lost == FEP && !session->ever_heard)
        snprintf(session->ended, sizeof(session->ended),
                 "the FEP has not answered a single packet: is it there, and are address, "
                 "encapsulation and port those of fep.yaml?%s",
                 restart);
    else if (lost == FEP)
        snprintf(session->ended, sizeof(session->ended),
                 "the FEP answers nothing any more: not in %s, nor the sanity exchange after it%s",
                 test->id, restart);
    else
        snprintf(session->ended, sizeof(session->ended), "the upper tester was lost %s %s: %.80s%s",
                 how, test->id, session->ut->error, restart);
    return began ? UET_ATTEMPT_LAST : UET_ATTEMPT_NOT_RUN;
}

/*
 * Our end of the cable is up: that says nothing of the FEP's, nor of a switch between. Until the
 * FEP answers, at most LINK_WAIT_NS; what is lost then is found by the next test.
 */
static void wait_for_far_end(struct uet_session *session)
{
    uint64_t until_ns = uet_wall_ns() + LINK_WAIT_NS;

    while (!answers(session) && !control_is_lost(session) && uet_port_check(session->port) == 0 &&
           uet_wall_ns() < until_ns && !interrupted(session))
        poll(NULL, 0, LOOK_MS);
}

/* The tester's own link: its fault, not the FEP's. A pass is none, as what was sent may be lost. */
static enum uet_attempt after_link(struct uet_session *session, struct uet_result *r)
{
    const char *name = session->dut->interface;

    char first[sizeof(r->message)];

    snprintf(first, sizeof(first), "%s", r->message);
    if (r->verdict != UET_SKIP) {
        r->verdict = UET_ERROR;
        bool narrow = uet_port_check(session->port) == -EMSGSIZE;
        snprintf(r->message, sizeof(r->message), "the tester's interface %s %s%s", name,
                 narrow ? link_words(-EMSGSIZE) : "lost its link", first[0] ? "\n" : "");
        append(r, "%s", first);
    }
    int rc = wait_for_link(session);
    if (!rc) {
        wait_for_far_end(session);
        return UET_ATTEMPT_DONE;
    }
    snprintf(session->ended, sizeof(session->ended),
             "the tester's interface %s %s, and was not back "
             "after %d s",
             name, link_words(rc), (int)(LINK_WAIT_NS / 1000000000u));
    return UET_ATTEMPT_LAST;
}

/* ---- starting the FEP anew ---- */

/* By the command of fep.yaml. False, with the end of the run told, when it is no help. */
static bool restarted(struct uet_session *session)
{
    uint64_t until_ns = uet_wall_ns() + session->dut->restart_time_ns;
    char why[160] = "";

    if (session->restart(session->restart_ctx, why, sizeof(why)) != 0) {
        snprintf(session->ended, sizeof(session->ended), "%s", why);
        return false;
    }
    (void)wait_for_link(session); /* a FEP that starts takes its end of the cable down */
    do
        if (answers(session) && !control_is_lost(session))
            return true;
    while (!control_is_lost(session) && uet_wall_ns() < until_ns);
    snprintf(session->ended, sizeof(session->ended),
             "the FEP answers nothing after its restart, either (fep.yaml: restart)");
    return false;
}

/* A pass has no message: what befell the FEP beside it is a note. */
static void note_loss(struct uet_result *r, enum lost lost, bool began)
{
    char requirement[sizeof(r->findings[0].requirement)];
    snprintf(requirement, sizeof(requirement), "%.*s", (int)strcspn(r->requirements, " "),
             r->requirements);
    struct uet_finding *f = uet_finding_new(r, requirement, true);
    if (!f)
        return;
    snprintf(f->text, sizeof(f->text), "%s was lost %s this test, and the FEP was started anew",
             lost_names[lost], began ? "in" : "before");
}

/* Something was lost and there is a command: the test once more tells cause from chance. */
static enum uet_attempt start_anew(struct uet_session *session, const struct uet_test *test,
                                   enum lost lost, bool began, struct uet_result *r)
{
    char why[160];

    if (!restarted(session))
        return began ? UET_ATTEMPT_LAST : UET_ATTEMPT_NOT_RUN;
    struct uet_result again = uet_run_aside(session, test);
    enum lost lost_again = what_is_lost(session, &again, true);

    if (lost_again == LINK)
        return after_link(session, r);
    if (lost_again != NOTHING) {
        if (!began)
            r->verdict = UET_ERROR;
        append(r,
               "\n%s was lost in this test, and again when it was repeated after a restart: it "
               "is this test that ends it",
               lost_names[lost]);
        return restarted(session) ? UET_ATTEMPT_DONE : UET_ATTEMPT_LAST;
    }
    if (!began || (again.verdict != UET_PASS && again.verdict != UET_SKIP)) {
        again.section = r->section;
        *r = again;
        note_loss(r, lost, began);
        return UET_ATTEMPT_DONE;
    }
    snprintf(why, sizeof(why),
             "%s was lost in this test; repeated after a restart, the test passed: chance, or "
             "another's doing",
             lost_names[lost]);
    doubt(r, why);
    return UET_ATTEMPT_DONE;
}

static enum uet_attempt bring_back(struct uet_session *session, const struct uet_test *test,
                                   enum lost lost, bool began, struct uet_result *r)
{
    if (lost == LINK)
        return after_link(session, r);
    if (session->restart)
        return start_anew(session, test, lost, began, r);
    if (began && r->verdict == UET_PASS)
        doubt(r, "it expects that nothing comes, and the FEP was no longer there after it");
    else if (began && lost == FEP && !session->ever_heard)
        append(r, "\nthe FEP has not answered a single packet so far: what comes after it was not "
                  "run");
    else if (began)
        append(r, "\n%s was lost in this test: what comes after it was not run", lost_names[lost]);
    return end(session, test, lost, "", began);
}

/* ---- failures on a real link ---- */

/* What keeps the first try's doings from the second; "" when a restart failed. */
static const char *fresh_start(struct uet_session *session)
{
    if (session->restart)
        return restarted(session) ? "after a restart of the FEP" : "";
    if (session->ut && uet_ut_has_verb(session->ut, "reset") == 1)
        return "after a reset of the FEP";
    return "with fresh identifiers, as this FEP can be neither restarted nor reset: it may have "
           "kept what the first try left behind";
}

/*
 * On a real link a frame may be lost, or a host stand still, and the test cannot see it. So what
 * fails there is tried once more: a FEP that breaks a requirement fails again, and keeps its first
 * verdict. Only a pass makes it inconc.
 */
static enum uet_attempt confirm_failure(struct uet_session *session, const struct uet_test *test,
                                        bool look, struct uet_result *first)
{
    char why[300];

    if (first->verdict != UET_FAIL || first->cut || (session->port->caps & UET_PORT_VIRTUAL_TIME))
        return UET_ATTEMPT_DONE;
    const char *how = fresh_start(session);
    if (!how[0])
        return UET_ATTEMPT_LAST;
    struct uet_result again = uet_run_aside(session, test);
    enum lost lost = what_is_lost(session, &again, look);
    first->wall_seconds += again.wall_seconds;
    first->cut = again.cut;
    if (lost != NOTHING)
        return bring_back(session, test, lost, true, first);
    if (again.verdict != UET_PASS)
        return UET_ATTEMPT_DONE;
    snprintf(why, sizeof(why),
             "failed once and passed when repeated %s: network or time spoilt it, or the FEP does "
             "not always do it",
             how);
    doubt(first, why);
    first->ground_holds = true; /* the FEP is there */
    return UET_ATTEMPT_DONE;
}

static enum uet_attempt attempt(struct uet_session *session, const struct uet_test *test, bool look,
                                struct uet_result *r)
{
    if (session->dut->restart_each_test && session->restart && !restarted(session))
        return UET_ATTEMPT_NOT_RUN;
    uet_tc_run(session, test, r);
    if (session->ended[0])
        return UET_ATTEMPT_LAST; /* its capture cannot be written: nor could those to come */
    bool began = session->began;
    uint32_t reaches = session->reaches;
    enum lost lost = what_is_lost(session, r, look);

    if (lost != NOTHING)
        return bring_back(session, test, lost, began, r);
    enum uet_attempt how = confirm_failure(session, test, look, r);
    session->reaches = reaches; /* of the test itself, whatever ran beside it */
    return how;
}

enum uet_attempt uet_attempt(struct uet_session *session, const struct uet_test *test, bool look,
                             struct uet_result *r)
{
    enum uet_attempt how = attempt(session, test, look, r);

    if (how == UET_ATTEMPT_DONE || !interrupted(session))
        return how;
    /* Who waits for a link or a restart no longer knows what it would have come to. */
    r->cut = true;
    session->ended[0] = '\0';
    return UET_ATTEMPT_DONE;
}
