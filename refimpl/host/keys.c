/* SPDX-License-Identifier: BSD-2-Clause */
/* Secure domains from a key file (wire/keyfile.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "refimpl/host/internal.h"

/* A key as this FEP loads it into a slot. */
static void params_of(struct uet_tss_params *p, const struct uet_key *key,
                      const struct uet_key_domain *d, uint8_t an)
{
    *p = key->params;
    p->an = an;
    p->ssi_mode = key->ssi == UET_KEY_SSI_YES || (key->ssi == UET_KEY_SSI_ANY && d->has_ssi);
}

static void domain_of(struct uet_fep_domain *domain, const struct uet_key_domain *d)
{
    uet_fep_domain_default(domain);
    domain->ssi = d->ssi;
    domain->epoch = d->epoch;
    domain->counter_limit = d->counter_limit;
    domain->n_jobs = d->n_jobs;
    for (size_t i = 0; i < d->n_jobs; i++)
        domain->jobs[i] = d->jobs[i];
    domain->start =
        d->start == UET_KEY_RANDOM_1RTT ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START;
    domain->max_epoch_age = d->max_epoch_age;
    domain->auth_fail_threshold = d->auth_fail_threshold;
}

/* A domain, and the key of its other AN if there is one. */
static int install(struct uet_host *host, const struct uet_keyfile *file,
                   const struct uet_key_domain *d)
{
    const struct uet_key *key = uet_keyfile_slot(file, d->sdi, d->tx);
    const struct uet_key *other = uet_keyfile_slot(file, d->sdi, !d->tx);
    struct uet_fep_domain domain;
    int rc = key ? 0 : -EINVAL;

    domain_of(&domain, d);
    if (rc == 0) {
        params_of(&domain.keys, key, d, d->tx);
        rc = uet_fep_domain_install(host->fep, &domain);
    }
    if (rc == 0 && other) {
        params_of(&domain.keys, other, d, !d->tx);
        rc = uet_fep_domain_load(host->fep, &domain.keys);
    }
    uet_tss_wipe(&domain, sizeof(domain));
    return rc;
}

static const char *why(int rc)
{
    switch (rc) {
    case -EEXIST:
        return "is installed already";
    case -ENOSPC:
        return "is one too many for this FEP";
    case -EINVAL:
        return "does not fit: both ANs need the same settings, and IPv6 in mode direct or server "
               "an "
               "SSI (ssi=)";
    default:
        return "needs more memory";
    }
}

int uet_host_install(struct uet_host *host, const struct uet_keyfile *file, char *err, size_t size)
{
    int rc = 0;

    for (size_t i = 0; i < file->n_domains && rc == 0; i++) {
        rc = install(host, file, &file->domains[i]);
        if (rc)
            snprintf(err, size, "the secure domain 0x%06x %s", (unsigned)file->domains[i].sdi,
                     why(rc));
    }
    return rc;
}
