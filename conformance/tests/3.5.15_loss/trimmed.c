/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.15 (Table 3-61), 3.6.12.3: packets that a switch has trimmed (4.1). */
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"
#include "conformance/tests/trims.h"

/* A trimmed Request on a live PDC is refused with that code, and the whole one taken as new. */
static void refused_then_taken(struct uet_tc *tc, const char *requirement, bool rod,
                               const char *role, uint8_t code)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = rod;
    struct uet_out syn = uet_any_request(p);
    exchange(tc, &syn);
    uet_preamble_end(tc);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, role);
    uet_send(tc, &cut);
    uet_for(tc, requirement);
    const struct uet_in *nack = uet_expect_nack(tc, p, o.psn, code);
    uet_check_eq(tc, requirement, "spdcid", uet_spdcid(&nack->packet), p->fep_pdcid);
    uet_resend(tc, &o);
    uet_for(tc, "PDS-219");
    const struct uet_in *ack = uet_expect_answer(tc, p, o.psn);
    uet_check_success(tc, "PDS-219", ack);
    check_cack(tc, "PDS-219", ack, o.psn);
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

UET_TEST(trimmed_rod, .id = "pds.3.5.15.trimmed-rod", .requirements = "PDS-217 PDS-219",
         .role = UET_ROLE_TARGET, .needs = "trimming rod write any-request",
         .params = "dscp-trimmed",
         .purpose = "A trimmed ROD Request in order is NACKed, and nothing of it kept.",
         .preamble = "A ROD PDC open.", .stimulus = "A WRITE, trimmed; then the whole, retx=1.",
         .expected = "NACK UET_TRIMMED (0x01) of its PSN; the whole one is executed as new.")
{
    refused_then_taken(tc, "PDS-217", true, "dscp-trimmed", UET_NACK_TRIMMED);
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

UET_TEST(trimmed_syn, .id = "pds.3.5.8.2.trimmed-syn-opens-nothing", .requirements = "PDS-044",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .purpose = "A trimmed SYN creates no PDC.", .preamble = "None.",
         .stimulus = "A SYN WRITE, trimmed; then the whole.",
         .expected = "Silence, or NACK UET_TRIMMED with spdcid 0; the whole one opens the PDC and "
                     "is executed.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
    const struct uet_want any = {.kind = UET_WANT_ANSWER, .pdc = p};
    uet_send(tc, &cut);
    const struct uet_in *in = uet_maybe(tc, &any, uet_tc_quiet(tc));
    if (in) {
        uet_check(tc, "PDS-044", uet_is_nack(&in->packet),
                  "a trimmed SYN brought an answer that "
                  "is no NACK");
        uet_check_eq(tc, "PDS-044", "spdcid", uet_spdcid(&in->packet), 0);
        uet_check_enum(tc, "PDS-044", "nack_code", UET_ENUM_PDS_NACK_CODE,
                       uet_nack_nack_code(uet_pds(&in->packet)), UET_NACK_TRIMMED);
    }
    uet_note(tc, "PDS-044", "a trimmed SYN is %s", in ? "NACKed" : "dropped");
    uet_send(tc, &o);
    in = uet_expect_answer(tc, p, o.psn);
    uet_check_success(tc, "PDS-044", in);
    check_cack(tc, "PDS-044", in, o.psn);
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
    for (int ce = 1; ce >= 0; ce--) {
        struct uet_out o = some_write(tc, p, &m), cut = trimmed(tc, &o, "dscp-trimmed");
        cut.route.ecn = ce ? UET_ECN_CE : UET_ECN_ECT0;
        cut.route.entropy = ce ? 0xc123 : 0xc456;
        uet_send(tc, &cut);
        const struct uet_in *nack = uet_expect_nack(tc, p, o.psn, UET_NACK_TRIMMED);
        uet_check_eq(tc, "PDS-221", "m", uet_nack_m(uet_pds(&nack->packet)), (uint64_t)ce);
        uet_check_eq(tc, "PDS-221", "entropy value", uet_entropy(&nack->packet), cut.route.entropy);
        uet_resend(tc, &o);
        uet_expect_answer(tc, p, o.psn);
    }
}

/* A copy of a PSN that has arrived, which a switch has cut: an ACK or a NACK. */
static void trimmed_copy_answered(struct uet_tc *tc, const struct uet_out *o, struct uet_out *cut)
{
    const struct uet_want answer = answer_to(o);

    uet_rud_rod_req_retx_set(cut->pds, true);
    uet_send(tc, cut);
    const struct uet_in *in = uet_maybe(tc, &answer, 0);
    uet_check(tc, "PDS-220", in, "neither an ACK nor a NACK came");
    if (in && uet_is_nack(&in->packet))
        uet_check_enum(tc, "PDS-220", "nack_code", UET_ENUM_PDS_NACK_CODE,
                       uet_nack_nack_code(uet_pds(&in->packet)), UET_NACK_TRIMMED);
}

UET_TEST(trimmed_duplicate, .id = "pds.3.5.12.trimmed-duplicate", .requirements = "PDS-220",
         .role = UET_ROLE_TARGET, .needs = "trimming rud write any-request",
         .params = "dscp-trimmed", .contested = true, .claim_binds = true,
         .purpose = "A trimmed copy of a PSN that has arrived: an ACK or a NACK.",
         .preamble = "PDC open; a WRITE was acknowledged.",
         .stimulus = "The same with retx=1, trimmed.",
         .expected = "An ACK of it or NACK UET_TRIMMED; the PDC goes on.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = some_write(tc, p, &m);
    exchange(tc, &o);
    uet_forget(tc);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    trimmed_copy_answered(tc, &o, &cut);
    still_serves(tc, "PDS-220", p);
}

UET_TEST(trimmed_duplicate_ahead, .id = "pds.3.5.12.trimmed-duplicate-ahead-of-a-gap",
         .requirements = "PDS-220 PDS-219", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request", .params = "dscp-trimmed", .contested = true,
         .claim_binds = true, .purpose = "A trimmed copy does not take back what has arrived.",
         .preamble = "PDC open; n is missing, n+1, a WRITE, was acknowledged.",
         .stimulus = "n+1 with retx=1, trimmed; then n.",
         .expected = "An ACK of n+1 or NACK UET_TRIMMED; with n CACK_PSN comes to n+1.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out n = uet_any_request(p), o = some_write(tc, p, &m);
    exchange(tc, &o);
    uet_forget(tc);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    trimmed_copy_answered(tc, &o, &cut);
    uet_send(tc, &n);
    uet_check(tc, "PDS-219", cack_reaches(tc, p, o.psn) || uet_guaranteed(tc, p, o.psn),
              "CACK_PSN does not come to the PSN whose trimmed copy came later");
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
    uet_send(tc, &ahead);
    uet_expect_ack(tc, p, ahead.psn);
    struct uet_out cut = trimmed(tc, &o, "dscp-trimmed");
    uet_send(tc, &cut);
    uet_for(tc, "PDS-216");
    uet_expect_nack(tc, p, o.psn, UET_NACK_TRIMMED);
    uet_resend(tc, &o);
    uet_check_success(tc, "PDS-216", uet_expect_answer(tc, p, o.psn));
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
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP), cut = marked(tc, &noop);
    struct uet_out nack = uet_nack(p, p->start_psn, UET_NACK_PDC_MODE_MISMATCH);
    nack = marked(tc, &nack);
    bool auto_close = p->auto_close;
    uet_send(tc, &cut);
    uet_send(tc, &nack);
    p->auto_close = auto_close;
    const struct uet_want any = {
        .kind = UET_WANT_ANSWER, .pdc = p, .named = "an answer to a trimmed CP or NACK"};
    uet_expect_nothing(tc, "PDS-224", &any, 0);
    uet_send(tc, &noop);
    uet_expect_ack(tc, p, noop.psn);
    still_serves(tc, "PDS-224", p);
}

UET_TEST(trimmed_ack, .id = "pds.3.5.15.trimmed-ack", .requirements = "PDS-222 PDS-146",
         .role = UET_ROLE_INITIATOR, .needs = "trimming", .params = "dscp-trimmed RTO_Init_Time",
         .purpose = "A trimmed ACK brings no NACK: the Request comes again (1.0.3).",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; their ACK, trimmed.",
         .expected = "No NACK, 0x03 least of all; the Request again within one RTO; acknowledged, "
                     "the write completes.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes_on(tc, &pdc, 16, &handle);
    struct uet_out ack = uet_ack(pdc, in), cut = trimmed(tc, &ack, "dscp-trimmed");
    uet_send(tc, &cut);
    const struct uet_want nack = {.kind = UET_WANT_NACK, .named = "a NACK of a trimmed ACK"};
    const struct uet_want again = resend_of(pdc, uet_packet_psn(&in->packet));
    in = uet_expect(tc, &again, patience(tc, one_rto(tc)));
    uet_expect_nothing(tc, "PDS-222", &nack, UET_US);
    acknowledge(tc, pdc, in);
    uet_auto_ack(tc, true);
    struct uet_ut_completion c = uet_expect_completion(tc, handle);
    uet_check_eq(tc, "PDS-222", "completion status", c.status, UET_UT_OK);
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
    struct uet_memory m = uet_need_idempotent(tc, DATA);
    struct uet_out o = uet_rudi_write(tc, &m, 0, uet_tc_bytes(tc, DATA), DATA),
                   cut = trimmed(tc, &o, "dscp-trimmed");
    const struct uet_want nack = {.kind = UET_WANT_NACK, .named = "NACK of the RUDI Request"};
    const struct uet_want second = {.kind = UET_WANT_NACK, .named = "a second NACK of one packet"};
    const struct uet_want response = {
        .kind = UET_WANT_RUDI_RESPONSE, .with_psn = true, .psn = o.psn};
    uet_send(tc, &cut);
    const struct uet_in *in = uet_maybe(tc, &nack, 0);
    uet_check(tc, "PDS-225", in != NULL, "no NACK came for a trimmed RUDI Request");
    if (in) {
        const uint8_t *h = uet_pds(&in->packet);
        uet_check_eq(tc, "PDS-179", "nt", uet_nack_nt(h), UET_NACK_TYPE_RUDI);
        uet_check_eq(tc, "PDS-179", "nack_pkt_id", uet_pkt_id(&in->packet), o.psn);
        uet_check_eq(tc, "PDS-179", "spdcid", uet_nack_rudi_spdcid(h), 0);
        uet_check_eq(tc, "PDS-179", "dpdcid", uet_nack_rudi_dpdcid(h), 0);
        uet_check_enum(tc, "PDS-225", "nack_code", UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(h),
                       UET_NACK_TRIMMED);
        uet_check_eq(tc, "PDS-104", "m", uet_nack_m(h), 0);
        uet_check_eq(tc, "PDS-105", "retx", uet_nack_retx(h), 0);
        uet_expect_nothing(tc, "PDS-225", &second, UET_MS);
    }
    uet_resend(tc, &o);
    uet_for(tc, "PDS-225");
    uet_check_success(tc, "PDS-225", uet_expect(tc, &response, 0));
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
    const struct uet_want any = {.named = "an answer to a trimmed datagram"};
    uet_send(tc, &cut);
    cut.trim_to =
        (uint16_t)(min_trim(tc) + o.ses_len + DATA / 2); /* a switch may leave more (4.1) */
    uet_send(tc, &cut);
    uet_expect_nothing(tc, "PDS-184", &any, 0);
    struct uet_ut_completion c;
    uet_check(tc, "PDS-184", !uet_completion(tc, m.handle, UET_MS, &c),
              "a trimmed datagram was delivered");
}
