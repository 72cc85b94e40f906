/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The secure domain of a scenario (3.7.4), and what the host of each FEP remembers of it: keys, and
 * how far their counters may have been used.
 */
#include <errno.h>
#include <string.h>

#include "sim/random.h"
#include "sim/scenario/internal.h"

#define SSI_FIRST    0x5500u
#define SERVER_FIRST (1ull << 47) /* its counters: those below are its clients' (TSS-030) */

static bool has_server(const struct sim_security *s)
{
    return s->kind == SIM_SERVER || s->kind == SIM_SERVER_SSI;
}

uint32_t domain_ssi(uint16_t fep)
{
    return SSI_FIRST + fep;
}

/* ---- keys ---- */

static void draw_bytes(uint8_t *bytes, size_t n, struct sim_random *r)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)sim_draw(r);
}

struct uet_tss_params domain_key(const struct sim_plan *plan, uint8_t generation)
{
    const struct sim_security *s = &plan->secure;
    struct sim_random r = {sim_mix(sim_mix(plan->seed, plan->scenario), 0x6e700u + generation)};
    struct uet_tss_params key = {.sdi = s->sdi,
                                 .an = generation & 1,
                                 .mode = UET_TSS_MODE_CLUSTER,
                                 .ssi_mode = s->ssi,
                                 .rekey = s->rekey,
                                 .rekey_mask = s->rekey ? s->rekey_mask : 0,
                                 .rekey_shift = s->rekey ? s->rekey_shift : 0,
                                 .encrypt_from = s->encrypt_from};

    draw_bytes(key.key, sizeof(key.key), &r);
    if (has_server(s))
        key.mode = UET_TSS_MODE_SERVER;
    if (s->kind != SIM_DIRECT)
        return key;
    key.mode = UET_TSS_MODE_DIRECT;
    draw_bytes(key.iv_mask, sizeof(key.iv_mask), &r);
    return key;
}

/* What a server has given its client: the key that both derive (TSS-028). */
static void give_client(struct scenario *w, struct uet_tss_params *key, uint16_t i, uint16_t epoch)
{
    const struct uet_ip *ip = &w->plan->fep[i].address;
    uint8_t ssi[4], out[UET_TSS_DERIVED_LEN];
    struct uet_tss_context c;

    uet_wr32(ssi, domain_ssi(i));
    uet_tss_context_4(&c, epoch, 0, key->ssi_mode ? ssi : ip->bytes);
    if (uet_tss_derive(out, key->key, UET_TSS_LABEL_SERVER, &c))
        w->error = -EIO;
    memcpy(key->key, out, sizeof(key->key));
    memcpy(key->iv_mask, out + sizeof(key->key), sizeof(key->iv_mask));
    key->client = UET_CLIENT_SELF;
}

/* The key as this FEP has it. */
static struct uet_tss_params key_of(struct scenario *w, uint16_t i, uint8_t an)
{
    const struct sim_slot *slot = &w->feps[i].slots[an];
    struct uet_tss_params key = domain_key(w->plan, slot->generation);

    if (has_server(&w->plan->secure) && i)
        give_client(w, &key, i, slot->epoch);
    return key;
}

/* ---- counters ---- */

static uint64_t first_counter(const struct scenario *w, uint16_t i, uint8_t generation)
{
    uint64_t first = generation ? 0 : w->plan->secure.counter;

    return w->plan->secure.kind == SIM_SERVER_SSI && !i ? first + SERVER_FIRST : first;
}

static void reserve(struct scenario *w, uint16_t i, uint8_t an, uint64_t from)
{
    struct sim_fep *fep = &w->feps[i];

    fep->slots[an].below = from + w->plan->secure.block;
    if (uet_fep_domain_reserve(fep->fep, w->plan->secure.sdi, an, from, fep->slots[an].below))
        w->error = -EINVAL;
}

void domain_reserve(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];
    struct uet_fep_domain_state state;

    if (!w->seals || !uet_fep_domain_get(fep->fep, 0, &state))
        return;
    if (state.latched && uet_fep_domain_enable(fep->fep, state.sdi, true)) /* an operator looks */
        w->error = -EINVAL;
    if (state.next_counter >= fep->slots[state.an].below)
        reserve(w, i, state.an, state.next_counter);
}

/* ---- what its host does with a FEP ---- */

static void fill(struct scenario *w, uint16_t i, uint8_t an, struct uet_fep_domain *d)
{
    const struct sim_security *s = &w->plan->secure;
    const struct sim_fep *fep = &w->feps[i];

    uet_fep_domain_default(d);
    d->keys = key_of(w, i, an);
    d->ssi = domain_ssi(i);
    d->epoch = fep->slots[an].epoch;
    d->auth_fail_threshold = s->auth_fail_threshold;
    /* What it has closed it has forgotten: nobody may begin where he likes. */
    d->start = s->random_start[i] || fep->incarnation > 1 ? UET_RANDOM_1RTT_START
                                                          : UET_EXPECTED_0RTT_START;
}

/* A new incarnation: counters go on behind those that were reserved, or begin anew in an epoch. */
static void go_on(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];
    bool again = fep->incarnation > 1, forgetful = w->run->mutation == SIM_MUTATE_FORGETFUL;
    bool anew = again && (forgetful || w->plan->secure.by_epoch);

    if (again && w->plan->secure.by_epoch && !forgetful)
        fep->slots[fep->an].epoch++;
    if (anew)
        fep->slots[fep->an].below = first_counter(w, i, fep->slots[fep->an].generation);
}

/* The older key first: it has an epoch of its own, and the newer one begins with 0. */
void domain_install(struct scenario *w, uint16_t i)
{
    struct sim_fep *fep = &w->feps[i];
    struct sim_slot *slots = fep->slots;
    struct uet_fep_domain d;
    uint8_t old = 0;
    int rc;

    if (!slots[0].loaded) { /* the first incarnation, before any rotation */
        slots[0] = (struct sim_slot){.loaded = true, .epoch = w->plan->secure.epoch};
        slots[0].below = first_counter(w, i, 0);
    } else if (slots[1].loaded && slots[1].generation < slots[0].generation) {
        old = 1;
    }
    go_on(w, i);
    fill(w, i, old, &d);
    rc = uet_fep_domain_install(fep->fep, &d);
    if (rc == 0 && slots[!old].loaded) {
        const struct uet_tss_params key = key_of(w, i, !old);
        rc = uet_fep_domain_load(fep->fep, &key);
    }
    if (rc == 0)
        rc = uet_fep_domain_rotate(fep->fep, d.keys.sdi, fep->an);
    if (rc == 0)
        rc = uet_fep_domain_advance(fep->fep, d.keys.sdi, slots[fep->an].epoch, 0);
    if (rc)
        w->error = rc;
    for (uint8_t an = 0; an < 2 && !w->error; an++)
        if (slots[an].loaded)
            reserve(w, i, an, slots[an].below);
}

void domain_load(struct scenario *w, uint16_t i, uint8_t rotation)
{
    struct sim_fep *fep = &w->feps[i];
    uint8_t generation = (uint8_t)(rotation + 1), an = generation & 1;

    fep->slots[an] = (struct sim_slot){.loaded = true, .generation = generation};
    fep->slots[an].below = first_counter(w, i, generation);
    if (!fep->up)
        return;
    const struct uet_tss_params key = key_of(w, i, an);
    int rc = uet_fep_domain_load(fep->fep, &key);
    if (rc)
        w->error = rc;
    else
        reserve(w, i, an, fep->slots[an].below);
}

void domain_turn(struct scenario *w, uint16_t i, uint8_t rotation)
{
    struct sim_fep *fep = &w->feps[i];

    fep->an = (rotation + 1) & 1;
    w->result->rotations += fep->up;
    if (fep->up && uet_fep_domain_rotate(fep->fep, w->plan->secure.sdi, fep->an))
        w->error = -EINVAL;
}
