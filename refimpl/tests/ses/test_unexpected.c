/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends that are kept until they have their receive, at both ends (ses/unexpected.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "refimpl/choices.h"
#include "refimpl/tests/shared/peer.h"

#define S0  1000u
#define MTU 4096u

static uint32_t psn;

/* A SEND service that keeps, an open PDC. */
static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    const struct uet_service s = {.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .ri_class = UET_RI_SEND,
                                  .keeps_unexpected = true};
    peer_init(t, change);
    assert_int_equal(uet_fep_service_set(t->fep, &s), 0);
    open_pdc(t, S0);
    psn = S0;
}

static void say(struct peer *t, struct req r)
{
    r.no_syn = r.ar = r.has_clear = true;
    r.clear = r.clear ? r.clear : S0;
    r.opcode = UET_OP_SEND;
    request(t, &r);
}

/* The packet with this PSN is answered so. */
static void answered(struct peer *t, uint32_t of, uint8_t opcode, uint8_t code, uint32_t modified)
{
    take(t);
    const uint8_t *s = uet_ses(&t->p);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), of);
    assert_int_equal(uet_ses_rsp_opcode(s), opcode);
    assert_int_equal(uet_ses_rsp_return_code(s), code);
    assert_int_equal(uet_ses_rsp_modified_length(s), modified);
    bool overflow = opcode == UET_RSP_RESPONSE && code != UET_RC_NO_MATCH;
    assert_int_equal(uet_ses_rsp_list(s), overflow ? UET_LIST_OVERFLOW : UET_LIST_EXPECTED);
    if (opcode == UET_RSP_RESPONSE)
        assert_int_equal(uet_ack_req(uet_pds(&t->p)), UET_ACK_REQ_CLEAR);
}

static void kept(struct peer *t, uint32_t of)
{
    answered(t, of, UET_RSP_NO_RESPONSE, UET_RC_NULL, 0);
}

static uint32_t send_small(struct peer *t, uint8_t fill, uint32_t length)
{
    psn++;
    say(t, (struct req){.psn = psn,
                        .message_id = (uint16_t)psn,
                        .length = length,
                        .payload = length,
                        .fill = fill});
    return psn;
}

/* The i-th packet of one of three, the last of 100 bytes. */
static void send_part(struct peer *t, uint32_t i, uint16_t id)
{
    say(t, (struct req){.psn = psn + 1 + i,
                        .message_id = id,
                        .not_som = i != 0,
                        .not_eom = i != 2,
                        .length = 2 * MTU + 100,
                        .message_offset = i * MTU,
                        .payload = i == 2 ? 100 : MTU,
                        .hd = true,
                        .header_data = 0x1122334455667788,
                        .fill = (uint8_t)(i + 1)});
}

static void told(struct peer *t, uint8_t status, uint32_t token, uint32_t length)
{
    struct uet_completion c = completion(t);
    assert_int_equal(c.kind, UET_COMPLETION_RECEIVE);
    assert_int_equal(c.status, status);
    assert_int_equal(c.token, token);
    assert_int_equal(c.length, length);
}

/* A clear lets CACK go on. */
static void clear(struct peer *t, uint32_t up_to)
{
    cp(t, &(struct cp_spec){.ctl = UET_CTL_CLEAR_COMMAND, .payload = up_to});
}

static uint64_t count_of(const struct peer *t, const char *name)
{
    return counter(t->fep, name);
}

/* SES-098: not answered before the receive, then with guarantee. CACK waits below it (PDS-077). */
static void test_one(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    uint32_t of = send_small(&t, 7, 64);
    kept(&t, of);
    assert_int_equal(CACK(uet_pds(&t.p)), of - 1);
    assert_int_equal(uet_ack_req(uet_pds(&t.p)), UET_ACK_NO_REQUEST); /* PDS-076 */
    clear(&t, of); /* of what is promised nothing can be cleared */
    advance(&t, 1000 * MS);
    take_nothing(&t);
    no_completion(&t);
    post(&t, 0, 100, false);
    answered(&t, of, UET_RSP_RESPONSE, UET_RC_OK, 64);
    assert_int_equal(CACK(uet_pds(&t.p)), of - 1);
    told(&t, UET_STATUS_OK, 0, 64);
    assert_int_equal(t.buffer[0][63], 7);
    clear(&t, of);
    uint32_t next = send_small(&t, 8, 4);
    kept(&t, next);
    assert_int_equal(CACK(uet_pds(&t.p)), of);
    assert_int_equal(count_of(&t, "ses_unexpected"), 2);
    assert_int_equal(count_of(&t, "ses_unexpected_matched"), 1);
    peer_free(&t);
}

/* A copy of what is kept brings its response again: the promise, then the answer (PDS-087). */
static void test_copy(void **state)
{
    struct peer t;
    struct req r = {.psn = S0 + 1, .message_id = 3, .length = 8, .payload = 8, .retx = true};
    (void)state;
    begin(&t, NULL);
    say(&t, r);
    kept(&t, r.psn);
    say(&t, r);
    kept(&t, r.psn);
    post(&t, 0, 100, false);
    post(&t, 1, 100, false);
    answered(&t, r.psn, UET_RSP_RESPONSE, UET_RC_OK, 8);
    say(&t, r);
    answered(&t, r.psn, UET_RSP_RESPONSE, UET_RC_OK, 8);
    told(&t, UET_STATUS_OK, 0, 8);
    no_completion(&t);
    peer_free(&t);
}

/* The oldest first. */
static void test_order(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    for (uint8_t i = 1; i <= 3; i++)
        kept(&t, send_small(&t, i, 10u * i));
    for (uint8_t i = 1; i <= 3; i++) {
        post(&t, i, 100, false);
        answered(&t, S0 + i, UET_RSP_RESPONSE, UET_RC_OK, 10u * i);
        told(&t, UET_STATUS_OK, i, 10u * i);
        assert_int_equal(t.buffer[i][0], i);
    }
    peer_free(&t);
}

/* Packets before the receive, and after it, in any order: the receive at each place between. */
static void parts_in_order(const uint32_t order[3], uint32_t before)
{
    struct peer t;
    static uint8_t into[2 * MTU + 200];
    const struct uet_receive v = {.job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .base = into,
                                  .length = sizeof into,
                                  .token = 5};
    begin(&t, NULL);
    memset(into, 0xee, sizeof into);
    for (uint32_t n = 0; n < 3; n++) {
        uint32_t of = psn + 1 + order[n];
        if (n == before)
            assert_int_equal(uet_fep_post_receive(t.fep, &v), 0);
        send_part(&t, order[n], 9);
        if (n < before)
            kept(&t, of);
        else
            answered(&t, of, n == 2 && before ? UET_RSP_RESPONSE : UET_RSP_DEFAULT_RESPONSE,
                     UET_RC_OK, 2 * MTU + 100);
    }
    if (before == 3) {
        assert_int_equal(uet_fep_post_receive(t.fep, &v), 0);
        answered(&t, psn + 1 + order[2], UET_RSP_RESPONSE, UET_RC_OK, 2 * MTU + 100);
    }
    struct uet_completion c = completion(&t);
    assert_int_equal(c.length, 2 * MTU + 100);
    assert_true(c.has_header_data);
    assert_true(c.header_data == 0x1122334455667788);
    assert_int_equal(into[MTU - 1], 1);
    assert_int_equal(into[MTU], 2);
    assert_int_equal(into[2 * MTU], 3);
    assert_int_equal(into[2 * MTU + 99], 3);
    assert_int_equal(into[2 * MTU + 100], 0xee);
    peer_free(&t);
}

static void test_parts(void **state)
{
    static const uint32_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        for (uint32_t before = 0; before <= 3; before++)
            parts_in_order(orders[i], before);
    }
}

/* Too long for the receive (SES-101, SES-102): refused, and the receive is free; or cut. */
static void test_too_long(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    kept(&t, send_small(&t, 1, 64));
    kept(&t, send_small(&t, 2, 32));
    kept(&t, send_small(&t, 3, 64));
    post(&t, 0, 40, false);
    answered(&t, S0 + 1, UET_RSP_RESPONSE, UET_RC_TOO_LONG, 0);
    answered(&t, S0 + 2, UET_RSP_RESPONSE, UET_RC_OK, 32);
    told(&t, UET_STATUS_OK, 0, 32);
    assert_int_equal(t.buffer[0][0], 2);
    post(&t, 1, 40, true);
    answered(&t, S0 + 3, UET_RSP_RESPONSE, UET_RC_OK, 40);
    told(&t, UET_STATUS_OK, 1, 40);
    assert_int_equal(t.buffer[1][39], 3);
    assert_int_equal(t.buffer[1][40], 0);
    peer_free(&t);
}

static void two_of_4k(struct uet_fep_config *c)
{
    c->max_unexpected = 2;
    c->unexpected_bytes = MTU;
}

/* Full by number or by bytes: RC_NO_MATCH (SES-096); what is taken out makes room, all of it. */
static void test_full(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_of_4k);
    for (int round = 0; round < 3; round++) {
        uint32_t a = send_small(&t, 1, 0), b, c;
        kept(&t, a);
        kept(&t, b = send_small(&t, 2, MTU));
        answered(&t, c = send_small(&t, 3, 0), UET_RSP_RESPONSE, UET_RC_NO_MATCH, 0);
        post(&t, 0, MTU, false);
        answered(&t, a, UET_RSP_RESPONSE, UET_RC_OK, 0);
        told(&t, UET_STATUS_OK, 0, 0);
        answered(&t, send_small(&t, 4, 1), UET_RSP_RESPONSE, UET_RC_NO_MATCH, 0);
        post(&t, 1, MTU, false);
        answered(&t, b, UET_RSP_RESPONSE, UET_RC_OK, MTU);
        told(&t, UET_STATUS_OK, 1, MTU);
        assert_int_equal(t.buffer[1][MTU - 1], 2);
        clear(&t, psn);
        (void)c;
    }
    peer_free(&t);
}

static void four_slots(struct uet_fep_config *c)
{
    c->max_stored_responses = 4;
}

/* SES-099: admitted only with a slot for the answer; and only half of the slots are given so. */
static void test_slots(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, four_slots);
    kept(&t, send_small(&t, 1, 4));
    kept(&t, send_small(&t, 1, 4));
    for (int i = 0; i < 2; i++)
        answered(&t, send_small(&t, 1, 4), UET_RSP_RESPONSE, UET_RC_NO_MATCH, 0);
    post(&t, 0, 100, false);
    answered(&t, S0 + 1, UET_RSP_RESPONSE, UET_RC_OK, 4);
    uint32_t of = send_small(&t, 9, 4); /* there is a place for it, but no slot */
    take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NO_GTD_DEL_AVAIL);
    forget(&t);
    clear(&t, S0 + 1);
    psn--;
    assert_int_equal(send_small(&t, 9, 4), of);
    kept(&t, of);
    peer_free(&t);
}

/*
 * The only receive is held by half a message whose initiator has forgotten it: that is asked when
 * the answer to a kept send is asked for, and the send has a receive when another is posted.
 */
static void test_holder_is_gone(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const uint16_t spdcid = t.spdcid, dpdcid = t.dpdcid;
    post(&t, 0, 2 * MTU + 100, false);
    send_part(&t, 0, 3);
    forget(&t);
    t.spdcid++;
    open_pdc(&t, S0);
    psn = S0;
    const uint32_t of = send_small(&t, 7, 4);
    kept(&t, of);
    advance(&t, 1000 * MS);
    forget(&t);
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_ACK_REQUEST, .psn = of, .ar = true});
    kept(&t, of);
    t.spdcid = spdcid;
    t.dpdcid = dpdcid;
    const uint8_t *h = expect_cp(&t, UET_CTL_NOOP);
    assert_int_equal(uet_cp_dpdcid(h), spdcid);
    const uint32_t noop = uet_cp_psn(h);
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_INV_DPDCID, .psn = noop, .no_pdc = true});
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    post(&t, 1, 100, false);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    assert_int_equal(t.buffer[1][0], 7);
    peer_free(&t);
}

/* The slot is taken with the first packet: what comes meanwhile cannot have it. */
static void test_slot_of_many(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, four_slots);
    send_part(&t, 0, 4);
    kept(&t, S0 + 1);
    psn += 3;
    for (int i = 0; i < 3; i++)
        say(&t, (struct req){.psn = ++psn, .message_id = 70, .pid = 99, .length = 1, .payload = 1});
    forget(&t);
    psn = S0;
    send_part(&t, 1, 4);
    kept(&t, S0 + 2);
    send_part(&t, 2, 4);
    kept(&t, S0 + 3);
    peer_free(&t);
}

/* A message that fails while it is kept (SES-127): its place is free again, its receive, too. */
static void test_fails(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_of_4k);
    for (int round = 0; round < 3; round++) {
        say(&t, (struct req){.psn = ++psn,
                             .message_id = 8,
                             .not_eom = true,
                             .length = MTU + 1,
                             .payload = MTU,
                             .fill = 1});
        answered(&t, psn, UET_RSP_RESPONSE, UET_RC_NO_MATCH, 0); /* more than 4096 bytes */
    }
    peer_free(&t);
    begin(&t, NULL);
    send_part(&t, 0, 8);
    kept(&t, S0 + 1);
    const struct req end = {.psn = S0 + 2,
                            .opcode = UET_OP_MSG_ERROR,
                            .message_id = 8,
                            .no_syn = true,
                            .ar = true,
                            .not_som = true,
                            .length = 2 * MTU + 100,
                            .message_offset = MTU};
    request(&t, &end);
    take(&t);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)), UET_RC_INITIATOR_ERROR);
    assert_int_equal(count_of(&t, "ses_unexpected_lost"), 1);
    post(&t, 0, 100, false);
    no_completion(&t);
    peer_free(&t);
}

/* Closed by its initiator: no answer is owed, and what came is not lost. */
static void test_closed(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    kept(&t, send_small(&t, 7, 64));
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = ++psn, .ar = true});
    take(&t);
    assert_int_equal(CACK(uet_pds(&t.p)), psn);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    post(&t, 0, 8, false); /* too short, and nobody to tell: it is not for this one */
    no_completion(&t);
    post(&t, 1, 64, false);
    take_nothing(&t);
    told(&t, UET_STATUS_OK, 1, 64);
    assert_int_equal(t.buffer[1][63], 7);
    peer_free(&t);
}

/* Given up in error: its initiator may send it once more, so it is gone, whole or not. */
static void test_lost(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_of_4k);
    kept(&t, send_small(&t, 7, 64));
    uet_fep_close_request(t.fep, NULL, t.now);
    for (int i = 0; i < 60; i++) {
        advance(&t, 1000 * MS);
        forget(&t);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    assert_int_equal(count_of(&t, "ses_unexpected_lost"), 1);
    post(&t, 0, 100, false);
    no_completion(&t);
    open_pdc(&t, psn = 90000);
    uint32_t of = send_small(&t, 1, 4);
    answered(&t, of, UET_RSP_DEFAULT_RESPONSE, UET_RC_OK, 4);
    peer_free(&t);
}

static void at_once(struct uet_fep_config *c)
{
    static const struct uet_fep_choices choices = {.kept_told_at_once = true};
    c->choices = &choices;
}

/* A FEP may answer as soon as all is there; then a receive that is too short is not for it. */
static void test_at_once(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, at_once);
    uint32_t of = send_small(&t, 7, 64);
    answered(&t, of, UET_RSP_RESPONSE, UET_RC_OK, 64);
    post(&t, 0, 8, false);
    post(&t, 1, 100, false);
    take_nothing(&t);
    told(&t, UET_STATUS_OK, 1, 64);
    peer_free(&t);
}

static void headers(struct uet_fep_config *c)
{
    static const struct uet_fep_choices choices = {.keeps_headers = true};
    c->choices = &choices;
    c->unexpected_bytes = 0;
}

/* SES-097: modified_length says that nothing was kept but the header. */
static void test_headers(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, headers);
    answered(&t, send_small(&t, 7, 64), UET_RSP_RESPONSE, UET_RC_OK, 0);
    post(&t, 0, 100, false);
    told(&t, UET_STATUS_OK, 0, 0);
    assert_int_equal(t.buffer[0][0], 0);
    peer_free(&t);
}

/* ---- the initiator ---- */

/*
 * SES-110, PDS-077: what is promised is neither complete nor cleared; its answer is asked for, and
 * takes the place of one that got lost.
 */
static void test_promised(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 10);
    first(&t);
    const uint32_t s = t.start_psn;
    const uint16_t id = uet_ses_message_id(&t.p);
    t.dpdcid = uet_spdcid(&t.p);
    for (int i = 0; i < 40; i++) { /* far more than Max_RTO_Retx_Cnt */
        ack(&t, &(struct ack_spec){.cack = s - 1, .psn = s, .opcode = UET_RSP_NO_RESPONSE});
        forget(&t);
        advance(&t, 400 * MS);
        expect_cp(&t, UET_CTL_ACK_REQUEST);
        forget(&t);
    }
    no_completion(&t);
    fep_writes(&t, 10);
    take(&t);
    assert_int_equal(uet_packet_psn(&t.p), s + 1);
    assert_int_equal(uet_clear_psn(&t.p), s - 1);
    ack(&t, &(struct ack_spec){.cack = s - 1,
                               .psn = s,
                               .opcode = UET_RSP_RESPONSE,
                               .code = UET_RC_OK,
                               .message_id = id,
                               .list = UET_LIST_OVERFLOW,
                               .modified = 7});
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, 7);
    peer_free(&t);
}

/* The answer to the last that came covers those promised before it. */
static void test_promised_before(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, MTU + 10);
    first(&t);
    const uint32_t s = t.start_psn;
    const uint16_t id = uet_ses_message_id(&t.p);
    t.dpdcid = uet_spdcid(&t.p);
    forget(&t);
    ack(&t, &(struct ack_spec){.cack = s - 1, .psn = s + 1, .opcode = UET_RSP_NO_RESPONSE});
    ack(&t, &(struct ack_spec){.cack = s - 1, .psn = s, .opcode = UET_RSP_NO_RESPONSE});
    no_completion(&t);
    ack(&t, &(struct ack_spec){.cack = s - 1,
                               .psn = s,
                               .opcode = UET_RSP_RESPONSE,
                               .code = UET_RC_OK,
                               .message_id = id,
                               .modified = MTU + 10});
    no_completion(&t); /* whether all has arrived is not known yet */
    ack(&t, &(struct ack_spec){.cack = s + 1, .psn = s + 1, .opcode = UET_RSP_NO_RESPONSE});
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holder_is_gone),
        cmocka_unit_test(test_one),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_slot_of_many),
        cmocka_unit_test(test_fails),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_at_once),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_promised),
        cmocka_unit_test(test_promised_before),
        cmocka_unit_test(test_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
