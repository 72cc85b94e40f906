/* SPDX-License-Identifier: BSD-2-Clause */
/* fi_cntr: what the provider counts, over all endpoints of the process. */
#include <rdma/fi_eq.h>

#include "tools/ut_libfabric/internal.h"

static const struct {
    const char *name;
    uint64_t what;
    uint64_t needs; /* capability */
} kinds[COUNTERS] = {
    {"sends", FI_SEND, FI_MSG},
    {"receives", FI_RECV, FI_MSG},
    {"writes", FI_WRITE, FI_RMA},
    {"reads", FI_READ, FI_RMA},
    {"remote_writes", FI_REMOTE_WRITE, FI_RMA_EVENT},
    {"remote_reads", FI_REMOTE_READ, FI_RMA_EVENT},
};

static void lose(struct fid_cntr **counter)
{
    if (*counter && fi_close(&(*counter)->fid) == 0)
        *counter = NULL;
}

void fabric_open_counters(struct fabric *f)
{
    for (size_t i = 0; i < COUNTERS; i++) {
        struct fi_cntr_attr attr = {.events = FI_CNTR_EVENTS_COMP, .wait_obj = FI_WAIT_NONE};

        if ((f->caps & kinds[i].needs) && fi_cntr_open(f->domain, &attr, &f->counters[i], NULL))
            f->counters[i] = NULL;
    }
}

/* The first endpoint shows which of them the provider binds. */
void fabric_count_at(struct fabric *f, struct endpoint *e)
{
    for (size_t i = 0; i < COUNTERS; i++)
        if (f->counters[i] && fi_ep_bind(e->ep, &f->counters[i]->fid, kinds[i].what))
            lose(&f->counters[i]);
}

void fabric_close_counters(struct fabric *f)
{
    for (size_t i = 0; i < COUNTERS; i++)
        lose(&f->counters[i]);
}

const char *fabric_count(const struct fabric *f, size_t i, uint64_t *good, uint64_t *bad)
{
    static const char none[] = "";

    if (i >= COUNTERS)
        return NULL;
    if (!f->counters[i])
        return none;
    *good = fi_cntr_read(f->counters[i]);
    *bad = fi_cntr_readerr(f->counters[i]);
    return kinds[i].name;
}
