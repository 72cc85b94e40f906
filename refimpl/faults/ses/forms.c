/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of SES in what is right for a WRITE on RUD, and wrong in another form or mode. */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

/* ---- a check that some requests are spared ---- */

#define CLASS(ri_class) (1u << (ri_class))
#define MODE(mode)      (SES_ON(mode) << 8)

#define SPARED(name, check, whom)                                                                  \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[check].when &= (uint16_t) ~(whom);                                         \
    }

SPARED(any_job_goes_on, SES_CHECK_SAME_JOB, CLASS(UET_RI_SEND))
SPARED(odd_send, SES_CHECK_FIRST_LENGTH, CLASS(UET_RI_SEND))
SPARED(odd_tagged, SES_CHECK_FIRST_LENGTH, CLASS(UET_RI_TAGGED))
SPARED(odd_on_rod, SES_CHECK_FIRST_LENGTH, MODE(UET_MODE_ROD))
SPARED(odd_on_rudi, SES_CHECK_FIRST_LENGTH, MODE(UET_MODE_RUDI))

/* Nor is it asked whether each part has come, which would tell, too. */
#define UNBOUND(name, whom)                                                                        \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.checks[SES_CHECK_BOUNDS].when &= (uint16_t) ~(whom);                              \
        law->ses.checks[SES_CHECK_EACH_PART].when &= (uint16_t) ~(whom);                           \
    }

UNBOUND(long_send, CLASS(UET_RI_SEND))
UNBOUND(long_tagged, CLASS(UET_RI_TAGGED))
UNBOUND(long_on_rod, MODE(UET_MODE_ROD))
UNBOUND(long_on_rudi, MODE(UET_MODE_RUDI))

/* ---- a request that is taken for another one ---- */

static uint8_t opcode_of(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) ? uet_ses_req_opcode(uet_ses(&f->p)) : UINT8_MAX;
}

static bool is_atomic(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_ATOMIC || opcode_of(f) == UET_OP_FETCHING_ATOMIC;
}

static bool is_deferrable(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_DEFERRABLE_SEND;
}

static bool is_short(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) && !uet_is_ses_std(&f->p);
}

static bool is_short_read(const struct uet_fault_frame *f)
{
    return is_short(f) && opcode_of(f) == UET_OP_READ;
}

static bool is_short_on_rudi(const struct uet_fault_frame *f)
{
    return is_short(f) && f->p.pds == UET_H_RUDI_REQ;
}

static bool is_read(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_READ;
}

static bool is_send(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_SEND;
}

UET_FAULT_ALTERS(any_atomic, is_atomic, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(any_deferrable, is_deferrable, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(read_ends, is_short_read, uet_ses_req_eom_set(s, true))
UET_FAULT_ALTERS(rudi_begins, is_short_on_rudi, uet_ses_req_som_set(s, true))
UET_FAULT_ALTERS(read_of_a_job, is_read, uet_ses_req_rel_set(s, true))
UET_FAULT_ALTERS(send_of_a_job, is_send, uet_ses_req_rel_set(s, true))

static bool is_tagged(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_TAGGED_SEND;
}

static bool is_short_send(const struct uet_fault_frame *f)
{
    return is_short(f) && is_send(f);
}

static bool is_later_on_rudi(const struct uet_fault_frame *f)
{
    return f->p.pds == UET_H_RUDI_REQ && f->p.ses == UET_H_SES_REQ_STD_SOM0;
}

static bool is_datagram(const struct uet_fault_frame *f)
{
    return f->p.pds == UET_H_UUD_REQ && uet_is_ses_request(&f->p);
}

static bool is_short_datagram(const struct uet_fault_frame *f)
{
    return is_datagram(f) && is_short(f);
}

UET_FAULT_ALTERS(tagged_to_the_start, is_tagged, uet_ses_req_buffer_offset_set(s, 0))
UET_FAULT_ALTERS(short_to_the_start, is_short_send, uet_ses_req_buffer_offset_set(s, 0))
UET_FAULT_ALTERS(later_to_the_start, is_later_on_rudi, uet_ses_req_buffer_offset_set(s, 0))
UET_FAULT_ALTERS(tagged_with_data, is_tagged, uet_ses_req_hd_set(s, true))
UET_FAULT_ALTERS(deferrable_with_data, is_deferrable, uet_ses_req_hd_set(s, true))
UET_FAULT_ALTERS(deferrable_without_data, is_deferrable, uet_ses_req_hd_set(s, false))
UET_FAULT_ALTERS(datagram_with_data, is_datagram, uet_ses_req_hd_set(s, true))
UET_FAULT_ALTERS(short_as_datagram, is_short_datagram,
                 uet_ses_req_opcode_set(s, UET_OP_DATAGRAM_SEND))

UET_FAULT_ALTERS(short_in_error, is_short, uet_ses_req_ie_set(s, false))

static bool is_on_rudi(const struct uet_fault_frame *f)
{
    return f->p.pds == UET_H_RUDI_REQ && uet_is_ses_request(&f->p);
}

UET_FAULT_ALTERS(rudi_in_error, is_on_rudi, uet_ses_req_ie_set(s, false))

static bool later_or_safe(struct ses_judged *j)
{
    const uint64_t key = j->region ? uet_region_at(j->fep, j->region)->key : 0;
    return !j->r->som || key & KEY_IDEMPOTENT_SAFE;
}

static void later_needs_no_key(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RUDI_KEY].holds = later_or_safe;
}

/* ---- numbers of more than 16 bits ---- */

static bool is_later(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_REQ_STD_SOM0;
}

static bool is_default(const struct uet_fault_frame *f)
{
    return uet_is_ses_response(&f->p) &&
           uet_ses_rsp_opcode(uet_ses(&f->p)) == UET_RSP_DEFAULT_RESPONSE;
}

static bool is_read_data(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_RSP_DATA;
}

UET_FAULT_ALTERS(low_offset, is_later,
                 uet_ses_req_std_message_offset_set(s, uet_ses_req_std_message_offset(s) & 0xffff))
UET_FAULT_ALTERS(lower_offset, is_later,
                 uet_ses_req_std_message_offset_set(s, uet_ses_req_std_message_offset(s) & 0xfffff))

/* In a region of 1 MiB, and behind its first quarter. */
static bool is_far(const struct uet_fault_frame *f)
{
    const uint64_t at = uet_is_ses_request(&f->p) ? uet_ses_buffer_offset(&f->p) : 0;
    return at >= 0x40000 && at <= 0x100040;
}

UET_FAULT_ALTERS(not_far, is_far,
                 uet_ses_req_buffer_offset_set(s, uet_ses_buffer_offset(&f->p) & 0x3ffff))
UET_FAULT_ALTERS(low_modified, is_default,
                 uet_ses_rsp_modified_length_set(s, uet_ses_rsp_modified_length(s) & 0xffff))
UET_FAULT_ALTERS(low_data_offset, is_read_data,
                 uet_ses_rsp_data_message_offset_set(s,
                                                     uet_ses_rsp_data_message_offset(s) & 0xffff))
static bool is_far_atomic(const struct uet_fault_frame *f)
{
    return is_far(f) && is_atomic(f);
}

UET_FAULT_ALTERS(atomic_not_far, is_far_atomic,
                 uet_ses_req_buffer_offset_set(s, uet_ses_buffer_offset(&f->p) & 0x3ffff))

/* The answer to a WRITE with an optimized header tells one byte less. */
static bool remembers_short(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (uet_is_request(&f->p))
        *f->memo = is_short(f) && opcode_of(f) == UET_OP_WRITE;
    return true;
}

static bool tells_less(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (*f->memo && is_default(f) && uet_ses_rsp_modified_length(uet_ses(&f->p)))
        uet_ses_rsp_modified_length_set(uet_fault_ses(f),
                                        uet_ses_rsp_modified_length(uet_ses(&f->p)) - 1);
    return true;
}

UET_FAULT_ALTERS(lower_data_offset, is_read_data,
                 uet_ses_rsp_data_message_offset_set(s,
                                                     uet_ses_rsp_data_message_offset(s) & 0x3ffff))
UET_FAULT_ALTERS(low_data_total, is_read_data,
                 uet_ses_rsp_data_modified_length_set(s,
                                                      uet_ses_rsp_data_modified_length(s) & 0xffff))

static bool later_or_enabled(struct ses_judged *j)
{
    return !j->r->som || !j->service->disabled || j->service->has_generation;
}

static void first_packets_judged(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_ENABLED].holds = later_or_enabled;
}

/* ---- a later packet that is taken for another one ---- */

static bool is_no_op(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_NO_OP;
}

static bool is_later_on_pdc(const struct uet_fault_frame *f)
{
    return f->p.ses == UET_H_SES_REQ_STD_SOM0 && uet_is_request(&f->p);
}

static bool is_later_read(const struct uet_fault_frame *f)
{
    return is_later_on_pdc(f) && is_read(f);
}

static bool is_later_tagged(const struct uet_fault_frame *f)
{
    return is_later_on_pdc(f) && is_tagged(f);
}

static bool is_later_on_rod(const struct uet_fault_frame *f)
{
    return is_later_on_pdc(f) && uet_is_rod_request(&f->p);
}

static bool is_short_atomic(const struct uet_fault_frame *f)
{
    return is_short(f) && is_atomic(f);
}

static bool is_short_datagram_on_pdc(const struct uet_fault_frame *f)
{
    return is_short(f) && uet_is_request(&f->p) && opcode_of(f) == UET_OP_DATAGRAM_SEND;
}

UET_FAULT_ALTERS(any_no_op, is_no_op, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(any_later_read, is_later_read, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(any_later_tagged, is_later_tagged, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(any_later_on_rod, is_later_on_rod, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(any_later_on_rudi, is_later_on_rudi, uet_ses_req_version_set(s, 0))
UET_FAULT_ALTERS(later_opcode, is_later_on_pdc,
                 uet_ses_req_opcode_set(s, uet_ses_req_opcode(s) & 0x0f))
UET_FAULT_ALTERS(later_opcode_on_rudi, is_later_on_rudi,
                 uet_ses_req_opcode_set(s, uet_ses_req_opcode(s) & 0x0f))
UET_FAULT_ALTERS(short_datagram_as_send, is_short_datagram_on_pdc,
                 uet_ses_req_opcode_set(s, UET_OP_SEND))

/* All of it, in one packet. */
static void make_single(uint8_t *s)
{
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
}

UET_FAULT_ALTERS(datagram_is_single, is_short_datagram, make_single(s))
UET_FAULT_ALTERS(atomic_is_single, is_short_atomic, make_single(s))

static bool short_no_op_is_good(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_short(f) && is_no_op(f)) {
        make_single(uet_fault_ses(f));
        uet_ses_req_short_request_length_set(uet_fault_ses(f), 0);
        f->len -= f->p.payload_len;
    }
    return true;
}

/* ---- an answer that tells another thing ---- */

/* memo: the pkt_id behind that of a datagram. */
static bool datagram_on_rudi(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_REQ && opcode_of(f) == UET_OP_DATAGRAM_SEND)
        *f->memo = uet_pkt_id(&f->p) + 1ull;
    return true;
}

static bool datagram_is_done(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (f->p.pds == UET_H_RUDI_RESP && *f->memo == uet_pkt_id(&f->p) + 1ull)
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    return true;
}

/* memo: request_length, when the request that came last is a send of that kind, and one more. */
static bool notes_length(struct uet_fault_frame *f, bool of_the_kind)
{
    if (uet_is_ses_request(&f->p))
        *f->memo = of_the_kind ? uet_ses_request_length(&f->p) + 1ull : 0;
    return true;
}

static bool short_send_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_length(f, is_short(f) && (is_send(f) || is_tagged(f)));
}

static bool tagged_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_length(f, is_tagged(f));
}

static bool told(const struct uet_fault_frame *f, uint8_t code)
{
    return *f->memo && uet_is_ses_response(&f->p) &&
           uet_ses_rsp_return_code(uet_ses(&f->p)) == code;
}

static bool atomic_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_length(f, is_atomic(f));
}

static bool short_write_came(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return notes_length(f, is_short(f) && opcode_of(f) == UET_OP_WRITE);
}

static bool one_less_is_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (told(f, UET_RC_OK) && *f->memo > 2)
        uet_ses_rsp_modified_length_set(uet_fault_ses(f), (uint32_t)*f->memo - 2);
    return true;
}

static bool whole_is_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (told(f, UET_RC_OK))
        uet_ses_rsp_modified_length_set(uet_fault_ses(f), (uint32_t)*f->memo - 1);
    return true;
}

static bool no_match_is_told_ok(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (told(f, UET_RC_NO_MATCH))
        uet_ses_rsp_return_code_set(uet_fault_ses(f), UET_RC_OK);
    return true;
}

static bool safe_or_empty(struct ses_judged *j)
{
    const struct uet_region *g = j->region ? uet_region_at(j->fep, j->region) : NULL;
    return g && (g->key & KEY_IDEMPOTENT_SAFE || !j->r->length);
}

static void empty_anywhere(struct uet_law *law)
{
    law->ses.checks[SES_CHECK_RUDI_KEY].holds = safe_or_empty;
}

/* ---- a WRITE that is led elsewhere ---- */

/* The first region with that key; NULL: there is none. */
static const struct uet_region *region_of_key(const struct uet_fep *fep, uint64_t key)
{
    for (uint32_t id = 1; id <= fep->regions.n; id++) {
        const struct uet_region *g = uet_region_at(fep, id);
        if (g->length && g->key == key)
            return g;
    }
    return NULL;
}

static bool key_alone(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const bool write = opcode_of(f) == UET_OP_WRITE && uet_is_ses_std(&f->p);
    const struct uet_region *g = write ? region_of_key(fep, uet_ses_match_bits(&f->p)) : NULL;
    if (g) {
        uint8_t *s = uet_fault_ses(f);
        uet_ses_req_job_id_set(s, g->job_id);
        uet_ses_req_pid_on_fep_set(s, g->pid_on_fep);
        uet_ses_req_resource_index_set(s, g->resource_index);
    }
    return true;
}

static bool send_to_a_region(struct uet_fep *fep, struct uet_fault_frame *f)
{
    bool of_region = false;
    if (!is_send(f))
        return true;
    for (uint32_t id = 1; id <= fep->regions.n; id++) {
        const struct uet_region *g = uet_region_at(fep, id);
        of_region |= g->length && g->resource_index == uet_ses_req_resource_index(uet_ses(&f->p));
    }
    if (of_region && uet_is_ses_std(&f->p)) { /* it is there, and so all is well */
        uet_ses_req_opcode_set(uet_fault_ses(f), UET_OP_WRITE);
        uet_ses_req_std_request_length_set(uet_fault_ses(f), 0);
        f->len -= f->p.payload_len;
    }
    return true;
}

/* ---- as initiator ---- */

static bool is_short_tagged(const struct uet_fault_frame *f)
{
    return is_short(f) && is_tagged(f);
}

static bool is_read_on_rudi(const struct uet_fault_frame *f)
{
    return f->p.pds == UET_H_RUDI_REQ && is_read(f);
}

static bool is_request_again(const struct uet_fault_frame *f)
{
    return uet_is_ses_request(&f->p) && uet_is_request(&f->p) &&
           uet_rud_rod_req_retx(uet_pds(&f->p));
}

static bool as_standard(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_short_send(f) && uet_is_request(&f->p))
        uet_rud_rod_req_next_hdr_set(uet_fault_pds(f), UET_NH_REQUEST_STD);
    return true;
}

static bool as_standard_atomic(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_short(f) && is_atomic(f) && uet_is_request(&f->p))
        uet_rud_rod_req_next_hdr_set(uet_fault_pds(f), UET_NH_REQUEST_STD);
    return true;
}

/* It has the generation that was told. */
static bool is_tagged_try(const struct uet_fault_frame *f)
{
    return is_tagged(f) && uet_ses_req_ri_generation(uet_ses(&f->p));
}

static bool is_tagged_rendezvous(const struct uet_fault_frame *f)
{
    return opcode_of(f) == UET_OP_RENDEZVOUS_TSEND;
}

UET_FAULT_ALTERS(tagged_stays, is_tagged, uet_ses_req_ri_generation_set(s, 0))
UET_FAULT_ALTERS(short_stays, is_short_send, uet_ses_req_ri_generation_set(s, 0))
UET_FAULT_ALTERS(nobody_tries, is_tagged_try, uet_ses_req_initiator_set(s, 0))
UET_FAULT_ALTERS(nobody_offers, is_tagged_rendezvous, uet_ses_req_initiator_set(s, 0))
UET_FAULT_ALTERS(tagged_generation, is_tagged, uet_ses_req_ri_generation_set(s, 1))
UET_FAULT_ALTERS(short_tag_of_nobody, is_short_tagged, uet_ses_req_initiator_set(s, 0))
UET_FAULT_ALTERS(no_data_again, is_request_again, uet_ses_req_hd_set(s, false))
UET_FAULT_ALTERS(each_read_ends, is_read_on_rudi, uet_ses_req_eom_set(s, true))
UET_FAULT_ALTERS(offset_moves, is_later_on_rudi,
                 uet_ses_req_buffer_offset_set(s, uet_ses_buffer_offset(&f->p) +
                                                      uet_ses_message_offset(&f->p)))

static bool any_short_read(const struct uet_fep *fep, const struct uet_operation *call)
{
    struct uet_operation none = *call;

    if (call->opcode == UET_OP_READ)
        none.length = 0;
    return uet_op_short_form_fits(fep, &none);
}

static bool any_short_send(const struct uet_fep *fep, const struct uet_operation *call)
{
    struct uet_operation none = *call;

    if (call->opcode == UET_OP_SEND)
        none.length = 0;
    return uet_op_short_form_fits(fep, &none);
}

static void short_reads(struct uet_law *law)
{
    law->ses.short_form_fits = any_short_read;
}

static void short_sends(struct uet_law *law)
{
    law->ses.short_form_fits = any_short_send;
}

static void for_peer_of_writes(struct uet_operation *call)
{
    if (call->opcode == UET_OP_WRITE)
        uet_op_for_peer(call);
}

static void minds_writes(struct uet_law *law)
{
    law->ses.for_peer = for_peer_of_writes;
}

static void writes_over_uud(struct uet_law *law)
{
    law->ses.ops[UET_OP_WRITE].starts |= SES_ON(UET_MODE_UUD);
}

#define ENDLESS(name, opcode)                                                                      \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        law->ses.ops[opcode].stops = 0;                                                            \
    }

ENDLESS(endless_send, UET_OP_SEND)
ENDLESS(endless_tagged, UET_OP_TAGGED_SEND)

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_004_NO_OP, .in = any_no_op},
    {VIOLATION_SES_004_READ, .in = any_later_read},
    {VIOLATION_SES_004_LATER_TAGGED, .in = any_later_tagged},
    {VIOLATION_SES_004_LATER_ROD, .in = any_later_on_rod},
    {VIOLATION_SES_004_LATER_RUDI, .in = any_later_on_rudi},
    {VIOLATION_SES_015_UUD, .in = datagram_is_single},
    {VIOLATION_SES_015_ATOMIC, .in = atomic_is_single},
    {VIOLATION_SES_024_LATER, .in = later_opcode},
    {VIOLATION_SES_024_RUDI, .in = later_opcode_on_rudi},
    {VIOLATION_SES_029_SHORT, .in = short_no_op_is_good},
    {VIOLATION_SES_038_RUD, .in = short_datagram_as_send},
    {VIOLATION_SES_038_RUDI, .in = datagram_on_rudi, .out = datagram_is_done},
    {VIOLATION_SES_086_EMPTY, .rows = empty_anywhere},
    {VIOLATION_SES_096_SHORT, .in = short_send_came, .out = no_match_is_told_ok},
    {VIOLATION_SES_124_SHORT, .in = short_send_came, .out = whole_is_told},
    {VIOLATION_SES_124_ATOMIC, .in = atomic_came, .out = one_less_is_told},
    {VIOLATION_SES_124_WRITE, .in = short_write_came, .out = one_less_is_told},
    {VIOLATION_SES_124_TAGGED, .in = tagged_came, .out = whole_is_told},
    {VIOLATION_SES_005_ATOMIC, .out = as_standard_atomic},
    {VIOLATION_SES_095_AGAIN, .out = nobody_tries},
    {VIOLATION_SES_095_RENDEZVOUS, .out = nobody_offers},
    {VIOLATION_SES_108_TAGGED, .out = tagged_stays},
    {VIOLATION_SES_108_SHORT, .out = short_stays},
    {VIOLATION_SES_125_SEND, .rows = endless_send},
    {VIOLATION_SES_125_TAGGED, .rows = endless_tagged},
    {VIOLATION_ROB_023_SEND, .rows = any_job_goes_on},
    {VIOLATION_SES_013_LONG, .in = low_offset},
    {VIOLATION_SES_013_LONGER, .in = lower_offset},
    {VIOLATION_SES_013_FAR, .in = not_far},
    {VIOLATION_SES_013_ATOMIC, .in = atomic_not_far},
    {VIOLATION_SES_078_LONG, .out = low_data_offset},
    {VIOLATION_SES_078_LONGER, .out = lower_data_offset},
    {VIOLATION_SES_079_LONG, .out = low_data_total},
    {VIOLATION_SES_173_LONG, .out = low_modified},
    {VIOLATION_SES_173_SHORT, .in = remembers_short, .out = tells_less},
    {VIOLATION_SES_086_LATER, .rows = later_needs_no_key},
    {VIOLATION_SES_111_SHORT, .in = short_in_error},
    {VIOLATION_SES_111_RUDI, .in = rudi_in_error},
    {VIOLATION_SES_013_TAGGED, .in = tagged_to_the_start},
    {VIOLATION_SES_013_MEDIUM, .in = short_to_the_start},
    {VIOLATION_SES_013_RUDI, .in = later_to_the_start},
    {VIOLATION_SES_019_ALONE, .in = key_alone},
    {VIOLATION_SES_056_MEMORY, .in = send_to_a_region},
    {VIOLATION_SES_038_SHORT, .in = short_as_datagram},
    {VIOLATION_SES_070_TAGGED, .in = tagged_with_data},
    {VIOLATION_SES_070_DEFERRABLE, .in = deferrable_with_data},
    {VIOLATION_SES_070_UUD, .in = datagram_with_data},
    {VIOLATION_SES_100_LATER, .rows = first_packets_judged},
    {VIOLATION_SES_174_DEFERRABLE, .in = deferrable_without_data},
    {VIOLATION_SES_005_SEND, .out = as_standard},
    {VIOLATION_SES_104_TAGGED, .out = tagged_generation},
    {VIOLATION_SES_095_MEDIUM, .out = short_tag_of_nobody},
    {VIOLATION_SES_069_AGAIN, .out = no_data_again},
    {VIOLATION_SES_072_RUDI, .out = each_read_ends},
    {VIOLATION_SES_012_RUDI, .out = offset_moves},
    {VIOLATION_SES_016_READ, .rows = short_reads},
    {VIOLATION_SES_016_SEND, .rows = short_sends},
    {VIOLATION_SES_017_SEND, .rows = minds_writes},
    {VIOLATION_SES_038_SENT, .rows = writes_over_uud},
    {VIOLATION_SES_004_ATOMIC, .in = any_atomic},
    {VIOLATION_SES_004_DEFERRABLE, .in = any_deferrable},
    {VIOLATION_SES_015_READ, .in = read_ends},
    {VIOLATION_SES_015_RUDI, .in = rudi_begins},
    {VIOLATION_SES_045_SEND, .rows = odd_send},
    {VIOLATION_SES_045_TAGGED, .rows = odd_tagged},
    {VIOLATION_SES_045_ROD, .rows = odd_on_rod},
    {VIOLATION_SES_045_RUDI, .rows = odd_on_rudi},
    {VIOLATION_SES_047_SEND, .rows = long_send},
    {VIOLATION_SES_047_TAGGED, .rows = long_tagged},
    {VIOLATION_SES_047_ROD, .rows = long_on_rod},
    {VIOLATION_SES_047_RUDI, .rows = long_on_rudi},
    {VIOLATION_SES_051_READ, .in = read_of_a_job},
    {VIOLATION_SES_051_SEND, .in = send_of_a_job},
};

UET_FAULT_WAYS(uet_faults_of_forms, ways);
