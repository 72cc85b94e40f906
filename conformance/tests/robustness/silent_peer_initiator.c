/* SPDX-License-Identifier: BSD-2-Clause */
/* A peer that is silent, and the operations of the FEP to another one. */
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/pds.h"
#include "conformance/tests/pds_target.h"

UET_TEST(silent_peer_fails_alone, .id = "rob.3.5.15.silent-peer-fails-alone",
         .requirements = "ROB-033", .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .not_over = "all", .params = "RTO_Init_Time", .needs = "upper-tester",
         .purpose = "What is given up for one peer is not given up for another.",
         .stimulus = "The FEP writes to the tester's second address, which stays silent, later to "
                     "its first one, which answers when the other operation has failed.",
         .expected = "The second operation completes as a success.",
         .once = "the FEP goes on to ask the peer that stays silent")
{
    uet_need_retries(tc);
    need_pdcs(tc, 2);
    uet_auto_ack(tc, false);
    struct uet_ut_operation silent = uet_op(tc, 16), other = uet_op(tc, 16);
    silent.to = uet_tc_second_address(tc);
    uint64_t lost = uet_do_write(tc, &silent);
    const struct uet_in *in = hear(tc, "ROB-033", REQUEST_ON(NULL));
    in->pdc->auto_close = false;
    hear(tc, "ROB-033", RESEND_OF(in), .within = patience(tc, one_rto(tc)));
    uint64_t handle = uet_do_write(tc, &other);
    in = hear(tc, "ROB-033", REQUEST_ON(NULL));
    uint64_t given_up = uet_linger(tc);
    struct uet_ut_completion c;
    if (!uet_completion(tc, lost, given_up, &c))
        uet_skip(tc, "the FEP gives a silent peer up later than its parameters tell");
    resume_acks(tc, in);
    completes(tc, "ROB-033", handle, UET_UT_OK);
}

static bool goes_to(const struct uet_in *in, const void *address)
{
    const struct uet_ip to = uet_dst_ip(&in->packet);

    return uet_ip_equal(&to, address);
}

#define REFUSALS 6 /* what waits so often waits long */

/* Each Request to that address is refused for its resource index. */
static void refuses_index(struct uet_tc *tc, const struct uet_ip *to)
{
    for (int i = 0; i < REFUSALS; i++) {
        const struct uet_in *in = maybe(tc, .kind = UET_WANT_REQUEST, .also = goes_to, .ctx = to,
                                        .within = 4 * AGAIN_WITHIN);
        if (!in)
            return;
        in->pdc->auto_close = false;
        struct uet_out disabled = guaranteed_ack(in, UET_RC_DISABLED_GEN);
        say(tc, &disabled);
    }
}

UET_TEST(disabled_elsewhere, .id = "rob.3.4.3.6.3.disabled-elsewhere", .requirements = "ROB-033",
         .role = UET_ROLE_INITIATOR, .preamble = "RTO long; many tries, where that can be set.",
         .needs = "rod send", .not_over = "all", /* it takes seconds in real time */
         .purpose = "A message that waits for the resource index of one peer holds up none to "
                    "another peer.",
         .stimulus =
             "The FEP sends over ROD to the tester's second address: RC_DISABLED_GEN, six "
             "times at most; at once it sends to its first one, to the same resource index.",
         .expected = "The second comes and completes, whatever becomes of the first.",
         .once = "the FEP goes on to try the first")
{
    struct uet_ut_operation waits = uet_op(tc, 16), other = waits;
    need_pdcs(tc, 2);
    hold_rto(tc);
    uet_try_param(tc, "SES_Retry_Cnt", 2 * REFUSALS);
    uet_auto_ack(tc, false);
    waits.mode = other.mode = UET_UT_MODE_ROD;
    waits.to = uet_tc_second_address(tc);
    uet_do_send(tc, &waits);
    refuses_index(tc, &waits.to);
    tolerate(tc, .kind = UET_WANT_REQUEST, .also = goes_to, .ctx = &waits.to);
    uint64_t handle = uet_do_send(tc, &other);
    const struct uet_in *in = hear(tc, "ROB-033", .kind = UET_WANT_REQUEST, .also = goes_to,
                                   .ctx = &other.to, .named = "Request to the first address");
    resume_acks(tc, in);
    completes(tc, "ROB-033", handle, UET_UT_OK);
}

/* With a message of no end: the first of its two packets, or, without memory, a whole one. */
static struct uet_out opens(struct uet_pdc *p, const struct uet_memory *m)
{
    uint32_t n = uet_tc_dut(p->tc)->payload_mtu + 64u;
    struct uet_out o[2];

    if (!m)
        return uet_any_request(p);
    uet_message(p, UET_OP_WRITE, m, 0, uet_tc_bytes(p->tc, n), n, o, 2);
    p->next_psn = o[1].psn;
    return o[0];
}

/* The tester's second address opens PDCs until the FEP has none, and falls silent. */
static void takes_all_pdcs(struct uet_tc *tc, const struct uet_memory *m)
{
    const struct uet_ip second = uet_tc_second_address(tc);
    const uint64_t most = uet_tc_param(tc, "max-pdcs");
    const struct uet_in *in;

    if (most > 1024)
        uet_skip(tc, "max-pdcs is %llu: too many for this test", (unsigned long long)most);
    for (uint64_t i = 0; i <= most; i++) {
        struct uet_pdc *p = uet_pdc_new_from(tc, second);
        struct uet_out syn = opens(p, m);
        p->auto_ack = p->auto_clear = p->auto_close = false;
        say(tc, &syn);
        in = maybe(tc, ANSWER_ON(p), .named = "ACK or NACK of a SYN");
        if (!in || uet_is_nack(&in->packet))
            break;
    }
    uet_forget_settled(tc);
}

static void peer_has_all(struct uet_tc *tc, const struct uet_memory *m, uint64_t patience_ns)
{
    takes_all_pdcs(tc, m);
    struct uet_ut_operation op = uet_op(tc, 16);
    uint64_t handle = uet_do_write(tc, &op);
    struct uet_ut_completion c;
    uet_check(tc, "ROB-033", uet_completion(tc, handle, patience_ns, &c),
              "the operation waits for PDCs that a silent peer has");
    uet_check_eq(tc, "ROB-033", "status", c.status, UET_UT_OK);
}

UET_TEST(silent_peer_has_all, .id = "rob.3.5.15.silent-peer-has-all-pdcs",
         .requirements = "ROB-033", .role = UET_ROLE_INITIATOR, .preamble = "None.",
         .needs = "rud any-request", .params = "max-pdcs", .not_over = "all",
         .purpose = "A peer that holds all PDCs and is silent does not hold up another for ever.",
         .stimulus = "The tester's second address opens PDCs until one is refused, and answers "
                     "nothing any more; the FEP writes to the first one, which answers.",
         .expected = "The operation completes, once the FEP has given a PDC up.",
         .once = "the FEP may keep PDCs of the peer that stays silent")
{
    peer_has_all(tc, NULL, 4 * uet_linger(tc));
}

UET_TEST(silent_peer_has_half, .id = "rob.3.5.15.silent-peer-has-all-pdcs-for-half-messages",
         .requirements = "ROB-033", .role = UET_ROLE_INITIATOR, .preamble = "A region.",
         .needs = "rud write", .params = "max-pdcs", .not_over = "all",
         .port_caps = UET_PORT_VIRTUAL_TIME,
         .purpose = "A peer that holds all PDCs for messages that it does not end, and is silent, "
                    "does not hold up another for ever.",
         .stimulus = "The tester's second address opens PDCs until one is refused, each by the "
                     "first of two packets of a WRITE, and answers nothing any more; at once the "
                     "FEP writes to the first one, which answers.",
         .expected = "The operation completes, once the FEP has given a PDC up.",
         .once = "the FEP may keep PDCs of the peer that stays silent")
{
    const struct uet_memory m = uet_need_memory(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    uet_beyond_told(tc);
    peer_has_all(tc, &m, 4 * uet_linger(tc) + STANDS_STILL_NS);
}
