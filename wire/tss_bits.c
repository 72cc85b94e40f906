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

void uet_tss_context_of(struct uet_tss_context *c, const struct uet_tss_purpose *p)
{
    uint16_t epoch = (uint16_t)(p->when >> 16);
    uint32_t rekey = (uint32_t)(p->when >> 32);
    uint32_t four = (uint32_t)p->address[0];
    if ((uint16_t)p->when == sizeof p->address)
        uet_tss_context_6(c, epoch, rekey, (const uint8_t *)p->address);
    else
        uet_tss_context_4(c, epoch, rekey, (const uint8_t *)&four);
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
