/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the return direction: read data that comes and that leaves (pds/in/returned.c, part.c).
 */
#include "refimpl/edge.h"
#include "refimpl/faults/pds/about.h"

/* ---- read data that comes ---- */

/* The PDC of read data that comes; else NULL. */
static struct pdc *of_data(struct uet_fep *fep, const struct uet_packet *p)
{
    struct pdc *pdc = requested(fep, p);
    return pdc && pdc->initiator ? pdc : NULL;
}

static bool read_data_not_acked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_is_ack(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    return !(pdc && pdc->initiator && uet_is_ses_response(&f->p));
}

static bool returned_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_data(fep, &f->p);
    return !pdc || place_of(fep, pdc, &f->p) != PSN_DUPLICATE;
}

static bool returned_ar_overlooked(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (of_data(fep, &f->p))
        uet_rud_rod_req_ar_set(uet_fault_pds(f), false);
    return true;
}

static bool returned_gap_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_data(fep, &f->p);
    if (pdc)
        pdc->rx.gap_open = false;
    return true;
}

static bool returned_never_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = of_data(fep, &f->p);
    if (pdc)
        pdc->rx.ack_gen_count = 0;
    return true;
}

static bool returned_trimmed_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_edge_trimmed(&f->p) && uet_is_request(&f->p)
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    return !pdc || !pdc->initiator;
}

static bool returned_ack_path(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (acks_as(fep, &f->p, true) && f->p.udp_offset)
        uet_udp_src_port_set(f->bytes + f->p.udp_offset, 49999);
    return true;
}

static bool returned_ack_clears(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (acks_as(fep, &f->p, true) && uet_is_ses_response(&f->p))
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_REQ_CLEAR);
    return true;
}

/* It comes before this side has learned the TPDCID. */
static const struct pdc *of_early_data(struct uet_fep *fep, const struct uet_packet *p)
{
    const struct pdc *pdc = of_data(fep, p);
    return pdc && !pdc->peer_id ? pdc : NULL;
}

static bool early_data_counts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_early_data(fep, &f->p);
    if (pdc)
        *f->memo = note_of(pdc, &f->p);
    return true;
}

static bool early_data_refused(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_early_data(fep, &f->p);
    if (pdc)
        uet_nack_send(fep, &f->p, UET_NACK_PDC_HDR_MISMATCH, pdc->id);
    return !pdc;
}

/* ---- read data that leaves ---- */

/* On ROD the first waits until another one comes, which then is the first. */
static void last_part_first(struct uet_fep *fep, struct pdc *pdc, uint32_t id)
{
    if (!pdc->rod) {
        uet_part_append(fep, pdc, id);
        return;
    }
    bool others = pdc->parts_head != 0;
    part_at(fep, id)->next = pdc->parts_head;
    pdc->parts_head = id;
    if (others)
        uet_pdc_ready(fep, pdc);
    else
        pdc->parts_tail = id;
}

/* By message_id. */
static void part_by_id(struct uet_fep *fep, struct pdc *pdc, uint32_t id)
{
    uint32_t *link = &pdc->parts_head;
    while (*link && part_at(fep, *link)->message_id <= part_at(fep, id)->message_id)
        link = &part_at(fep, *link)->next;
    part_at(fep, id)->next = *link;
    if (!*link)
        pdc->parts_tail = id;
    *link = id;
    uet_pdc_ready(fep, pdc);
}

static void read_data_by_id(struct uet_law *law)
{
    law->queue_part = part_by_id;
}

/* The rest of the read that stands first goes to the end, once. */
static bool rest_to_the_end(struct uet_fep *fep, struct pdc *pdc)
{
    uint32_t head = pdc->parts_head, last = head;
    while (part_at(fep, last)->next &&
           part_at(fep, part_at(fep, last)->next)->message_id == part_at(fep, head)->message_id)
        last = part_at(fep, last)->next;
    if (!part_at(fep, last)->next)
        return false;
    part_at(fep, pdc->parts_tail)->next = head;
    pdc->parts_head = part_at(fep, last)->next;
    pdc->parts_tail = last;
    part_at(fep, last)->next = 0;
    return true;
}

static void stopped_read_waits(struct uet_fep *fep, uint64_t *memo)
{
    FOR_EACH_PDC(fep, pdc)
    {
        if (!*memo && pdc->rod && pdc->parts_head && part_at(fep, pdc->parts_head)->offset &&
            !uet_source_window_open(fep, pdc))
            *memo = rest_to_the_end(fep, pdc);
    }
}

static void read_data_reversed(struct uet_law *law)
{
    law->queue_part = last_part_first;
}

/* Which of its reader's PDCs is the newest is told by its number. */
static bool data_on_the_newest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *own = uet_is_request(&f->p) ? uet_pdc_by_id(fep, uet_spdcid(&f->p)) : NULL;
    const struct pdc *newest = own;
    if (!own || own->initiator)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator && uet_ip_equal(&pdc->peer, &own->peer))
            newest = pdc;
    }
    uet_rud_rod_req_spdcid_set(uet_fault_pds(f), newest->id);
    uet_rud_rod_req_dpdcid_set(uet_fault_pds(f), newest->peer_id);
    return true;
}

static bool returned_stale_mpr(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = uet_is_ack_cc(&f->p) ? acked(fep, &f->p) : NULL;
    if (pdc && !pdc->initiator)
        pdc->tx.mpr_known = false;
    return true;
}

static bool returned_stray_used(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = of_stray(fep, &f->p);
    if (pdc && !pdc->initiator && pdc->tx.head)
        uet_nack_nack_psn_set(uet_fault_pds(f), packet_at(fep, pdc->tx.head)->psn);
    return true;
}

static void go_back_as_initiator(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->initiator)
        uet_nacked_go_back(fep, pdc, n);
}

static void rod_data_goes_on(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_ROD_OOO].act = go_back_as_initiator;
}

static bool target_asks_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = sends(fep, &f->p);
    return !(pdc && !pdc->initiator && is_cp_of(&f->p, UET_CTL_ACK_REQUEST));
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_013_NEWEST, .out = data_on_the_newest},
    {VIOLATION_PDS_066_RETURN, .in = returned_stale_mpr},
    {VIOLATION_PDS_092_DATA, .out = returned_ack_clears},
    {VIOLATION_PDS_116_RETURN, .out = target_asks_nothing},
    {VIOLATION_PDS_121, .out = read_data_not_acked},
    {VIOLATION_PDS_121_COPY, .in = returned_copy_lost},
    {VIOLATION_PDS_121_AR, .in = returned_ar_overlooked},
    {VIOLATION_PDS_121_GAP, .in = returned_gap_forgotten},
    {VIOLATION_PDS_121_COUNT, .in = returned_never_counted},
    {VIOLATION_PDS_121_PATH, .out = returned_ack_path},
    {VIOLATION_PDS_121_EARLY, .in = early_data_counts, .after = noted_received},
    {VIOLATION_PDS_121_REFUSED, .in = early_data_refused},
    {VIOLATION_PDS_134_RETURN, .in = returned_stray_used},
    {VIOLATION_PDS_167_RETURN, .rows = rod_data_goes_on},
    {VIOLATION_PDS_169_ID, .rows = read_data_by_id},
    {VIOLATION_PDS_169_STOPPED, .after = stopped_read_waits},
    {VIOLATION_PDS_169, .rows = read_data_reversed},
    {VIOLATION_PDS_216_RETURN, .in = returned_trimmed_lost},
};

UET_FAULT_WAYS(uet_faults_of_returned, ways);
