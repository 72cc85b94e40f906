/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remarks (expert information) on one packet by itself. What needs the packets before it is for
 * the rules, not for here.
 */
#include "dissector/uetx.h"

static expert_field ei_pds_short = EI_INIT;
static expert_field ei_ses_short = EI_INIT;
static expert_field ei_tss_short = EI_INIT;
static expert_field ei_entropy_short = EI_INIT;
static expert_field ei_variant = EI_INIT;
static expert_field ei_crc_short = EI_INIT;
static expert_field ei_crc_bad = EI_INIT;
static expert_field ei_crc_suspect = EI_INIT;
static expert_field ei_type_reserved = EI_INIT;
static expert_field ei_next_hdr_illegal = EI_INIT;
static expert_field ei_reserved = EI_INIT;
static expert_field ei_contested = EI_INIT;
static expert_field ei_trimmed = EI_INIT;
static expert_field ei_mirror_cut = EI_INIT;
static expert_field ei_udp_checksum = EI_INIT;
static expert_field ei_nack = EI_INIT;
static expert_field ei_return_code = EI_INIT;

expert_field *uetx_expert_crc_bad(void)
{
    return &ei_crc_bad;
}

void uetx_expert_reserved(struct uetx_pdu *u, proto_item *item, const struct uet_field *f)
{
    expert_add_info_format(u->pinfo, item, &ei_reserved, "Reserved bits (%s) are not 0 (%s)",
                           f->name, f->section);
}

void uetx_expert_contested(struct uetx_pdu *u, proto_item *item, const struct uet_field *f,
                           uint64_t here, uint64_t other)
{
    expert_add_info_format(u->pinfo, item, &ei_contested,
                           "%s is contested (%s): %" PRIu64 " as read here, %" PRIu64
                           " as read by %s, at bit %u of the header instead of %u",
                           f->name, f->section, here, other, f->other_readers, f->other_bit_offset,
                           f->bit_offset);
}

void uetx_expert_crc_suspect(struct uetx_pdu *u, proto_item *item)
{
    expert_add_info(u->pinfo, item, &ei_crc_suspect);
}

void uetx_expert_variant(struct uetx_pdu *u, proto_item *item, const struct uet_header *h)
{
    expert_add_info_format(u->pinfo, item, &ei_variant,
                           "%s: not of this version of the specification (%s)", h->title,
                           h->implementation);
}

void uetx_expert_tss_short(struct uetx_pdu *u, proto_item *item)
{
    expert_add_info(u->pinfo, item, &ei_tss_short);
}

static void unknown_type(struct uetx_pdu *u)
{
    expert_add_info_format(u->pinfo, u->type_item, &ei_type_reserved,
                           "PDS type %u is reserved (3.5.10.2)", uet_pds_prologue_type(u->p.frame));
}

/* Requests carry SES requests, ACKs responses; data responses travel in both (3.5.10.2). */
static void unknown_next_hdr(struct uetx_pdu *u)
{
    uint8_t nh = uet_pds_prologue_next_hdr_or_ctl_type(u->p.frame);
    expert_add_info_format(u->pinfo, u->next_hdr_item, &ei_next_hdr_illegal,
                           "%s cannot follow this PDS header",
                           uet_enum_name(UET_ENUM_PDS_NEXT_HDR, nh));
}

/* A packet that ends too early: where a switch cut it, nobody built it wrong. */
static bool is_short(uint8_t error)
{
    return error == UET_PARSE_PDS_SHORT || error == UET_PARSE_SES_SHORT ||
           error == UET_PARSE_SES_EXT_SHORT;
}

static void fault(struct uetx_pdu *u)
{
    unsigned at = u->p.in_frame + u->p.error_offset;
    if (u->trimmed && is_short(u->p.error))
        return;
    switch ((enum uet_parse_error)u->p.error) {
    case UET_PARSE_PDS_SHORT:
        expert_add_info_format(u->pinfo, u->root, &ei_pds_short, "PDS header cut short at byte %u",
                               at);
        return;
    case UET_PARSE_SES_SHORT:
        expert_add_info_format(u->pinfo, u->root, &ei_ses_short,
                               "SES header cut short: it begins at byte %u", at);
        return;
    case UET_PARSE_SES_EXT_SHORT:
        expert_add_info_format(u->pinfo, u->root, &ei_ses_short,
                               "SES extension header cut short: it begins at byte %u", at);
        return;
    case UET_PARSE_TSS_SHORT:
        expert_add_info(u->pinfo, u->root, &ei_tss_short);
        return;
    case UET_PARSE_ENTROPY_SHORT:
        expert_add_info(u->pinfo, u->root, &ei_entropy_short);
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

static void remark_ses(struct uetx_pdu *u)
{
    const uint8_t *s = uet_ses(&u->p);
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

/* Could it be what a draft or a trial sends, which only the preference lets be read so? */
static void maybe_variant(struct uetx_pdu *u)
{
    enum uet_header_id id = UET_H_NONE;
    if (uetx_prefs.variants || !u->captured || u->p.tss)
        return;
    if (u->p.ses && uet_is_ses_request(&u->p))
        id = uet_variant_ses_req(uet_ses(&u->p), uet_ses(&u->p));
    if (u->captured >= UET_LEGACY_PRE_1_0_BYTES && uet_variant_entropy(NULL, u->p.frame))
        id = UET_H_LEGACY_PRE_1_0;
    if (id != UET_H_NONE)
        expert_add_info_format(u->pinfo, u->root, &ei_variant,
                               "Perhaps of %s: preference uetx.variants reads it so",
                               uet_headers[id].implementation);
}

void uetx_expert(struct uetx_pdu *u)
{
    maybe_variant(u);
    if (u->p.error != UET_PARSE_OK)
        fault(u);
    if (uet_is_nack(&u->p))
        remark_nack(u);
    if (u->p.ses)
        remark_ses(u);
    if (u->trimmed && u->trimmed_dscp)
        expert_add_info(u->pinfo, u->root, &ei_trimmed);
    else if (u->trimmed)
        expert_add_info_format(u->pinfo, u->root, &ei_trimmed,
                               "A switch trimmed the packet (4.1.3): UDP names more bytes than IP "
                               "brought. Unless the UDP length is wrong");
    if (u->mirror_cut)
        expert_add_info_format(u->pinfo, u->root, &ei_mirror_cut,
                               "Cut short by the capture: of %u bytes that IP names, %u are there. "
                               "A mirror that truncates leaves the lengths alone",
                               u->p.len, u->captured);
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
        {&ei_tss_short,
         {"uetx.malformed.tss_short", PI_MALFORMED, PI_ERROR,
          "TSS header cut short, or no room for the ICV (3.7.11)", EXPFILL}},
        {&ei_entropy_short,
         {"uetx.malformed.entropy_short", PI_MALFORMED, PI_ERROR,
          "Entropy header cut short (3.5.10.1)", EXPFILL}},
        {&ei_variant,
         {"uetx.variant", PI_ASSUMPTION, PI_NOTE,
          "A header that is not the specification's: a draft, another version, or a trial",
          EXPFILL}},
        {&ei_crc_short,
         {"uetx.malformed.crc_short", PI_MALFORMED, PI_ERROR,
          "No room for the CRC trailer that the preference demands", EXPFILL}},
        {&ei_crc_bad, {"uetx.crc32c.bad", PI_CHECKSUM, PI_ERROR, "Bad CRC-32C (3.5.25)", EXPFILL}},
        {&ei_crc_suspect,
         {"uetx.crc32c.suspect", PI_CHECKSUM, PI_NOTE,
          "Four bytes more than the headers promise: perhaps a CRC trailer that does not match "
          "(preference uetx.crc tells)",
          EXPFILL}},
        {&ei_type_reserved,
         {"uetx.reserved.type", PI_UNDECODED, PI_WARN, "Reserved PDS type", EXPFILL}},
        {&ei_next_hdr_illegal,
         {"uetx.malformed.next_hdr", PI_UNDECODED, PI_WARN, "next_hdr not allowed here", EXPFILL}},
        {&ei_reserved,
         {"uetx.reserved.nonzero", PI_PROTOCOL, PI_NOTE, "Reserved bits are not 0", EXPFILL}},
        {&ei_contested,
         {"uetx.contested", PI_ASSUMPTION, PI_NOTE,
          "A field that others read from another place, with another value", EXPFILL}},
        {&ei_trimmed,
         {"uetx.trimmed", PI_PROTOCOL, PI_NOTE,
          "A switch trimmed the packet, its DSCP says so (4.1.4.1)", EXPFILL}},
        {&ei_mirror_cut,
         {"uetx.cut", PI_PROTOCOL, PI_NOTE,
          "Cut short by the capture: fewer bytes than the IP length names came from the mirror",
          EXPFILL}},
        {&ei_udp_checksum,
         {"uetx.udp_checksum", PI_PROTOCOL, PI_NOTE,
          "The UDP checksum is not 0: UET sends 0 (3.5.10.1)", EXPFILL}},
        {&ei_nack, {"uetx.nack", PI_RESPONSE_CODE, PI_WARN, "NACK", EXPFILL}},
        {&ei_return_code, {"uetx.ses.error", PI_RESPONSE_CODE, PI_NOTE, "SES error", EXPFILL}},
    };
    expert_register_field_array(expert_register_protocol(proto), ei, array_length(ei));
}
