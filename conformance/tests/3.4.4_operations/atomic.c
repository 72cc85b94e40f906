/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4, 3.4.2.4: atomics as the target does them. */
#include <string.h>

#include "conformance/harness/edges.h"
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

#define LONG (1024 * 1024u + 64)

/* Multiples of 8 about each width, and where the region, 2^32 and 2^64 end. */
static struct uet_edges places_in(uint64_t length)
{
    struct uet_edges e = uet_edges_of(UET_H_SES_REQ_STD_SOM1, UET_F_SES_BUFFER_OFFSET), out = {0};

    uet_edges_add_limit(&e, UINT64_C(1) << 18);
    uet_edges_add_limit(&e, length - 8);
    uet_edges_add_limit(&e, length);
    uet_edges_add_limit(&e, (UINT64_C(1) << 32) - 8);
    uet_edges_add_limit(&e, UINT64_MAX - 7);
    for (size_t i = 0; i < e.n; i++)
        if (e.value[i] % 8 == 0)
            out.value[out.n++] = e.value[i];
    return out;
}

/* At each place inside another number is added; none of it may come to another one. */
static void adds_inside(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m,
                        const struct uet_edges *e)
{
    uint64_t before[UET_EDGES_MOST];
    size_t n = 0;

    for (; n < e->n && e->value[n] + 8 <= m->length; n++)
        before[n] = value_at(tc, "SES-013", p, m, e->value[n]);
    for (size_t i = 0; i < n; i++) {
        struct uet_out add = fetching_sum(p, m, e->value[i], i + 1);
        fetched(tc, "SES-013", &add);
    }
    for (size_t i = 0; i < n; i++)
        uet_check_eq(tc, "SES-013", "the element", value_at(tc, "SES-013", p, m, e->value[i]),
                     before[i] + i + 1);
}

UET_TEST(atomic_offsets, .id = "ses.3.4.4.offset-edges-of-fetching-sum",
         .requirements = "SES-013 SES-066", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .contested = true,
         .purpose = "buffer_offset of an atomic counts in all 64 bits, and a region ends where it "
                    "ends.",
         .preamble = "A region of more than 1 MiB, or as long as the FEP has one; PDC open.",
         .stimulus = "Fetching SUMs of a UINT64 at 0, 2^8, 2^16, 2^18, 2^31, 2^32 and 2^63, and so "
                     "that they end, or begin, where the region ends, or end at 2^32 and 2^64.",
         .expected = "Each element that lies in the region has what was added there, and no other. "
                     "The others bring RC_BAD_ADDR (RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE "
                     "are findings).")
{
    need_fetching_sum(tc);
    struct uet_memory m = uet_need_long_memory(tc, LONG, 64);
    const struct uet_edges e = places_in(m.length);
    struct uet_pdc *p = uet_pdc_open(tc);

    adds_inside(tc, p, &m, &e);
    for (size_t i = 0; i < e.n; i++) {
        if (e.value[i] <= m.length - 8)
            continue;
        struct uet_out o = fetching_sum(p, &m, e.value[i], 1);
        refused_or(tc, "SES-066", &o, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
                   UET_RC_AT_OUT_OF_RANGE);
        p->clear_psn = o.psn;
    }
}

UET_TEST(fetching_beyond_ack_data, .id = "ses.3.4.4.fetching-beyond-ack-data",
         .requirements = "SES-139", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester",
         .purpose = "An old value longer than Max_ACK_Data_Size comes on the return direction.",
         .preamble = "Max_ACK_Data_Size 4; a memory region; PDC open.",
         .stimulus = "A fetching SUM of a UINT64; the value is fetched once more.",
         .expected = "The old value in a Request, both times; the second has grown by the "
                     "operand.")
{
    need_fetching_sum(tc);
    uet_set_param(tc, "Max_ACK_Data_Size", 4);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out add = fetching_sum(p, &m, PLACE, 5), none = fetching_sum(p, &m, PLACE, 0);
    say(tc, &add);
    const struct uet_in *in = hear_return_data(tc, "SES-139", &add);
    uint64_t old = uet_rd64(data_in(tc, "SES-139", in, m.job_id, 8));
    say(tc, &none);
    in = hear_return_data(tc, "SES-139", &none);
    uet_check_eq(tc, "SES-139", "old value", uet_rd64(data_in(tc, "SES-139", in, m.job_id, 8)),
                 old + 5);
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

/* A SUM of UINT64 with the medium header, its extension right behind that (SES-020). */
static struct uet_out medium_sum(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m,
                                 bool plain)
{
    const uint8_t opcode = plain ? UET_OP_ATOMIC : UET_OP_FETCHING_ATOMIC;
    struct uet_out o = uet_medium(p, opcode, m, PLACE, on_the_wire(tc, 1), 8);
    uint8_t *ext = o.ses + o.ses_len;

    memset(ext, 0, UET_SES_EXT_ATOMIC_BYTES);
    uet_ses_ext_atomic_opcode_set(ext, UET_AMO_SUM);
    uet_ses_ext_atomic_datatype_set(ext, UET_TYPE_UINT64);
    o.ses_len += UET_SES_EXT_ATOMIC_BYTES;
    return o;
}

UET_TEST(medium_atomic_single, .id = "ses.3.4.2.2.medium-atomic-must-be-single",
         .requirements = "SES-015", .role = UET_ROLE_TARGET,
         .needs = "rud medium-header any-request upper-tester",
         .not_over = "rod", /* who drops it leaves a gap */
         .contested = true,
         .purpose = "An atomic with the medium header without SOM or EOM is an error.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUMs of UINT64 with the medium header, fetching or not as far as they are "
                     "claimed, with EOM=0 and with SOM=0.",
         .expected = "No success; the element is as before.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct kept before = keep(tc, &m, PLACE, 8);
    unsigned claimed = 0;
    for (int plain = 0; plain < 2; plain++) {
        if (!claims_atomic(tc, plain, UET_AMO_SUM, UET_TYPE_UINT64))
            continue;
        claimed++;
        for (int som = 0; som < 2; som++) {
            struct uet_out o = medium_sum(tc, p, &m, plain);
            uet_ses_req_som_set(o.ses, som);
            uet_ses_req_eom_set(o.ses, !som);
            not_executed(tc, "SES-015", &o);
            unchanged(tc, "SES-015", &before);
        }
    }
    if (claimed == 0)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no SUM of UINT64 is claimed");
}

/* ---- refusals, with the old value and without: of each form that the FEP claims ---- */

/* An atomic that is right, to be bent by the test; false: its form is not claimed. */
static bool right_one(struct uet_tc *tc, int plain, struct uet_atomic *a)
{
    *a = (struct uet_atomic){.amo = UET_AMO_SUM,
                             .datatype = UET_TYPE_UINT64,
                             .operand = uet_tc_bytes(tc, 32),
                             .n = 8,
                             .plain = plain};
    return claims_atomic(tc, plain, a->amo, a->datatype);
}

#define EACH_FORM(tc, a)                                                                           \
    for (int plain = 0; plain < 2; plain++)                                                        \
        if (right_one(tc, plain, &(a)))

static void need_sum(struct uet_tc *tc)
{
    struct uet_atomic a;
    if (!right_one(tc, 1, &a))
        need_fetching_sum(tc);
}

/* It is refused so, or by the other code of a known implementation; the element does not change. */
static void not_done(struct uet_tc *tc, const char *requirement, const struct uet_memory *m,
                     const struct uet_out *o, uint8_t code, uint8_t other)
{
    struct uet_atomic a;
    bool can_fetch = right_one(tc, 0, &a);
    uint64_t before = can_fetch ? value_at(tc, requirement, o->pdc, m, 0) : 0;
    struct kept k = can_fetch ? (struct kept){0} : keep(tc, m, 0, 32);

    if (code == other)
        refused(tc, requirement, o, code);
    else
        refused_or(tc, requirement, o, code, other);
    if (can_fetch)
        uet_check_eq(tc, requirement, "value", value_at(tc, requirement, o->pdc, m, 0), before);
    else
        unchanged(tc, requirement, &k);
}

UET_TEST(atomic_unaligned, .id = "ses.3.4.6.3.atomic-unaligned", .requirements = "SES-134",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "An atomic at an address that is not a multiple of its element is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUMs of UINT64, fetching and not, at offset 4, 1, and 12.",
         .expected = "RC_AMO_UNALIGNED (RC_BAD_ADDR is a finding); nothing changes.")
{
    need_sum(tc);
    static const uint64_t offsets[] = {4, 1, 12};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a;
    EACH_FORM(tc, a)
    for (size_t i = 0; i < 3; i++) {
        struct uet_out o = uet_atomic(p, &m, offsets[i], &a);
        not_done(tc, "SES-134", &m, &o, UET_RC_AMO_UNALIGNED, UET_RC_BAD_ADDR);
    }
}

/* The first of these that the FEP claims on that datatype, on 1; false: none. */
static bool claimed_on(struct uet_tc *tc, uint8_t datatype, bool is_plain, struct uet_atomic *a)
{
    static const uint8_t amos[] = {UET_AMO_SUM, UET_AMO_BOR,   UET_AMO_MAX,
                                   UET_AMO_LOR, UET_AMO_WRITE, UET_AMO_READ};
    const struct uet_element_type type = uet_element_type(datatype);

    for (size_t i = 0; type.kind && i < sizeof amos; i++) {
        if (!claims_atomic(tc, is_plain, amos[i], datatype))
            continue;
        *a = (struct uet_atomic){.amo = amos[i],
                                 .datatype = datatype,
                                 .operand = element(tc, datatype, "1"),
                                 .n = type.bytes,
                                 .plain = is_plain};
        return true;
    }
    return false;
}

/*
 * Done at a multiple of the element, so its region begins at one in memory, too. Then not between
 * two of them: in the middle of the element, or of one of the two numbers of a complex one.
 */
static void held_to_its_size(struct uet_pdc *p, const struct uet_memory *m,
                             const struct uet_atomic *a)
{
    struct uet_tc *tc = p->tc;
    const bool is_complex = uet_element_type(a->datatype).kind == UET_KIND_COMPLEX;
    const uint32_t at = 16 + a->n;
    struct uet_out aligned = uet_atomic(p, m, at, a);

    if (a->plain) {
        accepted(tc, "SES-134", &aligned);
    } else {
        say(tc, &aligned);
        hear(tc, "SES-134", DATA_OF(&aligned));
    }
    if (a->n == 1)
        return;
    struct kept k = keep(tc, m, 0, 64);
    struct uet_out between = uet_atomic(p, m, at + a->n / (is_complex ? 4 : 2), a);
    refused_or(tc, "SES-134", &between, UET_RC_AMO_UNALIGNED, UET_RC_BAD_ADDR);
    unchanged(tc, "SES-134", &k);
}

UET_TEST(atomic_unaligned_each_type, .id = "ses.3.4.6.3.atomic-unaligned-of-each-datatype",
         .requirements = "SES-134", .role = UET_ROLE_TARGET,
         .needs = "rud any-request upper-tester", .contested = true,
         .purpose = "An atomic is held to the size of its datatype, whatever that is.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "For each datatype that is claimed, with the old value and without: an atomic "
                     "at a multiple of its size; one half an element further on, or half a number "
                     "of a complex one.",
         .expected = "The first succeeds; the other gets RC_AMO_UNALIGNED (RC_BAD_ADDR is a "
                     "finding), and nothing changes.")
{
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = NULL;
    struct uet_atomic a;
    for (uint8_t type = 0; type < UET_ATOMIC_TYPES; type++)
        for (int plain = 0; plain < 2; plain++) {
            if (!claimed_on(tc, type, plain, &a))
                continue;
            p = p ? p : uet_pdc_open(tc);
            held_to_its_size(p, &m, &a);
        }
    if (!p)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "no atomic of one operand is claimed");
}

UET_TEST(atomic_in_error, .id = "ses.3.4.5.4.1.initiator-error-of-an-atomic",
         .requirements = "SES-111 SES-112", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An atomic that its initiator declares wrong is not done.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUMs of UINT64, fetching and not, with ie=1.",
         .expected = "RC_INITIATOR_ERROR; nothing changes.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a;
    EACH_FORM(tc, a)
    {
        struct uet_out o = uet_atomic(p, &m, 0, &a);
        uet_ses_req_ie_set(o.ses, true);
        not_done(tc, "SES-111", &m, &o, UET_RC_INITIATOR_ERROR, UET_RC_INITIATOR_ERROR);
    }
}

/* Of its extension only the first bytes are there. */
static void cut_in_extension(struct uet_tc *tc, const struct uet_memory *m,
                             const struct uet_atomic *a, uint8_t left)
{
    struct uet_out o = uet_atomic(uet_pdc_open(tc), m, 0, a);
    struct kept k = keep(tc, m, 0, 32);

    o.ses_len = (uint8_t)(UET_SES_REQ_STD_SOM1_BYTES + left);
    o.payload_len = 0;
    not_executed(tc, "SES-160", &o);
    unchanged(tc, "SES-160", &k);
}

/* So many PDCs may be left with such a packet: at most all but two that the FEP has. */
static uint64_t pdcs_for_cuts(struct uet_tc *tc)
{
    uint64_t pdcs = 8;

    if (uet_tc_told(tc, "max-pdcs", &pdcs) && pdcs < 3)
        pdcs = 3;
    return pdcs - 2;
}

UET_TEST(
    atomic_extension_cut, .id = "ses.3.4.2.4.atomic-extension-cut", .requirements = "SES-160",
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
    .purpose =
        "An atomic that lacks all or a part of its extension is not done, be it fetching or not.",
    .preamble = "A memory region; a PDC open for each, of at most all but two that the FEP has.",
    .stimulus = "SUMs of UINT64, fetching and not, that end with 0, 2 and 3 bytes of their "
                "extension.",
    .expected = "No success, or no answer; the memory does not change.")
{
    static const uint8_t left[] = {0, 2, 3};
    need_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_atomic a;
    uint64_t pdcs = pdcs_for_cuts(tc);
    EACH_FORM(tc, a)
    for (size_t i = 0; i < 3 && pdcs > 0; i++, pdcs--)
        cut_in_extension(tc, &m, &a, left[i]);
}

UET_TEST(
    operands_cut, .id = "ses.3.4.2.4.operands-cut", .requirements = "SES-160",
    .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
    .purpose = "A compare-and-swap that has not both of its operands is not done.",
    .preamble = "A memory region; a PDC open for each, of at most all but two that the FEP has.",
    .stimulus = "CSWAPs of UINT64 that end with 4, 20 and 35 of the 36 bytes of their extension.",
    .expected = "No success, or no answer; the memory does not change.")
{
    static const uint8_t left[] = {UET_SES_EXT_ATOMIC_BYTES, 20, UET_SES_EXT_CSWAP_BYTES - 1};
    need_atomic(tc, false, UET_AMO_CSWAP, UET_TYPE_UINT64);
    struct uet_memory m = uet_need_memory(tc, 64);
    const struct uet_atomic a = {.amo = UET_AMO_CSWAP,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(tc, 9),
                                 .n = 8,
                                 .compare = on_the_wire(tc, 0)};
    uint64_t pdcs = pdcs_for_cuts(tc);
    for (size_t i = 0; i < 3 && pdcs > 0; i++, pdcs--)
        cut_in_extension(tc, &m, &a, left[i]);
}

UET_TEST(atomic_size, .id = "ses.3.4.6.3.atomic-size", .requirements = "SES-133",
         .role = UET_ROLE_TARGET, .needs = "rud any-request", .contested = true,
         .purpose = "An atomic whose payload is no whole number of elements is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUMs of UINT64, fetching and not, with 12 bytes, with 4, and with 9.",
         .expected = "RC_AMO_UNSUPPORTED_SIZE (RC_OP_VIOLATION is a finding); nothing changes.")
{
    need_sum(tc);
    static const uint32_t sizes[] = {12, 4, 9};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a;
    EACH_FORM(tc, a)
    for (size_t i = 0; i < 3; i++) {
        a.n = sizes[i];
        struct uet_out o = uet_atomic(p, &m, 0, &a);
        not_done(tc, "SES-133", &m, &o, UET_RC_AMO_UNSUPPORTED_SIZE, UET_RC_OP_VIOLATION);
    }
}

UET_TEST(atomic_reserved_opcode, .id = "ses.3.4.6.3.atomic-reserved-opcode",
         .requirements = "SES-132", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .contested = true, .purpose = "An atomic operation that there is not is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Atomics on a UINT64, fetching and not, with atomic_opcode 0x15, and 0xff.",
         .expected = "RC_AMO_UNSUPPORTED_OP (RC_UNSUPPORTED_OP is a finding); nothing changes.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a;
    EACH_FORM(tc, a)
    for (int last = 0; last < 2; last++) {
        a.amo = last ? 0xff : 0x15;
        struct uet_out o = uet_atomic(p, &m, 0, &a);
        not_done(tc, "SES-132", &m, &o, UET_RC_AMO_UNSUPPORTED_OP, UET_RC_UNSUPPORTED_OP);
    }
}

UET_TEST(atomic_reserved_datatype, .id = "ses.3.4.6.3.atomic-reserved-datatype",
         .requirements = "SES-131", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .contested = true, .purpose = "An atomic on a datatype that there is not is refused.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUMs that do not fetch, with atomic_datatype 0x12, and 0xff.",
         .expected = "RC_AMO_UNSUPPORTED_DT (RC_UNSUPPORTED_OP is a finding); nothing changes.")
{
    need_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (int last = 0; last < 2; last++) {
        struct uet_atomic a;
        right_one(tc, 1, &a);
        a.datatype = last ? 0xff : 0x12;
        struct uet_out o = uet_atomic(p, &m, 0, &a);
        not_done(tc, "SES-131", &m, &o, UET_RC_AMO_UNSUPPORTED_DT, UET_RC_UNSUPPORTED_OP);
    }
}

UET_TEST(atomic_rights, .id = "ses.3.4.6.3.atomic-rights", .requirements = "SES-135",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester", .contested = true,
         .purpose = "An atomic needs both rights.",
         .preamble = "Memory that may be written only, and memory that may be read only; PDC open.",
         .stimulus = "A SUM, fetching and not, on each.",
         .expected = "RC_OP_VIOLATION (RC_PERM_VIOLATION is a finding); no value changes.")
{
    need_sum(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a;
    for (int i = 0; i < 2; i++) {
        struct uet_memory m =
            region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID, .resource_index = SOURCE_RI,
                   .key = 0xe00000000000u + (uet_tc_random(tc) & 0xffff), .length = 64,
                   .no_read = i == 0, .no_write = i == 1);
        struct kept k = keep(tc, &m, 0, 8);
        EACH_FORM(tc, a)
        {
            struct uet_out o = uet_atomic(p, &m, 0, &a);
            refused_or(tc, "SES-135", &o, UET_RC_OP_VIOLATION, UET_RC_PERM_VIOLATION);
            unchanged(tc, "SES-135", &k);
        }
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

UET_TEST(atomic_of_two_elements, .id = "ses.3.4.4.atomic-of-two-elements",
         .requirements = "SES-137 SES-139", .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An atomic on two elements changes each for itself, without a carry between.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUM without the old value of (2^64 - 1, 5) on two UINT64; both are fetched.",
         .expected = "The first is one less, the second five more; the one behind is as before. A "
                     "FEP that does one at once (RC_AMO_UNSUPPORTED_SIZE) is skipped.")
{
    need_fetching_sum(tc);
    need_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64);
    static const uint8_t two[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, [15] = 5};
    static const int64_t more[] = {-1, 5, 0};
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t before[3];
    for (unsigned i = 0; i < 3; i++)
        before[i] = value_at(tc, "SES-139", p, &m, PLACE + 8 * i);
    struct uet_atomic a = {UET_AMO_SUM, UET_TYPE_UINT64, two, 16, NULL, true, false};
    struct uet_out o = uet_atomic(p, &m, PLACE, &a);
    const struct uet_in *in = ask(tc, "SES-137", &o);
    if (code_told(in) == UET_RC_AMO_UNSUPPORTED_SIZE) {
        uet_other_reading(tc, "SES-137", "two whole elements are refused");
        uet_skip(tc, "the FEP does one element at once");
    }
    uet_check_success(tc, "SES-137", in);
    for (unsigned i = 0; i < 3; i++)
        uet_check_eq(tc, "SES-137", "value", value_at(tc, "SES-139", p, &m, PLACE + 8 * i),
                     before[i] + (uint64_t)more[i]);
}

UET_TEST(atomic_of_a_payload, .id = "ses.3.4.4.atomic-of-a-payload-mtu", .requirements = "SES-137",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An atomic on as many elements as a packet carries changes each of them.",
         .preamble = "A memory region; PDC open.",
         .stimulus =
             "SUM without the old value of a Payload MTU of UINT64; the first, the middle and "
             "the last are fetched.",
         .expected = "They are so much more; the one behind is as before. A FEP that does fewer at "
                     "once (RC_AMO_UNSUPPORTED_SIZE) is skipped.")
{
    need_fetching_sum(tc);
    need_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64);
    const uint32_t mtu = uet_tc_dut(tc)->payload_mtu, n = mtu / 8;
    const uint32_t places[] = {0, n / 2, n - 1, n};
    const uint8_t *more = uet_tc_bytes(tc, mtu);
    uint64_t before[4];
    struct uet_memory m = uet_need_memory(tc, mtu + 8);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = 0; i < 4; i++)
        before[i] = value_at(tc, "SES-139", p, &m, 8 * places[i]);
    struct uet_atomic a = {UET_AMO_SUM, UET_TYPE_UINT64, more, mtu, NULL, true, false};
    struct uet_out o = uet_atomic(p, &m, 0, &a);
    if (code_told(ask(tc, "SES-137", &o)) == UET_RC_AMO_UNSUPPORTED_SIZE)
        uet_skip(tc, "the FEP does fewer elements at once");
    for (unsigned i = 0; i < 4; i++)
        uet_check_eq(tc, "SES-137", "value", value_at(tc, "SES-139", p, &m, 8 * places[i]),
                     before[i] + (i < 3 ? uet_rd64(more + 8 * places[i]) : 0));
}

UET_TEST(atomic_once, .id = "ses.3.4.4.atomic-once", .requirements = "SES-136 PDS-132",
         .role = UET_ROLE_TARGET, .needs = "rud any-request",
         .purpose = "An atomic without the old value is done once, however often it comes.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "SUM of 1 on a UINT64; the same PSN again three times; the value is fetched.",
         .expected = "The value has grown by 1.")
{
    need_fetching_sum(tc);
    need_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t before = value_at(tc, "SES-136", p, &m, PLACE);
    struct uet_atomic a = {UET_AMO_SUM, UET_TYPE_UINT64, on_the_wire(tc, 1), 8, NULL, true, false};
    struct uet_out o = uet_atomic(p, &m, PLACE, &a);
    accepted(tc, "SES-136", &o);
    for (int i = 0; i < 3; i++)
        say_again(tc, &o);
    uet_check_eq(tc, "SES-136", "value", value_at(tc, "SES-136", p, &m, PLACE), before + 1);
}

UET_TEST(cswap_at_the_end, .id = "ses.3.4.2.4.cswap-at-the-end", .requirements = "SES-066 SES-179",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester",
         .purpose = "The range of a compare-and-swap is its element, not its request_length.",
         .preamble = "A memory region of 64 bytes; PDC open.",
         .stimulus = "CSWAPs of UINT64 at the last element, and at the first behind it.",
         .expected = "The first brings the old value; the second is refused with RC_BAD_ADDR "
                     "(RC_UNSUPPORTED_SIZE and RC_AT_OUT_OF_RANGE are findings).")
{
    need_atomic(tc, false, UET_AMO_CSWAP, UET_TYPE_UINT64);
    struct uet_memory m = region(tc, .job_id = UET_TC_JOB, .pid_on_fep = UET_TC_PID,
                                 .resource_index = SOURCE_RI, .key = 0xe10000000000u, .length = 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_atomic a = {.amo = UET_AMO_CSWAP,
                           .datatype = UET_TYPE_UINT64,
                           .operand = on_the_wire(tc, 9),
                           .n = 8,
                           .compare = on_the_wire(tc, 0)};
    struct uet_out last = uet_atomic(p, &m, 56, &a), behind = uet_atomic(p, &m, 64, &a);
    say(tc, &last);
    data_in(tc, "SES-179", hear(tc, "SES-139", DATA_OF(&last)), m.job_id, 8);
    refused_or(tc, "SES-066", &behind, UET_RC_BAD_ADDR, UET_RC_UNSUPPORTED_SIZE,
               UET_RC_AT_OUT_OF_RANGE);
}

UET_TEST(
    overflow_not_told, .id = "ses.3.4.6.3.overflow-not-told", .requirements = "SES-142",
    .role = UET_ROLE_TARGET, .needs = "write", .claim_binds = true,
    .purpose = "Floating-point exceptions are told only when signalling is on.",
    .preamble = "A memory region with FLOATs of 0x7f7f7f7f, which is near the largest; PDC open.",
    .stimulus = "One of them is multiplied by the same.",
    .expected = "Success. RC_AMO_FP_OVERFLOW is a finding: the FEP would have to be set to "
                "signal.")
{
    static const uint8_t large[] = {0x7f, 0x7f, 0x7f, 0x7f}; /* in either byte order */
    const struct uet_atomic product = {.amo = UET_AMO_PROD,
                                       .datatype = UET_TYPE_FLOAT,
                                       .operand = large,
                                       .n = sizeof large,
                                       .plain = true};
    need_atomic(tc, true, product.amo, product.datatype);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out fill = uet_write(p, &m, 0, large, sizeof large);
    accepted(tc, "SES-142", &fill);
    struct uet_out o = uet_atomic(p, &m, 0, &product);
    const struct uet_in *in = ask(tc, "SES-142", &o);
    if (code_told(in) >= UET_RC_AMO_FP_NAN && code_told(in) <= UET_RC_AMO_FP_INEXACT)
        uet_other_reading(tc, "SES-142", "the FEP signals floating-point exceptions");
    else
        uet_check_success(tc, "SES-142", in);
}

/* ---- what the FEP does not claim ---- */

/* Of each operation a datatype of each kind, whose element has at least 4 bytes. */
static const uint8_t kinds[] = {UET_TYPE_INT32, UET_TYPE_UINT64, UET_TYPE_DOUBLE,
                                UET_TYPE_FLOAT_COMPLEX};

/* Does the FEP claim a pair at all, of the opcode that brings the old value back or of the other?
 */
static bool claims_opcode(struct uet_tc *tc, bool plain)
{
    const struct uet_atomics *claims = &uet_tc_dut(tc)->atomics;
    uint32_t any = 0;

    for (size_t i = 0; i < UET_ATOMIC_OPS; i++)
        any |= plain ? claims->plain[i] : claims->fetching[i];
    return any;
}

/*
 * A FEP may do more than it claims. What it refuses it says so, by the operation or by the
 * datatype, and does not do.
 */
static void refused_or_done(struct uet_pdc *p, const struct uet_memory *m,
                            const struct uet_atomic *a)
{
    struct uet_tc *tc = p->tc;
    struct uet_out o = uet_atomic(p, m, 0, a);
    struct kept k = keep(tc, m, 0, 32);

    say(tc, &o);
    const struct uet_in *in = hear(tc, "SES-132", ANYTHING_OF(&o));
    if (!is_error_response(in))
        return;
    unchanged(tc, "SES-132", &k);
    if (!claims_opcode(tc, a->plain) && code_told(in) == UET_RC_UNSUPPORTED_OP)
        return; /* the opcode is none of its own */
    uet_check_code_or(tc, "SES-132", in, UET_RC_AMO_UNSUPPORTED_OP,
                      code_told(in) == UET_RC_UNSUPPORTED_OP ? UET_RC_UNSUPPORTED_OP
                                                             : UET_RC_AMO_UNSUPPORTED_DT);
}

UET_TEST(unclaimed_pairs, .id = "ses.3.4.6.3.unclaimed-pairs", .requirements = "SES-132 SES-131",
         .role = UET_ROLE_TARGET, .needs = "rud any-request upper-tester", .contested = true,
         .not_over = "all",
         .purpose = "An atomic operation that a FEP does not do on a datatype changes nothing.",
         .preamble = "A memory region; PDC open.",
         .stimulus = "Of each operation of Table 3-21, UET_AMO_INVAL too, those on INT32, UINT64, "
                     "DOUBLE and FLOAT_COMPLEX that are not claimed, fetching and not.",
         .expected = "RC_AMO_UNSUPPORTED_OP (RC_AMO_UNSUPPORTED_DT and RC_UNSUPPORTED_OP are "
                     "findings, but for an opcode of which no pair is claimed), and no byte "
                     "changes; or it is done, as a FEP may do more than it claims.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_memory(tc, 64);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (unsigned i = 0; i < 2u * (UET_AMO_INVAL + 1u) * sizeof kinds; i++) {
        struct uet_atomic a = {.amo = (uint8_t)(i / 2 / sizeof kinds),
                               .datatype = kinds[i / 2 % sizeof kinds],
                               .plain = i % 2};
        if (claims_atomic(tc, a.plain, a.amo, a.datatype))
            continue;
        a.operand = element(tc, a.datatype, "3");
        a.n = uet_element_type(a.datatype).bytes;
        if (a.amo >= UET_AMO_CSWAP && a.amo <= UET_AMO_MSWAP)
            a.compare = element(tc, a.datatype, "0");
        refused_or_done(p, &m, &a);
    }
}
