/* SPDX-License-Identifier: BSD-2-Clause */
/* The receives of FEPs: posted, posted again, and taken back by an application that wants them. */
#include <errno.h>
#include <string.h>

#include "sim/scenario/internal.h"

static struct uet_receive buffer_receive(const struct scenario *w, uint16_t i, uint32_t number)
{
    const struct buffer *buffer = &w->feps[i].buffers[number];

    return (struct uet_receive){.job_id = fep_job(buffer->job),
                                .pid_on_fep = SIM_PID,
                                .resource_index = SIM_RI,
                                .base = buffer->bytes,
                                .length = buffer_bytes(w, buffer),
                                .truncate = w->plan->truncate,
                                .token = number,
                                .tagged = buffer->tagged,
                                .any_initiator = buffer->any_initiator,
                                .initiator = buffer->initiator,
                                .match_bits = buffer->match_bits,
                                .ignore = buffer->ignore};
}

void fep_post_again(struct scenario *w, uint16_t i, uint32_t number)
{
    struct sim_fep *fep = &w->feps[i];
    struct buffer *buffer = &fep->buffers[number];
    const struct uet_receive receive = buffer_receive(w, i, number);

    if (!fep->up || buffer->posted || buffer->withdrawn || (buffer->last && !w->last))
        return;
    if (uet_fep_post_receive(fep->fep, &receive)) {
        scenario_breach(w, SIM_LEAK, "", "fep %u takes no receive although %u of %u are posted", i,
                        fep->n_posted, fep->n_buffers);
        return;
    }
    buffer->posted = true;
    buffer->given_up = promises_given_up(w, i);
    buffer->posted_event = ++w->events;
    fep->n_posted++;
    fep->dirty = true;
}

static void withdraw(struct scenario *w, uint16_t i, uint32_t number)
{
    struct sim_fep *fep = &w->feps[i];
    struct buffer *buffer = &fep->buffers[number];
    const struct uet_receive receive = buffer_receive(w, i, number);
    int rc = buffer->posted ? uet_fep_receive_remove(fep->fep, &receive) : -ENOENT;

    if (rc == -ENOENT) /* a message has it, or is to have it */
        return;
    if (rc)
        scenario_breach(w, SIM_COMPLETION, "", "fep %u does not give receive %u back: %s", i,
                        number, strerror(-rc));
    buffer->posted = false;
    buffer->withdrawn = true;
    fep->n_posted--;
}

static void post_back(struct scenario *w, uint16_t i, uint32_t number)
{
    struct buffer *buffer = &w->feps[i].buffers[number];

    if (!buffer->withdrawn)
        return;
    buffer->withdrawn = false;
    fep_post_again(w, i, number);
}

void withdraw_receives(struct scenario *w, uint32_t number)
{
    const struct sim_op *op = &w->plan->ops[number];
    struct sim_fep *fep = &w->feps[op->from];

    for (uint32_t n = 0; n < op->length && n < fep->n_buffers; n++) {
        uint32_t b = (uint32_t)(op->offset + n) % fep->n_buffers;
        if (fep->buffers[b].withdrawn)
            post_back(w, op->from, b);
        else
            withdraw(w, op->from, b);
    }
}

void post_last_receives(struct scenario *w)
{
    w->last = true;
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        for (uint32_t b = 0; b < w->feps[i].n_buffers; b++) {
            post_back(w, i, b);
            if (w->feps[i].buffers[b].last)
                fep_post_again(w, i, b);
        }
}
