/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.7: what holds of the packets of a WRITE on RUD holds of every kind of message. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/tests/rudi.h"

#define TAG 0x4700000000000074u

/* What differs from a WRITE on RUD. */
struct kind {
    uint8_t opcode; /* UET_OP_WRITE, _SEND, _TAGGED_SEND, _DEFERRABLE_SEND */
    bool rod, rudi;
};

/* A receive for it, as a WRITE has its region. */
static struct uet_memory receive_of(struct uet_tc *tc, uint8_t opcode, uint32_t length)
{
    if (opcode != UET_OP_TAGGED_SEND)
        return uet_need_receive(tc, length, 1);
    struct uet_memory m = uet_need_tagged(tc);
    m.handle = tag_receive(tc, &m, .match_bits = TAG, .length = length);
    m.length = length;
    return m;
}

static void make(struct uet_out *o, uint8_t opcode)
{
    uet_ses_req_opcode_set(o->ses, opcode);
    if (opcode == UET_OP_TAGGED_SEND)
        uet_ses_req_match_bits_or_memory_key_set(o->ses, TAG);
    if (opcode == UET_OP_DEFERRABLE_SEND)
        uet_ses_req_defer_irt_set(o->ses, 0x1000);
}

/* Two packets of that kind, and room behind them; p: NULL, or where one went before. */
static struct message two_packets(struct uet_tc *tc, const struct kind *k, struct uet_pdc *p,
                                  uint32_t last, uint32_t room)
{
    const uint32_t length = uet_tc_dut(tc)->payload_mtu + last + room;
    struct message s = {.packets = 2, .last = last, .room = room, .opcode = UET_OP_WRITE, .p = p};

    if (k->opcode != UET_OP_WRITE) {
        s.opcode = UET_OP_SEND;
        s.m = receive_of(tc, k->opcode, length);
    } else if (k->rudi) {
        s.m = uet_need_idempotent(tc, length);
    }
    if (k->rod && !p) {
        s.p = uet_pdc_new(tc);
        s.p->rod = true;
    }
    if (k->rudi) { /* it has no PDC */
        s.mtu = uet_tc_dut(tc)->payload_mtu;
        s.n = s.mtu + last;
        s.bytes = uet_tc_bytes(tc, s.n);
        uet_rudi_message(tc, k->opcode, &s.m, s.bytes, s.n, s.o, 2);
        return s;
    }
    s = uet_message_of(tc, s);
    for (int i = 0; i < 2; i++)
        make(&s.o[i], k->opcode);
    return s;
}

/* An error; to say nothing is a finding on a PDC, where it would be asked for again. */
static void fails(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    if (o->pdc)
        must_fail(tc, requirement, o);
    else
        uet_check(tc, requirement, !tells_success(ask_rudi(tc, requirement, o)),
                  "the RUDI Response tells success");
}

/* ---- the first packet ---- */

static void odd_first(struct uet_tc *tc, struct kind k)
{
    struct message odd = two_packets(tc, &k, NULL, 100, 0);

    odd.o[0].payload_len--;
    fails(tc, "SES-045", &odd.o[0]);
    struct message empty = two_packets(tc, &k, odd.p, 100, 0);
    empty.o[0].payload_len = 0;
    fails(tc, "SES-045", &empty.o[0]);
}

#define ODD_FIRST(name, slug, what, claims, ...)                                                   \
    UET_TEST(name##_odd, .id = "ses.3.4.1.7.odd-first-packet-of-" slug, .requirements = "SES-045", \
             .role = UET_ROLE_TARGET, .needs = claims,                                             \
             .purpose =                                                                            \
                 "The first packet of " what " must carry the whole message or one Payload MTU.",  \
             .preamble = "What it may be put into; PDC open, but for RUDI.",                       \
             .stimulus = "A first packet with SOM=1, EOM=0, request_length of one MTU and 100 "    \
                         "bytes, and MTU-1 bytes of payload; another one without any.",            \
             .expected = "An error response to each.",                                             \
             .once = "a message with an error may stay open")                                      \
    {                                                                                              \
        odd_first(tc, (struct kind){__VA_ARGS__});                                                 \
    }

ODD_FIRST(send, "a-send", "a SEND", "send multi-packet-send upper-tester", .opcode = UET_OP_SEND)
ODD_FIRST(tagged, "a-tagged-send", "a tagged send", "tagged multi-packet-send upper-tester",
          .opcode = UET_OP_TAGGED_SEND)
ODD_FIRST(deferrable, "a-deferrable-send", "a deferrable send",
          "deferral send multi-packet-send upper-tester", .opcode = UET_OP_DEFERRABLE_SEND)
ODD_FIRST(rod, "a-write-on-rod", "a WRITE on ROD", "rod write", .opcode = UET_OP_WRITE, .rod = true)
ODD_FIRST(rudi, "a-rudi-write", "a WRITE over RUDI", "rudi write upper-tester",
          .opcode = UET_OP_WRITE, .rudi = true)

/* ---- the end of the message ---- */

static void beyond(struct uet_tc *tc, struct kind k)
{
    struct message s = two_packets(tc, &k, NULL, 256, 400);

    if (s.p) {
        say(tc, &s.o[0]);
        uet_expect_covered(tc, s.p, s.o[0].psn);
    }
    struct kept behind = keep(tc, &s.m, s.n, 400);
    uet_ses_req_std_message_offset_set(s.o[1].ses, s.mtu + 100);
    fails(tc, "SES-047", &s.o[1]);
    unchanged(tc, "SES-047", &behind);
}

#define BEYOND(name, slug, what, claims, ...)                                                      \
    UET_TEST(name##_beyond, .id = "ses.3.4.1.7.beyond-" slug, .requirements = "SES-047",           \
             .role = UET_ROLE_TARGET, .needs = claims,                                             \
             .purpose = "Payload beyond the request_length of " what " is an error.",              \
             .preamble = "Memory longer than the message; PDC open, and the first packet of two "  \
                         "accepted, but for RUDI.",                                                \
             .stimulus = "The second packet, 100 bytes further on than it belongs.",               \
             .expected = "An error response; memory behind the message unchanged.",                \
             .once = "a message with an error may stay open")                                      \
    {                                                                                              \
        beyond(tc, (struct kind){__VA_ARGS__});                                                    \
    }

BEYOND(send, "a-send", "a SEND", "send multi-packet-send upper-tester", .opcode = UET_OP_SEND)
BEYOND(tagged, "a-tagged-send", "a tagged send", "tagged multi-packet-send upper-tester",
       .opcode = UET_OP_TAGGED_SEND)
BEYOND(deferrable, "a-deferrable-send", "a deferrable send",
       "deferral send multi-packet-send upper-tester", .opcode = UET_OP_DEFERRABLE_SEND)
BEYOND(rod, "a-write-on-rod", "a WRITE on ROD", "rod write", .opcode = UET_OP_WRITE, .rod = true)
BEYOND(rudi, "a-rudi-write", "a WRITE over RUDI", "rudi write upper-tester", .opcode = UET_OP_WRITE,
       .rudi = true)
