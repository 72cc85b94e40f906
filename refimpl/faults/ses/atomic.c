/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of atomics (ses/atomic.c). */
#include "refimpl/faults/ways.h"
#include "refimpl/ses/checks.h"

static struct ses_op *row(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_FETCHING_ATOMIC];
}

static struct ses_op *plain(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_ATOMIC];
}

static struct ses_op *by_tag(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_TSEND_FETCH_ATOMIC];
}

static struct ses_op *plain_by_tag(struct uet_law *law)
{
    return &law->ses.ops[UET_OP_TSEND_ATOMIC];
}

/* By a key or by a tag. */
static bool is_atomic(const struct uet_packet *p)
{
    const uint8_t opcode = uet_is_ses_request(p) ? uet_ses_req_opcode(uet_ses(p)) : UET_OP_NO_OP;
    return opcode == UET_OP_FETCHING_ATOMIC || opcode == UET_OP_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC || opcode == UET_OP_TSEND_ATOMIC;
}

static uint8_t *ext_of(struct uet_fault_frame *f)
{
    return f->bytes + (uet_ses_ext(&f->p) - f->p.frame);
}

/* With two operands that stand in the longer extension. */
static bool is_cswap(const struct uet_packet *p)
{
    return is_atomic(p) && p->ext == UET_H_SES_EXT_CSWAP;
}

/* ---- as target ---- */

static void add(uint8_t *at, const uint8_t *operand)
{
    uet_wr64(at, uet_rd64(at) + uet_rd64(operand));
}

static void plan_new(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_atomic_fetch_plan(fep, p, plan);
    if (p->payload_len >= 8)
        add(plan->fetched, p->frame + p->payload_offset);
}

static void new_value_fetched(struct uet_law *law)
{
    row(law)->plan = by_tag(law)->plan = plan_new;
}

static void plan_in_ack(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_atomic_fetch_plan(fep, p, plan);
    plan->in_ack = plan->part.length > 0;
}

static void fetched_in_ack(struct uet_law *law)
{
    row(law)->plan = by_tag(law)->plan = plan_in_ack;
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

static bool long_ones_unknown(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p) &&
        (uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p)) == UET_TYPE_LONG_DOUBLE ||
         uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p)) == UET_TYPE_LONG_DOUBLE_COMPLEX))
        uet_ses_ext_atomic_datatype_set(ext_of(f), 0x1f);
    return true;
}

/* The imaginary part of the operand counts as 0. */
static bool long_pairs_real(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const size_t n = 16; /* bytes of each part */
    (void)fep;
    if (is_atomic(&f->p) && f->p.payload_len == 2 * n &&
        uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p)) == UET_TYPE_LONG_DOUBLE_COMPLEX)
        memset(f->bytes + f->p.payload_offset + n, 0, n);
    return true;
}

/* A copy finds its PDC and is done as if it were new. */
static bool done_again(struct uet_fep *fep, struct uet_fault_frame *f)
{
    struct ses_plan plan;
    bool copy = is_atomic(&f->p) && !uet_has_syn(&f->p) && uet_rud_rod_req_retx(uet_pds(&f->p));
    if (copy) {
        uet_ses_check(fep, NO_PDC, &f->p, false, &plan);
        plan.request.op->commit(fep, NO_PDC, &f->p, &plan);
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
        row(law)->check = plain(law)->check = check_##name;                                        \
        by_tag(law)->check = plain_by_tag(law)->check = check_##name;                              \
    }
OVERLOOKED(any_address, UET_RC_AMO_UNALIGNED)

static uint8_t check_word(const struct uet_fep *fep, const struct uet_packet *p,
                          const struct ses_request *r)
{
    uint8_t found = uet_atomic_check(fep, p, r);
    return found == UET_RC_AMO_UNALIGNED && r->buffer_offset % 8 == 0 ? UET_RC_OK : found;
}

static void aligned_to_a_word(struct uet_law *law)
{
    row(law)->check = plain(law)->check = check_word;
}

static uint8_t check_longer(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct ses_request *r)
{
    bool is_short = uet_element_bytes(uet_ses_ext_atomic_datatype(uet_ses_ext(p))) == 2;
    uint8_t found = uet_atomic_check(fep, p, r);
    return found == UET_RC_AMO_UNALIGNED && is_short ? UET_RC_OK : found;
}

static void short_anywhere(struct uet_law *law)
{
    row(law)->check = plain(law)->check = check_longer;
}

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

static bool reserved_type(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p) && uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p)) > UET_TYPE_FP16)
        uet_ses_ext_atomic_datatype_set(ext_of(f), UET_TYPE_UINT64);
    return true;
}

/* As one on integers, though it is refused as it should be. */
static void commit_refused(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                           const struct ses_plan *plan)
{
    struct ses_judged j = {.fep = fep, .r = &plan->request};
    uet_atomic_commit(fep, pdc, p, plan);
    if (plan->return_code != UET_RC_AMO_UNSUPPORTED_OP)
        return;
    const uint32_t id = uet_region_find(fep, j.r, &j.refused);
    const struct uet_region *region = id ? uet_region_at(fep, id) : NULL;
    if (region && !j.refused && region->length)
        region->base[0] ^= 0x81;
}

static void refused_and_done(struct uet_law *law)
{
    row(law)->commit = plain(law)->commit = commit_refused;
}

static void read_right_alone(struct uet_law *law)
{
    row(law)->rights = plain(law)->rights = UET_RIGHT_READ;
}

static void write_right_alone(struct uet_law *law)
{
    row(law)->rights = plain(law)->rights = UET_RIGHT_WRITE;
}

static void commit_first(struct uet_fep *fep, uint16_t pdc, const struct uet_packet *p,
                         const struct ses_plan *plan)
{
    struct ses_plan one = *plan;
    uint8_t bytes = uet_element_bytes(uet_ses_ext_atomic_datatype(uet_ses_ext(p)));
    if (one.request.touches > bytes)
        one.request.touches = bytes;
    uet_atomic_commit(fep, pdc, p, &one);
}

static void first_alone(struct uet_law *law)
{
    plain(law)->commit = commit_first;
}

/* Of INT8 to INT128 the next one is the unsigned one. */
static bool no_sign(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t type = is_atomic(&f->p) ? uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p)) : 0xff;
    (void)fep;
    if (type <= UET_TYPE_INT128)
        uet_ses_ext_atomic_datatype_set(ext_of(f), type | 1);
    return true;
}

static bool target_on_the_left(struct uet_fep *fep, struct uet_fault_frame *f)
{
    static const uint8_t other[] = {UET_AMO_CSWAP_GE, UET_AMO_CSWAP_GT, UET_AMO_CSWAP_LE,
                                    UET_AMO_CSWAP_LT};
    uint8_t amo = is_cswap(&f->p) ? uet_ses_ext_atomic_opcode(uet_ses_ext(&f->p)) : 0;
    (void)fep;
    if (amo >= UET_AMO_CSWAP_LE && amo <= UET_AMO_CSWAP_GT)
        uet_ses_ext_atomic_opcode_set(ext_of(f), other[amo - UET_AMO_CSWAP_LE]);
    return true;
}

/* Of WRITEs, where the value does not matter. */
static bool turned_as_one(struct uet_fep *fep, struct uet_fault_frame *f)
{
    const uint8_t *ext = uet_ses_ext(&f->p);
    (void)fep;
    if (is_atomic(&f->p) && uet_ses_ext_atomic_datatype(ext) == UET_TYPE_FLOAT_COMPLEX &&
        uet_ses_ext_atomic_opcode(ext) == UET_AMO_WRITE)
        uet_ses_ext_atomic_datatype_set(ext_of(f), UET_TYPE_UINT64);
    return true;
}

static void plan_compared(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_atomic_fetch_plan(fep, p, plan);
    uint8_t bytes = (uint8_t)plan->part.length;
    if (is_cswap(p) && bytes)
        memcpy(plan->fetched, uet_ses_ext(p) + 4 + UET_AMO_OPERAND_BYTES - bytes, bytes);
}

static void compared_fetched(struct uet_law *law)
{
    row(law)->plan = by_tag(law)->plan = plan_compared;
}

static bool mask_inverted(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *mask = is_atomic(&f->p) ? ext_of(f) + 4 : NULL;
    (void)fep;
    if (mask && mask[-4] == UET_AMO_MSWAP)
        for (unsigned i = 0; i < UET_AMO_OPERAND_BYTES; i++)
            mask[i] = (uint8_t)~mask[i];
    return true;
}

static void plan_short(struct uet_fep *fep, const struct uet_packet *p, struct ses_plan *plan)
{
    uet_atomic_fetch_plan(fep, p, plan);
    plan->part.total = plan->part.length;
}

static void element_modified(struct uet_law *law)
{
    row(law)->plan = by_tag(law)->plan = plan_short;
}

/* ---- as initiator ---- */

static bool extension_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p))
        memset(f->bytes + (uet_ses_ext(&f->p) - f->p.frame), 0, UET_SES_EXT_ATOMIC_BYTES);
    return true;
}

/* Compare and swap right behind the four bytes that every atomic has. */
static bool operands_as_payload(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *ext = is_cswap(&f->p) ? ext_of(f) : NULL;
    (void)fep;
    if (ext) {
        uint8_t bytes = uet_element_bytes(ext[1]);
        memmove(ext + 4, ext + 20 - bytes, bytes);
        memmove(ext + 4 + bytes, ext + 36 - bytes, bytes);
    }
    return true;
}

static bool operands_high(struct uet_fep *fep, struct uet_fault_frame *f)
{
    uint8_t *ext = is_cswap(&f->p) ? ext_of(f) : NULL;
    for (unsigned at = 4; ext && at < 36; at += UET_AMO_OPERAND_BYTES) {
        uint8_t bytes = uet_element_bytes(ext[1]), value[UET_AMO_OPERAND_BYTES] = {0};
        memcpy(value, ext + at + UET_AMO_OPERAND_BYTES - bytes, bytes);
        memcpy(ext + at, value, sizeof value);
    }
    (void)fep;
    return true;
}

static bool length_of_element(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_cswap(&f->p))
        uet_ses_req_std_request_length_set(
            uet_fault_ses(f), uet_element_bytes(uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p))));
    return true;
}

static bool never_ends(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (is_atomic(&f->p))
        uet_ses_req_eom_set(uet_fault_ses(f), false);
    return true;
}

/* Two operands, or none, are no array. */
static bool any_array(const struct uet_fep *fep, const struct uet_operation *call)
{
    return uet_atomic_valid(fep, call) ||
           (call->opcode == UET_OP_ATOMIC && call->data && call->length > 8 && !call->compare);
}

static void write_part(const struct operation *op, const struct ses_segment *seg,
                       struct uet_build *b)
{
    struct operation part = *op;
    part.call.data += seg->offset;
    uet_atomic_write(&part, seg, b);
}

static void cut_in_packets(struct uet_law *law)
{
    plain(law)->valid = any_array;
    plain(law)->write = write_part;
}

/* Of more than 1 KiB the last ten elements stay behind. */
static uint32_t all_but_last(const struct uet_operation *call)
{
    const uint32_t n = uet_atomic_asks(call);
    return n > 1024 ? n - 80 : n;
}

static void last_left_out(struct uet_law *law)
{
    plain(law)->valid = any_array;
    plain(law)->asks = plain(law)->carries = all_but_last;
}

static void take_unturned(const struct operation *op, uint32_t offset, const uint8_t *bytes,
                          uint32_t length)
{
    memcpy(op->call.into + offset, bytes, length);
}

static void old_value_unturned(struct uet_law *law)
{
    row(law)->take = by_tag(law)->take = take_unturned;
}

static void over_rudi(struct uet_law *law)
{
    row(law)->starts |= SES_ON(UET_MODE_RUDI);
    plain(law)->starts |= SES_ON(UET_MODE_RUDI);
}

static uint8_t check_few(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct ses_request *r)
{
    return p->payload_len > 1024 ? UET_RC_OP_VIOLATION : uet_atomic_check(fep, p, r);
}

static void few_elements(struct uet_law *law)
{
    plain(law)->check = check_few;
}

/* An infinity of 16 bits is read as a NaN. */
static bool infinity_is_none(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    if (!is_atomic(&f->p) || f->p.payload_len != 2)
        return true;
    uint8_t *at = f->bytes + f->p.payload_offset;
    const uint8_t type = uet_ses_ext_atomic_datatype(uet_ses_ext(&f->p));
    const uint16_t infinity = type == UET_TYPE_FP16 ? 0x7c00 : type == UET_TYPE_BF16 ? 0x7f80 : 0;
    if (infinity && (uet_rd16(at) & 0x7fff) == infinity)
        uet_wr16(at, (uint16_t)(infinity | 1u));
    return true;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_PDS_180_ATOMIC, .rows = over_rudi},
    {VIOLATION_SES_020, .out = extension_lost},
    {VIOLATION_SES_021, .out = operands_as_payload},
    {VIOLATION_SES_022, .out = operands_high},
    {VIOLATION_SES_131, .in = reserved_type},
    {VIOLATION_SES_132, .in = reserved_adds},
    {VIOLATION_SES_132_DONE, .rows = refused_and_done},
    {VIOLATION_SES_133, .in = any_size},
    {VIOLATION_SES_134, .rows = any_address},
    {VIOLATION_SES_134_WORD, .rows = aligned_to_a_word},
    {VIOLATION_SES_134_SHORT, .rows = short_anywhere},
    {VIOLATION_SES_135, .rows = read_right_alone},
    {VIOLATION_SES_135_READ, .rows = write_right_alone},
    {VIOLATION_SES_136, .in = done_again},
    {VIOLATION_SES_137, .in = operand_unturned},
    {VIOLATION_SES_137_OWN, .out = operand_unturned},
    {VIOLATION_SES_137_TAKE, .rows = old_value_unturned},
    {VIOLATION_SES_138, .out = never_ends},
    {VIOLATION_SES_138_CUT, .rows = cut_in_packets},
    {VIOLATION_SES_138_FIRST, .rows = last_left_out},
    {VIOLATION_SES_137_FEW, .rows = few_elements},
    {VIOLATION_SES_137_TWO, .rows = first_alone},
    {VIOLATION_SES_137_UNSIGNED, .in = no_sign},
    {VIOLATION_SES_137_LEFT, .in = target_on_the_left},
    {VIOLATION_SES_137_LONG, .in = long_ones_unknown},
    {VIOLATION_SES_137_IMAGINARY, .in = long_pairs_real},
    {VIOLATION_SES_137_SINGLE, .in = turned_as_one},
    {VIOLATION_SES_139_ACK, .rows = fetched_in_ack},
    {VIOLATION_SES_139, .rows = new_value_fetched},
    {VIOLATION_SES_141, .rows = compared_fetched},
    {VIOLATION_SES_166, .out = length_of_element},
    {VIOLATION_SES_167, .in = mask_inverted},
    {VIOLATION_SES_179, .rows = element_modified},
    {VIOLATION_SES_139_INFINITY, .in = infinity_is_none},
};

UET_FAULT_WAYS(uet_faults_of_atomic, ways);
