/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packets of `uetcat read`: one RUD PDC as its initiator, which asks for one READ message and
 * takes the data from ACKs or from the return direction (3.4.4.2, 3.5.12.1). No socket and no
 * clock: given packets and the time, gives frames. A byte is written only where it was asked for.
 */
#ifndef UETCAT_READER_H
#define UETCAT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/build.h"
#include "wire/packet.h"

/*
 * Requests asked ahead of the first whose data is missing. As many return Requests can come, and
 * READER_AHEAD of them be told apart; MP_RANGE is never below (3.5.10.6).
 */
#define READER_WINDOW 32u
#define READER_AHEAD  64u

struct reader_config {
    struct uet_ip src, dst;
    bool native;         /* native IP instead of UDP (3.5.10.1) */
    uint8_t ip_protocol; /* of native IP; 0 stands for 253 */
    uint32_t job_id;
    uint16_t pid_on_fep, resource_index;
    bool relative;
    uint32_t initiator;
    uint64_t key, offset;
    uint32_t length;
    uint32_t payload_mtu;
    enum uet_protect protect; /* none or crc */
    uint8_t crc_order;        /* enum uet_crc_order of the trailer */
    uint64_t wait_ns;         /* until a request without an ACK is sent again */
    unsigned tries;           /* how often it is sent in all */
};

enum reader_state {
    READER_BUSY,
    READER_DONE,    /* all is there */
    READER_REFUSED, /* return_code says why */
    READER_NACKED,  /* nack_code: the PDC came to an end */
    READER_SILENT,  /* no answer, or no data */
};

struct reader_slot {
    bool acked, here; /* its request is acknowledged; its data has come */
    uint8_t sends;
    uint64_t due_ns;
};

struct reader {
    struct reader_config config;
    uint8_t *into; /* config.length bytes, the caller's */
    enum reader_state state;
    uint8_t return_code, nack_code;
    uint16_t entropy, spdcid, tpdcid;
    uint32_t start_psn;
    uint32_t n;     /* requests of the message */
    uint32_t first; /* the first that is not acknowledged, or whose data is not here */
    uint32_t next;  /* the next to be asked for the first time */
    struct reader_slot slots[READER_WINDOW]; /* by number modulo the window */
    uint64_t quiet_ns;                       /* when to give up, if nothing comes */
    uint32_t return_psn;                     /* up to here the return direction has come */
    uint64_t ahead;                          /* bit i: return_psn + 1 + i as well */
    bool must_ack, ack_data, must_clear;
    uint32_t ack_psn;
    bool closing, closed;
    uint32_t close_psn;
};

/* SPDCID, Start_PSN and entropy come from random. */
void reader_init(struct reader *r, const struct reader_config *config, uint8_t *into,
                 uint64_t random, uint64_t now_ns);

/* The next frame to send now: an ACK, a Clear Command, a request; its length, 0: none. */
size_t reader_send(struct reader *r, uint64_t now_ns, uint8_t *frame, size_t cap);

/* When to call reader_send again, though nothing has come. */
uint64_t reader_due(const struct reader *r);

/* Takes a packet. Those that are not for this PDC are passed over. */
void reader_receive(struct reader *r, const struct uet_packet *p, uint64_t now_ns);

/* The Close Command, again with retx=1; 0 when the PDC cannot be closed (see pinger_close). */
size_t reader_close(struct reader *r, uint8_t *frame, size_t cap);

#endif
