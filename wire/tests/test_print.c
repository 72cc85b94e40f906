/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines, dumps and JSON; the lines of correct packets are checked in test_packets.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/json.h"
#include "wire/print.h"
#include "wire/tests/golden.h"

static const struct golden *find(const char *name)
{
    for (size_t i = 0; i < n_golden; i++)
        if (strcmp(golden[i].name, name) == 0)
            return &golden[i];
    fail_msg("no golden packet %s", name);
    return NULL;
}

static struct uet_packet parse(const char *name)
{
    const struct golden *g = find(name);
    struct uet_parse_options o = {.protect = (uint8_t)g->protect};
    struct uet_packet p;
    assert_int_equal(uet_parse(&p, g->bytes, g->len, &o), UET_PARSE_OK);
    return p;
}

static void lines_of_wrong_frames(void **state)
{
    (void)state;
    const struct golden *g = find("small_send");
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC, .lenient = true};
    uint8_t frame[128];
    char line[UET_LINE_MAX];
    struct uet_packet p;

    uet_parse(&p, g->bytes, 13, &o);
    uet_print_addressed(line, sizeof line, &p);
    assert_string_equal(line, "13 bytes ! Ethernet header cut short at byte 0");

    memcpy(frame, g->bytes, g->len);
    frame[76] = 'C'; /* the payload's last byte */
    uet_parse(&p, frame, g->len, &o);
    uet_print_line(line, sizeof line, &p);
    assert_string_equal(line, "RUD_REQ ar psn=0x12345679 0x1001>0x2001 clear=-1 SEND small "
                              "job=16777215 pid=4095 ri=4094 gen=2 off=0 len=3 som eom +3 bytes "
                              "! CRC-32C wrong at byte 77");

    memcpy(frame, g->bytes, g->len);
    frame[37] = 0xb8;
    uet_parse(&p, frame, g->len, &o);
    uet_print_addressed(line, sizeof line, &p);
    assert_string_equal(line, "192.0.2.1 > 192.0.2.2 81 bytes ! not a UET packet at byte 36");
}

static void reserved_values_are_shown(void **state)
{
    (void)state;
    const struct golden *g = find("nack_inv_dpdcid");
    uint8_t frame[128];
    char line[UET_LINE_MAX];
    struct uet_packet p;
    memcpy(frame, g->bytes, g->len);
    frame[44] = 0x0c;
    uet_parse(&p, frame, g->len, NULL);
    uet_print_line(line, sizeof line, &p);
    assert_string_equal(line, "NACK RESERVED_0x0C (0x0c) psn=0x12345678 0x0000>0x1001 +4 bytes");
}

/* As snprintf: any size, NUL kept, full length returned, nothing beyond. */
static void short_buffers(void **state)
{
    (void)state;
    struct uet_packet p = parse("ack_cc_response");
    char whole[8192];
    int (*const print[])(char *, size_t, const struct uet_packet *) = {
        uet_print_line, uet_print_addressed, uet_print_packet};
    for (size_t i = 0; i < 3; i++) {
        int len = print[i](whole, sizeof whole, &p);
        assert_int_equal(len, strlen(whole));
        assert_int_equal(print[i](NULL, 0, &p), len);
        for (size_t n = 1; n <= (size_t)len + 1; n += 7) {
            char *out = malloc(n);
            assert_non_null(out);
            assert_int_equal(print[i](out, n, &p), len);
            assert_int_equal(strlen(out), n - 1);
            assert_memory_equal(out, whole, n - 1);
            free(out);
        }
    }
}

static void fields_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *packet;
        enum uet_header_id header;
        const char *field, *text;
    } v[] = {
        {"syn_write", UET_H_ETH, "src", "02:00:c0:00:02:01"},
        {"syn_write", UET_H_ETH, "ethertype", "IPv4 (2048)"},
        {"syn_write", UET_H_IPV4, "dst", "192.0.2.2"},
        {"syn_write", UET_H_IPV4, "ihl", "5"},
        {"medium_rma", UET_H_IPV6, "src", "2001:db8::1"},
        {"small_send", UET_H_RUD_ROD_REQ, "clear_psn_offset", "-1"},
        {"small_send", UET_H_RUD_ROD_REQ, "psn", "0x12345679"},
        {"small_send", UET_H_RUD_ROD_REQ, "spdcid", "4097 (0x1001)"},
        {"small_send", UET_H_RUD_ROD_REQ, "next_hdr", "UET_HDR_REQUEST_SMALL (1)"},
        {"ack_cc_response", UET_H_ACK_CC, "sack_bitmap", "0x0000000000000005"},
        {"nack_inv_dpdcid", UET_H_NACK, "nack_code", "UET_INV_DPDCID (14)"},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        struct uet_packet p = parse(v[i].packet);
        const uint8_t *h = v[i].header == UET_H_ETH ? p.frame
                           : v[i].header == UET_H_IPV4 || v[i].header == UET_H_IPV6
                               ? p.frame + p.ip_offset
                               : uet_pds(&p);
        char text[80];
        uet_print_field(text, sizeof text, uet_field_find(&uet_headers[v[i].header], v[i].field),
                        h);
        assert_string_equal(text, v[i].text);
    }
}

static void has_line(const char *dump, const char *line)
{
    const char *at = strstr(dump, line);
    if (!at || (at != dump && at[-1] != '\n') || at[strlen(line)] != '\n')
        fail_msg("no line \"%s\" in\n%s", line, dump);
}

static void dump(void **state)
{
    (void)state;
    char text[16384];
    struct uet_packet p = parse("small_send");
    uet_print_packet(text, sizeof text, &p);
    has_line(text, "Ethernet II, 14 bytes at 0");
    has_line(text, "RUD/ROD Request, 12 bytes at 42");
    has_line(text, "    clear_psn_offset         -1");
    has_line(text, "    = clear_psn              0x12345678");
    has_line(text, "SES small Request, 20 bytes at 54");
    has_line(text, "    resource_index           4094 (0xffe)");
    has_line(text, "Payload, 3 bytes at 74");
    has_line(text, "    0000  61 62 63");
    has_line(text, "CRC trailer, 4 bytes at 77");
    has_line(text, "    = crc                    0xbd70f8f7, good");
    assert_true(strstr(text, "Payload") < strstr(text, "CRC trailer"));

    p = parse("ack_cc_response");
    uet_print_packet(text, sizeof text, &p);
    has_line(text, "    = ack_psn                0xffffffff");
    has_line(text, "    = sack_psn               0x00000003");
    has_line(text, "    = mp_range               1024");
    has_line(text, "    = service_time_ns        2048");
    has_line(text, "    = rcvd_bytes_total       768");

    p = parse("noop_syn");
    uet_print_packet(text, sizeof text, &p);
    has_line(text, "    = start_psn              0xffffffff");
}

static json_t *layer(json_t *packet, const char *header)
{
    size_t i;
    json_t *l;
    json_array_foreach(json_object_get(packet, "layers"), i, l)
    {
        if (strcmp(json_string_value(json_object_get(l, "header")), header) == 0)
            return l;
    }
    fail_msg("no layer %s", header);
    return NULL;
}

static void json(void **state)
{
    (void)state;
    struct uet_packet p = parse("std_som0");
    json_t *j = uet_json_packet(&p), *pds = layer(j, "rud_rod_req"), *f;
    assert_int_equal(json_integer_value(json_object_get(j, "length")), 131);
    assert_string_equal(json_string_value(json_object_get(j, "crc")), "good");
    assert_null(json_object_get(j, "error"));
    assert_int_equal(json_integer_value(json_object_get(pds, "offset")), 66);
    f = json_object_get(pds, "fields");
    assert_int_equal(json_integer_value(json_object_get(f, "clear_psn_offset")), -32768);
    assert_true(json_is_true(json_object_get(f, "flags.retx")));
    assert_true(json_is_false(json_object_get(f, "flags.ar")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(pds, "names"), "type")),
                        "RUD_REQ");
    /* 16 - 32768 modulo 2^32 */
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(pds, "computed"), "clear_psn")),
        4294934544);
    f = json_object_get(layer(j, "ses_req_std_som0"), "fields");
    assert_string_equal(json_string_value(json_object_get(f, "buffer_offset")),
                        "0x8000000000000000");
    assert_int_equal(json_integer_value(json_object_get(f, "initiator")), 2147483649);
    f = json_object_get(layer(j, "ipv6"), "fields");
    assert_string_equal(json_string_value(json_object_get(f, "dst")), "2001:db8::2");
    f = json_object_get(j, "payload");
    assert_int_equal(json_integer_value(json_object_get(f, "length")), 5);
    json_decref(j);

    uet_parse(&p, find("std_som0")->bytes, 100, NULL);
    j = uet_json_packet(&p);
    f = json_object_get(j, "error");
    assert_string_equal(json_string_value(json_object_get(f, "what")),
                        "IP length does not fit the frame");
    assert_int_equal(json_integer_value(json_object_get(f, "offset")), 22);
    json_decref(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_wrong_frames),
        cmocka_unit_test(reserved_values_are_shown),
        cmocka_unit_test(short_buffers),
        cmocka_unit_test(fields_in_words),
        cmocka_unit_test(dump),
        cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
