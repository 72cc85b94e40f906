/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules for any packet: addresses, reserved bits, PDCIDs, formats. */
#include <string.h>

#include "rules/internal.h"

/* 3.5.10.1: UET packets are never fragments, so DF is set. */
static bool df(const struct uet_ruling *r)
{
    return r->p->df_clear && uet_violates(r, "IPv4 DF is 0, required 1");
}

/* 3.5.11.5: 0 names no PDC. Only a NACK may carry it, and the dpdcid place of a syn packet. */
static bool pdcid_zero(const struct uet_ruling *r)
{
    if (!uet_spdcid(r->p))
        return uet_violates(r, "spdcid is 0, which names no PDC");
    if (!uet_is_ack(r->p) && !uet_is_syn(r->p) && !uet_dpdcid(r->p))
        return uet_violates(r, "dpdcid is 0 in a packet with syn 0; 0 names no PDC");
    return false;
}

static inline bool any_reserved(const struct uet_reserved *words, const uint8_t *h)
{
    uint32_t any = 0, word;
    for (uint8_t i = 0; i < words->n; i++) {
        memcpy(&word, h + words->at[i], sizeof word);
        any |= word & words->mask[i];
    }
    return any;
}

static bool reserved_field(const struct uet_ruling *r, uint8_t id, const uint8_t *h, uint16_t skip)
{
    for (uint8_t i = 0; i < uet_headers[id].n_fields; i++) {
        const struct uet_field *f = uet_headers[id].fields[i];
        if (f->kind != UET_KIND_RESERVED || (skip && f->bit_offset == skip))
            continue;
        uint64_t value = uet_field_get(f, h);
        if (value)
            return uet_violates(r, "%s.%s is 0x%llx, reserved bits are sent as 0",
                                uet_headers[id].name, f->name, (unsigned long long)value);
    }
    return false;
}

static inline bool reserved_in(const struct uet_ruling *r, uint8_t id, const uint8_t *h,
                               uint16_t skip)
{
    return h && any_reserved(&r->reserved[id], h) && reserved_field(r, id, h, skip);
}

/* Has the CP no payload at all, so that all of it is a requirement of its own (PDS-198)? */
static bool has_no_payload(uint8_t ctl)
{
    return ctl == UET_CTL_NOOP || ctl == UET_CTL_CLOSE_COMMAND || ctl == UET_CTL_CLOSE_REQUEST;
}

/* 3.5.10.1. */
static bool entropy_reserved(const struct uet_ruling *r)
{
    return r->p->entropy_rsvd &&
           uet_violates(r, "entropy.rsvd is 0x%x, reserved bits are sent as 0", r->p->entropy_rsvd);
}

/* 3.5.10.2. pdc_info, at bit 80 of a syn packet, has a requirement of its own (PDS-021). */
static bool pds_reserved(const struct uet_ruling *r)
{
    const struct uet_packet *p = r->p;
    if (reserved_in(r, p->pds, r->pds, uet_is_syn(p) ? 80 : 0))
        return true;
    return p->cp_payload && !has_no_payload(uet_ctl(r)) &&
           reserved_in(r, p->cp_payload, uet_cp_payload_of(p), 0);
}

/* 3.4.2.1. */
static bool ses_reserved(const struct uet_ruling *r)
{
    return reserved_in(r, r->p->ses, r->ses, 0);
}

/* Table 2-13. */
static bool key_reserved(const struct uet_ruling *r)
{
    const uint8_t *key;
    enum uet_header_id form = r->p->error ? UET_H_NONE : uet_memory_key(r->p, &key);
    return form != UET_H_NONE && reserved_in(r, (uint8_t)form, key, 0);
}

/* 3.4.2.1, Table 3-8: SES version is 0 in requests and responses, in one place. */
static bool ses_version(const struct uet_ruling *r)
{
    uint8_t version = uet_ses_req_version(r->ses);
    return version && uet_violates(r, "ses.version is %u, required 0", version);
}

static uint8_t next_hdr(const struct uet_ruling *r)
{
    return uet_pds_prologue_next_hdr_or_ctl_type(r->pds);
}

/*
 * 3.4.2.6, Table 3-16. A header cut short is the sender's doing only where nothing can have cut
 * it on the way: a trimmed packet is short too (4.1).
 */
static bool format_fits(const struct uet_ruling *r)
{
    if (r->p->error == UET_PARSE_SES_SHORT && r->vantage == UET_VANTAGE_BOTH)
        return uet_violates(r, "next_hdr %s, but the packet is too short for that header",
                            uet_enum_name(UET_ENUM_PDS_NEXT_HDR, next_hdr(r)));
    return next_hdr(r) > UET_NH_RESPONSE_DATA_SMALL &&
           uet_violates(r, "next_hdr is %u, which names no SES header", next_hdr(r));
}

/* 3.4.2.6: request formats only in Requests, responses without data only in ACKs. */
static bool format_place(const struct uet_ruling *r)
{
    uint8_t next = next_hdr(r);
    bool answers = uet_is_ack(r->p) || r->p->pds == UET_H_RUDI_RESP;
    if (!answers && next == UET_NH_RESPONSE)
        return uet_violates(r, "a Request carries a SES response (next_hdr 4)");
    return answers && next >= UET_NH_REQUEST_SMALL && next <= UET_NH_REQUEST_STD &&
           uet_violates(r, "%s carries a SES request (next_hdr %u)",
                        uet_is_ack(r->p) ? "an ACK" : "a RUDI Response", next);
}

/*
 * 3.6.17, 3.6.4.7. The network may change a DSCP: what is told is DSCP_CONTROL where this is seen.
 * An ACK with read data has a size from which on it leaves on the class of data (3.5.5).
 */
static bool on_control(const struct uet_ruling *r)
{
    if (!r->dscp_control || uet_is_ses_response_data(r->p))
        return false;
    uint8_t dscp = uet_dscp(r->p);
    return !(r->dscp_control >> dscp & 1) &&
           uet_violates(r, "%s with DSCP %u, which is not told as DSCP_CONTROL",
                        uet_is_ack(r->p)    ? "an ACK"
                        : uet_is_nack(r->p) ? "a NACK"
                                            : "a Control Packet",
                        dscp);
}

static const struct uet_rule_row rows[] = {
    {{"NET-034", "IPv4 packets carry DF"}, UET_ON_ANY, UET_WHEN_ODD_IP, df},
    {{"NET-032", "the reserved half of the entropy header is 0"},
     UET_ON_ANY,
     UET_WHEN_ODD_IP,
     entropy_reserved},
    {{"CMS-008", "ACKs, NACKs and Control Packets leave on DSCP_CONTROL"},
     UET_ON_ANSWERS | UET_ON_CP,
     UET_NEEDS_NOTHING,
     on_control},
    {{"PDS-016", "PDCID 0 never names a PDC"},
     UET_ON_SENDS | UET_ON_ACK,
     UET_NEEDS_NOTHING,
     pdcid_zero},
    {{"PDS-234", "reserved PDS header bits are 0"}, UET_ON_ANY, UET_NEEDS_NOTHING, pds_reserved},
    {{"SES-001", "the SES version is 0"},
     UET_ON_SES_REQUEST | UET_ON_SES_RESPONSE,
     UET_NEEDS_NOTHING,
     ses_version},
    {{"SES-002", "reserved SES bits are 0"},
     UET_ON_SES_REQUEST | UET_ON_SES_RESPONSE,
     UET_NEEDS_NOTHING,
     ses_reserved},
    {{"SES-162", "reserved bits of a memory key are 0"},
     UET_ON_SES_REQUEST,
     UET_NEEDS_NOTHING,
     key_reserved},
    {{"SES-005", "next_hdr agrees with the SES header that follows"},
     UET_ON_REQUEST | UET_ON_ACK | UET_ON_RUDI_REQUEST | UET_ON_RUDI_RESPONSE | UET_ON_UUD,
     UET_WHEN_MALFORMED,
     format_fits},
    {{"SES-006", "SES requests stand in Requests, responses in ACKs"},
     UET_ON_REQUEST | UET_ON_ACK | UET_ON_RUDI_REQUEST | UET_ON_RUDI_RESPONSE | UET_ON_UUD,
     UET_WHEN_MALFORMED,
     format_place},
};

const struct uet_rule_table uet_rules_common = UET_TABLE(rows);
