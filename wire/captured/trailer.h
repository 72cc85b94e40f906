/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether the packets of a capture end in a CRC trailer, and in which byte order: nothing on the
 * wire says it (3.5.5, 3.5.25), so it is found out from each sender's packets.
 */
#ifndef UET_WIRE_CAPTURED_TRAILER_H
#define UET_WIRE_CAPTURED_TRAILER_H

#include "wire/packet.h"

#define UET_TRAILER_SENDERS 64

/* What was seen of trailers. */
struct uet_trailers {
    uint32_t good[2];  /* right, by enum uet_crc_order */
    uint32_t bad;      /* wrong */
    uint32_t other;    /* of them right in the order that was not told */
    uint32_t unwanted; /* UET_PROTECT_NONE: packets that end in a right one all the same */
};

/* What is known: zeroed but for what was told. */
struct uet_trailer_guess {
    uint8_t protect;   /* enum uet_protect */
    bool any_order;    /* the order was not told */
    uint8_t crc_order; /* enum uet_crc_order, when it was */
    struct uet_trailers seen;
    struct uet_trailer_sender {
        struct uet_ip ip;
        uint32_t with, without; /* packets that surely had one, or had not */
    } sender[UET_TRAILER_SENDERS];
};

/*
 * uet_parse of a packet that was captured whole, with a trailer when the sender's packets have one:
 * when it is right, or when it is there by the length that the SES header states. A wrong one of a
 * sender that has trailers is UET_CRC_BAD.
 */
void uet_trailer_parse(struct uet_trailer_guess *guess, struct uet_packet *p, const uint8_t *frame,
                       size_t len, struct uet_parse_options options);

/*
 * The same of a packet whose end was not captured: does it have a trailer? p was parsed with
 * UET_PROTECT_NONE, from its headers and its length.
 */
bool uet_trailer_expected(struct uet_trailer_guess *guess, const struct uet_packet *p);

#endif
