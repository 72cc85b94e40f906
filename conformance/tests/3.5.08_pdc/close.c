/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.3: the end of a PDC, seen from its target. */
#include "conformance/tests/pds_target.h"

UET_TEST(close_frees_pdc, .id = "pds.3.5.8.3.close-frees-pdc", .requirements = "PDS-203",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "Close Command is acknowledged, and then the PDC is gone.",
         .preamble = "PDC open, nothing outstanding.",
         .stimulus = "Close Command; after its ACK a Request with syn=0 to that TPDCID.",
         .expected = "ACK naming the PSN of the Close Command, next_hdr NONE; then NACK "
                     "UET_INV_DPDCID (0x0E) with spdcid=0.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    field(tc, "PDS-203", ask(tc, "PDS-203", &close), UET_F_PDS_NEXT_HDR, UET_NH_NONE);
    struct uet_out late = uet_any_request(p);
    say(tc, &late);
    const struct uet_in *nack = hear(tc, "PDS-203", NACK_OF(&late, UET_NACK_INV_DPDCID));
    field(tc, "PDS-203", nack, UET_F_PDS_SPDCID, 0);
}

UET_TEST(close_command_again, .id = "pds.3.5.16.close-command-again",
         .requirements = "PDS-185 PDS-203", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "When the ACK of a Close Command was lost, its copy tells the initiator that "
                    "the PDC is gone.",
         .preamble = "PDC open, then closed by a Close Command that was acknowledged.",
         .stimulus = "The same Close Command again with retx=1.",
         .expected = "NACK UET_INV_DPDCID (0x0E) with spdcid=0; the ACK once more is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    ask(tc, "PDS-203", &close);
    uet_forget(tc);
    say_again(tc, &close);
    const struct uet_in *in = hear(tc, "PDS-185", COVERED_OR_REFUSED(&close));
    if (uet_is_ack(&in->packet)) { /* still closing, it may say so again (Syn_Retx_Safety_Time) */
        uet_other_reading(tc, "PDS-185", "the Close Command is acknowledged again, not refused");
        return;
    }
    field(tc, "PDS-185", in, UET_F_PDS_NACK_CODE, UET_NACK_INV_DPDCID);
    field(tc, "PDS-185", in, UET_F_PDS_SPDCID, 0);
}

UET_TEST(reopen_after_close, .id = "pds.3.5.8.3.reopen-after-close",
         .requirements = "PDS-203 PDS-029", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A PDC that was closed leaves nothing behind for the next of the same spdcid.",
         .preamble = "PDC open, then closed.",
         .stimulus = "A SYN Request with the same spdcid and a Start_PSN 2^16 and more further on.",
         .expected = "An ACK with CACK_PSN at the new Start_PSN.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    close_now(tc, p);
    struct uet_pdc *again = uet_pdc_new_at(tc, p->next_psn + 0x12345);
    again->pdcid = p->pdcid;
    p->pdcid = 0; /* what comes for this PDCID now belongs to the new one */
    struct uet_out syn = uet_any_request(again);
    uint64_t safety;
    if (uet_tc_told(tc, "Syn_Retx_Safety_Time", &safety))
        uet_wait(tc, safety);
    say(tc, &syn);
    const struct uet_in *in = hear(tc, "PDS-203", COVERED_OR_REFUSED(&syn));
    uet_check(tc, "PDS-203", uet_is_ack(&in->packet), "the PDC cannot be opened again: %s",
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet))));
    check_cack(tc, "PDS-029", in, syn.psn);
}

UET_TEST(close_clears_stored, .id = "pds.3.5.8.3.close-clears-stored", .requirements = "PDS-204",
         .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose = "Close Command clears all forward PSNs: it does not wait for a CLEAR.",
         .preamble = "PDC open; one response that the FEP must store, and that is not cleared.",
         .stimulus = "Close Command.",
         .expected = "ACK naming its PSN, with CACK_PSN at it or one below.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    exchange_refused(tc, &bad);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    field_among(tc, "PDS-204", ask(tc, "PDS-203", &close), UET_F_PDS_CACK_PSN, close.psn,
                (uint32_t)(close.psn - 1));
}

UET_TEST(request_behind_close, .id = "pds.3.5.8.3.request-behind-close", .requirements = "PDS-212",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "Nothing new is taken on a PDC behind its Close Command.",
         .preamble = "PDC open.",
         .stimulus = "Close Command and, back to back, a Request with the PSN after it.",
         .expected = "The Request gets NACK UET_CLOSING (0x10), or UET_INV_DPDCID (0x0E) when the "
                     "PDC is gone already.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND), late = uet_any_request(p);
    say(tc, &close);
    say(tc, &late);
    hear(tc, "PDS-212", NACK_OF(&late, UET_NACK_CLOSING, UET_NACK_INV_DPDCID));
    hear(tc, "PDS-203", ACK_OF(&close));
}

UET_TEST(close_request_ignored, .id = "pds.3.5.8.3.close-request-ignored",
         .requirements = "PDS-210", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .params = "Close_REQ_Time",
         .purpose = "A target whose Close Request brings no Close Command gives the PDC up.",
         .preamble = "PDC open; a Request; unless its ACK asks for the close (REQ_CLOSE), the FEP "
                     "is made to send a Close Request, which is acknowledged.",
         .stimulus = "No Close Command until Close_REQ_Time is over; then a Request.",
         .expected = "NACK UET_INV_DPDCID (0x0E) for the Request; a NACK UET_CLOSING_IN_ERR (0x11) "
                     "before it is allowed.")
{
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");
    struct uet_pdc *p = uet_pdc_open(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    struct uet_out first = uet_any_request(p);
    if (req_of(ask(tc, "PDS-097", &first)) != UET_ACK_REQ_CLOSE) /* it asks as well (T11) */
        make_fep_ask(tc, p);
    uet_wait(tc, uet_tc_latest(tc, limit) + uet_tc_quiet(tc));
    struct uet_out late = uet_any_request(p);
    say(tc, &late);
    hear(tc, "PDS-210", NACK_OF(&late, UET_NACK_INV_DPDCID));
    p->closed = true;
}

UET_TEST(close_request_time_runs, .id = "pds.3.5.8.3.close-request-time-runs",
         .requirements = "PDS-210", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .params = "Close_REQ_Time",
         .purpose = "Close_REQ_Time runs from the Close Request on, whatever else comes.",
         .preamble = "PDC open; the FEP is made to send a Close Request, which is acknowledged.",
         .stimulus = "No Close Command, but the last Request again with retx=1, a Clear Command "
                     "and the ACK of the Close Request once more, four times at distances of half "
                     "Close_REQ_Time; then a new Request.",
         .expected = "NACK UET_INV_DPDCID (0x0E) for the new one.")
{
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out last = uet_any_request(p);
    ask(tc, "PDS-097", &last);
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR, UET_NACK_INV_DPDCID));
    struct uet_out ack = uet_ack(p, make_fep_ask(tc, p));
    struct uet_out clear = uet_cp(p, UET_CTL_CLEAR_COMMAND);
    for (int i = 0; i < 4; i++) {
        uet_wait(tc, uet_tc_latest(tc, limit) / 2);
        say_again(tc, &last);
        say(tc, &clear);
        say(tc, &ack);
    }
    struct uet_out late = uet_any_request(p);
    say(tc, &late);
    hear(tc, "PDS-210", NACK_OF(&late, UET_NACK_INV_DPDCID));
    p->closed = true;
}

UET_TEST(close_request_time_begins, .id = "pds.3.5.8.3.close-request-time-begins",
         .requirements = "PDS-210", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .params = "Close_REQ_Time",
         .purpose = "Close_REQ_Time begins with the Close Request, not with what came before it.",
         .preamble = "PDC open, and nothing on it for twice Close_REQ_Time; the FEP is made to "
                     "send a Close Request, which is acknowledged.",
         .stimulus = "Close Command when half of Close_REQ_Time is over.",
         .expected = "The Close ACK.")
{
    uint64_t limit = uet_tc_param(tc, "Close_REQ_Time");
    if (limit / 2 < uet_tc_tolerance(tc, limit))
        uet_skip(tc, "Close_REQ_Time is %.3f ms: too short to tell", (double)limit / 1e6);
    struct uet_pdc *p = uet_pdc_open(tc);
    if (maybe(tc, CP_ON(p, UET_CTL_CLOSE_REQUEST), .within = 2 * limit))
        uet_skip(tc, "the FEP asks for the close of an idle PDC sooner, as it may");
    make_fep_ask(tc, p);
    uet_wait(tc, limit / 2);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    ask(tc, "PDS-210", &close);
}

UET_TEST(
    serves_while_it_waits, .id = "pds.3.5.8.3.serves-until-the-close",
    .requirements = "PDS-187 PDS-190 PDS-193", .role = UET_ROLE_TARGET,
    .needs = "rud any-request cp-noop probe upper-tester", .not_over = "rod",
    .purpose = "A target that has asked for the close answers Control Packets as before.",
    .preamble = "PDC open; a Request is acknowledged; the FEP is made to send a Close Request, "
                "which is acknowledged.",
    .stimulus =
        "At once, of two NOOPs the second, an ACK Request for it, a Probe, and the first NOOP.",
    .expected = "An ACK of each.")
{
    static const uint16_t tag = 0x5a5a;
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p);
    ask(tc, "PDS-097", &n);
    make_fep_ask(tc, p);
    struct uet_out first = uet_cp(p, UET_CTL_NOOP), noop = uet_cp(p, UET_CTL_NOOP);
    struct uet_out asks = cp_at(p, UET_CTL_ACK_REQUEST, noop.psn); /* above the gap (PDS-190) */
    struct uet_out o = probe(p, tag, p->next_psn);
    say(tc, &noop);
    say(tc, &asks);
    say(tc, &o);
    say(tc, &first);
    hear(tc, "PDS-187", ACK_OF(&noop));
    hear(tc, "PDS-190", ACK_OF(&asks));
    hear(tc, "PDS-193", PROBE_ANSWER(&o, &tag));
    hear(tc, "PDS-187", ACK_OF(&first));
}

UET_TEST(close_request_then_close, .id = "pds.3.5.8.3.close-request-then-close",
         .requirements = "PDS-203 PDS-200", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
         .purpose = "The Close Command that a target asked for is acknowledged as usual.",
         .preamble = "PDC open; the FEP is made to send a Close Request, which is acknowledged.",
         .stimulus = "Close Command.", .expected = "ACK naming its PSN, next_hdr NONE.")
{
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    make_fep_ask(tc, p);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    field(tc, "PDS-203", ask(tc, "PDS-203", &close), UET_F_PDS_NEXT_HDR, UET_NH_NONE);
}

UET_TEST(close_crosses_request, .id = "pds.3.5.8.3.close-crosses-request",
         .requirements = "PDS-203 PDS-211", .role = UET_ROLE_TARGET,
         .not_over = "company", /* it is asked to close, too, and the FEP need not wait for it */
         .needs = "rud any-request upper-tester", .params = "RTO_Init_Time",
         .purpose = "A Close Command that comes in the place of the ACK of the Close Request ends "
                    "the PDC all the same.",
         .preamble = "PDC open; the FEP is made to send a Close Request, whose ACK is lost.",
         .stimulus = "Close Command; then the Close Request is acknowledged when it comes again.",
         .expected = "The Close ACK, at the latest after that ACK, or NACK UET_CLOSING_IN_ERR; the "
                     "FEP takes another PDC.")
{
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_ack = false;
    make_fep_ask(tc, p);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    say(tc, &close);
    p->auto_ack = true;
    uint64_t resent = uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time"));
    hear(tc, "PDS-203", ANSWER_TO(&close), .within = resent + uet_tc_quiet(tc));
    uet_pdc_open(tc);
}

/* Two PDCs of one spdcid: what comes for it from now on belongs to that one. */
static void now_has(struct uet_pdc *one, struct uet_pdc *other)
{
    one->pdcid = other->pdcid;
    other->pdcid = 0;
}

/* For p, whose PDCID `next` has for now, so that the postamble finds it. */
static const struct uet_in *asks_by_noop(struct uet_tc *tc, struct uet_pdc *p, struct uet_pdc *next)
{
    const struct uet_in *noop = maybe(tc, CP_ON(next, UET_CTL_NOOP));

    if (noop)
        return noop;
    now_has(p, next);
    uet_skip(tc, "the FEP asks by no NOOP");
}

UET_TEST(idle_target, .id = "pds.3.5.8.3.idle-target-commands-no-close", .requirements = "PDS-200",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A target that finds its PDC idle may ask for the close, and not command it.",
         .preamble = "PDC open; Idle_Time 20 ms where it can be set.",
         .stimulus = "A Request, then silence for 60 ms.", .expected = "No Close Command.")
{
    close_req_long(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_try_param(tc, "Idle_Time", 20 * UET_MS);
    struct uet_out last = uet_any_request(p);
    ask(tc, "PDS-097", &last);
    silence(tc, "PDS-200", CP_ON(p, UET_CTL_CLOSE_COMMAND), .within = 60 * UET_MS);
}

UET_TEST(noop_tells_mode, .id = "pds.3.5.16.noop-tells-the-mode", .requirements = "PDS-188",
         .role = UET_ROLE_TARGET, .needs = "rud rod any-request", .not_over = "rod order",
         .claim_binds = true,
         .purpose = "A NOOP by which a target asks its peer has the mode of its PDC.",
         .preamble = "A RUD PDC, later a ROD PDC open.",
         .stimulus = "On each a SYN Request with the same spdcid and a Start_PSN 2^16 and more "
                     "further on.",
         .expected = "NACK UET_INVALID_SYN (0x15), on ROD that or UET_ROD_OOO (0x0D); in the NOOP "
                     "that it brings, if any, isrod is 0 "
                     "on RUD and 1 on ROD.")
{
    for (int rod = 0; rod < 2; rod++) {
        struct uet_pdc *p = open_in_mode(tc, rod, NULL);
        struct uet_pdc *next = uet_pdc_new_at(tc, p->next_psn + 0x30000);
        next->rod = rod;
        next->auto_close = false;
        now_has(next, p);
        struct uet_out syn = uet_any_request(next);
        say(tc, &syn);
        if (rod) /* it is ahead of the next PSN, too */
            hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN, UET_NACK_ROD_OOO));
        else
            hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN));
        const struct uet_in *noop = asks_by_noop(tc, p, next);
        field(tc, "PDS-188", noop, UET_F_PDS_ISROD, (uint64_t)rod);
        now_has(p, next);
    }
}

UET_TEST(noop_resent, .id = "pds.3.5.16.noop-resent", .requirements = "PDS-197",
         .role = UET_ROLE_TARGET, .not_over = "rod", .needs = "rud any-request",
         .params = "RTO_Init_Time", .claim_binds = true,
         .purpose = "A NOOP by which a target asks its peer is retransmitted until acknowledged.",
         .preamble = "PDC open.",
         .stimulus = "A SYN Request with the same spdcid and a Start_PSN 2^16 and more further on; "
                     "the NOOP that it brings, if any, is not acknowledged.",
         .expected = "NACK UET_INVALID_SYN (0x15); the NOOP again with the same PSN, retx=1.")
{
    struct uet_pdc *p = uet_pdc_open(tc), *next = uet_pdc_new_at(tc, p->next_psn + 0x30000);
    next->auto_ack = next->auto_close = false;
    now_has(next, p);
    struct uet_out syn = uet_any_request(next);
    say(tc, &syn);
    hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN));
    const struct uet_in *noop = asks_by_noop(tc, p, next);
    uint64_t rto = uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time"));
    hear(tc, "PDS-197", CP_AGAIN(noop), .within = rto + uet_tc_quiet(tc));
    next->auto_ack = true;
    struct uet_out ack = uet_ack(next, noop);
    say(tc, &ack);
    now_has(p, next);
}

UET_TEST(next_syn_too_early, .id = "pds.3.5.8.2.next-syn-too-early",
         .requirements = "PDS-037 PDS-147", .role = UET_ROLE_TARGET, .not_over = "rod",
         .needs = "rud any-request", .params = "RTO_Init_Time",
         .purpose = "The SYN of a PDC whose spdcid still has another one is refused by a code that "
                    "is defined, also when that one has gone meanwhile.",
         .preamble = "PDC open.",
         .stimulus = "A SYN Request with the same spdcid and a Start_PSN 2^16 and more further on; "
                     "the first PDC is closed; the SYN again.",
         .expected = "NACK UET_INVALID_SYN (0x15); then an ACK, or a NACK of a defined code; "
                     "UET_INVALID_SYN that names a PDC, now that there is none, is a finding.")
{
    struct uet_pdc *p = uet_pdc_open(tc), *next = uet_pdc_new_at(tc, p->next_psn + 0x30000);
    next->auto_ack = false;
    tolerate(tc, CP_ON(next, UET_CTL_NOOP)); /* does the peer still know the first one? */
    now_has(next, p);
    struct uet_out syn = uet_any_request(next);
    say(tc, &syn);
    hear(tc, "PDS-037", NACK_OF(&syn, UET_NACK_INVALID_SYN));
    now_has(p, next);
    next->fep_pdcid = 0;
    uet_wait(tc, uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time"))); /* that NOOP again */
    close_now(tc, p);
    now_has(next, p);
    next->auto_ack = true;
    uet_forget(tc); /* the first refusal, and all that covers its PSN */
    say_again(tc, &syn);
    const struct uet_in *in = hear(tc, "PDS-147", COVERED_OR_REFUSED(&syn));
    if (!uet_is_nack(&in->packet))
        return;
    uet_check(tc, "PDS-147",
              uet_nack_table[uet_nack_nack_code(uet_pds(&in->packet))].nack_class != UET_CLASS_NONE,
              "the NACK has a reserved code");
    if (uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_INVALID_SYN && uet_spdcid(&in->packet))
        uet_other_reading(tc, "PDS-037", "spdcid 0x%04x, where there is no PDC any more",
                          uet_spdcid(&in->packet));
}
