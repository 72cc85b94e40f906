/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that do not give back what has ended (ROB): seen only when it has ended often enough. */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* How often the counter has moved since this fault last looked; 0 when it looks first. */
static uint32_t moved(const struct uet_fep *fep, uint64_t *memo, enum uet_counter_id counter)
{
    uint64_t now = fep->counters[counter] + 1, before = *memo ? *memo : now;
    *memo = now;
    return (uint32_t)(now - before);
}

/* Free PDCs that nobody finds any more; a reset brings them back, as all below. How many lack. */
static uint32_t lose_pdcs(struct uet_fep *fep, uint32_t n)
{
    for (; n && fep->free_head; n--) {
        fep->free_head = pdc_at(fep, fep->free_head)->next;
        if (!fep->free_head)
            fep->free_tail = 0;
    }
    return n;
}

static void lose_items(struct pool *pool, uint32_t n)
{
    while (n-- && pool_get(pool))
        ;
}

#define LOSES_PDCS(name, counter)                                                                  \
    static void name(struct uet_fep *fep, uint64_t *memo)                                          \
    {                                                                                              \
        *memo -= lose_pdcs(fep, moved(fep, memo, CNT_##counter)); /* which are lost later */       \
    }

#define LOSES(name, pool, counter)                                                                 \
    static void name(struct uet_fep *fep, uint64_t *memo)                                          \
    {                                                                                              \
        lose_items(&fep->pool, moved(fep, memo, CNT_##counter));                                   \
    }

/* ---- as target: PDCs ---- */

LOSES_PDCS(closed_pdc_stays, pdc_closed)
LOSES_PDCS(asked_pdc_stays, tx_close_request)
LOSES_PDCS(given_up_pdc_stays, pdc_close_req_timeout)
LOSES_PDCS(pending_pdc_stays, pdc_pending_timeout)
LOSES_PDCS(refused_syn_takes_pdc, tx_nack_invalid_syn)
LOSES_PDCS(trimmed_takes_pdc, rx_trimmed)
LOSES_PDCS(zero_takes_pdc, drop_syn_spdcid_zero)
LOSES_PDCS(early_rod_takes_pdc, tx_nack_rod_ooo)
LOSES(closed_bitmap_stays, bitmaps, pdc_closed)
LOSES(failed_bitmap_stays, bitmaps, pdc_closed_in_error)

/* memo: how many of that pool have been taken. */
static void reserved_pdc_stays(struct uet_fep *fep, uint64_t *memo)
{
    if (!fep->counters[CNT_pdc_opened_target])
        *memo = 0; /* it has been reset */
    if (fep->n_reserved < *memo)
        fep->n_reserved = (uint32_t)*memo;
    *memo = fep->n_reserved;
}

static bool late_syn_takes_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_request(&f->p) && uet_has_syn(&f->p) &&
        uet_rud_rod_req_retx(uet_pds(&f->p)))
        ++*f->memo;
    (void)fep;
    return true;
}

static bool cut_syn_takes_pdc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_SES_SHORT && uet_is_request(&f->p) && uet_has_syn(&f->p))
        ++*f->memo;
    (void)fep;
    return true;
}

/* What .in has counted is lost as soon as it is free. */
static void counted_pdcs_stay(struct uet_fep *fep, uint64_t *memo)
{
    *memo = lose_pdcs(fep, (uint32_t)*memo);
}

/* ---- messages and receives ---- */

LOSES(abandoned_message_stays, messages, ses_message_abandoned)
LOSES(failed_message_stays, messages, ses_refused)
LOSES(done_message_stays, messages, ses_message_done)
LOSES(copy_takes_message, messages, rx_dup_retx)
LOSES(early_takes_message, messages, rx_out_of_order)

static bool counts_cut_single(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p) && !uet_ses_req_eom(uet_ses(&f->p)))
        ++*f->memo;
    return true;
}

static void counted_messages_stay(struct uet_fep *fep, uint64_t *memo)
{
    lose_items(&fep->messages, (uint32_t)*memo);
    *memo = 0;
}

/* ---- what waits for the peer: responses, read data ---- */

enum { BY_REQUEST = 1, BY_CLEAR, BY_CLOSE, BY_ACK, BY_NACK };

static uint64_t means_of(const struct uet_packet *p)
{
    if (p->error != UET_PARSE_OK)
        return 0;
    if (uet_is_request(p))
        return BY_REQUEST;
    if (uet_is_ack(p))
        return BY_ACK;
    if (uet_is_nack(p))
        return BY_NACK;
    if (!uet_is_cp(p))
        return 0;
    return uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLEAR_COMMAND   ? BY_CLEAR
           : uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLOSE_COMMAND ? BY_CLOSE
                                                                  : 0;
}

/* The memo: how many of the pool were in use before this frame, and what the frame is. */
#define MEANS(memo) ((memo) >> 32)

static bool count_before(const struct pool *pool, struct uet_fault_frame *f)
{
    *f->memo = means_of(&f->p) << 32 | pool->used;
    return true;
}

static void keep_what_ended(struct pool *pool, uint64_t *memo, uint64_t means)
{
    uint32_t before = (uint32_t)*memo;
    if (MEANS(*memo) == means && pool->used < before)
        lose_items(pool, before - pool->used);
    *memo = 0;
}

static bool stored_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return count_before(&fep->stored, f);
}

static void cleared_by_request_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->stored, memo, BY_REQUEST);
}

static void cleared_by_command_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->stored, memo, BY_CLEAR);
}

static void cleared_by_close_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->stored, memo, BY_CLOSE);
}

/* An ACK behind a Close Command belongs to the close. */
static bool parts_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = NULL;
    if (means_of(&f->p) == BY_ACK)
        if (uet_dpdcid(&f->p) <= fep->config.max_pdcs)
            pdc = pdc_at(fep, uet_dpdcid(&f->p));
    *f->memo =
        (pdc && pdc->rx.closing ? (uint64_t)BY_CLOSE : means_of(&f->p)) << 32 | fep->parts.used;
    return true;
}

static void served_read_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->parts, memo, BY_ACK);
}

static void cut_read_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->parts, memo, BY_CLOSE);
}

static void nacked_read_stays(struct uet_fep *fep, uint64_t *memo)
{
    keep_what_ended(&fep->parts, memo, BY_NACK);
}

/* What waits behind the data that is answered so is out of sight, and stays. */
static bool queue_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct pdc *pdc = NULL;
    if (means_of(&f->p) == BY_NACK && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_INV_DPDCID &&
        uet_dpdcid(&f->p) <= fep->config.max_pdcs)
        pdc = pdc_at(fep, uet_dpdcid(&f->p));
    if (pdc)
        pdc->parts_head = pdc->parts_tail = 0;
    return true;
}

LOSES(refused_read_stays, parts, ses_refused)

/* Of each PDC given up, a few. */
static void given_up_read_stays(struct uet_fep *fep, uint64_t *memo)
{
    lose_items(&fep->parts, 3 * moved(fep, memo, CNT_rto_exhausted));
}

/* ---- as initiator ---- */

LOSES_PDCS(own_closed_pdc_stays, tx_close_command)
LOSES_PDCS(fatal_pdc_stays, nack_fatal)
LOSES_PDCS(silent_pdc_stays, rto_exhausted)
LOSES(done_operation_stays, operations, op_completed)
LOSES(refused_operation_stays, operations, op_ses_error)

/* memo: how many there were. */
static void own_operation_stays(struct uet_fep *fep, uint64_t *memo)
{
    const uint32_t now = fep->n_own_operations, before = (uint32_t)*memo;
    *memo = now;
    if (now < before)
        lose_items(&fep->operations, before - now);
}

LOSES(failed_operation_stays, operations, op_pds_error)
/* memo: how often operations have failed, and below that whether a READ left last. */
static bool notes_read(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        *f->memo = (*f->memo & ~1ull) | (uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_READ);
    return true;
}

static void failed_read_stays(struct uet_fep *fep, uint64_t *memo)
{
    uint64_t failed = *memo >> 1;
    uint32_t n = moved(fep, &failed, CNT_op_pds_error);
    if (*memo & 1)
        lose_items(&fep->operations, n);
    *memo = failed << 1 | (*memo & 1);
}

LOSES(rudi_packet_stays, rudi.packets, rx_rudi_response)

/* The initiator does not hear that its PDC is gone. */
static bool gone_pdc_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p) && !uet_is_nack_rudi(&f->p) &&
        uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_INV_DPDCID)
        ++*f->memo;
    (void)fep;
    return true;
}

/* ---- the next PDC of the number ---- */

/* Its third PSN is marked as received, as if the bitmap were the old one. */
static void bitmap_is_old(struct uet_fep *fep, uint64_t *memo)
{
    if (!moved(fep, memo, CNT_pdc_opened_target) || !fep->counters[CNT_pdc_closed])
        return;
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *pdc = pdc_at(fep, i);
        uint32_t at = (pdc->start_psn + 2) & (fep->window_psns - 1);
        uint64_t *bits = pool_item(&fep->bitmaps, pdc->bitmap);
        if (pdc->state == PDC_ESTABLISHED && !pdc->initiator &&
            pdc->rx.highest_psn == pdc->start_psn)
            bits[at / 64] |= 1ull << (at % 64);
    }
}

/* ---- another PDC of the same peer ---- */

static uint64_t bit_of(const struct uet_fep *fep, uint32_t psn, uint32_t *word)
{
    uint32_t at = psn & (fep->window_psns - 1);
    *word = at / 64;
    return 1ull << at % 64;
}

/* What came on a PDC counts as received on every other that is open with the same PSNs. */
static bool received_elsewhere(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t id = uet_dpdcid(&f->p), word;
    if (f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || uet_has_syn(&f->p) || id == 0 ||
        id > fep->config.max_pdcs)
        return true;
    const struct pdc *pdc = pdc_at(fep, id);
    uint64_t bit = bit_of(fep, uet_packet_psn(&f->p), &word);
    for (uint32_t i = 1; i <= fep->config.max_pdcs; i++) {
        const struct pdc *other = pdc_at(fep, i);
        if (i == id || other->state != PDC_ESTABLISHED || other->initiator || pdc->initiator ||
            pdc->state != PDC_ESTABLISHED || other->start_psn != pdc->start_psn)
            continue;
        uint64_t *own = pool_item(&fep->bitmaps, pdc->bitmap);
        const uint64_t *its = pool_item(&fep->bitmaps, other->bitmap);
        own[word] |= its[word] & bit;
    }
    return true;
}

/* Bits of the window are not taken back when CACK_PSN moves on: the second time round they are set.
 */
static bool received_before(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint32_t id = uet_dpdcid(&f->p), word;
    if (f->p.error != UET_PARSE_OK || !uet_is_request(&f->p) || uet_has_syn(&f->p) || id == 0 ||
        id > fep->config.max_pdcs)
        return true;
    const struct pdc *pdc = pdc_at(fep, id);
    uint32_t psn = uet_packet_psn(&f->p);
    if (pdc->state == PDC_ESTABLISHED && !pdc->initiator && psn - pdc->start_psn >= 128) {
        uint64_t bit = bit_of(fep, psn, &word);
        ((uint64_t *)pool_item(&fep->bitmaps, pdc->bitmap))[word] |= bit;
    }
    return true;
}

/* ---- what is open when something else ends ---- */

static void peers_make_room(struct uet_fep *fep, bool reserved)
{
    (void)reserved;
    FOR_EACH_PDC(fep, pdc)
    {
        if (!pdc->initiator && uet_pdc_idle(fep, pdc)) {
            uet_pdc_close(fep, pdc);
            return;
        }
    }
}

static void idle_makes_no_room(struct uet_law *law)
{
    law->make_room = peers_make_room;
}

static bool later_data_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool later = uet_is_request(&f->p) && f->p.ses == UET_H_SES_RSP_DATA &&
                 uet_ses_rsp_data_message_offset(uet_ses(&f->p));
    return !(later && fep->counters[CNT_rto_exhausted]);
}

LOSES(failed_kept_stays, unexpected, ses_unexpected_lost)

/* Without its Close Command nothing ends it. */
static void given_up_pdc_waits(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->initiator && pdc->close_error)
            pdc->wants = 0;
    }
}

/* What was under way before keeps its room. */
static void reset_leaves_operations(struct uet_fep *fep)
{
    lose_items(&fep->operations, fep->operations.n);
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_062_ROOM, .after = pending_pdc_stays},
    {VIOLATION_PDS_001_AGED, .in = received_before},
    {VIOLATION_PDS_001_ELSEWHERE, .in = received_elsewhere},
    {VIOLATION_ROB_035, .after = closed_pdc_stays},
    {VIOLATION_ROB_036_ASKED, .after = asked_pdc_stays},
    {VIOLATION_ROB_036_GIVEN_UP, .after = given_up_pdc_stays},
    {VIOLATION_ROB_036_REFUSED, .after = refused_syn_takes_pdc},
    {VIOLATION_ROB_035_RESERVED, .after = reserved_pdc_stays},
    {VIOLATION_ROB_036_TRIMMED, .after = trimmed_takes_pdc},
    {VIOLATION_ROB_036_ZERO, .after = zero_takes_pdc},
    {VIOLATION_ROB_036_ROD, .after = early_rod_takes_pdc},
    {VIOLATION_ROB_037_SINGLE, .in = counts_cut_single, .after = counted_messages_stay},
    {VIOLATION_ROB_036_CUT, .in = cut_syn_takes_pdc, .after = counted_pdcs_stay},
    {VIOLATION_ROB_036_LATE, .in = late_syn_takes_pdc, .after = counted_pdcs_stay},
    {VIOLATION_ROB_036_BITMAP, .after = closed_bitmap_stays},
    {VIOLATION_ROB_036_FAILED, .after = failed_bitmap_stays},
    {VIOLATION_ROB_037, .after = abandoned_message_stays},
    {VIOLATION_ROB_037_REFUSED, .after = failed_message_stays},
    {VIOLATION_ROB_037_DONE, .after = done_message_stays},
    {VIOLATION_ROB_037_TWICE, .after = copy_takes_message},
    {VIOLATION_ROB_037_EARLY, .after = early_takes_message},
    {VIOLATION_ROB_037_KEPT, .after = failed_kept_stays},
    {VIOLATION_ROB_038, .in = stored_before, .after = cleared_by_request_stays},
    {VIOLATION_ROB_038_COMMAND, .in = stored_before, .after = cleared_by_command_stays},
    {VIOLATION_ROB_038_CLOSE, .in = stored_before, .after = cleared_by_close_stays},
    {VIOLATION_ROB_039, .in = parts_before, .after = served_read_stays},
    {VIOLATION_ROB_039_CUT, .in = parts_before, .after = cut_read_stays},
    {VIOLATION_ROB_039_GONE, .in = parts_before, .after = nacked_read_stays},
    {VIOLATION_ROB_039_QUEUE, .in = queue_stays},
    {VIOLATION_ROB_039_REFUSED, .after = refused_read_stays},
    {VIOLATION_ROB_039_GIVEN_UP, .after = given_up_read_stays},
    {VIOLATION_ROB_040, .after = own_closed_pdc_stays},
    {VIOLATION_ROB_040_GONE, .in = gone_pdc_stays, .after = counted_pdcs_stay},
    {VIOLATION_ROB_040_FATAL, .after = fatal_pdc_stays},
    {VIOLATION_ROB_040_SILENT, .after = silent_pdc_stays},
    {VIOLATION_ROB_040_OPEN, .after = given_up_pdc_waits},
    {VIOLATION_ROB_040_DONE, .after = done_operation_stays},
    {VIOLATION_ROB_040_OWN, .after = own_operation_stays},
    {VIOLATION_ROB_040_REFUSED, .after = refused_operation_stays},
    {VIOLATION_ROB_040_FAILED, .after = failed_operation_stays},
    {VIOLATION_ROB_040_FAILED_READ, .out = notes_read, .after = failed_read_stays},
    {VIOLATION_ROB_040_RUDI, .after = rudi_packet_stays},
    {VIOLATION_ROB_040_IDLE, .rows = idle_makes_no_room},
    {VIOLATION_ROB_040_READ, .out = later_data_lost},
    {VIOLATION_ROB_041, .after = bitmap_is_old},
    {VIOLATION_ROB_055, .reset = reset_leaves_operations},
};

UET_FAULT_WAYS(uet_faults_of_leaks, ways);
