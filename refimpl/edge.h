/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The edge: every frame in comes through uet_edge_open, every frame out goes through
 * uet_edge_begin and uet_edge_finish, and what is sealed through tss/. Encapsulation and the CRC
 * live here and nowhere else in the FEP. Private.
 */
#ifndef UET_REFIMPL_EDGE_H
#define UET_REFIMPL_EDGE_H

#include "refimpl/state.h"

/* The FEP has been configured. */
void uet_edge_init(struct uet_fep *fep);

/* Parses a frame as this FEP is configured (3.5.5); p->error says what is wrong with it. */
void uet_edge_parse(const struct uet_fep *fep, const uint8_t *frame, size_t len,
                    struct uet_packet *p);

/* Goes on with one that was sealed; frame: its bytes in clear, TSS header and ICV in their place.
 */
void uet_edge_parse_opened(const struct uet_fep *fep, const uint8_t *frame, struct uet_packet *p);

/* Is the frame a packet for this FEP, whole or trimmed? False: it is counted and dropped. */
bool uet_edge_open(struct uet_fep *fep, const uint8_t *frame, size_t len, struct uet_packet *p);

/* What a frame is, which decides its DSCP (4.1.4.1, CMS-074). */
enum uet_edge_class {
    UET_EDGE_REQUEST, /* of a PDC, and answers that carry much data (PDS-127) */
    UET_EDGE_RESEND,  /* one that was sent before (3.6.4.7.1) */
    UET_EDGE_SINGLE,  /* RUDI and UUD Requests */
    UET_EDGE_CONTROL, /* ACK, NACK, CP, RUDI Response */
};

/* Whither a frame goes, and under whose keys. */
struct uet_edge_route {
    struct uet_ip to;
    struct tss_context tss;
    uint16_t entropy;
    uint8_t what; /* enum uet_edge_class */
};

/*
 * Begins a frame from this FEP in buffer: Ethernet, IP, UDP or the entropy header, and the TSS
 * header. The caller appends PDS and SES headers and the payload.
 */
void uet_edge_begin(const struct uet_fep *fep, struct uet_build *b, uint8_t *buffer, size_t cap,
                    const struct uet_edge_route *route);

/* Goes on with a frame that was begun elsewhere: its first len bytes are copied into buffer. */
void uet_edge_resume(const struct uet_fep *fep, struct uet_build *b, uint8_t *buffer, size_t cap,
                     const uint8_t *frame, size_t len);

/*
 * Lengths, checksum, and the CRC or the room of an ICV; the frame's length, 0 when it did not fit.
 * It is sealed when it leaves (uet_sd_seal).
 */
size_t uet_edge_finish(const struct uet_fep *fep, struct uet_build *b);

/* Does its DSCP say that a switch has cut it (4.1)? A length alone proves nothing. */
static inline bool uet_edge_trimmed(const struct uet_packet *p)
{
    return p->trim == UET_TRIM_TRIMMED || p->trim == UET_TRIM_LASTHOP;
}

#endif
