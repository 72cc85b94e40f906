/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.5: keys that are withdrawn and receives that are cancelled, also under a message. */
#include <errno.h>

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define N 64u

static void withdraw(struct uet_tc *tc, const struct uet_memory *m)
{
    uet_did(tc, uet_ut_withdraw(uet_tc_ut(tc), m->handle), "withdraw");
}

/* Not while its data is on its way, where the FEP refuses that: then as soon as it has arrived. */
static void withdraw_under_data(struct uet_tc *tc, const struct uet_memory *m,
                                const struct uet_in *data)
{
    int rc = uet_ut_withdraw(uet_tc_ut(tc), m->handle);

    if (rc == -ETIMEDOUT)
        uet_error(tc, "the upper tester waits in `withdraw` for data that is acknowledged after "
                      "its reply alone: it refuses the verb meanwhile (docs/upper-tester.md)");
    if (rc != -EPROTO) {
        uet_did(tc, rc, "withdraw");
        return;
    }
    uet_note(tc, "SES-063", "the FEP withdraws no region while its data is on its way");
    resume_acks(tc, data);
    uet_wait(tc, uet_tc_latest(tc, UET_MS));
    withdraw(tc, m);
}

static void cancel(struct uet_tc *tc, uint64_t handle)
{
    uet_did(tc, uet_ut_cancel(uet_tc_ut(tc), handle), "cancel");
}

UET_TEST(withdrawn_key, .id = "ses.3.4.1.5.2.withdrawn-key", .requirements = "SES-063",
         .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .purpose = "A key that was withdrawn names no buffer.",
         .preamble = "Two regions; PDC open; a WRITE to each is accepted.",
         .stimulus = "The first one is withdrawn; a WRITE to it, where READ is claimed a READ of "
                     "it; a WRITE to the other.",
         .expected = "RC_BAD_MKEY, and its bytes stay; the other WRITE succeeds.")
{
    struct uet_memory gone = uet_need_memory(tc, N), other = uet_need_memory(tc, N);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = uet_write(p, &gone, 0, uet_tc_bytes(tc, N), N);
    accepted(tc, "SES-019", &first);
    memory_holds(tc, "SES-019", &gone, 0, first.payload, N);
    withdraw(tc, &gone);
    struct kept k = keep(tc, &gone, 0, N);
    struct uet_out late = uet_write(p, &gone, 0, uet_tc_bytes(tc, N), N);
    refused(tc, "SES-063", &late, UET_RC_BAD_MKEY);
    if (uet_tc_dut(tc)->claims[UET_PICS_READ]) {
        struct uet_out read = uet_read(p, &gone, 0, N);
        refused(tc, "SES-063", &read, UET_RC_BAD_MKEY);
    }
    unchanged(tc, "SES-063", &k);
    struct uet_out good = uet_write(p, &other, 0, uet_tc_bytes(tc, N), N);
    accepted(tc, "SES-115", &good);
}

UET_TEST(withdrawn_under_a_message, .id = "ses.3.4.1.5.2.withdrawn-under-a-message",
         .requirements = "SES-063 SES-116", .role = UET_ROLE_TARGET, .needs = "write upper-tester",
         .contested = true,
         .purpose = "A key that is withdrawn under a message names no buffer for the rest of it.",
         .preamble = "A region; PDC open; the first packet of a WRITE of three is accepted.",
         .stimulus = "The region is withdrawn; the other packets.",
         .expected = "RC_BAD_MKEY for both (RC_CANCELLED and RC_PERM_VIOLATION are findings); no "
                     "byte of the region changes any more.")
{
    struct message w = message_begun(tc, .packets = 3, .last = 100);
    memory_holds(tc, "SES-013", &w.m, 0, w.bytes, w.mtu);
    withdraw(tc, &w.m);
    struct kept k = keep(tc, &w.m, w.mtu, 1024);
    for (int i = 1; i < 3; i++)
        refused_or(tc, "SES-116", &w.o[i], UET_RC_BAD_MKEY, UET_RC_CANCELLED,
                   UET_RC_PERM_VIOLATION);
    unchanged(tc, "SES-063", &k);
}

UET_TEST(withdrawn_under_a_read, .id = "ses.3.4.1.5.2.withdrawn-under-a-read",
         .requirements = "SES-063", .role = UET_ROLE_TARGET, .needs = "rud read write upper-tester",
         .contested = true,
         .purpose = "A key that is withdrawn while its data is on its way names no buffer.",
         .preamble = "A region; PDC open; a READ of it whose data is not acknowledged.",
         .stimulus = "The region is withdrawn; a WRITE to it; then the data is acknowledged.",
         .expected = "RC_BAD_MKEY (RC_CANCELLED and RC_PERM_VIOLATION are findings). A FEP that "
                     "refuses to withdraw it so early is asked again behind the ACK.")
{
    uint32_t n = more_than_ack_data(tc);
    struct uet_memory m = need_source(tc, n).m;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out read = uet_read(p, &m, 0, n);
    uet_auto_ack(tc, false);
    say(tc, &read);
    const struct uet_in *data = hear_return_data(tc, "SES-075", &read);
    withdraw_under_data(tc, &m, data);
    struct uet_out o = uet_write(p, &m, 0, "withdrawn", 9);
    refused_or(tc, "SES-063", &o, UET_RC_BAD_MKEY, UET_RC_CANCELLED, UET_RC_PERM_VIOLATION);
    resume_acks(tc, data);
}

UET_TEST(cancelled_receive, .id = "ses.3.4.1.3.8.cancelled-receive",
         .requirements = "SES-090 SES-096", .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "A receive that was cancelled is not there.",
         .preamble = "Two receives; PDC open.",
         .stimulus = "The first one is cancelled; a SEND; the next one is posted and cancelled; a "
                     "SEND.",
         .expected = "The first SEND fills the second receive; the other one fills none, and "
                     "changes no byte of either.")
{
    struct uet_memory m = uet_need_receive(tc, TAGGED_BYTES, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_memory first = {.handle = m.handle};
    struct kept k = keep(tc, &first, 0, TAGGED_BYTES);
    cancel(tc, m.handle);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    matched(tc, "SES-090", &o, m.last_handle);
    unchanged(tc, "SES-090", &k);
    uint64_t third = untagged_receive(tc, &m);
    cancel(tc, third);
    const struct uet_memory none = {.handle = third};
    struct kept empty = keep(tc, &none, 0, TAGGED_BYTES);
    o = uet_send_message(p, &m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    whatever_comes_of(tc, &o);
    must_not_succeed(tc, "SES-096", third);
    unchanged(tc, "SES-096", &empty);
}

UET_TEST(cancelled_later, .id = "ses.3.4.1.3.8.cancelled-later-receive", .requirements = "SES-090",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "To cancel a receive leaves those before it where they are.",
         .preamble = "Two receives; PDC open.", .stimulus = "The second one is cancelled; a SEND.",
         .expected = "It fills the first.")
{
    struct uet_memory m = uet_need_receive(tc, TAGGED_BYTES, 2);
    struct uet_pdc *p = uet_pdc_open(tc);
    cancel(tc, m.last_handle);
    struct uet_out o = uet_send_message(p, &m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    matched(tc, "SES-090", &o, m.handle);
}

UET_TEST(cancelled_later_tag, .id = "ses.3.4.1.3.8.cancelled-later-tag", .requirements = "SES-091",
         .role = UET_ROLE_TARGET, .needs = "tagged upper-tester",
         .purpose =
             "To cancel one of several receives of one tag leaves those before it where they are.",
         .preamble = "Two receives for one tag; PDC open.",
         .stimulus = "The second one is cancelled; a tagged send.",
         .expected = "It fills the first.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t mine = tag_receive(tc, &m, .match_bits = 7),
             gone = tag_receive(tc, &m, .match_bits = 7);
    cancel(tc, gone);
    struct uet_out o = tagged_send(p, &m, 7);
    matched(tc, "SES-091", &o, mine);
}

UET_TEST(cancelled_tag, .id = "ses.3.4.1.3.8.cancelled-tag", .requirements = "SES-091",
         .role = UET_ROLE_TARGET, .needs = "tagged upper-tester",
         .purpose = "Of receives with one tag one that was cancelled is not there.",
         .preamble = "Two receives for one tag, one for another; PDC open.",
         .stimulus = "The first one is cancelled; a tagged send with each tag.",
         .expected = "They fill the second and the third.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t gone = tag_receive(tc, &m, .match_bits = 7),
             mine = tag_receive(tc, &m, .match_bits = 7);
    uint64_t other = tag_receive(tc, &m, .match_bits = 8);
    cancel(tc, gone);
    struct uet_out o = tagged_send(p, &m, 7), last = tagged_send(p, &m, 8);
    matched(tc, "SES-091", &o, mine);
    matched(tc, "SES-091", &last, other);
}

UET_TEST(cancelled_under_a_message, .id = "ses.3.4.5.cancelled-under-a-message",
         .requirements = "SES-116", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send upper-tester", .contested = true,
         .purpose = "A receive that is cancelled under its message gets no more of it.",
         .preamble = "A receive; PDC open; the first packet of a SEND of three is accepted.",
         .stimulus = "The receive is cancelled; the other packets; a SEND to another receive.",
         .expected =
             "RC_CANCELLED for both (RC_NO_MATCH, RC_DROPPED and RC_BAD_ADDR are findings); "
             "the receive does not end as a success, no byte of it changes any more; the "
             "last SEND succeeds. A FEP that does not cancel then is skipped.")
{
    struct message s = message_begun(tc, .opcode = UET_OP_SEND, .packets = 3, .last = 100);
    memory_holds(tc, "SES-013", &s.m, 0, s.bytes, s.mtu);
    cancel(tc, s.m.handle);
    struct kept k = keep(tc, &s.m, s.mtu, 1024);
    for (int i = 1; i < 3; i++)
        refused_or(tc, "SES-116", &s.o[i], UET_RC_CANCELLED, UET_RC_NO_MATCH, UET_RC_DROPPED,
                   UET_RC_BAD_ADDR);
    must_not_succeed(tc, "SES-116", s.m.handle);
    unchanged(tc, "SES-116", &k);
    uint64_t next = untagged_receive(tc, &s.m);
    struct uet_out o = uet_send_message(s.p, &s.m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    matched(tc, "SES-115", &o, next);
}

UET_TEST(cancelled_on_each_pdc, .id = "ses.3.4.5.cancelled-on-each-pdc", .requirements = "SES-116",
         .role = UET_ROLE_TARGET, .needs = "send multi-packet-send upper-tester", .contested = true,
         .purpose = "What can be cancelled under a message can be so on whatever PDC it comes.",
         .preamble = "Two PDCs, on each the first packet of a SEND of two is accepted.",
         .stimulus = "Both receives are cancelled; the other packets.",
         .expected = "The FEP cancels both, or neither (then the test is skipped): one alone is a "
                     "finding. RC_CANCELLED for both (RC_NO_MATCH, RC_DROPPED and RC_BAD_ADDR are "
                     "findings); no byte of the receives changes any more.")
{
    struct message s[2];
    struct kept k[2];
    bool done[2];
    for (int i = 0; i < 2; i++)
        s[i] = message_begun(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 100);
    for (int i = 0; i < 2; i++) {
        done[i] = uet_ut_cancel(uet_tc_ut(tc), s[i].m.handle) >= 0;
        k[i] = keep(tc, &s[i].m, s[i].mtu, 100);
    }
    if (!done[0] && !done[1])
        uet_skip(tc, "the FEP cancels no receive that a message has");
    if (done[0] != done[1])
        uet_other_reading(tc, "SES-116",
                          "a receive that a message has is cancelled on one PDC, "
                          "and on another it is not");
    for (int i = 0; i < 2; i++) {
        if (!done[i])
            continue;
        refused_or(tc, "SES-116", &s[i].o[1], UET_RC_CANCELLED, UET_RC_NO_MATCH, UET_RC_DROPPED,
                   UET_RC_BAD_ADDR);
        unchanged(tc, "SES-116", &k[i]);
    }
}
