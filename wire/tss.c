/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire/tss.h"

#include <errno.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "wire/text.h"

enum { CACHE_DEFAULT = 8, CMAC_BLOCK = 16 };

void uet_tss_wipe(void *secret, size_t n)
{
    OPENSSL_cleanse(secret, n);
}

static bool derives(uint8_t mode, uint8_t client)
{
    return mode == UET_TSS_MODE_CLUSTER ||
           (mode == UET_TSS_MODE_SERVER && client != UET_CLIENT_SELF);
}

static bool all_zero(const uint8_t *p, size_t n)
{
    uint8_t any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

const char *uet_tss_params_error(const struct uet_tss_params *p)
{
    if (p->sdi > 0xffffff)
        return "the SDI has more than 24 bits; give 0..0xffffff";
    if (p->an > 1)
        return "the AN is neither 0 nor 1";
    if (p->mode < UET_TSS_MODE_DIRECT || p->mode > UET_TSS_MODE_SERVER)
        return "the key mode is unknown; give direct, cluster or server";
    if (p->client > UET_CLIENT_DST)
        return "the client's side is unknown; give peer, self, src or dst";
    if (p->client != UET_CLIENT_PEER && p->mode != UET_TSS_MODE_SERVER)
        return "only server mode has a client; leave its side out";
    if (p->rekey && p->mode != UET_TSS_MODE_CLUSTER)
        return "automatic rekey belongs to cluster mode only; turn it off";
    if (p->rekey && !uet_tss_rekey_ok(p->rekey_mask, p->rekey_shift))
        return "the rekey value has more than 32 bits; give a narrower mask or a larger shift";
    if (derives(p->mode, p->client) && !all_zero(p->iv_mask, sizeof p->iv_mask))
        return "the IV mask is derived in this key mode; leave it zero";
    if (p->encrypt_from && p->encrypt_from < uet_tss_header_len(p->ssi_mode))
        return "encryption cannot begin inside the TSS header; give 12 or more, 16 with an SSI";
    if (p->cached_keys > UET_TSS_CACHE_MAX)
        return "too many cached keys; give at most 64";
    return NULL;
}

/* CMAC under the slot's key, keyed once: later a NULL key starts it anew. */
static EVP_MAC_CTX *cmac_new(const uint8_t key[UET_TSS_KEY_LEN])
{
    char cipher[] = "AES-256-CBC";
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "CMAC", NULL);
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    EVP_MAC_free(mac);
    if (ctx && EVP_MAC_init(ctx, key, UET_TSS_KEY_LEN, params) != 1) {
        EVP_MAC_CTX_free(ctx);
        ctx = NULL;
    }
    return ctx;
}

static int derive(uint8_t out[UET_TSS_DERIVED_LEN], EVP_MAC_CTX *cmac, const char label[2],
                  const struct uet_tss_context *context)
{
    uint8_t block[3 * CMAC_BLOCK], input[UET_TSS_FIXED_MAX];
    int ok = 1;
    for (uint8_t i = 0; i < 3 && ok; i++) {
        size_t got, n = uet_tss_kdf_input(input, (uint8_t)(i + 1), label, context);
        ok = EVP_MAC_init(cmac, NULL, 0, NULL) == 1 && EVP_MAC_update(cmac, input, n) == 1 &&
             EVP_MAC_final(cmac, block + i * CMAC_BLOCK, &got, CMAC_BLOCK) == 1;
    }
    if (ok)
        memcpy(out, block, UET_TSS_DERIVED_LEN);
    OPENSSL_cleanse(block, sizeof block);
    return ok ? 0 : -EIO;
}

int uet_tss_derive(uint8_t out[UET_TSS_DERIVED_LEN], const uint8_t key[UET_TSS_KEY_LEN],
                   const char label[2], const struct uet_tss_context *context)
{
    EVP_MAC_CTX *cmac = cmac_new(key);
    int e = cmac ? derive(out, cmac, label, context) : -EIO;
    EVP_MAC_CTX_free(cmac);
    return e;
}

static int setup_keys(struct uet_tss_sa *sa, const struct uet_tss_params *p)
{
    EVP_CIPHER *gcm = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    int ok = gcm != NULL;
    for (size_t i = 0; i < sa->n_keys && ok; i++) {
        struct uet_tss_key *k = &sa->keys[i];
        k->gcm = EVP_CIPHER_CTX_new();
        ok = k->gcm && EVP_EncryptInit_ex(k->gcm, gcm, NULL,
                                          derives(p->mode, p->client) ? NULL : p->key, NULL) == 1;
        memcpy(k->iv_mask, p->iv_mask, sizeof k->iv_mask);
    }
    EVP_CIPHER_free(gcm); /* the contexts hold it */
    if (ok && derives(p->mode, p->client))
        ok = (sa->cmac = cmac_new(p->key)) != NULL;
    return ok ? 0 : -ENOMEM;
}

int uet_tss_setup(struct uet_tss_sa *sa, const struct uet_tss_params *p)
{
    uint8_t cached = p->cached_keys ? p->cached_keys : CACHE_DEFAULT;
    *sa = (struct uet_tss_sa){0};
    if (uet_tss_params_error(p))
        return -EINVAL;
    sa->sdi = p->sdi;
    sa->an = p->an;
    sa->mode = p->mode;
    sa->client = p->client;
    sa->ssi_mode = p->ssi_mode;
    sa->rekey_mask = p->rekey ? p->rekey_mask : 0;
    sa->rekey_shift = p->rekey ? p->rekey_shift : 0;
    sa->encrypt_from = p->encrypt_from;
    sa->readings = p->readings;
    sa->n_keys = derives(p->mode, p->client) ? cached : 1;
    int e = setup_keys(sa, p);
    if (e)
        uet_tss_erase(sa);
    return e;
}

void uet_tss_erase(struct uet_tss_sa *sa)
{
    for (size_t i = 0; i < sa->n_keys; i++)
        EVP_CIPHER_CTX_free(sa->keys[i].gcm); /* wipes its key schedule */
    EVP_MAC_CTX_free(sa->cmac);
    OPENSSL_cleanse(sa, sizeof *sa);
}

int uet_tss_describe(char *out, size_t cap, const struct uet_tss_sa *sa)
{
    struct text t = text_begin(out, cap);
    text_add(&t, "sdi 0x%06x an %u %s", (unsigned)sa->sdi, sa->an,
             uet_enum_name(UET_ENUM_TSS_MODE, sa->mode));
    if (sa->mode == UET_TSS_MODE_SERVER && sa->client == UET_CLIENT_SELF)
        text_add(&t, " (client)");
    if (sa->ssi_mode)
        text_add(&t, " ssi");
    if (sa->rekey_mask)
        text_add(&t, " rekey mask 0x%012llx shift %u", (unsigned long long)sa->rekey_mask,
                 sa->rekey_shift);
    if (sa->encrypt_from == UET_TSS_ENCRYPT_NOTHING)
        text_add(&t, " encrypts nothing");
    else if (sa->encrypt_from)
        text_add(&t, " encrypts from byte %u", sa->encrypt_from);
    if (sa->readings.udp_not_in_aad)
        text_add(&t, " UDP not authenticated (TSS-012 U2)");
    if (sa->readings.ipv6_context_by_ip)
        text_add(&t, " IPv6 key by address (TSS-077)");
    if (sa->readings.unexpected_ssi_is_fit)
        text_add(&t, " takes an unexpected SSI (TSS-041)");
    return (int)t.len;
}

/* Derives into the oldest place of the cache. */
static struct uet_tss_key *derive_key(struct uet_tss_sa *sa, const struct uet_tss_context *c)
{
    const char *label =
        sa->mode == UET_TSS_MODE_SERVER ? UET_TSS_LABEL_SERVER : UET_TSS_LABEL_CLUSTER;
    struct uet_tss_key *k = &sa->keys[sa->oldest];
    uint8_t out[UET_TSS_DERIVED_LEN];
    k->context.len = 0;
    int ok = derive(out, sa->cmac, label, c) == 0 &&
             EVP_EncryptInit_ex(k->gcm, NULL, NULL, out, NULL) == 1;
    if (ok) {
        memcpy(k->iv_mask, out + UET_TSS_KEY_LEN, UET_TSS_IV_LEN);
        k->context = *c;
        sa->last = sa->oldest;
        sa->oldest = (uint8_t)((sa->oldest + 1) % sa->n_keys);
    }
    OPENSSL_cleanse(out, sizeof out);
    return ok ? k : NULL;
}

static bool is_for(const struct uet_tss_key *k, const struct uet_tss_context *c)
{
    return k->context.len == c->len && memcmp(k->context.bytes, c->bytes, sizeof c->bytes) == 0;
}

static struct uet_tss_key *key_of(struct uet_tss_sa *sa, const struct uet_tss_header *h,
                                  const uint8_t *frame, const struct uet_tss_place *at, bool seal)
{
    struct uet_tss_context c;
    if (!derives(sa->mode, sa->client))
        return &sa->keys[0];
    bool by_dst = sa->mode == UET_TSS_MODE_SERVER &&
                  (sa->client == UET_CLIENT_DST || (sa->client == UET_CLIENT_PEER && seal));
    uint32_t rekey = uet_tss_rekey(h->counter, sa->rekey_mask, sa->rekey_shift);
    uet_tss_context_of(&c, h, rekey, by_dst, frame, at, &sa->readings);
    if (is_for(&sa->keys[sa->last], &c))
        return &sa->keys[sa->last];
    for (uint8_t i = 0; i < sa->n_keys; i++)
        if (is_for(&sa->keys[i], &c)) {
            sa->last = i;
            return &sa->keys[i];
        }
    return derive_key(sa, &c);
}

/*
 * The ICV out of a context, or into it. EVP_CIPHER_CTX_ctrl does the same in twice the time: it
 * builds these parameters by itself.
 */
static bool take_icv(EVP_CIPHER_CTX *gcm, uint8_t *icv)
{
    OSSL_PARAM p[] = {
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, icv, UET_TSS_TRAILER_BYTES),
        OSSL_PARAM_END,
    };
    return EVP_CIPHER_CTX_get_params(gcm, p) == 1;
}

static bool give_icv(EVP_CIPHER_CTX *gcm, const uint8_t *icv)
{
    uint8_t copy[UET_TSS_TRAILER_BYTES]; /* a parameter cannot be constant */
    const OSSL_PARAM p[] = {
        OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, copy, sizeof copy),
        OSSL_PARAM_END,
    };
    memcpy(copy, icv, sizeof copy);
    return EVP_CIPHER_CTX_set_params(gcm, p) == 1;
}

/* One GCM operation of a packet. */
struct operation {
    EVP_CIPHER_CTX *gcm;
    size_t from, limit; /* the encrypted bytes; the ICV stands at limit */
};

/* Key, IV and additional data from the bytes of the frame; then the bulk can go. */
static enum uet_tss_status begin(struct operation *op, struct uet_tss_sa *sa, const uint8_t *frame,
                                 const struct uet_tss_place *at, bool seal)
{
    struct uet_tss_header h;
    struct uet_tss_run aad[2];
    uint8_t iv[UET_TSS_IV_LEN];
    int n;
    enum uet_tss_status s = uet_tss_header_at(&h, frame, at, true);
    if (s != UET_TSS_OK)
        return s;
    struct uet_tss_key *k = key_of(sa, &h, frame, at, seal);
    if (!k)
        return UET_TSS_CRYPTO;
    uet_tss_raw_iv(iv, &h, frame, at);
    uet_tss_mask(iv, k->iv_mask);
    op->gcm = k->gcm;
    op->limit = at->end - (size_t)UET_TSS_TRAILER_BYTES;
    op->from = uet_tss_encrypted_from(at, h.sp, sa->encrypt_from, op->limit);
    int ok = EVP_CipherInit_ex(op->gcm, NULL, NULL, NULL, iv, seal) == 1;
    size_t runs = uet_tss_aad(at, op->from, &sa->readings, aad);
    for (size_t i = 0; i < runs && ok; i++)
        ok = EVP_CipherUpdate(op->gcm, NULL, &n, frame + aad[i].offset, (int)aad[i].len) == 1;
    return ok ? UET_TSS_OK : UET_TSS_CRYPTO;
}

static bool bulk(struct operation *op, uint8_t *to, const uint8_t *from)
{
    int n;
    return op->limit == op->from ||
           EVP_CipherUpdate(op->gcm, to, &n, from, (int)(op->limit - op->from)) == 1;
}

enum uet_tss_status uet_tss_seal_at(struct uet_tss_sa *sa, uint8_t *frame,
                                    const struct uet_tss_place *at, const uint8_t *plain)
{
    struct operation op;
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    int n;
    enum uet_tss_status s = begin(&op, sa, frame, at, true);
    if (s != UET_TSS_OK)
        return s;
    bool ok = bulk(&op, frame + op.from, plain ? plain : frame + op.from) &&
              EVP_CipherFinal_ex(op.gcm, rest, &n) == 1 && take_icv(op.gcm, frame + op.limit);
    return ok ? UET_TSS_OK : UET_TSS_CRYPTO;
}

/* GCM encrypts by XOR: the same again brings back what stood there. */
static enum uet_tss_status undo(struct operation *op, struct uet_tss_sa *sa, const uint8_t *frame,
                                const struct uet_tss_place *at, uint8_t *bytes)
{
    enum uet_tss_status s = begin(op, sa, frame, at, false);
    return s == UET_TSS_OK && !bulk(op, bytes, bytes) ? UET_TSS_CRYPTO : s;
}

enum uet_tss_status uet_tss_open_at(struct uet_tss_sa *sa, const uint8_t *frame,
                                    const struct uet_tss_place *at, uint8_t *plain)
{
    struct operation op;
    uint8_t rest[UET_TSS_TRAILER_BYTES];
    int n;
    enum uet_tss_status s = begin(&op, sa, frame, at, false);
    if (s != UET_TSS_OK)
        return s;
    if (!give_icv(op.gcm, frame + op.limit) || !bulk(&op, plain, frame + op.from))
        return UET_TSS_CRYPTO;
    if (EVP_CipherFinal_ex(op.gcm, rest, &n) == 1)
        return UET_TSS_OK;
    if (plain != frame + op.from)
        OPENSSL_cleanse(plain, op.limit - op.from);
    else if (undo(&op, sa, frame, at, plain) != UET_TSS_OK)
        return UET_TSS_CRYPTO;
    return UET_TSS_BAD_ICV;
}

enum uet_tss_status uet_tss_peek(struct uet_tss_sa *sa, const uint8_t *frame,
                                 const struct uet_tss_place *at, uint8_t *out, size_t n,
                                 size_t *got)
{
    struct uet_tss_header h;
    uint8_t iv[UET_TSS_IV_LEN];
    int done = 0;
    *got = 0;
    enum uet_tss_status s = uet_tss_header_at(&h, frame, at, false);
    if (s != UET_TSS_OK)
        return s;
    struct uet_tss_key *k = key_of(sa, &h, frame, at, false);
    if (!k)
        return UET_TSS_CRYPTO;
    uet_tss_raw_iv(iv, &h, frame, at);
    uet_tss_mask(iv, k->iv_mask);
    size_t from = uet_tss_encrypted_from(at, h.sp, sa->encrypt_from, at->end);
    if (n > at->end - from)
        n = at->end - from;
    if (EVP_CipherInit_ex(k->gcm, NULL, NULL, NULL, iv, 0) != 1 ||
        (n && EVP_CipherUpdate(k->gcm, out, &done, frame + from, (int)n) != 1))
        return UET_TSS_CRYPTO;
    *got = n;
    return UET_TSS_OK;
}
