/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UET_ATOMIC and UET_FETCHING_ATOMIC, and UET_TSEND_ATOMIC and UET_TSEND_FETCH_ATOMIC, which find
 * a receive by its tag (3.4.2.4, 3.4.4, 3.4.6.2): all that is special to them. One packet
 * (SES-138), one element when the old value goes back (SES-165), else a whole number of them
 * (SES-133). In memory a value has the byte order of the host, on the wire that of the network
 * (SES-137). What was fetched goes back as the data of a READ does, but is kept from the start: the
 * memory has changed by then. What becomes of an element: element.c.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* What the extension says. */
struct asked {
    uint8_t amo, datatype;
    uint8_t bytes; /* of an element; 0: no such datatype */
    bool two; /* operands: they stand in the extension, or for UET_AMO_MSWAP behind the short one */
};

static struct asked asked_by(const struct uet_packet *p)
{
    const uint8_t *ext = uet_ses_ext(p);
    struct asked a = {
        .amo = uet_ses_ext_atomic_opcode(ext),
        .datatype = uet_ses_ext_atomic_datatype(ext),
    };
    a.bytes = uet_element_bytes(a.datatype);
    a.two = uet_amo_compares(a.amo);
    return a;
}

/* A value narrower than its 16 bytes stands in the low ones, which are the last (SES-022). */
static uint32_t low_bytes(uint8_t bytes)
{
    return UET_AMO_OPERAND_BYTES - bytes;
}

/* ---- the target ---- */

/* The two operands count as payload, whatever the element (SES-166); one element is worked on. */
void uet_atomic_size(const struct uet_fep *fep, const struct uet_packet *p, struct ses_request *r)
{
    const struct asked a = asked_by(p);
    uet_deliver_size(fep, p, r);
    if (p->ext == UET_H_SES_EXT_CSWAP)
        r->payload = r->counts = UET_AMO_OPERANDS_BYTES;
    if (a.two)
        r->touches = a.bytes;
}

static bool size_is_right(const struct asked *a, const struct ses_request *r)
{
    if (a->two)
        return r->length == UET_AMO_OPERANDS_BYTES;
    return r->op->fetches ? r->length == a->bytes : r->length % a->bytes == 0;
}

/*
 * An operation, a datatype, a size and an address that can be done (SES-131 to SES-134), with its
 * operand. The extension is there: a packet without room for it is not parsed (SES-160).
 */
uint8_t uet_atomic_check(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct ses_request *r)
{
    const struct asked a = asked_by(p);
    if (!r->som || !r->eom)
        return UET_RC_OP_VIOLATION;
    if (!a.bytes)
        return UET_RC_AMO_UNSUPPORTED_DT;
    if (!uet_element_can(a.amo, a.datatype))
        return UET_RC_AMO_UNSUPPORTED_OP;
    if (!size_is_right(&a, r))
        return UET_RC_AMO_UNSUPPORTED_SIZE;
    if (r->buffer_offset % a.bytes) /* the address that a peer can know */
        return UET_RC_AMO_UNALIGNED;
    return p->ext == UET_H_SES_EXT_CSWAP ? UET_RC_OK : uet_deliver_check(fep, p, r);
}

/* Where the result goes: plan->to. NULL: not all of it fits, whatever let it pass. */
void uet_atomic_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_deliver_plan(fep, p, plan);
    if (plan->length < plan->request.touches)
        plan->to = NULL;
    plan->length = 0; /* nothing is written as it came */
}

/* What is there now goes back. */
void uet_atomic_fetch_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    const struct asked a = asked_by(p);
    uet_atomic_plan(fep, p, plan);
    const uint8_t bytes = plan->to ? a.bytes : 0;
    uet_element_turn(a.datatype, plan->fetched, plan->to, bytes);
    uet_ses_fetch(fep, p, plan, plan->fetched, bytes, bytes);
    plan->part.region = 0;
}

void uet_atomic_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                       const struct ses_plan *plan)
{
    const struct asked a = asked_by(p);
    const uint32_t length = plan->request.touches;
    const uint8_t *ext = uet_ses_ext(p), *from = p->frame + p->payload_offset;
    uint8_t operand[SES_ELEMENT_MAX], compare[SES_ELEMENT_MAX] = {0};
    (void)fep, (void)pdc;
    if (plan->return_code != UET_RC_OK || !plan->to)
        return;
    if (a.two) {
        from = uet_ses_ext_cswap_swap_value(ext) + low_bytes(a.bytes);
        uet_element_turn(a.datatype, compare,
                         uet_ses_ext_cswap_compare_value(ext) + low_bytes(a.bytes), a.bytes);
    }
    for (uint32_t at = 0; at + a.bytes <= length; at += a.bytes) {
        uet_element_turn(a.datatype, operand, from + at, a.bytes);
        uet_element_apply(a.amo, a.datatype, plan->to + at, operand, compare);
    }
}

/*
 * Done on the bytes that the receive has, which is over with it, as with a tagged send (contested:
 * no source says more than that the tag finds the buffer). One that is refused leaves it posted.
 */
void uet_atomic_commit_receive(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                               const struct ses_plan *plan)
{
    if (plan->return_code != UET_RC_OK)
        return;
    uet_atomic_commit(fep, pdc, p, plan);
    uet_ses_deliver_bytes(fep, p, plan);
    uet_ses_finished(fep, p, plan, false, 0);
}

/* ---- the initiator ---- */

uint32_t uet_atomic_asks(const struct uet_operation *call)
{
    return uet_amo_compares(call->amo) ? UET_AMO_OPERANDS_BYTES : call->length;
}

bool uet_atomic_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    const uint8_t bytes = uet_element_bytes(call->datatype);
    const bool fetching = uet_ses_op(fep, call->opcode)->fetches;
    const bool one = fetching || uet_amo_compares(call->amo);
    if (!uet_element_can(call->amo, call->datatype) || !call->data || (fetching && !call->into) ||
        (uet_amo_compares(call->amo) && !call->compare))
        return false;
    if (one)
        return call->length == bytes;
    return call->length && call->length % bytes == 0 && call->length <= fep->config.payload_mtu;
}

static void write_operands(const struct uet_operation *call, uint8_t *ext)
{
    uint8_t value[UET_AMO_OPERAND_BYTES] = {0};
    uet_element_turn(call->datatype, value + low_bytes((uint8_t)call->length), call->compare,
                     call->length);
    uet_ses_ext_cswap_compare_value_set(ext, value);
    uet_element_turn(call->datatype, value + low_bytes((uint8_t)call->length), call->data,
                     call->length);
    uet_ses_ext_cswap_swap_value_set(ext, value);
}

void uet_atomic_write(const struct operation *op, const struct ses_segment *seg,
                      struct uet_build *b)
{
    const struct uet_operation *call = &op->call;
    const bool two = uet_amo_compares(call->amo);
    uint8_t *to, *ext = uet_build_ext(b, two ? UET_H_SES_EXT_CSWAP : UET_H_SES_EXT_ATOMIC);
    uet_ses_ext_atomic_opcode_set(ext, call->amo);
    uet_ses_ext_atomic_datatype_set(ext, call->datatype);
    if (two)
        write_operands(call, ext);
    else if ((to = uet_build_payload_room(b, seg->length)))
        uet_element_turn(call->datatype, to, call->data, seg->length);
}

void uet_atomic_take(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                     uint32_t length)
{
    uet_element_turn(op->call.datatype, op->call.into + offset, bytes, length);
}
