/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint begins: a receive or an operation of the FEP, with the context as its token. */
#include <errno.h>

#include "refimpl/app/app.h"
#include "uet_spec.h"

/* ---- contexts ---- */

/* 0, or why it cannot stand for something now. */
static int refused(const struct uet_context *context)
{
    return !context ? -EINVAL : context->ep ? -EBUSY : 0;
}

static uint64_t token_of(const struct uet_context *context)
{
    return (uintptr_t)context;
}

static void take(struct uet_ep *ep, struct uet_context *context, enum uet_ep_kind kind)
{
    context->ep = ep;
    context->kind = (uint8_t)kind;
    ep->n_contexts++;
}

/* ---- receives ---- */

static struct uet_receive receive_of(const struct uet_ep *ep, const struct uet_context *context)
{
    return (struct uet_receive){
        .job_id = ep->config.job_id,
        .pid_on_fep = ep->config.pid_on_fep,
        .resource_index = ep->config.resource_index,
        .truncate = ep->config.truncate,
        .token = token_of(context),
        .tagged = context->tagged,
        .match_bits = context->tag,
        .ignore = context->ignore,
    };
}

static int post(struct uet_ep *ep, const struct uet_receive *receive, struct uet_context *context)
{
    const unsigned space = UET_EP_IN(receive->tagged ? UET_RI_TAGGED : UET_RI_SEND);
    if (ep->config.spaces && !(ep->config.spaces & space))
        return -EOPNOTSUPP;
    if (receive->length && !receive->base)
        return -EINVAL;
    int rc = uet_fep_post_receive(ep->domain->fep, receive);
    if (!rc)
        take(ep, context, UET_EP_RECEIVE);
    return rc;
}

int uet_ep_recv(struct uet_ep *ep, void *into, uint32_t length, struct uet_context *context)
{
    int rc = refused(context);
    if (rc)
        return rc;
    *context = (struct uet_context){0};
    struct uet_receive receive = receive_of(ep, context);
    receive.base = into;
    receive.length = length;
    return post(ep, &receive, context);
}

int uet_ep_trecv(struct uet_ep *ep, void *into, uint32_t length, const struct uet_ep_address *from,
                 uint64_t tag, uint64_t ignore, struct uet_context *context)
{
    int rc = refused(context);
    if (rc)
        return rc;
    *context = (struct uet_context){.tagged = true, .tag = tag, .ignore = ignore};
    struct uet_receive receive = receive_of(ep, context);
    receive.base = into;
    receive.length = length;
    receive.any_initiator = !from;
    receive.initiator = from ? from->initiator : 0;
    return post(ep, &receive, context);
}

int uet_ep_cancel(struct uet_ep *ep, struct uet_context *context)
{
    if (!context || context->ep != ep)
        return -ENOENT;
    if (context->kind != UET_EP_RECEIVE)
        return -EOPNOTSUPP;
    const struct uet_receive receive = receive_of(ep, context);
    int rc = uet_fep_receive_remove(ep->domain->fep, &receive);
    if (rc)
        return rc;
    context->ep = NULL;
    ep->n_contexts--;
    return 0;
}

/* ---- operations ---- */

static int start(struct uet_ep *ep, enum uet_ep_kind kind, struct uet_operation *op,
                 const struct uet_ep_address *to, struct uet_context *context)
{
    int rc = refused(context);
    if (rc)
        return rc;
    if (!to)
        return -EINVAL;
    op->to = to->fep;
    op->mode = ep->config.mode;
    op->relative = !to->absolute;
    op->delivery_complete = ep->config.delivery_complete;
    op->job_id = ep->config.job_id;
    op->pid_on_fep = to->pid_on_fep;
    op->resource_index = to->resource_index;
    op->initiator = ep->config.initiator;
    op->traffic_class = ep->config.traffic_class;
    op->token = token_of(context);
    rc = uet_fep_submit(ep->domain->fep, op, ep->domain->now_ns);
    if (!rc)
        take(ep, context, kind);
    return rc;
}

/* Of the peer's memory. */
static int reach(struct uet_ep *ep, enum uet_ep_kind kind, struct uet_operation *op,
                 const struct uet_rma *rma, struct uet_context *context)
{
    if (!rma)
        return -EINVAL;
    op->key = rma->key;
    op->buffer_offset = rma->offset;
    return start(ep, kind, op, &rma->at, context);
}

/* A datagram is the send of UUD (SES-038). */
static struct uet_operation message(const struct uet_ep *ep, const void *bytes, uint32_t length)
{
    return (struct uet_operation){
        .opcode = ep->config.mode == UET_MODE_UUD ? UET_OP_DATAGRAM_SEND : UET_OP_SEND,
        .data = bytes,
        .length = length,
    };
}

/* Its tag stands in the place of the key (3.4.1.3.5). */
static struct uet_operation tagged(const void *bytes, uint32_t length, uint64_t tag)
{
    return (struct uet_operation){
        .opcode = UET_OP_TAGGED_SEND, .key = tag, .data = bytes, .length = length};
}

static struct uet_operation written(const void *bytes, uint32_t length)
{
    return (struct uet_operation){.opcode = UET_OP_WRITE, .data = bytes, .length = length};
}

static struct uet_operation with(struct uet_operation op, uint64_t data)
{
    op.has_header_data = true;
    op.header_data = data;
    return op;
}

int uet_ep_send(struct uet_ep *ep, const void *bytes, uint32_t length,
                const struct uet_ep_address *to, struct uet_context *context)
{
    struct uet_operation op = message(ep, bytes, length);
    return start(ep, UET_EP_SEND, &op, to, context);
}

int uet_ep_senddata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                    const struct uet_ep_address *to, struct uet_context *context)
{
    struct uet_operation op = with(message(ep, bytes, length), data);
    return start(ep, UET_EP_SEND, &op, to, context);
}

int uet_ep_tsend(struct uet_ep *ep, const void *bytes, uint32_t length,
                 const struct uet_ep_address *to, uint64_t tag, struct uet_context *context)
{
    struct uet_operation op = tagged(bytes, length, tag);
    return start(ep, UET_EP_SEND, &op, to, context);
}

int uet_ep_tsenddata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                     const struct uet_ep_address *to, uint64_t tag, struct uet_context *context)
{
    struct uet_operation op = with(tagged(bytes, length, tag), data);
    return start(ep, UET_EP_SEND, &op, to, context);
}

int uet_ep_write(struct uet_ep *ep, const void *bytes, uint32_t length, const struct uet_rma *to,
                 struct uet_context *context)
{
    struct uet_operation op = written(bytes, length);
    return reach(ep, UET_EP_WRITE, &op, to, context);
}

int uet_ep_writedata(struct uet_ep *ep, const void *bytes, uint32_t length, uint64_t data,
                     const struct uet_rma *to, struct uet_context *context)
{
    struct uet_operation op = with(written(bytes, length), data);
    return reach(ep, UET_EP_WRITE, &op, to, context);
}

int uet_ep_read(struct uet_ep *ep, void *into, uint32_t length, const struct uet_rma *from,
                struct uet_context *context)
{
    struct uet_operation op = {.opcode = UET_OP_READ, .into = into, .length = length};
    return reach(ep, UET_EP_READ, &op, from, context);
}

int uet_ep_atomic(struct uet_ep *ep, const struct uet_amo *amo, const struct uet_rma *at,
                  struct uet_context *context)
{
    if (!amo)
        return -EINVAL;
    struct uet_operation op = {
        .opcode = amo->into ? UET_OP_FETCHING_ATOMIC : UET_OP_ATOMIC,
        .amo = amo->opcode,
        .datatype = amo->datatype,
        .compare = amo->compare,
        .data = amo->operand,
        .into = amo->into,
        .length = amo->length,
    };
    return reach(ep, UET_EP_ATOMIC, &op, at, context);
}
