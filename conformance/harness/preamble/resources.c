/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory and receive buffers that a test needs: made by the upper tester, or declared. */
#include <errno.h>

#include "conformance/harness/preamble/preamble.h"

/* Where there is no such verb, registering and posting open what they need. */
static void open_like(struct uet_tc *tc, const struct uet_ut_service *service)
{
    uet_send_held(tc);
    int rc = uet_ut_service(tc->session->ut, service);

    if (rc != -EPROTO || uet_tc_has_verb(tc, "service"))
        uet_did(tc, rc, "service");
}

static void open_service(struct uet_tc *tc, uint32_t job, uint16_t pid, uint16_t ri,
                         uint8_t ri_class)
{
    const struct uet_ut_service service = {
        .job_id = job, .pid_on_fep = pid, .resource_index = ri, .ri_class = ri_class};

    open_like(tc, &service);
}

/* False: the upper tester refuses it. */
static bool registers(struct uet_tc *tc, const struct uet_ut_memory *like, struct uet_memory *m,
                      bool needed)
{
    *m = (struct uet_memory){.job_id = like->job_id,
                             .pid_on_fep = like->pid_on_fep,
                             .resource_index = like->resource_index,
                             .relative = !like->any_job,
                             .length = like->length};
    int rc = uet_ut_reg_mem(tc->session->ut, like, &m->handle, &m->key);

    if (rc == -EPROTO && !needed)
        return false;
    uet_did(tc, rc, "reg_mem");
    return true;
}

struct uet_memory uet_need_memory_like(struct uet_tc *tc, const struct uet_ut_memory *like)
{
    return uet_need_memory_up_to(tc, like, like->length);
}

struct uet_memory uet_need_memory_up_to(struct uet_tc *tc, const struct uet_ut_memory *like,
                                        uint32_t least)
{
    struct uet_ut_memory less = *like;
    struct uet_memory m;

    uet_tc_need_ut(tc);
    less.length = least;
    open_service(tc, like->job_id, like->pid_on_fep, like->resource_index, UET_UT_RMA);
    if (!registers(tc, like, &m, least == like->length))
        registers(tc, &less, &m, true);
    return m;
}

uint64_t uet_tc_some_key(struct uet_tc *tc)
{
    return 0x0000a00000000000u | (uet_tc_random(tc) & 0xffffff);
}

/*
 * A resource index that no other service of this FEP has; when they have gone round, it is behind
 * another PIDonFEP. None is the last, which tests take for one that nobody has (SES-054).
 */
static struct uet_memory fresh_service(struct uet_tc *tc)
{
    enum { INDICES = 4000, APART = 16 };
    bool kept = tc->keeps_state || tc->session->in_place > 1;
    uint32_t n = kept ? tc->session->n_services++ : tc->service_count++;

    return (struct uet_memory){.job_id = uet_tc_job(tc),
                               .pid_on_fep =
                                   (uint16_t)(UET_TC_PID + n / INDICES * APART % (4096 - APART)),
                               .resource_index = (uint16_t)(UET_TC_RI + n % INDICES),
                               .relative = true};
}

struct uet_memory uet_need_memory(struct uet_tc *tc, uint32_t length)
{
    return uet_need_long_memory(tc, length, length);
}

struct uet_memory uet_need_long_memory(struct uet_tc *tc, uint32_t length, uint32_t least)
{
    if (!tc->session->ut)
        return uet_declared_memory(tc, least);
    const struct uet_memory at = fresh_service(tc);
    const struct uet_ut_memory like = {.job_id = at.job_id,
                                       .pid_on_fep = at.pid_on_fep,
                                       .resource_index = at.resource_index,
                                       .key = uet_tc_some_key(tc),
                                       .length = length};
    return uet_need_memory_up_to(tc, &like, least);
}

struct uet_memory uet_need_idempotent(struct uet_tc *tc, uint32_t length)
{
    const struct uet_memory at = fresh_service(tc);
    const struct uet_ut_memory like = {.job_id = at.job_id,
                                       .pid_on_fep = at.pid_on_fep,
                                       .resource_index = at.resource_index,
                                       .key = 1ull << 63 | uet_tc_some_key(tc),
                                       .length = length};
    return uet_need_memory_like(tc, &like);
}

struct uet_memory uet_need_receive(struct uet_tc *tc, uint32_t length, unsigned count)
{
    if (!tc->session->ut && count == 0)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER,
                     "only an upper tester opens a send resource without buffers");
    if (!tc->session->ut)
        return uet_declared_receive(tc, length);
    if (count == 0 && !uet_tc_has_verb(tc, "service"))
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester opens no send resource without buffers");
    struct uet_memory m = fresh_service(tc);
    m.length = length;
    const struct uet_ut_receive receive = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = m.resource_index,
                                           .length = length};
    open_service(tc, m.job_id, m.pid_on_fep, m.resource_index, UET_UT_SEND);
    for (unsigned i = 0; i < count; i++) {
        uint64_t handle;

        uet_did(tc, uet_ut_post_recv(tc->session->ut, &receive, &handle), "post_recv");
        if (i == 0)
            m.handle = handle;
        m.last_handle = handle;
    }
    return m;
}

void uet_set_generation(struct uet_tc *tc, const struct uet_memory *m, uint8_t ri_class,
                        uint8_t generation)
{
    const struct uet_ut_service service = {.job_id = m->job_id,
                                           .pid_on_fep = m->pid_on_fep,
                                           .resource_index = m->resource_index,
                                           .ri_class = ri_class,
                                           .has_generation = true,
                                           .generation = generation};

    uet_did(tc, uet_ut_service(tc->session->ut, &service), "service");
}

struct uet_memory uet_need_generation(struct uet_tc *tc, uint32_t length, unsigned count,
                                      uint8_t generation)
{
    if (!tc->session->ut)
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER,
                     "only an upper tester opens a resource with generations");
    struct uet_memory m = uet_need_receive(tc, length, count);

    uet_set_generation(tc, &m, UET_UT_SEND, generation);
    m.ri_generation = generation;
    return m;
}

/* Behind one index, both spaces for sends. */
static struct uet_memory need_sends(struct uet_tc *tc, bool keeps_unexpected)
{
    uet_tc_need_ut(tc);
    struct uet_memory m = fresh_service(tc);

    for (uint8_t space = UET_UT_SEND; space <= UET_UT_TAGGED; space++) {
        const struct uet_ut_service service = {.job_id = m.job_id,
                                               .pid_on_fep = m.pid_on_fep,
                                               .resource_index = m.resource_index,
                                               .ri_class = space,
                                               .keeps_unexpected = keeps_unexpected};
        open_like(tc, &service);
    }
    return m;
}

static void need_service(struct uet_tc *tc)
{
    uet_tc_need_ut(tc);
    if (!uet_tc_has_verb(tc, "service"))
        uet_skip_for(tc, UET_SKIP_VERB,
                     "a resource without receives needs the upper tester's `service`");
}

struct uet_memory uet_need_tagged(struct uet_tc *tc)
{
    return need_sends(tc, false);
}

struct uet_memory uet_need_empty(struct uet_tc *tc)
{
    need_service(tc);
    return uet_need_tagged(tc);
}

struct uet_memory uet_need_keeping(struct uet_tc *tc)
{
    need_service(tc);
    return need_sends(tc, true);
}

void uet_read_back(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset, void *out,
                   size_t n)
{
    uet_send_held(tc);
    uet_tc_did_still(tc, uet_ut_get_mem(uet_tc_need_ut(tc), m->handle, offset, out, n), "get_mem");
}
