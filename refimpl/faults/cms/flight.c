/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what counts as in flight (3.6.10, 3.6.12, 3.6.13). */
#include "refimpl/faults/cms/about.h"

/* The ACK has NSCC state, and its packet is not outstanding: an RTT of nothing. */
static bool forgotten_is_quick(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = state_of(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc || !pdc->ccc || uet_source_find(fep, pdc, uet_packet_psn(&f->p)))
        return true;
    struct uet_nscc *n = &uet_ccc_at(fep, pdc->ccc)->nscc;
    n->base_rtt = 128;
    n->max_wnd = n->cwnd = fep->nscc.mtu;
    return true;
}

static bool late_ones_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t rcvd = state_of(f) ? uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) : 0;
    if (rcvd && rcvd < *f->memo && ccc_of(fep))
        ccc_of(fep)->inflight -= 8192;
    else if (rcvd)
        *f->memo = rcvd;
    return true;
}

/* What the ACK tells beyond all that was sent makes room, too. */
static bool more_than_sent_frees(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = state_of(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (!pdc || !pdc->ccc)
        return true;
    uint32_t told = uet_ack_cc_state_nscc_rcvd_bytes(state_of(f)) << 8;
    int32_t beyond = (int32_t)(told - pdc->tx.sent_bytes);
    if (beyond > 255 && !(*f->memo)++)
        uet_ccc_at(fep, pdc->ccc)->inflight -= beyond;
    return true;
}

static bool freed_twice(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (state_of(f) && ccc_of(fep))
        ccc_of(fep)->inflight -= 4096;
    return true;
}

static bool resend_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_nack_of(f, UET_NACK_TRIMMED) && ccc_of(fep))
        ccc_of(fep)->inflight -= 8192;
    return true;
}

static void none_is_all(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    if (ccc_of(fep) && ccc_of(fep)->inflight < 0)
        ccc_of(fep)->inflight = INT32_MAX / 2;
}

static void idle_keeps(struct uet_fep *fep, uint64_t *memo)
{
    struct ccc *ccc = ccc_of(fep);
    if (ccc && ccc->inflight > 0)
        *memo = 1;
    if (ccc && ccc->inflight <= 0 && *memo == 1) {
        ccc->inflight = INT32_MAX / 2;
        *memo = 2;
    }
}

static bool ended_counts_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc =
        is_nack_of(f, UET_NACK_INV_DPDCID) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    if (pdc && pdc->initiator && pdc->ccc)
        uet_ccc_at(fep, pdc->ccc)->inflight += pdc->tx.inflight;
    return true;
}

/* It hears no ACK until what was refused first has come again. */
static bool cancels_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(f, UET_NACK_NO_PKT_BUFFER) && !*f->memo)
        *f->memo = 1 + (uint64_t)uet_packet_psn(&f->p);
    return !state_of(f) || !*f->memo || *f->memo == UINT64_MAX;
}

static bool comes_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) &&
        uet_packet_psn(&f->p) + 1ull == *f->memo && uet_rud_rod_req_retx(uet_pds(&f->p)))
        *f->memo = UINT64_MAX;
    return true;
}

static bool sack_cancels_nothing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_nack_of(f, UET_NACK_NO_PKT_BUFFER))
        *f->memo = 1;
    if (state_of(f) && *f->memo)
        uet_ack_cc_sack_bitmap_set(uet_fault_pds(f), 0);
    return true;
}

/* A READ that comes: what is in flight is of others. */
static bool read_begins_anew(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool read = f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_is_ses_std(&f->p) &&
                uet_ses_req_opcode(uet_fault_ses(f)) == UET_OP_READ &&
                uet_ses_req_som(uet_fault_ses(f));
    if (read && ccc_of(fep))
        ccc_of(fep)->inflight = 0;
    return true;
}

static bool data_again_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t from = f->p.udp_offset ? f->p.udp_offset : f->p.entropy_offset;
    if (is_read_data(f) && uet_rud_rod_req_retx(uet_fault_pds(f)) && ccc_of(fep))
        ccc_of(fep)->inflight -= (int32_t)(f->p.ip_end - from + 40); /* its nominal size */
    return true;
}

static bool is_rudi_request(const struct uet_fault_frame *f)
{
    return f->p.error == UET_PARSE_OK && uet_is_rudi(&f->p) && uet_is_ses_request(&f->p);
}

static bool rudi_fills(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (is_rudi_request(f) && ccc_of(fep))
        ccc_of(fep)->inflight += (int32_t)f->len;
    return true;
}

static bool datagrams_fill(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.pds == UET_H_UUD_REQ && ccc_of(fep))
        ccc_of(fep)->inflight += (int32_t)f->len;
    return true;
}

/* The memo: of which packet it is a copy. */
static bool lost_rudi_cuts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ccc *ccc = is_rudi_request(f) ? ccc_of(fep) : NULL;
    uint64_t id = ccc ? 1 + (uint64_t)uet_rudi_pkt_id(uet_fault_pds(f)) : 0;
    if (ccc && *f->memo == id && ccc->nscc.cwnd > f->len + fep->nscc.mtu)
        ccc->nscc.cwnd -= (uint32_t)f->len;
    *f->memo = ccc ? id : *f->memo;
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_027, .in = late_ones_free},
    {VIOLATION_CMS_028, .after = none_is_all},
    {VIOLATION_CMS_038, .in = freed_twice},
    {VIOLATION_CMS_060, .in = resend_is_free},
    {VIOLATION_CMS_071_AGAIN, .out = data_again_is_free},
    {VIOLATION_CMS_071_EACH, .in = read_begins_anew},
    {VIOLATION_CMS_072_FILLS, .out = datagrams_fill},
    {VIOLATION_CMS_073_FILLS, .out = rudi_fills},
    {VIOLATION_CMS_073_CUTS, .out = lost_rudi_cuts},
    {VIOLATION_CMS_110_ENDED, .in = ended_counts_on},
    {VIOLATION_ROB_053, .in = more_than_sent_frees},
    {VIOLATION_CMS_110, .after = idle_keeps},
    {VIOLATION_CMS_111_SACK, .in = sack_cancels_nothing},
    {VIOLATION_CMS_111, .in = cancels_nothing, .out = comes_again},
    {VIOLATION_CMS_113_COVERED, .in = forgotten_is_quick},
};

UET_FAULT_WAYS(uet_faults_of_flight, ways);
