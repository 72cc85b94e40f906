/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.4, 3.4.6.2: atomics on the receive that a tag finds, as the target does them. */
#include "conformance/harness/steps/atomics.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define NEEDS "tagged tagged-atomics upper-tester"
#define PLACE 16u /* of the element in its receive; the bytes beside it are not to change */

/* The forms that the FEP claims of a SUM of two UINT64: with the old value, and without. */
#define EACH_FORM(tc)                                                                              \
    for (int plain = 0; plain < 2; plain++)                                                        \
        if (claims_atomic(tc, plain, UET_AMO_SUM, UET_TYPE_UINT64))

static void need_sum(struct uet_tc *tc)
{
    if (!claims_atomic(tc, true, UET_AMO_SUM, UET_TYPE_UINT64))
        need_fetching_sum(tc);
}

static struct uet_out by_tag(struct uet_pdc *p, const struct uet_memory *m, uint64_t tag,
                             uint64_t offset, const struct uet_atomic *a)
{
    struct uet_memory tagged = *m;
    struct uet_atomic atomic = *a;
    tagged.key = tag;
    atomic.tagged = true;
    struct uet_out o = uet_atomic(p, &tagged, offset, &atomic);
    uet_ses_req_initiator_set(o.ses, UET_TC_SENDER);
    return o;
}

static struct uet_out sum(struct uet_pdc *p, const struct uet_memory *m, uint64_t tag,
                          uint64_t operand, bool plain)
{
    const struct uet_atomic a = {.amo = UET_AMO_SUM,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(p->tc, operand),
                                 .n = 8,
                                 .plain = plain};
    return by_tag(p, m, tag, PLACE, &a);
}

/* The receive, zero when it was posted, has that element and nothing else. */
static void holds(struct uet_tc *tc, const char *requirement, uint64_t handle, uint64_t value)
{
    const struct uet_memory buffer = {.handle = handle};
    uint8_t all[TAGGED_BYTES] = {0};

    memcpy(all + PLACE, in_memory(tc, UET_TYPE_UINT64, on_the_wire(tc, value), 8), 8);
    memory_holds(tc, requirement, &buffer, 0, all, sizeof all);
}

/* Says it: it is done in that receive; the old value is the 0 that stood there. */
static void lands(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
                  uint64_t handle, uint64_t value)
{
    if (uet_ses_req_opcode(o->ses) == UET_OP_TSEND_ATOMIC)
        accepted(tc, requirement, o);
    else
        uet_check_eq(tc, "SES-139", "old value", fetched(tc, requirement, o), 0);
    holds(tc, requirement, handle, value);
}

/* Says it: whatever comes of it, it ends that receive not as a success, and changes nothing there.
 */
static void not_there(struct uet_tc *tc, const char *requirement, const struct uet_out *o,
                      uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};
    struct kept k = keep(tc, &buffer, 0, TAGGED_BYTES);

    whatever_comes_of(tc, o);
    must_not_succeed(tc, requirement, handle);
    unchanged(tc, requirement, &k);
}

UET_TEST(tagged_atomics_shuffled, .id = "ses.3.4.6.2.tagged-atomics-shuffled",
         .requirements = "SES-091 SES-137 SES-139", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "An atomic by tag is done in the receive with its tag, whatever the order.",
         .preamble = "Receives of zeros for the tags 1 to 4; PDC open.",
         .stimulus =
             "SUMs of UINT64 at offset 16 with the tags 3, 1, 4, 2: UET_TSEND_FETCH_ATOMIC, "
             "then on receives of the tags 5 to 8 UET_TSEND_ATOMIC.",
         .expected = "Each finds 0 and leaves its operand in the receive of its tag, in the host's "
                     "byte order, and nothing else there.")
{
    static const uint64_t order[] = {3, 1, 4, 2};
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    EACH_FORM(tc)
    {
        uint64_t handles[5];
        for (uint64_t tag = 1; tag <= 4; tag++)
            handles[tag] = tag_receive(tc, &m, .match_bits = tag + 4u * (unsigned)plain);
        for (size_t i = 0; i < 4; i++) {
            uint64_t operand = 0x0102030405060708 + order[i];
            struct uet_out o = sum(p, &m, order[i] + 4u * (unsigned)plain, operand, plain);
            lands(tc, "SES-091", &o, handles[order[i]], operand);
        }
    }
}

UET_TEST(tagged_atomic_of_a_stranger, .id = "ses.3.4.6.2.tagged-atomic-of-a-stranger",
         .requirements = "SES-091 SES-092", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "An atomic finds a receive by all 64 match bits and by its initiator.",
         .preamble = "A receive for a random tag, from one initiator; PDC open.",
         .stimulus = "SUMs with a tag that differs in one bit: 0, 31, 32, 63; with the tag, from "
                     "another initiator; with both right.",
         .expected = "The last one alone is done in the receive.")
{
    static const unsigned bits[] = {0, 31, 32, 63};
    uint64_t tag = uet_tc_random(tc) << 32 | (uint32_t)uet_tc_random(tc);
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    EACH_FORM(tc)
    {
        uint64_t handle =
            tag_receive(tc, &m, .match_bits = tag, .from = true, .initiator = UET_TC_SENDER);
        for (size_t i = 0; i < 4; i++) {
            struct uet_out other = sum(p, &m, tag ^ UINT64_C(1) << bits[i], 5, plain);
            not_there(tc, "SES-092", &other, handle);
        }
        struct uet_out stranger = sum(p, &m, tag, 5, plain), own = sum(p, &m, tag, 9, plain);
        uet_ses_req_initiator_set(stranger.ses, UET_TC_SENDER ^ 0x10000);
        not_there(tc, "SES-091", &stranger, handle);
        lands(tc, "SES-091", &own, handle, 9);
    }
}

UET_TEST(tagged_atomic_and_untagged, .id = "ses.3.4.6.2.tagged-atomic-and-untagged",
         .requirements = "SES-094", .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "An atomic by tag takes no untagged receive.",
         .preamble = "An untagged receive on the RI; PDC open.",
         .stimulus = "A SUM by the tag 0; a SEND.",
         .expected = "The SUM changes nothing in the receive, which the SEND fills.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = untagged_receive(tc, &m);
    EACH_FORM(tc)
    {
        struct uet_out o = sum(p, &m, 0, 5, plain);
        not_there(tc, "SES-094", &o, handle);
    }
    struct uet_out send = uet_send_message(p, &m, uet_tc_bytes(tc, TAGGED_BYTES), TAGGED_BYTES);
    matched(tc, "SES-094", &send, handle);
}

UET_TEST(tagged_atomic_once, .id = "ses.3.4.6.2.tagged-atomic-once",
         .requirements = "SES-136 PDS-132", .role = UET_ROLE_TARGET,
         .needs = "wildcard-tags " NEEDS, /* else either of two may be first (SES-178) */
         .purpose = "An atomic by tag that comes twice is done once, in one receive.",
         .preamble = "Two receives with one tag, one with another; PDC open.",
         .stimulus = "A SUM of 5 by that tag; the same PSN again with retx=1, with retx=0, and "
                     "with retx=1; a SUM by another tag.",
         .expected = "The first receive has 5, the second one 0.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    EACH_FORM(tc)
    {
        uint64_t tag = 0x77 + (unsigned)plain, first = tag_receive(tc, &m, .match_bits = tag);
        const struct uet_memory second = {.handle = tag_receive(tc, &m, .match_bits = tag)};
        uint64_t after = tag_receive(tc, &m, .match_bits = tag + 2);
        struct kept k = keep(tc, &second, 0, TAGGED_BYTES);
        struct uet_out o = sum(p, &m, tag, 5, plain), next = sum(p, &m, tag + 2, 6, plain);
        lands(tc, "SES-136", &o, first, 5);
        say_again(tc, &o);
        say(tc, &o);
        say_again(tc, &o);
        lands(tc, "SES-136", &next, after, 6);
        holds(tc, "SES-136", first, 5);
        unchanged(tc, "SES-136", &k);
    }
}

/* What no atomic may be, as Tables 3-21 and 3-22 and the receive have it. */
static const struct wrong_atomic {
    const char *requirement;
    uint8_t amo, datatype;
    uint32_t n;
    uint64_t offset;
    uint8_t code, other; /* other: of a known implementation, a finding */
} wrong_atomics[] = {
    {"SES-131", UET_AMO_SUM, 0x12, 8, 0, UET_RC_AMO_UNSUPPORTED_DT, UET_RC_UNSUPPORTED_OP},
    {"SES-132", 0x15, UET_TYPE_UINT64, 8, 0, UET_RC_AMO_UNSUPPORTED_OP, UET_RC_UNSUPPORTED_OP},
    {"SES-133", UET_AMO_SUM, UET_TYPE_UINT64, 12, 0, UET_RC_AMO_UNSUPPORTED_SIZE,
     UET_RC_OP_VIOLATION},
    {"SES-134", UET_AMO_SUM, UET_TYPE_UINT64, 8, 4, UET_RC_AMO_UNALIGNED, UET_RC_BAD_ADDR},
    {"SES-101", UET_AMO_SUM, UET_TYPE_UINT64, 8, TAGGED_BYTES, UET_RC_TOO_LONG, UET_RC_BAD_ADDR},
};

UET_TEST(tagged_atomic_refused, .id = "ses.3.4.6.3.tagged-atomic-refused",
         .requirements = "SES-131 SES-132 SES-133 SES-134 SES-101", .role = UET_ROLE_TARGET,
         .needs = NEEDS, .contested = true,
         .purpose = "An atomic by tag is refused for what refuses one by key.",
         .preamble = "For each a receive with its tag; PDC open.",
         .stimulus = "SUMs, fetching and not: of datatype 0x12, of operation 0x15, with 12 bytes "
                     "of a UINT64, at offset 4, behind the end of the receive.",
         .expected = "RC_AMO_UNSUPPORTED_DT, RC_AMO_UNSUPPORTED_OP, RC_AMO_UNSUPPORTED_SIZE, "
                     "RC_AMO_UNALIGNED, RC_TOO_LONG (RC_BAD_ADDR, RC_UNSUPPORTED_OP and "
                     "RC_OP_VIOLATION are findings); no byte of the receive changes.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    EACH_FORM(tc)
    for (size_t i = 0; i < sizeof wrong_atomics / sizeof *wrong_atomics; i++) {
        const struct wrong_atomic *w = &wrong_atomics[i];
        const struct uet_atomic a = {w->amo, w->datatype, uet_tc_bytes(tc, 16), w->n,
                                     .plain = plain};
        uint64_t tag = 0x100 + 2 * i + (unsigned)plain;
        const struct uet_memory buffer = {.handle = tag_receive(tc, &m, .match_bits = tag)};
        struct kept k = keep(tc, &buffer, 0, TAGGED_BYTES);
        struct uet_out o = by_tag(p, &m, tag, w->offset, &a);
        refused_or(tc, w->requirement, &o, w->code, w->other, UET_RC_UNSUPPORTED_SIZE);
        unchanged(tc, w->requirement, &k);
    }
}

UET_TEST(tagged_atomic_is_not_cut, .id = "ses.3.4.6.3.tagged-atomic-is-not-cut",
         .requirements = "SES-102", .role = UET_ROLE_TARGET, .needs = "truncation " NEEDS,
         .claim_binds = true,
         .purpose = "A receive that cuts what is too long does not cut an atomic.",
         .preamble = "Receives of 20 bytes that truncate; PDC open.",
         .stimulus = "A SUM at offset 16, of which 4 bytes lie in the receive.",
         .expected = "It does not succeed, and no byte changes.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    EACH_FORM(tc)
    {
        uint64_t tag = 0x300 + (unsigned)plain;
        const struct uet_memory buffer = {
            .handle =
                tag_receive(tc, &m, .match_bits = tag, .length = PLACE + 4, .truncate = true)};
        struct kept k = keep(tc, &buffer, 0, PLACE + 4);
        struct uet_out o = sum(p, &m, tag, UINT64_MAX, plain);
        not_executed(tc, "SES-102", &o);
        unchanged(tc, "SES-102", &k);
    }
}

UET_TEST(tagged_cswap_at_the_end, .id = "ses.3.4.6.2.tagged-cswap-at-the-end",
         .requirements = "SES-179", .role = UET_ROLE_TARGET, .needs = NEEDS,
         .purpose = "A compare-and-swap by tag needs room for its element, not for its operands.",
         .preamble = "A receive of 24 bytes of zeros; PDC open.",
         .stimulus = "A CSWAP of UINT64 at offset 16, compare 0, swap 0x55.",
         .expected = "8 bytes of the old value, 0, modified_length 32; the receive has 0x55 there.")
{
    need_atomic(tc, false, UET_AMO_CSWAP, UET_TYPE_UINT64);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    const struct uet_memory buffer = {
        .handle = tag_receive(tc, &m, .match_bits = 0x66, .length = PLACE + 8)};
    const struct uet_atomic a = {.amo = UET_AMO_CSWAP,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(tc, 0x55),
                                 .n = 8,
                                 .compare = on_the_wire(tc, 0)};
    struct uet_out o = by_tag(p, &m, 0x66, PLACE, &a);
    say(tc, &o);
    const struct uet_in *in = hear(tc, "SES-179", DATA_OF(&o));
    uet_check_eq(tc, "SES-141", "old value", uet_rd64(data_in(tc, "SES-179", in, m.job_id, 8)), 0);
    uet_check_eq(tc, "SES-179", "modified_length",
                 uet_ses_rsp_data_modified_length(uet_ses(&in->packet)), 32);
    memory_holds(tc, "SES-179", &buffer, PLACE,
                 in_memory(tc, UET_TYPE_UINT64, on_the_wire(tc, 0x55), 8), 8);
}

UET_TEST(tagged_atomic_ends_its_receive, .id = "ses.3.4.6.2.tagged-atomic-ends-its-receive",
         .requirements = "SES-163", .role = UET_ROLE_TARGET, .needs = "wildcard-tags rod " NEEDS,
         .contested = true,
         .purpose = "Atomics and sends by one tag take its receives one after the other.",
         .preamble = "Three receives with one tag; PDC open.",
         .stimulus = "On ROD by that tag: a SUM, a tagged send, a SUM.",
         .expected = "The first SUM ends the first receive, the send fills the second, the last "
                     "SUM is done in the third. A receive that stays posted is a finding.")
{
    need_sum(tc);
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = true;
    EACH_FORM(tc)
    {
        uint64_t tag = 0x500 + (unsigned)plain, handles[3];
        struct uet_ut_completion c;
        for (size_t i = 0; i < 3; i++)
            handles[i] = tag_receive(tc, &m, .match_bits = tag);
        struct uet_out first = sum(p, &m, tag, 1, plain), send = tagged_send(p, &m, tag),
                       last = sum(p, &m, tag, 3, plain);
        lands(tc, "SES-163", &first, handles[0], 1);
        if (!uet_completion(tc, handles[0], 0, &c)) {
            uet_other_reading(tc, "SES-163", "an atomic by tag leaves its receive posted");
            return;
        }
        matched(tc, "SES-163", &send, handles[1]);
        lands(tc, "SES-163", &last, handles[2], 3);
    }
}
