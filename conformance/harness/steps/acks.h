/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tester answers to the FEP as a source (3.5.12): ACKs of any PSNs, NACKs. */
#ifndef UET_HARNESS_STEPS_ACKS_H
#define UET_HARNESS_STEPS_ACKS_H

#include "conformance/harness/steps/steps.h"

/*
 * The FEP sent it right behind that PSN: what is between them, if anything, came before, as a
 * Control Packet of its own that it put there.
 */
void psn_follows(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                 uint32_t before);

/* An ACK, taken out of a packet of the FEP, that has this CACK_PSN and this ACK_PSN. */
struct uet_out ack_at(const struct uet_in *in, uint32_t cack_psn, uint32_t ack_psn);

/* An ACK_CC for that: its SACK bits, the lowest of which stands for psn (3.5.11.14). */
void set_sack(struct uet_out *ack_cc, uint32_t psn, uint64_t bits);

/*
 * An ACK that names it, with this SES response, and does not cover it: CACK_PSN stays before it,
 * for what is covered counts as a success (PDS-110).
 */
struct uet_out naming_ack(const struct uet_in *in, uint8_t opcode, uint8_t return_code);

/* An ACK with this SES response, which wants a clear: CACK_PSN stays before it (PDS-077). */
struct uet_out guaranteed_ack(const struct uet_in *in, uint8_t return_code);

/* Acknowledges it, and from now on all that comes. */
void resume_acks(struct uet_tc *tc, const struct uet_in *in);

/* Refuses it: a NACK of its PSN, with the spdcid that Table 3-58 has for the code. */
void say_nack(struct uet_tc *tc, const struct uet_in *in, uint8_t code);

/*
 * The copy of it that the test's NACK is to answer: itself or, elsewhere in the dimension
 * `refused`, the one that comes again for another NACK, where the FEP resends so for two.
 */
const struct uet_in *copy_to_refuse(struct uet_tc *tc, const struct uet_in *in);

/*
 * At the place `draining` of the dimension `close`: with that outstanding, on a PDC that the FEP
 * knows the TPDCID of, its target asks for the close. What is outstanding is acknowledged, refused
 * and sent again as ever (3.5.8.3).
 */
void ask_to_drain(struct uet_tc *tc, const struct uet_in *in);

#endif
