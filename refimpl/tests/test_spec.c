/* SPDX-License-Identifier: BSD-2-Clause */
/* What a FEP does differently by version of the specification: 1.0.1 and 1.0.2 alike, 1.0.3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/tests/shared/peer.h"

static void v1_0_1(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_1;
}

static void v1_0_2(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_2;
}

static void v1_0_3(struct uet_fep_config *c)
{
    c->spec = UET_SPEC_1_0_3;
}

static void override_40(struct uet_fep_config *c)
{
    assert_int_equal(uet_fep_config_set(c, "Override_MPR_Zero_Value", 40), 0);
}

/* How many packets of 320 go out on an ACK_CC with this mpr, CACK_PSN being Start_PSN. */
static unsigned sent_after_mpr(void (*version)(struct uet_fep_config *), uint8_t mpr)
{
    struct peer t;
    unsigned n = 0;
    uint8_t frame[UET_FRAME_MAX];
    peer_init(&t, version);
    uet_fep_params(t.fep)->Default_MPR = 1;
    for (unsigned i = 0; i < 8; i++)
        fep_writes(&t, 40 * 4096);
    first(&t);
    for (unsigned i = 1; i < 128; i++) /* Default_MPR x 128 */
        take(&t);
    take_nothing(&t);
    ack(&t, &(struct ack_spec){.cack = t.start_psn + 127,
                               .psn = t.start_psn + 127,
                               .opcode = UET_RSP_DEFAULT_RESPONSE,
                               .code = UET_RC_OK,
                               .cc = true,
                               .mpr = mpr,
                               .sack_base = t.start_psn + 128});
    while (uet_fep_transmit(t.fep, frame, sizeof frame, t.now))
        n++;
    peer_free(&t);
    return n;
}

/* D4: pds.mpr = 0. 192 packets are left of the 320. */
static void test_mpr_zero(void **state)
{
    (void)state;
    assert_int_equal(sent_after_mpr(v1_0_1, 0), 192); /* no limit */
    assert_int_equal(sent_after_mpr(v1_0_2, 0), 192);
    assert_int_equal(sent_after_mpr(v1_0_3, 0), 128); /* counts as 1 */
    assert_int_equal(sent_after_mpr(override_40, 0), 40);
    assert_int_equal(sent_after_mpr(override_40, 1), 128); /* only 0 is overridden */
}

/* D3: the payload of a Negotiation is of 1.0.3; any version acknowledges one and lives on. */
static void test_negotiation(void **state)
{
    void (*const versions[])(struct uet_fep_config *) = {v1_0_1, v1_0_2, v1_0_3};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct peer t;
        peer_init(&t, versions[i]);
        int rc = uet_fep_control(t.fep, &t.ip, UET_CTL_NEGOTIATION, t.now);
        assert_int_equal(rc, i == 2 ? 0 : -EINVAL);
        peer_free(&t);
        peer_init(&t, versions[i]);
        open_pdc(&t, 700);
        cp(&t, &(struct cp_spec){.ctl = UET_CTL_NEGOTIATION, .psn = 701, .ar = true});
        const uint8_t *h = take(&t);
        assert_true(uet_is_ack(&t.p));
        assert_int_equal(CACK(h), 701);
        peer_free(&t);
    }
}

/* D1: code 0x03 is reserved in 1.0.3 and means nothing; before, it asks for the request again. */
static void test_trimmed_ack_code(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct peer t;
        peer_init(&t, i ? v1_0_3 : v1_0_2);
        establish(&t, 3);
        take(&t);
        take(&t);
        take_nothing(&t);
        nack(&t, 0x03, t.start_psn + 1, t.spdcid);
        advance(&t, 1 * MS); /* NACK_Retx_Time */
        if (i) {
            take_nothing(&t);
            assert_int_equal(counter(t.fep, "drop_nack_code"), 1);
        } else {
            expect_request(&t, t.start_psn + 1, true);
        }
        peer_free(&t);
    }
}

/* D5: the message_id of a datagram with a standard header. */
static void test_datagram_id(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct peer t;
        peer_init(&t, i ? v1_0_3 : v1_0_2);
        const struct uet_operation op = {.to = t.ip,
                                         .opcode = UET_OP_DATAGRAM_SEND,
                                         .mode = UET_MODE_UUD,
                                         .job_id = JOB,
                                         .pid_on_fep = PID,
                                         .resource_index = RI};
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
        take(&t);
        assert_int_equal(uet_ses_message_id(&t.p) == 0, i);
        peer_free(&t);
    }
}

/* D2: Syn_Retx_Safety_Time is of 1.0.3. A SYN that comes once more after the close. */
static void test_late_syn(void **state)
{
    void (*const versions[])(struct uet_fep_config *) = {v1_0_1, v1_0_2, v1_0_3};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const struct req again = {.psn = 700, .opcode = UET_OP_NO_OP, .retx = true, .ar = true};
        struct peer t;
        peer_init(&t, versions[i]);
        open_pdc(&t, 700);
        request(&t, &again); /* the FEP has seen that SYNs are sent again */
        take(&t);
        cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = 701, .ar = true});
        take(&t);
        request(&t, &again);
        if (i < 2)
            assert_true(uet_is_ack((take(&t), &t.p)));
        take_nothing(&t);
        assert_int_equal(uet_fep_pdcs(t.fep, false), i < 2);
        peer_free(&t);
    }
}

/* D4: a window below 128 PSNs is told as mpr 0, and that means "no limit" to older peers. */
static void test_small_window(void **state)
{
    void (*const versions[])(struct uet_fep_config *) = {v1_0_1, v1_0_2, v1_0_3};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct peer t;
        peer_init(&t, versions[i]);
        uet_fep_params(t.fep)->Override_MPR_Zero_Value = 20;
        uet_fep_params(t.fep)->MPR_Zero = true;
        open_pdc(&t, 700);
        assert_true(uet_is_ack_cc(&t.p));
        assert_int_equal(uet_ack_cc_mpr(uet_pds(&t.p)), i < 2 ? 8 : 0); /* Default_MPR */
        request(&t, &(struct req){.psn = 721, .no_syn = true, .opcode = UET_OP_NO_OP, .ar = true});
        take(&t);
        assert_int_equal(uet_is_nack(&t.p), i == 2); /* 700 + 20 is the last (0x0B) */
        peer_free(&t);
    }
}

/* D7: the UDP checksum is 0 on send and ignored on receive; not known to be new in 1.0.3. */
static void test_udp_checksum(void **state)
{
    void (*const versions[])(struct uet_fep_config *) = {v1_0_1, v1_0_2, v1_0_3};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct peer t;
        peer_init(&t, versions[i]);
        fep_writes(&t, 10);
        first(&t); /* Ethernet 14, IPv4 20, UDP checksum at 6 */
        assert_int_equal(t.bytes[40] << 8 | t.bytes[41], 0);
        t.udp_checksum = 0x1234;
        t.start_psn = 700;
        request(&t, &(struct req){.psn = 700, .opcode = UET_OP_NO_OP, .message_id = 1});
        assert_true(uet_is_ack((take(&t), &t.p)));
        peer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mpr_zero),         cmocka_unit_test(test_negotiation),
        cmocka_unit_test(test_trimmed_ack_code), cmocka_unit_test(test_datagram_id),
        cmocka_unit_test(test_late_syn),         cmocka_unit_test(test_small_window),
        cmocka_unit_test(test_udp_checksum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
