/* SPDX-License-Identifier: BSD-2-Clause */
/* Key logs, and the packet vectors opened with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/keyring.h"
#include "wire/tests/golden_tss.h"

#define KEY "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static const struct uet_parse_options from_ip = {.start = UET_START_IP, .lenient = true};

static struct uet_keyring *read_text(const char *text, char *err, size_t cap)
{
    struct uet_keyfile *file = uet_keyfile_parse(text, strlen(text), "keys", err, cap);
    struct uet_keyring *ring = file ? uet_keyring_new(file, "keys", err, cap) : NULL;
    uet_keyfile_free(file);
    return ring;
}

/* The line of a vector's key; other: one bit of the key is another. */
static void line_of(char *out, size_t cap, const struct golden_tss *g, bool other)
{
    struct uet_tss_params p = golden_tss_params(g);
    p.key[31] ^= other;
    golden_tss_key_line(out, cap, &p, g->id);
}

struct opened {
    struct uet_packet p;
    uint8_t sealed[256], clear[256];
    size_t len;
    bool good;
};

/* A vector opened with a key log; the last `cut` bytes were not captured. */
static void open_vector(struct opened *o, const struct golden_tss *g, bool other, size_t cut)
{
    char text[400], err[200] = "";
    line_of(text, sizeof text, g, other);
    struct uet_keyring *ring = read_text(text, err, sizeof err);
    if (!ring)
        fail_msg("%s: %s", g->id, err);
    o->len = golden_unhex(o->sealed, sizeof o->sealed, g->packet);
    uet_parse(&o->p, o->sealed, o->len, &from_ip);
    assert_int_equal(o->p.error, UET_PARSE_SEALED);
    memset(o->clear, 0xee, sizeof o->clear);
    memset(o->sealed + o->len - cut, 0, cut);
    o->good = uet_keyring_open(ring, &o->p, o->len - cut, &from_ip, o->clear);
    uet_keyring_free(ring);
}

static void opens_each_vector(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++) {
        const struct golden_tss *g = &golden_tss[i];
        uint8_t uet[GOLDEN_TSS_UET_LEN];
        struct opened o;
        open_vector(&o, g, false, 0);
        if (!o.good)
            fail_msg("%s was not opened", g->id);
        assert_int_equal(golden_unhex(uet, sizeof uet, golden_tss_uet), sizeof uet);
        assert_ptr_equal(o.p.frame, o.clear);
        assert_int_equal(o.p.error, UET_PARSE_OK);
        assert_int_not_equal(o.p.pds, UET_H_NONE);
        assert_memory_equal(uet_pds(&o.p), uet, sizeof uet);
        assert_int_not_equal(o.p.tss, UET_H_NONE); /* it is still known to have been sealed */
    }
}

static void another_key_opens_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden_tss; i++) {
        struct opened o;
        open_vector(&o, &golden_tss[i], true, 0);
        assert_false(o.good);
        assert_int_equal(o.p.error, UET_PARSE_SEALED);
        assert_ptr_equal(o.p.frame, o.sealed);
    }
}

/* Without an ICV: headers as far as they are there, when they make sense. */
static void cut_packets(void **state)
{
    (void)state;
    unsigned denied = 0;
    for (size_t i = 0; i < n_golden_tss; i++) {
        struct opened o;
        open_vector(&o, &golden_tss[i], false, 20);
        if (!o.good)
            fail_msg("%s, cut, was not opened", golden_tss[i].id);
        assert_int_not_equal(o.p.pds, UET_H_NONE);
        open_vector(&o, &golden_tss[i], true, 20);
        denied += !o.good;
    }
    assert_true(denied * 2 > n_golden_tss); /* a wrong key looks right by chance only */
}

/* Altered and cut frames: nothing is read or written but what is there. */
static void any_frame(void **state)
{
    (void)state;
    char text[400], err[200];
    uint64_t seed = 11;
    struct uet_keyring *kept = NULL;
    for (unsigned i = 0; i < 40000; i++) {
        const struct golden_tss *g = &golden_tss[(i / 64) % n_golden_tss];
        uint8_t sealed[256];
        struct uet_packet p;
        size_t len = golden_unhex(sealed, sizeof sealed, g->packet);
        for (seed = seed * UINT64_C(6364136223846793005) + 1; seed >> 62; seed *= 3)
            sealed[(seed >> 20) % len] = (uint8_t)(seed >> 32);
        size_t have = (seed >> 40) % 5 ? len : (seed >> 45) % (len + 1);
        uint8_t *frame = malloc(have ? have : 1), *clear = malloc(have ? have : 1);
        line_of(text, sizeof text, g, false);
        struct uet_keyring *ring = i % 64 ? kept : read_text(text, err, sizeof err);
        if (ring != kept) {
            uet_keyring_free(kept);
            kept = ring;
        }
        assert_true(frame && clear && ring);
        memcpy(frame, sealed, have);
        uet_parse(&p, frame, have, &from_ip);
        uint8_t error = p.error;
        if (!uet_keyring_open(ring, &p, (seed >> 50) % 2 ? p.len : p.len / 2, &from_ip, clear))
            assert_int_equal(p.error, error);
        free(frame);
        free(clear);
    }
    uet_keyring_free(kept);
}

static void refuses(const char *text, const char *says)
{
    char err[200] = "";
    assert_null(read_text(text, err, sizeof err));
    if (!strstr(err, says))
        fail_msg("'%s' does not say '%s'", err, says);
    assert_null(strstr(err, "0011223344")); /* no part of a key */
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    refuses("# nothing\n", "no key");
    refuses("UET_SD an=0 key=" KEY "\n", "keys:1: sdi is missing");
    refuses("#\nUET_SD sdi=1\n", "keys:2: key is missing");
    refuses("UET_SD sdi=0x1000000 key=" KEY "\n", "24 bits");
    refuses("UET_SD sdi=-1 key=" KEY "\n", "24 bits");
    refuses("UET_SD sdi=1 key=" KEY "00\n", "64 hexadecimal digits");
    refuses("UET_SD sdi=1 key=zz" KEY "\n", "64 hexadecimal digits");
    refuses("UET_SD sdi=1 an=2 key=" KEY "\n", "an is 0, 1 or any");
    refuses("UET_SD sdi=1 mode=none key=" KEY "\n", "mode is direct, cluster or server");
    refuses("UET_SD sdi=1 ssi=maybe key=" KEY "\n", "ssi is any, no or yes");
    refuses("UET_SD sdi=1 iv_mask=00 key=" KEY "\n", "24 hexadecimal digits");
    refuses("UET_SD sdi=1 rekey_shift=4 key=" KEY "\n", "needs a rekey_mask that is not 0");
    refuses("UET_SD sdi=1 rekey_shift=48 key=" KEY "\n", "0 to 47");
    refuses("UET_SD sdi=1 colour=red key=" KEY "\n", "unknown column");
    refuses("UET_SD sdi=1 key " KEY "\n", "expected column=value");
    refuses("UET_SD sdi=1 mode=server rekey_mask=255 key=" KEY "\n", "keys:1: ");
}

static void slots_and_domains(void **state)
{
    (void)state;
    const struct golden_tss *g = &golden_tss[0];
    char text[900], err[200];
    struct opened o;
    o.len = golden_unhex(o.sealed, sizeof o.sealed, g->packet);
    uet_parse(&o.p, o.sealed, o.len, &from_ip);
    uint32_t sdi = golden_tss_params(g).sdi;
    uint8_t an = golden_tss_params(g).an;
    snprintf(text, sizeof text,
             "UET_SD sdi=%u an=%u key=" KEY "\nOTHER x=1\nUET_SD sdi=%u key=" KEY "\n", sdi, !an,
             sdi + 1);
    struct uet_keyring *ring = read_text(text, err, sizeof err);
    assert_non_null(ring);
    assert_false(uet_keyring_open(ring, &o.p, o.len, &from_ip, o.clear));
    uet_keyring_free(ring);
    uet_keyring_free(NULL);
}

/* What is left of a packet whose last bytes, the ICV among them, were cut off; the key it took. */
static unsigned open_cut(struct uet_keyring *ring, const struct golden_tss *g, struct opened *o)
{
    o->len = golden_unhex(o->sealed, sizeof o->sealed, g->packet);
    uet_parse(&o->p, o->sealed, o->len, &from_ip);
    o->good = uet_keyring_open(ring, &o->p, o->len - 30, &from_ip, o->clear);
    return o->good ? o->p.seal.key : 0;
}

/* Two keys of one slot, the older one first: one under which the cut packet looks like one, too. */
static struct uet_keyring *rekeyed(const struct golden_tss *g, struct opened *o)
{
    char text[900], err[200], right[400];
    line_of(right, sizeof right, g, false);
    struct uet_tss_params p = golden_tss_params(g);
    for (unsigned i = 0; i < 4096; i++) {
        p.key[30] = (uint8_t)(i >> 8);
        p.key[31] = (uint8_t)i;
        golden_tss_key_line(text, sizeof text, &p, "older");
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s", right);
        struct uet_keyring *ring = read_text(text, err, sizeof err);
        assert_non_null(ring);
        if (open_cut(ring, g, o) == 1)
            return ring;
        uet_keyring_free(ring);
    }
    fail_msg("no key is as wrong as that");
    return NULL;
}

/* Once the newer key has opened a whole packet, it opens those whose ICV is not there. */
static void follows_a_rekey(void **state)
{
    (void)state;
    const struct golden_tss *g = golden_tss_find("TV1");
    struct opened o;
    struct uet_keyring *ring = rekeyed(g, &o);
    o.len = golden_unhex(o.sealed, sizeof o.sealed, g->packet);
    uet_parse(&o.p, o.sealed, o.len, &from_ip);
    assert_true(uet_keyring_open(ring, &o.p, o.len, &from_ip, o.clear));
    assert_int_equal(o.p.seal.key, 2);
    assert_int_equal(open_cut(ring, g, &o), 2);
    uet_keyring_free(ring);
}

/* In which of the contested readings a packet was opened, where it tells. */
static void tells_the_reading(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        uint8_t readings;
    } told[] = {{"TV1", 0}, {"TV4a", 0}, {"TV4b", UET_OPENED_WITHOUT_UDP}, {"TV7", 0}};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct opened o;
        open_vector(&o, golden_tss_find(told[i].id), false, 0);
        assert_true(o.good);
        assert_int_equal(o.p.seal.readings, told[i].readings);
        assert_int_equal(o.p.seal.key, 1);
        assert_false(o.p.seal.refused);
        open_vector(&o, golden_tss_find(told[i].id), true, 0);
        assert_true(!o.good && o.p.seal.refused);
    }
}

/* On native IP there is no UDP header to leave out, whatever the packet before was opened by. */
static void tells_no_reading_of_udp_on_native_ip(void **state)
{
    (void)state;
    static const char *const ids[] = {"TV4b", "TV4c"};
    char text[400], err[200];
    line_of(text, sizeof text, golden_tss_find(ids[0]), false);
    struct uet_keyring *ring = read_text(text, err, sizeof err);
    assert_non_null(ring);
    for (int i = 0; i < 2; i++) {
        struct opened o;
        o.len = golden_unhex(o.sealed, sizeof o.sealed, golden_tss_find(ids[i])->packet);
        uet_parse(&o.p, o.sealed, o.len, &from_ip);
        assert_true(uet_keyring_open(ring, &o.p, o.len, &from_ip, o.clear));
        assert_int_equal(o.p.seal.readings, i ? 0 : UET_OPENED_WITHOUT_UDP);
    }
    uet_keyring_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_each_vector),
        cmocka_unit_test(another_key_opens_none),
        cmocka_unit_test(cut_packets),
        cmocka_unit_test(any_frame),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(slots_and_domains),
        cmocka_unit_test(follows_a_rekey),
        cmocka_unit_test(tells_the_reading),
        cmocka_unit_test(tells_no_reading_of_udp_on_native_ip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
