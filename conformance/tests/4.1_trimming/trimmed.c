/* SPDX-License-Identifier: BSD-2-Clause */
/* 4.1: what the bytes of a trimmed packet look like, and what a FEP makes of strange ones. */
#include "conformance/tests/pds_target.h"
#include "conformance/tests/trims.h"

/* The trimmed Request is refused as any other. */
static void is_nacked(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                      const struct uet_out *cut)
{
    uet_send(tc, cut);
    uet_for(tc, requirement);
    uet_expect_nack(tc, p, cut->psn, UET_NACK_TRIMMED);
}

UET_TEST(trimmed_lengths, .id = "net.4.1.3.trimmed-lengths-and-checksum", .requirements = "NET-008",
         .role = UET_ROLE_TARGET, .needs = "udp trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true,
         .purpose =
             "A switch edits nothing behind the IP header: UDP length and checksum are those "
             "of the whole packet.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed, with the UDP length it had and a UDP checksum that cannot "
                     "be right any more; then the whole.",
         .expected = "NACK UET_TRIMMED; the whole one is executed. Silence is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    cut.wrong.udp_checksum = true;
    cut.wrong.udp_checksum_value = 0xbeef;
    is_nacked(tc, "NET-008", p, &cut);
    uet_resend(tc, &o);
    uet_expect_answer(tc, p, o.psn);
}

UET_TEST(trimmed_native, .id = "net.4.1.native-trimmed-nacked", .requirements = "NET-011",
         .role = UET_ROLE_TARGET, .needs = "native trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "What a switch leaves of a native IP packet is refused like any other.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed to entropy header and 16 more bytes; then the whole.",
         .expected = "NACK UET_TRIMMED over native IP; the whole one is executed.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    uet_send(tc, &cut);
    const struct uet_in *nack = uet_expect_nack(tc, p, cut.psn, UET_NACK_TRIMMED);
    uet_check(tc, "NET-011", nack->packet.entropy_offset, "the NACK came over UDP");
    uet_resend(tc, &o);
    uet_expect_answer(tc, p, o.psn);
}

UET_TEST(trimmed_padding, .id = "net.4.1.trimmed-and-padded", .requirements = "NET-009",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "Ethernet pads a short frame: what stands behind the IP packet is no part of "
                    "it.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed, and two bytes of padding; then the whole.",
         .expected = "NACK UET_TRIMMED; the whole one is executed.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    cut.pad = 2; /* 58 bytes over IPv4, of 60 that a frame has at least */
    is_nacked(tc, "NET-009", p, &cut);
    uet_resend(tc, &o);
    uet_expect_answer(tc, p, o.psn);
}

/* However late it comes. */
static bool not_trimmed(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return !uet_is_nack(&in->packet) ||
           uet_nack_nack_code(uet_pds(&in->packet)) != UET_NACK_TRIMMED;
}

UET_TEST(trimmed_too_far, .id = "net.4.1.trimmed-too-far", .requirements = "NET-010",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true,
         .purpose = "Less than MIN_TRIM_SIZE is no packet that a switch may have left.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed to 8, 12, 19 and 23 bytes behind the IP header; over native "
                     "IP, whose entropy header is 4 bytes shorter than UDP's, to 4, 8, 15 and 19.",
         .expected = "Silence; where the 12 bytes of the RUD header are whole, a NACK is as good. "
                     "The PDC serves on.")
{
    static const uint16_t missing[] = {16, 12, 5, 1}; /* of MIN_TRIM_SIZE */
    static const uint8_t code = UET_NACK_TRIMMED;
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m);
    const struct uet_want nack = {.kind = UET_WANT_NACK, .pdc = p, .codes = &code, .n_codes = 1};
    const struct uet_want any = {
        .kind = UET_WANT_ANSWER, .also = not_trimmed, .named = "an answer to a stump"};
    for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++) {
        struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
        cut.trim_to = (uint16_t)(min_trim(tc) - missing[i]);
        uet_send(tc, &cut);
    }
    uet_tolerate(tc, &nack); /* of the last, whose RUD header is whole */
    uet_expect_nothing(tc, "NET-010", &any, uet_tc_quiet(tc) / 4);
    uet_resend(tc, &o);
    uet_expect_answer(tc, p, o.psn);
    still_serves(tc, "NET-010", p);
}

UET_TEST(
    stump_and_padding, .id = "net.4.1.stump-and-padding", .requirements = "NET-009 NET-010",
    .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request", .params = "dscp-trimmed",
    .contested = true, .purpose = "Padding does not make a PDS header whole that a trim has cut.",
    .preamble = "PDC open.",
    .stimulus = "A WRITE, trimmed to 12 and 19 bytes behind the IP header (over native IP to 8 "
                "and 15), with 14 and 7 bytes of padding; then the whole.",
    .expected = "Silence to the stumps; the whole one is executed.")
{
    static const uint8_t missing[] = {12, 5}; /* of MIN_TRIM_SIZE */
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m);
    const struct uet_want any = {.kind = UET_WANT_ANSWER, .named = "an answer to a stump"};
    for (size_t i = 0; i < sizeof(missing); i++) {
        struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
        cut.trim_to = (uint16_t)(min_trim(tc) - missing[i]);
        cut.pad = (uint8_t)(missing[i] + 2); /* to 60 bytes over IPv4 and UDP */
        uet_send(tc, &cut);
    }
    uet_expect_nothing(tc, "NET-009", &any, uet_tc_quiet(tc) / 4);
    uet_resend(tc, &o);
    uet_expect_answer(tc, p, o.psn);
}

UET_TEST(marked_but_whole, .id = "net.4.1.marked-but-whole", .requirements = "NET-012",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true,
         .purpose = "What a FEP makes of a packet that says by its DSCP that it was trimmed, and "
                    "was not.",
         .preamble = "PDC open.", .stimulus = "A whole WRITE with DSCP_TRIMMED; then as usual.",
         .expected = "NACK UET_TRIMMED or its ACK: which is told. The PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), whole = marked(tc, &o);
    const struct uet_want answer = answer_to(&o);
    uet_send(tc, &whole);
    const struct uet_in *in = uet_maybe(tc, &answer, 0);
    uet_note(tc, "NET-012", "%s",
             !in                        ? "it is dropped"
             : uet_is_nack(&in->packet) ? "it is taken for trimmed"
                                        : "it is delivered");
    uet_forget(tc);
    uet_resend(tc, &o);
    uet_expect_covered(tc, p, o.psn);
    still_serves(tc, "NET-012", p);
}
