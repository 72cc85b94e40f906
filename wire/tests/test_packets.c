/* SPDX-License-Identifier: BSD-2-Clause */
/* The packets made by hand: decoded, rebuilt, padded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/layers.h"
#include "wire/print.h"
#include "wire/tests/golden.h"

static struct uet_parse_options options_of(const struct golden *g)
{
    return (struct uet_parse_options){.protect = (uint8_t)g->protect};
}

static const uint8_t *header_in(const struct uet_packet *p, enum uet_header_id id)
{
    struct uet_layer_at layers[UET_LAYERS_MAX];
    size_t n = uet_layers(p, layers);
    for (size_t i = 0; i < n; i++)
        if (layers[i].id == id)
            return p->frame + layers[i].offset;
    return NULL;
}

static void check_fields(const struct golden *g, const struct uet_packet *p)
{
    for (const struct golden_field *e = g->fields; e->field; e++) {
        const struct uet_header *header = &uet_headers[e->header];
        const uint8_t *h = header_in(p, e->header);
        const struct uet_field *f = uet_field_find(header, e->field);
        if (!h || !f)
            fail_msg("%s: no %s.%s", g->name, header->name, e->field);
        uint64_t got = uet_field_get(f, h);
        if (got != e->value)
            fail_msg("%s: %s.%s is %llx, not %llx", g->name, header->name, e->field,
                     (unsigned long long)got, (unsigned long long)e->value);
    }
}

static void check_decoded(const struct golden *g, const struct uet_packet *p)
{
    char line[UET_LINE_MAX];
    assert_int_equal(p->error, UET_PARSE_OK);
    assert_int_equal(p->pds_offset, g->pds_offset);
    assert_int_equal(p->ses_offset, g->ses_offset);
    assert_int_equal(p->payload_offset, g->payload_offset);
    assert_int_equal(p->payload_len, g->payload_len);
    assert_int_equal(p->crc_state, g->protect == UET_PROTECT_CRC ? UET_CRC_GOOD : UET_CRC_ABSENT);
    uet_print_addressed(line, sizeof line, p);
    assert_string_equal(line, g->line);
    check_fields(g, p);
}

static void decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        struct uet_packet p;
        struct uet_parse_options o = options_of(&golden[i]);
        uet_parse(&p, golden[i].bytes, golden[i].len, &o);
        check_decoded(&golden[i], &p);
        assert_int_equal(p.ip_end, golden[i].len);
    }
}

/* Nothing on the wire says that a trailer is there; AUTO finds it all the same. */
static void decode_auto(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        struct uet_packet p;
        struct uet_parse_options o = {.protect = UET_PROTECT_AUTO};
        uet_parse(&p, golden[i].bytes, golden[i].len, &o);
        check_decoded(&golden[i], &p);
    }
}

static void build(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        uint8_t out[256];
        memset(out, 0xa5, sizeof out);
        assert_int_equal(g->build(out, sizeof out), g->len);
        for (size_t j = 0; j < g->len; j++)
            if (out[j] != g->bytes[j])
                fail_msg("%s: byte %zu is %02x, not %02x", g->name, j, out[j], g->bytes[j]);
        /* one byte too few: refused, and nothing written beyond */
        for (size_t cap = 0; cap < g->len; cap++) {
            uint8_t *small = malloc(cap ? cap : 1);
            assert_non_null(small);
            assert_true(g->build(small, cap) < 0);
            free(small);
        }
    }
}

/* Ethernet pads short frames to 60 bytes; the IP length decides (pds-format 1). */
static void padding_is_ignored(void **state)
{
    (void)state;
    unsigned padded = 0;
    for (size_t i = 0; i < n_golden; i++) {
        uint8_t frame[256];
        size_t len = golden[i].len < 60 ? 60 : golden[i].len + 3;
        struct uet_packet p;
        struct uet_parse_options o = options_of(&golden[i]);
        memset(frame, 0xee, sizeof frame);
        memcpy(frame, golden[i].bytes, golden[i].len);
        uet_parse(&p, frame, len, &o);
        check_decoded(&golden[i], &p);
        assert_int_equal(p.ip_end, golden[i].len);
        padded += golden[i].len < 60;
    }
    assert_true(padded >= 3);
}

/* The same packets from their IP header on, and from their PDS header on. */
static void other_starts(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        struct uet_packet whole, p;
        char line[UET_LINE_MAX], want[UET_LINE_MAX];
        struct uet_parse_options o = options_of(g);
        uet_parse(&whole, g->bytes, g->len, &o);
        uet_print_line(want, sizeof want, &whole);

        o.start = UET_START_IP;
        size_t from = whole.ip_offset;
        assert_int_equal(uet_parse(&p, g->bytes + from, g->len - from, &o), UET_PARSE_OK);
        uet_print_addressed(line, sizeof line, &p);
        assert_string_equal(line, g->line);
        assert_int_equal(p.pds_offset, g->pds_offset - from);
        assert_int_equal(p.crc_state, whole.crc_state);
        assert_null(header_in(&p, UET_H_ETH));

        o.start = UET_START_PDS;
        from = whole.pds_offset;
        size_t len = (whole.crc_offset ? whole.crc_offset : g->len) - from;
        assert_int_equal(uet_parse(&p, g->bytes + from, len, &o), UET_PARSE_OK);
        uet_print_addressed(line, sizeof line, &p);
        assert_string_equal(line, want);
        assert_int_equal(p.payload_len, g->payload_len);
        assert_null(header_in(&p, UET_H_ETH));
    }
    struct uet_parse_options raw = {.start = UET_START_IP}, pds = {.start = UET_START_PDS};
    struct uet_packet p;
    assert_int_equal(uet_parse(&p, (const uint8_t *)"", 0, &raw), UET_PARSE_IP_SHORT);
    assert_int_equal(uet_parse(&p, (const uint8_t *)"\x50", 1, &raw), UET_PARSE_IP_VERSION);
    assert_int_equal(uet_parse(&p, (const uint8_t *)"", 0, &pds), UET_PARSE_PDS_SHORT);
}

/* IPv4 options move UDP; nothing else changes. */
static void ipv4_options(void **state)
{
    (void)state;
    const struct golden *g = &golden[0]; /* syn_write */
    uint8_t frame[256];
    struct uet_packet p;
    memcpy(frame, g->bytes, 34);
    memset(frame + 34, 1, 4); /* four NOP options */
    memcpy(frame + 38, g->bytes + 34, g->len - 34);
    frame[14] = 0x46;                   /* ihl 6 */
    frame[17] = 92;                     /* total_length 88 + 4 */
    frame[24] = 0xb3, frame[25] = 0x89; /* b68f - 0100 - 0004 - 0101 - 0101, one's complement */
    assert_int_equal(uet_parse(&p, frame, g->len + 4, NULL), UET_PARSE_OK);
    assert_int_equal(p.pds_offset, 46);
    assert_int_equal(p.ses, UET_H_SES_REQ_STD_SOM1);
    assert_int_equal(p.payload_len, 4);
}

/* Mutators alter a frame in place; uet_refresh mends what follows from it. */
static void refresh(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        uint8_t frame[256];
        struct uet_packet p;
        struct uet_parse_options o = options_of(g);
        memcpy(frame, g->bytes, g->len);
        assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_OK);
        frame[p.ip_offset + (p.ip_version == 4 ? 15 : 23)] ^= 0x40; /* the source address */
        bool noticed = uet_parse(&p, frame, g->len, &o) != UET_PARSE_OK;
        assert_int_equal(noticed, p.ip_version == 4 || g->protect == UET_PROTECT_CRC);
        uet_refresh(frame, g->len, g->protect);
        assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_OK);
    }
}

/* Who sends the trailer little-endian goes on to do so. */
static void refresh_keeps_the_order(void **state)
{
    unsigned n = 0;

    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        const struct golden *g = &golden[i];
        uint8_t frame[256];
        struct uet_packet p;
        struct uet_parse_options o = options_of(g);

        if (g->protect != UET_PROTECT_CRC)
            continue;
        memcpy(frame, g->bytes, g->len);
        uet_parse(&p, frame, g->len, &o);
        frame[p.ip_offset + (p.ip_version == 4 ? 15 : 23)] ^= 0x40;
        uet_refresh_as(frame, g->len, g->protect, UET_CRC_LITTLE_ENDIAN);
        o.crc_order = UET_CRC_LITTLE_ENDIAN;
        assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_OK);
        assert_int_equal(uet_packet_crc_order(&p), UET_CRC_LITTLE_ENDIAN);
        n++;
    }
    assert_true(n > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decode),       cmocka_unit_test(decode_auto),
        cmocka_unit_test(build),        cmocka_unit_test(padding_is_ignored),
        cmocka_unit_test(other_starts), cmocka_unit_test(ipv4_options),
        cmocka_unit_test(refresh),      cmocka_unit_test(refresh_keeps_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
