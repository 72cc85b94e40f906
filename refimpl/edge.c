/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/edge.h"

#include <string.h>

#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

static void count_parse_error(struct uet_fep *fep, uint8_t error)
{
    static const uint16_t counter[UET_PARSE_ERROR_COUNT] = {
        [UET_PARSE_NOT_UET] = CNT_drop_not_uet,
        [UET_PARSE_ETH_SHORT] = CNT_drop_eth_short,
        [UET_PARSE_IP_SHORT] = CNT_drop_ip_short,
        [UET_PARSE_IP_VERSION] = CNT_drop_ip_version,
        [UET_PARSE_IP_LENGTH] = CNT_drop_ip_length,
        [UET_PARSE_IP_CHECKSUM] = CNT_drop_ip_checksum,
        [UET_PARSE_IP_FRAGMENT] = CNT_drop_ip_fragment,
        [UET_PARSE_UDP_SHORT] = CNT_drop_udp_short,
        [UET_PARSE_UDP_LENGTH] = CNT_drop_udp_length,
        [UET_PARSE_PDS_SHORT] = CNT_drop_pds_short,
        [UET_PARSE_PDS_TYPE] = CNT_drop_pds_type,
        [UET_PARSE_PDS_NEXT_HDR] = CNT_drop_pds_next_hdr,
        [UET_PARSE_SES_SHORT] = CNT_drop_ses_short,
        [UET_PARSE_CRC_SHORT] = CNT_drop_crc_short,
        [UET_PARSE_CRC_BAD] = CNT_drop_crc_bad,
        [UET_PARSE_TSS_SHORT] = CNT_drop_tss_short,
    };
    uint16_t which = counter[error] ? counter[error] : (uint16_t)CNT_drop_parse_other;
    fep->counters[which]++;
}

void uet_edge_init(struct uet_fep *fep)
{
    const struct uet_fep_config *c = &fep->config;
    fep->parse = (struct uet_parse_options){
        .protect = c->protect,
        .crc_order = c->crc_order,
        .udp_port = c->udp_port,
        .ip_protocol = c->ip_protocol,
        .dscp_trimmed = c->dscp_trimmed | c->dscp_trimmed_lasthop,
        .dscp_trimmed_lasthop = c->dscp_trimmed_lasthop,
    };
    const uint16_t above =
        UET_ETH_BYTES + (c->address.version == 6 ? UET_IPV6_BYTES : UET_IPV4_BYTES);
    fep->built = (struct uet_tss_place){
        .ip_version = c->address.version,
        .ip_offset = UET_ETH_BYTES,
        .udp_offset = c->over_udp ? above : 0,
        .tss_offset = (uint16_t)(above + (c->over_udp ? UET_UDP_BYTES : UET_ENTROPY_BYTES)),
    };
}

void uet_edge_parse(const struct uet_fep *fep, const uint8_t *frame, size_t len,
                    struct uet_packet *p)
{
    uet_parse(p, frame, len, &fep->parse);
}

void uet_edge_parse_opened(const struct uet_fep *fep, const uint8_t *frame, struct uet_packet *p)
{
    uet_parse_opened(p, frame, &fep->parse);
}

/* Goes on behind the TSS header of a packet that is cut, as far as there are bytes. */
static void parse_peeked(struct uet_packet *p, const uint8_t *frame,
                         const struct uet_parse_options *options)
{
    p->frame = frame;
    p->error = UET_PARSE_OK;
    uet_parse_transport(p, p->payload_offset, p->ip_end, p->ip_end, options);
}

/* What the headers say; false: it is counted and dropped. */
static bool readable(struct uet_fep *fep, const struct uet_packet *p)
{
    bool cut = p->error == UET_PARSE_TRIMMED && uet_edge_trimmed(p);
    if (p->error == UET_PARSE_OK || cut)
        return true;
    count_parse_error(fep, p->error);
    return false;
}

static bool is_for_us(struct uet_fep *fep, const struct uet_packet *p)
{
    if ((p->udp_offset != 0) != fep->config.over_udp) { /* the other encapsulation (3.5.10.1) */
        COUNT(fep, drop_not_uet);
        return false;
    }
    struct uet_ip to = uet_dst_ip(p), from = uet_src_ip(p);
    if (!uet_ip_equal(&to, &fep->config.address)) {
        COUNT(fep, drop_not_for_us);
        return false;
    }
    if (!uet_ip_is_host(&from) || uet_ip_equal(&from, &to)) {
        COUNT(fep, drop_source);
        return false;
    }
    return true;
}

/* What stands behind the TSS header (3.7). */
static bool open_sealed(struct uet_fep *fep, struct uet_packet *p)
{
    bool cut = uet_edge_trimmed(p);
    const uint8_t *clear = cut ? uet_sd_peek(fep, p) : uet_sd_open(fep, p);
    if (!clear)
        return false;
    if (cut)
        parse_peeked(p, clear, &fep->parse);
    else
        uet_parse_opened(p, clear, &fep->parse);
    return uet_faults_opened(fep, p) && readable(fep, p);
}

/*
 * A packet that does not fit the PDC that its dpdcid names; NULL: there is none. Within a domain
 * that of another peer is none: the packet goes on, and is refused as a stranger's (3.5.8.2 step
 * 4b). Of a server with SSIs each client has a context of its own: were the packet dropped in
 * silence, a client whose PDCID another one has got since would never learn that its PDC is gone
 * (PDS-210).
 */
__attribute__((noinline)) static bool
is_bound_as_stranger(struct uet_fep *fep, const struct uet_packet *p, const struct pdc *pdc)
{
    const struct uet_ip from = uet_src_ip(p);
    bool same_domain = pdc && p->tss && pdc->tss.sealed && pdc->tss.sdi == p->sdi;
    bool strange = same_domain && !uet_ip_equal(&pdc->peer, &from);
    if (strange && fep->law.tss.bound(fep, p, NULL))
        return true;
    uet_sd_misbound(fep, p, pdc && !strange ? &pdc->tss : NULL);
    return false;
}

/*
 * May the packet, opened or in clear, go on to the PDC and the job that it names (TSS-045, TSS-048,
 * TSS-049)? False: it is counted, and dropped in silence.
 */
static inline bool is_bound(struct uet_fep *fep, const struct uet_packet *p)
{
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(p));
    if (!p->tss)
        COUNT(fep, in_rx_encryption_bypass_pkts);
    return fep->law.tss.bound(fep, p, pdc ? &pdc->tss : NULL) || is_bound_as_stranger(fep, p, pdc);
}

bool uet_edge_open(struct uet_fep *fep, const uint8_t *frame, size_t len, struct uet_packet *p)
{
    frame = uet_faults_in(fep, frame, &len);
    if (!frame)
        return false;
    uet_parse(p, frame, len, &fep->parse);
    bool sealed = p->tss && p->ip_version && (p->error == UET_PARSE_SEALED || uet_edge_trimmed(p));
    if ((!sealed && !readable(fep, p)) || !is_for_us(fep, p))
        return false;
    if (sealed && !open_sealed(fep, p))
        return false;
    return !fep->secured || is_bound(fep, p);
}

static uint8_t dscp_of(const struct uet_fep_config *c, uint8_t what)
{
    switch (what) {
    case UET_EDGE_REQUEST:
        return c->dscp_request;
    case UET_EDGE_RESEND:
        return c->dscp_rtx == UET_FEP_NO_DSCP ? c->dscp_request : c->dscp_rtx;
    case UET_EDGE_SINGLE:
        return c->dscp_rudi_uud;
    default:
        return c->dscp_control;
    }
}

void uet_edge_begin(const struct uet_fep *fep, struct uet_build *b, uint8_t *buffer, size_t cap,
                    const struct uet_edge_route *route)
{
    const struct uet_fep_config *c = &fep->config;
    const struct uet_route ip = {
        .src = c->address,
        .dst = route->to,
        .entropy = route->entropy,
        .udp_port = c->udp_port,
        .native = !c->over_udp,
        .ip_protocol = c->ip_protocol,
        .crc_order = c->crc_order,
        .dscp = dscp_of(c, route->what),
        .ecn = UET_ECN_ECT0, /* UET packets are ECN capable */
    };
    uet_build_start(b, buffer, cap, &ip);
    if (route->tss.sealed)
        uet_sd_begin(fep, b, &route->tss);
}

void uet_edge_resume(const struct uet_fep *fep, struct uet_build *b, uint8_t *buffer, size_t cap,
                     const uint8_t *frame, size_t len)
{
    const struct uet_tss_place *at = &fep->built;
    *b = (struct uet_build){
        .frame = buffer,
        .cap = cap,
        .len = len,
        .ip_offset = at->ip_offset,
        .udp_offset = at->udp_offset,
        .crc_order = fep->config.crc_order,
        .ip_version = at->ip_version,
    };
    memcpy(buffer, frame, len);
    if (uet_tss_hdr_type(buffer + at->tss_offset) == UET_PDS_TSS)
        b->tss_offset = at->tss_offset;
}

size_t uet_edge_finish(const struct uet_fep *fep, struct uet_build *b)
{
    int length = uet_build_finish(b, fep->config.protect, NULL);
    return length > 0 ? (size_t)length : 0;
}
