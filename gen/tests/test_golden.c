/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines against packets that were written byte by byte by hand (wire/tests/golden_bytes.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gen/lang.h"
#include "wire/tests/golden.h"

#define V4      "eth/ip(src=192.0.2.1,dst=192.0.2.2)/udp/"
#define V4_BACK "eth/ip(src=192.0.2.2,dst=192.0.2.1,dscp=46)/udp/"
#define V6      "eth/ip6(src=2001:db8::1,dst=2001:db8::2)/udp/"

/* By the names of the golden packets; the lines follow the comments beside their bytes. */
static const struct {
    const char *name, *line;
} lines[] = {
    {"syn_write", V4 "pds.rud_req(syn=1,ar=1,clear_psn_offset=0,psn=0x12345678)/"
                     "ses.std(opcode=write,dc=1,message_id=7,pid_on_fep=3,resource_index=5,"
                     "buffer_offset=64,initiator=42,match_bits_or_memory_key=0xdeadbeef)/"
                     "data(hex=70696e67)"},
    {"small_send", V4 "pds.rud_req(ar=1,psn=0x12345679)/"
                      "ses.small(opcode=send,ri_generation=2,job_id=16777215,pid_on_fep=4095,"
                      "resource_index=4094)/data(text='abc')/crc"},
    {"medium_rma", V6 "pds.rud_req(clear_psn_offset=-2)/"
                      "ses.medium(opcode=write,rel=1,pid_on_fep=3,resource_index=5,"
                      "buffer_offset=0x1122334455667788,"
                      "match_bits_or_memory_key=0x0123456789abcdef)/data(hex=aa55)"},
};

static const struct golden *golden_of(const char *name)
{
    for (size_t i = 0; i < n_golden; i++)
        if (strcmp(golden[i].name, name) == 0)
            return &golden[i];
    fail_msg("no golden packet %s", name);
    return NULL;
}

static void test_lines_of_golden_packets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct golden *g = golden_of(lines[i].name);
        struct uet_gen *gen;
        struct uet_gen_error error;
        struct uet_gen_about about;
        uint8_t bytes[512];
        if (uet_gen_new(&gen, lines[i].line, 1, &error) != 0)
            fail_msg("%s: %s", lines[i].name, error.text);
        int n = uet_gen_packet(gen, 0, bytes, sizeof bytes, &about, &error);
        if (n < 0)
            fail_msg("%s: %s", lines[i].name, error.text);
        assert_int_equal(n, g->len);
        assert_memory_equal(bytes, g->bytes, g->len);
        assert_int_equal(about.protect, g->protect);
        assert_false(about.wrong);
        uet_gen_free(gen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_of_golden_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
