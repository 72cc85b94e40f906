/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7.4: the domains that the key file tells, whatever their number and their SDIs. */
#include "conformance/tests/3.7_tss/tss.h"

enum { MOST = 16 }; /* a FEP need not have resources for the jobs of more */

UET_TEST(removed, .id = "tss.3.7.removed-domain", .requirements = "TSS-038",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .purpose = "A domain that was removed is as unknown as one that never was.",
         .preamble = "The FEP gets a domain with a new key, and a PDC in it is open.",
         .stimulus = "The domain is removed; a Request on the PDC and a SYN in that domain; a "
                     "Request with syn=1 in another one.",
         .expected = "Nothing at all; an ACK.")
{
    need_pdcs(tc, 2); /* that of the removed domain may stay */
    struct uet_domain *home = in_new_domain(tc);
    struct uet_pdc *p = uet_pdc_open(tc), *q = uet_pdc_new(tc);
    struct uet_out known = uet_any_request(p), syn = uet_any_request(q);
    p->auto_close = q->auto_close = false;
    remove_new_domain(tc);
    say(tc, &known);
    say(tc, &syn);
    silence(tc, "TSS-038", A_WORD_ON(p));
    silence(tc, "TSS-038", A_WORD_ON(q), .within = UET_US);
    in_domain_again(tc, home);
    answer_to_next(tc, "TSS-038", uet_pdc_new(tc));
}

UET_TEST(each_job, .id = "tss.3.7.each-job-of-a-domain", .requirements = "TSS-076",
         .role = UET_ROLE_TARGET, .needs = "rud no-op tss",
         .purpose = "What comes sealed for any of the jobs of a domain is taken as in clear.",
         .preamble = "A PDC is open in a domain for which the key file tells several jobs.",
         .stimulus = "A NO_OP of each of these jobs.", .expected = "An ACK each.")
{
    uint8_t n;
    const uint32_t *jobs = in_domain_of_jobs(tc, &n);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (uint8_t i = 0; i < n; i++) {
        struct uet_out o = uet_no_op(p);

        uet_ses_req_job_id_set(o.ses, jobs[i]);
        ask(tc, "TSS-076", &o);
    }
}

UET_TEST(each_serves, .id = "tss.3.7.each-domain-serves", .requirements = "TSS-051 TSS-045",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss", .not_over = "all",
         .purpose = "A FEP knows each of its domains, whatever their number and their SDIs.",
         .stimulus = "In each domain of the key file, one after the other and as far as there are "
                     "16: a Request with syn=1, and a Close Command.",
         .expected = "ACKs of that SDI.")
{
    for (unsigned i = 0; i < domains(tc) && i < MOST; i++) {
        in_domain(tc, i);
        struct uet_pdc *p = uet_pdc_new(tc);
        struct uet_out syn = uet_any_request(p);

        field(tc, "TSS-051", ask(tc, "TSS-051", &syn), UET_F_TSS_SDI, sdi_now(tc));
        struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
        field(tc, "TSS-051", ask(tc, "TSS-051", &close), UET_F_TSS_SDI, sdi_now(tc));
        p->closed = true;
    }
}
