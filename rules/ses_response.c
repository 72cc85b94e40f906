/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for SES responses (3.4.2.5, Tables 3-11, 3-18, 3-19, 3-43). */
#include "rules/internal.h"

static uint8_t opcode_of(const struct uet_ruling *r)
{
    return uet_ses_rsp_opcode(r->ses);
}

static uint8_t code_of(const struct uet_ruling *r)
{
    return uet_ses_rsp_return_code(r->ses);
}

static const char *code_name(const struct uet_ruling *r)
{
    return uet_enum_name(UET_ENUM_SES_RETURN_CODE, code_of(r));
}

/* 3.4.2.6: data needs the header that tells its length. */
static bool data_format(const struct uet_ruling *r)
{
    return opcode_of(r) == UET_RSP_RESPONSE_W_DATA &&
           uet_violates(r, "UET_RESPONSE_W_DATA with next_hdr 4, required 5 or 6");
}

/* 3.4.2.6: a Request that asks for no data is answered without. */
static bool data_for_nothing(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    uint8_t next = uet_ack_next_hdr(r->pds);
    if ((next != UET_NH_RESPONSE_DATA && next != UET_NH_RESPONSE_DATA_SMALL) || !psn ||
        psn->mixed || !uet_original_seen(psn) || !psn->ses || !uet_was_request(psn))
        return false;
    uint8_t op = uet_ses_req_opcode(uet_ses_of(psn));
    return (op == UET_OP_NO_OP || op == UET_OP_WRITE || op == UET_OP_SEND ||
            op == UET_OP_TAGGED_SEND) &&
           uet_violates(r, "next_hdr is %u in the answer to %s, required 4", next,
                        uet_enum_name(UET_ENUM_SES_REQ_OPCODE, op));
}

/* Table 3-18. */
static bool default_response(const struct uet_ruling *r)
{
    if (opcode_of(r) != UET_RSP_DEFAULT_RESPONSE)
        return false;
    if (uet_ses_rsp_list(r->ses) != UET_LIST_EXPECTED)
        return uet_violates(r, "UET_DEFAULT_RESPONSE with list %u, required UET_EXPECTED",
                            uet_ses_rsp_list(r->ses));
    return uet_is_error(code_of(r)) &&
           uet_violates(r, "UET_DEFAULT_RESPONSE with %s, only RC_NULL or RC_OK", code_name(r));
}

/* Table 3-18. */
static bool error_opcode(const struct uet_ruling *r)
{
    return uet_is_error(code_of(r)) && opcode_of(r) != UET_RSP_RESPONSE &&
           opcode_of(r) != UET_RSP_RESPONSE_W_DATA &&
           uet_violates(r, "%s in opcode %u, errors are sent as UET_RESPONSE", code_name(r),
                        opcode_of(r));
}

/* Table 3-11. */
static bool error_length(const struct uet_ruling *r)
{
    uint32_t length = uet_ses_rsp_modified_length(r->ses);
    return opcode_of(r) == UET_RSP_RESPONSE && uet_is_error(code_of(r)) && length &&
           uet_violates(r, "%s with modified_length %u, required 0", code_name(r), length);
}

/* Was a copy seen that the ACK, by its retx, may answer? At one end all of them were. */
static bool copy_seen(const struct uet_ruling *r, const struct uet_track_psn *psn)
{
    for (uint32_t i = 0; i < psn->n_copies && i < UET_TRACK_COPIES; i++)
        if (psn->copy[i].retx == uet_ack_retx(r->pds))
            return true;
    return r->ends;
}

/* The SES Request that the response answers, or NULL when it is not sure which. */
static const uint8_t *request_of(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    bool request = psn && !psn->mixed && uet_original_seen(psn) && copy_seen(r, psn) &&
                   uet_was_request(psn) && uet_in_ses_req(psn->ses);
    return request ? uet_ses_of(psn) : NULL;
}

/* Small and medium Requests have no message_id: 0 (3.4.2.2). */
static uint16_t request_id(const struct uet_ruling *r, const uint8_t *request)
{
    return uet_ses_id_is_std(r->t->request->ses) ? uet_ses_req_std_message_id(request) : 0;
}

/* Table 3-11. What stands in message_id for a Request without one is not settled. */
static bool copied(const struct uet_ruling *r)
{
    const uint8_t *request = request_of(r);
    if (!request || opcode_of(r) != UET_RSP_RESPONSE)
        return false;
    uint16_t id = request_id(r, request);
    if (id && uet_ses_rsp_message_id(r->ses) != id)
        return uet_violates(r, "message_id is %u, that of the Request is %u",
                            uet_ses_rsp_message_id(r->ses), id);
    return uet_ses_rsp_job_id(r->ses) != uet_ses_req_job_id(request) &&
           uet_violates(r, "job_id is 0x%06x, that of the Request is 0x%06x",
                        uet_ses_rsp_job_id(r->ses), uet_ses_req_job_id(request));
}

/* Table 3-43: a default response takes them from the Request (if it has one), or says 0. */
static bool default_fields(const struct uet_ruling *r)
{
    const uint8_t *request = request_of(r);
    if (!request || opcode_of(r) == UET_RSP_RESPONSE || opcode_of(r) == UET_RSP_RESPONSE_W_DATA)
        return false;
    uint16_t id = uet_ses_rsp_message_id(r->ses);
    uint32_t job = uet_ses_rsp_job_id(r->ses);
    if (id && request_id(r, request) && id != request_id(r, request))
        return uet_violates(r, "message_id is %u in a default response, required %u or 0", id,
                            request_id(r, request));
    return job && job != uet_ses_req_job_id(request) &&
           uet_violates(r, "job_id is 0x%06x in a default response, required 0x%06x or 0", job,
                        uet_ses_req_job_id(request));
}

/* Bytes of the message, whatever its header. */
static uint32_t request_length(const struct uet_ruling *r, const uint8_t *request)
{
    return uet_ses_id_is_std(r->t->request->ses) ? uet_ses_req_std_request_length(request)
                                                 : uet_ses_req_short_request_length(request);
}

/* What it says goes into memory of the target. */
static bool brings(uint8_t op)
{
    return op == UET_OP_NO_OP || op == UET_OP_WRITE || op == UET_OP_SEND ||
           op == UET_OP_TAGGED_SEND || op == UET_OP_DEFERRABLE_SEND ||
           op == UET_OP_DEFERRABLE_TSEND || op == UET_OP_RENDEZVOUS_SEND ||
           op == UET_OP_RENDEZVOUS_TSEND || op == UET_OP_ATOMIC || op == UET_OP_TSEND_ATOMIC;
}

/* Table 3-11: the target changes no more bytes than the message has. */
static bool success_length(const struct uet_ruling *r)
{
    const uint8_t *request = request_of(r);
    if (!request || !brings(uet_ses_req_opcode(request)) || opcode_of(r) != UET_RSP_RESPONSE ||
        uet_is_error(code_of(r)))
        return false;
    uint32_t modified = uet_ses_rsp_modified_length(r->ses), length = request_length(r, request);
    return modified > length &&
           uet_violates(r, "modified_length is %u, request_length is %u", modified, length);
}

/* Table 3-11: of a WRITE it is the whole message in the answer to each packet, by default or 0. */
static bool part_length(const struct uet_ruling *r)
{
    const uint8_t *request = request_of(r);
    bool by_default = opcode_of(r) == UET_RSP_DEFAULT_RESPONSE;
    if (!request || uet_ses_req_opcode(request) != UET_OP_WRITE || code_of(r) != UET_RC_OK ||
        !(by_default || opcode_of(r) == UET_RSP_RESPONSE))
        return false;
    uint32_t modified = uet_ses_rsp_modified_length(r->ses), length = request_length(r, request);
    bool part = by_default ? modified && modified != length : modified < length;
    return part && uet_violates(r, "modified_length is %u, request_length is %u", modified, length);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-089", "a default response names its Request or nothing"},
     UET_ON_SES_RESPONSE,
     UET_NEEDS_PDC,
     default_fields},
    {{"SES-007", "only what asks for data is answered with it"},
     UET_ON_ACK,
     UET_NEEDS_PDC | UET_WHEN_DATA | UET_WHEN_MALFORMED,
     data_for_nothing},
    {{"SES-007", "data stands behind next_hdr 5 or 6"},
     UET_ON_SES_RESPONSE,
     UET_WHEN_RESPONSE,
     data_format},
    {{"SES-119", "a default response is RC_NULL or RC_OK, UET_EXPECTED"},
     UET_ON_SES_RESPONSE,
     UET_NEEDS_NOTHING,
     default_response},
    {{"SES-120", "an error is sent as UET_RESPONSE"},
     UET_ON_SES_RESPONSE,
     UET_WHEN_ERROR,
     error_opcode},
    {{"SES-122", "a response copies message_id and JobID"},
     UET_ON_SES_RESPONSE,
     UET_NEEDS_PDC | UET_WHEN_RESPONSE,
     copied},
    {{"SES-124", "modified_length is at most request_length"},
     UET_ON_SES_RESPONSE,
     UET_NEEDS_PDC | UET_WHEN_RESPONSE,
     success_length},
    {{"SES-173", "modified_length speaks of the whole message"},
     UET_ON_SES_RESPONSE,
     UET_NEEDS_PDC,
     part_length},
    {{"SES-123", "modified_length is 0 on errors"},
     UET_ON_SES_RESPONSE,
     UET_WHEN_ERROR,
     error_length},
};

const struct uet_rule_table uet_rules_ses_response = UET_TABLE(rows);
