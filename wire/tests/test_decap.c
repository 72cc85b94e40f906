/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way through links and tunnels: the one packet inside is found in every carrier, whole and
 * cut at every byte, and what is not there is not read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/captured/fcs.h"
#include "wire/captured/reader.h"
#include "wire/tests/carriers.h"

static const struct uet_parse_options plain = {.lenient = true};

/* A copy that ends where the heap block ends, so that ASan sees the first byte over. */
static uint8_t *exact(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, n);
    return copy;
}

static void found_in_every_carrier(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_carriers; i++) {
        const struct carrier *c = &carriers[i];
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, false, bytes);
        struct uet_inner in = uet_decap(c->linktype, bytes, n, n, &plain);
        struct uet_packet p;
        if (in.end != UET_DECAP_UET || in.offset != c->start || in.caplen != n - c->start)
            fail_msg("%s: end %u, offset %u, caplen %u", c->name, in.end, in.offset, in.caplen);
        assert_int_equal(in.len, in.caplen);
        assert_int_equal(!in.via, !c->via);
        if (c->via)
            assert_string_equal(in.via, c->via);
        struct uet_parse_options o = plain;
        o.start = in.start;
        assert_int_equal(uet_parse(&p, bytes + in.offset, in.caplen, &o), UET_PARSE_OK);
        assert_int_equal(uet_packet_psn(&p), 0x12345678);
        assert_int_equal(p.payload_len, 4);
    }
}

/* Cut at byte m: the headers below UET are named as cut, then the packet is found, and cut. */
static void cut_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_carriers; i++) {
        const struct carrier *c = &carriers[i];
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, false, bytes), udp_end = n - 60; /* 12 PDS, 44 SES, 4 data */
        for (size_t m = 0; m < n; m++) {
            uint8_t *copy = exact(bytes, m);
            struct uet_inner in = uet_decap(c->linktype, copy, m, n, &plain);
            if (in.end != (m < udp_end ? UET_DECAP_CUT : UET_DECAP_UET))
                fail_msg("%s cut to %zu of %zu bytes: end %u", c->name, m, n, in.end);
            assert_true(m < udp_end || in.offset + in.caplen == m);
            assert_true(m < udp_end || in.offset + in.len == n);
            free(copy);
        }
    }
}

/* The same bytes as if there had been no more: nothing is read beyond, and it is not UET. */
static void short_at_every_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_carriers; i++) {
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(&carriers[i], false, bytes);
        for (size_t m = 0; m < n; m++) {
            uint8_t *copy = exact(bytes, m);
            struct uet_inner in = uet_decap(carriers[i].linktype, copy, m, m, &plain);
            if (in.end == UET_DECAP_UET)
                assert_true(in.offset + in.caplen <= m);
            free(copy);
        }
    }
}

static const struct carrier *find(const char *name)
{
    for (size_t i = 0; i < n_carriers; i++)
        if (strcmp(carriers[i].name, name) == 0)
            return &carriers[i];
    fail_msg("no carrier %s", name);
    return NULL;
}

/* Where the way ends after one byte of a carrier got another value. */
static const struct {
    const char *carrier;
    size_t at;
    uint8_t value;
    enum uet_decap_end end;
} other[] = {
    {"ethernet", 12, 0x09, UET_DECAP_NOT_UET},     /* ethertype 0x0900 */
    {"ethernet", 23, 6, UET_DECAP_NOT_UET},        /* TCP */
    {"ethernet", 36, 0x13, UET_DECAP_NOT_UET},     /* to port 5049 */
    {"ethernet", 21, 1, UET_DECAP_FRAGMENT},       /* fragment offset 8 */
    {"ethernet", 14, 0x44, UET_DECAP_NOT_UET},     /* ihl 4 */
    {"null_little", 0, 99, UET_DECAP_NOT_UET},     /* no such family */
    {"null_little", 3, 1, UET_DECAP_NOT_UET},      /* huge in both orders */
    {"loop", 0, 2, UET_DECAP_NOT_UET},             /* never little-endian */
    {"raw_101", 0, 0x55, UET_DECAP_NOT_UET},       /* IP version 5 */
    {"sll", 15, 6, UET_DECAP_NOT_UET},             /* ARP */
    {"vxlan", 14 + 7, 1, UET_DECAP_FRAGMENT},      /* the outer packet's later fragment */
    {"vxlan", 14 + 22, 0x11, UET_DECAP_NOT_UET},   /* to another port than VXLAN's */
    {"geneve", 14 + 28, 0x41, UET_DECAP_NOT_UET},  /* version 1 */
    {"gre_ip", 14 + 20 + 1, 1, UET_DECAP_NOT_UET}, /* GRE version 1: PPTP */
    {"gre_ip", 14 + 20, 0x40, UET_DECAP_NOT_UET},  /* source routing */
    {"erspan2", 14 + 28, 0x30, UET_DECAP_NOT_UET}, /* version 3 of ERSPAN */
    {"erspan3", 14 + 38, 0x04, UET_DECAP_NOT_UET}, /* a mirrored frame of another type */
    {"gre_ipv6", 14 + 40, 6, UET_DECAP_NOT_UET},   /* TCP behind the options */
    {"gre_ipv6", 14 + 6, 44, UET_DECAP_FRAGMENT},  /* a fragment of GRE */
};

static void other_ends(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const struct carrier *c = find(other[i].carrier);
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, false, bytes);
        bytes[other[i].at] = other[i].value;
        struct uet_inner in = uet_decap(c->linktype, bytes, n, n, &plain);
        if (in.end != other[i].end)
            fail_msg("%s with byte %zu = 0x%02x: end %u", c->name, other[i].at, other[i].value,
                     in.end);
    }
    for (uint32_t link = 0; link < 70000; link++) {
        bool known = false;
        for (size_t i = 0; i < n_carriers; i++)
            known |= carriers[i].linktype == link;
        bool refused = uet_decap(link, carried, CARRIED_BYTES, CARRIED_BYTES, &plain).end ==
                       UET_DECAP_LINK_TYPE;
        if (refused == known)
            fail_msg("link type %u", link);
    }
}

/* Labels, tags and IP headers without end: the walk gives up. */
static void no_endless_way(void **state)
{
    (void)state;
    enum { N = 4096 };
    uint8_t *bytes = calloc(1, N);
    assert_non_null(bytes);
    memcpy(bytes, find("mpls")->bytes, 14); /* labels of 0: never the bottom */
    assert_int_equal(uet_decap(1, bytes, N, N, &plain).end, UET_DECAP_NOT_UET);
    for (size_t at = 0; at + 20 <= N; at += 20) {
        memcpy(bytes + at, find("ip_in_ip")->bytes + 14, 20);
        memset(bytes + at + 2, 0, 2); /* a total length that nobody believes */
    }
    assert_int_equal(uet_decap(101, bytes, N, N, &plain).end, UET_DECAP_NOT_UET);
    free(bytes);
}

/* A mirror that copies 128 bytes of each frame and mends the outer length: the inner one tells. */
static void cut_by_a_mirror(void **state)
{
    (void)state;
    const struct carrier *c = find("erspan2");
    uint8_t bytes[CARRIER_MAX];
    size_t n = carrier_fill(c, false, bytes) - 10;
    bytes[14 + 3] = (uint8_t)(bytes[14 + 3] - 10);
    struct uet_inner in = uet_decap(1, bytes, n, n, &plain);
    assert_int_equal(in.end, UET_DECAP_UET);
    assert_int_equal(in.caplen, CARRIED_BYTES - 10);
    assert_int_equal(in.len, CARRIED_BYTES);
    /* Ethernet padding behind the outer packet is not the inner one's. */
    n = carrier_fill(c, false, bytes);
    memset(bytes + n, 0xee, 20);
    in = uet_decap(1, bytes, n + 20, n + 20, &plain);
    assert_int_equal(in.caplen, CARRIED_BYTES);
    assert_int_equal(in.len, CARRIED_BYTES);
}

/*
 * A mirror port that copies the first m bytes of each frame, and the capture says that there were
 * no more: the lengths of IP and UDP agree on what there was.
 */
static void cut_by_a_mirror_port(void **state)
{
    (void)state;
    struct uet_reader *r = uet_reader_new(&plain, false, NULL);
    assert_non_null(r);
    for (size_t i = 0; i < n_carriers; i++) {
        const struct carrier *c = &carriers[i];
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, false, bytes), udp_end = n - 60;
        for (size_t m = udp_end; m < n; m++) {
            uint8_t *copy = exact(bytes, m);
            struct uet_packet p;
            struct uet_inner in;
            assert_int_equal(uet_reader_take(r, c->linktype, copy, m, m, &p, &in), UET_DECAP_UET);
            if (in.offset + in.caplen != m || in.offset + in.len != n)
                fail_msg("%s cut to %zu of %zu bytes: %u of %u", c->name, m, n, in.caplen, in.len);
            assert_int_equal(p.error, UET_PARSE_OK);
            assert_int_equal(p.trim, UET_TRIM_NO);
            assert_int_equal(p.pds, m < udp_end + 12 ? UET_H_NONE : UET_H_RUD_ROD_REQ_SYN);
            assert_int_equal(p.ses, m < n - 4 ? UET_H_NONE : UET_H_SES_REQ_STD_SOM1);
            free(copy);
        }
    }
    /* in the UDP header: cut, too */
    assert_int_equal(uet_decap(1, carried, 38, 38, &plain).end, UET_DECAP_CUT);
    uet_reader_free(r);
}

/* carried with other lengths: what the first 64 bytes of it are taken for. */
static const struct {
    const char *what;
    uint8_t ip, udp; /* the lengths, of IP from byte 14, of UDP from 34 on */
    enum uet_parse_error error;
    uint32_t len; /* that there were */
    enum uet_trim trim;
} lengths[] = {
    {"a mirror cut it", 88, 68, UET_PARSE_OK, 102, UET_TRIM_NO},
    {"a switch trimmed it to 44 bytes", 44, 68, UET_PARSE_TRIMMED, 64, UET_TRIM_BY_LENGTH},
    {"a switch trimmed it to 64 bytes, a mirror cut it", 64, 68, UET_PARSE_TRIMMED, 78,
     UET_TRIM_BY_LENGTH},
    {"the IP length is wrong: UDP is as long as the frame", 88, 30, UET_PARSE_IP_LENGTH, 64,
     UET_TRIM_NO},
};

static void cut_or_trimmed_or_wrong(void **state)
{
    (void)state;
    struct uet_reader *r = uet_reader_new(&plain, false, NULL);
    assert_non_null(r);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint8_t bytes[64];
        struct uet_packet p;
        struct uet_inner in;
        memcpy(bytes, carried, sizeof bytes);
        bytes[25] = (uint8_t)(bytes[25] + bytes[17] - lengths[i].ip); /* the checksum stays right */
        bytes[24] = (uint8_t)(bytes[24] + (bytes[25] < carried[25]));
        bytes[17] = lengths[i].ip;
        bytes[39] = lengths[i].udp;
        uet_reader_take(r, 1, bytes, sizeof bytes, sizeof bytes, &p, &in);
        if (p.error != lengths[i].error || p.trim != lengths[i].trim || in.len != lengths[i].len)
            fail_msg("%s: error %u, trim %u, %u bytes", lengths[i].what, p.error, p.trim, in.len);
    }
    uet_reader_free(r);
}

/* CRC-32 of IEEE 802.3, bit by bit. */
static uint32_t crc32(const uint8_t *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n * 8; i++)
        crc = (crc ^ (uint32_t)(bytes[i / 8] >> i % 8 & 1)) & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    return ~crc;
}

/* Captures may hold the FCS that the mirror made: four bytes that are none of the packet. */
static void fcs_behind_a_cut(void **state)
{
    (void)state;
    uint8_t check[] = "123456789\x26\x39\xf4\xcb"; /* the CRC's check value is 0xcbf43926 */
    assert_true(uet_ends_in_fcs(check, 13));
    check[12] ^= 1;
    assert_false(uet_ends_in_fcs(check, 13));
    assert_false(uet_ends_in_fcs(check, 3));

    uint8_t frame[64];
    memcpy(frame, carried, 60);
    uint32_t fcs = crc32(carried, 60);
    for (int i = 0; i < 4; i++)
        frame[60 + i] = (uint8_t)(fcs >> 8 * i);
    struct uet_inner in = uet_decap(1, frame, 64, 64, &plain);
    assert_int_equal(in.end, UET_DECAP_UET);
    assert_int_equal(in.caplen, 60);
    assert_int_equal(in.len, CARRIED_BYTES);
    frame[63] ^= 0x80; /* the packet's own bytes */
    assert_int_equal(uet_decap(1, frame, 64, 64, &plain).caplen, 64);
}

/* The reader reads the headers of a cut packet as far as they are there. */
static void reader_reads_what_is_there(void **state)
{
    (void)state;
    struct uet_reader *r = uet_reader_new(&plain, false, NULL);
    assert_non_null(r);
    for (size_t i = 0; i < n_carriers; i++) {
        const struct carrier *c = &carriers[i];
        uint8_t bytes[CARRIER_MAX];
        size_t n = carrier_fill(c, false, bytes);
        struct uet_packet p;
        /* all but the payload's last byte */
        assert_int_equal(uet_reader_take(r, c->linktype, bytes, n - 1, n, &p, NULL), UET_DECAP_UET);
        assert_int_equal(p.error, UET_PARSE_OK);
        assert_int_equal(p.partial, UET_H_NONE);
        assert_int_equal(p.payload_len, 4);
        /* all of the PDS header, none of the SES header */
        uet_reader_take(r, c->linktype, bytes, n - 48, n, &p, NULL);
        assert_int_equal(p.pds, UET_H_RUD_ROD_REQ_SYN);
        assert_int_equal(p.ses, UET_H_NONE);
        assert_int_not_equal(p.partial, UET_H_NONE);
        /* nothing */
        uet_reader_take(r, c->linktype, NULL, 0, n, &p, NULL);
        assert_int_equal(p.error, UET_PARSE_NOT_UET);
    }
    uet_reader_free(r);
}

/* Native IP with the protocol number that was told, and behind extension headers. */
static void native(void **state)
{
    (void)state;
    static const struct uet_parse_options told = {.lenient = true, .ip_protocol = 254};
    uint8_t ip[48] = {0x60, 0, 0, 0, 0, 8, 254, 64};
    assert_int_equal(uet_decap(101, ip, 48, 48, &told).end, UET_DECAP_UET);
    assert_int_equal(uet_decap(101, ip, 48, 48, &plain).end, UET_DECAP_NOT_UET);
    struct uet_inner cut = uet_decap(101, ip, 45, 45, &told); /* by a mirror */
    assert_int_equal(cut.caplen, 45);
    assert_int_equal(cut.len, 48);
    uint8_t extended[56] = {0x60, 0, 0, 0, 0, 16, 60, 64, [40] = 254, 0};
    assert_int_equal(uet_decap(101, extended, 56, 56, &told).end, UET_DECAP_EXTENSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_in_every_carrier),
        cmocka_unit_test(cut_at_every_byte),
        cmocka_unit_test(short_at_every_byte),
        cmocka_unit_test(other_ends),
        cmocka_unit_test(no_endless_way),
        cmocka_unit_test(cut_by_a_mirror),
        cmocka_unit_test(cut_by_a_mirror_port),
        cmocka_unit_test(cut_or_trimmed_or_wrong),
        cmocka_unit_test(fcs_behind_a_cut),
        cmocka_unit_test(reader_reads_what_is_there),
        cmocka_unit_test(native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
