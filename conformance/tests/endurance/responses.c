/* SPDX-License-Identifier: BSD-2-Clause */
/* Responses that the FEP keeps until they are cleared, in each way (3.5.20.1). */
#include "conformance/tests/endurance/endurance.h"

enum { AT_ONCE = 4 };

static void clear_up_to(struct uet_tc *tc, struct uet_pdc *p, uint32_t psn)
{
    p->clear_psn = psn;
    struct uet_out clear = uet_cp(p, UET_CTL_CLEAR_COMMAND);
    say(tc, &clear);
}

/* So many WRITEs that it refuses; fewer where it has no room for more responses. */
static bool are_refused(struct endure *e, struct uet_pdc *p, int n)
{
    for (int i = 0; i < n; i++) {
        struct uet_out bad = refused_write(p, e->m);
        say(e->tc, &bad);
        const struct uet_in *in = maybe(e->tc, ANSWER_TO(&bad));
        if (i > 0 && in && uet_is_nack(&in->packet)) {
            clear_up_to(e->tc, p, bad.psn - 1);
            return goes_well(e, &bad, "the refused WRITE");
        }
        if (!went(e, in && uet_is_ack(&in->packet), "the refused WRITE",
                  in ? "finds no room for its response" : "is not answered"))
            return false;
    }
    return true;
}

static bool told_more_than(const struct uet_tc *tc, uint64_t n)
{
    uint64_t most;

    return !uet_dut_param(uet_tc_dut(tc), "max-stored-responses", &most) || most >= n;
}

static bool by_the_next_request(struct endure *e)
{
    if (!are_refused(e, e->pdc, told_more_than(e->tc, AT_ONCE) ? AT_ONCE : 1))
        return false;
    e->pdc->clear_psn = e->pdc->next_psn - 1;
    struct uet_out next = uet_any_request(e->pdc);
    return goes_well(e, &next, "the Request that clears");
}

UET_TEST(responses_by_request, .id = "rob.3.5.20.1.responses-cleared-by-request",
         .requirements = "ROB-038", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         AT_ONE_POINT, .preamble = "A region; PDC open.",
         .purpose = "Responses that a Request clears leave their room.",
         .stimulus = "Four WRITEs with an unknown key, and a Request whose CLEAR_PSN covers them; "
                     "more often than the FEP stores responses.",
         .expected = "Each is answered, the first four of a round with the error; then the FEP "
                     "serves as before.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    struct endure e = {.tc = tc, .requirement = "ROB-038", .m = &m, .pdc = uet_pdc_open(tc)};
    e.pdc->auto_clear = false; /* no Clear Command by itself */
    endure(&e, by_the_next_request);
}

static bool by_clear_command(struct endure *e)
{
    struct uet_pdc *p = e->pdc;

    if (!are_refused(e, p, 1))
        return false;
    clear_up_to(e->tc, p, p->next_psn - 1);
    return true;
}

UET_TEST(responses_by_command, .id = "rob.3.5.16.3.responses-cleared-by-command",
         .requirements = "ROB-038", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         AT_ONE_POINT, .preamble = "A region; PDC open.",
         .purpose = "Responses that a Clear Command clears leave their room.",
         .stimulus = "A WRITE with an unknown key, and a Clear Command for it; more often than the "
                     "FEP stores responses.",
         .expected = "Each is answered with the error; then the FEP serves as before.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    struct endure e = {.tc = tc, .requirement = "ROB-038", .m = &m, .pdc = uet_pdc_open(tc)};
    e.pdc->auto_clear = false;
    e.pdc->clear_psn = e.pdc->start_psn;
    endure(&e, by_clear_command);
}

static bool by_close(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);

    if (!p)
        return false;
    p->auto_clear = false;
    return are_refused(e, p, 1) && closes_pdc(e, p);
}

UET_TEST(responses_by_close, .id = "rob.3.5.8.3.responses-cleared-by-close",
         .requirements = "ROB-038", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         AT_ONE_POINT, .preamble = "A region.",
         .purpose = "Responses that end with their PDC leave their room.",
         .stimulus = "A PDC is opened; a WRITE with an unknown key; Close Command; more often than "
                     "the FEP stores responses.",
         .expected = "Each is answered; then the FEP serves as before.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    endure(&(struct endure){.tc = tc, .requirement = "ROB-038", .m = &m}, by_close);
}

#define MOST_WAITS_NS (2000 * UET_MS) /* of all rounds */

/* A batch of PDCs with a response each, whose close the FEP asks for in vain. */
static bool given_up_with_its_pdc(struct endure *e)
{
    struct uet_tc *tc = e->tc;
    struct uet_pdc *p[32] = {NULL};

    for (unsigned i = 0; i < e->each; i++) {
        p[i] = opens_pdc(e);
        if (!p[i])
            return false;
        p[i]->auto_clear = false;
        if (!are_refused(e, p[i], 1))
            return false;
    }
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p[0]->self), "close_request");
    uet_wait(tc, uet_tc_latest(tc, uet_tc_param(tc, "Close_REQ_Time")) + uet_tc_latest(tc, UET_MS));
    for (unsigned i = 0; i < e->each; i++)
        p[i]->closed = true;
    return true;
}

UET_TEST(responses_given_up, .id = "rob.3.5.8.3.responses-given-up", .requirements = "ROB-038",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request upper-tester",
         .params = "Close_REQ_Time max-pdcs max-stored-responses", AT_ONE_POINT,
         .preamble = "A region.",
         .purpose = "Responses of PDCs that the target gives up leave their room.",
         .stimulus = "PDCs are opened, and on each a WRITE with an unknown key; the FEP asks for "
                     "their close, and no Close Command comes; more often than the FEP stores "
                     "responses.",
         .expected = "Each is answered, once Close_REQ_Time is over; then the FEP serves as "
                     "before.")
{
    uint64_t limit = uet_tc_latest(tc, uet_tc_param(tc, "Close_REQ_Time"));
    unsigned pdcs = batch(tc, "max-pdcs"), responses = batch(tc, "max-stored-responses");
    unsigned each = pdcs < responses ? pdcs : responses;
    if (!uet_tc_virtual_time(tc) && limit * (rounds(tc) / (each ? each : 1)) > MOST_WAITS_NS)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Close_REQ_Time is too long for so many rounds");
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    endure(
        &(struct endure){.tc = tc, .requirement = "ROB-038", .m = &m, .each = each, .waits = true},
        given_up_with_its_pdc);
}
