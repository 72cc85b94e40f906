/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/law.h"

#include <string.h>

#include "refimpl/state.h"

/* What older versions had (config.spec). */
static void edit_for_version(struct uet_fep *fep)
{
    struct ses_op *ops = fep->law.ses.ops;
    if (fep->config.spec != UET_SPEC_1_0_3) /* a datagram was a message like others (SES-035) */
        ops[UET_OP_DATAGRAM_SEND].unnumbered = false;
}

/* What this FEP chose where the specification is free (config.choices). */
static void edit_for_choices(struct uet_fep *fep)
{
    const struct uet_fep_choices *choices = &fep->config.choices;
    struct ses_op *ops = fep->law.ses.ops;
    if (choices->no_no_op)
        ops[UET_OP_NO_OP].takes = 0;
    if (choices->guarantees_all)
        fep->law.ses.is_news = uet_ses_every_end_is_news;
    for (uint32_t i = 0; choices->reads_alone && i <= UET_OP_MSG_ERROR; i++)
        ops[i].segment = uet_ses_segment_alone;
}

void uet_law_make(struct uet_fep *fep)
{
    memcpy(fep->law.nacks, uet_nack_table, sizeof fep->law.nacks);
    uet_ses_law_make(&fep->law.ses);
    edit_for_version(fep);
    edit_for_choices(fep);
    uet_faults_rows(fep);
    uet_ses_law_order(&fep->law.ses);
}
