/* SPDX-License-Identifier: BSD-2-Clause */
/* What the PDS tests share whose FEP is the target: stimuli, and what an answer says. */
#ifndef UET_CONFORMANCE_TESTS_PDS_TARGET_H
#define UET_CONFORMANCE_TESTS_PDS_TARGET_H

#include <string.h>

#include "conformance/harness/steps/steps.h"

/* Where it can be set, the longest Close_REQ_Time (3.5.5): a tester in time does not miss it. */
static inline void close_req_long(struct uet_tc *tc)
{
    if (uet_tc_ut(tc))
        uet_try_param(tc, "Close_REQ_Time", 100 * UET_MS);
}

/* ---- stimuli ---- */

/* A NO_OP whose PSN is not counted as used: it will be refused, or comes out of turn. */
static inline struct uet_out request_at(struct uet_pdc *p, uint32_t psn)
{
    uint32_t next = p->next_psn;

    p->next_psn = psn;
    struct uet_out o = uet_any_request(p);
    p->next_psn = next;
    return o;
}

/* The same with syn=1 and psn_offset although the FEP's PDCID is known (3.5.8.2). */
static inline struct uet_out syn_request_at(struct uet_pdc *p, uint32_t psn)
{
    uint16_t known = p->fep_pdcid;

    p->fep_pdcid = 0;
    struct uet_out o = request_at(p, psn);
    p->fep_pdcid = known;
    return o;
}

/* A Control Packet with this PSN, not counted as used. */
static inline struct uet_out cp_at(struct uet_pdc *p, uint8_t ctl_type, uint32_t psn)
{
    uint32_t next = p->next_psn;
    struct uet_out o = uet_cp(p, ctl_type);

    p->next_psn = next;
    o.psn = psn;
    uet_cp_psn_set(o.pds, psn);
    return o;
}

/* A WRITE that the FEP must refuse: its answer is an error, delivered with guarantee (3.4.3.3). */
static inline struct uet_out refused_write(struct uet_pdc *p, const struct uet_memory *m)
{
    struct uet_memory wrong = *m;

    wrong.key ^= 0x00005a5a00000000u; /* RKEY bits (Table 2-13): a key that nobody has */
    struct uet_out o = uet_write(p, &wrong, 0, "refuse me", 8);
    o.meant = "WRITE with an unknown key: provokes an error response";
    return o;
}

/* Takes ar away: no ACK is asked for. */
static inline void ask_no_ack(struct uet_out *o)
{
    uet_rud_rod_req_ar_set(o->pds, false);
}

/*
 * Somebody who speaks to the PDC of p without owning it: same dpdcid and the last PSN of p, so that
 * a FEP that takes it has nothing new, but another spdcid (or, when the test says so, another
 * address).
 */
static inline struct uet_pdc *stranger(struct uet_tc *tc, const struct uet_pdc *p)
{
    struct uet_pdc *q = uet_pdc_new_at(tc, p->next_psn - 1);

    q->fep_pdcid = p->fep_pdcid;
    q->entropy = p->entropy;
    q->auto_close = false;
    return q;
}

/*
 * What a stranger sends is refused with one of these codes. One source calls the check optional
 * (Table 3-58): a FEP without it is a finding, and NULL is returned.
 */
static inline const struct uet_in *stranger_refused(struct uet_tc *tc, const char *requirement,
                                                    const struct uet_out *o, const uint8_t *codes,
                                                    size_t n)
{
    const struct uet_want nack = {
        .kind = UET_WANT_NACK, .pdc = o->pdc, .with_psn = true, .psn = o->psn};

    uet_for(tc, requirement);
    uet_send(tc, o);
    const struct uet_in *in = uet_maybe(tc, &nack, 0);
    if (!in) {
        uet_check(tc, requirement, false, "spdcid and source address are not compared");
        return NULL;
    }
    uint8_t code = uet_nack_nack_code(uet_pds(&in->packet));
    uet_check(tc, requirement, memchr(codes, code, n) != NULL, "refused with %s",
              uet_enum_name(UET_ENUM_PDS_NACK_CODE, code));
    return in;
}

/* A PDCID of the FEP that no PDC of this test has. */
static inline uint16_t unused_pdcid(const struct uet_pdc *p)
{
    uint16_t id = p->fep_pdcid ^ 0x2a55;

    return id ? id : 0x2a55;
}

/* A PDC of the tester's that the FEP does not have, next to one that it has. */
static inline struct uet_pdc *pdc_beside(struct uet_tc *tc, const struct uet_pdc *known)
{
    struct uet_pdc *q = uet_pdc_new(tc);

    q->fep_pdcid = unused_pdcid(known);
    q->auto_close = false;
    return q;
}

/* The same where it does not matter next to which: what is sent on it has an unknown dpdcid. */
static inline struct uet_pdc *pdc_unknown(struct uet_tc *tc)
{
    return pdc_beside(tc, uet_pdc_open(tc));
}

/* So many Requests in one go. */
static inline void say_requests(struct uet_tc *tc, struct uet_pdc *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct uet_out o = uet_any_request(p);
        say(tc, &o);
    }
}

/* ---- exchanges ---- */

/*
 * Sends it on a PDC of pdc_unknown() and takes the NACK, for tests of what a NACK looks like: that
 * one comes at all is PDS-038, and no subject of theirs.
 */
static inline const struct uet_in *unknown_nacked(struct uet_tc *tc, const struct uet_out *o)
{
    uet_send(tc, o);
    const char *subject = uet_for(tc, "PDS-038");
    const struct uet_in *nack = uet_expect_nack(tc, o->pdc, o->psn, UET_NACK_INV_DPDCID);
    uet_for(tc, subject);
    return nack;
}

/* Sends it and takes the ACK that names its PSN. */
static inline const struct uet_in *exchange(struct uet_tc *tc, const struct uet_out *o)
{
    uet_send(tc, o);
    return uet_expect_answer(tc, o->pdc, o->psn);
}

/* Sends it again with retx=1 and takes the ACK that this brings, not a late copy of an older one.
 */
static inline const struct uet_in *exchange_again(struct uet_tc *tc, const struct uet_out *o)
{
    uet_forget(tc);
    uet_resend(tc, o);
    return uet_expect_ack(tc, o->pdc, o->psn);
}

static inline bool asks_for_close(const struct uet_in *in, const void *ctx)
{
    const uint8_t *h = uet_pds(&in->packet);

    (void)ctx;
    return uet_is_cp(&in->packet) ? uet_cp_ctl_type(h) == UET_CTL_CLOSE_REQUEST
                                  : uet_is_ack(&in->packet) && uet_ack_req(h) == UET_ACK_REQ_CLOSE;
}

/*
 * The PDC still serves its rightful peer: a new Request is acknowledged under the same TPDCID. Not
 * if the FEP asked for its close, as it may when it runs short, and closed it in the meantime.
 */
static inline void still_serves(struct uet_tc *tc, const char *requirement, struct uet_pdc *p)
{
    uint16_t tpdcid = p->fep_pdcid;
    struct uet_out o = uet_any_request(p);

    o.meant = "does the PDC still work?";
    uet_for(tc, requirement);
    const struct uet_want asked = {.pdc = p, .also = asks_for_close},
                          answer = {
                              .kind = UET_WANT_ANSWER, .pdc = p, .with_psn = true, .psn = o.psn};
    uet_send(tc, &o);
    const struct uet_in *in = uet_expect(tc, &answer, 0);
    if (uet_is_nack(&in->packet) && uet_maybe(tc, &asked, UET_US))
        return;
    uet_check(tc, requirement, uet_is_ack(&in->packet), "the PDC serves its peer no longer");
    uet_check_eq(tc, requirement, "spdcid", uet_spdcid(&in->packet), tpdcid);
}

static inline bool cack_covers(const struct uet_in *in, const void *psn)
{
    return uet_psn_diff(uet_ack_cack_psn(uet_pds(&in->packet)), *(const uint32_t *)psn) >= 0;
}

/* An ACK on that PDC whose CACK_PSN has come to this PSN. */
#define CACK_UP_TO(p, to_psn)                                                                      \
    .kind = UET_WANT_ACK, .pdc = (p), .also = cack_covers, .ctx = &(const uint32_t){to_psn},       \
    .named = "ACK whose CACK_PSN has come to that PSN"

/* Any such ACK, unless none comes: then NULL. */
static inline const struct uet_in *cack_reaches(struct uet_tc *tc, const struct uet_pdc *p,
                                                uint32_t psn)
{
    return maybe(tc, CACK_UP_TO(p, psn));
}

/* An answer that has to do with this packet: an ACK that names or covers it, a NACK of it. */
static inline struct uet_want answer_to(const struct uet_out *o)
{
    return (struct uet_want){.kind = UET_WANT_ANSWER,
                             .pdc = o->pdc,
                             .with_psn = true,
                             .covering = true,
                             .psn = o->psn,
                             .named = "ACK or NACK of that packet"};
}

/* An ACK for this PDC, of whatever PSN. */
static inline struct uet_want any_ack(const struct uet_pdc *p)
{
    return (struct uet_want){.kind = UET_WANT_ACK, .pdc = p, .named = "ACK on this PDC"};
}

/* Closes a PDC by hand; preamble of tests on what comes after. */
static inline void close_now(struct uet_tc *tc, struct uet_pdc *p)
{
    struct uet_out close = uet_cp(p, UET_CTL_CLOSE_COMMAND);

    exchange(tc, &close);
    p->closed = true;
}

/* ---- what an answer says ---- */

static inline uint32_t cack_of(const struct uet_in *in)
{
    return uet_ack_cack_psn(uet_pds(&in->packet));
}

static inline uint8_t req_of(const struct uet_in *in)
{
    return uet_ack_req(uet_pds(&in->packet));
}

/* Does CACK_PSN of this ACK wait for the clear of a response of the FEP's choice? */
static inline bool waits_for_clear(const struct uet_tc *tc, const struct uet_in *ack)
{
    uint32_t next = cack_of(ack) + 1;

    return uet_psn_diff(next, ack->cleared) > 0 && uet_guaranteed(tc, ack->pdc, next);
}

/*
 * CACK_PSN must be psn. Below it, it may wait for the clear of a success that the FEP chose to
 * deliver with guarantee.
 */
static inline void check_cack(struct uet_tc *tc, const char *requirement, const struct uet_in *ack,
                              uint32_t psn)
{
    if (uet_psn_diff(cack_of(ack), psn) >= 0 || !waits_for_clear(tc, ack))
        field(tc, requirement, ack, UET_F_PDS_CACK_PSN, psn);
}

/* What follows tests successes that are not guaranteed: a FEP that guarantees them all is free. */
static inline void skip_when_guaranteed(struct uet_tc *tc, const struct uet_in *ack)
{
    if (uet_guaranteed(tc, ack->pdc, uet_packet_psn(&ack->packet)))
        uet_skip(tc, "the FEP delivers its successes with guarantee, as it may");
}

static inline void check_req_clear(struct uet_tc *tc, const char *requirement,
                                   const struct uet_in *ack)
{
    field(tc, requirement, ack, UET_F_PDS_REQ, UET_ACK_REQ_CLEAR);
}

/* A default response, which the PDS makes by itself (3.5.13), with success or no news. */
static inline bool is_default_response(const struct uet_in *in)
{
    const uint8_t *ses = uet_ses(&in->packet);

    if (!uet_is_ses_response(&in->packet))
        return false;
    uint8_t opcode = uet_ses_rsp_opcode(ses), code = uet_ses_rsp_return_code(ses);
    return (opcode == UET_RSP_DEFAULT_RESPONSE || opcode == UET_RSP_NO_RESPONSE) &&
           (code == UET_RC_NULL || code == UET_RC_OK);
}

/* The SES response tells an error. */
static inline bool is_error_response(const struct uet_in *in)
{
    return uet_is_ses_response(&in->packet) &&
           uet_ses_rsp_return_code(uet_ses(&in->packet)) > UET_RC_OK;
}

/* Preamble of the CLEAR tests: the refused WRITE was answered with an error. */
static inline const struct uet_in *exchange_refused(struct uet_tc *tc, const struct uet_out *o)
{
    const struct uet_in *ack = exchange(tc, o);

    if (!is_error_response(ack))
        uet_inconc(tc, "a WRITE with an unknown key was not refused: nothing to store (SES-063)");
    return ack;
}

/*
 * MP_Range of the FEP (3.5.11, mpr): what its ACK_CC cps_when_open, else its Default_MPR; in PSNs.
 * mpr = 0 means different things in different versions (PDS-064, PDS-065): such a FEP is skipped.
 */
static inline uint32_t mp_range(struct uet_tc *tc, const struct uet_in *ack)
{
    uint32_t mpr;

    if (uet_is_ack_cc(&ack->packet)) {
        mpr = uet_ack_cc_mpr(uet_pds(&ack->packet));
        if (mpr == 0)
            uet_skip(tc, "the FEP cps_when_open mpr = 0, whose meaning is contested");
    } else {
        mpr = (uint32_t)uet_tc_param(tc, "Default_MPR");
        mpr = mpr ? mpr : 1; /* 0 acts as 1 (Table 3-28) */
    }
    return 128 * mpr;
}

/*
 * More SYNs were acknowledged than the FEP has PDCs. Either they all work, and the number told is
 * too small; or the FEP has no PDC for some, and acknowledged all the same. last: the newest PDC.
 */
static inline void too_many_opened(struct uet_tc *tc, const char *requirement, struct uet_pdc *last,
                                   const char *of)
{
    unsigned long long n = 0;

    uet_for(tc, requirement);
    for (struct uet_pdc *p = last; p; p = p->next) {
        if (!p->initiator || p->closed || p->fep_pdcid == 0)
            continue;
        struct uet_out o = uet_any_request(p);
        const struct uet_want answer = {
            .kind = UET_WANT_ANSWER, .pdc = p, .with_psn = true, .covering = true, .psn = o.psn};
        n++;
        uet_send(tc, &o);
        const struct uet_in *in = uet_maybe(tc, &answer, 0);
        uet_check(tc, requirement, in && uet_is_ack(&in->packet),
                  "the SYN of spdcid 0x%04x was acknowledged, and there is no PDC behind it",
                  p->pdcid);
    }
    uet_inconc(tc, "%llu PDCs were opened, and they work: %s in fep.yaml is too small", n, of);
}

/* Opens PDCs until the FEP refuses one, at most one more than it says it has. */
static inline void use_up_pdcs(struct uet_tc *tc)
{
    uint64_t most = uet_tc_param(tc, "max-pdcs");

    if (most > 4096)
        uet_skip(tc, "max-pdcs is %llu: too many for this test", (unsigned long long)most);
    struct uet_pdc *p = NULL;
    for (uint64_t n = 0; n <= most; n++) {
        p = uet_pdc_new(tc);
        struct uet_out syn = uet_any_request(p);
        const struct uet_want answer = {
            .kind = UET_WANT_ANSWER, .pdc = p, .named = "ACK or NACK of a SYN"};
        uet_send(tc, &syn);
        const struct uet_in *in = uet_maybe(tc, &answer, 0);
        if (!in || uet_is_nack(&in->packet))
            return;
    }
    uet_preamble_begin(tc); /* what is wrong then is the subject of another test */
    too_many_opened(tc, "PDS-041", p, "max-pdcs");
}

/* A PDC of that mode, opened with one Request; the ACK of it, unless ack is NULL. */
static inline struct uet_pdc *open_in_mode(struct uet_tc *tc, bool rod, const struct uet_in **ack)
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

static inline struct uet_pdc *open_with_ack(struct uet_tc *tc, const struct uet_in **ack)
{
    return open_in_mode(tc, false, ack);
}

/* Two buffers were posted: the second SEND, of n bytes, was put into the second one. */
static inline void second_has_second_buffer(struct uet_tc *tc, const char *requirement,
                                            const struct uet_memory *m, uint32_t n)
{
    struct uet_ut_completion c = completion_of(tc, requirement, m->last_handle);

    uet_check_eq(tc, requirement, "bytes in the second buffer", c.length, n);
}

/* A switch of the FEP (Table 3-28) that turns off what a test is about; unknown: it is not. */
static inline void skip_when(struct uet_tc *tc, const char *parameter, uint64_t value)
{
    uint64_t now;

    if (uet_tc_told(tc, parameter, &now) && now == value)
        uet_skip(tc, "%s is %llu on this FEP", parameter, (unsigned long long)value);
}

#endif
