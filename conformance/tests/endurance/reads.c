/* SPDX-License-Identifier: BSD-2-Clause */
/* READs of the FEP's memory that end in each way. */
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/endurance/endurance.h"

enum { READS_MOST = 300 };

static struct endure reads_of(struct uet_tc *tc, struct uet_memory *m, uint32_t n, bool one_pdc)
{
    *m = uet_need_memory(tc, length_of_three(tc));
    return (struct endure){.tc = tc,
                           .requirement = "ROB-039",
                           .m = m,
                           .pdc = one_pdc ? uet_pdc_open(tc) : NULL,
                           .n = n};
}

static const struct uet_in *read_data(struct endure *e, const struct uet_out *o)
{
    const struct uet_in *in = uet_data_answered(e->tc, o);

    went(e, in != NULL, "the READ", "brings no data");
    return in;
}

static bool is_served(struct endure *e)
{
    struct uet_out o[PARTS];

    three_packets(e, e->pdc, UET_OP_READ, o);
    for (int i = 0; i < PARTS; i++)
        if (!read_data(e, &o[i]))
            return false;
    return true;
}

UET_TEST(reads_served, .id = "rob.3.5.12.1.reads-served", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.", .purpose = "READs that are served leave their room.",
         .stimulus = "READs of three packets, one packet after the other; their data is "
                     "acknowledged; more than the FEP serves.",
         .expected = "Each brings its data; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, length_of_three(tc), true);
    endure(&e, is_served);
}

static bool is_small(struct endure *e)
{
    e->pdc->clear_psn = e->pdc->next_psn - 1;
    struct uet_out o = uet_read(e->pdc, e->m, 0, e->n);
    return read_data(e, &o) != NULL;
}

UET_TEST(reads_in_acks, .id = "rob.3.5.12.1.reads-in-acks", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.",
         .purpose = "READs whose data an ACK can carry leave their room.",
         .stimulus = "READs of eight bytes, each of which clears the one before; more than the "
                     "FEP serves or stores responses.",
         .expected = "Each brings its data; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, 8, true);
    e.pdc->auto_clear = false; /* no Clear Command by itself */
    endure(&e, is_small);
}

static bool is_refused(struct endure *e)
{
    struct uet_memory wrong = *e->m;

    wrong.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13): a key that nobody has */
    for (int i = 0; i < PARTS; i++) {
        struct uet_out o = uet_read(e->pdc, &wrong, 0, e->n);
        if (!goes_well(e, &o, "the READ with an unknown key"))
            return false;
    }
    return true;
}

UET_TEST(reads_refused, .id = "rob.3.4.6.3.reads-refused", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", AT_ONE_POINT,
         .preamble = "A region; PDC open.", .purpose = "READs that are refused leave no trace.",
         .stimulus = "READs with an unknown key, each of which clears the one before; more than "
                     "the FEP serves.",
         .expected = "Each is acknowledged, with the error; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, 64, true);
    endure(&e, is_refused);
}

/*
 * A READ of three packets on a PDC of its own, which acknowledges nothing by itself: what its first
 * packet, or the last that has brought any, has brought. A FEP may have room for less of it.
 */
static const struct uet_in *unacknowledged_data(struct endure *e, struct uet_pdc **p)
{
    struct uet_out o[PARTS];

    *p = opens_pdc(e);
    if (!*p)
        return NULL;
    (*p)->auto_ack = false;
    three_packets(e, *p, UET_OP_READ, o);
    const struct uet_in *data = read_data(e, &o[0]);
    for (int i = 1; i < PARTS && data; i++) {
        say(e->tc, &o[i]);
        const struct uet_in *in = maybe(e->tc, DATA_OR_REFUSAL_OF(&o[i]));
        if (!in || uet_is_nack(&in->packet))
            break;
        data = in;
    }
    return data;
}

/*
 * The data that came is acknowledged behind the Close Command only: a target closes in error, or
 * waits for that (PDS-211).
 */
static bool is_cut_by_close(struct endure *e)
{
    struct uet_tc *tc = e->tc;
    struct uet_pdc *p;
    const struct uet_in *data = unacknowledged_data(e, &p);

    if (!data)
        return false;
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    say(tc, &close);
    const struct uet_in *in = maybe(tc, ANSWER_TO(&close), .within = uet_tc_latest(tc, UET_US));
    p->auto_ack = true;
    if (in)
        return true;
    if (uet_is_request(&data->packet))
        acknowledge(tc, p, data);
    if (!maybe(tc, ANSWER_TO(&close))) /* NACKed or waited for: the copy tells */
        return goes_well(e, &close, "the Close Command");
    return true;
}

UET_TEST(reads_cut, .id = "rob.3.5.8.3.reads-cut-by-close", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", AT_ONE_POINT,
         .preamble = "A region.",
         .purpose = "READs whose PDC is closed before their data is acknowledged leave their room.",
         .stimulus = "A PDC is opened; a READ of three packets whose data is not acknowledged; "
                     "Close Command; then the ACK of the data; more often than the FEP serves "
                     "READs.",
         .expected = "Each SYN and each READ is answered; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, length_of_three(tc), false);
    tolerate(tc, .named = "what belongs to a close");
    endure(&e, is_cut_by_close);
}

/* A batch of PDCs whose peer is gone when the data comes. */
static bool is_never_acknowledged(struct endure *e)
{
    struct uet_pdc *p[32];

    for (unsigned i = 0; i < e->each; i++) {
        if (!unacknowledged_data(e, &p[i]))
            return false;
    }
    uet_wait(e->tc, uet_linger(e->tc));
    for (unsigned i = 0; i < e->each; i++)
        p[i]->closed = true;
    return true;
}

UET_TEST(reads_given_up, .id = "rob.3.5.15.reads-given-up", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         .params = "max-pdcs RTO_Init_Time Max_RTO_Retx_Cnt", .port_caps = UET_PORT_VIRTUAL_TIME,
         AT_ONE_POINT, .preamble = "A region.",
         .purpose = "READs whose peer is gone leave their room, and their PDCs, too.",
         .stimulus = "PDCs are opened, half as many as the FEP has; a READ of three packets on "
                     "each, whose data is never acknowledged, until the FEP has given up; again "
                     "and again.",
         .expected = "Each SYN and each READ is answered; then the FEP serves as before.")
{
    uint64_t retries = uet_tc_param(tc, "Max_RTO_Retx_Cnt");
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, length_of_three(tc), false);
    if (retries > 10)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "Max_RTO_Retx_Cnt is %llu: it hardly ever gives up",
                     (unsigned long long)retries);
    e.each = batch(tc, "max-pdcs");
    e.waits = true;
    tolerate(tc, .named = "what comes of silence");
    endure(&e, is_never_acknowledged);
}

/* The initiator has no such PDC any more, as after a crash: it says so to the data (PDS-138). */
static bool is_gone_to_its_initiator(struct endure *e)
{
    struct uet_pdc *p;
    const struct uet_in *data = unacknowledged_data(e, &p);

    if (!data)
        return false;
    if (!uet_is_request(&data->packet))
        uet_skip(e->tc, "the FEP returns reads in ACKs, as it may");
    say_nack(e->tc, data, UET_NACK_INV_DPDCID);
    p->closed = true;
    return true;
}

UET_TEST(reads_of_the_gone, .id = "rob.3.5.12.7.reads-of-a-gone-initiator",
         .requirements = "ROB-039", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         AT_ONE_POINT, .preamble = "A region.",
         .purpose = "READs whose initiator no longer knows the PDC leave their room.",
         .stimulus = "A PDC is opened; a READ of three packets, whose data is answered with NACK "
                     "UET_INV_DPDCID; more often than the FEP serves READs.",
         .expected = "Each SYN and each READ is answered; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, length_of_three(tc), false);
    tolerate(tc, .named = "what belongs to a close");
    endure(&e, is_gone_to_its_initiator);
}

/*
 * READs until one is refused; their data is not acknowledged, so that much of it has to wait, and
 * ends with a NACK and Close Command. Three quarters of what the first round had room for are near
 * enough.
 */
static bool is_gone_with_a_queue(struct endure *e)
{
    struct uet_pdc *p = opens_pdc(e);
    uint32_t taken = 0;

    for (; p && taken < READS_MOST; taken++) {
        struct uet_out o = uet_read(p, e->m, 0, e->n);
        say(e->tc, &o);
        const struct uet_in *in = maybe(e->tc, COVERED_OR_REFUSED(&o));
        if (!in || uet_is_nack(&in->packet)) /* who has no room may say nothing */
            break;
    }
    if (!taken)
        return p && went(e, false, "the first READ", "finds no room");
    const struct uet_in *data = maybe(e->tc, DATA_ON(p));
    if (!data)
        return went(e, false, "a READ", "brings no data");
    e->first = e->first ? e->first : taken;
    say_nack(e->tc, data, UET_NACK_INV_DPDCID);
    return is_gone(e, p) &&
           went(e, taken * 4 >= e->first * 3, "a quarter of the READs", "finds no room any more");
}

UET_TEST(reads_queued, .id = "rob.3.5.12.7.reads-queued-for-a-gone-initiator",
         .requirements = "ROB-039", .role = UET_ROLE_TARGET, .needs = "rud read any-request",
         AT_ONE_POINT, .preamble = "A region; RTO long; Default_MPR 1.",
         .purpose = "READs whose data waits to be sent leave their room when the PDC ends.",
         .stimulus = "A PDC is opened; READs of more than an ACK carries until one is refused, 300 "
                     "at most; no data is acknowledged, the first is answered with NACK "
                     "UET_INV_DPDCID; Close Command; ten times.",
         .expected = "Each time three quarters of as many READs as the first time are taken, at "
                     "least; then the FEP serves as before.")
{
    struct uet_memory m;
    struct endure e = reads_of(tc, &m, more_than_ack_data(tc), false);
    uet_try_param(tc, "Default_MPR", 1);
    hold_rto(tc);
    uet_beyond_told(tc);
    uet_auto_ack(tc, false);
    e.each = (rounds(tc) + 9) / 10;
    tolerate(tc, .kind = UET_WANT_REQUEST, .named = "read data");
    tolerate(tc, .named = "what belongs to a close");
    endure(&e, is_gone_with_a_queue);
}

UET_TEST(reads_pile_up, .id = "rob.3.5.12.1.reads-pile-up", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", AT_ONE_POINT,
         .once = "what has piled up ends by time alone",
         .preamble = "A region; PDC open; RTO long.",
         .purpose = "READs whose data nobody acknowledges do not stop the FEP.",
         .stimulus = "300 READs in one go, each of more than an ACK carries; their data is not "
                     "acknowledged.",
         .expected = "Data or NACKs as the FEP likes; it opens another PDC and serves there.")
{
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    uint32_t n = more_than_ack_data(tc);
    hold_rto(tc);
    uet_beyond_told(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    tolerate(tc, REFUSAL_ON(p));
    tolerate(tc, .kind = UET_WANT_REQUEST, .pdc = p);
    for (int i = 0; i < READS_MOST; i++) {
        struct uet_out o = uet_read(p, &m, 0, n);
        say(tc, &o);
    }
    uet_auto_ack(tc, true);
    p->auto_close = false;
    p->unfinished = true;
    still_serves(tc, "ROB-039", uet_pdc_open(tc));
}
