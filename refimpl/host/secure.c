/* SPDX-License-Identifier: BSD-2-Clause */
/* The verbs of transport security: install_domain, rotate, advance_counter,
 * enable_domain, remove_domain, restart. */
#include <errno.h>
#include <string.h>

#include "refimpl/host/internal.h"
#include "ut/value.h"

enum { SDI_MAX = 0xffffff };

/* Hex digits of `n` bytes; false when they are not there. */
static bool bytes_of(struct uet_args *args, const char *name, uint8_t *out, size_t n)
{
    const char *digits = uet_arg_text(args, name, false);

    if (!digits)
        return false;
    if (strlen(digits) != 2 * n || uet_ut_unhex(digits, n, out))
        uet_arg_refuse(args, "\"%s\" has not %zu hex digits", name, 2 * n);
    return true;
}

static void read_key(struct uet_args *args, struct uet_key *key)
{
    static const char *const modes[] = {"cluster", "direct", "server"};
    static const uint8_t mode_of[] = {UET_TSS_MODE_CLUSTER, UET_TSS_MODE_DIRECT,
                                      UET_TSS_MODE_SERVER};
    struct uet_tss_params *p = &key->params;

    p->sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    p->an = key->an = (uint8_t)uet_arg_number(args, "an", 1, false);
    p->mode = mode_of[uet_arg_choice(args, "mode", modes, 3)];
    p->ssi_mode = uet_arg_present(args, "ssi");
    key->ssi = p->ssi_mode ? UET_KEY_SSI_YES : UET_KEY_SSI_NO;
    p->rekey_mask = uet_arg_number(args, "rekey_mask", UET_TSS_COUNTER_MAX, false);
    p->rekey = p->rekey_mask != 0;
    p->rekey_shift = (uint8_t)uet_arg_number(args, "rekey_shift", 47, false);
    p->encrypt_from = (uint16_t)uet_arg_number(args, "encrypt_from", UINT16_MAX, false);
    if (!bytes_of(args, "key", p->key, sizeof(p->key)))
        uet_arg_refuse(args, "give \"file\", or \"key\" with 64 hex digits");
    (void)bytes_of(args, "iv_mask", p->iv_mask, sizeof(p->iv_mask));
}

static void read_jobs(struct uet_args *args, struct uet_key_domain *d)
{
    const json_t *jobs = json_object_get(args->request, "jobs"), *job;
    size_t i;

    if (!uet_arg_present(args, "jobs"))
        return;
    if (!json_is_array(jobs) || json_array_size(jobs) > UET_KEY_JOBS_MAX ||
        json_array_size(jobs) == 0)
        uet_arg_refuse(args, "\"jobs\" is a list of 1 to %u JobIDs; leave it out for all",
                       UET_KEY_JOBS_MAX);
    json_array_foreach((json_t *)(uintptr_t)jobs, i, job)
    {
        if (!json_is_integer(job) || json_integer_value(job) < 0 ||
            json_integer_value(job) > JOB_ID_MAX)
            uet_arg_refuse(args, "\"jobs\": a JobID is a number of 24 bits");
        if (!args->error[0])
            d->jobs[d->n_jobs++] = (uint32_t)json_integer_value(job);
    }
}

static void read_domain(struct uet_args *args, struct uet_key_domain *d)
{
    static const char *const starts[] = {"expected-0rtt", "random-1rtt"};

    *d = uet_key_domain_usual((uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true));
    d->tx = (uint8_t)uet_arg_number(args, "an", 1, false);
    d->has_ssi = uet_arg_present(args, "ssi");
    d->ssi = (uint32_t)uet_arg_number(args, "ssi", UINT32_MAX, false);
    d->epoch = (uint16_t)uet_arg_number(args, "epoch", UINT16_MAX, false);
    d->start = uet_arg_choice(args, "start", starts, 2); /* as enum uet_key_start */
    read_jobs(args, d);
}

static void install_key(struct uet_host *host, struct uet_args *args)
{
    struct uet_key key = {0};
    struct uet_key_domain domain;
    char err[160];

    read_domain(args, &domain);
    read_key(args, &key);
    const char *wrong = args->error[0] ? NULL : uet_tss_params_error(&key.params);
    if (wrong)
        uet_arg_refuse(args, "%s", wrong);
    if (!args->error[0] && host_keys_load(host->keys, &key, &domain, err, sizeof(err)))
        uet_arg_refuse(args, "%s", err);
    uet_tss_wipe(&key, sizeof(key));
}

/* The lines of one domain of a key file. */
static void install_file(struct uet_host *host, struct uet_args *args, const char *path)
{
    static const char *const beside[] = {"sdi", "file", NULL};
    uint32_t sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    char err[190];

    uet_arg_only(args, beside);
    struct uet_keyfile *file = args->error[0] ? NULL : uet_keyfile_read(path, err, sizeof(err));
    if (!args->error[0] && !file)
        uet_arg_refuse(args, "%s", err);
    if (file && host_keys_apply(host->keys, file, sdi, err, sizeof(err)))
        uet_arg_refuse(args, "%s", err);
    uet_keyfile_free(file);
}

void uet_verb_install_domain(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    const char *path = uet_arg_text(args, "file", false);
    char err[300];

    (void)reply;
    if (path && uet_arg_present(args, "key"))
        uet_arg_refuse(args, "give \"file\" or \"key\", not both");
    if (args->error[0])
        return;
    if (path)
        install_file(host, args, path);
    else
        install_key(host, args);
    if (!args->error[0] && uet_host_reserve_or_tell(host, err, sizeof(err)))
        uet_arg_refuse(args, "it is installed, but %s", err);
}

void uet_verb_rotate(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    uint32_t sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    uint8_t an = (uint8_t)uet_arg_number(args, "an", 1, true);

    (void)reply;
    if (!args->error[0] && host_keys_rotate(host->keys, sdi, an))
        uet_arg_refuse(args, "there is no domain 0x%06x, or no key of AN %u in it", sdi, an);
}

void uet_verb_advance_counter(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    uint32_t sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    uint64_t counter = uet_arg_number(args, "counter", UET_TSS_COUNTER_MAX, true);

    (void)reply;
    if (!args->error[0] && host_keys_advance(host->keys, sdi, counter))
        uet_arg_refuse(args, "there is no domain 0x%06x", sdi);
}

void uet_verb_enable_domain(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    uint32_t sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    bool enabled = uet_arg_bool(args, "enabled");

    (void)reply;
    if (!args->error[0] && !uet_arg_present(args, "enabled"))
        uet_arg_refuse(args, "\"enabled\" is missing: true or false");
    if (!args->error[0] && uet_fep_domain_enable(host->fep, sdi, enabled))
        uet_arg_refuse(args, "there is no domain 0x%06x", sdi);
}

void uet_verb_remove_domain(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    uint32_t sdi = (uint32_t)uet_arg_number(args, "sdi", SDI_MAX, true);
    uint8_t an = (uint8_t)uet_arg_number(args, "an", 1, false);

    (void)reply;
    if (args->error[0])
        return;
    if (!uet_arg_present(args, "an")) {
        if (host_keys_remove(host->keys, sdi))
            uet_arg_refuse(args, "there is no domain 0x%06x", sdi);
        return;
    }
    int rc = host_keys_take(host->keys, sdi, an);
    if (rc == -EBUSY)
        uet_arg_refuse(args, "the domain 0x%06x seals with the key of AN %u: rotate first", sdi,
                       an);
    else if (rc)
        uet_arg_refuse(args, "there is no domain 0x%06x, or no key of AN %u in it", sdi, an);
}

void uet_verb_restart(struct uet_host *host, struct uet_args *args, json_t *reply)
{
    char err[190];

    (void)reply;
    if (uet_host_restart(host, err, sizeof(err)))
        uet_arg_refuse(args, "it has started again, but %s", err);
}
