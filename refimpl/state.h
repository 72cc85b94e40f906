/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the FEP knows: its PDCs, packets, messages, operations and resources. Private to refimpl/.
 * Everything lives in the caller's block and is found by number; 0 means none.
 */
#ifndef UET_REFIMPL_STATE_H
#define UET_REFIMPL_STATE_H

#include "refimpl/counters.h"
#include "refimpl/fep.h"
#include "refimpl/pool.h"
#include "refimpl/violate.h"
#include "wire/build.h"

/* MP_Range counts in units of 128 PSNs (PDS-063). */
#define MPR_UNIT 128u

/* ---- PDS ---- */

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
    uint16_t mp_range;       /* of the peer, in PSNs; 0: without limit (before 1.0.3) */
    bool mpr_known;          /* mp_range came from the peer */
    bool clear_wanted;       /* REQ_CLEAR or a Clear Request is not satisfied yet */
    uint64_t deadline;       /* not later than the first deadline of its packets */
    uint64_t clear_at;       /* when Clear Command goes alone (PDS_Clear_Time) */
    bool given_up;           /* packets were freed without an ACK: the PDC fails */
    uint32_t ask_psn;        /* of the newest ACK Request for the window */
    uint64_t ask_at;         /* not earlier: another one for that PSN */
    uint8_t n_window_asks;   /* ACK Requests for the window since the peer was heard last */
    uint32_t back_psn;       /* ROD: the go-back that ran last began here (PDS-168) ... */
    uint32_t back_end;       /* ... and ended before this PSN */
    uint64_t tail_at;        /* Tail_Loss_Time */
    uint32_t order;          /* packets sent, resends too */
    uint32_t received_order; /* the newest of them known to have arrived */
    uint8_t n_tail;          /* resends by Tail_Loss_Time since the last ACK */
};

/* The receiving half: the expected window and what the next ACK will say (3.5.12). */
struct sink {
    uint32_t cack_psn;     /* all up to here received and cleared */
    uint32_t expected_psn; /* the first PSN not received */
    uint32_t highest_psn;  /* the highest PSN received */
    uint32_t gap_psn;      /* a packet with ar=1 left a gap below this PSN */
    uint32_t ack_gen_count;
    uint32_t stored; /* guaranteed responses, by PSN */
    uint16_t n_stored;
    uint16_t n_above;   /* packets received above expected_psn: ooo_count */
    uint32_t close_psn; /* of the Close Command received, and what its ACK echoes (PDS-112) */
    uint16_t close_entropy;
    bool close_m, close_retx;
    uint64_t rcvd_bytes;   /* nominal bytes of the packets accepted (CMS-018) */
    bool long_lived;       /* Start_PSN is too far back to count from */
    uint32_t inferred_psn; /* the missing PSN last asked for by UET_RCVR_INFER_LOSS */
    bool gap_open;         /* gap_psn is good */
    bool closing;          /* a Close Command was received: close_psn is good */
};

/* Where a PDC stands in line for transmission. */
enum pdc_line { LINE_NONE, LINE_READY, LINE_STARVED };

struct pdc {
    uint32_t next, prev; /* free list, or the line it stands in */
    uint32_t hash_next;  /* initiator: mapping tuple; target: {source, spdcid} */
    uint32_t bitmap;     /* of the pool */
    uint32_t heap_place; /* 1 + index in the timer heap, 0 when not there */
    uint32_t last_psn;   /* kept over lives: where the last PDC of this number ended (PDS-027) */
    uint32_t start_psn;  /* of both directions (PDS-028) */
    uint32_t job_id;     /* initiator: part of the mapping tuple (PDS-011) */
    uint16_t id;         /* this side's PDCID: its number */
    uint16_t peer_id;    /* the peer's PDCID, 0 while unknown */
    uint16_t wants;      /* WANT bits */
    uint16_t entropy;    /* ROD: the one entropy value (PDS-004); EV_Slots: that of slot 0 */
    uint16_t slot;       /* EV_Slots: of the packet sent last */
    uint8_t state;       /* enum pdc_state */
    uint8_t traffic_class;
    bool initiator;
    uint8_t line;     /* enum pdc_line */
    bool mapped;      /* initiator: new messages find it; target: SYNs find it */
    bool req_closing; /* target: a Close Request is out */
    bool rod;         /* the mode, for life (PDS-007) */
    bool reserved;    /* use_rsv_pdc: of the reserved pool where there is one */
    bool close_error; /* initiator: closing in error, SES and the counters know */
    bool syn_resent;  /* a SYN packet was sent again (PDS-054) */
    bool had_psn;     /* last_psn means something */
    bool reading;     /* target: of the READ asked for last more packets are to come */
    uint8_t n_asked;  /* initiator: NOOPs since read data came last, while only that is missing */
    struct uet_ip peer;
    uint64_t deadline;       /* the key of the timer heap */
    uint64_t close_deadline; /* target: Close_REQ_Time; initiator: the wait for responses */
    uint64_t idle_since;
    uint64_t syn_safe_at; /* initiator: no copy of its SYNs is on the way any more (PDS-054) */
    uint64_t other_until; /* target: till then SYNs that began at other_start are refused */
    uint32_t other_start;
    uint16_t n_ops;
    uint32_t ops_head, ops_tail;     /* operations in the order in which they are sent */
    uint32_t op_next;                /* the first that is not sent whole */
    uint32_t messages;               /* target: messages in progress */
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
    uint32_t order; /* the how-many-eth packet of the PDC to be sent */
    uint32_t op;    /* 0: a Control Packet, or ... */
    uint32_t part;  /* ... read data on its return direction */
    uint32_t offset;
    uint16_t length;
    uint16_t pdc;
    uint8_t ctl_type;
    uint8_t rto_count;
    uint8_t nack_count;
    uint8_t n_underway; /* copies sent within an RTO and not NACKed */
    uint8_t n_inferred; /* resends because of an inferred loss */
    uint8_t passed;     /* packets sent after it that have arrived */
    uint16_t slot;      /* of its entropy value (EV_Slots) */
    bool som, eom;
    bool sacked;    /* known from SACK: data is not sent again (PDS-116) */
    bool resend;    /* waits to be sent again */
    bool nack_wait; /* the deadline is NACK_Retx_Time, not an RTO */
    bool refused;   /* the peer had no PDC for it; others of this PDC may fare better */
    bool again;     /* was sent at least once */
    bool resent;    /* ... and again, with retx = 1 */
    bool syn;       /* with syn = 1 */
    uint64_t deadline;
};

/*
 * What one packet of a peer's READ asks for, kept until its data is known to have arrived: queued,
 * in a packet on the return direction, or in the ACK and not yet cleared (3.5.12.1). The bytes stay
 * where they are: they are read when they are sent, and read again when they are resent.
 */
struct part {
    uint32_t next; /* in the PDC's queue, in the order of the requests */
    uint32_t psn;  /* of the request; of RUDI its pkt_id */
    const uint8_t *from;
    uint32_t job_id;
    uint32_t total;  /* request_length */
    uint32_t offset; /* message_offset */
    uint16_t length;
    uint16_t message_id;
    bool small; /* a small or medium header asked: its PSN stands for the message_id */
    bool last;  /* the data should be acknowledged at once */
};

/* A guaranteed SES response that waits for its clear (3.5.20.1). */
struct stored {
    uint32_t next; /* in the PDC's list, by PSN */
    uint32_t psn;
    uint32_t part; /* the response is read data: not stored, but made again */
    uint16_t pdc;  /* 0: a free slot */
    uint8_t response[UET_SES_RSP_BYTES];
};

/* An answer that is ready but for its service_time and CRC; see reply.c. */
#define REPLY_BYTES 152
#define REPLIES     256
struct reply {
    uint64_t arrived_ns;
    uint16_t cc_state_offset; /* 0: no NSCC state */
    uint16_t length;
    uint8_t ip_version;
    uint16_t ip_offset, udp_offset, pds_offset;
    uint16_t data_length;
    const uint8_t *data; /* of a read: comes after the frame's bytes when the answer leaves */
    uint8_t frame[REPLY_BYTES];
};

/* ---- SES ---- */

/* A message of several packets on its way in (3.4.1.14). */
struct message {
    uint32_t next;      /* of the same PDC */
    uint32_t hash_next; /* by {pdc, message_id} */
    uint16_t pdc;
    uint16_t message_id;
    uint8_t opcode;
    uint8_t return_code; /* the first error; sticky (SES-116) */
    bool som_seen;
    bool has_header_data;
    uint32_t length;   /* request_length */
    uint32_t received; /* payload bytes so far */
    uint32_t job_id;
    uint32_t initiator;
    uint64_t key;
    uint64_t header_data;
    uint32_t region;  /* for a WRITE */
    uint32_t receive; /* for a SEND: the buffer it took */
};

struct posted {
    uint32_t next; /* posting order, until a message takes it */
    struct uet_receive call;
};

enum op_state {
    OP_WAITING, /* for a PDC or for a time */
    OP_QUEUED,  /* on a PDC, nothing sent */
    OP_SENDING,
    OP_SENT, /* all packets sent */
};

struct operation {
    uint32_t next, prev; /* of the PDC, or the waiting list */
    uint32_t sent;       /* payload bytes */
    uint32_t unacked;    /* packets not retired */
    uint32_t modified;   /* bytes the target says it changed */
    uint16_t message_id;
    uint16_t pdc;
    uint8_t state;
    uint8_t return_code;
    uint8_t retries;     /* on new PDCs */
    uint8_t ses_retries; /* after a return code that may pass */
    uint8_t generation;  /* the current one, as RC_BAD_GENERATION told it */
    bool modified_known;
    bool no_response; /* a packet was answered with UET_NO_RESPONSE (SES-110) */
    uint32_t psn;     /* READ: of its first packet, which names it when message_id does not */
    uint32_t n_have;  /* READ: packets from the first on whose data has come, ... */
    uint64_t have;    /* ... and which of those after the next one: bit i is n_have + i */
    uint64_t not_before;
    struct uet_operation call;
};

#define MESSAGE_IDS 65536u

struct line {
    uint32_t head, tail;
};

struct completion_ring {
    struct uet_completion *slots;
    uint32_t cap, head, n;
    uint32_t n_op, n_receive, n_write; /* kinds in the ring */
};

/* RUDI packets that wait for their response, in the order of their first sending. */
struct rudi {
    struct pool packets; /* struct tx_packet; psn is the pkt_id */
    uint32_t head, tail;
    uint32_t n_resend; /* of them wait to be sent again */
    uint32_t life;     /* part of the next pkt_id */
    uint64_t deadline; /* not later than the first deadline of its packets */
    uint32_t bent_seen;
};

struct uet_fep {
    struct uet_fep_config config;
    struct uet_fep_params params;
    uint64_t now;
    uint64_t prng;
    bool dispatch; /* waiting operations may find a PDC now */

    struct pdc *pdcs; /* 1..max_pdcs; what RUDI operations wait in stands in the place of 0 */
    /*
     * Where security plugs in (3.5.8.2): may a peer's PDC begin at this Start_PSN? If not, *wanted
     * is the one to use. NULL, as without TSS: it may.
     */
    bool (*start_psn_ok)(struct uet_fep *fep, const struct uet_ip *from, uint32_t start_psn,
                         uint32_t *wanted);
    uint64_t new_pdc_timeouts; /* NEW_PDC_TIMEOUT_CNT */

    struct pool bitmaps;  /* which PSNs of a PDC's window have come: window_psns bits each */
    uint32_t window_psns; /* a power of two */
    uint32_t free_head, free_tail;
    struct line ready;
    struct line starved; /* PDCs that found no tx_packet */
    uint32_t n_initiator, n_target;
    uint32_t n_reserved;           /* of both, those of the reserved pool */
    uint32_t *syn_hash, *map_hash; /* pdc_buckets each */
    uint32_t pdc_buckets;
    uint32_t *heap; /* PDC numbers by deadline */
    uint32_t heap_n;
    uint32_t idle_hand;    /* where the search for an idle PDC goes on */
    uint32_t message_hand; /* where the search for a PDC that holds message state goes on */
    uint32_t clear_hand;   /* where the search for a response to be cleared goes on */

    struct pool packets, stored, messages, receives, operations;
    struct pool parts;
    uint32_t *packet_hash;
    uint32_t packet_buckets;
    uint32_t *message_hash;
    uint32_t message_buckets;

    struct rudi rudi;
    uint32_t uud_head, uud_tail; /* datagrams to be sent */
    uint32_t turn;               /* who sends next: PDCs, RUDI or UUD */

    struct reply *replies;
    uint32_t reply_head, reply_n;

    struct uet_service *services;
    uint32_t n_services;
    struct uet_region *regions;
    uint32_t n_regions;
    uint32_t receives_head, receives_tail;
    uint32_t waiting_head, waiting_tail;
    uint64_t waiting_deadline;
    uint16_t next_message_id;
    uint64_t *message_ids; /* one bit each: live */
    struct completion_ring completions;

    uint64_t counters[CNT_COUNT];
    bool violated[VIOLATION_COUNT];
};

#define COUNT(fep, name) ((void)(fep)->counters[CNT_##name]++)

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

static inline struct operation *op_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->operations, id);
}

static inline struct message *message_at(struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->messages, id);
}

static inline struct posted *receive_at(struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->receives, id);
}

/* The FEP's own generator (splitmix64): same seed, same bytes. */
static inline uint64_t fep_random(struct uet_fep *fep)
{
    uint64_t z = fep->prng += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Serial number order (3.5.12): a after b. */
static inline bool psn_after(uint32_t a, uint32_t b)
{
    return uet_psn_diff(a, b) > 0;
}

/* now + delay, never wrapping past UET_FEP_NEVER. */
static inline uint64_t time_after(uint64_t now, uint64_t delay)
{
    return delay >= UET_FEP_NEVER - now ? UET_FEP_NEVER : now + delay;
}

#endif
