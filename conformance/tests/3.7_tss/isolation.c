/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7.4: a domain is kept apart from others and from packets in clear. */
#include "conformance/tests/3.7_tss/isolation.h"
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/rudi.h"

UET_TEST(clear_on_secured_pdc, .id = "tss.3.7.clear-on-secured-pdc", .requirements = "TSS-048",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss any-request",
         .purpose = "A packet in clear does not reach a secured PDC.", .preamble = "PDC open.",
         .stimulus = "A WRITE in clear with PDCIDs, PSN and JobID as the PDC has them; the same "
                     "sealed.",
         .expected = "No ACK, nothing written; then an ACK, and the data in memory.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out right = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   clear = as_if_clear(tc, &right);

    clear.payload = uet_tc_bytes(tc, BYTES);
    kept_out(tc, "TSS-048", &m, &clear, &m, &right);
}

UET_TEST(clear_opens_nothing, .id = "tss.3.7.clear-to-secured-job", .requirements = "TSS-048",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss",
         .purpose = "A packet in clear does not reach a job or a buffer of a domain.",
         .stimulus = "A WRITE in clear with syn=1; the same sealed.",
         .expected = "No ACK, nothing written; then an ACK, as of the first packet of that PDC.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out right = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   clear = as_if_clear(tc, &right);

    clear.payload = uet_tc_bytes(tc, BYTES);
    kept_out(tc, "TSS-048", &m, &clear, &m, &right);
}

UET_TEST(clear_close, .id = "tss.3.7.clear-close-command", .requirements = "TSS-048",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A Control Packet in clear closes no secured PDC.", .preamble = "PDC open.",
         .stimulus = "A Close Command in clear with the next PSN of the PDC; a sealed Request of "
                     "that PSN.",
         .expected = "No ACK; then an ACK, as if nothing had been before.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = cp_at(p, UET_CTL_CLOSE_COMMAND, p->next_psn),
                   clear = as_if_clear(tc, &close), right = uet_any_request(p);

    tolerate(tc, REFUSAL_OF(&clear));
    say(tc, &clear);
    silence(tc, "TSS-048", TAKEN_FROM(&clear));
    ask(tc, "TSS-048", &right);
}

/* A Request of p, authentic in the domain of another PDC, is not taken; the right one is. */
static void keeps_out(struct uet_tc *tc, struct uet_pdc *p, const struct uet_pdc *other)
{
    in_domain_again(tc, p->domain);
    struct uet_out right = uet_any_request(p), foreign = of_domain(&right, other->domain);

    tolerate(tc, REFUSAL_OF(&foreign));
    say(tc, &foreign);
    silence(tc, "TSS-045", TAKEN_FROM(&foreign));
    ask(tc, "TSS-045", &right);
}

UET_TEST(other_sdi_on_pdc, .id = "tss.3.7.other-sdi-on-pdc", .requirements = "TSS-045 TSS-049",
         .not_over = "used after-read aged reopened", .role = UET_ROLE_TARGET,
         .needs = "rud no-op tss",
         .purpose = "A packet of one domain does not reach a PDC of another.",
         .preamble = "A PDC open in one domain, and one in another.",
         .stimulus = "On each a Request with PDCIDs and PSN as the PDC has them, authentic in the "
                     "domain of the other; the same in the right one.",
         .expected = "No ACK; then an ACK.")
{
    need_pdcs(tc, 2);
    struct uet_pdc *p = uet_pdc_open(tc);

    in_other_domain(tc);
    struct uet_pdc *q = uet_pdc_open(tc);
    keeps_out(tc, p, q);
    keeps_out(tc, q, p);
}

UET_TEST(other_sdi_acks, .id = "tss.3.7.ack-of-another-domain", .requirements = "TSS-045 TSS-049",
         .not_over = "used after-read aged reopened", .role = UET_ROLE_INITIATOR,
         .needs = "rud write tss",
         .purpose = "An ACK that is authentic in one domain says nothing of a PDC of another.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes; an ACK with PDCIDs and PSN of its packet, authentic "
                     "in another domain; the same in the right one.",
         .expected = "The write stays open; then it is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const struct uet_out right = uet_ack(p, in), foreign = of_domain(&right, other_domain(tc));

    say(tc, &foreign);
    stays_open(tc, "TSS-045", handle, before_rto(tc));
    resume_acks(tc, in);
    completes(tc, "TSS-045", handle, UET_UT_OK);
}

UET_TEST(clear_acks, .id = "tss.3.7.clear-ack", .requirements = "TSS-048",
         .not_over = "used after-read aged reopened", .role = UET_ROLE_INITIATOR,
         .needs = "rud write tss", .purpose = "An ACK in clear says nothing of a secured PDC.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes; an ACK with PDCIDs and PSN of its packet, in clear; "
                     "the same sealed.",
         .expected = "The write stays open; then it is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    hold_rto(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const struct uet_out right = uet_ack(p, in), foreign = as_if_clear(tc, &right);

    say(tc, &foreign);
    stays_open(tc, "TSS-048", handle, before_rto(tc));
    resume_acks(tc, in);
    completes(tc, "TSS-048", handle, UET_UT_OK);
}

UET_TEST(own_of_two_domains, .id = "tss.3.7.own-pdc-for-each-domain", .requirements = "TSS-045",
         .not_over = "used after-read aged reopened", .role = UET_ROLE_INITIATOR,
         .needs = "rud write tss",
         .purpose = "What a FEP sends for jobs of two domains goes on a PDC of each.",
         .stimulus = "The FEP writes 16 bytes for a job of one domain, and before they are "
                     "acknowledged 16 for one of another.",
         .expected =
             "A Request of each SDI, with syn=1 and an spdcid of its own; both writes are a "
             "success.")
{
    struct uet_pdc *p;
    uint64_t first, second;

    need_pdcs(tc, 2);
    hold_rto(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &first);
    const uint16_t spdcid = uet_spdcid(&in->packet);
    in_other_domain(tc);
    struct uet_ut_operation op = uet_op(tc, BYTES);
    second = uet_do_write(tc, &op);
    const struct uet_in *other = uet_next_request(tc, NULL);
    if (!other)
        uet_skip(tc, "the FEP holds the next message back until the first is done, as it may");
    field(tc, "TSS-045", other, UET_F_TSS_SDI, sdi_now(tc));
    field(tc, "TSS-045", other, UET_F_PDS_SYN, 1);
    uet_check(tc, "TSS-045", uet_spdcid(&other->packet) != spdcid,
              "the spdcid is that of a PDC of the other domain");
    resume_acks(tc, in);
    resume_acks(tc, other);
    completes(tc, "TSS-045", first, UET_UT_OK);
    completes(tc, "TSS-045", second, UET_UT_OK);
}

UET_TEST(job_of_another, .id = "tss.3.7.job-of-another-domain", .requirements = "TSS-049",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss",
         .purpose = "A packet of one domain does not reach a job or a buffer of another.",
         .preamble = "A region of a job that the other domain does not serve.",
         .stimulus = "A WRITE to it on a new PDC of the other domain.",
         .expected = "No success; nothing is written.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    const struct kept before = keep(tc, &m, 0, BYTES);
    const uint8_t *data = uet_tc_bytes(tc, BYTES);

    in_other_domain(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    if (uet_domain_serves(p->domain, m.job_id))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no domain that lacks the job");
    struct uet_out write = uet_write(p, &m, 0, data, BYTES);
    not_executed(tc, "TSS-049", &write);
    unchanged(tc, "TSS-049", &before);
}

UET_TEST(rudi_job_of_another, .id = "tss.3.7.rudi-to-job-of-another-domain",
         .requirements = "TSS-049", .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester tss",
         .purpose = "A RUDI Request of one domain does not reach a buffer of another's job.",
         .preamble = "A region, whose key is idempotent_safe, of a job that the other domain does "
                     "not serve.",
         .stimulus = "A RUDI WRITE to it, sealed in the other domain; one in the right domain.",
         .expected = "No success, nothing written; then a RUDI Response, and the data in memory.")
{
    struct uet_memory m = uet_need_idempotent(tc, BYTES);
    const struct kept before = keep(tc, &m, 0, BYTES);
    const uint8_t *data = uet_tc_bytes(tc, BYTES);
    struct uet_domain *other = other_domain(tc);

    if (uet_domain_serves(other, m.job_id))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no domain that lacks the job");
    const struct uet_out o = uet_rudi_write(tc, &m, 0, data, BYTES), foreign = of_domain(&o, other);
    say(tc, &foreign);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(&foreign), .within = uet_tc_quiet(tc));
    uet_look_at(tc, in);
    uet_check(tc, "TSS-049", !in || is_error_response(in),
              "what another domain wrote is a success");
    unchanged(tc, "TSS-049", &before);
    const struct uet_out right = uet_rudi_write(tc, &m, 0, data, BYTES);
    say(tc, &right);
    hear(tc, "TSS-049", RUDI_RESPONSE_TO(&right));
    memory_holds(tc, "TSS-049", &m, 0, data, BYTES);
}

UET_TEST(rudi_sealed, .id = "tss.3.7.rudi-sealed", .requirements = "TSS-052",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester tss",
         .purpose = "RUDI goes sealed, there and back.",
         .preamble = "A region whose key is idempotent_safe.", .stimulus = "A sealed RUDI WRITE.",
         .expected = "A RUDI Response in a TSS packet of that SDI; the data in memory.")
{
    struct uet_memory m = uet_need_idempotent(tc, BYTES);
    struct uet_out o = uet_rudi_write(tc, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);

    say(tc, &o);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(&o));
    if (!uet_check(tc, "TSS-052", in, "no RUDI Response came"))
        return;
    header_of(tc, "TSS-052", in);
    field(tc, "TSS-052", in, UET_F_TSS_SDI, sdi_now(tc));
    memory_holds(tc, "TSS-052", &m, 0, o.payload, BYTES);
}

UET_TEST(datagram_sealed, .id = "tss.3.7.datagram-sealed", .requirements = "TSS-053",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester tss",
         .purpose = "A sealed datagram is taken.", .preamble = "A buffer is posted.",
         .stimulus = "A sealed UUD SEND of 16 bytes.", .expected = "The receive has 16 bytes.")
{
    struct uet_memory m = uet_need_receive(tc, BYTES, 1);
    struct uet_out o = uet_datagram(tc, &m, uet_tc_bytes(tc, BYTES), BYTES);
    struct uet_ut_completion c;

    say(tc, &o);
    if (uet_check(tc, "TSS-053", uet_completion(tc, m.handle, 0, &c), "nothing was received"))
        tells_length(tc, "TSS-053", "bytes received", &c, BYTES);
}

UET_TEST(datagram_to_another, .id = "tss.3.7.datagram-to-job-of-another-domain",
         .requirements = "TSS-049", .role = UET_ROLE_TARGET, .needs = "uud upper-tester tss",
         .purpose = "A datagram of one domain does not reach a buffer of another's job.",
         .preamble = "A buffer is posted, of a job that the other domain does not serve.",
         .stimulus = "A UUD SEND to it, sealed in the other domain; one in the right domain.",
         .expected = "The first is not received; the second is.")
{
    struct uet_memory m = uet_need_receive(tc, BYTES, 1);
    struct uet_domain *other = other_domain(tc);

    if (uet_domain_serves(other, m.job_id))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no domain that lacks the job");
    const struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, BYTES), BYTES),
                         foreign = of_domain(&right, other);
    say(tc, &foreign);
    stays_open(tc, "TSS-049", m.handle, 0);
    say(tc, &right);
    completes(tc, "TSS-049", m.handle, UET_UT_OK);
}

UET_TEST(own_rudi_sealed, .id = "tss.3.7.own-rudi-sealed", .requirements = "TSS-052",
         .role = UET_ROLE_INITIATOR, .needs = "rudi write tss",
         .purpose = "RUDI that a FEP asks for goes sealed, there and back.",
         .stimulus = "The FEP writes 16 bytes over RUDI; its Request is answered sealed.",
         .expected = "A RUDI Request in a TSS packet of that SDI; the write is a success.")
{
    const uint64_t handle = rudi_writes(tc, BYTES);
    const struct uet_in *in = hear(tc, "TSS-052", NEW_RUDI_REQUEST);

    header_of(tc, "TSS-052", in);
    field(tc, "TSS-052", in, UET_F_TSS_SDI, sdi_now(tc));
    answer_rudi(tc, in);
    completes(tc, "TSS-052", handle, UET_UT_OK);
}

UET_TEST(rudi_of_another, .id = "tss.3.7.rudi-response-of-another-domain",
         .requirements = "TSS-049", .not_over = "used after-read aged reopened",
         .role = UET_ROLE_INITIATOR, .needs = "rudi write tss",
         .purpose = "A RUDI Response that is authentic in one domain says nothing of what a job of "
                    "another asked for.",
         .preamble = "RTO long.",
         .stimulus =
             "The FEP writes 16 bytes over RUDI; its Request is answered in another domain, "
             "which does not serve the job; the same in the right one.",
         .expected = "The write stays open; then it is a success.")
{
    struct uet_domain *other = other_domain(tc);

    if (uet_domain_serves(other, uet_op(tc, BYTES).job_id))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no domain that lacks the job");
    hold_rto(tc);
    const uint64_t handle = rudi_writes(tc, BYTES);
    const struct uet_in *in = hear(tc, "TSS-049", NEW_RUDI_REQUEST);
    const struct uet_out right = uet_rudi_answer(tc, in, UET_RC_OK),
                         foreign = of_domain(&right, other);

    say(tc, &foreign);
    stays_open(tc, "TSS-049", handle, before_rto(tc));
    say(tc, &right);
    completes(tc, "TSS-049", handle, UET_UT_OK);
}

UET_TEST(own_datagram_sealed, .id = "tss.3.7.own-datagram-sealed", .requirements = "TSS-053",
         .role = UET_ROLE_INITIATOR, .needs = "uud tss",
         .purpose = "A datagram that a FEP sends goes sealed.",
         .stimulus = "The FEP sends 16 bytes over UUD.",
         .expected = "A UUD Request of 16 bytes, in a TSS packet of that SDI.")
{
    struct uet_ut_operation op = uet_op(tc, BYTES);

    op.mode = UET_UT_MODE_UUD;
    uet_do_send(tc, &op);
    const struct uet_in *in = hear(tc, "TSS-053", DATAGRAM);
    header_of(tc, "TSS-053", in);
    field(tc, "TSS-053", in, UET_F_TSS_SDI, sdi_now(tc));
    payload_bytes(tc, "TSS-053", in, BYTES);
}

UET_TEST(sealed_nonsense, .id = "tss.3.7.sealed-nonsense", .requirements = "TSS-076",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "What is authentic is looked at as any packet: a reserved type is dropped.",
         .preamble = "PDC open.",
         .stimulus = "Three authentic Requests with pds.type 0, 15, 31; then one of that PSN with "
                     "the right type.",
         .expected = "Silence; then an ACK.")
{
    static const uint8_t types[] = {0, 15, 31};
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out right = uet_any_request(p), wrong = right;

    for (size_t i = 0; i < sizeof(types); i++) {
        uet_rud_rod_req_type_set(wrong.pds, types[i]);
        say(tc, &wrong);
    }
    silence(tc, "TSS-076", ANSWER_ON(p));
    ask(tc, "TSS-076", &right);
}

UET_TEST(sealed_twice, .id = "tss.3.7.sealed-twice", .requirements = "TSS-076",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A TSS packet inside of another is no packet: what has been opened has a PDS "
                    "type that is not TSS.",
         .preamble = "PDC open.",
         .stimulus = "A right Request, sealed, as what another TSS packet carries; then a Request "
                     "of that PSN, sealed once.",
         .expected = "Silence; then an ACK.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out right = uet_any_request(p), twice = sealed_inside(tc, &right);

    say(tc, &twice);
    silence(tc, "TSS-076", ANSWER_ON(p));
    ask(tc, "TSS-076", &right);
}
