/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What kind of packet it is, beyond its header: one list for all who pick packets, be it to wait
 * for them or to impair them. Each class is a family of headers of spec-map/, and what a field of
 * it must say.
 */
#ifndef UET_WIRE_CLASS_H
#define UET_WIRE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/packet.h"

enum uet_class {
    UET_CLASS_ANY,
    UET_CLASS_REQUEST, /* RUD and ROD */
    UET_CLASS_SYN,     /* requests with syn=1 */
    UET_CLASS_NOT_SYN, /* requests with syn=0 */
    UET_CLASS_RETX,    /* retransmitted requests */
    UET_CLASS_ACK,
    UET_CLASS_ACK_CC,
    UET_CLASS_ACK_OF_CP, /* next_hdr NONE */
    UET_CLASS_ACK_DEFAULT,
    UET_CLASS_ACK_ERROR, /* carries an error response */
    UET_CLASS_ACK_DATA,  /* carries read data */
    UET_CLASS_PROBE_ACK,
    UET_CLASS_NACK,
    UET_CLASS_ANSWER, /* ACK or NACK */
    UET_CLASS_CP,
    UET_CLASS_CLOSE_COMMAND,
    UET_CLASS_CLOSE_REQUEST,
    UET_CLASS_CLEAR_COMMAND,
    UET_CLASS_ACK_REQUEST,
    UET_CLASS_CLEAR_REQUEST,
    UET_CLASS_SOM,   /* first packets of standard messages */
    UET_CLASS_LATER, /* standard packets with som=0 */
    UET_CLASS_EOM,
    UET_CLASS_SMALL_OR_MEDIUM,
    UET_CLASS_SES_REQUEST, /* of any delivery mode */
    UET_CLASS_READ,        /* Requests of RUDI, too */
    UET_CLASS_DATA,        /* read data, in ACKs, Requests and RUDI Responses */
    UET_CLASS_RETURN_DATA, /* requests that bring read data */
    UET_CLASS_RETURN_RETX, /* retransmitted ones */
    UET_CLASS_RUDI_REQUEST,
    UET_CLASS_RUDI_RETX, /* with retx=1 */
    UET_CLASS_RUDI_RESPONSE,
    UET_CLASS_RUDI_DATA, /* responses with read data */
    UET_CLASS_UUD,
    UET_CLASS_COUNT,
    UET_CLASS_HEADER = 64, /* + enum uet_header_id: packets that have this header */
};

/* Its name for listings, in the plural: "ACKs with read data". */
const char *uet_class_name(uint8_t class);

/* Is the packet of that class? One without a PDS header is of none. */
bool uet_is_of(uint8_t class, const struct uet_packet *p);

#endif
