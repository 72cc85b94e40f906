/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 3.7.8: server mode with SSIs. What the server sends has the SSI of the client that it goes to: of
 * the tester's two addresses each is a client with its own.
 */
#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/trims.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

enum { ROUNDS = 3 };

/* The FEP has heard that client; the SSI that the client has is what its answer must have. */
struct client {
    struct uet_pdc *pdc;
    uint32_t ssi;
};

static uint32_t ssi_of(struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_tss_header h = header_of(tc, "TSS-029", in);

    uet_check(tc, "TSS-029", h.sp, "the packet has no SSI");
    return h.ssi;
}

static void speaks(struct uet_tc *tc, struct client *c)
{
    struct uet_out o = uet_any_request(c->pdc);

    c->ssi = ssi_of(tc, ask(tc, "TSS-029", &o));
}

/* Two clients; the second has spoken last. */
static void two_clients(struct uet_tc *tc, struct client c[2])
{
    need_pdcs(tc, 2);
    in_domain_of_clients(tc);
    c[0].pdc = uet_pdc_new(tc);
    c[1].pdc = uet_pdc_new_from(tc, uet_tc_second_address(tc));
    for (int i = 0; i < 2; i++)
        speaks(tc, &c[i]);
    uet_check(tc, "TSS-029", c[0].ssi != c[1].ssi, "both clients were answered with one SSI");
}

UET_TEST(answers, .id = "tss.3.7.8.clients-ssi-in-answers", .requirements = "TSS-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A server answers each client with the client's SSI.",
         .preamble = "PDCs of two clients, each of its own address and SSI.",
         .stimulus = "Requests of the one and of the other in turn.",
         .expected = "ACKs with the SSI of the client that they go to.")
{
    struct client c[2];

    two_clients(tc, c);
    for (int i = 0; i < 2 * ROUNDS; i++)
        speaks(tc, &c[i % 2]);
}

UET_TEST(own_requests, .id = "tss.3.7.8.clients-ssi-in-own-requests", .requirements = "TSS-029",
         .role = UET_ROLE_INITIATOR, .needs = "rud write any-request upper-tester tss",
         .params = "RTO_Init_Time", .not_over = "used after-read aged reopened",
         .purpose = "What a server begins itself has the SSI of the client that it goes to.",
         .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken.",
         .stimulus = "The FEP writes 16 bytes to the client that did not speak last; the first "
                     "Request gets no ACK.",
         .expected = "The Request, and its retransmission, have that client's SSI.")
{
    struct client c[2];
    struct uet_pdc *pdc;

    two_clients(tc, c);
    const struct uet_in *first = fep_writes_unanswered(tc, &pdc, NULL);
    uet_check_eq(tc, "TSS-029", "the SSI of a Request", ssi_of(tc, first), c[0].ssi);
    const struct uet_in *copy =
        hear(tc, "TSS-029", RESEND_OF(first), .within = patience(tc, one_rto(tc)));
    uet_check_eq(tc, "TSS-029", "the SSI of a retransmission", ssi_of(tc, copy), c[0].ssi);
    resume_acks(tc, copy);
}

UET_TEST(
    own_to_each, .id = "tss.3.7.8.ssi-of-each-client", .requirements = "TSS-029",
    .role = UET_ROLE_INITIATOR, .needs = "rud write any-request upper-tester tss",
    .not_over = "used after-read aged reopened",
    .purpose = "What a server begins itself has the SSI of its destination, whoever was the "
               "first or the last to speak.",
    .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken.",
    .stimulus = "The FEP writes 16 bytes to the second, then to the first, then to the second.",
    .expected = "Requests with the SSI of the client that they go to; successes.")
{
    struct client c[2];
    struct uet_ut_operation op[2];

    two_clients(tc, c);
    op[0] = op[1] = uet_op(tc, 16);
    op[1].to = uet_tc_second_address(tc);
    for (int i = 0; i < ROUNDS; i++) {
        const int to = (i + 1) % 2;
        const uint64_t handle = uet_do_write(tc, &op[to]);
        const struct uet_in *in = hear(tc, "TSS-029", REQUEST_ON(NULL));

        uet_check_eq(tc, "TSS-029", "the SSI of a Request", ssi_of(tc, in), c[to].ssi);
        completes(tc, "TSS-029", handle, UET_UT_OK);
    }
}

/* The FEP writes to that client. */
static void is_still_known(struct uet_tc *tc, const struct client *c)
{
    struct uet_pdc *pdc;
    const struct uet_in *in = fep_writes_unanswered(tc, &pdc, NULL);

    uet_check_eq(tc, "TSS-029", "the SSI of a Request", ssi_of(tc, in), c->ssi);
    resume_acks(tc, in);
}

/* A Request of the client's, under another SSI. */
static struct uet_out as_another(struct client *c)
{
    struct uet_out o = uet_any_request(c->pdc);

    o.tss.other_ssi = true;
    o.tss.ssi = c->ssi ^ 0x5a5a0000u;
    o.meant = "under an SSI that its sender does not have";
    return o;
}

UET_TEST(forged_client, .id = "tss.3.7.8.forged-client-not-heard",
         .requirements = "TSS-029 TSS-042", .role = UET_ROLE_INITIATOR,
         .needs = "rud write any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "Who is at an address a server learns from what is authentic alone.",
         .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken.",
         .stimulus = "A Request from the address of the first, with another SSI and a wrong ICV; "
                     "the FEP writes 16 bytes to the first.",
         .expected = "A Request with the SSI of the first.")
{
    struct client c[2];

    two_clients(tc, c);
    struct uet_out o = as_another(&c[0]), forged = flipped(&o, (int16_t)icv_at(&o), 1);
    say(tc, &forged);
    silence(tc, "TSS-042", A_WORD_ON(c[0].pdc));
    is_still_known(tc, &c[0]);
}

UET_TEST(
    trimmed_client, .id = "tss.3.7.8.trimmed-client-not-heard", .requirements = "TSS-072 TSS-029",
    .role = UET_ROLE_INITIATOR, .needs = "trimming rud write any-request upper-tester tss",
    .params = "dscp-trimmed", .not_over = "used after-read aged reopened",
    .purpose = "A trimmed packet, for which nobody vouches, does not say who is at an address.",
    .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken.",
    .stimulus = "A trimmed Request from the address of the first, with another SSI; the FEP "
                "writes 16 bytes to the first.",
    .expected = "At most a NACK; a Request with the SSI of the first.")
{
    struct client c[2];

    two_clients(tc, c);
    struct uet_out o = as_another(&c[0]), cut = trimmed(tc, &o, "dscp-trimmed");
    tolerate(tc, NACK_ON(c[0].pdc, UET_NACK_TRIMMED));
    say(tc, &cut);
    uet_wait(tc, uet_tc_quiet(tc));
    is_still_known(tc, &c[0]);
}

enum { MANY = 100 };

UET_TEST(not_forgotten, .id = "tss.3.7.8.client-not-forgotten", .requirements = "TSS-029",
         .role = UET_ROLE_INITIATOR, .needs = "rud write any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "However often one client speaks, the server knows the SSI of another.",
         .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken. The "
                     "FEP writes 16 bytes to the first.",
         .stimulus = "100 Requests of the second; then the FEP writes 16 bytes to the first.",
         .expected = "ACKs with the SSI of the second; a Request with that of the first.")
{
    struct client c[2];
    struct uet_pdc *pdc;
    uint64_t handle;

    two_clients(tc, c);
    const uint32_t second = c[1].ssi;
    fep_writes_on(tc, &pdc, 16, &handle);
    completes(tc, "TSS-029", handle, UET_UT_OK);
    uet_talk_long(tc);
    for (int i = 0; i < MANY; i++) {
        speaks(tc, &c[1]);
        uet_check_eq(tc, "TSS-029", "the SSI of an ACK", c[1].ssi, second);
    }
    const struct uet_ut_operation op = uet_op(tc, 16);
    const bool taken = uet_ut_write(uet_tc_ut(tc), &op, &handle) >= 0;
    uet_check(tc, "TSS-029", taken, "the FEP does not write any more to whom it wrote before");
    const struct uet_in *in = hear(tc, "TSS-029", REQUEST_ON(NULL));
    uet_check_eq(tc, "TSS-029", "the SSI of a Request", ssi_of(tc, in), c[0].ssi);
    completes(tc, "TSS-029", handle, UET_UT_OK);
}

UET_TEST(close_request, .id = "tss.3.7.8.clients-ssi-in-close-request", .requirements = "TSS-029",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester tss",
         .not_over = "used after-read aged reopened",
         .purpose = "A Close Request of a server has the SSI of the client that it goes to.",
         .preamble = "PDCs of two clients, each of its own address and SSI; both have spoken.",
         .stimulus = "The FEP asks for the close of the PDC of the client that did not speak last.",
         .expected = "A Close Request with that client's SSI.")
{
    struct client c[2];

    two_clients(tc, c);
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &c[0].pdc->self), "close_request");
    const struct uet_in *in = hear(tc, "TSS-029", CP_ON(c[0].pdc, UET_CTL_CLOSE_REQUEST));
    uet_check_eq(tc, "TSS-029", "the SSI of a Close Request", ssi_of(tc, in), c[0].ssi);
}
