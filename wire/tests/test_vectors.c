/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every vector of spec-map/vectors.jsonl whose header is in the data, decoded and encoded, once
 * through the field tables and once through the generated accessors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "uet_spec.h"
#include "wire/packet.h"

struct accessor {
    const char *family, *field, *variants;
    uint64_t (*get)(const uint8_t *h);
    void (*set)(uint8_t *h, uint64_t v);
};
#include "accessors.inc"

#define HEADER_MAX 64

/* Without a vector in the facts; the whole packets of test_packets.c cover the lower layers. */
static const char *const no_vector[] = {"eth", "vlan",        "ipv4",        "ipv6",
                                        "udp", "crc_trailer", "ack_cc_probe"};

static unsigned used[UET_H_COUNT];

/* One line of the file. Its numbers need all 64 bits, which JSON readers do not keep. */
struct vector {
    char header[48];
    uint8_t bytes[HEADER_MAX];
    size_t len;
    const char *fields; /* text after "fields": { */
    unsigned line;
};

static const char *after(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : NULL;
}

static void read_vector(struct vector *v, const char *line, unsigned number)
{
    const char *header = after(line, "\"header\": \""), *hex = after(line, "\"bytes\": \"");
    v->line = number;
    v->fields = after(line, "\"fields\": {");
    assert_true(header && hex && v->fields);
    size_t n = strcspn(header, "\"");
    assert_true(n < sizeof v->header);
    memcpy(v->header, header, n);
    v->header[n] = '\0';
    v->len = strcspn(hex, "\"") / 2;
    assert_true(v->len <= sizeof v->bytes);
    for (size_t i = 0; i < v->len; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        v->bytes[i] = (uint8_t)byte;
    }
}

/* Takes `"name": value` from *at; false at the closing brace. */
static bool next_field(const char **at, char name[64], uint64_t *value)
{
    const char *p = *at + strspn(*at, ", ");
    if (*p != '"')
        return false;
    size_t n = strcspn(++p, "\"");
    assert_true(n < 64);
    memcpy(name, p, n);
    name[n] = '\0';
    p += n + 1 + strspn(p + n + 1, ": ");
    char *end;
    *value = *p == '-' ? (uint64_t)strtoll(p, &end, 10) : strtoull(p, &end, 10);
    assert_true(end != p);
    *at = end;
    return true;
}

static bool listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, "|"), p += *p == '|')
        if (strncmp(p, name, n) == 0 && (p[n] == '|' || p[n] == '\0'))
            return true;
    return false;
}

static const struct accessor *accessor_of(const struct uet_header *h, const char *field)
{
    for (size_t i = 0; i < sizeof accessors / sizeof *accessors; i++) {
        const struct accessor *a = &accessors[i];
        if (strcmp(a->family, h->family) == 0 && strcmp(a->field, field) == 0 &&
            (!a->variants[0] || listed(a->variants, h->name)))
            return a;
    }
    return NULL;
}

static const struct uet_field *exact_field(const struct uet_header *h, const char *name)
{
    for (size_t i = 0; i < h->n_fields; i++)
        if (strcmp(h->fields[i]->name, name) == 0)
            return h->fields[i];
    return NULL;
}

static void expect(const struct vector *v, const char *how, const char *field, uint64_t got,
                   uint64_t want)
{
    if (got != want)
        fail_msg("vectors.jsonl:%u: %s.%s by %s is %llu, not %llu", v->line, v->header, field, how,
                 (unsigned long long)got, (unsigned long long)want);
}

static void check_vector(const struct vector *v, const struct uet_header *h)
{
    /* Start from ones where the vector has zeros: a setter must clear as well as set. */
    uint8_t by_table[HEADER_MAX], by_accessor[HEADER_MAX];
    char name[64];
    uint64_t value;
    size_t n = 0;
    memset(by_table, 0xff, sizeof by_table);
    memset(by_accessor, 0xff, sizeof by_accessor);
    assert_int_equal(v->len, h->bytes);
    for (const char *at = v->fields; next_field(&at, name, &value); n++) {
        const struct uet_field *f = exact_field(h, name);
        const struct accessor *a = accessor_of(h, name);
        if (!f || !a)
            fail_msg("vectors.jsonl:%u: %s has no field %s", v->line, v->header, name);
        expect(v, "table", name, uet_field_get(f, v->bytes), value);
        expect(v, "accessor", name, a->get(v->bytes), value);
        uet_field_set(f, by_table, value);
        a->set(by_accessor, value);
    }
    assert_int_equal(n, h->n_fields); /* the vector names every field */
    assert_memory_equal(by_table, v->bytes, v->len);
    assert_memory_equal(by_accessor, v->bytes, v->len);
}

static void vectors_decode_and_encode(void **state)
{
    (void)state;
    FILE *f = fopen(UETKIT_SOURCE_DIR "/spec-map/vectors.jsonl", "r");
    assert_non_null(f);
    char line[8192];
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        struct vector v;
        assert_non_null(strchr(line, '\n'));
        read_vector(&v, line, number);
        const struct uet_header *h = uet_header_find(v.header);
        if (!h)
            continue; /* a header of a later issue */
        check_vector(&v, h);
        used[h - uet_headers]++;
    }
    fclose(f);
}

static void every_header_has_a_vector(void **state)
{
    (void)state;
    unsigned total = 0;
    for (size_t i = 1; i < uet_n_headers; i++) {
        const char *name = uet_headers[i].name;
        bool excepted = false;
        for (size_t j = 0; j < sizeof no_vector / sizeof *no_vector; j++)
            excepted |= strcmp(name, no_vector[j]) == 0;
        printf("%-32s %u vectors\n", name, used[i]);
        total += used[i];
        if (!used[i] && !excepted)
            fail_msg("%s: no vector in vectors.jsonl", name);
        if (used[i] && excepted)
            fail_msg("%s has vectors now: take it off the list", name);
    }
    printf("%-32s %u vectors\n", "all", total);
}

/* Sizes as the facts list them: PDS 3.5.10, SES 3.4.2. */
static void sizes(void **state)
{
    (void)state;
    static const struct {
        enum uet_header_id id;
        unsigned bytes;
    } want[] = {
        {UET_H_ETH, 14},
        {UET_H_VLAN, 4},
        {UET_H_IPV4, 20},
        {UET_H_IPV6, 40},
        {UET_H_UDP, 8},
        {UET_H_PDS_PROLOGUE, 2},
        {UET_H_RUD_ROD_REQ, 12},
        {UET_H_RUD_ROD_REQ_SYN, 12},
        {UET_H_ACK, 12},
        {UET_H_ACK_PROBE, 12},
        {UET_H_ACK_CC, 32},
        {UET_H_ACK_CC_PROBE, 32},
        {UET_H_ACK_CC_STATE_NSCC, 8},
        {UET_H_NACK, 16},
        {UET_H_CP, 16},
        {UET_H_CP_SYN, 16},
        {UET_H_CP_PAYLOAD_PROBE, 4},
        {UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF, 8},
        {UET_H_SES_REQ_STD_SOM1, 44},
        {UET_H_SES_REQ_STD_SOM0, 44},
        {UET_H_SES_REQ_SMALL, 20},
        {UET_H_SES_REQ_MEDIUM_MSG, 32},
        {UET_H_SES_REQ_MEDIUM_RMA, 32},
        {UET_H_SES_RSP, 12},
        {UET_H_SES_RSP_DEFAULT, 12},
        {UET_H_SES_RSP_NO_RESPONSE, 12},
        {UET_H_CRC_TRAILER, 4},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_int_equal(uet_headers[want[i].id].bytes, want[i].bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_decode_and_encode),
        cmocka_unit_test(every_header_has_a_vector),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
