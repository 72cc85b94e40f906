/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.3, 3.6.13: the tester as the congested reader of a FEP that is the target. */
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/congested.h"

#define MARKED      4u /* flights */
#define FEWEST_DATA 12u
#define READS_MOST  512u
#define MEMORY_MOST (1u << 20) /* bytes */

#define READ_DATA                                                                                  \
    .requirements = "CMS-071", .role = UET_ROLE_TARGET, .needs = "nscc rud read any-request",      \
    .params = "config_base_rtt sender_link_rate",                                                  \
    .preamble = "Memory; PDC open; RTO long; NSCC is on, RCCC is not; MaxWnd is some payload "     \
                "MTUs where it can be set; a READ of several windows; virtual time, as a delay "   \
                "might cut the window before the test does."

/* How many windows are read; payload MTUs in a window, where MaxWnd can be set. */
struct reading {
    uint32_t windows, in_a_window;
};

/* The first flight of so much data. */
static void fep_is_read(struct congested *c, struct uet_tc *tc, struct reading r)
{
    static struct uet_out o[READS_MOST];
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uet_try_param(tc, "MaxWnd", r.in_a_window * (uint64_t)mtu);
    const uint64_t bytes = bytes_of_windows(tc, r.windows);
    if (bytes / mtu > READS_MOST || bytes > MEMORY_MOST)
        uet_skip(tc, "%u windows are %llu bytes: too many to be read", r.windows,
                 (unsigned long long)bytes);
    ack_data_below(tc, (uint32_t)bytes);
    struct source s = need_source(tc, (uint32_t)bytes);
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    c->pdc = uet_pdc_open(tc);
    c->pdc->ack_cc = true;
    tolerate(tc, REFUSAL_ON(c->pdc)); /* no room for more READs */
    size_t n = uet_message(c->pdc, UET_OP_READ, &s.m, 0, NULL, (uint32_t)bytes, o, READS_MOST);
    for (size_t i = 0; i < n; i++)
        say(tc, &o[i]);
    take_flight(c, hear(tc, "CMS-071", DATA_ON(c->pdc)));
    if (!c->n)
        uet_error(tc, "a READ gave no packet");
}

/* All that is left of it. */
static void take_the_rest(struct congested *c)
{
    resume_acks(c->tc, c->in[c->n - 1]);
    while (maybe(c->tc, DATA_ON(c->pdc), .within = uet_tc_latest(c->tc, UET_MS)))
        ;
}

/* A FEP may have refused a part of the READ for want of room: the data of that does not come. */
static void need_data(struct congested *c)
{
    if (!c->n)
        uet_skip(c->tc, "the data ended before the flight that would have told");
}

/* What is in flight before anything is done to the window, which is full. */
static uint32_t full_window(struct congested *c, struct uet_tc *tc, struct reading r)
{
    *c = (struct congested){.tc = tc, .base_rtt = uet_tc_param(tc, "config_base_rtt")};
    uint64_t delay = target_qdelay(tc);
    c->apart = 4 * (delay > c->base_rtt ? delay : c->base_rtt);
    need_exact_delays(tc);
    need_rccc_off(tc);
    uet_try_param(tc, "NSCC", 1);
    fep_is_read(c, tc, r);
    uint32_t packet = nominal_size(c->in[0]);
    answer_flight(c, .served = true);
    next_flight(c);
    if (c->n < FEWEST_DATA || c->bytes + 2 * packet < max_wnd(tc)) {
        uet_auto_ack(tc, true);
        uet_skip(tc, "%u packets of data in flight, %u bytes, are too few or not a window", c->n,
                 c->bytes);
    }
    return c->bytes;
}

UET_TEST(
    read_data_heeds_marks, .id = "cms.3.5.3.read-data-heeds-marks", READ_DATA,
    .purpose = "A target whose read data is marked, and acknowledged late, has less in flight.",
    .stimulus = "A flight is acknowledged without delay; then four by ACK_CCs with m=1, far "
                "later than config_base_rtt, with service_time 0.",
    .expected = "As in marks-shrink-the-window: at least a quarter less in flight after them.")
{
    static struct congested c;
    need_cuts(tc);
    uint32_t before =
        full_window(&c, tc, (struct reading){.windows = MARKED + 3, .in_a_window = 16});
    for (unsigned i = 0; i < MARKED; i++) {
        answer_flight(&c, .m = true);
        next_flight(&c);
    }
    need_data(&c);
    uet_check(tc, "CMS-071", c.bytes <= before / 4 * 3,
              "%u bytes of read data in flight before the marks, %u after %u flights of them",
              before, c.bytes, MARKED);
    take_the_rest(&c);
}

UET_TEST(read_data_heeds_trims, .id = "cms.3.5.3.read-data-heeds-trims", READ_DATA,
         .purpose = "Read data that is trimmed cuts the window of the target.",
         .stimulus = "A flight is acknowledged without delay; of the next half the packets get "
                     "NACK UET_TRIMMED, the others an ACK_CC with m=1 and service_time for all of "
                     "the delay, which moves no window.",
         .expected = "As in trims-cut-the-window: in flight, resends with it, less by half of what "
                     "was refused, at least.")
{
    static struct congested c;
    need_little_growth(tc);
    uint32_t before = full_window(&c, tc, (struct reading){.windows = 3, .in_a_window = 32});
    uint32_t refused = c.n / 2 * nominal_size(c.in[0]);
    refuse_half(&c, UET_NACK_TRIMMED, &(const struct echo){.m = true, .served = true});
    need_data(&c);
    uet_check(tc, "CMS-071", c.bytes <= before - refused / 2,
              "%u bytes of read data in flight, of which %u were refused as trimmed; then %u",
              before, refused, c.bytes);
    take_the_rest(&c);
}
