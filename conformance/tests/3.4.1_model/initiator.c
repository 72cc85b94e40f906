/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1 and 3.4.2 as an initiator keeps them: messages, segmentation, header fields. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

/* Makes the FEP write and collects the first copies of its packets, in PSN order. */
static void collect(struct uet_tc *tc, const char *requirement, const struct uet_ut_operation *op,
                    const struct uet_in **in, size_t count)
{
    uint64_t handle = uet_do_write(tc, op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);

    for (size_t i = 1; i < count; i++)
        in[i] = hear(tc, requirement, REQUEST_ON(p));
    completion_of(tc, requirement, handle);
}

/* A WRITE of three packets and a half; each has a standard SES header, for it is not alone. */
static struct uet_ut_operation four_packets(struct uet_tc *tc, const char *requirement,
                                            struct uet_ut_operation op, const struct uet_in *in[4])
{
    op.length = 3u * uet_tc_dut(tc)->payload_mtu + uet_tc_dut(tc)->payload_mtu / 2u;
    collect(tc, requirement, &op, in, 4);
    for (int i = 0; i < 4; i++) {
        uet_look_at(tc, in[i]);
        uet_check(tc, "SES-008", uet_is_ses_std(&in[i]->packet),
                  "a packet of a multi-packet message has no standard SES header");
    }
    return op;
}

UET_TEST(full_packets_but_the_last, .id = "ses.3.4.1.7.full-packets-but-the-last",
         .requirements = "SES-041 SES-042", .role = UET_ROLE_INITIATOR,
         .purpose = "All packets of a message but the last carry exactly one Payload MTU.",
         .preamble = "None.", .stimulus = "The FEP writes 3.5 MTUs to the tester.",
         .expected = "Payloads of MTU, MTU, MTU, MTU/2; MTU is 1024, 2048, 4096 or 8192.")
{
    const struct uet_in *in[4];
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    four_packets(tc, "SES-041", uet_op(tc, 0), in);
    for (int i = 0; i < 4; i++)
        payload_bytes(tc, "SES-041", in[i], i < 3 ? mtu : mtu / 2);
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
    four_packets(tc, "SES-043", uet_op(tc, 0), in);
    for (int i = 0; i < 4; i++) {
        field(tc, "SES-043", in[i], UET_F_SES_SOM, i == 0);
        field(tc, "SES-043", in[i], UET_F_SES_EOM, i == 3);
    }
    struct uet_ut_operation one = uet_op(tc, 10);
    uet_do_write(tc, &one);
    const struct uet_in *single = hear(tc, "SES-043", REQUEST_ON(NULL));
    field(tc, "SES-043", single, UET_F_SES_SOM, 1);
    field(tc, "SES-043", single, UET_F_SES_EOM, 1);
}

UET_TEST(one_id_one_pdc, .id = "ses.3.4.1.14.one-id-one-pdc",
         .requirements = "SES-031 SES-032 PDS-008 SES-030", .role = UET_ROLE_INITIATOR,
         .purpose = "All packets of a message carry one message_id, not 0, and use one PDC.",
         .preamble = "None.", .stimulus = "The FEP writes 3.5 MTUs.",
         .expected = "Equal message_id other than 0 and equal spdcid in all four packets.")
{
    const struct uet_in *in[4];
    four_packets(tc, "SES-031", uet_op(tc, 0), in);
    uint64_t id = value_of(tc, in[0], UET_F_SES_MESSAGE_ID);
    if (id == 0)
        uet_other_reading(tc, "SES-030", "message_id is 0: IDs count from 0");
    for (int i = 1; i < 4; i++) {
        field(tc, "SES-031", in[i], UET_F_SES_MESSAGE_ID, id);
        field(tc, "SES-032", in[i], UET_F_PDS_SPDCID, uet_spdcid(&in[0]->packet));
    }
}

#define FIRST  140 /* packets: more than the window of Default_MPR 1 */
#define SECOND 8
#define SENT   2

/* One packet of several messages: which message, on which PDC. */
struct part {
    const struct uet_pdc *pdc;
    uint16_t id;
    bool first; /* of its message, which may have the id of one that is over */
};

static struct part part_of_message(const struct uet_in *in)
{
    return (struct part){in->pdc, uet_ses_message_id(&in->packet),
                         uet_ses_req_som(uet_ses(&in->packet))};
}

/* Between part i and the one before it of its message no other message stands on its PDC. */
static void adjoins(struct uet_tc *tc, const struct part *part, int i)
{
    int last = part[i].first ? -1 : i - 1;

    while (last >= 0 && (part[last].pdc != part[i].pdc || part[last].id != part[i].id))
        last--;
    for (int j = last + 1; last >= 0 && j < i; j++)
        uet_check(tc, "PDS-009", part[j].pdc != part[i].pdc,
                  "a packet of message %u stands between two of message %u", part[j].id,
                  part[i].id);
}

/* n packets come, after those that have come before. */
static void in_blocks(struct uet_tc *tc, struct part *part, int before, int n)
{
    for (int i = before; i < before + n; i++) {
        part[i] = part_of_message(hear(tc, "PDS-009", REQUEST_ON(NULL)));
        adjoins(tc, part, i);
    }
}

static void writes(struct uet_tc *tc, uint32_t packets)
{
    struct uet_ut_operation op = uet_op(tc, packets * uet_tc_dut(tc)->payload_mtu);

    uet_do_write(tc, &op);
}

UET_TEST(messages_not_interleaved, .id = "pds.3.5.6.messages-not-interleaved",
         .requirements = "PDS-009", .role = UET_ROLE_INITIATOR,
         .purpose = "Packets of different messages are not interleaved on a PDC.",
         .preamble = "Default_MPR of the FEP set to 1, so that the first message has to wait.",
         .stimulus = "The FEP starts a write of 140 MTUs and at once one of 8, and one of 1.",
         .expected = "By PSN the packets of one message form one block on their PDC.")
{
    static struct part part[FIRST + SECOND + 1];
    uet_set_param(tc, "Default_MPR", 1);
    writes(tc, FIRST);
    writes(tc, SECOND);
    writes(tc, 1);
    in_blocks(tc, part, 0, FIRST + SECOND + 1);
}

UET_TEST(
    kinds_not_interleaved, .id = "pds.3.5.6.kinds-not-interleaved", .requirements = "PDS-009",
    .role = UET_ROLE_INITIATOR, .needs = "send multi-packet-send",
    .purpose = "The packets of a write and of a send are not interleaved on a PDC, however "
               "they are queued.",
    .preamble = "Default_MPR of the FEP set to 1, so that the first message has to wait.",
    .stimulus = "The FEP starts a write of 140 MTUs, and at once a send of 2 and a write of 8.",
    .expected = "By PSN the packets of one message form one block on their PDC.")
{
    static struct part part[FIRST + SENT + SECOND];
    uet_set_param(tc, "Default_MPR", 1);
    writes(tc, FIRST);
    struct uet_ut_operation op = uet_op(tc, SENT * uet_tc_dut(tc)->payload_mtu);
    uet_do_send(tc, &op);
    writes(tc, SECOND);
    in_blocks(tc, part, 0, FIRST + SENT + SECOND);
}

/* What comes of the first message until the FEP has to wait; nothing is acknowledged. */
static int until_it_waits(struct uet_tc *tc, struct part *part, const struct uet_in **in)
{
    int n = 0;
    while (n < FIRST && (in[n] = uet_next_request(tc, NULL))) {
        part[n] = part_of_message(in[n]);
        if (part[n].pdc != part[0].pdc || part[n].id != part[0].id)
            uet_skip(tc, "the FEP has another PDC for the second message, as it may");
        n++;
    }
    if (n < 2 || n == FIRST)
        uet_skip(tc, "the FEP sends %d packets of %d before it waits", n, FIRST);
    return n;
}

/* Another one comes, unless the window that a refusal has made smaller is full: how many then. */
static int may_go_on(struct uet_tc *tc, struct part *part, int n)
{
    const struct uet_in *in = uet_next_request(tc, NULL);

    if (!in)
        return n;
    part[n] = part_of_message(in);
    adjoins(tc, part, n);
    return n + 1;
}

UET_TEST(refused_is_not_overtaken, .id = "pds.3.5.6.refused-is-not-overtaken",
         .requirements = "PDS-009", .role = UET_ROLE_INITIATOR, .not_over = "used after-read aged",
         .purpose = "While a packet waits to be sent again no other message begins amid its own.",
         .preamble = "A PDC that the FEP opened; Default_MPR of the FEP set to 1; RTO long.",
         .stimulus =
             "The FEP starts a write of 140 MTUs and at once one of 8. Of what comes before "
             "it waits for an ACK, the last packet gets NACK UET_NO_PKT_BUFFER; an ACK "
             "covers those before it.",
         .expected = "By PSN the packets of one message form one block on their PDC.")
{
    static struct part part[FIRST + SECOND];
    static const struct uet_in *in[FIRST];
    uet_set_param(tc, "Default_MPR", 1);
    hold_rto(tc);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    writes(tc, FIRST);
    writes(tc, SECOND);
    int n = until_it_waits(tc, part, in);
    say_nack(tc, in[n - 1], UET_NACK_NO_PKT_BUFFER);
    struct uet_out ack = ack_at(in[n - 2], psn_of(in[n - 2]), psn_of(in[n - 2]));
    say(tc, &ack);
    const int came = may_go_on(tc, part, n);
    resume_acks(tc, in[n - 1]);
    in_blocks(tc, part, came, FIRST + SECOND - came);
}

/* The FEP starts another WRITE; its packet, or NULL when its window is full. */
static const struct uet_in *starts_another(struct uet_tc *tc)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    uet_do_write(tc, &op);
    return uet_next_request(tc, NULL);
}

UET_TEST(live_ids_differ, .id = "ses.3.4.1.14.live-ids-differ", .requirements = "SES-033",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A message_id is not used again on a PDC before its message is complete.",
         .preamble = "None.",
         .stimulus = "The FEP starts four one-packet writes; the tester acknowledges none.",
         .expected = "Four different message_ids among those on one PDC.")
{
    const struct uet_in *in[4];
    int n = 0;
    uet_auto_ack(tc, false);
    for (; n < 4 && (in[n] = starts_another(tc)); n++) {
        uint64_t id = value_of(tc, in[n], UET_F_SES_MESSAGE_ID);
        for (int j = 0; j < n; j++)
            if (uet_spdcid(&in[j]->packet) == uet_spdcid(&in[n]->packet))
                field_is_not(tc, "SES-033", in[j], UET_F_SES_MESSAGE_ID, id);
    }
    if (n < 2)
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
    struct uet_ut_operation op = uet_op(tc, 0);
    op.key = 0x00000badcafe;
    op.offset = 4096;
    op = four_packets(tc, "SES-067", op, in);
    for (int i = 0; i < 4; i++) {
        field(tc, "SES-067", in[i], UET_F_SES_JOB_ID, op.job_id);
        field(tc, "SES-067", in[i], UET_F_SES_PID_ON_FEP, op.pid_on_fep);
        field(tc, "SES-067", in[i], UET_F_SES_RESOURCE_INDEX, op.resource_index);
        field(tc, "SES-067", in[i], UET_F_SES_MATCH_BITS_OR_MEMORY_KEY, op.key);
        field(tc, "SES-012", in[i], UET_F_SES_BUFFER_OFFSET, op.offset);
    }
}

UET_TEST(header_data_only_when_given, .id = "ses.3.4.1.9.header-data-only-when-given",
         .requirements = "SES-069", .role = UET_ROLE_INITIATOR, .needs = "write-immediate",
         .purpose = "hd=1 exactly when the application gave completion data; in the SOM packet.",
         .preamble = "None.",
         .stimulus = "The FEP writes 16 bytes with header_data, again with header_data 0, then 16 "
                     "bytes without.",
         .expected = "hd=1 with that value, twice; then hd=0.")
{
    static const uint64_t values[] = {0x0123456789abcdef, 0};
    struct uet_ut_operation with = uet_op(tc, 16), without = uet_op(tc, 16);
    uint64_t handle;
    with.has_header_data = true;
    for (int i = 0; i < 2; i++) {
        with.header_data = values[i];
        handle = uet_do_write(tc, &with);
        const struct uet_in *in = hear(tc, "SES-069", REQUEST_ON(NULL));
        field(tc, "SES-069", in, UET_F_SES_HD, 1);
        if (in->packet.ses == UET_H_SES_REQ_STD_SOM1)
            field(tc, "SES-069", in, UET_F_SES_HEADER_DATA, values[i]);
        completion_of(tc, "SES-069", handle);
    }
    handle = uet_do_write(tc, &without);
    field(tc, "SES-069", hear(tc, "SES-069", REQUEST_ON(NULL)), UET_F_SES_HD, 0);
    completion_of(tc, "SES-069", handle);
}
