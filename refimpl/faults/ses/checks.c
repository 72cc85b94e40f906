/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of the checks of a request: not made, or answered by another code (ses/checks.c). */
#include "refimpl/ses/checks.h"
#include "refimpl/faults/ses/about.h"
#include "refimpl/pds/state.h"

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

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_028_RECEIVE, .in = no_op_sends},
    {VIOLATION_SES_024, .rows = reserved_opcode_is_ok},
    {VIOLATION_SES_044, .rows = order_wanted},
    {VIOLATION_SES_045, .rows = any_first_length},
    {VIOLATION_SES_045_FULL, .rows = full_single_refused},
    {VIOLATION_SES_045_SINGLE, .rows = single_may_lack},
    {VIOLATION_SES_047_READ, .rows = read_without_bounds},
    {VIOLATION_SES_047_MISSING, .rows = end_not_checked},
    {VIOLATION_SES_048, .rows = key_may_change},
    {VIOLATION_SES_049, .rows = som_first},
    {VIOLATION_SES_050, .in = job_is_no_part},
    {VIOLATION_SES_051, .in = job_is_part},
    {VIOLATION_SES_052, .rows = unknown_job_is_bad_pid},
    {VIOLATION_SES_053, .rows = unknown_pid_is_bad_index},
    {VIOLATION_SES_054, .rows = unknown_ri_is_bad_pid},
    {VIOLATION_SES_053_LATE, .rows = index_before_pid},
    {VIOLATION_SES_055, .rows = pid_before_job},
    {VIOLATION_SES_056, .rows = one_ri_space},
    {VIOLATION_SES_059, .rows = any_job_on_buffer},
    {VIOLATION_SES_059_LOW, .rows = low_job_on_buffer},
    {VIOLATION_SES_059_LATER, .rows = job_of_first},
    {VIOLATION_SES_059_LATE, .rows = right_before_job},
    {VIOLATION_SES_063_EMPTY, .in = empty_needs_no_key},
    {VIOLATION_SES_063, .rows = unknown_key_is_ok},
    {VIOLATION_SES_064_LATER, .rows = write_right_of_first},
    {VIOLATION_SES_011_END, .rows = no_room_at_the_end},
    {VIOLATION_SES_065, .rows = range_one_late},
    {VIOLATION_SES_066, .rows = range_of_packet},
    {VIOLATION_SES_066_FIRST, .rows = range_of_first},
    {VIOLATION_SES_066_WRAP, .rows = range_wraps},
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
    {VIOLATION_SES_111_SOM, .rows = later_ie_not_seen},
    {VIOLATION_SES_116, .rows = error_forgotten},
};

UET_FAULT_WAYS(uet_faults_of_checks, ways);
