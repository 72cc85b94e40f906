/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.20.2.4, 3.5.20.2.8: Figures 3-78 and 3-81, the FEP on either side. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* The figures have no NOOP between their Requests, a FEP may. */
static void follows(struct uet_tc *tc, const struct uet_in *in, uint32_t psn)
{
    if (psn_of(in) != psn)
        uet_skip(tc, "the FEP puts Control Packets between its Requests, as it may");
}

/* An ACK of that packet, and of all up to it. */
static void say_ack_at(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_out ack = ack_at(in, psn_of(in), psn_of(in));

    say(tc, &ack);
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
        say(tc, &o);
        if (p->next_psn % 16 == 13 || o.psn == 332)
            hear(tc, "PDS-096", COVERED(&o));
    }
    uet_preamble_end(tc);
    return p;
}

/* The three packets of data, one after the other. */
static void take_figure_data(struct uet_tc *tc, const struct uet_pdc *p, const struct uet_in **in)
{
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = hear_outstanding_data(tc, "PDS-096", p, i);
        psn_follows(tc, "PDS-096", in[i], i > 0 ? psn_of(in[i - 1]) : 47);
        field(tc, "PDS-096", in[i], UET_F_PDS_CLEAR_PSN, 47);
    }
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
    uet_auto_ack(tc, false);
    uet_message(p, UET_OP_READ, &s.m, 0, NULL, n, o, 3);
    for (int i = 0; i < 3; i++)
        say(tc, &o[i]);
    const struct uet_in *ack = hear_answer(tc, "PDS-096", &o[2]);
    uet_check_success(tc, "PDS-096", ack);
    check_cack(tc, "PDS-096", ack, 335);
    p->clear_psn = 335;
    struct uet_out write = uet_write(p, &m, 0, "fig 3-81", 8);
    check_cack(tc, "PDS-096", ask(tc, "PDS-096", &write), 336);
    take_figure_data(tc, p, in);
    say_ack_at(tc, in[1]);
    say_ack_at(tc, in[2]);
    uet_forget_settled(tc);
    silence(tc, "PDS-096", .kind = UET_WANT_REQUEST, .pdc = p, .named = "data again");
}

/* A WRITE while others, or a READ, wait for their ACK: no FEP must send it before these are over.
 */
static const struct uet_in *writes_behind(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    *handle = uet_do_write(tc, &op);
    const struct uet_in *in = maybe(tc, REQUEST_ON(NULL));
    if (!in)
        uet_skip(tc, "the FEP sends no message behind those that are under way, as it may");
    return in;
}

/* The FEP reads three payload MTUs on its PDC, with consecutive PSNs. */
static struct fep_read reads_three(struct uet_tc *tc, const struct uet_pdc *pdc)
{
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 3u * uet_tc_dut(tc)->payload_mtu);

    same_pdc(tc, pdc, r.in[0]);
    for (uint32_t i = 0; i < 3; i++)
        follows(tc, r.in[i], psn_of(r.in[0]) + i);
    return r;
}

/* Its data, the first part without ar. */
static void return_three(struct uet_tc *tc, const struct fep_read *r)
{
    struct uet_out first = unasked_part_of(r, 0);

    say(tc, &first);
    for (size_t i = 1; i < 3; i++) {
        struct uet_out data = part_of(r, i);
        say(tc, &data);
        field(tc, "PDS-096", hear(tc, "PDS-096", ACK_OF(&data)), UET_F_PDS_CACK_PSN, data.psn);
    }
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
    uint64_t handle;
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    struct fep_read r = reads_three(tc, pdc);
    uint32_t next = psn_of(r.in[0]);
    say_ack_at(tc, r.in[1]);
    struct uet_out third =
        uet_ack_with(pdc, r.in[2], UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_OK);
    say(tc, &third);
    uet_auto_ack(tc, true);
    const struct uet_in *write = writes_behind(tc, 8, &handle);
    same_pdc(tc, pdc, write);
    follows(tc, write, next + 3);
    field(tc, "PDS-096", write, UET_F_PDS_CLEAR_PSN, next + 2);
    return_three(tc, &r);
    check_read(tc, "PDS-096", &r);
    completion_of(tc, "PDS-096", handle);
}

/* The FEP writes n times on its PDC, with consecutive PSNs; nothing is acknowledged. */
static void writes_in_a_row(struct uet_tc *tc, struct uet_pdc *pdc, const struct uet_in **in,
                            uint32_t n)
{
    uint64_t handle;
    struct uet_pdc *on = pdc;

    uet_auto_ack(tc, false);
    for (uint32_t i = 0; i < n; i++) {
        in[i] = i ? writes_behind(tc, 8, &handle) : fep_writes_on(tc, &on, 8, NULL);
        same_pdc(tc, pdc, in[i]);
        follows(tc, in[i], psn_of(in[0]) + i);
    }
}

/* An error that wants a clear answers it, and CACK_PSN waits. */
static void say_error(struct uet_tc *tc, const struct uet_in *in, uint32_t cack)
{
    struct uet_out ack = guaranteed_ack(in, UET_RC_BAD_MKEY);

    uet_ack_cack_psn_set(ack.pds, cack);
    uet_ack_ack_psn_offset_set(ack.pds, (int16_t)uet_psn_diff(psn_of(in), cack));
    say(tc, &ack);
}

/* The FEP writes again: CLEAR_PSN tells what it has heard. */
static void clears_next(struct uet_tc *tc, struct uet_pdc *pdc, uint32_t clear_psn)
{
    struct uet_pdc *on = pdc;
    const struct uet_in *next = fep_writes_on(tc, &on, 8, NULL);

    same_pdc(tc, pdc, next);
    field(tc, "PDS-095", next, UET_F_PDS_CLEAR_PSN, clear_psn);
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
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    writes_in_a_row(tc, pdc, in, 4);
    uint32_t r = psn_of(in[0]);
    say_error(tc, in[0], r - 1);
    say_error(tc, in[1], r - 1);
    say_error(tc, in[3], r - 1);
    clears_next(tc, pdc, r + 1);
    say_error(tc, in[2], r - 1);
    clears_next(tc, pdc, r + 3);
    uet_auto_ack(tc, true);
}
