/* SPDX-License-Identifier: BSD-2-Clause */
/* One test from begin to end: set up, body, what nobody expected, postamble, capture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"
#include "conformance/harness/run/in_place.h"
#include "conformance/harness/security.h"

void uet_session_default(struct uet_session *s)
{
    *s = (struct uet_session){.seed = 1, .slow = 1, .time_scale = 1, .ceiling_s = 60};
    s->incarnation = (uint32_t)(uet_wall_ns() >> 10) * 2654435761u;
}

/* A test repeats identically when run alone: its random numbers hang on seed, id and point only. */
static uint64_t seed_of(uint64_t seed, const char *id)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (; *id; id++)
        hash = (hash ^ (uint8_t)*id) * 0x100000001b3u;
    return seed * 0x9e3779b97f4a7c15u ^ hash;
}

/*
 * The FEP of the last test is not the one of this: an upper tester makes it forget. When a body is
 * repeated in place, it goes on as that has left it.
 */
static void reset_fep(struct uet_tc *tc)
{
    struct uet_frame frames[32];

    if (tc->session->goes_on || !tc->session->ut) /* without an upper tester there is no reset */
        tc->keeps_state = true;
    else if (!uet_tc_reset(tc))
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the upper tester does not do `reset`: %s",
                      tc->session->ut->error);
    if (tc->session->dut->restart_each_test && tc->session->restart)
        tc->keeps_state = tc->session->goes_on; /* it was started anew (attempt.c) */
    if (!tc->keeps_state && tc->session->dut->security)
        uet_security_reset(tc->session->dut->security);
    uint64_t until = uet_tc_virtual_time(tc) ? uet_tc_now(tc) + uet_tc_quiet(tc) : 0;
    while (uet_port_receive(tc->session->port, frames, 32, until) > 0)
        ; /* late packets of the last test */
    tc->start_ns = uet_tc_now(tc);
    if (tc->session->prepare && !tc->session->goes_on)
        tc->session->prepare(tc->session->prepare_ctx);
    uet_tc_tell_window(tc); /* as it is now: NSCC of the last test may have been on */
}

/* setjmp has a function of its own: no local variable can be clobbered. */
static void guarded(struct uet_tc *tc, void (*step)(struct uet_tc *tc))
{
    if (setjmp(tc->leave) == 0) {
        tc->in_body = true;
        step(tc);
    }
    tc->in_body = false;
    tc->preamble = 0;
}

/* PDCs that the FEP opens begin where it chooses, unless its upper tester can tell it. */
static void place_fep_psns(struct uet_tc *tc)
{
    uint64_t told;
    const struct uet_place *start =
        uet_tc_told(tc, "Start_PSN", &told) ? uet_tc_place(tc, UET_OVER_PSN) : NULL;

    if (start)
        uet_set_param(tc, "Start_PSN", start->value);
}

static void run_body(struct uet_tc *tc)
{
    uint64_t deadline = uet_tc_now(tc) + uet_tc_patience(tc);

    uet_preamble_begin(tc);
    if (uet_port_resolve(tc->session->port, &tc->session->dut->address, deadline) != 0) {
        char ip[UET_IP_TEXT];
        uet_inconc(tc, "%s does not answer ARP or neighbour discovery",
                   uet_ip_text(&tc->session->dut->address, ip));
    }
    uet_preamble_end(tc);
    uet_tc_let_retry(tc);
    if (tc->test->role == UET_ROLE_INITIATOR) {
        uet_tc_slow_timers(tc);
        place_fep_psns(tc);
    }
    tc->secure_start = uet_secure_start;
    tc->ask_start = uet_secure_ask;
    tc->company = uet_company;
    tc->past_of_fep = uet_past_of_fep;
    tc->test->body(tc);
}

static void run_postamble(struct uet_tc *tc)
{
    uet_calm(tc);
    tc->preamble = 1; /* what goes wrong from here on says nothing of the requirement */
    tc->wall_deadline_ns = uet_wall_ns() + (uint64_t)(tc->session->ceiling_s * 1e9);
    uet_peer_postamble(tc);
}

/* Whatever became of the test. */
static void put_back(struct uet_tc *tc, bool late)
{
    for (struct uet_undo *u = tc->undo; u; u = u->next) {
        if (u->done || u->late != late)
            continue;
        u->done = true;
        if (u->undo(tc, u->what) < 0)
            uet_tc_worsen(tc, UET_INCONC, NULL, NULL,
                          "what the test has changed at the FEP cannot be put back: %s",
                          tc->session->ut ? tc->session->ut->error : "no upper tester");
    }
}

/*
 * A FEP that is not reset may put what this test asked for on a PDC of an earlier one, behind what
 * that left under way, or keep it until that has ended: then it is not the FEP's fault that nothing
 * came here. A Request that came here is what was asked for, and its fault is the FEP's; so is that
 * of an answer to the tester.
 */
static void doubt_late(struct uet_tc *tc)
{
    struct uet_result *r = tc->result;
    char came[sizeof(r->message)];

    const bool busy = tc->late_request || (tc->session->under_way && !tc->session->goes_on);

    if (r->verdict != UET_FAIL || !tc->keeps_state || !busy ||
        tc->test->role != UET_ROLE_INITIATOR || uet_tc_request_came(tc))
        return;
    snprintf(came, sizeof(came), "%s", r->message);
    r->verdict = UET_INCONC;
    snprintf(r->message, sizeof(r->message),
             "the FEP cannot be reset and went on with what an earlier test began, or still has it "
             "to do (verb `reset`, docs/upper-tester.md)\nwhat came of it here: %.700s",
             came);
}

/* The refusal of the first PDC that the test opens, for want of one. */
static const struct uet_in *first_is_refused(const struct uet_tc *tc)
{
    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        if (!in->pdc || in->packet.error != UET_PARSE_OK)
            continue;
        if (uet_is_ack(&in->packet))
            return NULL;
        if (uet_short_of_room(in) && uet_nack_spdcid(uet_pds(&in->packet)) == 0)
            return in;
    }
    return NULL;
}

/* Another PDC, opened in the plainest way, is refused for want of one, too. */
static void ask_for_another(struct uet_tc *tc)
{
    tc->preamble = 1;
    struct uet_out syn = uet_any_request(uet_pdc_new_at(tc, (uint32_t)uet_tc_random(tc)));

    uet_send(tc, &syn);
    const struct uet_in *in =
        uet_maybe(tc, &(struct uet_want){.kind = UET_WANT_ANSWER, .pdc = syn.pdc}, 0);
    tc->no_pdc_left = in && uet_short_of_room(in);
}

/*
 * Who cannot be reset keeps the PDCs that an earlier test left there, seen or not: that they are
 * used up says nothing of this test. Served before: a FEP that never opened one is at fault.
 */
static void doubt_pdcs(struct uet_tc *tc)
{
    struct uet_result *r = tc->result;
    const struct uet_in *in = first_is_refused(tc);
    char came[sizeof(r->message)];

    if ((r->verdict != UET_FAIL && r->verdict != UET_INCONC) || !in || !tc->keeps_state ||
        tc->session->goes_on || !tc->session->served)
        return;
    guarded(tc, ask_for_another);
    if (!tc->no_pdc_left)
        return;
    snprintf(came, sizeof(came), "%s", r->message);
    r->verdict = UET_INCONC;
    r->frame = in->frame;
    snprintf(r->message, sizeof(r->message),
             "the FEP has no PDC left (%s) for a test that has none yet. It cannot be reset: an "
             "earlier test has used them up. The last that was served is %s. What came of it "
             "here: %.600s",
             uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet))),
             tc->session->served, came);
}

/* At a point with company the FEP may have no room for both, whatever is told of it. */
static void doubt_room(struct uet_tc *tc)
{
    if (tc->result->verdict != UET_FAIL || !tc->test->point.place[UET_OVER_COMPANY])
        return;
    for (const struct uet_in *in = tc->in_first; in; in = in->next)
        if (uet_short_of_room(in)) {
            tc->result->verdict = UET_SKIP;
            tc->result->skip_reason = UET_SKIP_OTHER;
            snprintf(tc->result->message, sizeof(tc->result->message),
                     "the FEP says that it has no room for another PDC beside that of the test");
        }
}

/* Company or a past that the FEP does not let be: then the test has no such point. */
static void doubt_point(struct uet_tc *tc)
{
    if (tc->arranging && tc->result->verdict == UET_INCONC) {
        tc->result->verdict = UET_SKIP;
        tc->result->skip_reason = UET_SKIP_OTHER;
    }
}

/* The test's id; with the name of its point, unless that is the ordinary one: "ID@wrap". */
static const char *full_name(const struct uet_test *test, char *out, size_t size)
{
    char point[UET_POINT_NAME];
    bool ordinary = uet_point_is_ordinary(&test->point);

    snprintf(out, size, "%s%s%s", test->id, ordinary ? "" : "@",
             ordinary ? "" : uet_point_name(&test->point, point));
    return out;
}

static void write_capture(struct uet_tc *tc)
{
    const struct uet_session *s = tc->session;
    struct uet_result *r = tc->result;
    char path[256], err[300], name[UET_TEST_ID + UET_POINT_NAME];

    if (!s->pcap_dir || tc->record.n == 0)
        return;
    if (s->looks_again && r->verdict == UET_PASS)
        return; /* the capture of the test stays */
    int n = snprintf(path, sizeof(path), "%s/%s.pcapng", s->pcap_dir,
                     full_name(tc->test, name, sizeof(name)));
    if (n < 0 || (size_t)n >= sizeof(path))
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the name of the capture is too long");
    else if (uet_record_write(&tc->record, path, s->dut->interface, uet_port_epoch_ns(s->port), err,
                              sizeof(err)) != 0)
        snprintf(tc->session->ended, sizeof(tc->session->ended), "no capture: %.240s", err);
    else
        snprintf(r->pcap, sizeof(r->pcap), "%s", path);
}

static void tell_story(struct uet_tc *tc)
{
    char line[700], name[UET_TEST_ID + UET_POINT_NAME];

    snprintf(line, sizeof(line), "test %s: %s", full_name(tc->test, name, sizeof(name)),
             tc->test->purpose);
    uet_record_note(&tc->record, 1, line);
}

static void run_all(struct uet_tc *tc)
{
    reset_fep(tc);
    tc->session->began = tc->result->verdict != UET_ERROR;
    if (!tc->session->began)
        return;
    guarded(tc, run_body);
    /* Where order makes no difference, ROD and RUD do as well (3.5.7). */
    if (tc->opens_pdc && !tc->out_of_step)
        (void)uet_tc_place(tc, UET_OVER_MODE);
    tc->result->seconds = (double)(uet_tc_now(tc) - tc->start_ns) / 1e9;
    uet_tc_judge_unexpected(tc);
    doubt_room(tc);
    doubt_pdcs(tc);
    doubt_point(tc);
    /* A test may find out half-way that it must skip: a FEP without reset keeps what it began. */
    put_back(tc, false);
    if (!tc->port_broken && (tc->result->verdict != UET_SKIP || tc->keeps_state))
        guarded(tc, run_postamble);
    guarded(tc, uet_last_completions);
    put_back(tc, true);
    uet_tc_params_back(tc);
    doubt_late(tc);
    tell_story(tc);
    if (tc->session->tells || (tc->result->verdict != UET_PASS && tc->result->verdict != UET_SKIP))
        uet_story_write(tc, tc->result->conversation, sizeof(tc->result->conversation));
    write_capture(tc);
}

/* That in which the test begins. */
static struct uet_domain *domain_of(struct uet_security *s, const struct uet_test *test)
{
    const uint32_t kind = uet_point_place(&test->point, UET_OVER_KEYS)->value;
    struct uet_domain *d = kind ? uet_security_of_kind(s, kind) : NULL;

    return d ? d : uet_security_ordinary(s);
}

void uet_run_once(struct uet_session *session, const struct uet_test *test,
                  struct uet_result *result)
{
    struct uet_tc *tc = calloc(1, sizeof(*tc));
    uint64_t wall = uet_wall_ns();
    char name[UET_TEST_ID + UET_POINT_NAME];

    if (!tc) {
        result->verdict = UET_ERROR;
        snprintf(result->message, sizeof(result->message), "the tester has no memory left");
        return;
    }
    tc->session = session;
    tc->test = test;
    tc->result = result;
    tc->rng = seed_of(session->seed + session->repeats, full_name(test, name, sizeof(name)));
    tc->rng_amid = ~tc->rng;
    session->began = false;
    session->heard = 0;
    session->reaches = 0;
    tc->next_message_id = (uint16_t)uet_tc_random(tc);
    tc->next_pkt_id = (uint32_t)uet_tc_random(tc);
    tc->accepting = test->role == UET_ROLE_INITIATOR;
    tc->auto_ack = true;
    char *claim = NULL;
    const char *at = test->requirements, *word;
    size_t n = uet_next_word(&at, &word);
    tc->record.arena = &tc->arena;
    claim = uet_arena_alloc(&tc->arena, n + 1);
    tc->claim = claim;
    if (session->dut->security) {
        if (session->dut->protect == UET_PROTECT_TSS || uet_test_needs(test, "tss"))
            tc->domain = domain_of(session->dut->security, test);
        uet_security_begin(session->dut->security);
    }
    tc->start_ns = uet_tc_now(tc);
    tc->wall_deadline_ns = wall + (uint64_t)(session->ceiling_s * 1e9);
    if (claim && uet_watch_start(tc)) {
        memcpy(claim, word, n);
        uet_asked_start(tc);
        uet_completed_start(tc);
        run_all(tc);
        uet_completed_end(tc);
        uet_asked_end(tc);
    } else {
        uet_tc_worsen(tc, UET_ERROR, NULL, NULL, "the tester has no memory left");
    }
    result->wall_seconds = (double)(uet_wall_ns() - wall) / 1e9;
    uet_record_free(&tc->record);
    uet_arena_free(&tc->arena);
    free(tc);
}
