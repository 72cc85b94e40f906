/* SPDX-License-Identifier: BSD-2-Clause */
/* The PDS manager (3.5.9.2): who owns which PDC, how packets and messages find one. */
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

#define REUSE_DISTANCE 65536u /* between the PSNs of two incarnations of a PDCID (PDS-027) */

/* ---- hashes ---- */

static uint32_t hash_bytes(uint32_t h, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ bytes[i]) * 16777619u;
    return h;
}

static uint32_t hash_of(const struct uet_fep *fep, const struct uet_ip *ip, uint32_t rest)
{
    uint32_t h = hash_bytes(2166136261u ^ rest, ip->bytes, uet_ip_len(ip));
    return (h ^ (h >> 15)) & (fep->pdc_buckets - 1);
}

static uint32_t *tuple_bucket(struct uet_fep *fep, const struct uet_ip *to, uint32_t job_id,
                              uint8_t traffic_class, bool rod)
{
    uint32_t rest = (job_id << 8 | traffic_class) ^ (rod ? 0x80000001u : 0);
    return &fep->map_hash[hash_of(fep, to, rest)];
}

static uint32_t *syn_bucket(struct uet_fep *fep, const struct uet_ip *from, uint16_t spdcid)
{
    return &fep->syn_hash[hash_of(fep, from, spdcid)];
}

static uint32_t *bucket_of(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->initiator ? tuple_bucket(fep, &pdc->peer, pdc->job_id, pdc->traffic_class, pdc->rod)
                          : syn_bucket(fep, &pdc->peer, pdc->peer_id);
}

void uet_pdc_map(struct uet_fep *fep, struct pdc *pdc)
{
    uint32_t *bucket = bucket_of(fep, pdc);
    pdc->hash_next = *bucket;
    *bucket = pdc->id;
    pdc->mapped = true;
}

void uet_pdc_unmap(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->mapped)
        return;
    uint32_t *link = bucket_of(fep, pdc);
    while (*link != pdc->id)
        link = &pdc_at(fep, *link)->hash_next;
    *link = pdc->hash_next;
    pdc->mapped = false;
}

struct pdc *uet_pdc_by_id(struct uet_fep *fep, uint16_t id)
{
    if (!id || id > fep->config.max_pdcs)
        return NULL;
    struct pdc *pdc = pdc_at(fep, id);
    return pdc->state == PDC_CLOSED ? NULL : pdc;
}

struct pdc *uet_pdc_by_syn(struct uet_fep *fep, const struct uet_packet *p)
{
    const struct uet_ip from = uet_src_ip(p);
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    uint16_t spdcid = uet_spdcid(p);
    for (uint32_t id = *syn_bucket(fep, &from, spdcid); id; id = pdc_at(fep, id)->hash_next) {
        struct pdc *pdc = pdc_at(fep, id);
        if (pdc->peer_id == spdcid && uet_ip_equal(&pdc->peer, &from) &&
            uet_sd_same(&pdc->tss, &tss))
            return pdc;
    }
    return NULL;
}

struct pdc *uet_pdc_by_tuple(struct uet_fep *fep, const struct uet_operation *call,
                             const struct tss_context *tss, uint32_t *n)
{
    bool rod = call->mode == UET_MODE_ROD;
    struct pdc *best = NULL;
    uint32_t id = *tuple_bucket(fep, &call->to, call->job_id, call->traffic_class, rod);
    *n = 0;
    for (; id; id = pdc_at(fep, id)->hash_next) {
        struct pdc *pdc = pdc_at(fep, id);
        if (pdc->job_id != call->job_id || pdc->traffic_class != call->traffic_class ||
            pdc->rod != rod || pdc->reserved != call->reserved ||
            !uet_ip_equal(&pdc->peer, &call->to) || !uet_sd_same(&pdc->tss, tss))
            continue;
        ++*n;
        if (!best || uet_ses_load(fep, pdc->id) < uet_ses_load(fep, best->id))
            best = pdc;
    }
    return best;
}

/* ---- lines ---- */

static struct line *line_of(struct uet_fep *fep, const struct pdc *pdc, enum pdc_line which)
{
    if (which == LINE_HELD)
        return &uet_ccc_at(fep, pdc->ccc)->waiting;
    return which == LINE_READY ? &fep->ready : &fep->starved;
}

static void line_remove(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->line == LINE_NONE)
        return;
    struct line *line = line_of(fep, pdc, pdc->line);
    if (pdc->prev)
        pdc_at(fep, pdc->prev)->next = pdc->next;
    else
        line->head = pdc->next;
    if (pdc->next)
        pdc_at(fep, pdc->next)->prev = pdc->prev;
    else
        line->tail = pdc->prev;
    pdc->line = LINE_NONE;
    pdc->next = pdc->prev = 0;
}

static void line_append(struct uet_fep *fep, struct pdc *pdc, enum pdc_line which)
{
    struct line *line = line_of(fep, pdc, which);
    pdc->next = 0;
    pdc->prev = line->tail;
    if (line->tail)
        pdc_at(fep, line->tail)->next = pdc->id;
    else
        line->head = pdc->id;
    line->tail = pdc->id;
    pdc->line = which & 15u;
}

void uet_pdc_ready(struct uet_fep *fep, struct pdc *pdc)
{
    if (pdc->state == PDC_CLOSED || pdc->line == LINE_READY)
        return;
    line_remove(fep, pdc);
    line_append(fep, pdc, LINE_READY);
}

/* Who has nothing outstanding stands first: no ACK of its own will wake it. */
void uet_pdc_starve(struct uet_fep *fep, struct pdc *pdc)
{
    line_remove(fep, pdc);
    uint32_t first = fep->starved.head;
    if (pdc->tx.n_packets || !first) {
        line_append(fep, pdc, LINE_STARVED);
        return;
    }
    pdc->prev = 0;
    pdc->next = first;
    pdc->line = LINE_STARVED;
    pdc_at(fep, first)->prev = pdc->id;
    fep->starved.head = pdc->id;
}

void uet_pdc_hold(struct uet_fep *fep, struct pdc *pdc)
{
    line_remove(fep, pdc);
    line_append(fep, pdc, LINE_HELD);
}

/*
 * Whom a packet that became free had woken may have ended, or need none by now: then it is the turn
 * of the next who waits for one.
 */
static void wake_starved(struct uet_fep *fep)
{
    struct pdc *first = fep->starved.head ? pdc_at(fep, fep->starved.head) : NULL;
    if (first && uet_source_may_grow(fep, first))
        uet_pdc_ready(fep, first);
}

struct pdc *uet_pdc_next_ready(struct uet_fep *fep)
{
    if (!fep->ready.head)
        wake_starved(fep);
    if (!fep->ready.head)
        return NULL;
    struct pdc *pdc = pdc_at(fep, fep->ready.head);
    line_remove(fep, pdc);
    return pdc;
}

/* ---- the pool ---- */

static void free_append(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->next = 0;
    if (fep->free_tail)
        pdc_at(fep, fep->free_tail)->next = pdc->id;
    else
        fep->free_head = pdc->id;
    fep->free_tail = pdc->id;
}

static void free_prepend(struct uet_fep *fep, struct pdc *pdc)
{
    pdc->next = fep->free_head;
    fep->free_head = pdc->id;
    if (!fep->free_tail)
        fep->free_tail = pdc->id;
}

/* last_psn outlives a reset, so that PDS-027 holds across it. */
static void pdc_blank(struct pdc *pdc, uint16_t id)
{
    const uint32_t last_psn = pdc->last_psn;
    const bool had_psn = pdc->had_psn;
    memset(pdc, 0, sizeof *pdc);
    pdc->id = id;
    pdc->last_psn = last_psn;
    pdc->had_psn = had_psn;
    pdc->deadline = UET_FEP_NEVER;
    for (unsigned i = 0; i < TIMERS_KEPT; i++)
        pdc->timers[i] = UET_FEP_NEVER;
}

bool uet_pdcid_always_first(struct uet_fep *fep)
{
    (void)fep;
    return true;
}

bool uet_pdcid_maybe_first(struct uet_fep *fep)
{
    return fep_random(fep) % 2;
}

static void free_all(struct uet_fep *fep)
{
    fep->free_head = fep->free_tail = 0;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        if (fep->law.pds.free_first && fep->law.pds.free_first(fep))
            free_prepend(fep, pdc_at(fep, i));
        else
            free_append(fep, pdc_at(fep, i));
    }
}

/*
 * What PDS-027 asks of the next PDC that this FEP opens under the number; a peer's is no IPDCID.
 * That of a secure domain begins elsewhere: as far away unless the peer has closed this one, too.
 */
static void note_last_psn(struct uet_fep *fep, struct pdc *pdc, bool clean)
{
    if (!pdc->initiator)
        return;
    pdc->last_psn = pdc->tx.next_psn - 1;
    pdc->had_psn = true;
    uet_sd_leave_psns(fep, &pdc->tss, pdc->start_psn - REUSE_DISTANCE,
                      pdc->last_psn + (clean ? 1 : REUSE_DISTANCE));
}

void uet_pdc_raise_floor(struct uet_fep *fep, const struct pdc *pdc)
{
    if (!pdc->initiator && pdc->state != PDC_PENDING)
        fep->law.tss.raise_floor(fep, &pdc->tss, pdc->start_psn,
                                 fep->law.tss.floor(pdc->start_psn, pdc->rx.highest_psn));
}

void uet_pdc_pool_reset(struct uet_fep *fep)
{
    fep->ready = fep->starved = (struct line){0, 0};
    fep->heap_n = fep->n_initiator = fep->n_target = fep->n_reserved = 0;
    memset(fep->syn_hash, 0, fep->pdc_buckets * sizeof *fep->syn_hash);
    memset(fep->map_hash, 0, fep->pdc_buckets * sizeof *fep->map_hash);
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED) {
            uet_pdc_raise_floor(fep, pdc);
            note_last_psn(fep, pdc, false);
        }
        pdc_blank(pdc, (uint16_t)i);
    }
    free_all(fep);
}

/* Start_PSN at random, not less than 2^16 from where this PDCID ended last (PDS-026, PDS-027). */
static bool far_enough(const struct pdc *pdc, uint32_t psn)
{
    uint32_t ahead = psn - pdc->last_psn;
    return !pdc->had_psn || (ahead >= REUSE_DISTANCE && ahead <= 0u - REUSE_DISTANCE);
}

uint32_t uet_start_psn_anywhere(struct uet_fep *fep, const struct pdc *pdc)
{
    for (;;) {
        uint32_t psn = (uint32_t)fep_secret(fep);
        if (far_enough(pdc, psn))
            return psn;
    }
}

uint32_t uet_start_psn_positive(struct uet_fep *fep, const struct pdc *pdc)
{
    for (;;) {
        uint32_t psn = (uint32_t)fep_secret(fep);
        psn = psn % (INT32_MAX - REUSE_DISTANCE) + REUSE_DISTANCE;
        if (far_enough(pdc, psn))
            return psn;
    }
}

uint32_t uet_start_psn_at_wrap(struct uet_fep *fep, const struct pdc *pdc)
{
    uint32_t psn = uet_start_psn_anywhere(fep, pdc);
    return pdc->had_psn ? psn : psn | 0xfffffc00u;
}

/* As it is told, for tests; else as this FEP chooses. */
static uint32_t first_psn(struct uet_fep *fep, const struct pdc *pdc)
{
    uint64_t told = fep->params.Start_PSN;
    uint32_t start_psn;

    if (told < UET_FEP_RANDOM_PSN && far_enough(pdc, (uint32_t)told))
        return (uint32_t)told;
    if (uet_sd_start_psn(fep, &pdc->tss, &start_psn))
        return start_psn;
    if (pdc->tss.sealed) /* above a floor that nobody has raised so far */
        return uet_start_psn_positive(fep, pdc);
    return fep->law.pds.start_psn(fep, pdc);
}

static void prefetch(const void *item, size_t size)
{
    for (size_t at = 0; at < size; at += 64)
        __builtin_prefetch((const char *)item + at, 1);
}

bool uet_pdc_in_reserve(const struct uet_fep *fep, bool reserved)
{
    return reserved && fep->config.reserved_pdcs;
}

/* The pools do not lend to each other (3.5.8.1). Without a reserved one all is shared. */
static bool pool_has_room(const struct uet_fep *fep, bool reserved)
{
    uint32_t kept = fep->config.reserved_pdcs;
    uint32_t shared = fep->n_initiator + fep->n_target - fep->n_reserved;
    return uet_pdc_in_reserve(fep, reserved) ? fep->n_reserved < kept
                                             : shared < fep->config.max_pdcs - kept;
}

static bool bitmap_free(const struct uet_fep *fep)
{
    uint32_t limit = fep->params.PSN_Bitmaps;
    return fep->bitmaps.free && !(limit && fep->bitmaps.used >= limit);
}

bool uet_pdc_in_pool(const struct uet_fep *fep, bool reserved)
{
    return fep->free_head && pool_has_room(fep, reserved);
}

uint8_t uet_pdc_lack(const struct uet_fep *fep, const struct pdc_wanted *w)
{
    if (!uet_pdc_in_pool(fep, w->reserved))
        return UET_NACK_NO_PDC_AVAIL;
    if (!bitmap_free(fep))
        return UET_NACK_NO_BITMAP;
    return uet_ccc_free(fep, &w->peer, w->traffic_class, w->rod) ? 0 : UET_NACK_NO_CCC_AVAIL;
}

struct pdc *uet_pdc_begin(struct uet_fep *fep, const struct pdc_wanted *w)
{
    const bool initiator = !w->start_psn, reserved = w->reserved;
    if (uet_pdc_lack(fep, w))
        return NULL;
    struct pdc *pdc = pdc_at(fep, fep->free_head);
    fep->free_head = pdc->next;
    if (!fep->free_head)
        fep->free_tail = 0;
    else /* the next one to be opened has not been looked at for long: have it ready */
        prefetch(pdc_at(fep, fep->free_head), sizeof *pdc);
    pdc_blank(pdc, pdc->id);
    uet_ses_pdc_begins(fep, pdc->id);
    pdc->bitmap = pool_get(&fep->bitmaps);
    prefetch(pool_item(&fep->bitmaps, fep->bitmaps.free), fep->bitmaps.size);
    pdc->initiator = initiator;
    pdc->reserved = reserved;
    fep->n_reserved += uet_pdc_in_reserve(fep, reserved);
    pdc->peer = w->peer;
    pdc->tss = w->tss;
    pdc->rod = w->rod;
    pdc->traffic_class = w->traffic_class;
    if (fep->params.CCCs) /* they may run out: it has its own from the start */
        pdc->ccc = (uint16_t)uet_ccc_join(fep, &pdc->peer, pdc->traffic_class, pdc->rod);
    pdc->state = initiator ? PDC_CREATING : PDC_ESTABLISHED;
    pdc->start_psn = initiator ? first_psn(fep, pdc) : *w->start_psn;
    pdc->idle_since = fep->now;
    pdc->entropy = uet_entropy_any(fep);
    uet_source_init(fep, pdc);
    uet_sink_init(pdc);
    if (initiator) {
        fep->n_initiator++;
        COUNT(fep, pdc_opened_initiator);
    } else {
        fep->n_target++;
        COUNT(fep, pdc_opened_target);
    }
    return pdc;
}

/*
 * Until when may a late SYN find the PDC that has ended? Contested which side guards (PDS-054), so
 * both do. A target only after a clean close: else its initiator may not know yet, and sends the
 * SYN again with right; and while SYNs of another incarnation are refused.
 */
static uint64_t guard_end(const struct uet_fep *fep, const struct pdc *pdc, bool clean)
{
    bool guards = fep->law.pds.guards_syn && pdc->syn_resent;
    if (pdc->initiator)
        return guards && uet_timer_runs(fep, pdc, TIMER_SYN_SAFE) ? pdc->timers[TIMER_SYN_SAFE] : 0;
    return guards && clean ? time_after(fep->now, fep->params.Syn_Retx_Safety_Time)
                           : pdc->other_until;
}

void uet_pdc_free(struct uet_fep *fep, struct pdc *pdc, bool clean)
{
    uet_pdc_raise_floor(fep, pdc);
    uet_ses_abandon(fep, pdc->id, clean);
    uet_source_free(fep, pdc);
    uet_sink_free(fep, pdc);
    pool_put(&fep->bitmaps, pdc->bitmap);
    line_remove(fep, pdc);
    uet_flight_end(fep, pdc);
    note_last_psn(fep, pdc, clean);
    pdc->state = PDC_CLOSED;
    fep->n_reserved -= uet_pdc_in_reserve(fep, pdc->reserved);
    if (pdc->initiator)
        fep->n_initiator--;
    else
        fep->n_target--;
    const uint64_t guard = guard_end(fep, pdc, clean);
    for (unsigned i = 0; i < TIMERS_KEPT; i++)
        pdc->timers[i] = UET_FEP_NEVER;
    if (guard > fep->now) {
        COUNT(fep, pdc_guarded);
        if (pdc->initiator) { /* no new operation may find it; late SYNs must find a target's */
            uet_pdc_unmap(fep, pdc);
            uet_ses_look_again(fep); /* those that waited for its end may open another */
        }
        pdc->timers[TIMER_GUARD] = guard;
        uet_pdc_schedule(fep, pdc);
        return;
    }
    uet_pdc_unmap(fep, pdc);
    uet_pdc_schedule(fep, pdc);
    if (clean)
        free_prepend(fep, pdc);
    else
        free_append(fep, pdc);
    uet_ses_look_again(fep);
}

void uet_pdc_release(struct uet_fep *fep, struct pdc *pdc)
{
    uet_pdc_unmap(fep, pdc);
    pdc->timers[TIMER_GUARD] = UET_FEP_NEVER;
    uet_pdc_schedule(fep, pdc);
    free_append(fep, pdc);
    uet_ses_look_again(fep);
}

bool uet_pdc_idle(const struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->state == PDC_ESTABLISHED && !uet_source_busy(pdc) && !pdc->req_closing &&
           !uet_ses_load(fep, pdc->id);
}

uint16_t uet_pdc_entropy(struct uet_fep *fep, const struct pdc *pdc)
{
    const struct uet_path path = {.entropy = pdc->entropy, .slot = pdc->slot, .rod = pdc->rod};
    return uet_spray(fep, &path);
}
