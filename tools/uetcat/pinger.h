/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packets of `uetcat ping`: one RUD PDC as its initiator, carrying UET_NO_OP requests, each
 * with ar=1 so that each gets an ACK of its own. No socket and no clock: given packets and the
 * time, gives frames and events.
 *
 * It keeps the rules that a FEP may count on (3.5.8.2, 3.5.12): a PSN is sent again until it is
 * acknowledged, CLEAR_PSN follows what was acknowledged, and a PDC is closed by a Close Command
 * once nothing is outstanding. It gives a PDC up after a NACK that says so (Table 3-58).
 */
#ifndef UETCAT_PINGER_H
#define UETCAT_PINGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/build.h"
#include "wire/packet.h"

/* The smallest MP_RANGE in use is 128 PSNs (3.5.10.6): more are never outstanding. */
#define PINGER_WINDOW 128

struct pinger_config {
    struct uet_ip src, dst;
    bool native;         /* native IP instead of UDP (3.5.10.1) */
    uint8_t ip_protocol; /* of native IP; 0 stands for 253 */
    uint32_t job_id;
    uint16_t pid_on_fep, resource_index;
    bool relative;
    enum uet_protect protect; /* none or crc */
    uint8_t crc_order;        /* enum uet_crc_order of the trailer */
};

enum pinger_event_kind {
    PINGER_ACK,       /* the answer to a request */
    PINGER_NACK,      /* a refusal of one */
    PINGER_LATE,      /* an ACK of a packet that was sent more than once: no time can be told */
    PINGER_NO_ANSWER, /* nothing came in time; the request will be sent again */
};

struct pinger_event {
    enum pinger_event_kind kind;
    uint32_t seq; /* of the request, from 1 */
    uint32_t psn;
    uint64_t rtt_ns;     /* PINGER_ACK */
    bool has_response;   /* a SES response came with it */
    uint8_t rsp_opcode;  /* enum uet_ses_rsp_opcode */
    uint8_t return_code; /* enum uet_ses_return_code */
    uint8_t nack_code;   /* enum uet_pds_nack_code */
    uint8_t ecn;         /* of the answer */
    bool m;              /* the request had met congestion (ECN-CE) */
};

struct pinger_slot {
    bool used;
    bool answered; /* acknowledged, but older ones are not */
    bool late;     /* PINGER_NO_ANSWER was told */
    uint8_t sends;
    uint16_t message_id;
    uint32_t seq;
    uint64_t sent_ns; /* first time */
    uint64_t due_ns;  /* when to send again */
};

struct pinger {
    struct pinger_config config;
    void (*event)(void *ctx, const struct pinger_event *event);
    void *ctx;
    uint32_t seq; /* requests so far, over all PDCs */
    uint16_t entropy, spdcid, tpdcid;
    uint32_t start_psn, next_psn;
    uint32_t cleared;    /* highest PSN up to which everything is acknowledged: CLEAR_PSN */
    uint32_t return_psn; /* highest PSN of the return direction */
    struct pinger_slot slots[PINGER_WINDOW]; /* by PSN modulo the window */
    bool abandoned;                          /* a NACK ended this PDC: open another one */
    bool must_close;                         /* the target asked for it */
    bool must_clear;                         /* the target asked for a Clear Command */
    bool must_ack;                           /* a Control Packet of the target waits for its ACK */
    bool closing, closed;
    uint32_t close_psn;
};

/* A pinger without a PDC; open one before the first request. event is called from receive. */
void pinger_init(struct pinger *p, const struct pinger_config *config,
                 void (*event)(void *ctx, const struct pinger_event *event), void *ctx);

/* Forgets the PDC and begins another one; SPDCID, Start_PSN and entropy come from random. */
void pinger_open(struct pinger *p, uint64_t random);

/* Room for another request in this PDC, and no reason to end it. */
bool pinger_ready(const struct pinger *p);

/* Nothing outstanding. */
bool pinger_idle(const struct pinger *p);

/*
 * Writes the next request into frame. timeout_ns: when to call it unanswered. Returns the length,
 * or 0 when the PDC is not ready.
 */
size_t pinger_request(struct pinger *p, uint64_t now_ns, uint64_t timeout_ns, uint8_t *frame,
                      size_t cap);

/* The next due request again (retx=1), telling PINGER_NO_ANSWER the first time; 0 when none is. */
size_t pinger_resend(struct pinger *p, uint64_t now_ns, uint64_t timeout_ns, uint8_t *frame,
                     size_t cap);

/* When the next request falls due; UINT64_MAX when none is outstanding. */
uint64_t pinger_due(const struct pinger *p);

/* Takes a packet. Those that are not for this PDC are passed over. */
void pinger_receive(struct pinger *p, const struct uet_packet *packet, uint64_t now_ns);

/* What the target asked for: the ACK of its Control Packet, a Clear Command; 0 when nothing. */
size_t pinger_reply(struct pinger *p, uint8_t *frame, size_t cap);

/*
 * The Close Command, again with retx=1. 0 when the PDC cannot be closed: requests outstanding, no
 * answer ever (3.5.8.3), abandoned or closed already.
 */
size_t pinger_close(struct pinger *p, uint8_t *frame, size_t cap);

#endif
