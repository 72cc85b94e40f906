/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generations of resource indices (3.4.3.6.3): what ROD disables for want of a receive, and what
 * opens it again; as initiator, that messages keep their order over it.
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

#define MTU 4096u
#define S0  1000u

static uint32_t psn;
static bool rod;

static struct uet_service service(uint8_t ri_class, uint8_t generation)
{
    return (struct uet_service){.job_id = JOB,
                                .pid_on_fep = PID,
                                .resource_index = RI,
                                .ri_class = ri_class,
                                .has_generation = true,
                                .ri_generation = generation};
}

/* Both kinds of sends at {JOB, PID, RI}; a PDC of that mode. */
static void begin(struct peer *t, bool on_rod, uint8_t generation)
{
    const struct uet_service send = service(UET_RI_SEND, generation),
                             tagged = service(UET_RI_TAGGED, generation);
    peer_init(t, NULL);
    assert_int_equal(uet_fep_service_set(t->fep, &send), 0);
    assert_int_equal(uet_fep_service_add(t->fep, &tagged), 0);
    psn = S0;
    rod = on_rod;
    t->start_psn = S0;
    request(t, &(struct req){.psn = S0, .rod = rod, .opcode = UET_OP_NO_OP, .ar = true});
    take(t);
    t->dpdcid = uet_spdcid(&t->p);
}

static uint8_t ask(struct peer *t, struct req r)
{
    r.psn = ++psn;
    r.rod = rod;
    r.no_syn = r.ar = r.has_clear = true;
    r.clear = psn - 1;
    r.message_id = r.message_id ? r.message_id : (uint16_t)psn;
    request(t, &r);
    take(t);
    assert_true(uet_is_ack(&t->p));
    assert_int_equal(ACK_PSN(t), psn);
    return uet_ses_rsp_return_code(uet_ses(&t->p));
}

#define EXPECT(code, ...) assert_int_equal(ask(&t, (struct req){__VA_ARGS__}), code)
#define SEND(g)           .opcode = UET_OP_SEND, .length = 4, .payload = 4, .generation = (g)
#define BY_TAG(g)                                                                                  \
    .opcode = UET_OP_TAGGED_SEND, .length = 4, .payload = 4, .key = 5, .generation = (g)
#define LONG(id)                                                                                   \
    .opcode = UET_OP_SEND, .message_id = (id), .length = 2 * MTU, .payload = MTU, .generation = 9
#define TELLS(g) assert_int_equal(uet_ses_rsp_ri_generation(uet_ses(&t.p)), g)

/* SES-106, 107: disabled until there is a receive; the generation goes up by one, and wraps. */
static void exhausted_and_supplied(void **state)
{
    static const uint8_t next[] = {254, 255, 0, 1};
    struct peer t;
    (void)state;
    begin(&t, true, 254);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(UET_RC_DISABLED_GEN, SEND(next[i]));
        EXPECT(UET_RC_DISABLED_GEN, SEND(next[i]));
        EXPECT(UET_RC_DISABLED_GEN, SEND(next[i + 1])); /* to know it is of no use yet */
        post(&t, i, 8, false);
        EXPECT(UET_RC_BAD_GENERATION, SEND(next[i]));
        TELLS(next[i + 1]);
        EXPECT(UET_RC_OK, SEND(next[i + 1]));
        assert_int_equal(completion(&t).token, i);
    }
    peer_free(&t);
}

/* Each space of resource indices for itself; RUD and what has no generation disable nothing. */
static void who_is_disabled(void **state)
{
    const struct uet_service plain = {
        .job_id = JOB, .pid_on_fep = PID, .resource_index = RI, .ri_class = UET_RI_SEND};
    struct uet_receive tagged = {.job_id = JOB,
                                 .pid_on_fep = PID,
                                 .resource_index = RI,
                                 .length = 8,
                                 .tagged = true,
                                 .any_initiator = true,
                                 .match_bits = 5};
    struct peer t;
    (void)state;
    begin(&t, true, 9);
    tagged.base = t.buffer[7];
    assert_int_equal(uet_fep_post_receive(t.fep, &tagged), 0);
    EXPECT(UET_RC_DISABLED_GEN, SEND(9));
    EXPECT(UET_RC_OK, BY_TAG(9));
    EXPECT(UET_RC_DISABLED_GEN, BY_TAG(9));
    post(&t, 0, 8, false); /* of the other space */
    EXPECT(UET_RC_DISABLED_GEN, BY_TAG(9));
    EXPECT(UET_RC_OK, SEND(10));
    assert_int_equal(uet_fep_service_set(t.fep, &plain), 0);
    EXPECT(UET_RC_NO_MATCH, SEND(0));
    EXPECT(UET_RC_NO_MATCH, SEND(0));
    peer_free(&t);
    begin(&t, false, 9);
    EXPECT(UET_RC_NO_MATCH, SEND(9));
    post(&t, 0, 8, false);
    EXPECT(UET_RC_OK, SEND(9));
    peer_free(&t);
}

/* What the application disables, it enables; its word ends what has been before. */
static void word_of_the_application(void **state)
{
    struct uet_service s = service(UET_RI_SEND, 9);
    struct peer t;
    (void)state;
    begin(&t, true, 9);
    s.disabled = true;
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    post(&t, 0, 8, false);
    EXPECT(UET_RC_DISABLED_GEN, SEND(9));
    s.disabled = false;
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    EXPECT(UET_RC_OK, SEND(9));
    EXPECT(UET_RC_DISABLED_GEN, SEND(9));
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    EXPECT(UET_RC_DISABLED_GEN, SEND(9)); /* there is still no receive */
    s.ri_generation = 33;
    assert_int_equal(uet_fep_service_set(t.fep, &s), 0);
    post(&t, 1, 8, false);
    EXPECT(UET_RC_OK, SEND(33));
    peer_free(&t);
}

/* A message that has its receive goes on; one that was refused is refused to its end (SES-116). */
static void messages_in_progress(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, true, 9);
    post(&t, 0, 2 * MTU, false);
    EXPECT(UET_RC_OK, LONG(20), .not_eom = true);
    EXPECT(UET_RC_DISABLED_GEN, LONG(21), .not_eom = true);
    post(&t, 1, 8, false);
    EXPECT(UET_RC_DISABLED_GEN, LONG(21), .not_som = true, .message_offset = MTU);
    EXPECT(UET_RC_OK, LONG(20), .not_som = true, .message_offset = MTU);
    assert_int_equal(completion(&t).token, 0);
    EXPECT(UET_RC_OK, SEND(10)); /* what was refused did not disable it anew */
    assert_int_equal(completion(&t).token, 1);
    peer_free(&t);
}

#define N 40u

static void patient(struct uet_fep_config *c)
{
    c->params.SES_Retry_Cnt = 255;
    c->params.Max_RTO_Retx_Cnt = 15;
    c->params.Max_NACK_Retx_Cnt = 31;
}

/* Receives come by and by: what was sent in order arrives in order, over all new generations. */
static void in_order(uint64_t seed, uint32_t loss)
{
    const struct uet_service s = service(UET_RI_SEND, 250);
    uint32_t sent[N], got[N];
    struct uet_completion c;
    struct fixture w;
    unsigned n = 0;
    fixture_init(&w, seed, 4, patient);
    fixture_wire(&w, loss, loss, 50000);
    assert_int_equal(uet_fep_service_add(w.fep[1], &s), 0);
    for (uint32_t i = 0; i < N; i++) {
        const struct uet_operation op = {.to = w.ip[1],
                                         .opcode = UET_OP_SEND,
                                         .mode = UET_MODE_ROD,
                                         .relative = true,
                                         .job_id = JOB,
                                         .pid_on_fep = PID,
                                         .resource_index = RI,
                                         .ri_generation = 250,
                                         .data = (const uint8_t *)&sent[i],
                                         .length = 4};
        sent[i] = i;
        got[i] = UINT32_MAX;
        assert_int_equal(uet_fep_submit(w.fep[0], &op, w.now), 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        const struct uet_receive v = {.job_id = JOB,
                                      .pid_on_fep = PID,
                                      .resource_index = RI,
                                      .base = (uint8_t *)&got[i],
                                      .length = 4,
                                      .token = i};
        (void)fixture_run(&w, w.now + (seed + i) % 3 * 40 * MS);
        assert_int_equal(uet_fep_post_receive(w.fep[1], &v), 0);
    }
    assert_true(fixture_run(&w, w.now + 3600000 * MS));
    for (; uet_fep_completion(w.fep[0], &c); n++)
        assert_int_equal(c.status, UET_STATUS_OK);
    assert_int_equal(n, N);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(got[i], i);
    fixture_free(&w);
}

static void order_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++)
        in_order(seed, seed < 10 ? 0 : 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exhausted_and_supplied),  cmocka_unit_test(who_is_disabled),
        cmocka_unit_test(word_of_the_application), cmocka_unit_test(messages_in_progress),
        cmocka_unit_test(order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
