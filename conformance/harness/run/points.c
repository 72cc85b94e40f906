/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/points.h"

#include <stdio.h>
#include <string.h>

#include "conformance/harness/run/hostile.h"
#include "conformance/harness/security.h"

/* A run of one test. */
struct over {
    struct uet_session *session;
    const struct uet_selection *selection;
    const struct uet_test *test;
    const struct uet_run_events *events;
    struct uet_result *sum;
    bool judged;            /* sum holds the result of a point */
    struct uet_space space; /* as the test as it is written reached it */
    struct uet_point judged_at[UET_MAX_POINTS];
    size_t n_judged_at;
    struct uet_space skipped_at; /* the places of points that were skipped; not the ordinary ones */
};

/* ---- many results, one verdict ---- */

static int badness(const struct uet_result *r)
{
    static const int order[] = {
        [UET_SKIP] = 0, [UET_PASS] = 1, [UET_INCONC] = 2, [UET_FAIL] = 3, [UET_ERROR] = 4};

    return order[r->verdict];
}

static void add_name(struct uet_result *sum, const char *name)
{
    size_t at = strlen(sum->points);

    if (at + strlen(name) + 2 <= sizeof(sum->points))
        snprintf(sum->points + at, sizeof(sum->points) - at, "%s%s", at ? " " : "", name);
}

static bool same_kind(const struct uet_finding *a, const struct uet_finding *b)
{
    return strcmp(a->requirement, b->requirement) == 0 && !a->outside == !b->outside &&
           a->note == b->note && !a->unlisted && !b->unlisted;
}

/* What was found at other points, too, is told of the first. */
static void add_finding(struct uet_result *sum, const struct uet_finding *found, const char *point)
{
    for (size_t i = 0; i < sum->n_findings; i++)
        if (same_kind(&sum->findings[i], found)) {
            sum->findings[i].outside += found->outside;
            return;
        }
    if (found->unlisted) {
        uet_findings_unlisted(sum, found->requirement, found->note, found->unlisted);
        return;
    }
    struct uet_finding *f = uet_finding_new(sum, found->requirement, found->note);
    if (!f)
        return;
    *f = *found;
    snprintf(f->point, sizeof(f->point), "%s", point);
}

/* The verdict and all that tells of it. */
static void take_verdict(struct uet_result *sum, const struct uet_result *from, const char *point)
{
    sum->verdict = from->verdict;
    sum->skip_reason = from->skip_reason;
    sum->ground_holds = from->ground_holds;
    sum->sent = from->sent;
    sum->came = from->came;
    sum->frame = from->frame;
    memcpy(sum->message, from->message, sizeof(sum->message));
    memcpy(sum->conversation, from->conversation, sizeof(sum->conversation));
    memcpy(sum->broken, from->broken, sizeof(sum->broken));
    memcpy(sum->pcap, from->pcap, sizeof(sum->pcap));
    snprintf(sum->failed_point, sizeof(sum->failed_point), "%s",
             badness(from) > badness(&(struct uet_result){.verdict = UET_PASS}) ? point : "");
}

static void fold(struct over *o, const struct uet_result *r, const struct uet_point *at)
{
    char name[UET_POINT_NAME];
    const char *point = uet_point_is_ordinary(at) ? "" : uet_point_name(at, name);
    struct uet_result *sum = o->sum;

    sum->seconds += r->seconds;
    sum->wall_seconds += r->wall_seconds;
    sum->cut |= r->cut;
    if (r->verdict != UET_SKIP)
        add_name(sum, uet_point_name(at, name));
    if (!o->judged || badness(r) > badness(sum))
        take_verdict(sum, r, point);
    o->judged = true;
    if (r->verdict != UET_SKIP || *point == '\0')
        for (size_t i = 0; i < r->n_findings; i++)
            add_finding(sum, &r->findings[i], point);
}

/* ---- one point ---- */

/* The FEP that is set up as the point wants it. */
static struct uet_session *session_at(const struct over *o, const struct uet_point *point)
{
    uint8_t setup = point->place[UET_OVER_SETUP];

    return setup ? o->session->setups[setup] : o->session;
}

void uet_carry_over(struct uet_session *to, const struct uet_session *from)
{
    memcpy(to->used_pdcids, from->used_pdcids, sizeof(to->used_pdcids));
    memcpy(to->memory, from->memory, sizeof(to->memory));
    memcpy(to->receives, from->receives, sizeof(to->receives));
    memcpy(to->ended, from->ended, sizeof(to->ended));
    to->n_services = from->n_services;
    to->served = from->served;
    to->started = from->started;
    to->ever_heard = from->ever_heard;
}

static enum uet_attempt run_at(struct over *o, const struct uet_point *point, struct uet_result *r)
{
    struct uet_test at = *o->test;

    at.point = *point;
    *r = (struct uet_result){.id = at.id,
                             .requirements = at.requirements,
                             .section = o->sum->section,
                             .role = o->sum->role,
                             .contested = at.contested};
    if (o->events->begin)
        o->events->begin(o->events->ctx, &at);
    struct uet_session *session = session_at(o, point);
    bool elsewhere = session != o->session; /* where no sanity test has run */

    if (elsewhere)
        uet_carry_over(session, o->session);
    bool looks = !o->selection->no_gate && !elsewhere && !session->aside;
    enum uet_attempt how = uet_attempt(session, &at, looks, r);
    if (elsewhere)
        uet_carry_over(o->session, session);
    return how;
}

/* ---- which of the places does it ---- */

/*
 * The test failed where several dimensions are not ordinary: does one of them do it? Then that
 * point tells more. Puts it in *point, and what came of it in *r.
 */
static enum uet_attempt narrow(struct over *o, struct uet_point *point, struct uet_result *r)
{
    const struct uet_point all = *point;

    for (int d = 0; d < UET_N_DIMENSIONS; d++) {
        struct uet_point one = {0};
        struct uet_result alone;

        one.place[d] = all.place[d];
        if (uet_point_is_ordinary(&one) || memcmp(&one, &all, sizeof(one)) == 0)
            continue;
        enum uet_attempt how = run_at(o, &one, &alone);
        if (alone.cut || how != UET_ATTEMPT_DONE)
            return how;
        if (alone.verdict != UET_FAIL)
            continue;
        *point = one;
        *r = alone;
        return how;
    }
    return UET_ATTEMPT_DONE;
}

/*
 * At the point strangers came between, or damaged packets, which no requirement of the standard
 * names. Did they do it, or does the test fail there without them, too? Then that says more.
 */
static enum uet_attempt doubt_amid(struct over *o, struct uet_point *point, struct uet_result *r)
{
    struct uet_point calm = *point;
    struct uet_result alone;
    enum uet_attempt how = UET_ATTEMPT_DONE;

    if (!uet_point_is_hostile(point))
        return how;
    if (r->verdict == UET_FAIL || r->verdict == UET_INCONC) {
        calm.place[UET_OVER_AMID] = 0;
        how = run_at(o, &calm, &alone);
        if (how != UET_ATTEMPT_DONE || alone.cut || badness(&alone) >= badness(r)) {
            *point = calm;
            *r = alone;
            return how;
        }
    }
    uet_tell_harm(r, o->session->strict);
    return how;
}

/* ---- which points ---- */

/* Is the FEP set up so, and can the test run there? */
static bool is_set_up(const struct uet_session *session, const struct uet_test *test, size_t place)
{
    const struct uet_session *other = session->setups ? session->setups[place] : NULL;
    char why[200];
    uint8_t reason;

    return other && !uet_tc_skips(other, test, why, sizeof(why), &reason);
}

/* Has the FEP a domain with such keys, and is the test of security? */
static bool has_keys(const struct uet_session *session, const struct uet_test *test, size_t place)
{
    const uint32_t kind = uet_dimensions[UET_OVER_KEYS].places[place].value;
    struct uet_security *security = session->dut->security;

    return security && uet_test_needs(test, "tss") && uet_security_of_kind(security, kind);
}

/*
 * Can the tester's port play those who do it? In real time the answer to a copy may come among
 * those to what is said next, and be taken for one of them.
 */
bool uet_amid_left_out(const struct uet_session *session, size_t place, char *why, size_t n)
{
    const uint32_t amid = uet_dimensions[UET_OVER_AMID].places[place].value;
    const uint32_t caps = session->port->caps;
    const char *lacks = NULL;
    char address[UET_IP_TEXT], taken[UET_IP_TEXT + 64];

    if (amid == UET_AMID_COPIES && !(caps & UET_PORT_VIRTUAL_TIME))
        lacks = "in real time the answer to a copy may be taken for another";
    else if (amid == UET_AMID_STRANGERS && !(caps & UET_PORT_SOURCE))
        lacks = "the tester has one address";
    else if (amid == UET_AMID_STRANGERS && session->stranger_taken) {
        const struct uet_ip ip = uet_dut_stranger(session->dut);
        snprintf(taken, sizeof(taken), "%s, from which they would speak, is not free",
                 uet_ip_text(&ip, address));
        lacks = taken;
    } else if (amid == UET_AMID_DAMAGED && !(caps & UET_PORT_RAW_IP))
        lacks = "port: no raw-ip";
    if (lacks)
        snprintf(why, n, "%s", lacks);
    return lacks;
}

/* Every test reaches another set-up, and one of security other keys. */
struct uet_space uet_points_space(const struct uet_session *session, const struct uet_test *test)
{
    struct uet_space space = {0};
    char why[200];
    uint8_t reason;

    for (int d = 0; d < UET_N_DIMENSIONS; d++) {
        const struct uet_dimension *dimension = &uet_dimensions[d];
        bool reached = d == UET_OVER_SETUP || d == UET_OVER_KEYS || session->reaches >> d & 1;

        for (size_t p = 1; reached && p < uet_n_places(dimension); p++) {
            struct uet_point one = {0};

            one.place[d] = (uint8_t)p;
            if (d == UET_OVER_SETUP && !is_set_up(session, test, p))
                continue;
            if (d == UET_OVER_KEYS && !has_keys(session, test, p))
                continue;
            if (d == UET_OVER_AMID && uet_amid_left_out(session, p, why, sizeof(why)))
                continue;
            if (uet_test_goes_to(test, &one) &&
                !uet_session_lacks(session, dimension->places[p].needs, why, sizeof(why), &reason))
                space.places[d] |= (uint16_t)(1u << p);
        }
    }
    return space;
}

static bool is_in(const struct uet_space *space, const struct uet_point *point)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        if (point->place[d] && !(space->places[d] >> point->place[d] & 1))
            return false;
    return true;
}

/* The same test has the same points in every run with that seed. */
static uint64_t seed_of(const struct uet_session *session, const struct uet_test *test)
{
    uint64_t hash = session->seed + 0x9e3779b97f4a7c15u;

    for (const char *c = test->id; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

/*
 * How many points a test has, and how long it may take in all where time is real: a long one goes
 * to fewer, but to one beside the ordinary one at least. That one is another with another seed. Few
 * tests take most of the time: a room that they fill costs the others none of theirs. One that is
 * dear as it is written goes to that point with one seed of four in a row.
 */
static const struct {
    size_t most;
    double seconds; /* of the bodies; the point in which they are over is the last */
    double dear;    /* seconds at the ordinary point; 0: none is */
} depths[] = {
    [UET_DEPTH_SMOKE] = {0, 0, 0},
    [UET_DEPTH_DEFAULT] = {16, 0.2, 1},
    [UET_DEPTH_DEEP] = {UET_MAX_POINTS, 60, 0},
};

#define DEAR_SEEDS 4

/* Has the test taken longer than that? Never where time costs nothing. */
static bool took(const struct over *o, double seconds)
{
    return !(o->session->port->caps & UET_PORT_VIRTUAL_TIME) && o->sum->seconds > seconds;
}

/* Is it over for want of time, with what is left of its points? */
static bool takes_long(const struct over *o)
{
    return took(o, depths[o->session->depth].seconds);
}

/* The same before the first of them. */
static bool is_dear(const struct over *o)
{
    const double dear = depths[o->session->depth].dear;

    return dear > 0 && took(o, dear) && seed_of(o->session, o->test) % DEAR_SEEDS != 0;
}

static void note_places_of(struct uet_space *space, const struct uet_point *point)
{
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        if (point->place[d])
            space->places[d] |= (uint16_t)(1u << point->place[d]);
}

/*
 * Those that have not been met yet. A place at which each point was skipped is none of this test
 * with this FEP, and has taken the other places of those points with it: they meet without it.
 */
static size_t choose(const struct over *o, struct uet_point *points)
{
    const size_t most = depths[o->session->depth].most;
    struct uet_space space = o->space, judged = {0};

    if (o->session->in_place > 1 || o->n_judged_at >= most)
        return 0; /* a body in place takes long enough at one; and the check after it reaches more
                   */
    for (size_t i = 0; i < o->n_judged_at; i++)
        note_places_of(&judged, &o->judged_at[i]);
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        space.places[d] &= (uint16_t) ~(o->skipped_at.places[d] & ~judged.places[d]);
    return uet_cover(&space, (enum uet_depth)o->session->depth, seed_of(o->session, o->test),
                     o->judged_at, o->n_judged_at, points, most - o->n_judged_at);
}

/* ---- the test ---- */

static bool goes_on(const struct over *o, enum uet_attempt how)
{
    const struct uet_result *sum = o->sum;

    return how == UET_ATTEMPT_DONE && !sum->cut &&
           badness(sum) <= badness(&(struct uet_result){.verdict = UET_INCONC});
}

static enum uet_attempt run_each(struct over *o, const struct uet_point *points, size_t n,
                                 bool chosen)
{
    enum uet_attempt how = UET_ATTEMPT_DONE;

    for (size_t i = 0; i < n && goes_on(o, how); i++) {
        struct uet_point point = points[i];
        struct uet_result r;

        how = run_at(o, &point, &r);
        if (how == UET_ATTEMPT_NOT_RUN)
            return o->judged ? UET_ATTEMPT_LAST : how;
        if (chosen && r.verdict == UET_FAIL && how == UET_ATTEMPT_DONE && !r.cut)
            how = narrow(o, &point, &r);
        if (how == UET_ATTEMPT_DONE && !r.cut)
            how = doubt_amid(o, &point, &r);
        if (o->judged && r.verdict == UET_SKIP) {
            note_places_of(&o->skipped_at, &point);
            continue;
        }
        if (chosen && o->n_judged_at < UET_MAX_POINTS)
            o->judged_at[o->n_judged_at++] = point;
        fold(o, &r, &point);
        if (chosen && goes_on(o, how) && takes_long(o)) {
            o->sum->points_out_of_time = (uint32_t)(n - i - 1);
            break;
        }
    }
    return how;
}

/*
 * Points that were asked for: nothing can be said at one to which this test does not go with this
 * FEP. The test as it is written tells that.
 */
static enum uet_attempt run_named(struct over *o, const struct uet_point *points, size_t n)
{
    const struct uet_result ordinary = uet_run_aside(o->session, o->test);
    const struct uet_space space = uet_points_space(o->session, o->test);
    struct uet_point there[UET_MAX_POINTS];
    size_t n_there = 0;
    char name[UET_POINT_NAME];

    if (ordinary.verdict == UET_SKIP) {
        take_verdict(o->sum, &ordinary, "");
        return UET_ATTEMPT_DONE;
    }
    for (size_t i = 0; i < n; i++)
        if (ordinary.verdict != UET_PASS || is_in(&space, &points[i]))
            there[n_there++] = points[i];
    if (n_there)
        return run_each(o, there, n_there, false);
    o->sum->verdict = UET_SKIP;
    o->sum->skip_reason = UET_SKIP_OTHER;
    snprintf(o->sum->message, sizeof(o->sum->message),
             "the test does not go to %s: nothing in it differs there, or the FEP lacks it",
             uet_point_name(&points[0], name));
    return UET_ATTEMPT_DONE;
}

enum uet_attempt uet_run_points(struct uet_session *session, const struct uet_selection *selection,
                                const struct uet_test *test, const struct uet_run_events *events,
                                struct uet_result *result)
{
    struct over o = {
        .session = session, .selection = selection, .test = test, .events = events, .sum = result};
    struct uet_point points[UET_MAX_POINTS] = {{{0}}};
    const struct uet_point as_written = {{0}};
    size_t named = uet_selection_points(selection, test, points, UET_MAX_POINTS);

    if (named == 1 && uet_point_is_ordinary(&points[0]))
        return run_each(&o, points, 1, false);
    if (named)
        return run_named(&o, points, named);
    enum uet_attempt how = run_each(&o, &as_written, 1, false);
    if (how != UET_ATTEMPT_DONE || result->verdict != UET_PASS || result->cut)
        return how;
    o.space = uet_points_space(session, test);
    size_t n = choose(&o, points);
    if (is_dear(&o)) {
        result->points_out_of_time = (uint32_t)n;
        return how;
    }
    how = run_each(&o, points, n, true);
    if (!goes_on(&o, how) || result->points_out_of_time || o.n_judged_at == n)
        return how;
    return run_each(&o, points, choose(&o, points), true); /* some were skipped */
}
