/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what has no PDC: RUDI and UUD (pds/rudi.c, uud.c). */
#include "refimpl/edge.h"
#include "refimpl/faults/pds/about.h"
#include "refimpl/ses/checks.h"

/* ---- RUDI ---- */

static bool is_rudi_request(const struct uet_fault_frame *f)
{
    return f->p.pds == UET_H_RUDI_REQ;
}

/* A filter for duplicates, as RUDI targets have none: the pkt_id after the last is remembered. */
static bool rudi_duplicate_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_rudi_request(f) || uet_edge_trimmed(&f->p))
        return true;
    bool seen = *f->memo == uet_pkt_id(&f->p) + 1ull;
    *f->memo = uet_pkt_id(&f->p) + 1ull;
    return !seen;
}

static bool rudi_trimmed_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(is_rudi_request(f) && uet_edge_trimmed(&f->p));
}

static bool stateless_trimmed_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return fep->params.ACK_CC || rudi_trimmed_lost(fep, f);
}

/* The first packet that waits is given the Response of another. */
static bool rudi_late_response_taken(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pool *packets = &fep->rudi.packets;
    if (f->p.pds != UET_H_RUDI_RESP || !fep->rudi.head)
        return true;
    for (uint32_t slot = fep->rudi.head; slot;) {
        const struct tx_packet *packet = pool_item(packets, slot);
        if (packet->psn == uet_pkt_id(&f->p))
            return true;
        slot = packet->next;
    }
    const struct tx_packet *first = pool_item(packets, fep->rudi.head);
    uet_rudi_pkt_id_set(uet_fault_pds(f), first->psn);
    return true;
}

static void failed_is_remembered(struct uet_fep *fep, uint64_t *memo)
{
    const struct completion_ring *ring = &fep->completions;
    if (ring->n && ring->slots[ring->head].status == UET_STATUS_PDS_ERROR)
        *memo = ring->slots[ring->head].token + 1;
}

/* ... and is complete when its Response comes after all. */
static bool failed_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (*f->memo && f->p.pds == UET_H_RUDI_RESP && fep->completions.n < fep->completions.cap)
        uet_completion_push(fep, &(struct uet_completion){.kind = UET_COMPLETION_OPERATION,
                                                          .status = UET_STATUS_OK,
                                                          .return_code = UET_RC_OK,
                                                          .token = *f->memo - 1,
                                                          .peer = uet_src_ip(&f->p)});
    return true;
}

/* The timer is set for the packet that leaves, and no more for those that wait. */
static bool rudi_others_wait(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!is_rudi_request(f) || !uet_rudi_retx(uet_fault_pds(f)))
        return true;
    for (uint32_t slot = fep->rudi.head; slot;) {
        const struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p))
            fep->rudi.deadline = packet->deadline;
        slot = packet->next;
    }
    return true;
}

static void rudi_15_resends(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->rto_count >= 15)
            packet->deadline = fep->rudi.deadline = UET_FEP_NEVER;
        slot = packet->next;
    }
}

static bool rudi_nack_is_timeout(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool its = uet_is_nack(&f->p) && uet_is_nack_rudi(&f->p);
    for (uint32_t slot = its ? fep->rudi.head : 0; slot;) {
        struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p) && packet->rto_count < UINT8_MAX)
            packet->rto_count++;
        slot = packet->next;
    }
    return true;
}

/* A Request that waits for its resend is NACKed as if it did not. */
static bool is_rudi_nack(const struct uet_fault_frame *f)
{
    return uet_is_nack(&f->p) && uet_is_nack_rudi(&f->p);
}

static bool rudi_nack_without_retries(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !is_rudi_nack(f) || fep->params.Max_NACK_Retx_Cnt;
}

static bool rudi_31_nacks(struct uet_fep *fep, struct uet_fault_frame *f)
{
    f->memo[0] += is_rudi_nack(f);
    (void)fep;
    return !is_rudi_nack(f) || f->memo[0] <= 31;
}

static bool rudi_copies_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool its = uet_is_nack(&f->p) && uet_is_nack_rudi(&f->p);
    for (uint32_t slot = its ? fep->rudi.head : 0; slot;) {
        struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p))
            packet->nack_wait = false;
        slot = packet->next;
    }
    return true;
}

static bool rudi_pkt_id_one(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_rudi_request(f))
        uet_rudi_pkt_id_set(uet_fault_pds(f), 1);
    return true;
}

/* Reads are numbered by themselves: the last write has the same number. */
static bool rudi_reads_numbered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    const bool reads = is_rudi_request(f) && uet_is_ses_request(&f->p) &&
                       uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_READ;
    if (reads && *f->memo)
        uet_rudi_pkt_id_set(uet_fault_pds(f), (uint32_t)*f->memo);
    else if (is_rudi_request(f))
        *f->memo = uet_pkt_id(&f->p) | 1ull << 32;
    return true;
}

static bool rudi_response_pkt_id(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_RESP)
        uet_rudi_pkt_id_set(uet_fault_pds(f), uet_pkt_id(&f->p) + 1u);
    return true;
}

/* memo: the pkt_id after that of a packet which has no response of its own. */
static bool notes_unless(struct uet_fault_frame *f, bool (*answered)(const uint8_t *ses))
{
    if (is_rudi_request(f) && uet_is_ses_std(&f->p) && !answered(uet_ses(&f->p)))
        *f->memo = uet_pkt_id(&f->p) + 1ull;
    return true;
}

static bool rudi_notes_unless_last(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_unless(f, uet_ses_req_eom);
}

static bool rudi_notes_unless_first(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_unless(f, uet_ses_req_som);
}

static bool rudi_noted_unanswered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.pds == UET_H_RUDI_RESP && *f->memo == uet_pkt_id(&f->p) + 1ull);
}

static bool rudi_no_retx(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_rudi_request(f))
        uet_rudi_retx_set(uet_fault_pds(f), false);
    return true;
}

static bool rudi_response_no_retx(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_RESP)
        uet_rudi_retx_set(uet_fault_pds(f), false);
    return true;
}

/* memo: the first 8 bytes of the last data. */
static bool rudi_data_kept(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *data = f->bytes + f->p.payload_offset;
    (void)fep;
    if (f->p.pds != UET_H_RUDI_RESP || !uet_is_ses_response_data(&f->p) || f->p.payload_len < 8)
        return true;
    if (uet_rudi_retx(uet_pds(&f->p)))
        uet_wr64(data, *f->memo);
    else
        *f->memo = uet_rd64(data);
    return true;
}

static bool rudi_no_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_RESP)
        uet_rudi_resp_m_set(uet_fault_pds(f), false);
    return true;
}

static bool rudi_data_no_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return uet_is_ses_response_data(&f->p) ? rudi_no_ce(fep, f) : true;
}

/* Has it once had no PDC left? */
static bool ran_out_of_pdcs(struct uet_fault_frame *f)
{
    *f->memo |= uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_NO_PDC_AVAIL;
    return *f->memo;
}

static bool rudi_wants_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(ran_out_of_pdcs(f) && is_rudi_request(f));
}

static bool uud_wants_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(ran_out_of_pdcs(f) && uet_is_uud(&f->p));
}

static void rudi_no_timer(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    fep->rudi.deadline = UET_FEP_NEVER;
}

static void rudi_endless(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        if (q->rto_count > 1)
            q->rto_count = 1;
        slot = q->next;
    }
}

static void rudi_silent_end(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        if (q->rto_count >= fep->params.Max_RTO_Retx_Cnt && !q->resend)
            q->deadline = UET_FEP_NEVER;
        slot = q->next;
    }
}

/* ---- UUD ---- */

/* What must never come. */
static void answer_datagram(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_build b;
    if (!uet_reply_start(fep, &b, p, NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, UET_NACK_UNEXP_EVENT);
    uet_reply_finish(fep, &b, 0);
}

static bool datagram_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_uud(&f->p) && f->p.error == UET_PARSE_OK && !uet_edge_trimmed(&f->p))
        answer_datagram(fep, &f->p);
    return true;
}

/* What is looked up before anything asks by what mode it came. */
static bool unknown_address_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ses_request r;
    if (!uet_is_uud(&f->p) || f->p.error != UET_PARSE_OK || !uet_is_ses_request(&f->p))
        return true;
    uet_ses_request_read(fep, &f->p, &r);
    if (!uet_service_job_known(fep, &r) || !uet_service_pid_known(fep, &r))
        answer_datagram(fep, &f->p);
    return true;
}

static bool marked_datagram_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.error != UET_PARSE_OK || uet_ecn(&f->p) != UET_ECN_CE || datagram_answered(fep, f);
}

static bool trimmed_datagram_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_uud(&f->p) && uet_edge_trimmed(&f->p))
        answer_datagram(fep, &f->p);
    return true;
}

static bool lasthop_datagram_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return f->p.trim == UET_TRIM_LASTHOP ? trimmed_datagram_answered(fep, f) : true;
}

static bool whole_datagram_goes_on(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.pds == UET_H_UUD_REQ && f->p.payload_len == fep->config.payload_mtu)
        uet_ses_req_eom_set(uet_fault_ses(f), false);
    return true;
}

static bool datagram_flag(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_uud(&f->p))
        uet_uud_req_flags_rsvd_set(uet_fault_pds(f), 1);
    return true;
}

/* The low half of a pkt_id is all that is compared. */
static bool rudi_pkt_id_by_half(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.pds != UET_H_RUDI_RESP)
        return true;
    for (uint32_t slot = fep->rudi.head; slot;) {
        const struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if ((uint16_t)packet->psn == (uint16_t)uet_pkt_id(&f->p))
            uet_rudi_pkt_id_set(uet_fault_pds(f), packet->psn);
        slot = packet->next;
    }
    return true;
}

static bool rudi_arrival_is_answer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_RESP && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_NO_RESPONSE)
        uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_DEFAULT_RESPONSE);
    return true;
}

/* What is told a success without data is taken for a READ that was answered. */
static bool rudi_needs_no_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (uint32_t slot = f->p.pds == UET_H_RUDI_RESP ? fep->rudi.head : 0; slot;) {
        const struct tx_packet *packet = pool_item(&fep->rudi.packets, slot);
        if (packet->psn == uet_pkt_id(&f->p) && uet_is_ses_response(&f->p))
            op_at(fep, packet->seg.op)->call.opcode = UET_OP_WRITE;
        slot = packet->next;
    }
    return true;
}

static bool coded_rudi_nack_ignored(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !uet_is_nack_rudi(&f->p) || !uet_nack_vendor_code(uet_pds(&f->p));
}

static bool lasthop_has_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack_rudi(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_TRIMMED_LASTHOP)
        uet_nack_nt_set(uet_fault_pds(f), UET_NACK_TYPE_RUD_ROD);
    return true;
}

static bool rudi_nack_without_ce(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack_rudi(&f->p))
        uet_nack_m_set(uet_fault_pds(f), false);
    return true;
}

static bool fresh_duplicate_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool seen = !rudi_duplicate_lost(fep, f);
    return !seen || uet_rudi_retx(uet_pds(&f->p));
}

static void rudi_no_backoff(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        q->rto_count = 0;
        slot = q->next;
    }
}

/* For all that it sends: one operation is under way where this is looked for. */
static bool rudi_nack_renews(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_is_nack_rudi(&f->p))
        return true;
    for (uint32_t slot = fep->rudi.head; slot;) {
        struct tx_packet *q = pool_item(&fep->rudi.packets, slot);
        q->rto_count = 0;
        slot = q->next;
    }
    return true;
}

static bool rudi_lack_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_nack_rudi(&f->p))
        return true;
    uint8_t code = uet_nack_nack_code(uet_pds(&f->p));
    return code == UET_NACK_TRIMMED || code == UET_NACK_TRIMMED_LASTHOP;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_005_FRESH, .in = fresh_duplicate_lost},
    {VIOLATION_PDS_157_RUDI, .after = rudi_no_backoff},
    {VIOLATION_PDS_136_RUDI_NONE, .in = rudi_nack_without_retries},
    {VIOLATION_PDS_136_RUDI_31, .in = rudi_31_nacks},
    {VIOLATION_PDS_159_RUDI, .after = rudi_15_resends},
    {VIOLATION_PDS_148_RUDI, .in = coded_rudi_nack_ignored},
    {VIOLATION_PDS_179_LASTHOP, .out = lasthop_has_pdc},
    {VIOLATION_PDS_221_RUDI, .out = rudi_nack_without_ce},
    {VIOLATION_SES_121_RUDI, .in = rudi_arrival_is_answer},
    {VIOLATION_ROB_020_RUDI, .in = rudi_needs_no_data},
    {VIOLATION_PDS_005, .in = rudi_duplicate_lost},
    {VIOLATION_PDS_006, .in = datagram_answered},
    {VIOLATION_PDS_006_ADDRESS, .in = unknown_address_told},
    {VIOLATION_PDS_136_RUDI, .in = rudi_copies_count},
    {VIOLATION_PDS_172, .out = rudi_pkt_id_one},
    {VIOLATION_PDS_172_READ, .out = rudi_reads_numbered},
    {VIOLATION_PDS_173, .out = rudi_response_pkt_id},
    {VIOLATION_PDS_174_PDC, .out = rudi_wants_pdc},
    {VIOLATION_PDS_175_OTHERS, .out = rudi_others_wait},
    {VIOLATION_PDS_175_NACKED, .in = rudi_nack_is_timeout},
    {VIOLATION_PDS_175_RENEWED, .in = rudi_nack_renews},
    {VIOLATION_PDS_179_LACK, .in = rudi_lack_lost},
    {VIOLATION_PDS_175, .after = rudi_no_timer},
    {VIOLATION_PDS_175_ENDLESS, .after = rudi_endless},
    {VIOLATION_PDS_175_SILENT, .after = rudi_silent_end},
    {VIOLATION_PDS_176, .in = rudi_late_response_taken},
    {VIOLATION_PDS_177, .out = rudi_no_retx},
    {VIOLATION_PDS_177_ECHO, .out = rudi_response_no_retx},
    {VIOLATION_PDS_178, .out = rudi_no_ce},
    {VIOLATION_PDS_178_DATA, .out = rudi_data_no_ce},
    {VIOLATION_PDS_181_PDC, .out = uud_wants_pdc},
    {VIOLATION_PDS_182, .out = datagram_flag},
    {VIOLATION_PDS_184, .in = trimmed_datagram_answered},
    {VIOLATION_PDS_184_LASTHOP, .in = lasthop_datagram_answered},
    {VIOLATION_PDS_225, .in = rudi_trimmed_lost},
    {VIOLATION_PDS_225_ACK, .in = stateless_trimmed_lost},
    {VIOLATION_CMS_012_UUD, .in = marked_datagram_told},
    {VIOLATION_SES_036_WHOLE, .out = whole_datagram_goes_on},
    {VIOLATION_SES_087, .in = rudi_notes_unless_last, .out = rudi_noted_unanswered},
    {VIOLATION_SES_087_FIRST, .in = rudi_notes_unless_first, .out = rudi_noted_unanswered},
    {VIOLATION_SES_088_KEPT, .out = rudi_data_kept},
    {VIOLATION_PDS_176_ENDED, .in = failed_completes, .after = failed_is_remembered},
    {VIOLATION_PDS_176_HALF, .in = rudi_pkt_id_by_half},
};

UET_FAULT_WAYS(uet_faults_of_single, ways);
