/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/usage.h"

#include "refimpl/state.h"

void uet_fep_usage(const struct uet_fep *fep, struct uet_fep_usage *usage)
{
    *usage = (struct uet_fep_usage){
        .initiator_pdcs = fep->n_initiator,
        .target_pdcs = fep->n_target,
        .packets = fep->packets.used,
        .rudi_packets = fep->rudi.packets.used,
        .stored_responses = fep->stored.used,
        .messages = fep->messages.used,
        .read_parts = fep->parts.used,
        .kept = fep->kept.used,
        .unexpected = fep->unexpected.used + fep->unexpected_blocks.used,
        .bitmaps = fep->bitmaps.used,
        .cccs = fep->cccs.used,
        .receives = fep->receives.used,
        .operations = fep->operations.used,
        .completions = fep->completions.n,
    };
}
