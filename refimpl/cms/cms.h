/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The congestion management sublayer (3.6) as PDS uses it: a congestion control context (CCC) for
 * each destination, traffic class and delivery mode, shared by the PDCs that send there (3.6.6),
 * and a table of congestion controls. It knows no PDC, no packet and no address but as a key.
 *
 * A new congestion control is a row of uet_ccs and a file for its functions; what it has to know of
 * the network stands in struct ccc. What a destination tells is a table of its own.
 */
#ifndef UET_REFIMPL_CMS_CMS_H
#define UET_REFIMPL_CMS_CMS_H

#include "refimpl/cms/lb.h"
#include "refimpl/cms/rccc.h"
#include "refimpl/state.h"

/* NSCC's state of a destination (Table 3-83): bytes are nominal, times in ns. */
struct uet_nscc {
    uint64_t inc_bytes; /* summed increase, in bytes x bytes: applied divided by cwnd */
    uint64_t qa_endtime;
    uint64_t last_adjust_time, last_dec_time, last_sample_time;
    uint32_t cwnd, max_wnd;
    uint32_t saved_cwnd; /* before the destination asked for less (3.6.13.2); 0: it did not */
    uint32_t base_rtt, avg_delay;
    uint32_t achieved_bytes, received_bytes, fi_count;
    uint32_t bytes_to_ignore, bytes_ignored;
    bool increase; /* fast increase */
    bool trigger_qa;
};

/* Found by number, 0: none. Only what sends data has one: an initiator, and a target that reads. */
struct ccc {
    uint32_t next;       /* of the pool; of its hash chain */
    int32_t inflight;    /* nominal bytes sent, not known to have arrived or to be lost (3.6.12);
                            below 0 by what rcvd_bytes is rounded up */
    struct line waiting; /* PDCs that would send and may not */
    struct uet_ip to;
    uint8_t traffic_class;
    bool rod;        /* all on one path */
    uint8_t cc;      /* enum uet_cc_row */
    uint16_t n_pdcs; /* that use it */
    bool probe_due;  /* the first answer that comes shall bring a Probe (3.6.13.7) */
    uint16_t probe_opaque;
    uint32_t asked_at;  /* the low bits of when a Request last asked for an ACK */
    uint64_t probed_at; /* 0: no Probe is out */
    struct uet_nscc nscc;
    struct uet_rccc rccc;
    struct uet_lb_state lb;
};

/* How a PDC's packets go where nothing is balanced: Control Packets, ROD, LB_RANDOM. */
struct uet_path {
    uint16_t entropy; /* the one value of ROD (PDS-004); EV_Slots: that of slot 0 */
    uint16_t slot;    /* EV_Slots: of the packet sent last */
    bool rod;
};

/* ---- the source ---- */

/* What an ACK has told of the packets of its PDC. */
struct uet_cc_ack {
    uint64_t rtt_ns;     /* of the packet that it names, without service_time; 0: no valid sample */
    uint32_t newly_rcvd; /* nominal bytes that have arrived since the ACK before */
    bool m;              /* that packet met congestion */
    bool restore;        /* rc */
    uint8_t pend;        /* rcv_cwnd_pend */
};

/* A NACK of a packet that was in flight and is no longer. */
struct uet_cc_nack {
    uint64_t rtt_ns; /* as in an ACK */
    uint32_t bytes;  /* nominal, of the packet */
    bool trimmed;    /* UET_TRIMMED or UET_TRIMMED_LASTHOP */
    bool last_hop;   /* the latter */
};

enum uet_cc_row {
    CC_WINDOW, /* a fixed window of CC_Window bytes */
    CC_NSCC,   /* network signalled congestion control (3.6.13) */
    CC_RCCC,   /* receiver credit congestion control (3.6.14) */
    CC_BOTH,   /* NSCC and RCCC (3.6.11) */
    CC_COUNT
};

/* What of it is in flight flight.c counts, for all. NULL: nothing is to be done. */
struct uet_cc {
    void (*begin)(struct uet_fep *fep, struct ccc *ccc); /* the CCC is new */
    bool (*may_send)(const struct uet_fep *fep, const struct ccc *ccc);
    /* May the packet that is sent now be the last for a while? Then it asks for an ACK. */
    bool (*asks)(const struct uet_fep *fep, const struct ccc *ccc);
    void (*acked)(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack);
    void (*nacked)(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack);
    void (*inferred)(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes); /* by RTO, SACK, ... */
    void (*probed)(struct uet_fep *fep, struct ccc *ccc, uint64_t rtt_ns);  /* of a Probe */
    void (*sent)(struct ccc *ccc, uint32_t bytes); /* nominal, of a Request */
    /* The destination grants, and is told in Requests what is wanted. */
    bool (*credit)(const struct uet_fep *fep, struct ccc *ccc, uint32_t units);
};

extern const struct uet_cc uet_ccs[CC_COUNT];

#define UET_CC_HEADERS_MOST 256u /* of a Request, and the 40 bytes of its nominal size */

/* ---- the destination ---- */

/* What a destination tells of a PDC in its ACKs, and a source reads there (3.6.9.2). */
struct uet_cc_state {
    uint64_t rcvd_bytes; /* nominal bytes of the packets accepted (CMS-018); read: modulo 2^32 */
    uint32_t service_ns; /* read: 0 when it is not told */
    uint16_t ooo_count;  /* UET_OOO_NOT_COMPUTED: it does not say */
    uint8_t rcv_cwnd_pend;
    bool rc;
    bool grants; /* RCCC: it has credit, in units, and nothing else but ooo_count */
    uint32_t credit;
};
#define UET_OOO_NOT_COMPUTED 0xffffu

/* ACK_CC with this state. */
struct uet_cc_told {
    uint8_t type;   /* cc_type */
    uint8_t header; /* enum uet_header of the state */
    void (*write_state)(uint8_t *state, const struct uet_cc_state *is);
    /* The ACK leaves delay_ns after what it answers has come. NULL: that is not told. */
    void (*write_delay)(uint8_t *state, uint64_t delay_ns);
    void (*read_state)(const uint8_t *state, struct uet_cc_state *is); /* as source */
};

/* The one by which this FEP answers now (ACK_CC); NULL: plain ACKs. */
const struct uet_cc_told *uet_cc_told_here(const struct uet_fep *fep);
/* ... on a PDC whose source wants credit. */
const struct uet_cc_told *uet_cc_told_credit(const struct uet_fep *fep);

static inline struct ccc *uet_ccc_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->cccs, id);
}

/* Does a source stand in line for credit of this FEP? */
static inline bool uet_grants_wait(const struct uet_fep *fep)
{
    return fep->credit_active.head || fep->credit_idle.head;
}

static inline const struct uet_cc *uet_cc_of(const struct ccc *ccc)
{
    return &uet_ccs[ccc->cc];
}

/* None any more, as at the start; all are free. */
void uet_ccc_reset(struct uet_fep *fep);
/* Has this destination a CCC, or is there one for it (CCCs)? */
bool uet_ccc_free(const struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                  bool rod);
/* The CCC of this destination, a new one if need be: there are as many as PDCs. */
uint32_t uet_ccc_join(struct uet_fep *fep, const struct uet_ip *to, uint8_t traffic_class,
                      bool rod);
/* A PDC uses it no longer; nothing of that PDC is in flight. The last one frees it. */
void uet_ccc_leave(struct uet_fep *fep, uint32_t id);

/* Reads the state of an ACK into *state; false: the packet has none that this FEP knows. */
bool uet_cc_read(const struct uet_packet *p, struct uet_cc_state *state);

/* ---- window.c ---- */

/* CC_WINDOW: may_send and asks of struct uet_cc. */
bool uet_cc_window_may_send(const struct uet_fep *fep, const struct ccc *ccc);
bool uet_cc_window_asks(const struct uet_fep *fep, const struct ccc *ccc);

/* ---- nscc.c: NSCC as source (3.6.13.4 - 3.6.13.6) ---- */

/* The functions of struct uet_cc. may_send: inflight and an MTU lie within cwnd (3.6.13.6). */
void uet_nscc_begin(struct uet_fep *fep, struct ccc *ccc);
bool uet_nscc_may_send(const struct uet_fep *fep, const struct ccc *ccc);
bool uet_nscc_asks(const struct uet_fep *fep, const struct ccc *ccc);
void uet_nscc_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack);
void uet_nscc_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack);
void uet_nscc_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes);
void uet_nscc_probed(struct uet_fep *fep, struct ccc *ccc, uint64_t rtt_ns);

/* ---- nscc_gains.c ---- */

/* The parameters as NSCC works with them (3.6.13.3): formulas where a parameter is 0. */
struct uet_nscc_gains uet_nscc_gains(const struct uet_fep_config *config,
                                     const struct uet_fep_params *params);
/* 1.5 x sender link rate x this RTT, at least an MTU (3.6.13.6). */
uint32_t uet_nscc_window(const struct uet_nscc_gains *gains, uint32_t rtt_ns);

/* ---- nscc_told.c ---- */

/* Writes rcvd_bytes and ooo_count into the 8 bytes of an ACK_CC state (CMS-018). */
void uet_nscc_write(uint8_t *state, const struct uet_cc_state *is);
/* Writes service_time: how long the ACK has waited here, in ns (3.6.9.2). */
void uet_nscc_delay(uint8_t *state, uint64_t delay_ns);
/* Reads all of it. */
void uet_nscc_read(const uint8_t *state, struct uet_cc_state *is);

/* ---- both.c ---- */

/* The functions of struct uet_cc: NSCC and RCCC both have to permit (3.6.11). */
void uet_both_begin(struct uet_fep *fep, struct ccc *ccc);
bool uet_both_may_send(const struct uet_fep *fep, const struct ccc *ccc);
bool uet_both_asks(const struct uet_fep *fep, const struct ccc *ccc);
void uet_both_acked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_ack *ack);
void uet_both_nacked(struct uet_fep *fep, struct ccc *ccc, const struct uet_cc_nack *nack);
void uet_both_inferred(struct uet_fep *fep, struct ccc *ccc, uint32_t bytes);

/* ---- rccc_told.c ---- */

/* The ACK_CC state with credit and ooo_count: 8 bytes, of both sides (3.6.9.3). */
void uet_rccc_write(uint8_t *state, const struct uet_cc_state *is);
void uet_rccc_read(const uint8_t *state, struct uet_cc_state *is);

/* ---- path.c (3.6.16) ---- */

#define ENTROPY_FIRST 0xc000u /* the dynamic ports */
#define ENTROPY_MASK  0x3fffu

/* Any value, at random, from the dynamic ports. */
uint16_t uet_entropy_any(struct uet_fep *fep);
/* The next packet's entropy: a path of the PDC's own for ROD, else sprayed (PDS-004). */
uint16_t uet_spray(struct uet_fep *fep, const struct uet_path *path);

#endif
