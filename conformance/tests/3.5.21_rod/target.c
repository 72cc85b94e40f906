/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.7.2, 3.5.21: a ROD target takes packets in order and no other. */
#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/rod.h"

UET_TEST(rod_opens_with_start_psn, .id = "pds.3.5.8.2.rod-opens-with-start-psn",
         .requirements = "PDS-030 PDS-165", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "The first packet of a ROD PDC must have psn == Start_PSN.",
         .preamble = "None.",
         .stimulus = "A ROD SYN with psn=S+1, psn_offset=1; then the SYN with psn=S, psn_offset=0.",
         .expected = "NACK UET_ROD_OOO with spdcid 0 and payload S, and no ACK of S+1; the second "
                     "opens the PDC, and S+1, sent again, is taken.")
{
    struct uet_pdc *p = rod_new(tc);
    struct uet_out s0 = uet_any_request(p), s1 = uet_any_request(p);
    say(tc, &s1);
    const struct uet_in *nack = hear(tc, "PDS-030", NACK_OF(&s1, UET_NACK_ROD_OOO));
    if (!fep_says_start(tc)) /* else the PDC is PENDING already, and may be named */
        field(tc, "PDS-030", nack, UET_F_PDS_SPDCID, 0);
    field(tc, "PDS-165", nack, UET_F_PDS_PAYLOAD, s0.psn);
    check_cack(tc, "PDS-030", ask(tc, "PDS-030", &s0), s0.psn);
    say_again(tc, &s1);
    check_cack(tc, "PDS-030", hear_answer(tc, "PDS-030", &s1), s1.psn);
}

UET_TEST(rod_answers_again, .id = "pds.3.5.21.rod-answers-again", .requirements = "PDS-129 PDS-191",
         .role = UET_ROLE_TARGET, .needs = "rod any-request", .not_over = "copies",
         .purpose = "Copies and ACK Requests are answered on ROD as on RUD.",
         .preamble = "A ROD PDC open; n and n+1 were acknowledged.",
         .stimulus = "n with retx=1; an ACK Request for n+2, which was not sent.",
         .expected = "ACK naming n with CACK_PSN n+1; NACK UET_PKT_NOT_RCVD (0x12) of n+2.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), next = uet_any_request(p);
    exchange(tc, &n);
    exchange(tc, &next);
    uet_forget(tc);
    check_cack(tc, "PDS-129", ask_anew(tc, "PDS-129", &n), next.psn);
    struct uet_out asks = cp_at(p, UET_CTL_ACK_REQUEST, next.psn + 1);
    say(tc, &asks);
    hear(tc, "PDS-191", NACK_OF(&asks, UET_NACK_PKT_NOT_RCVD));
    still_serves(tc, "PDS-191", p);
}

UET_TEST(rod_ahead_of_window, .id = "pds.3.5.12.rod-psn-ahead-of-window",
         .requirements = "PDS-067 PDS-166", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD PSN ahead of the window is refused, too.",
         .preamble = "A ROD PDC open; MP_Range from the mpr of the ACK_CC, else from Default_MPR.",
         .stimulus = "A Request with psn = CACK_PSN + MP_Range + 10; then the next one in order.",
         .expected = "NACK UET_PSN_OOR_WINDOW (0x0B) or UET_ROD_OOO (0x0D) naming that PSN; the "
                     "next one is acknowledged with CACK_PSN at itself.")
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_in_mode(tc, true, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10),
                   next = uet_any_request(p);
    say(tc, &far);
    hear(tc, "PDS-067", NACK_OF(&far, UET_NACK_PSN_OOR_WINDOW, UET_NACK_ROD_OOO));
    check_cack(tc, "PDS-166", exchange(tc, &next), next.psn);
}

UET_TEST(rod_opens_with_no_other, .id = "pds.3.5.8.2.rod-opens-with-no-other",
         .requirements = "PDS-030", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "However far behind Start_PSN it is, no other packet opens a ROD PDC.",
         .preamble = "None.", .stimulus = "ROD SYNs with psn_offset 2, 5 and 127.",
         .expected = "NACK UET_ROD_OOO with spdcid 0 for each; no ACK.")
{
    static const uint8_t offsets[] = {2, 5, 127};
    for (int i = 0; i < 3; i++) {
        struct uet_pdc *p = rod_new(tc);
        p->next_psn += offsets[i];
        struct uet_out syn = uet_any_request(p);
        if (i == 1)
            ask_no_ack(&syn); /* a NACK comes unasked */
        say(tc, &syn);
        const struct uet_in *nack = hear(tc, "PDS-030", NACK_OF(&syn, UET_NACK_ROD_OOO));
        field(tc, "PDS-030", nack, UET_F_PDS_SPDCID, 0);
        silence(tc, "PDS-030", ACK_OF(&syn), .within = UET_MS);
    }
}

UET_TEST(rod_noop_opens_with_start_psn, .id = "pds.3.5.8.2.rod-noop-opens-with-start-psn",
         .requirements = "PDS-030", .role = UET_ROLE_TARGET,
         .needs = "rod any-request cp-noop noop-opens",
         .purpose = "A NOOP opens no ROD PDC with another PSN than Start_PSN.", .preamble = "None.",
         .stimulus =
             "A NOOP with isrod=1, syn=1, psn=S+1 and psn_offset=1; then the ROD SYN S, and "
             "the NOOP again.",
         .expected = "NACK UET_ROD_OOO with spdcid 0, and no ACK; the SYN opens the PDC, and the "
                     "NOOP is acknowledged.")
{
    struct uet_pdc *p = rod_new(tc);
    struct uet_out s0 = uet_any_request(p), noop = uet_cp(p, UET_CTL_NOOP);
    say(tc, &noop);
    const struct uet_in *nack = hear(tc, "PDS-030", NACK_OF(&noop, UET_NACK_ROD_OOO));
    if (!fep_says_start(tc)) /* else the PDC is PENDING already, and may be named */
        field(tc, "PDS-030", nack, UET_F_PDS_SPDCID, 0);
    check_cack(tc, "PDS-030", ask(tc, "PDS-030", &s0), s0.psn);
    say_again(tc, &noop);
    check_cack(tc, "PDS-030", hear(tc, "PDS-030", ACK_OF(&noop)), noop.psn);
}

UET_TEST(rod_syn_ahead, .id = "pds.3.5.21.syn-ahead-is-nacked", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A SYN of a PDC that is open is no less ahead than another packet.",
         .preamble = "A ROD PDC open.",
         .stimulus = "A Request with syn=1 one PSN ahead of the next; then the next one.",
         .expected = "NACK UET_ROD_OOO (0x0D) of the first, whose payload is the next PSN (or "
                     "UET_INVALID_SYN, which ends the PDC); the next is acknowledged with CACK_PSN "
                     "at itself.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out next = uet_any_request(p), ahead = syn_request_at(p, next.psn + 1);
    say(tc, &ahead);
    const struct uet_in *nack =
        hear(tc, "PDS-165", NACK_OF(&ahead, UET_NACK_ROD_OOO, UET_NACK_INVALID_SYN));
    if (uet_nack_nack_code(uet_pds(&nack->packet)) == UET_NACK_INVALID_SYN)
        return;
    field(tc, "PDS-165", nack, UET_F_PDS_PAYLOAD, next.psn);
    check_cack(tc, "PDS-166", exchange(tc, &next), next.psn);
}

UET_TEST(rod_refused_keeps_no_pdc, .id = "pds.3.5.8.2.rod-refused-keeps-no-pdc",
         .requirements = "PDS-030", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD SYN that is not Start_PSN leaves no PDC behind.", .preamble = "None.",
         .stimulus = "A ROD SYN with psn=S+1, psn_offset=1; then one of the same spdcid with a "
                     "Start_PSN 2^16 and more further on, and psn_offset=0.",
         .expected = "NACK UET_ROD_OOO; the second opens a PDC.")
{
    struct uet_pdc *p = rod_new(tc), *next = uet_pdc_new_at(tc, p->start_psn + 0x30000);
    if (fep_says_start(tc))
        uet_skip(tc, "the FEP says where a PDC begins, and one may be PENDING");
    p->next_psn++;
    struct uet_out ahead = uet_any_request(p);
    say(tc, &ahead);
    hear(tc, "PDS-030", NACK_OF(&ahead, UET_NACK_ROD_OOO));
    next->rod = true;
    next->pdcid = p->pdcid;
    p->pdcid = 0; /* what comes for this PDCID now belongs to the new one */
    struct uet_out syn = uet_any_request(next);
    check_cack(tc, "PDS-030", ask(tc, "PDS-030", &syn), syn.psn);
}

/* A ROD CC Request: such a packet with req_cc_state behind it (3.5.10.4). */
static struct uet_out with_cc_state(struct uet_out o)
{
    uet_rud_rod_req_type_set(o.pds, UET_PDS_ROD_CC_REQ);
    o.pds_len = UET_RUD_ROD_CC_REQ_BYTES;
    return o;
}

UET_TEST(rod_cc_opens_with_start_psn, .id = "pds.3.5.8.2.rod-cc-opens-with-start-psn",
         .requirements = "PDS-030", .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD CC Request is of ROD: it opens no PDC ahead of Start_PSN.",
         .preamble = "None.", .stimulus = "A ROD_CC_REQ with syn=1, psn=S+1 and psn_offset=1.",
         .expected = "No ACK; a NACK, or silence of a FEP that does no CC Requests.")
{
    struct uet_pdc *p = rod_new(tc);
    p->next_psn++;
    struct uet_out syn = with_cc_state(uet_any_request(p));
    p->auto_close = false;
    tolerate(tc, REFUSAL_ON(NULL));
    say(tc, &syn);
    silence(tc, "PDS-030", ACK_OF(&syn));
}

UET_TEST(rod_gap_is_nacked, .id = "pds.3.5.21.gap-is-nacked",
         .requirements = "PDS-165 PDS-166 PDS-020", .role = UET_ROLE_TARGET,
         .needs = "rod any-request",
         .purpose = "A ROD packet ahead of the expected one is refused with UET_ROD_OOO.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "n+1; then n; then n+1 again.",
         .expected = "NACK 0x0D, nack_psn n+1, payload n, spdcid the TPDCID; then CACK_PSN n, not "
                     "n+1, and no SACK bit for n+1; the resend is taken as new.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p);
    say(tc, &n1);
    field(tc, "PDS-020", hear_ooo(tc, "PDS-165", &n1, n.psn), UET_F_PDS_SPDCID, p->fep_pdcid);
    const struct uet_in *ack = ask(tc, "PDS-166", &n);
    field_at_most(tc, "PDS-166", ack, UET_F_PDS_CACK_PSN, n.psn);
    uet_check(tc, "PDS-166", !sacked(ack, n1.psn), "SACK reports the packet that was refused");
    uet_for(tc, "PDS-166");
    check_cack(tc, "PDS-166", exchange_again(tc, &n1), n1.psn);
}

UET_TEST(rod_gap_behind_stored, .id = "pds.3.5.21.gap-behind-a-stored-response",
         .requirements = "PDS-165", .role = UET_ROLE_TARGET, .needs = "rod write any-request",
         .purpose = "What the NACK expects is the next PSN in order, and not the one behind "
                    "CACK_PSN: a stored response holds that back.",
         .preamble = "A ROD PDC open; n, a WRITE with an unknown key, is answered with an error, "
                     "which is not cleared.",
         .stimulus = "n+2; then n+1.", .expected = "NACK 0x0D with payload n+1; an ACK of n+1.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = rod_open(tc);
    p->auto_clear = false;
    struct uet_out bad = refused_write(p, &m);
    exchange_refused(tc, &bad);
    struct uet_out n1 = uet_any_request(p), n2 = uet_any_request(p);
    say(tc, &n2);
    hear_ooo(tc, "PDS-165", &n2, n1.psn);
    ask(tc, "PDS-165", &n1);
}

UET_TEST(rod_far_ahead, .id = "pds.3.5.21.far-ahead-is-nacked", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A ROD packet is refused however far ahead of the expected one it is.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "n+2, n+63, n+64, n+65, n+101, n+126; then n.",
         .expected = "NACK 0x0D for each, payload n (0x0B where the window ends before it); then "
                     "CACK_PSN n.")
{
    static const uint8_t by[] = {2, 63, 64, 65, 101, 126};
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p);
    for (size_t i = 0; i < sizeof by; i++) {
        p->next_psn = n.psn + by[i];
        struct uet_out o = uet_any_request(p);
        say(tc, &o);
        const struct uet_in *nack =
            hear(tc, "PDS-165", NACK_OF(&o, UET_NACK_ROD_OOO, UET_NACK_PSN_OOR_WINDOW));
        if (value_of(tc, nack, UET_F_PDS_NACK_CODE) == UET_NACK_ROD_OOO)
            field(tc, "PDS-165", nack, UET_F_PDS_PAYLOAD, n.psn);
    }
    p->next_psn = n.psn + 1; /* what was refused is not sent again */
    check_cack(tc, "PDS-166", ask(tc, "PDS-166", &n), n.psn);
}

UET_TEST(rod_gap_is_nacked_again, .id = "pds.3.5.21.gap-is-nacked-again", .requirements = "PDS-165",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "Each packet ahead of the expected one is refused, also when one was before.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "n+1; n+2; n+1 with retx=1; then n.",
         .expected = "NACK 0x0D for each of the three, payload n; then CACK_PSN n.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), n1 = uet_any_request(p), n2 = uet_any_request(p);
    say(tc, &n1);
    hear_ooo(tc, "PDS-165", &n1, n.psn);
    say(tc, &n2);
    hear_ooo(tc, "PDS-165", &n2, n.psn);
    say_again(tc, &n1);
    hear_ooo(tc, "PDS-165", &n1, n.psn);
    check_cack(tc, "PDS-165", ask(tc, "PDS-165", &n), n.psn);
    ask(tc, "PDS-165", &n1);
    ask(tc, "PDS-165", &n2);
}

UET_TEST(rod_noop_ahead, .id = "pds.3.5.21.noop-ahead", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_TARGET, .needs = "rod any-request cp-noop",
         .purpose = "A NOOP takes a PSN: ahead of the expected one it is refused as a Request is.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "A NOOP with n+1; then Request n; the NOOP again.",
         .expected = "NACK 0x0D, payload n; CACK_PSN n; then an ACK of the NOOP.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), noop = uet_cp(p, UET_CTL_NOOP);
    uet_cp_isrod_set(noop.pds, true);
    say(tc, &noop);
    hear_ooo(tc, "PDS-165", &noop, n.psn);
    check_cack(tc, "PDS-166", ask(tc, "PDS-166", &n), n.psn);
    say_again(tc, &noop);
    hear(tc, "PDS-166", ACK_OF(&noop));
}

UET_TEST(rod_close_ahead, .id = "pds.3.5.21.close-ahead", .requirements = "PDS-165 PDS-166",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .purpose = "A Close Command ahead of the expected PSN is refused as a Request is: it "
                    "closes nothing before its turn.",
         .preamble = "A ROD PDC open; n is the next PSN.",
         .stimulus = "A Close Command with n+1; then Request n; the Close Command again.",
         .expected = "NACK 0x0D, payload n; CACK_PSN n; then the ACK of the Close Command.")
{
    struct uet_pdc *p = rod_open(tc);
    struct uet_out n = uet_any_request(p), close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    say(tc, &close);
    hear_ooo(tc, "PDS-165", &close, n.psn);
    check_cack(tc, "PDS-166", ask(tc, "PDS-166", &n), n.psn);
    say_again(tc, &close);
    hear(tc, "PDS-166", ACK_OF(&close));
}

/* That receive completes with so many bytes. */
static void check_buffer(struct uet_tc *tc, uint64_t handle, const char *what, uint32_t n)
{
    struct uet_ut_completion c = completion_of(tc, "PDS-003", handle);

    tells_length(tc, "PDS-003", what, &c, n);
}

UET_TEST(rod_delivers_in_order, .id = "pds.3.5.7.2.delivers-in-order", .requirements = "PDS-003",
         .role = UET_ROLE_TARGET, .needs = "rod send upper-tester",
         .purpose = "ROD delivers to SES in the order of the source, each packet once.",
         .preamble = "A ROD PDC open; two receive buffers posted.",
         .stimulus = "SENDs of 8 and 24 bytes; the second comes first, then the first, then the "
                     "second again.",
         .expected = "The first buffer gets 8 bytes, the second 24; each completes once.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 2);
    struct uet_pdc *p = rod_open(tc);
    struct uet_out first = uet_send_message(p, &m, uet_tc_bytes(tc, 8), 8);
    struct uet_out second = uet_send_message(p, &m, uet_tc_bytes(tc, 24), 24);
    say(tc, &second);
    hear(tc, "PDS-003", NACK_OF(&second, UET_NACK_ROD_OOO));
    say(tc, &first);
    hear(tc, "PDS-003", COVERED(&first));
    say_again(tc, &second);
    hear(tc, "PDS-003", COVERED(&second));
    check_buffer(tc, m.handle, "bytes in the first buffer", 8);
    check_buffer(tc, m.last_handle, "bytes in the second buffer", 24);
    stays_open(tc, "PDS-003", m.last_handle, UET_MS); /* the second SEND is delivered once */
}

static bool promises(const struct uet_in *ack)
{
    return uet_is_ses_response(&ack->packet) &&
           uet_ses_rsp_opcode(uet_ses(&ack->packet)) == UET_RSP_NO_RESPONSE;
}

/*
 * From now on, until one covers that PSN and none is left, no ACK names a PSN before `last`, but
 * for those that bring what an earlier one of that PSN has promised (UET_NO_RESPONSE).
 */
static void acks_go_on(struct uet_tc *tc, const struct uet_pdc *p, uint32_t last, uint32_t to)
{
    uint32_t promised[16];
    size_t n = 0;

    const struct uet_in *all =
        hear(tc, "PDS-111", .kind = UET_WANT_ACK, .covering = true, OF_PSN(p, to));
    if (promises(all))
        promised[n++] = psn_of(all);
    for (const struct uet_in *ack; (ack = maybe(tc, ACK_ON(p), .within = UET_MS));) {
        bool kept = false;
        for (size_t i = 0; i < n; i++)
            kept |= promised[i] == psn_of(ack);
        if (kept && !promises(ack))
            continue;
        if (promises(ack) && n < sizeof(promised) / sizeof(promised[0]))
            promised[n++] = psn_of(ack);
        uet_check(tc, "PDS-111", uet_psn_diff(psn_of(ack), last) >= 0,
                  "ACK_PSN goes back from 0x%08x to 0x%08x", last, psn_of(ack));
        last = psn_of(ack);
    }
}

UET_TEST(rod_acks_in_order, .id = "pds.3.5.7.2.acks-in-order", .requirements = "PDS-111 PDS-171",
         .role = UET_ROLE_TARGET, .needs = "rod any-request",
         .not_over = "copies", /* their ACKs may come at any time */
         .purpose = "ROD ACKs come in the order of the packets that they name.",
         .preamble = "A ROD PDC open.", .stimulus = "Eight NO_OPs with ar=1, back to back.",
         .expected = "ACK_PSN never goes back. A zero SACK bitmap is allowed.")
{
    struct uet_pdc *p = rod_open(tc);
    uint32_t last = p->next_psn - 1;
    say_requests(tc, p, 8);
    acks_go_on(tc, p, last, last + 8);
}

/* One Request of each kind that the FEP claims and that has an answer of its own, in one go. */
static void say_one_of_each(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    bool reads = uet_tc_dut(tc)->claims[UET_PICS_READ],
         sums = claims_atomic(tc, false, UET_AMO_SUM, UET_TYPE_UINT64);
    struct uet_out each[6];

    each[0] = reads ? uet_read(p, m, 0, 8) : uet_any_request(p);
    each[1] = uet_write(p, m, 16, "in order", 8);
    each[2] = sums ? fetching_sum(p, m, 8, 1) : uet_any_request(p);
    each[3] = refused_write(p, m);
    each[4] = uet_write(p, m, 24, "in order", 8);
    each[5] = uet_any_request(p);
    for (size_t i = 0; i < 6; i++)
        say(tc, &each[i]);
}

UET_TEST(rod_acks_of_each_in_order, .id = "pds.3.5.7.2.acks-of-each-in-order",
         .requirements = "PDS-111", .role = UET_ROLE_TARGET, .needs = "rod write any-request",
         .not_over = "copies", /* as above */
         .purpose = "ROD ACKs come in the order of their packets, whatever each has to do.",
         .preamble = "A region; a ROD PDC open.",
         .stimulus = "Back to back with ar=1: READ, WRITE, fetching SUM, a WRITE with an unknown "
                     "key, WRITE, NO_OP; of READ and SUM what is claimed.",
         .expected = "ACK_PSN never goes back.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = rod_open(tc);
    uint32_t last = p->next_psn - 1;
    tolerate(tc, DATA_ON(p)); /* what a READ brings need not come in its ACK */
    say_one_of_each(tc, p, &m);
    acks_go_on(tc, p, last, p->next_psn - 1);
}

UET_TEST(rod_on_a_rud_pdc, .id = "pds.3.5.6.rud-on-a-rod-pdc", .requirements = "PDS-007",
         .role = UET_ROLE_TARGET, .needs = "rud rod any-request",
         .purpose = "A ROD PDC takes no RUD packet: a PDC keeps its mode.",
         .preamble = "A ROD PDC open.", .stimulus = "A RUD Request with its dpdcid.",
         .expected = "NACK UET_PDC_MODE_MISMATCH (0x16).",
         .once = "its PDC stays open: whether the FEP has closed it is told by no source")
{
    struct uet_pdc *p = rod_open(tc);
    p->auto_close = false; /* the code is fatal: whose PDC it closes is told by no source */
    p->unfinished = true;
    struct uet_out o = uet_any_request(p);
    uet_rud_rod_req_type_set(o.pds, UET_PDS_RUD_REQ);
    say(tc, &o);
    hear(tc, "PDS-007", NACK_OF(&o, UET_NACK_PDC_MODE_MISMATCH));
}
