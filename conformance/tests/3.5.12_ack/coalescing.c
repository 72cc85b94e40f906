/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.5.12.2: one ACK for many packets. ACK_GEN_COUNT grows by max(length, ACK_Gen_Min_Pkt_Add) a
 * packet and brings an ACK at ACK_Gen_Trigger. Whether headers count as length is not settled:
 * the numbers of packets below hold for both readings.
 */
#include "conformance/tests/pds_target.h"

#define HEADERS 160u /* at most that a FEP may count besides the payload */

struct coalescing {
    struct uet_memory m;
    struct uet_pdc *p;
    const uint8_t *data;
    uint32_t size;   /* bytes of payload of each packet */
    uint32_t quiet;  /* as many packets surely do not reach the trigger */
    uint32_t enough; /* as many surely do */
};

static struct coalescing prepare(struct uet_tc *tc, uint32_t size)
{
    uint64_t trigger = uet_tc_param(tc, "ACK_Gen_Trigger");
    uint64_t least = uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add"), counted = size, most = size + HEADERS;
    struct coalescing c = {.size = size};

    skip_when(tc, "Enb_ACK_Per_Pkt", 1);
    counted = counted > least ? counted : least;
    most = most > least ? most : least;
    c.enough = (uint32_t)((trigger + counted - 1) / counted);
    c.quiet = trigger ? (uint32_t)((trigger - 1) / most) : 0;
    if (c.quiet < 1 || c.enough > 512)
        uet_skip(tc, "ACK_Gen_Trigger is %llu: nothing to count with packets of %u bytes",
                 (unsigned long long)trigger, size);
    c.m = uet_need_memory(tc, size);
    c.data = uet_tc_bytes(tc, size);
    c.p = uet_pdc_open(tc);
    struct uet_out first = uet_write(c.p, &c.m, 0, c.data, size);
    skip_when_guaranteed(tc, ask(tc, "PDS-100", &first)); /* each such PSN has an ACK of its own */
    return c;
}

/* Says n WRITEs with ar=0, in order. */
static void stream(struct uet_tc *tc, const struct coalescing *c, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct uet_out o = uet_write(c->p, &c->m, 0, c->data, c->size);
        ask_no_ack(&o);
        say(tc, &o);
    }
}

/* The same, and an ACK that tells that one of them has arrived, or NULL. 0: as for maybe. */
static const struct uet_in *stream_acked(struct uet_tc *tc, const struct coalescing *c, uint32_t n,
                                         uint64_t within)
{
    uint32_t next = c->p->fep_cack + 1;

    stream(tc, c, n);
    return maybe(tc, CACK_UP_TO(c->p, next), .within = within);
}

UET_TEST(
    ack_at_trigger, .id = "pds.3.5.12.2.ack-at-trigger", .requirements = "PDS-100",
    .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
    .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
    .purpose = "Nobody asks, but an ACK comes whenever ACK_Gen_Trigger bytes have arrived.",
    .preamble = "A memory region; PDC open, with coalesced ACKs.",
    .stimulus = "WRITEs of one Payload MTU with ar=0, four times as many as reach the trigger.",
    .expected = "An ACK each time that so many bytes have come; CACK_PSN grows with them.")
{
    struct coalescing c = prepare(tc, uet_tc_dut(tc)->payload_mtu);
    for (int round = 0; round < 4; round++)
        uet_check(tc, "PDS-100", stream_acked(tc, &c, c.enough, 0),
                  "no ACK came whose CACK_PSN tells of %u new packets", c.enough);
}

UET_TEST(behind_a_gap_counts, .id = "pds.3.5.12.2.behind-a-gap-counts", .requirements = "PDS-100",
         .role = UET_ROLE_TARGET, .needs = "rud write coalescing", .not_over = "rod",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "On RUD what arrives behind a gap counts as what arrives in order.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "A PSN is left out; WRITEs of one Payload MTU with ar=0 behind it, as many as "
                     "reach the trigger; then the PSN.",
         .expected = "An ACK before that PSN comes; one that covers all after it.")
{
    struct coalescing c = prepare(tc, uet_tc_dut(tc)->payload_mtu);
    struct uet_out late = uet_write(c.p, &c.m, 0, c.data, c.size);
    stream(tc, &c, c.enough);
    uet_check(tc, "PDS-100", maybe(tc, ACK_ON(c.p)), "no ACK came for %u packets behind a gap",
              c.enough);
    say(tc, &late);
    hear(tc, "PDS-100", COVERED(&late));
}

UET_TEST(small_packets_count_minimum, .id = "pds.3.5.12.2.small-packets-count-minimum",
         .requirements = "PDS-101", .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "A small packet counts as ACK_Gen_Min_Pkt_Add bytes, so that ACKs come for "
                    "small packets too.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "WRITEs of 64 bytes with ar=0, ACK_Gen_Trigger / ACK_Gen_Min_Pkt_Add of them.",
         .expected = "An ACK at the latest with the last one.")
{
    struct coalescing c = prepare(tc, 64);
    if (uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add") <= 64 + HEADERS)
        uet_skip(tc, "ACK_Gen_Min_Pkt_Add is too small to tell from the length");
    uet_check(tc, "PDS-101", stream_acked(tc, &c, c.enough, 0),
              "no ACK came for %u packets of 64 bytes", c.enough);
}

/* An ACK has come just now: the next one comes at the trigger, and not before. */
static void counts_from_0(struct uet_tc *tc, const struct coalescing *c)
{
    uet_forget(tc);
    if (stream_acked(tc, c, c->quiet, uet_tc_quiet(tc))) {
        uet_other_reading(tc, "PDS-102",
                          "an ACK came before the trigger was reached anew: the count goes on, or "
                          "the FEP acknowledges more than it must");
        return;
    }
    uet_check(tc, "PDS-102", stream_acked(tc, c, c->enough - c->quiet, 0),
              "no ACK came at the trigger");
}

UET_TEST(
    only_acks_reset_count, .id = "pds.3.5.12.2.only-acks-reset-count", .requirements = "PDS-100",
    .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
    .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
    .purpose = "What brings no ACK leaves ACK_GEN_COUNT as it is: a Clear Command, and a NACK.",
    .preamble = "A memory region; PDC open, with coalesced ACKs.",
    .stimulus = "WRITEs of one Payload MTU with ar=0, one fewer than reach the trigger; a Clear "
                "Command; a Request far beyond the window; then the WRITEs up to the trigger.",
    .expected = "An ACK with the last one at the latest.")
{
    struct coalescing c = prepare(tc, uet_tc_dut(tc)->payload_mtu);
    if (stream_acked(tc, &c, c.quiet, uet_tc_quiet(tc)))
        uet_skip(tc, "the FEP acknowledges each packet, as it may: it has no count to be seen");
    struct uet_out clear = cp_at(c.p, UET_CTL_CLEAR_COMMAND, 0);
    uet_cp_payload_value_set(clear.pds, c.p->fep_cack);
    say(tc, &clear);
    /* beyond any MP_Range, and no further than clear_psn_offset can tell CLEAR_PSN from */
    struct uet_out beyond = request_at(c.p, c.p->clear_psn + 32768);
    tolerate(tc, REFUSAL_ON(c.p));
    say(tc, &beyond);
    uet_check(tc, "PDS-100", stream_acked(tc, &c, c.enough - c.quiet, 0),
              "no ACK came for %u packets, amid which were a Clear Command and a NACK", c.enough);
}

UET_TEST(ack_resets_count, .id = "pds.3.5.12.2.ack-resets-count", .requirements = "PDS-102",
         .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "Any ACK sets ACK_GEN_COUNT back to 0.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "WRITEs of one Payload MTU with ar=0, one fewer than reach the trigger; one "
                     "with ar=1; as many with ar=0 again; then the rest to the trigger.",
         .expected =
             "The ACK of the one with ar=1; none for the WRITEs after it until the trigger is "
             "reached anew (an earlier one is a finding), then one.")
{
    struct coalescing c = prepare(tc, uet_tc_dut(tc)->payload_mtu);
    if (2 * c.quiet < c.enough)
        uet_skip(tc, "ACK_Gen_Trigger is too near to the Payload MTU");
    if (stream_acked(tc, &c, 1, uet_tc_quiet(tc)))
        uet_skip(tc, "the FEP acknowledges each packet, as it may: it has no count to be seen");
    stream(tc, &c, c.quiet - 1);
    struct uet_out asks = uet_write(c.p, &c.m, 0, c.data, c.size);
    ask(tc, "PDS-102", &asks);
    counts_from_0(tc, &c);
}

/* Packets of a size that leaves much over where they reach the trigger; 0: of none. */
static uint32_t size_with_rest(struct uet_tc *tc)
{
    const uint64_t trigger = uet_tc_param(tc, "ACK_Gen_Trigger");

    for (uint32_t size = uet_tc_dut(tc)->payload_mtu & ~7u; size > 1024; size -= 8) {
        uint64_t quiet = (trigger - 1) / (size + HEADERS), rest = (quiet + 1) * size - trigger;
        if (quiet >= 1 && (quiet + 1) * size > trigger && rest + quiet * size >= trigger)
            return size;
    }
    return 0;
}

UET_TEST(ack_leaves_no_rest, .id = "pds.3.5.12.2.ack-leaves-no-rest", .requirements = "PDS-102",
         .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "An ACK sets ACK_GEN_COUNT to 0, by however much it is beyond the trigger.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "WRITEs with ar=0, as many as reach the trigger, of a size that goes far "
                     "beyond it; one fewer again; then one.",
         .expected =
             "An ACK for the first; none for the next until the trigger is reached anew (an "
             "earlier one is a finding), then one.")
{
    uint32_t size = size_with_rest(tc);
    if (!size || uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add") > size)
        uet_skip(tc, "no size of a packet leaves enough beyond ACK_Gen_Trigger");
    struct coalescing c = prepare(tc, size);
    if (stream_acked(tc, &c, 1, uet_tc_quiet(tc)))
        uet_skip(tc, "the FEP acknowledges each packet, as it may: it has no count to be seen");
    uet_check(tc, "PDS-100", stream_acked(tc, &c, c.enough - 1, 0), "no ACK came at the trigger");
    counts_from_0(tc, &c);
}

UET_TEST(coalesced_ack_response, .id = "pds.3.5.20.2.3.coalesced-ack-response",
         .requirements = "PDS-110", .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "An ACK for several PSNs carries a default response, or that of ACK_PSN.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "WRITEs of one Payload MTU with ar=0 until the trigger is reached.",
         .expected = "The ACK has next_hdr RESPONSE and a success: DEFAULT_RESPONSE, or "
                     "UET_RESPONSE with RC_OK.")
{
    struct coalescing c = prepare(tc, uet_tc_dut(tc)->payload_mtu);
    const struct uet_in *ack = stream_acked(tc, &c, c.enough, 0);
    if (!ack)
        uet_inconc(tc, "no coalesced ACK came (PDS-100)");
    field(tc, "PDS-110", ack, UET_F_PDS_NEXT_HDR, UET_NH_RESPONSE);
    uet_check_success(tc, "PDS-110", ack);
}

UET_TEST(
    coalescing_counts_each_pdc, .id = "pds.3.5.12.2.coalescing-counts-each-pdc",
    .requirements = "PDS-100", .role = UET_ROLE_TARGET, .needs = "rud write any-request coalescing",
    .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
    .purpose = "ACK_GEN_COUNT is of a PDC: two streams each bring their ACK.",
    .preamble = "A memory region; two PDCs open.",
    .stimulus = "WRITEs of 1024 bytes with ar=0 on both in turn, until each has had as many as "
                "reach ACK_Gen_Trigger.",
    .expected = "An ACK on each PDC.")
{
    struct coalescing c = prepare(tc, 1024), other = c;
    other.p = uet_pdc_open(tc);
    uint32_t first = c.p->fep_cack + 1, second = other.p->fep_cack + 1;
    for (uint32_t i = 0; i < c.enough; i++) {
        stream(tc, &c, 1);
        stream(tc, &other, 1);
    }
    hear(tc, "PDS-100", CACK_UP_TO(c.p, first));
    hear(tc, "PDS-100", CACK_UP_TO(other.p, second));
}

UET_TEST(empty_packets_count_minimum, .id = "pds.3.5.12.2.empty-packets-count-minimum",
         .requirements = "PDS-101", .role = UET_ROLE_TARGET, .needs = "rud write coalescing",
         .params = "ACK_Gen_Trigger ACK_Gen_Min_Pkt_Add",
         .purpose = "A packet that carries no byte counts as ACK_Gen_Min_Pkt_Add bytes.",
         .preamble = "A memory region; PDC open, with coalesced ACKs.",
         .stimulus = "As many WRITEs of 0 bytes with ar=0 as ACK_Gen_Min_Pkt_Add goes into "
                     "ACK_Gen_Trigger.",
         .expected = "An ACK.")
{
    struct coalescing c = prepare(tc, 1);
    if (uet_tc_param(tc, "ACK_Gen_Min_Pkt_Add") == 0)
        uet_skip(tc, "ACK_Gen_Min_Pkt_Add is 0");
    c.size = 0;
    uet_check(tc, "PDS-101", stream_acked(tc, &c, c.enough, 0),
              "no ACK came for %u packets without payload", c.enough);
}
