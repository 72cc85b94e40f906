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

/* An error; to say nothing is a finding: it would be asked for again. */
static void fails(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    if (o->pdc) {
        must_fail(tc, requirement, o);
        return;
    }
    say(tc, o);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(o));
    if (in)
        uet_check(tc, requirement, !tells_success(in), "the RUDI Response tells success");
    else
        uet_other_reading(tc, requirement, "the RUDI Request is not answered");
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
             .role = UET_ROLE_TARGET, .needs = (claims),                                           \
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

/* ---- the first error ---- */

/* What the first packet has brought is what the second is told, whatever is wrong with that. */
static void first_error_wins(struct uet_tc *tc, struct kind k)
{
    struct message s = two_packets(tc, &k, NULL, 100, 0);

    s.o[0].payload_len--;
    const struct uet_in *first = whatever_comes_of(tc, &s.o[0]);
    if (!first || !is_error_response(first))
        uet_skip(tc, "the first packet is not answered with an error");
    uet_ses_req_ie_set(s.o[1].ses, true);
    field(tc, "SES-113", ask(tc, "SES-113", &s.o[1]), UET_F_SES_RETURN_CODE, code_told(first));
}

#define FIRST_ERROR(name, slug, what, claims, ...)                                                 \
    UET_TEST(name##_first_error, .id = "ses.3.4.5.4.1.earlier-error-of-" slug,                     \
             .requirements = "SES-113", .role = UET_ROLE_TARGET, .needs = (claims),                \
             .purpose =                                                                            \
                 "In " what ", too, an error that came before ie=1 is the one that counts.",       \
             .preamble = "What it may be put into; PDC open.",                                     \
             .stimulus = "A first packet with MTU-1 bytes of payload; the second, with ie=1.",     \
             .expected = "The second is answered with the return code of the first.",              \
             .once = "a message with an error may stay open")                                      \
    {                                                                                              \
        first_error_wins(tc, (struct kind){__VA_ARGS__});                                          \
    }

FIRST_ERROR(send, "a-send", "a SEND", "send multi-packet-send upper-tester", .opcode = UET_OP_SEND)
FIRST_ERROR(tagged, "a-tagged-send", "a tagged send", "tagged multi-packet-send upper-tester",
            .opcode = UET_OP_TAGGED_SEND)
FIRST_ERROR(deferrable, "a-deferrable-send", "a deferrable send",
            "deferral send multi-packet-send upper-tester", .opcode = UET_OP_DEFERRABLE_SEND)
FIRST_ERROR(rod, "a-write-on-rod", "a WRITE on ROD", "rod write", .opcode = UET_OP_WRITE,
            .rod = true)

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
             .role = UET_ROLE_TARGET, .needs = (claims),                                           \
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

/* ---- what is looked at in each packet ---- */

/* A message goes on with a packet that must not be executed: none of its bytes is written. */
static void later(struct uet_tc *tc, const char *requirement, struct kind k,
                  void (*alter)(struct uet_out *o),
                  void (*judge)(struct uet_tc *, const char *, const struct uet_out *))
{
    struct message s = two_packets(tc, &k, NULL, 256, 0);

    if (s.p) {
        say(tc, &s.o[0]);
        uet_expect_covered(tc, s.p, s.o[0].psn);
    }
    struct kept behind = keep(tc, &s.m, s.mtu, 256);
    alter(&s.o[1]);
    judge(tc, requirement, &s.o[1]);
    unchanged(tc, requirement, &behind);
}

static void of_version_1(struct uet_out *o)
{
    uet_ses_req_version_set(o->ses, 1);
}

/* An error, or nothing. */
static void is_not_done(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    if (o->pdc) {
        not_executed(tc, requirement, o);
        return;
    }
    say(tc, o);
    const struct uet_in *in = maybe(tc, RUDI_RESPONSE_TO(o));
    uet_check(tc, requirement, !tells_success(in), "the RUDI Response tells success");
}

/* The opcode that it must have, and bit 4. */
static void with_a_reserved_opcode(struct uet_out *o)
{
    uet_ses_req_opcode_set(o->ses, 0x10 | uet_ses_req_opcode(o->ses));
}

#define LATER(name, test_id, rows, is_contested, words, what, claims, due, alter, judge, ...)      \
    UET_TEST(name, .id = test_id, .requirements = rows, .role = UET_ROLE_TARGET,                   \
             .needs = (claims), .contested = is_contested,                                         \
             .purpose = "A later packet of " what " with " words " is not executed.",              \
             .preamble = "Memory for a message of two packets; PDC open, and the first packet "    \
                         "accepted, but for RUDI.",                                                \
             .stimulus = "The second packet, with " words ".",                                     \
             .expected = due "; no byte of it is written.",                                        \
             .once = "a message with an error may stay open")                                      \
    {                                                                                              \
        later(tc, rows, (struct kind){__VA_ARGS__}, alter, judge);                                 \
    }

#define LATER_VERSION(name, slug, what, claims, ...)                                               \
    LATER(name##_later_version, "ses.3.4.2.unknown-version-in-a-later-packet-" slug, "SES-004",    \
          true, "version 1", what, claims, "No success", of_version_1, is_not_done, __VA_ARGS__)

LATER_VERSION(tagged, "of-a-tagged-send", "a tagged send", "tagged multi-packet-send upper-tester",
              .opcode = UET_OP_TAGGED_SEND)
LATER_VERSION(rod, "on-rod", "a WRITE on ROD", "rod write", .opcode = UET_OP_WRITE, .rod = true)
LATER_VERSION(rudi, "over-rudi", "a WRITE over RUDI", "rudi write upper-tester",
              .opcode = UET_OP_WRITE, .rudi = true)

/* On a PDC the opcode is another one than that of its message, too (SES-048): any error is right.
 */
#define LATER_OPCODE(name, slug, what, claims, ...)                                                \
    LATER(name##_later_opcode, "ses.3.4.6.2.reserved-opcode-in-a-later-packet-" slug, "SES-024",   \
          false, "a reserved opcode", what, claims, "An error response; silence is a finding",     \
          with_a_reserved_opcode, fails, __VA_ARGS__)

LATER_OPCODE(write, "of-a-write", "a WRITE", "write", .opcode = UET_OP_WRITE)
LATER_OPCODE(send, "of-a-send", "a SEND", "send multi-packet-send upper-tester",
             .opcode = UET_OP_SEND)
LATER_OPCODE(rudi, "over-rudi", "a WRITE over RUDI", "rudi write upper-tester",
             .opcode = UET_OP_WRITE, .rudi = true)

/* ---- where it goes ---- */

#define AT 24

/* A send of one packet to 64 bytes, with buffer_offset; medium: with that header. */
static void behind_an_offset(struct uet_tc *tc, uint8_t opcode, bool medium)
{
    struct uet_memory m = receive_of(tc, opcode, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    const uint8_t *bytes = uet_tc_bytes(tc, 16);
    struct uet_out o =
        medium ? uet_medium(p, opcode, &m, AT, bytes, 16) : uet_send_message(p, &m, bytes, 16);

    make(&o, opcode);
    uet_ses_req_buffer_offset_set(o.ses, AT);
    if (is_error_response(ask(tc, "SES-013", &o))) {
        uet_other_reading(tc, "SES-013", "a send with a buffer_offset is refused");
        return;
    }
    completes(tc, "SES-013", m.handle, UET_UT_OK);
    memory_holds(tc, "SES-013", &m, AT, bytes, 16);
}

#define BEHIND_AN_OFFSET(name, slug, what, claims, opcode, medium)                                 \
    UET_TEST(name##_offset, .id = "ses.3.4.2.1." slug "-behind-an-offset",                         \
             .requirements = "SES-013", .role = UET_ROLE_TARGET, .needs = (claims),                \
             .contested = true, /* the row speaks of WRITEs, and of sends little is public */      \
             .purpose = "The bytes of " what " stand behind its buffer_offset.",                   \
             .preamble = "A receive of 64 bytes; PDC open.",                                       \
             .stimulus = "16 bytes with buffer_offset 24.",                                        \
             .expected = "Success; the bytes stand there. A FEP that refuses it is a finding.")    \
    {                                                                                              \
        behind_an_offset(tc, opcode, medium);                                                      \
    }

BEHIND_AN_OFFSET(tagged, "tagged-send", "a tagged send", "tagged upper-tester", UET_OP_TAGGED_SEND,
                 false)
BEHIND_AN_OFFSET(medium, "medium-send", "a SEND with the medium header",
                 "send medium-header upper-tester", UET_OP_SEND, true)

UET_TEST(rudi_offset, .id = "ses.3.4.2.1.rudi-write-behind-an-offset", .requirements = "SES-013",
         .role = UET_ROLE_TARGET, .needs = "rudi write upper-tester",
         .purpose = "Each packet of a WRITE over RUDI stands behind its buffer_offset, too.",
         .preamble = "A region that RUDI may write to.",
         .stimulus = "A RUDI WRITE of two packets with buffer_offset 24.",
         .expected = "Success; the bytes stand there.")
{
    const struct kind k = {.opcode = UET_OP_WRITE, .rudi = true};
    struct message s = two_packets(tc, &k, NULL, 100, 100);

    for (int i = 0; i < 2; i++) {
        uet_ses_req_buffer_offset_set(s.o[i].ses, AT);
        uet_check(tc, "SES-013", tells_success(ask_rudi(tc, "SES-013", &s.o[i])),
                  "a packet was refused");
    }
    memory_holds(tc, "SES-013", &s.m, AT, s.bytes, s.n);
}

/* ---- header data ---- */

static struct uet_out with_data(struct uet_pdc *p, const struct uet_memory *m, uint8_t opcode,
                                bool hd)
{
    struct uet_out o = uet_send_message(p, m, uet_tc_bytes(p->tc, TAGGED_BYTES), TAGGED_BYTES);

    make(&o, opcode);
    uet_ses_req_hd_set(o.ses, hd);
    uet_ses_req_std_header_data_set(o.ses, 0x1122334455667788);
    return o;
}

static void without_hd(struct uet_tc *tc, uint8_t opcode)
{
    struct uet_memory m = receive_of(tc, opcode, TAGGED_BYTES);
    struct uet_out o = with_data(uet_pdc_open(tc), &m, opcode, false);

    accepted(tc, "SES-070", &o);
    uet_check(tc, "SES-070", !completes(tc, "SES-070", m.handle, UET_UT_OK).has_header_data,
              "header_data was told of a send with hd=0");
}

#define WITHOUT_HD(name, slug, what, claims, opcode)                                               \
    UET_TEST(name##_without_hd, .id = "ses.3.4.1.11." slug "-without-hd",                          \
             .requirements = "SES-070", .role = UET_ROLE_TARGET, .needs = (claims),                \
             .purpose = "header_data of " what " is ignored when hd=0.",                           \
             .preamble = "A receive; PDC open.",                                                   \
             .stimulus = "One with hd=0 and a header_data other than 0.",                          \
             .expected = "The receive completes without header data.")                             \
    {                                                                                              \
        without_hd(tc, opcode);                                                                    \
    }

WITHOUT_HD(tagged, "tagged-send", "a tagged send", "tagged upper-tester", UET_OP_TAGGED_SEND)
WITHOUT_HD(deferrable, "deferrable-send", "a deferrable send", "deferral send upper-tester",
           UET_OP_DEFERRABLE_SEND)

UET_TEST(datagram_without_hd, .id = "ses.3.4.1.11.datagram-without-hd", .requirements = "SES-070",
         .role = UET_ROLE_TARGET, .needs = "uud upper-tester",
         .purpose = "header_data of a datagram is ignored when hd=0.", .preamble = "A receive.",
         .stimulus = "A datagram with hd=0 and a header_data other than 0.",
         .expected = "The receive completes without header data.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_out o = uet_datagram(tc, &m, "a datagram", 10);
    uet_ses_req_std_header_data_set(o.ses, 0x1122334455667788);
    say(tc, &o);
    uet_check(tc, "SES-070", !completes(tc, "SES-070", m.handle, UET_UT_OK).has_header_data,
              "header_data was told of a datagram with hd=0");
}

UET_TEST(deferrable_with_hd, .id = "ses.3.4.1.9.deferrable-send-with-header-data",
         .requirements = "SES-174", .role = UET_ROLE_TARGET, .needs = "deferral send upper-tester",
         .purpose = "A deferrable send that finds its receive gives it its header_data.",
         .preamble = "A receive; PDC open.",
         .stimulus = "UET_DEFERRABLE_SEND with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion with that value; a FEP whose completions have no room for it "
                     "refuses it, fills no receive, and is skipped when a SEND without succeeds.")
{
    struct uet_memory m = uet_need_receive(tc, TAGGED_BYTES, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = with_data(p, &m, UET_OP_DEFERRABLE_SEND, true);
    const struct uet_in *in = ask(tc, "SES-174", &o);
    takes_header_data(tc, in, p, &m);
    const struct uet_ut_completion c = completes(tc, "SES-174", m.handle, UET_UT_OK);
    brings_header_data(tc, "SES-174", &c, 0x1122334455667788);
}

/* ---- a disabled resource index ---- */

UET_TEST(
    disabled_in_parts, .id = "ses.3.4.6.3.disabled-in-each-packet", .requirements = "SES-100",
    .role = UET_ROLE_TARGET, .needs = "send multi-packet-send upper-tester",
    .purpose = "A disabled resource index takes no packet of a message, whichever comes first.",
    .preamble = "A send resource with a receive, disabled; PDC open.",
    .stimulus = "A SEND of two packets, the second packet first.",
    .expected = "No success; the receive does not end well.",
    .once = "a message with an error may stay open")
{
    struct message s = message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 100);
    const struct uet_ut_service service = {.job_id = s.m.job_id,
                                           .pid_on_fep = s.m.pid_on_fep,
                                           .resource_index = s.m.resource_index,
                                           .ri_class = UET_UT_SEND,
                                           .disabled = true};
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    not_executed(tc, "SES-100", &s.o[1]);
    not_executed(tc, "SES-100", &s.o[0]);
    must_not_succeed(tc, "SES-100", s.m.handle);
}
