/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Isolation (3.7.4): a domain's jobs and PDCs are reached by its own packets alone. Which domain a
 * packet belongs to is known once it has been opened; in clear it belongs to none.
 */
#include "refimpl/tss/tss.h"

static bool names(const struct tss_domain *own, uint32_t job_id)
{
    for (uint8_t i = 0; i < own->n_jobs; i++) {
        if (own->jobs[i] == job_id)
            return true;
    }
    return false;
}

/* Of those that serve the job, the first that names it, else the first that serves all. */
static const struct tss_domain *of_job(const struct uet_fep *fep, uint32_t job_id)
{
    const struct tss_domain *any = NULL;
    for (size_t i = 0; i < fep->config.max_domains; i++) {
        const struct tss_domain *own = &fep->domains[i];
        if (own->used && names(own, job_id))
            return own;
        if (own->used && !own->n_jobs && !any)
            any = own;
    }
    return any;
}

/* own: the domain of its SDI, if it has a TSS header and that is installed. */
static inline struct tss_context context_of(const struct tss_domain *own,
                                            const struct uet_packet *p)
{
    return (struct tss_context){
        .sealed = p->tss != 0,
        .sdi = p->tss ? p->sdi : 0,
        .ssi = own && own->serves_clients ? p->seal.ssi : 0,
    };
}

static inline const struct tss_domain *domain_of(const struct uet_fep *fep,
                                                 const struct uet_packet *p)
{
    return p->tss ? uet_sd_find(fep, p->sdi) : NULL;
}

struct tss_context uet_sd_of_packet(const struct uet_fep *fep, const struct uet_packet *p)
{
    return context_of(domain_of(fep, p), p);
}

static struct tss_client *client_at(const struct tss_domain *own, const struct uet_ip *ip)
{
    for (uint8_t i = 0; i < own->n_clients; i++) {
        if (uet_ip_equal(&own->clients[i].ip, ip))
            return (struct tss_client *)&own->clients[i];
    }
    return NULL;
}

void uet_sd_client_heard(struct tss_domain *own, const struct uet_packet *p)
{
    const struct uet_ip ip = uet_src_ip(p);
    struct tss_client *client = client_at(own, &ip);
    if (!client && own->n_clients < TSS_CLIENTS)
        client = &own->clients[own->n_clients++];
    if (!client) {
        client = &own->clients[own->next_client];
        own->next_client = (own->next_client + 1u) % TSS_CLIENTS;
    }
    *client = (struct tss_client){.ip = ip, .ssi = uet_tss_hdr_16_ssi(uet_tss(p))};
}

/* own: NULL for none. */
static bool sends_in(const struct uet_fep *fep, const struct tss_domain *own,
                     const struct uet_ip *peer, struct tss_context *tss)
{
    *tss = (struct tss_context){.sealed = own, .sdi = own ? own->sdi : 0};
    if (own && own->serves_clients && own->ssi_mode) {
        const struct tss_client *client = client_at(own, peer);
        if (!client)
            return false;
        tss->ssi = client->ssi;
    }
    return own ? own->enabled : fep->config.protect != UET_PROTECT_TSS;
}

bool uet_sd_of_secured_job(const struct uet_fep *fep, uint32_t job_id, const struct uet_ip *peer,
                           struct tss_context *tss)
{
    return sends_in(fep, of_job(fep, job_id), peer, tss);
}

bool uet_sd_of_begun(const struct uet_fep *fep, const struct tss_context *begun, uint32_t job_id,
                     const struct uet_ip *peer, struct tss_context *tss)
{
    const struct tss_domain *own = begun->sealed ? uet_sd_find(fep, begun->sdi) : NULL;
    if (!begun->sealed)
        return uet_sd_of_job(fep, job_id, peer, tss);
    *tss = *begun;
    return own && sends_in(fep, own, peer, tss);
}

static inline bool serves(const struct tss_domain *own, uint32_t job_id)
{
    return own && (!own->n_jobs || names(own, job_id));
}

bool uet_sd_serves(const struct uet_fep *fep, const struct tss_context *tss, uint32_t job_id)
{
    return tss->sealed ? serves(uet_sd_find(fep, tss->sdi), job_id) : !of_job(fep, job_id);
}

bool uet_sd_fits(const struct uet_fep *fep, const struct uet_packet *p,
                 const struct tss_context *of_pdc)
{
    const struct tss_domain *own = domain_of(fep, p);
    const struct tss_context tss = context_of(own, p);
    if (!p->tss && fep->all_sealed)
        return false;
    if (of_pdc && !uet_sd_same(of_pdc, &tss))
        return false;
    if (!uet_is_ses_request(p))
        return true;
    uint32_t job_id = uet_ses_req_job_id(uet_ses(p));
    return tss.sealed ? serves(own, job_id) : !of_job(fep, job_id);
}

void uet_sd_misbound(struct uet_fep *fep, const struct uet_packet *p,
                     const struct tss_context *of_pdc)
{
    const struct tss_context tss = uet_sd_of_packet(fep, p);
    COUNT(fep, in_binding_failure_pkts);
    if (!p->tss)
        COUNT(fep, drop_clear_bound);
    else if (of_pdc && !uet_sd_same(of_pdc, &tss))
        COUNT(fep, drop_other_domain);
    else
        COUNT(fep, drop_job_not_served);
}
