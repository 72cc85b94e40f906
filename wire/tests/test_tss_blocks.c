/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sublayer against the tables of spec-map/blocks.csv: what of a packet is protected how, the
 * additional data, the IV, the key derivation. Where a row stands, the code puts it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/tests/golden_tss.h"

static const struct uet_parse_options from_ip = {.start = UET_START_IP};

struct sealed {
    struct uet_tss_params params;
    struct uet_tss_place at;
    struct uet_tss_header h;
    struct uet_tss_run run[2];
    size_t runs, len;
    uint8_t bytes[256];
};

static void load(struct sealed *s, const char *id)
{
    const struct golden_tss *g = golden_tss_find(id);
    s->params = golden_tss_params(g);
    s->len = golden_unhex(s->bytes, sizeof s->bytes, g->packet);
    assert_int_equal(uet_tss_locate(&s->at, s->bytes, s->len, &from_ip), UET_TSS_OK);
    assert_int_equal(uet_tss_header_at(&s->h, s->bytes, &s->at, true), UET_TSS_OK);
    size_t limit = s->at.end - (size_t)UET_TSS_TRAILER_BYTES;
    size_t from = uet_tss_encrypted_from(&s->at, s->h.sp, s->params.encrypt_from, limit);
    s->runs = uet_tss_aad(&s->at, from, &s->params.readings, s->run);
}

static const struct uet_block *block(const char *name)
{
    const struct uet_block *b = uet_block_find(name);
    if (!b)
        fail_msg("no block %s", name);
    return b;
}

static const struct uet_block_row *row(const char *block_name, const char *field)
{
    const struct uet_block_row *r = uet_block_row_find(block(block_name), field);
    if (!r || r->bit_offset % 8 || r->width % 8)
        fail_msg("no row %s of %s, or not in whole bytes", field, block_name);
    return r;
}

static bool in_aad(const struct sealed *s, size_t i)
{
    for (size_t r = 0; r < s->runs; r++)
        if (i >= s->run[r].offset && i < s->run[r].offset + s->run[r].len)
            return true;
    return false;
}

/* Every row says "AAD" exactly where the code authenticates. */
static void check_cover(const char *id, const char *name, size_t start, size_t end)
{
    const struct uet_block *b = block(name);
    struct sealed s;
    size_t bits = 0;
    load(&s, id);
    for (size_t i = 0; i < b->n; i++) {
        const struct uet_block_row *r = &b->rows[i];
        bool aad = strstr(r->value, "AAD");
        if (!aad && !strstr(r->value, "not authenticated"))
            fail_msg("%s.%s says neither", name, r->field);
        for (size_t bit = r->bit_offset; bit < r->bit_offset + (size_t)r->width; bit++, bits++)
            if (in_aad(&s, start + bit / 8) != aad)
                fail_msg("%s: bit %zu of %s.%s", id, bit, name, r->field);
    }
    assert_int_equal(bits, (end - start) * 8); /* the rows leave no bit out */
}

static void coverage(void **state)
{
    (void)state;
    check_cover("TV1", "COVER_IPV4", 0, UET_IPV4_BYTES);
    check_cover("TV1", "COVER_ENTROPY", UET_IPV4_BYTES, UET_IPV4_BYTES + UET_ENTROPY_BYTES);
    check_cover("TV3", "COVER_IPV6", 0, UET_IPV6_BYTES);
    check_cover("TV3", "COVER_ENTROPY", UET_IPV6_BYTES, UET_IPV6_BYTES + UET_ENTROPY_BYTES);
    check_cover("TV4a", "COVER_IPV4", 0, UET_IPV4_BYTES);
    check_cover("TV4a", "COVER_UDP", UET_IPV4_BYTES, UET_IPV4_BYTES + UET_UDP_BYTES);
}

/* The rows stand one after the other and end where the additional data ends. */
static void check_aad(const char *id, const char *name, const uint8_t *const parts[5])
{
    const struct uet_block *b = block(name);
    struct sealed s;
    size_t end = 0;
    load(&s, id);
    assert_int_equal(b->n, 5);
    assert_int_equal(s.runs, 1);
    for (size_t i = 0; i < b->n; i++) {
        const struct uet_block_row *r = row(name, b->rows[i].field);
        assert_int_equal(r->bit_offset, end);
        assert_memory_equal(s.bytes + s.run[0].offset + end / 8, parts[i], r->width / 8);
        end += r->width;
    }
    assert_int_equal(end, s.run[0].len * 8);
}

static void additional_data(void **state)
{
    (void)state;
    struct sealed s;
    load(&s, "TV1");
    const uint8_t *ip = s.bytes, *entropy = ip + UET_IPV4_BYTES;
    const uint8_t *const v4[] = {ip + 12, ip + 16, entropy, entropy + 2,
                                 entropy + UET_ENTROPY_BYTES};
    check_aad("TV1", "AAD_IPV4_NATIVE", v4);
    load(&s, "TV3");
    entropy = ip + UET_IPV6_BYTES;
    const uint8_t *const v6[] = {uet_ipv6_src(ip), uet_ipv6_dst(ip), entropy, entropy + 2,
                                 entropy + UET_ENTROPY_BYTES};
    check_aad("TV3", "AAD_IPV6_NATIVE", v6);
    load(&s, "TV4a"); /* over UDP the table gives the length in words: 28 B */
    assert_non_null(strstr(block("AAD_IPV4_UDP")->rows[0].note, "28 B (sp=0) or 32 B (sp=1)"));
    assert_int_equal(s.run[0].len, 28);
}

/* Bits of a block as a number. */
static uint64_t number(const uint8_t *p, const struct uet_block_row *r)
{
    uint64_t v = 0;
    assert_true(r->width <= 64);
    for (size_t i = 0; i < r->width / 8u; i++)
        v = v << 8 | p[r->bit_offset / 8 + i];
    return v;
}

static void iv(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        uint32_t source;
    } cases[] = {{"TV1", 0xc0a82a01}, {"TV2", 0x0a0b0c0d}, {"TV3", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sealed s;
        uint8_t raw[UET_TSS_IV_LEN];
        load(&s, cases[i].id);
        uet_tss_raw_iv(raw, &s.h, s.bytes, &s.at);
        assert_int_equal(number(raw, row("IV", "source_id")), cases[i].source);
        assert_int_equal(number(raw, row("IV", "epoch")), s.h.epoch);
        assert_true(number(raw, row("IV", "counter")) == s.h.counter);
        assert_int_equal(row("IV", "mask (XOR over all 96 bits)")->width, UET_TSS_IV_LEN * 8);
    }
}

/* The block's own rows around a context of either length. */
static void check_kdf_block(const struct uet_tss_context *c)
{
    uint8_t in[UET_TSS_FIXED_MAX];
    size_t n = uet_tss_kdf_input(in, 2, UET_TSS_LABEL_SERVER, c);
    struct uet_block_row length = *row("KDF_BLOCK", "L");
    const struct uet_block_row *context = row("KDF_BLOCK", "context");
    assert_int_equal(number(in, row("KDF_BLOCK", "counter")), 2);
    assert_int_equal(number(in, row("KDF_BLOCK", "label")), 0x5532);
    assert_int_equal(number(in, row("KDF_BLOCK", "separator")), 0);
    assert_memory_equal(in + context->bit_offset / 8, c->bytes, c->len);
    length.bit_offset = (uint16_t)(context->bit_offset + c->len * 8);
    assert_int_equal(number(in, &length), 0x0160);
    assert_int_equal(n * 8, length.bit_offset + length.width);
    if (c->len * 8 == context->width) /* the table's rows are those of the short context */
        assert_int_equal(length.bit_offset, row("KDF_BLOCK", "L")->bit_offset);
}

static void derivation(void **state)
{
    (void)state;
    static const uint8_t address[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    struct uet_tss_context c;
    uet_tss_context_4(&c, 0x1dc0, 0x12345678, address);
    assert_int_equal(number(c.bytes, row("KDF_CTX_4", "epoch")), 0x1dc0);
    assert_int_equal(number(c.bytes, row("KDF_CTX_4", "rekey")), 0x12345678);
    assert_int_equal(number(c.bytes, row("KDF_CTX_4", "source")), 0x01020304);
    assert_int_equal(row("KDF_CTX_4", "source")->bit_offset + 32, c.len * 8);
    check_kdf_block(&c);
    uet_tss_context_6(&c, 0x1dc0, 0x12345678, address);
    const struct uet_block_row *a = row("KDF_CTX_6", "address");
    assert_int_equal(number(c.bytes, row("KDF_CTX_6", "zero")), 0);
    assert_int_equal(number(c.bytes, row("KDF_CTX_6", "epoch")), 0x1dc0);
    assert_int_equal(number(c.bytes, row("KDF_CTX_6", "rekey")), 0x12345678);
    assert_memory_equal(c.bytes + a->bit_offset / 8, address, a->width / 8);
    assert_int_equal(a->bit_offset + a->width, c.len * 8);
    check_kdf_block(&c);
    assert_int_equal(row("KDF_OUT", "SDK")->width, UET_TSS_KEY_LEN * 8);
    assert_int_equal(row("KDF_OUT", "IVMask")->bit_offset, UET_TSS_KEY_LEN * 8);
    assert_int_equal(row("KDF_OUT", "IVMask")->width, UET_TSS_IV_LEN * 8);
}

/* 12 + 16 and 16 + 16 bytes more on the wire (TSS-002, TSS-004). */
static void overhead(void **state)
{
    (void)state;
    static const char *const ids[] = {"TV1", "TV2"};
    static const size_t more[] = {28, 32};
    assert_non_null(strstr(uet_block_row_find(block("LEN"), "tss_overhead_sp0")->value, "= 28 B"));
    assert_non_null(strstr(uet_block_row_find(block("LEN"), "tss_overhead_sp1")->value, "= 32 B"));
    for (size_t i = 0; i < 2; i++) {
        const struct golden_tss *g = golden_tss_find(ids[i]);
        uint8_t clear[256];
        assert_int_equal(strlen(g->packet) / 2, golden_tss_clear(clear, sizeof clear, g) + more[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage),   cmocka_unit_test(additional_data), cmocka_unit_test(iv),
        cmocka_unit_test(derivation), cmocka_unit_test(overhead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
