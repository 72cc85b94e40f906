/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.1, 3.6.6: what the window of a source holds back, and what it does not. */
#include "conformance/harness/steps/reads.h"
#include "conformance/tests/3.6_cms/credited.h"
#include "conformance/tests/pds_target.h"
#include "conformance/tests/rudi.h"

#define NEEDS(claims)                                                                              \
    .role = UET_ROLE_INITIATOR, .needs = "nscc " claims,                                           \
    .params = "config_base_rtt sender_link_rate"

#define READS_MOST 1024u /* packets of one read below */

UET_TEST(answers_pass, .id = "cms.3.6.6.answers-pass-a-full-window", .requirements = "CMS-070",
         NEEDS("rud any-request"), .purpose = "ACKs and NACKs are not held back by a window.",
         .preamble = "The FEP writes without an end in sight; nothing is acknowledged.",
         .stimulus = "The tester opens a PDC of its own, and sends a Request to an unknown PDCID, "
                     "and one beyond its MP_Range.",
         .expected = "An ACK and two NACKs while the window is full.")
{
    static struct congested c;
    need_pdcs(tc, 2); /* one of them is its own */
    fep_fills(&c, tc, 2);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    say(tc, &syn);
    const struct uet_in *ack = hear(tc, "CMS-070", COVERED(&syn));
    struct uet_out stray = request_at(pdc_beside(tc, p), 7),
                   far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);
    say(tc, &stray);
    hear(tc, "CMS-070", REFUSAL_OF(&stray));
    say(tc, &far);
    hear(tc, "CMS-070", REFUSAL_OF(&far));
    drain(&c);
}

UET_TEST(close_request_passes, .id = "cms.3.6.6.close-request-passes-a-full-window",
         .requirements = "CMS-070", NEEDS("rud any-request upper-tester"),
         .purpose = "A Control Packet is not held back by a window.",
         .preamble = "The FEP writes without an end in sight; nothing is acknowledged.",
         .stimulus = "The tester opens a PDC of its own; the upper tester makes the FEP send a "
                     "Close Request on it.",
         .expected = "An ACK, and the Close Request, while the window is full.")
{
    static struct congested c;
    need_pdcs(tc, 2); /* one of them is its own */
    close_req_long(tc);
    fep_fills(&c, tc, 2);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    p->auto_ack = true; /* a NOOP of the FEP's may come first */
    ask(tc, "CMS-070", &syn);
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    hear(tc, "CMS-070", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    drain(&c);
}

/* What no window bounds: 64 bytes over UUD, or 16 over RUDI. */
static uint64_t asks_unbounded(struct uet_tc *tc, bool rudi)
{
    return rudi ? rudi_writes(tc, 16) : datagram(tc, 64);
}

static const struct uet_in *unbounded(struct uet_tc *tc, bool rudi)
{
    return rudi ? maybe(tc, NEW_RUDI_REQUEST) : maybe(tc, DATAGRAM);
}

/* With room in the window: does the FEP begin that while a write of it waits for its ACK? */
static bool begins_beside(struct uet_tc *tc, const char *requirement, bool rudi)
{
    struct uet_pdc *pdc;
    uint64_t write;
    const struct uet_in *one = fep_writes_unanswered(tc, &pdc, &write);

    asks_unbounded(tc, rudi);
    const struct uet_in *in = unbounded(tc, rudi);
    if (in && rudi)
        answer_rudi(tc, in);
    resume_acks(tc, one);
    completion_of(tc, requirement, write);
    return in;
}

/* It passes what holds the write back, unless the FEP does one operation after the other anyway. */
static void passes_beside(struct congested *c, struct uet_tc *tc, const char *requirement,
                          bool rudi)
{
    uint64_t handle = asks_unbounded(tc, rudi);
    const struct uet_in *in = unbounded(tc, rudi);

    if (in && rudi) {
        answer_rudi(tc, in);
        completes(tc, requirement, handle, UET_UT_OK);
    }
    drain_on_credit(c);
    if (in)
        return;
    const struct uet_in *late = unbounded(tc, rudi);
    if (late && rudi)
        answer_rudi(tc, late);
    if (!begins_beside(tc, requirement, rudi))
        uet_skip(tc, "this FEP begins no such operation while a write is under way");
    uet_check(tc, requirement, false, "nothing came while the write was held back");
}

static void passes(struct uet_tc *tc, const char *requirement, bool rudi)
{
    static struct congested c;
    fep_fills(&c, tc, 2);
    passes_beside(&c, tc, requirement, rudi);
}

#define OR_SKIP " A FEP that does not begin it beside one small write either is skipped."

UET_TEST(datagrams_pass, .id = "cms.3.5.7.4.datagrams-pass-a-full-window",
         .requirements = "CMS-072", NEEDS("uud"), .purpose = "No window bounds datagrams.",
         .preamble = "The FEP writes without an end in sight; nothing is acknowledged.",
         .stimulus = "It sends 64 bytes over UUD.", .expected = "A UUD Request." OR_SKIP)
{
    passes(tc, "CMS-072", false);
}

UET_TEST(datagrams_need_no_credit, .id = "cms.3.5.7.4.datagrams-need-no-credit",
         .requirements = "CMS-072", .role = UET_ROLE_INITIATOR, .needs = "rccc uud",
         .params = "config_base_rtt sender_link_rate", .not_over = "used after-read aged",
         .purpose = "The lack of credit does not bound datagrams.",
         .preamble = "The FEP writes without an end in sight; RCCC is on; it has spent its "
                     "speculation, and nothing is granted.",
         .stimulus = "It sends 64 bytes over UUD.", .expected = "A UUD Request." OR_SKIP)
{
    static struct congested c;
    fep_speculates(&c, tc, 4);
    take_it(&c);
    passes_beside(&c, tc, "CMS-072", false);
}

UET_TEST(rudi_passes, .id = "cms.3.5.7.3.rudi-passes-a-full-window", .requirements = "CMS-073",
         NEEDS("rudi"), .purpose = "No window bounds RUDI.",
         .preamble = "The FEP writes without an end in sight; nothing is acknowledged.",
         .stimulus = "It writes 16 bytes over RUDI.", .expected = "A RUDI Request." OR_SKIP)
{
    passes(tc, "CMS-073", true);
}

/* So many bytes over RUDI, all of which come once more before they are answered. */
static void rudi_comes_and_goes(struct uet_tc *tc, uint64_t bytes)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    uet_auto_ack(tc, false);
    for (uint64_t n = 0; n < bytes; n += mtu) {
        uint64_t handle = rudi_writes(tc, mtu);
        const struct uet_in *in = rudi_request(tc);
        in = hear(tc, "CMS-073", RUDI_RESEND_OF(in), .within = patience(tc, one_rto(tc)));
        answer_rudi(tc, in);
        completes(tc, "CMS-073", handle, UET_UT_OK);
    }
}

/* So many bytes in datagrams, all of which come. */
static void datagrams_come(struct uet_tc *tc, uint64_t bytes)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    for (uint64_t n = 0; n < bytes; n += mtu) {
        datagram(tc, mtu);
        hear(tc, "CMS-072", DATAGRAM);
    }
}

/* As much is in flight at first as after half a window of other packets to the same FEP. */
static void leaves_window(struct uet_tc *tc, const char *requirement,
                          void (*others)(struct uet_tc *, uint64_t bytes))
{
    static struct congested c;
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu, write = (uint32_t)max_wnd(tc) / mtu * mtu + mtu;
    fep_sends(&c, tc, write, true);
    uint32_t before = c.bytes, packet = nominal_size(c.in[0]);
    while (c.n) {
        answer_flight(&c, .served = true);
        next_flight(&c);
    }
    completion_of(tc, "CMS-110", c.handle);
    others(tc, max_wnd(tc) / 2);
    struct uet_pdc *pdc = c.pdc;
    take_flight(&c, fep_writes_on(tc, &c.pdc, write, &c.handle));
    same_pdc(tc, pdc, c.in[0]);
    uet_check(tc, requirement, c.bytes + packet >= before,
              "%u bytes in flight at first, %u after the others", before, c.bytes);
    drain(&c);
}

#define LEAVES_WINDOW                                                                              \
    .preamble = "The FEP has written over RUD, and its first window was full; all of it is "       \
                "acknowledged.",                                                                   \
    .expected = "As much in flight as at first, but for a packet."

UET_TEST(datagrams_leave_window, .id = "cms.3.5.7.4.datagrams-leave-the-window-alone",
         .requirements = "CMS-072", NEEDS("rud write uud"), LEAVES_WINDOW,
         .purpose = "Datagrams do not fill the window of RUD.",
         .stimulus = "It sends packets over UUD, half a window of them. Then it writes over RUD as "
                     "before.")
{
    need_exact_delays(tc); /* the delay of what is acknowledged in between must cut no window */
    leaves_window(tc, "CMS-072", datagrams_come);
}

UET_TEST(rudi_leaves_window, .id = "cms.3.5.7.3.rudi-leaves-the-window-alone",
         .requirements = "CMS-073", NEEDS("rudi"), LEAVES_WINDOW,
         .purpose = "RUDI neither fills the window of RUD nor, by its losses, cuts it.",
         .stimulus = "It writes packets over RUDI, half a window of them, each of which is "
                     "answered when it has come again. Then it writes over RUD as before.")
{
    uet_need_retries(tc);
    need_exact_delays(tc); /* the delay of what is acknowledged in between must cut no window */
    leaves_window(tc, "CMS-073", rudi_comes_and_goes);
}

/* Beside what waits for its ACK over RUD as much is written over ROD, of some job: its first
 * flight, which is empty where another one of the PDC is under way. False: there is no room.
 */
static bool speculates_over_rod(struct congested *c, const struct congested *rud, uint32_t job)
{
    struct uet_ut_operation op = uet_op(rud->tc, (uint32_t)bytes_of_windows(rud->tc, 2));

    op.mode = UET_UT_MODE_ROD;
    op.job_id += job;
    *c = *rud;
    c->n = 0;
    if (!uet_tries(c->tc, &op, "write", uet_ut_write, &c->handle))
        return false;
    const struct uet_in *in = maybe(c->tc, REQUEST_ON(NULL));
    if (!in)
        return true;
    c->pdc = in->pdc;
    take_flight(c, in);
    uet_check(c->tc, "CMS-076", uet_is_cc_request(&in->packet),
              "a ROD Request without req_cc_state, while RCCC is on");
    return true;
}

/* Of two PDCs: under one ccc_id there is one speculation. */
static void own_ids(const struct congested *a, const struct congested *b)
{
    struct uet_tc *tc = a->tc;
    const uint64_t most = max_wnd(tc) + 2ull * nominal_size(a->in[0]);
    const uint8_t one = uet_rud_rod_cc_req_ccc_id(uet_pds(&a->in[0]->packet)),
                  other = uet_rud_rod_cc_req_ccc_id(uet_pds(&b->in[0]->packet));

    uet_check(tc, "CMS-076", one != other || a->bytes + (uint64_t)b->bytes <= most,
              "under ccc_id %u come %u bytes on one PDC and %u on another before anything was "
              "heard, where MaxWnd is %llu",
              one, a->bytes, b->bytes, (unsigned long long)max_wnd(tc));
}

/* It goes when those before it have gone. */
static void drain_what_waited(struct congested *c)
{
    const struct uet_in *in = hear(c->tc, "CMS-076", REQUEST_ON(NULL));

    c->pdc = in->pdc;
    take_flight(c, in);
    drain_on_credit(c);
}

enum { CCCS = 5 };

UET_TEST(own_ccc_id, .id = "cms.3.6.9.1.each-ccc-has-its-id", .requirements = "CMS-076",
         .role = UET_ROLE_INITIATOR, .needs = "rccc rud rod",
         .params = "config_base_rtt sender_link_rate", .not_over = "used after-read aged",
         .contested = true, /* that state is per {source, ccc_id}, and a CCC per mode */
         .purpose = "A ccc_id names one CCC: what goes under it before anything is heard is the "
                    "speculation of one.",
         .preamble = "RCCC is on, NSCC is not, where it can be turned off.",
         .stimulus = "The FEP writes two windows over RUD, and two over ROD for each of four jobs, "
                     "as far as it begins them; the tester is silent.",
         .expected = "CC Requests; where two PDCs have one ccc_id, no more than MaxWnd of them in "
                     "all, and two packets.")
{
    static struct congested c[CCCS];
    uint32_t n = 1;
    need_pdcs(tc, 2);
    fep_speculates_by(&c[0], tc, 2, false);
    bool begun = true, waits = false;
    while (n < CCCS && begun && !waits) {
        begun = speculates_over_rod(&c[n], &c[0], n - 1);
        waits = begun && !c[n].n;
        n += begun && !waits;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            own_ids(&c[i], &c[j]);
    for (uint32_t i = 0; i < n; i++)
        drain_on_credit(&c[i]);
    if (waits)
        drain_what_waited(&c[n]);
    if (n < 2)
        uet_skip(tc, "the FEP begins nothing over ROD while a write is under way, as it may");
}

/* What the FEP writes over ROD for that job, on a PDC of its own; NULL: nothing, or on another's.
 */
static const struct uet_in *first_over_rod(struct uet_tc *tc, uint32_t job)
{
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle;

    op.mode = UET_UT_MODE_ROD;
    op.job_id += job;
    if (!uet_tries(tc, &op, "write", uet_ut_write, &handle))
        return NULL;
    const struct uet_in *in = maybe(tc, REQUEST_ON(NULL));
    if (!in || !uet_has_syn(&in->packet))
        return NULL;
    if (!uet_is_cc_request(&in->packet))
        uet_skip(tc, "what the FEP sends over ROD has no ccc_id");
    completion_of(tc, "CMS-069", handle);
    return in;
}

UET_TEST(rod_ccc_of_pdcs, .id = "cms.3.6.7.ccc-of-rod-pdcs", .requirements = "CMS-069",
         .role = UET_ROLE_INITIATOR, .needs = "rccc rod", .not_over = "used after-read aged",
         .contested = true, /* that a ccc_id names one CCC */
         .purpose = "ROD PDCs to one destination have CCCs of their own.",
         .preamble = "RCCC is on; PDCs do not fall idle.",
         .stimulus = "The FEP writes 16 bytes over ROD for each of two jobs.",
         .expected = "Where each opens a PDC, another ccc_id in each; the same one is a finding.")
{
    need_pdcs(tc, 2);
    uet_try_param(tc, "RCCC", 1);
    hold_idle(tc);
    const struct uet_in *a = first_over_rod(tc, 0), *b = a ? first_over_rod(tc, 1) : NULL;
    if (!b || a->pdc == b->pdc || a->pdc->closed)
        uet_skip(tc, "the FEP has no two ROD PDCs for these jobs");
    if (uet_rud_rod_cc_req_ccc_id(uet_pds(&a->packet)) ==
        uet_rud_rod_cc_req_ccc_id(uet_pds(&b->packet)))
        uet_other_reading(tc, "CMS-069", "two ROD PDCs have one ccc_id");
}

/* Asks for n MTUs in so many READs, and takes nominal bytes of data until the FEP stops. */
static uint64_t reads_unacked(struct uet_tc *tc, const struct source *s, uint32_t n, uint32_t reads,
                              const struct uet_in **last)
{
    static struct uet_out o[READS_MOST];
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t bytes = 0;
    uint32_t each = n / reads * uet_tc_dut(tc)->payload_mtu;

    tolerate(tc, REFUSAL_ON(p)); /* no room for more READs */
    for (uint32_t r = 0; r < reads; r++) {
        size_t packets = uet_message(p, UET_OP_READ, &s->m, 0, NULL, each, o, READS_MOST);
        for (size_t i = 0; i < packets; i++)
            say(tc, &o[i]);
    }
    const struct uet_in *in = hear(tc, "CMS-071", DATA_ON(p));
    do {
        bytes += nominal_size(in);
        *last = in;
        in = maybe(tc, DATA_ON(p), .within = uet_tc_latest(tc, UET_MS));
    } while (in);
    return bytes;
}

/* Two windows of read data, of which nothing is acknowledged; at most a window is to come. */
static uint64_t two_windows(struct uet_tc *tc, uint32_t reads, uint64_t *most,
                            const struct uet_in **last)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    *most = uet_try_param(tc, "MaxWnd", 16ull * mtu) ? 16ull * mtu : max_wnd(tc);
    uint32_t packets = (uint32_t)(2 * *most / mtu);
    if (packets > READS_MOST || packets < reads)
        uet_skip(tc, "two windows are %u packets: too many, or too few", packets);
    ack_data_below(tc, packets / reads * mtu);
    struct source s = need_source(tc, packets * mtu);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    return reads_unacked(tc, &s, packets, reads, last);
}

/* All that is left of it. */
static void take_the_rest(struct uet_tc *tc, const struct uet_in *last)
{
    resume_acks(tc, last);
    while (maybe(tc, DATA_ON(last->pdc), .within = uet_tc_latest(tc, UET_MS)))
        ;
}

static void window_holds_reads(struct uet_tc *tc, uint32_t reads)
{
    const struct uet_in *last = NULL;
    uint64_t most;
    uet_try_param(tc, "NSCC", 1);
    uint64_t bytes = two_windows(tc, reads, &most, &last);
    uet_check(tc, "CMS-071", bytes <= most + headers_of(last),
              "%llu bytes of read data in flight, where the first window is %llu",
              (unsigned long long)bytes, (unsigned long long)most);
    take_the_rest(tc, last);
}

#define READ_IN_A_WINDOW                                                                           \
    .requirements = "CMS-071", .role = UET_ROLE_TARGET, .needs = "nscc rud read any-request",      \
    .params = "config_base_rtt sender_link_rate",                                                  \
    .preamble = "Memory; PDC open; RTO long; MaxWnd 16 payload MTUs where it can be set.",         \
    .expected = "At most MaxWnd in nominal bytes comes, and the headers of one packet."

UET_TEST(read_data_in_a_window, .id = "cms.3.5.3.read-data-in-a-window", READ_IN_A_WINDOW,
         .purpose = "Read data that comes in Requests obeys the window of the target as a source.",
         .stimulus = "A READ of two windows, no data of which is acknowledged.")
{
    window_holds_reads(tc, 1);
}

UET_TEST(reads_share_a_window, .id = "cms.3.5.3.reads-share-a-window", READ_IN_A_WINDOW,
         .not_over = "all", /* where read-data-in-a-window goes */
         .purpose = "Data of all READs goes through one window.",
         .stimulus = "Four READs of two windows together, no data of which is acknowledged.")
{
    window_holds_reads(tc, 4);
}

/* From this packet on, first copies and others, until the FEP stops. */
static uint64_t all_copies(struct uet_tc *tc, const struct uet_in *in)
{
    uint64_t bytes = 0;
    for (; in; in = maybe(tc, .kind = UET_WANT_REQUEST, .pdc = in->pdc,
                              .within = uet_tc_latest(tc, UET_MS)))
        bytes += nominal_size(in);
    return bytes;
}

UET_TEST(read_data_again_in_a_window, .id = "cms.3.5.3.read-data-again-in-a-window",
         READ_IN_A_WINDOW, .not_over = "all", /* where read-data-in-a-window goes */
         .purpose = "Read data that comes again is in flight as it was before.",
         .stimulus = "A READ of two windows, no data of which is acknowledged, until the FEP sends "
                     "data again; what comes from then on counts too, new data and copies alike.")
{
    const struct uet_in *last = NULL;
    uint64_t most;
    uet_need_retries(tc);
    uet_try_param(tc, "NSCC", 1);
    two_windows(tc, 1, &most, &last);
    const struct uet_pdc *pdc = last->pdc;
    const uint64_t due = patience(tc, one_rto(tc));
    uint64_t bytes = all_copies(tc, hear(tc, "PDS-156", ANY_RESEND_ON(pdc), .within = due));
    uet_check(tc, "CMS-071", bytes <= most + headers_of(last),
              "%llu bytes of read data after a timeout, where the first window is %llu",
              (unsigned long long)bytes, (unsigned long long)most);
    take_the_rest(tc, last);
}

UET_TEST(read_data_on_credit, .id = "cms.3.6.14.read-data-on-credit",
         .requirements = "CMS-071 CMS-076 CMS-084 CMS-078", .role = UET_ROLE_TARGET,
         .needs = "rccc rud read any-request", .params = "config_base_rtt sender_link_rate",
         .not_over = "company past", /* with these the FEP has heard of credit */
         .purpose = "A target asks for credit for the data that is read, and waits for it.",
         .preamble = "Memory; PDC open; RTO long; RCCC is on; MaxWnd 16 payload MTUs where it can "
                     "be set.",
         .stimulus = "A READ of two windows; what comes is acknowledged, and nothing is granted; "
                     "then all that a Credit Request asks for.",
         .expected = "CC Requests, of MaxWnd in nominal bytes and a packet at most; none after the "
                     "ACK; a Credit Request, and more data on that credit.")
{
    static struct congested c;
    const struct uet_in *last = NULL;
    uint64_t most;
    c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    bool set = turn_on_rccc(tc);
    uet_auto_credit(tc, false);
    uint64_t bytes = two_windows(tc, 1, &most, &last);
    if (!uet_is_cc_request(&last->packet) && !set)
        uet_skip_for(tc, UET_SKIP_VERB, "RCCC is off, and this FEP cannot turn it on");
    uet_check(tc, "CMS-076", uet_is_cc_request(&last->packet),
              "read data without req_cc_state, while RCCC is on");
    uet_check(tc, "CMS-071", bytes <= most + nominal_size(last),
              "%llu bytes of read data before anything was heard, where the window is %llu",
              (unsigned long long)bytes, (unsigned long long)most);
    c.pdc = last->pdc;
    resume_acks(tc, last);
    silence(tc, "CMS-071", DATA_ON(c.pdc), .within = 10 * c.base_rtt);
    grant(&c, asked_target(credit_request(&c, "CMS-084")));
    last = hear(tc, "CMS-078", DATA_ON(c.pdc));
    uet_auto_credit(tc, true);
    take_the_rest(tc, last);
}

enum { AT_ONCE = 64, REFUSED_MOST = 1024 };

/* n SYNs of PDCs that the FEP has no context for. False: meanwhile one was given back. */
static bool refused_syns(struct uet_tc *tc, struct uet_ip from, size_t n)
{
    struct uet_pdc *p[AT_ONCE];

    for (size_t i = 0; i < n; i++) {
        p[i] = uet_pdc_new_from(tc, from);
        struct uet_out syn = uet_any_request(p[i]);
        say(tc, &syn);
    }
    for (size_t i = 0; i < n; i++) {
        const struct uet_in *in = hear(tc, "PDS-042", ANSWER_ON(p[i]));
        if (uet_is_ack(&in->packet))
            return false;
        field_among(tc, "PDS-042", in, UET_F_PDS_NACK_CODE, UET_NACK_NO_CCC_AVAIL,
                    UET_NACK_NO_RESOURCE);
        field(tc, "PDS-042", in, UET_F_PDS_SPDCID, 0);
    }
    return true;
}

/* One, and then as many as it has PDCs, none of which may be taken by one of them. */
static void refused_often(struct uet_tc *tc, struct uet_ip from)
{
    uint64_t most = 0;

    uet_check(tc, "PDS-042", refused_syns(tc, from, 1), "a SYN was taken without a context");
    (void)uet_dut_param(uet_tc_dut(tc), "max-pdcs", &most);
    most = most < REFUSED_MOST ? most : REFUSED_MOST;
    for (uint64_t n = 0; n < most && refused_syns(tc, from, AT_ONCE); n += AT_ONCE)
        ;
}

UET_TEST(
    no_context_left, .id = "cms.3.5.12.7.no-context-left", .requirements = "PDS-042",
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
    .not_over = "company rod", /* which has the context, too */
    .purpose = "A SYN for which the FEP has no congestion control context is told so, until "
               "one is given back.",
    .preamble = "The FEP's parameter CCCs can be set: to 1, which a PDC of the tester's takes.",
    .stimulus = "A SYN from the tester's second address, and others, as many as the FEP has PDCs; "
                "the PDC is closed; another SYN, and one more if the FEP has more than two PDCs.",
    .expected = "NACK UET_NO_CCC_AVAIL (0x05; or 0x0A) with spdcid 0 for each; then ACKs.")
{
    need_pdcs(tc, 2);
    uet_set_param(tc, "CCCs", 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out next = uet_any_request(p);
    exchange(tc, &next); /* shared: no more is needed for the same peer */
    refused_often(tc, uet_tc_second_address(tc));
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    tolerate(tc, REFUSAL_OF(&close)); /* it may have closed it itself, for want of the context */
    say(tc, &close);
    (void)maybe(tc, ANSWER_ON(p));
    p->closed = true;
    uet_wait(tc, uet_tc_quiet(tc));
    uint64_t pdcs = 0; /* told: the second shows that none was lost with a SYN that was refused */
    (void)uet_dut_param(uet_tc_dut(tc), "max-pdcs", &pdcs);
    for (unsigned i = 0; i < (pdcs > 2 ? 2 : 1); i++) {
        struct uet_out syn = uet_any_request(uet_pdc_new_from(tc, uet_tc_second_address(tc)));
        say(tc, &syn);
        const struct uet_in *in = hear(tc, "PDS-042", ANSWER_TO(&syn));
        const bool lacks = !uet_is_ack(&in->packet); /* the second may need a context of its own */
        const uint8_t code = lacks ? uet_nack_nack_code(uet_pds(&in->packet)) : 0;
        uet_check(tc, "PDS-042",
                  !lacks || (i && (code == UET_NACK_NO_CCC_AVAIL || code == UET_NACK_NO_RESOURCE)),
                  "refused, though the context was given back");
    }
}
