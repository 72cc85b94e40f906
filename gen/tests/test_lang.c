/* SPDX-License-Identifier: BSD-2-Clause */
/* The language: sweeps, limits, what is refused and where the caret stands, what "!" does. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/lang.h"

static uint8_t frame[UET_FRAME_MAX];

/* Makes packet i of a line that must be right. */
static int make(const char *line, uint64_t i, struct uet_gen_about *about)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    if (uet_gen_new(&gen, line, UET_GEN_COUNT_MAX, &error) != 0)
        fail_msg("%s: %s", line, error.text);
    int n = uet_gen_packet(gen, i, frame, sizeof frame, about, &error);
    if (n < 0)
        fail_msg("%s: %s", line, error.text);
    uet_gen_free(gen);
    return n;
}

static enum uet_parse_error parsed(int n, const struct uet_gen_about *about)
{
    struct uet_packet p;
    const struct uet_parse_options o = {.protect = about->protect, .start = about->start};
    return uet_parse(&p, frame, (size_t)n, &o);
}

/* ---- counting ---- */

static void test_counts(void **state)
{
    static const struct {
        const char *line;
        uint64_t count;
    } table[] = {
        {"pds.nack", 1},
        {"pds.nack(nack_psn=1..100)", 100},
        {"pds.nack(nack_psn=1..100+10)", 10},
        {"pds.nack(nack_psn=0..100+10)", 11},
        {"pds.nack(nack_psn=7..7)", 1},
        {"pds.nack(nack_psn={1,2,5..9})", 7},
        {"pds.nack(nack_psn={ 1 , 2 })", 2},
        {"pds.nack(nack_psn=1..3,dpdcid={1,2})", 6},
        {"pds.rud_req(clear_psn_offset=-3..3)", 7},
        {"eth/ip(src=192.0.2.1..192.0.2.20)", 20},
        {"eth/ip6(src=2001:db8::1..2001:db8::f)", 15},
        {"eth(src=02:00:00:00:00:01..02:00:00:00:00:03)", 3},
        {"data(0..64)", 65},
        {"data(4,fill=0..255)", 256},
        {"pds.rud_req/ses.std(opcode={write,send,uet_read})/data({0,1,4096})", 9},
        {"pds.nack(nack_psn=0..0xffffffff+0x10000000)", 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        if (uet_gen_new(&gen, table[i].line, UET_GEN_COUNT_MAX, &error) != 0)
            fail_msg("%s: %s", table[i].line, error.text);
        assert_int_equal(uet_gen_count(gen), table[i].count);
        uet_gen_free(gen);
    }
}

/* The last list runs fastest. */
static void test_order(void **state)
{
    static const uint32_t want[6][2] = {{1, 7}, {1, 8}, {2, 7}, {2, 8}, {9, 7}, {9, 8}};
    struct uet_gen *gen;
    struct uet_gen_error error;
    char line[100];
    (void)state;
    assert_int_equal(uet_gen_new(&gen, "pds.nack(nack_psn={1..2,9}, dpdcid={7,8})", 6, &error), 0);
    for (uint64_t i = 0; i < 6; i++) {
        assert_int_equal(uet_gen_packet(gen, i, frame, sizeof frame, NULL, &error), 16);
        assert_int_equal(uet_nack_nack_psn(frame), want[i][0]);
        assert_int_equal(uet_nack_dpdcid(frame), want[i][1]);
    }
    assert_int_equal(uet_gen_line(gen, 3, line, sizeof line), 30);
    assert_string_equal(line, "pds.nack(nack_psn=2, dpdcid=8)");
    uet_gen_free(gen);
}

static void test_limit(void **state)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    (void)state;
    assert_int_equal(uet_gen_new(&gen, "pds.nack(nack_psn=1..100)", 100, &error), 0);
    uet_gen_free(gen);
    assert_int_not_equal(uet_gen_new(&gen, "pds.nack(nack_psn=1..101)", 100, &error), 0);
    assert_null(gen);
    assert_string_equal(error.text, "the line stands for more than 100 packets; take fewer values, "
                                    "or raise --limit");
    assert_int_equal(error.at, 9);
    /* A product that runs over 64 bits is no small number. */
    assert_int_not_equal(uet_gen_new(&gen,
                                     "ses.std(buffer_offset=0..0xffffffffffffffff,"
                                     "match_bits_or_memory_key=0..0xffffffffffffffff)",
                                     UINT64_MAX - 1, &error),
                         0);
}

/* ---- what is refused ---- */

static void test_refuses(void **state)
{
    static const struct {
        const char *line, *says;
        size_t at, len;
    } table[] = {
        {"", "the line ends where the name of a header should stand", 0, 0},
        {"eth/", "the line ends where the name of a header should stand", 4, 0},
        {"eth//ip", "'/' where the name of a header should stand", 4, 1},
        {"eth ip", "'i' where '/' and the next layer, or the end, should stand", 4, 1},
        {"eth/ip/udp/pds.rud_rq(psn=5)",
         "pds.rud_rq: no such header (did you mean pds.rud_req, pds.rod_req or pds.rudi_req?)", 11,
         10},
        {"zzzzzz", "zzzzzz: no such header", 0, 6},
        {"pds.nack(nack_sn=1)", "nack_sn: pds.nack has no such field (did you mean nack_psn?)", 9,
         7},
        {"pds.nack(nack_psn)", "')' where '=' should stand", 17, 1},
        {"pds.nack(nack_psn=)", "')' where a value should stand", 18, 1},
        {"pds.nack(=3)", "'=' where field=value should stand", 9, 1},
        {"pds.nack(nack_psn=1", "the line ends where ',' or ')' should stand", 19, 0},
        {"pds.nack(nack_psn=1;)", "';' where ',' or ')' should stand", 19, 1},
        {"pds.nack(nack_psn={1,2)", "')' where ',' or '}' should stand", 22, 1},
        {"pds.nack(nack_psn={})", "'}' where a value should stand", 19, 1},
        {"pds.nack(nack_psn=9..1)", "the range runs downwards: write the smaller value first", 18,
         4},
        {"pds.nack(nack_psn=1..9+0)", "a step of 0 never ends", 18, 6},
        {"pds.nack(nack_psn=x)",
         "x is no value of nack_psn: give a number, decimal or 0x hexadecimal", 18, 1},
        {"pds.nack(spdcid=65536)", "65536 does not fit spdcid: it has 16 bits", 16, 5},
        {"pds.rud_req(clear_psn_offset=-32769)",
         "-32769 does not fit clear_psn_offset: it holds -32768 to 32767", 29, 6},
        {"ses.std(opcode=wriet)", "wriet is no value of opcode (did you mean WRITE?)", 15, 5},
        {"eth/ip(src=1.2.3)", "1.2.3 is no value of src: give an IPv4 address such as 192.0.2.1",
         11, 5},
        {"pds.nack(nack_psn=1,nack_psn=2)", "nack_psn= is given twice", 20, 10},
        {"data(64,hex=00,hex=01)", "the bytes are given twice", 19, 1},
        {"data(hex=0)", "half a byte: hex takes two digits for each", 9, 1},
        {"data(text='abc)", "the text has no end: a ' is missing", 10, 5},
        {"data(text='\\q')", "no such escape: \\n \\r \\t \\0 \\\\ \\' and \\x41 are known", 11, 1},
        {"data(colour=3)", "colour: data takes a length, fill=, hex= or text=", 5, 6},
        {"cut(fill=3)", "fill: cut takes a number of bytes", 4, 4},
        {"pds.nack(bytes=3)", "a header has the bytes it has; !bytes=.. cuts it short on purpose",
         9, 5},
        /* only when the packet is made */
        {"pds.nack(!bytes=17)", "the header has only 16 bytes", 9, 9},
        {"data(9601)", "the packet is longer than 9600 bytes", 0, 4},
        {"data(2)/cut(3)", "cut(3) takes more than the 2 bytes of the packet", 0, 0},
        {"pds.nack/ses.std",
         "ses.std cannot follow pds.nack; write !ses.std to put it there all "
         "the same",
         9, 7},
        {"eth/ip/udp(length=3)",
         "length is 8 in this packet; write !length=.. to be wrong on "
         "purpose",
         11, 8},
        {"eth/ip(header_checksum=3)",
         "header_checksum is 0xb6db in this packet; write !header_checksum=.. to be wrong on "
         "purpose",
         7, 17},
        {"pds.rud_req(next_hdr=request_small)/ses.std",
         "pds.rud_req leads to ses.std with next_hdr=request_std; write !next_hdr=.. where another "
         "value is meant",
         0, 11},
        {"pds.rud_req(rsvd[6:5]=1)",
         "flags.rsvd[6:5] is reserved and sent as 0; write !flags.rsvd[6:5]=1 to send it all the "
         "same",
         12, 11},
        {"pds.nack(nack_code=12)",
         "nack_code does not define that value; write !nack_code=12 to "
         "send it all the same",
         9, 12},
        {"pds.rud_req(psn_offset=1,dpdcid=2)", "rud_rod_req (flags.syn=0) has no field psn_offset",
         12, 12},
        {"pds.rud_req(syn=0,psn_offset=1)", "rud_rod_req (flags.syn=0) has no field psn_offset", 18,
         12},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        int rc = uet_gen_new(&gen, table[i].line, 1000, &error);
        if (rc == 0) {
            rc = uet_gen_packet(gen, 0, frame, sizeof frame, NULL, &error);
            uet_gen_free(gen);
        }
        if (rc >= 0)
            fail_msg("%s: not refused", table[i].line);
        if (strcmp(error.text, table[i].says) != 0)
            print_error("%s\n", table[i].line);
        assert_string_equal(error.text, table[i].says);
        if (error.at != table[i].at || error.len != table[i].len)
            print_error("%s\n", table[i].line);
        assert_int_equal(error.at, table[i].at);
        assert_int_equal(error.len, table[i].len);
    }
}

static void test_too_long(void **state)
{
    static char line[UET_GEN_LINE_MAX + 100];
    struct uet_gen *gen;
    struct uet_gen_error error;
    (void)state;
    memset(line, ' ', sizeof line - 1);
    assert_int_not_equal(uet_gen_new(&gen, line, 1, &error), 0);
    memcpy(line, "data(hex=", 9);
    memset(line + 9, '0', 2 * 9601);
    memcpy(line + 9 + 2 * 9601, ")", 2);
    assert_int_not_equal(uet_gen_new(&gen, line, 1, &error), 0);
    assert_string_equal(error.text, "more than 9600 bytes in one line");
    memcpy(line + 9 + 2 * 9600, ")", 2);
    assert_int_equal(make(line, 0, NULL), 9600);
    for (int i = 0, at = 0; i < 17; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, "%s", i ? "/vlan" : "eth");
    assert_int_not_equal(uet_gen_new(&gen, line, 1, &error), 0);
    assert_string_equal(error.text, "more than 16 layers");
}

static void test_buffer_too_small(void **state)
{
    struct uet_gen *gen;
    struct uet_gen_error error;
    (void)state;
    assert_int_equal(uet_gen_new(&gen, "pds.nack/data(10)", 1, &error), 0);
    assert_int_equal(uet_gen_packet(gen, 0, frame, 25, NULL, &error), -ENOBUFS);
    assert_int_equal(uet_gen_packet(gen, 0, frame, 26, NULL, &error), 26);
    uet_gen_free(gen);
}

/* ---- what "!" makes wrong, and that nothing else is ---- */

static void test_wrong_on_purpose(void **state)
{
    static const struct {
        const char *line;
        enum uet_parse_error error;
    } table[] = {
        {"eth/ip/udp/pds.nack", UET_PARSE_OK},
        {"eth/ip/udp/pds.nack/crc", UET_PARSE_OK},
        {"eth/ip/udp/pds.nack/crc/pad(5)", UET_PARSE_OK},
        {"eth/ip6/udp/pds.nack/crc", UET_PARSE_OK},
        {"eth/vlan/vlan/ip/udp/pds.nack", UET_PARSE_OK},
        {"eth(!bytes=13)", UET_PARSE_ETH_SHORT},
        {"eth/vlan(!bytes=3)", UET_PARSE_ETH_SHORT},
        {"eth/ip(!bytes=19)", UET_PARSE_IP_SHORT},
        {"eth/ip6(!bytes=39)", UET_PARSE_IP_SHORT},
        {"eth/ip(!version=5)/udp/pds.nack", UET_PARSE_IP_VERSION},
        {"eth/ip(!ihl=4)/udp/pds.nack", UET_PARSE_IP_VERSION},
        {"eth/ip(!total_length=4000)/udp/pds.nack", UET_PARSE_IP_LENGTH},
        {"eth/ip6(!payload_length=4000)/udp/pds.nack", UET_PARSE_IP_LENGTH},
        {"eth/ip(!header_checksum=1)/udp/pds.nack", UET_PARSE_IP_CHECKSUM},
        {"eth/ip(!mf=1)/udp/pds.nack", UET_PARSE_IP_FRAGMENT},
        {"eth/ip(!protocol=6)/udp/pds.nack", UET_PARSE_NOT_UET},
        {"eth/ip/udp(!dst_port=4794)/pds.nack", UET_PARSE_NOT_UET},
        {"eth/ip/udp(!bytes=7)", UET_PARSE_UDP_SHORT},
        {"eth/ip/udp(!length=9)/pds.nack", UET_PARSE_UDP_LENGTH},
        {"eth/ip/udp/pds.nack(!bytes=15)", UET_PARSE_PDS_SHORT},
        {"eth/ip/udp/pds.nack(!bytes=1)", UET_PARSE_PDS_SHORT},
        {"eth/ip/udp/pds.nack(!type=0)", UET_PARSE_PDS_TYPE},
        {"eth/ip/udp/pds.nack(!next_hdr=3)", UET_PARSE_PDS_NEXT_HDR},
        {"eth/ip/udp/pds.rud_req(!next_hdr=9)/data(40)", UET_PARSE_PDS_NEXT_HDR},
        {"eth/ip/udp/pds.rud_req/ses.std(!bytes=43)", UET_PARSE_SES_SHORT},
        {"eth/ip/udp/pds.ack/ses.rsp/cut(1)", UET_PARSE_IP_LENGTH},
        {"eth/ip/udp/pds.nack/crc(!crc32c=0)", UET_PARSE_CRC_BAD},
        {"eth/ip/udp/pds.nack/crc(!bytes=3)", UET_PARSE_OK}, /* three bytes of data */
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct uet_gen_about about;
        int n = make(table[i].line, 0, &about);
        if (parsed(n, &about) != table[i].error)
            print_error("%s: %s\n", table[i].line, uet_parse_error_text(parsed(n, &about)));
        assert_int_equal(parsed(n, &about), table[i].error);
        bool bang = strchr(table[i].line, '!') || strstr(table[i].line, "cut");
        assert_int_equal(about.wrong, bang);
    }
}

/* "!" with the right value harms nothing. */
static void test_bang_that_is_right(void **state)
{
    struct uet_gen_about about;
    (void)state;
    make("eth/ip(!version=4)/udp(!length=24)/pds.nack(!type=nack,!bytes=16)", 0, &about);
    assert_false(about.wrong);
}

/* ---- data ---- */

static void test_data(void **state)
{
    static const uint8_t text[] = {'a', '\n', '\'', '\\', 'A', 0, '/'};
    static const uint8_t filled[] = {1, 2, 0xab, 0xab};
    (void)state;
    assert_int_equal(make("data(300)", 0, NULL), 300);
    for (int i = 0; i < 300; i++)
        assert_int_equal(frame[i], i & 0xff);
    assert_int_equal(make("data( text = 'a\\n\\'\\\\\\x41\\0/' )", 0, NULL), sizeof text);
    assert_memory_equal(frame, text, sizeof text);
    assert_int_equal(make("data(hex=0102,4,fill=0xab)", 0, NULL), 4);
    assert_memory_equal(frame, filled, 4);
    assert_int_equal(make("data(hex=0102,1)", 0, NULL), 1);
    assert_int_equal(make("data(hex=01:02 03)/data(hex=0x04)", 0, NULL), 4);
    assert_int_equal(frame[3], 4);
    assert_int_equal(make("data()", 0, NULL), 0);
}

/* Lengths in the SES header follow the data (3.4.2.1). */
static void test_ses_lengths(void **state)
{
    (void)state;
    make("ses.std/data(100)", 0, NULL);
    assert_int_equal(uet_ses_req_std_request_length(frame), 100);
    make("ses.std(eom=0)/data(100)", 0, NULL);
    assert_int_equal(uet_ses_req_std_request_length(frame), 200);
    make("ses.std(som=0)/data(100)", 0, NULL);
    assert_int_equal(uet_ses_req_std_payload_length(frame), 100);
    assert_int_equal(uet_ses_req_std_message_offset(frame), 100);
    assert_int_equal(uet_ses_req_std_request_length(frame), 200);
    make("ses.std(message_offset=50,request_length=1000)/data(100)", 0, NULL);
    assert_int_equal(uet_ses_req_som(frame), 0);
    assert_int_equal(uet_ses_req_std_request_length(frame), 1000);
    make("ses.small/data(7)", 0, NULL);
    assert_int_equal(uet_ses_req_short_request_length(frame), 7);
    make("ses.std(opcode=read)", 0, NULL);
    assert_int_equal(uet_ses_req_std_request_length(frame), 64);
}

/* The form of a header follows what is written. */
static void test_forms(void **state)
{
    (void)state;
    make("pds.rud_req(psn_offset=3)", 0, NULL);
    assert_int_equal(frame[1] & 0x04, 0x04); /* flags.syn */
    make("pds.rod_req(syn=1)", 0, NULL);
    assert_int_equal(frame[0], 3 << 3);
    make("pds.ack(probe_opaque=9)", 0, NULL);
    assert_int_equal(frame[1] & 0x08, 0x08); /* flags.p */
    make("ses.medium(header_data=5)", 0, NULL);
    assert_int_equal(uet_ses_req_hd(frame), 1);
    make("ses.medium(buffer_offset=5)", 0, NULL);
    assert_int_equal(uet_ses_req_hd(frame), 0);
    make("rud_rod_req_syn", 0, NULL);
    assert_int_equal(frame[1] & 0x04, 0x04);
    make("ses_req_std_som0", 0, NULL);
    assert_int_equal(uet_ses_req_som(frame), 0);
    assert_int_equal(make("pds.cp.negotiation", 0, NULL), 20);
    make("pds.cp.probe(probe_opaque=7,sack_base_psn=0x11223344)", 0, NULL);
    assert_int_equal(uet_cp_ctl_type(frame), UET_CTL_PROBE);
    assert_int_equal(uet_cp_payload_value(frame), 0x11223344);
    make("pds.ack_cc(service_time=5)", 0, NULL);
    assert_int_equal(uet_ack_cc_state_nscc_service_time(frame + 24), 5);
}

/* Packets of a sweep, in any order, are those of lines with one value each. */
static void test_sweeps_are_exact(void **state)
{
    static const char *const lines[] = {
        ("eth/ip(identification={1,2},ttl=1..3)/udp(src_port=1..3)/pds.rud_req(psn=1..5)/"
         "ses.std(opcode={write,send},job_id=1..2)/data(7)/crc"),
        "eth/ip6(flow_label={0,0xfffff})/udp/pds.cp(ctl_type=0..9,psn={0,0xffffffff})/crc/pad(3)",
        "eth/ip/udp/cp(psn=1..3)/cp_payload_clear_command(clear_psn=1..3)",
        "eth/ip/udp/pds.rud_req(syn={0,1},psn=1..3,clear_psn_offset=-2..0)/ses.small/data(0..3)",
        "eth/ip/udp/pds.rud_req/ses.std(som={1,0},message_id=1..4)/data(4)/cut(0..2)",
        "eth/ip/udp/pds.ack_cc(service_time=1..4,mpr=1..3)/ses.rsp(!bytes=2..3)",
        "eth/ip/udp/pds.ack/ses.rsp(message_id=1..4,!bytes=3)/crc(!crc32c={0,1})",
    };
    static uint8_t swept[UET_FRAME_MAX];
    static char line[UET_GEN_LINE_MAX];
    (void)state;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct uet_gen *gen;
        struct uet_gen_error error;
        struct uet_gen_about about, alone;
        assert_int_equal(uet_gen_new(&gen, lines[k], 10000, &error), 0);
        uint64_t n = uet_gen_count(gen);
        assert_true(n > 0);
        for (uint64_t j = 0; j < 2 * n; j++) {
            uint64_t i = j < n ? j : (j * 7919 + 3) % n; /* in order, then not */
            int made = uet_gen_packet(gen, i, swept, sizeof swept, &about, &error);
            uet_gen_line(gen, i, line, sizeof line);
            int want = make(line, 0, &alone);
            assert_int_equal(made, want);
            assert_memory_equal(swept, frame, (size_t)want);
            assert_memory_equal(&about, &alone, sizeof about);
        }
        uet_gen_free(gen);
    }
}

/* A sweep may change the form from packet to packet. */
static void test_form_in_a_sweep(void **state)
{
    (void)state;
    assert_int_equal(make("pds.cp(ctl_type=0..9)", 9, NULL), 20);
    assert_int_equal(make("pds.cp(ctl_type=0..9)", 8, NULL), 16);
    make("ses.std(som={1,0})", 1, NULL);
    assert_int_equal(uet_ses_req_som(frame), 0);
}

static void test_addresses(void **state)
{
    static const uint8_t macs[] = {2, 0, 10, 0, 0, 2, 2, 0, 10, 0, 0, 1};
    (void)state;
    make("eth/ip(src=10.0.0.1,dst=10.0.0.2)/udp", 0, NULL);
    assert_memory_equal(frame, macs, sizeof macs); /* uet_mac_of_ip */
    make("eth(src=02:00:00:00:00:99)/ip/udp", 0, NULL);
    assert_int_equal(frame[11], 0x99);
}

/* Keys and letters of either case, blanks between tokens. */
static void test_spelling(void **state)
{
    static uint8_t first[200];
    (void)state;
    int n = make("eth/ip/udp/pds.rud_req(syn=1)/ses.std(opcode=write)/data(3)", 0, NULL);
    memcpy(first, frame, sizeof first);
    assert_int_equal(make(" ETH / Ip / udp / PDS.RUD_REQ ( flags.syn = true ) / "
                          "ses_req_std_som1( opcode = UET_WRITE ) / data ( 0x3 ) ",
                          0, NULL),
                     n);
    assert_memory_equal(frame, first, (size_t)n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_buffer_too_small),
        cmocka_unit_test(test_wrong_on_purpose),
        cmocka_unit_test(test_bang_that_is_right),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_ses_lengths),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_form_in_a_sweep),
        cmocka_unit_test(test_sweeps_are_exact),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
