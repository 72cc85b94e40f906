/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A storm: the network between FEP and tester loses, doubles and delays what it carries, as one may
 * (3.5.15). The tester's peer answers by itself meanwhile, as a conforming FEP does. How many
 * packets are lost is bounded, so that no FEP runs out of retries.
 */
#include "conformance/harness/peer/peer.h"

void uet_storm(struct uet_tc *tc, unsigned losses)
{
    tc->storm.on = true;
    tc->storm.losses = losses;
}

/* One time in n. */
static bool happens(struct uet_tc *tc, unsigned n)
{
    return uet_tc_random(tc) % n == 0;
}

static bool loses(struct uet_tc *tc)
{
    if (tc->storm.losses == 0 || !happens(tc, 4))
        return false;
    tc->storm.losses--;
    return true;
}

/* Over ROD a target takes what is next, and tells what it waits for (3.5.7.2). */
static bool refuses(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_pdc *pdc = in->pdc;
    const struct uet_packet *p = &in->packet;

    if (!pdc || !pdc->rod || pdc->initiator || !uet_consumes_psn(p) ||
        uet_psn_diff(uet_packet_psn(p), pdc->cack + 1) <= 0)
        return false;
    struct uet_out nack = uet_nack(pdc, uet_packet_psn(p), UET_NACK_ROD_OOO);
    uet_nack_payload_set(nack.pds, pdc->cack + 1);
    nack.meant = "what is missing, by itself";
    tc->by_itself = true;
    uet_storm_sends(tc, &nack);
    tc->by_itself = false;
    return true;
}

bool uet_storm_takes(struct uet_tc *tc, struct uet_in *in)
{
    if (!tc->storm.on || in->packet.error != UET_PARSE_OK)
        return false;
    if (loses(tc))
        uet_record_note(&tc->record, in->frame, "lost in the storm");
    else if (!refuses(tc, in))
        return false;
    in->lost = in->consumed = true;
    return true;
}

void uet_storm_sends(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_storm *s = &tc->storm;

    if (loses(tc))
        return;
    if (!s->has_late && happens(tc, 6)) {
        s->late = *o;
        s->has_late = true;
        return;
    }
    uet_send_now(tc, o);
    if (happens(tc, 8))
        uet_send_now(tc, o);
    if (s->has_late && happens(tc, 2))
        uet_storm_late(tc);
}

void uet_storm_late(struct uet_tc *tc)
{
    struct uet_storm *s = &tc->storm;

    if (!s->has_late)
        return;
    s->has_late = false;
    tc->by_itself = true;
    uet_send_now(tc, &s->late);
    tc->by_itself = false;
}

void uet_calm(struct uet_tc *tc)
{
    tc->storm.on = false;
    uet_storm_late(tc);
}
