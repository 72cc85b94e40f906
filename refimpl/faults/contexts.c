/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what a destination tells in ACK_CC, of contexts and of paths (cms/, pds/flight.c). */
#include "refimpl/edge.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"

/* ---- what ACKs tell that leave ---- */

/* The NSCC state of the ACK, or NULL. */
static uint8_t *state_of(struct uet_fault_frame *f)
{
    bool is = f->p.error == UET_PARSE_OK && f->p.cc_state == UET_H_ACK_CC_STATE_NSCC;
    return is ? f->bytes + f->p.cc_state_offset : NULL;
}

static bool trims_count(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!uet_edge_trimmed(&f->p) || !f->p.udp_offset || f->p.pds == UET_H_NONE)
        return true;
    FOR_EACH_PDC(fep, pdc)
    {
        if (pdc->id == uet_dpdcid(&f->p))
            pdc->rx.rcvd_bytes += uet_udp_length(f->bytes + f->p.udp_offset);
    }
    return true;
}

static bool ipv4_counts_less(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    uint8_t *state = f->p.ip_version == 4 ? state_of(f) : NULL;
    if (state)
        uet_ack_cc_state_nscc_rcvd_bytes_set(state, (uet_ack_cc_state_nscc_rcvd_bytes(state) - 1) &
                                                        0xffffff);
    return true;
}

static bool rcvd_of_all(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint64_t sum = 0;
    FOR_EACH_PDC(fep, pdc)
    {
        sum += pdc->rx.rcvd_bytes;
    }
    if (state_of(f))
        uet_ack_cc_state_nscc_rcvd_bytes_set(state_of(f), (uint32_t)(sum / 256) & 0xffffff);
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_CMS_016, .in = trims_count},
    {VIOLATION_CMS_020, .out = ipv4_counts_less},
    {VIOLATION_CMS_022, .out = rcvd_of_all},
};

UET_FAULT_WAYS(uet_faults_of_contexts, ways);
