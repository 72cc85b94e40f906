/* SPDX-License-Identifier: BSD-2-Clause */
/* Pools that fep.yaml tells: filled until one more is refused, drained, and filled again. */
#include <string.h>

#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/unexpected.h"
#include "conformance/tests/endurance/endurance.h"

enum { FULL_MOST = 256, TIMES = 3 };

/* What became of one more. */
enum reply { TAKEN, REFUSED, SPOILT /* and that was said */ };

struct pool {
    struct endure e;
    const char *told;   /* its key in fep.yaml */
    uint64_t most;      /* which that tells */
    bool may_take_more; /* that is what other tests keep to, and no end */
    enum reply (*add)(struct pool *l, unsigned i);
    bool (*drain)(struct pool *l, unsigned n); /* n were taken; false: they do not end */
    struct uet_pdc *pdc[FULL_MOST + 1];
    struct uet_out said[FULL_MOST + 1]; /* that what is there came of, and the one refused */
    bool waits;                         /* that one is not refused: it is let wait */
    const char *fetcher;                /* a READ or an atomic */
    const struct uet_in *data[2];       /* the last that a READ has brought, on each of its PDCs */
};

/* One after the other until one is refused; how many were taken. */
static enum reply fill(struct pool *l, unsigned *n)
{
    enum reply reply = TAKEN;

    for (*n = 0; *n <= l->most; ++*n) {
        reply = l->add(l, *n);
        if (reply != TAKEN)
            return reply;
    }
    if (l->may_take_more)
        uet_skip(l->e.tc, "the FEP takes more than the %u that %s tells, as it may", *n - 1,
                 l->told);
    uet_inconc(l->e.tc, "%u fit at once: %s in fep.yaml is too small", *n, l->told);
}

/* Full three times: at last as often as at first, when what is over has had its time. */
static void full_and_full_again(struct pool *l)
{
    struct endure *e = &l->e;
    unsigned first = 0, n;
    bool once_more = true;

    if (l->most > FULL_MOST)
        uet_skip(e->tc, "%s is %llu: too many for this test", l->told, (unsigned long long)l->most);
    uet_for(e->tc, e->requirement);
    for (e->round = 1; e->round <= TIMES; e->round++) {
        e->firm = false;
        if (fill(l, &n) == SPOILT)
            return;
        e->firm = true; /* it was taken: that it ends, and leaves its room, is what is tested */
        if (!l->drain(l, n))
            return;
        first = e->round == 1 ? n : first;
        if (n < first && (e->round < TIMES || once_more)) {
            once_more = e->round < TIMES; /* what is over may be so later than the last time */
            e->round -= !once_more;
            uet_wait(e->tc, uet_linger(e->tc));
        } else if (!uet_check(e->tc, e->requirement, n >= first, "%u fit at first, and now %u",
                              first, n))
            return;
    }
    uet_serves(e->tc, e->requirement, UET_PASS, e->m);
}

/* It is taken, or refused for want of room. */
static enum reply reply_of(struct pool *l, const struct uet_in *in, const char *what)
{
    struct endure *e = &l->e;

    if (!in)
        return went(e, false, what, "is not answered") ? TAKEN : SPOILT;
    if (!uet_is_nack(&in->packet))
        return TAKEN;
    uet_look_at(e->tc, in);
    return uet_check(
               e->tc, e->requirement, uet_short_of_room(in),
               "%s that finds no room is refused with %s, which does not say so", what,
               uet_enum_name(UET_ENUM_PDS_NACK_CODE, uet_nack_nack_code(uet_pds(&in->packet))))
               ? REFUSED
               : SPOILT;
}

/* ---- PDCs, and their bitmaps ---- */

static enum reply add_pdc(struct pool *l, unsigned i)
{
    struct uet_pdc *p = uet_pdc_new(l->e.tc);
    struct uet_out syn = uet_any_request(p);

    l->pdc[i] = p;
    say(l->e.tc, &syn);
    const struct uet_in *in = maybe(l->e.tc, ANSWER_ON(p));
    return in ? reply_of(l, in, "the SYN") : REFUSED; /* in silence: another test's subject */
}

static bool close_pdcs(struct pool *l, unsigned n)
{
    l->e.firm = false; /* that a close is answered is the subject of another test */
    for (unsigned i = 0; i < n; i++)
        if (!is_gone(&l->e, l->pdc[i]))
            return false;
    return true;
}

static void pdcs_full(struct uet_tc *tc, const char *told, uint64_t most)
{
    close_req_long(tc);
    full_and_full_again(&(struct pool){.e = {.tc = tc, .requirement = "ROB-036"},
                                       .told = told,
                                       .most = most,
                                       .add = add_pdc,
                                       .drain = close_pdcs});
}

UET_TEST(pdcs_full_twice, .id = "rob.3.5.8.3.pdcs-full-twice", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .params = "max-pdcs", AT_ONE_POINT,
         .preamble = "The FEP has at most max-pdcs PDCs.",
         .purpose = "As many PDCs as fit once fit again when those are closed.",
         .stimulus = "PDCs are opened until one is refused, and closed; three times.",
         .expected = "The third time as many as at first; a refusal has a code for want of room. "
                     "Then the FEP serves as before.")
{
    pdcs_full(tc, "max-pdcs", uet_tc_param(tc, "max-pdcs"));
}

/* Each second one by a copy of its SYN: what guards against more of them keeps it for a while. */
static enum reply add_pdc_in_two_ways(struct pool *l, unsigned i)
{
    struct uet_pdc *p = uet_pdc_new(l->e.tc);
    struct uet_out syn = uet_any_request(p);

    l->pdc[i] = p;
    uet_rud_rod_req_retx_set(syn.pds, i % 2);
    say(l->e.tc, &syn);
    const struct uet_in *in = maybe(l->e.tc, ANSWER_ON(p));
    return in ? reply_of(l, in, "the SYN") : REFUSED;
}

UET_TEST(pdcs_full_in_two_ways, .id = "rob.3.5.8.3.pdcs-full-in-two-ways",
         .requirements = "ROB-036", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .params = "max-pdcs Syn_Retx_Safety_Time", AT_ONE_POINT,
         .preamble = "The FEP has at most max-pdcs PDCs.",
         .purpose = "As many PDCs as fit once fit again, whichever copy of its SYN opened each.",
         .stimulus = "PDCs are opened until one is refused, each second one by a SYN with retx=1, "
                     "and closed; three times.",
         .expected = "The third time as many as at first, when Syn_Retx_Safety_Time is over. Then "
                     "the FEP serves as before.")
{
    close_req_long(tc);
    full_and_full_again(&(struct pool){.e = {.tc = tc, .requirement = "ROB-036"},
                                       .told = "max-pdcs",
                                       .most = uet_tc_param(tc, "max-pdcs"),
                                       .add = add_pdc_in_two_ways,
                                       .drain = close_pdcs});
}

#define FEW_BITMAPS 3

UET_TEST(bitmaps_full_twice, .id = "rob.3.5.8.3.bitmaps-full-twice", .requirements = "ROB-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", AT_ONE_POINT,
         .preamble = "The FEP has PSN bitmaps for max-bitmaps PDCs, fewer than it has PDCs; or its "
                     "parameter PSN_Bitmaps can be set.",
         .purpose = "A PDC that is closed leaves its bitmap for another.",
         .stimulus = "PDCs are opened until one is refused, and closed; three times.",
         .expected = "The third time as many as at first; a refusal has a code for want of room. "
                     "Then the FEP serves as before.")
{
    bool set = uet_tc_ut(tc) && uet_try_param(tc, "PSN_Bitmaps", FEW_BITMAPS);
    pdcs_full(tc, "max-bitmaps", set ? FEW_BITMAPS : uet_tc_param(tc, "max-bitmaps"));
}

/* ---- responses ---- */

static void clear_up_to(struct pool *l, uint32_t psn)
{
    l->e.pdc->clear_psn = psn;
    struct uet_out clear = uet_cp(l->e.pdc, UET_CTL_CLEAR_COMMAND);
    say(l->e.tc, &clear);
}

static enum reply add_response(struct pool *l, unsigned i)
{
    l->said[i] = refused_write(l->e.pdc, l->e.m);
    say(l->e.tc, &l->said[i]);
    return reply_of(l, maybe(l->e.tc, ANSWER_TO(&l->said[i])), "the WRITE with an unknown key");
}

static bool clear_responses(struct pool *l, unsigned n)
{
    clear_up_to(l, l->said[n].psn - 1);
    if (goes_well(&l->e, &l->said[n], "the WRITE that was refused, again"))
        clear_up_to(l, l->said[n].psn);
    return true;
}

UET_TEST(responses_full_twice, .id = "rob.3.5.12.7.responses-full-twice", .requirements = "ROB-038",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .params = "max-stored-responses", AT_ONE_POINT, .preamble = "A region; PDC open.",
         .purpose = "As many responses as are stored once are stored again when those are cleared.",
         .stimulus = "WRITEs with an unknown key, not cleared, until one is refused; a Clear "
                     "Command for all; three times.",
         .expected = "The third time as many as at first; the one too many is refused with a code "
                     "for want of room (0x08, 0x0A). Then the FEP serves as before.")
{
    uint64_t most = uet_tc_param(tc, "max-stored-responses");
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    if (most >= mp_range(tc, ack))
        uet_skip(tc, "max-stored-responses is %llu: more than MP_Range", (unsigned long long)most);
    p->auto_clear = false;
    full_and_full_again(&(struct pool){.e = {.tc = tc, .requirement = "ROB-038", .m = &m, .pdc = p},
                                       .told = "max-stored-responses",
                                       .most = most,
                                       .add = add_response,
                                       .drain = clear_responses});
}

/* ---- messages ---- */

/* The first of two packets of a WRITE; the other one takes a PSN when the message is to end. */
static enum reply add_message(struct pool *l, unsigned i)
{
    struct endure *e = &l->e;
    struct uet_out o[2];

    uet_message(e->pdc, UET_OP_WRITE, e->m, 0, e->bytes, e->n, o, 2);
    e->pdc->next_psn = o[1].psn;
    uet_rud_rod_req_ar_set(o[0].pds, true);
    l->said[i] = o[0];
    say(e->tc, &o[0]);
    return reply_of(l, maybe(e->tc, COVERED_OR_REFUSED(&o[0])), "the first packet of a message");
}

static bool end_message(struct pool *l, unsigned i)
{
    struct endure *e = &l->e;
    struct uet_out o[2];

    e->pdc->next_psn--; /* of the first packet, which is there */
    uet_message(e->pdc, UET_OP_WRITE, e->m, 0, e->bytes, e->n, o, 2);
    uet_ses_req_std_message_id_set(o[1].ses, uet_ses_req_std_message_id(l->said[i].ses));
    return goes_well(e, &o[1], "the last packet of a message");
}

/* The first one makes room for the one that was refused. */
static bool end_messages(struct pool *l, unsigned n)
{
    if (n == 0)
        uet_skip(l->e.tc, "the FEP has no room for a message");
    if (!end_message(l, 0) || !goes_well(&l->e, &l->said[n], "the packet that was refused, again"))
        return false;
    for (unsigned i = 1; i <= n; i++)
        if (!end_message(l, i))
            return false;
    return true;
}

UET_TEST(messages_full_twice, .id = "rob.3.4.1.7.3.messages-full-twice", .requirements = "ROB-037",
         .role = UET_ROLE_TARGET, .needs = "rud write any-request", .params = "max-open-messages",
         AT_ONE_POINT, .preamble = "A region; PDC open.",
         .purpose = "As many messages as are open once are open again when those are complete.",
         .stimulus = "First packets of WRITEs of two packets until one is refused; then what is "
                     "missing of each; three times.",
         .expected = "The third time as many as at first; the one too many is refused with a code "
                     "for want of room (0x09, 0x0A), and taken when a message is complete. Then "
                     "the FEP serves as before.")
{
    uint32_t n = uet_tc_dut(tc)->payload_mtu + 64u;
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    uet_beyond_told(tc);
    full_and_full_again(&(struct pool){.e = {.tc = tc,
                                             .requirement = "ROB-037",
                                             .m = &m,
                                             .pdc = uet_pdc_open(tc),
                                             .bytes = uet_tc_bytes(tc, n),
                                             .n = n},
                                       .told = "max-open-messages",
                                       .may_take_more = true,
                                       .most = uet_tc_param(tc, "max-open-messages"),
                                       .add = add_message,
                                       .drain = end_messages});
}

/* ---- sends that are kept until they have a receive (3.4.3.6.2.2) ---- */

#define UNEXPECTED_BYTES 600

static enum reply add_unexpected(struct pool *l, unsigned i)
{
    struct endure *e = &l->e;

    l->said[i] = uet_send_message(e->pdc, e->m, uet_tc_bytes(e->tc, e->n), e->n);
    say(e->tc, &l->said[i]);
    const struct uet_in *in = maybe(e->tc, ANSWER_TO(&l->said[i]));
    l->waits = in && uet_is_nack(&in->packet);
    if (in && code_told(in) == UET_RC_NO_MATCH)
        return REFUSED;
    return reply_of(l, in, "a SEND without receive");
}

/* The bytes of one of these, whichever the FEP takes first. */
static bool has_one_of(struct pool *l, unsigned n, uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};
    uint8_t bytes[UNEXPECTED_BYTES];
    bool found = false;

    uet_read_back(l->e.tc, &buffer, 0, bytes, l->e.n);
    for (unsigned i = 0; i <= n && !found; i++)
        found = memcmp(bytes, l->said[i].payload, l->e.n) == 0;
    return found;
}

static bool fills_a_receive(struct pool *l, unsigned n, const char *what)
{
    struct endure *e = &l->e;
    struct uet_ut_completion c = {0};
    uint64_t handle = late_receive(e->tc, e->m, e->n);
    bool ended = uet_completion(e->tc, handle, uet_tc_dut(e->tc)->response_time_ns, &c);
    bool as_long = !(c.told & UET_UT_TOLD_LENGTH) || c.length == e->n;

    return went(e, ended && c.status == UET_UT_OK && as_long, what, "fills no receive") &&
           went(e, has_one_of(l, n, handle), what, "fills its receive with other bytes");
}

/* Where a NACK has refused one, its PSN is still to come. */
static bool take_unexpected(struct pool *l, unsigned n)
{
    if (n == 0 && l->e.round == 1)
        uet_skip(l->e.tc, "the FEP keeps no SEND without receive now");
    for (unsigned i = 0; i < n; i++)
        if (!fills_a_receive(l, n, "a SEND that was kept"))
            return false;
    if (!l->waits)
        return true;
    return goes_well(&l->e, &l->said[n], "the SEND that was refused, again") &&
           fills_a_receive(l, n, "the SEND that was refused");
}

UET_TEST(unexpected_full_twice, .id = "rob.3.4.3.6.2.2.unexpected-full-twice",
         .requirements = "ROB-037 ROB-038", .role = UET_ROLE_TARGET,
         .needs = "keeps-unexpected send any-request upper-tester", AT_ONE_POINT,
         .preamble = "A resource without receives, which keeps what is unexpected; PDC open.",
         .purpose = "As many SENDs as are kept once are kept again when those have their receive.",
         .stimulus = "SENDs of 600 bytes until one is refused; a receive for each; three times.",
         .expected = "The third time as many as at first; the one too many is refused with "
                     "RC_NO_MATCH or a code for want of room; each that was kept fills a receive "
                     "with its bytes. Then the FEP serves as before.")
{
    uint64_t most = FULL_MOST;
    struct uet_memory m = uet_need_keeping(tc);
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    uet_dut_param(uet_tc_dut(tc), "max-unexpected", &most);
    if (most + 2 > mp_range(tc, ack))
        most = mp_range(tc, ack) - 2; /* CACK_PSN may wait for the first */
    full_and_full_again(&(struct pool){
        .e = {.tc = tc, .requirement = "ROB-037", .pdc = p, .n = UNEXPECTED_BYTES, .m = &m},
        .told = "max-unexpected",
        .may_take_more = true,
        .most = most,
        .add = add_unexpected,
        .drain = take_unexpected});
}

/* ---- READs ---- */

/* Its data is not acknowledged. One that finds no room may be refused, or wait. */
static enum reply fetches(struct pool *l, unsigned i, const struct uet_in **data)
{
    struct endure *e = &l->e;

    say(e->tc, &l->said[i]);
    const struct uet_in *in = maybe(e->tc, DATA_OR_REFUSAL_OF(&l->said[i]));
    l->waits = !in;
    if (in && !uet_is_nack(&in->packet) && !uet_is_request(&in->packet))
        uet_skip(e->tc, "the FEP returns reads in ACKs, as it may");
    if (in && uet_is_request(&in->packet))
        *data = in;
    return in ? reply_of(l, in, l->fetcher) : REFUSED;
}

static enum reply add_read(struct pool *l, unsigned i)
{
    l->said[i] = uet_read(l->e.pdc, l->e.m, 0, l->e.n);
    return fetches(l, i, &l->data[0]);
}

/* What came is acknowledged, and what waited for that, or is asked again, comes. */
static bool take_reads(struct pool *l, unsigned n)
{
    struct endure *e = &l->e;
    struct uet_out *last = &l->said[n];

    if (n == 0)
        uet_skip(e->tc, "the FEP has no room for a READ");
    uet_auto_ack(e->tc, true);
    for (int i = 0; i < 2 && l->data[i]; i++) {
        struct uet_out ack = uet_ack(l->data[i]->pdc, l->data[i]);
        say(e->tc, &ack);
    }
    const struct uet_in *in =
        l->waits ? maybe(e->tc, DATA_OF(last)) : uet_data_answered(e->tc, last);
    uet_auto_ack(e->tc, false);
    return went(e, in != NULL, l->fetcher, "that found no room brings no data when there is some");
}

UET_TEST(reads_full_twice, .id = "rob.3.5.12.1.reads-full-twice", .requirements = "ROB-039",
         .role = UET_ROLE_TARGET, .needs = "rud read any-request", .params = "max-reads",
         AT_ONE_POINT, .preamble = "A region; PDC open; RTO long.",
         .purpose = "As many READs as are served at once are served again when those are done.",
         .stimulus = "READs whose data is not acknowledged, until one is refused or has to wait; "
                     "then the ACK of all data; three times.",
         .expected = "The third time as many as at first; a refusal has a code for want of room, "
                     "and that READ is served when the others are done. Then the FEP serves as "
                     "before.")
{
    uint32_t n = more_than_ack_data(tc);
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    hold_rto(tc);
    uet_beyond_told(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    full_and_full_again(
        &(struct pool){.e = {.tc = tc, .requirement = "ROB-039", .m = &m, .pdc = p, .n = n},
                       .told = "max-reads",
                       .fetcher = "the READ",
                       .may_take_more = true,
                       .most = uet_tc_param(tc, "max-reads"),
                       .add = add_read,
                       .drain = take_reads});
}

/* On two PDCs, so that it is not the share of one that ends first. */
static enum reply add_atomic(struct pool *l, unsigned i)
{
    l->said[i] = fetching_sum(l->pdc[i % 2], l->e.m, 0, 1);
    return fetches(l, i, &l->data[i % 2]);
}

/* What is acknowledged was done: then there was room for its old value. */
static bool take_atomics(struct pool *l, unsigned n)
{
    struct endure *e = &l->e;
    bool done = l->waits && maybe(e->tc, COVERED(&l->said[n]));

    bool taken = take_reads(l, n);
    uet_check(e->tc, "SES-139", taken || !done,
              "an atomic is done, and its old value does not come");
    return taken;
}

UET_TEST(atomics_full_twice, .id = "rob.3.5.12.1.atomics-full-twice",
         .requirements = "ROB-039 SES-139", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", AT_ONE_POINT,
         .preamble = "A region; two PDCs open; RTO long; Max_ACK_Data_Size 0.",
         .purpose = "As many old values as are kept at once are kept again when those have "
                    "arrived, and no atomic is done without room for its own.",
         .stimulus = "Fetching SUMs on both in turn, whose old values are not acknowledged, until "
                     "one is refused or has to wait; then the ACKs of all; three times.",
         .expected = "The third time as many as at first; a refusal has a code for want of room, "
                     "and that atomic brings its old value when the others are done. Then the FEP "
                     "serves as before.")
{
    uint64_t most = FULL_MOST;
    need_fetching_sum(tc);
    if (!uet_try_param(tc, "Max_ACK_Data_Size", 0))
        uet_skip(tc, "Max_ACK_Data_Size cannot be set to 0: old values may come in ACKs");
    struct uet_memory m = uet_need_memory(tc, length_of_three(tc));
    hold_rto(tc);
    uet_beyond_told(tc);
    struct uet_pdc *p = uet_pdc_open(tc), *other = uet_pdc_open(tc);
    uet_auto_ack(tc, false);
    uet_dut_param(uet_tc_dut(tc), "max-reads", &most);
    full_and_full_again(&(struct pool){.e = {.tc = tc, .requirement = "ROB-039", .m = &m, .pdc = p},
                                       .told = "max-reads",
                                       .fetcher = "the atomic",
                                       .may_take_more = true,
                                       .most = most,
                                       .add = add_atomic,
                                       .drain = take_atomics,
                                       .pdc = {p, other}});
}
