/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PDC manager (3.5.8.1, 3.5.9.2): mapping tuple, shared and reserved pools, several PDCs for a
 * pair. In a SYN the two bytes of dpdcid are pdc_info, 4 bits of which the last is use_rsv_pdc, and
 * psn_offset.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "refimpl/tests/shared/peer.h"

static uint8_t source[65536];

static void two_and_two(struct uet_fep_config *c)
{
    c->max_pdcs = 4;
    c->reserved_pdcs = 2;
}

static void four(struct uet_fep_config *c)
{
    c->max_pdcs = 4;
}

/* A SYN NO_OP of the peer's PDC `spdcid`; the NACK code that it gets, or 0 for an ACK. */
static uint8_t open_from(struct peer *t, uint16_t spdcid, bool reserved)
{
    uint8_t frame[UET_FRAME_MAX];
    const struct uet_route route = {.src = t->ip, .dst = t->fep_ip, .entropy = 0x4242};
    struct uet_build b;
    uet_build_start(&b, frame, sizeof frame, &route);
    uint8_t *h = uet_build_pds(&b, UET_H_RUD_ROD_REQ_SYN);
    uet_rud_rod_req_type_set(h, UET_PDS_RUD_REQ);
    uet_rud_rod_req_next_hdr_set(h, UET_NH_REQUEST_STD);
    uet_rud_rod_req_syn_set(h, true);
    uet_rud_rod_req_psn_set(h, 500);
    uet_rud_rod_req_clear_psn_offset_set(h, -1);
    uet_rud_rod_req_spdcid_set(h, spdcid);
    h[UET_RUD_ROD_REQ_BYTES - 2] = reserved ? 0x10 : 0x00;
    uint8_t *s = uet_build_ses(&b, UET_H_SES_REQ_STD_SOM1);
    uet_ses_req_opcode_set(s, UET_OP_NO_OP);
    uet_ses_req_som_set(s, true);
    uet_ses_req_eom_set(s, true);
    uet_ses_req_std_message_id_set(s, 1);
    int n = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
    assert_true(n > 0);
    uet_fep_receive(t->fep, frame, (size_t)n, t->now);
    h = (uint8_t *)(uintptr_t)take(t);
    if (uet_is_ack(&t->p)) {
        t->dpdcid = uet_spdcid(&t->p);
        return 0;
    }
    assert_true(uet_is_nack(&t->p));
    assert_int_equal(uet_spdcid(&t->p), 0);
    return uet_nack_nack_code(h);
}

static void test_pools(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, two_and_two);
    assert_int_equal(open_from(&t, 1, false), 0);
    assert_int_equal(open_from(&t, 2, false), 0);
    assert_int_equal(open_from(&t, 3, false), 0x04); /* PDS-041, though two PDCs are free */
    forget(&t);                                      /* somebody is asked to close */
    assert_int_equal(open_from(&t, 4, true), 0);     /* PDS-022 */
    assert_int_equal(open_from(&t, 5, true), 0);
    assert_int_equal(open_from(&t, 6, true), 0x04);
    forget(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 4);
    /* The end of a reserved one makes room among the reserved only. */
    t.spdcid = 5;
    t.start_psn = 500;
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = 501, .ar = true});
    forget(&t);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 3);
    assert_int_equal(open_from(&t, 7, false), 0x04);
    forget(&t);
    assert_int_equal(open_from(&t, 8, true), 0);
    peer_free(&t);
    peer_init(&t, four); /* no reserved pool: all are shared */
    for (uint16_t i = 1; i <= 4; i++)
        assert_int_equal(open_from(&t, i, i & 1), 0);
    assert_int_equal(open_from(&t, 5, true), 0x04);
    peer_free(&t);
}

static void two_bitmaps(struct uet_fep_config *c)
{
    four(c);
    c->reserved_pdcs = 1;
    c->params.PSN_Bitmaps = 2;
}

/* PDS-043: two PDCs and no more, of whichever pool; what is closed makes room for the others. */
static void test_bitmaps(void **state)
{
    struct peer t;
    (void)state;
    peer_init(&t, two_bitmaps);
    assert_int_equal(open_from(&t, 1, false), 0);
    assert_int_equal(open_from(&t, 2, false), 0);
    assert_int_equal(open_from(&t, 3, true), 0x06);
    assert_int_equal(counter(t.fep, "tx_nack_no_bitmap"), 1);
    assert_int_equal(uet_cp_ctl_type(take(&t)), UET_CTL_CLOSE_REQUEST); /* an idle one's peer */
    take_nothing(&t);
    fep_writes(&t, 8); /* an operation of the FEP's own waits as well (I2) */
    assert_int_equal(uet_cp_ctl_type(take(&t)), UET_CTL_CLOSE_REQUEST); /* the other one's */
    take_nothing(&t);
    t.spdcid = 1;
    t.dpdcid = 1;
    t.start_psn = 500;
    cp(&t, &(struct cp_spec){.ctl = UET_CTL_CLOSE_COMMAND, .psn = 501, .ar = true});
    take(&t);
    assert_true(uet_is_ack(&t.p));
    assert_true(uet_is_request((take(&t), &t.p)));
    assert_int_equal(open_from(&t, 3, true), 0x06);
    uet_fep_params(t.fep)->PSN_Bitmaps = 4; /* as many as there were at the start, at most */
    assert_int_equal(open_from(&t, 3, true), 0x06);
    peer_free(&t);

    peer_init(&t, four);
    assert_int_equal(open_from(&t, 1, false), 0);
    uet_fep_params(t.fep)->PSN_Bitmaps = 1;
    assert_int_equal(open_from(&t, 2, false), 0x06);
    uet_fep_params(t.fep)->PSN_Bitmaps = 0; /* one for each */
    for (uint16_t i = 2; i <= 4; i++) {
        forget(&t);
        assert_int_equal(open_from(&t, i, false), 0);
    }
    assert_int_equal(open_from(&t, 5, false), 0x04); /* here the PDCs are lacking, too */
    peer_free(&t);
}

/* PDS-150: a write with immediate that nobody could be told of opens no PDC; others do. */
static void test_no_resource(void **state)
{
    const struct req imm = {
        .psn = 500, .opcode = UET_OP_WRITE, .hd = true, .length = 8, .payload = 8, .message_id = 1};
    struct peer t;
    (void)state;
    peer_init(&t, NULL);
    uet_fep_params(t.fep)->Write_Completions = 0;
    t.start_psn = 500;
    request(&t, &imm);
    const uint8_t *h = take(&t);
    assert_true(uet_is_nack(&t.p));
    assert_int_equal(uet_nack_nack_code(h), 0x0a);
    assert_int_equal(uet_nack_spdcid(h), 0);
    assert_int_equal(uet_nack_nack_psn(h), 500);
    assert_int_equal(uet_fep_pdcs(t.fep, false), 0);
    struct req wrong = imm;
    wrong.key = KEY ^ 0x10000;
    request(&t, &wrong); /* refused by SES: nothing to tell */
    assert_true(uet_is_ack((take(&t), &t.p)));
    t.dpdcid = uet_spdcid(&t.p);
    struct req next = imm; /* on a PDC it names the PDC (PDS-149) */
    next.psn = 501;
    next.no_syn = next.ar = true;
    request(&t, &next);
    h = take(&t);
    assert_int_equal(uet_nack_nack_code(h), 0x0a);
    assert_int_equal(uet_nack_spdcid(h), t.dpdcid);
    uet_fep_params(t.fep)->Write_Completions = 1;
    request(&t, &next);
    assert_true(uet_is_ack((take(&t), &t.p)));
    peer_free(&t);
}

static struct uet_operation write_to(const struct peer *t, uint32_t length)
{
    return (struct uet_operation){.to = t->ip,
                                  .opcode = UET_OP_WRITE,
                                  .relative = true,
                                  .job_id = JOB,
                                  .pid_on_fep = PID,
                                  .resource_index = RI,
                                  .key = KEY,
                                  .data = source,
                                  .length = length};
}

static void test_tuple(void **state)
{
    struct peer t;
    uint16_t seen[5];
    (void)state;
    peer_init(&t, two_and_two);
    uet_fep_params(t.fep)->PDCs_Per_Tuple = 1;
    struct uet_operation op = write_to(&t, 8);
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.reserved = true; /* another pool, another PDC */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.reserved = false; /* the first again */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.traffic_class = 1; /* PDS-011 */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.mode = UET_MODE_ROD; /* PDS-007; there is no shared PDC left for it */
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    unsigned n = 0, reserved = 0;
    for (; n < 4; n++) {
        const uint8_t *h = take(&t);
        assert_int_equal(t.p.pds, UET_H_RUD_ROD_REQ_SYN);
        assert_int_equal(h[UET_RUD_ROD_REQ_BYTES - 2] & 0xe0, 0); /* PDS-021 */
        seen[n] = uet_spdcid(&t.p);
        reserved += h[UET_RUD_ROD_REQ_BYTES - 2] >> 4;
    }
    take_nothing(&t);
    assert_int_equal(reserved, 1);
    assert_int_equal(uet_fep_pdcs(t.fep, true), 3);
    unsigned twice = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < i; j++)
            twice += seen[i] == seen[j];
    assert_int_equal(twice, 1);
    peer_free(&t);
}

/* Long messages of one tuple on several PDCs: each whole on its own (PDS-008, PDS-010). */
static void test_several(void **state)
{
    struct peer t;
    uint16_t pdc_of[8] = {0};
    (void)state;
    peer_init(&t, four);
    uet_fep_params(t.fep)->PDCs_Per_Tuple = 3;
    for (unsigned i = 0; i < 6; i++) {
        struct uet_operation op = write_to(&t, 3 * 4096);
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, true), 3);
    for (unsigned i = 0; i < 18; i++) {
        take(&t);
        unsigned id = uet_ses_message_id(&t.p);
        assert_true(id >= 1 && id <= 6);
        if (!pdc_of[id])
            pdc_of[id] = uet_spdcid(&t.p);
        assert_int_equal(pdc_of[id], uet_spdcid(&t.p));
    }
    for (unsigned i = 1; i <= 6; i++) { /* two each */
        unsigned same = 0;
        for (unsigned j = 1; j <= 6; j++)
            same += pdc_of[i] == pdc_of[j];
        assert_int_equal(same, 2);
    }
    take_nothing(&t);
    for (unsigned i = 0; i < 3; i++) { /* ROD keeps to one: no order holds across PDCs */
        struct uet_operation op = write_to(&t, 8);
        op.mode = UET_MODE_ROD;
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    }
    assert_int_equal(uet_fep_pdcs(t.fep, true), 4);
    struct uet_operation op = write_to(&t, 8); /* no PDC is free: it shares one */
    uet_fep_params(t.fep)->PDCs_Per_Tuple = 8;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    assert_int_equal(counter(t.fep, "op_waits_for_pdc"), 0);
    peer_free(&t);
}

/* PDS-015: two PDCs of one traffic class, each with more to send than there is time for. */
static void test_turns(void **state)
{
    struct peer t;
    unsigned sent[2] = {0}, in_a_row = 0;
    uint16_t first = 0, last = 0;
    (void)state;
    peer_init(&t, four);
    for (uint32_t job = 0; job < 2; job++) {
        struct uet_operation op = write_to(&t, sizeof source);
        op.job_id = JOB + job;
        assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    }
    for (unsigned i = 0; i < 20; i++) {
        take(&t);
        uint16_t id = uet_spdcid(&t.p);
        first = first ? first : id;
        sent[id == first]++;
        in_a_row = id == last ? in_a_row + 1 : 1;
        assert_true(in_a_row <= 2);
        last = id;
    }
    assert_int_equal(sent[0], sent[1]);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pools),       cmocka_unit_test(test_bitmaps),
        cmocka_unit_test(test_no_resource), cmocka_unit_test(test_tuple),
        cmocka_unit_test(test_several),     cmocka_unit_test(test_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
