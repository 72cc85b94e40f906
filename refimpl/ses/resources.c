/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Services and memory regions (3.4.1.3): opened, registered, found, and given back. Each is found
 * by the resource index that it stands behind; a relative address names it together with the JobID
 * (SES-050), an absolute one without (SES-051). Posted receives: receives.c.
 */
#include <errno.h>

#include "refimpl/ses/operation.h"
#include "refimpl/ses/ses.h"

/*
 * Names: of a relative address, with the JobID, or with none where any job may; of an absolute one,
 * without.
 */
#define ANY_JOB (UINT64_C(1) << 32)

static uint64_t ri_name(uint16_t pid_on_fep, uint16_t resource_index)
{
    return (uint64_t)pid_on_fep << 16 | resource_index;
}

/* ---- services ---- */

static struct service *service_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->services, id);
}

static uint64_t service_family(uint8_t ri_class, uint16_t pid, uint16_t ri)
{
    return (uint64_t)ri_class << 32 | ri_name(pid, ri);
}

static uint64_t service_name(uint64_t family, uint32_t job_id)
{
    return uet_index_join(family, job_id);
}

static uint64_t pid_name(uint16_t pid, uint32_t job_id)
{
    return uet_index_join(pid, job_id);
}

const struct uet_service *uet_service_find(const struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_index *ix = r->rel ? &fep->services_by_name : &fep->services_by_family;
    const uint64_t family = service_family(r->op->names, r->pid_on_fep, r->resource_index);
    uint32_t id = uet_index_first(ix, r->rel ? service_name(family, r->job_id) : family);
    for (; id; id = uet_index_next(ix, id)) {
        const struct uet_service *s = &service_at(fep, id)->call;
        if (s->resource_index == r->resource_index && s->pid_on_fep == r->pid_on_fep &&
            s->ri_class == r->op->names && (!r->rel || s->job_id == r->job_id))
            return s;
    }
    return NULL;
}

bool uet_service_job_known(const struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_index *ix = &fep->services_by_job;
    if (!r->rel)
        return true;
    for (uint32_t id = uet_index_first(ix, r->job_id); id; id = uet_index_next(ix, id)) {
        if (service_at(fep, id)->call.job_id == r->job_id)
            return true;
    }
    return false;
}

bool uet_service_pid_known(const struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_index *ix = r->rel ? &fep->services_by_pid_of_job : &fep->services_by_pid;
    uint32_t id = uet_index_first(ix, r->rel ? pid_name(r->pid_on_fep, r->job_id) : r->pid_on_fep);
    for (; id; id = uet_index_next(ix, id)) {
        const struct uet_service *s = &service_at(fep, id)->call;
        if (s->pid_on_fep == r->pid_on_fep && (!r->rel || s->job_id == r->job_id))
            return true;
    }
    return false;
}

static struct service *service_like(const struct uet_fep *fep, const struct uet_service *like)
{
    const struct uet_index *ix = &fep->services_by_name;
    const uint64_t family = service_family(like->ri_class, like->pid_on_fep, like->resource_index);
    uint32_t id = uet_index_first(ix, service_name(family, like->job_id));
    for (; id; id = uet_index_next(ix, id)) {
        const struct uet_service *s = &service_at(fep, id)->call;
        if (s->job_id == like->job_id && s->pid_on_fep == like->pid_on_fep &&
            s->resource_index == like->resource_index && s->ri_class == like->ri_class)
            return service_at(fep, id);
    }
    return NULL;
}

int uet_fep_service_add(struct uet_fep *fep, const struct uet_service *service)
{
    const uint64_t family =
        service_family(service->ri_class, service->pid_on_fep, service->resource_index);
    if (service->ri_class == UET_RI_TAGGED && !fep->law.ses.tagged)
        return -EINVAL;
    if (service_like(fep, service))
        return -EEXIST;
    uint32_t id = pool_get(&fep->services);
    if (!id)
        return -ENOSPC;
    service_at(fep, id)->call = *service;
    uet_index_add(&fep->services_by_name, service_name(family, service->job_id), id);
    uet_index_add(&fep->services_by_family, family, id);
    uet_index_add(&fep->services_by_job, service->job_id, id);
    uet_index_add(&fep->services_by_pid, service->pid_on_fep, id);
    uet_index_add(&fep->services_by_pid_of_job, pid_name(service->pid_on_fep, service->job_id), id);
    return 0;
}

static void set_exhausted(struct uet_fep *fep, struct service *s, bool exhausted)
{
    fep->n_exhausted += (uint32_t)exhausted - (uint32_t)s->exhausted;
    s->exhausted = exhausted;
}

int uet_fep_service_set(struct uet_fep *fep, const struct uet_service *service)
{
    struct service *s = service_like(fep, service);
    if (!s)
        return -ENOENT;
    set_exhausted(fep, s, false);
    s->call = *service;
    return 0;
}

void uet_service_exhausted(struct uet_fep *fep, const struct ses_request *r)
{
    const struct uet_service *found = uet_service_find(fep, r);
    struct service *s = found ? service_like(fep, found) : NULL;
    if (!s)
        return;
    COUNT(fep, service_exhausted);
    set_exhausted(fep, s, true);
    s->call.disabled = true;
}

uint8_t uet_service_next_generation(uint8_t generation)
{
    return (uint8_t)(generation + 1);
}

void uet_service_supplied(struct uet_fep *fep, const struct uet_receive *v)
{
    const struct uet_index *ix = &fep->services_by_family;
    const uint8_t ri_class = v->tagged ? UET_RI_TAGGED : UET_RI_SEND;
    uint32_t id = uet_index_first(ix, service_family(ri_class, v->pid_on_fep, v->resource_index));
    for (; id; id = uet_index_next(ix, id)) {
        struct service *s = service_at(fep, id);
        if (!s->exhausted || s->call.pid_on_fep != v->pid_on_fep ||
            s->call.resource_index != v->resource_index || s->call.ri_class != ri_class ||
            (!v->any_job && s->call.job_id != v->job_id))
            continue;
        set_exhausted(fep, s, false);
        s->call.disabled = false;
        s->call.ri_generation = fep->law.ses.next_generation(s->call.ri_generation);
    }
}

/* ---- regions ---- */

static struct region *region_at(const struct uet_fep *fep, uint32_t id)
{
    return pool_item(&fep->regions, id);
}

const struct uet_region *uet_region_at(const struct uet_fep *fep, uint32_t id)
{
    return &region_at(fep, id)->call;
}

static uint64_t region_family(uint16_t pid, uint16_t ri, uint64_t key)
{
    return uet_index_join(ri_name(pid, ri), key);
}

static uint64_t family_of(const struct uet_region *g)
{
    return region_family(g->pid_on_fep, g->resource_index, g->key);
}

static uint64_t name_of(const struct uet_region *g)
{
    return uet_index_join(family_of(g), g->any_job ? ANY_JOB : g->job_id);
}

static bool same_key(const struct uet_region *g, const struct ses_request *r)
{
    return g->key == r->key && g->pid_on_fep == r->pid_on_fep &&
           g->resource_index == r->resource_index;
}

/* Its own, or one of any job, which may use them alike. */
static uint32_t of_job(const struct uet_fep *fep, const struct ses_request *r, uint64_t family)
{
    const struct uet_index *ix = &fep->regions_by_name;
    const uint64_t jobs[] = {r->job_id, ANY_JOB};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t id = uet_index_first(ix, uet_index_join(family, jobs[i]));
        for (; id; id = uet_index_next(ix, id)) {
            const struct uet_region *g = uet_region_at(fep, id);
            if (same_key(g, r) && (g->any_job || g->job_id == r->job_id))
                return id;
        }
    }
    return 0;
}

/* In relative mode the JobID is part of the name: what another job owns is not there at all. */
uint32_t uet_region_find(const struct uet_fep *fep, const struct ses_request *r, bool *refused)
{
    const struct uet_index *ix = &fep->regions_by_family;
    const uint64_t family = region_family(r->pid_on_fep, r->resource_index, r->key);
    uint32_t id = of_job(fep, r, family);
    if (id || r->rel) {
        *refused = false;
        return id;
    }
    for (id = uet_index_first(ix, family); id && !same_key(uet_region_at(fep, id), r);)
        id = uet_index_next(ix, id);
    *refused = id;
    return id;
}

bool uet_region_is_user_key(uint64_t key)
{
    return !(key & KEY_VENDOR);
}

int uet_fep_region_add(struct uet_fep *fep, const struct uet_region *region)
{
    const struct uet_index *ix = &fep->regions_by_name;
    if ((region->length && !region->base) || !fep->law.ses.is_user_key(region->key))
        return -EINVAL;
    for (uint32_t id = uet_index_first(ix, name_of(region)); id; id = uet_index_next(ix, id)) {
        const struct uet_region *g = uet_region_at(fep, id);
        if (g->key == region->key && g->pid_on_fep == region->pid_on_fep &&
            g->resource_index == region->resource_index && g->any_job == region->any_job &&
            (g->any_job || g->job_id == region->job_id))
            return -EEXIST;
    }
    uint32_t id = pool_get(&fep->regions);
    if (!id)
        return -ENOSPC;
    region_at(fep, id)->call = *region;
    region_at(fep, id)->registered = true;
    uet_index_add(&fep->regions_by_name, name_of(region), id);
    uet_index_add(&fep->regions_by_family, family_of(region), id);
    return (int)id - 1;
}

void uet_ses_part_begins(struct uet_fep *fep, const struct part *part)
{
    if (part->region)
        region_at(fep, part->region)->n_parts++;
}

void uet_ses_part_ends(struct uet_fep *fep, const struct part *part, enum part_fate fate)
{
    if (part->reader && fate != PART_REFUSED)
        uet_rendezvous_reads(fep, part, fate == PART_ARRIVED);
    if (!part->region)
        return;
    struct region *region = region_at(fep, part->region);
    region->n_parts--;
    if (region->reader && !region->n_parts)
        fep->dispatch = true; /* that may have been the last of a rendezvous */
}

static struct region *registered(const struct uet_fep *fep, int handle)
{
    bool known = handle >= 0 && (uint32_t)handle < fep->regions.n;
    struct region *region = known ? region_at(fep, (uint32_t)handle + 1) : NULL;
    return region && region->registered && !region->removed ? region : NULL;
}

const struct uet_region *uet_region_of(const struct uet_fep *fep, int handle)
{
    const struct region *region = registered(fep, handle);
    return region ? &region->call : NULL;
}

uint32_t uet_region_parts(const struct uet_fep *fep, int handle)
{
    return region_at(fep, (uint32_t)handle + 1)->n_parts;
}

uint32_t *uet_region_reader(const struct uet_fep *fep, int handle)
{
    return &region_at(fep, (uint32_t)handle + 1)->reader;
}

uint32_t uet_region_token(const struct uet_fep *fep, uint32_t id)
{
    uint32_t reader = id ? region_at(fep, id)->reader : 0;
    return reader ? op_at(fep, reader)->irt : 0;
}

void uet_region_withdraw(struct uet_fep *fep, uint32_t region)
{
    const struct uet_region *call = &region_at(fep, region)->call;
    uet_index_remove(&fep->regions_by_name, name_of(call), region);
    uet_index_remove(&fep->regions_by_family, family_of(call), region);
}

int uet_fep_region_remove(struct uet_fep *fep, int handle)
{
    struct region *region = region_at(fep, (uint32_t)handle + 1);
    if (handle < 0 || (uint32_t)handle >= fep->regions.n || !region->registered)
        return -ENOENT;
    if (!region->removed)
        fep->law.ses.withdraw(fep, (uint32_t)handle + 1);
    region->removed = true;
    if (region->n_parts || region->reader ||
        uet_pds_answers_from(fep, region->call.base, region->call.length))
        return -EBUSY;
    region->registered = false;
    pool_put(&fep->regions, (uint32_t)handle + 1);
    return 0;
}
