/* SPDX-License-Identifier: BSD-2-Clause */
/* What must not open: altered packets, other keys, headers that do not fit, packets cut short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/inet.h"
#include "wire/tests/golden_tss.h"

/* The IPv4 checksum is mended and need not be right here: only the ICV is to speak. */
static const struct uet_parse_options from_ip = {.start = UET_START_IP, .lenient = true};

struct sealed {
    struct uet_tss_params params;
    struct uet_tss_sa sa;
    struct uet_tss_place at;
    uint8_t bytes[256];
    size_t len;
};

static void load(struct sealed *s, const struct golden_tss *g)
{
    s->params = golden_tss_params(g);
    assert_int_equal(uet_tss_setup(&s->sa, &s->params), 0);
    s->len = golden_unhex(s->bytes, sizeof s->bytes, g->packet);
    assert_int_equal(uet_tss_locate(&s->at, s->bytes, s->len, &from_ip), UET_TSS_OK);
}

/* Opens a copy as long as the packet, so that a reader of more shows under ASan. */
static enum uet_tss_status open_copy(struct uet_tss_sa *sa, const uint8_t *bytes, size_t len)
{
    uint8_t *in = malloc(len ? len : 1), out[256], zero[256] = {0};
    size_t n = 1;
    assert_non_null(in);
    memcpy(in, bytes, len);
    memset(out, 0, sizeof out);
    enum uet_tss_status s = uet_tss_open(sa, in, len, &from_ip, out, sizeof out, &n, NULL);
    if (s != UET_TSS_OK) { /* nothing decrypted is left behind, and in place nothing changed */
        assert_int_equal(n, 0);
        assert_memory_equal(out, zero, sizeof out);
        assert_int_equal(uet_tss_open(sa, in, len, &from_ip, in, len, &n, NULL), s);
        assert_memory_equal(in, bytes, len);
    }
    free(in);
    return s;
}

static bool covered(const struct sealed *s, size_t i)
{
    size_t src = s->at.ip_version == 4 ? 12 : 8, addresses = s->at.ip_version == 4 ? 8 : 32;
    if (i < src)
        return false;
    return i < src + addresses || i >= s->at.tss_offset || !s->at.udp_offset ||
           !s->params.readings.udp_not_in_aad;
}

/* Fields below UET that the walk to it reads: a change there is not the ICV's to find. */
static bool structural(const struct sealed *s, size_t i)
{
    if (s->at.ip_version == 6)
        return i == 0 || (i >= 4 && i < 7);
    if (s->at.udp_offset && i >= 22 && i < 26) /* destination port and length */
        return true;
    return i == 0 || i == 2 || i == 3 || i == 6 || i == 7 || i == 9;
}

/* Header bits that choose the association are checked before the ICV. */
static bool is_drop(enum uet_tss_status s)
{
    return s == UET_TSS_BAD_ICV || s == UET_TSS_UNKNOWN_SDI || s == UET_TSS_NO_KEY ||
           s == UET_TSS_SSI || s == UET_TSS_CLEAR;
}

/* TSS-008 to TSS-013: every bit of the packet, one at a time. */
static void every_bit(void **state)
{
    (void)state;
    unsigned bad_icv = 0, good = 0;
    for (size_t g = 0; g < n_golden_tss; g++) {
        struct sealed s;
        load(&s, &golden_tss[g]);
        for (size_t bit = 0; bit < s.len * 8; bit++) {
            if (structural(&s, bit / 8))
                continue;
            s.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
            enum uet_tss_status status = open_copy(&s.sa, s.bytes, s.len);
            if (covered(&s, bit / 8) ? !is_drop(status) : status != UET_TSS_OK)
                fail_msg("%s: bit %zu flipped: %s", golden_tss[g].id, bit,
                         uet_tss_status_text(status));
            bad_icv += status == UET_TSS_BAD_ICV;
            good += status == UET_TSS_OK;
            s.bytes[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        }
        assert_int_equal(open_copy(&s.sa, s.bytes, s.len), UET_TSS_OK);
        uet_tss_erase(&s.sa);
    }
    assert_true(bad_icv > 8000 && good > 300);
}

/*
 * The additional data alone: TV1's key and IV held fixed, every bit of the 24 bytes. The packet is
 * in direct mode with an SSI, so that neither key nor IV comes from the addresses.
 */
static void every_bit_of_aad(void **state)
{
    (void)state;
    struct uet_tss_params p = {.sdi = 1, .mode = UET_TSS_MODE_DIRECT, .ssi_mode = true, .key = {1}};
    const struct uet_tss_stamp stamp = {.ssi = 5, .counter = 9};
    struct uet_tss_sa sa;
    uint8_t clear[256], sealed[256];
    size_t n;
    assert_int_equal(uet_tss_setup(&sa, &p), 0);
    size_t len = golden_tss_clear(clear, sizeof clear, golden_tss_find("TV1"));
    assert_int_equal(uet_tss_seal(&sa, &stamp, clear, len, &from_ip, sealed, sizeof sealed, &n),
                     UET_TSS_OK);
    for (size_t bit = 12 * 8; bit < 24 * 8; bit++) { /* addresses and entropy header */
        sealed[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
        assert_int_equal(open_copy(&sa, sealed, n), UET_TSS_BAD_ICV);
        sealed[bit / 8] ^= (uint8_t)(0x80 >> bit % 8);
    }
    sealed[24] ^= 2; /* the reserved bit: in neither key nor IV */
    assert_int_equal(open_copy(&sa, sealed, n), UET_TSS_BAD_ICV);
    uet_tss_erase(&sa);
}

/* The reserved bit sent as 1 and sealed so is authentic (C: authenticated and ignored). */
static void reserved_bit_sealed(void **state)
{
    (void)state;
    struct sealed s;
    load(&s, golden_tss_find("TV1"));
    size_t from = s.at.tss_offset + 12u;
    assert_int_equal(uet_tss_open_at(&s.sa, s.bytes, &s.at, s.bytes + from), UET_TSS_OK);
    s.bytes[s.at.tss_offset] ^= 2;
    assert_int_equal(uet_tss_seal_at(&s.sa, s.bytes, &s.at, NULL), UET_TSS_OK);
    assert_int_equal(open_copy(&s.sa, s.bytes, s.len), UET_TSS_OK);
    uet_tss_erase(&s.sa);
}

/* TSS-009 with the changes that switches make: TTL, DSCP, ECN. */
static void switches_may(void **state)
{
    (void)state;
    static const struct uet_parse_options strict = {.start = UET_START_IP};
    struct sealed s;
    uint8_t out[256];
    size_t n;
    load(&s, golden_tss_find("TV1"));
    uet_ipv4_ttl_set(s.bytes, 63);
    uet_ipv4_dscp_set(s.bytes, 46);
    uet_ipv4_ecn_set(s.bytes, 3);
    assert_int_equal(uet_tss_open(&s.sa, s.bytes, s.len, &strict, out, sizeof out, &n, NULL),
                     UET_TSS_NOT_UET); /* the IP checksum is wrong */
    uet_ipv4_header_checksum_set(s.bytes, 0);
    uet_ipv4_header_checksum_set(s.bytes, uet_inet_checksum(s.bytes, 20));
    assert_int_equal(uet_tss_open(&s.sa, s.bytes, s.len, &strict, out, sizeof out, &n, NULL),
                     UET_TSS_OK);
    assert_int_equal(uet_ipv4_ecn(out), 3);
    uet_tss_erase(&s.sa);
}

static void expect_with(const struct sealed *s, const struct uet_tss_params *p,
                        enum uet_tss_status want)
{
    struct uet_tss_sa sa;
    assert_int_equal(uet_tss_setup(&sa, p), 0);
    assert_int_equal(open_copy(&sa, s->bytes, s->len), want);
    uet_tss_erase(&sa);
}

/* Each setting off by one: key, mode, mask, rekey, offset, SDI, AN, SSI. */
static void wrong_settings(void **state)
{
    (void)state;
    struct sealed s;
    load(&s, golden_tss_find("TV2"));
    struct uet_tss_params p = s.params;
    expect_with(&s, &p, UET_TSS_OK);
    p.key[31] ^= 1;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.mode = UET_TSS_MODE_SERVER, p.rekey = false, p.rekey_shift = 0;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.mode = UET_TSS_MODE_DIRECT, p.rekey = false, p.rekey_shift = 0;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.rekey = false, p.rekey_shift = 0;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.rekey_shift = 28;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.encrypt_from = 17;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.encrypt_from = UET_TSS_ENCRYPT_NOTHING;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.sdi ^= 1;
    expect_with(&s, &p, UET_TSS_UNKNOWN_SDI);
    p = s.params, p.an = 0;
    expect_with(&s, &p, UET_TSS_NO_KEY);
    p = s.params, p.ssi_mode = false; /* TSS-041 */
    expect_with(&s, &p, UET_TSS_SSI);
    p.readings.unexpected_ssi_is_fit = true;
    expect_with(&s, &p, UET_TSS_OK);
    uet_tss_erase(&s.sa);
    load(&s, golden_tss_find("TV4d"));
    p = s.params, p.iv_mask[0] = 0;
    expect_with(&s, &p, UET_TSS_BAD_ICV);
    p = s.params, p.ssi_mode = true; /* TSS-040 */
    expect_with(&s, &p, UET_TSS_SSI);
    uet_tss_erase(&s.sa);
}

/* TSS-017: without an SSI the IV of IPv6 has no source in it, which only cluster mode bears. */
static void ipv6_needs_ssi(void **state)
{
    (void)state;
    static const struct {
        uint8_t mode, client;
    } cases[] = {{UET_TSS_MODE_DIRECT, UET_CLIENT_PEER},
                 {UET_TSS_MODE_SERVER, UET_CLIENT_PEER},
                 {UET_TSS_MODE_SERVER, UET_CLIENT_SELF}};
    const struct golden_tss *tv3 = golden_tss_find("TV3");
    uint8_t clear[256], out[256];
    struct sealed s;
    size_t len = golden_tss_clear(clear, sizeof clear, tv3), n;
    load(&s, tv3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct uet_tss_params p = {.sdi = 1, .mode = cases[i].mode, .client = cases[i].client};
        struct uet_tss_sa sa;
        expect_with(&s, &p, UET_TSS_SSI);
        assert_int_equal(uet_tss_setup(&sa, &p), 0);
        assert_int_equal(uet_tss_seal(&sa, &tv3->stamp, clear, len, &from_ip, out, sizeof out, &n),
                         UET_TSS_SSI);
        uet_tss_erase(&sa);
    }
    uet_tss_erase(&s.sa);
}

/* TSS-044: UET bytes of type TSS, 1 to 43 of them, with and without SSI, over UDP and native. */
static void cut_short(void **state)
{
    (void)state;
    static const char *const ids[] = {"TV1", "TV2", "TV3", "TV4a"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct sealed s;
        load(&s, golden_tss_find(ids[i]));
        size_t header = uet_tss_header_len(s.params.ssi_mode);
        for (size_t n = 1; n <= header + UET_TSS_TRAILER_BYTES; n++) {
            size_t len = s.at.tss_offset + n;
            if (s.at.ip_version == 4)
                uet_ipv4_total_length_set(s.bytes, (uint16_t)len);
            else
                uet_ipv6_payload_length_set(s.bytes, (uint16_t)(len - 40));
            assert_int_equal(open_copy(&s.sa, s.bytes, len),
                             n < header + UET_TSS_TRAILER_BYTES ? UET_TSS_SHORT : UET_TSS_BAD_ICV);
        }
        uet_tss_erase(&s.sa);
    }
}

/* A packet in clear, a frame that is no UET, nothing at all. */
static void not_tss(void **state)
{
    (void)state;
    struct sealed s;
    uint8_t clear[256];
    load(&s, golden_tss_find("TV4a"));
    size_t n = golden_tss_clear(clear, sizeof clear, golden_tss_find("TV4a"));
    assert_int_equal(open_copy(&s.sa, clear, n), UET_TSS_CLEAR);
    uet_udp_dst_port_set(clear + 20, 53);
    assert_int_equal(open_copy(&s.sa, clear, n), UET_TSS_NOT_UET);
    assert_int_equal(open_copy(&s.sa, clear, 0), UET_TSS_NOT_UET);
    uet_tss_erase(&s.sa);
}

/* TSS-033, TSS-036, TSS-038: the slot by the AN bit; an empty slot; an overwritten one. */
static void slots(void **state)
{
    (void)state;
    const struct golden_tss *tv1 = golden_tss_find("TV1");
    struct uet_tss_params p[2] = {golden_tss_params(tv1), golden_tss_params(tv1)};
    struct uet_tss_sa slot[2], *sas[3] = {NULL, &slot[0], NULL};
    uint8_t clear[256], sealed[2][256];
    size_t len = golden_tss_clear(clear, sizeof clear, tv1), n[2];
    struct uet_tss_header h = {.sdi = 1, .an = 1};
    enum uet_tss_status status;
    p[1].an = 1;
    p[1].key[0] ^= 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(uet_tss_setup(&slot[i], &p[i]), 0);
        assert_int_equal(uet_tss_seal(&slot[i], &tv1->stamp, clear, len, &from_ip, sealed[i],
                                      sizeof sealed[i], &n[i]),
                         UET_TSS_OK);
    }
    assert_null(uet_tss_find(sas, 3, &h, &status));
    assert_int_equal(status, UET_TSS_NO_KEY);
    sas[2] = &slot[1];
    assert_ptr_equal(uet_tss_find(sas, 3, &h, &status), &slot[1]);
    assert_int_equal(status, UET_TSS_OK);
    h.sdi = 2;
    assert_null(uet_tss_find(sas, 3, &h, &status));
    assert_int_equal(status, UET_TSS_UNKNOWN_SDI);
    for (int i = 0; i < 2; i++)
        assert_int_equal(open_copy(&slot[i], sealed[i], n[i]), UET_TSS_OK);
    uet_tss_erase(&slot[0]);
    p[0].key[5] ^= 0x40;
    assert_int_equal(uet_tss_setup(&slot[0], &p[0]), 0);
    assert_int_equal(open_copy(&slot[0], sealed[0], n[0]), UET_TSS_BAD_ICV);
    uet_tss_erase(&slot[0]);
    uet_tss_erase(&slot[1]);
}

/* A counter of more than 48 bits is not cut: the packet is not made. */
static void counter_too_wide(void **state)
{
    (void)state;
    struct sealed s;
    uint8_t clear[256], out[256];
    size_t n;
    load(&s, golden_tss_find("TV1"));
    size_t len = golden_tss_clear(clear, sizeof clear, golden_tss_find("TV1"));
    const struct uet_tss_stamp stamp = {.counter = UET_TSS_COUNTER_MAX + 1};
    assert_int_equal(uet_tss_seal(&s.sa, &stamp, clear, len, &from_ip, out, sizeof out, &n),
                     UET_TSS_COUNTER_END);
    uet_tss_erase(&s.sa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit),      cmocka_unit_test(every_bit_of_aad),
        cmocka_unit_test(switches_may),   cmocka_unit_test(reserved_bit_sealed),
        cmocka_unit_test(wrong_settings), cmocka_unit_test(ipv6_needs_ssi),
        cmocka_unit_test(cut_short),      cmocka_unit_test(not_tss),
        cmocka_unit_test(slots),          cmocka_unit_test(counter_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
