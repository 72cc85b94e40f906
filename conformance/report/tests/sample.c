/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/report/tests/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/harness/test.h"

/* Two of the ids are registered, so that reports find a purpose; the others are strangers. */
UET_TEST(sample_opens, .id = "pds.3.5.8.2.syn-opens", .requirements = "PDS-029",
         .role = UET_ROLE_TARGET, .purpose = "A SYN with any first packet opens a PDC",
         .stimulus = "WRITE with syn=1 and psn_offset 0", .expected = "ACK with a TPDCID")
{
    (void)tc;
}

UET_TEST(sample_unknown, .id = "pds.3.5.8.2.unknown-dpdcid", .requirements = "PDS-038 PDS-022",
         .role = UET_ROLE_TARGET, .purpose = "A Request to an unknown PDCID is refused",
         .stimulus = "Request with syn=0 and a dpdcid never assigned",
         .expected = "NACK UET_INV_DPDCID with spdcid=0", .needs = "rud", .contested = false)
{
    (void)tc;
}

static const struct uet_condition conditions[] = {
    {"claims", "rud", "yes"},
    {"claims", "rudi", "no"},
    {"fep.yaml", "sha256", "e3b0c4"},
    {"fep.yaml", "text", "# </pre><script>alert(1)</script>\nname: \"x\" & y\n"},
    {"fep.yaml", "unused_parameters",
     "alpha (nscc), fi (nscc rccc), Max_Tail_Loss_Retx (no test reads it)"},
    {"tester", "command line", "uetconform run --fep 'a & b'"},
    {"points left out", "copies", "time is real"},
};

const struct uet_run_info sample_info = {
    .fep = "lab/fep \"7\".yaml",
    .fep_name = "Acme <NIC> & Söhne",
    .spec = "1.0.3",
    .profile = "AI-Base",
    .seed = 7,
    .strict = true,
    .slow = 2.5,
    .time_scale = 1,
    .version = "0.1.0",
    .started = "2026-03-01T10:20:30Z",
    .ended = "2026-03-01T10:21:30Z",
    .conditions = conditions,
    .n_conditions = sizeof(conditions) / sizeof(*conditions),
};

static const struct uet_result rows[SAMPLE_N] = {
    {.id = "pds.3.5.8.2.syn-opens",
     .requirements = "PDS-029",
     .section = "3.5.8.2",
     .role = "target",
     .verdict = UET_PASS,
     .seconds = 0.25,
     .wall_seconds = 0.5,
     .pcap = "out/pcap/pds.3.5.8.2.syn-opens.pcapng"},
    {.id = "pds.3.5.8.2.unknown-dpdcid",
     .requirements = "PDS-038 PDS-022",
     .section = "3.5.8.2",
     .role = "target",
     .verdict = UET_FAIL,
     .frame = 4,
     .seconds = 1.5,
     .wall_seconds = 1.5,
     .message = "sent: Request psn 17 to dpdcid 0x1234 (packet 3)\n"
                "required: NACK UET_INV_DPDCID, spdcid=0 (3.5.8.2, Table 3-58)\n"
                "came: NACK <UET_CLOSING> & spdcid=0x0007 (packet 4)",
     .broken = "PDS-038",
     .set_up = "native",
     .sent = {.frame = 3, .line = "Request psn 17 to dpdcid 0x1234"},
     .came = {.frame = 4, .line = "NACK <UET_CLOSING> & spdcid=0x0007"},
     .pcap = "out/pcap/pds.3.5.8.2.unknown-dpdcid.pcapng"},
    {.id = "pds.3.5.10.3.reserved-zero",
     .requirements = "PDS-234",
     .section = "3.5.10.3",
     .role = "initiator",
     .verdict = UET_INCONC,
     .message = "preamble: no answer within 200 ms"},
    {.id = "pds.3.5.9.nack-without-pdc",
     .requirements = "PDS-124",
     .section = "3.5.9",
     .role = "target",
     .verdict = UET_ERROR,
     .message = "the tester ran out of addresses"},
    {.id = "pds.3.5.11.mpr-zero",
     .requirements = "PDS-064",
     .section = "3.5.11",
     .role = "initiator",
     .verdict = UET_SKIP,
     .skip_reason = UET_SKIP_NOT_CLAIMED,
     .contested = true,
     .message = "not claimed: mpr"},
    {.id = "ses.3.4.2.1.version",
     .requirements = "SES-004",
     .section = "3.4.2.1",
     .role = "target",
     .verdict = UET_FAIL,
     .known = true,
     .contested = true,
     .broken = "SES-004",
     .message = "known since 2026-02-01: fixed in the next firmware"},
    {.id = "ses.3.4.2.1.reserved",
     .requirements = "SES-003",
     .section = "3.4.2.1",
     .role = "target",
     .verdict = UET_PASS,
     .unexpected_pass = true,
     .message = "fep.yaml lists it as a deviation"},
    {.id = "ses.3.4.6.3.bad-pid",
     .requirements = "SES-053",
     .section = "3.4.6.3",
     .role = "target",
     .verdict = UET_PASS,
     .n_findings = 2,
     .findings = {{.requirement = "PDS-232", .frame = 9, .text = "silence instead of a NACK"},
                  {.requirement = "SES-003", .text = "memory not looked at", .note = true}}},
};

void sample_results(struct uet_result *results)
{
    memcpy(results, rows, sizeof(rows));
}

char *read_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    assert_non_null(in);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    return text;
}

void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("not there: %s", part);
}

void has_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("should not be there: %s", part);
}
