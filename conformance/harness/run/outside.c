/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/run/attempt.h"
#include "conformance/harness/run/hostile.h"
#include "conformance/harness/run/known.h"
#include "spec-map/spec.h"

static bool fails(const struct uet_requirement *r, bool strict)
{
    return strict || (r->level != UET_SHOULD && r->level != UET_SHOULD_NOT);
}

bool uet_outside_fails(const struct uet_result *result, bool strict)
{
    for (size_t i = 0; i < result->n_findings; i++) {
        const struct uet_finding *f = &result->findings[i];
        const struct uet_requirement *r = f->outside ? uet_requirement_find(f->requirement) : NULL;

        if (r && fails(r, strict))
            return true;
    }
    return false;
}

/* ---- collecting ---- */

static struct uet_outside_rule *rule_of(struct uet_outside *o, const struct uet_requirement *r)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->rules[i].requirement == r)
            return &o->rules[i];
    struct uet_outside_rule *more = realloc(o->rules, (o->n + 1) * sizeof(*more));
    if (!more)
        return NULL;
    o->rules = more;
    more[o->n] = (struct uet_outside_rule){.requirement = r};
    snprintf(more[o->n].id, sizeof(more[o->n].id), "rule.%s", r->id);
    return &more[o->n++];
}

/* The test's captures stand side by side; the result names that of its verdict. */
static void capture_of(char *out, size_t size, const struct uet_result *result, const char *point)
{
    const char *name = strrchr(result->pcap, '/');

    if (!name || strcmp(point, result->failed_point) == 0)
        snprintf(out, size, "%s", result->pcap);
    else
        snprintf(out, size, "%.*s/%.95s%s%s.pcapng", (int)(name - result->pcap), result->pcap,
                 result->id, point[0] ? "@" : "", point);
}

int uet_outside_add(struct uet_outside *outside, const struct uet_result *result)
{
    for (size_t i = 0; i < result->n_findings && !result->cut; i++) {
        const struct uet_finding *f = &result->findings[i];
        const struct uet_requirement *r = f->outside ? uet_requirement_find(f->requirement) : NULL;
        struct uet_outside_rule *rule = r ? rule_of(outside, r) : NULL;

        if (!r)
            continue;
        if (!rule)
            return -ENOMEM;
        if (rule->n_tests == 0) {
            snprintf(rule->text, sizeof(rule->text), "%s", f->text);
            capture_of(rule->pcap, sizeof(rule->pcap), result, f->point);
        }
        if (rule->n_tests < UET_OUTSIDE_SHOWN) {
            rule->first[rule->n_tests].id = result->id;
            rule->first[rule->n_tests].frame = f->frame;
            rule->first[rule->n_tests].packets = f->outside;
            snprintf(rule->first[rule->n_tests].point, UET_POINT_NAME, "%s", f->point);
        }
        rule->n_tests++;
        rule->packets += f->outside;
    }
    return 0;
}

void uet_outside_free(struct uet_outside *outside)
{
    free(outside->rules);
    *outside = (struct uet_outside){0};
}

/* ---- reporting ---- */

/* As for tests that fail (runner.c): a real link may spoil one sight, not two. */
static bool seen_again(struct uet_session *session, const struct uet_outside_rule *rule)
{
    const struct uet_test *test = uet_test_find(rule->first[0].id);
    bool over = session->ended[0] || (session->stop && *session->stop);

    if (rule->n_tests > 1 || over || !test || (session->port->caps & UET_PORT_VIRTUAL_TIME))
        return true;
    struct uet_test at = *test;
    const char *wrong;
    size_t n;
    if (rule->first[0].point[0] && !uet_point_find(rule->first[0].point, &at.point, &wrong, &n))
        return true;
    struct uet_result again = uet_run_aside(session, &at);
    if (uet_point_is_hostile(&at.point))
        uet_tell_harm(&again, session->strict);
    for (size_t i = 0; i < again.n_findings; i++)
        if (again.findings[i].outside &&
            strcmp(again.findings[i].requirement, rule->requirement->id) == 0)
            return true;
    return again.cut;
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* "8 packets of 3 tests break it: pds.3.5.8.2.x (packet 4, 6 in all), ..." */
static void say_where(char *out, size_t n, const struct uet_outside_rule *rule)
{
    uint32_t shown = rule->n_tests < UET_OUTSIDE_SHOWN ? rule->n_tests : UET_OUTSIDE_SHOWN;
    size_t at = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < shown && at < n; i++) {
        char all[32] = "";

        if (rule->first[i].packets > 1)
            snprintf(all, sizeof(all), ", %u in all", rule->first[i].packets);
        at += (size_t)snprintf(out + at, n - at, "%s%s%s%s (packet %u%s)", i ? ", " : "",
                               rule->first[i].id, rule->first[i].point[0] ? "@" : "",
                               rule->first[i].point, rule->first[i].frame, all);
    }
    if (rule->n_tests > shown && at < n)
        snprintf(out + at, n - at, " and %u more", rule->n_tests - shown);
}

static void describe(struct uet_result *r, const struct uet_outside_rule *rule)
{
    const struct uet_requirement *q = rule->requirement;
    char where[520];

    say_where(where, sizeof(where), rule);
    snprintf(r->message, sizeof(r->message),
             "%s: %.200s\nseen:     %u packet%s in %u test%s of other subjects: %s\n"
             "required: %s (%s, %s): %s",
             q->id, rule->text, rule->packets, plural(rule->packets), rule->n_tests,
             plural(rule->n_tests), where, q->id, q->section,
             uet_level_name((enum uet_level)q->level), q->text);
}

/* A SHOULD: the entry passes, and what was seen is its finding. */
static void make_finding(struct uet_result *r, const struct uet_outside_rule *rule)
{
    struct uet_finding *f = &r->findings[r->n_findings++];

    snprintf(f->requirement, sizeof(f->requirement), "%s", rule->requirement->id);
    snprintf(f->text, sizeof(f->text), "%.120s (%u packet%s in %u test%s)", rule->text,
             rule->packets, plural(rule->packets), rule->n_tests, plural(rule->n_tests));
    f->frame = rule->first[0].frame;
}

static void judge(struct uet_result *r, struct uet_session *session,
                  const struct uet_outside_rule *rule)
{
    const struct uet_requirement *q = rule->requirement;

    snprintf(r->as_in, sizeof(r->as_in), "%s", rule->first[0].id);
    snprintf(r->failed_point, sizeof(r->failed_point), "%s", rule->first[0].point);
    snprintf(r->pcap, sizeof(r->pcap), "%s", rule->pcap);
    r->frame = rule->first[0].frame;
    r->contested = q->confidence == UET_CONFIDENCE_C;
    if (!fails(q, session->strict)) {
        make_finding(r, rule);
        return;
    }
    r->verdict = UET_FAIL;
    snprintf(r->broken, sizeof(r->broken), "%s", q->id);
    describe(r, rule);
    if (seen_again(session, rule))
        return;
    char why[sizeof(r->message)];
    snprintf(why, sizeof(why), "%s", r->message);
    r->verdict = UET_INCONC;
    r->broken[0] = '\0';
    snprintf(r->message, sizeof(r->message),
             "seen once, and not when that test was repeated: network or time spoilt it, or the "
             "FEP does not always do it\n%.850s",
             why);
}

int uet_outside_report(const struct uet_outside *outside, struct uet_session *session,
                       const struct uet_run_events *events, struct uet_summary *summary)
{
    int rc = 0;

    for (size_t i = 0; i < outside->n && !rc; i++) {
        const struct uet_requirement *q = outside->rules[i].requirement;
        struct uet_result r = {.id = outside->rules[i].id,
                               .requirements = q->id,
                               .section = q->section,
                               .role = uet_role_name(UET_ROLE_PASSIVE)};
        judge(&r, session, &outside->rules[i]);
        uet_known_compare(session->dut, &r);
        uet_summary_add(summary, &r);
        if (events->done)
            rc = events->done(events->ctx, &r);
    }
    return rc;
}
