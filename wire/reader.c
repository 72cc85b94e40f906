/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/reader.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 65536u /* more bytes than IP can carry, and the parser can count */

struct uet_reader {
    struct uet_parse_options options;
    struct uet_keyring *keys;
    uint8_t whole[ROOM]; /* a packet that the capture cut, with zeros for what is missing */
    uint8_t clear[ROOM]; /* a packet that was opened */
};

struct uet_reader *uet_reader_new(const struct uet_parse_options *options, struct uet_keyring *keys)
{
    struct uet_reader *r = calloc(1, sizeof *r);
    if (r) {
        r->options = *options;
        r->keys = keys;
    }
    return r;
}

void uet_reader_free(struct uet_reader *reader)
{
    free(reader);
}

/* What was found below the transport, for reading that again. */
static struct uet_packet below(const struct uet_packet *p)
{
    return (struct uet_packet){.frame = p->frame,
                               .len = p->len,
                               .ip_version = p->ip_version,
                               .n_vlans = p->n_vlans,
                               .start = p->start,
                               .trim = p->trim,
                               .ip_offset = p->ip_offset,
                               .ip_end = p->ip_end,
                               .udp_offset = p->udp_offset,
                               .entropy_offset = p->entropy_offset,
                               /* The trailer was not captured, and may or may not be there. */
                               .crc_state = UET_CRC_UNCHECKED};
}

/*
 * The capture holds less of the packet than there was. What is missing is put there as zeros, so
 * that the lengths are right, and then the headers are read as far as they were captured.
 */
static void read_cut(struct uet_reader *r, struct uet_packet *p, const uint8_t *data,
                     const struct uet_inner *in, struct uet_parse_options o)
{
    size_t len = in->len < ROOM ? in->len : ROOM, have = in->caplen < len ? in->caplen : len;
    bool crc = o.protect == UET_PROTECT_CRC;

    memcpy(r->whole, data, have);
    memset(r->whole + have, 0, len - have);
    o.protect = UET_PROTECT_NONE;
    uet_parse(p, r->whole, len, &o);
    size_t at = p->tss ? p->tss_offset : p->pds_offset;
    if (!at || (r->keys && uet_keyring_open(r->keys, p, have, &o, r->clear)))
        return;
    size_t end = p->ip_end;
    if (crc && end - at > UET_CRC_TRAILER_BYTES && !p->tss)
        end -= UET_CRC_TRAILER_BYTES;
    struct uet_packet again = below(p);
    uet_parse_transport(&again, at, end, have > end ? end : have, &o);
    *p = again;
}

static void read_whole(struct uet_reader *r, struct uet_packet *p, const uint8_t *data,
                       const struct uet_inner *in, const struct uet_parse_options *o)
{
    uet_parse(p, data, in->caplen, o);
    if (r->keys && p->tss)
        uet_keyring_open(r->keys, p, p->len, o, r->clear);
}

enum uet_decap_end uet_reader_take(struct uet_reader *r, uint32_t linktype, const uint8_t *data,
                                   size_t caplen, size_t len, struct uet_packet *p,
                                   struct uet_inner *inner)
{
    static const uint8_t none[1];
    struct uet_inner in = uet_decap(linktype, data ? data : none, caplen, len, &r->options);
    struct uet_parse_options o = r->options;

    o.start = in.start;
    if (in.end != UET_DECAP_UET)
        *p = (struct uet_packet){.frame = none, .error = UET_PARSE_NOT_UET};
    else if (in.caplen < in.len)
        read_cut(r, p, data + in.offset, &in, o);
    else
        read_whole(r, p, data + in.offset, &in, &o);
    if (inner)
        *inner = in;
    return (enum uet_decap_end)in.end;
}
