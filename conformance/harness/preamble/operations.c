/* SPDX-License-Identifier: BSD-2-Clause */
/* The FEP as initiator: its operations, their completions, the PDC that it opens. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conformance/harness/preamble/preamble.h"

/*
 * The upper tester's way is not the wire: in real time a verb may overtake a packet sent before
 * it, and the FEP would act on what it does not know yet.
 */
static void settle(struct uet_tc *tc)
{
    uet_send_held(tc);
    if (tc->unsettled)
        uet_tc_settle(tc);
    tc->unsettled = false;
}

struct uet_ut_operation uet_op(struct uet_tc *tc, uint32_t length)
{
    bool rod = tc->test->role == UET_ROLE_INITIATOR && uet_tc_place(tc, UET_OVER_OWN) != NULL;

    return (struct uet_ut_operation){.mode = rod ? UET_UT_MODE_ROD : UET_UT_MODE_RUD,
                                     .to = tc->session->dut->tester[0],
                                     .job_id = uet_tc_job(tc),
                                     .pid_on_fep = UET_TC_PEER_PID,
                                     .resource_index = UET_TC_PEER_RI,
                                     .relative = true,
                                     .initiator = tc->session->no_initiator ? 0 : UET_TC_INITIATOR,
                                     .key = uet_tc_some_key(tc),
                                     .length = length,
                                     .seed = (uint8_t)uet_tc_random(tc)};
}

void uet_note_asked(struct uet_tc *tc, const char *verb, const struct uet_ut_operation *op)
{
    char to[UET_IP_TEXT], peer[64] = "";

    if (op->peer_flags || op->peer_capabilities)
        snprintf(peer, sizeof(peer), ", peer_flags 0x%02x, peer_capabilities 0x%02x",
                 op->peer_flags, op->peer_capabilities);
    snprintf(tc->asked, sizeof(tc->asked), "upper tester: %s of %u bytes to %s%s", verb, op->length,
             uet_ip_text(&op->to, to), peer);
    uet_story_tell(tc, "do     ", NULL, "%s", tc->asked);
}

/* The first operation of the test: others go before it, where the point says so. */
static void give_past(struct uet_tc *tc, const struct uet_ut_operation *like)
{
    void (*give)(struct uet_tc *, const struct uet_ut_operation *) = tc->past_of_fep;

    tc->past_of_fep = NULL;
    if (give)
        give(tc, like);
}

/* The verbs that start operations; a FEP may know any of them. */
static uint32_t bit_of(const char *verb)
{
    static const char *const verbs[] = {"send",
                                        "tagged_send",
                                        "deferrable_send",
                                        "deferrable_tagged_send",
                                        "rendezvous_send",
                                        "rendezvous_tagged_send",
                                        "write",
                                        "read",
                                        "atomic",
                                        "fetching_atomic",
                                        "tagged_atomic",
                                        "tagged_fetching_atomic",
                                        "no_op"};

    for (unsigned i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        if (strcmp(verbs[i], verb) == 0)
            return UINT32_C(1) << i;
    return 0;
}

/* Does it say nothing but what every operation of its kind must, of bytes that fit a packet? */
static bool is_plain(const struct uet_tc *tc, const struct uet_ut_operation *op)
{
    bool choices = op->mode || op->header || op->delivery_complete || op->has_header_data ||
                   op->generation || op->traffic_class || op->peer_flags || op->peer_capabilities ||
                   op->reserved || !op->relative || !op->job_id;

    return !choices && op->length <= uet_tc_dut(tc)->payload_mtu;
}

/*
 * A FEP refuses what it has not: a mode, an argument, a length, more operations than it has room
 * for. Who lists a verb and refuses it in its plainest form, and has never done otherwise, has it
 * not: that is no choice, and a run that only skips would hide it.
 */
static void judge_start(struct uet_tc *tc, int rc, const char *verb,
                        const struct uet_ut_operation *op)
{
    const uint32_t bit = bit_of(verb);

    if (rc >= 0)
        tc->session->started |= bit;
    if (rc == -EPROTO && is_plain(tc, op) && !(tc->session->started & bit)) {
        char why[sizeof(tc->session->ut->error)];

        snprintf(why, sizeof(why), "%s", tc->session->ut->error);
        if (uet_tc_has_verb(tc, verb))
            uet_skip_for(tc, UET_SKIP_LISTED, "hello lists `%s`, and a plain one is refused: %s",
                         verb, why);
        snprintf(tc->session->ut->error, sizeof(why), "%s", why);
    }
    uet_did(tc, rc, verb);
}

/* What stands before every operation; a mode that `hello` does not tell is not asked for. */
static void before_start(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb)
{
    static const char *const modes[] = {"rud", "rod", "rudi", "uud"};
    int has = op->mode ? uet_ut_has_mode(uet_tc_need_ut(tc), op->mode) : 1;

    uet_tc_answered(tc, has, "hello");
    if (!has)
        uet_skip_for(tc, UET_SKIP_VERB, "the upper tester does not tell mode `%s`",
                     modes[op->mode]);
    settle(tc);
    give_past(tc, op);
    uet_note_asked(tc, verb, op);
}

typedef int start_function(struct uet_ut *ut, const struct uet_ut_operation *op, uint64_t *handle);

/*
 * An API may not let its user choose the initiator ID (libfabric): it is not asked for then, in
 * this run no more, and the test in which that came out says so. A refusal that passes, as where
 * something has no room for a moment, is another matter: so it is asked for twice.
 */
static int call_as_it_can(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb,
                          start_function *call, uint64_t *handle)
{
    struct uet_ut_operation plain = *op;
    int rc = call(uet_tc_need_ut(tc), op, handle);

    if (rc == -EPROTO && op->initiator == UET_TC_INITIATOR)
        rc = call(uet_tc_need_ut(tc), op, handle);
    if (rc != -EPROTO || op->initiator != UET_TC_INITIATOR)
        return rc;
    plain.initiator = 0;
    uet_note_asked(tc, verb, &plain);
    rc = call(uet_tc_need_ut(tc), &plain, handle);
    if (rc >= 0) {
        tc->session->no_initiator = true;
        uet_note(tc, "SES-095",
                 "the upper tester refused `%s` with an initiator ID and took it without one: from "
                 "here on operations have none, and what the FEP puts there is not judged",
                 verb);
    }
    return rc;
}

static uint64_t start(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb,
                      start_function *call)
{
    uint64_t handle = 0;

    before_start(tc, op, verb);
    judge_start(tc, call_as_it_can(tc, op, verb, call, &handle), verb, op);
    return handle;
}

bool uet_tries(struct uet_tc *tc, const struct uet_ut_operation *op, const char *verb,
               start_function *call, uint64_t *handle)
{
    before_start(tc, op, verb);
    int rc = call_as_it_can(tc, op, verb, call, handle);

    uet_tc_answered(tc, rc, verb);
    if (rc < 0 && !uet_tc_has_verb(tc, verb))
        uet_did(tc, rc, verb);
    if (rc >= 0)
        tc->session->started |= bit_of(verb);
    return rc >= 0;
}

uint64_t uet_do_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "send", uet_ut_send);
}

uint64_t uet_do_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "tagged_send", uet_ut_tagged_send);
}

uint64_t uet_do_deferrable_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "deferrable_send", uet_ut_deferrable_send);
}

uint64_t uet_do_deferrable_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "deferrable_tagged_send", uet_ut_deferrable_tagged_send);
}

uint64_t uet_do_rendezvous_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "rendezvous_send", uet_ut_rendezvous_send);
}

uint64_t uet_do_rendezvous_tagged_send(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "rendezvous_tagged_send", uet_ut_rendezvous_tagged_send);
}

uint64_t uet_do_write(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "write", uet_ut_write);
}

uint64_t uet_do_read(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "read", uet_ut_read);
}

uint64_t uet_do_atomic(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "atomic", uet_ut_atomic);
}

uint64_t uet_do_fetching_atomic(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "fetching_atomic", uet_ut_fetching_atomic);
}

uint64_t uet_do_tagged_atomic(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "tagged_atomic", uet_ut_tagged_atomic);
}

uint64_t uet_do_tagged_fetching_atomic(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "tagged_fetching_atomic", uet_ut_tagged_fetching_atomic);
}

uint64_t uet_do_no_op(struct uet_tc *tc, const struct uet_ut_operation *op)
{
    return start(tc, op, "no_op", uet_ut_no_op);
}

/* ---- completions ---- */

#define POLL_LEAST_NS (UET_MS / 16)
#define POLL_MOST_NS  (UET_MS / 2)
#define AT_ONCE       64

/* Half as long as nothing was said: mostly it is a packet of the tester that completes. */
static uint64_t poll_ns(const struct uet_tc *tc)
{
    const uint64_t half = (uet_tc_now(tc) - tc->last_packet_ns) / 2;

    if (uet_tc_virtual_time(tc) || half > POLL_MOST_NS)
        return POLL_MOST_NS;
    return half > POLL_LEAST_NS ? half : POLL_LEAST_NS;
}

/* Room for what one `wait` brings, whatever the test has left lying so far. */
static void make_room(struct uet_tc *tc)
{
    if (tc->room_completions - tc->n_completions >= AT_ONCE)
        return;
    size_t room = tc->room_completions ? 2 * tc->room_completions : 2 * AT_ONCE;
    struct uet_ut_completion *more = uet_tc_alloc(tc, room * sizeof(*more));

    if (tc->n_completions)
        memcpy(more, tc->completions, tc->n_completions * sizeof(*more));
    tc->completions = more;
    tc->room_completions = room;
}

/* Takes what the FEP has completed, and that handle (NULL: any) out of it. */
static bool take_completion(struct uet_tc *tc, const uint64_t *handle,
                            struct uet_ut_completion *out)
{
    make_room(tc);
    int n = uet_ut_wait(uet_tc_need_ut(tc), tc->completions + tc->n_completions, AT_ONCE);

    uet_tc_did_still(tc, n, "wait");
    for (int i = 0; i < n; i++)
        uet_watch_completed(tc, &tc->completions[tc->n_completions + (size_t)i]);
    tc->n_completions += (size_t)n;
    for (size_t i = 0; i < tc->n_completions; i++) {
        if (handle && tc->completions[i].handle != *handle)
            continue;
        *out = tc->completions[i];
        tc->n_completions--;
        memmove(tc->completions + i, tc->completions + i + 1,
                (tc->n_completions - i) * sizeof(*out));
        return true;
    }
    return false;
}

/*
 * Whether completions were as they should be, nobody knows then. Not so where the upper tester has
 * no `wait`; a connection that is lost is told of the FEP (attempt.c), and who fails has failed.
 */
static void judge_last_wait(struct uet_tc *tc, int rc)
{
    const bool stands = tc->result->verdict == UET_FAIL || tc->result->verdict == UET_SKIP;
    char why[sizeof(tc->session->ut->error)];

    if (rc >= 0 || tc->session->ut->lost || stands)
        return;
    snprintf(why, sizeof(why), "%s", tc->session->ut->error);
    if (rc != -EPROTO || uet_tc_has_verb(tc, "wait"))
        uet_error(tc, "the upper tester does not do `wait` after the test: %s", why);
}

void uet_last_completions(struct uet_tc *tc)
{
    struct uet_ut_completion last[AT_ONCE];
    int n = AT_ONCE;

    while (tc->session->ut && n == AT_ONCE) {
        n = uet_ut_wait(tc->session->ut, last, AT_ONCE);
        for (int i = 0; i < n; i++)
            uet_watch_completed(tc, &last[i]);
        judge_last_wait(tc, n);
    }
}

static bool completion(struct uet_tc *tc, const uint64_t *handle, uint64_t within_ns,
                       struct uet_ut_completion *out)
{
    uet_send_held(tc);
    uint64_t until =
        uet_tc_now(tc) + (within_ns ? uet_tc_scale(tc, within_ns) : uet_tc_patience(tc));

    for (;;) {
        if (take_completion(tc, handle, out))
            return true;
        uint64_t now = uet_tc_now(tc), next = now + poll_ns(tc);
        if (now >= until)
            return false;
        uet_tc_pump(tc, next < until ? next : until);
    }
}

bool uet_completion(struct uet_tc *tc, uint64_t handle, uint64_t within_ns,
                    struct uet_ut_completion *out)
{
    return completion(tc, &handle, within_ns, out);
}

bool uet_any_completion(struct uet_tc *tc, uint64_t within_ns, struct uet_ut_completion *out)
{
    return completion(tc, NULL, within_ns, out);
}

struct uet_ut_completion uet_expect_completion(struct uet_tc *tc, uint64_t handle)
{
    struct uet_ut_completion c;

    if (!uet_completion(tc, handle, 0, &c)) {
        tc->current = NULL;
        uet_fail(tc, tc->claim, "the FEP reports no completion of the operation");
    }
    return c;
}

/* The first packet of a PDC: one with syn before which none of it came. */
static bool opens(const struct uet_in *in, const void *ctx)
{
    const struct uet_tc *tc = ctx;
    const struct uet_packet *p = &in->packet;

    const struct uet_place *past = uet_point_place(&tc->test->point, UET_OVER_PAST);

    if (past->value != UET_PAST_NEW && past->value != UET_PAST_REOPENED) /* it is open already */
        return (uet_is_request(p) || uet_is_cp(p)) && in->pdc && !in->retransmission;
    if (!uet_has_syn(p) || !in->pdc)
        return false;
    for (const struct uet_in *before = tc->in_first; before != in; before = before->next)
        if (before->pdc == in->pdc)
            return false;
    return true;
}

struct uet_pdc *uet_accept(struct uet_tc *tc, const struct uet_in **first)
{
    const struct uet_in *in = uet_expect(
        tc, &(struct uet_want){.also = opens, .ctx = tc, .named = "packet that opens a PDC"}, 0);

    /* A NOOP opened it (3.5.16.1), or it closes one that is past; the Request follows. */
    if (uet_is_cp(&in->packet))
        in = uet_expect_any_request(tc, uet_has_syn(&in->packet) ? in->pdc : NULL);
    if (first)
        *first = in;
    return in->pdc;
}
