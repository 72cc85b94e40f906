/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The return direction at the initiator (I12): Requests of the target with read data. PSNs, window,
 * duplicates and ACKs are those of any Request (PDS-121); only what is done with them differs.
 */
#include "refimpl/pds/pds.h"

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
    bool last = false;
    uint32_t op = uet_ses_returned(fep, pdc->id, p, response, &last);
    about.response = response;
    if (op) {
        pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER; /* what it waits for comes */
        pdc->rx.n_asked = 0;
    }
    /* The last of it at once: a Close Command may follow, and must not overtake it (PDS-215). */
    uet_ack_decide(fep, pdc, p, &about, last);
    if (!op)
        return;
    uet_ses_may_end(fep, op);
    if (uet_ses_waits(fep) && uet_pdc_idle(fep, pdc)) /* it could make room */
        uet_ses_look_again(fep);
}
