/* SPDX-License-Identifier: BSD-2-Clause */
/* The key derivation (3.7.8), the settings of an association, rekey, epoch age, counters. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "wire/tests/golden_tss.h"

static void context_of(struct uet_tss_context *c, const char *hex)
{
    memset(c, 0, sizeof *c);
    c->len = (uint8_t)golden_unhex(c->bytes, sizeof c->bytes, hex);
}

static void known_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_kdf; i++) {
        const struct golden_kdf *g = &golden_kdf[i];
        uint8_t key[UET_TSS_KEY_LEN], want[UET_TSS_DERIVED_LEN], got[UET_TSS_DERIVED_LEN];
        struct uet_tss_context c;
        golden_unhex(key, sizeof key, g->sdki);
        golden_unhex(want, UET_TSS_KEY_LEN, g->sdk);
        golden_unhex(want + UET_TSS_KEY_LEN, UET_TSS_IV_LEN, g->iv_mask);
        context_of(&c, g->context);
        assert_int_equal(uet_tss_derive(got, key, g->label, &c), 0);
        if (memcmp(got, want, sizeof got) != 0)
            fail_msg("%s (%s): another key or mask", g->id, g->title);
    }
}

/* The blocks that go into CMAC for KA1 and KA2, byte by byte from 3.7.8.4. */
static void derivation_input(void **state)
{
    (void)state;
    static const char *const ka1[] = {"015531001dc0000074e5c0a82a010160",
                                      "025531001dc0000074e5c0a82a010160",
                                      "035531001dc0000074e5c0a82a010160"};
    static const char ka2[] = "01553100000000001dc0000074e520010cb0000000000fc0000000000abc0160";
    static const uint8_t ip4[] = {192, 168, 42, 1};
    static const uint8_t ip6[] = {0x20, 0x01, 0x0c, 0xb0, 0, 0, 0,    0,
                                  0x0f, 0xc0, 0,    0,    0, 0, 0x0a, 0xbc};
    uint8_t want[UET_TSS_FIXED_MAX], got[UET_TSS_FIXED_MAX];
    struct uet_tss_context c;
    uet_tss_context_4(&c, 0x1dc0, 0x74e5, ip4);
    for (uint8_t i = 0; i < 3; i++) {
        size_t n = golden_unhex(want, sizeof want, ka1[i]);
        assert_int_equal(uet_tss_kdf_input(got, (uint8_t)(i + 1), "U1", &c), n);
        assert_memory_equal(got, want, n);
    }
    uet_tss_context_6(&c, 0x1dc0, 0x74e5, ip6);
    size_t n = golden_unhex(want, sizeof want, ka2);
    assert_int_equal(uet_tss_kdf_input(got, 1, "U1", &c), n);
    assert_memory_equal(got, want, n);
}

static void cmac(uint8_t out[16], const uint8_t key[32], const uint8_t *data, size_t n)
{
    size_t got = 0;
    assert_non_null(
        EVP_Q_mac(NULL, "CMAC", NULL, "AES-256-CBC", NULL, key, 32, data, n, out, 16, &got));
    assert_int_equal(got, 16);
}

/* The examples of NIST SP 800-38B for AES-256: the library below does what is asked of it. */
static void cmac_examples(void **state)
{
    (void)state;
    static const char key_hex[] =
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
    static const char message[] =
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
    static const struct {
        size_t n;
        const char *mac;
    } cases[] = {{0, "028962f61b7bf89efc6b551f4667d983"},
                 {16, "28a7023f452e8f82bd4bf28d8c37c35c"},
                 {40, "aaf3d8f1de5640c232f5b169b9c911e6"},
                 {64, "e1992190549f6ed5696a2c056c315410"}};
    uint8_t key[32], data[64], want[16], got[16];
    golden_unhex(key, sizeof key, key_hex);
    golden_unhex(data, sizeof data, message);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        golden_unhex(want, sizeof want, cases[i].mac);
        cmac(got, key, data, cases[i].n);
        assert_memory_equal(got, want, sizeof want);
    }
}

/*
 * KA1 a second way, written out; and what the old draft's 32-bit length gives is another key: who
 * answers with that follows the draft.
 */
static void length_is_16_bits(void **state)
{
    (void)state;
    static const char draft[] = "b745f161dc04c73b";
    uint8_t key[32], block[32], want[32], got[16];
    golden_unhex(key, sizeof key, golden_kdf[0].sdki);
    golden_unhex(want, sizeof want, golden_kdf[0].sdk);
    size_t n = golden_unhex(block, sizeof block, "015531001dc0000074e5c0a82a010160");
    cmac(got, key, block, n);
    assert_memory_equal(got, want, 16);
    n = golden_unhex(block, sizeof block, "015531001dc0000074e5c0a82a0100000160");
    cmac(got, key, block, n);
    golden_unhex(want, sizeof want, draft);
    assert_memory_equal(got, want, 8);
}

/* TSS-032: the value that goes into the derivation, and the settings that have none. */
static void rekey_values(void **state)
{
    (void)state;
    assert_int_equal(uet_tss_rekey(UINT64_C(0x74e500000023), UINT64_C(0xffff00000000), 32), 0x74e5);
    assert_int_equal(uet_tss_rekey(0x100, 0xff00, 8), 1);
    assert_int_equal(uet_tss_rekey(0x1ff, 0xff00, 8), 1);
    assert_int_equal(uet_tss_rekey(0x200, 0xff00, 8), 2);
    assert_int_equal(uet_tss_rekey(0x28000005, UINT64_C(0xfffff8000000), 27), 5);
    assert_int_equal(uet_tss_rekey(UET_TSS_COUNTER_MAX, 0, 0), 0);
    assert_true(uet_tss_rekey_ok(UET_TSS_COUNTER_MAX, 16)); /* 32 bits are left */
    assert_false(uet_tss_rekey_ok(UET_TSS_COUNTER_MAX, 15));
    assert_false(uet_tss_rekey_ok(UET_TSS_COUNTER_MAX + 1, 32));
    assert_true(uet_tss_rekey_ok(UINT64_C(1) << 47, 47));
    assert_false(uet_tss_rekey_ok(1, 48));
}

/* TSS-037, lifetime 16: current - 16 and everything newer pass, current - 17 does not. */
static void epoch_age(void **state)
{
    (void)state;
    static const uint16_t currents[] = {100, 5, 0, 0xffff, 0x8000};
    for (size_t i = 0; i < sizeof currents / sizeof *currents; i++) {
        uint16_t c = currents[i];
        assert_false(uet_tss_epoch_is_late(c, c, 16));
        assert_false(uet_tss_epoch_is_late(c, (uint16_t)(c - 16), 16));
        assert_true(uet_tss_epoch_is_late(c, (uint16_t)(c - 17), 16));
        assert_true(uet_tss_epoch_is_late(c, (uint16_t)(c - 0x7fff), 16));
        assert_false(uet_tss_epoch_is_late(c, (uint16_t)(c + 0x8000), 16));
        assert_false(uet_tss_epoch_is_late(c, (uint16_t)(c + 1), 16));
    }
}

/* TSS-019, TSS-022: one up for each packet, never past the limit, never around. */
static void counter_ends(void **state)
{
    (void)state;
    struct uet_tss_sender s = {.ssi = 9, .epoch = 3, .next = 5, .limit = 7};
    struct uet_tss_stamp stamp;
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_OK);
    assert_true(stamp.ssi == 9 && stamp.epoch == 3 && stamp.counter == 5);
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_OK);
    assert_true(stamp.counter == 6);
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_COUNTER_END);
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_COUNTER_END);
    s = (struct uet_tss_sender){.next = UET_TSS_COUNTER_MAX - 1};
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_OK);
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_COUNTER_END);
    s = (struct uet_tss_sender){.next = UET_TSS_COUNTER_MAX, .limit = UINT64_MAX};
    assert_int_equal(uet_tss_next(&s, &stamp), UET_TSS_COUNTER_END);
}

/* Settings that mean nothing are refused, each with its own words. */
static void bad_settings(void **state)
{
    (void)state;
    const struct uet_tss_params cluster = {.mode = UET_TSS_MODE_CLUSTER};
    struct uet_tss_params bad[] = {cluster, cluster, cluster, cluster, cluster, cluster, cluster,
                                   cluster, cluster, cluster, cluster, cluster, cluster, cluster};
    enum { N = sizeof bad / sizeof *bad };
    struct uet_tss_sa sa;
    bad[0].sdi = 1 << 24;
    bad[1].an = 2;
    bad[2].mode = UET_TSS_MODE_DOMAIN; /* of a draft */
    bad[3].mode = UET_TSS_MODE_DIRECT, bad[3].rekey = true;
    bad[4].mode = UET_TSS_MODE_SERVER, bad[4].rekey = true;
    bad[5].rekey = true, bad[5].rekey_mask = UET_TSS_COUNTER_MAX, bad[5].rekey_shift = 15;
    bad[6].iv_mask[11] = 1;
    bad[7].encrypt_from = 11;
    bad[8].encrypt_from = 15, bad[8].ssi_mode = true;
    bad[9].cached_keys = UET_TSS_CACHE_MAX + 1;
    bad[10].client = UET_CLIENT_DST + 1;
    bad[11].mode = UET_TSS_MODE_NONE;
    bad[12].client = UET_CLIENT_SELF;
    bad[13].rekey_shift = 8; /* of what no mask lets through */
    for (size_t i = 0; i < N; i++) {
        assert_non_null(uet_tss_params_error(&bad[i]));
        assert_int_equal(uet_tss_setup(&sa, &bad[i]), -EINVAL);
        uet_tss_erase(&sa); /* nothing to erase, and no harm */
    }
    assert_null(uet_tss_params_error(&cluster));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers), cmocka_unit_test(derivation_input),
        cmocka_unit_test(cmac_examples), cmocka_unit_test(length_is_16_bits),
        cmocka_unit_test(rekey_values),  cmocka_unit_test(epoch_age),
        cmocka_unit_test(counter_ends),  cmocka_unit_test(bad_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
