/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A UET packet: what IP and UDP say of it as values, UET's own headers as offsets into its frame.
 * The parser walks Ethernet, 802.1Q, IPv4 or IPv6, UDP port 4793 or the entropy header of native
 * IP, TSS, PDS, SES, its extension, payload and CRC trailer; it copies no payload, reads nothing it
 * has not checked, and names the first thing wrong and where. Header
 * formats: 3.5.10, 3.4.2, 3.7.11.
 */
#ifndef UET_WIRE_PACKET_H
#define UET_WIRE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "uet_spec.h"
#include "wire/addr.h"
#include "wire/crc.h"

/* The longest frame that uetkit handles: 9216-byte jumbo and some. */
#define UET_FRAME_MAX 9600

/* More 802.1Q tags than this and a frame is not looked into: public code accepts two. */
#define UET_VLANS_MAX 4

/* The first thing wrong with a frame. Keep uet_parse_error_text in step. */
enum uet_parse_error {
    UET_PARSE_OK,
    UET_PARSE_NOT_UET,       /* well formed as far as looked, but not UET: not an error */
    UET_PARSE_ETH_SHORT,     /* no whole Ethernet or VLAN header */
    UET_PARSE_IP_SHORT,      /* no whole IP header */
    UET_PARSE_IP_VERSION,    /* version or header length field wrong */
    UET_PARSE_IP_LENGTH,     /* IP length beyond the frame, or smaller than its header */
    UET_PARSE_IP_CHECKSUM,   /* IPv4 header checksum wrong */
    UET_PARSE_IP_FRAGMENT,   /* a fragment: UET packets are never fragmented */
    UET_PARSE_UDP_SHORT,     /* no whole UDP header */
    UET_PARSE_UDP_LENGTH,    /* UDP length differs from what IP carries */
    UET_PARSE_ENTROPY_SHORT, /* native IP, but no whole entropy header (3.5.10.1) */
    UET_PARSE_PDS_SHORT,     /* no whole PDS header */
    UET_PARSE_PDS_TYPE,      /* reserved pds.type (PDS-233) */
    UET_PARSE_PDS_NEXT_HDR,  /* next_hdr that this PDS header cannot carry (SES-005) */
    UET_PARSE_SES_SHORT,     /* no whole SES header (SES-159) */
    UET_PARSE_SES_EXT_SHORT, /* the opcode's extension header is not whole (3.4.2.3, 3.4.2.4) */
    UET_PARSE_CRC_SHORT,     /* no room for the CRC trailer */
    UET_PARSE_CRC_BAD,       /* CRC-32C wrong (PDS-233) */
    UET_PARSE_TSS_SHORT,     /* no whole TSS header, or no room for the ICV (TSS-044) */
    UET_PARSE_SEALED,        /* encrypted: nothing behind the TSS header is read. Not malformed */
    UET_PARSE_TRIMMED,       /* a switch cut it in or before a header (4.1). Not malformed */
    UET_PARSE_ERROR_COUNT
};

/* What protects the packet: UET_Data_Protect (3.5.5) by its values. Nothing on the wire says it. */
enum uet_protect {
    UET_PROTECT_NONE, /* no trailer */
    UET_PROTECT_CRC,  /* CRC-32C trailer, checked; never in a sealed or trimmed packet */
    UET_PROTECT_TSS,  /* sealed (3.7): to the parser as NONE, as the packet itself says it */
    UET_PROTECT_AUTO, /* a trailer is taken to be there when the last four bytes fit, in any order
                       */
};

/* What the first byte given to the parser is. */
enum uet_start {
    UET_START_ETH,
    UET_START_IP,  /* as captures of link type "raw IP" hold it */
    UET_START_PDS, /* TSS or PDS header: no addresses, and so no CRC trailer to check */
};

enum uet_crc_state { UET_CRC_ABSENT, UET_CRC_GOOD, UET_CRC_BAD, UET_CRC_UNCHECKED };

/* Was the packet cut by a switch (4.1), and how is that known? */
enum uet_trim {
    UET_TRIM_NO,
    UET_TRIM_TRIMMED,   /* its DSCP has the role DSCP_TRIMMED */
    UET_TRIM_LASTHOP,   /* DSCP_TRIMMED_LASTHOP */
    UET_TRIM_BY_LENGTH, /* the UDP length names bytes that IP did not bring: or it is wrong */
};

struct uet_parse_options {
    uint8_t protect;     /* enum uet_protect */
    bool lenient;        /* go on after a wrong IP checksum, UDP length or CRC, keeping the error */
    uint8_t start;       /* enum uet_start */
    uint8_t crc_order;   /* enum uet_crc_order that UET_PROTECT_CRC demands; AUTO takes either */
    uint8_t ip_protocol; /* of native UET (3.5.5); 0 stands for 253 */
    uint16_t udp_port;   /* 0 stands for 4793 */
    /*
     * Look for what drafts and trials alone send, too, where the specification has another reading
     * of the same bytes: uet_variant_... of the parse graph. What cannot be meant otherwise is
     * recognised without this.
     */
    bool variants;
    /*
     * The code points of both trimmed roles: bit d stands for DSCP d. They are the operator's
     * (4.1.4.1). Such a packet may be cut anywhere, and no trailer of it is looked for.
     */
    uint64_t dscp_trimmed;
    uint64_t dscp_trimmed_lasthop; /* those of them that mean DSCP_TRIMMED_LASTHOP */
};

/* Readings of the facts that a packet was opened in: spec-map/readings.csv. */
enum uet_opened_reading {
    UET_OPENED_WITHOUT_UDP = 1, /* TSS-012: the UDP header is not authenticated (U2) */
    UET_OPENED_BY_ADDRESS = 2,  /* TSS-077: the key of an SSI on IPv6 is derived for the address */
};

/* What a sealed packet says in clear (3.7.11), and what is known of its key. */
struct uet_packet_seal {
    uint64_t counter; /* 48 bits */
    uint32_t ssi;     /* 0 without one */
    uint32_t mark;    /* the first bytes of its ICV, or 0 where it has none: tells packets apart */
    uint16_t epoch;
    uint8_t an;
    bool rsvd;
    bool refused; /* there are keys for its SDI and AN, and none of them opens it */
    uint8_t mode; /* enum uet_tss_mode of the key that opened it, 0 where that is not known */
    uint8_t
        readings; /* enum uet_opened_reading, or-ed: where the packet tells one from the other */
    uint16_t key; /* number of the key that opened it, from 1 on; 0: not known */
};

/* What a parse found. Offsets count from the first byte of the frame; 0 means absent. */
struct uet_packet {
    const uint8_t *frame; /* not owned */
    uint32_t len;         /* bytes of it */
    uint8_t error;        /* enum uet_parse_error */
    uint8_t crc_state;    /* enum uet_crc_state */
    /*
     * What the layers below say, as values: nobody who judges a packet needs their bytes. Whoever
     * knows those layers by himself fills these in, and calls uet_parse_transport.
     */
    uint8_t ip_version;     /* 4, 6, or 0 */
    uint8_t traffic_class;  /* DSCP and ECN: see uet_dscp, uet_ecn */
    uint8_t src[16];        /* of IPv4 the first four bytes, 0 behind them: see uet_src_ip */
    uint8_t dst[16];        /* see uet_dst_ip */
    uint16_t entropy;       /* the UDP source port, or of the entropy header (3.5.10.1) */
    uint16_t entropy_rsvd;  /* reserved bits of the entropy header */
    uint16_t trimmed_bytes; /* that a trim took away, where the UDP length still tells (4.1.3) */
    bool df_clear;          /* IPv4 with DF 0 */
    uint8_t trim;           /* enum uet_trim */

    uint8_t n_vlans;
    uint8_t start;         /* enum uet_start */
    uint8_t tss;           /* enum uet_header_id of the TSS header, UET_H_NONE when there is none */
    uint8_t pds;           /* enum uet_header_id of the PDS header, UET_H_NONE when unread */
    uint8_t cp_payload;    /* enum uet_header_id, for a Control Packet */
    uint8_t cc_state;      /* enum uet_header_id, for an ACK_CC */
    uint8_t ses;           /* enum uet_header_id of the SES header, UET_H_NONE when there is none */
    uint8_t sync;          /* UET_H_REFPROV_SES_EXT_SYNC right after the SES header, or 0 */
    uint8_t ext;           /* enum uet_header_id of the SES extension, UET_H_NONE without one */
    uint8_t partial;       /* the header in which a cut packet or capture stops, or UET_H_NONE */
    uint16_t error_offset; /* where the first wrong thing stands */
    uint16_t in_frame;     /* where `frame` begins in what was captured: printed offsets add it */
    uint16_t ip_offset;
    uint16_t ip_end;         /* one past the last byte that IP carries */
    uint16_t udp_offset;     /* 0 on native IP */
    uint16_t entropy_offset; /* the entropy header, only on native IP */
    uint16_t tss_offset;
    uint16_t icv_offset; /* 0 without TSS, and in a trimmed packet */
    uint16_t pds_offset;
    uint16_t cp_payload_offset;
    uint16_t cc_state_offset;
    uint16_t ses_offset;
    uint16_t ext_offset;
    uint16_t partial_offset;
    uint16_t payload_offset; /* first byte after the last header */
    uint16_t payload_len;    /* of a sealed packet: the encrypted bytes */
    uint16_t crc_offset;
    uint32_t sdi;                /* of the TSS header; meaningful with tss */
    struct uet_packet_seal seal; /* the rest of it; all 0 without tss */
    uint32_t crc_computed;       /* meaningful unless crc_state is UET_CRC_ABSENT or UNCHECKED */
};

/*
 * Parses one Ethernet frame of len bytes (options: or an IP packet, or bytes from the PDS header
 * on). options may be NULL: Ethernet, no trailer, strict, port 4793, protocol 253.
 * Returns p->error. The packet points into frame, which must outlive it. Any thread.
 */
enum uet_parse_error uet_parse(struct uet_packet *p, const uint8_t *frame, size_t len,
                               const struct uet_parse_options *options);

/*
 * The part of uet_parse from the TSS or PDS header on, for readers that know the layers below by
 * themselves. The header stands at p->frame + at; the packet had bytes up to p->frame + end on the
 * wire (without CRC trailer), of which those before p->frame + captured can be read: end decides
 * whether it is malformed, captured how far it is read (p->partial then names the header that is
 * not whole, and p->payload_len is 0). p is zeroed but for what is known: frame, len (how much of
 * it can be read), crc_*, and the values of the layers below. Payload and ICV may lie behind that.
 * Returns p->error. Of the options only `variants` is looked at; they may be NULL.
 */
enum uet_parse_error uet_parse_transport(struct uet_packet *p, size_t at, size_t end,
                                         size_t captured, const struct uet_parse_options *options);

/*
 * What was found below TSS and PDS, and nothing else: for uet_parse_transport to read the rest of
 * the same frame again.
 */
struct uet_packet uet_packet_below(const struct uet_packet *p);

/*
 * Goes on with a sealed packet (UET_PARSE_SEALED): frame is a copy of its bytes in which what was
 * encrypted is in clear, at the same offsets. The TSS header and the ICV stay where they are.
 * Returns p->error.
 */
enum uet_parse_error uet_parse_opened(struct uet_packet *p, const uint8_t *frame,
                                      const struct uet_parse_options *options);

/*
 * The byte order in which the CRC trailer holds the CRC of the packet: an enum uet_crc_order. -1
 * when it does in neither, or when no trailer was looked at. For a reader that was told no order,
 * or the wrong one: a trailer of crc_state UET_CRC_BAD may be right in the other order.
 */
int uet_packet_crc_order(const struct uet_packet *p);

/* "PDS header cut short": a sentence part for an error. */
const char *uet_parse_error_text(enum uet_parse_error error);

/* Whether somebody built the packet wrong: false for what is only sealed, trimmed or not UET. */
static inline bool uet_parse_malformed(const struct uet_packet *p)
{
    return p->error != UET_PARSE_OK && p->error != UET_PARSE_NOT_UET &&
           p->error != UET_PARSE_SEALED && p->error != UET_PARSE_TRIMMED;
}

/*
 * Takes what a TSS header says: tss, sdi and seal. For readers that have opened the packet on their
 * own; they set seal.mark.
 */
void uet_packet_take_tss(struct uet_packet *p, enum uet_header_id id, const uint8_t *header);

/* First byte of a header; NULL when absent. */
static inline const uint8_t *uet_pds(const struct uet_packet *p)
{
    return p->pds ? p->frame + p->pds_offset : NULL;
}

static inline const uint8_t *uet_ses(const struct uet_packet *p)
{
    return p->ses ? p->frame + p->ses_offset : NULL;
}

static inline const uint8_t *uet_ses_ext(const struct uet_packet *p)
{
    return p->ext ? p->frame + p->ext_offset : NULL;
}

static inline const uint8_t *uet_tss(const struct uet_packet *p)
{
    return p->tss ? p->frame + p->tss_offset : NULL;
}

static inline const uint8_t *uet_cp_payload_of(const struct uet_packet *p)
{
    return p->cp_payload ? p->frame + p->cp_payload_offset : NULL;
}

static inline const uint8_t *uet_cc_state_of(const struct uet_packet *p)
{
    return p->cc_state ? p->frame + p->cc_state_offset : NULL;
}

/* Families, so that a reader need not list the forms. */
static inline bool uet_is_request(const struct uet_packet *p) /* RUD, ROD, with CC state or not */
{
    return uet_in_rud_rod_req(p->pds);
}

static inline bool uet_is_rod_request(const struct uet_packet *p)
{
    uint8_t type = uet_is_request(p) ? uet_rud_rod_req_type(uet_pds(p)) : 0;
    return type == UET_PDS_ROD_REQ || type == UET_PDS_ROD_CC_REQ;
}

static inline bool uet_is_cc_request(const struct uet_packet *p) /* has req_cc_state */
{
    return p->pds == UET_H_RUD_ROD_CC_REQ || p->pds == UET_H_RUD_ROD_CC_REQ_SYN;
}

static inline bool uet_is_ack(const struct uet_packet *p) /* of any type, probe answers too */
{
    return uet_in_ack(p->pds);
}

static inline bool uet_is_ack_cc(const struct uet_packet *p)
{
    return p->pds == UET_H_ACK_CC || p->pds == UET_H_ACK_CC_PROBE;
}

static inline bool uet_is_ack_ccx(const struct uet_packet *p)
{
    return p->pds == UET_H_ACK_CCX || p->pds == UET_H_ACK_CCX_PROBE;
}

static inline bool uet_has_sack(const struct uet_packet *p) /* mpr, SACK base and bitmap */
{
    return uet_is_ack_cc(p) || uet_is_ack_ccx(p);
}

static inline bool uet_is_nack(const struct uet_packet *p) /* NACK, NACK_CCX, of RUDI too */
{
    return uet_in_nack(p->pds);
}

static inline bool uet_is_nack_ccx(const struct uet_packet *p)
{
    return p->pds == UET_H_NACK_CCX || p->pds == UET_H_NACK_CCX_RUDI;
}

static inline bool uet_is_nack_rudi(const struct uet_packet *p) /* names a pkt_id, not a PSN */
{
    return p->pds == UET_H_NACK_RUDI || p->pds == UET_H_NACK_CCX_RUDI;
}

static inline bool uet_is_cp(const struct uet_packet *p)
{
    return uet_in_cp(p->pds);
}

/* Does it take a PSN of its own: a Request, or a CP that consumes one (3.5.16)? */
static inline bool uet_consumes_psn(const struct uet_packet *p)
{
    static const bool of_cp[16] = {[UET_CTL_NOOP] = true,
                                   [UET_CTL_CLOSE_COMMAND] = true,
                                   [UET_CTL_CLOSE_REQUEST] = true,
                                   [UET_CTL_NEGOTIATION] = true};
    return uet_is_request(p) || (uet_is_cp(p) && of_cp[uet_cp_ctl_type(uet_pds(p))]);
}

static inline bool uet_is_rudi(const struct uet_packet *p) /* Request or Response */
{
    return uet_in_rudi(p->pds);
}

static inline bool uet_is_uud(const struct uet_packet *p)
{
    return p->pds == UET_H_UUD_REQ;
}

/* Does the header carry psn_offset in the place of dpdcid: a packet that may open a PDC? */
static inline bool uet_has_syn(const struct uet_packet *p)
{
    return p->pds == UET_H_RUD_ROD_REQ_SYN || p->pds == UET_H_CP_SYN ||
           p->pds == UET_H_RUD_ROD_CC_REQ_SYN;
}

static inline bool uet_is_ses_request(const struct uet_packet *p)
{
    return uet_in_ses_req(p->ses);
}

/* The 44-byte forms, which alone carry message_id and a request_length of 32 bits. */
static inline bool uet_ses_id_is_std(unsigned id)
{
    return id >= UET_H_SES_REQ_STD_SOM1 && id <= UET_H_SES_REQ_MSG_ERROR;
}

static inline bool uet_is_ses_std(const struct uet_packet *p)
{
    return uet_ses_id_is_std(p->ses);
}

static inline bool uet_is_ses_medium(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_MEDIUM_MSG || p->ses == UET_H_SES_REQ_MEDIUM_RMA;
}

/* Forms with payload_length and message_offset in the place of header_data (som = 0). */
static inline bool uet_ses_has_offset(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_STD_SOM0 || p->ses == UET_H_SES_REQ_DEFER_SEND_SOM0 ||
           p->ses == UET_H_SES_REQ_MSG_ERROR;
}

static inline bool uet_is_ses_deferrable(const struct uet_packet *p) /* carries restart tokens */
{
    return p->ses == UET_H_SES_REQ_DEFER_SEND_SOM1 || p->ses == UET_H_SES_REQ_DEFER_SEND_SOM0;
}

/* Responses without data: they have message_id, ri_generation and modified_length. */
static inline bool uet_is_ses_response(const struct uet_packet *p)
{
    return p->ses >= UET_H_SES_RSP && p->ses <= UET_H_SES_RSP_NO_RESPONSE;
}

static inline bool uet_is_ses_response_data(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_RSP_DATA || p->ses == UET_H_SES_RSP_DATA_SMALL;
}

/* Addresses and the IP bits that UET reads. The packet has an IP header. */
static inline struct uet_ip uet_src_ip(const struct uet_packet *p)
{
    struct uet_ip ip = {.version = p->ip_version};
    memcpy(ip.bytes, p->src, sizeof ip.bytes);
    return ip;
}

static inline struct uet_ip uet_dst_ip(const struct uet_packet *p)
{
    struct uet_ip ip = {.version = p->ip_version};
    memcpy(ip.bytes, p->dst, sizeof ip.bytes);
    return ip;
}

static inline uint8_t uet_ecn(const struct uet_packet *p) /* enum uet_ip_ecn */
{
    return p->traffic_class & 3;
}

static inline uint8_t uet_dscp(const struct uet_packet *p)
{
    return p->traffic_class >> 2;
}

/* The entropy value: the UDP source port, or that of the entropy header (3.5.10.1). */
static inline uint16_t uet_entropy(const struct uet_packet *p)
{
    return p->entropy;
}

/*
 * Serial number arithmetic of PSNs (3.5.12): modulo 2^32, half space 2^31. The difference a - b;
 * positive when a is ahead of b.
 */
static inline int32_t uet_psn_diff(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

/* A PSN moved by a signed offset, as the headers carry them (3.5.11.4). */
static inline uint32_t uet_psn_add(uint32_t psn, int32_t offset)
{
    return (uint32_t)((int64_t)psn + offset);
}

/* The PSN that a request, CP, ACK (ACK_PSN, 3.5.11.4.6) or NACK names; 0 for any other packet. */
static inline uint32_t uet_packet_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    if (uet_is_request(p) || uet_is_cp(p))
        return uet_rud_rod_req_psn(h);
    if (uet_is_ack(p)) /* a probe answer names none (3.5.10.5) */
        return uet_ack_p(h) ? 0 : uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h));
    return uet_is_nack(p) && !uet_is_nack_rudi(p) ? uet_nack_nack_psn(h) : 0;
}

/*
 * Derived PSNs: Start_PSN of a syn packet (3.5.8.2), CLEAR_PSN of a request (3.5.11.4.4). psn and
 * psn_offset stand in one place in Requests and Control Packets.
 */
static inline uint32_t uet_start_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return uet_has_syn(p) ? uet_rud_rod_req_psn(h) - uet_rud_rod_req_psn_offset(h) : 0;
}

static inline uint32_t uet_clear_psn(const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    return uet_is_request(p)
               ? uet_psn_add(uet_rud_rod_req_psn(h), uet_rud_rod_req_clear_psn_offset(h))
               : 0;
}

/*
 * Does the header name PDCs? They stand in one place in all that do (3.5.10). In a NACK of a RUDI
 * packet the bits are reserved: what is read there is 0, or wrong.
 */
static inline bool uet_has_pdcids(const struct uet_packet *p)
{
    return uet_is_request(p) || uet_is_ack(p) || uet_is_cp(p) || uet_is_nack(p);
}

/* SPDCID and DPDCID of any RUD/ROD packet; dpdcid is 0 in a syn packet. 0 for RUDI and UUD. */
static inline uint16_t uet_spdcid(const struct uet_packet *p)
{
    return uet_has_pdcids(p) ? uet_rud_rod_req_spdcid(uet_pds(p)) : 0;
}

static inline uint16_t uet_dpdcid(const struct uet_packet *p)
{
    return uet_has_pdcids(p) && !uet_has_syn(p) ? uet_rud_rod_req_dpdcid(uet_pds(p)) : 0;
}

/* The pkt_id of a RUDI packet or of a NACK of one; 0 for any other packet (3.5.10.9). */
uint32_t uet_pkt_id(const struct uet_packet *p);

/*
 * SES requests, whatever the form. opcode, version, dc, ie, rel, som, eom, ri_generation, job_id,
 * pid_on_fep and resource_index stand in one place in all of them: uet_ses_req_...(). These differ;
 * a form that has no such field gives 0. The packet has a SES request.
 */
uint32_t uet_ses_request_length(const struct uet_packet *p); /* bytes of the message */
uint16_t uet_ses_message_id(const struct uet_packet *p);     /* 0 in small and medium headers */
uint32_t
uet_ses_message_offset(const struct uet_packet *p); /* the payload's place in the message */
uint64_t uet_ses_buffer_offset(const struct uet_packet *p);
uint32_t uet_ses_initiator(const struct uet_packet *p);
uint64_t uet_ses_match_bits(const struct uet_packet *p); /* or memory key; 0 in RTR */

/* The completion data, when the header has the place for it and hd says so (3.4.1.11). */
bool uet_ses_header_data(const struct uet_packet *p, uint64_t *data);

/* The tokens of a deferrable send or of its RTR (3.4.2.1); false for other packets. */
bool uet_ses_restart_tokens(const struct uet_packet *p, uint32_t *initiator, uint32_t *target);

/*
 * The memory key that an RMA request carries (Table 2-13): which form it is, UET_H_NONE without
 * one, and its first byte. The packet may be any.
 */
enum uet_header_id uet_memory_key(const struct uet_packet *p, const uint8_t **key);

/*
 * SES responses with data: bytes of data that the header states, their place in the read message
 * (0 in the small form), and the message_id of the request, 0 in the small form, which names the
 * request's PSN. The packet has one.
 */
uint16_t uet_ses_data_length(const struct uet_packet *p);
uint32_t uet_ses_data_offset(const struct uet_packet *p);
uint16_t uet_ses_data_request(const struct uet_packet *p);

/*
 * The bytes of payload that the headers state, or -1 when they do not tell: a first or middle
 * packet of a message, an opcode with a payload of its own. 0 for what carries none.
 */
int64_t uet_payload_promised(const struct uet_packet *p);

#endif
