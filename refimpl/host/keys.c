/* SPDX-License-Identifier: BSD-2-Clause */
#include "refimpl/host/keys.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/secret.h"

enum { COUNTERS_MAX = 1024, ID_BYTES = 16 }; /* keys that are remembered */

/* How far a key was used: none of its counters from `next` on. */
struct counter {
    uint8_t id[ID_BYTES];
    uint64_t next;
};

/* A domain as the FEP has it. */
struct own {
    bool used;
    bool lasts; /* it is there again after a restart */
    bool told;  /* that its key is used up */
    struct uet_key_domain domain;
    struct uet_key keys[2];
    bool there[2];
    bool named[2]; /* names holds host_keys_name: it is asked for often, and derived once */
    uint64_t names[2];
};

struct host_keys {
    struct uet_fep *fep;
    struct own *own; /* as many as the FEP takes, in memory of uet_secret_new */
    size_t n_own;
    struct counter counters[COUNTERS_MAX]; /* the oldest first */
    size_t n_counters;
};

struct host_keys *host_keys_new(struct uet_fep *fep)
{
    struct host_keys *k = calloc(1, sizeof *k);

    if (!k)
        return NULL;
    k->fep = fep;
    k->n_own = uet_fep_config(fep)->max_domains;
    k->own = uet_secret_new((k->n_own + 1) * sizeof *k->own);
    if (!k->own) {
        host_keys_free(k);
        return NULL;
    }
    return k;
}

void host_keys_free(struct host_keys *k)
{
    if (!k)
        return;
    uet_secret_free(k->own);
    free(k);
}

static bool state_of(const struct host_keys *k, uint32_t sdi, struct uet_fep_domain_state *state)
{
    for (size_t i = 0; uet_fep_domain_get(k->fep, i, state); i++)
        if (state->sdi == sdi)
            return true;
    return false;
}

/* ---- counters ---- */

static struct counter *counter_of(struct host_keys *k, const uint8_t id[ID_BYTES])
{
    for (size_t i = 0; i < k->n_counters; i++)
        if (memcmp(k->counters[i].id, id, ID_BYTES) == 0)
            return &k->counters[i];
    if (k->n_counters == COUNTERS_MAX)
        memmove(&k->counters[0], &k->counters[1], --k->n_counters * sizeof k->counters[0]);
    struct counter *row = &k->counters[k->n_counters++];
    *row = (struct counter){0};
    memcpy(row->id, id, ID_BYTES);
    return row;
}

/*
 * The row of a key. Its name is the beginning of what the key derivation makes with a label that no
 * packet uses (3.7.8.4: U1 and U2).
 */
static struct counter *row_of(struct host_keys *k, const struct uet_key *key)
{
    const struct uet_tss_context nobody = {.len = 10};
    uint8_t out[UET_TSS_DERIVED_LEN];

    if (uet_tss_derive(out, key->params.key, "ID", &nobody))
        return NULL;
    struct counter *row = counter_of(k, out);
    uet_tss_wipe(out, sizeof out);
    return row;
}

/*
 * The FEP goes on to the other key by itself when one is used up: so it is here, too, and the one
 * that it left is remembered.
 */
static void follow(struct host_keys *k, struct own *own)
{
    struct uet_fep_domain_state state;

    if (!state_of(k, own->domain.sdi, &state) || state.an == own->domain.tx)
        return;
    const uint64_t next = state.next_of[own->domain.tx];
    struct counter *row = row_of(k, &own->keys[own->domain.tx]);
    if (row && next > row->next)
        row->next = next;
    own->domain.tx = state.an;
    own->domain.epoch = state.epoch;
    own->told = false;
}

static struct own *find(struct host_keys *k, uint32_t sdi)
{
    for (size_t i = 0; i < k->n_own; i++)
        if (k->own[i].used && k->own[i].domain.sdi == sdi) {
            follow(k, &k->own[i]);
            return &k->own[i];
        }
    return NULL;
}

/*
 * The slot that is sealed with goes on beyond all that its key was used with; a key that was left
 * and is taken again keeps its epoch.
 */
static int go_on(struct host_keys *k, struct own *own)
{
    struct uet_fep_domain_state state;
    const struct counter *row = row_of(k, &own->keys[own->domain.tx]);

    if (!row || !state_of(k, own->domain.sdi, &state))
        return -ENOENT;
    if ((uint16_t)(own->domain.epoch - state.epoch) >= 0x8000)
        own->domain.epoch = state.epoch;
    return uet_fep_domain_advance(k->fep, state.sdi, own->domain.epoch,
                                  row->next > state.next_counter ? row->next : state.next_counter);
}

/*
 * Remembers what both slots have used: before one is left, or its key or domain goes. The idle one,
 * too: an earlier life may have used its key. What is remembered never falls.
 */
static void note(struct host_keys *k, struct own *own)
{
    struct uet_fep_domain_state state;

    follow(k, own);
    if (!state_of(k, own->domain.sdi, &state))
        return;
    for (uint8_t an = 0; an < 2; an++) {
        struct counter *row = own->there[an] ? row_of(k, &own->keys[an]) : NULL;

        if (row && state.next_of[an] > row->next)
            row->next = state.next_of[an];
    }
}

bool host_keys_name(struct host_keys *k, uint32_t sdi, uint8_t an, uint64_t *name)
{
    struct own *own = find(k, sdi);
    const struct counter *row =
        own && own->there[an] && !own->named[an] ? row_of(k, &own->keys[an]) : NULL;

    for (size_t i = 0; row && i < 8; i++)
        own->names[an] = own->names[an] << 8 | row->id[i];
    if (row)
        own->named[an] = true;
    if (!own || !own->there[an] || !own->named[an])
        return false;
    *name = own->names[an];
    return true;
}

void host_keys_note(struct host_keys *k)
{
    for (size_t i = 0; i < k->n_own; i++)
        if (k->own[i].used)
            note(k, &k->own[i]);
}

/* ---- domains ---- */

static const char *why(int rc)
{
    switch (rc) {
    case -ENOSPC:
        return "is one too many for this FEP: leave out what it does not use (uetfep --sdi takes "
               "one alone)";
    case -EINVAL:
        return "does not fit: both ANs need the same settings, and IPv6 in mode direct or server "
               "an SSI (ssi=)";
    case -EBUSY:
        return "sends with that AN: load the other one, then rotate";
    case -ENOENT:
        return "is not there, or has no key of that AN";
    default:
        return "needs more memory";
    }
}

static int tell(int rc, uint32_t sdi, char *err, size_t size)
{
    if (rc)
        snprintf(err, size, "the secure domain 0x%06x %s", sdi, why(rc));
    return rc;
}

/* What the FEP is to do with the slot's key. */
static struct uet_tss_params params_of(const struct own *own, uint8_t an)
{
    struct uet_tss_params p = own->keys[an].params;

    p.an = an;
    p.ssi_mode = own->keys[an].ssi == UET_KEY_SSI_YES ||
                 (own->keys[an].ssi == UET_KEY_SSI_ANY && own->domain.has_ssi);
    return p;
}

/*
 * To a key that was used before, or that both slots hold, the FEP does not go on by itself as to a
 * new one.
 */
static int load_slot(struct host_keys *k, const struct own *own, uint8_t an)
{
    struct uet_tss_params p = params_of(own, an);
    const struct counter *twin = own->there[!an] ? row_of(k, &own->keys[!an]) : NULL;
    const struct counter *row = row_of(k, &own->keys[an]);
    int rc = row ? uet_fep_domain_load(k->fep, &p) : -ENOMEM;

    uet_tss_wipe(&p, sizeof p);
    const uint64_t from = row && !row->next && row == twin ? 1 : row ? row->next : 0;
    if (!rc && from)
        rc = uet_fep_domain_reserve(k->fep, own->domain.sdi, an, from, UET_TSS_COUNTER_MAX);
    return rc;
}

/*
 * In the place of the domain that is there: what was begun goes on. With the floors of before,
 * where there are some: what is replayed stays replayed. Where they are lost peers are told where
 * to begin (TSS-056): the FEP has begun anew since, which has made the domain one of 1-RTT, or it
 * went and comes back with a key that was used.
 */
static int install(struct host_keys *k, struct own *own, const struct uet_fep_domain_state *before,
                   bool floors_lost)
{
    const struct uet_key_domain *from = &own->domain;
    struct uet_fep_domain d;
    int rc;

    uet_fep_domain_default(&d);
    d.keys = params_of(own, from->tx);
    d.ssi = from->ssi;
    d.epoch = from->epoch;
    d.counter_limit = from->counter_limit;
    memcpy(d.jobs, from->jobs, sizeof d.jobs);
    d.n_jobs = from->n_jobs;
    bool random = floors_lost || from->start == UET_KEY_RANDOM_1RTT;
    d.start = random ? UET_RANDOM_1RTT_START : UET_EXPECTED_0RTT_START;
    d.max_epoch_age = from->max_epoch_age;
    d.auth_fail_threshold = from->auth_fail_threshold;
    d.start_psn = before->start_psn;
    d.expected_psn = before->expected_psn;
    rc = uet_fep_domain_replace(k->fep, &d);
    if (rc == -ENOENT)
        rc = uet_fep_domain_install(k->fep, &d);
    uet_tss_wipe(&d, sizeof d);
    if (!rc)
        rc = go_on(k, own);
    if (!rc && own->there[!from->tx])
        rc = load_slot(k, own, !from->tx);
    return rc;
}

static int install_anew(struct host_keys *k, struct own *own, const struct own *want)
{
    struct uet_fep_domain_state before = {0};

    bool was = state_of(k, want->domain.sdi, &before);
    bool floors_lost =
        was && before.start == UET_RANDOM_1RTT_START && own->domain.start != UET_KEY_RANDOM_1RTT;
    note(k, own);
    *own = *want;
    int rc = install(k, own, &before, floors_lost);
    if (rc) {
        (void)uet_fep_domain_remove(k->fep, own->domain.sdi);
        uet_tss_wipe(own, sizeof *own);
    }
    return rc;
}

static bool was_used(struct host_keys *k, const struct own *own)
{
    for (uint8_t an = 0; an < 2; an++) {
        const struct counter *row = own->there[an] ? row_of(k, &own->keys[an]) : NULL;
        if (row && row->next)
            return true;
    }
    return false;
}

static int install_new(struct host_keys *k, const struct own *want)
{
    const struct uet_fep_domain_state nothing = {0};
    struct own *own = k->own;

    while (own < k->own + k->n_own && own->used)
        own++;
    if (own == k->own + k->n_own)
        return -ENOSPC;
    *own = *want;
    int rc = install(k, own, &nothing, was_used(k, want));
    if (rc) {
        (void)uet_fep_domain_remove(k->fep, want->domain.sdi);
        uet_tss_wipe(own, sizeof *own);
    }
    return rc;
}

static void drop(struct host_keys *k, struct own *own)
{
    note(k, own);
    (void)uet_fep_domain_remove(k->fep, own->domain.sdi);
    uet_tss_wipe(own, sizeof *own);
}

/* ---- a change without a pause ---- */

static bool same_slot(const struct own *a, const struct own *b, uint8_t an)
{
    return a->there[an] == b->there[an] &&
           (!a->there[an] || uet_key_equal(&a->keys[an], &b->keys[an]));
}

/* All that cannot change while the domain is there. */
static bool same_domain(const struct own *a, const struct own *b)
{
    struct uet_key_domain x = a->domain, y = b->domain;

    x.tx = y.tx = 0;
    x.epoch = y.epoch = 0;
    return x.sdi == y.sdi && x.has_ssi == y.has_ssi && x.ssi == y.ssi &&
           x.max_epoch_age == y.max_epoch_age && x.auth_fail_threshold == y.auth_fail_threshold &&
           x.counter_limit == y.counter_limit && x.start == y.start && x.n_jobs == y.n_jobs &&
           memcmp(x.jobs, y.jobs, x.n_jobs * sizeof x.jobs[0]) == 0;
}

/* The idle slot becomes what it is to be. */
static int change_slot(struct host_keys *k, struct own *own, const struct own *want, uint8_t an)
{
    if (same_slot(own, want, an))
        return 0;
    note(k, own);
    own->keys[an] = want->keys[an];
    own->named[an] = false;
    own->there[an] = want->there[an];
    return want->there[an] ? load_slot(k, own, an)
                           : uet_fep_domain_unload(k->fep, own->domain.sdi, an);
}

/* epoch: NULL for that of the slot, 0 of a key that nothing was sealed with (TSS-035). */
static int rotate(struct host_keys *k, struct own *own, uint8_t an, const uint16_t *epoch)
{
    struct uet_fep_domain_state state;

    note(k, own);
    int rc = uet_fep_domain_rotate(k->fep, own->domain.sdi, an);
    if (rc)
        return rc;
    own->domain.tx = an;
    if (epoch)
        own->domain.epoch = *epoch;
    else if (state_of(k, own->domain.sdi, &state))
        own->domain.epoch = state.epoch;
    own->told = false;
    return go_on(k, own);
}

/* No counter of the slot's key is left. */
static bool is_used_up(const struct host_keys *k, const struct own *own, uint8_t an)
{
    struct uet_fep_domain_state state;
    const uint64_t limit = own->domain.counter_limit;

    return state_of(k, own->domain.sdi, &state) &&
           state.next_of[an] >= (limit ? limit : UET_TSS_COUNTER_MAX);
}

bool host_keys_used_up(struct host_keys *k, struct uet_host_used_up *what)
{
    for (size_t i = 0; i < k->n_own; i++) {
        struct own *own = &k->own[i];

        if (own->used)
            follow(k, own);
        const bool told = own->told;
        own->told = own->used && is_used_up(k, own, own->domain.tx);
        if (own->told && !told) {
            *what = (struct uet_host_used_up){
                .sdi = own->domain.sdi, .an = own->domain.tx, .by_verb = !own->lasts};
            return true;
        }
    }
    return false;
}

/* The key that is to be sealed with is the one that the FEP has left for want of counters. */
static bool was_left(const struct host_keys *k, const struct own *own, const struct own *want)
{
    const uint8_t tx = want->domain.tx;

    return tx != own->domain.tx && same_slot(own, want, tx) && is_used_up(k, own, tx);
}

/*
 * First the idle slot, then the change of the AN, then the slot that is idle now: nothing is sealed
 * that peers with the same file could not open.
 */
static int change(struct host_keys *k, struct own *own, const struct own *want)
{
    uint8_t old = own->domain.tx, tx = was_left(k, own, want) ? old : want->domain.tx;
    bool in_use = old == tx ? same_slot(own, want, tx) : true;
    int rc = in_use && same_domain(own, want) ? change_slot(k, own, want, !old) : -EINVAL;

    if (!rc && old != tx)
        rc = rotate(k, own, tx, &want->domain.epoch);
    else if (!rc && tx == want->domain.tx && own->domain.epoch != want->domain.epoch) {
        own->domain.epoch = want->domain.epoch;
        rc = go_on(k, own);
    }
    return rc ? rc : change_slot(k, own, want, !tx);
}

/* The domain becomes what is wanted, without a pause where that can be. */
static int make(struct host_keys *k, const struct own *want)
{
    struct own *own = find(k, want->domain.sdi);

    if (!own)
        return install_new(k, want);
    return change(k, own, want) ? install_anew(k, own, want) : 0;
}

/* ---- from outside ---- */

static bool want_of(const struct uet_keyfile *file, const struct uet_key_domain *d,
                    struct own *want)
{
    *want = (struct own){.used = true, .lasts = want->lasts, .domain = *d};
    for (uint8_t an = 0; an < 2; an++) {
        const struct uet_key *key = uet_keyfile_slot(file, d->sdi, an);

        want->there[an] = key != NULL;
        if (key)
            want->keys[an] = *key;
    }
    return want->there[d->tx];
}

static int sure_of(const struct uet_keyfile *file, uint32_t sdi, char *err, size_t size)
{
    int an = uet_keyfile_unsure(file, sdi);

    if (an >= 0)
        snprintf(err, size,
                 "the secure domain 0x%06x has several keys of AN %d: leave the one that is in "
                 "force",
                 sdi, an);
    return an < 0 ? 0 : -EINVAL;
}

int host_keys_apply(struct host_keys *k, const struct uet_keyfile *file, uint32_t sdi, char *err,
                    size_t size)
{
    struct own *want = uet_secret_new(sizeof *want);
    bool all = sdi == HOST_ALL_DOMAINS, found = false, told = false;
    int rc = want ? 0 : -ENOMEM;

    for (size_t i = 0; !rc && i < file->n_domains; i++)
        if (all || file->domains[i].sdi == sdi)
            rc = sure_of(file, file->domains[i].sdi, err, size);
    for (size_t i = 0; !rc && all && i < k->n_own; i++) {
        for (size_t j = 0; j < file->n_domains && k->own[i].used && !told; j++)
            told = file->domains[j].sdi == k->own[i].domain.sdi;
        if (k->own[i].used && !told)
            drop(k, &k->own[i]);
        told = false;
    }
    for (size_t i = 0; !rc && i < file->n_domains; i++) {
        const struct uet_key_domain *d = &file->domains[i];

        if (!all && d->sdi != sdi)
            continue;
        found = true;
        want->lasts = all;
        rc = want_of(file, d, want) ? tell(make(k, want), d->sdi, err, size) : -EINVAL;
    }
    uet_secret_free(want);
    if (!rc && !found && !all)
        snprintf(err, size, "the file has no key of the secure domain 0x%06x", sdi);
    return rc || found || all ? rc : -ENOENT;
}

int host_keys_load(struct host_keys *k, const struct uet_key *key,
                   const struct uet_key_domain *domain, char *err, size_t size)
{
    struct own *own = find(k, domain->sdi), *want;
    uint8_t an = key->params.an;
    int rc;

    if (own && own->domain.tx == an)
        return tell(-EBUSY, domain->sdi, err, size);
    want = uet_secret_new(sizeof *want);
    if (!want)
        return tell(-ENOMEM, domain->sdi, err, size);
    *want = own ? *own : (struct own){.used = true, .domain = *domain};
    want->keys[an] = *key;
    want->there[an] = true;
    want->named[an] = false;
    rc = own ? change_slot(k, own, want, an) : install_new(k, want);
    uet_secret_free(want);
    return tell(rc, domain->sdi, err, size);
}

int host_keys_remove(struct host_keys *k, uint32_t sdi)
{
    struct own *own = find(k, sdi);

    if (!own)
        return -ENOENT;
    drop(k, own);
    return 0;
}

int host_keys_take(struct host_keys *k, uint32_t sdi, uint8_t an)
{
    struct own *own = find(k, sdi);

    if (!own)
        return -ENOENT;
    note(k, own);
    int rc = uet_fep_domain_unload(k->fep, sdi, an);
    if (rc)
        return rc;
    own->there[an] = own->named[an] = false;
    uet_tss_wipe(&own->keys[an], sizeof own->keys[an]);
    return 0;
}

int host_keys_rotate(struct host_keys *k, uint32_t sdi, uint8_t an)
{
    struct own *own = find(k, sdi);

    if (!own || !own->there[an])
        return -ENOENT;
    return own->domain.tx == an ? 0 : rotate(k, own, an, NULL);
}

void host_keys_enable(struct host_keys *k)
{
    for (size_t i = 0; i < k->n_own; i++)
        if (k->own[i].used)
            uet_fep_domain_enable(k->fep, k->own[i].domain.sdi, true);
}

int host_keys_advance(struct host_keys *k, uint32_t sdi, uint64_t counter)
{
    const struct own *own = find(k, sdi);

    struct uet_fep_domain_state state;

    if (!own || !state_of(k, sdi, &state))
        return -ENOENT;
    return counter <= state.next_counter
               ? 0
               : uet_fep_domain_advance(k->fep, sdi, state.epoch, counter);
}

int host_keys_install_again(struct host_keys *k, char *err, size_t size)
{
    const struct uet_fep_domain_state nothing = {0};
    int rc = 0;

    for (size_t i = 0; i < k->n_own; i++) {
        struct own *own = &k->own[i];
        int wrong = own->lasts ? install(k, own, &nothing, true) : 0;

        if (wrong)
            rc = tell(wrong, own->domain.sdi, err, size);
        if (wrong || !own->lasts)
            uet_tss_wipe(own, sizeof *own);
    }
    return rc;
}
