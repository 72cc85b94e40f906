/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of NACKs on their way in (pds/in/nacked.c). */
#include "refimpl/faults/pds/about.h"

/* ---- rows ---- */

static void ignore(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)fep, (void)pdc, (void)n;
}

static void infer_loss_ignored(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_RCVR_INFER_LOSS].act = ignore;
}

static void request_resent(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (n->packet->seg.op || n->packet->part)
        uet_nacked_resend(fep, pdc, n);
}

static void requests_alone_resent(struct uet_law *law)
{
    for (size_t i = 0; i < UET_NACK_CODES; i++)
        if (law->pds.nacks[i].act == uet_nacked_resend)
            law->pds.nacks[i].act = request_resent;
}

static void processing_resent(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_RCVD_SES_PROCG].act = uet_nacked_resend;
}

/* memo: a NACK of this code has come; the ACK behind it is lost. */
static bool ack_behind(struct uet_fault_frame *f, uint8_t code)
{
    const bool lost = *f->memo;
    if (is_nack_of(&f->p, code))
        *f->memo = 1;
    else if (uet_is_ack(&f->p))
        *f->memo = 0;
    return !lost || !uet_is_ack(&f->p);
}

static bool ack_behind_processing(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return ack_behind(f, UET_NACK_RCVD_SES_PROCG);
}

static bool ack_behind_beyond(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return ack_behind(f, UET_NACK_PSN_OOR_WINDOW);
}

/* What lies further above CACK_PSN is not looked at. */
static void next_alone(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (n->packet->psn == pdc->tx.cack_psn + 1)
        uet_nacked_beyond(fep, pdc, n);
}

static void next_alone_resent(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_PSN_OOR_WINDOW].act = next_alone;
}

static void trimmed_once(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (!n->packet->resent)
        uet_nacked_trimmed(fep, pdc, n);
}

static void resends_of_trimmed_once(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_TRIMMED].act = trimmed_once;
}

static bool is_nack_of_pdc(const struct uet_fault_frame *f)
{
    return uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p);
}

static bool fatal_code(uint8_t code)
{
    return uet_nack_table[code].nack_class == UET_CLASS_PDC_FATAL;
}

static bool is_common(uint8_t code)
{
    return code == UET_NACK_NO_PKT_BUFFER || code == UET_NACK_TRIMMED;
}

static bool of_copy(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    struct pdc *pdc = is_nack_of_pdc(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    const struct tx_packet *packet =
        pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p))) : NULL;
    return packet && packet->n_copies > 1;
}

static bool of_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    return !of_copy(fep, f) || is_common(uet_nack_nack_code(h)) ||
           fatal_code(uet_nack_nack_code(h));
}

static bool fatal_of_copy_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return !of_copy(fep, f) || !fatal_code(uet_nack_nack_code(uet_fault_pds(f)));
}

static bool draining_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_nack_of_pdc(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    bool drains =
        pdc && pdc->initiator && (pdc->state == PDC_QUIESCE || pdc->state == PDC_ACK_WAIT);
    return !drains || fatal_code(uet_nack_nack_code(uet_fault_pds(f)));
}

/* The PDC, of which this FEP is the target, whose return data the NACK refuses; NULL: none. */
static struct pdc *of_return_data(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    struct pdc *pdc = is_nack_of_pdc(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    return pdc && !pdc->initiator ? pdc : NULL;
}

static bool return_lack_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *h = uet_fault_pds(f);
    return !of_return_data(fep, f) || is_common(uet_nack_nack_code(h)) ||
           fatal_code(uet_nack_nack_code(h));
}

static bool return_fatal_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t code = uet_nack_nack_code(uet_fault_pds(f));
    return !of_return_data(fep, f) || code == UET_NACK_INV_DPDCID || !fatal_code(code);
}

static struct tx_packet *returned(struct uet_fep *fep, const struct uet_fault_frame *f)
{
    struct pdc *pdc = of_return_data(fep, f);
    return pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p))) : NULL;
}

static bool return_less(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct tx_packet *packet = returned(fep, f);
    if (packet && !packet->nack_count)
        packet->nack_count = 1;
    return true;
}

static bool cp_without_end(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = is_nack_of_pdc(f) ? uet_pdc_by_id(fep, uet_dpdcid(&f->p)) : NULL;
    struct tx_packet *packet =
        pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p))) : NULL;
    if (packet && !packet->seg.op && !packet->part)
        packet->nack_count = 0;
    return true;
}

static bool return_31(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct tx_packet *packet = returned(fep, f);
    return !packet || packet->nack_count < 31;
}

static void fail(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)n;
    uet_pdc_fail(fep, pdc);
}

static void progress_fails(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_RCVD_SES_PROCG].act = fail;
}

static void stop_rto(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)fep, (void)pdc;
    n->packet->deadline = UET_FEP_NEVER;
}

static void progress_stops_rto(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_RCVD_SES_PROCG].act = stop_rto;
}

static void fail_message(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    uint32_t op = n->packet->seg.op;
    uet_source_retire(fep, pdc, n->packet);
    uet_ses_fail(fep, op);
}

/* Only the message that is first on a refused PDC is tried again. */
static void joined_fail(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    const struct tx_packet *first = packet_at(fep, pdc->tx.head);
    if (pdc->peer_id || n->packet->seg.op == first->seg.op) {
        uet_nacked_no_pdc(fep, pdc, n);
        return;
    }
    fail_message(fep, pdc, n);
    if (pdc->tx.n_refused == pdc->tx.n_packets)
        uet_pdc_retry(fep, pdc);
}

static void joined_not_retried(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_NO_PDC_AVAIL].act = joined_fail;
}

static void unavailable_fails_message(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_GTD_RESP_UNAVAIL].act = fail_message;
}

static void unavailable_retried(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_GTD_RESP_UNAVAIL].retry = true;
}

static void closing_not_retried(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_CLOSING].retry = false;
}

static void closing_in_err_retried(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_CLOSING_IN_ERR].retry = true;
}

static void fatal_ignored(struct uet_law *law)
{
    for (size_t i = 0; i < UET_NACK_CODES; i++) {
        if (law->pds.nacks[i].nack_class == UET_CLASS_PDC_FATAL)
            law->pds.nacks[i].act = ignore;
    }
}

static void ignore_once_closed(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->state != PDC_CLOSE_ACK_WAIT)
        uet_nacked_close(fep, pdc, n);
}

static void close_unanswered(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_INV_DPDCID].act = ignore_once_closed;
}

/* As before a close: it closes in error, with a Close Command of its own. */
static void close_in_error(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->state != PDC_CLOSE_ACK_WAIT) {
        uet_nacked_close(fep, pdc, n);
        return;
    }
    pdc->state = PDC_ACK_WAIT;
    uet_pdc_retry(fep, pdc);
}

static void closed_anew(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_INV_DPDCID].act = close_in_error;
}

/* As any NACK that has the packet sent again, and that SACK may make needless. */
static void data_sacked(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_ACK_WITH_DATA].act = uet_nacked_resend;
}

static void no_pdc_resent(struct uet_law *law)
{
    for (size_t i = 0; i < UET_NACK_CODES; i++) {
        if (law->pds.nacks[i].act == uet_nacked_no_pdc ||
            law->pds.nacks[i].act == uet_nacked_no_resource)
            law->pds.nacks[i].act = uet_nacked_resend;
    }
}

/* Whether a run for that gap has begun already is not asked. */
static void go_back_always(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    pdc->tx.back_end = pdc->tx.back_psn;
    uet_nacked_go_back(fep, pdc, n);
}

/* Where a go-back ends is not told apart from what comes behind it. */
static void go_back_once(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (pdc->tx.back_psn == pdc->tx.back_end)
        uet_nacked_go_back(fep, pdc, n);
}

static void later_gaps_ignored(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_ROD_OOO].act = go_back_once;
}

/* What follows the message of the missing packet waits for a NACK of its own. */
static void goes_back_in_message(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    struct tx_packet *q = uet_source_find(fep, pdc, uet_nack_payload(n->h));
    uint32_t id = q ? q->next : 0;
    if (!q)
        return;
    uet_source_resend(fep, pdc, q);
    for (; id && packet_at(fep, id)->seg.op == q->seg.op; id = packet_at(fep, id)->next)
        uet_source_resend(fep, pdc, packet_at(fep, id));
    uet_pdc_ready(fep, pdc);
}

static void goes_back_to_eom(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_ROD_OOO].act = goes_back_in_message;
}

static void late_ooo_repeats(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_ROD_OOO].act = go_back_always;
}

static void retx_ignored(struct uet_law *law)
{
    for (size_t i = 0; i < UET_NACK_CODES; i++) {
        if (law->pds.nacks[i].action == UET_ACTION_RETX)
            law->pds.nacks[i].act = ignore;
    }
}

static void retry(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    (void)n;
    uet_pdc_retry(fep, pdc);
}

static void reserved_closes(struct uet_law *law)
{
    for (size_t i = 0; i < UET_NACK_CODES; i++) {
        if (law->pds.nacks[i].reserved)
            law->pds.nacks[i].act = retry;
        law->pds.nacks[i].reserved = false;
    }
}

static void resends_without_end(struct uet_fep_params *params)
{
    params->Max_NACK_Retx_Cnt = 31;
}

/* ---- a code, and what it does ---- */

#define CODE_DOES(name, code, what)                                                                \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->pds.nacks[code].act = what;                                                           \
    }
CODE_DOES(code_02, UET_NACK_TRIMMED_LASTHOP, ignore)
CODE_DOES(code_05, UET_NACK_NO_CCC_AVAIL, fail)
CODE_DOES(code_06, UET_NACK_NO_BITMAP, fail)
CODE_DOES(code_08, UET_NACK_NO_GTD_DEL_AVAIL, ignore)
CODE_DOES(code_09, UET_NACK_NO_SES_MSG_AVAIL, ignore)
CODE_DOES(code_0a, UET_NACK_NO_RESOURCE, ignore)

static void resource_of_a_pdc(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (uet_nack_spdcid(n->h))
        uet_nacked_resend(fep, pdc, n);
}

CODE_DOES(code_0a_syn, UET_NACK_NO_RESOURCE, resource_of_a_pdc)
CODE_DOES(code_0b, UET_NACK_PSN_OOR_WINDOW, ignore)
CODE_DOES(code_0e, UET_NACK_INV_DPDCID, ignore)
CODE_DOES(code_0f, UET_NACK_PDC_HDR_MISMATCH, ignore)
CODE_DOES(code_11_message, UET_NACK_CLOSING_IN_ERR, fail_message)
CODE_DOES(code_15, UET_NACK_INVALID_SYN, ignore)
CODE_DOES(code_16, UET_NACK_PDC_MODE_MISMATCH, ignore)
CODE_DOES(code_19, UET_NACK_UNEXP_EVENT, ignore)

static void resend_but_rod(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n)
{
    if (!pdc->rod)
        uet_nacked_resend(fep, pdc, n);
}
CODE_DOES(code_07_rod, UET_NACK_NO_PKT_BUFFER, resend_but_rod)

#define RETRY_NOT(name, code)                                                                      \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->pds.nacks[code].retry = false;                                                        \
    }
RETRY_NOT(no_retry_0e, UET_NACK_INV_DPDCID)
RETRY_NOT(no_retry_0f, UET_NACK_PDC_HDR_MISMATCH)
RETRY_NOT(no_retry_15, UET_NACK_INVALID_SYN)
RETRY_NOT(no_retry_16, UET_NACK_PDC_MODE_MISMATCH)
RETRY_NOT(no_retry_19, UET_NACK_UNEXP_EVENT)

static void nack_at_once(struct uet_fep_params *params)
{
    params->NACK_Retx_Time = 1; /* ns: later than now */
}

/* A packet that waits for its resend is NACKed as if it did not. */
static bool copies_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    struct tx_packet *packet =
        pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p))) : NULL;
    if (packet)
        packet->nack_wait = false;
    return true;
}

/* memo: the PSN of the packet that was refused last, and what its RTO count was then. */
static bool timeout_renews(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    struct tx_packet *packet =
        pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(&f->p))) : NULL;
    if (!packet)
        return true;
    const uint64_t psn = (uint64_t)packet->psn << 8;
    if ((*f->memo & ~UINT64_C(0xff)) == psn && packet->rto_count > (uint8_t)*f->memo)
        packet->nack_count = 0;
    *f->memo = psn | packet->rto_count;
    return true;
}

/* Who answers a question for credit so is not heard. */
static void credit_asks_on_0e(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_INV_DPDCID].unknown = false;
}

static void credit_asks_on_0f(struct uet_law *law)
{
    law->pds.nacks[UET_NACK_PDC_HDR_MISMATCH].unknown = false;
}

static bool tells_trim(const struct uet_packet *p)
{
    return is_nack_of(p, UET_NACK_TRIMMED) || is_nack_of(p, UET_NACK_TRIMMED_LASTHOP);
}

/* The packet that the NACK names has had none before. */
static void count_anew(struct uet_fep *fep, const struct uet_packet *p)
{
    const struct pdc *pdc = nacked(fep, p);
    struct tx_packet *q = pdc ? uet_source_find(fep, pdc, uet_nack_nack_psn(uet_pds(p))) : NULL;
    if (q)
        q->nack_count = 0;
}

static bool trimmed_not_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (tells_trim(&f->p))
        count_anew(fep, &f->p);
    return true;
}

static bool rod_nacks_not_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    if (pdc && pdc->rod)
        count_anew(fep, &f->p);
    return true;
}

static bool coded_trim_ignored(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !tells_trim(&f->p) || !uet_nack_vendor_code(uet_pds(&f->p));
}

static bool coded_refusal_ignored(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    return !pdc || pdc->peer_id || !uet_nack_vendor_code(uet_pds(&f->p));
}

static bool edges_close(struct uet_fep *fep, struct uet_fault_frame *f)
{
    static const uint8_t edges[] = {0x00, 0x0c, 0x1b, 0xfc};
    const struct pdc *pdc = nacked(fep, &f->p);
    for (size_t i = 0; pdc && i < sizeof edges; i++)
        if (is_nack_of(&f->p, edges[i]))
            uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_UNEXP_EVENT);
    return true;
}

static bool trimmed_ack_closes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (nacked(fep, &f->p) && is_nack_of(&f->p, 0x03))
        uet_nack_nack_code_set(uet_fault_pds(f), UET_NACK_UNEXP_EVENT);
    return true;
}

static bool trimmed_data_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    return !pdc || pdc->initiator || !tells_trim(&f->p);
}

static bool data_nacks_not_counted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = nacked(fep, &f->p);
    if (pdc && !pdc->initiator)
        count_anew(fep, &f->p);
    return true;
}

static bool syn_trimmed_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_nack_of(&f->p, UET_NACK_TRIMMED) ? nacked(fep, &f->p) : NULL;
    return !(pdc && !pdc->peer_id && !uet_spdcid(&f->p));
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_136_RETURN, .in = data_nacks_not_counted},
    {VIOLATION_PDS_136_TRIMMED, .in = trimmed_not_counted},
    {VIOLATION_PDS_136_ROD, .in = rod_nacks_not_counted},
    {VIOLATION_PDS_148_TRIMMED, .in = coded_trim_ignored},
    {VIOLATION_PDS_148_SYN, .in = coded_refusal_ignored},
    {VIOLATION_PDS_154_EDGES, .in = edges_close},
    {VIOLATION_PDS_154_TRIMMED, .in = trimmed_ack_closes},
    {VIOLATION_PDS_226_RETURN, .in = trimmed_data_stays},
    {VIOLATION_PDS_135_SYN, .rows = code_0a_syn},
    {VIOLATION_PDS_136_COPIES, .in = copies_count},
    {VIOLATION_PDS_136_RENEWED, .in = timeout_renews},
    {VIOLATION_PDS_135, .rows = retx_ignored},
    {VIOLATION_PDS_135_CP, .rows = requests_alone_resent},
    {VIOLATION_PDS_135_GTD, .rows = code_08},
    {VIOLATION_PDS_135_MSG, .rows = code_09},
    {VIOLATION_PDS_135_RESOURCE, .rows = code_0a},
    {VIOLATION_PDS_135_EARLY, .params = nack_at_once},
    {VIOLATION_PDS_135_ROD, .rows = code_07_rod},
    {VIOLATION_PDS_136, .params = resends_without_end},
    {VIOLATION_PDS_137_QUEUED, .rows = joined_not_retried},
    {VIOLATION_PDS_137, .rows = no_pdc_resent},
    {VIOLATION_PDS_137_CCC, .rows = code_05},
    {VIOLATION_PDS_137_BITMAP, .rows = code_06},
    {VIOLATION_PDS_138, .rows = fatal_ignored},
    {VIOLATION_PDS_138_0E, .rows = code_0e},
    {VIOLATION_PDS_138_0F, .rows = code_0f},
    {VIOLATION_PDS_138_15, .rows = code_15},
    {VIOLATION_PDS_138_16, .rows = code_16},
    {VIOLATION_PDS_138_19, .rows = code_19},
    {VIOLATION_PDS_138_0E_RETRY, .rows = no_retry_0e},
    {VIOLATION_PDS_138_0F_RETRY, .rows = no_retry_0f},
    {VIOLATION_PDS_138_15_RETRY, .rows = no_retry_15},
    {VIOLATION_PDS_138_16_RETRY, .rows = no_retry_16},
    {VIOLATION_PDS_138_19_RETRY, .rows = no_retry_19},
    {VIOLATION_PDS_139, .rows = closing_not_retried},
    {VIOLATION_PDS_140, .rows = closing_in_err_retried},
    {VIOLATION_PDS_140_MESSAGE, .rows = code_11_message},
    {VIOLATION_PDS_141, .rows = unavailable_retried},
    {VIOLATION_PDS_141_PDC, .rows = unavailable_fails_message},
    {VIOLATION_PDS_142_SACK, .rows = data_sacked},
    {VIOLATION_PDS_144, .rows = progress_fails},
    {VIOLATION_PDS_144_STOP, .rows = progress_stops_rto},
    {VIOLATION_PDS_151_NEVER, .rows = code_0b},
    {VIOLATION_PDS_151_NEXT, .rows = next_alone_resent},
    {VIOLATION_PDS_151_BEHIND, .in = ack_behind_beyond},
    {VIOLATION_PDS_154, .rows = reserved_closes},
    {VIOLATION_PDS_135_COPY, .in = of_copy_lost},
    {VIOLATION_PDS_135_DRAINING, .in = draining_lost},
    {VIOLATION_PDS_135_RETURN_LACK, .in = return_lack_lost},
    {VIOLATION_PDS_136_RETURN_LESS, .in = return_less},
    {VIOLATION_PDS_136_RETURN_31, .in = return_31},
    {VIOLATION_PDS_136_CP, .in = cp_without_end},
    {VIOLATION_PDS_138_COPY, .in = fatal_of_copy_lost},
    {VIOLATION_PDS_138_RETURN_OTHER, .in = return_fatal_lost},
    {VIOLATION_PDS_162_PROCESSING, .rows = processing_resent, .in = ack_behind_processing},
    {VIOLATION_PDS_167_FIRST, .rows = later_gaps_ignored},
    {VIOLATION_PDS_167_MESSAGE, .rows = goes_back_to_eom},
    {VIOLATION_PDS_168_LATE, .rows = late_ooo_repeats},
    {VIOLATION_PDS_206, .rows = close_unanswered},
    {VIOLATION_PDS_206_ANEW, .rows = closed_anew},
    {VIOLATION_PDS_226_ONCE, .rows = resends_of_trimmed_once},
    {VIOLATION_PDS_226_LASTHOP, .rows = code_02},
    {VIOLATION_PDS_227_SYN, .in = syn_trimmed_lost},
    {VIOLATION_PDS_229, .rows = infer_loss_ignored},
    {VIOLATION_PDS_138_0E_CREDIT, .rows = credit_asks_on_0e},
    {VIOLATION_PDS_138_0F_CREDIT, .rows = credit_asks_on_0f},
};

UET_FAULT_WAYS(uet_faults_of_nacked, ways);
