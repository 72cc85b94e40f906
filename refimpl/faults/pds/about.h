/* SPDX-License-Identifier: BSD-2-Clause */
/* What a packet is, and which PDC it is about. */
#ifndef UET_REFIMPL_FAULTS_PDS_ABOUT_H
#define UET_REFIMPL_FAULTS_PDS_ABOUT_H

#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* ---- kinds ---- */

static inline bool is_cp_of(const struct uet_packet *p, uint8_t ctl_type)
{
    return uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == ctl_type;
}

static inline bool is_nack_of(const struct uet_packet *p, uint8_t code)
{
    return uet_is_nack(p) && !uet_is_nack_rudi(p) && uet_nack_nack_code(uet_pds(p)) == code;
}

/* A Request or a Control Packet, whole. */
static inline bool asks(const struct uet_packet *p)
{
    return (uet_is_request(p) || uet_is_cp(p)) && p->error == UET_PARSE_OK;
}

/* ---- the PDC; NULL when there is none, or the packet is of another kind ---- */

/* Of a Request, or a Control Packet, that comes. */
static inline struct pdc *pdc_of(struct uet_fep *fep, const struct uet_packet *p)
{
    if (!asks(p))
        return NULL;
    return uet_has_syn(p) ? uet_pdc_by_syn(fep, p) : uet_pdc_by_id(fep, uet_dpdcid(p));
}

/* The same of a ROD PDC. */
static inline struct pdc *rod_of(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = pdc_of(fep, p);
    return pdc && pdc->rod ? pdc : NULL;
}

/* The same of a Request. */
static inline struct pdc *requested(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_is_request(p) ? pdc_of(fep, p) : NULL;
}

/* The same of a Request from the address of the PDC's peer. */
static inline struct pdc *asked(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_ip from = uet_src_ip(p);
    struct pdc *pdc = requested(fep, p);
    return pdc && pdc->state != PDC_CLOSED && uet_ip_equal(&pdc->peer, &from) ? pdc : NULL;
}

/* Of an ACK that comes and says something of packets (a probe's does not). */
static inline struct pdc *acked(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_is_ack(p) && p->error == UET_PARSE_OK && !uet_ack_p(uet_pds(p))
               ? uet_pdc_by_id(fep, uet_dpdcid(p))
               : NULL;
}

/* Of a NACK that comes. */
static inline struct pdc *nacked(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_is_nack(p) && !uet_is_nack_rudi(p) && p->error == UET_PARSE_OK
               ? uet_pdc_by_id(fep, uet_dpdcid(p))
               : NULL;
}

/* The same of one for no packet that waits for its ACK. */
static inline struct pdc *of_stray(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = nacked(fep, p);
    return pdc && !uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(p))) ? pdc : NULL;
}

/* Of a Request, or a Control Packet, that leaves. */
static inline struct pdc *sends(struct uet_fep *fep, const struct uet_packet *p)
{
    return uet_is_request(p) || uet_is_cp(p) ? uet_pdc_by_id(fep, uet_spdcid(p)) : NULL;
}

/* Of an ACK that leaves, no probe's, where this FEP has that role. */
static inline struct pdc *acks_as(struct uet_fep *fep, const struct uet_packet *p, bool initiator)
{
    struct pdc *pdc =
        uet_is_ack(p) && !uet_ack_p(uet_pds(p)) ? uet_pdc_by_id(fep, uet_spdcid(p)) : NULL;
    return pdc && pdc->initiator == initiator ? pdc : NULL;
}

/* ---- the PSN of a packet that comes ---- */

static inline enum psn_place place_of(const struct uet_fep *fep, const struct pdc *pdc,
                                      const struct uet_packet *p)
{
    return uet_sink_place(fep, pdc, uet_packet_psn(p));
}

static inline bool lies_at(const struct uet_fep *fep, const struct pdc *pdc,
                           const struct uet_packet *p, enum psn_place place)
{
    return pdc && place_of(fep, pdc, p) == place;
}

/* A PDC and the PSN of its packet, for the memo. */
static inline uint64_t note_of(const struct pdc *pdc, const struct uet_packet *p)
{
    return (uint64_t)pdc->id << 32 | uet_packet_psn(p);
}

/* The hook `after` of a memo made by note_of: that PSN counts as received. */
static inline void noted_received(struct uet_fep *fep, uint64_t *memo)
{
    struct pdc *pdc = *memo ? uet_pdc_by_id(fep, (uint16_t)(*memo >> 32)) : NULL;
    uint32_t psn = (uint32_t)*memo;
    if (!pdc || uet_sink_place(fep, pdc, psn) == PSN_AHEAD)
        return;
    *memo = 0;
    if (uet_sink_place(fep, pdc, psn) == PSN_NEW)
        uet_sink_receive(fep, pdc, psn);
}

#endif
