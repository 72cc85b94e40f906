/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8 under 3.7: RANDOM_1RTT_START, and a PDC that is PENDING until its peer begins right. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

/* A new PDC of a domain whose target says where to begin, and a SYN to it. */
static struct uet_pdc *in_random_domain(struct uet_tc *tc)
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    start_by_hand(tc);
    uet_try_param(tc, "New_PDC_Time", UET_NEW_PDC_TIME_MOST);
    return uet_pdc_new(tc);
}

/* Says a SYN that begins there; the Start_PSN that the FEP wants instead. */
static uint32_t wanted_instead(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                               uint32_t start)
{
    start_at(p, start);
    struct uet_out syn = uet_any_request(p);

    say(tc, &syn);
    hear_new_start(tc, requirement, &syn, &start);
    return start;
}

/* The right one opens the PDC. */
static void opens_at(struct uet_tc *tc, const char *requirement, struct uet_pdc *p, uint32_t start)
{
    start_at(p, start);
    struct uet_out syn = uet_any_request(p);
    check_cack(tc, requirement, ask(tc, requirement, &syn), start);
}

UET_TEST(random_starts_differ, .id = "tss.3.5.8.random-starts-differ", .requirements = "TSS-059",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "A target of RANDOM_1RTT_START wants a Start_PSN that nobody can foresee.",
         .stimulus = "SYNs of three PDCs, with the same Start_PSN.",
         .expected = "NACK UET_NEW_START_PSN each; no two of the three values, and none and the "
                     "Start_PSN, are less than 256 apart, nor the three in even steps.")
{
    need_pdcs(tc, 3);
    struct uet_pdc *p = in_random_domain(tc);
    uint32_t at[4] = {p->start_psn};

    for (int i = 1; i < 4; i++)
        at[i] = wanted_instead(tc, "TSS-059", i == 1 ? p : uet_pdc_new(tc), at[0]);
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < i; k++) /* at random: 6 of 2^23 runs */
            uet_check(tc, "TSS-059", at[i] - at[k] + 255 > 510, "0x%08x and 0x%08x are near", at[k],
                      at[i]);
    uet_check(tc, "TSS-059", at[3] - at[2] != at[2] - at[1], "the values go in even steps");
}

/* Of the domain of what it refuses, and with no CRC inside. */
static void refused_sealed(struct uet_tc *tc, const struct uet_out *syn)
{
    uint32_t start;

    say(tc, syn);
    const struct uet_in *nack = hear_new_start(tc, "TSS-059", syn, &start);
    if (!nack->packet.tss) {
        uet_other_reading(tc, "TSS-054", "UET_NEW_START_PSN came in clear");
        return;
    }
    field(tc, "TSS-054", nack, UET_F_TSS_SDI, sdi_now(tc));
    payload_bytes(tc, "TSS-006", nack, 0);
}

UET_TEST(new_start_sealed, .id = "tss.3.5.8.new-start-sealed", .requirements = "TSS-054 TSS-006",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss", .contested = true,
         .not_over = "psn used after-read aged reopened",
         .purpose = "UET_NEW_START_PSN is sealed for the domain of the SYN that it refuses.",
         .stimulus = "Two SYNs with the same Start_PSN, in a domain of RANDOM_1RTT_START.",
         .expected =
             "NACK UET_NEW_START_PSN for each, in a TSS packet of that SDI with nothing behind "
             "the NACK; one in clear is a finding.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint32_t wrong = p->start_psn;

    for (int i = 0; i < 2; i++) {
        start_at(p, wrong);
        struct uet_out syn = uet_any_request(p);
        refused_sealed(tc, &syn);
    }
}

/* Who asks where to begin says no mode; the Request that begins there does. */
static void asks_and_begins(struct uet_tc *tc, struct uet_pdc *p)
{
    uint32_t start;
    struct uet_out query = uet_cp(p, UET_CTL_NOOP);

    say(tc, &query);
    hear_new_start(tc, "TSS-060", &query, &start);
    opens_at(tc, "TSS-060", p, start);
}

UET_TEST(start_asked_for, .id = "tss.3.5.8.start-asked-for", .requirements = "TSS-060 TSS-061",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "A NOOP with syn=1 asks a target of RANDOM_1RTT_START where to begin.",
         .stimulus = "A NOOP with syn=1; a Request with the Start_PSN of the answer.",
         .expected = "NACK UET_NEW_START_PSN; an ACK.")
{
    asks_and_begins(tc, in_random_domain(tc));
}

UET_TEST(start_asked_for_rod, .id = "tss.3.5.8.start-asked-for-rod",
         .requirements = "TSS-060 TSS-061", .role = UET_ROLE_TARGET, .needs = "rod any-request tss",
         .not_over = "psn used after-read aged reopened",
         .purpose = "A PDC of ROD begins where the target asks for, too.",
         .stimulus = "A NOOP with syn=1; a ROD Request with the Start_PSN of the answer; another.",
         .expected = "NACK UET_NEW_START_PSN; ACKs.")
{
    struct uet_pdc *p = in_random_domain(tc);

    p->rod = true;
    asks_and_begins(tc, p);
    answer_to_next(tc, "TSS-060", p);
}

/* PENDING: the wrong place is refused with the same value, the right one opens. */
static void wrong_then_right(struct uet_tc *tc, struct uet_pdc *p, uint32_t start)
{
    const uint64_t began = uet_tc_now(tc);
    const uint32_t wrong[] = {start - 1, start + 5000};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        const uint32_t wanted = wanted_instead(tc, "TSS-061", p, wrong[i]);
        if (3 * (uet_tc_now(tc) - began) >= UET_NEW_PDC_TIME_MOST)
            uet_skip(tc, "the FEP answers too late for more SYNs within New_PDC_Time");
        uet_check_eq(tc, "TSS-061", "Start_PSN of the next NACK", wanted, start);
    }
    opens_at(tc, "TSS-061", p, start);
}

UET_TEST(
    wrong_then_right_random, .id = "tss.3.5.8.pending-wants-its-start", .requirements = "TSS-061",
    .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
    .not_over = "psn used after-read aged reopened",
    .purpose = "A PENDING PDC is open when a SYN has the Start_PSN that was given, not before.",
    .preamble = "In a domain of RANDOM_1RTT_START a SYN is refused: the PDC is PENDING.",
    .stimulus = "A SYN with one less than the Start_PSN of the NACK, and one with 5000 more; one "
                "with that.",
    .expected = "NACKs UET_NEW_START_PSN with the same value; an ACK.")
{
    struct uet_pdc *p = in_random_domain(tc);

    wrong_then_right(tc, p, wanted_instead(tc, "TSS-059", p, p->start_psn));
}

/* The second packet of a PDC that begins there: psn is one above, psn_offset 1. */
static struct uet_out second_of(struct uet_pdc *p, uint32_t start)
{
    start_at(p, start);
    (void)uet_any_request(p);
    return uet_any_request(p);
}

UET_TEST(pending_by_start, .id = "tss.3.5.8.pending-looks-at-start", .requirements = "TSS-061",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "psn rod used after-read aged reopened",
         .purpose = "What opens a PENDING PDC is psn - psn_offset, not psn.",
         .preamble = "In a domain of RANDOM_1RTT_START a SYN is refused: the PDC is PENDING.",
         .stimulus = "A SYN whose psn is the Start_PSN of the NACK, with psn_offset 1; then one "
                     "with one more, and psn_offset 1; that with psn_offset 0.",
         .expected = "NACK UET_NEW_START_PSN with the same value; an ACK each.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint32_t start = wanted_instead(tc, "TSS-059", p, p->start_psn);
    const uint64_t began = uet_tc_now(tc);
    struct uet_out wrong = second_of(p, start - 1);
    uint32_t again;

    say(tc, &wrong);
    hear_new_start(tc, "TSS-061", &wrong, &again);
    if (3 * (uet_tc_now(tc) - began) >= UET_NEW_PDC_TIME_MOST)
        uet_skip(tc, "the FEP answers too late for a second SYN within New_PDC_Time");
    uet_check_eq(tc, "TSS-061", "Start_PSN of the second NACK", again, start);
    struct uet_out right = second_of(p, start);
    ask(tc, "TSS-061", &right);
    struct uet_out first = request_at(p, start);
    ask(tc, "TSS-061", &first);
}

UET_TEST(pending_ends, .id = "tss.3.5.8.pending-ends", .requirements = "TSS-062",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss", .params = "New_PDC_Time",
         .not_over = "psn used after-read aged reopened",
         .purpose = "A PDC that is PENDING for New_PDC_Time is freed, and its Start_PSN forgotten.",
         .preamble = "In a domain of RANDOM_1RTT_START a SYN is refused: the PDC is PENDING.",
         .stimulus =
             "Nothing for New_PDC_Time; then a SYN with the Start_PSN of the NACK; one with "
             "that of the second NACK.",
         .expected = "NACK UET_NEW_START_PSN with another value; an ACK.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint32_t start = wanted_instead(tc, "TSS-059", p, p->start_psn);
    const uint64_t time = uet_tc_param(tc, "New_PDC_Time");

    uet_wait(tc, time + uet_tc_tolerance(tc, time));
    const uint32_t anew = wanted_instead(tc, "TSS-062", p, start);
    uet_check(tc, "TSS-062", anew != start, "the Start_PSN is still the one of before");
    opens_at(tc, "TSS-061", p, anew);
}

UET_TEST(pending_not_renewed, .id = "tss.3.5.8.pending-not-renewed", .requirements = "TSS-062",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss", .params = "New_PDC_Time",
         .not_over = "psn used after-read aged reopened",
         .purpose = "SYNs that begin wrong do not keep a PENDING PDC beyond New_PDC_Time.",
         .preamble = "In a domain of RANDOM_1RTT_START a SYN is refused: the PDC is PENDING.",
         .stimulus = "SYNs with one less than the Start_PSN of the NACK, when a half and when "
                     "three quarters of New_PDC_Time are over; when all of it is, one with that.",
         .expected = "NACK UET_NEW_START_PSN each time, the last with another value.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint32_t start = wanted_instead(tc, "TSS-059", p, p->start_psn);
    const uint64_t time = uet_tc_param(tc, "New_PDC_Time"), began = uet_tc_now(tc);

    for (unsigned quarters = 2; quarters <= 4; quarters++) {
        const uint64_t due = began + time / 4 * quarters, now = uet_tc_now(tc);

        uet_wait(tc,
                 (due > now ? due - now : 0) + (quarters == 4 ? uet_tc_tolerance(tc, time) : 0));
        if (quarters < 4)
            wanted_instead(tc, "TSS-062", p, start - 1);
    }
    uet_check(tc, "TSS-062", wanted_instead(tc, "TSS-062", p, start) != start,
              "the Start_PSN is still the one of before");
}

/* As many as the FEP has; more of them at once take a tester too long. */
static uint64_t few_pdcs(struct uet_tc *tc)
{
    const uint64_t most = uet_tc_param(tc, "max-pdcs");

    if (most > 256)
        uet_skip_for(tc, UET_SKIP_PARAMETER, "max-pdcs is %llu: too many for this test",
                     (unsigned long long)most);
    return most;
}

UET_TEST(pending_gives_back, .id = "tss.3.5.8.pending-gives-back", .requirements = "TSS-062",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss", .params = "New_PDC_Time max-pdcs",
         .not_over = "all",
         .purpose = "PENDING PDCs that have timed out leave room for as many others.",
         .preamble = "In a domain of RANDOM_1RTT_START, as many SYNs are refused as the FEP has "
                     "PDCs; New_PDC_Time is over.",
         .stimulus = "As many SYNs of other PDCs; one with the Start_PSN of the last NACK.",
         .expected = "NACK UET_NEW_START_PSN each; an ACK.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint64_t most = few_pdcs(tc), time = uet_tc_param(tc, "New_PDC_Time");
    uint32_t start = 0;

    uet_talk_long(tc);
    for (uint64_t n = 0; n < 2 * most; n++) {
        if (n == most)
            uet_wait(tc, time + uet_tc_tolerance(tc, time));
        p = n ? uet_pdc_new(tc) : p;
        start = wanted_instead(tc, n < most ? "TSS-059" : "TSS-062", p, p->start_psn);
    }
    opens_at(tc, "TSS-062", p, start);
    /* Those that are PENDING now would leave no room for who comes next. */
    uet_wait(tc, time + uet_tc_tolerance(tc, time));
}

UET_TEST(pending_flood, .id = "tss.3.5.8.flood-of-pending", .requirements = "TSS-063 TSS-062",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss", .params = "New_PDC_Time max-pdcs",
         .not_over = "all",
         .purpose = "More PENDING PDCs than a target has keep nobody out for ever.",
         .preamble = "In a domain of RANDOM_1RTT_START.",
         .stimulus = "Twice as many SYNs as the FEP has PDCs, each of another one, that begin "
                     "wrong; when New_PDC_Time is over, one more, and one with the Start_PSN of "
                     "its NACK.",
         .expected = "UET_NEW_START_PSN, UET_NO_PDC_AVAIL or nothing to those; then "
                     "UET_NEW_START_PSN and an ACK.")
{
    struct uet_pdc *p = in_random_domain(tc);
    const uint64_t most = few_pdcs(tc), time = uet_tc_param(tc, "New_PDC_Time");

    uet_talk_long(tc);
    tolerate(tc, REFUSAL_ON(NULL));
    for (uint64_t n = 0; n < 2 * most; n++) {
        struct uet_pdc *flood = n ? uet_pdc_new(tc) : p;
        struct uet_out syn = uet_any_request(flood);

        flood->auto_close = false;
        say(tc, &syn);
    }
    uet_wait(tc, time + uet_tc_tolerance(tc, time));
    p = uet_pdc_new(tc);
    opens_at(tc, "TSS-063", p, wanted_instead(tc, "TSS-063", p, p->start_psn));
}

/* ---- the FEP is the initiator ---- */

/* NACK UET_NEW_START_PSN for it. */
static struct uet_out new_start(const struct uet_in *in, uint32_t start)
{
    struct uet_out nack = uet_nack(in->pdc, psn_of(in), UET_NACK_NEW_START_PSN);

    uet_nack_spdcid_set(nack.pds, 0);
    uet_nack_retx_set(nack.pds, uet_rud_rod_req_retx(uet_pds(&in->packet)));
    uet_nack_payload_set(nack.pds, start);
    return nack;
}

static void say_new_start(struct uet_tc *tc, const struct uet_in *in, uint32_t start)
{
    const struct uet_out nack = new_start(in, start);

    say(tc, &nack);
}

#define AWAY 100000u

UET_TEST(begins_anew, .id = "tss.3.5.8.initiator-begins-anew", .requirements = "TSS-064 TSS-069",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "psn used after-read aged",
         .purpose = "An initiator begins where UET_NEW_START_PSN says, sealed anew.",
         .stimulus = "The FEP writes 16 bytes; NACK UET_NEW_START_PSN for its SYN; its packet is "
                     "acknowledged under the new PSN.",
         .expected = "The same packet with the new Start_PSN, syn=1, the same psn_offset and "
                     "another counter; the write is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const uint32_t offset = psn_of(in) - uet_start_psn(&in->packet), start = psn_of(in) + AWAY;

    say_new_start(tc, in, start);
    const struct uet_in *anew = hear(tc, "TSS-064", REQUEST_OF(p, start + offset));
    field(tc, "TSS-064", anew, UET_F_PDS_SYN, 1);
    field(tc, "TSS-064", anew, UET_F_PDS_PSN_OFFSET, offset);
    uet_check(tc, "TSS-064", counter_of(tc, "TSS-064", anew) != counter_of(tc, "TSS-064", in),
              "the counter is the one of before");
    start_at(p, start);
    resume_acks(tc, anew);
    completes(tc, "TSS-069", handle, UET_UT_OK);
}

UET_TEST(clear_new_start, .id = "tss.3.5.8.new-start-in-clear", .requirements = "TSS-054",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss", .contested = true,
         .not_over = "psn used after-read aged",
         .purpose = "UET_NEW_START_PSN in clear moves no secured PDC: anybody can send it.",
         .stimulus = "The FEP writes 16 bytes; NACK UET_NEW_START_PSN for its SYN, in clear; its "
                     "packet is acknowledged.",
         .expected = "Nothing at the new Start_PSN, a packet there is a finding; the write is a "
                     "success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const uint32_t offset = psn_of(in) - uet_start_psn(&in->packet), start = psn_of(in) + AWAY;
    const struct uet_out nack = new_start(in, start), forged = as_if_clear(tc, &nack);

    say(tc, &forged);
    const struct uet_in *anew =
        maybe(tc, REQUEST_OF(p, start + offset), .within = uet_tc_quiet(tc));
    if (anew) {
        uet_other_reading(tc, "TSS-054", "UET_NEW_START_PSN in clear is obeyed");
        start_at(p, start);
    }
    resume_acks(tc, anew ? anew : in);
    completes(tc, "TSS-054", handle, UET_UT_OK);
}

UET_TEST(begins_anew_again, .id = "tss.3.5.8.initiator-begins-anew-again",
         .requirements = "TSS-064 TSS-069", .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "psn used after-read aged",
         .contested = true, /* TSS-069 speaks of one round trip more */
         .purpose = "An initiator that began anew does so once more where a target that has chosen "
                    "another Start_PSN since, as after New_PDC_Time, says so.",
         .stimulus =
             "The FEP writes 16 bytes; NACK UET_NEW_START_PSN for its SYN, and with another "
             "Start_PSN for the SYN that follows; then its packet is acknowledged.",
         .expected = "The same packet at each Start_PSN, syn=1; the write is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_writes_unanswered(tc, &p, &handle);
    const uint32_t offset = psn_of(in) - uet_start_psn(&in->packet);
    uint32_t start = psn_of(in);

    for (int i = 0; i < 2; i++) {
        start += AWAY;
        say_new_start(tc, in, start);
        in = hear(tc, "TSS-064", REQUEST_OF(p, start + offset));
        field(tc, "TSS-064", in, UET_F_PDS_SYN, 1);
    }
    start_at(p, start);
    resume_acks(tc, in);
    completes(tc, "TSS-069", handle, UET_UT_OK);
}

enum { IN_FLIGHT = 3 };

/* All that has begun anew up to this packet has come; what comes then is acknowledged, too. */
static void acknowledge_from(struct uet_tc *tc, struct uet_pdc *p, uint32_t start,
                             const struct uet_in *last)
{
    start_at(p, start);
    p->cack = psn_of(last);
    resume_acks(tc, last);
}

/* The FEP writes so many packets, of which nobody answers any: those that come, and how many. */
static int writes_a_flight(struct uet_tc *tc, struct uet_pdc **p, uint64_t *handle,
                           const struct uet_in *in[IN_FLIGHT])
{
    int n = 1;

    uet_auto_ack(tc, false);
    in[0] = fep_writes_on(tc, p, IN_FLIGHT * uet_tc_dut(tc)->payload_mtu, handle);
    while (n < IN_FLIGHT && (in[n] = uet_next_request(tc, *p)))
        n++;
    return n;
}

UET_TEST(begins_anew_once, .id = "tss.3.5.8.initiator-begins-anew-once",
         .requirements = "TSS-069 TSS-064", .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "psn used after-read aged",
         .purpose = "An initiator with several packets in flight begins anew once, whatever "
                    "number of NACKs tells it so.",
         .stimulus = "The FEP writes three packets; of those that come before any ACK each gets "
                     "NACK UET_NEW_START_PSN, with the same Start_PSN.",
         .expected = "The same packets from that Start_PSN on; the write is a success.")
{
    const struct uet_in *in[IN_FLIGHT];
    struct uet_pdc *p;
    uint64_t handle;
    const int n = writes_a_flight(tc, &p, &handle, in);
    const uint32_t was = uet_start_psn(&in[0]->packet), start = was + AWAY;
    for (int i = 0; i < n; i++)
        say_new_start(tc, in[i], start);
    const struct uet_in *anew = hear(tc, "TSS-064", REQUEST_OF(p, psn_of(in[0]) - was + start));
    const struct uet_in *moved = maybe(tc, REQUEST_OF(p, psn_of(in[0]) - was + start + AWAY),
                                       .within = uet_tc_quiet(tc) / 4);
    uet_check(tc, "TSS-069", !moved, "the FEP began anew more than once");
    for (int i = 1; i < n; i++) { /* else they come again, an RTO later */
        const struct uet_in *next = maybe(tc, REQUEST_OF(p, psn_of(in[i]) - was + start),
                                          .within = uet_tc_latest(tc, UET_US));
        anew = next ? next : anew;
    }
    acknowledge_from(tc, p, start, anew);
    completes(tc, "TSS-069", handle, UET_UT_OK);
}

UET_TEST(begins_anew_refused, .id = "tss.3.5.8.initiator-begins-anew-refused",
         .requirements = "TSS-064 TSS-069", .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .not_over = "psn used after-read aged",
         .purpose = "An initiator begins anew with a packet, too, that was refused before, when "
                    "the target had no PDC yet.",
         .stimulus = "The FEP writes three packets; of those that come before any ACK the first "
                     "gets NACK UET_NO_PDC_AVAIL, the second UET_NEW_START_PSN. What comes then is "
                     "acknowledged. It writes 16 bytes.",
         .expected = "Both writes are a success, on that PDC or on another one.")
{
    const struct uet_in *in[IN_FLIGHT];
    struct uet_pdc *p;
    uint64_t handle;

    if (writes_a_flight(tc, &p, &handle, in) < 2)
        uet_skip(tc, "the FEP sends one packet and waits for its ACK, as it may");
    const uint32_t start = uet_start_psn(&in[0]->packet) + AWAY;
    struct uet_out none = uet_nack(p, psn_of(in[0]), UET_NACK_NO_PDC_AVAIL);
    uet_nack_spdcid_set(none.pds, 0);
    say(tc, &none);
    say_new_start(tc, in[1], start);
    start_at(p, start);
    uet_auto_ack(tc, true);
    completes(tc, "TSS-064", handle, UET_UT_OK);
    fep_writes_on(tc, &p, 16, &handle);
    completes(tc, "TSS-069", handle, UET_UT_OK);
}

/* Its Start_PSN is *start. */
static bool is_at(const struct uet_in *in, const void *start)
{
    return uet_has_syn(&in->packet) && uet_start_psn(&in->packet) == *(const uint32_t *)start;
}

/* So is that of this one, which is a first copy. */
static bool begins_at(const struct uet_in *in, const void *start)
{
    return !uet_rud_rod_req_retx(uet_pds(&in->packet)) && is_at(in, start);
}

#define BEGINS_AT(p, start)                                                                        \
    .kind = UET_WANT_REQUEST, .pdc = (p), .also = begins_at, .ctx = (start),                       \
    .named = "a packet from the new Start_PSN on"

UET_TEST(
    begins_anew_nearby, .id = "tss.3.5.8.initiator-begins-anew-nearby",
    .requirements = "TSS-069 TSS-064", .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
    .not_over = "psn used after-read aged",
    .purpose = "An initiator begins anew once where the new Start_PSN is near, and the later "
               "NACKs name PSNs that it uses by then.",
    .stimulus = "The FEP writes three packets; of those that come before any ACK each gets "
                "NACK UET_NEW_START_PSN, with a Start_PSN one behind the old.",
    .expected =
        "From there on the first packet comes with retx=0, and no more of them than "
        "before, as many as it may send without credit; the write is a success. A FEP that begins "
        "anew with retx=1 is skipped.")
{
    const struct uet_in *in[IN_FLIGHT];
    struct uet_pdc *p;
    uint64_t handle;
    const int n = writes_a_flight(tc, &p, &handle, in);
    const uint32_t start = uet_start_psn(&in[0]->packet) + 1;
    for (int i = 0; i < n; i++)
        say_new_start(tc, in[i], start);
    const struct uet_in *first =
        hear(tc, "TSS-064", .kind = UET_WANT_REQUEST, .pdc = p, .also = is_at, .ctx = &start,
             .named = "a packet from the new Start_PSN on");
    if (uet_rud_rod_req_retx(uet_pds(&first->packet)))
        uet_skip(tc, "the FEP begins anew with retx=1: how often, a resend would hide");
    const struct uet_in *last = first, *next;
    for (int i = 1; i < n; i++, last = next) {
        next = maybe(tc, BEGINS_AT(p, &start), .within = uet_tc_quiet(tc) / 4);
        if (!next)
            break;
    }
    const struct uet_in *more = maybe(tc, BEGINS_AT(p, &start), .within = uet_tc_quiet(tc) / 4);
    uet_check(tc, "TSS-069", !more, "the FEP began anew more than once");
    acknowledge_from(tc, p, start, last);
    completes(tc, "TSS-069", handle, UET_UT_OK);
}

UET_TEST(new_start_too_late, .id = "tss.3.5.8.new-start-on-established", .requirements = "TSS-065",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .purpose = "UET_NEW_START_PSN on an established PDC changes nothing.",
         .preamble = "A PDC that the FEP opened; it writes two packets, the first is acknowledged.",
         .stimulus = "NACK UET_NEW_START_PSN for the second; then its ACK.",
         .expected = "Nothing comes under PSNs of the new Start_PSN; the write is a success.")
{
    struct uet_pdc *p;
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &p, &handle);
    const uint32_t start = psn_of(in) + AWAY;

    say_new_start(tc, in, start);
    const struct uet_in *moved = maybe(tc, REQUEST_OF(p, start), .within = uet_tc_quiet(tc) / 4);
    if (!moved)
        moved = maybe(tc, REQUEST_OF(p, start + 1), .within = UET_US);
    uet_check(tc, "TSS-065", !moved, "the FEP took Start_PSN 0x%08x", start);
    resume_acks(tc, in);
    completes(tc, "TSS-065", handle, UET_UT_OK);
}
