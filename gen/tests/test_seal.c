/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sealed packets by the language: every packet vector of the facts (wire/tests/golden_tss.h), each
 * from one line that a person would write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/lang.h"
#include "wire/tests/golden_tss.h"

#define KEY_A "key=34448a064292601b11a0978f56a2d34cf3fc35ede1a6bc04f8db3e5243a2b0ca"
#define KEY_B "key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define IP4   "ip(src=192.168.42.1,dst=192.168.42.2,ecn=0)/"
#define IP6   "ip6(src=2001:cb0::fc0:0:0:abc,dst=2001:cb0::fc0:0:0:abd,ecn=0)/"
#define STAMP "epoch=0x1dc0,counter=0x74e500000023,"
#define REKEY "mode=cluster,rekey_mask=0x0000ffff00000000,rekey_shift=32,"
#define UET                                                                                        \
    "/pds.rud_req(syn=1,ar=1,psn=0x12345,spdcid=1)/"                                               \
    "ses.std(opcode=write,resource_index=15,initiator=0x10,"                                       \
    "match_bits_or_memory_key=0x1122334455667788)/data(8)"

static const struct {
    const char *id, *line;
} lines[] = {
    {"TV1", IP4 "entropy/tss(" STAMP REKEY KEY_A ")" UET},
    {"TV2", IP4 "entropy/tss(sp=1,sdi=0xabcdef,an=1,ssi=0x0a0b0c0d,epoch=3,counter=0x28000005,"
                "mode=cluster,rekey_mask=0xfffff8000000,rekey_shift=27," KEY_B ")" UET},
    {"TV3", IP6 "entropy/tss(" STAMP REKEY KEY_A ")" UET},
    {"TV4a", IP4 "udp/tss(counter=7," KEY_B ")" UET},
    {"TV4b", IP4 "udp/tss(counter=7,udp_in_aad=0," KEY_B ")" UET},
    {"TV4c", IP4 "entropy/tss(counter=7," KEY_B ")" UET},
    {"TV4d", IP4 "entropy/tss(counter=7,iv_mask=f0f1f2f3f4f5f6f7f8f9fafb," KEY_B ")" UET},
    {"TV5",
     IP4 "entropy/tss(sp=1,ssi=2,epoch=0x1dc0,counter=1,mode=server,client=src," KEY_A ")" UET},
    {"TV6", IP4 "entropy/tss(" STAMP REKEY "encrypt_from=24," KEY_A ")" UET},
    {"TV7", IP4 "entropy/tss(" STAMP REKEY "encrypt_from=0xffff," KEY_A ")" UET},
};

static int make(const char *line, uint8_t *out, size_t cap, struct uet_gen_about *about)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    if (uet_gen_new(&gen, line, 1, &error) != 0)
        fail_msg("%s: %s", line, error.text);
    int n = uet_gen_packet(gen, 0, out, cap, about, &error);
    if (n < 0)
        fail_msg("%s: %s", line, error.text);
    uet_gen_free(gen);
    return n;
}

static void test_every_packet_vector(void **state)
{
    (void)state;
    assert_int_equal(sizeof lines / sizeof *lines, n_golden_tss);
    for (size_t i = 0; i < n_golden_tss; i++) {
        const struct golden_tss *g = golden_tss_find(lines[i].id);
        struct uet_gen_about about;
        uint8_t want[256], made[256];
        size_t n = golden_unhex(want, sizeof want, g->packet);
        int len = make(lines[i].line, made, sizeof made, &about);
        if (len != (int)n || memcmp(made, want, n) != 0)
            fail_msg("%s: another packet from %s", g->id, lines[i].line);
        assert_true(about.sealed);
        assert_false(about.wrong);
        assert_int_equal(about.start, UET_START_IP);
    }
}

/* One wrong bit of the key is another packet; the header in clear stays as it was. */
static void test_another_key(void **state)
{
    (void)state;
    static const char other[] =
        IP4 "udp/tss(counter=7,key=010102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
            ")" UET;
    struct uet_gen_about about;
    uint8_t want[256], made[256];
    const struct golden_tss *g = golden_tss_find("TV4a");
    size_t n = golden_unhex(want, sizeof want, g->packet), header = 28 + UET_TSS_HDR_12_BYTES;
    assert_int_equal(make(other, made, sizeof made, &about), n);
    assert_memory_equal(made, want, header);
    assert_memory_not_equal(made + header, want + header, n - header);
}

/* What decode gives back of a sealed packet makes the same bytes, without any key. */
static void test_back_without_a_key(void **state)
{
    (void)state;
    static char line[UET_GEN_LINE_MAX];
    const struct uet_parse_options o = {.start = UET_START_IP};
    for (size_t i = 0; i < n_golden_tss; i++) {
        struct uet_gen_about about;
        uint8_t want[256], made[256];
        size_t n = golden_unhex(want, sizeof want, golden_tss[i].packet);
        assert_true(uet_gen_describe(want, n, &o, line, sizeof line) > 0);
        assert_null(strstr(line, "key="));
        assert_int_equal(make(line, made, sizeof made, &about), n);
        assert_memory_equal(made, want, n);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } table[] = {
        {IP4 "udp/tss(key=0011)" UET, "a key has 32 bytes, not 2: 64 hexadecimal digits"},
        {IP4 "udp/tss(mode=cluster)" UET,
         "nothing is sealed without a key: key=.., 64 hexadecimal digits"},
        {IP4 "udp/tss(counter=7)" UET,
         "nothing is sealed without a key: key=.., 64 hexadecimal digits, or sealed bytes, "
         "/data(..), or tss_hdr_12 for the header alone"},
        {IP4 "udp/tss",
         "nothing is sealed without a key: key=.., 64 hexadecimal digits, or sealed bytes, "
         "/data(..), or tss_hdr_12 for the header alone"},
        {IP4 "udp/tss(iv_mask=00," KEY_B ")" UET,
         "an IV mask has 12 bytes, not 1: 24 hexadecimal digits"},
        {IP4 "udp/tss(mode=cluster,rekey_shift=8," KEY_B ")" UET,
         "rekey_shift needs a rekey_mask that is not 0: write one, or leave rekey_shift out"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        assert_int_not_equal(uet_gen_new(&gen, table[i].line, 1, &error), 0);
        assert_string_equal(error.text, table[i].says);
    }
}

/* Bytes that were sealed elsewhere, and a header that stands where it should not. */
static void test_without_a_key(void **state)
{
    (void)state;
    static const char *const lines_[] = {IP4 "udp/tss(counter=7)/data(40)",
                                         IP4 "udp/tss_hdr_12(counter=7)" UET,
                                         IP4 "udp/!tss(counter=7)" UET, IP4 "udp/!tss"};
    for (size_t i = 0; i < sizeof lines_ / sizeof *lines_; i++) {
        struct uet_gen_about about;
        uint8_t made[256];
        assert_true(make(lines_[i], made, sizeof made, &about) > 0);
        assert_false(about.sealed);
        assert_int_equal(about.wrong, i > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_packet_vector), cmocka_unit_test(test_another_key),
        cmocka_unit_test(test_back_without_a_key), cmocka_unit_test(test_without_a_key),
        cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
