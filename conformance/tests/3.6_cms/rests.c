/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.16.4: what is left of marks when they are over, and when they are on all paths. */
#include "conformance/tests/3.6_cms/aware.h"

#define CALM      4u /* flights without marks: each EV had its turn */
#define ROUNDS    6u /* of marks, ... */
#define BETWEEN   2u /* ... with flights without them before each */
#define SMALL_SET 8u
#define WAITS     3u /* the part of config_base_rtt that a packet may come later */
/* Seven of eight packets of PART are marked: more than MOST per cent of the set have a mark.
 * Without one are an eighth of PART and what is beyond PART, seven EVs; SOON is more. */
#define MOST 78u
#define PART (SET * 7 / 8)
#define SOON (SET * 5 / 16)

static void calm(struct congested *c, unsigned flights)
{
    for (unsigned i = 0; i < flights; i++) {
        answer_flight(c, .served = true);
        flight_at_once(c);
    }
}

UET_TEST(rest_after_saturation, .id = "cms.3.6.16.4.rest-after-saturation",
         .requirements = "CMS-098 CMS-099", PATH_AWARE, .not_over = "all", /* long */
         .purpose = "When most paths were marked, and are well again, those that are marked rest.",
         .preamble = "The FEP writes without an end in sight; path aware where it can be set; "
                     "virtual time.",
         .stimulus = "All ACKs of two flights with m=1, of four with m=0; then six times two "
                     "flights with m=0, and one of which each eighth ACK has m=1; service_time is "
                     "all of the delay.",
         .expected = "Of the six flights that come at once at most three quarters as many packets "
                     "as there were marks are on these entropy values: some may come again where a "
                     "pass ends, but who does not heed marks has nearly all.")
{
    static struct congested c;
    uint32_t marks = 0, on = 0;
    need_exact_delays(tc);
    need_saturation(tc, 2 * 100 / SHARE, false);
    aware_fills(&c, tc, 2 + CALM + ROUNDS * (BETWEEN + 1) + 2);
    for (unsigned i = 0; i < 2; i++) {
        answer_flight(&c, .m = true, .served = true);
        flight_at_once(&c);
    }
    calm(&c, CALM);
    for (unsigned i = 0; i < ROUNDS; i++) {
        calm(&c, BETWEEN);
        marks += (c.n + SHARE - 1) / SHARE;
        on += on_marked(&c, true);
    }
    if (marks < ROUNDS * (FEWEST / SHARE)) {
        drain(&c);
        uet_skip(tc, "only %u packets could be marked", marks);
    }
    uet_check(tc, "CMS-098", on * 4 <= marks * 3, "%u packets on paths that %u marks told of", on,
              marks);
    drain(&c);
}

/* How long the flight paused at most. */
static uint64_t longest_pause(const struct congested *c)
{
    uint64_t most = 0;

    for (uint32_t i = 1; i < c->n; i++) {
        uint64_t pause = c->in[i]->time_ns - c->in[i - 1]->time_ns;
        most = pause > most ? pause : most;
    }
    return most;
}

UET_TEST(all_marked_do_not_wait, .id = "cms.3.6.16.4.all-marked-do-not-wait",
         .requirements = "CMS-099", PATH_AWARE, .not_over = "all",
         .purpose = "When all paths are marked a source goes on, and waits for none to be well.",
         .preamble = "The FEP writes without an end in sight; path aware where it can be set, and "
                     "with a set of eight values, where that can be set; virtual time.",
         .stimulus = "The ACKs of a flight with m=0, and of one with m=1; service_time is all of "
                     "the delay.",
         .expected = "What comes on the latter is as much as came on the former, but for two "
                     "packets, and no two of it are further apart, but for a third of "
                     "config_base_rtt.")
{
    static struct congested c;
    need_exact_delays(tc);
    need_saturation(tc, 100, true);
    uet_try_param(tc, "LB", BITMAP);
    uet_try_param(tc, "ev_set_size", SMALL_SET);
    fep_fills_again(&c, tc, 4);
    answer_flight(&c, .served = true);
    flight_at_once(&c);
    uint64_t pause = longest_pause(&c) + c.base_rtt / WAITS;
    uint32_t n = c.n;
    answer_flight(&c, .m = true, .served = true);
    flight_at_once(&c);
    uet_check(tc, "CMS-099", c.n + 2 >= n, "%u packets came, and %u when all paths were marked", n,
              c.n);
    uet_check(tc, "CMS-099", longest_pause(&c) <= pause, "no packet for %.3f us",
              (double)longest_pause(&c) / 1e3);
    drain(&c);
}

static void need_in_flight(struct congested *c, uint32_t least)
{
    uint32_t n = c->n;

    if (n >= least)
        return;
    drain(c);
    uet_skip(c->tc, "the FEP has %u packets in flight, fewer than %u", n, least);
}

UET_TEST(most_marked_are_used, .id = "cms.3.6.16.4.most-marked-are-used", .requirements = "CMS-099",
         PATH_AWARE, .not_over = "all",
         .purpose = "When most paths are marked, their turn is not passed over.",
         .preamble = "LB is the bitmap, with a set of 32 values: a FEP where this cannot be set is "
                     "skipped; NSCC is on; virtual time.",
         .stimulus = "The FEP writes 28 packets; seven of eight ACKs have m=1, and service_time is "
                     "all of the delay. When that write is over it writes 28 packets more.",
         .expected =
             "Of the first ten of these one at least has a marked entropy value: who passes "
             "over marked ones has the four that were not used, three without a mark, and "
             "the four once more before.")
{
    static struct congested c;
    static const struct uet_in *marked[PART];
    uint32_t n = 0;
    need_exact_delays(tc);
    need_saturation(tc, MOST, true);
    if (!uet_try_param(tc, "LB", BITMAP) || !uet_try_param(tc, "ev_set_size", SET))
        uet_skip_for(tc, UET_SKIP_VERB, "this FEP cannot be set to a bitmap of %u EVs", SET);
    uet_try_param(tc, "MaxWnd", (uint64_t)SET * uet_tc_dut(tc)->payload_mtu);
    const uint32_t bytes = PART * uet_tc_dut(tc)->payload_mtu;
    fep_sends(&c, tc, bytes, true);
    need_in_flight(&c, PART);
    for (uint32_t i = 0; i < c.n; i++) {
        bool mark = i % SHARE != SHARE - 1;
        answer(&c, c.in[i], &(const struct echo){.m = mark, .served = true});
        if (mark && n < PART)
            marked[n++] = c.in[i];
    }
    completes(tc, "CMS-110", c.handle, UET_UT_OK);
    take_flight(&c, fep_writes_on(tc, &c.pdc, bytes, &c.handle));
    need_in_flight(&c, SOON);
    c.n = SOON;
    uint32_t on = on_these(&c, marked, n);
    uet_check(tc, "CMS-099", on, "the first %u packets have no entropy value of %u that are marked",
              SOON, n);
    drain(&c);
}
