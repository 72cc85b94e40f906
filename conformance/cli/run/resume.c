/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- does it fit? ---- */

/* What a report tells under that name; "" when it tells nothing. */
static const char *told(const struct uet_run_info *info, const char *group, const char *name)
{
    for (size_t i = 0; i < info->n_conditions; i++)
        if (strcmp(info->conditions[i].group, group) == 0 &&
            strcmp(info->conditions[i].name, name) == 0)
            return info->conditions[i].value;
    return "";
}

static bool same(const char *what, const char *then, const char *now, char *why, size_t size)
{
    if (strcmp(then, now) == 0)
        return true;
    snprintf(why, size, "%s was %s, it is %s", what, *then ? then : "not told",
             *now ? now : "not told");
    return false;
}

static bool same_conditions(const struct uet_run_info *then, const struct uet_run_info *now,
                            char *why, size_t size)
{
    static const struct {
        const char *group, *name, *what;
    } all[] = {
        {"FEP", "name", "the FEP's name"},
        {"FEP", "version", "the FEP's version"},
        {"FEP", "address", "the FEP's address"},
        {"fep.yaml", "sha256", "the hash of fep.yaml"},
        {"tester", "commit", "the commit of uetkit"},
        {"tester", "depth", "--depth"},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (!same(all[i].what, told(then, all[i].group, all[i].name),
                  told(now, all[i].group, all[i].name), why, size))
            return false;
    return true;
}

static bool same_number(const char *what, double then, double now, char *why, size_t size)
{
    char text[2][32];

    snprintf(text[0], sizeof(text[0]), "%g", then);
    snprintf(text[1], sizeof(text[1]), "%g", now);
    return same(what, text[0], text[1], why, size);
}

static bool same_head(const struct uet_run_info *then, const struct uet_run_info *now, char *why,
                      size_t size)
{
    char seed[2][24];

    snprintf(seed[0], sizeof(seed[0]), "%" PRIu64, then->seed);
    snprintf(seed[1], sizeof(seed[1]), "%" PRIu64, now->seed);
    /* fep.yaml may lie elsewhere: its hash counts. A reference FEP has none, but variants. */
    bool ref = strncmp(then->fep, "ref", 3) == 0 || strncmp(now->fep, "ref", 3) == 0;
    return (!ref || same("--fep", then->fep, now->fep, why, size)) &&
           same("the specification", then->spec, now->spec, why, size) &&
           same("--secure", then->secure ? then->secure : "", now->secure ? now->secure : "", why,
                size) &&
           same("the profile", then->profile, now->profile, why, size) &&
           same("the seed", seed[0], seed[1], why, size) &&
           same("--strict", then->strict ? "on" : "off", now->strict ? "on" : "off", why, size) &&
           same_number("--slow", then->slow, now->slow, why, size) &&
           same_number("--time-scale", then->time_scale, now->time_scale, why, size) &&
           same("the version of uetkit", then->version, now->version, why, size);
}

static bool among(const char *id, const struct uet_test *const *tests, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(tests[i]->id, id) == 0)
            return true;
    return false;
}

/* Every test of that run, as far as it is known: a journal names only what ran. */
static bool none_left_out(const struct uet_run *done, const struct uet_test *const *tests, size_t n,
                          char *why, size_t size)
{
    const char *out = NULL;

    for (size_t i = 0; i < done->n && !out; i++)
        if (!uet_result_is_rule(&done->results[i]) && !among(done->results[i].id, tests, n))
            out = done->results[i].id;
    for (size_t i = 0; i < done->n_not_run && !out; i++)
        if (!among(done->not_run[i].id, tests, n))
            out = done->not_run[i].id;
    if (out)
        snprintf(why, size,
                 "that run's %s is not among the tests selected now: select the same "
                 "tests or more",
                 out);
    else if (done->planned > n)
        snprintf(why, size,
                 "that run was to run %zu tests, this one %zu: select the same tests or "
                 "more",
                 done->planned, n);
    return !out && done->planned <= n;
}

bool uet_resume_fits(const struct uet_run *done, const struct uet_run_info *info,
                     const struct uet_test *const *tests, size_t n, char *why, size_t size)
{
    return same_head(&done->info, info, why, size) &&
           same_conditions(&done->info, info, why, size) &&
           none_left_out(done, tests, n, why, size);
}

/* ---- going on ---- */

/* Which entry of fep.yaml is of no use only their own test can say. */
static bool keeps(const struct uet_test *test, const struct uet_result *r, bool ground_again)
{
    return r && r->verdict != UET_ERROR &&
           !((ground_again || test->by_entry) && r->verdict == UET_INCONC);
}

int uet_resume(const struct uet_run *done, struct uet_session *session,
               const struct uet_test **tests, size_t *n, const struct uet_run_events *events)
{
    bool ground_again = false;
    size_t left = 0;
    int rc = 0;

    for (size_t i = 0; i < *n && !rc; i++) {
        const struct uet_result *r = uet_run_find(done, tests[i]->id);

        if (keeps(tests[i], r, ground_again)) {
            uet_note_ground(session, tests[i], r);
            rc = events->done(events->ctx, r);
        } else {
            ground_again |= tests[i]->sanity; /* they come first */
            tests[left++] = tests[i];
        }
    }
    *n = left;
    return rc;
}
