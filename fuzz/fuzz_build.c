/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parse, build again, parse again: what the strict parser accepts the builder must be able to say
 * with the same bytes from the UDP header on, and the parser must find the same in it.
 * Inputs are those of fuzz_parse that begin with Ethernet.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "wire/build.h"

static struct uet_route route_of(const struct uet_packet *p)
{
    return (struct uet_route){.src = uet_src_ip(p),
                              .dst = uet_dst_ip(p),
                              .entropy = uet_entropy(p),
                              .dscp = uet_dscp(p),
                              .ecn = uet_ecn(p),
                              .native = p->entropy_offset != 0};
}

/* The PDS header by its id, whatever stands between it and the payload, the payload. */
static int rebuild(const struct uet_packet *p, enum uet_protect protect, uint8_t *out, size_t cap)
{
    struct uet_build b;
    struct uet_route route = route_of(p);
    size_t pds_len = uet_headers[p->pds].bytes, at = p->pds_offset + pds_len;
    uet_build_start(&b, out, cap, &route);
    memcpy(uet_build_pds(&b, (enum uet_header_id)p->pds), p->frame + p->pds_offset, pds_len);
    while (at < p->payload_offset) {
        size_t n = p->payload_offset - at < 32 ? p->payload_offset - at : 32;
        memcpy(uet_build_header(&b, n), p->frame + at, n);
        at += n;
    }
    uet_build_payload(&b, p->frame + p->payload_offset, p->payload_len);
    return uet_build_finish(&b, protect, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t out[UET_FRAME_MAX];
    if (size == 0)
        return 0;
    const struct uet_parse_options o = {.protect = data[0] & 1 ? UET_PROTECT_CRC : UET_PROTECT_NONE,
                                        .variants = data[0] & 32};
    struct uet_packet p, q;
    if (uet_parse(&p, data + 1, size - 1, &o) != UET_PARSE_OK || !p.pds ||
        p.ip_end > UET_FRAME_MAX - UET_IPV6_BYTES)
        return 0;
    int n = rebuild(&p, (enum uet_protect)o.protect, out, sizeof out);
    FUZZ_CHECK(n > 0);
    FUZZ_CHECK(uet_parse(&q, out, (size_t)n, &o) == UET_PARSE_OK);
    FUZZ_CHECK(q.pds == p.pds && q.ses == p.ses && q.cp_payload == p.cp_payload);
    FUZZ_CHECK(q.cc_state == p.cc_state && q.sync == p.sync && q.ext == p.ext);
    FUZZ_CHECK(q.payload_len == p.payload_len && q.crc_state == p.crc_state);
    FUZZ_CHECK((uint32_t)(q.ip_end - q.pds_offset) == (uint32_t)(p.ip_end - p.pds_offset));
    /* The CRC covers addresses and UDP header, which are the same but for the UDP checksum. */
    size_t body = p.payload_offset + p.payload_len - (size_t)p.pds_offset;
    FUZZ_CHECK(memcmp(out + q.pds_offset, p.frame + p.pds_offset, body) == 0);
    return 0;
}
