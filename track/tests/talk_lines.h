/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the talk: how its packets are written. */
#ifndef UET_TRACK_TESTS_TALK_LINES_H
#define UET_TRACK_TESTS_TALK_LINES_H

#include "track/tests/talk.h"

#define TALK_JOB 0xabcdefu
#define TALK_KEY UINT64_C(0x0000000000001234)

extern const uint8_t talk_payload[1024];

/* What differs from packet to packet. Zero: not set. */
struct talk_line {
    bool back; /* from the target */
    bool retx, ar, ce, m;
    uint16_t entropy; /* added to that of the talk */
    uint32_t psn;     /* added to Start_PSN */
    uint32_t clear;   /* PSNs cleared, from Start_PSN on: CLEAR_PSN = Start_PSN - 1 + clear */
    uint16_t message_id;
    uint32_t length, offset;
    uint16_t bytes; /* of payload */
    bool som, eom;
    uint8_t type; /* enum uet_pds_type of a Request; 0: RUD_REQ */
    uint8_t dscp;
};

/* What an ACK says. */
struct talk_says {
    uint32_t cack, psn; /* added to Start_PSN */
    uint8_t req;
    uint8_t next_hdr;
    uint8_t opcode, return_code;
    uint16_t message_id;
    bool cc, ccx;
    uint64_t sack; /* from ACK_PSN on */
    uint32_t modified_length;
};

void talk_start(const struct talk *t, struct uet_build *b, struct talk_packet *p,
                const struct talk_line *l);
void talk_finish(struct uet_build *b, struct talk_packet *p);
void talk_fill_address(uint8_t *s, const struct talk_line *l);

/* A standard Request; a small or medium one, which carries a whole message. */
void talk_request(struct talk *t, enum talk_name name, struct talk_line l, uint8_t opcode,
                  bool syn);
void talk_short_request(struct talk *t, enum talk_name name, struct talk_line l, bool medium);
void talk_ack(struct talk *t, enum talk_name name, struct talk_line l, struct talk_says a);
void talk_cp(struct talk *t, enum talk_name name, struct talk_line l, uint8_t ctl, uint32_t psn,
             uint32_t value);
void talk_nack(struct talk *t, enum talk_name name, struct talk_line l, uint8_t code,
               uint16_t spdcid, uint16_t dpdcid);

void talk_fill_request(const struct talk *t, uint8_t *h, const struct talk_line *l,
                       uint8_t next_hdr);
void talk_fill_ack(const struct talk *t, uint8_t *h, const struct talk_line *l,
                   const struct talk_says *a);

/* talk_more.c: everything but the RUD PDC. */
void talk_write_more(struct talk *t);

/* talk_reads.c: reads on the ROD PDC from PSN S+3 on; a RUD PDC of reads; a read on RUDI. */
void talk_rod_reads(struct talk *t);
void talk_write_reads(struct talk *t);
void talk_rudi_read(struct talk *t);

#endif
