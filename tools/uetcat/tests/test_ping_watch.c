/* SPDX-License-Identifier: BSD-2-Clause */
/* The watch of ping against requests and answers made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetcat/ping/watch.h"
#include "wire/build.h"

static const struct uet_ip ours = {4, {192, 0, 2, 1}}, theirs = {4, {192, 0, 2, 2}};

/* The second request wraps. */
#define START_PSN 0xfffffffeu

enum { MS = 1000000, WAIT = 1000 * MS, EVENTS = 200 };

struct fixture {
    struct ping_watch watch;
    struct ping_event events[EVENTS];
    size_t n_events;
};

static void on_event(void *ctx, const struct ping_event *e)
{
    struct fixture *f = ctx;
    assert_true(f->n_events < EVENTS);
    f->events[f->n_events++] = *e;
}

static int set_up(void **state)
{
    static struct fixture f;
    memset(&f, 0, sizeof f);
    assert_true(ping_watch_open(&f.watch, 0, WAIT, on_event, &f));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    assert_false(f->watch.failed);
    ping_watch_close(&f->watch);
    return 0;
}

/* A packet of either side: a header of the PDS, and what stands behind it. */
struct made {
    struct uet_build b;
    uint8_t bytes[256];
    uint8_t *h;
};

static struct made *begin(struct made *a, const struct uet_ip *from, enum uet_header_id id,
                          enum uet_pds_type type)
{
    struct uet_route r = {.src = *from, .dst = from == &ours ? theirs : ours, .entropy = 0x4242};
    uet_build_start(&a->b, a->bytes, sizeof a->bytes, &r);
    a->h = uet_build_pds(&a->b, id);
    uet_pds_prologue_type_set(a->h, (uint8_t)type);
    return a;
}

static void give(struct fixture *f, struct made *a, bool sent, uint64_t now)
{
    struct uet_packet p;
    int len = uet_build_finish(&a->b, UET_PROTECT_NONE, NULL);
    assert_int_equal(uet_parse(&p, a->bytes, (size_t)len, NULL), UET_PARSE_OK);
    ping_watch_packet(&f->watch, &p, sent, now);
}

static void deliver(struct fixture *f, struct made *a, uint64_t now)
{
    give(f, a, false, now);
}

/* The NO_OP of this message_id as the n-th PSN (from 0) of a PDC, or sent again. */
static void request_on(struct fixture *f, uint16_t spdcid, uint16_t n, bool retx, uint64_t now)
{
    struct made a;
    uint8_t *s;
    begin(&a, &ours, UET_H_RUD_ROD_REQ_SYN, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(a.h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_syn_set(a.h, true);
    uet_rud_rod_req_ar_set(a.h, true);
    uet_rud_rod_req_retx_set(a.h, retx);
    uet_rud_rod_req_psn_offset_set(a.h, n);
    uet_rud_rod_req_psn_set(a.h, START_PSN + n);
    uet_rud_rod_req_clear_psn_offset_set(a.h, (int16_t)(-1 - n));
    uet_rud_rod_req_spdcid_set(a.h, spdcid);
    s = uet_build_ses(&a.b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_NO_OP);
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
    uet_ses_req_std_message_id_set(s, (uint16_t)(n + 1));
    give(f, &a, true, now);
}

static void request(struct fixture *f, uint16_t n, bool retx, uint64_t now)
{
    request_on(f, 0x0101, n, retx, now);
}

static struct made *ack(struct made *a, uint32_t cack, int16_t offset)
{
    begin(a, &theirs, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(a->h, cack);
    uet_ack_ack_psn_offset_set(a->h, offset);
    uet_ack_spdcid_set(a->h, 0x2001);
    uet_ack_dpdcid_set(a->h, 0x0101);
    return a;
}

static struct made *response(struct made *a, enum uet_ses_return_code code)
{
    uint8_t *s = uet_build_ses(&a->b, UET_H_SES_RSP);
    uet_ack_next_hdr_set(a->h, UET_NH_RESPONSE);
    uet_ses_rsp_opcode_set(s, code == UET_RC_OK ? UET_RSP_DEFAULT_RESPONSE : UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(s, (uint8_t)code);
    return a;
}

static struct made *nack(struct made *a, enum uet_pds_nack_code code, uint32_t psn)
{
    begin(a, &theirs, UET_H_NACK, UET_PDS_NACK);
    uet_nack_nack_code_set(a->h, (uint8_t)code);
    uet_nack_nack_psn_set(a->h, psn);
    uet_nack_dpdcid_set(a->h, 0x0101);
    return a;
}

static void check_event(struct fixture *f, size_t i, enum ping_event_kind kind, uint32_t seq)
{
    assert_true(i < f->n_events);
    assert_int_equal(f->events[i].kind, kind);
    assert_int_equal(f->events[i].seq, seq);
}

/* Each answer is that of its request; CACK_PSN answers what it covers. */
static void answers(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 100 * MS);
    request(f, 1, false, 101 * MS);
    assert_int_equal(ping_watch_due(&f->watch), 100 * MS + WAIT);
    deliver(f, response(ack(&a, 0xfffffffe, 0), UET_RC_OK), 103 * MS);
    assert_int_equal(f->n_events, 1);
    check_event(f, 0, PING_ACK, 1);
    assert_int_equal(f->events[0].psn, 0xfffffffe);
    assert_int_equal(f->events[0].rtt_ns, 3 * MS);
    assert_true(f->events[0].has_response);
    assert_int_equal(f->events[0].return_code, UET_RC_OK);
    request(f, 2, false, 104 * MS);
    deliver(f, response(ack(&a, 0, 0), UET_RC_OK), 105 * MS); /* covers both */
    assert_int_equal(f->n_events, 3);
    check_event(f, 1, PING_ACK, 3); /* the one it names */
    assert_int_equal(f->events[1].rtt_ns, 1 * MS);
    check_event(f, 2, PING_ACK, 2);
    assert_false(f->events[2].has_response);
    assert_false(ping_watch_waits(&f->watch));
    deliver(f, ack(&a, 0, 0), 106 * MS); /* a duplicate */
    assert_int_equal(f->n_events, 3);
    request(f, 2, true, 107 * MS); /* crossed the ACK: it is no new one */
    assert_int_equal(f->watch.seq, 3);
    assert_false(ping_watch_waits(&f->watch));
}

/* An ACK ahead of a gap, the gap told once, sent again, and filled. */
static void loses_one(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 0);
    deliver(f, response(ack(&a, 0xfffffffe, 0), UET_RC_OK), 1 * MS);
    request(f, 1, false, 10 * MS); /* lost */
    request(f, 2, false, 20 * MS);
    deliver(f, response(ack(&a, 0xfffffffe, 2), UET_RC_OK), 22 * MS);
    assert_int_equal(f->n_events, 2);
    check_event(f, 1, PING_ACK, 3);
    assert_int_equal(f->events[1].rtt_ns, 2 * MS);
    assert_int_equal(ping_watch_due(&f->watch), 10 * MS + WAIT);
    ping_watch_advance(&f->watch, 9 * MS + WAIT);
    assert_int_equal(f->n_events, 2);
    ping_watch_advance(&f->watch, 10 * MS + WAIT);
    check_event(f, 2, PING_NO_ANSWER, 2);
    request(f, 1, true, 11 * MS + WAIT);
    ping_watch_advance(&f->watch, 12 * MS + 2 * (uint64_t)WAIT);
    assert_int_equal(f->n_events, 3);
    uet_ack_retx_set(ack(&a, 0, -1)->h, true);
    deliver(f, &a, 3000 * (uint64_t)MS);
    check_event(f, 3, PING_LATE, 2);
    assert_int_equal(f->n_events, 4);
}

/* Sent twice, but retx=0 in the ACK: it answers the first copy (3.5.10.5). */
static void answers_the_first_copy(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 0);
    request(f, 0, true, 10 * MS);
    deliver(f, ack(&a, 0xfffffffe, 0), 11 * MS);
    check_event(f, 0, PING_ACK, 1);
    assert_int_equal(f->events[0].rtt_ns, 11 * MS);
}

static void refusals(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 0);
    deliver(f, nack(&a, UET_NACK_NO_PKT_BUFFER, 0xfffffffe), 1 * MS);
    check_event(f, 0, PING_NACK, 1);
    assert_int_equal(f->events[0].nack_code, UET_NACK_NO_PKT_BUFFER);
    deliver(f, nack(&a, UET_NACK_NO_PDC_AVAIL, 0xffffffff), 1 * MS); /* never sent */
    assert_int_equal(f->n_events, 1);
    deliver(f, response(ack(&a, 0xfffffffd, 1), UET_RC_BAD_JOB_ID), 2 * MS);
    check_event(f, 1, PING_ACK, 1);
    assert_int_equal(f->events[1].return_code, UET_RC_BAD_JOB_ID);
    assert_int_equal(f->events[1].rsp_opcode, UET_RSP_RESPONSE);
}

/* A NACK ends the PDC, and the request is sent again on another one: its answer comes late. */
static void another_pdc(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 0);
    deliver(f, nack(&a, UET_NACK_NO_PDC_AVAIL, 0xfffffffe), 1 * MS);
    check_event(f, 0, PING_NACK, 1);
    request_on(f, 0x0102, 0, false, 50 * MS);
    assert_int_equal(f->watch.seq, 1);
    uet_ack_dpdcid_set(response(ack(&a, 0xfffffffe, 0), UET_RC_OK)->h, 0x0102);
    deliver(f, &a, 51 * MS);
    check_event(f, 1, PING_LATE, 1);
    assert_int_equal(f->n_events, 2);
}

/* Packets of others, and what answers a Probe, answer no request. */
static void foreign_packets(void **state)
{
    struct fixture *f = *state;
    struct made a;
    struct uet_ip other = {4, {192, 0, 2, 3}};
    request(f, 0, false, 0);
    begin(&a, &other, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(a.h, 0xfffffffe);
    uet_ack_dpdcid_set(a.h, 0x0101);
    deliver(f, &a, 1 * MS); /* another address */
    uet_ack_dpdcid_set(ack(&a, 0xfffffffe, 0)->h, 0x0102);
    deliver(f, &a, 1 * MS); /* another PDC of ours */
    uet_ack_p_set(ack(&a, 0xfffffffd, 1)->h, true);
    deliver(f, &a, 1 * MS); /* the answer to a Probe */
    assert_int_equal(f->n_events, 0);
    deliver(f, ack(&a, 0xfffffffe, 0), 1 * MS);
    assert_int_equal(f->n_events, 1);
    request(f, 1, false, 3 * MS);
    uet_ack_spdcid_set(ack(&a, 0xffffffff, 0)->h, 0x2002);
    deliver(f, &a, 4 * MS); /* another PDC of theirs */
    assert_int_equal(f->n_events, 1);
}

/* A Close Command waits for its ACK. */
static void closes(void **state)
{
    struct fixture *f = *state;
    struct made a;
    request(f, 0, false, 0);
    deliver(f, ack(&a, 0xfffffffe, 0), 1 * MS);
    assert_false(ping_watch_unclosed(&f->watch));
    begin(&a, &ours, UET_H_CP, UET_PDS_CP);
    uet_cp_ctl_type_set(a.h, UET_CTL_CLOSE_COMMAND);
    uet_cp_ar_set(a.h, true);
    uet_cp_psn_set(a.h, 0xffffffff);
    uet_cp_spdcid_set(a.h, 0x0101);
    uet_cp_dpdcid_set(a.h, 0x2001);
    give(f, &a, true, 2 * MS);
    assert_true(ping_watch_unclosed(&f->watch));
    deliver(f, ack(&a, 0xffffffff, 0), 3 * MS);
    assert_false(ping_watch_unclosed(&f->watch));
    assert_int_equal(f->n_events, 1);
}

/* By name: what a CACK_PSN covers has arrived, but its own answer may still come, or be lost. */
static void named_answers_only(void **state)
{
    struct fixture *f = *state;
    struct made a;
    f->watch.by_name = true;
    request(f, 0, false, 0);
    request(f, 1, false, 1 * MS);
    request(f, 2, false, 2 * MS);
    deliver(f, response(ack(&a, 0, 0), UET_RC_OK), 3 * MS); /* names the third, covers all */
    assert_int_equal(f->n_events, 1);
    check_event(f, 0, PING_ACK, 3);
    assert_int_equal(f->events[0].entropy, 0x4242);
    deliver(f, response(ack(&a, 0, -1), UET_RC_OK), 7 * MS); /* on a slower way back */
    assert_int_equal(f->n_events, 2);
    check_event(f, 1, PING_ACK, 2);
    assert_int_equal(f->events[1].rtt_ns, 6 * MS);
    ping_watch_advance(&f->watch, WAIT);
    check_event(f, 2, PING_NO_ANSWER, 1);
    assert_true(f->events[2].arrived);
    deliver(f, response(ack(&a, 0, -2), UET_RC_OK), WAIT + 1 * MS);
    check_event(f, 3, PING_ACK, 1);
    assert_true(f->events[3].told && !f->events[1].told);
}

/* What answers an ACK Request is no answer to the request: SACK told that it had arrived. */
static void asked_about(void **state)
{
    struct fixture *f = *state;
    struct made a;
    f->watch.by_name = true;
    request(f, 0, false, 0);
    request(f, 1, false, 1 * MS); /* its answer is lost */
    deliver(f, response(ack(&a, 0xffffffff, -1), UET_RC_OK), 2 * MS);
    begin(&a, &ours, UET_H_CP, UET_PDS_CP);
    uet_cp_ctl_type_set(a.h, UET_CTL_ACK_REQUEST);
    uet_cp_psn_set(a.h, 0xffffffff);
    uet_cp_spdcid_set(a.h, 0x0101);
    uet_cp_dpdcid_set(a.h, 0x2001);
    give(f, &a, true, 300 * MS);
    deliver(f, response(ack(&a, 0xffffffff, 0), UET_RC_OK), 301 * MS);
    assert_int_equal(f->n_events, 2);
    check_event(f, 1, PING_LATE, 2);
    assert_true(f->events[1].arrived);
}

/* Of a request with two copies nobody knows which one a CACK_PSN means. */
static void which_copy_arrived(void **state)
{
    struct fixture *f = *state;
    struct made a;
    f->watch.by_name = true;
    request(f, 0, false, 0);
    request(f, 1, false, 1 * MS);
    request(f, 0, true, 2 * MS);
    deliver(f, response(ack(&a, 0xffffffff, 0), UET_RC_OK), 3 * MS);
    ping_watch_advance(&f->watch, WAIT);
    check_event(f, 1, PING_NO_ANSWER, 1);
    assert_false(f->events[1].arrived);
}

/* More than are remembered: the oldest is given up, and is not forgotten without a word. */
static void too_many_wait(void **state)
{
    struct fixture *f = *state;
    struct made a;
    f->watch.by_name = true;
    for (uint16_t n = 0; n < PING_REMEMBERED; n++)
        request(f, n, false, n);
    deliver(f, ack(&a, START_PSN + PING_REMEMBERED - 2, 1), 1 * MS);
    assert_int_equal(f->n_events, 1);
    request(f, PING_REMEMBERED, false, 2 * MS);
    check_event(f, 1, PING_NO_ANSWER, 1);
    assert_true(f->events[1].arrived);
}

/* Requests of another opcode than those that are timed; and which is new. */
static void other_requests(void **state)
{
    struct fixture *f = *state;
    struct made a;
    struct uet_packet p;
    f->watch.opcode = UET_OP_WRITE;
    request(f, 0, false, 0);
    assert_int_equal(f->watch.seq, 0);
    f->watch.opcode = UET_OP_NO_OP;
    request(f, 1, false, 0);
    assert_int_equal(f->watch.seq, 1);
    for (uint16_t id = 2; id < 4; id++) { /* message_id 2 is the one that was sent */
        begin(&a, &ours, UET_H_RUD_ROD_REQ, UET_PDS_RUD_REQ);
        uet_rud_rod_req_next_hdr_set(a.h, UET_NH_REQUEST_STD);
        uet_ses_req_std_message_id_set(uet_build_ses(&a.b, UET_H_SES_REQ_STD_SOM1), id);
        int len = uet_build_finish(&a.b, UET_PROTECT_NONE, NULL);
        assert_int_equal(uet_parse(&p, a.bytes, (size_t)len, NULL), UET_PARSE_OK);
        assert_int_equal(ping_watch_is_new(&f->watch, &p), id == 3);
    }
    uet_rud_rod_req_retx_set(a.h, true);
    assert_false(ping_watch_is_new(&f->watch, &p));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(answers),
        TEST(loses_one),
        TEST(answers_the_first_copy),
        TEST(refusals),
        TEST(another_pdc),
        TEST(foreign_packets),
        TEST(closes),
        TEST(named_answers_only),
        TEST(asked_about),
        TEST(which_copy_arrived),
        TEST(too_many_wait),
        TEST(other_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
