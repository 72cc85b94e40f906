/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parser says of wrong frames, and that it never reads beyond what it was given. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wire/inet.h"
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

/* A copy that ends where the heap block ends, so that ASan sees the first byte over. */
static uint8_t *exact_copy(const uint8_t *bytes, size_t len)
{
    uint8_t *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    return copy;
}

/* One way to spoil a packet: bytes set, then cut to len (0: not cut), then the IPv4 sum mended. */
struct spoil {
    const char *packet;
    enum uet_parse_error error;
    uint16_t offset; /* where it must be found */
    uint16_t len;
    bool mend_sum;
    uint8_t protect; /* when not the packet's own */
    struct {
        uint16_t at;
        uint8_t value;
    } set[4]; /* at 0 ends the list */
    const char *why;
};

/* Offsets in syn_write (IPv4): IP 14, UDP 34, PDS 42, SES 54, payload 98, end 102.
 * In medium_rma (IPv6): IP 14, UDP 54, PDS 62, SES 74, payload 106, end 108. */
static const struct spoil spoils[] = {
    {"syn_write", UET_PARSE_OK, 0, 0, false, 0, {{0}}, "as it is"},
    {"syn_write", UET_PARSE_ETH_SHORT, 0, 13, false, 0, {{0}}, "13 bytes"},
    {"medium_message", UET_PARSE_ETH_SHORT, 14, 17, false, 0, {{0}}, "802.1Q tag cut"},
    {"syn_write", UET_PARSE_NOT_UET, 14, 0, false, 0, {{12, 0x08}, {13, 0x06}}, "ARP"},
    {"syn_write", UET_PARSE_IP_SHORT, 14, 33, false, 0, {{0}}, "19 bytes of IPv4"},
    {"medium_rma", UET_PARSE_IP_SHORT, 14, 53, false, 0, {{0}}, "39 bytes of IPv6"},
    {"syn_write", UET_PARSE_IP_SHORT, 14, 34, true, 0, {{14, 0x46}}, "options cut"},
    {"syn_write", UET_PARSE_IP_VERSION, 14, 0, false, 0, {{14, 0x55}}, "version 5"},
    {"syn_write", UET_PARSE_IP_VERSION, 14, 0, false, 0, {{14, 0x44}}, "ihl 4"},
    {"medium_rma", UET_PARSE_IP_VERSION, 14, 0, false, 0, {{14, 0x40}}, "IPv4 in an IPv6 frame"},
    {"syn_write", UET_PARSE_IP_LENGTH, 16, 0, true, 0, {{17, 89}}, "one byte beyond the frame"},
    {"syn_write", UET_PARSE_IP_LENGTH, 16, 0, true, 0, {{17, 19}}, "smaller than its header"},
    {"medium_rma", UET_PARSE_IP_LENGTH, 18, 0, false, 0, {{19, 55}}, "one byte beyond the frame"},
    {"syn_write", UET_PARSE_IP_CHECKSUM, 24, 0, false, 0, {{25, 0x90}}, "b690 for b68f"},
    {"syn_write", UET_PARSE_NOT_UET, 23, 0, true, 0, {{23, 6}}, "TCP"},
    {"medium_rma", UET_PARSE_NOT_UET, 20, 0, false, 0, {{20, 58}}, "ICMPv6"},
    {"syn_write", UET_PARSE_IP_FRAGMENT, 20, 0, true, 0, {{20, 0x20}}, "more fragments"},
    {"syn_write", UET_PARSE_IP_FRAGMENT, 20, 0, true, 0, {{21, 1}}, "fragment offset 8"},
    {"syn_write", UET_PARSE_UDP_SHORT, 34, 0, true, 0, {{17, 27}}, "7 bytes of UDP"},
    {"medium_rma", UET_PARSE_UDP_SHORT, 54, 0, false, 0, {{19, 7}}, "7 bytes of UDP"},
    {"syn_write", UET_PARSE_NOT_UET, 36, 0, false, 0, {{37, 0xb8}}, "port 4792"},
    {"syn_write", UET_PARSE_UDP_LENGTH, 38, 0, false, 0, {{39, 67}}, "UDP one byte shorter"},
    {"syn_write", UET_PARSE_UDP_LENGTH, 38, 0, false, 0, {{39, 69}}, "UDP one byte longer"},
    {"syn_write", UET_PARSE_PDS_SHORT, 42, 0, true, 0, {{17, 29}, {39, 9}}, "1 byte of PDS"},
    {"syn_write", UET_PARSE_PDS_SHORT, 42, 0, true, 0, {{17, 39}, {39, 19}}, "11 bytes of request"},
    {"close_command",
     UET_PARSE_PDS_SHORT,
     42,
     0,
     true,
     UET_PROTECT_NONE,
     {{17, 43}, {39, 23}},
     "15 bytes of CP"},
    {"negotiation",
     UET_PARSE_PDS_SHORT,
     74,
     0,
     false,
     UET_PROTECT_NONE,
     {{19, 27}, {59, 27}},
     "element of 7 bytes, its place 12 bytes into the CP"},
    {"syn_write", UET_PARSE_PDS_TYPE, 42, 0, false, 0, {{42, 0x01}}, "type 0, reserved"},
    {"syn_write", UET_PARSE_PDS_TYPE, 42, 0, false, 0, {{42, 0x79}}, "type 15, reserved"},
    {"syn_write", UET_PARSE_PDS_NEXT_HDR, 42, 0, false, 0, {{42, 0x12}, {43, 0x0c}}, "4, response"},
    {"syn_write",
     UET_PARSE_PDS_NEXT_HDR,
     42,
     0,
     false,
     0,
     {{42, 0x17}, {43, 0x8c}},
     "15, reserved"},
    {"ack_default",
     UET_PARSE_PDS_NEXT_HDR,
     42,
     0,
     false,
     UET_PROTECT_NONE,
     {{42, 0x39}, {43, 0x80}},
     "ACK with a request"},
    {"nack_inv_dpdcid",
     UET_PARSE_PDS_NEXT_HDR,
     42,
     0,
     false,
     UET_PROTECT_NONE,
     {{42, 0x52}},
     "NACK with a response"},
    {"syn_write", UET_PARSE_SES_SHORT, 54, 0, true, 0, {{17, 41}, {39, 21}}, "1 byte of SES"},
    {"syn_write", UET_PARSE_SES_SHORT, 54, 0, true, 0, {{17, 83}, {39, 63}}, "43 bytes of SES"},
    {"ack_no_response",
     UET_PARSE_SES_SHORT,
     74,
     0,
     false,
     0,
     {{19, 31}, {59, 31}},
     "11 of response"},
    {"syn_write",
     UET_PARSE_ENTROPY_SHORT,
     34,
     0,
     true,
     0,
     {{17, 23}, {23, 253}},
     "native IP with 3 bytes"},
    {"syn_write",
     UET_PARSE_SES_EXT_SHORT,
     98,
     0,
     false,
     0,
     {{54, 0x06}},
     "rendezvous with 4 bytes of 24"},
    {"syn_write", UET_PARSE_OK, 0, 0, false, 0, {{54, 0x03}}, "atomic with 4 bytes of 4"},
    {"syn_write",
     UET_PARSE_SES_EXT_SHORT,
     98,
     0,
     false,
     0,
     {{54, 0x04}, {98, 0x0d}},
     "compare and swap with 4 bytes of 36"},
    {"syn_write",
     UET_PARSE_TSS_SHORT,
     42,
     0,
     true,
     0,
     {{17, 39}, {39, 19}, {42, 0x08}},
     "11 bytes of TSS header"},
    {"syn_write",
     UET_PARSE_TSS_SHORT,
     42,
     0,
     true,
     0,
     {{17, 43}, {39, 23}, {42, 0x0c}},
     "15 bytes of TSS header with SSI"},
    {"syn_write",
     UET_PARSE_TSS_SHORT,
     54,
     0,
     true,
     0,
     {{17, 55}, {39, 35}, {42, 0x08}},
     "15 bytes of ICV"},
    {"syn_write", UET_PARSE_SEALED, 54, 0, false, UET_PROTECT_CRC, {{42, 0x08}}, "sealed, no CRC"},
    {"syn_write",
     UET_PARSE_CRC_SHORT,
     45,
     0,
     true,
     UET_PROTECT_CRC,
     {{17, 31}, {39, 11}},
     "3 bytes after UDP"},
    {"small_send",
     UET_PARSE_CRC_BAD,
     77,
     0,
     false,
     UET_PROTECT_CRC,
     {{77, 0xf6}},
     "trailer flipped"},
    {"small_send",
     UET_PARSE_CRC_BAD,
     77,
     0,
     false,
     UET_PROTECT_CRC,
     {{74, 'A'}},
     "payload changed"},
    {"small_send",
     UET_PARSE_CRC_BAD,
     77,
     0,
     false,
     UET_PROTECT_CRC,
     {{35, 0x43}},
     "entropy changed"},
    {"small_send", UET_PARSE_OK, 0, 0, true, UET_PROTECT_CRC, {{22, 63}}, "TTL: not covered"},
    {"small_send", UET_PARSE_OK, 0, 0, true, UET_PROTECT_CRC, {{15, 3}}, "CE: not covered"},
};

static size_t spoil(const struct spoil *s, uint8_t *frame)
{
    const struct golden *g = find(s->packet);
    memcpy(frame, g->bytes, g->len);
    for (size_t i = 0; i < sizeof s->set / sizeof *s->set && s->set[i].at; i++)
        frame[s->set[i].at] = s->set[i].value;
    if (s->mend_sum) {
        size_t header = (frame[14] & 15u) * 4u;
        frame[24] = frame[25] = 0;
        uint16_t sum = uet_inet_checksum(frame + 14, header);
        frame[24] = (uint8_t)(sum >> 8);
        frame[25] = (uint8_t)sum;
    }
    return s->len ? s->len : g->len;
}

static void errors_are_named_with_their_offset(void **state)
{
    (void)state;
    bool provoked[UET_PARSE_ERROR_COUNT] = {false};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        const struct spoil *s = &spoils[i];
        uint8_t frame[256];
        size_t len = spoil(s, frame);
        uint8_t *copy = exact_copy(frame, len);
        struct uet_parse_options o = {.protect = s->protect};
        struct uet_packet p;
        enum uet_parse_error e = uet_parse(&p, copy, len, &o);
        if (e != s->error || p.error != s->error || p.error_offset != s->offset)
            fail_msg("%s, %s: \"%s\" at %u, not \"%s\" at %u", s->packet, s->why,
                     uet_parse_error_text(e), p.error_offset, uet_parse_error_text(s->error),
                     s->offset);
        provoked[e] = true;
        free(copy);
    }
    provoked[UET_PARSE_TRIMMED] = true; /* needs options: trimmed_is_not_malformed */
    for (size_t e = 0; e < UET_PARSE_ERROR_COUNT; e++)
        if (!provoked[e])
            fail_msg("never provoked: %s", uet_parse_error_text((enum uet_parse_error)e));
}

/* The texts differ, and a number that is no error has one too. */
static void texts(void **state)
{
    (void)state;
    for (int a = 0; a < UET_PARSE_ERROR_COUNT; a++)
        for (int b = 0; b < a; b++)
            assert_string_not_equal(uet_parse_error_text((enum uet_parse_error)a),
                                    uet_parse_error_text((enum uet_parse_error)b));
    assert_string_equal(uet_parse_error_text((enum uet_parse_error)99), "unknown error");
}

/* Lenient goes on past a wrong checksum, UDP length or CRC, and still says so. */
static void lenient(void **state)
{
    (void)state;
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC, .lenient = true};
    const struct golden *g = find("small_send");
    uint8_t frame[256];
    struct uet_packet p;

    memcpy(frame, g->bytes, g->len);
    frame[25] ^= 1; /* checksum */
    frame[39] ^= 1; /* UDP length, which the CRC covers */
    assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_IP_CHECKSUM);
    assert_int_equal(p.error_offset, 24); /* the first of three */
    assert_int_equal(p.crc_state, UET_CRC_BAD);
    assert_int_equal(p.ses, UET_H_SES_REQ_SMALL);
    assert_int_equal(p.payload_len, 3);

    memcpy(frame, g->bytes, g->len);
    frame[39] ^= 1;
    assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_UDP_LENGTH);
    assert_int_equal(p.ses, UET_H_SES_REQ_SMALL);
}

/* The IPv4 packet of frame cut to n bytes after its IP header, the rest as a switch leaves it. */
static size_t trim(uint8_t *frame, const struct golden *g, size_t n, uint8_t dscp)
{
    memcpy(frame, g->bytes, g->len);
    int len = uet_trim(frame, g->len, n, dscp);
    assert_true(len > 0);
    return (size_t)len;
}

/* A switch knows neither the operator's protocol number nor his port: 54 bytes of native IPv4. */
static void trimmed_whatever_it_is_wrapped_in(void **state)
{
    static const struct uet_route routes[] = {
        {.native = true, .ip_protocol = 254}, {.native = true}, {.udp_port = 4999}};
    static const size_t kept[] = {20, 20, 24}, total[] = {54, 54, 58};
    uint8_t frame[256], payload[100] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(routes) / sizeof(*routes); i++) {
        struct uet_route route = routes[i];
        struct uet_build b;

        uet_ip_parse(&route.src, "192.0.2.1");
        uet_ip_parse(&route.dst, "192.0.2.2");
        uet_build_start(&b, frame, sizeof(frame), &route);
        uet_build_payload(&b, payload, sizeof(payload));
        int len = uet_build_finish(&b, UET_PROTECT_NONE, NULL);
        assert_int_equal(uet_trim(frame, (size_t)len, kept[i], 16), total[i]);
        assert_int_equal(uet_ipv4_total_length(frame + 14), total[i] - 14);
        assert_int_equal(uet_ipv4_dscp(frame + 14), 16);
        assert_int_equal(uet_trim(frame, total[i], kept[i], 16), -EINVAL); /* nothing to cut */
    }
    memset(frame, 0, sizeof(frame));
    assert_int_equal(uet_trim(frame, sizeof(frame), 20, 16), -EINVAL);
}

/* A switch cuts at 24 bytes after IP or later (4.1); DSCPs 16 and 18 are the trimmed roles here. */
static void trimmed_is_not_malformed(void **state)
{
    (void)state;
    const struct uet_parse_options o = {.protect = UET_PROTECT_CRC,
                                        .dscp_trimmed = UINT64_C(1) << 16 | UINT64_C(1) << 18,
                                        .dscp_trimmed_lasthop = UINT64_C(1) << 18};
    const struct golden *g = find("std_som0"); /* IPv6 with a tag: IP 18, UDP 58, PDS 66, SES 78 */
    uint8_t frame[256];
    struct uet_packet p;

    size_t len = trim(frame, g, 24, 16); /* UDP 8, PDS 12, and 4 bytes of SES */
    assert_int_equal(len, 82);
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_TRIMMED);
    assert_false(uet_parse_malformed(&p));
    assert_int_equal(p.trim, UET_TRIM_TRIMMED);
    assert_int_equal(p.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(uet_packet_psn(&p), 16);
    assert_int_equal(p.ses, UET_H_NONE);
    assert_int_equal(p.partial, UET_H_SES_REQ_STD_SOM0);
    assert_int_equal(p.partial_offset, 78);
    assert_int_equal(p.crc_state, UET_CRC_ABSENT);
    assert_int_equal(p.trimmed_bytes, 49); /* 44 - 4 of SES, 5 of payload, 4 of CRC */

    len = trim(frame, g, 64, 18); /* all headers are there */
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_OK);
    assert_int_equal(p.trim, UET_TRIM_LASTHOP);
    assert_int_equal(p.ses, UET_H_SES_REQ_STD_SOM0);
    assert_int_equal(p.payload_len, 0);

    len = trim(frame, g, 24, 17); /* not a code point of the role */
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_UDP_LENGTH);
    assert_int_equal(p.trim, UET_TRIM_NO);
    assert_true(uet_parse_malformed(&p));
}

/* Without the code points the lengths tell, to those who go on; a rewritten UDP length does not. */
static void trimmed_by_its_lengths(void **state)
{
    (void)state;
    struct uet_parse_options o = {.protect = UET_PROTECT_CRC, .lenient = true};
    const struct golden *g = find("small_send");
    uint8_t frame[256];
    struct uet_packet p;
    size_t len = trim(frame, g, 24, 16);
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_TRIMMED);
    assert_int_equal(p.trim, UET_TRIM_BY_LENGTH);
    assert_int_equal(p.error_offset, 38); /* the UDP length */
    assert_int_equal(p.pds, UET_H_RUD_ROD_REQ);
    assert_int_equal(p.partial, UET_H_SES_REQ_SMALL);
    assert_int_equal(p.trimmed_bytes, 23);
    o.lenient = false;
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_UDP_LENGTH);

    o.dscp_trimmed = UINT64_C(1) << 16;
    uet_udp_length_set(frame + 34, 24); /* a switch that mends it, too */
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_TRIMMED);
    assert_int_equal(p.trim, UET_TRIM_TRIMMED);
    assert_int_equal(p.trimmed_bytes, 0);
    uet_udp_length_set(frame + 34, 23); /* too short is wrong in any role */
    assert_int_equal(uet_parse(&p, frame, len, &o), UET_PARSE_UDP_LENGTH);
}

/* From the PDS header on, with less captured than there was on the wire. */
static void transport_of_a_cut_capture(void **state)
{
    (void)state;
    const struct golden *g = find("syn_write"); /* PDS 42, SES 54, payload 98, end 102 */
    static const struct {
        size_t captured;
        enum uet_header_id pds, ses, partial;
        uint16_t payload_len;
    } v[] = {
        {0, UET_H_NONE, UET_H_NONE, UET_H_PDS_PROLOGUE, 0},
        {1, UET_H_NONE, UET_H_NONE, UET_H_PDS_PROLOGUE, 0},
        {2, UET_H_NONE, UET_H_NONE, UET_H_RUD_ROD_REQ_SYN, 0},
        {11, UET_H_NONE, UET_H_NONE, UET_H_RUD_ROD_REQ_SYN, 0},
        {12, UET_H_RUD_ROD_REQ_SYN, UET_H_NONE, UET_H_SES_REQ_STD_SOM0, 0}, /* not to tell yet */
        {14, UET_H_RUD_ROD_REQ_SYN, UET_H_NONE, UET_H_SES_REQ_STD_SOM1, 0},
        {55, UET_H_RUD_ROD_REQ_SYN, UET_H_NONE, UET_H_SES_REQ_STD_SOM1, 0},
        {56, UET_H_RUD_ROD_REQ_SYN, UET_H_SES_REQ_STD_SOM1, UET_H_NONE, 4},
        {60, UET_H_RUD_ROD_REQ_SYN, UET_H_SES_REQ_STD_SOM1, UET_H_NONE, 4},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        uint8_t *copy = exact_copy(g->bytes + 42, v[i].captured);
        struct uet_packet p = {.frame = copy, .len = 60};
        assert_int_equal(uet_parse_transport(&p, 0, 60, v[i].captured, NULL), UET_PARSE_OK);
        assert_int_equal(p.pds, v[i].pds);
        assert_int_equal(p.ses, v[i].ses);
        assert_int_equal(p.partial, v[i].partial);
        assert_int_equal(p.payload_len, v[i].payload_len);
        free(copy);
    }
    /* as short on the wire as in the capture: then it is the packet's fault */
    struct uet_packet p = {.frame = g->bytes + 42, .len = 20};
    assert_int_equal(uet_parse_transport(&p, 0, 20, 20, NULL), UET_PARSE_SES_SHORT);
    assert_int_equal(p.partial, UET_H_NONE);
}

/* Another UDP port, on request (REF used 49150). */
static void other_port(void **state)
{
    (void)state;
    struct uet_parse_options o = {.udp_port = 49150};
    const struct golden *g = find("syn_write");
    uint8_t frame[256];
    struct uet_packet p;
    memcpy(frame, g->bytes, g->len);
    assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_NOT_UET);
    frame[36] = 0xbf, frame[37] = 0xfe;
    assert_int_equal(uet_parse(&p, frame, g->len, &o), UET_PARSE_OK);
}

/* Four tags are read, a fifth is not looked behind. */
static void many_vlans(void **state)
{
    (void)state;
    static const uint8_t qinq[] = {0x88, 0xa8, 0x00, 0x05}, vlan[] = {0x81, 0x00, 0x00, 0x05};
    const struct golden *g = find("syn_write");
    uint8_t frame[256];
    struct uet_packet p;
    for (unsigned n = 0; n <= UET_VLANS_MAX + 1; n++) {
        size_t at = 12;
        memcpy(frame, g->bytes, 12);
        for (unsigned i = 0; i < n; i++, at += 4)
            memcpy(frame + at, i ? vlan : qinq, 4);
        memcpy(frame + at, g->bytes + 12, g->len - 12);
        uet_parse(&p, frame, g->len + 4 * n, NULL);
        assert_int_equal(p.error, n <= UET_VLANS_MAX ? UET_PARSE_OK : UET_PARSE_NOT_UET);
        assert_int_equal(p.n_vlans, n <= UET_VLANS_MAX ? n : UET_VLANS_MAX);
        if (n <= UET_VLANS_MAX)
            assert_int_equal(p.pds_offset, 42 + 4 * n);
    }
}

static void use(const struct uet_packet *p)
{
    static char text[65536];
    uet_print_addressed(text, sizeof text, p);
    uet_print_packet(text, sizeof text, p);
    json_t *j = uet_json_packet(p);
    assert_non_null(j);
    json_decref(j);
}

/* Every length of every packet, cut with the lengths as they were, and with lengths that lie. */
static void truncation_is_never_over_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++)
        for (size_t len = 0; len < golden[i].len; len++)
            for (int protect = UET_PROTECT_NONE; protect <= UET_PROTECT_AUTO; protect++) {
                uint8_t *copy = exact_copy(golden[i].bytes, len);
                struct uet_parse_options o = {.protect = (uint8_t)protect, .lenient = true};
                struct uet_packet p;
                assert_int_not_equal(uet_parse(&p, copy, len, &o), UET_PARSE_OK);
                use(&p);
                free(copy);
            }
}

/* The IP and UDP lengths follow the cut, so that the parser meets every short header. */
static void honest_truncation_is_never_over_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_golden; i++) {
        struct uet_packet whole;
        uet_parse(&whole, golden[i].bytes, golden[i].len, NULL);
        for (size_t len = whole.udp_offset; len < golden[i].len; len++) {
            uint8_t *copy = exact_copy(golden[i].bytes, len);
            size_t ip = len - whole.ip_offset, udp = len - whole.udp_offset;
            struct uet_parse_options o = {.protect = UET_PROTECT_NONE, .lenient = true};
            struct uet_packet p;
            if (whole.ip_version == 4)
                uet_ipv4_total_length_set(copy + whole.ip_offset, (uint16_t)ip);
            else
                uet_ipv6_payload_length_set(copy + whole.ip_offset, (uint16_t)(ip - 40));
            if (udp >= UET_UDP_BYTES)
                uet_udp_length_set(copy + whole.udp_offset, (uint16_t)udp);
            enum uet_parse_error e = uet_parse(&p, copy, len, &o);
            if (len < (whole.ses ? whole.ses_offset : whole.payload_offset))
                assert_int_not_equal(e, UET_PARSE_OK);
            use(&p);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_named_with_their_offset),
        cmocka_unit_test(texts),
        cmocka_unit_test(lenient),
        cmocka_unit_test(trimmed_whatever_it_is_wrapped_in),
        cmocka_unit_test(trimmed_is_not_malformed),
        cmocka_unit_test(trimmed_by_its_lengths),
        cmocka_unit_test(transport_of_a_cut_capture),
        cmocka_unit_test(other_port),
        cmocka_unit_test(many_vlans),
        cmocka_unit_test(truncation_is_never_over_read),
        cmocka_unit_test(honest_truncation_is_never_over_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
