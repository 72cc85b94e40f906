/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of a request at a FEP that is the target: its SES response (3.4.2.5, 3.4.6.3). */
#ifndef UET_HARNESS_STEPS_REQUESTS_H
#define UET_HARNESS_STEPS_REQUESTS_H

#include "conformance/harness/steps/answers.h"

/* ---- says it, and takes what it brings ---- */

/* It must succeed. */
const struct uet_in *accepted(struct uet_tc *tc, const char *requirement, const struct uet_out *o);

/* It must be refused with this return code, and by nothing else. */
const struct uet_in *refused(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
                             uint8_t return_code);

/* The same where other readings, or a known implementation, have other codes: those are findings.
 */
#define refused_or(tc, requirement, o, return_code, ...)                                           \
    code_or(tc, requirement, ask(tc, requirement, o), return_code, __VA_ARGS__)

/*
 * Says a send of a job for which no receive is bound: RC_PERM_VIOLATION (SES-061). The codes of
 * other readings are findings, and so is that it is kept as unexpected, as it may be (3.4.3.6.2).
 */
void finds_no_receive_of_its_job(struct uet_tc *tc, const struct uet_out *o);

/*
 * Any answer but a success: an error response, a NACK, or none at all. Returns the answer or NULL.
 * To an initiator a PSN that CACK_PSN covers has succeeded unless an error was told (PDS-110); as a
 * FEP may have acknowledged what came before it looked at it, that is a finding.
 */
const struct uet_in *not_executed(struct uet_tc *tc, const char *requirement,
                                  const struct uet_out *o);

/* The same where an error response is required: to say nothing is a finding. */
void must_fail(struct uet_tc *tc, const char *requirement, const struct uet_out *o);

/* An ACK that names or covers it must come, whatever it says of the message. */
const struct uet_in *delivered(struct uet_tc *tc, const char *requirement, const struct uet_out *o);

/* Whatever comes of it is right, also nothing: the first answer, or NULL. */
const struct uet_in *whatever_comes_of(struct uet_tc *tc, const struct uet_out *o);

/* ---- what the answer tells ---- */

/* Its return code; RC_NULL of a packet without SES response, and of NULL. */
uint8_t code_told(const struct uet_in *in);

/* It has a SES response without an error (with one: is_error_response), or brings data. */
bool tells_success(const struct uet_in *in);
/* One with UET_NO_RESPONSE: the request has arrived, no more is told (3.4.3.6.2). */
bool tells_arrival(const struct uet_in *in);

/* It has a SES response, or the requirement is not met. */
void has_response(struct uet_tc *tc, const char *requirement, const struct uet_in *in);

/* The answer has this return code; one of the others is a finding. */
#define code_or(tc, requirement, in, return_code, ...)                                             \
    uet_code_or(tc, requirement, in, return_code, (const uint8_t[]){__VA_ARGS__},                  \
                sizeof((const uint8_t[]){__VA_ARGS__}))
const struct uet_in *uet_code_or(struct uet_tc *tc, const char *requirement,
                                 const struct uet_in *in, uint8_t return_code,
                                 const uint8_t *others, size_t n);

#endif
