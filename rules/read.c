/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for read data and for what comes back on a PDC (3.5.8, 3.5.12.1, 3.5.20.2.5). */
#include "rules/internal.h"

static bool returns_data(uint8_t opcode)
{
    return opcode == UET_OP_READ || uet_is_fetching_atomic(opcode);
}

/* The largest setting of Max_ACK_Data_Size: what a FEP has set is not on the wire. */
static uint32_t max_ack_data(void)
{
    return (uint32_t)uet_param_find("Max_ACK_Data_Size")->high;
}

/* 3.5.8.1: data returns on the PDC of its read, and towards the initiator. */
static bool own_pdc(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (!uet_is_ses_response_data(r->p) || !t->pdc->opened_in_sight || r->p->error)
        return false;
    if (t->forward)
        return uet_violates(r, "read data from the initiator of the PDC");
    if (t->read)
        return !returns_data(t->read->opcode) &&
               uet_violates(r, "data of message %u, a %s", t->read->message_id,
                            uet_enum_name(UET_ENUM_SES_REQ_OPCODE, t->read->opcode));
    return r->ends && t->pdc->whole && !t->pdc->dir[0].unread &&
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
    if (!m || !uet_is_ses_response_data(r->p))
        return false;
    if (m->data_in_ack && m->data_in_request)
        return uet_violates(r, "data of read message %u comes both in ACKs and in Requests",
                            m->message_id);
    return uet_is_ack(r->p) && m->opcode == UET_OP_READ && m->request_length > max_ack_data() &&
           uet_violates(r, "data of a READ of %u bytes in an ACK, Max_ACK_Data_Size is at most %u",
                        m->request_length, max_ack_data());
}

/* 3.5.12.1: data in an ACK is guaranteed, so that the ACK asks for a clear. */
static bool asks_for_clear(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_psn *psn = t->request;
    if (!uet_is_ses_response_data(r->p) || uet_ack_p(r->pds) || t->forward || !psn || psn->mixed)
        return false;
    bool cleared = t->was.clear_known && uet_psn_diff(psn->psn, t->was.clear_psn) <= 0;
    return !cleared && uet_ack_req(r->pds) != UET_ACK_REQ_CLEAR &&
           uet_violates(r, "data of PSN 0x%08x in an ACK with flags.req %s, required REQ_CLEAR",
                        psn->psn, uet_enum_name(UET_ENUM_PDS_ACK_REQ, uet_ack_req(r->pds)));
}

/* 3.4.4: the same of a fetching atomic, whose result can be had but once. */
static bool result_asks_for_clear(const struct uet_ruling *r)
{
    const uint8_t *asked = r->t->request ? uet_ses_of(r->t->request) : NULL;
    return asked && uet_is_fetching_atomic(uet_ses_req_opcode(asked)) && asks_for_clear(r);
}

/* The Request that an ACK answers is a READ, and that is sure. */
static bool answers_read(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && !psn->mixed && uet_original_seen(psn) && uet_was_request(psn) &&
           uet_in_ses_req(psn->ses) && uet_ses_req_opcode(uet_ses_of(psn)) == UET_OP_READ;
}

/*
 * 3.5.20.2.5: when the data comes by itself the ACK says accepted, which needs no guarantee. Sure
 * where the clear that it asks for could be that of no other PSN.
 */
static bool accepted(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_is_ses_response_data(r->p))
        return uet_ses_data_length(r->p) > max_ack_data() &&
               uet_violates(r, "%u bytes of data in an ACK, Max_ACK_Data_Size is at most %u",
                            uet_ses_data_length(r->p), max_ack_data());
    if (!answers_read(r) || r->p->ses != UET_H_SES_RSP || !r->ends || !t->pdc->whole ||
        uet_is_error(uet_ses_rsp_return_code(r->ses)))
        return false;
    uint32_t psn = t->request->psn;
    return uet_ack_req(r->pds) == UET_ACK_REQ_CLEAR && t->was.highest_psn == psn &&
           uet_psn_diff(uet_ack_cack_psn(r->pds), psn - 1) >= 0 &&
           uet_violates(r, "the READ at PSN 0x%08x is accepted with REQ_CLEAR, which needs none",
                        psn);
}

static bool is_data(uint8_t ses)
{
    return ses == UET_H_SES_RSP_DATA || ses == UET_H_SES_RSP_DATA_SMALL;
}

/* 3.5.8: what comes in the return direction is answered like any Request, and not with data. */
static bool plain_ack(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint8_t next = uet_ack_next_hdr(r->pds);
    return t->request && t->forward && t->from_initiator_known && is_data(t->request->ses) &&
           (next == UET_NH_RESPONSE_DATA || next == UET_NH_RESPONSE_DATA_SMALL) &&
           uet_violates(r, "read data is acknowledged with data (next_hdr %u)", next);
}

/* 3.4.4.2 (SES-082): RC_OK for a part of the data speaks of the whole READ; RC_NULL of nothing. */
static bool tells_another_length(const struct uet_ruling *r, bool none)
{
    const struct uet_track_psn *psn = r->t->request;
    if (!psn || !r->t->forward || !r->t->from_initiator_known || psn->mixed ||
        !uet_original_seen(psn) || psn->ses != UET_H_SES_RSP_DATA ||
        r->p->ses != UET_H_SES_RSP_DEFAULT || uet_ses_rsp_return_code(r->ses) != UET_RC_OK)
        return false;
    uint32_t modified = uet_ses_rsp_modified_length(r->ses);
    uint32_t length = uet_ses_rsp_data_modified_length(uet_ses_of(psn));
    return modified != length && (modified == 0) == none &&
           uet_violates(r, "RC_OK with modified_length %u for data of a READ of %u bytes", modified,
                        length);
}

static bool whole_read(const struct uet_ruling *r)
{
    return tells_another_length(r, false);
}

/* One initiator takes RC_OK with 0 for all bytes (3.4.3.6.2): told, and held against nobody. */
static bool no_length_told(const struct uet_ruling *r)
{
    return tells_another_length(r, true);
}

/* 3.5.16.2: UET_ACK_WITH_DATA stands for an ACK that brought data. */
static bool had_data(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    if (uet_nack_nack_code(r->pds) != UET_NACK_ACK_WITH_DATA || !t->pdc || !t->pdc->whole)
        return false;
    const struct uet_track_psn *psn =
        uet_track_find_psn(t->track, t->pdc, !t->forward, uet_packet_psn(r->p));
    return psn && !psn->data_seen && !psn->mixed &&
           uet_violates(r, "UET_ACK_WITH_DATA for PSN 0x%08x, whose ACK brought none", psn->psn);
}

/* The lowest PSN with data that is not acknowledged, in the return direction; false: none. */
static bool data_outstanding(const struct uet_tracked *t, uint32_t *psn)
{
    const struct uet_track_dir *back = &t->pdc->dir[1];
    if (!back->psn_known || !back->runs_known)
        return false;
    for (*psn = back->acked_psn + 1; uet_psn_diff(*psn, back->highest_psn) <= 0; (*psn)++) {
        const struct uet_track_psn *p = uet_track_find_psn(t->track, t->pdc, false, *psn);
        if (p && uet_was_request(p) && !p->acked_by && !p->told_by)
            return true;
    }
    return false;
}

/*
 * Its own packets go first (T11): a target that asks for a close behind data, by Close Request or,
 * where its window is shut, by ACKs alone, says that it has given the data up (T16).
 */
static bool data_given_up(const struct uet_tracked *t, uint32_t psn)
{
    const struct uet_track_pdc *pdc = t->pdc;
    const struct uet_track_psn *data = uet_track_find_psn(t->track, pdc, false, psn);
    const struct uet_track_psn *last =
        uet_track_find_psn(t->track, pdc, false, pdc->dir[1].highest_psn);
    bool by_cp =
        last && uet_was_cp(last) && uet_cp_ctl_type(last->headers) == UET_CTL_CLOSE_REQUEST;
    return by_cp || (data && pdc->close_asked_by > data->last.number);
}

/* 3.5.8.3: the target does not agree to a close before its data is acknowledged. */
static bool closes_with_data(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t psn;
    return !t->forward && t->pdc->closing && !uet_ack_p(r->pds) && t->request &&
           t->request->psn == t->pdc->close_psn && data_outstanding(t, &psn) &&
           !data_given_up(t, psn) &&
           uet_violates(r, "the Close Command is acknowledged, but read data at PSN 0x%08x is not",
                        psn);
}

/* Has it had nothing to say on the PDC for so long that it may have given up what it waits for? */
static bool lost_patience(const struct uet_ruling *r)
{
    const uint32_t last = uet_packet_psn(r->p) - 1;
    const struct uet_track_psn *psn = uet_track_find_psn(r->t->track, r->t->pdc, true, last);
    return r->t->was.resent_known || (psn && uet_waited_long(r, psn));
}

/* 3.5.4: a PDC whose reads are not answered is not closed. A source that lost patience may. */
static bool close_waits(const struct uet_ruling *r)
{
    const struct uet_track_pdc *pdc = r->t->pdc;
    return uet_ctl(r) == UET_CTL_CLOSE_COMMAND && r->t->forward && !r->t->duplicate && pdc->whole &&
           pdc->n_reads_open && !pdc->failed && !pdc->n_nacks && !lost_patience(r) &&
           uet_violates(r, "Close Command while the data of %u reads has not come",
                        pdc->n_reads_open);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-013", "read data returns on the PDC of the read"},
     UET_ON_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_DATA,
     own_pdc},
    {{"PDS-014", "a restart comes on a PDC of the target"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_RARE_OPCODE,
     restart_pdc},
    {{"PDS-120", "the data of a read takes one way"},
     UET_ON_REQUEST | UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     one_way},
    {{"PDS-118", "data in an ACK asks for a clear"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     asks_for_clear},
    {{"SES-140", "a fetched value in an ACK asks for a clear"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     result_asks_for_clear},
    {{"PDS-119", "the ACK of a large read only accepts it"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA | UET_WHEN_RESPONSE,
     accepted},
    {{"PDS-121", "read data is acknowledged without data"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_FORWARD,
     plain_ack},
    {{"PDS-121", "RC_OK for read data tells the length of the READ"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_FORWARD,
     whole_read},
    {{"PDS-121", "RC_OK for read data tells a length"},
     UET_ON_ACK | UET_REPORTED,
     UET_NEEDS_PDC | UET_WHEN_FORWARD,
     no_length_told},
    {{"PDS-192", "UET_ACK_WITH_DATA stands for an ACK with data"},
     UET_ON_NACK,
     UET_NEEDS_SENDER,
     had_data},
    {{"PDS-211", "no close before the read data is acknowledged"},
     UET_ON_ACK,
     UET_NEEDS_SENDER | UET_WHEN_CLOSING,
     closes_with_data},
    {{"PDS-215", "no Close Command while reads are open"},
     UET_ON_CP,
     UET_NEEDS_SENDER,
     close_waits},
};

const struct uet_rule_table uet_rules_read = UET_TABLE(rows);
