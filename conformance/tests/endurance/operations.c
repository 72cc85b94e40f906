/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of the FEP, and the PDCs that it opened for them, that end in each way. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/rendezvous.h"
#include "conformance/tests/endurance/endurance.h"
#include "conformance/tests/rudi.h"

/* It is started as the first one was. */
static bool begins(struct endure *e, int rc, const char *what)
{
    if (e->round == 1)
        uet_did(e->tc, rc, what);
    return went(e, rc == 0, what, "is no longer started by the FEP");
}

/* The first packet of an operation of 16 bytes that was started, or NULL. */
static const struct uet_in *sends_packet(struct endure *e, const char *what)
{
    const struct uet_in *in = maybe(e->tc, REQUEST_ON(NULL));

    if (!in) /* it waits for a PDC that is closing */
        in = maybe(e->tc, REQUEST_ON(NULL), .within = uet_linger(e->tc));
    return went(e, in != NULL, what, "sends no packet") ? in : NULL;
}

static const struct uet_in *writes(struct endure *e, uint64_t *handle)
{
    const struct uet_ut_operation op = uet_op(e->tc, 16);
    int rc = uet_ut_write(uet_tc_ut(e->tc), &op, handle);

    return begins(e, rc, "the WRITE") ? sends_packet(e, "the WRITE") : NULL;
}

static const struct uet_in *reads(struct endure *e, uint64_t *handle)
{
    const struct uet_ut_operation op = uet_op(e->tc, 16);
    int rc = uet_ut_read(uet_tc_ut(e->tc), &op, handle);

    return begins(e, rc, "the READ") ? sends_packet(e, "the READ") : NULL;
}

/* It ends, in time, as it should (any: however). */
static bool ends(struct endure *e, uint64_t handle, bool any, bool well)
{
    struct uet_ut_completion c;
    bool ended = uet_completion(e->tc, handle, e->waits ? UET_US : 0, &c);

    for (int i = 0; i < 4 && !ended; i++) {
        uet_wait(e->tc, uet_linger(e->tc));
        ended = uet_completion(e->tc, handle, UET_US, &c);
    }
    if (!ended)
        return went(e, false, "the operation", "has no completion");
    return went(e, any || (c.status == UET_UT_OK) == well, "the operation",
                well ? "fails" : "is told as a success");
}

/* The PDCs of this round are over: the FEP uses their numbers again. */
static void all_are_over(struct endure *e)
{
    struct uet_pdc *newest = uet_pdc_new(e->tc);

    for (struct uet_pdc *p = newest; p; p = p->next)
        p->closed = true;
}

/* ---- PDCs ---- */

/* A WRITE is done, and the peer asks for the close of its PDC: the Close Command, or NULL. */
static const struct uet_in *is_asked_to_close(struct endure *e, struct uet_pdc **pdc, bool answered)
{
    uint64_t handle;
    const struct uet_in *in = writes(e, &handle);

    if (!in || !ends(e, handle, false, true))
        return NULL;
    *pdc = in->pdc;
    struct uet_out ask = uet_cp(in->pdc, UET_CTL_CLOSE_REQUEST);
    uet_auto_ack(e->tc, answered);
    say(e->tc, &ask);
    in = maybe(e->tc, CP_ON(*pdc, UET_CTL_CLOSE_COMMAND));
    uet_auto_ack(e->tc, true);
    went(e, in != NULL, "the PDC", "is not closed, though asked to");
    return in;
}

static bool is_closed_at_once(struct endure *e)
{
    struct uet_pdc *p;

    return is_asked_to_close(e, &p, true) != NULL;
}

UET_TEST(own_pdcs_closed, .id = "rob.3.5.8.3.own-pdcs-closed", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs that the FEP opened and closes as its peer asks leave their room.",
         .stimulus = "The FEP writes; Close Request; its Close Command is acknowledged; more often "
                     "than the FEP has PDCs.",
         .expected = "Each WRITE completes, each PDC is closed; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_closed_at_once);
}

static bool is_gone_already(struct endure *e)
{
    struct uet_pdc *p;
    const struct uet_in *close = is_asked_to_close(e, &p, false);

    if (!close)
        return false;
    say_nack(e->tc, close, UET_NACK_INV_DPDCID);
    p->closed = true;
    return true;
}

UET_TEST(own_pdcs_gone, .id = "rob.3.5.8.3.own-pdcs-gone", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs whose Close Command meets a target that has none leave their room.",
         .stimulus = "The FEP writes; Close Request; its Close Command is answered with NACK "
                     "UET_INV_DPDCID; more often than the FEP has PDCs.",
         .expected = "Each WRITE completes; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_gone_already);
}

/* ---- operations ---- */

/* The operation is answered with a NACK that is fatal; with an error. Whatever follows is done. */
static void nack_for_good(struct endure *e, const struct uet_in *in)
{
    say_nack(e->tc, in, UET_NACK_CLOSING_IN_ERR);
    in->pdc->closed = true;
}

static void refuse(struct endure *e, const struct uet_in *in)
{
    struct uet_out error =
        uet_ack_with(in->pdc, in, UET_RSP_RESPONSE, UET_LIST_EXPECTED, UET_RC_BAD_ADDR);

    say(e->tc, &error);
}

/* It is started, its packet has that answer, and it ends (any: in whatever way; else in error). */
static bool fails(struct endure *e,
                  const struct uet_in *(*starts)(struct endure *e, uint64_t *handle),
                  void (*answer)(struct endure *e, const struct uet_in *in), bool any)
{
    uint64_t handle;

    uet_auto_ack(e->tc, false);
    const struct uet_in *in = starts(e, &handle);
    if (!in)
        return false;
    answer(e, in);
    uet_auto_ack(e->tc, true);
    return ends(e, handle, any, false);
}

static bool is_nacked_for_good(struct endure *e)
{
    return fails(e, writes, nack_for_good, true);
}

UET_TEST(writes_nacked, .id = "rob.3.5.12.7.writes-nacked", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "None.",
         .purpose = "WRITEs that a fatal NACK ends leave their room, and their PDCs, too.",
         .stimulus = "The FEP writes; NACK UET_CLOSING_IN_ERR for its packet; more often than the "
                     "FEP has PDCs. Whatever it sends after that is acknowledged.",
         .expected = "Each WRITE ends, in whatever way; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_nacked_for_good);
}

static bool is_refused(struct endure *e)
{
    return fails(e, writes, refuse, false);
}

UET_TEST(writes_refused, .id = "rob.3.4.6.3.writes-refused", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "None.",
         .purpose = "WRITEs that the target refuses leave their room.",
         .stimulus = "The FEP writes; the answer is RC_BAD_ADDR; more often than the FEP has PDCs.",
         .expected = "Each WRITE ends in error; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_refused);
}

static bool is_read_refused(struct endure *e)
{
    return fails(e, reads, refuse, false);
}

UET_TEST(own_reads_refused, .id = "rob.3.4.4.2.own-reads-refused", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .needs = "read", AT_ONE_POINT, .preamble = "None.",
         .purpose = "READs that the target refuses leave their room.",
         .stimulus = "The FEP reads; the answer is RC_BAD_ADDR; more often than the FEP has PDCs.",
         .expected = "Each READ ends in error; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_read_refused);
}

static bool is_read_nacked(struct endure *e)
{
    return fails(e, reads, nack_for_good, true);
}

UET_TEST(own_reads_nacked, .id = "rob.3.5.12.7.own-reads-nacked", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .needs = "read", AT_ONE_POINT, .preamble = "None.",
         .purpose = "READs that a fatal NACK ends leave their room, and their PDCs, too.",
         .stimulus = "The FEP reads; NACK UET_CLOSING_IN_ERR for its packet; more often than the "
                     "FEP has PDCs. Whatever it sends after that is acknowledged.",
         .expected = "Each READ ends, in whatever way; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_read_nacked);
}

/* Whether it is tried on another PDC first is the FEP's affair: it ends when that fails, too. */
static bool unheard(struct endure *e,
                    const struct uet_in *(*starts)(struct endure *e, uint64_t *handle))
{
    uint64_t handle;

    uet_auto_ack(e->tc, false);
    if (!starts(e, &handle) || !ends(e, handle, false, false))
        return false;
    all_are_over(e);
    return true;
}

static bool is_met_with_silence(struct endure *e)
{
    return unheard(e, writes);
}

static void need_few_retries(struct uet_tc *tc)
{
    uint64_t retries = uet_tc_param(tc, "Max_RTO_Retx_Cnt");

    if (retries > 10)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Max_RTO_Retx_Cnt is %llu: it hardly ever gives up",
                     (unsigned long long)retries);
}

UET_TEST(writes_given_up, .id = "rob.3.5.15.writes-given-up", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .port_caps = UET_PORT_VIRTUAL_TIME, AT_ONE_POINT, .preamble = "None.",
         .purpose = "WRITEs to a peer that is gone leave their room, and their PDCs, too.",
         .stimulus = "The FEP writes; no answer until it has given up; more often than the FEP has "
                     "PDCs.",
         .expected = "Each WRITE ends in error; then the FEP serves as before.")
{
    need_few_retries(tc);
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040", .waits = true},
           is_met_with_silence);
}

static bool is_read_unheard(struct endure *e)
{
    return unheard(e, reads);
}

UET_TEST(own_reads_given_up, .id = "rob.3.5.15.own-reads-given-up", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .needs = "read", .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .port_caps = UET_PORT_VIRTUAL_TIME, AT_ONE_POINT, .preamble = "None.",
         .purpose = "READs to a peer that is gone leave their room, and their PDCs, too.",
         .stimulus = "The FEP reads; no answer until it has given up; more often than the FEP has "
                     "PDCs.",
         .expected = "Each READ ends in error; then the FEP serves as before.")
{
    need_few_retries(tc);
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040", .waits = true}, is_read_unheard);
}

/* The same on a PDC that is open: it has to be closed by a Close Command, or without one. */
static bool falls_silent(struct endure *e)
{
    uint64_t handle;

    uet_auto_ack(e->tc, true);
    return writes(e, &handle) && ends(e, handle, false, true) && is_met_with_silence(e);
}

UET_TEST(own_pdcs_given_up, .id = "rob.3.5.15.own-pdcs-given-up", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time Max_RTO_Retx_Cnt",
         .port_caps = UET_PORT_VIRTUAL_TIME, AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs that are given up when they have served already leave their room.",
         .stimulus = "The FEP writes, and is answered; it writes again; no answer until it has "
                     "given up; more often than the FEP has PDCs.",
         .expected = "Each second WRITE ends in error; then the FEP serves as before.")
{
    need_few_retries(tc);
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040", .waits = true}, falls_silent);
}

static bool is_refused_by_rudi(struct endure *e)
{
    struct uet_ut_operation op = uet_op(e->tc, 16);
    uint64_t handle;

    op.mode = UET_UT_MODE_RUDI;
    op.key |= 1ull << 63; /* idempotent_safe (Table 2-13) */
    if (!begins(e, uet_ut_write(uet_tc_ut(e->tc), &op, &handle), "the RUDI WRITE"))
        return false;
    const struct uet_in *in = maybe(e->tc, NEW_RUDI_REQUEST);
    if (!went(e, in != NULL, "the RUDI WRITE", "sends no packet"))
        return false;
    struct uet_out answer = uet_rudi_answer(e->tc, in, e->round % 2 ? UET_RC_BAD_ADDR : UET_RC_OK);
    say(e->tc, &answer);
    return ends(e, handle, false, e->round % 2 == 0);
}

UET_TEST(rudi_writes_end, .id = "rob.3.5.22.rudi-writes", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .needs = "rudi", AT_ONE_POINT, .preamble = "None.",
         .purpose = "RUDI WRITEs, done or refused, leave their room.",
         .stimulus = "The FEP writes over RUDI; each second answer is RC_BAD_ADDR; more often than "
                     "the FEP has PDCs.",
         .expected = "Each ends as it is answered; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_refused_by_rudi);
}

/* ---- what the FEP begins as target: RTRs and READs of its own ---- */

static bool writes_and_is_done(struct endure *e)
{
    uint64_t handle;

    return writes(e, &handle) && ends(e, handle, false, true);
}

static bool is_asked_for(struct endure *e)
{
    struct deferrable d = deferrable(e->tc, .m = *e->m, .p = e->pdc, .irt = e->round);

    if (!writes_and_is_done(e))
        return false;
    put_off(e->tc, &d);
    uint64_t handle = receive_for(e->tc, &d);
    hear_rtr(e->tc, &d);
    restarted(e->tc, "ROB-040", &d, handle);
    return true;
}

UET_TEST(own_rtrs, .id = "rob.3.4.3.4.own-rtrs", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, .needs = "deferral send multi-packet-send upper-tester",
         AT_ONE_POINT, .preamble = "A resource without receives; PDC open.",
         .purpose = "RTRs that are answered leave their room to what the application begins.",
         .stimulus =
             "The FEP writes; a deferrable send, put off; a receive for it, the RTR, and all "
             "of the send; more often than the FEP has PDCs.",
         .expected = "Each WRITE completes, each send fills its receive; then the FEP serves as "
                     "before.")
{
    struct uet_memory m = uet_need_empty(tc);
    struct endure e = {.tc = tc, .requirement = "ROB-040", .m = &m, .pdc = uet_pdc_open(tc)};
    endure(&e, is_asked_for);
}

static bool is_read_by_it(struct endure *e)
{
    struct rendezvous r = rendezvous(e->tc, .n = 200, .eager = 100, .m = *e->m, .p = e->pdc);

    if (!writes_and_is_done(e))
        return false;
    uint64_t handle = receive_of_rendezvous(e->tc, &r);
    say_eager(e->tc, "ROB-040", &r);
    struct fep_read read = hear_read(e->tc, &r, r.eager);
    serve(e->tc, "ROB-040", &read);
    has_all(e->tc, "ROB-040", &r, handle);
    return true;
}

UET_TEST(own_rendezvous_reads, .id = "rob.3.4.2.4.own-reads-of-rendezvous",
         .requirements = "ROB-040", .role = UET_ROLE_INITIATOR, .contested = true,
         .needs = "rendezvous read upper-tester", AT_ONE_POINT, .preamble = "PDC open.",
         .purpose = "READs of rendezvous sends leave their room to what the application begins.",
         .stimulus = "The FEP writes; a rendezvous send that meets its receive; the data of the "
                     "READ; more often than the FEP has PDCs.",
         .expected = "Each WRITE completes, each send fills its receive; then the FEP serves as "
                     "before.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct endure e = {.tc = tc, .requirement = "ROB-040", .m = &m, .pdc = uet_pdc_open(tc)};
    endure(&e, is_read_by_it);
}

/* ---- what was open when something else ended ---- */

enum { READ_PACKETS = 3 };

/* A READ of the peer's, all its packets in one go: each brings its own data. */
static void reads_at_once(struct uet_tc *tc, const char *requirement)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct source s = need_source(tc, READ_PACKETS * mtu);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[READ_PACKETS];

    uet_message(p, UET_OP_READ, &s.m, 0, NULL, READ_PACKETS * mtu, o, READ_PACKETS);
    for (uint32_t i = 0; i < READ_PACKETS; i++)
        say(tc, &o[i]);
    for (uint32_t i = 0; i < READ_PACKETS; i++)
        check_data(tc, requirement, hear(tc, requirement, DATA_OF(&o[i])), &s, i * mtu, mtu);
}

UET_TEST(reads_behind_failure, .id = "rob.3.5.15.reads-behind-a-failed-pdc",
         .requirements = "ROB-040", .role = UET_ROLE_INITIATOR, .needs = "rud read any-request",
         AT_ONE_POINT, .preamble = "RTO short, few retries.",
         .purpose = "What a PDC of the FEP's had outstanding when it failed is nothing of others.",
         .stimulus = "The FEP writes three packets, which nobody answers until it has given up; "
                     "then a READ of three packets in one go.",
         .expected = "The WRITE ends in error; each packet of the READ brings its own data.")
{
    struct uet_ut_operation op = uet_op(tc, READ_PACKETS * (uint32_t)uet_tc_dut(tc)->payload_mtu);
    uet_set_param(tc, "RTO_Init_Time", UET_MS);
    uet_set_param(tc, "Max_RTO_Retx_Cnt", 2);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    ends_in_error(tc, "ROB-040", handle);
    all_are_over(&(struct endure){.tc = tc});
    uet_auto_ack(tc, true);
    uet_forget_settled(tc);
    reads_at_once(tc, "ROB-040");
}

static bool is_for_another_job(struct endure *e)
{
    struct uet_ut_operation op = uet_op(e->tc, 16);
    uint64_t handle;

    op.job_id += e->round;
    return begins(e, uet_ut_write(uet_tc_ut(e->tc), &op, &handle), "the WRITE") &&
           sends_packet(e, "the WRITE") && ends(e, handle, false, true);
}

UET_TEST(own_pdcs_of_jobs, .id = "rob.3.5.8.1.own-pdcs-of-many-jobs", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "None.",
         .purpose = "PDCs on which all is done make room for the messages of other jobs.",
         .stimulus = "The FEP writes for one job after the other, for more than it has PDCs; all "
                     "is acknowledged, also its Close Commands.",
         .expected = "Each WRITE completes; then the FEP serves as before.")
{
    endure(&(struct endure){.tc = tc, .requirement = "ROB-040"}, is_for_another_job);
}

/* ---- many at once ---- */

enum { JOBS = 24, LONG = 300 };

/* As many of these as the FEP starts, each of a job of its own; how many. */
static unsigned start_for_jobs(struct uet_tc *tc, uint64_t handle[JOBS])
{
    unsigned n = 0;

    for (; n < JOBS; n++) {
        struct uet_ut_operation op = uet_op(tc, LONG * (uint32_t)uet_tc_dut(tc)->payload_mtu);
        op.job_id += n;
        int rc = uet_ut_write(uet_tc_ut(tc), &op, &handle[n]);
        if (n == 0)
            uet_did(tc, rc, "write");
        if (rc != 0)
            break;
    }
    return n;
}

static bool opens_unanswered(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_has_syn(&in->packet) && !in->pdc->answered;
}

/* A FEP may open PDCs with NOOPs, and send more behind their ACKs alone (3.5.16.1). */
static bool openings_answered(struct uet_tc *tc)
{
    const struct uet_in *in;
    bool some = false;

    while ((in = maybe(tc, .kind = UET_WANT_CP, .also = opens_unanswered, .within = 1))) {
        struct uet_out ack = uet_ack(in->pdc, in);
        say(tc, &ack);
        some = true;
    }
    return some;
}

/* The next one that comes unanswered, but for what opens PDCs; NULL: it has stopped. */
static const struct uet_in *next_unanswered(struct uet_tc *tc)
{
    const struct uet_in *in = uet_next_request(tc, NULL);

    return !in && openings_answered(tc) ? uet_next_request(tc, NULL) : in;
}

/* All that it sends unanswered: the newest of each PDC; how many. */
static unsigned let_it_stop(struct uet_tc *tc, const struct uet_in *newest[JOBS])
{
    const struct uet_in *in;
    unsigned n = 0;

    while ((in = next_unanswered(tc))) {
        unsigned i = 0;
        while (i < n && newest[i]->pdc != in->pdc)
            i++;
        if (i < JOBS)
            newest[i] = in;
        n = i == n && n < JOBS ? n + 1 : n;
    }
    return n;
}

/* It stopped; then the newest of each PDC is acknowledged, with all before. */
static void let_it_stop_and_go(struct uet_tc *tc)
{
    const struct uet_in *newest[JOBS] = {NULL};
    unsigned n = let_it_stop(tc, newest);

    uet_auto_ack(tc, true);
    for (unsigned i = 0; i < n; i++)
        acknowledge(tc, newest[i]->pdc, newest[i]);
}

/* While it has stopped, one more for each job; what goes on begins with the last PDC. */
static unsigned let_more_wait(struct uet_tc *tc, uint64_t handle[JOBS], unsigned jobs)
{
    const struct uet_in *newest[2 * JOBS] = {NULL};
    unsigned n = let_it_stop(tc, newest), more = 0;

    for (; more < jobs; more++) {
        struct uet_ut_operation op = uet_op(tc, 16);
        op.job_id += (more * 7) % jobs;
        if (uet_ut_write(uet_tc_ut(tc), &op, &handle[more]) != 0)
            break;
    }
    n += let_it_stop(tc, newest + n);
    uet_auto_ack(tc, true);
    while (n-- > 0)
        acknowledge(tc, newest[n]->pdc, newest[n]);
    return more;
}

/* Each of them in its turn: that may be long in coming, while packets come. */
static void all_complete(struct uet_tc *tc, const uint64_t *handle, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct uet_ut_completion c = {0};
        bool done, moves;
        do {
            done = uet_completion(tc, handle[i], 0, &c);
            const struct uet_in *in;
            for (moves = false; !done && (in = maybe(tc, REQUEST_ON(NULL), .within = 1));)
                moves |= !in->retransmission;
        } while (!done && moves);
        uet_check(tc, "ROB-040", done, "the WRITE of job %u does not complete", i);
        uet_check(tc, "ROB-040", !done || c.status == UET_UT_OK,
                  "the WRITE of job %u completes with status %u", i, c.status);
    }
}

UET_TEST(operations_at_once, .id = "rob.3.5.14.operations-at-once", .requirements = "ROB-040",
         .role = UET_ROLE_INITIATOR, AT_ONE_POINT, .preamble = "RTO long.",
         .purpose = "Operations that wait for room which others have taken go on when there is "
                    "some.",
         .stimulus = "The FEP writes 300 payload MTUs for each of 24 jobs; nothing is "
                     "acknowledged until no more packets come; then everything.",
         .expected = "Each WRITE that was started completes; then the FEP serves as before.")
{
    uint64_t handle[JOBS];
    hold_rto(tc);
    uet_auto_ack(tc, false);
    unsigned n = start_for_jobs(tc, handle);
    let_it_stop_and_go(tc);
    all_complete(tc, handle, n);
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}

UET_TEST(operations_behind_those, .id = "rob.3.5.14.operations-behind-those-that-wait",
         .requirements = "ROB-040", .role = UET_ROLE_INITIATOR, AT_ONE_POINT,
         .preamble = "RTO long.",
         .purpose = "More operations that come while others wait for room take no turn from them.",
         .stimulus = "The FEP writes 300 payload MTUs for each of 24 jobs; nothing is "
                     "acknowledged until no more packets come; it writes 16 bytes for each job, in "
                     "another order; then everything is acknowledged, the last PDC first.",
         .expected = "Each WRITE that was started completes; then the FEP serves as before.")
{
    uint64_t handle[JOBS], behind[JOBS];
    hold_rto(tc);
    uet_auto_ack(tc, false);
    unsigned n = start_for_jobs(tc, handle);
    unsigned more = let_more_wait(tc, behind, n);
    all_complete(tc, handle, n);
    all_complete(tc, behind, more);
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}

/* A PDC of a job that no other test of these has: nothing is outstanding on it. */
static struct uet_pdc *idle_pdc(struct uet_tc *tc)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.job_id += JOBS;
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, NULL);
    completion_of(tc, "ROB-040", handle);
    uet_forget_settled(tc);
    return p;
}

UET_TEST(close_behind_those, .id = "rob.3.5.14.close-behind-those-that-wait",
         .requirements = "ROB-040", .role = UET_ROLE_INITIATOR, AT_ONE_POINT,
         .preamble = "RTO long; a PDC of another job, with nothing outstanding.",
         .purpose = "A PDC closes also when others have taken the room for what is outstanding.",
         .stimulus = "The FEP writes 300 payload MTUs for each of 24 jobs; nothing is acknowledged "
                     "until no more packets come; its PDCs are to close; then everything is "
                     "acknowledged.",
         .expected = "Each WRITE that was started completes, and that PDC closes; then the FEP "
                     "serves as before.")
{
    const struct uet_in *newest[2 * JOBS] = {NULL};
    uint64_t handle[JOBS];
    hold_rto(tc);
    struct uet_pdc *idle = idle_pdc(tc);
    uet_auto_ack(tc, false);
    idle->auto_ack = true;
    unsigned jobs = start_for_jobs(tc, handle);
    unsigned n = let_it_stop(tc, newest);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    uet_auto_ack(tc, true);
    while (n-- > 0)
        acknowledge(tc, newest[n]->pdc, newest[n]);
    all_complete(tc, handle, jobs);
    hear(tc, "ROB-040", CP_ON(idle, UET_CTL_CLOSE_COMMAND));
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}
