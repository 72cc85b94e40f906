/* SPDX-License-Identifier: BSD-2-Clause */
/* What the semantic sublayer offers the PDS and fep.c. Private. */
#ifndef UET_REFIMPL_SES_SES_H
#define UET_REFIMPL_SES_SES_H

#include "refimpl/state.h"

/* ---- response.c ---- */

struct ses_answer {
    uint8_t opcode; /* enum uet_ses_rsp_opcode */
    uint8_t list;
    uint8_t return_code;
    uint8_t ri_generation;
    uint16_t message_id;
    uint32_t job_id;
    uint32_t modified_length;
};

void uet_ses_response_write(uint8_t response[UET_SES_RSP_BYTES], const struct ses_answer *answer);

/*
 * The default response that the PDS makes for a duplicate (Table 3-43): RC_NULL, as nothing new is
 * known; message_id and job_id of the duplicate.
 */
void uet_ses_default_response(uint8_t response[UET_SES_RSP_BYTES], const struct uet_packet *p);

/* ---- target.c: a request on its way in ---- */

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

void uet_ses_check(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p,
                   struct ses_plan *plan);
/* Would the packet, first of a new PDC, be refused for want of UET_NO_RESOURCE? */
bool uet_ses_lacks_resource(struct uet_fep *fep, const struct uet_packet *p);
void uet_ses_commit(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p,
                    const struct ses_plan *plan);

/* ---- address.c: the lookup of 3.4.1.3, step by step ---- */

/* The fields of a request that addressing needs, whatever the header form. */
struct ses_request {
    uint8_t opcode;
    uint8_t version;
    uint8_t ri_generation;
    bool ie, rel, hd, som, eom, small;
    bool any_generation; /* ri_generation is not looked at */
    uint16_t message_id;
    uint16_t pid_on_fep, resource_index;
    uint32_t job_id;
    uint32_t initiator;
    uint32_t length;         /* request_length */
    uint32_t message_offset; /* 0 in a som packet */
    uint32_t payload;        /* bytes of the message in this packet, as the header has it */
    uint64_t buffer_offset;
    uint64_t key;
    uint64_t header_data;
};

void uet_ses_request_read(const struct uet_packet *p, struct ses_request *r);

struct ses_found {
    uint8_t return_code;
    uint8_t ri_generation; /* current one, for RC_BAD_GENERATION */
    uint32_t region, receive;
};

/*
 * The steps JobID to range; region and receive are numbers from 1. has_receive: the message of this
 * packet has its buffer already, so no posted receive is looked for.
 */
void uet_ses_address(struct uet_fep *fep, const struct ses_request *r, bool has_receive,
                     struct ses_found *found);
/* True when the posted receive may hold the message of this request. */
bool uet_ses_send_fits(const struct uet_receive *receive, const struct ses_request *r);

/* Steps of target.c that packets without a PDC share with it. */

/* The form of a packet: what its flags and lengths must be (SES-015, 029, 045..047). */
uint8_t uet_ses_check_form(struct uet_fep *fep, const struct uet_packet *p,
                           const struct ses_request *r);
/* Where the bytes go: base + buffer_offset + message_offset (SES-013), at most to the end. */
void uet_ses_place(struct uet_fep *fep, const struct ses_request *r, struct ses_plan *plan);
/* Bytes that the message will change; fewer than it has when its receive is too short. */
uint32_t uet_ses_modified_length(struct uet_fep *fep, const struct ses_request *r,
                                 const struct ses_plan *plan);
struct message;
void uet_ses_answer_error(const struct ses_request *r, const struct ses_found *found,
                          struct ses_plan *plan);
void uet_ses_answer_success(struct uet_fep *fep, const struct message *m,
                            const struct ses_request *r, struct ses_plan *plan);

/* ---- single.c: packets that are executed by themselves ---- */

/* A RUDI request: done, and its response, or the data that was asked for, in the plan. */
void uet_ses_rudi(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
/* A UUD request: delivered, or dropped and counted. */
void uet_ses_datagram(struct uet_fep *fep, const struct uet_packet *p);

/* ---- serve.c: reads that peers ask for ---- */

/* The bytes that a packet of a READ asks for, into r->payload. */
void uet_ses_request_asks(const struct uet_fep *fep, const struct uet_packet *p,
                          struct ses_request *r);
/* A READ that is all right: what was to be written becomes what is to be sent, and how. */
void uet_ses_serve(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r,
                   struct ses_plan *plan);
/* The SES header of the data, and its next_hdr; the payload is not written. */
uint8_t uet_ses_part_next_hdr(const struct part *part);
void uet_ses_part_write(const struct part *part, struct uet_build *b);

/* ---- read.c: reads of this FEP ---- */

/* Must it wait for data before it asks for more? */
bool uet_ses_read_waits(const struct uet_fep *fep, const struct operation *op);
/* Is data of it still to come? */
bool uet_ses_read_missing(const struct uet_fep *fep, const struct operation *op);
/* The READ of this PDC to which the data belongs, as it says itself; counted and 0: none. */
uint32_t uet_ses_read_find(struct uet_fep *fep, const struct pdc *pdc, const struct uet_packet *p);
/* Is this ACK or RUDI Response of a packet one that may be used: is its data, if any, the right? */
bool uet_ses_answers_read(struct uet_fep *fep, const struct tx_packet *packet,
                          const struct uet_packet *p);
/* Puts the data where it belongs, if all of what it says fits the operation. */
void uet_ses_read_take(struct uet_fep *fep, uint32_t op, const struct uet_packet *p);

/* ---- message.c: messages of several packets ---- */

uint32_t uet_message_find(struct uet_fep *fep, uint16_t pdc, uint16_t message_id);
uint32_t uet_message_new(struct uet_fep *fep, struct pdc *pdc, const struct ses_request *r);
void uet_message_end(struct uet_fep *fep, struct pdc *pdc, uint32_t id);
/* The PDC goes: its messages are forgotten, receives they had taken complete with an error. */
void uet_message_abandon_all(struct uet_fep *fep, struct pdc *pdc);

/* ---- receive.c: posted receives, and completions of the target ---- */

void uet_receive_take(struct uet_fep *fep, uint32_t id);
/* The receive is over: completion and slot. */
void uet_receive_complete(struct uet_fep *fep, uint32_t id, const struct uet_completion *what);

/* ---- completion.c ---- */

void uet_completion_push(struct uet_fep *fep, const struct uet_completion *what);
bool uet_completion_room_for_write(const struct uet_fep *fep);

/* ---- initiator.c: operations on their way out ---- */

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
/* A response to a packet of the operation (NULL: none, taken as default success, PDS-110). */
void uet_ses_response(struct uet_fep *fep, uint32_t op, const uint8_t *response);
/* A response whose packet is retired already: only a message without an answer waits for it. */
void uet_ses_late_response(struct uet_fep *fep, struct pdc *pdc, const uint8_t *response);
/* A packet of it is retired: the operation may be complete. */
void uet_ses_retired(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
/* Something of it has come: the operation may be complete. */
void uet_ses_may_end(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
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
void uet_ses_queue(struct uet_fep *fep, struct pdc *pdc, uint32_t op);
/* Waiting operations whose time has come look for a PDC. */
void uet_ses_dispatch(struct uet_fep *fep);

#endif
