/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/keyring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways to read what the sources leave open: for whom a key is derived, and what is authenticated.
 */
#define WAYS_MAX 8

struct entry {
    struct uet_key key;   /* which packets it is for; what is secret is in the ways alone */
    uint16_t number;      /* of the key in the file, from 1 on */
    uint8_t n_ways, last; /* last: the way that opened a packet, tried first */
    struct uet_tss_sa ways[WAYS_MAX];
};

struct uet_keyring {
    size_t n;
    struct entry **entries; /* one by one: an association must not move */
};

/* ---- keys ---- */

static const char *add_way(struct entry *e, struct uet_tss_params *p)
{
    const char *wrong = uet_tss_params_error(p);
    if (wrong)
        return wrong;
    if (uet_tss_setup(&e->ways[e->n_ways], p) != 0)
        return "OpenSSL gave no context for it";
    e->n_ways++;
    return NULL;
}

/* All ways of one key: which side is the server is not in the packet. */
static const char *add_ways(struct entry *e, const struct uet_key *key)
{
    struct uet_tss_params p = key->params;
    bool server = p.mode == UET_TSS_MODE_SERVER;
    const char *wrong = NULL;
    for (int udp = 0; udp < 2; udp++)
        for (int by_ip = 0; by_ip < (p.mode == UET_TSS_MODE_DIRECT ? 1 : 2); by_ip++)
            for (int client = 0; client < (server ? 2 : 1) && !wrong; client++) {
                p.readings = (struct uet_tss_readings){.udp_not_in_aad = udp,
                                                       .ipv6_context_by_ip = by_ip,
                                                       .unexpected_ssi_is_fit = true};
                if (server)
                    p.client = client ? UET_CLIENT_DST : UET_CLIENT_SRC;
                wrong = add_way(e, &p);
            }
    uet_tss_wipe(&p, sizeof p);
    return wrong;
}

static void forget(struct entry *e)
{
    for (uint8_t i = 0; i < e->n_ways; i++)
        uet_tss_erase(&e->ways[i]);
    free(e);
}

static const char *add(struct uet_keyring *ring, const struct uet_key *key)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        return "no memory left";
    e->key = (struct uet_key){.params = {.sdi = key->params.sdi}, .an = key->an, .ssi = key->ssi};
    const char *wrong = add_ways(e, key);
    if (wrong) {
        forget(e);
        return wrong;
    }
    ring->entries[ring->n++] = e;
    e->number = (uint16_t)ring->n;
    return NULL;
}

struct uet_keyring *uet_keyring_new(const struct uet_keyfile *file, const char *name, char *err,
                                    size_t size)
{
    struct uet_keyring *ring = calloc(1, sizeof *ring);
    const char *wrong = NULL;
    if (ring)
        ring->entries = calloc(file->n_keys + 1, sizeof *ring->entries);
    if (!ring || !ring->entries)
        wrong = "no memory left";
    for (size_t i = 0; !wrong && i < file->n_keys; i++)
        wrong = add(ring, &file->keys[i]);
    if (!wrong)
        return ring;
    snprintf(err, size, "%s: %s", name, wrong);
    uet_keyring_free(ring);
    return NULL;
}

struct uet_keyring *uet_keyring_read(const char *path, char *err, size_t size)
{
    struct uet_keyfile *file = uet_keyfile_read(path, err, size);
    struct uet_keyring *ring = file ? uet_keyring_new(file, path, err, size) : NULL;
    uet_keyfile_free(file);
    return ring;
}

void uet_keyring_free(struct uet_keyring *ring)
{
    for (size_t i = 0; ring && i < ring->n; i++)
        forget(ring->entries[i]);
    if (ring)
        free(ring->entries);
    free(ring);
}

/* ---- packets ---- */

static bool fits(const struct entry *e, const struct uet_tss_header *h)
{
    bool ssi = e->key.ssi == UET_KEY_SSI_ANY || h->sp == (e->key.ssi == UET_KEY_SSI_YES);
    return uet_key_fits(&e->key, h->sdi, h->an) && ssi;
}

/*
 * Without an ICV nothing tells that the bytes came out right, but their beginning tells when they
 * did not: a PDS header that is known, whose reserved bits are 0.
 */
static bool looks_like_pds(const struct uet_packet *p)
{
    if (!p->pds)
        return false;
    for (uint8_t i = 0; i < uet_headers[p->pds].n_fields; i++) {
        const struct uet_field *f = uet_headers[p->pds].fields[i];
        if (f->kind == UET_KIND_RESERVED && uet_field_get(f, uet_pds(p)))
            return false;
    }
    return true;
}

/* What one packet is opened with. */
struct attempt {
    const struct uet_packet *sealed;
    const struct uet_parse_options *options;
    struct uet_tss_place place;
    size_t captured;
    bool whole; /* there is an ICV */
};

static bool open_whole(const struct attempt *a, struct uet_tss_sa *sa, uint8_t *clear,
                       struct uet_packet *p)
{
    const struct uet_packet *s = a->sealed;
    memcpy(clear, s->frame, s->len);
    size_t from = uet_tss_encrypted_from(&a->place, s->tss == UET_H_TSS_HDR_16, sa->encrypt_from,
                                         (size_t)a->place.end - UET_TSS_TRAILER_BYTES);
    if (uet_tss_open_at(sa, s->frame, &a->place, clear + from) != UET_TSS_OK)
        return false;
    *p = *s;
    uet_parse_opened(p, clear, a->options);
    return true;
}

static bool open_cut(const struct attempt *a, struct uet_tss_sa *sa, uint8_t *clear,
                     struct uet_packet *p)
{
    const struct uet_packet *s = a->sealed;
    size_t end = s->payload_offset + (size_t)s->payload_len, got;
    size_t from =
        uet_tss_encrypted_from(&a->place, s->tss == UET_H_TSS_HDR_16, sa->encrypt_from, end);
    size_t have = a->captured < end ? a->captured : end;
    memcpy(clear, s->frame, s->len);
    if (have > from &&
        uet_tss_peek(sa, s->frame, &a->place, clear + from, have - from, &got) != UET_TSS_OK)
        return false;
    *p = *s;
    p->frame = clear;
    p->error = UET_PARSE_OK;
    p->error_offset = 0;
    uet_parse_transport(p, s->payload_offset, end, have, a->options);
    return looks_like_pds(p);
}

/* Which key it was, and in which readings, as far as the packet tells one from the other. */
static void note_key(struct uet_packet *p, const struct entry *e, const struct uet_tss_sa *way)
{
    bool ipv6_ssi = p->ip_version == 6 && p->tss == UET_H_TSS_HDR_16;
    bool derived = way->mode != UET_TSS_MODE_DIRECT;
    p->seal.key = e->number;
    p->seal.mode = way->mode;
    p->seal.readings =
        (uint8_t)((p->udp_offset && way->readings.udp_not_in_aad ? UET_OPENED_WITHOUT_UDP : 0) |
                  (ipv6_ssi && derived && way->readings.ipv6_context_by_ip ? UET_OPENED_BY_ADDRESS
                                                                           : 0));
}

/*
 * The key that has opened a packet is tried first from now on: behind a re-key, that is the new one
 * of several for one SDI and AN; and what has no ICV is opened by the key of what came before it.
 */
static void try_first(struct uet_keyring *ring, size_t i)
{
    struct entry *e = ring->entries[i];
    memmove(&ring->entries[1], &ring->entries[0], i * sizeof *ring->entries);
    ring->entries[0] = e;
}

bool uet_keyring_open(struct uet_keyring *ring, struct uet_packet *p, size_t captured,
                      const struct uet_parse_options *options, uint8_t *clear)
{
    const struct uet_packet sealed = *p;
    struct attempt a = {.sealed = &sealed, .options = options, .captured = captured};
    struct uet_tss_header h;
    bool stopped = p->error == UET_PARSE_SEALED || p->error == UET_PARSE_TRIMMED;
    if (!stopped || !p->tss || p->pds || !p->ip_version)
        return false; /* without addresses nothing is derived or authenticated */
    a.place = (struct uet_tss_place){.ip_version = p->ip_version,
                                     .ip_offset = p->ip_offset,
                                     .udp_offset = p->udp_offset,
                                     .tss_offset = p->tss_offset,
                                     .end = p->ip_end};
    a.whole = p->trim == UET_TRIM_NO && p->icv_offset && captured >= p->ip_end;
    uet_tss_read(&h, p->frame + p->tss_offset);
    bool tried = false;
    for (size_t i = 0; i < ring->n; i++) {
        struct entry *e = ring->entries[i];
        tried |= fits(e, &h);
        for (uint8_t k = 0; fits(e, &h) && k < e->n_ways; k++) {
            uint8_t way = (uint8_t)((e->last + k) % e->n_ways);
            bool opened = a.whole ? open_whole(&a, &e->ways[way], clear, p)
                                  : open_cut(&a, &e->ways[way], clear, p);
            if (opened) {
                e->last = way;
                note_key(p, e, &e->ways[way]);
                if (a.whole)
                    try_first(ring, i);
                return true;
            }
        }
    }
    *p = sealed;
    p->seal.refused = tried && a.whole;
    return false;
}
