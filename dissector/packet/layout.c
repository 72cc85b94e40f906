/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the headers of a packet, as wire/ does everywhere. Two lengths rule: what the packet had on
 * the wire decides whether it is malformed, what was captured decides what may be read.
 */
#include "dissector/uetx.h"

/*
 * The header in which the packet stops, when only the capture was cut, or a switch did it: none of
 * these makes it malformed.
 */
static void take_partial(struct uetx_pdu *u)
{
    if (u->p.error == UET_PARSE_TRIMMED)
        u->p.error = UET_PARSE_OK;
    if (u->p.error == UET_PARSE_OK) {
        u->partial = (enum uet_header_id)u->p.partial;
        u->partial_offset = u->p.partial_offset;
    }
    u->p.partial = UET_H_NONE; /* the plugin has its own words for it, and for the trim */
    u->p.trim = UET_TRIM_NO;
}

void uetx_layout(struct uetx_pdu *u)
{
    uint8_t crc_error = u->p.error;
    uint16_t crc_at = u->p.error_offset;
    if (crc_error == UET_PARSE_CRC_SHORT) { /* fewer than four bytes: no header fits either */
        u->p.payload_len = (uint16_t)u->end;
        return;
    }
    u->p.error = UET_PARSE_OK;
    u->p.trim = u->trimmed ? UET_TRIM_BY_LENGTH : UET_TRIM_NO;
    const struct uet_parse_options options = {.variants = uetx_prefs.variants};
    uet_parse_transport(&u->p, 0, u->end, u->captured, &options);
    take_partial(u);
    if (u->p.error == UET_PARSE_OK) { /* a broken header outweighs a wrong CRC: it explains more */
        u->p.error = crc_error;
        u->p.error_offset = crc_at;
    }
}
