/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: what a FEP has begun in a domain that is removed. */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/rudi.h"

static bool is_of_job(const struct uet_in *in, const void *job)
{
    const struct uet_packet *p = &in->packet;

    return uet_is_ses_request(p) && uet_ses_req_job_id(uet_ses(p)) == *(const uint32_t *)job;
}

/* The FEP has begun it in the new domain: where another one serves the job, too, it need not. */
static void is_in_it(struct uet_tc *tc, const struct uet_in *in)
{
    if (!in->packet.tss || in->packet.sdi != sdi_now(tc))
        uet_skip(tc, "the FEP takes another domain for the job, which serves it, too");
}

/* What the FEP has begun so goes no further once the domain is removed, and is no success. */
static void goes_no_further(struct uet_tc *tc, const struct uet_in *in, uint64_t handle)
{
    const uint32_t job = uet_ses_req_job_id(uet_ses(&in->packet));
    const uint8_t kind = uet_is_rudi(&in->packet) ? UET_WANT_RUDI_REQUEST : UET_WANT_REQUEST;

    is_in_it(tc, in);
    remove_new_domain(tc);
    uet_forget_settled(tc);
    silence(tc, "ROB-052", .kind = kind, .also = is_of_job, .ctx = &job,
            .named = "packet of what was begun in the domain", .within = one_rto(tc));
    must_not_succeed(tc, "ROB-052", handle);
}

UET_TEST(removed_source, .id = "rob.3.7.removed-domain-sends-nothing", .requirements = "ROB-052",
         .role = UET_ROLE_INITIATOR, .needs = "rud write upper-tester tss",
         .params = "RTO_Init_Time", .not_over = "all",
         .purpose = "What was begun in a domain that is removed never leaves any more, neither in "
                    "clear nor under the keys of another domain.",
         .preamble = "The FEP gets a domain that serves one job more, and writes 16 bytes for that "
                     "job, which get no ACK.",
         .stimulus = "The domain is removed; an RTO passes. The FEP writes 16 bytes for another "
                     "job.",
         .expected = "No Request of the first job, and no success; the second write is one.")
{
    struct uet_pdc *p;
    uint64_t handle;

    uet_need_retries(tc);
    need_pdcs(tc, 2); /* that of the removed domain may stay */
    struct uet_domain *home = in_new_domain_of_new_job(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    p->auto_close = false; /* nothing of its domain opens any more, no Close Request either */
    goes_no_further(tc, in, handle);
    in_domain_again(tc, home);
    uet_auto_ack(tc, true);
    struct uet_ut_operation op = uet_op(tc, 16);
    completes(tc, "ROB-052", uet_do_write(tc, &op), UET_UT_OK);
}

UET_TEST(removed_rudi, .id = "rob.3.7.removed-domain-sends-no-rudi", .requirements = "ROB-052",
         .role = UET_ROLE_INITIATOR, .needs = "rudi write upper-tester tss",
         .params = "RTO_Init_Time", .not_over = "all",
         .purpose = "What was begun over RUDI in a domain that is removed never leaves any more, "
                    "neither in clear nor under the keys of another domain.",
         .preamble = "The FEP gets a domain that serves one job more, and writes 16 bytes for that "
                     "job over RUDI, which get no Response.",
         .stimulus = "The domain is removed; an RTO passes. The FEP writes 16 bytes for another "
                     "job.",
         .expected = "No RUDI Request of the first job, and no success; the second write is one.")
{
    uet_need_retries(tc);
    struct uet_domain *home = in_new_domain_of_new_job(tc);
    const uint64_t handle = rudi_writes(tc, 16);
    goes_no_further(tc, rudi_request(tc), handle);
    in_domain_again(tc, home);
    const uint64_t second = rudi_writes(tc, 16);
    answer_rudi(tc, rudi_request(tc));
    completes(tc, "ROB-052", second, UET_UT_OK);
}

/* A domain comes, with a PDC of the tester's, and goes; the test is where it was before. */
static void comes_and_goes(struct uet_tc *tc)
{
    struct uet_domain *home = in_new_domain(tc);
    struct uet_pdc *p = uet_pdc_open(tc);

    p->auto_close = false;
    remove_new_domain(tc);
    in_domain_again(tc, home);
}

UET_TEST(
    removal_ends_no_other, .id = "rob.3.7.removal-ends-no-other-pdc", .requirements = "ROB-054",
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
    .purpose = "When a domain is removed, PDCs of other domains go on.", .preamble = "PDC open.",
    .stimulus = "The FEP gets a domain with a new key, in which a PDC is opened; the domain is "
                "removed; a Request on the PDC of before.",
    .expected = "An ACK.")
{
    need_pdcs(tc, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    comes_and_goes(tc);
    struct uet_out o = uet_any_request(p);
    say(tc, &o);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&o));
    p->auto_close = in && uet_is_ack(&in->packet);
    uet_check(tc, "ROB-054", p->auto_close, "the PDC does not go on: %s",
              in ? "it is refused" : "no answer");
}

UET_TEST(removal_ends_no_other_write, .id = "rob.3.7.removal-ends-no-other-write",
         .requirements = "ROB-054", .role = UET_ROLE_INITIATOR,
         .needs = "rud write any-request upper-tester tss", .not_over = "all",
         .purpose = "When a domain is removed, what was begun in other domains goes on.",
         .preamble = "RTO long; the FEP writes 16 bytes, which get no ACK.",
         .stimulus = "As in removal-ends-no-other-pdc; then the ACK of the write.",
         .expected = "The write is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;

    hold_rto(tc);
    need_pdcs(tc, 2);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    comes_and_goes(tc);
    resume_acks(tc, in);
    completes(tc, "ROB-054", handle, UET_UT_OK);
}
