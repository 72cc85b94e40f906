/* SPDX-License-Identifier: BSD-2-Clause */
/* What the SES tests share: a request and its answer, and memory before and after. */
#ifndef UET_CONFORMANCE_TESTS_SES_H
#define UET_CONFORMANCE_TESTS_SES_H

#include <string.h>

#include "conformance/harness/steps/steps.h"

/* Sends a request and takes the ACK that names it. */
static inline const struct uet_in *answer(struct uet_tc *tc, const struct uet_out *o)
{
    uet_send(tc, o);
    return uet_expect_answer(tc, o->pdc, o->psn);
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

/* The request must be refused; the table has one code for it, some implementation another. */
static inline const struct uet_in *refused_or(struct uet_tc *tc, const char *requirement,
                                              const struct uet_out *o, uint8_t return_code,
                                              uint8_t other)
{
    uet_for(tc, requirement);
    const struct uet_in *in = answer(tc, o);
    uet_check_code_or(tc, requirement, in, return_code, other);
    return in;
}

/*
 * Any answer but a success: an error response, a NACK, or none at all. Returns the answer or NULL.
 * To an initiator a PSN that CACK_PSN covers has succeeded unless an error was told (PDS-110); as a
 * FEP may have acknowledged what came before it looked at it, that is a finding.
 */
static inline const struct uet_in *not_executed(struct uet_tc *tc, const char *requirement,
                                                const struct uet_out *o)
{
    const struct uet_want want = {.pdc = o->pdc,
                                  .with_psn = true,
                                  .psn = o->psn,
                                  .named = "an answer to the broken request, if there is one"};
    const struct uet_in *in, *last = NULL;
    bool refused = false;

    uet_for(tc, requirement);
    uet_tolerate(tc, &want);
    uet_send(tc, o);
    while ((in = uet_maybe(tc, &want, last ? uet_tc_quiet(tc) : 0))) {
        last = in;
        refused |= uet_is_nack(&in->packet);
        if (!uet_is_ack(&in->packet) || !uet_is_ses_response(&in->packet))
            continue;
        const uint8_t *ses = uet_ses(&in->packet);
        uet_check(tc, requirement,
                  uet_ses_rsp_opcode(ses) == UET_RSP_NO_RESPONSE ||
                      uet_ses_rsp_return_code(ses) > UET_RC_OK,
                  "the broken request was answered with success");
        refused |= uet_ses_rsp_return_code(ses) > UET_RC_OK;
    }
    if (!refused && uet_psn_diff(o->pdc->fep_cack, o->psn) >= 0)
        uet_other_reading(tc, requirement,
                          "CACK_PSN covers the broken request, and no error was told");
    return last;
}

/* The same where an error response is required: to say nothing is a finding. */
static inline void is_error(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    if (!not_executed(tc, requirement, o))
        uet_other_reading(tc, requirement, "the broken request was dropped in silence");
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

#define SETTLE (10 * UET_MS)

static inline void memory_unchanged(struct uet_tc *tc, const char *requirement,
                                    const struct uet_memory *m, uint64_t offset,
                                    const uint8_t *before, size_t n)
{
    uint8_t now[4096];
    uet_wait(tc, SETTLE); /* what is written late is written, too */
    memory_now(tc, m, offset, now, n);
    uet_check(tc, requirement, memcmp(now, before, n) == 0,
              "the FEP's memory changed, which must stay as it was");
}

/* The offset of the first block that differs from data; n: none does. */
static inline size_t first_difference(struct uet_tc *tc, const struct uet_memory *m,
                                      uint64_t offset, const void *data, size_t n)
{
    uint8_t now[4096];
    for (size_t at = 0; at < n; at += sizeof now) {
        size_t part = n - at < sizeof now ? n - at : sizeof now;
        uet_read_back(tc, m, offset + at, now, part);
        if (memcmp(now, (const uint8_t *)data + at, part) != 0)
            return at;
    }
    return n;
}

/*
 * Without dc=1 a response promises no visibility (3.4.8.3): the data may come within `patience`, 0
 * when dc was set.
 */
static inline void memory_holds_within(struct uet_tc *tc, const char *requirement,
                                       const struct uet_memory *m, uint64_t offset,
                                       const void *data, size_t n, uint64_t patience)
{
    if (!uet_tc_ut(tc)) {
        uet_note(tc, requirement, "memory not looked at: no upper tester");
        return;
    }
    size_t at = first_difference(tc, m, offset, data, n);
    for (uint64_t waited = 0; at < n && waited < patience; waited += UET_MS) {
        uet_wait(tc, UET_MS);
        at = first_difference(tc, m, offset, data, n);
    }
    uet_check(tc, requirement, at >= n,
              "the FEP's memory does not hold what was written at offset %llu",
              (unsigned long long)offset + at);
}

static inline void memory_holds(struct uet_tc *tc, const char *requirement,
                                const struct uet_memory *m, uint64_t offset, const void *data,
                                size_t n)
{
    memory_holds_within(tc, requirement, m, offset, data, n, uet_tc_dut(tc)->response_time_ns);
}

#endif
