/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/tss_bits.h"

#include <string.h>

#include "wire/inet.h"

const char *uet_tss_status_text(enum uet_tss_status status)
{
    static const char *const text[UET_TSS_STATUS_COUNT] = {
        [UET_TSS_OK] = "no error",
        [UET_TSS_NOT_UET] = "not a UET packet",
        [UET_TSS_CLEAR] = "a packet in clear: no TSS header",
        [UET_TSS_SHORT] = "no room for TSS header and ICV",
        [UET_TSS_UNKNOWN_SDI] = "unknown SDI",
        [UET_TSS_NO_KEY] = "no key for this AN",
        [UET_TSS_SSI] = "SSI missing or not expected",
        [UET_TSS_BAD_ICV] = "ICV wrong",
        [UET_TSS_COUNTER_END] = "TSC counter at its limit",
        [UET_TSS_NO_ROOM] = "buffer or length field too small",
        [UET_TSS_CRYPTO] = "the cryptographic library failed",
    };
    return (unsigned)status < UET_TSS_STATUS_COUNT ? text[status] : "unknown status";
}

size_t uet_tss_header_len(bool sp)
{
    return sp ? UET_TSS_HDR_16_BYTES : UET_TSS_HDR_12_BYTES;
}

void uet_tss_read(struct uet_tss_header *h, const uint8_t *p)
{
    bool sp = uet_tss_hdr_sp(p);
    *h = (struct uet_tss_header){
        .sdi = uet_tss_hdr_sdi(p),
        .ssi = sp ? uet_tss_hdr_16_ssi(p) : 0,
        .epoch = sp ? uet_tss_hdr_16_epoch(p) : uet_tss_hdr_12_epoch(p),
        .counter = sp ? uet_tss_hdr_16_counter(p) : uet_tss_hdr_12_counter(p),
        .an = uet_tss_hdr_an(p),
        .sp = sp,
        .reserved = uet_tss_hdr_rsvd(p),
    };
}

size_t uet_tss_write(uint8_t *p, const struct uet_tss_header *h)
{
    uet_tss_hdr_type_set(p, UET_PDS_TSS);
    uet_tss_hdr_sp_set(p, h->sp);
    uet_tss_hdr_rsvd_set(p, h->reserved);
    uet_tss_hdr_an_set(p, h->an);
    uet_tss_hdr_sdi_set(p, h->sdi);
    if (h->sp) {
        uet_tss_hdr_16_ssi_set(p, h->ssi);
        uet_tss_hdr_16_epoch_set(p, h->epoch);
        uet_tss_hdr_16_counter_set(p, h->counter);
    } else {
        uet_tss_hdr_12_epoch_set(p, h->epoch);
        uet_tss_hdr_12_counter_set(p, h->counter);
    }
    return uet_tss_header_len(h->sp);
}

/* Native IP: where the entropy header ends, or 0. */
static size_t native_start(const struct uet_packet *p)
{
    const uint8_t *ip = p->frame + p->ip_offset;
    if (p->ip_version == 6)
        return uet_ipv6_next_header(ip) == UET_IPPROTO_UET_EXPERIMENTAL
                   ? p->ip_offset + UET_IPV6_BYTES + (size_t)UET_ENTROPY_BYTES
                   : 0;
    bool fragment = uet_ipv4_mf(ip) || uet_ipv4_fragment_offset(ip);
    return uet_ipv4_protocol(ip) == UET_IPPROTO_UET_EXPERIMENTAL && !fragment
               ? p->ip_offset + uet_ipv4_ihl(ip) * 4u + (size_t)UET_ENTROPY_BYTES
               : 0;
}

enum uet_tss_status uet_tss_locate(struct uet_tss_place *at, const uint8_t *frame, size_t len,
                                   const struct uet_parse_options *options)
{
    struct uet_parse_options o = options ? *options : (struct uet_parse_options){0};
    struct uet_packet p;
    o.protect = UET_PROTECT_NONE;
    if (o.start == UET_START_PDS)
        return UET_TSS_NOT_UET; /* without addresses there is nothing to authenticate */
    enum uet_parse_error e = uet_parse(&p, frame, len, &o);
    bool below_pds = e != UET_PARSE_OK && e != UET_PARSE_NOT_UET && e < UET_PARSE_PDS_SHORT;
    if (!p.ip_end || (below_pds && !o.lenient))
        return UET_TSS_NOT_UET;
    size_t start = p.udp_offset ? p.udp_offset + (size_t)UET_UDP_BYTES : native_start(&p);
    if (!start || start >= p.ip_end)
        return UET_TSS_NOT_UET;
    *at = (struct uet_tss_place){
        .ip_version = p.ip_version,
        .ip_offset = p.ip_offset,
        .udp_offset = p.udp_offset,
        .tss_offset = (uint16_t)start,
        .end = p.ip_end,
    };
    return UET_TSS_OK;
}

enum uet_tss_status uet_tss_header_at(struct uet_tss_header *h, const uint8_t *frame,
                                      const struct uet_tss_place *at, bool want_icv)
{
    size_t room = (size_t)at->end - at->tss_offset;
    const uint8_t *tss = frame + at->tss_offset;
    if (room == 0)
        return UET_TSS_SHORT;
    if (uet_tss_hdr_type(tss) != UET_PDS_TSS)
        return UET_TSS_CLEAR;
    if (room < uet_tss_header_len(uet_tss_hdr_sp(tss)) + (want_icv ? UET_TSS_TRAILER_BYTES : 0))
        return UET_TSS_SHORT;
    uet_tss_read(h, tss);
    return UET_TSS_OK;
}

size_t uet_tss_encrypted_from(const struct uet_tss_place *at, bool sp, uint16_t from, size_t limit)
{
    size_t header = uet_tss_header_len(sp);
    size_t offset = at->tss_offset + (from > header ? from : header);
    return offset < limit ? offset : limit;
}

static size_t address_offset(const struct uet_tss_place *at, bool dst)
{
    size_t src = at->ip_offset + uet_crc_from(at->ip_version), len = at->ip_version == 4 ? 4 : 16;
    return dst ? src + len : src;
}

size_t uet_tss_aad(const struct uet_tss_place *at, size_t encrypted_from,
                   const struct uet_tss_readings *r, struct uet_tss_run runs[2])
{
    size_t src = address_offset(at, false), after = address_offset(at, true) * 2 - src;
    if (!r->udp_not_in_aad || !at->udp_offset) {
        runs[0] = (struct uet_tss_run){src, encrypted_from - src};
        return 1;
    }
    runs[0] = (struct uet_tss_run){src, after - src};
    runs[1] = (struct uet_tss_run){at->tss_offset, encrypted_from - at->tss_offset};
    return 2;
}

void uet_tss_raw_iv(uint8_t iv[UET_TSS_IV_LEN], const struct uet_tss_header *h,
                    const uint8_t *frame, const struct uet_tss_place *at)
{
    if (h->sp)
        uet_wr32(iv, h->ssi);
    else if (at->ip_version == 4)
        memcpy(iv, frame + address_offset(at, false), 4);
    else
        uet_wr32(iv, h->sdi);
    uet_wr16(iv + 4, h->epoch);
    uet_wr48(iv + 6, h->counter);
}

void uet_tss_context_4(struct uet_tss_context *c, uint16_t epoch, uint32_t rekey,
                       const uint8_t source[4])
{
    *c = (struct uet_tss_context){.len = 10};
    uet_wr16(c->bytes, epoch);
    uet_wr32(c->bytes + 2, rekey);
    memcpy(c->bytes + 6, source, 4);
}

void uet_tss_context_6(struct uet_tss_context *c, uint16_t epoch, uint32_t rekey,
                       const uint8_t address[16])
{
    *c = (struct uet_tss_context){.len = 26};
    uet_wr16(c->bytes + 4, epoch); /* four zero bytes stand in front */
    uet_wr32(c->bytes + 6, rekey);
    memcpy(c->bytes + 10, address, 16);
}

void uet_tss_context_of(struct uet_tss_context *c, const struct uet_tss_header *h, uint32_t rekey,
                        bool by_dst, const uint8_t *frame, const struct uet_tss_place *at,
                        const struct uet_tss_readings *r)
{
    const uint8_t *address = frame + address_offset(at, by_dst);
    uint8_t ssi[4];
    uet_wr32(ssi, h->ssi);
    if (at->ip_version == 6 && (!h->sp || r->ipv6_context_by_ip)) /* TSS-077 */
        uet_tss_context_6(c, h->epoch, rekey, address);
    else
        uet_tss_context_4(c, h->epoch, rekey, h->sp ? ssi : address);
}

size_t uet_tss_kdf_input(uint8_t out[UET_TSS_FIXED_MAX], uint8_t i, const char label[2],
                         const struct uet_tss_context *c)
{
    out[0] = i;
    memcpy(out + 1, label, 2);
    out[3] = 0;
    memcpy(out + 4, c->bytes, c->len);
    uet_wr16(out + 4 + c->len, UET_TSS_DERIVED_LEN * 8u);
    return 4u + c->len + 2u;
}
