/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/compare.h"

#include <string.h>

/* An unexpected pass keeps a run from passing, but the FEP got better, not worse. */
static bool broken(const struct uet_result *r)
{
    return uet_result_is_bad(r) && !r->unexpected_pass;
}

static bool passes(const struct uet_result *r)
{
    return !r->known && r->verdict == UET_PASS;
}

enum uet_change uet_compare(const struct uet_result *old, const struct uet_result *now)
{
    /* A rule has an entry only where it was broken. */
    if (!old && !now)
        return UET_SAME;
    if (!old)
        return uet_result_is_rule(now) && broken(now) ? UET_REGRESSION : UET_ADDED;
    if (!now)
        return uet_result_is_rule(old) && broken(old) ? UET_FIXED : UET_REMOVED;
    if (broken(now))
        return broken(old) ? UET_STILL_BAD : UET_REGRESSION;
    if (passes(now) && (broken(old) || old->known))
        return UET_FIXED;
    return strcmp(uet_result_label(old), uet_result_label(now)) == 0 ? UET_SAME : UET_OTHER;
}

enum uet_change uet_compare_in(const struct uet_run *old, const struct uet_run *now, const char *id)
{
    const struct uet_result *a = uet_run_find(old, id), *b = uet_run_find(now, id);

    if (a && !b && !now->complete)
        return UET_NOT_RUN;
    if (b && !a && !old->complete)
        return UET_NOT_RUN_BEFORE;
    return uet_compare(a, b);
}
