/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.16: over how many paths the packets of RUD go. */
#include <stdlib.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"

#define SAMPLE 512u /* packets at most, ... */
#define FEWEST 48u  /* ... and at least */
#define USUAL  256u /* entropy values of a set are usual (3.6.16.3) */
#define OTHERS 8u   /* at least one packet of so many goes over another path */

static int by_value(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* How often each value comes, in order of the values; how many values there are. */
static uint32_t tally(uint16_t ev[SAMPLE], uint32_t sent, uint32_t counts[SAMPLE])
{
    uint32_t n = 0;
    qsort(ev, sent, sizeof(*ev), by_value);
    for (uint32_t i = 0; i < sent; i++) {
        if (!i || ev[i] != ev[i - 1])
            counts[n++] = 0;
        counts[n - 1]++;
    }
    return n;
}

/* What the FEP sends before the first answer: no news of any path has reached it. */
static uint32_t sample(struct uet_tc *tc, uint16_t ev[SAMPLE])
{
    struct uet_pdc *pdc;
    uint32_t n = 0;
    hold_rto(tc);
    skip_with_tail_loss_timer(tc);
    uet_auto_ack(tc, false);
    const struct uet_in *in =
        fep_writes(tc, (SAMPLE + 1) * uet_tc_dut(tc)->payload_mtu, &pdc, NULL);
    const struct uet_in *last = in;
    for (; in && n < SAMPLE; in = uet_next_request(tc, NULL)) {
        ev[n++] = uet_entropy(&in->packet);
        last = in;
    }
    resume_acks(tc, last);
    if (n < FEWEST)
        uet_skip(tc, "the FEP has %u packets in flight: too few for statistics", n);
    return n;
}

UET_TEST(
    paths_are_used_evenly, .id = "cms.3.6.16.paths-are-used-evenly", .requirements = "CMS-096",
    .role = UET_ROLE_INITIATOR, .needs = "rud",
    .not_over = "all" /* long; where PSNs begin does not matter to paths */,
    .purpose = "RUD is sprayed over many paths: while nothing is known of them, no path has nearly "
               "all packets.",
    .preamble = "None: whatever load balancing the FEP has.",
    .stimulus = "A write of 513 packets; nothing is acknowledged.",
    .expected =
        "Where several entropy values came, an eighth of the packets at least has others than the "
        "most frequent one. The sample is what comes unanswered, 48 to 512 packets. How evenly "
        "paths are used is the FEP's choice (3.6.16); of two values that are drawn by chance one "
        "has so much of 48 packets with a probability below 1e-7.")
{
    static uint16_t ev[SAMPLE];
    static uint32_t counts[SAMPLE];
    uint32_t sent = sample(tc, ev), values = tally(ev, sent, counts), most = 0;
    if (values == 1)
        uet_skip(tc, "the FEP has one entropy value, of which cms.3.6.16.sprayed speaks");
    for (uint32_t i = 0; i < values; i++)
        most = counts[i] > most ? counts[i] : most;
    uet_check(tc, "CMS-096", (sent - most) * OTHERS >= sent,
              "%u packets, %u entropy values: %u packets have the same one", sent, values, most);
}

/* The bits that are not the same in all of them. */
static uint16_t bits_that_change(const uint16_t *ev, uint32_t n)
{
    uint16_t changed = 0;
    for (uint32_t i = 1; i < n; i++)
        changed |= ev[i] ^ ev[0];
    return changed;
}

UET_TEST(
    no_bit_is_kept_for_ports, .id = "cms.3.6.16.6.3.no-bit-is-kept-for-ports",
    .requirements = "CMS-102", .role = UET_ROLE_INITIATOR, .needs = "rud",
    .not_over = "all" /* long; where PSNs begin does not matter to paths */,
    .purpose = "A FEP with one port keeps none of the entropy space for other ports.",
    .preamble = "None: whatever load balancing the FEP has.", .stimulus = "A write of 512 packets.",
    .expected =
        "Where there are more than 256 entropy values, that one of their last eight bits is the "
        "same in all is a finding, which is none for a FEP of several ports. A set of up to 256 is "
        "usual (3.6.16.3), and may be any part of the space; of more "
        "only what is above those bits may be left out, as that tells of dynamic ports.")
{
    static uint16_t ev[SAMPLE];
    static uint32_t counts[SAMPLE];
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *in = fep_writes(tc, SAMPLE * uet_tc_dut(tc)->payload_mtu, &pdc, &handle);
    for (uint32_t i = 0; i < SAMPLE; i++) {
        in = i ? hear(tc, "CMS-102", REQUEST_ON(pdc)) : in;
        ev[i] = uet_entropy(&in->packet);
    }
    completion_of(tc, "CMS-102", handle);
    uint32_t values = tally(ev, SAMPLE, counts);
    if (values <= USUAL)
        uet_skip(tc, "%u entropy values: a usual set", values);
    uint16_t kept = (uint16_t)((USUAL - 1) & ~(uint32_t)bits_that_change(ev, SAMPLE));
    if (kept) /* nobody tells how many ports the FEP has */
        uet_other_reading(tc, "CMS-102",
                          "in %u entropy values the bits 0x%02x are always the same, as if they "
                          "were kept for other ports",
                          values, kept);
}
