/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/captured/trailer.h"

#include <string.h>

#define LOOKED_AT 64 /* packets that are looked at for a trailer that nobody wants */

/* Senders of one hash share a place: the last one has it. */
static struct uet_trailer_sender *sender_of(struct uet_trailer_guess *g, const struct uet_packet *p)
{
    struct uet_ip ip = uet_src_ip(p);
    uint32_t hash = ip.version, word;
    for (size_t i = 0; i < uet_ip_len(&ip); i += sizeof word) {
        memcpy(&word, ip.bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b1u;
    }
    struct uet_trailer_sender *s = &g->sender[(hash >> 16) % UET_TRAILER_SENDERS];
    if (!uet_ip_equal(&s->ip, &ip))
        *s = (struct uet_trailer_sender){.ip = ip};
    return s;
}

/* Can it have a trailer: not sealed, not cut by a switch, and with headers that can be read? */
static bool may_have(const struct uet_packet *p)
{
    return p->ip_end && p->pds && !p->tss && p->trim == UET_TRIM_NO && p->error == UET_PARSE_OK;
}

/*
 * Its last four bytes are no CRC of it. A packet as long as its headers say has none; one that is
 * four bytes longer has a wrong one, unless its sender is known to send none.
 */
static bool has_wrong_one(struct uet_trailer_sender *s, const struct uet_packet *p)
{
    int64_t promised = uet_payload_promised(p);
    if (promised == p->payload_len) {
        s->without++;
        return false;
    }
    bool four_more = promised >= 0 && p->payload_len == promised + (int64_t)UET_CRC_TRAILER_BYTES;
    return four_more ? s->with || !s->without : s->with && !s->without;
}

static void parse_told(struct uet_trailer_guess *g, struct uet_packet *p, const uint8_t *frame,
                       size_t len, struct uet_parse_options *o)
{
    o->protect = UET_PROTECT_CRC;
    o->crc_order = g->any_order ? (uint8_t)UET_CRC_BIG_ENDIAN : g->crc_order;
    uet_parse(p, frame, len, o);
    if (p->crc_state != UET_CRC_BAD)
        return;
    g->seen.bad++;
    g->seen.other += uet_packet_crc_order(p) >= 0;
}

static void parse_none(struct uet_trailer_guess *g, struct uet_packet *p, const uint8_t *frame,
                       size_t len, struct uet_parse_options *o)
{
    struct uet_packet with;
    o->protect = UET_PROTECT_NONE;
    uet_parse(p, frame, len, o);
    if (g->seen.unwanted >= LOOKED_AT || !may_have(p))
        return;
    o->protect = UET_PROTECT_AUTO;
    uet_parse(&with, frame, len, o);
    g->seen.unwanted += with.crc_state == UET_CRC_GOOD;
}

void uet_trailer_parse(struct uet_trailer_guess *g, struct uet_packet *p, const uint8_t *frame,
                       size_t len, struct uet_parse_options o)
{
    if (g->protect == UET_PROTECT_NONE) {
        parse_none(g, p, frame, len, &o);
        return;
    }
    o.protect = UET_PROTECT_AUTO;
    uet_parse(p, frame, len, &o);
    if (p->crc_state == UET_CRC_GOOD) {
        int order = uet_packet_crc_order(p);
        sender_of(g, p)->with++;
        if (g->any_order || order == g->crc_order)
            g->seen.good[order == UET_CRC_LITTLE_ENDIAN]++;
        else
            parse_told(g, p, frame, len, &o);
        return;
    }
    if (g->protect == UET_PROTECT_CRC || (may_have(p) && has_wrong_one(sender_of(g, p), p)))
        parse_told(g, p, frame, len, &o);
}

bool uet_trailer_expected(struct uet_trailer_guess *g, const struct uet_packet *p)
{
    if (g->protect == UET_PROTECT_NONE || !p->ip_end || !p->pds || p->tss || p->trim != UET_TRIM_NO)
        return false;
    return g->protect == UET_PROTECT_CRC || (!p->partial && has_wrong_one(sender_of(g, p), p));
}
