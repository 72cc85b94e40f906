/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.5.1, 3.5.15: what comes to the FEP is delivered once, whatever the network loses and doubles.
 */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/tests/rod.h"

enum {
    MESSAGES = 6,
    ROUNDS = 12, /* of resends */
    LOSSY = 6,   /* of them: in the first a resend may be lost, too, in the rest none is */
    LOSSES = 3,  /* of the FEP's answers to one message, which it may have to retry, too */
};

static bool happens(struct uet_tc *tc, unsigned n)
{
    return uet_tc_random(tc) % n == 0;
}

/* The packets in another order, which RUD allows. */
static void shuffle(struct uet_tc *tc, struct message *m)
{
    for (uint32_t i = m->packets; i > 1; i--) {
        uint32_t k = (uint32_t)(uet_tc_random(tc) % i);
        struct uet_out o = m->o[i - 1];
        m->o[i - 1] = m->o[k];
        m->o[k] = o;
    }
}

/* The first copies: some are lost, some come twice. */
static void send_out(struct uet_tc *tc, const struct message *m)
{
    for (int i = 0; i < m->packets; i++) {
        if (happens(tc, 4))
            continue;
        say(tc, &m->o[i]);
        if (happens(tc, 4))
            say_again(tc, &m->o[i]);
    }
}

/* The longest wait before the tester sends again: a FEP may close a PDC that is idle (PDS-214). */
static uint64_t longest_wait(struct uet_tc *tc)
{
    uint64_t idle, most = uet_tc_dut(tc)->response_time_ns / 8;

    return uet_tc_told(tc, "Idle_Time", &idle) && idle && idle / 2 < most ? idle / 2 : most;
}

/* Again what is not acknowledged, until all is. */
static void repeat(struct uet_tc *tc, const char *requirement, const struct message *m)
{
    const uint64_t longest = longest_wait(tc);

    for (int round = 0; round < ROUNDS; round++) {
        uet_wait(tc, UET_MS << round < longest ? UET_MS << round : longest);
        if (uet_pdc_all_acknowledged(m->p))
            return;
        for (int i = 0; i < m->packets; i++)
            if (!uet_pdc_acknowledged(m->p, m->o[i].psn) && (round >= LOSSY || !happens(tc, 4)))
                say_again(tc, &m->o[i]);
    }
    uet_wait(tc, uet_tc_dut(tc)->response_time_ns); /* for the answers to the last */
    if (uet_pdc_all_acknowledged(m->p))
        return;
    uet_fail(tc, requirement, "packets sent again and again get no ACK");
}

/* A message of 1 to 3 packets through the storm; what it has left behind. */
static struct message carried(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                              uint8_t opcode)
{
    struct message m = uet_message_of(
        tc, (struct message){.p = p,
                             .opcode = opcode,
                             .packets = (uint8_t)(1 + uet_tc_random(tc) % MESSAGE_MOST),
                             .last = 1 + (uint32_t)(uet_tc_random(tc) % 512)});

    if (!p->rod)
        shuffle(tc, &m);
    uet_storm(tc, LOSSES);
    send_out(tc, &m);
    repeat(tc, requirement, &m);
    uet_calm(tc);
    return m;
}

static void writes_through(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    struct message m[MESSAGES];

    for (int i = 0; i < MESSAGES; i++)
        m[i] = carried(tc, requirement, p, UET_OP_WRITE);
    for (int i = 0; i < MESSAGES; i++)
        memory_holds(tc, requirement, &m[i].m, 0, m[i].bytes, m[i].n);
}

static void sends_through(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    for (int i = 0; i < MESSAGES; i++) {
        struct message m = carried(tc, requirement, p, UET_OP_SEND);
        fills(tc, requirement, m.m.handle, m.n);
        memory_holds(tc, requirement, &m.m, 0, m.bytes, m.n);
        say_again(tc, &m.o[0]); /* a late copy */
        not_again(tc, requirement, m.m.handle);
    }
}

#define STORM_TEST(name, test_id, row, mode, through, open, what, ends)                            \
    UET_TEST(name, .id = (test_id), .requirements = (row), .role = UET_ROLE_TARGET,                \
             .needs = (mode), .not_over = "mode",                                                  \
             .purpose = "What the network loses, doubles and reorders is delivered once.",         \
             .preamble = "PDC open.",                                                              \
             .stimulus = "6 " what "s of 1 to 3 packets: some are lost, some come twice or in "    \
                         "another order (RUD), up to 3 answers of the FEP are lost; again what "   \
                         "is not acknowledged.",                                                   \
             .expected = "All is acknowledged. " ends)                                             \
    {                                                                                              \
        close_req_long(tc); /* the tester takes its time */                                        \
        struct uet_pdc *p = open(tc);                                                              \
        tolerate(tc, NACK_ON(p, UET_NACK_ROD_OOO));                                                \
        through(tc, row, p);                                                                       \
    }

STORM_TEST(rud_writes_through, "pds.3.5.7.1.writes-in-a-storm", "PDS-001", "rud write upper-tester",
           writes_through, uet_pdc_open, "WRITE", "The memory holds the bytes of each.")
STORM_TEST(rud_sends_through, "pds.3.5.7.1.sends-in-a-storm", "PDS-001",
           "rud send multi-packet-send upper-tester", sends_through, uet_pdc_open, "SEND",
           "Each receive completes once with its bytes.")
STORM_TEST(rod_writes_through, "pds.3.5.7.2.writes-in-a-storm", "PDS-003", "rod write upper-tester",
           writes_through, rod_open, "WRITE", "The memory holds the bytes of each.")
STORM_TEST(rod_sends_through, "pds.3.5.7.2.sends-in-a-storm", "PDS-003",
           "rod send multi-packet-send upper-tester", sends_through, rod_open, "SEND",
           "Each receive completes once with its bytes.")
