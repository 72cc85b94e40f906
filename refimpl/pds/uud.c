/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UUD (3.5.7.4): a packet is sent once and forgotten; what comes is delivered or dropped, and
 * nothing is ever sent back (PDS-006, PDS-181).
 */
#include "refimpl/edge.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

size_t uet_uud_transmit(struct uet_fep *fep, uint8_t *buffer, size_t cap)
{
    struct ses_segment seg;
    struct uet_build b;
    if (!uet_ses_next_datagram(fep, &seg))
        return 0;
    struct uet_edge_route route = {.to = *uet_ses_destination(fep, seg.op),
                                   .entropy = uet_entropy_any(fep),
                                   .what = UET_EDGE_SINGLE};
    (void)uet_sd_of_begun(fep, uet_ses_begun(fep, seg.op), uet_ses_job(fep, seg.op), &route.to,
                          &route.tss);
    uet_edge_begin(fep, &b, buffer, cap, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_UUD_REQ);
    uet_uud_req_type_set(h, UET_PDS_UUD_REQ);
    uet_uud_req_next_hdr_set(h, uet_ses_write(fep, &seg, &b));
    COUNT(fep, tx_uud);
    uet_ses_datagram_sent(fep, seg.op);
    return uet_edge_finish(fep, &b);
}

void uet_uud_request(struct uet_fep *fep, const struct uet_packet *p)
{
    COUNT(fep, rx_uud);
    if (uet_edge_trimmed(p)) { /* PDS-184 */
        COUNT(fep, drop_uud_trimmed);
        return;
    }
    uet_ses_datagram(fep, p); /* the flags mean nothing (PDS-182) */
}
