/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of several packets to the FEP. */
#include "conformance/harness/steps/messages.h"

#include "conformance/harness/steps/requests.h"

struct message uet_message_of(struct uet_tc *tc, struct message s)
{
    struct message m = s;

    m.opcode = s.opcode ? s.opcode : UET_OP_WRITE;
    m.mtu = uet_tc_dut(tc)->payload_mtu;
    m.n = (s.packets - 1u) * m.mtu + s.last;
    uint32_t room = s.at + m.n + s.room;
    if (s.m.length == 0)
        m.m = m.opcode == UET_OP_SEND ? uet_need_receive(tc, room, 1) : uet_need_memory(tc, room);
    m.p = s.p ? s.p : uet_pdc_open(tc);
    m.bytes = uet_tc_bytes(tc, m.n);
    uet_message(m.p, m.opcode, &m.m, m.at, m.bytes, m.n, m.o, MESSAGE_MOST);
    for (unsigned i = 0; i < s.packets && !s.one_ar; i++)
        uet_rud_rod_req_ar_set(m.o[i].pds, true);
    return m;
}

struct message uet_message_begun(struct uet_tc *tc, struct message s)
{
    struct message m = uet_message_of(tc, s);

    say(tc, &m.o[0]);
    uet_expect_covered(tc, m.p, m.o[0].psn);
    return m;
}

void ends_or_is_free(struct uet_tc *tc, const char *requirement, const struct message *s,
                     struct uet_pdc *p)
{
    struct uet_ut_completion c = {0};

    if (uet_completion(tc, s->m.handle, 0, &c)) {
        uet_check(tc, requirement, c.status != UET_UT_OK, "the receive completed without its end");
        if (c.told & UET_UT_TOLD_JOB)
            uet_check_eq(tc, requirement, "job_id told", c.job_id, s->m.job_id);
        return;
    }
    struct uet_out next = uet_send_message(p, &s->m, "next", 4);
    accepted(tc, requirement, &next);
}
