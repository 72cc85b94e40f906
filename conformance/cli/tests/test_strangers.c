/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody who has the stranger's address keeps it: he is asked for before the run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/cli/run/strangers.h"

/* A link with one host on it. */
static struct uet_ip host;
static unsigned asked;

static uint64_t now(struct uet_port *port)
{
    (void)port;
    return 5;
}

static int resolve(struct uet_port *port, const struct uet_ip *ip, uint64_t deadline_ns)
{
    (void)port;
    asked++;
    assert_true(deadline_ns > 5);
    return uet_ip_equal(ip, &host) ? 0 : -EHOSTUNREACH;
}

static int own_rc;
static unsigned owned;

static int own(struct uet_port *port, const struct uet_ip *ip)
{
    (void)port;
    (void)ip;
    owned += own_rc == 0;
    return own_rc;
}

static const struct uet_port_ops ops = {.now = now, .resolve = resolve, .own = own};
static struct uet_port port;
static struct uet_session session;
static struct uet_target base;
static struct uet_setups setups;

static void set(struct uet_dut *dut, const char *fep, const char *first, const char *second)
{
    uet_dut_default(dut);
    assert_int_equal(uet_ip_parse(&dut->address, fep), 0);
    assert_int_equal(uet_ip_parse(&dut->tester[0], first), 0);
    assert_int_equal(uet_ip_parse(&dut->tester[1], second), 0);
}

static int begin(void **state)
{
    (void)state;
    port = (struct uet_port){.ops = &ops, .caps = UET_PORT_SOURCE | UET_PORT_RAW_IP};
    uet_session_default(&session);
    base = (struct uet_target){.port = &port};
    setups = (struct uet_setups){0};
    set(&base.dut, "192.0.2.1", "192.0.2.11", "192.0.2.12");
    assert_int_equal(uet_ip_parse(&host, "192.0.2.1"), 0);
    asked = owned = 0;
    own_rc = 0;
    return 0;
}

static void who_answers_has_it(void **state)
{
    (void)state;
    uet_ask_for_strangers(&session, &base, &setups);
    assert_int_equal(asked, 1);
    assert_false(session.stranger_taken);
    assert_int_equal(owned, 1); /* from now on its questions are answered */
    own_rc = -EADDRINUSE;
    uet_ask_for_strangers(&session, &base, &setups);
    assert_true(session.stranger_taken);
    own_rc = 0;
    assert_int_equal(uet_ip_parse(&host, "192.0.2.75"), 0); /* 11 + 64 */
    uet_ask_for_strangers(&session, &base, &setups);
    assert_true(session.stranger_taken);
    assert_int_equal(owned, 1);
    port.caps |= UET_PORT_VIRTUAL_TIME;
    asked = 0;
    uet_ask_for_strangers(&session, &base, &setups);
    assert_false(session.stranger_taken);
    assert_int_equal(asked, 0);
}

/* The tester's second port does not hear the first. */
static void others_of_the_run_have_theirs(void **state)
{
    struct uet_session native = session;

    (void)state;
    setups.session[1] = &native;
    setups.target[1].port = &port;
    set(&setups.target[1].dut, "192.0.2.2", "192.0.2.21", "192.0.2.75");
    uet_ask_for_strangers(&session, &base, &setups);
    assert_true(session.stranger_taken);
    assert_false(native.stranger_taken); /* 85 is free */
    assert_int_equal(uet_ip_parse(&setups.target[1].dut.tester[1], "192.0.2.22"), 0);
    assert_int_equal(uet_ip_parse(&host, "192.0.2.85"), 0);
    uet_ask_for_strangers(&session, &base, &setups);
    assert_false(session.stranger_taken);
    assert_true(native.stranger_taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(who_answers_has_it, begin),
        cmocka_unit_test_setup(others_of_the_run_have_theirs, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
