/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What of a PDC is in flight, as its congestion control context counts it (3.6.12): Requests, those
 * of the return direction too. Control Packets, ACKs and NACKs are not held back (3.6.1).
 */
#include "refimpl/pds/pds.h"

#define NOMINAL_EXTRA 40u  /* to transport_pktsize: IP and Ethernet, whatever they really are */
#define HEADERS_MOST  256u /* of a Request, and NOMINAL_EXTRA */

static struct ccc *ccc_of(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->ccc)
        pdc->ccc = (uint16_t)uet_ccc_join(fep, &pdc->peer, pdc->traffic_class, pdc->rod);
    return uet_ccc_at(fep, pdc->ccc);
}

bool uet_flight_may_send(struct uet_fep *fep, struct pdc *pdc)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    if (uet_cc_of(ccc)->may_send(fep, ccc))
        return true;
    uet_pdc_hold(fep, pdc);
    return false;
}

bool uet_flight_is_last(struct uet_fep *fep, struct pdc *pdc)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    return uet_cc_of(ccc)->may_send(fep, ccc) <= fep->config.payload_mtu + HEADERS_MOST;
}

void uet_flight_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet, size_t frame)
{
    struct ccc *ccc = ccc_of(fep, pdc);
    size_t ip = fep->config.address.version == 4 ? UET_IPV4_BYTES : UET_IPV6_BYTES;
    packet->inflight = (uint16_t)(frame - UET_ETH_BYTES - ip + NOMINAL_EXTRA);
    uet_cc_of(ccc)->sent(ccc, packet->inflight);
}

/* Whoever waits for the window may have what is free now. */
static void wake(struct uet_fep *fep, const struct ccc *ccc)
{
    if (ccc->waiting.head)
        uet_pdc_ready(fep, pdc_at(fep, ccc->waiting.head));
}

void uet_flight_passed(struct uet_fep *fep, const struct pdc *pdc)
{
    if (pdc->ccc && pdc->line != LINE_HELD)
        wake(fep, uet_ccc_at(fep, pdc->ccc));
}

void uet_flight_arrived(struct uet_fep *fep, const struct pdc *pdc, struct tx_packet *packet)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!packet->inflight)
        return;
    uet_cc_of(ccc)->acknowledged(ccc, packet->inflight);
    packet->inflight = 0;
    wake(fep, ccc);
}

void uet_flight_lost(struct uet_fep *fep, const struct pdc *pdc, struct tx_packet *packet)
{
    struct ccc *ccc = uet_ccc_at(fep, pdc->ccc);
    if (!packet->inflight)
        return;
    uet_cc_of(ccc)->lost(ccc, packet->inflight);
    packet->inflight = 0;
    wake(fep, ccc);
}
