/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of what keeps domains, and packets in clear, from each other's PDCs and jobs (3.7). */
#include "refimpl/faults/tss/shared.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

/* It passes for one of the first domain. */
static bool rudi_of_first_domain(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (uet_fault_tss(f) && f->p.pds == UET_H_RUDI_RESP)
        uet_tss_hdr_sdi_set(uet_fault_tss(f), fep->domains[0].sdi);
    return true;
}

/* Of the PDC nothing is asked. */
static bool pdc_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, of_pdc && p->tss ? NULL : of_pdc);
}

static void other_sdi_on_pdc(struct uet_law *law)
{
    law->tss.bound = pdc_overlooked;
}

/* Of an answer nothing is asked. */
static bool answers_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                               const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, of_pdc && p->tss && !uet_is_request(p) ? NULL : of_pdc);
}

static void other_sdi_in_ack(struct uet_law *law)
{
    law->tss.bound = answers_overlooked;
}

/* The peer is told that it stands on a PDC of another domain, if there is one. */
static bool on_pdc_of_another(struct uet_fep *fep, struct uet_fault_frame *f)
{
    if (!f->p.tss || !uet_has_syn(&f->p) || !uet_is_request(&f->p))
        return true;
    for (uint16_t id = 1; id <= fep->config.max_pdcs; id++) {
        const struct pdc *pdc = uet_pdc_by_id(fep, id);
        if (pdc && pdc->initiator && pdc->tss.sealed && pdc->tss.sdi != f->p.sdi)
            uet_rud_rod_req_spdcid_set(uet_fault_pds(f), id);
    }
    return true;
}

static bool clear_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return !p->tss || uet_sd_fits(fep, p, of_pdc);
}

static void clear_taken(struct uet_law *law)
{
    law->tss.bound = clear_overlooked;
    uet_fault_clear_may_go(law);
}

/* The half of the rule that is about PDCs. */
static bool fits_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                     const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    return !of_pdc || uet_sd_same(of_pdc, &tss);
}

/* A FEP that seals all it has is right here and below: there must be jobs in clear. */
static bool clear_to_any_job(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    bool overlooked = !p->tss && !fep->all_sealed && of_pdc;
    return overlooked ? fits_pdc(fep, p, of_pdc) : uet_sd_fits(fep, p, of_pdc);
}

static void clear_reaches_jobs(struct uet_law *law)
{
    law->tss.bound = clear_to_any_job;
}

static bool clear_on_any_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, !p->tss && uet_is_ses_request(p) ? NULL : of_pdc);
}

static void clear_reaches_pdcs(struct uet_law *law)
{
    law->tss.bound = clear_on_any_pdc;
}

static bool sealed_on_any_clear_pdc(const struct uet_fep *fep, const struct uet_packet *p,
                                    const struct tss_context *of_pdc)
{
    bool overlooked = p->tss && of_pdc && !of_pdc->sealed && uet_is_ses_request(p);
    return uet_sd_fits(fep, p, overlooked ? NULL : of_pdc);
}

static void sealed_reaches_clear_pdcs(struct uet_law *law)
{
    law->tss.bound = sealed_on_any_clear_pdc;
}

static bool sealed_to_clear_jobs(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    const struct tss_context clear = {.sealed = false};
    bool to_clear = p->tss && uet_is_ses_request(p) &&
                    uet_sd_serves(fep, &clear, uet_ses_req_job_id(uet_ses(p)));
    return to_clear ? fits_pdc(fep, p, of_pdc) : uet_sd_fits(fep, p, of_pdc);
}

static void sealed_reaches_clear_jobs(struct uet_law *law)
{
    law->tss.bound = sealed_to_clear_jobs;
}

static bool sealed_alone(const struct uet_fep *fep, const struct uet_packet *p,
                         const struct tss_context *of_pdc)
{
    return (p->tss || !uet_is_ses_request(p)) && uet_sd_fits(fep, p, of_pdc);
}

static void no_clear_jobs(struct uet_law *law)
{
    law->tss.bound = sealed_alone;
}

static bool clear_rudi_taken(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return (!p->tss && p->pds == UET_H_RUDI_REQ) || uet_sd_fits(fep, p, of_pdc);
}

static void rudi_unbound(struct uet_law *law)
{
    law->tss.bound = clear_rudi_taken;
    uet_fault_clear_may_go(law);
}

static bool clear_datagram_taken(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    return (!p->tss && uet_is_uud(p)) || uet_sd_fits(fep, p, of_pdc);
}

static void datagrams_unbound(struct uet_law *law)
{
    law->tss.bound = clear_datagram_taken;
}

static bool clear_ack_taken(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct tss_context *of_pdc)
{
    return (!p->tss && uet_is_ack(p)) || uet_sd_fits(fep, p, of_pdc);
}

static void acks_unbound(struct uet_law *law)
{
    law->tss.bound = clear_ack_taken;
}

static bool clear_start_taken(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    bool start = uet_is_nack(p) && uet_nack_nack_code(uet_pds(p)) == UET_NACK_NEW_START_PSN;
    return (!p->tss && start) || uet_sd_fits(fep, p, of_pdc);
}

static void starts_unbound(struct uet_law *law)
{
    law->tss.bound = clear_start_taken;
}

/* The answer to RUDI may also be in clear, which only its job speaks against. */
static bool clear_answer_bound(const struct uet_fep *fep, const struct uet_packet *p,
                               const struct tss_context *of_pdc)
{
    return (!p->tss && p->pds == UET_H_RUDI_RESP) || uet_sd_fits(fep, p, of_pdc);
}

static bool clear_answer_serves(const struct uet_fep *fep, const struct tss_context *tss,
                                uint32_t job_id)
{
    return !tss->sealed || uet_sd_serves(fep, tss, job_id);
}

static void clear_answers_heard(struct uet_law *law)
{
    law->tss.bound = clear_answer_bound;
    law->tss.serves = clear_answer_serves;
}

static bool sealed_answer_serves(const struct uet_fep *fep, const struct tss_context *tss,
                                 uint32_t job_id)
{
    const struct tss_context clear = {.sealed = false};
    return uet_sd_serves(fep, tss, job_id) || uet_sd_serves(fep, &clear, job_id);
}

static void sealed_answers_heard(struct uet_law *law)
{
    law->tss.serves = sealed_answer_serves;
}

static bool job_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    return !p->tss ? uet_sd_fits(fep, p, of_pdc) : !of_pdc || uet_sd_same(of_pdc, &tss);
}

static void job_of_another(struct uet_law *law)
{
    law->tss.bound = job_overlooked;
}

static bool first_job_bound(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct tss_context *of_pdc)
{
    const struct tss_domain *own = p->tss ? uet_sd_find(fep, p->sdi) : NULL;
    bool other = own && own->n_jobs && uet_is_ses_request(p) &&
                 uet_ses_req_job_id(uet_ses(p)) != own->jobs[0];
    return !other && uet_sd_fits(fep, p, of_pdc);
}

static void first_job_alone(struct uet_law *law)
{
    law->tss.bound = first_job_bound;
}

/* Of a NACK, a Control Packet, what comes on the return direction, it is not asked whose it is. */
static bool nacks_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                             const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, p->tss && uet_is_nack(p) ? NULL : of_pdc);
}

static bool cps_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, p->tss && uet_is_cp(p) ? NULL : of_pdc);
}

static bool data_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct tss_context *of_pdc)
{
    return uet_sd_fits(fep, p, p->tss && uet_is_ses_response_data(p) ? NULL : of_pdc);
}

static bool rudi_of_any_job(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct tss_context *of_pdc)
{
    return (p->tss && p->pds == UET_H_RUDI_REQ) || uet_sd_fits(fep, p, of_pdc);
}

static void rudi_reaches_jobs(struct uet_law *law)
{
    law->tss.bound = rudi_of_any_job;
}

static void other_sdi_in_nack(struct uet_law *law)
{
    law->tss.bound = nacks_overlooked;
}

static void other_sdi_in_cp(struct uet_law *law)
{
    law->tss.bound = cps_overlooked;
}

static void other_sdi_in_data(struct uet_law *law)
{
    law->tss.bound = data_overlooked;
}

static bool datagrams_overlooked(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    return (p->tss && uet_is_uud(p)) || uet_sd_fits(fep, p, of_pdc);
}

static void datagrams_reach_jobs(struct uet_law *law)
{
    law->tss.bound = datagrams_overlooked;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_049_DATAGRAM, .rows = datagrams_reach_jobs},
    {VIOLATION_TSS_049_REQUEST, .rows = rudi_reaches_jobs},
    {VIOLATION_TSS_045_NACK, .rows = other_sdi_in_nack},
    {VIOLATION_TSS_045_CP, .rows = other_sdi_in_cp},
    {VIOLATION_TSS_045_DATA, .rows = other_sdi_in_data},
    {VIOLATION_TSS_076_JOBS, .rows = first_job_alone},
    {VIOLATION_TSS_045, .rows = other_sdi_on_pdc},
    {VIOLATION_TSS_045_ACK, .rows = other_sdi_in_ack},
    {VIOLATION_TSS_045_OWN, .out = on_pdc_of_another},
    {VIOLATION_TSS_045_CLEAR, .rows = sealed_reaches_clear_pdcs},
    {VIOLATION_TSS_048, .rows = clear_taken},
    {VIOLATION_TSS_048_JOB, .rows = clear_reaches_jobs},
    {VIOLATION_TSS_048_PDC, .rows = clear_reaches_pdcs},
    {VIOLATION_TSS_048_RUDI, .rows = rudi_unbound},
    {VIOLATION_TSS_048_UUD, .rows = datagrams_unbound},
    {VIOLATION_TSS_048_ANSWER, .rows = clear_answers_heard},
    {VIOLATION_TSS_048_ACK, .rows = acks_unbound},
    {VIOLATION_TSS_054_HEARD, .rows = starts_unbound},
    {VIOLATION_TSS_049_CLEAR, .rows = sealed_reaches_clear_jobs},
    {VIOLATION_TSS_049_ANSWER, .rows = sealed_answers_heard},
    {VIOLATION_TSS_050, .rows = no_clear_jobs},
    {VIOLATION_TSS_049, .rows = job_of_another},
    {VIOLATION_TSS_049_RUDI, .in = rudi_of_first_domain},
};

UET_FAULT_WAYS(uet_faults_of_tss_isolation, ways);
