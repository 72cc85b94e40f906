/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.6, 3.5.7: what a delivery mode promises, and that a PDC keeps its own. */
#include "conformance/tests/pds_target.h"

UET_TEST(rod_request_on_rud_pdc, .id = "pds.3.5.6.rod-request-on-rud-pdc",
         .requirements = "PDS-007", .role = UET_ROLE_TARGET, .not_over = "rod",
         .needs = "rud rod any-request",
         .purpose = "A PDC keeps its delivery mode: a ROD Request does not fit a RUD PDC.",
         .preamble = "RUD PDC open.",
         .stimulus = "A ROD Request with the dpdcid of that PDC and the next PSN.",
         .expected = "NACK UET_PDC_MODE_MISMATCH (0x16) naming that PSN; no ACK of it.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rod = request_at(p, p->next_psn);
    uet_rud_rod_req_type_set(rod.pds, UET_PDS_ROD_REQ);
    say(tc, &rod);
    hear(tc, "PDS-007", NACK_OF(&rod, UET_NACK_PDC_MODE_MISMATCH));
    silence(tc, "PDS-007", ACK_OF(&rod));
}

UET_TEST(syn_of_other_mode, .id = "pds.3.5.6.syn-of-other-mode", .requirements = "PDS-007",
         .role = UET_ROLE_TARGET, .not_over = "rod", .needs = "rud rod any-request",
         .purpose = "A ROD Request with syn=1 does not fit a RUD PDC that is there.",
         .preamble = "RUD PDC open.",
         .stimulus = "A ROD Request with syn=1, the spdcid of that PDC and its next PSN.",
         .expected = "NACK UET_PDC_MODE_MISMATCH (0x16) naming that PSN; another code is a "
                     "finding. No ACK.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out rod = syn_request_at(p, p->next_psn);
    uet_rud_rod_req_type_set(rod.pds, UET_PDS_ROD_REQ);
    say(tc, &rod);
    const struct uet_in *in = hear(tc, "PDS-007", ANSWER_TO(&rod));
    uet_check(tc, "PDS-007", uet_is_nack(&in->packet), "a packet of the other mode was taken");
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    if (code != UET_NACK_PDC_MODE_MISMATCH)
        uet_other_reading(tc, "PDS-007", "refused with %s",
                          uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
}

UET_TEST(two_pdcs_between_a_pair, .id = "pds.3.5.6.two-pdcs-between-a-pair",
         .requirements = "PDS-010", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "order", .purpose = "Two FEPs may have more than one PDC between them.",
         .stimulus = "Two SYN Requests from one address with different spdcid; then a Request on "
                     "each PDC in turn.",
         .expected = "Two ACKs with different TPDCIDs, neither 0; both PDCs go on working.")
{
    struct uet_pdc *a = uet_pdc_new(tc), *b = uet_pdc_new(tc);
    struct uet_out syn_a = uet_any_request(a), syn_b = uet_any_request(b);
    say(tc, &syn_a);
    say(tc, &syn_b);
    const struct uet_in *ack_a = hear(tc, "PDS-010", ACK_OF(&syn_a));
    const struct uet_in *ack_b = hear(tc, "PDS-010", ACK_OF(&syn_b));
    uint16_t id_a = uet_spdcid(&ack_a->packet), id_b = uet_spdcid(&ack_b->packet);
    uet_check(tc, "PDS-010", id_a && id_b && id_a != id_b,
              "the TPDCIDs are 0x%04x and 0x%04x, required two different ones, none 0", id_a, id_b);
    still_serves(tc, "PDS-010", a);
    still_serves(tc, "PDS-010", b);
}

UET_TEST(
    out_of_order_accepted, .id = "pds.3.5.7.1.out-of-order-accepted", .requirements = "PDS-002",
    .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "cp",
    .purpose = "RUD takes packets that overtook others; a gap alone is no error.",
    .preamble = "RUD PDC open; S is the next PSN.",
    .stimulus = "Requests S, S+2, S+1, each with ar=1.",
    .expected = "An ACK for each; no NACK UET_ROD_OOO; once S+1 has arrived CACK_PSN covers S+2.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out s = uet_any_request(p), s1 = uet_any_request(p), s2 = uet_any_request(p);
    exchange(tc, &s);
    exchange(tc, &s2);
    const struct uet_in *last = exchange(tc, &s1);
    check_cack(tc, "PDS-002", last, s2.psn);
    silence(tc, "PDS-002", NACK_ON(p, UET_NACK_ROD_OOO));
}

UET_TEST(two_gaps, .id = "pds.3.5.7.1.two-gaps", .requirements = "PDS-002 PDS-108",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "cp",
         .purpose = "RUD takes what fills a gap, also when a lower one is still open.",
         .preamble = "RUD PDC open; S is the next PSN.",
         .stimulus = "Requests S, S+2, S+4, S+6; then S+5, S+3, S+1, each with ar=1.",
         .expected = "An ACK for each; CACK_PSN is S until S+1 has come, then S+6.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[7];
    static const uint8_t order[] = {0, 2, 4, 6, 5, 3, 1};
    for (int i = 0; i < 7; i++)
        o[i] = uet_any_request(p);
    for (int i = 0; i < 7; i++) {
        const struct uet_in *ack = exchange(tc, &o[order[i]]);
        check_cack(tc, i < 6 ? "PDS-002" : "PDS-108", ack, o[i < 6 ? 0 : 6].psn);
    }
}

UET_TEST(noop_of_other_mode, .id = "pds.3.5.6.noop-of-other-mode", .requirements = "PDS-007",
         .role = UET_ROLE_TARGET, .needs = "rud any-request cp-noop", .not_over = "mode",
         .purpose = "A NOOP that says ROD makes no ROD PDC of a RUD PDC.",
         .preamble = "RUD PDC open; S is the next PSN.",
         .stimulus = "A NOOP with isrod=1 and PSN S; then Requests S, S+2 and S+1.",
         .expected =
             "Whatever answer to the NOOP, or none; S+2 and S+1 are acknowledged, unless that "
             "was a NACK that ends the PDC.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = cp_at(p, UET_CTL_NOOP, p->next_psn);
    uet_cp_isrod_set(noop.pds, true);
    say(tc, &noop);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&noop), .within = uet_tc_quiet(tc));
    if (in && uet_is_nack(&in->packet) &&
        uet_nack_table[uet_nack_nack_code(uet_pds(&in->packet))].nack_class == UET_CLASS_PDC_FATAL)
        return;
    tolerate(tc, ANSWER_TO(&noop));
    struct uet_out s0 = uet_any_request(p), s1 = uet_any_request(p), s2 = uet_any_request(p);
    say_again(tc, &s0); /* a FEP that took the NOOP has had this PSN */
    say(tc, &s2);
    hear(tc, "PDS-007", ACK_OF(&s2));
    ask(tc, "PDS-007", &s1);
}

UET_TEST(duplicate_has_one_effect, .id = "pds.3.5.7.1.duplicate-has-one-effect",
         .requirements = "PDS-001", .role = UET_ROLE_TARGET, .needs = "rud send upper-tester",
         .purpose = "A packet that arrives twice is given to SES once.",
         .preamble = "A send resource with two posted buffers; RUD PDC open.",
         .stimulus = "A SEND; the same packet again with retx=1; then a second SEND.",
         .expected = "The copy is acknowledged but takes no buffer: the second SEND finds one and "
                     "succeeds.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_send_message(p, &m, "the first", 9);
    struct uet_out second = uet_send_message(p, &m, "the second", 10);
    uet_check_success(tc, "PDS-001", exchange(tc, &first));
    exchange_again(tc, &first);
    const struct uet_in *ack = exchange(tc, &second);
    uet_check_success(tc, "PDS-001", ack);
    second_has_second_buffer(tc, "PDS-001", &m, 10);
}

UET_TEST(duplicates_change_memory_once, .id = "pds.3.5.1.duplicates-change-memory-once",
         .requirements = "PDS-132", .role = UET_ROLE_TARGET, .needs = "rud write upper-tester",
         .purpose = "A duplicate is never passed to SES, whatever came in between.",
         .preamble = "A memory region; RUD PDC open.",
         .stimulus = "WRITE of A, WRITE of B to the same place, then the WRITE of A again, once "
                     "with retx=0 and once with retx=1.",
         .expected = "The memory holds B.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out a = uet_write(p, &m, 0, "AAAAAAAA", 8), b = uet_write(p, &m, 0, "BBBBBBBB", 8);
    char now[8];
    exchange(tc, &a);
    exchange(tc, &b);
    say(tc, &a);
    exchange_again(tc, &a);
    uet_wait(tc, uet_tc_quiet(tc));
    uet_read_back(tc, &m, 0, now, sizeof(now));
    uet_check(tc, "PDS-132", memcmp(now, "BBBBBBBB", 8) == 0,
              "a duplicate WRITE was executed: the memory does not hold what was written last");
}
