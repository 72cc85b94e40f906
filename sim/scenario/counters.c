/* SPDX-License-Identifier: BSD-2-Clause */
/* What FEPs count of themselves. */
#include <string.h>

#include "sim/scenario/internal.h"

uint64_t fep_counter(const struct sim_fep *fep, const char *name)
{
    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        if (!strcmp(uet_fep_counter_name(i), name))
            return uet_fep_counter(fep->fep, i);
    return 0; /* a FEP without this counter never did that */
}

uint64_t promises_given_up(const struct scenario *w, uint16_t i)
{
    return w->plan->n_put_off < w->plan->n_ops ? fep_counter(&w->feps[i], "ses_held_given_up") : 0;
}

/* Asked for every ACK: the names are looked up once for each scenario. */
void fep_find_counters(struct scenario *w)
{
    static const char *const names[] = {"pdc_opened_initiator", "pdc_opened_target"};

    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
            if (!strcmp(uet_fep_counter_name(i), names[n]))
                w->opened_counters[w->n_opened_counters++] = i;
}

/* Not when their close begins: one closed in error may say Close Command for some time. */
uint64_t fep_pdcs_gone(const struct scenario *w, uint16_t i)
{
    uint64_t n = 0;

    for (size_t c = 0; c < w->n_opened_counters; c++)
        n += uet_fep_counter(w->feps[i].fep, w->opened_counters[c]);
    return n - uet_fep_pdcs(w->feps[i].fep, true) - uet_fep_pdcs(w->feps[i].fep, false);
}
