/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.7.4: whatever kind of packet it is, on a secured PDC it counts for nothing when it is authentic
 * in another domain, in clear, or altered.
 */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/3.7_tss/isolation.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/rudi.h"

enum { INTRUDERS = 3 };

/* The same packet as it must not be taken. */
static struct uet_out intruder(struct uet_tc *tc, const struct uet_out *right, int which)
{
    if (which == 0)
        return of_domain(right, other_domain(tc));
    return which == 1 ? as_if_clear(tc, right) : flipped(right, (int16_t)icv_at(right), 1);
}

static void say_intruders(struct uet_tc *tc, const struct uet_out *right)
{
    tolerate(tc, REFUSAL_ON(NULL), .named = "NACK for the intruder");
    for (int i = 0; i < INTRUDERS; i++) {
        struct uet_out o = intruder(tc, right, i);
        say(tc, &o);
    }
}

/* The operation is still open; the right answer of its peer then completes it. */
static void completes_with(struct uet_tc *tc, uint64_t handle, const struct uet_out *right)
{
    stays_open(tc, "TSS-045", handle, uet_tc_latest(tc, UET_MS));
    say(tc, right);
    uet_auto_ack(tc, true);
    completes(tc, "TSS-045", handle, UET_UT_OK);
}

#define AS_INTRUDERS                                                                               \
    .requirements = "TSS-045 TSS-048 TSS-042", .not_over = "used after-read aged reopened"
#define IN_THREE_WAYS "authentic in another domain, in clear, and with a wrong ICV"

UET_TEST(
    nacks, .id = "tss.3.7.nacks-of-intruders", AS_INTRUDERS, .role = UET_ROLE_INITIATOR,
    .needs = "rud write tss", .preamble = "A PDC that the FEP opened; RTO long.",
    .purpose = "A NACK that is not the peer's ends nothing on a secured PDC.",
    .stimulus =
        "The FEP writes 16 bytes; NACK UET_INV_DPDCID with the PDC's PDCIDs and PSN, " IN_THREE_WAYS
        "; then the ACK.",
    .expected = "No completion before the ACK; with it, a success.")
{
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    uint64_t handle;
    const struct uet_in *in = fep_holds(tc, &p, &handle);
    struct uet_out ack = uet_ack(p, in), nack = uet_nack(p, psn_of(in), UET_NACK_INV_DPDCID);

    say_intruders(tc, &nack);
    completes_with(tc, handle, &ack);
}

UET_TEST(close_requests, .id = "tss.3.7.close-requests-of-intruders", AS_INTRUDERS,
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .preamble = "A PDC that the FEP opened, with a WRITE open on it.",
         .purpose = "A Close Request that is not the peer's closes no secured PDC.",
         .stimulus = "A Close Request with the PDC's PDCIDs and next PSN, " IN_THREE_WAYS
                     "; then the right one.",
         .expected = "No ACK before the right one; then one.")
{
    hold_rto(tc);
    struct uet_pdc *p = fep_opens(tc);
    fep_holds(tc, &p, NULL); /* open: the FEP has no reason to close it */
    struct uet_out right = uet_cp(p, UET_CTL_CLOSE_REQUEST);

    say_intruders(tc, &right);
    silence(tc, "TSS-045", TAKEN_FROM(&right));
    uet_auto_ack(tc, true);
    say(tc, &right);
    hear(tc, "TSS-045", COVERED(&right));
}

UET_TEST(
    data, .id = "tss.3.7.data-of-intruders", AS_INTRUDERS, .role = UET_ROLE_INITIATOR,
    .needs = "rud read tss", .preamble = "None.",
    .purpose = "Read data that is not the target's is not taken on a secured PDC.",
    .stimulus =
        "The FEP reads 100 bytes; other bytes with the PDC's PDCIDs and PSN come " IN_THREE_WAYS
        "; then the data.",
    .expected = "The read completes with the target's bytes.")
{
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out right = part_of(&r, 0), forged = right;

    forged.payload = uet_tc_bytes(tc, 100);
    say_intruders(tc, &forged);
    check_open(tc, "TSS-045", &r);
    say(tc, &right);
    check_read(tc, "TSS-045", &r);
}

UET_TEST(rudi_nacks, .id = "tss.3.7.rudi-nacks-of-intruders", AS_INTRUDERS,
         .role = UET_ROLE_INITIATOR, .needs = "rudi write tss", .preamble = "RTO long.",
         .purpose = "A RUDI NACK that is not the target's ends no operation of a secured job.",
         .stimulus = "The FEP writes 16 bytes over RUDI; NACK 0xFF (experimental, fatal) for its "
                     "pkt_id, " IN_THREE_WAYS "; then the answer.",
         .expected = "No completion before the answer; with it, a success.")
{
    if (uet_domain_serves(other_domain(tc), uet_op(tc, BYTES).job_id))
        uet_skip_for(tc, UET_SKIP_PARAMETER, "the key file has no domain that lacks the job");
    hold_rto(tc);
    const uint64_t handle = rudi_writes(tc, BYTES);
    const struct uet_in *in = rudi_request(tc);
    struct uet_out right = uet_rudi_answer(tc, in, UET_RC_OK),
                   nack = uet_rudi_nack(tc, in, UET_NACK_EXP_NACK_FATAL);

    say_intruders(tc, &nack);
    completes_with(tc, handle, &right);
}

UET_TEST(closes, .id = "tss.3.7.close-commands-of-intruders", AS_INTRUDERS, .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss", .preamble = "PDC open.",
         .purpose = "A Close Command that is not the peer's closes no secured PDC.",
         .stimulus = "A Close Command with the next PSN of the PDC, " IN_THREE_WAYS
                     "; a right Request of that PSN.",
         .expected = "No ACK; then an ACK, as if nothing had been before.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out close = cp_at(p, UET_CTL_CLOSE_COMMAND, p->next_psn), right = uet_any_request(p);

    say_intruders(tc, &close);
    silence(tc, "TSS-045", TAKEN_FROM(&close));
    ask(tc, "TSS-045", &right);
}

UET_TEST(noops, .id = "tss.3.7.control-packets-of-intruders", AS_INTRUDERS, .role = UET_ROLE_TARGET,
         .needs = "rud any-request cp-noop tss", .preamble = "PDC open.",
         .purpose = "A Control Packet that is not the peer's takes no PSN of a secured PDC.",
         .stimulus = "A NOOP with the next PSN of the PDC, " IN_THREE_WAYS
                     "; a right Request of that PSN.",
         .expected = "No ACK; then an ACK, as if nothing had been before.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out noop = cp_at(p, UET_CTL_NOOP, p->next_psn), right = uet_any_request(p);

    say_intruders(tc, &noop);
    silence(tc, "TSS-045", TAKEN_FROM(&noop));
    ask(tc, "TSS-045", &right);
}
