/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of the packet delivery sublayer that are tables: what a NACK code and a ctl_type do,
 * what is answered where, and the ways between which a FEP may choose. Part of struct uet_law.
 */
#ifndef UET_REFIMPL_PDS_LAW_H
#define UET_REFIMPL_PDS_LAW_H

#include "refimpl/fep.h"
#include "wire/packet.h"

struct pdc;
struct uet_nacked;
struct ack_about;

#define UET_NACK_CODES 256u

/* A nack_code at the source (Table 3-58). */
struct uet_nack_row {
    void (*act)(struct uet_fep *fep, struct pdc *pdc, const struct uet_nacked *n);
    uint8_t nack_class; /* as in the table: of RUDI, which has no PDC, that is all */
    uint8_t action;
    bool reserved;   /* changes nothing (PDS-154) */
    bool retry;      /* closes the PDC, and what was begun is tried again on another (PDS-138) */
    bool peer_gone;  /* the peer has no PDC that a Close Command could close */
    bool ends_close; /* after the Close Command it means that all is well (PDS-206) */
    bool of_another_pdc; /* does not tell the TPDCID */
};

#define UET_CTL_TYPES 16u

typedef void uet_cp_act(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p);

/* A PSN at the receiver, by its place in the window. */
struct uet_place_row {
    bool refused;
    uint8_t nack; /* so; 0: in silence, but for this counter */
    uint16_t counter;
};
#define UET_PSN_PLACES 4u

struct pds_law {
    struct uet_nack_row nacks[UET_NACK_CODES];      /* by nack_code; in/nacked.c */
    uet_cp_act *cps[UET_CTL_TYPES];                 /* by ctl_type; in/cp.c */
    struct uet_place_row places[UET_PSN_PLACES][2]; /* by enum psn_place and syn; in/target.c */
    uint8_t takes_until;   /* enum pdc_state: the last in which a PDC takes a new message */
    bool duplicates[2];    /* by retx: is a duplicate answered (PDS-128)? */
    uint8_t unready_nack;  /* for a duplicate whose ACK has not left yet; 0: it is answered */
    bool stranger_told;    /* UET_PDC_HDR_MISMATCH has this side's PDCID */
    bool acks_each;        /* an ACK for every packet accepted */
    uint8_t close_wish;    /* pds.req of ACKs while a Close Request is out */
    uint64_t sack_mask[2]; /* by pdc->rod: what of the bitmap is said */
    /* The base of the SACK bitmap, where no Probe has asked for one (3.5.11.14). */
    uint32_t (*sack_base)(const struct pdc *pdc, const struct ack_about *about);
    /* Control Packets of its own accord, as WANT bits: none, by the rule. */
    uint16_t knock;         /* when it opens a PDC, before any data */
    uint16_t greeting;      /* when the TPDCID is known */
    uint16_t greeting_back; /* of a target, on each PDC that is opened to it */
    /* A PDC that begins: its Start_PSN, and whether a free PDCID goes before all others; NULL: as
     * they rise. */
    uint32_t (*start_psn)(struct uet_fep *fep, const struct pdc *pdc);
    bool (*free_first)(struct uet_fep *fep);
    /* The sending half. */
    uint32_t no_limit;      /* PSNs in flight when the peer's MP_Range has none */
    uint8_t backoff;        /* the factor by which the RTO grows (PDS-157) */
    bool resends_in_window; /* a smaller MPR holds these back, too (PDS-061) */
    bool waits_for_peer;    /* one packet, and no more before the TPDCID is known */
    bool keeps_syn;         /* what went out with syn = 1 is resent so (3.5.8.2 step 5) */
    bool asks_by_psn;       /* ACK Requests carry no message_id (3.5.16.2) */
    bool close_waits;       /* Close Command goes when all is acknowledged (PDS-201) */
    bool guards_syn;        /* Syn_Retx_Safety_Time holds (PDS-054) */
    bool tells_mpr_zero;    /* a window below 128 PSNs is told as mpr 0 (PDS-065) */
    uint16_t (*mpr_zero)(const struct uet_fep *fep); /* the PSNs that mpr 0 stands for */
};

#endif
