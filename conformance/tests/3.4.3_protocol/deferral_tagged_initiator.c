/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.4: deferrable tagged sends of the FEP, and what a restart brings besides its bytes. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/deferral.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds.h"

#define TAG  0x8000000000000012
#define DATA 0x1122334455667788

/* The tester puts off what the FEP sends so; its first packet. */
static const struct uet_in *
is_put_off(struct uet_tc *tc, uint64_t *handle, const struct uet_ut_operation *op,
           uint64_t (*start)(struct uet_tc *, const struct uet_ut_operation *))
{
    uet_auto_ack(tc, false);
    *handle = start(tc, op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out ack = deferring_ack(in, 0);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    return in;
}

/* It is asked for, and comes once more. */
static const struct uet_in *restarts(struct uet_tc *tc, const struct uet_in *first)
{
    struct uet_out rtr = rtr_for(uet_pdc_open(tc), first, 0x55);

    accepted(tc, "SES-150", &rtr);
    return hear_restart(tc, "SES-150", first, 0x55);
}

UET_TEST(restart_with_tag, .id = "ses.3.4.3.4.restart-with-its-tag", .requirements = "SES-150",
         .role = UET_ROLE_INITIATOR, .needs = "deferral tagged",
         .purpose = "A tagged send that was deferred comes again as one, with its tag.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP sends 64 bytes, deferrable, with the tag 0x8000000000000012, which "
                     "are deferred; the RTR.",
         .expected = "UET_DEFERRABLE_TSEND with both tokens, that tag and 64 bytes; one completion "
                     "without error.")
{
    uint64_t handle;
    fep_opens(tc);
    struct uet_ut_operation op = uet_op(tc, 64);
    op.key = TAG;
    const struct uet_in *first = is_put_off(tc, &handle, &op, uet_do_deferrable_tagged_send);
    const struct uet_in *again = restarts(tc, first);
    field(tc, "SES-150", again, UET_F_SES_OPCODE, UET_OP_DEFERRABLE_TSEND);
    uet_check_eq(tc, "SES-150", "match_bits", uet_ses_match_bits(&again->packet), TAG);
    payload_bytes(tc, "SES-150", again, 64);
    completes(tc, "SES-150", handle, UET_UT_OK);
}

UET_TEST(restart_with_data, .id = "ses.3.4.3.4.restart-with-its-header-data",
         .requirements = "SES-150", .role = UET_ROLE_INITIATOR, .needs = "deferral",
         .purpose = "The header data of a deferred send comes again with it.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus =
             "The FEP sends 64 bytes, deferrable, with header data, which are deferred; the "
             "RTR.",
         .expected = "The message with both tokens, hd=1 and the same header data. A FEP whose "
                     "deferrable sends have none is skipped.")
{
    uint64_t handle;
    fep_opens(tc);
    struct uet_ut_operation op = uet_op(tc, 64);
    op.has_header_data = true;
    op.header_data = DATA;
    const struct uet_in *first = is_put_off(tc, &handle, &op, uet_do_deferrable_send);
    if (!value_of(tc, first, UET_F_SES_HD))
        uet_skip(tc, "the first try has no header data");
    const struct uet_in *again = restarts(tc, first);
    field(tc, "SES-150", again, UET_F_SES_HD, 1);
    field(tc, "SES-150", again, UET_F_SES_HEADER_DATA, DATA);
    completes(tc, "SES-150", handle, UET_UT_OK);
}
