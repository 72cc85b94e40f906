/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1 and 3.4.2 as an initiator keeps them: messages, segmentation, header fields. */
#include "conformance/tests/ses.h"

#define MAX_PACKETS 16

/* Makes the FEP write n bytes and collects the first copies of its packets, in PSN order. */
static size_t collect_write(struct uet_tc *tc, struct uet_ut_operation *op,
                            const struct uet_in **in, size_t count)
{
    uint64_t handle = uet_do_write(tc, op);
    struct uet_pdc *pdc = uet_accept(tc, &in[0]);
    for (size_t i = 1; i < count; i++)
        in[i] = uet_expect_any_request(tc, pdc);
    uet_expect_completion(tc, handle);
    return count;
}

/* Each packet carries a standard SES header; only then can its fields be read. */
static const uint8_t *standard(struct uet_tc *tc, const struct uet_in *in)
{
    uet_look_at(tc, in);
    uet_check(tc, "SES-008", uet_is_ses_std(&in->packet),
              "a packet of a multi-packet message has no standard SES header");
    return uet_ses(&in->packet);
}

static uint32_t three_and_a_half(const struct uet_tc *tc)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    return mtu * 3 + mtu / 2;
}

UET_TEST(full_packets_but_the_last, .id = "ses.3.4.1.7.full-packets-but-the-last",
         .requirements = "SES-041 SES-042", .role = UET_ROLE_INITIATOR,
         .purpose = "All packets of a message but the last carry exactly one Payload MTU.",
         .preamble = "None.", .stimulus = "The FEP writes 3.5 MTUs to the tester.",
         .expected = "Payloads of MTU, MTU, MTU, MTU/2; MTU is 1024, 2048, 4096 or 8192.")
{
    const struct uet_in *in[4];
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation op = uet_op(tc, three_and_a_half(tc));
    collect_write(tc, &op, in, 4);
    for (int i = 0; i < 4; i++) {
        uet_look_at(tc, in[i]);
        uet_check_eq(tc, "SES-041", "payload bytes", in[i]->packet.payload_len,
                     i < 3 ? mtu : mtu / 2);
    }
    uet_check(tc, "SES-042", mtu == 1024 || mtu == 2048 || mtu == 4096 || mtu == 8192,
              "Payload MTU %u", mtu);
}

UET_TEST(som_first_eom_last, .id = "ses.3.4.1.7.3.som-first-eom-last", .requirements = "SES-043",
         .role = UET_ROLE_INITIATOR,
         .purpose = "SOM stands on the first packet only, EOM on the last only.",
         .preamble = "None.", .stimulus = "The FEP writes 3.5 MTUs, then 10 bytes.",
         .expected = "som 1 0 0 0 and eom 0 0 0 1; both on the single packet.")
{
    const struct uet_in *in[4];
    struct uet_ut_operation op = uet_op(tc, three_and_a_half(tc));
    collect_write(tc, &op, in, 4);
    for (int i = 0; i < 4; i++) {
        const uint8_t *ses = standard(tc, in[i]);
        uet_check_eq(tc, "SES-043", "ses.som", uet_ses_req_som(ses), i == 0);
        uet_check_eq(tc, "SES-043", "ses.eom", uet_ses_req_eom(ses), i == 3);
    }
    struct uet_ut_operation one = uet_op(tc, 10);
    uet_do_write(tc, &one);
    const struct uet_in *single = uet_expect_any_request(tc, NULL);
    uet_check_eq(tc, "SES-043", "ses.som", uet_ses_req_som(uet_ses(&single->packet)), 1);
    uet_check_eq(tc, "SES-043", "ses.eom", uet_ses_req_eom(uet_ses(&single->packet)), 1);
}

UET_TEST(one_id_one_pdc, .id = "ses.3.4.1.14.one-id-one-pdc",
         .requirements = "SES-031 SES-032 PDS-008 SES-030", .role = UET_ROLE_INITIATOR,
         .purpose = "All packets of a message carry one message_id, not 0, and use one PDC.",
         .preamble = "None.", .stimulus = "The FEP writes 3.5 MTUs.",
         .expected = "Equal message_id other than 0 and equal spdcid in all four packets.")
{
    const struct uet_in *in[4];
    struct uet_ut_operation op = uet_op(tc, three_and_a_half(tc));
    collect_write(tc, &op, in, 4);
    uint16_t id = uet_ses_req_std_message_id(standard(tc, in[0]));
    if (id == 0)
        uet_other_reading(tc, "SES-030", "message_id is 0: IDs count from 0");
    for (int i = 1; i < 4; i++) {
        uet_check_eq(tc, "SES-031", "ses.message_id",
                     uet_ses_req_std_message_id(standard(tc, in[i])), id);
        uet_check_eq(tc, "SES-032", "pds.spdcid", uet_spdcid(&in[i]->packet),
                     uet_spdcid(&in[0]->packet));
    }
}

#define FIRST  140 /* packets: more than the window of Default_MPR 1 */
#define SECOND 8

UET_TEST(messages_not_interleaved, .id = "pds.3.5.6.messages-not-interleaved",
         .requirements = "PDS-009", .role = UET_ROLE_INITIATOR,
         .purpose = "Packets of different messages are not interleaved on a PDC.",
         .preamble = "Default_MPR of the FEP set to 1, so that the first message has to wait.",
         .stimulus = "The FEP starts a write of 140 MTUs and at once one of 8.",
         .expected = "By PSN the packets of one message form one block on their PDC.")
{
    uet_set_param(tc, "Default_MPR", 1);
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_operation first = uet_op(tc, FIRST * mtu), second = uet_op(tc, SECOND * mtu);
    uet_do_write(tc, &first);
    uet_do_write(tc, &second);
    const struct uet_pdc *pdc[FIRST + SECOND];
    uint16_t id[FIRST + SECOND];
    for (int i = 0; i < FIRST + SECOND; i++) {
        const struct uet_in *in = uet_expect_any_request(tc, NULL);
        pdc[i] = in->pdc;
        id[i] = uet_ses_message_id(&in->packet);
        int last = i - 1; /* the packet before it of the same message */
        while (last >= 0 && (pdc[last] != pdc[i] || id[last] != id[i]))
            last--;
        for (int j = last + 1; last >= 0 && j < i; j++)
            uet_check(tc, "PDS-009", pdc[j] != pdc[i],
                      "a packet of message %u stands between two of message %u", id[j], id[i]);
    }
}

UET_TEST(live_ids_differ, .id = "ses.3.4.1.14.live-ids-differ", .requirements = "SES-033",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A message_id is not used again on a PDC before its message is complete.",
         .preamble = "None.",
         .stimulus = "The FEP starts four one-packet writes; the tester acknowledges none.",
         .expected = "Four different message_ids among those on one PDC.")
{
    uint16_t id[4], pdcid[4];
    int i = 0;
    uet_auto_ack(tc, false);
    for (; i < 4; i++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        uet_do_write(tc, &op);
        const struct uet_in *in = uet_next_request(tc, NULL);
        if (!in)
            break; /* its window is full */
        id[i] = uet_ses_message_id(&in->packet);
        pdcid[i] = uet_spdcid(&in->packet);
        for (int j = 0; j < i; j++)
            uet_check(tc, "SES-033", id[i] != id[j] || pdcid[i] != pdcid[j],
                      "message_id %u is used for two messages in progress", id[i]);
    }
    if (i < 2)
        uet_skip(tc, "the FEP keeps one message in progress only");
}

UET_TEST(write_carries_full_address, .id = "ses.3.4.1.5.2.write-carries-full-address",
         .requirements = "SES-067 SES-012", .role = UET_ROLE_INITIATOR,
         .purpose = "Every packet of a WRITE carries the full address, the same in each.",
         .preamble = "None.",
         .stimulus = "The FEP writes 3.5 MTUs at offset 4096 with a key of the tester's choice.",
         .expected = "JobID, PIDonFEP, RI, key and buffer_offset as asked for, in all packets.")
{
    const struct uet_in *in[4];
    struct uet_ut_operation op = uet_op(tc, three_and_a_half(tc));
    op.key = 0x00000badcafe;
    op.offset = 4096;
    collect_write(tc, &op, in, 4);
    for (int i = 0; i < 4; i++) {
        const uint8_t *ses = standard(tc, in[i]);
        uet_check_eq(tc, "SES-067", "ses.job_id", uet_ses_req_job_id(ses), op.job_id);
        uet_check_eq(tc, "SES-067", "ses.pid_on_fep", uet_ses_req_pid_on_fep(ses), op.pid_on_fep);
        uet_check_eq(tc, "SES-067", "ses.resource_index", uet_ses_req_resource_index(ses),
                     op.resource_index);
        uet_check_eq(tc, "SES-067", "memory key", uet_ses_req_match_bits_or_memory_key(ses),
                     op.key);
        uet_check_eq(tc, "SES-012", "ses.buffer_offset", uet_ses_req_buffer_offset(ses), 4096);
    }
}

UET_TEST(header_data_only_when_given, .id = "ses.3.4.1.9.header-data-only-when-given",
         .requirements = "SES-069", .role = UET_ROLE_INITIATOR, .needs = "write-immediate",
         .purpose = "hd=1 exactly when the application gave completion data; in the SOM packet.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes with header_data, then 16 bytes without.",
         .expected = "hd=1 with that value; then hd=0.")
{
    const struct uet_in *in[1];
    struct uet_ut_operation with = uet_op(tc, 16), without = uet_op(tc, 16);
    with.has_header_data = true;
    with.header_data = 0x0123456789abcdef;
    collect_write(tc, &with, in, 1);
    const uint8_t *ses = uet_ses(&in[0]->packet);
    uet_check_eq(tc, "SES-069", "ses.hd", uet_ses_req_hd(ses), 1);
    if (in[0]->packet.ses == UET_H_SES_REQ_STD_SOM1)
        uet_check_eq(tc, "SES-069", "ses.header_data", uet_ses_req_std_header_data(ses),
                     with.header_data);
    uint64_t handle = uet_do_write(tc, &without);
    const struct uet_in *plain = uet_expect_any_request(tc, NULL);
    uet_check_eq(tc, "SES-069", "ses.hd", uet_ses_req_hd(uet_ses(&plain->packet)), 0);
    uet_expect_completion(tc, handle);
}
