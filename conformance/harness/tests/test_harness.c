/* SPDX-License-Identifier: BSD-2-Clause */
/* The harness against the toy FEP: each verdict comes when it must, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/harness/tests/toy.h"
#include "port/memory.h"

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

/* The code points that the FEP's operator was told are the tester's, too (3.6.4.7). */
static void goes_in_its_class(void **state)
{
    (void)state;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(toy.heard[0].dscp, 0);
    assert_int_equal(toy.close_dscp, 0);
    toy.n_heard = 0;
    assert_true(uet_dut_param_set(&dut, "dscp-trimmable", 9));
    assert_true(uet_dut_param_set(&dut, "dscp-control", 44));
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(toy.heard[0].dscp, 9);
    assert_int_equal(toy.close_dscp, 44);
}

static void reads(void **state)
{
    (void)state;
    expect_verdict("zz.1.9.answers-reads", UET_PASS, NULL);
    expect_verdict("zz.1.9.asks-to-read", UET_PASS, NULL);
    expect_verdict("zz.1.9.answers-ack-requests", UET_PASS, NULL);
    expect_verdict("zz.1.9.counts-bytes", UET_PASS, NULL);
}

static void puts_back(void **state)
{
    (void)state;
    expect_verdict("zz.1.9.ends-early", UET_FAIL, "amid what it does");
    assert_string_equal(put_back, "ca");
    expect_verdict("zz.1.9.cannot-put-back", UET_INCONC, "cannot be put back");
    assert_string_equal(put_back, "!");
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

/* A step a line, PSNs from Start_PSN on; the last one is where it failed. */
static void conversation_is_told(void **state)
{
    (void)state;
    toy.silent = true;
    struct uet_result r = run("zz.1.2.open-one");
    const char *said = strstr(r.conversation, "ms  say     RUD_REQ syn ar psn=n+0 ");
    assert_non_null(said);
    const char *failed = strstr(said, "ms  -> FAIL PDS-097: no ACK of PSN n came within");
    assert_non_null(failed);
    assert_string_equal(strchr(failed, '\n'), "\n");
    toy.silent = false;
    r = run("zz.1.2.open-one");
    assert_string_equal(r.conversation, "");
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

/* What finds no place is counted, never dropped; notes make no finding of it. */
static void no_finding_is_dropped(void **state)
{
    struct uet_result r = {0}, sum = {0};
    (void)state;
    for (unsigned i = 0; i < UET_MAX_FINDINGS + 6; i++) {
        struct uet_finding *f = uet_finding_new(&r, "PDS-020", i % 2);
        assert_int_equal(f != NULL, i < UET_MAX_FINDINGS - 1);
    }
    assert_int_equal(r.n_findings, UET_MAX_FINDINGS);
    const struct uet_finding *last = &r.findings[UET_MAX_FINDINGS - 1];
    assert_int_equal(last->unlisted, 7);
    assert_false(last->note);
    assert_string_equal(last->text,
                        "7 more of this test, of this requirement or of others, are not listed");
    uet_findings_unlisted(&r, "PDS-021", true, 2);
    assert_int_equal(last->unlisted, 9);
    uet_findings_unlisted(&sum, "PDS-021", true, 0);
    assert_int_equal(sum.n_findings, 0);
    uet_findings_unlisted(&sum, "PDS-021", true, 1);
    assert_int_equal(sum.n_findings, 1);
    assert_true(sum.findings[0].note);
    assert_string_equal(sum.findings[0].requirement, "PDS-021");
}

/* A test finds more than there are places for: the last line tells how many. */
static void many_findings_are_told(void **state)
{
    (void)state;
    struct uet_result r = run("zz.1.9.finds-much");
    assert_int_equal(r.n_findings, UET_MAX_FINDINGS - UET_MAX_OUTSIDE + 1);
    assert_int_equal(r.findings[r.n_findings - 1].unlisted,
                     30 - (UET_MAX_FINDINGS - UET_MAX_OUTSIDE));
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
    expect_verdict("zz.1.9.sends-only", UET_FAIL, "was refused with UET_NO_RESOURCE, which noth");
    assert_non_null(strstr(run("zz.1.9.sends-only").message, "PDS-097: the SYN of PSN 0x"));
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

/*
 * All PDCs of a FEP without reset may be taken. That is no fault of it here, unless it has never
 * had one, or refuses the PDC of this test alone.
 */
static void doubt_is_for_pdcs_used_up(void **state)
{
    (void)state;
    toy.one_pdc = true;
    toy.pdc = 0xffff;
    expect_verdict("zz.1.9.begins-ahead", UET_FAIL, "no ACK of PSN");
    toy.one_pdc = false;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    toy.one_pdc = true;
    expect_verdict("zz.1.9.begins-ahead", UET_INCONC, "no PDC left (UET_NO_RESOURCE)");
    expect_verdict("zz.1.9.begins-ahead", UET_INCONC, "is zz.1.2.open-one. What came");
    toy.one_pdc = false;
    toy.first_alone = true;
    expect_verdict("zz.1.9.begins-ahead", UET_FAIL, "no ACK of PSN");
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

/* A Request of the toy's own for the tester's PDCID; 0: it opens a PDC. */
static void toy_requests(uint16_t dpdcid)
{
    const struct uet_route route = {.src = dut.address, .dst = dut.tester[0], .entropy = 0xc000};
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;

    uet_build_start(&b, frame, sizeof(frame), &route);
    uint8_t *h = uet_build_pds(&b, dpdcid ? UET_H_RUD_ROD_REQ : UET_H_RUD_ROD_REQ_SYN);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_syn_set(h, !dpdcid);
    uet_rud_rod_req_psn_set(h, 0x1234);
    uet_rud_rod_req_spdcid_set(h, 0x4242);
    if (dpdcid)
        uet_rud_rod_req_dpdcid_set(h, dpdcid);
    uint8_t *n = uet_build_ses(&b, UET_H_SES_REQ_NO_OP);
    uet_ses_req_opcode_set(n, UET_OP_NO_OP);
    uet_ses_req_som_set(n, true);
    uet_ses_req_eom_set(n, true);
    int len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_true(len > 0);
    uet_mem_emit(toy.port, frame, (uint32_t)len);
}

static bool asks_late, asks_here;

/* An upper tester without `reset`; its no_op goes where the test says. */
static json_t *without_reset(void *ctx, json_t *request)
{
    const char *verb = json_string_value(json_object_get(request, "verb"));
    json_t *id = json_object_get(request, "id");

    (void)ctx;
    if (strcmp(verb, "reset") == 0)
        return json_pack("{s:O, s:b, s:s}", "id", id, "ok", 0, "error", "no such verb");
    if (strcmp(verb, "hello") == 0)
        return json_pack("{s:O, s:b, s:s, s:s, s:s, s:s, s:i, s:s, s:[ss]}", "id", id, "ok", 1,
                         "name", "toy", "version", "1", "spec", "1.0.3", "address", "192.0.2.1",
                         "payload_mtu", 4096, "protect", "none", "verbs", "hello", "no_op");
    if (strcmp(verb, "no_op") == 0 && asks_late)
        toy_requests(0x1111);
    if (strcmp(verb, "no_op") == 0 && asks_here)
        toy_requests(0);
    return json_pack("{s:O, s:b, s:i, s:[]}", "id", id, "ok", 1, "handle", 1, "completions");
}

/*
 * What a test asks of a FEP without reset may come on a PDC of an earlier test: then nobody knows.
 * What came here, and was wrong, or never came anywhere, is a fault for all that.
 */
static void doubt_is_for_what_went_astray(void **state)
{
    (void)state;
    session.ut = uet_ut_local(without_reset, NULL);
    assert_non_null(session.ut);
    session.used_pdcids[0x1111 >> 3] |= (uint8_t)(1 << (0x1111 & 7));
    for (int way = 0; way < 4; way++) {
        asks_late = way & 1;
        asks_here = way & 2;
        if (way == 1)
            expect_verdict("zz.1.9.fep-asks", UET_INCONC, "cannot be reset");
        else
            expect_verdict("zz.1.9.fep-asks", UET_FAIL, asks_here ? "the NO_OP is wrong" : NULL);
    }
    uet_ut_close(session.ut);
    session.ut = NULL;
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

/* The second PDC finds every PDCID used: all come anew but those of the two. */
static void pdcids_come_anew(void **state)
{
    unsigned used = 0;

    (void)state;
    memset(session.used_pdcids, 0xff, sizeof(session.used_pdcids));
    session.used_pdcids[0x1111 >> 3] &= (uint8_t) ~(1 << (0x1111 & 7));
    expect_verdict("zz.1.9.two-pdcs", UET_PASS, NULL);
    for (unsigned id = 0; id < 65536; id++)
        used += session.used_pdcids[id >> 3] >> (id & 7) & 1;
    assert_int_equal(used, 2);
    assert_true(session.used_pdcids[0x1111 >> 3] >> (0x1111 & 7) & 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pass),
        TEST(the_least_request),
        TEST(goes_in_its_class),
        TEST(reads),
        TEST(puts_back),
        TEST(silence_fails),
        TEST(conversation_is_told),
        TEST(failed_preamble_is_inconc),
        TEST(ack_to_another_pdcid_fails),
        TEST(told_timers_are_waited_for),
        TEST(refused_close_is_told),
        TEST(unexpected_nack_fails),
        TEST(no_finding_is_dropped),
        TEST(many_findings_are_told),
        TEST(own_reason_goes_first),
        TEST(error_code_is_named),
        TEST(rules_outside_the_subject),
        TEST(outside_is_confirmed),
        TEST(free_nacks_pass),
        TEST(no_room_skips),
        TEST(doubt_is_for_pdcs_used_up),
        TEST(late_packets_pass),
        TEST(doubt_is_for_what_went_astray),
        TEST(malformed_fails),
        TEST(what_must_not_come),
        TEST(should_is_a_finding),
        TEST(other_reading_is_a_finding),
        TEST(a_note_is_no_finding),
        TEST(contested_is_what_failed),
        TEST(versions_are_kept),
        TEST(time_is_bounded),
        TEST(pdcids_come_anew),
        TEST(repeats_identically),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
