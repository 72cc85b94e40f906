/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of addresses, forms and opcodes (ses/). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/state.h"
#include "refimpl/ses/checks.h"

/* ---- checks that are not made, or answer another code ---- */

static bool always(struct ses_judged *j)
{
    (void)j;
    return true;
}

#define NOT_CHECKED(name, check)                                                                   \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[check].holds = always;                                                     \
    }
#define OTHER_CODE(name, check, rc)                                                                \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[check].code = (rc);                                                        \
    }
#define OTHER_CHECK(name, check, function)                                                         \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[check].holds = (function);                                                 \
    }

NOT_CHECKED(error_forgotten, SES_CHECK_MESSAGE_GOOD)
NOT_CHECKED(key_may_change, SES_CHECK_SAME_KEY)
NOT_CHECKED(any_generation, SES_CHECK_GENERATION)
NOT_CHECKED(cut_though_too_long, SES_CHECK_RECEIVE_LENGTH)
NOT_CHECKED(rudi_any_region, SES_CHECK_RUDI_KEY)
static bool safe_or_read(struct ses_judged *j)
{
    const struct uet_region *g = j->region ? uet_region_at(j->fep, j->region) : NULL;
    return g && (j->r->op->fetches || g->key & KEY_IDEMPOTENT_SAFE);
}
static void rudi_reads_any_region(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RUDI_KEY].holds = safe_or_read;
}
OTHER_CODE(rudi_any_operation, SES_CHECK_RUDI_OPCODE, UET_RC_OK)
NOT_CHECKED(any_first_length, SES_CHECK_FIRST_LENGTH)
OTHER_CODE(unknown_job_is_bad_pid, SES_CHECK_JOB, UET_RC_BAD_PID)
OTHER_CODE(unknown_pid_is_bad_index, SES_CHECK_PID, UET_RC_BAD_INDEX)
OTHER_CODE(unknown_ri_is_bad_pid, SES_CHECK_INDEX, UET_RC_BAD_PID)
OTHER_CODE(reserved_opcode_is_ok, SES_CHECK_OPCODE, UET_RC_OK)
OTHER_CODE(unknown_key_is_ok, SES_CHECK_KEY, UET_RC_OK)
OTHER_CODE(no_match_is_ok, SES_CHECK_RECEIVE, UET_RC_OK)

static bool empty_needs_no_key(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool empty = f->p.ses == UET_H_SES_REQ_STD_SOM1 &&
                 uet_ses_req_opcode(uet_fault_ses(f)) == UET_OP_WRITE &&
                 !uet_ses_req_std_request_length(uet_fault_ses(f));
    fep->law.ses.checks[SES_CHECK_KEY].code = empty ? UET_RC_OK : UET_RC_BAD_MKEY;
    return true;
}

static void disabled_not_seen(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_ENABLED].holds = always;
    law->ses.checks[SES_CHECK_ENABLED_GEN].holds = always;
}

static void tagged_always_enabled(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_ENABLED].when &= (uint16_t) ~(1u << UET_RI_TAGGED);
}

static void any_job_on_buffer(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_REGION_JOB].holds = always;
    law->ses.checks[SES_CHECK_RECEIVE_JOB].holds = always;
}

/* The JobID is compared in 16 of its bits. */
static bool low_job_may(struct ses_judged *j)
{
    return !j->refused ||
           (uint16_t)j->r->job_id == (uint16_t)uet_region_at(j->fep, j->region)->job_id;
}
OTHER_CHECK(low_job_on_buffer, SES_CHECK_REGION_JOB, low_job_may)

/* What comes behind the first packet of a message is not held against it. */
#define FIRST_ALONE(name, check, of)                                                               \
    static bool name##_holds(struct ses_judged *j)                                                 \
    {                                                                                              \
        struct ses_law rule;                                                                       \
        uet_ses_law_make(&rule);                                                                   \
        return (!j->r->som && j->r->opcode == (of)) || rule.checks[check].holds(j);                \
    }                                                                                              \
    OTHER_CHECK(name, check, name##_holds)

FIRST_ALONE(read_right_of_first, SES_CHECK_RIGHT, UET_OP_READ)
FIRST_ALONE(write_right_of_first, SES_CHECK_RIGHT, UET_OP_WRITE)
FIRST_ALONE(job_of_first, SES_CHECK_REGION_JOB, UET_OP_READ)

/* Two checks are made in each other's place. */
#define CHANGED_PLACES(name, one, other)                                                           \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        struct ses_check *checks = law->ses.checks;                                                \
        const struct ses_check first = checks[one];                                                \
        checks[one] = checks[other];                                                               \
        checks[other] = first;                                                                     \
    }

CHANGED_PLACES(pid_before_job, SES_CHECK_JOB, SES_CHECK_PID)
CHANGED_PLACES(index_before_pid, SES_CHECK_PID, SES_CHECK_INDEX)
CHANGED_PLACES(generation_before_enabled, SES_CHECK_ENABLED_GEN, SES_CHECK_GENERATION)
CHANGED_PLACES(receive_before_generation, SES_CHECK_GENERATION, SES_CHECK_RECEIVE)
CHANGED_PLACES(right_before_job, SES_CHECK_REGION_JOB, SES_CHECK_RIGHT)

/* With an address it goes the way of a SEND of no bytes. */
static bool no_op_sends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    const uint8_t *h = uet_is_ses_request(&f->p) ? uet_ses(&f->p) : NULL;
    if (h && uet_ses_req_opcode(h) == UET_OP_NO_OP && uet_ses_req_resource_index(h))
        uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_SEND);
    return true;
}

static bool job_is_part(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_rel_set(uet_fault_ses(f), true);
    return true;
}

static bool job_is_no_part(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p))
        uet_ses_req_rel_set(uet_fault_ses(f), false);
    return true;
}

static bool absolute_low_pid(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_ses_request(&f->p) && !uet_ses_req_rel(uet_ses(&f->p)))
        uet_ses_req_pid_on_fep_set(uet_fault_ses(f),
                                   uet_ses_req_pid_on_fep(uet_ses(&f->p)) & 0x7ff);
    return true;
}

static bool absolute_low_index(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *s = uet_is_ses_request(&f->p) ? uet_ses(&f->p) : NULL;
    (void)fep;
    if (s && !uet_ses_req_rel(s))
        uet_ses_req_resource_index_set(uet_fault_ses(f), uet_ses_req_resource_index(s) & 0x7ff);
    return true;
}

/* The RI number alone: whatever space it was opened in. */
static bool open_in_any_space(struct ses_judged *j)
{
    for (uint8_t space = UET_RI_RMA; space <= UET_RI_TAGGED && !j->service; space++) {
        const struct ses_op op = {.names = space};
        struct ses_request r = *j->r;
        r.op = &op;
        j->service = uet_service_find(j->fep, &r);
    }
    return j->service;
}
OTHER_CHECK(one_ri_space, SES_CHECK_INDEX, open_in_any_space)

static bool current_or_before(struct ses_judged *j)
{
    const struct uet_service *s = j->service;
    uint8_t generation = j->r->ri_generation;
    return !s->has_generation || s->ri_generation == generation ||
           generation + 1 == s->ri_generation;
}
OTHER_CHECK(generation_before, SES_CHECK_GENERATION, current_or_before)

static bool one_byte_late(struct ses_judged *j)
{
    uint64_t length = uet_region_at(j->fep, j->region)->length;
    return !uet_ses_outside(j->r->buffer_offset, j->r->length, length + 1);
}
OTHER_CHECK(range_one_late, SES_CHECK_RANGE, one_byte_late)

static bool packet_is_inside(struct ses_judged *j)
{
    uint64_t length = uet_region_at(j->fep, j->region)->length;
    return !uet_ses_outside(j->r->buffer_offset + j->r->message_offset, j->r->payload, length);
}
OTHER_CHECK(range_of_packet, SES_CHECK_RANGE, packet_is_inside)

static bool first_is_inside(struct ses_judged *j)
{
    uint64_t length = uet_region_at(j->fep, j->region)->length;
    return j->r->som ? !uet_ses_outside(j->r->buffer_offset, j->r->touches, length)
                     : packet_is_inside(j);
}
OTHER_CHECK(range_of_first, SES_CHECK_RANGE, first_is_inside)

static bool sum_is_inside(struct ses_judged *j)
{
    return j->r->buffer_offset + j->r->length <= uet_region_at(j->fep, j->region)->length;
}
OTHER_CHECK(range_wraps, SES_CHECK_RANGE, sum_is_inside)

static bool starts_on_a_byte(struct ses_judged *j)
{
    uint64_t length = uet_region_at(j->fep, j->region)->length;
    return j->r->buffer_offset < length &&
           !uet_ses_outside(j->r->buffer_offset, j->r->touches, length);
}
OTHER_CHECK(no_room_at_the_end, SES_CHECK_RANGE, starts_on_a_byte)

static bool low_length_fits(struct ses_judged *j)
{
    struct ses_request r = *j->r;
    r.touches &= 0x7fffffff;
    return (j->m && j->m->receive) || uet_ses_send_fits(&receive_at(j->fep, j->receive)->call, &r);
}
OTHER_CHECK(send_length_signed, SES_CHECK_RECEIVE_LENGTH, low_length_fits)

static bool shorter_than_mtu(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    uint32_t mtu = j->fep->config.payload_mtu;
    return !r->som || (r->eom ? r->payload < mtu : r->payload == mtu);
}
OTHER_CHECK(full_single_refused, SES_CHECK_FIRST_LENGTH, shorter_than_mtu)

static bool read_anywhere(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    return j->r->op->rights & UET_RIGHT_READ ||
           (uint64_t)r->message_offset + r->payload <= r->length;
}
OTHER_CHECK(read_without_bounds, SES_CHECK_BOUNDS, read_anywhere)

static bool in_order(struct ses_judged *j)
{
    const struct message *m = j->m;
    return !m || (m->opcode == j->r->opcode && m->length == j->r->length &&
                  m->received == j->r->message_offset);
}
OTHER_CHECK(order_wanted, SES_CHECK_SAME_MESSAGE, in_order)

static bool begun_with_som(struct ses_judged *j)
{
    const struct message *m = j->m;
    return m ? m->opcode == j->r->opcode && m->length == j->r->length : j->r->som;
}

static void som_first(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_SAME_MESSAGE].holds = begun_with_som;
    law->ses.checks[SES_CHECK_SAME_MESSAGE].when = law->ses.checks[SES_CHECK_VERSION].when;
}

static bool last_posted(struct ses_judged *j)
{
    bool refused = false;
    if (j->m && j->m->receive) {
        j->receive = j->m->receive;
        return true;
    }
    uint32_t first = uet_receive_find(j->fep, j->r, &j->refused);
    if (j->r->op->names != UET_RI_SEND) {
        j->receive = first;
        return first;
    }
    for (uint32_t id = first; id; id = uet_index_next(&j->fep->receives_by_family, id)) {
        const struct uet_receive *v = &receive_at(j->fep, id)->call;
        refused = !v->any_job && v->job_id != j->r->job_id;
        if (v->pid_on_fep == j->r->pid_on_fep && v->resource_index == j->r->resource_index &&
            (!refused || j->refused))
            j->receive = id;
    }
    return j->receive;
}
OTHER_CHECK(last_receive_first, SES_CHECK_RECEIVE, last_posted)

/* What is too short is passed over, if one behind it is long enough. */
static bool long_enough(struct ses_judged *j)
{
    uint32_t first = j->m && j->m->receive ? 0 : uet_receive_find(j->fep, j->r, &j->refused);
    if (!first || j->r->op->names != UET_RI_SEND)
        return last_posted(j);
    j->receive = first;
    for (uint32_t id = first; id; id = uet_index_next(&j->fep->receives_by_family, id))
        if (receive_at(j->fep, id)->call.resource_index == j->r->resource_index &&
            receive_at(j->fep, id)->call.length >= j->r->length) {
            j->receive = id;
            break;
        }
    return true;
}
OTHER_CHECK(longest_receive_first, SES_CHECK_RECEIVE, long_enough)

static bool first_has_no_error(struct ses_judged *j)
{
    return !j->r->ie || !j->r->som;
}
OTHER_CHECK(later_ie_not_seen, SES_CHECK_INITIATOR_ERROR, first_has_no_error)

static bool begins_inside(struct ses_judged *j)
{
    return j->r->message_offset <= j->r->length;
}
OTHER_CHECK(end_not_checked, SES_CHECK_BOUNDS, begins_inside)

static bool at_most_full(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    uint32_t mtu = j->fep->config.payload_mtu;
    if (!r->som)
        return true;
    return r->eom ? r->payload <= r->length : r->payload == mtu && r->length > mtu;
}

static bool inside_or_single(struct ses_judged *j)
{
    const struct ses_request *r = j->r;
    uint64_t end = (uint64_t)r->message_offset + r->payload;
    return r->eom && !r->som ? end == r->length : end <= r->length;
}

static void single_may_lack(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_FIRST_LENGTH].holds = at_most_full;
    law->ses.checks[SES_CHECK_BOUNDS].holds = inside_or_single;
}

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

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_028_RECEIVE, .in = no_op_sends},
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
    {VIOLATION_SES_024, .rows = reserved_opcode_is_ok},
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
    {VIOLATION_SES_044, .rows = order_wanted},
    {VIOLATION_SES_045, .rows = any_first_length},
    {VIOLATION_SES_045_FULL, .rows = full_single_refused},
    {VIOLATION_SES_045_SINGLE, .rows = single_may_lack},
    {VIOLATION_SES_046, .rows = payload_not_checked},
    {VIOLATION_SES_046_SEND, .rows = payload_of_sends_not_checked},
    {VIOLATION_SES_047, .rows = message_without_bounds},
    {VIOLATION_SES_047_WRAP, .rows = offsets_wrap},
    {VIOLATION_SES_047_READ, .rows = read_without_bounds},
    {VIOLATION_SES_047_MISSING, .rows = end_not_checked},
    {VIOLATION_SES_048, .rows = key_may_change},
    {VIOLATION_SES_048_OPCODE, .in = opcode_of_message},
    {VIOLATION_SES_049, .rows = som_first},
    {VIOLATION_SES_050, .in = job_is_no_part},
    {VIOLATION_SES_050_LOW, .in = low_job},
    {VIOLATION_SES_051, .in = job_is_part},
    {VIOLATION_SES_052, .rows = unknown_job_is_bad_pid},
    {VIOLATION_SES_053, .rows = unknown_pid_is_bad_index},
    {VIOLATION_SES_053_LOW, .in = low_pid},
    {VIOLATION_SES_053_LATER, .in = later_pid_of_the_index},
    {VIOLATION_SES_053_TAGGED, .in = tagged_pid_of_the_index},
    {VIOLATION_SES_054, .rows = unknown_ri_is_bad_pid},
    {VIOLATION_SES_054_LOW, .in = low_index},
    {VIOLATION_SES_053_LATE, .rows = index_before_pid},
    {VIOLATION_SES_055, .rows = pid_before_job},
    {VIOLATION_SES_056, .rows = one_ri_space},
    {VIOLATION_SES_059, .rows = any_job_on_buffer},
    {VIOLATION_SES_059_LOW, .rows = low_job_on_buffer},
    {VIOLATION_SES_059_LATER, .rows = job_of_first},
    {VIOLATION_SES_059_LATE, .rows = right_before_job},
    {VIOLATION_SES_063_EMPTY, .in = empty_needs_no_key},
    {VIOLATION_SES_063, .rows = unknown_key_is_ok},
    {VIOLATION_SES_064, .rows = write_without_right},
    {VIOLATION_SES_064_LATER, .rows = write_right_of_first},
    {VIOLATION_SES_011_END, .rows = no_room_at_the_end},
    {VIOLATION_SES_065, .rows = range_one_late},
    {VIOLATION_SES_066, .rows = range_of_packet},
    {VIOLATION_SES_066_FIRST, .rows = range_of_first},
    {VIOLATION_SES_066_WRAP, .rows = range_wraps},
    {VIOLATION_SES_066_LOW, .in = low_offset},
    {VIOLATION_SES_083, .rows = read_without_right},
    {VIOLATION_SES_083_LATER, .rows = read_right_of_first},
    {VIOLATION_SES_086_READ, .rows = rudi_reads_any_region},
    {VIOLATION_SES_086, .rows = rudi_any_region},
    {VIOLATION_SES_089, .rows = rudi_any_operation},
    {VIOLATION_SES_090, .rows = last_receive_first},
    {VIOLATION_SES_090_SHORT, .rows = longest_receive_first},
    {VIOLATION_SES_096, .rows = no_match_is_ok},
    {VIOLATION_SES_053_ABSOLUTE, .in = absolute_low_pid},
    {VIOLATION_SES_054_ABSOLUTE, .in = absolute_low_index},
    {VIOLATION_SES_100, .rows = disabled_not_seen},
    {VIOLATION_SES_100_TAGGED, .rows = tagged_always_enabled},
    {VIOLATION_SES_100_LATE, .rows = generation_before_enabled},
    {VIOLATION_SES_101, .rows = cut_though_too_long},
    {VIOLATION_SES_101_SIGNED, .rows = send_length_signed},
    {VIOLATION_SES_105, .rows = any_generation},
    {VIOLATION_SES_105_LATE, .rows = receive_before_generation},
    {VIOLATION_SES_105_BEFORE, .rows = generation_before},
    {VIOLATION_SES_111, .in = no_initiator_error},
    {VIOLATION_SES_111_SOM, .rows = later_ie_not_seen},
    {VIOLATION_SES_111_SEND, .in = no_initiator_error_of_send},
    {VIOLATION_SES_116, .rows = error_forgotten},
};

UET_FAULT_WAYS(uet_faults_of_ses, ways);
