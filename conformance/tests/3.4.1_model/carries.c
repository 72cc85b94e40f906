/* SPDX-License-Identifier: BSD-2-Clause */
/* What an application asks for is what stands in the request's header, whatever its form. */
#include "conformance/harness/steps/steps.h"

/* Numbers that no two fields share, at the edges of their widths. */
static struct uet_ut_operation distinct(struct uet_tc *tc, uint32_t length)
{
    struct uet_ut_operation op = uet_op(tc, length);

    op.job_id = 0x56789a;
    op.pid_on_fep = 0xa51;
    op.resource_index = 0x7c3;
    op.offset = 0x0000000123456780u;
    op.key = 0x0000b1c2d3e4f506u;
    return op;
}

static void carries_address(struct uet_tc *tc, const struct uet_ut_operation *op,
                            const struct uet_in *in)
{
    field(tc, "SES-067", in, UET_F_SES_OPCODE, UET_OP_WRITE);
    field(tc, "SES-067", in, UET_F_SES_REL, op->relative);
    field(tc, "SES-067", in, UET_F_SES_JOB_ID, op->job_id);
    field(tc, "SES-067", in, UET_F_SES_PID_ON_FEP, op->pid_on_fep);
    field(tc, "SES-067", in, UET_F_SES_RESOURCE_INDEX, op->resource_index);
    field(tc, "SES-067", in, UET_F_SES_BUFFER_OFFSET, op->offset);
    field(tc, "SES-104", in, UET_F_SES_RI_GENERATION, 0);
    if (in->packet.ses == UET_H_SES_REQ_SMALL) /* it has no more */
        return;
    field(tc, "SES-069", in, UET_F_SES_HD, 0);
    field(tc, "SES-067", in, UET_F_SES_MATCH_BITS_OR_MEMORY_KEY, op->key);
}

static void writes_with(struct uet_tc *tc, struct uet_ut_operation *op, uint8_t header)
{
    const struct uet_in *in;

    op->header = header;
    uint64_t handle = uet_do_write(tc, op);
    uet_accept(tc, &in);
    carries_address(tc, op, in);
    completion_of(tc, "SES-067", handle);
}

UET_TEST(standard_write_carries_address, .id = "ses.3.4.1.5.2.standard-write-carries-address",
         .requirements = "SES-067 SES-104 SES-069", .role = UET_ROLE_INITIATOR, .needs = "write",
         .purpose = "Each packet of a WRITE has the JobID, PIDonFEP, RI, offset and key asked for.",
         .stimulus = "The FEP writes two packets to an address whose numbers are all different.",
         .expected = "Both headers carry these numbers, rel as asked, generation 0, hd 0.")
{
    struct uet_ut_operation op = distinct(tc, uet_tc_dut(tc)->payload_mtu + 8u);
    const struct uet_in *in;
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *pdc = uet_accept(tc, &in);

    carries_address(tc, &op, in);
    carries_address(tc, &op, hear(tc, "SES-067", REQUEST_ON(pdc)));
    completion_of(tc, "SES-067", handle);
}

UET_TEST(medium_write_carries_address, .id = "ses.3.4.1.5.2.medium-write-carries-address",
         .requirements = "SES-067 SES-104 SES-069", .role = UET_ROLE_INITIATOR,
         .needs = "write medium-header", .contested = true,
         .purpose = "A WRITE with the medium header has the address and the key asked for.",
         .stimulus = "The FEP writes 64 bytes with the medium header.",
         .expected = "The header carries the numbers asked for, generation 0, hd 0.")
{
    struct uet_ut_operation op = distinct(tc, 64);
    writes_with(tc, &op, UET_UT_HEADER_MEDIUM);
}

UET_TEST(small_write_carries_address, .id = "ses.3.4.1.5.2.small-write-carries-address",
         .requirements = "SES-067 SES-104", .role = UET_ROLE_INITIATOR,
         .needs = "write small-header",
         .purpose = "A WRITE with the small header has the address asked for; the RI is the key.",
         .stimulus = "The FEP writes 64 bytes with the small header and an optimized key.",
         .expected = "The header carries the numbers asked for, RI = key bits 11:0, generation 0.")
{
    struct uet_ut_operation op = distinct(tc, 64);
    op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13, SES-018) */
    writes_with(tc, &op, UET_UT_HEADER_SMALL);
}

/* ---- sends ---- */

static void carries_options(struct uet_tc *tc, const struct uet_ut_operation *op, uint8_t opcode,
                            const struct uet_in *in)
{
    const bool som = uet_ses_req_som(uet_ses(&in->packet));

    field(tc, "ROB-042", in, UET_F_SES_OPCODE, opcode);
    field(tc, "ROB-042", in, UET_F_SES_REL, op->relative);
    field(tc, "ROB-042", in, UET_F_SES_JOB_ID, op->job_id);
    field(tc, "ROB-042", in, UET_F_SES_PID_ON_FEP, op->pid_on_fep);
    field(tc, "ROB-042", in, UET_F_SES_RESOURCE_INDEX, op->resource_index);
    field(tc, "ROB-042", in, UET_F_SES_RI_GENERATION, op->generation);
    field(tc, "ROB-042", in, UET_F_SES_INITIATOR, op->initiator);
    if (op->delivery_complete) /* it may always be asked for (3.4.8.3) */
        field(tc, "ROB-042", in, UET_F_SES_DC, 1);
    if (som || !op->has_header_data)
        field(tc, "ROB-042", in, UET_F_SES_HD, op->has_header_data);
    if (som && op->has_header_data)
        field(tc, "ROB-042", in, UET_F_SES_HEADER_DATA, op->header_data);
    uet_check_eq(tc, "ROB-042", "match_bits", uet_ses_match_bits(&in->packet), op->key);
}

/* All that it sends of two packets. */
static void sends_with(struct uet_tc *tc, uint8_t opcode, bool options,
                       uint64_t (*start)(struct uet_tc *, const struct uet_ut_operation *))
{
    struct uet_ut_operation op = distinct(tc, uet_tc_dut(tc)->payload_mtu + 8u);

    op.offset = 0;
    op.initiator = 0x8765fedc;
    op.generation = 0x93;
    op.delivery_complete = options;
    op.has_header_data = options;
    op.header_data = 0xfedcba9876543210;
    op.key = opcode == UET_OP_TAGGED_SEND || opcode == UET_OP_DEFERRABLE_TSEND ? op.key : 0;
    uint64_t handle = start(tc, &op);
    for (int i = 0; i < 2; i++)
        carries_options(tc, &op, opcode, hear(tc, "ROB-042", REQUEST_ON(NULL)));
    completion_of(tc, "ROB-042", handle);
}

UET_TEST(
    send_carries, .id = "rob.3.4.1.3.send-carries-what-was-asked", .requirements = "ROB-042",
    .role = UET_ROLE_INITIATOR, .needs = "send multi-packet-send",
    .purpose = "Each packet of a SEND has the address and the options asked for.",
    .preamble = "None.",
    .stimulus = "The FEP sends two packets to an address whose numbers are all different, with "
                "header data and dc=1; then without.",
    .expected = "Both have these numbers, and dc where it was asked for; header data in the first.")
{
    sends_with(tc, UET_OP_SEND, true, uet_do_send);
    sends_with(tc, UET_OP_SEND, false, uet_do_send);
}

UET_TEST(
    tagged_send_carries, .id = "rob.3.4.1.3.tagged-send-carries-what-was-asked",
    .requirements = "ROB-042", .role = UET_ROLE_INITIATOR, .needs = "tagged multi-packet-send",
    .purpose = "Each packet of a tagged send has the address and the options asked for.",
    .preamble = "None.",
    .stimulus = "The FEP sends two packets to an address whose numbers are all different, with "
                "header data and dc=1; then without.",
    .expected = "Both have these numbers, and dc where it was asked for; header data in the first.")
{
    sends_with(tc, UET_OP_TAGGED_SEND, true, uet_do_tagged_send);
    sends_with(tc, UET_OP_TAGGED_SEND, false, uet_do_tagged_send);
}

UET_TEST(
    deferrable_send_carries, .id = "rob.3.4.1.3.deferrable-send-carries-what-was-asked",
    .requirements = "ROB-042", .role = UET_ROLE_INITIATOR, .needs = "deferral multi-packet-send",
    .purpose = "Each packet of a deferrable send has the address and the options asked for.",
    .preamble = "None.",
    .stimulus = "The FEP sends two packets to an address whose numbers are all different, with "
                "header data and dc=1; then without.",
    .expected = "Both have these numbers, and dc where it was asked for; header data in the first.")
{
    sends_with(tc, UET_OP_DEFERRABLE_SEND, true, uet_do_deferrable_send);
    sends_with(tc, UET_OP_DEFERRABLE_SEND, false, uet_do_deferrable_send);
}

UET_TEST(
    deferrable_tsend_carries, .id = "rob.3.4.1.3.deferrable-tagged-send-carries-what-was-asked",
    .requirements = "ROB-042", .role = UET_ROLE_INITIATOR,
    .needs = "deferral tagged multi-packet-send",
    .purpose = "Each packet of a deferrable tagged send has the address and the options "
               "asked for.",
    .preamble = "None.",
    .stimulus = "The FEP sends two packets to an address whose numbers are all different, with "
                "header data and dc=1; then without.",
    .expected = "Both have these numbers, and dc where it was asked for; header data in the first.")
{
    sends_with(tc, UET_OP_DEFERRABLE_TSEND, true, uet_do_deferrable_tagged_send);
    sends_with(tc, UET_OP_DEFERRABLE_TSEND, false, uet_do_deferrable_tagged_send);
}
