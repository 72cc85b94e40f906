/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of forms and opcodes (ses/). */
#include "refimpl/faults/ses/about.h"
#include "refimpl/pds/state.h"
#include "refimpl/ses/checks.h"

/* ---- form ---- */

static uint8_t takes_anything(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct ses_request *r)
{
    (void)fep, (void)p, (void)r;
    return UET_RC_OK;
}

static uint8_t empty_as_told(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct ses_request *r)
{
    struct uet_packet cut = *p;
    cut.payload_len = 0;
    return uet_no_op_check(fep, &cut, r);
}

static void no_op_with_untold(struct uet_law *law)
{
    law->ses.ops[UET_OP_NO_OP].check = empty_as_told;
}

static void no_op_with_payload(struct uet_law *law)
{
    law->ses.ops[UET_OP_NO_OP].check = takes_anything;
}

static void take_any_payload(struct ses_op *op)
{
    if (op->check == uet_deliver_check)
        op->check = takes_anything;
}

static void payload_not_checked(struct uet_law *law)
{
    uet_fault_each_op(law, take_any_payload);
}

static void take_any_payload_sent(struct ses_op *op)
{
    if (op->names != UET_RI_RMA)
        take_any_payload(op);
}

static void payload_of_sends_not_checked(struct uet_law *law)
{
    uet_fault_each_op(law, take_any_payload_sent);
}

static void all_that_is_there(const struct uet_fep *fep, const struct uet_packet *p,
                              struct ses_request *r)
{
    (void)fep;
    r->counts = p->payload_len;
}

static void count_all(struct ses_op *op)
{
    if (op->size == uet_deliver_size)
        op->size = all_that_is_there;
}

static void message_without_bounds(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_BOUNDS].holds = always;
    uet_fault_each_op(law, count_all);
}

static bool inside_in_32_bits(struct ses_judged *j)
{
    uint32_t end = j->r->message_offset + j->r->payload;
    return j->r->eom ? end == j->r->length : end <= j->r->length;
}

/* Placed as if its buffer_offset were this one. */
static void plan_at(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan,
                    uint64_t buffer_offset)
{
    uint64_t told = plan->request.buffer_offset;
    plan->request.buffer_offset = buffer_offset;
    uet_deliver_plan(fep, p, plan);
    plan->request.buffer_offset = told;
}

static void plan_in_32_bits(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    const struct ses_request *r = &plan->request;
    uint64_t at = r->buffer_offset + r->message_offset;
    plan_at(fep, p, plan, (uint32_t)at - (uint64_t)r->message_offset);
}

static void plan_without_offset(struct uet_fep *fep, const struct uet_packet *p,
                                struct ses_plan *plan)
{
    plan_at(fep, p, plan, plan->request.buffer_offset - plan->request.message_offset);
}

static void wrap_plan(struct ses_op *op)
{
    if (op->plan == uet_deliver_plan)
        op->plan = plan_in_32_bits;
}

static void offsets_wrap(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_BOUNDS].holds = inside_in_32_bits;
    law->ses.checks[SES_CHECK_EACH_PART].holds = always; /* looks at them in 64 */
    uet_fault_each_op(law, wrap_plan);
}

static void unoffset_plan(struct ses_op *op)
{
    if (op->plan == uet_deliver_plan)
        op->plan = plan_without_offset;
}

static void later_read_plan(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    const uint64_t told = plan->request.buffer_offset;
    if (!plan->request.som)
        plan->request.buffer_offset = 0;
    uet_read_plan(fep, p, plan);
    plan->request.buffer_offset = told;
}

static void later_reads_at_the_start(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].plan = later_read_plan;
}

static void message_offset_not_added(struct uet_law *law)
{
    uet_fault_each_op(law, unoffset_plan);
}

/* ---- opcodes ---- */

static void no_op_refused(struct uet_law *law)
{
    law->ses.ops[UET_OP_NO_OP].takes = 0;
}

static void send_over_uud(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].takes |= SES_ON(UET_MODE_UUD);
}

static void write_without_right(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].rights = 0;
}

static void read_without_right(struct uet_law *law)
{
    law->ses.ops[UET_OP_READ].rights = 0;
}

static bool any_version(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_version_set(uet_fault_ses(f), 0);
    return true;
}

static bool any_version_later(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_ses_req_som(uet_ses(&f->p)))
        uet_ses_req_version_set(uet_fault_ses(f), 0);
    return true;
}

static bool any_version_of_short(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p))
        uet_ses_req_version_set(uet_fault_ses(f), 0);
    return true;
}

static bool no_initiator_error(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_ie_set(uet_fault_ses(f), false);
    return true;
}

static bool no_initiator_error_of_send(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool send = uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_SEND;
    return send ? no_initiator_error(fep, f) : true;
}

/* A later packet is executed as its message is, whatever opcode it has. */
static bool opcode_of_message(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_packet *p = &f->p;
    if (p->error || !uet_is_request(p) || uet_has_syn(p) || !uet_is_ses_std(p) ||
        uet_ses_req_som(uet_ses(p)) || !uet_dpdcid(p) || uet_dpdcid(p) > fep->config.max_pdcs)
        return true;
    uint32_t id = uet_message_find(fep, uet_dpdcid(p), uet_ses_req_std_message_id(uet_ses(p)));
    if (id)
        uet_ses_req_opcode_set(uet_fault_ses(f), message_at(fep, id)->opcode);
    return true;
}

/* ---- fields of which some bits are looked at ---- */

static bool low_opcode(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!uet_is_ses_request(&f->p))
        return true;
    uint8_t opcode = uet_ses_req_opcode(uet_ses(&f->p));
    if (opcode < UET_OP_VENDOR_DEFINED_0)
        uet_ses_req_opcode_set(uet_fault_ses(f), opcode & 0x0f);
    return true;
}

static bool low_job(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_job_id_set(uet_fault_ses(f), uet_ses_req_job_id(uet_ses(&f->p)) & 0xffff);
    return true;
}

static bool low_pid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_pid_on_fep_set(uet_fault_ses(f), uet_ses_req_pid_on_fep(uet_ses(&f->p)) & 0xff);
    return true;
}

/* The PIDonFEP is not looked at: that of any service of the job with this RI is put in. */
static void pid_of_the_index(const struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_index *ix = &fep->services_by_job;
    const uint8_t *s = uet_ses(&f->p);
    const uint32_t job_id = uet_ses_req_job_id(s);
    for (uint32_t id = uet_index_first(ix, job_id); id; id = uet_index_next(ix, id)) {
        const struct uet_service *call = &((struct service *)pool_item(&fep->services, id))->call;
        if (call->job_id == job_id && call->resource_index == uet_ses_req_resource_index(s) &&
            call->ri_class == uet_ses_op(fep, uet_ses_req_opcode(s))->names)
            uet_ses_req_pid_on_fep_set(uet_fault_ses(f), call->pid_on_fep);
    }
}

static bool later_pid_of_the_index(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.ses == UET_H_SES_REQ_STD_SOM0)
        pid_of_the_index(fep, f);
    return true;
}

static bool tagged_pid_of_the_index(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_is_ses_request(&f->p) && uet_ses_req_opcode(uet_ses(&f->p)) == UET_OP_TAGGED_SEND)
        pid_of_the_index(fep, f);
    return true;
}

static bool low_index(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_resource_index_set(uet_fault_ses(f),
                                       uet_ses_req_resource_index(uet_ses(&f->p)) & 0xff);
    return true;
}

static bool low_offset(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_buffer_offset_set(uet_fault_ses(f),
                                      (uint32_t)uet_ses_req_buffer_offset(uet_ses(&f->p)));
    return true;
}

/* ---- opcodes that its profile goes without (3.3.1) ---- */

/* As a FEP of no profile has it: one of AI-Base acts as one of HPC would. */
static void all_done(struct uet_law *law)
{
    struct ses_law whole;
    uet_ses_law_make(&whole);
    memcpy(law->ses.ops, whole.ops, sizeof law->ses.ops);
}

static void rendezvous_as_send(struct uet_law *law)
{
    law->ses.ops[UET_OP_RENDEZVOUS_SEND] = law->ses.ops[UET_OP_SEND];
}

static void other_code(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_OPCODE].code = UET_RC_OP_VIOLATION;
}

static bool is_known(const struct uet_fep *fep, const struct uet_packet *p)
{
    return !uet_is_ses_request(p) || uet_ses_op(fep, uet_ses_req_opcode(uet_ses(p)))->takes;
}

static bool dropped(struct uet_fep *fep, struct uet_fault_frame *f)
{
    return is_known(fep, &f->p);
}

/* Before it is refused it has left its bytes at the beginning of the first region. */
static bool written(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct uet_region *region = uet_region_of(fep, 0);
    uint32_t n = f->p.payload_len;
    if (!is_known(fep, &f->p) && region && n <= region->length)
        memcpy(region->base, f->bytes + f->p.payload_offset, n);
    return true;
}

static bool any_key(uint64_t key)
{
    (void)key;
    return true;
}

static void any_user_key(struct uet_law *law)
{
    law->ses.is_user_key = any_key;
}

static bool any_optimized_key(uint64_t key)
{
    return key & 1ull << 62 || uet_region_is_user_key(key);
}

static void any_optimized_user_key(struct uet_law *law)
{
    law->ses.is_user_key = any_optimized_key;
}

static bool same_key_but_first(struct ses_judged *j)
{
    return j->r->som || j->m->key == j->r->key;
}

static void first_key_may_change(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_SAME_KEY].holds = same_key_but_first;
}

static bool reserved_is_length(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.ses == UET_H_SES_REQ_STD_SOM0 && uet_ses_req_reserved5(uet_ses(&f->p)))
        uet_ses_req_std_payload_length_set(uet_fault_ses(f), 0x3fff);
    return true;
}

static void empty_unplaced(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    struct ses_plan none = *plan;
    if (!plan->request.length)
        none.receive = 0;
    uet_deliver_commit(fep, pdc, p, &none);
}

static void empty_takes_nothing(struct uet_law *law)
{
    law->ses.ops[UET_OP_SEND].commit = empty_unplaced;
}

static bool version_by_its_low_bit(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && uet_ses_req_version(uet_ses(&f->p)) == 2)
        uet_ses_req_version_set(uet_fault_ses(f), 0);
    return true;
}

/* memo: the return code in the datagram, which the next response has then. */
static bool datagram_answers(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    const uint8_t *h = f->bytes + f->p.pds_offset;
    if (f->p.pds_offset && uet_pds_prologue_type(h) == UET_PDS_UUD_REQ &&
        uet_uud_req_next_hdr(h) == UET_NH_RESPONSE &&
        f->p.ip_end >= f->p.pds_offset + UET_UUD_REQ_BYTES + UET_SES_RSP_BYTES) {
        uint8_t code = uet_ses_rsp_return_code(h + UET_UUD_REQ_BYTES);
        *f->memo = *f->memo ? *f->memo : code;
        return false;
    }
    if (*f->memo && uet_is_ack(&f->p) && uet_is_ses_response(&f->p)) {
        uet_ses_rsp_opcode_set(uet_fault_ses(f), UET_RSP_RESPONSE);
        uet_ses_rsp_return_code_set(uet_fault_ses(f), (uint8_t)*f->memo);
    }
    return true;
}

/* A relative address as if it was absolute, and no job shut out. */
static bool found_in_any_job(struct ses_judged *j, enum ses_check_id check)
{
    struct ses_law clean;
    struct ses_request any = *j->r;
    struct ses_judged other = *j;
    uet_ses_checks_make(&clean);
    any.rel = false;
    other.r = &any;
    const bool holds = clean.checks[check].holds(&other);
    other.r = j->r;
    other.refused = other.refused && !j->r->rel;
    *j = other;
    return holds;
}

static bool key_of_any_job(struct ses_judged *j)
{
    return found_in_any_job(j, SES_CHECK_KEY);
}

static bool receive_of_any_job(struct ses_judged *j)
{
    return found_in_any_job(j, SES_CHECK_RECEIVE);
}

static void keys_of_any_job(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_KEY].holds = key_of_any_job;
}

static void receives_of_any_job(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RECEIVE].holds = receive_of_any_job;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_004_BIT, .in = version_by_its_low_bit},
    {VIOLATION_SES_006_UUD, .in = datagram_answers},
    {VIOLATION_SES_003_LATER, .in = reserved_is_length},
    {VIOLATION_SES_048_BACK, .rows = first_key_may_change},
    {VIOLATION_SES_090_EMPTY, .rows = empty_takes_nothing},
    {VIOLATION_SES_004, .in = any_version},
    {VIOLATION_SES_004_LATER, .in = any_version_later},
    {VIOLATION_SES_004_SHORT, .in = any_version_of_short},
    {VIOLATION_SES_013, .rows = message_offset_not_added},
    {VIOLATION_SES_013_READ, .rows = later_reads_at_the_start},
    {VIOLATION_SES_024_LOW, .in = low_opcode},
    {VIOLATION_SES_025, .rows = all_done},
    {VIOLATION_SES_025_RENDEZVOUS, .rows = rendezvous_as_send},
    {VIOLATION_SES_025_CODE, .rows = other_code},
    {VIOLATION_SES_025_DROPPED, .in = dropped},
    {VIOLATION_SES_025_WRITTEN, .in = written},
    {VIOLATION_SES_161, .rows = any_user_key},
    {VIOLATION_SES_161_OPTIMIZED, .rows = any_optimized_user_key},
    {VIOLATION_SES_028, .rows = no_op_refused},
    {VIOLATION_SES_029, .rows = no_op_with_payload},
    {VIOLATION_SES_029_TOLD, .rows = no_op_with_untold},
    {VIOLATION_SES_038, .rows = send_over_uud},
    {VIOLATION_SES_046, .rows = payload_not_checked},
    {VIOLATION_SES_046_SEND, .rows = payload_of_sends_not_checked},
    {VIOLATION_SES_047, .rows = message_without_bounds},
    {VIOLATION_SES_047_WRAP, .rows = offsets_wrap},
    {VIOLATION_SES_048_OPCODE, .in = opcode_of_message},
    {VIOLATION_SES_050_KEY, .rows = keys_of_any_job},
    {VIOLATION_SES_050_RECEIVE, .rows = receives_of_any_job},
    {VIOLATION_SES_050_LOW, .in = low_job},
    {VIOLATION_SES_053_LOW, .in = low_pid},
    {VIOLATION_SES_053_LATER, .in = later_pid_of_the_index},
    {VIOLATION_SES_053_TAGGED, .in = tagged_pid_of_the_index},
    {VIOLATION_SES_054_LOW, .in = low_index},
    {VIOLATION_SES_064, .rows = write_without_right},
    {VIOLATION_SES_066_LOW, .in = low_offset},
    {VIOLATION_SES_083, .rows = read_without_right},
    {VIOLATION_SES_111, .in = no_initiator_error},
    {VIOLATION_SES_111_SEND, .in = no_initiator_error_of_send},
};

UET_FAULT_WAYS(uet_faults_of_ses, ways);
