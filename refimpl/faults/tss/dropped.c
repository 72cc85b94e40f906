/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of sealed packets that are dropped (3.7): which are, what is told, latches, ICVs. */
#include "refimpl/edge.h"
#include "refimpl/faults/tss/shared.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

static bool congested_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && uet_ecn(&f->p) == UET_ECN_CE);
}

void uet_fault_answer(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_build b;
    if (!uet_reply_start(fep, &b, p, NULL))
        return;
    uint8_t *h = uet_build_pds(&b, UET_H_NACK);
    uet_nack_type_set(h, UET_PDS_NACK);
    uet_nack_nack_code_set(h, UET_NACK_UNEXP_EVENT);
    uet_reply_finish(fep, &b, 0);
}

/* In clear where the domain is not known. */
static void answer_clear(struct uet_fep *fep, const struct uet_packet *p)
{
    struct uet_packet clear = *p;
    clear.tss = UET_H_NONE;
    uet_fault_answer(fep, &clear);
}

static void drop_answering_unknown(struct uet_fep *fep, const struct uet_packet *p,
                                   struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_errored_pkts)
        answer_clear(fep, p);
}

static bool wide_sdis_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !f->p.tss || f->p.sdi <= UINT16_MAX;
}

static void unknown_answered(struct uet_law *law)
{
    law->tss.drop = drop_answering_unknown;
    uet_fault_clear_may_go(law);
}

static void drop_answering_bad(struct uet_fep *fep, const struct uet_packet *p,
                               struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_auth_fail_pkts)
        uet_fault_answer(fep, p);
}

static void bad_icv_answered(struct uet_law *law)
{
    law->tss.drop = drop_answering_bad;
}

static void drop_without_latch(struct uet_fep *fep, const struct uet_packet *p,
                               struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (own)
        own->latched = false;
}

static void no_latch(struct uet_law *law)
{
    law->tss.drop = drop_without_latch;
}

static void drop_latching_all(struct uet_fep *fep, const struct uet_packet *p,
                              struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    for (size_t i = 0; own && own->latched && i < fep->config.max_domains; i++)
        fep->domains[i].latched = true;
}

static void one_latch(struct uet_law *law)
{
    law->tss.drop = drop_latching_all;
}

static void drop_latching_at(struct uet_fep *fep, const struct uet_packet *p,
                             struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_auth_fail_pkts && own->auth_failures == own->auth_fail_threshold)
        own->latched = true;
}

static void latch_early(struct uet_law *law)
{
    law->tss.drop = drop_latching_at;
}

static void drop_counting_all(struct uet_fep *fep, const struct uet_packet *p,
                              struct tss_domain *own, uint16_t counter)
{
    uint64_t sum = 0;
    uet_sd_drop(fep, p, own, counter);
    for (size_t i = 0; i < fep->config.max_domains; i++)
        sum += fep->domains[i].auth_failures;
    if (counter == CNT_in_auth_fail_pkts && own->auth_fail_threshold &&
        sum > own->auth_fail_threshold)
        own->latched = true;
}

static void one_count(struct uet_law *law)
{
    law->tss.drop = drop_counting_all;
}

/* Those of its whole life are in the counter. */
static void drop_counting_on(struct uet_fep *fep, const struct uet_packet *p,
                             struct tss_domain *own, uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_auth_fail_pkts &&
        fep->counters[CNT_in_auth_fail_pkts] > own->auth_fail_threshold)
        own->latched = true;
}

static void latch_again(struct uet_law *law)
{
    law->tss.drop = drop_counting_on;
}

/* Under the key that it does not seal with nothing is counted. */
static void drop_counting_one_key(struct uet_fep *fep, const struct uet_packet *p,
                                  struct tss_domain *own, uint16_t counter)
{
    bool idle = counter == CNT_in_auth_fail_pkts && p->seal.an != own->an;
    uet_sd_drop(fep, p, own, idle ? CNT_in_invalid : counter);
}

static void idle_key_never_latches(struct uet_law *law)
{
    law->tss.drop = drop_counting_one_key;
}

static void drop_hearing(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                         uint16_t counter)
{
    uet_sd_drop(fep, p, own, counter);
    if (counter == CNT_in_auth_fail_pkts && own->serves_clients && p->tss == UET_H_TSS_HDR_16)
        uet_sd_client_heard(own, p);
}

static void bad_icv_heard(struct uet_law *law)
{
    law->tss.drop = drop_hearing;
}

/* memo: those that were latched once, as bits. */
static void latch_stays(struct uet_fep *fep, uint64_t *memo)
{
    for (size_t i = 0; i < fep->config.max_domains && i < 64; i++) {
        *memo |= (uint64_t)fep->domains[i].latched << i;
        fep->domains[i].latched = *memo >> i & 1;
    }
}

static bool stump_latches(struct uet_fep *fep, struct uet_fault_frame *f)
{
    for (size_t i = 0; uet_parse_malformed(&f->p) && i < fep->config.max_domains; i++)
        fep->domains[i].latched = true;
    return true;
}

static bool rudi_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && f->p.pds == UET_H_RUDI_REQ);
}

static bool datagrams_lost(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !(f->p.tss && uet_is_uud(&f->p));
}

static bool over_threshold(const struct tss_domain *own)
{
    return own && own->auth_fail_threshold && own->auth_failures > own->auth_fail_threshold;
}

static bool latch_overlooked_on_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                                    const struct tss_context *of_pdc)
{
    bool shut = p->tss && over_threshold(uet_sd_find(fep, p->sdi));
    return (of_pdc || !shut) && uet_sd_fits(fep, p, of_pdc);
}

static void latched_serves_pdcs(struct uet_law *law)
{
    law->tss.drop = drop_without_latch;
    law->tss.bound = latch_overlooked_on_pdc;
}

/* What stands in a Request whose ICV is wrong, and the PDC that it is for; NULL: none. */
static struct pdc *behind_bad_icv(struct uet_fep *fep, const struct uet_packet *p,
                                  struct uet_packet *q)
{
    const struct uet_parse_options how = {.protect = fep->config.protect};
    const uint8_t *bytes = uet_sd_peek(fep, p);
    if (!bytes)
        return NULL;
    *q = *p;
    uet_parse_opened(q, bytes, &how);
    if (q->error != UET_PARSE_OK || !uet_is_ses_request(q) || uet_is_cc_request(q) ||
        uet_has_syn(q))
        return NULL;
    struct pdc *pdc = uet_pdc_by_id(fep, uet_dpdcid(q));
    bool live = pdc && !pdc->initiator && pdc->state == PDC_ESTABLISHED &&
                pdc->peer_id == uet_spdcid(q) &&
                uet_sink_place(fep, pdc, uet_packet_psn(q)) == PSN_NEW;
    return live ? pdc : NULL;
}

static void drop_marking(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                         uint16_t counter)
{
    struct uet_packet q;
    struct pdc *pdc = counter == CNT_in_auth_fail_pkts ? behind_bad_icv(fep, p, &q) : NULL;
    if (pdc)
        uet_sink_receive(fep, pdc, uet_packet_psn(&q));
    uet_sd_drop(fep, p, own, counter);
}

static void bad_icv_marks(struct uet_law *law)
{
    law->tss.drop = drop_marking;
}

static void drop_placing(struct uet_fep *fep, const struct uet_packet *p, struct tss_domain *own,
                         uint16_t counter)
{
    struct uet_packet q;
    struct ses_plan plan;
    struct pdc *pdc = counter == CNT_in_auth_fail_pkts ? behind_bad_icv(fep, p, &q) : NULL;
    if (pdc && uet_ses_knows_form(fep, &q)) {
        uet_ses_check(fep, pdc->id, &q, false, &plan);
        if (plan.request.opcode == UET_OP_WRITE && plan.return_code == UET_RC_OK && !plan.nack &&
            !plan.held && plan.to && plan.length)
            memcpy(plan.to, q.frame + q.payload_offset, plan.length);
    }
    uet_sd_drop(fep, p, own, counter);
}

static void bad_icv_placed(struct uet_law *law)
{
    law->tss.drop = drop_placing;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_042_MARKED, .rows = bad_icv_marks},
    {VIOLATION_TSS_042_PLACED, .rows = bad_icv_placed},
    {VIOLATION_TSS_042_HEARD, .rows = bad_icv_heard},
    {VIOLATION_TSS_043_AT, .rows = latch_early},
    {VIOLATION_TSS_043_SUM, .rows = one_count},
    {VIOLATION_TSS_043_TOTAL, .rows = latch_again},
    {VIOLATION_TSS_043_IDLE, .rows = idle_key_never_latches},
    {VIOLATION_TSS_043_LIVE, .rows = latched_serves_pdcs},
    {VIOLATION_TSS_009, .in = congested_lost},
    {VIOLATION_TSS_038, .rows = unknown_answered},
    {VIOLATION_TSS_042_TOLD, .rows = bad_icv_answered},
    {VIOLATION_TSS_043_ALL, .rows = one_latch},
    {VIOLATION_TSS_043_EVER, .after = latch_stays},
    {VIOLATION_TSS_043, .rows = no_latch},
    {VIOLATION_TSS_044, .in = stump_latches},
    {VIOLATION_TSS_051_WIDE, .in = wide_sdis_lost},
    {VIOLATION_TSS_052, .in = rudi_lost},
    {VIOLATION_TSS_053, .in = datagrams_lost},
};

UET_FAULT_WAYS(uet_faults_of_tss_dropped, ways);
