/* SPDX-License-Identifier: BSD-2-Clause */
/* When what the test says goes out: at once, in what order with others, through a storm. */
#include "conformance/harness/peer/peer.h"

/* ---- the order of what is sent in one go ---- */

enum { MAX_HELD = 64 };

void uet_send_held(struct uet_tc *tc)
{
    const struct uet_place *order = uet_point_place(&tc->test->point, UET_OVER_ORDER);
    size_t n = tc->n_held;

    tc->n_held = 0;
    tc->in_one_go = 0;
    for (size_t i = 0; i < n; i++) {
        bool reversed = order->value == UET_ORDER_REVERSED;

        uet_send_now(tc, &tc->held[reversed || i == 0 ? n - 1 - i : i - 1]);
    }
}

/* Keeps it until no more is sent in one go; false: it goes out now. */
static bool hold(struct uet_tc *tc, const struct uet_out *o)
{
    bool body = tc->in_body && tc->preamble == 0 && !tc->by_itself;

    if (!body || !o->pdc || o->pdc->rod || !uet_out_is(o, UET_PDS_RUD_REQ))
        return false;
    if (++tc->in_one_go > 1)
        (void)uet_tc_place(tc, UET_OVER_ORDER); /* there is an order */
    if (!tc->test->point.place[UET_OVER_ORDER] || tc->n_held == MAX_HELD)
        return false;
    if (!tc->held)
        tc->held = uet_tc_alloc(tc, MAX_HELD * sizeof(*tc->held));
    tc->held[tc->n_held++] = *o;
    return true;
}

void uet_send(struct uet_tc *tc, const struct uet_out *o)
{
    if (hold(tc, o))
        return;
    if (tc->n_held)
        uet_send_held(tc);
    if (tc->storm.on && tc->by_itself)
        uet_storm_sends(tc, o);
    else
        uet_send_now(tc, o);
    if (o->pdc && (uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC))) {
        o->pdc->answered = true;
        uet_peer_give_credit(tc, o->pdc);
    }
}

void uet_resend(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out again = *o;

    if (uet_out_is(o, UET_PDS_CP)) {
        uet_cp_retx_set(again.pds, true);
    } else if (uet_out_is(o, UET_PDS_RUDI_REQ)) {
        uet_rudi_retx_set(again.pds, true);
    } else {
        uet_rud_rod_req_retx_set(again.pds, true);
        uet_rud_rod_req_ar_set(again.pds, true);
    }
    uet_send(tc, &again);
}
