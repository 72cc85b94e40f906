/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: a ROD target takes packets in order and no other. */
#include "conformance/tests/pds_target.h"

/* A ROD PDC about to be opened, and one that is open. */
static struct uet_pdc *rod_new(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);

    p->rod = true;
    return p;
}

static struct uet_pdc *rod_open(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = rod_new(tc);
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    return p;
}

/* The NACK of a packet ahead of the expected one; what the payload must name. */
static void check_ooo(struct uet_tc *tc, const struct uet_in *nack, uint32_t expected)
{
    uet_look_at(tc, nack);
    uet_check_eq(tc, "PDS-165", "pds.payload (Expected_PSN)",
                 uet_nack_payload(uet_pds(&nack->packet)), expected);
}

UET_TEST(rod_opens_with_start_psn, .id = "pds.3.5.8.2.rod-opens-with-start-psn",
         .requirements = "PDS-030", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "The first packet of a ROD PDC must have psn == Start_PSN.",
         .preamble = "None.",
         .stimulus = "A ROD SYN with psn=S+1, psn_offset=1; then the SYN with psn=S, psn_offset=0.",
         .expected = "NACK UET_ROD_OOO with spdcid 0 and no ACK of S+1; the second opens the PDC, "
                     "and S+1, sent again, is taken.")
{
    struct uet_pdc *p = rod_new(tc);
    struct uet_out s0 = uet_any_request(p), s1 = uet_any_request(p);
    uet_send(tc, &s1);
    const struct uet_in *nack = uet_expect_nack(tc, p, s1.psn, UET_NACK_ROD_OOO);
    uet_check_eq(tc, "PDS-030", "spdcid", uet_spdcid(&nack->packet), 0);
    uet_send(tc, &s0);
    const struct uet_in *ack = uet_expect_answer(tc, p, s0.psn);
    check_cack(tc, "PDS-030", ack, s0.psn);
    uet_resend(tc, &s1);
    ack = uet_expect_answer(tc, p, s1.psn);
    check_cack(tc, "PDS-030", ack, s1.psn);
}

UET_TEST(rod_gap_is_nacked, .id = "pds.3.5.21.gap-is-nacked", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD packet ahead of the expected one is refused with UET_ROD_OOO.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "n+1; then n; then n+1 again.",
         .expected = "NACK 0x0D, nack_psn n+1, payload n; then CACK_PSN n, not n+1, and no SACK "
                     "bit for n+1; the resend is taken as new.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p);
    uet_send(tc, &n1);
    const struct uet_in *nack = uet_expect_nack(tc, p, n1.psn, UET_NACK_ROD_OOO);
    check_ooo(tc, nack, n.psn);
    uet_send(tc, &n);
    uet_for(tc, "PDS-166");
    const struct uet_in *ack = uet_expect_answer(tc, p, n.psn);
    uet_look_at(tc, ack);
    uet_check(tc, "PDS-166", uet_psn_diff(cack_of(ack), n.psn) <= 0,
              "CACK_PSN covers the packet that was refused");
    if (uet_is_ack_cc(&ack->packet)) {
        const uint8_t *h = uet_pds(&ack->packet);
        uint32_t base = uet_psn_add(cack_of(ack), uet_ack_cc_sack_psn_offset(h));
        uint32_t bit = n1.psn - base;
        uet_check(tc, "PDS-166", bit > 63 || !(uet_ack_cc_sack_bitmap(h) >> bit & 1),
                  "SACK reports the packet that was refused");
    }
    check_cack(tc, "PDS-166", exchange_again(tc, &n1), n1.psn);
}

UET_TEST(rod_delivers_in_order, .id = "pds.3.5.7.2.delivers-in-order", .requirements = "PDS-003",
         .role = UET_ROLE_TARGET, .needs = "rod send upper-tester",
         .purpose = "ROD delivers to SES in the order of the source, each packet once.",
         .preamble = "A ROD PDC open; two receive buffers posted.",
         .stimulus = "SENDs of 8 and 24 bytes; the second comes first, then the first, then the "
                     "second again.",
         .expected = "The first buffer gets 8 bytes, the second 24; each completes once.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = rod_open(tc);
    struct uet_out first = uet_send_message(p, &m, uet_tc_bytes(tc, 8), 8);
    struct uet_out second = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    uet_send(tc, &second);
    uet_expect_nack(tc, p, second.psn, UET_NACK_ROD_OOO);
    uet_send(tc, &first);
    uet_expect_covered(tc, p, first.psn);
    uet_resend(tc, &second);
    uet_expect_covered(tc, p, second.psn);
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "PDS-003", "bytes in the first buffer", c.length, 8);
    c = uet_expect_completion(tc, m.last_handle);
    uet_check_eq(tc, "PDS-003", "bytes in the second buffer", c.length, 24);
    uet_check(tc, "PDS-003", !uet_completion(tc, m.last_handle, UET_MS, &c),
              "the second SEND was delivered twice");
}

UET_TEST(rod_acks_in_order, .id = "pds.3.5.7.2.acks-in-order", .requirements = "PDS-111 PDS-171",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "ROD ACKs come in the order of the packets that they name.",
         .preamble = "A ROD PDC open.", .stimulus = "Eight NO_OPs with ar=1, back to back.",
         .expected = "ACK_PSN never goes back. A zero SACK bitmap is allowed.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out o[8];
    uint32_t last = p->next_psn - 1;
    for (size_t i = 0; i < 8; i++) {
        o[i] = uet_any_request(p);
        uet_send(tc, &o[i]);
    }
    const struct uet_want any = any_ack(p);
    uet_expect_covered(tc, p, o[7].psn);
    for (const struct uet_in *ack; (ack = uet_maybe(tc, &any, UET_MS));) {
        uint32_t psn = uet_packet_psn(&ack->packet);
        uet_check(tc, "PDS-111", uet_psn_diff(psn, last) >= 0,
                  "ACK_PSN goes back from 0x%08x to 0x%08x", last, psn);
        last = psn;
    }
}

UET_TEST(rod_on_a_rud_pdc, .id = "pds.3.5.6.rud-on-a-rod-pdc", .requirements = "PDS-007",
         .role = UET_ROLE_TARGET, .needs = "rud rod any-request",
         .purpose = "A ROD PDC takes no RUD packet: a PDC keeps its mode.",
         .preamble = "A ROD PDC open.", .stimulus = "A RUD Request with its dpdcid.",
         .expected = "NACK UET_PDC_MODE_MISMATCH (0x16).",
         .once = "its PDC stays open: whether the FEP has closed it is told by no source")
{
    struct uet_pdc *p = rod_open(tc);
    p->auto_close = false; /* the code is fatal: whose PDC it closes is told by no source */
    struct uet_out o = uet_any_request(p);
    uet_rud_rod_req_type_set(o.pds, UET_PDS_RUD_REQ);
    uet_send(tc, &o);
    uet_expect_nack(tc, p, o.psn, UET_NACK_PDC_MODE_MISMATCH);
}
