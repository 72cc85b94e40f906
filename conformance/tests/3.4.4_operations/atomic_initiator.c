/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4, 3.4.2.4: fetching atomics as the initiator asks for them. */
#include "conformance/harness/steps/atomics.h"
#include "conformance/tests/pds.h"

UET_TEST(fetching_atomic_request, .id = "ses.3.4.2.4.fetching-atomic-request",
         .requirements = "SES-020 SES-137 SES-138 SES-165", .role = UET_ROLE_INITIATOR,
         .purpose = "A fetching SUM is one packet: header, extension, the operand big-endian.",
         .preamble = "None.",
         .stimulus = "The FEP adds 0x0102030405060708 to a UINT64; the ACK brings the old value.",
         .expected = "UET_FETCHING_ATOMIC with som and eom, request_length 8; the extension right "
                     "behind the header: UET_AMO_SUM, UET_TYPE_UINT64, reserved 0; 8 bytes of "
                     "payload. It completes with the old value.")
{
    const uint64_t operand = 0x0102030405060708, old = 0xa0b0c0d0e0f00010;
    struct fep_atomic a = fep_adds(tc, operand);
    const struct uet_packet *p = &a.in->packet;
    field(tc, "SES-138", a.in, UET_F_SES_SOM, 1);
    field(tc, "SES-138", a.in, UET_F_SES_EOM, 1);
    field(tc, "SES-165", a.in, UET_F_SES_REQUEST_LENGTH, 8);
    uet_check_eq(tc, "SES-020", "atomic_opcode", uet_ses_ext_atomic_opcode(uet_ses_ext(p)), 2);
    uet_check_eq(tc, "SES-020", "atomic_datatype", uet_ses_ext_atomic_datatype(uet_ses_ext(p)), 7);
    uet_check_eq(tc, "SES-020", "reserved", uet_ses_ext_atomic_reserved(uet_ses_ext(p)), 0);
    if (payload_bytes(tc, "SES-137", a.in, 8))
        uet_check_eq(tc, "SES-137", "operand", uet_rd64(p->frame + p->payload_offset), operand);
    struct uet_out ack = uet_ack_data(a.in->pdc, a.in, on_the_wire(tc, old));
    say(tc, &ack);
    brought(tc, "SES-137", &a, old);
}

UET_TEST(fetching_atomic_in_return, .id = "ses.3.4.4.fetching-atomic-in-return",
         .requirements = "PDS-121 SES-137", .role = UET_ROLE_INITIATOR,
         .purpose = "The old value may come on the return direction, too.", .preamble = "None.",
         .stimulus = "The FEP adds 1 to a UINT64; an ACK without data, then the old value in a "
                     "Request of the return direction, twice.",
         .expected = "ACKs of the Request; it completes once, with the old value.")
{
    const uint64_t old = 0x00000000ffffffff;
    struct fep_atomic a = fep_adds(tc, 1);
    struct uet_out ack = uet_ack(a.in->pdc, a.in);
    say(tc, &ack);
    stays_open(tc, "SES-137", a.handle, UET_MS);
    struct uet_out data = uet_return_data(a.in->pdc, a.in, on_the_wire(tc, old));
    ask(tc, "PDS-121", &data);
    ask_anew(tc, "PDS-121", &data);
    brought(tc, "SES-137", &a, old);
}
