/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.12.1, 3.4.4.2: a READ of the FEP's of more packets than it asks for at once. */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/fep_reads.h"
#include "conformance/tests/pds.h"

enum { PACKETS = 100 };

/*
 * The Requests that come before their data has, at most that many; how many. The FEP owes the
 * first of them, and has its response time for it.
 */
static size_t asked_for(struct uet_tc *tc, const struct uet_in **in, size_t at_most)
{
    size_t n = 1;

    in[0] = uet_expect_any_request(tc, NULL);
    while (n < at_most && (in[n] = uet_next_request(tc, NULL)))
        n++;
    return n;
}

/* Their data, in Requests of the return direction: each second one, and then those between. */
static void serve_in_disorder(struct uet_tc *tc, const struct fep_read *r,
                              const struct uet_in *const *in, size_t n)
{
    for (size_t first = 2; first-- > 0;) {
        for (size_t i = first; i < n; i += 2) {
            struct uet_out data = uet_return_data(in[i]->pdc, in[i], r->bytes);
            say(tc, &data);
        }
    }
}

UET_TEST(long_read_in_disorder, .id = "pds.3.5.12.1.long-read-in-disorder",
         .requirements = "PDS-121 SES-082", .role = UET_ROLE_INITIATOR, .not_over = "all",
         .purpose = "A READ, however long, takes its data in whatever order it comes.",
         .preamble = "None.",
         .stimulus = "The FEP reads 100 payload MTUs. What it asks for at once is acknowledged; "
                     "then its data comes, each second part first; and so with what it asks for "
                     "after that.",
         .expected = "The read completes with its bytes.")
{
    const struct uet_in *in[PACKETS];
    struct uet_ut_operation op = uet_op(tc, PACKETS * uet_tc_dut(tc)->payload_mtu);
    struct fep_read r = {.n = op.length, .bytes = uet_tc_bytes(tc, op.length)};
    r.handle = uet_do_read(tc, &op);
    for (size_t n, begun = 0; begun < PACKETS; begun += n) {
        n = asked_for(tc, in, PACKETS - begun);
        serve_in_disorder(tc, &r, in, n);
    }
    check_read(tc, "PDS-121", &r);
}

/*
 * Other bytes for the packet behind those n that were asked for. True: the FEP takes them for no
 * data of its, as it goes on to wait; where it refuses them, or ends the read, that is all.
 */
static bool waits_for_right_data(struct uet_tc *tc, const struct fep_read *r,
                                 const struct uet_in *first, size_t n)
{
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_ut_completion c = {0};
    struct uet_out wrong = uet_return_data(first->pdc, first, r->bytes);

    uet_ses_rsp_data_message_offset_set(wrong.ses, (uint32_t)n * mtu);
    wrong.payload = uet_tc_bytes(tc, mtu);
    say(tc, &wrong);
    const struct uet_in *refusal = maybe(tc, REFUSAL_OF(&wrong));
    bool ended = uet_completion(tc, r->handle, uet_tc_latest(tc, UET_MS), &c);
    if (ended)
        uet_check(tc, "ROB-022", c.status != UET_UT_OK, "the read is done with what was wrong");
    first->pdc->auto_close = !refusal && !ended;
    return first->pdc->auto_close;
}

UET_TEST(data_not_asked_for, .id = "rob.3.4.4.2.data-not-yet-asked-for", .requirements = "ROB-022",
         .role = UET_ROLE_INITIATOR, .not_over = "all", .preamble = "None.",
         .purpose = "Data for a part of a READ that was not asked for yet is not taken.",
         .stimulus = "The FEP reads 100 payload MTUs. To what it asks for at once come other bytes "
                     "for the part behind that; then all data, as it is asked for.",
         .expected = "The read completes with the right bytes; or it ends as no success.",
         .once = "its READ may stay open")
{
    const struct uet_in *in[PACKETS];
    struct uet_ut_operation op = uet_op(tc, PACKETS * uet_tc_dut(tc)->payload_mtu);
    struct fep_read r = {.n = op.length, .bytes = uet_tc_bytes(tc, op.length)};
    r.handle = uet_do_read(tc, &op);
    size_t n = asked_for(tc, in, PACKETS);
    if (n == PACKETS)
        uet_skip(tc, "the FEP asks for all of it at once, as it may");
    if (!waits_for_right_data(tc, &r, in[0], n))
        return;
    for (size_t begun = 0;; n = asked_for(tc, in, PACKETS - begun)) {
        serve_in_disorder(tc, &r, in, n);
        begun += n;
        if (begun == PACKETS)
            break;
    }
    check_read(tc, "ROB-022", &r);
}

static bool is_elsewhere(const struct uet_in *in, const void *pdc)
{
    return in->pdc != pdc && !in->retransmission;
}

/* The read anew, on another PDC than that: its Requests. False: it ended in error. */
static bool read_anew(struct uet_tc *tc, struct fep_read *r)
{
    const struct uet_pdc *old = r->pdc;

    for (size_t i = 0; i < r->count; i++) {
        r->in[i] =
            maybe(tc, .kind = UET_WANT_REQUEST, .also = is_elsewhere, .ctx = old,
                  .named = "the READ on another PDC", .within = patience(tc, one_rto(tc)) / 2);
        if (!r->in[i] && i > 0)
            uet_skip(tc, "the FEP asks for %zu packets of the READ again, as it may", i);
        if (!r->in[i]) {
            ends_in_error(tc, "PDS-138", r->handle);
            return false;
        }
        r->pdc = r->in[i]->pdc;
    }
    return true;
}

UET_TEST(
    read_begun_anew, .id = "pds.3.5.12.7.read-begun-anew", .requirements = "PDS-138 ROB-020",
    .role = UET_ROLE_INITIATOR, .not_over = "all", /* one PDC, and then another */
    .purpose = "A READ that goes on elsewhere is whole: what came of it before leaves no hole.",
    .preamble = "A PDC that the FEP opened; RTO long.",
    .stimulus = "The FEP reads 4 payload MTUs; the data of the first and third comes; NACK "
                "UET_INV_DPDCID (0x0E) for the fourth Request. Then all data on the other "
                "PDC.",
    .expected = "The read completes with its bytes, or ends in error.")
{
    hold_rto(tc);
    fep_opens(tc);
    uet_auto_ack(tc, false);
    struct fep_read r = fep_reads(tc, 4u * uet_tc_dut(tc)->payload_mtu);
    struct uet_out ack = ack_at(r.in[2], psn_of(r.in[2]), psn_of(r.in[2]));
    say(tc, &ack);
    for (size_t i = 0; i < 4; i += 2) {
        struct uet_out data = part_of(&r, i);
        say(tc, &data);
        hear(tc, "PDS-121", COVERED(&data));
    }
    uet_auto_ack(tc, true);
    r.pdc->auto_ack = r.pdc->auto_close = false;
    say_nack(tc, r.in[3], UET_NACK_INV_DPDCID);
    if (!read_anew(tc, &r))
        return;
    serve(tc, "PDS-121", &r);
    check_read(tc, "ROB-020", &r);
}
