/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for READs and their data (3.4.1.5.3, 3.4.2.5, 3.4.4.2). */
#include "rules/internal.h"

static bool is_read(const struct uet_ruling *r)
{
    return uet_ses_req_opcode(r->ses) == UET_OP_READ && r->p->error == UET_PARSE_OK;
}

static bool is_mtu(uint32_t n)
{
    return n == 1024 || n == 2048 || n == 4096 || n == 8192;
}

/* 3.4.1.5.3: at most one Payload MTU, and in all Requests but the last exactly that. */
static bool one_mtu(const struct uet_ruling *r)
{
    uint32_t length = uet_ses_request_length(r->p);
    if (!is_read(r))
        return false;
    if (uet_ses_req_som(r->ses))
        return uet_ses_req_eom(r->ses) && length > 8192 &&
               uet_violates(r, "a READ of %u bytes in one Request, at most 8192", length);
    if (r->p->ses != UET_H_SES_REQ_STD_SOM0)
        return false;
    uint32_t asks = uet_ses_req_std_payload_length(r->ses);
    uint64_t end = (uint64_t)uet_ses_message_offset(r->p) + asks;
    bool last = uet_ses_req_eom(r->ses);
    if (last ? asks > 8192 : !is_mtu(asks))
        return uet_violates(r, "a READ Request asks for %u bytes, no Payload MTU", asks);
    return (last ? end != length : end >= length) &&
           uet_violates(r, "a READ Request asks up to %llu of %u bytes with eom %d",
                        (unsigned long long)end, length, last);
}

/* The SES header of the Request of the same READ with the PSN before; NULL: not known. */
static const uint8_t *read_before(const struct uet_ruling *r)
{
    const struct uet_track_psn *b = r->t->before;
    if (!is_read(r) || r->p->ses != UET_H_SES_REQ_STD_SOM0 || !b || b->mixed ||
        !uet_ses_id_is_std(b->ses))
        return NULL;
    const uint8_t *ses = uet_ses_of(b);
    bool same = uet_ses_req_opcode(ses) == UET_OP_READ && !uet_ses_req_eom(ses) &&
                uet_ses_req_std_message_id(ses) == uet_ses_message_id(r->p);
    return same ? ses : NULL;
}

/* The first Request asks for one MTU without saying so: the second begins behind that. */
static bool same_mtu(const struct uet_ruling *r)
{
    const uint8_t *b = read_before(r);
    if (!b)
        return false;
    uint32_t asks = uet_ses_req_std_payload_length(r->ses), at = uet_ses_message_offset(r->p);
    uint32_t mtu = uet_ses_req_som(b) ? at : uet_ses_req_std_payload_length(b);
    if (uet_ses_req_som(b) && !is_mtu(at))
        return uet_violates(r, "the second Request of a READ begins at %u, no Payload MTU", at);
    return (uet_ses_req_eom(r->ses) ? asks > mtu : asks != mtu) &&
           uet_violates(r, "a READ Request asks for %u bytes, the one before for %u", asks, mtu);
}

/* 3.4.1.5.3: what is read comes back, nothing goes. */
static bool no_payload(const struct uet_ruling *r)
{
    return is_read(r) && r->p->payload_len && r->p->crc_state != UET_CRC_UNCHECKED &&
           uet_violates(r, "a READ Request with %u bytes of payload", r->p->payload_len);
}

/* The Request that asked for the data, when it is sure which. */
static const struct uet_track_psn *asked(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->asked;
    bool sure = psn && !psn->mixed && uet_original_seen(psn) && uet_in_ses_req(psn->ses) &&
                uet_is_ses_response_data(r->p) && !r->p->error;
    return sure ? psn : NULL;
}

/* 3.4.2.5: in an ACK or RUDI Response the data is that of the Request answered. */
static bool names_read(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = asked(r);
    if (!psn || r->p->ses != UET_H_SES_RSP_DATA || !uet_ses_id_is_std(psn->ses))
        return false;
    uint16_t id = uet_ses_req_std_message_id(uet_ses_of(psn));
    return uet_ses_data_request(r->p) != id &&
           uet_violates(r, "read_request_message_id is %u, that of the Request is %u",
                        uet_ses_data_request(r->p), id);
}

/* 3.4.2.5: payload_length is the size of the payload. */
static bool data_length(const struct uet_ruling *r)
{
    return uet_is_ses_response_data(r->p) && r->p->error == UET_PARSE_OK &&
           r->p->crc_state != UET_CRC_UNCHECKED && uet_ses_data_length(r->p) != r->p->payload_len &&
           uet_violates(r, "payload_length is %u, the payload has %u bytes",
                        uet_ses_data_length(r->p), r->p->payload_len);
}

/* The place and length that a READ Request asks for; the first of several does not tell all. */
static bool data_place(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = asked(r);
    const uint8_t *ses = psn ? uet_ses_of(psn) : NULL;
    if (!ses || uet_ses_req_opcode(ses) != UET_OP_READ || r->p->ses != UET_H_SES_RSP_DATA)
        return false;
    bool inside = psn->ses == UET_H_SES_REQ_STD_SOM0;
    uint32_t at = inside ? uet_ses_req_std_message_offset(ses) : 0;
    uint32_t most = inside ? uet_ses_req_std_payload_length(ses) : 8192;
    if (uet_ses_data_offset(r->p) != at)
        return uet_violates(r, "message_offset is %u, that of the Request (packet %u) is %u",
                            uet_ses_data_offset(r->p), psn->copy[0].number, at);
    return uet_ses_data_length(r->p) > most &&
           uet_violates(r, "%u bytes of data, the Request (packet %u) asked for %u",
                        uet_ses_data_length(r->p), psn->copy[0].number, most);
}

static uint32_t request_length(const struct uet_track_psn *psn)
{
    const uint8_t *ses = uet_ses_of(psn);
    return uet_ses_id_is_std(psn->ses) ? uet_ses_req_std_request_length(ses)
                                       : uet_ses_req_short_request_length(ses);
}

/* The request_length of the READ; false when it is not known. */
static bool read_length(const struct uet_ruling *r, uint32_t *length)
{
    const struct uet_track_psn *psn = asked(r);
    const uint8_t *ses = psn ? uet_ses_of(psn) : NULL;
    if (!ses || uet_ses_req_opcode(ses) != UET_OP_READ)
        return false;
    *length = request_length(psn);
    return true;
}

/* 3.4.2.5. */
static bool whole_length(const struct uet_ruling *r)
{
    uint32_t length;
    if (r->p->ses != UET_H_SES_RSP_DATA || !read_length(r, &length) ||
        uet_is_error(uet_ses_rsp_return_code(r->ses)))
        return false;
    uint32_t modified = uet_ses_rsp_data_modified_length(r->ses);
    return modified != length &&
           uet_violates(r, "modified_length is %u, request_length of the READ is %u", modified,
                        length);
}

/* Both operands of a compare-and-swap count as payload (SES-166), but one element comes back. */
#define COMPARE_BYTES 32

/* 3.4.4: a fetching atomic works on one element (SES-165), which comes back whole. */
static bool one_element(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = asked(r);
    const uint8_t *ses = psn ? uet_ses_of(psn) : NULL;
    if (!ses || !uet_is_fetching_atomic(uet_ses_req_opcode(ses)) ||
        !uet_is_ses_response_data(r->p) || uet_is_error(uet_ses_rsp_return_code(r->ses)))
        return false;
    uint32_t length = request_length(psn);
    return length != COMPARE_BYTES && uet_ses_data_length(r->p) != length &&
           uet_violates(r, "%u bytes of data, the fetching atomic (packet %u) has an element of %u",
                        uet_ses_data_length(r->p), psn->copy[0].number, length);
}

/* 3.4.2.5, contested: an ACK names its PSN and the data the Request's. */
static bool small_names_psn(const struct uet_ruling *r)
{
    if (r->p->ses != UET_H_SES_RSP_DATA_SMALL || r->p->error || uet_ack_p(r->pds))
        return false;
    uint32_t named = uet_ses_rsp_data_small_original_request_psn(r->ses);
    return named != uet_packet_psn(r->p) &&
           uet_violates(r, "original_request_psn is 0x%08x in the ACK of PSN 0x%08x", named,
                        uet_packet_psn(r->p));
}

/* 3.4.4.2: the ACK of the Request tells of an error. */
static bool error_returns(const struct uet_ruling *r)
{
    return uet_is_ses_response_data(r->p) && uet_is_error(uet_ses_rsp_return_code(r->ses)) &&
           uet_violates(r, "%s in the return direction, errors stand in the ACK of the READ",
                        uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(r->ses)));
}

#define ON_DATA (UET_ON_REQUEST | UET_ON_ACK | UET_ON_RUDI_RESPONSE)

static const struct uet_rule_row rows[] = {
    {{"SES-071", "a READ Request asks for at most one Payload MTU"},
     UET_ON_SES_REQUEST,
     UET_WHEN_READ,
     one_mtu},
    {{"SES-071", "all READ Requests but the last ask for one Payload MTU"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_READ,
     same_mtu},
    {{"SES-072", "a READ Request has no payload"}, UET_ON_SES_REQUEST, UET_WHEN_READ, no_payload},
    {{"SES-077", "data names the READ that it answers"},
     UET_ON_ACK | UET_ON_RUDI_RESPONSE,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     names_read},
    {{"SES-078", "payload_length of data is the size of the payload"},
     ON_DATA,
     UET_WHEN_DATA,
     data_length},
    {{"SES-078", "data has the place that its Request asked for"},
     ON_DATA,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     data_place},
    {{"SES-079", "modified_length of data is that of the whole READ"},
     ON_DATA,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     whole_length},
    {{"SES-139", "a fetching atomic brings one element"},
     UET_ON_REQUEST | UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA,
     one_element},
    {{"SES-081", "data in the ACK of a short READ names its PSN"},
     UET_ON_ACK,
     UET_WHEN_DATA,
     small_names_psn},
    {{"SES-084", "an error of a READ stands in its ACK"},
     UET_ON_REQUEST,
     UET_WHEN_DATA,
     error_returns},
};

const struct uet_rule_table uet_rules_ses_read = UET_TABLE(rows);
