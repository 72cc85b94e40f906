/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every vector of spec-map/vectors.jsonl, decoded and encoded, once through the field tables and
 * once through the generated accessors.
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
    const uint8_t *(*get_bytes)(const uint8_t *h); /* of fields wider than 64 bits */
    void (*set_bytes)(uint8_t *h, const uint8_t *v);
};
#include "accessors.inc"

#define HEADER_MAX 64

/* Without a vector in the facts; the whole packets of test_packets.c and by_hand[] cover them. */
static const char *const no_vector[] = {"eth",
                                        "vlan",
                                        "ipv4",
                                        "ipv6",
                                        "udp",
                                        "tss_hdr_12",
                                        "tss_hdr_16",
                                        "tss_trailer",
                                        "legacy_pre_1_0",
                                        "ack_cc_probe",
                                        "ack_ccx_probe",
                                        "ack_epsn_refprov",
                                        "nack_rudi",
                                        "nack_ccx_rudi",
                                        "cp_payload_negotiation_pre103",
                                        "refprov_ses_ext_sync",
                                        "crc_trailer"};

static unsigned used[UET_H_COUNT];

typedef unsigned __int128 uint128;

/* One line of the file. Its numbers need up to 128 bits, which JSON readers do not keep. */
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
static bool next_field(const char **at, char name[64], uint128 *value)
{
    const char *p = *at + strspn(*at, ", ");
    if (*p != '"')
        return false;
    size_t n = strcspn(++p, "\"");
    assert_true(n < 64);
    memcpy(name, p, n);
    name[n] = '\0';
    p += n + 1 + strspn(p + n + 1, ": ");
    bool negative = *p == '-';
    size_t digits = strspn(p += negative, "0123456789");
    assert_true(digits > 0 && digits <= 39);
    for (*value = 0; digits; digits--, p++)
        *value = *value * 10 + (unsigned)(*p - '0');
    if (negative)
        *value = -*value;
    *at = p;
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

/* A field wider than 64 bits: whole bytes, the first on the wire first. */
static void check_wide(const struct vector *v, const struct uet_field *f, const struct accessor *a,
                       uint128 value, uint8_t *by_table, uint8_t *by_accessor)
{
    uint8_t want[16] = {0};
    size_t n = f->width == 128 ? sizeof want : f->width / 8u;
    assert_true(f->width <= 128 && f->bit_offset % 8 == 0);
    for (size_t i = n; i-- > 0; value >>= 8)
        want[i] = (uint8_t)value;
    if (memcmp(v->bytes + f->bit_offset / 8, want, n) != 0 ||
        memcmp(a->get_bytes(v->bytes), want, n) != 0)
        fail_msg("vectors.jsonl:%u: %s.%s has other bytes", v->line, v->header, f->name);
    memcpy(by_table + f->bit_offset / 8, want, n);
    a->set_bytes(by_accessor, want);
}

static void check_field(const struct vector *v, const struct uet_field *f, const struct accessor *a,
                        uint64_t value, uint8_t *by_table, uint8_t *by_accessor)
{
    expect(v, "table", f->name, uet_field_get(f, v->bytes), value);
    expect(v, "accessor", f->name, a->get(v->bytes), value);
    uet_field_set(f, by_table, value);
    a->set(by_accessor, value);
}

static void check_vector(const struct vector *v, const struct uet_header *h)
{
    /* Start from ones where the vector has zeros: a setter must clear as well as set. */
    uint8_t by_table[HEADER_MAX], by_accessor[HEADER_MAX];
    char name[64];
    uint128 value;
    size_t n = 0;
    memset(by_table, 0xff, sizeof by_table);
    memset(by_accessor, 0xff, sizeof by_accessor);
    assert_int_equal(v->len, h->bytes);
    for (const char *at = v->fields; next_field(&at, name, &value); n++) {
        const struct uet_field *f = exact_field(h, name);
        const struct accessor *a = accessor_of(h, name);
        if (!f || !a)
            fail_msg("vectors.jsonl:%u: %s has no field %s", v->line, v->header, name);
        else if (f->width > 64)
            check_wide(v, f, a, value, by_table, by_accessor);
        else
            check_field(v, f, a, (uint64_t)value, by_table, by_accessor);
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
    unsigned lines = 0;
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        struct vector v;
        assert_non_null(strchr(line, '\n'));
        read_vector(&v, line, number);
        const struct uet_header *h = uet_header_find(v.header);
        if (!h)
            fail_msg("vectors.jsonl:%u: no header %s", number, v.header);
        check_vector(&v, h);
        used[h - uet_headers]++;
        lines = number;
    }
    fclose(f);
    assert_int_equal(lines, 306);
}

/*
 * Headers of single implementations and the forms that the vectors leave out, written by hand
 * from the same tables in the same notation.
 */
static const char *const by_hand[] = {
    /* 5 bits type 1, sp 0, reserved 0, an 1 | sdi 0xabcdef | epoch 0x0102 | counter */
    "{\"header\": \"tss_hdr_12\", \"bytes\": \"09abcdef0102030405060708\", \"fields\": {\"type\": "
    "1, "
    "\"sp\": 0, \"reserved\": 0, \"an\": 1, \"sdi\": 11259375, \"tsc.epoch\": 258, "
    "\"tsc.counter\": "
    "3315799033608}}",
    "{\"header\": \"tss_hdr_16\", \"bytes\": \"0c00000110203040ffff000000000001\", \"fields\": "
    "{\"type\": 1, \"sp\": 1, \"reserved\": 0, \"an\": 0, \"sdi\": 1, \"ssi\": 270544960, "
    "\"tsc.epoch\": 65535, \"tsc.counter\": 1}}",
    "{\"header\": \"tss_trailer\", \"bytes\": \"00000000000000010000000000000000\", \"fields\": "
    "{\"icv\": "
    "18446744073709551616}}",
    /* 0001 0011 1 01 1 0000 | 1 and 31 bits: 0x80000005 | ssi | tsc */
    "{\"header\": \"legacy_pre_1_0\", \"bytes\": \"13b0800000050a0b0c0d0000000000000009\", "
    "\"fields\": "
    "{\"type\": 1, \"next_hdr\": 7, \"ver\": 1, \"sp\": 1, \"reserved\": 0, \"an\": 1, \"sdi\": 5, "
    "\"ssi\": 168496141, \"tsc\": 9}}",
    /* type 7, next_hdr 0, flags 0x40 */
    "{\"header\": \"ack_epsn_refprov\", \"bytes\": \"3840000212345678200110019abcdef0\", "
    "\"fields\": "
    "{\"type\": 7, \"next_hdr\": 0, \"flags.epsn\": 1, \"flags.m\": 0, \"flags.retx\": 0, "
    "\"flags.p\": 0, "
    "\"flags.req\": 0, \"flags.rsvd[0]\": 0, \"ack_psn_offset\": 2, \"cack_psn\": 305419896, "
    "\"spdcid\": 8193, \"dpdcid\": 4097, \"expected_psn\": 2596069104}}",
    /* type 10, next_hdr 0, flags 0x08 | code 1, vendor 2 | pkt_id | 0 | 0 | payload */
    "{\"header\": \"nack_rudi\", \"bytes\": \"50080102000000070000000000000003\", \"fields\": "
    "{\"type\": "
    "10, \"next_hdr\": 0, \"flags.rsvd[6]\": 0, \"flags.m\": 0, \"flags.retx\": 0, \"flags.nt\": "
    "1, "
    "\"flags.rsvd[2:0]\": 0, \"nack_code\": 1, \"vendor_code\": 2, \"nack_pkt_id\": 7, \"spdcid\": "
    "0, "
    "\"dpdcid\": 0, \"payload\": 3}}",
    "{\"header\": \"refprov_ses_ext_sync\", \"bytes\": \"12340002\", \"fields\": {\"sync_group\": "
    "4660, "
    "\"sync_count\": 2}}",
};

static void vectors_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        struct vector v;
        read_vector(&v, by_hand[i], (unsigned)i + 1);
        assert_non_null(uet_header_find(v.header));
        check_vector(&v, uet_header_find(v.header));
    }
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

/*
 * Sizes as the facts list them: the paper's 44, 32 and 20 bytes of SES, PDS 12 (request, ACK),
 * 16 (with CC state, Control Packet, NACK), 8 (RUDI), 4 (UUD), TSS 12 or 16 with 16 of ICV, CRC 4.
 */
static void sizes_of_the_paper(void **state)
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
        {UET_H_ENTROPY, 4},
        {UET_H_TSS_HDR_12, 12},
        {UET_H_TSS_HDR_16, 16},
        {UET_H_TSS_TRAILER, 16},
        {UET_H_LEGACY_PRE_1_0, 18},
        {UET_H_PDS_PROLOGUE, 2},
        {UET_H_RUD_ROD_REQ, 12},
        {UET_H_RUD_ROD_REQ_SYN, 12},
        {UET_H_RUD_ROD_CC_REQ, 16},
        {UET_H_RUD_ROD_CC_REQ_SYN, 16},
        {UET_H_ACK, 12},
        {UET_H_ACK_PROBE, 12},
        {UET_H_ACK_CC, 32},
        {UET_H_ACK_CC_PROBE, 32},
        {UET_H_ACK_CCX, 40},
        {UET_H_ACK_CCX_PROBE, 40},
        {UET_H_ACK_EPSN_REFPROV, 16},
        {UET_H_ACK_CC_STATE_NSCC, 8},
        {UET_H_ACK_CC_STATE_CREDIT, 8},
        {UET_H_ACK_CC_STATE_VENDOR, 8},
        {UET_H_NACK, 16},
        {UET_H_NACK_RUDI, 16},
        {UET_H_NACK_CCX, 32},
        {UET_H_NACK_CCX_RUDI, 32},
        {UET_H_CP, 16},
        {UET_H_CP_SYN, 16},
        {UET_H_CP_PAYLOAD_NOOP, 4},
        {UET_H_CP_PAYLOAD_ACK_REQUEST, 4},
        {UET_H_CP_PAYLOAD_CLEAR_COMMAND, 4},
        {UET_H_CP_PAYLOAD_CLEAR_REQUEST, 4},
        {UET_H_CP_PAYLOAD_CLOSE_COMMAND, 4},
        {UET_H_CP_PAYLOAD_CLOSE_REQUEST, 4},
        {UET_H_CP_PAYLOAD_PROBE, 4},
        {UET_H_CP_PAYLOAD_CREDIT, 4},
        {UET_H_CP_PAYLOAD_CREDIT_REQUEST, 4},
        {UET_H_CP_PAYLOAD_NEGOTIATION_ON_OFF, 8},
        {UET_H_CP_PAYLOAD_NEGOTIATION_PRE103, 32},
        {UET_H_RUDI_REQ, 8},
        {UET_H_RUDI_RESP, 8},
        {UET_H_UUD_REQ, 4},
        {UET_H_DEFAULT_SES_RESPONSE, 12},
        {UET_H_SES_REQ_STD_SOM1, 44},
        {UET_H_SES_REQ_STD_SOM0, 44},
        {UET_H_SES_REQ_DEFER_SEND_SOM1, 44},
        {UET_H_SES_REQ_DEFER_SEND_SOM0, 44},
        {UET_H_SES_REQ_RTR, 44},
        {UET_H_SES_REQ_NO_OP, 44},
        {UET_H_SES_REQ_MSG_ERROR, 44},
        {UET_H_SES_REQ_SMALL, 20},
        {UET_H_SES_REQ_MEDIUM_MSG, 32},
        {UET_H_SES_REQ_MEDIUM_RMA, 32},
        {UET_H_SES_EXT_RENDEZVOUS, 24},
        {UET_H_SES_EXT_ATOMIC, 4},
        {UET_H_SES_EXT_CSWAP, 36},
        {UET_H_REFPROV_SES_EXT_SYNC, 4},
        {UET_H_SES_RSP, 12},
        {UET_H_SES_RSP_DEFAULT, 12},
        {UET_H_SES_RSP_NO_RESPONSE, 12},
        {UET_H_SES_RSP_DATA, 20},
        {UET_H_SES_RSP_DATA_SMALL, 12},
        {UET_H_MEMORY_KEY, 8},
        {UET_H_MEMORY_KEY_OPTIMIZED, 8},
        {UET_H_CRC_TRAILER, 4},
    };
    assert_int_equal(sizeof want / sizeof *want, UET_H_COUNT - 1);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(want[i].id, i + 1); /* every header, in the order of the data */
        assert_int_equal(uet_headers[want[i].id].bytes, want[i].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_decode_and_encode),
        cmocka_unit_test(every_header_has_a_vector),
        cmocka_unit_test(vectors_by_hand),
        cmocka_unit_test(sizes_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
