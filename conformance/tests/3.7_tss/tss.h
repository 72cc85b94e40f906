/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of transport security share. */
#ifndef UET_CONFORMANCE_TESTS_TSS_H
#define UET_CONFORMANCE_TESTS_TSS_H

#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds_target.h"

/* The TSS header of what came, which must have one. */
static inline struct uet_tss_header header_of(struct uet_tc *tc, const char *requirement,
                                              const struct uet_in *in)
{
    struct uet_tss_header h = {0};

    uet_look_at(tc, in);
    uet_check(tc, requirement, in->packet.tss, "the packet is in clear");
    uet_tss_read(&h, in->packet.frame + in->packet.tss_offset);
    return h;
}

static inline uint64_t counter_of(struct uet_tc *tc, const char *requirement,
                                  const struct uet_in *in)
{
    return header_of(tc, requirement, in).counter;
}

/* Of what answers one Request more. */
static inline struct uet_tss_header answer_to_next(struct uet_tc *tc, const char *requirement,
                                                   struct uet_pdc *p)
{
    struct uet_out o = uet_any_request(p);

    return header_of(tc, requirement, ask(tc, requirement, &o));
}

/* The same so often, and not faster than a small FEP takes it. */
static inline void say_often(struct uet_tc *tc, const struct uet_out *o, uint32_t n)
{
    enum { AT_ONCE = 16 };

    uet_talk_long(tc);
    for (uint32_t i = 1; i <= n; i++) {
        say(tc, o);
        if (i % AT_ONCE == 0)
            uet_wait(tc, uet_tc_quiet(tc) / 16);
    }
}

/* For .also: of that PDC, or of none of the tester's; another one may have its own affairs. */
static inline bool of_no_other(const struct uet_in *in, const void *pdc)
{
    return !in->pdc || in->pdc == pdc;
}

/* What a packet that is not authentic must not bring: of its PDC, which it may not have named. */
#define A_WORD_ON(p)                                                                               \
    .kind = UET_WANT_ANSWER, .also = of_no_other, .ctx = (p), .named = "an ACK or NACK"

#define LATCH_MOST 10000u /* wrong ICVs, at most */

/* Of a test that takes long, and is about a domain alone: it goes to those of other keys. */
#define IN_EACH_KIND_OF_DOMAIN .not_over = "psn entropy kind mode copy company past setup"

/* Nothing comes of it; then the right one is answered as if nothing had been before. */
static inline void came_to_nothing(struct uet_tc *tc, const char *requirement,
                                   const struct uet_out *good)
{
    silence(tc, requirement, A_WORD_ON(good->pdc));
    ask_late(tc, requirement, good);
}

#endif
