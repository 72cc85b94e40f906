/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of PDCs, of the sending half and of what it sends (pds/pdc.c, source.c, infer.c,
 * transmit.c). */
#include <string.h>

#include "refimpl/faults/pds/about.h"

/* ---- rows and parameters ---- */

static uint32_t always_1000(struct uet_fep *fep, const struct pdc *pdc)
{
    (void)fep, (void)pdc;
    return 1000;
}

static uint32_t follow_last(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->had_psn ? pdc->last_psn + 1 : uet_start_psn_anywhere(fep, pdc);
}

static void start_psn_constant(struct uet_law *law)
{
    law->pds.start_psn = always_1000;
}

static void start_psn_follows(struct uet_law *law)
{
    law->pds.start_psn = follow_last;
}

static void syn_unguarded(struct uet_law *law)
{
    law->pds.guards_syn = false;
}

/* A target keeps nothing of a PDC that has closed. */
static void nothing_kept(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state == PDC_CLOSED && !pdc->initiator &&
            pdc->timers[TIMER_GUARD] != UET_FEP_NEVER)
            uet_pdc_release(fep, pdc);
    }
}

static void resends_beyond(struct uet_law *law)
{
    law->pds.resends_in_window = false;
}

static void zero_stops(struct uet_law *law)
{
    law->pds.no_limit = 0;
}

static uint32_t follow_half(struct uet_fep *fep, const struct pdc *pdc)
{
    return pdc->had_psn ? pdc->last_psn + 0x8000 : uet_start_psn_anywhere(fep, pdc);
}

static void start_psn_near(struct uet_law *law)
{
    law->pds.start_psn = follow_half;
}

/* ---- state ---- */

static void never_found_again(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator)
            uet_pdc_unmap(fep, pdc);
    }
}

static void fourth_psn_skipped(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (((pdc->tx.next_psn - pdc->start_psn) & 3u) == 3u)
            pdc->tx.next_psn++;
    }
}

static void without_limit(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        pdc->tx.mp_range = 0;
    }
}

static void default_without_limit(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->tx.mpr_known)
            pdc->tx.mp_range = 0;
    }
}

/* A Clear Command goes like an answer, before all that waits. */
static void clear_now(struct uet_fep *fep, struct pdc *pdc)
{
    struct uet_build b;
    uint32_t clear = uet_source_clear_psn(fep, pdc);
    if (!pdc->tx.clear_wanted || !pdc->peer_id || !psn_after(clear, pdc->tx.cack_psn) ||
        !uet_reply_start_on(fep, &b, pdc, uet_pdc_entropy(fep, pdc), NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_CLEAR_COMMAND);
    uet_cp_spdcid_set(h, pdc->id);
    uet_cp_dpdcid_set(h, pdc->peer_id);
    uet_cp_payload_value_set(h, clear);
    uet_reply_finish(fep, &b, 0);
    pdc->tx.clear_wanted = false;
    pdc->tx.clear_sent_psn = clear;
}

static void clear_at_once(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        clear_now(fep, pdc);
    }
}

/* What waits is the message that is being sent, and no other. */
static void clear_between_messages(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!uet_ses_in_message(fep, pdc->id))
            clear_now(fep, pdc);
    }
}

/* What waits for the congestion window does not count. */
static void clear_while_held(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->line == LINE_HELD)
            clear_now(fep, pdc);
    }
}

static bool clear_when_asked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_cp_of(&f->p, UET_CTL_CLEAR_REQUEST) ? pdc_of(fep, &f->p) : NULL;
    if (!pdc || !pdc->initiator)
        return true;
    pdc->tx.clear_wanted = true;
    clear_now(fep, pdc);
    return true;
}

static void sack_forgotten(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next)
            packet_at(fep, id)->sacked = false;
    }
}

static void rod_sack_forgotten(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        for (uint32_t id = pdc->rod ? pdc->tx.head : 0; id; id = packet_at(fep, id)->next)
            packet_at(fep, id)->sacked = false;
    }
}

#define OPENS_AFTER 5000000u /* ns */

/* What is in flight is forgotten from time to time; a timer takes care that there is such a time.
 */
static void time_opens(struct uet_fep *fep, uint64_t *memo)
{
    bool now = *memo && fep->now >= *memo + OPENS_AFTER;
    for (uint32_t id = 1; now && id <= fep->cccs.n; id++)
        uet_ccc_at(fep, id)->inflight = 0;
    if (now || !*memo)
        *memo = fep->now;
    FOR_EACH_PDC(fep, pdc)
    {
        if (now)
            uet_pdc_ready(fep, pdc);
        if (pdc->tx.n_packets && pdc->timers[TIMER_RETX] > fep->now + OPENS_AFTER) {
            pdc->timers[TIMER_RETX] = fep->now + OPENS_AFTER;
            uet_pdc_schedule(fep, pdc);
        }
    }
}

/* ---- frames in ---- */

/* A SYN with the spdcid of another peer's PDC becomes that peer's, if the ends of both addresses
 * are the same. */
static bool source_compared_by(struct uet_fep *fep, struct uet_fault_frame *f, size_t bytes)
{
    const struct uet_ip from = uet_src_ip(&f->p);
    const size_t at = uet_ip_len(&from) - bytes;
    if (f->p.error != UET_PARSE_OK || !(uet_is_request(&f->p) || uet_is_cp(&f->p)) ||
        !uet_has_syn(&f->p))
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        uint8_t *ip = f->bytes + f->p.ip_offset;
        if (pdc->initiator || pdc->peer_id != uet_spdcid(&f->p) ||
            memcmp(pdc->peer.bytes + at, from.bytes + at, bytes) != 0)
            continue;
        if (f->p.ip_version == 6)
            uet_ipv6_src_set(ip, pdc->peer.bytes);
        else
            memcpy(ip + 12, pdc->peer.bytes, 4);
        return true;
    }
    return true;
}

static bool source_not_compared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return source_compared_by(fep, f, 0);
}

static bool last_byte_compared(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return source_compared_by(fep, f, 1);
}

/* All that is outstanding once more, and no SACK that would spare it. */
static bool ooo_resends_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct uet_cc_state told = {0};
    bool ack = f->p.error == UET_PARSE_OK && uet_is_ack_cc(&f->p) && uet_cc_read(&f->p, &told);
    struct pdc *pdc = ack && told.ooo_count ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc)
        return true;
    uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), 0);
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        packet_at(fep, id)->sacked = false;
        uet_source_resend(fep, pdc, packet_at(fep, id));
    }
    return true;
}

/* ---- frames out ---- */

/* The PDC of this FEP's own Request or Control Packet with a PSN, or NULL. */
static struct pdc *sender(struct uet_fep *fep, const struct uet_packet *p)
{
    uint8_t ctl = uet_is_cp(p) ? uet_cp_ctl_type(uet_pds(p)) : UET_CTL_NOOP;
    bool psn = (uet_is_request(p) || uet_is_cp(p)) &&
               (ctl == UET_CTL_NOOP || ctl == UET_CTL_NEGOTIATION || ctl == UET_CTL_CLOSE_COMMAND ||
                ctl == UET_CTL_CLOSE_REQUEST);
    return psn ? uet_pdc_by_id(fep, uet_spdcid(p)) : NULL;
}

static bool only_first_has_syn(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sender(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    if (!pdc || !uet_has_syn(&f->p) || uet_packet_psn(&f->p) == pdc->start_psn)
        return true;
    uet_rud_rod_req_syn_set(h, false);
    uet_rud_rod_req_dpdcid_set(h, 0);
    return true;
}

static bool syn_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sender(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    uint8_t ctl = uet_is_cp(&f->p) ? uet_cp_ctl_type(h) : UET_CTL_NOOP;
    uint32_t offset = pdc ? uet_packet_psn(&f->p) - pdc->start_psn : UINT32_MAX;
    if (!pdc || !pdc->initiator || uet_has_syn(&f->p) || offset > 0xfff ||
        (ctl != UET_CTL_NOOP && ctl != UET_CTL_NEGOTIATION))
        return true;
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_dpdcid_set(h, 0);
    uet_rud_rod_req_psn_offset_set(h, (uint16_t)offset);
    uet_rud_rod_req_use_rsv_pdc_set(h, pdc->reserved);
    return true;
}

/* memo: the PDC that sent something again, since when no ACK has come. */
static bool syn_after_resend(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? sender(fep, &f->p) : NULL;
    if (!pdc || !pdc->initiator)
        return true;
    if (uet_rud_rod_req_retx(uet_fault_pds(f)))
        *f->memo = pdc->id;
    else if (*f->memo == pdc->id)
        return syn_goes_on(fep, f);
    return true;
}

static bool ack_ends_doubt(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    *f->memo = uet_is_ack(&f->p) ? 0 : *f->memo;
    return true;
}

static bool clear_goes_back(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? sender(fep, &f->p) : NULL;
    uint32_t psn = uet_packet_psn(&f->p);
    if (pdc && (psn & 1u))
        uet_rud_rod_req_clear_psn_offset_set(uet_fault_pds(f),
                                             (int16_t)uet_psn_diff(pdc->start_psn - 1, psn));
    return true;
}

static bool resend_renumbered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = sender(fep, &f->p);
    uint8_t *h = uet_fault_pds(f);
    uint32_t psn = uet_packet_psn(&f->p);
    struct tx_packet *q = pdc ? uet_source_find(fep, pdc, psn) : NULL;
    if (!q || !q->resent)
        return true;
    uet_source_renumber(fep, q, pdc->tx.next_psn++);
    if (uet_is_request(&f->p)) {
        uint32_t clear = uet_clear_psn(&f->p);
        uet_rud_rod_req_psn_set(h, q->psn);
        uet_rud_rod_req_clear_psn_offset_set(h, (int16_t)uet_psn_diff(clear, q->psn));
    } else {
        uet_cp_psn_set(h, q->psn);
    }
    if (uet_has_syn(&f->p))
        uet_rud_rod_req_psn_offset_set(h, (uint16_t)((q->psn - pdc->start_psn) & 0xfffu));
    return true;
}

static bool resend_of_zeros(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_is_request(&f->p) && uet_rud_rod_req_retx(uet_pds(&f->p)))
        memset(f->bytes + f->p.payload_offset, 0, f->p.payload_len);
    return true;
}

/* memo: the message sent last. */
static bool asks_by_newest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p) && uet_is_ses_request(&f->p) && uet_is_ses_std(&f->p))
        *f->memo = uet_ses_message_id(&f->p);
    if (is_cp_of(&f->p, UET_CTL_ACK_REQUEST) && uet_cp_payload_value(uet_fault_pds(f)))
        uet_cp_payload_value_set(uet_fault_pds(f), (uint32_t)*f->memo);
    return true;
}

static bool window_asked_by_one(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_ACK_REQUEST) && !uet_cp_payload_value(uet_fault_pds(f)))
        uet_cp_payload_value_set(uet_fault_pds(f), 1);
    return true;
}

static bool asks_for_lowest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        is_cp_of(&f->p, UET_CTL_ACK_REQUEST) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (pdc)
        uet_cp_psn_set(uet_fault_pds(f), pdc->tx.cack_psn + 1);
    return true;
}

/* memo: the PDCs that were of the reserved pool once, by their low bits. */
static bool reserved_for_ever(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_has_syn(&f->p) ? sender(fep, &f->p) : NULL;
    uint64_t bit = pdc ? UINT64_C(1) << (pdc->id & 63u) : 0;
    if (pdc && pdc->reserved)
        *f->memo |= bit;
    if (*f->memo & bit)
        uet_rud_rod_req_use_rsv_pdc_set(uet_fault_pds(f), true);
    return true;
}

static bool rod_is_reserved(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_has_syn(&f->p) ? sender(fep, &f->p) : NULL;
    if (pdc && pdc->rod)
        uet_rud_rod_req_use_rsv_pdc_set(uet_fault_pds(f), true);
    return true;
}

static bool clear_command_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND);
}

static bool sack_clears(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_request(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!pdc)
        return true;
    uint32_t id = pdc->tx.head, psn = uet_packet_psn(&f->p), was = uet_clear_psn(&f->p);
    while (id && packet_at(fep, id)->sacked && psn_after(psn, packet_at(fep, id)->psn))
        id = packet_at(fep, id)->next;
    uint32_t clear = (id ? packet_at(fep, id)->psn : psn) - 1;
    if (psn_after(clear, was) && psn_after(psn, clear))
        uet_rud_rod_req_clear_psn_offset_set(uet_fault_pds(f), (int16_t)uet_psn_diff(clear, psn));
    return true;
}

static bool rod_clear_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    return !(pdc && pdc->rod && is_cp_of(&f->p, UET_CTL_CLEAR_COMMAND));
}

static bool rod_in_all_cps(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    if (pdc && pdc->rod && uet_is_cp(&f->p))
        uet_cp_isrod_set(uet_fault_pds(f), true);
    return true;
}

static bool noop_says_rud(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cp_of(&f->p, UET_CTL_NOOP) && !uet_has_syn(&f->p))
        uet_cp_isrod_set(uet_fault_pds(f), false);
    return true;
}

/* Two counters of PDCIDs: the target's PDC has the number of one that this FEP opened. */
static bool numbers_by_role(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *of = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    if (!of || of->initiator)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && uet_ip_equal(&pdc->peer, &of->peer))
            uet_ack_spdcid_set(uet_fault_pds(f), pdc->id);
    }
    return true;
}

/* More than one packet is outstanding when the error comes. */
static bool notes_carrier(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) && uet_ack_req(uet_pds(&f->p)) == UET_ACK_REQ_CLEAR
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    if (pdc)
        *f->memo = pdc->tx.head && packet_at(fep, pdc->tx.head)->next;
    return true;
}

static bool waits_for_carrier(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !*f->memo || clear_command_lost(fep, f);
}

static bool opening_unacknowledged(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool opening = uet_is_request(&f->p) && uet_has_syn(&f->p);
    (void)fep;
    if (opening)
        *f->memo = !uet_rud_rod_req_ar(uet_pds(&f->p)) && !uet_rud_rod_req_retx(uet_pds(&f->p));
    return true;
}

/* 64 PDCs are opened before a slot comes again. */
static bool second_of_slot_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool lost = *f->memo && uet_is_ack(&f->p) && fep->counters[CNT_pdc_opened_target] > 64;
    *f->memo = *f->memo && !uet_is_ack(&f->p);
    return !lost;
}

/* What was trimmed comes again whatever the window is; so does what follows, until another NACK. */
static bool trimmed_beyond(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool trimmed =
        is_nack_of(&f->p, UET_NACK_TRIMMED) || is_nack_of(&f->p, UET_NACK_TRIMMED_LASTHOP);
    if (uet_is_nack(&f->p))
        fep->law.pds.resends_in_window = !trimmed;
    return true;
}

static void close_makes_room(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        uint32_t needs = pdc->tx.next_psn - pdc->tx.cack_psn;
        if (!(pdc->wants & WANT(UET_CTL_CLOSE_COMMAND)) || needs <= pdc->tx.mp_range)
            continue;
        pdc->tx.mp_range = (uint16_t)needs;
        uet_pdc_ready(fep, pdc);
    }
}

static bool rod_asks_for_last(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_pds(&f->p);
    if (fep->params.Enb_ACK_Per_Pkt && uet_is_rod_request(&f->p) && uet_is_ses_request(&f->p) &&
        !uet_rud_rod_req_retx(h) && !uet_ses_req_eom(uet_ses(&f->p)))
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

/* memo: this life has begun. */
static void seeded_alike(struct uet_fep *fep, uint64_t *memo)
{
    if (!*memo)
        fep->prng = fep->secrets = 1;
    *memo = 1;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_018_ROLES, .out = numbers_by_role},
    {VIOLATION_PDS_021_STICKS, .out = reserved_for_ever},
    {VIOLATION_PDS_021_ROD, .out = rod_is_reserved},
    {VIOLATION_PDS_024, .out = only_first_has_syn},
    {VIOLATION_PDS_026, .rows = start_psn_constant},
    {VIOLATION_PDS_026_RESTART, .after = seeded_alike},
    {VIOLATION_PDS_027, .rows = start_psn_follows},
    {VIOLATION_PDS_027_NEAR, .rows = start_psn_near},
    {VIOLATION_PDS_031, .after = never_found_again},
    {VIOLATION_PDS_032, .in = source_not_compared},
    {VIOLATION_PDS_032_HOST, .in = last_byte_compared},
    {VIOLATION_PDS_034, .out = syn_goes_on},
    {VIOLATION_PDS_034_DOUBT, .in = ack_ends_doubt, .out = syn_after_resend},
    {VIOLATION_PDS_054_TARGET, .after = nothing_kept},
    {VIOLATION_PDS_054, .rows = syn_unguarded},
    {VIOLATION_PDS_056, .after = fourth_psn_skipped},
    {VIOLATION_PDS_058, .out = resend_renumbered},
    {VIOLATION_PDS_058_BYTES, .out = resend_of_zeros},
    {VIOLATION_PDS_060, .after = without_limit},
    {VIOLATION_PDS_060_CLOSE, .after = close_makes_room},
    {VIOLATION_PDS_061_TRIMMED, .in = trimmed_beyond},
    {VIOLATION_PDS_099_ROD, .out = rod_asks_for_last},
    {VIOLATION_PDS_061, .rows = resends_beyond},
    {VIOLATION_PDS_062, .after = default_without_limit},
    {VIOLATION_PDS_064, .rows = zero_stops},
    {VIOLATION_PDS_073, .out = clear_goes_back},
    {VIOLATION_PDS_080_LATER, .in = notes_carrier, .out = waits_for_carrier},
    {VIOLATION_PDS_080, .out = clear_command_lost},
    {VIOLATION_PDS_080_ROD, .out = rod_clear_lost},
    {VIOLATION_PDS_081, .after = clear_at_once},
    {VIOLATION_PDS_081_QUEUED, .after = clear_between_messages},
    {VIOLATION_PDS_081_HELD, .after = clear_while_held},
    {VIOLATION_PDS_081_ASKED, .in = clear_when_asked},
    {VIOLATION_PDS_116, .after = sack_forgotten},
    {VIOLATION_PDS_116_ROD, .after = rod_sack_forgotten},
    {VIOLATION_PDS_117_CLEAR, .out = sack_clears},
    {VIOLATION_PDS_188_NOOP, .out = noop_says_rud},
    {VIOLATION_PDS_188_ROD, .out = rod_in_all_cps},
    {VIOLATION_PDS_189_NEWEST, .out = asks_by_newest},
    {VIOLATION_PDS_189_WINDOW, .out = window_asked_by_one},
    {VIOLATION_PDS_189_LOWEST, .out = asks_for_lowest},
    {VIOLATION_PDS_228, .in = ooo_resends_all},
    {VIOLATION_CMS_039, .after = time_opens},
    {VIOLATION_ROB_041_OPENING, .in = opening_unacknowledged, .out = second_of_slot_lost},
};

UET_FAULT_WAYS(uet_faults_of_pdc, ways);
