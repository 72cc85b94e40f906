/* SPDX-License-Identifier: BSD-2-Clause */
/* TSS over whole frames: headers in and out, lengths, which association, counters. */
#include <string.h>

#include "wire/inet.h"
#include "wire/tss.h"

enum uet_tss_status uet_tss_next(struct uet_tss_sender *sender, struct uet_tss_stamp *stamp)
{
    uint64_t limit =
        sender->limit && sender->limit < UET_TSS_COUNTER_MAX ? sender->limit : UET_TSS_COUNTER_MAX;
    if (sender->next >= limit)
        return UET_TSS_COUNTER_END;
    *stamp = (struct uet_tss_stamp){sender->ssi, sender->epoch, sender->next++};
    return UET_TSS_OK;
}

struct uet_tss_sa *uet_tss_find(struct uet_tss_sa *const *sas, size_t n,
                                const struct uet_tss_header *header, enum uet_tss_status *status)
{
    *status = UET_TSS_UNKNOWN_SDI;
    for (size_t i = 0; i < n; i++) {
        if (!sas[i] || sas[i]->sdi != header->sdi)
            continue;
        if (sas[i]->an == header->an) {
            *status = UET_TSS_OK;
            return sas[i];
        }
        *status = UET_TSS_NO_KEY;
    }
    return NULL;
}

/* IP and UDP lengths and the IPv4 checksum of a packet that now ends at at->end. */
static void set_lengths(uint8_t *frame, const struct uet_tss_place *at)
{
    uint8_t *ip = frame + at->ip_offset;
    size_t n = (size_t)at->end - at->ip_offset;
    if (at->udp_offset)
        uet_udp_length_set(frame + at->udp_offset, (uint16_t)(at->end - at->udp_offset));
    if (at->ip_version == 6) {
        uet_ipv6_payload_length_set(ip, (uint16_t)(n - UET_IPV6_BYTES));
        return;
    }
    uet_ipv4_total_length_set(ip, (uint16_t)n);
    uet_ipv4_header_checksum_set(ip, 0);
    uet_ipv4_header_checksum_set(ip, uet_inet_checksum(ip, (size_t)uet_ipv4_ihl(ip) * 4));
}

enum uet_tss_status uet_tss_seal(struct uet_tss_sa *sa, const struct uet_tss_stamp *stamp,
                                 const uint8_t *in, size_t len,
                                 const struct uet_parse_options *options, uint8_t *out, size_t cap,
                                 size_t *out_len)
{
    const struct uet_tss_header h = {
        .sdi = sa->sdi,
        .ssi = stamp->ssi,
        .epoch = stamp->epoch,
        .counter = stamp->counter,
        .an = sa->an,
        .sp = sa->ssi_mode,
    };
    struct uet_tss_place at;
    *out_len = 0;
    if (stamp->counter > UET_TSS_COUNTER_MAX)
        return UET_TSS_COUNTER_END;
    enum uet_tss_status s = uet_tss_locate(&at, in, len, options);
    if (s == UET_TSS_OK)
        s = uet_tss_fits(sa, &h, at.ip_version);
    if (s != UET_TSS_OK)
        return s;
    size_t header = uet_tss_header_len(h.sp), start = at.tss_offset, n = at.end - start;
    size_t end = at.end + header + UET_TSS_TRAILER_BYTES;
    if (end > cap || end > UINT16_MAX)
        return UET_TSS_NO_ROOM;
    at.end = (uint16_t)end;
    size_t from = uet_tss_encrypted_from(&at, h.sp, sa->encrypt_from, end - UET_TSS_TRAILER_BYTES);
    if (out == in)
        memmove(out + start + header, out + start, n);
    else {
        memcpy(out, in, start);
        memcpy(out + start + header, in + start, from - header - start);
    }
    uet_tss_write(out + start, &h);
    set_lengths(out, &at);
    s = uet_tss_seal_at(sa, out, &at, out == in ? NULL : in + from - header);
    *out_len = s == UET_TSS_OK ? end : 0;
    return s;
}

/* The opened bytes, now that they are known to be good, without TSS header and ICV. */
static void strip(uint8_t *out, const uint8_t *in, struct uet_tss_place *at, size_t header,
                  size_t from)
{
    size_t start = at->tss_offset;
    at->end = (uint16_t)(at->end - header - UET_TSS_TRAILER_BYTES);
    if (out == in)
        memmove(out + start, in + start + header, at->end - start);
    else {
        memcpy(out, in, start);
        memcpy(out + start, in + start + header, from - start - header);
    }
    set_lengths(out, at);
}

enum uet_tss_status uet_tss_open(struct uet_tss_sa *sa, const uint8_t *in, size_t len,
                                 const struct uet_parse_options *options, uint8_t *out, size_t cap,
                                 size_t *out_len, struct uet_tss_header *header)
{
    struct uet_tss_header own = {0}, *h = header ? header : &own;
    struct uet_tss_place at;
    *out_len = 0;
    enum uet_tss_status s = uet_tss_locate(&at, in, len, options);
    if (s == UET_TSS_OK)
        s = uet_tss_header_at(h, in, &at, true);
    if (s == UET_TSS_OK)
        s = uet_tss_fits(sa, h, at.ip_version);
    if (s != UET_TSS_OK)
        return s;
    size_t n = uet_tss_header_len(h->sp), limit = at.end - (size_t)UET_TSS_TRAILER_BYTES;
    size_t from = uet_tss_encrypted_from(&at, h->sp, sa->encrypt_from, limit);
    if (limit - n > cap)
        return UET_TSS_NO_ROOM;
    uint8_t *plain = out == in ? out + from : out + from - n;
    s = uet_tss_open_at(sa, in, &at, plain);
    if (s != UET_TSS_OK && out != in)
        uet_tss_wipe(plain, limit - from);
    if (s != UET_TSS_OK)
        return s;
    strip(out, in, &at, n, from);
    *out_len = at.end;
    return UET_TSS_OK;
}
