/* SPDX-License-Identifier: BSD-2-Clause */
/* What is started at a provider, and how it ends. */
#include <errno.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/ut_libfabric/internal.h"

#define AGAIN_NS 200000000 /* how long a provider may say that it is busy */

/* ---- one that has begun ---- */

static struct begun *begin(struct fabric *f, uint64_t handle, uint32_t length, bool receive)
{
    struct begun *b = calloc(1, sizeof(*b));

    if (!b) {
        fabric_says(f, "no memory", -FI_ENOMEM);
        return NULL;
    }
    b->handle = handle;
    b->length = length;
    b->receive = receive;
    return b;
}

/* The descriptor of a buffer, where the provider wants one. */
static int describe(struct fabric *f, struct begun *b, void *base, size_t length, void **desc)
{
    size_t i = 0;

    *desc = NULL;
    if (!(f->info->domain_attr->mr_mode & FI_MR_LOCAL) || !base || !length)
        return 0;
    while (b->local[i])
        i++;
    int rc = fi_mr_reg(f->domain, base, length, FI_SEND | FI_RECV | FI_READ | FI_WRITE, 0,
                       (uintptr_t)b ^ i, 0, &b->local[i], NULL);
    if (!rc)
        *desc = fi_mr_desc(b->local[i]);
    return fabric_says(f, "fi_mr_reg of a buffer", rc);
}

/* Takes one out of the list; false when it is not there. */
static bool take_out(struct fabric *f, struct begun *b)
{
    struct begun **at = &f->begun;

    while (*at && *at != b)
        at = &(*at)->next;
    if (!*at)
        return false;
    *at = b->next;
    return true;
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Lets every endpoint work; takes nothing that has ended. */
static void let_work(struct fabric *f)
{
    for (struct endpoint *e = f->endpoints; e; e = e->next)
        fi_cq_read(e->cq, NULL, 0);
}

/* ---- receives ---- */

static ssize_t post(struct endpoint *e, const struct fabric_receive *r, struct begun *b, void *desc)
{
    if (r->tagged)
        return fi_trecv(e->ep, r->base, r->length, desc, FI_ADDR_UNSPEC, r->tag, r->ignore,
                        &b->context);
    return fi_recv(e->ep, r->base, r->length, desc, FI_ADDR_UNSPEC, &b->context);
}

int fabric_receive(struct fabric *f, const struct fabric_receive *r, uint64_t handle)
{
    struct endpoint *e = fabric_endpoint(f, r->tagged ? FABRIC_TAGGED : FABRIC_SEND, r->ri, false);
    struct begun *b = e ? begin(f, handle, r->length, true) : NULL;
    void *desc;

    if (!b)
        return -1;
    ssize_t rc = describe(f, b, r->base, r->length, &desc) ? -1 : post(e, r, b, desc);
    if (rc) {
        if (rc != -1)
            fabric_says(f, "fi_recv", rc);
        fabric_forget(b);
        return -1;
    }
    b->endpoint = e;
    b->next = f->begun;
    f->begun = b;
    return 0;
}

static struct begun *find_begun(const struct fabric *f, uint64_t handle)
{
    struct begun *b = f->begun;

    while (b && b->handle != handle)
        b = b->next;
    return b;
}

bool fabric_goes_on(const struct fabric *f, uint64_t handle)
{
    return find_begun(f, handle);
}

int fabric_cancel(struct fabric *f, uint64_t handle)
{
    struct begun *b = find_begun(f, handle);

    if (!b || !b->receive)
        return fabric_says(f, "this handle", -FI_ENOENT);
    return fabric_says(f, "fi_cancel", fi_cancel(&b->endpoint->ep->fid, &b->context));
}

/* ---- operations ---- */

/* All that one call needs. */
struct call {
    const struct fabric_operation *op;
    struct endpoint *e;
    fi_addr_t peer;
    struct begun *begun;
    void *desc, *operand_desc, *compare_desc;
    uint64_t flags;
};

static ssize_t do_message(const struct call *c)
{
    struct iovec iov = {.iov_base = c->op->base, .iov_len = c->op->length};
    void *desc = c->desc;
    size_t n = c->op->length > 0;

    if (c->op->verb == FABRIC_DO_SEND)
        return fi_sendmsg(c->e->ep,
                          &(struct fi_msg){.msg_iov = &iov,
                                           .desc = &desc,
                                           .iov_count = n,
                                           .addr = c->peer,
                                           .context = &c->begun->context,
                                           .data = c->op->data},
                          c->flags);
    return fi_tsendmsg(c->e->ep,
                       &(struct fi_msg_tagged){.msg_iov = &iov,
                                               .desc = &desc,
                                               .iov_count = n,
                                               .addr = c->peer,
                                               .tag = c->op->tag,
                                               .context = &c->begun->context,
                                               .data = c->op->data},
                       c->flags);
}

static ssize_t do_memory(const struct call *c)
{
    struct iovec iov = {.iov_base = c->op->base, .iov_len = c->op->length};
    const struct fi_rma_iov at = {c->op->offset, c->op->length, c->op->tag};
    void *desc = c->desc;
    const struct fi_msg_rma msg = {.msg_iov = &iov,
                                   .desc = &desc,
                                   .iov_count = 1,
                                   .addr = c->peer,
                                   .rma_iov = &at,
                                   .rma_iov_count = 1,
                                   .context = &c->begun->context,
                                   .data = c->op->data};

    return c->op->verb == FABRIC_DO_READ ? fi_readmsg(c->e->ep, &msg, c->flags)
                                         : fi_writemsg(c->e->ep, &msg, c->flags);
}

static ssize_t do_atomic(const struct call *c)
{
    const struct fabric_operation *op = c->op;
    size_t count = op->length / op->bytes;
    struct fi_ioc operand = {op->operand, count}, compare = {op->compare, count},
                  old = {op->base, count};
    const struct fi_rma_ioc at = {op->offset, count, op->tag};
    void *operand_desc = c->operand_desc, *compare_desc = c->compare_desc, *desc = c->desc;
    const struct fi_msg_atomic msg = {.msg_iov = &operand,
                                      .desc = &operand_desc,
                                      .iov_count = 1,
                                      .addr = c->peer,
                                      .rma_iov = &at,
                                      .rma_iov_count = 1,
                                      .datatype = op->datatype,
                                      .op = op->op,
                                      .context = &c->begun->context};

    if (op->verb == FABRIC_DO_ATOMIC)
        return fi_atomicmsg(c->e->ep, &msg, c->flags);
    if (op->verb == FABRIC_DO_FETCH)
        return fi_fetch_atomicmsg(c->e->ep, &msg, &old, &desc, 1, c->flags);
    return fi_compare_atomicmsg(c->e->ep, &msg, &compare, &compare_desc, 1, &old, &desc, 1,
                                c->flags);
}

static const struct {
    const char *call;
    uint64_t needs; /* capability */
    ssize_t (*function)(const struct call *call);
} doings[] = {
    [FABRIC_DO_SEND] = {"fi_sendmsg", FI_MSG, do_message},
    [FABRIC_DO_TSEND] = {"fi_tsendmsg", FI_TAGGED, do_message},
    [FABRIC_DO_WRITE] = {"fi_writemsg", FI_RMA, do_memory},
    [FABRIC_DO_READ] = {"fi_readmsg", FI_RMA, do_memory},
    [FABRIC_DO_ATOMIC] = {"fi_atomicmsg", FI_ATOMIC, do_atomic},
    [FABRIC_DO_FETCH] = {"fi_fetch_atomicmsg", FI_ATOMIC, do_atomic},
    [FABRIC_DO_COMPARE] = {"fi_compare_atomicmsg", FI_ATOMIC, do_atomic},
};

static int describe_all(struct fabric *f, struct call *c)
{
    const struct fabric_operation *op = c->op;

    return describe(f, c->begun, op->base, op->length, &c->desc) ||
           describe(f, c->begun, op->operand, op->length, &c->operand_desc) ||
           describe(f, c->begun, op->compare, op->length, &c->compare_desc);
}

/* A provider that is busy connects, say: it must be let work. */
static ssize_t submit(struct fabric *f, const struct call *c)
{
    uint64_t until = now_ns() + AGAIN_NS;
    ssize_t rc;

    while ((rc = doings[c->op->verb].function(c)) == -FI_EAGAIN && now_ns() < until)
        let_work(f);
    return rc;
}

int fabric_start(struct fabric *f, const struct fabric_operation *op, uint64_t handle)
{
    struct call c = {.op = op,
                     .flags = FI_COMPLETION | (op->has_data ? FI_REMOTE_CQ_DATA : 0) |
                              (op->delivery_complete ? FI_DELIVERY_COMPLETE : 0)};

    if (!(f->caps & doings[op->verb].needs))
        return fabric_says(f, doings[op->verb].call, -FI_ENOSYS);
    c.e = fabric_endpoint(f, INITIATES, 0, op->ordered);
    if (!c.e || fabric_peer(f, op, &c.peer))
        return -1;
    c.begun = begin(f, handle, op->length, false);
    if (!c.begun)
        return -1;
    ssize_t rc = describe_all(f, &c) ? -1 : submit(f, &c);
    if (rc) {
        if (rc != -1)
            fabric_says(f, doings[op->verb].call, rc);
        fabric_forget(c.begun);
        return -1;
    }
    c.begun->next = f->begun;
    f->begun = c.begun;
    return 0;
}

/* ---- what ends ---- */

/* A write with completion data names no region: the first that its resource index has. */
static bool take_imm(const struct fabric *f, const struct endpoint *e, uint64_t data,
                     struct fabric_end *end)
{
    const struct memory *m = f->memory, *found = NULL;

    for (; m; m = m->next)
        if (m->ri == e->ri)
            found = m;
    if (!found)
        return false;
    *end =
        (struct fabric_end){.handle = found->handle, .imm = true, .has_data = true, .data = data};
    return true;
}

static bool take(struct fabric *f, const struct endpoint *e, const struct fi_cq_tagged_entry *got,
                 int error, struct fabric_end *end)
{
    struct begun *b = got->op_context;

    if (!b || !take_out(f, b))
        return (got->flags & FI_REMOTE_WRITE) && (got->flags & FI_REMOTE_CQ_DATA) && !error &&
               take_imm(f, e, got->data, end);
    *end = (struct fabric_end){.handle = b->handle,
                               .received = b->receive,
                               .cancelled = b->receive && error == FI_ECANCELED,
                               .error = error,
                               .has_data = b->receive && (got->flags & FI_REMOTE_CQ_DATA),
                               .data = got->data,
                               .has_tag = b->receive && (got->flags & FI_TAGGED),
                               .tag = got->tag,
                               .length = b->receive ? (uint32_t)got->len : b->length};
    fabric_forget(b);
    return true;
}

static bool take_from(struct fabric *f, const struct endpoint *e, struct fabric_end *end)
{
    struct fi_cq_tagged_entry got = {0};
    struct fi_cq_err_entry wrong = {0};
    ssize_t n = fi_cq_read(e->cq, &got, 1);

    if (n == 1)
        return take(f, e, &got, 0, end);
    if (n != -FI_EAVAIL || fi_cq_readerr(e->cq, &wrong, 0) != 1)
        return false;
    got = (struct fi_cq_tagged_entry){.op_context = wrong.op_context,
                                      .flags = wrong.flags,
                                      .len = wrong.len,
                                      .data = wrong.data,
                                      .tag = wrong.tag};
    return take(f, e, &got, wrong.err ? wrong.err : FI_EOTHER, end);
}

bool fabric_progress(struct fabric *f, struct fabric_end *end)
{
    for (struct endpoint *e = f->endpoints; e; e = e->next)
        if (take_from(f, e, end))
            return true;
    return false;
}
