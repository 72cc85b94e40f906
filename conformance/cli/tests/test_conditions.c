/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run rests on holds fep.yaml itself: its hash, and its text as far as that is text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/cli/run/conditions.h"
#include "port/afpacket.h"

static char path[] = "/tmp/uet-conditions-XXXXXX";
static struct uet_conditions conditions;

static const char *told_of(const char *group, const char *name)
{
    for (size_t i = 0; i < conditions.n; i++)
        if (strcmp(conditions.list[i].group, group) == 0 &&
            strcmp(conditions.list[i].name, name) == 0)
            return conditions.list[i].value;
    return NULL;
}

static const char *told(const char *name)
{
    return told_of("fep.yaml", name);
}

static const struct uet_setups no_setups;
static struct uet_port port;
static struct uet_session session;

static void gather(const char *bytes, size_t n)
{
    struct uet_target target = {0};
    FILE *out = fopen(path, "wb");
    char *argv[] = {"run", NULL};

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    uet_dut_default(&target.dut);
    assert_int_equal(
        uet_conditions_gather(&conditions, path, &target, &no_setups, &session, 1, argv), 0);
}

static int begin(void **state)
{
    (void)state;
    uet_session_default(&session);
    session.port = &port;
    session.depth = UET_DEPTH_DEEP;
    port.caps = uet_afpacket_caps(2);
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int end(void **state)
{
    (void)state;
    uet_conditions_free(&conditions);
    unlink(path);
    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
    return 0;
}

/* SHA-256 of "abc": FIPS 180-2, B.1. */
static void text_and_hash(void **state)
{
    (void)state;
    gather("abc", 3);
    assert_string_equal(told("sha256"),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(told("text"), "abc");
    assert_null(told("note"));
}

static void says_what_it_cuts(void **state)
{
    size_t n = UET_CONDITIONS_TEXT + 5;
    char *long_text = malloc(n);

    (void)state;
    assert_non_null(long_text);
    memset(long_text, '#', n);
    gather(long_text, n);
    free(long_text);
    assert_int_equal(strlen(told("text")), UET_CONDITIONS_TEXT);
    assert_string_equal(told("note"), "the text is cut: the first 262144 of 262149 bytes");
}

static void says_what_it_changes(void **state)
{
    (void)state;
    gather("a: b\r\n", 6);
    assert_non_null(strstr(told("note"), "CR LF"));
}

static void leaves_out_what_is_no_text(void **state)
{
    (void)state;
    gather("\xff\xfe"
           "a\0:\0",
           6);
    assert_null(told("text"));
    assert_non_null(strstr(told("note"), "not UTF-8"));
    assert_non_null(told("sha256"));
}

/* Over a real link, no copies; with one address, no strangers either. */
static void says_which_points_are_left_out(void **state)
{
    const char *group = "points left out";

    (void)state;
    gather("abc", 3);
    assert_non_null(strstr(told_of(group, "copies"), "in real time"));
    assert_null(told_of(group, "strangers"));
    assert_null(told_of(group, "damaged"));
    uet_conditions_free(&conditions);
    port.caps = uet_afpacket_caps(1);
    gather("abc", 3);
    assert_string_equal(told_of(group, "strangers"), "the tester has one address");
    uet_conditions_free(&conditions);
    port.caps |= UET_PORT_SOURCE | UET_PORT_VIRTUAL_TIME;
    gather("abc", 3);
    assert_null(told_of(group, "copies"));
    uet_conditions_free(&conditions);
    port.caps = 0;
    session.depth = UET_DEPTH_SMOKE; /* no test goes to any point there */
    gather("abc", 3);
    assert_null(told_of(group, "copies"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(text_and_hash), CASE(says_what_it_cuts),
                                       CASE(says_what_it_changes), CASE(leaves_out_what_is_no_text),
                                       CASE(says_which_points_are_left_out)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
