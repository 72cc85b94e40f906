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

void uet_ses_response_write(uint8_t response[UET_SES_RSP_BYTES], const struct ses_answer *answer);

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

/* ---- serve.c: reads that peers ask for ---- */

/* The bytes that a packet of a READ asks for, into r->payload. */
void uet_ses_request_asks(const struct uet_fep *fep, const struct uet_packet *p,
                          struct ses_request *r);
/* A READ that is all right: what was to be written becomes what is to be sent, and how. */
void uet_ses_serve(struct uet_fep *fep, const struct uet_packet *p, const struct ses_request *r,
                   struct ses_plan *plan);

/* ---- read.c: reads of this FEP ---- */

/* Is data of it still to come? */
bool uet_ses_read_missing(const struct uet_fep *fep, const struct operation *op);
/* Must it wait for data before it asks for more? */
bool uet_ses_read_waits(const struct uet_fep *fep, const struct operation *op);

/* ---- message.c: messages of several packets ---- */

uint32_t uet_message_find(struct uet_fep *fep, uint16_t pdc, uint16_t message_id);
uint32_t uet_message_new(struct uet_fep *fep, uint16_t pdc, const struct ses_request *r);
void uet_message_end(struct uet_fep *fep, uint32_t id);

/* ---- receive.c: posted receives, and completions of the target ---- */

void uet_receive_take(struct uet_fep *fep, uint32_t id);
/* The receive is over: completion and slot. */
void uet_receive_complete(struct uet_fep *fep, uint32_t id, const struct uet_completion *what);

/* ---- completion.c ---- */

void uet_completion_push(struct uet_fep *fep, const struct uet_completion *what);
bool uet_completion_room_for_write(const struct uet_fep *fep);

/* ---- initiator.c: operations on their way out ---- */

/* Waiting operations whose time has come look for a PDC. */
void uet_ses_dispatch(struct uet_fep *fep);

#endif
