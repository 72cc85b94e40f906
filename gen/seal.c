/* SPDX-License-Identifier: BSD-2-Clause */
/* tss(.., key=..): the packet is made in clear and sealed at the end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gen/internal.h"
#include "wire/keyfile.h"

static const struct uet_field mode_field = {
    .name = "mode", .width = 8, .kind = UET_KIND_ENUM, .enumeration = UET_ENUM_TSS_MODE};
static const struct uet_field client_field = {.name = "client", .width = 2};
static const struct uet_field mask_field = {.name = "rekey_mask", .width = 48};
static const struct uet_field shift_field = {.name = "rekey_shift", .width = 6};
static const struct uet_field from_field = {.name = "encrypt_from", .width = 16};
static const struct uet_field aad_field = {.name = "udp_in_aad", .width = 1, .kind = UET_KIND_FLAG};

static const struct {
    const char *name;
    enum gen_what what;
    const struct uet_field *field;
} names[] = {
    {"key", GEN_KEY, NULL},
    {"iv_mask", GEN_IV_MASK, NULL},
    {"mode", GEN_MODE, &mode_field},
    {"client", GEN_CLIENT, &client_field},
    {"rekey_mask", GEN_REKEY_MASK, &mask_field},
    {"rekey_shift", GEN_REKEY_SHIFT, &shift_field},
    {"encrypt_from", GEN_ENCRYPT_FROM, &from_field},
    {"udp_in_aad", GEN_UDP_IN_AAD, &aad_field},
};
enum { N_NAMES = sizeof names / sizeof *names };

enum gen_what gen_seal_what(const char *name, size_t n)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (strlen(names[i].name) == n && strncasecmp(names[i].name, name, n) == 0)
            return names[i].what;
    return GEN_FIELD;
}

const struct uet_field *gen_seal_field(enum gen_what what)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (names[i].what == what)
            return names[i].field;
    return NULL;
}

bool gen_seal_client(const char *text, size_t n, gen_value *value)
{
    static const char *const clients[] = {
        [UET_CLIENT_PEER] = "peer",
        [UET_CLIENT_SELF] = "self",
        [UET_CLIENT_SRC] = "src",
        [UET_CLIENT_DST] = "dst",
    };
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++)
        if (strlen(clients[i]) == n && strncasecmp(clients[i], text, n) == 0) {
            *value = i;
            return true;
        }
    return false;
}

/* ---- what the arguments say ---- */

static int bytes_of(const struct uet_gen *gen, const struct gen_arg *a, uint8_t *out, size_t n,
                    struct uet_gen_error *error)
{
    if (a->literal_len != n)
        return gen_refuse(error, a->at, a->len, "%s has %zu bytes, not %u: %zu hexadecimal digits",
                          a->what == GEN_KEY ? "a key" : "an IV mask", n, (unsigned)a->literal_len,
                          2 * n);
    memcpy(out, gen->literals + a->literal, n);
    return 0;
}

static int take(const struct uet_gen *gen, const struct gen_arg *a, struct uet_tss_params *p,
                struct uet_gen_error *error)
{
    uint64_t v = a->n_items ? (uint64_t)gen_arg_value(gen, a, 0) : 0;
    if (a->axis >= 0)
        return gen_refuse(error, a->at, a->len, "a packet is sealed in one way: give one value");
    switch (a->what) {
    case GEN_KEY:
        return bytes_of(gen, a, p->key, sizeof p->key, error);
    case GEN_IV_MASK:
        return bytes_of(gen, a, p->iv_mask, sizeof p->iv_mask, error);
    case GEN_MODE:
        p->mode = (uint8_t)v;
        return 0;
    case GEN_CLIENT:
        p->client = (uint8_t)v;
        return 0;
    case GEN_REKEY_MASK:
        p->rekey_mask = v;
        p->rekey = v != 0;
        return 0;
    case GEN_REKEY_SHIFT:
        p->rekey_shift = (uint8_t)v;
        return 0;
    case GEN_ENCRYPT_FROM:
        p->encrypt_from = (uint16_t)v;
        return 0;
    default:
        p->readings.udp_not_in_aad = v == 0;
        return 0;
    }
}

static int make(struct uet_gen *gen, const struct gen_layer *layer, struct uet_tss_params *p,
                struct uet_gen_error *error)
{
    const char *wrong = uet_tss_params_error(p);
    if (wrong)
        return gen_refuse(error, layer->at, layer->len, "%s", wrong);
    if (gen->seal)
        return gen_refuse(error, layer->at, layer->len, "a packet is sealed once");
    gen->seal = calloc(1, sizeof *gen->seal);
    return gen->seal ? uet_tss_setup(gen->seal, p) : -ENOMEM;
}

/* What stands in the layer beside fields, into p. *any: there is something; *key: a key, too. */
static int take_all(const struct uet_gen *gen, const struct gen_layer *layer,
                    struct uet_tss_params *p, bool *any, bool *key, struct uet_gen_error *error)
{
    int rc = 0;
    *any = *key = false;
    for (size_t i = 0; i < layer->n_args && rc == 0; i++) {
        const struct gen_arg *a = &gen->args[layer->first_arg + i];
        if (a->field || a->what < GEN_KEY)
            continue;
        *any = true;
        *key |= a->what == GEN_KEY;
        rc = take(gen, a, p, error);
    }
    return rc;
}

int gen_seal_setup(struct uet_gen *gen, size_t index, struct uet_gen_error *error)
{
    const struct gen_layer *layer = &gen->layers[index];
    /* SDI, AN and SSI are taken from each packet's header. */
    struct uet_tss_params p = {.mode = UET_TSS_MODE_DIRECT};
    bool key, any;
    int rc = take_all(gen, layer, &p, &any, &key, error);
    if (rc == 0 && any && !key && !gen->keys)
        rc = gen_refuse(error, layer->at, layer->len,
                        "nothing is sealed without a key: key=.., 64 hexadecimal digits");
    if (rc == 0 && key)
        rc = make(gen, layer, &p, error);
    if (key)
        gen->seal_layer = index;
    uet_tss_wipe(&p, sizeof p);
    return rc;
}

/* ---- with a file of keys ---- */

/* What the layer says of a field, 0 where it says nothing. */
static int value_of(const struct uet_gen *gen, const struct gen_layer *layer, const char *field,
                    uint32_t *value, struct uet_gen_error *error)
{
    *value = 0;
    for (size_t i = 0; i < layer->n_args; i++) {
        const struct gen_arg *a = &gen->args[layer->first_arg + i];
        if (!a->field || strcmp(a->field->name, field) != 0)
            continue;
        if (a->axis >= 0)
            return gen_refuse(error, a->at, a->len,
                              "a packet is sealed in one way: give one value");
        *value = a->n_items ? (uint32_t)gen_arg_value(gen, a, 0) : 0;
    }
    return 0;
}

/* The first of the file; NULL: none. */
static const struct uet_key *key_for(const struct uet_keyfile *keys, uint32_t sdi, uint32_t an)
{
    for (size_t i = 0; i < keys->n_keys; i++)
        if (uet_key_fits(&keys->keys[i], sdi, an))
            return &keys->keys[i];
    return NULL;
}

/* Do packets of the key carry an SSI, by the file? */
static bool wants_ssi(const struct uet_keyfile *keys, const struct uet_key *k)
{
    for (size_t i = 0; i < keys->n_domains; i++)
        if (keys->domains[i].sdi == k->params.sdi && keys->domains[i].has_ssi)
            return true;
    return k->ssi == UET_KEY_SSI_YES;
}

static bool has_ssi(const struct uet_gen *gen, const struct gen_layer *layer)
{
    for (size_t i = 0; i < layer->n_args; i++) {
        const struct uet_field *f = gen->args[layer->first_arg + i].field;
        if (f && (strcmp(f->name, "ssi") == 0 || strcmp(f->name, "sp") == 0))
            return true;
    }
    return false;
}

static int seal_by_file(struct uet_gen *gen, size_t index, struct uet_gen_error *error)
{
    const struct gen_layer *layer = &gen->layers[index];
    uint32_t sdi, an;
    bool any, has_key;
    int rc = value_of(gen, layer, "sdi", &sdi, error);
    if (rc == 0)
        rc = value_of(gen, layer, "an", &an, error);
    if (rc)
        return rc;
    const struct uet_key *k = key_for(gen->keys, sdi, an);
    if (!k)
        return gen_refuse(error, layer->at, layer->len,
                          "the key file has no key for SDI 0x%06x and AN %u: write sdi= and an= of "
                          "one that it has",
                          (unsigned)sdi, (unsigned)an);
    if (wants_ssi(gen->keys, k) && !has_ssi(gen, layer))
        return gen_refuse(error, layer->at, layer->len,
                          "by the key file packets of SDI 0x%06x carry an SSI: write ssi=..",
                          (unsigned)sdi);
    struct uet_tss_params p = k->params;
    p.ssi_mode |= wants_ssi(gen->keys, k);
    rc = take_all(gen, layer, &p, &any, &has_key, error);
    if (rc == 0)
        rc = make(gen, layer, &p, error);
    gen->seal_layer = index;
    gen->sealed_by_file = true;
    uet_tss_wipe(&p, sizeof p);
    return rc;
}

/* Not a header by its exact name: that stands for itself. */
static bool is_tss(const struct gen_layer *layer)
{
    return layer->kind == GEN_HEADER && !layer->name.exact &&
           strcmp(uet_headers[layer->name.id].family, uet_headers[UET_H_TSS_HDR_12].family) == 0;
}

int gen_seal_check(struct uet_gen *gen, struct uet_gen_error *error)
{
    int rc = 0;
    for (size_t l = 0; l < gen->n_layers && rc == 0; l++) {
        const struct gen_layer *layer = &gen->layers[l];
        bool key = gen->seal && gen->seal_layer == l;
        bool bytes = l + 1 < gen->n_layers && layer[1].kind == GEN_DATA;
        if (!is_tss(layer) || layer->anyway || key || bytes)
            continue;
        rc = gen->keys
                 ? seal_by_file(gen, l, error)
                 : gen_refuse(error, layer->at, layer->len,
                              "nothing is sealed without a key: key=.., 64 hexadecimal digits, or "
                              "sealed bytes, /data(..), or %s for the header alone",
                              uet_headers[layer->name.id].name);
    }
    return rc;
}

/* ---- sealing ---- */

int gen_seal_frame(struct gen_work *w, uint8_t *frame)
{
    const struct gen_layer *layer = &w->gen->layers[w->gen->seal_layer];
    struct uet_tss_place at = {.tss_offset = w->placed[w->gen->seal_layer].offset,
                               .end = (uint16_t)w->ip_end};
    for (size_t l = 0; l < w->gen->seal_layer; l++) {
        const struct gen_placed *p = &w->placed[l];
        if (p->id == UET_H_IPV4 || p->id == UET_H_IPV6) {
            at.ip_version = p->id == UET_H_IPV4 ? 4 : 6;
            at.ip_offset = p->offset;
        }
        if (p->id == UET_H_UDP)
            at.udp_offset = p->offset;
    }
    size_t header = w->placed[w->gen->seal_layer].bytes;
    if (!at.ip_version)
        return gen_refuse(w->error, layer->at, layer->len,
                          "the addresses of the IP header are authenticated: write ip or ip6 "
                          "before a sealed packet");
    if (header < UET_TSS_HDR_12_BYTES || w->ip_end < at.tss_offset + header + UET_TSS_TRAILER_BYTES)
        return gen_refuse(w->error, layer->at, layer->len,
                          "there is no room for TSS header and ICV");
    enum uet_tss_status s = uet_tss_seal_at(w->gen->seal, frame, &at, NULL);
    w->about.sealed = s == UET_TSS_OK;
    if (s == UET_TSS_OK)
        return 0;
    return gen_refuse(w->error, layer->at, layer->len, "the packet cannot be sealed: %s",
                      uet_tss_status_text(s));
}
