/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester as destination of a FEP with RCCC (3.6.14): where no test is about credit, there is
 * always enough of it.
 */
#include "conformance/harness/peer/peer.h"

#define MASK  0xffffffu
#define AHEAD 0x400u /* units beyond what is asked for */

static bool is_ahead(uint32_t a, uint32_t b)
{
    uint32_t by = (a - b) & MASK;

    return by && by < 0x800000u;
}

void uet_peer_hear_credit(struct uet_pdc *pdc, const struct uet_packet *p)
{
    const uint8_t *h = uet_pds(p);
    bool asks = uet_is_cp(p) && uet_cp_ctl_type(h) == UET_CTL_CREDIT_REQUEST;
    uint32_t target;

    if (!asks && !uet_is_cc_request(p))
        return;
    target = asks ? uet_cp_payload_credit_request_credit_target(uet_cp_payload_of(p))
                  : uet_rud_rod_cc_req_credit_target(h);
    if (is_ahead(target, pdc->credit_target))
        pdc->credit_target = target;
    pdc->on_credit = true;
    pdc->ccc_id = asks ? uet_cp_payload_credit_request_ccc_id(uet_cp_payload_of(p))
                       : uet_rud_rod_cc_req_ccc_id(h);
    pdc->credit_lost = asks; /* what was given did not come */
}

/* A CCC has one count, whatever PDC it is told on. */
static bool has_enough(const struct uet_tc *tc, const struct uet_pdc *pdc)
{
    for (const struct uet_pdc *p = tc->pdcs; p; p = p->next)
        if (p->on_credit && p->ccc_id == pdc->ccc_id && uet_ip_equal(&p->self, &pdc->self) &&
            is_ahead(p->credit_given, pdc->credit_target + AHEAD / 2))
            return true;
    return false;
}

void uet_peer_give_credit(struct uet_tc *tc, struct uet_pdc *pdc)
{
    bool established = pdc->initiator || pdc->answered;

    if (tc->no_credit || !pdc->on_credit || !established || pdc->closed ||
        (!pdc->credit_lost && has_enough(tc, pdc)))
        return;
    struct uet_out cp = uet_cp(pdc, UET_CTL_CREDIT);
    pdc->credit_lost = false;
    pdc->credit_given = (pdc->credit_target + AHEAD) & MASK;
    uet_cp_payload_credit_credit_set(cp.pds + UET_CP_BYTES - UET_CP_PAYLOAD_CREDIT_BYTES,
                                     pdc->credit_given);
    cp.meant = "credit, by itself";
    bool before = tc->by_itself;
    tc->by_itself = true;
    uet_send_now(tc, &cp);
    tc->by_itself = before;
}

void uet_auto_credit(struct uet_tc *tc, bool on)
{
    tc->no_credit = !on;
    for (struct uet_pdc *pdc = tc->pdcs; on && pdc; pdc = pdc->next)
        uet_peer_give_credit(tc, pdc);
}
