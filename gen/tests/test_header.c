/* SPDX-License-Identifier: BSD-2-Clause */
/* One header, both ways: every line of spec-map/vectors.jsonl, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/header.h"

#define LINES 306 /* of the file: a lost line must show */

/* The text between a key and a closing character. */
static char *cut(const char *line, const char *key, char end)
{
    const char *start = strstr(line, key), *stop;
    assert_non_null(start);
    start += strlen(key);
    stop = strchr(start, end);
    assert_non_null(stop);
    return strndup(start, (size_t)(stop - start));
}

/* The facts' spaces after ':' and ',' are not ours. */
static void unspace(char *text)
{
    char *out = text;
    for (; *text; text++)
        if (*text != ' ')
            *out++ = *text;
    *out = '\0';
}

static void one_vector(const char *line)
{
    struct uet_gen_error error;
    uint8_t want[64], made[64];
    char *name = cut(line, "\"header\": \"", '"'), *hex = cut(line, "\"bytes\": \"", '"');
    char *fields = cut(line, "\"fields\": {", '}'), json[8192], *text = NULL;
    size_t n = strlen(hex) / 2, size;
    enum uet_header_id id = uet_gen_header(name, &error);
    assert_int_not_equal(id, UET_H_NONE);
    assert_string_equal(uet_headers[id].name, name);
    assert_int_equal(uet_headers[id].bytes, n);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        want[i] = (uint8_t)byte;
    }

    /* from fields: the bare object, and the facts' whole line */
    snprintf(json, sizeof json, "{%s}", fields);
    assert_int_equal(uet_gen_header_fill(id, json, made, &error), 0);
    assert_memory_equal(made, want, n);
    assert_int_equal(uet_gen_header_fill(id, line, made, &error), 0);
    assert_memory_equal(made, want, n);

    /* to fields: the same numbers under the same names in the same order */
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    uet_gen_header_json(out, id, want);
    fclose(out);
    unspace(fields);
    snprintf(json, sizeof json, "{\"header\":\"%s\",\"fields\":{%s}}", name, fields);
    assert_string_equal(text, json);

    free(text);
    free(name);
    free(hex);
    free(fields);
}

static void test_every_vector(void **state)
{
    (void)state;
    FILE *f = fopen(UETKIT_SOURCE_DIR "/spec-map/vectors.jsonl", "r");
    char *line = NULL;
    size_t cap = 0, n = 0;
    assert_non_null(f);
    for (; getline(&line, &cap, f) > 0; n++)
        one_vector(line);
    assert_int_equal(n, LINES);
    free(line);
    fclose(f);
}

static void test_short_form(void **state)
{
    /* by hand: type 10 << 11, code 14, PSN 7, dpdcid 0x1001 */
    static const uint8_t want[16] = {0x50, 0, 0x0e, 0, 0, 0, 0, 7, 0, 0, 0x10, 0x01};
    struct uet_gen_error error;
    uint8_t made[16];
    (void)state;
    assert_int_equal(uet_gen_header_fill(UET_H_NACK,
                                         "nack_code=inv_dpdcid, nack_psn=7,dpdcid=0x1001", made,
                                         &error),
                     0);
    assert_memory_equal(made, want, 16);
    assert_int_equal(uet_gen_header_fill(UET_H_NACK,
                                         " { \"nack_code\" : \"UET_INV_DPDCID\", \"nack_psn\":7, "
                                         "\"dpdcid\":\"0x1001\" } ",
                                         made, &error),
                     0);
    assert_memory_equal(made, want, 16);
    assert_int_equal(uet_gen_header_fill(UET_H_NACK, "", made, &error), 0);
    assert_int_equal(made[0], 0x50); /* what makes it a NACK */
    assert_int_equal(uet_gen_header_fill(UET_H_NACK, "{}", made, &error), 0);
    assert_int_equal(uet_gen_header_fill(UET_H_RUD_ROD_REQ_SYN, "", made, &error), 0);
    assert_int_equal(made[1] & 4, 4); /* flags.syn */
}

static void test_addresses(void **state)
{
    static const uint8_t mac[14] = {2, 0, 0xc0, 0, 2, 1, 2, 0, 0xc0, 0, 2, 2, 8, 0};
    struct uet_gen_error error;
    char *text = NULL;
    uint8_t made[14];
    size_t size;
    (void)state;
    FILE *out = open_memstream(&text, &size);
    uet_gen_header_json(out, UET_H_ETH, mac);
    fclose(out);
    assert_string_equal(text, "{\"header\":\"eth\",\"fields\":{\"dst\":\"02:00:c0:00:02:01\","
                              "\"src\":\"02:00:c0:00:02:02\",\"ethertype\":2048}}");
    assert_int_equal(uet_gen_header_fill(UET_H_ETH, text, made, &error), 0);
    assert_memory_equal(made, mac, 14);
    free(text);
}

static void test_refuses(void **state)
{
    static const struct {
        const char *text, *says;
        size_t at;
    } table[] = {
        {"nack_cod=1", "nack has no field nack_cod (did you mean nack_code?)", 0},
        {"nack_psn=1,nack_code=256", "256 does not fit nack_code: it has 8 bits", 21},
        {"nack_code=inv_dpdci", "inv_dpdci is no value of nack_code (did you mean INV_DPDCID?)",
         10},
        {"nack_code", "the text ends where '=' should stand", 9},
        {"nack_code=1;", "1; is no value of nack_code", 10},
        {"nack_code=1,", "the text ends where the name of a field should stand", 12},
        {"{\"nack_code\":1", "the text ends where ',' or '}' should stand", 14},
        {"{\"nack_code\" 1}", "'1' where ':' should stand", 13},
        {"{\"header\":\"ack\",\"fields\":{}}", "this is ack and not nack", 11},
        {"{} x", "'x' where ',' or the end should stand", 3},
        {"{\"fields\":3}", "'3' where '{' should stand", 10},
    };
    struct uet_gen_error error;
    uint8_t made[16];
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_not_equal(uet_gen_header_fill(UET_H_NACK, table[i].text, made, &error), 0);
        assert_string_equal(error.text, table[i].says);
        assert_int_equal(error.at, table[i].at);
    }
    assert_int_equal(uet_gen_header("nak", &error), UET_H_NONE);
    assert_string_equal(error.text, "nak: no such header (did you mean nack or ack?)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_vector), cmocka_unit_test(test_short_form),
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
