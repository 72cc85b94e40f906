/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the semantic sublayer offer each other. What they offer the PDS: ses_pds.h. */
#ifndef UET_REFIMPL_SES_SES_H
#define UET_REFIMPL_SES_SES_H

#include "refimpl/ses/state.h"
#include "refimpl/ses_pds.h"

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

/* The bytes of a response header without data (Table 3-11). */
void uet_ses_response_write(uint8_t response[UET_SES_RSP_BYTES], const struct ses_answer *answer);

/* ---- request.c ---- */

/* All fields of a request in any of its headers; *r is overwritten whole. The packet is one. */
void uet_ses_request_read(const struct uet_fep *fep, const struct uet_packet *p,
                          struct ses_request *r);

/* ---- resources.c: what a request is addressed to (3.4.1.3) ---- */

/* The service that it names; NULL: none, and then what of its name is known. */
const struct uet_service *uet_service_find(const struct uet_fep *fep, const struct ses_request *r);
bool uet_service_job_known(const struct uet_fep *fep, const struct ses_request *r);
bool uet_service_pid_known(const struct uet_fep *fep, const struct ses_request *r);
/* A receive was posted: those that were disabled for want of it are open again (SES-107). */
void uet_service_supplied(struct uet_fep *fep, const struct uet_receive *v);
/*
 * The region of its key, the oldest receive of its resource index; 0: none. *refused: there is one,
 * but not for its JobID.
 */
uint32_t uet_region_find(const struct uet_fep *fep, const struct ses_request *r, bool *refused);
uint32_t uet_receive_find(const struct uet_fep *fep, const struct ses_request *r, bool *refused);
const struct uet_region *uet_region_at(const struct uet_fep *fep, uint32_t id);
/* By its handle: NULL, none; and how much of it is still to be sent to those that read it. */
const struct uet_region *uet_region_of(const struct uet_fep *fep, int handle);
uint32_t uet_region_parts(const struct uet_fep *fep, int handle);
/* The operation whose bytes peers read there, 0: none; and, of the region of that number, a token
 * that no other operation had or will have. */
uint32_t *uet_region_reader(const struct uet_fep *fep, int handle);
uint32_t uet_region_token(const struct uet_fep *fep, uint32_t id);
/* True when the posted receive may hold the message of this request. */
bool uet_ses_send_fits(const struct uet_receive *receive, const struct ses_request *r);

/* Is the receive one for the message of this request, whatever its length (3.4.1.3.8)? */
bool uet_receive_fits(const struct uet_receive *receive, const struct ses_request *r);
/* Of one that was posted or is free again: to the send that waits for it, or in line. */
void uet_receive_offer(struct uet_fep *fep, uint32_t id);

/* Is it the one that was posted so, by its place and its token? */
bool uet_receive_is(const struct uet_fep *fep, uint32_t id, const struct uet_receive *receive);

/* A message takes the receive: no other one finds it. */
void uet_receive_take(struct uet_fep *fep, uint32_t id);
/* The receive is over: completion and slot. */
void uet_receive_complete(struct uet_fep *fep, uint32_t id, const struct uet_completion *what);

/* ---- target.c: steps that packets with and without a PDC share ---- */

/* The plan's return code becomes its response, with that generation of the index (3.4.2.5). */
void uet_ses_answer_error(struct ses_plan *plan, uint8_t ri_generation);

/* ---- deliver.c ---- */

/* The bytes into their buffer, which a message takes with its first packet. */
void uet_ses_deliver_bytes(struct uet_fep *fep, const struct uet_packet *p,
                           const struct ses_plan *plan);
/* The message is over: what the application of the target is told. */
void uet_ses_finished(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                      bool has_data, uint64_t header_data);

/* The first error of a message ends its receive, too. */
void uet_ses_message_failed(struct uet_fep *fep, const struct uet_packet *p,
                            const struct ses_plan *plan, struct message *m);

/* ---- message.c: messages of several packets ---- */

/* The message that this PDC receives under this message_id; 0: none (SES-031). */
uint32_t uet_message_find(struct uet_fep *fep, uint16_t pdc, uint16_t message_id);
/* Keeps a message of which the first packet has come; 0: no room (UET_NO_SES_MSG_AVAIL). */
uint32_t uet_message_new(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r);
/* The receive that it has taken ends in error. */
void uet_message_receive_fails(struct uet_fep *fep, struct message *m,
                               const struct uet_completion *what);
/* All of it has come, or its PDC has ended: its place is free again. */
void uet_message_end(struct uet_fep *fep, uint32_t id);
/* It still finds no receive: are those that messages hold still filled by somebody? */
void uet_message_ask_holders(struct uet_fep *fep, const struct ses_request *r);

/* ---- held.c: sends that came before their receive ---- */

/* May the header of this one be kept? Changes nothing. */
bool uet_held_room(const struct uet_fep *fep, const struct uet_packet *p,
                   const struct ses_request *r);
/* The oldest that the receive fits; 0: none. Its place in the order of arrival. */
uint32_t uet_held_find(const struct uet_fep *fep, uint32_t receive);
uint32_t uet_held_number(const struct uet_fep *fep, uint32_t id);
/* The receive is promised to it, and it is told so (SES-148). */
void uet_held_promise(struct uet_fep *fep, uint32_t id, uint32_t receive);
/* The receive promised to the send that comes again with this request; 0: none. */
uint32_t uet_held_receive(const struct uet_fep *fep, const struct uet_packet *p,
                          const struct ses_request *r);
/* It has come again and has taken its receive; or was refused, and the receive is free. */
void uet_held_came(struct uet_fep *fep, uint32_t receive);
void uet_held_failed(struct uet_fep *fep, uint32_t receive);
/* How the operation for it ended, an RTR or a READ. */
void uet_held_told(struct uet_fep *fep, uint32_t token, const struct uet_completion *what);
/* The packets of the message whose rest is read under this token bring no more; false: no such
 * token. The receive ends when nothing is written to it any more. */
bool uet_held_rest_fails(struct uet_fep *fep, uint32_t token, const struct uet_completion *what);
/* A message that is held under this token ends without its first packet. */
void uet_held_broken(struct uet_fep *fep, uint32_t token, const struct uet_completion *what);
/* held_deadline has come: receives whose send did not come again. */
void uet_held_timer(struct uet_fep *fep);

/* ---- unexpected.c: the same, kept with their payload ---- */

/* May this one be kept? Changes nothing. */
bool uet_unexpected_room(const struct uet_fep *fep, const struct uet_service *service,
                         const struct ses_request *r);
/* The NACK code when it could not be answered later; 0. */
uint8_t uet_unexpected_lacks(const struct uet_fep *fep, const struct ses_plan *plan);
void uet_unexpected_answer(const struct uet_fep *fep, const struct message *m,
                           struct ses_plan *plan);
void uet_unexpected_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan);
/* The oldest that the receive is for; 0: none. Its place in the order of arrival. */
uint32_t uet_unexpected_find(const struct uet_fep *fep, uint32_t receive);
uint32_t uet_unexpected_number(const struct uet_fep *fep, uint32_t id);
/* It takes the receive; false: it is too long and over, the receive is still free. */
bool uet_unexpected_takes(struct uet_fep *fep, uint32_t id, uint32_t receive);
/* Does it fit, or may it be cut (SES-102)? */
bool uet_unexpected_is_room(const struct uet_receive *v, const struct ses_request *r);
/* Its place is free again. */
void uet_unexpected_drop(struct uet_fep *fep, uint32_t id);
/* The message ends in error; its PDC ends, closed or not. */
void uet_unexpected_failed(struct uet_fep *fep, struct message *m);
void uet_unexpected_abandon(struct uet_fep *fep, uint16_t pdc, bool closed);

/* ---- completion.c ---- */

/* Tells the application what ended. Copied; there is room for each operation and receive. */
void uet_completion_push(struct uet_fep *fep, const struct uet_completion *what);
bool uet_completion_room_for_write(const struct uet_fep *fep);

/* ---- life.c: the life of an operation ---- */

enum op_event {
    OP_EV_PLACED,      /* it has a PDC, or needs none */
    OP_EV_CUT,         /* a packet of it is cut, ... */
    OP_EV_CUT_LAST,    /* ... the last */
    OP_EV_GIVEN_OUT,   /* a datagram has left */
    OP_EV_ANSWERED,    /* something of it has come back */
    OP_EV_PDC_CLOSES,  /* its PDC takes no new message */
    OP_EV_PDC_REFUSED, /* ... is gone, others may fare better */
    OP_EV_PDC_UNBEGUN, /* the same, and no message has begun on it */
    OP_EV_PDC_GONE,    /* ... is gone in error */
    OP_EV_LOOKED_AT,   /* nothing has happened to it, but perhaps to its region */
    OP_EV_DOMAIN_GONE, /* the domain in which it was begun was removed */
    OP_EV_GIVEN_UP,    /* a packet of it without PDC has no retries left */
    OP_EVENTS
};

/* Submitted: it waits. */
void uet_op_begin(struct uet_fep *fep, uint32_t id);
/* By the first row of its event that fits; may end it. */
void uet_op_event(struct uet_fep *fep, uint32_t id, enum op_event event);
/* A packet of it has been cut, and the PDC goes on behind it when that was the last. */
void uet_op_cut(struct uet_fep *fep, uint32_t id, bool last);

/* ---- initiator.c: operations on their way out ---- */

/*
 * Starts an operation of this FEP's own, for this held send, which hears how it ended. irt: the
 * token that it names.
 */
void uet_ses_submit_own(struct uet_fep *fep, const struct uet_operation *call, uint32_t irt,
                        const struct held *h);

/* Is data of it still to come? */
bool uet_ses_incomplete(const struct uet_fep *fep, const struct operation *op);
/* Waiting operations whose time has come look for a PDC. */
void uet_ses_dispatch(struct uet_fep *fep);

#endif
