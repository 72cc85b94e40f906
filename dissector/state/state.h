/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the packets before this one tell of it. On the first pass, which is in order, every packet
 * goes through the tracker of track/ (and the rules of rules/), and what was said of it is kept
 * for the life of the capture; later passes, in any order, read it.
 *
 * What lies in the future of a packet (acked_in, retransmitted_in ...) is known on later passes
 * only: in Wireshark when the capture was loaded, in tshark with -2.
 */
#ifndef UETX_STATE_H
#define UETX_STATE_H

#include "dissector/uetx.h"
#include "rules/rules.h"
#include "track/track.h"

/* What happened to the PDC with this packet; several may. */
enum uetx_event {
    UETX_EVENT_OPENS = 1,
    UETX_EVENT_ESTABLISHED = 2, /* the target's PDCID became known */
    UETX_EVENT_CLOSING = 4,     /* Close Command */
    UETX_EVENT_CLOSED = 8,
    UETX_EVENT_REFUSED = 16,
    UETX_EVENT_FAILED = 32, /* a fatal NACK */
    UETX_EVENT_AFTER = 64,  /* something came after the close */
};

/* One PDC, numbered by its place in the capture. */
struct uetx_pdc {
    const struct uet_track_pdc *track;
    uint8_t events; /* enum uetx_event, all so far */
    uint32_t closed_in;
    uint32_t failed_in; /* refused or failed */
    bool base_known[2];
    uint32_t base[2];       /* the PSN that relative PSNs count from, forward and return */
    wmem_array_t *cacks[2]; /* struct uetx_cack: each advance of CACK_PSN of a direction; or NULL */
};

struct uetx_cack {
    uint32_t cack;
    uint32_t frame;
};

/* How a message ended. */
enum uetx_end {
    UETX_END_OPEN,  /* it did not */
    UETX_END_DONE,  /* a response to its last packet, the last of its data */
    UETX_END_ERROR, /* an error response to one of its packets: it fails as a whole (3.4.5) */
    UETX_END_NACK,  /* a NACK after which its packets are not sent again on this PDC */
};

struct uetx_violation {
    const char *requirement;
    const char *message;
};

/* What is kept of one packet. Frame numbers are 0 for none. */
struct uetx_state {
    uint32_t frame;
    uint32_t place; /* in the frame, where the packet begins */
    uint64_t time_ns;
    struct uetx_pdc *pdc;                    /* NULL: belongs to none known */
    const struct uet_track_psn *own;         /* Request, CP: its PSN; grows with the capture */
    const struct uetx_violation *violations; /* n_violations of them */
    struct uetx_read *read;                  /* the read that it begins or has data for, or NULL */
    int64_t time_to_ack_ns;                  /* meaningful with request_frame */
    int64_t response_time_ns;                /* meaningful with response_to */
    uint32_t request_frame;                  /* ACK, NACK: what it answers */
    uint32_t response_to;                    /* the first packet of the message it ends */
    uint32_t ended_in;                       /* of a first packet: what ended it: set later */
    uint32_t message_in;                     /* the first packet of its message */
    uint32_t data_of;                        /* the first packet of the read whose data it has */
    uint32_t asked_in;                       /* the packet of it that asked for these */
    uint32_t read_bytes;                     /* with data_of: of its data so far, these included */
    uint32_t previous_frame;                 /* the same PSN before */
    uint32_t next_frame;                     /* the same PSN next: set later */
    uint32_t psn;                            /* that it takes, or names (ACK, NACK) */
    uint32_t gap;                            /* PSNs left out before this one */
    uint32_t out_of_order;                   /* PSNs that this one comes behind the highest */
    uint32_t stale_cack;                     /* PSNs that CACK_PSN is behind the highest seen */
    uint32_t in_flight;                      /* PSNs sent and not covered by CACK_PSN */
    uint32_t flight;                         /* bytes in flight after it (track.h), counted low */
    uint32_t twice_of;                       /* the same frame, before: only pdc is set beside it */
    uint16_t window;                         /* MP_Range in PSNs, 0 unknown */
    uint8_t n_violations;
    uint8_t response_opcode; /* meaningful with response_to: of the message */
    uint8_t request_type;    /* meaningful with request_frame: PDS type of what is answered */
    uint8_t events;          /* enum uetx_event, of this packet */
    uint8_t end;             /* enum uetx_end; with ended_in */
    uint8_t end_code;        /* ... return code or NACK code */
    bool forward : 1;        /* from the PDC's initiator */
    bool sure : 1;           /* ... surely */
    bool psn_known : 1;      /* psn is meaningful */
    bool in_flight_known : 1;
    bool flight_known : 1;
    bool answers_once : 1; /* ACK: of a packet that was sent once, and of that copy */
    bool mismatch : 1;     /* its PDCIDs contradict those of the PDC */
    bool duplicate : 1;    /* the PSN was sent before, and flags.retx is 0 */
    bool retransmission : 1;
    bool unseen : 1; /* flags.retx is 1, and the original is not in the capture */
    bool acked_before : 1;
    bool whole : 1;       /* the capture has all of it, no switch cut it */
    bool data_before : 1; /* another packet had the same bytes, whole */
    uint8_t resent : 4;   /* enum uet_resent: why, as far as the packets before tell */
};

/* Were the bytes that it carries captured before? Of a trimmed packet they were not. */
static inline bool uetx_seen_before(const struct uetx_state *s)
{
    return s && (s->twice_of || s->data_before);
}

/* The state of the packet: made on the first pass, found later; NULL when it has none. */
struct uetx_state *uetx_state_of(const struct uetx_pdu *u);

/* The same for a sealed packet that was not opened: it has no PDC, but the rules judge its header.
 */
struct uetx_state *uetx_state_of_sealed(const struct uetx_pdu *u);

/* The state of the first UET packet of a frame, NULL for none. */
struct uetx_state *uetx_state_at(uint32_t frame);

/* How many PDCs there are so far; numbers run from 0. */
uint32_t uetx_pdc_count(void);

/* A PDC by its number, NULL when there is none. */
const struct uet_track_pdc *uetx_pdc_of_stream(uint32_t stream);

/* The first frame whose ACK names or covers the PSN of s, 0 while there is none. */
uint32_t uetx_acked_in(const struct uetx_state *s);

/* The PSN counted from the PDC's base; false when it is not known. */
bool uetx_relative(const struct uetx_state *s, uint32_t psn, bool forward, int32_t *relative);

void uetx_state_register(void);

/* twice.c: the frame in which this very packet was captured before, or 0; first pass only. */
uint32_t uetx_twice(const struct uetx_pdu *u, uint64_t time_ns);
void uetx_twice_start(void);

/* judge.c: what the rules say of a packet, kept in s; first pass only. */
void uetx_judge_start(void);
void uetx_judge(struct uetx_state *s, const struct uet_tracked *t);
void uetx_judge_show(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree);
void uetx_judge_register(int proto);

/* analysis.c: the state in the tree. */
void uetx_analysis_show(const struct uetx_state *s, struct uetx_pdu *u, proto_tree *tree);
/* What stands behind the line of the packet: " [retransmission of #3]". */
void uetx_analysis_columns(const struct uetx_state *s, const struct uetx_pdu *u);
/* Turns the PSNs of a packet's line into relative ones. */
void uetx_analysis_relative(const struct uetx_state *s, const struct uetx_pdu *u, char *line);
void uetx_analysis_register(int proto);

#endif
