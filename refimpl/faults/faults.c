/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rules are broken, and the hooks that break them (refimpl/violate.h). */
#include "refimpl/faults/faults.h"

#include <errno.h>
#include <string.h>

#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/violate.h"

#ifdef UET_BENT
static const struct {
    const char *id, *name;
} list[] = {
#define UET_VIOLATION_ROW(name, id, text) {id, #name},
    UET_VIOLATIONS(UET_VIOLATION_ROW) UET_VIOLATIONS_WAITING(UET_VIOLATION_ROW)
#undef UET_VIOLATION_ROW
};

static const struct uet_fault_ways *const parts[] = {
    &uet_faults_of_edge,       &uet_faults_of_single,    &uet_faults_of_pdc,
    &uet_faults_of_clauses,    &uet_faults_of_answers,   &uet_faults_of_acked,
    &uet_faults_of_cp,         &uet_faults_of_lookup,    &uet_faults_of_nacked,
    &uet_faults_of_closing,    &uet_faults_of_ses,       &uet_faults_of_messages,
    &uet_faults_of_robust,     &uet_faults_of_leaks,     &uet_faults_of_atomic,
    &uet_faults_of_tagged,     &uet_faults_of_deferral,  &uet_faults_of_rendezvous,
    &uet_faults_of_unexpected, &uet_faults_of_ses_again, &uet_faults_of_generation,
    &uet_faults_of_tss,        &uet_faults_of_tss_keys,  &uet_faults_of_tss_start,
    &uet_faults_of_congestion, &uet_faults_of_contexts,  &uet_faults_of_credit,
    &uet_faults_of_windows};

#define N_PARTS (sizeof parts / sizeof *parts)

/* The next way at or after *at that is of a broken rule; NULL when there is none. */
static const struct uet_fault_way *next_way(const struct uet_fep *fep, struct uet_fault_place *at)
{
    const struct uet_fault_place end = fep->faults.end;

    while (at->part < end.part || (at->part == end.part && at->way < end.way)) {
        if (at->way == parts[at->part]->n) {
            *at = (struct uet_fault_place){.part = (uint16_t)(at->part + 1)};
            continue;
        }
        const struct uet_fault_way *w = &parts[at->part]->ways[at->way++];
        if (fep->faults.broken[w->fault])
            return w;
    }
    return NULL;
}

#define FOR_EACH_WAY(fep, w)                                                                       \
    for (struct uet_fault_place at = (fep)->faults.begin; ((w) = next_way(fep, &at));)

/* Between which ways those of the broken rules stand: mostly one is broken, of a thousand. */
static void note_places(struct uet_faults *faults)
{
    faults->begin = faults->end = (struct uet_fault_place){0};
    for (uint16_t part = 0; part < N_PARTS; part++)
        for (uint16_t way = 0; way < parts[part]->n; way++) {
            if (!faults->broken[parts[part]->ways[way].fault])
                continue;
            if (!faults->end.way)
                faults->begin = (struct uet_fault_place){part, way};
            faults->end = (struct uet_fault_place){part, (uint16_t)(way + 1)};
        }
}

/* "PDS-058" is called PDS_058, whatever else breaks that requirement, and wherever it stands. */
static bool is_called(const char *name, const char *id)
{
    for (; *name && *id; name++, id++)
        if (*name != *id && !(*name == '_' && *id == '-'))
            return false;
    return !*name && !*id;
}

int uet_fep_violation_find(const char *id)
{
    int only = -ENOENT;
    for (int i = 0; i < VIOLATION_COUNT; i++) {
        if (is_called(list[i].name, id))
            return i;
        if (strcmp(list[i].id, id) == 0)
            only = only == -ENOENT ? i : -ENOTUNIQ;
    }
    return only;
}

int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    struct uet_faults *faults = &fep->faults;
    if (!id) {
        faults->n = 0;
        memset(faults->broken, 0, sizeof faults->broken);
        note_places(faults);
        uet_law_make(fep);
        return 0;
    }
    const int i = uet_fep_violation_find(id);
    if (i < 0)
        return i;
    faults->n = (uint16_t)(faults->n + !faults->broken[i]);
    faults->broken[i] = true;
    faults->memo[i] = 0;
    note_places(faults);
    uet_law_make(fep);
    return 0;
}

const char *uet_fep_violation(size_t i)
{
    return i < VIOLATION_TOLD ? list[i].id : NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    return i < VIOLATION_TOLD ? list[i].name : NULL;
}

const char *uet_fep_violation_waiting(size_t i)
{
    return i < VIOLATION_COUNT - VIOLATION_TOLD ? list[VIOLATION_TOLD + i].name : NULL;
}

/* ---- the hooks ---- */

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
#else
int uet_fep_violate(struct uet_fep *fep, const char *id)
{
    (void)fep;
    return id ? -ENOENT : 0;
}

int uet_fep_violation_find(const char *id)
{
    (void)id;
    return -ENOENT;
}

const char *uet_fep_violation(size_t i)
{
    (void)i;
    return NULL;
}

const char *uet_fep_violation_name(size_t i)
{
    (void)i;
    return NULL;
}

const char *uet_fep_violation_waiting(size_t i)
{
    (void)i;
    return NULL;
}
#endif
