/* SPDX-License-Identifier: BSD-2-Clause */
/* The life of an initiator's PDC: Start_PSN, closing, idleness (3.5.8.2, 3.5.8.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define CP(...)  cp(&t, &(struct cp_spec){__VA_ARGS__})
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK

/* PDS-199, 201, 205, 197: Close Command after the last ACK, resent until acknowledged. */
static void test_close(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 2);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    uet_fep_close(t.fep, NULL, t.now);
    take_nothing(&t); /* S + 1 is not acknowledged */
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    assert_int_equal(uet_cp_psn(h), S + 2);
    assert_true(uet_cp_ar(h));
    assert_int_equal(uet_cp_payload_value(h), 0);
    assert_int_equal(uet_cp_dpdcid(h), t.spdcid);
    advance(&t, 5 * MS);
    h = expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    assert_int_equal(uet_cp_psn(h), S + 2);
    assert_true(uet_cp_retx(h));
    ACK(.cack = S + 1, .psn = S + 2, .none = true); /* as REF: cack = close PSN - 1 */
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    assert_int_equal(counter(t.fep, "pdc_closed"), 1);
    peer_free(&t);
}

/* PDS-206: the Close ACK was lost. */
static void test_lost_close_ack(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    establish(&t, 1);
    uet_fep_close(t.fep, &t.ip, t.now);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    advance(&t, 5 * MS);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    nack(&t, 0x0e, t.start_psn + 1, 0);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 0);
    assert_int_equal(counter(t.fep, "pdc_closed_in_error"), 0);
    assert_true(uet_fep_deadline(t.fep) == UET_FEP_NEVER);
    peer_free(&t);
}

/* PDS-202, 208, 209: both ways to ask for the close. */
static void test_asked_to_close(void **state)
{
    struct peer t;
    (void)state;
    for (int way = 0; way < 2; way++) {
        peer_init(&t, NULL);
        establish(&t, 3);
        uint32_t S = t.start_psn;
        uint16_t old = t.dpdcid;
        expect_request(&t, S + 1, false);
        fep_writes(&t, 10);
        if (way == 0) {
            CP(.ctl = UET_CTL_CLOSE_REQUEST, .psn = S, .ar = true);
            const uint8_t *h = take(&t);
            assert_true(uet_is_ack(&t.p));
            assert_int_equal(CACK(h), S);
            assert_int_equal(uet_ack_req(h), 0);
        } else {
            ACK(.cack = S, .psn = S, OK_RSP, .req = UET_ACK_REQ_CLOSE);
        }
        bool closing = false;
        for (int i = 0; i < 2; i++) { /* the begun message goes on, the other one elsewhere */
            const uint8_t *h = take(&t);
            if (t.p.pds == UET_H_RUD_ROD_REQ_SYN) {
                assert_int_not_equal(uet_rud_rod_req_spdcid(h), old);
                closing = true;
            } else {
                assert_int_equal(uet_rud_rod_req_psn(h), S + 2);
            }
        }
        assert_true(closing);
        take_nothing(&t);
        ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
        const uint8_t *h = expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        assert_int_equal(uet_cp_psn(h), S + 3);
        peer_free(&t);
    }
}

/* PDS-026, 027: Start_PSN at random, far from the last PSN of the same PDCID. */
static void test_start_psn(void **state)
{
    struct peer t;
    uint32_t last = 0;
    unsigned high = 0, reused = 0;
    uint16_t old = 0;
    (void)state;
    peer_init(&t, NULL);
    for (unsigned i = 0; i < 200; i++) {
        establish(&t, 1);
        uint32_t S = t.start_psn, distance = S - last;
        high += S >> 31;
        if (old == t.dpdcid) {
            reused++;
            assert_true(distance >= 65536 && distance <= 0u - 65536);
        }
        old = t.dpdcid;
        completion(&t);
        uet_fep_close(t.fep, NULL, t.now);
        expect_cp(&t, UET_CTL_CLOSE_COMMAND);
        ACK(.cack = S + 1, .psn = S + 1, .none = true);
        last = S + 1;
    }
    assert_true(high > 60 && high < 140);
    assert_true(reused > 100);
    peer_free(&t);
}

/* The parameter Start_PSN: as told, but not near the last PSN of the same PDCID (PDS-027). */
static void test_start_psn_told(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Start_PSN = 0xffffffff;
    establish(&t, 1);
    assert_int_equal(t.start_psn, 0xffffffff);
    uint16_t old = t.dpdcid;
    completion(&t);
    uet_fep_close(t.fep, NULL, t.now);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    ACK(.cack = 0, .psn = 0, .none = true);
    establish(&t, 1);
    assert_int_equal(t.dpdcid, old);
    assert_in_range(t.start_psn, 65536, 0u - 65536);
    peer_free(&t);
}

static void only_one(struct uet_fep_config *c)
{
    c->max_pdcs = 1;
}

/* What a peer did under that number in between is no IPDCID of ours. */
static void test_start_psn_after_peer(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, only_one);
    uet_fep_params(t.fep)->Start_PSN = 0xffffffff;
    establish(&t, 1);
    completion(&t);
    uet_fep_close(t.fep, NULL, t.now);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    ACK(.cack = 0, .psn = 0, .none = true);
    open_pdc(&t, 0x40000000);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = 0x40000001, .ar = true);
    forget(&t);
    advance(&t, 60000 * MS); /* Syn_Retx_Safety_Time is over */
    forget(&t);
    establish(&t, 1);
    assert_in_range(t.start_psn, 65536, 0u - 65536);
    peer_free(&t);
}

static void idle(struct uet_fep_config *c)
{
    c->params.Idle_Time = 100 * MS;
    c->max_pdcs = 1;
}

/* PDS-214: idle PDCs are closed, by time and to make room. */
static void test_idle(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, idle);
    establish(&t, 1);
    advance(&t, 99 * MS);
    take_nothing(&t);
    advance(&t, 1 * MS);
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    ACK(.cack = t.start_psn + 1, .psn = t.start_psn + 1, .none = true);
    establish(&t, 1);
    struct uet_ip other = t.ip;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    fep_writes(&t, 10); /* no PDC is free: the idle one makes room */
    expect_cp(&t, UET_CTL_CLOSE_COMMAND);
    take_nothing(&t);
    t.ip = other;
    ACK(.cack = t.start_psn + 1, .psn = t.start_psn + 1, .none = true);
    first(&t);
    peer_free(&t);
}

static void one_pdc(struct uet_fep_config *c)
{
    c->max_pdcs = 1;
}

/* PDS-208: the only PDC is a peer's and idle; the FEP asks for it, and goes on when it is closed.
 */
static void test_ask_for_room(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_pdc);
    open_pdc(&t, 5000);
    fep_writes(&t, 10);
    const uint8_t *h = expect_cp(&t, UET_CTL_CLOSE_REQUEST);
    uint32_t psn = uet_cp_psn(h);
    take_nothing(&t);
    ACK(.cack = psn, .psn = psn, .none = true);
    CP(.ctl = UET_CTL_CLOSE_COMMAND, .psn = 5001, .ar = true);
    take(&t);
    assert_true(uet_is_ack(&t.p));
    take(&t);
    assert_true(uet_is_request(&t.p) && uet_has_syn(&t.p));
    assert_int_equal(uet_fep_pdcs(t.fep, true), 1);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

static void few_retries(struct uet_fep_config *c)
{
    c->params.Max_RTO_Retx_Cnt = 3;
    c->params.Max_ACK_Data_Size = 0;
}

/* A Close Request waits for read data, which is never acknowledged: then it is sent (PDS-160). */
static void test_request_behind_lost_data(void **state)
{
    struct peer t;
    unsigned resends = 0;
    (void)state;
    peer_init(&t, few_retries);
    open_pdc(&t, 700);
    request(&t, &(struct req){.psn = 701,
                              .no_syn = true,
                              .ar = true,
                              .has_clear = true,
                              .clear = 700,
                              .opcode = UET_OP_READ,
                              .message_id = 2,
                              .length = 2000});
    do
        take(&t);
    while (!uet_is_request(&t.p)); /* the data */
    uet_fep_close_request(t.fep, &t.ip, t.now);
    take_nothing(&t);
    do {
        advance(&t, uet_fep_deadline(t.fep) - t.now);
        take(&t);
        resends += uet_is_request(&t.p);
    } while (uet_is_request(&t.p));
    assert_int_equal(resends, 3);
    assert_true(uet_is_cp(&t.p));
    assert_int_equal(uet_cp_ctl_type(uet_pds(&t.p)), UET_CTL_CLOSE_REQUEST);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ask_for_room),
        cmocka_unit_test(test_close),
        cmocka_unit_test(test_lost_close_ack),
        cmocka_unit_test(test_asked_to_close),
        cmocka_unit_test(test_start_psn),
        cmocka_unit_test(test_start_psn_told),
        cmocka_unit_test(test_start_psn_after_peer),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_request_behind_lost_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
