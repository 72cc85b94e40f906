/* SPDX-License-Identifier: BSD-2-Clause */
/* From the completions of a FEP to the counters of endpoints and to queues. */
#include <errno.h>

#include "refimpl/app/app.h"

void uet_domain_open(struct uet_domain *domain, struct uet_fep *fep, uint64_t now_ns)
{
    *domain = (struct uet_domain){.fep = fep, .now_ns = now_ns};
}

/* ---- what a completion means ---- */

static struct uet_mr *mr_of(const struct uet_domain *domain, uint64_t handle)
{
    for (struct uet_mr *mr = domain->mrs; mr; mr = mr->next) {
        if ((uint64_t)mr->handle == handle)
            return mr;
    }
    return NULL;
}

static int error_of(const struct uet_completion *what)
{
    static const int errors[] = {
        [UET_STATUS_OK] = 0,
        [UET_STATUS_SES_ERROR] = -EREMOTEIO,
        [UET_STATUS_PDS_ERROR] = -ECONNABORTED,
    };
    return errors[what->status];
}

/* Its ep is NULL when this layer knows nothing of it. */
static struct uet_cq_entry entry_of(const struct uet_domain *domain,
                                    const struct uet_completion *what)
{
    struct uet_cq_entry e = {.kind = UET_EP_REMOTE_WRITE, .error = error_of(what), .what = *what};
    if (what->kind == UET_COMPLETION_WRITE) {
        e.mr = mr_of(domain, what->token);
        e.ep = e.mr ? e.mr->ep : NULL;
        return e;
    }
    e.context = (struct uet_context *)(uintptr_t)what->token;
    if (e.context) {
        e.ep = e.context->ep;
        e.kind = e.context->kind;
    }
    return e;
}

/* ---- where it goes ---- */

static void count(struct uet_ep *ep, const struct uet_cq_entry *e)
{
    struct uet_counter *counter = &ep->counts[e->kind];
    if (e->error)
        counter->failed++;
    else
        counter->done++;
}

/* False: there is no room for it now. */
static bool deliver(struct uet_domain *domain, const struct uet_completion *what)
{
    const struct uet_cq_entry e = entry_of(domain, what);
    if (!e.ep) {
        domain->strays++;
        return true;
    }
    struct uet_cq *cq = e.ep->config.cq;
    if (cq && cq->n == cq->size)
        return false;
    if (cq)
        cq->entries[(cq->first + cq->n++) % cq->size] = e;
    count(e.ep, &e);
    if (e.context) {
        e.context->ep = NULL;
        e.ep->n_contexts--;
    }
    return true;
}

static void drain(struct uet_domain *domain)
{
    while (domain->holds || uet_fep_completion(domain->fep, &domain->held)) {
        domain->holds = !deliver(domain, &domain->held);
        if (domain->holds)
            return;
    }
}

void uet_domain_progress(struct uet_domain *domain, uint64_t now_ns)
{
    domain->now_ns = now_ns;
    uet_fep_advance(domain->fep, now_ns);
    drain(domain);
}

/* ---- queues ---- */

int uet_cq_open(struct uet_cq *cq, struct uet_domain *domain, struct uet_cq_entry *entries,
                size_t size)
{
    if (!entries || !size)
        return -EINVAL;
    *cq = (struct uet_cq){.domain = domain, .entries = entries, .size = size};
    return 0;
}

size_t uet_cq_read(struct uet_cq *cq, struct uet_cq_entry *entries, size_t max)
{
    size_t n = 0;
    for (drain(cq->domain); n < max && cq->n; n++) {
        entries[n] = cq->entries[cq->first];
        cq->first = (cq->first + 1) % cq->size;
        cq->n--;
        drain(cq->domain);
    }
    return n;
}
