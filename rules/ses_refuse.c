/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules for Requests that a target does not execute (3.4.2, 3.4.5): they are not answered with
 * success. Which error it is, and whether another one comes first, the rules leave open.
 */
#include "rules/internal.h"

/*
 * The Request that the answer is for, when that is sure and the answer the first word on it: a
 * duplicate is answered by default (3.5.13), and what fails a message fails it once.
 */
static const struct uet_track_psn *first_answered(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    bool request = psn && psn->n_copies == 1 && psn->whole_seen && !psn->trimmed_seen &&
                   uet_original_seen(psn) && uet_in_ses_req(psn->ses) &&
                   (uet_was_request(psn) || psn->pds == UET_H_RUDI_REQ);
    bool failed = request && psn->message && psn->message->answered_with_error;
    return request && !failed ? psn : NULL;
}

static bool succeeds(const struct uet_ruling *r)
{
    bool data = uet_is_ses_response_data(r->p);
    return (data || uet_is_ses_response(r->p)) && !r->p->error &&
           uet_ses_rsp_opcode(r->ses) != UET_RSP_NO_RESPONSE &&
           uet_ses_rsp_return_code(r->ses) == UET_RC_OK;
}

/* Is RC_OK the answer to a Request that is so? Its SES header is given. */
static bool wrongly_ok(const struct uet_ruling *r,
                       bool (*is)(const struct uet_track_psn *psn, const uint8_t *ses),
                       const char *what)
{
    const struct uet_track_psn *psn = r->t->request;
    bool asked = psn && uet_in_ses_req(psn->ses) && is(psn, uet_ses_of(psn)); /* rare: first */
    return asked && succeeds(r) && first_answered(r) &&
           uet_violates(r, "RC_OK for %s (packet %u)", what, psn->copy[0].number);
}

static bool other_version(const struct uet_track_psn *psn __attribute__((unused)),
                          const uint8_t *ses)
{
    return uet_ses_req_version(ses) != 0;
}

/* 3.4.2.1, contested: what a target does with another version. */
static bool version_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, other_version, "a Request of another SES version");
}

static bool part_of_short(const struct uet_track_psn *psn, const uint8_t *ses)
{
    return !uet_ses_id_is_std(psn->ses) && !(uet_ses_req_som(ses) && uet_ses_req_eom(ses));
}

/* 3.4.2.2, contested. */
static bool short_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, part_of_short, "a small or medium Request that is no whole message");
}

static bool reserved_opcode(const struct uet_track_psn *psn __attribute__((unused)),
                            const uint8_t *ses)
{
    uint8_t op = uet_ses_req_opcode(ses);
    return op >= 0x10 && op <= 0x2f; /* Table 3-17 */
}

/* 3.4.6.2. */
static bool opcode_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, reserved_opcode, "a reserved opcode");
}

static bool no_op_with_more(const struct uet_track_psn *psn, const uint8_t *ses)
{
    return uet_ses_req_opcode(ses) == UET_OP_NO_OP &&
           (psn->payload_len || !uet_ses_req_som(ses) || !uet_ses_req_eom(ses));
}

/* Table 3-17. */
static bool no_op_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, no_op_with_more, "a NO_OP that is not one empty packet");
}

/* Requests whose payload is the message and nothing else, with a standard header. */
static bool plain_std(const struct uet_track_psn *psn, const uint8_t *ses)
{
    uint8_t op = uet_ses_req_opcode(ses);
    return uet_ses_id_is_std(psn->ses) && !uet_ses_req_ie(ses) &&
           (op == UET_OP_WRITE || op == UET_OP_SEND || op == UET_OP_TAGGED_SEND);
}

static bool odd_first(const struct uet_track_psn *psn, const uint8_t *ses)
{
    uint16_t n = psn->payload_len;
    bool mtu = n == 1024 || n == 2048 || n == 4096 || n == 8192;
    return plain_std(psn, ses) && uet_ses_req_som(ses) && !mtu &&
           n < uet_ses_req_std_request_length(ses);
}

/* 3.4.1.7: the first packet has the whole message or one Payload MTU of it. */
static bool first_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, odd_first, "a first packet with neither all nor one Payload MTU");
}

static bool claims_more(const struct uet_track_psn *psn, const uint8_t *ses)
{
    return plain_std(psn, ses) && psn->ses == UET_H_SES_REQ_STD_SOM0 &&
           uet_ses_req_std_payload_length(ses) > psn->payload_len;
}

/* 3.4.2.1. */
static bool claim_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, claims_more, "a payload_length above the payload");
}

/*
 * The payload is what payload_length says; bytes behind it are none. A packet with SOM=1 says no
 * length of its own, and a target may cut it to request_length.
 */
static bool beyond(const struct uet_track_psn *psn, const uint8_t *ses)
{
    return plain_std(psn, ses) && psn->ses == UET_H_SES_REQ_STD_SOM0 &&
           (uint64_t)uet_ses_req_std_message_offset(ses) + uet_ses_req_std_payload_length(ses) >
               uet_ses_req_std_request_length(ses);
}

/* 3.4.2.1. */
static bool beyond_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, beyond, "a payload beyond request_length");
}

static bool once_only(const struct uet_track_psn *psn, const uint8_t *ses)
{
    uint8_t op = uet_ses_req_opcode(ses);
    return psn->pds == UET_H_RUDI_REQ &&
           (op == UET_OP_SEND || (op >= UET_OP_ATOMIC && op <= UET_OP_TSEND_FETCH_ATOMIC));
}

/* 3.5.7.3, contested: a target refuses what RUDI could execute twice. */
static bool rudi_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, once_only, "what may be executed once only, on RUDI");
}

static bool erroneous(const struct uet_track_psn *psn __attribute__((unused)), const uint8_t *ses)
{
    return uet_ses_req_ie(ses) && uet_ses_req_som(ses) && uet_ses_req_eom(ses);
}

/* 3.4.5.4.1. */
static bool ie_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, erroneous, "a message with ie 1");
}

static bool ends_early(const struct uet_track_psn *psn __attribute__((unused)), const uint8_t *ses)
{
    return uet_ses_req_opcode(ses) == UET_OP_MSG_ERROR;
}

/* 3.4.5.3.2. */
static bool msg_error_ok(const struct uet_ruling *r)
{
    return wrongly_ok(r, ends_early, "UET_MSG_ERROR");
}

/* 3.4.5: a message has one error, the first; which PSN tells it does not matter. */
static bool one_error(const struct uet_ruling *r)
{
    const struct uet_tracked *t = r->t;
    const struct uet_track_message *m = t->message;
    if (!m || !m->answered_with_error || !t->request || t->request->psn == m->error_psn ||
        !uet_carries_error(r) || t->request->mixed)
        return false;
    const struct uet_track_psn *first =
        uet_track_find_psn(t->track, t->pdc, !t->forward, m->error_psn);
    uint8_t code = uet_ses_rsp_return_code(r->ses);
    return first && first->has_response && uet_ses_rsp_return_code(first->response) != code &&
           uet_violates(
               r, "%s for a message that has failed with %s",
               uet_enum_name(UET_ENUM_SES_RETURN_CODE, code),
               uet_enum_name(UET_ENUM_SES_RETURN_CODE, uet_ses_rsp_return_code(first->response)));
}

#define ON_RESPONSE (UET_ON_ACK | UET_ON_RUDI_RESPONSE)

static const struct uet_rule_row rows[] = {
    {{"SES-004", "another SES version has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, version_ok},
    {{"SES-015", "part of a small or medium message has no success"},
     ON_RESPONSE,
     UET_NEEDS_ENDS,
     short_ok},
    {{"SES-024", "a reserved opcode has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, opcode_ok},
    {{"SES-029", "a NO_OP with more has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, no_op_ok},
    {{"SES-045", "an odd first packet has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, first_ok},
    {{"SES-046", "a payload that is not there has no success"},
     ON_RESPONSE,
     UET_NEEDS_ENDS,
     claim_ok},
    {{"SES-047", "a payload beyond the message has no success"},
     ON_RESPONSE,
     UET_NEEDS_ENDS,
     beyond_ok},
    {{"SES-089", "what RUDI may execute twice has no success"},
     ON_RESPONSE | UET_REPORTED,
     UET_NEEDS_ENDS,
     rudi_ok},
    {{"SES-112", "a message with ie 1 has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, ie_ok},
    {{"SES-116", "a message fails with one code"},
     ON_RESPONSE,
     UET_NEEDS_PDC | UET_WHEN_ERROR,
     one_error},
    {{"SES-127", "UET_MSG_ERROR has no success"}, ON_RESPONSE, UET_NEEDS_ENDS, msg_error_ok},
};

const struct uet_rule_table uet_rules_ses_refuse = UET_TABLE(rows);
