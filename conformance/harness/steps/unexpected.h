/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends that come before their receive, to a FEP that keeps them whole (3.4.3.6.2.2). */
#ifndef UET_HARNESS_STEPS_UNEXPECTED_H
#define UET_HARNESS_STEPS_UNEXPECTED_H

#include "conformance/harness/steps/messages.h"

/* A SEND of several packets to a resource that keeps it. */
struct message unexpected_message(struct uet_tc *tc, uint8_t packets, uint32_t last);

/* Posts an untagged receive of so many bytes; returns its handle. */
uint64_t late_receive(struct uet_tc *tc, const struct uet_memory *m, uint32_t length);

/*
 * Says it, to a resource of uet_need_keeping: the FEP keeps it. What is heard tells arrival, or is
 * the answer already. A FEP that has no room for it, as it may say, skips the test (SES-099).
 */
const struct uet_in *kept_as_unexpected(struct uet_tc *tc, const char *requirement,
                                        const struct uet_out *o);
/* The same, where an error response is allowed: NULL is that. */
const struct uet_in *kept_unless_refused(struct uet_tc *tc, const char *requirement,
                                         const struct uet_out *o);
/*
 * The answer to a message whose last packet to arrive was o, when that brought `early` and the
 * receive is posted: UET_RESPONSE with RC_OK, list UET_OVERFLOW and this modified_length,
 * guaranteed (SES-098, SES-124).
 */
const struct uet_in *answered_overflow(struct uet_tc *tc, const struct uet_out *o,
                                       const struct uet_in *early, uint32_t modified);
/* The same, whatever it says. */
const struct uet_in *late_answer(struct uet_tc *tc, const char *requirement,
                                 const struct uet_out *o, const struct uet_in *early);
/* A message of one packet that was kept: it is answered, the receive has all of it. */
void kept_is_received(struct uet_tc *tc, const struct uet_out *o, const struct uet_in *early,
                      uint64_t handle);
/* A receive that was just posted is for none that is kept: it stays open, and keeps its bytes. */
void takes_none(struct uet_tc *tc, const char *requirement, uint64_t handle);

#endif
