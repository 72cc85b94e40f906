/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the FEP's packets are wrapped in, found out before the run. Nothing on the wire says whether
 * there is a CRC trailer and in which byte order it stands (UET_Data_Protect, 3.5.25), and a FEP
 * set for native IP does not answer over UDP: a wrong setting would make every test fail for the
 * same reason.
 */
#ifndef UET_CONFORMANCE_PROTECTION_H
#define UET_CONFORMANCE_PROTECTION_H

#include "conformance/harness/session.h"

/*
 * Exchanges one Request with the FEP: as `dut` says it, and when no answer comes, with the trailers
 * and the encapsulation that others would have. dut is the session's. `crc_order: auto` is replaced
 * by the order found, and note (n bytes) says when that is not the standard's; else note is "". A
 * FEP that answers nothing is left to the sanity tests.
 *
 * 0; -EINVAL with one line in err when its packets are otherwise than dut says; -ENOMEM.
 */
int uet_find_protection(struct uet_session *session, struct uet_dut *dut, char *note, size_t n,
                        char *err, size_t errlen);

/*
 * The same when nothing is told: tries both encapsulations, without a trailer and with one in
 * either order (with protect tss: sealed, in each reading), and puts what the FEP answers in into
 * dut, the session's. False: it answers nothing.
 */
bool uet_learn_protection(struct uet_session *session, struct uet_dut *dut);

#endif
