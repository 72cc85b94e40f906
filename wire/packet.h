/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A UET packet as offsets into its frame. The parser walks Ethernet, 802.1Q, IPv4 or IPv6, UDP
 * port 4793, PDS, SES, payload and CRC trailer; it copies nothing, reads nothing it has not
 * checked, and names the first thing wrong and where. Header formats: 3.5.10, 3.4.2.
 */
#ifndef UET_WIRE_PACKET_H
#define UET_WIRE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uet_spec.h"
#include "wire/addr.h"

/* The longest frame that uetkit handles: 9216-byte jumbo and some. */
#define UET_FRAME_MAX 9600

/* More 802.1Q tags than this and a frame is not looked into: public code accepts two. */
#define UET_VLANS_MAX 4

/* The first thing wrong with a frame. Keep uet_parse_error_text in step. */
enum uet_parse_error {
    UET_PARSE_OK,
    UET_PARSE_NOT_UET,      /* well formed as far as looked, but not UET: not an error */
    UET_PARSE_ETH_SHORT,    /* no whole Ethernet or VLAN header */
    UET_PARSE_IP_SHORT,     /* no whole IP header */
    UET_PARSE_IP_VERSION,   /* version or header length field wrong */
    UET_PARSE_IP_LENGTH,    /* IP length beyond the frame, or smaller than its header */
    UET_PARSE_IP_CHECKSUM,  /* IPv4 header checksum wrong */
    UET_PARSE_IP_FRAGMENT,  /* a fragment: UET packets are never fragmented */
    UET_PARSE_UDP_SHORT,    /* no whole UDP header */
    UET_PARSE_UDP_LENGTH,   /* UDP length differs from what IP carries */
    UET_PARSE_PDS_SHORT,    /* no whole PDS header */
    UET_PARSE_PDS_TYPE,     /* reserved pds.type (PDS-233), or one this version cannot read */
    UET_PARSE_PDS_NEXT_HDR, /* next_hdr that this PDS header cannot carry (SES-005) */
    UET_PARSE_SES_SHORT,    /* no whole SES header (SES-159) */
    UET_PARSE_CRC_SHORT,    /* no room for the CRC trailer */
    UET_PARSE_CRC_BAD,      /* CRC-32C wrong (PDS-233) */
    UET_PARSE_ERROR_COUNT
};

/* What protects the packet: UET_Data_Protect (3.5.5). Nothing on the wire says it. */
enum uet_protect {
    UET_PROTECT_NONE, /* no trailer */
    UET_PROTECT_CRC,  /* CRC-32C trailer, checked */
    UET_PROTECT_AUTO, /* a trailer is taken to be there when the last four bytes fit */
};

/* What the first byte given to the parser is. */
enum uet_start {
    UET_START_ETH,
    UET_START_IP,  /* as captures of link type "raw IP" hold it */
    UET_START_PDS, /* no addresses, and so no CRC trailer to check */
};

enum uet_crc_state { UET_CRC_ABSENT, UET_CRC_GOOD, UET_CRC_BAD, UET_CRC_UNCHECKED };

struct uet_parse_options {
    uint8_t protect;   /* enum uet_protect */
    bool lenient;      /* go on after a wrong IP checksum, UDP length or CRC, keeping the error */
    uint8_t start;     /* enum uet_start */
    uint16_t udp_port; /* 0 stands for 4793 */
};

/* What a parse found. Offsets count from the first byte of the frame; 0 means absent. */
struct uet_packet {
    const uint8_t *frame; /* not owned */
    uint32_t len;         /* bytes of it */
    uint8_t error;        /* enum uet_parse_error */
    uint8_t crc_state;    /* enum uet_crc_state */
    uint8_t ip_version;   /* 4, 6, or 0 */
    uint8_t n_vlans;
    uint8_t start;         /* enum uet_start */
    uint8_t pds;           /* enum uet_header_id of the PDS header, UET_H_NONE when unread */
    uint8_t cp_payload;    /* enum uet_header_id, for a Control Packet */
    uint8_t cc_state;      /* enum uet_header_id, for an ACK_CC */
    uint8_t ses;           /* enum uet_header_id of the SES header, UET_H_NONE when there is none */
    uint16_t error_offset; /* where the first wrong thing stands */
    uint16_t ip_offset;
    uint16_t ip_end; /* one past the last byte that IP carries */
    uint16_t udp_offset;
    uint16_t pds_offset;
    uint16_t cp_payload_offset;
    uint16_t cc_state_offset;
    uint16_t ses_offset;
    uint16_t payload_offset; /* first byte after the last header */
    uint16_t payload_len;
    uint16_t crc_offset;
    uint32_t crc_computed; /* meaningful unless crc_state is UET_CRC_ABSENT or UNCHECKED */
};

/*
 * Parses one Ethernet frame of len bytes (options: or an IP packet, or PDS bytes). options may be
 * NULL: Ethernet, no trailer, strict, port 4793.
 * Returns p->error. The packet points into frame, which must outlive it. Any thread.
 */
enum uet_parse_error uet_parse(struct uet_packet *p, const uint8_t *frame, size_t len,
                               const struct uet_parse_options *options);

/* "PDS header cut short": a sentence part for an error. */
const char *uet_parse_error_text(enum uet_parse_error error);

/* First byte of the PDS header, the SES header, the payload; NULL when absent. */
static inline const uint8_t *uet_pds(const struct uet_packet *p)
{
    return p->pds ? p->frame + p->pds_offset : NULL;
}

static inline const uint8_t *uet_ses(const struct uet_packet *p)
{
    return p->ses ? p->frame + p->ses_offset : NULL;
}

static inline const uint8_t *uet_cp_payload_of(const struct uet_packet *p)
{
    return p->cp_payload ? p->frame + p->cp_payload_offset : NULL;
}

static inline const uint8_t *uet_cc_state_of(const struct uet_packet *p)
{
    return p->cc_state ? p->frame + p->cc_state_offset : NULL;
}

/* Families, so that a reader need not list the variants. */
static inline bool uet_is_request(const struct uet_packet *p) /* RUD or ROD request */
{
    return p->pds == UET_H_RUD_ROD_REQ || p->pds == UET_H_RUD_ROD_REQ_SYN;
}

static inline bool uet_is_ack(const struct uet_packet *p) /* ACK or ACK_CC, probe answers too */
{
    return p->pds >= UET_H_ACK && p->pds <= UET_H_ACK_CC_PROBE;
}

static inline bool uet_is_ack_cc(const struct uet_packet *p)
{
    return p->pds == UET_H_ACK_CC || p->pds == UET_H_ACK_CC_PROBE;
}

static inline bool uet_is_nack(const struct uet_packet *p)
{
    return p->pds == UET_H_NACK;
}

static inline bool uet_is_cp(const struct uet_packet *p)
{
    return p->pds == UET_H_CP || p->pds == UET_H_CP_SYN;
}

static inline bool uet_is_ses_request(const struct uet_packet *p)
{
    return p->ses >= UET_H_SES_REQ_STD_SOM1 && p->ses <= UET_H_SES_REQ_MEDIUM_RMA;
}

static inline bool uet_is_ses_std(const struct uet_packet *p)
{
    return p->ses == UET_H_SES_REQ_STD_SOM1 || p->ses == UET_H_SES_REQ_STD_SOM0;
}

static inline bool uet_is_ses_response(const struct uet_packet *p)
{
    return p->ses >= UET_H_SES_RSP && p->ses <= UET_H_SES_RSP_NO_RESPONSE;
}

/* Addresses and the IP bits that UET reads. The packet has an IP header. */
struct uet_ip uet_src_ip(const struct uet_packet *p);
struct uet_ip uet_dst_ip(const struct uet_packet *p);
uint8_t uet_ecn(const struct uet_packet *p); /* enum uet_ip_ecn */
uint8_t uet_dscp(const struct uet_packet *p);

/* The entropy value: the UDP source port (3.5.10.1). */
static inline uint16_t uet_entropy(const struct uet_packet *p)
{
    return p->udp_offset ? uet_udp_src_port(p->frame + p->udp_offset) : 0;
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
uint32_t uet_packet_psn(const struct uet_packet *p);

/* Derived PSNs: Start_PSN of a syn packet (3.5.8.2), CLEAR_PSN of a request (3.5.11.4.4). */
uint32_t uet_start_psn(const struct uet_packet *p);
uint32_t uet_clear_psn(const struct uet_packet *p);

/* SPDCID and DPDCID of any RUD/ROD packet; dpdcid is 0 in a syn packet. */
uint16_t uet_spdcid(const struct uet_packet *p);
uint16_t uet_dpdcid(const struct uet_packet *p);

/*
 * SES: message length in bytes, message_id (0 in small and medium headers, which have none), and
 * the payload's place in the message. The packet has a SES request.
 */
uint32_t uet_ses_request_length(const struct uet_packet *p);
uint16_t uet_ses_message_id(const struct uet_packet *p);
uint32_t uet_ses_message_offset(const struct uet_packet *p);

#endif
