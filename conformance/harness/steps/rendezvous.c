/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/rendezvous.h"

#include <string.h>

#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

/* ---- the tester sends ---- */

static void extend(const struct rendezvous *r, struct uet_out *o)
{
    uint8_t *e = o->ses + o->ses_len;

    memset(e, 0, UET_SES_EXT_RENDEZVOUS_BYTES);
    o->ses_len += UET_SES_EXT_RENDEZVOUS_BYTES;
    uet_ses_ext_rendezvous_eager_length_set(e, r->eager);
    uet_ses_ext_rendezvous_read_ri_generation_set(e, r->read_generation);
    uet_ses_ext_rendezvous_read_pid_on_fep_set(e, r->read_pid);
    uet_ses_ext_rendezvous_read_resource_index_set(e, r->read_ri);
    uet_ses_ext_rendezvous_read_offset_set(e, r->read_offset);
    uet_ses_ext_rendezvous_read_memory_key_set(e, r->read_key);
    uet_rud_rod_req_ar_set(o->pds, true);
    uet_ses_req_std_request_length_set(o->ses, r->n);
    uet_ses_req_match_bits_or_memory_key_set(o->ses, r->match_bits);
    uet_ses_req_initiator_set(o->ses, UET_TC_SENDER);
}

struct rendezvous uet_rendezvous_of(struct uet_tc *tc, struct rendezvous shape)
{
    struct rendezvous r = shape;

    uet_accept_pdcs(tc); /* for the READ */
    r.opcode = r.opcode ? r.opcode : UET_OP_RENDEZVOUS_SEND;
    r.mtu = uet_tc_dut(tc)->payload_mtu;
    r.bytes = uet_tc_bytes(tc, r.n);
    r.read_pid = 0xabc;
    r.read_ri = 0xdef;
    r.read_generation = (uint8_t)uet_tc_random(tc);
    r.read_offset = 0x1122334455000000 + uet_tc_random(tc) % 0x1000000;
    r.read_key = 0x00aa998877665544 ^ uet_tc_random(tc) % 0x1000000;
    r.packets =
        (uint32_t)uet_message(r.p, r.opcode, &r.m, 0, r.bytes, r.eager, r.o, RENDEZVOUS_PACKETS);
    for (uint32_t i = 0; i < r.packets; i++)
        extend(&r, &r.o[i]);
    if (r.hd) {
        uet_ses_req_hd_set(r.o[0].ses, true);
        uet_ses_req_std_header_data_set(r.o[0].ses, r.header_data);
    }
    return r;
}

uint64_t receive_of_rendezvous(struct uet_tc *tc, const struct rendezvous *r)
{
    const struct uet_ut_receive like = {.tagged = r->opcode == UET_OP_RENDEZVOUS_TSEND,
                                        .match_bits = r->match_bits,
                                        .length = r->n};

    return uet_tag_receive(tc, &r->m, &like);
}

const struct uet_in *say_eager(struct uet_tc *tc, const char *requirement,
                               const struct rendezvous *r)
{
    const struct uet_in *in = NULL;

    for (uint32_t i = 0; i < r->packets; i++) {
        in = ask(tc, requirement, &r->o[i]);
        uet_check(tc, requirement, !is_error_response(in) || code_told(in) == UET_RC_NO_MATCH,
                  "a packet of a rendezvous send was refused");
    }
    return in;
}

/* Contested: read_offset may be that of the whole message, or of what is not eager. */
static void check_place(struct uet_tc *tc, const struct rendezvous *r, const struct uet_in *in,
                        uint32_t from)
{
    uint64_t at = value_of(tc, in, UET_F_SES_BUFFER_OFFSET);

    if (from && at == r->read_offset)
        uet_other_reading(tc, "SES-156", "read_offset is taken as that of the rest");
    else
        field(tc, "SES-156", in, UET_F_SES_BUFFER_OFFSET, r->read_offset + from);
}

struct fep_read hear_read(struct uet_tc *tc, const struct rendezvous *r, uint32_t from)
{
    struct fep_read read = fep_is_reading(tc, r->bytes + from, r->n - from);
    const struct uet_in *in = read.in[0];

    field(tc, "SES-156", in, UET_F_SES_PID_ON_FEP, r->read_pid);
    field(tc, "SES-156", in, UET_F_SES_RESOURCE_INDEX, r->read_ri);
    field(tc, "SES-156", in, UET_F_SES_RI_GENERATION, r->read_generation);
    uet_check_eq(tc, "SES-156", "memory key", uet_ses_match_bits(&in->packet), r->read_key);
    field(tc, "SES-156", in, UET_F_SES_REQUEST_LENGTH, r->n - from);
    check_place(tc, r, in, from);
    return read;
}

static bool is_request(const struct uet_in *in, const void *none)
{
    (void)none;
    return uet_is_ses_request(&in->packet);
}

void no_read(struct uet_tc *tc, const char *requirement)
{
    silence(tc, requirement, .kind = UET_WANT_REQUEST, .also = is_request,
            .named = "Request of a READ", .within = 20 * UET_MS);
}

void has_all(struct uet_tc *tc, const char *requirement, const struct rendezvous *r,
             uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};

    fills(tc, requirement, handle, r->n);
    memory_holds(tc, requirement, &buffer, 0, r->bytes, r->n);
}

/* ---- the FEP sends ---- */

typedef uint64_t begin_send(struct uet_tc *tc, const struct uet_ut_operation *op);

static struct fep_rendezvous offers(struct uet_tc *tc, struct source s, struct uet_ut_operation *op,
                                    uint32_t eager, begin_send *begin)
{
    struct fep_rendezvous r = {.s = s, .n = op->length, .eager = eager};

    op->region = r.s.m.handle;
    op->eager = eager;
    r.handle = begin(tc, op);
    r.first = hear(tc, "SES-155", REQUEST_ON(NULL));
    uet_look_at(tc, r.first);
    if (!uet_check(tc, "SES-023", r.first->packet.ext == UET_H_SES_EXT_RENDEZVOUS,
                   "it has no rendezvous extension"))
        return r;
    const uint8_t *e = uet_ses_ext(&r.first->packet);
    r.where = r.s.m;
    r.where.pid_on_fep = uet_ses_ext_rendezvous_read_pid_on_fep(e);
    r.where.resource_index = uet_ses_ext_rendezvous_read_resource_index(e);
    r.where.key = uet_ses_ext_rendezvous_read_memory_key(e);
    r.read_offset = uet_ses_ext_rendezvous_read_offset(e);
    if (eager && r.read_offset == eager) { /* contested: the message begins where its region does */
        uet_other_reading(tc, "SES-155", "read_offset is that of what is not eager");
        r.read_offset = 0;
        r.rest_alone = true;
    }
    return r;
}

struct fep_rendezvous fep_offers(struct uet_tc *tc, uint32_t n, uint32_t eager)
{
    return fep_offers_on(tc, UET_UT_MODE_RUD, n, eager);
}

struct fep_rendezvous fep_offers_on(struct uet_tc *tc, uint8_t mode, uint32_t n, uint32_t eager)
{
    return fep_offers_of(tc, need_source(tc, n), mode, n, eager);
}

struct fep_rendezvous fep_offers_of(struct uet_tc *tc, struct source s, uint8_t mode, uint32_t n,
                                    uint32_t eager)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.mode = mode;
    return offers(tc, s, &op, eager, uet_do_rendezvous_send);
}

struct fep_rendezvous fep_offers_by_tag(struct uet_tc *tc, uint64_t tag, uint32_t n, uint32_t eager)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.key = tag;
    return offers(tc, need_source(tc, n), &op, eager, uet_do_rendezvous_tagged_send);
}

void read_rest(struct uet_tc *tc, const char *requirement, struct uet_pdc *p,
               const struct fep_rendezvous *r, uint32_t from)
{
    uint32_t mtu = uet_tc_dut(tc)->payload_mtu;

    if (r->rest_alone && from < r->eager)
        uet_skip(tc, "the eager part cannot be read from this FEP");
    for (uint32_t at = from; at < r->n; at += mtu) {
        uint32_t part = r->n - at < mtu ? r->n - at : mtu;
        struct uet_out o = uet_read(p, &r->where, r->read_offset + at, part);
        say(tc, &o);
        const struct uet_in *in = hear(tc, requirement, DATA_OF(&o));
        check_data(tc, requirement, in, &r->s, at, part);
    }
}
