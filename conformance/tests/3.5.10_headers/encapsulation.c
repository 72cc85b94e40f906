/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.10, 3.5.10.1: what UET packets are wrapped in. */
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

enum { IPV4_BYTES = 20, IP_UDP = 17, IP_UET = 253 /* IP_Proto_Nxt_Hdr, Table 3-28 */ };

#define DF 0x40 /* of the sixth byte of an IPv4 header; below it: more fragments, offset */

static void check_udp(struct uet_tc *tc, const struct uet_packet *p)
{
    uint16_t port = uet_tc_dut(tc)->udp_port;

    uet_check(tc, "NET-031", p->udp_offset, "it came over native IP");
    uet_check_eq(tc, "NET-031", "UDP destination port", uet_udp_dst_port(p->frame + p->udp_offset),
                 port ? port : UET_UDP_PORT);
}

/* The protocol number is IP_Proto_Nxt_Hdr (3.5.5): any other would not be UET to the tester. */
static void check_native(struct uet_tc *tc, const struct uet_packet *p)
{
    uet_check(tc, "NET-032", p->entropy_offset, "it came over UDP");
    uet_check_eq(tc, "NET-032", "the reserved half of the entropy header",
                 uet_entropy_rsvd(p->frame + p->entropy_offset), 0);
}

/* What a packet of the FEP is wrapped in, and that no router may cut it. */
static void check_wrapping(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    const uint8_t *ip = p->frame + p->ip_offset;

    uet_look_at(tc, in);
    if (uet_tc_dut(tc)->native)
        check_native(tc, p);
    else
        check_udp(tc, p);
    if (p->ip_version != 4)
        return;
    uet_check(tc, "NET-034", ip[6] & DF, "DF is not set");
    uet_check(tc, "NET-034", (ip[6] & 0x3f) == 0 && ip[7] == 0, "the packet is a fragment");
}

/* An ACK and a NACK. */
static void answers(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    check_wrapping(tc, exchange(tc, &syn));
    struct uet_pdc *q = pdc_unknown(tc);
    struct uet_out lost = uet_any_request(q);
    check_wrapping(tc, unknown_nacked(tc, &lost));
}

/* The Requests of a message of 3 packets. */
static void requests(struct uet_tc *tc)
{
    struct uet_pdc *pdc;
    uint64_t handle;
    const struct uet_in *in = fep_writes(tc, 3u * uet_tc_dut(tc)->payload_mtu, &pdc, &handle);
    for (int i = 0; i < 3; i++) {
        if (i)
            in = hear(tc, "NET-031", REQUEST_ON(pdc));
        check_wrapping(tc, in);
    }
    uet_expect_completion(tc, handle);
}

UET_TEST(answers_wrapped, .id = "net.3.5.10.answers-wrapped", .requirements = "NET-031 NET-034",
         .role = UET_ROLE_TARGET, .needs = "udp rud any-request",
         .purpose = "Answers go to the UET port, with DF, and are never fragments.",
         .preamble = "None.", .stimulus = "A SYN NO_OP; a Request to a PDCID that nobody has.",
         .expected = "An ACK and a NACK to UDP port 4793, or the port that was set; DF=1.")
{
    answers(tc);
}

UET_TEST(requests_wrapped, .id = "net.3.5.10.requests-wrapped", .requirements = "NET-031 NET-034",
         .role = UET_ROLE_INITIATOR, .needs = "udp",
         .purpose = "Requests go to the UET port, with DF, and are never fragments.",
         .preamble = "None.", .stimulus = "The FEP writes 3 MTUs.",
         .expected = "Three packets to UDP port 4793, or the port that was set; DF=1.")
{
    requests(tc);
}

UET_TEST(answers_native, .id = "net.3.5.10.1.answers-native", .requirements = "NET-032 NET-034",
         .role = UET_ROLE_TARGET, .needs = "native rud any-request",
         .purpose = "Answers of a FEP set for native IP have the entropy header, reserved half 0.",
         .preamble = "None.",
         .stimulus = "A SYN NO_OP; a Request to a PDCID that nobody has; a Request whose reserved "
                     "half is 0x5aa5.",
         .expected = "An ACK, a NACK and an ACK with the entropy header right behind IP; DF=1. No "
                     "answer to the last, but to its copy with 0 there, is noted.")
{
    answers(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    o.route.entropy_rsvd = 0x5aa5; /* a later version may use it */
    say(tc, &o);
    const struct uet_in *ack = maybe(tc, ACK_OF(&o));
    if (!ack) {
        uet_note(tc, "NET-032", "a packet whose reserved half is not 0 is not answered");
        o.route.entropy_rsvd = 0;
        say_again(tc, &o);
        ack = hear(tc, "PDS-097", ACK_OF(&o));
    }
    check_wrapping(tc, ack);
}

UET_TEST(requests_native, .id = "net.3.5.10.1.requests-native", .requirements = "NET-032 NET-034",
         .role = UET_ROLE_INITIATOR, .needs = "native",
         .purpose = "Requests of a FEP set for native IP have the entropy header, reserved half 0.",
         .preamble = "None.", .stimulus = "The FEP writes 3 MTUs.",
         .expected = "Three packets with the entropy header right behind IP; DF=1.")
{
    requests(tc);
}

/* The same in the other encapsulation. */
static struct uet_out in_the_other(const struct uet_out *o)
{
    struct uet_out other = *o;

    other.route.native = !o->route.native;
    other.meant = o->route.native ? "the same over UDP" : "the same over native IP";
    return other;
}

/* Nothing is heard of what went before; what is wrapped rightly is acknowledged. */
static void no_harm_done(struct uet_tc *tc, const struct uet_out *right)
{
    silence(tc, "NET-033", ANSWER_ON(NULL), .named = "an answer to the other encapsulation");
    exchange(tc, right);
}

UET_TEST(other_encapsulation, .id = "net.3.5.5.other-encapsulation", .requirements = "NET-033",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "A FEP takes no harm from the encapsulation that it is not set for.",
         .preamble = "PDC open.",
         .stimulus = "The next Request over native IP (a FEP set for it: over UDP), then as usual.",
         .expected = "No answer to the first; the second is acknowledged.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p), other = in_the_other(&o);
    say(tc, &other);
    no_harm_done(tc, &o);
}

UET_TEST(other_protocol, .id = "net.3.5.5.other-protocol-number", .requirements = "NET-033",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "The protocol number of IP says what is carried, not what it looks like.",
         .preamble = "PDC open.",
         .stimulus = "The next Request as usual but for the protocol number of native IP (a FEP "
                     "set for it: of UDP); then as usual.",
         .expected = "No answer to the first; the second is acknowledged.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p), other = o;
    uint8_t native = uet_tc_dut(tc)->ip_protocol;
    other.ip_protocol = o.route.native ? IP_UDP : native ? native : IP_UET;
    other.meant = "the same, by another protocol number";
    say(tc, &other);
    no_harm_done(tc, &o);
}

UET_TEST(other_cut_short, .id = "net.3.5.5.other-encapsulation-cut-short",
         .requirements = "NET-033", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .contested = true,
         .purpose = "A FEP takes no harm from a packet in the other encapsulation that ends before "
                    "its headers do.",
         .preamble = "PDC open.",
         .stimulus = "The next Request over native IP (a FEP set for it: over UDP), of which IP "
                     "carries 0 to 19 bytes; then as usual.",
         .expected = "No answer to the short ones; the last is acknowledged.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p), other = in_the_other(&o);
    const int header = uet_tc_dut(tc)->address.version == 4 ? IPV4_BYTES : 0;
    other.wrong.ip_length = true;
    for (uint16_t n = 0; n < 20; n++) {
        other.wrong.ip_length_value = (uint16_t)(n + header);
        say(tc, &other);
    }
    no_harm_done(tc, &o);
}
