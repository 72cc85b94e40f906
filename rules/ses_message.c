/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules between packets of a message (3.4.1.7, 3.4.1.14). The packets of a message take
 * consecutive PSNs (3.5.6), so a packet is compared with that of the PSN before it: both were
 * seen, and nothing can have stood between them.
 */
#include "rules/internal.h"

/* The SES header of the PSN before, a standard Request; NULL when it is not known. */
static const uint8_t *before(const struct uet_ruling *r)
{
    const struct uet_track_psn *b = r->t->before;
    bool std = b && uet_ses_id_is_std(b->ses);
    return std && !b->mixed && uet_is_ses_std(r->p) && !r->p->error ? uet_ses_of(b) : NULL;
}

/* The packet before, when this one goes on with its message. */
static const uint8_t *same_message(const struct uet_ruling *r)
{
    const uint8_t *b = before(r);
    bool goes_on = b && !uet_ses_req_eom(b) && !uet_ses_req_som(r->ses) &&
                   uet_ses_req_std_message_id(b) == uet_ses_req_std_message_id(r->ses);
    return goes_on ? b : NULL;
}

/* 3.5.6: a message begins after the last packet of the one before; one given up need not end. */
static bool interleaved(const struct uet_ruling *r)
{
    const uint8_t *b = before(r);
    if (!b || uet_ses_req_eom(b) || !uet_ses_req_som(r->ses) || !r->ends)
        return false;
    const struct uet_track_message *m = r->t->before->message;
    return m && !m->answered_with_error && !r->t->pdc->n_nacks &&
           uet_violates(r, "message %u begins before message %u has ended",
                        uet_ses_req_std_message_id(r->ses), uet_ses_req_std_message_id(b));
}

/* 3.4.1.14. */
static bool one_id(const struct uet_ruling *r)
{
    const uint8_t *b = before(r);
    return b && !uet_ses_req_eom(b) && !uet_ses_req_som(r->ses) &&
           uet_ses_req_std_message_id(b) != uet_ses_req_std_message_id(r->ses) &&
           uet_violates(r, "message_id is %u, the message goes on from %u",
                        uet_ses_req_std_message_id(r->ses), uet_ses_req_std_message_id(b));
}

/* 3.4.1.7.3: after an EOM comes a SOM. */
static bool som_after_eom(const struct uet_ruling *r)
{
    const struct uet_track_psn *b = r->t->before;
    const uint8_t *ses = b && !b->mixed && uet_was_request(b) ? uet_ses_of(b) : NULL;
    return ses && !r->p->error && uet_ses_req_eom(ses) && !uet_ses_req_som(r->ses) &&
           uet_violates(r, "som 0 right after the last packet of a message, required 1");
}

/* 3.4.2.1: the offset is the sum of the payloads before. A READ's SOM packet does not tell its. */
static bool offset(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r);
    if (!b)
        return false;
    uint32_t expected = r->t->before->payload_len;
    if (!uet_ses_req_som(b))
        expected = uet_ses_req_std_message_offset(b) + uet_ses_req_std_payload_length(b);
    else if (uet_ses_req_opcode(b) != UET_OP_WRITE && uet_ses_req_opcode(b) != UET_OP_SEND &&
             uet_ses_req_opcode(b) != UET_OP_TAGGED_SEND)
        return false;
    return uet_ses_message_offset(r->p) != expected &&
           uet_violates(r, "message_offset is %u, the payloads before end at %u",
                        uet_ses_message_offset(r->p), expected);
}

/* 3.4.2.1. */
static bool same_length(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r);
    return b && uet_ses_req_std_request_length(b) != uet_ses_request_length(r->p) &&
           uet_violates(r, "request_length is %u, it was %u in the packet before",
                        uet_ses_request_length(r->p), uet_ses_req_std_request_length(b));
}

/* Deferrable sends keep tokens in the place of buffer_offset (3.4.3.4). */
static bool has_buffer_offset(uint8_t op)
{
    return op != UET_OP_DEFERRABLE_SEND && op != UET_OP_DEFERRABLE_TSEND &&
           op != UET_OP_DEFERRABLE_RTR && op != UET_OP_MSG_ERROR;
}

/* 3.4.2.1. */
static bool same_offset(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r);
    return b && has_buffer_offset(uet_ses_req_opcode(r->ses)) &&
           uet_ses_req_buffer_offset(b) != uet_ses_req_buffer_offset(r->ses) &&
           uet_violates(r, "buffer_offset is 0x%llx, it was 0x%llx in the packet before",
                        (unsigned long long)uet_ses_req_buffer_offset(r->ses),
                        (unsigned long long)uet_ses_req_buffer_offset(b));
}

/* 3.4.1.7: all packets but the last carry one Payload MTU. */
static bool same_mtu(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r);
    uint8_t op = uet_ses_req_opcode(r->ses);
    if (!b || (op != UET_OP_WRITE && op != UET_OP_SEND && op != UET_OP_TAGGED_SEND))
        return false;
    uint16_t n = r->p->payload_len, mtu = r->t->before->payload_len;
    return (uet_ses_req_eom(r->ses) ? n > mtu : n != mtu) &&
           uet_violates(r, "%u payload bytes after a packet with %u", n, mtu);
}

/* 3.4.1.5.2: every WRITE packet carries the full address. */
static bool same_address(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r), *s = r->ses;
    if (!b || uet_ses_req_opcode(s) != UET_OP_WRITE || uet_ses_req_opcode(b) != UET_OP_WRITE)
        return false;
    bool same = uet_ses_req_rel(b) == uet_ses_req_rel(s) &&
                uet_ses_req_job_id(b) == uet_ses_req_job_id(s) &&
                uet_ses_req_pid_on_fep(b) == uet_ses_req_pid_on_fep(s) &&
                uet_ses_req_resource_index(b) == uet_ses_req_resource_index(s) &&
                uet_ses_req_match_bits_or_memory_key(b) == uet_ses_req_match_bits_or_memory_key(s);
    return !same &&
           uet_violates(r, "JobID, PIDonFEP, RI, rel or key differ from the packet before");
}

/* 3.4.1.3.4, 3.4.1.3.5: any packet of a tagged message may be the one that finds its receive. */
static bool same_tag(const struct uet_ruling *r)
{
    const uint8_t *b = same_message(r), *s = r->ses;
    bool same =
        !b || uet_ses_req_opcode(s) != UET_OP_TAGGED_SEND ||
        (uet_ses_req_initiator(b) == uet_ses_req_initiator(s) &&
         uet_ses_req_match_bits_or_memory_key(b) == uet_ses_req_match_bits_or_memory_key(s));
    return !same && uet_violates(r, "match_bits or initiator differ from the packet before");
}

/* 3.4.5.3.2: a message whose last packet was sent needs no early end. */
static bool ended_twice(const struct uet_ruling *r)
{
    const uint8_t *b = before(r);
    return b && uet_ses_req_opcode(r->ses) == UET_OP_MSG_ERROR && uet_ses_req_eom(b) &&
           uet_ses_req_std_message_id(b) == uet_ses_req_std_message_id(r->ses) &&
           uet_violates(r, "UET_MSG_ERROR for message %u, of which all was sent",
                        uet_ses_req_std_message_id(b));
}

/* 3.4.1.14: a message_id names one message at a time. */
static bool id_taken(const struct uet_ruling *r)
{
    return r->t->id_taken_by && uet_ses_req_som(r->ses) && uet_ses_message_id(r->p) &&
           r->t->pdc->whole && r->t->new_psn &&
           uet_violates(r, "message_id %u names the message that began in packet %u and goes on",
                        uet_ses_message_id(r->p), r->t->id_taken_by);
}

static const struct uet_rule_row rows[] = {
    {{"PDS-009", "messages are not interleaved"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_ENDS,
     interleaved},
    {{"SES-009", "message_offset follows the payloads before"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     offset},
    {{"SES-010", "request_length stays the same"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     same_length},
    {{"SES-012", "buffer_offset stays the same"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     same_offset},
    {{"SES-031", "a message keeps its message_id"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     one_id},
    {{"SES-041", "all packets but the last are full"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     same_mtu},
    {{"SES-043", "a message begins with SOM"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     som_after_eom},
    {{"SES-067", "every WRITE packet carries the full address"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     same_address},
    {{"SES-033", "a message_id names one message at a time"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_SENDER,
     id_taken},
    {{"SES-095", "a tagged message has one initiator and one tag"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_LATER,
     same_tag},
    {{"SES-126", "no UET_MSG_ERROR for a message that was sent to its end"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_PSN | UET_WHEN_RARE_OPCODE,
     ended_twice},
};

const struct uet_rule_table uet_rules_ses_message = UET_TABLE(rows);
