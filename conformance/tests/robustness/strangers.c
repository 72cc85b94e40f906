/* SPDX-License-Identifier: BSD-2-Clause */
/* Who may say what: packets for others, from nowhere, and for the PDC of another peer. */
#include "conformance/tests/robustness/strangers.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/target.h"

static struct uet_ip address(const struct uet_tc *tc, uint32_t v4, uint8_t v6_last)
{
    struct uet_ip ip = {.version = uet_tc_dut(tc)->address.version};

    if (ip.version == 4) {
        for (int i = 0; i < 4; i++)
            ip.bytes[i] = (uint8_t)(v4 >> (24 - 8 * i));
    } else {
        ip.bytes[0] = 0xff;
        ip.bytes[1] = 0x02;
        ip.bytes[15] = v6_last;
    }
    return ip;
}

#define UDP_PORT  4793u /* NET-031 */
#define ALL_HOSTS 0xe0000001u
#define BROADCAST 0xffffffffu

UET_TEST(not_for_the_fep, .id = "rob.3.5.10.1.not-for-the-fep", .requirements = "ROB-001",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A packet to an IP address that is not the FEP's is not answered.",
         .stimulus = "A Request that would open a PDC, to the multicast address of all hosts.",
         .expected = "No answer.")
{
    struct uet_out o = uet_any_request(uet_pdc_new(tc));
    o.route.dst = address(tc, ALL_HOSTS, 1);
    unanswered(tc, "ROB-001", &o);
}

UET_TEST(another_udp_port, .id = "rob.3.5.10.1.another-udp-port", .requirements = "ROB-002",
         .role = UET_ROLE_TARGET, .needs = "any-request udp", .preamble = "None.",
         .purpose = "A packet to another UDP port than that of UET is not answered.",
         .stimulus = "Requests that would open a PDC, to the UDP port after that of UET: one from "
                     "any port, and one from that of UET.",
         .expected = "No answer.")
{
    for (unsigned i = 0; i < 2; i++) {
        struct uet_out o = uet_any_request(uet_pdc_new(tc));
        const uint16_t own = o.route.udp_port ? o.route.udp_port : UDP_PORT;
        o.route.entropy = i ? own : o.route.entropy; /* the source port */
        o.route.udp_port = (uint16_t)(own + 1);
        unanswered(tc, "ROB-002", &o);
    }
}

UET_TEST(from_a_group, .id = "rob.3.5.10.1.from-a-group", .requirements = "ROB-003",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A packet from a multicast or broadcast address is not answered.",
         .stimulus = "Requests that would open a PDC, from the multicast address of all hosts and "
                     "from the broadcast address (IPv6: from two multicast addresses).",
         .expected = "No answer.", .port_caps = UET_PORT_SOURCE)
{
    static const uint32_t groups[] = {ALL_HOSTS, BROADCAST};
    for (uint8_t i = 0; i < 2; i++) {
        struct uet_out o = uet_any_request(uet_pdc_new(tc));
        o.route.src = address(tc, groups[i], (uint8_t)(i + 1));
        unanswered(tc, "ROB-003", &o);
    }
}

UET_TEST(from_the_fep_itself, .id = "rob.3.5.10.1.from-the-fep-itself", .requirements = "ROB-004",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "None.",
         .purpose = "A packet that has the FEP's own address as its source is not answered.",
         .stimulus = "A Request that would open a PDC, and a Request and a Close Command for a "
                     "PDC that is not there, with the FEP's address as source and destination.",
         .expected = "No answer.", .port_caps = UET_PORT_SOURCE)
{
    struct uet_pdc *unknown = pdc_unknown(tc);
    struct uet_out o[] = {uet_any_request(uet_pdc_new(tc)), uet_any_request(unknown),
                          uet_cp(unknown, UET_CTL_CLOSE_COMMAND)};
    for (size_t i = 0; i < sizeof o / sizeof *o; i++) {
        o[i].route.src = uet_tc_dut(tc)->address;
        unanswered(tc, "ROB-004", &o[i]);
    }
}

UET_TEST(request_of_a_stranger, .id = "rob.3.5.6.request-of-a-stranger", .requirements = "ROB-005",
         .role = UET_ROLE_TARGET, .needs = "write", .preamble = "A region; PDC open.",
         .purpose = "A Request for a PDC of another peer is not delivered, and takes no PSN.",
         .stimulus = "A second address of the tester sends a WRITE with the PDC's PDCIDs and next "
                     "PSN; then the peer sends its own with that PSN.",
         .expected = "The peer's WRITE succeeds, and its bytes are in memory.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint8_t *right = uet_tc_bytes(tc, 64);
    struct uet_out o = uet_write(p, &m, 0, right, 64), forged = o;
    tolerate_answers(tc);
    forged.payload = uet_tc_bytes(tc, 64);
    forge(tc, &forged);
    uet_forget_settled(tc);
    accepted(tc, "ROB-005", &o);
    memory_holds(tc, "ROB-005", &m, 0, right, 64);
}

UET_TEST(answers_not_led_away, .id = "rob.3.5.6.answers-not-led-away", .requirements = "ROB-005",
         .role = UET_ROLE_TARGET, .needs = "rud read", .params = "RTO_Init_Time",
         .preamble = "Memory; PDC open.", .port_caps = UET_PORT_SOURCE,
         .purpose = "What a stranger sends does not lead away what the FEP owes to the peer.",
         .stimulus =
             "A READ whose data comes on the return direction, which is not acknowledged; a "
             "second address of the tester sends a Request with the PDC's PDCIDs.",
         .expected = "The data comes again, to the address that asked for it.")
{
    uint32_t n = more_than_ack_data(tc);
    struct source s = need_source(tc, n);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_read(p, &s.m, 0, n), forged = uet_any_request(p);
    tolerate_answers(tc);
    p->auto_ack = false;
    say(tc, &o);
    const struct uet_in *data = hear_return_data(tc, "ROB-005", &o);
    p->next_psn = forged.psn; /* the peer has not sent it */
    forge(tc, &forged);
    const uint64_t wait = patience(tc, one_rto(tc));
    const struct uet_in *resend = hear(tc, "ROB-005", RESEND_OF(data), .within = wait);
    const struct uet_ip to = uet_dst_ip(&resend->packet);
    uet_check(tc, "ROB-005", uet_ip_equal(&to, &p->self),
              "the data comes again to another address");
    resume_acks(tc, resend);
}

UET_TEST(one_peer_takes_all, .id = "rob.3.5.8.2.one-peer-takes-all", .requirements = "ROB-030",
         .role = UET_ROLE_TARGET, .needs = "any-request", .preamble = "A PDC open.",
         .purpose = "A peer that opens all PDCs that it can get does not end those of others.",
         .stimulus = "A second address of the tester opens PDCs until the FEP refuses one, or 64; "
                     "then the first peer sends its next Request.",
         .expected = "It is answered on its PDC.")
{
    const struct uet_ip other = uet_tc_second_address(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 64; i++) {
        struct uet_out o = uet_any_request(uet_pdc_new_from(tc, other));
        say(tc, &o);
        const struct uet_in *in = maybe(tc, COVERED_OR_REFUSED(&o));
        if (!in || !uet_is_ack(&in->packet))
            break;
    }
    still_serves(tc, "ROB-030", p);
}
