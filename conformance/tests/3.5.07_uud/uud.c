/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.4, 3.5.10.12: datagrams are sent once, never answered, and use no PDC. */
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* Nothing of any kind may come back. */
static void stays_silent(struct uet_tc *tc, const char *requirement)
{
    const struct uet_want any = {.named = "an answer to a datagram"};

    uet_expect_nothing(tc, requirement, &any, 0);
}

UET_TEST(uud_never_answered, .id = "pds.3.5.7.4.never-answered", .requirements = "PDS-006",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "A UUD Request is neither acknowledged nor refused.",
         .preamble = "A receive buffer posted.",
         .stimulus = "A datagram of 64 bytes to it; one to a resource index that nobody opened.",
         .expected = "The first is delivered; neither is answered.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1), closed = m;
    struct uet_out good = uet_datagram(tc, &m, uet_tc_bytes(tc, 64), 64);
    closed.resource_index ^= 0x5a5;
    struct uet_out bad = uet_datagram(tc, &closed, uet_tc_bytes(tc, 64), 64);
    uet_send(tc, &good);
    uet_send(tc, &bad);
    stays_silent(tc, "PDS-006");
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "PDS-006", "bytes delivered", c.length, 64);
}

UET_TEST(uud_takes_no_send, .id = "ses.3.4.6.2.send-on-uud", .requirements = "SES-038",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "UUD carries UET_DATAGRAM_SEND and nothing else.",
         .preamble = "A receive buffer posted.",
         .stimulus = "UET_SEND of 64 bytes over UUD; then a datagram of 24 bytes.",
         .expected = "The first is dropped in silence; the second is what the buffer gets.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out wrong = uet_datagram(tc, &m, uet_tc_bytes(tc, 64), 64);
    uet_ses_req_opcode_set(wrong.ses, UET_OP_SEND);
    uet_send(tc, &wrong);
    stays_silent(tc, "SES-038");
    struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    uet_send(tc, &right);
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "SES-038", "bytes in the buffer", c.length, 24);
}

UET_TEST(uud_flags_ignored, .id = "pds.3.5.10.12.flags-ignored", .requirements = "PDS-182",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "The flag bits of a UUD Request mean nothing to the receiver.",
         .preamble = "A receive buffer posted.", .stimulus = "A datagram with all flag bits set.",
         .expected = "It is delivered.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out o = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    uet_uud_req_flags_rsvd_set(o.pds, 0x7f);
    uet_send(tc, &o);
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "PDS-182", "bytes delivered", c.length, 24);
    stays_silent(tc, "PDS-182");
}

UET_TEST(uud_needs_no_pdc, .id = "pds.3.5.7.4.served-without-a-pdc", .requirements = "PDS-181",
         .role = UET_ROLE_TARGET, .needs = "uud rud any-request upper-tester", .params = "max-pdcs",
         .purpose = "UUD uses no PDC: it is served when all are in use.",
         .preamble = "All PDCs of the FEP are opened, until a SYN is refused.",
         .stimulus = "A datagram to a posted receive.", .expected = "It is delivered.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    close_req_long(tc);
    use_up_pdcs(tc);
    struct uet_out o = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    uet_send(tc, &o);
    struct uet_ut_completion c = uet_expect_completion(tc, m.handle);
    uet_check_eq(tc, "PDS-181", "bytes delivered", c.length, 24);
}
