/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The harness against a FEP of ten lines that this file makes obey or misbehave: each verdict
 * comes when it must, and no other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/harness/known.h"
#include "conformance/harness/outside.h"
#include "conformance/harness/tc.h"
#include "port/capture.h"
#include "port/memory.h"

/* ---- the FEP of ten lines ---- */

struct toy {
    struct uet_port *port;
    bool silent, deviates, wrong_dpdcid, wrong_retx, once, nack, malformed, undeliverable;
    uint8_t late_frame[128]; /* comes before the first answer */
    uint32_t late_len;
    uint8_t nack_code, close_code; /* close_code: of the NACK that a Close Command gets */
    int32_t nack_ahead;            /* the NACK names a PSN so far ahead of the packet */
    unsigned closes, deaf;         /* deaf: so many Requests get no answer, then all do */
};

static struct toy toy;

static bool is_close_command(const struct uet_packet *p)
{
    return uet_is_cp(p) && uet_cp_ctl_type(uet_pds(p)) == UET_CTL_CLOSE_COMMAND;
}

static void toy_answer(const struct uet_packet *p)
{
    if (toy.late_len)
        uet_mem_emit(toy.port, toy.late_frame, toy.late_len);
    toy.late_len = 0;
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    struct uet_route route = {
        .src = uet_dst_ip(p), .dst = uet_src_ip(p), .entropy = uet_entropy(p)};

    uet_build_start(&b, frame, sizeof(frame), &route);
    if (toy.close_code && is_close_command(p)) {
        uint8_t *n = uet_build_pds(&b, UET_H_NACK);
        uet_nack_type_set(n, UET_PDS_NACK);
        uet_nack_nack_code_set(n, toy.close_code);
        uet_nack_nack_psn_set(n, uet_packet_psn(p));
        uet_nack_spdcid_set(n, toy.close_code == UET_NACK_INV_DPDCID ? 0 : 0x4242);
        uet_nack_dpdcid_set(n, uet_spdcid(p));
    } else if (toy.nack && uet_is_request(p)) {
        uint8_t *n = uet_build_pds(&b, UET_H_NACK);
        uet_nack_type_set(n, UET_PDS_NACK);
        uet_nack_nack_code_set(n, toy.nack_code ? toy.nack_code : UET_NACK_NO_RESOURCE);
        uet_nack_nack_psn_set(n, uet_packet_psn(p) + (uint32_t)toy.nack_ahead);
        uet_nack_spdcid_set(n, toy.nack_code ? 0x4242 : 0);
        uet_nack_dpdcid_set(n, uet_spdcid(p));
    } else {
        uint8_t *a = uet_build_pds(&b, UET_H_ACK);
        uet_ack_type_set(a, UET_PDS_ACK);
        bool retx = uet_rud_rod_req_retx(uet_pds(p)); /* in a CP at the same place */
        uet_ack_retx_set(a, retx != (toy.wrong_retx && uet_is_request(p)));
        toy.wrong_retx &= !toy.once;
        uet_ack_cack_psn_set(a, uet_packet_psn(p));
        uet_ack_spdcid_set(a, 0x4242);
        uet_ack_dpdcid_set(a, (uint16_t)(uet_spdcid(p) + toy.wrong_dpdcid));
        if (uet_is_request(p)) {
            uet_ack_next_hdr_set(a, UET_NH_RESPONSE);
            uint8_t *r = uet_build_ses(&b, UET_H_SES_RSP);
            uet_ses_rsp_return_code_set(r, toy.undeliverable ? UET_RC_UNDELIVERABLE : UET_RC_OK);
            uet_ses_rsp_message_id_set(r, uet_ses_message_id(p));
        }
    }
    int len = uet_build_finish(&b, UET_PROTECT_NONE,
                               toy.malformed ? &(struct uet_wrong){.udp_length = true} : NULL);
    assert_true(len > 0);
    uet_mem_emit(toy.port, frame, (uint32_t)len);
}

static void toy_frame(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns)
{
    struct uet_packet p;

    (void)ctx;
    (void)now_ns;
    if (toy.silent || uet_parse(&p, data, len, NULL) != UET_PARSE_OK)
        return;
    if (uet_is_request(&p) && toy.deaf > 0) {
        toy.deaf--;
        return;
    }
    if (is_close_command(&p))
        toy.closes++;
    if (uet_is_request(&p) || uet_is_cp(&p))
        toy_answer(&p);
}

static uint64_t toy_advance(void *ctx, uint64_t now_ns)
{
    (void)ctx;
    (void)now_ns;
    return UINT64_MAX;
}

/* ---- tests for it ---- */

UET_TEST(open_one, .id = "zz.1.2.open-one", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .sanity = true, .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out o = uet_no_op(p);
    uet_send(tc, &o);
    const struct uet_in *ack = uet_expect_ack(tc, p, o.psn);
    uet_check_success(tc, "SES-028", ack);
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
         .role = UET_ROLE_TARGET, .purpose = "-", .stimulus = "-", .expected = "-")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_check_eq(tc, "PDS-016", "spdcid", p->fep_pdcid, 0x4242);
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

/* A READ of the FEP's, PSN 0x100, as the tester would get it. */
static struct uet_in a_read(uint8_t *frame, enum uet_header_id ses)
{
    struct uet_in in = {0};
    struct uet_build b;
    struct uet_route route = {.entropy = 7};

    uet_ip_parse(&route.src, "192.0.2.1");
    uet_ip_parse(&route.dst, "192.0.2.11");
    uet_build_start(&b, frame, UET_FRAME_MAX, &route);
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

static uint64_t listened_ns;

UET_TEST(listens, .id = "zz.1.9.listens", .requirements = "PDS-097", .role = UET_ROLE_TARGET,
         .builds_on = "", .purpose = "-", .stimulus = "-", .expected = "-")
{
    listened_ns = uet_tc_quiet(tc);
}

/* ---- what is expected of the harness ---- */

static struct uet_dut dut;
static struct uet_session session;
static struct uet_outside outside;

static int set_up(void **state)
{
    const struct uet_mem_device device = {.frame = toy_frame, .advance = toy_advance};

    (void)state;
    toy = (struct toy){0};
    assert_int_equal(uet_mem_port_open(&toy.port, &device, UET_MEM_LATENCY_NS), 0);
    uet_dut_default(&dut);
    uet_ip_parse(&dut.address, "192.0.2.1");
    uet_ip_parse(&dut.tester[0], "192.0.2.11");
    uet_session_default(&session);
    session.dut = &dut;
    session.port = toy.port;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    uet_port_close(toy.port);
    uet_outside_free(&outside);
    return 0;
}

static struct uet_result run(const char *id)
{
    const struct uet_test *test = uet_test_find(id);

    assert_non_null(test);
    struct uet_result r = {.contested = test->contested}; /* as the runner begins */
    uet_tc_run(&session, test, &r);
    return r;
}

static void skipped(const char *id, const char *says)
{
    char why[200] = "";
    uint8_t reason = UET_SKIP_OTHER;

    assert_true(uet_tc_skips(&session, uet_test_find(id), why, sizeof(why), &reason));
    assert_int_equal(reason, UET_SKIP_NOT_CLAIMED);
    assert_non_null(strstr(why, says));
}

static void expect_verdict(const char *id, enum uet_verdict verdict, const char *says)
{
    struct uet_result r = run(id);

    if (r.verdict != verdict || (says && !strstr(r.message, says)))
        print_message("%s: %s: %s\n", id, uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    assert_int_equal(r.verdict, verdict);
    assert_true(!says || strstr(r.message, says));
}

static struct uet_result results[32];
static struct uet_known_tally tally;
static size_t n_results;

static int keep(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    assert_true(n_results < sizeof(results) / sizeof(*results));
    results[n_results++] = *r;
    uet_known_add(&tally, &dut, r);
    return uet_result_is_rule(r) ? 0 : uet_outside_add(&outside, r);
}

static const struct uet_result *result_of(const char *id)
{
    for (size_t i = 0; i < n_results; i++)
        if (strcmp(results[i].id, id) == 0)
            return &results[i];
    return NULL;
}

static struct uet_summary run_selected(const struct uet_selection *selection)
{
    const struct uet_run_events events = {.done = keep};
    struct uet_summary summary = {0};
    size_t n;
    const struct uet_test **tests = uet_select(selection, &n);

    n_results = 0;
    session.ceiling_s = 0.05;
    uet_outside_free(&outside);
    tally = (struct uet_known_tally){0};
    assert_int_equal(uet_run_tests(&session, selection, tests, n, &events, &summary), 0);
    assert_int_equal(uet_outside_report(&outside, &session, &events, &summary), 0);
    assert_int_equal(uet_known_report(&tally, &dut, &events, &summary), 0);
    free(tests);
    return summary;
}

/* NO_OP first, then what needs the least to stand ready; and no request at all is a skip. */
static void the_least_request(void **state)
{
    (void)state;
    expect_verdict("zz.1.9.any-request", UET_PASS, NULL);
    dut.claims[UET_PICS_NO_OP] = false;
    skipped("zz.1.9.any-request", "no-op, write, or send");
    dut.receives[0] = (struct uet_dut_receive){.job_id = UET_OP_SEND + 70, .length = 64};
    dut.n_receives = 1;
    dut.memory[0] =
        (struct uet_dut_memory){.job_id = UET_OP_WRITE + 70, .key = 0x7711, .length = 64};
    dut.n_memory = 1;
    expect_verdict("zz.1.9.any-request", UET_PASS, NULL);
    dut.claims[UET_PICS_WRITE] = false;
    expect_verdict("zz.1.9.any-request", UET_PASS, NULL);
}

static void pass(void **state)
{
    (void)state;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(toy.closes, 1); /* the postamble closed the PDC */
    expect_verdict("zz.1.10.after-preamble", UET_PASS, NULL);
}

static void reads(void **state)
{
    (void)state;
    expect_verdict("zz.1.9.answers-reads", UET_PASS, NULL);
    expect_verdict("zz.1.9.asks-to-read", UET_PASS, NULL);
}

static void silence_fails(void **state)
{
    (void)state;
    toy.silent = true;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "PDS-097: no ACK of PSN");
    struct uet_result r = run("zz.1.2.open-one");
    assert_non_null(strstr(r.message, "\nsent:     RUD_REQ"));
    assert_non_null(strstr(r.message, "\nrequired: PDS-097 (3.5.12, MUST)"));
    assert_string_equal(r.broken, "PDS-097");
    assert_true(r.sent.frame > 0);
    assert_int_equal(strncmp(r.sent.line, "RUD_REQ", 7), 0);
}

static void failed_preamble_is_inconc(void **state)
{
    (void)state;
    toy.silent = true;
    expect_verdict("zz.1.10.after-preamble", UET_INCONC, "covering PSN");
}

static void ack_to_another_pdcid_fails(void **state)
{
    (void)state;
    toy.wrong_dpdcid = true;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "PDS-097: no ACK of PSN");
    struct uet_result r = run("zz.1.2.open-one");
    assert_int_equal(r.n_findings, 1);
    assert_string_equal(r.findings[0].requirement, "PDS-020");
    assert_int_equal(r.findings[0].outside, 1);
}

/* A rule of the test's subject speaks first; what the test itself finds takes the headline. */
static void own_reason_goes_first(void **state)
{
    (void)state;
    toy.wrong_dpdcid = true;
    expect_verdict("zz.1.9.two-subjects", UET_FAIL, "PDS-097: no ACK of PSN");
    struct uet_result r = run("zz.1.9.two-subjects");
    assert_string_equal(r.broken, "PDS-097");
    assert_int_equal(r.n_findings, 1);
    assert_string_equal(r.findings[0].requirement, "PDS-020");
    assert_int_equal(r.findings[0].outside, 0);
}

/* The code that the FEP answers with is often the cause: it stands in the verdict. */
static void error_code_is_named(void **state)
{
    (void)state;
    toy.undeliverable = toy.wrong_dpdcid = true;
    expect_verdict("zz.1.9.nothing", UET_PASS, NULL); /* the ACK is for another PDC */
    toy.wrong_dpdcid = false;
    toy.deaf = 0;
    expect_verdict("zz.1.9.two-answers", UET_FAIL, "\nanswered: RC_UNDELIVERABLE (packet 2)");
}

/* A rule that is no test's subject: the tests keep their verdicts, the run fails by its entry. */
static void rules_outside_the_subject(void **state)
{
    const struct uet_selection one = {.glob = "zz.1.9.sends-only"}, all = {.glob = "zz.1.9.*"};

    (void)state;
    toy.wrong_retx = true;
    expect_verdict("zz.1.9.sends-only", UET_PASS, NULL);
    struct uet_result r = run("zz.1.9.sends-only");
    assert_int_equal(r.n_findings, 1);
    assert_string_equal(r.findings[0].requirement, "PDS-105");
    assert_int_equal(r.findings[0].outside, 1);
    expect_verdict("zz.1.9.of-retx", UET_FAIL, "PDS-105: flags.retx is 1");

    struct uet_summary s = run_selected(&one);
    assert_int_equal(s.pass, 1);
    assert_int_equal(s.fail, 1);
    assert_string_equal(results[1].id, "rule.PDS-105");
    assert_string_equal(results[1].section, "3.5.11.8");
    assert_string_equal(results[1].as_in, "zz.1.9.sends-only");
    assert_non_null(strstr(results[1].message,
                           "1 packet in 1 test of other subjects: zz.1.9.sends-only (pack"));
    run_selected(&all);
    assert_non_null(strstr(result_of("rule.PDS-105")->message, " tests of other subjects: "));
}

/* As a test that fails: on a real link one sight is looked for again. */
static void outside_is_confirmed(void **state)
{
    const struct uet_selection one = {.glob = "zz.1.9.sends-only"};

    (void)state;
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    dut.response_time_ns = 2 * UET_MS;
    toy.wrong_retx = true;
    run_selected(&one);
    assert_int_equal(result_of("rule.PDS-105")->verdict, UET_FAIL);
    toy.once = true;
    run_selected(&one);
    assert_int_equal(result_of("rule.PDS-105")->verdict, UET_INCONC);
    assert_non_null(strstr(result_of("rule.PDS-105")->message, "seen once"));
}

/* The target acknowledges Close Command (PDS-203): a NACK says that the PDC stays, or is gone. */
static void refused_close_is_told(void **state)
{
    static const struct {
        uint8_t code;
        bool refused;
    } cases[] = {{UET_NACK_PDC_MODE_MISMATCH, true}, {UET_NACK_INVALID_SYN, true},
                 {UET_NACK_EXP_NACK_ERR, true},      {UET_NACK_INV_DPDCID, false},
                 {UET_NACK_CLOSING_IN_ERR, false},   {UET_NACK_CLOSING, false}};
    const struct uet_selection one = {.glob = "zz.1.2.open-one"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        toy.close_code = cases[i].code;
        run_selected(&one);
        const struct uet_result *r = result_of("rule.PDS-203");
        assert_int_equal(r != NULL, cases[i].refused);
        assert_true(!r || (r->verdict == UET_FAIL && strstr(r->message, "Close Command")));
        uet_outside_free(&outside);
    }
}

/* A FEP that tells slow timers is listened to for longer (here 1 ms longer, in virtual time). */
static void told_timers_are_waited_for(void **state)
{
    (void)state;
    run("zz.1.9.listens");
    assert_int_equal(listened_ns, 50 * UET_MS);
    dut.response_time_ns = 4000 * UET_MS;
    run("zz.1.9.listens");
    assert_int_equal(listened_ns, 200 * UET_MS);
    uet_dut_param_set(&dut, "RTO_Init_Time", 300 * UET_MS);
    run("zz.1.9.listens");
    assert_int_equal(listened_ns, 301 * UET_MS);
}

static void unexpected_nack_fails(void **state)
{
    (void)state;
    toy.nack = true;
    expect_verdict("zz.1.9.sends-only", UET_FAIL, "nothing calls for");
    toy.nack = false;
    expect_verdict("zz.1.9.sends-only", UET_PASS, NULL);
}

/* A gap may be told as a loss (PDS-229), a duplicate as in SES (PDS-131); nothing else may. */
static void free_nacks_pass(void **state)
{
    (void)state;
    toy.nack = true;
    toy.nack_code = UET_NACK_RCVR_INFER_LOSS;
    toy.nack_ahead = -1;
    expect_verdict("zz.1.9.sends-twice", UET_PASS, NULL);
    toy.nack = true;
    toy.nack_code = UET_NACK_PKT_NOT_RCVD;
    toy.nack_ahead = 0;
    assert_string_equal(run("zz.1.9.sends-twice").findings[0].requirement, "PDS-191");
    toy.nack = true;
    toy.nack_code = UET_NACK_RCVD_SES_PROCG;
    expect_verdict("zz.1.9.sends-only", UET_FAIL, "nothing calls for");
}

/* A FEP that took one packet may say that it has no room for a second (Table 3-58). */
static void no_room_skips(void **state)
{
    (void)state;
    toy.nack_code = UET_NACK_NO_RESOURCE;
    expect_verdict("zz.1.9.wants-room", UET_SKIP, "no room for PSN");
    toy.nack_code = UET_NACK_PKT_NOT_RCVD;
    expect_verdict("zz.1.9.wants-room", UET_FAIL, "PDS-097: no ACK of PSN");
}

/* What was under way when an earlier test ended says nothing of this one. */
static void late_packets_pass(void **state)
{
    struct uet_ip tester = dut.tester[0];
    struct uet_build b;
    uint8_t frame[UET_FRAME_MAX];
    const struct uet_route route = {.src = dut.address, .dst = tester, .entropy = 0xc000};

    (void)state;
    for (int known = 1; known >= 0; known--) {
        uint16_t id = 0x1111;
        session.used_pdcids[id >> 3] = (uint8_t)(known << (id & 7));
        uet_build_start(&b, frame, sizeof(frame), &route);
        uint8_t *a = uet_build_pds(&b, UET_H_ACK);
        uet_ack_type_set(a, UET_PDS_ACK);
        uet_ack_spdcid_set(a, 0x4242);
        uet_ack_dpdcid_set(a, id);
        toy.late_len = (uint32_t)uet_build_finish(&b, UET_PROTECT_NONE, NULL);
        memcpy(toy.late_frame, frame, toy.late_len);
        if (known)
            expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
        else
            assert_string_equal(run("zz.1.2.open-one").findings[0].requirement, "PDS-020");
    }
}

static void malformed_fails(void **state)
{
    (void)state;
    toy.malformed = true;
    expect_verdict("zz.1.9.sends-only", UET_FAIL, "malformed");
}

static void what_must_not_come(void **state)
{
    (void)state;
    expect_verdict("zz.1.9.nothing", UET_FAIL, "came and must not");
    toy.silent = true;
    expect_verdict("zz.1.9.nothing", UET_PASS, NULL);
}

static void should_is_a_finding(void **state)
{
    (void)state;
    struct uet_result r = run("zz.1.9.should");
    assert_int_equal(r.verdict, UET_PASS);
    assert_int_equal(r.n_findings, 1);
    assert_string_equal(r.findings[0].requirement, "PDS-164");
    session.strict = true;
    expect_verdict("zz.1.9.should", UET_FAIL, "PDS-164: a SHOULD is not met");
}

static void other_reading_is_a_finding(void **state)
{
    (void)state;
    struct uet_result r = run("zz.1.9.read-otherwise");
    assert_int_equal(r.verdict, UET_PASS);
    assert_int_equal(r.n_findings, 1);
    assert_false(r.findings[0].note);
    session.strict = true;
    r = run("zz.1.9.read-otherwise");
    assert_int_equal(r.verdict, UET_FAIL);
    assert_true(r.contested); /* PDS-017 is of confidence C */
}

/* What judges nothing worsens nothing, however strict. */
static void a_note_is_no_finding(void **state)
{
    (void)state;
    session.strict = true;
    struct uet_result r = run("zz.1.9.noted");
    assert_int_equal(r.verdict, UET_PASS);
    assert_int_equal(r.n_findings, 1);
    assert_true(r.findings[0].note);
}

/* "contested" belongs to the reading that failed, not to the test. */
static void contested_is_what_failed(void **state)
{
    (void)state;
    assert_false(run("zz.1.9.broken-plainly").contested);
    assert_true(run("zz.1.9.broken-as-read").contested);
    assert_int_equal(run("zz.1.9.not-reached").verdict, UET_INCONC);
    assert_false(run("zz.1.9.not-reached").contested);
}

/* 0x03 is reserved in 1.0.3 and was not before (Table 3-58). */
static void versions_are_kept(void **state)
{
    const struct uet_test *test = uet_test_find("zz.1.9.of-1.0.3");
    char why[100];
    uint8_t reason;

    (void)state;
    assert_false(uet_tc_skips(&session, test, why, sizeof(why), &reason));
    expect_verdict(test->id, UET_FAIL, "code 0x03");
    session.spec = 1; /* 1.0.2 */
    assert_true(uet_tc_skips(&session, test, why, sizeof(why), &reason));
    assert_string_equal(why, "PDS-146 does not hold in 1.0.2");
    assert_int_equal(reason, UET_SKIP_VERSION);
    expect_verdict(test->id, UET_PASS, NULL); /* were it run */
}

static void time_is_bounded(void **state)
{
    (void)state;
    session.ceiling_s = 0.05;
    expect_verdict("zz.1.9.for-ever", UET_INCONC, "wall-clock");
}

static void repeats_identically(void **state)
{
    uint32_t start[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        memset(session.used_pdcids, 0, sizeof(session.used_pdcids));
        toy.silent = true;
        struct uet_result r = run("zz.1.2.open-one");
        const char *psn = strstr(r.message, "PSN 0x");
        assert_non_null(psn);
        start[i] = (uint32_t)strtoul(psn + 4, NULL, 16);
    }
    assert_int_equal(start[0], start[1]);
    session.seed = 2;
    struct uet_result r = run("zz.1.2.open-one");
    assert_int_not_equal(strtoul(strstr(r.message, "PSN 0x") + 4, NULL, 16), start[0]);
}

/* ---- runs ---- */

static void gate(void **state)
{
    struct uet_selection selection = {.section = "1"};

    (void)state;
    run_selected(&selection);
    assert_string_equal(results[0].id, "zz.1.2.open-one"); /* sanity first */
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
    assert_int_equal(result_of("zz.1.9.not-claimed")->verdict, UET_SKIP);
    assert_string_equal(result_of("zz.1.9.not-claimed")->message, "not claimed: negotiation");

    toy.nack = true; /* it is there, and refuses */
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_INCONC);
    assert_string_equal(result_of("zz.1.10.after-preamble")->message,
                        "the sanity test zz.1.2.open-one did not get far enough");
    assert_null(strstr(result_of("zz.1.9.nothing")->message, "sanity")); /* builds on nothing */
}

/* The time of the first packet of a test's capture, and whether the file names the interface. */
static uint64_t captured_at(const char *interface, bool *named)
{
    struct uet_capture_packet packet = {0};
    struct uet_capture *capture;
    char dir[] = "/tmp/uet-harness-XXXXXX", path[128], err[300], bytes[512] = "";

    assert_non_null(mkdtemp(dir));
    session.pcap_dir = dir;
    run("zz.1.2.open-one");
    session.pcap_dir = NULL;
    snprintf(path, sizeof(path), "%s/zz.1.2.open-one.pcapng", dir);
    assert_int_equal(uet_capture_open(&capture, path, err, sizeof(err)), 0);
    assert_int_equal(uet_capture_next(capture, &packet), 1);
    uet_capture_close(capture);
    FILE *in = fopen(path, "rb");
    assert_true(in && fread(bytes, 1, sizeof(bytes), in) > 0);
    *named = false;
    for (size_t i = 0; i + strlen(interface) < sizeof(bytes); i++)
        *named |= memcmp(bytes + i, interface, strlen(interface)) == 0;
    fclose(in);
    unlink(path);
    rmdir(dir);
    return packet.time_ns;
}

/* Captures of a real port line up with a switch's log; virtual time stays as it is. */
static void captures_of_real_ports_have_wall_clock_times(void **state)
{
    uint64_t began_ns = (uint64_t)time(NULL) * 1000000000u;
    bool named;

    (void)state;
    assert_true(captured_at("uet0", &named) < 3600 * 1000000000ull); /* of virtual time */
    assert_true(named);
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    snprintf(dut.interface, sizeof(dut.interface), "lab-if7");
    uint64_t at_ns = captured_at("lab-if7", &named);
    toy.port->caps |= UET_PORT_VIRTUAL_TIME;
    dut.interface[0] = '\0';
    assert_true(named);
    assert_true(at_ns >= began_ns - 60 * 1000000000ull);
    assert_true(at_ns <= began_ns + 60 * 1000000000ull);
}

/* One deviation does not silence the run: the FEP answers, and the others can go on. */
static void gate_lets_deviations_pass(void **state)
{
    struct uet_selection selection = {.section = "1"};

    (void)state;
    toy.deviates = true;
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.3.sees-enough")->verdict, UET_FAIL);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
    toy.wrong_retx = true; /* nor does a rule that is broken in the midst of it */
    toy.deviates = false;
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.2.open-one")->verdict, UET_PASS);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
}

/* A port that does not promise to lose nothing: what fails is tried once more. */
static void failures_are_confirmed(void **state)
{
    struct uet_selection selection = {.glob = "zz.1.2.open-one"};

    (void)state;
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    dut.response_time_ns = 2 * UET_MS;
    toy.deaf = 1;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_INCONC);
    assert_non_null(strstr(results[0].message, "failed once and passed when repeated"));
    assert_non_null(strstr(results[0].message, "PDS-097: no ACK of PSN"));
    toy.nack = true;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_FAIL);
    toy.nack = false;
    toy.port->caps |= UET_PORT_VIRTUAL_TIME;
    toy.deaf = 1;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_FAIL); /* nothing is lost here */
}

static void known_deviations(void **state)
{
    struct uet_selection selection = {.glob = "zz.1.9.nothing"};

    (void)state;
    strcpy(dut.known[0].test, "zz.1.9.nothing");
    strcpy(dut.known[0].reason, "why");
    strcpy(dut.known[0].date, "2026-01-01");
    dut.n_known = 1;
    struct uet_summary s = run_selected(&selection);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    toy.deaf = 1;
    s = run_selected(&selection);
    assert_int_equal(s.unexpected_pass, 1);
    assert_int_equal(uet_summary_exit_status(&s), 1);
}

static void know(const char *test, const char *requirement)
{
    dut.n_known = 1;
    dut.known[0] = (struct uet_dut_known){.reason = "why", .date = "2026-01-01", .line = 41};
    snprintf(dut.known[0].test, sizeof(dut.known[0].test), "%s", test);
    snprintf(dut.known[0].requirement, sizeof(dut.known[0].requirement), "%s", requirement);
}

/* By requirement: known wherever it is broken, in the tests about it and outside them. */
static void known_by_requirement(void **state)
{
    const struct uet_selection about = {.glob = "zz.1.9.of-retx"},
                               other = {.glob = "zz.1.9.sends-only"};

    (void)state;
    know("", "PDS-105");
    toy.wrong_retx = true;
    struct uet_summary s = run_selected(&about);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    assert_non_null(strstr(results[0].message, "known:    why (2026-01-01)"));
    s = run_selected(&other);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    assert_true(result_of("rule.PDS-105")->known);

    know("", "PDS-038"); /* another requirement excuses nothing */
    s = run_selected(&about);
    assert_int_equal(s.fail, 1);

    know("", "PDS-105");
    toy.wrong_retx = false;
    s = run_selected(&about); /* all tests about it ran, and passed */
    assert_int_equal(s.unexpected_pass, 1);
    assert_int_equal(uet_summary_exit_status(&s), 1);
    assert_true(result_of("rule.PDS-105")->unexpected_pass);
    assert_non_null(strstr(result_of("rule.PDS-105")->message, ":41 lists it"));
    s = run_selected(&other); /* none of them ran: nobody knows */
    assert_int_equal(s.unexpected_pass, 0);
}

/* By pattern: some of its tests may pass; all of them may not. */
static void known_by_pattern(void **state)
{
    const struct uet_selection both = {.glob = "zz.1.9.of-retx zz.1.9.should"};

    (void)state;
    know("zz.1.9.[os]*[xd]", "");
    toy.wrong_retx = true;
    struct uet_summary s = run_selected(&both);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(s.unexpected_pass, 0);
    toy.wrong_retx = false;
    s = run_selected(&both);
    assert_int_equal(s.pass, 2);
    assert_int_equal(s.unexpected_pass, 1);
    assert_non_null(result_of("rule.zz.1.9.[os]*[xd]"));
    s = run_selected(&(struct uet_selection){.glob = "zz.1.9.should"});
    assert_int_equal(s.unexpected_pass, 0);
}

static void selection(void **state)
{
    size_t n;

    (void)state;
    assert_true(uet_section_in("3.5.8.2", "3.5.8"));
    assert_true(uet_section_in("3.5.8", "3.5.8"));
    assert_false(uet_section_in("3.5.80", "3.5.8"));
    struct uet_selection s = {.requirement = "PDS-164"};
    const struct uet_test **tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    free(tests);
    /* One word of a kind is enough, and each kind must match. */
    s = (struct uet_selection){.glob = "zz.1.9.nothing zz.1.2.open-one"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 2);
    free(tests);
    s = (struct uet_selection){.glob = "zz.1.9.nothing zz.1.2.open-one", .section = "1.2 9.9"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    assert_string_equal(tests[0]->id, "zz.1.2.open-one");
    free(tests);
    s = (struct uet_selection){.requirement = "PDS-999 PDS-164"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    free(tests);
    s = (struct uet_selection){.glob = "nothing.of.this"};
    assert_null(uet_select(&s, &n));
    assert_int_equal(n, 0);
}

static void selected_requirements(void **state)
{
    const struct uet_requirement *r = uet_requirement_find("PDS-164");

    (void)state;
    assert_true(uet_selects_requirement(&(struct uet_selection){0}, r));
    assert_true(
        uet_selects_requirement(&(struct uet_selection){.requirement = "PDS-1 PDS-164"}, r));
    assert_false(uet_selects_requirement(&(struct uet_selection){.requirement = "PDS-038"}, r));
    assert_true(uet_selects_requirement(&(struct uet_selection){.section = r->section}, r));
    assert_false(uet_selects_requirement(
        &(struct uet_selection){.requirement = "PDS-164", .section = "9.9"}, r));
    assert_true(uet_selects_requirement(&(struct uet_selection){.glob = "zz.1.*"}, r));
    assert_false(uet_selects_requirement(&(struct uet_selection){.glob = "zz.1.2.open-one"}, r));
}

static void parts_of_an_id(void **state)
{
    const struct uet_test test = {.id = "pds.3.5.12.7.no-2-alike",
                                  .requirements = "PDS-001 SES-002"};
    char out[UET_SECTION_MAX];
    size_t n;

    (void)state;
    assert_string_equal(uet_test_area(&test, out), "pds");
    assert_string_equal(uet_test_section(&test, out), "3.5.12.7");
    assert_string_equal(uet_test_slug(&test), "no-2-alike");
    assert_true(uet_test_claims(&test, "SES-002"));
    assert_false(uet_test_claims(&test, "SES-003"));
    const struct uet_test **tests = uet_tests_sorted(&n);
    assert_string_equal(tests[0]->id, "zz.1.2.open-one");
    assert_string_equal(tests[n - 1]->id, "zz.1.10.after-preamble");
    free(tests);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pass),
        TEST(the_least_request),
        TEST(reads),
        TEST(silence_fails),
        TEST(failed_preamble_is_inconc),
        TEST(ack_to_another_pdcid_fails),
        TEST(told_timers_are_waited_for),
        TEST(refused_close_is_told),
        TEST(unexpected_nack_fails),
        TEST(own_reason_goes_first),
        TEST(error_code_is_named),
        TEST(rules_outside_the_subject),
        TEST(outside_is_confirmed),
        TEST(free_nacks_pass),
        TEST(no_room_skips),
        TEST(late_packets_pass),
        TEST(malformed_fails),
        TEST(what_must_not_come),
        TEST(should_is_a_finding),
        TEST(other_reading_is_a_finding),
        TEST(a_note_is_no_finding),
        TEST(contested_is_what_failed),
        TEST(captures_of_real_ports_have_wall_clock_times),
        TEST(versions_are_kept),
        TEST(time_is_bounded),
        TEST(repeats_identically),
        TEST(gate),
        TEST(gate_lets_deviations_pass),
        TEST(failures_are_confirmed),
        TEST(known_deviations),
        TEST(known_by_requirement),
        TEST(known_by_pattern),
        TEST(selection),
        TEST(selected_requirements),
        TEST(parts_of_an_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
