/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.1.7: message_offset of a later packet at each edge that lies behind the message. */
#include "conformance/harness/edges.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"

#define LAST 512u /* bytes of the second packet */
#define AT   600u /* of a WRITE in its region: what wraps would land before it */

/* Offsets at which the second packet reaches behind a message of n bytes; in 32 bits, too. */
static struct uet_edges behind(uint32_t n)
{
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM0, UET_F_SES_MESSAGE_OFFSET), out = {0};

    uet_edges_add_limit(&e, n - LAST);
    uet_edges_add_limit(&e, n);
    uet_edges_add_limit(&e, (UINT64_C(1) << 32) - LAST);
    for (size_t i = 0; i < e.n; i++) {
        if (e.value[i] > n - LAST)
            out.value[out.n++] = e.value[i];
    }
    return out;
}

/* The second packet says that it belongs there; it is not the last. */
static struct uet_out *second_at(struct message *w, uint64_t offset)
{
    uet_ses_req_std_message_offset_set(w->o[1].ses, (uint32_t)offset);
    uet_ses_req_eom_set(w->o[1].ses, false);
    return &w->o[1];
}

UET_TEST(write_places, .id = "ses.3.4.1.7.message-offset-edges-of-write", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "write",
         .purpose = "message_offset + payload_length is held against request_length in all bits.",
         .preamble = "PDC open; for each a region, and the first packet of a two-packet WRITE at "
                     "buffer_offset 600 accepted.",
         .stimulus = "The second packet, of 512 bytes and without EOM, with message_offset one "
                     "byte too far, one byte before, at and behind the end of the message, on both "
                     "sides of 2^16 and 2^31, such that it ends one byte before, at and behind "
                     "2^32, and 2^32 - 1.",
         .expected = "Not executed; memory before and behind the message unchanged.",
         .once = "a message with an error may stay open")
{
    const struct uet_edges e = behind(uet_tc_dut(tc)->payload_mtu + LAST);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < e.n; i++) {
        struct message w =
            message_begun(tc, .packets = 2, .last = LAST, .at = AT, .room = LAST, .p = p);
        struct kept before = keep(tc, &w.m, 0, AT), after = keep(tc, &w.m, AT + w.n, LAST);
        must_fail(tc, "SES-047", second_at(&w, e.value[i]));
        unchanged(tc, "SES-047", &before);
        unchanged(tc, "SES-047", &after);
    }
}

UET_TEST(send_places, .id = "ses.3.4.1.7.message-offset-edges-of-send", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "send upper-tester",
         .purpose = "message_offset + payload_length is held against request_length in all bits.",
         .preamble = "PDC open; for each a buffer, and the first packet of a two-packet SEND "
                     "accepted.",
         .stimulus = "The second packet, of 512 bytes and without EOM, with message_offset one "
                     "byte too far, one byte before, at and behind the end of the message, on both "
                     "sides of 2^16 and 2^31, such that it ends one byte before, at and behind "
                     "2^32, and 2^32 - 1.",
         .expected = "Not executed; the buffer behind the message unchanged.",
         .once = "a message with an error may stay open")
{
    const struct uet_edges e = behind(uet_tc_dut(tc)->payload_mtu + LAST);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < e.n; i++) {
        struct message s = message_begun(tc, .opcode = UET_OP_SEND, .packets = 2, .last = LAST,
                                         .room = LAST, .p = p);
        struct kept after = keep(tc, &s.m, s.n, LAST);
        must_fail(tc, "SES-047", second_at(&s, e.value[i]));
        unchanged(tc, "SES-047", &after);
    }
}

UET_TEST(read_places, .id = "ses.3.4.4.2.message-offset-edges-of-read", .requirements = "SES-047",
         .role = UET_ROLE_TARGET, .needs = "read",
         .purpose = "A READ brings nothing from behind its message.",
         .preamble = "Memory of two Payload MTUs; PDC open; for each the data of the first packet "
                     "of a two-packet READ has come.",
         .stimulus = "The second packet asks for 512 bytes, without EOM, with message_offset one "
                     "byte too far, one byte before, at and behind the end of the message, on both "
                     "sides of 2^16 and 2^31, such that it ends one byte before, at and behind "
                     "2^32, and 2^32 - 1.",
         .expected = "Not executed, and no data.", .once = "a message with an error may stay open")
{
    const struct uet_edges e = behind(uet_tc_dut(tc)->payload_mtu + LAST);
    struct source s = need_source(tc, 2u * uet_tc_dut(tc)->payload_mtu);
    struct uet_pdc *p = uet_pdc_open(tc);

    for (size_t i = 0; i < e.n; i++) {
        struct message r =
            message(tc, .opcode = UET_OP_READ, .packets = 2, .last = LAST, .p = p, .m = s.m);
        say(tc, &r.o[0]);
        hear(tc, "SES-047", DATA_OF(&r.o[0]));
        must_fail(tc, "SES-047", second_at(&r, e.value[i]));
        silence(tc, "SES-047", DATA_OF(&r.o[1]), .within = UET_MS);
    }
}
