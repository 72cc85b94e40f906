/* SPDX-License-Identifier: BSD-2-Clause */
/* What breaks in a scenario, and what of it is looked at. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/scenario/internal.h"

const char *sim_invariant_name(enum sim_invariant what)
{
    static const char *const names[SIM_INVARIANTS] = {
        "nothing", "intact",     "once",   "delivered", "order",   "memory",   "cack",   "clear",
        "window",  "completion", "quiet",  "leak",      "clock",   "read",     "atomic", "tag",
        "iv",      "sealed",     "forged", "overrun",   "starved", "inflight", "credit", "rule"};

    return (unsigned)what < SIM_INVARIANTS ? names[what] : "unknown";
}

/* What holds although packets may say anything: see unguarded in plan.h. */
static bool survival(enum sim_invariant what)
{
    return what == SIM_MEMORY || what == SIM_QUIET || what == SIM_CLOCK;
}

static bool ignored(const struct scenario *w, enum sim_invariant what, const char *requirement)
{
    if (w->plan->unguarded && !survival(what))
        return true;
    for (size_t i = 0; i < w->run->n_ignore; i++)
        if (!strcmp(w->run->ignore[i], requirement) ||
            !strcmp(w->run->ignore[i], sim_invariant_name(what)))
            return true;
    return false;
}

void scenario_breach(struct scenario *w, enum sim_invariant what, const char *requirement,
                     const char *format, ...)
{
    struct sim_breach *breach = &w->result->breach;
    va_list args;

    if (breach->what != SIM_NOTHING)
        return;
    if (ignored(w, what, requirement)) {
        w->result->ignored += !w->plan->unguarded;
        return;
    }
    breach->what = (uint8_t)what;
    breach->at_ns = w->now - SIM_START_NS;
    snprintf(breach->requirement, sizeof(breach->requirement), "%s", requirement);
    va_start(args, format);
    vsnprintf(breach->text, sizeof(breach->text), format, args);
    va_end(args);
}
