/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests share in which packets reach for what is not theirs (3.7.4). */
#ifndef UET_CONFORMANCE_TESTS_ISOLATION_H
#define UET_CONFORMANCE_TESTS_ISOLATION_H

#include "conformance/tests/3.7_tss/tss.h"

enum { BYTES = 16 };

/* An ACK, however late: to refuse is as good as to say nothing. */
#define TAKEN_FROM(o) .kind = UET_WANT_ACK, .covering = true, OF_PACKET(o)

/*
 * A WRITE that must not get into memory `closed` is said; nothing of it is acknowledged or written.
 * Then the right one, of the same PSN, is, in memory `open`.
 */
static inline void kept_out(struct uet_tc *tc, const char *requirement,
                            const struct uet_memory *closed, const struct uet_out *foreign,
                            const struct uet_memory *open, const struct uet_out *right)
{
    const struct kept before = keep(tc, closed, 0, BYTES);

    tolerate(tc, REFUSAL_OF(foreign));
    say(tc, foreign);
    silence(tc, requirement, TAKEN_FROM(foreign));
    unchanged(tc, requirement, &before);
    uet_check_success(tc, requirement, ask(tc, requirement, right));
    memory_holds(tc, requirement, open, 0, right->payload, BYTES);
}

/* The same packet, sealed in another domain. */
static inline struct uet_out of_domain(const struct uet_out *o, struct uet_domain *d)
{
    struct uet_out other = *o;

    other.protect = UET_PROTECT_TSS;
    other.tss.domain = d;
    other.meant = "authentic, of another domain";
    return other;
}

#endif
