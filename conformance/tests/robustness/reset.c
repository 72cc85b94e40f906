/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verb `reset`, by which a FEP forgets what it was at; services, too: of what comes without one
 * a NO_OP alone is served then.
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/sealed.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rudi.h"

/* A PDC comes and goes: what waits for room looks for some then. */
static struct uet_pdc *pdc_comes_and_goes(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    tolerate(tc, REFUSAL_OF(&close)); /* it may have a packet of its own on its way */
    say(tc, &close);
    (void)maybe(tc, ANSWER_TO(&close));
    p->closed = true;
    return p;
}

/* For .also: on that PDC it may have things to say that are new. */
static bool is_not_on(const struct uet_in *in, const void *pdc)
{
    return in->pdc != pdc;
}

/* The FEP is reset. Nothing comes of what was before, at once or later, and it serves. */
static void forgets(struct uet_tc *tc)
{
    struct uet_ut_operation op = uet_op(tc, 16);
    const uint64_t linger = uet_linger(tc);
    uint64_t handle;

    fep_is_reset(tc);
    const struct uet_pdc *p = pdc_comes_and_goes(tc);
    silence(tc, "ROB-055", .also = is_not_on, .ctx = p,
            .named = "a packet of what was before the reset", .within = linger);
    uet_auto_ack(tc, true);
    bool begins = uet_tries(tc, &op, "write", uet_ut_write, &handle);
    uet_check(tc, "ROB-055", begins, "a write is refused, though nothing is under way");
    if (!begins)
        return;
    completes(tc, "ROB-055", handle, UET_UT_OK);
    uet_serves(tc, "ROB-055", UET_PASS, NULL);
}

#define FORGETS                                                                                    \
    .requirements = "ROB-055", .role = UET_ROLE_INITIATOR, .params = "RTO_Init_Time",              \
    .not_over = "all",                                                                             \
    .expected =                                                                                    \
        "No packet of what was before, for as long as the FEP asks a silent peer; a write "        \
        "completes, and the FEP serves as on its first day."

#define THEN " The FEP is reset, and a PDC of the tester's opens and closes; later the FEP writes."

UET_TEST(waiting_message, .id = "rob.3.5.8.3.reset-forgets-what-waits", FORGETS,
         .needs = "rud send write no-op upper-tester",
         .purpose = "A message that waits for its next try is forgotten by a reset.",
         .preamble = "The FEP sends 16 bytes.", .stimulus = "RC_NO_MATCH." THEN)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    uet_auto_ack(tc, false);
    uet_do_send(tc, &op);
    const struct uet_in *in = hear(tc, "ROB-055", REQUEST_ON(NULL));
    struct uet_out ack = guaranteed_ack(in, UET_RC_NO_MATCH);
    say(tc, &ack);
    uet_wait(tc, UET_MS / 100); /* it has come; the next try has not yet gone */
    forgets(tc);
}

UET_TEST(unanswered_message, .id = "rob.3.5.8.3.reset-forgets-what-is-sent", FORGETS,
         .needs = "rud write no-op upper-tester",
         .purpose = "A message that waits for its ACK is forgotten by a reset.",
         .preamble = "The FEP writes 16 bytes.", .stimulus = "No ACK." THEN)
{
    struct uet_pdc *p;

    fep_writes_unanswered(tc, &p, NULL);
    forgets(tc);
}

UET_TEST(unanswered_rudi, .id = "rob.3.5.8.3.reset-forgets-rudi", FORGETS,
         .needs = "rudi rud write no-op upper-tester",
         .purpose = "A message over RUDI that waits for its Response is forgotten by a reset.",
         .preamble = "The FEP writes 16 bytes over RUDI.", .stimulus = "No Response." THEN)
{
    uet_auto_ack(tc, false);
    rudi_writes(tc, 16);
    (void)rudi_request(tc);
    forgets(tc);
}

UET_TEST(open_pdc, .id = "rob.3.5.8.3.reset-forgets-pdcs", .requirements = "ROB-055",
         .role = UET_ROLE_TARGET, .needs = "rud no-op upper-tester", .not_over = "all",
         .purpose = "A PDC that a peer has opened is forgotten by a reset.",
         .preamble = "PDC open.", .stimulus = "The FEP is reset; a Request on the PDC.",
         .expected = "Silence or a NACK; then the FEP serves as on its first day.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);

    fep_is_reset(tc);
    tolerate(tc, REFUSAL_OF(&o));
    say(tc, &o);
    silence(tc, "ROB-055", ACK_OF(&o));
    uet_serves(tc, "ROB-055", UET_PASS, NULL);
}
