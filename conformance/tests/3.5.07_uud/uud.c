/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.4, 3.5.10.12: datagrams are sent once, never answered, and use no PDC. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/tests/pds_target.h"
#include "conformance/tests/without_pdc.h"

/* The datagram fills the receive, so many bytes long. */
static void reaches(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                    uint64_t n)
{
    struct uet_ut_completion c = completes(tc, requirement, m->handle, UET_UT_OK);

    tells_length(tc, requirement, "bytes delivered", &c, n);
}

/* What else a FEP sends by itself, on PDCs that are open, is none. */
static bool may_answer(const struct uet_in *in, const void *none)
{
    (void)none;
    return !in->pdc || (!uet_is_cp(&in->packet) && !uet_is_request(&in->packet));
}

#define ANY_ANSWER .also = may_answer, .named = "an answer to a datagram"

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
    say(tc, &good);
    say(tc, &bad);
    silence(tc, "PDS-006", ANY_ANSWER);
    reaches(tc, "PDS-006", &m, 64);
}

UET_TEST(uud_wrong_unanswered, .id = "pds.3.5.7.4.never-answered-when-wrong",
         .requirements = "PDS-006", .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "A datagram is not answered, whatever is wrong with it.",
         .preamble = "A receive buffer posted.",
         .stimulus = "Datagrams of 64 bytes with rel=1 and an unknown JobID; with an unknown "
                     "PIDonFEP, rel=1 and rel=0; with SES version 1; with ie=1. Then one of 24 "
                     "bytes as it should be, and one for which there is no buffer left.",
         .expected = "None is answered; the one is delivered.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1), job = m, pid = m, absolute = m;
    job.relative = pid.relative = true;
    absolute.relative = false;
    job.job_id = 0xabcdef;
    pid.pid_on_fep = absolute.pid_on_fep = 0xfff;
    const struct uet_memory *where[] = {&job, &pid, &absolute, &m, &m};
    for (size_t i = 0; i < 5; i++) {
        struct uet_out o = uet_datagram(tc, where[i], uet_tc_bytes(tc, 64), 64);
        uet_ses_req_version_set(o.ses, i == 3);
        uet_ses_req_ie_set(o.ses, i == 4);
        say(tc, &o);
        silence(tc, "PDS-006", ANY_ANSWER);
    }
    struct uet_out good = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24), more = good;
    say(tc, &good);
    reaches(tc, "PDS-006", &m, 24);
    say(tc, &more);
    silence(tc, "PDS-006", ANY_ANSWER);
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
    say(tc, &wrong);
    silence(tc, "SES-038", ANY_ANSWER);
    struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    say(tc, &right);
    reaches(tc, "SES-038", &m, 24);
}

/* A request in another form, over UUD. */
static void say_over_uud(struct uet_tc *tc, const struct uet_memory *m, const struct uet_out *like,
                         uint8_t next_hdr)
{
    struct uet_out o = uet_datagram(tc, m, like->payload, like->payload_len);

    take_form(&o, like);
    uet_uud_req_next_hdr_set(o.pds, next_hdr);
    say(tc, &o);
}

/* A send in another form as a datagram: dropped in silence. */
static void send_over_uud(struct uet_tc *tc, const struct uet_memory *m, const struct uet_out *like,
                          uint8_t next_hdr)
{
    say_over_uud(tc, m, like, next_hdr);
    silence(tc, "SES-038", ANY_ANSWER);
}

UET_TEST(uud_takes_no_other_send, .id = "ses.3.4.6.2.other-sends-on-uud", .requirements = "SES-038",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "UUD carries no other send: none in a short form, deferrable or tagged.",
         .preamble = "Receives posted.",
         .stimulus = "Over UUD: a SEND with the small and the medium header, a deferrable and a "
                     "tagged send, as far as they are claimed; then a datagram of 24 bytes.",
         .expected = "They are dropped in silence; the datagram is what the receive gets.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *none = lending_pdc(tc);
    for (const struct send_form *f = NULL; (f = next_form(tc, f));) {
        const struct uet_out o = f->send(none, &m, "no datagram");
        send_over_uud(tc, &m, &o, f->next_hdr);
    }
    if (uet_tc_dut(tc)->claims[UET_PICS_TAGGED]) {
        struct uet_memory t = uet_need_tagged(tc);
        uint64_t receive = tag_receive(tc, &t, .match_bits = 0x38);
        const struct uet_out o = tagged_send(none, &t, 0x38);
        send_over_uud(tc, &t, &o, UET_NH_REQUEST_STD);
        must_not_succeed(tc, "SES-038", receive);
    }
    struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    say(tc, &right);
    reaches(tc, "SES-038", &m, 24);
}

/* Datagrams with that header without SOM, without EOM, without both. */
static void short_parts(struct uet_tc *tc, const struct uet_memory *m, uint8_t header)
{
    struct uet_pdc *none = lending_pdc(tc);
    const bool small = header == UET_UT_HEADER_SMALL;

    for (unsigned i = 0; i < 3; i++) {
        struct uet_out o = small ? uet_small(none, UET_OP_DATAGRAM_SEND, m, 0, "no datagram", 11)
                                 : uet_medium(none, UET_OP_DATAGRAM_SEND, m, 0, "no datagram", 11);
        uet_ses_req_som_set(o.ses, i == 0);
        uet_ses_req_eom_set(o.ses, i == 1);
        say_over_uud(tc, m, &o, small ? UET_NH_REQUEST_SMALL : UET_NH_REQUEST_MEDIUM);
        silence(tc, "SES-015", ANY_ANSWER);
    }
}

UET_TEST(
    uud_short_single, .id = "ses.3.4.2.2.short-datagram-must-be-single", .requirements = "SES-015",
    .role = UET_ROLE_TARGET, .needs = "uud upper-tester", .contested = true,
    .purpose = "A datagram with the small or medium header without SOM or EOM is an error.",
    .preamble = "A receive posted.",
    .stimulus = "With each of these headers that is claimed: datagrams of 11 bytes with EOM=0, "
                "with SOM=0, with both 0; then one of 24 bytes with the standard header.",
    .expected = "None of them is delivered, or answered; the last one is what the receive gets.")
{
    const bool *claims = uet_tc_dut(tc)->claims;
    if (!claims[UET_PICS_SMALL_HEADER] && !claims[UET_PICS_MEDIUM_HEADER])
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no short header is claimed");
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    if (claims[UET_PICS_SMALL_HEADER])
        short_parts(tc, &m, UET_UT_HEADER_SMALL);
    if (claims[UET_PICS_MEDIUM_HEADER])
        short_parts(tc, &m, UET_UT_HEADER_MEDIUM);
    struct uet_out right = uet_datagram(tc, &m, uet_tc_bytes(tc, 24), 24);
    say(tc, &right);
    reaches(tc, "SES-015", &m, 24);
}

UET_TEST(uud_takes_no_rma, .id = "ses.3.4.6.2.rma-and-atomics-on-uud", .requirements = "SES-038",
         .role = UET_ROLE_TARGET, .needs = "uud write upper-tester", .not_over = "all",
         .purpose = "What writes to memory is not taken on UUD, whatever its opcode.",
         .preamble = "A region.",
         .stimulus = "Over UUD: a WRITE of 8 bytes, a READ of 8, an atomic SUM and a fetching one.",
         .expected = "They are dropped in silence; memory is unchanged.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *none = lending_pdc(tc);
    const uint64_t one = UINT64_C(1) << 56;
    struct uet_atomic sum = {
        .amo = UET_AMO_SUM, .datatype = UET_TYPE_UINT64, .operand = &one, .n = 8};
    struct uet_out o[] = {uet_write(none, &m, 0, "on a uud", 8), uet_read(none, &m, 0, 8),
                          uet_atomic(none, &m, 0, &sum), uet_atomic(none, &m, 0, &sum)};
    struct kept before = keep(tc, &m, 0, 64);
    uet_ses_req_opcode_set(o[2].ses, UET_OP_ATOMIC);
    uet_ses_req_opcode_set(o[3].ses, UET_OP_FETCHING_ATOMIC);
    for (size_t i = 0; i < 4; i++)
        say_over_uud(tc, &m, &o[i], UET_NH_REQUEST_STD);
    silence(tc, "SES-038", ANY_ANSWER);
    unchanged(tc, "SES-038", &before);
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
    say(tc, &o);
    reaches(tc, "PDS-182", &m, 24);
    silence(tc, "PDS-182", ANY_ANSWER);
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
    say(tc, &o);
    reaches(tc, "PDS-181", &m, 24);
}

UET_TEST(uud_without_receive, .id = "ses.3.5.7.4.without-a-receive", .requirements = "SES-040",
         .role = UET_ROLE_TARGET, .needs = "uud send upper-tester",
         .purpose = "A datagram that finds no receive is dropped, and disables nothing.",
         .preamble = "A send resource without receives.",
         .stimulus = "Two datagrams to it; a PDC opens, a receive is posted; a SEND of 48 bytes.",
         .expected = "No answer to the datagrams; the SEND fills the receive.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 0);
    for (int i = 0; i < 2; i++) {
        struct uet_out lost = uet_datagram(tc, &m, uet_tc_bytes(tc, 32), 32);
        say(tc, &lost);
    }
    silence(tc, "SES-040", ANY_ANSWER);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.handle = untagged_receive(tc, &m);
    struct uet_out send = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    accepted(tc, "SES-040", &send);
    reaches(tc, "SES-040", &m, 48);
}

UET_TEST(uud_disables_no_generation, .id = "ses.3.5.7.4.disables-no-generation",
         .requirements = "SES-040", .role = UET_ROLE_TARGET,
         .needs = "uud send generations upper-tester",
         .purpose = "A datagram that finds no receive disables no index with generations.",
         .preamble = "A send resource of generation 9 without receives.",
         .stimulus = "A datagram to it; a PDC opens, a receive is posted; a SEND of 48 bytes with "
                     "generation 9.",
         .expected = "No answer to the datagram; the SEND fills the receive.")
{
    struct uet_memory m = uet_need_generation(tc, 64, 0, 9);
    struct uet_out lost = uet_datagram(tc, &m, uet_tc_bytes(tc, 32), 32);
    say(tc, &lost);
    silence(tc, "SES-040", ANY_ANSWER);
    struct uet_pdc *p = uet_pdc_open(tc);
    m.handle = untagged_receive(tc, &m);
    struct uet_out send = uet_send_message(p, &m, uet_tc_bytes(tc, 48), 48);
    accepted(tc, "SES-040", &send);
    reaches(tc, "SES-040", &m, 48);
}
