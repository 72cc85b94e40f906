/* SPDX-License-Identifier: BSD-2-Clause */
/* Tagged messages and the receives that they find (3.4.1.3.5, 3.4.1.3.8). Upper tester only. */
#ifndef UET_HARNESS_STEPS_TAGGED_H
#define UET_HARNESS_STEPS_TAGGED_H

#include "conformance/harness/steps/steps.h"

#define TAGGED_BYTES 64u /* of a receive, and of a message in one packet */

/*
 * Posts a receive of TAGGED_BYTES behind a tagged resource (uet_need_tagged): designators of a
 * struct uet_ut_receive, .match_bits = ..., .ignore = ..., .from = true, .initiator = ... Returns
 * its handle.
 */
#define tag_receive(tc, m, ...)                                                                    \
    uet_tag_receive(tc, m, &(const struct uet_ut_receive){.tagged = true, __VA_ARGS__})
uint64_t uet_tag_receive(struct uet_tc *tc, const struct uet_memory *m,
                         const struct uet_ut_receive *like);
/* An untagged one, on the same RI. */
uint64_t untagged_receive(struct uet_tc *tc, const struct uet_memory *m);

/* A UET_TAGGED_SEND of TAGGED_BYTES random bytes with these match bits. */
struct uet_out tagged_send(struct uet_pdc *p, const struct uet_memory *m, uint64_t match_bits);
/* The same of an endpoint with that initiator ID (3.4.1.3.4). */
struct uet_out tagged_send_from(struct uet_pdc *p, const struct uet_memory *m, uint64_t match_bits,
                                uint32_t initiator);

/* Says it: it is accepted, the receive ends with its bytes. */
void matched(struct uet_tc *tc, const char *requirement, const struct uet_out *o, uint64_t handle);
/*
 * What answers a SEND with header_data on that PDC, NULL: nothing. An error says that the FEP's
 * completions have no room for it (SES-174): then no receive has it, the same without header_data
 * is accepted, and the test is skipped.
 */
void takes_header_data(struct uet_tc *tc, const struct uet_in *in, struct uet_pdc *p,
                       const struct uet_memory *m);
/* The receive has it, said before. */
void received(struct uet_tc *tc, const char *requirement, const struct uet_out *o, uint64_t handle);
/*
 * Says it: no receive matches. The FEP may refuse it, or keep it as unexpected (3.4.3.6.2): no
 * receive ends as a success, and that one keeps its bytes.
 */
void unmatched(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
               uint64_t handle);

#endif
