/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of several tests: the gate, repeats, captures, known deviations, and which tests run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/harness/tests/toy.h"
#include "port/capture.h"

static void gate(void **state)
{
    struct uet_selection selection = {.section = "1"};

    (void)state;
    run_selected(&selection);
    assert_string_equal(results[0].id, "zz.1.2.open-one"); /* sanity first */
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
    assert_int_equal(result_of("zz.1.9.not-claimed")->verdict, UET_SKIP);
    assert_string_equal(result_of("zz.1.9.not-claimed")->message, "not claimed: negotiation");

    toy.nack = true; /* it is there, and refuses */
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_INCONC);
    assert_string_equal(result_of("zz.1.10.after-preamble")->message,
                        "the sanity test zz.1.2.open-one did not get far enough");
    assert_null(strstr(result_of("zz.1.9.nothing")->message, "sanity")); /* builds on nothing */
}

/* The time of the first packet of a test's capture, and whether the file names the interface. */
static uint64_t captured_at(const char *interface, bool *named)
{
    struct uet_capture_packet packet = {0};
    struct uet_capture *capture;
    char dir[] = "/tmp/uet-harness-XXXXXX", path[128], err[300], bytes[512] = "";

    assert_non_null(mkdtemp(dir));
    session.pcap_dir = dir;
    run("zz.1.2.open-one");
    session.pcap_dir = NULL;
    snprintf(path, sizeof(path), "%s/zz.1.2.open-one.pcapng", dir);
    assert_int_equal(uet_capture_open(&capture, path, err, sizeof(err)), 0);
    assert_int_equal(uet_capture_next(capture, &packet), 1);
    uet_capture_close(capture);
    FILE *in = fopen(path, "rb");
    assert_true(in && fread(bytes, 1, sizeof(bytes), in) > 0);
    *named = false;
    for (size_t i = 0; i + strlen(interface) < sizeof(bytes); i++)
        *named |= memcmp(bytes + i, interface, strlen(interface)) == 0;
    fclose(in);
    unlink(path);
    rmdir(dir);
    return packet.time_ns;
}

/* Captures of a real port line up with a switch's log; virtual time stays as it is. */
static void captures_of_real_ports_have_wall_clock_times(void **state)
{
    uint64_t began_ns = (uint64_t)time(NULL) * 1000000000u;
    bool named;

    (void)state;
    assert_true(captured_at("uet0", &named) < 3600 * 1000000000ull); /* of virtual time */
    assert_true(named);
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    snprintf(dut.interface, sizeof(dut.interface), "lab-if7");
    uint64_t at_ns = captured_at("lab-if7", &named);
    toy.port->caps |= UET_PORT_VIRTUAL_TIME;
    dut.interface[0] = '\0';
    assert_true(named);
    assert_true(at_ns >= began_ns - 60 * 1000000000ull);
    assert_true(at_ns <= began_ns + 60 * 1000000000ull);
}

/* One deviation does not silence the run: the FEP answers, and the others can go on. */
static void gate_lets_deviations_pass(void **state)
{
    struct uet_selection selection = {.section = "1"};

    (void)state;
    toy.deviates = true;
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.3.sees-enough")->verdict, UET_FAIL);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
    toy.wrong_retx = true; /* nor does a rule that is broken in the midst of it */
    toy.deviates = false;
    run_selected(&selection);
    assert_int_equal(result_of("zz.1.2.open-one")->verdict, UET_PASS);
    assert_int_equal(result_of("zz.1.10.after-preamble")->verdict, UET_PASS);
}

/* A port that does not promise to lose nothing: what fails is tried once more. */
static void failures_are_confirmed(void **state)
{
    struct uet_selection selection = {.glob = "zz.1.2.open-one"};

    (void)state;
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    dut.response_time_ns = 2 * UET_MS;
    toy.deaf = 1;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_INCONC);
    assert_non_null(strstr(results[0].message, "failed once and passed when repeated"));
    assert_non_null(strstr(results[0].message, "PDS-097: no ACK of PSN"));
    toy.nack = true;
    toy.nack_code = UET_NACK_UNEXP_EVENT;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_FAIL);
    toy.nack = false;
    toy.port->caps |= UET_PORT_VIRTUAL_TIME;
    toy.deaf = 1;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_FAIL); /* nothing is lost here */
}

static void known_deviations(void **state)
{
    struct uet_selection selection = {.glob = "zz.1.9.nothing"};

    (void)state;
    strcpy(dut.known[0].test, "zz.1.9.nothing");
    strcpy(dut.known[0].reason, "why");
    strcpy(dut.known[0].date, "2026-01-01");
    dut.n_known = 1;
    struct uet_summary s = run_selected(&selection);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    toy.deaf = 1;
    s = run_selected(&selection);
    assert_int_equal(s.unexpected_pass, 1);
    assert_int_equal(uet_summary_exit_status(&s), 1);
}

static void know(const char *test, const char *requirement)
{
    dut.n_known = 1;
    dut.known[0] = (struct uet_dut_known){.reason = "why", .date = "2026-01-01", .line = 41};
    snprintf(dut.known[0].test, sizeof(dut.known[0].test), "%s", test);
    snprintf(dut.known[0].requirement, sizeof(dut.known[0].requirement), "%s", requirement);
}

/* By requirement: known wherever it is broken, in the tests about it and outside them. */
static void known_by_requirement(void **state)
{
    const struct uet_selection about = {.glob = "zz.1.9.of-retx"},
                               other = {.glob = "zz.1.9.sends-only"};

    (void)state;
    know("", "PDS-105");
    toy.wrong_retx = true;
    struct uet_summary s = run_selected(&about);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    assert_non_null(strstr(results[0].message, "known:    why (2026-01-01)"));
    s = run_selected(&other);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(uet_summary_exit_status(&s), 0);
    assert_true(result_of("rule.PDS-105")->known);

    know("", "PDS-038"); /* another requirement excuses nothing */
    s = run_selected(&about);
    assert_int_equal(s.fail, 1);

    know("", "PDS-105");
    toy.wrong_retx = false;
    s = run_selected(&about); /* all tests about it ran, and passed */
    assert_int_equal(s.unexpected_pass, 1);
    assert_int_equal(uet_summary_exit_status(&s), 1);
    assert_true(result_of("rule.PDS-105")->unexpected_pass);
    assert_non_null(strstr(result_of("rule.PDS-105")->message, ":41 lists it"));
    s = run_selected(&other); /* none of them ran: nobody knows */
    assert_int_equal(s.unexpected_pass, 0);
}

/* By pattern: some of its tests may pass; all of them may not. */
static void known_by_pattern(void **state)
{
    const struct uet_selection both = {.glob = "zz.1.9.of-retx zz.1.9.should"};

    (void)state;
    know("zz.1.9.[os]*[xd]", "");
    toy.wrong_retx = true;
    struct uet_summary s = run_selected(&both);
    assert_int_equal(s.known_fail, 1);
    assert_int_equal(s.unexpected_pass, 0);
    toy.wrong_retx = false;
    s = run_selected(&both);
    assert_int_equal(s.pass, 2);
    assert_int_equal(s.unexpected_pass, 1);
    assert_non_null(result_of("rule.zz.1.9.[os]*[xd]"));
    s = run_selected(&(struct uet_selection){.glob = "zz.1.9.should"});
    assert_int_equal(s.unexpected_pass, 0);
}

static void selection(void **state)
{
    size_t n;

    (void)state;
    assert_true(uet_section_in("3.5.8.2", "3.5.8"));
    assert_true(uet_section_in("3.5.8", "3.5.8"));
    assert_false(uet_section_in("3.5.80", "3.5.8"));
    struct uet_selection s = {.requirement = "PDS-164"};
    const struct uet_test **tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    free(tests);
    /* One word of a kind is enough, and each kind must match. */
    s = (struct uet_selection){.glob = "zz.1.9.nothing zz.1.2.open-one"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 2);
    free(tests);
    s = (struct uet_selection){.glob = "zz.1.9.nothing zz.1.2.open-one", .section = "1.2 9.9"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    assert_string_equal(tests[0]->id, "zz.1.2.open-one");
    free(tests);
    s = (struct uet_selection){.requirement = "PDS-999 PDS-164"};
    tests = uet_select(&s, &n);
    assert_int_equal(n, 1);
    free(tests);
    s = (struct uet_selection){.glob = "nothing.of.this"};
    assert_null(uet_select(&s, &n));
    assert_int_equal(n, 0);
}

static void selected_requirements(void **state)
{
    const struct uet_requirement *r = uet_requirement_find("PDS-164");

    (void)state;
    assert_true(uet_selects_requirement(&(struct uet_selection){0}, r));
    assert_true(
        uet_selects_requirement(&(struct uet_selection){.requirement = "PDS-1 PDS-164"}, r));
    assert_false(uet_selects_requirement(&(struct uet_selection){.requirement = "PDS-038"}, r));
    assert_true(uet_selects_requirement(&(struct uet_selection){.section = r->section}, r));
    assert_false(uet_selects_requirement(
        &(struct uet_selection){.requirement = "PDS-164", .section = "9.9"}, r));
    assert_true(uet_selects_requirement(&(struct uet_selection){.glob = "zz.1.*"}, r));
    assert_false(uet_selects_requirement(&(struct uet_selection){.glob = "zz.1.2.open-one"}, r));
}

static void parts_of_an_id(void **state)
{
    const struct uet_test test = {.id = "pds.3.5.12.7.no-2-alike",
                                  .requirements = "PDS-001 SES-002"};
    char out[UET_SECTION_MAX];
    size_t n;

    (void)state;
    assert_string_equal(uet_test_area(&test, out), "pds");
    assert_string_equal(uet_test_section(&test, out), "3.5.12.7");
    assert_string_equal(uet_test_slug(&test), "no-2-alike");
    assert_true(uet_test_claims(&test, "SES-002"));
    assert_false(uet_test_claims(&test, "SES-003"));
    const struct uet_test **tests = uet_tests_sorted(&n);
    assert_string_equal(tests[0]->id, "zz.1.2.open-one");
    assert_string_equal(tests[n - 1]->id, "zz.1.11.altered");
    free(tests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(captures_of_real_ports_have_wall_clock_times),
        TEST(gate),
        TEST(gate_lets_deviations_pass),
        TEST(failures_are_confirmed),
        TEST(known_deviations),
        TEST(known_by_requirement),
        TEST(known_by_pattern),
        TEST(selection),
        TEST(selected_requirements),
        TEST(parts_of_an_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
