/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of PDCs, their halves and their timers (pds/pdc.c, source.c, window.c, machine.c,
 * transmit.c). */
#include "refimpl/faults/ways.h"

static void rto_a_tenth(struct uet_fep_params *params)
{
    params->RTO_Init_Time /= 10;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_156, .params = rto_a_tenth},
};

UET_FAULT_WAYS(uet_faults_of_pdc, ways);
