/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for one SES Request by itself (3.4.1, 3.4.2, Table 3-17). */
#include "rules/internal.h"

static uint8_t opcode_of(const struct uet_ruling *r)
{
    return uet_ses_req_opcode(r->ses);
}

static bool one_packet(const struct uet_ruling *r)
{
    return uet_ses_req_som(r->ses) && uet_ses_req_eom(r->ses);
}

/* Requests whose payload is the message and nothing else: no extension, nothing deferred. */
static bool plain_payload(const struct uet_ruling *r)
{
    uint8_t op = opcode_of(r);
    return (op == UET_OP_WRITE || op == UET_OP_SEND || op == UET_OP_TAGGED_SEND) &&
           r->p->error == UET_PARSE_OK && r->p->crc_state != UET_CRC_UNCHECKED;
}

/* 3.4.2.1: in SOM = 0 packets payload_length is the size of the payload. */
static bool payload_length(const struct uet_ruling *r)
{
    if (r->p->ses != UET_H_SES_REQ_STD_SOM0 || !plain_payload(r))
        return false;
    uint16_t length = uet_ses_req_std_payload_length(r->ses);
    return length != r->p->payload_len &&
           uet_violates(r, "payload_length is %u, the payload has %u bytes", length,
                        r->p->payload_len);
}

/* 3.4.2.1: request_length is the length of the whole message. */
static bool request_length(const struct uet_ruling *r)
{
    if (!plain_payload(r))
        return false;
    uint64_t length = uet_ses_request_length(r->p);
    uint64_t end = (uint64_t)uet_ses_message_offset(r->p) + r->p->payload_len;
    if (end > length)
        return uet_violates(r, "the payload ends at %llu, request_length is %llu",
                            (unsigned long long)end, (unsigned long long)length);
    return uet_ses_req_eom(r->ses) && end < length &&
           uet_violates(r, "the message ends at %llu, request_length is %llu",
                        (unsigned long long)end, (unsigned long long)length);
}

/* 3.4.2.2. */
static bool short_header(const struct uet_ruling *r)
{
    return !uet_is_ses_std(r->p) && !one_packet(r) &&
           uet_violates(r, "a small or medium header with som %d eom %d, required 1 and 1",
                        uet_ses_req_som(r->ses), uet_ses_req_eom(r->ses));
}

static bool short_length(const struct uet_ruling *r)
{
    return !uet_is_ses_std(r->p) && uet_ses_request_length(r->p) > 8192 &&
           uet_violates(r, "request_length %u in a small or medium header, at most 8192",
                        uet_ses_request_length(r->p));
}

/* Table 3-17. */
static bool no_op(const struct uet_ruling *r)
{
    if (opcode_of(r) != UET_OP_NO_OP || r->p->error)
        return false;
    if (uet_ses_request_length(r->p) || r->p->payload_len)
        return uet_violates(r, "NO_OP with request_length %u and %u payload bytes, required none",
                            uet_ses_request_length(r->p), r->p->payload_len);
    return !one_packet(r) && uet_violates(r, "NO_OP with som %d eom %d, required 1 and 1",
                                          uet_ses_req_som(r->ses), uet_ses_req_eom(r->ses));
}

/* 3.4.1.14. */
static bool message_id(const struct uet_ruling *r)
{
    return uet_is_request(r->p) && uet_is_ses_std(r->p) && !uet_ses_message_id(r->p) &&
           opcode_of(r) != UET_OP_DATAGRAM_SEND &&
           uet_violates(r, "message_id is 0 on RUD/ROD, required 1..65535");
}

/* 3.6.13: the last packet of a message asks for its ACK. Resends have a rule of their own. */
static bool last_asks(const struct uet_ruling *r)
{
    return uet_is_request(r->p) && uet_ses_req_eom(r->ses) && !uet_rud_rod_req_ar(r->pds) &&
           !uet_is_retx(r) && uet_violates(r, "the last packet of a message with ar 0");
}

/* 3.4.1.7: one of four sizes; all but the last packet of a message are full. */
static bool payload_mtu(const struct uet_ruling *r)
{
    uint16_t n = r->p->payload_len;
    return plain_payload(r) && !uet_ses_req_eom(r->ses) && n != 1024 && n != 2048 && n != 4096 &&
           n != 8192 &&
           uet_violates(r, "%u payload bytes before the last packet, no Payload MTU", n);
}

/* 3.4.5.3.2. */
static bool msg_error(const struct uet_ruling *r)
{
    if (opcode_of(r) != UET_OP_MSG_ERROR || r->p->error)
        return false;
    return (uet_ses_req_som(r->ses) || !uet_ses_req_eom(r->ses) || r->p->payload_len) &&
           uet_violates(r, "UET_MSG_ERROR with som %d eom %d and %u payload bytes, required 0 1 0",
                        uet_ses_req_som(r->ses), uet_ses_req_eom(r->ses), r->p->payload_len);
}

/* 3.4.4. */
static bool atomic(const struct uet_ruling *r)
{
    return uet_is_atomic(opcode_of(r)) && !one_packet(r) &&
           uet_violates(r, "an atomic with som %d eom %d, required 1 and 1",
                        uet_ses_req_som(r->ses), uet_ses_req_eom(r->ses));
}

/* 3.4.2.4: two operands of 16 bytes, whatever the datatype. */
static bool compare_and_swap(const struct uet_ruling *r)
{
    uint32_t length = uet_ses_request_length(r->p);
    return r->p->ext == UET_H_SES_EXT_CSWAP && !r->p->error && length != 32 &&
           uet_violates(r, "request_length of a compare-and-swap is %u, its operands have 32 bytes",
                        length);
}

/* 3.4.3.4: initiator_restart_token stands in the upper half of the buffer_offset place. */
static bool restart_token(const struct uet_ruling *r)
{
    uint8_t op = opcode_of(r);
    return (op == UET_OP_DEFERRABLE_SEND || op == UET_OP_DEFERRABLE_TSEND) &&
           r->p->ses == UET_H_SES_REQ_DEFER_SEND_SOM1 && !uet_ses_req_defer_irt(r->ses) &&
           uet_violates(r, "a deferrable send with initiator_restart_token 0");
}

/* 3.4.3.5: a rendezvous send brings eager_length bytes. */
static bool eager(const struct uet_ruling *r)
{
    if (!one_packet(r) || r->p->ext != UET_H_SES_EXT_RENDEZVOUS || r->p->error ||
        r->p->crc_state == UET_CRC_UNCHECKED)
        return false;
    uint32_t length = uet_ses_ext_rendezvous_eager_length(uet_ses_ext(r->p));
    return length != r->p->payload_len &&
           uet_violates(r, "eager_length is %u, the payload has %u bytes", length,
                        r->p->payload_len);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-126", "the last packet of a message asks for an ACK"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_NOTHING,
     last_asks},
    {{"SES-009", "payload_length is the size of the payload"},
     UET_ON_SES_REQUEST,
     UET_WHEN_LATER,
     payload_length},
    {{"SES-010", "request_length is the length of the message"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_NOTHING,
     request_length},
    {{"SES-014", "small and medium headers carry whole messages"},
     UET_ON_SES_REQUEST,
     UET_WHEN_SHORT,
     short_header},
    {{"SES-016", "small and medium messages have at most 8192 bytes"},
     UET_ON_SES_REQUEST,
     UET_WHEN_SHORT,
     short_length},
    {{"SES-027", "NO_OP is one empty packet"}, UET_ON_SES_REQUEST, UET_WHEN_RARE_OPCODE, no_op},
    {{"SES-030", "message_id is not 0"},
     UET_ON_SES_REQUEST | UET_REPORTED,
     UET_NEEDS_NOTHING,
     message_id},
    {{"SES-042", "the Payload MTU is 1024, 2048, 4096 or 8192"},
     UET_ON_SES_REQUEST,
     UET_WHEN_MORE,
     payload_mtu},
    {{"SES-125", "the form of UET_MSG_ERROR"}, UET_ON_SES_REQUEST, UET_WHEN_RARE_OPCODE, msg_error},
    {{"SES-155", "a rendezvous send brings eager_length bytes"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     eager},
    {{"SES-138", "an atomic is one packet"}, UET_ON_SES_REQUEST, UET_WHEN_RARE_OPCODE, atomic},
    {{"SES-166", "a compare-and-swap counts both its operands"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     compare_and_swap},
    {{"SES-143", "a deferrable send has a restart token"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     restart_token},
};

const struct uet_rule_table uet_rules_ses_request = UET_TABLE(rows);
