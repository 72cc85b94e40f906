/* SPDX-License-Identifier: BSD-2-Clause */
/* A peer that falls silent, whatever the FEP waits for just then: its operation ends some time. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/mpr.h"
#include "conformance/tests/silent.h"

#define OF_SILENCE                                                                                 \
    .requirements = "ROB-058", .role = UET_ROLE_INITIATOR, .not_over = "all",                      \
    .params = "RTO_Init_Time Max_RTO_Retx_Cnt",                                                    \
    .expected = "The operation ends, in whatever way.",                                            \
    .once = "the FEP may go on to try it for a while"

UET_TEST(silent_behind_window, .id = "rob.3.5.15.silent-behind-a-shut-window", OF_SILENCE,
         .needs = "ack-cc",
         .purpose = "A source whose packets have all arrived, and whom only CACK_PSN holds back, "
                    "does not wait for ever.",
         .preamble = "A PDC that the FEP opened, mpr=1.",
         .stimulus = "The FEP writes 200 packets, each of which is acknowledged by name while "
                     "CACK_PSN stays, until no more come; then silence.")
{
    uint64_t handle;
    gives_up_early(tc);
    const struct uet_in *first = writes_against(tc, 1, 200, &handle);
    acked_by_name(tc, first, 200);
    ends_some_time(tc, first->pdc, handle);
}

/* Of three packets that the FEP writes on a PDC that is open, none is acknowledged. */
static struct uet_pdc *three_packets_of(struct uet_tc *tc, const struct uet_in *in[3],
                                        uint64_t *handle)
{
    struct uet_pdc *pdc = fep_opens(tc);

    gives_up_early(tc);
    fep_writes_unacked(tc, &pdc, in, 3, handle);
    return pdc;
}

UET_TEST(silent_amid, .id = "rob.3.5.15.silent-amid-a-message", OF_SILENCE,
         .purpose = "A message of which a part has arrived does not wait for ever.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes three packets; an ACK of the first; then silence.")
{
    const struct uet_in *in[3];
    uint64_t handle;
    struct uet_pdc *pdc = three_packets_of(tc, in, &handle);
    acknowledge(tc, pdc, in[0]);
    ends_some_time(tc, pdc, handle);
}

UET_TEST(silent_behind_sack, .id = "rob.3.5.15.silent-behind-a-gap", OF_SILENCE, .needs = "ack-cc",
         .purpose = "A packet that has arrived behind a gap does not wait for its ACK for ever.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes three packets; an ACK_CC of the first two tells the third in "
                     "SACK; the first ACK Request; then silence.")
{
    const struct uet_in *in[3];
    struct uet_pdc *pdc = fep_opens(tc);
    uint64_t handle;
    gives_up_early(tc);
    fep_asks(tc, &pdc, in, &handle);
    ends_some_time(tc, pdc, handle);
}

UET_TEST(silent_behind_close, .id = "rob.3.5.8.3.silent-behind-a-close-request", OF_SILENCE,
         .purpose = "A message on a PDC that is to close does not wait for ever.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes three packets; a Close Request; when the FEP has acknowledged "
                     "it, silence.")
{
    const struct uet_in *in[3];
    uint64_t handle;
    struct uet_pdc *pdc = three_packets_of(tc, in, &handle);
    struct uet_out request = uet_cp(pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    ends_some_time(tc, pdc, handle);
}

/* Each of the three is refused so, and then there is silence. */
static void silent_behind_nacks(struct uet_tc *tc, uint8_t code)
{
    const struct uet_in *in[3];
    uint64_t handle;
    struct uet_pdc *pdc = three_packets_of(tc, in, &handle);

    for (int i = 0; i < 3; i++)
        say_nack(tc, in[i], code);
    ends_some_time(tc, pdc, handle);
}

UET_TEST(silent_behind_busy, .id = "rob.3.5.12.7.silent-behind-a-busy-target", OF_SILENCE,
         .purpose = "Packets that a target had no room for are not tried for ever.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes three packets; NACK UET_NO_PKT_BUFFER for each; then silence.")
{
    silent_behind_nacks(tc, UET_NACK_NO_PKT_BUFFER);
}

UET_TEST(silent_behind_messages, .id = "rob.3.5.12.7.silent-behind-no-message-state", OF_SILENCE,
         .purpose = "A message that a target had no state for is not tried for ever.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes three packets; NACK UET_NO_SES_MSG_AVAIL for each; then "
                     "silence.")
{
    silent_behind_nacks(tc, UET_NACK_NO_SES_MSG_AVAIL);
}

UET_TEST(silent_behind_no_pdc, .id = "rob.3.5.12.7.silent-behind-no-pdc", OF_SILENCE,
         .purpose = "A message whose SYN was refused for want of a PDC is not tried for ever.",
         .preamble = "None.",
         .stimulus = "The FEP writes; NACK UET_NO_PDC_AVAIL for its SYN; then silence.")
{
    struct uet_pdc *pdc;
    uint64_t handle;
    gives_up_early(tc);
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, &handle);
    say_nack(tc, in, UET_NACK_NO_PDC_AVAIL);
    ends_some_time(tc, pdc, handle);
}

UET_TEST(silent_behind_no_match, .id = "rob.3.4.6.3.silent-behind-no-match", OF_SILENCE,
         .needs = "send", .purpose = "A send that found no receive is not tried for ever.",
         .preamble = "None.", .stimulus = "The FEP sends; RC_NO_MATCH; then silence.")
{
    struct uet_ut_operation op = uet_op(tc, 16);
    gives_up_early(tc);
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_send(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out none = guaranteed_ack(in, UET_RC_NO_MATCH);
    say(tc, &none);
    ends_some_time(tc, in->pdc, handle);
}

UET_TEST(silent_out_of_order, .id = "rob.3.5.21.silent-behind-a-rod-gap", OF_SILENCE,
         .needs = "rod", .purpose = "ROD packets that came out of order are not sent for ever.",
         .preamble = "None.",
         .stimulus = "The FEP writes three packets by ROD; an ACK of the first, and NACK "
                     "UET_ROD_OOO for the third; then silence.")
{
    struct uet_ut_operation op = uet_op(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    gives_up_early(tc);
    op.mode = UET_UT_MODE_ROD;
    uet_auto_ack(tc, false);
    uint64_t handle = uet_do_write(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    acknowledge(tc, in->pdc, in);
    const struct uet_in *next = uet_next_request(tc, in->pdc);
    if (next)
        say_nack(tc, next, UET_NACK_ROD_OOO);
    ends_some_time(tc, in->pdc, handle);
}

/* No timer that is told bounds this: the longest RTO there can be (3.5.15) and what is told. */
#define LONGEST_RTO (8000 * UET_MS)

UET_TEST(silent_before_data, .id = "rob.3.5.12.1.silent-before-read-data", OF_SILENCE,
         .needs = "read", .port_caps = UET_PORT_VIRTUAL_TIME,
         .purpose = "A read whose data was promised does not wait for it for ever.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; the READ is acknowledged, which promises the data; "
                     "then silence, of minutes in virtual time.")
{
    gives_up_early(tc);
    struct fep_read r = fep_reads(tc, 100);
    uet_auto_ack(tc, false);
    ends_in_time(tc, r.pdc, r.handle, LONGEST_RTO + uet_linger(tc));
}

UET_TEST(silent_read_behind_close, .id = "rob.3.5.8.3.silent-read-behind-a-close-request",
         OF_SILENCE, .needs = "read", .port_caps = UET_PORT_VIRTUAL_TIME,
         .purpose = "A read on a PDC that is to close does not wait for its data for ever.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 bytes; the READ is acknowledged, which promises the data; "
                     "a Close Request; when the FEP has acknowledged it, silence, of minutes in "
                     "virtual time.")
{
    gives_up_early(tc);
    struct fep_read r = fep_reads(tc, 100);
    struct uet_out request = uet_cp(r.pdc, UET_CTL_CLOSE_REQUEST);
    say(tc, &request);
    hear(tc, "PDS-208", ACK_OF(&request));
    uet_auto_ack(tc, false);
    ends_in_time(tc, r.pdc, r.handle, LONGEST_RTO + uet_linger(tc));
}
