/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for guaranteed responses and their clearing (3.5.20.2, 3.4.3.3). */
#include <string.h>

#include "rules/internal.h"

/*
 * Is this the response that has to be guaranteed? One failed packet fails its message, so one of
 * its responses is enough, whichever the target takes (3.4.3.3): only a message of one packet is
 * sure.
 */
static bool must_be_guaranteed(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_psn *psn = t->request;
    if (!psn || !t->message || psn->mixed || !uet_original_seen(psn) ||
        (t->was.clear_known && uet_psn_diff(psn->psn, t->was.clear_psn) <= 0))
        return false;
    const uint8_t *ses = uet_ses_of(psn);
    return ses && uet_ses_req_som(ses) && uet_ses_req_eom(ses);
}

/* 3.5.20.2.2, 3.5.11.8.6. */
static bool req_clear(const struct uet_ruling *r)
{
    return !r->t->forward && r->t->from_initiator_known && !uet_ack_p(r->pds) &&
           uet_carries_error(r) && uet_ack_req(r->pds) != UET_ACK_REQ_CLEAR &&
           must_be_guaranteed(r) &&
           uet_violates(r, "%s response with flags.req %s, required REQ_CLEAR",
                        uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(r->ses)),
                        uet_enum_name(UET_ENUM_PDS_ACK_REQ, uet_ack_req(r->pds)));
}

/* 3.4.3.6.2, 3.4.3.3: so is the answer to a send that was kept until its receive was posted. */
static bool kept_clear(const struct uet_ruling *r)
{
    return !r->t->forward && r->t->from_initiator_known && !uet_ack_p(r->pds) &&
           r->p->ses == UET_H_SES_RSP && uet_ses_rsp_list(r->ses) == UET_LIST_OVERFLOW &&
           uet_ses_rsp_return_code(r->ses) == UET_RC_OK &&
           uet_ack_req(r->pds) != UET_ACK_REQ_CLEAR && must_be_guaranteed(r) &&
           uet_violates(r, "list UET_OVERFLOW with flags.req %s, required REQ_CLEAR",
                        uet_enum_name(UET_ENUM_PDS_ACK_REQ, uet_ack_req(r->pds)));
}

/* 3.5.20.2.1: when CACK covers all that was sent, no response waits for a clear. */
static bool needless_clear(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t cack = uet_ack_cack_psn(r->pds);
    return !t->forward && !uet_ack_p(r->pds) && uet_ack_req(r->pds) == UET_ACK_REQ_CLEAR &&
           t->pdc->whole && r->p->ses != UET_H_SES_RSP && !r->p->error && t->was.psn_known &&
           uet_psn_diff(cack, t->was.highest_psn) >= 0 &&
           uet_violates(r, "REQ_CLEAR without a guaranteed response, CACK_PSN 0x%08x covers all",
                        cack);
}

/* Does it bring data that no clear has covered? They are guaranteed, each PSN's (3.5.12.1). */
static bool brings_data(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    return uet_is_ses_response_data(r->p) && t->pdc && !t->mismatch && t->request &&
           !(t->was.clear_known && uet_psn_diff(t->request->psn, t->was.clear_psn) <= 0);
}

/*
 * 3.5.20.2.1: what needs no clear does not hold CACK_PSN back. The PSN named is the next one, and
 * its response, a default one that says success, the last word.
 */
static bool cack_moves(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t psn = uet_packet_psn(r->p), cack = uet_ack_cack_psn(r->pds);
    bool next = !t->forward && t->was.cack_known && t->was.cack_psn + 1 == psn && t->request &&
                t->request->whole_seen;
    return next && !uet_ack_p(r->pds) && r->p->ses == UET_H_SES_RSP_DEFAULT && !r->p->error &&
           uet_ses_rsp_return_code(r->ses) == UET_RC_OK &&
           uet_ack_req(r->pds) != UET_ACK_REQ_CLEAR && uet_psn_diff(cack, psn) < 0 &&
           uet_violates(r, "CACK_PSN stays at 0x%08x, though PSN 0x%08x is answered by default",
                        cack, psn);
}

/* 3.5.20.2.2: CACK_PSN waits below a PSN whose guaranteed response is not cleared. */
static bool cack_waits(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    uint32_t cack = uet_ack_cack_psn(r->pds);
    if (uet_ack_p(r->pds))
        return false;
    /* The clear asked for may be that of another PSN (3.5.16.3). */
    if (uet_ack_req(r->pds) == UET_ACK_REQ_CLEAR && uet_ack_ack_psn_offset(r->pds) <= 0 &&
        (uet_carries_error(r) ? !t->pdc || must_be_guaranteed(r) : brings_data(r)))
        return uet_violates(r, "CACK_PSN 0x%08x covers PSN 0x%08x, whose response asks for a clear",
                            cack, uet_packet_psn(r->p));
    return r->ends && t->pdc && !t->mismatch && !t->pdc->closing && t->was.uncleared_known &&
           uet_psn_diff(cack, t->was.uncleared_psn) >= 0 &&
           uet_violates(r, "CACK_PSN 0x%08x covers PSN 0x%08x, whose response is not cleared", cack,
                        t->was.uncleared_psn);
}

/* 3.5.12.6: a stored response stays the same until it is cleared. */
static bool stored_response(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && psn->has_response && !psn->mixed && uet_original_seen(psn) &&
           uet_carries_error(r) && memcmp(psn->response, r->ses, sizeof psn->response) != 0 &&
           uet_violates(r, "PSN 0x%08x is answered with another error response than before",
                        psn->psn);
}

/* Was the Request that brought the CLEAR_PSN refused by a NACK? Then it may have cleared nothing.
 */
static bool clear_refused(const struct uet_tracked *t)
{
    const struct uet_track_psn *psn =
        t->was.clear_rides ? uet_track_find_psn(t->track, t->pdc, true, t->was.clear_on) : NULL;
    return psn && psn->renacked_by > t->was.clear_by;
}

/*
 * 3.5.20.1: what is cleared is freed, so a copy that came after the clear gets no stored response.
 * Sure only when there is one such copy, and the answer echoes it.
 */
static bool freed_response(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    const struct uet_track_dir *was = &r->t->was;
    return psn && psn->has_response && uet_carries_error(r) && uet_ack_retx(r->pds) &&
           psn->n_copies == 2 && !psn->copy[0].retx && psn->copy[1].retx && was->clear_known &&
           uet_psn_diff(psn->psn, was->clear_psn) <= 0 && psn->last.number > was->clear_by &&
           !clear_refused(r->t) &&
           uet_violates(r,
                        "PSN 0x%08x gets its error response again, though packet %u had cleared it",
                        psn->psn, was->clear_by);
}

/* 3.5.20.1: a duplicate of what was answered by default is answered by default. */
static bool default_again(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    return psn && psn->answered_default && psn->acked_by != r->t->number && !psn->mixed &&
           uet_original_seen(psn) && uet_ack_retx(r->pds) && r->p->ses == UET_H_SES_RSP &&
           uet_violates(r, "PSN 0x%08x was answered by default in packet %u, now with %s", psn->psn,
                        psn->acked_by,
                        uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(r->ses)));
}

static const struct uet_rule_row rows[] = {
    {{"PDS-074", "a cleared response is freed"},
     UET_ON_ACK,
     UET_NEEDS_SENDER | UET_WHEN_ERROR,
     freed_response},
    {{"PDS-075", "a guaranteed response asks for a clear"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_ERROR,
     req_clear},
    {{"SES-098", "the answer to a kept send asks for a clear"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_RESPONSE,
     kept_clear},
    {{"PDS-076", "no clear is asked for when nothing waits for it"},
     UET_ON_ACK,
     UET_NEEDS_ENDS | UET_WHEN_ASKS,
     needless_clear},
    {{"PDS-077", "CACK_PSN waits for the clear"},
     UET_ON_ACK,
     UET_WHEN_ASKS | UET_WHEN_ENDS,
     cack_waits},
    {{"PDS-079", "CACK_PSN does not wait for what needs no clear"},
     UET_ON_ACK,
     UET_NEEDS_SENDER,
     cack_moves},
    {{"PDS-087", "a stored response is repeated unchanged"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_ERROR,
     stored_response},
    {{"PDS-088", "a duplicate is answered by default as before"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_RESPONSE,
     default_again},
};

const struct uet_rule_table uet_rules_clear = UET_TABLE(rows);
