/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15 (Table 3-61), 3.6.12.3: packets that a switch has trimmed (4.1). */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/* A trimmed Request on a live PDC is refused with that code, and the whole one taken as new. */
static void refused_then_taken(struct uet_tc *tc, const char *requirement, bool rod,
                               const char *role, uint8_t code)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, rod, NULL);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, role);

    say(tc, &cut);
    field(tc, requirement, hear(tc, requirement, NACK_OF(&o, code)), UET_F_PDS_SPDCID,
          p->fep_pdcid);
    say_again(tc, &o);
    const struct uet_in *ack = hear_answer(tc, "PDS-219", &o);
    uet_check_success(tc, "PDS-219", ack);
    check_cack(tc, "PDS-219", ack, o.psn);
    memory_holds(tc, "PDS-219", &m, 0, o.payload, DATA);
}

UET_TEST(trimmed_rud, .id = "pds.3.5.15.trimmed-rud", .requirements = "PDS-216 PDS-219 PDS-146",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "A trimmed RUD Request on a live PDC is NACKed, and nothing of it kept.",
         .preamble = "PDC open.", .stimulus = "A WRITE, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN; the whole one is executed as new.")
{
    refused_then_taken(tc, "PDS-216", false, "dscp-trimmed", UET_NACK_TRIMMED);
}

UET_TEST(trimmed_twice, .id = "pds.3.5.15.trimmed-twice", .requirements = "PDS-216 PDS-219 PDS-105",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "Each trimmed copy is NACKed, and what it still carries is not written.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed behind 32 bytes of its payload; with retx=1, trimmed again; "
                     "then the whole.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN each time, the second with retx=1, "
                     "memory unchanged; the whole one is executed as new.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, false, NULL);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    struct kept before = keep(tc, &m, 0, DATA);
    cut.trim_to = (uint16_t)(UET_UDP_BYTES + o.pds_len + o.ses_len + 32);
    for (int i = 0; i < 2; i++) {
        uet_rud_rod_req_ar_set(cut.pds, i > 0); /* a NACK comes unasked */
        if (i == 0)
            say(tc, &cut);
        else
            say_again(tc, &cut);
        const struct uet_in *nack = hear(tc, "PDS-216", NACK_OF(&o, UET_NACK_TRIMMED));
        if (i > 0)
            field(tc, "PDS-105", nack, UET_F_PDS_RETX, 1);
        unchanged(tc, "PDS-219", &before);
    }
    say_again(tc, &o);
    uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &o));
    memory_holds(tc, "PDS-219", &m, 0, o.payload, DATA);
}

UET_TEST(trimmed_out_of_order, .id = "pds.3.5.15.trimmed-out-of-order",
         .requirements = "PDS-216 PDS-219", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed",
         .purpose = "The NACK names the PSN that was trimmed, not the one that is missing before "
                    "it.",
         .preamble = "PDC open; n is missing.",
         .stimulus = "A WRITE n+1, trimmed; then n and n+1 whole.",
         .expected = "NACK UET_TRIMMED (0x01) of n+1, none of n; both are executed as new.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, false, NULL);
    struct uet_out missing = some_write(tc, p, &m), o = some_write(tc, p, &m);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    say(tc, &cut);
    field(tc, "PDS-216", hear(tc, "PDS-216", NACK_ON(p, UET_NACK_TRIMMED)), UET_F_PDS_NACK_PSN,
          o.psn);
    say(tc, &missing);
    uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &missing));
    say_again(tc, &o);
    uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &o));
    memory_holds(tc, "PDS-219", &m, 0, o.payload, DATA);
}

UET_TEST(trimmed_with_syn, .id = "pds.3.5.15.trimmed-with-syn", .requirements = "PDS-216 PDS-219",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "A Request that was sent with syn=1 before the first ACK came is one of the "
                    "live PDC.",
         .preamble = "PDC open.",
         .stimulus = "A WRITE with syn=1 and its psn_offset, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN with spdcid TPDCID; the whole one is "
                     "executed as new.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, false, NULL);
    uint16_t tpdcid = p->fep_pdcid;
    p->fep_pdcid = 0; /* what is built now has syn=1 */
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    p->fep_pdcid = tpdcid;
    say(tc, &cut);
    field(tc, "PDS-216", hear(tc, "PDS-216", NACK_OF(&o, UET_NACK_TRIMMED)), UET_F_PDS_SPDCID,
          tpdcid);
    say_again(tc, &o);
    uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &o));
}

UET_TEST(trimmed_rod, .id = "pds.3.5.15.trimmed-rod", .requirements = "PDS-217 PDS-219",
         .role = UET_ROLE_TARGET, .needs = "trimming rod write any-request",
         .params = "dscp-trimmed",
         .purpose = "A trimmed ROD Request in order is NACKed, and nothing of it kept.",
         .preamble = "A ROD PDC open.", .stimulus = "A WRITE, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN; the whole one is executed as new.")
{
    refused_then_taken(tc, "PDS-217", true, "dscp-trimmed", UET_NACK_TRIMMED);
}

UET_TEST(trimmed_rod_at_a_gap, .id = "pds.3.5.15.trimmed-rod-at-a-gap", .requirements = "PDS-217",
         .role = UET_ROLE_TARGET, .needs = "trimming rod write any-request",
         .params = "dscp-trimmed",
         .purpose = "A gap that was told does not silence the NACK of what comes trimmed there.",
         .preamble = "A ROD PDC open.",
         .stimulus = "The second of two WRITEs; the first, trimmed, twice; then both, retx=1.",
         .expected = "NACK UET_ROD_OOO; NACK UET_TRIMMED (0x01) each time; both are executed.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, true, NULL);
    struct uet_out o = some_write(tc, p, &m), second = some_write(tc, p, &m);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    say(tc, &second);
    hear(tc, "PDS-165", NACK_OF(&second, UET_NACK_ROD_OOO));
    for (int i = 0; i < 2; i++) {
        say(tc, &cut);
        hear(tc, "PDS-217", NACK_OF(&o, UET_NACK_TRIMMED));
    }
    say_again(tc, &o);
    hear_answer(tc, "PDS-219", &o);
    say_again(tc, &second);
    hear_answer(tc, "PDS-219", &second);
}

UET_TEST(trimmed_last_hop, .id = "pds.3.6.12.3.trimmed-at-last-hop", .requirements = "PDS-218",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed-lasthop",
         .purpose = "DSCP_TRIMMED_LASTHOP has a NACK code of its own.", .preamble = "PDC open.",
         .stimulus = "A WRITE, trimmed, with DSCP_TRIMMED_LASTHOP; then the whole.",
         .expected = "NACK UET_TRIMMED_LASTHOP (0x02); the whole one is executed as new.")
{
    refused_then_taken(tc, "PDS-218", false, "dscp-trimmed-lasthop", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(trimmed_rod_last_hop, .id = "pds.3.6.12.3.trimmed-rod-at-last-hop",
         .requirements = "PDS-218 PDS-219", .role = UET_ROLE_TARGET,
         .needs = "trimming rod write any-request", .params = "dscp-trimmed-lasthop",
         .purpose = "The code of the last hop is told for ROD, too.", .preamble = "A ROD PDC open.",
         .stimulus = "A WRITE, trimmed, with DSCP_TRIMMED_LASTHOP; then the whole.",
         .expected = "NACK UET_TRIMMED_LASTHOP (0x02); the whole one is executed as new.")
{
    refused_then_taken(tc, "PDS-218", true, "dscp-trimmed-lasthop", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(each_trimmed_its_code, .id = "pds.3.6.12.3.each-trimmed-its-code",
         .requirements = "PDS-218 PDS-216", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed dscp-trimmed-lasthop",
         .purpose = "The code goes by the packet, not by the one before.", .preamble = "PDC open.",
         .stimulus = "WRITEs, trimmed: at the last hop, elsewhere, at the last hop; each whole "
                     "afterwards.",
         .expected = "NACKs UET_TRIMMED_LASTHOP, UET_TRIMMED, UET_TRIMMED_LASTHOP.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, false, NULL);
    for (int i = 0; i < 3; i++) {
        struct uet_out o = some_write(tc, p, &m);
        struct uet_out cut = trimmed(tc, &o, i == 1 ? "dscp-trimmed" : "dscp-trimmed-lasthop");
        say(tc, &cut);
        hear(tc, "PDS-218", REFUSAL_OF(&o),
             CODES(i == 1 ? UET_NACK_TRIMMED : UET_NACK_TRIMMED_LASTHOP));
        say_again(tc, &o);
        uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &o));
    }
}

UET_TEST(trimmed_whatever_its_ecn, .id = "pds.3.6.12.3.trimmed-whatever-its-ecn",
         .requirements = "PDS-218 PDS-216", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed dscp-trimmed-lasthop",
         .purpose = "The code goes by the DSCP: the ECN bits beside it do not count.",
         .preamble = "PDC open.",
         .stimulus = "WRITEs, trimmed, at the last hop and elsewhere, with ECT(0), ECT(1) and CE; "
                     "each whole afterwards.",
         .expected = "NACKs UET_TRIMMED_LASTHOP and UET_TRIMMED, whatever the ECN is.")
{
    static const uint8_t ecn[] = {UET_ECN_ECT0, UET_ECN_ECT1, UET_ECN_CE};
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, false, NULL);
    for (size_t i = 0; i < 2 * sizeof ecn; i++) {
        struct uet_out o = some_write(tc, p, &m);
        struct uet_out cut = trimmed(tc, &o, i % 2 ? "dscp-trimmed" : "dscp-trimmed-lasthop");
        cut.route.ecn = ecn[i / 2];
        say(tc, &cut);
        hear(tc, "PDS-218", REFUSAL_OF(&o),
             CODES(i % 2 ? UET_NACK_TRIMMED : UET_NACK_TRIMMED_LASTHOP));
        say_again(tc, &o);
        uet_check_success(tc, "PDS-219", hear_answer(tc, "PDS-219", &o));
    }
}

/* A SYN WRITE that a switch has trimmed; then the whole. */
static void trimmed_syn_opens_nothing(struct uet_tc *tc, bool rod, const char *dscp, uint8_t code)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = rod;
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, dscp);

    say(tc, &cut);
    const struct uet_in *in = maybe(tc, ANSWER_ON(p), .within = uet_tc_quiet(tc));
    if (in) {
        field(tc, "PDS-044", in, UET_F_PDS_NACK_CODE, code);
        field(tc, "PDS-044", in, UET_F_PDS_SPDCID, 0);
    }
    uet_note(tc, "PDS-044", "a trimmed SYN is %s", in ? "NACKed" : "dropped");
    in = ask(tc, "PDS-044", &o);
    uet_check_success(tc, "PDS-044", in);
    check_cack(tc, "PDS-044", in, o.psn);
}

UET_TEST(lasthop_syn, .id = "pds.3.5.8.2.lasthop-syn-opens-nothing", .requirements = "PDS-044",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed-lasthop",
         .purpose = "A SYN that was trimmed at the last hop creates no PDC.", .preamble = "None.",
         .stimulus = "A SYN WRITE, trimmed, with DSCP_TRIMMED_LASTHOP; then the whole.",
         .expected = "Silence, or NACK UET_TRIMMED_LASTHOP with spdcid 0; the whole one opens the "
                     "PDC and is executed.")
{
    trimmed_syn_opens_nothing(tc, false, "dscp-trimmed-lasthop", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(trimmed_syn, .id = "pds.3.5.8.2.trimmed-syn-opens-nothing", .requirements = "PDS-044",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .purpose = "A trimmed SYN creates no PDC.", .preamble = "None.",
         .stimulus = "A SYN WRITE, trimmed; then the whole.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0; the whole one opens the PDC and "
                     "is executed.")
{
    trimmed_syn_opens_nothing(tc, false, "dscp-trimmed", UET_NACK_TRIMMED);
}

UET_TEST(trimmed_syn_of_another, .id = "pds.3.5.8.2.trimmed-syn-of-another-life",
         .requirements = "PDS-044", .role = UET_ROLE_TARGET, .contested = true, /* whose is it? */
         .needs = "trimming rud write any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed SYN does not belong to a PDC of its spdcid that starts elsewhere.",
         .preamble = "PDC open.",
         .stimulus = "A SYN WRITE of that spdcid with a Start_PSN 2^16 and more further on, "
                     "trimmed; then a WRITE on the PDC.",
         .expected = "The second WRITE is executed. NACK UET_TRIMMED that names the PDC, which has "
                     "that spdcid after all, is a finding.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc), *other = uet_pdc_new_at(tc, p->next_psn + 0x12345);
    other->pdcid = p->pdcid;
    p->pdcid = 0; /* what comes for this PDCID belongs to the other one */
    other->auto_close = false;
    struct uet_out o = some_write(tc, other, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    tolerate(tc, REFUSAL_ON(other));
    say(tc, &cut);
    const struct uet_in *in =
        maybe(tc, NACK_ON(other, UET_NACK_TRIMMED), .within = uet_tc_quiet(tc));
    p->pdcid = other->pdcid;
    other->pdcid = 0;
    if (in && value_of(tc, in, UET_F_PDS_SPDCID))
        uet_other_reading(tc, "PDS-044", "a trimmed SYN counts to the PDC that has its spdcid");
    struct uet_out next = some_write(tc, p, &m);
    uet_check_success(tc, "PDS-044", ask(tc, "PDS-044", &next));
}

UET_TEST(trimmed_rod_syn, .id = "pds.3.5.8.2.trimmed-rod-syn-opens-nothing",
         .requirements = "PDS-044", .role = UET_ROLE_TARGET,
         .needs = "trimming rod write any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed SYN of ROD creates no PDC.", .preamble = "None.",
         .stimulus = "A ROD SYN WRITE, trimmed; then the whole.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0; the whole one opens the PDC and "
                     "is executed.")
{
    trimmed_syn_opens_nothing(tc, true, "dscp-trimmed", UET_NACK_TRIMMED);
}

/* The NACK of a trimmed WRITE tells what the network wrote on it; the whole one is taken. */
static void echoed(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m, uint8_t ecn,
                   uint16_t entropy)
{
    struct uet_out o = some_write(tc, p, m), cut = trimmed(tc, &o, "dscp-trimmed");

    cut.route.ecn = ecn;
    cut.route.entropy = entropy;
    say(tc, &cut);
    const struct uet_in *nack = hear(tc, "PDS-221", NACK_OF(&o, UET_NACK_TRIMMED));
    field(tc, "PDS-221", nack, UET_F_PDS_M, ecn == UET_ECN_CE);
    uet_check_eq(tc, "PDS-221", "entropy value", uet_entropy(&nack->packet), entropy);
    say_again(tc, &o);
    hear_answer(tc, "PDS-221", &o);
}

UET_TEST(trimmed_echoes, .id = "pds.3.6.12.3.trimmed-nack-echoes", .requirements = "PDS-221",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed",
         .purpose = "The NACK of a trimmed packet tells its CE mark and its entropy value.",
         .preamble = "PDC open.",
         .stimulus = "Trimmed WRITEs: with CE and entropy 0xC123, with ECT(0) and 0xC456.",
         .expected = "NACKs with m=1 and entropy 0xC123, with m=0 and 0xC456.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    echoed(tc, p, &m, UET_ECN_CE, 0xc123);
    echoed(tc, p, &m, UET_ECN_ECT0, 0xc456);
}

UET_TEST(trimmed_rod_echoes, .id = "pds.3.6.12.3.trimmed-rod-nack-echoes",
         .requirements = "PDS-221", .role = UET_ROLE_TARGET,
         .needs = "trimming rod write any-request", .params = "dscp-trimmed",
         .purpose = "The NACK of a trimmed ROD packet tells its CE mark and its entropy value.",
         .preamble = "A ROD PDC open.", .stimulus = "As in trimmed-nack-echoes, over ROD.",
         .expected = "As in trimmed-nack-echoes.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = open_in_mode(tc, true, NULL);
    echoed(tc, p, &m, UET_ECN_CE, 0xc123);
    echoed(tc, p, &m, UET_ECN_ECT0, 0xc456);
}

/* The ACK says no more than that it came: no SES response, or UET_NO_RESPONSE (3.4.3.6.2). */
static bool arrival_only(const struct uet_in *in)
{
    return !uet_is_ses_response(&in->packet) ||
           uet_ses_rsp_opcode(uet_ses(&in->packet)) == UET_RSP_NO_RESPONSE;
}

/* What has arrived comes once more, and a switch has cut it: an ACK of it, or a NACK. */
static void trimmed_copy_answered(struct uet_tc *tc, const struct uet_out *o)
{
    struct uet_out cut = trimmed(tc, o, "dscp-trimmed");

    uet_forget(tc);
    uet_rud_rod_req_retx_set(cut.pds, true);
    say(tc, &cut);
    /* Nobody vouches for a sealed one: it may cause a loss NACK, and need not (TSS-072). */
    const struct uet_in *in =
        maybe(tc, COVERED_OR_REFUSED(o), .within = sealing_adds(o) ? UET_MS : 0);
    uet_check(tc, "PDS-220", in || sealing_adds(o), "neither an ACK nor a NACK came");
    if (in && uet_is_nack(&in->packet))
        field(tc, "PDS-220", in, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
    else if (in && !arrival_only(in)) { /* as of any duplicate */
        uet_check_success(tc, "PDS-130", in);
        field(tc, "PDS-130", in, UET_F_SES_RI_GENERATION, 0); /* as the WRITE has it */
    }
}

UET_TEST(trimmed_duplicate, .id = "pds.3.5.12.trimmed-duplicate", .requirements = "PDS-220 PDS-130",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true, .claim_binds = true,
         .purpose = "A trimmed copy of a PSN that has arrived: an ACK or a NACK.",
         .preamble = "PDC open; a WRITE was acknowledged.",
         .stimulus = "The same with retx=1, trimmed.",
         .expected = "An ACK of it, which tells no error, or NACK UET_TRIMMED; the PDC goes on.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m);
    ask(tc, "PDS-220", &o);
    trimmed_copy_answered(tc, &o);
    still_serves(tc, "PDS-220", p);
}

UET_TEST(trimmed_duplicate_ahead, .id = "pds.3.5.12.trimmed-duplicate-ahead-of-a-gap",
         .requirements = "PDS-220 PDS-219 PDS-130", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed", .contested = true,
         .claim_binds = true, .purpose = "A trimmed copy does not take back what has arrived.",
         .preamble = "PDC open; n is missing, n+1, a WRITE, was acknowledged.",
         .stimulus = "n+1 with retx=1, trimmed; then n.",
         .expected = "An ACK of n+1 or NACK UET_TRIMMED; with n CACK_PSN comes to n+1.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), o = some_write(tc, p, &m);
    ask(tc, "PDS-220", &o);
    trimmed_copy_answered(tc, &o);
    say(tc, &n);
    uet_check(tc, "PDS-219", maybe(tc, CACK_UP_TO(p, o.psn)) || uet_guaranteed(tc, p, o.psn),
              "CACK_PSN does not come to the PSN whose trimmed copy came later");
}

UET_TEST(trimmed_copy_renews_nothing, .id = "pds.3.5.12.trimmed-copy-renews-nothing",
         .requirements = "PDS-220 PDS-001", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed copy of what was executed does not make the whole one new again.",
         .preamble = "PDC open; a WRITE n was acknowledged, and another one to the same place.",
         .stimulus = "n with retx=1, trimmed; then n with retx=1, whole.",
         .expected = "Whatever the answers are, the memory holds what the second WRITE brought.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), newer = uet_write(p, &m, 0, "newer data", 10);
    uet_check_success(tc, "PDS-219", ask(tc, "PDS-220", &o));
    uet_check_success(tc, "PDS-219", ask(tc, "PDS-220", &newer));
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    uet_rud_rod_req_retx_set(cut.pds, true);
    whatever_comes_of(tc, &cut);
    uet_forget(tc);
    say_again(tc, &o);
    maybe(tc, COVERED_OR_REFUSED(&o));
    memory_holds(tc, "PDS-001", &m, 0, "newer data", 10);
    still_serves(tc, "PDS-220", p);
}

UET_TEST(trimmed_copy_of_an_error, .id = "pds.3.5.12.trimmed-copy-of-an-error",
         .requirements = "PDS-220 PDS-087", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed copy does not turn a stored error into a success.",
         .preamble = "PDC open; n, a WRITE with an unknown key, was answered with an error, which "
                     "is not cleared.",
         .stimulus = "n with retx=1, trimmed; then n with retx=1, whole.",
         .expected = "A NACK of it, the error once more, or an ACK that tells nothing of it; then "
                     "the stored error.")
{
    hold_idle(tc); /* sealed, nothing comes of what is trimmed */
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_memory nowhere = m;
    nowhere.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13) */
    struct uet_out o = some_write(tc, p, &nowhere);
    exchange_refused(tc, &o);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    uet_rud_rod_req_retx_set(cut.pds, true);
    uet_forget(tc);
    say(tc, &cut);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&o));
    uet_check(tc, "PDS-087",
              !in || uet_is_nack(&in->packet) || arrival_only(in) || is_error_response(in),
              "the ACK tells a success of a WRITE that was refused");
    uet_check(tc, "PDS-087", is_error_response(ask_anew(tc, "PDS-087", &o)),
              "the stored error is gone after a trimmed copy");
}

UET_TEST(trimmed_copy_of_a_read, .id = "pds.3.5.12.trimmed-copy-of-a-read",
         .requirements = "PDS-220 PDS-087", .role = UET_ROLE_TARGET,
         .needs = "trimming rud read any-request", .params = "dscp-trimmed", .claim_binds = true,
         .purpose = "A trimmed copy brings no success of a READ without its data.",
         .preamble = "Memory of 16 bytes; PDC open; n, a READ of 8 bytes, was answered in its ACK, "
                     "which is not cleared.",
         .stimulus = "n with retx=1, trimmed; then n with retx=1, whole.",
         .expected = "A NACK of it, the data once more, or an ACK that tells nothing of it; then "
                     "the data.")
{
    hold_idle(tc); /* sealed, nothing comes of what is trimmed */
    struct source s = need_source(tc, 16);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = uet_read(p, &s.m, 8, 8);
    read_in_ack(tc, "PDS-118", &o);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    uet_rud_rod_req_retx_set(cut.pds, true);
    uet_forget(tc);
    say(tc, &cut);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&o));
    uet_check(tc, "PDS-087",
              !in || uet_is_nack(&in->packet) || arrival_only(in) ||
                  uet_is_ses_response_data(&in->packet),
              "the ACK tells a success of a READ, and has no data");
    uet_forget(tc);
    say_again(tc, &o);
    check_data(tc, "PDS-087", hear(tc, "PDS-087", DATA_OF(&o)), &s, 8, 8);
}

UET_TEST(trimmed_below_highest, .id = "pds.3.5.15.trimmed-below-highest",
         .requirements = "PDS-216 PDS-220", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed",
         .purpose = "A trimmed PSN that never came is no duplicate because a higher one did.",
         .preamble = "PDC open; n is the next PSN; a Request n+1 was acknowledged.",
         .stimulus = "A WRITE n, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of n; the whole one is executed as new.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m), ahead = uet_any_request(p);
    say(tc, &ahead);
    hear(tc, "PDS-216", ACK_OF(&ahead));
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    say(tc, &cut);
    hear(tc, "PDS-216", NACK_OF(&o, UET_NACK_TRIMMED));
    say_again(tc, &o);
    uet_check_success(tc, "PDS-216", hear_answer(tc, "PDS-216", &o));
}

/* A NOOP and a fatal NACK with the DSCP of that role: nothing; then the NOOP is taken as new. */
static void dropped_in_silence(struct uet_tc *tc, const char *role)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP), cut = marked_as(tc, &noop, role);
    struct uet_out nack = uet_nack(p, p->start_psn, UET_NACK_PDC_MODE_MISMATCH);
    nack = marked_as(tc, &nack, role);
    say(tc, &cut);
    say(tc, &nack);
    silence(tc, "PDS-224", ANSWER_ON(p));
    say(tc, &noop);
    hear(tc, "PDS-224", ACK_OF(&noop));
    still_serves(tc, "PDS-224", p);
}

UET_TEST(trimmed_cp, .id = "pds.3.5.15.trimmed-cp-and-nack", .requirements = "PDS-224",
         .role = UET_ROLE_TARGET, .needs = "trimming rud any-request cp-noop",
         .params = "dscp-trimmed",
         .purpose = "Trimmed Control Packets and NACKs are dropped in silence.",
         .preamble = "PDC open.",
         .stimulus = "A NOOP and a NACK (fatal, of an outstanding range) with the DSCP of trimmed "
                     "packets; then the NOOP as it should be.",
         .expected = "Silence; then the NOOP is acknowledged as new.")
{
    dropped_in_silence(tc, "dscp-trimmed");
}

UET_TEST(lasthop_cp, .id = "pds.3.5.15.lasthop-cp-and-nack", .requirements = "PDS-224",
         .role = UET_ROLE_TARGET, .needs = "trimming rud any-request cp-noop",
         .params = "dscp-trimmed-lasthop",
         .purpose = "Control Packets and NACKs that were trimmed at the last hop are dropped in "
                    "silence.",
         .preamble = "PDC open.",
         .stimulus = "As in trimmed-cp-and-nack, with DSCP_TRIMMED_LASTHOP.",
         .expected = "As in trimmed-cp-and-nack.")
{
    dropped_in_silence(tc, "dscp-trimmed-lasthop");
}

UET_TEST(trimmed_close, .id = "pds.3.5.15.trimmed-close-command", .requirements = "PDS-224",
         .role = UET_ROLE_TARGET, .needs = "trimming rud any-request", .params = "dscp-trimmed",
         .purpose = "A Close Command that was trimmed closes nothing.", .preamble = "PDC open.",
         .stimulus = "A Close Command with the DSCP of trimmed packets; then a Request with its "
                     "PSN.",
         .expected = "Silence; then an ACK of the Request.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out closes = cp_at(p, UET_CTL_CLOSE_COMMAND, p->next_psn);
    closes = marked(tc, &closes);
    say(tc, &closes);
    silence(tc, "PDS-224", ANSWER_ON(p));
    still_serves(tc, "PDS-224", p);
}

UET_TEST(
    trimmed_close_request, .id = "pds.3.5.15.trimmed-close-request", .requirements = "PDS-224",
    .role = UET_ROLE_INITIATOR, .needs = "trimming", .params = "dscp-trimmed",
    .purpose = "A Close Request that was trimmed is not obeyed.",
    .preamble = "A PDC that the FEP opened; RTO long; of a WRITE of two packets the first is "
                "acknowledged.",
    .stimulus = "A Close Request with the DSCP of trimmed packets; then the ACK of the second.",
    .expected = "No answer to it; the write completes.")
{
    hold_rto(tc);
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &pdc, &handle);
    struct uet_out request = cp_at(pdc, UET_CTL_CLOSE_REQUEST, pdc->next_psn);
    request = marked(tc, &request);
    say(tc, &request);
    silence(tc, "PDS-224", ANSWER_TO(&request));
    resume_acks(tc, in);
    completes(tc, "PDS-224", handle, UET_UT_OK);
}

UET_TEST(trimmed_clear, .id = "pds.3.5.15.trimmed-clear", .requirements = "PDS-224 PDS-190",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write", .params = "dscp-trimmed",
         .purpose = "A Clear Command that was trimmed clears nothing.",
         .preamble = "PDC open; a WRITE with an unknown key was answered with an error, which is "
                     "not cleared.",
         .stimulus = "The Clear Command for it with the DSCP of trimmed packets; an ACK Request.",
         .expected = "No answer to the Clear Command; the stored error again.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    const struct uet_in *first = exchange_refused(tc, &bad);
    struct uet_out clear = cp_at(p, UET_CTL_CLEAR_COMMAND, bad.psn);
    uet_cp_payload_value_set(clear.pds, bad.psn);
    clear = marked(tc, &clear);
    uet_wait(tc, UET_MS);
    uet_forget(tc); /* the ACK of a copy, too */
    say(tc, &clear);
    silence(tc, "PDS-224", ANSWER_ON(p), .within = uet_tc_quiet(tc) / 4);
    struct uet_out request = cp_at(p, UET_CTL_ACK_REQUEST, bad.psn);
    const struct uet_in *again = ask(tc, "PDS-190", &request);
    field(tc, "PDS-224", again, UET_F_SES_RETURN_CODE, value_of(tc, first, UET_F_SES_RETURN_CODE));
}

/* The FEP writes 16 bytes; their ACK comes trimmed, with the DSCP of that role. */
static void ack_trimmed(struct uet_tc *tc, const char *dscp)
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    struct uet_out ack = uet_ack(pdc, in), cut = trimmed(tc, &ack, dscp);
    say(tc, &cut);
    in = hear(tc, "PDS-222", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    silence(tc, "PDS-222", REFUSAL_ON(NULL), .within = UET_US);
    resume_acks(tc, in);
    completes(tc, "PDS-222", handle, UET_UT_OK);
}

UET_TEST(trimmed_ack, .id = "pds.3.5.15.trimmed-ack", .requirements = "PDS-222 PDS-146",
         .role = UET_ROLE_INITIATOR, .needs = "trimming", .params = "dscp-trimmed RTO_Init_Time",
         .purpose = "A trimmed ACK brings no NACK: the Request comes again (1.0.3).",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; their ACK, trimmed.",
         .expected = "No NACK, 0x03 least of all; the Request again within one RTO; acknowledged, "
                     "the write completes.")
{
    ack_trimmed(tc, "dscp-trimmed");
}

UET_TEST(lasthop_ack, .id = "pds.3.5.15.lasthop-ack", .requirements = "PDS-222 PDS-146",
         .role = UET_ROLE_INITIATOR, .needs = "trimming",
         .params = "dscp-trimmed-lasthop RTO_Init_Time",
         .purpose = "An ACK that was trimmed at the last hop brings no NACK (1.0.3).",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; their ACK, trimmed, with DSCP_TRIMMED_LASTHOP.",
         .expected = "As with the other DSCP.")
{
    ack_trimmed(tc, "dscp-trimmed-lasthop");
}

/* The NACK of a RUDI Request that was trimmed (3.5.10.10). */
static void names_pkt_id(struct uet_tc *tc, const struct uet_in *in, const struct uet_out *o)
{
    field(tc, "PDS-179", in, UET_F_PDS_NT, UET_NACK_TYPE_RUDI);
    uet_check_eq(tc, "PDS-179", "nack_pkt_id", uet_pkt_id(&in->packet), o->psn);
    uet_check_eq(tc, "PDS-179", "spdcid", uet_nack_rudi_spdcid(uet_pds(&in->packet)), 0);
    uet_check_eq(tc, "PDS-179", "dpdcid", uet_nack_rudi_dpdcid(uet_pds(&in->packet)), 0);
}

/* A RUDI WRITE that was trimmed, and its NACK; then the whole of it. */
static void rudi_is_trimmed(struct uet_tc *tc)
{
    struct uet_memory m = uet_need_idempotent(tc, DATA);
    struct uet_out o = uet_rudi_write(tc, &m, 0, uet_tc_bytes(tc, DATA), DATA);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    say(tc, &cut);
    const struct uet_in *in = maybe(tc, REFUSAL_ON(NULL));
    /* a sealed one need not be answered: nobody vouches for it (TSS-072) */
    uet_check(tc, "PDS-225", in || sealing_adds(&o), "no NACK came for a trimmed RUDI Request");
    if (in) {
        names_pkt_id(tc, in, &o);
        field(tc, "PDS-225", in, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED);
        field(tc, "PDS-104", in, UET_F_PDS_M, 0);
        field(tc, "PDS-105", in, UET_F_PDS_RETX, 0);
        silence(tc, "PDS-225", REFUSAL_ON(NULL), .within = UET_MS);
    }
    say_again(tc, &o);
    uet_check_success(tc, "PDS-225", hear(tc, "PDS-225", RUDI_RESPONSE_TO(&o)));
}

UET_TEST(trimmed_rudi, .id = "pds.3.5.15.trimmed-rudi",
         .requirements = "PDS-225 PDS-179 PDS-104 PDS-105", .role = UET_ROLE_TARGET,
         .needs = "trimming rudi write upper-tester", .contested = true, .params = "dscp-trimmed",
         .purpose = "A trimmed RUDI Request is NACKed by its pkt_id.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED with nt=1, that pkt_id and both PDCIDs 0 (silence is a "
                     "finding); the whole one is answered.")
{
    rudi_is_trimmed(tc);
}

UET_TEST(trimmed_rudi_without_ack_cc, .id = "pds.3.5.15.trimmed-rudi-without-ack-cc",
         .requirements = "PDS-225 PDS-179", .role = UET_ROLE_TARGET,
         .needs = "trimming rudi write upper-tester", .contested = true, .params = "dscp-trimmed",
         .purpose = "A FEP whose ACKs carry no CC state NACKs a trimmed RUDI Request as any does.",
         .preamble = "ACK_CC 0; a region whose key is idempotent_safe.",
         .stimulus = "As in trimmed-rudi.", .expected = "As there.")
{
    if (!uet_try_param(tc, "ACK_CC", 0))
        uet_skip_for(tc, UET_SKIP_VERB, "ACK_CC of this FEP cannot be set");
    rudi_is_trimmed(tc);
}

UET_TEST(lasthop_rudi, .id = "pds.3.5.15.lasthop-rudi",
         .requirements = "PDS-225 PDS-179 PDS-104 PDS-105 PDS-221", .role = UET_ROLE_TARGET,
         .needs = "trimming rudi write upper-tester", .contested = true,
         .params = "dscp-trimmed-lasthop",
         .purpose = "A RUDI Request that was trimmed at the last hop is NACKed by its pkt_id; what "
                    "the network wrote comes back.",
         .preamble = "A region whose key is idempotent_safe.",
         .stimulus = "A RUDI WRITE with retx=1, CE and entropy 0xC123, trimmed with "
                     "DSCP_TRIMMED_LASTHOP; then the whole.",
         .expected = "If a NACK comes: nt=1, that pkt_id, both PDCIDs 0, m=1, retx=1, that entropy "
                     "value, UET_TRIMMED_LASTHOP or UET_TRIMMED; silence is a finding. The whole "
                     "one is answered.")
{
    struct uet_memory m = uet_need_idempotent(tc, DATA);
    struct uet_out o = uet_rudi_write(tc, &m, 0, uet_tc_bytes(tc, DATA), DATA);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed-lasthop");
    cut.route.ecn = UET_ECN_CE;
    cut.route.entropy = 0xc123;
    say_again(tc, &cut);
    const struct uet_in *in = maybe(tc, REFUSAL_ON(NULL));
    uet_check(tc, "PDS-225", in || sealing_adds(&o), "no NACK came for a trimmed RUDI Request");
    if (in) {
        names_pkt_id(tc, in, &o);
        field_among(tc, "PDS-225", in, UET_F_PDS_NACK_CODE, UET_NACK_TRIMMED,
                    UET_NACK_TRIMMED_LASTHOP);
        field(tc, "PDS-104", in, UET_F_PDS_M, 1);
        field(tc, "PDS-105", in, UET_F_PDS_RETX, 1);
        uet_check_eq(tc, "PDS-221", "entropy value", uet_entropy(&in->packet), 0xc123);
    }
    say_again(tc, &o);
    uet_check_success(tc, "PDS-225", hear(tc, "PDS-225", RUDI_RESPONSE_TO(&o)));
}

UET_TEST(trimmed_uud, .id = "pds.3.5.15.trimmed-uud", .requirements = "PDS-184",
         .role = UET_ROLE_TARGET, .needs = "trimming uud upper-tester", .params = "dscp-trimmed",
         .purpose = "A trimmed datagram is dropped without a NACK.",
         .preamble = "A receive buffer posted.",
         .stimulus = "A datagram, trimmed to the least, and one with half of its payload left.",
         .expected = "Silence, and no delivery.")
{
    struct uet_memory m = uet_need_receive(tc, DATA, 1);
    struct uet_out o = uet_datagram(tc, &m, uet_tc_bytes(tc, DATA), DATA),
                   cut = trimmed(tc, &o, "dscp-trimmed");
    say(tc, &cut);
    cut.trim_to =
        (uint16_t)(min_trim(tc) + o.ses_len + DATA / 2); /* a switch may leave more (4.1) */
    say(tc, &cut);
    silence(tc, "PDS-184", .named = "an answer to a trimmed datagram");
    stays_open(tc, "PDS-184", m.handle, UET_MS);
}

UET_TEST(lasthop_uud, .id = "pds.3.5.15.lasthop-uud", .requirements = "PDS-184",
         .role = UET_ROLE_TARGET, .needs = "trimming uud upper-tester",
         .params = "dscp-trimmed-lasthop",
         .purpose = "A datagram that was trimmed at the last hop is dropped without a NACK.",
         .preamble = "A receive buffer posted.",
         .stimulus = "A datagram, trimmed to the least, with DSCP_TRIMMED_LASTHOP.",
         .expected = "Silence, and no delivery.")
{
    struct uet_memory m = uet_need_receive(tc, DATA, 1);
    struct uet_out o = uet_datagram(tc, &m, uet_tc_bytes(tc, DATA), DATA),
                   cut = trimmed(tc, &o, "dscp-trimmed-lasthop");
    say(tc, &cut);
    silence(tc, "PDS-184", .named = "an answer to a trimmed datagram");
    stays_open(tc, "PDS-184", m.handle, UET_MS);
}
