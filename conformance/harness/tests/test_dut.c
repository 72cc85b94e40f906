/* SPDX-License-Identifier: BSD-2-Clause */
/* fep.yaml: what is right is read, what is wrong is told in one line. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/harness/dut.h"
#include "conformance/harness/test.h"
#include "wire/packet.h"

/* What `known_deviations` may name: this one, and the one that the example names. */
UET_TEST(is_there, .id = "ses.3.4.1.is-there", .requirements = "SES-001")
{
    (void)tc;
}

UET_TEST(of_example, .id = "pds.3.5.8.2.syn-from-pdcid-zero", .requirements = "PDS-001")
{
    (void)tc;
}

static struct uet_dut dut;
static char err[UET_DUT_ERRORS];

/* Reads a text as if it were a file; err loses the path, which differs each time. */
static int read_text(const char *text)
{
    char path[] = "/tmp/test_dut.XXXXXX", full[UET_DUT_ERRORS];
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    full[0] = '\0';
    int rc = uet_dut_read(&dut, path, full, sizeof(full));
    err[0] = '\0';
    for (char *line = full, *next; *line; line = next) {
        next = strchr(line, '\n') ? strchr(line, '\n') + 1 : line + strlen(line);
        strncat(err, strncmp(line, path, strlen(path)) == 0 ? line + strlen(path) : line,
                (size_t)(next - line) -
                    (strncmp(line, path, strlen(path)) == 0 ? strlen(path) : 0));
    }
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
    assert_int_equal(
        read_text(HEAD "name: x\n"
                       "protect: crc\n"
                       "payload_mtu: 2048\n"
                       "response_time: 250ms\n"
                       "quiet_time: 3ms\n"
                       "claims: [rud, send]\n"
                       "atomics: [fadd:u64, bor:u8-u32]\n"
                       "parameters: {RTO_Init_Time: 5ms, ACK_Gen_Trigger: 16KiB}\n"
                       "memory:\n"
                       "  - {job_id: 0x56789a, pid_on_fep: 3, resource_index: 5,\n"
                       "     relative: true, key: 0x123456789abc, length: 65536}\n"
                       "known_deviations:\n"
                       "  - {test: ses.3.4.1.is-there, reason: because, date: 2026-01-02}\n"),
        0);
    uint64_t value;
    assert_string_equal(dut.name, "x");
    assert_string_equal(dut.interface, "eth1");
    assert_int_equal(dut.tester[1].bytes[3], 12);
    assert_int_equal(dut.protect, UET_PROTECT_CRC);
    assert_int_equal(dut.payload_mtu, 2048);
    assert_true(dut.response_time_ns == 250000000u);
    assert_true(uet_dut_quiet(&dut) == 3000000u);
    assert_true(dut.claims[UET_PICS_SEND]);
    assert_false(dut.claims[UET_PICS_WRITE]);
    assert_true(uet_atomics_claimed(&dut.atomics, true, 2, 7)); /* SUM, UINT64 */
    assert_false(uet_atomics_claimed(&dut.atomics, false, 2, 7));
    assert_false(uet_atomics_claimed(&dut.atomics, false, 7, 0)); /* BOR, INT8 */
    assert_true(uet_atomics_claimed(&dut.atomics, false, 7, 1));
    assert_true(uet_atomics_claimed(&dut.atomics, false, 7, 5));
    assert_false(uet_atomics_claimed(&dut.atomics, false, 7, 6));
    assert_true(uet_dut_param(&dut, "RTO_Init_Time", &value) && value == 5000000);
    assert_true(uet_dut_param(&dut, "ACK_Gen_Trigger", &value) && value == 16384);
    assert_false(uet_dut_param(&dut, "Default_MPR", &value));
    assert_int_equal(dut.n_memory, 1);
    assert_int_equal(dut.memory[0].job_id, 0x56789a);
    assert_true(dut.memory[0].key == 0x123456789abcu);
    assert_true(dut.memory[0].relative);
    assert_string_equal(uet_dut_known(&dut, "ses.3.4.1.is-there")->reason, "because");
    assert_null(uet_dut_known(&dut, "ses.3.4.1.is-here"));
}

static void sealed(void **state)
{
    (void)state;
    assert_int_equal(read_text(HEAD "protect: tss\nsecurity: {keys: k.txt}\n"), 0);
    assert_int_equal(dut.protect, UET_PROTECT_TSS);
    assert_string_equal(dut.keys, "k.txt");
    assert_true(dut.sdi == UET_DUT_SDI_ANY);
    assert_int_equal(read_text(HEAD "protect: tss\nsecurity: {keys: k.txt, sdi: 0x10}\n"), 0);
    assert_int_equal(dut.sdi, 16);
    assert_int_equal(read_text(HEAD "protect: crc\nsecurity: {keys: k.txt}\n"), 0); /* beside */
    assert_int_equal(dut.protect, UET_PROTECT_CRC);
    assert_string_equal(dut.keys, "k.txt");
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

#define MEMORY(rest) HEAD "memory:\n  - {job_id: 1, resource_index: 5, key: 1, " rest "}\n"
#define KNOWN(rest)  HEAD "known_deviations:\n  - {" rest ", reason: r, date: 2026-05-04}\n"
#define ADDRESSES(address, tester)                                                                 \
    "address: " address "\ntester: " tester "\nport: {interface: e}\n"

static const struct {
    const char *text, *says;
} wrongs[] = {
    {"", ":1:1: the file is empty (see conformance/examples/fep.yaml)"},
    {HEAD "frobnicate: 1\n", ":4:1: unknown key 'frobnicate'"},
    {HEAD "adress: 1\n", ":4:1: unknown key 'adress' (did you mean address?)"},
    {HEAD "name: a\nspec: 1.0.3\nname: b\n",
     ":6:1: 'name' stands here a second time (first in line 4): delete one"},
    {"- 1\n", ":1:1: the file must be a mapping of keys and values"},
    {HEAD "---\nspec: 1.0.1\n",
     ":5:1: a second document begins here: one file describes one FEP; delete it"},
    {"address: 192.0.2.1\ntester: []\nport: {interface: e}\n",
     ":2:9: 'tester' is an empty list: an unused IP address for the tester, or two"},

    {HEAD "atomics: [fsub:u64]\n", ":4:11: 'fsub:u64' names no operation: min, sum, cswap, ..., "
                                   "with an f before it when the old value comes back"},
    {HEAD "atomics: [fsum]\n",
     ":4:11: 'fsum' names no datatype behind a colon: u64, i8-u64, f32, ..."},
    {HEAD "atomics: [sum:u64-i8]\n",
     ":4:11: 'sum:u64-i8' names no datatype behind a colon: u64, i8-u64, f32, ..."},
    {HEAD "atomics: [fsum:u65]\n",
     ":4:11: 'fsum:u65' names no datatype behind a colon: u64, i8-u64, f32, ..."},

    /* numbers, sizes, times */
    {HEAD "payload_mtu: many\n",
     ":4:14: 'payload_mtu' must be a number, decimal or 0x... (KiB, MiB "
     "or GiB may follow), not 'many'"},
    {HEAD "payload_mtu: [1]\n", ":4:14: 'payload_mtu' must be a number, decimal or 0x... (KiB, MiB "
                                "or GiB may follow), not 'a list'"},
    {HEAD "udp_port: 0112\n", ":4:11: 'udp_port' must be a number, decimal or 0x... (KiB, MiB or "
                              "GiB may follow), not '0112'"},
    {HEAD "payload_mtu: 9000\n", ":4:14: 'payload_mtu' is 9000: at most 8192"},
    {HEAD "payload_mtu: 1500\n", ":4:14: 'payload_mtu' must be 1024, 2048, 4096 or 8192"},
    {HEAD "udp_port: 0\n", ":4:11: 'udp_port' is 0: at least 1"},
    {HEAD "ip_protocol: 256\nencapsulation: native\n", ":4:14: 'ip_protocol' is 256: at most 255"},
    {HEAD "response_time: 5\n", ":4:16: 'response_time' needs a unit (ns, us, ms or s), not '5'"},
    {HEAD "response_time: 5min\n",
     ":4:16: 'response_time' must be a time such as 5ms (ns, us, ms or s), not '5min'"},
    {HEAD "response_time: 0 s\n", ":4:16: 'response_time' is 0 s: it must be more than 0"},
    {HEAD "restart: x\nrestart_time: 0s\n", ":5:15: 'restart_time' is 0s: it must be more than 0"},
    {MEMORY("length: 5GiB"), ":5:52: 'length' is 5GiB: at most 4294967295"},
    {MEMORY("length: 0"), ":5:52: 'length' is 0: at least 1"},
    {MEMORY("length: 1MB"), ":5:52: 'length' must be a number, decimal or 0x... (KiB, MiB or GiB "
                            "may follow), not '1MB'"},
    {MEMORY("relative: true"), ":5:5: an entry of 'memory' lacks 'length'"},
    {HEAD "receives:\n  - {job_id: 0x1000000, resource_index: 1, length: 1}\n",
     ":5:14: 'job_id' is 0x1000000: at most 16777215"},

    /* words */
    {HEAD "protect: maybe\n", ":4:10: 'protect' must be none, crc or tss, not 'maybe'"},
    {HEAD "protect: tss\n", ":4:10: protect: tss needs the FEP's keys: security: {keys: FILE} "
                            "(wire/keyfile.h); they never stand in this file"},
    {HEAD "security: {sdi: 1}\n",
     ":4:11: 'security' names no key file: {keys: FILE} (wire/keyfile.h)"},
    {HEAD "protect: tss\nsecurity: {keys: "
          "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF}\n",
     ":5:11: 'keys' is a key itself: name the file that has it (wire/keyfile.h); keys never stand "
     "in this file"},
    {HEAD "protect: tss\nsecurity: {key: 00, keys: k.txt}\n",
     ":5:12: unknown key 'key' (did you mean keys?)"},
    {HEAD "protect: tss\nsecurity: {keys: k.txt, sdi: 16777216}\n",
     ":5:30: 'sdi' is 16777216: at most 16777215"},
    {HEAD "ack_cc: yes\n", ":4:9: 'ack_cc' must be false or true, not 'yes'"},
    {HEAD "spec: 9.9\n", ":4:7: 'spec' must be 1.0.3, 1.0.2 or 1.0.1, not '9.9'"},
    {HEAD "spec: 1.0\n", ":4:7: 'spec' must be 1.0.3, 1.0.2 or 1.0.1, not '1.0' (did you mean "
                         "1.0.3, 1.0.2 or 1.0.1?)"},
    {HEAD "profile: AI-Gold\n", ":4:10: 'profile' must be AI-Base, AI-Full, HPC or all, not "
                                "'AI-Gold' (did you mean AI-Full?)"},
    {HEAD "encapsulation: ip\n", ":4:16: 'encapsulation' must be udp or native, not 'ip'"},
    {HEAD "crc_order: bigg\n",
     ":4:12: 'crc_order' must be auto, big or little, not 'bigg' (did you mean big?)"},
    {HEAD "ip_protocol: 253\n", ":4:14: 'ip_protocol' says nothing with encapsulation: udp (native "
                                "IP is encapsulation: native)"},
    {HEAD "encapsulation: native\nudp_port: 4793\n",
     ":5:11: 'udp_port' says nothing with encapsulation: native"},
    {HEAD "protect: none\ncrc_order: little\n",
     ":5:12: 'crc_order' says nothing with protect: none: write protect: crc, or leave it out"},
    {HEAD "crc_order: big\n",
     ":4:12: 'crc_order' says nothing with protect: none: write protect: crc, or leave it out"},
    {HEAD "protect: tss\nsecurity: {keys: keys.txt}\ncrc_order: little\n",
     ":6:12: 'crc_order' says nothing with protect: tss: write protect: crc, or leave it out"},
    {HEAD "restart_each_test: true\n",
     ":4:20: 'restart_each_test' needs restart: the command that starts the FEP anew"},
    {HEAD "restart_time: 5s\n",
     ":4:15: 'restart_time' says nothing without restart: the command that starts the FEP anew"},
    {HEAD "claims: [sent]\n",
     ":4:10: unknown claim 'sent' (did you mean send?) (`uetconform list --claims` shows them)"},

    /* what stands there twice */
    {HEAD "claims: [rud, send, rud]\n",
     ":4:21: claim 'rud' stands here a second time (first in line 4): delete one"},
    {HEAD "memory:\n  - {job_id: 1, resource_index: 5, key: 1, length: 64}\n"
          "  - {job_id: 1, resource_index: 5, key: 2, length: 64}\n"
          "  - {resource_index: 5, relative: false, job_id: 0x1, key: 1, length: 32}\n",
     ":7:5: the same place stands in 'memory' a second time (first in line 5): delete one"},
    {HEAD "receives:\n  - {job_id: 1, resource_index: 5, length: 64}\n"
          "  - {job_id: 1, resource_index: 5, length: 32}\n",
     ":6:5: the same place stands in 'receives' a second time (first in line 5): delete one"},
    {HEAD "known_deviations:\n  - {requirement: PDS-105, reason: r, date: 2026-05-04}\n"
          "  - {requirement: pds-105, reason: s, date: 2026-05-05}\n",
     ":6:5: 'PDS-105' stands in 'known_deviations' a second time (first in line 5): delete one"},
    {HEAD "known_deviations:\n  - {test: 'ses.*', reason: r, date: 2026-05-04}\n"
          "  - {test: 'ses.*', reason: s, date: 2026-05-05}\n",
     ":6:5: 'ses.*' stands in 'known_deviations' a second time (first in line 5): delete one"},

    /* addresses */
    {ADDRESSES("here", "192.0.2.1"),
     ":1:10: 'address' must be an IPv4 or IPv6 address, not 'here'"},
    {"tester: 192.0.2.1\nport: {interface: e}\n",
     ":1:1: 'address' is missing: the IP address of the FEP"},
    {"address: 192.0.2.1\nport: {interface: e}\n",
     ":1:1: 'tester' is missing: an unused IP address for the tester, or two"},
    {"address: 192.0.2.1\ntester: 192.0.2.2\n", ":1:1: 'port' is missing: port: {interface: eth1}"},
    {ADDRESSES("2001:db8::1", "192.0.2.1"),
     ":2:9: 'tester' and 'address' must be of one IP version"},
    {ADDRESSES("192.0.2.1", "[192.0.2.2, 2001:db8::1]"),
     ":2:9: 'tester' and 'address' must be of one IP version"},
    {ADDRESSES("192.0.2.1", "192.0.2.1"),
     ":2:9: 'tester' is the FEP's own 'address': give it an address that nobody has"},
    {ADDRESSES("192.0.2.1", "[192.0.2.2, 192.0.2.1]"),
     ":2:9: 'tester' is the FEP's own 'address': give it an address that nobody has"},
    {ADDRESSES("192.0.2.1", "[192.0.2.2, 192.0.2.2]"),
     ":2:9: 'tester' names one address twice: give two, or one alone"},
    {ADDRESSES("127.0.0.1", "192.0.2.1"),
     ":1:10: 'address' is 127.0.0.1, loopback: it must be a unicast address of the link"},
    {ADDRESSES("192.0.2.1", "224.0.0.5"),
     ":2:9: 'tester' is 224.0.0.5, multicast: it must be a unicast address of the link"},
    {ADDRESSES("192.0.2.1", "255.255.255.255"),
     ":2:9: 'tester' is 255.255.255.255, broadcast: it must be a unicast address of the link"},
    {ADDRESSES("0.0.0.0", "192.0.2.1"),
     ":1:10: 'address' is 0.0.0.0, nobody's: it must be a unicast address of the link"},
    {ADDRESSES("2001:db8::1", "ff02::1"),
     ":2:9: 'tester' is ff02::1, multicast: it must be a unicast address of the link"},
    {ADDRESSES("::1", "2001:db8::1"),
     ":1:10: 'address' is ::1, loopback: it must be a unicast address of the link"},
    {ADDRESSES("2001:db8::1", "'::ffff:192.0.2.1'"),
     ":2:9: 'tester' is ::ffff:192.0.2.1, an IPv4 address in IPv6's form: it must be a unicast "
     "address of the link"},

    /* parameters */
    {HEAD "parameters: {RTO_Init_Tiem: 5ms}\n",
     ":4:14: unknown parameter 'RTO_Init_Tiem' (did you mean RTO_Init_Time?) (`uetconform list "
     "--parameters` shows them)"},
    {HEAD "parameters:\n  max-pdc: 4\n",
     ":5:3: unknown parameter 'max-pdc' (did you mean max-pdcs?) (`uetconform list --parameters` "
     "shows them)"},
    {HEAD "parameters: {RTO_Init_Time: 5}\n",
     ":4:29: parameter 'RTO_Init_Time' needs a unit (ns, us, ms or s), not '5'"},
    {HEAD "parameters: {RTO_Init_Time: 0s}\n",
     ":4:29: parameter 'RTO_Init_Time' is 0s: leave it out when it is not known"},
    {HEAD "parameters: {Max_RTO_Retx_Cnt: 5ms}\n",
     ":4:32: parameter 'Max_RTO_Retx_Cnt' must be a number without a unit, not '5ms'"},
    {HEAD "parameters: {Max_RTO_Retx_Cnt: 1KiB}\n",
     ":4:32: parameter 'Max_RTO_Retx_Cnt' must be a number without a unit, not '1KiB'"},
    {HEAD "parameters: {rto-fixed: 2}\n",
     ":4:25: parameter 'rto-fixed' must be true or false, not '2'"},
    {HEAD "parameters: {dscp-trimmed: 64}\n",
     ":4:28: parameter 'dscp-trimmed' must be 0 to 63, not '64'"},
    {HEAD "parameters: {ACK_Gen_Trigger: soon}\n",
     ":4:31: parameter 'ACK_Gen_Trigger' must be a number, decimal or 0x... (KiB, MiB or GiB may "
     "follow), not 'soon'"},
    {HEAD "parameters:\n  max-pdcs: 4\n  max-pdcs: 5\n",
     ":6:3: 'max-pdcs' stands here a second time (first in line 5): delete one"},
    {HEAD "parameters: {max-pdcs: 0}\n", ":4:24: parameter 'max-pdcs' must be 1 to 65535, not '0'"},
    {HEAD "parameters: {max-pdcs: 65536}\n",
     ":4:24: parameter 'max-pdcs' must be 1 to 65535, not '65536'"},
    {HEAD "parameters: {max-reads: 0}\n",
     ":4:25: parameter 'max-reads' must be 1 to 4294967295, not '0'"},
    {HEAD "parameters: {gamma: 101}\n", ":4:21: parameter 'gamma' must be 0 to 100, not '101'"},
    {HEAD "parameters: {t_reroute: 9}\n",
     ":4:25: parameter 't_reroute' must be 10 to 2147483647, not '9'"},
    {HEAD "parameters: {target_qdelay: 2s}\n",
     ":4:29: parameter 'target_qdelay' must be 1ns to 1s, not '2s'"},
    {HEAD "parameters: {disable_quick_adapt: 2}\n",
     ":4:35: parameter 'disable_quick_adapt' must be true or false, not '2'"},
    {HEAD "parameters: {Default_MPR: 999}\n",
     ":4:27: parameter 'Default_MPR' must be 1 to 255 (3.5.5), not '999'"},
    {HEAD "parameters: {Default_MPR: 0}\n",
     ":4:27: parameter 'Default_MPR' must be 1 to 255 (3.5.5), not '0'"},
    {HEAD "parameters: {ACK_Gen_Trigger: 33KiB}\n",
     ":4:31: parameter 'ACK_Gen_Trigger' must be 0 to 32768 (3.5.5), not '33KiB'"},
    {HEAD "parameters: {RTO_Init_Time: 9s}\n",
     ":4:29: parameter 'RTO_Init_Time' must be 0 to 8s (3.5.5), not '9s'"},
    {HEAD "parameters: {UDP_Dest_Port: 4793}\n",
     ":4:14: parameter 'UDP_Dest_Port' is told elsewhere: write udp_port: outside 'parameters'"},
    {HEAD "parameters: {UET_Over_UDP: 0}\n",
     ":4:14: parameter 'UET_Over_UDP' is told elsewhere: write encapsulation: outside "
     "'parameters'"},
    {HEAD "parameters: {PSN_Bitmaps: 4}\n",
     ":4:14: parameter 'PSN_Bitmaps' is told elsewhere: write max-bitmaps: in 'parameters'"},
    {HEAD "parameters: {dscp-trimmed: 11, dscp-trimmed-lasthop: 11}\n",
     ":4:54: 'dscp-trimmed-lasthop' is 11, as 'dscp-trimmed' is: they are told apart by it "
     "(4.1.4.1)"},
    {HEAD "parameters:\n  dscp-control: 0xb\n  dscp-trimmed: 11\n",
     ":5:17: 'dscp-control' is 11, as 'dscp-trimmed' is: they are told apart by it (4.1.4.1)"},
    {HEAD "parameters: [1]\n", ":4:13: 'parameters' must be a mapping of keys and values"},

    /* known deviations */
    {KNOWN("test: ses.3.4.1.is-ther"),
     ":5:12: no test matches 'ses.3.4.1.is-ther' (did you mean ses.3.4.1.is-there?) (`uetconform "
     "list` shows them)"},
    {KNOWN("test: rule.PDS-105"),
     ":5:12: 'rule.PDS-105' is no test but a rule: write requirement: PDS-105"},
    {KNOWN("test: 'rod.*'"), ":5:12: no test matches 'rod.*' (`uetconform list` shows them)"},
    {KNOWN("requirement: PDS-1055"),
     ":5:19: unknown requirement 'PDS-1055' (did you mean PDS-055, PDS-105 or PDS-155?) "
     "(`uetconform coverage --list` shows them)"},
    {KNOWN("test: ses.3.4.1.is-there, requirement: PDS-001"),
     ":5:5: a known deviation names a test or a requirement: one of them"},
    {HEAD "known_deviations:\n  - {test: ses.3.4.1.is-there}\n",
     ":5:5: a known deviation needs a reason and a date"},
    {HEAD "known_deviations:\n  - {requirement: PDS-105, reason: r, date: soon}\n",
     ":5:45: 'date' must be a day such as 2026-05-04, not 'soon'"},
    {HEAD "known_deviations:\n  - {requirement: PDS-105, reason: r, date: 2026-13-04}\n",
     ":5:45: 'date' must be a day such as 2026-05-04, not '2026-13-04'"},
    {HEAD "known_deviations:\n  - {requirement: PDS-105, reason: r, date: 2026-02-30}\n",
     ":5:45: 'date' must be a day such as 2026-05-04, not '2026-02-30'"},
    {HEAD "known_deviations:\n  - {requirement: PDS-105, reason: r, date: 2026-05-04 ca.}\n",
     ":5:45: 'date' must be a day such as 2026-05-04, not '2026-05-04 ca.'"},
};

static void wrong(void **state)
{
    unsigned bad = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        assert_true(read_text(wrongs[i].text) < 0);
        if (strcmp(err, wrongs[i].says) != 0)
            print_error("%s\nsays '%s'\nand not '%s'\n", wrongs[i].text, err, wrongs[i].says);
        bad += strcmp(err, wrongs[i].says) != 0;
    }
    assert_int_equal(bad, 0);
    assert_true(read_text("a: [1\nb: {") < 0);
    assert_non_null(strstr(err, ":2:2: not YAML"));
}

/* All that is wrong is told at once, ten at most; what is there counts as told. */
static void several(void **state)
{
    char many[400] = HEAD;

    (void)state;
    assert_true(read_text("address: here\nport: {interfase: e}\nparameters: {X: 1}\n") < 0);
    assert_non_null(strstr(err, ":1:10: 'address' must be"));
    assert_non_null(strstr(err, ":2:8: unknown key 'interfase'"));
    assert_non_null(strstr(err, ":3:14: unknown parameter 'X'"));
    assert_non_null(strstr(err, ":1:1: 'tester' is missing"));
    assert_null(strstr(err, "'address' is missing"));
    for (char key = 'a'; key < 'a' + 13; key++)
        snprintf(many + strlen(many), sizeof(many) - strlen(many), "%c: 1\n", key);
    assert_true(read_text(many) < 0);
    assert_non_null(strstr(err, ":13:1: unknown key 'j'"));
    assert_null(strstr(err, "'k'"));
    assert_non_null(strstr(err, ": and 3 more errors"));
}

/* What could have been an error and is understood. */
static void understood(void **state)
{
    uint64_t value;

    (void)state;
    assert_int_equal(read_text(MEMORY("length: 1MiB")), 0);
    assert_int_equal(dut.memory[0].length, 1048576);
    assert_int_equal(dut.memory[0].line, 5);
    assert_int_equal(read_text(MEMORY("length: 64 KiB")), 0);
    assert_int_equal(dut.memory[0].length, 65536);
    assert_int_equal(read_text(KNOWN("test: 'ses.*there'")), 0);
    assert_int_equal(dut.known[0].line, 5);
    assert_int_equal(read_text(KNOWN("requirement: pds-105")), 0);
    assert_string_equal(dut.known[0].requirement, "PDS-105");
    assert_int_equal(read_text(HEAD "spec: 1.0.1\nprofile: HPC\n"), 0);
    assert_string_equal(dut.spec, "1.0.1");
    assert_string_equal(dut.profile, "HPC");
    assert_int_equal(read_text(HEAD "encapsulation: native\nip_protocol: 254\nprotect: crc\n"
                                    "crc_order: little\n"
                                    "restart: 'ssh fep reboot'\nrestart_time: 30s\n"
                                    "restart_each_test: true\n"),
                     0);
    assert_true(dut.restart_each_test);
    assert_true(dut.native);
    assert_int_equal(dut.ip_protocol, 254);
    assert_int_equal(dut.crc_order, UET_DUT_CRC_LITTLE);
    assert_string_equal(dut.restart, "ssh fep reboot");
    assert_true(dut.restart_time_ns == UINT64_C(30000000000));
    assert_int_equal(read_text(HEAD "parameters: {RTO_Init_Time: 8s, Default_MPR: 255, max-pdcs: "
                                    "0xffff, dscp-trimmable: 1, dscp-control: 1}\n"),
                     0);
    /* Sources disagree on this range (confidence C): what a FEP has is believed. */
    assert_int_equal(read_text(HEAD "parameters: {Close_REQ_Time: 1s}\n"), 0);
    assert_int_equal(read_text(HEAD "parameters: {max-open-messages: 64, own-window: 128, "
                                    "max-reads: 1, rto-fixed: true}\n"),
                     0);
    assert_true(uet_dut_param(&dut, "max-open-messages", &value) && value == 64);
    assert_true(uet_dut_param(&dut, "own-window", &value) && value == 128);
    assert_true(uet_dut_param(&dut, "max-reads", &value) && value == 1);
    assert_true(uet_dut_param(&dut, "rto-fixed", &value) && value == 1);
}

#define V6           "address: 2001:db8::1, tester: ['2001:db8::b', '2001:db8::c']"
#define SETUPS(text) HEAD "control: /c\nsetups: {" text "}\n"

/* A parameter of a feature that is not claimed is told for nothing. */
static void told_for_nothing(void **state)
{
    char text[UET_DUT_UNUSED];

    (void)state;
    assert_int_equal(
        read_text(HEAD "claims: [rud, send, rod]\n"
                       "parameters: {alpha: 9, max-reads: 3, t_reroute: 12, max-pdcs: 8}\n"),
        0);
    assert_int_equal(uet_dut_unused(&dut, text, sizeof(text)), 2);
    assert_string_equal(text, "max-reads (read), alpha (nscc)");
    assert_int_equal(read_text(HEAD "claims: [rud, read, nscc]\n"
                                    "parameters: {alpha: 9, max-reads: 3}\n"),
                     0);
    assert_int_equal(uet_dut_unused(&dut, text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_int_equal(read_text(HEAD "claims: [rud]\nparameters: {New_PDC_Time: 5 ms, "
                                    "Limit_PSN_Range: 1, Max_Tail_Loss_Retx: 3}\n"),
                     0);
    assert_int_equal(uet_dut_unused(&dut, text, sizeof(text)), 3);
    assert_string_equal(text, "New_PDC_Time (tss), Limit_PSN_Range (no test reads it), "
                              "Max_Tail_Loss_Retx (no test reads it)");
}

/* All of them at once are told whole. */
static void all_for_nothing(void **state)
{
    char text[UET_DUT_UNUSED];

    (void)state;
    assert_int_equal(read_text(HEAD "claims: [rud]\n"), 0);
    for (size_t i = 0; i < uet_dut_n_param_uses; i++)
        assert_true(uet_dut_param_set(&dut, uet_dut_param_uses[i].name, 1));
    assert_int_equal(uet_dut_unused(&dut, text, sizeof(text)), uet_dut_n_param_uses);
    assert_non_null(strstr(text, "Max_Tail_Loss_Retx (no test reads it)"));
    assert_true(strlen(text) < sizeof(text) - 1);
}

/* Other set-ups: what they do not say is as the file says. */
static void setups(void **state)
{
    static const char text[] = HEAD "control: /c\npayload_mtu: 2048\nprotect: crc\nsetups:\n"
                                    "  ipv6: {" V6 ", control: /d, protect: none}\n"
                                    "  native: {control: none, ip_protocol: 200}\n";
    char path[] = "/tmp/test_dut.XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(read_text(HEAD), 0);
    assert_int_equal(dut.setups, 0);
    assert_int_equal(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
    close(fd);
    assert_int_equal(uet_dut_read(&dut, path, err, sizeof(err)), 0);
    assert_int_equal(dut.setups, 1u << 1 | 1u << 2);
    assert_int_equal(dut.address.version, 4);
    assert_string_equal(dut.control, "/c");
    assert_int_equal(dut.protect, UET_PROTECT_CRC);
    assert_int_equal(uet_dut_read_setup(&dut, path, 1, err, sizeof(err)), 0);
    assert_int_equal(dut.address.version, 6);
    assert_int_equal(dut.tester[1].bytes[15], 0xc);
    assert_string_equal(dut.control, "/d");
    assert_int_equal(dut.protect, UET_PROTECT_NONE);
    assert_int_equal(dut.payload_mtu, 2048);
    assert_false(dut.native);
    assert_int_equal(uet_dut_read_setup(&dut, path, 2, err, sizeof(err)), 0);
    assert_true(dut.native);
    assert_int_equal(dut.ip_protocol, 200);
    assert_int_equal(dut.address.version, 4);
    assert_int_equal(dut.tester[1].bytes[3], 12);
    assert_string_equal(dut.control, "");
    assert_int_equal(dut.protect, UET_PROTECT_CRC);
    unlink(path);
}

static void wrong_setups(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {SETUPS("ipv4: {}"), "unknown set-up 'ipv4'"},
        {SETUPS("ipv6: 1"), "set-up 'ipv6' must be a mapping"},
        {SETUPS("ipv6: {}"), "set-up 'ipv6' needs an IPv6 'address'"},
        {SETUPS("native: {" V6 ", control: none}"), "needs an IPv4 'address'"},
        {SETUPS("ipv6: {address: '2001:db8::1'}"), "must be of one IP version"},
        {SETUPS("ipv6: {" V6 ", name: x}"), "unknown key 'name'"},
        {SETUPS("ipv6: {" V6 ", ip_protocol: 9}"), "'ip_protocol' says nothing"},
        {SETUPS("ipv6: {" V6 ", payload_mtu: 1000}"), "'payload_mtu' must be 1024"},
        {SETUPS("ipv6: {" V6 ", payload_mtu: 1024}"), "lacks 'control'"},
        {SETUPS("native: {}"), "lacks 'control'"},
        {SETUPS("native: {tester: 192.0.2.11, control: none}"), "shares an address"},
        {SETUPS("native: {control: none}, native: {control: none}"), "a second time"},
        {"address: 2001:db8::2\ntester: '2001:db8::d'\nport: {interface: e}\nsetups: {ipv6: {" V6
         "}}\n",
         "set-up 'ipv6' is what the file describes without it"},
        {HEAD "setups: [ipv6]\n", "'setups' must be a mapping"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        bool wrong = read_text(cases[i].text) < 0;

        if (!wrong || !strstr(err, cases[i].says))
            print_message("%s: says %s\n", cases[i].says, wrong ? err : "nothing");
        assert_true(wrong && strstr(err, cases[i].says));
    }
    assert_int_equal(read_text(SETUPS("ipv6: {" V6 "}")), 0);
}

#define ALIKE(text) HEAD "control: /c\nalike:\n" text
#define SECOND      "  - {address: 192.0.2.2, tester: [192.0.2.13, 192.0.2.14], control: /d}\n"

/* Others of the kind: they are elsewhere, and all else is as the file says. */
static void alike(void **state)
{
    static const char text[] = HEAD "control: /c\npayload_mtu: 2048\nrestart: a\n"
                                    "restart_each_test: true\nalike:\n"
                                    "  - {port: {interface: f}, control: /d, restart: b}\n"
                                    "  - {address: 192.0.2.3, tester: 192.0.2.15, control: /e,"
                                    " restart: c}\n";
    char path[] = "/tmp/test_dut.XXXXXX";
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(read_text(HEAD), 0);
    assert_int_equal(dut.alike, 0);
    assert_int_equal(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
    close(fd);
    assert_int_equal(uet_dut_read(&dut, path, err, sizeof(err)), 0);
    assert_int_equal(dut.alike, 2);
    assert_string_equal(dut.control, "/c");
    assert_string_equal(dut.restart, "a");
    assert_int_equal(uet_dut_read_alike(&dut, path, 1, err, sizeof(err)), 0);
    assert_string_equal(dut.interface, "f");
    assert_string_equal(dut.control, "/d");
    assert_string_equal(dut.restart, "b");
    assert_true(dut.restart_each_test);
    assert_int_equal(dut.tester[1].bytes[3], 12);
    assert_int_equal(uet_dut_read_alike(&dut, path, 2, err, sizeof(err)), 0);
    assert_int_equal(dut.address.bytes[3], 3);
    assert_int_equal(dut.tester[0].bytes[3], 15);
    assert_int_equal(dut.tester[1].version, 0);
    assert_string_equal(dut.control, "/e");
    assert_string_not_equal(dut.interface, "f"); /* nothing of the entry before it */
    assert_int_equal(dut.payload_mtu, 2048);
    unlink(path);
}

static void wrong_alike(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {ALIKE("  - 1\n"), "an entry of 'alike' must be a mapping"},
        {ALIKE("  - {address: 192.0.2.2, payload_mtu: 1024}\n"), "unknown key 'payload_mtu'"},
        {ALIKE("  - {address: 192.0.2.2, tester: 192.0.2.13}\n"), "the 'control' of the file"},
        {ALIKE("  - {tester: 192.0.2.13, control: /d}\n"), "the 'address' of the file"},
        {ALIKE("  - {address: 192.0.2.2, control: /d}\n"), "the 'tester' of the file"},
        {ALIKE("  - {address: 192.0.2.2, tester: 192.0.2.2, control: /d}\n"), "own 'address'"},
        {ALIKE("  - {address: '2001:db8::2', control: /d}\n"), "must be of one IP version"},
        {ALIKE(SECOND "  - {address: 192.0.2.3, tester: 192.0.2.14, control: /e}\n"),
         "the 'tester' of line 6"},
        {ALIKE("  - {address: 192.0.2.12, tester: 192.0.2.13, control: /d}\n"),
         "the 'tester' of the file"},
        {ALIKE("  - {address: 192.0.2.2, tester: [192.0.2.13, 192.0.2.1], control: /d}\n"),
         "the 'address' of the file"},
        {ALIKE(SECOND "  - {address: 192.0.2.13, tester: 192.0.2.15, control: /e}\n"),
         "the 'tester' of line 6"},
        {ALIKE(SECOND "  - {address: 192.0.2.3, tester: 192.0.2.2, control: /e}\n"),
         "the 'address' of line 6"},
        {ALIKE(SECOND SECOND), "the 'control' of line 6"},
        {ALIKE(SECOND) "restart: x\n", "lacks 'restart'"},
        {ALIKE(SECOND) "setups: {native: {control: none}}\n", "does not go with 'setups'"},
        {ALIKE(SECOND) "security: {keys: k}\n", "does not go with 'security'"},
        {HEAD "alike: {}\n", "'alike' must be a list"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        bool wrong = read_text(cases[i].text) < 0;

        if (!wrong || !strstr(err, cases[i].says))
            print_message("%s: says %s\n", cases[i].says, wrong ? err : "nothing");
        assert_true(wrong && strstr(err, cases[i].says));
    }
    assert_int_equal(read_text(ALIKE(SECOND)), 0);
}

static void not_there(void **state)
{
    (void)state;
    assert_true(uet_dut_read(&dut, "/nonexistent/fep.yaml", err, sizeof(err)) < 0);
    assert_string_equal(err, "/nonexistent/fep.yaml: No such file or directory");
    assert_int_equal(uet_dut_read(&dut, "/", err, sizeof(err)), -EISDIR);
    assert_string_equal(err, "/: Is a directory");
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

/* Of AI-Full the facts ask for tags and READ, which nobody claims by default; not for wildcards. */
static void what_a_profile_lacks(void **state)
{
    struct uet_dut d;
    char lacks[300];

    (void)state;
    uet_dut_default(&d);
    assert_int_equal(uet_dut_lacks(&d, lacks, sizeof(lacks)), 0);
    assert_string_equal(lacks, "");
    snprintf(d.profile, sizeof(d.profile), "AI-Full");
    assert_int_equal(uet_dut_lacks(&d, lacks, sizeof(lacks)), 7);
    assert_string_equal(lacks, "tagged read atomic deferral trimming ack-cc nscc");
    d.claims[UET_PICS_TAGGED] = true;
    d.atomics.plain[UET_AMO_SUM] = 1;
    assert_int_equal(uet_dut_lacks(&d, lacks, sizeof(lacks)), 5);
    assert_string_equal(lacks, "read deferral trimming ack-cc nscc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_profile_lacks),
        cmocka_unit_test(whole),
        cmocka_unit_test(sealed),
        cmocka_unit_test(defaults),
        cmocka_unit_test(wrong),
        cmocka_unit_test(not_there),
        cmocka_unit_test(example),
        cmocka_unit_test(several),
        cmocka_unit_test(understood),
        cmocka_unit_test(told_for_nothing),
        cmocka_unit_test(all_for_nothing),
        cmocka_unit_test(setups),
        cmocka_unit_test(wrong_setups),
        cmocka_unit_test(alike),
        cmocka_unit_test(wrong_alike),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
