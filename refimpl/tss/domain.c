/* SPDX-License-Identifier: BSD-2-Clause */
/* The SDKDB: domains, their keys, and how far these have been used (3.7.4). */
#include <errno.h>

#include "refimpl/tss/tss.h"

#define MAX_EPOCH_AGE       16u   /* the consortium's provider */
#define AUTH_FAIL_THRESHOLD 1000u /* likewise */

/* Where all is sealed nothing in clear has a place, not even a Control Packet without JobID. */
static void see_what_is_sealed(struct uet_fep *fep)
{
    fep->all_sealed = fep->config.protect == UET_PROTECT_TSS;
    for (size_t i = 0; i < fep->config.max_domains; i++)
        fep->all_sealed |= fep->domains[i].used && !fep->domains[i].n_jobs;
}

static void enter(struct uet_fep *fep, struct tss_domain *own)
{
    struct tss_domain **bucket = uet_sd_bucket(fep, own->sdi);
    own->used = true;
    own->next = *bucket;
    *bucket = own;
    fep->secured = true;
    see_what_is_sealed(fep);
}

static void leave(struct uet_fep *fep, struct tss_domain *own)
{
    struct tss_domain **at = uet_sd_bucket(fep, own->sdi);
    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    own->used = false;
    see_what_is_sealed(fep);
}

void uet_sd_reset(struct uet_fep *fep)
{
    for (size_t i = 0; i < fep->config.max_domains; i++) {
        fep->domains[i].latched = false;
        fep->domains[i].auth_failures = 0;
    }
}

/* ---- keys ---- */

/* What peers and this FEP must agree on, beside the key, holds for both ANs. */
static bool same_but_key(const struct uet_tss_sa *sa, const struct uet_tss_params *keys)
{
    return sa->sdi == keys->sdi && sa->mode == keys->mode && sa->client == keys->client &&
           sa->ssi_mode == keys->ssi_mode &&
           sa->rekey_mask == (keys->rekey ? keys->rekey_mask : 0) &&
           sa->rekey_shift == (keys->rekey ? keys->rekey_shift : 0) &&
           sa->encrypt_from == keys->encrypt_from;
}

void uet_sd_unload(struct tss_slot *slot)
{
    if (slot->loaded)
        uet_tss_erase(&slot->sa);
    slot->loaded = false;
}

int uet_sd_load(const struct uet_fep *fep, struct tss_slot *slot, const struct uet_tss_params *keys)
{
    struct uet_tss_params as_read = *keys;
    as_read.readings.udp_not_in_aad |= fep->choices.tss_udp_not_in_aad;
    as_read.readings.ipv6_context_by_ip |= fep->choices.tss_ipv6_by_address;
    as_read.readings.unexpected_ssi_is_fit |= fep->choices.tss_takes_extra_ssi;
    uet_sd_unload(slot);
    slot->sender.epoch = 0;
    slot->sender.next = 0;
    int rc = uet_tss_setup(&slot->sa, &as_read);
    uet_tss_wipe(&as_read, sizeof as_read);
    slot->loaded = rc == 0;
    return rc;
}

/* ---- a domain ---- */

void uet_fep_domain_default(struct uet_fep_domain *domain)
{
    *domain = (struct uet_fep_domain){
        .keys = {.mode = UET_TSS_MODE_CLUSTER},
        .max_epoch_age = MAX_EPOCH_AGE,
        .auth_fail_threshold = AUTH_FAIL_THRESHOLD,
    };
}

static bool valid(const struct uet_fep *fep, const struct uet_fep_domain *d)
{
    const struct uet_tss_params *k = &d->keys;
    bool side = k->client == UET_CLIENT_PEER || k->client == UET_CLIENT_SELF;
    bool source = k->ssi_mode || k->mode == UET_TSS_MODE_CLUSTER || /* TSS-017 */
                  fep->config.address.version == 4;
    return !uet_tss_params_error(k) && side && source && d->n_jobs <= UET_FEP_DOMAIN_JOBS &&
           d->start <= UET_RANDOM_1RTT_START && d->next_counter <= UET_TSS_COUNTER_MAX;
}

static void fill(struct tss_domain *own, const struct uet_fep_domain *d)
{
    const struct uet_tss_params *k = &d->keys;
    *own = (struct tss_domain){
        .enabled = !d->disabled,
        .ssi_mode = k->ssi_mode,
        .serves_clients = k->mode == UET_TSS_MODE_SERVER && k->client == UET_CLIENT_PEER,
        .an = k->an,
        .start = d->start,
        .n_jobs = d->n_jobs,
        .max_epoch_age = d->max_epoch_age,
        .sdi = k->sdi,
        .start_psn = d->start_psn,
        .expected_psn = d->expected_psn,
        .auth_fail_threshold = d->auth_fail_threshold,
        .counter_limit = d->counter_limit,
    };
    memcpy(own->jobs, d->jobs, sizeof own->jobs);
    for (int an = 0; an < 2; an++)
        own->slots[an].sender = (struct uet_tss_sender){.ssi = d->ssi, .limit = d->counter_limit};
}

int uet_fep_domain_install(struct uet_fep *fep, const struct uet_fep_domain *domain)
{
    struct tss_domain *own = NULL;
    if (!valid(fep, domain))
        return -EINVAL;
    if (uet_sd_find(fep, domain->keys.sdi))
        return -EEXIST;
    for (size_t i = 0; i < fep->config.max_domains && !own; i++)
        own = fep->domains[i].used ? NULL : &fep->domains[i];
    if (!own)
        return -ENOSPC;
    fill(own, domain);
    struct tss_slot *slot = &own->slots[own->an];
    int rc = uet_sd_load(fep, slot, &domain->keys);
    if (fep->choices.tss_starts_random)
        own->start = UET_RANDOM_1RTT_START;
    slot->sender.epoch = domain->epoch;
    slot->sender.next = domain->next_counter;
    if (rc == 0)
        enter(fep, own);
    return rc;
}

void uet_sd_remove(struct uet_fep *fep, struct tss_domain *own)
{
    uet_sd_unload(&own->slots[0]);
    uet_sd_unload(&own->slots[1]);
    if (own->used)
        leave(fep, own);
}

int uet_sd_replace(struct uet_fep *fep, struct tss_domain *own, const struct uet_fep_domain *domain)
{
    if (!valid(fep, domain))
        return -EINVAL;
    fep->law.tss.remove(fep, own);
    return uet_fep_domain_install(fep, domain);
}

int uet_fep_domain_load(struct uet_fep *fep, const struct uet_tss_params *keys)
{
    struct tss_domain *own = uet_sd_find(fep, keys->sdi);
    if (!own)
        return -ENOENT;
    if (uet_tss_params_error(keys) || !same_but_key(&own->slots[own->an].sa, keys))
        return -EINVAL;
    if (keys->an == own->an)
        return -EBUSY;
    return fep->law.tss.load(fep, &own->slots[keys->an], keys);
}

int uet_fep_domain_unload(struct uet_fep *fep, uint32_t sdi, uint8_t an)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own || an > 1 || !own->slots[an].loaded)
        return -ENOENT;
    if (an == own->an)
        return -EBUSY;
    fep->law.tss.unload(&own->slots[an]);
    return 0;
}

int uet_fep_domain_rotate(struct uet_fep *fep, uint32_t sdi, uint8_t an)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own || an > 1 || !own->slots[an].loaded)
        return -ENOENT;
    own->an = an;
    return 0;
}

int uet_fep_domain_advance(struct uet_fep *fep, uint32_t sdi, uint16_t epoch, uint64_t counter)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own)
        return -ENOENT;
    struct uet_tss_sender *sender = &own->slots[own->an].sender;
    uint16_t ahead = (uint16_t)(epoch - sender->epoch);
    if (ahead >= 0x8000 || counter > UET_TSS_COUNTER_MAX || (!ahead && counter < sender->next))
        return -EINVAL;
    sender->epoch = epoch;
    sender->next = counter;
    return 0;
}

int uet_fep_domain_start(struct uet_fep *fep, uint32_t sdi, uint8_t start)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (start > UET_RANDOM_1RTT_START)
        return -EINVAL;
    if (!own)
        return -ENOENT;
    own->start = start;
    return 0;
}

int uet_fep_domain_reserve(struct uet_fep *fep, uint32_t sdi, uint8_t an, uint64_t from,
                           uint64_t below)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own || an > 1 || !own->slots[an].loaded)
        return -ENOENT;
    struct uet_tss_sender *sender = &own->slots[an].sender;
    if (from > sender->next)
        sender->next = from;
    /* 0 would stand for no limit of its own */
    sender->limit = own->counter_limit && own->counter_limit < below ? own->counter_limit
                    : below                                          ? below
                                                                     : 1;
    return 0;
}

int uet_fep_domain_enable(struct uet_fep *fep, uint32_t sdi, bool enabled)
{
    struct tss_domain *own = uet_sd_find(fep, sdi);
    if (!own)
        return -ENOENT;
    own->enabled = enabled;
    own->latched = false;
    own->auth_failures = 0;
    fep->dispatch = true; /* what waited for it may go */
    return 0;
}

bool uet_fep_domain_get(const struct uet_fep *fep, size_t i, struct uet_fep_domain_state *state)
{
    for (size_t at = 0; at < fep->config.max_domains; at++) {
        const struct tss_domain *own = &fep->domains[at];
        if (!own->used || i--)
            continue;
        const struct uet_tss_sender *sender = &own->slots[own->an].sender;
        *state = (struct uet_fep_domain_state){
            .sdi = own->sdi,
            .an = own->an,
            .has_key = {own->slots[0].loaded, own->slots[1].loaded},
            .epoch = sender->epoch,
            .next_counter = sender->next,
            .next_of = {own->slots[0].sender.next, own->slots[1].sender.next},
            .start_psn = own->start_psn,
            .expected_psn = own->expected_psn,
            .start = own->start,
            .enabled = own->enabled,
            .latched = own->latched,
            .in_auth_fail_pkts = own->auth_failures,
        };
        return true;
    }
    return false;
}

void uet_fep_erase(struct uet_fep *fep)
{
    for (size_t i = 0; i < fep->config.max_domains; i++)
        uet_sd_remove(fep, &fep->domains[i]);
    if (fep->config.max_domains) /* what was opened last was somebody's secret */
        uet_tss_wipe(fep->opened, UET_FRAME_MAX);
    uet_tss_wipe(&fep->secrets, sizeof fep->secrets);
    uet_tss_wipe(&fep->config.secret, sizeof fep->config.secret);
}
