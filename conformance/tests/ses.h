/* SPDX-License-Identifier: BSD-2-Clause */
/* What the SES tests share: a request and its answer, and memory before and after. */
#ifndef UET_CONFORMANCE_TESTS_SES_H
#define UET_CONFORMANCE_TESTS_SES_H

#include <string.h>

#include "conformance/harness/tc.h"

/* Sends a request and takes the ACK that names it. */
static inline const struct uet_in *answer(struct uet_tc *tc, const struct uet_out *o)
{
    uet_send(tc, o);
    return uet_expect_ack(tc, o->pdc, o->psn);
}

/* The request must be refused with this return code, and by nothing else. */
static inline const struct uet_in *refused(struct uet_tc *tc, const char *requirement,
                                           const struct uet_out *o, uint8_t return_code)
{
    uet_for(tc, requirement);
    const struct uet_in *in = answer(tc, o);
    uet_check_return_code(tc, requirement, in, return_code);
    return in;
}

/* The request must succeed. */
static inline const struct uet_in *accepted(struct uet_tc *tc, const char *requirement,
                                            const struct uet_out *o)
{
    uet_for(tc, requirement);
    const struct uet_in *in = answer(tc, o);
    uet_check_success(tc, requirement, in);
    return in;
}

/* Any answer but a success: an error response, a NACK, or none at all. */
static inline void not_executed(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    uet_for(tc, requirement);
    uet_send(tc, o);
    const struct uet_want want = {.pdc = o->pdc,
                                  .with_psn = true,
                                  .psn = o->psn,
                                  .named = "an answer to the broken request, if there is one"};
    const struct uet_in *in = uet_maybe(tc, &want, 0);
    if (!in || !uet_is_ack(&in->packet) || !uet_is_ses_response(&in->packet))
        return;
    uint8_t code = uet_ses_rsp_return_code(uet_ses(&in->packet));
    uet_check(tc, requirement, code != UET_RC_OK && code != UET_RC_NULL,
              "the broken request was answered with success");
}

/* n bytes of memory as the FEP has them; all zero without an upper tester. */
static inline uint8_t *memory_now(struct uet_tc *tc, const struct uet_memory *m, uint64_t offset,
                                  uint8_t *out, size_t n)
{
    memset(out, 0, n);
    if (uet_tc_ut(tc))
        uet_read_back(tc, m, offset, out, n);
    return out;
}

static inline void memory_unchanged(struct uet_tc *tc, const char *requirement,
                                    const struct uet_memory *m, uint64_t offset,
                                    const uint8_t *before, size_t n)
{
    uint8_t now[4096];
    memory_now(tc, m, offset, now, n);
    uet_check(tc, requirement, memcmp(now, before, n) == 0,
              "the FEP's memory changed, which must stay as it was");
}

static inline void memory_holds(struct uet_tc *tc, const char *requirement,
                                const struct uet_memory *m, uint64_t offset, const void *data,
                                size_t n)
{
    uint8_t now[4096];
    if (!uet_tc_ut(tc))
        return; /* the wire alone cannot tell */
    for (size_t at = 0; at < n; at += sizeof now) {
        size_t part = n - at < sizeof now ? n - at : sizeof now;
        uet_read_back(tc, m, offset + at, now, part);
        uet_check(tc, requirement, memcmp(now, (const uint8_t *)data + at, part) == 0,
                  "the FEP's memory does not hold what was written at offset %llu",
                  (unsigned long long)offset + at);
    }
}

#endif
