/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of operations on their way out, and of what ends them (ses/initiator.c, life.c). */
#include "refimpl/faults/ses/about.h"
#include "refimpl/ses/checks.h"

/* ---- what it is sent as ---- */

static bool small_elsewhere(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_SMALL)
        uet_ses_req_resource_index_set(uet_fault_ses(f), 1);
    return true;
}

static bool sends_low_pid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_SEND) || is_opcode(&f->p, UET_OP_DEFERRABLE_SEND))
        uet_ses_req_pid_on_fep_set(uet_fault_ses(f), uet_ses_req_pid_on_fep(uet_ses(&f->p)) & 0xff);
    return true;
}

/* Of what has a standard header alone: an option of the others. */
static bool short_without_dc(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p))
        uet_ses_req_dc_set(uet_fault_ses(f), false);
    return true;
}

static bool medium_cuts_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_MEDIUM_MSG)
        uet_ses_req_medium_header_data_set(
            uet_fault_ses(f), (uint32_t)uet_ses_req_medium_header_data(uet_ses(&f->p)));
    return true;
}

static bool stop_of_no_job(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_opcode(&f->p, UET_OP_MSG_ERROR))
        uet_ses_req_job_id_set(uet_fault_ses(f), 0);
    return true;
}

/* memo: something of its own was refused. */
static bool refusal_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_RESPONSE)
        *f->memo = 1;
    return true;
}

static bool refused_without_data(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_opcode(&f->p, UET_OP_SEND))
        uet_ses_req_hd_set(uet_fault_ses(f), false);
    return true;
}

/* ---- message_ids, and what ends an operation ---- */

static bool message_id_constant(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_is_ses_std(&f->p) && !uet_is_uud(&f->p))
        uet_ses_req_std_message_id_set(uet_fault_ses(f), 1);
    return true;
}

/* memo: the message_id of the send that is promised an answer. */
static bool promised_id_noted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
        uet_ses_rsp_opcode(uet_fault_ses(f)) == UET_RSP_NO_RESPONSE)
        *f->memo = uet_ses_rsp_message_id(uet_fault_ses(f));
    return true;
}

static bool promised_id_is_free(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_opcode(&f->p, UET_OP_SEND) && uet_is_ses_std(&f->p) &&
        !uet_rud_rod_req_retx(uet_pds(&f->p)))
        uet_ses_req_std_message_id_set(uet_fault_ses(f), (uint16_t)*f->memo);
    return true;
}

static bool eom_never_set(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_eom_set(uet_fault_ses(f), false);
    return true;
}

/* Arrival is taken for a response, and for the data of a read. */
static void read_ends_without_data(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].complete = NULL;
}

static bool no_response_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ses_response(&f->p) || f->p.pds == UET_H_RUDI_RESP ||
        uet_ses_rsp_opcode(uet_ses(&f->p)) != UET_RSP_NO_RESPONSE)
        return true;
    uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_DEFAULT_RESPONSE);
    uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_NULL);
    return true;
}

static bool arrival_with_ok_completes(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool ok = uet_is_ses_response(&f->p) && uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_OK;
    return ok ? no_response_completes(fep, f) : true;
}

/* The first operation from this on that is not sent whole; 0: there is none. */
static uint32_t unsent(struct uet_fep *fep, uint32_t id)
{
    while (id && op_at(fep, id)->state == OP_SENT)
        id = op_at(fep, id)->next;
    return id;
}

/* Where `turns` says so, the message that `other` finds goes before the one that is being sent. */
static void overtake(struct uet_fep *fep, uint32_t (*other)(struct uet_fep *fep, uint32_t id),
                     bool (*turns)(struct uet_fep *fep, const struct pdc *pdc, uint32_t id))
{
    for (uint16_t i = 1; i && i <= fep->config.max_pdcs; i++) {
        struct ses_pdc *pdc = ses_pdc_at(fep, i);
        uint32_t id = unsent(fep, pdc->ops_head), next = id ? other(fep, id) : 0;
        pdc->op_next = next && turns(fep, pdc_at(fep, i), id) ? next : id;
    }
}

static uint32_t next_unsent(struct uet_fep *fep, uint32_t id)
{
    uint32_t next = op_at(fep, id)->next;
    return next && op_at(fep, next)->state != OP_SENT ? next : 0;
}

static uint32_t next_of_other_kind(struct uet_fep *fep, uint32_t id)
{
    const bool send = op_at(fep, id)->call.opcode == UET_OP_SEND;
    uint32_t next = id;
    while (next && (op_at(fep, next)->call.opcode == UET_OP_SEND) == send)
        next = unsent(fep, op_at(fep, next)->next);
    return next;
}

static bool odd_turns(struct uet_fep *fep, const struct pdc *pdc, uint32_t id)
{
    (void)fep, (void)id;
    return pdc->tx.next_psn & 1u;
}

static bool waits_to_come_again(struct uet_fep *fep, const struct pdc *pdc, uint32_t op)
{
    for (uint32_t id = pdc->tx.head; id; id = packet_at(fep, id)->next) {
        const struct tx_packet *packet = packet_at(fep, id);
        if (packet->seg.op == op && (packet->nack_wait || packet->resend))
            return true;
    }
    return false;
}

/* Every other PSN goes to the message after the one that is being sent. */
static void messages_mixed(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    overtake(fep, next_unsent, odd_turns);
}

static void kinds_mixed(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    overtake(fep, next_of_other_kind, odd_turns);
}

static void refused_overtaken(struct uet_fep *fep, uint64_t *memo)
{
    (void)memo;
    overtake(fep, next_unsent, waits_to_come_again);
}

/* ---- what the address of a peer says ---- */

static bool answers(const struct uet_fault_frame *f, uint8_t opcode)
{
    return uet_is_ack(&f->p) && uet_is_ses_response(&f->p) &&
           uet_ses_rsp_opcode(uet_ses(&f->p)) == opcode;
}

/* What it answers stands for all before it. */
static bool any_part_ends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    const uint8_t *h = uet_pds(&f->p);
    if (!answers(f, UET_RSP_RESPONSE) || uet_ses_rsp_return_code(uet_ses(&f->p)) != UET_RC_OK)
        return true;
    uet_ack_cack_psn_set(uet_fault_pds(f),
                         uet_psn_add(uet_ack_cack_psn(h), uet_ack_ack_psn_offset(h)));
    uet_ack_ack_psn_offset_set(uet_fault_pds(f), 0);
    return true;
}

static bool no_news_is_bad(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (answers(f, UET_RSP_DEFAULT_RESPONSE) &&
        uet_ses_rsp_return_code(uet_ses(&f->p)) == UET_RC_NULL)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_UNCOR);
    return true;
}

/* memo: the first message_id that was promised an answer, and its PSN above it. */
static bool oldest_is_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!answers(f, UET_RSP_NO_RESPONSE) && !answers(f, UET_RSP_RESPONSE))
        return true;
    const uint8_t *h = uet_pds(&f->p);
    const uint32_t cack = uet_ack_cack_psn(h);
    if (answers(f, UET_RSP_NO_RESPONSE) && !*f->memo)
        *f->memo = (uint64_t)uet_psn_add(cack, uet_ack_ack_psn_offset(h)) << 16 |
                   uet_ses_rsp_message_id(uet_ses(&f->p));
    if (!answers(f, UET_RSP_RESPONSE) || !*f->memo)
        return true;
    uet_ses_rsp_message_id_set(uet_fault_ses(f), (uint16_t)*f->memo);
    uet_ack_ack_psn_offset_set(uet_fault_pds(f), (int16_t)((uint32_t)(*f->memo >> 16) - cack));
    return true;
}

/* memo: as above. What is promised behind CACK_PSN has a line, whose first is answered. */
static bool first_in_line_is_answered(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (answers(f, UET_RSP_NO_RESPONSE) && !*f->memo)
        *f->memo = UINT64_C(1) << 16 | uet_ses_rsp_message_id(uet_ses(&f->p));
    if (answers(f, UET_RSP_RESPONSE) && *f->memo &&
        !psn_after(uet_packet_psn(&f->p), uet_ack_cack_psn(uet_pds(&f->p))))
        uet_ses_rsp_message_id_set(uet_fault_ses(f), (uint16_t)*f->memo);
    return true;
}

static void offset_gives_way(struct uet_operation *call)
{
    uet_op_for_peer(call);
    if (call->header == UET_OP_HEADER_MEDIUM && call->has_header_data)
        call->buffer_offset = 0;
}

static void offset_of_medium_lost(struct uet_law *law)
{
    law->ses.for_peer = offset_gives_way;
}

static void as_called(struct uet_operation *call)
{
    (void)call;
}

/* The index that the small header says is not that of the key: it passes all the same. */
static void key_is_that_of_index(struct uet_operation *call)
{
    uet_op_for_peer(call);
    if (call->header == UET_OP_HEADER_SMALL)
        call->key = (call->key & ~UINT64_C(0xfff)) | call->resource_index;
}

static void any_optimized_key(struct uet_law *law)
{
    law->ses.for_peer = key_is_that_of_index;
}

static void small_to_all(struct uet_law *law)
{
    law->ses.for_peer = as_called;
}

/* The small header had no key. */
static void standard_without_key(struct uet_operation *call)
{
    const bool small = call->header == UET_OP_HEADER_SMALL;
    uet_op_for_peer(call);
    if (small && call->header == UET_OP_HEADER_STD)
        call->key &= KEY_IDEMPOTENT_SAFE;
}

static void other_header_without_key(struct uet_law *law)
{
    law->ses.for_peer = standard_without_key;
}

/* Deferrable ones are deferred when they are stopped, and so need no end of their own. */
static void deferrable_goes_on(struct uet_law *law)
{
    law->ses.ops[UET_OP_DEFERRABLE_SEND].stops = 0;
}

/* All that the 14 bits of a short header hold of the length. */
static void length_of_14_bits(struct uet_operation *call)
{
    uet_op_for_peer(call);
    if (call->header != UET_OP_HEADER_STD)
        call->length &= 0x3fff;
}

static void short_cuts_length(struct uet_law *law)
{
    law->ses.for_peer = length_of_14_bits;
}

/* What is no whole KiB more is not looked at. */
static void whole_units_alone(struct uet_operation *call)
{
    uet_op_for_peer(call);
    if (call->length % 1024)
        call->peer_flags &= (uint8_t)~UET_FI_ADDR_MTU_MSG_SIZE;
}

static void a_little_longer(struct uet_law *law)
{
    law->ses.for_peer = whole_units_alone;
}

static void long_to_all(struct uet_law *law)
{
    law->ses.minds_peer_length = false;
}

/* ---- tries ---- */

/* As if it were of another message. */
static bool error_ahead_forgotten(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    bool ahead = uet_is_ses_request(&f->p) && uet_ses_req_ie(uet_ses(&f->p)) &&
                 !uet_ses_req_som(uet_ses(&f->p));
    if (ahead)
        uet_ses_req_std_message_id_set(uet_fault_ses(f), 0xfffe);
    return true;
}

/* memo: its last message_id of this kind, and how often that has changed. */
static bool tries_raise_generation(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!begins(f, UET_OP_SEND))
        return true;
    uint16_t id = uet_ses_req_std_message_id(uet_ses(&f->p));
    if ((*f->memo & 0xffff) != id)
        *f->memo = ((*f->memo >> 16) + 1) << 16 | id;
    uet_ses_req_ri_generation_set(uet_fault_ses(f), (uint8_t)((*f->memo >> 16) - 1));
    return true;
}

static uint64_t pause_of_first(struct uet_fep *fep, const struct operation *op)
{
    struct operation first = *op;
    first.ses_retries = 0;
    return uet_ses_pause(fep, &first);
}

static void pauses_alike(struct uet_law *law)
{
    law->ses.pause = pause_of_first;
}

/* Short headers are made over a standard one: two bits of the count stay before request_length. */
static bool count_in_short(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p)) {
        uint8_t *h = uet_fault_ses(f);
        h[2] = (uint8_t)(h[2] | (fep->next_message_id >> 8 & 0xc0));
    }
    return true;
}

/* Who hears UET_NO_RESPONSE of what CACK_PSN covers hears no more. */
static bool deaf_from_then(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ack(&f->p))
        return true;
    if (uet_is_ses_response(&f->p) && uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_NO_RESPONSE &&
        !psn_after(uet_packet_psn(&f->p), uet_ack_cack_psn(uet_pds(&f->p))))
        *f->memo = 1;
    return !*f->memo;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_002_COUNT, .out = count_in_short},
    {VIOLATION_PDS_009, .after = messages_mixed},
    {VIOLATION_PDS_009_KINDS, .after = kinds_mixed},
    {VIOLATION_PDS_009_REFUSED, .after = refused_overtaken},
    {VIOLATION_SES_016_CUT, .rows = short_cuts_length},
    {VIOLATION_SES_017, .rows = small_to_all},
    {VIOLATION_SES_067_MEDIUM, .rows = offset_of_medium_lost},
    {VIOLATION_SES_110_PARTS, .in = any_part_ends},
    {VIOLATION_SES_110_NULL, .in = no_news_is_bad},
    {VIOLATION_SES_110_LATE, .in = first_in_line_is_answered},
    {VIOLATION_SES_110_OLDEST, .in = oldest_is_answered},
    {VIOLATION_SES_018_KEY, .rows = any_optimized_key},
    {VIOLATION_SES_018, .out = small_elsewhere},
    {VIOLATION_SES_033, .out = message_id_constant},
    {VIOLATION_SES_033_PROMISED, .in = promised_id_noted, .out = promised_id_is_free},
    {VIOLATION_SES_043, .out = eom_never_set},
    {VIOLATION_SES_103, .rows = long_to_all},
    {VIOLATION_SES_103_LITTLE, .rows = a_little_longer},
    {VIOLATION_SES_104_RAISED, .out = tries_raise_generation},
    {VIOLATION_SES_110, .rows = read_ends_without_data, .in = no_response_completes},
    {VIOLATION_SES_116_AHEAD, .in = error_ahead_forgotten},
    {VIOLATION_SES_121_PART, .in = deaf_from_then},
    {VIOLATION_SES_121, .in = arrival_with_ok_completes},
    {VIOLATION_SES_129, .rows = pauses_alike},
    {VIOLATION_SES_067_OTHER, .rows = other_header_without_key},
    {VIOLATION_SES_069_MEDIUM, .out = medium_cuts_data},
    {VIOLATION_SES_125_DEFERRABLE, .rows = deferrable_goes_on},
    {VIOLATION_ROB_042, .out = sends_low_pid},
    {VIOLATION_ROB_042_SHORT, .out = short_without_dc},
    {VIOLATION_ROB_042_JOB, .out = stop_of_no_job},
    {VIOLATION_ROB_042_AGAIN, .in = refusal_noted, .out = refused_without_data},
};

UET_FAULT_WAYS(uet_faults_of_initiator, ways);
