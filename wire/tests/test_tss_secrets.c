/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keys stay where they are: not in a line of text, not in memory that is given back. And no memory
 * is taken per packet. OpenSSL's allocations go through the functions below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/crypto.h>

#include "wire/tests/golden_tss.h"

/* Secrets to look for in freed memory: the first half of each key is in a key schedule as it is. */
enum { SECRETS_MAX = 8, HALF = UET_TSS_KEY_LEN / 2 };
static uint8_t secrets[SECRETS_MAX][HALF];
static size_t n_secrets;
static unsigned long allocations, leaks;

/* Stands in front of each block; keeps what follows aligned. */
union block {
    size_t n;
    max_align_t align;
};

static bool has_secret(const uint8_t *p, size_t n)
{
    for (size_t s = 0; s < n_secrets; s++)
        for (size_t i = 0; i + HALF <= n; i++)
            if (memcmp(p + i, secrets[s], HALF) == 0)
                return true;
    return false;
}

static void *take(size_t n, const char *file, int line)
{
    (void)file;
    (void)line;
    union block *b = malloc(sizeof *b + n);
    allocations++;
    if (!b)
        return NULL;
    b->n = n;
    return b + 1;
}

static void give(void *p, const char *file, int line)
{
    (void)file;
    (void)line;
    if (!p)
        return;
    union block *b = (union block *)p - 1;
    leaks += has_secret(p, b->n);
    free(b);
}

static void *again(void *p, size_t n, const char *file, int line)
{
    void *q = take(n, file, line);
    if (q && p) {
        size_t old = ((union block *)p - 1)->n;
        memcpy(q, p, old < n ? old : n);
        give(p, file, line);
    }
    return q;
}

static void guard(const uint8_t key[UET_TSS_KEY_LEN])
{
    assert_true(n_secrets < SECRETS_MAX);
    memcpy(secrets[n_secrets++], key, HALF);
}

static const struct uet_parse_options from_ip = {.start = UET_START_IP};

struct talk {
    struct uet_tss_sa sa;
    uint8_t clear[256], sealed[256];
    size_t clear_len, sealed_len;
    const struct golden_tss *g;
};

static void start(struct talk *t, const char *id)
{
    uint8_t sdk[UET_TSS_KEY_LEN];
    t->g = golden_tss_find(id);
    struct uet_tss_params p = golden_tss_params(t->g);
    p.cached_keys = 2;
    n_secrets = 0;
    guard(p.key);
    golden_unhex(sdk, sizeof sdk, t->g->sdk);
    guard(sdk);
    assert_int_equal(uet_tss_setup(&t->sa, &p), 0);
    uet_tss_wipe(&p, sizeof p);
    assert_false(has_secret((const uint8_t *)&p, sizeof p));
    t->clear_len = golden_tss_clear(t->clear, sizeof t->clear, t->g);
    t->sealed_len = golden_unhex(t->sealed, sizeof t->sealed, t->g->packet);
}

/* Seals, opens, fails, under many counters and so many derived keys. */
static void use(struct talk *t)
{
    uint8_t out[256];
    size_t n;
    assert_int_equal(
        uet_tss_seal(&t->sa, &t->g->stamp, t->clear, t->clear_len, &from_ip, out, sizeof out, &n),
        UET_TSS_OK);
    assert_int_equal(
        uet_tss_open(&t->sa, t->sealed, t->sealed_len, &from_ip, out, sizeof out, &n, NULL),
        UET_TSS_OK);
    for (uint64_t i = 1; i < 5; i++) {
        struct uet_tss_stamp stamp = t->g->stamp;
        stamp.counter += i << 32;
        assert_int_equal(
            uet_tss_seal(&t->sa, &stamp, t->clear, t->clear_len, &from_ip, out, sizeof out, &n),
            UET_TSS_OK);
        assert_int_equal(uet_tss_open(&t->sa, out, n, &from_ip, out, sizeof out, &n, NULL),
                         UET_TSS_OK);
    }
    t->sealed[t->sealed_len - 1] ^= 1;
    assert_int_equal(uet_tss_open(&t->sa, t->sealed, t->sealed_len, &from_ip, t->sealed,
                                  sizeof t->sealed, &n, NULL),
                     UET_TSS_BAD_ICV);
    t->sealed[t->sealed_len - 1] ^= 1;
}

static void no_memory_per_packet(void **state)
{
    (void)state;
    static const char *const ids[] = {"TV1", "TV3", "TV4a", "TV5"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct talk t;
        unsigned long before = allocations;
        start(&t, ids[i]);
        assert_true(allocations > before); /* the hooks are in place */
        before = allocations;
        use(&t);
        assert_int_equal(allocations, before);
        uet_tss_erase(&t.sa);
    }
}

/* Every block that OpenSSL gives back is looked through for the slot's key and the derived one. */
static void nothing_left_in_freed_memory(void **state)
{
    (void)state;
    static const char *const ids[] = {"TV1", "TV4a", "TV5"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct talk t;
        struct uet_tss_sa zero;
        memset(&zero, 0, sizeof zero);
        start(&t, ids[i]);
        use(&t);
        leaks = 0;
        assert_false(has_secret((const uint8_t *)&t.sa, sizeof t.sa));
        uet_tss_erase(&t.sa);
        assert_int_equal(leaks, 0);
        assert_memory_equal(&t.sa, &zero, sizeof zero);
    }
    /* The search finds what is there. */
    uint8_t *p = OPENSSL_malloc(100);
    assert_non_null(p);
    memset(p, 0, 100);
    memcpy(p + 40, secrets[0], HALF);
    OPENSSL_free(p);
    assert_int_equal(leaks, 1);
}

/* Four bytes in a row of key or mask, as hexadecimal text. */
static bool tells(const char *text, const char *hex)
{
    char part[9] = "";
    for (size_t i = 0; i + 8 <= strlen(hex); i += 2) {
        memcpy(part, hex + i, 8);
        if (strstr(text, part))
            return true;
    }
    return false;
}

static void text_tells_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++) {
        const struct golden_tss *g = &golden_tss[i];
        struct talk t;
        char text[400], cut[10];
        start(&t, g->id);
        use(&t);
        int n = uet_tss_describe(text, sizeof text, &t.sa);
        assert_true(n > 0 && (size_t)n == strlen(text));
        assert_false(tells(text, g->sdki) || tells(text, g->sdk));
        assert_false(tells(text, g->iv_mask) && g->iv_mask[0] != '0');
        assert_int_equal(uet_tss_describe(cut, sizeof cut, &t.sa), n);
        assert_int_equal(strlen(cut), sizeof cut - 1);
        uet_tss_erase(&t.sa);
    }
    for (int s = 0; s <= UET_TSS_STATUS_COUNT; s++)
        assert_non_null(uet_tss_status_text((enum uet_tss_status)s));
    assert_true(tells("key 0607080900", "000102030405060708090a0b"));
}

static void describes(void **state)
{
    (void)state;
    struct talk t;
    char text[400];
    start(&t, "TV2");
    uet_tss_describe(text, sizeof text, &t.sa);
    assert_string_equal(text, "sdi 0xabcdef an 1 CLUSTER ssi rekey mask 0xfffff8000000 shift 27");
    uet_tss_erase(&t.sa);
    start(&t, "TV4b");
    uet_tss_describe(text, sizeof text, &t.sa);
    assert_string_equal(text, "sdi 0x000001 an 0 DIRECT UDP not authenticated (TSS-012 U2)");
    uet_tss_erase(&t.sa);
    start(&t, "TV6");
    uet_tss_describe(text, sizeof text, &t.sa);
    assert_string_equal(text, "sdi 0x000001 an 0 CLUSTER rekey mask 0xffff00000000 shift 32 "
                              "encrypts from byte 24");
    uet_tss_erase(&t.sa);
}

/* No file of the sublayer prints: who has a key has no way to a stream. */
static void no_printing_calls(void **state)
{
    (void)state;
    static const char *const files[] = {"/wire/tss.c", "/wire/tss_frame.c", "/wire/tss_bits.c"};
    static const char *const calls[] = {"printf(", "fputs(",  "puts(",   "fwrite(",
                                        "write(2", "syslog(", "BIO_dump"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[500], line[400];
        unsigned lines = 0;
        snprintf(path, sizeof path, "%s%s", UETKIT_SOURCE_DIR, files[i]);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        for (; fgets(line, sizeof line, f); lines++)
            for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
                if (strstr(line, calls[c]))
                    fail_msg("%s prints: %s", files[i], line);
        fclose(f);
        assert_true(lines > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_per_packet), cmocka_unit_test(nothing_left_in_freed_memory),
        cmocka_unit_test(text_tells_nothing),   cmocka_unit_test(describes),
        cmocka_unit_test(no_printing_calls),
    };
    if (CRYPTO_set_mem_functions(take, again, give) != 1) {
        fputs("OpenSSL took memory before the test began\n", stderr);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
