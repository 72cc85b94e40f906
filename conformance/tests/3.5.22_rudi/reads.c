/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.3, 3.5.22: reads over RUDI, whose data is in the RUDI Response. */
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/tests/rudi.h"

/* The Response brings n bytes of the memory. */
static void check_response(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                           const struct source *s, uint32_t offset, uint32_t n)
{
    uet_look_at(tc, in);
    if (uet_check(tc, requirement, uet_is_ses_response_data(&in->packet),
                  "the RUDI Response carries no read data"))
        check_data(tc, requirement, in, s, offset, n);
}

UET_TEST(rudi_read, .id = "pds.3.5.7.3.read", .requirements = "PDS-173 PDS-005 SES-078 SES-007",
         .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .purpose = "A RUDI READ is answered with its data in the RUDI Response, each copy anew.",
         .preamble = "Memory whose key is idempotent_safe.",
         .stimulus = "RUDI READs of 8 bytes and of a payload MTU; the second again with retx=1.",
         .expected = "RUDI Responses with those pkt_ids, next_hdr RESPONSE_DATA, and the bytes; "
                     "no Request on a PDC.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct source s = need_source_with_key(tc, mtu + 8, KEY_IDEMPOTENT | 0x77);
    struct uet_out few = uet_rudi_read(tc, &s.m, mtu, 8), many = uet_rudi_read(tc, &s.m, 0, mtu);
    const struct uet_in *in = ask_rudi(tc, "PDS-173", &few);
    check_response(tc, "PDS-173", in, &s, mtu, 8);
    field(tc, "SES-007", in, UET_F_PDS_NEXT_HDR, UET_NH_RESPONSE_DATA);
    uet_check_eq(tc, "SES-078", "ses.read_request_message_id", uet_ses_data_request(&in->packet),
                 uet_ses_req_std_message_id(few.ses));
    silence(tc, "PDS-173", .kind = UET_WANT_RUDI_RESPONSE, .within = UET_MS);
    check_response(tc, "PDS-173", ask_rudi(tc, "PDS-173", &many), &s, 0, mtu);
    say_again(tc, &many);
    check_response(tc, "PDS-005", hear(tc, "PDS-005", RUDI_RESPONSE_TO(&many)), &s, 0, mtu);
}

UET_TEST(rudi_data_on_control, .id = "pds.3.6.4.7.data-response-on-control",
         .requirements = "PDS-237", .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .params = "dscp-control",
         .purpose = "A RUDI Response with a little data leaves on DSCP_CONTROL like others.",
         .preamble = "Memory whose key is idempotent_safe.",
         .stimulus = "A RUDI READ of 8 bytes with another DSCP.",
         .expected = "The Response has the DSCP of control; another one is a finding.")
{
    uint64_t control = uet_tc_param(tc, "dscp-control");
    struct source s = need_source_with_key(tc, 64, KEY_IDEMPOTENT | 0x77);
    struct uet_out o = uet_rudi_read(tc, &s.m, 0, 8);
    o.route.dscp = control == 0 ? 1 : 0;
    const struct uet_in *in = ask_rudi(tc, "PDS-237", &o);
    uet_check_eq(tc, "PDS-237", "ip.dscp", uet_dscp(&in->packet), control);
}

UET_TEST(rudi_read_in_parts, .id = "pds.3.5.7.3.read-in-parts", .requirements = "SES-087 PDS-173",
         .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .purpose = "Each packet of a READ has a RUDI Response of its own, with its data.",
         .preamble = "Memory whose key is idempotent_safe.",
         .stimulus = "A RUDI READ of three packets, the last one first, all in one go.",
         .expected = "A RUDI Response to each pkt_id, with the bytes that it asks for.")
{
    struct uet_out o[3];
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + 64;
    struct source s = need_source_with_key(tc, n, KEY_IDEMPOTENT | 0x77);
    uet_rudi_message(tc, UET_OP_READ, &s.m, NULL, n, o, 3);
    for (size_t i = 3; i-- > 0;)
        say(tc, &o[i]);
    for (uint32_t i = 0; i < 3; i++)
        check_response(tc, "SES-087", hear(tc, "SES-087", RUDI_RESPONSE_TO(&o[i])), &s, i * mtu,
                       i < 2 ? mtu : 64);
}

UET_TEST(rudi_read_anew, .id = "pds.3.5.7.3.read-anew", .requirements = "SES-088",
         .role = UET_ROLE_TARGET, .needs = "rudi read write upper-tester",
         .purpose = "A RUDI READ that comes again reads again: no response of it is kept.",
         .preamble = "Memory whose key is idempotent_safe.",
         .stimulus = "A RUDI READ of 8 bytes; a RUDI WRITE over them; the READ with retx=1.",
         .expected = "RUDI Responses with what stands there each time.")
{
    struct source s = need_source_with_key(tc, 64, KEY_IDEMPOTENT | 0x77);
    struct source now = {.m = s.m, .bytes = (const uint8_t *)"written."};
    struct uet_out read = uet_rudi_read(tc, &s.m, 0, 8);
    struct uet_out write = uet_rudi_write(tc, &s.m, 0, now.bytes, 8);
    check_response(tc, "PDS-173", ask_rudi(tc, "PDS-173", &read), &s, 0, 8);
    uet_check_success(tc, "PDS-173", ask_rudi(tc, "PDS-173", &write));
    say_again(tc, &read);
    check_response(tc, "SES-088", hear(tc, "SES-088", RUDI_RESPONSE_TO(&read)), &now, 0, 8);
}

UET_TEST(rudi_read_echoes_ce, .id = "pds.3.5.10.9.read-response-echoes-ce",
         .requirements = "PDS-178", .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .purpose = "m of a RUDI Response that brings data tells the CE mark of its Request.",
         .preamble = "Memory whose key is idempotent_safe.",
         .stimulus = "A RUDI READ with ECN CE, one with ECT(0).",
         .expected = "Data each time; m=1, then m=0.")
{
    struct source s = need_source_with_key(tc, 64, KEY_IDEMPOTENT | 0x77);
    for (unsigned ce = 2; ce-- > 0;) {
        struct uet_out o = uet_rudi_read(tc, &s.m, 0, 64);
        o.route.ecn = ce ? UET_ECN_CE : UET_ECN_ECT0;
        const struct uet_in *in = ask_rudi(tc, "PDS-178", &o);
        check_response(tc, "PDS-173", in, &s, 0, 64);
        field(tc, "PDS-178", in, UET_F_PDS_M, ce);
    }
}

UET_TEST(rudi_read_unsafe, .id = "pds.3.5.7.3.read-of-unsafe-memory", .requirements = "SES-086",
         .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .purpose = "RUDI reads only what is idempotent_safe.",
         .preamble = "Memory whose key is not idempotent_safe.", .stimulus = "A RUDI READ of it.",
         .expected = "A RUDI Response with an error, no data.")
{
    struct source s = need_source(tc, 64);
    struct uet_out o = uet_rudi_read(tc, &s.m, 0, 64);
    const struct uet_in *in = ask_rudi(tc, "SES-086", &o);
    uet_check(tc, "SES-086", uet_is_ses_response(&in->packet), "the READ brings data");
    field_at_least(tc, "SES-086", in, UET_F_SES_RETURN_CODE, UET_RC_OK + 1);
}

static bool is_another(const struct uet_in *in, const void *first)
{
    return psn_of(in) != psn_of(first);
}

/* The FEP reads so much over RUDI. */
static struct fep_read rudi_read_of(struct uet_tc *tc, uint32_t n, size_t packets)
{
    struct uet_ut_operation op = uet_op(tc, n);
    struct fep_read r = {.n = n, .bytes = uet_tc_bytes(tc, n), .count = packets};

    op.mode = UET_UT_MODE_RUDI;
    op.key |= KEY_IDEMPOTENT;
    r.handle = uet_do_read(tc, &op);
    return r;
}

/* The FEP reads two payload MTUs over RUDI: its two Requests. */
static struct fep_read rudi_reads(struct uet_tc *tc)
{
    struct fep_read r = rudi_read_of(tc, 2u * uet_tc_dut(tc)->payload_mtu, 2);
    r.in[0] = hear(tc, "PDS-174", RUDI_REQUEST);
    r.in[1] = maybe(tc, RUDI_REQUEST, .also = is_another, .ctx = r.in[0],
                    .within = uet_tc_latest(tc, UET_MS));
    if (!r.in[1])
        uet_skip(tc, "the FEP lets one RUDI packet be outstanding");
    return r;
}

/* It carries nothing and asks for so much. */
static void check_asks_for(struct uet_tc *tc, const struct uet_in *in, uint32_t n)
{
    uet_look_at(tc, in);
    uet_check_eq(tc, "SES-071", "bytes of payload", in->packet.payload_len, 0);
    uet_check_eq(tc, "SES-071", "bytes asked for", uet_read_asked(tc, in), n);
}

UET_TEST(rudi_read_initiator, .id = "pds.3.5.22.read", .requirements = "PDS-174 PDS-175 SES-071",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .params = "RTO_Init_Time",
         .purpose = "A RUDI read takes its data from the Responses, and asks again for what is "
                    "missing.",
         .preamble = "None.",
         .stimulus = "The FEP reads two payload MTUs over RUDI; the second Response comes, the "
                     "first is lost, and comes for the copy.",
         .expected = "Two RUDI Requests of UET_READ without payload; the first again with its "
                     "pkt_id; then the read completes.")
{
    struct fep_read r = rudi_reads(tc);
    for (size_t i = 0; i < r.count; i++)
        check_asks_for(tc, r.in[i], r.n / 2);
    struct uet_out second = uet_rudi_answer_data(tc, r.in[1], r.bytes);
    say(tc, &second);
    check_open(tc, "PDS-175", &r);
    const struct uet_in *copy =
        hear(tc, "PDS-175", RUDI_RESEND_OF(r.in[0]), .within = patience(tc, one_rto(tc)));
    struct uet_out first = uet_rudi_answer_data(tc, copy, r.bytes);
    say(tc, &first);
    tolerate(tc, RUDI_REQUEST);
    check_read(tc, "PDS-174", &r);
}

UET_TEST(rudi_read_without_data, .id = "rob.3.5.22.success-without-data", .requirements = "ROB-020",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", .preamble = "RTO long.",
         .purpose = "A RUDI read does not succeed by Responses that have none of its data.",
         .stimulus = "The FEP reads two payload MTUs over RUDI; each Request is answered by a RUDI "
                     "Response that tells success, without data.",
         .expected = "A completion that is no success, or none.", .once = "its READ may stay open")
{
    hold_rto(tc);
    struct fep_read r = rudi_reads(tc);
    for (size_t i = 0; i < r.count; i++) {
        struct uet_out answer = uet_rudi_answer(tc, r.in[i], UET_RC_OK);
        say(tc, &answer);
    }
    must_not_succeed(tc, "ROB-020", r.handle);
}

UET_TEST(rudi_ids_of_a_read_and_a_write, .id = "pds.3.5.7.3.pkt-ids-of-a-read-and-a-write",
         .requirements = "PDS-172", .role = UET_ROLE_INITIATOR, .needs = "rudi",
         .preamble = "RTO long.",
         .purpose = "A pkt_id is unique among all RUDI packets, whatever they ask for.",
         .stimulus = "The FEP writes and reads over RUDI; the read is answered, then the write.",
         .expected = "Two RUDI Requests of different pkt_ids; each completes with its answer.")
{
    hold_rto(tc);
    uint64_t write = rudi_writes(tc, 16);
    const struct uet_in *written = rudi_request(tc);
    struct fep_read r = rudi_read_of(tc, 16, 1);
    r.in[0] = maybe(tc, NEW_RUDI_REQUEST);
    if (!r.in[0])
        uet_skip(tc, "the FEP lets one RUDI packet be outstanding, as it may");
    uet_look_at(tc, r.in[0]);
    uet_check(tc, "PDS-172", psn_of(r.in[0]) != psn_of(written),
              "pkt_id 0x%08x names a read and a write", psn_of(written));
    struct uet_out data = uet_rudi_answer_data(tc, r.in[0], r.bytes);
    say(tc, &data);
    check_read(tc, "PDS-172", &r);
    answer_rudi(tc, written);
    completes(tc, "PDS-172", write, UET_UT_OK);
}
