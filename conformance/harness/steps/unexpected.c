/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/unexpected.h"

#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

struct message unexpected_message(struct uet_tc *tc, uint8_t packets, uint32_t last)
{
    struct message shape = {
        .opcode = UET_OP_SEND, .packets = packets, .last = last, .m = uet_need_keeping(tc)};

    shape.m.length = packets * uet_tc_dut(tc)->payload_mtu;
    return uet_message_of(tc, shape);
}

uint64_t late_receive(struct uet_tc *tc, const struct uet_memory *m, uint32_t length)
{
    return uet_tag_receive(tc, m, &(const struct uet_ut_receive){.length = length});
}

static bool has_no_room(const struct uet_in *in)
{
    return uet_is_nack(&in->packet) || code_told(in) == UET_RC_NO_MATCH;
}

/* Table 3-11; as the default response (Table 3-43), it may leave both out. */
static void tells_of_its_request(struct uet_tc *tc, const struct uet_in *in,
                                 const struct uet_out *o)
{
    const struct {
        uint16_t id;
        uint64_t value;
    } copied[] = {{UET_F_SES_JOB_ID, uet_ses_req_job_id(o->ses)},
                  {UET_F_SES_MESSAGE_ID, uet_ses_req_std_message_id(o->ses)}};

    if (!uet_is_ses_response(&in->packet))
        return;
    for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
        if (value_of(tc, in, copied[i].id))
            field(tc, "SES-122", in, copied[i].id, copied[i].value);
        else
            uet_other_reading(tc, "SES-122", "what tells arrival has %s 0",
                              copied[i].id == UET_F_SES_JOB_ID ? "job_id" : "message_id");
    }
}

const struct uet_in *kept_unless_refused(struct uet_tc *tc, const char *requirement,
                                         const struct uet_out *o)
{
    say(tc, o);
    const struct uet_in *in = hear(tc, requirement, ANSWER_TO(o));

    if (has_no_room(in))
        uet_skip(tc, "the FEP keeps nothing now, as it may");
    if (!tells_success(in))
        return NULL;
    tells_of_its_request(tc, in, o);
    return in;
}

const struct uet_in *kept_as_unexpected(struct uet_tc *tc, const char *requirement,
                                        const struct uet_out *o)
{
    const struct uet_in *in = kept_unless_refused(tc, requirement, o);

    uet_check(tc, requirement, in, "a packet to be kept was refused");
    return in;
}

/*
 * The answer to that message, whichever of its packets it names: a FEP may keep the place for it
 * from the first on, and UET_NO_RESPONSE tells each that it follows for the message (Table 3-18).
 */
static bool is_answer(const struct uet_in *in, const void *last)
{
    const struct uet_out *o = last;

    if (!uet_is_ses_response(&in->packet) || tells_arrival(in))
        return false;
    const uint8_t *ses = uet_ses(&in->packet);
    return uet_packet_psn(&in->packet) == o->psn ||
           (uet_ses_rsp_opcode(ses) == UET_RSP_RESPONSE &&
            uet_ses_rsp_message_id(ses) == uet_ses_req_std_message_id(o->ses));
}

const struct uet_in *late_answer(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o, const struct uet_in *early)
{
    if (!tells_arrival(early))
        return early;
    return hear(tc, requirement, ACK_ON(o->pdc), .also = is_answer, .ctx = o,
                .named = "the answer");
}

const struct uet_in *answered_overflow(struct uet_tc *tc, const struct uet_out *o,
                                       const struct uet_in *early, uint32_t modified)
{
    const struct uet_in *in = late_answer(tc, "SES-098", o, early);

    field(tc, "SES-098", in, UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE);
    field(tc, "SES-098", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field(tc, "SES-098", in, UET_F_SES_LIST, UET_LIST_OVERFLOW);
    field(tc, "SES-124", in, UET_F_SES_MODIFIED_LENGTH, modified);
    field(tc, "SES-122", in, UET_F_SES_MESSAGE_ID, uet_ses_req_std_message_id(o->ses));
    field(tc, "SES-122", in, UET_F_SES_JOB_ID, uet_ses_req_job_id(o->ses));
    check_req_clear(tc, "SES-098", in);
    return in;
}

void kept_is_received(struct uet_tc *tc, const struct uet_out *o, const struct uet_in *early,
                      uint64_t handle)
{
    answered_overflow(tc, o, early, o->payload_len);
    received(tc, "SES-098", o, handle);
}

void takes_none(struct uet_tc *tc, const char *requirement, uint64_t handle)
{
    struct uet_ut_completion c;

    if (!uet_completion(tc, handle, uet_tc_quiet(tc), &c))
        return;
    uet_check(tc, requirement, false, "a receive has ended that none of the messages is for");
}
