/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the tests of track/ and rules/: a correct conversation of two FEPs, packet by packet. It
 * is written with the builder from the facts: open, a message of three packets, a gap and its
 * retransmission, an error with REQ_CLEAR and its clear, NACK, ACK Request, Probe, return
 * direction, close, reopening with the same IPDCID, refusals.
 */
#ifndef UET_TRACK_TESTS_TALK_H
#define UET_TRACK_TESTS_TALK_H

#include "wire/build.h"

struct talk_packet {
    uint8_t frame[1280];
    size_t len;
};

/* The packets by name, in order. */
enum talk_name {
    TALK_SYN0,      /* WRITE of 3000 bytes, message 1, first packet: PSN S */
    TALK_SYN1,      /* second packet: S+1, psn_offset 1 */
    TALK_ACK0,      /* ACK_CC: tells TPDCID; CACK S */
    TALK_REQ2,      /* third packet: S+2, syn 0 */
    TALK_ACK2,      /* CACK S+2 */
    TALK_REQ3,      /* SEND, message 2: S+3, does not arrive */
    TALK_REQ4,      /* medium WRITE: S+4 */
    TALK_ACKCC4,    /* ACK_CC: CACK S+2, ACK_PSN S+4, SACK shows S+4 */
    TALK_REQ3_RETX, /* S+3 again, with CE on arrival and another entropy value */
    TALK_ACK3,      /* CACK S+4, ACK_PSN S+3, retx, m */
    TALK_REQ5,      /* WRITE with a bad key, message 3: S+5 */
    TALK_ACK5,      /* RC_BAD_MKEY, REQ_CLEAR, CACK S+4 */
    TALK_REQ5_RETX, /* its ACK was lost */
    TALK_ACK5_AGAIN,
    /* the stored response */ TALK_ASK_CLEAR, /* Clear Request for S+5, the first packet in the
                                                 return direction */
    TALK_CLEAR5,                              /* Clear Command for S+5 */
    TALK_NOOP6,                               /* NOOP: S+6 */
    TALK_ACK6,
    TALK_REQ7, /* small SEND: S+7 */
    TALK_NACK7,
    TALK_REQ7_RETX,
    TALK_ACK7,
    TALK_REQ8, /* NO_OP, message 4: S+8 */
    TALK_ASK8, /* ACK Request for S+8 */
    TALK_ACK8,
    TALK_RNOOP0, /* return direction: NOOP with PSN S */
    TALK_RACK0,
    TALK_CLOSE_REQUEST, /* return direction: S+1 */
    TALK_RACK1,
    TALK_CLOSE, /* Close Command: S+9 */
    TALK_CLOSED,
    TALK_SYN_AGAIN, /* the same IPDCID, another Start_PSN */
    TALK_ACK_AGAIN,
    TALK_PROBE,
    TALK_PROBED,
    TALK_STRAY, /* a Request to a PDCID that nobody has */
    TALK_STRAY_NACK,
    TALK_REFUSED, /* a SYN that finds no PDC */
    TALK_REFUSED_NACK,
    TALK_ROD_SYN0, /* a ROD PDC: SEND, message 1 */
    TALK_ROD_ACK0,
    TALK_ROD_REQ1, /* SEND, message 2: does not arrive */
    TALK_ROD_REQ2, /* SEND, message 3 */
    TALK_ROD_OOO2, /* UET_ROD_OOO: nack_psn S+2, Expected_PSN S+1 */
    TALK_ROD_REQ1_RETX,
    TALK_ROD_REQ2_RETX,
    TALK_ROD_ACK1,
    TALK_ROD_ACK2,
    TALK_ROD_READ3, /* READ of 8 bytes, message 4 */
    TALK_ROD_READ4, /* READ of 2048 bytes, message 5: the first 1024 */
    TALK_ROD_READ5, /* ... and the last */
    TALK_ROD_ACK3,  /* 8 bytes of data, REQ_CLEAR: CACK S+2 */
    TALK_ROD_CLEAR3,
    TALK_ROD_ACK5,  /* RC_OK: CACK S+5 */
    TALK_ROD_DATA0, /* return direction: data of message 5 */
    TALK_ROD_DATA1,
    TALK_ROD_RACK1,
    TALK_ROD_CLOSE, /* S+6 */
    TALK_ROD_CLOSED,
    TALK_RUDI_REQ1, /* WRITE, pkt_id P */
    TALK_RUDI_RESP1,
    TALK_RUDI_REQ2, /* pkt_id P+1, arrives with CE; its Response is lost */
    TALK_RUDI_REQ2_RETX,
    TALK_RUDI_RESP2,
    TALK_RUDI_REQ3, /* pkt_id P+2 */
    TALK_RUDI_NACK3,
    TALK_RUDI_REQ3_RETX,
    TALK_RUDI_RESP3,
    TALK_UUD,       /* a datagram */
    TALK_TRIM_SYN0, /* a RUD PDC: SEND, message 1 */
    TALK_TRIM_ACK0,
    TALK_TRIM_REQ1, /* SEND of 1000 bytes, cut by a switch: DSCP TALK_DSCP_TRIMMED */
    TALK_TRIM_NACK1,
    TALK_TRIM_REQ1_RETX,
    TALK_TRIM_ACK1,
    TALK_CC2,  /* RUD_CC_REQ, SEND, message 3 */
    TALK_CCX2, /* its ACK_CCX */
    TALK_TRIM_CLOSE,
    TALK_TRIM_CLOSED,
    TALK_READ_SYN0,  /* a RUD PDC: READ of 2560 bytes, message 1, asks for the first 1024: PSN S */
    TALK_READ_ACK0,  /* RC_OK, without data */
    TALK_READ_REQ1,  /* 1024 bytes from 1024 on */
    TALK_READ_REQ2,  /* 512 bytes from 2048 on */
    TALK_READ_ACK2,  /* CACK S+2 */
    TALK_READ_DATA0, /* return direction: PSN S */
    TALK_READ_DATA1, /* S+1, does not arrive */
    TALK_READ_DATA2, /* S+2 */
    TALK_READ_RACK2, /* ACK_CC: CACK S, ACK_PSN S+2, SACK shows S+2 */
    TALK_READ_DATA1_RETX,
    TALK_READ_RACK1,  /* CACK S+2 */
    TALK_READ_SMALL3, /* READ of 8 bytes with a small header: S+3 */
    TALK_READ_ACK3,   /* its data, REQ_CLEAR: CACK S+2; does not arrive */
    TALK_READ_ASK3,   /* ACK Request for S+3 */
    TALK_READ_NACK3,  /* UET_ACK_WITH_DATA */
    TALK_READ_SMALL3_RETX,
    TALK_READ_ACK3_AGAIN,
    TALK_READ_CLEAR3,
    TALK_READ_BAD4, /* READ with a bad key, message 2: S+4 */
    TALK_READ_ACK4, /* RC_BAD_MKEY, REQ_CLEAR */
    TALK_READ_CLEAR4,
    TALK_READ_MEDIUM5, /* READ of 600 bytes with a medium header: S+5 */
    TALK_READ_ACK5,
    TALK_READ_DATA5,  /* return direction: S+3, cut by a switch */
    TALK_READ_RNACK5, /* UET_TRIMMED */
    TALK_READ_DATA5_RETX,
    TALK_READ_RACK5,
    TALK_READ_CLOSE, /* S+6 */
    TALK_READ_CLOSED,
    TALK_RUDI_READ4, /* READ of 16 bytes, pkt_id P+3 */
    TALK_RUDI_DATA4, /* its Response, with the data */
    TALK_N
};

/* The code points of both trimmed roles. */
enum { TALK_DSCP_TRIMMED = 5, TALK_DSCP_LASTHOP = 6 };

struct talk {
    struct uet_ip initiator, target;
    uint16_t ipdcid, tpdcid, tpdcid2;
    uint32_t start, start2;
    uint16_t entropy;
    struct talk_packet packet[TALK_N];
};

/* 192.0.2.1 and 192.0.2.2, PDCIDs 0x1111 and 0x2222, Start_PSN 0xfffffffe. */
void talk_default(struct talk *talk);

/* Writes the packets from the values above them. */
void talk_write(struct talk *talk);

/* The PDS and SES header of a packet, to be altered; talk_mend makes its checksum right again. */
uint8_t *talk_pds(struct talk_packet *packet);
uint8_t *talk_ses(struct talk_packet *packet);
void talk_mend(struct talk_packet *packet);

/* What a switch leaves of a packet: without the last n bytes, and with an IP length that fits. */
void talk_trim(struct talk_packet *packet, size_t n);

/* n bytes of 0 more, or -n fewer, and lengths that fit; IPv4. */
void talk_resize(struct talk_packet *packet, int n);

/* Sent by the initiator of the (forward) PDC? */
bool talk_from_initiator(enum talk_name name);

/* A small random generator (xorshift64*): the same everywhere. */
static inline uint64_t talk_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

#endif
