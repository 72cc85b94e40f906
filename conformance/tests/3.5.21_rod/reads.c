/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: reads over ROD, where the data comes in the order of the READs. */
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rod.h"

enum { READS = 4 };

/* READs one after the other on a ROD PDC, and the data that comes in the order of the PSNs. */
struct rod_reads {
    struct source s;
    uint32_t n; /* bytes of each, which come on the return direction */
    size_t count;
    struct uet_pdc *p;
    struct uet_out o[READS];
    const struct uet_in *in[READS];
};

/* Preamble: memory for so many, and a PDC. */
static struct rod_reads prepared(struct uet_tc *tc, size_t count)
{
    struct rod_reads r = {.n = more_than_ack_data(tc), .count = count};

    r.s = need_source(tc, (uint32_t)count * r.n);
    r.p = rod_open(tc);
    return r;
}

static void say_reads(struct uet_tc *tc, struct rod_reads *r)
{
    for (size_t i = 0; i < r->count; i++) {
        r->o[i] = uet_read(r->p, &r->s.m, i * r->n, r->n);
        say(tc, &r->o[i]);
    }
    for (size_t i = 0; i < r->count; i++)
        r->in[i] = hear_outstanding_data(tc, "PDS-169", r->p, i);
}

/* What came as number i + 1 is the data of that packet. */
static void check_turn(struct uet_tc *tc, const struct uet_in *in, const struct uet_out *o,
                       size_t i)
{
    uet_look_at(tc, in);
    uet_check(tc, "PDS-169", brings_data(in, o),
              "the data of packet %zu of the READs does not come as number %zu", i + 1, i + 1);
}

UET_TEST(rod_reads_in_order, .id = "pds.3.5.7.2.reads-in-order", .requirements = "PDS-169 PDS-007",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request",
         .purpose = "The data of ROD reads comes in the order of the READs.",
         .preamble = "Memory; a ROD PDC open.", .stimulus = "Four READs, back to back.",
         .expected = "ROD Requests of the return direction with the data of the first READ, the "
                     "second, the third, the fourth. Between them and the forward ACKs no order "
                     "is demanded (PDS-170).")
{
    struct rod_reads r = prepared(tc, READS);
    say_reads(tc, &r);
    for (size_t i = 0; i < READS; i++) {
        on_mode(tc, "PDS-007", r.in[i], true);
        check_turn(tc, r.in[i], &r.o[i], i);
        check_data(tc, "PDS-169", r.in[i], &r.s, (uint32_t)i * r.n, r.n);
        if (i > 0)
            psn_follows(tc, "PDS-169", r.in[i], psn_of(r.in[i - 1]));
    }
}

UET_TEST(rod_long_read_first, .id = "pds.3.5.7.2.long-read-first", .requirements = "PDS-169",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request",
         .purpose = "The data of a long ROD read is not overtaken by that of a short one.",
         .preamble = "Memory; a ROD PDC open.",
         .stimulus = "A READ of three packets and, back to back, one of a single packet.",
         .expected = "All data of the first READ, then that of the second.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, few = more_than_ack_data(tc);
    struct source s = need_source(tc, 3 * mtu);
    struct uet_pdc *p = rod_open(tc);
    struct uet_out o[4];
    size_t n = uet_message(p, UET_OP_READ, &s.m, 0, NULL, 3 * mtu, o, 3);
    o[n] = uet_read(p, &s.m, 0, few);
    for (size_t i = 0; i <= n; i++)
        say(tc, &o[i]);
    for (size_t i = 0; i <= n; i++)
        check_turn(tc, hear(tc, "PDS-169", DATA_ON(p)), &o[i], i);
}

enum { FILL = 126, WAIT = 5, FILLER = 1024 };

/* Small reads of which the data stays unacknowledged; then one of four packets, and one more. */
static void fill_window(struct uet_tc *tc, struct uet_pdc *p, const struct source *s,
                        struct uet_out *o)
{
    uint16_t id = 0;

    for (int i = 0; i < FILL; i++) {
        struct uet_out r = uet_read(p, &s->m, 0, FILLER);
        id = id ? id : uet_ses_req_std_message_id(r.ses);
        say(tc, &r);
        hear(tc, "PDS-169", COVERED(&r));
    }
    id = id > 2 ? id : FILL + 10; /* none of theirs, and falling */
    uet_message(p, UET_OP_READ, &s->m, 0, NULL, 4u * uet_tc_dut(tc)->payload_mtu, o, 4);
    o[4] = uet_read(p, &s->m, 0, FILLER);
    for (int i = 0; i < WAIT; i++) {
        uet_ses_req_std_message_id_set(o[i].ses, (uint16_t)(id - (i < 4 ? 1 : 2)));
        say(tc, &o[i]);
        if (i >= 3) /* those with ar */
            hear(tc, "PDS-169", COVERED(&o[i]));
    }
}

UET_TEST(rod_reads_wait, .id = "pds.3.5.7.2.reads-that-wait", .requirements = "PDS-169",
         .role = UET_ROLE_TARGET, .needs = "rud rod read any-request upper-tester",
         .purpose = "ROD reads that wait for the window are served in the order of their PSNs.",
         .preamble = "Default_MPR 1: 128 PSNs; a ROD PDC open; RTO long.",
         .stimulus = "READs of 126 packets, none of whose data is acknowledged; a READ of four "
                     "packets; one more, with a smaller message_id; then an ACK whenever no more "
                     "data comes.",
         .expected = "The data in the order of the READs.")
{
    struct uet_out o[WAIT];
    const struct uet_in *in = NULL;
    hold_rto(tc);
    uet_set_param(tc, "Default_MPR", 1);
    ack_data_below(tc, FILLER);
    struct source s = need_source(tc, 4u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = rod_open(tc);
    uet_auto_ack(tc, false);
    fill_window(tc, p, &s, o);
    for (size_t i = 0; i < FILL + WAIT; i++) {
        const struct uet_in *next = maybe(tc, DATA_ON(p), .within = uet_tc_quiet(tc));
        if (!next && in)
            acknowledge(tc, p, in);
        in = next ? next : hear(tc, "PDS-169", DATA_ON(p));
        if (i >= FILL)
            check_turn(tc, in, &o[i - FILL], i);
    }
    acknowledge(tc, p, in);
}

UET_TEST(rod_data_goes_back, .id = "pds.3.5.21.return-data-goes-back", .requirements = "PDS-167",
         .role = UET_ROLE_TARGET, .needs = "rod read any-request", .params = "NACK_Retx_Time",
         .purpose = "UET_ROD_OOO makes the target send again from the gap on.",
         .preamble = "Memory; a ROD PDC open; RTO long.",
         .stimulus = "Three READs, data r to r+2; ACK of r; NACK UET_ROD_OOO of r+2 with payload "
                     "r+1.",
         .expected = "r+1 and r+2 again, in this order; r not.")
{
    hold_rto(tc);
    struct rod_reads r = prepared(tc, 3);
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    uet_auto_ack(tc, false);
    say_reads(tc, &r);
    uint32_t first = psn_of(r.in[0]);
    struct uet_out ack = ack_at(r.in[0], first, first), nack = ooo(r.p, first + 2, first + 1);
    const struct uet_in *copy = NULL;
    say(tc, &ack);
    say(tc, &nack);
    for (uint32_t i = 1; i < 3; i++) {
        copy = hear(tc, "PDS-167", ANY_RESEND_ON(r.p), .within = due);
        field(tc, "PDS-167", copy, UET_F_PDS_PSN, first + i);
    }
    acknowledge(tc, r.p, copy);
}

UET_TEST(rod_data_gap, .id = "pds.3.5.21.return-data-gap", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_INITIATOR, .needs = "rod",
         .purpose = "ROD: an initiator refuses read data ahead of a gap.", .preamble = "None.",
         .stimulus = "The FEP reads two payload MTUs over ROD; the second part comes first; then "
                     "the first, then the second again.",
         .expected = "NACK UET_ROD_OOO of the second with the first's PSN as payload; then both "
                     "are acknowledged in order, and the read completes.")
{
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    op.mode = UET_UT_MODE_ROD;
    struct fep_read r = fep_reads_op(tc, &op);
    struct uet_out first = part_of(&r, 0), second = part_of(&r, 1);
    say(tc, &second);
    hear_ooo(tc, "PDS-165", &second, first.psn);
    say(tc, &first);
    field(tc, "PDS-166", hear(tc, "PDS-166", ACK_OF(&first)), UET_F_PDS_CACK_PSN, first.psn);
    say_again(tc, &second);
    field(tc, "PDS-166", hear(tc, "PDS-166", ACK_OF(&second)), UET_F_PDS_CACK_PSN, second.psn);
    check_read(tc, "PDS-166", &r);
}
