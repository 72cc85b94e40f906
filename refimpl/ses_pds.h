/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interface between SES and PDS (3.5.4): all that one of them may ask of the other, or tell it.
 * Both include this header and nothing of each other's. A PDC is known here by its PDCID, an
 * operation by its number (op), of which PDS knows no more than that 0 is none.
 *
 *   requests     PDS asks SES for the next packet to send, and tells it what has come
 *   responses    SES gives them with its plan for a request; PDS hands over what comes back
 *   indications  each tells the other when a PDC begins, is free, is closing, or is gone
 */
#ifndef UET_REFIMPL_SES_PDS_H
#define UET_REFIMPL_SES_PDS_H

#include "refimpl/state.h"

/* RUDI and UUD have no PDC. */
#define NO_PDC 0

/* Bytes of the longest element that an atomic of this FEP works on. */
#define SES_ELEMENT_MAX 32

/* ---- packet contexts (Table 3-26): what one keeps, or carries, for the other ---- */

/* What a packet carries of an operation (SES-041). PDS keeps it until the packet is retired. */
struct ses_segment {
    uint32_t op;
    uint32_t offset;
    uint16_t length;
    bool som, eom;
    uint8_t stops; /* not 0: it ends its message early, under this opcode (SES-125, SES-147) */
};

/*
 * Data that one packet of a peer fetches, until it is known to have arrived: queued, in a packet on
 * the return direction, or in the ACK and not yet cleared (3.5.12.1). For an ACK, and when they lie
 * in no memory of the application, the bytes are kept; else they stay where they are, are read when
 * they are sent, and read again when they are resent.
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
    uint32_t region; /* SES's: where `from` lies; 0: no memory of the application */
    uint32_t reader; /* SES's: the rendezvous of which this is read; 0: of none */
    uint32_t run;    /* SES's: of which life of a PDC; 0: RUDI */
    uint32_t kept;   /* the bytes were copied: their place; 0: they are read when they are sent */
    bool small;      /* a small or medium header asked: its PSN stands for the message_id */
    bool last;       /* the data should be acknowledged at once */
};

/* The fields of a request, whatever its header form: SES's own. */
struct ses_op;
struct ses_request {
    const struct ses_op *op; /* the row of its opcode */
    uint8_t opcode;
    uint8_t version;
    uint8_t ri_generation;
    bool ie, rel, hd, som, eom, small;
    bool sized;        /* payload_length and message_offset are in the header */
    uint32_t irt, trt; /* restart tokens of a deferrable send or its RTR (3.4.3.4) */
    uint16_t message_id;
    uint16_t pid_on_fep, resource_index;
    uint32_t job_id;
    uint32_t initiator;
    uint32_t length;         /* request_length */
    uint32_t carried;        /* ... of which its packets bring so much; the rest will be read */
    uint32_t touches;        /* bytes of the target's memory that the message is about */
    uint32_t message_offset; /* 0 in a som packet */
    uint32_t payload;        /* bytes of the message in this packet, as the header has it */
    uint32_t counts;         /* ... and as they are there */
    uint64_t buffer_offset;
    uint64_t key;
    uint64_t header_data;
};

/*
 * What a request packet will do. uet_ses_check finds it out and changes nothing, so that the PDS
 * can still refuse the packet (no slot for a guaranteed response); uet_ses_commit does it.
 */
struct ses_plan {
    uint8_t nack;      /* not 0: state is lacking; refuse with this NACK code (SES-130) */
    bool guaranteed;   /* the response has to be stored (3.4.3.3) */
    bool promised;     /* ... it will come, from uet_pds_answer: its slot waits for it */
    uint32_t slot;     /* the slot that was taken for it before; 0: a new one. PDS fills it in */
    bool has_response; /* false: the packet has no SES header */
    bool in_ack;       /* the part goes in the ACK, instead of the response */
    uint8_t response[UET_SES_RSP_BYTES];
    struct part part; /* data that the request fetches, when it has a length */
    /* ... from here, when the memory will have changed: then part.region is 0. */
    uint8_t fetched[SES_ELEMENT_MAX];
    /* SES's own, for uet_ses_commit: */
    uint8_t return_code;
    bool single;   /* no state of a message is needed */
    bool ahead;    /* it came ahead of a gap */
    bool exhausts; /* its resource index has no receive left, and is disabled with it (SES-106) */
    bool held;     /* no receive for it so far: its header is kept (3.4.3.6.2.1), ... */
    bool kept;     /* ... or its payload, too (3.4.3.6.2.2) */
    struct ses_request request;
    uint32_t message; /* the message it belongs to, if known already */
    uint32_t run;     /* the life of the PDC it came on; 0: RUDI */
    uint32_t region, receive;
    uint8_t *to;     /* where its bytes go, ... */
    uint32_t length; /* ... and how many of them */
};

/* Is the header of its request, if it is one, among those of this FEP (3.4.2)? */
bool uet_ses_knows_form(const struct uet_fep *fep, const struct uet_packet *p);

/* ---- requests to be sent: PDS asks, SES gives ---- */

/* The operation of which this PDC sends the next packet; 0: there is nothing to send. */
uint32_t uet_ses_next_op(struct uet_fep *fep, uint16_t pdc);
/* Nominal bytes of what its operations have not sent yet, each packet with so many of headers; no
 * more than about `most`. */
uint32_t uet_ses_backlog(struct uet_fep *fep, uint16_t pdc, uint32_t headers, uint32_t most);
/* Cuts its next segment, for the packet with this PSN or pkt_id. */
void uet_ses_segment(struct uet_fep *fep, uint32_t op, uint32_t psn, struct ses_segment *seg);
/* The first packet of the operation has another PSN now: read data may name it by that. */
void uet_ses_numbered(struct uet_fep *fep, uint32_t op, uint32_t psn);
/* Writes SES header and payload; the next_hdr. */
uint8_t uet_ses_write(struct uet_fep *fep, const struct ses_segment *seg, struct uet_build *b);
/* The first datagram that waits (UUD), whole; false when there is none. */
bool uet_ses_next_datagram(struct uet_fep *fep, struct ses_segment *seg);
/* It has been given out: the operation is complete. */
void uet_ses_datagram_sent(struct uet_fep *fep, uint32_t op);
/* An operation without PDC that was begun in a domain that was removed; 0: there is none. */
uint32_t uet_ses_next_removed(struct uet_fep *fep);
/* It ends in error. */
void uet_ses_domain_gone(struct uet_fep *fep, uint32_t op);
/* Under whose keys it was begun. */
const struct tss_context *uet_ses_begun(const struct uet_fep *fep, uint32_t op);
/* Where an operation goes, for whom, and its message_id. */
const struct uet_ip *uet_ses_destination(const struct uet_fep *fep, uint32_t op);
uint32_t uet_ses_job(const struct uet_fep *fep, uint32_t op);
uint16_t uet_ses_id_of(const struct uet_fep *fep, uint32_t op);

/* ---- responses that come back ---- */

/*
 * A packet of the operation is retired, with this response (NULL: none, taken as default success,
 * PDS-110): the operation may be complete.
 */
void uet_ses_response(struct uet_fep *fep, uint32_t op, const uint8_t *response);
/* A packet of it has arrived, and the answer is still to come (UET_NO_RESPONSE). */
void uet_ses_promised(struct uet_fep *fep, uint32_t op);
/* Its PDC ends, and a packet of it may have arrived: nothing says that it has not. */
void uet_ses_may_be_done(struct uet_fep *fep, uint32_t op);
/* A response whose packet is retired already: only a message without an answer waits for it. */
void uet_ses_late_response(struct uet_fep *fep, uint16_t pdc, const uint8_t *response);
/* Is this ACK or RUDI Response of a packet one that may be used: is its data, if any, the right? */
bool uet_ses_answers_fetch(struct uet_fep *fep, const struct ses_segment *seg,
                           const struct uet_packet *p);
/* Puts the data where it belongs, if all of what it says fits the operation. */
void uet_ses_fetch_take(struct uet_fep *fep, uint32_t op, const struct uet_packet *p);
/*
 * A Request with read data has come on the return direction. Writes the response to it; returns the
 * operation to which it belongs, of which *last says that nothing is missing any more; counted and
 * 0: none. uet_ses_may_end follows when the response has gone.
 */
uint32_t uet_ses_returned(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                          uint8_t response[UET_SES_RSP_BYTES], bool *last);
/* The response that uet_ses_returned wrote is on its way: an operation that misses nothing ends. */
void uet_ses_may_end(struct uet_fep *fep, uint32_t op);
/* A packet of it, which has no PDC, is given up: the operation ends in error. */
void uet_ses_fail(struct uet_fep *fep, uint32_t op);

/* ---- requests that come, and the responses to them ---- */

/* ahead: its PSN is not the next one expected. */
void uet_ses_check(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p, bool ahead,
                   struct ses_plan *plan);
/* Does what that plan says (bytes, message, completion), once PDS has taken the packet. */
void uet_ses_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                    const struct ses_plan *plan);
/*
 * Would the packet, first of a new PDC, be refused for want of UET_NO_RESOURCE? part: there is room
 * to keep read data.
 */
bool uet_ses_lacks_resource(struct uet_fep *fep, const struct uet_packet *p, bool part);
/* A RUDI request: done, and its response, or the data that was asked for, in the plan. */
void uet_ses_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
/* A UUD request: delivered, or dropped and counted. */
void uet_ses_datagram(struct uet_fep *fep, const struct uet_packet *p);
/*
 * The default response that the PDS makes for a duplicate (Table 3-43): RC_NULL, as nothing new is
 * known; message_id and job_id of the duplicate.
 */
void uet_ses_default_response(uint8_t response[UET_SES_RSP_BYTES], const struct uet_packet *p);
/* Writes the SES header of the data; its next_hdr. The payload is not written. */
uint8_t uet_ses_part_write(const struct part *part, struct uet_build *b);

/* PDS begins to hold data that is sent from the application's memory, and does so no longer. */
enum part_fate { PART_ARRIVED, PART_LOST /* nobody knows, as its PDC ends */, PART_REFUSED };
void uet_ses_part_begins(struct uet_fep *fep, const struct part *part);
void uet_ses_part_ends(struct uet_fep *fep, const struct part *part, enum part_fate fate);

/* ---- indications, PDS to SES: the life of a PDC ---- */

/* A PDC has been opened, by either side: SES begins anew what it keeps for it. */
void uet_ses_pdc_begins(struct uet_fep *fep, uint16_t pdc);
/* It takes no new message: operations not begun leave it and wait for another one. */
void uet_ses_leave(struct uet_fep *fep, uint16_t pdc);
/* It is gone for its operations: those that were begun fail, or, retry, wait for another PDC. */
void uet_ses_pdc_gone(struct uet_fep *fep, uint16_t pdc, bool retry);
/*
 * It ends: its messages are forgotten, receives they had taken complete with an error. closed: by
 * its initiator, which waits for no answer any more.
 */
void uet_ses_abandon(struct uet_fep *fep, uint16_t pdc, bool closed);

/* Does an operation wait for a PDC? */
static inline bool uet_ses_waits(const struct uet_fep *fep)
{
    return fep->waiting_head;
}

/* There may be a PDC for it now. */
static inline void uet_ses_look_again(struct uet_fep *fep)
{
    fep->dispatch = true;
}

/* ---- what PDS asks before it closes a PDC, or lets it be idle ---- */

/* Operations of this FEP on the PDC, which lock it until they have ended (lock_pdc, PDS-215). */
uint32_t uet_ses_load(const struct uet_fep *fep, uint16_t pdc);
/* Is the one whose packet is next in the middle of its message? */
bool uet_ses_in_message(const struct uet_fep *fep, uint16_t pdc);
/* Is the first of them tried again, on a new PDC? */
bool uet_ses_retries(const struct uet_fep *fep, uint16_t pdc);
/* Does one of them wait for data alone? */
bool uet_ses_awaits_data(struct uet_fep *fep, uint16_t pdc);
/* Is a message of the peer in progress, or not answered yet; or a READ of which more packets are to
 * come? */
bool uet_ses_holds(const struct uet_fep *fep, uint16_t pdc);
bool uet_ses_receives(const struct uet_fep *fep, uint16_t pdc);
/* A PDC that holds message state, each time the next one; PDCs that did are among them. */
uint16_t uet_ses_next_holder(struct uet_fep *fep);
/* The peer has asked for an answer on this PDC, maybe one that waits for a receive. */
void uet_ses_asked(struct uet_fep *fep, uint16_t pdc);

/* ---- what SES asks of PDS ---- */

/*
 * Selects the PDC of the operation's tuple (3.5.8.1), and with may_open opens one if need be; 0:
 * the operation has to wait. begun: the keys under which it was begun.
 */
uint16_t uet_pds_select(struct uet_fep *fep, const struct uet_operation *call,
                        const struct tss_context *begun, bool may_open);
/* Is a PDC free to be opened? */
bool uet_pds_pdc_free(const struct uet_fep *fep);
/* There is something to send on the PDC: PDS will ask for it. */
void uet_pds_tx_request(struct uet_fep *fep, uint16_t pdc);
/* The last message of the peer on this PDC, or the last READ, has ended. */
void uet_pds_messages_ended(struct uet_fep *fep, uint16_t pdc);
/* A message of the peer on this PDC holds what others wait for: does it still know the PDC? */
void uet_pds_ask_holder(struct uet_fep *fep, uint16_t pdc);
/*
 * Slots for answers that are promised (3.4.3.6.2.2): is one free, for what came ahead of a gap or
 * not; takes one for a message of which the last PSN is still to come, and gives it back.
 */
bool uet_pds_slot_free(const struct uet_fep *fep, bool ahead);
uint32_t uet_pds_slot_take(struct uet_fep *fep);
void uet_pds_slot_drop(struct uet_fep *fep, uint32_t slot);
/* The answer that was promised in this slot: guaranteed, and sent now. */
void uet_pds_answer(struct uet_fep *fep, uint16_t pdc, uint32_t slot, const uint8_t *response);
/* Does an answer wait to be sent with data from these bytes? */
bool uet_pds_answers_from(const struct uet_fep *fep, const uint8_t *bytes, uint64_t length);
const struct uet_ip *uet_pds_peer(const struct uet_fep *fep, uint16_t pdc);

#endif
