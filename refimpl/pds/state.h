/* SPDX-License-Identifier: BSD-2-Clause */
/* What the packet delivery sublayer knows: PDCs, their packets, what is kept for answers. Private
 * to pds/. */
#ifndef UET_REFIMPL_PDS_STATE_H
#define UET_REFIMPL_PDS_STATE_H

#include "refimpl/ses_pds.h"
#include "refimpl/state.h"

/* Figures 3-48 and 3-49. */
enum pdc_state {
    PDC_CLOSED,
    PDC_CREATING,       /* initiator: TPDCID not known yet, syn=1 */
    PDC_ESTABLISHED,    /* both */
    PDC_QUIESCE,        /* initiator: no new message; waits until the begun ones end */
    PDC_ACK_WAIT,       /* both: closing, waits for outstanding packets */
    PDC_CLOSE_ACK_WAIT, /* initiator: Close Command sent */
    PDC_PENDING,        /* target: the Start_PSN was refused (secure PDCs) */
};

/* Control Packets that a PDC wants to send, as bits by ctl_type. */
#define WANT(ctl) (1u << (ctl))

/*
 * What a PDC waits for. A new timer is a name here and its row in timers.c; its time stands in
 * pdc->timers, UET_FEP_NEVER when it does not run. Whoever moves one calls uet_pdc_schedule.
 */
enum pdc_timer {
    TIMER_CLOSE,    /* target: Close_REQ_Time, New_PDC_Time; initiator: the wait for responses */
    TIMER_TAIL,     /* Tail_Loss_Time (PDS-230) */
    TIMER_RETX,     /* not later than the first deadline of its packets (3.5.15) */
    TIMER_CLEAR,    /* PDS_Clear_Time: then Clear Command goes alone */
    TIMER_SYN_SAFE, /* initiator: no copy of its SYNs is on the way any more (PDS-054) */
    TIMER_GUARD,    /* closed, and guarded against late SYNs till then (PDS-054) */
    TIMER_CREDIT = TIMER_GUARD, /* while it is open: it waits for credit, then it asks */
    TIMERS_KEPT,
    TIMER_IDLE = TIMERS_KEPT, /* Idle_Time: counted from idle_since (PDS-214) */
    TIMER_COUNT
};

/* The sending half of a PDC: one direction's PSNs (3.5.11.4). */
struct source {
    uint32_t next_psn;
    uint32_t cack_psn;       /* the newest CACK_PSN heard; Start_PSN - 1 at first */
    uint32_t mpr_cack_psn;   /* the CACK_PSN that came with the MPR in force (PDS-066) */
    uint32_t clear_sent_psn; /* the newest CLEAR_PSN sent */
    uint32_t asked_psn;      /* the newest PSN for which an ACK was asked */
    uint32_t head, tail;     /* packets not retired, in PSN order */
    uint16_t n_packets;
    uint16_t n_resend;       /* of them wait to be sent again */
    uint16_t n_refused;      /* of them a NACK said that there is no PDC */
    uint16_t n_promised;     /* of them have arrived, and their answer is to come */
    uint16_t mp_range;       /* of the peer, in PSNs; 0: without limit (before 1.0.3) */
    uint8_t n_tail;          /* resends by Tail_Loss_Time since the last ACK */
    bool opened_another;     /* an ACK named another PDC of the peer's, or it wants one begun */
    uint64_t ask_at;         /* not earlier: another ACK Request for ask_psn */
    uint32_t ask_psn;        /* of the newest ACK Request for the window */
    uint32_t back_psn;       /* ROD: the go-back that ran last began here (PDS-168) ... */
    uint32_t back_end;       /* ... and ended before this PSN */
    uint32_t order;          /* packets sent, resends too */
    uint32_t received_order; /* the newest of them known to have arrived */
    bool mpr_known : 1;      /* mp_range came from the peer */
    bool clear_wanted : 1;   /* REQ_CLEAR or a Clear Request is not satisfied yet */
    bool given_up : 1;       /* packets were freed without an ACK */
    uint8_t n_window_asks;   /* ACK Requests for the window since the peer was heard last */
    uint8_t n_credit_asks;   /* Credit Requests since the peer was heard last, on this PDC, ... */
    uint8_t credit_news;     /* ... or credit came for its CCC: that one's `news` of then */
    /* Nominal bytes of its Requests, modulo 2^32, for the CCC (3.6.10.3): */
    int32_t inflight;       /* its part of the CCC's */
    uint32_t sent_bytes;    /* each packet once */
    uint32_t acked_bytes;   /* known packet by packet to have arrived */
    uint32_t arrived_bytes; /* that, or more as rcvd_bytes tells */
    uint32_t newly_rcvd;    /* of them since the last ACK was handed to the CCC */
    uint32_t demand;        /* RCCC: its part of what waits to be sent */
};

/* The receiving half: the expected window and what the next ACK will say (3.5.12). */
struct sink {
    uint32_t cack_psn;     /* all up to here received and cleared */
    uint32_t expected_psn; /* the first PSN not received */
    uint32_t highest_psn;  /* the highest PSN received */
    uint32_t gap_psn;      /* a packet with ar=1 left a gap below this PSN */
    uint32_t ack_gen_count;
    uint32_t stored;                     /* guaranteed responses, by PSN */
    uint32_t inferred_psn;               /* the missing PSN last asked for by UET_RCVR_INFER_LOSS */
    uint16_t grantee;                    /* the peer's CCC that it told of (RCCC); 0: of none */
    uint16_t grantee_next, grantee_prev; /* the ring of PDCs that told of the same one */
    uint64_t rcvd_bytes;                 /* nominal bytes of the packets accepted (CMS-018) */
    uint32_t close_psn; /* of the Close Command received, and what its ACK echoes (PDS-112) */
    uint16_t close_entropy;
    bool close_m, close_retx;
    uint16_t n_stored; /* of them wait for their clear; the others are promised */
    uint16_t n_above;  /* packets received above expected_psn: ooo_count */
    bool long_lived;   /* Start_PSN is too far back to count from */
    bool gap_open;     /* gap_psn is good */
    bool closing;      /* a Close Command was received: close_psn is good */
    uint8_t n_asked;   /* initiator: NOOPs since read data came last, while only that lacks */
};

/* Where a PDC stands in line for transmission. */
enum pdc_line { LINE_NONE, LINE_READY, LINE_STARVED, LINE_HELD };

struct pdc {
    uint32_t next, prev; /* free list, or the line it stands in */
    uint32_t hash_next;  /* initiator: mapping tuple; target: {source, spdcid} */
    uint32_t bitmap;     /* of the pool */
    uint32_t heap_place; /* 1 + index in the timer heap, 0 when not there */
    uint32_t
        last_psn; /* kept over incarnations: where the last PDC of this number ended (PDS-027) */
    uint32_t start_psn; /* of both directions (PDS-028) */
    uint32_t job_id;    /* initiator: part of the mapping tuple (PDS-011) */
    uint16_t ccc;       /* its congestion control context; 0: it has sent no Request yet */
    uint16_t id;        /* this side's PDCID: its number */
    uint16_t peer_id;   /* the peer's PDCID, 0 while unknown */
    uint16_t wants;     /* WANT bits */
    uint16_t entropy;   /* ROD: the one entropy value (PDS-004); EV_Slots: that of slot 0 */
    uint16_t slot;      /* EV_Slots: of the packet sent last */
    uint8_t state : 4;  /* enum pdc_state */
    uint8_t line : 4;   /* enum pdc_line */
    uint8_t traffic_class;
    bool initiator : 1;
    bool mapped : 1;      /* initiator: new messages find it; target: SYNs find it */
    bool req_closing : 1; /* target: a Close Request is out */
    bool rod : 1;         /* the mode, for life (PDS-007) */
    bool reserved : 1;    /* use_rsv_pdc: of the reserved pool where there is one */
    bool close_error : 1; /* initiator: closing in error, SES and the counters know */
    bool syn_resent : 1;  /* a SYN packet was sent again (PDS-054) */
    bool had_psn : 1;     /* last_psn means something */
    bool bad_path : 1;    /* ROD: its entropy value had bad news (t_reroute) */
    uint64_t moved_at;    /* ROD: since when it has that entropy value */
    struct uet_ip peer;
    struct tss_context tss; /* for life (TSS-045) */
    uint64_t deadline;      /* the first of its timers, the key of the timer heap */
    uint64_t timers[TIMERS_KEPT];
    uint64_t idle_since;
    uint64_t other_until; /* target: till then SYNs that began at other_start are refused */
    uint32_t other_start;
    uint32_t parts_head, parts_tail; /* target: read data that waits to be sent (T10) */
    uint32_t n_parts;                /* and how much is kept for it in all */
    struct source tx;
    struct sink rx;
};

/* A packet sent and not yet retired: a piece of an operation, or a Control Packet with a PSN. */
struct tx_packet {
    uint32_t next, prev; /* in the PDC's list; next first, for the pool */
    uint32_t hash_next;  /* by {pdc, psn} */
    uint32_t psn;
    uint32_t order;         /* the how-many-eth packet of the PDC to be sent */
    struct ses_segment seg; /* seg.op 0: a Control Packet, or ... */
    uint32_t part;          /* ... read data on its return direction */
    uint16_t pdc;
    uint8_t ctl_type;
    uint8_t rto_count;
    uint8_t nack_count;
    uint8_t n_underway; /* copies sent within an RTO and not NACKed */
    uint8_t n_inferred; /* resends because of an inferred loss */
    uint8_t passed;     /* packets sent after it that have arrived */
    uint16_t slot;      /* of its entropy value (EV_Slots) */
    uint16_t inflight;  /* nominal bytes that its CCC counts as in flight */
    uint16_t entropy;   /* of its last copy */
    uint16_t nominal;   /* ... and as it was sent last; 0: it is no Request, or not sent yet */
    uint8_t n_copies;   /* sent so far, 3: or more */
    bool landed;        /* it is known to have arrived, and counted so */
    uint8_t n_told;     /* how often UET_NO_RESPONSE has said that it has arrived */
    bool promised;      /* ... and CACK has not passed it: its answer is to come (SES-110) */
    bool sacked;        /* known from SACK: data is not sent again (PDS-116) */
    bool wanted;        /* ... but it is: only so its data comes (PDS-142) */
    bool resend;        /* waits to be sent again */
    bool nack_wait;     /* the deadline is NACK_Retx_Time, not an RTO */
    bool refused;       /* the peer had no PDC for it; others of this PDC may fare better */
    bool again;         /* was sent at least once */
    bool resent;        /* ... and again, with retx = 1 */
    bool syn;           /* with syn = 1 */
    uint64_t sent_at;   /* its last copy */
    uint64_t deadline;
};

/* A guaranteed SES response that waits for its clear (3.5.20.1). */
struct stored {
    uint32_t next; /* in the PDC's list, by PSN */
    uint32_t psn;
    uint32_t part;    /* the response is fetched data */
    uint16_t pdc;     /* 0: a free slot, or one for a PSN that is still to come */
    uint16_t entropy; /* of the packet that it answers, ... */
    bool m, retx;     /* ... which a late answer echoes, too (PDS-112, PDS-105) */
    bool promised; /* it says UET_NO_RESPONSE: the answer comes later, and cannot be cleared yet */
    uint8_t response[UET_SES_RSP_BYTES];
};

/* An answer that is ready but for its service_time and CRC; see reply.c. */
#define REPLY_BYTES 168
#define REPLIES     256
struct reply {
    uint64_t arrived_ns;
    const struct uet_cc_told *cc; /* what has written its state, and completes it */
    uint16_t cc_state_offset;     /* 0: no state */
    uint16_t length;
    uint16_t pds_offset;
    uint16_t data_length;
    const uint8_t *data; /* of a read: comes after the frame's bytes when the answer leaves */
    uint8_t frame[REPLY_BYTES];
};

static inline struct pdc *pdc_at(struct uet_fep *fep, uint32_t id)
{
    return &fep->pdcs[id];
}

static inline struct tx_packet *packet_at(struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->packets, id);
}

static inline struct part *part_at(struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->parts, id);
}

#endif
