/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RUDI and UUD (3.5.7.3, 3.5.7.4): packets that stand alone. Expected bytes are those of the format
 * facts: 2180 is a RUDI Request with a standard SES header, 2190 its resend, 2A00 a RUDI Response
 * with a SES response (2A20 with m), 3180 a UUD Request with a standard SES header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"
#include "refimpl/tests/shared/peer.h"

#define SAFE_KEY 0x8000000000001234u /* Table 2-13: bit 63 is idempotent_safe */

static uint8_t safe[20000], source[20000];

static uint16_t prologue(const struct peer *t)
{
    const uint8_t *h = uet_pds(&t->p);
    return (uint16_t)(h[0] << 8 | h[1]);
}

static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = SAFE_KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = safe,
                                 .length = sizeof safe};
    memset(safe, 0, sizeof safe);
    assert_true(uet_fep_region_add(t->fep, &g) >= 0);
}

/* ---- packets of the peer ---- */

struct single {
    bool uud, retx, ce, not_som, not_eom;
    uint8_t flags; /* of UUD */
    uint32_t pkt_id;
    uint8_t opcode;
    uint64_t key;
    uint32_t length, payload, message_offset;
    uint16_t message_id;
    uint8_t fill;
};

static void ses_of(const struct single *s, struct uet_build *b)
{
    uint8_t *h = uet_build_ses(b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(h, s->opcode);
    uet_ses_req_rel_set(h, true);
    uet_ses_req_som_set(h, !s->not_som);
    uet_ses_req_eom_set(h, !s->not_eom);
    uet_ses_req_job_id_set(h, JOB);
    uet_ses_req_pid_on_fep_set(h, PID);
    uet_ses_req_resource_index_set(h, RI);
    uet_ses_req_initiator_set(h, 0xabcd);
    uet_ses_req_match_bits_or_memory_key_set(h, s->key);
    uet_ses_req_std_message_id_set(h, s->message_id);
    uet_ses_req_std_request_length_set(h, s->length);
    if (s->not_som) {
        uet_ses_req_std_payload_length_set(h, (uint16_t)s->payload);
        uet_ses_req_std_message_offset_set(h, s->message_offset);
    }
}

static void give(struct peer *t, struct uet_build *b)
{
    int n = uet_build_finish(b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    uet_fep_receive(t->fep, b->frame, (size_t)n, t->now);
}

static void start(struct peer *t, struct uet_build *b, uint8_t *frame, bool ce)
{
    const struct uet_route route = {
        .src = t->ip, .dst = t->fep_ip, .entropy = 0x4242, .ecn = ce ? UET_ECN_CE : UET_ECN_ECT0};
    uet_build_start(b, frame, UET_FRAME_MAX, &route);
}

static void send_single(struct peer *t, const struct single *s)
{
    uint8_t frame[UET_FRAME_MAX], payload[8192];
    struct uet_build b;
    start(t, &b, frame, s->ce);
    uint8_t *h = uet_build_pds(&b, s->uud ? UET_H_UUD_REQ : UET_H_RUDI_REQ);
    if (s->uud) {
        uet_uud_req_type_set(h, UET_PDS_UUD_REQ);
        uet_uud_req_next_hdr_set(h, UET_NH_REQUEST_STD);
        uet_uud_req_flags_rsvd_set(h, s->flags);
    } else {
        uet_rudi_type_set(h, UET_PDS_RUDI_REQ);
        uet_rudi_next_hdr_set(h, UET_NH_REQUEST_STD);
        uet_rudi_retx_set(h, s->retx);
        uet_rudi_pkt_id_set(h, s->pkt_id);
    }
    ses_of(s, &b);
    memset(payload, s->fill, sizeof payload);
    uet_build_payload(&b, payload, s->payload);
    give(t, &b);
}

static void rudi_answer(struct peer *t, uint32_t pkt_id, uint8_t opcode, uint8_t code)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, false);
    uint8_t *h = uet_build_pds(&b, UET_H_RUDI_RESP);
    uet_rudi_type_set(h, UET_PDS_RUDI_RESP);
    uet_rudi_next_hdr_set(h, UET_NH_RESPONSE);
    uet_rudi_pkt_id_set(h, pkt_id);
    uint8_t *s = uet_build_ses(&b, UET_H_SES_RSP);
    uet_ses_rsp_opcode_set(s, opcode);
    uet_ses_rsp_return_code_set(s, code);
    give(t, &b);
}

static void rudi_refuse(struct peer *t, uint32_t pkt_id, uint8_t code)
{
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    start(t, &b, frame, false);
    uint8_t *h = uet_build_pds(&b, UET_H_NACK_RUDI);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nt_set(h, UET_NACK_TYPE_RUDI);
    uet_nack_nack_code_set(h, code);
    uet_nack_rudi_nack_pkt_id_set(h, pkt_id);
    give(t, &b);
}

/* ---- the RUDI target ---- */

static void expect_response(struct peer *t, uint16_t word, uint32_t pkt_id, uint8_t code)
{
    take(t);
    assert_int_equal(prologue(t), word);
    assert_int_equal(uet_pkt_id(&t->p), pkt_id);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), code);
    assert_int_equal(uet_entropy(&t->p), 0x4242);
    take_nothing(t);
}

static void test_rudi_target(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct single w = {.pkt_id = 0xdeadbeef,
                       .opcode = UET_OP_WRITE,
                       .key = SAFE_KEY,
                       .length = 8,
                       .payload = 8,
                       .message_id = 5,
                       .fill = 0x11};
    send_single(&t, &w);
    expect_response(&t, 0x2a00, 0xdeadbeef, UET_RC_OK);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_DEFAULT_RESPONSE);
    assert_int_equal(uet_ses_rsp_message_id(uet_ses(&t.p)), 5);
    assert_int_equal(safe[7], 0x11);
    /* Again: executed again and answered again (PDS-005, SES-088). */
    memset(safe, 0, 8);
    w.retx = true;
    w.ce = true;
    send_single(&t, &w);
    expect_response(&t, 0x2a30, 0xdeadbeef, UET_RC_OK); /* m and retx (PDS-178) */
    assert_int_equal(safe[7], 0x11);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0); /* PDS-174 */
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    peer_free(&t);
}

/* The data of a RUDI Response leaves from the region; then it is free. */
static void test_rudi_region_removed(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = SAFE_KEY + 1,
                                 .rights = UET_RIGHT_READ,
                                 .base = safe,
                                 .length = sizeof safe};
    int handle = uet_fep_region_add(t.fep, &g);
    struct single r = {
        .pkt_id = 77, .opcode = UET_OP_READ, .key = SAFE_KEY + 1, .length = 8, .message_id = 5};
    memset(safe, 0x5a, 8);
    send_single(&t, &r);
    assert_int_equal(uet_fep_region_remove(t.fep, handle), -EBUSY);
    take(&t);
    assert_int_equal(t.p.pds, UET_H_RUDI_RESP);
    assert_int_equal(t.p.payload_len, 8);
    assert_int_equal(t.bytes[t.p.payload_offset], 0x5a);
    assert_int_equal(uet_fep_region_remove(t.fep, handle), 0);
    send_single(&t, &r);
    expect_response(&t, 0x2a00, 77, UET_RC_BAD_MKEY);
    peer_free(&t);
}

static void test_rudi_refusals(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    post(&t, 0, 100, false);
    struct single s = {.pkt_id = 1, .opcode = UET_OP_WRITE, .key = KEY, .length = 8, .payload = 8};
    s.fill = 0x22;
    send_single(&t, &s); /* a region that is not idempotent-safe (SES-086) */
    expect_response(&t, 0x2a00, 1, UET_RC_OP_VIOLATION);
    assert_int_equal(t.region[0], 0);
    s.key = 0x8000000000000001u;
    send_single(&t, &s);
    expect_response(&t, 0x2a00, 1, UET_RC_BAD_MKEY);
    s.opcode = UET_OP_SEND; /* SES-089 */
    send_single(&t, &s);
    expect_response(&t, 0x2a00, 1, UET_RC_UNSUPPORTED_OP);
    assert_int_equal(t.buffer[0][0], 0);
    s.opcode = UET_OP_ATOMIC;
    s.key = SAFE_KEY;
    send_single(&t, &s);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses((take(&t), &t.p))),
                     UET_RC_OP_VIOLATION); /* no right to read, which comes first */
    s.opcode = UET_OP_WRITE;
    s.key = SAFE_KEY;
    s.length = sizeof safe + 1;
    s.not_eom = true;
    s.payload = 4096;
    send_single(&t, &s); /* the whole message is judged on any packet (SES-066) */
    expect_response(&t, 0x2a00, 1, UET_RC_BAD_ADDR);
    no_completion(&t);
    peer_free(&t);
}

static void test_rudi_message(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    for (unsigned i = 3; i--;) { /* the last packet first: each is placed by itself (SES-087) */
        struct single s = {.pkt_id = 100 + i,
                           .opcode = UET_OP_WRITE,
                           .key = SAFE_KEY,
                           .length = 10000,
                           .payload = i < 2 ? 4096 : 1808,
                           .message_offset = i * 4096,
                           .message_id = 9,
                           .not_som = i > 0,
                           .not_eom = i < 2,
                           .fill = (uint8_t)(i + 1)};
        send_single(&t, &s);
        expect_response(&t, 0x2a00, 100 + i, UET_RC_OK);
    }
    assert_int_equal(safe[0], 1);
    assert_int_equal(safe[4096], 2);
    assert_int_equal(safe[9999], 3);
    assert_int_equal(safe[10000], 0);
    peer_free(&t);
}

/* ---- the RUDI initiator ---- */

static struct uet_operation rudi_write(struct peer *t, uint32_t length)
{
    return (struct uet_operation){.to = t->ip,
                                  .opcode = UET_OP_WRITE,
                                  .mode = UET_MODE_RUDI,
                                  .relative = true,
                                  .job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .key = SAFE_KEY,
                                  .data = source,
                                  .length = length,
                                  .token = 77};
}

static uint32_t expect_rudi(struct peer *t, uint16_t word)
{
    take(t);
    assert_int_equal(prologue(t), word);
    return uet_pkt_id(&t->p);
}

static void test_rudi_initiator(void **state)
{
    struct peer t;
    uint32_t id[3];
    (void)state;
    begin(&t, NULL);
    struct uet_operation op = rudi_write(&t, 10000);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    for (unsigned i = 0; i < 3; i++)
        id[i] = expect_rudi(&t, 0x2180);
    take_nothing(&t);
    assert_int_not_equal(id[0], id[1]); /* PDS-172 */
    assert_int_not_equal(id[1], id[2]);
    assert_int_not_equal(id[0], id[2]);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    rudi_answer(&t, id[1], UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    rudi_answer(&t, id[1], UET_RSP_DEFAULT_RESPONSE, UET_RC_OK); /* late (PDS-176) */
    assert_int_equal(counter(t.fep, "drop_rudi_pkt_id"), 1);
    rudi_answer(&t, id[0], UET_RSP_NO_RESPONSE, UET_RC_NULL);
    assert_int_equal(counter(t.fep, "drop_rudi_no_response"), 1);
    rudi_answer(&t, id[0], UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    struct uet_ip right = t.ip;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    rudi_answer(&t, id[2], UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    assert_int_equal(counter(t.fep, "drop_rudi_source"), 1);
    no_completion(&t);
    t.ip = right;
    rudi_answer(&t, id[2], UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.token, 77);
    assert_int_equal(c.length, 10000);
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    /* The first error counts (SES-116). */
    op = rudi_write(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    rudi_answer(&t, expect_rudi(&t, 0x2180), UET_RSP_RESPONSE, UET_RC_BAD_MKEY);
    c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_BAD_MKEY);
    peer_free(&t);
}

/* RTO_Init_Time x 2^n, Max_RTO_Retx_Cnt resends with the same pkt_id, then failure (PDS-175). */
/* The response to a packet from before a reset is late (PDS-176): nothing is there to end. */
static void test_rudi_reset(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct uet_operation op = rudi_write(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    uint32_t id = expect_rudi(&t, 0x2180);
    uet_fep_reset(t.fep, t.now);
    rudi_answer(&t, id, UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    assert_int_equal(counter(t.fep, "drop_rudi_pkt_id"), 1);
    no_completion(&t);
    peer_free(&t);
}

static void test_rudi_rto(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uet_fep_params(t.fep)->RTO_Init_Time = 2 * MS;
    uet_fep_params(t.fep)->Max_RTO_Retx_Cnt = 3;
    struct uet_operation op = rudi_write(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    uint32_t id = expect_rudi(&t, 0x2180);
    for (unsigned i = 0; i < 3; i++) {
        advance(&t, (2 * MS << i) - 1);
        take_nothing(&t);
        advance(&t, 1);
        assert_int_equal(expect_rudi(&t, 0x2190), id);
    }
    no_completion(&t);
    advance(&t, 16 * MS);
    take_nothing(&t);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    assert_int_equal(counter(t.fep, "rudi_exhausted"), 1);
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    peer_free(&t);
}

static void test_rudi_nack(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uet_fep_params(t.fep)->Max_NACK_Retx_Cnt = 2;
    struct uet_operation op = rudi_write(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    uint32_t id = expect_rudi(&t, 0x2180);
    rudi_refuse(&t, id, 0x40); /* reserved: nothing (PDS-154) */
    for (unsigned i = 0; i < 2; i++) {
        rudi_refuse(&t, id, UET_NACK_NO_PKT_BUFFER);
        take_nothing(&t);
        advance(&t, 1 * MS); /* NACK_Retx_Time */
        assert_int_equal(expect_rudi(&t, 0x2190), id);
    }
    no_completion(&t);
    rudi_refuse(&t, id, UET_NACK_TRIMMED);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    rudi_refuse(&t, id, UET_NACK_TRIMMED);
    assert_int_equal(counter(t.fep, "drop_rudi_pkt_id"), 1);
    peer_free(&t);
}

/* More packets than may wait at once, and an operation that fails beside one that does not. */
static void few(struct uet_fep_config *c)
{
    c->max_rudi_packets = 2;
    c->dscp_rudi_uud = 0x2a;
    c->params.Max_RTO_Retx_Cnt = 0;
}

static void test_rudi_scarce(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, few);
    struct uet_operation op = rudi_write(&t, 3 * 4096);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op = rudi_write(&t, 8);
    op.token = 78;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    uint32_t first_id = expect_rudi(&t, 0x2180);
    assert_int_equal(uet_dscp(&t.p), 0x2a); /* CMS-074 */
    expect_rudi(&t, 0x2180);
    take_nothing(&t);
    rudi_answer(&t, first_id, UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    expect_rudi(&t, 0x2180);
    take_nothing(&t);
    advance(&t, 5 * MS); /* RTO_Init_Time, and no resend is allowed */
    struct uet_completion c = completion(&t);
    assert_int_equal(c.token, 77);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    no_completion(&t);
    rudi_answer(&t, expect_rudi(&t, 0x2180), UET_RSP_DEFAULT_RESPONSE, UET_RC_OK);
    c = completion(&t);
    assert_int_equal(c.token, 78);
    assert_int_equal(c.status, UET_STATUS_OK);
    peer_free(&t);
}

static void test_rudi_submit(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct uet_operation op = rudi_write(&t, 8);
    op.key = KEY; /* not idempotent-safe */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = rudi_write(&t, 8);
    op.opcode = UET_OP_SEND; /* SES-085 */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = rudi_write(&t, 8);
    op.has_header_data = true;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = rudi_write(&t, 8);
    op.mode = 4;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    take_nothing(&t);
    peer_free(&t);
}

/* ---- UUD ---- */

static struct uet_operation datagram(struct peer *t, uint32_t length)
{
    struct uet_operation op = rudi_write(t, length);
    op.opcode = UET_OP_DATAGRAM_SEND;
    op.mode = UET_MODE_UUD;
    op.key = 0;
    return op;
}

static void before_1_0_3(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_2;
}

static void test_uud_initiator(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct uet_operation op = datagram(&t, 4096);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    take(&t);
    assert_int_equal(prologue(&t), 0x3180); /* flags 0 (PDS-182) */
    const uint8_t *s = uet_ses(&t.p);
    assert_int_equal(uet_ses_req_opcode(s), 0x07);
    assert_int_equal(uet_ses_message_id(&t.p), 0); /* SES-035 */
    assert_true(uet_ses_req_som(s) && uet_ses_req_eom(s));
    assert_int_equal(t.p.payload_len, 4096);
    take_nothing(&t);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.return_code, UET_RC_NULL); /* nobody says anything about it */
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    advance(&t, 60000 * MS);
    take_nothing(&t);
    op = datagram(&t, 4097); /* one packet (SES-036) */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = datagram(&t, 8);
    op.opcode = UET_OP_SEND; /* SES-038 */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op = datagram(&t, 8);
    op.mode = UET_MODE_RUD;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    peer_free(&t);
    begin(&t, before_1_0_3);
    op = datagram(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    take(&t);
    assert_int_not_equal(uet_ses_message_id(&t.p), 0);
    peer_free(&t);
}

static void test_uud_target(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct single d = {.uud = true,
                       .flags = 0x7f, /* mean nothing (PDS-182) */
                       .opcode = UET_OP_DATAGRAM_SEND,
                       .length = 40,
                       .payload = 40,
                       .fill = 0x33};
    send_single(&t, &d); /* no receive (SES-040) */
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_uud_no_receive"), 1);
    post(&t, 0, 100, false);
    post(&t, 1, 20, false);
    post(&t, 2, 20, true);
    send_single(&t, &d);
    take_nothing(&t); /* PDS-006, SES-039 */
    struct uet_completion c = completion(&t);
    assert_int_equal(c.kind, UET_COMPLETION_RECEIVE);
    assert_int_equal(c.token, 0);
    assert_int_equal(c.length, 40);
    assert_int_equal(c.initiator, 0xabcd);
    assert_true(uet_ip_equal(&c.peer, &t.ip));
    assert_int_equal(t.buffer[0][39], 0x33);
    assert_int_equal(t.buffer[0][40], 0);
    send_single(&t, &d); /* longer than the receive */
    assert_int_equal(counter(t.fep, "drop_uud_too_long"), 1);
    d.opcode = UET_OP_SEND;
    send_single(&t, &d); /* SES-038 */
    assert_int_equal(counter(t.fep, "drop_uud_opcode"), 1);
    d.opcode = UET_OP_MSG_ERROR; /* SES-037 */
    d.not_som = true;
    send_single(&t, &d);
    assert_int_equal(counter(t.fep, "drop_uud_opcode"), 2);
    d.opcode = UET_OP_DATAGRAM_SEND;
    send_single(&t, &d);
    assert_int_equal(counter(t.fep, "drop_uud_form"), 1);
    no_completion(&t);
    take_nothing(&t);
    /* What was dropped has disabled nothing: a RUD send takes the next receive (SES-040). */
    t.start_psn = 5000;
    request(&t,
            &(struct req){
                .psn = 5000, .opcode = UET_OP_SEND, .message_id = 1, .length = 20, .payload = 20});
    take(&t);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_OK);
    assert_int_equal(completion(&t).token, 1);
    d.not_som = false;
    send_single(&t, &d); /* cut by a receive that allows it */
    assert_int_equal(completion(&t).length, 20);
    peer_free(&t);
}

/* ---- trimmed ---- */

static void trims(struct uet_fep_config *c)
{
    c->dscp_trimmed = 1u << 11;
    c->dscp_trimmed_lasthop = 1u << 12;
}

/* A WRITE of 1000 bytes, or a datagram of them, of which a switch left 8 bytes after UDP. */
static void send_trimmed(struct peer *t, uint8_t dscp, bool uud)
{
    uint8_t frame[UET_FRAME_MAX], payload[1000] = {0};
    const struct single s = {.opcode = uud ? UET_OP_DATAGRAM_SEND : UET_OP_WRITE,
                             .key = SAFE_KEY,
                             .length = sizeof payload};
    struct uet_build b;
    start(t, &b, frame, true);
    uint8_t *h = uet_build_pds(&b, uud ? UET_H_UUD_REQ : UET_H_RUDI_REQ);
    if (uud) {
        uet_uud_req_type_set(h, UET_PDS_UUD_REQ);
        uet_uud_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    } else {
        uet_rudi_type_set(h, UET_PDS_RUDI_REQ);
        uet_rudi_next_hdr_set(h, UET_NH_REQUEST_STD);
        uet_rudi_pkt_id_set(h, 0x1234);
    }
    ses_of(&s, &b);
    uet_build_payload(&b, payload, sizeof payload);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    n = uet_trim(frame, (size_t)n, 28 + 8, dscp); /* IPv4, UDP, 8 bytes */
    assert_true(n > 0);
    uet_fep_receive(t->fep, frame, (size_t)n, t->now);
}

static void test_trimmed(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, trims);
    for (unsigned i = 0; i < 2; i++) {
        send_trimmed(&t, i ? 12 : 11, false);
        const uint8_t *h = take(&t);
        assert_int_equal(t.p.pds, UET_H_NACK_RUDI);
        assert_int_equal(uet_nack_nt(h), 1);                      /* PDS-179 */
        assert_int_equal(uet_nack_nack_code(h), i ? 0x02 : 0x01); /* PDS-225, PDS-218 */
        assert_int_equal(uet_pkt_id(&t.p), 0x1234);
        assert_int_equal(uet_nack_rudi_spdcid(h), 0);
        assert_int_equal(uet_nack_rudi_dpdcid(h), 0);
        assert_true(uet_nack_m(h)); /* PDS-221 */
        assert_int_equal(uet_entropy(&t.p), 0x4242);
        take_nothing(&t);
    }
    send_trimmed(&t, 11, true); /* PDS-184 */
    take_nothing(&t);
    assert_int_equal(counter(t.fep, "drop_uud_trimmed"), 1);
    peer_free(&t);
}

/* ---- two FEPs over a bad wire ---- */

#define N 40

static void serve(struct uet_fep *fep, uint8_t (*buffers)[64])
{
    struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .resource_index = RI};
    struct uet_region g = {.job_id = JOB,
                           .pid_on_fep = PID,
                           .resource_index = RI,
                           .key = SAFE_KEY,
                           .rights = UET_RIGHT_WRITE,
                           .base = safe,
                           .length = sizeof safe};
    s.ri_class = UET_RI_RMA;
    assert_int_equal(uet_fep_service_add(fep, &s), 0);
    s.ri_class = UET_RI_SEND;
    assert_int_equal(uet_fep_service_add(fep, &s), 0);
    assert_int_equal(uet_fep_region_add(fep, &g), 0);
    for (unsigned i = 0; i < N; i++) {
        const struct uet_receive r = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .base = buffers[i],
                                      .length = 64};
        assert_int_equal(uet_fep_post_receive(fep, &r), 0);
    }
}

static void patient(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 15;
    c->payload_mtu = 1024;
}

/* RUDI brings every byte at least once whatever the wire does; UUD brings what the wire brings. */
static void test_exchange(void **state)
{
    static uint8_t buffers[N][64];
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct fixture w;
        struct uet_completion c;
        unsigned ok = 0, received = 0;
        fixture_init(&w, seed, seed % 2 ? 4 : 6, patient);
        fixture_wire(&w, seed > 2 ? 150 : 0, 100, 30000);
        memset(safe, 0, sizeof safe);
        for (size_t i = 0; i < sizeof source; i++)
            source[i] = (uint8_t)(1 + i * 7 + seed + (i >> 8));
        serve(w.fep[1], buffers);
        for (unsigned i = 0; i < N; i++) {
            struct uet_operation op = {.to = w.ip[1],
                                       .opcode = UET_OP_WRITE,
                                       .mode = UET_MODE_RUDI,
                                       .relative = true,
                                       .job_id = JOB,
                                       .pid_on_fep = PID,
                                       .resource_index = RI,
                                       .key = SAFE_KEY,
                                       .buffer_offset = i * 500u,
                                       .data = source + i * 500u,
                                       .length = 500};
            if (i == 0) /* several packets, and over them the others write the same bytes */
                op.length = sizeof source;
            assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
            op.opcode = UET_OP_DATAGRAM_SEND;
            op.mode = UET_MODE_UUD;
            op.length = 64;
            op.buffer_offset = 0;
            assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
        }
        assert_true(fixture_run(&w, w.now + 3600000 * MS));
        while (uet_fep_completion(w.fep[0], &c))
            ok += c.status == UET_STATUS_OK;
        assert_int_equal(ok, 2 * N);
        assert_memory_equal(safe, source, sizeof safe);
        while (uet_fep_completion(w.fep[1], &c))
            received += c.kind == UET_COMPLETION_RECEIVE;
        if (seed <= 2) /* no loss: all there, and as many as there are receives */
            assert_int_equal(received, N);
        assert_int_equal(uet_fep_pdcs(w.fep[0], true), 0);
        assert_int_equal(uet_fep_pdcs(w.fep[1], false), 0);
        fixture_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rudi_target),    cmocka_unit_test(test_rudi_region_removed),
        cmocka_unit_test(test_rudi_refusals),  cmocka_unit_test(test_rudi_message),
        cmocka_unit_test(test_rudi_initiator), cmocka_unit_test(test_rudi_rto),
        cmocka_unit_test(test_rudi_nack),      cmocka_unit_test(test_rudi_scarce),
        cmocka_unit_test(test_rudi_submit),    cmocka_unit_test(test_uud_initiator),
        cmocka_unit_test(test_uud_target),     cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_trimmed),        cmocka_unit_test(test_rudi_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
