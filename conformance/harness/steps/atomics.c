/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/atomics.h"

#include "conformance/harness/atomics.h"
#include "conformance/harness/context/context.h"

#define ELEMENT 8u /* bytes of a UINT64 (Table 3-22) */

void need_fetching_sum(struct uet_tc *tc)
{
    char name[UET_ATOMIC_TEXT];

    if (!uet_atomics_claimed(&uet_tc_dut(tc)->atomics, true, UET_AMO_SUM, UET_TYPE_UINT64))
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "not claimed: %s (fep.yaml: atomics)",
                     uet_atomics_name(true, UET_AMO_SUM, UET_TYPE_UINT64, name));
}

const uint8_t *on_the_wire(struct uet_tc *tc, uint64_t value)
{
    uint8_t *bytes = uet_tc_alloc(tc, ELEMENT);

    uet_wr64(bytes, value);
    return bytes;
}

/* ---- a FEP that is the target ---- */

struct uet_out fetching_sum(struct uet_pdc *p, const struct uet_memory *m, uint64_t offset,
                            uint64_t operand)
{
    const struct uet_atomic a = {.amo = UET_AMO_SUM,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(p->tc, operand),
                                 .n = ELEMENT};
    return uet_fetching_atomic(p, m, offset, &a);
}

uint64_t old_value(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    const struct uet_in *in = hear(tc, requirement, DATA_OF(o));

    return uet_rd64(data_in(tc, requirement, in, uet_ses_req_job_id(o->ses), ELEMENT));
}

uint64_t fetched(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    say(tc, o);
    return old_value(tc, requirement, o);
}

uint64_t value_at(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                  const struct uet_memory *m, uint64_t offset)
{
    struct uet_out o = fetching_sum(p, m, offset, 0);

    return fetched(tc, requirement, &o);
}

/* ---- a FEP that is the initiator ---- */

/* As the FEP's host has it in memory. */
static const uint8_t *in_memory(struct uet_tc *tc, uint64_t value)
{
    uint8_t *bytes = uet_tc_alloc(tc, ELEMENT);
    struct uet_ut_about about;

    uet_did(tc, uet_ut_hello(uet_tc_need_ut(tc), &about), "hello");
    for (unsigned i = 0; i < ELEMENT; i++)
        bytes[about.big_endian ? ELEMENT - 1 - i : i] = (uint8_t)(value >> 8 * i);
    return bytes;
}

static bool is_fetching_atomic(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_is_ses_request(&in->packet) && !in->retransmission &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == UET_OP_FETCHING_ATOMIC;
}

struct fep_atomic fep_adds(struct uet_tc *tc, uint64_t operand)
{
    struct uet_ut_operation op = uet_op(tc, ELEMENT);
    struct fep_atomic a;

    need_fetching_sum(tc);
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    op.data = in_memory(tc, operand);
    uet_auto_ack(tc, false);
    a.handle = uet_do_fetching_atomic(tc, &op);
    a.in = uet_expect(tc,
                      &(struct uet_want){.kind = UET_WANT_REQUEST,
                                         .also = is_fetching_atomic,
                                         .named = "Request of the FEP's fetching atomic"},
                      0);
    return a;
}

void brought(struct uet_tc *tc, const char *requirement, const struct fep_atomic *a, uint64_t value)
{
    const struct uet_memory m = {.handle = a->handle};
    struct uet_ut_completion c = completes(tc, requirement, a->handle, UET_UT_OK);
    uint8_t got[ELEMENT];

    uet_check_eq(tc, requirement, "bytes fetched", c.length, ELEMENT);
    uet_read_back(tc, &m, 0, got, ELEMENT);
    uet_check(tc, requirement, memcmp(got, in_memory(tc, value), ELEMENT) == 0,
              "the old value at the application is not the one that came");
    not_again(tc, requirement, a->handle);
}
