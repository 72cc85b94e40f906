/* SPDX-License-Identifier: BSD-2-Clause */
/* What FEPs of the three profiles do, and what not (3.3.1; rows of spec-map/profiles.csv). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "refimpl/tests/shared/peer.h"

#define S0 1000u

static uint8_t profile;
static uint32_t psn;

static void of_profile(struct uet_fep_config *c)
{
    c->profile = profile;
}

static void begin(struct peer *t, uint8_t of)
{
    profile = of;
    peer_init(t, of_profile);
    open_pdc(t, S0);
    psn = S0;
}

static bool has(uint8_t of, uint8_t feature)
{
    const struct uet_fep_config c = {.profile = of};
    return uet_fep_config_has(&c, feature);
}

/* M is on, N is off, in every row that is not told as missing; O is what profile.c says. */
static void test_duties(void **state)
{
    (void)state;
    for (uint8_t f = 0; f < uet_n_profiles; f++) {
        for (uint8_t p = 0; p < UET_PROFILE_ALL; p++) {
            char duty = uet_profiles[f].duty[p];
            bool can = !uet_fep_never_has(f);
            assert_true(duty != 'M' || has(p, f) == can);
            assert_true(duty != 'N' || !has(p, f));
        }
        assert_int_equal(has(UET_PROFILE_ALL, f), !uet_fep_never_has(f));
    }
    assert_false(has(UET_PROFILE_AI_BASE, UET_FEATURE_READ));
    assert_true(has(UET_PROFILE_AI_FULL, UET_FEATURE_READ));
    assert_false(has(UET_PROFILE_AI_FULL, UET_FEATURE_WILDCARD_TAGS));
    assert_false(has(UET_PROFILE_HPC, UET_FEATURE_DEFERRAL));
    assert_true(has(UET_PROFILE_AI_BASE, UET_FEATURE_TSS));
    assert_true(has(UET_PROFILE_HPC, UET_FEATURE_SECURE_START));
    assert_string_equal(uet_fep_never_has(UET_FEATURE_LOSSLESS), "of the link, not of the FEP");
}

static void unsupported(struct peer *t, uint8_t opcode)
{
    const uint8_t *h;
    psn++;
    request(t, &(struct req){.psn = psn,
                             .no_syn = true,
                             .ar = true,
                             .has_clear = true,
                             .clear = psn - 1,
                             .opcode = opcode,
                             .message_id = 9,
                             .length = 4,
                             .raw = (const uint8_t[40]){0}, /* room for any extension */
                             .raw_length = 40});
    h = take(t);
    assert_true(uet_is_ack(&t->p) && h);
    assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t->p)), UET_RC_UNSUPPORTED_OP);
    assert_int_equal(uet_ses_rsp_modified_length(uet_ses(&t->p)), 0);
    take_nothing(t);
}

/* The opcodes that a FEP goes without are RC_UNSUPPORTED_OP (SES-025), and it starts none. */
static void test_opcodes(void **state)
{
    static const struct {
        uint8_t profile, opcode;
    } rows[] = {
        {UET_PROFILE_AI_BASE, UET_OP_READ},
        {UET_PROFILE_AI_BASE, UET_OP_FETCHING_ATOMIC},
        {UET_PROFILE_AI_BASE, UET_OP_TAGGED_SEND},
        {UET_PROFILE_AI_BASE, UET_OP_RENDEZVOUS_SEND},
        {UET_PROFILE_AI_BASE, UET_OP_RENDEZVOUS_TSEND},
        {UET_PROFILE_AI_BASE, UET_OP_DEFERRABLE_TSEND},
        {UET_PROFILE_AI_BASE, UET_OP_DEFERRABLE_RTR},
        {UET_PROFILE_AI_BASE, UET_OP_TSEND_ATOMIC},
        {UET_PROFILE_AI_FULL, UET_OP_RENDEZVOUS_SEND},
        {UET_PROFILE_HPC, UET_OP_DEFERRABLE_RTR},
    };
    struct peer t;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&t, rows[i].profile);
        unsupported(&t, rows[i].opcode);
        assert_false(uet_fep_starts(t.fep, rows[i].opcode));
        peer_free(&t);
    }
}

/* A deferrable send is a send, its token no offset (SES-144, SES-145). */
static void test_deferrable(void **state)
{
    struct peer t;
    (void)state;
    begin(&t, UET_PROFILE_HPC);
    for (int posted = 0; posted < 2; posted++) {
        if (posted)
            post(&t, 0, 100, false);
        request(&t, &(struct req){.psn = ++psn,
                                  .no_syn = true,
                                  .ar = true,
                                  .opcode = UET_OP_DEFERRABLE_SEND,
                                  .message_id = 9,
                                  .offset = 0x100000000000,
                                  .length = 4,
                                  .payload = 4,
                                  .fill = 3});
        take(&t);
        assert_int_equal(uet_ses_rsp_return_code(uet_ses(&t.p)),
                         posted ? UET_RC_OK : UET_RC_NO_MATCH);
        take_nothing(&t);
    }
    assert_memory_equal(t.buffer[0], "\3\3\3\3", 4);
    assert_false(uet_fep_starts(t.fep, UET_OP_DEFERRABLE_SEND));
    peer_free(&t);
}

/* Tags, and bits of them to ignore. */
static void test_tags(void **state)
{
    const struct uet_service s = {.job_id = JOB, .pid_on_fep = PID, .ri_class = UET_RI_TAGGED};
    static const struct {
        uint8_t profile;
        int exact, wildcard;
    } rows[] = {{UET_PROFILE_AI_BASE, -EINVAL, -EINVAL},
                {UET_PROFILE_AI_FULL, 0, -EINVAL},
                {UET_PROFILE_HPC, 0, 0}};
    static struct peer t;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct uet_receive r = {.job_id = JOB,
                                .pid_on_fep = PID,
                                .base = t.buffer[0],
                                .length = 64,
                                .tagged = true,
                                .any_initiator = true};
        begin(&t, rows[i].profile);
        assert_int_equal(uet_fep_service_add(t.fep, &s), rows[i].exact);
        assert_int_equal(uet_fep_post_receive(t.fep, &r), rows[i].exact);
        r.ignore = 1;
        assert_int_equal(uet_fep_post_receive(t.fep, &r), rows[i].wildcard);
        peer_free(&t);
    }
}

static bool answers(uint8_t of, uint8_t header)
{
    struct peer t;
    uint8_t frame[UET_FRAME_MAX];
    begin(&t, of);
    request(&t, &(struct req){.psn = ++psn,
                              .no_syn = true,
                              .ar = true,
                              .header = header,
                              .opcode = UET_OP_WRITE,
                              .key = header == UET_OP_HEADER_SMALL ? 1ull << 62 | RI : 0,
                              .length = 4,
                              .payload = 4});
    bool any = uet_fep_transmit(t.fep, frame, sizeof frame, t.now) > 0;
    peer_free(&t);
    return any;
}

/* Headers that it does not know are dropped without an answer (PDS-239). */
static void test_headers(void **state)
{
    (void)state;
    assert_true(answers(UET_PROFILE_AI_BASE, UET_OP_HEADER_STD));
    assert_false(answers(UET_PROFILE_AI_BASE, UET_OP_HEADER_SMALL));
    assert_false(answers(UET_PROFILE_AI_FULL, UET_OP_HEADER_MEDIUM));
    assert_true(answers(UET_PROFILE_HPC, UET_OP_HEADER_SMALL));
    assert_true(answers(UET_PROFILE_HPC, UET_OP_HEADER_MEDIUM));
}

/* What it starts: a WRITE over RUDI, or under a medium header. */
static int starts(uint8_t of, uint8_t mode, uint8_t header)
{
    static const uint8_t bytes[4];
    struct peer t;
    begin(&t, of);
    const struct uet_operation op = {.to = t.ip,
                                     .opcode = UET_OP_WRITE,
                                     .mode = mode,
                                     .header = header,
                                     .key = 1ull << 63 | 1,
                                     .data = bytes,
                                     .length = sizeof bytes};
    int rc = uet_fep_submit(t.fep, &op, t.now);
    peer_free(&t);
    return rc;
}

static void test_initiator(void **state)
{
    (void)state;
    assert_int_equal(starts(UET_PROFILE_HPC, UET_MODE_RUDI, UET_OP_HEADER_STD), 0);
    assert_int_equal(starts(UET_PROFILE_AI_FULL, UET_MODE_RUDI, UET_OP_HEADER_STD), -EINVAL);
    assert_int_equal(starts(UET_PROFILE_HPC, UET_MODE_RUD, UET_OP_HEADER_MEDIUM), 0);
    assert_int_equal(starts(UET_PROFILE_AI_BASE, UET_MODE_RUD, UET_OP_HEADER_MEDIUM), -EINVAL);
    assert_int_equal(starts(UET_PROFILE_AI_BASE, UET_MODE_RUD, UET_OP_HEADER_STD), 0);
}

/* What the address of a peer says (Table 2-10) bounds a send (SES-103), not a write. */
static void test_peer_address(void **state)
{
    static uint8_t bytes[8192];
    struct peer t;
    (void)state;
    begin(&t, UET_PROFILE_ALL);
    struct uet_operation op = {.to = t.ip,
                               .opcode = UET_OP_SEND,
                               .peer_flags = UET_FI_ADDR_MTU_MSG_SIZE,
                               .data = bytes,
                               .length = 4097};
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), -EINVAL);
    op.length = 4096;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.opcode = UET_OP_WRITE;
    op.length = 4097;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    op.opcode = UET_OP_SEND;
    op.peer_flags = 0;
    assert_int_equal(uet_fep_submit(t.fep, &op, t.now), 0);
    peer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_duties),       cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_deferrable),   cmocka_unit_test(test_tags),
        cmocka_unit_test(test_headers),      cmocka_unit_test(test_initiator),
        cmocka_unit_test(test_peer_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
