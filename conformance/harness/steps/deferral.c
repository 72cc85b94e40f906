/* SPDX-License-Identifier: BSD-2-Clause */
#include "conformance/harness/steps/deferral.h"

#include "conformance/harness/steps/acks.h"
#include "conformance/harness/steps/memory.h"
#include "conformance/harness/steps/requests.h"
#include "conformance/harness/steps/tagged.h"

#define LONGER_THAN 8192u

/* ---- the tester sends ---- */

static void mark(const struct deferrable *d, struct uet_out *o)
{
    uet_rud_rod_req_ar_set(o->pds, true);
    uet_ses_req_defer_irt_set(o->ses, d->irt);
    uet_ses_req_defer_trt_set(o->ses, d->trt);
    uet_ses_req_initiator_set(o->ses, d->initiator);
    uet_ses_req_defer_match_bits_set(o->ses, d->match_bits);
}

struct deferrable uet_deferrable_of(struct uet_tc *tc, struct deferrable shape)
{
    struct deferrable d = shape;

    d.opcode = d.opcode ? d.opcode : UET_OP_DEFERRABLE_SEND;
    d.initiator = d.initiator ? d.initiator : UET_TC_SENDER;
    uet_accept_pdcs(tc); /* for the RTR */
    d.mtu = uet_tc_dut(tc)->payload_mtu;
    d.n = LONGER_THAN + d.mtu + 100 - d.less;
    d.bytes = d.bytes ? d.bytes : uet_tc_bytes(tc, d.n);
    d.packets =
        (uint32_t)uet_message(d.p, d.opcode, &d.m, 0, d.bytes, d.n, d.o, DEFERRABLE_PACKETS);
    d.p->next_psn -= d.packets; /* taken by those that are said */
    for (uint32_t i = 0; i < d.packets; i++)
        mark(&d, &d.o[i]);
    if (d.hd) {
        uet_ses_req_hd_set(d.o[0].ses, true);
        uet_ses_req_std_header_data_set(d.o[0].ses, d.header_data);
    }
    return d;
}

static void number(struct uet_pdc *p, struct uet_out *o)
{
    o->psn = p->next_psn++;
    uet_rud_rod_req_psn_set(o->pds, o->psn);
    uet_rud_rod_req_clear_psn_offset_set(o->pds, (int16_t)uet_psn_diff(p->clear_psn, o->psn));
}

void number_packets(struct deferrable *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        number(d->p, &d->o[i]);
}

uint64_t receive_for(struct uet_tc *tc, const struct deferrable *d)
{
    bool tagged = d->opcode == UET_OP_DEFERRABLE_TSEND;
    const struct uet_ut_receive like = {
        .tagged = tagged, .match_bits = d->match_bits, .length = d->n + 100};

    return uet_tag_receive(tc, &d->m, &like);
}

const struct uet_in *deferred(struct uet_tc *tc, struct deferrable *d)
{
    number_packets(d, 1);
    const struct uet_in *in = ask(tc, "SES-146", &d->o[0]);

    if (code_told(in) == UET_RC_NO_MATCH) {
        uet_other_reading(tc, "SES-153", "RC_NO_MATCH: nothing was deferred");
        uet_skip(tc, "this FEP defers nothing now, as it may");
    }
    field(tc, "SES-146", in, UET_F_SES_RSP_OPCODE, UET_RSP_RESPONSE);
    field(tc, "SES-146", in, UET_F_SES_RETURN_CODE, UET_RC_OK);
    field_at_most(tc, "SES-146", in, UET_F_SES_MODIFIED_LENGTH, d->n - 1);
    return in;
}

struct uet_out stop_of(const struct deferrable *d, uint32_t sent)
{
    struct uet_out o = d->o[sent / d->mtu];

    number(d->p, &o);
    uet_ses_req_som_set(o.ses, false);
    uet_ses_req_eom_set(o.ses, true);
    uet_ses_req_std_payload_length_set(o.ses, 0);
    uet_ses_req_std_message_offset_set(o.ses, sent);
    o.payload_len = 0;
    return o;
}

void put_off(struct uet_tc *tc, struct deferrable *d)
{
    deferred(tc, d);
    struct uet_out stop = stop_of(d, d->mtu);
    const struct uet_in *in = delivered(tc, "SES-146", &stop);
    uet_check(tc, "SES-146", !is_error_response(in), "the early end of a deferred message fails");
}

bool uet_is_rtr(const struct uet_in *in, const void *none)
{
    (void)none;
    return !in->retransmission && uet_is_ses_request(&in->packet) &&
           uet_ses_req_opcode(uet_ses(&in->packet)) == UET_OP_DEFERRABLE_RTR;
}

const struct uet_in *hear_rtr(struct uet_tc *tc, struct deferrable *d)
{
    const struct uet_in *rtr = hear(tc, "SES-148", RTR);
    const uint8_t *s = uet_ses(&rtr->packet);

    if (d->irt)
        field(tc, "SES-148", rtr, UET_F_SES_INITIATOR_RESTART_TOKEN, d->irt);
    else
        d->irt = uet_ses_req_rtr_irt(s);
    d->trt = uet_ses_req_rtr_trt(s);
    return rtr;
}

void no_rtr(struct uet_tc *tc, const char *requirement)
{
    silence(tc, requirement, RTR, .within = uet_tc_quiet(tc));
}

void restarted(struct uet_tc *tc, const char *requirement, const struct deferrable *d,
               uint64_t handle)
{
    const struct uet_memory buffer = {.handle = handle};
    struct deferrable again = uet_deferrable_of(tc, *d);

    number_packets(&again, again.packets);
    for (uint32_t i = 0; i + 1 < again.packets; i++)
        delivered(tc, requirement, &again.o[i]);
    accepted(tc, requirement, &again.o[again.packets - 1]);
    fills(tc, requirement, handle, again.n);
    memory_holds(tc, requirement, &buffer, 0, again.bytes, again.n);
}

/* ---- the FEP sends ---- */

struct uet_out deferring_ack(const struct uet_in *in, uint32_t modified_length)
{
    struct uet_out ack = guaranteed_ack(in, UET_RC_OK);

    uet_ses_rsp_list_set(ack.ses, UET_LIST_OVERFLOW);
    uet_ses_rsp_modified_length_set(ack.ses, modified_length);
    return ack;
}

const struct uet_in *fep_is_put_off(struct uet_tc *tc, uint32_t n, uint64_t *handle)
{
    return fep_of_is_put_off(tc, 0, n, handle);
}

const struct uet_in *fep_of_is_put_off(struct uet_tc *tc, uint8_t generation, uint32_t n,
                                       uint64_t *handle)
{
    struct uet_ut_operation op = uet_op(tc, n);

    op.initiator = 0xfedc0000 + n; /* no two messages of a test have the same */
    op.generation = generation;
    uet_auto_ack(tc, false);
    *handle = uet_do_deferrable_send(tc, &op);
    const struct uet_in *in = uet_expect_any_request(tc, NULL);
    struct uet_out ack = deferring_ack(in, 0);
    say(tc, &ack);
    uet_auto_ack(tc, true);
    return in;
}

struct uet_out rtr_for(struct uet_pdc *p, const struct uet_in *first, uint32_t trt)
{
    const uint8_t *s = uet_ses(&first->packet);
    struct uet_out o = uet_no_op(p);

    uet_ses_req_opcode_set(o.ses, UET_OP_DEFERRABLE_RTR);
    uet_ses_req_rel_set(o.ses, uet_ses_req_rel(s));
    uet_ses_req_job_id_set(o.ses, uet_ses_req_job_id(s));
    uet_ses_req_initiator_set(o.ses, uet_ses_initiator(&first->packet));
    uet_ses_req_rtr_irt_set(o.ses, uet_ses_req_defer_irt(s));
    uet_ses_req_rtr_trt_set(o.ses, trt);
    uet_ses_req_std_request_length_set(o.ses, uet_ses_request_length(&first->packet));
    return o;
}

struct token {
    uint32_t irt, trt;
};

static bool is_restart(const struct uet_in *in, const void *want)
{
    const struct token *t = want;
    uint32_t irt, trt;

    return !in->retransmission && uet_is_ses_deferrable(&in->packet) &&
           uet_ses_restart_tokens(&in->packet, &irt, &trt) && irt == t->irt && trt == t->trt;
}

/* Where a message goes; an RTR, which may leave it out (SES-176), alters nothing of it. */
static const uint16_t addressed[] = {UET_F_SES_JOB_ID, UET_F_SES_PID_ON_FEP,
                                     UET_F_SES_RESOURCE_INDEX, UET_F_SES_RI_GENERATION,
                                     UET_F_SES_INITIATOR};

const struct uet_in *hear_restart(struct uet_tc *tc, const char *requirement,
                                  const struct uet_in *first, uint32_t trt)
{
    const struct token t = {uet_ses_req_defer_irt(uet_ses(&first->packet)), trt};

    const struct uet_in *in = hear(tc, requirement, .kind = UET_WANT_REQUEST, .also = is_restart,
                                   .ctx = &t, .named = "the message once more, with both tokens");
    for (size_t i = 0; i < sizeof(addressed) / sizeof(addressed[0]); i++)
        field(tc, requirement, in, addressed[i], value_of(tc, first, addressed[i]));
    if (uet_is_rod_request(&first->packet) || uet_is_rod_request(&in->packet))
        uet_other_reading(tc, "SES-154", "a deferrable send on ROD");
    return in;
}
