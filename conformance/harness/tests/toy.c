/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/harness/tests/toy.h"
#include "port/memory.h"

/* ---- the FEP of ten lines ---- */

struct toy toy;

static bool has_no_room(const struct uet_packet *p)
{
    if (toy.first_alone && uet_has_syn(p) && uet_start_psn(p) != uet_packet_psn(p))
        return true;
    if (toy.one_pdc && !toy.pdc)
        toy.pdc = uet_spdcid(p);
    return toy.one_pdc && toy.pdc != uet_spdcid(p);
}

/* Sealed, if the toy does that. */
static void toy_emit(const uint8_t *frame, uint32_t len)
{
    uint8_t sealed[UET_FRAME_MAX];
    size_t n = len;

    if (!toy.sa || toy.answers_in_clear) {
        uet_mem_emit(toy.port, frame, len);
        return;
    }
    toy.stamp.counter++;
    assert_int_equal(uet_tss_seal(toy.sa, &toy.stamp, frame, len, NULL, sealed, sizeof(sealed), &n),
                     UET_TSS_OK);
    sealed[n - 1] ^= toy.spoils_icv;
    uet_mem_emit(toy.port, sealed, (uint32_t)n);
}

/* What came, in clear; 0: not for this FEP. */
static uint32_t toy_open(uint8_t *clear, size_t cap, const uint8_t *data, uint32_t len)
{
    size_t n = len;

    if (!toy.sa) {
        memcpy(clear, data, len);
        return len;
    }
    memcpy(toy.last_sealed, data, len < sizeof(toy.last_sealed) ? len : 0);
    toy.last_sealed_len = len;
    enum uet_tss_status status = uet_tss_open(toy.sa, data, len, NULL, clear, cap, &n, NULL);
    if (status == UET_TSS_CLEAR && toy.takes_clear) {
        memcpy(clear, data, len);
        return len;
    }
    if (status == UET_TSS_OK)
        return (uint32_t)n;
    toy.not_opened++;
    return 0;
}

static void toy_answer(const struct uet_packet *p)
{
    if (toy.late_len)
        uet_mem_emit(toy.port, toy.late_frame, toy.late_len);
    toy.late_len = 0;
    uint8_t frame[UET_FRAME_MAX];
    struct uet_build b;
    struct uet_route route = {
        .src = uet_dst_ip(p), .dst = uet_src_ip(p), .entropy = uet_entropy(p)};

    uet_build_start(&b, frame, sizeof(frame), &route);
    if (toy.close_code && uet_is_of(UET_CLASS_CLOSE_COMMAND, p)) {
        uint8_t *n = uet_build_pds(&b, UET_H_NACK);
        uet_nack_type_set(n, UET_PDS_NACK);
        uet_nack_nack_code_set(n, toy.close_code);
        uet_nack_nack_psn_set(n, uet_packet_psn(p));
        uet_nack_spdcid_set(n, toy.close_code == UET_NACK_INV_DPDCID ? 0 : 0x4242);
        uet_nack_dpdcid_set(n, uet_spdcid(p));
    } else if ((toy.nack || has_no_room(p)) && uet_is_request(p)) {
        uint8_t *n = uet_build_pds(&b, UET_H_NACK);
        uet_nack_type_set(n, UET_PDS_NACK);
        uet_nack_nack_code_set(n, toy.nack_code ? toy.nack_code : UET_NACK_NO_RESOURCE);
        uet_nack_nack_psn_set(n, uet_packet_psn(p) + (uint32_t)toy.nack_ahead);
        uet_nack_spdcid_set(n, toy.nack_code ? 0x4242 : 0);
        uet_nack_dpdcid_set(n, uet_spdcid(p));
    } else {
        uint8_t *a = uet_build_pds(&b, UET_H_ACK);
        uet_ack_type_set(a, UET_PDS_ACK);
        bool retx = uet_rud_rod_req_retx(uet_pds(p)); /* in a CP at the same place */
        bool zero = uet_is_request(p) && uet_packet_psn(p) == 0;
        bool wrong = (toy.wrong_retx && uet_is_request(p)) || (toy.retx_at_zero && zero);
        uet_ack_retx_set(a, retx != wrong);
        toy.wrong_retx &= !toy.once;
        uet_ack_cack_psn_set(a, uet_packet_psn(p));
        uet_ack_spdcid_set(a, (toy.fails_at_zero && zero) || toy.harmed ? 0x4343 : 0x4242);
        uet_ack_dpdcid_set(a, (uint16_t)(uet_spdcid(p) + toy.wrong_dpdcid));
        if (uet_is_request(p)) {
            uet_ack_next_hdr_set(a, UET_NH_RESPONSE);
            uint8_t *r = uet_build_ses(&b, UET_H_SES_RSP);
            uet_ses_rsp_return_code_set(r, toy.undeliverable ? UET_RC_UNDELIVERABLE : UET_RC_OK);
            uet_ses_rsp_message_id_set(r, uet_ses_message_id(p));
        }
    }
    int len = uet_build_finish(&b, UET_PROTECT_NONE,
                               toy.malformed ? &(struct uet_wrong){.udp_length = true} : NULL);
    assert_true(len > 0);
    toy_emit(frame, (uint32_t)len);
}

static void toy_frame(void *ctx, const uint8_t *data, uint32_t len, uint64_t now_ns)
{
    uint8_t clear[UET_FRAME_MAX];
    struct uet_packet p;

    (void)ctx;
    (void)now_ns;
    len = toy_open(clear, sizeof(clear), data, len);
    if (toy.silent || !len || uet_parse(&p, clear, len, NULL) != UET_PARSE_OK) {
        toy.harmed = toy.harmed_by_damage;
        return;
    }
    const struct uet_ip from = uet_src_ip(&p), to = uet_dst_ip(&p);
    if (!uet_ip_is_host(&from) || !uet_ip_is_host(&to))
        return;
    if (uet_is_request(&p) && uet_has_syn(&p))
        toy.harmed = false;
    if (uet_is_request(&p) && toy.n_heard < sizeof(toy.heard) / sizeof(*toy.heard))
        toy.heard[toy.n_heard++] =
            (struct toy_heard){.psn = uet_packet_psn(&p),
                               .entropy = uet_entropy(&p),
                               .dscp = uet_dscp(&p),
                               .type = uet_rud_rod_req_type(uet_pds(&p)),
                               .next_hdr = uet_rud_rod_req_next_hdr(uet_pds(&p)),
                               .opcode = uet_ses_req_opcode(uet_ses(&p)),
                               .retx = uet_rud_rod_req_retx(uet_pds(&p))};
    if (uet_is_request(&p) && toy.deaf > 0) {
        toy.deaf--;
        return;
    }
    if (uet_is_of(UET_CLASS_CLOSE_COMMAND, &p)) {
        toy.closes++;
        toy.close_dscp = uet_dscp(&p);
    }
    if (uet_is_request(&p) || uet_is_cp(&p))
        toy_answer(&p);
}

static uint64_t toy_advance(void *ctx, uint64_t now_ns)
{
    (void)ctx;
    (void)now_ns;
    return UINT64_MAX;
}

/* ---- running tests against it ---- */

struct uet_dut dut;
struct uet_session session;
struct uet_outside outside;

int toy_set_up(void **state)
{
    const struct uet_mem_device device = {.frame = toy_frame, .advance = toy_advance};

    (void)state;
    toy = (struct toy){0};
    assert_int_equal(uet_mem_port_open(&toy.port, &device, UET_MEM_LATENCY_NS), 0);
    uet_dut_default(&dut);
    uet_ip_parse(&dut.address, "192.0.2.1");
    uet_ip_parse(&dut.tester[0], "192.0.2.11");
    uet_session_default(&session);
    session.dut = &dut;
    session.port = toy.port;
    return 0;
}

int toy_tear_down(void **state)
{
    (void)state;
    uet_port_close(toy.port);
    uet_outside_free(&outside);
    return 0;
}

struct uet_result run(const char *id)
{
    const struct uet_test *test = uet_test_find(id);

    assert_non_null(test);
    struct uet_result r = {.contested = test->contested}; /* as the runner begins */
    uet_tc_run(&session, test, &r);
    return r;
}

void skipped(const char *id, const char *says)
{
    char why[200] = "";
    uint8_t reason = UET_SKIP_OTHER;

    assert_true(uet_tc_skips(&session, uet_test_find(id), why, sizeof(why), &reason));
    assert_int_equal(reason, UET_SKIP_NOT_CLAIMED);
    assert_non_null(strstr(why, says));
}

void expect_verdict(const char *id, enum uet_verdict verdict, const char *says)
{
    struct uet_result r = run(id);

    if (r.verdict != verdict || (says && !strstr(r.message, says)))
        print_message("%s: %s: %s\n", id, uet_verdict_name((enum uet_verdict)r.verdict), r.message);
    assert_int_equal(r.verdict, verdict);
    assert_true(!says || strstr(r.message, says));
}

struct uet_result results[48];
struct uet_known_tally tally;
size_t n_results;

static int keep(void *ctx, const struct uet_result *r)
{
    (void)ctx;
    assert_true(n_results < sizeof(results) / sizeof(*results));
    results[n_results++] = *r;
    uet_known_add(&tally, &dut, r);
    return uet_result_is_rule(r) ? 0 : uet_outside_add(&outside, r);
}

const struct uet_result *result_of(const char *id)
{
    for (size_t i = 0; i < n_results; i++)
        if (strcmp(results[i].id, id) == 0)
            return &results[i];
    return NULL;
}

struct uet_summary run_selected(const struct uet_selection *selection)
{
    const struct uet_run_events events = {.done = keep};
    struct uet_summary summary = {0};
    size_t n;
    const struct uet_test **tests = uet_select(selection, &n);

    n_results = 0;
    session.ceiling_s = 0.5; /* a stall of a busy machine is no end of a run */
    uet_outside_free(&outside);
    tally = (struct uet_known_tally){0};
    assert_int_equal(uet_run_tests(&session, selection, tests, n, &events, &summary), 0);
    assert_int_equal(uet_outside_report(&outside, &session, &events, &summary), 0);
    assert_int_equal(uet_known_report(&tally, &dut, &events, &summary), 0);
    free(tests);
    return summary;
}
