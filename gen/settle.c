/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows from the whole packet: lengths, addresses, checksums, the CRC; and what "!" wants.
 */
#include <errno.h>
#include <string.h>

#include "gen/internal.h"
#include "wire/addr.h"
#include "wire/crc.h"
#include "wire/inet.h"

/* Puts a value unless the line gives one. */
static void put_soft(struct gen_work *w, size_t layer, const char *name, gen_value v)
{
    struct gen_slot s = gen_slot_of(w, layer, name);
    if (s.field && !gen_arg_of(w, layer, name))
        gen_value_set(s.field, s.header, v);
}

/* The same, but a value that the line gives without "!" must be the right one. */
static int put_hard(struct gen_work *w, size_t layer, const char *name, gen_value v)
{
    struct gen_slot s = gen_slot_of(w, layer, name);
    if (!s.field)
        return 0;
    const struct gen_arg *arg = gen_arg_of(w, layer, name);
    gen_value_set(s.field, s.header, v);
    if (!arg || arg->wrong || gen_arg_value(w->gen, arg, w->i) == v)
        return 0;
    return gen_refuse(w->error, arg->at, arg->len,
                      "%s is %llu in this packet; write !%s=.. to be wrong on purpose", name,
                      (unsigned long long)v, name);
}

/* ---- lengths ---- */

static int put_ip_length(struct gen_work *w, size_t layer)
{
    const struct gen_placed *p = &w->placed[layer];
    size_t n = w->ip_end - p->offset;
    int rc = 0;
    if (n > UINT16_MAX)
        return gen_refuse(w->error, 0, 0, "an IP packet holds at most 65535 bytes");
    if (p->id == UET_H_IPV4)
        rc = put_hard(w, layer, "total_length", n);
    if (p->id == UET_H_IPV6)
        rc = put_hard(w, layer, "payload_length", n < UET_IPV6_BYTES ? 0 : n - UET_IPV6_BYTES);
    if (p->id == UET_H_UDP)
        rc = put_hard(w, layer, "length", n);
    if (rc == 0 && p->id == UET_H_UDP)
        rc = put_hard(w, layer, "checksum", 0); /* 3.5.10.1 */
    if (rc == 0 && p->id == UET_H_IPV4)
        rc = put_hard(w, layer, "version", 4);
    if (rc == 0 && p->id == UET_H_IPV4)
        rc = put_hard(w, layer, "ihl", UET_IPV4_BYTES / 4);
    if (rc == 0 && p->id == UET_H_IPV4) /* never fragmented (3.5.10.1) */
        rc = put_hard(w, layer, "mf", 0);
    if (rc == 0 && p->id == UET_H_IPV4)
        rc = put_hard(w, layer, "fragment_offset", 0);
    return rc == 0 && p->id == UET_H_IPV6 ? put_hard(w, layer, "version", 6) : rc;
}

static gen_value get(struct gen_work *w, size_t layer, const char *name)
{
    struct gen_slot s = gen_slot_of(w, layer, name);
    return s.field ? gen_value_get(s.field, s.header) : 0;
}

/* Reads ask for bytes and carry none. */
#define READ_BYTES 64

/*
 * The lengths of a SES header from the data that the packet carries (3.4.2.1): a first and last
 * packet holds the whole message; else a message of two packets like this one is assumed.
 */
static void put_ses_lengths(struct gen_work *w, size_t layer)
{
    struct gen_slot s = gen_slot_of(w, layer, "message_offset");
    gen_value data = w->payload_len;
    bool request = strcmp(uet_headers[w->placed[layer].id].family, "ses_req") == 0;
    if (request && data == 0 && get(w, layer, "opcode") == UET_OP_READ)
        data = READ_BYTES;
    put_soft(w, layer, "payload_length", data);
    put_soft(w, layer, "eager_length", data); /* of a rendezvous (3.4.2.3) */
    if (!request && s.field)                  /* a Response with data, its last packet */
        put_soft(w, layer, "modified_length", data + get(w, layer, "message_offset"));
    if (!request)
        return;
    if (s.field)
        put_soft(w, layer, "message_offset", data);
    gen_value length = data + get(w, layer, "message_offset");
    put_soft(w, layer, "request_length", get(w, layer, "eom") ? length : length + data);
}

/* UUD carries datagrams, and these have no message_id (SES-035, PDS-183). */
static void put_datagram(struct gen_work *w, size_t layer)
{
    if (!uet_in_ses_req(w->placed[layer].id))
        return;
    gen_value opcode = get(w, layer, "opcode");
    bool common = opcode == UET_OP_WRITE || opcode == UET_OP_SEND;
    if (layer && w->placed[layer - 1].id == UET_H_UUD_REQ && common)
        put_soft(w, layer, "opcode", UET_OP_DATAGRAM_SEND);
    if (get(w, layer, "opcode") == UET_OP_DATAGRAM_SEND)
        put_soft(w, layer, "message_id", 0);
}

/* ---- Ethernet addresses follow the IP addresses ---- */

static gen_value mac_of(struct gen_work *w, size_t ip, const char *name)
{
    struct uet_ip a = {.version = w->placed[ip].id == UET_H_IPV6 ? 6 : 4};
    gen_value v = get(w, ip, name), mac = 0;
    for (size_t i = uet_ip_len(&a); i-- > 0; v >>= 8)
        a.bytes[i] = (uint8_t)v;
    struct uet_mac m = uet_mac_of_ip(&a);
    for (size_t i = 0; i < sizeof m.bytes; i++)
        mac = mac << 8 | m.bytes[i];
    return mac;
}

static void put_macs(struct gen_work *w, size_t eth)
{
    for (size_t l = eth + 1; l < w->gen->n_layers; l++) {
        if (w->placed[l].id != UET_H_IPV4 && w->placed[l].id != UET_H_IPV6)
            continue;
        put_soft(w, eth, "dst", mac_of(w, l, "dst"));
        put_soft(w, eth, "src", mac_of(w, l, "src"));
        return;
    }
}

/* ---- what "!" wants ---- */

/* Checksums come last: "!" on them waits for gen_protect. */
static bool is_sum(const struct uet_field *f)
{
    return strcmp(f->name, "header_checksum") == 0 || strcmp(f->name, "crc32c") == 0;
}

static int put_wrong(struct gen_work *w, size_t layer)
{
    const struct gen_layer *l = &w->gen->layers[layer];
    for (size_t a = 0; a < l->n_args; a++) {
        const struct gen_arg *arg = &w->gen->args[l->first_arg + a];
        if (!arg->field || !arg->wrong || is_sum(arg->field))
            continue;
        struct gen_slot s = gen_slot_of(w, layer, arg->field->name);
        gen_value v = gen_arg_value(w->gen, arg, w->i);
        if (!gen_value_fits(s.field, v))
            return gen_refuse(w->error, arg->at, arg->len, "%s has only %u bits here",
                              s.field->name, s.field->width);
        w->about.wrong |= gen_value_get(s.field, s.header) != v;
        gen_value_set(s.field, s.header, v);
    }
    w->about.wrong |= l->anyway;
    return 0;
}

int gen_settle(struct gen_work *w)
{
    int rc = 0;
    for (size_t l = 0; l < w->gen->n_layers && rc == 0; l++) {
        if (w->gen->layers[l].kind != GEN_HEADER)
            continue;
        const struct uet_header *h = &uet_headers[w->placed[l].id];
        rc = put_ip_length(w, l);
        if (h->layer == UET_LAYER_SES) {
            put_datagram(w, l);
            put_ses_lengths(w, l);
        }
        if (w->placed[l].id == UET_H_ETH)
            put_macs(w, l);
    }
    for (size_t l = 0; l < w->gen->n_layers && rc == 0; l++)
        if (w->gen->layers[l].kind == GEN_HEADER)
            rc = put_wrong(w, l);
    return rc;
}

/* ---- sums over the finished frame ---- */

/* The value of a sum in the frame: the right one, unless the line gives another. */
static int sum(struct gen_work *w, size_t layer, const char *name, gen_value right, gen_value *v)
{
    const struct gen_arg *arg = gen_arg_of(w, layer, name);
    *v = arg ? gen_arg_value(w->gen, arg, w->i) : right;
    if (*v == right)
        return 0;
    if (!arg->wrong)
        return gen_refuse(w->error, arg->at, arg->len,
                          "%s is 0x%llx in this packet; write !%s=.. to be wrong on purpose", name,
                          (unsigned long long)right, name);
    w->about.wrong = true;
    return 0;
}

static int put_ip_sum(struct gen_work *w, size_t layer, uint8_t *frame)
{
    uint8_t *ip = frame + w->placed[layer].offset;
    gen_value v;
    if (w->placed[layer].bytes < UET_IPV4_BYTES)
        return 0;
    uet_ipv4_header_checksum_set(ip, 0);
    int rc = sum(w, layer, "header_checksum", uet_inet_checksum(ip, UET_IPV4_BYTES), &v);
    uet_ipv4_header_checksum_set(ip, (uint16_t)v);
    return rc;
}

/* The IP layer that a trailer protects; -1 when there is none. */
static int ip_layer(const struct gen_work *w)
{
    for (size_t l = 0; l < w->gen->n_layers; l++)
        if (w->placed[l].id == UET_H_IPV4 || w->placed[l].id == UET_H_IPV6)
            return (int)l;
    return -1;
}

static int put_crc(struct gen_work *w, size_t layer, uint8_t *frame)
{
    int ip = ip_layer(w);
    gen_value v;
    size_t at = w->placed[layer].offset, from = 0;
    if (w->placed[layer].bytes < UET_CRC_TRAILER_BYTES)
        return 0;
    if (ip >= 0)
        from = w->placed[ip].offset + uet_crc_from(w->placed[ip].id == UET_H_IPV4 ? 4 : 6);
    if (from > at)
        from = at;
    int rc = sum(w, layer, "crc32c", uet_crc32c(0, frame + from, at - from), &v);
    uet_crc_store(frame + at, (uint32_t)v, UET_CRC_BIG_ENDIAN);
    w->about.protect = UET_PROTECT_CRC;
    return rc;
}

int gen_protect(struct gen_work *w, uint8_t *frame)
{
    int rc = 0;
    for (size_t l = 0; l < w->gen->n_layers && rc == 0; l++)
        if (w->placed[l].id == UET_H_IPV4)
            rc = put_ip_sum(w, l, frame);
    if (rc == 0 && w->gen->seal)
        rc = gen_seal_frame(w, frame);
    for (size_t l = 0; l < w->gen->n_layers && rc == 0; l++)
        if (w->placed[l].id == UET_H_CRC_TRAILER)
            rc = put_crc(w, l, frame);
    return rc;
}
