/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.3, 3.5.22: a RUDI source, its pkt_ids and its resends. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/rudi.h"

#define RTO     (4 * UET_MS)
#define PACKETS 6u

/* The Requests of a write that the FEP lets be outstanding, at most PACKETS; how many. */
static uint32_t outstanding(struct uet_tc *tc, const struct uet_in **in)
{
    uint32_t n = 1;

    in[0] = rudi_request(tc);
    while (n < PACKETS &&
           (in[n] = maybe(tc, NEW_RUDI_REQUEST, .within = uet_tc_latest(tc, UET_MS))))
        n++;
    return n;
}

/* The last of n RUDI Requests has no reserved bit set, and a pkt_id of its own. */
static void check_request(struct uet_tc *tc, const struct uet_in **in, uint32_t n)
{
    const struct uet_in *last = in[n - 1];
    const uint8_t *h = uet_pds(&last->packet);

    uet_look_at(tc, last);
    uet_check(tc, "PDS-234", !uet_rudi_req_rsvd(h) && !uet_rudi_rsvd_at12(h) && !uet_rudi_rsvd(h),
              "a reserved bit of the RUDI Request is set");
    for (uint32_t i = 0; i + 1 < n; i++)
        uet_check(tc, "PDS-172", psn_of(in[i]) != psn_of(last), "pkt_id 0x%08x names two packets",
                  psn_of(last));
}

UET_TEST(
    rudi_pkt_ids_differ, .id = "pds.3.5.7.3.pkt-ids-differ",
    .requirements = "PDS-172 PDS-174 PDS-234", .role = UET_ROLE_INITIATOR, .needs = "rudi",
    .purpose = "Each outstanding RUDI packet has a pkt_id of its own; there is no PDC.",
    .preamble = "RTO long.", .stimulus = "The FEP writes 6 MTUs over RUDI; then the answers.",
    .expected =
        "RUDI Requests, those outstanding of different pkt_id; no RUD or ROD packet; it completes.")
{
    const struct uet_in *in[PACKETS];
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, PACKETS * uet_tc_dut(tc)->payload_mtu);
    uint32_t n = outstanding(tc, in);
    for (uint32_t i = 1; i <= n; i++)
        check_request(tc, in, i);
    silence(tc, "PDS-174", .kind = UET_WANT_REQUEST, .named = "a Request on a PDC",
            .within = UET_US);
    for (uint32_t i = n; i-- > 0;)
        answer_rudi(tc, in[i]); /* no order is implied */
    for (; n < PACKETS; n++)
        answer_rudi(tc, rudi_request(tc));
    completes(tc, "PDS-174", handle, UET_UT_OK);
}

UET_TEST(rudi_without_a_pdc, .id = "pds.3.5.7.3.without-a-pdc", .requirements = "PDS-174",
         .role = UET_ROLE_INITIATOR, .needs = "rudi any-request", .params = "max-pdcs",
         .purpose = "RUDI takes no PDC: it goes on where none is free.",
         .preamble = "PDCs to the FEP, until it refuses one.",
         .stimulus = "The FEP writes over RUDI.",
         .expected = "A RUDI Request; the write completes. That it comes only when a PDC may have "
                     "become free, after Close_REQ_Time, is a finding.")
{
    const uint64_t free_ns = leave_no_pdc(tc);
    uint64_t handle = rudi_writes(tc, 16), begun = uet_tc_now(tc);
    const struct uet_in *in = rudi_request(tc);
    did_not_wait(tc, "PDS-174", in, begun, free_ns);
    answer_rudi(tc, in);
    completes(tc, "PDS-174", handle, UET_UT_OK);
}

UET_TEST(rudi_resends, .id = "pds.3.5.22.resends-and-ends", .requirements = "PDS-175 PDS-177",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .contested = true,
         .purpose = "An unanswered RUDI Request comes again with its pkt_id, and not for ever.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes over RUDI; the tester stays silent.",
         .expected = "The same pkt_id after 4 ms, and twice more; then nothing, and the write "
                     "ends in error. retx=1 in the copies; retx=0 is a finding.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *first = rudi_request(tc);
    for (int i = 0; i < 3; i++) {
        const struct uet_in *copy = hear(tc, "PDS-175", RUDI_RESEND_OF(first),
                                         .within = patience(tc, uet_tc_latest(tc, RTO << i)));
        field(tc, "PDS-177", copy, UET_F_PDS_RETX, 1);
        not_before(tc, "PDS-175", first, copy, RTO);
    }
    silence(tc, "PDS-175", RUDI_RESEND_OF(first), .within = (RTO << 5) + 10 * UET_MS);
    ends_in_error(tc, "PDS-175", handle);
}

UET_TEST(rudi_no_retries, .id = "pds.3.5.22.no-retries", .requirements = "PDS-175",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .contested = true,
         .purpose = "Where Max_RTO_Retx_Cnt is 0 no RUDI Request is sent again.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 0.",
         .stimulus = "The FEP writes 16 bytes over RUDI; the tester stays silent.",
         .expected = "No resend; the operation ends in error.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 0);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *first = rudi_request(tc);
    silence(tc, "PDS-175", RUDI_RESEND_OF(first), .within = (RTO << 2) + 10 * UET_MS);
    ends_in_error(tc, "PDS-175", handle);
}

UET_TEST(
    rudi_rto_doubles, .id = "pds.3.5.22.rto-doubles", .requirements = "PDS-157",
    .role = UET_ROLE_INITIATOR, .needs = "rudi", .params = "Max_RTO_Retx_Cnt", .contested = true,
    .purpose = "The RTO of a RUDI Request grows like that of others.", .preamble = "RTO 4 ms.",
    .stimulus = "The FEP writes 16 bytes over RUDI; the tester stays silent until it has come "
                "again five times, or as often as Max_RTO_Retx_Cnt lets it.",
    .expected = "The copies 8, 16, 32 and 64 ms after the ones before; RTOs that do not double "
                "are a finding.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uint64_t most = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    if (most < 2)
        uet_skip(tc, "Max_RTO_Retx_Cnt is less than 2: no RTO follows another");
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *first = rudi_request(tc), *before = first;
    for (unsigned i = 0; i < 5 && i < most; i++) {
        const struct uet_in *copy = hear(tc, "PDS-175", RUDI_RESEND_OF(first),
                                         .within = patience(tc, uet_tc_latest(tc, RTO << i)));
        uint64_t gap = copy->time_ns - before->time_ns;
        if (i > 0 && gap < (RTO << i) - (RTO << i) / 4)
            uet_other_reading(tc, "PDS-157", "copy %u came %.3f ms after the one before", i + 1,
                              (double)gap / 1e6);
        before = copy;
    }
    answer_rudi(tc, before);
    completion_of(tc, "PDS-175", handle);
}

UET_TEST(rudi_without_end, .id = "pds.3.5.22.retries-without-end", .requirements = "PDS-159",
         .role = UET_ROLE_INITIATOR, .needs = "rudi infinite-retries", .claim_binds = true,
         .contested = true,
         .purpose = "The largest setting of Max_RTO_Retx_Cnt, 15, means retries without end over "
                    "RUDI, too.",
         .preamble = "RTO 50 us, in real time 10 us if it can be; Max_RTO_Retx_Cnt 15.",
         .stimulus = "The FEP writes 16 bytes over RUDI; the tester stays silent for 17 resends, "
                     "then answers.",
         .expected = "The 16th and the 17th resend come too; the write completes.")
{
    const uint64_t rto = retries_soon(tc);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 15);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *first = rudi_request(tc), *in = first;
    for (int i = 0; i < 17; i++)
        in = hear(tc, "PDS-159", RUDI_RESEND_OF(first),
                  .within = patience(tc, uet_tc_latest(tc, rto << i)));
    answer_rudi(tc, in);
    completes(tc, "PDS-159", handle, UET_UT_OK);
}

UET_TEST(rudi_rto_of_each, .id = "pds.3.5.22.rto-of-each", .requirements = "PDS-175",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "The RTO of a RUDI Request ends although that of another has ended before.",
         .preamble = "RTO 20 ms.",
         .stimulus = "The FEP writes 16 bytes over RUDI, and 5 ms later again. The first is "
                     "answered when it comes again, the second, too.",
         .expected = "Both pkt_ids again; both writes complete.")
{
    const uint64_t rto = 5 * RTO;
    uet_set_param(tc, "RTO_Init_Time", rto);
    uint64_t handle[2];
    handle[0] = rudi_writes(tc, 16);
    const struct uet_in *first = rudi_request(tc);
    uet_wait(tc, rto / 4);
    handle[1] = rudi_writes(tc, 16);
    const struct uet_in *second = maybe(tc, NEW_RUDI_REQUEST, .within = rto / 2);
    if (!second)
        uet_skip(tc, "the FEP lets one RUDI packet be outstanding, as it may");
    uint64_t due = patience(tc, uet_tc_latest(tc, 2 * rto));
    answer_rudi(tc, hear(tc, "PDS-175", RUDI_RESEND_OF(first), .within = due));
    const struct uet_in *copy =
        hear(tc, "PDS-175", .kind = UET_WANT_RUDI_REQUEST, .with_psn = true, .psn = psn_of(second),
             .named = "the second pkt_id again", .within = due);
    uint64_t gap = copy->time_ns - second->time_ns;
    uet_check(tc, "PDS-175", gap <= 2 * rto + uet_tc_tolerance(tc, 2 * rto),
              "the second came again after %.3f ms, the RTO is %.3f ms", (double)gap / 1e6,
              (double)rto / 1e6);
    answer_rudi(tc, copy);
    completes(tc, "PDS-175", handle[0], UET_UT_OK);
    completes(tc, "PDS-175", handle[1], UET_UT_OK);
}

UET_TEST(rudi_late_response, .id = "pds.3.5.22.late-response-ignored", .requirements = "PDS-176",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A second RUDI Response, or a late one, is ignored.", .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; its response comes twice, the second "
                     "time with an error. It writes again, and the old error comes once more "
                     "before the answer.",
         .expected = "One completion of each write, both without error; no packet in return.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out late = uet_rudi_answer(tc, in, UET_RC_BAD_INDEX);
    answer_rudi(tc, in);
    completes(tc, "PDS-176", handle, UET_UT_OK);
    say(tc, &late);
    silence(tc, "PDS-176", .named = "a packet that answers a late response");
    not_again(tc, "PDS-176", handle);
    handle = rudi_writes(tc, 16);
    in = rudi_request(tc);
    say(tc, &late);
    answer_rudi(tc, in);
    completes(tc, "PDS-176", handle, UET_UT_OK);
}

UET_TEST(rudi_response_after_the_end, .id = "pds.3.5.22.response-after-the-end",
         .requirements = "PDS-176", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A RUDI Response for an operation that was given up is ignored.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 1.",
         .stimulus = "The FEP writes 16 bytes over RUDI, unanswered until it gives up; then the "
                     "Response. It writes again, and is answered.",
         .expected = "The first write ends in error, once; no packet answers its Response. The "
                     "second completes without error.")
{
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 1);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out late = uet_rudi_answer(tc, in, UET_RC_OK);
    hear(tc, "PDS-175", RUDI_RESEND_OF(in), .within = patience(tc, uet_tc_latest(tc, RTO)));
    ends_in_error(tc, "PDS-175", handle);
    say(tc, &late);
    silence(tc, "PDS-176", .named = "a packet that answers a late response");
    not_again(tc, "PDS-176", handle);
    handle = rudi_writes(tc, 16);
    answer_rudi(tc, rudi_request(tc));
    completes(tc, "PDS-176", handle, UET_UT_OK);
}

UET_TEST(rudi_every_bit, .id = "pds.3.5.22.every-bit-of-a-pkt-id", .requirements = "PDS-176",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A RUDI Response answers the Request whose pkt_id it has in all bits.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; RUDI Responses whose pkt_id differs from "
                     "its in one bit, for each of the 32; then the right one.",
         .expected = "No completion before the right one; with it, a success.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    for (unsigned bit = 0; bit < 32; bit++) {
        struct uet_out wrong = uet_rudi_answer(tc, in, UET_RC_OK);
        uet_rudi_pkt_id_set(wrong.pds, psn_of(in) ^ 1u << bit);
        say(tc, &wrong);
    }
    stays_open(tc, "PDS-176", handle, uet_tc_latest(tc, UET_MS));
    answer_rudi(tc, in);
    completes(tc, "PDS-176", handle, UET_UT_OK);
}

UET_TEST(rudi_each_answered, .id = "pds.3.5.22.each-packet-answered", .requirements = "PDS-176",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose =
             "A message is complete when each of its packets was answered, not so many times "
             "one of them.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 3 MTUs over RUDI; the first packet is answered three times, "
                     "later the others.",
         .expected = "The write does not complete before the last answer; then once.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    const struct uet_in *in = rudi_request(tc);
    for (int i = 0; i < 3; i++)
        answer_rudi(tc, in);
    const struct uet_in *second = rudi_request(tc);
    stays_open(tc, "PDS-176", handle, UET_MS);
    answer_rudi(tc, second);
    answer_rudi(tc, rudi_request(tc));
    completes(tc, "PDS-176", handle, UET_UT_OK);
    not_again(tc, "PDS-176", handle);
}

UET_TEST(rudi_nack_resends, .id = "pds.3.5.10.10.rudi-nack-resends",
         .requirements = "PDS-179 PDS-175", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time",
         .purpose = "A NACK with nt=1 makes the source send that pkt_id again.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED, nt=1, its pkt_id, both "
                     "PDCIDs 0.",
         .expected = "The same pkt_id again after NACK_Retx_Time; answered, the write completes.")
{
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
    say(tc, &nack);
    answer_rudi(tc, hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = due));
    completes(tc, "PDS-179", handle, UET_UT_OK);
}

UET_TEST(rudi_each_lack, .id = "pds.3.5.10.10.rudi-each-lack-resends", .requirements = "PDS-179",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .params = "NACK_Retx_Time",
         .purpose = "Whatever the target lacks, the source sends that pkt_id again.",
         .preamble = "RTO long.",
         .stimulus = "For a write of 16 bytes over RUDI each: NACK UET_TRIMMED_LASTHOP, "
                     "UET_NO_PKT_BUFFER, UET_NO_SES_MSG_AVAIL and UET_NO_RESOURCE, nt=1.",
         .expected = "The same pkt_id again after NACK_Retx_Time; answered, the write completes.")
{
    static const uint8_t codes[] = {UET_NACK_TRIMMED_LASTHOP, UET_NACK_NO_PKT_BUFFER,
                                    UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    hold_rto(tc);
    for (size_t i = 0; i < sizeof codes; i++) {
        uint64_t handle = rudi_writes(tc, 16);
        const struct uet_in *in = rudi_request(tc);
        struct uet_out nack = uet_rudi_nack(tc, in, codes[i]);
        say(tc, &nack);
        answer_rudi(tc, hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = due));
        completes(tc, "PDS-179", handle, UET_UT_OK);
    }
}

UET_TEST(rudi_nack_renews_none, .id = "pds.3.5.22.nack-renews-no-retries",
         .requirements = "PDS-175", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time", .contested = true,
         .purpose = "A NACK does not give a RUDI Request its retries anew.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 3.",
         .stimulus = "The FEP writes 16 bytes over RUDI; after two copies NACK UET_NO_PKT_BUFFER, "
                     "nt=1; then silence.",
         .expected = "At most three copies by the RTO and one by the NACK; then an error.")
{
    unsigned n = 2;
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 3);
    uint64_t due = (RTO << 5) + uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")) + 10 * UET_MS;
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    for (int i = 0; i < 2; i++)
        hear(tc, "PDS-175", RUDI_RESEND_OF(in),
             .within = patience(tc, uet_tc_latest(tc, RTO << i)));
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    say(tc, &nack);
    while (n < 8 && maybe(tc, RUDI_RESEND_OF(in), .within = due))
        n++;
    uet_check(tc, "PDS-175", n <= 4, "%u copies, where Max_RTO_Retx_Cnt is 3 and one was NACKed",
              n);
    ends_in_error(tc, "PDS-175", handle);
}

UET_TEST(rudi_vendor_code, .id = "pds.3.5.10.10.rudi-vendor-code-ignored",
         .requirements = "PDS-148", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time",
         .purpose = "vendor_code has no meaning in a NACK of a RUDI Request.",
         .preamble = "RTO long.", .stimulus = "As in rudi-nack-resends, with vendor_code 0xAA.",
         .expected = "The same pkt_id again after NACK_Retx_Time; answered, the write completes.")
{
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
    uet_nack_vendor_code_set(nack.pds, 0xaa);
    say(tc, &nack);
    answer_rudi(tc, hear(tc, "PDS-148", RUDI_RESEND_OF(in), .within = due));
    completes(tc, "PDS-148", handle, UET_UT_OK);
}

UET_TEST(rudi_nacks_end, .id = "pds.3.5.22.nacks-end", .requirements = "PDS-136 PDS-179",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt holds for RUDI: after so many resends the operation fails.",
         .preamble = "Max_NACK_Retx_Cnt set to 2, RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED for every copy.",
         .expected = "Two resends, then none, and the operation ends in error.")
{
    uint64_t due = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
    for (int i = 0; i < 2; i++) {
        say(tc, &nack);
        hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = patience(tc, due));
    }
    say(tc, &nack);
    silence(tc, "PDS-136", RUDI_RESEND_OF(in), .within = 3 * due);
    ends_in_error(tc, "PDS-136", handle);
}

UET_TEST(rudi_no_nack_retries, .id = "pds.3.5.22.no-nack-retries",
         .requirements = "PDS-136 PDS-179", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time",
         .purpose = "Where Max_NACK_Retx_Cnt is 0 no NACK brings a RUDI Request again.",
         .preamble = "Max_NACK_Retx_Cnt set to 0, RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_NO_PKT_BUFFER, nt=1.",
         .expected = "No resend, and the operation ends in error.")
{
    uint64_t due = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 0);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    say(tc, &nack);
    silence(tc, "PDS-136", RUDI_RESEND_OF(in), .within = 3 * due);
    ends_in_error(tc, "PDS-136", handle);
}

UET_TEST(rudi_nacks_without_end, .id = "pds.3.5.22.nack-retries-without-end",
         .requirements = "PDS-136 PDS-179", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time", .purpose = "Max_NACK_Retx_Cnt 31 means no end over RUDI, too.",
         .preamble = "Max_NACK_Retx_Cnt set to 31, RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_NO_PKT_BUFFER, nt=1, for every "
                     "copy, 34 times; then the answer.",
         .expected = "A resend after each, and the write completes.")
{
    uint64_t due = uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time"));
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 31);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    for (int i = 0; i < 34; i++) {
        say(tc, &nack);
        hear(tc, "PDS-136", RUDI_RESEND_OF(in), .within = patience(tc, due));
    }
    answer_rudi(tc, in);
    completes(tc, "PDS-136", handle, UET_UT_OK);
}

UET_TEST(rudi_rto_after_nacks, .id = "pds.3.5.22.rto-after-nacks", .requirements = "PDS-157",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .params = "Max_RTO_Retx_Cnt NACK_Retx_Time",
         .contested = true,
         .purpose =
             "Resends over RUDI that NACKs bring are counted apart: the RTO does not grow by "
             "them.",
         .preamble = "An RTO four times NACK_Retx_Time, or 4 ms.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_NO_PKT_BUFFER, nt=1, for two "
                     "copies; then silence.",
         .expected = "The same pkt_id again within twice that RTO after the last resend.")
{
    uet_need_retries(tc);
    need_nack_resends(tc, 2);
    const uint64_t delay = uet_tc_param(tc, "NACK_Retx_Time"), due = uet_tc_latest(tc, delay);
    const uint64_t rto = 4 * due > RTO ? 4 * due : RTO;
    uet_set_param(tc, "RTO_Init_Time", rto);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc), *resent = in;
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_NO_PKT_BUFFER);
    for (int i = 0; i < 2; i++) {
        say(tc, &nack);
        resent = hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = patience(tc, due));
    }
    const struct uet_in *last =
        hear(tc, "PDS-157", RUDI_RESEND_OF(in), .within = uet_tc_latest(tc, rto << 3));
    uint64_t gap = last->time_ns - resent->time_ns;
    uet_check(tc, "PDS-157", gap <= 2 * rto + uet_tc_tolerance(tc, 2 * rto),
              "it came %.3f ms after one that a NACK had brought, the RTO is %.3f ms",
              (double)gap / 1e6, (double)rto / 1e6);
    answer_rudi(tc, last);
    completion_of(tc, "PDS-157", handle);
}

UET_TEST(rudi_copies_of_a_nack, .id = "pds.3.5.22.copies-of-a-nack",
         .requirements = "PDS-136 PDS-179", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time",
         .purpose = "Max_NACK_Retx_Cnt is of resends over RUDI, too: copies of a NACK that bring "
                    "one are one.",
         .preamble = "Max_NACK_Retx_Cnt of the FEP set to 2, NACK_Retx_Time to 20 ms where it can "
                     "be; RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED, nt=1, for its Request "
                     "four times at once.",
         .expected = "The same pkt_id again; answered, the write completes.")
{
    hold_rto(tc);
    uet_set_param(tc, "Max_NACK_Retx_Cnt", 2);
    uet_try_param(tc, "NACK_Retx_Time", 20 * UET_MS);
    uint64_t due = uet_tc_param(tc, "NACK_Retx_Time");
    if (due < UET_MS)
        uet_skip(tc, "a resend may come between the copies of the NACK");
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
    for (int i = 0; i < 4; i++)
        say(tc, &nack);
    answer_rudi(tc, hear(tc, "PDS-136", RUDI_RESEND_OF(in),
                         .within = patience(tc, uet_tc_latest(tc, due))));
    completes(tc, "PDS-136", handle, UET_UT_OK);
}

UET_TEST(rudi_late_response_and_others, .id = "pds.3.5.22.late-response-and-others",
         .requirements = "PDS-176 PDS-172", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A second RUDI Response touches no other operation, of whatever mode, and no "
                    "pkt_id.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes over RUDI, and is answered; it writes over RUD; the RUDI "
                     "Response comes again. The RUD write is acknowledged; the FEP writes twice "
                     "over RUDI.",
         .expected = "The RUD write completes with its ACK and not before; the last two have "
                     "different pkt_ids, and each completes with its answer.")
{
    struct uet_pdc *pdc;
    uint64_t rud, last[2];
    const struct uet_in *in[2];
    hold_rto(tc);
    uint64_t first = rudi_writes(tc, 16);
    struct uet_out answer = uet_rudi_answer(tc, rudi_request(tc), UET_RC_OK);
    say(tc, &answer);
    completes(tc, "PDS-176", first, UET_UT_OK);
    const struct uet_in *open = fep_writes_unanswered(tc, &pdc, &rud);
    say(tc, &answer);
    stays_open(tc, "PDS-176", rud, uet_tc_latest(tc, UET_MS));
    resume_acks(tc, open);
    completes(tc, "PDS-176", rud, UET_UT_OK);
    for (int i = 0; i < 2; i++) {
        last[i] = rudi_writes(tc, 16);
        in[i] = i == 0 ? rudi_request(tc) : maybe(tc, NEW_RUDI_REQUEST);
    }
    if (!in[1])
        uet_skip(tc, "the FEP lets one RUDI packet be outstanding, as it may");
    check_request(tc, in, 2);
    for (int i = 2; i-- > 0;) {
        answer_rudi(tc, in[i]);
        completes(tc, "PDS-176", last[i], UET_UT_OK);
    }
}

UET_TEST(rudi_nacked_again, .id = "pds.3.5.10.10.rudi-nacked-again",
         .requirements = "PDS-179 PDS-175", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time Max_NACK_Retx_Cnt",
         .purpose = "A RUDI Request that is refused again is sent again, as often as it may be.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED, nt=1, for the Request "
                     "and its copies: three times, or Max_NACK_Retx_Cnt times where that is less.",
         .expected = "The same pkt_id after each NACK; answered, the write completes.")
{
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    uint64_t most = uet_tc_param(tc, "Max_NACK_Retx_Cnt");
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    for (uint64_t i = 0; i < 3 && i < most; i++) {
        struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
        say(tc, &nack);
        in = hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = due);
    }
    answer_rudi(tc, in);
    completes(tc, "PDS-179", handle, UET_UT_OK);
}

UET_TEST(rudi_nacks_are_no_timeouts, .id = "pds.3.5.22.nacks-are-no-timeouts",
         .requirements = "PDS-175", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .params = "NACK_Retx_Time Max_NACK_Retx_Cnt",
         .purpose = "Resends of a RUDI Request that NACKs bring are none of Max_RTO_Retx_Cnt.",
         .preamble = "RTO 4 ms, Max_RTO_Retx_Cnt 2.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK UET_TRIMMED, nt=1, for the Request "
                     "and for its resend; then silence, until it comes again.",
         .expected = "The same pkt_id after each NACK, and once more by its RTO; answered, the "
                     "write completes.")
{
    if (uet_tc_param(tc, "NACK_Retx_Time") >= RTO || uet_tc_param(tc, "Max_NACK_Retx_Cnt") < 2)
        uet_skip(tc, "two NACKs bring no two resends before an RTO of 4 ms");
    uint64_t due = patience(tc, uet_tc_latest(tc, uet_tc_param(tc, "NACK_Retx_Time")));
    uet_set_param(tc, "RTO_Init_Time", RTO);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 2);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    for (int i = 0; i < 2; i++) {
        struct uet_out nack = uet_rudi_nack(tc, in, UET_NACK_TRIMMED);
        say(tc, &nack);
        in = hear(tc, "PDS-179", RUDI_RESEND_OF(in), .within = due);
    }
    answer_rudi(tc, hear(tc, "PDS-175", RUDI_RESEND_OF(in), .within = uet_tc_latest(tc, RTO << 3)));
    completes(tc, "PDS-175", handle, UET_UT_OK);
}

UET_TEST(
    rudi_arrival_only, .id = "pds.3.5.22.arrival-is-no-answer", .requirements = "SES-121",
    .contested = true, /* the row speaks of ACKs; over RUDI the Response is the acknowledgement */
    .role = UET_ROLE_INITIATOR, .needs = "rudi",
    .purpose = "UET_NO_RESPONSE, which tells arrival only, completes nothing over RUDI either.",
    .preamble = "RTO long.",
    .stimulus = "The FEP writes 16 bytes over RUDI; a RUDI Response with UET_NO_RESPONSE; then "
                "one that tells success.",
    .expected = "No completion after the first, a good one after the second.")
{
    hold_rto(tc);
    uint64_t handle = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out arrived = uet_rudi_answer(tc, in, UET_RC_NULL);
    uet_ses_rsp_opcode_set(arrived.ses, UET_RSP_NO_RESPONSE);
    say(tc, &arrived);
    stays_open(tc, "SES-121", handle, uet_tc_latest(tc, UET_MS));
    answer_rudi(tc, in);
    completes(tc, "SES-121", handle, UET_UT_OK);
}

UET_TEST(rudi_only_idempotent, .id = "pds.3.5.7.3.only-idempotent", .requirements = "PDS-180",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "RUDI is used for idempotent operations only.", .preamble = "None.",
         .stimulus = "The FEP is asked to SEND over RUDI, and then to WRITE over RUDI.",
         .expected = "The SEND is refused or goes another way; only the WRITE comes over RUDI.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle = 0;
    op.mode = UET_UT_MODE_RUDI;
    bool taken = uet_ut_send(uet_tc_ut(tc), &op, &handle) == 0;
    uint64_t write = rudi_writes(tc, 16);
    const struct uet_in *in = rudi_request(tc);
    field(tc, "PDS-180", in, UET_F_SES_OPCODE, UET_OP_WRITE);
    answer_rudi(tc, in);
    completion_of(tc, "PDS-180", write);
    uet_note(tc, "PDS-180", "a SEND over RUDI was %s", taken ? "taken" : "refused");
}

/* What is no READ and no WRITE without more. */
static bool not_twice(const struct uet_in *in, const void *none)
{
    (void)none;
    const uint8_t *s = uet_is_ses_request(&in->packet) ? uet_ses(&in->packet) : NULL;
    uint8_t opcode = s ? uet_ses_req_opcode(s) : UET_OP_NO_OP;

    return opcode != UET_OP_WRITE && opcode != UET_OP_READ;
}

/* The verbs whose operation may not be done twice. */
typedef int start_verb(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);
static start_verb *const once_only[] = {
    uet_ut_send,   uet_ut_tagged_send,     uet_ut_deferrable_send, uet_ut_deferrable_tagged_send,
    uet_ut_atomic, uet_ut_fetching_atomic, uet_ut_tagged_atomic,   uet_ut_tagged_fetching_atomic,
    uet_ut_no_op};

UET_TEST(rudi_none_but_idempotent, .id = "pds.3.5.7.3.none-but-idempotent",
         .requirements = "PDS-180", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "No operation that may not be done twice goes over RUDI.", .preamble = "None.",
         .stimulus = "The FEP is asked for sends, tagged and deferrable ones, atomics of each kind "
                     "and a NO_OP over RUDI, by all verbs that it knows.",
         .expected = "Each is refused or goes another way: over RUDI come WRITEs and READs alone.")
{
    struct uet_ut_operation op = uet_op(tc, 8);
    unsigned taken = 0;
    tolerate(tc, .kind = UET_WANT_REQUEST);
    op.mode = UET_UT_MODE_RUDI;
    op.key = KEY_IDEMPOTENT | 0x180;
    op.amo = UET_AMO_SUM;
    op.datatype = UET_TYPE_UINT64;
    for (size_t i = 0; i < sizeof once_only / sizeof *once_only; i++) {
        uint64_t handle = 0;
        taken += once_only[i](uet_tc_ut(tc), &op, &handle) == 0;
    }
    uet_note(tc, "PDS-180", "%u of them were taken", taken);
    silence(tc, "PDS-180", RUDI_REQUEST, .also = not_twice,
            .named = "RUDI Request of what may not be done twice");
}

UET_TEST(rudi_ids_of_long_messages, .id = "pds.3.5.7.3.pkt-ids-of-long-messages",
         .requirements = "PDS-172", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "The last packets of a long message share no pkt_id with the next message.",
         .preamble = "RTO long.",
         .stimulus = "The FEP writes 258 MTUs over RUDI; all but the last two packets are "
                     "answered; it writes 16 bytes.",
         .expected = "Three different pkt_ids; answered, both writes complete.")
{
    const struct uet_in *in[3];
    hold_rto(tc);
    uint64_t first = rudi_writes(tc, 258u * uet_tc_dut(tc)->payload_mtu);
    for (int i = 0; i < 256; i++)
        answer_rudi(tc, rudi_request(tc));
    in[0] = rudi_request(tc);
    in[1] = maybe(tc, NEW_RUDI_REQUEST);
    if (!in[1])
        uet_skip(tc, "the FEP lets one RUDI packet be outstanding, as it may");
    uint64_t second = rudi_writes(tc, 16);
    in[2] = maybe(tc, NEW_RUDI_REQUEST);
    if (in[2])
        check_request(tc, in, 3);
    for (int i = 0; i < 3; i++)
        answer_rudi(tc, in[i] ? in[i] : rudi_request(tc));
    completes(tc, "PDS-172", first, UET_UT_OK);
    completes(tc, "PDS-172", second, UET_UT_OK);
}

/* A WRITE over RUDI for a job that no other test has; its Request, or NULL. */
static const struct uet_in *new_job_writes(struct uet_tc *tc, uint32_t job, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63; /* idempotent_safe (Table 2-13) */
    op.job_id += 0x20 + job;
    return uet_ut_write(uet_tc_ut(tc), &op, handle) == 0 ? maybe(tc, NEW_RUDI_REQUEST) : NULL;
}

UET_TEST(rudi_ids_of_two_jobs, .id = "pds.3.5.7.3.pkt-ids-of-two-jobs", .requirements = "PDS-172",
         .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .purpose = "A pkt_id is unique in the FEP, not in a job.", .preamble = "RTO long.",
         .stimulus = "The FEP writes over RUDI for two jobs that have not written before; then "
                     "the answers.",
         .expected = "Two pkt_ids; both writes complete.")
{
    const struct uet_in *in[2];
    uint64_t handle[2];
    hold_rto(tc);
    for (uint32_t i = 0; i < 2; i++) {
        in[i] = new_job_writes(tc, i, &handle[i]);
        if (!in[i])
            uet_skip(tc, "the FEP does not write for another job meanwhile");
    }
    check_request(tc, in, 2);
    for (int i = 2; i-- > 0;) {
        answer_rudi(tc, in[i]);
        completes(tc, "PDS-172", handle[i], UET_UT_OK);
    }
}
