/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rendezvous with its receive: the rest is read while the eager part still comes, and the receive
 * ends when both are over, however either ends (SES-156; ses/held.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "refimpl/tests/shared/peer.h"

#define S0    1000u
#define MTU   4096u
#define EAGER (2 * MTU)
#define REST  8u
#define ALL   (EAGER + REST)
#define ID    77u

static const uint32_t eager = EAGER;

struct meeting {
    struct peer t;
    uint16_t spdcid, dpdcid; /* of the PDC that the peer has opened */
    uint16_t read_pdc, read_id;
    uint32_t read_psn;
};

static void say(struct meeting *m, uint32_t part)
{
    const struct req r = {.opcode = UET_OP_RENDEZVOUS_SEND,
                          .message_id = ID,
                          .psn = S0 + 1 + part,
                          .no_syn = true,
                          .has_clear = true,
                          .clear = S0,
                          .not_som = part > 0,
                          .not_eom = part == 0,
                          .length = ALL,
                          .message_offset = part * MTU,
                          .payload = MTU,
                          .fill = (uint8_t)(part + 1),
                          .eager = &eager};
    m->t.spdcid = m->spdcid;
    m->t.dpdcid = m->dpdcid;
    request(&m->t, &r);
}

/* The FEP has begun to read the rest. */
static void hear_read(struct meeting *m)
{
    const struct peer *t = &m->t;
    do
        take(&m->t);
    while (!uet_is_request(&t->p));
    const uint8_t *s = uet_ses(&t->p);
    assert_int_equal(uet_ses_req_opcode(s), UET_OP_READ);
    assert_int_equal(uet_ses_req_buffer_offset(s), EAGER);
    assert_int_equal(uet_ses_request_length(&t->p), REST);
    m->read_pdc = uet_spdcid(&t->p);
    m->read_id = uet_ses_req_std_message_id(s);
    m->read_psn = uet_packet_psn(&t->p);
}

static void answer_read(struct meeting *m, uint8_t code)
{
    m->t.spdcid = 0x4321;
    m->t.dpdcid = m->read_pdc;
    if (code == UET_RC_OK)
        ack_data(&m->t, m->read_psn,
                 &(struct data_spec){.psn = m->read_psn,
                                     .message_id = m->read_id,
                                     .total = REST,
                                     .length = REST,
                                     .fill = 9});
    else
        ack(&m->t, &(struct ack_spec){.cack = m->read_psn,
                                      .psn = m->read_psn,
                                      .opcode = UET_RSP_RESPONSE,
                                      .code = code,
                                      .message_id = m->read_id});
}

static void say_error(struct meeting *m)
{
    m->t.spdcid = m->spdcid;
    m->t.dpdcid = m->dpdcid;
    request(&m->t, &(struct req){.opcode = UET_OP_MSG_ERROR,
                                 .message_id = ID,
                                 .psn = S0 + 2,
                                 .no_syn = true,
                                 .has_clear = true,
                                 .clear = S0,
                                 .not_som = true,
                                 .length = ALL,
                                 .message_offset = MTU});
}

static void begin(struct meeting *m, uint32_t room)
{
    peer_init(&m->t, NULL);
    post(&m->t, 0, room, true);
    open_pdc(&m->t, S0);
    m->spdcid = m->t.spdcid;
    m->dpdcid = m->t.dpdcid;
    say(m, 0);
}

/* The first packet of the eager part has come: the READ goes out before the second. (The buffers of
 * the peer lie side by side: the receive has two of them.) */
static void begin_to_read(struct meeting *m)
{
    begin(m, ALL);
    hear_read(m);
    no_completion(&m->t);
}

static void ends_well(struct meeting *m)
{
    const struct uet_completion c = completion(&m->t);
    const uint8_t *all = m->t.buffer[0];
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, ALL);
    assert_int_equal(all[0], 1);
    assert_int_equal(all[MTU], 2);
    assert_int_equal(all[EAGER - 1], 2);
    assert_int_equal(all[EAGER], 9);
    assert_int_equal(all[ALL - 1], 9);
    no_completion(&m->t);
    peer_free(&m->t);
}

static void ends_ill(struct meeting *m, uint8_t code)
{
    const struct uet_completion c = completion(&m->t);
    assert_int_equal(c.status, UET_STATUS_SES_ERROR);
    assert_int_equal(c.return_code, code);
    no_completion(&m->t);
    peer_free(&m->t);
}

static void test_eager_first(void **state)
{
    static struct meeting m;
    (void)state;
    begin_to_read(&m);
    say(&m, 1);
    no_completion(&m.t);
    answer_read(&m, UET_RC_OK);
    ends_well(&m);
}

static void test_rest_first(void **state)
{
    static struct meeting m;
    (void)state;
    begin_to_read(&m);
    answer_read(&m, UET_RC_OK);
    no_completion(&m.t);
    say(&m, 1);
    ends_well(&m);
}

/* The READ still writes into the receive: it is not given back before that is over. */
static void test_eager_fails(void **state)
{
    static struct meeting m;
    (void)state;
    begin_to_read(&m);
    say_error(&m);
    no_completion(&m.t);
    answer_read(&m, UET_RC_OK);
    ends_ill(&m, UET_RC_INITIATOR_ERROR);
}

static void test_eager_fails_last(void **state)
{
    static struct meeting m;
    (void)state;
    begin_to_read(&m);
    answer_read(&m, UET_RC_OK);
    no_completion(&m.t);
    say_error(&m);
    ends_ill(&m, UET_RC_INITIATOR_ERROR);
}

static void test_rest_fails(void **state)
{
    static struct meeting m;
    (void)state;
    begin_to_read(&m);
    answer_read(&m, UET_RC_BAD_MKEY);
    no_completion(&m.t);
    say(&m, 1);
    ends_ill(&m, UET_RC_BAD_MKEY);
}

/* A receive that the eager part fills: there is nothing to be read. */
static void test_no_room_for_rest(void **state)
{
    static struct meeting m;
    (void)state;
    begin(&m, EAGER);
    say(&m, 1);
    const struct uet_completion c = completion(&m.t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, EAGER);
    assert_int_equal(counter(m.t.fep, "ses_rendezvous_read"), 0);
    peer_free(&m.t);
}

/* ---- without a receive at first, and the second packet overtakes the first ---- */

#define BOTH (MTU + REST) /* bytes of the two, and of the message */
#define DATA 0x1122334455667788u

static const uint32_t both = BOTH;

static void say_one(struct meeting *m, uint32_t part)
{
    m->t.spdcid = m->spdcid;
    m->t.dpdcid = m->dpdcid;
    request(&m->t, &(struct req){.opcode = UET_OP_RENDEZVOUS_SEND,
                                 .message_id = ID,
                                 .psn = S0 + 1 + part,
                                 .no_syn = true,
                                 .has_clear = true,
                                 .clear = S0,
                                 .not_som = part > 0,
                                 .not_eom = part == 0,
                                 .hd = part == 0,
                                 .header_data = DATA,
                                 .length = BOTH,
                                 .message_offset = part * MTU,
                                 .payload = part ? REST : MTU,
                                 .eager = &both});
}

/* In the place of the first packet. */
static void stop(struct meeting *m)
{
    m->t.spdcid = m->spdcid;
    m->t.dpdcid = m->dpdcid;
    request(&m->t, &(struct req){.opcode = UET_OP_MSG_ERROR,
                                 .message_id = ID,
                                 .psn = S0 + 1,
                                 .no_syn = true,
                                 .has_clear = true,
                                 .clear = S0,
                                 .not_som = true,
                                 .length = BOTH,
                                 .message_offset = REST});
}

static void begin_held(struct meeting *m)
{
    peer_init(&m->t, NULL);
    open_pdc(&m->t, S0);
    m->spdcid = m->t.spdcid;
    m->dpdcid = m->t.dpdcid;
    say_one(m, 1);
    forget(&m->t);
}

/* Its receive is posted, and all of it has been read. */
static void read_held(struct meeting *m)
{
    uint32_t psn[2];
    post(&m->t, 0, BOTH, false);
    for (unsigned i = 0; i < 2; i++) {
        take(&m->t);
        assert_int_equal(uet_ses_req_opcode(uet_ses(&m->t.p)), UET_OP_READ);
        psn[i] = uet_packet_psn(&m->t.p);
        m->read_pdc = uet_spdcid(&m->t.p);
        m->read_id = uet_ses_req_std_message_id(uet_ses(&m->t.p));
    }
    m->t.spdcid = 0x4321;
    m->t.dpdcid = m->read_pdc;
    ack(&m->t,
        &(struct ack_spec){.cack = psn[1], .psn = psn[1], .code = UET_RC_OK, .modified = BOTH});
    for (unsigned i = 0; i < 2; i++)
        returned(&m->t, &(struct data_spec){.psn = psn[i],
                                            .message_id = m->read_id,
                                            .total = BOTH,
                                            .offset = i * MTU,
                                            .length = i ? REST : MTU,
                                            .fill = (uint8_t)(i + 1)});
    forget(&m->t);
    no_completion(&m->t);
}

/* SES-174: whether there is header data is not known before the first packet. */
static void test_first_packet_last(void **state)
{
    static struct meeting m;
    (void)state;
    begin_held(&m);
    read_held(&m);
    say_one(&m, 0);
    const struct uet_completion c = completion(&m.t);
    assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(c.length, BOTH);
    assert_true(c.has_header_data);
    assert_int_equal(c.header_data, DATA);
    assert_int_equal(m.t.buffer[0][0], 1);
    assert_int_equal(m.t.buffer[0][BOTH - 1], 2);
    no_completion(&m.t);
    peer_free(&m.t);
}

static void test_stopped_when_read(void **state)
{
    static struct meeting m;
    (void)state;
    begin_held(&m);
    read_held(&m);
    stop(&m);
    ends_ill(&m, UET_RC_INITIATOR_ERROR);
}

/* Then it is not read. */
static void test_stopped_before_receive(void **state)
{
    static struct meeting m;
    (void)state;
    begin_held(&m);
    stop(&m);
    forget(&m.t);
    post(&m.t, 0, BOTH, false);
    take_nothing(&m.t);
    no_completion(&m.t);
    assert_int_equal(counter(m.t.fep, "ses_held_given_up"), 1);
    peer_free(&m.t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eager_first),
        cmocka_unit_test(test_rest_first),
        cmocka_unit_test(test_eager_fails),
        cmocka_unit_test(test_eager_fails_last),
        cmocka_unit_test(test_rest_fails),
        cmocka_unit_test(test_no_room_for_rest),
        cmocka_unit_test(test_first_packet_last),
        cmocka_unit_test(test_stopped_when_read),
        cmocka_unit_test(test_stopped_before_receive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
