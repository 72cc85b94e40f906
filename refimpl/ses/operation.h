/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of which the rows of the opcodes are made (operations.c). */
#ifndef UET_REFIMPL_SES_OPERATION_H
#define UET_REFIMPL_SES_OPERATION_H

#include "refimpl/ses/element.h"
#include "refimpl/ses/state.h"
#include "refimpl/ses_pds.h"

#define KEY_VENDOR          (0xffull << 48) /* vendor_specific of a key (Table 2-13) */
#define KEY_IDEMPOTENT_SAFE (1ull << 63)    /* of a region that RUDI may write to (Table 2-13) */

/* The row of an opcode, whatever its value. */
static inline const struct ses_op *uet_ses_op(const struct uet_fep *fep, uint8_t opcode)
{
    return &fep->law.ses.ops[opcode <= UET_OP_MSG_ERROR ? opcode : UET_OP_MSG_ERROR + 1];
}

/* On UUD a datagram takes a receive as a send does. */
static inline const struct ses_op *uet_ses_op_on_uud(const struct uet_fep *fep)
{
    return uet_ses_op(fep, UET_OP_SEND);
}

static inline const struct ses_op *uet_ses_op_of(const struct uet_fep *fep,
                                                 const struct operation *op)
{
    return uet_ses_op(fep, op->call.opcode);
}

/* The bytes that its packets are cut from. */
static inline uint32_t uet_ses_carries(const struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return row->carries ? row->carries(&op->call) : op->call.length;
}

/* What it writes as request_length. */
static inline uint32_t uet_ses_asks(const struct uet_fep *fep, const struct operation *op)
{
    const struct ses_op *row = uet_ses_op_of(fep, op);
    return row->asks ? row->asks(&op->call) : op->call.length;
}

/* ---- deliver.c: requests whose bytes go into the target's buffers, or that have none ---- */

void uet_deliver_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r);
uint8_t uet_deliver_check(const struct uet_fep *fep, const struct uet_packet *p,
                          const struct ses_request *r);
void uet_deliver_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
void uet_deliver_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan);
void uet_deliver_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                        const struct ses_plan *plan);
bool uet_no_op_valid(const struct uet_fep *fep, const struct uet_operation *call);
bool uet_deliver_valid(const struct uet_fep *fep, const struct uet_operation *call);
bool uet_datagram_valid(const struct uet_fep *fep, const struct uet_operation *call);
void uet_deliver_write(const struct operation *op, const struct ses_segment *seg,
                       struct uet_build *b);
uint8_t uet_write_lacks(struct uet_fep *fep, const struct message *m, const struct ses_plan *plan);
uint8_t uet_no_op_check(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct ses_request *r);

/* Is this the last packet of its message that was missing? m: NULL, or the message. */
bool uet_ses_completes(const struct message *m, const struct ses_request *r);

/* Truncation is news (SES-102). */
bool uet_ses_truncation_is_news(const struct ses_request *r, uint32_t modified);

/* ---- read.c ---- */

/*
 * What the packet fetches goes back from these bytes: in the ACK, which keeps them, or on the
 * return direction, which reads them when it sends: so they lie in plan->region, or part.region is
 * set to 0, and they are kept there, too. all: data bytes of the whole message.
 */
void uet_ses_fetch(const struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan,
                   const uint8_t *from, uint32_t length, uint32_t all);
void uet_read_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r);
uint8_t uet_read_check(const struct uet_fep *fep, const struct uet_packet *p,
                       const struct ses_request *r);
void uet_read_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
void uet_read_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan);
void uet_read_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                     const struct ses_plan *plan);
bool uet_read_valid(const struct uet_fep *fep, const struct uet_operation *call);
bool uet_read_segment(struct uet_fep *fep, const struct operation *op);
void uet_read_take(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                   uint32_t length);

/* ---- atomic.c ---- */

/* Bytes of an operand of the longer extension, and of both (Figure 3-17, SES-166). */
#define UET_AMO_OPERAND_BYTES  16u
#define UET_AMO_OPERANDS_BYTES 32u

uint32_t uet_atomic_asks(const struct uet_operation *call);
void uet_atomic_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r);
uint8_t uet_atomic_check(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct ses_request *r);
void uet_atomic_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
void uet_atomic_fetch_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan);
void uet_atomic_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                       const struct ses_plan *plan);
void uet_atomic_commit_receive(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                               const struct ses_plan *plan);
bool uet_atomic_valid(const struct uet_fep *fep, const struct uet_operation *call);
void uet_atomic_write(const struct operation *op, const struct ses_segment *seg,
                      struct uet_build *b);
void uet_atomic_take(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                     uint32_t length);

/* ---- msg_error.c ---- */

uint8_t uet_msg_error_check(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct ses_request *r);
void uet_msg_error_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                          const struct ses_plan *plan);

/* ---- deferral.c ---- */

void uet_deferrable_size(const struct uet_fep *fep, const struct uet_packet *p,
                         struct ses_request *r);
void uet_deferrable_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan);
bool uet_deferrable_valid(const struct uet_fep *fep, const struct uet_operation *call);
void uet_deferrable_fields(const struct operation *op, uint8_t *s);
void uet_rtr_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r);
uint8_t uet_rtr_check(const struct uet_fep *fep, const struct uet_packet *p,
                      const struct ses_request *r);
void uet_rtr_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan);
void uet_rtr_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                    const struct ses_plan *plan);
uint32_t uet_rtr_carries(const struct uet_operation *call);
void uet_rtr_fields(const struct operation *op, uint8_t *s);

/* A deferrable send or a rendezvous was submitted: its token. */
void uet_ses_deferrable_begins(struct uet_fep *fep, uint32_t id);
/* Does the good response to a deferrable send say that it is deferred (SES-146)? */
bool uet_ses_says_deferred(const struct operation *op, const uint8_t *response);
/* The packet that ends a deferred message early, as no more is to come (SES-147). */
bool uet_ses_stops_deferred(const struct message *m, const struct ses_request *r);
/* It waits, and an RTR has come: as a new message, with the token of the RTR (SES-150, 168). */
void uet_ses_restart(struct uet_fep *fep, struct operation *op);

/* ---- held.c: slots of rows whose header is kept ---- */

void uet_held_answer(struct uet_fep *fep, const struct message *m, struct ses_plan *plan);
void uet_held_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                     const struct ses_plan *plan);
/* There is more to read than it brings itself, and no place to remember that. */
bool uet_held_lacks(const struct uet_fep *fep, const struct ses_plan *plan);
uint32_t uet_held_rest_begins(struct uet_fep *fep, const struct uet_packet *p,
                              const struct ses_plan *plan);
void uet_held_rest(struct uet_fep *fep, const struct uet_packet *p, const struct ses_plan *plan,
                   bool has_data, uint64_t header_data);

/* ---- rendezvous.c ---- */

void uet_rendezvous_size(const struct uet_fep *fep, const struct uet_packet *p,
                         struct ses_request *r);
uint8_t uet_rendezvous_check(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct ses_request *r);
uint8_t uet_rendezvous_lacks(struct uet_fep *fep, const struct message *m,
                             const struct ses_plan *plan);
void uet_rendezvous_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan);
bool uet_rendezvous_valid(const struct uet_fep *fep, const struct uet_operation *call);
uint32_t uet_rendezvous_carries(const struct uet_operation *call);
void uet_rendezvous_write(const struct operation *op, const struct ses_segment *seg,
                          struct uet_build *b);

/* Where the packet says that the rest may be read. It has the extension. */
struct ses_read_address uet_rendezvous_address(const struct uet_packet *p);
/* Reads these bytes of the message into its receive. */
void uet_rendezvous_read(struct uet_fep *fep, const struct held *h, uint32_t from, uint32_t to);
/* Of a rendezvous of this FEP: how much the target will read; has it, and has that arrived? */
uint32_t uet_rendezvous_to_read(const struct operation *op);
bool uet_rendezvous_was_read(const struct uet_fep *fep, const struct operation *op);
/* A packet of a READ of a rendezvous is served; its data has arrived there, or may be lost; bytes
 * that have arrived; the send begins anew. */
void uet_rendezvous_reading(struct uet_fep *fep, const struct ses_plan *plan);
void uet_rendezvous_reads(struct uet_fep *fep, const struct part *part, bool arrived);
void uet_rendezvous_read_once(struct uet_fep *fep, const struct ses_plan *plan);
uint32_t uet_rendezvous_arrived(const struct operation *op);
void uet_rendezvous_forget(struct operation *op);

/* ---- fetched.c ---- */

bool uet_fetched_all(const struct uet_fep *fep, const struct operation *op);

/* ---- checks.c ---- */

void uet_ses_checks_make(struct ses_law *law);

#endif
