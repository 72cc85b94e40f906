/* SPDX-License-Identifier: BSD-2-Clause */
/* What an ACK of the FEP says, and a FEP that may say it another way. */
#ifndef UET_HARNESS_STEPS_ANSWERS_H
#define UET_HARNESS_STEPS_ANSWERS_H

#include "conformance/harness/steps/steps.h"

/* For .also: CACK_PSN has come to that PSN (a uint32_t). */
bool cack_covers(const struct uet_in *in, const void *psn);

/* An ACK on that PDC whose CACK_PSN has come to this PSN; it must not outlive the block. */
#define CACK_UP_TO(p, to_psn)                                                                      \
    .kind = UET_WANT_ACK, .pdc = (p), .also = cack_covers, .ctx = &(const uint32_t){to_psn},       \
    .named = "ACK whose CACK_PSN has come to that PSN"

/* Any such ACK, unless none comes: then NULL. */
const struct uet_in *cack_reaches(struct uet_tc *tc, const struct uet_pdc *p, uint32_t psn)
    __attribute__((warn_unused_result));

/* CACK_PSN, and what the ACK asks for (enum uet_ack_req). */
uint32_t cack_of(const struct uet_in *in);

uint8_t req_of(const struct uet_in *in);

/* Does CACK_PSN of this ACK wait for the clear of a response of the FEP's choice? */
bool waits_for_clear(const struct uet_tc *tc, const struct uet_in *ack);

/*
 * CACK_PSN must be psn. Below it, it may wait for the clear of a success that the FEP chose to
 * deliver with guarantee.
 */
void check_cack(struct uet_tc *tc, const char *requirement, const struct uet_in *ack, uint32_t psn);

/* What follows tests successes that are not guaranteed: a FEP that guarantees them all is free. */
void skip_when_guaranteed(struct uet_tc *tc, const struct uet_in *ack);

/* The ACK asks for a clear (req). */
void check_req_clear(struct uet_tc *tc, const char *requirement, const struct uet_in *ack);

/* A default response, which the PDS makes by itself (3.5.13), with success or no news. */
bool is_default_response(const struct uet_in *in);

/* It carries the SES response that an earlier packet had, byte for byte. */
void same_response(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                   const struct uet_in *first);

/* The SES response tells an error; NULL tells none. */
bool is_error_response(const struct uet_in *in);

/*
 * MP_Range of the FEP (3.5.11, mpr): what its ACK_CC advertises, else its Default_MPR; in PSNs.
 * mpr = 0 means different things in different versions (PDS-064, PDS-065): such a FEP is skipped.
 */
uint32_t mp_range(struct uet_tc *tc, const struct uet_in *ack);

/* Two buffers were posted: the second SEND, of n bytes, was put into the second one. */
void second_has_second_buffer(struct uet_tc *tc, const char *requirement,
                              const struct uet_memory *m, uint32_t n);

#endif
