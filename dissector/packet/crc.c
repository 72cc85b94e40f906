/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CRC-32C trailer (3.5.25): it covers everything from the IP source address to the byte before
 * it.
 */
#include "dissector/prefs.h"
#include "dissector/uetx.h"

#include "wire/crc.h"
#include "wire/inet.h"

static int hf_crc = UETX_NO_ID;
static int hf_status = UETX_NO_ID;
static int hf_order = UETX_NO_ID;
static int ett_crc = UETX_NO_ID;

/* Computes the CRC into u->p.crc_computed; false when not all that it covers was captured. */
static bool compute(struct uetx_pdu *u)
{
    const struct uetx_below *b = &u->below;
    if (b->ip < 0 || u->captured < u->p.len || u->pinfo->flags.in_error_pkt)
        return false;
    int from = b->ip + (int)uet_crc_from(b->version);
    int n = tvb_raw_offset(u->tvb) + (int)u->p.len - (int)UET_CRC_TRAILER_BYTES - from;
    if (!tvb_bytes_exist(b->frame, from, n))
        return false;
    u->p.crc_computed = uet_crc32c(0, tvb_get_ptr(b->frame, from, n), (size_t)n);
    return true;
}

/* In the order that was told, or in any. */
static bool right(int order)
{
    switch ((enum uetx_crc_order_preference)uetx_prefs.crc_order) {
    case UETX_CRC_ORDER_BIG:
        return order == UET_CRC_BIG_ENDIAN;
    case UETX_CRC_ORDER_LITTLE:
        return order == UET_CRC_LITTLE_ENDIAN;
    default:
        return order >= 0;
    }
}

static enum uet_crc_state judge(struct uetx_pdu *u, bool computed)
{
    if (!computed)
        return UET_CRC_UNCHECKED;
    const uint8_t *trailer = u->p.frame + u->p.len - UET_CRC_TRAILER_BYTES;
    return right(uet_crc_order_of(trailer, u->p.crc_computed)) ? UET_CRC_GOOD : UET_CRC_BAD;
}

void uetx_crc_find(struct uetx_pdu *u, enum uetx_crc_preference preference)
{
    if (preference == UETX_CRC_NONE || u->trimmed) /* the trailer was cut off */
        return;
    if (u->p.len < UET_CRC_TRAILER_BYTES) {
        if (preference == UETX_CRC_PRESENT)
            u->p.error = UET_PARSE_CRC_SHORT;
        return;
    }
    enum uet_crc_state state = judge(u, compute(u));
    if (preference == UETX_CRC_AUTO && state != UET_CRC_GOOD) {
        u->crc_mismatch = state == UET_CRC_BAD;
        return;
    }
    u->end = u->p.len - UET_CRC_TRAILER_BYTES;
    u->p.crc_offset = (uint16_t)u->end;
    u->p.crc_state = (uint8_t)state;
    if (state == UET_CRC_BAD) {
        u->p.error = UET_PARSE_CRC_BAD;
        u->p.error_offset = u->p.crc_offset;
    }
}

void uetx_crc_show(struct uetx_pdu *u, proto_tree *tree)
{
    static const guint flags[] = {
        [UET_CRC_GOOD] = PROTO_CHECKSUM_VERIFY,
        [UET_CRC_BAD] = PROTO_CHECKSUM_VERIFY,
        [UET_CRC_UNCHECKED] = PROTO_CHECKSUM_NO_FLAGS,
    };
    if (u->p.crc_state == UET_CRC_ABSENT || (u->mirror_cut && u->captured < u->p.len))
        return;
    int order = uet_packet_crc_order(&u->p);
    bool little = u->p.crc_state == UET_CRC_GOOD ? order == UET_CRC_LITTLE_ENDIAN
                                                 : uetx_prefs.crc_order == UETX_CRC_ORDER_LITTLE;
    const struct uet_header *h = &uet_headers[UET_H_CRC_TRAILER];
    proto_tree *sub = proto_tree_add_subtree_format(tree, u->tvb, u->p.crc_offset, h->bytes,
                                                    ett_crc, NULL, "%s (%s)", h->title, h->section);
    proto_tree_add_checksum(sub, u->tvb, u->p.crc_offset, hf_crc, hf_status, uetx_expert_crc_bad(),
                            u->pinfo, u->p.crc_computed,
                            little ? ENC_LITTLE_ENDIAN : ENC_BIG_ENDIAN, flags[u->p.crc_state]);
    if (u->p.crc_state == UET_CRC_GOOD)
        proto_item_set_generated(
            proto_tree_add_string(sub, hf_order, u->tvb, u->p.crc_offset, h->bytes,
                                  uet_crc_order_name((enum uet_crc_order)order)));
}

/* Does an unknown Negotiation element say that the bytes behind the header are its own? */
static bool is_element(const struct uetx_pdu *u)
{
    const unsigned length_at = u->p.payload_offset - 3u; /* neg_type, then neg_length in words */
    return uet_is_cp(&u->p) && u->p.cp_payload == UET_H_NONE &&
           uet_cp_ctl_type(u->p.frame) == UET_CTL_NEGOTIATION && u->p.frame[length_at] > 1;
}

bool uetx_crc_suspect(const struct uetx_pdu *u)
{
    if (!u->crc_mismatch || !u->p.pds || u->p.error || is_element(u))
        return false;
    int64_t promised = uet_payload_promised(&u->p);
    return promised >= 0 && u->p.payload_len == promised + UET_CRC_TRAILER_BYTES;
}

void uetx_crc_register(int proto)
{
    static hf_register_info hf[] = {
        {&hf_status,
         {"crc32c status", "uetx.crc32c.status", FT_UINT8, BASE_NONE, VALS(proto_checksum_vals), 0,
          "Whether the trailer matches; 3.5.25", HFILL}},
        {&hf_order,
         {"crc32c byte order", "uetx.crc32c.order", FT_STRING, BASE_NONE, NULL, 0,
          "Byte order in which the trailer matches; 3.5.25", HFILL}},
    };
    static int *ett[] = {&ett_crc};
    proto_register_field_array(proto, hf, array_length(hf));
    proto_register_subtree_array(ett, array_length(ett));
    hf_crc = uetx_field(UET_F_CRC32C);
}
