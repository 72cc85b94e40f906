/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3, 3.5.16.2, 3.5.5: reads against Close Command, ACK Request and the code points of ACKs.
 */
#include "conformance/harness/steps/reads.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* A PDC on which a READ was acknowledged and its data is not. */
struct held {
    struct uet_pdc *p;
    const struct uet_in *data;
};

static struct held hold_data(struct uet_tc *tc)
{
    struct held h;
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);

    hold_rto(tc);
    h.p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    struct uet_out o = uet_read(h.p, &s.m, 0, n);
    say(tc, &o);
    h.data = hear_return_data(tc, "PDS-119", &o);
    hear(tc, "PDS-119", COVERED(&o));
    return h;
}

/* The close is refused in error, as it may be: the PDC is gone. */
static bool refused_in_error(struct uet_tc *tc, struct uet_pdc *p)
{
    p->closed = maybe(tc, NACK_ON(p, UET_NACK_CLOSING_IN_ERR), .within = uet_tc_quiet(tc)) != NULL;
    return p->closed;
}

UET_TEST(close_with_return_data, .id = "pds.3.5.8.3.close-with-return-data",
         .requirements = "PDS-211", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .contested = true,
         .purpose = "A Close Command while return data is outstanding is not simply granted.",
         .preamble = "Memory; PDC open; RTO long.",
         .stimulus = "A READ; its data is not acknowledged; Close Command.",
         .expected = "NACK UET_CLOSING_IN_ERR (0x11); or (the other reading) no ACK of the Close "
                     "Command before the data is acknowledged, and then it.")
{
    struct held h = hold_data(tc);
    struct uet_out close = uet_cp(h.p, UET_CTL_CLOSE_COMMAND);
    say(tc, &close);
    if (refused_in_error(tc, h.p))
        return;
    silence(tc, "PDS-211", ACK_OF(&close), .within = UET_US);
    acknowledge(tc, h.p, h.data);
    hear(tc, "PDS-211", ACK_OF(&close));
    uet_note(tc, "PDS-211", "the target waits for the ACK of its data, then grants the close");
}

UET_TEST(closing_lingers, .id = "pds.3.5.8.3.closing-lingers", .requirements = "PDS-212",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .purpose =
             "A PDC that has to wait before it closes takes nothing new, and knows its Close "
             "Command again.",
         .preamble = "Memory; PDC open; RTO long; a READ whose data is not acknowledged.",
         .stimulus = "Close Command, the Request with the PSN after it, and Close Command again.",
         .expected = "The Request gets NACK UET_CLOSING (0x10), or UET_INV_DPDCID (0x0E) when the "
                     "PDC is gone; the Close Command does not get 0x10.")
{
    uet_preamble_begin(tc);
    struct held h = hold_data(tc);
    uet_preamble_end(tc);
    struct uet_out close = uet_cp(h.p, UET_CTL_CLOSE_COMMAND), late = uet_any_request(h.p);
    say(tc, &close);
    if (refused_in_error(tc, h.p))
        uet_skip(tc, "the FEP refuses the close while its data is outstanding, as it may");
    say(tc, &late);
    hear(tc, "PDS-212",
         NACK_OF(&late, UET_NACK_CLOSING, UET_NACK_INV_DPDCID, UET_NACK_CLOSING_IN_ERR));
    say_again(tc, &close);
    silence(tc, "PDS-212", NACK_OF(&close, UET_NACK_CLOSING));
    acknowledge(tc, h.p, h.data);
    uet_wait(tc, uet_tc_quiet(tc));
    h.p->closed = true;
}

UET_TEST(probe_while_closing, .id = "pds.3.5.16.5.probe-while-closing", .requirements = "PDS-193",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request probe",
         .purpose = "A PDC that has to wait before it closes answers Probes.",
         .preamble = "Memory; PDC open; RTO long; a READ whose data is not acknowledged.",
         .stimulus = "Close Command, and a Probe; then the ACK of the data.",
         .expected =
             "ACK with p=1 and the Probe's opaque value; silence is a finding. Then the ACK "
             "of the Close Command.")
{
    static const uint16_t tag = 0x5a5a;
    uet_preamble_begin(tc);
    struct held h = hold_data(tc);
    uet_preamble_end(tc);
    struct uet_out close = uet_cp(h.p, UET_CTL_CLOSE_COMMAND), o = probe(h.p, tag, h.p->next_psn);
    h.p->next_psn = o.psn; /* it may take none */
    say(tc, &close);
    if (refused_in_error(tc, h.p))
        uet_skip(tc, "the FEP refuses the close while its data is outstanding, as it may");
    tolerate(tc, REFUSAL_ON(h.p));
    say(tc, &o);
    if (!maybe(tc, PROBE_ANSWER(&o, &tag)))
        uet_other_reading(tc, "PDS-193", "a closing PDC answers no Probe");
    acknowledge(tc, h.p, h.data);
    hear(tc, "PDS-203", ACK_OF(&close));
    h.p->closed = true;
}

/* A PDC on which nothing is cleared. */
static struct uet_pdc *open_uncleared(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);

    p->auto_clear = false;
    p->clear_psn = p->start_psn;
    return p;
}

/* An ACK Request for a READ whose ACK carried its data brings no ACK without the data. */
static void ask_for_ack_of(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out ask = cp_at(o->pdc, UET_CTL_ACK_REQUEST, o->psn);

    uet_forget(tc);
    say(tc, &ask);
    const struct uet_in *in = hear(tc, "PDS-192", COVERED_OR_REFUSED(o));
    if (brings_data(in, o))
        uet_note(tc, "PDS-192", "an ACK Request brings the ACK with its data again");
    else
        field(tc, "PDS-192", in, UET_F_PDS_NACK_CODE, UET_NACK_ACK_WITH_DATA);
}

UET_TEST(ack_request_for_data, .id = "pds.3.5.16.2.ack-carried-data", .requirements = "PDS-192",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .contested = true,
         .purpose = "An ACK with read data is not sent again for an ACK Request.",
         .preamble = "Memory; PDC open; a READ of 8 bytes was answered with data in its ACK.",
         .stimulus = "ACK Request for it; then the READ again.",
         .expected = "NACK UET_ACK_WITH_DATA (0x14); the stored ACK again is a remark. The READ "
                     "brings its data once more.")
{
    struct source s = need_source(tc, 8);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out o = uet_read(p, &s.m, 0, 8);
    read_in_ack(tc, "PDS-192", &o);
    uet_wait(tc, UET_MS);
    uet_forget(tc); /* the ACK of a copy is no answer to what follows */
    ask_for_ack_of(tc, &o);
    uet_forget(tc);
    say_again(tc, &o);
    check_data(tc, "PDS-192", hear(tc, "PDS-192", DATA_OF(&o)), &s, 0, 8);
}

UET_TEST(
    ack_request_for_older_data, .id = "pds.3.5.16.2.older-ack-carried-data",
    .requirements = "PDS-192", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
    .contested = true,
    .purpose = "That an ACK had read data is known of every PSN, not of the last one alone.",
    .preamble = "Memory; PDC open; two READs of 8 bytes were answered with data in their ACKs.",
    .stimulus = "ACK Request for the first.",
    .expected = "NACK UET_ACK_WITH_DATA (0x14); the stored ACK again is a remark.")
{
    struct source s = need_source(tc, 16);
    struct uet_pdc *p = open_uncleared(tc);
    struct uet_out first = uet_read(p, &s.m, 0, 8), second = uet_read(p, &s.m, 8, 8);
    read_in_ack(tc, "PDS-192", &first);
    read_in_ack(tc, "PDS-192", &second);
    ask_for_ack_of(tc, &first);
}

/* That READ is answered in an ACK with the DSCP of that role. */
static void check_ack_dscp(struct uet_tc *tc, const struct uet_out *o, const char *role)
{
    const struct uet_in *ack = read_in_ack(tc, "PDS-127", o);

    uet_check_eq(tc, "PDS-127", "DSCP", uet_dscp(&ack->packet), uet_tc_param(tc, role));
}

UET_TEST(trimmable_ack, .id = "pds.3.5.5.trimmable-ack", .requirements = "PDS-127 NET-020",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request upper-tester",
         .params = "dscp-trimmable dscp-control",
         .purpose = "An ACK with much read data may be trimmed, one with little may not.",
         .preamble = "Max_ACK_Data_Size 256, Trimmable_ACK_Size 64; memory; PDC open.",
         .stimulus = "READs of 32 bytes, of 64, of 65 and of 256 bytes; the last again with "
                     "retx=1.",
         .expected = "Each answered in the ACK, the first two with DSCP_CONTROL, the others with "
                     "DSCP_TRIMMABLE.")
{
    uet_set_param(tc, "Max_ACK_Data_Size", 256);
    uet_set_param(tc, "Trimmable_ACK_Size", 64);
    struct source s = need_source(tc, 256);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out few = uet_read(p, &s.m, 0, 32), some = uet_read(p, &s.m, 0, 64);
    struct uet_out more = uet_read(p, &s.m, 0, 65), many = uet_read(p, &s.m, 0, 256);
    check_ack_dscp(tc, &few, "dscp-control");
    check_ack_dscp(tc, &some, "dscp-control");
    check_ack_dscp(tc, &more, "dscp-trimmable");
    p->auto_clear = false; /* its ACK is kept */
    check_ack_dscp(tc, &many, "dscp-trimmable");
    uet_forget(tc);
    uet_rud_rod_req_retx_set(many.pds, true);
    check_ack_dscp(tc, &many, "dscp-trimmable");
}
