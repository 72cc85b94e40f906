/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader against answers made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetcat/reader.h"

static const struct uet_ip ours = {4, {192, 0, 2, 1}}, theirs = {4, {192, 0, 2, 2}};

/* SPDCID 0x0101, entropy 0x4242, Start_PSN 0xfffffffe: the third request has PSN 0. */
#define RANDOM 0xfffffffe42420100
#define S      0xfffffffeu
#define TPDCID 0x0777

enum { MS = 1000000, MTU = 1024 };

struct fixture {
    struct reader r;
    uint8_t into[40 * MTU];
    uint8_t frame[256];
    struct uet_packet sent; /* the last frame, parsed */
};

static void begin(struct fixture *f, uint32_t length)
{
    const struct reader_config c = {.src = ours,
                                    .dst = theirs,
                                    .job_id = 9,
                                    .pid_on_fep = 3,
                                    .resource_index = 5,
                                    .key = 0x1001,
                                    .offset = 0x123,
                                    .length = length,
                                    .payload_mtu = MTU,
                                    .wait_ns = 10 * MS,
                                    .tries = 3};
    memset(f, 0, sizeof *f);
    reader_init(&f->r, &c, f->into, RANDOM, 0);
}

static bool send_at(struct fixture *f, uint64_t now)
{
    size_t n = reader_send(&f->r, now, f->frame, sizeof f->frame);
    if (n == 0)
        return false;
    assert_int_equal(uet_parse(&f->sent, f->frame, n, NULL), UET_PARSE_OK);
    assert_int_equal(uet_spdcid(&f->sent), 0x0101);
    assert_int_equal(uet_entropy(&f->sent), 0x4242);
    return true;
}

/* A request for this part of the message (SES-071, SES-072). */
static void expect_read(struct fixture *f, uint64_t now, uint32_t i, bool retx)
{
    assert_true(send_at(f, now));
    const uint8_t *h = uet_pds(&f->sent), *s = uet_ses(&f->sent);
    assert_true(uet_is_request(&f->sent));
    assert_int_equal(uet_rud_rod_req_psn(h), S + i);
    assert_int_equal(uet_rud_rod_req_retx(h), retx);
    assert_int_equal(uet_ses_req_opcode(s), UET_OP_READ);
    assert_int_equal(uet_ses_message_offset(&f->sent), i * MTU);
    assert_int_equal(uet_ses_buffer_offset(&f->sent), 0x123);
    assert_int_equal(f->sent.payload_len, 0);
}

/* ---- what the target sends ---- */

struct answer {
    bool request, retx; /* on the return direction; else an ACK */
    uint32_t cack, psn;
    uint8_t req, code; /* code: of a response without data */
    uint32_t length;   /* of data */
    uint32_t offset, total;
    uint16_t message_id; /* 0: 1 */
    uint8_t fill;
};

static void put_data(struct uet_build *b, const struct answer *a)
{
    uint8_t payload[MTU];
    uint8_t *s = uet_build_ses(b, UET_H_SES_RSP_DATA);
    uet_ses_rsp_opcode_set(s, UET_RSP_RESPONSE_W_DATA);
    uet_ses_rsp_return_code_set(s, UET_RC_OK);
    uet_ses_rsp_job_id_set(s, 9);
    uet_ses_rsp_data_read_request_message_id_set(s, a->message_id ? a->message_id : 1);
    uet_ses_rsp_data_payload_length_set(s, (uint16_t)a->length);
    uet_ses_rsp_data_message_offset_set(s, a->offset);
    uet_ses_rsp_data_modified_length_set(s, a->total);
    memset(payload, a->fill, sizeof payload);
    uet_build_payload(b, payload, a->length);
}

static void give(struct fixture *f, struct uet_build *b)
{
    struct uet_packet p;
    int n = uet_build_finish(b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    assert_int_equal(uet_parse(&p, b->frame, (size_t)n, NULL), UET_PARSE_OK);
    reader_receive(&f->r, &p, 1 * MS);
}

static void answer(struct fixture *f, const struct answer *a)
{
    const struct uet_route route = {.src = theirs, .dst = ours, .entropy = 1};
    uint8_t bytes[2 * MTU];
    struct uet_build b;
    uet_build_start(&b, bytes, sizeof bytes, &route);
    uint8_t *h = uet_build_pds(&b, a->request ? UET_H_RUD_ROD_REQ : UET_H_ACK);
    uint8_t next = a->length ? UET_NH_RESPONSE_DATA : UET_NH_RESPONSE;
    if (a->request) {
        uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
        uet_rud_rod_req_next_hdr_set(h, next);
        uet_rud_rod_req_retx_set(h, a->retx);
        uet_rud_rod_req_psn_set(h, a->psn);
        uet_rud_rod_req_spdcid_set(h, TPDCID);
        uet_rud_rod_req_dpdcid_set(h, 0x0101);
    } else {
        uet_ack_type_set(h, UET_PDS_ACK);
        uet_ack_next_hdr_set(h, next);
        uet_ack_req_set(h, a->req);
        uet_ack_cack_psn_set(h, a->cack);
        uet_ack_ack_psn_offset_set(h, (int16_t)(a->psn - a->cack));
        uet_ack_spdcid_set(h, TPDCID);
        uet_ack_dpdcid_set(h, 0x0101);
    }
    if (a->length) {
        put_data(&b, a);
    } else {
        uint8_t *s = uet_build_ses(&b, UET_H_SES_RSP);
        uet_ses_rsp_opcode_set(s, a->code ? UET_RSP_RESPONSE : UET_RSP_DEFAULT_RESPONSE);
        uet_ses_rsp_return_code_set(s, a->code ? a->code : UET_RC_OK);
    }
    give(f, &b);
}
#define ANSWER(...) answer(&f, &(struct answer){__VA_ARGS__})

static void nack(struct fixture *f, uint8_t code, uint32_t psn)
{
    const struct uet_route route = {.src = theirs, .dst = ours, .entropy = 1};
    uint8_t bytes[256];
    struct uet_build b;
    uet_build_start(&b, bytes, sizeof bytes, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, code);
    uet_nack_nack_psn_set(h, psn);
    uet_nack_spdcid_set(h, TPDCID);
    uet_nack_dpdcid_set(h, 0x0101);
    give(f, &b);
}

/* The ACK of a return Request. */
static void expect_ack(struct fixture *f, uint32_t psn, uint32_t cack)
{
    assert_true(send_at(f, 1 * MS));
    assert_true(uet_is_ack(&f->sent));
    assert_int_equal(uet_packet_psn(&f->sent), psn);
    assert_int_equal(uet_ack_cack_psn(uet_pds(&f->sent)), cack);
    assert_int_equal(uet_dpdcid(&f->sent), TPDCID);
}

/* ---- */

static void data_in_the_ack(void **state)
{
    static struct fixture f;
    (void)state;
    begin(&f, 8);
    expect_read(&f, 0, 0, false);
    assert_int_equal(f.sent.pds, UET_H_RUD_ROD_REQ_SYN);
    assert_false(send_at(&f, 0));
    ANSWER(.psn = S, .cack = S - 1, .length = 8, .total = 9, .fill = 7); /* of another length */
    assert_int_equal(f.r.state, READER_BUSY);
    ANSWER(.psn = S, .cack = S - 1, .length = 8, .total = 8, .fill = 7, .req = UET_ACK_REQ_CLEAR);
    assert_int_equal(f.r.state, READER_DONE);
    assert_memory_equal(f.into, "\7\7\7\7\7\7\7\7\0", 9);
    assert_true(send_at(&f, 1 * MS));
    assert_int_equal(uet_cp_ctl_type(uet_pds(&f.sent)), UET_CTL_CLEAR_COMMAND);
    assert_int_equal(uet_cp_payload_value(uet_pds(&f.sent)), S);
    assert_true(reader_close(&f.r, f.frame, sizeof f.frame) > 0);
    ANSWER(.psn = S + 1, .cack = S + 1);
    assert_true(f.r.closed);
    assert_int_equal(reader_close(&f.r, f.frame, sizeof f.frame), 0);
}

static void data_in_requests(void **state)
{
    static struct fixture f;
    const uint32_t total = 2 * MTU + 3;
    (void)state;
    begin(&f, total);
    for (uint32_t i = 0; i < 3; i++)
        expect_read(&f, 0, i, false);
    ANSWER(.psn = S + 2, .cack = S + 2);
    assert_int_equal(f.r.state, READER_BUSY); /* asked for and acknowledged, but not here */
    assert_int_equal(reader_close(&f.r, f.frame, sizeof f.frame), 0);
    ANSWER(.request = true, .psn = S + 1, .length = 3, .offset = 2 * MTU, .total = total,
           .fill = 3);
    expect_ack(&f, S + 1, S - 1);
    ANSWER(.request = true, .psn = S + 2, .length = MTU - 1, .offset = MTU, .total = total);
    expect_ack(&f, S + 2, S - 1); /* not what was asked for: acknowledged, and no more */
    ANSWER(.request = true, .psn = S + 3, .length = MTU, .offset = MTU, .total = total,
           .message_id = 2, .fill = 9);
    expect_ack(&f, S + 3, S - 1);
    ANSWER(.request = true, .psn = S, .length = MTU, .offset = 0, .total = total, .fill = 1);
    expect_ack(&f, S, S + 3);
    ANSWER(.request = true, .psn = S, .retx = true, .length = MTU, .total = total, .fill = 8);
    expect_ack(&f, S, S + 3); /* a copy */
    assert_int_equal(f.r.state, READER_BUSY);
    ANSWER(.request = true, .psn = S + 4, .length = MTU, .offset = MTU, .total = total, .fill = 2);
    expect_ack(&f, S + 4, S + 4);
    assert_int_equal(f.r.state, READER_DONE);
    for (uint32_t i = 0; i <= total; i++)
        assert_int_equal(f.into[i], i == total ? 0 : 1 + i / MTU);
}

static void asks_in_a_window(void **state)
{
    static struct fixture f;
    const uint32_t total = 34 * MTU;
    (void)state;
    begin(&f, total);
    for (uint32_t i = 0; i < READER_WINDOW; i++)
        expect_read(&f, 0, i, false);
    assert_false(send_at(&f, 0));
    ANSWER(.psn = S, .cack = S);
    assert_false(send_at(&f, 0));
    ANSWER(.request = true, .psn = S, .length = MTU, .total = total);
    expect_ack(&f, S, S);
    expect_read(&f, 1 * MS, READER_WINDOW, false);
    assert_false(send_at(&f, 1 * MS));
}

static void asks_again(void **state)
{
    static struct fixture f;
    (void)state;
    begin(&f, 2 * MTU);
    expect_read(&f, 0, 0, false);
    expect_read(&f, 0, 1, false);
    ANSWER(.psn = S + 1, .cack = S - 1);
    assert_int_equal(reader_due(&f.r), 10 * MS);
    expect_read(&f, 10 * MS, 0, true);
    assert_false(send_at(&f, 10 * MS));
    nack(&f, UET_NACK_NO_RESOURCE, S); /* soon, not at once */
    assert_false(send_at(&f, 1 * MS));
    expect_read(&f, 2 * MS, 0, true);
    assert_false(send_at(&f, 12 * MS)); /* three times were enough */
    assert_int_equal(f.r.state, READER_SILENT);
}

static void is_refused(void **state)
{
    static struct fixture f;
    (void)state;
    begin(&f, 2 * MTU);
    expect_read(&f, 0, 0, false);
    expect_read(&f, 0, 1, false);
    ANSWER(.psn = S, .cack = S - 1, .code = UET_RC_BAD_ADDR);
    ANSWER(.psn = S + 1, .cack = S - 1, .code = UET_RC_OP_VIOLATION);
    assert_int_equal(f.r.state, READER_REFUSED);
    assert_int_equal(f.r.return_code, UET_RC_BAD_ADDR); /* the first counts */
    assert_true(reader_close(&f.r, f.frame, sizeof f.frame) > 0);
    begin(&f, 8);
    expect_read(&f, 0, 0, false);
    nack(&f, UET_NACK_NO_PDC_AVAIL, S + 1); /* of no request */
    assert_int_equal(f.r.state, READER_BUSY);
    nack(&f, UET_NACK_NO_PDC_AVAIL, S);
    assert_int_equal(f.r.state, READER_NACKED);
    assert_int_equal(f.r.nack_code, UET_NACK_NO_PDC_AVAIL);
}

static void brings_no_data(void **state)
{
    static struct fixture f;
    (void)state;
    begin(&f, 8);
    expect_read(&f, 0, 0, false);
    ANSWER(.psn = S, .cack = S);
    assert_int_equal(reader_due(&f.r), 31 * MS);
    assert_false(send_at(&f, 31 * MS));
    assert_int_equal(f.r.state, READER_SILENT);
    begin(&f, 0);
    expect_read(&f, 0, 0, false);
    ANSWER(.psn = S, .cack = S);
    assert_int_equal(f.r.state, READER_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_in_the_ack),  cmocka_unit_test(data_in_requests),
        cmocka_unit_test(asks_in_a_window), cmocka_unit_test(asks_again),
        cmocka_unit_test(is_refused),       cmocka_unit_test(brings_no_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
