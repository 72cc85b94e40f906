/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.5 (Syn_Retx_Safety_Time), 3.5.8.3: what comes after a PDC, and when one ends by itself. */
#include "ut/verbs.h"

#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

/*
 * A PDC that a WRITE opened (resent: which came twice), closed again; then another one wrote in the
 * same place.
 */
static struct uet_pdc *written_and_closed(struct uet_tc *tc, const struct uet_memory *m,
                                          struct uet_out *old, bool resent)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    *old = uet_write(p, m, 0, "old data", 8);
    exchange(tc, old);
    if (resent)
        exchange_again(tc, old);
    close_now(tc, p);
    struct uet_pdc *q = uet_pdc_open(tc);
    struct uet_out other = uet_write(q, m, 0, "new data", 8);
    exchange(tc, &other);
    uet_preamble_end(tc);
    uet_forget_settled(tc);
    return p;
}

/* A copy of the SYN comes now, and may be taken for that of a new PDC: its answer, or NULL. */
static const struct uet_in *answer_to_late(struct uet_tc *tc, struct uet_pdc *p,
                                           const struct uet_out *old)
{
    p->closed = p->closing = false;
    p->fep_pdcid = 0;           /* whatever comes of it has another PDCID, */
    p->next_psn = old->psn + 1; /* ... and had no Close Command */
    say_again(tc, old);
    return maybe(tc, ANSWER_ON(p));
}

static bool is_old(struct uet_tc *tc, const struct uet_memory *m)
{
    uint8_t there[8];

    uet_read_back(tc, m, 0, there, sizeof(there));
    return memcmp(there, "old data", sizeof(there)) == 0;
}

UET_TEST(late_syn_copy, .id = "pds.3.5.5.late-syn-copy", .requirements = "PDS-054",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester", .contested = true,
         .purpose = "What a late copy of a SYN does to a PDC that was closed (1.0.3).",
         .preamble = "A PDC opened by a WRITE, and closed; other bytes written to the same place.",
         .stimulus = "The WRITE that opened it, once more, syn=1 and retx=1.",
         .expected = "Silence, a NACK, an ACK as of a duplicate, or a new PDC: the answer is told, "
                     "and whether the old bytes were written again. Nothing fails: which side "
                     "guards is not public.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out old;
    struct uet_pdc *p = written_and_closed(tc, &m, &old, false);
    const struct uet_in *in = answer_to_late(tc, p, &old);
    const bool again = is_old(tc, &m);
    uet_note(tc, "PDS-054", "a late SYN copy brings %s%s",
             !in                        ? "no answer"
             : uet_is_nack(&in->packet) ? "a NACK"
                                        : "an ACK",
             again ? ", and its old bytes are written again" : "");
    if (in && uet_is_nack(&in->packet))
        p->fep_pdcid = 0;
}

#define SAFETY (200 * UET_MS)

UET_TEST(late_copy_of_resent_syn, .id = "pds.3.5.5.late-copy-of-a-resent-syn",
         .requirements = "PDS-054", .role = UET_ROLE_TARGET, .needs = "rud write upper-tester",
         .contested = true, .not_over = "all", /* what goes before takes of the time */
         .purpose = "Where a SYN came more than once, one more copy after the close is not "
                    "delivered within Syn_Retx_Safety_Time (1.0.3).",
         .preamble = "Syn_Retx_Safety_Time set to 200 ms. A PDC opened by a WRITE, "
                     "which came again with retx=1, and closed; other bytes written to the same "
                     "place.",
         .stimulus = "The WRITE that opened it, a third time, syn=1 and retx=1.",
         .expected = "Silence, a NACK or an ACK as of a duplicate. A new PDC that writes the old "
                     "bytes again is a finding: which side guards is not public.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out old;
    if (!uet_try_param(tc, "Syn_Retx_Safety_Time", SAFETY))
        uet_skip_for(tc, UET_SKIP_VERB, "Syn_Retx_Safety_Time of this FEP cannot be set");
    const uint64_t before = uet_tc_now(tc);
    struct uet_pdc *p = written_and_closed(tc, &m, &old, true);
    if (uet_tc_now(tc) - before >= SAFETY)
        uet_skip(tc, "the FEP answers too late for a copy within Syn_Retx_Safety_Time");
    const struct uet_in *in = answer_to_late(tc, p, &old);
    if (is_old(tc, &m))
        uet_other_reading(tc, "PDS-054", "a late SYN copy opens a PDC, and writes its old bytes");
    if (!in || uet_is_nack(&in->packet))
        p->fep_pdcid = 0;
}

UET_TEST(pdcid_rests, .id = "pds.3.5.5.pdcid-rests-after-syn-resend",
         .not_over = "used after-read aged", .requirements = "PDS-054", .role = UET_ROLE_INITIATOR,
         .params = "RTO_Init_Time", .contested = true,
         .purpose = "A PDCID whose SYN was sent again is not used anew while a copy of that SYN "
                    "may be on its way (1.0.3).",
         .preamble = "Syn_Retx_Safety_Time set to 200 ms.",
         .stimulus = "The FEP writes; its SYN is answered when it has come twice. Ask it to close "
                     "that PDC, and let it write again.",
         .expected = "Within 200 ms of the copy no new PDC has its spdcid; one that has is a "
                     "finding, as which side guards is not public.")
{
    struct uet_pdc *pdc, *next;
    uint64_t handle;
    if (!uet_try_param(tc, "Syn_Retx_Safety_Time", SAFETY))
        uet_skip_for(tc, UET_SKIP_VERB, "Syn_Retx_Safety_Time of this FEP cannot be set");
    uet_auto_ack(tc, false);
    const struct uet_in *in = fep_writes(tc, 16, &pdc, &handle);
    const struct uet_in *copy =
        hear(tc, "PDS-156", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    resume_acks(tc, copy);
    uet_expect_completion(tc, handle);
    uet_did(tc, uet_ut_close_pdcs(uet_tc_ut(tc), NULL), "close");
    uet_wait(tc, UET_MS);
    in = fep_writes_on(tc, &next, 16, &handle);
    uet_expect_completion(tc, handle);
    uet_look_at(tc, in);
    if (next != pdc && uet_spdcid(&in->packet) == uet_spdcid(&copy->packet) &&
        in->time_ns - copy->time_ns < SAFETY)
        uet_other_reading(tc, "PDS-054", "spdcid 0x%04x was used anew %.3f ms after its SYN",
                          uet_spdcid(&in->packet), (double)(in->time_ns - copy->time_ns) / 1e6);
}

UET_TEST(idle_pdc, .id = "pds.3.5.8.3.idle-pdc", .requirements = "PDS-214",
         .role = UET_ROLE_INITIATOR,
         .purpose = "A FEP may close a PDC that is idle, whenever it likes.",
         .preamble = "A PDC that the FEP opened, everything acknowledged.",
         .stimulus = "Silence for 100 ms; then the FEP writes again.",
         .expected = "No Close Command, or one that stands alone; the write completes on this PDC "
                     "or on a new one.")
{
    struct uet_pdc *pdc = fep_opens(tc), *next;
    uint64_t handle;
    const struct uet_in *in = maybe(tc, CP_ON(pdc, UET_CTL_CLOSE_COMMAND), .within = 100 * UET_MS);
    uet_note(tc, "PDS-214", "an idle PDC is %s", in ? "closed within 100 ms" : "kept for 100 ms");
    fep_writes_on(tc, &next, 16, &handle);
    uet_check(tc, "PDS-214", !in || next != pdc, "the PDC was closed and is used on");
    completes(tc, "PDS-214", handle, UET_UT_OK);
}
