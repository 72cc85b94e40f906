/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.6.9.2, 3.6.13.8, 3.6.13.9: more of what a destination tells of a PDC in its ACK_CC (NSCC). */
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/nscc.h"

#define VENDORS     14u  /* cc_type and ccx_type from here on */
#define SIZE        600u /* bytes of a WRITE below */
#define EDGES       4u
#define WAITING     8u /* packets above a gap */
#define WRITES_MOST 8192u
#define TOO_LONG    (30000 * UET_MS)

static uint64_t rcvd_bytes(struct uet_tc *tc, const struct uet_in *ack)
{
    return value_of(tc, ack, UET_F_PDS_NSCC_RCVD_BYTES);
}

UET_TEST(rcvd_bytes_of_native_ip, .id = "cms.3.6.12.rcvd-bytes-of-native-ip",
         .requirements = "CMS-019", .role = UET_ROLE_TARGET, .needs = "native rud write ack-cc",
         .purpose = "Over native IP a nominal size begins with the entropy header.",
         .preamble = "A memory region.", .stimulus = "A WRITE that opens a PDC.",
         .expected = "rcvd_bytes is its bytes from the entropy header to the trailer and 40, "
                     "rounded up to 256.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out most = uet_write(p, &m, 0, uet_tc_bytes(tc, DATA), DATA);
    /* Its size is 2 above whole units: without the entropy header it would be a unit less. */
    uint32_t n = DATA - (nominal_of(&most) - 2) % UET_RCVD_BYTES_UNIT;
    p->next_psn = most.psn;
    struct uet_out o = uet_write(p, &m, 0, uet_tc_bytes(tc, DATA), n);
    field(tc, "CMS-019", ask_nscc(tc, "CMS-019", &o), UET_F_PDS_NSCC_RCVD_BYTES,
          (nominal_of(&o) + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
}

/* A WRITE that brings the sum to so many bytes above whole units. */
static struct uet_out write_up_to(struct uet_pdc *p, const struct uet_memory *m,
                                  const uint8_t *bytes, uint64_t *sum, uint32_t above)
{
    struct uet_out most = uet_write(p, m, 0, bytes, DATA);
    uint32_t less =
        (uint32_t)((*sum + nominal_of(&most) + UET_RCVD_BYTES_UNIT - above) % UET_RCVD_BYTES_UNIT);
    p->next_psn = most.psn;
    struct uet_out o = uet_write(p, m, 0, bytes, DATA - less);
    *sum += nominal_of(&o);
    return o;
}

UET_TEST(rcvd_bytes_to_the_byte, .id = "cms.3.6.13.9.rcvd-bytes-to-the-byte",
         .requirements = "CMS-018", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         .purpose = "A nominal size is good to the byte, however packets are wrapped.",
         .preamble = "A memory region.",
         .stimulus = "WRITEs on a new PDC, after which the sum of their nominal sizes is by turns "
                     "whole units of 256 bytes, and a byte more.",
         .expected =
             "rcvd_bytes is that sum, rounded up to 256: a byte that is counted too little, "
             "or too much, makes one of them another.")
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, DATA);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < EDGES; i++) {
        struct uet_out o = write_up_to(p, &m, bytes, &sum, i % 2);
        field(tc, "CMS-018", ask_nscc(tc, "CMS-018", &o), UET_F_PDS_NSCC_RCVD_BYTES,
              (sum + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    }
}

/* One is whole, one is cut, one is whole; then the cut one is. */
static void trims_are_not_counted(struct uet_tc *tc, const char *role, uint8_t code)
{
    struct uet_memory m = uet_need_memory(tc, DATA);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out a = some_write(tc, p, &m);
    uint32_t one = nominal_of(&a);
    ask_nscc(tc, "CMS-016", &a);
    struct uet_out b = some_write(tc, p, &m), c = some_write(tc, p, &m);
    struct uet_out cut = trimmed(tc, &b, role);
    uint32_t two = one + nominal_of(&c);
    say(tc, &cut);
    hear(tc, "PDS-216", NACK_OF(&b, code));
    field(tc, "CMS-016", ask_nscc(tc, "CMS-016", &c), UET_F_PDS_NSCC_RCVD_BYTES,
          (two + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    say_again(tc, &b);
    field(tc, "CMS-016", hear_answer(tc, "CMS-016", &b), UET_F_PDS_NSCC_RCVD_BYTES,
          (two + nominal_of(&b) + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
}

UET_TEST(rcvd_bytes_without_trims, .id = "cms.3.6.13.9.rcvd-bytes-without-trims",
         .requirements = "CMS-016", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request ack-cc", .params = "dscp-trimmed",
         .purpose = "What a switch has cut has not arrived: rcvd_bytes does not count it.",
         .preamble = "A memory region.",
         .stimulus = "WRITEs: one, one trimmed, one; then the trimmed one whole.",
         .expected = "rcvd_bytes is the sum of the whole ones so far, rounded up to 256.")
{
    trims_are_not_counted(tc, "dscp-trimmed", UET_NACK_TRIMMED);
}

UET_TEST(rcvd_bytes_without_last_hop, .id = "cms.3.6.13.9.rcvd-bytes-without-last-hop",
         .requirements = "CMS-016", .role = UET_ROLE_TARGET,
         .needs = "trimming rud write any-request ack-cc", .params = "dscp-trimmed-lasthop",
         .purpose = "What the last switch before this FEP has cut has not arrived: rcvd_bytes "
                    "does not count it.",
         .preamble = "A memory region.",
         .stimulus = "As in rcvd-bytes-without-trims, trimmed at the last hop.",
         .expected = "As there.")
{
    trims_are_not_counted(tc, "dscp-trimmed-lasthop", UET_NACK_TRIMMED_LASTHOP);
}

UET_TEST(rcvd_bytes_of_each_pdc, .id = "cms.3.6.13.8.rcvd-bytes-of-each-pdc",
         .requirements = "CMS-022", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         .purpose = "rcvd_bytes belongs to a PDC, not to all that comes from one FEP.",
         .preamble = "A memory region.", .stimulus = "A WRITE on one PDC, then one on each of two.",
         .expected = "In the ACKs of the second PDC rcvd_bytes is what came on that one.")
{
    need_pdcs(tc, 2);
    struct uet_memory m = uet_need_memory(tc, SIZE);
    struct uet_pdc *p[2] = {uet_pdc_new(tc), uet_pdc_new(tc)};
    uint32_t sum[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        struct uet_pdc *on = p[i == 1 || i == 3];
        struct uet_out o = uet_write(on, &m, 0, uet_tc_bytes(tc, SIZE), SIZE);
        sum[on == p[1]] += nominal_of(&o);
        field(tc, "CMS-022", ask_nscc(tc, "CMS-022", &o), UET_F_PDS_NSCC_RCVD_BYTES,
              (sum[on == p[1]] + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    }
}

UET_TEST(rcvd_bytes_never_falls, .id = "cms.3.6.13.9.rcvd-bytes-never-falls",
         .requirements = "CMS-024", .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "Whatever order packets come in, and how often, rcvd_bytes never goes back.",
         .preamble = "PDC open.", .stimulus = "Twelve Requests out of order, each third one twice.",
         .expected = "From ACK to ACK rcvd_bytes grows by 0 to 2^23 - 1, modulo 2^24.")
{
    static const uint8_t order[] = {3, 1, 0, 2, 6, 4, 5, 8, 7, 11, 10, 9};
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[sizeof order];
    for (size_t i = 0; i < sizeof order; i++)
        o[i] = uet_any_request(p);
    uint64_t last = rcvd_bytes(tc, ask_nscc(tc, "CMS-024", &o[order[0]]));
    for (size_t i = 1; i < sizeof order + sizeof order / 3; i++) {
        size_t at = i < sizeof order ? order[i] : (i - sizeof order) * 3;
        const struct uet_in *ack =
            i < sizeof order ? ask_nscc(tc, "CMS-024", &o[at]) : ask_anew(tc, "CMS-024", &o[at]);
        uint64_t now = rcvd_bytes(tc, ack);
        uet_check(tc, "CMS-024", ((now - last) & 0xffffff) < 1u << 23,
                  "rcvd_bytes was %llu, and is %llu", (unsigned long long)last,
                  (unsigned long long)now);
        last = now;
    }
}

UET_TEST(rcvd_bytes_past_16_bits, .id = "cms.3.6.13.9.rcvd-bytes-past-16-bits",
         .requirements = "CMS-024 CMS-018", .role = UET_ROLE_TARGET, .needs = "rud write ack-cc",
         .not_over = "all", /* 16 MiB */
         .purpose = "rcvd_bytes counts in 24 bits: it goes on where 16 are full.",
         .preamble = "A memory region.",
         .stimulus = "On one PDC WRITEs of an MTU, until their nominal sizes are above 2^16 units.",
         .expected = "In each ACK rcvd_bytes is the sum of the sizes, rounded up to 256.")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    if ((UET_RCVD_BYTES_UNIT << 16) / mtu > WRITES_MOST)
        uet_skip(tc, "it takes more than %u WRITEs of an MTU", WRITES_MOST);
    struct uet_memory m = uet_need_memory(tc, mtu);
    struct uet_pdc *p = uet_pdc_new(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, mtu);
    const uint64_t begun = uet_tc_now(tc);
    for (uint64_t sum = 0, n = 0; sum <= (uint64_t)UET_RCVD_BYTES_UNIT << 16; n++) {
        if (n == 64 &&
            (uet_tc_now(tc) - begun) / 64 * ((UET_RCVD_BYTES_UNIT << 16) / mtu) > TOO_LONG)
            uet_skip(tc, "at the pace of this FEP's answers it takes more than 30 s");
        struct uet_out o = uet_write(p, &m, 0, bytes, mtu);
        sum += nominal_of(&o);
        field(tc, "CMS-024", ask_nscc(tc, "CMS-024", &o), UET_F_PDS_NSCC_RCVD_BYTES,
              (sum + UET_RCVD_BYTES_UNIT - 1) / UET_RCVD_BYTES_UNIT);
    }
}

UET_TEST(
    kind_of_cc_state, .id = "cms.3.6.9.kind-of-cc-state", .requirements = "CMS-033 CMS-035 CMS-061",
    .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
    .purpose = "An ACK_CC tells NSCC's state, or a credit where NSCC is off; its cc_flags are "
               "reserved.",
    .preamble = "PDC open.", .stimulus = "Four Requests, NSCC on where it can be set.",
    .expected = "ACK_CC with cc_type 0 (NSCC), 1 (credit) or, of a vendor, 14 or 15, and cc_flags "
                "0; ACK_CCX only of a vendor. With NSCC on: none of a vendor. A mix is a "
                "finding.")
{
    bool nscc = uet_tc_dut(tc)->claims[UET_PICS_NSCC] && uet_try_param(tc, "NSCC", 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t first = 0;
    for (int i = 0; i < 4; i++) {
        struct uet_out o = uet_any_request(p);
        const struct uet_in *ack = exchange(tc, &o);
        if (uet_is_ack_ccx(&ack->packet)) {
            uint8_t ccx = uet_ack_ccx_type(uet_pds(&ack->packet));
            uet_check(tc, "CMS-035", ccx >= VENDORS, "ccx_type is %u, which is reserved", ccx);
        }
        if (!uet_is_ack_cc(&ack->packet))
            uet_skip(tc, "an ACK of this FEP has no CC state");
        uint64_t type = value_of(tc, ack, UET_F_PDS_CC_TYPE);
        first = i ? first : type;
        uet_check(tc, "CMS-033", type <= UET_CC_CREDIT || type >= VENDORS, "cc_type is %llu",
                  (unsigned long long)type);
        uet_check(tc, "CMS-061", !nscc || type <= UET_CC_CREDIT, "cc_type is %llu, of a vendor",
                  (unsigned long long)type);
        if (type != first)
            uet_note(tc, "CMS-112", "cc_type %llu after %llu on one PDC", (unsigned long long)type,
                     (unsigned long long)first);
        uet_check_eq(tc, "CMS-033", "cc_flags", uet_ack_cc_flags(uet_pds(&ack->packet)), 0);
    }
}

UET_TEST(no_wish_when_idle, .id = "cms.3.6.13.2.no-wish-when-idle", .requirements = "CMS-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .not_over = "company", /* with which it has something to do */
         .purpose = "A destination that has nothing to do asks for no less.",
         .preamble = "PDC open.", .stimulus = "Eight small Requests, one after the other.",
         .expected = "rcv_cwnd_pend 0 in each ACK.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 8; i++) {
        struct uet_out o = uet_any_request(p);
        field(tc, "CMS-036", ask_nscc(tc, "CMS-036", &o), UET_F_PDS_NSCC_RCV_CWND_PEND, 0);
    }
}

UET_TEST(no_wish_for_a_gap, .id = "cms.3.6.13.2.no-wish-for-a-gap", .requirements = "CMS-036",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "What waits above a gap is no load of the destination's host.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n; n+2 ... n+9, which leave n+1 out; n+1.",
         .expected = "rcv_cwnd_pend 0 in each ACK_CC. One that is 0 but while something waits is a "
                     "finding: a destination that has DFC may count what it holds.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[WAITING + 2];
    for (size_t i = 0; i < WAITING + 2; i++)
        o[i] = uet_any_request(p);
    field(tc, "CMS-036", ask_nscc(tc, "CMS-036", &o[0]), UET_F_PDS_NSCC_RCV_CWND_PEND, 0);
    for (size_t i = 2; i < WAITING + 2; i++) {
        uint64_t wish = value_of(tc, ask_nscc(tc, "CMS-036", &o[i]), UET_F_PDS_NSCC_RCV_CWND_PEND);
        if (wish)
            uet_other_reading(tc, "CMS-036", "rcv_cwnd_pend is %llu while %zu packets wait",
                              (unsigned long long)wish, i - 1);
    }
    field(tc, "CMS-036", ask_nscc(tc, "CMS-036", &o[1]), UET_F_PDS_NSCC_RCV_CWND_PEND, 0);
}

UET_TEST(service_time_within, .id = "cms.3.6.9.2.service-time-within", .requirements = "CMS-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc", .not_over = "amid",
         .purpose = "service_time is how long the packet was at the target.",
         .preamble = "PDC open.", .stimulus = "Sixteen Requests, one after the other.",
         .expected = "service_time, in 128 ns, is no longer than the tester has waited, and 500 "
                     "ns; in virtual time what is left of the waiting is the same for all, to 500 "
                     "ns and a unit, and no more than config_base_rtt, if that is told. 0 tells "
                     "nothing, 0xFFFF no more than that it was long.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t least = UINT64_MAX, most = 0, rtt;
    for (int i = 0; i < 16; i++) {
        struct uet_out o = uet_any_request(p);
        uint64_t before = uet_tc_now(tc);
        const struct uet_in *ack = ask_nscc(tc, "CMS-029", &o);
        uint64_t units = value_of(tc, ack, UET_F_PDS_NSCC_SERVICE_TIME);
        uint64_t waited = ack->time_ns - before, service = units * UET_SERVICE_UNIT;
        uet_check(tc, "CMS-029", service <= waited + UET_SERVICE_ACCURACY + UET_SERVICE_UNIT,
                  "service_time is %.3f us, and the ACK came after %.3f us", (double)service / 1e3,
                  (double)waited / 1e3);
        if (!units || units == UET_SERVICE_LONG || !uet_tc_virtual_time(tc))
            continue;
        least = waited - service < least ? waited - service : least;
        most = waited - service > most ? waited - service : most;
    }
    if (most)
        uet_check(tc, "CMS-029", most - least <= UET_SERVICE_ACCURACY + UET_SERVICE_UNIT,
                  "without service_time ACKs took from %.3f to %.3f us", (double)least / 1e3,
                  (double)most / 1e3);
    if (most && uet_tc_told(tc, "config_base_rtt", &rtt))
        uet_check(tc, "CMS-029", most <= rtt + UET_SERVICE_ACCURACY + UET_SERVICE_UNIT,
                  "%.3f us of the waiting are neither service_time nor way", (double)most / 1e3);
}

/* What service_time tells is no longer than the packet that the ACK names has waited. */
static void served_since(struct uet_tc *tc, const struct uet_in *ack, const struct uet_out *o,
                         uint64_t sent)
{
    uint64_t units = value_of(tc, ack, UET_F_PDS_NSCC_SERVICE_TIME);
    uint64_t waited = ack->time_ns - sent;
    if (units == UET_SERVICE_LONG || uet_packet_psn(&ack->packet) != o->psn)
        return;
    uet_check(tc, "CMS-029",
              units * UET_SERVICE_UNIT <= waited + UET_SERVICE_ACCURACY + UET_SERVICE_UNIT,
              "service_time is %.3f us, and the ACK came after %.3f us",
              (double)(units * UET_SERVICE_UNIT) / 1e3, (double)waited / 1e3);
}

UET_TEST(service_time_of_the_named, .id = "cms.3.6.9.2.service-time-of-the-named",
         .requirements = "CMS-029", .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "service_time is that of the packet that ACK_PSN names, and of the copy that "
                    "came.",
         .preamble = "PDC open.",
         .stimulus = "Two Requests with ar=0, and a millisecond after each of them one with ar=1; "
                     "a millisecond later that one as a resend.",
         .expected = "service_time is no longer than the tester has waited for the ACK since it "
                     "sent that packet, or the copy, and 500 ns. An ACK that names another packet "
                     "tells of that.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 2; i++) {
        struct uet_out early = uet_any_request(p);
        uet_rud_rod_req_ar_set(early.pds, false);
        say(tc, &early);
        uet_wait(tc, UET_MS);
        struct uet_out o = uet_any_request(p);
        uint64_t sent = uet_tc_now(tc);
        served_since(tc, ask_nscc(tc, "CMS-029", &o), &o, sent);
        uet_wait(tc, UET_MS);
        sent = uet_tc_now(tc);
        served_since(tc, ask_anew(tc, "CMS-029", &o), &o, sent);
    }
}

UET_TEST(service_time_behind_a_gap, .id = "cms.3.6.9.2.service-time-behind-a-gap",
         .requirements = "CMS-029", .role = UET_ROLE_TARGET, .needs = "rud any-request ack-cc",
         .purpose = "service_time of the packet that closes a gap is its own, not that of those "
                    "that waited behind it.",
         .preamble = "PDC open; n is the next PSN.",
         .stimulus = "n+1, n+2; a millisecond later n, all with ar=1.",
         .expected =
             "service_time of the ACK of n is no longer than the tester has waited since n, "
             "and 500 ns. An ACK that names another packet tells of that.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[3];
    for (int i = 0; i < 3; i++)
        o[i] = uet_any_request(p);
    ask_nscc(tc, "CMS-029", &o[1]);
    ask_nscc(tc, "CMS-029", &o[2]);
    uet_wait(tc, UET_MS);
    uint64_t sent = uet_tc_now(tc);
    served_since(tc, ask_nscc(tc, "CMS-029", &o[0]), &o[0], sent);
}
