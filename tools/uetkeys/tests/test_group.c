/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a re-key and of a change of members, in a time that the test makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/uetkeys/group.h"
#include "wire/keyfile.h"

enum { SETTLE = 100, ANSWER = 1000 };
static const struct group_config usual = {
    .sdi = 5, .mode = UET_TSS_MODE_CLUSTER, .settle_ns = SETTLE, .answer_ns = ANSWER};

/* What the server does for a member that is here: it is told, and says that it has it. */
static void told(struct group *g, const char *name, uint64_t now)
{
    struct member *m = group_find(g, name);
    m->here = true;
    m->told = g->news;
    group_has(g, m, g->news, now);
}

static struct uet_keyfile *file_of(struct group *g, const char *name)
{
    static char text[GROUP_FILE_MAX];
    char err[200];
    size_t n = group_file(g, group_find(g, name), text, sizeof text);
    assert_true(n && strlen(text) == n);
    struct uet_keyfile *file = uet_keyfile_parse(text, n, name, err, sizeof err);
    if (!file) {
        fail_msg("%s", err);
        abort(); /* it does not return, which an analyzer does not know */
    }
    assert_int_equal(file->n_domains, 1);
    return file;
}

/* Slots with a key, and the one that is sealed with. */
static void has_slots(struct group *g, const char *name, bool slot0, bool slot1, uint8_t tx)
{
    struct uet_keyfile *file = file_of(g, name);
    assert_int_equal(uet_keyfile_slot(file, 5, 0) != NULL, slot0);
    assert_int_equal(uet_keyfile_slot(file, 5, 1) != NULL, slot1);
    assert_int_equal(file->domains[0].tx, tx);
    uet_keyfile_free(file);
}

static void a_rekey_in_three_steps(void **state)
{
    (void)state;
    struct group g;
    assert_true(group_begin(&g, &usual, 0));
    assert_null(group_join(&g, "a", 0));
    assert_null(group_join(&g, "b", 0));
    told(&g, "a", 0);
    told(&g, "b", 0);
    assert_true(group_deadline(&g) == UINT64_MAX);
    has_slots(&g, "a", true, false, 0);
    g.epoch[0] = 7;

    assert_null(group_rekey(&g, 10));
    assert_non_null(group_rekey(&g, 10)); /* one at a time */
    assert_non_null(group_epoch(&g, 10));
    has_slots(&g, "a", true, true, 0); /* the new key is there, the old one in use */
    told(&g, "a", 20);
    group_advance(&g, 20 + SETTLE); /* b has it not yet */
    assert_int_equal(g.step, STEP_LOAD);
    told(&g, "b", 200);
    group_advance(&g, 200 + SETTLE - 1);
    assert_int_equal(g.tx, 0);
    group_advance(&g, 200 + SETTLE);
    assert_int_equal(g.step, STEP_SWITCH);
    has_slots(&g, "b", true, true, 1);
    struct uet_keyfile *file = file_of(&g, "a");
    assert_int_equal(file->domains[0].epoch, 0); /* TSS-035 */
    uet_keyfile_free(file);
    told(&g, "a", 400);
    told(&g, "b", 400);
    group_advance(&g, 400 + SETTLE);
    assert_int_equal(g.step, STEP_RETIRE);
    has_slots(&g, "a", false, true, 1);
    told(&g, "a", 600);
    told(&g, "b", 600);
    assert_int_equal(g.step, STEP_NONE);
    assert_int_equal(g.n_rekeys, 1);
    static const uint8_t zero[UET_TSS_KEY_LEN];
    assert_memory_equal(g.keys->key[0], zero, sizeof zero);
    group_end(&g);
}

/* Who is silent holds nobody up for longer than the answer may take; who is away not at all. */
static void the_silent_and_the_absent(void **state)
{
    (void)state;
    struct group g;
    assert_true(group_begin(&g, &usual, 0));
    assert_null(group_join(&g, "a", 0));
    assert_null(group_join(&g, "away", 0));
    told(&g, "a", 0);
    assert_null(group_rekey(&g, 0));
    assert_true(group_deadline(&g) == ANSWER);
    group_advance(&g, ANSWER - 1);
    assert_false(g.settles);
    group_advance(&g, ANSWER);
    assert_true(g.settles);
    group_advance(&g, ANSWER + SETTLE);
    assert_int_equal(g.step, STEP_SWITCH);
    /* More than it was told counts for nothing. */
    struct member *a = group_find(&g, "a");
    uint64_t before = a->has;
    group_has(&g, a, g.news, ANSWER + SETTLE);
    assert_true(a->has == before);
    group_end(&g);
}

static void epochs_and_members(void **state)
{
    (void)state;
    struct group g;
    assert_true(group_begin(&g, &usual, 0));
    assert_null(group_join(&g, "a", 0));
    assert_int_equal(g.step, STEP_NONE); /* a new name has counters that nobody had */
    assert_null(group_join(&g, "a", 0)); /* back without its counters */
    assert_int_equal(g.epoch[0], 1);
    assert_int_equal(g.step, STEP_EPOCH);
    group_advance(&g, 1); /* nobody is here */
    group_advance(&g, 1);
    assert_int_equal(g.step, STEP_NONE);
    assert_non_null(group_join(&g, "", 0));
    assert_non_null(group_join(&g, "a b", 0));
    assert_non_null(group_leave(&g, "c", 0));
    assert_null(group_join(&g, "b", 0));
    uint8_t old[UET_TSS_KEY_LEN];
    memcpy(old, g.keys->key[0], sizeof old);
    assert_null(group_leave(&g, "a", 10));
    assert_null(group_find(&g, "a"));
    assert_int_equal(group_find(&g, "b")->ssi, 2);
    assert_int_equal(g.step, STEP_LOAD);
    assert_memory_not_equal(g.keys->key[1], old, sizeof old);
    for (uint64_t t = 10; g.step; t += SETTLE)
        group_advance(&g, t);
    assert_int_equal(g.epoch[g.tx], 0);
    assert_null(group_join(&g, "c", 0));
    assert_int_equal(group_find(&g, "c")->ssi, 3); /* 1 was a's */
    g.epoch[g.tx] = UINT16_MAX;
    assert_non_null(group_epoch(&g, 0));
    group_end(&g);
}

static void by_itself(void **state)
{
    (void)state;
    struct group_config config = usual;
    struct group g;
    config.every_ns = 10000;
    assert_true(group_begin(&g, &config, 0));
    group_advance(&g, 9999);
    assert_int_equal(g.step, STEP_NONE);
    assert_true(group_deadline(&g) == 10000);
    group_advance(&g, 10000);
    assert_int_equal(g.step, STEP_LOAD);
    uint64_t t = 10000;
    for (; g.step; t += SETTLE)
        group_advance(&g, t);
    assert_true(group_deadline(&g) == 20000);
    group_end(&g);
}

/* A client of a server has what is derived for its SSI (TSS-028), and never the server's key. */
static void clients_of_a_server(void **state)
{
    (void)state;
    struct group_config config = usual;
    struct group g;
    config.mode = UET_TSS_MODE_SERVER;
    config.server = "s";
    config.ssi = true;
    config.start = "random-1rtt";
    config.jobs = "1,2";
    assert_true(group_begin(&g, &config, 0));
    assert_null(group_join(&g, "s", 0));
    assert_null(group_join(&g, "c", 0));
    g.epoch[0] = 0x1dc0;
    struct uet_keyfile *s = file_of(&g, "s"), *c = file_of(&g, "c");
    const struct uet_key *key = uet_keyfile_slot(s, 5, 0), *derived = uet_keyfile_slot(c, 5, 0);
    assert_int_equal(key->params.mode, UET_TSS_MODE_SERVER);
    assert_memory_equal(key->params.key, g.keys->key[0], UET_TSS_KEY_LEN);
    assert_int_equal(derived->params.mode, UET_TSS_MODE_DIRECT);
    assert_int_equal(derived->ssi, UET_KEY_SSI_YES);
    assert_int_equal(c->domains[0].ssi, 2);
    assert_int_equal(c->domains[0].start, UET_KEY_RANDOM_1RTT);
    assert_int_equal(c->domains[0].n_jobs, 2);
    /* 3.7.8.4: epoch, rekey 0, client, big endian. */
    const struct uet_tss_context context = {.len = 10,
                                            .bytes = {0x1d, 0xc0, 0, 0, 0, 0, 0, 0, 0, 2}};
    uint8_t want[UET_TSS_DERIVED_LEN];
    assert_int_equal(uet_tss_derive(want, g.keys->key[0], "U2", &context), 0);
    assert_memory_equal(derived->params.key, want, UET_TSS_KEY_LEN);
    assert_memory_equal(derived->params.iv_mask, want + UET_TSS_KEY_LEN, UET_TSS_IV_LEN);
    uet_keyfile_free(c);
    /* The old key of a client stays what it was while the new one is loaded and sealed with. */
    assert_null(group_rekey(&g, 0));
    for (uint64_t t = 0; g.step != STEP_SWITCH; t += SETTLE)
        group_advance(&g, t);
    c = file_of(&g, "c");
    assert_int_equal(c->domains[0].epoch, 0);
    assert_memory_equal(uet_keyfile_slot(c, 5, 0)->params.key, want, UET_TSS_KEY_LEN);
    uet_keyfile_free(s);
    uet_keyfile_free(c);
    char small[100];
    assert_int_equal(group_file(&g, group_find(&g, "c"), small, sizeof small), 0);
    group_end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rekey_in_three_steps), cmocka_unit_test(the_silent_and_the_absent),
        cmocka_unit_test(epochs_and_members),     cmocka_unit_test(by_itself),
        cmocka_unit_test(clients_of_a_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
