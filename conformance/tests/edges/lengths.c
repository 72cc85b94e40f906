/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.7, 3.4.3: request_length at its edges, and messages that end near a Payload MTU. */
#include "conformance/harness/edges.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"

/* ---- messages that are longer than their memory ---- */

#define AT 64u /* buffer_offset: the message begins inside */

/* What is too long for a region or buffer that ends `room` bytes behind the message's begin. */
static struct uet_edges too_long_for(uint64_t room, uint64_t at)
{
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_REQUEST_LENGTH), out = {0};

    uet_edges_add_limit(&e, room);
    uet_edges_add_limit(&e, (UINT64_C(1) << 32) - at); /* ends at 2^32 */
    for (size_t i = 0; i < e.n; i++) {
        if (e.value[i] > room)
            out.value[out.n++] = e.value[i];
    }
    return out;
}

/* The first packet of a message of so many bytes. */
static struct uet_out first_of(struct uet_out o, uint64_t length)
{
    uet_ses_req_eom_set(o.ses, false);
    uet_ses_req_std_request_length_set(o.ses, (uint32_t)length);
    return o;
}

/*
 * Longer than the FEP takes messages at all, and so it says (Table 3-19): what it takes at most is
 * its own affair, but no API is known that asks for less than 1 GiB.
 */
static bool beyond_its_size(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                            uint64_t length)
{
    return length > UINT64_C(1) << 30 && code_told(in) == UET_RC_UNSUPPORTED_SIZE &&
           uet_check_return_code(tc, requirement, in, UET_RC_UNSUPPORTED_SIZE);
}

static void refused_by_length(struct uet_tc *tc, uint8_t opcode)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    struct uet_memory m = uet_need_memory(tc, AT + 2 * mtu);
    const struct uet_edges e = too_long_for(m.length - AT, AT);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, KEPT_MOST);

    for (size_t i = 0; i < e.n; i++) {
        struct uet_out o =
            first_of(opcode == UET_OP_READ ? uet_read(p, &m, AT, mtu)
                                           : uet_write(p, &m, AT, uet_tc_bytes(tc, mtu), mtu),
                     e.value[i]);
        const struct uet_in *in = ask(tc, "SES-066", &o);
        if (!beyond_its_size(tc, "SES-066", in, e.value[i]))
            code_or(tc, "SES-066", in, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
                    UET_RC_AT_OUT_OF_RANGE);
        p->clear_psn = o.psn;
    }
    unchanged(tc, "SES-066", &before);
}

#define LENGTH_EDGES(name, test_id, claim, words, opcode)                                          \
    UET_TEST(name, .id = "ses.3.4.3." test_id, .requirements = "SES-066", .role = UET_ROLE_TARGET, \
             .needs = (claim), .contested = true,                                                  \
             .purpose = "buffer_offset + request_length is judged on the first packet, in all "    \
                        "bits.",                                                                   \
             .preamble = "A region of two Payload MTUs and 64 bytes; PDC open.",                   \
             .stimulus = "First packets of " words " at buffer_offset 64 whose request_length is " \
                         "one byte more than fits, on both sides of 2^16 (where that does not "    \
                         "fit) and of 2^31, such that they end one byte before, at and behind "    \
                         "2^32, and 2^32 - 1.",                                                    \
             .expected = "RC_BAD_ADDR each time (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are "  \
                         "findings, the first of more than 1 GiB is right); memory unchanged.",    \
             .once = "a message with an error may stay open")                                      \
    {                                                                                              \
        refused_by_length(tc, opcode);                                                             \
    }

LENGTH_EDGES(write_lengths, "length-edges-of-write", "write", "WRITEs", UET_OP_WRITE)

LENGTH_EDGES(read_lengths, "length-edges-of-read", "read", "READs", UET_OP_READ)

UET_TEST(send_lengths, .id = "ses.3.4.6.3.length-edges-of-send", .requirements = "SES-101",
         .role = UET_ROLE_TARGET, .needs = "send multi-packet-send upper-tester", .contested = true,
         .purpose = "A send is held against its buffer in all bits of request_length.",
         .preamble = "A buffer of two Payload MTUs posted for each; PDC open.",
         .stimulus = "First packets of SENDs whose request_length is one byte more than the buffer "
                     "has, on both sides of 2^16 (where that does not fit) and of 2^31, and "
                     "2^32 - 1.",
         .expected =
             "RC_TOO_LONG each time (RC_UNSUPPORTED_SIZE is the other reading, and right of "
             "more than 1 GiB).",
         .once = "a message with an error may stay open")
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    const struct uet_edges e = too_long_for(2u * mtu, 0);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < e.n; i++) {
        struct uet_memory m = uet_need_receive(tc, 2 * mtu, 1);
        struct uet_out o =
            first_of(uet_send_message(p, &m, uet_tc_bytes(tc, mtu), mtu), e.value[i]);
        const struct uet_in *in = ask(tc, "SES-101", &o);
        if (!beyond_its_size(tc, "SES-101", in, e.value[i]))
            code_or(tc, "SES-101", in, UET_RC_TOO_LONG, UET_RC_UNSUPPORTED_SIZE);
        p->clear_psn = o.psn;
    }
}

/* ---- messages that end near the end of a packet ---- */

/* One byte before, at and behind the first and the second Payload MTU. */
static const struct {
    uint32_t mtus;
    int32_t more;
} near_mtu[] = {{1, -1}, {1, 0}, {1, 1}, {2, -1}, {2, 0}, {2, 1}};

#define OF_ITS_OWN                                                                                 \
    (struct uet_memory)                                                                            \
    {                                                                                              \
        0                                                                                          \
    }
#define N_NEAR (sizeof near_mtu / sizeof near_mtu[0])

/* The message of that many bytes, in that memory, or (of length 0) in one of its own. */
static struct message near(struct uet_tc *tc, size_t i, uint8_t opcode, struct uet_pdc *p,
                           struct uet_memory m)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;
    uint32_t n = near_mtu[i].mtus * mtu + (uint32_t)near_mtu[i].more;
    uint32_t packets = (n + mtu - 1) / mtu;

    return message(tc, .opcode = opcode, .packets = (uint8_t)packets,
                   .last = n - (packets - 1) * mtu, .room = 64, .p = p, .m = m);
}

static void all_delivered(struct uet_tc *tc, const struct message *w)
{
    for (uint32_t i = 0; i * w->mtu < w->n; i++) {
        uet_check(tc, "SES-045", !is_error_response(delivered(tc, "SES-045", &w->o[i])),
                  "packet %u of a message of %u bytes was refused", i + 1, w->n);
    }
}

#define NEAR_MTU                                                                                   \
    "One byte less than a Payload MTU, one, one byte more; one byte less than two, two, and one "  \
    "byte more"

UET_TEST(write_near_mtu, .id = "ses.3.4.1.7.write-near-mtu", .requirements = "SES-045 SES-013",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "A WRITE may end anywhere in a packet.", .preamble = "PDC open.",
         .stimulus = "WRITEs of so many bytes, each to a region of its own: " NEAR_MTU ".",
         .expected = "All packets are acknowledged without error; memory holds the bytes, and is "
                     "unchanged behind them.")
{
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < N_NEAR; i++) {
        struct message w = near(tc, i, UET_OP_WRITE, p, OF_ITS_OWN);
        struct kept behind = keep(tc, &w.m, w.n, 64);
        all_delivered(tc, &w);
        memory_holds(tc, "SES-013", &w.m, 0, w.bytes, w.n);
        unchanged(tc, "SES-013", &behind);
    }
}

UET_TEST(send_near_mtu, .id = "ses.3.4.1.7.send-near-mtu", .requirements = "SES-045 SES-013",
         .role = UET_ROLE_TARGET, .needs = "send multi-packet-send upper-tester",
         .purpose = "A SEND may end anywhere in a packet.", .preamble = "PDC open.",
         .stimulus = "SENDs of so many bytes, each to a buffer of its own: " NEAR_MTU ".",
         .expected = "All packets are acknowledged without error; the receives complete with that "
                     "length and hold the bytes.")
{
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < N_NEAR; i++) {
        struct message s = near(tc, i, UET_OP_SEND, p, OF_ITS_OWN);
        all_delivered(tc, &s);
        fills(tc, "SES-013", s.m.handle, s.n);
        memory_holds(tc, "SES-013", &s.m, 0, s.bytes, s.n);
    }
}

/* The data of each packet of a READ, one after the other. */
static void all_data(struct uet_tc *tc, const struct message *r, const struct source *s)
{
    for (uint32_t at = 0; at < r->n; at += r->mtu) {
        const struct uet_out *o = &r->o[at / r->mtu];
        say(tc, o);
        check_data(tc, "SES-078", hear(tc, "SES-078", DATA_OF(o)), s, at,
                   r->n - at < r->mtu ? r->n - at : r->mtu);
    }
}

UET_TEST(read_near_mtu, .id = "ses.3.4.4.2.read-near-mtu", .requirements = "SES-078",
         .role = UET_ROLE_TARGET, .needs = "read",
         .purpose = "A READ may end anywhere in a packet.",
         .preamble = "Memory of three Payload MTUs; PDC open.",
         .stimulus = "READs of so many bytes: " NEAR_MTU ".",
         .expected = "Data for each packet, with the bytes that it asks for.")
{
    struct source s = need_source(tc, 3u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < N_NEAR; i++) {
        struct message r = near(tc, i, UET_OP_READ, p, s.m);
        all_data(tc, &r, &s);
    }
}
