/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: a domain that the FEP knows, and is told not to use. */
#include <errno.h>

#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

static void enables(struct uet_tc *tc, const struct uet_domain *d, bool enabled)
{
    const int rc = uet_ut_enable_domain(uet_tc_ut(tc), d->told->sdi, enabled);

    if (!enabled && rc != -EPROTO) /* a refusal changes nothing */
        undo_at_end(tc, domain_in_use, &d->told->sdi);
    uet_did(tc, rc, "enable_domain");
    if (enabled)
        undone(tc, domain_in_use, &d->told->sdi);
}

/*
 * The WRITE once more. What the domain did not let out may have been a Close Request, which had no
 * answer then: the PDC is gone by right (PDS-214, PDS-210), and the one of the SYN serves instead.
 */
static void serves_again(struct uet_tc *tc, const struct uet_out *write, const struct uet_out *syn,
                         const struct uet_memory *m)
{
    say_again(tc, write);
    const struct uet_in *in = hear(tc, "TSS-039", ANSWER_TO(write));
    if (uet_is_ack(&in->packet))
        return;
    field_among(tc, "TSS-039", in, UET_F_PDS_NACK_CODE, UET_NACK_INV_DPDCID, UET_NACK_CLOSING,
                UET_NACK_CLOSING_IN_ERR);
    ask_anew(tc, "TSS-039", syn);
    const struct uet_out other =
        uet_write(syn->pdc, m, 0, write->payload, (uint32_t)write->payload_len);
    ask(tc, "TSS-039", &other);
}

UET_TEST(disabled_domain, .id = "tss.3.7.disabled-domain", .requirements = "TSS-039",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request upper-tester tss",
         .purpose = "A domain that the FEP knows and does not use takes nothing.",
         .preamble = "PDC open; a region.",
         .stimulus = "The FEP is told not to use the domain; a WRITE on the PDC, a Request with "
                     "syn=1. It is told to use it again; the WRITE once more.",
         .expected = "Silence, and nothing written; then an ACK, and the data in memory.")
{
    enum { BYTES = 16 };
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_open(tc), *q = uet_pdc_new(tc);
    struct uet_out write = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   syn = uet_any_request(q);
    const struct kept before = keep(tc, &m, 0, BYTES);

    enables(tc, p->domain, false);
    say(tc, &write);
    say(tc, &syn);
    silence(tc, "TSS-039", A_WORD_ON(p));
    silence(tc, "TSS-039", A_WORD_ON(q));
    unchanged(tc, "TSS-039", &before);
    enables(tc, p->domain, true);
    serves_again(tc, &write, &syn, &m);
    memory_holds(tc, "TSS-039", &m, 0, write.payload, BYTES);
}

UET_TEST(disabled_source, .id = "rob.3.7.disabled-domain-sends-nothing", .requirements = "ROB-052",
         .role = UET_ROLE_INITIATOR, .needs = "rud write upper-tester tss",
         .params = "RTO_Init_Time",
         .purpose = "Of a domain that the FEP is told not to use nothing leaves any more.",
         .preamble = "The FEP writes 16 bytes, which get no ACK.",
         .stimulus = "It is told not to use the domain; an RTO passes; it is told to use it again.",
         .expected = "No packet of that write; then it comes again, and the write is a success.")
{
    uet_need_retries(tc);
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);

    enables(tc, p->domain, false);
    uet_forget_settled(tc);
    const struct uet_in *sent = maybe(tc, REQUEST_OF(p, psn_of(in)), .within = one_rto(tc));
    enables(tc, p->domain, true);
    uet_check(tc, "ROB-052", !sent, "the FEP went on to send in a domain that it may not use");
    const struct uet_in *copy = maybe(tc, RESEND_OF(in), .within = patience(tc, 4 * one_rto(tc)));
    if (!copy)
        uet_skip(tc, "the FEP has given the write up meanwhile, as it may");
    resume_acks(tc, copy);
    completes(tc, "ROB-052", handle, UET_UT_OK);
}
