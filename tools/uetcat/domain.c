/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/uetcat/domain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ERROR_TEXT = 400, STEPS_BIT = 18 };
#define BEGIN_S INT64_C(1577836800) /* 2020-01-01: the 2^48 steps from there on last until 2054 */

static bool serves(const struct uet_key_domain *d, uint32_t job_id)
{
    for (uint8_t i = 0; i < d->n_jobs; i++)
        if (d->jobs[i] == job_id)
            return true;
    return false;
}

bool uetcat_domain_serves(const struct uetcat_domain *d, uint32_t job_id)
{
    for (size_t i = 0; i < d->file->n_domains; i++)
        if (!d->file->domains[i].n_jobs || serves(&d->file->domains[i], job_id))
            return true;
    return false;
}

bool uetcat_domain_readable(const char *command, const char *path)
{
    char err[ERROR_TEXT] = "";
    struct uet_keyfile *file = uet_keyfile_read(path, err, sizeof err);
    bool good = file != NULL;
    if (!good)
        fprintf(stderr, "uetcat %s: %s\n", command, err);
    uet_keyfile_free(file);
    return good;
}

bool uetcat_domain_open(struct uetcat_domain *d, const char *command, const char *path)
{
    char err[ERROR_TEXT] = "";
    *d = (struct uetcat_domain){.file = uet_keyfile_read(path, err, sizeof err)};
    if (d->file && err[0])
        fprintf(stderr, "uetcat %s: %s\n", command, err); /* told, and used all the same */
    if (d->file)
        d->ring = uet_keyring_new(d->file, path, err, sizeof err);
    if (d->ring)
        return true;
    fprintf(stderr, "uetcat %s: %s\n", command, err);
    uetcat_domain_close(d);
    return false;
}

/* In server mode an SSI is the client's in both directions (TSS-029), and a client's keys are
 * direct. */
void uetcat_domain_heard(struct uetcat_domain *d, const char *command, const struct uet_packet *p)
{
    for (size_t i = 0; d->file && !d->told && p->tss == UET_H_TSS_HDR_16 && i < d->file->n_domains;
         i++) {
        const struct uet_key_domain *k = &d->file->domains[i];
        const uint8_t mode = uet_keyfile_slot(d->file, k->sdi, k->tx)->params.mode;
        if (!k->has_ssi || k->sdi != p->sdi || k->ssi != p->seal.ssi || mode == UET_TSS_MODE_SERVER)
            continue;
        fprintf(stderr,
                "uetcat %s: the FEP seals with our SSI 0x%08x of SDI 0x%06x: an SSI is one "
                "sender's (3.7); give --keys a file whose UET_DOMAIN has another ssi=%s\n",
                command, (unsigned)k->ssi, (unsigned)k->sdi,
                mode == UET_TSS_MODE_DIRECT ? ", unless the FEP is the server of this client" : "");
        d->told = true;
    }
}

/* False when the clock is not set. */
static bool counter_of_now(uint64_t *counter)
{
    struct timespec t;
    if (clock_gettime(CLOCK_REALTIME, &t) != 0 || t.tv_sec < BEGIN_S)
        return false;
    uint64_t steps = (uint64_t)t.tv_nsec * (UINT64_C(1) << STEPS_BIT) / 1000000000;
    *counter = ((uint64_t)(t.tv_sec - BEGIN_S) << STEPS_BIT) + steps;
    return true;
}

static bool has_ssi(const struct uet_key_domain *d, const struct uet_key *key)
{
    return d->has_ssi || key->params.ssi_mode;
}

bool uetcat_domain_has_ssi(const struct uetcat_domain *d)
{
    for (size_t i = 0; i < d->file->n_domains; i++) {
        const struct uet_key_domain *k = &d->file->domains[i];
        if (has_ssi(k, uet_keyfile_slot(d->file, k->sdi, k->tx)))
            return true;
    }
    return false;
}

/* A domain as the file has it, sent with the key of its AN tx; the caller wipes it. */
static struct uet_fep_domain domain_of(const struct uetcat_domain *d,
                                       const struct uet_key_domain *k, uint64_t counter)
{
    struct uet_fep_domain domain;
    uet_fep_domain_default(&domain);
    const struct uet_key *key = uet_keyfile_slot(d->file, k->sdi, k->tx);
    domain.keys = key->params;
    domain.keys.ssi_mode = has_ssi(k, key);
    domain.ssi = k->ssi;
    domain.epoch = k->epoch;
    domain.next_counter = counter;
    domain.counter_limit = k->counter_limit;
    domain.n_jobs = k->n_jobs;
    memcpy(domain.jobs, k->jobs, k->n_jobs * sizeof *k->jobs);
    domain.start =
        k->start == UET_KEY_RANDOM_1RTT ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START;
    domain.max_epoch_age = k->max_epoch_age;
    domain.auth_fail_threshold = k->auth_fail_threshold;
    return domain;
}

static int install(const struct uetcat_domain *d, const struct uet_key_domain *k,
                   struct uet_fep *fep, uint64_t counter)
{
    const struct uet_key *other = uet_keyfile_slot(d->file, k->sdi, !k->tx);
    struct uet_fep_domain domain = domain_of(d, k, counter);
    int e = uet_fep_domain_install(fep, &domain);
    if (e == 0 && other) {
        domain.keys = other->params;
        domain.keys.ssi_mode |= k->has_ssi;
        e = uet_fep_domain_load(fep, &domain.keys);
        if (e == 0) /* should it go on to that key: no run begins where another did */
            e = uet_fep_domain_reserve(fep, k->sdi, !k->tx, counter, UET_TSS_COUNTER_MAX);
    }
    uet_tss_wipe(&domain, sizeof domain);
    return e;
}

static bool tell(const char *command, const struct uet_key_domain *k, int e)
{
    if (e == -EINVAL)
        fprintf(stderr,
                "uetcat %s: SDI 0x%06x cannot be used here: both ANs must have the same settings, "
                "and on IPv6 direct and server mode need ssi=\n",
                command, k->sdi);
    else if (e)
        fprintf(stderr, "uetcat %s: SDI 0x%06x cannot be installed: %s\n", command, k->sdi,
                strerror(-e));
    return e == 0;
}

static bool is_sure(const struct uetcat_domain *d, const char *command)
{
    for (size_t i = 0; i < d->file->n_domains; i++) {
        uint32_t sdi = d->file->domains[i].sdi;
        int an = uet_keyfile_unsure(d->file, sdi);
        if (an < 0)
            continue;
        fprintf(stderr,
                "uetcat %s: SDI 0x%06x has several keys of AN %d: leave the one that is in force\n",
                command, (unsigned)sdi, an);
        return false;
    }
    return true;
}

/* The counter to begin with in each domain; false after a message. */
static bool first_counter(const struct uetcat_domain *d, const char *command, uint64_t *counter)
{
    if (!counter_of_now(counter)) {
        fprintf(stderr,
                "uetcat %s: the clock is not set, and counters come from it: no IV may be used "
                "twice\n",
                command);
        return false;
    }
    for (size_t i = 0; i < d->file->n_domains; i++) {
        const struct uet_key_domain *k = &d->file->domains[i];
        if (!k->counter_limit || *counter < k->counter_limit)
            continue;
        fprintf(stderr,
                "uetcat %s: counter_limit=%llu is too low: counters begin with the time of day, "
                "%llu now\n",
                command, (unsigned long long)k->counter_limit, (unsigned long long)*counter);
        return false;
    }
    return true;
}

bool uetcat_domain_install(const struct uetcat_domain *d, const char *command, struct uet_fep *fep)
{
    uint64_t counter;
    if (!is_sure(d, command) || !first_counter(d, command, &counter))
        return false;
    for (size_t i = 0; i < d->file->n_domains; i++) {
        const struct uet_key_domain *k = &d->file->domains[i];
        if (!tell(command, k, install(d, k, fep, counter)))
            return false;
    }
    return true;
}

/* ---- without a FEP ---- */

static int set_up(struct uetcat_seal *seal, const struct uetcat_domain *d,
                  const struct uet_key_domain *k, uint64_t counter)
{
    struct uet_tss_params p = uet_keyfile_slot(d->file, k->sdi, k->tx)->params;
    p.ssi_mode |= k->has_ssi;
    seal->sdi = k->sdi;
    seal->sender = (struct uet_tss_sender){
        .ssi = k->ssi, .epoch = k->epoch, .next = counter, .limit = k->counter_limit};
    int e = uet_tss_setup(&seal->sa, &p);
    uet_tss_wipe(&p, sizeof p);
    return e;
}

bool uetcat_seals_open(struct uetcat_seals *s, const struct uetcat_domain *d, const char *command)
{
    uint64_t counter;
    *s = (struct uetcat_seals){.of = calloc(d->file->n_domains, sizeof *s->of)};
    if (!s->of) {
        fprintf(stderr, "uetcat %s: out of memory\n", command);
        return false;
    }
    if (!is_sure(d, command) || !first_counter(d, command, &counter))
        return false;
    for (size_t i = 0; i < d->file->n_domains; i++) {
        const struct uet_key_domain *k = &d->file->domains[i];
        if (!tell(command, k, set_up(&s->of[i], d, k, counter)))
            return false;
        s->n++;
    }
    return true;
}

void uetcat_seals_close(struct uetcat_seals *s)
{
    for (size_t i = 0; i < s->n; i++)
        uet_tss_erase(&s->of[i].sa);
    free(s->of);
    *s = (struct uetcat_seals){0};
}

size_t uetcat_seals_frame(struct uetcat_seals *s, const char *command, uint32_t sdi, uint8_t *frame,
                          size_t len, size_t cap, uint8_t ip_protocol)
{
    const struct uet_parse_options options = {.ip_protocol = ip_protocol};
    enum uet_tss_status status = UET_TSS_UNKNOWN_SDI;
    struct uet_tss_stamp stamp;
    size_t sealed = 0;
    for (size_t i = 0; i < s->n && status == UET_TSS_UNKNOWN_SDI; i++) {
        if (s->of[i].sdi != sdi)
            continue;
        status = uet_tss_next(&s->of[i].sender, &stamp);
        if (status == UET_TSS_OK)
            status = uet_tss_seal(&s->of[i].sa, &stamp, frame, len, &options, frame, cap, &sealed);
    }
    if (status != UET_TSS_OK)
        fprintf(stderr, "uetcat %s: a packet of SDI 0x%06x cannot be sealed: %s\n", command,
                (unsigned)sdi, uet_tss_status_text(status));
    return sealed;
}

void uetcat_domain_close(struct uetcat_domain *d)
{
    uet_keyring_free(d->ring);
    uet_keyfile_free(d->file);
    *d = (struct uetcat_domain){0};
}
