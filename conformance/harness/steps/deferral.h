/* SPDX-License-Identifier: BSD-2-Clause */
/* Deferrable sends, and the RTR that asks for them again (3.4.3.4). */
#ifndef UET_HARNESS_STEPS_DEFERRAL_H
#define UET_HARNESS_STEPS_DEFERRAL_H

#include "conformance/harness/steps/steps.h"

/* ---- the tester sends: the FEP is the target ---- */

#define DEFERRABLE_PACKETS 10

/*
 * A deferrable send on its way: made as designators of what stands above the line. It is longer
 * than the 8192 bytes below which a known implementation defers nothing.
 */
struct deferrable {
    uint8_t opcode;      /* UET_OP_DEFERRABLE_SEND if nothing is said */
    uint32_t irt, trt;   /* its tokens; of the first try trt is 0 */
    uint64_t match_bits; /* of a UET_DEFERRABLE_TSEND */
    uint32_t initiator;  /* 7 if nothing is said */
    bool hd;             /* with this header data */
    uint64_t header_data;
    struct uet_memory m; /* the resource that it names */
    struct uet_pdc *p;
    const uint8_t *bytes; /* made, if there are none */
    uint32_t less;        /* bytes that it is shorter than others, below 100 */
    /* ---- */
    uint32_t n, mtu, packets;
    struct uet_out o[DEFERRABLE_PACKETS];
};

/* Its packets have no PSNs so far: not all of them need be said. */
#define deferrable(tc, ...) uet_deferrable_of(tc, (struct deferrable){__VA_ARGS__})
struct deferrable uet_deferrable_of(struct uet_tc *tc, struct deferrable shape);

/* Gives the next PSNs to its first n packets. */
void number_packets(struct deferrable *d, uint32_t n);

/* A posted receive, longer than it: its handle. */
uint64_t receive_for(struct uet_tc *tc, const struct deferrable *d);

/*
 * Says its first packet, which the FEP has no receive for: it defers the message. One that answers
 * RC_NO_MATCH instead, as it may without room (SES-153), is a finding, and the test ends.
 */
const struct uet_in *deferred(struct uet_tc *tc, struct deferrable *d);

/* Wants what asks for a deferred message (SES-148). */
#define RTR .kind = UET_WANT_REQUEST, .also = uet_is_rtr, .named = "UET_DEFERRABLE_RTR"
bool uet_is_rtr(const struct uet_in *in, const void *none);

/* Ends the deferred message early: so many bytes were sent (SES-147). */
struct uet_out stop_of(const struct deferrable *d, uint32_t sent);

/* Both, and all is acknowledged. */
void put_off(struct uet_tc *tc, struct deferrable *d);

/* The RTR for it must come, or with an irt of 0 an RTR for any; it is answered. d has its tokens.
 */
const struct uet_in *hear_rtr(struct uet_tc *tc, struct deferrable *d);
/* No RTR may come. */
void no_rtr(struct uet_tc *tc, const char *requirement);

/* Says all of it once more, as the RTR asks: accepted, and in the receive. */
void restarted(struct uet_tc *tc, const char *requirement, const struct deferrable *d,
               uint64_t handle);

/* ---- the FEP sends: the tester is the target ---- */

/* The ACK by which the tester defers a message (SES-146). */
struct uet_out deferring_ack(const struct uet_in *in, uint32_t modified_length);

/* The FEP sends n bytes, deferrable; the tester defers the first packet, which is returned. */
const struct uet_in *fep_is_put_off(struct uet_tc *tc, uint32_t n, uint64_t *handle);
/* The same to an index of that generation. */
const struct uet_in *fep_of_is_put_off(struct uet_tc *tc, uint8_t generation, uint32_t n,
                                       uint64_t *handle);

/* An RTR for the message of that packet: tokens, initiator and JobID are its own. */
struct uet_out rtr_for(struct uet_pdc *p, const struct uet_in *first, uint32_t trt);

/* The first packet of the restart that an RTR with this token brings, to where the first try went.
 */
const struct uet_in *hear_restart(struct uet_tc *tc, const char *requirement,
                                  const struct uet_in *first, uint32_t trt);

#endif
