/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.20.2.4, 3.5.20.2.8: Figures 3-78 and 3-81, the FEP on either side. */
#include "conformance/tests/fep_reads.h"
#include "conformance/tests/reads.h"

/* The figures have no NOOP between their Requests, a FEP may. */
static void follows(struct uet_tc *tc, const struct uet_in *in, uint32_t psn)
{
    if (uet_packet_psn(&in->packet) != psn)
        uet_skip(tc, "the FEP puts Control Packets between its Requests, as it may");
}

/* A PDC whose forward direction stands at 333 and whose return direction begins with 48. */
static struct uet_pdc *at_333(struct uet_tc *tc)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new_at(tc, 48);
    struct uet_out o = uet_any_request(p);
    exchange(tc, &o);
    while (p->next_psn < 333) {
        o = uet_any_request(p);
        uet_send(tc, &o);
        if (p->next_psn % 16 == 13)
            uet_expect_covered(tc, p, o.psn);
    }
    uet_expect_covered(tc, p, 332);
    uet_preamble_end(tc);
    return p;
}

UET_TEST(figure_3_81, .id = "pds.3.5.20.2.8.figure-3-81", .requirements = "PDS-096 PDS-071",
         .role = UET_ROLE_TARGET, .needs = "rud read write any-request",
         .purpose = "Figure 3-81: a read of three packets, and a write after it.",
         .preamble = "Memory; a PDC opened at 48; NO_OPs up to 332, all acknowledged.",
         .stimulus = "A READ of three packets, 333 to 335, the last with ar=1; a WRITE, 336, with "
                     "CLEAR_PSN 335; then ACKs of the data: 49 with CACK_PSN 49, 50 with 50.",
         .expected = "ACK of 335 with CACK_PSN 335 and a success; data with PSN 48, 49, 50, "
                     "clear_psn_offset -1, -2, -3; ACK of 336; nothing again.")
{
    uint32_t n = 3u * uet_tc_dut(tc)->payload_mtu;
    ack_data_below(tc, n);
    struct source s = need_source(tc, n);
    struct uet_memory m = uet_need_memory(tc, 64);
    const struct uet_in *in[3];
    struct uet_out o[3];
    hold_rto(tc);
    struct uet_pdc *p = at_333(tc);
    skip_when_noop_first(tc, p);
    const struct uet_want data = {
        .kind = UET_WANT_REQUEST, .pdc = p, .also = is_data, .named = "Request with read data"};
    uet_auto_ack(tc, false);
    uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, 3);
    for (int i = 0; i < 3; i++)
        uet_send(tc, &o[i]);
    const struct uet_in *ack = uet_expect_answer(tc, p, 335);
    uet_check_success(tc, "PDS-096", ack);
    check_cack(tc, "PDS-096", ack, 335);
    p->clear_psn = 335;
    struct uet_out write = uet_write(p, &m, 0, "fig 3-81", 8);
    check_cack(tc, "PDS-096", exchange(tc, &write), 336);
    uet_for(tc, "PDS-096");
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = outstanding_data(tc, &data, i);
        uet_check_eq(tc, "PDS-096", "pds.psn", uet_packet_psn(&in[i]->packet), 48 + i);
        uet_check_eq(tc, "PDS-096", "CLEAR_PSN", uet_clear_psn(&in[i]->packet), 47);
    }
    for (int i = 1; i < 3; i++) {
        struct uet_out told = uet_ack(p, in[i]);
        uet_ack_cack_psn_set(told.pds, uet_packet_psn(&in[i]->packet));
        uet_ack_ack_psn_offset_set(told.pds, 0);
        uet_send(tc, &told);
    }
    uet_forget_settled(tc);
    const struct uet_want again = {
        .kind = UET_WANT_REQUEST, .pdc = p, .named = "data again", .again = true};
    uet_expect_nothing(tc, "PDS-096", &again, 0);
}

/*
 * A WRITE while others, or a READ, wait for their ACK: no FEP must send it before these are over.
 */
static const struct uet_in *writes_behind(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    const struct uet_want write = {.kind = UET_WANT_REQUEST, .also = is_first, .named = "WRITE"};
    struct uet_ut_operation op = uet_op(tc, n);
    uint64_t h = uet_do_write(tc, &op);

    if (handle)
        *handle = h;
    const struct uet_in *in = uet_maybe(tc, &write, 0);
    if (!in)
        uet_skip(tc, "the FEP sends no message behind those that are under way, as it may");
    return in;
}

UET_TEST(figure_3_81_initiator, .id = "pds.3.5.20.2.8.figure-3-81-initiator",
         .requirements = "PDS-096 PDS-070 PDS-121", .role = UET_ROLE_INITIATOR,
         .purpose = "Figure 3-81 with the FEP as initiator, from its own PSNs on.",
         .preamble = "A PDC that the FEP opened; r is its next PSN, S the first of the return.",
         .stimulus = "The FEP reads three payload MTUs; ACK of r+1 with CACK_PSN r+1, a default "
                     "response, and of r+2 with RC_OK; it writes; the data, S to S+2 with "
                     "CLEAR_PSN S-1, the first without ar.",
         .expected = "The READs are r to r+2; the write, r+3, has CLEAR_PSN r+2; ACKs of S+1 and "
                     "S+2 with CACK_PSN there. The read completes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    same_pdc(tc, pdc, r.in[0]);
    uint32_t next = uet_packet_psn(&r.in[0]->packet);
    for (uint32_t i = 0; i < 3; i++)
        follows(tc, r.in[i], next + i);
    struct uet_out second = uet_ack(pdc, r.in[1]);
    uet_ack_cack_psn_set(second.pds, next + 1);
    uet_ack_ack_psn_offset_set(second.pds, 0);
    uet_send(tc, &second);
    struct uet_out third =
        uet_ack_with(pdc, r.in[2], UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    uet_send(tc, &third);
    uet_auto_ack(tc, true);
    const struct uet_in *write = writes_behind(tc, 8, &handle);
    same_pdc(tc, pdc, write);
    follows(tc, write, next + 3);
    uet_check_eq(tc, "PDS-096", "CLEAR_PSN", uet_clear_psn(&write->packet), next + 2);
    for (size_t i = 0; i < 3; i++) {
        struct uet_out data = part_of(&r, i);
        uet_rud_rod_req_ar_set(data.pds, i > 0);
        uet_send(tc, &data);
        if (i > 0)
            uet_check_eq(tc, "PDS-096", "cack_psn", cack_of(uet_expect_ack(tc, pdc, data.psn)),
                         data.psn);
    }
    check_read(tc, "PDS-096", &r);
    uet_expect_completion(tc, handle);
}

UET_TEST(figure_3_78_initiator, .id = "pds.3.5.20.2.4.figure-3-78-initiator",
         .requirements = "PDS-095 PDS-070", .role = UET_ROLE_INITIATOR,
         .purpose = "Figure 3-78 with the FEP as initiator, from its own PSNs on.",
         .preamble = "A PDC that the FEP opened; r is its next PSN; RTO long.",
         .stimulus = "The FEP writes four times, r to r+3. Errors with REQ_CLEAR and CACK_PSN r-1 "
                     "answer r, r+1 and r+3; it writes, r+4; then r+2 is answered so; it writes, "
                     "r+5.",
         .expected = "r+4 has CLEAR_PSN r+1, r+5 has r+3.")
{
    const struct uet_in *in[4];
    struct uet_pdc *pdc, *on;
    hold_rto(tc);
    pdc = on = fep_opens(tc);
    uet_auto_ack(tc, false);
    for (uint32_t i = 0; i < 4; i++) {
        in[i] = i ? writes_behind(tc, 8, NULL) : fep_writes_on(tc, &on, 8, NULL);
        same_pdc(tc, pdc, in[i]);
        follows(tc, in[i], uet_packet_psn(&in[0]->packet) + i);
    }
    uint32_t r = uet_packet_psn(&in[0]->packet);
    static const uint8_t order[] = {0, 1, 3, 2};
    for (size_t k = 0; k < 4; k++) {
        const struct uet_in *w = in[order[k]];
        struct uet_out ack =
            uet_ack_with(pdc, w, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_BAD_MKEY);
        uet_ack_req_set(ack.pds, UET_ACK_REQ_CLEAR);
        uet_ack_cack_psn_set(ack.pds, r - 1);
        uet_ack_ack_psn_offset_set(ack.pds, (int16_t)(order[k] + 1));
        uet_send(tc, &ack);
        if (k < 2)
            continue;
        on = pdc;
        const struct uet_in *next = fep_writes_on(tc, &on, 8, NULL);
        same_pdc(tc, pdc, next);
        uet_check_eq(tc, "PDS-095", "CLEAR_PSN", uet_clear_psn(&next->packet),
                     k == 2 ? r + 1 : r + 3);
    }
    uet_auto_ack(tc, true);
}
