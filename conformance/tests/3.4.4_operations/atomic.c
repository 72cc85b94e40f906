/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4, 3.4.2.4: fetching atomics as the target does them. */
#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/tests/pds.h"

#define PLACE 16 /* of the element; its neighbours are not to change */

UET_TEST(fetching_sum_old_value, .id = "ses.3.4.4.fetching-sum-old-value",
         .requirements = "SES-139 SES-137", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A fetching SUM brings the old value and adds its operand, both big-endian.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Fetching SUMs of UINT64: of 0x0102030405060708, of 2^64 - 1, of 0.",
         .expected = "UET_RESPONSE_W_DATA, 8 bytes each; the second brings the sum, the third one "
                     "less.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out add = fetching_sum(p, &m, PLACE, 0x0102030405060708);
    struct uet_out less = fetching_sum(p, &m, PLACE, UINT64_MAX);
    uint64_t first = fetched(tc, "SES-139", &add);
    uet_check_eq(tc, "SES-137", "old value", fetched(tc, "SES-139", &less),
                 first + 0x0102030405060708);
    uet_check_eq(tc, "SES-139", "old value", value_at(tc, "SES-139", p, &m, PLACE),
                 first + 0x0102030405060707);
}

UET_TEST(fetching_sum_neighbours, .id = "ses.3.4.4.fetching-sum-neighbours",
         .requirements = "SES-139", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A fetching SUM changes its element and no other.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "The elements before and behind it are fetched; a fetching SUM of 2^64 - 1; "
                     "they are fetched again.",
         .expected = "Both are as before, also when the sum goes over.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out one = fetching_sum(p, &m, PLACE, 1),
                   less = fetching_sum(p, &m, PLACE, UINT64_MAX);
    uint64_t before = value_at(tc, "SES-139", p, &m, PLACE - 8),
             behind = value_at(tc, "SES-139", p, &m, PLACE + 8);
    fetched(tc, "SES-139", &less);
    fetched(tc, "SES-139", &one);
    uet_check_eq(tc, "SES-139", "the element before it", value_at(tc, "SES-139", p, &m, PLACE - 8),
                 before);
    uet_check_eq(tc, "SES-139", "the element behind it", value_at(tc, "SES-139", p, &m, PLACE + 8),
                 behind);
}

UET_TEST(fetching_sum_once, .id = "ses.3.4.4.fetching-sum-once", .requirements = "SES-136 PDS-132",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "A fetching SUM that comes twice is done once.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "A fetching SUM of 1; the same PSN again with retx=1, with retx=0, and with "
                     "retx=1.",
         .expected = "The value has grown by 1.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out o = fetching_sum(p, &m, PLACE, 1);
    uint64_t first = fetched(tc, "SES-136", &o);
    say_again(tc, &o);
    say(tc, &o);
    say_again(tc, &o);
    uet_check_eq(tc, "SES-136", "value", value_at(tc, "SES-136", p, &m, PLACE), first + 1);
}

UET_TEST(fetching_sum_kept, .id = "ses.3.4.3.3.fetching-sum-kept",
         .requirements = "SES-140 SES-117", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "The old value in an ACK is kept until it is cleared: the memory has changed.",
         .preamble = "A memory region; PDC open; nothing is cleared.",
         .stimulus = "A fetching SUM of 1; a second one; the first again with retx=1.",
         .expected = "The first ACK asks for a clear; the same old value comes again. A FEP that "
                     "returns it in a Request is skipped.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    p->auto_clear = false;
    struct uet_out o = fetching_sum(p, &m, PLACE, 1), second = fetching_sum(p, &m, PLACE, 1);
    const struct uet_in *ack = read_in_ack(tc, "SES-140", &o);
    uint64_t first = uet_rd64(data_in(tc, "SES-140", ack, m.job_id, 8));
    check_req_clear(tc, "SES-140", ack);
    uet_check_eq(tc, "SES-139", "old value", fetched(tc, "SES-139", &second), first + 1);
    uet_forget(tc);
    say_again(tc, &o);
    uet_check_eq(tc, "SES-140", "old value", old_value(tc, "SES-140", &o), first);
}

/* It is refused so, or by the code of a known implementation; the element does not change. */
static void not_done(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                     const struct uet_out *o, uint8_t code, uint8_t other)
{
    struct uet_pdc *p = o->pdc;
    uint64_t before = value_at(tc, requirement, p, m, 0);

    refused_or(tc, requirement, o, code, other);
    uet_check_eq(tc, requirement, "value", value_at(tc, requirement, p, m, 0), before);
}

UET_TEST(atomic_unaligned, .id = "ses.3.4.6.3.atomic-unaligned", .requirements = "SES-134",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "An atomic at an address that is not a multiple of its element is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Fetching SUMs of UINT64 at offset 4, and 1.",
         .expected = "RC_AMO_UNALIGNED (RC_BAD_ADDR is a finding); nothing changes.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out at4 = fetching_sum(p, &m, 4, 1), at1 = fetching_sum(p, &m, 1, 1);
    not_done(tc, "SES-134", &m, &at4, UET_RC_AMO_UNALIGNED, UET_RC_BAD_ADDR);
    not_done(tc, "SES-134", &m, &at1, UET_RC_AMO_UNALIGNED, UET_RC_BAD_ADDR);
}

UET_TEST(atomic_size, .id = "ses.3.4.6.3.atomic-size", .requirements = "SES-133",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "An atomic whose payload is no whole number of elements is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Fetching SUMs of UINT64 with 12 bytes, and with 4.",
         .expected = "RC_AMO_UNSUPPORTED_SIZE (RC_OP_VIOLATION is a finding); nothing changes.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a = {
        .amo = UET_AMO_SUM, .datatype = UET_TYPE_UINT64, .operand = uet_tc_bytes(tc, 12), .n = 12};
    struct uet_out twelve = uet_atomic(p, &m, 0, &a);
    a.n = 4;
    struct uet_out four = uet_atomic(p, &m, 0, &a);
    not_done(tc, "SES-133", &m, &twelve, UET_RC_AMO_UNSUPPORTED_SIZE, UET_RC_OP_VIOLATION);
    not_done(tc, "SES-133", &m, &four, UET_RC_AMO_UNSUPPORTED_SIZE, UET_RC_OP_VIOLATION);
}

UET_TEST(atomic_reserved_opcode, .id = "ses.3.4.6.3.atomic-reserved-opcode",
         .requirements = "SES-132", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .contested = true, .purpose = "An atomic operation that there is not is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Fetching atomics on a UINT64 with atomic_opcode 0x15, and 0xff.",
         .expected = "RC_AMO_UNSUPPORTED_OP (RC_UNSUPPORTED_OP is a finding); nothing changes.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a = {
        .amo = 0x15, .datatype = UET_TYPE_UINT64, .operand = uet_tc_bytes(tc, 8), .n = 8};
    struct uet_out first = uet_atomic(p, &m, 0, &a);
    a.amo = 0xff;
    struct uet_out last = uet_atomic(p, &m, 0, &a);
    not_done(tc, "SES-132", &m, &first, UET_RC_AMO_UNSUPPORTED_OP, UET_RC_UNSUPPORTED_OP);
    not_done(tc, "SES-132", &m, &last, UET_RC_AMO_UNSUPPORTED_OP, UET_RC_UNSUPPORTED_OP);
}

UET_TEST(atomic_rights, .id = "ses.3.4.6.3.atomic-rights", .requirements = "SES-135",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester", .contested = true,
         .purpose = "An atomic needs both rights.",
         .preamble = "Memory that may be written only, and memory that may be read only; PDC open.",
         .stimulus = "A fetching SUM on each.",
         .expected = "RC_OP_VIOLATION (RC_PERM_VIOLATION is a finding); no value changes.")
{
    need_fetching_sum(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int i = 0; i < 2; i++) {
        struct uet_memory m =
            region(tc, .job_id = 0x1001, .pid_on_fep = 3, .resource_index = SOURCE_RI,
                   .key = 0xe00000000000u + (uet_tc_random(tc) & 0xffff), .length = 64,
                   .no_read = i == 0, .no_write = i == 1);
        struct uet_out o = fetching_sum(p, &m, 0, 1);
        uint8_t zero[8] = {0}, now[8];
        refused_or(tc, "SES-135", &o, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
        uet_read_back(tc, &m, 0, now, 8);
        uet_check(tc, "SES-135", memcmp(now, zero, 8) == 0, "the value has changed");
    }
}

UET_TEST(atomic_without_extension, .id = "ses.3.4.2.4.atomic-without-extension",
         .requirements = "SES-160", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An atomic without its extension is not executed.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "A UET_FETCHING_ATOMIC that ends with its 44-byte header.",
         .expected = "No success, or no answer; the value does not change.")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t before = value_at(tc, "SES-160", p, &m, 0);
    struct uet_out o = fetching_sum(p, &m, 0, 1);
    o.ses_len = UET_SES_REQ_STD_SOM1_BYTES;
    o.payload_len = 0;
    not_executed(tc, "SES-160", &o);
    uet_check_eq(tc, "SES-160", "value", value_at(tc, "SES-160", uet_pdc_open(tc), &m, 0), before);
}
