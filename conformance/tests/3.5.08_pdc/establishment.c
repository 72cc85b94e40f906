/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.1, 3.5.8.2: how a PDC comes to be at its target. */
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds_target.h"

#define MANY 8

UET_TEST(tpdcids_never_zero, .id = "pds.3.5.8.2.tpdcids-never-zero",
         .requirements = "PDS-016 PDS-018", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "PDCID 0 is reserved: no PDC of the FEP has it, and no two have the same.",
         .stimulus = "Eight PDCs are opened, or as many as the FEP has.",
         .expected = "Each ACK shows a TPDCID that is not 0 and that no other of them has.")
{
    struct uet_pdc *p[MANY];
    for (int i = 0; i < MANY; i++) {
        p[i] = uet_pdc_new(tc);
        struct uet_out syn = uet_any_request(p[i]);
        say(tc, &syn);
        const struct uet_in *ack = hear(tc, "PDS-033", ANSWER_TO(&syn));
        if (i > 0 && uet_is_nack(&ack->packet))
            return; /* it has fewer, and says so: with which code is another test's affair */
        uet_check(tc, "PDS-018", uet_is_ack(&ack->packet), "the first SYN was refused");
        uint16_t tpdcid = uet_spdcid(&ack->packet);
        uet_check(tc, "PDS-016", tpdcid != 0, "the FEP named its PDC 0, which is reserved");
        for (int j = 0; j < i; j++)
            uet_check(tc, "PDS-018", tpdcid != p[j]->fep_pdcid,
                      "two open PDCs have the same TPDCID 0x%04x", tpdcid);
    }
}

static bool acks_pdcid_zero(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_dpdcid(&in->packet) == 0;
}

#define ACK_OF_PDCID_0                                                                             \
    .kind = UET_WANT_ACK, .also = acks_pdcid_zero, .named = "ACK that opens a PDC for PDCID 0"

/* To whatever PDCID. */
#define REFUSAL_OF_PSN(of_psn) .kind = UET_WANT_NACK, .with_psn = true, .psn = (of_psn)

UET_TEST(syn_from_pdcid_zero, .id = "pds.3.5.8.2.syn-from-pdcid-zero", .requirements = "PDS-017",
         .role = UET_ROLE_TARGET, .contested = true, .needs = "rud any-request",
         .purpose = "A SYN whose spdcid is 0 opens nothing, for 0 is reserved.",
         .stimulus = "A SYN Request with spdcid=0. When a NACK of it names a PDCID of the FEP's: "
                     "the Request with syn=0, to that dpdcid.",
         .expected = "No ACK; silence or a NACK.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    uet_rud_rod_req_spdcid_set(syn.pds, 0);
    tolerate(tc, REFUSAL_OF_PSN(syn.psn));
    say(tc, &syn);
    silence(tc, "PDS-017", ACK_OF_PDCID_0);
    const struct uet_in *in = maybe(tc, REFUSAL_OF_PSN(syn.psn), .within = UET_US);
    if (!in || !uet_spdcid(&in->packet))
        return;
    p->auto_close = false;
    p->fep_pdcid = uet_spdcid(&in->packet); /* is there a PDC behind it? */
    struct uet_out probe = request_at(p, syn.psn);
    uet_rud_rod_req_spdcid_set(probe.pds, 0);
    say(tc, &probe);
    silence(tc, "PDS-017", ACK_OF_PDCID_0);
}

UET_TEST(syn_from_pdcid_zero_many, .id = "rob.3.5.8.2.syn-from-pdcid-zero-leaves-no-pdc",
         .requirements = "ROB-036 PDS-017", .role = UET_ROLE_TARGET, .contested = true,
         .needs = "rud any-request", .params = "max-pdcs", .not_over = "all",
         .purpose = "A SYN that opens nothing takes no PDC.",
         .stimulus = "Twice as many SYN Requests with spdcid=0 as the FEP has PDCs, and one more; "
                     "then a SYN of another PDC.",
         .expected = "That one is acknowledged.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    tolerate(tc, .kind = UET_WANT_ANSWER, .named = "answer to a SYN of PDCID 0");
    for (uint64_t i = 0; i <= 2 * uet_tc_param(tc, "max-pdcs"); i++) {
        struct uet_out syn = uet_any_request(uet_pdc_new(tc));
        uet_rud_rod_req_spdcid_set(syn.pds, 0);
        say(tc, &syn);
    }
    struct uet_out syn = uet_any_request(p);
    ask(tc, "ROB-036", &syn);
}

UET_TEST(
    syn_from_pdcid_zero_beside, .id = "pds.3.5.8.2.syn-from-pdcid-zero-beside-a-pdc",
    .requirements = "PDS-017", .role = UET_ROLE_TARGET, .contested = true,
    .needs = "rud any-request",
    .purpose = "A SYN whose spdcid is 0 is nobody's: a PDC from the same address is another's.",
    .preamble = "PDC open; n is its next PSN.",
    .stimulus = "A SYN Request with spdcid=0 and PSN n from the same address.",
    .expected = "No ACK of n, neither to PDCID 0 nor to the one of that PDC, which works on.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    uint32_t n = p->next_psn;
    struct uet_out syn = syn_request_at(p, n);
    uet_rud_rod_req_spdcid_set(syn.pds, 0);
    tolerate(tc, REFUSAL_OF_PSN(n));
    say(tc, &syn);
    silence(tc, "PDS-017", ACK_OF_PDCID_0);
    silence(tc, "PDS-017", COVERED(&syn), .named = "ACK on the PDC of another spdcid",
            .within = UET_US);
    still_serves(tc, "PDS-017", p);
}

UET_TEST(noop_from_pdcid_zero, .id = "pds.3.5.8.2.noop-from-pdcid-zero", .requirements = "PDS-017",
         .role = UET_ROLE_TARGET, .contested = true, .needs = "rud cp-noop noop-opens",
         .purpose = "A NOOP with syn=1 opens no PDC for spdcid 0.",
         .stimulus = "A NOOP with syn=1, ar=1 and spdcid=0.",
         .expected = "No ACK; silence or a NACK.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out noop = uet_cp(p, UET_CTL_NOOP);
    p->auto_close = false;
    uet_cp_spdcid_set(noop.pds, 0);
    tolerate(tc, REFUSAL_OF_PSN(noop.psn));
    say(tc, &noop);
    silence(tc, "PDS-017", ACK_OF_PDCID_0);
}

UET_TEST(later_syn_opens, .id = "pds.3.5.8.2.later-syn-opens", .requirements = "PDS-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .over = "cp",
         .purpose = "Whichever SYN packet arrives first opens the PDC; Start_PSN is psn less "
                    "psn_offset.",
         .stimulus = "Four SYN Requests, S to S+3; S+3 (psn_offset 3) is sent first, then S, S+1, "
                     "S+2.",
         .expected = "ACK_PSN S+3 with CACK_PSN S-1; the three others are accepted, and then "
                     "CACK_PSN is S+3.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out s0 = uet_any_request(p), s1 = uet_any_request(p), s2 = uet_any_request(p),
                   s3 = uet_any_request(p);
    const struct uet_in *ack = exchange(tc, &s3);
    check_cack(tc, "PDS-029", ack, p->start_psn - 1);
    check_cack(tc, "PDS-029", exchange(tc, &s0), s0.psn);
    check_cack(tc, "PDS-029", exchange(tc, &s1), s1.psn);
    check_cack(tc, "PDS-029", exchange(tc, &s2), s3.psn);
}

UET_TEST(much_later_syn_opens, .id = "pds.3.5.8.2.much-later-syn-opens", .requirements = "PDS-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .not_over = "all",
         .purpose = "psn_offset has 12 bits, and all of them count.",
         .preamble = "A PDC, whose ACK tells MP_Range: more than 256.",
         .stimulus = "On another one first a SYN Request with psn_offset 256; then all before it.",
         .expected = "ACK_PSN S+256 with CACK_PSN S-1; in the end CACK_PSN is S+256. A new PDC "
                     "may have a smaller window, and NACK UET_PSN_OOR_WINDOW.")
{
    const struct uet_in *ack;
    need_pdcs(tc, 2);
    open_with_ack(tc, &ack);
    if (mp_range(tc, ack) <= 256)
        uet_skip(tc, "MP_Range is %u: no PSN so far ahead is in the window", mp_range(tc, ack));
    struct uet_pdc *p = uet_pdc_new(tc);
    const uint32_t first = first_psn(p);
    p->next_psn += 256;
    struct uet_out syn = uet_any_request(p);
    say(tc, &syn);
    const struct uet_in *in = hear(tc, "PDS-029", ANSWER_TO(&syn));
    if (uet_is_nack(&in->packet) &&
        uet_nack_nack_code(uet_pds(&in->packet)) == UET_NACK_PSN_OOR_WINDOW)
        uet_skip(tc, "a new PDC has a smaller window, by Default_MPR");
    check_cack(tc, "PDS-029", in, first - 1);
    p->next_psn = first;
    for (int i = 0; i < 3; i++) { /* no faster than the FEP takes them */
        say_requests(tc, p, 63);
        struct uet_out paced = uet_any_request(p);
        exchange(tc, &paced);
    }
    say_requests(tc, p, 63);
    struct uet_out last = uet_any_request(p);
    p->next_psn = syn.psn + 1;
    check_cack(tc, "PDS-029", exchange(tc, &last), syn.psn);
}

UET_TEST(repeated_syns_one_pdc, .id = "pds.3.5.8.2.repeated-syns-one-pdc",
         .requirements = "PDS-031", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "cp order",
         .purpose = "All SYN packets of one source address and spdcid belong to one PDC.",
         .stimulus = "Four SYN Requests with one spdcid, sent before any answer.",
         .expected = "ACKs that cover each, all with the same TPDCID; the PDC works on.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn[4];
    uint16_t tpdcid = 0;
    for (int i = 0; i < 4; i++)
        syn[i] = uet_any_request(p);
    for (int i = 0; i < 4; i++)
        say(tc, &syn[i]);
    for (int i = 0; i < 4; i++) {
        const struct uet_in *ack = hear(tc, "PDS-031", COVERED(&syn[i]));
        if (i == 0)
            tpdcid = uet_spdcid(&ack->packet);
        field(tc, "PDS-031", ack, UET_F_PDS_SPDCID, tpdcid);
    }
    still_serves(tc, "PDS-031", p);
}

UET_TEST(same_spdcid_two_addresses, .id = "pds.3.5.8.1.same-spdcid-two-addresses",
         .requirements = "PDS-032 PDS-019", .role = UET_ROLE_TARGET, .port_caps = UET_PORT_SOURCE,
         .needs = "rud any-request",
         .purpose = "The source address is part of what a SYN is looked up by.",
         .preamble = "The tester has two addresses.",
         .stimulus = "A SYN Request from each address, both with the same spdcid; then a Request "
                     "on each PDC; the first is closed; a Request on the other.",
         .expected = "Two PDCs, each with its own PSNs; each ACK goes to the address that asked. "
                     "Their TPDCIDs may be equal: the addresses are two FEPs (PDS-019). The end "
                     "of one leaves the other.")
{
    struct uet_pdc *a = uet_pdc_new(tc);
    struct uet_pdc *b = uet_pdc_new_from(tc, uet_tc_second_address(tc));
    b->pdcid = a->pdcid;
    struct uet_out syn_a = uet_any_request(a), syn_b = uet_any_request(b);
    check_cack(tc, "PDS-032", exchange(tc, &syn_a), syn_a.psn);
    check_cack(tc, "PDS-032", exchange(tc, &syn_b), syn_b.psn);
    still_serves(tc, "PDS-032", a);
    still_serves(tc, "PDS-032", b);
    close_now(tc, a);
    still_serves(tc, "PDS-032", b);
}

UET_TEST(opening_packet_acked_at_once, .id = "pds.3.5.8.2.opening-packet-acked-at-once",
         .requirements = "PDS-033", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "The packet that opens a PDC is acknowledged at once, asked or not, so that "
                    "the initiator learns the TPDCID.",
         .stimulus = "One SYN Request with ar=0, and nothing after it.",
         .expected = "An ACK with the TPDCID within the response time.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    ask_no_ack(&syn);
    field_is_not(tc, "PDS-033", exchange(tc, &syn), UET_F_PDS_SPDCID, 0);
}

UET_TEST(later_syn_acked_at_once, .id = "pds.3.5.8.2.later-syn-acked-at-once",
         .requirements = "PDS-033", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "cp",
         .purpose = "The packet that opens a PDC is acknowledged at once, also when it is not the "
                    "first that was sent.",
         .stimulus = "Of three SYN Requests with ar=0 the third alone, psn_offset 2.",
         .expected = "An ACK with the TPDCID within the response time.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    (void)uet_any_request(p);
    (void)uet_any_request(p);
    struct uet_out syn = uet_any_request(p);
    ask_no_ack(&syn);
    field_is_not(tc, "PDS-033", exchange(tc, &syn), UET_F_PDS_SPDCID, 0);
}

UET_TEST(opening_som_acked_at_once, .id = "pds.3.5.8.2.opening-som-acked-at-once",
         .requirements = "PDS-033", .role = UET_ROLE_TARGET, .needs = "rud write",
         .purpose =
             "The packet that opens a PDC is acknowledged at once, also when its message goes on.",
         .preamble = "A memory region.",
         .stimulus = "The first packet of a WRITE of two, a SYN with ar=0, and nothing after it; "
                     "then the second.",
         .expected = "An ACK of the first with the TPDCID within the response time.")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 8;
    struct uet_memory m = uet_need_memory(tc, n);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o[2];
    uet_message(p, UET_OP_WRITE, &m, 0, uet_tc_bytes(tc, n), n, o, 2);
    field_is_not(tc, "PDS-033", exchange(tc, &o[0]), UET_F_PDS_SPDCID, 0);
    ask(tc, "PDS-033", &o[1]);
}

UET_TEST(syn_on_live_pdc, .id = "pds.3.5.8.2.syn-on-live-pdc", .requirements = "PDS-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A new PSN inside the window with syn=1 is handled like one with syn=0.",
         .preamble = "PDC open.",
         .stimulus = "The next Request, still with syn=1 and its psn_offset.",
         .expected = "An ACK of it with the same TPDCID, and CACK_PSN at it.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out syn = syn_request_at(p, p->next_psn++);
    const struct uet_in *ack = exchange(tc, &syn);
    field(tc, "PDS-036", ack, UET_F_PDS_SPDCID, p->fep_pdcid);
    check_cack(tc, "PDS-036", ack, syn.psn);
}

UET_TEST(syn_resent_on_live_pdc, .id = "pds.3.5.8.2.syn-resent-on-live-pdc", .not_over = "aged",
         .requirements = "PDS-036 PDS-031", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .over = "read cp",
         .purpose = "A retransmitted SYN of a live PDC is a duplicate, not a new PDC.",
         .preamble = "PDC open, one more Request acknowledged.",
         .stimulus = "The opening packet again, unchanged but for retx=1.",
         .expected = "An ACK of its PSN with the same TPDCID; CACK_PSN stays; the PDC works on.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out syn = syn_request_at(p, p->start_psn), next = uet_any_request(p);
    exchange(tc, &next);
    const struct uet_in *ack = exchange_again(tc, &syn);
    field(tc, "PDS-031", ack, UET_F_PDS_SPDCID, p->fep_pdcid);
    check_cack(tc, "PDS-036", ack, next.psn);
    still_serves(tc, "PDS-036", p);
}
