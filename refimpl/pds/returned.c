/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The return direction at the initiator (I12): Requests of the target with read data. PSNs, window,
 * duplicates and ACKs are those of any Request (PDS-121); only what is done with them differs.
 */
#include "refimpl/pds/pds.h"
#include "refimpl/ses/state.h"

void uet_returned_accept(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p)
{
    struct ack_about about = uet_ack_about(p);
    uint8_t response[UET_SES_RSP_BYTES];
    if (uet_reply_scarce(fep)) {
        uet_nack_send(fep, p, UET_NACK_NO_PKT_BUFFER, pdc->id);
        return;
    }
    uet_sink_receive(fep, pdc, about.psn);
    COUNT(fep, rx_return_request);
    if (about.m)
        COUNT(fep, rx_ce);
    uint32_t op = uet_ses_read_find(fep, pdc, p);
    uet_ses_default_response(response, p); /* data is answered like anything else (SES-082) */
    if (op) {
        uet_ses_rsp_return_code_set(response, UET_RC_OK);
        uet_ses_rsp_modified_length_set(response, (uint32_t)op_at(fep, op)->call.length);
    }
    about.response = response;
    if (op) {
        pdc->close_deadline = UET_FEP_NEVER; /* what it waits for comes */
        pdc->n_asked = 0;
        uet_ses_read_take(fep, op, p);
    }
    /* The last of it at once: a Close Command may follow, and must not overtake it (PDS-215). */
    bool last = op && !uet_ses_read_missing(fep, op_at(fep, op));
    if (!UET_VIOLATES(fep, PDS_121))
        uet_ack_decide(fep, pdc, p, &about, last);
    if (!op)
        return;
    uet_ses_may_end(fep, pdc, op);
    if (fep->waiting_head && uet_pdc_idle(pdc)) /* it could make room for a waiting operation */
        fep->dispatch = true;
}
