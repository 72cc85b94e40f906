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
    bool unknown;    /* ... and never had one of these numbers, or has none any more: whoever asks
                        for an answer need not ask again */
    bool ends_close; /* after the Close Command it means that all is well (PDS-206) */
    bool of_another_pdc; /* does not tell the TPDCID */
    bool names_no_pdc;   /* when sent: spdcid 0 */
};

#define UET_PDC_STATES 7u
#define UET_CTL_TYPES  16u

typedef void uet_cp_act(struct uet_fep *fep, struct pdc *pdc, const struct uet_packet *p);

/* A PSN at the receiver, by its place in the window. */
struct uet_place_row {
    bool refused;
    uint8_t nack; /* so; 0: in silence, but for this counter */
    uint16_t counter;
};
#define UET_PSN_PLACES 4u

/* A duplicate (3.5.12.5). */
struct uet_duplicate_row {
    bool answered; /* by its ACK */
    uint8_t nack;  /* by this; 0 and not answered: dropped and counted */
};

/* What a target wishes of its initiator when it sends an ACK. */
enum uet_wish { UET_WISH_NOTHING, UET_WISH_CLEAR, UET_WISH_CLOSE, UET_WISHES };

/* When a FEP may send Control Packets of its own accord. */
enum uet_moment {
    UET_MOMENT_OPENING,     /* it opens a PDC: before any data */
    UET_MOMENT_ESTABLISHED, /* ... of which it learns the TPDCID */
    UET_MOMENT_OPENED,      /* a PDC is opened to it */
    UET_MOMENTS
};

struct pds_law {
    struct uet_nack_row nacks[UET_NACK_CODES];      /* by nack_code; in/nacked.c */
    uet_cp_act *cps[UET_CTL_TYPES];                 /* by ctl_type; in/cp.c */
    struct uet_place_row places[UET_PSN_PLACES][2]; /* by enum psn_place and syn; in/target.c */
    bool takes[UET_PDC_STATES]; /* by enum pdc_state: does a PDC take a new message? */
    struct uet_duplicate_row duplicates[2][2]; /* by retx, and by: its ACK still waits to leave */
    uint8_t reqs[UET_WISHES];                  /* pds.req by enum uet_wish (Table 3-44) */
    uint16_t cps_at[UET_MOMENTS]; /* Control Packets by enum uet_moment, as WANT bits */
    uint64_t sack_mask[2];        /* by pdc->rod: what of the bitmap is said */
    bool (*acks)(bool due);       /* does an accepted packet bring an ACK? */
    /* The base of the SACK bitmap, where no Probe has asked for one (3.5.11.14). */
    uint32_t (*sack_base)(const struct pdc *pdc, const struct ack_about *about);
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
