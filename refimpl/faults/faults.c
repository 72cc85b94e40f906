/* SPDX-License-Identifier: BSD-2-Clause */
/* The hooks that break rules in the bent build. Which are broken, and how, violate.c says. */
#include "refimpl/faults/faults.h"

#include <string.h>

#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"

#ifdef UET_BENT
/* The next way at or after *at that is of a broken rule; NULL when there is none. */
static const struct uet_fault_way *next_way(const struct uet_fep *fep, struct uet_fault_place *at)
{
    const struct uet_fault_place end = fep->faults.end;

    while (at->part < end.part || (at->part == end.part && at->way < end.way)) {
        if (at->way == fep->faults.parts[at->part]->n) {
            *at = (struct uet_fault_place){.part = (uint16_t)(at->part + 1)};
            continue;
        }
        const struct uet_fault_way *w = &fep->faults.parts[at->part]->ways[at->way++];
        if (fep->faults.broken[w->fault])
            return w;
    }
    return NULL;
}

#define FOR_EACH_WAY(fep, w)                                                                       \
    for (struct uet_fault_place at = (fep)->faults.begin; ((w) = next_way(fep, &at));)

void uet_faults_rows(struct uet_fep *fep)
{
    const struct uet_fault_way *w;
    FOR_EACH_WAY(fep, w)
    {
        if (w->rows)
            w->rows(&fep->law);
    }
}

struct uet_fep_params *uet_faults_told(struct uet_fep *fep)
{
    return &fep->faults.told;
}

void uet_faults_before(struct uet_fep *fep)
{
    const struct uet_fault_way *w;
    fep->params = fep->faults.told;
    FOR_EACH_WAY(fep, w)
    {
        if (w->params)
            w->params(&fep->params);
    }
}

void uet_faults_after(struct uet_fep *fep)
{
    const struct uet_fault_way *w;
    FOR_EACH_WAY(fep, w)
    {
        if (w->after)
            w->after(fep, &fep->faults.memo[w->fault]);
    }
}

void uet_faults_reset(struct uet_fep *fep)
{
    const struct uet_fault_way *w;
    FOR_EACH_WAY(fep, w)
    {
        if (w->reset)
            w->reset(fep);
    }
}

/* As it is, or behind a TSS header: it is not sealed, or not any more. */
static void read_frame(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    uet_edge_parse(fep, f->bytes, f->len, &f->p);
    if (f->p.error == UET_PARSE_SEALED)
        uet_edge_parse_opened(fep, f->bytes, &f->p);
}

/* Checksum and CRC right again, in the order of this FEP. */
static void protect(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool whole = !uet_edge_trimmed(&f->p); /* a trimmed packet has no trailer */
    uet_refresh(f->bytes, f->len, whole && !f->p.tss ? fep->config.protect : UET_PROTECT_NONE);
    uet_edge_parse(fep, f->bytes, f->len, &f->p);
    if (f->p.error == UET_PARSE_CRC_BAD)
        uet_crc_store(f->bytes + f->p.crc_offset, f->p.crc_computed, fep->config.crc_order);
}

typedef bool change(struct uet_fep *fep, struct uet_fault_frame *f);

/* Runs one function over the frame; false: the frame is lost. */
static bool apply(struct uet_fep *fep, const struct uet_fault_way *w, change *function,
                  struct uet_fault_frame *f)
{
    uint8_t before[UET_FRAME_MAX];
    size_t len = f->len;
    f->memo = &fep->faults.memo[w->fault];
    memcpy(before, f->bytes, len);
    read_frame(fep, f);
    if (!function(fep, f))
        return false;
    if (f->len != len || memcmp(before, f->bytes, len) != 0)
        protect(fep, f);
    return true;
}

const uint8_t *uet_faults_in(struct uet_fep *fep, const uint8_t *frame, size_t *len)
{
    const struct uet_fault_way *w;
    struct uet_fault_frame f = {.bytes = fep->faults.frame, .len = *len};
    if (!fep->faults.n || *len > UET_FRAME_MAX)
        return frame;
    uet_edge_parse(fep, frame, *len, &f.p);
    if (f.p.tss) /* uet_faults_opened sees it */
        return frame;
    memcpy(f.bytes, frame, f.len);
    FOR_EACH_WAY(fep, w)
    {
        if (w->in && !apply(fep, w, w->in, &f))
            return NULL;
    }
    *len = f.len;
    return f.bytes;
}

bool uet_faults_opened(struct uet_fep *fep, struct uet_packet *p)
{
    const struct uet_fault_way *w;
    struct uet_fault_frame f = {.bytes = fep->faults.frame, .len = p->len};
    if (!fep->faults.n || uet_edge_trimmed(p))
        return true;
    memcpy(f.bytes, p->frame, f.len);
    FOR_EACH_WAY(fep, w)
    {
        if (w->in && !apply(fep, w, w->in, &f))
            return false;
    }
    read_frame(fep, &f);
    *p = f.p;
    return true;
}

size_t uet_faults_out(struct uet_fep *fep, uint8_t *frame, size_t len)
{
    const struct uet_fault_way *w;
    struct uet_fault_frame f = {.bytes = frame, .len = len};
    FOR_EACH_WAY(fep, w)
    {
        if (w->out && !apply(fep, w, w->out, &f))
            return 0;
    }
    return f.len;
}
#endif
