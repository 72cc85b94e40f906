/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Request that a test of packet delivery sends when it does not matter what SES makes of it:
 * the least that the FEP claims. A FEP without NO_OP is tested as fully as one that has it.
 */
#include "conformance/harness/preamble/preamble.h"

#define LEAST_BYTES 64 /* of the region or the buffers: some FEPs register nothing shorter */

static bool claims(const struct uet_session *s, enum uet_pics_item item)
{
    return s->dut->claims[item];
}

static bool by_write(const struct uet_session *s)
{
    return claims(s, UET_PICS_WRITE) && (s->ut || s->dut->n_memory > 0);
}

static bool by_send(const struct uet_session *s)
{
    return claims(s, UET_PICS_SEND) && (s->ut || s->dut->n_receives > 0);
}

bool uet_has_any_request(const struct uet_session *s)
{
    return claims(s, UET_PICS_NO_OP) || by_write(s) || by_send(s);
}

/* Each SEND takes a buffer: an upper tester posts one for it. */
static void post_one_more(struct uet_tc *tc, const struct uet_memory *m)
{
    const struct uet_ut_receive receive = {.job_id = m->job_id,
                                           .pid_on_fep = m->pid_on_fep,
                                           .resource_index = m->resource_index,
                                           .length = m->length};
    uint64_t handle;

    if (tc->session->ut && uet_ut_post_recv(tc->session->ut, &receive, &handle) != 0)
        uet_error(tc, "the upper tester does not do `post_recv`: %s", tc->session->ut->error);
}

struct uet_out uet_any_request(struct uet_pdc *pdc)
{
    struct uet_tc *tc = pdc->tc;
    const struct uet_session *s = tc->session;

    if (claims(s, UET_PICS_NO_OP))
        return uet_no_op(pdc);
    if (by_write(s)) {
        if (!tc->any_target)
            *(tc->any_target = uet_tc_alloc(tc, sizeof(*tc->any_target))) =
                uet_need_memory(tc, LEAST_BYTES);
        return uet_write(pdc, tc->any_target, 0, NULL, 0);
    }
    if (!by_send(s))
        uet_skip(tc, "%s", UET_NO_ANY_REQUEST);
    if (!tc->any_target)
        *(tc->any_target = uet_tc_alloc(tc, sizeof(*tc->any_target))) =
            uet_need_receive(tc, LEAST_BYTES, 1);
    else
        post_one_more(tc, tc->any_target);
    return uet_send_message(pdc, tc->any_target, NULL, 0);
}
