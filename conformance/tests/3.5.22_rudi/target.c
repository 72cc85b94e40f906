/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.3, 3.5.10.9: a RUDI target answers every copy and remembers none. */
#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/tests/pds_target.h"
#include "conformance/tests/rudi.h"
#include "conformance/tests/without_pdc.h"

UET_TEST(rudi_answered, .id = "pds.3.5.7.3.answered", .requirements = "PDS-173 PDS-234",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "A RUDI Request gets a RUDI Response with its pkt_id, and no PDS ACK.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE of 64 bytes.",
         .expected = "RUDI Response, the same pkt_id, a success; the bytes are in the region; no "
                     "ACK, no CP.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    const uint8_t *data = uet_tc_bytes(tc, 64);
    struct uet_out o = uet_rudi_write(tc, &m, 0, data, 64);
    const struct uet_in *in = ask_rudi(tc, "PDS-173", &o);
    const uint8_t *h = uet_pds(&in->packet);
    uet_check_success(tc, "PDS-173", in);
    uet_check(tc, "PDS-234", !uet_rudi_resp_rsvd(h) && !uet_rudi_rsvd_at12(h) && !uet_rudi_rsvd(h),
              "a reserved bit of the RUDI Response is set");
    silence(tc, "PDS-173", .kind = UET_WANT_RUDI_RESPONSE, .named = "a second RUDI Response");
    memory_holds(tc, "PDS-173", &m, 0, data, 64);
    silence(tc, "PDS-173", ACK_ON(NULL));
    silence(tc, "PDS-173", .kind = UET_WANT_CP, .within = UET_US);
}

UET_TEST(rudi_each_packet_answered, .id = "pds.3.5.7.3.each-packet-answered",
         .requirements = "SES-087 PDS-173", .role = UET_ROLE_TARGET,
         .needs = "rudi write upper-tester",
         .purpose = "Each packet of a message has a RUDI Response of its own.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE of three packets, each when the one before is answered; another "
                     "one, its last packet first, all in one go.",
         .expected = "A RUDI Response to each pkt_id, a success; the bytes are in the region.")
{
    struct uet_out o[3];
    uint32_t n = 2u * uet_tc_dut(tc)->payload_mtu + 64;
    struct uet_memory m = uet_need_idempotent(tc, n);
    const uint8_t *data = uet_tc_bytes(tc, n);
    uet_rudi_message(tc, UET_OP_WRITE, &m, uet_tc_bytes(tc, n), n, o, 3);
    for (size_t i = 0; i < 3; i++)
        uet_check_success(tc, "SES-087", ask_rudi(tc, "SES-087", &o[i]));
    uet_rudi_message(tc, UET_OP_WRITE, &m, data, n, o, 3);
    for (size_t i = 3; i-- > 0;)
        say(tc, &o[i]);
    for (size_t i = 0; i < 3; i++)
        uet_check_success(tc, "SES-087", hear(tc, "SES-087", RUDI_RESPONSE_TO(&o[i])));
    silence(tc, "PDS-173", .kind = UET_WANT_RUDI_RESPONSE, .named = "a fourth RUDI Response");
    memory_holds(tc, "PDS-173", &m, 0, data, n);
}

UET_TEST(rudi_every_copy_answered, .id = "pds.3.5.7.3.every-copy-answered",
         .requirements = "PDS-005", .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "RUDI delivers at least once: the target has no filter for duplicates.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "One RUDI WRITE, again unchanged, again with retx=1, and once more after "
                     "other bytes were put in the same place.",
         .expected = "A RUDI Response each, with that pkt_id; the bytes are there again.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "RUDI 1st", 8),
                   other = uet_rudi_write(tc, &m, 0, "in betw.", 8);
    for (int i = 0; i < 2; i++)
        ask_rudi(tc, "PDS-005", &o);
    say_again(tc, &o);
    hear(tc, "PDS-005", RUDI_RESPONSE_TO(&o));
    ask_rudi(tc, "PDS-005", &other);
    say_again(tc, &o);
    uet_check_success(tc, "PDS-005", hear(tc, "PDS-005", RUDI_RESPONSE_TO(&o)));
    memory_holds(tc, "PDS-005", &m, 0, "RUDI 1st", 8); /* the copy was executed */
}

UET_TEST(rudi_echoes_ce, .id = "pds.3.5.10.9.response-echoes-ce", .requirements = "PDS-178",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "m of a RUDI Response tells the CE mark of its Request.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE with ECN CE, one with ECT(0).", .expected = "m=1, then m=0.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    for (unsigned ce = 2; ce-- > 0;) {
        struct uet_out o = uet_rudi_write(tc, &m, 0, "congested", 9);
        o.route.ecn = ce ? UET_ECN_CE : UET_ECN_ECT0;
        field(tc, "PDS-178", ask_rudi(tc, "PDS-178", &o), UET_F_PDS_M, ce);
    }
}

UET_TEST(rudi_echoes_retx, .id = "pds.3.5.10.9.response-echoes-retx", .requirements = "PDS-177",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester", .contested = true,
         .purpose = "retx of a RUDI Response tells that its Request was a retransmission.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE; the same again with retx=1.",
         .expected = "retx=0, then retx=1.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "again", 5);
    field(tc, "PDS-177", ask_rudi(tc, "PDS-173", &o), UET_F_PDS_RETX, 0);
    say_again(tc, &o);
    field(tc, "PDS-177", hear(tc, "PDS-005", RUDI_RESPONSE_TO(&o)), UET_F_PDS_RETX, 1);
}

UET_TEST(rudi_answers_on_control, .id = "pds.3.6.4.7.response-on-control",
         .requirements = "PDS-237", .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .params = "dscp-control", .purpose = "RUDI Responses leave on DSCP_CONTROL.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE with another DSCP.",
         .expected = "The Response has the DSCP of control; another one is a finding.")
{
    uint64_t control = uet_tc_param(tc, "dscp-control");
    struct uet_memory m = uet_need_idempotent(tc, 64);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "control", 7);
    o.route.dscp = control == 0 ? 1 : 0;
    const struct uet_in *in = ask_rudi(tc, "PDS-237", &o);
    uet_check_eq(tc, "PDS-237", "ip.dscp", uet_dscp(&in->packet), control);
}

UET_TEST(rudi_needs_no_pdc, .id = "pds.3.5.7.3.served-without-a-pdc", .requirements = "PDS-174",
         .role = UET_ROLE_TARGET, .needs = "rudi rud write any-request upper-tester",
         .params = "max-pdcs", .purpose = "RUDI uses no PDC: it is served when all are in use.",
         .preamble = "All PDCs of the FEP are opened, until a SYN is refused.",
         .stimulus = "A RUDI WRITE.", .expected = "Its RUDI Response, a success.")
{
    struct uet_memory m = uet_need_idempotent(tc, 64);
    /* A FEP may ask for the close of a PDC now; it must not lose patience before the answer. */
    close_req_long(tc);
    use_up_pdcs(tc);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "no PDC", 6);
    uet_check_success(tc, "PDS-174", ask_rudi(tc, "PDS-174", &o));
}

UET_TEST(rudi_needs_safe_region, .id = "ses.2.rudi-needs-a-safe-region", .requirements = "SES-086",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "RUDI touches only regions whose key has idempotent_safe (bit 63).",
         .preamble = "A writable region whose key has not.",
         .stimulus = "A RUDI WRITE of 8 bytes to it.",
         .expected = "RUDI Response with RC_OP_VIOLATION; the region is as it was.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct kept before = keep(tc, &m, 0, 8);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "not safe", 8);
    uet_check_return_code(tc, "SES-086", ask_rudi(tc, "SES-086", &o), UET_RC_OP_VIOLATION);
    unchanged(tc, "SES-086", &before);
}

UET_TEST(rudi_part_needs_safe, .id = "ses.2.rudi-needs-a-safe-region-in-each-packet",
         .requirements = "SES-086", .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "Each packet of a RUDI message is held against the key of its region.",
         .preamble = "A writable region whose key has not idempotent_safe.",
         .stimulus = "The second packet, and then the first, of a RUDI WRITE of two to it.",
         .expected = "RUDI Responses with RC_OP_VIOLATION; the region is as it was.")
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = mtu + 64;
    struct uet_memory m = uet_need_memory(tc, n);
    struct kept first = keep(tc, &m, 0, 64), second = keep(tc, &m, mtu, 64);
    struct uet_out o[2];
    uet_rudi_message(tc, UET_OP_WRITE, &m, uet_tc_bytes(tc, n), n, o, 2);
    for (int i = 1; i >= 0; i--)
        uet_check_return_code(tc, "SES-086", ask_rudi(tc, "SES-086", &o[i]), UET_RC_OP_VIOLATION);
    unchanged(tc, "SES-086", &first);
    unchanged(tc, "SES-086", &second);
}

UET_TEST(rudi_read_needs_safe, .id = "ses.2.rudi-read-needs-a-safe-region",
         .requirements = "SES-086", .role = UET_ROLE_TARGET, .needs = "rudi read upper-tester",
         .purpose = "A RUDI READ touches only regions whose key has idempotent_safe (bit 63).",
         .preamble = "A readable region whose key has not.",
         .stimulus = "A RUDI READ of 8 bytes from it.",
         .expected = "RUDI Response with RC_OP_VIOLATION.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = uet_rudi_read(tc, &m, 0, 8);
    uet_check_return_code(tc, "SES-086", ask_rudi(tc, "SES-086", &o), UET_RC_OP_VIOLATION);
}

/* The answer to what touches no byte of a region that is not safe. */
static void needs_safe_region(struct uet_tc *tc, const struct uet_out *o, const char *what)
{
    const struct uet_in *in = ask_rudi(tc, "SES-086", o);

    if (tells_success(in))
        uet_other_reading(tc, "SES-086", "%s of 0 bytes is a success, whatever its key", what);
    else
        uet_check_return_code(tc, "SES-086", in, UET_RC_OP_VIOLATION);
}

UET_TEST(rudi_empty_needs_safe, .id = "ses.2.rudi-of-no-bytes-needs-a-safe-region",
         .requirements = "SES-086", .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .contested = true, /* nothing says that no bytes are an access */
         .purpose = "A RUDI Request of no bytes names a region, too: it must be idempotent_safe.",
         .preamble = "A region whose key is not.",
         .stimulus = "A RUDI WRITE of 0 bytes, and where READ is claimed a RUDI READ of 0 bytes.",
         .expected = "RUDI Responses with RC_OP_VIOLATION. A FEP that does not look at the key "
                     "where nothing is touched is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out write = uet_rudi_write(tc, &m, 0, "", 0);
    needs_safe_region(tc, &write, "a RUDI WRITE");
    if (!uet_tc_dut(tc)->claims[UET_PICS_READ])
        return;
    struct uet_out read = uet_rudi_read(tc, &m, 0, 0);
    needs_safe_region(tc, &read, "a RUDI READ");
}

UET_TEST(rudi_key_made_safe, .id = "ses.2.rudi-key-made-safe", .requirements = "SES-086",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "Bit 63 counts in the key of the region, not in that of the packet.",
         .preamble = "A writable region whose key has it not.",
         .stimulus = "A RUDI WRITE of 8 bytes with that key and bit 63.",
         .expected = "RUDI Response with an error; the region is as it was.")
{
    struct uet_memory m = uet_need_memory(tc, 64), safe = m;
    struct kept before = keep(tc, &m, 0, 8);
    safe.key |= 1ull << 63;
    struct uet_out o = uet_rudi_write(tc, &safe, 0, "not safe", 8);
    uet_check(tc, "SES-086", is_error_response(ask_rudi(tc, "SES-086", &o)),
              "a key that names no safe region was taken");
    unchanged(tc, "SES-086", &before);
}

UET_TEST(rudi_takes_no_send, .id = "ses.3.5.7.3.no-send-on-rudi", .requirements = "SES-089",
         .role = UET_ROLE_TARGET, .needs = "rudi send upper-tester", .contested = true,
         .purpose = "What may not be done twice is refused on RUDI.",
         .preamble = "A receive buffer posted.", .stimulus = "A RUDI Request with UET_SEND to it.",
         .expected =
             "RUDI Response with an error; nothing is delivered. To execute it all the same "
             "is a finding.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "only once", 9);
    uet_ses_req_opcode_set(o.ses, UET_OP_SEND);
    if (is_error_response(ask_rudi(tc, "SES-089", &o)))
        stays_open(tc, "SES-089", m.handle, 0); /* the SEND is not delivered */
    else
        uet_other_reading(tc, "SES-089", "the SEND was executed, not refused");
}

/* A send in another form as a RUDI Request: refused, and the receive stays. False: it is used up.
 */
static bool send_over_rudi(struct uet_tc *tc, const struct uet_memory *m, uint64_t receive,
                           const struct uet_out *like, uint8_t next_hdr)
{
    struct uet_out o = uet_rudi_write(tc, m, 0, like->payload, like->payload_len);

    take_form(&o, like);
    uet_rudi_next_hdr_set(o.pds, next_hdr);
    const bool refused = is_error_response(ask_rudi(tc, "SES-089", &o));
    if (refused)
        stays_open(tc, "SES-089", receive, 0);
    else
        uet_other_reading(tc, "SES-089", "the send was executed, not refused");
    return refused;
}

UET_TEST(rudi_takes_no_other_send, .id = "ses.3.5.7.3.no-other-send-on-rudi",
         .requirements = "SES-089", .role = UET_ROLE_TARGET, .needs = "rudi send upper-tester",
         .contested = true,
         .purpose = "No send is taken on RUDI: not in a short form either, deferrable or tagged.",
         .preamble = "Receives posted.",
         .stimulus = "RUDI Requests with a SEND with the small and the medium header, a tagged and "
                     "a deferrable send, as far as they are claimed.",
         .expected = "RUDI Responses with an error; nothing is delivered. To execute one all the "
                     "same is a finding.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *none = lending_pdc(tc);
    for (const struct send_form *f = NULL; (f = next_form(tc, f));) {
        const struct uet_out o = f->send(none, &m, "only once");
        if (!send_over_rudi(tc, &m, m.handle, &o, f->next_hdr))
            return;
    }
    if (!uet_tc_dut(tc)->claims[UET_PICS_TAGGED])
        return;
    struct uet_memory t = uet_need_tagged(tc);
    uint64_t receive = tag_receive(tc, &t, .match_bits = 0x89);
    const struct uet_out o = tagged_send(none, &t, 0x89);
    (void)send_over_rudi(tc, &t, receive, &o, UET_NH_REQUEST_STD);
}

UET_TEST(rudi_takes_no_datagram, .id = "ses.3.4.6.2.datagram-send-on-rudi",
         .requirements = "SES-038", .role = UET_ROLE_TARGET, .needs = "rudi send upper-tester",
         .purpose = "UET_DATAGRAM_SEND belongs on UUD only, not on RUDI.",
         .preamble = "A receive posted.", .stimulus = "UET_DATAGRAM_SEND over RUDI.",
         .expected = "RUDI Response with an error; the receive stays. Silence is a finding.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out o = uet_rudi_write(tc, &m, 0, "datagram", 8);
    uet_ses_req_opcode_set(o.ses, UET_OP_DATAGRAM_SEND);
    say(tc, &o);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(&o));
    if (!in)
        uet_other_reading(tc, "SES-038", "UET_DATAGRAM_SEND over RUDI is not answered");
    else
        uet_check(tc, "SES-038", is_error_response(in), "UET_DATAGRAM_SEND is taken over RUDI");
    stays_open(tc, "SES-038", m.handle, 0);
}

/* The atomic as a RUDI Request. */
static struct uet_out over_rudi(struct uet_tc *tc, const struct uet_memory *m,
                                const struct uet_atomic *a)
{
    const struct uet_out like = uet_atomic(lending_pdc(tc), m, 0, a);
    struct uet_out o = uet_rudi_write(tc, m, 0, like.payload, like.payload_len);

    take_form(&o, &like);
    return o;
}

UET_TEST(rudi_takes_no_atomic, .id = "ses.3.5.7.3.no-atomic-on-rudi", .requirements = "SES-089",
         .role = UET_ROLE_TARGET, .needs = "rudi any-request upper-tester", .contested = true,
         .purpose = "No atomic is done on RUDI, even in memory that may be written twice.",
         .preamble = "Memory whose key has idempotent_safe.",
         .stimulus = "RUDI Requests with the SUMs of UINT64 that the FEP claims, fetching or not.",
         .expected = "RUDI Responses with an error; the memory is as before. To execute it all the "
                     "same is a finding.")
{
    struct source s = need_source_with_key(tc, 64, KEY_IDEMPOTENT | 0x79);
    const uint64_t one = UINT64_C(1) << 56;
    if (!claims_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64))
        need_fetching_sum(tc);
    for (int plain = 0; plain < 2; plain++) {
        const struct uet_atomic sum = {.amo = UET_AMO_SUM,
                                       .datatype = UET_TYPE_UINT64,
                                       .operand = &one,
                                       .n = 8,
                                       .plain = plain};
        if (!claims_atomic(tc, plain, UET_AMO_SUM, UET_TYPE_UINT64))
            continue;
        struct kept k = keep(tc, &s.m, 0, 64);
        struct uet_out o = over_rudi(tc, &s.m, &sum);
        if (is_error_response(ask_rudi(tc, "SES-089", &o)))
            unchanged(tc, "SES-089", &k);
        else
            uet_other_reading(tc, "SES-089", "the atomic was executed, not refused");
    }
}
