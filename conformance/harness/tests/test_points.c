/* SPDX-License-Identifier: BSD-2-Clause */
/* Points: their names, how few of them cover a space, and what a test at all of them comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "conformance/harness/tests/toy.h"

/* ---- names ---- */

static void places_have_names_of_their_own(void **state)
{
    struct uet_point point, again;
    char name[UET_POINT_NAME];
    const char *wrong;
    size_t n;

    (void)state;
    for (size_t d = 0; d < UET_N_DIMENSIONS; d++) {
        assert_in_range(uet_n_places(&uet_dimensions[d]), 2, UET_MAX_PLACES);
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++) {
            point = (struct uet_point){0};
            point.place[d] = (uint8_t)p;
            assert_true(uet_point_find(uet_point_name(&point, name), &again, &wrong, &n));
            assert_memory_equal(&point, &again, sizeof(point)); /* else two share it */
        }
    }
    assert_true(uet_point_find("ordinary", &point, &wrong, &n));
    assert_true(uet_point_is_ordinary(&point));
    assert_string_equal(uet_point_name(&point, name), "ordinary");
    assert_false(uet_point_find("wrap,moon", &point, &wrong, &n));
    assert_int_equal(n, 4);
    assert_memory_equal(wrong, "moon", 4);
    assert_false(uet_point_find("wrap,half", &point, &wrong, &n)); /* one dimension, two places */
    assert_memory_equal(wrong, "half", 4);
    assert_false(uet_point_find("", &point, &wrong, &n));
}

/* ---- covering ---- */

static const struct uet_point ordinary;

static bool stands_at(const struct uet_point *points, size_t n, int d, int p, int e, int q)
{
    if (p == 0 && q == 0)
        return true; /* the ordinary point */
    for (size_t i = 0; i < n; i++)
        if (points[i].place[d] == p && points[i].place[e] == q)
            return true;
    return false;
}

static struct uet_space everything(void)
{
    struct uet_space space = {0};

    for (size_t d = 0; d < UET_N_DIMENSIONS; d++)
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++)
            space.places[d] |= (uint16_t)(1u << p);
    return space;
}

static void every_two_places_meet(void **state)
{
    struct uet_point points[UET_MAX_POINTS], again[UET_MAX_POINTS];
    const struct uet_space space = everything();
    size_t n = uet_cover(&space, UET_DEPTH_DEFAULT, 7, NULL, 0, points, UET_MAX_POINTS);

    (void)state;
    assert_in_range(n, 1, UET_MAX_POINTS - 1);
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        for (int e = 0; e < UET_N_DIMENSIONS; e++)
            for (size_t p = 0; p < uet_n_places(&uet_dimensions[d]); p++)
                for (size_t q = 0; d != e && q < uet_n_places(&uet_dimensions[e]); q++)
                    assert_true(stands_at(points, n, d, (int)p, e, (int)q));
    for (size_t i = 0; i < n; i++)
        assert_memory_not_equal(&points[i], &ordinary, sizeof(ordinary));
    assert_int_equal(uet_cover(&space, UET_DEPTH_DEFAULT, 7, NULL, 0, again, UET_MAX_POINTS), n);
    assert_memory_equal(points, again, n * sizeof(*points)); /* the same seed, the same points */
    assert_int_equal(uet_cover(&space, UET_DEPTH_SMOKE, 7, NULL, 0, points, UET_MAX_POINTS), 0);
    assert_int_equal(uet_cover(&space, UET_DEPTH_DEFAULT, 7, NULL, 0, points, 2), 2);
}

/* What a cover has room for is all that three dimensions can have meet. */
static void every_three_places_have_room(void **state)
{
    size_t sets = 0;

    (void)state;
    for (int d = 0; d < UET_N_DIMENSIONS; d++)
        for (int e = 0; e < d; e++)
            for (int f = 0; f < e; f++)
                sets += uet_n_places(&uet_dimensions[d]) * uet_n_places(&uet_dimensions[e]) *
                        uet_n_places(&uet_dimensions[f]);
    assert_in_range(sets, 1, UET_MAX_SETS);
}

static void only_places_of_the_space(void **state)
{
    struct uet_space space = {0};
    struct uet_point points[UET_MAX_POINTS];

    (void)state;
    assert_int_equal(uet_cover(&space, UET_DEPTH_DEEP, 1, NULL, 0, points, UET_MAX_POINTS), 0);
    space.places[UET_OVER_PSN] = 1u << 2;
    assert_int_equal(uet_cover(&space, UET_DEPTH_DEEP, 1, NULL, 0, points, UET_MAX_POINTS), 1);
    assert_int_equal(points[0].place[UET_OVER_PSN], 2);
}

/* ---- a test at its points ---- */

static const struct uet_result *run_at(const char *glob, uint8_t depth)
{
    struct uet_selection selection = {.glob = glob};

    session.depth = depth;
    run_selected(&selection);
    assert_true(n_results >= 1); /* entries of rules may follow */
    return &results[0];
}

/* A FEP whose slip shows across 2^32 alone, as an unsigned compare does. */
static void a_verdict_names_the_point(void **state)
{
    const char *id = "zz.1.10.after-preamble";

    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    toy.fails_at_zero = true;
    assert_int_equal(run_at(id, UET_DEPTH_SMOKE)->verdict, UET_PASS);
    assert_string_equal(results[0].points, "ordinary");
    run_at(id, UET_DEPTH_DEFAULT);
    assert_string_equal(results[0].id, id);
    assert_int_equal(results[0].verdict, UET_FAIL);
    assert_string_equal(results[0].failed_point, "zero");
    assert_string_equal(results[0].broken, "PDS-016");
    assert_true(strncmp(results[0].points, "ordinary ", 9) == 0);

    toy.fails_at_zero = false;
    assert_int_equal(run_at(id, UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    assert_string_equal(results[0].failed_point, "");
    assert_non_null(strstr(results[0].points, " wrap"));
}

static void one_point_is_repeated(void **state)
{
    (void)state;
    toy.fails_at_zero = true;
    assert_int_equal(run_at("zz.1.10.after-preamble@wrap", UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    assert_string_equal(results[0].points, "wrap");
    run_at("zz.1.10.after-preamble@zero", UET_DEPTH_DEFAULT);
    assert_int_equal(results[0].verdict, UET_FAIL);
    assert_string_equal(results[0].points, "zero");
    assert_string_equal(results[0].failed_point, "zero");
    run_at("zz.1.10.after-preamble@ordinary", UET_DEPTH_DEFAULT);
    assert_int_equal(results[0].verdict, UET_PASS);
    assert_string_equal(results[0].points, "ordinary");
}

/* Is there a point with both places? */
static bool meet(const char *points, const char *one, const char *other)
{
    for (const char *end; *points; points = *end ? end + 1 : end) {
        char name[UET_POINT_NAME];

        end = points + strcspn(points, " ");
        snprintf(name, sizeof(name), "%.*s", (int)(end - points), points);
        if (strstr(name, one) && strstr(name, other))
            return true;
    }
    return false;
}

/* Where a place is none, the others of its points are not lost: they meet without it. */
static void what_is_skipped_takes_no_others_along(void **state)
{
    static const char *const psns[] = {"wrap", "half", "wrap-later", "zero"};

    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    toy.not_when_used = true;
    const struct uet_result *r = run_at("zz.1.10.after-preamble", UET_DEPTH_DEFAULT);
    assert_int_equal(r->verdict, UET_PASS);
    assert_null(strstr(r->points, "used"));
    for (size_t i = 0; i < sizeof(psns) / sizeof(psns[0]); i++) {
        assert_true(meet(r->points, psns[i], "aged"));
        assert_true(meet(r->points, psns[i], "reopened"));
        assert_true(meet(r->points, psns[i], "rod"));
    }
    toy.not_when_used = false;
    assert_non_null(strstr(run_at("zz.1.10.after-preamble", UET_DEPTH_DEFAULT)->points, "used"));
}

/* A declaration takes a test out of a dimension; a sanity test goes over none. */
static void some_go_nowhere_else(void **state)
{
    struct uet_selection nobody = {.glob = "zz.1.2.open-one@wrap zz.1.9.stays@wrap"};
    size_t n;

    (void)state;
    assert_null(uet_select(&nobody, &n));
    assert_string_equal(run_at("zz.1.2.open-one", UET_DEPTH_DEEP)->points, "ordinary");
    assert_string_equal(run_at("zz.1.9.stays", UET_DEPTH_DEEP)->points, "ordinary");
    /* Nothing there hangs on a PDC of the tester's. */
    assert_string_equal(run_at("zz.1.9.should", UET_DEPTH_DEEP)->points, "ordinary");
    assert_int_equal(run_at("zz.1.9.should@wrap", UET_DEPTH_DEEP)->verdict, UET_SKIP);
}

/* A point that is asked for of others, or beside the whole test, is no point of this one. */
static void points_of_others_are_not_its_own(void **state)
{
    (void)state;
    run_at("zz.1.1*@reversed zz.1.10.after-preamble", UET_DEPTH_SMOKE);
    assert_string_equal(results[0].id, "zz.1.10.after-preamble");
    assert_string_equal(results[0].points, "ordinary");
    run_at("zz.1.10.after-preamble@wrap zz.1.10.after-preamble", UET_DEPTH_SMOKE);
    assert_string_equal(results[0].points, "ordinary");
}

/* A rule that is broken at one point only: its entry says where, and the test keeps its pass. */
static void findings_name_the_point(void **state)
{
    struct uet_selection selection = {.glob = "zz.1.10.after-preamble"};
    char where[160];

    (void)state;
    toy.retx_at_zero = true;
    session.depth = UET_DEPTH_DEFAULT;
    run_selected(&selection);
    assert_int_equal(results[0].verdict, UET_PASS);
    const char *point = results[0].findings[0].point; /* one where a Request has PSN 0 */
    assert_true(strstr(point, "zero") || strstr(point, "wrap"));
    assert_string_equal(results[1].id, "rule.PDS-105");
    assert_int_equal(results[1].verdict, UET_FAIL);
    assert_string_equal(results[1].failed_point, point);
    snprintf(where, sizeof(where), "zz.1.10.after-preamble@%s", point);
    assert_non_null(strstr(results[1].message, where));
}

/* The Requests that come to the FEP there: n. */
static const struct toy_heard *heard_at(const char *point, size_t n)
{
    char glob[160];

    snprintf(glob, sizeof(glob), "zz.1.9.two-in-one-go@%s", point);
    run_at(glob, UET_DEPTH_DEFAULT);
    assert_int_equal(results[0].verdict, UET_PASS);
    assert_string_equal(results[0].points, point);
    toy.n_heard = 0; /* it was run as it is written before, and now here alone */
    for (size_t d = 0; d < UET_N_DIMENSIONS; d++)
        for (size_t p = 1; p < uet_n_places(&uet_dimensions[d]); p++)
            if (strcmp(uet_dimensions[d].places[p].name, point) == 0) {
                struct uet_test at = *uet_test_find("zz.1.9.two-in-one-go");
                struct uet_result r = {0};
                at.point.place[d] = (uint8_t)p;
                uet_tc_run(&session, &at, &r);
            }
    assert_int_equal(toy.n_heard, n);
    return toy.heard;
}

static void places_differ_in_what_is_sent(void **state)
{
    const struct toy_heard *h;

    (void)state;
    dut.claims[UET_PICS_NO_OP] = dut.claims[UET_PICS_WRITE] = dut.claims[UET_PICS_READ] = true;
    dut.claims[UET_PICS_MEDIUM_HEADER] = dut.claims[UET_PICS_ROD] = true;
    dut.memory[dut.n_memory++] = (struct uet_dut_memory){.length = 4096};
    h = heard_at("wrap", 2);
    assert_true(h[0].psn == 0xffffffff && h[1].psn == 0);
    assert_true(h[0].entropy == h[1].entropy && !h[0].retx && h[0].type == UET_PDS_RUD_REQ);
    assert_int_equal(h[0].opcode, UET_OP_NO_OP);
    h = heard_at("sprayed", 2);
    assert_true(h[0].entropy != h[1].entropy);
    h = heard_at("write", 2);
    assert_true(h[0].opcode == UET_OP_WRITE && h[0].next_hdr == UET_NH_REQUEST_STD);
    h = heard_at("medium", 2);
    assert_true(h[1].opcode == UET_OP_WRITE && h[1].next_hdr == UET_NH_REQUEST_MEDIUM);
    h = heard_at("read", 2);
    assert_true(h[0].opcode == UET_OP_READ);
    h = heard_at("rod", 2);
    assert_true(h[0].type == UET_PDS_ROD_REQ && h[1].type == UET_PDS_ROD_REQ);
    h = heard_at("retx", 2);
    assert_true(h[0].retx && h[1].retx);
    h = heard_at("reversed", 2);
    assert_true(h[0].psn == h[1].psn + 1);
    h = heard_at("beside-gap",
                 4); /* two on the PDC beside, with a gap, and then those of the test */
    assert_true(h[1].psn == h[0].psn + 2 && h[2].psn == h[0].psn && h[3].psn == h[0].psn + 1);
    h = heard_at("beside-read", 3);
    assert_true(h[0].opcode == UET_OP_READ && h[0].psn == h[1].psn);
}

/* What damaged packets do to a FEP is no fault by the standard: a finding, a fail when strict. */
static void harm_of_damage_is_a_finding(void **state)
{
    const char *at = "zz.1.9.twelve-answers@damaged";

    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    assert_int_equal(results[0].n_findings, 0);
    toy.harmed_by_damage = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    assert_int_equal(results[0].n_findings, 1);
    assert_string_equal(results[0].findings[0].requirement, "ROB-057");
    assert_string_equal(results[0].findings[0].point, "damaged");
    session.strict = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_FAIL);
    assert_string_equal(results[0].broken, "ROB-057");
    assert_non_null(strstr(results[0].message, "ROB-057: (not the standard's text) PDS-016: "));
    assert_non_null(strstr(results[0].message, "\nrequired: ROB-057 (not the standard's text; "));
    assert_null(strstr(results[0].message, "required: PDS-016"));
    session.strict = false;
    toy.harmed_by_damage = false;
    toy.fails_at_zero = true; /* what fails without them, too, is the test's own */
    assert_int_equal(run_at("zz.1.9.twelve-answers@zero,damaged", UET_DEPTH_DEFAULT)->verdict,
                     UET_FAIL);
    assert_string_equal(results[0].failed_point, "zero");
}

/* So is what a rule sees there, whose requirement is a MUST. */
static void rules_amid_damage_are_findings(void **state)
{
    const char *at = "zz.1.9.twelve-answers@zero,damaged";

    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    toy.retx_at_zero = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    assert_int_equal(n_results, 1);
    assert_string_equal(results[0].findings[0].requirement, "ROB-057");
    assert_non_null(strstr(results[0].findings[0].text, "(not the standard's text) PDS-105: "));
    session.strict = true;
    run_at(at, UET_DEPTH_DEFAULT);
    session.strict = false;
    assert_int_equal(n_results, 2);
    assert_string_equal(results[1].id, "rule.ROB-057");
    assert_int_equal(results[1].verdict, UET_FAIL);
}

/* A FEP with room for one PDC: nothing is said of it at a point with company. */
static void company_needs_room(void **state)
{
    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    toy.one_pdc = true;
    assert_int_equal(run_at("zz.1.9.two-in-one-go@beside-gap", UET_DEPTH_DEEP)->verdict, UET_SKIP);
    toy.one_pdc = false;
    const struct uet_result *r = run_at("zz.1.9.two-in-one-go@beside-gap", UET_DEPTH_DEEP);
    assert_int_equal(r->verdict, UET_PASS);
    assert_string_equal(r->points, "beside-gap");
}

/* No place that the FEP does not claim, that nobody asked for, or where order would matter. */
static void only_where_it_is_fair(void **state)
{
    (void)state;
    dut.claims[UET_PICS_NO_OP] = dut.claims[UET_PICS_ROD] = true;
    dut.claims[UET_PICS_WRITE] = dut.claims[UET_PICS_SEND] = false;
    const char *points = run_at("zz.1.9.two-in-one-go", UET_DEPTH_DEEP)->points;
    assert_non_null(strstr(points, "rod"));
    assert_non_null(strstr(points, "reversed"));
    assert_null(strstr(points, "write"));
    assert_null(strstr(points, "read"));
    points = run_at("zz.1.9.out-of-step", UET_DEPTH_DEEP)->points;
    assert_null(strstr(points, "rod"));
    assert_null(strstr(points, "reversed"));
    assert_non_null(strstr(points, "wrap"));
    assert_int_equal(run_at("zz.1.9.out-of-step@rod", UET_DEPTH_DEEP)->verdict, UET_SKIP);
}

/*
 * Where time is real, a test of seconds goes to one point beside the ordinary one at most, and that
 * with one seed of four in a row; what it does not go to is told.
 */
static void long_tests_go_to_fewer(void **state)
{
    const char *id = "zz.1.9.takes-long";
    const uint64_t seed = session.seed;
    unsigned beside = 0;

    (void)state;
    const struct uet_result *r = run_at(id, UET_DEPTH_DEFAULT);
    assert_true(strlen(r->points) > sizeof("ordinary wrap zero"));
    assert_int_equal(r->points_out_of_time, 0);
    toy.port->caps &= ~(uint32_t)UET_PORT_VIRTUAL_TIME;
    for (session.seed = seed; session.seed < seed + 4; session.seed++) {
        r = run_at(id, UET_DEPTH_DEFAULT);
        const char *second = strchr(r->points, ' ');
        assert_true(r->points_out_of_time > 1);
        assert_true(!second || !strchr(second + 1, ' '));
        beside += second != NULL;
    }
    toy.port->caps |= UET_PORT_VIRTUAL_TIME;
    session.seed = seed;
    assert_int_equal(beside, 1);
}

/* No test speaks from an address that somebody has. */
static void strangers_have_an_address_of_their_own(void **state)
{
    const char *at = "zz.1.9.twelve-answers@strangers";
    struct uet_ip ip;

    (void)state;
    dut.claims[UET_PICS_NO_OP] = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_PASS);
    session.stranger_taken = true;
    assert_int_equal(run_at(at, UET_DEPTH_DEFAULT)->verdict, UET_SKIP);
    assert_null(strstr(run_at("zz.1.9.twelve-answers", UET_DEPTH_DEEP)->points, "strangers"));
    session.stranger_taken = false;
    struct uet_dut odd = dut;
    assert_int_equal(uet_ip_parse(&odd.tester[0], "192.0.2.11"), 0);
    assert_int_equal(uet_ip_parse(&odd.tester[1], "192.0.2.12"), 0);
    ip = uet_dut_stranger(&odd);
    assert_int_equal(ip.bytes[3], 75);
    assert_int_equal(uet_ip_parse(&odd.address, "192.0.2.75"), 0);
    ip = uet_dut_stranger(&odd); /* 75 is the FEP's: 10 */
    assert_int_equal(ip.bytes[3], 10);
}

/* Each point has a capture of its own, and other random numbers than the ordinary one. */
static void points_have_captures(void **state)
{
    char dir[] = "/tmp/uet-points-XXXXXX", path[128];
    int found = 0;

    (void)state;
    assert_non_null(mkdtemp(dir));
    session.pcap_dir = dir;
    run_at("zz.1.10.after-preamble", UET_DEPTH_DEFAULT);
    session.pcap_dir = NULL;
    for (const char *at = results[0].points, *word; *at;) {
        size_t n = uet_next_word(&at, &word);
        bool is_ordinary = n == 8 && memcmp(word, "ordinary", 8) == 0;

        snprintf(path, sizeof(path), "%s/zz.1.10.after-preamble%s%.*s.pcapng", dir,
                 is_ordinary ? "" : "@", is_ordinary ? 0 : (int)n, word);
        found += unlink(path) == 0;
    }
    assert_true(found > 2);
    assert_int_equal(rmdir(dir), 0); /* there are no others */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_have_names_of_their_own),
        cmocka_unit_test(every_two_places_meet),
        cmocka_unit_test(every_three_places_have_room),
        cmocka_unit_test(only_places_of_the_space),
        TEST(a_verdict_names_the_point),
        TEST(one_point_is_repeated),
        TEST(what_is_skipped_takes_no_others_along),
        TEST(some_go_nowhere_else),
        TEST(points_of_others_are_not_its_own),
        TEST(findings_name_the_point),
        TEST(places_differ_in_what_is_sent),
        TEST(harm_of_damage_is_a_finding),
        TEST(rules_amid_damage_are_findings),
        TEST(company_needs_room),
        TEST(only_where_it_is_fair),
        TEST(long_tests_go_to_fewer),
        TEST(strangers_have_an_address_of_their_own),
        TEST(points_have_captures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
