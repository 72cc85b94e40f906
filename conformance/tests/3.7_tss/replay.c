/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7.9: what was recorded and is sent again, byte for byte. */
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

enum { BYTES = 16 };

/* Writes it, and returns the frame's number, for replay. */
static uint32_t record(struct uet_tc *tc, const struct uet_out *write)
{
    say(tc, write);
    const uint32_t frame = last_said(tc);

    uet_preamble_begin(tc);
    uet_check_success(tc, "TSS-075", hear_answer(tc, "TSS-075", write));
    uet_preamble_end(tc);
    return frame;
}

/* The same frame again: the memory holds what was written after it. */
static void replayed(struct uet_tc *tc, const char *requirement, uint32_t frame,
                     const struct uet_out *newer, const struct uet_memory *m)
{
    memory_holds(tc, requirement, m, 0, newer->payload, BYTES);
    const struct kept before = keep(tc, m, 0, BYTES);

    replay(tc, frame);
    uet_wait(tc, uet_tc_quiet(tc));
    unchanged(tc, requirement, &before);
}

UET_TEST(replay_live, .id = "tss.3.7.replay-in-live-pdc", .requirements = "TSS-075",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss any-request",
         .purpose = "A packet that is replayed in a live PDC is a duplicate, and not executed.",
         .preamble = "PDC open; a WRITE of 16 bytes, and another one to the same place.",
         .stimulus = "The frame of the first again, byte for byte; a Request.",
         .expected = "The memory stays as the second left it. What answers has another counter "
                     "than before. The PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);
    const uint32_t frame = record(tc, &first);

    record(tc, &newer);
    replayed(tc, "TSS-075", frame, &newer, &m);
    still_serves(tc, "TSS-075", p);
}

UET_TEST(replay_ahead, .id = "tss.3.7.replay-behind-a-gap", .requirements = "TSS-075",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss any-request",
         .not_over = "rod", /* it has no gaps */
         .purpose = "A replayed packet that CACK_PSN has not passed is a duplicate, too.",
         .preamble = "PDC open; a PSN is left out; behind it a WRITE of 16 bytes, and another one "
                     "to the same place.",
         .stimulus = "The frame of the first WRITE again, byte for byte; the Request that was left "
                     "out.",
         .expected = "The memory stays as the second left it. The PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out gap = uet_any_request(p),
                   first = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES),
                   newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);
    const uint32_t frame = record(tc, &first);

    record(tc, &newer);
    replayed(tc, "TSS-075", frame, &newer, &m);
    ask(tc, "TSS-075", &gap);
    still_serves(tc, "TSS-075", p);
}

UET_TEST(replay_of_an_opener, .id = "tss.3.7.replay-of-a-live-syn", .requirements = "TSS-075",
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss any-request",
         .purpose = "The SYN of a PDC that lives opens no second one.",
         .preamble = "A WRITE of 16 bytes opens a PDC; another one goes to the same place.",
         .stimulus = "The frame of the first again, byte for byte; a Request.",
         .expected = "The memory stays as the second left it. The PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out first = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);
    const uint32_t frame = record(tc, &first);
    struct uet_out newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);

    record(tc, &newer);
    replayed(tc, "TSS-075", frame, &newer, &m);
    still_serves(tc, "TSS-075", p);
}

UET_TEST(replay_of_a_resend, .id = "tss.3.7.replay-of-a-resend", .requirements = "TSS-075",
         .role = UET_ROLE_TARGET, .needs = "rud tss any-request",
         .purpose = "What answers a replayed resend is sealed anew, and no copy of what was kept.",
         .preamble = "PDC open.",
         .stimulus = "A Request, its resend (retx=1), and the frame of that once more, byte for "
                     "byte.",
         .expected = "An ACK to each; that of the replay has another counter than that before.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    ask(tc, "TSS-075", &o);
    const uint64_t before = counter_of(tc, "TSS-075", ask_anew(tc, "TSS-075", &o));
    replay(tc, last_said(tc));
    const uint64_t after = counter_of(tc, "TSS-075", hear(tc, "TSS-075", ACK_OF(&o)));
    uet_check(tc, "TSS-075", after != before, "the ACK is sealed under the counter %llu again",
              (unsigned long long)after);
}

/* A WRITE on its own PDC, which then closes; its frame. */
static uint32_t recorded_life(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_out write = uet_write(p, m, 0, uet_tc_bytes(tc, BYTES), BYTES);
    const uint32_t frame = record(tc, &write);

    close_now(tc, p);
    return frame;
}

UET_TEST(replay_after_close, .id = "tss.3.5.8.replay-after-close",
         .requirements = "TSS-056 TSS-066", .role = UET_ROLE_TARGET,
         .needs = "rud write upper-tester tss",
         .purpose = "The SYN of a PDC that has closed opens no other one.",
         .preamble = "A WRITE opens a PDC, which closes; another one writes to the same place and "
                     "closes.",
         .stimulus = "The frame of the first WRITE again, byte for byte.",
         .expected = "NACK UET_NEW_START_PSN or silence; the memory stays as the second WRITE left "
                     "it.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    const uint32_t frame = recorded_life(tc, uet_pdc_new(tc), &m);
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);

    record(tc, &newer);
    close_now(tc, p);
    uet_forget_settled(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_NEW_START_PSN));
    replayed(tc, "TSS-056", frame, &newer, &m);
    silence(tc, "TSS-056", ACK_ON(NULL), .within = UET_US);
}

UET_TEST(replay_after_loss, .id = "tss.3.5.8.replay-after-lost-peer",
         .requirements = "TSS-056 TSS-066", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester tss", .not_over = "all", .params = "Close_REQ_Time",
         .purpose = "The SYN of a PDC that did not close, but ended as its peer was gone, opens no "
                    "other one.",
         .preamble = "A Request opens a PDC; the FEP is asked to close it.",
         .stimulus = "Its Close Request is answered with NACK UET_INV_DPDCID; the frame of the "
                     "Request again, byte for byte.",
         .expected = "NACK UET_NEW_START_PSN or silence.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p);
    const uint32_t frame = record(tc, &syn);

    close_req_long(tc);
    p->auto_ack = p->auto_close = false;
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    const struct uet_in *in = hear(tc, "TSS-056", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    struct uet_out nack = uet_nack(p, psn_of(in), UET_NACK_INV_DPDCID);
    say(tc, &nack);
    uet_wait(tc, uet_tc_quiet(tc));
    uet_forget_settled(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_NEW_START_PSN));
    replay(tc, frame);
    silence(tc, "TSS-056", ACK_ON(NULL));
}

UET_TEST(replay_over_reopen, .id = "tss.3.5.8.replay-over-reopen", .requirements = "TSS-056",
         .not_over = "psn", /* far apart */
         .role = UET_ROLE_TARGET, .needs = "rud write upper-tester tss",
         .purpose = "A packet of an earlier PDC is not executed in one with the same PDCID.",
         .preamble = "A WRITE opens a PDC, which closes; a PDC with the same PDCID writes to the "
                     "same place.",
         .stimulus = "The frame of the first WRITE again, byte for byte; a Request.",
         .expected = "The memory stays as the second WRITE left it; the PDC serves on.")
{
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *old = uet_pdc_new(tc);
    const uint32_t frame = recorded_life(tc, old, &m);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->pdcid = old->pdcid;
    struct uet_out newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);

    record(tc, &newer);
    uet_forget_settled(tc);
    tolerate(tc, REFUSAL_ON(NULL));
    replayed(tc, "TSS-056", frame, &newer, &m);
    still_serves(tc, "TSS-056", p);
}

UET_TEST(replay_while_pending, .id = "tss.3.5.8.replay-while-pending",
         .requirements = "TSS-061 TSS-056", .role = UET_ROLE_TARGET,
         .needs = "rud write upper-tester tss", .not_over = "psn used after-read aged reopened",
         .purpose = "The SYN of an earlier PDC opens no PENDING one with the same PDCID.",
         .preamble = "In a domain of RANDOM_1RTT_START a WRITE opens a PDC, which closes; a PDC "
                     "with the same PDCID is asked for, and is PENDING.",
         .stimulus = "The frame of that WRITE again, byte for byte; a WRITE to the same place that "
                     "begins where the FEP has said.",
         .expected = "NACK UET_NEW_START_PSN or silence; an ACK, and the data of the second in "
                     "memory.")
{
    in_domain_that_starts(tc, UET_KEY_RANDOM_1RTT);
    struct uet_memory m = uet_need_memory(tc, BYTES);
    struct uet_pdc *old = uet_pdc_new(tc), *p;
    const uint32_t frame = recorded_life(tc, old, &m);
    const struct kept before = keep(tc, &m, 0, BYTES);

    const uint64_t began = uet_tc_now(tc);
    p = uet_pdc_new(tc);
    p->pdcid = old->pdcid;
    struct uet_out newer = uet_write(p, &m, 0, uet_tc_bytes(tc, BYTES), BYTES);
    if (!p->stays_pending)
        uet_skip_for(tc, UET_SKIP_VERB, "New_PDC_Time of this FEP cannot be set");
    uet_forget_settled(tc);
    tolerate(tc, NACK_ON(NULL, UET_NACK_NEW_START_PSN));
    replay(tc, frame);
    silence(tc, "TSS-061", ACK_ON(NULL), .within = uet_tc_quiet(tc) / 4);
    unchanged(tc, "TSS-061", &before);
    if (3 * (uet_tc_now(tc) - began) >= 2 * UET_NEW_PDC_TIME_MOST)
        uet_skip(tc, "the FEP answers too late for a second SYN within New_PDC_Time");
    ask(tc, "TSS-061", &newer);
    memory_holds(tc, "TSS-061", &m, 0, newer.payload, BYTES);
}
