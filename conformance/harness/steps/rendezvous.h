/* SPDX-License-Identifier: BSD-2-Clause */
/* Rendezvous sends (3.4, Figure 3-15): an eager part, and what the target reads of them. */
#ifndef UET_HARNESS_STEPS_RENDEZVOUS_H
#define UET_HARNESS_STEPS_RENDEZVOUS_H

#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/reads.h"

/* ---- the tester sends: the FEP is the target, and reads ---- */

#define RENDEZVOUS_PACKETS 3

/* One on its way: made as designators of what stands above the line. */
struct rendezvous {
    uint8_t opcode;      /* UET_OP_RENDEZVOUS_SEND if nothing is said */
    uint32_t n, eager;   /* bytes of the message, and of those that it brings */
    uint64_t match_bits; /* of a UET_RENDEZVOUS_TSEND */
    bool hd;             /* with this header data */
    uint64_t header_data;
    struct uet_memory m; /* the resource that it names */
    struct uet_pdc *p;
    /* ---- */
    uint32_t mtu, packets;
    const uint8_t *bytes;
    uint16_t read_pid, read_ri; /* where the rest may be read: numbers with all their bits */
    uint8_t read_generation;
    uint64_t read_offset, read_key;
    struct uet_out o[RENDEZVOUS_PACKETS];
};

#define rendezvous(tc, ...) uet_rendezvous_of(tc, (struct rendezvous){__VA_ARGS__})
/* Fills in what stands below the line and builds the packets, which say_eager sends. From now on
 * the FEP may open a PDC, for its READ. */
struct rendezvous uet_rendezvous_of(struct uet_tc *tc, struct rendezvous shape);

/* A posted receive as long as it: its handle. */
uint64_t receive_of_rendezvous(struct uet_tc *tc, const struct rendezvous *r);

/* Says its packets: no error. The answer to the last. */
const struct uet_in *say_eager(struct uet_tc *tc, const char *requirement,
                               const struct rendezvous *r);

/* The FEP reads all from this byte on, at the address that the send tells. The Requests of it. */
struct fep_read hear_read(struct uet_tc *tc, const struct rendezvous *r, uint32_t from);
/* It reads nothing. */
void no_read(struct uet_tc *tc, const char *requirement);

/* The receive ends with all of the message. */
void has_all(struct uet_tc *tc, const char *requirement, const struct rendezvous *r,
             uint64_t handle);

/* ---- the FEP sends: the tester reads ---- */

/* One of the FEP's, of all bytes of a source. */
struct fep_rendezvous {
    struct source s;
    uint32_t n, eager;
    uint64_t handle;
    struct uet_memory where; /* as its extension says */
    uint64_t read_offset;    /* of the whole message */
    bool rest_alone;         /* the FEP tells that of the rest */
    const struct uet_in *first;
};

/* The FEP starts it; the first packet, and what it tells. */
struct fep_rendezvous fep_offers(struct uet_tc *tc, uint32_t n, uint32_t eager);
/* The same in that mode: UET_UT_MODE_RUD or _ROD. */
struct fep_rendezvous fep_offers_on(struct uet_tc *tc, uint8_t mode, uint32_t n, uint32_t eager);
/* The same of bytes that the test has put there. */
struct fep_rendezvous fep_offers_of(struct uet_tc *tc, struct source s, uint8_t mode, uint32_t n,
                                    uint32_t eager);

/* A tagged one, of that initiator. */
struct fep_rendezvous fep_offers_by_tag(struct uet_tc *tc, uint64_t tag, uint32_t n,
                                        uint32_t eager);

/* The tester reads from this byte on, and gets what the message has there. */
void read_rest(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
               const struct fep_rendezvous *r, uint32_t from);

#endif
