/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: somebody on the wire without the keys: every authenticated byte, and those that are not. */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

/*
 * So many bad packets must not latch the domain (TSS-043), nor those of other tests with them, nor
 * those of this one when it is repeated in place.
 */
static void need_patience(struct uet_tc *tc, const struct uet_out *o, unsigned packets)
{
    const struct uet_domain *d = o->tss.domain;
    const uint32_t threshold = d->told->auth_fail_threshold, before = d->wrong - d->wrong_begun;

    if (threshold && threshold < before + 2 * packets)
        uet_skip_for(tc, UET_SKIP_PARAMETER,
                     "the key file says that %u packets with a wrong ICV latch the domain, and it "
                     "has had %u",
                     (unsigned)threshold + 1, (unsigned)before);
}

/* One bit of each byte in turn, another one each time. */
static void say_flipped(struct uet_tc *tc, const struct uet_out *o, int from, int to)
{
    for (int at = from; at < to; at++) {
        struct uet_out f = flipped(o, (int16_t)at, (uint8_t)(1u << (unsigned)at % 8));
        say(tc, &f);
    }
}

UET_TEST(each_byte_flipped, .id = "tss.3.7.each-byte-flipped", .requirements = "TSS-013 TSS-042",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss",
         .purpose = "All PDS, SES and payload bytes are authenticated, and the ICV is looked at to "
                    "its last bit.",
         .stimulus = "A WRITE of 16 bytes with syn=1, with one bit inverted in each byte behind "
                     "the TSS header in turn; then unaltered.",
         .expected = "Nothing at all, nothing written; then an ACK, as of the first packet of that "
                     "PDC.")
{
    struct uet_memory m = uet_need_memory(tc, 16);
    const struct kept before = keep(tc, &m, 0, 16);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out write = uet_write(p, &m, 0, uet_tc_bytes(tc, 16), 16);

    need_patience(tc, &write, sealed_bytes(&write));
    say_flipped(tc, &write, header_bytes(&write), sealed_bytes(&write));
    silence(tc, "TSS-013", A_WORD_ON(p));
    unchanged(tc, "TSS-013", &before);
    ask(tc, "TSS-013", &write);
    memory_holds(tc, "TSS-013", &m, 0, write.payload, 16);
}

UET_TEST(clear_header_flipped, .id = "tss.3.7.clear-header-flipped", .requirements = "TSS-014",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "used after-read aged reopened",
         .purpose = "Encryption begins where the domain says; what stands before is authenticated.",
         .stimulus = "In a domain with encrypt_from a Request with syn=1, with one bit inverted in "
                     "the first byte behind the TSS header and in the last one that is in clear; "
                     "then unaltered.",
         .expected = "Nothing at all; then an ACK that is encrypted from there on.")
{
    const int16_t from = (int16_t)in_domain_with_offset(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    need_patience(tc, &syn, 2);
    if (from > sealed_bytes(&syn))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "encrypt_from is beyond the end of a short Request");
    struct uet_out first = flipped(&syn, (int16_t)header_bytes(&syn), 1),
                   last = flipped(&syn, (int16_t)(from - 1), 1);

    say(tc, &first);
    say(tc, &last);
    came_to_nothing(tc, "TSS-014", &syn);
}

/* Table 3-90: type (5 bits), sp, the reserved bit and AN are the first byte, the SDI begins at the
 * next. */
enum { FLAGS_AT = 0, RESERVED_BIT = 2, AN_BIT = 1, SDI_AT = 1 };

UET_TEST(header_flipped, .id = "tss.3.7.tss-header-flipped", .requirements = "TSS-010 TSS-042",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The bytes of the TSS header are authenticated, the reserved bit too.",
         .stimulus = "A Request with syn=1, with the reserved bit, the AN and one bit of each byte "
                     "of SDI, SSI, epoch and counter inverted in turn; then unaltered.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    struct uet_out reserved = flipped(&syn, FLAGS_AT, RESERVED_BIT),
                   an = flipped(&syn, FLAGS_AT, AN_BIT);

    need_patience(tc, &syn, header_bytes(&syn));
    say(tc, &reserved);
    say(tc, &an);
    say_flipped(tc, &syn, SDI_AT, header_bytes(&syn));
    came_to_nothing(tc, "TSS-010", &syn);
}

UET_TEST(other_target_sealed, .id = "tss.3.7.other-destination-authenticated",
         .requirements = "TSS-008 TSS-042", .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The IP destination is authenticated.",
         .stimulus = "A Request with syn=1, sealed for a destination that differs in one bit and "
                     "sent to the right one; then right.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p), other = syn;

    other.tss.other_target = true;
    other.meant = "authenticated for another destination";
    say(tc, &other);
    came_to_nothing(tc, "TSS-008", &syn);
}

UET_TEST(other_source_sealed, .id = "tss.3.7.other-source-authenticated",
         .requirements = "TSS-008 TSS-042", .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The IP source is authenticated.",
         .stimulus = "A Request with syn=1, sealed for a source that differs in one bit and sent "
                     "from the right one; then right.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    in_domain_with_ssis(
        tc); /* without SSI the source is in key and IV: another one proves nothing */
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p), other = syn;

    other.tss.other_source = true;
    other.meant = "authenticated for another source";
    say(tc, &other);
    came_to_nothing(tc, "TSS-008", &syn);
}

UET_TEST(
    reflected, .id = "tss.3.7.reflected", .requirements = "TSS-008 TSS-042",
    .not_over = "used after-read aged reopened", .role = UET_ROLE_INITIATOR,
    .needs = "rud write tss",
    .purpose = "What a FEP sealed itself is nothing for it, sent back with its addresses swapped.",
    .stimulus = "The FEP writes 16 bytes; its packet again with the addresses swapped; an ACK.",
    .expected = "Of the reflected packet nothing at all; the write is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);

    reflect(tc, in);
    silence(tc, "TSS-008", .kind = UET_WANT_ANSWER, .named = "an ACK or NACK");
    resume_acks(tc, in);
    completes(tc, "TSS-008", handle, UET_UT_OK);
}

UET_TEST(entropy_flipped, .id = "tss.3.7.entropy-header-flipped", .requirements = "TSS-011",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss native",
         .purpose = "On native IP the entropy header is authenticated.",
         .stimulus = "A Request with syn=1 with one bit of the entropy, then one of the "
                     "reserved half inverted after sealing; then unaltered.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p), value = flipped(&syn, -4, 1),
                   rest = flipped(&syn, -1, 1);

    say(tc, &value);
    say(tc, &rest);
    came_to_nothing(tc, "TSS-011", &syn);
}

UET_TEST(port_flipped, .id = "tss.3.7.udp-source-port-flipped", .requirements = "TSS-012",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss udp", .contested = true,
         .port_caps = UET_PORT_ENTROPY,
         .purpose = "Is the UDP header authenticated? Which reading the FEP follows is told.",
         .preamble = "PDC open; a Request is acknowledged.",
         .stimulus = "The same Request with retx=1, with one bit of the UDP source port inverted "
                     "after sealing; then unaltered.",
         .expected =
             "A FEP that seals by U1: nothing, an ACK is a finding; then its ACK. Of one that "
             "seals by U2 it is told.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p), altered = flipped(&o, -7, 1); /* of port 49152 and up */
    ask(tc, "TSS-012", &o);
    ask_anew(tc, "TSS-012", &o); /* its retx is that of what follows */
    uet_note(tc, "TSS-012", "the FEP follows reading %s", p->domain->reading & 1 ? "U2" : "U1");
    if (p->domain->reading & 1)
        return; /* as it took packets that were sealed so, it opens by U2 too */
    uet_forget_settled(tc);
    say_again(tc, &altered);
    if (maybe(tc, ANSWER_TO(&o), .within = uet_tc_quiet(tc)))
        uet_other_reading(tc, "TSS-012", "the FEP seals by reading U1, and takes what fails it");
    ask_anew(tc, "TSS-012", &o);
}

/* One that no switch has for a packet that it cut, and that is not the usual one. */
static uint8_t other_dscp(struct uet_tc *tc)
{
    uint64_t trimmed = 0, lasthop = 0, usual = 0;
    uint8_t dscp = 10;

    uet_tc_told(tc, "dscp-trimmed", &trimmed);
    uet_tc_told(tc, "dscp-trimmed-lasthop", &lasthop);
    uet_tc_told(tc, "dscp-trimmable", &usual);
    while (dscp == trimmed || dscp == lasthop || dscp == usual)
        dscp += 2;
    return dscp;
}

UET_TEST(marked_on_the_way, .id = "tss.3.7.marked-on-the-way", .requirements = "TSS-009",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "DSCP, ECN and TTL are not authenticated: switches change them.",
         .preamble = "PDC open.",
         .stimulus = "Four Requests: with ECN CE; with another DSCP; with another TTL or hop "
                     "limit; with ECT(0).",
         .expected = "All are acknowledged; m is 1 in the ACK of the first and 0 in that of the "
                     "last.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[4];

    for (int i = 0; i < 4; i++)
        o[i] = uet_any_request(p);
    o[0].route.ecn = UET_ECN_CE;
    o[1].route.dscp = other_dscp(tc);
    o[2].route.ttl = 2;
    o[3].route.ecn = UET_ECN_ECT0;
    field(tc, "TSS-009", ask(tc, "TSS-009", &o[0]), UET_F_PDS_M, 1);
    ask(tc, "TSS-009", &o[1]);
    ask(tc, "TSS-009", &o[2]);
    field(tc, "TSS-009", ask(tc, "TSS-009", &o[3]), UET_F_PDS_M, 0);
}

/* The Request as of the domain whose SDI differs in one bit, if the key file has none such. */
static void say_other_sdi(struct uet_tc *tc, struct uet_out other, unsigned bit)
{
    other.tss.other_sdi = true;
    other.tss.sdi = sdi_now(tc) ^ 1u << bit;
    other.meant = "of an unknown SDI";
    if (!uet_security_find(uet_tc_dut(tc)->security, other.tss.sdi))
        say(tc, &other);
}

UET_TEST(unknown_sdi, .id = "tss.3.7.unknown-sdi", .requirements = "TSS-038",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A packet of a domain that the FEP does not have is dropped in silence.",
         .stimulus = "A Request with syn=1 24 times, each with another bit of the SDI inverted, as "
                     "far as the key file does not have that SDI; then right.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);

    for (unsigned bit = 0; bit < 24; bit++)
        say_other_sdi(tc, syn, bit);
    came_to_nothing(tc, "TSS-038", &syn);
}

UET_TEST(without_ssi, .id = "tss.3.7.without-ssi", .requirements = "TSS-040",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A packet without SSI, where ssi-mode is TRUE, is dropped in silence.",
         .stimulus = "A Request with syn=1 and sp=0; then right.",
         .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    in_domain_with_ssis(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p), other = syn;
    other.tss.other_sp = true;
    other.meant = "of the other ssi-mode";
    say(tc, &other);
    came_to_nothing(tc, "TSS-040", &syn);
}

UET_TEST(live_without_ssi, .id = "tss.3.7.without-ssi-on-pdc", .requirements = "TSS-040",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "On an open PDC, too, a packet without SSI is dropped, where ssi-mode is TRUE.",
         .preamble = "PDC open.", .stimulus = "A Request with sp=0; the same PSN, right.",
         .expected = "Nothing at all; then an ACK.")
{
    in_domain_with_ssis(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out right = uet_any_request(p), other = right;
    other.tss.other_sp = true;
    other.meant = "of the other ssi-mode";
    say(tc, &other);
    came_to_nothing(tc, "TSS-040", &right);
}

UET_TEST(with_ssi, .id = "tss.3.7.with-ssi", .requirements = "TSS-041", .contested = true,
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A packet with an SSI, where ssi-mode is FALSE, is dropped in silence.",
         .preamble = "PDC open; a Request is acknowledged.",
         .stimulus = "The same Request with retx=1 and sp=1; then with sp=0.",
         .expected = "Nothing; then its ACK again.")
{
    if (ssi_mode_now(tc))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "ssi-mode of the domain is TRUE");
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p),
                   other = o; /* known, or its ACK would break other rules */
    ask(tc, "TSS-041", &o);
    ask_anew(tc, "TSS-041", &o); /* its retx is that of what follows */
    uet_forget_settled(tc);
    other.tss.other_sp = true;
    other.meant = "of the other ssi-mode";
    say_again(tc, &other);
    if (maybe(tc, ANSWER_TO(&o), .within = uet_tc_quiet(tc)))
        uet_other_reading(tc, "TSS-041", "the packet was taken");
    ask_anew(tc, "TSS-041", &o);
}

/* A TSS packet of so many bytes behind the UDP or entropy header: the first ones of a sealed one.
 */
static struct uet_out stump(const struct uet_out *o, uint16_t bytes)
{
    struct uet_out s = *o;
    const struct uet_tss_header h = {.sdi = o->tss.domain->told->sdi, .an = o->tss.domain->an};

    s.protect = UET_PROTECT_NONE;
    memset(s.pds, 0, sizeof(s.pds));
    uet_tss_write(s.pds, &h);
    s.pds_len = bytes;
    s.ses_len = 0;
    s.payload_len = 0;
    s.meant = "a stump of a TSS packet";
    return s;
}

#define STUMP_MOST 40
#define FLOOD      500u

UET_TEST(stumps, .id = "tss.3.7.stumps-dropped", .requirements = "TSS-044", .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss", .contested = true,
         .purpose = "What is too short for a TSS header and an ICV does no harm.",
         .stimulus = "40 packets of type 1, of 1 to 40 bytes; then a Request with syn=1.",
         .expected = "Nothing at all; then an ACK.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);

    need_patience(tc, &syn, STUMP_MOST);
    for (uint16_t n = 1; n <= STUMP_MOST; n++) {
        struct uet_out s = stump(&syn, n);
        say(tc, &s);
    }
    came_to_nothing(tc, "TSS-044", &syn);
}

/* So many bad ones: the last bit of pds.psn is another. */
static void say_bad(struct uet_tc *tc, const struct uet_out *o, uint32_t n)
{
    struct uet_out bad = flipped(o, (int16_t)(header_bytes(o) + 7), 1);

    say_often(tc, &bad, n);
}

UET_TEST(flood, .id = "tss.3.7.flood-of-wrong-icvs", .requirements = "TSS-042",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss unlatch", IN_EACH_KIND_OF_DOMAIN,
         .once = "the domain has counted half of the wrong ICVs that it allows",
         .purpose = "Packets with a wrong ICV stop nothing, until there are more than were told.",
         .stimulus = "Half as many SYNs with a wrong ICV as there may be, 500 at most; then "
                     "one of another PDC.",
         .expected = "Nothing at all; then an ACK.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const uint32_t threshold = p->domain->told->auth_fail_threshold;
    const uint32_t half = threshold ? threshold / 2 : FLOOD, most = half < FLOOD ? half : FLOOD;

    if (!most)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    unlatch_at_end(tc, &p->domain->told->sdi); /* and forget what was counted */
    say_bad(tc, &syn, most);
    silence(tc, "TSS-042", A_WORD_ON(p));
    struct uet_out other = uet_any_request(uet_pdc_new(tc));
    ask_late(tc, "TSS-042", &other);
}

static void serves_on(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out o = uet_any_request(p);

    say(tc, &o);
    uet_check(tc, "TSS-043", maybe(tc, COVERED(&o)), "wrong ICVs latched the domain too early");
}

UET_TEST(latch, .id = "tss.3.7.wrong-icvs-latch", .requirements = "TSS-043",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss unlatch", IN_EACH_KIND_OF_DOMAIN,
         .once = "the domain takes nothing any more",
         .purpose = "A domain that has seen too many wrong ICVs drops everything.",
         .preamble = "PDC open; the key file tells the threshold.",
         .stimulus =
             "As many SYNs with a wrong ICV as there may be; a Request on the open PDC. One "
             "more of them; the same right; a Request on the open PDC.",
         .expected = "Nothing; an ACK. Nothing; nothing; nothing.")
{
    need_pdcs(tc, 2);
    hold_idle(tc); /* there may be thousands of them */
    struct uet_pdc *open = uet_pdc_open(tc), *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const uint32_t threshold = p->domain->told->auth_fail_threshold;

    if (!threshold || threshold > LATCH_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    p->auto_close = open->auto_close = false;
    unlatch_at_end(tc, &p->domain->told->sdi);
    say_bad(tc, &syn, threshold);
    serves_on(tc, open);
    say_bad(tc, &syn, 1);
    say(tc, &syn);
    silence(tc, "TSS-043", ANSWER_ON(p));
    struct uet_out known = uet_any_request(open);
    say(tc, &known);
    silence(tc, "TSS-043", ANSWER_ON(open));
}

UET_TEST(latch_ends, .id = "tss.3.7.latch-ends", .requirements = "TSS-043", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester tss", IN_EACH_KIND_OF_DOMAIN,
         .once = "the domain has taken nothing any more, for a while",
         .purpose = "A domain that has seen too many wrong ICVs drops everything until it is told "
                    "to be in use again, and no longer.",
         .preamble = "The key file tells the threshold.",
         .stimulus = "One SYN with a wrong ICV more than there may be; the same right; the FEP is "
                     "told to use the domain (enable_domain); one with a wrong ICV, the right one.",
         .expected = "Nothing; nothing; an ACK: what was counted is forgotten.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const uint32_t threshold = p->domain->told->auth_fail_threshold;

    if (!threshold || threshold > LATCH_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    const uint32_t *sdi = &p->domain->told->sdi;
    uet_did(tc, domain_in_use(tc, sdi), "enable_domain"); /* as it is: the verb is there */
    undo_at_end(tc, domain_in_use, sdi);
    say_bad(tc, &syn, threshold + 1);
    say(tc, &syn);
    const struct uet_in *in = maybe(tc, ANSWER_ON(p), .within = uet_tc_quiet(tc));
    uet_did(tc, domain_in_use(tc, sdi), "enable_domain");
    uet_check(tc, "TSS-043", !in, "wrong ICVs have not latched the domain");
    p->stays_pending = false; /* that may be forgotten with the use of the domain */
    say_bad(tc, &syn, 1);
    ask_late(tc, "TSS-043", &syn);
}

UET_TEST(latch_of_one, .id = "tss.3.7.wrong-icvs-latch-one-domain", .requirements = "TSS-043",
         .role = UET_ROLE_TARGET, .needs = "rud no-op tss unlatch", IN_EACH_KIND_OF_DOMAIN,
         .once = "the domain takes nothing any more",
         .purpose = "A domain that has seen too many wrong ICVs is no affair of another one.",
         .preamble = "The key file tells the threshold.",
         .stimulus = "One SYN with a wrong ICV more than there may be; a right one in another "
                     "domain.",
         .expected = "Nothing; an ACK, or UET_NEW_START_PSN.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const uint32_t threshold = p->domain->told->auth_fail_threshold;

    if (!threshold || threshold > LATCH_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    p->auto_close = false;
    unlatch_at_end(tc, &p->domain->told->sdi);
    say_bad(tc, &syn, threshold + 1);
    silence(tc, "TSS-043", ANSWER_ON(p));
    in_other_domain(tc);
    start_by_hand(tc);
    struct uet_out other = uet_any_request(uet_pdc_new(tc));
    say(tc, &other);
    uet_check(tc, "TSS-043", maybe(tc, ANSWER_TO(&other)), "another domain is latched, too");
}

/* As many wrong ICVs as there may be, on an open PDC; what comes is right. */
static struct uet_out fails_often(struct uet_tc *tc, struct uet_pdc *p)
{
    const uint32_t threshold = p->domain->told->auth_fail_threshold;
    struct uet_out o = uet_any_request(p);

    if (!threshold || threshold > LATCH_MOST)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "auth_fail_threshold is %u", (unsigned)threshold);
    unlatch_at_end(tc, &p->domain->told->sdi);
    say_bad(tc, &o, threshold);
    return o;
}

UET_TEST(latch_counts_its_own, .id = "tss.3.7.wrong-icvs-are-counted-by-domain",
         .requirements = "TSS-043", .role = UET_ROLE_TARGET, .needs = "rud no-op tss unlatch",
         IN_EACH_KIND_OF_DOMAIN,
         .once = "the domains have counted all the wrong ICVs that they allow",
         .purpose = "Wrong ICVs in one domain bring another one no nearer to its latch.",
         .preamble = "A PDC open in one domain, and one in another; the key file tells thresholds.",
         .stimulus = "On each in turn a Request with a wrong ICV as often as there may be; then "
                     "on each the same right.",
         .expected = "Nothing; then an ACK on each.")
{
    need_pdcs(tc, 2);
    hold_idle(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out one = fails_often(tc, p);
    in_other_domain(tc);
    struct uet_out other = fails_often(tc, uet_pdc_open(tc));

    say(tc, &other);
    uet_check(tc, "TSS-043", maybe(tc, COVERED(&other)),
              "wrong ICVs of another domain have latched the domain, with its own");
    in_domain_again(tc, p->domain);
    say(tc, &one);
    uet_check(tc, "TSS-043", maybe(tc, COVERED(&one)),
              "wrong ICVs of another domain have latched the domain, after its own");
}
