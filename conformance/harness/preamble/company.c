/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Company: another PDC of the same two FEPs on which something is outstanding while the point of
 * the test is carried. It has the PSNs, and the message_id, of the PDC that the test is about: a
 * FEP that keeps in one place what belongs to a PDC (3.5.8.1) mixes them up.
 */
#include "conformance/harness/preamble/preamble.h"

#define PSNS_OF_ALL 8 /* no company has more, with what closes it */

/* What follows must come, or this FEP has no room for company: then the test has no such point. */
static const struct uet_in *hear(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t psn)
{
    const struct uet_want answer = {
        .kind = UET_WANT_ANSWER, .pdc = pdc, .with_psn = true, .covering = true, .psn = psn};
    const struct uet_in *in = uet_maybe(tc, &answer, 0);

    if (!in || !uet_is_ack(&in->packet))
        uet_skip_for(tc, UET_SKIP_OTHER, "the FEP takes no second PDC beside the one of the test");
    return in;
}

/* The first packet of a message; the others never come. */
static void begin_message(struct uet_tc *tc, struct uet_pdc *beside)
{
    const struct uet_memory region = uet_need_memory(tc, 2u * tc->session->dut->payload_mtu);
    struct uet_out parts[2];
    const uint8_t *data = uet_tc_bytes(tc, region.length);

    uet_message(beside, UET_OP_WRITE, &region, 0, data, 2u * tc->session->dut->payload_mtu, parts,
                2);
    beside->next_psn--;
    uet_rud_rod_req_ar_set(parts[0].pds, true);
    uet_send(tc, &parts[0]);
    hear(tc, beside, parts[0].psn);
}

/* A packet behind one that never comes. */
static void leave_gap(struct uet_tc *tc, struct uet_pdc *beside)
{
    struct uet_out first = uet_any_request(beside);

    uet_send(tc, &first);
    hear(tc, beside, first.psn);
    (void)uet_any_request(beside);
    const struct uet_out third = uet_any_request(beside);
    uet_send(tc, &third);
    hear(tc, beside, third.psn);
}

/* A READ that is answered: the FEP keeps the response, since no CLEAR_PSN comes (3.5.20.2.2). */
static void read_uncleared(struct uet_tc *tc, struct uet_pdc *beside)
{
    const struct uet_memory region = uet_need_memory(tc, 64);
    const struct uet_out read = uet_read(beside, &region, 0, 8);

    beside->auto_clear = false;
    beside->auto_ack = true;
    uet_send(tc, &read);
    if (!uet_is_ses_response_data(&hear(tc, beside, read.psn)->packet)) /* in a Request, then */
        (void)uet_maybe(tc, &(const struct uet_want){.kind = UET_WANT_REQUEST, .pdc = beside}, 0);
}

/*
 * Where that of `of` is. But in a secure domain, when an earlier life of its PDCID comes between,
 * a FEP may have closed by then what is idle here (PDS-214), and its floor is where that ended
 * (TSS-066): so it ends below, where the room of a secure start is (secure_start.c).
 */
static uint32_t start_of(struct uet_tc *tc, const struct uet_pdc *of)
{
    const struct uet_place *past = uet_tc_place(tc, UET_OVER_PAST);
    const bool later = of->domain && past && past->value == UET_PAST_REOPENED;

    return of->start_psn - (later ? PSNS_OF_ALL : 0);
}

void uet_company(struct uet_tc *tc, const struct uet_pdc *of)
{
    const struct uet_place *company = uet_tc_place(tc, UET_OVER_COMPANY);

    if (!company)
        return;
    uet_preamble_begin(tc);
    tc->arranging = true;
    struct uet_pdc *beside = uet_peer_pdc_new(tc, of->self);
    uet_pdc_start_at(beside, start_of(tc, of));
    beside->rod = of->rod && company->value != UET_COMPANY_GAP;
    switch (company->value) {
    case UET_COMPANY_MESSAGE:
        begin_message(tc, beside);
        break;
    case UET_COMPANY_GAP:
        leave_gap(tc, beside);
        break;
    default:
        read_uncleared(tc, beside);
    }
    tc->arranging = false;
    uet_preamble_end(tc);
}
