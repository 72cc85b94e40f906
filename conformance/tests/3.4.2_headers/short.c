/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.2.2: the medium and the small header as a target reads them. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/reads.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/tests/pds.h"

#define OFFSET 16
#define VALUE  0x1122334455667788ull

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

UET_TEST(
    medium_write, .id = "ses.3.4.2.2.medium-write", .requirements = "SES-013 SES-070 SES-173",
    .role = UET_ROLE_TARGET, .needs = "medium-header write upper-tester",
    .purpose = "A WRITE with the medium header is placed by its buffer_offset.",
    .preamble = "A region; PDC open.",
    .stimulus = "Medium WRITE of 16 bytes at buffer_offset 16, hd=0.",
    .expected =
        "Success, whose modified_length is 16 (by default, or 0); the bytes stand at 16, those "
        "before are as they were, and no completion comes.")
{
    written_short(tc, false);
}

UET_TEST(
    small_rma_write, .id = "ses.3.4.2.2.small-write", .requirements = "SES-013 SES-070 SES-173",
    .role = UET_ROLE_TARGET, .needs = "small-header write upper-tester",
    .purpose = "A WRITE with the small header is placed by its buffer_offset.",
    .preamble = "A region with an optimized key; PDC open.",
    .stimulus = "Small WRITE of 16 bytes at buffer_offset 16.",
    .expected =
        "Success, whose modified_length is 16 (by default, or 0); the bytes stand at 16, those "
        "before are as they were, and no completion comes.")
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

/* With hd=1 header_data has the place of buffer_offset (3.4.2.2). */
static struct uet_out medium_with_data(struct uet_pdc *p, uint8_t opcode,
                                       const struct uet_memory *m)
{
    struct uet_out o = uet_medium(p, opcode, m, 0, "header data", 11);

    uet_ses_req_hd_set(o.ses, true);
    uet_ses_req_medium_header_data_set(o.ses, VALUE);
    return o;
}

UET_TEST(medium_immediate, .id = "ses.3.4.1.9.immediate-in-a-medium-header",
         .requirements = "SES-068", .role = UET_ROLE_TARGET,
         .needs = "medium-header write-immediate upper-tester",
         .purpose = "A WRITE with the medium header gives its header_data to the application, too.",
         .preamble = "A region; PDC open.",
         .stimulus = "Medium WRITE of 11 bytes with hd=1 and header_data 0x1122334455667788.",
         .expected = "Success; the bytes stand at the start of the region; one completion with "
                     "that value.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_out o = medium_with_data(uet_pdc_open(tc), UET_OP_WRITE, &m);
    accepted(tc, "SES-068", &o);
    struct uet_ut_completion c = completion_of(tc, "SES-068", m.handle);
    uet_check_eq(tc, "SES-068", "completion kind", c.kind, UET_UT_KIND_IMM);
    uet_check_eq(tc, "SES-068", "header_data", c.header_data, VALUE);
    memory_holds(tc, "SES-068", &m, 0, "header data", 11);
}

UET_TEST(medium_send_data, .id = "ses.3.4.1.9.header-data-in-a-medium-header",
         .requirements = "SES-174", .role = UET_ROLE_TARGET,
         .needs = "medium-header send upper-tester",
         .purpose = "A SEND with the medium header gives its header_data to the receive, too.",
         .preamble = "A receive posted; PDC open.",
         .stimulus = "Medium SEND of 11 bytes with hd=1 and header_data 0x1122334455667788.",
         .expected = "One completion with the data and that value; a FEP whose completions "
                     "have no room for it refuses it, fills no receive, and is skipped when a "
                     "SEND without succeeds.")
{
    struct uet_memory m = uet_need_receive(tc, 64, 1);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = medium_with_data(p, UET_OP_SEND, &m);
    takes_header_data(tc, ask(tc, "SES-174", &o), p, &m);
    struct uet_ut_completion c = fills(tc, "SES-174", m.handle, 11);
    brings_header_data(tc, "SES-174", &c, VALUE);
    memory_holds(tc, "SES-174", &m, 0, "header data", 11);
}
