/* SPDX-License-Identifier: BSD-2-Clause */
/* fep.yaml: what is right is read, what is wrong is told in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/harness/dut.h"
#include "wire/packet.h"

static struct uet_dut dut;
static char err[512];

/* Reads a text as if it were a file; err loses the path, which differs each time. */
static int read_text(const char *text)
{
    char path[] = "/tmp/test_dut.XXXXXX", full[512];
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    full[0] = '\0';
    int rc = uet_dut_read(&dut, path, full, sizeof(full));
    snprintf(err, sizeof(err), "%s",
             strncmp(full, path, strlen(path)) == 0 ? full + strlen(path) : full);
    unlink(path);
    return rc;
}

#define HEAD                                                                                       \
    "address: 192.0.2.1\n"                                                                         \
    "tester: [192.0.2.11, 192.0.2.12]\n"                                                           \
    "port: {interface: eth1}\n"

static void whole(void **state)
{
    (void)state;
    assert_int_equal(read_text(HEAD "name: x\n"
                                    "protect: crc\n"
                                    "payload_mtu: 2048\n"
                                    "response_time: 250ms\n"
                                    "claims: [rud, send]\n"
                                    "parameters: {RTO_Init_Time: 5ms, ACK_Gen_Trigger: 16KiB}\n"
                                    "memory:\n"
                                    "  - {job_id: 0x56789a, pid_on_fep: 3, resource_index: 5,\n"
                                    "     relative: true, key: 0x123456789abc, length: 65536}\n"
                                    "known_deviations:\n"
                                    "  - {test: a.1.b, reason: because, date: 2026-01-02}\n"),
                     0);
    uint64_t value;
    assert_string_equal(dut.name, "x");
    assert_string_equal(dut.interface, "eth1");
    assert_int_equal(dut.tester[1].bytes[3], 12);
    assert_int_equal(dut.protect, UET_PROTECT_CRC);
    assert_int_equal(dut.payload_mtu, 2048);
    assert_true(dut.response_time_ns == 250000000u);
    assert_true(dut.claims[UET_PICS_SEND]);
    assert_false(dut.claims[UET_PICS_WRITE]);
    assert_true(uet_dut_param(&dut, "RTO_Init_Time", &value) && value == 5000000);
    assert_true(uet_dut_param(&dut, "ACK_Gen_Trigger", &value) && value == 16384);
    assert_false(uet_dut_param(&dut, "Default_MPR", &value));
    assert_int_equal(dut.n_memory, 1);
    assert_int_equal(dut.memory[0].job_id, 0x56789a);
    assert_true(dut.memory[0].key == 0x123456789abcu);
    assert_true(dut.memory[0].relative);
    assert_string_equal(uet_dut_known(&dut, "a.1.b")->reason, "because");
    assert_null(uet_dut_known(&dut, "a.1.c"));
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(read_text(HEAD), 0);
    assert_int_equal(dut.payload_mtu, 4096);
    assert_int_equal(dut.protect, UET_PROTECT_NONE);
    assert_true(dut.claims[UET_PICS_WRITE]);
    assert_false(dut.claims[UET_PICS_NEGOTIATION]);
}

static void wrong(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", ":1: the file is empty (see conformance/examples/fep.yaml)"},
        {"address: 192.0.2.1\nadress: 1\n", ":2: unknown key 'adress' (did you mean address?)"},
        {HEAD "frobnicate: 1\n", ":4: unknown key 'frobnicate'"},
        {HEAD "payload_mtu: many\n", ":4: 'payload_mtu' must be a number, not 'many'"},
        {HEAD "payload_mtu: 9000\n", ":4: 'payload_mtu' is 9000: at most 8192"},
        {HEAD "payload_mtu: 1500\n", ":1: 'payload_mtu' must be 1024, 2048, 4096 or 8192"},
        {HEAD "payload_mtu: [1]\n", ":4: 'payload_mtu' must be a number, not 'a list'"},
        {HEAD "protect: maybe\n", ":4: 'protect' must be none or crc, not 'maybe'"},
        {HEAD "response_time: 5\n", ":4: 'response_time' must be a time such as 5ms, not '5'"},
        {"address: here\n", ":1: 'address' must be an IPv4 or IPv6 address, not 'here'"},
        {"tester: 192.0.2.1\nport: {interface: e}\n",
         ":1: 'address' is missing: the IP address of the FEP"},
        {"address: 2001:db8::1\ntester: 192.0.2.1\nport: {interface: e}\n",
         ":1: 'tester' and 'address' must be of one IP version"},
        {HEAD "claims: [sent]\n",
         ":4: unknown claim 'sent' (did you mean send?) (`uetconform list --claims` shows them)"},
        {HEAD "memory:\n  - {job_id: 0x1000000}\n", ":5: 'job_id' is 0x1000000: at most 16777215"},
        {HEAD "parameters: {X: soon}\n",
         ":4: parameter 'X' must be a number or a time, not 'soon'"},
        {HEAD "known_deviations:\n  - {test: a}\n",
         ":5: a known deviation needs test, reason and date"},
        {"- 1\n", ":1: the file must be a mapping of keys and values"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_true(read_text(cases[i].text) < 0);
        assert_string_equal(err, cases[i].says);
    }
    assert_true(read_text("a: [1\nb: {") < 0);
    assert_non_null(strstr(err, "not YAML"));
}

static void not_there(void **state)
{
    (void)state;
    assert_true(uet_dut_read(&dut, "/nonexistent/fep.yaml", err, sizeof(err)) < 0);
    assert_string_equal(err, "/nonexistent/fep.yaml: No such file or directory");
}

static void example(void **state)
{
    (void)state;
    int rc =
        uet_dut_read(&dut, UETKIT_SOURCE_DIR "/conformance/examples/fep.yaml", err, sizeof(err));
    if (rc)
        print_message("%s\n", err);
    assert_int_equal(rc, 0);
    assert_int_equal(dut.n_memory, 1);
    assert_int_equal(dut.n_receives, 1);
    assert_int_equal(dut.n_known, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),     cmocka_unit_test(defaults), cmocka_unit_test(wrong),
        cmocka_unit_test(not_there), cmocka_unit_test(example),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
