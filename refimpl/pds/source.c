/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sending half of a PDC: PSNs, the peer's window, outstanding packets and their timers
 * (3.5.11.4, 3.5.15). Both roles have one; a target's carries read data and Control Packets.
 */
#include "refimpl/pds/pds.h"

#define RTO_MAX_NS           8000000000ull /* the RTO stays within 0..8 s (3.5.15) */
#define RTO_MIN_NS           1000ull       /* a timer of 0 would never let time pass */
#define RTO_RETX_WITHOUT_END 15u
#define PSN_OFFSET_MAX       4095u /* psn_offset has 12 bits (PDS-047) */

static uint32_t *bucket(struct uet_fep *fep, uint16_t pdc, uint32_t psn)
{
    uint32_t h = (psn + pdc * 40503u) * 2654435761u;
    return &fep->packet_hash[(h >> 8) & (fep->packet_buckets - 1)];
}

void uet_source_init(struct uet_fep *fep, struct pdc *pdc)
{
    unsigned mpr = fep->params.Default_MPR ? fep->params.Default_MPR : 1u; /* 0 acts as 1 */
    pdc->tx = (struct source){
        .next_psn = pdc->start_psn,
        .cack_psn = pdc->start_psn - 1,
        .mpr_cack_psn = pdc->start_psn - 1,
        .clear_sent_psn = pdc->start_psn - 1,
        .asked_psn = pdc->start_psn - 1,
        .back_psn = pdc->start_psn,
        .back_end = pdc->start_psn,
        .mp_range = (uint16_t)(mpr * UET_MPR_UNIT),
    };
    pdc->timers[TIMER_RETX] = pdc->timers[TIMER_CLEAR] = pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
}

static bool in_window(const struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    const struct source *tx = &pdc->tx;
    uint32_t range = tx->mp_range ? tx->mp_range : fep->law.pds.no_limit;
    return uet_psn_diff(psn, tx->cack_psn) <= (int32_t)range;
}

/*
 * One packet, and no more before the TPDCID is known? So after a refusal: with the TPDCID comes the
 * window, and who again went beyond it would be refused again, for ever (PDS-037, PDS-138).
 */
static bool waits_for_peer(const struct uet_fep *fep, const struct pdc *pdc)
{
    return !pdc->peer_id && (fep->law.pds.waits_for_peer || uet_ses_retries(fep, pdc->id));
}

bool uet_source_window_open(const struct uet_fep *fep, const struct pdc *pdc)
{
    if (!pdc->peer_id && pdc->tx.next_psn - pdc->start_psn > PSN_OFFSET_MAX)
        return false;
    if (pdc->tx.n_packets && waits_for_peer(fep, pdc))
        return false;
    if (pdc->tx.n_refused) /* this PDC comes to nothing, or is about to be known */
        return false;
    return in_window(fep, pdc, pdc->tx.next_psn);
}

/*
 * Closing begins 2^23 PSNs before Start_PSN + 2^31: the longest message has 2^22 packets. Without
 * Limit_PSN_Range PSNs go round for ever, but not in a secure domain, where none may come twice.
 */
#define PSN_RANGE_USED ((1u << 31) - (1u << 23))

bool uet_source_used_up(const struct uet_fep *fep, const struct pdc *pdc)
{
    bool limited = fep->params.Limit_PSN_Range || pdc->tss.sealed; /* TSS-055 */
    return limited && pdc->state == PDC_ESTABLISHED &&
           pdc->tx.next_psn - pdc->start_psn >= PSN_RANGE_USED;
}

static void hash_in(struct uet_fep *fep, struct tx_packet *packet, uint32_t id)
{
    uint32_t *head = bucket(fep, packet->pdc, packet->psn);
    packet->hash_next = *head;
    *head = id;
}

static uint32_t hash_out(struct uet_fep *fep, struct tx_packet *packet)
{
    uint32_t *link = bucket(fep, packet->pdc, packet->psn);
    while (packet_at(fep, *link) != packet)
        link = &packet_at(fep, *link)->hash_next;
    uint32_t id = *link;
    *link = packet->hash_next;
    return id;
}

/* A share that shrinks with what is free: one stuck PDC does not stop the others (3.5.14). */
static bool share_taken(const struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->tx.n_packets >= fep->packets.n - fep->packets.used;
}

bool uet_source_may_grow(const struct uet_fep *fep, const struct pdc *pdc)
{
    return !share_taken(fep, pdc);
}

bool uet_source_held_back(struct uet_fep *fep, const struct pdc *pdc)
{
    const struct tx_packet *first = pdc->tx.head ? packet_at(fep, pdc->tx.head) : NULL;
    if (first)
        return first->resend && !in_window(fep, pdc, first->psn);
    return !uet_source_window_open(fep, pdc);
}

bool uet_source_stopped(const struct uet_fep *fep, const struct pdc *pdc)
{
    return share_taken(fep, pdc) || !uet_source_window_open(fep, pdc) ||
           uet_flight_stopped(fep, pdc);
}

void uet_source_asked(struct pdc *pdc, uint32_t psn)
{
    if (psn_after(psn, pdc->tx.asked_psn))
        pdc->tx.asked_psn = psn;
}

struct tx_packet *uet_source_new(struct uet_fep *fep, struct pdc *pdc)
{
    if (share_taken(fep, pdc))
        return NULL;
    uint32_t id = pool_get(&fep->packets);
    struct tx_packet *packet = packet_at(fep, id);
    struct source *tx = &pdc->tx;
    packet->pdc = pdc->id;
    packet->psn = tx->next_psn++;
    packet->deadline = UET_FEP_NEVER;
    packet->prev = tx->tail;
    if (tx->tail)
        packet_at(fep, tx->tail)->next = id;
    else
        tx->head = id;
    packet->next = 0; /* the pool's link stood there */
    tx->tail = id;
    tx->n_packets++;
    hash_in(fep, packet, id);
    return packet;
}

struct tx_packet *uet_source_find(struct uet_fep *fep, const struct pdc *pdc, uint32_t psn)
{
    for (uint32_t id = *bucket(fep, pdc->id, psn); id; id = packet_at(fep, id)->hash_next) {
        struct tx_packet *packet = packet_at(fep, id);
        if (packet->psn == psn && packet->pdc == pdc->id)
            return packet;
    }
    return NULL;
}

struct tx_packet *uet_source_next_resend(struct uet_fep *fep, struct pdc *pdc)
{
    if (!pdc->tx.n_resend)
        return NULL;
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        struct tx_packet *packet = packet_at(fep, id);
        if (fep->law.pds.resends_in_window && !in_window(fep, pdc, packet->psn))
            return NULL;
        if (packet->resend)
            return packet;
    }
    return NULL;
}

void uet_source_resend(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    if (!packet->resend)
        pdc->tx.n_resend++;
    (void)uet_flight_lost(fep, pdc, packet);
    packet->resend = true;
    packet->nack_wait = false;
    packet->deadline = UET_FEP_NEVER; /* runs again when it has been sent */
}

void uet_source_refused(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    if (!packet->refused)
        pdc->tx.n_refused++;
    if (packet->resend)
        pdc->tx.n_resend--;
    (void)uet_flight_lost(fep, pdc, packet);
    packet->refused = true;
    packet->resend = packet->nack_wait = packet->sacked = false;
    packet->deadline = UET_FEP_NEVER;
}

void uet_source_resend_refused(struct uet_fep *fep, struct pdc *pdc)
{
    for (uint32_t id = pdc->tx.n_refused ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next) {
        struct tx_packet *packet = packet_at(fep, id);
        if (packet->refused)
            uet_source_resend(fep, pdc, packet);
        packet->refused = false;
    }
    pdc->tx.n_refused = 0;
}

/* Go-back-N: this packet and all after it, in order (PDS-167). */
static void go_back(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    pdc->tx.back_psn = packet->psn;
    pdc->tx.back_end = pdc->tx.next_psn;
    COUNT(fep, rod_go_back);
    uet_source_resend(fep, pdc, packet);
    for (uint32_t id = packet->next; id;) {
        packet = packet_at(fep, id);
        id = packet->next;
        uet_source_resend(fep, pdc, packet);
    }
}

/*
 * ROD: when does a go-back take this packet along, 0: none will? One that waits for NACK_Retx_Time,
 * or of a packet whose RTO has backed off: the RTO of a later one comes behind a gap (PDS-167).
 */
static uint64_t goes_along_at(struct uet_fep *fep, const struct pdc *pdc,
                              const struct tx_packet *packet)
{
    for (uint32_t id = packet->prev; pdc->rod && id; id = packet_at(fep, id)->prev) {
        const struct tx_packet *earlier = packet_at(fep, id);
        bool runs = !earlier->sacked && earlier->deadline != UET_FEP_NEVER;
        if (earlier->nack_wait || (runs && !packet->nack_wait))
            return earlier->deadline;
    }
    return 0;
}

void uet_source_lost(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    if (pdc->rod && !packet->sacked) /* what was received has no gap behind it */
        go_back(fep, pdc, packet);
    else
        uet_source_resend(fep, pdc, packet);
}

uint64_t uet_source_rto(const struct uet_fep *fep, uint8_t rto_count)
{
    uint64_t t = fep->params.RTO_Init_Time;
    for (unsigned i = 0; i < rto_count && t < RTO_MAX_NS; i++)
        t *= fep->law.pds.backoff;
    t = t < RTO_MAX_NS ? t : RTO_MAX_NS;
    return t > RTO_MIN_NS ? t : RTO_MIN_NS;
}

void uet_source_sent(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    if (packet->resend)
        pdc->tx.n_resend--;
    packet->resend = packet->wanted = false;
    if (packet->n_underway < UINT8_MAX)
        packet->n_underway++;
    packet->resent = packet->again;
    packet->again = true;
    uint8_t count = (uint8_t)(packet->rto_count + packet->n_told);
    packet->deadline = time_after(fep->now, uet_source_rto(fep, count));
    if (packet->deadline < pdc->timers[TIMER_RETX])
        pdc->timers[TIMER_RETX] = packet->deadline;
    pdc->idle_since = fep->now;
    uet_infer_sent(fep, pdc, packet);
}

void uet_source_renumber(struct uet_fep *fep, struct tx_packet *packet, uint32_t psn)
{
    uint32_t id = hash_out(fep, packet);
    packet->psn = psn;
    hash_in(fep, packet, id);
    if (packet->seg.op && packet->seg.som)
        uet_ses_numbered(fep, packet->seg.op, packet->psn);
}

void uet_source_restart(struct uet_fep *fep, struct pdc *pdc, uint32_t start_psn)
{
    uet_source_resend_refused(fep, pdc);
    struct source old = pdc->tx;
    pdc->start_psn = start_psn;
    uet_source_init(fep, pdc);
    uet_sink_restart(fep, pdc);
    pdc->tx.head = old.head;
    pdc->tx.tail = old.tail;
    pdc->tx.n_packets = old.n_packets;
    pdc->tx.n_resend = old.n_resend;
    pdc->tx.inflight = old.inflight;
    pdc->tx.demand = old.demand;
    for (uint32_t id = old.head; id; id = packet_at(fep, id)->next) {
        struct tx_packet *packet = packet_at(fep, id);
        uet_source_renumber(fep, packet, pdc->tx.next_psn++);
        packet->again = packet->sacked = false;
        packet->rto_count = packet->n_underway = packet->n_copies = 0;
        packet->landed = false;
        uet_source_resend(fep, pdc, packet);
    }
}

/* Whoever waited for a free tx_packet may have it. */
static void wake_starved(struct uet_fep *fep)
{
    if (fep->starved.head)
        uet_pdc_ready(fep, pdc_at(fep, fep->starved.head));
}

void uet_source_retire(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    struct source *tx = &pdc->tx;
    uint32_t id = hash_out(fep, packet);
    if (packet->prev)
        packet_at(fep, packet->prev)->next = packet->next;
    else
        tx->head = packet->next;
    if (packet->next)
        packet_at(fep, packet->next)->prev = packet->prev;
    else
        tx->tail = packet->prev;
    if (packet->resend)
        tx->n_resend--;
    if (packet->refused)
        tx->n_refused--;
    if (packet->promised)
        tx->n_promised--;
    tx->n_packets--;
    if (!tx->n_packets)
        pdc->timers[TIMER_RETX] = pdc->timers[TIMER_TAIL] = UET_FEP_NEVER;
    pdc->idle_since = fep->now;
    uet_flight_arrived(fep, pdc, packet);
    uet_part_free(fep, pdc, packet->part, PART_ARRIVED);
    pool_put(&fep->packets, id);
    /* A message begun goes before one that would begin: that may need the state of the first. */
    if (!tx->n_packets && uet_ses_in_message(fep, pdc->id))
        uet_pdc_ready(fep, pdc);
    wake_starved(fep);
}

uint32_t uet_source_clear_psn(struct uet_fep *fep, const struct pdc *pdc)
{
    const struct source *tx = &pdc->tx;
    if (tx->given_up) /* of those packets nothing is known: CLEAR_PSN goes no further */
        return psn_after(tx->clear_sent_psn, tx->cack_psn) ? tx->clear_sent_psn : tx->cack_psn;
    return (tx->head ? packet_at(fep, tx->head)->psn : tx->next_psn) - 1;
}

bool uet_source_busy(const struct pdc *pdc)
{
    return pdc->tx.n_packets || pdc->parts_head;
}

void uet_source_free(struct uet_fep *fep, struct pdc *pdc)
{
    uet_part_forget_queue(fep, pdc);
    pdc->tx.given_up |= pdc->tx.head != 0;
    while (pdc->tx.head) {
        struct tx_packet *packet = packet_at(fep, pdc->tx.head);
        uet_part_free(fep, pdc, packet->part, PART_LOST);
        packet->part = 0;
        uet_source_retire(fep, pdc, packet);
    }
}

/* A packet's time is up. False: its retries are used up (PDS-158, PDS-136). */
static bool expired(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *packet)
{
    const struct uet_fep_params *q = &fep->params;
    uint8_t limit = q->Max_RTO_Retx_Cnt;
    uint64_t along_at = goes_along_at(fep, pdc, packet);
    if (along_at) {
        packet->deadline = along_at;
        return true;
    }
    if (packet->nack_wait) {
        uet_source_lost(fep, pdc, packet);
        return true;
    }
    COUNT(fep, rto_expired);
    packet->n_underway = 0;
    if (limit != RTO_RETX_WITHOUT_END && packet->rto_count >= limit)
        return false;
    if (packet->rto_count < UINT8_MAX - 8)
        packet->rto_count++;
    uet_flight_inferred(fep, pdc, packet);
    uet_source_lost(fep, pdc, packet);
    return true;
}

/* A peer that does not even say where its window is: asked as often as a packet is resent. */
static bool peer_silent(const struct uet_fep *fep, const struct pdc *pdc)
{
    uint8_t limit = fep->params.Max_RTO_Retx_Cnt;
    return limit != RTO_RETX_WITHOUT_END && pdc->tx.n_window_asks > limit &&
           pdc->tx.ask_at <= fep->now;
}

void uet_source_timer(struct uet_fep *fep, struct pdc *pdc)
{
    uint64_t first = UET_FEP_NEVER;
    if (peer_silent(fep, pdc)) {
        COUNT(fep, rto_exhausted);
        uet_pdc_fail(fep, pdc);
        return;
    }
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        struct tx_packet *packet = packet_at(fep, id);
        if (packet->deadline <= fep->now && !expired(fep, pdc, packet)) {
            COUNT(fep, rto_exhausted);
            uet_pdc_fail(fep, pdc);
            return;
        }
        if (packet->deadline < first)
            first = packet->deadline;
    }
    pdc->timers[TIMER_RETX] = first;
    uet_pdc_ready(fep, pdc); /* resends, or a window to ask for */
}
