/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads that a peer asks for: data in the ACK up to Max_ACK_Data_Size, else on the return direction
 * of the PDC (3.5.12.1, 3.4.4.2). The peer is written by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define S        0x14bu /* 331: Figure 3-81 counts from 333 */
#define REQ(...) request(&t, &(struct req){.no_syn = true, __VA_ARGS__})
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK
#define READ     .opcode = UET_OP_READ, .message_id = 88

/* Byte i of the region is i mod 251. */
static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    for (size_t i = 0; i < sizeof t->region; i++)
        t->region[i] = (uint8_t)(i % 251);
    open_pdc(t, S);
}

static void expect_bytes(const struct peer *t, uint32_t from, uint32_t length)
{
    assert_int_equal(t->p.payload_len, length);
    assert_memory_equal(t->bytes + t->p.payload_offset, t->region + from, length);
}

/* An ACK without data; its return code. */
static const uint8_t *expect_ack(struct peer *t, uint32_t psn, uint32_t cack)
{
    const uint8_t *h = take(t);
    if (!uet_is_ack(&t->p))
        fail_msg("%s instead of an ACK", uet_headers[t->p.pds].name);
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(CACK(h), cack);
    return h;
}

/* A Request on the return direction with data of the READ 88 (Table 3-12). */
static const uint8_t *expect_data(struct peer *t, uint32_t psn, bool retx, uint32_t offset,
                                  uint32_t length, uint32_t total)
{
    const uint8_t *h = expect_request(t, psn, retx);
    const uint8_t *s = uet_ses(&t->p);
    assert_int_equal(uet_rud_rod_req_next_hdr(h), UET_NH_RESPONSE_DATA);
    assert_int_equal(uet_rud_rod_req_dpdcid(h), t->spdcid);
    assert_int_equal(uet_ses_rsp_opcode(s), UET_RSP_RESPONSE_W_DATA);
    assert_int_equal(uet_ses_rsp_return_code(s), UET_RC_OK);
    assert_int_equal(uet_ses_rsp_list(s), UET_LIST_EXPECTED);
    assert_int_equal(uet_ses_rsp_job_id(s), JOB);
    assert_int_equal(uet_ses_rsp_data_response_message_id(s), 0);
    assert_int_equal(uet_ses_rsp_data_read_request_message_id(s), 88); /* SES-077 */
    assert_int_equal(uet_ses_rsp_data_message_offset(s), offset);      /* SES-078 */
    assert_int_equal(uet_ses_rsp_data_payload_length(s), length);
    assert_int_equal(uet_ses_rsp_data_modified_length(s), total); /* SES-079 */
    return h;
}

/* PDS-118, SES-074: 8 bytes in the ACK, with guaranteed delivery. */
static void test_in_the_ack(void **state)
{
    /* 3.4.2.5, Table 3-12: list 0, opcode 2; version 0, RC_OK; response_message_id 0; JobID;
       message_id 88; 8 bytes; modified_length 8; message_offset 0. */
    static const uint8_t bytes[] = {0x02, 0x01, 0x00, 0x00, 0x00, 0x56, 0x78, 0x9a, 0x00, 0x58,
                                    0x00, 0x08, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00,
                                    0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b};
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .length = 8, .offset = 100);
    const uint8_t *h = expect_ack(&t, S + 1, S); /* CACK waits for the clear (PDS-077) */
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE_DATA);
    assert_int_equal(uet_ack_req(h), UET_ACK_REQ_CLEAR);
    assert_int_equal(t.p.ip_end - t.p.ses_offset, sizeof bytes);
    assert_memory_equal(uet_ses(&t.p), bytes, sizeof bytes);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "tx_ack_data"), 1);
    /* Sent again it is what was kept, whatever the memory holds by then (SES-117). */
    t.region[100] = 0xee;
    REQ(.psn = S + 1, READ, .length = 8, .offset = 100, .retx = true);
    h = expect_ack(&t, S + 1, S);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE_DATA);
    assert_memory_equal(uet_ses(&t.p), bytes, sizeof bytes);
    /* An ACK Request gets no data, but is told to send the Request again (PDS-192). */
    CP(.ctl = UET_CTL_ACK_REQUEST, .psn = S + 1, .ar = true);
    h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), 0x14);
    assert_int_equal(uet_nack_nack_psn(h), S + 1);
    /* Cleared, the slot is free and CACK goes on. */
    CP(.ctl = UET_CTL_CLEAR_COMMAND, .payload = S + 1);
    CP(.ctl = UET_CTL_ACK_REQUEST, .psn = S + 1, .ar = true);
    h = expect_ack(&t, S + 1, S + 1);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_DEFAULT_RESPONSE);
    peer_free(&t);
}

/* What was cleared before its ACK has left is not sent, nor are the bytes of whom took its place.
 */
static void test_cleared_before_sent(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .length = 8, .offset = 100);
    CP(.ctl = UET_CTL_CLEAR_COMMAND, .payload = S + 1);
    REQ(.psn = S + 2, READ, .length = 8, .offset = 200);
    const uint8_t *h = expect_ack(&t, S + 2, S + 1);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE_DATA);
    expect_bytes(&t, 200, 8);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_reply_cleared"), 1);
    peer_free(&t);
}

/* PDS-013, 028, 057, 119, 120: 4097 bytes go back in two Requests from Start_PSN on. */
static void test_return_direction(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 2, READ, .not_som = true, .length = MTU + 1, .message_offset = MTU,
        .payload_length = 1, .ar = true); /* in any order (SES-073) */
    const uint8_t *h = expect_ack(&t, S + 2, S);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE);
    assert_int_equal(uet_ack_req(h), UET_ACK_NO_REQUEST);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_DEFAULT_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_OK);
    h = expect_data(&t, S, false, MTU, 1, MTU + 1); /* the small last part, too */
    expect_bytes(&t, MTU, 1);
    assert_int_equal(uet_rud_rod_req_clear_psn_offset(h), -1);
    REQ(.psn = S + 1, READ, .not_eom = true, .length = MTU + 1, .ar = true);
    expect_ack(&t, S + 1, S + 2);
    h = expect_data(&t, S + 1, false, 0, MTU, MTU + 1);
    expect_bytes(&t, 0, MTU);
    assert_int_equal(uet_rud_rod_req_clear_psn_offset(h), -2);
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "tx_return_request"), 2);
    /* A copy of a request is acknowledged and brings no other data. */
    REQ(.psn = S + 1, READ, .not_eom = true, .length = MTU + 1, .retx = true);
    expect_ack(&t, S + 1, S + 2);
    take_nothing(&t);
    /* Unacknowledged data comes again (3.5.15), and not after its ACK. */
    ACK(.cack = S - 1, .psn = S + 1, OK_RSP);
    advance(&t, 5 * MS);
    expect_data(&t, S, true, MTU, 1, MTU + 1);
    take_nothing(&t);
    ACK(.cack = S + 1, .psn = S, OK_RSP);
    advance(&t, 1000 * MS);
    take_nothing(&t);
    peer_free(&t);
}

/* SES-081: small and medium headers are answered by the PSN of their request. */
static void test_short_headers(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, .opcode = UET_OP_READ, .header = UET_OP_HEADER_MEDIUM, .length = 9);
    const uint8_t *h = expect_ack(&t, S + 1, S);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE_DATA_SMALL);
    assert_int_equal(uet_ses_rsp_data_small_original_request_psn(uet_ses(&t.p)), S + 1);
    assert_int_equal(uet_ses_rsp_data_small_payload_length(uet_ses(&t.p)), 9);
    expect_bytes(&t, 0, 9);
    REQ(.psn = S + 2, .opcode = UET_OP_READ, .header = UET_OP_HEADER_MEDIUM, .length = 17,
        .ar = true);
    expect_ack(&t, S + 2, S);
    h = expect_request(&t, S, false);
    assert_int_equal(uet_rud_rod_req_next_hdr(h), UET_NH_RESPONSE_DATA_SMALL);
    assert_int_equal(uet_ses_rsp_data_small_original_request_psn(uet_ses(&t.p)), S + 2);
    expect_bytes(&t, 0, 17);
    peer_free(&t);
}

static void expect_code(struct peer *t, uint32_t psn, uint8_t code)
{
    const uint8_t *h = take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), psn);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t->p)), UET_RSP_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), code);
    assert_int_equal(uet_ack_req(h), UET_ACK_REQ_CLEAR);
    take_nothing(t);
}

/* SES-083, 084: what is refused brings an error with guaranteed delivery, and no data. */
static void test_refused(void **state)
{
    uint8_t secret[64] = {0};
    const struct uet_region closed = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .key = 0x99,
                                      .rights = UET_RIGHT_WRITE,
                                      .base = secret,
                                      .length = sizeof secret};
    struct peer t;
    uint32_t psn = S;
    (void)state;
    begin(&t, NULL);
    assert_true(uet_fep_region_add(t.fep, &closed) >= 0);
    REQ(.psn = ++psn, READ, .length = 8, .key = 0x99);
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    REQ(.psn = psn, READ, .length = 8, .key = 0x99, .retx = true);
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    REQ(.psn = ++psn, READ, .length = 8, .key = 0x98);
    expect_code(&t, psn, UET_RC_BAD_MKEY);
    REQ(.psn = ++psn, READ, .length = 8, .offset = sizeof t.region - 7);
    expect_code(&t, psn, UET_RC_BAD_ADDR);
    REQ(.psn = ++psn, READ, .length = 8, .ri = 77);
    expect_code(&t, psn, UET_RC_BAD_INDEX);
    REQ(.psn = ++psn, READ, .length = MTU + 1); /* som and eom, but more than one packet */
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    REQ(.psn = ++psn, READ, .length = 3 * MTU, .not_som = true, .not_eom = true,
        .payload_length = MTU + 1, .message_offset = MTU); /* more than a Payload MTU (SES-071) */
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    REQ(.psn = ++psn, READ, .length = 8, .payload = 8); /* a READ has no payload (SES-072) */
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    REQ(.psn = ++psn, READ, .length = 2 * MTU, .not_som = true, .payload_length = MTU,
        .message_offset = MTU + 1); /* beyond request_length */
    expect_code(&t, psn, UET_RC_OP_VIOLATION);
    assert_int_equal(counter(t.fep, "tx_return_request"), 0);
    peer_free(&t);
}

/* Nothing to read is all read: an ACK, no data. */
static void test_no_bytes(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .ar = true);
    const uint8_t *h = expect_ack(&t, S + 1, S + 1);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_RESPONSE);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_OK);
    take_nothing(&t);
    peer_free(&t);
}

/* PDS-127: data beyond Trimmable_ACK_Size goes with a trimmable DSCP. */
static void trimmable(struct uet_fep_config *c)
{
    c->dscp_request = 10;
    c->dscp_control = 20;
    c->params.Max_ACK_Data_Size = 8192;
    c->params.Trimmable_ACK_Size = 32;
}

static void test_trimmable(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, trimmable);
    REQ(.psn = S + 1, READ, .length = 32);
    expect_ack(&t, S + 1, S);
    assert_int_equal(uet_dscp(&t.p), 20);
    REQ(.psn = S + 2, READ, .length = 33);
    expect_ack(&t, S + 2, S);
    assert_int_equal(uet_dscp(&t.p), 10);
    expect_bytes(&t, 0, 33);
    REQ(.psn = S + 3, READ, .length = MTU); /* the longest frame of this Payload MTU */
    expect_ack(&t, S + 3, S);
    expect_bytes(&t, 0, MTU);
    peer_free(&t);
}

/* The parts of a message up to Max_ACK_Data_Size all ride in ACKs, even several (PDS-120). */
static void test_several_in_acks(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, trimmable);
    REQ(.psn = S + 2, READ, .not_som = true, .length = MTU + 3, .message_offset = MTU,
        .payload_length = 3);
    expect_ack(&t, S + 2, S);
    expect_bytes(&t, MTU, 3);
    assert_int_equal(uet_ses_rsp_data_message_offset(uet_ses(&t.p)), MTU);
    REQ(.psn = S + 1, READ, .not_eom = true, .length = MTU + 3);
    expect_ack(&t, S + 1, S);
    expect_bytes(&t, 0, MTU);
    take_nothing(&t);
    peer_free(&t);
}

/* Without room the request is not taken: NACK, and all is well when it comes again (3.5.12.7). */
static void two_parts(struct uet_fep_config *c)
{
    c->max_read_parts = 2;
}

static void test_no_room(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_parts);
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    REQ(.psn = S + 2, READ, .length = 100, .offset = 500, .ar = true);
    const uint8_t *h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), UET_NACK_NO_RESOURCE);
    assert_int_equal(uet_nack_nack_psn(h), S + 2);
    assert_int_equal(uet_nack_spdcid(h), t.dpdcid);
    expect_data(&t, S, false, 0, 100, 100);
    ACK(.cack = S, .psn = S, OK_RSP);
    REQ(.psn = S + 2, READ, .length = 100, .offset = 500, .ar = true, .retx = true);
    expect_ack(&t, S + 2, S + 2);
    expect_data(&t, S + 1, false, 0, 100, 100);
    expect_bytes(&t, 500, 100);
    peer_free(&t);
}

static void three_parts(struct uet_fep_config *c)
{
    c->max_read_parts = 3;
}

/*
 * Data in ACKs ahead of a gap waits for its clear, which waits for the gap: what closes that gets
 * the last part, on whatever way its own data goes.
 */
static void test_room_for_gap(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, three_parts);
    for (uint32_t i = 2; i <= 3; i++) {
        REQ(.psn = S + i, READ, .length = 8, .ar = true);
        expect_ack(&t, S + i, S);
        expect_bytes(&t, 0, 8);
    }
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S, false, 0, 100, 100);
    peer_free(&t);
}

/* A SYN that asks for data opens no PDC where nothing can be kept of it. */
static void one_part(struct uet_fep_config *c)
{
    c->max_read_parts = 1;
}

static void test_no_room_for_syn(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, one_part);
    REQ(.psn = S + 1, READ, .length = 100);
    expect_data(&t, S, false, 0, 100, 100);
    t.spdcid = 0x0999;
    for (unsigned i = 0; i < 2; i++) {
        request(&t, &(struct req){.psn = S, READ, .length = i ? 0 : 100});
        const uint8_t *h = take(&t);
        assert_int_equal(uet_is_nack(&t.p), i == 0); /* without bytes there is nothing to keep */
        if (i == 0) {
            assert_int_equal(uet_nack_nack_code(h), UET_NACK_NO_RESOURCE);
            assert_int_equal(uet_nack_spdcid(h), 0);
        }
        assert_int_equal(uet_fep_pdcs(t.fep, false), 1 + i);
    }
    peer_free(&t);
}

/* The peer's window holds for the return direction, too (PDS-060), as do its NACKs. */
static void test_window_and_nack(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S, false, 0, 100, 100);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 1, .sack_base = S + 1);
    for (uint32_t i = 0; i < 130; i++) {
        REQ(.psn = S + 2 + i, READ, .length = 100, .ar = true);
        expect_ack(&t, S + 2 + i, S + 2 + i);
        if (i < 128)
            expect_data(&t, S + 1 + i, false, 0, 100, 100);
    }
    take_nothing(&t);
    nack(&t, UET_NACK_TRIMMED, S + 3, t.spdcid);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    expect_data(&t, S + 3, true, 0, 100, 100);
    ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
    expect_data(&t, S + 129, false, 0, 100, 100);
    expect_data(&t, S + 130, false, 0, 100, 100);
    take_nothing(&t);
    peer_free(&t);
}

/* UET_TRIMMED_ACK is about an ACK, whatever return Request has the same PSN (PDS-223). */
static void old(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_2;
}

static void test_trimmed_ack(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, old);
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S, false, 0, 100, 100);
    nack(&t, UET_NACK_TRIMMED_ACK, S, t.spdcid);
    advance(&t, 2 * MS);
    take_nothing(&t);
    peer_free(&t);
}

/* T14, PDS-211 (contested): the Close ACK waits for the ACK of the data, however long. */
static void test_close_waits(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uet_fep_params(t.fep)->Close_REQ_Time = 10 * MS;
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S, false, 0, 100, 100);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S + 2, .ar = true);
    take_nothing(&t);
    advance(&t, 5 * MS);
    expect_data(&t, S, true, 0, 100, 100);
    advance(&t, 10 * MS);
    expect_data(&t, S, true, 0, 100, 100);
    advance(&t, 10 * MS); /* Close_REQ_Time is over long ago */
    take_nothing(&t);
    ACK(.cack = S, .psn = S, OK_RSP);
    const uint8_t *h = expect_ack(&t, S + 2, S + 2);
    assert_int_equal(uet_ack_next_hdr(h), UET_NH_NONE);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    assert_int_equal(counter(t.fep, "pdc_closed"), 1);
    peer_free(&t);
}

/* T16: data that nobody acknowledges ends in a Close Request. */
static void test_retries_used_up(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S, false, 0, 100, 100);
    for (unsigned i = 0; i < 5; i++) {
        advance(&t, 5 * MS << i);
        expect_data(&t, S, true, 0, 100, 100);
    }
    advance(&t, 5 * MS << 5);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLOSE_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 1);
    peer_free(&t);
}

/* T11: a Close Request after the data; PDS-169: on ROD in the order of the reads. */
static void test_rod(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    t.start_psn = S;
    request(&t, &(struct req){.psn = S, .rod = true, READ, .length = 100, .ar = true});
    const uint8_t *h = expect_ack(&t, S, S);
    t.dpdcid = uet_ack_spdcid(h);
    expect_data(&t, S, false, 0, 100, 100);
    REQ(.psn = S + 2, .rod = true, READ, .length = 102);
    h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), UET_NACK_ROD_OOO);
    REQ(.psn = S + 1, .rod = true, READ, .length = 101);
    REQ(.psn = S + 2, .rod = true, READ, .length = 102);
    uet_fep_close_request(t.fep, NULL, t.now);
    expect_data(&t, S + 1, false, 0, 101, 101);
    expect_data(&t, S + 2, false, 0, 102, 102);
    take_nothing(&t); /* own packets first */
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_ROD_OOO, .psn = S + 2, .payload = S + 1});
    advance(&t, 1 * MS);
    expect_data(&t, S + 1, true, 0, 101, 101); /* go-back-N, in this direction as well */
    expect_data(&t, S + 2, true, 0, 102, 102);
    ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
    expect_cp(&t, UET_CTL_CLOSE_REQUEST);
    peer_free(&t);
}

/*
 * The Close Request was lost, and the Close Command came all the same: on ROD the data behind the
 * Close Request arrives after it, or never.
 */
static void test_rod_lost_close_request(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    t.rod = true;
    t.start_psn = S;
    request(&t, &(struct req){.psn = S, .rod = true, .opcode = UET_OP_NO_OP, .ar = true});
    const uint8_t *h = expect_ack(&t, S, S);
    t.dpdcid = uet_ack_spdcid(h);
    uet_fep_close_request(t.fep, NULL, t.now);
    expect_cp(&t, UET_CTL_CLOSE_REQUEST);
    REQ(.psn = S + 1, .rod = true, READ, .length = 101, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S + 1, false, 0, 101, 101);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S + 2, .ar = true);
    take_nothing(&t);
    advance(&t, 5 * MS); /* RTO */
    h = expect_cp(&t, UET_CTL_CLOSE_REQUEST);
    assert_int_equal(uet_cp_psn(h), S);
    expect_data(&t, S + 1, true, 0, 101, 101);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    expect_ack(&t, S + 2, S + 2);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

/* What comes from the wrong side, or would open a PDC, is dropped. */
static void test_wrong_side(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    returned(&t, &(struct data_spec){.psn = S + 1, .ar = true, .message_id = 1, .length = 8});
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_return_request"), 1);
    peer_free(&t);
}

/* Data that nobody acknowledged is given up: what is sent after it does not clear it (PDS-070). */
static void test_given_up(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    REQ(.psn = S + 1, READ, .length = MTU, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    for (unsigned i = 0; i <= 5; i++) { /* Max_RTO_Retx_Cnt */
        expect_data(&t, S, i > 0, 0, MTU, MTU);
        advance(&t, (5 * MS) << i);
    }
    assert_int_equal(uet_cp_psn(expect_cp(&t, UET_CTL_CLOSE_REQUEST)), S + 1);
    REQ(.psn = S + 2, READ, .length = MTU, .ar = true);
    expect_ack(&t, S + 2, S + 2);
    expect_data(&t, S + 2, false, 0, MTU, MTU);
    assert_int_equal(uet_clear_psn(&t.p), S - 1);
    peer_free(&t);
}

/* A Close Request that the Close Command makes needless is not acknowledged by that (PDS-070). */
static void test_close_request_forgotten(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uet_fep_close_request(t.fep, NULL, t.now);
    assert_int_equal(uet_cp_psn(expect_cp(&t, UET_CTL_CLOSE_REQUEST)), S);
    REQ(.psn = S + 1, READ, .length = 100, .ar = true);
    expect_ack(&t, S + 1, S + 1);
    expect_data(&t, S + 1, false, 0, 100, 100);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = S + 2, .ar = true);
    advance(&t, 5 * MS); /* RTO_Init_Time */
    expect_data(&t, S + 1, true, 0, 100, 100);
    assert_int_equal(uet_clear_psn(&t.p), S - 1);
    peer_free(&t);
}

/*
 * A window of one PSN, and its data is given up: no Close Request fits behind it (T16). The ACK
 * Request for the window tells that there is no initiator any more, and the PDC ends.
 */
static void test_window_of_nobody(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uet_fep_params(t.fep)->Override_MPR_Zero_Value = 1;
    uet_fep_params(t.fep)->Max_RTO_Retx_Cnt = 0;
    REQ(.psn = S + 1, READ, .length = 2 * MTU, .payload_length = MTU, .not_eom = true);
    expect_data(&t, S, false, 0, MTU, 2 * MTU);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .sack_base = S + 1);
    REQ(.psn = S + 2, READ, .not_som = true, .length = 2 * MTU, .message_offset = MTU,
        .payload_length = MTU, .ar = true);
    expect_ack(&t, S + 2, S + 2);
    expect_data(&t, S + 1, false, MTU, MTU, 2 * MTU);
    advance(&t, uet_fep_params(t.fep)->RTO_Init_Time);
    const uint8_t *h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S);
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_INV_DPDCID, .psn = S, .no_pdc = true});
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_the_ack),
        cmocka_unit_test(test_return_direction),
        cmocka_unit_test(test_cleared_before_sent),
        cmocka_unit_test(test_short_headers),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_bytes),
        cmocka_unit_test(test_trimmable),
        cmocka_unit_test(test_several_in_acks),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_room_for_gap),
        cmocka_unit_test(test_no_room_for_syn),
        cmocka_unit_test(test_window_and_nack),
        cmocka_unit_test(test_trimmed_ack),
        cmocka_unit_test(test_close_waits),
        cmocka_unit_test(test_retries_used_up),
        cmocka_unit_test(test_rod),
        cmocka_unit_test(test_rod_lost_close_request),
        cmocka_unit_test(test_wrong_side),
        cmocka_unit_test(test_given_up),
        cmocka_unit_test(test_window_of_nobody),
        cmocka_unit_test(test_close_request_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
