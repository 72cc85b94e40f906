/* SPDX-License-Identifier: BSD-2-Clause */
/* What FEPs that conform may do otherwise: for variants, tests and simulations. No part of the
 * library's public headers; a user gets a whole variant by name (uet_fep_config_variant). */
#ifndef UET_REFIMPL_CHOICES_H
#define UET_REFIMPL_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What the specification leaves to the FEP, or what its public sources read differently. All zero:
 * the reference FEP's usual way.
 */
enum uet_sack_base {                      /* 3.5.11.14 leaves it free */
                     UET_SACK_AFTER_CACK, /* CACK + 1, moved up so that the triggering PSN is in the
                                             bitmap */
                     UET_SACK_AT_TRIGGER, /* the PSN that caused the ACK */
                     UET_SACK_EIGHTS,     /* the multiple of 8 at or below CACK + 1 */
                     UET_SACK_BEHIND, /* the trigger stands last in the bitmap, as far as CACK + 1
                                         allows */
};
enum uet_start_psn { /* at random all (PDS-026) */
                     UET_START_ANYWHERE,
                     UET_START_POSITIVE, /* 2^16 .. 2^31 - 1 */
                     UET_START_AT_WRAP,  /* some hundreds below 2^32, as far as PDS-027 allows */
};
enum uet_pdcids { UET_PDCIDS_RISING, UET_PDCIDS_FALLING, UET_PDCIDS_SHUFFLED };

struct uet_fep_choices {
    uint8_t sack_base;         /* enum uet_sack_base */
    uint8_t start_psn;         /* enum uet_start_psn */
    uint8_t pdcids;            /* enum uet_pdcids: the order in which they are given out */
    bool ack_each;             /* an ACK for every packet accepted */
    bool ack_old;              /* an ACK for duplicates with retx = 0, too (PDS-128) */
    bool syn_resends;          /* what went out with syn = 1 is resent so (3.5.8.2) */
    bool mismatch_says_tpdcid; /* spdcid of UET_PDC_HDR_MISMATCH (3.5.12.7) */
    bool cps_when_open;        /* NOOP, Negotiation and Probe once a PDC is open */
    bool noop_first;           /* a NOOP opens its PDCs, and data comes after it (3.5.16.1) */
    bool noop_back;            /* a NOOP of the target's on every PDC that is opened to it */
    bool waits_for_peer;       /* one packet, and no more before the TPDCID is known (3.5.8.2) */
    bool asks_by_cp;           /* to be closed: a Close Request alone, no REQ_CLOSE (3.5.8.3) */
    bool asks_by_psn;          /* ACK Requests carry no message_id (3.5.16.2) */
    bool guarantees_all;       /* the response that ends a message is delivered with guarantee */
    bool rod_sack_zero;        /* ROD ACKs have an empty bitmap (3.5.11.14) */
    bool trimmed_syn_silent;   /* what is trimmed and has no PDC brings no NACK (3.5.15) */
    bool trimmed_old_nacked;   /* a trimmed duplicate: NACK, not ACK (3.5.12) */
    bool behind_nacked;        /* below the duplicate window: NACK 0x0B (3.5.12.5) */
    bool progress_nacked;      /* a duplicate while its ACK waits: NACK 0x18 (3.5.12.7) */
    bool progress_ignored;     /* 0x18 brings no resend: the ACK will come */
    bool reserved_cp_silent;   /* a reserved ctl_type is dropped (3.5.16) */
    bool close_refused;        /* a Close Command while own packets wait: NACK 0x11 (T14) */
    bool close_req_silent;     /* Close_REQ_Time ends the PDC without a NACK (T12) */
    bool no_no_op;             /* UET_NO_OP is not among its operations */
    bool no_cp_noop;           /* nor NOOP among its Control Packets: as a reserved one */
    bool reads_alone;          /* as initiator: the next message goes when a READ is over */
    bool keeps_all;            /* sends without receive are kept whatever the service (3.4.3.6.2) */
    bool keeps_headers;        /* ... and of them the header alone (3.4.3.6.2.1) */
    bool kept_told_at_once;    /* a kept send is answered when all of it has come (SES-098) */
    bool tss_starts_random;    /* RANDOM_1RTT_START in all domains (3.5.8.2) */
    bool tss_floor_low;        /* the floor is Start_PSN + 1 of the PDC that has ended (TSS-066) */
    bool tss_nacks_in_clear;   /* contested (TSS-054): NACKs that name no PDC */
    bool tss_udp_not_in_aad;   /* contested (TSS-012): U2 */
    bool tss_ipv6_by_address;  /* contested (TSS-077): the key is derived from it, SSI or not */
    bool tss_takes_extra_ssi;  /* contested (TSS-041) */
    bool spare_api;            /* above it: no `set`, `close`, `counters`, generations, codes */
    uint64_t answer_delay_ns;  /* ACKs, NACKs and responses leave so much later */
};

#endif
