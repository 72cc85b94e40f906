/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sources that must stop (3.5.12.2, I10): the target may collect up to ACK_Gen_Trigger bytes before
 * it acknowledges, so whoever stops asks for an ACK. Otherwise only the RTO would go on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/fixture.h"
#include "refimpl/tests/shared/peer.h"

#define MTU      4096u
#define ACK(...) ack(&t, &(struct ack_spec){__VA_ARGS__})
#define OK_RSP   .opcode = UET_RSP_DEFAULT_RESPONSE, .code = UET_RC_OK

static void eight_packets(struct uet_fep_config *c)
{
    c->max_packets = 8;
}

static bool ar_of(const uint8_t *h)
{
    return uet_rud_rod_req_ar(h);
}

/* One PDC has half of the packets: the last of them asks. */
static void test_share(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, eight_packets);
    establish(&t, 20);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i <= 4; i++)
        assert_int_equal(ar_of(expect_request(&t, S + i, false)), i == 4);
    take_nothing(&t);
    ACK(.cack = S + 2, .psn = S + 2, OK_RSP);
    assert_false(ar_of(expect_request(&t, S + 5, false)));
    assert_true(ar_of(expect_request(&t, S + 6, false)));
    take_nothing(&t);
    peer_free(&t);
}

/* Another PDC takes packets after the last one left without ar: the ACK is asked for, once. */
static void test_share_shrinks(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, eight_packets);
    establish(&t, 20);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i <= 2; i++)
        assert_false(ar_of(expect_request(&t, S + i, false)));
    const struct uet_ip first_ip = t.ip;
    const uint16_t first_pdc = t.dpdcid;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    for (uint32_t length = 1; length <= 2; length++) { /* two more take one packet each */
        fep_writes(&t, length);
        t.ip.bytes[3]++;
    }
    bool asked = false;
    for (unsigned frames = 0; frames < 4; frames++) {
        const uint8_t *h = take(&t);
        if (uet_is_request(&t.p) && uet_spdcid(&t.p) != first_pdc)
            continue;
        if (uet_is_request(&t.p)) {
            assert_int_equal(uet_rud_rod_req_psn(h), S + 3);
            assert_false(asked);
            asked = ar_of(h);
            continue;
        }
        assert_int_equal(uet_cp_ctl_type(h), UET_CTL_ACK_REQUEST);
        assert_int_equal(uet_cp_psn(h), S + 3);
        assert_true(uet_cp_ar(h));
        assert_int_equal(uet_cp_spdcid(h), first_pdc);
        assert_false(asked);
        asked = true;
    }
    assert_true(asked);
    take_nothing(&t);
    t.ip = first_ip;
    t.dpdcid = first_pdc;
    ACK(.cack = S + 3, .psn = S + 3, OK_RSP);
    assert_int_equal(uet_rud_rod_req_psn(take(&t)), S + 4);
    peer_free(&t);
}

/* The same for read data on the return direction. */
static void test_return_share_shrinks(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, eight_packets);
    open_pdc(&t, 700);
    for (uint32_t i = 0; i < 4; i++)
        request(&t, &(struct req){.psn = 701 + i,
                                  .no_syn = true,
                                  .opcode = UET_OP_READ,
                                  .message_id = 7,
                                  .length = 4 * MTU,
                                  .not_som = i > 0,
                                  .not_eom = i < 3,
                                  .message_offset = i * MTU,
                                  .payload_length = MTU});
    uint32_t sent = 0;
    while (sent < 2) {
        const uint8_t *h = take(&t);
        if (!uet_is_request(&t.p))
            continue;
        assert_int_equal(uet_rud_rod_req_psn(h), 700 + sent++);
        assert_false(ar_of(h));
    }
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    for (uint32_t length = 1; length <= 2; length++) {
        fep_writes(&t, length);
        t.ip.bytes[3]++;
    }
    for (unsigned frames = 0; frames < 4; frames++) {
        const uint8_t *h = take(&t);
        if (uet_is_request(&t.p) && uet_spdcid(&t.p) == t.dpdcid)
            assert_false(ar_of(h)); /* 702; when it left there was room */
        if (!uet_is_cp(&t.p))
            continue;
        assert_int_equal(uet_cp_ctl_type(h), UET_CTL_ACK_REQUEST);
        assert_int_equal(uet_cp_psn(h), 702);
        take_nothing(&t);
        peer_free(&t);
        return;
    }
    fail_msg("no ACK Request");
}

/* A smaller window after the last packet left without ar. */
static void test_window_shrinks(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 45 * MTU);
    first(&t);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 40; i++)
        expect_request(&t, S + i, false);
    uet_fep_params(t.fep)->Override_MPR_Zero_Value = 30;
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 0, .sack_base = S);
    const uint8_t *h = expect_cp(&t, UET_CTL_ACK_REQUEST);
    assert_int_equal(uet_cp_psn(h), S + 39);
    take_nothing(&t);
    ACK(.cack = S + 10, .psn = S + 10, OK_RSP); /* the window ends at S + 40 */
    assert_true(ar_of(expect_request(&t, S + 40, false)));
    take_nothing(&t);
    peer_free(&t);
}

static void two_packets(struct uet_fep_config *c)
{
    c->max_packets = 2;
}

/* The packet that it gave back is the one with which its message goes on, not another's first. */
static void test_begun_goes_on(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, two_packets);
    const struct uet_ip first_ip = t.ip;
    fep_writes(&t, 2 * MTU);
    first(&t);
    const uint16_t first_pdc = t.dpdcid;
    uint32_t S = t.start_psn;
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    fep_writes(&t, 1);
    first(&t);
    t.ip.bytes[3]++;
    fep_writes(&t, 2); /* finds no packet */
    take_nothing(&t);
    t.ip = first_ip;
    t.dpdcid = first_pdc;
    t.start_psn = S;
    ACK(.cack = S, .psn = S, OK_RSP);
    expect_request(&t, S + 1, false);
    take_nothing(&t);
    ACK(.cack = S + 1, .psn = S + 1, OK_RSP);
    first(&t); /* and only then */
    assert_int_equal(uet_ses_request_length(&t.p), 2);
    peer_free(&t);
}

/* ---- both sides in virtual time ---- */

static uint8_t memory[400000], data[400000], into[12][400000];

static void lazy_and_small(struct uet_fep_config *c)
{
    c->max_packets = 8; /* a share of four packets: half of what an ACK waits for */
    c->params.ACK_Gen_Trigger = 32768;
    c->params.ACK_Gen_Min_Pkt_Add = 0;
}

static void serve(struct fixture *w)
{
    const struct uet_service s = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_RMA};
    const struct uet_region g = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .key = KEY,
                                 .rights = UET_RIGHT_WRITE | UET_RIGHT_READ,
                                 .base = memory,
                                 .length = sizeof memory};
    assert_int_equal(uet_fep_service_add(w->fep[1], &s), 0);
    assert_int_equal(uet_fep_region_add(w->fep[1], &g), 0);
}

/* Messages on several PDCs end without one RTO, as nothing is lost. */
static void no_rto(unsigned pdcs, uint8_t mode, uint8_t opcode)
{
    struct fixture w;
    fixture_init(&w, pdcs, 4, lazy_and_small);
    serve(&w);
    for (unsigned i = 0; i < pdcs; i++) {
        struct uet_operation op = {.to = w.ip[1],
                                   .opcode = opcode,
                                   .mode = mode,
                                   .relative = true,
                                   .job_id = JOB,
                                   .pid_on_fep = PID,
                                   .resource_index = RI,
                                   .key = KEY,
                                   .traffic_class = (uint8_t)i, /* a PDC of its own */
                                   .data = data,
                                   .into = opcode == UET_OP_READ ? into[i] : NULL,
                                   .length = sizeof data};
        assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
    }
    assert_true(fixture_run(&w, FIXTURE_START_NS + 1000 * MS));
    for (unsigned i = 0; i < pdcs; i++) {
        struct uet_completion c;
        assert_true(uet_fep_completion(w.fep[0], &c));
        assert_int_equal(c.status, UET_STATUS_OK);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(counter(w.fep[i], "rto_expired"), 0);
        if (opcode == UET_OP_WRITE) /* the pools of a target that serves reads may ask for more */
            assert_int_equal(counter(w.fep[i], "tx_retx"), 0);
    }
    fixture_free(&w);
}

static void test_no_rto(void **state)
{
    (void)state;
    for (unsigned pdcs = 1; pdcs <= 12; pdcs++) {
        no_rto(pdcs, UET_MODE_RUD, UET_OP_WRITE);
        no_rto(pdcs, UET_MODE_ROD, UET_OP_WRITE);
        no_rto(pdcs, UET_MODE_RUD, UET_OP_READ);
        no_rto(pdcs, UET_MODE_ROD, UET_OP_READ);
    }
}

/*
 * A SYN beyond the window of a peer that takes less than Default_MPR ends the PDC. On the next one
 * a packet goes alone, until its ACK has told the TPDCID and the window (PDS-037, PDS-138).
 */
static void test_syn_beyond_window(void **state)
{
    struct peer t;
    (void)state;
    for (int rod = 0; rod < 2; rod++) {
        peer_init(&t, NULL);
        t.rod = rod;
        fep_writes(&t, 3 * MTU);
        first(&t);
        uint32_t S = t.start_psn;
        for (uint32_t i = 1; i < 3; i++)
            expect_request(&t, S + i, false);
        nack(&t, 0x15, S + 1, t.spdcid);
        advance(&t, 1 * MS); /* NACK_Retx_Time */
        assert_true(ar_of(first(&t)));
        take_nothing(&t);
        S = t.start_psn;
        ACK(.cack = S, .psn = S, OK_RSP);
        for (uint32_t i = 1; i < 3; i++)
            assert_false(uet_rud_rod_req_syn(expect_request(&t, S + i, false)));
        take_nothing(&t);
        peer_free(&t);
    }
}

/* The packet that carried CLEAR_PSN was refused as beyond the window: CLEAR_PSN goes by itself. */
static void test_clear_refused(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    fep_writes(&t, 2 * MTU);
    first(&t);
    uint32_t S = t.start_psn;
    expect_request(&t, S + 1, false);
    ACK(.cack = S - 1, .psn = S, .req = UET_ACK_REQ_CLEAR, OK_RSP); /* its response is kept */
    nack(&t, 0x0b, S + 1, t.spdcid);
    assert_int_equal(uet_cp_payload_value(expect_cp(&t, UET_CTL_CLEAR_COMMAND)), S);
    take_nothing(&t);
    advance(&t, 1 * MS); /* NACK_Retx_Time */
    expect_request(&t, S + 1, true);
    nack_with(&t, &(struct nack_spec){.code = 0x0b, .psn = S + 1, .retx = true});
    assert_int_equal(uet_cp_payload_value(expect_cp(&t, UET_CTL_CLEAR_COMMAND)), S);
    take_nothing(&t);
    peer_free(&t);
}

static void mtu_1024(struct uet_fep_config *c)
{
    c->payload_mtu = 1024;
}

/*
 * All that was sent is acknowledged, but CACK_PSN stays where it was and the target falls silent:
 * its window is asked for as often, and as seldom, as a packet is resent; then the PDC fails.
 */
static void test_never_answered(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, mtu_1024);
    const struct uet_operation op = {.to = t.ip,
                                     .opcode = UET_OP_WRITE,
                                     .relative = true,
                                     .job_id = JOB,
                                     .pid_on_fep = PID,
                                     .resource_index = RI,
                                     .key = KEY,
                                     .data = data,
                                     .length = 200 * 1024};
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    first(&t);
    uint32_t S = t.start_psn;
    for (uint32_t i = 1; i < 8; i++)
        expect_request(&t, S + i, false);
    ACK(.cack = S, .psn = S, OK_RSP, .cc = true, .mpr = 1, .sack_base = S);
    for (uint32_t i = 1; i < 8; i++)
        ACK(.cack = S, .psn = S + i, OK_RSP);
    for (uint32_t i = 8; i <= 128; i++) {
        expect_request(&t, S + i, false);
        ACK(.cack = S, .psn = S + i, OK_RSP);
    }
    forget(&t);
    for (unsigned i = 0; i < 1000 && uet_fep_deadline(t.fep) != UET_FEP_NEVER; i++) {
        advance(&t, uet_fep_deadline(t.fep) - t.now);
        forget(&t);
    }
    unsigned asked = (unsigned)counter(t.fep, "tx_ack_request");
    struct uet_completion c = completion(&t);
    assert_int_equal(c.status, UET_STATUS_PDS_ERROR);
    assert_int_equal(asked, 6);
    peer_free(&t);
}

/* The same of a target with read data: its PDC ends, too (T16). */
static void test_return_never_answered(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    open_pdc(&t, 700);
    for (uint32_t i = 0; i < 140; i++) {
        request(&t, &(struct req){.psn = 701 + i,
                                  .no_syn = true,
                                  .has_clear = true,
                                  .clear = 700 + i,
                                  .opcode = UET_OP_READ,
                                  .message_id = (uint16_t)(i + 1),
                                  .length = 100});
        while (uet_fep_transmit(t.fep, t.bytes, sizeof t.bytes, t.now) > 0)
            ;
        if (i < 128)
            ACK(.cack = 699, .psn = 700 + i, OK_RSP, .cc = true, .mpr = 1, .sack_base = 700);
    }
    forget(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 1);
    for (unsigned i = 0; i < 1000 && uet_fep_deadline(t.fep) != UET_FEP_NEVER; i++) {
        advance(&t, uet_fep_deadline(t.fep) - t.now);
        forget(&t);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    peer_free(&t);
}

static void one_packet(struct uet_fep_config *c)
{
    c->max_packets = 1;
}

/*
 * The packet that becomes free wakes a PDC that waits for one, to send a Close Request, and needs
 * none any more, as its Close Command comes: then it is the next one's.
 */
static void test_woken_for_nothing(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, one_packet);
    open_pdc(&t, 700);
    const uint16_t target = t.dpdcid, mine = t.spdcid;
    fep_writes(&t, 1);
    take(&t); /* it has the packet */
    const uint32_t psn = uet_packet_psn(&t.p);
    const uint16_t source = uet_spdcid(&t.p);
    assert_int_equal(uet_ip_parse(&t.ip, OTHER_IP), 0);
    fep_writes(&t, 2);
    take_nothing(&t);
    assert_int_equal(uet_ip_parse(&t.ip, PEER_IP), 0);
    uet_fep_close_request(t.fep, &t.ip, t.now);
    take_nothing(&t);
    t.spdcid = 0x7777;
    t.dpdcid = source;
    ACK(.cack = psn, .psn = psn, OK_RSP);
    t.spdcid = mine;
    t.dpdcid = target;
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = 701, .ar = true});
    take(&t);
    assert_true(uet_is_ack(&t.p));
    take(&t);
    assert_true(uet_is_request(&t.p));
    assert_int_equal(uet_ses_request_length(&t.p), 2);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_return_never_answered), cmocka_unit_test(test_share),
        cmocka_unit_test(test_share_shrinks),         cmocka_unit_test(test_return_share_shrinks),
        cmocka_unit_test(test_window_shrinks),        cmocka_unit_test(test_begun_goes_on),
        cmocka_unit_test(test_syn_beyond_window),     cmocka_unit_test(test_clear_refused),
        cmocka_unit_test(test_never_answered),        cmocka_unit_test(test_no_rto),
        cmocka_unit_test(test_woken_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
