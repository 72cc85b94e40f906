/* SPDX-License-Identifier: BSD-2-Clause */
/* What stays at a FEP of the wrong ICVs that tests of 3.7 send it. */
#ifndef UET_CONFORMANCE_CLI_ICVS_H
#define UET_CONFORMANCE_CLI_ICVS_H

#include "conformance/harness/session.h"

/*
 * Has the session sent wrong ICVs in the i-th domain of its key file, to a FEP whose count of them
 * nothing sets back (TSS-043)? In words, into out, with how many such runs latch the domain.
 */
bool uet_icvs_add_up(const struct uet_session *session, size_t i, char *out, size_t n);

#endif
