/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.8.2, 3.5.12.7: a PDC whose packets are numbered anew while several are outstanding. */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"

#define AWAY 100000u /* from the old Start_PSN: no PSN of both */

/* The tester's side of a PDC that begins once more, with this Start_PSN. */
static void begins_at(struct uet_pdc *p, uint32_t psn)
{
    p->start_psn = p->next_psn = psn;
    p->fep_cack = p->clear_psn = p->clear_told = psn - 1;
    p->cack = p->cack_told = psn - 1;
    memset(p->heard, 0, sizeof p->heard);
}

/*
 * NACK UET_NEW_START_PSN of the first. A FEP that numbers its packets anew (PDS-050, of secure
 * PDCs) sends n of them from there, the same in the same order: they; false: this one does not.
 */
static bool numbers_anew(struct uet_tc *tc, const struct uet_in **in, uint32_t n)
{
    struct uet_pdc *p = in[0]->pdc;
    uint32_t start = p->start_psn + AWAY;
    struct uet_out nack = uet_nack(p, psn_of(in[0]), UET_NACK_NEW_START_PSN);

    uet_nack_spdcid_set(nack.pds, 0);
    uet_nack_payload_set(nack.pds, start);
    say(tc, &nack);
    /* As a target it may take that for its own floor, too (TSS-068). */
    if (p->domain && !p->domain->says_start)
        p->domain->floor_known = false;
    for (uint32_t i = 0; i < n; i++) {
        const struct uet_in *anew = maybe(tc, REQUEST_OF(p, start + i));
        if (!anew && i == 0)
            return false;
        uet_check(tc, "ROB-040", anew, "%u of %u packets came under new PSNs", i, n);
        field(tc, "ROB-040", anew, UET_F_PDS_SYN, 1);
        field(tc, "ROB-040", anew, UET_F_PDS_PSN_OFFSET, i);
        uet_check(tc, "ROB-040", anew->packet.payload_len == in[i]->packet.payload_len,
                  "packet %u has another payload than before", i + 1);
        in[i] = anew;
    }
    begins_at(p, start);
    return true;
}

/* What is not acknowledged yet comes again by its RTO; then the operation ends. */
static void ends_by_rto(struct uet_tc *tc, uint64_t handle)
{
    struct uet_ut_completion c;

    uet_check(tc, "ROB-040", uet_completion(tc, handle, 2 * patience(tc, one_rto(tc)), &c),
              "the write has no completion");
}

UET_TEST(numbered_anew, .id = "rob.3.5.8.2.numbered-anew", .requirements = "ROB-040 PDS-156",
         .role = UET_ROLE_INITIATOR, .not_over = "used after-read aged psn", /* how a PDC opens */
         .purpose = "UET_NEW_START_PSN ends nothing of what is outstanding, or to be sent.",
         .preamble = "None.",
         .stimulus =
             "The FEP writes 3 packets; NACK UET_NEW_START_PSN (0x17) for the first SYN; "
             "it writes one more; only the first packet is acknowledged for an RTO; then all.",
         .expected = "Where the packets come under new PSNs: with syn=1, in their order, and the "
                     "second on its RTO again. Both writes end; then the FEP serves as before.")
{
    const struct uet_in *in[3];
    uint64_t first, second;
    uet_need_retries(tc);
    uet_auto_ack(tc, false);
    struct uet_ut_operation op = uet_op(tc, 2u * uet_tc_dut(tc)->payload_mtu + 100u);
    first = uet_do_write(tc, &op);
    struct uet_pdc *p = uet_accept(tc, &in[0]);
    if (uet_start_psn(&in[0]->packet) != psn_of(in[0]))
        uet_skip(tc, "the FEP opens its PDC with another packet, as it may");
    for (int i = 1; i < 3; i++)
        if (!(in[i] = uet_next_request(tc, p)))
            uet_skip(tc, "the FEP sends fewer packets before it knows the TPDCID, as it may");
    bool anew = numbers_anew(tc, in, 3);
    op.length = 16;
    second = uet_do_write(tc, &op);
    if (anew) {
        struct uet_out ack = ack_at(in[0], psn_of(in[0]), psn_of(in[0]));
        say(tc, &ack);
        hear(tc, "PDS-156", REQUEST_OF(p, psn_of(in[1])), .within = patience(tc, one_rto(tc)));
    }
    uet_auto_ack(tc, true);
    ends_by_rto(tc, first);
    ends_by_rto(tc, second);
    uet_serves(tc, "ROB-040", UET_PASS, NULL);
}

/* Of 200 bytes; its data names its PSN, as it has no message ID. */
static void short_read_anew(struct uet_tc *tc, uint8_t header)
{
    struct uet_ut_operation op = uet_op(tc, 200);

    op.header = header;
    op.key = 1ull << 62 | op.resource_index; /* optimized (Table 2-13) */
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads_op(tc, &op);
    if (uet_is_ses_std(&r.in[0]->packet))
        uet_skip(tc, "the FEP chose the standard header, as it may");
    if (uet_start_psn(&r.in[0]->packet) != psn_of(r.in[0]))
        uet_skip(tc, "the FEP opens its PDC with another packet, as it may");
    if (!numbers_anew(tc, r.in, 1)) {
        serve_rest(tc, &r, 0);
        uet_skip(tc, "the FEP numbers no packet anew, as it need not in clear");
    }
    acknowledge(tc, r.pdc, r.in[0]);
    uet_auto_ack(tc, true);
    serve(tc, "SES-081", &r);
    check_read(tc, "SES-081", &r);
}

#define SHORT_READ_ANEW                                                                            \
    .requirements = "SES-081", .role = UET_ROLE_INITIATOR, .contested = true,                      \
    .not_over = "used after-read aged psn", .preamble = "None.",                                   \
    .expected = "Where it comes under a new PSN: once its data has come, which names that one, "   \
                "the read completes."

UET_TEST(small_read_anew, .id = "pds.3.5.8.2.small-read-numbered-anew", SHORT_READ_ANEW,
         .needs = "small-header",
         .purpose = "Data names the PSN under which a READ with the small header came at last.",
         .stimulus = "The FEP reads 200 bytes with the small header; NACK UET_NEW_START_PSN (0x17) "
                     "for the SYN.")
{
    short_read_anew(tc, UET_UT_HEADER_SMALL);
}

UET_TEST(medium_read_anew, .id = "pds.3.5.8.2.medium-read-numbered-anew", SHORT_READ_ANEW,
         .needs = "medium-header",
         .purpose = "Data names the PSN under which a READ with the medium header came at last.",
         .stimulus = "The FEP reads 200 bytes with the medium header; NACK UET_NEW_START_PSN "
                     "(0x17) for the SYN.")
{
    short_read_anew(tc, UET_UT_HEADER_MEDIUM);
}
