/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.5.16.5: Probe. Whether a Probe takes a PSN is not settled: each of these uses up a PSN of its
 * own, and the postamble fills it with a resent NO_OP, which is new in one reading and a duplicate
 * in the other.
 */
#include "conformance/tests/pds_target.h"

static bool is_probe_answer(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_ack_p(uet_pds(&in->packet));
}

UET_TEST(probe_answered, .id = "pds.3.5.16.5.probe-answered", .requirements = "PDS-193",
         .role = UET_ROLE_TARGET, .needs = "rud any-request probe",
         .purpose = "A Probe is answered with an ACK that carries its tag.",
         .preamble = "PDC open.", .stimulus = "Probes with probe_opaque 0xBEEF and 0x0001.",
         .expected = "ACKs with p=1 and probe_opaque 0xBEEF, 0x0001, on this PDC; one each.")
{
    static const uint16_t tags[] = {0xbeef, 0x0001};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < 2; i++) {
        struct uet_out o = probe(p, tags[i], p->next_psn);
        say(tc, &o);
        field(tc, "PDS-193", hear(tc, "PDS-193", PROBE_ANSWER(&o, &tags[i])), UET_F_PDS_SPDCID,
              p->fep_pdcid);
    }
    /* p=1 stands in the answer to a Probe only, and each Probe has had its own. */
    silence(tc, "PDS-193", ACK_ON(p), .also = is_probe_answer,
            .named = "an ACK with p=1 that answers no Probe");
}

UET_TEST(
    probe_tells_ce, .id = "pds.3.5.16.5.probe-tells-ce", .requirements = "PDS-104 PDS-112 PDS-193",
    .role = UET_ROLE_TARGET, .port_caps = UET_PORT_ECN, .needs = "rud any-request probe",
    .purpose = "The answer to a Probe tells whether that had ECN CE, and takes its path.",
    .preamble = "PDC open.",
    .stimulus = "Probes with ECN CE, with ECT(0), with CE again; entropy 0xC123, 0xC124, 0xC125.",
    .expected = "ACKs with p=1, and m=1, m=0, m=1, each with the entropy value of its Probe.")
{
    static const uint8_t ecn[] = {UET_ECN_CE, UET_ECN_ECT0, UET_ECN_CE};
    struct uet_pdc *p = uet_pdc_open(tc);
    for (uint16_t i = 0; i < 3; i++) {
        struct uet_out o = probe(p, i + 1u, p->next_psn);
        const uint16_t tag = (uint16_t)(i + 1u);
        o.route.ecn = ecn[i];
        o.route.entropy = (uint16_t)(0xc123 + i);
        say(tc, &o);
        const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&o, &tag));
        field(tc, "PDS-104", ack, UET_F_PDS_M, ecn[i] == UET_ECN_CE);
        uet_check_eq(tc, "PDS-112", "entropy value", uet_entropy(&ack->packet), 0xc123u + i);
    }
}

UET_TEST(probes_at_once, .id = "pds.3.5.16.5.probes-at-once", .requirements = "PDS-193",
         .role = UET_ROLE_TARGET, .needs = "rud any-request probe",
         .purpose = "Probes that come together are answered each with its own tag.",
         .preamble = "PDC open.", .stimulus = "Probes with probe_opaque 0x1111 and 0x2222 at once.",
         .expected = "An ACK with p=1 for each.")
{
    static const uint16_t tags[] = {0x1111, 0x2222};
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = probe(p, tags[0], p->next_psn), second = probe(p, tags[1], p->next_psn);
    say(tc, &first);
    say(tc, &second);
    hear(tc, "PDS-193", PROBE_ANSWER(&first, &tags[0]));
    hear(tc, "PDS-193", PROBE_ANSWER(&second, &tags[1]));
}

UET_TEST(
    probe_chooses_sack_base, .id = "pds.3.5.16.8.probe-chooses-sack-base",
    .requirements = "PDS-194", .role = UET_ROLE_TARGET, .needs = "rud any-request probe ack-cc",
    .purpose = "The answer to a Probe shows the SACK bitmap from the PSN that the Probe names.",
    .preamble = "PDC open; n is missing, n+1 and n+4 were acknowledged.",
    .stimulus = "Probe with payload n+1.",
    .expected = "ACK_CC with p=1, SACK_PSN n+1, bits 0 and 3 set and, where a Probe takes a PSN, "
                "its bit.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[5];
    for (int i = 0; i < 5; i++)
        o[i] = uet_any_request(p);
    exchange(tc, &o[1]);
    exchange(tc, &o[4]);
    static const uint16_t tag = 0x5acc;
    struct uet_out ask = probe(p, tag, o[1].psn);
    say(tc, &ask);
    const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&ask, &tag));
    const uint8_t *h = uet_pds(&ack->packet);
    if (!uet_check(tc, "PDS-194", uet_is_ack_cc(&ack->packet), "the ACK carries no SACK bitmap"))
        return;
    uet_check_eq(tc, "PDS-194", "SACK_PSN",
                 uet_psn_add(cack_of(ack), uet_ack_cc_sack_psn_offset(h)), o[1].psn);
    uint64_t own = 1ull << (ask.psn - o[1].psn); /* the Probe's PSN, if it has one */
    uet_check_eq(tc, "PDS-194", "sack_bitmap", uet_ack_cc_sack_bitmap(h) & ~own, 0x9);
}

UET_TEST(probe_base_at_the_edges, .id = "pds.3.5.16.8.probe-base-at-the-edges",
         .requirements = "PDS-194", .role = UET_ROLE_TARGET,
         .needs = "rud any-request probe ack-cc",
         .purpose = "Any base that sack_psn_offset can tell is used.", .preamble = "PDC open.",
         .stimulus = "Probes with payload CACK + 1, CACK + 32766, CACK + 32767, CACK - 32767, "
                     "CACK - 32768.",
         .expected = "ACK_CC with p=1 and that SACK_PSN, each.")
{
    static const int16_t offsets[] = {1, INT16_MAX - 1, INT16_MAX, -INT16_MAX, INT16_MIN};
    static const uint16_t tag = 0x5acc;
    struct uet_pdc *p = uet_pdc_open(tc);
    uint32_t cack = p->next_psn - 1;
    for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
        struct uet_out o = probe(p, tag, uet_psn_add(cack, offsets[i]));
        p->next_psn = o.psn; /* it may take none */
        say(tc, &o);
        const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&o, &tag));
        uet_check_eq(tc, "PDS-194", "SACK_PSN",
                     uet_psn_add(cack_of(ack), uet_ack_cc_sack_psn_offset(uet_pds(&ack->packet))),
                     uet_psn_add(cack, offsets[i]));
    }
}

/* Bits of the bitmap for PSNs before that one. */
static uint64_t bits_before(const struct uet_in *ack, uint32_t psn)
{
    const uint8_t *h = uet_pds(&ack->packet);
    int32_t n = uet_psn_diff(psn, uet_psn_add(cack_of(ack), uet_ack_cc_sack_psn_offset(h)));

    if (n <= 0)
        return 0;
    return uet_ack_cc_sack_bitmap(h) & (n < 64 ? (1ull << n) - 1 : UINT64_MAX);
}

UET_TEST(probe_base_before_start, .id = "pds.3.5.16.8.probe-base-before-start",
         .requirements = "PDS-114", .role = UET_ROLE_TARGET,
         .needs = "rud any-request probe ack-cc",
         .purpose = "No bit of a SACK bitmap tells a PSN before Start_PSN received: there is none.",
         .preamble = "PDC open.",
         .stimulus = "Probes with payload Start_PSN less 1, 63, 64, 65, 128.",
         .expected = "In no answer a bit before Start_PSN is set. That it is, is a finding: no "
                     "source has asked for it.")
{
    static const uint8_t early[] = {1, 63, 64, 65, 128};
    static const uint16_t tag = 0x5acc;
    struct uet_pdc *p = uet_pdc_open(tc);
    for (size_t i = 0; i < sizeof(early); i++) {
        struct uet_out o = probe(p, tag, p->start_psn - early[i]);
        p->next_psn = o.psn; /* it may take none */
        say(tc, &o);
        const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&o, &tag));
        if (uet_is_ack_cc(&ack->packet) && bits_before(ack, p->start_psn))
            uet_other_reading(tc, "PDS-114", "the bitmap has bits for PSNs before Start_PSN");
    }
}

UET_TEST(probe_base_below_cack, .id = "pds.3.5.16.8.probe-base-below-cack",
         .requirements = "PDS-114", .role = UET_ROLE_TARGET,
         .needs = "rud any-request probe ack-cc",
         .purpose = "A bitmap that begins below CACK_PSN tells nothing received that is missing.",
         .preamble = "PDC open; n is missing, n-1 and n+1 were acknowledged.",
         .stimulus = "Probes with payload n-1, n-2, n-40.",
         .expected = "In no answer the bit of n is set, or of n+11, which was never sent.")
{
    static const uint8_t below[] = {1, 2, 40};
    static const uint16_t tag = 0x5acc;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out before = uet_any_request(p), missing = uet_any_request(p);
    struct uet_out behind = uet_any_request(p);
    exchange(tc, &before);
    exchange(tc, &behind);
    for (size_t i = 0; i < sizeof(below); i++) {
        struct uet_out o = probe(p, tag, missing.psn - below[i]);
        p->next_psn = o.psn; /* it may take none */
        say(tc, &o);
        const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&o, &tag));
        uet_check(tc, "PDS-114", !sacked(ack, missing.psn) && !sacked(ack, missing.psn + 11),
                  "the bitmap tells a PSN received that never came");
    }
}

UET_TEST(probe_base_far_ahead, .id = "pds.3.5.16.8.probe-base-far-ahead", .requirements = "PDS-114",
         .role = UET_ROLE_TARGET, .needs = "rud any-request probe ack-cc",
         .purpose = "A bitmap that begins far ahead, where a FEP keeps nothing, tells nothing "
                    "received that never came.",
         .preamble = "PDC open; n is missing, n+1 and n+6 were acknowledged.",
         .stimulus = "Probes whose payload is 64, 128, 256, ... 16384 beyond n+6, and 31 less.",
         .expected = "In no answer a bit beyond n+6 is set, but for those of the Probes.")
{
    static const uint16_t tag = 0x5acc;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o[7];
    for (int i = 0; i < 7; i++)
        o[i] = uet_any_request(p);
    exchange(tc, &o[1]);
    exchange(tc, &o[6]);
    for (uint32_t far = 64; far <= 16384; far *= 2)
        for (uint32_t less = 0; less <= 31; less += 31) {
            struct uet_out ask = probe(p, tag, o[6].psn + far - less);
            p->next_psn = ask.psn; /* it may take none */
            say(tc, &ask);
            const struct uet_in *ack = hear(tc, "PDS-193", PROBE_ANSWER(&ask, &tag));
            for (uint32_t i = 0; i < 64; i++)
                uet_check(tc, "PDS-114", !sacked(ack, o[6].psn + far - less + i),
                          "the bitmap tells a PSN received that never came");
        }
}

UET_TEST(probe_opens_nothing, .id = "pds.3.6.13.7.probe-opens-nothing", .requirements = "PDS-046",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A Probe cannot open a PDC.",
         .preamble = "One PDC open, so that a dpdcid not in use is known.",
         .stimulus = "A Probe with syn=0 and that dpdcid; a Probe with syn=1.",
         .expected = "No ACK for either; silence or a NACK.")
{
    struct uet_pdc *q = pdc_unknown(tc), *fresh = uet_pdc_new(tc);
    struct uet_out plain = probe(q, 1, q->next_psn), syn = probe(fresh, 2, fresh->next_psn);
    tolerate(tc, REFUSAL_ON(q));
    tolerate(tc, REFUSAL_ON(fresh));
    uet_cp_syn_set(syn.pds, true);
    uet_cp_psn_offset_set(syn.pds, 0);
    say(tc, &plain);
    say(tc, &syn);
    silence(tc, "PDS-046", ACK_ON(q));
    silence(tc, "PDS-046", ACK_ON(fresh), .within = UET_US);
}
