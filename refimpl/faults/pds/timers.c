/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of time: when what waits for its ACK is sent again (pds/timers.c, source.c). */
#include "refimpl/faults/pds/about.h"

typedef void each_packet(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo);

static void for_each_packet(struct uet_fep *fep, each_packet *act, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            act(fep, pdc, packet_at(fep, id), memo);
    }
}

/* A hook `after` that gives act each packet that was sent and is kept. */
#define EACH_PACKET(name, act)                                                                     \
    static void name(struct uet_fep *fep, uint64_t *memo)                                          \
    {                                                                                              \
        for_each_packet(fep, act, memo);                                                           \
    }

static bool waits(const struct tx_packet *q)
{
    return q->again && !q->nack_wait && q->deadline != UET_FEP_NEVER;
}

static bool is_cp_packet(const struct tx_packet *q)
{
    return !q->seg.op && !q->part;
}

/* ---- rows and parameters ---- */

static void no_backoff(struct uet_law *law)
{
    law->pds.backoff = 1;
}

static void rto_a_tenth(struct uet_fep_params *params)
{
    params->RTO_Init_Time /= 10;
}

static void one_resend_at_least(struct uet_fep_params *params)
{
    if (!params->Max_RTO_Retx_Cnt)
        params->Max_RTO_Retx_Cnt = 1;
}

static void one_nack_resend_at_least(struct uet_fep_params *params)
{
    if (!params->Max_NACK_Retx_Cnt)
        params->Max_NACK_Retx_Cnt = 1;
}

static void one_resend_more(struct uet_fep_params *params)
{
    if (params->Max_RTO_Retx_Cnt < 14) /* 15: without end */
        params->Max_RTO_Retx_Cnt++;
}

/* ---- the RTO ---- */

/* memo: the most retries of a packet so far, which count for all that are sent afterwards. */
static void retried_as_most(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,
                            uint64_t *memo)
{
    (void)pdc;
    if (q->rto_count > *memo)
        *memo = q->rto_count < 2 ? q->rto_count : 2;
    if (q->rto_count >= *memo || !waits(q))
        return;
    uint64_t more = uet_source_rto(fep, (uint8_t)*memo) - uet_source_rto(fep, q->rto_count);
    q->deadline = time_after(q->deadline, more);
    q->rto_count = (uint8_t)*memo;
}
EACH_PACKET(retries_of_all, retried_as_most)

/* No timer runs that would end later than the longest does. */
static void stops_at_longest(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,
                             uint64_t *memo)
{
    (void)pdc, (void)memo;
    if (q->rto_count > 1 && uet_source_rto(fep, q->rto_count) == uet_source_rto(fep, 31))
        q->deadline = UET_FEP_NEVER;
}
EACH_PACKET(longest_is_last, stops_at_longest)

#define DOUBLES 3u

static void due_at(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t at);

static void doubles_no_more(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,
                            uint64_t *memo)
{
    (void)memo;
    const uint64_t at = time_after(q->sent_at, uet_source_rto(fep, DOUBLES));
    if (waits(q) && !is_cp_packet(q) && q->rto_count > DOUBLES && q->deadline > at)
        due_at(fep, pdc, q, at);
}
EACH_PACKET(three_doublings, doubles_no_more)

#define LONGEST UINT64_C(8000000000) /* ns */

static void longer(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)pdc, (void)memo;
    if (waits(q) && q->rto_count && uet_source_rto(fep, q->rto_count) == LONGEST)
        q->deadline = time_after(q->sent_at, 2 * LONGEST);
}
EACH_PACKET(no_longest, longer)

static void rod_never(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)fep, (void)memo;
    if (pdc->rod && waits(q))
        q->deadline = UET_FEP_NEVER;
}
EACH_PACKET(rod_no_rto, rod_never)

static void due_at(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t at)
{
    at = at > fep->now ? at : fep->now + 1;
    q->deadline = at;
    if (pdc->timers[TIMER_RETX] > at) {
        pdc->timers[TIMER_RETX] = at;
        uet_pdc_schedule(fep, pdc);
    }
}

static void part_constant(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)memo;
    if (q->part && waits(q) && q->rto_count)
        due_at(fep, pdc, q, time_after(q->sent_at, uet_source_rto(fep, 0)));
}
EACH_PACKET(parts_no_backoff, part_constant)

/* RTO resends beyond the window. */
static void rto_beyond(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        bool rto = false;
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            rto |= packet_at(fep, id)->rto_count > 0;
        if (rto)
            pdc->tx.mp_range = 0;
    }
}

/* What has timed out since is not counted against Default_MPR. */
static void rto_makes_room(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        uint32_t lost = 0;
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            lost += packet_at(fep, id)->rto_count > 0;
        if (pdc->initiator && !pdc->peer_id)
            pdc->tx.mp_range = (uint16_t)(fep->params.Default_MPR * 128u + lost);
    }
}

/* A ROD packet that a timeout takes along keeps its own timer. */
static void rod_each_by_itself(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        const struct tx_packet *first = pdc->tx.head ? packet_at(fep, pdc->tx.head) : NULL;
        bool timeout = pdc->rod && first && first->resend && first->rto_count;
        for (uint32_t id = timeout ? first->next : 0; id; id = packet_at(fep, id)->next) {
            struct tx_packet *q = packet_at(fep, id);
            if (!q->resend || q->rto_count)
                continue;
            q->resend = false;
            pdc->tx.n_resend--;
            due_at(fep, pdc, q, time_after(q->sent_at, uet_source_rto(fep, 0)));
        }
    }
}

/* ---- Control Packets ---- */

static void cp_once(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)fep, (void)pdc, (void)memo;
    if (is_cp_packet(q) && waits(q))
        q->deadline = UET_FEP_NEVER;
}
EACH_PACKET(cps_not_resent, cp_once)

static void close_request_once(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,
                               uint64_t *memo)
{
    (void)fep, (void)pdc, (void)memo;
    if (is_cp_packet(q) && q->ctl_type == UET_CTL_CLOSE_REQUEST && waits(q))
        q->deadline = UET_FEP_NEVER;
}
EACH_PACKET(close_requests_once, close_request_once)

static void cp_constant(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)memo;
    if (is_cp_packet(q) && waits(q) && q->rto_count)
        due_at(fep, pdc, q, time_after(q->sent_at, uet_source_rto(fep, 0)));
}
EACH_PACKET(cps_no_backoff, cp_constant)

static void cp_endless(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)fep, (void)pdc, (void)memo;
    if (is_cp_packet(q) && q->rto_count > 1)
        q->rto_count = 1;
}
EACH_PACKET(cps_without_end, cp_endless)

static void rod_constant(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)fep, (void)memo;
    if (pdc->rod)
        q->rto_count = 0;
}
EACH_PACKET(rod_no_backoff, rod_constant)

static void rod_endless(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)fep, (void)memo;
    if (pdc->rod && q->rto_count > 1)
        q->rto_count = 1;
}
EACH_PACKET(rod_without_end, rod_endless)

/* ---- what is never given up ---- */

static void window_asks_without_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    pdc->tx.n_window_asks = pdc->tx.n_window_asks ? 1 : 0;
}

static void credit_asks_without_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    pdc->tx.n_credit_asks = pdc->tx.n_credit_asks ? 1 : 0;
}

/* Of a PDC with nothing else to do the wait for read data has no limit. */
static void waits_for_data(struct uet_fep *fep, bool closing)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && !pdc->tx.n_packets && (pdc->state == PDC_QUIESCE) == closing)
            pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
    }
}

static void data_without_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    waits_for_data(fep, false);
}

static void closing_data_without_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    waits_for_data(fep, true);
}

#define ENDLESS_WHERE(name, condition)                                                             \
    static void name##_act(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,              \
                           uint64_t *memo)                                                         \
    {                                                                                              \
        (void)fep, (void)pdc, (void)memo;                                                          \
        if ((condition) && q->rto_count > 1)                                                       \
            q->rto_count = 1;                                                                      \
    }                                                                                              \
    EACH_PACKET(name, name##_act)

ENDLESS_WHERE(nacked_without_end, q->nack_count)
ENDLESS_WHERE(known_without_end, pdc->tx.head && pdc->tx.cack_psn - pdc->start_psn < 0x80000000)
ENDLESS_WHERE(sacked_without_end, q->sacked)
ENDLESS_WHERE(closing_without_end, pdc->state == PDC_QUIESCE || pdc->state == PDC_ACK_WAIT)

/* The first copies of a PDC have one timer, which each new one begins anew. */
static void as_the_newest(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q, uint64_t *memo)
{
    (void)memo;
    const struct tx_packet *newest = packet_at(fep, pdc->tx.tail);
    if (!q->rto_count && waits(q) && waits(newest) && newest->deadline > q->deadline)
        q->deadline = newest->deadline;
}
EACH_PACKET(one_timer, as_the_newest)

/* When the first RTO that has grown twice is over on another PDC than that. */
static uint64_t first_grown_beside(struct uet_fep *fep, uint16_t id)
{
    uint64_t first = UET_FEP_NEVER;
    FOR_EACH_PDC(fep, pdc)
    {
        const struct tx_packet *head = pdc->tx.head ? packet_at(fep, pdc->tx.head) : NULL;
        if (head && pdc->id != id && head->rto_count > 2 && waits(head) && head->deadline < first)
            first = head->deadline;
    }
    return first;
}

static void behind_the_grown(struct uet_fep *fep, struct pdc *pdc, struct tx_packet *q,
                             uint64_t *memo)
{
    const uint64_t first = first_grown_beside(fep, pdc->id);
    (void)memo;
    if (!q->rto_count && waits(q) && first != UET_FEP_NEVER && first > q->deadline)
        q->deadline = first;
}
EACH_PACKET(grown_first, behind_the_grown)

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_058, .after = window_asks_without_end},
    {VIOLATION_ROB_058_NACKED, .after = nacked_without_end},
    {VIOLATION_ROB_058_AMID, .after = known_without_end},
    {VIOLATION_ROB_058_SACKED, .after = sacked_without_end},
    {VIOLATION_ROB_058_CLOSING, .after = closing_without_end},
    {VIOLATION_ROB_058_CREDIT, .after = credit_asks_without_end},
    {VIOLATION_ROB_058_DATA, .after = data_without_end},
    {VIOLATION_ROB_058_DATA_CLOSING, .after = closing_data_without_end},
    {VIOLATION_PDS_158_ROD, .after = rod_without_end},
    {VIOLATION_PDS_157_ROD, .after = rod_no_backoff},
    {VIOLATION_PDS_047_LOST, .after = rto_makes_room},
    {VIOLATION_PDS_061_RTO, .after = rto_beyond},
    {VIOLATION_PDS_156, .params = rto_a_tenth},
    {VIOLATION_PDS_156_ROD, .after = rod_no_rto},
    {VIOLATION_PDS_156_BEHIND, .after = grown_first},
    {VIOLATION_PDS_156_LATER, .after = one_timer},
    {VIOLATION_PDS_157, .rows = no_backoff},
    {VIOLATION_PDS_157_ALL, .after = retries_of_all},
    {VIOLATION_PDS_157_RETURN, .after = parts_no_backoff},
    {VIOLATION_PDS_157_CP, .after = cps_no_backoff},
    {VIOLATION_PDS_157_LONGEST, .after = no_longest},
    {VIOLATION_PDS_157_FOURTH, .after = three_doublings},
    {VIOLATION_PDS_136_NONE, .params = one_nack_resend_at_least},
    {VIOLATION_PDS_158, .params = one_resend_more},
    {VIOLATION_PDS_158_NONE, .params = one_resend_at_least},
    {VIOLATION_PDS_158_CP, .after = cps_without_end},
    {VIOLATION_PDS_159_LONGEST, .after = longest_is_last},
    {VIOLATION_PDS_167_TIMEOUT, .after = rod_each_by_itself},
    {VIOLATION_PDS_197, .after = cps_not_resent},
    {VIOLATION_PDS_197_REQUEST, .after = close_requests_once},
};

UET_FAULT_WAYS(uet_faults_of_timers, ways);
