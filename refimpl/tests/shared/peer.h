/* SPDX-License-Identifier: BSD-2-Clause */
/* One FEP and a peer made of packets written by hand. Time is set by the test. */
#ifndef UET_REFIMPL_TESTS_PEER_H
#define UET_REFIMPL_TESTS_PEER_H

#include "refimpl/fep.h"
#include "refimpl/tests/shared/counter.h"
#include "wire/build.h"

#define FEP_IP   "192.0.2.1"
#define PEER_IP  "192.0.2.2"
#define OTHER_IP "192.0.2.3"

#define JOB 0x56789au
#define PID 7u
#define RI  5u
#define KEY 0x0000123400005678u

#define MS 1000000ull
#define US 1000ull

struct peer {
    struct uet_fep *fep;
    void *memory;
    struct uet_ip fep_ip, ip; /* ip may be changed: where packets come from */
    uint64_t now;
    uint16_t spdcid; /* of this peer's PDC, as initiator or as target */
    uint16_t dpdcid; /* the FEP's, once known */
    uint32_t start_psn;
    uint8_t dscp;     /* of this peer's packets */
    uint8_t next_hdr; /* of its ACKs, when not 0 */
    uint16_t udp_checksum;
    uint32_t trim; /* bytes behind the IP header that a switch leaves of them; 0: all */
    bool native;   /* its packets are native IP (3.5.10.1) */
    bool rod;      /* the FEP's operations go by ROD, and so do the requests expected of it */
    uint8_t bytes[UET_FRAME_MAX]; /* of the frame taken last */
    struct uet_packet p;
    uint8_t region[20000];
    uint8_t buffer[8][8192];
};

/* A FEP that serves RMA and SEND at {JOB, PID, RI}, with a writable region of 20000 bytes. */
void peer_init(struct peer *t, void (*change)(struct uet_fep_config *));
void peer_free(struct peer *t);
void post(struct peer *t, unsigned i, uint32_t length, bool truncate);

/* The next frame of the FEP, parsed into t->p; the test fails when there is none. */
const uint8_t *take(struct peer *t); /* returns the PDS header */
void take_nothing(struct peer *t);
void forget(struct peer *t); /* takes all */
void advance(struct peer *t, uint64_t ns);

/* The extension of an atomic (Figure 3-16), and its operand as the first bytes of the payload. */
struct amo {
    uint8_t opcode, datatype;
    uint64_t operand;
};

struct req {
    uint32_t psn;
    bool no_syn, ar, retx, rod, ce;
    bool has_clear;
    uint32_t clear; /* otherwise start_psn - 1 */
    uint16_t entropy;
    uint8_t header; /* enum uet_op_header */
    uint8_t opcode;
    uint8_t version;
    bool ie, abs, hd, not_som, not_eom;
    uint16_t message_id;
    uint32_t job_id;    /* 0: JOB */
    uint16_t pid, ri;   /* 0: PID, RI; 0xffff: 0 */
    uint64_t key;       /* 0: KEY */
    uint32_t initiator; /* 0: 0xabcd */
    uint8_t generation;
    uint64_t offset, header_data;
    uint32_t length; /* request_length */
    uint32_t message_offset;
    uint32_t payload_length; /* as the header says; 0: as there is */
    uint32_t payload;        /* bytes there are */
    uint8_t fill;
    const uint32_t *eager; /* a rendezvous extension with this eager_length; NULL: none */
    const struct amo *amo; /* NULL: none */
    const uint8_t *raw;    /* in the place of all this: what stands behind the SES header */
    uint8_t raw_length;
};
/* A request of the peer; opcode UET_OP_NO_OP comes without payload. */
void request(struct peer *t, const struct req *r);

struct ack_spec {
    uint32_t cack;
    uint32_t psn;
    uint8_t req;
    bool none;      /* next_hdr NONE */
    uint8_t opcode; /* SES response */
    uint8_t code;
    uint16_t message_id;
    uint32_t modified;
    uint8_t list;
    bool cc;
    uint8_t mpr;
    uint32_t sack_base;
    uint64_t sack;
    uint16_t ooo;
    uint32_t rcvd;    /* rcvd_bytes, in its units */
    uint16_t service; /* service_time, in its units */
    bool m, retx;
    uint16_t entropy;
    bool probe; /* p, for the Probe with this opaque value */
    uint16_t opaque;
    bool other_spdcid;
};
void ack(struct peer *t, const struct ack_spec *a);
/* Read data, as the peer is the target. */
struct data_spec {
    uint32_t psn; /* of the Request on the return direction, or the ACK_PSN */
    bool ar, retx, small;
    uint8_t code;    /* 0: RC_OK */
    uint32_t job_id; /* 0: JOB */
    uint16_t message_id;
    uint32_t total, offset, request_psn;
    uint16_t said; /* payload_length; 0: length */
    uint16_t length;
    uint8_t fill;
};
void returned(struct peer *t, const struct data_spec *d);
void ack_data(struct peer *t, uint32_t cack, const struct data_spec *d);

void nack(struct peer *t, uint8_t code, uint32_t psn, uint16_t spdcid);

struct nack_spec {
    uint8_t code;
    uint32_t psn, payload;
    bool retx, no_pdc; /* no_pdc: spdcid 0 */
};
void nack_with(struct peer *t, const struct nack_spec *n);

struct cp_spec {
    uint8_t ctl;
    uint32_t psn, payload;
    bool ar, retx, syn, rod;
    uint16_t opaque;
};
void cp(struct peer *t, const struct cp_spec *c);

/* Opens a PDC at start_psn by a NO_OP and takes its ACK: the next PSN is start_psn + 1. */
void open_pdc(struct peer *t, uint32_t start_psn);
/* The FEP reads; its packets are not taken. */
void fep_reads(struct peer *t, uint8_t *into, uint32_t length, uint8_t header);
/* The FEP opens one by a WRITE of this length; its packets are not taken. */
void fep_writes(struct peer *t, uint32_t length);

/* ---- the FEP as initiator ---- */

/* Takes a request of the FEP's PDC and checks PSN, retx, ar of a resend, and CLEAR_PSN's sign. */
const uint8_t *expect_request(struct peer *t, uint32_t psn, bool retx);
/* Takes a Control Packet of this kind. */
const uint8_t *expect_cp(struct peer *t, uint8_t ctl);
/* Takes the FEP's first packet and learns its PDCID and Start_PSN; leaves the packet in t. */
const uint8_t *first(struct peer *t);
/* The FEP writes n packets, the first of which is acknowledged: start_psn + 1 is next. */
void establish(struct peer *t, uint32_t n);
struct uet_completion completion(struct peer *t);
void no_completion(struct peer *t);

#define CACK(h)    uet_ack_cack_psn(h)
#define ACK_PSN(t) uet_packet_psn(&(t)->p)

#endif
