/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the FEP's operations were asked to be, and what its Requests say: every Request must be one
 * of an operation that the test has begun, whatever its header, and whether it goes out for the
 * first time, once more, or ends its message early.
 */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/peer/peer.h"

/* What an operation may go out as: a send may be put off, or be by rendezvous. */
static const struct as {
    const char *verb;
    uint8_t opcode[3], n;
} table[] = {
    {"send", {UET_OP_SEND, UET_OP_DATAGRAM_SEND}, 2},
    {"tagged_send", {UET_OP_TAGGED_SEND}, 1},
    {"deferrable_send", {UET_OP_DEFERRABLE_SEND, UET_OP_SEND}, 2},
    {"deferrable_tagged_send", {UET_OP_DEFERRABLE_TSEND, UET_OP_TAGGED_SEND}, 2},
    {"rendezvous_send", {UET_OP_RENDEZVOUS_SEND}, 1},
    {"rendezvous_tagged_send", {UET_OP_RENDEZVOUS_TSEND}, 1},
    {"write", {UET_OP_WRITE}, 1},
    {"read", {UET_OP_READ}, 1},
    {"atomic", {UET_OP_ATOMIC}, 1},
    {"fetching_atomic", {UET_OP_FETCHING_ATOMIC}, 1},
    {"tagged_atomic", {UET_OP_TSEND_ATOMIC}, 1},
    {"tagged_fetching_atomic", {UET_OP_TSEND_FETCH_ATOMIC}, 1},
    {"no_op", {UET_OP_NO_OP}, 1},
};

struct uet_asked {
    struct uet_asked *next;
    const struct as *as;
    struct uet_ut_operation op;
};

static bool says_the_same(const struct uet_ut_operation *a, const struct uet_ut_operation *b)
{
    return uet_ip_equal(&a->to, &b->to) && a->job_id == b->job_id &&
           a->pid_on_fep == b->pid_on_fep && a->resource_index == b->resource_index &&
           a->relative == b->relative && a->delivery_complete == b->delivery_complete &&
           a->has_header_data == b->has_header_data && a->header_data == b->header_data &&
           a->initiator == b->initiator && a->generation == b->generation && a->key == b->key &&
           a->offset == b->offset && a->length == b->length;
}

static const struct as *as_of(const char *verb)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (strcmp(table[i].verb, verb) == 0)
            return &table[i];
    return NULL;
}

/* The upper tester is told to begin it. */
static void note(void *ctx, const char *verb, const struct uet_ut_operation *op)
{
    struct uet_tc *tc = ctx;
    const struct as *as = as_of(verb);

    if (!as)
        return;
    for (const struct uet_asked *a = tc->asked_ops; a; a = a->next)
        if (a->as == as && says_the_same(&a->op, op))
            return;
    struct uet_asked *a = uet_tc_alloc(tc, sizeof(*a));

    *a = (struct uet_asked){.next = tc->asked_ops, .as = as, .op = *op};
    tc->asked_ops = a;
}

void uet_asked_start(struct uet_tc *tc)
{
    struct uet_ut *ut = tc->session->ut;

    if (!ut)
        return;
    ut->on_start = note;
    ut->on_ctx = tc;
}

void uet_asked_end(struct uet_tc *tc)
{
    if (tc->session->ut)
        tc->session->ut->on_start = NULL;
}

/* It may be asked for with another one, once the target has told it (SES-108). */
void uet_peer_told_generation(struct uet_tc *tc, const struct uet_out *o)
{
    bool ack = uet_out_is(o, UET_PDS_ACK) || uet_out_is(o, UET_PDS_ACK_CC);

    tc->generation_told |= ack && o->ses_len >= UET_SES_RSP_BYTES &&
                           uet_ses_rsp_return_code(o->ses) == UET_RC_BAD_GENERATION;
}

/* ---- a Request beside an operation ---- */

void uet_hold_against(struct uet_beside *b, const char *requirement, const char *field, uint64_t is,
                      uint64_t asked)
{
    if (is == asked || b->n++)
        return;
    b->requirement = requirement;
    b->field = field;
    b->is = is;
    b->asked = asked;
}

static bool names_memory(uint8_t opcode)
{
    return opcode == UET_OP_WRITE || opcode == UET_OP_READ || opcode == UET_OP_ATOMIC ||
           opcode == UET_OP_FETCHING_ATOMIC;
}

static bool fetches(uint8_t opcode)
{
    return opcode == UET_OP_READ || opcode == UET_OP_FETCHING_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

static bool is_send(uint8_t opcode)
{
    return opcode == UET_OP_SEND || opcode == UET_OP_TAGGED_SEND ||
           opcode == UET_OP_DEFERRABLE_SEND || opcode == UET_OP_DEFERRABLE_TSEND ||
           opcode == UET_OP_RENDEZVOUS_SEND || opcode == UET_OP_RENDEZVOUS_TSEND;
}

static bool names_a_tag(uint8_t opcode)
{
    return opcode == UET_OP_TAGGED_SEND || opcode == UET_OP_DEFERRABLE_TSEND ||
           opcode == UET_OP_RENDEZVOUS_TSEND || opcode == UET_OP_TSEND_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

/* Both operands of these count, whatever the element (SES-166). */
static bool has_two_operands(const struct uet_packet *p)
{
    return p->ext == UET_H_SES_EXT_CSWAP ||
           (p->ext == UET_H_SES_EXT_ATOMIC &&
            uet_ses_ext_atomic_opcode(uet_ses_ext(p)) == UET_AMO_MSWAP);
}

static void compare_peer(struct uet_beside *b, const struct uet_ip *to, const char *requirement)
{
    const struct uet_ip goes_to = uet_dst_ip(b->p);

    uet_hold_against(b, requirement, "the destination", !uet_ip_equal(&goes_to, to), 0);
}

/* A no-op addresses nothing (Table 3-17). */
static void compare_address(struct uet_beside *b, const struct uet_tc *tc,
                            const struct uet_ut_operation *op, const char *requirement)
{
    const uint8_t *s = uet_ses(b->p);

    compare_peer(b, &op->to, requirement);
    if (uet_ses_req_opcode(s) == UET_OP_NO_OP)
        return;
    uet_hold_against(b, requirement, "job_id", uet_ses_req_job_id(s), op->job_id);
    uet_hold_against(b, requirement, "pid_on_fep", uet_ses_req_pid_on_fep(s), op->pid_on_fep);
    uet_hold_against(b, requirement, "resource_index", uet_ses_req_resource_index(s),
                     op->resource_index);
    uet_hold_against(b, requirement, "rel", uet_ses_req_rel(s), op->relative);
    if (!tc->generation_told)
        uet_hold_against(b, "ROB-042", "ri_generation", uet_ses_req_ri_generation(s),
                         op->generation);
}

/* Header data is in the first packet; with a medium header it has the place of the offset. */
static void compare_header_data(struct uet_beside *b, const struct uet_ut_operation *op)
{
    const uint8_t *s = uet_ses(b->p);
    uint64_t data = 0;

    if (!uet_ses_req_som(s))
        return;
    uet_hold_against(b, "SES-069", "hd", uet_ses_req_hd(s), op->has_header_data);
    if (op->has_header_data && uet_ses_header_data(b->p, &data))
        uet_hold_against(b, "SES-069", "header_data", data, op->header_data);
}

/* An operation may become more than one message (SES-165): parts of it. */
static void compare_length(struct uet_beside *b, const struct uet_ut_operation *op)
{
    const uint32_t length = uet_ses_request_length(b->p);

    if (length > op->length)
        uet_hold_against(b, "ROB-042", "request_length", length, op->length);
}

static void compare_offset(struct uet_beside *b, const struct uet_ut_operation *op,
                           const char *address)
{
    const uint64_t offset = uet_ses_buffer_offset(b->p);
    const uint32_t length = uet_ses_request_length(b->p);
    bool part = length < op->length && offset - op->offset <= op->length - length;

    if (!part)
        uet_hold_against(b, address, "buffer_offset", offset, op->offset);
}

static void compare_all(struct uet_beside *b, const struct uet_tc *tc,
                        const struct uet_ut_operation *op)
{
    const uint8_t *s = uet_ses(b->p), opcode = uet_ses_req_opcode(s);
    const bool small = b->p->ses == UET_H_SES_REQ_SMALL;
    const char *address = opcode == UET_OP_WRITE ? "SES-067" : "ROB-042";
    const bool data_there = uet_is_ses_medium(b->p) && uet_ses_req_hd(s);

    compare_address(b, tc, op, address);
    if (!has_two_operands(b->p))
        compare_length(b, op);
    if (op->delivery_complete && !fetches(opcode)) /* it may always be asked for (3.4.8.3) */
        uet_hold_against(b, "ROB-042", "dc", uet_ses_req_dc(s), 1);
    if (names_memory(opcode) && !data_there)
        compare_offset(b, op, address);
    if (small)
        return;
    if (names_memory(opcode) || names_a_tag(opcode))
        uet_hold_against(b, address, "key or match_bits", uet_ses_match_bits(b->p), op->key);
    if (is_send(opcode) && !tc->session->no_initiator)
        uet_hold_against(b, "ROB-042", "initiator", uet_ses_initiator(b->p), op->initiator);
    if (opcode == UET_OP_WRITE || is_send(opcode))
        compare_header_data(b, op);
}

static bool may_be(const struct uet_asked *a, uint8_t opcode)
{
    for (uint8_t i = 0; i < a->as->n; i++)
        if (a->as->opcode[i] == opcode)
            return true;
    return false;
}

/* The operation that the Request fits best; b->n: how badly. */
static void fit(struct uet_beside *best, const struct uet_tc *tc, const struct uet_packet *p)
{
    const uint8_t opcode = uet_ses_req_opcode(uet_ses(p));

    for (const struct uet_asked *a = tc->asked_ops; a && best->n; a = a->next) {
        struct uet_beside b = {.p = p};

        if (!may_be(a, opcode))
            continue;
        compare_all(&b, tc, &a->op);
        if (b.n < best->n)
            *best = b;
    }
}

/*
 * The READ of a rendezvous goes to who has sent that, and to where its extension says (3.4.2.4);
 * whether read_offset is that of the message or of its rest is contested, so both may be.
 */
static void beside_rendezvous(struct uet_beside *b, const struct uet_said *m)
{
    const uint8_t *s = uet_ses(b->p), *e = m->ext;
    const uint64_t from = uet_ses_buffer_offset(b->p) - uet_ses_ext_rendezvous_read_offset(e);

    compare_peer(b, &m->from, "SES-156");
    uet_hold_against(b, "SES-156", "job_id", uet_ses_req_job_id(s), m->job_id);
    uet_hold_against(b, "SES-156", "pid_on_fep", uet_ses_req_pid_on_fep(s),
                     uet_ses_ext_rendezvous_read_pid_on_fep(e));
    uet_hold_against(b, "SES-156", "resource_index", uet_ses_req_resource_index(s),
                     uet_ses_ext_rendezvous_read_resource_index(e));
    if (b->p->ses != UET_H_SES_REQ_SMALL)
        uet_hold_against(b, "SES-156", "memory key", uet_ses_match_bits(b->p),
                         uet_ses_ext_rendezvous_read_memory_key(e));
    if (from > m->length || from + uet_ses_request_length(b->p) > m->length)
        uet_hold_against(b, "SES-156", "bytes read from", from,
                         uet_ses_ext_rendezvous_eager_length(e));
}

static void fit_rendezvous(struct uet_beside *best, const struct uet_tc *tc,
                           const struct uet_packet *p)
{
    for (const struct uet_said *m = tc->said; m && best->n; m = m->next) {
        struct uet_beside b = {.p = p};

        if (!m->ext)
            continue;
        beside_rendezvous(&b, m);
        if (b.n < best->n)
            *best = b;
    }
}

/* The token finds the deferred send; what else of it the RTR repeats is a SHOULD (SES-170, 175). */
static void beside_deferred(struct uet_beside *b, const struct uet_said *m)
{
    const uint8_t *s = uet_ses(b->p);

    compare_peer(b, &m->from, "SES-148");
    uet_hold_against(b, "SES-148", "job_id", uet_ses_req_job_id(s), m->job_id);
    uet_hold_against(b, "SES-148", "initiator_restart_token", uet_ses_req_rtr_irt(s), m->irt);
    uet_hold_against(b, "SES-175", "initiator", uet_ses_initiator(b->p), m->initiator);
    uet_hold_against(b, "SES-170", "request_length", uet_ses_request_length(b->p), m->length);
}

/* Nobody sends a deferrable send without a token of its own, but a test: that says nothing. */
static void fit_deferred(struct uet_beside *best, const struct uet_tc *tc,
                         const struct uet_packet *p)
{
    for (const struct uet_said *m = tc->said; m && best->n; m = m->next) {
        struct uet_beside b = {.p = p};
        const bool deferrable =
            m->opcode == UET_OP_DEFERRABLE_SEND || m->opcode == UET_OP_DEFERRABLE_TSEND;

        if (deferrable && !m->irt)
            best->n = 0;
        if (!deferrable || !m->irt)
            continue;
        beside_deferred(&b, m);
        if (b.n < best->n)
            *best = b;
    }
}

/* The message that this ends early; NULL: nothing of it came. */
static const struct uet_packet *message_of(const struct uet_tc *tc, const struct uet_in *end)
{
    const uint16_t id = uet_ses_message_id(&end->packet);
    const struct uet_packet *found = NULL;

    for (const struct uet_in *in = tc->in_first; in; in = in->next) {
        const struct uet_packet *p = &in->packet;
        bool same = in->pdc == end->pdc && p->error == UET_PARSE_OK && uet_is_ses_request(p) &&
                    uet_is_ses_std(p) && uet_ses_message_id(p) == id;

        if (same && uet_ses_req_opcode(uet_ses(p)) != UET_OP_MSG_ERROR)
            found = p;
    }
    return found;
}

/*
 * The end of a message is of its job, and goes where the message went; no source says what else of
 * an address UET_MSG_ERROR has (3.4.5.3.2).
 */
static void fit_end(struct uet_beside *b, const struct uet_tc *tc, const struct uet_in *end)
{
    const struct uet_packet *p = message_of(tc, end);

    *b = (struct uet_beside){.p = &end->packet};
    if (!p)
        return;
    const struct uet_ip to = uet_dst_ip(p);
    compare_peer(b, &to, "ROB-042");
    uet_hold_against(b, "ROB-042", "job_id", uet_ses_req_job_id(uet_ses(b->p)),
                     uet_ses_req_job_id(uet_ses(p)));
}

static bool was_asked_for(const struct uet_tc *tc, const struct uet_in *in)
{
    const struct uet_packet *p = &in->packet;
    bool earlier = tc->keeps_state || tc->session->in_place > 1; /* of an earlier test */

    return !earlier && p->error == UET_PARSE_OK && uet_is_ses_request(p);
}

void uet_watch_asked(struct uet_tc *tc, const struct uet_in *in)
{
    struct uet_beside best = {.n = UINT32_MAX};
    char text[160];

    if (!was_asked_for(tc, in))
        return;
    const uint8_t opcode = uet_ses_req_opcode(uet_ses(&in->packet));
    if (opcode == UET_OP_MSG_ERROR)
        fit_end(&best, tc, in);
    else if (opcode == UET_OP_DEFERRABLE_RTR)
        fit_deferred(&best, tc, &in->packet);
    else
        fit(&best, tc, &in->packet);
    if (opcode == UET_OP_READ && best.n)
        fit_rendezvous(&best, tc, &in->packet);
    if (!best.n || best.n == UINT32_MAX)
        return;
    snprintf(text, sizeof(text), "%s is 0x%llx, its operation was asked for with 0x%llx",
             best.field, (unsigned long long)best.is, (unsigned long long)best.asked);
    uet_tc_rule_broken(tc, in, best.requirement, text);
}
