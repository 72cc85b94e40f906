/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Building packets: headers are appended, then uet_build_finish makes lengths, the IPv4 header
 * checksum and the CRC trailer right -- or wrong, when the caller says so on purpose.
 */
#ifndef UET_WIRE_BUILD_H
#define UET_WIRE_BUILD_H

#include "wire/packet.h"

/* Where a packet comes from and goes to, and the IP bits that UET uses. */
struct uet_route {
    struct uet_ip src, dst;
    uint16_t entropy;      /* UDP source port, or the value of the entropy header */
    uint16_t entropy_rsvd; /* the other half of the entropy header */
    uint16_t udp_port;     /* destination; 0 stands for 4793 */
    uint8_t dscp;
    uint8_t ecn;        /* enum uet_ip_ecn */
    uint8_t ttl;        /* 0 stands for 64 */
    uint8_t stream_ids; /* IPv4: so many options of four bytes (RFC 791, Stream ID), at most 10 */
    bool vlan;
    uint16_t vid;
    bool native;         /* entropy header instead of UDP (3.5.10.1) */
    uint8_t ip_protocol; /* of native UET (3.5.5); 0 stands for 253 */
    uint8_t crc_order;   /* enum uet_crc_order of a CRC trailer (3.5.25) */
};

/* A frame under construction in the caller's buffer. */
struct uet_build {
    uint8_t *frame;
    size_t cap;
    size_t len;
    bool overflow; /* something did not fit: uet_build_finish will say -ENOBUFS */
    uint16_t ip_offset, udp_offset, pds_offset, ses_offset, payload_offset; /* udp: 0 if native */
    uint16_t tss_offset;                                                    /* 0 without TSS */
    uint8_t ip_version;
    uint8_t crc_order; /* as in the route */
    uint8_t spill[64]; /* where headers go that no longer fit */
};

/* What to do differently from right. All zero: a correct packet. */
struct uet_wrong {
    bool ip_length, udp_length, udp_checksum, ip_checksum; /* take the value below instead */
    bool ihl;          /* IPv4 header length in words; the checksum is right for it */
    uint8_t ihl_value; /* 0 to 15 */
    uint16_t ip_length_value, udp_length_value, udp_checksum_value, ip_checksum_value;
    uint32_t crc_xor; /* damages the CRC */
    uint16_t cut;     /* bytes to cut from the end, after everything else (frame only) */
};

/* The value for an IPv4 header checksum; another one where it is, by chance, the right one. */
static inline uint16_t uet_wrong_ip_checksum(const struct uet_wrong *w, uint16_t right)
{
    return w->ip_checksum_value == right ? right ^ 1 : w->ip_checksum_value;
}

/*
 * Begins a frame with Ethernet, optional 802.1Q, IP and UDP (or entropy) headers. MAC addresses
 * are those of uet_mac_of_ip. UDP checksum 0 (3.5.10.1), DF set, IPv4 identification 0.
 * All cap bytes are the builder's until uet_build_finish: those behind the frame may be cleared.
 */
void uet_build_start(struct uet_build *b, uint8_t *buffer, size_t cap,
                     const struct uet_route *route);

/*
 * Appends n zero bytes and returns the first, to be filled by accessors. Never NULL: when the
 * buffer is full it returns a spill area and marks the overflow. n is at most 64.
 */
uint8_t *uet_build_header(struct uet_build *b, size_t n);

/*
 * Appends a TSS header, before the PDS header: id is UET_H_TSS_HDR_12 or _16; type and sp are set,
 * the rest is the caller's. uet_build_finish then leaves 16 zero bytes for the ICV, which
 * uet_tss_seal_at fills, and appends no CRC trailer. (uet_tss_seal takes a whole packet in clear.)
 */
uint8_t *uet_build_tss(struct uet_build *b, enum uet_header_id id);

/*
 * Appends the PDS header, SES header or SES extension `id`, all bytes zero: the caller sets type
 * and the rest. A Negotiation payload is four bytes longer than the end of its CP header:
 * uet_build_cp makes both, and the place of the payload is 12 bytes into what it returns.
 */
uint8_t *uet_build_pds(struct uet_build *b, enum uet_header_id id);
uint8_t *uet_build_cp(struct uet_build *b, enum uet_header_id id, enum uet_header_id payload);
uint8_t *uet_build_ses(struct uet_build *b, enum uet_header_id id);
uint8_t *uet_build_ext(struct uet_build *b, enum uet_header_id id);

/* Appends payload bytes. */
void uet_build_payload(struct uet_build *b, const void *data, size_t n);
/* Room for n bytes of it, which the caller writes; NULL when the frame has none (overflow). */
uint8_t *uet_build_payload_room(struct uet_build *b, size_t n);

/*
 * Ends the frame: lengths, IPv4 header checksum, and with UET_PROTECT_CRC the trailer (3.5.25), or
 * after a TSS header the place of the ICV.
 * wrong may be NULL. Returns the frame's length in bytes, or -ENOBUFS.
 */
int uet_build_finish(struct uet_build *b, enum uet_protect protect, const struct uet_wrong *wrong);

/*
 * Cuts a finished frame of len bytes as a switch does that trims (4.1): keeps `keep` bytes of what
 * IP carries, gives IP the new length, the DSCP and a right checksum, and leaves all the rest, the
 * UDP length too. Returns the new length, or -EINVAL when the frame is no IP packet, or has
 * no more than `keep` bytes to cut from.
 */
int uet_trim(uint8_t *frame, size_t len, size_t keep, uint8_t dscp);

/*
 * Puts a frame right again after it was altered in place: IPv4 header checksum and, when it has
 * one, the CRC trailer, in that byte order (an altered frame does not tell which it had:
 * uet_packet_crc_order before). For mutators. Frames that do not parse are left alone.
 */
void uet_refresh_as(uint8_t *frame, size_t len, enum uet_protect protect, enum uet_crc_order order);

/* The same with the order of 3.5.25: big-endian. */
void uet_refresh(uint8_t *frame, size_t len, enum uet_protect protect);

#endif
