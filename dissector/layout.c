/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the headers of a packet by the parse graph of spec-map. Two lengths rule: what the packet
 * had on the wire decides whether it is malformed, what was captured decides what may be read.
 */
#include "dissector/uetx.h"

/* A broken header outweighs a wrong CRC: it explains more. */
static bool fail(struct uetx_pdu *u, enum uet_parse_error error, unsigned offset)
{
    u->p.error = (uint8_t)error;
    u->p.error_offset = (uint16_t)offset;
    return false;
}

/*
 * Room for n bytes of a header at offset: short on the wire is an error, short in the capture is
 * not, nor what a switch cut away.
 */
static bool room(struct uetx_pdu *u, enum uet_header_id id, unsigned offset, unsigned n,
                 enum uet_parse_error error)
{
    if (u->end - offset < n && !u->trimmed)
        return fail(u, error, offset);
    if (u->captured >= offset + n)
        return true;
    u->partial = id;
    u->partial_offset = offset;
    return false;
}

/* A header of n bytes that is there in whole. */
static bool whole(struct uetx_pdu *u, enum uet_header_id id, unsigned offset,
                  enum uet_parse_error error)
{
    return room(u, id, offset, uet_headers[id].bytes, error);
}

/* The part inside a Control Packet, in place of its last four bytes; Negotiation has eight. */
static void layout_cp(struct uetx_pdu *u, unsigned *at)
{
    enum uet_header_id id = uet_inside_cp(u->p.frame, NULL);
    unsigned start = UET_CP_BYTES - 4u;
    if (id == UET_H_NONE) /* reserved ctl_type: the payload stays opaque */
        return;
    if (!whole(u, id, start, UET_PARSE_PDS_SHORT))
        return;
    u->p.cp_payload = (uint8_t)id;
    u->p.cp_payload_offset = (uint16_t)start;
    *at = start + uet_headers[id].bytes;
}

/* The headers that can follow a PDS header. */
static enum uet_header_id next_ses(const struct uetx_pdu *u, const uint8_t *ses)
{
    if (uet_is_request(&u->p))
        return uet_next_rud_rod_req(u->p.frame, ses);
    if (uet_is_ack(&u->p))
        return uet_next_ack(u->p.frame, ses);
    return UET_H_NONE;
}

static void layout_ses(struct uetx_pdu *u, unsigned *at)
{
    if (uet_pds_prologue_next_hdr_or_ctl_type(u->p.frame) == UET_NH_NONE)
        return;
    static const uint8_t absent[2];
    if (next_ses(u, absent) == UET_H_NONE) {
        fail(u, UET_PARSE_PDS_NEXT_HDR, 0);
        return;
    }
    /* The first two bytes choose the form. When the capture stops before them, show the bytes of
     * the plainest form as far as they go. */
    if (!room(u, next_ses(u, absent), *at, 2, UET_PARSE_SES_SHORT))
        return;
    enum uet_header_id id = next_ses(u, u->p.frame + *at);
    if (!whole(u, id, *at, UET_PARSE_SES_SHORT))
        return;
    u->p.ses = (uint8_t)id;
    u->p.ses_offset = (uint16_t)*at;
    *at += uet_headers[id].bytes;
}

static void layout_pds(struct uetx_pdu *u, unsigned *at)
{
    if (!room(u, UET_H_PDS_PROLOGUE, 0, UET_PDS_PROLOGUE_BYTES, UET_PARSE_PDS_SHORT))
        return;
    enum uet_header_id id = uet_next_pds_prologue(u->p.frame, u->p.frame);
    if (id == UET_H_NONE) {
        fail(u, UET_PARSE_PDS_TYPE, 0);
        return;
    }
    if (!whole(u, id, 0, UET_PARSE_PDS_SHORT))
        return;
    u->p.pds = (uint8_t)id;
    *at = uet_headers[id].bytes;
    if (uet_is_cp(&u->p)) {
        layout_cp(u, at);
        return;
    }
    if (uet_is_ack_cc(&u->p)) {
        u->p.cc_state = (uint8_t)uet_inside_ack_cc(u->p.frame, NULL);
        u->p.cc_state_offset = (uint16_t)(*at - 8);
    }
    layout_ses(u, at);
}

void uetx_layout(struct uetx_pdu *u)
{
    unsigned at = 0;
    if (u->p.error != UET_PARSE_CRC_SHORT) /* fewer than four bytes: no header fits either */
        layout_pds(u, &at);
    u->p.payload_offset = (uint16_t)at;
    u->p.payload_len = u->partial == UET_H_NONE ? (uint16_t)(u->end - at) : 0;
}
