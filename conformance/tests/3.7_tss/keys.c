/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.7: counters, keys and epochs, of which no two packets may share all. */
#include "conformance/harness/security.h"
#include "conformance/harness/steps/acks.h"
#include "conformance/tests/3.7_tss/tss.h"
#include "conformance/tests/pds.h"

enum { SOME = 8 };

/* Above the one before, unless its path is another: those may overtake (TSS-019). */
static void rises(struct uet_tc *tc, const struct uet_in *in, const struct uet_in *before)
{
    const uint64_t now = counter_of(tc, "TSS-019", in), then = counter_of(tc, "TSS-019", before);

    uet_look_at(tc, in);
    uet_check(tc, "TSS-018", now != then, "two packets have the counter %llu",
              (unsigned long long)now);
    if (in->packet.entropy == before->packet.entropy)
        uet_check(tc, "TSS-019", now > then, "counter %llu came after %llu",
                  (unsigned long long)now, (unsigned long long)then);
}

/* Under the same key: a server may have one for each client (3.7.8). */
static bool same_counter(struct uet_tc *tc, const struct uet_in *a, const struct uet_in *b)
{
    const struct uet_tss_header x = header_of(tc, "TSS-019", a), y = header_of(tc, "TSS-019", b);

    return x.counter == y.counter && x.epoch == y.epoch && x.an == y.an && x.ssi == y.ssi;
}

/* What answers the other peer before it has got as far as the ACKs of this one; so many at most. */
enum { CATCH_UP = 1000 };

static const struct uet_in *next_ack(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out o = uet_any_request(p);

    return ask(tc, "TSS-019", &o);
}

static void differs_from(struct uet_tc *tc, const struct uet_in *in,
                         const struct uet_in *const *acks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        uet_check(tc, "TSS-019", !same_counter(tc, in, acks[i]),
                  "ACKs to two peers have the same counter under one key");
}

static bool is_behind(struct uet_tc *tc, const struct uet_in *a, const struct uet_in *b)
{
    const struct uet_tss_header x = header_of(tc, "TSS-019", a), y = header_of(tc, "TSS-019", b);

    return x.counter < y.counter && x.epoch == y.epoch && x.an == y.an && x.ssi == y.ssi;
}

UET_TEST(counter_rises, .id = "tss.3.7.counter-rises", .requirements = "TSS-019 TSS-018",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "Each packet that a FEP seals has a higher counter than the one before.",
         .preamble = "PDC open.", .stimulus = "Eight Requests, one after the other.",
         .expected = "Their ACKs have counters that rise.")
{
    const struct uet_in *before;
    struct uet_pdc *p = open_with_ack(tc, &before);

    for (int i = 0; i < SOME; i++) {
        struct uet_out o = uet_any_request(p);
        const struct uet_in *ack = ask(tc, "TSS-019", &o);
        rises(tc, ack, before);
        before = ack;
    }
}

UET_TEST(
    counter_of_all_peers, .id = "tss.3.7.counter-of-all-peers", .requirements = "TSS-019 TSS-018",
    .role = UET_ROLE_TARGET, IN_EACH_KIND_OF_DOMAIN, .needs = "rud any-request tss",
    .port_caps = UET_PORT_SOURCE, .purpose = "A key has one counter, whoever its packets go to.",
    .preamble = "The tester has two addresses; a PDC from each.",
    .stimulus = "Eight Requests from one address, then some from the other: one, or as many as "
                "it takes until their ACKs have caught up; and the other way round.",
    .expected = "No ACK to the one has the counter of an ACK to the other.")
{
    if (key_of_each_client(tc))
        uet_skip(tc, "a server has another key for each client, and may count by key");
    struct uet_pdc *p[] = {uet_pdc_new(tc), uet_pdc_new_from(tc, uet_tc_second_address(tc))};

    for (int i = 0; i < 2; i++) {
        const struct uet_in *ack[SOME], *other;
        unsigned n = 0;
        for (; n < SOME; n++)
            ack[n] = next_ack(tc, p[i]);
        do
            differs_from(tc, other = next_ack(tc, p[!i]), ack, SOME);
        while (is_behind(tc, other, ack[SOME - 1]) && ++n < CATCH_UP);
    }
}

UET_TEST(repeated_ack, .id = "tss.3.7.repeated-ack-sealed-anew", .requirements = "TSS-021 TSS-018",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "An ACK that is repeated is sealed anew.", .preamble = "PDC open.",
         .stimulus = "A Request; the same with retx=1, sealed anew.",
         .expected = "Two ACKs; the second has another counter, in the same epoch.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = uet_any_request(p);
    const struct uet_in *first = ask(tc, "TSS-021", &o), *again = ask_anew(tc, "TSS-021", &o);

    uet_check(tc, "TSS-021", counter_of(tc, "TSS-021", first) != counter_of(tc, "TSS-021", again),
              "the repeated ACK has the counter of the first");
}

UET_TEST(resend_sealed_anew, .id = "tss.3.7.resend-sealed-anew", .requirements = "TSS-020 TSS-018",
         .role = UET_ROLE_INITIATOR, .needs = "rud write tss", .params = "RTO_Init_Time",
         .purpose = "A retransmission is sealed anew.", .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent.",
         .expected = "The same PSN with retx=1 and another counter.")
{
    struct uet_pdc *pdc = fep_opens(tc);

    uet_auto_ack(tc, false);
    const struct uet_in *first = fep_writes_on(tc, &pdc, 16, NULL);
    const struct uet_in *copy =
        hear(tc, "TSS-020", RESEND_OF(first), .within = patience(tc, one_rto(tc)));
    uet_check(tc, "TSS-020", counter_of(tc, "TSS-020", first) != counter_of(tc, "TSS-020", copy),
              "the retransmission has the counter of the first");
    resume_acks(tc, copy);
}

/* None of the copies before it has this counter. */
static void has_own_counter(struct uet_tc *tc, const struct uet_in *const *copies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        uet_check(tc, "TSS-020",
                  counter_of(tc, "TSS-020", copies[i]) != counter_of(tc, "TSS-020", copies[n]),
                  "copy %zu of that PSN has the counter of copy %zu", n, i);
}

UET_TEST(each_resend_sealed_anew, .id = "tss.3.7.each-resend-sealed-anew",
         .requirements = "TSS-020 TSS-018", .role = UET_ROLE_INITIATOR, .needs = "rud write tss",
         .params = "RTO_Init_Time",
         .purpose = "Every retransmission is sealed anew, whatever calls for it.",
         .preamble = "A PDC that the FEP opened.",
         .stimulus = "The FEP writes 16 bytes; the tester stays silent until two copies have come, "
                     "then NACKs the packet with UET_NO_PKT_BUFFER.",
         .expected = "Each copy has a counter of its own. A FEP that sends no more than a copy is "
                     "not asked for the others.")
{
    const struct uet_in *copies[4];
    struct uet_pdc *pdc = fep_opens(tc);
    size_t n = 0;

    uet_auto_ack(tc, false);
    copies[0] = fep_writes_on(tc, &pdc, 16, NULL);
    while (n < 3) {
        const uint64_t due = patience(tc, one_rto(tc) << n); /* a NACK makes it no later */
        if (n == 2)
            say_nack(tc, copies[n], UET_NACK_NO_PKT_BUFFER);
        const struct uet_in *copy = n ? maybe(tc, RESEND_OF(copies[0]), .within = due)
                                      : hear(tc, "TSS-020", RESEND_OF(copies[0]), .within = due);
        if (!copy)
            break;
        copies[++n] = copy;
        has_own_counter(tc, copies, n);
    }
    resume_acks(tc, copies[n]);
}

UET_TEST(cp_resent_sealed_anew, .id = "tss.3.7.cp-resent-sealed-anew",
         .requirements = "TSS-020 TSS-018", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester tss",
         .params = "RTO_Init_Time Close_REQ_Time Max_RTO_Retx_Cnt",
         .purpose = "A Control Packet that is resent is sealed anew, too.",
         .preamble = "PDC open; the FEP, as target, was asked to close.",
         .stimulus = "Its Close Request is not acknowledged for one RTO_Init_Time.",
         .expected = "The Close Request again with retx=1 and another counter.")
{
    close_req_long(tc);
    const uint64_t rto = uet_tc_latest(tc, uet_tc_param(tc, "RTO_Init_Time"));
    tolerate(tc, NACK_ON(NULL, UET_NACK_CLOSING_IN_ERR));
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_in *copies[2];
    p->auto_ack = false;
    uet_did(tc, uet_ut_close_request(uet_tc_ut(tc), &p->self), "close_request");
    copies[0] = hear(tc, "TSS-020", CP_ON(p, UET_CTL_CLOSE_REQUEST));
    copies[1] = maybe(tc, CP_AGAIN(copies[0]), .within = rto + uet_tc_quiet(tc));
    if (!copies[1]) /* that it comes is PDS-197 */
        uet_skip(tc, "the Close Request does not come again within one RTO_Init_Time");
    has_own_counter(tc, copies, 1);
    struct uet_out ack = uet_ack(p, copies[1]);
    say(tc, &ack);
    p->auto_ack = true;
}

UET_TEST(interleaved_ans, .id = "tss.3.7.interleaved-ans", .requirements = "TSS-033",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The AN bit of each packet says which key opens it.", .preamble = "PDC open.",
         .stimulus = "Eight Requests, sealed in turn with the key of the one AN and of the other.",
         .expected = "All are acknowledged.")
{
    struct uet_pdc *p = uet_pdc_open(tc);

    for (int i = 0; i < SOME; i++) {
        seal_with_other_an(tc);
        struct uet_out o = uet_any_request(p);
        ask(tc, "TSS-033", &o);
    }
}

UET_TEST(
    other_slots_key, .id = "tss.3.7.key-of-the-other-an", .requirements = "TSS-033 TSS-042",
    .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
    .purpose = "A packet that names one AN and was sealed with the key of the other is dropped.",
    .stimulus = "Such a Request with syn=1; then the same, right.",
    .expected = "Nothing at all; then an ACK, as of the first packet of that PDC.")
{
    struct uet_pdc *p = uet_pdc_new(tc);
    struct uet_out syn = uet_any_request(p), other = syn;

    other.tss.other_key = true;
    other.meant = "sealed with the key of the other AN";
    say(tc, &other);
    came_to_nothing(tc, "TSS-042", &syn);
}

/* Beside those of its two addresses, the tester's third SSI. */
#define THIRD_SENDER 2

UET_TEST(two_senders, .id = "tss.3.7.8.4.two-ssis-at-one-address",
         .requirements = "TSS-027 TSS-016", .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .not_over = "used after-read aged reopened",
         .purpose =
             "With SSIs, key and IV belong to the SSI of each packet, and not to the address "
             "that it comes from.",
         .preamble = "Two PDCs of one address, each with an SSI of its own.",
         .stimulus = "Four Requests on each, in turn.", .expected = "All are acknowledged.")
{
    struct uet_pdc *p[2];

    need_pdcs(tc, 2);
    in_domain_of_senders(tc);
    for (int i = 0; i < 2; i++)
        p[i] = uet_pdc_new(tc);
    p[1]->sender = THIRD_SENDER;
    for (int i = 0; i < SOME; i++) {
        struct uet_out o = uet_any_request(p[i % 2]);
        ask(tc, "TSS-027", &o);
    }
}

UET_TEST(rekey_edges, .id = "tss.3.7.rekey-edges", .requirements = "TSS-032",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "With automatic rekey the counter of each packet says which key opens it.",
         .preamble = "PDC open; the key file has a rekey_mask.",
         .stimulus = "Four Requests whose counters lie on both sides of an edge, where the rekey "
                     "value changes: the first above it, the last below it, the second above it, "
                     "the last but one below it.",
         .expected = "All are acknowledged.")
{
    in_domain_that_rekeys(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint64_t edge = rekey_edge(tc, 2), counters[] = {edge, edge - 1, edge + 1, edge - 2};

    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        struct uet_out o = uet_any_request(p);

        o.tss.other_counter = true;
        o.tss.counter = counters[i];
        ask(tc, "TSS-032", &o);
    }
}

/* One Request, sealed so many epochs later than the domain has now. */
static struct uet_out epochs_later(struct uet_pdc *p, int epochs)
{
    struct uet_out o = uet_any_request(p);

    o.tss.other_epoch = true;
    o.tss.epoch = (uint16_t)(o.tss.domain->told->epoch + epochs);
    o.meant = epochs < 0 ? "of an earlier epoch" : "of a later epoch";
    return o;
}

UET_TEST(late_epoch, .id = "tss.3.7.late-epoch", .requirements = "TSS-037", .role = UET_ROLE_TARGET,
         .needs = "rud any-request tss",
         .purpose = "Packets of an epoch that is too old are dropped, others are not.",
         .preamble = "PDC open; the key file tells the epoch, and how many epochs a packet may be "
                     "late.",
         .stimulus = "Three Requests: as late as may be; one epoch later than that, sent again "
                     "right; of the next epoch.",
         .expected = "An ACK; nothing, then an ACK; an ACK. Epochs are compared modulo 2^16.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    const int most = p->domain->told->max_epoch_age;
    struct uet_out just = epochs_later(p, -most);

    ask(tc, "TSS-037", &just);
    struct uet_out late = epochs_later(p, -most - 1), right = late;
    right.tss.other_epoch = false;
    say(tc, &late);
    silence(tc, "TSS-037", A_WORD_ON(p));
    ask(tc, "TSS-037", &right);
    struct uet_out next = epochs_later(p, 1);
    ask(tc, "TSS-037", &next);
}

#define NO_PALINDROME 0x1dc0

UET_TEST(far_epoch, .id = "tss.3.7.8.4.epoch-far-ahead", .requirements = "TSS-025 TSS-037",
         .role = UET_ROLE_TARGET, .needs = "rud any-request tss",
         .purpose = "The epoch goes into key and IV in network byte order, and may be far ahead.",
         .preamble = "PDC open.",
         .stimulus = "A Request whose epoch is 0x1DC0 ahead of what the key file tells.",
         .expected = "An ACK.")
{
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = epochs_later(p, NO_PALINDROME);

    ask(tc, "TSS-025", &o);
}
