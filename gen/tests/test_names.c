/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of layers: every header can be written, by its own name and by its short ones. */
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

/* A header alone, by its name: its bytes, and it is what the parser would choose. */
static void test_every_header_by_its_name(void **state)
{
    (void)state;
    for (int id = 1; id < UET_H_COUNT; id++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        uint8_t bytes[256];
        assert_int_equal(uet_gen_new(&gen, uet_headers[id].name, 1, &error), 0);
        int n = uet_gen_packet(gen, 0, bytes, sizeof bytes, NULL, &error);
        if (n < uet_headers[id].bytes)
            print_error("%s: %s\n", uet_headers[id].name, error.text);
        assert_in_range(n, uet_headers[id].bytes, uet_headers[id].bytes + 8);
        for (size_t t = 0; t < gen_whens[id].n; t++) {
            const struct gen_term *term = &gen_whens[id].terms[t];
            const struct uet_field *f =
                gen_field((enum uet_header_id)id, term->field, strlen(term->field));
            assert_non_null(f);
            assert_true(gen_term_holds(term, uet_field_get(f, bytes)));
        }
        uet_gen_free(gen);
    }
}

static void test_short_names(void **state)
{
    static const struct {
        const char *name;
        enum uet_header_id id;
        const char *preset;
        uint32_t value;
    } table[] = {
        {"ip", UET_H_IPV4, NULL, 0},
        {"IP6", UET_H_IPV6, NULL, 0},
        {"crc", UET_H_CRC_TRAILER, NULL, 0},
        {"pds.rud_req", UET_H_RUD_ROD_REQ, "type", 2},
        {"pds.rod_req", UET_H_RUD_ROD_REQ, "type", 3},
        {"pds.ack", UET_H_ACK, "type", 7},
        {"pds.ack_cc", UET_H_ACK_CC, "type", 8},
        {"pds.nack", UET_H_NACK, "type", 10},
        {"pds.cp", UET_H_CP, "type", 11},
        {"pds.cp.noop", UET_H_CP, "ctl_type", 0},
        {"pds.cp.clear", UET_H_CP, "ctl_type", 2},
        {"pds.cp.close", UET_H_CP, "ctl_type", 4},
        {"pds.cp.close_request", UET_H_CP, "ctl_type", 5},
        {"pds.cp.probe", UET_H_CP, "ctl_type", 6},
        {"pds.cp.negotiation", UET_H_CP, "ctl_type", 9},
        {"ses.std", UET_H_SES_REQ_STD_SOM1, NULL, 0},
        {"ses.small", UET_H_SES_REQ_SMALL, NULL, 0},
        {"ses.medium", UET_H_SES_REQ_MEDIUM_MSG, NULL, 0},
        {"ses.rsp", UET_H_SES_RSP, NULL, 0},
        {"ses.no_op", UET_H_SES_REQ_NO_OP, NULL, 0},
        {"ses.atomic", UET_H_SES_EXT_ATOMIC, NULL, 0},
        {"tss", UET_H_TSS_HDR_12, NULL, 0},
        {"icv", UET_H_TSS_TRAILER, NULL, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct gen_name found;
        if (!gen_name_find(&found, table[i].name, strlen(table[i].name)))
            print_error("no %s\n", table[i].name);
        assert_true(gen_name_find(&found, table[i].name, strlen(table[i].name)));
        assert_int_equal(found.id, table[i].id);
        assert_int_equal(found.preset.field != NULL, table[i].preset != NULL);
        if (table[i].preset) {
            assert_string_equal(found.preset.field, table[i].preset);
            assert_int_equal(found.preset.value, table[i].value);
        }
    }
}

struct seen {
    size_t n;
    char names[300][40];
};

static void see(void *ctx, const char *name, const char *title)
{
    struct seen *s = ctx;
    struct gen_name found;
    (void)title;
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->names[i], name) == 0)
            fail_msg("%s is listed twice", name);
    assert_true(s->n < 300 && strlen(name) < 40);
    memcpy(s->names[s->n++], name, strlen(name) + 1);
    bool special = !strcmp(name, "data") || !strcmp(name, "pad") || !strcmp(name, "cut");
    assert_true(special || gen_name_find(&found, name, strlen(name)));
}

static void test_listing(void **state)
{
    static struct seen s;
    (void)state;
    uet_gen_each_layer(see, &s);
    for (int id = 1; id < UET_H_COUNT; id++) {
        bool there = false;
        for (size_t i = 0; i < s.n; i++)
            there |= strcmp(s.names[i], uet_headers[id].name) == 0;
        assert_true(there);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_header_by_its_name),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
