/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remarks (expert information) on one packet by itself. What needs the packets before it is for
 * the rules, not for here.
 */
#include "dissector/uetx.h"

static expert_field ei_pds_short = EI_INIT;
static expert_field ei_ses_short = EI_INIT;
static expert_field ei_crc_short = EI_INIT;
static expert_field ei_crc_bad = EI_INIT;
static expert_field ei_crc_suspect = EI_INIT;
static expert_field ei_type = EI_INIT;
static expert_field ei_type_reserved = EI_INIT;
static expert_field ei_next_hdr = EI_INIT;
static expert_field ei_next_hdr_illegal = EI_INIT;
static expert_field ei_opcode = EI_INIT;
static expert_field ei_reserved = EI_INIT;
static expert_field ei_trimmed = EI_INIT;
static expert_field ei_udp_checksum = EI_INIT;
static expert_field ei_nack = EI_INIT;
static expert_field ei_return_code = EI_INIT;

expert_field *uetx_expert_crc_bad(void)
{
    return &ei_crc_bad;
}

void uetx_expert_reserved(struct uetx_pdu *u, proto_item *item, const struct uet_field *f)
{
    expert_add_info_format(u->pinfo, item, &ei_reserved, "Reserved bits %s are not 0 (%s)", f->name,
                           f->section);
}

void uetx_expert_crc_suspect(struct uetx_pdu *u, proto_item *item)
{
    expert_add_info(u->pinfo, item, &ei_crc_suspect);
}

/* Reserved, or of a part of the specification that the tables do not have yet. */
static void unknown_type(struct uetx_pdu *u)
{
    uint8_t type = uet_pds_prologue_type(u->p.frame);
    const struct uet_enumerator *e = uet_enum_find(UET_ENUM_PDS_TYPE, type);
    bool reserved = !e || strncmp(e->name, "RESERVED", 8) == 0;
    expert_add_info_format(u->pinfo, u->type_item, reserved ? &ei_type_reserved : &ei_type,
                           reserved ? "PDS type %u is reserved (3.5.10.2)"
                                    : "PDS type %u (%s) is not decoded by this version",
                           type, e ? e->name : "");
}

/* Requests carry SES requests, ACKs responses; data responses travel in both (3.5.10.2). */
static void unknown_next_hdr(struct uetx_pdu *u)
{
    uint8_t nh = uet_pds_prologue_next_hdr_or_ctl_type(u->p.frame);
    bool data = nh == UET_NH_RESPONSE_DATA || nh == UET_NH_RESPONSE_DATA_SMALL;
    bool undecoded = data && (uet_is_request(&u->p) || uet_is_ack(&u->p));
    expert_add_info_format(
        u->pinfo, u->next_hdr_item, undecoded ? &ei_next_hdr : &ei_next_hdr_illegal,
        undecoded ? "%s is not decoded by this version" : "%s cannot follow this PDS header",
        uet_enum_name(UET_ENUM_PDS_NEXT_HDR, nh));
}

static void fault(struct uetx_pdu *u)
{
    if (u->trimmed && (u->p.error == UET_PARSE_PDS_SHORT || u->p.error == UET_PARSE_SES_SHORT))
        return; /* a switch cut it, nobody built it wrong */
    switch ((enum uet_parse_error)u->p.error) {
    case UET_PARSE_PDS_SHORT:
        expert_add_info_format(u->pinfo, u->root, &ei_pds_short, "PDS header cut short at byte %u",
                               u->p.error_offset);
        return;
    case UET_PARSE_SES_SHORT:
        expert_add_info_format(u->pinfo, u->root, &ei_ses_short,
                               "SES header cut short: it begins at byte %u", u->p.error_offset);
        return;
    case UET_PARSE_CRC_SHORT:
        expert_add_info(u->pinfo, u->root, &ei_crc_short);
        return;
    case UET_PARSE_PDS_TYPE:
        unknown_type(u);
        return;
    case UET_PARSE_PDS_NEXT_HDR:
        unknown_next_hdr(u);
        return;
    default: /* a wrong CRC hangs on its own item */
        return;
    }
}

/* Opcodes with fields or extension headers of their own, which the tables do not have yet. */
static bool has_own_layout(uint8_t opcode)
{
    switch (opcode) {
    case UET_OP_ATOMIC:
    case UET_OP_FETCHING_ATOMIC:
    case UET_OP_RENDEZVOUS_SEND:
    case UET_OP_DEFERRABLE_SEND:
    case UET_OP_RENDEZVOUS_TSEND:
    case UET_OP_DEFERRABLE_TSEND:
    case UET_OP_DEFERRABLE_RTR:
    case UET_OP_TSEND_ATOMIC:
    case UET_OP_TSEND_FETCH_ATOMIC:
        return true;
    default:
        return false;
    }
}

static void remark_ses(struct uetx_pdu *u)
{
    const uint8_t *s = uet_ses(&u->p);
    if (uet_is_ses_request(&u->p) && has_own_layout(uet_ses_req_opcode(s)))
        expert_add_info_format(u->pinfo, u->opcode_item, &ei_opcode,
                               "Fields and extension header of %s are not decoded by this version",
                               uet_enum_name(UET_ENUM_SES_REQ_OPCODE, uet_ses_req_opcode(s)));
    if (!uet_is_ses_response(&u->p))
        return;
    uint8_t rc = uet_ses_rsp_return_code(s);
    if (rc != UET_RC_NULL && rc != UET_RC_OK)
        expert_add_info_format(u->pinfo, u->return_code_item, &ei_return_code, "%s: %s",
                               uet_enum_name(UET_ENUM_SES_RETURN_CODE, rc),
                               uet_enum_find(UET_ENUM_SES_RETURN_CODE, rc)->meaning);
}

static void remark_nack(struct uetx_pdu *u)
{
    uint8_t code = uet_nack_nack_code(uet_pds(&u->p));
    const struct uet_enumerator *e = uet_enum_find(UET_ENUM_PDS_NACK_CODE, code);
    expert_add_info_format(u->pinfo, u->nack_code_item, &ei_nack, "%s: %s", e ? e->name : "NACK",
                           e ? e->meaning : "");
}

void uetx_expert(struct uetx_pdu *u)
{
    if (u->p.error != UET_PARSE_OK)
        fault(u);
    if (uet_is_nack(&u->p))
        remark_nack(u);
    if (u->p.ses)
        remark_ses(u);
    if (u->trimmed)
        expert_add_info(u->pinfo, u->root, &ei_trimmed);
    if (u->udp_checksum)
        expert_add_info(u->pinfo, u->root, &ei_udp_checksum);
}

void uetx_expert_register(int proto)
{
    static ei_register_info ei[] = {
        {&ei_pds_short,
         {"uetx.malformed.pds_short", PI_MALFORMED, PI_ERROR, "PDS header cut short", EXPFILL}},
        {&ei_ses_short,
         {"uetx.malformed.ses_short", PI_MALFORMED, PI_ERROR, "SES header cut short", EXPFILL}},
        {&ei_crc_short,
         {"uetx.malformed.crc_short", PI_MALFORMED, PI_ERROR,
          "No room for the CRC trailer that the preference demands", EXPFILL}},
        {&ei_crc_bad, {"uetx.crc32c.bad", PI_CHECKSUM, PI_ERROR, "Bad CRC-32C (3.5.25)", EXPFILL}},
        {&ei_crc_suspect,
         {"uetx.crc32c.suspect", PI_CHECKSUM, PI_NOTE,
          "Four bytes more than the headers promise: perhaps a CRC trailer that does not match "
          "(preference uetx.crc tells)",
          EXPFILL}},
        {&ei_type, {"uetx.undecoded.type", PI_UNDECODED, PI_NOTE, "PDS type", EXPFILL}},
        {&ei_type_reserved,
         {"uetx.reserved.type", PI_UNDECODED, PI_WARN, "Reserved PDS type", EXPFILL}},
        {&ei_next_hdr, {"uetx.undecoded.next_hdr", PI_UNDECODED, PI_NOTE, "next_hdr", EXPFILL}},
        {&ei_next_hdr_illegal,
         {"uetx.malformed.next_hdr", PI_UNDECODED, PI_WARN, "next_hdr not allowed here", EXPFILL}},
        {&ei_opcode, {"uetx.undecoded.opcode", PI_UNDECODED, PI_NOTE, "SES opcode", EXPFILL}},
        {&ei_reserved,
         {"uetx.reserved.nonzero", PI_PROTOCOL, PI_NOTE, "Reserved bits are not 0", EXPFILL}},
        {&ei_trimmed,
         {"uetx.trimmed", PI_PROTOCOL, PI_NOTE,
          "A switch trimmed the packet (4.1): its DSCP says so, or its UDP length, which names "
          "more "
          "bytes than IP brought, unless that is wrong",
          EXPFILL}},
        {&ei_udp_checksum,
         {"uetx.udp_checksum", PI_PROTOCOL, PI_NOTE,
          "The UDP checksum is not 0: UET sends 0 (3.5.10.1)", EXPFILL}},
        {&ei_nack, {"uetx.nack", PI_RESPONSE_CODE, PI_WARN, "NACK", EXPFILL}},
        {&ei_return_code, {"uetx.ses.error", PI_RESPONSE_CODE, PI_NOTE, "SES error", EXPFILL}},
    };
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
