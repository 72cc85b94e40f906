/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2.2: the medium and the small header as a target reads them. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds.h"

#define OFFSET 16

/* Data lands at its offset, the bytes before it stay, and nobody is told of header_data. */
static void written_short(struct uet_tc *tc, bool small)
{
    static const char text[] = "0123456789abcdef";
    struct uet_memory m = need_source_with_key(tc, 64, small ? KEY_OPTIMIZED : 0xb00000001234).m;
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, 0, OFFSET);
    struct uet_out o = small ? uet_small(p, UET_OP_WRITE, &m, OFFSET, text, 16)
                             : uet_medium(p, UET_OP_WRITE, &m, OFFSET, text, 16);

    accepted(tc, "SES-013", &o);
    memory_holds(tc, "SES-013", &m, OFFSET, text, 16);
    unchanged(tc, "SES-013", &before);
    stays_open(tc, "SES-070", m.handle, 0);
}

UET_TEST(medium_write, .id = "ses.3.4.2.2.medium-write", .requirements = "SES-013 SES-070",
         .role = UET_ROLE_TARGET, .needs = "medium-header write upper-tester",
         .purpose = "A WRITE with the medium header is placed by its buffer_offset.",
         .preamble = "A region; PDC open.",
         .stimulus = "Medium WRITE of 16 bytes at buffer_offset 16, hd=0.",
         .expected = "Success; the bytes stand at 16, those before are as they were, and no "
                     "completion comes.")
{
    written_short(tc, false);
}

UET_TEST(small_rma_write, .id = "ses.3.4.2.2.small-write", .requirements = "SES-013 SES-070",
         .role = UET_ROLE_TARGET, .needs = "small-header write upper-tester",
         .purpose = "A WRITE with the small header is placed by its buffer_offset.",
         .preamble = "A region with an optimized key; PDC open.",
         .stimulus = "Small WRITE of 16 bytes at buffer_offset 16.",
         .expected = "Success; the bytes stand at 16, those before are as they were, and no "
                     "completion comes.")
{
    written_short(tc, true);
}

/* The receive holds the bytes from its beginning on. */
static void sent_short(struct uet_tc *tc, bool small)
{
    static const char text[] = "0123456789abcdef";
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = small ? uet_small(p, UET_OP_SEND, &m, 0, text, 16)
                             : uet_medium(p, UET_OP_SEND, &m, 0, text, 16);

    accepted(tc, "SES-090", &o);
    struct uet_ut_completion c = fills(tc, "SES-090", m.handle, 16);
    uet_check(tc, "SES-070", !c.has_header_data,
              "the completion has header_data although hd was 0");
    memory_holds(tc, "SES-090", &m, 0, text, 16);
}

UET_TEST(medium_send, .id = "ses.3.4.2.2.medium-send", .requirements = "SES-090 SES-070",
         .role = UET_ROLE_TARGET, .needs = "medium-header send upper-tester",
         .purpose = "A SEND with the medium header fills the posted receive.",
         .preamble = "A receive posted; PDC open.", .stimulus = "Medium SEND of 16 bytes, hd=0.",
         .expected = "Success; the receive completes with the 16 bytes and without header_data.")
{
    sent_short(tc, false);
}

UET_TEST(small_send, .id = "ses.3.4.2.2.small-send", .requirements = "SES-090 SES-070",
         .role = UET_ROLE_TARGET, .needs = "small-header send upper-tester",
         .purpose = "A SEND with the small header fills the posted receive.",
         .preamble = "A receive posted; PDC open.", .stimulus = "Small SEND of 16 bytes.",
         .expected = "Success; the receive completes with the 16 bytes and without header_data.")
{
    sent_short(tc, true);
}
