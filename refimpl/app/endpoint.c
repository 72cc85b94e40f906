/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints and the regions behind them: opened and closed. */
#include <errno.h>

#include "refimpl/app/app.h"
#include "uet_spec.h"

#define SPACES      (UET_RI_TAGGED + 1u)
#define EVERY_SPACE ((1u << SPACES) - 1)

/* ---- endpoints ---- */

static unsigned spaces_of(const struct uet_ep_config *config)
{
    return config->spaces ? config->spaces : EVERY_SPACE;
}

/* Does a request have room for the address? */
static bool fits_the_wire(const struct uet_ep_config *config)
{
    uint8_t header[UET_SES_REQ_STD_SOM1_BYTES] = {0};
    uet_ses_req_job_id_set(header, config->job_id);
    uet_ses_req_pid_on_fep_set(header, config->pid_on_fep);
    uet_ses_req_resource_index_set(header, config->resource_index);
    return uet_ses_req_job_id(header) == config->job_id &&
           uet_ses_req_pid_on_fep(header) == config->pid_on_fep &&
           uet_ses_req_resource_index(header) == config->resource_index;
}

/* RI 0 is no application's (SES-057). */
static bool valid(const struct uet_domain *domain, const struct uet_ep_config *config)
{
    return fits_the_wire(config) && config->resource_index && config->mode <= UET_MODE_UUD &&
           spaces_of(config) <= EVERY_SPACE && (!config->cq || config->cq->domain == domain);
}

/* By another endpoint; or this struct is open. */
static bool taken(const struct uet_domain *domain, const struct uet_ep *self,
                  const struct uet_ep_config *config)
{
    for (const struct uet_ep *ep = domain->eps; ep; ep = ep->next) {
        const struct uet_ep_config *c = &ep->config;
        bool there = c->job_id == config->job_id && c->pid_on_fep == config->pid_on_fep &&
                     c->resource_index == config->resource_index;
        if (ep == self || (there && spaces_of(c) & spaces_of(config)))
            return true;
    }
    return false;
}

static int serve(const struct uet_ep *ep, uint8_t ri_class, bool disabled)
{
    const struct uet_service service = {
        .job_id = ep->config.job_id,
        .pid_on_fep = ep->config.pid_on_fep,
        .resource_index = ep->config.resource_index,
        .ri_class = ri_class,
        .disabled = disabled,
    };
    int rc = uet_fep_service_add(ep->domain->fep, &service);
    /* One that was closed before. */
    return rc == -EEXIST ? uet_fep_service_set(ep->domain->fep, &service) : rc;
}

/* In the first `end` spaces; those that are not its own are left alone. */
static int serve_spaces(const struct uet_ep *ep, uint8_t end, bool disabled)
{
    for (uint8_t space = 0; space < end; space++) {
        int rc = spaces_of(&ep->config) & UET_EP_IN(space) ? serve(ep, space, disabled) : 0;
        if (rc && !disabled)
            (void)serve_spaces(ep, space, true);
        if (rc)
            return rc;
    }
    return 0;
}

int uet_ep_open(struct uet_ep *ep, struct uet_domain *domain, const struct uet_ep_config *config)
{
    if (!valid(domain, config))
        return -EINVAL;
    if (taken(domain, ep, config))
        return -EEXIST;
    *ep = (struct uet_ep){.domain = domain, .config = *config, .next = domain->eps};
    int rc = serve_spaces(ep, SPACES, false);
    if (rc)
        return rc;
    domain->eps = ep;
    return 0;
}

int uet_ep_close(struct uet_ep *ep)
{
    struct uet_ep **link = &ep->domain->eps;
    while (*link && *link != ep)
        link = &(*link)->next;
    if (!*link)
        return -ENOENT;
    if (ep->n_contexts || ep->n_regions)
        return -EBUSY;
    *link = ep->next;
    return serve_spaces(ep, SPACES, true);
}

struct uet_ep_address uet_ep_address(const struct uet_ep *ep)
{
    return (struct uet_ep_address){
        .fep = uet_fep_config(ep->domain->fep)->address,
        .pid_on_fep = ep->config.pid_on_fep,
        .resource_index = ep->config.resource_index,
        .initiator = ep->config.initiator,
        .absolute = ep->config.absolute,
    };
}

/* ---- regions ---- */

/* What points to it among the open ones; to NULL: it is not open. */
static struct uet_mr **link_to(struct uet_domain *domain, const struct uet_mr *mr)
{
    struct uet_mr **link = &domain->mrs;
    while (*link && *link != mr)
        link = &(*link)->next;
    return link;
}

int uet_mr_open(struct uet_mr *mr, struct uet_ep *ep, void *base, uint64_t length, uint8_t rights,
                uint64_t key)
{
    const struct uet_region region = {
        .job_id = ep->config.job_id,
        .pid_on_fep = ep->config.pid_on_fep,
        .resource_index = ep->config.resource_index,
        .key = key,
        .rights = rights,
        .base = base,
        .length = length,
    };
    if (!(spaces_of(&ep->config) & UET_EP_IN(UET_RI_RMA)))
        return -EOPNOTSUPP;
    if (*link_to(ep->domain, mr))
        return -EEXIST;
    int handle = uet_fep_region_add(ep->domain->fep, &region);
    if (handle < 0)
        return handle;
    *mr = (struct uet_mr){.ep = ep, .key = key, .handle = handle, .next = ep->domain->mrs};
    ep->domain->mrs = mr;
    ep->n_regions++;
    return 0;
}

/* What is told of it must be told before its handle is another's. */
int uet_mr_close(struct uet_mr *mr)
{
    struct uet_domain *domain = mr->ep->domain;
    struct uet_mr **link = link_to(domain, mr);
    if (!*link)
        return -ENOENT;
    uet_domain_progress(domain, domain->now_ns);
    if (domain->holds)
        return -EAGAIN;
    int rc = uet_fep_region_remove(domain->fep, mr->handle);
    if (rc)
        return rc;
    *link = mr->next;
    mr->ep->n_regions--;
    return 0;
}
