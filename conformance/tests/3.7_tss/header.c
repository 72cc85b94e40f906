/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7.11: what a sealed packet looks like. */
#include "conformance/harness/security.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

/* Its header, and lengths that have it and the ICV in them. */
static void well_formed(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_tss_header h = header_of(tc, "TSS-001", in);
    const struct uet_packet *p = &in->packet;

    uet_check_eq(tc, "TSS-002", "sp", h.sp, ssi_mode_now(tc));
    uet_check_eq(tc, "TSS-003", "the reserved bit of the TSS header", h.reserved, 0);
    field(tc, "TSS-001", in, UET_F_TSS_SDI, sdi_now(tc));
    uet_check_eq(tc, "TSS-005", "IP bytes behind the ICV",
                 p->ip_end - p->icv_offset - (unsigned)UET_TSS_TRAILER_BYTES, 0);
    if (p->udp_offset)
        uet_check_eq(tc, "TSS-005", "UDP length", uet_udp_length(p->frame + p->udp_offset),
                     p->ip_end - p->udp_offset);
}

UET_TEST(sealed_ack, .id = "tss.3.7.11.header-of-an-ack",
         .requirements = "TSS-001 TSS-002 TSS-003 TSS-004 TSS-005 TSS-006 TSS-007",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "A target answers sealed: TSS header, headers, ICV, and nothing else.",
         .stimulus = "A Request with syn=1.",
         .expected = "An ACK with the TSS header first, sp as ssi-mode says, the reserved bit 0, "
                     "the domain's SDI; lengths count header and ICV; there is no CRC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const struct uet_in *ack = ask(tc, "TSS-007", &syn);

    well_formed(tc, ack);
    payload_bytes(tc, "TSS-006", ack, 0);
}

UET_TEST(sealed_request, .id = "tss.3.7.11.header-of-a-request",
         .requirements = "TSS-001 TSS-002 TSS-003 TSS-004 TSS-005 TSS-006 TSS-007",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .purpose = "An initiator sends sealed: TSS header, headers, payload, ICV, nothing else.",
         .stimulus = "The FEP writes 64 bytes.",
         .expected = "A Request as an ACK of the test of targets; it has 64 bytes of payload.")
{
    struct uet_ut_operation op = uet_op(tc, 64);
    uet_do_write(tc, &op);
    const struct uet_in *in = hear(tc, "TSS-007", REQUEST_ON(NULL));

    well_formed(tc, in);
    payload_bytes(tc, "TSS-006", in, 64);
}

UET_TEST(own_ssi, .id = "tss.3.7.11.own-ssi", .requirements = "TSS-016", .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss", .not_over = "used after-read aged reopened",
         .purpose = "A FEP is named by its own SSI in what it sends: two senders of one SSI would "
                    "use IVs twice.",
         .preamble = "PDC open, in a domain in which the key file tells the FEP's SSI (ssi=).",
         .stimulus = "A Request; one ahead of the window.",
         .expected = "An ACK and a NACK with that SSI.")
{
    in_domain_of_senders(tc);
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);

    field(tc, "TSS-016", ack, UET_F_TSS_SSI, ssi_now(tc));
    say(tc, &far);
    field(tc, "TSS-016", hear(tc, "TSS-016", REFUSAL_OF(&far)), UET_F_TSS_SSI, ssi_now(tc));
}

UET_TEST(epoch_told, .id = "tss.3.7.11.epoch-as-told", .requirements = "TSS-015",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The epoch that a FEP seals in, and that its header tells, is the one that was "
                    "set for the domain.",
         .preamble = "The key file tells the epoch (epoch=) of the key that is sent with.",
         .stimulus = "A Request with syn=1.",
         .expected = "An ACK of that epoch. A later one is a finding.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    const struct uet_key_domain *told = p->domain->told;
    struct uet_out syn = uet_any_request(p);
    const struct uet_tss_header h = header_of(tc, "TSS-015", ask(tc, "TSS-015", &syn));

    if (h.an != told->tx)
        uet_skip(tc, "the FEP seals with its other key, whose epoch nobody tells");
    const uint16_t ahead = (uint16_t)(h.epoch - told->epoch);
    if (ahead && ahead < 0x8000)
        uet_other_reading(tc, "TSS-015", "the epoch is later than was told");
    else
        uet_check_eq(tc, "TSS-015", "the epoch", h.epoch, told->epoch);
}

UET_TEST(reserved_not_echoed, .id = "tss.3.7.11.reserved-bit-not-echoed", .requirements = "TSS-003",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The reserved bit of an answer is 0, whatever that of the Request was.",
         .preamble = "PDC open.",
         .stimulus = "An authentic Request whose reserved bit is 1; one whose bit is 0.",
         .expected = "An ACK with reserved bit 0, or none at all; an ACK with reserved bit 0.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out odd = uet_any_request(p);

    odd.tss.rsvd = true;
    odd.meant = "authentic, with the reserved bit";
    tolerate(tc, REFUSAL_OF(&odd));
    say(tc, &odd);
    const struct uet_in *ack = maybe(tc, ACK_OF(&odd));
    if (ack)
        uet_check_eq(tc, "TSS-003", "the reserved bit of the ACK",
                     header_of(tc, "TSS-003", ack).reserved, 0);
    struct uet_out plain = ack ? uet_any_request(p) : request_at(p, odd.psn);
    uet_check_eq(tc, "TSS-003", "the reserved bit of the ACK",
                 header_of(tc, "TSS-003", ask(tc, "TSS-003", &plain)).reserved, 0);
}

/* A PDC from its first packet to its last: what comes is sealed for the domain of the test. */
static void lives_sealed(struct uet_tc *tc)
{
    const struct uet_in *ack;
    struct uet_pdc *p = open_with_ack(tc, &ack);
    struct uet_out far = request_at(p, cack_of(ack) + mp_range(tc, ack) + 10);

    field(tc, "TSS-051", ack, UET_F_TSS_SDI, sdi_now(tc));
    say(tc, &far);
    field(tc, "TSS-051", hear(tc, "TSS-051", REFUSAL_OF(&far)), UET_F_TSS_SDI, sdi_now(tc));
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);
    say(tc, &close);
    field(tc, "TSS-051", hear(tc, "TSS-051", ACK_OF(&close)), UET_F_TSS_SDI, sdi_now(tc));
}

UET_TEST(
    sealed_life, .id = "tss.3.5.8.whole-life-sealed", .requirements = "TSS-051",
    .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
    .purpose = "ACK, NACK and Control Packets of a secured PDC are sealed, from first to last.",
    .stimulus = "A Request with syn=1, one ahead of the window, a Close Command.",
    .expected = "ACK, NACK, ACK: TSS packets of that SDI.")
{
    lives_sealed(tc);
}

UET_TEST(
    other_life, .id = "tss.3.5.8.whole-life-in-other-domain", .requirements = "TSS-051",
    .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
    .not_over = "used after-read aged reopened",
    .purpose = "In each domain ACK, NACK and Control Packets of a PDC carry the SDI of its own.",
    .stimulus = "In another domain a Request with syn=1, one ahead of the window, a Close Command.",
    .expected = "ACK, NACK, ACK: TSS packets of that SDI.")
{
    in_other_domain(tc);
    lives_sealed(tc);
}
