/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What completions tell: of an operation what it was asked to be and how it was answered, of a
 * receive, or a write with immediate data, what the message was that the tester has sent. What an
 * API does not tell is not looked at.
 */
#include <stdio.h>
#include <string.h>

#include "conformance/harness/peer/peer.h"

struct uet_begun {
    struct uet_begun *next;
    uint64_t handle;
    uint8_t kind; /* enum uet_ut_kind */
    bool ended;
    struct uet_ut_operation op;
};

struct uet_posted {
    struct uet_posted *next;
    uint64_t handle;
    bool ended;
    struct uet_ut_receive receive;
};

#define LOOKS_BACK 16 /* for the same Request: what is sent again mostly follows soon */

/* ---- what was begun, posted, said ---- */

static void note_begun(void *ctx, uint8_t kind, const struct uet_ut_operation *op, uint64_t handle)
{
    struct uet_tc *tc = ctx;
    struct uet_begun *b = uet_tc_alloc(tc, sizeof(*b));

    *b = (struct uet_begun){.next = tc->begun, .handle = handle, .kind = kind, .op = *op};
    tc->begun = b;
}

static void note_posted(void *ctx, const struct uet_ut_receive *receive, uint64_t handle)
{
    struct uet_tc *tc = ctx;
    struct uet_posted *p = uet_tc_alloc(tc, sizeof(*p));

    *p = (struct uet_posted){.next = tc->posted, .handle = handle, .receive = *receive};
    tc->posted = p;
}

void uet_completed_start(struct uet_tc *tc)
{
    struct uet_ut *ut = tc->session->ut;

    if (!ut)
        return;
    ut->on_begun = note_begun;
    ut->on_posted = note_posted;
    ut->on_ctx = tc;
}

/* Who is not reset goes on with what has not ended. */
static bool leaves_something(const struct uet_tc *tc)
{
    bool ended = true;

    for (const struct uet_begun *b = tc->begun; b; b = b->next)
        ended &= b->ended;
    return tc->keeps_state && !ended;
}

void uet_completed_end(struct uet_tc *tc)
{
    if (!tc->session->ut)
        return;
    if (leaves_something(tc))
        tc->session->under_way = true;
    else if (uet_tc_request_came(tc)) /* it is done with what was before this */
        tc->session->under_way = false;
    tc->session->ut->on_begun = NULL;
    tc->session->ut->on_posted = NULL;
}

static bool is_same(const struct uet_said *a, const struct uet_said *b)
{
    return !a->ext == !b->ext &&
           (!a->ext || memcmp(a->ext, b->ext, UET_SES_EXT_RENDEZVOUS_BYTES) == 0) &&
           uet_ip_equal(&a->from, &b->from) && a->match_bits == b->match_bits &&
           a->header_data == b->header_data && a->irt == b->irt && a->offset == b->offset &&
           a->job_id == b->job_id && a->initiator == b->initiator && a->length == b->length &&
           a->pid_on_fep == b->pid_on_fep && a->resource_index == b->resource_index &&
           a->opcode == b->opcode && a->som == b->som && a->has_header_data == b->has_header_data;
}

static void note_request(struct uet_tc *tc, const struct uet_packet *p)
{
    const uint8_t *s = uet_ses(p);
    struct uet_said said = {.from = uet_src_ip(p),
                            .match_bits = uet_ses_match_bits(p),
                            .offset = uet_ses_buffer_offset(p),
                            .job_id = uet_ses_req_job_id(s),
                            .initiator = uet_ses_initiator(p),
                            .length = uet_ses_request_length(p),
                            .pid_on_fep = uet_ses_req_pid_on_fep(s),
                            .resource_index = uet_ses_req_resource_index(s),
                            .opcode = uet_ses_req_opcode(s),
                            .times = 1,
                            .som = uet_ses_req_som(s),
                            .has_initiator = p->ses != UET_H_SES_REQ_SMALL};
    struct uet_said *before = tc->said;
    uint32_t trt;

    if (uet_is_ses_deferrable(p))
        uet_ses_restart_tokens(p, &said.irt, &trt);
    if (p->ext == UET_H_SES_EXT_RENDEZVOUS)
        said.ext = uet_ses_ext(p);
    said.has_header_data =
        said.som && uet_ses_req_hd(s) && uet_ses_header_data(p, &said.header_data);
    for (unsigned i = 0; before && i < LOOKS_BACK; i++, before = before->next)
        if (is_same(before, &said)) {
            before->times++;
            return;
        }
    said.next = tc->said;
    tc->said = uet_tc_alloc(tc, sizeof(said));
    *tc->said = said;
}

static void note_response(struct uet_tc *tc, const struct uet_packet *p)
{
    struct uet_answered *a = &tc->answered;
    const uint8_t *s = uet_ses(p);
    const uint32_t modified = uet_is_ses_response(p)         ? uet_ses_rsp_modified_length(s)
                              : p->ses == UET_H_SES_RSP_DATA ? uet_ses_rsp_data_modified_length(s)
                                                             : 0;

    a->codes |= UINT64_C(1) << uet_ses_rsp_return_code(s);
    if (modified)
        a->modified[a->n_modified++ % 8] = modified;
}

void uet_completed_said(struct uet_tc *tc, const struct uet_packet *p)
{
    if (!tc->session->ut || p->error != UET_PARSE_OK)
        return;
    if (uet_is_ses_request(p))
        note_request(tc, p);
    else if (uet_is_ses_response(p) || uet_is_ses_response_data(p))
        note_response(tc, p);
}

/* ---- the completion of an operation ---- */

static bool tells_error(uint8_t code)
{
    return code != UET_RC_OK && code != UET_RC_NULL;
}

/* A target may tell that it has changed fewer bytes (SES-102). */
static bool was_told(const struct uet_tc *tc, uint32_t length)
{
    for (uint32_t i = 0; i < tc->answered.n_modified && i < 8; i++)
        if (tc->answered.modified[i] == length)
            return true;
    return false;
}

/*
 * An error has a code that was answered; where none was, the FEP has found it by itself. Of a
 * datagram nobody ever tells more than that it has left (upper-tester.md).
 */
static void compare_code(struct uet_beside *b, const struct uet_tc *tc,
                         const struct uet_ut_operation *op, const struct uet_ut_completion *c)
{
    const uint64_t errors =
        tc->answered.codes & ~(UINT64_C(1) << UET_RC_OK | UINT64_C(1) << UET_RC_NULL);

    if (!(c->told & UET_UT_TOLD_CODE) || !uet_tc_dut(tc)->claims[UET_PICS_RETURN_CODES])
        return;
    if (c->status == UET_UT_OK && tells_error(c->return_code))
        uet_hold_against(b, "ROB-056", "return_code", c->return_code, UET_RC_OK);
    if (c->status == UET_UT_OK && op->mode == UET_UT_MODE_UUD)
        uet_hold_against(b, "ROB-056", "return_code", c->return_code, UET_RC_NULL);
    if (c->status == UET_UT_SES_ERROR && errors && !(errors >> c->return_code & 1))
        uet_hold_against(b, "ROB-056", "return_code", c->return_code,
                         (uint64_t)__builtin_ctzll(errors));
}

static void compare_operation(struct uet_beside *b, const struct uet_tc *tc,
                              const struct uet_begun *begun, const struct uet_ut_completion *c)
{
    const struct uet_ut_operation *op = &begun->op;

    uet_hold_against(b, "ROB-056", "kind", c->kind, begun->kind);
    if (c->told & UET_UT_TOLD_JOB)
        uet_hold_against(b, "ROB-056", "job_id", c->job_id, op->job_id);
    if (c->told & UET_UT_TOLD_INITIATOR && !tc->session->no_initiator)
        uet_hold_against(b, "ROB-056", "initiator", c->initiator, op->initiator);
    if (c->told & UET_UT_TOLD_PEER)
        uet_hold_against(b, "ROB-056", "peer", !uet_ip_equal(&c->peer, &op->to), 0);
    if (c->status == UET_UT_OK && c->told & UET_UT_TOLD_LENGTH && !was_told(tc, c->length))
        uet_hold_against(b, "ROB-056", "length", c->length, op->length);
    compare_code(b, tc, op, c);
}

/* ---- of a receive, or a write with immediate data ---- */

static bool is_tagged(uint8_t opcode)
{
    return opcode == UET_OP_TAGGED_SEND || opcode == UET_OP_DEFERRABLE_TSEND ||
           opcode == UET_OP_RENDEZVOUS_TSEND || opcode == UET_OP_TSEND_ATOMIC ||
           opcode == UET_OP_TSEND_FETCH_ATOMIC;
}

static bool is_send(uint8_t opcode)
{
    return opcode == UET_OP_SEND || opcode == UET_OP_DATAGRAM_SEND ||
           opcode == UET_OP_DEFERRABLE_SEND || opcode == UET_OP_RENDEZVOUS_SEND;
}

static bool is_for(const struct uet_said *m, const struct uet_ut_receive *r)
{
    const bool kind = r->tagged ? is_tagged(m->opcode) : is_send(m->opcode);

    return kind && m->pid_on_fep == r->pid_on_fep && m->resource_index == r->resource_index;
}

static void compare_sender(struct uet_beside *b, const struct uet_said *m,
                           const struct uet_ut_completion *c)
{
    if (c->told & UET_UT_TOLD_JOB)
        uet_hold_against(b, "ROB-056", "job_id", c->job_id, m->job_id);
    if (c->told & UET_UT_TOLD_INITIATOR && m->has_initiator)
        uet_hold_against(b, "ROB-056", "initiator", c->initiator, m->initiator);
    if (c->told & UET_UT_TOLD_PEER)
        uet_hold_against(b, "ROB-056", "peer", !uet_ip_equal(&c->peer, &m->from), 0);
    if (c->status == UET_UT_OK && c->told & UET_UT_TOLD_TAG && is_tagged(m->opcode))
        uet_hold_against(b, "ROB-056", "match_bits", c->match_bits, m->match_bits);
}

/* SES-068 of a WRITE, SES-174 of a send. */
static void compare_data(struct uet_beside *b, const struct uet_said *m,
                         const struct uet_ut_completion *c, const char *requirement)
{
    uet_hold_against(b, m->has_header_data ? requirement : "SES-070",
                     "whether there is header_data", c->has_header_data, m->has_header_data);
    if (m->has_header_data && c->has_header_data)
        uet_hold_against(b, requirement, "header_data", c->header_data, m->header_data);
}

/* Bytes that an atomic changes are not those that it brings. */
static void compare_length(struct uet_beside *b, const struct uet_said *m,
                           const struct uet_ut_receive *r, const struct uet_ut_completion *c)
{
    const uint64_t room = m->offset < r->length ? r->length - m->offset : 0;
    const bool atomic = m->opcode == UET_OP_TSEND_ATOMIC || m->opcode == UET_OP_TSEND_FETCH_ATOMIC;
    const bool cut = r->truncate && m->length > room;

    if (!(c->told & UET_UT_TOLD_LENGTH) || (atomic && c->length <= m->length))
        return;
    uet_hold_against(b, "ROB-056", "length", c->length, cut ? room : m->length);
}

/* That message may have done it: others have had their completions. */
static bool is_due(const struct uet_said *m)
{
    return m->som && m->completed < m->times;
}

/* The message that it fits best. A failure may be told with what its last packet said. */
static void fit_message(struct uet_beside *best, const struct uet_tc *tc,
                        const struct uet_ut_receive *r, const struct uet_ut_completion *c)
{
    const bool well = c->status == UET_UT_OK;
    struct uet_said *of = NULL;

    for (struct uet_said *m = tc->said; m && best->n; m = m->next) {
        struct uet_beside b = {0};

        if (!is_for(m, r) || (well && !is_due(m)))
            continue;
        compare_sender(&b, m, c);
        if (well) {
            compare_data(&b, m, c, "SES-174");
            compare_length(&b, m, r, c);
        }
        if (b.n < best->n) {
            *best = b;
            of = m;
        }
    }
    if (of && well)
        of->completed++;
}

static void fit_write(struct uet_beside *best, const struct uet_tc *tc,
                      const struct uet_ut_completion *c)
{
    struct uet_said *of = NULL;

    for (struct uet_said *m = tc->said; m && best->n; m = m->next) {
        struct uet_beside b = {0};

        if (m->opcode != UET_OP_WRITE || !m->has_header_data || !is_due(m))
            continue;
        compare_sender(&b, m, c);
        compare_data(&b, m, c, "SES-068");
        if (c->told & UET_UT_TOLD_LENGTH)
            uet_hold_against(&b, "ROB-056", "length", c->length, m->length);
        if (b.n < best->n) {
            *best = b;
            of = m;
        }
    }
    if (of)
        of->completed++;
}

/* ---- any ---- */

static void tell(struct uet_tc *tc, const struct uet_beside *b)
{
    char text[160];

    if (!b->n || b->n == UINT32_MAX)
        return;
    snprintf(text, sizeof(text), "a completion tells %s 0x%llx, and it was 0x%llx", b->field,
             (unsigned long long)b->is, (unsigned long long)b->asked);
    uet_tc_rule_broken(tc, NULL, b->requirement, text);
}

static struct uet_begun *begun_as(const struct uet_tc *tc, uint64_t handle)
{
    struct uet_begun *b = tc->begun;

    while (b && b->handle != handle)
        b = b->next;
    return b;
}

static struct uet_posted *posted_as(const struct uet_tc *tc, uint64_t handle)
{
    struct uet_posted *p = tc->posted;

    while (p && p->handle != handle)
        p = p->next;
    return p;
}

bool uet_completed_all(const struct uet_tc *tc)
{
    for (const struct uet_begun *b = tc->begun; b; b = b->next)
        if (!b->ended || (b->kind != UET_UT_KIND_WRITE && b->kind != UET_UT_KIND_SEND))
            return false;
    return tc->begun && tc->completed_ns >= tc->last_packet_ns;
}

/* Each ends once. */
static void end(struct uet_tc *tc, bool *ended)
{
    if (*ended)
        uet_tc_rule_broken(tc, NULL, "ROB-032",
                           "an operation or a receive has a second completion");
    *ended = true;
}

void uet_watch_completed(struct uet_tc *tc, const struct uet_ut_completion *c)
{
    struct uet_beside b = {.n = UINT32_MAX};
    struct uet_begun *begun = NULL;
    struct uet_posted *posted = NULL;

    if (c->kind == UET_UT_KIND_IMM) {
        fit_write(&b, tc, c);
    } else if ((posted = posted_as(tc, c->handle)) != NULL && c->kind == UET_UT_KIND_RECV) {
        end(tc, &posted->ended);
        fit_message(&b, tc, &posted->receive, c);
    } else if ((begun = begun_as(tc, c->handle)) != NULL) {
        end(tc, &begun->ended);
        tc->completed_ns = uet_tc_now(tc);
        b.n = 0;
        compare_operation(&b, tc, begun, c);
    }
    tell(tc, &b);
}
