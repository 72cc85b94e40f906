/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose job a test is of: that of a secure domain (3.7.4), or one that goes in clear. */
#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/security.h"

bool uet_tc_jobs_listed(const struct uet_tc *tc)
{
    return tc->domain && tc->domain->told->n_jobs;
}

uint32_t uet_tc_job(const struct uet_tc *tc)
{
    uint32_t job = UET_TC_JOB;

    if (uet_tc_jobs_listed(tc))
        return tc->domain->told->jobs[0];
    while (!uet_tc_reaches(tc, job))
        job++;
    return job;
}

bool uet_tc_reaches(const struct uet_tc *tc, uint32_t job_id)
{
    struct uet_security *s = tc->session->dut->security;

    if (tc->domain)
        return uet_domain_serves(tc->domain, job_id);
    return !s || !uet_security_of_job(s, job_id);
}

void uet_tc_join(struct uet_tc *tc, uint32_t job_id)
{
    struct uet_security *s = tc->session->dut->security;

    if (s && !uet_tc_reaches(tc, job_id))
        uet_in_domain(tc, uet_security_of_job(s, job_id));
}
