/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The congestion management sublayer (3.6) as PDS uses it: a congestion control context (CCC) for
 * each destination, traffic class and delivery mode, shared by the PDCs that send there (3.6.6),
 * and a table of congestion controls. It knows no PDC, no packet and no address but as a key.
 *
 * A new congestion control is a row of uet_ccs and a file for its functions; what it has to know of
 * the network stands in struct ccc.
 */
#ifndef UET_REFIMPL_CMS_CMS_H
#define UET_REFIMPL_CMS_CMS_H

#include "refimpl/state.h"

/* Found by number, 0: none. Only what sends data has one: an initiator, and a target that reads. */
struct ccc {
    uint32_t next;       /* of the pool; of its hash chain */
    uint32_t inflight;   /* nominal bytes sent, not known to have arrived or to be lost (3.6.12) */
    struct line waiting; /* PDCs that would send and may not */
    struct uet_ip to;
    uint8_t traffic_class;
    bool rod;        /* all on one path */
    uint8_t cc;      /* enum uet_cc_row */
    uint16_t n_pdcs; /* that use it */
};

/* How a PDC's packets go: what pick_entropy has to keep for it. */
struct uet_path {
    uint16_t entropy; /* the one value of ROD (PDS-004); EV_Slots: that of slot 0 */
    uint16_t slot;    /* EV_Slots: of the packet sent last */
    bool rod;
};

/* What a destination tells of a PDC in its ACKs, and a source reads there (3.6.9.2). */
struct uet_cc_state {
    uint64_t rcvd_bytes; /* nominal bytes of the packets accepted (CMS-018) */
    uint16_t ooo_count;  /* UET_OOO_NOT_COMPUTED: it does not say */
};
#define UET_OOO_NOT_COMPUTED 0xffffu

enum uet_cc_row {
    CC_WINDOW, /* a fixed window of CC_Window bytes; ACKs say nothing */
    CC_NSCC,   /* the same window, and ACKs tell what NSCC wants to know */
    CC_COUNT
};

struct uet_cc {
    /* As source. Bytes are nominal: transport_pktsize + 40. */
    uint32_t (*may_send)(const struct uet_fep *fep, const struct ccc *ccc); /* bytes; 0: wait */
    void (*sent)(struct ccc *ccc, uint32_t bytes);
    void (*acknowledged)(struct ccc *ccc, uint32_t bytes);
    void (*lost)(struct ccc *ccc, uint32_t bytes); /* RTO, NACK or inferred */
    uint16_t (*pick_entropy)(struct uet_fep *fep, const struct uet_path *path);
    /* As destination: ACK_CC with this state; write_state NULL: ACK. */
    uint8_t type;   /* cc_type */
    uint8_t header; /* enum uet_header of the state */
    void (*write_state)(uint8_t *state, const struct uet_cc_state *is);
    /* The ACK leaves delay_ns after what it answers has come. */
    void (*write_delay)(uint8_t *state, uint64_t delay_ns);
    void (*read_state)(const uint8_t *state, struct uet_cc_state *is); /* as source */
};

extern const struct uet_cc uet_ccs[CC_COUNT];

/* The one by which this FEP answers now (ACK_CC). */
static inline const struct uet_cc *uet_cc_here(const struct uet_fep *fep)
{
    return &uet_ccs[fep->params.ACK_CC ? CC_NSCC : CC_WINDOW];
}

static inline struct ccc *uet_ccc_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->cccs, id);
}

static inline const struct uet_cc *uet_cc_of(const struct ccc *ccc)
{
    return &uet_ccs[ccc->cc];
}

void uet_ccc_reset(struct uet_fep *fep);
/* The CCC of this destination, a new one if need be: there are as many as PDCs. */
uint32_t uet_ccc_join(struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                      bool rod);
/* A PDC uses it no longer; nothing of that PDC is in flight. The last one frees it. */
void uet_ccc_leave(struct uet_fep *fep, uint32_t id);

/* Reads the state of an ACK into *state; false: the packet has none that any row knows. */
bool uet_cc_read(const struct uet_packet *p, struct uet_cc_state *state);

/* ---- window.c ---- */

/* What of CC_Window is not in flight, in nominal bytes; without CC_Window: any number. */
uint32_t uet_cc_window_may_send(const struct uet_fep *fep, const struct ccc *ccc);
/* So many nominal bytes are in flight from now on; ... */
void uet_cc_window_sent(struct ccc *ccc, uint32_t bytes);
/* ... and are no longer, arrived or lost. */
void uet_cc_window_left(struct ccc *ccc, uint32_t bytes);

/* ---- nscc.c ---- */

/* Writes rcvd_bytes and ooo_count into the 8 bytes of an ACK_CC state (CMS-018). */
void uet_nscc_write(uint8_t *state, const struct uet_cc_state *is);
/* Writes service_time: how long the ACK has waited here, in ns (3.6.9.2). */
void uet_nscc_delay(uint8_t *state, uint64_t delay_ns);
/* Reads ooo_count, which is all that a fixed window wants to know. */
void uet_nscc_read(const uint8_t *state, struct uet_cc_state *is);

/* ---- path.c (3.6.16) ---- */

/* Any value, at random, from the dynamic ports. */
uint16_t uet_entropy_any(struct uet_fep *fep);
/* The next packet's entropy: a path of the PDC's own for ROD, else sprayed (PDS-004). */
uint16_t uet_spray(struct uet_fep *fep, const struct uet_path *path);

#endif
