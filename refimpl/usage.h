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

/* Congestion control towards a destination, in a traffic class and delivery mode: a CCC (3.6.6). */
struct uet_fep_congestion {
    struct uet_ip to;
    uint8_t traffic_class;
    bool rod;
    bool nscc, rccc; /* which hold it back */
    bool held;       /* a PDC would send and may not */
    uint16_t n_pdcs;
    uint32_t cwnd, max_wnd; /* of NSCC */
    int32_t inflight;       /* below 0 by what rcvd_bytes is rounded up, on each PDC */
    uint32_t base_rtt_ns, avg_delay_ns;
    int32_t credit;   /* of RCCC, in bytes */
    uint64_t strayed; /* bytes of credit neither in hand, nor spent, nor discarded: 0 */
    uint32_t heard;   /* the newest credit, in units */
    uint8_t ccc_id;
};

/* The CCC behind place *at (0: before the first); *at becomes its place. False: there is none. */
bool uet_fep_congestion_next(const struct uet_fep *fep, uint32_t *at,
                             struct uet_fep_congestion *is);

/*
 * Nominal bytes of packets on that CCC which were taken for lost and have not been sent again. They
 * are in flight no more; when rcvd_bytes tells before their ACK that they have arrived all the
 * same, they are subtracted twice until then (CMS-111).
 */
uint64_t uet_fep_taken_for_lost(const struct uet_fep *fep, uint32_t at);

/* Traffic class 0, RUD; all 0 while nothing goes there. */
void uet_fep_congestion(const struct uet_fep *fep, const struct uet_ip *to,
                        struct uet_fep_congestion *is);

/* A CCC of a peer that this FEP, as destination, grants credit. */
struct uet_fep_grant {
    struct uet_ip from;
    uint8_t ccc_id;
    uint32_t granted; /* units so far */
    int32_t lacks;    /* units, of what it wants; not above 0: it has all */
};

/* As uet_fep_congestion_next. */
bool uet_fep_grant_next(const struct uet_fep *fep, uint32_t *at, struct uet_fep_grant *is);

/* Credit granted to that CCC of a peer, in units; 0: none. */
uint32_t uet_fep_granted(const struct uet_fep *fep, const struct uet_ip *from, uint8_t ccc_id);

/* Nominal bytes of whole packets, each once, that have come on the PDCs that `from` has opened and
 * that are open now. */
uint64_t uet_fep_rcvd_bytes(const struct uet_fep *fep, const struct uet_ip *from);

/* All of it as it is now. */
void uet_fep_usage(const struct uet_fep *fep, struct uet_fep_usage *usage);

#endif
