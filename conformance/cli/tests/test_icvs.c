/* SPDX-License-Identifier: BSD-2-Clause */
/* Wrong ICVs that the suite sends are told where they add up from one run to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/run/icvs.h"
#include "conformance/cli/target/target.h"
#include "conformance/harness/security.h"

static struct uet_session session;

static void run(const char *id)
{
    struct uet_result r = {0};

    uet_tc_run(&session, uet_test_find(id), &r);
    assert_int_equal(r.verdict, UET_PASS);
}

static void add_up(void **state)
{
    const struct uet_target_as as = {
        .seed = 1, .spec = UET_TARGET_SPEC_UNTOLD, .secure = "cluster"};
    struct uet_target t;
    char text[400];

    (void)state;
    assert_int_equal(uet_target_open_as(&t, "ref", &as, text, sizeof(text)), 0);
    uet_session_default(&session);
    session.dut = &t.dut;
    session.port = t.port;
    run("pds.3.5.8.2.later-syn-opens");
    assert_false(uet_icvs_add_up(&session, 0, text, sizeof(text))); /* none was sent */
    run("tss.3.7.other-destination-authenticated");
    run("tss.3.7.other-destination-authenticated");
    run("tss.3.7.other-destination-authenticated");
    assert_true(uet_icvs_add_up(&session, 0, text, sizeof(text)));
    assert_non_null(strstr(text, "up to 3 packets with a wrong ICV"));
    /* 333 runs bring 999, 334 bring 1002: more than 1000 latch it. */
    assert_non_null(strstr(text, "run 334 such as this may bring them above 1000"));
    assert_false(uet_icvs_add_up(&session, 1, text, sizeof(text)));
    assert_false(uet_icvs_add_up(&session, 99, text, sizeof(text)));
    session.ut = t.ut; /* which resets the FEP */
    assert_false(uet_icvs_add_up(&session, 0, text, sizeof(text)));
    uet_target_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(add_up)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
