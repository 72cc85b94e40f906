/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/captured/reader.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 65536u /* more bytes than IP can carry, and the parser can count */

struct uet_reader {
    struct uet_parse_options options;
    struct uet_keyring *keys;
    struct uet_trailer_guess trailer;
    uint8_t whole[ROOM]; /* a packet that the capture cut, with zeros for what is missing */
    uint8_t clear[ROOM]; /* a packet that was opened */
};

struct uet_reader *uet_reader_new(const struct uet_parse_options *options, bool any_order,
                                  struct uet_keyring *keys)
{
    struct uet_reader *r = calloc(1, sizeof *r);
    if (r) {
        r->options = *options;
        r->keys = keys;
        r->trailer.protect = options->protect;
        r->trailer.any_order = any_order;
        r->trailer.crc_order = options->crc_order;
    }
    return r;
}

void uet_reader_rewind(struct uet_reader *r)
{
    r->trailer.seen = (struct uet_trailers){0};
}

const struct uet_trailers *uet_reader_trailers(const struct uet_reader *r)
{
    return &r->trailer.seen;
}

void uet_reader_free(struct uet_reader *reader)
{
    free(reader);
}

static void read_transport(struct uet_packet *p, size_t at, size_t end, size_t have,
                           const struct uet_parse_options *o)
{
    struct uet_packet again = uet_packet_below(p);
    again.crc_state =
        UET_CRC_UNCHECKED; /* a trailer was not captured, and may or may not be there */
    uet_parse_transport(&again, at, end, have > end ? end : have, o);
    *p = again;
}

/* Where UET begins in a packet that has whole headers below it; 0: nowhere. */
static size_t transport_of(const struct uet_packet *p)
{
    if (p->udp_offset)
        return p->udp_offset + UET_UDP_BYTES;
    return p->entropy_offset ? p->entropy_offset + UET_ENTROPY_BYTES : 0;
}

/*
 * The capture holds less of the packet than there was. What is missing is put there as zeros, so
 * that the lengths are right, and then the headers are read as far as they were captured.
 */
static void read_cut(struct uet_reader *r, struct uet_packet *p, const uint8_t *data,
                     const struct uet_inner *in, struct uet_parse_options o)
{
    size_t len = in->len < ROOM ? in->len : ROOM, have = in->caplen < len ? in->caplen : len;

    memcpy(r->whole, data, have);
    memset(r->whole + have, 0, len - have);
    o.protect = UET_PROTECT_NONE;
    uet_parse(p, r->whole, len, &o);
    size_t at = transport_of(p);
    if (!at || (r->keys && uet_keyring_open(r->keys, p, have, &o, r->clear)))
        return;
    read_transport(p, at, p->ip_end, have, &o);
    if (p->ip_end - at > UET_CRC_TRAILER_BYTES && uet_trailer_expected(&r->trailer, p))
        read_transport(p, at, p->ip_end - UET_CRC_TRAILER_BYTES, have, &o);
}

static void read_whole(struct uet_reader *r, struct uet_packet *p, const uint8_t *data,
                       const struct uet_inner *in, const struct uet_parse_options *o)
{
    uet_trailer_parse(&r->trailer, p, data, in->caplen, *o);
    if (r->keys && p->tss)
        uet_keyring_open(r->keys, p, p->len, o, r->clear);
}

enum uet_decap_end uet_reader_take(struct uet_reader *r, uint32_t linktype, const uint8_t *data,
                                   size_t caplen, size_t len, struct uet_packet *p,
                                   struct uet_inner *inner)
{
    static const uint8_t none[1];
    if (!data) /* and caplen is 0 */
        data = none;
    struct uet_inner in = uet_decap(linktype, data, caplen, len, &r->options);
    struct uet_parse_options o = r->options;

    o.start = in.start;
    if (in.end != UET_DECAP_UET)
        *p = (struct uet_packet){.frame = none, .error = UET_PARSE_NOT_UET};
    else if (in.caplen < in.len)
        read_cut(r, p, data + in.offset, &in, o);
    else
        read_whole(r, p, data + in.offset, &in, &o);
    if (in.end == UET_DECAP_UET)
        p->in_frame = (uint16_t)(in.offset < UINT16_MAX ? in.offset : UINT16_MAX);
    if (inner)
        *inner = in;
    return (enum uet_decap_end)in.end;
}
