/* SPDX-License-Identifier: BSD-2-Clause */
/* Plays the scripts (scripts.h): each shows its violation with the last packet, and not before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/tests/cases.h"
#include "rules/tests/judge.h"
#include "rules/tests/scripts.h"
#include "track/arena.h"

struct fixture {
    struct uet_track_arena arena;
    struct uet_track *track;
    struct uet_rules *rules;
    uint64_t now;
    struct uet_violation found[MAX_VIOLATIONS];
    size_t n;
};

static void fixture_open(struct fixture *c, uint8_t vantage, uint8_t spec)
{
    *c = (struct fixture){.now = MS};
    uet_track_arena_init(&c->arena, 0);
    const struct uet_track_config track = {.vantage = vantage,
                                           .from_start = true,
                                           .dscp_trimmed = UINT64_C(1) << TALK_DSCP_TRIMMED |
                                                           UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .dscp_trimmed_lasthop = UINT64_C(1) << TALK_DSCP_LASTHOP,
                                           .allocator = uet_track_arena_allocator(&c->arena)};
    static const struct uet_rules_window window = {
        .max_wnd = 2500, .loss_ns = 100 * MS, .max_credit = 900};
    const struct uet_rules_config rules = {.vantage = vantage, .spec = spec, .window = &window};
    c->track = uet_track_new(&track);
    c->rules = uet_rules_new(&rules, &track.allocator);
}

/* As if it had been sealed; it carries an ICV, which is as long as the last bytes of the payload.
 */
static const struct uet_tracked *give_sealed(struct fixture *c, struct talk_packet *p,
                                             const struct sealed *sealed)
{
    struct uet_packet packet;
    const struct uet_parse_options options = {.lenient = true};
    uet_parse(&packet, p->frame, p->len, &options);
    packet.tss = sealed->sp ? UET_H_TSS_HDR_16 : UET_H_TSS_HDR_12;
    packet.sdi = sealed->sdi;
    packet.seal = sealed->seal;
    if (sealed->closed) {
        packet.pds = packet.ses = UET_H_NONE;
        packet.error = UET_PARSE_SEALED;
        packet.tss_offset = packet.pds_offset;
        packet.icv_offset = (uint16_t)(packet.ip_end - UET_TSS_TRAILER_BYTES);
    }
    return uet_track_add_packet(c->track, &packet, c->now);
}

static void give(struct fixture *c, struct stage *s, unsigned name)
{
    struct talk_packet p = *at(s, name);
    talk_mend(&p);
    c->now += name < TALK_N ? US : MS;
    const struct sealed *sealed = name < TALK_N ? NULL : &s->sealed[name - TALK_N];
    const struct uet_tracked *t = sealed && sealed->sdi
                                      ? give_sealed(c, &p, sealed)
                                      : uet_track_add(c->track, p.frame, p.len, c->now);
    assert_non_null(t);
    c->n = judge_packet(c->rules, t, c->found);
}

static bool fired(const struct fixture *c, const char *requirement)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->found[i].requirement, requirement) == 0)
            return true;
    return false;
}

static size_t list(const struct script *k, uint8_t *out)
{
    size_t n = 0;
    for (unsigned i = k->from; k->to && i <= k->to; i++)
        out[n++] = (uint8_t)i;
    for (unsigned i = 0; k->then[i] != END; i++)
        out[n++] = k->then[i];
    return n;
}

static void play(const struct script *k)
{
    static struct stage s;
    struct fixture c;
    uint8_t given[GIVEN];
    memset(&s, 0, sizeof s);
    talk_default(&s.talk);
    talk_write(&s.talk);
    k->alter(&s);
    size_t n = list(k, given);
    assert_true(n && n <= GIVEN);
    fixture_open(&c, k->vantage, s.spec);
    for (size_t i = 0; i < n; i++) {
        give(&c, &s, given[i]);
        if (i + 1 < n && fired(&c, k->requirement))
            fail_msg("%s fires on packet %u already", k->requirement, given[i]);
    }
    if (!fired(&c, k->requirement)) {
        for (size_t i = 0; i < c.n; i++)
            print_error("  fired: %s %s\n", c.found[i].requirement, c.found[i].message);
        fail_msg("%s did not fire", k->requirement);
    }
    uet_track_arena_free(&c.arena);
}

static void each_script_shows_its_violation(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_pds_scripts; i++)
        play(&pds_scripts[i]);
    for (size_t i = 0; i < n_message_scripts; i++)
        play(&message_scripts[i]);
    for (size_t i = 0; i < n_tss_scripts; i++)
        play(&tss_scripts[i]);
}

/* What a later version brought is not held against an earlier one. */
static void versions(void **state)
{
    (void)state;
    static const struct {
        void (*alter)(struct stage *s);
        unsigned name;
        const char *requirement;
    } since_1_0_3[] = {{uud_id, TALK_UUD, "SES-035"}, {uud_error, TALK_UUD, "SES-037"}};
    static struct stage s;
    for (size_t i = 0; i < sizeof since_1_0_3 / sizeof *since_1_0_3; i++)
        for (uint8_t spec = UET_VERSION_1_0_3; spec <= UET_VERSION_1_0_1; spec++) {
            struct fixture c;
            talk_default(&s.talk);
            talk_write(&s.talk);
            since_1_0_3[i].alter(&s);
            fixture_open(&c, MIDDLE, spec);
            give(&c, &s, since_1_0_3[i].name);
            assert_int_equal(fired(&c, since_1_0_3[i].requirement), spec == UET_VERSION_1_0_3);
            uet_track_arena_free(&c.arena);
        }
}

/* Only an ACK Request about a CP may get a response, and only a default one (3.5.16.2). */
static void response_about_a_cp(void **state)
{
    (void)state;
    static struct stage s;
    for (int asked = 0; asked < 2; asked++)
        for (int i = 0; i < 3; i++) {
            static const uint8_t opcodes[] = {UET_RSP_DEFAULT_RESPONSE, UET_RSP_NO_RESPONSE,
                                              UET_RSP_RESPONSE};
            struct fixture c;
            talk_default(&s.talk);
            talk_write(&s.talk);
            uint32_t psn = uet_cp_psn(pds(&s, TALK_NOOP6));
            uet_cp_psn_set(pds(&s, TALK_ASK8), psn);
            uet_ack_cack_psn_set(pds(&s, TALK_ACK8), psn);
            uet_ses_rsp_opcode_set(ses(&s, TALK_ACK8), opcodes[i]);
            fixture_open(&c, MIDDLE, UET_VERSION_1_0_3);
            for (unsigned name = TALK_SYN0; name <= TALK_NOOP6; name++)
                give(&c, &s, name);
            if (asked)
                give(&c, &s, TALK_ASK8);
            give(&c, &s, TALK_ACK8);
            assert_int_equal(fired(&c, "PDS-109"), !asked || opcodes[i] == UET_RSP_RESPONSE);
            uet_track_arena_free(&c.arena);
        }
}

static void stays_quiet(const struct script *k)
{
    static struct stage s;
    struct fixture c;
    uint8_t given[GIVEN];
    memset(&s, 0, sizeof s);
    talk_default(&s.talk);
    talk_write(&s.talk);
    k->alter(&s);
    size_t n = list(k, given);
    fixture_open(&c, k->vantage, s.spec);
    for (size_t p = 0; p < n; p++) {
        give(&c, &s, given[p]);
        assert_false(fired(&c, k->requirement));
    }
    uet_track_arena_free(&c.arena);
}

/* What looks like a violation under TSS and is none. */
static void sealed_and_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tss_quiet; i++)
        stays_quiet(&tss_quiet[i]);
}

static void bytes_behind(struct stage *s)
{
    talk_resize(at(s, TALK_REQ2), 8);
}

/* A single packet with more bytes than its message has. */
static void single_too_long(struct stage *s)
{
    acked_ok(s);
    uet_ses_req_std_request_length_set(ses(s, TALK_REQ3), 60);
}

/*
 * What stands behind the payload that payload_length tells is no payload (3.4.1.7), and a packet
 * with SOM=1, which tells none, may be cut to request_length: a target that takes them breaks
 * nothing.
 */
static void surplus_bytes_are_no_payload(void **state)
{
    (void)state;
    static const struct script quiet[] = {
        {"SES-047", TARGET, bytes_behind, TALK_SYN0, TALK_REQ2, {TALK_ACK2, END}},
        {"SES-047", TARGET, single_too_long, TALK_SYN0, TALK_REQ3, {X0, END}},
    };
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        stays_quiet(&quiet[i]);
}

/* The NACK of the gap answers a packet that was sent again, behind the gap's. */
static void lost_again(struct stage *s)
{
    late_ack(s);
    uet_nack_retx_set(pds(s, TALK_ROD_OOO2), true);
}

/* A round trip of two milliseconds, and one from the NACK to the resend: a datagram takes each. */
static void timer_behind_nack(struct stage *s)
{
    late_ack(s);
    extra(s, X1, TALK_UUD);
    extra(s, X2, TALK_UUD);
}

/*
 * ROD goes back a second time within a round trip, but not for a NACK of a gap that it knew: no
 * NACK came, or came long before, so a timer did it (3.5.15); or the NACK tells that the resend was
 * lost, too.
 */
static void go_back_of_its_own(void **state)
{
    (void)state;
    static const struct script quiet[] = {
        {"PDS-168", START, late_ack,
         .then = {TALK_ROD_SYN0, X0, TALK_ROD_REQ1, TALK_ROD_REQ2, TALK_ROD_OOO2,
                  TALK_ROD_REQ1_RETX, TALK_ROD_REQ2_RETX, TALK_ROD_REQ1_RETX, END}},
        {"PDS-168", START, lost_again,
         .then = {TALK_ROD_SYN0, X0, TALK_ROD_REQ1, TALK_ROD_REQ2, TALK_ROD_OOO2,
                  TALK_ROD_REQ1_RETX, TALK_ROD_REQ2_RETX, TALK_ROD_OOO2, TALK_ROD_REQ1_RETX, END}},
        {"PDS-168", START, timer_behind_nack,
         .then = {TALK_ROD_SYN0, X1, X0, TALK_ROD_REQ1, TALK_ROD_REQ2, TALK_ROD_OOO2,
                  TALK_ROD_REQ1_RETX, TALK_ROD_REQ2_RETX, TALK_ROD_OOO2, X2, TALK_ROD_REQ1_RETX,
                  END}},
    };
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        stays_quiet(&quiet[i]);
}

/* S+1 has come by now, and S+2 is expected: that is told before the NACK of the gap at S+1. */
static void earlier_gap_late(struct stage *s)
{
    extra(s, X0, TALK_ROD_REQ2);
    add_psn(s, X0, 1);
    uint8_t *h = extra(s, X1, TALK_ROD_OOO2);
    uet_nack_nack_psn_set(h, uet_nack_nack_psn(h) + 1);
    uet_nack_payload_set(h, uet_nack_payload(h) + 1);
}

/* A NACK that is late tells of a gap that is closed: the source does not go back to it. */
static void late_gap(void **state)
{
    (void)state;
    static const struct script quiet = {"PDS-167", START, earlier_gap_late,
                                        .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ1,
                                                 TALK_ROD_REQ2, X0, X1, TALK_ROD_OOO2,
                                                 TALK_ROD_REQ2_RETX, END}};
    static const struct script blamed = {"PDS-167", START, earlier_gap_late,
                                         .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ1,
                                                  TALK_ROD_REQ2, X0, TALK_ROD_OOO2,
                                                  TALK_ROD_REQ2_RETX, END}};
    stays_quiet(&quiet);
    play(&blamed);
}

/* The second packet behind the gap is refused, and its NACK comes when all was sent again. */
static void refused_behind(struct stage *s)
{
    uet_nack_nack_psn_set(pds(s, TALK_NACK7), uet_nack_nack_psn(pds(s, TALK_ROD_OOO2)));
    uet_nack_spdcid_set(pds(s, TALK_NACK7), uet_nack_spdcid(pds(s, TALK_ROD_OOO2)));
    uet_nack_dpdcid_set(pds(s, TALK_NACK7), uet_nack_dpdcid(pds(s, TALK_ROD_OOO2)));
    uet_nack_nack_code_set(pds(s, TALK_NACK7), UET_NACK_PKT_NOT_RCVD);
}

/*
 * The source goes back for a NACK of another code before UET_ROD_OOO tells it of the gap. What a
 * NACK names later it sends again from there on (Table 3-58): that is no gap left open.
 */
static void resend_that_a_nack_asks_for(void **state)
{
    (void)state;
    static const struct script quiet = {"PDS-167", START, refused_behind,
                                        .then = {TALK_ROD_SYN0, TALK_ROD_ACK0, TALK_ROD_REQ1,
                                                 TALK_ROD_REQ2, TALK_ROD_REQ1_RETX,
                                                 TALK_ROD_REQ2_RETX, TALK_ROD_OOO2, TALK_NACK7,
                                                 TALK_ROD_OOO2, TALK_ROD_REQ2_RETX, END}};
    stays_quiet(&quiet);
}

/* The SACK that tells S+4 received: first in the answer to a Probe, then in an ACK of S+2. */
static void told_to_probe(struct stage *s)
{
    uet_ack_p_set(extra(s, X0, TALK_ACKCC4), true);
    uet_ack_ack_psn_offset_set(extra(s, X1, TALK_ACKCC4), 0);
    uet_rud_rod_req_retx_set(extra(s, X2, TALK_REQ4), true);
}

/*
 * What a source makes of the answer to a Probe is contested (3.5.10.5); another ACK that tells the
 * same is to be heard (3.5.20.3.2).
 */
static void told_in_probe_answer(void **state)
{
    (void)state;
    static const struct script quiet = {"PDS-116", START,     told_to_probe,
                                        TALK_SYN0, TALK_REQ4, {X0, X2, END}};
    static const struct script blamed = {"PDS-116", START,     told_to_probe,
                                         TALK_SYN0, TALK_REQ4, {X0, X1, X2, END}};
    stays_quiet(&quiet);
    play(&blamed);
}

/* NACK of S+4, and then SACK tells that it was received. */
static void wanted_though_sacked(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_NACK7);
    uet_nack_nack_psn_set(h, uet_rud_rod_req_psn(pds(s, TALK_REQ4)));
    uet_nack_nack_code_set(h, UET_NACK_ACK_WITH_DATA);
    uet_ack_ack_psn_offset_set(extra(s, X1, TALK_ACKCC4), 0);
    uet_rud_rod_req_retx_set(extra(s, X2, TALK_REQ4), true);
}

static void of_another_code(struct stage *s)
{
    wanted_though_sacked(s);
    uet_nack_nack_code_set(pds(s, X0), UET_NACK_NO_RESOURCE);
}

/* The ACK of it has data: the packet comes again, whatever SACK tells of it (Table 3-58). */
static void data_asked_for(void **state)
{
    (void)state;
    static const struct script quiet = {"PDS-116", START,     wanted_though_sacked,
                                        TALK_SYN0, TALK_REQ4, {X0, X1, X2, END}};
    static const struct script blamed = {"PDS-116", START,     of_another_code,
                                         TALK_SYN0, TALK_REQ4, {X0, X1, X2, END}};
    stays_quiet(&quiet);
    play(&blamed);
}

static void asks_to_close(struct stage *s)
{
    uint8_t *h = extra(s, X0, TALK_READ_ACK5);
    uet_ack_req_set(h, UET_ACK_REQ_CLOSE);
}

/*
 * A target asks for a close when its own packets are acknowledged (T11), or when it has given them
 * up (T16): behind that it may agree to the close. What it sends later is not given up.
 */
static void data_given_up(void **state)
{
    (void)state;
    static const struct script quiet = {"PDS-211",
                                        TARGET,
                                        asks_to_close,
                                        TALK_READ_SYN0,
                                        TALK_READ_DATA5_RETX,
                                        {X0, TALK_READ_CLOSE, TALK_READ_CLOSED, END}};
    static const struct script blamed = {"PDS-211",
                                         TARGET,
                                         asks_to_close,
                                         TALK_READ_SYN0,
                                         TALK_READ_ACK5,
                                         {X0, TALK_READ_DATA5, TALK_READ_RNACK5,
                                          TALK_READ_DATA5_RETX, TALK_READ_CLOSE, TALK_READ_CLOSED,
                                          END}};
    stays_quiet(&quiet);
    play(&blamed);
}

static bool has_script(const struct script *scripts, size_t n, const char *requirement)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(scripts[i].requirement, requirement) == 0)
            return true;
    return false;
}

static bool has_case(const char *requirement)
{
    for (size_t i = 0; rule_case_at(i); i++)
        if (strcmp(rule_case_at(i)->requirement, requirement) == 0)
            return true;
    for (size_t i = 0; tss_framed[i]; i++)
        if (strcmp(tss_framed[i], requirement) == 0)
            return true;
    return has_script(pds_scripts, n_pds_scripts, requirement) ||
           has_script(message_scripts, n_message_scripts, requirement) ||
           has_script(tss_scripts, n_tss_scripts, requirement);
}

/* A rule that nothing breaks proves nothing. */
static void each_rule_has_a_case(void **state)
{
    (void)state;
    unsigned missing = 0;
    for (size_t i = 0; i < uet_n_rules(); i++) {
        if (has_case(uet_rule(i)->requirement))
            continue;
        print_error("%s has no case: %s\n", uet_rule(i)->requirement, uet_rule(i)->title);
        missing++;
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_script_shows_its_violation),
        cmocka_unit_test(sealed_and_sound),
        cmocka_unit_test(versions),
        cmocka_unit_test(response_about_a_cp),
        cmocka_unit_test(surplus_bytes_are_no_payload),
        cmocka_unit_test(go_back_of_its_own),
        cmocka_unit_test(resend_that_a_nack_asks_for),
        cmocka_unit_test(late_gap),
        cmocka_unit_test(data_given_up),
        cmocka_unit_test(told_in_probe_answer),
        cmocka_unit_test(data_asked_for),
        cmocka_unit_test(each_rule_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
