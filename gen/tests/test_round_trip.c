/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From line to bytes to line to bytes: the bytes come back, and the second line is the third.
 * Lines are drawn at random from the data, so that a header added there is tried here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/graph.h"
#include "gen/lang.h"
#include "gen/names.h"
#include "gen/value.h"
#include "wire/tests/golden.h"

static uint64_t seed = 0x5eed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 11) % below);
}

static void say_how(const char *line, const uint8_t *bytes, size_t n)
{
    print_error("%s\n", line);
    for (size_t i = 0; i < n; i++)
        print_error("%02x", bytes[i]);
    print_error("\n");
}

/* bytes -> line -> bytes -> line */
static void describe_twice(const uint8_t *bytes, size_t n, const struct uet_parse_options *o)
{
    static char first[UET_GEN_LINE_MAX], second[UET_GEN_LINE_MAX];
    static uint8_t again[UET_FRAME_MAX];
    struct uet_gen *gen;
    struct uet_gen_error error;
    int len = uet_gen_describe(bytes, n, o, first, sizeof first);
    if (len <= 0)
        say_how("no line", bytes, n);
    assert_true(len > 0 && (size_t)len == strlen(first));
    assert_int_equal(uet_gen_new(&gen, first, 1, &error), 0);
    int made = uet_gen_packet(gen, 0, again, sizeof again, NULL, &error);
    if (made != (int)n || memcmp(again, bytes, n) != 0)
        say_how(first, bytes, n);
    assert_int_equal(made, n);
    assert_memory_equal(again, bytes, n);
    uet_gen_free(gen);
    uet_gen_describe(again, n, o, second, sizeof second);
    assert_string_equal(first, second);
}

/* A random value of a field as text: one that a sender may send, or with "!" any. Below PDS most
 * values would break the packet, so that they all get the "!". */
static void add_field(char *line, size_t cap, const struct uet_field *f, bool below, bool *any)
{
    gen_value v = 0;
    char text[80];
    bool wrong = below || draw(5) == 0;
    for (unsigned i = 0; i < 4; i++)
        v = v << 32 | draw(UINT32_MAX);
    if (f->width < 128)
        v &= ((gen_value)1 << f->width) - 1;
    if (f->kind == UET_KIND_INT && v >> (f->width - 1))
        v |= ~(gen_value)0 << f->width;
    if (!wrong && !gen_value_allowed(f, v))
        return;
    gen_value_text(f, v, text, sizeof text);
    size_t n = strlen(line);
    snprintf(line + n, cap - n, "%s%s%s=%s", *any ? "," : "(", wrong ? "!" : "", f->name, text);
    *any = true;
}

static void add_layer(char *line, size_t cap, enum uet_header_id id)
{
    const struct uet_header *h = &uet_headers[id];
    bool any = false;
    size_t n = strlen(line);
    snprintf(line + n, cap - n, "%s%s", n ? "/" : "", h->name);
    for (unsigned i = draw(4); i-- > 0;) {
        const struct uet_field *f = h->fields[draw(h->n_fields)];
        char given[64];
        snprintf(given, sizeof given, "%s=", f->name);
        if (!strstr(line + n, given)) /* once is enough */
            add_field(line, cap, f, h->layer == UET_LAYER_LINK || h->layer == UET_LAYER_NET, &any);
    }
    n = strlen(line);
    if (any)
        snprintf(line + n, cap - n, ")");
}

/* A walk along the graph at random. */
static void random_line(char *line, size_t cap)
{
    enum uet_header_id at = UET_H_ETH;
    line[0] = '\0';
    for (int depth = 0; at != UET_H_NONE && depth < 10; depth++) {
        const struct gen_edge *ways[32];
        size_t n = 0;
        add_layer(line, cap, at);
        for (size_t i = 0; i < gen_n_edges && n < 32; i++)
            if (!gen_edges[i].inside && gen_edge_leaves(&gen_edges[i], at))
                ways[n++] = &gen_edges[i];
        const struct gen_edge *e = n && draw(12) ? ways[draw((uint32_t)n)] : NULL;
        at = e ? (enum uet_header_id)e->to[draw((uint32_t)e->n_to)] : UET_H_NONE;
        if (at != UET_H_PDS_PROLOGUE)
            continue;
        do
            e = &gen_edges[draw((uint32_t)gen_n_edges)];
        while (e->from != UET_H_PDS_PROLOGUE);
        at = (enum uet_header_id)e->to[draw((uint32_t)e->n_to)];
    }
    size_t n = strlen(line);
    if (draw(2))
        snprintf(line + n, cap - n, "/data(%u)", draw(100));
    n = strlen(line);
    if (draw(3) == 0)
        snprintf(line + n, cap - n, "/crc");
    n = strlen(line);
    if (draw(6) == 0)
        snprintf(line + n, cap - n, "/pad(%u)", draw(20));
}

static void test_random_lines(void **state)
{
    static char line[4096];
    static uint8_t bytes[UET_FRAME_MAX];
    size_t made = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        struct uet_gen_about about;
        random_line(line, sizeof line);
        if (uet_gen_new(&gen, line, 1, &error) != 0) {
            print_error("%s: %s\n", line, error.text);
            fail();
        }
        int n = uet_gen_packet(gen, 0, bytes, sizeof bytes, &about, &error);
        uet_gen_free(gen);
        if (n < 0)
            continue; /* fields that contradict each other */
        made++;
        const struct uet_parse_options o = {.protect = about.protect};
        describe_twice(bytes, (size_t)n, &o);
    }
    assert_in_range(made, 1500, 3000);
}

static void test_golden_packets(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct uet_parse_options o = {.protect = (uint8_t)golden[i].protect};
        describe_twice(golden[i].bytes, golden[i].len, &o);
    }
}

/* Bytes cut anywhere and bits turned anywhere: still exact. */
static void test_damaged_packets(void **state)
{
    uint8_t copy[256];
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        const struct uet_parse_options o = {.protect = (uint8_t)(i % 3)};
        assert_true(g->len <= sizeof copy);
        for (size_t n = 1; n < g->len; n += 3)
            describe_twice(g->bytes, n, &o);
        for (int k = 0; k < 40; k++) {
            memcpy(copy, g->bytes, g->len);
            copy[draw((uint32_t)g->len)] ^= (uint8_t)(1u << draw(8));
            describe_twice(copy, g->len, &o);
        }
    }
}

/* Lines that are their own description: what a person writes is what decode prints. */
static void test_same_line(void **state)
{
    static const char *const lines[] = {
        "eth/ip/udp/pds.rud_req(syn=1,psn=5)/ses.std/data(64)",
        "eth/ip6/udp/pds.rod_req/ses.small(opcode=send)/data(text='hello')/crc",
        "eth/vlan(vid=7)/ip/udp/pds.cp.close_command(psn=7)",
        "eth/ip/udp/pds.ack_cc(service_time=5)",
        "eth/ip/udp/pds.ack/ses.rsp(return_code=bad_mkey)",
        "eth/ip/udp(!length=3)/pds.nack",
        "eth/ip/udp/pds.nack(!nack_code=0)",
        "eth/ip/udp/pds.rud_req(!rsvd[6:5]=1)/ses.medium(hd=1)/data(10,fill=0xab)/pad(4)",
        "eth/ip/udp/pds.nack/crc(!crc32c=0x0)",
        "eth(dst=02:00:00:00:00:99)/ip(!header_checksum=1,src=10.0.0.1,dst=10.0.0.2)/udp/pds.ack",
    };
    static char out[UET_GEN_LINE_MAX];
    static uint8_t bytes[UET_FRAME_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        struct uet_gen_about about;
        assert_int_equal(uet_gen_new(&gen, lines[i], 1, &error), 0);
        int n = uet_gen_packet(gen, 0, bytes, sizeof bytes, &about, &error);
        assert_true(n > 0);
        uet_gen_free(gen);
        const struct uet_parse_options o = {.protect = about.protect};
        uet_gen_describe(bytes, (size_t)n, &o, out, sizeof out);
        assert_string_equal(out, lines[i]);
    }
}

static void test_start(void **state)
{
    static const uint8_t cp[16] = {0x5a, 0, 0, 0, 0, 0, 0, 7, 0x10, 1, 0x20, 1};
    const struct uet_parse_options pds = {.start = UET_START_PDS};
    char out[200];
    (void)state;
    uet_gen_describe(cp, sizeof cp, &pds, out, sizeof out);
    assert_string_equal(out, "pds.cp.close_command(psn=7)");
    describe_twice(cp, sizeof cp, &pds);
    uet_gen_describe(cp, 0, &pds, out, sizeof out);
    assert_string_equal(out, "data(0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_lines),    cmocka_unit_test(test_golden_packets),
        cmocka_unit_test(test_damaged_packets), cmocka_unit_test(test_same_line),
        cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
