/* SPDX-License-Identifier: BSD-2-Clause */
/* What faults of more than one file here do. */
#ifndef UET_REFIMPL_FAULTS_TSS_SHARED_H
#define UET_REFIMPL_FAULTS_TSS_SHARED_H

#include "refimpl/state.h"

/* Packets in clear may leave, whatever the FEP seals. */
void uet_fault_clear_may_go(struct uet_law *law);

/* Tells the sender of p, by a NACK, what nobody should tell it. */
void uet_fault_answer(struct uet_fep *fep, const struct uet_packet *p);

#endif
