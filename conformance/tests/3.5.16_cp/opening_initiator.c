/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.16.1, 3.5.16.7: NOOPs and Negotiations that an initiator sends, as it may. */
#include "conformance/tests/pds.h"

static bool with_syn(const struct uet_in *in, const void *ctx)
{
    (void)ctx;
    return uet_has_syn(&in->packet);
}

/* The FEP writes in this mode, on a PDC of its own: the packet that opens it. */
static const struct uet_in *opens_in(struct uet_tc *tc, uint8_t mode, uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, 16);

    op.mode = mode;
    *handle = uet_do_write(tc, &op);
    return hear(tc, "PDS-023", .also = with_syn, .named = "packet with syn=1");
}

/* It names the mode, and the first Request comes on its PDC. */
static void is_opening_noop(struct uet_tc *tc, const struct uet_in *in, bool rod)
{
    field(tc, "PDS-045", in, UET_F_PDS_ISROD, rod);
    uet_look_at(tc, in);
    uet_check_eq(tc, "PDS-025", "psn_offset", uet_cp_psn_offset(uet_pds(&in->packet)), 0);
    const struct uet_in *data = hear(tc, "PDS-023", REQUEST_ON(in->pdc));
    uet_check_eq(tc, "PDS-028", "Start_PSN of the PDC", data->pdc->start_psn,
                 uet_start_psn(&in->packet));
}

UET_TEST(noop_before_data, .id = "pds.3.5.16.1.noop-before-data",
         .not_over = "used after-read aged", .requirements = "PDS-045 PDS-025 PDS-028",
         .role = UET_ROLE_INITIATOR, .claim_binds = true, .needs = "rod",
         .purpose = "A NOOP that opens a PDC names its mode and begins its PSNs.",
         .preamble = "None.", .stimulus = "The FEP writes over RUD, then over ROD.",
         .expected = "A Request opens each PDC, or a NOOP with psn_offset 0 and isrod as the "
                     "mode, and the Request comes on that PDC; both writes complete.")
{
    static const uint8_t modes[] = {UET_UT_MODE_RUD, UET_UT_MODE_ROD};
    unsigned noops = 0;

    for (size_t i = 0; i < 2; i++) {
        uint64_t handle;
        const struct uet_in *in = opens_in(tc, modes[i], &handle);
        if (uet_is_cp(&in->packet)) {
            is_opening_noop(tc, in, modes[i] == UET_UT_MODE_ROD);
            noops++;
        }
        completes(tc, "PDS-045", handle, UET_UT_OK);
    }
    if (!noops)
        uet_skip(tc, "the FEP opens its PDCs with data");
}

UET_TEST(negotiation_sent, .id = "pds.3.5.16.7.negotiation-sent", .requirements = "PDS-055 PDS-188",
         .role = UET_ROLE_INITIATOR, .claim_binds = true,
         .purpose = "A Negotiation of the FEP takes a PSN, asks for an ACK, and is PDS_NEG_ON_OFF.",
         .preamble = "A PDC that the FEP opened.", .stimulus = "Silence for 20 ms.",
         .expected = "No Negotiation, or one with ar=1, the next PSN, neg_type 1 and neg_length 2; "
                     "once acknowledged it does not come again.")
{
    struct uet_pdc *pdc = fep_opens(tc);
    const struct uet_in *in = maybe(tc, CP_ON(pdc, UET_CTL_NEGOTIATION), .within = 20 * UET_MS);
    if (!in)
        uet_skip(tc, "the FEP negotiates nothing");
    const uint8_t *on_off = uet_cp_payload_of(&in->packet);
    field(tc, "PDS-055", in, UET_F_PDS_AR, 1);
    uet_look_at(tc, in);
    uet_check(tc, "PDS-055", uet_psn_diff(psn_of(in), pdc->cack) <= 0,
              "psn 0x%08x is not among those that came without a gap", psn_of(in));
    uet_check_eq(tc, "PDS-055", "neg_type", uet_cp_payload_negotiation_on_off_neg_type(on_off), 1);
    uet_check_eq(tc, "PDS-055", "neg_length", uet_cp_payload_negotiation_on_off_neg_length(on_off),
                 2);
    silence(tc, "PDS-055", CP_ON(pdc, UET_CTL_NEGOTIATION), .with_psn = true, .psn = psn_of(in),
            .named = "that Negotiation again", .again = true, .within = 2 * one_rto(tc));
}
