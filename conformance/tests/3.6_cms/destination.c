/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.9.2, 3.6.13.9: what a destination tells of a PDC in its ACK_CC (NSCC). */
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/unexpected.h"
#include "conformance/tests/nscc.h"

#define NOT_COMPUTED 0xffffu /* ooo_count (3.6.9.2) */
#define ABOVE        5u      /* packets above a gap of one */

UET_TEST(rcvd_bytes_counts_requests, .id = "cms.3.6.13.9.rcvd-bytes-counts-requests",
         .requirements = "CMS-018 CMS-020 CMS-021 CMS-023", .role = UET_ROLE_TARGET,
         .needs = "rud write ack-cc",
         .purpose = "rcvd_bytes is the sum of the nominal sizes of the Requests of its PDC.",
         .preamble = "A memory region.",
         .stimulus = "WRITEs of 1, 300 and 513 bytes, the first of which opens the PDC; each once "
                     "more as a resend.",
         .expected = "rcvd_bytes is the sum of the sizes so far, with 40 bytes for each, rounded "
                     "up to 256; the resend does not change it.")
{
    static const uint32_t lengths[] = {1, 300, 513};
    struct uet_memory m = uet_need_memory(tc, 1024);
    struct uet_pdc *p = uet_pdc_new(tc);
    uint32_t sum = 0;
    for (size_t i = 0; i < 3; i++) {
        struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, lengths[i]), lengths[i]);
        const struct uet_in *ack = ask_nscc(tc, "CMS-018", &o);
        sum += nominal_of(&o);
        field(tc, "CMS-018", ack, UET_F_PDS_NSCC_RCVD_BYTES, uet_rcvd_units(sum));
        field(tc, "CMS-023", ask_anew(tc, "CMS-023", &o), UET_F_PDS_NSCC_RCVD_BYTES,
              uet_rcvd_units(sum));
    }
}

UET_TEST(
    vlan_tags_do_not_count, .id = "cms.3.6.12.vlan-tags-do-not-count", .requirements = "CMS-020",
    .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
    .purpose = "The tag of an 802.1Q frame is no part of the nominal size.",
    .preamble = "A memory region, and a PDC that a WRITE has opened.",
    .stimulus = "A WRITE in a frame with a priority tag (VID 0), of a size that makes the sum "
                "a multiple of 256.",
    .expected = "rcvd_bytes is that sum. A FEP that takes no tagged frame has nothing to show.")
{
    struct uet_memory m = uet_need_memory(tc, 1024);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 16), 16);
    (void)ask_nscc(tc, "CMS-020", &o);
    uint32_t sum = nominal_of(&o) + nominal_of(&o) - 16;
    uint32_t n = UET_RCVD_BYTES_UNIT - sum % UET_RCVD_BYTES_UNIT;
    o = uet_write(p, &m, 0, uet_tc_bytes(tc, n), n);
    o.route.vlan = true;
    say(tc, &o);
    const struct uet_in *ack = maybe(tc, ACK_OF(&o));
    if (!ack)
        uet_skip(tc, "the FEP takes no frame with a priority tag");
    field(tc, "CMS-020", ack, UET_F_PDS_NSCC_RCVD_BYTES, (sum + n) / UET_RCVD_BYTES_UNIT);
}

UET_TEST(rcvd_bytes_counts_once, .id = "cms.3.6.13.9.rcvd-bytes-counts-once",
         .requirements = "CMS-023", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         .purpose = "A copy of a packet that waits above a gap does not count either.",
         .preamble = "A memory region; n is the first PSN.",
         .stimulus = "WRITEs n and n+2; n+2 as a resend; n+1; n+2 as a resend once more.",
         .expected = "rcvd_bytes is the sum of the sizes of what has come once, rounded up to 256.")
{
    struct uet_memory m = uet_need_memory(tc, 1024);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o[3];
    uint32_t sum = 0;
    for (size_t i = 0; i < 3; i++) {
        o[i] = uet_write(p, &m, 0, uet_tc_bytes(tc, 600), 600);
        if (i == 1)
            continue;
        sum += nominal_of(&o[i]);
        field(tc, "CMS-023", ask_nscc(tc, "CMS-023", &o[i]), UET_F_PDS_NSCC_RCVD_BYTES,
              uet_rcvd_units(sum));
    }
    field(tc, "CMS-023", ask_anew(tc, "CMS-023", &o[2]), UET_F_PDS_NSCC_RCVD_BYTES,
          uet_rcvd_units(sum));
    sum += nominal_of(&o[1]);
    field(tc, "CMS-023", ask_nscc(tc, "CMS-023", &o[1]), UET_F_PDS_NSCC_RCVD_BYTES,
          uet_rcvd_units(sum));
    field(tc, "CMS-023", ask_anew(tc, "CMS-023", &o[2]), UET_F_PDS_NSCC_RCVD_BYTES,
          uet_rcvd_units(sum));
}

#define CPS 8u /* Control Packets: together larger than what rcvd_bytes is rounded up to */

UET_TEST(rcvd_bytes_without_cps, .id = "cms.3.6.13.9.rcvd-bytes-without-control-packets",
         .requirements = "CMS-018", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc cp-noop",
         .purpose = "Control Packets, which carry no data, do not count in rcvd_bytes.",
         .preamble = "A memory region; a WRITE of 300 bytes has opened a PDC.",
         .stimulus = "Eight NOOPs; then a WRITE of 300 bytes.",
         .expected = "In the ACK of the second WRITE rcvd_bytes is the sum of both, with 40 bytes "
                     "for each, rounded up to 256.")
{
    struct uet_memory m = uet_need_memory(tc, 1024);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, 300), 300);
    uint32_t sum = nominal_of(&o);
    field(tc, "CMS-018", ask_nscc(tc, "CMS-018", &o), UET_F_PDS_NSCC_RCVD_BYTES,
          uet_rcvd_units(sum));
    for (unsigned i = 0; i < CPS; i++) {
        struct uet_out noop = uet_cp(p, UET_CTL_NOOP);
        say(tc, &noop);
        hear(tc, "PDS-187", COVERED(&noop));
    }
    struct uet_out next = uet_write(p, &m, 0, uet_tc_bytes(tc, 300), 300);
    sum += nominal_of(&next);
    field(tc, "CMS-018", ask_nscc(tc, "CMS-018", &next), UET_F_PDS_NSCC_RCVD_BYTES,
          uet_rcvd_units(sum));
}

/* Leaves o[0] out, and brings ABOVE above it: does this FEP compute ooo_count? */
static bool leaves_one_out(struct uet_tc *tc, struct uet_pdc *p, struct uet_out o[ABOVE + 1])
{
    const struct uet_in *ack = NULL;
    for (unsigned i = 0; i <= ABOVE; i++)
        o[i] = uet_any_request(p);
    for (unsigned i = 1; i <= ABOVE; i++)
        ack = ask_nscc(tc, "CMS-032", &o[i]);
    bool counts = value_of(tc, ack, UET_F_PDS_NSCC_OOO_COUNT) != NOT_COMPUTED;
    field(tc, "CMS-032", ack, UET_F_PDS_NSCC_OOO_COUNT, counts ? ABOVE : NOT_COMPUTED);
    return counts;
}

UET_TEST(ooo_count_is_momentary, .id = "cms.3.6.9.2.ooo-count-is-momentary",
         .requirements = "CMS-032", .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "ooo_count tells what lies above the gap of the moment.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n+1 ... n+5, which leave n out; then n; then n+6.",
         .expected = "ooo_count 5 in the ACK of n+5 and 0 in that of n+6; or 0xFFFF always.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[ABOVE + 1];
    bool counts = leaves_one_out(tc, p, o);
    ask(tc, "CMS-032", &o[0]);
    struct uet_out next = uet_any_request(p);
    const struct uet_in *ack = ask(tc, "CMS-032", &next);
    field(tc, "CMS-032", ack, UET_F_PDS_NSCC_OOO_COUNT, counts ? 0 : NOT_COMPUTED);
}

UET_TEST(ooo_count_for_copies, .id = "cms.3.6.9.2.ooo-count-for-copies", .requirements = "CMS-032",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "A copy changes no ooo_count, and its ACK tells it as any other does.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n+1 ... n+5, which leave n out; each of them as a resend; n; n+5 as a resend "
                     "once more.",
         .expected = "In the ACK of the resend of n+i ooo_count is 5, or i (how far it is from the "
                     "gap, in one reading); behind n it is 0; or 0xFFFF always.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[ABOVE + 1];
    bool counts = leaves_one_out(tc, p, o);
    for (unsigned i = 1; i <= ABOVE; i++)
        field_among(tc, "CMS-032", ask_anew(tc, "CMS-032", &o[i]), UET_F_PDS_NSCC_OOO_COUNT,
                    counts ? i : NOT_COMPUTED, counts ? ABOVE : NOT_COMPUTED);
    ask(tc, "CMS-032", &o[0]);
    field(tc, "CMS-032", ask_anew(tc, "CMS-032", &o[ABOVE]), UET_F_PDS_NSCC_OOO_COUNT,
          counts ? 0 : NOT_COMPUTED);
}

UET_TEST(ooo_count_when_asked, .id = "cms.3.6.9.2.ooo-count-when-asked", .requirements = "CMS-032",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc probe",
         .purpose = "What answers an ACK Request or a Probe tells ooo_count, too.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n+1 ... n+5, which leave n out; an ACK Request for n+5; a Probe.",
         .expected = "ooo_count 5 in both ACKs, in that of the Probe 6 where a Probe takes a PSN; "
                     "or 0xFFFF always.")
{
    static const uint16_t tag = 0x0c0c;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[ABOVE + 1];
    bool counts = leaves_one_out(tc, p, o);
    struct uet_out request = cp_at(p, UET_CTL_ACK_REQUEST, o[ABOVE].psn);
    uet_forget(tc);
    field(tc, "CMS-032", ask(tc, "PDS-190", &request), UET_F_PDS_NSCC_OOO_COUNT,
          counts ? ABOVE : NOT_COMPUTED);
    struct uet_out asks = probe(p, tag, o[0].psn);
    say(tc, &asks);
    field_among(tc, "CMS-032", hear(tc, "PDS-193", PROBE_ANSWER(&asks, &tag)),
                UET_F_PDS_NSCC_OOO_COUNT, counts ? ABOVE : NOT_COMPUTED,
                counts ? ABOVE + 1 : NOT_COMPUTED);
}

#define LATER 8u /* Requests */

UET_TEST(rcvd_bytes_in_late_answers, .id = "cms.3.6.13.9.rcvd-bytes-in-late-answers",
         .requirements = "CMS-024", .role = UET_ROLE_TARGET,
         .needs = "keeps-unexpected send upper-tester any-request ack-cc",
         .purpose = "An ACK tells what has come when it leaves, not when its packet came.",
         .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
         .stimulus = "SEND of 64 bytes, which is kept; eight Requests; then a receive is posted.",
         .expected = "In the answer to the SEND, if that comes with the receive, rcvd_bytes is no "
                     "less than in the ACK before it, modulo 2^24.")
{
    struct uet_memory m = uet_need_keeping(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, 64), 64);
    const struct uet_in *early = kept_as_unexpected(tc, "CMS-024", &o), *last = early;
    for (unsigned i = 0; i < LATER; i++) {
        struct uet_out next = uet_any_request(p);
        last = ask_nscc(tc, "CMS-024", &next);
    }
    untagged_receive(tc, &m);
    const struct uet_in *late = late_answer(tc, "CMS-024", &o, early);
    if (late == early || late->packet.cc_state != UET_H_ACK_CC_STATE_NSCC)
        uet_skip(tc, "the SEND is answered at once, or without NSCC state");
    uint64_t before = value_of(tc, last, UET_F_PDS_NSCC_RCVD_BYTES);
    uint64_t now = value_of(tc, late, UET_F_PDS_NSCC_RCVD_BYTES);
    uet_check(tc, "CMS-024", ((now - before) & 0xffffff) < 1u << 23,
              "rcvd_bytes was %llu, and is %llu in a late answer", (unsigned long long)before,
              (unsigned long long)now);
}
