/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/tagged.h"

#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"

uint64_t uet_tag_receive(struct uet_tc *tc, const struct uet_memory *m,
                         const struct uet_ut_receive *like)
{
    struct uet_ut_receive receive = *like;
    uint64_t handle = 0;

    receive.job_id = m->job_id;
    receive.pid_on_fep = m->pid_on_fep;
    receive.resource_index = m->resource_index;
    receive.length = receive.length ? receive.length : TAGGED_BYTES;
    uet_did(tc, uet_ut_post_recv(uet_tc_need_ut(tc), &receive, &handle), "post_recv");
    return handle;
}

uint64_t untagged_receive(struct uet_tc *tc, const struct uet_memory *m)
{
    return uet_tag_receive(tc, m, &(const struct uet_ut_receive){.tagged = false});
}

struct uet_out tagged_send_from(struct uet_pdc *p, const struct uet_memory *m, uint64_t match_bits,
                                uint32_t initiator)
{
    struct uet_out o = uet_send_message(p, m, uet_tc_bytes(p->tc, TAGGED_BYTES), TAGGED_BYTES);

    uet_ses_req_opcode_set(o.ses, UET_OP_TAGGED_SEND);
    uet_ses_req_match_bits_or_memory_key_set(o.ses, match_bits);
    uet_ses_req_initiator_set(o.ses, initiator);
    return o;
}

struct uet_out tagged_send(struct uet_pdc *p, const struct uet_memory *m, uint64_t match_bits)
{
    return tagged_send_from(p, m, match_bits, UET_TC_SENDER);
}

void received(struct uet_tc *tc, const char *requirement, const struct uet_out *o, uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};

    fills(tc, requirement, handle, o->payload_len);
    memory_holds(tc, requirement, &buffer, 0, o->payload, o->payload_len);
}

void matched(struct uet_tc *tc, const char *requirement, const struct uet_out *o, uint64_t handle)
{
    accepted(tc, requirement, o);
    received(tc, requirement, o, handle);
}

void takes_header_data(struct uet_tc *tc, const struct uet_in *in, struct uet_pdc *p,
                       const struct uet_memory *m)
{
    if (!in || !is_error_response(in))
        return;
    const char *name = uet_enum_name(UET_ENUM_SES_RETURN_CODE, code_told(in));

    must_not_succeed(tc, "SES-174", 0);
    untagged_receive(tc, m);
    struct uet_out plain = uet_send_message(p, m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    accepted(tc, "SES-115", &plain);
    uet_skip(tc, "the FEP's completions have no room for header_data of a SEND: %s", name);
}

void unmatched(struct uet_tc *tc, const char *requirement, const struct uet_out *o, uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};
    struct kept before = keep(tc, &buffer, 0, TAGGED_BYTES);

    whatever_comes_of(tc, o);
    must_not_succeed(tc, requirement, 0);
    unchanged(tc, requirement, &before);
}
