/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Violators: packets of a conforming FEP altered on their way out, so that a test of the broken
 * requirement must fail. One line of violators.def each; what is state and not a packet is broken
 * inside the bent reference FEP instead (refimpl/faults/).
 */
#ifndef UET_CONFORMANCE_MUTATE_H
#define UET_CONFORMANCE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/packet.h"

/* Which packets of the FEP are meant. */
enum uet_hit {
    UET_HIT_ANY,
    UET_HIT_REQUEST,
    UET_HIT_SYN,     /* requests with syn=1 */
    UET_HIT_NOT_SYN, /* requests with syn=0 */
    UET_HIT_RETX,    /* retransmitted requests */
    UET_HIT_ACK,
    UET_HIT_ACK_CC,
    UET_HIT_ACK_OF_CP, /* next_hdr NONE */
    UET_HIT_ACK_DEFAULT,
    UET_HIT_ACK_ERROR, /* carries an error response */
    UET_HIT_ACK_DATA,  /* carries read data */
    UET_HIT_PROBE_ACK,
    UET_HIT_NACK,
    UET_HIT_CP,
    UET_HIT_CLOSE_COMMAND,
    UET_HIT_CLOSE_REQUEST,
    UET_HIT_CLEAR_COMMAND,
    UET_HIT_ACK_REQUEST,
    UET_HIT_CLEAR_REQUEST,
    UET_HIT_SOM,   /* first packets of standard messages */
    UET_HIT_LATER, /* standard packets with som=0 */
    UET_HIT_EOM,
    UET_HIT_SMALL_OR_MEDIUM,
    UET_HIT_READ,        /* Requests of RUDI, too */
    UET_HIT_RETURN_DATA, /* requests that bring read data */
    UET_HIT_RETURN_RETX, /* retransmitted ones */
    UET_HIT_RUDI_REQUEST,
    UET_HIT_RUDI_RETX, /* with retx=1 */
    UET_HIT_RUDI_RESPONSE,
    UET_HIT_RUDI_DATA, /* responses with read data */
    UET_HIT_UUD,
    UET_HIT_COUNT,
    UET_HIT_HEADER = 64, /* + enum uet_header_id: packets that have this header */
};

enum uet_action {
    UET_DO_SET, /* field = operand */
    UET_DO_ADD,
    UET_DO_XOR,
    UET_DO_DROP,
    UET_DO_DUPLICATE, /* the copy comes operand ns later */
    UET_DO_DELAY,     /* operand ns */
};

/* Where the field stands. */
enum uet_place {
    UET_AT_PDS,
    UET_AT_SES,
    UET_AT_CP,
    UET_AT_CC,
    UET_AT_IP,
    UET_AT_UDP,
    UET_AT_ENTROPY, /* of a FEP on native IP (3.5.10.1) */
};

struct uet_violator {
    const char *requirement;
    uint8_t packets; /* enum uet_hit, or UET_HIT_HEADER + a header */
    uint8_t action;  /* enum uet_action */
    uint8_t place;   /* enum uet_place */
    const char *field;
    int64_t operand;
    uint32_t spared;  /* so many packets of its class leave unharmed first (a preamble's) */
    const char *what; /* what the FEP then does wrong, one line */
};

size_t uet_n_violators(void);
const struct uet_violator *uet_violator(size_t i);

/* Why a mutant of the sweep may go unnoticed (permitted.def); NULL when nothing excuses it. */
const char *uet_permitted(const char *header, const char *what);

/* The name of a class, for listings. */
const char *uet_hit_name(uint8_t packets);

/* Is the packet of that class? */
bool uet_hit_matches(uint8_t packets, const struct uet_packet *p);

/* What becomes of a frame. */
struct uet_fate {
    uint32_t copies;
    uint64_t delay_ns; /* of the last copy */
};

/*
 * Applies the violator to a frame, in place, checksum and CRC made right again; frames of other
 * classes are left alone. *seen counts the packets of its class; the caller sets it to 0 when a
 * test begins. True when the frame was harmed.
 */
bool uet_violate(const struct uet_violator *v, uint8_t protect, uint32_t *seen, uint8_t *frame,
                 uint32_t len, struct uet_fate *fate);

#endif
