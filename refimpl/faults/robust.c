/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that break no text of the standard, but what any user expects (ROB). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

#define RESERVED_RC_MOST 0x2fu /* 0x25 to 0x2f are reserved (Table 3-19) */

static bool is_whole(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK;
}

/* ---- who says it ---- */

/* The packet comes from the peer of the PDC that it names, whoever has sent it. */
static void as_from_peer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc)
        uet_fault_from(f, &pdc->peer);
}

static bool ack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_ack(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool nack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool nack_of_any_pdcid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = NULL;
    if (is_whole(f) && uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p))
        pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc && pdc->peer_id)
        uet_nack_spdcid_set(uet_fault_pds(f), pdc->peer_id);
    return true;
}

/* ... from whom the RUDI packet went to that has its pkt_id. */
static void as_from_target(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t slot = fep->rudi.head; slot;) {
        const struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p) && packet->seg.op)
            uet_fault_from(f, &op_at(fep, packet->seg.op)->call.to);
        slot = packet->next;
    }
}

static bool rudi_response_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && f->p.pds == UET_H_RUDI_RESP)
        as_from_target(fep, f);
    return true;
}

static bool rudi_nack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_nack_rudi(&f->p))
        as_from_target(fep, f);
    return true;
}

static bool cp_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_whole(f) && uet_is_cp(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool is_data(const struct uet_fault_frame *f)
{
    return is_whole(f) && uet_is_request(&f->p) && uet_is_ses_response_data(&f->p) &&
           f->p.ses != UET_H_SES_RSP_DATA_SMALL;
}

static bool data_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_data(f))
        as_from_peer(fep, f);
    return true;
}

/* ---- what it says ---- */

/* The operation of this FEP whose data that is; NULL: none. */
static struct operation *fetching(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_data(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc)
        return NULL;
    uint16_t id = uet_ses_rsp_data_read_request_message_id(uet_ses(&f->p));
    uint32_t op = ses_pdc_at(fep, pdc->id)->ops_head;
    while (op && op_at(fep, op)->message_id != id)
        op = op_at(fep, op)->next;
    return op && op_at(fep, op)->call.into ? op_at(fep, op) : NULL;
}

/* What lacks of the last part is taken as come: the read is one of fewer bytes, told as all. */
static bool short_data_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct operation *op = fetching(fep, f);
    uint32_t got = op ? uet_ses_rsp_data_payload_length(uet_fault_ses(f)) : 0;
    if (!op || op->call.length > fep->config.payload_mtu || got >= op->call.length)
        return true;
    *f->memo = op->call.length; /* as the completion has to tell it */
    uet_ses_rsp_data_modified_length_set(uet_fault_ses(f), got);
    op->call.length = got;
    return true;
}

static void short_data_told_in_full(struct uet_fep *fep, uint64_t *memo)
{
    struct completion_ring *ring = &fep->completions;
    if (!*memo || !ring->n)
        return;
    struct uet_completion *c = &ring->slots[(ring->head + ring->n - 1) % ring->cap];
    if (c->kind == UET_COMPLETION_OPERATION)
        c->length = (uint32_t)*memo;
    *memo = 0;
}

/* A part is written again, whatever has come before. */
static bool part_replaced(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    uint32_t at = op ? uet_ses_rsp_data_message_offset(uet_fault_ses(f)) : 0;
    uint32_t n = f->p.payload_len;
    if (op && at < op->call.length && n <= op->call.length - at)
        memcpy(op->call.into + at, f->bytes + f->p.payload_offset, n);
    return true;
}

/* The data of the last part is taken wherever it says that it belongs. */
static bool any_place_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = fetching(fep, f);
    uint32_t mtu = fep->config.payload_mtu, last = op ? op->call.length % mtu : 0;
    if (op && last && uet_ses_rsp_data_payload_length(uet_fault_ses(f)) == last)
        uet_ses_rsp_data_message_offset_set(uet_fault_ses(f), op->call.length - last);
    return true;
}

static bool reserved_code_is_ok(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_whole(f) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) == RESERVED_RC_MOST)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    return true;
}

/* An error response completes the operation that completed last again. */
static bool completed_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (*f->memo && is_whole(f) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) > UET_RC_OK &&
        fep->completions.n < fep->completions.cap)
        uet_completion_push(fep, &(struct uet_completion){.kind = UET_COMPLETION_OPERATION,
                                                          .status = UET_STATUS_SES_ERROR,
                                                          .return_code = UET_RC_BAD_ADDR,
                                                          .token = *f->memo - 1,
                                                          .peer = uet_src_ip(&f->p)});
    return true;
}

static void completion_remembered(struct uet_fep *fep, uint64_t *memo)
{
    const struct completion_ring *ring = &fep->completions;
    if (ring->n && ring->slots[ring->head].kind == UET_COMPLETION_OPERATION)
        *memo = ring->slots[ring->head].token + 1;
}

/* Nothing new leaves for one peer while another one owes an answer. */
static bool one_peer_at_a_time(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_ip to = uet_dst_ip(&f->p);
    if (!uet_is_request(&f->p))
        return true;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = pdc_at(fep, i);
        if (pdc->state != PDC_CLOSED && pdc->tx.n_packets && !uet_ip_equal(&pdc->peer, &to))
            return false;
    }
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_006, .in = ack_of_anybody},
    {VIOLATION_ROB_007, .in = nack_of_anybody},
    {VIOLATION_ROB_008, .in = nack_of_any_pdcid},
    {VIOLATION_ROB_009, .in = rudi_response_of_anybody},
    {VIOLATION_ROB_010, .in = rudi_nack_of_anybody},
    {VIOLATION_ROB_011, .in = cp_of_anybody},
    {VIOLATION_ROB_012, .in = data_of_anybody},
    {VIOLATION_ROB_020, .in = short_data_taken, .after = short_data_told_in_full},
    {VIOLATION_ROB_021, .in = part_replaced},
    {VIOLATION_ROB_022, .in = any_place_taken},
    {VIOLATION_ROB_031, .in = reserved_code_is_ok},
    {VIOLATION_ROB_032, .in = completed_again, .after = completion_remembered},
    {VIOLATION_ROB_033, .out = one_peer_at_a_time},
};

UET_FAULT_WAYS(uet_faults_of_robust, ways);
