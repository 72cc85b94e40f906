/* SPDX-License-Identifier: BSD-2-Clause */
/* PSN arithmetic and the internet checksum against values from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/build.h"
#include "wire/inet.h"
#include "wire/packet.h"

/* ACK_PSN = cack_psn + offset: PDS-107, and the wrap both ways. */
static void ack_psn(void **state)
{
    (void)state;
    static const struct {
        uint32_t cack;
        uint16_t offset;
        uint32_t ack;
    } v[] = {
        {0x62231120, 0x0024, 0x62231144}, {0x62231120, 0xffdc, 0x622310fc},
        {0xfffffff3, 0x0010, 0x00000003}, {0x00000003, 0xfff0, 0xfffffff3},
        {0x00000000, 0x8000, 0xffff8000}, {0xffffffff, 0x7fff, 0x00007ffe},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        uint8_t h[UET_ACK_BYTES] = {0};
        struct uet_packet p = {.frame = h, .pds = UET_H_ACK};
        uet_ack_cack_psn_set(h, v[i].cack);
        uet_ack_ack_psn_offset_set(h, (int16_t)v[i].offset);
        assert_int_equal(h[2], v[i].offset >> 8);
        assert_int_equal(h[3], v[i].offset & 0xff);
        assert_int_equal(uet_packet_psn(&p), v[i].ack);
        assert_int_equal(uet_psn_add(v[i].cack, (int16_t)v[i].offset), v[i].ack);
    }
}

/* CLEAR_PSN = psn + offset: psn 336 offset -1, psn 50 offset -3 (3.5.11.4.4), and the wrap. */
static void clear_psn(void **state)
{
    (void)state;
    static const struct {
        uint32_t psn;
        int16_t offset;
        uint32_t clear;
    } v[] = {{336, -1, 335}, {50, -3, 47}, {0, -1, 0xffffffff}, {7, 0, 7}};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        uint8_t h[UET_RUD_ROD_REQ_BYTES] = {0};
        struct uet_packet p = {.frame = h, .pds = UET_H_RUD_ROD_REQ};
        uet_rud_rod_req_psn_set(h, v[i].psn);
        uet_rud_rod_req_clear_psn_offset_set(h, v[i].offset);
        assert_int_equal(uet_clear_psn(&p), v[i].clear);
    }
}

/* Start_PSN = psn - psn_offset (3.5.8.2): unsigned, subtracted. */
static void start_psn(void **state)
{
    (void)state;
    static const struct {
        uint32_t psn;
        uint16_t offset;
        uint32_t start;
    } v[] = {{100, 0, 100}, {100, 4095, 0xfffff065}, {0x1000, 4095, 1}, {2, 3, 0xffffffff}};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        uint8_t r[UET_RUD_ROD_REQ_BYTES] = {0}, c[UET_CP_BYTES] = {0};
        struct uet_packet request = {.frame = r, .pds = UET_H_RUD_ROD_REQ_SYN};
        struct uet_packet control = {.frame = c, .pds = UET_H_CP_SYN};
        uet_rud_rod_req_psn_set(r, v[i].psn);
        uet_rud_rod_req_psn_offset_set(r, v[i].offset);
        uet_cp_psn_set(c, v[i].psn);
        uet_cp_psn_offset_set(c, v[i].offset);
        assert_int_equal(uet_start_psn(&request), v[i].start);
        assert_int_equal(uet_start_psn(&control), v[i].start);
    }
}

/* Serial numbers: half space 2^31 (3.5.12). */
static void psn_order(void **state)
{
    (void)state;
    assert_int_equal(uet_psn_diff(5, 3), 2);
    assert_int_equal(uet_psn_diff(3, 5), -2);
    assert_int_equal(uet_psn_diff(1, 0xffffffff), 2);
    assert_int_equal(uet_psn_diff(0xffffffff, 1), -2);
    assert_int_equal(uet_psn_diff(0x7fffffff, 0), INT32_MAX);
    assert_int_equal(uet_psn_diff(0x80000000, 0), INT32_MIN);
}

/* RFC 1071's own example, a header from RFC-style texts, odd lengths. */
static void inet_checksum(void **state)
{
    (void)state;
    static const uint8_t rfc1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    static const uint8_t header[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                                     0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
    assert_int_equal(uet_inet_checksum(rfc1071, 8), (uint16_t)~0xddf2u);
    assert_int_equal(uet_inet_checksum(header, 20), 0);
    assert_int_equal(uet_inet_checksum((const uint8_t *)"\x12", 1), 0xedff);
    assert_int_equal(uet_inet_checksum(NULL, 0), 0xffff);
}

/* The definition, word by word (RFC 1071, 1), for every length and for sums that carry often. */
static void inet_checksum_of_every_length(void **state)
{
    (void)state;
    uint8_t data[64];
    for (unsigned fill = 0; fill < 3; fill++)
        for (size_t n = 0; n <= sizeof data; n++) {
            uint32_t sum = 0;
            for (size_t i = 0; i < n; i++) {
                data[i] = (uint8_t)(fill == 0 ? 0xff : fill == 1 ? i * 151 + 7 : 0xff - i);
                sum += i % 2 ? data[i] : (uint32_t)data[i] << 8;
                sum = (sum & 0xffff) + (sum >> 16);
            }
            assert_int_equal(uet_inet_checksum(data, n), (uint16_t)~sum);
        }
}

/* The short way for headers without options is the long way, carries and all. */
static void ipv4_checksum(void **state)
{
    (void)state;
    uint8_t h[24];
    uint32_t x = 1;
    for (unsigned round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof h; i++) {
            x = x * 1664525u + 1013904223u;
            h[i] = round % 3 == 0 ? 0xff : (uint8_t)(x >> 24);
        }
        if (round % 3 == 0) /* close to where the folding carries twice */
            h[round % sizeof h] = (uint8_t)(x >> 24), h[round / 7 % sizeof h] = (uint8_t)(x >> 16);
        assert_int_equal(uet_ipv4_checksum(h, 20), uet_inet_checksum(h, 20));
        assert_int_equal(uet_ipv4_checksum(h, 24), uet_inet_checksum(h, 24));
    }
}

/* The builder's power to be wrong on purpose: each wish alone changes only its own bytes. */
static int build(uint8_t *frame, const struct uet_wrong *wrong)
{
    struct uet_build b;
    struct uet_route r = {.src = {4, {192, 0, 2, 1}}, .dst = {4, {192, 0, 2, 2}}};
    uet_build_start(&b, frame, 128, &r);
    uet_nack_type_set(uet_build_pds(&b, UET_H_NACK), UET_PDS_NACK);
    return uet_build_finish(&b, UET_PROTECT_CRC, wrong);
}

static enum uet_parse_error said_of(const struct uet_wrong *wrong)
{
    uint8_t frame[128];
    struct uet_packet p;
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC};
    int len = build(frame, wrong);
    assert_true(len >= 0);
    return uet_parse(&p, frame, (size_t)len, &o);
}

static void wrong_on_purpose(void **state)
{
    (void)state;
    assert_int_equal(said_of(NULL), UET_PARSE_OK);
    assert_int_equal(said_of(&(struct uet_wrong){.ip_length = true, .ip_length_value = 200}),
                     UET_PARSE_IP_LENGTH);
    assert_int_equal(said_of(&(struct uet_wrong){.udp_length = true, .udp_length_value = 27}),
                     UET_PARSE_UDP_LENGTH);
    assert_int_equal(said_of(&(struct uet_wrong){.ip_checksum = true, .ip_checksum_value = 1}),
                     UET_PARSE_IP_CHECKSUM);
    assert_int_equal(said_of(&(struct uet_wrong){.crc_xor = 0x80000000}), UET_PARSE_CRC_BAD);
    assert_int_equal(said_of(&(struct uet_wrong){.cut = 1}), UET_PARSE_IP_LENGTH);
    assert_int_equal(said_of(&(struct uet_wrong){.cut = 200}), UET_PARSE_ETH_SHORT);
    /* a wrong UDP checksum is not an error: ignored on receive (3.5.10.1) */
    assert_int_equal(
        said_of(&(struct uet_wrong){.udp_checksum = true, .udp_checksum_value = 0x1234}),
        UET_PARSE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ack_psn),       cmocka_unit_test(clear_psn),
        cmocka_unit_test(start_psn),     cmocka_unit_test(psn_order),
        cmocka_unit_test(inet_checksum), cmocka_unit_test(inet_checksum_of_every_length),
        cmocka_unit_test(ipv4_checksum), cmocka_unit_test(wrong_on_purpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
