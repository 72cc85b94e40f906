/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.7.4: a FEP that serves jobs of a domain and jobs in clear at the same time. Each kind has its
 * PDCs, its jobs and its buffers, and no packet of one kind reaches those of the other.
 */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/3.7_tss/isolation.h"
#include "conformance/tests/rudi.h"

/* A job of one kind: a region, and a PDC that is open. */
struct side {
    struct uet_memory m;
    struct uet_pdc *p;
};

static struct side here(struct uet_tc *tc)
{
    return (struct side){.m = uet_need_memory(tc, BYTES), .p = uet_pdc_open(tc)};
}

/* That of the domain, and that in clear; afterwards the test is in the domain. */
static void both(struct uet_tc *tc, struct side *sealed, struct side *clear)
{
    need_pdcs(tc, 2);
    hold_idle(tc);
    *sealed = here(tc);
    struct uet_domain *d = in_clear_job(tc);
    *clear = here(tc);
    in_domain_again(tc, d);
}

static struct uet_out write_of(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    return uet_write(p, m, 0, uet_tc_bytes(tc, BYTES), BYTES);
}

static void is_clear(struct uet_tc *tc, const char *requirement, const struct uet_in *in)
{
    uet_look_at(tc, in);
    uet_check(tc, requirement, !in->packet.tss, "the packet is sealed, and the job in no domain");
}

static void is_sealed(struct uet_tc *tc, const struct uet_in *in)
{
    header_of(tc, "TSS-051", in);
    field(tc, "TSS-051", in, UET_F_TSS_SDI, sdi_now(tc));
}

static const struct uet_in *closes(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    const struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    const struct uet_in *ack = ask(tc, requirement, &close);

    p->closed = true;
    return ack;
}

UET_TEST(serves_both, .id = "tss.3.7.clear-job-beside-sealed-one",
         .requirements = "TSS-050 TSS-051 TSS-006", .claim_binds = true, .role = UET_ROLE_TARGET,
         .needs = "rud write any-request upper-tester tss clear-jobs",
         .purpose = "A FEP serves a job of a domain and one in clear at the same time, each as if "
                    "it were alone.",
         .preamble = "A region of either job.",
         .stimulus = "A WRITE of each job with syn=1, one right after the other; Close Commands.",
         .expected = "ACKs, and the data in memory: in clear for the job in clear; TSS packets of "
                     "the SDI, without CRC, for that of the domain.")
{
    struct side sealed, clear;

    need_pdcs(tc, 2);
    sealed = (struct side){.m = uet_need_memory(tc, BYTES), .p = uet_pdc_new(tc)};
    struct uet_domain *d = in_clear_job(tc);
    clear = (struct side){.m = uet_need_memory(tc, BYTES), .p = uet_pdc_new(tc)};
    in_domain_again(tc, d);
    const struct uet_out a = write_of(tc, clear.p, &clear.m), b = write_of(tc, sealed.p, &sealed.m);

    say(tc, &a);
    say(tc, &b);
    is_clear(tc, "TSS-050", hear(tc, "TSS-050", COVERED(&a)));
    const struct uet_in *ack = hear(tc, "TSS-051", COVERED(&b));
    is_sealed(tc, ack);
    payload_bytes(tc, "TSS-006", ack, 0);
    memory_holds(tc, "TSS-050", &clear.m, 0, a.payload, BYTES);
    memory_holds(tc, "TSS-051", &sealed.m, 0, b.payload, BYTES);
    is_clear(tc, "TSS-050", closes(tc, "TSS-050", clear.p));
    is_sealed(tc, closes(tc, "TSS-051", sealed.p));
}

/*
 * On an open PDC of one kind a WRITE, as its packets are, into the other one's memory: it may be
 * refused or dropped, not done. Then one into that of the PDC's own job.
 */
static void job_is_kept(struct uet_tc *tc, const char *requirement, const struct side *own,
                        const struct side *other)
{
    const struct kept before = keep(tc, &other->m, 0, BYTES);
    const struct uet_out foreign = write_of(tc, own->p, &other->m);

    not_executed(tc, requirement, &foreign);
    unchanged(tc, requirement, &before);
    const struct uet_out right = write_of(tc, own->p, &own->m);
    uet_check_success(tc, requirement, ask(tc, requirement, &right));
    memory_holds(tc, requirement, &own->m, 0, right.payload, BYTES);
}

UET_TEST(clear_to_bound_job, .id = "tss.3.7.clear-request-for-a-sealed-job",
         .requirements = "TSS-048", .role = UET_ROLE_TARGET, .not_over = "mode",
         .needs = "rud write any-request upper-tester tss clear-jobs",
         .purpose = "On a PDC in clear nothing reaches a job or a buffer of a domain.",
         .preamble = "A region and an open PDC of either job.",
         .stimulus = "On the PDC in clear a WRITE in clear to the region of the domain's job; one "
                     "to that of the job in clear.",
         .expected = "No success, nothing written; then an ACK, and the data in memory.")
{
    struct side sealed, clear;

    both(tc, &sealed, &clear);
    job_is_kept(tc, "TSS-048", &clear, &sealed);
}

UET_TEST(sealed_to_clear_job, .id = "tss.3.7.sealed-request-for-a-clear-job",
         .requirements = "TSS-049", .role = UET_ROLE_TARGET, .not_over = "mode",
         .needs = "rud write any-request upper-tester tss clear-jobs",
         .purpose = "A packet of a domain does not reach a job or a buffer that is in none.",
         .preamble = "A region and an open PDC of either job.",
         .stimulus = "On the PDC of the domain a sealed WRITE to the region of the job in clear; "
                     "one to that of the domain's job.",
         .expected = "No success, nothing written; then an ACK, and the data in memory.")
{
    struct side sealed, clear;

    both(tc, &sealed, &clear);
    job_is_kept(tc, "TSS-049", &sealed, &clear);
}

UET_TEST(sealed_on_clear_pdc, .id = "tss.3.7.sealed-on-clear-pdc",
         .requirements = "TSS-045 TSS-049", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request upper-tester tss clear-jobs",
         .purpose = "A packet of a domain does not reach a PDC in clear.",
         .preamble = "A region and an open PDC of either job.",
         .stimulus = "A WRITE to the region of the domain's job, authentic, with PDCIDs and PSN "
                     "as the PDC in clear has them; one in clear to that of the job in clear.",
         .expected = "No ACK, nothing written; then an ACK, and the data in memory.")
{
    struct side sealed, clear;

    both(tc, &sealed, &clear);
    const struct uet_out right = write_of(tc, clear.p, &clear.m);
    struct uet_out foreign = write_of(tc, clear.p, &sealed.m);
    clear.p->next_psn--;
    foreign = of_domain(&foreign, sealed.p->domain);
    foreign.psn = right.psn;
    uet_rud_rod_req_psn_set(foreign.pds, right.psn);
    kept_out(tc, "TSS-045", &sealed.m, &foreign, &clear.m, &right);
}

UET_TEST(clear_job_on_sealed_pdc, .id = "tss.3.7.clear-job-on-secured-pdc",
         .requirements = "TSS-048", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request upper-tester tss clear-jobs",
         .purpose = "A packet in clear does not reach a secured PDC, also where its job is one in "
                    "clear.",
         .preamble = "A region and an open PDC of either job.",
         .stimulus = "A WRITE in clear to the region of the job in clear, with PDCIDs and PSN as "
                     "the secured PDC has them; a sealed one to that of the domain's job.",
         .expected = "No ACK, nothing written; then an ACK, and the data in memory.")
{
    struct side sealed, clear;

    both(tc, &sealed, &clear);
    const struct uet_out right = write_of(tc, sealed.p, &sealed.m);
    struct uet_out foreign = write_of(tc, sealed.p, &clear.m);
    sealed.p->next_psn--;
    foreign = as_if_clear(tc, &foreign);
    foreign.psn = right.psn;
    uet_rud_rod_req_psn_set(foreign.pds, right.psn);
    kept_out(tc, "TSS-048", &clear.m, &foreign, &sealed.m, &right);
}

/* A write of the FEP's that is not acknowledged: its packet. */
struct written {
    const struct uet_in *in;
    uint64_t handle;
};

/* One for a job in clear, and at the same time one for that of the domain. */
static void writes_for_both(struct uet_tc *tc, struct written *clear, struct written *sealed)
{
    struct uet_pdc *p;

    need_pdcs(tc, 2);
    hold_rto(tc);
    struct uet_domain *d = in_clear_job(tc);
    clear->in = fep_writes_unanswered(tc, &p, &clear->handle);
    in_domain_again(tc, d);
    struct uet_ut_operation op = uet_op(tc, BYTES);
    sealed->handle = uet_do_write(tc, &op);
    sealed->in = uet_next_request(tc, NULL);
    if (!sealed->in)
        uet_skip(tc, "the FEP holds the next message back until the first is done, as it may");
}

UET_TEST(own_of_both, .id = "tss.3.7.own-clear-beside-sealed",
         .requirements = "TSS-050 TSS-051 TSS-045 TSS-048", .claim_binds = true,
         .not_over = "used after-read aged reopened", .role = UET_ROLE_INITIATOR,
         .needs = "rud write tss clear-jobs",
         .purpose = "What a FEP sends for a job in clear goes in clear, what it sends for one of a "
                    "domain goes sealed, at the same time and on a PDC of each; and an ACK of one "
                    "kind says nothing of the other.",
         .stimulus = "The FEP writes 16 bytes for a job in clear, and before they are acknowledged "
                     "16 for one of a domain; of each an ACK as the other's are; then the right "
                     "ones.",
         .expected = "A Request in clear, and a TSS packet of the SDI with syn=1 and an spdcid of "
                     "its own; both writes stay open; then both are a success.")
{
    struct written clear, sealed;

    writes_for_both(tc, &clear, &sealed);
    is_clear(tc, "TSS-050", clear.in);
    is_sealed(tc, sealed.in);
    field(tc, "TSS-045", sealed.in, UET_F_PDS_SYN, 1);
    uet_check(tc, "TSS-045", uet_spdcid(&sealed.in->packet) != uet_spdcid(&clear.in->packet),
              "the spdcid is that of a PDC in clear");
    const struct uet_out of_clear = uet_ack(clear.in->pdc, clear.in),
                         of_sealed = uet_ack(sealed.in->pdc, sealed.in),
                         wrong_clear = of_domain(&of_clear, sealed.in->pdc->domain),
                         wrong_sealed = as_if_clear(tc, &of_sealed);
    say(tc, &wrong_clear);
    say(tc, &wrong_sealed);
    stays_open(tc, "TSS-045", clear.handle, 0);
    stays_open(tc, "TSS-048", sealed.handle, 0);
    resume_acks(tc, clear.in);
    resume_acks(tc, sealed.in);
    completes(tc, "TSS-050", clear.handle, UET_UT_OK);
    completes(tc, "TSS-051", sealed.handle, UET_UT_OK);
}

UET_TEST(clear_rudi, .id = "tss.3.7.clear-rudi-to-sealed-job", .requirements = "TSS-048",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester tss",
         .purpose = "A RUDI Request in clear does not reach a job or a buffer of a domain.",
         .preamble = "A region of the domain's job whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE in clear; a sealed one.",
         .expected = "No success, nothing written; then a RUDI Response, and the data in memory.")
{
    struct uet_memory m = uet_need_idempotent(tc, BYTES);
    const struct kept before = keep(tc, &m, 0, BYTES);
    const uint8_t *data = uet_tc_bytes(tc, BYTES);
    const struct uet_out o = uet_rudi_write(tc, &m, 0, data, BYTES), clear = as_if_clear(tc, &o);

    say(tc, &clear);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(&clear), .within = uet_tc_quiet(tc));
    uet_look_at(tc, in);
    uet_check(tc, "TSS-048", !in || is_error_response(in), "the Request in clear is a success");
    unchanged(tc, "TSS-048", &before);
    const struct uet_out right = uet_rudi_write(tc, &m, 0, data, BYTES);
    ask_rudi(tc, "TSS-048", &right);
    memory_holds(tc, "TSS-048", &m, 0, data, BYTES);
}

UET_TEST(clear_datagram, .id = "tss.3.7.clear-datagram-to-sealed-job", .requirements = "TSS-048",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester tss",
         .purpose = "A datagram in clear does not reach a receive of a domain's job.",
         .preamble = "A buffer is posted.",
         .stimulus = "A UUD SEND of 8 bytes in clear; a sealed one of 16.",
         .expected = "The receive has the 16 bytes.")
{
    struct uet_memory m = uet_need_receive(tc, BYTES, 1);
    const struct uet_out small = uet_datagram(tc, &m, uet_tc_bytes(tc, BYTES / 2), BYTES / 2),
                         clear = as_if_clear(tc, &small);

    say(tc, &clear);
    stays_open(tc, "TSS-048", m.handle, uet_tc_quiet(tc));
    const struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, BYTES), BYTES);
    say(tc, &right);
    fills(tc, "TSS-048", m.handle, BYTES);
}

/*
 * RUDI that the FEP asks for, answered as packets of the other kind are, sealed in that domain or
 * (NULL) in clear; then as it should be.
 */
static void answered_wrong(struct uet_tc *tc, const char *requirement, struct uet_domain *as)
{
    const uint64_t handle = rudi_writes(tc, BYTES);
    const struct uet_in *in = hear(tc, requirement, NEW_RUDI_REQUEST);
    const struct uet_out right = uet_rudi_answer(tc, in, UET_RC_OK),
                         foreign = as ? of_domain(&right, as) : as_if_clear(tc, &right);

    say(tc, &foreign);
    stays_open(tc, requirement, handle, 0);
    say(tc, &right);
    completes(tc, requirement, handle, UET_UT_OK);
}

UET_TEST(rudi_answered_in_clear, .id = "tss.3.7.rudi-response-in-clear", .requirements = "TSS-048",
         .role = UET_ROLE_INITIATOR, .needs = "rudi write tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A RUDI Response in clear says nothing of what a job of a domain asked for.",
         .stimulus = "The FEP writes 16 bytes over RUDI; its Request is answered in clear, then "
                     "sealed.",
         .expected = "The write stays open; then it is a success.")
{
    answered_wrong(tc, "TSS-048", NULL);
}

UET_TEST(clear_rudi_answered_sealed, .id = "tss.3.7.sealed-rudi-response-to-clear-job",
         .requirements = "TSS-049", .role = UET_ROLE_INITIATOR,
         .needs = "rudi write tss clear-jobs", .not_over = "used after-read aged reopened",
         .purpose = "A RUDI Response that is authentic in a domain says nothing of what a job in "
                    "clear asked for.",
         .stimulus = "The FEP writes 16 bytes over RUDI for a job in clear; its Request is "
                     "answered sealed, then in clear.",
         .expected = "The write stays open; then it is a success.")
{
    answered_wrong(tc, "TSS-049", in_clear_job(tc));
}
