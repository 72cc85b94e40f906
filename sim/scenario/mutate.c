/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutants on the wire: what they do to a frame as it leaves its FEP. */
#include "sim/scenario/internal.h"
#include "wire/class.h"
#include "wire/impair.h"

enum { EVERY = 16, BACK = 5 };

const char *sim_mutation_name(enum sim_mutation mutation)
{
    static const char *const names[SIM_MUTATIONS] = {
        "nothing", "payload",   "cack-back", "clear-back", "mode",
        "clock",   "read-data", "into",      "forgetful",  "stale"};

    return (unsigned)mutation < SIM_MUTATIONS ? names[mutation] : NULL;
}

/* Every EVERY-th packet of its class is harmed. */
static const struct uet_impairment mutations[SIM_MUTATIONS] = {
    [SIM_MUTATE_PAYLOAD] = {.packets = UET_CLASS_SES_REQUEST, .action = UET_IMPAIR_FLIP},
    [SIM_MUTATE_READ_DATA] = {.packets = UET_CLASS_DATA, .action = UET_IMPAIR_FLIP},
    [SIM_MUTATE_CACK_BACK] = {.packets = UET_CLASS_ACK,
                              .action = UET_IMPAIR_ADD,
                              .field = "cack_psn",
                              .operand = -BACK},
    [SIM_MUTATE_CLEAR_BACK] = {.packets = UET_CLASS_REQUEST,
                               .action = UET_IMPAIR_ADD,
                               .field = "clear_psn_offset",
                               .operand = -BACK},
};

void mutate(struct scenario *w, uint8_t *frame, size_t len)
{
    struct uet_impairment rule = mutations[w->run->mutation];
    const struct uet_parse_options how = scenario_parse(w);
    struct uet_fate fate = {.copies = 1};
    uint32_t n = (uint32_t)len;

    if (rule.action == UET_IMPAIR_SET)
        return; /* not of the wire */
    rule.spared = EVERY - 1;
    if (uet_impair(&rule, &how, &w->mutated, frame, &n, &fate) > 0)
        w->mutated = 0;
}
