/* SPDX-License-Identifier: BSD-2-Clause */
/* The semantic target: addressing, return codes, messages, completions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"
#include "refimpl/usage.h"

#define MTU 4096u
#define S0  1000u

static uint32_t psn;

/* Sends the request on the open PDC with ar=1 and returns the code of its response. */
static uint8_t ask(struct peer *t, struct req r)
{
    r.psn = ++psn;
    r.no_syn = r.ar = true;
    r.has_clear = true;
    r.clear = psn - 1;
    request(t, &r);
    const uint8_t *h = take(t);
    if (uet_is_nack(&t->p))
        fail_msg("NACK 0x%x", uet_nack_nack_code(h));
    assert_int_equal(ACK_PSN(t), psn);
    const uint8_t *s = uet_ses(&t->p);
    uint8_t code = uet_ses_rsp_return_code(s);
    assert_int_equal(uet_ses_rsp_list(s), UET_LIST_EXPECTED);
    assert_int_equal(uet_ses_rsp_version(s), 0);
    assert_int_equal(uet_ses_rsp_message_id(s), r.message_id);
    assert_int_equal(uet_ses_rsp_job_id(s), r.job_id ? r.job_id : JOB);
    bool cut = code == UET_RC_OK && uet_ses_rsp_opcode(s) == UET_RSP_RESPONSE;
    if (code != UET_RC_OK) { /* errors: stored, with a request to clear (SES-117, 120, 123) */
        assert_int_equal(uet_ses_rsp_opcode(s), UET_RSP_RESPONSE);
        assert_int_equal(uet_ses_rsp_modified_length(s), 0);
    }
    assert_int_equal(uet_ack_req(h), code != UET_RC_OK || cut ? UET_ACK_REQ_CLEAR : 0);
    take_nothing(t);
    return code;
}

#define ASK(...)          ask(&t, (struct req){__VA_ARGS__})
#define EXPECT(code, ...) assert_int_equal(ASK(__VA_ARGS__), code)
#define WRITE4            .opcode = UET_OP_WRITE, .message_id = 9, .length = 4, .payload = 4, .fill = 1
#define SEND4             .opcode = UET_OP_SEND, .message_id = 9, .length = 4, .payload = 4, .fill = 2

static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    open_pdc(t, S0);
    psn = S0;
}

static bool untouched(const struct peer *t)
{
    for (size_t i = 0; i < sizeof t->region; i++) {
        if (t->region[i])
            return false;
    }
    return true;
}

/* SES-052..056: the lookup, one error at a time and several. */
static void test_lookup(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    EXPECT(UET_RC_BAD_JOB_ID, WRITE4, .job_id = 0xabcdef, .pid = 4095, .ri = 4095);
    EXPECT(UET_RC_BAD_PID, WRITE4, .pid = 4095, .ri = 4095);
    EXPECT(UET_RC_BAD_INDEX, WRITE4, .ri = 4095);
    EXPECT(UET_RC_BAD_PID, WRITE4, .abs = true, .job_id = 0xabcdef, .pid = 4095);
    EXPECT(UET_RC_BAD_INDEX, .opcode = UET_OP_TAGGED_SEND, .message_id = 1);
    EXPECT(UET_RC_BAD_MKEY, WRITE4, .key = 0x123456789abc);
    assert_true(untouched(&t));
    EXPECT(UET_RC_OK, WRITE4);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_DEFAULT_RESPONSE);
    assert_int_equal(uet_ses_rsp_modified_length(uet_ses(&t.p)), 4);
    assert_memory_equal(t.region, "\1\1\1\1\0", 5);
    no_completion(&t); /* a plain WRITE makes none (SES-068) */
    peer_free(&t);
}

/* SES-100, 105: disabled and generation; both before the key. */
static void test_enabled_generation(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct uet_service s = {.job_id = JOB,
                            .pid_on_fep = PID,
                            .resource_index = RI,
                            .ri_class = UET_RI_SEND,
                            .has_generation = true,
                            .ri_generation = 5};
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    EXPECT(UET_RC_BAD_GENERATION, SEND4, .generation = 6);
    assert_int_equal(uet_ses_rsp_ri_generation(uet_ses(&t.p)), 5);
    EXPECT(UET_RC_NO_MATCH, SEND4, .generation = 5);
    /* Each packet of a message learns the current one, whichever answer arrives (SES-105, 116). */
    EXPECT(UET_RC_BAD_GENERATION, .opcode = UET_OP_SEND, .message_id = 20, .generation = 6,
           .length = 2 * MTU, .not_eom = true, .payload = MTU);
    EXPECT(UET_RC_BAD_GENERATION, .opcode = UET_OP_SEND, .message_id = 20, .generation = 6,
           .length = 2 * MTU, .not_som = true, .message_offset = MTU, .payload = MTU);
    assert_int_equal(uet_ses_rsp_ri_generation(uet_ses(&t.p)), 5);
    s.disabled = true;
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    EXPECT(UET_RC_DISABLED_GEN, SEND4, .generation = 6);
    s.has_generation = false;
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    EXPECT(UET_RC_DISABLED, SEND4);
    s.resource_index = 77;
    assert_int_equal(uet_fep_service_set(t.fep, &s), -ENOENT);
    peer_free(&t);
}

/* SES-116: of a receive that is cancelled under its message nothing more changes. */
static void test_cancelled(void **state)
{
    struct uet_receive first = {.pid_on_fep = PID, .resource_index = RI, .token = 0}, second;
    struct peer t;
    (void)state;
    begin(&t, NULL);
    second = first;
    second.token = 1;
    post(&t, 0, 3 * MTU, false);
    post(&t, 1, 8, false);
    EXPECT(UET_RC_OK, .opcode = UET_OP_SEND, .message_id = 30, .length = 3 * MTU, .not_eom = true,
           .payload = MTU, .fill = 1);
    assert_int_equal(uet_fep_receive_cancel(t.fep, &first), 0);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.token, 0);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_CANCELLED);
    assert_int_equal(c.length, MTU);
    assert_int_equal(uet_fep_receive_cancel(t.fep, &first), -ENOENT);
    for (uint32_t at = MTU; at < 3 * MTU; at += MTU)
        EXPECT(UET_RC_CANCELLED, .opcode = UET_OP_SEND, .message_id = 30, .length = 3 * MTU,
               .not_som = true, .not_eom = at == MTU, .message_offset = at, .payload = MTU,
               .fill = 2);
    assert_int_equal(t.buffer[0][0], 1);
    assert_int_equal(t.buffer[0][MTU], 0);
    no_completion(&t);
    EXPECT(UET_RC_OK, .opcode = UET_OP_SEND, .message_id = 30, .length = 4, .payload = 4);
    assert_int_equal(completion(&t).token, 1);
    post(&t, 1, 8, false);
    assert_int_equal(uet_fep_receive_cancel(t.fep, &second), 0); /* one that nobody has taken */
    no_completion(&t);
    EXPECT(UET_RC_NO_MATCH, SEND4);
    peer_free(&t);
}

#define MSG_ERROR(id, sent)                                                                        \
    .opcode = UET_OP_MSG_ERROR, .message_id = (id), .not_som = true, .message_offset = (sent),     \
    .length = 3 * MTU

/* SES-127, SES-128: it ends its message, the receive too; bytes that it has overtaken come to none.
 */
static void test_msg_error(void **state)
{
    struct uet_fep_usage u;
    struct peer t;
    (void)state;
    begin(&t, NULL);
    EXPECT(UET_RC_OP_VIOLATION, MSG_ERROR(40, MTU)); /* no such message */
    post(&t, 0, 3 * MTU, false);
    EXPECT(UET_RC_OK, .opcode = UET_OP_SEND, .message_id = 41, .length = 3 * MTU, .not_eom = true,
           .payload = MTU);
    EXPECT(UET_RC_INITIATOR_ERROR, MSG_ERROR(41, MTU));
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_INITIATOR_ERROR);
    uet_fep_usage(t.fep, &u);
    assert_int_equal(u.messages, 0);
    EXPECT(UET_RC_OP_VIOLATION, MSG_ERROR(41, MTU)); /* it is gone */
    /* Of a message that has failed already its own code comes (SES-116). */
    EXPECT(UET_RC_NO_MATCH, .opcode = UET_OP_SEND, .message_id = 42, .length = 3 * MTU,
           .not_eom = true, .payload = MTU);
    EXPECT(UET_RC_NO_MATCH, MSG_ERROR(42, MTU));
    uet_fep_usage(t.fep, &u);
    assert_int_equal(u.messages, 0);
    /* Not well formed: it ends nothing. */
    EXPECT(UET_RC_OK, .opcode = UET_OP_WRITE, .message_id = 43, .length = 3 * MTU, .not_eom = true,
           .payload = MTU);
    EXPECT(UET_RC_OP_VIOLATION, MSG_ERROR(43, MTU), .not_eom = true);
    EXPECT(UET_RC_OP_VIOLATION, MSG_ERROR(43, MTU), .payload = 4);
    uet_fep_usage(t.fep, &u);
    assert_int_equal(u.messages, 1);
    EXPECT(UET_RC_INITIATOR_ERROR, MSG_ERROR(43, MTU));
    uet_fep_usage(t.fep, &u);
    assert_int_equal(u.messages, 0);
    peer_free(&t);
}

/* SES-024..026, 038: opcodes this FEP has not. */
static void test_opcodes(void **state)
{
    static const uint8_t no[] = {0x07, 0x10, 0x2f, 0x30, 0x3f};
    struct peer t;
    (void)state;
    begin(&t, NULL);
    for (size_t i = 0; i < sizeof no; i++) /* with room for the longest extension: 24 bytes */
        EXPECT(UET_RC_UNSUPPORTED_OP, .opcode = no[i], .message_id = 3, .length = 24,
               .payload = 24);
    post(&t, 0, 100, false);
    EXPECT(UET_RC_OK, .opcode = UET_OP_DEFERRABLE_SEND, .message_id = 4, .length = 4, .payload = 4,
           .offset = 0x0000100000000000, .fill = 3); /* the token is no offset (SES-144) */
    assert_memory_equal(t.buffer[0], "\3\3\3\3\0", 5);
    peer_free(&t);
}

/* SES-028, 029, 004, 111, 112. */
static void test_no_op_version_ie(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    EXPECT(UET_RC_OK, .opcode = UET_OP_NO_OP, .message_id = 1, .pid = 0xf000, .ri = 0xf000);
    EXPECT(UET_RC_UNSUPPORTED_SIZE, .opcode = UET_OP_NO_OP, .message_id = 1, .payload = 4);
    EXPECT(UET_RC_UNSUPPORTED_SIZE, .opcode = UET_OP_NO_OP, .message_id = 1, .not_eom = true);
    EXPECT(UET_RC_UNCOR, WRITE4, .version = 1);
    EXPECT(UET_RC_INITIATOR_ERROR, WRITE4, .ie = true);
    assert_true(untouched(&t));
    EXPECT(UET_RC_OK, WRITE4);
    peer_free(&t);
}

/* SES-059, 064, 065, 051, 061: JobID on the buffer, right, range. */
static void test_buffer_checks(void **state)
{
    static uint8_t memory[100];
    struct peer t;
    (void)state;
    begin(&t, NULL);
    struct uet_region g = {.job_id = JOB,
                           .pid_on_fep = PID,
                           .resource_index = RI,
                           .key = 1,
                           .rights = UET_RIGHT_READ,
                           .base = memory,
                           .length = sizeof memory};
    assert_int_equal(uet_fep_region_add(t.fep, &g), 1);
    assert_int_equal(uet_fep_region_add(t.fep, &g), -EEXIST);
    g.key = 2;
    g.any_job = true;
    g.rights = UET_RIGHT_WRITE | UET_RIGHT_READ;
    assert_int_equal(uet_fep_region_add(t.fep, &g), 2);
    EXPECT(UET_RC_OP_VIOLATION, WRITE4, .key = 1);
    EXPECT(UET_RC_PERM_VIOLATION, WRITE4, .abs = true, .job_id = 0xabcdef);
    EXPECT(UET_RC_PERM_VIOLATION, WRITE4, .abs = true, .job_id = 0xabcdef, .key = 1);
    EXPECT(UET_RC_OK, WRITE4, .abs = true, .job_id = 0xabcdef, .key = 2);
    EXPECT(UET_RC_OK, WRITE4, .abs = true, .job_id = 0x111111, .key = 2, .offset = 96);
    EXPECT(UET_RC_BAD_ADDR, WRITE4, .key = 2, .offset = 97);
    EXPECT(UET_RC_BAD_ADDR, WRITE4, .key = 2, .offset = 100);
    EXPECT(UET_RC_BAD_ADDR, WRITE4, .key = 2, .offset = UINT64_MAX - 1);
    EXPECT(UET_RC_OK, .opcode = UET_OP_WRITE, .message_id = 2, .key = 2, .offset = 100);
    EXPECT(UET_RC_BAD_ADDR, .opcode = UET_OP_WRITE, .message_id = 2, .key = 2, .offset = 101);
    post(&t, 0, 100, false);
    EXPECT(UET_RC_PERM_VIOLATION, SEND4, .abs = true, .job_id = 0xabcdef);
    EXPECT(UET_RC_OK, SEND4);
    peer_free(&t);
}

/* SES-050: the same PIDonFEP and RI in two jobs, relative. */
static void test_two_jobs(void **state)
{
    static uint8_t memory[100];
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const struct uet_service s = {.job_id = 77, .pid_on_fep = PID, .resource_index = RI};
    const struct uet_region g = {.job_id = 77,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = memory,
                                 .length = sizeof memory};
    memset(memory, 0, sizeof memory);
    assert_int_equal(uet_fep_service_add(t.fep, &s), 0);
    assert_int_equal(uet_fep_service_add(t.fep, &s), -EEXIST);
    assert_int_equal(uet_fep_region_add(t.fep, &g), 1);
    EXPECT(UET_RC_OK, WRITE4, .job_id = 77);
    assert_int_equal(memory[0], 1);
    assert_true(untouched(&t));
    EXPECT(UET_RC_OK, WRITE4);
    assert_int_equal(t.region[0], 1);
    peer_free(&t);
}

/* SES-068..070: write with immediate, single and multi-packet. */
static void test_immediate(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    EXPECT(UET_RC_OK, WRITE4, .header_data = 5);
    no_completion(&t);
    EXPECT(UET_RC_OK, WRITE4, .hd = true, .header_data = 0x1122334455667788);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.kind, UET_COMPLETION_WRITE);
    assert_true(c.has_header_data && c.header_data == 0x1122334455667788);
    assert_int_equal(c.token, 0);
    assert_int_equal(c.length, 4);
    assert_int_equal(c.job_id, JOB);
    assert_true(uet_ip_equal(&c.peer, &t.ip));
    EXPECT(UET_RC_OK, .opcode = UET_OP_WRITE, .message_id = 5, .length = MTU + 8, .payload = 8,
           .not_som = true, .message_offset = MTU, .fill = 7);
    no_completion(&t);
    EXPECT(UET_RC_OK, .opcode = UET_OP_WRITE, .message_id = 5, .length = MTU + 8, .payload = MTU,
           .not_eom = true, .fill = 6, .hd = true, .header_data = 42);
    c = completion(&t);
    assert_true(c.header_data == 42 && c.length == MTU + 8);
    assert_int_equal(t.region[0], 6);
    assert_int_equal(t.region[MTU - 1], 6);
    assert_int_equal(t.region[MTU], 7);
    assert_int_equal(t.region[MTU + 7], 7);
    assert_int_equal(t.region[MTU + 8], 0);
    no_completion(&t);
    peer_free(&t);
}

/* SES-090, 096, 101, 102, 124. */
static void test_send(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    EXPECT(UET_RC_NO_MATCH, SEND4);
    post(&t, 0, 100, false);
    post(&t, 1, 100, true);
    EXPECT(UET_RC_TOO_LONG, .opcode = UET_OP_SEND, .message_id = 3, .length = 200, .payload = 200);
    no_completion(&t); /* the buffer was not used up */
    EXPECT(UET_RC_OK, SEND4);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.kind, UET_COMPLETION_RECEIVE);
    assert_int_equal(c.token, 0);
    assert_int_equal(c.length, 4);
    assert_int_equal(c.initiator, 0xabcd);
    assert_memory_equal(t.buffer[0], "\2\2\2\2\0", 5);
    EXPECT(UET_RC_OK, .opcode = UET_OP_SEND, .message_id = 3, .length = 200, .payload = 200,
           .fill = 8);
    assert_int_equal(uet_ses_rsp_opcode(uet_ses(&t.p)), UET_RSP_RESPONSE);
    assert_int_equal(uet_ses_rsp_modified_length(uet_ses(&t.p)), 100);
    c = completion(&t);
    assert_int_equal(c.length, 100);
    assert_int_equal(t.buffer[1][99], 8);
    assert_int_equal(t.buffer[1][100], 0);
    EXPECT(UET_RC_NO_MATCH, SEND4);
    peer_free(&t);
}

/* SES-015..019: small and medium headers. */
static void test_short_headers(void **state)
{
    static uint8_t memory[100];
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = 1ull << 62 | RI,
                                 .rights = UET_RIGHT_WRITE,
                                 .base = memory,
                                 .length = sizeof memory};
    memset(memory, 0, sizeof memory);
#define SHORT(form) .header = (form), .opcode = UET_OP_WRITE, .length = 4, .payload = 4, .fill = 1
    EXPECT(UET_RC_BAD_MKEY, SHORT(UET_OP_HEADER_SMALL));
    assert_int_equal(uet_fep_region_add(t.fep, &g), 1);
    EXPECT(UET_RC_OK, SHORT(UET_OP_HEADER_SMALL), .offset = 10);
    assert_int_equal(memory[9], 0);
    assert_int_equal(memory[10], 1);
    assert_int_equal(memory[13], 1);
    assert_true(untouched(&t));
    EXPECT(UET_RC_OP_VIOLATION, SHORT(UET_OP_HEADER_SMALL), .not_eom = true);
    EXPECT(UET_RC_OP_VIOLATION, SHORT(UET_OP_HEADER_MEDIUM), .not_som = true);
    EXPECT(UET_RC_OK, SHORT(UET_OP_HEADER_MEDIUM), .offset = 3);
    assert_memory_equal(t.region, "\0\0\0\1\1\1\1\0", 8);
    post(&t, 0, 100, false);
    EXPECT(UET_RC_OK, .header = UET_OP_HEADER_SMALL, .opcode = UET_OP_SEND, .length = 4,
           .payload = 4, .fill = 5);
    assert_memory_equal(t.buffer[0], "\5\5\5\5\0", 5);
    peer_free(&t);
}

/* SES-044..049, 066: the parts of a message. */
static void test_forms(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
#define PART(id, ...) .opcode = UET_OP_WRITE, .message_id = id, __VA_ARGS__
    EXPECT(UET_RC_OP_VIOLATION, PART(1, .length = 2 * MTU, .payload = MTU - 1, .not_eom = true));
    EXPECT(UET_RC_OP_VIOLATION, PART(2, .length = 4, .payload = 3));
    EXPECT(UET_RC_OP_VIOLATION, PART(3, .length = 3, .payload = 4));
    EXPECT(UET_RC_OP_VIOLATION, PART(4, .length = 2 * MTU, .payload = 512, .payload_length = 1024,
                                     .not_som = true, .not_eom = true, .message_offset = MTU));
    EXPECT(UET_RC_OP_VIOLATION,
           PART(5, .length = MTU + 8, .payload = 16, .not_som = true, .message_offset = MTU));
    EXPECT(UET_RC_OP_VIOLATION,
           PART(6, .length = MTU + 8, .payload = 4, .not_som = true, .message_offset = MTU));
    EXPECT(UET_RC_BAD_ADDR,
           PART(7, .length = 4 * MTU, .payload = MTU, .not_eom = true, .offset = 20000 - 2 * MTU));
    assert_true(untouched(&t));
    EXPECT(UET_RC_OK, PART(8, .length = 2 * MTU, .payload = MTU, .not_eom = true));
    EXPECT(UET_RC_PERM_VIOLATION, PART(8, .length = 2 * MTU, .payload = MTU, .not_som = true,
                                       .message_offset = MTU, .key = 3));
    EXPECT(UET_RC_OK, PART(9, .length = 2 * MTU, .payload = MTU, .not_eom = true));
    EXPECT(UET_RC_OP_VIOLATION, .opcode = UET_OP_SEND, .message_id = 9, .length = 2 * MTU,
           .payload = MTU, .not_som = true, .message_offset = MTU);
    peer_free(&t);
}

/* SES-113, 115, 116: the first error of a message stays; other messages go on. */
static void test_sticky(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    post(&t, 0, 8192, false);
    post(&t, 1, 8192, false);
#define SENDPART(...)                                                                              \
    .opcode = UET_OP_SEND, .message_id = 5, .length = 2 * MTU, .payload = MTU, __VA_ARGS__
    EXPECT(UET_RC_BAD_INDEX, SENDPART(.not_eom = true, .ri = 9));
    EXPECT(UET_RC_OK, SEND4);
    assert_int_equal(completion(&t).token, 0);
    EXPECT(UET_RC_BAD_INDEX, SENDPART(.not_som = true, .message_offset = MTU));
    no_completion(&t);
    /* Both parts have come, so the id may be used again; a receive fails with its message. */
    EXPECT(UET_RC_OK, SENDPART(.not_eom = true));
    EXPECT(UET_RC_INITIATOR_ERROR, SENDPART(.not_som = true, .message_offset = MTU, .ie = true));
    struct uet_completion c = completion(&t);
    assert_int_equal(c.token, 1);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, UET_RC_INITIATOR_ERROR);
    peer_free(&t);
}

static void two_messages(struct uet_fep_config *c)
{
    c->max_messages = 2;
}

/* SES-130: no message state left; SES-049: a message may begin with any part. */
static void test_no_message_state(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_messages);
    for (uint16_t id = 1; id <= 2; id++)
        EXPECT(UET_RC_OK,
               PART(id, .length = 2 * MTU, .payload = MTU, .not_som = true, .message_offset = MTU));
    struct req r = {PART(3, .length = 2 * MTU, .payload = MTU, .not_eom = true)};
    r.psn = psn + 1;
    r.no_syn = r.has_clear = true;
    r.clear = psn;
    request(&t, &r);
    const uint8_t *h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), 0x09);
    EXPECT(UET_RC_OK, PART(1, .length = 2 * MTU, .payload = MTU, .not_eom = true));
    EXPECT(UET_RC_OK, PART(3, .length = 2 * MTU, .payload = MTU, .not_eom = true));
    peer_free(&t);
}

/* A PDC that goes takes its messages along; the receive is told. */
static void test_abandoned(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    post(&t, 0, 8192, false);
    EXPECT(UET_RC_OK, SENDPART(.not_eom = true));
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = ++psn, .ar = true});
    forget(&t);
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    assert_int_equal(c.token, 0);
    assert_int_equal(c.length, MTU);
    assert_int_equal(counter(t.fep, "ses_message_abandoned"), 1);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_enabled_generation),
        cmocka_unit_test(test_msg_error),
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_no_op_version_ie),
        cmocka_unit_test(test_buffer_checks),
        cmocka_unit_test(test_two_jobs),
        cmocka_unit_test(test_immediate),
        cmocka_unit_test(test_send),
        cmocka_unit_test(test_short_headers),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_sticky),
        cmocka_unit_test(test_no_message_state),
        cmocka_unit_test(test_abandoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
