/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of where secured PDCs begin (3.5.8.2): floors, PENDING PDCs, UET_NEW_START_PSN. */
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

static bool any_start(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                      uint32_t *wanted)
{
    (void)fep, (void)tss, (void)start_psn, (void)wanted;
    return true;
}

static void start_unchecked(struct uet_law *law)
{
    law->tss.start_ok = any_start;
}

static bool above_floor(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                        uint32_t *wanted)
{
    uint32_t floor;
    if (!uet_sd_tells_floor(fep, tss, &floor))
        return uet_sd_start_ok(fep, tss, start_psn, wanted);
    if (!psn_after(start_psn, floor))
        *wanted = floor + 1;
    return *wanted == start_psn;
}

static void floor_refused(struct uet_law *law)
{
    law->tss.start_ok = above_floor;
}

/* Where the peer should begin is below what it may. */
static bool told_below(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                       uint32_t *wanted)
{
    uint32_t floor;
    bool good = uet_sd_start_ok(fep, tss, start_psn, wanted);
    if (!good && uet_sd_tells_floor(fep, tss, &floor))
        *wanted = floor - 2;
    return good;
}

static void floor_missed(struct uet_law *law)
{
    law->tss.start_ok = told_below;
}

static bool always_5000(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                        uint32_t *wanted)
{
    bool good = uet_sd_start_ok(fep, tss, start_psn, wanted);
    uint32_t floor;
    if (tss->sealed && !uet_sd_tells_floor(fep, tss, &floor))
        *wanted = 5000;
    return good;
}

static void start_not_random(struct uet_law *law)
{
    law->tss.start_ok = always_5000;
}

static bool told_last(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                      uint32_t *wanted)
{
    uint32_t floor;
    bool good = uet_sd_start_ok(fep, tss, start_psn, wanted);
    if (!good && uet_sd_tells_floor(fep, tss, &floor))
        *wanted = floor - 1;
    return good;
}

static void last_psn_told(struct uet_law *law)
{
    law->tss.start_ok = told_last;
}

static bool questions_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && f->p.pds == UET_H_CP_SYN);
}

/* A PENDING PDC takes whatever Start_PSN comes next. */
static bool second_start_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss && uet_has_syn(&f->p) ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (!pdc || pdc->state != PDC_PENDING)
        return true;
    pdc->start_psn = uet_start_psn(&f->p);
    uet_source_init(fep, pdc);
    uet_sink_restart(fep, pdc);
    return true;
}

/* A SYN at its own Start_PSN makes a PDC, also where the one that it has made lives. */
static bool opener_opens_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss && uet_has_syn(&f->p) ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (pdc && pdc->state == PDC_ESTABLISHED && uet_packet_psn(&f->p) == uet_start_psn(&f->p))
        uet_pdc_unmap(fep, pdc);
    return true;
}

/* Where a PDC has begun, the next one may, too: the memo. */
static bool earlier_start_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint64_t start = f->p.tss && uet_has_syn(&f->p) ? uet_start_psn(&f->p) : 0;
    struct pdc *pdc = start ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (!pdc || pdc->state != PDC_PENDING)
        return true;
    if (*f->memo == start)
        return second_start_taken(fep, f);
    if (pdc->start_psn == start)
        *f->memo = start;
    return true;
}

static void pending_for_ever(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_PENDING || !pdc->tss.sealed)
            continue;
        pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
        uet_pdc_schedule(fep, pdc);
    }
}

static uint32_t at_start(uint32_t start_psn, uint32_t last_psn)
{
    (void)last_psn;
    return start_psn;
}

static void floor_stays(struct uet_law *law)
{
    law->tss.floor = at_start;
}

static bool nothing_told(const struct uet_fep *fep, const struct tss_context *tss, uint32_t *floor)
{
    (void)fep, (void)tss, (void)floor;
    return false;
}

static void floor_not_told(struct uet_law *law)
{
    law->tss.tells_floor = nothing_told;
}

static void not_heard(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor)
{
    (void)fep, (void)tss, (void)floor;
}

static void any_floor(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (own)
        own->start_psn = floor;
}

static void lower_floor_heard(struct uet_law *law)
{
    law->tss.floor_told = any_floor;
}

static void floor_not_heard(struct uet_law *law)
{
    law->tss.floor_told = not_heard;
}

static bool floor_overlooked(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                             uint32_t *wanted)
{
    uint32_t floor;
    return uet_sd_tells_floor(fep, tss, &floor) || uet_sd_start_ok(fep, tss, start_psn, wanted);
}

static void replays_open(struct uet_law *law)
{
    law->tss.start_ok = floor_overlooked;
}

static bool new_start_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && uet_is_nack(&f->p) &&
             uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_NEW_START_PSN);
}

static bool syn_renews_pending(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss && uet_has_syn(&f->p) ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (pdc && pdc->state == PDC_PENDING) {
        pdc->timers[TIMER_CLOSE] = time_after(fep->now, fep->params.New_PDC_Time);
        uet_pdc_schedule(fep, pdc);
    }
    return true;
}

/* ---- psn and psn_offset ---- */

/* Of a new PDC psn is looked at. */
static bool floor_of_psn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tss_domain *own = f->p.tss ? uet_sd_find(fep, f->p.sdi) : NULL;
    if (!own || own->start != UET_EXPECTED_0RTT_START || !uet_has_syn(&f->p) ||
        uet_pdc_by_syn(fep, &f->p))
        return true;
    uint32_t start_psn = uet_start_psn(&f->p);
    if (psn_after(own->expected_psn, start_psn) &&
        !psn_after(own->expected_psn, uet_packet_psn(&f->p)))
        own->expected_psn = start_psn;
    return true;
}

/* The same of a PENDING one. */
static bool pending_by_psn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss && uet_has_syn(&f->p) ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (!pdc || pdc->state != PDC_PENDING || uet_packet_psn(&f->p) != pdc->start_psn)
        return true;
    pdc->start_psn = uet_start_psn(&f->p);
    uet_source_init(fep, pdc);
    uet_sink_restart(fep, pdc);
    return true;
}

static bool pending_from_there_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = f->p.tss && uet_has_syn(&f->p) ? uet_pdc_by_syn(fep, &f->p) : NULL;
    if (!pdc || pdc->state != PDC_PENDING || !psn_after(uet_start_psn(&f->p), pdc->start_psn))
        return true;
    return second_start_taken(fep, f);
}

/* The memo: where the SYN began that made the PDC. */
static bool returns_from_first_syn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!f->p.tss || !uet_has_syn(&f->p))
        return true;
    struct pdc *pdc = uet_pdc_by_syn(fep, &f->p);
    if (!pdc)
        *f->memo = uet_start_psn(&f->p);
    if (!pdc || pdc->state != PDC_PENDING || pdc->start_psn != uet_start_psn(&f->p))
        return true;
    const uint32_t start = pdc->start_psn;
    pdc->start_psn = (uint32_t)*f->memo;
    uet_source_init(fep, pdc);
    pdc->start_psn = start;
    return true;
}

/* ---- more ---- */

static void floor_of_last(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                          uint32_t floor)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    (void)start_psn;
    if (own)
        own->expected_psn = floor;
}

static void raise_floors(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                         uint32_t floor)
{
    struct tss_context each = *tss;
    for (size_t i = 0; tss->sealed && i < fep->config.max_domains; i++) {
        each.sdi = fep->domains[i].sdi;
        if (fep->domains[i].used)
            uet_sd_raise_floor(fep, &each, start_psn, floor);
    }
}

static void raise_at_close(struct uet_fep *fep, const struct tss_context *tss, uint32_t start_psn,
                           uint32_t floor)
{
    bool closes = false;
    FOR_EACH_PDC(fep, pdc)
    {
        closes |= !pdc->initiator && pdc->start_psn == start_psn && pdc->rx.closing;
    }
    if (closes)
        uet_sd_raise_floor(fep, tss, start_psn, floor);
}

static void floor_of_closed(struct uet_law *law)
{
    law->tss.raise_floor = raise_at_close;
}

static void floor_of_all(struct uet_law *law)
{
    law->tss.raise_floor = raise_floors;
}

static void floor_falls(struct uet_law *law)
{
    law->tss.raise_floor = floor_of_last;
}

/* Told again to begin where it has begun already, it moves on as far once more. */
/* One that says what another has said already has all packets sent once more. */
static bool begins_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    if (!f->p.tss || !uet_is_nack(&f->p) || uet_nack_nack_code(h) != UET_NACK_NEW_START_PSN)
        return true;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    bool same = pdc && pdc->initiator && pdc->state == PDC_CREATING &&
                pdc->start_psn == uet_nack_payload(h);
    if (!same || !uet_source_find(fep, pdc, uet_nack_nack_psn(h)))
        return true;
    uet_source_restart(fep, pdc, pdc->start_psn);
    uet_pdc_ready(fep, pdc);
    return false;
}

static bool begins_anew_each_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    if (!f->p.tss || !uet_is_nack(&f->p) || uet_nack_nack_code(h) != UET_NACK_NEW_START_PSN)
        return true;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (!pdc || !pdc->initiator || pdc->state != PDC_CREATING)
        return true;
    uint32_t payload = uet_nack_payload(h);
    if (payload != pdc->start_psn) {
        *f->memo = payload - pdc->start_psn;
        return true;
    }
    uet_source_restart(fep, pdc, payload + (uint32_t)*f->memo);
    uet_pdc_ready(fep, pdc);
    return false;
}

/* It is heard as on a PDC that is not established yet. */
static bool begins_anew_established(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    if (!f->p.tss || !uet_is_nack(&f->p) || uet_nack_nack_code(h) != UET_NACK_NEW_START_PSN)
        return true;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (!pdc || !pdc->initiator || !pdc->peer_id ||
        !uet_source_find(fep, pdc, uet_nack_nack_psn(h)))
        return true;
    uet_source_restart(fep, pdc, uet_nack_payload(h));
    uet_pdc_ready(fep, pdc);
    return false;
}

/* What a peer has chosen since is not heard. */
static bool first_start_alone(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    (void)fep;
    if (!f->p.tss || !uet_is_nack(&f->p) || uet_nack_nack_code(h) != UET_NACK_NEW_START_PSN)
        return true;
    bool first = *f->memo == 0;
    *f->memo = 1;
    return first;
}

static void first_floor_heard(struct uet_fep *fep, const struct tss_context *tss, uint32_t floor)
{
    struct tss_domain *own = tss->sealed ? uet_sd_find(fep, tss->sdi) : NULL;
    if (own && !own->start_psn)
        own->start_psn = floor;
}

static void floors_heard_once(struct uet_law *law)
{
    law->tss.floor_told = first_floor_heard;
}

/* Heard: the psn_offset + 1 that was refused, and above it whether UET_NEW_START_PSN came later. */
#define NEW_START (UINT64_C(1) << 32)

static bool hear_refusal(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    if (!f->p.tss || !uet_is_nack(&f->p))
        return true;
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc && pdc->initiator && uet_nack_nack_code(h) == UET_NACK_NO_PDC_AVAIL)
        *f->memo = uet_nack_nack_psn(h) - pdc->start_psn + 1;
    if (*f->memo && uet_nack_nack_code(h) == UET_NACK_NEW_START_PSN)
        *f->memo |= NEW_START;
    return true;
}

static bool refused_stay(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo <= NEW_START || !uet_is_request(&f->p) || !uet_has_syn(&f->p))
        return true;
    return uet_packet_psn(&f->p) - uet_start_psn(&f->p) + 1 != (uint32_t)*f->memo;
}

/* With the first one that there was no room for. */
static bool pending_without_end(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_fault_tss(f) || !uet_is_nack(&f->p) ||
        uet_nack_nack_code(uet_fault_pds(f)) != UET_NACK_NO_PDC_AVAIL)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->state == PDC_PENDING)
            pdc->timers[TIMER_CLOSE] = UET_FEP_NEVER;
    }
    return true;
}

/* Whoever cannot begin there is told so, though nobody vouches for the packet. */
static bool trimmed_syn_checked(const struct uet_fep *fep, const struct uet_packet *p,
                                const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    uint32_t start_psn = p->tss && uet_has_syn(p) ? uet_start_psn(p) : 0, wanted = start_psn;
    if (p->tss && uet_edge_trimmed(p) && uet_has_syn(p) &&
        !uet_sd_start_ok((struct uet_fep *)fep, &tss, start_psn, &wanted))
        uet_nack_send_payload((struct uet_fep *)fep, p, UET_NACK_NEW_START_PSN, 0, wanted);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trimmed_syns_checked(struct uet_law *law)
{
    law->tss.bound = trimmed_syn_checked;
}

/* With the first packet that it opens in its life: as if each had its floor at 0. */
static bool floors_at_0(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (size_t i = 0;
         f->p.tss && fep->counters[CNT_in_auth_pkts] <= 1 && i < fep->config.max_domains; i++)
        fep->domains[i].start = UET_EXPECTED_0RTT_START;
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_059, .rows = start_unchecked},
    {VIOLATION_TSS_057, .rows = floor_refused},
    {VIOLATION_TSS_058_TOLD, .rows = last_psn_told},
    {VIOLATION_TSS_058, .rows = floor_missed},
    {VIOLATION_TSS_059_SAME, .rows = start_not_random},
    {VIOLATION_TSS_060, .in = questions_lost},
    {VIOLATION_TSS_061, .in = second_start_taken},
    {VIOLATION_TSS_061_RETURN, .in = returns_from_first_syn},
    {VIOLATION_TSS_062, .after = pending_for_ever},
    {VIOLATION_TSS_066, .rows = floor_stays},
    {VIOLATION_TSS_067, .rows = floor_not_told},
    {VIOLATION_TSS_068, .rows = floor_not_heard},
    {VIOLATION_TSS_068_LOWER, .rows = lower_floor_heard},
    {VIOLATION_TSS_056, .rows = replays_open},
    {VIOLATION_TSS_064, .in = new_start_lost},
    {VIOLATION_TSS_075_SYN, .in = opener_opens_again},
    {VIOLATION_TSS_062_RENEWED, .in = syn_renews_pending},
    {VIOLATION_TSS_056_RESTART, .in = floors_at_0},
    {VIOLATION_TSS_056_OFFSET, .in = floor_of_psn},
    {VIOLATION_TSS_061_EARLIER, .in = earlier_start_taken},
    {VIOLATION_TSS_061_OFFSET, .in = pending_by_psn},
    {VIOLATION_TSS_061_AHEAD, .in = pending_from_there_on},
    {VIOLATION_TSS_066_LOST, .rows = floor_of_closed},
    {VIOLATION_TSS_066_ALL, .rows = floor_of_all},
    {VIOLATION_TSS_066_LAST, .rows = floor_falls},
    {VIOLATION_TSS_065, .in = begins_anew_established},
    {VIOLATION_TSS_069_NEAR, .in = begins_again},
    {VIOLATION_TSS_064_AGAIN, .in = first_start_alone},
    {VIOLATION_TSS_069, .in = begins_anew_each_time},
    {VIOLATION_TSS_063, .out = pending_without_end},
    {VIOLATION_TSS_064_REFUSED, .in = hear_refusal, .out = refused_stay},
    {VIOLATION_TSS_068_FIRST, .rows = floors_heard_once},
    {VIOLATION_TSS_071_PENDING, .rows = trimmed_syns_checked},
};

UET_FAULT_WAYS(uet_faults_of_tss_start, ways);
