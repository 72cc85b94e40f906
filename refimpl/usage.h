/* SPDX-License-Identifier: BSD-2-Clause */
/* How much of its memory a FEP has in use: for tests that look for what was never given back. */
#ifndef UET_REFIMPL_USAGE_H
#define UET_REFIMPL_USAGE_H

#include "refimpl/fep.h"

/* Items taken, by kind. When everything is closed and told all are 0 but the receives posted. */
struct uet_fep_usage {
    uint32_t initiator_pdcs, target_pdcs;
    uint32_t packets, rudi_packets; /* sent, or to be sent, and not retired */
    uint32_t stored_responses;      /* guaranteed, not yet cleared (3.5.20.1) */
    uint32_t messages;              /* on their way in */
    uint32_t read_parts;            /* of reads that are served */
    uint32_t kept;                  /* of these, with their bytes */
    uint32_t unexpected;            /* sends that wait for their receive, or have bytes kept */
    uint32_t bitmaps, cccs;         /* of PDCs */
    uint32_t receives;              /* posted or being filled */
    uint32_t operations, completions;
};

/* Congestion control towards a destination, traffic class 0, RUD; all 0 while nothing goes there.
 */
struct uet_fep_congestion {
    uint32_t cwnd, max_wnd; /* of NSCC */
    uint32_t inflight;
    uint32_t base_rtt_ns, avg_delay_ns;
    int32_t credit;   /* of RCCC, in bytes */
    uint64_t strayed; /* bytes of credit neither in hand, nor spent, nor discarded: 0 */
    uint32_t heard;   /* the newest credit, in units */
    uint8_t ccc_id;
};

void uet_fep_congestion(const struct uet_fep *fep, const struct uet_ip *to,
                        struct uet_fep_congestion *is);

/* Credit granted to that CCC of a peer, in units; 0: none. */
uint32_t uet_fep_granted(const struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id);

/* Nominal bytes of whole packets, each once, that have come on the PDCs that `from` has opened and
 * that are open now. */
uint64_t uet_fep_rcvd_bytes(const struct uet_fep *fep, const struct uet_ip *from);

void uet_fep_usage(const struct uet_fep *fep, struct uet_fep_usage *usage);

#endif
