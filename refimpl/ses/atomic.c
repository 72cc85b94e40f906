/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UET_FETCHING_ATOMIC (3.4.2.4, 3.4.4): all that is special to it. One packet (SES-138), one
 * element (SES-165). In memory a value has the byte order of the host, on the wire that of the
 * network (SES-137). What was fetched goes back as the data of a READ does, but is kept from the
 * start: the memory has changed by then.
 */
#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/* ---- what is done: a row for each pair of operation and datatype (Tables 3-21, 3-22) ---- */

static uint64_t load64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void store64(uint8_t *at, uint64_t value)
{
    memcpy(at, &value, sizeof value);
}

static void sum64(uint8_t *target, const uint8_t *operand)
{
    store64(target, load64(target) + uet_rd64(operand));
}

static const struct pair {
    uint8_t amo, datatype;
    uint8_t bytes;                                          /* of an element */
    void (*apply)(uint8_t *target, const uint8_t *operand); /* the operand as it came */
} pairs[] = {
    {UET_AMO_SUM, UET_TYPE_UINT64, 8, sum64},
};

/* NULL: the FEP has not both; *known: it has the datatype. */
static const struct pair *pair_of(uint8_t amo, uint8_t datatype, bool *known)
{
    *known = false;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].datatype != datatype)
            continue;
        *known = true;
        if (pairs[i].amo == amo)
            return &pairs[i];
    }
    return NULL;
}

static const struct pair *pair_on_wire(const struct uet_packet *p, bool *known)
{
    const uint8_t *ext = uet_ses_ext(p);
    return pair_of(uet_ses_ext_atomic_opcode(ext), uet_ses_ext_atomic_datatype(ext), known);
}

/* From one byte order to the other: the same on a big-endian host. */
static void turn(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = from[first ? bytes - 1 - i : i];
}

/* ---- the target ---- */

/*
 * An operation, a datatype, a size and an address that can be done (SES-131 to SES-134), with its
 * operand. The extension is there: a packet without room for it is not parsed (SES-160).
 */
uint8_t uet_atomic_check(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct ses_request *r)
{
    bool known;
    const struct pair *pair = pair_on_wire(p, &known);
    if (!r->som || !r->eom)
        return UET_RC_OP_VIOLATION;
    if (!pair)
        return known ? UET_RC_AMO_UNSUPPORTED_OP : UET_RC_AMO_UNSUPPORTED_DT;
    if (r->length != pair->bytes)
        return UET_RC_AMO_UNSUPPORTED_SIZE;
    if (r->buffer_offset % pair->bytes) /* the address that a peer can know */
        return UET_RC_AMO_UNALIGNED;
    return uet_deliver_check(fep, p, r);
}

/* What is there now goes back; where the result goes. */
void uet_atomic_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_deliver_plan(fep, p, plan);
    turn(plan->fetched, plan->to, plan->length);
    uet_ses_fetch(fep, p, plan, plan->fetched, plan->length);
    plan->part.region = 0;
    plan->length = 0; /* nothing is written as it came */
}

void uet_atomic_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                       const struct ses_plan *plan)
{
    bool known;
    (void)fep, (void)pdc;
    if (plan->return_code == UET_RC_OK)
        pair_on_wire(p, &known)->apply(plan->to, p->frame + p->payload_offset);
}

/* ---- the initiator ---- */

bool uet_atomic_valid(const struct uet_fep *fep, const struct uet_operation *call)
{
    bool known;
    const struct pair *pair = pair_of(call->amo, call->datatype, &known);
    (void)fep;
    return pair && call->length == pair->bytes && call->data && call->into;
}

void uet_atomic_write(const struct operation *op, const struct ses_segment *seg,
                      struct uet_build *b)
{
    uint8_t *ext = uet_build_ext(b, UET_H_SES_EXT_ATOMIC);
    uint8_t operand[SES_ELEMENT_MAX];
    uet_ses_ext_atomic_opcode_set(ext, op->call.amo);
    uet_ses_ext_atomic_datatype_set(ext, op->call.datatype);
    turn(operand, op->call.data, seg->length);
    uet_build_payload(b, operand, seg->length);
}

void uet_atomic_take(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                     uint32_t length)
{
    turn(op->call.into + offset, bytes, length);
}
