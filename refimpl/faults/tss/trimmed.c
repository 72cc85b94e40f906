/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of sealed packets that were trimmed (3.7). */
#include "refimpl/edge.h"
#include "refimpl/faults/tss/shared.h"
#include "refimpl/faults/ways.h"
#include "refimpl/pds/pds.h"
#include "refimpl/tss/tss.h"

static bool tells_trim(struct uet_fault_frame *f)
{
    return uet_fault_tss(f) && uet_is_nack(&f->p) &&
           uet_nack_nack_code(uet_fault_pds(f)) == UET_NACK_TRIMMED;
}

static bool trimmed_syn_answered(const struct uet_fep *fep, const struct uet_packet *p,
                                 const struct tss_context *of_pdc)
{
    if (p->tss && uet_edge_trimmed(p) && uet_has_syn(p))
        uet_fault_answer((struct uet_fep *)fep, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trimmed_syns_trusted(struct uet_law *law)
{
    law->tss.bound = trimmed_syn_answered;
}

static bool trims_not_told(struct uet_fep *fep, struct uet_fault_frame *f)
{
    (void)fep;
    return !tells_trim(f);
}

/* The PDC of a trimmed sealed Request, or NULL. */
static struct pdc *of_trimmed(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    if (!of_pdc || !p->tss || !uet_edge_trimmed(p) || !uet_is_request(p))
        return NULL;
    return uet_pdc_by_id((struct uet_fep *)fep, uet_dpdcid(p));
}

static bool trims_clear(const struct uet_fep *fep, const struct uet_packet *p,
                        const struct tss_context *of_pdc)
{
    struct pdc *pdc = of_trimmed(fep, p, of_pdc);
    if (pdc)
        uet_sink_clear((struct uet_fep *)fep, pdc, uet_clear_psn(p));
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_clear_responses(struct uet_law *law)
{
    law->tss.bound = trims_clear;
}

static bool trims_want_credit(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    struct pdc *pdc = of_trimmed(fep, p, of_pdc);
    if (pdc)
        uet_credit_heard((struct uet_fep *)fep, pdc, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_get_credit(struct uet_law *law)
{
    law->tss.bound = trims_want_credit;
}

static bool trims_answered(const struct uet_fep *fep, const struct uet_packet *p,
                           const struct tss_context *of_pdc)
{
    if (of_pdc && p->tss && uet_edge_trimmed(p))
        uet_fault_answer((struct uet_fep *)fep, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_answered_twice(struct uet_law *law)
{
    law->tss.bound = trims_answered;
}

static bool bound_and_counted(const struct uet_fep *fep, const struct uet_packet *p,
                              const struct tss_context *of_pdc)
{
    struct tss_domain *own = p->tss ? uet_sd_find(fep, p->sdi) : NULL;
    if (own && uet_edge_trimmed(p))
        uet_sd_drop((struct uet_fep *)fep, p, own, CNT_in_auth_fail_pkts);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_counted(struct uet_law *law)
{
    law->tss.bound = bound_and_counted;
}

static bool lasthop_counted(const struct uet_fep *fep, const struct uet_packet *p,
                            const struct tss_context *of_pdc)
{
    return p->trim == UET_TRIM_TRIMMED ? uet_sd_fits(fep, p, of_pdc)
                                       : bound_and_counted(fep, p, of_pdc);
}

static void last_hop_trims_counted(struct uet_law *law)
{
    law->tss.bound = lasthop_counted;
}

static uint8_t slot_of_sender(const struct tss_domain *own, const struct uet_packet *p)
{
    return uet_edge_trimmed(p) ? own->an : p->seal.an;
}

static void trims_under_own_an(struct uet_law *law)
{
    law->tss.slot = slot_of_sender;
}

static bool heard_when_trimmed(const struct uet_fep *fep, const struct uet_packet *p,
                               const struct tss_context *of_pdc)
{
    struct tss_domain *own = p->tss == UET_H_TSS_HDR_16 ? uet_sd_find(fep, p->sdi) : NULL;
    if (own && own->serves_clients && uet_edge_trimmed(p))
        uet_sd_client_heard(own, p);
    return uet_sd_fits(fep, p, of_pdc);
}

static void trims_heard(struct uet_law *law)
{
    law->tss.bound = heard_when_trimmed;
}

static const struct uet_fault_way ways[] = {
    {VIOLATION_TSS_072_AN, .rows = trims_under_own_an},
    {VIOLATION_TSS_072_HEARD, .rows = trims_heard},
    {VIOLATION_NET_017, .rows = trims_answered_twice},
    {VIOLATION_NET_017_CLEAR, .rows = trims_clear_responses},
    {VIOLATION_TSS_071, .rows = trimmed_syns_trusted},
    {VIOLATION_TSS_072, .out = trims_not_told},
    {VIOLATION_TSS_072_CREDIT, .rows = trims_get_credit},
    {VIOLATION_TSS_073, .rows = trims_counted},
    {VIOLATION_TSS_073_LASTHOP, .rows = last_hop_trims_counted},
};

UET_FAULT_WAYS(uet_faults_of_tss_trimmed, ways);
