/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of ACKs, NACKs and Control Packets, lookup and windows (pds/initiator.c, target.c, ack.c,
 * nack.c, cp.c). */
#include "refimpl/faults/ways.h"

static void no_ack_on_ecn(struct uet_fep_params *params)
{
    params->ACK_On_ECN = false;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_103, .params = no_ack_on_ecn},
};

UET_FAULT_WAYS(uet_faults_of_answers, ways);
