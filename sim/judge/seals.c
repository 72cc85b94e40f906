/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What must hold of sealed packets (3.7). All that a FEP of the domain sends is sealed, with the
 * key that it is told to use, and never with a key and an IV that were used before. What a FEP
 * takes must have left another one so: it is asked after every packet that comes whether it has
 * taken it, and told by the bytes of those that were sent, without any key, whether it may.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/plan/internal.h"
#include "sim/scenario/internal.h"
#include "wire/keyring.h"

enum { TAKEN, IN_CLEAR, REFUSED, N_COUNTERS };

struct seals {
    struct uet_keyring *ring;
    struct ivs *ivs;
    uint64_t *known; /* what was sent, by hash: a table, at most half full; 0: none */
    size_t size, n_known;
    size_t counters[N_COUNTERS];
    struct uet_packet p;
    uint8_t clear[UET_FRAME_MAX];
};

static struct uet_parse_options options_of(const struct scenario *w)
{
    struct uet_parse_options how = scenario_parse(w);

    how.dscp_trimmed = SIM_TRIMMED_MASK;
    how.dscp_trimmed_lasthop = w->plan->lasthop ? SIM_LASTHOP_MASK : 0;
    return how;
}

/* ---- to begin and to end ---- */

/* Every key of the scenario: who watches knows them all. */
static struct uet_keyring *keyring_of(const struct sim_plan *plan)
{
    struct uet_key keys[SIM_ROTATIONS_MAX + 1] = {0};
    const struct uet_keyfile file = {.n_keys = plan->secure.n_rotations + 1u, .keys = keys};
    char err[200];

    for (uint8_t i = 0; i < file.n_keys; i++) {
        keys[i].params = domain_key(plan, i);
        keys[i].params.cached_keys = UET_TSS_CACHE_MAX;
        keys[i].an = keys[i].params.an;
        keys[i].ssi = plan->secure.ssi ? UET_KEY_SSI_YES : UET_KEY_SSI_NO;
    }
    return uet_keyring_new(&file, "keys", err, sizeof(err));
}

static void find_counters(struct seals *seals)
{
    static const char *const names[N_COUNTERS] = {
        [TAKEN] = "in_auth_pkts",
        [IN_CLEAR] = "in_rx_encryption_bypass_pkts",
        [REFUSED] = "in_binding_failure_pkts",
    };

    for (size_t i = 0; i < uet_fep_n_counters(); i++)
        for (size_t n = 0; n < N_COUNTERS; n++)
            if (!strcmp(uet_fep_counter_name(i), names[n]))
                seals->counters[n] = i;
}

int seals_new(struct scenario *w)
{
    struct seals *seals = w->seals = calloc(1, sizeof(*seals));

    if (!seals)
        return -ENOMEM;
    find_counters(seals);
    seals->ivs = ivs_new();
    seals->ring = keyring_of(w->plan);
    return seals->ivs && seals->ring ? 0 : -ENOMEM;
}

void seals_free(struct scenario *w)
{
    if (!w->seals)
        return;
    ivs_free(w->seals->ivs);
    uet_keyring_free(w->seals->ring);
    free(w->seals->known);
    free(w->seals);
}

const struct uet_packet *seals_open(struct scenario *w, const uint8_t *frame, uint32_t len)
{
    const struct uet_parse_options how = options_of(w);
    struct seals *seals = w->seals;

    uet_parse(&seals->p, frame, len, &how);
    if (seals->p.tss && len <= sizeof(seals->clear))
        uet_keyring_open(seals->ring, &seals->p, len, &how, seals->clear);
    return &seals->p;
}

/* ---- what was sent ---- */

/* Of all that is authenticated: from the source address on. Never 0. */
static uint64_t hash_of(const struct scenario *w, const uint8_t *frame, uint32_t len)
{
    size_t from = UET_ETH_BYTES + (w->plan->fep[0].address.version == 6 ? 8u : 12u);
    uint64_t hash = 0;

    for (size_t at = from; at < len; at += 8) {
        uint64_t word = 0;
        memcpy(&word, frame + at, len - at < 8 ? len - at : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

static size_t find(const uint64_t *known, size_t size, uint64_t hash)
{
    size_t at = (size_t)hash & (size - 1);

    while (known[at] && known[at] != hash)
        at = (at + 1) & (size - 1);
    return at;
}

static int remember(struct seals *seals, uint64_t hash)
{
    if (2 * seals->n_known >= seals->size) {
        size_t size = seals->size ? 2 * seals->size : 1024;
        uint64_t *known = calloc(size, sizeof(*known));
        if (!known)
            return -ENOMEM;
        for (size_t i = 0; i < seals->size; i++)
            if (seals->known[i])
                known[find(known, size, seals->known[i])] = seals->known[i];
        free(seals->known);
        seals->known = known;
        seals->size = size;
    }
    seals->known[find(seals->known, seals->size, hash)] = hash;
    seals->n_known++;
    return 0;
}

static bool was_sent(const struct scenario *w, const uint8_t *frame, uint32_t len)
{
    const struct seals *seals = w->seals;
    uint64_t hash = hash_of(w, frame, len);

    return seals->size && seals->known[find(seals->known, seals->size, hash)] == hash;
}

/* ---- what a FEP sends ---- */

static bool with_right_key(const struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    const struct sim_fep *fep = &w->feps[host];
    uint8_t an = p->seal.an;

    return an == fep->an && p->sdi == w->plan->secure.sdi &&
           p->seal.key == fep->slots[an].generation + 1u && p->seal.epoch == fep->slots[an].epoch;
}

/* Its own, or that of the client that it answers (TSS-029). */
static bool with_right_source(const struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    struct uet_ip to = uet_dst_ip(p);

    if (!w->plan->secure.ssi)
        return p->tss == UET_H_TSS_HDR_12;
    if (w->plan->secure.kind != SIM_SERVER_SSI || host)
        return p->seal.ssi == domain_ssi(host);
    for (uint16_t i = 0; i < w->plan->n_feps; i++)
        if (uet_ip_equal(&to, &w->plan->fep[i].address))
            return p->seal.ssi == domain_ssi(i);
    return false;
}

/* Which key seals it, beside the generation, and with which IV: as 3.7.8.4 has them. */
static int use_iv(struct scenario *w, uint16_t host, const uint8_t *frame,
                  const struct uet_packet *p)
{
    const struct sim_security *s = &w->plan->secure;
    const struct uet_tss_readings usual = {0};
    const struct uet_tss_place at = {.ip_version = p->ip_version,
                                     .ip_offset = p->ip_offset,
                                     .udp_offset = p->udp_offset,
                                     .tss_offset = p->tss_offset,
                                     .end = p->ip_end};
    struct uet_tss_context key = {0};
    struct uet_tss_purpose purpose;
    struct uet_tss_header h;
    uint8_t iv[UET_TSS_IV_LEN];
    bool server = s->kind == SIM_SERVER || s->kind == SIM_SERVER_SSI;

    uet_tss_read(&h, frame + p->tss_offset);
    uet_tss_raw_iv(iv, &h, frame, &at);
    uint32_t rekey = s->rekey ? uet_tss_rekey(h.counter, s->rekey_mask, s->rekey_shift) : 0;
    uet_tss_purpose_of(&purpose, &h, rekey, server && !host, frame, &at, &usual);
    if (s->kind != SIM_DIRECT)
        uet_tss_context_of(&key, &purpose);
    return ivs_add(w->seals->ivs, (uint8_t)p->seal.key, &key, iv);
}

static void blame(struct scenario *w, uint16_t host, const struct uet_packet *p)
{
    if (p->error == UET_PARSE_SEALED)
        scenario_breach(w, SIM_UNSEALED, "", "fep %u sends a packet that no key opens", host);
    else if (!with_right_key(w, host, p))
        scenario_breach(w, SIM_UNSEALED, "",
                        "fep %u seals with SDI %u, AN %u, epoch %u and key %u, not with %u, %u, "
                        "%u and %u",
                        host, p->sdi, p->seal.an, p->seal.epoch, p->seal.key, w->plan->secure.sdi,
                        w->feps[host].an, w->feps[host].slots[w->feps[host].an].epoch,
                        w->feps[host].slots[w->feps[host].an].generation + 1u);
    else if (!with_right_source(w, host, p))
        scenario_breach(w, SIM_UNSEALED, "", "fep %u seals with the SSI %u of somebody else", host,
                        p->seal.ssi);
}

const struct uet_packet *seals_sent(struct scenario *w, uint16_t host, const uint8_t *frame,
                                    uint32_t len)
{
    const struct uet_packet *p = seals_open(w, frame, len);

    if (!p->tss) {
        scenario_breach(w, SIM_UNSEALED, "", "fep %u sends a packet in clear", host);
        return NULL;
    }
    blame(w, host, p);
    if (p->error == UET_PARSE_SEALED)
        return NULL;
    int used = use_iv(w, host, frame, p);
    if (used > 0)
        scenario_breach(w, SIM_IV, "",
                        "fep %u seals with key %u of AN %u and the IV of epoch %u, counter %llu "
                        "once more",
                        host, p->seal.key, p->seal.an, p->seal.epoch,
                        (unsigned long long)p->seal.counter);
    if (used < 0 || remember(w->seals, hash_of(w, frame, len)))
        w->error = -ENOMEM;
    w->result->sealed++;
    return p;
}

/* ---- what a FEP takes ---- */

static void count(const struct scenario *w, uint16_t host, uint64_t now[N_COUNTERS])
{
    for (size_t i = 0; i < N_COUNTERS; i++)
        now[i] = uet_fep_counter(w->feps[host].fep, w->seals->counters[i]);
}

void seals_deliver(struct scenario *w, uint16_t host, const uint8_t *frame, uint32_t len)
{
    uint64_t before[N_COUNTERS], after[N_COUNTERS];
    struct uet_fep *fep = w->feps[host].fep;

    if (!w->seals) {
        uet_fep_receive(fep, frame, len, w->now);
        return;
    }
    bool genuine = was_sent(w, frame, len);
    size_t pdcs = uet_fep_pdcs(fep, false);
    count(w, host, before);
    uet_fep_receive(fep, frame, len, w->now);
    count(w, host, after);
    if (genuine)
        return;
    if (after[TAKEN] != before[TAKEN])
        scenario_breach(w, SIM_FORGED, "", "fep %u takes a packet that no FEP has sealed", host);
    else if (after[IN_CLEAR] - before[IN_CLEAR] > after[REFUSED] - before[REFUSED])
        scenario_breach(w, SIM_FORGED, "", "fep %u takes a packet in clear", host);
    else if (uet_fep_pdcs(fep, false) > pdcs)
        scenario_breach(w, SIM_FORGED, "", "fep %u opens a PDC for what no FEP has sealed", host);
}
