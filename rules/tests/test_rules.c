/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every rule fires on a packet that breaks it, and none fires on the correct conversation, from
 * any vantage, whatever part of it was captured.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rules.h"
#include "rules/tests/cases.h"
#include "rules/tests/judge.h"
#include "track/arena.h"

#define MAX_VIOLATIONS JUDGE_MAX

struct fixture {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    struct uet_violation found[MAX_VIOLATIONS];
    size_t n;
};

static void fixture_open(struct fixture *c, uint8_t vantage, bool from_start,
                         const struct uet_ip *sender)
{
    uet_track_arena_init(&c->arena, 0);
    const struct uet_track_config track = {.vantage = vantage,
                                           .from_start = from_start,
                                           .dscp_trimmed = UINT64_C(1) << TALK_DSCP_TRIMMED |
                                                           UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .dscp_trimmed_lasthop = UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .allocator = uet_track_arena_allocator(&c->arena)};
    struct uet_rules_config rules = {
        .vantage = vantage, .spec = UET_VERSION_1_0_3, .dscp_control = 1};
    if (sender)
        rules.sender = *sender;
    c->track = uet_track_new(&track);
    c->rules = uet_rules_new(&rules, &track.allocator);
    assert_non_null(c->track);
    assert_non_null(c->rules);
}

static void fixture_close(struct fixture *c)
{
    uet_rules_free(c->rules);
    uet_track_free(c->track);
    uet_track_arena_free(&c->arena);
}

static void judge(struct fixture *c, const struct talk_packet *p)
{
    const struct uet_tracked *t = uet_track_add(c->track, p->frame, p->len, 0);
    assert_non_null(t);
    c->n = judge_packet(c->rules, t, c->found);
}

static void expect_none(const struct fixture *c, const char *where, enum talk_name name)
{
    for (size_t i = 0; i < c->n; i++)
        print_error("%s, packet %d: %s: %s\n", where, name, c->found[i].requirement,
                    c->found[i].message);
    assert_int_equal(c->n, 0);
}

static bool fired(const struct fixture *c, const char *requirement)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->found[i].requirement, requirement) == 0)
            return true;
    return false;
}

static void ids_stand_in_the_specification(void **state)
{
    (void)state;
    assert_true(uet_n_rules() >= 20);
    for (size_t i = 0; i < uet_n_rules(); i++) {
        const struct uet_rule_info *info = uet_rule(i);
        const struct uet_requirement *r = uet_requirement_find(info->requirement);
        if (!r)
            fail_msg("%s is no requirement", info->requirement);
        else if (uet_requirement_canonical(r) != r)
            fail_msg("%s is %s", r->id, uet_requirement_canonical(r)->id);
        assert_true(info->title[0] != '\0' && strchr(info->title, '\n') == NULL);
    }
    assert_null(uet_rule(uet_n_rules()));
}

static void correct_talk_from_everywhere(void **state)
{
    (void)state;
    struct talk talk;
    talk_default(&talk);
    talk_write(&talk);
    for (uint8_t vantage = UET_VANTAGE_MIDDLE; vantage <= UET_VANTAGE_BOTH; vantage++) {
        struct fixture c;
        fixture_open(&c, vantage, true, NULL);
        for (enum talk_name n = 0; n < TALK_N; n++) {
            judge(&c, &talk.packet[n]);
            expect_none(&c, "whole talk", n);
        }
        fixture_close(&c);
    }
}

/* Data in ACKs may leave on the class of data (3.5.5). */
static void read_data_of_either_class(void **state)
{
    (void)state;
    static struct talk talk;
    talk_default(&talk);
    talk_write(&talk);
    struct fixture c;
    fixture_open(&c, UET_VANTAGE_BOTH, true, NULL);
    struct talk_packet *p = &talk.packet[TALK_READ_ACK3];
    uet_ipv4_dscp_set(p->frame + UET_ETH_BYTES, 1);
    talk_mend(p);
    for (enum talk_name n = TALK_READ_SYN0; n <= TALK_READ_ACK3; n++) {
        judge(&c, &talk.packet[n]);
        expect_none(&c, "read data", n);
    }
    fixture_close(&c);
}

/* The case's packet, altered, after the correct packets before it. */
static void run_case(const struct rule_case *k)
{
    static struct talk talk;
    talk_default(&talk);
    talk_write(&talk);
    struct fixture c;
    fixture_open(&c, k->vantage, true, NULL);
    enum talk_name n = k->from;
    for (; n < k->name; n++) {
        if (n == k->omit && k->omit)
            continue;
        judge(&c, &talk.packet[n]);
        expect_none(&c, k->requirement, n);
    }
    struct talk_packet *p = &talk.packet[k->name];
    k->alter(p, talk_pds(p), talk_ses(p));
    talk_mend(p);
    judge(&c, p);
    for (enum talk_name m = k->name + 1; m <= k->until && !fired(&c, k->requirement); m++)
        judge(&c, &talk.packet[m]);
    if (!fired(&c, k->requirement)) {
        for (size_t i = 0; i < c.n; i++)
            print_error("  fired: %s %s\n", c.found[i].requirement, c.found[i].message);
        fail_msg("%s did not fire on packet %d", k->requirement, k->name);
    }
    for (size_t i = 0; i < c.n; i++) {
        if (!k->until)
            assert_int_equal(c.found[i].number, n + 1u - k->from - (k->omit ? 1u : 0u));
        assert_true(strlen(c.found[i].message) > 10);
    }
    fixture_close(&c);
}

static void each_rule_fires(void **state)
{
    (void)state;
    for (size_t i = 0; rule_case_at(i); i++)
        run_case(rule_case_at(i));
}

/* What the tester breaks on purpose is not held against the FEP under test. */
static void only_the_sender_is_judged(void **state)
{
    (void)state;
    struct talk talk;
    struct fixture c;
    talk_default(&talk);
    talk_write(&talk);
    struct talk_packet bad = talk.packet[TALK_SYN0];
    uet_rud_rod_req_clear_psn_offset_set(talk_pds(&bad), 5);
    fixture_open(&c, UET_VANTAGE_BOTH, true, &talk.target);
    judge(&c, &bad);
    assert_int_equal(c.n, 0);
    fixture_close(&c);
    fixture_open(&c, UET_VANTAGE_BOTH, true, &talk.initiator);
    judge(&c, &bad);
    assert_true(fired(&c, "PDS-072"));
    fixture_close(&c);
}

static void no_more_violations_than_room(void **state)
{
    (void)state;
    struct talk talk;
    struct fixture c;
    talk_default(&talk);
    talk_write(&talk);
    fixture_open(&c, UET_VANTAGE_BOTH, true, NULL);
    uet_rud_rod_req_clear_psn_offset_set(talk_pds(&talk.packet[TALK_SYN0]), 5);
    const struct uet_tracked *t =
        uet_track_add(c.track, talk.packet[0].frame, talk.packet[0].len, 0);
    size_t all = uet_rules_check(c.rules, t, c.found, MAX_VIOLATIONS);
    assert_true(all >= 2); /* PDS-071 and PDS-072 */
    assert_int_equal(uet_rules_check(c.rules, t, c.found, 1), 1);
    assert_int_equal(uet_rules_check(c.rules, t, c.found, 0), 0);
    fixture_close(&c);
}

/* Several PDCs one after the other between the same FEPs, PDCIDs taken again. */
static size_t write_long_talk(struct talk *talk, uint64_t *seed, struct talk_packet *out)
{
    size_t n = 0;
    talk_default(talk);
    for (int pdc = 0; pdc < 4; pdc++) {
        talk->start = (uint32_t)talk_random(seed);
        talk->start2 = talk->start + 0x20000 + (uint32_t)talk_random(seed) % 0x40000000;
        talk->entropy = (uint16_t)talk_random(seed);
        if (talk_random(seed) % 2)
            talk->tpdcid = (uint16_t)(1 + talk_random(seed) % 0xfff0);
        talk_write(talk);
        memcpy(out + n, talk->packet, sizeof talk->packet);
        n += TALK_N;
    }
    return n;
}

struct cut_capture {
    uint8_t vantage;
    unsigned lose; /* percent of the packets that the capture misses */
    unsigned swap; /* percent that a neighbour passes */
    bool cut;      /* capture begins and ends anywhere */
};

static void judge_cut_capture(const struct cut_capture *view, uint64_t seed)
{
    static struct talk talk;
    static struct talk_packet packet[4 * TALK_N];
    char where[64];
    struct fixture c;
    snprintf(where, sizeof where, "vantage %u seed %llu", view->vantage, (unsigned long long)seed);
    size_t n = write_long_talk(&talk, &seed, packet), from = 0;
    if (view->cut) {
        from = talk_random(&seed) % n;
        n = from + talk_random(&seed) % (n - from);
    }
    for (size_t i = from; i + 1 < n; i++)
        if (talk_random(&seed) % 100 < view->swap) {
            struct talk_packet p = packet[i];
            packet[i] = packet[i + 1];
            packet[i + 1] = p;
        }
    fixture_open(&c, view->vantage, !view->cut, NULL);
    for (size_t i = from; i < n; i++) {
        if (talk_random(&seed) % 100 < view->lose)
            continue;
        judge(&c, &packet[i]);
        expect_none(&c, where, (enum talk_name)(i % TALK_N));
        if (view->vantage == UET_VANTAGE_MIDDLE && talk_random(&seed) % 10 == 0) {
            judge(&c, &packet[i]); /* captured twice */
            expect_none(&c, where, (enum talk_name)(i % TALK_N));
        }
    }
    fixture_close(&c);
}

/* In the middle any subset may be seen, in nearly any order: the rules abstain. */
static void middle_never_accuses_wrongly(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        const struct cut_capture view = {.vantage = UET_VANTAGE_MIDDLE,
                                         .lose = (unsigned)(seed % 10) * 10,
                                         .swap = (unsigned)(seed % 3) * 20,
                                         .cut = seed % 4 != 0};
        judge_cut_capture(&view, seed);
    }
}

/* At one end a capture may begin late, but then nothing is missing. */
static void ends_may_begin_late(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        const struct cut_capture view = {.vantage = (uint8_t)(1 + seed % 2), .cut = true};
        judge_cut_capture(&view, seed);
    }
}

/* Altered and random frames: whatever comes, no crash, and every message is one line. */
static void any_frame(void **state)
{
    (void)state;
    uint64_t seed = 7;
    static struct talk talk;
    talk_default(&talk);
    talk_write(&talk);
    for (uint8_t vantage = UET_VANTAGE_MIDDLE; vantage <= UET_VANTAGE_BOTH; vantage++) {
        struct fixture c;
        fixture_open(&c, vantage, true, NULL);
        for (unsigned i = 0; i < 25000; i++) {
            struct talk_packet p = talk.packet[talk_random(&seed) % TALK_N];
            uint64_t r = talk_random(&seed);
            for (unsigned k = 0; k < r % 6; k++)
                p.frame[34 + talk_random(&seed) % (p.len - 34)] = (uint8_t)talk_random(&seed);
            if (r % 7 == 0)
                p.len = talk_random(&seed) % (p.len + 1);
            judge(&c, &p);
            for (size_t k = 0; k < c.n; k++) {
                assert_true(strlen(c.found[k].message) < sizeof c.found[k].message);
                assert_null(strchr(c.found[k].message, '\n'));
            }
        }
        fixture_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_stand_in_the_specification),
        cmocka_unit_test(correct_talk_from_everywhere),
        cmocka_unit_test(read_data_of_either_class),
        cmocka_unit_test(each_rule_fires),
        cmocka_unit_test(only_the_sender_is_judged),
        cmocka_unit_test(no_more_violations_than_room),
        cmocka_unit_test(middle_never_accuses_wrongly),
        cmocka_unit_test(ends_may_begin_late),
        cmocka_unit_test(any_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
