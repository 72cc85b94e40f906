/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for read data and for what comes back on a PDC (3.5.8, 3.5.12.1, 3.5.20.2.5). */
#include "rules/internal.h"

/* 3.5.8.1: data returns on the PDC of its read, and towards the initiator. */
static bool own_pdc(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!uet_is_ses_response_data(r->p) || !t->pdc->opened_in_sight)
        return false;
    if (t->forward)
        return uet_violates(r, "read data from the initiator of the PDC");
    return r->vantage == UET_VANTAGE_BOTH && t->pdc->whole && !t->read && !r->p->error &&
           uet_violates(r, "read data of a read that this PDC never carried");
}

/* 3.5.6: the target opens a PDC of its own for the restart of a deferrable send. */
static bool restart_pdc(const struct uet_ruling *r)
{
    return uet_ses_req_opcode(r->ses) == UET_OP_DEFERRABLE_RTR && !r->t->forward &&
           r->t->pdc->opened_in_sight &&
           uet_violates(r, "UET_DEFERRABLE_RTR in the return direction of the deferred send's PDC");
}

/* 3.5.20.1: all data of a read takes one way. */
static bool one_way(const struct uet_ruling *r)
{
    const struct uet_track_message *m = r->t->read;
    return m && m->data_in_ack && m->data_in_request &&
           uet_violates(r, "data of read message %u comes both in ACKs and in Requests",
                        m->message_id);
}

/* 3.5.4: a PDC whose reads are not answered is not closed. A source that lost patience may. */
static bool close_waits(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return uet_ctl(r) == UET_CTL_CLOSE_COMMAND && r->t->forward && !r->t->duplicate && pdc->whole &&
           pdc->n_reads_open && !pdc->failed && !pdc->n_nacks && !r->t->was.resent_known &&
           uet_violates(r, "Close Command while the data of %u reads has not come",
                        pdc->n_reads_open);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-013", "read data returns on the PDC of the read"},
     UET_ON_REQUEST,
     UET_NEEDS_PSN,
     own_pdc},
    {{"PDS-014", "a restart comes on a PDC of the target"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN,
     restart_pdc},
    {{"PDS-120", "the data of a read takes one way"},
     UET_ON_REQUEST | UET_ON_ACK,
     UET_NEEDS_PDC,
     one_way},
    {{"PDS-215", "no Close Command while reads are open"},
     UET_ON_CP,
     UET_NEEDS_SENDER,
     close_waits},
};

const struct uet_rule_table uet_rules_read = UET_TABLE(rows);
