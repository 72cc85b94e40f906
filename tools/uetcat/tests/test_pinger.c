/* SPDX-License-Identifier: BSD-2-Clause */
/* The pinger against answers made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetcat/pinger.h"

static const struct uet_ip ours = {4, {192, 0, 2, 1}}, theirs = {4, {192, 0, 2, 2}};

/* SPDCID 0x0101, entropy 0x4242, Start_PSN 0xfffffffe: the second request wraps. */
#define RANDOM 0xfffffffe42420100

enum { MS = 1000000, TIMEOUT = 1000 * MS, EVENTS = 200 };

struct fixture {
    struct pinger pinger;
    struct pinger_event events[EVENTS];
    size_t n_events;
    uint8_t frame[256];
    size_t len;
    struct uet_packet sent; /* the last frame, parsed */
};

static void on_event(void *ctx, const struct pinger_event *e)
{
    struct fixture *f = ctx;
    assert_true(f->n_events < EVENTS);
    f->events[f->n_events++] = *e;
}

static int set_up(void **state)
{
    static struct fixture f;
    const struct pinger_config c = {
        .src = ours, .dst = theirs, .job_id = 9, .pid_on_fep = 3, .resource_index = 5};
    memset(&f, 0, sizeof f);
    pinger_init(&f.pinger, &c, on_event, &f);
    pinger_open(&f.pinger, RANDOM);
    *state = &f;
    return 0;
}

static void parse_sent(struct fixture *f, size_t len)
{
    f->len = len;
    assert_true(len > 0);
    assert_int_equal(uet_parse(&f->sent, f->frame, len, NULL), UET_PARSE_OK);
    assert_int_equal(uet_spdcid(&f->sent), 0x0101);
    assert_int_equal(uet_entropy(&f->sent), 0x4242);
}

static void request(struct fixture *f, uint64_t now)
{
    parse_sent(f, pinger_request(&f->pinger, now, TIMEOUT, f->frame, sizeof f->frame));
}

/* What the target sends: a header of 12 or 16 bytes, and a response when code >= 0. */
struct answer {
    struct uet_build b;
    uint8_t bytes[256];
    uint8_t *h;
};

static struct answer *begin(struct answer *a, const struct uet_ip *from, enum uet_header_id id,
                            enum uet_pds_type type)
{
    struct uet_route r = {.src = *from, .dst = ours, .entropy = 0x4242};
    uet_build_start(&a->b, a->bytes, sizeof a->bytes, &r);
    a->h = uet_build_pds(&a->b, id);
    uet_pds_prologue_type_set(a->h, (uint8_t)type);
    return a;
}

static void deliver(struct fixture *f, struct answer *a, uint64_t now)
{
    struct uet_packet p;
    int len = uet_build_finish(&a->b, UET_PROTECT_NONE, NULL);
    assert_int_equal(uet_parse(&p, a->bytes, (size_t)len, NULL), UET_PARSE_OK);
    pinger_receive(&f->pinger, &p, now);
}

static struct answer *ack(struct answer *a, uint32_t cack, int16_t offset)
{
    begin(a, &theirs, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(a->h, cack);
    uet_ack_ack_psn_offset_set(a->h, offset);
    uet_ack_spdcid_set(a->h, 0x2001);
    uet_ack_dpdcid_set(a->h, 0x0101);
    return a;
}

static struct answer *response(struct answer *a, enum uet_ses_return_code code)
{
    uint8_t *s = uet_build_ses(&a->b, UET_H_SES_RSP);
    uet_ack_next_hdr_set(a->h, UET_NH_RESPONSE);
    uet_ses_rsp_opcode_set(s, code == UET_RC_OK ? UET_RSP_DEFAULT_RESPONSE : UET_RSP_RESPONSE);
    uet_ses_rsp_return_code_set(s, (uint8_t)code);
    return a;
}

static struct answer *nack(struct answer *a, enum uet_pds_nack_code code, uint32_t psn)
{
    begin(a, &theirs, UET_H_NACK, UET_PDS_NACK);
    uet_nack_nack_code_set(a->h, (uint8_t)code);
    uet_nack_nack_psn_set(a->h, psn);
    uet_nack_dpdcid_set(a->h, 0x0101);
    return a;
}

static void check_event(struct fixture *f, size_t i, enum pinger_event_kind kind, uint32_t seq)
{
    assert_true(i < f->n_events);
    assert_int_equal(f->events[i].kind, kind);
    assert_int_equal(f->events[i].seq, seq);
}

/* The first request opens the PDC; the next ones use what its ACK taught. */
static void opens_learns_closes(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    request(f, 100 * MS);
    assert_int_equal(f->sent.pds, UET_H_RUD_ROD_REQ_SYN);
    assert_int_equal(uet_packet_psn(&f->sent), 0xfffffffe);
    assert_int_equal(uet_start_psn(&f->sent), 0xfffffffe);
    assert_int_equal(uet_clear_psn(&f->sent), 0xfffffffd);
    assert_int_equal(uet_rud_rod_req_ar(uet_pds(&f->sent)), 1);
    assert_int_equal(uet_rud_rod_req_retx(uet_pds(&f->sent)), 0);
    assert_int_equal(f->sent.ses, UET_H_SES_REQ_NO_OP);
    assert_int_equal(uet_ses_req_opcode(uet_ses(&f->sent)), UET_OP_NO_OP);
    assert_int_equal(uet_ses_req_eom(uet_ses(&f->sent)), 1);
    assert_int_equal(uet_ses_req_job_id(uet_ses(&f->sent)), 9);
    assert_int_equal(uet_ses_req_pid_on_fep(uet_ses(&f->sent)), 3);
    assert_int_equal(uet_ses_req_resource_index(uet_ses(&f->sent)), 5);
    assert_int_equal(uet_ses_message_id(&f->sent), 1);
    assert_int_equal(f->sent.payload_len, 0);

    request(f, 101 * MS); /* still no answer: syn again, with its offset */
    assert_int_equal(f->sent.pds, UET_H_RUD_ROD_REQ_SYN);
    assert_int_equal(uet_packet_psn(&f->sent), 0xffffffff);
    assert_int_equal(uet_start_psn(&f->sent), 0xfffffffe);
    assert_int_equal(uet_clear_psn(&f->sent), 0xfffffffd);

    deliver(f, response(ack(&a, 0xfffffffe, 0), UET_RC_OK), 103 * MS);
    assert_int_equal(f->n_events, 1);
    check_event(f, 0, PINGER_ACK, 1);
    assert_int_equal(f->events[0].rtt_ns, 3 * MS);
    assert_true(f->events[0].has_response);
    assert_int_equal(f->events[0].return_code, UET_RC_OK);
    assert_false(pinger_idle(&f->pinger));

    request(f, 104 * MS);
    assert_int_equal(f->sent.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(uet_packet_psn(&f->sent), 0);
    assert_int_equal(uet_dpdcid(&f->sent), 0x2001);
    assert_int_equal(uet_clear_psn(&f->sent), 0xfffffffe);

    assert_int_equal(pinger_close(&f->pinger, f->frame, sizeof f->frame), 0); /* not yet */
    deliver(f, response(ack(&a, 0, 0), UET_RC_OK), 105 * MS);                 /* covers both */
    assert_int_equal(f->n_events, 3);
    check_event(f, 1, PINGER_ACK, 3); /* the one it names */
    check_event(f, 2, PINGER_ACK, 2);
    assert_false(f->events[2].has_response);
    assert_true(pinger_idle(&f->pinger));

    parse_sent(f, pinger_close(&f->pinger, f->frame, sizeof f->frame));
    assert_int_equal(uet_cp_ctl_type(uet_pds(&f->sent)), UET_CTL_CLOSE_COMMAND);
    assert_int_equal(uet_packet_psn(&f->sent), 1);
    assert_int_equal(uet_cp_ar(uet_pds(&f->sent)), 1);
    assert_int_equal(uet_cp_retx(uet_pds(&f->sent)), 0);
    assert_int_equal(uet_dpdcid(&f->sent), 0x2001);
    parse_sent(f, pinger_close(&f->pinger, f->frame, sizeof f->frame));
    assert_int_equal(uet_cp_retx(uet_pds(&f->sent)), 1);
    assert_int_equal(uet_packet_psn(&f->sent), 1);
    assert_false(f->pinger.closed);
    assert_false(pinger_ready(&f->pinger));
    deliver(f, ack(&a, 1, 0), 106 * MS);
    assert_true(f->pinger.closed);
    assert_int_equal(f->n_events, 3);
}

/* An ACK ahead of a gap, the gap told, sent again, and filled. */
static void loses_one(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    request(f, 0);
    deliver(f, response(ack(&a, 0xfffffffe, 0), UET_RC_OK), 1 * MS);
    request(f, 10 * MS); /* seq 2, psn 0xffffffff: lost */
    request(f, 20 * MS); /* seq 3, psn 0 */
    deliver(f, response(ack(&a, 0xfffffffe, 2), UET_RC_OK), 22 * MS);
    assert_int_equal(f->n_events, 2);
    check_event(f, 1, PINGER_ACK, 3);
    assert_int_equal(f->events[1].rtt_ns, 2 * MS);
    assert_int_equal(pinger_due(&f->pinger), 10 * MS + TIMEOUT);
    assert_int_equal(
        pinger_resend(&f->pinger, 9 * MS + TIMEOUT, TIMEOUT, f->frame, sizeof f->frame), 0);
    parse_sent(f, pinger_resend(&f->pinger, 10 * MS + TIMEOUT, TIMEOUT, f->frame, sizeof f->frame));
    check_event(f, 2, PINGER_NO_ANSWER, 2);
    assert_int_equal(uet_packet_psn(&f->sent), 0xffffffff);
    assert_int_equal(uet_rud_rod_req_retx(uet_pds(&f->sent)), 1);
    assert_int_equal(uet_ses_message_id(&f->sent), 2);
    /* told once, sent again each time */
    parse_sent(f, pinger_resend(&f->pinger, 10 * MS + 2 * (uint64_t)TIMEOUT, TIMEOUT, f->frame,
                                sizeof f->frame));
    assert_int_equal(f->n_events, 3);
    uet_ack_retx_set(ack(&a, 0, -1)->h, true);
    deliver(f, &a, 3000 * (uint64_t)MS);
    check_event(f, 3, PINGER_LATE, 2);
    assert_int_equal(f->n_events, 4);
    assert_true(pinger_idle(&f->pinger));
    assert_int_equal(pinger_due(&f->pinger), UINT64_MAX);
}

static void ses_error(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    request(f, 0);
    deliver(f, response(ack(&a, 0xfffffffd, 1), UET_RC_BAD_JOB_ID), 1 * MS);
    check_event(f, 0, PINGER_ACK, 1);
    assert_int_equal(f->events[0].return_code, UET_RC_BAD_JOB_ID);
    assert_int_equal(f->events[0].rsp_opcode, UET_RSP_RESPONSE);
    /* its guaranteed response is cleared by the next request */
    request(f, 2 * MS);
    assert_int_equal(uet_clear_psn(&f->sent), 0xfffffffe);
    assert_int_equal(pinger_reply(&f->pinger, f->frame, sizeof f->frame), 0);
    /* or by a Clear Command when the target asks */
    uet_ack_req_set(response(ack(&a, 0xfffffffe, 1), UET_RC_BAD_JOB_ID)->h, UET_ACK_REQ_CLEAR);
    deliver(f, &a, 3 * MS);
    parse_sent(f, pinger_reply(&f->pinger, f->frame, sizeof f->frame));
    assert_int_equal(uet_cp_ctl_type(uet_pds(&f->sent)), UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_psn(uet_pds(&f->sent)), 0);
    assert_int_equal(uet_cp_ar(uet_pds(&f->sent)), 0);
    assert_int_equal(uet_cp_payload_value(uet_pds(&f->sent)), 0xffffffff);
    assert_int_equal(pinger_reply(&f->pinger, f->frame, sizeof f->frame), 0);
}

/* RETX keeps the PDC; RETRY and FAIL end it (Table 3-58). */
static void nacks(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    request(f, 0);
    deliver(f, nack(&a, UET_NACK_NO_PKT_BUFFER, 0xfffffffe), 1 * MS);
    check_event(f, 0, PINGER_NACK, 1);
    assert_int_equal(f->events[0].nack_code, UET_NACK_NO_PKT_BUFFER);
    assert_true(pinger_ready(&f->pinger));
    deliver(f, nack(&a, UET_NACK_NO_PDC_AVAIL, 0xffffffff), 1 * MS); /* never sent: ignored */
    assert_int_equal(f->n_events, 1);
    assert_true(pinger_ready(&f->pinger));
    deliver(f, nack(&a, UET_NACK_NO_PDC_AVAIL, 0xfffffffe), 2 * MS);
    check_event(f, 1, PINGER_NACK, 1);
    assert_false(pinger_ready(&f->pinger));
    assert_int_equal(pinger_close(&f->pinger, f->frame, sizeof f->frame), 0);
    assert_int_equal(pinger_request(&f->pinger, 0, 1, f->frame, sizeof f->frame), 0);
    /* the next PDC goes on counting */
    pinger_open(&f->pinger, RANDOM);
    request(f, 3 * MS);
    assert_int_equal(uet_ses_message_id(&f->sent), 2);
}

/* Packets of others change nothing. */
static void foreign_packets(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    struct uet_ip other = {4, {192, 0, 2, 3}};
    request(f, 0);
    begin(&a, &other, UET_H_ACK, UET_PDS_ACK);
    uet_ack_cack_psn_set(a.h, 0xfffffffe);
    uet_ack_dpdcid_set(a.h, 0x0101);
    deliver(f, &a, 1 * MS); /* another address */
    uet_ack_dpdcid_set(ack(&a, 0xfffffffe, 0)->h, 0x0102);
    deliver(f, &a, 1 * MS); /* another PDC of ours */
    uet_ack_p_set(ack(&a, 0xfffffffe, 0)->h, true);
    deliver(f, &a, 1 * MS); /* the answer to a Probe */
    assert_int_equal(f->n_events, 0);
    deliver(f, ack(&a, 0xfffffffe, 0), 1 * MS);
    assert_int_equal(f->n_events, 1);
    deliver(f, ack(&a, 0xfffffffe, 0), 2 * MS); /* a duplicate */
    assert_int_equal(f->n_events, 1);
    request(f, 3 * MS);
    uet_ack_spdcid_set(ack(&a, 0xffffffff, 0)->h, 0x2002);
    deliver(f, &a, 4 * MS); /* another PDC of theirs */
    assert_int_equal(f->n_events, 1);
    deliver(f, ack(&a, 0x7ffffff0, 0), 4 * MS); /* far ahead: no more than was sent */
    check_event(f, 1, PINGER_ACK, 2);
    assert_int_equal(f->n_events, 2);
}

/* A target that wants to close: its Control Packet gets an ACK, the PDC takes no more requests. */
static void close_request(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    request(f, 0);
    deliver(f, ack(&a, 0xfffffffe, 0), 1 * MS);
    begin(&a, &theirs, UET_H_CP, UET_PDS_CP);
    uet_cp_ctl_type_set(a.h, UET_CTL_CLOSE_REQUEST);
    uet_cp_ar_set(a.h, true);
    uet_cp_psn_set(a.h, 0xfffffffe); /* the first of the return direction */
    uet_cp_spdcid_set(a.h, 0x2001);
    uet_cp_dpdcid_set(a.h, 0x0101);
    deliver(f, &a, 2 * MS);
    parse_sent(f, pinger_reply(&f->pinger, f->frame, sizeof f->frame));
    assert_int_equal(f->sent.pds, UET_H_ACK);
    assert_int_equal(uet_ack_cack_psn(uet_pds(&f->sent)), 0xfffffffe);
    assert_int_equal(uet_packet_psn(&f->sent), 0xfffffffe);
    assert_int_equal(uet_ack_req(uet_pds(&f->sent)), UET_ACK_NO_REQUEST);
    assert_int_equal(uet_dpdcid(&f->sent), 0x2001);
    assert_false(pinger_ready(&f->pinger));
    parse_sent(f, pinger_close(&f->pinger, f->frame, sizeof f->frame));
}

/* Never more outstanding than the smallest window; all of them acknowledged at once. */
static void window(void **state)
{
    struct fixture *f = *state;
    struct answer a;
    for (unsigned i = 0; i < PINGER_WINDOW; i++)
        request(f, i);
    assert_int_equal(pinger_request(&f->pinger, 0, 1, f->frame, sizeof f->frame), 0);
    deliver(f, ack(&a, 0xfffffffe + PINGER_WINDOW - 1, 0), 1 * MS);
    assert_int_equal(f->n_events, PINGER_WINDOW);
    assert_true(pinger_idle(&f->pinger));
    request(f, 2 * MS);
    assert_int_equal(f->sent.pds, UET_H_RUD_ROD_REQ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(opens_learns_closes, set_up),
        cmocka_unit_test_setup(loses_one, set_up),
        cmocka_unit_test_setup(ses_error, set_up),
        cmocka_unit_test_setup(nacks, set_up),
        cmocka_unit_test_setup(foreign_packets, set_up),
        cmocka_unit_test_setup(close_request, set_up),
        cmocka_unit_test_setup(window, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
