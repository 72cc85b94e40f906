/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for requests without a PDC: RUDI and UUD (3.5.7.3, 3.5.7.4, 3.5.10.9, 3.5.10.12). */
#include "rules/internal.h"

/* 3.5.7.3: a pkt_id names one packet among those not answered. */
static bool unique_id(const struct uet_ruling *r)
{
    return r->t->pkt_id_in_use &&
           uet_violates(r, "pkt_id 0x%08x is that of packet %u, which is not answered",
                        r->t->pkt_id, r->t->previous_frame);
}

/* 3.5.7.3: the Response copies pkt_id. Only where nothing was sent unseen. */
static bool known_id(const struct uet_ruling *r)
{
    return !r->t->request && uet_track_from_start(r->t->track) &&
           uet_violates(r, "pkt_id 0x%08x was never requested", r->t->pkt_id);
}

/* 3.5.22: what was answered is not sent again. */
static bool answered_again(const struct uet_ruling *r)
{
    const struct uet_track_psn *own = r->t->own;
    return r->t->duplicate && own->acked_by && r->t->previous_frame < own->acked_by &&
           own->told_ns < r->t->time_ns && own->renacked_by < own->acked_by &&
           uet_violates(r, "pkt_id 0x%08x again, which packet %u had answered", r->t->pkt_id,
                        own->acked_by);
}

/* 3.5.10.9: a resend says so. Elsewhere an equal frame may be one captured twice. */
static bool resend_retx(const struct uet_ruling *r)
{
    return r->t->duplicate && !uet_rudi_retx(r->pds) &&
           uet_violates(r, "pkt_id 0x%08x again (packet %u) with retx 0", r->t->pkt_id,
                        r->t->previous_frame);
}

/* 3.5.10.9: in a Request the place of m is reserved. */
static bool request_m(const struct uet_ruling *r)
{
    return uet_rudi_resp_m(r->pds) && uet_violates(r, "flags.m is 1 in a RUDI Request, required 0");
}

/* 3.5.10.9: m echoes CE. */
static bool echo_m(const struct uet_ruling *r)
{
    const struct uet_track_psn *psn = r->t->request;
    bool m = uet_rudi_resp_m(r->pds);
    if (!psn || psn->n_copies > UET_TRACK_COPIES)
        return false;
    for (uint32_t i = 0; i < psn->n_copies; i++)
        if ((psn->copy[i].ecn == UET_ECN_CE) == m)
            return false;
    return uet_violates(r, "flags.m is %d, the Request (packet %u) came with ECN %u", m,
                        psn->last.number, psn->last.ecn);
}

/* 3.5.10.10. */
static bool nack_layout(const struct uet_ruling *r)
{
    if (uet_nack_rudi_spdcid(r->pds) || uet_nack_rudi_dpdcid(r->pds))
        return uet_violates(
            r, "spdcid 0x%04x and dpdcid 0x%04x in the NACK of a RUDI packet, required 0",
            uet_nack_rudi_spdcid(r->pds), uet_nack_rudi_dpdcid(r->pds));
    return uet_nack_next_hdr(r->pds) &&
           uet_violates(r, "next_hdr is %u in a NACK, required UET_HDR_NONE",
                        uet_nack_next_hdr(r->pds));
}

static bool nack_id(const struct uet_ruling *r)
{
    return !r->t->request && uet_track_from_start(r->t->track) &&
           uet_violates(r, "nack_pkt_id 0x%08x was never requested", r->t->pkt_id);
}

/* 3.5.7.3: only what may be executed twice. */
static bool idempotent(const struct uet_ruling *r)
{
    uint8_t op = uet_ses_req_opcode(r->ses);
    bool once = op >= UET_OP_ATOMIC && op <= UET_OP_TSEND_FETCH_ATOMIC;
    return r->p->pds == UET_H_RUDI_REQ && once &&
           uet_violates(r, "%s on RUDI, which may execute it twice",
                        uet_enum_name(UET_ENUM_SES_REQ_OPCODE, op));
}

/* 3.5.10.12. */
static bool uud_flags(const struct uet_ruling *r)
{
    return uet_uud_req_flags_rsvd(r->pds) &&
           uet_violates(r, "UUD flags are 0x%02x, required 0", uet_uud_req_flags_rsvd(r->pds));
}

static bool on_uud(const struct uet_ruling *r)
{
    return uet_is_uud(r->p);
}

/* 3.4.1.14: since 1.0.3. */
static bool uud_message_id(const struct uet_ruling *r)
{
    return on_uud(r) && r->spec == UET_VERSION_1_0_3 &&
           uet_ses_req_opcode(r->ses) == UET_OP_DATAGRAM_SEND && uet_ses_message_id(r->p) &&
           uet_violates(r, "message_id is %u in a datagram, required 0", uet_ses_message_id(r->p));
}

static bool uud_one_packet(const struct uet_ruling *r)
{
    return on_uud(r) && uet_ses_req_opcode(r->ses) == UET_OP_DATAGRAM_SEND &&
           !(uet_ses_req_som(r->ses) && uet_ses_req_eom(r->ses)) &&
           uet_violates(r, "a datagram with som %d eom %d, required 1 and 1",
                        uet_ses_req_som(r->ses), uet_ses_req_eom(r->ses));
}

/* Table 3-17: since 1.0.3. */
static bool uud_msg_error(const struct uet_ruling *r)
{
    return on_uud(r) && r->spec == UET_VERSION_1_0_3 &&
           uet_ses_req_opcode(r->ses) == UET_OP_MSG_ERROR &&
           uet_violates(r, "UET_MSG_ERROR on UUD");
}

/* Table 3-17: datagrams travel on UUD, and nothing else does. */
static bool uud_opcode(const struct uet_ruling *r)
{
    uint8_t op = uet_ses_req_opcode(r->ses);
    if (!on_uud(r))
        return op == UET_OP_DATAGRAM_SEND &&
               uet_violates(r, "UET_DATAGRAM_SEND on %s, only UUD carries it",
                            uet_is_rudi(r->p) ? "RUDI" : "RUD/ROD");
    return op > UET_OP_NO_OP && op < UET_OP_MSG_ERROR && op != UET_OP_DATAGRAM_SEND &&
           uet_violates(r, "%s on UUD, which carries datagrams only",
                        uet_enum_name(UET_ENUM_SES_REQ_OPCODE, op));
}

static const struct uet_rule_row rows[] = {
    {{"PDS-172", "pkt_id is unique among what is not answered"},
     UET_ON_RUDI_REQUEST,
     UET_NEEDS_SENDER,
     unique_id},
    {{"PDS-173", "a RUDI Response copies pkt_id"},
     UET_ON_RUDI_RESPONSE,
     UET_NEEDS_SENDER,
     known_id},
    {{"PDS-175", "an answered RUDI Request is not sent again"},
     UET_ON_RUDI_REQUEST,
     UET_NEEDS_SENDER,
     answered_again},
    {{"PDS-177", "a RUDI Request sent again has retx 1"},
     UET_ON_RUDI_REQUEST,
     UET_NEEDS_SENDER,
     resend_retx},
    {{"PDS-178", "flags.m is 0 in a RUDI Request"},
     UET_ON_RUDI_REQUEST,
     UET_NEEDS_NOTHING,
     request_m},
    {{"PDS-178", "flags.m of a RUDI Response echoes CE"},
     UET_ON_RUDI_RESPONSE,
     UET_NEEDS_SENDER,
     echo_m},
    {{"PDS-179", "the NACK of a RUDI packet names no PDC"},
     UET_ON_RUDI_NACK,
     UET_NEEDS_NOTHING,
     nack_layout},
    {{"PDS-179", "the NACK of a RUDI packet names its pkt_id"},
     UET_ON_RUDI_NACK,
     UET_NEEDS_SENDER,
     nack_id},
    {{"PDS-180", "RUDI carries only what may be executed twice"},
     UET_ON_SES_REQUEST,
     UET_WHEN_NO_PDC,
     idempotent},
    {{"PDS-182", "UUD flags are 0"}, UET_ON_UUD, UET_NEEDS_NOTHING, uud_flags},
    {{"SES-035", "a datagram has message_id 0"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     uud_message_id},
    {{"SES-036", "a datagram is one packet"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     uud_one_packet},
    {{"SES-037", "no UET_MSG_ERROR on UUD"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE,
     uud_msg_error},
    {{"SES-038", "datagrams travel on UUD, and nothing else does"},
     UET_ON_SES_REQUEST,
     UET_WHEN_RARE_OPCODE | UET_WHEN_NO_PDC,
     uud_opcode},
};

const struct uet_rule_table uet_rules_rudi = UET_TABLE(rows);
