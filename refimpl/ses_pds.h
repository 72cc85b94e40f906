/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface between SES and PDS (3.5.4): all that one of them may ask of, or tell, the other.
 * Both include this header and nothing of each other's.
 */
#ifndef UET_REFIMPL_SES_PDS_H
#define UET_REFIMPL_SES_PDS_H

#include "refimpl/fep.h"
#include "wire/build.h"

struct uet_fep;
struct pdc;
struct tx_packet;
struct operation;

/* ---- what passes between them (Table 3-26) ---- */

/*
 * What one packet of a peer's READ asks for, kept until its data is known to have arrived: queued,
 * in a packet on the return direction, or in the ACK and not yet cleared (3.5.12.1). The bytes stay
 * where they are: they are read when they are sent, and read again when they are resent.
 */
struct part {
    uint32_t next; /* in the PDC's queue, in the order of the requests */
    uint32_t psn;  /* of the request; of RUDI its pkt_id */
    const uint8_t *from;
    uint32_t job_id;
    uint32_t total;  /* request_length */
    uint32_t offset; /* message_offset */
    uint16_t length;
    uint16_t message_id;
    bool small; /* a small or medium header asked: its PSN stands for the message_id */
    bool last;  /* the data should be acknowledged at once */
};

/*
 * What a request packet will do. uet_ses_check finds it out and changes nothing, so that the PDS
 * can still refuse the packet (no slot for a guaranteed response); uet_ses_commit does it.
 */
struct ses_plan {
    uint8_t nack;      /* not 0: state is lacking; refuse with this NACK code (SES-130) */
    bool guaranteed;   /* the response has to be stored (3.4.3.3) */
    bool has_response; /* false: the packet has no SES header */
    uint8_t return_code;
    uint8_t response[UET_SES_RSP_BYTES];
    /* For uet_ses_commit: */
    uint32_t message; /* the message it belongs to, if known already */
    uint32_t region, receive;
    uint8_t *to;
    uint32_t length;  /* bytes to copy */
    uint32_t counts;  /* bytes of the message that this packet stands for */
    bool single;      /* som and eom, or a READ: no state of a message is needed */
    struct part part; /* of a READ: what it asks for, when it has a length */
    bool in_ack;      /* that goes in the ACK */
};

/* ---- requests on their way in: PDS indicates, SES answers ---- */

void uet_ses_check(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p,
                   struct ses_plan *plan);
/* Would the packet, first of a new PDC, be refused for want of UET_NO_RESOURCE? */
bool uet_ses_lacks_resource(struct uet_fep *fep, const struct uet_packet *p);
void uet_ses_commit(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                    const struct ses_plan *plan);

/* A RUDI request: done, and its response, or the data that was asked for, in the plan. */
void uet_ses_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
/* A UUD request: delivered, or dropped and counted. */
void uet_ses_datagram(struct uet_fep *fep, const struct uet_packet *p);

/*
 * The default response that the PDS makes for a duplicate (Table 3-43): RC_NULL, as nothing new is
 * known; message_id and job_id of the duplicate.
 */
void uet_ses_default_response(uint8_t response[UET_SES_RSP_BYTES], const struct uet_packet *p);

/* The SES header of the data, and its next_hdr; the payload is not written. */
uint8_t uet_ses_part_next_hdr(const struct part *part);
void uet_ses_part_write(const struct part *part, struct uet_build *b);

/* ---- requests on their way out: PDS asks for the next packet ---- */

/* Is there a packet to send on this PDC? The operation, or 0. */
uint32_t uet_ses_next_op(struct uet_fep *fep, const struct pdc *pdc);
/* Cuts the next segment (SES-041) into the packet. */
void uet_ses_segment(struct uet_fep *fep, uint32_t op, struct tx_packet *packet);
/* The first packet of an operation has its PSN, or another one: read data may name it by that. */
void uet_ses_numbered(struct uet_fep *fep, const struct tx_packet *packet);
/* Writes SES header and payload of a packet; its next_hdr comes from uet_ses_next_hdr. */
uint8_t uet_ses_next_hdr(const struct operation *op);
void uet_ses_write(struct uet_fep *fep, const struct operation *op, const struct tx_packet *packet,
                   struct uet_build *b);

/* ---- responses on their way in ---- */

/* A response to a packet of the operation (NULL: none, taken as default success, PDS-110). */
void uet_ses_response(struct uet_fep *fep, uint32_t op, const uint8_t *response);
/* A response whose packet is retired already: only a message without an answer waits for it. */
void uet_ses_late_response(struct uet_fep *fep, struct pdc *pdc, const uint8_t *response);
/* A packet of it is retired: the operation may be complete. */
void uet_ses_retired(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
/* Something of it has come: the operation may be complete. */
void uet_ses_may_end(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
/* Is data of it still to come? */
bool uet_ses_read_missing(const struct uet_fep *fep, const struct operation *op);
/* The READ of this PDC to which the data belongs, as it says itself; counted and 0: none. */
uint32_t uet_ses_read_find(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p);
/* Is this ACK or RUDI Response of a packet one that may be used: is its data, if any, the right? */
bool uet_ses_answers_read(struct uet_fep *fep, const struct tx_packet *packet,
                          const struct uet_packet *p);
/* Puts the data where it belongs, if all of what it says fits the operation. */
void uet_ses_read_take(struct uet_fep *fep, uint32_t op, const struct uet_packet *p);

/* ---- the life of a PDC ---- */

/* Does an operation of this PDC wait for data alone? */
bool uet_ses_awaits_data(struct uet_fep *fep, const struct pdc *pdc);
/* The PDC is gone: operations that were begun fail, or wait for another PDC. */
void uet_ses_pdc_gone(struct uet_fep *fep, struct pdc *pdc, bool retry);
/* A packet of it, which has no PDC, is given up: the operation ends in error. */
void uet_ses_fail(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
/* The datagram, first of those that wait, has been given out: the operation is complete. */
void uet_ses_datagram_sent(struct uet_fep *fep, uint32_t op);
/* Operations not begun leave the PDC and wait for another one. */
void uet_ses_leave(struct uet_fep *fep, struct pdc *pdc);
/* The PDC goes: its messages are forgotten, receives they had taken complete with an error. */
void uet_message_abandon_all(struct uet_fep *fep, struct pdc *pdc);

/* ---- what SES asks of PDS ---- */

/*
 * The initiator PDC with the least to do of those for this operation's tuple (PDS-011), and how
 * many there are; NULL and 0.
 */
struct pdc *uet_pdc_by_tuple(struct uet_fep *fep, const struct uet_operation *call, uint32_t *n);

/* The PDC for the operation's tuple, a new one if need be; NULL when none is free. */
struct pdc *uet_initiator_open(struct uet_fep *fep, const struct uet_operation *call);
/* The PDC may have something to send. */
void uet_pdc_ready(struct uet_fep *fep, struct pdc *pdc);
/* Is there room to keep one more? ahead: its request came ahead of a gap. */
bool uet_part_room(const struct uet_fep *fep, const struct pdc *pdc, bool in_ack, bool ahead);
/* Puts it at the end of what the return direction sends (PDS-169). */
void uet_part_queue(struct uet_fep *fep, struct pdc *pdc, const struct part *part);

#endif
