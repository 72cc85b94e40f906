/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of sends that are kept with their payload (ses/unexpected.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

/* ---- the answer that comes later ---- */

static bool is_overflow(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) && uet_ses_rsp_list(uet_ses(&f->p)) == UET_LIST_OVERFLOW;
}

static bool is_promise(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) && uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_NO_RESPONSE;
}

static bool is_no_match(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) && uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_NO_MATCH;
}

UET_FAULT_ALTERS(says_expected, is_overflow, uet_ses_rsp_list_set(s, UET_LIST_EXPECTED))
UET_FAULT_ALTERS(says_null, is_overflow, uet_ses_rsp_return_code_set(s, UET_RC_NULL))
UET_FAULT_ALTERS(says_default, is_overflow, {
    uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_list_set(s, UET_LIST_EXPECTED);
})
UET_FAULT_ALTERS(changes_nothing, is_overflow, uet_ses_rsp_modified_length_set(s, 0))
UET_FAULT_ALTERS(changes_more, is_overflow,
                 uet_ses_rsp_modified_length_set(s, uet_ses_rsp_modified_length(s) + 1))
UET_FAULT_ALTERS(of_no_message, is_overflow, uet_ses_rsp_message_id_set(s, 0))
UET_FAULT_ALTERS(of_no_job, is_overflow, uet_ses_rsp_job_id_set(s, 0))
UET_FAULT_ALTERS(done_on_arrival, is_promise, {
    uet_ses_rsp_opcode_set(s, UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
})
UET_FAULT_ALTERS(full_is_kept, is_no_match, {
    uet_ses_rsp_opcode_set(s, UET_RSP_NO_RESPONSE);
    uet_ses_rsp_return_code_set(s, UET_RC_NULL);
})
UET_FAULT_ALTERS(full_is_wrong, is_no_match, uet_ses_rsp_return_code_set(s, UET_RC_OP_VIOLATION))
UET_FAULT_ALTERS(full_changes, is_no_match, uet_ses_rsp_modified_length_set(s, 64))

static bool never_says(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !is_overflow(f);
}

static bool asks_for_no_clear(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_overflow(f))
        uet_ack_req_set(uet_fault_pds(f), UET_ACK_NO_REQUEST);
    return true;
}

/* CACK passes what is not cleared. */
static bool passes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *h = uet_fault_pds(f);
    if (!is_overflow(f) || uet_ack_ack_psn_offset(h) != 1)
        return true;
    uet_ack_cack_psn_set(h, uet_packet_psn(&f->p));
    uet_ack_ack_psn_offset_set(h, 0);
    return true;
}

/* The answer is not stored: it is gone once it is given. */
static void gone_once_given(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        struct pdc *pdc = &fep->pdcs[id];
        if (pdc->state == PDC_CLOSED || pdc->initiator || !pdc->rx.stored)
            continue;
        const struct stored *s = pool_item(&fep->stored, pdc->rx.stored);
        if (!s->promised && uet_ses_rsp_list(s->response) == UET_LIST_OVERFLOW)
            uet_sink_clear(fep, pdc, s->psn);
    }
}

/* ---- which message a receive is for ---- */

/* A copy of the receive, changed, is asked in its place. */
#define MATCHES(name, change)                                                                      \
    static bool name##_is_for(const struct uet_receive *receive, const struct ses_request *r)      \
    {                                                                                              \
        struct uet_receive v = *receive;                                                           \
        change;                                                                                    \
        return uet_receive_fits(&v, r);                                                            \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.keeping.is_for = name##_is_for;                                                   \
    }

MATCHES(any_tag, v.ignore = UINT64_MAX)
MATCHES(low_tag, v.ignore |= UINT64_C(0xffffffff00000000))
MATCHES(no_wildcard, v.ignore = 0)
MATCHES(any_initiator, v.any_initiator = true)
MATCHES(any_job, v.any_job = true)
MATCHES(any_index, v.resource_index = r->resource_index)
MATCHES(any_space, {
    v.ignore = v.tagged ? v.ignore : UINT64_MAX;
    v.any_initiator = true;
    v.tagged = r->op->names == UET_RI_TAGGED;
})

static struct unexpected *kept_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->unexpected, id);
}

/* The newest one stands first. */
static void newest_first(struct uet_fep *fep, uint64_t *memo)
{
    uint32_t id = fep->unexpected_line.tail;
    if (!id || id == fep->unexpected_line.head || kept_at(fep, id)->number < *memo)
        return;
    *memo = kept_at(fep, id)->number + 1u;
    fep->unexpected_line.tail = kept_at(fep, id)->prev;
    kept_at(fep, kept_at(fep, id)->prev)->next = 0;
    kept_at(fep, id)->prev = 0;
    kept_at(fep, id)->next = fep->unexpected_line.head;
    kept_at(fep, fep->unexpected_line.head)->prev = id;
    fep->unexpected_line.head = id;
}

/* ---- is it long enough ---- */

static bool always_room(const struct uet_receive *v, const struct ses_request *r)
{
    (void)v, (void)r;
    return true;
}

static bool room_for_all(const struct uet_receive *v, const struct ses_request *r)
{
    return uet_ses_send_fits(v, r);
}

static void cuts_unasked(struct uet_law *law)
{
    law->ses.keeping.is_room = always_room;
}

static void never_cuts(struct uet_law *law)
{
    law->ses.keeping.is_room = room_for_all;
}

/* ---- what becomes of it ---- */

static struct message *message_of(const struct uet_fep *fep, uint32_t id)
{
    uint32_t m = kept_at(fep, id)->message;
    return m ? message_at(fep, m) : NULL;
}

#define OVER(name, change)                                                                         \
    static void name##_over(struct uet_fep *fep, uint32_t id)                                      \
    {                                                                                              \
        change;                                                                                    \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.keeping.over = name##_over;                                                       \
    }

/* Its answer has been given: it only waits for another receive. */
static void keep_on(struct uet_fep *fep, uint32_t id)
{
    kept_at(fep, id)->pdc = 0;
    kept_at(fep, id)->message = 0;
}

OVER(given_twice, {
    if (message_of(fep, id))
        uet_unexpected_drop(fep, id);
    else
        keep_on(fep, id);
})
OVER(closed_is_kept, {
    if (!kept_at(fep, id)->pdc)
        keep_on(fep, id);
    else
        uet_unexpected_drop(fep, id);
})
OVER(failed_is_kept, {
    const struct message *m = message_of(fep, id);
    if (m && m->return_code != UET_RC_OK)
        keep_on(fep, id);
    else
        uet_unexpected_drop(fep, id);
})
OVER(place_is_lost, {
    uet_unexpected_drop(fep, id);
    (void)pool_get(&fep->unexpected);
})
OVER(bytes_are_lost, {
    uet_unexpected_drop(fep, id);
    for (int i = 0; i < 16; i++)
        (void)pool_get(&fep->unexpected_blocks);
})
OVER(slot_is_lost, {
    uet_unexpected_drop(fep, id);
    for (int i = 0; i < 8; i++)
        (void)pool_get(&fep->stored);
})
OVER(early_bytes_lost, {
    const struct message *m = message_of(fep, id);
    if (m && m->receive)
        memset(receive_at(fep, m->receive)->call.base, 0, receive_at(fep, m->receive)->call.length);
    uet_unexpected_drop(fep, id);
})
OVER(early_data_lost, {
    struct message *m = message_of(fep, id);
    if (m)
        m->has_header_data = false;
    uet_unexpected_drop(fep, id);
})
OVER(midway_is_default, {
    struct message *m = message_of(fep, id);
    if (m)
        m->overflow = false;
    uet_unexpected_drop(fep, id);
})

/* ---- how it is kept ---- */

/* A copy of the plan of what is kept, changed, is done in its place. */
#define KEEPS(name, change)                                                                        \
    static void name##_commit(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,       \
                              const struct ses_plan *plan)                                         \
    {                                                                                              \
        struct ses_plan other = *plan;                                                             \
        if (plan->kept)                                                                            \
            (change);                                                                              \
        uet_deliver_commit(fep, pdc, p, &other);                                                   \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.ops[UET_OP_SEND].commit = name##_commit;                                          \
        law->ses.ops[UET_OP_TAGGED_SEND].commit = name##_commit;                                   \
    }

KEEPS(all_at_the_start, other.request.message_offset = 0)
KEEPS(data_of_last, other.request.som = true)
KEEPS(no_buffer_offset, other.request.buffer_offset = 0)
KEEPS(without_data, other.request.hd = false)
KEEPS(without_late_data, other.request.hd = plan->request.hd && !plan->message)
KEEPS(never_answered, other.promised = false)
KEEPS(of_initiator_0, other.request.initiator = 0)

/* Each send is told as kept, if its receive was there or not. */
static void answer_as_kept(struct uet_fep *fep, const struct message *m, struct ses_plan *plan)
{
    uet_deliver_answer(fep, m, plan);
    if (!plan->receive || !uet_ses_completes(m, &plan->request))
        return;
    uet_ses_rsp_opcode_set(plan->response, UET_RSP_RESPONSE);
    uet_ses_rsp_list_set(plan->response, UET_LIST_OVERFLOW);
    plan->guaranteed = true;
}

static void all_are_kept(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].answer = answer_as_kept;
}

/* Who is full refuses the rest of what it has begun, too. */
static bool full_refuses_parts(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (fep->unexpected.free || !uet_is_ses_response(&f->p) ||
        uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_NO_RESPONSE)
        return true;
    uint8_t *s = uet_fault_ses(f);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(s, UET_RC_NO_MATCH);
    return true;
}

/* ---- the initiator ---- */

/* Of a promise it takes note as of any other answer but the last. */
static void clears_beyond(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    for (uint32_t id = 1; id <= fep->config.max_pdcs; id++) {
        struct pdc *pdc = &fep->pdcs[id];
        while (pdc->state != PDC_CLOSED && pdc->tx.head && packet_at(fep, pdc->tx.head)->promised)
            uet_source_retire(fep, pdc, packet_at(fep, pdc->tx.head));
    }
}

UET_FAULT_ALTERS(promise_of_no_message, is_promise, uet_ses_rsp_message_id_set(s, 0))
UET_FAULT_ALTERS(promise_of_no_job, is_promise, uet_ses_rsp_job_id_set(s, 0))

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_098, .out = says_expected},
    {VIOLATION_SES_098_DEFAULT, .out = says_default},
    {VIOLATION_SES_098_NEVER, .out = never_says},
    {VIOLATION_SES_098_NULL, .out = says_null},
    {VIOLATION_SES_098_LOOSE, .out = asks_for_no_clear},
    {VIOLATION_SES_098_ARRIVAL, .out = done_on_arrival},
    {VIOLATION_SES_098_SILENT, .rows = never_answered},
    {VIOLATION_SES_098_ALWAYS, .rows = all_are_kept},
    {VIOLATION_SES_098_TWICE, .rows = given_twice},
    {VIOLATION_SES_174_LAST, .rows = data_of_last},
    {VIOLATION_SES_013_KEPT, .rows = no_buffer_offset},
    {VIOLATION_SES_098_PLACE, .rows = all_at_the_start},
    {VIOLATION_SES_098_BYTES, .rows = early_bytes_lost},
    {VIOLATION_SES_098_PARTS, .out = full_refuses_parts},
    {VIOLATION_SES_098_MIDWAY, .rows = midway_is_default},
    {VIOLATION_SES_117_KEPT, .after = gone_once_given},
    {VIOLATION_PDS_077_KEPT, .out = passes},
    {VIOLATION_SES_124_NOTHING, .out = changes_nothing},
    {VIOLATION_SES_124_MORE, .out = changes_more},
    {VIOLATION_SES_122_KEPT, .out = of_no_message},
    {VIOLATION_SES_122_KEPT_JOB, .out = of_no_job},
    {VIOLATION_SES_090_KEPT, .after = newest_first},
    {VIOLATION_SES_091_KEPT, .rows = any_tag},
    {VIOLATION_SES_091_KEPT_LOW, .rows = low_tag},
    {VIOLATION_SES_091_KEPT_FROM, .rows = any_initiator},
    {VIOLATION_SES_091_KEPT_NOBODY, .rows = of_initiator_0},
    {VIOLATION_SES_093_KEPT, .rows = no_wildcard},
    {VIOLATION_SES_094_KEPT, .rows = any_space},
    {VIOLATION_SES_061_KEPT, .rows = any_job},
    {VIOLATION_SES_056_KEPT, .rows = any_index},
    {VIOLATION_SES_174_KEPT, .rows = without_data},
    {VIOLATION_SES_174_LATE, .rows = without_late_data},
    {VIOLATION_SES_174_MIDWAY, .rows = early_data_lost},
    {VIOLATION_SES_101_KEPT, .rows = cuts_unasked},
    {VIOLATION_SES_102_KEPT, .rows = never_cuts},
    {VIOLATION_SES_112_KEPT, .rows = failed_is_kept},
    {VIOLATION_SES_099, .out = full_is_kept},
    {VIOLATION_SES_099_CODE, .out = full_is_wrong},
    {VIOLATION_SES_099_LENGTH, .out = full_changes},
    {VIOLATION_ROB_037_CLOSED, .rows = closed_is_kept},
    {VIOLATION_ROB_037_UNEXPECTED, .rows = place_is_lost},
    {VIOLATION_ROB_037_BLOCKS, .rows = bytes_are_lost},
    {VIOLATION_ROB_038_PROMISED, .rows = slot_is_lost},
    {VIOLATION_PDS_070_PROMISED, .after = clears_beyond},
    {VIOLATION_SES_122_PROMISE, .out = promise_of_no_message},
    {VIOLATION_SES_122_PROMISE_JOB, .out = promise_of_no_job},
};

UET_FAULT_WAYS(uet_faults_of_unexpected, ways);
