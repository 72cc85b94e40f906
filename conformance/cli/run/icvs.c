/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/cli/run/icvs.h"

#include <stdio.h>

#include "conformance/harness/security.h"

bool uet_icvs_add_up(const struct uet_session *session, size_t i, char *out, size_t n)
{
    const struct uet_domain *d = uet_security_domain(session->dut->security, i);
    char why[200];
    uint8_t reason;

    if (!d || !d->wrong || !d->told->auth_fail_threshold ||
        !uet_session_lacks(session, "unlatch", why, sizeof(why), &reason))
        return false;
    snprintf(out, n,
             "this run has sent up to %u packets with a wrong ICV in domain 0x%06x, and nothing "
             "sets back how many the FEP has counted: run %u such as this may bring them above %u "
             "(auth_fail_threshold), and the FEP then drops all (TSS-043); enable the domain anew "
             "before",
             d->wrong, (unsigned)d->told->sdi, d->told->auth_fail_threshold / d->wrong + 1,
             (unsigned)d->told->auth_fail_threshold);
    return true;
}
