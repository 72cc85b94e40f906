/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.7: packets that a target refuses because it has no room for their message. */
#include <string.h>

#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/target.h"

enum { MESSAGES_MOST = 300 };

/* The first packet of a WRITE of two, the other of which never leaves. */
static struct uet_out begins_message(struct uet_pdc *p, const struct uet_memory *m)
{
    uint32_t n = uet_tc_dut(p->tc)->payload_mtu + 64u;
    struct uet_out o[2];

    uet_message(p, UET_OP_WRITE, m, 0, uet_tc_bytes(p->tc, n), n, o, 2);
    p->next_psn = o[1].psn;
    uet_rud_rod_req_ar_set(o[0].pds, true);
    return o[0];
}

/* Such packets until the FEP refuses one: that one. */
static struct uet_out message_refused(struct uet_tc *tc, struct uet_pdc *p,
                                      const struct uet_memory *m)
{
    uet_beyond_told(tc);
    for (int i = 0; i < MESSAGES_MOST; i++) {
        struct uet_out o = begins_message(p, m);
        say(tc, &o);
        const struct uet_in *in = maybe(tc, COVERED_OR_REFUSED(&o));
        if (!in)
            uet_skip(tc, "the FEP says nothing when it has no room, as it may");
        if (uet_is_nack(&in->packet))
            return o;
    }
    uet_skip(tc, "the FEP has room for %d messages, and more", MESSAGES_MOST);
}

UET_TEST(no_sack_of_a_refused, .id = "pds.3.5.12.7.no-sack-of-a-refused-packet",
         .requirements = "PDS-149", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .not_over = "all", /* it is long */
         .purpose = "A packet that was refused for want of room is in no bitmap.",
         .preamble = "A region; PDC open.",
         .stimulus =
             "First packets of WRITEs of two packets until one, n, is refused, at most 300; "
             "then a NO_OP n+1.",
         .expected = "The ACK of n+1 has a CACK_PSN before n, and no SACK bit for n.")
{
    struct uet_memory m = uet_need_memory(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out refused = message_refused(tc, p, &m), next = uet_any_request(p);
    const struct uet_in *ack = ask(tc, "PDS-149", &next);
    field_at_most(tc, "PDS-149", ack, UET_F_PDS_CACK_PSN, refused.psn - 1);
    uet_check(tc, "PDS-149", !sacked(ack, refused.psn), "SACK reports the packet refused");
}

UET_TEST(no_sack_of_an_unasked, .id = "pds.3.5.12.7.no-sack-of-a-refused-packet-with-ar-0",
         .requirements = "PDS-149", .role = UET_ROLE_TARGET, .needs = "rud write any-request",
         .not_over = "all", /* it is long */
         .purpose = "A packet that asked for no ACK and was refused for want of room is in no "
                    "bitmap.",
         .preamble = "A region; PDC open.",
         .stimulus =
             "First packets of WRITEs of two packets until one, n, is refused, at most 300; "
             "another one with ar=0, n+1, which is refused, too; then a NO_OP n+2.",
         .expected = "The ACK of n+2 has a CACK_PSN before n, and SACK bits for neither.")
{
    struct uet_memory m = uet_need_memory(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out refused = message_refused(tc, p, &m), unasked = begins_message(p, &m);
    uet_rud_rod_req_ar_set(unasked.pds, false);
    say(tc, &unasked);
    if (!maybe(tc, REFUSAL_OF(&unasked)))
        uet_skip(tc, "the FEP has room for it, or says nothing when it has none, as it may");
    struct uet_out next = uet_any_request(p);
    const struct uet_in *ack = ask(tc, "PDS-149", &next);
    field_at_most(tc, "PDS-149", ack, UET_F_PDS_CACK_PSN, refused.psn - 1);
    uet_check(tc, "PDS-149", !sacked(ack, refused.psn) && !sacked(ack, unasked.psn),
              "SACK reports a packet that was refused");
}

UET_TEST(no_bytes_of_a_refused, .id = "pds.3.5.12.7.no-bytes-of-a-refused-packet",
         .requirements = "PDS-149", .role = UET_ROLE_TARGET,
         .needs = "rud write any-request upper-tester", .not_over = "all", /* it is long */
         .purpose = "A packet that was refused for want of room is dropped: it leaves no byte.",
         .preamble = "A region; PDC open.",
         .stimulus = "First packets of WRITEs of two packets to the same place, each with bytes "
                     "of its own, until one is refused, at most 300.",
         .expected = "What stands in memory then is not what the refused one carried.")
{
    struct uet_memory m = uet_need_memory(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out refused = message_refused(tc, p, &m);
    uint8_t stands[64];
    uet_wait(tc, uet_tc_dut(tc)->response_time_ns);
    uet_read_back(tc, &m, 0, stands, sizeof stands);
    uet_check(tc, "PDS-149", memcmp(stands, refused.payload, sizeof stands) != 0,
              "the memory holds the bytes of the packet that was refused");
}
