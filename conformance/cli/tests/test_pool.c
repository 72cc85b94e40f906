/* SPDX-License-Identifier: BSD-2-Clause */
/* A FEP that acknowledges a SYN for which it has no PDC left, against a fep.yaml that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/session.h"
#include "port/memory.h"
#include "wire/build.h"

static struct uet_session session;
static struct uet_dut dut;
static struct uet_fep_ref *ref;

/* In the place of each refusal for want of a PDC: an ACK with a TPDCID that is nobody's. */
static struct uet_fate acknowledge(void *ctx, uint8_t *frame, uint32_t len)
{
    const struct uet_parse_options options = {.protect = UET_PROTECT_CRC};
    uint8_t ack[UET_FRAME_MAX];
    struct uet_packet p;
    struct uet_build b;

    (void)ctx;
    if (uet_parse(&p, frame, len, &options) != UET_PARSE_OK || !uet_is_nack(&p) ||
        uet_nack_nack_code(uet_pds(&p)) != UET_NACK_NO_PDC_AVAIL)
        return (struct uet_fate){.copies = 1};
    const struct uet_route route = {
        .src = uet_src_ip(&p), .dst = uet_dst_ip(&p), .entropy = uet_entropy(&p)};
    uet_build_start(&b, ack, sizeof(ack), &route);
    uint8_t *h = uet_build_pds(&b, UET_H_ACK);
    uet_ack_type_set(h, UET_PDS_ACK);
    uet_ack_cack_psn_set(h, uet_packet_psn(&p));
    uet_ack_spdcid_set(h, 0x4242);
    uet_ack_dpdcid_set(h, uet_dpdcid(&p));
    uet_ack_next_hdr_set(h, UET_NH_RESPONSE);
    uet_ses_rsp_return_code_set(uet_build_ses(&b, UET_H_SES_RSP), UET_RC_OK);
    int n = uet_build_finish(&b, UET_PROTECT_CRC, NULL);
    assert_true(n > 0);
    uet_mem_emit(uet_fep_ref_port(ref), ack, (uint32_t)n);
    return (struct uet_fate){.copies = 0};
}

/* The FEP has max-pdcs and so many more than fep.yaml says; broken: it never says that it is full.
 */
static struct uet_result run(const char *id, uint64_t more, bool broken)
{
    const struct uet_mutator mutator = {.frame = acknowledge};
    struct uet_result r = {0};
    uint64_t most;
    char err[300];

    assert_int_equal(uet_fep_ref_open(&ref, 1, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(ref);
    assert_true(uet_dut_param(&dut, "max-pdcs", &most));
    uet_dut_param_set(&dut, "max-pdcs", most - more);
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
    if (broken)
        uet_fep_ref_mutate(ref, &mutator);
    uet_tc_run(&session, uet_test_find(id), &r);
    print_message("%s: %s: %.160s\n", id, uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    uet_fep_ref_close(ref);
    return r;
}

static void wrong_number(void **state)
{
    (void)state;
    assert_int_equal(run("pds.3.5.12.7.no-pdc-left", 0, false).verdict, UET_PASS);
    struct uet_result r = run("pds.3.5.12.7.no-pdc-left", 2, false);
    assert_int_equal(r.verdict, UET_INCONC);
    assert_non_null(strstr(r.message, "max-pdcs in fep.yaml is too small"));
}

static void broken_fep(void **state)
{
    (void)state;
    struct uet_result r = run("pds.3.5.12.7.no-pdc-left", 0, true);
    assert_int_equal(r.verdict, UET_FAIL);
    assert_string_equal(r.broken, "PDS-041");
    assert_null(strstr(r.message, "fep.yaml"));
    r = run("pds.3.5.8.2.reserved-pool", 0, true);
    assert_int_equal(r.verdict, UET_INCONC);
    assert_null(strstr(r.message, "fep.yaml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_number),
        cmocka_unit_test(broken_fep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
