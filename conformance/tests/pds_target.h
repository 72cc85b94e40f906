/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PDS tests share whose FEP is the target. */
#ifndef UET_CONFORMANCE_TESTS_PDS_TARGET_H
#define UET_CONFORMANCE_TESTS_PDS_TARGET_H

#include <string.h>

#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/target.h"

/*
 * How long a message may stand still at a target: as often as a lost packet of it may come again,
 * and as far apart (3.5.15).
 */
#define STANDS_STILL_NS (16 * 8000 * UET_MS)

/* For .also: it answers the Probe with this tag (.ctx, of 16 bits). */
static inline bool answers_probe(const struct uet_in *in, const void *ctx)
{
    const uint16_t *opaque = ctx;
    const uint8_t *h = uet_pds(&in->packet);

    return uet_ack_p(h) && uet_ack_probe_opaque(h) == *opaque;
}

#define PROBE_ANSWER(o, tag)                                                                       \
    ACK_ON((o)->pdc), .also = answers_probe, .ctx = (tag),                                         \
                      .named = "ACK with p=1 and this probe_opaque"

/* A Probe that asks for SACK bits from `base` on. Whether one takes a PSN is not settled: it uses
 * one up. */
static inline struct uet_out probe(struct uet_pdc *p, uint16_t opaque, uint32_t base)
{
    struct uet_out o = cp_at(p, UET_CTL_PROBE, p->next_psn++);

    uet_cp_probe_opaque_set(o.pds, opaque);
    uet_cp_payload_probe_sack_base_psn_set(o.pds + UET_CP_BYTES - UET_CP_PAYLOAD_PROBE_BYTES, base);
    return o;
}

/* For preambles: the FEP, as target, is asked to want to close; its Close Request. */
static inline const struct uet_in *make_fep_ask(struct uet_tc *tc, struct uet_pdc *p)
{
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    uet_preamble_begin(tc);
    const struct uet_in *in = hear(tc, "PDS-207", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    uet_preamble_end(tc);
    return in;
}

#endif
