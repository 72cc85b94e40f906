/* SPDX-License-Identifier: BSD-2-Clause */
/* The host around the bent FEP: `violate` and what `hello` tells of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "port/memory.h"
#include "refimpl/host/host.h"
#include "ut/verbs.h"

enum { MS = 1000000, SECOND = 1000000000 };

static struct uet_host *host;
static struct uet_port *port;
static struct uet_ut *ut;

static int open_host(const char *violate)
{
    struct uet_host_config config;

    uet_host_config_default(&config);
    assert_int_equal(uet_ip_parse(&config.fep.address, "192.0.2.2"), 0);
    config.fep.params.RTO_Init_Time = 5 * MS;
    config.fep.params.Max_RTO_Retx_Cnt = 1;
    config.violate = violate;
    assert_int_equal(uet_host_new(&host, &config), 0);
    assert_int_equal(uet_host_mem_port(host, 1000, &port), 0);
    ut = uet_host_ut(host);
    return ut ? 0 : -1;
}

static int set_up(void **state)
{
    (void)state;
    return open_host(NULL);
}

static int set_up_bent(void **state)
{
    (void)state;
    return open_host("PDS-058");
}

static int tear_down(void **state)
{
    (void)state;
    uet_ut_close(ut);
    uet_port_close(port);
    uet_host_free(host);
    return 0;
}

/*
 * An unanswered NO_OP: the PSN of its first packet and of its resend. PDS-058: a retransmission
 * keeps its PSN.
 */
static bool resend_keeps_psn(void)
{
    struct uet_ut_operation op = {.job_id = 1};
    uint32_t psn[2];

    assert_int_equal(uet_ip_parse(&op.to, "192.0.2.1"), 0);
    assert_int_equal(uet_ut_no_op(ut, &op, NULL), 0);
    for (int i = 0; i < 2; i++) {
        struct uet_packet packet;
        struct uet_frame frame;

        assert_int_equal(uet_port_receive(port, &frame, 1, uet_port_now(port) + SECOND), 1);
        assert_int_equal(uet_parse(&packet, frame.data, frame.len, NULL), UET_PARSE_OK);
        assert_true(uet_is_request(&packet));
        psn[i] = uet_packet_psn(&packet);
    }
    assert_int_equal(uet_ut_reset(ut), 0);
    return psn[0] == psn[1];
}

static void violate_bends_and_reset_mends(void **state)
{
    (void)state;
    assert_true(resend_keeps_psn());
    assert_int_equal(uet_ut_violate(ut, "PDS-058"), 0);
    assert_false(resend_keeps_psn()); /* ends with a reset */
    assert_true(resend_keeps_psn());
    assert_int_equal(uet_ut_violate(ut, "PDS-058"), 0);
    assert_int_equal(uet_ut_violate(ut, NULL), 0);
    assert_true(resend_keeps_psn());
}

/* The suite resets a FEP before each test: what its command line breaks must stay broken. */
static void reset_keeps_the_configured_one(void **state)
{
    (void)state;
    assert_false(resend_keeps_psn()); /* ends with a reset */
    assert_false(resend_keeps_psn());
    assert_int_equal(uet_ut_violate(ut, NULL), 0);
    assert_true(resend_keeps_psn());
    assert_false(resend_keeps_psn());
}

static void restart(void)
{
    char err[300];

    assert_int_equal(uet_host_restart(host, err, sizeof err), 0);
}

/* Not only the one that was broken last. */
static void restart_keeps_them_all(void **state)
{
    (void)state;
    assert_int_equal(uet_ut_violate(ut, "PDS-058"), 0);
    assert_int_equal(uet_ut_violate(ut, "PDS-087"), 0);
    restart();
    assert_false(resend_keeps_psn()); /* ends with a reset */
    restart();
    assert_true(resend_keeps_psn());
}

static void restart_keeps_the_configured_one(void **state)
{
    (void)state;
    assert_int_equal(uet_ut_violate(ut, "PDS-087"), 0);
    restart();
    assert_false(resend_keeps_psn());
    assert_int_equal(uet_ut_violate(ut, NULL), 0);
    restart();
    assert_true(resend_keeps_psn());
}

static void unknown_violation_configured(void **state)
{
    struct uet_host_config config;
    struct uet_host *none = NULL;

    (void)state;
    uet_host_config_default(&config);
    assert_int_equal(uet_ip_parse(&config.fep.address, "192.0.2.2"), 0);
    config.violate = "PDS-000";
    assert_int_equal(uet_host_new(&none, &config), -ENOENT);
    assert_null(none);
}

static void unknown_violation(void **state)
{
    (void)state;
    assert_int_equal(uet_ut_violate(ut, "PDS-000"), -EPROTO);
    assert_non_null(strstr(ut->error, "PDS-000"));
}

/* ROB-036 has several, and none of them is called so. */
static void ambiguous_violation(void **state)
{
    (void)state;
    assert_int_equal(uet_ut_violate(ut, "ROB-036"), -EPROTO);
    assert_int_equal(uet_ut_violate(ut, "ROB_036_ROD"), 0);
}

static void hello_lists_them(void **state)
{
    json_t *reply, *list, *id;
    bool found = false;
    size_t i;

    (void)state;
    assert_int_equal(uet_ut_call(ut, json_pack("{s:s}", "verb", "hello"), &reply), 0);
    list = json_object_get(reply, "violations");
    json_array_foreach(list, i, id) found |= strcmp(json_string_value(id), "PDS-058") == 0;
    assert_true(found);
    json_decref(reply);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(violate_bends_and_reset_mends),
        TEST(restart_keeps_them_all),
        cmocka_unit_test_setup_teardown(restart_keeps_the_configured_one, set_up_bent, tear_down),
        cmocka_unit_test_setup_teardown(reset_keeps_the_configured_one, set_up_bent, tear_down),
        cmocka_unit_test(unknown_violation_configured),
        TEST(unknown_violation),
        TEST(ambiguous_violation),
        TEST(hello_lists_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
