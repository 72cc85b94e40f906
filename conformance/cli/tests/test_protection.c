/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What ends a FEP's packets (3.5.25): every way that a FEP may be set against every way that
 * fep.yaml may tell it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/fep_ref.h"
#include "conformance/harness/run/protection.h"
#include "conformance/harness/run/runner.h"
#include "conformance/harness/security.h"
#include "wire/crc.h"
#include "wire/packet.h"

static struct uet_session session;
static struct uet_dut dut;
static struct uet_fep_ref *ref;

static const struct uet_fep_ref_kind none = {.seed = 1, .no_crc = true};
static const struct uet_fep_ref_kind big = {.seed = 1};
static const struct uet_fep_ref_kind native = {.seed = 1, .variant = "native"};
static const struct uet_fep_ref_kind little = {.seed = 1, .crc_order = UET_CRC_LITTLE_ENDIAN};

/* That FEP, and what a fep.yaml tells of it. */
static void open_fep(const struct uet_fep_ref_kind *kind, uint8_t protect, uint8_t order)
{
    char err[300];

    assert_int_equal(uet_fep_ref_open_as(&ref, kind, err, sizeof(err)), 0);
    dut = *uet_fep_ref_dut(ref);
    dut.protect = protect;
    dut.crc_order = order;
    uet_session_default(&session);
    session.dut = &dut;
    session.port = uet_fep_ref_port(ref);
    session.ut = uet_fep_ref_ut(ref);
}

static void found_out(void **state)
{
    static const struct {
        const struct uet_fep_ref_kind *fep;
        uint8_t protect, order;
        const char *note, *error; /* what is said of it holds this; "": nothing */
    } cases[] = {
        {&none, UET_PROTECT_NONE, UET_DUT_CRC_AUTO, "", ""},
        {&none, UET_PROTECT_CRC, UET_DUT_CRC_AUTO, "", "set `protect: none`"},
        {&none, UET_PROTECT_CRC, UET_DUT_CRC_LITTLE, "", "set `protect: none`"},
        {&big, UET_PROTECT_NONE, UET_DUT_CRC_AUTO, "", "set `protect: crc`"},
        {&big, UET_PROTECT_CRC, UET_DUT_CRC_AUTO, "", ""},
        {&big, UET_PROTECT_CRC, UET_DUT_CRC_BIG, "", ""},
        {&big, UET_PROTECT_CRC, UET_DUT_CRC_LITTLE, "", "big-endian: set `crc_order: big`"},
        {&little, UET_PROTECT_NONE, UET_DUT_CRC_AUTO, "", "set `protect: crc`"},
        {&little, UET_PROTECT_CRC, UET_DUT_CRC_AUTO, "little-endian", ""},
        {&little, UET_PROTECT_CRC, UET_DUT_CRC_BIG, "", "little-endian: set `crc_order: little`"},
        {&little, UET_PROTECT_CRC, UET_DUT_CRC_LITTLE, "little-endian", ""},
    };
    char note[300], err[300];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        note[0] = err[0] = '\0';
        open_fep(cases[i].fep, cases[i].protect, cases[i].order);
        int rc = uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err));
        print_message("case %zu: %d '%s' '%s'\n", i, rc, note, err);
        assert_int_equal(rc != 0, cases[i].error[0] != '\0');
        assert_non_null(strstr(err, cases[i].error));
        assert_non_null(strstr(note, cases[i].note));
        assert_int_equal(note[0] != '\0', cases[i].note[0] != '\0');
        if (rc == 0 && dut.protect == UET_PROTECT_CRC)
            assert_int_equal(uet_dut_order(&dut), cases[i].fep->crc_order);
        uet_fep_ref_close(ref);
    }
}

static int on_done(void *ctx, const struct uet_result *r)
{
    const char **failed = ctx;

    if (r->verdict == UET_PASS || r->verdict == UET_SKIP)
        return 0;
    print_message("%s: %.300s\n", r->id, r->message);
    assert_null(*failed);
    *failed = r->id;
    return 0;
}

/* A FEP set for one encapsulation does not answer the other (NET-033). */
static void other_encapsulation(void **state)
{
    char note[300], err[300] = "";

    (void)state;
    open_fep(&native, UET_PROTECT_CRC, UET_DUT_CRC_AUTO);
    assert_int_equal(uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err)), 0);
    dut.native = false;
    assert_true(uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err)) < 0);
    assert_non_null(strstr(err, "over native IP (3.5.10.1): set `encapsulation: native`"));
    uet_fep_ref_close(ref);
    open_fep(&big, UET_PROTECT_CRC, UET_DUT_CRC_AUTO);
    dut.native = true;
    assert_true(uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err)) < 0);
    assert_non_null(strstr(err, "over UDP (3.5.10.1): set `encapsulation: udp`"));
    uet_fep_ref_close(ref);
}

/* A FEP with the other byte order breaks that, and is judged in all else. */
static void little_endian_is_one_failure(void **state)
{
    const struct uet_selection all = {0};
    const char *failed = NULL;
    const struct uet_run_events events = {.ctx = &failed, .done = on_done};
    struct uet_summary summary = {0};
    char note[300], err[300];
    size_t n;
    const struct uet_test **tests = uet_select(&all, &n);

    (void)state;
    open_fep(&little, UET_PROTECT_CRC, UET_DUT_CRC_AUTO);
    assert_int_equal(uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err)), 0);
    assert_int_equal(uet_run_tests(&session, &all, tests, n, &events, &summary), 0);
    assert_string_equal(failed, "pds.3.5.10.crc-in-network-order");
    assert_int_equal(summary.fail, 1);
    free(tests);
    uet_fep_ref_close(ref);
}

/* At the reference FEP `leaky` on IPv6, with keys of that mode: what is taken for its reading. */
static void finds_leaky(uint8_t mode)
{
    char text[8192], note[300] = "", err[300] = "";
    int n = uet_secure_keys_of_seed(text, sizeof(text), 1, mode, true);
    struct uet_keyfile *keys = uet_keyfile_parse(text, (size_t)n, "keys", err, sizeof(err));
    const struct uet_fep_ref_kind leaky = {
        .seed = 1, .variant = "leaky", .ipv6 = true, .keys = keys};
    const struct uet_domain *d;

    assert_non_null(keys);
    open_fep(&leaky, UET_PROTECT_TSS, UET_DUT_CRC_AUTO);
    dut.security = uet_security_new(keys, keys->domains[0].sdi, 1, err, sizeof(err));
    assert_non_null(dut.security);
    assert_int_equal(uet_find_protection(&session, &dut, note, sizeof(note), err, sizeof(err)), 0);
    print_message("%s: '%s' '%s'\n", uet_secure_modes[mode], note, err);
    assert_non_null(strstr(note, "TSS-077"));
    for (size_t i = 0; (d = uet_security_domain(dut.security, i)) != NULL; i++)
        assert_int_equal(d->reading, d->ssi_mode ? 2 : 0); /* U2 (TSS-077), and not U1 */
    uet_security_free(dut.security);
    uet_fep_ref_close(ref);
    uet_keyfile_free(keys);
}

/* Whatever the domain is that tests run in: that of some modes does not tell it. */
static void derivation_is_found_in_each_mode(void **state)
{
    (void)state;
    for (uint8_t mode = 0; uet_secure_modes[mode]; mode++)
        if (!uet_secure_has_clear_jobs(uet_secure_modes[mode]))
            finds_leaky(mode);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_out),
        cmocka_unit_test(other_encapsulation),
        cmocka_unit_test(little_endian_is_one_failure),
        cmocka_unit_test(derivation_is_found_in_each_mode),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
