/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/atomics.h"

#include "conformance/harness/atomics.h"
#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"

#define ELEMENT 8u /* bytes of a UINT64 (Table 3-22) */

bool claims_atomic(struct uet_tc *tc, bool plain, uint8_t amo, uint8_t datatype)
{
    return uet_atomics_claimed(&uet_tc_dut(tc)->atomics, !plain, amo, datatype);
}

void need_atomic(struct uet_tc *tc, bool plain, uint8_t amo, uint8_t datatype)
{
    char name[UET_ATOMIC_TEXT];

    if (!claims_atomic(tc, plain, amo, datatype))
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "not claimed: %s (fep.yaml: atomics)",
                     uet_atomics_name(!plain, amo, datatype, name));
}

void need_fetching_sum(struct uet_tc *tc)
{
    need_atomic(tc, false, UET_AMO_SUM, UET_TYPE_UINT64);
}

const uint8_t *element(struct uet_tc *tc, uint8_t datatype, const char *text)
{
    uint8_t *bytes = uet_tc_alloc(tc, UET_ELEMENT_MAX);

    uet_element_wire(datatype, text, bytes);
    return bytes;
}

/* ---- every claimed pair of an operation ---- */

#define AT 16u /* the element in a region of 64 bytes */

static bool big_endian_host(struct uet_tc *tc)
{
    struct uet_ut_about about;

    uet_did(tc, uet_ut_hello(uet_tc_need_ut(tc), &about), "hello");
    return about.big_endian;
}

/* The four numbers of a row as elements of a datatype, on the wire. */
struct elements {
    uint8_t bytes;
    uint8_t t[UET_ELEMENT_MAX], i[UET_ELEMENT_MAX], c[UET_ELEMENT_MAX], r[UET_ELEMENT_MAX];
};

static struct elements elements_of(uint8_t datatype, const struct amo_row *row)
{
    struct elements e = {.bytes = uet_element_wire(datatype, row->t, e.t)};

    uet_element_wire(datatype, row->i, e.i);
    uet_element_wire(datatype, row->c ? row->c : "0", e.c);
    uet_element_wire(datatype, row->r, e.r);
    return e;
}

/* Of 64 bytes the element has been changed, and nothing else. */
static void element_is(struct uet_tc *tc, const struct uet_memory *m, const uint8_t *before,
                       const uint8_t *element, uint32_t bytes, const char *name)
{
    uint8_t now[64];

    memory_holds(tc, "SES-137", m, AT, element, bytes);
    uet_read_back(tc, m, 0, now, sizeof now);
    uet_check(tc, "SES-139",
              memcmp(now, before, AT) == 0 &&
                  memcmp(now + AT + bytes, before + AT + bytes, sizeof now - AT - bytes) == 0,
              "%s has changed bytes beside its element", name);
}

/*
 * UET_AMO_MSWAP may be read with the short extension (SES-167): a FEP that does not do it in the
 * longer form follows another reading. NULL: so it is; else what answers.
 */
static const struct uet_in *mswap_answer(struct uet_tc *tc, const struct uet_out *o, bool plain)
{
    const struct uet_in *in = NULL;

    if (plain) {
        in = ask(tc, "SES-167", o);
        in = is_error_response(in) ? NULL : in;
    } else {
        say(tc, o);
        in = maybe(tc, DATA_OF(o));
    }
    if (!in)
        uet_other_reading(tc, "SES-167", "UET_AMO_MSWAP with the 36-byte extension is not done");
    return in;
}

static void makes(struct uet_pdc *p, const struct uet_memory *m, const struct uet_atomic *a,
                  const struct elements *e, bool big, const char *name)
{
    struct uet_tc *tc = p->tc;
    uint8_t *host = uet_tc_alloc(tc, UET_ELEMENT_MAX), before[64];
    struct uet_out o;

    uet_element_host(a->datatype, big, e->t, host);
    o = uet_write(p, m, AT, host, e->bytes);
    accepted(tc, "SES-013", &o);
    memory_holds(tc, "SES-013", m, AT, host, e->bytes);
    uet_read_back(tc, m, 0, before, sizeof before);
    o = uet_atomic(p, m, AT, a);
    const bool mswap = a->amo == UET_AMO_MSWAP;
    const struct uet_in *in = mswap ? mswap_answer(tc, &o, a->plain) : NULL;
    if (mswap && !in)
        return;
    if (a->plain) {
        if (!mswap)
            accepted(tc, "SES-137", &o);
    } else {
        if (!mswap) {
            say(tc, &o);
            in = hear(tc, "SES-139", DATA_OF(&o));
        }
        const uint8_t *old = data_in(tc, "SES-139", in, m->job_id, e->bytes);
        uet_check(tc, a->compare && !mswap ? "SES-141" : "SES-139",
                  memcmp(old, e->t, e->bytes) == 0, "%s does not bring the old value", name);
        if (a->compare && !mswap && in->packet.ses == UET_H_SES_RSP_DATA)
            uet_check_eq(tc, "SES-179", "modified_length",
                         uet_ses_rsp_data_modified_length(uet_ses(&in->packet)), 32);
    }
    uet_element_host(a->datatype, big, e->r, host);
    element_is(tc, m, before, host, e->bytes, name);
}

static bool fits(uint8_t datatype, const struct amo_row *row)
{
    const struct uet_element_type t = uet_element_type(datatype);

    return t.kind & row->on && t.bytes >= row->least;
}

void atomic_makes(struct uet_tc *tc, uint8_t amo, const struct amo_row *rows, size_t n)
{
    const struct uet_atomics *claims = &uet_tc_dut(tc)->atomics;
    char name[UET_ATOMIC_TEXT];

    if (!claims->fetching[amo] && !claims->plain[amo])
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED,
                     "not claimed: %s of any datatype (fep.yaml: atomics)", uet_atomic_ops[amo]);
    const struct uet_memory m = uet_need_memory(tc, 64);
    const bool big = big_endian_host(tc);
    struct uet_pdc *p = uet_pdc_open(tc);
    for (uint8_t type = 0; type < UET_ATOMIC_TYPES; type++) {
        for (size_t i = 0; i < 2 * n; i++) {
            const struct amo_row *row = &rows[i / 2];
            struct uet_atomic a = {.amo = amo, .datatype = type, .plain = i % 2};
            if (!fits(type, row) || !uet_atomics_claimed(claims, !a.plain, amo, type))
                continue;
            struct elements *e = uet_tc_alloc(tc, sizeof *e);
            *e = elements_of(type, row);
            a.operand = e->i;
            a.compare = row->c ? e->c : NULL;
            a.n = e->bytes;
            makes(p, &m, &a, e, big, uet_atomics_name(!a.plain, amo, type, name));
        }
    }
}

const uint8_t *on_the_wire(struct uet_tc *tc, uint64_t value)
{
    uint8_t *bytes = uet_tc_alloc(tc, ELEMENT);

    uet_wr64(bytes, value);
    return bytes;
}

/* ---- a FEP that is the target ---- */

struct uet_out fetching_sum(struct uet_pdc *p, const struct uet_memory *m, uint64_t offset,
                            uint64_t operand)
{
    const struct uet_atomic a = {.amo = UET_AMO_SUM,
                                 .datatype = UET_TYPE_UINT64,
                                 .operand = on_the_wire(p->tc, operand),
                                 .n = ELEMENT};
    return uet_atomic(p, m, offset, &a);
}

uint64_t old_value(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    const struct uet_in *in = hear(tc, requirement, DATA_OF(o));

    return uet_rd64(data_in(tc, requirement, in, uet_ses_req_job_id(o->ses), ELEMENT));
}

uint64_t fetched(struct uet_tc *tc, const char *requirement, const struct uet_out *o)
{
    say(tc, o);
    return old_value(tc, requirement, o);
}

uint64_t value_at(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
                  const struct uet_memory *m, uint64_t offset)
{
    struct uet_out o = fetching_sum(p, m, offset, 0);

    return fetched(tc, requirement, &o);
}

/* ---- a FEP that is the initiator ---- */

const uint8_t *in_memory(struct uet_tc *tc, uint8_t datatype, const uint8_t *wire, uint32_t n)
{
    uint8_t *bytes = uet_tc_alloc(tc, n);
    const bool big = big_endian_host(tc);

    for (uint32_t at = 0; at < n; at += uet_element_type(datatype).bytes)
        uet_element_host(datatype, big, wire + at, bytes + at);
    return bytes;
}

static bool is_atomic(const struct uet_in *in, const void *atomic)
{
    const struct uet_atomic *a = atomic;

    return uet_is_ses_request(&in->packet) && !in->retransmission &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == uet_atomic_opcode(a);
}

static uint64_t start(struct uet_tc *tc, const struct uet_atomic *a,
                      const struct uet_ut_operation *op)
{
    if (a->tagged)
        return a->plain ? uet_do_tagged_atomic(tc, op) : uet_do_tagged_fetching_atomic(tc, op);
    return a->plain ? uet_do_atomic(tc, op) : uet_do_fetching_atomic(tc, op);
}

struct fep_atomic fep_does(struct uet_tc *tc, const struct uet_atomic *atomic)
{
    return fep_does_to(tc, atomic, uet_op(tc, atomic->n));
}

struct fep_atomic fep_does_to(struct uet_tc *tc, const struct uet_atomic *atomic,
                              struct uet_ut_operation op)
{
    struct fep_atomic f = {.what = *atomic};

    op.amo = atomic->amo;
    op.datatype = atomic->datatype;
    op.data = in_memory(tc, op.datatype, atomic->operand, atomic->n);
    if (atomic->compare)
        op.compare = in_memory(tc, op.datatype, atomic->compare, atomic->n);
    uet_auto_ack(tc, false);
    f.handle = start(tc, atomic, &op);
    f.in = uet_expect(tc,
                      &(struct uet_want){.kind = UET_WANT_REQUEST,
                                         .also = is_atomic,
                                         .ctx = atomic,
                                         .named = "Request of the FEP's atomic"},
                      0);
    return f;
}

struct fep_atomic fep_adds(struct uet_tc *tc, uint64_t operand)
{
    need_fetching_sum(tc);
    return fep_does(tc, &(struct uet_atomic){.amo = UET_AMO_SUM,
                                             .datatype = UET_TYPE_UINT64,
                                             .operand = on_the_wire(tc, operand),
                                             .n = ELEMENT});
}

/* Both operands in the low bytes of their places, zero above, and no payload (SES-021, SES-022).
 * UET_AMO_MSWAP may have them behind the short extension: the same bytes (SES-167). */
static void has_operands(struct uet_tc *tc, const struct fep_atomic *f)
{
    enum { OPERAND = 16, BOTH = 32 };
    const struct uet_packet *p = &f->in->packet;
    const uint8_t *ext = uet_ses_ext(p), *end = p->frame + p->payload_offset + p->payload_len;
    uint8_t both[BOTH] = {0};

    memcpy(both + OPERAND - f->what.n, f->what.compare, f->what.n);
    memcpy(both + BOTH - f->what.n, f->what.operand, f->what.n);
    if (f->what.amo == UET_AMO_MSWAP && end - ext != 4 + BOTH) {
        uet_other_reading(tc, "SES-167", "UET_AMO_MSWAP without the 36-byte extension");
        return;
    }
    uet_check_eq(tc, "SES-021", "bytes of extension and payload", (uint64_t)(end - ext), 4 + BOTH);
    uet_check(tc, "SES-022", memcmp(ext + 4, both, BOTH) == 0,
              "the operands do not stand in the low bytes of their places");
    field(tc, "SES-166", f->in, UET_F_SES_REQUEST_LENGTH, BOTH);
}

void asked_rightly(struct uet_tc *tc, const struct fep_atomic *f)
{
    const struct uet_packet *p = &f->in->packet;
    const uint8_t *ext = uet_ses_ext(p);

    field(tc, "SES-138", f->in, UET_F_SES_SOM, 1);
    field(tc, "SES-138", f->in, UET_F_SES_EOM, 1);
    field(tc, "SES-104", f->in, UET_F_SES_RI_GENERATION, 0);
    uet_check_eq(tc, "SES-020", "atomic_opcode", uet_ses_ext_atomic_opcode(ext), f->what.amo);
    uet_check_eq(tc, "SES-020", "atomic_datatype", uet_ses_ext_atomic_datatype(ext),
                 f->what.datatype);
    uet_check_eq(tc, "SES-020", "reserved", uet_ses_ext_atomic_reserved(ext), 0);
    if (f->what.compare) {
        has_operands(tc, f);
        return;
    }
    field(tc, f->what.plain ? "SES-137" : "SES-165", f->in, UET_F_SES_REQUEST_LENGTH, f->what.n);
    if (payload_bytes(tc, "SES-137", f->in, f->what.n))
        uet_check(tc, "SES-137",
                  memcmp(p->frame + p->payload_offset, f->what.operand, f->what.n) == 0,
                  "the operand is not big-endian on the wire, or is another one");
}

void brought_element(struct uet_tc *tc, const char *requirement, const struct fep_atomic *f,
                     const uint8_t *wire)
{
    const struct uet_memory m = {.handle = f->handle};
    struct uet_ut_completion c = completes(tc, requirement, f->handle, UET_UT_OK);
    uint8_t got[UET_ELEMENT_MAX];

    tells_length(tc, requirement, "bytes fetched", &c, f->what.n);
    uet_read_back(tc, &m, 0, got, f->what.n);
    uet_check(tc, requirement,
              memcmp(got, in_memory(tc, f->what.datatype, wire, f->what.n), f->what.n) == 0,
              "the old value at the application is not the one that came");
    not_again(tc, requirement, f->handle);
}

void brought(struct uet_tc *tc, const char *requirement, const struct fep_atomic *f, uint64_t value)
{
    brought_element(tc, requirement, f, on_the_wire(tc, value));
}

void fep_does_every_pair(struct uet_tc *tc, const struct uet_atomic *like, fep_atomic_check *check)
{
    const bool plain = like->plain;
    const struct uet_atomics *claims = &uet_tc_dut(tc)->atomics;
    unsigned n = 0;

    for (unsigned i = 0; i < UET_ATOMIC_OPS * UET_ATOMIC_TYPES; i++) {
        struct uet_atomic a = {.amo = (uint8_t)(i / UET_ATOMIC_TYPES),
                               .datatype = (uint8_t)(i % UET_ATOMIC_TYPES),
                               .plain = plain,
                               .tagged = like->tagged};
        if (!uet_atomics_claimed(claims, !plain, a.amo, a.datatype) ||
            !uet_element_type(a.datatype).kind)
            continue;
        a.n = uet_element_type(a.datatype).bytes;
        a.operand = element(tc, a.datatype, "-5");
        if (a.amo >= UET_AMO_CSWAP && a.amo <= UET_AMO_MSWAP)
            a.compare = element(tc, a.datatype, "6");
        check(tc, fep_does(tc, &a));
        n++;
    }
    if (!n)
        uet_skip_for(tc, UET_SKIP_NOT_CLAIMED, "not claimed: %s of any pair (fep.yaml: atomics)",
                     plain ? "atomics" : "fetching atomics");
}
