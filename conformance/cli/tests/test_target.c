/* SPDX-License-Identifier: BSD-2-Clause */
/* What a FEP says of itself, against what fep.yaml and the command line say. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/target/target.h"
#include "wire/packet.h"

#define UNTOLD UET_TARGET_SPEC_UNTOLD

/* The version that the file, the FEP and --spec name; what comes out of it. */
static const struct {
    const char *file, *hello; /* "": does not say; hello NULL: no upper tester */
    uint8_t given;            /* a place in uet_dut_specs */
    const char *judged, *note, *error;
} cases[] = {
    {"", NULL, UNTOLD, "1.0.3", "", NULL},
    {"1.0.1", NULL, UNTOLD, "1.0.1", "", NULL},
    {"1.0.1", NULL, 1, "1.0.2", "my.yaml says spec 1.0.1, judged is 1.0.2 (--spec)", NULL},
    {"1.0.1", NULL, 2, "1.0.1", "", NULL},
    {"1.0.3", "1.0.1", 2, "1.0.1", "my.yaml says spec 1.0.3, judged is 1.0.1 (--spec)", NULL},
    {"1.0.3", "1.0.1", 1, "1.0.2",
     "the FEP says spec 1.0.1, my.yaml 1.0.3, judged is 1.0.2 (--spec)", NULL},
    {"1.0.1", "1.0.1", UNTOLD, "1.0.1", "", NULL},
    {"", "1.0.1", UNTOLD, "1.0.1", "", NULL},
    {"", "1.0.3", 2, "1.0.1", "the FEP says spec 1.0.3 and is judged as 1.0.1 (--spec)", NULL},
    {"1.0.3", "1.0.3", 2, "1.0.1", "the FEP says spec 1.0.3 and is judged as 1.0.1 (--spec)", NULL},
    {"1.0.3", "1.0.1", 0, "1.0.3", "the FEP says spec 1.0.1 and is judged as 1.0.3 (--spec)", NULL},
    {"1.0.3", "1.0.1", UNTOLD, NULL, NULL,
     "my.yaml: the FEP says spec 1.0.1, the file 1.0.3: let the file say the same, or choose with "
     "--spec"},
    {"", "1.1", UNTOLD, NULL, NULL,
     "my.yaml: the FEP says spec 1.1, which is not known here: choose one with --spec"},
    {"", "1.1", 0, "1.0.3", "the FEP says spec 1.1 and is judged as 1.0.3 (--spec)", NULL},
};

static void versions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct uet_target t = {.note = ""};
        struct uet_ut_about about = {.payload_mtu = 4096};
        char err[512] = "";

        uet_dut_default(&t.dut);
        snprintf(t.dut.path, sizeof(t.dut.path), "my.yaml");
        snprintf(t.dut.spec, sizeof(t.dut.spec), "%s", cases[i].file);
        snprintf(about.spec, sizeof(about.spec), "%s", cases[i].hello ? cases[i].hello : "");
        int rc =
            uet_target_agree(&t, cases[i].hello ? &about : NULL, cases[i].given, err, sizeof(err));
        assert_int_equal(rc, cases[i].error ? -EINVAL : 0);
        assert_string_equal(err, cases[i].error ? cases[i].error : "");
        if (cases[i].judged)
            assert_string_equal(t.dut.spec, cases[i].judged);
        if (cases[i].note)
            assert_string_equal(t.note, cases[i].note);
    }
}

/* What both say otherwise names both. */
static void others(void **state)
{
    struct uet_target t = {.note = ""};
    const struct uet_ut_about about = {
        .spec = "1.0.3", .payload_mtu = 1024, .protect = UET_PROTECT_CRC};
    char err[512] = "";

    (void)state;
    uet_dut_default(&t.dut);
    snprintf(t.dut.path, sizeof(t.dut.path), "my.yaml");
    assert_int_equal(uet_target_agree(&t, &about, UNTOLD, err, sizeof(err)), -EINVAL);
    assert_string_equal(err, "my.yaml: the FEP says payload_mtu 1024 and protect crc, the file "
                             "4096 and none: let the file say the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(versions), cmocka_unit_test(others)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
