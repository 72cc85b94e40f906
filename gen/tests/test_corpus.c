/* SPDX-License-Identifier: BSD-2-Clause */
/* The corpus: each packet parses as its manifest says, and every header and value is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/corpus.h"
#include "wire/layers.h"

#define ROUND_TRIP_EVERY 16

struct tally {
    size_t n, valid, wrong, surprises;
    size_t of_header[UET_H_COUNT];
    uint64_t opcodes, return_codes, cp_types; /* bit sets of what was seen in valid packets */
    uint8_t nack_codes[256];
    size_t results[UET_PARSE_ERROR_COUNT];
};

static void see_values(struct tally *t, const struct uet_packet *p)
{
    if (uet_is_ses_request(p))
        t->opcodes |= UINT64_C(1) << uet_ses_req_opcode(uet_ses(p));
    if (uet_is_ses_response(p))
        t->return_codes |= UINT64_C(1) << uet_ses_rsp_return_code(uet_ses(p));
    if (uet_is_cp(p))
        t->cp_types |= UINT64_C(1) << uet_cp_ctl_type(uet_pds(p));
    if (p->pds == UET_H_NACK)
        t->nack_codes[uet_nack_nack_code(uet_pds(p))] = 1;
}

static int check(void *ctx, const struct uet_gen_case *c)
{
    struct tally *t = ctx;
    struct uet_packet p;
    const uint64_t trimmed = UINT64_C(1) << 16, lasthop = UINT64_C(1) << 18;
    const bool trim = strcmp(c->kind, "trimmed") == 0;
    const struct uet_parse_options o = {.protect = c->protect,
                                        .dscp_trimmed = trim ? trimmed | lasthop : 0,
                                        .dscp_trimmed_lasthop = trim ? lasthop : 0};
    uet_parse(&p, c->frame, c->len, &o);
    if (p.error != c->expect && t->surprises++ < 20)
        print_error("%s (%s): expected %s, parsed %s\n", c->line, c->kind,
                    uet_gen_result_name(c->expect),
                    uet_gen_result_name((enum uet_parse_error)p.error));
    t->n++;
    t->results[c->expect]++;
    t->of_header[c->header]++;
    if (c->valid) {
        assert_true(c->expect == UET_PARSE_OK || c->expect == UET_PARSE_SEALED);
        t->valid++;
        see_values(t, &p);
    } else
        t->wrong++;
    return 0;
}

static void test_corpus(void **state)
{
    static struct tally t;
    char error[400] = "";
    (void)state;
    int rc = uet_gen_corpus(check, &t, error, sizeof error);
    if (rc)
        fail_msg("%s", error);
    print_message("%zu packets, %zu valid, %zu wrong\n", t.n, t.valid, t.wrong);
    assert_int_equal(t.surprises, 0);
    for (int id = 1; id < UET_H_COUNT; id++) {
        if (t.of_header[id] == 0 && uet_gen_reachable((enum uet_header_id)id))
            fail_msg("no packet of %s", uet_headers[id].name);
        if (t.of_header[id] == 0)
            print_message("no way to %s\n", uet_headers[id].name);
    }
    /* All 16 opcodes of the table, all Control Packets, codes at the ends of theirs. */
    assert_int_equal(t.opcodes & 0xffff, 0xffff);
    assert_int_equal(t.cp_types & 0x3ff, 0x3ff);
    assert_true(t.return_codes & 2); /* RC_OK */
    assert_true(t.nack_codes[UET_NACK_TRIMMED] && t.nack_codes[UET_NACK_EXP_NACK_FATAL]);
    assert_false(t.nack_codes[12]); /* reserved: not among the valid */
    for (int r = 0; r < UET_PARSE_ERROR_COUNT; r++)
        if (r != UET_PARSE_CRC_SHORT && t.results[r] == 0)
            fail_msg("nothing in the corpus gives %s",
                     uet_gen_result_name((enum uet_parse_error)r));
}

/* ---- from each packet back to a line, and from the line to the same bytes ---- */

static int there_and_back(void *ctx, const struct uet_gen_case *c)
{
    static char line[UET_GEN_LINE_MAX];
    static uint8_t again[UET_FRAME_MAX];
    size_t *n = ctx;
    struct uet_gen *gen;
    struct uet_gen_error error;
    const struct uet_parse_options o = {.protect = c->protect, .lenient = true};
    if (++*n % ROUND_TRIP_EVERY != 0 && strcmp(c->kind, "cut") == 0)
        return 0; /* the bulk of the corpus, and all alike */
    if (uet_gen_describe(c->frame, c->len, &o, line, sizeof line) <= 0)
        fail_msg("no line for the packet of %s", c->line);
    if (uet_gen_new(&gen, line, 1, &error) != 0)
        fail_msg("%s became %s: %s", c->line, line, error.text);
    int len = uet_gen_packet(gen, 0, again, sizeof again, NULL, &error);
    uet_gen_free(gen);
    if (len != (int)c->len || memcmp(again, c->frame, c->len) != 0)
        fail_msg("%s became %s, which makes another packet", c->line, line);
    if (strstr(line, ",key=") || strstr(line, "(key="))
        fail_msg("%s: a key came back out of a packet", c->line);
    return 0;
}

static void test_there_and_back(void **state)
{
    char error[400] = "";
    size_t n = 0;
    (void)state;
    assert_int_equal(uet_gen_corpus(there_and_back, &n, error, sizeof error), 0);
    assert_true(n > 10000);
}

/* The callback can stop it. */
static int stop(void *ctx, const struct uet_gen_case *c)
{
    (void)c;
    return ++*(int *)ctx == 3 ? 77 : 0;
}

static void test_stops(void **state)
{
    char error[400];
    int n = 0;
    (void)state;
    assert_int_equal(uet_gen_corpus(stop, &n, error, sizeof error), 77);
    assert_int_equal(n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus),
                                       cmocka_unit_test(test_there_and_back),
                                       cmocka_unit_test(test_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
