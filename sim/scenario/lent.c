/* SPDX-License-Identifier: BSD-2-Clause */
/* What an application lends its FEP, and takes back: the memory of a rendezvous, where the target
 * reads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/internal.h"

int lend_region(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    struct op_state *state = &w->ops[number];
    struct sim_fep *fep = &w->feps[op->from];
    const uint32_t length = op_length(w, number);

    if (state->lent_by == fep->incarnation)
        return 0;
    if (!state->lent)
        state->lent = malloc(length);
    if (!state->lent)
        return -ENOMEM;
    memcpy(state->lent, state->data, length);
    int rc =
        uet_fep_region_add(fep->fep, &(const struct uet_region){.job_id = fep_job(op->job),
                                                                .pid_on_fep = SIM_PID,
                                                                .resource_index = SIM_RI_SOURCE,
                                                                .key = SIM_KEY_LENT + number,
                                                                .rights = UET_RIGHT_READ,
                                                                .base = state->lent,
                                                                .length = length});
    if (rc < 0)
        return rc;
    state->region = rc;
    state->lent_by = fep->incarnation;
    fep->n_lent++;
    return 0;
}

static void take_region_back(struct scenario *w, uint32_t number)
{
    struct op_state *state = &w->ops[number];
    struct sim_fep *fep = &w->feps[w->plan->ops[number].from];
    int rc = uet_fep_region_remove(fep->fep, state->region);

    if (rc == -EBUSY) /* read data is still to be sent out of it */
        return;
    if (rc)
        scenario_breach(w, SIM_LEAK, "", "the region of operation %u cannot be taken back: %s",
                        number, strerror(-rc));
    memset(state->lent, SIM_SEALED, op_length(w, number)); /* whoever reads it now reads this */
    state->lent_by = 0;
    fep->n_lent--;
    fep->dirty = true;
}

void take_regions_back(struct scenario *w, uint16_t i)
{
    for (uint32_t op = w->plan->n_put_off; w->feps[i].n_lent && op < w->plan->n_ops; op++)
        if (w->plan->ops[op].from == i && w->ops[op].lent_by == w->feps[i].incarnation &&
            w->ops[op].phase > OP_ACTIVE)
            take_region_back(w, op);
}
