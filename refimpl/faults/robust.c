/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults that break no text of the standard, but what any user expects (ROB). */
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* The packet comes from the peer of the PDC that it names, whoever has sent it. */
static void as_from_peer(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(&f->p));
    if (pdc)
        uet_fault_from(f, &pdc->peer);
}

static bool ack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_ack(&f->p))
        as_from_peer(fep, f);
    return true;
}

static bool nack_of_anybody(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (f->p.error == UET_PARSE_OK && uet_is_nack(&f->p))
        as_from_peer(fep, f);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_ROB_006, .in = ack_of_anybody},
    {VIOLATION_ROB_007, .in = nack_of_anybody},
};

UET_FAULT_WAYS(uet_faults_of_robust, ways);
