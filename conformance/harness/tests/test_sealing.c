/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tester under a secure domain, against a toy that seals and opens whole frames by uet_tss_seal
 * and uet_tss_open, where the tester does so in place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/harness/security.h"
#include "conformance/harness/tests/toy.h"

static struct uet_keyfile *keys;
static struct uet_tss_sa sa; /* the toy's */

/* Tester and toy have the keys of a seed; the toy's reading is its own. */
static void secure(uint8_t mode, struct uet_tss_readings readings)
{
    char text[8192], err[200];
    int n = uet_secure_keys_of_seed(text, sizeof(text), 7, mode, false);

    assert_in_range(n, 1, sizeof(text) - 1);
    keys = uet_keyfile_parse(text, (size_t)n, "test", err, sizeof(err));
    assert_non_null(keys);
    const uint32_t sdi = keys->domains[0].sdi;
    dut.security = uet_security_new(keys, sdi, 1, err, sizeof(err));
    assert_non_null(dut.security);
    dut.protect = UET_PROTECT_TSS;
    struct uet_tss_params p = uet_keyfile_slot(keys, sdi, keys->domains[0].tx)->params;
    p.readings = readings;
    const char *name = uet_secure_modes[mode];
    const bool server = p.mode == UET_TSS_MODE_SERVER;
    p.ssi_mode = strstr(name, "ssi") != NULL;
    assert_int_equal(uet_tss_setup(&sa, &p), 0);
    toy.sa = &sa;
    toy.stamp.ssi = server ? uet_security_ordinary(dut.security)->sender[0].ssi /* TSS-029 */
                           : keys->domains[0].ssi;
}

static int tear_down(void **state)
{
    uet_security_free(dut.security);
    uet_keyfile_free(keys);
    uet_tss_erase(&sa);
    keys = NULL;
    return toy_tear_down(state);
}

static const struct uet_tss_readings recommended;

static void every_mode_goes_both_ways(void **state)
{
    (void)state;
    for (uint8_t mode = 0; uet_secure_modes[mode]; mode++) {
        if (uet_secure_has_clear_jobs(uet_secure_modes[mode]))
            continue; /* its jobs are more than the toy has */
        secure(mode, recommended);
        expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
        assert_int_equal(toy.not_opened, 0);
        assert_int_equal(toy.stamp.counter > 0, 1);
        uet_security_free(dut.security);
        uet_keyfile_free(keys);
        uet_tss_erase(&sa);
        keys = NULL;
        dut.security = NULL;
        toy.stamp.counter = 0;
    }
}

/* Beside jobs in clear: a PDC that was opened in clear has no packets of a domain. */
static void a_sealed_answer_on_a_clear_pdc_fails(void **state)
{
    uint8_t mode = 0;

    (void)state;
    while (!uet_secure_has_clear_jobs(uet_secure_modes[mode]))
        mode++;
    secure(mode, recommended);
    dut.protect = UET_PROTECT_NONE;
    toy.takes_clear = true;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "on a PDC that was opened in clear");
}

/* A server that answers with an SSI of its own (TSS-029). */
static void a_servers_ssi_fails(void **state)
{
    uint8_t mode = 0;

    (void)state;
    while (strcmp(uet_secure_modes[mode], "server-ssi") != 0)
        mode++;
    secure(mode, recommended);
    toy.stamp.ssi = 7;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "TSS-029: the SSI is 0x00000007");
}

static void what_is_altered_does_not_open(void **state)
{
    (void)state;
    secure(0, recommended);
    expect_verdict("zz.1.11.altered", UET_PASS, NULL);
    assert_int_equal(toy.not_opened, 1);
}

static void an_icv_that_is_wrong_fails(void **state)
{
    (void)state;
    secure(0, recommended);
    toy.spoils_icv = true;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "TSS-007: the packet does not open: ICV wrong");
}

static void a_clear_answer_fails(void **state)
{
    (void)state;
    secure(0, recommended);
    toy.answers_in_clear = true;
    expect_verdict("zz.1.2.open-one", UET_FAIL, "TSS-051: the packet is in clear");
}

/* Of a NACK without a PDC that is contested (TSS-054): told, not failed. */
static void a_clear_nack_of_no_pdc_is_told(void **state)
{
    (void)state;
    secure(0, recommended);
    toy.answers_in_clear = toy.nack = true;
    struct uet_result r = run("zz.1.2.open-one");
    assert_null(strstr(r.message, "TSS-051"));
    assert_true(r.n_findings > 0);
    assert_string_equal(r.findings[0].requirement, "TSS-054");
}

/* A toy that takes what it is sent in one reading and answers in the other. */
static void the_other_reading_opens(void **state)
{
    (void)state;
    secure(0, (struct uet_tss_readings){.udp_not_in_aad = true});
    struct uet_domain *d = uet_security_ordinary(dut.security);
    d->reading = 1;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(d->reading, 1);
}

/* Test and run have the same counters in no two packets. */
static void counters_go_on(void **state)
{
    (void)state;
    secure(0, recommended);
    struct uet_tss_header first = {0}, second = {0};
    struct uet_tss_place at;
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(uet_tss_locate(&at, toy.last_sealed, toy.last_sealed_len, NULL), UET_TSS_OK);
    assert_int_equal(uet_tss_header_at(&first, toy.last_sealed, &at, true), UET_TSS_OK);
    expect_verdict("zz.1.2.open-one", UET_PASS, NULL);
    assert_int_equal(uet_tss_header_at(&second, toy.last_sealed, &at, true), UET_TSS_OK);
    assert_true(second.counter > first.counter);
}

static void without_keys_nothing_is_sealed(void **state)
{
    (void)state;
    skipped("zz.1.11.altered", "the FEP seals nothing");
}

int main(void)
{
#define SEALED(f) cmocka_unit_test_setup_teardown(f, toy_set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SEALED(every_mode_goes_both_ways),
        SEALED(a_servers_ssi_fails),
        SEALED(a_sealed_answer_on_a_clear_pdc_fails),
        SEALED(what_is_altered_does_not_open),
        SEALED(an_icv_that_is_wrong_fails),
        SEALED(a_clear_answer_fails),
        SEALED(a_clear_nack_of_no_pdc_is_told),
        SEALED(the_other_reading_opens),
        SEALED(counters_go_on),
        SEALED(without_keys_nothing_is_sealed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
