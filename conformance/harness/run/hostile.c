/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/run/hostile.h"

#include <stdio.h>
#include <string.h>

#include "spec-map/spec.h"

#define AMID_ROW  "ROB-057"
#define OWN_WORDS "(not the standard's text) "
#define REQUIRED  "\nrequired: "

bool uet_point_is_hostile(const struct uet_point *point)
{
    const uint32_t amid = uet_point_place(point, UET_OVER_AMID)->value;

    return amid == UET_AMID_STRANGERS || amid == UET_AMID_DAMAGED;
}

/* What a rule saw, whose requirement speaks of no such packets. */
static void tell_rule(struct uet_finding *f, bool strict)
{
    char was[sizeof(f->text)], of[sizeof(f->requirement)];

    if (!strict)
        f->outside = 0;
    snprintf(was, sizeof(was), "%s", f->text);
    snprintf(of, sizeof(of), "%s", f->requirement);
    const bool own = strcmp(of, AMID_ROW) == 0;
    snprintf(f->text, sizeof(f->text), OWN_WORDS "%s%s%.150s", own ? "" : of, own ? "" : ": ", was);
    snprintf(f->requirement, sizeof(f->requirement), AMID_ROW);
}

/* The failure keeps what was sent and came; what it is held against is our row. */
static void tell_failure(struct uet_result *r)
{
    const struct uet_requirement *row = uet_requirement_find(AMID_ROW);
    char was[sizeof(r->message)];

    snprintf(was, sizeof(was), "%s", r->message);
    const char *required = strstr(was, REQUIRED);
    const size_t n = required ? (size_t)(required - was) : strlen(was);
    const char *rest = required ? strchr(required + 1, '\n') : NULL;
    if (r->verdict == UET_FAIL)
        snprintf(r->broken, sizeof(r->broken), AMID_ROW);
    r->contested = false;
    snprintf(r->message, sizeof(r->message),
             AMID_ROW ": " OWN_WORDS "%.*s" REQUIRED AMID_ROW " (%s%s, %s): %s%s", (int)n, was,
             uet_requirement_standing(row), row->section,
             uet_level_name((enum uet_level)row->level), row->text, rest ? rest : "");
}

void uet_tell_harm(struct uet_result *r, bool strict)
{
    const bool failed = r->verdict == UET_FAIL || r->verdict == UET_INCONC;

    for (size_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].outside)
            tell_rule(&r->findings[i], strict);
    if (failed && strict && strcmp(r->broken, AMID_ROW) != 0)
        tell_failure(r);
    if (!failed || strict)
        return;
    struct uet_finding *f = uet_finding_new(r, AMID_ROW, false);
    if (f) {
        f->frame = r->frame;
        snprintf(f->text, sizeof(f->text), OWN_WORDS "%.*s", (int)strcspn(r->message, "\n"),
                 r->message);
    }
    r->verdict = UET_PASS;
    r->message[0] = r->conversation[0] = r->broken[0] = '\0';
}
