/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tester's ACK_CCs tell of bytes that have arrived: rcvd_bytes of NSCC's state (3.6.13.9).
 */
#include "conformance/harness/peer/peer.h"

#define MASK 0xffffffu

uint32_t uet_nominal_size(const struct uet_packet *p)
{
    return (uint32_t)(p->ip_end - (p->udp_offset ? p->udp_offset : p->entropy_offset)) +
           UET_NOMINAL_EXTRA;
}

/* The copy of that PSN that is counted; NULL: none, it was refused. */
static struct uet_in *counted_copy(const struct uet_pdc *pdc, uint32_t psn)
{
    for (struct uet_in *in = *uet_tc_of_psn(pdc->tc, psn); in; in = in->before)
        if (in->pdc == pdc && in->counted && uet_packet_psn(&in->packet) == psn)
            return in;
    return NULL;
}

void uet_peer_count(struct uet_pdc *pdc, struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;

    if (!uet_is_request(p) || (in->retransmission && counted_copy(pdc, uet_packet_psn(p))))
        return;
    in->counted = true;
    pdc->rcvd_bytes += uet_nominal_size(p);
}

/* a is after b, modulo 2^24. */
static bool is_after(uint32_t a, uint32_t b)
{
    return ((b - a) & MASK) > MASK / 2;
}

uint32_t uet_peer_rcvd(const struct uet_pdc *pdc)
{
    uint32_t units = uet_rcvd_units(pdc->rcvd_bytes);

    return is_after(units, pdc->rcvd_told) ? units : pdc->rcvd_told;
}

static bool tells_of_nscc(const struct uet_out *out)
{
    return uet_out_is(out, UET_PDS_ACK_CC) && out->pds_len >= UET_ACK_CC_BYTES && !out->trim_to &&
           uet_ack_cc_type(out->pds) == UET_CC_NSCC;
}

void uet_peer_told_rcvd(struct uet_pdc *pdc, const struct uet_out *out)
{
    if (uet_out_is(out, UET_PDS_NACK) && out->pds_len >= UET_NACK_BYTES) {
        struct uet_in *in = counted_copy(pdc, out->psn);
        if (!in)
            return;
        in->counted = false; /* what is refused has not arrived */
        pdc->rcvd_bytes -= uet_nominal_size(&in->packet);
    } else if (tells_of_nscc(out)) {
        const uint8_t *state = out->pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES;
        uint32_t told = uet_ack_cc_state_nscc_rcvd_bytes(state);
        if (is_after(told, pdc->rcvd_told))
            pdc->rcvd_told = told;
    }
}
