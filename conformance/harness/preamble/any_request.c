/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Request that a test of packet delivery sends when it does not matter what SES makes of it:
 * the least that the FEP claims. A FEP without NO_OP is tested as fully as one that has it.
 */
#include "conformance/harness/preamble/preamble.h"

#define LEAST_BYTES 64 /* of the region or the buffers: some FEPs register nothing shorter */
#define CARRIED_BYTES                                                                              \
    8 /* of a Request that carries some, at other points than the ordinary one                     \
       */

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

static bool by_read(const struct uet_session *s)
{
    return claims(s, UET_PICS_READ) && (s->ut || s->dut->n_memory > 0);
}

bool uet_has_any_request(const struct uet_session *s)
{
    return claims(s, UET_PICS_NO_OP) || by_write(s) || by_send(s);
}

bool uet_stands_ready(const struct uet_session *s, uint8_t opcode)
{
    return opcode == UET_OP_WRITE ? by_write(s) : opcode == UET_OP_READ ? by_read(s) : by_send(s);
}

static const struct uet_memory *memory(struct uet_tc *tc)
{
    if (!tc->any_memory)
        *(tc->any_memory = uet_tc_alloc(tc, sizeof(*tc->any_memory))) =
            uet_need_memory(tc, LEAST_BYTES);
    return tc->any_memory;
}

/* Each SEND takes a buffer: an upper tester posts one for it. */
static const struct uet_memory *buffer(struct uet_tc *tc)
{
    struct uet_memory *m = tc->any_receive;
    uint64_t handle;

    if (!m) {
        m = uet_tc_alloc(tc, sizeof(*m));
        *m = uet_need_receive(tc, LEAST_BYTES, 1);
        return tc->any_receive = m;
    }
    const struct uet_ut_receive receive = {.job_id = m->job_id,
                                           .pid_on_fep = m->pid_on_fep,
                                           .resource_index = m->resource_index,
                                           .length = m->length};
    if (tc->session->ut)
        uet_did(tc, uet_ut_post_recv(tc->session->ut, &receive, &handle), "post_recv");
    return m;
}

static struct uet_out least(struct uet_pdc *pdc)
{
    struct uet_tc *tc = pdc->tc;

    if (claims(tc->session, UET_PICS_NO_OP) && !uet_tc_jobs_listed(tc))
        return uet_no_op(pdc);
    if (by_write(tc->session))
        return uet_write(pdc, memory(tc), 0, NULL, 0);
    if (!by_send(tc->session))
        uet_skip(tc, "%s", UET_NO_ANY_REQUEST);
    return uet_send_message(pdc, buffer(tc), NULL, 0);
}

struct uet_out uet_any_request(struct uet_pdc *pdc)
{
    static const char data[CARRIED_BYTES] = "carried";
    struct uet_tc *tc = pdc->tc;
    const struct uet_place *kind = tc->preamble ? NULL : uet_tc_place(tc, UET_OVER_KIND);

    switch (kind ? kind->value : UET_KIND_LEAST) {
    case UET_KIND_WRITE:
        return uet_write(pdc, memory(tc), 0, data, sizeof(data));
    case UET_KIND_SEND:
        return uet_send_message(pdc, buffer(tc), data, sizeof(data));
    case UET_KIND_MEDIUM:
        return uet_medium(pdc, UET_OP_WRITE, memory(tc), 0, data, sizeof(data));
    case UET_KIND_SMALL:
        return uet_small(pdc, UET_OP_SEND, buffer(tc), 0, data, sizeof(data));
    case UET_KIND_CP:
        return uet_cp(pdc, UET_CTL_NOOP);
    case UET_KIND_READ: /* its data may come in a Request, too (3.5.20) */
        if (!tc->any_read)
            uet_tolerate(tc, &(struct uet_want){.kind = UET_WANT_REQUEST});
        tc->any_read = true;
        return uet_read(pdc, memory(tc), 0, CARRIED_BYTES);
    default:
        return least(pdc);
    }
}
