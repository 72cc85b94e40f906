/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of atomics (ses/atomic.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

static struct ses_op *row(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_FETCHING_ATOMIC];
}

static bool is_atomic(const struct uet_packet *p)
{
    return uet_is_ses_request(p) && uet_ses_req_opcode(uet_ses(p)) == UET_OP_FETCHING_ATOMIC;
}

/* ---- as target ---- */

static void add(uint8_t *at, const uint8_t *operand)
{
    uet_wr64(at, uet_rd64(at) + uet_rd64(operand));
}

static void plan_new(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_atomic_fetch_plan(fep, p, plan);
    add(plan->fetched, p->frame + p->payload_offset);
}

static void new_value_fetched(struct uet_law *law)
{
    row(law)->plan = plan_new;
}

/* The sum is made of what both look like in memory. */
static bool operand_unturned(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *payload = f->bytes + f->p.payload_offset;
    (void)fep;
    if (is_atomic(&f->p) && f->p.payload_len == 8)
        uet_wr64(payload, __builtin_bswap64(uet_rd64(payload)));
    return true;
}

/* A copy finds its PDC and is done as if it were new. */
static bool done_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ses_plan plan;
    bool copy = is_atomic(&f->p) && !uet_has_syn(&f->p) && uet_rud_rod_req_retx(uet_pds(&f->p));
    if (copy) {
        uet_ses_check(fep, NO_PDC, &f->p, false, &plan);
        uet_atomic_commit(fep, NO_PDC, &f->p, &plan);
    }
    return true;
}

/* What the code refuses is done. */
#define OVERLOOKED(name, code)                                                                     \
    static uint8_t check_##name(const struct uet_fep *fep, const struct uet_packet *p,             \
                                const struct ses_request *r)                                       \
    {                                                                                              \
        uint8_t found = uet_atomic_check(fep, p, r);                                               \
        return found == (code) ? UET_RC_OK : found;                                                \
    }                                                                                              \
    static void name(struct uet_law *law)                                                          \
    {                                                                                              \
        row(law)->check = check_##name;                                                            \
    }
OVERLOOKED(any_address, UET_RC_AMO_UNALIGNED)

static bool any_size(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p) && uet_ses_request_length(&f->p) == 12)
        uet_ses_req_std_request_length_set(uet_fault_ses(f), 8);
    return true;
}

static bool reserved_adds(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p) && uet_ses_ext_atomic_opcode(uet_ses_ext(&f->p)) > UET_AMO_INVAL)
        uet_ses_ext_atomic_opcode_set(f->bytes + (uet_ses_ext(&f->p) - f->p.frame), UET_AMO_SUM);
    return true;
}

static void read_right_alone(struct uet_law *law)
{
    row(law)->rights = UET_RIGHT_READ;
}

static void write_right_alone(struct uet_law *law)
{
    row(law)->rights = UET_RIGHT_WRITE;
}

/* ---- as initiator ---- */

static bool extension_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p))
        memset(f->bytes + (uet_ses_ext(&f->p) - f->p.frame), 0, UET_SES_EXT_ATOMIC_BYTES);
    return true;
}

static bool never_ends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p))
        uet_ses_req_eom_set(uet_fault_ses(f), false);
    return true;
}

static void take_unturned(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                          uint32_t length)
{
    memcpy(op->call.into + offset, bytes, length);
}

static void old_value_unturned(struct uet_law *law)
{
    row(law)->take = take_unturned;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_SES_020, .out = extension_lost},
    {VIOLATION_SES_132, .in = reserved_adds},
    {VIOLATION_SES_133, .in = any_size},
    {VIOLATION_SES_134, .rows = any_address},
    {VIOLATION_SES_135, .rows = read_right_alone},
    {VIOLATION_SES_135_READ, .rows = write_right_alone},
    {VIOLATION_SES_136, .in = done_again},
    {VIOLATION_SES_137, .in = operand_unturned},
    {VIOLATION_SES_137_OWN, .out = operand_unturned},
    {VIOLATION_SES_137_TAKE, .rows = old_value_unturned},
    {VIOLATION_SES_138, .out = never_ends},
    {VIOLATION_SES_139, .rows = new_value_fetched},
};

UET_FAULT_WAYS(uet_faults_of_atomic, ways);
