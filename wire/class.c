/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/class.h"

typedef bool predicate(const struct uet_packet *p);

static bool is_any(const struct uet_packet *p)
{
    return p->pds != UET_H_NONE;
}

static bool is_not_syn(const struct uet_packet *p)
{
    return !uet_has_syn(p);
}

static bool is_retx(const struct uet_packet *p)
{
    return uet_rud_rod_req_retx(uet_pds(p));
}

static bool has_no_ses(const struct uet_packet *p)
{
    return uet_ack_next_hdr(uet_pds(p)) == UET_NH_NONE && !uet_ack_p(uet_pds(p));
}

static bool has_default(const struct uet_packet *p)
{
    return uet_is_ses_response(p) && uet_ses_rsp_opcode(uet_ses(p)) == UET_RSP_DEFAULT_RESPONSE;
}

static bool has_error(const struct uet_packet *p)
{
    return uet_is_ses_response(p) && uet_ses_rsp_return_code(uet_ses(p)) > UET_RC_OK;
}

static bool has_p(const struct uet_packet *p)
{
    return uet_ack_p(uet_pds(p));
}

static bool is_answer(const struct uet_packet *p)
{
    return uet_is_ack(p) || uet_is_nack(p);
}

static bool is_som(const struct uet_packet *p)
{
    return !uet_ses_has_offset(p);
}

static bool is_eom(const struct uet_packet *p)
{
    return uet_ses_req_eom(uet_ses(p));
}

static bool is_small_or_medium(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_SMALL || uet_is_ses_medium(p);
}

static bool is_read(const struct uet_packet *p)
{
    return uet_ses_req_opcode(uet_ses(p)) == UET_OP_READ;
}

static bool is_return_retx(const struct uet_packet *p)
{
    return uet_is_ses_response_data(p) && is_retx(p);
}

static bool is_rudi_request(const struct uet_packet *p)
{
    return p->pds == UET_H_RUDI_REQ;
}

static bool is_rudi_retx(const struct uet_packet *p)
{
    return uet_rudi_retx(uet_pds(p));
}

static bool is_rudi_response(const struct uet_packet *p)
{
    return p->pds == UET_H_RUDI_RESP;
}

/* A class: of this family, and this holds, too; or a Control Packet of this ctl_type. */
static const struct {
    const char *name;
    predicate *family, *also;
    uint8_t ctl_type;
} classes[UET_CLASS_COUNT] = {
    [UET_CLASS_ANY] = {"every packet", is_any, NULL, 0},
    [UET_CLASS_REQUEST] = {"Requests", uet_is_request, NULL, 0},
    [UET_CLASS_SYN] = {"syn Requests", uet_is_request, uet_has_syn, 0},
    [UET_CLASS_NOT_SYN] = {"Requests without syn", uet_is_request, is_not_syn, 0},
    [UET_CLASS_RETX] = {"retransmissions", uet_is_request, is_retx, 0},
    [UET_CLASS_ACK] = {"ACKs", uet_is_ack, NULL, 0},
    [UET_CLASS_ACK_CC] = {"ACK_CCs", uet_is_ack_cc, NULL, 0},
    [UET_CLASS_ACK_OF_CP] = {"ACKs of CPs", uet_is_ack, has_no_ses, 0},
    [UET_CLASS_ACK_DEFAULT] = {"ACKs with a default response", uet_is_ack, has_default, 0},
    [UET_CLASS_ACK_ERROR] = {"ACKs with an error response", uet_is_ack, has_error, 0},
    [UET_CLASS_ACK_DATA] = {"ACKs with read data", uet_is_ack, uet_is_ses_response_data, 0},
    [UET_CLASS_PROBE_ACK] = {"answers to Probes", uet_is_ack, has_p, 0},
    [UET_CLASS_NACK] = {"NACKs", uet_is_nack, NULL, 0},
    [UET_CLASS_ANSWER] = {"ACKs and NACKs", is_answer, NULL, 0},
    [UET_CLASS_CP] = {"CPs", uet_is_cp, NULL, 0},
    [UET_CLASS_CLOSE_COMMAND] = {"Close Commands", NULL, NULL, UET_CTL_CLOSE_COMMAND},
    [UET_CLASS_CLOSE_REQUEST] = {"Close Requests", NULL, NULL, UET_CTL_CLOSE_REQUEST},
    [UET_CLASS_CLEAR_COMMAND] = {"Clear Commands", NULL, NULL, UET_CTL_CLEAR_COMMAND},
    [UET_CLASS_ACK_REQUEST] = {"ACK Requests", NULL, NULL, UET_CTL_ACK_REQUEST},
    [UET_CLASS_CLEAR_REQUEST] = {"Clear Requests", NULL, NULL, UET_CTL_CLEAR_REQUEST},
    [UET_CLASS_SOM] = {"first packets", uet_is_ses_std, is_som, 0},
    [UET_CLASS_LATER] = {"later packets of a message", uet_ses_has_offset, NULL, 0},
    [UET_CLASS_EOM] = {"last packets", uet_is_ses_request, is_eom, 0},
    [UET_CLASS_SMALL_OR_MEDIUM] = {"small and medium Requests", is_small_or_medium, NULL, 0},
    [UET_CLASS_SES_REQUEST] = {"SES requests", uet_is_ses_request, NULL, 0},
    [UET_CLASS_READ] = {"READs", uet_is_ses_request, is_read, 0},
    [UET_CLASS_DATA] = {"read data", uet_is_ses_response_data, NULL, 0},
    [UET_CLASS_RETURN_DATA] = {"Requests with read data", uet_is_request, uet_is_ses_response_data,
                               0},
    [UET_CLASS_RETURN_RETX] = {"retransmissions of read data", uet_is_request, is_return_retx, 0},
    [UET_CLASS_RUDI_REQUEST] = {"RUDI Requests", is_rudi_request, NULL, 0},
    [UET_CLASS_RUDI_RETX] = {"RUDI Requests sent again", is_rudi_request, is_rudi_retx, 0},
    [UET_CLASS_RUDI_RESPONSE] = {"RUDI Responses", is_rudi_response, NULL, 0},
    [UET_CLASS_RUDI_DATA] = {"RUDI Responses with read data", is_rudi_response,
                             uet_is_ses_response_data, 0},
    [UET_CLASS_UUD] = {"UUD Requests", uet_is_uud, NULL, 0},
};

const char *uet_class_name(uint8_t class)
{
    if (class >= UET_CLASS_HEADER && class - UET_CLASS_HEADER < UET_H_COUNT)
        return uet_headers[class - UET_CLASS_HEADER].name;
    return class < UET_CLASS_COUNT ? classes[class].name : "unknown";
}

static bool has_header(const struct uet_packet *p, uint8_t id)
{
    return id != UET_H_NONE &&
           (p->pds == id || p->ses == id || p->cp_payload == id || p->cc_state == id);
}

bool uet_is_of(uint8_t class, const struct uet_packet *p)
{
    if (class >= UET_CLASS_HEADER)
        return has_header(p, (uint8_t)(class - UET_CLASS_HEADER));
    if (class >= UET_CLASS_COUNT || p->pds == UET_H_NONE)
        return false;
    if (!classes[class].family)
        return uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == classes[class].ctl_type;
    return classes[class].family(p) && (!classes[class].also || classes[class].also(p));
}
