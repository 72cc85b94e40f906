/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4.2: READ as the initiator asks for it. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/pds.h"

/* Each packet is served by itself (SES-073): it must say where its bytes are. */
static void check_address(struct uet_tc *tc, const struct uet_in *in,
                          const struct uet_ut_operation *op)
{
    field(tc, "SES-072", in, UET_F_SES_REL, op->relative);
    field(tc, "SES-072", in, UET_F_SES_JOB_ID, op->job_id);
    field(tc, "SES-072", in, UET_F_SES_PID_ON_FEP, op->pid_on_fep);
    field(tc, "SES-072", in, UET_F_SES_RESOURCE_INDEX, op->resource_index);
    field(tc, "SES-104", in, UET_F_SES_RI_GENERATION, 0);
    field(tc, "SES-072", in, UET_F_SES_BUFFER_OFFSET, op->offset);
    field(tc, "SES-072", in, UET_F_SES_MATCH_BITS_OR_MEMORY_KEY, op->key);
}

/* The i-th of three Requests asks for its part of n bytes: MTU, MTU, and half of one. */
static void check_part(struct uet_tc *tc, const struct uet_in *in, uint32_t i, uint32_t n)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    payload_bytes(tc, "SES-072", in, 0);
    field(tc, "SES-072", in, UET_F_SES_SOM, i == 0);
    field(tc, "SES-072", in, UET_F_SES_EOM, i == 2);
    field(tc, "SES-071", in, UET_F_SES_REQUEST_LENGTH, n);
    if (i > 0) /* the first has header_data there */
        field(tc, "SES-071", in, UET_F_SES_MESSAGE_OFFSET, i * mtu);
    uet_check_eq(tc, "SES-071", "bytes asked for", uet_read_asked(tc, in), i == 2 ? mtu / 2 : mtu);
}

UET_TEST(read_requests, .id = "ses.3.4.4.2.read-requests",
         .requirements = "SES-071 SES-072 SES-104", .role = UET_ROLE_INITIATOR, .over = "order",
         .purpose = "A READ is cut into Requests of a payload MTU each, which carry no payload.",
         .preamble = "None.", .stimulus = "The FEP reads two and a half payload MTUs.",
         .expected = "Three UET_READ Requests of one message_id without payload: som, none, eom; "
                     "request_length the whole; the second and third ask for a MTU at offset MTU "
                     "and half of one at 2 MTU; the whole address in each. With its data the read "
                     "completes.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = 2 * mtu + mtu / 2;
    struct uet_ut_operation op = uet_op(tc, n);
    op.offset = 0x2000;
    struct fep_read r = fep_reads_op(tc, &op);
    uint64_t id = value_of(tc, r.in[0], UET_F_SES_MESSAGE_ID);
    for (uint32_t i = 0; i < 3; i++) {
        check_part(tc, r.in[i], i, n);
        check_address(tc, r.in[i], &op);
        field(tc, "SES-072", r.in[i], UET_F_SES_MESSAGE_ID, id);
    }
    serve(tc, "SES-072", &r);
    check_read(tc, "SES-072", &r);
}

/* A READ of 200 bytes, of one packet, with an optimized header. */
static struct uet_ut_operation short_op(struct uet_tc *tc, uint8_t header)
{
    struct uet_ut_operation op = uet_op(tc, 200);

    op.header = header;
    if (header == UET_UT_HEADER_SMALL)
        op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13) */
    return op;
}

static struct fep_read reads_short(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    struct fep_read r = fep_reads_op(tc, op);

    if (uet_is_ses_std(&r.in[0]->packet))
        uet_skip(tc, "the FEP chose the standard header, as it may");
    return r;
}

/* Answered in the return direction. */
static void short_read(struct uet_tc *tc, uint8_t header, uint8_t next_hdr)
{
    const struct uet_ut_operation op = short_op(tc, header);
    struct fep_read r = reads_short(tc, &op);
    field(tc, "SES-072", r.in[0], UET_F_PDS_NEXT_HDR, next_hdr);
    field(tc, "SES-072", r.in[0], UET_F_SES_REQUEST_LENGTH, 200);
    payload_bytes(tc, "SES-072", r.in[0], 0);
    serve(tc, "SES-081", &r);
    check_read(tc, "SES-081", &r);
}

UET_TEST(medium_read_initiator, .id = "ses.3.4.2.2.medium-read", .requirements = "SES-072 SES-081",
         .role = UET_ROLE_INITIATOR, .needs = "medium-header", .contested = true,
         .purpose = "A READ with the medium header takes data that names its PSN.",
         .preamble = "None.", .stimulus = "The FEP reads 200 bytes with the medium header.",
         .expected = "One Request without payload; with RESPONSE_DATA_SMALL that names its PSN the "
                     "read completes.")
{
    short_read(tc, UET_UT_HEADER_MEDIUM, UET_NH_REQUEST_MEDIUM);
}

UET_TEST(small_read_initiator, .id = "ses.3.4.2.2.small-header-read",
         .requirements = "SES-072 SES-081", .role = UET_ROLE_INITIATOR, .needs = "small-header",
         .contested = true,
         .purpose = "A READ with the small header takes data that names its PSN.",
         .preamble = "None.", .stimulus = "The FEP reads 200 bytes with the small header.",
         .expected = "One Request without payload; with RESPONSE_DATA_SMALL that names its PSN the "
                     "read completes.")
{
    short_read(tc, UET_UT_HEADER_SMALL, UET_NH_REQUEST_SMALL);
}

/* Two of one length are out; the data of the second comes first. */
static void short_reads_cross(struct uet_tc *tc, uint8_t header)
{
    const struct uet_ut_operation op = short_op(tc, header);
    const uint8_t *bytes = uet_tc_bytes(tc, op.length);
    struct fep_read first = reads_short(tc, &op);
    uint64_t handle = uet_do_read(tc, &op);
    struct fep_read second = fep_may_be_reading(tc, bytes, op.length);

    if (!second.count)
        uet_skip(tc, "the FEP lets no more than one READ be outstanding");
    second.handle = handle;
    serve(tc, "SES-081", &second);
    check_open(tc, "SES-081", &first);
    serve(tc, "SES-081", &first);
    check_read(tc, "SES-081", &first);
    check_read(tc, "SES-081", &second);
}

UET_TEST(small_reads_cross, .id = "ses.3.4.2.2.small-header-reads-cross", .requirements = "SES-081",
         .role = UET_ROLE_INITIATOR, .needs = "small-header", .contested = true,
         .purpose = "The PSN that data names says to which READ with the small header it belongs.",
         .preamble = "None.",
         .stimulus = "The FEP reads 200 bytes twice with the small header; the data of the second "
                     "comes first, later that of the first.",
         .expected = "No completion of the first before its data; each has its bytes.")
{
    short_reads_cross(tc, UET_UT_HEADER_SMALL);
}

UET_TEST(medium_reads_cross, .id = "ses.3.4.2.2.medium-reads-cross", .requirements = "SES-081",
         .role = UET_ROLE_INITIATOR, .needs = "medium-header", .contested = true,
         .purpose = "The PSN that data names says to which READ with the medium header it belongs.",
         .preamble = "None.",
         .stimulus = "The FEP reads 200 bytes twice with the medium header; the data of the second "
                     "comes first, later that of the first.",
         .expected = "No completion of the first before its data; each has its bytes.")
{
    short_reads_cross(tc, UET_UT_HEADER_MEDIUM);
}

/* It ends with the target's error; its code is told by a FEP that has a place for it. */
static void ends_with(struct uet_tc *tc, const char *requirement, uint64_t handle, uint8_t code)
{
    struct uet_ut_completion c = completes(tc, requirement, handle, UET_UT_SES_ERROR);

    if (uet_tc_dut(tc)->claims[UET_PICS_RETURN_CODES])
        uet_check_enum(tc, requirement, "return code", UET_ENUM_SES_RETURN_CODE, c.return_code,
                       code);
}

UET_TEST(read_refused, .id = "ses.3.4.8.3.read-refused", .requirements = "SES-110 SES-121",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A READ ends with the target's answer: not when it has arrived, but when it is "
                    "refused.",
         .preamble = "A PDC that the FEP opened; RTO long.",
         .stimulus = "The FEP reads 100 bytes; an ACK with UET_NO_RESPONSE; then one with "
                     "UET_RESPONSE RC_BAD_MKEY, which asks for a clear.",
         .expected = "No completion at first, then one with RC_BAD_MKEY.")
{
    hold_rto(tc);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out arrived = naming_ack(r.in[0], UET_RSP_NO_RESPONSE, UET_RC_NULL);
    struct uet_out refused = guaranteed_ack(r.in[0], UET_RC_BAD_MKEY);
    say(tc, &arrived);
    check_open(tc, "SES-110", &r);
    say(tc, &refused);
    uet_auto_ack(tc, true);
    ends_with(tc, "SES-110", r.handle, UET_RC_BAD_MKEY);
}

UET_TEST(id_of_the_target, .id = "ses.3.4.2.5.response-message-id-is-the-targets",
         .requirements = "SES-080", .role = UET_ROLE_INITIATOR,
         .purpose = "Data belongs to the READ that read_request_message_id names, for the other ID "
                    "is the target's own.",
         .preamble = "None.",
         .stimulus = "The FEP reads 200 bytes; the data comes with response_message_id 0.",
         .expected = "The read completes with its data; that it does not is a finding, for a known "
                     "reader looks at response_message_id.")
{
    struct fep_read r = fep_reads(tc, 200);
    struct uet_out o = part_of(&r, 0);
    struct uet_ut_completion c = {0};

    uet_ses_rsp_data_response_message_id_set(o.ses, 0);
    say(tc, &o);
    if (!uet_completion(tc, r.handle, 0, &c) || c.status != UET_UT_OK)
        uet_other_reading(tc, "SES-080", "the data was not taken with response_message_id 0");
}

/* All data of it, with this ID of the target's; false, and a finding: the FEP refuses it. */
static bool takes_data_of(struct uet_tc *tc, const struct fep_read *r, uint16_t id)
{
    struct uet_out o = part_of(r, 0);

    uet_ses_rsp_data_response_message_id_set(o.ses, id);
    say(tc, &o);
    if (!is_error_response(hear(tc, "SES-082", COVERED(&o))))
        return true;
    uet_other_reading(tc, "SES-080", "a response_message_id other than its own is refused");
    return false;
}

UET_TEST(
    id_of_the_target_again, .id = "ses.3.4.2.5.response-message-id-again",
    .requirements = "SES-080 SES-082 ROB-032", .role = UET_ROLE_INITIATOR,
    .purpose = "Data belongs to the READ that read_request_message_id names, also when the "
               "target uses its own ID again, whose first message is over.",
    .preamble = "RTO long.",
    .stimulus = "The FEP reads 200 bytes twice, which the tester does not acknowledge yet; the "
                "data of the first, then that of the second, with response_message_id 0x4711; "
                "then the ACKs.",
    .expected = "Both reads complete with their own data; that the ID is refused is a finding. "
                "A FEP that has one read outstanding is skipped.")
{
    hold_rto(tc);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_read first = fep_reads(tc, 200);
    struct uet_ut_operation op = uet_op(tc, 200);
    const uint8_t *bytes = uet_tc_bytes(tc, 200);
    uint64_t handle = uet_do_read(tc, &op);
    struct fep_read second = fep_may_be_reading(tc, bytes, 200);
    second.handle = handle;
    if (!second.count)
        uet_skip(tc, "the FEP has one read outstanding, as it may");
    same_pdc(tc, first.pdc, second.in[0]);
    if (!takes_data_of(tc, &first, 0x4711) || !takes_data_of(tc, &second, 0x4711))
        return;
    acknowledge(tc, first.pdc, first.in[0]);
    resume_acks(tc, second.in[0]);
    check_read(tc, "SES-082", &first);
    check_read(tc, "SES-082", &second);
}

UET_TEST(
    data_on_another_pdc, .id = "ses.3.4.4.2.data-on-another-pdc", .requirements = "SES-082 ROB-032",
    .role = UET_ROLE_INITIATOR,
    .purpose = "Data of a READ is that of the PDC on which it was asked for: its message_id on "
               "another one names nothing.",
    .preamble = "Two READs of the FEP, in two traffic classes.",
    .stimulus = "On the PDC of the second data that names the message_id of the first; then the "
                "right data for both.",
    .expected = "The first READ does not end with the stranger's data; both complete with "
                "their own. A FEP that uses one PDC for both is skipped.")
{
    need_pdcs(tc, 2);
    struct uet_ut_operation op = uet_op(tc, 200);
    struct fep_read first = fep_reads_op(tc, &op);
    op.traffic_class = 1;
    struct fep_read second = fep_reads_op(tc, &op);
    if (first.pdc == second.pdc)
        uet_skip(tc, "one PDC serves both traffic classes, as it may");
    struct uet_out wrong = part_of(&second, 0);
    uet_ses_rsp_data_read_request_message_id_set(wrong.ses,
                                                 uet_ses_message_id(&first.in[0]->packet));
    whatever_comes_of(tc, &wrong);
    check_open(tc, "SES-082", &first);
    serve(tc, "SES-082", &first);
    check_read(tc, "SES-082", &first);
    serve(tc, "SES-082", &second);
    check_read(tc, "SES-082", &second);
}

UET_TEST(data_answered, .id = "ses.3.4.4.2.data-answered-by-default",
         .requirements = "SES-082 PDS-121", .role = UET_ROLE_INITIATOR,
         .purpose = "Data of a READ is acknowledged with a default response that names it.",
         .preamble = "None.", .stimulus = "The FEP reads 200 bytes; the data, with ar=1.",
         .expected = "An ACK with UET_DEFAULT_RESPONSE and the message_id of the request; "
                     "modified_length, where RC_OK is told, is that of the READ.")
{
    struct fep_read r = fep_reads(tc, 200);
    struct uet_out data = part_of(&r, 0);
    say(tc, &data);
    const struct uet_in *in = hear(tc, "SES-082", ACK_OF(&data));
    field(tc, "SES-082", in, UET_F_SES_RSP_OPCODE, UET_RSP_DEFAULT_RESPONSE);
    field(tc, "SES-082", in, UET_F_SES_MESSAGE_ID, uet_ses_message_id(&r.in[0]->packet));
    if (value_of(tc, in, UET_F_SES_RETURN_CODE) == UET_RC_OK)
        field(tc, "SES-082", in, UET_F_SES_MODIFIED_LENGTH, r.n);
    check_read(tc, "SES-082", &r);
}
