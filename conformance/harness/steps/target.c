/* SPDX-License-Identifier: BSD-2-Clause */
/* Longer steps towards a FEP that is the target: PDCs, Requests, exchanges. */
#include "conformance/harness/steps/target.h"

#include <string.h>

#include "conformance/harness/context/context.h"
#include "conformance/harness/steps/answers.h"
#include "conformance/harness/steps/sealed.h"

/* ---- PDCs ---- */

struct uet_pdc *stranger(struct uet_tc *tc, const struct uet_pdc *p)
{
    struct uet_pdc *q = uet_pdc_new_at(tc, p->next_psn - 1);

    q->fep_pdcid = p->fep_pdcid;
    q->entropy = p->entropy;
    q->auto_close = false;
    return q;
}

static bool fep_has(const struct uet_tc *tc, uint16_t pdcid)
{
    for (const struct uet_pdc *pdc = tc->pdcs; pdc; pdc = pdc->next)
        if (pdc->fep_pdcid == pdcid)
            return true;
    return false;
}

uint16_t unused_pdcid(const struct uet_pdc *p)
{
    uint16_t id = other_pdcid(p->fep_pdcid);

    while (id == 0 || fep_has(p->tc, id))
        id++;
    return id;
}

struct uet_pdc *pdc_beside(struct uet_tc *tc, const struct uet_pdc *known)
{
    struct uet_pdc *q = uet_pdc_new(tc);

    q->fep_pdcid = unused_pdcid(known);
    q->auto_close = false;
    return q;
}

struct uet_pdc *pdc_unknown(struct uet_tc *tc)
{
    return pdc_beside(tc, uet_pdc_open(tc));
}

struct uet_pdc *open_in_mode(struct uet_tc *tc, bool rod, const struct uet_in **ack)
{
    uet_preamble_begin(tc);
    struct uet_pdc *p = uet_pdc_new(tc);
    p->rod = rod;
    struct uet_out syn = uet_any_request(p);
    const struct uet_in *in = exchange(tc, &syn);
    uet_preamble_end(tc);
    if (ack)
        *ack = in;
    return p;
}

struct uet_pdc *open_with_ack(struct uet_tc *tc, const struct uet_in **ack)
{
    return open_in_mode(tc, false, ack);
}

void need_pdcs(struct uet_tc *tc, unsigned n)
{
    uint64_t most;

    if (uet_dut_param(uet_tc_dut(tc), "max-pdcs", &most) && most < n)
        uet_skip(tc, "it takes %u PDCs at once, and max-pdcs is %llu", n, (unsigned long long)most);
}

void close_now(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    exchange(tc, &close);
    p->closed = true;
}

void use_up_pdcs(struct uet_tc *tc)
{
    uint64_t most = uet_tc_param(tc, "max-pdcs");
    struct uet_pdc *p = NULL;

    if (most > 4096)
        uet_skip(tc, "max-pdcs is %llu: too many for this test", (unsigned long long)most);
    uet_beyond_told(tc);
    for (uint64_t n = 0; n <= most; n++) {
        p = uet_pdc_new(tc);
        struct uet_out syn = uet_any_request(p);
        say(tc, &syn);
        const struct uet_in *in = maybe(tc, ANSWER_ON(p));
        if (!in || uet_is_nack(&in->packet))
            return;
    }
    uet_preamble_begin(tc); /* what is wrong then is the subject of another test */
    too_many_opened(tc, "PDS-041", p, "max-pdcs");
}

void too_many_opened(struct uet_tc *tc, const char *requirement, struct uet_pdc *last,
                     const char *of)
{
    unsigned long long n = 0;

    for (struct uet_pdc *p = last; p; p = p->next) {
        if (!p->initiator || p->closed || p->fep_pdcid == 0)
            continue;
        struct uet_out o = uet_any_request(p);
        n++;
        say(tc, &o);
        const struct uet_in *in = maybe(tc, COVERED_OR_REFUSED(&o));
        uet_check(tc, requirement, in && uet_is_ack(&in->packet),
                  "the SYN of spdcid 0x%04x was acknowledged, and there is no PDC behind it",
                  p->pdcid);
    }
    uet_inconc(tc, "%llu PDCs were opened, and they work: %s in fep.yaml is too small", n, of);
}

/* ---- what the tester says ---- */

struct uet_out request_at(struct uet_pdc *p, uint32_t psn)
{
    uint32_t next = p->next_psn;

    p->next_psn = psn;
    struct uet_out o = uet_any_request(p);
    p->next_psn = next;
    return o;
}

struct uet_out syn_request_at(struct uet_pdc *p, uint32_t psn)
{
    uint16_t known = p->fep_pdcid;

    p->fep_pdcid = 0;
    struct uet_out o = request_at(p, psn);
    p->fep_pdcid = known;
    return o;
}

struct uet_out cp_at(struct uet_pdc *p, uint8_t ctl_type, uint32_t psn)
{
    uint32_t next = p->next_psn;
    struct uet_out o = uet_cp(p, ctl_type);

    p->next_psn = next;
    o.psn = psn;
    uet_cp_psn_set(o.pds, psn);
    return o;
}

struct uet_out refused_write(struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_memory wrong = *m;

    wrong.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13): a key that nobody has */
    struct uet_out o = uet_write(p, &wrong, 0, "refuse me", 8);
    o.meant = "WRITE with an unknown key: provokes an error response";
    return o;
}

void ask_no_ack(struct uet_out *o)
{
    uet_rud_rod_req_ar_set(o->pds, false);
}

void say_requests(struct uet_tc *tc, struct uet_pdc *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct uet_out o = uet_any_request(p);
        say(tc, &o);
    }
}

/* ---- exchanges ---- */

const struct uet_in *exchange(struct uet_tc *tc, const struct uet_out *o)
{
    say(tc, o);
    return uet_expect_answer(tc, o->pdc, o->psn);
}

const struct uet_in *exchange_again(struct uet_tc *tc, const struct uet_out *o)
{
    uet_forget(tc);
    uet_resend(tc, o);
    return uet_expect_ack(tc, o->pdc, o->psn);
}

const struct uet_in *exchange_refused(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *ack = exchange(tc, o);

    if (!is_error_response(ack))
        uet_inconc(tc, "a WRITE with an unknown key was not refused: nothing to store (SES-063)");
    return ack;
}

const struct uet_in *unknown_nacked(struct uet_tc *tc, const struct uet_out *o)
{
    say(tc, o);
    return hear(tc, "PDS-038", NACK_OF(o, UET_NACK_INV_DPDCID));
}

const struct uet_in *stranger_refused(struct uet_tc *tc, const char *requirement,
                                      const struct uet_out *o, const uint8_t *codes, size_t n)
{
    say(tc, o);
    const struct uet_in *in = maybe(tc, REFUSAL_OF(o));
    if (!in) {
        uet_check(tc, requirement, is_of_other_client(tc, o),
                  "spdcid and source address are not compared");
        return NULL;
    }
    uint8_t code = (uint8_t)value_of(tc, in, UET_F_PDS_NACK_CODE);
    uet_check(tc, requirement, memchr(codes, code, n) != NULL, "refused with %s",
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
    return in;
}

static bool asks_for_close(const struct uet_in *in, const void *ctx)
{
    const uint8_t *h = uet_pds(&in->packet);

    (void)ctx;
    return uet_is_cp(&in->packet) ? uet_cp_ctl_type(h) == UET_CTL_CLOSE_REQUEST
                                  : uet_is_ack(&in->packet) && uet_ack_req(h) == UET_ACK_REQ_CLOSE;
}

#define CLOSE_ASKED_ON(p) .pdc = (p), .also = asks_for_close

void still_serves(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    uint16_t tpdcid = p->fep_pdcid;
    struct uet_out o = uet_any_request(p);

    o.meant = "does the PDC still work?";
    say(tc, &o);
    const struct uet_in *in = hear(tc, requirement, ANSWER_TO(&o));
    if (uet_is_nack(&in->packet) && maybe(tc, CLOSE_ASKED_ON(p), .within = UET_US))
        return;
    uet_look_at(tc, in);
    uet_check(tc, requirement, uet_is_ack(&in->packet), "the PDC serves its peer no longer");
    field(tc, requirement, in, UET_F_PDS_SPDCID, tpdcid);
}

/* ---- what the FEP is set to ---- */

#define CLOSE_REQ_LONG (100 * UET_MS) /* its upper bound (3.5.5) */

void close_req_long(struct uet_tc *tc)
{
    if (uet_tc_ut(tc))
        uet_try_param(tc, "Close_REQ_Time", CLOSE_REQ_LONG);
}

uint64_t leave_no_pdc(struct uet_tc *tc)
{
    uint64_t told;

    close_req_long(tc); /* a PDC that is asked to close stays open */
    uet_auto_ack(tc, false);
    const bool known = uet_tc_told(tc, "Close_REQ_Time", &told);
    use_up_pdcs(tc);
    uet_forget_settled(tc);
    tolerate(tc, .kind = UET_WANT_CP);
    if (!known)
        return UINT64_MAX;
    return uet_tc_now(tc) + uet_tc_scale(tc, told > CLOSE_REQ_LONG ? told : CLOSE_REQ_LONG);
}

void did_not_wait(struct uet_tc *tc, const char *requirement, const struct uet_in *in,
                  uint64_t begun_ns, uint64_t free_ns)
{
    if (in->time_ns >= free_ns && begun_ns + uet_tc_scale(tc, CLOSE_REQ_LONG) / 2 < free_ns)
        uet_other_reading(tc, requirement,
                          "it came only when Close_REQ_Time may have made a PDC free");
}

void skip_when(struct uet_tc *tc, const char *parameter, uint64_t value)
{
    uint64_t now;

    if (uet_tc_told(tc, parameter, &now) && now == value)
        uet_skip(tc, "%s is %llu on this FEP", parameter, (unsigned long long)value);
}
