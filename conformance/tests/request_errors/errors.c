/* SPDX-License-Identifier: BSD-2-Clause */
/* How a request comes to fail at each of the checks (3.4.1.3, 3.5.8.2). */
#include "conformance/harness/steps/tagged.h"
#include "conformance/harness/steps/target.h"
#include "conformance/tests/request_errors.h"

#define JOB        0x00a40
#define OTHER_JOB  0x5a0a40 /* it differs in its high bits alone */
#define NO_JOB     0xabcdef
#define NOWHERE    4095
#define LENGTH     64u
#define LONG       (1024 * 1024u + 64)
#define GENERATION 9

/* ---- of the PDS ---- */

static void to_no_pdc(struct uet_tc *tc, struct wrong_request *r)
{
    struct uet_pdc *q = uet_pdc_new(tc);

    q->fep_pdcid = unused_pdcid(r->pdc);
    q->auto_close = false;
    r->pdc = q;
}

static void from_a_stranger(struct uet_tc *tc, struct wrong_request *r)
{
    r->pdc = stranger(tc, r->pdc);
}

static void in_the_other_mode(const struct uet_tc *tc, struct uet_out *o)
{
    (void)tc;
    uet_rud_rod_req_type_set(o->pds, UET_PDS_ROD_REQ);
}

/* ---- of the address ---- */

static void to_no_job(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.relative = true;
    r->memory.job_id = NO_JOB;
}

static void to_no_pid(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.pid_on_fep = NOWHERE;
}

static void to_no_index(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.resource_index = NOWHERE;
}

static void of_another_generation(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.ri_generation = GENERATION + 1;
}

static void with_a_reserved_opcode(const struct uet_tc *tc, struct uet_out *o)
{
    (void)tc;
    uet_ses_req_opcode_set(o->ses, 0x2f);
}

/* ---- of the buffer ---- */

static void with_no_key(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13): a key that nobody has */
}

static void of_another_job(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->memory.relative = false;
    r->memory.job_id = OTHER_JOB;
}

static void past_the_end(struct uet_tc *tc, struct wrong_request *r)
{
    (void)tc;
    r->offset = r->memory.length;
}

/* ---- all of them ---- */

#define SET(check) (1u << (check))

/* An opcode that nobody knows has no class, and so no space of RIs to fail in (3.4.1.3.3). */
const struct request_error request_errors[UET_N_CHECKS] = {
    [UET_CHECK_UNKNOWN_DPDCID] = {.rma = true,
                                  .send = true,
                                  .alone = SET(UET_CHECK_OTHER_PEER),
                                  .aim = to_no_pdc},
    [UET_CHECK_OTHER_PEER] = {.rma = true, .send = true, .aim = from_a_stranger},
    [UET_CHECK_OTHER_MODE] = {.rma = true, .send = true, .rod = true, .alter = in_the_other_mode},
    [UET_CHECK_JOB] = {.rma = true,
                       .send = true,
                       .alone = SET(UET_CHECK_AUTHORIZATION),
                       .aim = to_no_job},
    [UET_CHECK_PID] = {.rma = true, .send = true, .aim = to_no_pid},
    [UET_CHECK_INDEX] = {.rma = true,
                         .send = true,
                         .alone = SET(UET_CHECK_OPCODE),
                         .aim = to_no_index},
    /* The buffer is already so that it fails: buffer_for(). */
    [UET_CHECK_DISABLED] = {.send = true,
                            .upper_tester = true,
                            .alone = SET(UET_CHECK_DISABLED_GEN) | SET(UET_CHECK_GENERATION) |
                                     SET(UET_CHECK_OPCODE)},
    [UET_CHECK_DISABLED_GEN] = {.send = true,
                                .upper_tester = true,
                                .generations = true,
                                .alone = SET(UET_CHECK_OPCODE)},
    [UET_CHECK_GENERATION] = {.send = true,
                              .upper_tester = true,
                              .generations = true,
                              .alone = SET(UET_CHECK_OPCODE),
                              .aim = of_another_generation},
    [UET_CHECK_OPCODE] = {.rma = true, .send = true, .alter = with_a_reserved_opcode},
    [UET_CHECK_KEY] = {.rma = true,
                       .alone = SET(UET_CHECK_AUTHORIZATION) | SET(UET_CHECK_RIGHT),
                       .aim = with_no_key},
    [UET_CHECK_RECEIVE] = {.send = true, .upper_tester = true},
    [UET_CHECK_AUTHORIZATION] = {.rma = true, .upper_tester = true, .aim = of_another_job},
    [UET_CHECK_RIGHT] = {.rma = true, .upper_tester = true},
    [UET_CHECK_RANGE] = {.rma = true, .aim = past_the_end},
};

bool can_have(enum uet_check_id check, enum carrier_id carrier)
{
    const struct request_error *e = &request_errors[check];
    const struct carrier *c = &carriers[carrier];

    if (c->rudi && uet_request_checks[check].pds)
        return false;
    if (check == UET_CHECK_KEY && c->header == UET_UT_HEADER_SMALL)
        return false;
    /* What stands behind the header of an opcode that nobody knows is no extension. */
    if (check == UET_CHECK_OPCODE && is_extended(c))
        return false;
    return is_send(c) ? e->send : e->rma;
}

const char *lacks_for(struct uet_tc *tc, enum uet_check_id check)
{
    const struct request_error *e = &request_errors[check];

    if (e->upper_tester && !uet_tc_ut(tc))
        return "only an upper tester makes it possible";
    if (e->generations && !uet_tc_dut(tc)->claims[UET_PICS_GENERATIONS])
        return "generations is not claimed";
    if (e->rod && !uet_tc_dut(tc)->claims[UET_PICS_ROD])
        return "rod is not claimed";
    return NULL;
}

static struct uet_memory receive_with_tag(struct uet_tc *tc)
{
    struct uet_memory m = uet_need_tagged(tc);

    tag_receive(tc, &m, .match_bits = REQUEST_TAG);
    return m;
}

static struct uet_memory receive_for(struct uet_tc *tc, bool tagged, bool none, bool disabled,
                                     bool generation)
{
    struct uet_memory m =
        tagged ? receive_with_tag(tc) : uet_need_receive(tc, LENGTH, none ? 0 : 1);
    const struct uet_ut_service service = {.job_id = m.job_id,
                                           .pid_on_fep = m.pid_on_fep,
                                           .resource_index = m.resource_index,
                                           .ri_class = tagged ? UET_UT_TAGGED : UET_UT_SEND,
                                           .has_generation = generation,
                                           .generation = generation ? GENERATION : 0,
                                           .disabled = disabled};

    if (disabled || generation)
        uet_did(tc, uet_ut_service(uet_tc_ut(tc), &service), "service");
    m.ri_generation = service.generation;
    return m;
}

/* An RI that no other request of this test has: they differ in their form, or their last error. */
static uint16_t index_of(uint32_t errors, enum carrier_id carrier)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < UET_N_CHECKS; i++)
        last = errors & SET(i) ? i : last;
    return (uint16_t)(0x400 | carrier << 5 | last);
}

/* A region whose key is of the kind that the form wants (Table 2-13). */
static struct uet_ut_memory region_like(uint32_t errors, enum carrier_id carrier, bool any_job)
{
    const bool no_right = errors & SET(UET_CHECK_RIGHT);
    const struct carrier *c = &carriers[carrier];
    struct uet_ut_memory like = {.job_id = JOB,
                                 .pid_on_fep = 9,
                                 .resource_index = index_of(errors, carrier),
                                 .length = LENGTH,
                                 .any_job = any_job};

    like.key = c->header == UET_UT_HEADER_SMALL ? 1ull << 62 | like.resource_index
                                                : 0x4000u + like.resource_index;
    if (c->rudi)
        like.key |= 1ull << 63;
    if (c->opcode == UET_OP_READ)
        like.no_read = no_right;
    else
        like.no_write = no_right;
    return like;
}

static struct uet_memory region_for(struct uet_tc *tc, uint32_t errors, enum carrier_id carrier,
                                    bool any_job)
{
    const struct uet_ut_memory like = region_like(errors, carrier, any_job);

    return uet_need_memory_like(tc, &like);
}

/* Its key is of a kind of its own. */
static bool is_of_a_kind(const struct carrier *c)
{
    return c->rudi || c->header == UET_UT_HEADER_SMALL;
}

struct uet_memory buffer_for(struct uet_tc *tc, uint32_t errors, enum carrier_id carrier)
{
    const struct carrier *c = &carriers[carrier];
    bool gen = errors & (SET(UET_CHECK_GENERATION) | SET(UET_CHECK_DISABLED_GEN));

    if (is_send(c))
        return receive_for(tc, is_by_tag(c), errors & SET(UET_CHECK_RECEIVE),
                           errors & (SET(UET_CHECK_DISABLED) | SET(UET_CHECK_DISABLED_GEN)), gen);
    bool made_to_measure =
        is_of_a_kind(c) || errors & (SET(UET_CHECK_AUTHORIZATION) | SET(UET_CHECK_RIGHT));
    return made_to_measure ? region_for(tc, errors, carrier, false) : uet_need_memory(tc, LENGTH);
}

struct uet_memory long_buffer_for(struct uet_tc *tc, enum carrier_id carrier)
{
    struct uet_ut_memory like = region_like(0, carrier, false);

    if (!is_of_a_kind(&carriers[carrier]))
        return uet_need_long_memory(tc, LONG, LENGTH);
    like.length = LONG;
    return uet_need_memory_up_to(tc, &like, LENGTH);
}

struct uet_memory buffer_of_anybody(struct uet_tc *tc, enum carrier_id carrier)
{
    const bool tagged = is_by_tag(&carriers[carrier]);
    struct uet_memory m;

    if (!is_send(&carriers[carrier])) {
        m = region_for(tc, 0, carrier, true);
    } else {
        m = tagged ? uet_need_tagged(tc) : uet_need_empty(tc);
        const struct uet_ut_receive like = {
            .any_job = true, .tagged = tagged, .match_bits = REQUEST_TAG, .length = LENGTH};
        m.handle = uet_tag_receive(tc, &m, &like);
    }
    m.relative = false;
    m.job_id = NO_JOB;
    return m;
}
