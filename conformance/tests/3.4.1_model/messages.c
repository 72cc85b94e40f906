/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.5 to 3.4.1.11: messages of several packets, and immediate data. */
#include "conformance/tests/ses.h"

#define MAX_PACKETS 8

/* Three packets: two full ones and a rest. */
static uint32_t three_packets(const struct uet_tc *tc)
{
    return uet_tc_dut(tc)->payload_mtu * 2u + 100u;
}

static void all_acknowledged(struct uet_tc *tc, const struct uet_pdc *pdc, uint32_t last)
{
    uet_expect_covered(tc, pdc, last);
}

UET_TEST(any_order_on_rud, .id = "ses.3.4.1.7.any-order-on-rud", .requirements = "SES-044 SES-013",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "The packets of a WRITE may arrive in any order; each is placed by its offset.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of three packets at buffer_offset 100, sent as 3, 1, 2, all ar=1.",
         .expected = "All acknowledged without error; the region holds the message at offset 100.")
{
    uint32_t n = three_packets(tc);
    struct uet_memory m = uet_need_memory(tc, n + 200);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    const uint8_t *data = uet_tc_bytes(tc, n);
    struct uet_out o[MAX_PACKETS];
    size_t count = uet_message(pdc, UET_OP_WRITE, &m, 100, data, n, o, MAX_PACKETS);
    static const size_t order[] = {2, 0, 1};
    uet_for(tc, "SES-044");
    for (size_t i = 0; i < 3 && i < count; i++) {
        uet_rud_rod_req_ar_set(o[order[i]].pds, true);
        uet_send(tc, &o[order[i]]);
        const struct uet_in *in = uet_expect_ack(tc, pdc, o[order[i]].psn);
        if (uet_is_ses_response(&in->packet))
            uet_check(tc, "SES-044", uet_ses_rsp_return_code(uet_ses(&in->packet)) <= UET_RC_OK,
                      "an out-of-order packet of a WRITE was refused");
    }
    memory_holds(tc, "SES-013", &m, 100, data, n);
}

UET_TEST(mtu_4096, .id = "ses.3.4.1.11.payload-mtu-4096", .requirements = "SES-172",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A FEP works at a Payload MTU of 4096.",
         .preamble = "The FEP is set to 4096 (fep.yaml: payload_mtu); a region; PDC open.",
         .stimulus = "A WRITE of two packets, the first with 4096 bytes.",
         .expected = "Both are acknowledged without error, and memory holds them.")
{
    if (uet_tc_dut(tc)->payload_mtu != 4096)
        uet_skip(tc, "the FEP is set to a Payload MTU of %u, this test needs 4096",
                 uet_tc_dut(tc)->payload_mtu);
    uint32_t n = 4096 + 100;
    struct uet_memory m = uet_need_memory(tc, n);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    const uint8_t *data = uet_tc_bytes(tc, n);
    struct uet_out o[2];
    uet_message(pdc, UET_OP_WRITE, &m, 0, data, n, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    accepted(tc, "SES-172", &o[0]);
    accepted(tc, "SES-172", &o[1]);
    memory_holds(tc, "SES-172", &m, 0, data, n);
}

UET_TEST(first_packet_of_odd_size, .id = "ses.3.4.1.7.first-packet-of-odd-size",
         .requirements = "SES-045", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A first packet must carry the whole message or one Payload MTU.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with SOM=1, EOM=0, request_length of two MTUs, MTU-1 bytes of payload.",
         .expected = "An error response.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_write(pdc, &m, 0, uet_tc_bytes(tc, mtu - 1), mtu - 1);
    uet_ses_req_eom_set(o.ses, false);
    uet_ses_req_std_request_length_set(o.ses, 2 * mtu);
    is_error(tc, "SES-045", &o);
}

/* The second packet of a WRITE says 512 bytes of payload and has fewer. */
static void has_fewer_bytes(struct uet_tc *tc, uint32_t bytes)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[512];
    memory_now(tc, &m, mtu + bytes, before, 512 - bytes);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 512), mtu + 512, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    all_acknowledged(tc, pdc, o[0].psn);
    o[1].payload_len = bytes;
    not_executed(tc, "SES-046", &o[1]); /* silence will do */
    memory_unchanged(tc, "SES-046", &m, mtu + bytes, before, 512 - bytes);
}

UET_TEST(
    payload_length_lies, .id = "ses.3.4.1.7.payload-length-lies", .requirements = "SES-046",
    .role = UET_ROLE_TARGET, .needs = "write",
    .purpose = "payload_length above the bytes in the packet is an error.",
    .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
    .stimulus = "The second packet with payload_length 512 but 256 bytes of payload.",
    .expected = "Not executed: an error response or a drop; nothing past the real bytes changes.")
{
    has_fewer_bytes(tc, 256);
}

UET_TEST(
    payload_length_with_crc, .id = "ses.3.4.1.7.payload-length-with-crc", .requirements = "SES-046",
    .role = UET_ROLE_TARGET, .needs = "write crc",
    .purpose = "The CRC trailer is none of the bytes that payload_length counts.",
    .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
    .stimulus = "The second packet with payload_length 512, 508 bytes of payload, and its CRC.",
    .expected = "Not executed: an error response or a drop; nothing past the real bytes "
                "changes.")
{
    has_fewer_bytes(tc, 512 - 4);
}

UET_TEST(payload_beyond_message, .id = "ses.3.4.1.7.payload-beyond-message",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "Payload beyond request_length is an error.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
         .stimulus = "The second packet with message_offset + payload_length > request_length.",
         .expected = "Not executed; memory behind the message unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu + 512);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[256];
    memory_now(tc, &m, mtu + 300, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 256), mtu + 256, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    all_acknowledged(tc, pdc, o[0].psn);
    uet_ses_req_std_message_offset_set(o[1].ses, mtu + 100);
    is_error(tc, "SES-047", &o[1]);
    memory_unchanged(tc, "SES-047", &m, mtu + 300, before, sizeof before);
}

UET_TEST(offset_wraps, .id = "ses.3.4.1.7.offset-wraps", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "message_offset + payload_length is not cut to 32 bits.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE at buffer_offset "
                     "1024 accepted.",
         .stimulus = "The second packet, of 512 bytes, with message_offset 0xFFFFFE40, and without "
                     "EOM.",
         .expected = "Not executed; memory before the message unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu + 2048);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[1024];
    memory_now(tc, &m, 0, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 1024, uet_tc_bytes(tc, mtu + 512), mtu + 512, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    all_acknowledged(tc, pdc, o[0].psn);
    uet_ses_req_std_message_offset_set(o[1].ses, 0xfffffe40);
    uet_ses_req_eom_set(o[1].ses, false);
    is_error(tc, "SES-047", &o[1]);
    memory_unchanged(tc, "SES-047", &m, 0, before, sizeof before);
}

UET_TEST(bytes_behind_payload, .id = "ses.3.4.1.7.bytes-behind-payload", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "Bytes behind those that payload_length tells are not written.",
         .preamble = "A region; PDC open; the first packet of a two-packet WRITE accepted.",
         .stimulus = "The second packet with payload_length 256, the end of the message, but 512 "
                     "bytes in the frame.",
         .expected = "It is taken or refused; memory behind the message unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[256];
    memory_now(tc, &m, mtu + 256, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 512), mtu + 512, o, 2);
    for (int i = 0; i < 2; i++)
        uet_ses_req_std_request_length_set(o[i].ses, mtu + 256);
    uet_ses_req_std_payload_length_set(o[1].ses, 256);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    all_acknowledged(tc, pdc, o[0].psn);
    answer(tc, &o[1]);
    memory_unchanged(tc, "SES-047", &m, mtu + 256, before, sizeof before);
}

UET_TEST(single_beyond_message, .id = "ses.3.4.1.7.single-beyond-message",
         .requirements = "SES-047", .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A single packet with more payload than request_length writes no more.",
         .preamble = "A region; PDC open.",
         .stimulus = "A WRITE of one packet, request_length 256, with 512 bytes of payload.",
         .expected = "An error, or a drop; cut to request_length and accepted is a finding. Memory "
                     "behind the message unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 512);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_write(pdc, &m, 0, uet_tc_bytes(tc, 512), 512);
    const struct uet_want any = {
        .pdc = pdc, .with_psn = true, .psn = o.psn, .named = "an answer, if there is one"};
    uint8_t before[256];
    memory_now(tc, &m, 256, before, sizeof before);
    uet_ses_req_std_request_length_set(o.ses, 256);
    uet_tolerate(tc, &any);
    uet_send(tc, &o);
    const struct uet_in *in = uet_maybe(tc, &any, 0);
    bool response = in && uet_is_ack(&in->packet) && uet_is_ses_response(&in->packet);
    if (response && uet_ses_rsp_return_code(uet_ses(&in->packet)) <= UET_RC_OK)
        uet_other_reading(tc, "SES-047", "the payload was cut to request_length and accepted");
    memory_unchanged(tc, "SES-047", &m, 256, before, sizeof before);
}

UET_TEST(key_changes_inside, .id = "ses.3.4.1.7.key-changes-inside", .requirements = "SES-048",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "All packets of a message keep its memory key.",
         .preamble = "Two regions of one job; PDC open; the first packet of a two-packet WRITE to "
                     "one of them accepted.",
         .stimulus = "The second packet with the other region's key.",
         .expected = "An error response; the other region unchanged.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct uet_ut_memory like = {
        .job_id = 0xa30, .pid_on_fep = 3, .resource_index = 40, .key = 0x3001, .length = 2 * mtu};
    struct uet_ut_memory like_too = like;
    like_too.key = 0x3002;
    struct uet_memory m = uet_need_memory_like(tc, &like);
    struct uet_memory other = uet_need_memory_like(tc, &like_too);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uint8_t before[64];
    memory_now(tc, &other, mtu, before, sizeof before);
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 64), mtu + 64, o, 2);
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    all_acknowledged(tc, pdc, o[0].psn);
    uet_ses_req_match_bits_or_memory_key_set(o[1].ses, other.key);
    is_error(tc, "SES-048", &o[1]);
    memory_unchanged(tc, "SES-048", &other, mtu, before, sizeof before);
}

UET_TEST(middle_packet_first, .id = "ses.3.4.1.7.middle-packet-first", .requirements = "SES-049",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A packet without SOM of a message not yet seen is no error on RUD.",
         .preamble = "A region; PDC open.",
         .stimulus = "The last packet of a two-packet WRITE, before the first.",
         .expected = "An ACK without a SES error (a NACK for want of resources is allowed).")
{
    static const uint8_t no_room[] = {UET_NACK_NO_PKT_BUFFER, UET_NACK_NO_GTD_DEL_AVAIL,
                                      UET_NACK_NO_SES_MSG_AVAIL, UET_NACK_NO_RESOURCE};
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, 2 * mtu);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o[2];
    uet_message(pdc, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, mtu + 64), mtu + 64, o, 2);
    uet_send(tc, &o[1]);
    const struct uet_want nack = {.kind = UET_WANT_NACK,
                                  .pdc = pdc,
                                  .with_psn = true,
                                  .psn = o[1].psn,
                                  .codes = no_room,
                                  .n_codes = sizeof no_room};
    uet_tolerate(tc, &nack);
    const struct uet_want any = {
        .pdc = pdc, .with_psn = true, .psn = o[1].psn, .named = "an ACK, or a NACK 0x07 to 0x0A"};
    const struct uet_in *in = uet_expect(tc, &any, 0);
    if (uet_is_ses_response(&in->packet))
        uet_check(tc, "SES-049", uet_ses_rsp_return_code(uet_ses(&in->packet)) <= UET_RC_OK,
                  "an early packet of a WRITE was refused");
    uet_rud_rod_req_ar_set(o[0].pds, true);
    uet_send(tc, &o[0]);
    uet_expect_covered(tc, pdc, o[0].psn);
}

UET_TEST(write_with_immediate, .id = "ses.3.4.1.9.write-with-immediate", .requirements = "SES-068",
         .role = UET_ROLE_TARGET, .needs = "write-immediate",
         .purpose = "A WRITE with hd=1 gives the target's application header_data, once.",
         .preamble = "A region; PDC open.",
         .stimulus = "WRITE with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion at the target with that value.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    if (!uet_tc_ut(tc))
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "only an upper tester sees completions");
    struct uet_out o = uet_write(pdc, &m, 0, "immediate", 9);
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, 0x1122334455667788);
    accepted(tc, "SES-068", &o);
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "SES-068", "completion kind", c.kind, UET_UT_KIND_IMM);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, 0x1122334455667788);
    uet_check(tc, "SES-068", !uet_completion(tc, m.handle, uet_tc_quiet(tc), &c),
              "the immediate data came a second time");
}

/* A WRITE of three packets with hd=1, in this order: one completion, when all of it is there. */
static void immediate_in_order(struct uet_tc *tc, const struct uet_memory *m, struct uet_pdc *pdc,
                               const size_t *order)
{
    const uint64_t value = 0x1122334455667788;
    struct uet_out o[MAX_PACKETS];
    struct uet_ut_completion c;
    uint32_t n = three_packets(tc);
    uet_message(pdc, UET_OP_WRITE, m, 0, uet_tc_bytes(tc, n), n, o, MAX_PACKETS);
    uet_ses_req_hd_set(o[0].ses, true);
    uet_ses_req_std_header_data_set(o[0].ses, value);
    for (size_t i = 0; i < 3; i++) {
        uet_rud_rod_req_ar_set(o[order[i]].pds, true);
        uet_send(tc, &o[order[i]]);
        uet_expect_covered(tc, pdc, o[order[i]].psn);
        uet_check(tc, "SES-068", i == 2 || !uet_completion(tc, m->handle, UET_MS, &c),
                  "header_data was told before all data had come");
    }
    c = uet_expect_completion(tc, m->handle);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, value);
    uet_check(tc, "SES-068", !uet_completion(tc, m->handle, uet_tc_quiet(tc), &c),
              "the immediate data came a second time");
}

UET_TEST(immediate_of_several, .id = "ses.3.4.1.9.immediate-of-several-packets",
         .requirements = "SES-068 SES-044", .role = UET_ROLE_TARGET,
         .needs = "write-immediate upper-tester",
         .purpose = "header_data of a WRITE of several packets is told once, after all data.",
         .preamble = "A region; PDC open.",
         .stimulus = "Two WRITEs of three packets with hd=1 and header_data 0x1122334455667788; "
                     "the first sent as 1, 3, 2, the second as 3, 2, 1.",
         .expected = "Each makes one completion with that value, after its third packet.")
{
    static const size_t orders[2][3] = {{0, 2, 1}, {2, 1, 0}};
    struct uet_memory m = uet_need_memory(tc, three_packets(tc));
    struct uet_pdc *pdc = uet_pdc_open(tc);
    uet_for(tc, "SES-068");
    for (size_t i = 0; i < 2; i++)
        immediate_in_order(tc, &m, pdc, orders[i]);
}

UET_TEST(send_with_header_data, .id = "ses.3.4.1.9.send-with-header-data",
         .requirements = "SES-174", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A SEND with hd=1 gives header_data to the receive that it fills.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "SEND with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion with the data and that value; an error response where the "
                     "FEP's completions have no room for it.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    struct uet_out o = uet_send_message(pdc, &m, "header data", 11);
    struct uet_ut_completion c;
    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_std_header_data_set(o.ses, 0x1122334455667788);
    uet_for(tc, "SES-174");
    const struct uet_in *in = answer(tc, &o);
    if (uet_is_ses_response(&in->packet) &&
        uet_ses_rsp_return_code(uet_ses(&in->packet)) > UET_RC_OK)
        return; /* no room (SES-174) */
    c = uet_expect_completion(tc, m.handle);
    uet_check(tc, "SES-174", c.has_header_data, "the completion has no header_data");
    uet_check_eq(tc, "SES-174", "header_data", c.header_data, 0x1122334455667788);
    uet_check_eq(tc, "SES-174", "length of the receive", c.length, 11);
    uet_check(tc, "SES-174", !uet_any_completion(tc, uet_tc_quiet(tc), &c),
              "the SEND brought a second completion, of handle %llu", (unsigned long long)c.handle);
}

UET_TEST(header_data_without_hd, .id = "ses.3.4.1.11.header-data-without-hd",
         .requirements = "SES-070", .role = UET_ROLE_TARGET, .needs = "write-immediate",
         .purpose = "header_data is ignored when hd=0.", .preamble = "A region; PDC open.",
         .stimulus = "WRITE with hd=0 and a header_data other than 0.",
         .expected = "Success, and no completion at the target.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *pdc = uet_pdc_open(tc);
    if (!uet_tc_ut(tc))
        uet_skip_for(tc, UET_SKIP_NO_UPPER_TESTER, "only an upper tester sees completions");
    struct uet_out o = uet_write(pdc, &m, 0, "no immediate", 12);
    uet_ses_req_std_header_data_set(o.ses, 0x99aabbccddeeff00);
    accepted(tc, "SES-070", &o);
    struct uet_ut_completion c;
    uet_check(tc, "SES-070", !uet_completion(tc, m.handle, uet_tc_quiet(tc), &c),
              "a completion with header_data came although hd was 0");
}
