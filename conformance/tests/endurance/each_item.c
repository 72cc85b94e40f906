/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pools that the upper tester fills until the FEP refuses one more: then each of what it has taken
 * is used, the last ones, too, and looked at when all are.
 */
#include <errno.h>

#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/endurance/endurance.h"

enum { ITEMS_MOST = 300, ITEM_BYTES = 64, FIRST_INDEX = 0x600 };

struct items {
    unsigned n; /* that the FEP took */
    struct uet_memory m[ITEMS_MOST];
    struct uet_out said[ITEMS_MOST]; /* to each */
};

/* One more was asked for: has the FEP taken it? The first must be, or the test is skipped. */
static bool takes(struct uet_tc *tc, const struct items *l, int rc, const char *verb)
{
    if (rc == -EPROTO && l->n > 0)
        return false;
    uet_did(tc, rc, verb);
    return true;
}

/* What fills a FEP must be taken back somehow, or other tests have nothing. */
static void need_verb(struct uet_tc *tc, const char *verb)
{
    if (uet_ut_has_verb(uet_tc_ut(tc), verb) == 0)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester has no verb %s: the FEP would stay full",
                     verb);
}

/* ---- regions ---- */

static void all_regions(struct uet_tc *tc, struct items *l)
{
    struct uet_memory one = uet_need_memory(tc, ITEM_BYTES);

    l->m[l->n++] = one;
    for (int rc = 0; rc == 0 && l->n < ITEMS_MOST;) {
        const struct uet_ut_memory like = {.job_id = one.job_id,
                                           .pid_on_fep = one.pid_on_fep,
                                           .resource_index = one.resource_index,
                                           .key = one.key + l->n,
                                           .length = ITEM_BYTES};
        struct uet_memory *m = &l->m[l->n];
        *m = one;
        rc = uet_ut_reg_mem(uet_tc_ut(tc), &like, &m->handle, &m->key);
        l->n += takes(tc, l, rc, "reg_mem");
    }
}

static void withdraw_all(struct uet_tc *tc, const struct items *l)
{
    for (unsigned i = 0; i < l->n; i++)
        uet_did(tc, uet_ut_withdraw(uet_tc_ut(tc), l->m[i].handle), "withdraw");
}

UET_TEST(each_region, .id = "ses.3.4.1.each-region-until-full", .requirements = "SES-019",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester", AT_ONE_POINT,
         .preamble = "Regions of 64 bytes until the FEP refuses one more, at most 300; PDC open.",
         .purpose = "Each region that a FEP takes is memory of its own, the last one, too.",
         .stimulus = "A WRITE to each, the last region first.",
         .expected = "Each is RC_OK; in the end each region holds what was written to it.")
{
    struct items l = {0};
    need_verb(tc, "withdraw");
    all_regions(tc, &l);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = l.n; i-- > 0;) {
        l.said[i] = uet_write(p, &l.m[i], 0, uet_tc_bytes(tc, ITEM_BYTES), ITEM_BYTES);
        accepted(tc, "SES-019", &l.said[i]);
    }
    for (unsigned i = 0; i < l.n; i++)
        memory_holds(tc, "SES-019", &l.m[i], 0, l.said[i].payload, ITEM_BYTES);
    withdraw_all(tc, &l);
}

/* ---- receives ---- */

/* A receive of 64 bytes there; false: the FEP refuses it. */
static bool post(struct uet_tc *tc, struct items *l, const struct uet_memory *at)
{
    const struct uet_ut_receive receive = {.job_id = at->job_id,
                                           .pid_on_fep = at->pid_on_fep,
                                           .resource_index = at->resource_index,
                                           .length = ITEM_BYTES};
    struct uet_memory *m = &l->m[l->n];

    *m = *at;
    bool taken = takes(tc, l, uet_ut_post_recv(uet_tc_ut(tc), &receive, &m->handle), "post_recv");
    l->n += taken;
    return taken;
}

static void send_to(struct uet_tc *tc, const char *requirement, struct uet_pdc *p, struct items *l,
                    unsigned i)
{
    l->said[i] = uet_send_message(p, &l->m[i], uet_tc_bytes(tc, ITEM_BYTES), ITEM_BYTES);
    accepted(tc, requirement, &l->said[i]);
}

static void each_has_its_own(struct uet_tc *tc, const char *requirement, const struct items *l)
{
    for (unsigned i = 0; i < l->n; i++)
        fills(tc, requirement, l->m[i].handle, ITEM_BYTES);
    for (unsigned i = 0; i < l->n; i++)
        memory_holds(tc, requirement, &l->m[i], 0, l->said[i].payload, ITEM_BYTES);
}

UET_TEST(each_receive, .id = "ses.3.4.1.3.8.each-receive-until-full", .requirements = "SES-090",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester", AT_ONE_POINT,
         .preamble = "Receives of 64 bytes behind one RI until the FEP refuses one more, at most "
                     "300; PDC open.",
         .purpose = "Each receive that a FEP takes is filled in its turn, the last one, too.",
         .stimulus = "A SEND for each, one after the other.",
         .expected = "Each is RC_OK; each receive completes, and has the bytes of its SEND.")
{
    struct items l = {0};
    struct uet_memory at = uet_need_receive(tc, ITEM_BYTES, 1);
    l.m[l.n++] = at;
    while (l.n < ITEMS_MOST && post(tc, &l, &at))
        ;
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = 0; i < l.n; i++)
        send_to(tc, "SES-090", p, &l, i);
    each_has_its_own(tc, "SES-090", &l);
}

/* ---- services ---- */

/* Resource indices with a receive each. */
static void all_services(struct uet_tc *tc, struct items *l)
{
    struct uet_memory at = uet_need_receive(tc, ITEM_BYTES, 1);
    struct uet_ut_service service = {
        .job_id = at.job_id, .pid_on_fep = at.pid_on_fep, .ri_class = UET_UT_SEND};

    l->m[l->n++] = at;
    while (l->n < ITEMS_MOST) {
        at.resource_index = service.resource_index = (uint16_t)(FIRST_INDEX + l->n);
        if (!takes(tc, l, uet_ut_service(uet_tc_ut(tc), &service), "service") || !post(tc, l, &at))
            return;
    }
}

UET_TEST(each_service, .id = "ses.3.4.1.3.each-index-until-full", .requirements = "SES-050",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester", AT_ONE_POINT,
         .preamble = "Resource indices with a receive each until the FEP refuses one more, at "
                     "most 300; PDC open.",
         .purpose = "Each resource index that a FEP opens is found, the last one, too.",
         .stimulus = "A SEND to each, the last index first.",
         .expected = "Each is RC_OK; each receive has the bytes of the SEND to its index.",
         .once = "nothing closes its resource indices")
{
    struct items l = {0};
    need_verb(tc, "reset");
    all_services(tc, &l);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = l.n; i-- > 0;)
        send_to(tc, "SES-050", p, &l, i);
    each_has_its_own(tc, "SES-050", &l);
}

/* ---- operations ---- */

UET_TEST(each_operation, .id = "rob.3.4.8.3.each-operation-until-full",
         .requirements = "ROB-040 ROB-042", .role = UET_ROLE_INITIATOR, AT_ONE_POINT,
         .preamble = "RTO long.",
         .purpose = "Each operation that a FEP begins ends, and is the one that was asked for, the "
                    "last one, too.",
         .stimulus =
             "The FEP writes 16 bytes, each time by another key, until it refuses one more, "
             "at most 300 times; all is acknowledged.",
         .expected = "Each completes; then the FEP serves as before.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle[ITEMS_MOST];
    struct items l = {0};
    hold_rto(tc);
    for (int rc = 0; rc == 0 && l.n < ITEMS_MOST; op.key++) {
        rc = uet_ut_write(uet_tc_ut(tc), &op, &handle[l.n]);
        l.n += takes(tc, &l, rc, "write");
    }
    for (unsigned i = 0; i < l.n; i++)
        completes(tc, "ROB-040", handle[i], UET_UT_OK);
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}
