/* SPDX-License-Identifier: BSD-2-Clause */
/* Deferred sends and rendezvous, at both ends, when the other one says no more (3.4.3.4;
 * ses/held.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/tests/shared/peer.h"

#define S0   1000u
#define MTU  4096u
#define WAIT (8000 * MS) /* Deferral_Time */

static uint32_t psn;

static void two_places(struct uet_fep_config *c)
{
    c->max_held = 2;
}

static void begin(struct peer *t, void (*change)(struct uet_fep_config *))
{
    peer_init(t, change);
    open_pdc(t, S0);
    psn = S0;
}

/* Sends the request on the open PDC with ar=1 and returns the code of its response. */
static uint8_t ask(struct peer *t, struct req r)
{
    r.psn = ++psn;
    r.no_syn = r.ar = r.has_clear = true;
    r.clear = psn - 1;
    request(t, &r);
    take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), psn);
    return uet_ses_rsp_return_code(uet_ses(&t->p));
}

static uint8_t send_deferrable(struct peer *t, uint32_t irt)
{
    const struct req r = {.opcode = UET_OP_DEFERRABLE_SEND,
                          .message_id = (uint16_t)irt,
                          .length = 4,
                          .payload = 4,
                          .offset = (uint64_t)irt << 32,
                          .fill = 1};
    return ask(t, r);
}

static bool is_deferral(const struct peer *t)
{
    const uint8_t *s = uet_ses(&t->p);
    return uet_ses_rsp_opcode(s) == UET_RSP_RESPONSE && uet_ses_rsp_list(s) == UET_LIST_OVERFLOW &&
           !uet_ses_rsp_modified_length(s);
}

static uint8_t send_plain(struct peer *t)
{
    return ask(
        t,
        (struct req){.opcode = UET_OP_SEND, .message_id = 9, .length = 4, .payload = 4, .fill = 7});
}

/* The next frame is an RTR for that token; the tokens of the target's. */
static uint32_t take_rtr(struct peer *t, uint32_t irt)
{
    take(t);
    assert_int_equal(t->p.ses, UET_H_SES_REQ_RTR);
    assert_int_equal(uet_ses_req_rtr_irt(uet_ses(&t->p)), irt);
    return uet_ses_req_rtr_trt(uet_ses(&t->p));
}

/* Time passes, in which the FEP may say anything. */
static void pass(struct peer *t, uint64_t ns)
{
    for (uint64_t step = ns / 100; ns >= step && ns; ns -= step) {
        advance(t, step);
        forget(t);
    }
}

/* SES-153: no room is RC_NO_MATCH; what is old makes room. */
static void test_room(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, two_places);
    for (uint32_t irt = 1; irt <= 2; irt++) {
        assert_int_equal(send_deferrable(&t, irt), UET_RC_OK);
        assert_true(is_deferral(&t));
    }
    assert_int_equal(send_deferrable(&t, 3), UET_RC_NO_MATCH);
    assert_int_equal(send_deferrable(&t, 1), UET_RC_OK); /* begun anew: it has its place */
    assert_true(is_deferral(&t));
    pass(&t, WAIT);
    assert_int_equal(send_deferrable(&t, 4), UET_RC_OK);
    assert_true(is_deferral(&t));
    peer_free(&t);
}

/* SES-146: of a message without bytes no part can be missing. */
static void test_empty(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    assert_int_equal(ask(&t, (struct req){.opcode = UET_OP_DEFERRABLE_SEND, .message_id = 4}),
                     UET_RC_NO_MATCH);
    peer_free(&t);
}

/* An RTR that nobody answers: the receive has its old place, before those posted later. */
static void test_receive_comes_back(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    assert_int_equal(send_deferrable(&t, 5), UET_RC_OK);
    post(&t, 0, 100, false);
    take_rtr(&t, 5);
    post(&t, 1, 100, false);
    pass(&t, 20000 * MS); /* Max_RTO_Retx_Cnt resends */
    assert_int_equal(send_plain(&t), UET_RC_OK);
    assert_int_equal(t.buffer[0][0], 7);
    assert_int_equal(t.buffer[1][0], 0);
    peer_free(&t);
}

/* An RTR that was accepted, and no message: the receive is free after Deferral_Time. */
static void test_no_restart(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const uint16_t spdcid = t.spdcid, dpdcid = t.dpdcid;
    assert_int_equal(send_deferrable(&t, 6), UET_RC_OK);
    post(&t, 0, 100, false);
    take_rtr(&t, 6);
    const uint32_t of = uet_packet_psn(&t.p);
    t.spdcid = 0x4321;
    t.dpdcid = uet_spdcid(&t.p);
    ack(&t, &(struct ack_spec){.cack = of, .psn = of, .code = UET_RC_OK});
    t.spdcid = spdcid;
    t.dpdcid = dpdcid;
    pass(&t, WAIT / 2);
    assert_int_equal(send_plain(&t), UET_RC_NO_MATCH); /* it is promised */
    pass(&t, WAIT);
    assert_int_equal(send_plain(&t), UET_RC_OK);
    assert_int_equal(t.buffer[0][0], 7);
    peer_free(&t);
}

/* A message that was promised a receive and begins anew by itself takes it. */
static void test_begun_anew(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    assert_int_equal(send_deferrable(&t, 7), UET_RC_OK);
    post(&t, 0, 100, false);
    take_rtr(&t, 7);
    assert_int_equal(send_deferrable(&t, 7), UET_RC_OK);
    assert_false(is_deferral(&t));
    assert_int_equal(t.buffer[0][0], 1);
    post(&t, 1, 100, false); /* and that is all: nothing is held any more */
    assert_int_equal(send_plain(&t), UET_RC_OK);
    assert_int_equal(t.buffer[1][0], 7);
    peer_free(&t);
}

/*
 * The only receive is held by a message that does not go on, as its initiator has forgotten it:
 * that is asked when a deferred send begins anew, and the receive ends in error.
 */
static void test_holder_is_gone(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, NULL);
    const uint16_t spdcid = t.spdcid, dpdcid = t.dpdcid;
    post(&t, 0, MTU + 4, false);
    request(&t, &(struct req){.opcode = UET_OP_SEND,
                              .message_id = 3,
                              .psn = S0 + 1,
                              .no_syn = true,
                              .not_eom = true,
                              .length = MTU + 4,
                              .payload = MTU});
    t.spdcid++;
    open_pdc(&t, S0);
    psn = S0;
    assert_int_equal(send_deferrable(&t, 8), UET_RC_OK);
    assert_true(is_deferral(&t));
    take_nothing(&t); /* it may go on */
    pass(&t, WAIT);
    assert_int_equal(send_deferrable(&t, 8), UET_RC_OK);
    assert_true(is_deferral(&t));
    const uint8_t *h = take(&t);
    assert_int_equal(uet_cp_ctl_type(h), UET_CTL_NOOP);
    assert_int_equal(uet_cp_dpdcid(h), spdcid);
    const uint32_t of = uet_cp_psn(h);
    t.spdcid = spdcid;
    t.dpdcid = dpdcid;
    nack_with(&t, &(struct nack_spec){.code = UET_NACK_INV_DPDCID, .psn = of, .no_pdc = true});
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    post(&t, 1, 100, false);
    take_rtr(&t, 8);
    peer_free(&t);
}

/* The FEP as initiator: without an RTR it begins anew after Deferral_Time. */
static void test_no_rtr(void **state)
{
    static const uint8_t data[4] = {1, 2, 3, 4};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    const struct uet_operation op = {.to = t.ip,
                                     .opcode = UET_OP_DEFERRABLE_SEND,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .data = data,
                                     .length = sizeof data};
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    take(&t);
    const uint32_t irt = uet_ses_req_defer_irt(uet_ses(&t.p)), of = uet_packet_psn(&t.p);
    t.spdcid = 0x4321;
    t.dpdcid = uet_spdcid(&t.p);
    ack(&t,
        &(struct ack_spec){.cack = of, .psn = of, .opcode = UET_RSP_RESPONSE, .code = UET_RC_OK});
    forget(&t);
    for (uint64_t at = 0; at < WAIT - 10 * MS; at += 10 * MS) {
        advance(&t, 10 * MS);
        take_nothing(&t);
    }
    advance(&t, 10 * MS);
    take(&t);
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_DEFERRABLE_SEND);
    assert_int_equal(uet_ses_req_defer_irt(uet_ses(&t.p)), irt);
    assert_int_equal(uet_ses_req_defer_trt(uet_ses(&t.p)), 0);
    assert_true(uet_ses_req_som(uet_ses(&t.p)));
    peer_free(&t);
}

/* ---- rendezvous ---- */

#define PATIENCE (100 * MS) /* Rendezvous_Time */

static void one_place(struct uet_fep_config *c)
{
    c->max_held = 1;
    c->params.Rendezvous_Time = PATIENCE;
    c->params.Max_ACK_Data_Size = 1024;
}

/* The FEP as initiator: it sends a rendezvous of 100 bytes, and the target accepts it. */
static void fep_offers(struct peer *t)
{
    peer_init(t, one_place);
    const struct uet_operation op = {.to = t->ip,
                                     .opcode = UET_OP_RENDEZVOUS_SEND,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .data = t->region,
                                     .eager = 10,
                                     .length = 100};
    assert_int_equal(uet_fep_submit(t->fep, &op, t->now), 0);
    take(t);
    const uint32_t of = uet_packet_psn(&t->p);
    t->spdcid = 0x4321;
    t->dpdcid = uet_spdcid(&t->p);
    ack(t, &(struct ack_spec){.cack = of, .psn = of, .code = UET_RC_OK, .modified = 100});
    forget(t);
}

/* The target never reads. The region is free then. */
static void test_never_read(void **state)
{
    struct peer t;
    (void)state;
    fep_offers(&t);
    pass(&t, PATIENCE - MS);
    no_completion(&t);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), -EBUSY);
    pass(&t, MS);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    assert_int_equal(uet_fep_region_remove(t.fep, 0), 0);
    peer_free(&t);
}

/* The target reads the rest, by a PDC of its own: the data goes in the ACK. */
static void reads_rest(struct peer *t)
{
    t->spdcid = 0x5555;
    open_pdc(t, S0);
    request(t, &(struct req){.psn = S0 + 1,
                             .no_syn = true,
                             .ar = true,
                             .has_clear = true,
                             .clear = S0,
                             .opcode = UET_OP_READ,
                             .message_id = 1,
                             .offset = 10,
                             .length = 90});
    take(t);
    assert_true(uet_is_ack(&t->p) && uet_is_ses_response_data(&t->p));
}

/* It ends well when the data has arrived: the clear of the ACK says so. */
static void test_read_in_ack(void **state)
{
    struct peer t;
    (void)state;
    fep_offers(&t);
    reads_rest(&t);
    pass(&t, MS);
    no_completion(&t);
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLEAR_COMMAND, .payload = S0 + 1});
    pass(&t, MS);
    assert_int_equal(completion(&t).status, UET_STATUS_OK);
    peer_free(&t);
}

/* It is never cleared: whether the data has arrived nobody knows. */
static void test_read_lost(void **state)
{
    struct peer t;
    (void)state;
    fep_offers(&t);
    reads_rest(&t);
    pass(&t, PATIENCE);
    assert_int_equal(completion(&t).status, UET_STATUS_PDS_ERROR);
    peer_free(&t);
}

/* Of so many bytes, of which it brings some itself; its PSN is its message_id behind S0. */
static void send_rendezvous(struct peer *t, uint16_t message_id, uint8_t length, uint8_t eager)
{
    uint8_t behind[UET_SES_EXT_RENDEZVOUS_BYTES + 4] = {0};
    uet_ses_ext_rendezvous_eager_length_set(behind, eager);
    uet_ses_ext_rendezvous_read_memory_key_set(behind, message_id);
    request(t, &(struct req){.psn = S0 + message_id,
                             .no_syn = true,
                             .ar = true,
                             .has_clear = true,
                             .clear = S0,
                             .opcode = UET_OP_RENDEZVOUS_SEND,
                             .message_id = message_id,
                             .length = length,
                             .raw = behind,
                             .raw_length = (uint8_t)(UET_SES_EXT_RENDEZVOUS_BYTES + eager)});
    take(t);
}

static void is_answered(const struct peer *t, uint8_t return_code)
{
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), return_code);
}

/* As target: who brings all itself needs no place. One held for long makes room for another. */
static void test_room_to_read(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, one_place);
    send_rendezvous(&t, 1, 100, 0);
    is_answered(&t, UET_RC_OK);
    assert_true(is_deferral(&t)); /* there is no receive: it is held */
    post(&t, 0, 4, false);        /* too short for it */
    post(&t, 1, 4, false);
    send_rendezvous(&t, 2, 4, 4);
    is_answered(&t, UET_RC_OK);
    assert_int_equal(completion(&t).token, 0);
    send_rendezvous(&t, 3, 4, 2);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(uet_pds(&t.p)), UET_NACK_NO_RESOURCE);
    pass(&t, PATIENCE);
    send_rendezvous(&t, 3, 4, 2);
    is_answered(&t, UET_RC_OK);
    take(&t);
    assert_int_equal(uet_ses_req_opcode(uet_ses(&t.p)), UET_OP_READ);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room),           cmocka_unit_test(test_empty),
        cmocka_unit_test(test_no_restart),     cmocka_unit_test(test_receive_comes_back),
        cmocka_unit_test(test_holder_is_gone), cmocka_unit_test(test_begun_anew),
        cmocka_unit_test(test_no_rtr),         cmocka_unit_test(test_never_read),
        cmocka_unit_test(test_read_in_ack),    cmocka_unit_test(test_read_lost),
        cmocka_unit_test(test_room_to_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
