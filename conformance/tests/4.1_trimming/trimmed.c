/* SPDX-License-Identifier: BSD-2-Clause */
/* 4.1: what the bytes of a trimmed packet look like, and what a FEP makes of strange ones. */
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/pds_target.h"

/* A WRITE on a PDC of the test's, and what a switch leaves of it. */
struct cut {
    struct uet_pdc *p;
    struct uet_out whole, cut;
};

static struct cut cut_write_as(struct uet_tc *tc, const char *role)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct cut w = {.p = uet_pdc_open(tc)};

    w.whole = some_write(tc, w.p, &m);
    w.cut = trimmed(tc, &w.whole, role);
    return w;
}

static struct cut cut_write(struct uet_tc *tc)
{
    return cut_write_as(tc, "dscp-trimmed");
}

/* What is left of it is refused as any other trimmed Request. */
static const struct uet_in *is_nacked(struct uet_tc *tc, const char *requirement,
                                      const struct cut *w)
{
    say(tc, &w->cut);
    return hear(tc, requirement, NACK_OF(&w->cut, UET_NACK_TRIMMED));
}

/* The whole one is executed after that. */
static void is_taken(struct uet_tc *tc, const char *requirement, const struct cut *w)
{
    say_again(tc, &w->whole);
    hear_answer(tc, requirement, &w->whole);
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
    struct cut w = cut_write(tc);
    w.cut.wrong.udp_checksum = true;
    w.cut.wrong.udp_checksum_value = 0xbeef;
    is_nacked(tc, "NET-008", &w);
    is_taken(tc, "NET-008", &w);
}

UET_TEST(lasthop_lengths, .id = "net.4.1.3.lasthop-lengths-and-checksum", .requirements = "NET-008",
         .role = UET_ROLE_TARGET, .needs = "udp trimming rud write any-request",
         .params = "dscp-trimmed-lasthop", .contested = true,
         .purpose = "The last switch, too, edits nothing behind the IP header: UDP length and "
                    "checksum are those of the whole packet.",
         .preamble = "PDC open.",
         .stimulus = "As in trimmed-lengths-and-checksum, with DSCP_TRIMMED_LASTHOP.",
         .expected = "NACK UET_TRIMMED_LASTHOP; the whole one is executed. Silence is a finding.")
{
    struct cut w = cut_write_as(tc, "dscp-trimmed-lasthop");
    w.cut.wrong.udp_checksum = true;
    w.cut.wrong.udp_checksum_value = 0xbeef;
    say(tc, &w.cut);
    hear(tc, "NET-008", NACK_OF(&w.cut, UET_NACK_TRIMMED_LASTHOP));
    is_taken(tc, "NET-008", &w);
}

UET_TEST(trimmed_native, .id = "net.4.1.native-trimmed-nacked", .requirements = "NET-011",
         .role = UET_ROLE_TARGET, .needs = "native trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "What a switch leaves of a native IP packet is refused like any other.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed to entropy header and 16 more bytes; then the whole.",
         .expected = "NACK UET_TRIMMED over native IP; the whole one is executed.")
{
    struct cut w = cut_write(tc);
    const struct uet_in *nack = is_nacked(tc, "NET-011", &w);
    uet_check(tc, "NET-011", nack->packet.entropy_offset, "the NACK came over UDP");
    is_taken(tc, "NET-011", &w);
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
    struct cut w = cut_write(tc);
    w.cut.pad = 2; /* 58 bytes over IPv4, of 60 that a frame has at least */
    is_nacked(tc, "NET-009", &w);
    is_taken(tc, "NET-009", &w);
}

/* However late it comes. */
static bool not_trimmed(const struct uet_in *in, const void *ctx)
{
    const uint8_t *h = uet_pds(&in->packet);

    (void)ctx;
    return !uet_is_nack(&in->packet) || (uet_nack_nack_code(h) != UET_NACK_TRIMMED &&
                                         uet_nack_nack_code(h) != UET_NACK_TRIMMED_LASTHOP);
}

/* So many bytes less than MIN_TRIM_SIZE, and so many of padding. */
static void say_stump(struct uet_tc *tc, const struct cut *w, uint16_t missing, uint8_t pad)
{
    struct uet_out stump = w->cut;

    stump.trim_to = (uint16_t)(min_trim(tc) - missing);
    stump.pad = pad;
    say(tc, &stump);
}

/* Stumps of that role: nothing comes, but for a NACK of one that has the whole RUD header. */
static void stumps_are_dropped(struct uet_tc *tc, const char *role)
{
    struct cut w = cut_write_as(tc, role);

    say_stump(tc, &w, 16, 0);
    say_stump(tc, &w, 12, 0);
    say_stump(tc, &w, 5, 0);
    silence(tc, "NET-010", .kind = UET_WANT_ANSWER, .named = "an answer to a stump",
            .within = uet_tc_quiet(tc) / 4);
    say_stump(tc, &w, 1, 0);
    tolerate(tc, NACK_ON(w.p, UET_NACK_TRIMMED, UET_NACK_TRIMMED_LASTHOP));
    silence(tc, "NET-010", .kind = UET_WANT_ANSWER, .also = not_trimmed,
            .named = "an answer to a stump", .within = uet_tc_quiet(tc) / 4);
    is_taken(tc, "NET-010", &w);
}

UET_TEST(lasthop_too_far, .id = "net.4.1.lasthop-too-far", .requirements = "NET-010",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed-lasthop", .contested = true,
         .purpose = "Less than MIN_TRIM_SIZE is no packet that the last switch may have left.",
         .preamble = "PDC open.", .stimulus = "As in trimmed-too-far, with DSCP_TRIMMED_LASTHOP.",
         .expected = "As in trimmed-too-far.")
{
    stumps_are_dropped(tc, "dscp-trimmed-lasthop");
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
    stumps_are_dropped(tc, "dscp-trimmed");
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
    struct cut w = cut_write(tc);
    say_stump(tc, &w, 12, 14); /* to 60 bytes over IPv4 and UDP */
    say_stump(tc, &w, 5, 7);
    silence(tc, "NET-009", ANSWER_ON(NULL), .within = uet_tc_quiet(tc) / 4);
    is_taken(tc, "NET-009", &w);
}

UET_TEST(marked_but_whole, .id = "net.4.1.marked-but-whole", .requirements = "NET-012",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true,
         .purpose = "What a FEP makes of a packet that says by its DSCP that it was trimmed, and "
                    "was not.",
         .preamble = "PDC open.", .stimulus = "A whole WRITE with DSCP_TRIMMED; then as usual.",
         .expected = "NACK UET_TRIMMED or its ACK: which is told. The PDC serves on.")
{
    struct cut w = cut_write(tc);
    struct uet_out whole = marked(tc, &w.whole);
    say(tc, &whole);
    const struct uet_in *in = maybe(tc, COVERED_OR_REFUSED(&w.whole));
    uet_note(tc, "NET-012", "%s",
             !in                        ? "it is dropped"
             : uet_is_nack(&in->packet) ? "it is taken for trimmed"
                                        : "it is delivered");
    uet_forget(tc);
    say_again(tc, &w.whole);
    hear(tc, "NET-012", COVERED(&w.whole));
    still_serves(tc, "NET-012", w.p);
}
