/* SPDX-License-Identifier: BSD-2-Clause */
/* 3.4.3.6.3: what disables a resource index with generations, and what opens it again. */
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/messages.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/target.h"

#define NEEDS "rod generations upper-tester"

static struct uet_pdc *rod_pdc(struct uet_tc *tc)
{
    struct uet_pdc *p = uet_pdc_new(tc);

    p->rod = true;
    return p;
}

static struct uet_out send_of(struct uet_pdc *p, const struct uet_memory *m, uint8_t generation)
{
    struct uet_memory of = *m;

    of.ri_generation = generation;
    return uet_send_message(p, &of, uet_tc_bytes(p->tc, TAGGED_BYTES), TAGGED_BYTES);
}

/* A FEP that keeps what finds no receive has not run out. */
static void not_kept(struct uet_tc *tc, const struct uet_in *in)
{
    if (tells_success(in))
        uet_skip_for(tc, UET_SKIP_FEP_CHOICE, "the FEP keeps a send without receive");
}

/* No receive is there, and the message says so; a known implementation says it from the next on. */
static void exhausts(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m,
                     uint8_t generation)
{
    struct uet_out o = send_of(p, m, generation);
    const struct uet_in *in = ask(tc, "SES-106", &o);

    not_kept(tc, in);
    code_or(tc, "SES-106", in, UET_RC_DISABLED_GEN, UET_RC_NO_MATCH);
}

static void disabled(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                     const struct uet_memory *m, uint8_t generation)
{
    struct uet_out o = send_of(p, m, generation);

    refused(tc, requirement, &o, UET_RC_DISABLED_GEN);
}

UET_TEST(exhaustion_disables, .id = "ses.3.4.3.6.3.exhaustion-disables", .requirements = "SES-106",
         .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "On ROD a send without receive disables its resource index, and no other.",
         .preamble = "Two send resources of generation 9, one with a receive.",
         .stimulus = "On ROD: two SENDs to the one without, a SEND to the other.",
         .expected = "RC_DISABLED_GEN twice (RC_NO_MATCH for the first is a finding); the last "
                     "one fills the receive. A FEP that keeps sends without receive is skipped.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9),
                      other = uet_need_generation(tc, TAGGED_BYTES, 0, 9);
    struct uet_pdc *p = rod_pdc(tc);
    uint64_t handle = untagged_receive(tc, &other);
    exhausts(tc, p, &m, 9);
    disabled(tc, "SES-106", p, &m, 9);
    struct uet_out o = send_of(p, &other, 9);
    matched(tc, "SES-106", &o, handle);
}

UET_TEST(exhausted_for_everybody, .id = "ses.3.4.3.6.3.exhausted-for-everybody",
         .requirements = "SES-106", .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "It is the index that is disabled, for whatever PDC a send comes on.",
         .preamble = "A send resource of generation 9 without receives; two ROD PDCs.",
         .stimulus = "A SEND on the one; then one on the other.",
         .expected = "RC_DISABLED_GEN (RC_NO_MATCH for the first is a finding).")
{
    need_pdcs(tc, 2);
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9);
    struct uet_pdc *p = rod_pdc(tc), *other = rod_pdc(tc);
    exhausts(tc, p, &m, 9);
    disabled(tc, "SES-106", other, &m, 9);
}

/* A receive for it; what else it takes to open it the application may have to say. */
static uint64_t supplied(struct uet_tc *tc, struct uet_pdc *p, const struct uet_memory *m,
                         uint8_t old)
{
    uint64_t handle = untagged_receive(tc, m);
    struct uet_out o = send_of(p, m, old);
    const struct uet_in *in = ask(tc, "SES-107", &o);

    if (code_told(in) == UET_RC_DISABLED_GEN) {
        uet_set_generation(tc, m, UET_UT_SEND, (uint8_t)(old + 1));
        o = send_of(p, m, old);
        in = ask(tc, "SES-107", &o);
    }
    uet_check_return_code(tc, "SES-107", in, UET_RC_BAD_GENERATION);
    field(tc, "SES-107", in, UET_F_SES_RI_GENERATION, (uint8_t)(old + 1));
    return handle;
}

UET_TEST(next_generation_opens, .id = "ses.3.4.3.6.3.next-generation-opens",
         .requirements = "SES-107 SES-106 SES-105", .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "A disabled index opens with a receive and the next generation, of 8 bits.",
         .preamble = "A send resource of generation 254 without receives.",
         .stimulus = "On ROD: a SEND; more of them, with the generation, and with the next one; a "
                     "receive is posted; a SEND with the old generation, one with the next; all "
                     "this three times.",
         .expected = "RC_DISABLED_GEN until the receive is there; then RC_BAD_GENERATION, which "
                     "tells 255, 0, 1; then the SEND fills the receive.")
{
    uint8_t generation = 254;
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, generation);
    struct uet_pdc *p = rod_pdc(tc);
    for (int i = 0; i < 3; i++, generation++) {
        uint8_t next = (uint8_t)(generation + 1);
        exhausts(tc, p, &m, generation);
        disabled(tc, "SES-107", p, &m, generation);
        disabled(tc, "SES-107", p, &m, next);
        uint64_t handle = supplied(tc, p, &m, generation);
        struct uet_out o = send_of(p, &m, next);
        matched(tc, "SES-107", &o, handle);
    }
}

UET_TEST(raised_once, .id = "ses.3.4.3.6.3.raised-once", .requirements = "SES-107",
         .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "Only the receive that opens a disabled index raises its generation.",
         .preamble = "A send resource of generation 9 without receives.",
         .stimulus = "On ROD a SEND; two receives are posted; two SENDs with generation 10.",
         .expected = "The index is disabled until there is a receive; both SENDs fill theirs.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9);
    struct uet_pdc *p = rod_pdc(tc);
    exhausts(tc, p, &m, 9);
    uint64_t handles[2];
    handles[0] = supplied(tc, p, &m, 9);
    handles[1] = untagged_receive(tc, &m);
    for (int i = 0; i < 2; i++) {
        struct uet_out o = send_of(p, &m, 10);
        matched(tc, "SES-107", &o, handles[i]);
    }
}

UET_TEST(receive_of_another_job, .id = "ses.3.4.3.6.3.receive-of-another-job",
         .requirements = "SES-107", .role = UET_ROLE_TARGET, .needs = "send " NEEDS,
         .purpose = "A receive of another JobID opens no index that is disabled.",
         .preamble = "A send resource of generation 9 without receives; one of another JobID "
                     "behind the same PIDonFEP and RI.",
         .stimulus = "On ROD a SEND; a receive of the other JobID is posted; a SEND; a receive of "
                     "its own; SENDs with generation 9 and 10.",
         .expected = "RC_DISABLED_GEN twice (RC_NO_MATCH for the first is a finding); then "
                     "RC_BAD_GENERATION, which tells 10; the last one fills its receive.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9), other = m;
    other.job_id ^= 0x100;
    const struct uet_ut_service service = {.job_id = other.job_id,
                                           .pid_on_fep = other.pid_on_fep,
                                           .resource_index = other.resource_index,
                                           .ri_class = UET_UT_SEND};
    uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    struct uet_pdc *p = rod_pdc(tc);
    exhausts(tc, p, &m, 9);
    untagged_receive(tc, &other);
    disabled(tc, "SES-107", p, &m, 9);
    uint64_t handle = supplied(tc, p, &m, 9);
    struct uet_out o = send_of(p, &m, 10);
    matched(tc, "SES-107", &o, handle);
}

UET_TEST(every_bit_of_a_generation, .id = "ses.3.4.3.6.3.every-bit-of-a-generation",
         .requirements = "SES-105", .role = UET_ROLE_TARGET,
         .needs = "send generations upper-tester", .purpose = "All 8 bits of a generation count.",
         .preamble = "A send resource of generation 0x5a with a receive; PDC open.",
         .stimulus = "SENDs whose ri_generation differs in one bit, each bit in turn; one with it.",
         .expected = "RC_BAD_GENERATION, which tells 0x5a, each time; the last one succeeds.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 0x5a);
    struct uet_pdc *p = uet_pdc_open(tc);
    uint64_t handle = untagged_receive(tc, &m);
    for (unsigned bit = 0; bit < 8; bit++) {
        struct uet_out o = send_of(p, &m, (uint8_t)(0x5a ^ 1u << bit));
        const struct uet_in *in = refused(tc, "SES-105", &o, UET_RC_BAD_GENERATION);
        field(tc, "SES-105", in, UET_F_SES_RI_GENERATION, 0x5a);
    }
    struct uet_out o = send_of(p, &m, 0x5a);
    matched(tc, "SES-105", &o, handle);
}

UET_TEST(generation_of_tags, .id = "ses.3.4.3.6.3.generation-of-tagged-sends",
         .requirements = "SES-105", .role = UET_ROLE_TARGET,
         .needs = "tagged generations upper-tester",
         .purpose = "A tagged send with a wrong generation is refused as an untagged one is.",
         .preamble = "A tagged resource with generation 9, a receive; PDC open.",
         .stimulus = "Tagged sends with its tag and ri_generation 10, 8 and 0; one with 9.",
         .expected = "RC_BAD_GENERATION with ri_generation 9 for each; the last one fills the "
                     "receive.")
{
    static const uint8_t wrong[] = {10, 8, 0};
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    uet_set_generation(tc, &m, UET_UT_TAGGED, 9);
    uint64_t handle = tag_receive(tc, &m, .match_bits = 0x43);
    for (size_t i = 0; i < 3; i++) {
        m.ri_generation = wrong[i];
        struct uet_out o = tagged_send(p, &m, 0x43);
        const struct uet_in *in = refused(tc, "SES-105", &o, UET_RC_BAD_GENERATION);
        field(tc, "SES-105", in, UET_F_SES_RI_GENERATION, 9);
    }
    m.ri_generation = 9;
    struct uet_out o = tagged_send(p, &m, 0x43);
    matched(tc, "SES-105", &o, handle);
}

UET_TEST(exhaustion_by_space, .id = "ses.3.4.3.6.3.exhaustion-by-space",
         .requirements = "SES-094 SES-106", .role = UET_ROLE_TARGET, .needs = "send tagged " NEEDS,
         .purpose = "Tagged and untagged receives of an index run out each for themselves.",
         .preamble = "Both spaces of a resource index with generation 9, a tagged receive.",
         .stimulus = "On ROD a SEND, then a tagged send with that tag.",
         .expected = "The SEND gets RC_DISABLED_GEN; the tagged send fills its receive.")
{
    struct uet_memory m = uet_need_tagged(tc);
    struct uet_pdc *p = rod_pdc(tc);
    uet_set_generation(tc, &m, UET_UT_SEND, 9);
    uet_set_generation(tc, &m, UET_UT_TAGGED, 9);
    m.ri_generation = 9;
    uint64_t handle = tag_receive(tc, &m, .match_bits = 0x42);
    exhausts(tc, p, &m, 9);
    struct uet_out o = tagged_send(p, &m, 0x42);
    matched(tc, "SES-094", &o, handle);
}

UET_TEST(exhausted_message, .id = "ses.3.4.3.6.3.exhausted-message",
         .requirements = "SES-116 SES-107", .role = UET_ROLE_TARGET,
         .needs = "send multi-packet-send " NEEDS,
         .purpose = "A message that was refused so is refused to its end, and disables once.",
         .preamble = "A send resource of generation 9 without receives.",
         .stimulus = "On ROD the first packet of a SEND of two; a receive is posted; the second "
                     "packet; a SEND with generation 10.",
         .expected = "The code of the first packet for the second, too; the last one fills the "
                     "receive.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9);
    struct uet_pdc *p = rod_pdc(tc);
    struct message long_one =
        message(tc, .opcode = UET_OP_SEND, .packets = 2, .last = 100, .m = m, .p = p);
    const struct uet_in *in = ask(tc, "SES-106", &long_one.o[0]);
    not_kept(tc, in);
    uint8_t code = code_told(in);
    code_or(tc, "SES-106", in, UET_RC_DISABLED_GEN, UET_RC_NO_MATCH);
    uint64_t handle = untagged_receive(tc, &m);
    refused(tc, "SES-116", &long_one.o[1], code);
    struct uet_out o = send_of(p, &m, 10);
    in = ask(tc, "SES-107", &o);
    if (code_told(in) == UET_RC_DISABLED_GEN)
        uet_skip_for(tc, UET_SKIP_FEP_CHOICE, "the FEP does not open the index by itself");
    uet_check_success(tc, "SES-107", in);
    received(tc, "SES-107", &o, handle);
}

UET_TEST(rud_disables_nothing, .id = "ses.3.4.3.6.3.rud-disables-nothing",
         .requirements = "SES-106 SES-096", .role = UET_ROLE_TARGET,
         .needs = "rud send generations upper-tester", .contested = true, .not_over = "rod",
         .purpose = "On RUD, where nothing is in order, a send without receive disables nothing.",
         .preamble = "A send resource of generation 9 without receives; PDC open.",
         .stimulus = "A SEND; a receive is posted; a SEND with the same generation.",
         .expected = "RC_NO_MATCH; the second one fills the receive. A FEP that disables here, "
                     "too, is a finding.")
{
    struct uet_memory m = uet_need_generation(tc, TAGGED_BYTES, 0, 9);
    struct uet_pdc *p = uet_pdc_open(tc);
    struct uet_out first = send_of(p, &m, 9), second = send_of(p, &m, 9);
    const struct uet_in *in = ask(tc, "SES-096", &first);
    not_kept(tc, in);
    code_or(tc, "SES-096", in, UET_RC_NO_MATCH, UET_RC_DISABLED_GEN);
    uint64_t handle = untagged_receive(tc, &m);
    in = ask(tc, "SES-106", &second);
    if (!is_error_response(in))
        received(tc, "SES-106", &second, handle);
    else
        uet_other_reading(tc, "SES-106", "a send on RUD disabled its resource index");
}
