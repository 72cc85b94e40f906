/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests as conformance/tests/ has them, for the harness alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/harness/peer/peer.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/harness/tests/toy.h"

UET_TEST(open_one, .id = "zz.1.2.open-one", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .sanity = true, .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    const struct uet_in *ack = uet_expect_ack(tc, p, o.psn);
    uet_check_success(tc, "SES-028", ack);
}

UET_TEST(altered, .id = "zz.1.11.altered", .requirements = "TSS-042", .role = UET_ROLE_TARGET,
         .needs = "tss", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p), bad = flipped(&o, (int16_t)(sealed_bytes(&o) - 1), 0x80);
    say(tc, &bad);
    silence(tc, "TSS-042", .kind = UET_WANT_ANY);
    uint64_t counter = next_counter(tc);
    ask(tc, "TSS-042", &o);
    replay(tc, last_said(tc));
    uet_check_eq(tc, "TSS-018", "counter", next_counter(tc), counter + 1);
    hear(tc, "TSS-042", ACK_OF(&o));
}

UET_TEST(fep_asks, .id = "zz.1.9.fep-asks", .requirements = "SES-027", .role = UET_ROLE_INITIATOR,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_ut_operation op = uet_op(tc, 0);
    uet_do_no_op(tc, &op);
    uet_accept(tc, NULL);
    uet_check(tc, "SES-027", false, "the NO_OP is wrong");
}

UET_TEST(sees_enough, .id = "zz.1.3.sees-enough", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .sanity = true, .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
    uet_ground_holds(tc);
    uet_check(tc, "PDS-097", !toy.deviates, "something else is wrong");
}

UET_TEST(after_preamble, .id = "zz.1.10.after-preamble", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, /* the toy has no gaps */ .not_over = "company", .purpose = "-",
         .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_place *past = uet_tc_place(tc, UET_OVER_PAST);

    if (toy.not_when_used && past && past->value == UET_PAST_USED)
        uet_skip(tc, "a PDC that was used is none of this FEP's");
    uet_check_eq(tc, "PDS-016", "spdcid", p->fep_pdcid, 0x4242);
}

UET_TEST(twelve_answers, .id = "zz.1.9.twelve-answers", .requirements = "PDS-016",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    p->auto_close = false;
    for (int i = 0; i < 12; i++) {
        struct uet_out o = uet_no_op(p);
        uet_send(tc, &o);
        const struct uet_in *ack = uet_expect_ack(tc, p, o.psn);
        uet_check_eq(tc, "PDS-016", "spdcid", uet_ack_spdcid(uet_pds(&ack->packet)), 0x4242);
    }
}

UET_TEST(two_in_one_go, .id = "zz.1.9.two-in-one-go", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .over = "order read", .purpose = "-",
         .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out a = uet_any_request(p), b = uet_any_request(p);
    uet_send(tc, &a);
    uet_send(tc, &b);
    uet_wait(tc, UET_MS);
    p->auto_close = false;
}

UET_TEST(takes_long, .id = "zz.1.9.takes-long", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_pdc_new(tc);
    uet_wait(tc, 3000 * UET_MS);
}

UET_TEST(out_of_step, .id = "zz.1.9.out-of-step", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out a = uet_any_request(p), b = uet_any_request(p);
    uet_send(tc, &b);
    uet_send(tc, &a);
    uet_wait(tc, UET_MS);
}

UET_TEST(stays, .id = "zz.1.9.stays", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .not_over = "psn mode company", .purpose = "-", .stimulus = "-",
         .expected = "-")
{
    uet_pdc_new(tc);
}

UET_TEST(should_not_hold, .id = "zz.1.9.should", .requirements = "PDS-164", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_check(tc, "PDS-164", false, "a SHOULD is not met");
}

UET_TEST(nothing_comes, .id = "zz.1.9.nothing", .requirements = "PDS-083", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    const struct uet_want ack = {.kind = UET_WANT_ACK, .pdc = p};
    uet_send(tc, &o);
    uet_expect_nothing(tc, "PDS-083", &ack, 0);
}

UET_TEST(wants_nothing, .id = "zz.1.9.sends-only", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_wait(tc, UET_MS);
}

UET_TEST(two_subjects, .id = "zz.1.9.two-subjects", .requirements = "PDS-097 PDS-020",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
}

UET_TEST(two_answers, .id = "zz.1.9.two-answers", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
    uet_expect_ack(tc, p, o.psn + 1);
}

UET_TEST(wants_room, .id = "zz.1.9.wants-room", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_no_op(p);
    toy.nack = true;
    uet_send(tc, &o);
    uet_wait(tc, UET_MS);
    toy.nack = false; /* for the postamble */
    uet_expect_ack(tc, p, o.psn);
}

/* Its PDC is opened with psn_offset 1: the toy may refuse that alone, or any. */
UET_TEST(begins_ahead, .id = "zz.1.9.begins-ahead", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    p->next_psn++;
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_expect_ack(tc, p, o.psn);
}

UET_TEST(of_retx, .id = "zz.1.9.of-retx", .requirements = "PDS-105", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    uet_wait(tc, UET_MS);
}

UET_TEST(sends_twice, .id = "zz.1.9.sends-twice", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out first = uet_no_op(p), second = uet_no_op(p);
    uet_send(tc, &second);
    uet_resend(tc, &second);
    uet_wait(tc, UET_MS);
    toy.nack = false; /* for the postamble */
    (void)first;
}

UET_TEST(read_otherwise, .id = "zz.1.9.read-otherwise", .requirements = "PDS-017",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_other_reading(tc, "PDS-017", "the other reading");
}

UET_TEST(finds_much, .id = "zz.1.9.finds-much", .requirements = "PDS-017", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    for (unsigned i = 0; i < 30; i++) {
        char what[16];

        snprintf(what, sizeof(what), "number %u", i);
        uet_other_reading(tc, "PDS-017", "%s", what);
    }
}

UET_TEST(noted, .id = "zz.1.9.noted", .requirements = "PDS-017", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_note(tc, "PDS-017", "not looked at");
}

/* The test rests on readings; what it breaks is another matter, PDS-077, and no reading. */
UET_TEST(broken_plainly, .id = "zz.1.9.broken-plainly", .requirements = "PDS-017 PDS-077",
         .contested = true, .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-",
         .stimulus = "-", .expected = "-")
{
    uet_check(tc, "PDS-077", false, "cack_psn moved past a guaranteed response");
}

/* PDS-029 is no reading, but the test's own way to see it is. */
UET_TEST(broken_as_read, .id = "zz.1.9.broken-as-read", .requirements = "PDS-029",
         .contested = true, .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-",
         .stimulus = "-", .expected = "-")
{
    uet_check(tc, "PDS-029", false, "no PDC opened");
}

/* What was not reached is no reading. */
UET_TEST(not_reached, .id = "zz.1.9.not-reached", .requirements = "PDS-017", .contested = true,
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_inconc(tc, "what the test builds on is not there");
}

UET_TEST(of_1_0_3, .id = "zz.1.9.of-1.0.3", .requirements = "PDS-146", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_check(tc, "PDS-146", false, "code 0x03 came");
}

/* A frame from the FEP to the tester. */
static void from_the_fep(struct uet_build *b, uint8_t *frame)
{
    struct uet_route route = {.entropy = 7};

    uet_ip_parse(&route.src, "192.0.2.1");
    uet_ip_parse(&route.dst, "192.0.2.11");
    uet_build_start(b, frame, UET_FRAME_MAX, &route);
}

/* A READ of the FEP's, PSN 0x100, as the tester would get it. */
static struct uet_in a_read(uint8_t *frame, enum uet_header_id ses)
{
    struct uet_in in = {0};
    struct uet_build b;

    from_the_fep(&b, frame);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, ses == UET_H_SES_REQ_STD_SOM0 ? UET_NH_REQUEST_STD
                                                                  : UET_NH_REQUEST_MEDIUM);
    uet_rud_rod_req_psn_set(h, 0x100);
    uint8_t *s = uet_build_ses(&b, ses);
    uet_ses_req_opcode_set(s, UET_OP_READ);
    uet_ses_req_job_id_set(s, 0xabcd);
    if (ses == UET_H_SES_REQ_STD_SOM0) {
        uet_ses_req_eom_set(s, true);
        uet_ses_req_std_message_id_set(s, 0x1234);
        uet_ses_req_std_request_length_set(s, 0x2400);
        uet_ses_req_std_payload_length_set(s, 0x400);
        uet_ses_req_std_message_offset_set(s, 0x2000);
    } else {
        uet_ses_req_som_set(s, true);
        uet_ses_req_eom_set(s, true);
        uet_ses_req_short_request_length_set(s, 300);
    }
    int len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_int_equal(uet_parse(&in.packet, frame, (size_t)len, NULL), UET_PARSE_OK);
    return in;
}

/* Tables 3-12, with the READ's message_id in both places (SES-080), and 3-13. */
static const uint8_t data_header[20] = {0x02, 0x01, 0x12, 0x34, 0,    0, 0xab, 0xcd, 0x12, 0x34,
                                        0x04, 0x00, 0,    0,    0x24, 0, 0,    0,    0x20, 0x00};
static const uint8_t small_header[12] = {0x02, 0x01, 0x01, 0x2c, 0, 0, 0xab, 0xcd, 0, 0, 0x01, 0};

UET_TEST(answers_reads, .id = "zz.1.9.answers-reads", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    static const uint8_t message[0x2400];
    uint8_t frame[UET_FRAME_MAX];
    struct uet_pdc *p = uet_pdc_new_at(tc, 0x50);
    p->initiator = p->auto_close = false;
    p->fep_pdcid = 0x4242;

    struct uet_in in = a_read(frame, UET_H_SES_REQ_STD_SOM0);
    assert_int_equal(uet_read_asked(tc, &in), 0x400);
    struct uet_out o = uet_return_data(p, &in, message);
    assert_int_equal(o.ses_len, sizeof(data_header));
    assert_memory_equal(o.ses, data_header, sizeof(data_header));
    assert_true(o.payload == message + 0x2000 && o.payload_len == 0x400);
    assert_int_equal(o.psn, 0x50); /* the return direction starts at Start_PSN, too */
    assert_int_equal(uet_rud_rod_req_psn(o.pds), 0x50);
    assert_int_equal(uet_rud_rod_req_clear_psn_offset(o.pds), -1);
    assert_int_equal(uet_rud_rod_req_next_hdr(o.pds), UET_NH_RESPONSE_DATA);
    assert_false(uet_rud_rod_req_syn(o.pds));
    assert_int_equal(uet_rud_rod_req_dpdcid(o.pds), 0x4242);

    p->cack = 0x100; /* the READ has arrived: its CACK waits for the clear */
    o = uet_ack_data(p, &in, message);
    assert_memory_equal(o.ses, data_header, sizeof(data_header));
    assert_int_equal(uet_ack_next_hdr(o.pds), UET_NH_RESPONSE_DATA);
    assert_int_equal(uet_ack_req(o.pds), UET_ACK_REQ_CLEAR);
    assert_int_equal(uet_ack_cack_psn(o.pds), 0xff);
    assert_int_equal(uet_ack_ack_psn_offset(o.pds), 1);

    in = a_read(frame, UET_H_SES_REQ_MEDIUM_RMA);
    o = uet_return_data(p, &in, message);
    assert_int_equal(o.ses_len, sizeof(small_header));
    assert_memory_equal(o.ses, small_header, sizeof(small_header));
    assert_true(o.payload == message && o.payload_len == 300);
    assert_int_equal(uet_rud_rod_req_next_hdr(o.pds), UET_NH_RESPONSE_DATA_SMALL);
}

UET_TEST(asks_to_read, .id = "zz.1.9.asks-to-read", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    const struct uet_memory m = {.job_id = 1, .key = 0x77};
    struct uet_out o[3];
    struct uet_pdc *p = uet_pdc_new(tc);
    p->auto_close = false;

    /* MTU 4096: a packet for each, without payload (3.4.4.2). */
    assert_int_equal(uet_message(p, UET_OP_READ, &m, 8, NULL, 2 * 4096 + 100, o, 3), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(o[i].payload_len, 0);
        assert_int_equal(uet_ses_req_opcode(o[i].ses), UET_OP_READ);
        assert_int_equal(uet_ses_req_som(o[i].ses), i == 0);
        assert_int_equal(uet_ses_req_eom(o[i].ses), i == 2);
        assert_true(uet_ses_req_match_bits_or_memory_key(o[i].ses) == 0x77);
        assert_int_equal(uet_ses_req_std_request_length(o[i].ses), 2 * 4096 + 100);
        if (i > 0)
            assert_int_equal(uet_ses_req_std_message_offset(o[i].ses), i * 4096);
    }
    assert_int_equal(uet_ses_req_std_payload_length(o[2].ses), 100);
    struct uet_out medium = uet_medium(p, UET_OP_READ, &m, 8, NULL, 300);
    assert_int_equal(medium.payload_len, 0);
    assert_int_equal(uet_ses_req_short_request_length(medium.ses), 300);
}

/* An ACK Request of the FEP's for that PSN, as the tester would get it. */
static struct uet_in an_ack_request(uint8_t *frame, uint32_t psn)
{
    struct uet_in in = {0};
    struct uet_build b;

    from_the_fep(&b, frame);
    uint8_t *h = uet_build_pds(&b, UET_H_CP);
    uet_cp_type_set(h, UET_PDS_CP);
    uet_cp_ctl_type_set(h, UET_CTL_ACK_REQUEST);
    uet_cp_psn_set(h, psn);
    int len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_int_equal(uet_parse(&in.packet, frame, (size_t)len, NULL), UET_PARSE_OK);
    return in;
}

/* It comes on that PDC: once more, when it has come before. */
static void comes(struct uet_tc *tc, struct uet_pdc *p, const struct uet_in *in)
{
    struct uet_in *own = uet_tc_alloc(tc, sizeof(*own));

    *own = *in;
    own->pdc = p;
    uet_peer_take(tc, own);
}

/* The tester's last packet on that PDC, when it took this one there. */
static const struct uet_out *answer_by_itself(struct uet_tc *tc, struct uet_pdc *p,
                                              const struct uet_in *in)
{
    const struct uet_sent *before = p->sent;

    comes(tc, p, in);
    assert_true(p->sent != before && p->sent->next == before);
    return &p->sent->out;
}

static void nacked_with(const struct uet_out *o, uint8_t code, uint32_t psn)
{
    assert_int_equal(uet_pds_prologue_type(o->pds), UET_PDS_NACK);
    assert_int_equal(uet_nack_nack_code(o->pds), code);
    assert_int_equal(uet_nack_nack_psn(o->pds), psn);
}

/* 3.5.16.2: what did not come; what came; what was answered with data, which then comes again. */
UET_TEST(answers_ack_requests, .id = "zz.1.9.answers-ack-requests", .requirements = "PDS-192",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    static uint8_t message[0x2400];
    static const uint8_t data[0x400] = {[0] = 7, [0x3ff] = 9};
    static uint8_t frames[4][UET_FRAME_MAX];
    struct uet_pdc *p = uet_pdc_new_at(tc, 0x100);
    p->initiator = p->auto_close = false;
    p->fep_pdcid = 0x4242;

    struct uet_in ask = an_ack_request(frames[0], 0x100), late = an_ack_request(frames[1], 0x101);
    nacked_with(answer_by_itself(tc, p, &ask), UET_NACK_PKT_NOT_RCVD, 0x100);
    struct uet_in read = a_read(frames[2], UET_H_SES_REQ_STD_SOM0);
    read.pdc = p;
    p->auto_ack = false;
    comes(tc, p, &read);
    p->auto_ack = true;
    assert_int_equal(uet_ack_next_hdr(answer_by_itself(tc, p, &ask)->pds), UET_NH_NONE);

    memcpy(message + 0x2000, data, sizeof(data));
    struct uet_out ack = uet_ack_data(p, &read, message);
    uet_send(tc, &ack);
    memset(message, 0, sizeof(message)); /* what was said stays as it was */
    nacked_with(answer_by_itself(tc, p, &ask), UET_NACK_ACK_WITH_DATA, 0x100);
    nacked_with(answer_by_itself(tc, p, &late), UET_NACK_PKT_NOT_RCVD, 0x101);
    struct uet_in again = a_read(frames[3], UET_H_SES_REQ_STD_SOM0);
    const struct uet_out *o = answer_by_itself(tc, p, &again);
    assert_int_equal(uet_pds_prologue_type(o->pds), UET_PDS_ACK);
    assert_int_equal(uet_ack_next_hdr(o->pds), UET_NH_RESPONSE_DATA);
    assert_int_equal(o->payload_len, sizeof(data));
    assert_memory_equal(o->payload, data, sizeof(data));
}

/* rcvd_bytes of an ACK_CC that the tester sent, in 256 bytes. */
static uint32_t rcvd_in(const struct uet_out *ack)
{
    assert_int_equal(uet_pds_prologue_type(ack->pds), UET_PDS_ACK_CC);
    return uet_ack_cc_state_nscc_rcvd_bytes(ack->pds + UET_ACK_CC_BYTES -
                                            UET_ACK_CC_STATE_NSCC_BYTES);
}

/* 3.6.13.9: a copy is not counted, nor what is refused; what a test has told is never taken back.
 */
UET_TEST(counts_bytes, .id = "zz.1.9.counts-bytes", .requirements = "CMS-024",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    static uint8_t frame[UET_FRAME_MAX];
    struct uet_pdc *p = uet_pdc_new_at(tc, 0x100);
    p->initiator = p->auto_close = false;
    p->fep_pdcid = 0x4242;
    p->ack_cc = true;

    struct uet_in read = a_read(frame, UET_H_SES_REQ_STD_SOM0);
    read.pdc = p;
    assert_int_equal(rcvd_in(answer_by_itself(tc, p, &read)), 1);
    assert_int_equal(p->rcvd_bytes, uet_nominal_size(&read.packet));
    assert_int_equal(rcvd_in(answer_by_itself(tc, p, &read)), 1);
    assert_int_equal(p->rcvd_bytes, uet_nominal_size(&read.packet));
    struct uet_out nack = uet_nack(p, 0x100, UET_NACK_TRIMMED);
    uet_send(tc, &nack);
    assert_int_equal(p->rcvd_bytes, 0);
    assert_int_equal(rcvd_in(answer_by_itself(tc, p, &read)), 1);
    assert_int_equal(p->rcvd_bytes, uet_nominal_size(&read.packet));

    p->rcvd_told = 0xfffff0;
    p->rcvd_bytes = UINT64_C(0xfffff0) * 256 + 1;
    struct uet_out told = uet_ack(p, &read);
    assert_int_equal(rcvd_in(&told), 0xfffff1);
    uet_ack_cc_state_nscc_rcvd_bytes_set(told.pds + UET_ACK_CC_BYTES - UET_ACK_CC_STATE_NSCC_BYTES,
                                         0x10);
    uet_send(tc, &told);
    told = uet_ack(p, &read);
    assert_int_equal(rcvd_in(&told), 0x10); /* past the end of 24 bits */
}

/* What carries the business of PDS: what the FEP claims of SES decides (3.4.6.2). */
UET_TEST(any_request, .id = "zz.1.9.any-request", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .needs = "any-request", .purpose = "-",
         .stimulus = "-", .expected = "-")
{
    const struct uet_dut *d = uet_tc_dut(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    unsigned opcode = d->claims[UET_PICS_NO_OP]   ? UET_OP_NO_OP
                      : d->claims[UET_PICS_WRITE] ? UET_OP_WRITE
                                                  : UET_OP_SEND;

    assert_int_equal(uet_ses_req_opcode(o.ses), opcode);
    assert_int_equal(uet_ses_req_std_request_length(o.ses), 0);
    assert_int_equal(o.payload_len, 0);
    assert_int_equal(uet_ses_req_job_id(o.ses), opcode == UET_OP_NO_OP ? 0 : opcode + 70u);
    assert_true(uet_ses_req_match_bits_or_memory_key(o.ses) ==
                (opcode == UET_OP_WRITE ? 0x7711u : 0u));
    p->next_psn--; /* it was not sent */
}

char put_back[8];

/* *what is told, and that it cannot be done where it is '!'. */
static int puts_back(struct uet_tc *tc, const void *what)
{
    size_t n = strlen(put_back);

    (void)tc;
    put_back[n] = *(const char *)what;
    return put_back[n] == '!' ? -1 : 0;
}

/* A test that ends early: what it has changed is put back, the last first, but what is already. */
UET_TEST(ends_early, .id = "zz.1.9.ends-early", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    static const char *const what[] = {"a", "b", "c"};

    memset(put_back, 0, sizeof(put_back));
    for (size_t i = 0; i < 3; i++)
        undo_at_end(tc, puts_back, what[i]);
    undo_at_end(tc, puts_back, what[0]);
    undone(tc, puts_back, what[1]);
    uet_fail(tc, "PDS-097", "amid what it does");
}

UET_TEST(cannot_put_back, .id = "zz.1.9.cannot-put-back", .requirements = "PDS-097",
         .role = UET_ROLE_TARGET, .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    memset(put_back, 0, sizeof(put_back));
    undo_at_end(tc, puts_back, "!");
}

UET_TEST(not_claimed, .id = "zz.1.9.not-claimed", .requirements = "PDS-055",
         .role = UET_ROLE_TARGET, .needs = "negotiation", .purpose = "-", .stimulus = "-",
         .expected = "-")
{
    uet_error(tc, "must not run");
}

UET_TEST(for_ever, .id = "zz.1.9.for-ever", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    for (;;)
        uet_wait(tc, 1000 * UET_MS);
}

UET_TEST(two_pdcs, .id = "zz.1.9.two-pdcs", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    uet_pdc_new(tc);
    uet_pdc_new(tc);
}

uint64_t listened_ns;

UET_TEST(listens, .id = "zz.1.9.listens", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    listened_ns = uet_tc_quiet(tc);
}
