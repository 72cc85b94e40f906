/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of SES in what is right once: wrong the second time, for another opcode, in another form.
 */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/ses/checks.h"

/* ---- what a frame is ---- */

#define NO_OPCODE 0xffu

static uint8_t opcode_of(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) ? uet_ses_req_opcode(uet_ses(&f->p)) : NO_OPCODE;
}

#define IS_OPCODE(name, opcode)                                                                    \
    static bool name(const struct uet_fault_frame *f)                                              \
    {                                                                                              \
        return opcode_of(f) == (opcode);                                                           \
    }

IS_OPCODE(is_no_op, UET_OP_NO_OP)
IS_OPCODE(is_read, UET_OP_READ)
IS_OPCODE(is_tagged, UET_OP_TAGGED_SEND)
IS_OPCODE(is_deferrable_tsend, UET_OP_DEFERRABLE_TSEND)

static bool is_atomic(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_ATOMIC || opcode_of(f) == UET_OP_FETCHING_ATOMIC;
}

static bool is_later_send(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_SEND && f->p.ses == UET_H_SES_REQ_STD_SOM0;
}

static bool is_restart(const struct uet_fault_frame *f)
{
    return uet_is_ses_deferrable(&f->p) && uet_ses_req_defer_trt(uet_ses(&f->p));
}

static bool is_tagged_restart(const struct uet_fault_frame *f)
{
    return is_restart(f) && is_deferrable_tsend(f);
}

static bool is_tagged_stop(const struct uet_fault_frame *f)
{
    return is_deferrable_tsend(f) && !f->p.payload_len && uet_ses_req_eom(uet_ses(&f->p)) &&
           !uet_ses_req_som(uet_ses(&f->p));
}

static bool is_nothing_read(const struct uet_fault_frame *f)
{
    return is_read(f) && !uet_ses_request_length(&f->p);
}

static bool is_small_data(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_RSP_DATA_SMALL;
}

static uint8_t code_of(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) ? uet_ses_rsp_return_code(uet_ses(&f->p)) : UET_RC_NULL;
}

/* The operation of this FEP that a response names. */
static struct operation *answered(const struct uet_fep *fep, const struct uet_fault_frame *f)
{
    for (uint32_t id = 1; id <= fep->operations.n; id++) {
        struct operation *op = op_at(fep, id);
        if (op->state != OP_ENDED && op->message_id &&
            op->message_id == uet_ses_rsp_message_id(uet_ses(&f->p)))
            return op;
    }
    return NULL;
}

/* ---- as target ---- */

UET_FAULT_ALTERS(no_op_has_som, is_no_op, uet_ses_req_som_set(s, true))
UET_FAULT_ALTERS(good_atomic, is_atomic, uet_ses_req_ie_set(s, false))
UET_FAULT_ALTERS(good_read, is_read, uet_ses_req_ie_set(s, false))
UET_FAULT_ALTERS(good_tagged, is_tagged, uet_ses_req_ie_set(s, false))
UET_FAULT_ALTERS(token_is_offset, is_deferrable_tsend,
                 uet_ses_req_opcode_set(s, UET_OP_TAGGED_SEND))
UET_FAULT_ALTERS(nothing_to_read, is_nothing_read,
                 uet_ses_req_match_bits_or_memory_key_set(s, UINT32_MAX))
static void rudi_atomics(struct uet_law *law)
{
    law->ses.ops[UET_OP_ATOMIC].takes |= SES_ON(UET_MODE_RUDI);
    law->ses.ops[UET_OP_FETCHING_ATOMIC].takes |= SES_ON(UET_MODE_RUDI);
}

static bool job_or_tag(struct ses_judged *j)
{
    return !j->refused || j->r->op->names == UET_RI_TAGGED;
}

static void tags_for_all(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE_JOB].holds = job_or_tag;
}

static bool generation_or_tag(struct ses_judged *j)
{
    return !j->service->has_generation || j->service->ri_generation == j->r->ri_generation ||
           (j->m && (j->m->receive || j->m->kept)) || j->mode == UET_MODE_UUD ||
           j->r->op->names == UET_RI_TAGGED;
}

static void tags_of_any_generation(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_GENERATION].holds = generation_or_tag;
}

/* memo: request_length, when the request that came last was a later packet of a SEND. */
static bool later_send_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        *f->memo = is_later_send(f) ? uet_ses_request_length(&f->p) : 0;
    return true;
}

static bool truncation_untold(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && f->p.ses == UET_H_SES_RSP && code_of(f) == UET_RC_OK)
        uet_ses_rsp_modified_length_set(uet_fault_ses(f), (uint32_t)*f->memo);
    return true;
}

static bool one_packet_is_news(const struct ses_request *r, uint32_t modified)
{
    return r->som && uet_ses_truncation_is_news(r, modified);
}

static void cut_of_several_untold(struct uet_law *law)
{
    law->ses.is_news = one_packet_is_news;
}

/* memo: the PSN of the error that was told again last, and one bit more. */
static bool told_again_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ack(&f->p) || !uet_ack_retx(uet_pds(&f->p)) || f->p.ses != UET_H_SES_RSP ||
        code_of(f) <= UET_RC_OK)
        return true;
    const uint64_t psn = 1ull << 32 | uet_packet_psn(&f->p);
    if (*f->memo == psn) {
        uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_DEFAULT_RESPONSE);
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    }
    *f->memo = psn;
    return true;
}

/* memo: the message_id of the last UET_MSG_ERROR, and one bit more. */
static bool id_stays(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ses_request(&f->p) || !uet_is_ses_std(&f->p))
        return true;
    const uint64_t id = 1u << 16 | uet_ses_req_std_message_id(uet_ses(&f->p));
    if (opcode_of(f) == UET_OP_MSG_ERROR)
        *f->memo = id;
    else if (uet_ses_req_som(uet_ses(&f->p)) && *f->memo == id)
        uet_ses_req_match_bits_or_memory_key_set(uet_fault_ses(f), UINT32_MAX);
    return true;
}

/* What lacks at the end of such a header is taken for zeros, in a packet in clear over IPv4. */
static void made_whole(struct uet_fault_frame *f, uint8_t next_hdr, size_t whole)
{
    uint8_t *ip = f->bytes + f->p.ip_offset, *ses = f->bytes + f->p.payload_offset;
    const size_t have = f->p.payload_len, more = whole - have;
    if (f->p.error != UET_PARSE_SES_SHORT || f->p.tss || f->p.ip_version != 4 ||
        !uet_is_request(&f->p) || uet_rud_rod_req_next_hdr(uet_fault_pds(f)) != next_hdr ||
        have < UET_SES_REQ_SMALL_BYTES || have >= whole || f->len + more > UET_FRAME_MAX)
        return;
    memset(ses + have, 0, f->len + more - f->p.payload_offset - have); /* its CRC is made anew */
    f->len += more;
    uet_ipv4_total_length_set(ip, (uint16_t)(uet_ipv4_total_length(ip) + more));
    if (f->p.udp_offset)
        uet_udp_length_set(f->bytes + f->p.udp_offset,
                           (uint16_t)(uet_udp_length(f->bytes + f->p.udp_offset) + more));
}

static bool standard_made_whole(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    made_whole(f, UET_NH_REQUEST_STD, UET_SES_REQ_STD_SOM1_BYTES);
    return true;
}

static bool medium_made_whole(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    made_whole(f, UET_NH_REQUEST_MEDIUM, UET_SES_REQ_MEDIUM_RMA_BYTES);
    return true;
}

/* An atomic with that opcode whose extension is cut. */
static bool is_cut(struct uet_fault_frame *f, uint8_t opcode)
{
    const size_t header = f->p.ses_offset + UET_SES_REQ_STD_SOM1_BYTES;
    return f->p.error != UET_PARSE_OK && f->p.ses_offset && f->len >= header &&
           uet_ses_req_opcode(uet_fault_ses(f)) == opcode;
}

/* One that fetches nothing is told done. */
static bool told_done(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_cut(f, UET_OP_ATOMIC))
        return true;
    uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_NO_OP);
    uet_ses_req_std_request_length_set(uet_fault_ses(f), 0);
    return true;
}

/* A CSWAP without both operands writes what is there, be it four bytes. */
static bool writes_operands(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    const size_t ext = f->p.ses_offset + UET_SES_REQ_STD_SOM1_BYTES;
    const size_t end = f->p.crc_offset ? f->p.crc_offset : f->p.ip_end;
    if (!is_cut(f, UET_OP_FETCHING_ATOMIC) || end < ext + UET_SES_EXT_ATOMIC_BYTES ||
        uet_ses_ext_atomic_opcode(uet_fault_ses(f) + UET_SES_REQ_STD_SOM1_BYTES) != UET_AMO_CSWAP)
        return true;
    uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_WRITE);
    uet_ses_req_std_request_length_set(uet_fault_ses(f), (uint32_t)(end - ext));
    return true;
}

/* memo: the PSN of the request that came last. */
static bool request_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p) && uet_is_ses_request(&f->p) && !uet_rud_rod_req_retx(uet_pds(&f->p)))
        *f->memo = uet_packet_psn(&f->p);
    return true;
}

static bool data_of_the_latest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_small_data(f) && f->p.pds != UET_H_RUDI_RESP)
        uet_ses_rsp_data_small_original_request_psn_set(uet_fault_ses(f), (uint32_t)*f->memo);
    return true;
}

/* As initiator: data of a small READ names the first that is open on its PDC. */
static bool data_of_the_oldest(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = is_small_data(f) && f->p.pds != UET_H_RUDI_RESP
                                ? uet_pdc_by_id(fep, uet_dpdcid(&f->p))
                                : NULL;
    uint32_t id = pdc ? ses_pdc_at(fep, pdc->id)->ops_head : 0;
    while (id && !uet_ses_op(fep, op_at(fep, id)->call.opcode)->fetches)
        id = op_at(fep, id)->next;
    if (id)
        uet_ses_rsp_data_small_original_request_psn_set(uet_fault_ses(f), op_at(fep, id)->psn);
    return true;
}

/* memo: packets were numbered anew: the data that names a new PSN fits none. */
static bool data_of_the_new_psn_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_nack(&f->p) && uet_nack_nack_code(uet_pds(&f->p)) == UET_NACK_NEW_START_PSN)
        *f->memo = true;
    return !*f->memo || !is_small_data(f);
}

/* memo: the request that came last was a deferrable send. */
static bool deferrable_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        *f->memo = uet_is_ses_deferrable(&f->p);
    return true;
}

static bool pretends_to_defer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!*f->memo || code_of(f) != UET_RC_NO_MATCH)
        return true;
    uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    uet_ses_rsp_list_set(uet_fault_ses(f), UET_LIST_OVERFLOW);
    return true;
}

static bool ready_when_whole(const struct uet_fep *fep, const struct unexpected *u)
{
    bool tagged = u->request.op->names == UET_RI_TAGGED;
    return !u->message || !(tagged || fep->law.ses.keeping.headers_only);
}

static void parts_passed_over(struct uet_law *law)
{
    law->ses.keeping.is_ready = ready_when_whole;
}

/* ---- as initiator ---- */

UET_FAULT_ALTERS(first_alone, is_later_send, uet_ses_req_ri_generation_set(s, 0))
UET_FAULT_ALTERS(restart_untagged, is_tagged_restart, uet_ses_req_defer_match_bits_set(s, 0))
UET_FAULT_ALTERS(restart_silent, is_restart, uet_ses_req_hd_set(s, false))
UET_FAULT_ALTERS(stop_untagged, is_tagged_stop, uet_ses_req_opcode_set(s, UET_OP_DEFERRABLE_SEND))
UET_FAULT_ALTERS(atomic_generation, is_atomic, uet_ses_req_ri_generation_set(s, 1))

/* memo: a response_message_id, and the message_id of the READ that it came for first. */
static bool stream_of_the_target(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.ses != UET_H_SES_RSP_DATA || !uet_is_request(&f->p))
        return true;
    uint8_t *s = uet_fault_ses(f);
    const uint16_t stream = uet_ses_rsp_data_response_message_id(s);
    for (uint32_t id = 1; stream && *f->memo >> 16 == stream && id <= fep->operations.n; id++) {
        const struct operation *op = op_at(fep, id);
        if (op->state == OP_SENT && op->message_id == (uint16_t)*f->memo) {
            uet_ses_rsp_data_read_request_message_id_set(s, op->message_id);
            return true;
        }
    }
    *f->memo = (uint64_t)stream << 16 | uet_ses_rsp_data_read_request_message_id(s);
    return true;
}

static bool generation_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = code_of(f) == UET_RC_BAD_GENERATION ? answered(fep, f) : NULL;
    if (op && op->ses_retries)
        uet_ses_rsp_ri_generation_set(uet_fault_ses(f), op->call.ri_generation);
    return true;
}

static bool deferrable_once(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct operation *op = code_of(f) == UET_RC_NO_MATCH ? answered(fep, f) : NULL;
    if (op && op->ses_retries && uet_ses_op_of(fep, op)->defers)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OP_VIOLATION);
    return true;
}

/* memo: some message had to be tried again. */
static bool tries_of_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct operation *op = code_of(f) == UET_RC_NO_MATCH ? answered(fep, f) : NULL;
    if (op && !op->ses_retries && *f->memo)
        op->ses_retries = fep->params.SES_Retry_Cnt;
    *f->memo |= op != NULL;
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_080_AGAIN, .in = stream_of_the_target},
    {VIOLATION_SES_081_ANEW, .in = data_of_the_new_psn_lost},
    {VIOLATION_SES_081_OLDEST, .in = data_of_the_oldest},
    {VIOLATION_SES_081_LATEST, .in = request_came, .out = data_of_the_latest},
    {VIOLATION_SES_153_PRETENDS, .in = deferrable_came, .out = pretends_to_defer},
    {VIOLATION_SES_153_ONCE, .in = deferrable_once},
    {VIOLATION_SES_084_TWICE, .out = told_again_once},
    {VIOLATION_SES_163_PARTS, .rows = parts_passed_over},
    {VIOLATION_SES_108_TWICE, .in = generation_once},
    {VIOLATION_SES_108_FIRST, .out = first_alone},
    {VIOLATION_SES_150_TAG, .out = restart_untagged},
    {VIOLATION_SES_150_DATA, .out = restart_silent},
    {VIOLATION_SES_147_TAGGED, .out = stop_untagged},
    {VIOLATION_SES_029_SOM, .in = no_op_has_som},
    {VIOLATION_SES_089_ATOMIC, .rows = rudi_atomics},
    {VIOLATION_SES_061_TAGGED, .rows = tags_for_all},
    {VIOLATION_SES_117_WHOLE, .rows = cut_of_several_untold},
    {VIOLATION_SES_102_WHOLE, .in = later_send_came, .out = truncation_untold},
    {VIOLATION_SES_111_ATOMIC, .in = good_atomic},
    {VIOLATION_SES_111_READ, .in = good_read},
    {VIOLATION_SES_111_TAGGED, .in = good_tagged},
    {VIOLATION_SES_127_ID, .in = id_stays},
    {VIOLATION_SES_159, .in = standard_made_whole},
    {VIOLATION_SES_159_MEDIUM, .in = medium_made_whole},
    {VIOLATION_SES_160_ATOMIC, .in = told_done},
    {VIOLATION_SES_160_OPERANDS, .in = writes_operands},
    {VIOLATION_SES_145_TAGGED, .in = token_is_offset},
    {VIOLATION_SES_011_READ, .in = nothing_to_read},
    {VIOLATION_SES_104_ATOMIC, .out = atomic_generation},
    {VIOLATION_SES_105_TAGGED, .rows = tags_of_any_generation},
    {VIOLATION_SES_129_SHARED, .in = tries_of_all},
};

UET_FAULT_WAYS(uet_faults_of_ses_again, ways);
