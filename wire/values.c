/* SPDX-License-Identifier: BSD-2-Clause */
/* What a parsed packet says, whatever forms its headers have. */
#include <string.h>

#include "wire/packet.h"

/* ---- PDS ---- */

uint32_t uet_pkt_id(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (uet_is_rudi(p))
        return uet_rudi_pkt_id(h);
    return uet_is_nack_rudi(p) ? uet_nack_rudi_nack_pkt_id(h) : 0;
}

/* ---- SES requests ---- */

uint32_t uet_ses_request_length(const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    return uet_is_ses_std(p) ? uet_ses_req_std_request_length(s)
                             : uet_ses_req_short_request_length(s);
}

uint16_t uet_ses_message_id(const struct uet_packet *p)
{
    return uet_is_ses_std(p) ? uet_ses_req_std_message_id(uet_ses(p)) : 0;
}

uint32_t uet_ses_message_offset(const struct uet_packet *p)
{
    return uet_ses_has_offset(p) ? uet_ses_req_std_message_offset(uet_ses(p)) : 0;
}

uint64_t uet_ses_buffer_offset(const struct uet_packet *p)
{
    bool other = uet_is_ses_deferrable(p) || p->ses == UET_H_SES_REQ_MEDIUM_MSG;
    return other ? 0 : uet_ses_req_buffer_offset(uet_ses(p));
}

uint32_t uet_ses_initiator(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_SMALL ? 0 : uet_ses_req_initiator(uet_ses(p));
}

uint64_t uet_ses_match_bits(const struct uet_packet *p)
{
    bool none = p->ses == UET_H_SES_REQ_SMALL || p->ses == UET_H_SES_REQ_RTR;
    return none ? 0 : uet_ses_req_match_bits_or_memory_key(uet_ses(p));
}

bool uet_ses_header_data(const struct uet_packet *p, uint64_t *data)
{
    const uint8_t *s = uet_ses(p);
    bool medium = p->ses == UET_H_SES_REQ_MEDIUM_MSG;
    bool std = uet_is_ses_std(p) && !uet_ses_has_offset(p);
    *data = medium ? uet_ses_req_medium_header_data(s) : std ? uet_ses_req_std_header_data(s) : 0;
    return (medium || std) && uet_ses_req_hd(s);
}

bool uet_ses_restart_tokens(const struct uet_packet *p, uint32_t *initiator, uint32_t *target)
{
    const uint8_t *s = uet_ses(p);
    bool defer = uet_is_ses_deferrable(p), rtr = p->ses == UET_H_SES_REQ_RTR;
    *initiator = defer ? uet_ses_req_defer_irt(s) : rtr ? uet_ses_req_rtr_irt(s) : 0;
    *target = defer ? uet_ses_req_defer_trt(s) : rtr ? uet_ses_req_rtr_trt(s) : 0;
    return defer || rtr;
}

enum uet_header_id uet_memory_key(const struct uet_packet *p, const uint8_t **key)
{
    const uint8_t *s = uet_ses(p);
    *key = NULL;
    if (!uet_is_ses_request(p) || p->ses == UET_H_SES_REQ_SMALL)
        return UET_H_NONE;
    const uint8_t *at = s + 24; /* match_bits_or_memory_key, bit 192 of both forms that have it */
    enum uet_header_id id = uet_inside_ses_req(s, at);
    if (id != UET_H_NONE)
        *key = at;
    return id;
}

/* ---- SES responses with data ---- */

uint16_t uet_ses_data_length(const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    return p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_payload_length(s)
                                        : uet_ses_rsp_data_small_payload_length(s);
}

uint32_t uet_ses_data_offset(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_message_offset(uet_ses(p)) : 0;
}

uint16_t uet_ses_data_request(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_read_request_message_id(uet_ses(p)) : 0;
}

int64_t uet_payload_promised(const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    if (uet_is_ses_response_data(p))
        return uet_ses_data_length(p);
    if (!uet_is_ses_request(p))
        return 0; /* responses without data, Control Packets and NACKs carry none */
    switch (uet_ses_req_opcode(s)) {
    case UET_OP_SEND:
    case UET_OP_TAGGED_SEND:
    case UET_OP_DATAGRAM_SEND:
    case UET_OP_WRITE:
        break;
    case UET_OP_NO_OP:
    case UET_OP_READ:
    case UET_OP_DEFERRABLE_RTR:
    case UET_OP_MSG_ERROR:
        return 0;
    default:
        return -1;
    }
    if (p->ses == UET_H_SES_REQ_STD_SOM0)
        return uet_ses_req_std_payload_length(s);
    bool whole = uet_ses_req_som(s) && uet_ses_req_eom(s);
    return whole ? (int64_t)uet_ses_request_length(p) : -1;
}
